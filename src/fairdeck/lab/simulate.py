"""Packet flows simulated: what is left to see after so many steps by real hands.

Decks come in numbered blocks, as everywhere in the lab: a block is a function of its number and of the
seed alone. Each statistic is a lower bound on the total variation from uniform: half of the decks choose
an event (the values that come too often), the other half says how much too often it comes, and the other way round. So
chance alone does not look like a fault, and the standard error is that of a share. What is said to be "at least" is the
lower end of an interval, as in `fairdeck.lab.bounds`. Needs numba.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import hypot

import numpy as np
from numpy.typing import NDArray

from fairdeck.errors import FairdeckError
from fairdeck.eulerian import descent_law
from fairdeck.extras import missing
from fairdeck.lab.arrays import Floats
from fairdeck.lab.bounds import LowerBound, lower_bound
from fairdeck.lab.kernels import available
from fairdeck.lab.law import Law
from fairdeck.lab.repeated import pairs_law
from fairdeck.lab.statistics.hands import hypergeometric_law
from fairdeck.lab.statistics.successions import succession_law
from fairdeck.mixing.measured import CONFIDENCE
from fairdeck.packets.notation import Flow
from fairdeck.packets.sampler import places

Counts = NDArray[np.int64]

CHUNK = 16  # blocks at a time: they stay in the processor's cache
MOST_SLIP = 16.0

STATISTICS = {
    "half": "cards of the old top half in the new top half",
    "dup": "pairs of equal cards of two decks, one stacked on the other, that are both in the top half",
    "rise": "rising sequences",
    "succ": "cards that still lie on the card they lay on",
    "packet": "cards of the old top packet in the new top packet",
}


@dataclass(frozen=True, slots=True)
class Hands:
    """How a packet is minored.

    Attributes:
        riffles: how often each packet is riffled in a step.
        switch: None for the riffle of Gilbert, Shannon and Reeds; else the chance that after a card the
            other packet drops next, as in `fairdeck.shuffles.packets.HandRiffle`, exact to 2^-32.
        slip: by how many cards a packet is cut in the wrong place: the standard deviation, 0 to 16.
    """

    riffles: int
    switch: float | None = None
    slip: float = 0.0

    def __post_init__(self) -> None:
        if self.switch is not None and not 0 <= self.switch <= 1:
            raise FairdeckError(f"switch {self.switch} is no chance: use 0 to 1")
        if not 0 <= self.slip <= MOST_SLIP:
            raise FairdeckError(f"slip {self.slip} is out of range: use 0 to {MOST_SLIP:.0f} cards")


def decks(
    flow: Flow, cards: int, steps: int, hands: Hands, number: int, seed: int, first: int = 0
) -> NDArray[np.uint8] | NDArray[np.uint16]:
    """Return so many decks after so many steps of a flow.

    Args:
        flow: what is done.
        cards: how many cards the pack has, sorted at the start.
        steps: how often a step is done.
        hands: how packets are minored.
        number: how many decks.
        seed: 0 to 2^128 - 1.
        first: the number of the first block of 1024 decks.

    Returns:
        Arrangements, base first, of shape ``(number, cards)``; uint8 up to 256 cards, else uint16.

    Raises:
        MissingTool: numba is not here.
    """
    if not available():
        raise missing("simulating packets needs numba", "lab")
    from fairdeck.lab.kernels import packets as kernel

    out = np.empty((number, cards), np.uint8 if cards <= 256 else np.uint16)
    switch = -1 if hands.switch is None else round(hands.switch * 2**32)
    words = np.array([seed & (2**64 - 1), seed >> 64], np.uint64)
    kernel.rows(out, *kernel.program(flow), steps, hands.riffles, switch, kernel.slips(hands.slip), words, first)
    return out


def counted(flow: Flow, cards: int, steps: int, hands: Hands, number: int, seed: int) -> Iterator[tuple[int, Counts]]:
    """Yield how many decks have been counted, and the counts so far, shape ``(2, 5, cards + 1)``.

    Blocks go to the two halves in turn. The rows are those of `STATISTICS`.
    """
    counts = np.zeros((2, len(STATISTICS), cards + 1), np.int64)
    size = min(1024, max(1, number // 2))
    top = places(flow_share(flow), cards)
    done, block = 0, 0
    while done < number:
        many = min(size * CHUNK if size == 1024 else size, number - done)
        made = decks(flow, cards, steps, hands, many, seed, block)
        from fairdeck.lab.kernels.packets import count

        for at in range(0, many, size):
            count(made[at : at + size], top, counts[block % 2])
            block += 1
        done += many
        yield done, counts


def flow_share(flow: Flow) -> Fraction:
    """Return the share of the pack that the top packet is at the start."""
    return Fraction(1, len(flow.packets))


def bounds(counts: Counts, flow: Flow) -> dict[str, LowerBound]:
    """Return the lower bound that each statistic gives, from the counts of `counted`; all of them hold together."""
    cards = counts.shape[2] - 1
    laws = fair_laws(cards, places(flow_share(flow), cards))
    rows = {name: row for row, name in enumerate(STATISTICS) if name != "packet" or len(flow.packets) != 2}
    doubt = (1 - CONFIDENCE) / len(rows)
    found = {name: crossed(counts[0, row], counts[1, row], laws[name], doubt) for name, row in rows.items()}
    return {name: replace(bound, says=STATISTICS[name]) for name, bound in found.items()}


def crossed(one: Counts, other: Counts, fair: Floats, doubt: float) -> LowerBound:
    """Return a lower bound from two halves of counts: each chooses the event that the other weighs."""
    if not one.sum() or not other.sum():
        return LowerBound(0.0, 1.0, 0.0)
    here, there = (lower_bound(*halves, fair, doubt / 2) for halves in ((one, other), (other, one)))
    value = max(0.0, (here.value + there.value) / 2)
    return LowerBound(value, hypot(here.error, there.error) / 2, max(here.low, there.low))


def fair_laws(cards: int, packet: int) -> Mapping[str, Floats]:
    """Return the law of each statistic on fair decks, as chances of 0, 1, ... `cards`.

    Those of the lab's statistics.
    """
    half = cards // 2
    first, descents = descent_law(cards)
    rise = np.zeros(cards + 1)
    rise[first + 1 : first + 1 + len(descents)] = descents
    return {
        "half": _chances(hypergeometric_law(cards, cards - half, cards - half), cards),
        "dup": _chances(pairs_law(cards), cards),
        "rise": rise,
        "succ": _chances(succession_law(cards), cards),
        "packet": _chances(hypergeometric_law(cards, packet, packet), cards),
    }


def _chances(law: Law, cards: int) -> Floats:
    """Return the chances of 0, 1, ... `cards`."""
    chances = np.zeros(cards + 1)
    chances[law.low : law.low + len(law.weights)] = law.probabilities
    return chances
