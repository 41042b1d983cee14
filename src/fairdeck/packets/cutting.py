"""How a flow cuts a pack of cards, and which cards a move takes.

Here the deck is bottom first, as everywhere in the project, but a flow counts from the top. A packet of m
cards, cut at the fraction f from its top, has ``places(f, m)`` cards above the cut: f m rounded to
the nearest whole number, halves up. The pack is cut in the same way. Nothing else is rounded.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from fairdeck.packets.notation import Flow, Move, Slice

Deck = tuple[int, ...]


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


def taken(move: Move, packets: dict[str, Deck]) -> tuple[Deck, int]:
    """Return the stacked slices of a move, bottom first, and how many of the cards are the lower part."""

    def stacked(slices: Sequence[Slice]) -> Iterator[int]:
        for each in reversed(slices):
            packet, size = packets[each.packet], len(packets[each.packet])
            yield from packet[size - places(each.end, size) : size - places(each.start, size)]

    lower = tuple(stacked(move.lower))
    return lower + tuple(stacked(move.upper)), len(lower)


def sizes(flow: Flow, cards: int) -> Iterator[dict[str, int]]:
    """Yield without end how many cards each packet has: at the start, after one step, after two, ..."""
    packets, step = part(flow, range(cards)), 0
    while True:
        yield {name: len(deck) for name, deck in packets.items()}
        packets, step = {move.packet: taken(move, packets)[0] for move in flow.moves(step)}, step + 1
