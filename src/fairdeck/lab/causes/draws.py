"""A program that draws one number for each card, and how it draws it: `rand() % n`, scaled, rounded, off by one.

How many values the random numbers have is fitted: it may be any number, and a power of two or of ten is named as such
if it is as likely.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
from scipy.special import chdtri

from fairdeck.bulk.shapes import Counts, Floats, card_type
from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.causes import CLOSE, DRAWN, Cause, Sample
from fairdeck.lab.causes.likeness import FIT, SEED, look_fair, misfit, moments, survives
from fairdeck.lab.laws.draws import (
    BINS,
    NUMBERS,
    DrawLaw,
    both_ends,
    draw_laws,
    explains,
    fair_draws,
    log_likelihood,
    modulo,
    of_bits,
    of_density,
    of_ends,
    of_reach,
    scaled,
)
from fairdeck.lab.statistics.draws import READINGS, STATISTICS, Draws
from fairdeck.lab.view import deck_view
from fairdeck.permutation import inverse
from fairdeck.shuffles.fisher_yates import swapped

RANK = DRAWN
ALIKE = 512  # of the later decks are compared with those of a program
SURE = 14.0  # nats: e^14 times as likely as with fair draws, 1,200,000 to one
SURE_OF_ANY = 21.0  # nats: some 65,000 laws are tried
OF_A_DECK = 0.1  # nats: a single number that never comes tells less
STRONG = 1_500.0  # nats: fifteen times what chance leaves unexplained, or more
MOST_VALUES = 2_048  # of the numbers drawn: more are told only if they are a power of two or of ten
WITHIN = float(chdtri(1, 0.01)) / 2  # nats: the interval of the number of values, at confidence 99 %
FITTED = "modulo", "scaled"
REPAIRS = {
    "modulo": "draw again when the number is in the last, incomplete range, or use a library's integer below a bound",
    "scaled": "use a library's integer below a bound, which draws again where scaling is uneven",
    "off by one": "draw j with 0 <= j <= i: every place must be possible, the place itself as well",
    "rounded": "truncate instead of rounding: floor(random() * (i + 1))",
    "clamped": "draw again instead of clamping",
    "draws left out": "draw once for each number of places: n, n - 1, ..., 2",
    "bound drawn": "draw the end of the loop once, before it",
    "reach": "draw among all places that are left: the first and the last number have to be possible",
    "ends": "truncate instead of rounding or clamping: floor(random() * m) for m places",
    "mean of two": "draw one number: a mean of two is not even",
    "density": "make all numbers as likely: look for a wrong divisor, or for a sum or the least of several numbers",
}


Programs = Callable[[int, Counts], "Iterator[Program]"]  # the number of a reading, and its draws -> what may make them


@dataclass(frozen=True, eq=False)
class Program:
    """A program that draws by a faulty law; `number` is that of its reading among all `READINGS`."""

    number: int
    law: DrawLaw
    gain: float  # nats: how much likelier the draws counted are than fair ones
    values: tuple[float, float, float] | None = None  # of the numbers drawn: the likeliest, the least, the most

    def __call__(self, size: int, rng: np.random.Generator) -> Decks:
        """Return decks of it."""
        n = len(self.law.chances)
        draws = [rng.choice(n, size, p=chances) for chances in self.law.chances]
        return np.array([DEALS[self.number](each) for each in np.transpose(draws).tolist()], card_type(n))

    def agrees(self, decks: Decks) -> bool:
        """Tell whether the draws read off decks follow its law."""
        statistic, at = [(each, at) for each in STATISTICS for at in range(len(each.readings))][self.number]
        return explains(self.law, _tables(statistic, decks)[at], len(decks))

    @property
    def words(self) -> str:
        """The algorithm and its draws."""
        return f"as if by {READINGS[self.number]}, with draws like {self.law.words}"


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield the programs whose draws explain all decks counted, and whose decks nothing tells from the later ones."""
    yield from _told(sample, _likeliest)


def last(sample: Sample) -> Iterator[Cause]:
    """Yield the programs whose draws follow a fitted law. It comes near many a fault, so it is asked after these."""
    for cause in _told(sample, _fitted):
        yield replace(cause, law=None)


