"""What a report says, as a document: the verdict, causes and faults, what would have been seen, charts, all tests."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from shlex import quote

import numpy as np
from scipy.special import betaincinv

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.document import (
    Chart,
    Charts,
    Details,
    Document,
    Dot,
    Dots,
    Element,
    Fact,
    Facts,
    Heading,
    Item,
    Items,
    LawBars,
    Matrix,
    Note,
    Sentence,
    Table,
)
from fairdeck.lab.judging.deviations import (
    below,
    grouped,
    groups,
    neighbour_off,
    order_off,
    position_off,
    sector_off,
)
from fairdeck.lab.judging.report import MOST_FINDINGS, Report
from fairdeck.lab.judging.sentences import ODD, UNKNOWN, about, counted, digits, fault, odds, p_value_text, score
from fairdeck.lab.judging.tally import Member
from fairdeck.lab.judging.verdict import Finding, Weighed
from fairdeck.lab.kinds import sectors
from fairdeck.lab.laws.scalar import mean_of
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.statistics.rank_histogram import bars, bin_chances, joined

TESTS_IN_TERMINAL, TESTS_OPEN = 12, 40  # of the table of all tests; a page folds the others
MOST_LAWS = 12
MOST_RELATIVE_LAWS = 3
MOST_NAMED = 3
BEYOND_THREE = 0.0027  # the share of a normal law beyond three standard deviations
LEAST_IN_WORDS = 1e-15  # smaller p-values say more as numbers


def document(report: Report, everything: bool = False, *, charts: bool = True) -> Document:
    """Return what a report says.

    Args:
        report: of a test.
        everything: whether a terminal shows all tests, and not only those with the smallest p-values.
        charts: whether pictures are wanted, which take some time to compute.
    """
    headline = report.headline  # which looks for the cause
    pictures = _pictures(report) if charts else ()
    return Document(
        headline,
        [
            *_meaning(report),
            *_facts(report),
            *_causes(report),
            *_findings(report),
            *_limits(report),
            *pictures,
            *_tests(report, everything),
        ],
        command=report.command,
        repeating=list(_repeating(report)),
        outcome=report.verdict.outcome,
    )


def _meaning(report: Report) -> Iterator[Element]:
    verdict = report.verdict
    fair = "A fair shuffle makes every order of the cards equally likely"
    fair += ", and no deck depends on the decks before it." if report.battery.lags else "."
    yield Note(f"{fair} {_judgement(report)}", small=False)
    if verdict.outcome == "fail" and not verdict.at_gate:
        mended = "Repair what the cause below names" if any(cause.repair for cause in report.causes) else "Repair it"
        yield Note(
            f"{mended}, or use the shuffle of your language's library; then test again. The command is at the end.",
            small=False,
            label="what to do",
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


def _facts(report: Report) -> Iterator[Element]:
    verdict, lags = report.verdict, report.battery.lags
    facts = [Fact("verdict", verdict.outcome.upper(), f", {_how_sure(report)}")]
    more = report.counted - verdict.decks
    after = f", then {more:,} more for the words and charts" if more else ""
    took = f", in {report.seconds:.1f} s" if report.seconds else ""  # not known of a stored run
    cards = f" of {report.battery.cards:,} cards{after}{took}"
    facts.append(Fact("counted", counted(verdict.decks, "deck"), cards))
    if verdict.evidence:
        families = counted(len({weighed.family for weighed in verdict.evidence}), "family")
        only = f"; only {', '.join(report.chosen)}" if report.chosen else ""
        tests = f" in {families}, at lags up to {lags}{only}"
        facts.append(Fact("asked", counted(len(verdict.evidence), "test"), tests))
    yield Facts(facts)
    if kept := report.record:
        yield Sentence(f"run {kept.number} in {kept.store}, registered as {kept.digest[:16]}...", "stored")
        if report.cut_short:
            which = f" --run {kept.number}" if kept.number > 1 else ""
            yield Sentence(f"fairdeck test --resume {quote(kept.store)}{which}", "resume")
    yield from (Sentence(remark, "note") for remark in report.remarks)
    yield Note(
        f"The p-value (family-wise: {p_value_text(verdict.p_value)}) is corrected for the number of tests and of "
        f"interim analyses. The level is {_level(verdict.alpha)}: false alarms, at most 1 in "
        f"{about(1 / verdict.alpha)} fair shuffles tested like this."
    )


def _how_sure(report: Report) -> str:
    verdict = report.verdict
    if verdict.at_gate:
        return "what it gives is not always a deck"
    false_alarms = f"false alarms: at most {odds(verdict.alpha, 'runs')}"
    return f"{p_value_text(verdict.p_value)}, corrected for all tests and analyses; {false_alarms}"


def _causes(report: Report) -> Iterator[Element]:
    if not report.causes:
        yield from [Sentence(f"{report.about_causes}.")] if report.about_causes else []
        return
    yield Heading(report.about_causes)
    items = [
        Item(cause.words, [cause.seen, *([f"to repair it: {cause.repair}"] if cause.repair else [])])
        for cause in report.causes
    ]
    yield Items(items, ranked=True)


def _findings(report: Report) -> Iterator[Element]:
    verdict = report.verdict
    if not verdict.findings:
        return
    seen = f" (seen in {verdict.analysed:,} decks)" if verdict.analysed > verdict.decks else ""
    yield Heading(f"What is wrong, plainest first{seen}" if len(verdict.findings) > 1 else f"What is wrong{seen}")
    yield Items(
        [
            Item(report.says(finding), mark=_mark(finding.p_value), small=_in_this_test(finding))
            for finding in verdict.findings[:MOST_FINDINGS]
        ],
        ranked=True,
    )
    if (more := len(verdict.findings) - MOST_FINDINGS) > 0:
        yield Sentence(f"{more:,} more are in the table of all tests; a terminal shows all of it with --all.")


def _in_this_test(finding: Finding) -> str:
    if finding.at_gate:
        return f"{finding.statistic}; no shuffle may do this"
    words = f" ({odds(finding.p_value)})" if finding.p_value > LEAST_IN_WORDS else ""
    return f"{finding.statistic}; {p_value_text(finding.p_value)}{words} in this test alone"


def _limits(report: Report) -> Iterator[Element]:
    limits = report.verdict.limits
    if not limits and report.verdict.outcome != "pass":
        return
    yield Heading("What would have been seen")
    yield Sentence("A fault of this size would have been found in about 99 of 100 runs:" if limits else UNKNOWN)
    if limits:
        yield Items([Item(report.says(limit), mark=f"{limit.family:<12}") for limit in limits])


# --- the charts


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


def _pictures(report: Report) -> Iterator[Element]:
    members = _counted_members(report)
    shown = [*_matrices(report, members), *_spectra(members), *_plot(report)]
    if shown:
        yield Heading("Charts")
        yield Charts(shown)
        yield from _laws(members)


@dataclass(frozen=True)
class _Matrix:
    """How the counts of a statistic become a matrix.

    Attributes:
        title, rows, columns: its words.
        deviations: the standardised deviations of the counts in groups.
        seen: the counts in groups.
        says: what a cell tells, see `fairdeck.document.Matrix`.
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
    return sector_off(counts.T.astype(float), decks, indicator.sum(axis=0))


