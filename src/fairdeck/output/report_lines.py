"""The report as lines for a terminal; the verdict comes first."""

from collections.abc import Iterator
from shlex import quote

from fairdeck.lab.judging.report import Report
from fairdeck.lab.judging.sentences import UNKNOWN, counted, digits, odds, score

FINDINGS_SHOWN = 5
TESTS_SHOWN = 12


def lines(report: Report, everything: bool = False) -> Iterator[str]:
    """Yield the report's lines; with `everything` all tests, else those with the smallest p-values."""
    verdict = report.verdict
    yield report.headline
    yield ""
    yield f"verdict   {verdict.outcome.upper()}, {_level(report)}"
    more = report.counted - verdict.decks
    after = f", then {more:,} more for the words and charts" if more else ""
    took = f", in {report.seconds:.1f} s" if report.seconds else ""  # not known of a stored run
    yield f"counted   {counted(verdict.decks, 'deck')} of {report.battery.cards} cards{after}{took}"
    if verdict.evidence:
        families = len({each.family for each in verdict.evidence})
        tests = f"{counted(len(verdict.evidence), 'test')} in {counted(families, 'family')}"
        yield f"asked     {tests}, at lags up to {report.battery.lags}"
    if kept := report.record:
        root = f", root {kept.root[:16]}..." if kept.ranges else ""
        yield f"stored    run {kept.number} in {kept.store}, registered as {kept.digest[:16]}...{root}"
        if report.cut_short:
            which = f" --run {kept.number}" if kept.number > 1 else ""
            yield f"resume    fairdeck test --resume {quote(kept.store)}{which}"
    for note in report.remarks:
        yield f"note      {note}"
    yield from _faults(report)
    if verdict.limits or verdict.outcome == "pass":
        yield ""
        yield "Faults of this size would have been found in about 99 of 100 runs:" if verdict.limits else UNKNOWN
        for limit in verdict.limits:
            yield f"  {limit.family:<12} {report.says(limit)}"
    if verdict.evidence:
        yield ""
        yield from _table(report, everything)
    if report.command:
        yield ""
        yield f"again     {report.command}"


def _faults(report: Report) -> Iterator[str]:
    """Yield what may be the cause of a failure, and what is wrong."""
    verdict = report.verdict
    if heading := report.about_causes:
        yield ""
        yield f"{heading}:" if report.causes else heading
    for cause in report.causes:
        yield f"  {cause.words}"
        yield f"    {cause.seen}"
        if cause.repair:
            yield f"    to repair it: {cause.repair}"
    if verdict.findings:
        yield ""
        seen = f" (seen in {verdict.analysed:,} decks)" if verdict.analysed > verdict.decks else ""
        yield f"What is wrong, plainest first{seen}:"
        for finding in verdict.findings[:FINDINGS_SHOWN]:
            yield f"  {_short(finding.p_value):>8}  {report.says(finding)}"
        more = len(verdict.findings) - FINDINGS_SHOWN
        if more > 0:
            yield f"            and {more} more, see --json or --html"


def _level(report: Report) -> str:
    verdict = report.verdict
    if verdict.at_gate:
        return "what it gives is not always a deck"
    false_alarms = f"false alarms: at most {odds(verdict.alpha, 'runs')}"
    return f"p = {_short(verdict.p_value)}, corrected for all tests and analyses; {false_alarms}"


def _table(report: Report, everything: bool) -> Iterator[str]:
    evidence = sorted(report.verdict.evidence, key=lambda each: each.evidence.p_value)
    shown = evidence if everything else evidence[:TESTS_SHOWN]
    scores = [score(each.evidence.p_value) for each in shown]
    wide = max(map(len, scores))
    yield f"{'p-value':>9}  {'adjusted':>9}  {'statistic':<{wide}}  {'family':<12} test"
    for each, told in zip(shown, scores, strict=True):
        figures = f"{_short(each.evidence.p_value):>9}  {_short(each.adjusted):>9}  {told:<{wide}}"
        yield f"{figures}  {each.family:<12} {each.name}"
    if len(shown) < len(evidence):
        yield f"{'':>9}  {'':>9}  and {len(evidence) - len(shown)} more tests with larger p-values: --all"


def _short(p_value: float) -> str:
    return digits(p_value).replace(" ", "")