def _told(sample: Sample, programs_of: Programs) -> Iterator[Cause]:
    programs = _alike(sample, programs_of)
    # Where decks show more than their draws, other families may explain them as well: a contest decides.
    contested = not look_fair(sample.later)
    alone = len(programs) == 1 and (contested or survives(sample, programs[0]))
    for program in programs:
        plain = not program.values or program.law.bits or program.law.values in NUMBERS
        plain = plain and (not program.law.numbers or program.gain > STRONG)
        certain = bool(alone and plain)  # a mixture of other faults may come near one of so many laws
        if not alone and program.values and not program.law.bits:
            continue  # of so many laws, one is near by accident
        repair = next((REPAIRS[kind] for kind in REPAIRS if program.law.kind.startswith(kind)), "")
        seen = f"the draws read off {max(sample.tally.decks, len(sample.decks)):,} decks follow that law"
        values = {"values": program.values} if program.values else dict(program.law.numbers)
        cause = Cause(program.words, seen, repair, certain=certain, numbers=values, slow=True)
        yield replace(cause, make=program, law=program.agrees) if contested else cause


def _alike(sample: Sample, programs: Programs) -> list[Program]:
    """Return the programs that explain the decks and make some like the later ones; the plainest of those that tie."""
    explained = sorted(
        _explained(sample, programs), key=lambda each: (-round(each.gain, 3), each.law.from_the_other_end)
    )
    later, likely = sample.later[:ALIKE], dict[float, Program]()
    for program in explained:
        close = program.gain > explained[0].gain - (BINS if program.law.numbers else CLOSE)
        if close and round(program.gain, 3) not in likely:
            made = moments(program(len(later), np.random.default_rng(SEED)))
            if misfit(moments(later), made) < FIT:
                likely[round(program.gain, 3)] = program
    # A law of numbers with ever more bits comes near that of its kind without bits, which is plainer.
    whole = {program.law.kind for program in likely.values() if not program.law.bits}
    return [program for program in likely.values() if not program.law.bits or program.law.kind not in whole]


def _explained(sample: Sample, programs: Programs) -> Iterator[Program]:
    """Yield the programs that explain the draws read off the decks."""
    number, n = 0, sample.cards
    for statistic in STATISTICS:
        if not statistic.fits(n):
            return
        counts, decks = _counted(sample, statistic)
        later: Counts | None = None
        for at, table in enumerate(counts):
            for program in programs(number, table):
                if explains(program.law, table, decks):
                    later = _tables(statistic, sample.later) if later is None else later
                    if explains(program.law, later[at], len(sample.later)):
                        yield program
            number += 1


def _fitted(number: int, table: Counts) -> Iterator[Program]:
    if explains(fair_draws(len(table)), table, int(table[1].sum())):
        return
    for law, fitted in ((of_ends(table), 0), (of_density(table), BINS)):
        if (gain := log_likelihood(table, law)) > SURE_OF_ANY + fitted:
            yield Program(number, law, gain)


def _likeliest(number: int, table: Counts) -> Iterator[Program]:
    """Yield the programs of a reading that are likelier than fair draws; of each kind, one number of values."""
    for law in draw_laws(len(table)):
        if law.values not in range(1, MOST_VALUES + 1) and (gain := log_likelihood(table, law)) > SURE:
            yield Program(number, law, gain)
    if (gain := log_likelihood(table, reach := of_reach(table))) > SURE_OF_ANY + OF_A_DECK * table[1].sum():
        yield Program(number, reach, gain)
    for kind in FITTED:
        for turned in (False, True):
            values, gains = fitted(kind, table, turned=turned)
            if (best := gains.max()) > SURE:
                likely = values[gains > best - WITHIN]
                law = _of_values(kind, int(values[gains.argmax()]), likely, len(table), turned=turned)
                interval = float(law.values), float(likely[0]), float(likely[-1])
                if (gain := log_likelihood(table, law)) > (SURE if law.bits else SURE_OF_ANY):
                    yield Program(number, law, gain, interval)


