"""Slips of the hand while dealing: which single slip explains the heights of the piles, and the way back to before it.

`spaces` is the list of one dealer's pass in dealing order; `dealt` of its labels have been called. Cards and labels
are named by their place in this list, from 0. The kinds of slips:

- misplaced: one card lies on another space.
- skipped: one label got no card, so each later card lies one label further on.
- twice: one label got two cards, perhaps stuck together, so each later card lies one label too early.
- missing, extra: there is one card less, or more, than the list has. Nothing shows since when.
- ahead: no slip; one card more is dealt than labels were called.

Heights do not show two cards that changed places, nor which of two labels of the same space was skipped.

**What a way back is worth.** It restores the plan's state exactly if its slip is the only one that was made. After a
wrong guess the heights match as well, so they prove nothing. No way back is right for two explanations, not even one
to the first card: it moves cards by their places, so tables that differ before it also differ after it. Hence a slip
is `certain` only if all piles are counted and no other single slip explains them.

After a wrong guess, the plan is dealt to a deck in another order. That would be harmless if the change did not depend
on the drawn order. But it depends on the list, which the drawn order decides. So the deck is **not uniform**, though
nobody knows its order. A new draw for the cards as they lie is uniform. (The rule "draw again unless the slip is
certain" keeps some orders more often than others. The chance of a slip bounds the relative change of each order's
probability. Mending a slip that one has seen changes nothing.)

Here the only card of A3 lies on B1. Two cards lie on it, and its own space is empty:

>>> import fairdeck
>>> plan = fairdeck.deal(12, mat="3x2", bottom="space", seed="09").plan
>>> spaces = plan.passes[0].deal
>>> spaces
(1, 2, 3, 3, 1, 0, 5, 0, 1, 0, 4, 5)
>>> (slip,) = explanations(spaces, 12, [3, 3, 0, 3, 1, 2], plan.mat.columns, hand=0)
>>> slip.card, plan.mat.labels[slip.space], slip.certain
(1, 'B1', True)
>>> way_back(spaces, 12, slip).lift
(2, 0)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from fairdeck.dealing.plan import Pass
from fairdeck.errors import FairdeckError


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip that may have been made."""

    kind: str  # "misplaced", "skipped", "twice", "missing", "extra" or "ahead"
    card: int | None  # or the label; None if a card is missing or extra, or the player one card ahead
    space: int | None  # where a misplaced card lies; otherwise the label's
    certain: bool  # whether no other single slip explains the heights, and all piles are counted


@dataclass(frozen=True, slots=True)
class WayBack:
    """How to return to the state of the plan just before a slip.

    A misplaced card also has a shorter way, `lift`: take it from under so many cards, and put it on its own pile
    under so many cards. The deal is then where it was.
    """

    take: tuple[tuple[int, int], ...]  # (space, cards) in turn: so many cards, one by one, back to the hand
    next: int  # the label to continue with
    lift: tuple[int, int] | None


def explanations(
    spaces: Sequence[int], dealt: int, heights: Sequence[int | None], columns: int, hand: int | None = None
) -> list[Slip]:
    """Return the slips that explain the heights, likeliest first; none if the heights are right, or no slip does.

    Likeliest are cards beside their space on the mat of `columns` columns, or on the space of the label before or
    after, and labels that repeat the label before. Among equals, the last comes first. `heights` has None for piles
    that are not counted; `hand` is the number of cards left, if counted. If the hand is empty too early, `dealt` is the
    number of labels that got a card.

    >>> explanations([0, 1, 2, 1], 4, [0, 3, 1], columns=3)
    [Slip(kind='misplaced', card=0, space=1, certain=True)]
    """
    if not 0 <= dealt <= len(spaces):
        raise FairdeckError(f"{dealt} labels called: use 0 to {len(spaces)}")
    if columns < 1 or not all(0 <= space < len(heights) for space in spaces):
        raise FairdeckError(f"{len(heights)} heights, {columns} columns: give the mat's columns, and a height a space")
    expected, ended = Pass(tuple(spaces[:dealt]), ()).counts(len(heights)), dealt == len(spaces)
    short = spaces[-1] if ended and spaces else None  # if a card is short, the last label gets none

    def fits(more: int | None, less: int | None, held: int) -> bool:
        piles = enumerate(heights)
        return hand in (None, len(spaces) - dealt + held) and all(
            seen in (None, expected[space] + (space == more) - (space == less)) for space, seen in piles
        )

    if fits(None, None, 0):
        return []
    cases: list[tuple[bool, str, int | None, int | None]] = [
        (fits(None, short, ended - 1), "missing", None, None),
        (fits(None, None, 1), "extra", None, None),
    ]
    if not ended:
        cases.append((fits(spaces[dealt], None, -1), "ahead", None, None))
    for own in sorted(set(spaces[:dealt])):
        others = [space for space in range(len(heights)) if space != own]
        cases += [(fits(space, own, 0), "misplaced", own, space) for space in others]
        cases += [(fits(None, own, 1), "skipped", own, own), (fits(own, short, ended - 1), "twice", own, own)]
    fitting = [
        (kind, card, space) for fit, kind, own, space in cases if fit for card in _cards(spaces, dealt, kind, own)
    ]
    certain = len(fitting) == 1 and None not in heights
    slips = [Slip(kind, card, space, certain) for kind, card, space in fitting]
    return sorted(slips, key=lambda slip: (_unlikely(spaces, columns, slip), -(slip.card or 0)))


def _cards(spaces: Sequence[int], dealt: int, kind: str, own: int | None) -> Iterator[int | None]:
    """Yield one card for each table that such slips can leave."""
    if own is None:
        yield None
    for card in range(dealt):
        # All labels of a run leave one table. When no card is left for the last label, a label dealt twice in the
        # last two runs leaves the table of a misplaced card, or the right one.
        ends_run = card + 1 == dealt or spaces[card + 1] != own
        shows = kind != "twice" or dealt < len(spaces) or len(set(spaces[card + 1 :])) > 1
        if spaces[card] == own and (kind == "misplaced" or (ends_run and shows)):
            yield card


def _unlikely(spaces: Sequence[int], columns: int, slip: Slip) -> int:
    if slip.card is None or slip.space is None:
        return -1 if slip.kind == "ahead" else 3
    if slip.kind != "misplaced":
        return int(slip.card == 0 or spaces[slip.card - 1] != slip.space)
    (row, column), (own_row, own_column) = divmod(slip.space, columns), divmod(spaces[slip.card], columns)
    beside = abs(row - own_row) + abs(column - own_column) == 1
    return 2 - beside - (slip.space in spaces[max(0, slip.card - 1) : slip.card + 2])


def way_back(spaces: Sequence[int], dealt: int, slip: Slip) -> WayBack | None:
    """Return the way back to before `slip`; None if only a new draw helps.

    >>> way_back([0, 1, 2, 1], 4, Slip("misplaced", 0, 1, True))
    WayBack(take=((1, 1), (2, 1), (1, 2)), next=0, lift=(2, 0))
    """
    if slip.card is None or slip.space is None:
        return None
    own, later = spaces[slip.card], spaces[slip.card + 1 : dealt]
    there = {"misplaced": [slip.space], "skipped": [], "twice": [own, own]}[slip.kind]
    laid = [*spaces[: slip.card], *there, *later][: len(spaces)]
    right = next((place for place, space in enumerate(laid) if space != spaces[place]), len(laid))
    take = tuple([(space, len(list(run))) for space, run in groupby(reversed(laid[right:]))])
    lift = (later.count(slip.space), later.count(own)) if slip.kind == "misplaced" else None
    return WayBack(take, right, lift)
