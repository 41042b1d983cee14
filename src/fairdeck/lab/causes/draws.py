"""A program that draws one number for each card, and how it draws it: `rand() % n`, scaled, rounded, off by one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fairdeck.bulk.shapes import Counts
from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.causes import DRAWN, Cause, Sample
from fairdeck.lab.causes.likeness import SEED, resembles, survives
from fairdeck.lab.laws.draws import DrawLaw, draw_laws, explains, log_likelihood
from fairdeck.lab.statistics.draws import READINGS, STATISTICS, Draws
from fairdeck.lab.view import deck_view
from fairdeck.permutation import inverse
from fairdeck.shuffles.fisher_yates import swapped

RANK = DRAWN
SURE = 14.0  # nats: e^14 times as likely as with fair draws, 1,200,000 to one
CLOSE = 7.0  # nats: laws whose likelihoods differ by less are not told apart
REPAIRS = {
    "modulo": "draw again when the number is in the last, incomplete range, or use a library's integer below a bound",
    "scaled": "use a library's integer below a bound, which draws again where scaling is uneven",
    "off by one": "draw j with 0 <= j <= i: every place must be possible, the place itself as well",
    "rounded": "truncate instead of rounding: floor(random() * (i + 1))",
    "clamped": "draw again instead of clamping",
    "first draw left out": "begin the loop at the last place, n - 1",
    "last draw left out": "let the loop end at place 1, not 2",
}


@dataclass(frozen=True)
class Program:
    """A program that draws by a faulty law; `number` is that of its reading among all `READINGS`."""

    number: int
    law: DrawLaw

    def decks(self, n: int, size: int) -> Decks:
        """Return decks, the same in every run; shape ``(size, n)``."""
        rng = np.random.default_rng(SEED)
        draws = [rng.choice(n, size, p=chances) for chances in self.law.chances]
        return np.array([DEALS[self.number](each) for each in np.transpose(draws).tolist()], dtype=np.int16)

    @property
    def words(self) -> str:
        """The algorithm and its draws."""
        return f"as if by {READINGS[self.number]}, with draws like {self.law.words}"


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield the programs whose draws explain all decks counted, and whose decks nothing tells from the later ones."""
    explained = sorted(_explained(sample), key=lambda each: (-round(each[0], 3), each[1].law.from_the_other_end))
    best = explained[0][0] if explained else 0.0
    likely: dict[float, Program] = {}  # several programs can make the same decks: the plainest of them is named
    for gain, program in explained:
        if gain > best - CLOSE and resembles(sample, program):
            likely.setdefault(round(gain, 3), program)
    for program in likely.values():
        repair = next((REPAIRS[kind] for kind in REPAIRS if program.law.kind.startswith(kind)), "")
        seen = f"the draws read off {max(sample.tally.decks, len(sample.decks)):,} decks follow that law"
        yield Cause(program.words, seen, repair, certain=survives(sample, program))


def _explained(sample: Sample) -> Iterator[tuple[float, Program]]:
    """Yield the programs that explain the draws read off the decks, and how much likelier they are than fair ones."""
    number = 0
    for statistic in STATISTICS:
        if not statistic.fits(sample.cards):
            return
        counts, decks = _counted(sample, statistic)
        for table, later in zip(counts, _tables(statistic, sample.later), strict=True):
            for law in draw_laws(sample.cards):
                gain = log_likelihood(table, law)
                if gain > SURE and explains(law, table, decks) and explains(law, later, len(sample.later)):
                    yield gain, Program(number, law)
            number += 1


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
