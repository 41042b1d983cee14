"""From a goal to sort keys to a plan: a radix sort that hands can do.

Dealing a deck from the top onto piles and gathering them turns its order over and then groups it
by pile, keeping the order within a pile. So k passes sort by a key of k digits, and among equal
keys the order is **kept** where an even number of the passes turn it over, **turned** otherwise. A
pass dealt from the base does not turn.

Cards that already lie in the order the passes keep can share a key. Walking up the wanted order,
a new key starts only where the next card does not. No labelling of the cards does with fewer
keys, and no other dealing of the whole deck does with fewer: this is optimal, not a heuristic. The
number of keys is the number of rising sequences (kept) or falling ones (turned) of the
destinations, about half the cards. An order that needs more keys than the mat offers gets one more
space or pass; drawing another order instead would bias the deck, and is never done.

Hands are finished in the first pass, so that people take them up at once; what is left is then
sorted likewise. (Hands finished in later passes could save a space for the stock now and then.)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import prod
from typing import Literal, get_args

from fairdeck.errors import FairdeckError
from fairdeck.goal import LARGEST_DECK, WHOLE_DECK, Goal
from fairdeck.mat import Mat
from fairdeck.permutation import Permutation, permutation_of
from fairdeck.plan import LARGEST_DEALERS, Pass, Plan, reaches
from fairdeck.randomness import Chooser, uniform_permutation

Bottom = Literal["never", "pass", "space"]
LARGEST_PASSES = 32
ENOUGH_PASSES = LARGEST_DECK.bit_length() + 1  # each doubles the room at least, but on one space


@dataclass(frozen=True, slots=True)
class Shape:
    """How many piles each pass has for its sort keys, first pass first, and how the first is dealt."""

    bases: tuple[int, ...]
    from_base: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be planned, whatever order is drawn.

    Args:
        cards: 1 to 1,000,000.
        mat: each dealer's mat.
        goal: what is wanted.
        dealers: 1 to 8; several always deal from the top.
        least_passes: the fewest passes to plan, 1 to 32. More make do with fewer spaces. Where
            nothing is gathered there is always one.
        classic: one key a card, as other programs do, instead of the fewest keys.
        bottom: when to ask for the first pass to be dealt from the bottom of the deck: ``never``,
            where it saves a ``pass``, or also where it only saves a ``space``.

    Raises:
        FairdeckError: a value is out of range, the goal does not add up, or the mat is too small
            for it, whatever the order. Hands are finished in the first pass, a space each.
    """

    cards: int
    mat: Mat
    goal: Goal = WHOLE_DECK
    dealers: int = 1
    least_passes: int = 1
    classic: bool = False
    bottom: Bottom = "pass"

    def __post_init__(self) -> None:
        if not 1 <= self.cards <= LARGEST_DECK:
            raise FairdeckError(f"{self.cards} cards: a deck has 1 to {LARGEST_DECK}")
        if not 1 <= self.dealers <= min(LARGEST_DEALERS, self.cards):
            most = min(LARGEST_DEALERS, self.cards)
            raise FairdeckError(f"{self.dealers} dealers for {self.cards} cards: there can be 1 to {most}")
        if not 1 <= self.least_passes <= LARGEST_PASSES:
            raise FairdeckError(f"{self.least_passes} passes: ask for 1 to {LARGEST_PASSES}")
        if self.bottom not in get_args(Bottom):
            raise FairdeckError(f"dealing from the bottom {self.bottom!r}: choose never, pass or space")
        self.goal.check(self.cards)
        needed = len(self.goal.piles) + (self.gathered > 0)
        if self.mat.spaces < needed:
            raise FairdeckError(
                f"goal {self.goal} needs {needed} spaces; the mat {self.mat} has {self.mat.spaces}: use a larger mat"
            )
        if self.mat.spaces == 1 and self.gathered > (1 if self.never_from_base else 2):
            raise FairdeckError(f"one space cannot bring {self.cards} cards into order: use a mat of 2 or more")

    @property
    def gathered(self) -> int:
        """How many cards are gathered, in order, rather than left in finished piles."""
        return self.cards - sum(self.goal.piles)

    @property
    def never_from_base(self) -> bool:
        """True where every pass must be dealt from the top."""
        return self.classic or self.dealers > 1 or self.bottom == "never"

    def shape(self, kept: int, turned: int) -> Shape:
        """Return the fewest passes, then the fewest spaces, for an order of so many keys.

        Args:
            kept: the keys it needs where the passes keep the order among equal keys; 0 if nothing is gathered.
            turned: the keys it needs where they turn it over; 0 likewise.

        Raises:
            FairdeckError: no number of passes has room, as for two keys of both kinds on one space.
        """
        finished = len(self.goal.piles)
        for passes in range(self.least_passes, self.least_passes + ENOUGH_PASSES):
            from_top, with_base = (kept, turned) if passes % 2 == 0 else (turned, kept)
            room = (self.mat.spaces - finished) * self.mat.spaces ** (passes - 1)
            top = Shape(bases(from_top, passes, finished)) if from_top <= room else None
            if self.never_from_base or (top and self.bottom == "pass"):
                base = None
            else:
                base = Shape(bases(with_base, passes, finished), from_base=True) if with_base <= room else None
            if top and base:
                return min(top, base, key=lambda shape: spaces_used(shape.bases, finished))
            if top or base:
                return top or base  # type: ignore[return-value]
        raise FairdeckError(f"{max(kept, turned)} sort keys fit on no number of passes: use a mat of 2 spaces or more")


