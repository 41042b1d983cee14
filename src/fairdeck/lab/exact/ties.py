"""Draws that were compared with each other: what is known of their order, and how likely the rest is.

Independent draws, uniform on the same range, that were compared form a `Bundle`. All that is known
of them is a partial order. How much of the space of all values it leaves is counted exactly: for
reals by linear extensions, for whole numbers by chains of sets, since those can be equal. Source:
Stanley, Enumerative Combinatorics 1, sections 3.5 (linear extensions) and 3.12 (order polynomials).
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial
from typing import Protocol, cast

from fairdeck.lab.exact.pieces import Number, Piece, Progression, whole_weights
from fairdeck.lab.exact.way import Way

# Row i holds two sets, as bits: which draws are known to be above draw i, and which not below it.
Order = tuple[tuple[int, int], ...]


class Member(Protocol):
    """A draw as far as bundles know it; see `fairdeck.lab.exact.draws.Source`."""

    path: Way
    serial: int
    pieces: tuple[Piece, ...]
    bundle: "Bundle | None"


def _bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _known(order: Order, i: int, j: int, strict: bool) -> Order:
    """Return the order with draw `i` below draw `j` as well, and all that follows from it."""
    rows = [list(row) for row in order]
    lower = [i, *(k for k, (_, weak) in enumerate(order) if weak >> i & 1 and k != i)]
    upper = [j, *(k for k in _bits(order[j][1]) if k != j)]
    for low in lower:
        for high in upper:
            rows[low][1] |= 1 << high
            if strict or order[low][0] >> i & 1 or order[j][0] >> high & 1:
                rows[low][0] |= 1 << high
    return tuple((above, weak) for above, weak in rows)


def _among(order: Order, kept: Sequence[int]) -> Order:
    """Return the order of the draws in `kept` alone."""
    return tuple(
        (
            sum(1 << new for new, old in enumerate(kept) if order[row][0] >> old & 1),
            sum(1 << new for new, old in enumerate(kept) if order[row][1] >> old & 1),
        )
        for row in kept
    )


@lru_cache(maxsize=100_000)
def _chains(order: Order, ties: bool) -> tuple[int, ...]:
    """Return in how many ways the draws fall onto 0, 1, 2, ... levels, none empty, as the order says."""
    n = len(order)
    below_strictly = [sum(1 << k for k in range(n) if order[k][0] >> i & 1) for i in range(n)]
    below = [sum(1 << k for k in range(n) if k != i and order[k][1] >> i & 1) for i in range(n)]
    full = (1 << n) - 1
    found: dict[int, list[int]] = {0: [1]}
    # Levels are filled from the lowest up; a set of draws is reached only from sets with smaller numbers.
    for done in range(full):
        ways = found.get(done)
        if ways is None:
            continue
        free = full & ~done
        for level in _levels(free, ties):
            members = _bits(level)
            if any(below_strictly[i] & ~done or below[i] & ~(done | level) for i in members):
                continue
            target = found.setdefault(done | level, [0] * (n + 1))
            for levels, number in enumerate(ways):
                if number:
                    target[levels + 1] += number
    return tuple(found.get(full, [0]))


def _levels(free: int, ties: bool) -> list[int]:
    """Return what the next level may hold: one draw or, where there can be ties, any number."""
    if not ties:
        return [1 << i for i in _bits(free)]
    sets, level = [], free
    while level:
        sets.append(level)
        level = (level - 1) & free
    return sets


def _room(order: Order, ties: bool, length: Number) -> Number:
    """Return how much of the space of values from a range of this length agrees with the order."""
    chains = _chains(order, ties)
    if ties:
        return sum(ways * comb(int(length), levels) for levels, ways in enumerate(chains))
    return Fraction(chains[-1], factorial(len(order))) * length ** len(order) if order else 1


class Bundle:
    """Draws that are uniform on their (only) pieces but for the order in which they are known to lie.

    The pieces of all members are equally long; the order is that of their parameters.
    """

    __slots__ = ("members", "order", "ties")

    def __init__(self, members: list[Member], order: Order, ties: bool) -> None:
        self.members = members
        self.order = order
        self.ties = ties
        for member in members:
            member.bundle = self

    @property
    def length(self) -> Number:
        """How long the piece of each member is, in its parameter."""
        piece = self.members[0].pieces[0]
        return piece.count if isinstance(piece, Progression) else 1

    def below(self, one: Member, other: Member, strict: bool) -> bool:
        """Decide whether `one` lies below `other` (not `strict`: or equal)."""
        i, j = self.members.index(one), self.members.index(other)
        yes = _known(self.order, i, j, strict)
        no = _known(self.order, j, i, not strict)
        rooms = [_room(order, self.ties, self.length) for order in (yes, no)]
        self.order = (yes, no)[self._chosen(rooms)]
        return self.order is yes

    def part(self, at: Number) -> None:
        """Decide on which side of `at`, a parameter strictly within the pieces, each member lies.

        In every way that the order allows.
        """
        number, length = len(self.members), self.length
        everyone = range(number)
        sides: list[tuple[list[int], list[int]]] = []
        rooms: list[Number] = []
        for mask in range(1 << number):
            low, high = [i for i in everyone if mask >> i & 1], [i for i in everyone if not mask >> i & 1]
            if any(self.order[i][1] & mask for i in high):
                continue  # one that is not below another would lie below it
            sides.append((low, high))
            lower = _room(_among(self.order, low), self.ties, at) if low else 1
            rooms.append(lower * (_room(_among(self.order, high), self.ties, length - at) if high else 1))
        chosen = sides[self._chosen(rooms)]
        for side, kept in enumerate(chosen):
            for i in kept:
                self.members[i].pieces = (cast(Piece, self.members[i].pieces[0].parted(at)[side]),)
                self.members[i].bundle = None
            if len(kept) > 1:
                Bundle([self.members[i] for i in kept], _among(self.order, kept), self.ties)

    def _chosen(self, rooms: list[Number]) -> int:
        """Choose one of several ways by the room each has; a way without room is none."""
        ways = [way for way, room in enumerate(rooms) if room]
        if len(ways) == 1:
            return ways[0]
        oldest = min(member.serial for member in self.members)
        return ways[self.members[0].path.weigh(whole_weights([rooms[way] for way in ways]), oldest)]


def tie(one: Member, other: Member) -> Bundle:
    """Return the bundle that holds both draws, whose pieces are equally long."""
    first, second = (
        source.bundle or Bundle([source], ((0, 0),), isinstance(source.pieces[0], Progression))
        for source in (one, other)
    )
    if first is second:
        return first
    shift = len(first.members)
    moved = tuple((above << shift, weak << shift) for above, weak in second.order)
    return Bundle(first.members + second.members, first.order + moved, first.ties)
