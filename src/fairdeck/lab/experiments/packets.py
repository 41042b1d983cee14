"""Packet flows simulated with real hands, and what statistics still see after a number of steps.

Decks come in numbered blocks, as everywhere in the lab: a block is a function of its number and the
seed. Each statistic gives a lower bound on the total variation from uniform, as in
`fairdeck.lab.experiments.bounds`; here each half of the decks chooses an event and the other half counts
it. Needs numba.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import hypot

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk import available, unavailable
from fairdeck.bulk.shapes import Floats
from fairdeck.dealing.eulerian import descent_law
from fairdeck.errors import FairdeckError
from fairdeck.lab.experiments.bounds import LowerBound, lower_bound
from fairdeck.lab.experiments.repeated_cards import pairs_law
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.statistics.hands import hypergeometric_law
from fairdeck.lab.statistics.successions import succession_law
from fairdeck.packets.notation import Flow, places
from fairdeck.shuffles.measured import CONFIDENCE

Counts = NDArray[np.int64]
BlockMap = Callable[[Callable[["Span"], Counts], Iterable["Span"]], Iterable[Counts]]

CHUNK = 16  # blocks at a time, which stay in the processor's cache
MOST_SLIP = 16.0

STATISTICS = {
    "half": "cards of the old top half in the new top half",
    "dup": "pairs of equal cards of two decks, one stacked on the other, that are both in the top half",
    "rise": "rising sequences",
    "succ": "cards that still lie on the same card as before",
    "packet": "cards of the old top packet in the new top packet",
}


@dataclass(frozen=True, slots=True)
class Minoring:
    """How a packet is minored.

    Attributes:
        riffles: how often each packet is riffled in a step.
        switch: None for the riffle of Gilbert, Shannon and Reeds; else the chance that the other packet
            drops the next card, as in `fairdeck.shuffles.packets.HandRiffle`, exact to 2^-32.
        slip: the standard deviation, 0 to 16 cards, of the place where a packet is cut.
    """

    riffles: int
    switch: float | None = None
    slip: float = 0.0

    def __post_init__(self) -> None:
        if self.switch is not None and not 0 <= self.switch <= 1:
            raise FairdeckError(f"switch {self.switch} is out of range: use 0 to 1")
        if not 0 <= self.slip <= MOST_SLIP:
            raise FairdeckError(f"slip {self.slip} is out of range: use 0 to {MOST_SLIP:.0f} cards")


def decks(
    flow: Flow, cards: int, steps: int, minoring: Minoring, number: int, seed: int, first: int = 0
) -> NDArray[np.uint8] | NDArray[np.uint16]:
    """Return decks after a number of steps of a flow.

    Args:
        flow: the flow.
        cards: how many cards the pack has, sorted at the start.
        steps: how many steps are done.
        minoring: how packets are minored.
        number: how many decks.
        seed: 0 to 2^128 - 1.
        first: the number of the first block of 1024 decks.

    Returns:
        Arrangements, bottom first, of shape ``(number, cards)``; uint8 up to 256 cards, else uint16.
    """
    if not available():
        raise unavailable("a simulation of packets")
    from fairdeck.bulk import packet_flows as kernel

    out = np.empty((number, cards), np.uint8 if cards <= 256 else np.uint16)
    switch = -1 if minoring.switch is None else round(minoring.switch * 2**32)
    words = np.array([seed & (2**64 - 1), seed >> 64], np.uint64)
    kernel.rows(out, *kernel.program(flow), steps, minoring.riffles, switch, kernel.slips(minoring.slip), words, first)
    return out


@dataclass(frozen=True, slots=True)
class Span:
    """Successive blocks: the number of the first one, and how many decks they hold in all."""

    block: int
    decks: int


def counted(
    flow: Flow,
    cards: int,
    steps: int,
    minoring: Minoring,
    number: int,
    seed: int,
    map: BlockMap = map,  # noqa: A002 - the seam is called so
) -> Iterator[tuple[int, Counts]]:
    """Yield how many decks have been counted, and the counts so far, shape ``(2, 5, cards + 1)``.

    Blocks go to the two halves in turn. The rows are those of `STATISTICS`.
    """
    counts = np.zeros((2, len(STATISTICS), cards + 1), np.int64)
    size = min(1024, max(1, number // 2))
    spans = list(_spans(number, size))
    done = 0
    for span, found in zip(spans, map(partial(_counted, flow, cards, steps, minoring, seed, size), spans), strict=True):
        counts += found
        done += span.decks
        yield done, counts


def _spans(number: int, size: int) -> Iterator[Span]:
    """Yield as many blocks at a time as stay in the cache."""
    most = size * CHUNK if size == 1024 else size
    for done in range(0, number, most):
        yield Span(done // size, min(most, number - done))


def _counted(flow: Flow, cards: int, steps: int, minoring: Minoring, seed: int, size: int, span: Span) -> Counts:
    """Return the counts of some blocks of `size` decks."""
    from fairdeck.bulk.packet_flows import count

    counts = np.zeros((2, len(STATISTICS), cards + 1), np.int64)
    made = decks(flow, cards, steps, minoring, span.decks, seed, span.block)
    top = places(flow_share(flow), cards)
    for at in range(0, span.decks, size):
        count(made[at : at + size], top, counts[(span.block + at // size) % 2])
    return counts


def flow_share(flow: Flow) -> Fraction:
    """Return the share of the pack in the top packet at the start."""
    return Fraction(1, len(flow.packets))


def bounds(counts: Counts, flow: Flow) -> dict[str, LowerBound]:
    """Return the lower bound of each statistic, from the counts of `counted`; all of them hold together."""
    cards = counts.shape[2] - 1
    laws = fair_laws(cards, places(flow_share(flow), cards))
    rows = {name: row for row, name in enumerate(STATISTICS) if name != "packet" or len(flow.packets) != 2}
    doubt = (1 - CONFIDENCE) / len(rows)
    found = {name: crossed(counts[0, row], counts[1, row], laws[name], doubt) for name, row in rows.items()}
    return {name: replace(bound, says=STATISTICS[name]) for name, bound in found.items()}


def crossed(one: Counts, other: Counts, fair: Floats, doubt: float) -> LowerBound:
    """Return a lower bound from two halves: each chooses an event that the other counts."""
    if not one.sum() or not other.sum():
        return LowerBound(0.0, 1.0, 0.0)
    here, there = (lower_bound(*halves, fair, doubt / 2) for halves in ((one, other), (other, one)))
    value = max(0.0, (here.value + there.value) / 2)
    return LowerBound(value, hypot(here.error, there.error) / 2, max(here.low, there.low))


def fair_laws(cards: int, packet: int) -> Mapping[str, Floats]:
    """Return the law of each statistic on fair decks, as chances of 0, 1, ... `cards`."""
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
    chances = np.zeros(cards + 1)
    chances[law.low : law.low + len(law.weights)] = law.probabilities
    return chances
