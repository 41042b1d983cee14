"""A certificate to print and sign: what was asked, what was found, and what that does not say.

One HTML file that works from disk, without network and scripts. It has no date: the person who signs it writes
the date by hand. Everything else that is needed to repeat the test is in it.
"""

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import resources
from math import factorial, floor, log10
from shlex import quote

from fairdeck import show
from fairdeck.lab.judging.families import FAMILIES
from fairdeck.lab.judging.report import Report
from fairdeck.lab.judging.sentences import LEAST_SAID, UNKNOWN, about, counted, fault, score
from fairdeck.lab.judging.verdict import Outcome, Weighed
from fairdeck.lab.standards import Demand
from fairdeck.lab.statistics.repeats import distance, equal_pairs, log2_orders, reachable
from fairdeck.show.html import Content, Html, joined, tag

HELP = "a certificate to print and sign, as HTML"

BEYOND = Demand("Not required: what else the statistics above show")
SURE = 0.99  # confidence of the bound on the number of different decks


@dataclass(frozen=True, slots=True)
class Row:
    """One demand and its result."""

    demand: Demand
    tests: tuple[Weighed, ...]
    tone: str  # holds, broken or open
    says: str


def render(report: Report) -> str:
    """Return the page."""
    sheet = resources.files(show) / "styles" / "certificate.css"
    style = "\n" + sheet.read_text(encoding="utf-8")
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    parts = (_front, _level, _demands, _power, _different, _scaling, _silent, _again, _signature, _annex)
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            tag("title", f"Shuffle test: {report.shuffle}"),
            f"<style>{style}</style>",
            tag("main", (part(report) for part in parts)),
            "</html>",
            "",
        ]
    )


def outcome(report: Report) -> Outcome:
    """Return the verdict; never a pass with fewer decks than the standard demands."""
    verdict, standard = report.verdict, report.standard
    if verdict.outcome == "pass" and standard and verdict.decks < standard.fewest(report.battery.cards):
        return "insufficient"
    return verdict.outcome


def rows(report: Report) -> tuple[Row, ...]:
    """Return the demands, of the standard or of fairdeck, with the tests that answer them."""
    evidence = report.verdict.evidence
    if report.standard is None:
        families = [family for family in FAMILIES if any(each.family == family for each in evidence)]
        return tuple(_own_row(report, family) for family in families)
    answers: list[tuple[Demand, list[Weighed]]] = [(demand, []) for demand in (*report.standard.demands, BEYOND)]
    for each in evidence:
        test = each.evidence
        asking = [tests for demand, tests in answers if demand.asks(test.statistic, test.name, each.lag)]
        for tests in asking or [answers[-1][1]]:
            tests.append(each)
    return tuple(_row(report, demand, tests) for demand, tests in answers if tests or demand is not BEYOND)


def _own_row(report: Report, family: str) -> Row:
    demand = Demand(FAMILIES[family].words, (family,), _in_part(report, family))
    return _row(report, demand, (each for each in report.verdict.evidence if each.family == family))


def _in_part(report: Report, family: str) -> str:
    """Return the statistics of a family that were asked, if somebody chose them."""
    asked = {member.statistic.name for member in report.battery.members if member.family == family}
    return f"in part: only {', '.join(sorted(asked))}" if report.chosen else ""


def _row(report: Report, demand: Demand, tests: Iterable[Weighed]) -> Row:
    verdict = report.verdict
    found = tuple(sorted(tests, key=lambda each: each.adjusted))
    faults = {finding.statistic for finding in verdict.findings}
    if any(each.adjusted <= verdict.alpha or each.name in faults for each in found):
        return Row(demand, found, "broken", "does not hold")
    if not found:
        return Row(demand, (), "open", "not answered")
    says = {"pass": "no fault seen", "fail": "no fault seen by then", "insufficient": "undecided"}[outcome(report)]
    if demand.note.startswith("in part"):
        says += ", in part"
    return Row(demand, found, "holds" if outcome(report) == "pass" else "open", says)


