"""Intervals for every card at every place, as CSV.

Each line is a chance: of a card at a place (kind ``position``), or, with decks of up to five cards,
of an order after another (kind ``transition``, the chain of order 1). ``low`` to ``high`` contains the
true chance at the level of the line, 99 %; ``low_all`` to ``high_all`` do so for all lines of that kind
together. The intervals are exact (Clopper and Pearson; see `fairdeck.lab.laws.intervals`) for a number of
decks that was fixed in advance, and not for a run that stopped early because it had failed.
"""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO

from fairdeck.lab.judging.report import Report
from fairdeck.lab.laws.intervals import Intervals, position_intervals, transition_intervals
from fairdeck.permutation import unrank

HELP = "99 % confidence intervals for every card at every place, and every order after every other, as CSV"

COLUMNS = (
    *("kind", "place", "card", "from", "to"),
    *("count", "of", "share", "level", "low", "high", "low_all", "high_all"),
)


def render(report: Report) -> str:
    """Return the table with its header; places and orders start at the bottom."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    positions = report.battery.counts_of("positions", report.tally)
    if positions is not None and report.tally is not None:
        places = [str(place) for place in range(report.battery.cards)]
        lines = _lines(position_intervals(positions, report.tally.decks), places)
        writer.writerows(["position", place, card, "", "", *cells] for place, card, cells in lines)
    transitions = report.battery.counts_of("chain of order 1", report.tally)
    if transitions is not None:
        cards = report.battery.cards
        orders = [",".join(map(str, unrank(rank, cards))) for rank in range(len(transitions))]
        lines = _lines(transition_intervals(transitions), orders)
        writer.writerows(["transition", "", "", before, after, *cells] for before, after, cells in lines)
    return text.getvalue()


def _lines(found: Intervals, names: Sequence[str]) -> Iterator[tuple[str, str, list[object]]]:
    """Yield the names of a row and a column, and the numbers of their cell."""
    bounds = (found.low, found.high, found.low_all, found.high_all)
    columns = (found.counts, found.trials, found.shares, *bounds)
    rows = zip(*(column.reshape(len(names), -1).tolist() for column in columns), strict=True)
    for row, figures in zip(names, rows, strict=True):
        for column, (count, of, share, *four) in zip(names, zip(*figures, strict=True), strict=True):
            told = f"{share:.8g}" if of else ""
            yield row, column, [count, of, told, found.level, *(f"{bound:.8g}" for bound in four)]