def _placed(counts: Counts, _decks: int, indicator: Floats) -> Floats:
    return indicator.T @ counts.T @ indicator


def _next_to(counts: Counts, _decks: int, indicator: Floats) -> Floats:
    return indicator.T @ counts @ indicator


def _lower(counts: Counts, decks: int, indicator: Floats) -> Floats:
    return indicator.T @ below(counts, decks) @ indicator


AT = "card {row} at place {column}: count {seen}, "
CARD, PLACE = "card (where it started)", "place (0 is the bottom)"
MATRICES = {
    "positions": _Matrix("Which card lies where", CARD, PLACE, position_off, _placed, AT, always=True),
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
        order_off,
        _lower,
        "card {row} below card {column}: count {seen}, ",
        half=True,
    ),
    "neighbours": _Matrix(
        "Which card lies on which",
        "this card ...",
        "... has this one directly above it",
        neighbour_off,
        _next_to,
        "card {column} directly on card {row}: count {seen}, ",
    ),
}


def _matrices(report: Report, members: Sequence[_Counted]) -> Iterator[Chart]:
    """Yield the position matrix, and the matrices in which a fault was found; of each the surest lag."""
    drawn: set[tuple[str, bool]] = set()
    known = [each for each in members if each.name in MATRICES]
    known.sort(key=lambda each: (each.member.lag > 0, not MATRICES[each.name].always, each.adjusted))
    for each in known:
        lag = each.member.lag
        always = MATRICES[each.name].always and not lag
        if (each.name, lag > 0) not in drawn and (always or each.adjusted <= report.verdict.alpha):
            drawn.add((each.name, lag > 0))
            yield _matrix(each, MATRICES[each.name])


