"""From a goal to sort keys to a plan: a radix sort by hand.

Dealing a deck from the top onto piles and gathering them reverses the order of the cards and then groups them by pile,
without changing the order within a pile. So k passes sort by a key of k digits. Among equal keys, the order is **kept**
if an even number of passes reverse it, and **turned** otherwise. A pass dealt from the bottom does not reverse it.

Cards that already lie in the order that the passes keep can share a key. Walking up the wanted order, a new key starts
only where the next card does not lie so. No other keys, and no other way to deal the whole deck, need fewer: this is
optimal, not a heuristic. The number of keys is the number of rising sequences (kept) or falling sequences (turned) of
the destinations, about half the cards. If an order needs more keys than the mat offers, the plan gets one more space or
pass. Another order is never drawn instead, because that would bias the deck.

Hands are finished in the first pass, so that people can take them up at once; the other cards are then
sorted in the same way. (Hands finished in later passes could sometimes save a space for the stock.) If the mat has
too few spaces for that, the hands are counted off the deck that the last pass gathers: the cards of a hand share a
key. (Hands that already lie in order could share one, too. But then the heights of the piles would tell who holds
what; so they depend on the sizes of the hands only.)

Strata have one sort key a card: an order with fewest keys has a new key beside each special card, so the heights of
the piles would tell where the special cards lie.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import prod
from typing import Literal, get_args

from fairdeck.cards import LARGEST_DECK
from fairdeck.dealing.goal import WHOLE_DECK, Goal, Strata, spaces_for_one_pass
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.plan import LARGEST_DEALERS, Pass, Plan, reaches
from fairdeck.doors import check_fields, checked
from fairdeck.errors import FairdeckError, nearest_or_all
from fairdeck.permutation import Permutation, permutation_of
from fairdeck.randomness import Chooser, uniform_permutation

Bottom = Literal["never", "pass", "space"]
LARGEST_PASSES = 32
ENOUGH_PASSES = LARGEST_DECK.bit_length() + 1  # on 2 spaces or more, each pass at least doubles the capacity


@dataclass(frozen=True, slots=True)
class Shape:
    """How many piles each pass has for its sort keys, first pass first; and whether that is dealt from the bottom."""

    radices: tuple[int, ...]
    from_bottom: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be planned, before an order is drawn.

    Args:
        cards: 1 to 1,000,000.
        mat: each dealer's mat.
        goal: the whole deck, the top cards, hands, or strata.
        dealers: 1 to 8; several dealers always deal from the top.
        least_passes: the fewest passes to plan, 1 to 32. More passes need fewer spaces. Where
            nothing is gathered there is always one pass.
        classic: one key for each card, as other programs do, instead of the fewest keys; strata always have them.
        bottom: when the first pass is dealt from the bottom of the deck: ``never``, where it saves a
            ``pass``, or also where it only saves a ``space``.
        turn: whether a fair coin for each card says if it is turned end for end, in the first pass.

    Raises:
        FairdeckError: a value is out of range, the goal does not add up, or the mat is too small
            for it, whatever the order.
    """

    cards: int
    mat: Mat
    goal: Goal = WHOLE_DECK
    dealers: int = 1
    least_passes: int = 1
    classic: bool = False
    bottom: Bottom = "pass"
    turn: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        if not 1 <= self.cards <= LARGEST_DECK:
            raise FairdeckError(f"{self.cards} cards: a deck has 1 to {LARGEST_DECK}")
        if not 1 <= self.dealers <= min(LARGEST_DEALERS, self.cards):
            most = min(LARGEST_DEALERS, self.cards)
            raise FairdeckError(f"{self.dealers} dealers for {self.cards} cards: there can be 1 to {most}")
        if not 1 <= self.least_passes <= LARGEST_PASSES:
            raise FairdeckError(f"{self.least_passes} passes: ask for 1 to {LARGEST_PASSES}")
        if self.bottom not in get_args(Bottom):
            raise FairdeckError(f"bottom: {self.bottom!r} is not known{nearest_or_all(self.bottom, get_args(Bottom))}")
        self.goal.check(self.cards)
        if isinstance(self.goal, Strata):
            object.__setattr__(self, "classic", True)
        if self.mat.spaces == 1 and self.gathered > (1 if self.never_from_bottom or self.counted_off else 2):
            raise FairdeckError(f"one space cannot bring {self.cards} cards into order: use a mat of 2 or more")

    @property
    def counted_off(self) -> bool:
        """Whether hands are counted off the gathered deck, because the mat has no space for each."""
        return self.mat.spaces < spaces_for_one_pass(self.goal, self.cards)

    @property
    def finished(self) -> tuple[int, ...]:
        """The sizes of the piles that the first pass finishes, one on each of the first spaces."""
        return () if self.counted_off else self.goal.piles

    @property
    def gathered(self) -> int:
        """How many cards are gathered, in order or to count hands off; the others are in finished piles."""
        return self.cards - sum(self.finished)

    @property
    def never_from_bottom(self) -> bool:
        """True where every pass must be dealt from the top."""
        return self.classic or self.dealers > 1 or self.bottom == "never"

    def shape(self, kept: int, turned: int) -> Shape:
        """Return the fewest passes, then the fewest spaces, for an order with these numbers of keys.

        Args:
            kept: the keys needed if the passes keep the order among equal keys; 0 if nothing is gathered.
            turned: the keys needed if they reverse it; 0 if nothing is gathered.

        Raises:
            FairdeckError: no number of passes is enough, as for two keys of both kinds on one space.
        """
        finished = len(self.finished)
        for passes in range(self.least_passes, self.least_passes + ENOUGH_PASSES):
            from_top, with_bottom = (kept, turned) if passes % 2 == 0 else (turned, kept)
            capacity = (self.mat.spaces - finished) * self.mat.spaces ** (passes - 1)
            top = Shape(radices(from_top, passes, finished)) if from_top <= capacity else None
            if self.never_from_bottom or (top and self.bottom == "pass"):
                bottom = None
            else:
                fits = with_bottom <= capacity
                bottom = Shape(radices(with_bottom, passes, finished), from_bottom=True) if fits else None
            if top and bottom:
                return min(top, bottom, key=lambda shape: spaces_used(shape.radices, finished))
            if top or bottom:
                return top or bottom  # type: ignore[return-value]
        raise FairdeckError(f"{max(kept, turned)} sort keys need more than one space: use a mat of 2 spaces or more")


