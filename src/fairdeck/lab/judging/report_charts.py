"""The charts of a report: which card lies where, whole orders, numbers beside their laws, all p-values together."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from scipy.special import betaincinv, pdtr, pdtrc

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.document import Chart, Charts, Dot, Dots, Element, Heading, LawBars, Matrix, Squares
from fairdeck.lab.judging.report import Report
from fairdeck.lab.judging.sentences import digits, p_value_text
from fairdeck.lab.judging.tally import Member
from fairdeck.lab.judging.verdict import Weighed
from fairdeck.lab.kinds import sectors
from fairdeck.lab.laws.scalar import Law, mean_of
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.statistics.rank_histogram import bars, bin_chances, joined

MOST_CELLS, MOST_AT_A_GLANCE, MOST_BARS = 60, 26, 40
MOST_LAWS = 12
MOST_RELATIVE_LAWS = 3
MOST_NAMED = 3
SURE_CELL = 0.01  # the chance that a fair shuffle has one cell so far off, once a report has failed
BEYOND_THREE = 0.0027  # the share of a normal law beyond three standard deviations


@dataclass(frozen=True)
class _Counted:
    """A member of the battery with its counts and its p-values."""

    member: Member
    counts: Counts
    cards: int
    decks: int
    evidence: tuple[Weighed, ...]

    @property
    def name(self) -> str:
        return self.member.statistic.name

    @property
    def p_value(self) -> float:
        return min((each.evidence.p_value for each in self.evidence), default=1.0)

    @property
    def adjusted(self) -> float:
        return min((each.adjusted for each in self.evidence), default=1.0)


def _counted_members(report: Report) -> list[_Counted]:
    if report.tally is None:
        return []
    evidence: dict[tuple[str, int], list[Weighed]] = {}
    for each in report.verdict.evidence:
        evidence.setdefault((each.evidence.statistic, each.lag), []).append(each)
    return [
        _Counted(
            member,
            counts,
            report.battery.cards,
            report.tally.seen[member.lag],
            tuple(evidence.get((member.statistic.name, member.lag), ())),
        )
        for member, counts in zip(report.battery.members, report.tally.counts, strict=True)
        if report.tally.seen[member.lag]
    ]


def pictures(report: Report) -> Iterator[Element]:
    """Yield the charts of a report."""
    members = _counted_members(report)
    matrices = [_matrix(*each) for each in _matrices(report, members)]
    shown = [*matrices, *_spectra(members), *_plot(report)]
    if shown:
        yield Heading("Charts", f"{len(shown)}, and numbers beside their laws")
        yield Charts(shown)
        yield from _laws(members)


def at_a_glance(report: Report) -> Chart | None:
    """Return the picture of the first screen: the matrix whose oddest cell is no accident, else the first one."""
    level = SURE_CELL if report.verdict.outcome == "fail" else report.verdict.alpha
    drawn = [_squares(*each, level) for each in _matrices(report, _counted_members(report))]
    ringed = [chart for chart in drawn if isinstance(chart.picture, Squares) and chart.picture.ring]
    return next(iter(ringed or drawn), None)


Moments = tuple[Floats, Floats]  # of each cell in one deck: its mean and its variance


def position_moments(sizes: Floats) -> Moments:
    """Return the moments of the cards of one group (rows) at the places of another (columns): hypergeometric."""
    n = sizes.sum()
    mean = np.outer(sizes, sizes) / n
    variance = np.outer(sizes * (n - sizes), sizes * (n - sizes)) / (n * n * (n - 1))
    return mean, variance


def order_moments(sizes: Floats) -> Moments:
    """Return the moments of how many cards of one group lie below one of another: those of Mann and Whitney."""
    product = np.outer(sizes, sizes)
    variance = product * (sizes[:, None] + sizes[None, :] + 1) / 12
    np.fill_diagonal(variance, 0)
    return product / 2, variance


def neighbour_moments(sizes: Floats) -> Moments:
    """Return the moments of how many cards of one group (columns) lie directly on one of another (rows).

    That is a sum over n-1 pairs of neighbouring places. Two pairs next to each other exclude each other where the
    groups differ.
    """
    n, a, b = sizes.sum(), sizes[:, None], sizes[None, :]
    same = np.eye(len(sizes), dtype=bool)
    one = np.where(same, a * (a - 1), a * b) / (n * (n - 1))
    next_to = np.where(same, a * (a - 1) * (a - 2), 0.0) / (n * (n - 1) * (n - 2))
    far = np.where(same, a * (a - 1) * (a - 2) * (a - 3), a * (a - 1) * b * (b - 1))
    apart = far / (n * (n - 1) * (n - 2) * (n - 3))
    mean = (n - 1) * one
    return mean, mean + 2 * (n - 2) * next_to + (n - 2) * (n - 3) * apart - mean * mean


def deviations(table: Floats, decks: int, moments: Moments) -> Floats:
    """Return how far each cell is from its mean in so many decks, in standard deviations; NaN where it cannot vary."""
    mean, variance = moments
    spread = np.sqrt(np.where(variance > 1e-9, variance, np.nan) * decks)
    off: Floats = (table - mean * decks) / spread
    return off


def below(counts: Counts, decks: int) -> Counts:
    """Return how often the card of the row lies below that of the column, from the counts of the upper triangle."""
    upper = np.triu(counts, 1)
    return upper + np.tril(decks - counts.T, -1)


@dataclass(frozen=True)
class _Matrix:
    """How the counts of a statistic become a matrix."""

    title: str  # of the picture
    rows: str  # their name
    columns: str  # their name
    says: str  # what a cell tells, see `fairdeck.document.Matrix`
    table: Callable[[Counts, int], Counts]  # the counts of decks, as they stand in the matrix
    moments: Callable[[Floats], Moments]  # of the cells of one deck, from the sizes of groups
    always: bool = False  # whether it is shown without a fault as well


def _card_first(counts: Counts, _decks: int) -> Counts:
    return counts.T


AT = "card {row} at place {column}: count {seen}, "
CARD, PLACE = "card (where it started)", "place (0 is the bottom)"
MATRICES = {
    "positions": _Matrix("Which card lies where", CARD, PLACE, AT, _card_first, position_moments, always=True),
    "positions by sector": _Matrix(
        "Which part of the deck lies where", CARD, PLACE, AT, _card_first, position_moments, always=True
    ),
    "order": _Matrix(
        "Which card lies below which",
        "this card ...",
        "... lies below this one",
        "card {row} below card {column}: count {seen}, ",
        below,
        order_moments,
    ),
    "neighbours": _Matrix(
        "Which card lies on which",
        "this card ...",
        "... has this one directly above it",
        "card {column} directly on card {row}: count {seen}, ",
        lambda counts, _decks: counts,
        neighbour_moments,
    ),
}


def _matrices(report: Report, members: Sequence[_Counted]) -> Iterator[tuple[_Counted, _Matrix]]:
    """Yield the position matrix, and the matrices in which a fault was found; of each the surest lag."""
    drawn: set[tuple[str, bool]] = set()
    known = [each for each in members if each.name in MATRICES]
    known.sort(key=lambda each: (each.member.lag > 0, not MATRICES[each.name].always, each.adjusted))
    for each in known:
        lag = each.member.lag
        always = MATRICES[each.name].always and not lag
        if (each.name, lag > 0) not in drawn and (always or each.adjusted <= report.verdict.alpha):
            drawn.add((each.name, lag > 0))
            yield each, MATRICES[each.name]


def groups(cells: int, most: int = MOST_CELLS) -> Floats:
    """Return the indicators of at most `most` groups of successive cells, nearly all as large; shape ``(cells, m)``."""
    each = ceil(cells / most)
    return np.eye(ceil(cells / each))[np.arange(cells) // each]


class _Cells:
    """The cells of a matrix: what was counted, its moments, how far off it is, and the groups of rows and columns."""

    def __init__(self, each: _Counted, kind: _Matrix, most: int = MOST_CELLS) -> None:
        n, lag, table = each.cards, each.member.lag, kind.table(each.counts, each.decks).astype(float)
        by_card = len(table) == n
        indicator = groups(n, most) if by_card else np.eye(len(table))[sectors(n, len(table))]
        self.table = indicator.T @ table @ indicator if by_card else table
        self.sizes = indicator.sum(axis=0)
        self.moments = kind.moments(self.sizes)
        self.off = deviations(self.table, each.decks, self.moments)
        self.starts: list[int] = indicator.argmax(axis=0).tolist()
        spans = zip(self.starts, [*self.starts[1:], n], strict=True)
        self.names = [str(first) if end == first + 1 else f"{first} to {end - 1}" for first, end in spans]
        earlier = f", compared with the deck {'before' if lag == 1 else f'{lag} before'}" if lag else ""
        self.title, self.says = kind.title + earlier, kind.says.replace("card", "card from place") if lag else kind.says
        self.varies = self.off[np.isfinite(self.off)]
        oddest = int(np.nanargmax(np.abs(self.off))) if len(self.varies) else 0
        self.oddest = divmod(oddest, len(self.off))


def _squares(each: _Counted, kind: _Matrix, level: float) -> Chart:
    """Return a matrix at a glance, with a ring around its oddest cell and what that says, unless it is an accident."""
    cells = _Cells(each, kind, MOST_AT_A_GLANCE)
    row, column = at = cells.oddest
    seen, fair = cells.table[at], cells.moments[0][at] * each.decks
    says, ring = "No square stands out alone. Bands or patches would be a fault.", None
    if (pdtrc(seen - 1, fair) if seen > fair else pdtr(seen, fair)) * cells.off.size <= level:
        where = cells.says.partition(":")[0].format(row=cells.names[row], column=cells.names[column])
        shares = [f"{number / each.decks / cells.sizes[row]:.1%}" for number in (seen, fair)]
        says, ring = f"{where[0].upper()}{where[1:]} in {shares[0]} of decks. Fair is {shares[1]}.", at
    return Chart(cells.title, Squares(cells.off.tolist(), ring), says, says)


def _matrix(each: _Counted, kind: _Matrix) -> Chart:
    cells, n, rows, columns = _Cells(each, kind), each.cards, kind.rows, kind.columns
    if each.member.lag:
        rows = rows.replace(CARD, "place in the earlier deck").replace("card ...", "place ...")
        columns = columns.replace("this one", "this")
    off, starts, fair = cells.off, cells.starts, float(cells.moments[0][0, 1]) * each.decks
    sizes = np.abs(cells.varies)
    beyond, expected = int(np.count_nonzero(sizes >= 3)), BEYOND_THREE * len(sizes)
    caption = (
        f"Each square compares a count with the fair count, about {f'{fair:,.3g}' if fair < 100 else f'{fair:,.0f}'}. "
        f"Filled came too often, hollow too rarely. {beyond:,} of {len(sizes):,} are off by 3 standard deviations "
        f"or more; {'less than 1' if expected < 1 else f'about {expected:,.0f}'} would be fair. Patches or stripes of "
        "one kind are a fault; scattered ones are not."
    )
    if len(starts) < n:
        caption += f" Cells join {starts[1]} by {starts[1]} of {n} by {n}."
    description = f"{len(off)} by {len(off)} cells, {beyond} of them off by 3 standard deviations or more."
    if len(sizes):
        row, column = (starts[at] for at in cells.oddest)
        description += f" The oddest: row {row}, column {column}, {off[cells.oddest]:+.1f} standard deviations."
    counts = np.rint(cells.table).astype(int).tolist()
    picture = Matrix(off.tolist(), counts, cells.names, starts, (rows, columns), cells.says)
    return Chart(cells.title, picture, description, caption)


def _spectra(members: Sequence[_Counted]) -> Iterator[Chart]:
    """Yield the histogram of ranks, or of all orders where they are few."""
    for name, title in (("rank histogram", "All orders, in bins"), ("every order", "Every order")):
        for each in members:
            if each.name != name or each.member.lag or len(each.counts) < 2:
                continue
            bins = len(each.counts)
            shares = bin_chances(each.cards, bins) if name == "rank histogram" else np.full(bins, 1 / bins)
            counts, chances = joined(each.counts, shares)
            fair = f"{float(chances[0]) * each.decks:,.4g}"
            caption = (
                "Each bar counts decks. The orders are sorted as in a dictionary, by the bottom card first. "
                f"A fair shuffle gives {fair} in each bar (the line), within the band 99 times in 100. Bars that leave "
                "the band on one side over a long stretch are a fault."
            )
            description = (
                f"{len(counts)} bars of {int(counts.min()):,} to {int(counts.max()):,} decks; {fair} would be fair."
            )
            ends = ("first order", "last order")
            yield Chart(title, bars(counts, chances, ends), description, caption)
            return


def _laws(members: Sequence[_Counted]) -> Iterator[Element]:
    """Yield small charts of integers with their laws: those with the smallest p-values, most of them of decks alone."""
    scalars = [each for each in members if isinstance(each.member.statistic, Scalar) and each.counts.sum()]
    scalars.sort(key=lambda each: each.p_value)
    relative = [each for each in scalars if each.member.lag][:MOST_RELATIVE_LAWS]
    alone = [each for each in scalars if not each.member.lag][: MOST_LAWS - len(relative)]
    shown = sorted([*alone, *relative], key=lambda each: each.p_value)
    if not shown:
        return
    caption = (
        "Bars are counts; the line is the exact law of a fair shuffle. The smallest p-values come first; p is the "
        "smallest of the tests of that number alone."
    )
    title = "Numbers measured on each deck, and their laws"
    yield Charts(list(map(_law, shown)), small=True, title=title, caption=caption)


def grouped(law: Law, counts: Counts) -> tuple[list[int], Counts, Floats]:
    """Return the first value of each bar, its count and its expected count, for the values that occur."""
    decks = float(counts.sum())
    expected = law.probabilities * decks
    met = np.flatnonzero((counts > 0) | (expected >= min(0.5, decks * 1e-3)))
    first, end = int(met[0]), int(met[-1]) + 1
    at = np.arange(first, end, ceil((end - first) / MOST_BARS))
    # Where every other value is impossible, as with sums that are even, a bar holds both kinds.
    return (
        [law.low + int(each) for each in at],
        np.add.reduceat(counts[:end], at),
        np.add.reduceat(expected[:end], at),
    )


def _law(each: _Counted) -> Chart:
    statistic, lag = each.member.statistic, each.member.lag
    assert isinstance(statistic, Scalar)  # noqa: S101 - `_laws` picked them
    law = statistic.law(each.cards)
    title = statistic.name + (f", lag {lag}" if lag else "")
    says = f"mean {mean_of(law, each.counts):,.4g}, fair {law.mean:,.4g}; {p_value_text(each.p_value)}"
    starts, seen, expected = grouped(law, each.counts)
    last = law.low + len(law.weights) - 1 if len(starts) == 1 else starts[-1]
    return Chart(title, LawBars(starts, last, seen.tolist(), expected.tolist()), says, says)


def _plot(report: Report) -> Iterator[Chart]:
    evidence = report.verdict.evidence
    if len(evidence) < 5:
        return
    ranked = sorted(evidence, key=lambda each: each.evidence.p_value)
    named = [each for each in ranked if each.adjusted <= report.verdict.alpha][:MOST_NAMED] or ranked[:1]
    names = {id(each): str(at) for at, each in enumerate(named, 1)}
    dots = [Dot(each.evidence.p_value, each.name, names.get(id(each), "")) for each in ranked]
    m = len(dots)
    some = sorted({*range(min(m, 12)), *(int(k) for k in np.geomspace(1, m, 16) - 1)})
    # The k-th smallest of m p-values of fair and independent tests has the law Beta(k, m - k + 1).
    band = [(k, float(betaincinv(k + 1, m - k, 0.005)), float(betaincinv(k + 1, m - k, 0.995))) for k in some]
    title, least = "All p-values together", ranked[0]
    description = f"{len(evidence)} p-values; the smallest is {digits(least.evidence.p_value)}: {least.name}."
    caption = (
        "Each dot is a test, the smallest p-value on the right. On fair decks the dots are near the line, nearly all "
        "in the band. Dots far above it are faults; 1e-15 and less is drawn as 1e-15."
    )
    legend = "; ".join(f"{at}: {each.name}, {p_value_text(each.evidence.p_value)}" for at, each in enumerate(named, 1))
    yield Chart(title, Dots(dots, band), description, f"{caption} {legend}.")
