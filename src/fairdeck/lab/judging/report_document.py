"""What a report says, as a document: the verdict, causes and faults, what would have been seen, charts, all tests."""

from collections.abc import Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from fairdeck import document as doc
from fairdeck.lab.judging.report import MOST_FINDINGS, Report
from fairdeck.lab.judging.report_charts import at_a_glance, pictures
from fairdeck.lab.judging.report_of_several import ALL, ReportOfSeveral
from fairdeck.lab.judging.sentences import ODD, UNKNOWN, counted, digits, fault, odds, p_value_text, score
from fairdeck.lab.judging.verdict import Finding, Weighed

if TYPE_CHECKING:
    from fairdeck.lab.causes import Cause

TESTS_IN_TERMINAL, TESTS_OPEN = 12, 40  # of the table of all tests; a page folds the others
LEAST_IN_WORDS = 1e-15  # smaller p-values say more as numbers


def document(report: Report, everything: bool = False, *, charts: bool = True) -> doc.Document:
    """Return what a report says.

    If `everything` is asked for, a terminal shows all tests, not only those with the smallest p-values; `charts`, which
    take time to compute, may be left out.
    """
    headline = report.headline  # which looks for the cause
    shown = pictures(report) if charts else ()
    causes = [*told_causes(report.about_causes, report.causes), *_draws(report)]
    return doc.Document(
        headline,
        [
            *_meaning(report),
            *_facts(report),
            *_sizes(report),
            *causes,
            *_findings(report),
            *_limits(report),
            *shown,
            *_tests(report, everything),
        ],
        command=report.command,
        repeating=list(_repeating(report)),
        outcome=report.verdict.outcome,
        glance=_glance(report, causes) if charts else None,
    )


def _glance(report: Report, causes: Sequence[doc.Element]) -> doc.Glance:
    verdict = report.verdict
    decks = "".join(report.extent)
    parts, aside = list(causes), p_value_text(verdict.p_value)
    if verdict.at_gate:
        says, aside = "It gave something that is not a deck.", ""
        parts += [doc.Heading("What is wrong"), doc.Sentence(f"{report.says(verdict.findings[0])}.")]
    elif verdict.outcome == "fail":
        where = f"{report.where[:1].upper()}{report.where[1:]}. " if report.where else ""
        says = f"{where}A fair shuffle looks this odd {odds(verdict.p_value, 'runs')}."
        if not report.causes:
            found = report.says(verdict.findings[0])
            parts += [doc.Heading("What is wrong"), doc.Sentence(f"{found[0].upper()}{found[1:]}.")]
        parts.append(doc.Note(_to_do(report), small=False, label="what to do"))
    elif verdict.outcome == "pass":
        says = f"{counted(len(verdict.evidence), 'test')} of {decks} found nothing that a fair shuffle would not show."
        # The plainest of them is about the squares beside it.
        limit = next((each for each in verdict.limits if each.family == "position"), next(iter(verdict.limits), None))
        found = f"In about 99 of 100 runs: {report.says(limit)}." if limit else UNKNOWN
        parts += [doc.Heading("A fault that it would have found"), doc.Sentence(found)]
    else:
        says = f"{decks[0].upper()}{decks[1:]} {'is' if verdict.decks == 1 else 'are'} neither a pass nor a fail."
        parts += [doc.Heading("What these decks can tell"), doc.Sentence(_judgement(report))]
    parts += [doc.Note(condition) for condition in report.conditions]
    return doc.Glance(report.shuffle, says, at_a_glance(report), parts, doc.Heading("How sure is this?", aside))


def _to_do(report: Report) -> str:
    if report.inquiry.kind in ("file", "given", "monitor"):  # whoever brings decks may not have made them
        return "Show this to whoever wrote the shuffle: fairdeck test can ask their function or program itself."
    known = [*(cause.repair for cause in report.causes), *(line.repair for line in report.lines)]
    mended = "Repair it, or use" if any(known) else "Use"
    return f"{mended} the shuffle of your language's library; then test again."