def fitted(kind: str, table: Counts, *, turned: bool) -> tuple[Counts, Floats]:
    """Return numbers of values, and how much likelier than fair draws theirs are, in nats."""
    values, gains = np.arange(1, MOST_VALUES + 1), np.zeros(MOST_VALUES)
    for size, (rest, one_more, logs) in _rows(kind, len(table)).items():
        counts = table[size - 1, size - 1 :: -1] if turned else table[size - 1, :size]
        often = (one_more @ counts)[rest]
        gains += often * logs[1] + (counts.sum() - often) * logs[0]
    return values, gains


@cache
def _rows(kind: str, n: int) -> dict[int, tuple[Counts, Counts, Floats]]:
    """Return of each size, for `fitted`: the remainder r of each number of values, which draws have one more, and logs.

    A draw is made by `each` of the values, or by one more. Which of them have one more depends on r alone.
    """
    values, rows = np.arange(1, MOST_VALUES + 1), {}
    for size in range(2, n + 1):
        each, rest = np.divmod(values, size)
        draw, r = np.arange(size + 1), np.arange(size)[:, None]
        one_more = draw[:-1] < r if kind == "modulo" else np.diff(-(-draw * r // size), axis=1)
        chances = np.maximum(np.stack([each, each + 1]) * size / values, 1e-30)
        rows[size] = rest, one_more.astype(int), np.log(chances)
    return rows


def _of_values(kind: str, best: int, likely: Counts, n: int, *, turned: bool) -> DrawLaw:
    """Return the law of the likeliest number of values; of a power of two or of ten, if one is as likely."""
    whole = [each for each in likely.tolist() if each.bit_count() == 1]
    if whole:
        return list(of_bits(kind, [whole[0].bit_length() - 1], n))[turned]
    best = next((each for each in (100, 1_000) if each in likely), best)
    about = f"{best:,}" if len(likely) == 1 else f"about {best:,} ({likely[0]:,} to {likely[-1]:,})"
    code = "`rand() % n`" if kind == "modulo" else f"`rand() * n / {best}`"
    row = partial(modulo if kind == "modulo" else scaled, best)
    return list(both_ends(f"{kind} of {best}", 0, f"{code} with random numbers below {about}", n, row))[turned]


def _counted(sample: Sample, statistic: Draws) -> tuple[Counts, int]:
    """Return the draws of all decks counted, if the battery has this statistic; else of the sample's first half."""
    counts = sample.battery.counts_of(statistic.name, sample.tally)
    if counts is not None and sample.tally.decks >= len(sample.first):
        return counts, sample.tally.decks
    return _tables(statistic, sample.first), len(sample.first)


def _tables(statistic: Draws, decks: Decks) -> Counts:
    return statistic.count(deck_view(Block(decks, decks[:0])))


def _by_swaps_from_the_top(draws: list[int]) -> list[int]:
    return swapped(len(draws), draws.__getitem__)


def _by_swaps_from_the_bottom(draws: list[int]) -> list[int]:
    last = len(draws) - 1
    return swapped(last + 1, lambda place: place + draws[last - place], range(last))


def _taken_out(draws: list[int]) -> list[int]:
    left = list(range(len(draws)))
    return [left.pop(draw) for draw in reversed(draws)]


def _inserted(draws: list[int]) -> list[int]:
    deck: list[int] = []
    for card, place in enumerate(draws):
        deck.insert(place, card)
    return deck


def _turned(deck: list[int]) -> list[int]:
    """Return the deck with its cards counted from the other end."""
    return [len(deck) - 1 - card for card in deck]


# How each makes a deck from its draws, in the order of the readings.
DEALS: tuple[Callable[[list[int]], Sequence[int]], ...] = (
    _by_swaps_from_the_top,
    lambda draws: inverse(_by_swaps_from_the_top(draws)),
    _by_swaps_from_the_bottom,
    lambda draws: inverse(_by_swaps_from_the_bottom(draws)),
    _taken_out,
    lambda draws: _taken_out(draws)[::-1],
    _inserted,
    lambda draws: _turned(_inserted(draws)),
)
