"""States of generators, read off single decks, from which all later decks follow.

The draws of a shuffling program tell each number of its generator to within 1/k of the range, where the draw chose
among k numbers. For a congruential generator they tell what each of its relations adds up to, roughly, and the nearest
point of the lattice is the state (Babai). A state counts only if it makes the draws of the whole deck. There are fewer
states than decks: 2^64 at most, and 2^225 decks of 52 cards. So a fair deck has one with a chance that is computed.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from math import exp, log
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.laws.generators import LOW, USEFUL, Congruential, Lattice, bound, congruential
from fairdeck.lab.laws.tails import COUNT, PValue
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.statistics.draws import DOWNWARD, READINGS
from fairdeck.lab.statistics.draws import STATISTICS as DRAWS
from fairdeck.lab.view import View

TRIED = 16  # decks of a block
MANY = 128  # states with the same lowest bits, of which there are too many to try
PATTERN = 20  # bits of a number by which low bits are looked up
CLOSE = 0.6  # of the width of a draw: how far a number may be from the middle, with what a program drops of it


class State(NamedTuple):
    """A state that makes a deck."""

    reading: int  # of the draws
    deck: int  # the number of the deck in its view
    generator: int  # its number among all
    state: int  # at the first draw


@dataclass(frozen=True)
class GeneratorStates(Statistic):
    """How many decks a known generator makes, by some reading of its draws."""

    family: ClassVar[str] = "draws"
    sizes: ClassVar[range] = range(16, 1_025)  # enough draws, and not too many to read all of them
    relative: ClassVar[bool] = False
    sparse: ClassVar[bool] = True

    def count(self, view: View) -> Counts:
        """Return how many decks each generator makes, and how many were tried; shape ``(readings, generators + 1)``."""
        few = View(view.columns[:, :TRIED], view.lead[:, :0])
        return counted(states(few), few.decks)

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the generator whose states are the oddest, corrected for the number of those that were tried."""
        if not (tried := int(counts[0, -1])):
            return
        reading, number, p_value = surest(counts, n)
        generator = congruential()[number]
        words = f"read as {READINGS[reading]}, {{seen:.1%}} of decks are made by one state each of {generator.used}; "
        words += "{expected:.2g} would be fair"
        expected, means = exp(bound(generator, n).log_chance), "the state that made one deck foretells the next"
        yield self.evidence("one state", p_value, words, seen=p_value.score / tried, expected=expected, means=means)


def counted(found: Iterable[State], decks: int) -> Counts:
    """Return the counts of `GeneratorStates` of so many decks."""
    counts = np.zeros((len(READINGS), len(congruential()) + 1), np.int64)
    counts[:, -1] = decks
    for reading, _, generator in {state[:3] for state in found}:
        counts[reading, generator] += 1
    return counts


def surest(counts: Counts, n: int) -> tuple[int, int, PValue]:
    """Return the reading and the generator with the oddest number of decks, and the p-value of all."""
    tried, made = counts[0, -1], counts[:, :-1]
    chances = np.array([bound(generator, n).log_chance for generator in congruential()])
    # Of independent decks, so many given ones are made with chance^times, and there are tried^times / times! choices.
    logs = np.minimum(0.0, made * (log(tried) + chances) - gammaln(made + 1))
    reading, number = map(int, np.unravel_index(np.argmin(logs), logs.shape))
    p_value = PValue(float(np.exp(logs.min())), COUNT, int(made[reading, number]))
    return reading, number, p_value.of_many(made.size)


def states(view: View) -> Iterator[State]:
    """Yield the states that make a deck, as far as `Bound` asks for it."""
    n = view.cards
    readings = readings_of(view)
    for downward in (True, False) if view.decks else ():
        options = options_in_time(n, downward)
        numbers = [at for at, way in enumerate(DOWNWARD) if way == downward]
        drawn = np.stack([in_time(readings[at], downward) for at in numbers], axis=2)  # draw, deck, reading
        columns = drawn.reshape(n - 1, -1)
        for number, column, state in chain(_nearest(columns, downward), _by_low_bits(columns, downward)):
            deck, reading = divmod(column, len(numbers))
            generator = congruential()[number]
            wrong, twice, _ = bound(generator, n)
            if not generator.makes(state, columns[:, column].tolist(), options, wrong):
                continue
            if not twice:
                yield State(numbers[reading], deck, number, state)
            elif deck ^ 1 < view.decks:
                partner = drawn[:, deck ^ 1, reading].tolist()
                for steps in (n - 1, n):
                    other = generator.later(state, -steps if deck % 2 else steps)
                    if generator.makes(other, partner, options):
                        yield State(numbers[reading], deck & ~1, number, other if deck % 2 else state)