def spaces_used(pile_counts: Sequence[int], finished: int) -> int:
    """Return how many spaces the passes need; the first also has `finished` piles that no later pass moves."""
    return max(pile_counts[0] + finished, *pile_counts)


def radices(keys: int, passes: int, finished: int = 0) -> tuple[int, ...]:
    """Return the number of piles for each pass: their product is at least `keys`.

    First the fewest spaces in the widest pass, then the fewest piles in all, as equal as possible.

    Args:
        keys: how many sort keys there are; with 0 there is one pass, without a pile of its own.
        passes: how many passes, at least 1.
        finished: spaces in the first pass for piles that no later pass moves.

    >>> radices(26, 2), radices(225, 2), radices(30, 3)
    ((5, 6), (15, 15), (3, 3, 4))
    """
    if keys == 0:
        return (0,)
    # The capacity is at most widest ** passes; rounding may make the root too large, so begin below it.
    widest = max(1, finished, int(keys ** (1 / passes)) - 1)
    while (widest - finished) * widest ** (passes - 1) < keys:
        widest += 1
    piles = [widest - finished] + [widest] * (passes - 1)
    while True:
        # Taking one from the largest loses the least capacity; among equals, the first has fewer piles.
        largest = piles.index(max(piles))
        fewer = [size - (place == largest) for place, size in enumerate(piles)]
        if prod(fewer) < keys:
            return tuple(piles)
        piles = fewer


