"""Procedures of casinos for a shoe of several decks: plug, riffle grabs of two stacks together, restack, cut.

A hand takes no more than a deck at once, so the pack is broken into two stacks, and small grabs of both are riffled
together. Cards of far parts of the pack do not meet in one pass; that is what a shuffle tracker lives on.

No law is known. Each place where a stack is parted is off by up to a fifth of a grab, dealers mostly drop single cards,
a strip takes about five packets: these numbers are guesses. Sources of the steps: Wattenberger, Modern Blackjack
(2009), Shuffle Tracking, for `Restack` and plugging; Vegas Aces, "How to Deal Blackjack", 4, 6, or 8 Deck Shuffle, for
`Ladder`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import ClassVar

from fairdeck.shuffles.cut import CUT
from fairdeck.shuffles.hand_riffle import HandRiffle
from fairdeck.shuffles.known import Family, Known, Model, Parameter
from fairdeck.shuffles.overhand import Overhand
from fairdeck.shuffles.recipes import recipe_of

SOURCE = "Wattenberger, Modern Blackjack (2009), Shuffle Tracking; sizes and riffles are this project's guesses"
STEPS = "Vegas Aces, How to Deal Blackjack, 4, 6, or 8 Deck Shuffle; sizes and riffles are this project's guesses"
FEWEST = 156  # cards of a shoe
SWITCH = 0.8  # the chance that a dealer drops the next card from the other packet
VARIES = 5  # a place where cards are parted is off by at most a grab divided by this
PACKETS = 5  # of a strip
UNMEASURED = "how dealers part and join stacks"

Cards = Sequence[int]


@dataclass(frozen=True, slots=True)
class Plug(Model):
    """Put the cards that were not dealt, which lie on top, somewhere into the discards, all in one place."""

    undealt: int = 52  # cards, at most half of the pack

    guess: ClassVar[str] = UNMEASURED

    def __call__(self, n: int, rng: Random) -> Cards:
        discards = n - min(self.undealt, n // 2)
        place = rng.randrange(discards + 1)
        return [*range(place), *range(discards, n), *range(place, discards)]


@dataclass(frozen=True, slots=True)
class Restack(Model):
    """Break the pack into two stacks; riffle a grab of each together, put it on the new pack, until all are used."""

    grab: int = 26  # cards taken from a stack at once, on average
    riffles: int = 2  # of two grabs, with a strip between riffles

    guess: ClassVar[str] = UNMEASURED

    def __call__(self, n: int, rng: Random) -> Cards:
        pack: list[int] = []
        for one, other in zip(*stacks(n, self.grab, rng), strict=True):
            pack += mixed(one, other, self.riffles, rng)
        return pack


@dataclass(frozen=True, slots=True)
class Ladder(Model):
    """Break the pack into two stacks; riffle each next grab together with a grab off the top of the new pack.

    The first grabs of both stacks begin the new pack; then the stacks take turns.
    """

    grab: int = 13  # cards taken from a stack at once, on average
    riffles: int = 2  # of two grabs, with a strip between riffles

    guess: ClassVar[str] = UNMEASURED

    def __call__(self, n: int, rng: Random) -> Cards:
        left, right = stacks(n, self.grab, rng)
        pack = mixed(left[0], right[0], self.riffles, rng)
        for pair in zip(left[1:], right[1:], strict=True):
            for grab in pair:
                below = len(pack) - min(len(pack), about(self.grab, rng))
                pack = [*pack[:below], *mixed(grab, pack[below:], self.riffles, rng)]
        return pack


def about(cards: int, rng: Random) -> int:
    """Return a number of cards as hands take it."""
    error = cards // VARIES
    return cards - error + rng.randrange(2 * error + 1)


def stacks(n: int, grab: int, rng: Random) -> tuple[list[Cards], list[Cards]]:
    """Break a pack into two stacks, its upper and its lower part, and return the grabs of each, from the top.

    >>> stacks(8, 2, Random(0))
    ([range(6, 8), range(4, 6)], [range(2, 4), range(0, 2)])
    """
    half = n // 2 + about(grab, rng) - grab if n > 2 * grab else n // 2
    grabs = max(1, round(n / 2 / grab))
    return list(_grabs(half, n, grabs, rng)), list(_grabs(0, half, grabs, rng))


def _grabs(low: int, high: int, grabs: int, rng: Random) -> Iterator[Cards]:
    size = (high - low) // grabs
    ends = [high, *[high - (high - low) * at // grabs + about(size, rng) - size for at in range(1, grabs)], low]
    return (range(end, start) for start, end in pairwise(ends))


def mixed(one: Cards, other: Cards, riffles: int, rng: Random) -> list[int]:
    """Return two grabs, riffled together; between riffles they are stripped and cut about in half."""
    found = laced(one, other, rng)
    for _ in range(riffles - 1):
        for move in (Overhand(max(1, len(found) / PACKETS)), HandRiffle(SWITCH)):
            found = [found[at] for at in move(len(found), rng)]
    return found


def laced(one: Cards, other: Cards, rng: Random) -> list[int]:
    """Return two packets as they fall together under a dealer's hands; either may begin."""
    packets = [list(reversed(one)), list(reversed(other))]
    side, found = rng.getrandbits(1), []
    while packets[0] or packets[1]:
        if not packets[side]:
            side = 1 - side
        found.append(packets[side].pop())
        if rng.random() < SWITCH:
            side = 1 - side
    return found


def _sizes(grab: int) -> tuple[Parameter, ...]:
    return (
        Parameter("grab", "cards taken from a stack at once", int, 1, 1_000, grab),
        Parameter("riffles", "of two grabs, with a strip between them", int, 1, 10, 2),
    )


FAMILIES = (
    Family(
        "plug",
        (Parameter("undealt", "cards that were not dealt, which lie on top", int, 1, 1_000, 52),),
        Plug,
        says="the cards that were not dealt are put into the discards in one place",
        source=SOURCE,
        example="plug(78)",
    ),
    Family(
        "restack",
        _sizes(26),
        Restack,
        says="two stacks; half decks of both are riffled, stripped, riffled and put on the new pack",
        source=SOURCE,
        example="restack(26)",
    ),
    Family(
        "ladder",
        _sizes(13),
        Ladder,
        says="two stacks; quarter decks are riffled together with a quarter deck off the new pack",
        source=STEPS,
        example="ladder(13)",
    ),
)
PLUG, RESTACK, LADDER = [family.member({}) for family in FAMILIES]


def _procedure(name: str, steps: Sequence[tuple[Known, int]], says: str, source: str) -> Known:
    recipe = recipe_of([(PLUG, 1), *steps, (CUT, 1)])
    return Known(name, recipe, says=says, source=source, by_hand=True, least=FEWEST)


KNOWN = (
    _procedure(
        "shoe-restack",
        [(RESTACK, 1)],
        "plug, riffle half decks of two stacks together, restack, cut: parts of the pack stay together",
        SOURCE,
    ),
    _procedure(
        "shoe-two-pass",
        [(RESTACK, 2)],
        "plug, two passes of riffling half decks of two stacks together, cut: parts stay together",
        SOURCE,
    ),
    _procedure(
        "shoe-ladder",
        [(LADDER, 1), (FAMILIES[1].member({"grab": 13, "riffles": 1}), 1)],
        "plug, each quarter deck riffled into the new pack, a second pass of two stacks, cut",
        STEPS,
    ),
)