def readings_of(view: View) -> list[NDArray[np.int16]]:
    """Return the draws of each deck by each reading; shape ``(n, B)``."""
    return [draws for statistic in DRAWS for draws in statistic.read(view)]


def in_time(draws: NDArray[np.int16], downward: bool) -> NDArray[np.int16]:
    """Return the draws of each deck in the order of time; shape ``(n - 1, B)``."""
    return draws[:0:-1] if downward else draws[1:]


def options_in_time(n: int, downward: bool) -> list[int]:
    """Return among how many numbers each draw chooses."""
    return list(range(n, 1, -1)) if downward else list(range(2, n + 1))


Drawn = NDArray[np.int16]  # (n - 1, columns): the draws of decks in time, each a column
Patterns = NDArray[np.unsignedinteger]
Candidates = Iterator[tuple[int, int, int]]  # the number of a generator, a column, a state at the first draw


def _nearest(drawn: Drawn, downward: bool) -> Candidates:
    """Yield the states whose first numbers are near the draws among the most numbers."""
    options = options_in_time(len(drawn) + 1, downward)
    for group in _groups(len(options) + 1, downward):
        terms = group.sums.shape[1]
        start = 0 if downward else len(options) - terms
        widths = np.array(options[start : start + terms])
        sums, near = group.nearest((drawn[start : start + terms] + 0.5) / widths[:, None])
        for at, column in zip(*map(np.ndarray.tolist, np.nonzero(near)), strict=True):
            state = sum(r * int(x) for r, x in zip(group.states[at], sums[at, :, column], strict=True))
            yield group.numbers[at], column, congruential()[group.numbers[at]].later(state, -start)


def _by_low_bits(drawn: Drawn, downward: bool) -> Candidates:
    """Yield the low bits of states: remainders by even numbers tell the lowest bit that a program sees of each."""
    cards = len(drawn) + 1
    for number, generator in enumerate(congruential()):
        if generator.lattices or bound(generator, cards).log_chance > USEFUL:
            continue
        told, patterns, numbers = _patterns(generator, cards, downward)
        if len(numbers) >> len(told) > MANY:
            continue
        asked = (drawn[told] % 2 << np.arange(len(told))[:, None]).sum(axis=0)
        wanted = np.zeros(2 ** len(told), bool)
        wanted[asked] = True
        met = np.flatnonzero(wanted[patterns])
        order = np.argsort(asked)
        first, end = (np.searchsorted(asked[order], patterns[met], side) for side in ("left", "right"))
        many = end - first
        columns = order[np.repeat(first - np.cumsum(many) + many, many) + np.arange(many.sum())]
        lowest = np.repeat(numbers[met], many)
        higher = np.arange(2 ** (LOW - 1), dtype=np.uint64) * np.uint64(len(numbers))
        states, columns = (lowest[:, None] + higher).ravel(), np.repeat(columns, len(higher))
        options = options_in_time(cards, downward)
        fits = _low_bits_fit(generator, states, drawn[:, columns], options)
        states, columns = states[fits], columns[fits]
        if bound(generator, cards).twice:
            later = columns + DOWNWARD.count(downward)  # the next deck, where this one is the first of two
            pairs = (divmod(columns, DOWNWARD.count(downward))[0] % 2 == 0) & (later < drawn.shape[1])
            states, columns, later = states[pairs], columns[pairs], later[pairs]
            ends = [generator.all_later(states, cards - 1 + idle) for idle in (0, 1)]
            fits = np.concatenate([_low_bits_fit(generator, end, drawn[:, later], options) for end in ends])
            states, columns = states[fits], columns[fits]
        yield from ((number, int(column), int(state)) for column, state in zip(columns, states, strict=True))


