"""Draws from a generator of a library whose numbers foretell later ones."""

from collections.abc import Iterator
from functools import reduce

import numpy as np

from fairdeck.bulk.shapes import Counts
from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.causes import DRAWN, Cause, Sample
from fairdeck.lab.judging.verdict import weigh
from fairdeck.lab.laws.draws import explains, fair_draws
from fairdeck.lab.statistics.draws import READINGS
from fairdeck.lab.statistics.draws import STATISTICS as DRAWS
from fairdeck.lab.statistics.foretold_draws import COMPARED, STATISTICS, Fit, Row, fit_of, oddest, rows_of
from fairdeck.lab.view import deck_view

RANK = DRAWN
ENOUGH = 512  # decks of each half
SURE = 1e-9  # a p-value; every shuffle that fails is asked, so chance has many tries
REPAIR = "draw from the operating system's generator, such as `secrets` or `getrandom`, or seed a newer one from it"


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield the generator that fits the draws of the first decks best, if it fits those of the later ones as well."""
    statistic, n = STATISTICS[0], sample.cards
    if not statistic.fits(n):
        return
    counts, later = (_counted(decks) for decks in (sample.first, sample.later))
    at = oddest(counts, n)
    if at is None or not _fits(fit_of(counts, n, at)):
        return
    row, fit = rows_of(n)[at], fit_of(later, n, at)
    if _fits(fit) and _even(sample, row.reading):
        yield Cause(
            f"the numbers that it draws are {row.tried.says}",
            f"read as {READINGS[row.reading]}, {fit.share:.0%} of the draws of later decks are; "
            f"{fit.expected:.0%} would be fair",
            REPAIR,
            certain=_alone(sample, row),
        )


def _counted(decks: Decks) -> Counts:
    """Return the counts of some hundred decks; the statistic looks at the first decks of each block only."""
    parts = (decks[at : at + COMPARED] for at in range(0, min(len(decks), ENOUGH), COMPARED))
    return reduce(STATISTICS[0].merge, (STATISTICS[0].count(deck_view(Block(part, part[:0]))) for part in parts))


def _even(sample: Sample, reading: int) -> bool:
    """Tell whether the draws by themselves look fair: where they do not, a relation of them may be an accident."""
    view = deck_view(Block(sample.decks, sample.decks[:0]))
    tables = np.concatenate([statistic.count(view) for statistic in DRAWS])
    return explains(fair_draws(sample.cards), tables[reading], len(sample.decks))


def _alone(sample: Sample, row: Row) -> bool:
    """Tell whether numbers in equal steps are excluded: they fulfil each relation of sum 0, and show far more."""
    if sum(row.tried.relation.factors):
        return True
    odd = (each for each in weigh(sample.battery, sample.tally) if each.adjusted < SURE)
    return all(each.evidence.statistic == STATISTICS[0].name for each in odd)


def _fits(fit: Fit) -> bool:
    return fit.share > fit.expected and fit.p_value < SURE