def run_keys(order: Sequence[int], *, kept: bool, loose: int = 0) -> list[int]:
    """Return the fewest sort keys for `order`: one for each of its places, rising from 0.

    Args:
        order: the cards, named by where they lie now, in the wanted order, bottom first.
        kept: whether the passes keep the order among equal keys, or reverse it.
        loose: the number of cards at the bottom of `order` that may end in any order.

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
    """Return one key for each place of `order`, as the classic method does; loose cards share a key."""
    return [max(0, place - loose + 1) if loose else place for place in range(len(order))]


def with_hands(keys: Sequence[int], hands: Sequence[int]) -> list[int]:
    """Return the keys of a stock, and above them one key for all cards of each hand; the first hand is on top.

    >>> with_hands([0, 0, 1], (2, 3))
    [0, 0, 1, 2, 2, 2, 3, 3]
    """
    above = [hand for hand, size in enumerate(reversed(hands), number_of_keys(keys)) for _ in range(size)]
    return [*keys, *above]


def code_of(key: int, used: int, capacity: int) -> int:
    """Return the code of one of `used` keys.

    Keys count from the bottom, spaces from the top of the gathered deck. The codes are spread over the whole
    capacity, so that the piles are about equally high.
    """
    return (used - 1 - key) * capacity // used


@checked
def plan_for(task: Task, arrangement: Sequence[int], shape: Shape | None = None, turn: Sequence[int] = ()) -> Plan:
    """Return the plan that brings every deck into `arrangement`, bottom first, as far as the goal asks.

    The plan has been replayed, and reaches the arrangement.

    Args:
        task: what is to be planned.
        arrangement: a permutation of the task's cards.
        shape: piles for each pass, instead of the fewest; the mat must hold them.
        turn: for each card, in the order of the first pass, 1 if it is turned; empty unless the task turns cards.

    Raises:
        FairdeckError: `arrangement` or `turn` is not of the task's cards, or `shape` is too small for it.
    """
    if len(arrangement) != task.cards:
        raise FairdeckError(f"the order has {len(arrangement)} cards; the deck has {task.cards}")
    if len(turn) != (task.cards if task.turn else 0):
        raise FairdeckError(f"turn has {len(turn)} numbers; the task needs {task.cards if task.turn else 0}")
    plan = _planned(task, permutation_of(arrangement), shape)
    if turn:
        plan = replace(plan, passes=(replace(plan.passes[0], turn=tuple(turn)), *plan.passes[1:]))
    if not reaches(plan, arrangement):
        raise AssertionError("the plan does not reach its order")  # never happened; a wrong plan must not be shown
    return plan


@checked
def draw(task: Task, integers: Chooser) -> tuple[Plan, Permutation]:
    """Return the plan of `task` for a uniformly random arrangement drawn with `integers`, and the arrangement.

    For strata it is uniformly random among those with one special card in each part. Coins are drawn last.
    """
    if isinstance(task.goal, Strata):
        arrangement = task.goal.draw(task.cards, integers)
    else:
        arrangement = uniform_permutation(task.cards, integers)
    coins = [integers.below(2) for _ in range(task.cards if task.turn else 0)]
    return plan_for(task, arrangement, turn=coins), arrangement


def _planned(task: Task, arrangement: Permutation, shape: Shape | None) -> Plan:
    if isinstance(task.goal, Strata) and (fault := task.goal.fault(arrangement)):
        raise FairdeckError(f"in this order {fault}; goal {task.goal} wants one in each: use goal deck for such orders")
    wanted = arrangement[: task.gathered]
    ordered = arrangement[: task.cards - sum(task.goal.piles)]
    loose = task.goal.loose(task.cards)
    if task.classic:
        kept = turned = classic_keys(ordered, loose)
    else:
        kept = run_keys(ordered, kept=True, loose=loose)
        turned = run_keys(ordered, kept=False, loose=loose)
    if task.counted_off:
        kept, turned = with_hands(kept, task.goal.piles), with_hands(turned, task.goal.piles)
    shape = shape or task.shape(number_of_keys(kept), number_of_keys(turned))
    keeps = (len(shape.radices) % 2 == 0) is not shape.from_bottom
    keys = kept if keeps else turned
    capacity, used = prod(shape.radices), number_of_keys(keys)
    if used > capacity:
        raise FairdeckError(f"this order needs {used} sort keys; piles of {shape.radices} offer {capacity}: use more")
    codes = [0] * task.cards
    for card, key in zip(wanted, keys, strict=True):
        codes[card] = code_of(key, used, capacity)
    return Plan(task.cards, task.mat, tuple(_passes(task, shape, codes, arrangement)), task.dealers, task.goal)


def _passes(task: Task, shape: Shape, codes: Sequence[int], arrangement: Permutation) -> Iterator[Pass]:
    """Simulate the deal pass by pass, the least significant digit of each card's code first."""
    finished = len(task.finished)
    block = task.mat.block(spaces_used(shape.radices, finished))
    deck: Sequence[int] = range(task.cards)
    weight = 1
    for number, radix in enumerate(shape.radices, 1):
        first = number == 1
        spaces = block[finished:] if first else block
        if radix:
            space_of = [spaces[code // weight % radix] for code in codes]
            weight *= radix
        else:
            space_of = [0] * task.cards
        if first:
            end = task.cards
            for space, size in zip(block, task.finished, strict=False):
                for card in arrangement[end - size : end]:
                    space_of[card] = space
                end -= size
        from_bottom = first and shape.from_bottom
        deal = tuple([space_of[card] for card in (deck if from_bottom else reversed(deck))])
        used = set(deal)
        stack = [space for space in spaces if space in used]
        # Every later pass reverses the piles once more; the last must leave them rising.
        if (len(shape.radices) - number) % 2 == 0:
            stack.reverse()
        step = Pass(deal, tuple(stack), from_bottom, packets(len(deck), task.dealers))
        piles = step.piles(deck, task.mat.spaces)
        deck = list(chain.from_iterable([piles[space] for space in stack]))
        yield step


def number_of_keys(keys: Sequence[int]) -> int:
    """Return how many different keys there are among `keys`, which rise from 0."""
    return keys[-1] + 1 if keys else 0


def packets(cards: int, dealers: int) -> tuple[int, ...]:
    """Return the sizes of the packets to cut `cards` cards into, about equal, top packet first; empty for one dealer.

    >>> packets(11, 3), packets(11, 1)
    ((4, 4, 3), ())
    """
    if dealers == 1:
        return ()
    return tuple((cards + dealers - 1 - dealer) // dealers for dealer in range(dealers))
