"""The report as one web page, with charts.

The page is one file that loads nothing else: its policy allows no request, and no script but the one that tells the
values of the charts. It can be read on a phone, in the dark, on paper and by a screen reader.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fairdeck.bulk.dtypes import Counts, Floats
from fairdeck.lab.judging.report import Report
from fairdeck.lab.judging.sentences import LEAST_SAID, ODD, UNKNOWN, about, counted, digits, fault, odds, score
from fairdeck.lab.judging.tally import Member
from fairdeck.lab.judging.verdict import Weighed
from fairdeck.lab.kinds import sectors
from fairdeck.lab.laws.scalar import mean_of
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.statistics.rank_histogram import bin_chances
from fairdeck.output import old_charts as charts
from fairdeck.output.html import Content, Html, html_page, joined, tag

HELP = "one web page with charts, which works offline and prints"
CHARTS = True
ROWS_OPEN = 40  # of the table of all tests; the others are folded

BADGES = {"fail": "Not fair", "pass": "No fault seen", "insufficient": "Too few decks to tell"}
MOST_FINDINGS = 8
MOST_LAWS = 12
MOST_RELATIVE_LAWS = 3
MOST_NAMED = 3
BEYOND_THREE = 0.0027  # the share of a normal law beyond three standard deviations


def render(report: Report) -> str:
    """Return the page."""
    parts = (_meaning, _causes, _findings, _limits, _pictures, _table, _repeating)
    return html_page(report.headline, _badge(report), joined(*(part(report) for part in parts)))


def excerpt(report: Report) -> str:
    """Return what a notebook shows of a report: the verdict, its main figures, findings and limits."""
    verdict = report.verdict
    said = verdict.findings[:MOST_FINDINGS] or verdict.limits
    return tag(
        "div",
        _badge(report),
        tag("p", tag("b", report.headline)),
        tag("p", f"{counted(verdict.decks, 'deck')} of {report.battery.cards:,} cards, {_equals(verdict.p_value)}"),
        tag("ul", (tag("li", report.says(each)) for each in said)) if said else None,
    )


def _p(p_value: float) -> Html:
    return tag("span", _equals(p_value), class_="p")


def _equals(p_value: float) -> str:
    return f"p {digits(p_value)}" if p_value < LEAST_SAID else f"p = {digits(p_value)}"


def _badge(report: Report) -> Html:
    outcome = report.verdict.outcome
    return tag("p", tag("span", BADGES[outcome], class_=f"badge {outcome}"))


def _meaning(report: Report) -> Iterator[Html]:
    verdict, tests = report.verdict, len(report.verdict.evidence)
    more = report.counted - verdict.decks
    fair = "A fair shuffle makes every order of the cards equally likely"
    fair += ", and no deck depends on the decks before it." if report.battery.lags else "."
    facts = {
        "Verdict": BADGES[verdict.outcome],
        "A fair one looks at least as odd": f"{_chance(report)[:1].upper()}{_chance(report)[1:]}",
        "Decks": f"{verdict.decks:,}",
        "More for the words and charts": f"{more:,}" if more else "",
        "Cards": f"{report.battery.cards:,}",
        "Tests": f"{tests:,}",
        "Asked only for": ", ".join(report.chosen),
        "Took": f"{report.seconds:,.1f} seconds" if report.seconds else "",
    }
    yield tag("h2", "What this means")
    yield tag("p", fair, " ", _judgement(report))
    if verdict.outcome == "fail" and not verdict.at_gate:
        mended = "Repair what the cause below names" if any(cause.repair for cause in report.causes) else "Repair it"
        yield tag(
            "p",
            tag("b", "What to do: "),
            f"{mended}, or use the shuffle of your language's library; then test again. The command is at the end.",
        )
    pairs = (tag("div", tag("dt", name), tag("dd", fact)) for name, fact in facts.items() if fact)
    yield tag("dl", pairs, class_="facts")
    yield tag(
        "p",
        "The p-value (family-wise: ",
        _p(verdict.p_value),
        f") is corrected for the number of tests and of interim analyses. The level is {_level(verdict.alpha)}: "
        f"false alarms, at most 1 in {about(1 / verdict.alpha)} fair shuffles tested like this.",
        class_="soft",
    )


def _judgement(report: Report) -> str:
    verdict = report.verdict
    if verdict.at_gate:
        return "This shuffle gave something that is not a deck. Correct that first."
    if verdict.outcome == "fail":
        return (
            f"This one does not. A fair one would look at least as odd as this {_chance(report)}: the smaller that "
            "chance, the surer the verdict. A player who knows the fault can predict more cards than chance allows."
        )
    if verdict.outcome == "pass":
        return (
            f"{counted(len(verdict.evidence), 'test')} of {verdict.analysed:,} decks of this one found nothing "
            "that a fair shuffle would not show. This is not a proof, and no test can give one: a fault smaller than "
            "those listed below may still be there."
        )
    if verdict.p_value < ODD:
        so_far = (
            f"The decks so far are odd: a fair shuffle looks like this {_chance(report)}. "
            "But so few decks prove nothing"
        )
    elif verdict.analysed:
        so_far = "Nothing odd has been seen so far, but so few decks hardly show anything"
    else:
        so_far = "The decks are too few for the tests"
    return f"{so_far}: this is neither a pass nor a fail. Test again with more decks."


def _level(alpha: float) -> str:
    return f"{alpha:f}".rstrip("0") if alpha >= 1e-4 else f"{alpha:g}".replace("e-0", "e-")


def _chance(report: Report) -> str:
    verdict = report.verdict
    if verdict.at_gate:
        return "never: it was not a deck"
    return "in most fair shuffles" if verdict.p_value > 0.5 else odds(verdict.p_value)


def _causes(report: Report) -> Iterator[Html]:
    if not report.causes:
        return
    yield tag("h2", report.about_causes)
    items = []
    for cause in report.causes:
        repair = tag("p", f"To repair it: {cause.repair}") if cause.repair else None
        items.append(tag("li", tag("b", cause.words), tag("small", cause.seen), repair))
    yield tag("ol", items, class_="findings")


def _findings(report: Report) -> Iterator[Html]:
    findings = report.verdict.findings
    if not findings:
        return
    yield tag("h2", "What is wrong" if len(findings) == 1 else f"What is wrong: {len(findings)} findings")
    if report.verdict.analysed > report.verdict.decks:
        yield tag("p", f"The plainest first, as {report.verdict.analysed:,} decks show them.", class_="soft")
    items = []
    for each in findings[:MOST_FINDINGS]:
        words = f" ({odds(each.p_value)})" if each.p_value > 1e-15 else ""
        chance: Content = [_p(each.p_value), f"{words} in this test alone"]
        chance = "no shuffle may do this" if each.at_gate else chance
        items.append(tag("li", tag("b", report.says(each)), tag("small", each.statistic, "; ", chance)))
    yield tag("ol", items, class_="findings")
    if len(findings) > MOST_FINDINGS:
        yield tag("p", f"{len(findings) - MOST_FINDINGS:,} more are in the table of all tests below.")


def _limits(report: Report) -> Iterator[Html]:
    limits = report.verdict.limits
    if not limits and report.verdict.outcome != "pass":
        return
    yield tag("h2", "What would have been seen")
    yield tag("p", "A fault of this size would have been found in about 99 of 100 runs:" if limits else UNKNOWN)
    yield tag("ul", (tag("li", report.says(limit)) for limit in limits))


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


def _counted(report: Report) -> list[_Counted]:
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


def _pictures(report: Report) -> Iterator[Html]:
    counted = _counted(report)
    figures = [*_matrices(report, counted), *_spectra(counted), *_plot(report)]
    if figures:
        yield tag("h2", "Charts")
        yield tag("div", figures, class_="pictures")
        yield from _laws(counted)


def _figure(title: str, picture: Html, *caption: Content) -> Html:
    return tag("figure", tag("h3", title), picture, tag("figcaption", *caption))


@dataclass(frozen=True)
class _Matrix:
    """How the counts of a statistic become a matrix.

    Attributes:
        title, rows, columns: its words.
        deviations: the standardised deviations of the counts in groups.
        seen: the counts in groups.
        says: what a cell tells, see `charts.Cells`.
        always: whether it is shown without a fault as well.
        half: whether a fair shuffle gives each count in half of the decks; else in one of `cards`.
    """

    title: str
    rows: str
    columns: str
    deviations: Callable[[Counts, int, Floats], Floats]
    seen: Callable[[Counts, int, Floats], Floats]
    says: str
    always: bool = False
    half: bool = False

    def fair(self, each: _Counted, indicator: Floats) -> float:
        """Return the fair count of a cell: the first, if they differ."""
        size = float(indicator[:, 0].sum())
        return each.decks * size * size * (0.5 if self.half else 1 / each.cards)


def _of_sectors(counts: Counts, decks: int, indicator: Floats) -> Floats:
    return charts.sector_off(counts.T.astype(float), decks, indicator.sum(axis=0))


def _placed(counts: Counts, _decks: int, indicator: Floats) -> Floats:
    return indicator.T @ counts.T @ indicator


def _next_to(counts: Counts, _decks: int, indicator: Floats) -> Floats:
    return indicator.T @ counts @ indicator


def _lower(counts: Counts, decks: int, indicator: Floats) -> Floats:
    return indicator.T @ charts.below(counts, decks) @ indicator


AT = "card {row} at place {column}: count {seen}, "
CARD, PLACE = "card (where it started)", "place (0 is the bottom)"
MATRICES = {
    "positions": _Matrix("Which card lies where", CARD, PLACE, charts.position_off, _placed, AT, always=True),
    "positions by sector": _Matrix(
        "Which part of the deck lies where",
        CARD,
        PLACE,
        _of_sectors,
        lambda counts, _decks, _indicator: counts.T.astype(float),
        AT,
        always=True,
    ),
    "order": _Matrix(
        "Which card lies below which",
        "this card ...",
        "... lies below this one",
        charts.order_off,
        _lower,
        "card {row} below card {column}: count {seen}, ",
        half=True,
    ),
    "neighbours": _Matrix(
        "Which card lies on which",
        "this card ...",
        "... has this one directly above it",
        charts.neighbour_off,
        _next_to,
        "card {column} directly on card {row}: count {seen}, ",
    ),
}


def _matrices(report: Report, counted: Sequence[_Counted]) -> Iterator[Html]:
    """Yield the position matrix, and the matrices in which a fault was found; of each the surest lag."""
    drawn: set[tuple[str, bool]] = set()
    known = [each for each in counted if each.name in MATRICES]
    known.sort(key=lambda each: (each.member.lag > 0, not MATRICES[each.name].always, each.adjusted))
    for each in known:
        lag = each.member.lag
        always = MATRICES[each.name].always and not lag
        if (each.name, lag > 0) not in drawn and (always or each.adjusted <= report.verdict.alpha):
            drawn.add((each.name, lag > 0))
            yield _matrix(each, MATRICES[each.name])


def _groups(each: _Counted) -> tuple[list[int], Floats]:
    if len(each.counts) == each.cards:
        return charts.groups(each.cards)
    parts = sectors(each.cards, len(each.counts))
    return np.flatnonzero(np.diff(parts, prepend=-1)).tolist(), np.eye(len(each.counts))[parts]


def _matrix(each: _Counted, kind: _Matrix) -> Html:
    lag, n = each.member.lag, each.cards
    title, rows, columns = kind.title, kind.rows, kind.columns
    if lag:
        title += f", compared with the deck {'before' if lag == 1 else f'{lag} before'}"
        rows = rows.replace(CARD, "place in the earlier deck").replace("card ...", "place ...")
        columns = columns.replace("this one", "this")
    starts, indicator = _groups(each)
    off = kind.deviations(each.counts, each.decks, indicator)
    sizes = np.abs(off[np.isfinite(off)])
    beyond, expected = int(np.count_nonzero(sizes >= 3)), BEYOND_THREE * len(sizes)
    fair = kind.fair(each, indicator)
    caption = (
        f"Each cell compares a count with the fair count, about {f'{fair:,.3g}' if fair < 100 else f'{fair:,.0f}'}. "
        f"Orange came too often, blue too rarely. {beyond:,} of {len(sizes):,} cells are off by 3 standard deviations "
        f"or more; {'less than 1' if expected < 1 else f'about {expected:,.0f}'} would be fair. Patches or stripes of "
        "one colour are a fault; scattered specks are not."
    )
    if len(starts) < n:
        caption += f" Cells join {starts[1]} by {starts[1]} of {n} by {n}."
    ends = [*starts[1:], n]
    names = [
        str(first) if end == first + 1 else f"{first} to {end - 1}" for first, end in zip(starts, ends, strict=True)
    ]
    says = kind.says.replace("card", "card from place") if lag else kind.says
    cells = charts.Cells(kind.seen(each.counts, each.decks, indicator), names, says)
    description = f"{len(off)} by {len(off)} cells, {beyond} of them off by 3 standard deviations or more."
    if len(sizes):
        worst = np.unravel_index(int(np.nanargmax(np.abs(off))), off.shape)
        row, column = (starts[int(at)] for at in worst)
        description += f" The oddest: row {row}, column {column}, {off[worst]:+.1f} standard deviations."
    key = f"{each.name.replace(' ', '-')}-{lag}"
    return _figure(title, charts.matrix(key, off, (title, description), (rows, columns), starts, cells), caption)


def _spectra(counted: Sequence[_Counted]) -> Iterator[Html]:
    """Yield the histogram of ranks, or of all orders where they are few."""
    for name, title in (("rank histogram", "All orders, in bins"), ("every order", "Every order")):
        for each in counted:
            if each.name != name or each.member.lag or len(each.counts) < 2:
                continue
            bins = len(each.counts)
            shares = bin_chances(each.cards, bins) if name == "rank histogram" else np.full(bins, 1 / bins)
            counts, chances = charts.joined(each.counts, shares)
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
            yield _figure(title, charts.spectrum("ranks", counts, chances, (title, description), ends), caption)
            return


def _laws(counted: Sequence[_Counted]) -> Iterator[Html]:
    """Yield small charts of integers with their laws: those with the smallest p-values, most of them of decks alone."""
    scalars = [each for each in counted if isinstance(each.member.statistic, Scalar) and each.counts.sum()]
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
    charts_of_laws = tag("ul", (_law(at, each) for at, each in enumerate(shown)), class_="small")
    yield tag(
        "figure", tag("h3", "Numbers measured on each deck, and their laws"), tag("figcaption", caption), charts_of_laws
    )


def _law(at: int, each: _Counted) -> Html:
    statistic, lag = each.member.statistic, each.member.lag
    assert isinstance(statistic, Scalar)  # noqa: S101 - `_laws` picked them
    law = statistic.law(each.cards)
    title = statistic.name + (f", lag {lag}" if lag else "")
    mean = f"mean {mean_of(law, each.counts):,.4g}, fair {law.mean:,.4g}"
    picture = charts.scalar(f"law-{at}", law, each.counts, (title, f"{mean}; {_equals(each.p_value)}"))
    return tag("li", tag("h4", title), picture, tag("p", mean, Html("<br>"), _p(each.p_value), class_="soft"))


def _plot(report: Report) -> Iterator[Html]:
    evidence = report.verdict.evidence
    if len(evidence) < 5:
        return
    ranked = sorted(evidence, key=lambda each: each.evidence.p_value)
    named = [each for each in ranked if each.adjusted <= report.verdict.alpha][:MOST_NAMED] or ranked[:1]
    names = {id(each): str(at) for at, each in enumerate(named, 1)}
    dots = [charts.Dot(each.evidence.p_value, names.get(id(each), ""), each.name) for each in evidence]
    title, least = "All p-values together", ranked[0]
    description = f"{len(evidence)} p-values; the smallest is {digits(least.evidence.p_value)}: {least.name}."
    caption = (
        "Each dot is a test, the smallest p-value on the right. On fair decks the dots are near the line, nearly all "
        "in the band. Dots far above it are faults; 1e-15 and less is drawn as 1e-15."
    )
    legend = ([Html("<br>"), f"{at}: {each.name}, ", _p(each.evidence.p_value)] for at, each in enumerate(named, 1))
    yield _figure(title, charts.p_values("p-values", dots, (title, description)), caption, legend)


def _table(report: Report) -> Iterator[Html]:
    evidence = sorted(report.verdict.evidence, key=lambda each: (each.adjusted, each.evidence.p_value))
    if not evidence:
        return
    yield tag("h2", "All tests", id="tests")
    yield tag(
        "p",
        "Smallest first. p: the chance of something as odd in this one test. Adjusted: corrected for all tests and "
        f"interim analyses (weighted Holm); a fault where it is {_level(report.verdict.alpha)} or less. "
        "Statistic: what p was read from; χ² has its degrees of freedom in parentheses.",
        class_="soft",
    )
    yield _tests_table(report, "The first of them", evidence[:ROWS_OPEN])
    if rest := evidence[ROWS_OPEN:]:
        more = f"{len(rest)} more"
        yield tag("details", tag("summary", more), _tests_table(report, more, rest))


def _tests_table(report: Report, name: str, evidence: Sequence[Weighed]) -> Html:
    heads = [tag("th", head, scope="col") for head in ("Test", "Family", "Statistic")]
    heads += [tag("th", head, scope="col", class_="number") for head in ("p", "Adjusted")]
    rows = []
    for each in evidence:
        faulty = each.adjusted <= report.verdict.alpha
        figures = (tag("td", digits(p), class_="number") for p in (each.evidence.p_value, each.adjusted))
        cells = [
            tag("th", each.name, scope="row"),
            tag("td", each.family),
            tag("td", score(each.evidence.p_value), class_="score"),
            figures,
        ]
        rows.append(tag("tr", cells, class_="fault" if faulty else "fine"))
        if faulty:
            rows.append(tag("tr", tag("td", fault(each, report.labels), colspan="5"), class_="says"))
    table = tag("table", tag("caption", name), tag("thead", tag("tr", heads)), tag("tbody", rows))
    return tag("div", table, class_="scroll", role="region", aria_label=name, tabindex="0")


def _repeating(report: Report) -> Iterator[Html]:
    yield tag("h2", "How to repeat it")
    if report.command:
        yield tag("pre", tag("code", report.command))
        again = "The same versions give the same figures, digit for digit, on any number of cores."
        if report.seed is None:
            again = "It counts new decks, unless the program takes its randomness from FAIRDECK_SEED."
        yield tag("p", again, class_="soft")
    for note in report.remarks:
        yield tag("p", "Note: ", note)
    made = {
        "shuffle": report.shuffle,
        "seed": "none: the decks came from elsewhere" if report.seed is None else f"{report.seed:x}",
        "each deck starts": report.start or "as the source of the decks decides",
        "lags": str(report.battery.lags),
        **({"standard": f"{report.standard.title} ({report.standard.name})"} if report.standard else {}),
        **report.environment,
    }
    yield tag("dl", ([tag("dt", name), tag("dd", tag("code", value))] for name, value in made.items()), class_="made")