def _meaning(report: Report) -> Iterator[doc.Element]:
    fair = "A fair shuffle makes every order of the cards equally likely"
    fair += ", and no deck depends on the decks before it." if report.battery.lags else "."
    yield doc.Note(f"{fair} {_judgement(report)}", small=False)


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
    more = "Test again with more decks." if report.inquiry.endless else f"A pass needs {report.fewest:,} decks or more."
    return f"{so_far}: this is neither a pass nor a fail. {more}"


def _level(alpha: float) -> str:
    return f"{alpha:f}".rstrip("0") if alpha >= 1e-4 else f"{alpha:g}".replace("e-0", "e-")


def _chance(report: Report) -> str:
    p_value = report.verdict.p_value
    return "in most fair shuffles" if p_value > 0.5 else odds(p_value)


def _facts(report: Report) -> Iterator[doc.Element]:
    verdict, lags = report.verdict, report.battery.lags
    facts = [doc.Fact("verdict", verdict.outcome.upper(), f", {_how_sure(report)}")]
    more = report.counted - verdict.decks
    after = f", then {more:,} more for the words and charts" if more else ""
    took = f", in {report.seconds:.1f} s" if report.seconds else ""  # not known of a stored run
    decks, of = report.extent
    facts.append(doc.Fact("counted", decks, f"{of}{after}{took}"))
    if verdict.evidence:
        families = counted(len({weighed.family for weighed in verdict.evidence}), "family")
        only = f"; only {', '.join(report.chosen)}" if report.chosen else ""
        where = f" of {report.battery.cards:,} cards" if isinstance(report, ReportOfSeveral) else ""
        tests = f"{where} in {families}, at lags up to {lags}{only}"
        facts.append(doc.Fact("asked", counted(len(verdict.evidence), "test"), tests))
    yield doc.Facts(facts)
    if kept := report.record:
        yield doc.Sentence(f"run {kept.number} in {kept.store}, registered as {kept.digest[:16]}...", "stored")
        if report.cut_short:
            which = f" --run {kept.number}" if kept.number > 1 else ""
            yield doc.Sentence(f"fairdeck test --resume {quote(kept.store)}{which}", "resume")
    yield from (doc.Sentence(remark, "note") for remark in report.remarks)


def _sizes(report: Report) -> Iterator[doc.Element]:
    if not isinstance(report, ReportOfSeveral):
        return
    strata = bool(report.at)
    rows = sorted(report.rows, key=lambda row: (row.outcome != "fail", 0 if strata else row.cards))
    rows += [report.together] if report.together else []
    yield doc.Heading("Sorts of decks" if strata else "Sizes", f"{len(report.rows):,}")
    cells = ((f"{row.cards:,}", f"{row.decks:,}", row.outcome, _mark(row.p_value), row.says) for row in rows)
    yield doc.Table(
        {
            **({"decks of": False} if strata else {}),
            "cards": True,
            "decks": True,
            "verdict": False,
            "p": True,
            "seen": False,
        },
        [((row.label, *cell) if strata else cell) for row, cell in zip(rows, cells, strict=True)],
        caption=f"p: corrected for all {report.corrected_for}.",
        marked={at: "" for at, row in enumerate(rows) if row.outcome == "fail"},
    )
    told = report.at or f"{report.battery.cards:,} cards"
    yield doc.Sentence(f"What follows is about {'the decks of ' * (told != ALL)}{told}.")


def _how_sure(report: Report) -> str:
    verdict = report.verdict
    if verdict.at_gate:
        return "what it gives is not always a deck"
    false_alarms = f"false alarms: at most {odds(verdict.alpha, 'runs')}"
    return f"{p_value_text(verdict.p_value)}, corrected for all {report.corrected_for}; {false_alarms}"


