"""The best scheme of a stated space, found by trying all of it, or as much as there is time for.

The **space**: the pack lies in some packets. In each step every packet is cut into equally many slices of equal size,
and every new packet is made of so many slices, from wherever they come: riffled into each other (`~`), or stacked and
riffled as one packet (`!`). The same step is done again and again. A **way** says which slices meet.

*Names.* With halves, two ways that differ only in the names of the packets spread the cards equally, so one of them is
enough. For call the packets by other names, before and after each step. Each half then meets the same half as before,
because a riffle of two halves of one size does not know which was above: all interleavings are equally likely. The pack
before and after lies as before but for the order of its packets, and what is compared does not know that order. This
needs halves of one size, and it is not true of stacked slices, such as two of three thirds: a name decides which is
above. Then all ways are tried.

*Too many ways* are climbed: from a random way that spreads the packets evenly, swap two slices as long as that is
better, then begin anew. This proves nothing.

What is compared is `fairdeck.packets.positions.seen_in_places` after the given steps: an estimate of how much the
places of the cards show, the worst card's or those of all cards together. It is no bound, from above or below: see
docs/explanation/packets.md. It never grows with the steps. Below `NOTHING` it says nothing, and less time is better.
Packs of up to 8 cards are compared by the exact distance of their whole order, see `fairdeck.packets.order`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations
from math import factorial
from random import Random

from fairdeck.errors import FairdeckError
from fairdeck.packets import order
from fairdeck.packets.dispersion import fault
from fairdeck.packets.notation import ALONE, JOINT, Flow, Move, Slice
from fairdeck.packets.positions import MOST_WORK, seen_step_by_step

MOST_WAYS = 200_000
MOST_SLICES = 4
FEWEST_CARDS = 4  # in a slice
FEWEST_IN_SMALL_PACKS = 2  # in a slice of a pack whose law is known
NOTHING = 1e-6  # from here down the places show rounding errors

Way = tuple[int, ...]
"""For each slice, the packet that it goes to: the slices of the first packet from its top, then those of the second."""


@dataclass(frozen=True, slots=True)
class Space:
    """The schemes that are compared.

    Args:
        cards: in the pack.
        packets: how many packets it lies in, 2 or more.
        slices: into how many slices each packet is cut, 2 to 4.
        stacked: the slices of a new packet are stacked and riffled as one, not into each other.

    Raises:
        FairdeckError: the numbers do not suit each other.
    """

    cards: int
    packets: int
    slices: int = 2
    stacked: bool = False

    def __post_init__(self) -> None:
        if self.packets < 2:
            raise FairdeckError(f"{self.packets} packets: a search needs 2 or more")
        if not 2 <= self.slices <= MOST_SLICES:
            raise FairdeckError(f"{self.slices} slices: cut each packet into 2 to {MOST_SLICES}")
        fewest = FEWEST_IN_SMALL_PACKS if self.cards <= order.MOST_CARDS else FEWEST_CARDS
        least = fewest * self.packets * self.slices
        if self.cards < least:
            raise FairdeckError(f"{self.cards} cards are too few for {self.packets} packets: use {least} or more")

    @property
    def ways(self) -> int:
        """How many ways there are to say which slices meet."""
        return int(factorial(self.packets * self.slices) // factorial(self.slices) ** self.packets)

    @property
    def symmetric(self) -> bool:
        """Whether only one of the ways is tried that differ by the names of the packets alone."""
        return not self.stacked and self.slices == 2 and self.cards % (2 * self.packets) == 0

    @property
    def small(self) -> bool:
        """Whether all of it can be tried."""
        return self.ways <= MOST_WAYS

    def uneven(self, way: Way) -> int:
        """Return how unevenly one step spreads the packets: 0 if each new packet has as much of each old one."""
        met = [0] * self.packets**2
        for at, to in enumerate(way):
            met[at // self.slices * self.packets + to] += self.packets
        return sum((each - self.slices) ** 2 for each in met)

    def all(self) -> Iterator[Way]:
        """Yield every way, in dictionary order."""
        yield from _filled([self.slices] * self.packets, ())

    def representatives(self) -> list[Way]:
        """Return the ways to try: all of them, or if it is `symmetric` the first of each set of equal ones.

        Those that spread the packets evenly come first: who stops a search has tried the likely ones.

        >>> Space(104, 2).representatives()
        [(0, 1, 0, 1), (0, 1, 1, 0), (1, 0, 0, 1), (0, 0, 1, 1), (1, 1, 0, 0)]
        """
        return sorted(self._different(), key=self.uneven)

    def _different(self) -> list[Way]:
        if not self.symmetric:
            return list(self.all())
        found: list[Way] = []
        equal: set[Way] = set()
        for way in self.all():
            if way not in equal:
                found.append(way)
                equal.update(self.renamed(way))
        return found

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
        for packet in range(self.packets):
            taken = sorted((divmod(at, self.slices)[::-1] for at, to in enumerate(way) if to == packet))
            parts = [
                Slice(names[source], Fraction(place, self.slices), Fraction(place + 1, self.slices))
                for place, source in taken
            ]
            kind, many = (ALONE, self.slices) if self.stacked else (JOINT, -(-self.slices // 2))
            moves.append(Move(names[packet], kind, tuple(parts[:many]), tuple(parts[many:])))
        return Flow("searched", self.cards, tuple(names), (tuple(moves),))


def _filled(room: list[int], way: Way) -> Iterator[Way]:
    if not any(room):
        yield way
    for packet, left in enumerate(room):
        if left:
            yield from _filled([each - (at == packet) for at, each in enumerate(room)], (*way, packet))


@dataclass(frozen=True, slots=True)
class Work:
    """How much everybody does.

    Attributes:
        steps: how many steps, or at most how many.
        riffles: of each packet in a step.
        minutes: for one step.
        at_most: fewer steps are done if the places of the cards then show nothing.
    """

    steps: int
    riffles: int
    minutes: float = 0.0
    at_most: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A scheme that was tried.

    Attributes:
        flow: what goes where.
        work: its best work.
        seen: how far from random its cards' places show the pack to be, an estimate; or how far it is.
        exact: whether that is the exact distance of the whole order.
    """

    flow: Flow
    work: Work
    seen: float
    exact: bool = False

    @property
    def rank(self) -> tuple[float, float]:
        """What is compared, less is better: what the places show, then the time."""
        return max(self.seen, NOTHING), self.work.steps * self.work.minutes