def _front(report: Report) -> Iterator[Html]:
    verdict, standard, cards = report.verdict, report.standard, report.battery.cards
    result = outcome(report)
    passed = "No fault found by the tests chosen" if report.chosen else "No fault found"
    title = {"pass": passed, "fail": "Not fair", "insufficient": "Undecided: too few decks"}[result]
    kind = tag("p", "Certificate of a shuffle test", class_="kind")
    yield tag("header", kind, tag("h1", f"{report.shuffle}, {cards:,} cards"))
    yield tag("p", tag("strong", title), " ", _sentence(report), class_=f"result {result}")
    facts: dict[str, str] = {
        "Shuffle": report.shuffle,
        "Deck": f"{cards:,} cards",
        "Decks counted": f"{verdict.decks:,}",
        "Asked by": _asked_by(report),
    }
    if standard:
        facts |= {
            "Published by": standard.authority,
            "Text of the standard": f"{standard.seen[0].upper()}{standard.seen[1:]}",
            "Its level, in its words": standard.level,
        }
    yield tag("dl", tag("dt", "Made for"), tag("dd", class_="blank"), map(_pair, facts, facts.values()))


def _asked_by(report: Report) -> str:
    if report.standard:
        return report.standard.title
    asked = f"only {', '.join(report.chosen)}, chosen from" if report.chosen else "all of"
    return f"{asked} fairdeck’s own battery of tests; no published standard was asked for"


def _sentence(report: Report) -> str:
    verdict, cards = report.verdict, report.battery.cards
    decks = f"{counted(verdict.decks, 'shuffled deck')} of {cards:,} cards"
    if outcome(report) == "fail":
        tests = (
            f"; a perfect shuffle looks this bad in at most {_once(verdict.p_value)} runs" if verdict.p_value else ""
        )
        return f"{report.shuffle} is not fair: {report.says(verdict.findings[0])}{tests}."
    if outcome(report) == "pass":
        return f"{decks} show no fault in {_tests(report)}."
    fewest = report.standard.fewest(cards) if report.standard else 0
    more = f"; this standard is answered by {fewest:,} or more" if fewest else ""
    return f"{decks} show no fault, but they are too few to tell{more}."


def _tests(report: Report) -> str:
    """Return which tests were made; nothing else is known."""
    count = len(report.verdict.evidence)
    tests = "the one test" if count == 1 else f"the {count:,} tests"
    if report.standard:
        return f"{tests} that answer {report.standard.name} here"
    if report.chosen:
        return f"{tests} of {', '.join(report.chosen)}; nothing else was tested"
    return f"{tests} of fairdeck’s battery"


def _level(report: Report) -> Iterator[Html]:
    verdict, standard = report.verdict, report.standard
    yield tag("h2", "How sure this is")
    yield tag(
        "p",
        f"A perfect shuffle fails this test in at most {_once(verdict.alpha)} runs. This holds for all "
        f"{counted(len(verdict.evidence), 'test')} together, not for each. Each test has a share of that "
        "chance (Holm’s procedure). So has each interim analysis, at a number of decks that was fixed in advance, and "
        "each bet that may stop a run early. An adjusted p-value (“p of all” in the last table) is corrected for all "
        "other tests: a perfect shuffle has one so small with at most this chance. “p alone” is that of the one test.",
    )
    if standard and verdict.alpha != standard.alpha:
        yield tag("p", f"The level of the standard is {_once(standard.alpha)}; this run had a level of its own.")
    if standard and standard.literal and report.tally is not None:
        yield tag("p", "Read literally, test by test; this is not part of the verdict:")
        yield _list(standard.literal(report.battery, report.tally))
    if standard and standard.remarks:
        yield tag("h2", "How the standard is read here")
        yield _list(standard.remarks)


def _demands(report: Report) -> Iterator[Html]:
    found = rows(report)
    yield tag("h2", "What the standard requires" if report.standard else "What was asked")
    if not found:
        yield tag("p", "No test was made: the source gave no deck, or too few decks.")
        return
    heads = ("Requirement", "Answered by", "#Smallest p, adjusted", "Result")
    yield _wide("Requirements", heads, (_demand(report, row) for row in found))
    asked = [row for row in found if row.demand is not BEYOND]
    tested = sum(1 for row in asked if row.tests)
    if report.standard is None:
        yield tag("p", "Every test is in the list at the end.")
    elif tested == len(asked):
        yield tag("p", "Every requirement was tested.")
    else:
        yield tag(
            "p",
            f"{tested} of {len(asked)} requirements were tested. The shuffle meets the standard only if it meets "
            "the others too, which must be shown in another way.",
        )