def spaces_used(pile_counts: Sequence[int], finished: int) -> int:
    """Return how many spaces passes of so many piles need, the first beside `finished` others."""
    return max(pile_counts[0] + finished, *pile_counts)


def bases(keys: int, passes: int, finished: int = 0) -> tuple[int, ...]:
    """Return the number of piles for each pass: their product is at least `keys`.

    First the fewest spaces in the widest pass, then the fewest piles in all, as equal as possible.

    Args:
        keys: how many sort keys there are; for none there is one pass, with no pile of its own.
        passes: how many passes, at least 1.
        finished: spaces that the first pass needs for piles which no later pass moves.

    >>> bases(26, 2), bases(225, 2), bases(30, 3)
    ((5, 6), (15, 15), (3, 3, 4))
    """
    if keys == 0:
        return (0,)
    # No room is more than widest ** passes; the root may be a rounding too large, so begin below it.
    widest = max(1, finished, int(keys ** (1 / passes)) - 1)
    while (widest - finished) * widest ** (passes - 1) < keys:
        widest += 1
    piles = [widest - finished] + [widest] * (passes - 1)
    while True:
        # Taking one from the largest loses the least room; among equals the earlier pass is spared.
        largest = piles.index(max(piles))
        fewer = [size - (place == largest) for place, size in enumerate(piles)]
        if prod(fewer) < keys:
            return tuple(piles)
        piles = fewer


def run_keys(order: Sequence[int], *, kept: bool, loose: int = 0) -> list[int]:
    """Return the fewest sort keys for `order`: one for each of its places, rising from 0.

    Args:
        order: the cards, named by where they lie now, in the order wanted, base first.
        kept: whether the passes keep the order among equal keys, or turn it over.
        loose: so many cards at the base of `order` may end in any order among themselves.

    >>> run_keys((0, 2, 1, 3), kept=True), run_keys((0, 2, 1, 3), kept=False)
    ([0, 0, 1, 1], [0, 1, 1, 2])
    """
    keys = [0] * loose
    key = 0
    below = max(order[:loose], default=-1) if kept else min(order[:loose], default=LARGEST_DECK)
    for card in order[loose:]:
        if (card < below) is kept:
            key += 1
        keys.append(key)
        below = card
    return keys


def classic_keys(order: Sequence[int], loose: int = 0) -> list[int]:
    """Return one key for each place of `order`, as the classic method does; loose cards share one."""
    return [max(0, place - loose + 1) if loose else place for place in range(len(order))]


