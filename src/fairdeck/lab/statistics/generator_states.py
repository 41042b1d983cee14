"""States of generators, read off single decks, from which all later decks follow.

The draws of a shuffling program tell each number of its generator to within 1/k of the range, where the draw chose
among k numbers. For a congruential generator they tell what each of its relations adds up to, roughly, and the nearest
point of the lattice is the state (Babai). A state counts only if it makes the draws of the whole deck. There are fewer
states than decks: 2^128 at most, and 2^225 decks of 52 cards. So a fair deck has one with a chance that is computed.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from math import exp, log
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.laws.generators import LOW, Congruential, congruential
from fairdeck.lab.laws.tails import COUNT, PValue
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.statistics.draws import DOWNWARD, READINGS, readings_of
from fairdeck.lab.statistics.inversions import MOST
from fairdeck.lab.view import View

TRIED = 16  # decks of a block
PATTERN = 20  # bits of a number by which low bits are looked up
LEAST = 1e-300  # a chance
CLOSE = 0.6  # of the width of a draw: how far a number may be from the middle, with what a program drops of it

Drawn = NDArray[np.int16]  # (n - 1, columns): the draws of decks in time, each a column
Words = NDArray[np.unsignedinteger]
Candidates = Iterator[tuple[int, int, int]]  # the number of a generator, a column, a state at the first draw


class State(NamedTuple):
    """A state that makes a deck."""

    reading: int  # of the draws
    deck: int  # the number of the deck in its view
    generator: int  # its number among all
    state: int  # at the first draw


class GeneratorStates(Statistic):
    """How many decks a known generator makes, by some reading of its draws."""

    family: ClassVar[str] = "draws"
    sizes: ClassVar[range] = range(16, MOST + 1)  # enough draws, and no more than other statistics read
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
        words = f"read as {READINGS[reading]}, one state each of {generator.used} makes {{seen:.1%}} of decks; "
        words += "{expected:.2g} would be fair"
        expected = max(LEAST, exp(generator.log_chance(n, generator.needs(n))))
        means = "the state that made one deck foretells the next"
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
    chances = np.array([generator.log_chance(n, generator.needs(n)) for generator in congruential()])
    # Of independent decks, so many given ones are made with chance^times, and there are tried^times / times! choices.
    logs = np.minimum(0.0, made * (log(tried) + chances) - gammaln(made + 1))
    reading, number = map(int, np.unravel_index(np.argmin(logs), logs.shape))
    p_value = PValue(float(np.exp(logs.min())), COUNT, int(made[reading, number]))
    return reading, number, p_value.of_many(made.size)


def states(view: View) -> Iterator[State]:
    """Yield the states that make a deck, and the next one where that is needed; of remainders, their low bits."""
    readings = readings_of(view)
    for downward in (True, False) if view.decks else ():
        numbers = [at for at, way in enumerate(DOWNWARD) if way == downward]
        drawn = np.concatenate([in_time(readings[at], downward) for at in numbers], axis=1)
        for generator, column, state in chain(_nearest(drawn, downward), _by_low_bits(drawn, downward)):
            yield State(numbers[column // view.decks], column % view.decks, generator, state)


def in_time(draws: Drawn, downward: bool) -> Drawn:
    """Return the draws of each deck in the order of time; shape ``(n - 1, B)``."""
    return draws[:0:-1] if downward else draws[1:]


def options_in_time(n: int, downward: bool) -> list[int]:
    """Return among how many numbers each draw chooses."""
    return list(range(n, 1, -1)) if downward else list(range(2, n + 1))


def _lines(drawn: Drawn, downward: bool, decks: int) -> tuple[NDArray[np.intp], Drawn]:
    """Return the draws of so many decks in a row, each row a long deck, and the columns where they start."""
    of_readings = np.arange(drawn.shape[1]).reshape(DOWNWARD.count(downward), -1)
    of_readings = of_readings[:, : of_readings.shape[1] // decks * decks : decks] if decks else of_readings[:, :0]
    starts = of_readings.ravel()
    return starts, np.concatenate([drawn[:, starts + deck] for deck in range(decks or 1)])


def _nearest(drawn: Drawn, downward: bool) -> Candidates:
    """Yield the states nearest to the draws among the most numbers, if they make all draws.

    Babai's nearest plane: each sum is rounded after what the rounding of those before says of it.
    """
    options = options_in_time(len(drawn) + 1, downward)
    for (terms, decks), numbers, sums, phases, lower, turned in _lattices(len(options) + 1, downward):
        starts, line = _lines(drawn, downward, decks)
        start = 0 if downward else len(options) - terms
        widths = np.array(options[start : start + terms])[:, None]
        rough = sums @ ((line[start : start + terms] + 0.5) / widths) - phases
        whole, off = np.empty_like(rough), np.zeros_like(rough)
        for at in range(terms):
            there = rough[:, at] + (lower[:, at, None, :at] @ off[:, :at])[:, 0]
            whole[:, at] = np.rint(there)
            off[:, at] = (whole[:, at] - there) / lower[:, at, at, None]
        for at, column in np.argwhere(np.all(np.abs(turned @ off) <= CLOSE, axis=1)).tolist():
            generator = congruential()[numbers[at]]
            _, row = _lattice(generator, len(options) + 1)
            state = sum(r * int(x) for r, x in zip(row, whole[at, :, column], strict=True))
            state = generator.later(state, -start)
            # A state that repeats itself makes sorted decks.
            if state == generator.later(state, 1):
                continue
            if list(generator.draws(state, options * decks)) == line[:, column].tolist():
                yield numbers[at], int(starts[column]), state


def _lattice(generator: Congruential, cards: int) -> tuple[list[list[int]], list[int]]:
    """Return the relations of the most numbers that such a deck shows, and the row that gives the state."""
    return next(each for each in reversed(generator.lattices) if len(each[0]) < cards)


@cache
def _lattices(cards: int, downward: bool) -> list[tuple[tuple[int, int], list[int], Floats, Floats, Floats, Floats]]:
    """Return, for each size of lattices and decks that tell a state, the generators, their relations, the sums after 0.

    Also the relations by the widths of the draws, as lower triangles times orthogonal matrices.
    """
    sizes: dict[tuple[int, int], list[int]] = {}
    for number, generator in enumerate(congruential()):
        if generator.lattices and generator.needs(cards) and len(generator.lattices[0][0]) < cards:
            sizes.setdefault((len(_lattice(generator, cards)[0]), generator.needs(cards)), []).append(number)
    found = []
    for size, numbers in sizes.items():
        terms = size[0]
        generators = [congruential()[number] for number in numbers]
        sums = np.array([_lattice(each, cards)[0] for each in generators], float)
        added = [[each.later(0, step) / each.modulus for step in range(terms)] for each in generators]
        options = options_in_time(cards, downward)
        turned, upper = np.linalg.qr((sums / (options[:terms] if downward else options[-terms:])).transpose(0, 2, 1))
        found.append((size, numbers, sums, sums @ np.array(added)[:, :, None], upper.transpose(0, 2, 1), turned))
    return found


def _by_low_bits(drawn: Drawn, downward: bool) -> Candidates:
    """Yield the low bits of states: remainders by even numbers tell the lowest bit that a program sees of each."""
    cards = len(drawn) + 1
    for number, generator in enumerate(congruential()):
        decks = 0 if generator.lattices else generator.needs(cards)
        starts, line = _lines(drawn, downward, decks)
        if not line.size:
            continue
        options = options_in_time(cards, downward) * decks
        told, patterns, numbers = _patterns(generator, tuple(options))
        asked = (line[told] % 2 << np.arange(len(told))[:, None]).sum(axis=0)
        wanted = np.zeros(2 ** len(told), bool)
        wanted[asked] = True
        met = np.flatnonzero(wanted[patterns])
        order = np.argsort(asked)
        first, end = (np.searchsorted(asked[order], patterns[met], side) for side in ("left", "right"))
        many = end - first
        columns = order[np.repeat(first - np.cumsum(many) + many, many) + np.arange(many.sum())]
        higher = np.arange(2 ** (LOW - 1), dtype=np.uint64) * np.uint64(len(numbers))
        states, columns = np.add.outer(np.repeat(numbers[met], many), higher).ravel(), np.repeat(columns, len(higher))
        for step, k in enumerate(options):
            if states.size and (low := generator.low(k)) > 1:
                seen = generator.all_later(states, step) >> np.uint64(generator.dropped)
                fits = seen % np.uint64(low) == line[step, columns] % low
                states, columns = states[fits], columns[fits]
        yield from ((number, int(starts[at]), int(state)) for at, state in zip(columns, states, strict=True))


@cache
def _patterns(generator: Congruential, options: tuple[int, ...]) -> tuple[list[int], Words, Words]:
    """Return which draws tell a bit; which bits follow each state of the low bits; and these states.

    The low bits of the numbers repeat after all states of these bits (Hull and Dobell).
    """
    told = [at for at, k in enumerate(options) if generator.low(k) > 1][:PATTERN]
    size, numbers = 2 ** (generator.dropped + 1), np.zeros(1, np.uint64)
    while len(numbers) < size:
        numbers = np.concatenate([numbers, generator.all_later(numbers, len(numbers)) % np.uint64(size)])
    bits = np.resize(numbers >> np.uint64(generator.dropped), size + len(options)).astype(np.uint32)
    patterns = np.zeros(size, np.uint32)
    for at in reversed(told):
        patterns <<= 1
        patterns |= bits[at : at + size]
    return told, patterns, numbers


STATISTICS = (
    GeneratorStates(
        name="states of generators",
        sees="decks that foretell the next: linear congruential generators of up to 128 bits, sums of them, Java's",
        source="Babai, Combinatorica 6 (1986); the bound: fewer states than decks",
    ),
)