def _demand(report: Report, row: Row) -> Html:
    note = tag("small", row.demand.note) if row.demand.note else None
    return tag(
        "tr",
        tag("th", row.demand.words, scope="row"),
        tag("td", _answered(report, row), note),
        tag("td", _rounded(row.tests[0].adjusted) if row.tests else "", class_="number"),
        tag("td", row.says, class_=f"verdict {row.tone}"),
    )


def _answered(report: Report, row: Row) -> str:
    if not row.tests:
        why = f"too few decks for its tests, or none that fits decks of {report.battery.cards} cards"
        return why if row.demand.answerable else ""
    names = sorted({each.evidence.statistic for each in row.tests})
    count = f"{len(row.tests)} test{'' if len(row.tests) == 1 else 's'}"
    return f"{count}: {', '.join(names)}" if report.standard else count


def _power(report: Report) -> Iterator[Html]:
    limits = report.verdict.limits
    yield tag("h2", "What would have been seen")
    if not limits and report.verdict.outcome == "pass":
        yield tag("p", UNKNOWN)
    elif not limits:
        yield tag("p", "A fault was found, or too little was counted, so nothing is said of smaller faults.")
    else:
        yield tag(
            "p",
            "With one of these faults the shuffle would have failed in about 99 of 100 runs (computed by normal "
            "approximations). It may have smaller faults, or faults of another kind:",
        )
        yield _list(map(report.says, limits))


def _different(report: Report) -> Iterator[Html]:
    yield tag("h2", "How many different decks it can make")
    cards, tally = report.battery.cards, report.tally
    found = [
        counts
        for member, counts in zip(report.battery.members, tally.counts if tally else (), strict=bool(tally))
        if member.statistic.name == "repeats"
    ]
    if tally is None or not found or tally.decks < 2:
        yield tag("p", "Not asked: whole decks were not compared.")
        return
    pairs, kept, part = equal_pairs(found[0], tally.decks)
    equal = {0: "no two were equal", 1: "one pair was equal"}.get(pairs, f"{pairs:,} pairs were equal")
    compared = f"Among {round(tally.decks * part):,} decks {equal}. "
    if alike := distance(found[0], tally.decks):
        every = ", and every deck comes again" if alike[1] else ""
        yield tag("p", f"{compared}Equal decks lie {alike[0]:,} apart{every}: a period.")
        return
    # One-sided, so the two-sided interval may be at twice the level.
    least, _ = reachable(pairs, kept, part, alpha=2 * (1 - SURE))
    least = min(least, 2.0 ** min(1000.0, log2_orders(cards)))
    yield tag(
        "p",
        f"{compared}If each deck was drawn independently, the shuffle can make at least {_rounded_down(least)} "
        f"different decks (with {SURE:.0%} confidence). Its generator may still repeat its decks after more decks than "
        f"were counted. A deck of {cards:,} cards has {_orders(cards)} orders; whether all of them can come up depends "
        "on how the generator is seeded.",
    )


def _scaling(_report: Report) -> Iterator[Html]:
    yield tag("h2", "Scaling")
    yield tag(
        "p",
        "Decks alone do not show how random bits are turned into numbers below a bound. This run did not test that. “",
        tag("code", "fairdeck exact package.module:function"),
        "” follows every draw of a shuffle, for a few cards, and computes the exact chance of each order.",
    )


def _silent(report: Report) -> Iterator[Html]:
    yield tag("h2", "What this does not say")
    silent = [
        "No number of decks proves a shuffle fair: a smaller fault, or one of another kind, may be there.",
        "Decks that look fair can be predictable. A person who knows the seed of a generator knows every deck.",
        "It is about the decks that were counted, made by the versions below; not about others.",
        "The source code was not read, and nobody has checked how the generator is seeded and guarded.",
    ]
    if report.seed is None:
        silent.append(
            "The decks came from outside. They do not show whether some of them were left out or chosen, or whether "
            "the program named above made them."
        )
    silent.append(
        "Other runs may have been made before this one, and not shown. Only a registration that was published before "
        "the run, with a seed that nobody could choose, rules that out."
    )
    if report.standard:
        read = "" if report.standard.first_hand else "; and the text of the standard itself was not seen"
        silent.append(
            "It is not an approval by the authority named above, and does not replace one by a testing "
            f"laboratory{read}."
        )
    yield _list(silent)