def _groups(each: _Counted) -> tuple[list[int], Floats]:
    if len(each.counts) == each.cards:
        return groups(each.cards)
    parts = sectors(each.cards, len(each.counts))
    return np.flatnonzero(np.diff(parts, prepend=-1)).tolist(), np.eye(len(each.counts))[parts]


def _matrix(each: _Counted, kind: _Matrix) -> Chart:
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
    counts = np.rint(kind.seen(each.counts, each.decks, indicator)).astype(int)
    description = f"{len(off)} by {len(off)} cells, {beyond} of them off by 3 standard deviations or more."
    if len(sizes):
        worst = np.unravel_index(int(np.nanargmax(np.abs(off))), off.shape)
        row, column = (starts[int(at)] for at in worst)
        description += f" The oddest: row {row}, column {column}, {off[worst]:+.1f} standard deviations."
    picture = Matrix(off.tolist(), counts.tolist(), names, starts, (rows, columns), says)
    return Chart(title, picture, description, caption)


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


# --- the table of all tests


def _tests(report: Report, everything: bool) -> Iterator[Element]:
    evidence = sorted(report.verdict.evidence, key=lambda weighed: (weighed.adjusted, weighed.evidence.p_value))
    if not evidence:
        return
    faulty = {at: weighed for at, weighed in enumerate(evidence) if weighed.adjusted <= report.verdict.alpha}
    yield Heading("All tests")
    yield Note(
        "Smallest first. p: the chance of something as odd in this one test. Adjusted: corrected for all tests and "
        f"interim analyses (weighted Holm); a fault where it is {_level(report.verdict.alpha)} or less. Statistic: "
        "what p was read from; χ² has its degrees of freedom in parentheses."
    )
    yield Table(
        {"test": False, "family": False, "statistic": False, "p": True, "adjusted": True},
        [_row(weighed) for weighed in evidence],
        notes={at: [fault(weighed, report.labels)] for at, weighed in faulty.items()},
        marked=dict.fromkeys(faulty, ""),
        most=None if everything else TESTS_IN_TERMINAL,
        more="more tests with larger p-values: --all",
        open=TESTS_OPEN,
        names_last=True,
    )


def _row(weighed: Weighed) -> tuple[str, ...]:
    p_value = weighed.evidence.p_value
    return weighed.name, weighed.family, score(p_value), _mark(p_value), _mark(weighed.adjusted)


def _mark(p_value: float) -> str:
    return digits(p_value).replace(" ", "")


def _repeating(report: Report) -> Iterator[Element]:
    if report.command:
        again = "The same versions give the same figures, digit for digit, on any number of cores."
        if report.seed is None:
            again = "It counts new decks, unless the program takes its randomness from FAIRDECK_SEED."
        yield Note(again)
    yield Details(
        {
            "shuffle": report.shuffle,
            "seed": "none: the decks came from elsewhere" if report.seed is None else f"{report.seed:x}",
            "each deck starts": report.start or "as the source of the decks decides",
            "lags": str(report.battery.lags),
            **({"standard": f"{report.standard.title} ({report.standard.name})"} if report.standard else {}),
            **report.environment,
        }
    )
