"""Windows: parts of an endless run that are judged by themselves, so that a fault that begins late is not diluted.

The run is cut into segments of some thousand decks. A window of order k is 2^k segments, and the windows of one order
stand side by side: a fault that M decks show is within a window of at most some 4 M decks after it began. The j-th
window of order k has the share 1/((k+1)(k+2)) * 1/(j(j+1)) of the level. Both sums are 1 (they telescope), so all
windows together, without end, have the level. On the segments themselves half of the share is for bets, which see a
gross fault before the segment is full.

The tallies of the segments are kept at a resolution that fades: of each size the latest `KEPT`, and older ones two by
two. They serve the windows, and show afterwards when a fault began.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import exp

from fairdeck.lab.judging.tally import CARDS_IN_A_BLOCK, LARGEST_BLOCK, Battery, Tally
from fairdeck.lab.judging.trial import wealth
from fairdeck.lab.judging.verdict import Weighed, weigh
from fairdeck.lab.runs import records

KEPT = 8  # segments of each size


@dataclass(frozen=True)
class Segment:
    """Successive decks whose counts are kept."""

    first: int  # the decks before them
    decks: int  # how many they are
    joined: int  # how many segments were joined into this one, a power of two
    began: str  # when the first of them was read, as ISO 8601 text
    data: bytes  # their tally, packed


@dataclass(frozen=True)
class Found:
    """The window that showed a fault."""

    first: int  # the decks before it
    decks: int  # the decks in it
    share: float  # its share of the level of all windows, for these tests
    by_bets: bool  # whether it was found by bets, before the window was full
    data: bytes  # its tally, packed


@dataclass
class Standing:
    """Where the windows stand."""

    segments: list[Segment] = field(default_factory=list)  # in order
    closed: int = 0  # how many segments were ever closed
    open: Tally | None = None  # the tally of the segment that is not full yet
    open_first: int = 0  # the decks before it
    open_began: str = ""  # when its first deck was read
    p_value: float = 1.0  # the smallest of all windows, for all windows together
    found: Found | None = None  # the first window that showed a fault


def share(order: int, number: int) -> float:
    """Return the share of one window, of the level of all windows; orders count from 0, windows from 1.

    >>> sum(share(k, j) for k in range(1000) for j in range(1, 1000)) < 1
    True
    """
    return 1 / ((order + 1) * (order + 2) * number * (number + 1))


def segment_size(cards: int) -> int:
    """Return the fewest decks of a segment: half of the largest block."""
    return min(LARGEST_BLOCK, CARDS_IN_A_BLOCK // cards) // 2


class Windows:
    """Judges windows as the blocks of a run come in."""

    def __init__(self, whole: Battery, level: float, standing: Standing | None = None) -> None:
        """Begin, or go on, so that no window of a fair run shows a fault, except with a chance of `level` at most."""
        self._whole, dense = whole, whole.dense
        self.battery, self._idle = dense or whole, dense is None  # if only sparse statistics are asked
        self.level = level
        self.standing = standing or Standing()
        self._size = segment_size(whole.cards)

    @property
    def failed(self) -> bool:
        """Whether a window has shown a fault."""
        return self.standing.p_value <= self.level

    @property
    def spent(self) -> float:
        """The part of the level that the decks so far have spent."""
        closed = self.standing.closed
        shares = ((closed >> order, (order + 1) * (order + 2)) for order in range(closed.bit_length()))
        full = sum(many / (many + 1) / part for many, part in shares)  # the sum of 1/(j(j+1)) over j up to `many`
        return full + share(0, closed + 1) / 2 * (self.standing.open is not None)

    def add(self, block: Tally, began: str) -> None:
        """Count a block of the whole battery, whose first deck was read when `began` says."""
        now = self.standing
        if self._idle:
            return
        part = self._whole.of_dense(block)
        now.open_began = now.open_began or began
        now.open = self.battery.merge(now.open, part) if now.open else part
        self._bet(now.open)
        if now.open.decks >= self._size:
            self._close(now.open)

    def glance(self, more: Tally) -> None:
        """Settle the bets on a block that is not complete yet."""
        if not self._idle:
            part = self._whole.of_dense(more)
            self._bet(self.battery.merge(self.standing.open, part) if self.standing.open else part)

    def weighed(self) -> tuple[Weighed, ...]:
        """Return the tests of the window that showed a fault, the surest fault first; empty if none did."""
        found = self.standing.found
        return weigh(self.battery, records.unpacked_tally(self.battery, found.data)) if found else ()

    def parts(self) -> Iterable[tuple[Segment, Tally]]:
        """Yield every segment that is kept with its tally, the oldest first; the open one is the last."""
        now = self.standing
        yield from ((each, records.unpacked_tally(self.battery, each.data)) for each in now.segments)
        if now.open:
            yield Segment(now.open_first, now.open.decks, 1, now.open_began, b""), now.open

    def _bet(self, tally: Tally) -> None:
        made = wealth(self.battery, tally)
        if made:
            least = share(0, self.standing.closed + 1) / 2
            self._weigh_in(tally, self.standing.open_first, exp(-made[0]) / least, least, by_bets=True)

    def _close(self, tally: Tally) -> None:
        """End a segment; analyse each window that ends with it."""
        now, battery = self.standing, self.battery
        data = records.packed_tally(battery, tally)
        now.segments.append(Segment(now.open_first, tally.decks, 1, now.open_began, data))
        now.closed += 1
        now.open, now.open_began, now.open_first = None, "", now.open_first + tally.decks
        if now.found is None:
            self._analyse(tally)
        self._fade()

    def _analyse(self, latest: Tally) -> None:
        now, battery = self.standing, self.battery
        total, order, at = latest, 0, len(now.segments) - 1
        while now.found is None:
            part = share(order, now.closed >> order) / (1 if order else 2)
            smallest = min((each.adjusted for each in weigh(battery, total)), default=1.0)
            self._weigh_in(total, now.segments[at].first, smallest / part, part)
            if now.closed >> order & 1:
                return
            order += 1
            more = sum(each.joined for each in now.segments[at:])
            while more < 1 << order:
                at -= 1
                total = battery.merge(records.unpacked_tally(battery, now.segments[at].data), total)
                more += now.segments[at].joined

    def _weigh_in(self, tally: Tally, first: int, p_value: float, part: float, *, by_bets: bool = False) -> None:
        now = self.standing
        now.p_value = min(now.p_value, p_value)
        if now.found is None and p_value <= self.level:
            now.found = Found(first, tally.decks, part, by_bets, records.packed_tally(self.battery, tally))

    def _fade(self) -> None:
        """Join the two oldest segments of each size that has too many segments."""
        now, battery, joined = self.standing, self.battery, 1
        while len(same := [at for at, each in enumerate(now.segments) if each.joined == joined]) > KEPT:
            one, other = now.segments[same[0]], now.segments[same[1]]
            both = battery.merge(records.unpacked_tally(battery, one.data), records.unpacked_tally(battery, other.data))
            data = records.packed_tally(battery, both)
            now.segments[same[0] : same[1] + 1] = [
                Segment(one.first, one.decks + other.decks, 2 * joined, one.began, data)
            ]
            joined *= 2