def _low_bits_fit(generator: Congruential, states: Patterns, drawn: Drawn, options: Sequence[int]) -> NDArray[np.intp]:
    """Return which states make the low bits of the draws in the same column."""
    fits = np.arange(len(states))
    for step, k in enumerate(options):
        if (low := generator.low(k)) > 1:
            seen = generator.all_later(states[fits], step) >> np.uint64(generator.dropped)
            fits = fits[seen % np.uint64(low) == drawn[step, fits] % low]
    return fits


@cache
def _patterns(generator: Congruential, cards: int, downward: bool) -> tuple[list[int], Patterns, Patterns]:
    """Return which draws tell a bit; which bits follow each state of the low bits; and these states.

    The low bits of the numbers repeat after all states of these bits (Hull and Dobell).
    """
    options = options_in_time(cards, downward)
    told = [at for at, k in enumerate(options) if generator.low(k) > 1][:PATTERN]
    size, numbers = 2 ** (generator.dropped + 1), np.zeros(1, np.uint64)
    while len(numbers) < size:
        numbers = np.concatenate([numbers, generator.all_later(numbers, len(numbers)) % np.uint64(size)])
    bits = np.resize(numbers >> np.uint64(generator.dropped), size + cards).astype(np.uint32)
    patterns = np.zeros(size, np.uint32)
    for at in reversed(told):
        patterns <<= 1
        patterns |= bits[at : at + size]
    return told, patterns, numbers


class _Group(NamedTuple):
    """Generators with lattices of the same size, for decks of one size."""

    numbers: tuple[int, ...]
    states: list[tuple[int, ...]]
    sums: Floats  # the relations; shape ``(generators, terms, terms)``
    phases: Floats  # what is added to each sum; shape ``(generators, terms, 1)``
    lower: Floats  # the relations by the widths of the draws, as a lower triangle times
    turned: Floats  # an orthogonal matrix; both are shaped as `sums`

    def nearest(self, fractions: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """Return the sums of the nearest points, less their phases, and whether these points are in reach.

        Babai's nearest plane: each sum is rounded after what the rounding of those before says of it.
        """
        rough = self.sums @ fractions - self.phases
        whole, off = np.empty_like(rough), np.zeros_like(rough)
        for at in range(rough.shape[1]):
            there = rough[:, at] + (self.lower[:, at, None, :at] @ off[:, :at])[:, 0]
            whole[:, at] = np.rint(there)
            off[:, at] = (whole[:, at] - there) / self.lower[:, at, at, None]
        near: NDArray[np.bool_] = np.all(np.abs(self.turned @ off) <= CLOSE, axis=1)
        return whole, near


@cache
def _groups(cards: int, downward: bool) -> tuple[_Group, ...]:
    fitting: dict[int, list[tuple[int, Lattice]]] = {}
    for number, generator in enumerate(congruential()):
        lattice = next((each for each in reversed(generator.lattices) if len(each.rows) < cards), None)
        if lattice and bound(generator, cards).log_chance <= USEFUL:
            fitting.setdefault(len(lattice.rows), []).append((number, lattice))
    found = []
    for terms, members in fitting.items():
        numbers, lattices = zip(*members, strict=True)
        sums = np.array([lattice.rows for lattice in lattices], float)
        options = options_in_time(cards, downward)
        widths = np.array(options[:terms] if downward else options[-terms:])
        turned, upper = np.linalg.qr((sums / widths).transpose(0, 2, 1))
        phases = np.array([_phases(congruential()[number], lattice.rows) for number, lattice in members])
        states = [lattice.state for lattice in lattices]
        found.append(_Group(numbers, states, sums, phases[:, :, None], upper.transpose(0, 2, 1), turned))
    return tuple(found)


def _phases(generator: Congruential, rows: Sequence[Sequence[int]]) -> list[float]:
    """Return what the relations of the numbers after 0 add up to, in ranges."""
    numbers = [generator.later(0, step) for step in range(len(rows))]
    return [sum(f * x for f, x in zip(row, numbers, strict=True)) / generator.modulus for row in rows]


STATISTICS = (
    GeneratorStates(
        name="states of generators",
        sees="decks that foretell the next: linear congruential generators of up to 128 bits, and sums of them",
        source="Babai, Combinatorica 6 (1986); the bound: fewer states than decks",
    ),
)
