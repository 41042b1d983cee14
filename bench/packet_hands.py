"""Count the rising sequences of simulated packs after a packet scheme, with ideal riffles and with clumps.

The numbers stand in ``docs/explanation/packets.md``. It takes some minutes:

    python -m bench.packet_hands
"""

from collections.abc import Iterator
from math import hypot

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from fairdeck.lab.experiments.bounds import excess
from fairdeck.packets import find
from fairdeck.packets.notation import JOINT, STACKED, Flow
from fairdeck.packets.positions import made_steps
from fairdeck.shuffles.riffle import eulerian_numbers

Packs = NDArray[np.uint8]

BLOCK = 20_000  # packs
CLUMPS = 0.3  # the chance that the next card drops from the other packet
SEED = 1
SCHEMES = (
    ("two-way", 104, 4, 3),
    ("two-way-cross", 104, 4, 3),
    ("two-way-premin", 104, 4, 3),
    ("quarters", 104, 4, 3),
    ("quarters", 104, 3, 4),
    ("stacked-thirds", 162, 4, 3),
    ("three-players-full", 162, 4, 3),
)


def packs(
    flow: Flow, cards: int, steps: int, riffles: int, number: int, rng: Generator, switch: float | None = None
) -> Packs:
    """Return packs of up to 256 cards after some steps of a flow, one a row, bottom first.

    Args:
        flow: the flow.
        cards: of a pack, sorted at the start.
        steps: of the flow.
        riffles: of each packet in a step.
        number: of packs.
        rng: of all riffles.
        switch: None for the riffle of Gilbert, Shannon and Reeds; else the chance that after a card the other packet
            drops the next one.
    """
    now = np.tile(np.arange(cards, dtype=np.uint8), (number, 1))
    for moves in made_steps(flow, cards, steps):
        ahead = []
        for move, places, lower in moves:
            packet = now[:, places]
            for turn in range(0 if move.kind == STACKED else riffles):
                packet = _riffled(packet, lower if move.kind == JOINT and turn == 0 else None, rng, switch)
            ahead.append(packet)
        now = np.concatenate(ahead, axis=1)
    return now


def _riffled(packet: Packs, lower: int | None, rng: Generator, switch: float | None) -> Packs:
    """Return a packet of each pack after a riffle; `lower` cards are in its lower part, or about half of them."""
    number, size = packet.shape
    sides = rng.integers(0, 2, packet.shape, np.uint8)
    if lower is not None:
        sides = rng.permuted(np.tile(np.arange(size) >= lower, (number, 1)).astype(np.uint8), axis=1)
    if switch is not None:
        sides = _dropped(size - sides.sum(axis=1, dtype=np.int64), size, rng, switch)
    riffled = np.empty_like(packet)
    np.put_along_axis(riffled, np.argsort(sides, axis=1, kind="stable"), packet, axis=1)
    return riffled


def _dropped(lower: NDArray[np.int64], size: int, rng: Generator, switch: float) -> Packs:
    """Return from which part each card drops, 0 for the lower one, if hands change it with this chance."""
    left, rows = np.stack([lower, size - lower], axis=1), np.arange(len(lower))
    sides = np.empty((len(lower), size), np.uint8)
    side = rng.integers(0, 2, len(lower))
    for place in range(size):
        side = np.where(left[rows, side] == 0, 1 - side, side)
        left[rows, side] -= 1
        sides[:, place] = side
        side = side ^ (rng.random(len(lower)) < switch)
    return sides


def rising(decks: Packs) -> NDArray[np.int64]:
    """Return how many decks have 1, 2, 3, ... rising sequences."""
    place = np.argsort(decks, axis=1, kind="stable")
    return np.bincount((place[:, 1:] < place[:, :-1]).sum(axis=1), minlength=decks.shape[1])


def counted(scheme: str, work: tuple[int, int, int], number: int, switch: float | None = None) -> tuple[float, float]:
    """Return how far rising sequences show packs to be from random, and the standard error.

    Args:
        scheme: by its name.
        work: the cards of a pack, the steps, and the riffles of each packet in a step.
        number: of packs.
        switch: as for `packs`.
    """
    cards = work[0]
    rng, halves = np.random.default_rng(SEED), np.zeros((2, cards), np.int64)
    for block in range(number // BLOCK):
        halves[block % 2] += rising(packs(find(scheme), *work, BLOCK, rng, switch))
    ways = eulerian_numbers(cards)
    fair = np.array([orders / sum(ways) for orders in ways])
    # Each half chooses an event that the other counts: on the same half, luck would look like a distance.
    one, other = excess(halves[0], halves[1], fair), excess(halves[1], halves[0], fair)
    return (one[0] + other[0]) / 2, hypot(one[1] ** 0.5, other[1] ** 0.5) / 2


def rows() -> Iterator[str]:
    """Yield a line for each scheme."""
    for scheme, cards, steps, riffles in SCHEMES:
        work = cards, steps, riffles
        ideal, clumped = counted(scheme, work, 1_000_000), counted(scheme, work, 100_000, CLUMPS)
        yield f"{scheme:<18} {cards:>3} cards, {steps} of {riffles}" + "".join(
            f"  {far:.4f} ± {error:.4f}" for far, error in (ideal, clumped)
        )


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)
