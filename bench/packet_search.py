"""Search the packet schemes that repeat one step; writes ``bench/packet_search.json``.

In the step, every packet is cut into equal slices, and every new packet is made of the same number of slices: riffled
into each other (``~``), or stacked and riffled as one (``!``). A **way** says which slices meet. Up to `MOST_WAYS`
ways, all are tried; larger spaces are climbed from random ways, two slices swapped as long as that is
better, which proves nothing.
What is compared is `fairdeck.packets.positions.seen_in_places`, an estimate of how far from random the pack is.

With halves of one size, ways that differ only in the names of the packets spread the cards equally: a riffle does not
know which half was above. Then one of them is tried. Of other slices, the names decide which lies above.

The schemes ``quarters`` and ``stacked-thirds`` were found like this. It takes half an hour:

    python -m bench.packet_search
"""

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from math import factorial
from pathlib import Path
from random import Random

from fairdeck.packets import schemes
from fairdeck.packets.dispersion import fault
from fairdeck.packets.notation import ALONE, JOINT, Flow, Move, Slice, write_flow
from fairdeck.packets.positions import seen_in_places

RESULTS = Path(__file__).with_name("packet_search.json")
STEPS, RIFFLES = 4, 3
MOST_WAYS, SECONDS, SEED = 3000, 180, 1
PACKS = {2: 104, 3: 162, 4: 208}  # cards by packets
SLICES = ((2, False), (3, False), (4, False), (3, True), (4, True))  # of each packet, stacked or not

Way = tuple[int, ...]
"""For each slice, the packet that it goes to: the slices of the first packet from its top, then those of the second."""


@dataclass(frozen=True, slots=True)
class Space:
    """The schemes that are compared: a pack in packets, each cut into slices, which are stacked or not."""

    cards: int
    packets: int
    slices: int = 2
    stacked: bool = False

    @property
    def ways(self) -> int:
        """How many ways there are to say which slices meet."""
        return int(factorial(self.packets * self.slices) // factorial(self.slices) ** self.packets)

    def all(self) -> Iterator[Way]:
        """Yield every way, in dictionary order."""
        yield from _filled([self.slices] * self.packets, ())

    def different(self) -> list[Way]:
        """Return the ways to try: of ways that the names of the packets alone tell apart, the first."""
        if self.stacked or self.slices != 2 or self.cards % (2 * self.packets):
            return list(self.all())
        first: list[Way] = []
        equal: set[Way] = set()
        for way in self.all():
            if way not in equal:
                first.append(way)
                equal.update(self.renamed(way))
        return first

    def renamed(self, way: Way) -> Iterator[Way]:
        """Yield the ways that differ from this one by the names of the packets alone."""
        for names in permutations(range(self.packets)):
            other = [0] * len(way)
            for at, to in enumerate(way):
                packet, place = divmod(at, self.slices)
                other[names[packet] * self.slices + place] = names[to]
            yield tuple(other)

    def flow(self, way: Way) -> Flow:
        """Return a way as a flow; in each new packet, slices from further up in their packets lie further up."""
        names = [str(packet + 1) for packet in range(self.packets)]
        moves = []
        for packet, name in enumerate(names):
            taken = sorted((divmod(at, self.slices)[::-1] for at, to in enumerate(way) if to == packet))
            parts = [Slice(names[of], Fraction(at, self.slices), Fraction(at + 1, self.slices)) for at, of in taken]
            kind, upper = (ALONE, self.slices) if self.stacked else (JOINT, -(-self.slices // 2))
            moves.append(Move(name, kind, tuple(parts[:upper]), tuple(parts[upper:])))
        return Flow("searched", self.cards, tuple(names), (tuple(moves),))


def _filled(free: list[int], way: Way) -> Iterator[Way]:
    if not any(free):
        yield way
    for packet, left in enumerate(free):
        if left:
            yield from _filled([each - (at == packet) for at, each in enumerate(free)], (*way, packet))


def seen(flow: Flow, cards: int) -> float:
    """Return how far from random the places of the cards show the pack to be; 1 if the packets never mix."""
    return 1.0 if fault(flow) else seen_in_places(flow, cards, STEPS, RIFFLES)[-1]


def climbed(space: Space, rng: Random, seconds: float) -> dict[Way, float]:
    """Return the ways tried within a number of seconds, each with what its places show."""
    tried: dict[Way, float] = {}
    end = time.monotonic() + seconds
    while time.monotonic() < end and len(tried) < space.ways:
        even = [[(packet + at) % space.packets for at in range(space.slices)] for packet in range(space.packets)]
        way = tuple(to for packet in even for to in rng.sample(packet, space.slices))
        least = tried[way] = seen(space.flow(way), space.cards)
        pairs = list(combinations(range(len(way)), 2))
        rng.shuffle(pairs)
        left = len(pairs)  # pairs to swap since the last gain
        while left and time.monotonic() < end:
            one, two = pairs[left := left - 1]
            swapped = list(way)
            swapped[one], swapped[two] = way[two], way[one]
            other = tuple(swapped)
            if other not in tried:
                tried[other] = seen(space.flow(other), space.cards)
            if tried[other] < least:
                way, least, left = other, tried[other], len(pairs)
    return tried


def main() -> None:
    """Search every space, and compare the known schemes with the same work."""
    rows = []
    for (packets, cards), (slices, stacked) in ((pack, cut) for pack in PACKS.items() for cut in SLICES):
        space = Space(cards, packets, slices, stacked)
        proven = space.ways <= MOST_WAYS
        every = space.different() if proven else ()
        tried = {way: seen(space.flow(way), cards) for way in every} or climbed(space, Random(SEED), SECONDS)
        best = min(tried, key=tried.__getitem__)
        about = {"cards": cards, "packets": packets, "slices": slices, "stacked": stacked, "ways": space.ways}
        found = {"tried": len(tried), "proven": proven, "seen": tried[best]}
        print(about | found, file=sys.stderr, flush=True)
        rows.append(about | found | {"flow": write_flow(space.flow(best))})
    sound = [flow for flow in schemes().values() if not fault(flow) and len(flow.packets) in PACKS]
    known = {flow.name: seen(flow, PACKS[len(flow.packets)]) for flow in sound}
    work = {"format": "fairdeck-packet-search/1", "steps": STEPS, "riffles": RIFFLES, "seconds": SECONDS, "seed": SEED}
    RESULTS.write_text(json.dumps(work | {"searched": rows, "known": known}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
