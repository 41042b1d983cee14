"""A packet flow as a shuffle: one deck at a time, or all outcomes.

Here the deck is bottom first, as everywhere in the project, but a flow counts from the top. A packet of m
cards, cut at the fraction f from its top, has ``places(f, m)`` cards above the cut: f m rounded to
the nearest whole number, halves up. The pack is cut in the same way. Nothing else is rounded.

**Minoring** with j riffles: ``!a`` is riffled j times, each a riffle of Gilbert, Shannon and Reeds (the
cut is binomial). For ``a ~ b``, a is first riffled into b, with all interleavings equally
likely; then both are riffled j - 1 times as a whole. `Packets` is the plain version for reading; the
fast version is `fairdeck.lab.experiments.packets`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING

from fairdeck.errors import FairdeckError
from fairdeck.packets.notation import JOINT, STACKED, Flow, Move, Slice

if TYPE_CHECKING:
    from random import Random

Deck = tuple[int, ...]
MOST_CARDS = 6  # for a law: a few seconds


def places(share: Fraction, cards: int) -> int:
    """Return how many of `cards` a share is, halves rounded up.

    >>> [places(Fraction(1, 2), cards) for cards in (26, 27)]
    [13, 14]
    """
    return (2 * share.numerator * cards + share.denominator) // (2 * share.denominator)


def part(flow: Flow, deck: Sequence[int]) -> dict[str, Deck]:
    """Return the packets into which the flow cuts the pack, each bottom first; the first was on top."""
    many, n = len(flow.packets), len(deck)
    cuts = [places(Fraction(at, many), n) for at in range(many + 1)]
    return {name: tuple(deck[n - cuts[at + 1] : n - cuts[at]]) for at, name in enumerate(flow.packets)}


def gather(flow: Flow, packets: dict[str, Deck], step: int) -> Deck:
    """Return the packets after `step` steps as one pack, the first packet on top."""
    return tuple(card for name in reversed(flow.names(step)) for card in packets[name])


def taken(move: Move, packets: dict[str, Deck]) -> tuple[Deck, int]:
    """Return the stacked slices of a move, bottom first, and how many of the cards are the lower part."""

    def stacked(slices: Sequence[Slice]) -> Iterator[int]:
        for each in reversed(slices):
            packet, size = packets[each.packet], len(packets[each.packet])
            yield from packet[size - places(each.end, size) : size - places(each.start, size)]

    lower = tuple(stacked(move.lower))
    return lower + tuple(stacked(move.upper)), len(lower)


def interleaved(deck: Sequence[int], sides: Sequence[int], lower: int) -> Deck:
    """Return a deck whose lower cards take the places of side 0, and the others those of side 1."""
    packets = iter(deck[:lower]), iter(deck[lower:])
    return tuple([next(packets[side]) for side in sides])


@dataclass(frozen=True, slots=True)
class Packets:
    """A flow as a shuffle: a number of steps, each with a number of riffles."""

    flow: Flow
    steps: int
    riffles: int

    def __call__(self, n: int, rng: "Random") -> Deck:
        """Return an arrangement."""
        packets = part(self.flow, range(n))
        for step in range(self.steps):
            packets = {move.packet: self._minored(move, packets, rng) for move in self.flow.moves(step)}
        return gather(self.flow, packets, self.steps)

    def _minored(self, move: Move, packets: dict[str, Deck], rng: "Random") -> Deck:
        deck, lower = taken(move, packets)
        if move.kind == STACKED:
            return deck
        for riffle in range(self.riffles):
            if move.kind == JOINT and riffle == 0:
                chosen = set(rng.sample(range(len(deck)), lower))
                deck = interleaved(deck, [place not in chosen for place in range(len(deck))], lower)
            else:
                sides = [rng.getrandbits(1) for _ in deck]
                deck = interleaved(deck, sides, sides.count(0))
        return deck


def law(flow: Flow, n: int, steps: int, riffles: int) -> dict[Deck, Fraction]:
    """Return the probability of each arrangement of a few cards, by following all outcomes of the riffles.

    Raises:
        FairdeckError: there are too many cards for that.
    """
    if n > MOST_CARDS:
        raise FairdeckError(f"{n} cards have too many outcomes to follow: use {MOST_CARDS} cards or fewer")
    parted = tuple(part(flow, range(n)).items())
    now: dict[tuple[tuple[str, Deck], ...], Fraction] = {parted: Fraction(1)}
    for step in range(steps):
        ahead: dict[tuple[tuple[str, Deck], ...], Fraction] = {}
        for state, chance in now.items():
            packets = dict(state)
            outcomes = [_outcomes(move, packets, riffles) for move in flow.moves(step)]
            names = [move.packet for move in flow.moves(step)]
            for made in product(*(each.items() for each in outcomes)):
                key = tuple((name, deck) for name, (deck, _) in zip(names, made, strict=True))
                weight = chance
                for _, likely in made:
                    weight *= likely
                ahead[key] = ahead.get(key, Fraction(0)) + weight
        now = ahead
    found: dict[Deck, Fraction] = {}
    for state, chance in now.items():
        deck = gather(flow, dict(state), steps)
        found[deck] = found.get(deck, Fraction(0)) + chance
    return found


def _outcomes(move: Move, packets: dict[str, Deck], riffles: int) -> dict[Deck, Fraction]:
    deck, lower = taken(move, packets)
    now = {deck: Fraction(1)}
    results: Callable[[Deck], Iterator[tuple[Deck, Fraction]]]
    for riffle in range(riffles if move.kind != STACKED else 0):
        results = (lambda deck: _joined(deck, lower)) if move.kind == JOINT and riffle == 0 else _riffled
        ahead: dict[Deck, Fraction] = {}
        for each, chance in now.items():
            for other, likely in results(each):
                ahead[other] = ahead.get(other, Fraction(0)) + chance * likely
        now = ahead
    return now


def _riffled(deck: Deck) -> Iterator[tuple[Deck, Fraction]]:
    for sides in product((0, 1), repeat=len(deck)):
        yield interleaved(deck, sides, sides.count(0)), Fraction(1, 2 ** len(deck))


def _joined(deck: Deck, lower: int) -> Iterator[tuple[Deck, Fraction]]:
    for chosen in combinations(range(len(deck)), lower):
        sides = [place not in chosen for place in range(len(deck))]
        yield interleaved(deck, sides, lower), Fraction(1, comb(len(deck), lower))