def plan_for(task: Task, arrangement: Sequence[int], shape: Shape | None = None) -> Plan:
    """Return the plan that brings every deck into `arrangement`, base first, as far as the goal asks.

    The plan has been replayed: it does what it says.

    Args:
        task: what is to be planned.
        arrangement: a permutation of the task's cards.
        shape: piles for each pass, instead of the fewest; the mat must hold them.

    Raises:
        FairdeckError: `arrangement` is not an order of the task's cards, or `shape` is too small for it.
    """
    if len(arrangement) != task.cards:
        raise FairdeckError(f"the order has {len(arrangement)} cards; the deck has {task.cards}")
    plan = _planned(task, permutation_of(arrangement), shape)
    if not reaches(plan, arrangement):
        raise AssertionError("the plan does not reach its order")  # never seen; nothing wrong is ever shown
    return plan


def draw(task: Task, dice: Chooser) -> tuple[Plan, Permutation]:
    """Draw a uniformly random arrangement, base first, and return its plan and the arrangement."""
    arrangement = uniform_permutation(task.cards, dice)
    return plan_for(task, arrangement), arrangement


def _planned(task: Task, arrangement: Permutation, shape: Shape | None) -> Plan:
    wanted = arrangement[: task.gathered]
    loose = task.goal.loose(task.cards)
    if task.classic:
        kept = turned = classic_keys(wanted, loose)
    else:
        kept = run_keys(wanted, kept=True, loose=loose)
        turned = run_keys(wanted, kept=False, loose=loose)
    shape = shape or task.shape(number_of(kept), number_of(turned))
    keeps = (len(shape.bases) % 2 == 0) is not shape.from_base
    keys = kept if keeps else turned
    room, used = prod(shape.bases), number_of(keys)
    if used > room:
        raise FairdeckError(f"this order needs {used} sort keys; piles of {shape.bases} offer {room}: use more")
    codes = [0] * task.cards
    for card, key in zip(wanted, keys, strict=True):
        # Keys count from the base, spaces from the top of the gathered deck. Spread over all the
        # room there is, the piles come out about equally high.
        codes[card] = (used - 1 - key) * room // used
    return Plan(task.cards, task.mat, tuple(_passes(task, shape, codes, arrangement)), task.dealers, task.goal)


def _passes(task: Task, shape: Shape, codes: Sequence[int], arrangement: Permutation) -> Iterator[Pass]:
    """Deal the deck in thought, pass by pass, least significant digit of each card's code first."""
    finished = len(task.goal.piles)
    block = task.mat.block(spaces_used(shape.bases, finished))
    deck: Sequence[int] = range(task.cards)
    weight = 1
    for number, base in enumerate(shape.bases, 1):
        first = number == 1
        spaces = block[finished:] if first else block
        if base:
            space_of = [spaces[code // weight % base] for code in codes]
            weight *= base
        else:
            space_of = [0] * task.cards
        if first:
            end = task.cards
            for space, size in zip(block, task.goal.piles, strict=False):
                for card in arrangement[end - size : end]:
                    space_of[card] = space
                end -= size
        from_base = first and shape.from_base
        deal = tuple([space_of[card] for card in (deck if from_base else reversed(deck))])
        used = set(deal)
        stack = [space for space in spaces if space in used]
        # Every pass still to come turns the piles over once more; the last must leave them rising.
        if (len(shape.bases) - number) % 2 == 0:
            stack.reverse()
        step = Pass(deal, tuple(stack), from_base, packets(len(deck), task.dealers))
        piles = step.piles(deck, task.mat.spaces)
        deck = list(chain.from_iterable([piles[space] for space in stack]))
        yield step


def number_of(keys: Sequence[int]) -> int:
    """Return how many different keys there are among `keys`, which rise from 0."""
    return keys[-1] + 1 if keys else 0


def packets(cards: int, dealers: int) -> tuple[int, ...]:
    """Return the packets to cut `cards` cards into, about equal, the top one first; none for one dealer.

    >>> packets(11, 3), packets(11, 1)
    ((4, 4, 3), ())
    """
    if dealers == 1:
        return ()
    return tuple((cards + dealers - 1 - dealer) // dealers for dealer in range(dealers))