def told_causes(about: str, causes: "Sequence[Cause]") -> Iterator[doc.Element]:
    """Yield the causes under their heading, or the sentence that there is none."""
    if not causes:
        yield from [doc.Sentence(f"{about}.")] if about else []
        return
    yield doc.Heading(about)
    code = [not cause.words.split()[0].strip(",").isalnum() for cause in causes]
    items = [
        doc.Item(each.words, [each.seen], repair=each.repair, code=is_) for each, is_ in zip(causes, code, strict=True)
    ]
    yield doc.Items(items, ranked=True)


def _draws(report: Report) -> Iterator[doc.Element]:
    if report.lines:
        yield doc.Heading("Where it draws")
        at = (doc.Item(one.place, [one.says], repair=one.repair, code=True) for one in report.lines)
        yield doc.Items([*at], ranked=True)


def _findings(report: Report) -> Iterator[doc.Element]:
    verdict = report.verdict
    if not verdict.findings:
        return
    seen = f" (seen in {verdict.analysed:,} decks)" if verdict.analysed > verdict.decks else ""
    which = f"What is wrong{', plainest first' if len(verdict.findings) > 1 else ''}{seen}"
    tests = "" if verdict.at_gate else f"{len(verdict.findings):,} of {counted(len(verdict.evidence), 'test')}"
    yield doc.Heading(which, tests)
    yield doc.Items(
        [
            doc.Item(report.says(finding), mark=_mark(finding.p_value), small=_in_this_test(finding))
            for finding in verdict.findings[:MOST_FINDINGS]
        ],
        ranked=True,
    )
    if (more := len(verdict.findings) - MOST_FINDINGS) > 0:
        yield doc.Sentence(f"{more:,} more are in the table of all tests; a terminal shows all of it with --all.")


def _in_this_test(finding: Finding) -> str:
    if finding.at_gate:
        return f"{finding.statistic}; no shuffle may do this"
    words = f" ({odds(finding.p_value)})" if finding.p_value > LEAST_IN_WORDS else ""
    return f"{finding.statistic}; {p_value_text(finding.p_value)}{words} in this test alone"


def _limits(report: Report) -> Iterator[doc.Element]:
    limits = report.verdict.limits
    if not limits and report.verdict.outcome != "pass":
        return
    yield doc.Heading("What would have been seen")
    yield doc.Sentence("A fault of this size would have been found in about 99 of 100 runs:" if limits else UNKNOWN)
    if limits:
        yield doc.Items([doc.Item(report.says(limit), mark=f"{limit.family:<12}") for limit in limits])


# --- the table of all tests


def _tests(report: Report, everything: bool) -> Iterator[doc.Element]:
    evidence = sorted(report.verdict.evidence, key=lambda weighed: (weighed.adjusted, weighed.evidence.p_value))
    if not evidence:
        return
    faulty = {at: weighed for at, weighed in enumerate(evidence) if weighed.adjusted <= report.verdict.alpha}
    yield doc.Heading("All tests", f"{len(evidence):,}")
    yield doc.Note(
        "Smallest first. p: the chance of something as odd in this one test. Adjusted: corrected for all tests and "
        f"interim analyses (weighted Holm); a fault where it is {_level(report.verdict.alpha)} or less. Statistic: "
        "what p was read from; χ² has its degrees of freedom in parentheses."
    )
    yield doc.Table(
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


def _repeating(report: Report) -> Iterator[doc.Element]:
    if report.command:
        again = "The same versions give the same figures, digit for digit, on any number of cores."
        if report.seed is None:
            again = "It counts new decks, unless the program takes its randomness from FAIRDECK_SEED."
        yield doc.Note(again)
    yield doc.Details(
        {
            "shuffle": report.shuffle,
            "seed": "none: the decks came from elsewhere" if report.seed is None else f"{report.seed:x}",
            "each deck starts": report.start or "as the source of the decks decides",
            "lags": str(report.battery.lags),
            **({"standard": f"{report.standard.title} ({report.standard.name})"} if report.standard else {}),
            **report.environment,
        }
    )