def judged(flow: Flow, cards: int, works: Iterable[Work]) -> Candidate:
    """Return a flow with the best of these works; a flow that never spreads the cards evenly counts as 1."""
    if fault(flow):
        return Candidate(flow, next(iter(works)), 1.0)
    return min((_followed(flow, cards, work) for work in works), key=lambda each: each.rank)


def _followed(flow: Flow, cards: int, work: Work) -> Candidate:
    exact = order.known(flow, cards, work.steps)
    distances = (
        order.order_step_by_step(flow, cards, work.steps, work.riffles)
        if exact
        else seen_step_by_step(flow, cards, work.steps, work.riffles, MOST_WORK)
    )
    candidates = (Candidate(flow, replace(work, steps=done), seen, exact) for done, seen in enumerate(distances, 1))
    last = next(candidates)
    for last in candidates:
        if work.at_most and last.seen <= NOTHING:
            break
    return last


def tried(space: Space, ways: Iterable[Way], works: list[Work]) -> Iterator[Candidate]:
    """Yield each way, judged."""
    return (judged(space.flow(way), space.cards, works) for way in ways)


def climbed(space: Space, works: list[Work], rng: Random) -> Iterator[Candidate]:
    """Yield ways that climb from random beginnings, judged, none of them twice, until there are no others."""
    known: dict[Way, Candidate] = {}
    while len(known) < space.ways:
        way = _evenly(space, rng)
        if way in known:  # then begin anywhere: every way comes in the end
            way = tuple(rng.sample(way, len(way)))
        if way not in known:
            known[way] = judged(space.flow(way), space.cards, works)
            yield known[way]
        better: Way | None = way
        while better is not None:
            way, better = better, None
            for other in _neighbours(way, rng):
                if other not in known:
                    known[other] = judged(space.flow(other), space.cards, works)
                    yield known[other]
                if known[other].rank < known[way].rank:
                    better = other
                    break


def _evenly(space: Space, rng: Random) -> Way:
    """Return a random way in which the slices of a packet go to successive packets, so that each gets enough."""
    way: list[int] = []
    names = rng.sample(range(space.packets), space.packets)
    for packet in range(space.packets):
        own = [names[(packet + place) % space.packets] for place in range(space.slices)]
        way += rng.sample(own, space.slices)
    return tuple(way)


def _neighbours(way: Way, rng: Random) -> Iterator[Way]:
    """Yield the ways in which two slices are swapped, in random order."""
    pairs = [(one, two) for one, two in combinations(range(len(way)), 2) if way[one] != way[two]]
    for one, two in rng.sample(pairs, len(pairs)):
        other = list(way)
        other[one], other[two] = way[two], way[one]
        yield tuple(other)