def _again(report: Report) -> Iterator[Html]:
    start = {
        "sorted": "each deck from the sorted one",
        "scrambled": "each deck from one scrambled order",
        "carried": "each deck from the one before",
    }.get(report.start, report.start)
    lags = report.battery.lags
    facts: dict[str, Content] = {
        "Command": tag("code", report.command) if report.command else None,
        "Seed": "the decks came from outside" if report.seed is None else f"{report.seed:x}",
        "Started from": start if report.start else "not known: the source of the decks decides that",
        "Compared with": f"up to {lags} decks before" if lags else "no other deck",
        "Level": f"{report.verdict.alpha:g}, of all tests together",
        "p-value of the whole": _rounded(report.verdict.p_value),
    }
    if kept := report.record:
        facts["Registered"] = joined([f"{kept.begun}, by the clock of the machine, as ", tag("code", kept.digest)])
        facts["To verify"] = (
            tag("code", f"fairdeck verify {quote(kept.store)} --run {kept.number} --registered {kept.digest}")
            if kept.repeatable
            else "not possible: these decks cannot be made again; only runs of known shuffles can be verified"
        )
    names = {"battery": "battery (its fingerprint)"}
    made = (_pair(names.get(name, name), tag("code", value)) for name, value in report.environment.items())
    yield tag("h2", "To repeat it")
    notes = (_pair("Note", note) for note in report.remarks)
    yield tag("dl", (_pair(name, fact) for name, fact in facts.items() if fact), made, notes)


def _signature(_report: Report) -> Iterator[Html]:
    blanks = (
        "Tested by (name, organisation)",
        "Place and date",
        "Signature",
        "Seen by (name, date, signature)",
    )
    yield tag("div", (tag("div", blank) for blank in blanks), class_="sign")


def _annex(report: Report) -> Iterator[Html]:
    evidence = report.verdict.evidence
    if not evidence:
        return
    yield tag("h2", "Every test of the last interim analysis", class_="annexed")
    yield tag(
        "p",
        "Each line has the largest deviation that the test found; every fair shuffle has one too. The degrees of "
        "freedom of χ² are in parentheses.",
    )
    heads = ("Test", "What was seen", "Test statistic", "#p alone", "#p of all")
    yield _wide("Every test", heads, (_annexed(report, each) for each in evidence), "annex")


def _annexed(report: Report, each: Weighed) -> Html:
    said = fault(each, report.labels) if each.adjusted <= report.verdict.alpha else report.says(each)
    return tag(
        "tr",
        tag("th", each.name, scope="row"),
        tag("td", said),
        tag("td", score(each.evidence.p_value)),
        tag("td", _rounded(each.evidence.p_value), class_="number"),
        tag("td", _rounded(each.adjusted), class_="number"),
    )


def _wide(label: str, heads: Iterable[str], body: Iterable[Html], kind: str = "") -> Html:
    """Return a table that becomes a list on a small screen; the head of a column of numbers begins with #."""
    head = [tag("th", name.lstrip("#"), scope="col", class_="number" if name[0] == "#" else "") for name in heads]
    table = tag("table", tag("thead", tag("tr", head)), tag("tbody", body), class_=kind)
    return tag("div", table, class_="wide", tabindex="0", role="region", aria_label=label)


def _list(lines: Iterable[str]) -> Html:
    return tag("ul", (tag("li", line) for line in lines))


def _pair(name: str, value: Content) -> Html:
    return joined(tag("dt", name), tag("dd", value))


def _once(chance: float) -> str:
    return f"1 of {about(1 / max(chance, LEAST_SAID))}"


def _rounded(p_value: float) -> str:
    return "0" if p_value == 0 else "1" if p_value >= 0.995 else f"{p_value:.2g}"


def _rounded_down(number: float) -> str:
    """Return a bound from below, to two digits, so that it stays one."""
    unit = 10 ** max(0, floor(log10(max(number, 1.0))) - 1)
    return f"{floor(number / unit) * unit:,}" if number < 1e15 else f"10^{floor(log10(number))}"


def _orders(cards: int) -> str:
    digits = log2_orders(cards) * log10(2)
    return f"{factorial(cards):,}" if digits < 12 else f"about 10^{digits:.0f}"
