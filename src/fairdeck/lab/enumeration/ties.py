"""Draws that were compared with each other: what is known of their order, and the probability of the rest.

Independent draws, uniform on the same range, that were compared form a `Poset` (a partially ordered
set). The share of all values that agrees with the order is counted exactly: for real numbers by linear
extensions, for whole numbers, which can be equal, by chains of sets. Source: Stanley, Enumerative
Combinatorics 1, sections 3.5 (linear extensions) and 3.12 (order polynomials).
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial
from typing import Protocol, cast

from fairdeck.lab.enumeration.path import TreePath
from fairdeck.lab.enumeration.pieces import Number, Piece, Progression, whole_weights

# Row i holds two sets, as bits: which draws are known to be above draw i, and which not below it.
Order = tuple[tuple[int, int], ...]


class TiedDraw(Protocol):
    """The part of `fairdeck.lab.enumeration.draws.Draw` that posets use."""

    path: TreePath
    serial: int
    pieces: tuple[Piece, ...]
    poset: "Poset | None"


def _bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _known(order: Order, i: int, j: int, strict: bool) -> Order:
    """Return the order with draw `i` below draw `j` added, and everything that follows."""
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
    """Return how often the draws fall onto 0, 1, 2, ... levels, none of them empty, in agreement with the order."""
    n = len(order)
    below_strictly = [sum(1 << k for k in range(n) if order[k][0] >> i & 1) for i in range(n)]
    below = [sum(1 << k for k in range(n) if k != i and order[k][1] >> i & 1) for i in range(n)]
    full = (1 << n) - 1
    found: dict[int, list[int]] = {0: [1]}
    # Levels are filled from the lowest up; a set of draws is reached only from sets with smaller numbers.
    for done in range(full):
        numbers = found.get(done)
        if numbers is None:
            continue
        free = full & ~done
        for level in _levels(free, ties):
            members = _bits(level)
            if any(below_strictly[i] & ~done or below[i] & ~(done | level) for i in members):
                continue
            target = found.setdefault(done | level, [0] * (n + 1))
            for levels, number in enumerate(numbers):
                if number:
                    target[levels + 1] += number
    return tuple(found.get(full, [0]))


def _levels(free: int, ties: bool) -> list[int]:
    """Return the sets that can be the next level: one draw or, where ties are possible, several."""
    if not ties:
        return [1 << i for i in _bits(free)]
    sets, level = [], free
    while level:
        sets.append(level)
        level = (level - 1) & free
    return sets


def _volume(order: Order, ties: bool, length: Number) -> Number:
    """Return the volume of the values, from a range of this length, that agree with the order."""
    chains = _chains(order, ties)
    if ties:
        return sum(number * comb(int(length), levels) for levels, number in enumerate(chains))
    return Fraction(chains[-1], factorial(len(order))) * length ** len(order) if order else 1


class Poset:
    """Draws that are uniform on their (only) pieces, except for what is known about their order.

    The pieces of all members are equally long; the order is that of their parameters.
    """

    __slots__ = ("members", "order", "ties")

    def __init__(self, members: list[TiedDraw], order: Order, ties: bool) -> None:
        self.members = members
        self.order = order
        self.ties = ties
        for member in members:
            member.poset = self

    @property
    def length(self) -> Number:
        """How long the piece of each member is, in its parameter."""
        piece = self.members[0].pieces[0]
        return piece.count if isinstance(piece, Progression) else 1

    def below(self, one: TiedDraw, other: TiedDraw, strict: bool) -> bool:
        """Decide whether `one` lies below `other` (not `strict`: or equal)."""
        i, j = self.members.index(one), self.members.index(other)
        yes = _known(self.order, i, j, strict)
        no = _known(self.order, j, i, not strict)
        volumes = [_volume(order, self.ties, self.length) for order in (yes, no)]
        self.order = (yes, no)[self._chosen(volumes)]
        return self.order is yes

    def part(self, at: Number) -> None:
        """Decide on which side of `at`, a parameter strictly within the pieces, each member lies."""
        number, length = len(self.members), self.length
        everyone = range(number)
        sides: list[tuple[list[int], list[int]]] = []
        volumes: list[Number] = []
        for mask in range(1 << number):
            low, high = [i for i in everyone if mask >> i & 1], [i for i in everyone if not mask >> i & 1]
            if any(self.order[i][1] & mask for i in high):
                continue  # it would put a draw below one that it is not below
            sides.append((low, high))
            lower = _volume(_among(self.order, low), self.ties, at) if low else 1
            volumes.append(lower * (_volume(_among(self.order, high), self.ties, length - at) if high else 1))
        chosen = sides[self._chosen(volumes)]
        for side, kept in enumerate(chosen):
            for i in kept:
                self.members[i].pieces = (cast(Piece, self.members[i].pieces[0].parted(at)[side]),)
                self.members[i].poset = None
            if len(kept) > 1:
                Poset([self.members[i] for i in kept], _among(self.order, kept), self.ties)

    def _chosen(self, volumes: list[Number]) -> int:
        """Choose one of several outcomes by its volume; those without volume are impossible."""
        possible = [outcome for outcome, volume in enumerate(volumes) if volume]
        if len(possible) == 1:
            return possible[0]
        oldest = min(member.serial for member in self.members)
        weights = whole_weights([volumes[outcome] for outcome in possible])
        return possible[self.members[0].path.weigh(weights, oldest)]


def tie(one: TiedDraw, other: TiedDraw) -> Poset:
    """Return the poset that holds both draws, whose pieces are equally long."""
    first, second = (
        draw.poset or Poset([draw], ((0, 0),), isinstance(draw.pieces[0], Progression)) for draw in (one, other)
    )
    if first is second:
        return first
    shift = len(first.members)
    moved = tuple((above << shift, weak << shift) for above, weak in second.order)
    return Poset(first.members + second.members, first.order + moved, first.ties)
