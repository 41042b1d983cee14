"""Packet flows as shuffles: all outcomes for a few cards."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb

from fairdeck.packets.notation import JOINT, STACKED, Deck, Flow, Move, part, taken


def gather(flow: Flow, packets: dict[str, Deck], step: int) -> Deck:
    """Return the packets after `step` steps as one pack, the first packet on top."""
    return tuple(card for name in reversed(flow.names(step)) for card in packets[name])


def interleaved(deck: Sequence[int], sides: Sequence[int], lower: int) -> Deck:
    """Return a deck whose lower cards take the places of side 0, and the others those of side 1."""
    packets = iter(deck[:lower]), iter(deck[lower:])
    return tuple([next(packets[side]) for side in sides])


def law(flow: Flow, n: int, steps: int, riffles: int) -> dict[Deck, Fraction]:
    """Return the probability of each arrangement of a few cards, by following all outcomes of the riffles."""
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
