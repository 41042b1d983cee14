"""A certificate to print and sign: what was asked, what was found, and what that does not say.

It is one file for people and machines: in its last section is JSON with a hash of the printed text and one of itself.
A round of a public beacon says since when it can be there; the person who signs it writes the date by hand.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from html import escape, unescape
from math import factorial, floor, log10
from shlex import quote
from typing import Any

from fairdeck.document import Blanks, Code, Details, Document, Element, Heading, Item, Items, Sentence, Table
from fairdeck.lab.inquiry import seed_of_beacon
from fairdeck.lab.judging.families import FAMILIES
from fairdeck.lab.judging.report import Report
from fairdeck.lab.judging.sentences import UNKNOWN, counted, digits, fault, odds, score
from fairdeck.lab.judging.verdict import Outcome, Weighed
from fairdeck.lab.runs.registration import hash_of_code
from fairdeck.lab.standards import Demand
from fairdeck.lab.statistics.repeats import distance, equal_pairs, log2_orders, reachable
from fairdeck.show.page import page
from fairdeck.trust.beacon import NAME, round_time, written

HELP = "a certificate to print and sign, as HTML"

BEYOND = Demand("Not required: what else the statistics above show")
SURE = 0.99  # confidence of the bound on the number of different decks
FORMAT = "fairdeck-certificate/1"
MACHINES = Heading("The same for machines", "printed only if it is open", annex=True)
JSON_IN_PAGE = re.compile(r"(?<=<pre><code>)\{\n &quot;build&quot;: .*?(?=</code></pre>)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Row:
    """One demand and its result."""

    demand: Demand
    tests: tuple[Weighed, ...]
    says: str


def render(report: Report) -> str:
    """Return the page."""
    hashes = {"printed": _sha256(_page(report)), "build": hash_of_code(whole=True)}
    fields = {"format": FORMAT, "report": report.fields(), **hashes}
    return _page(report, _canonical({**fields, "digest": _sha256(_canonical(fields))}))


def printed_hash(report: Report, stated: dict[str, Any]) -> str:
    """Return the hash of the text printed of a report, with what nobody can compute again as another one states it."""
    record = report.record and replace(report.record, store=stated["run"]["store"])
    told = replace(report, command=stated["command"], environment=stated["environment"], record=record)
    vars(told)["remarks"] = tuple(stated["notes"])
    return _sha256(_page(told))


def read(page: str) -> tuple[dict[str, Any], str]:
    """Return the JSON in a certificate, and what was changed in the file; empty if nothing was.

    Raises a ValueError if the page is no certificate.
    """
    found = JSON_IN_PAGE.search(page)
    text = unescape(found[0]) if found else ""
    stated: dict[str, Any] = json.loads(text)
    if stated.keys() != {"build", "digest", "format", "printed", "report"} or stated["format"] != FORMAT:
        raise ValueError("another format")
    hashed = {name: value for name, value in stated.items() if name != "digest"}
    # Compared as it stands in the page: other spellings of its text may be elements, which a browser would obey.
    if (found and found[0], stated["digest"]) != (escape(_canonical(stated)), _sha256(_canonical(hashed))):
        return stated, "the JSON in the page was changed: it has another digest than it states"
    if stated["printed"] != _sha256(JSON_IN_PAGE.sub("", page)):
        return stated, "the printed text was changed: it has another hash than the JSON in the page states"
    return stated, ""


def _sha256(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _canonical(fields: dict[str, Any]) -> str:
    return json.dumps(fields, indent=1, sort_keys=True, allow_nan=False)


def _page(report: Report, machines: str = "") -> str:
    parts = (_front, _level, _demands, _power, _different, _when, _silent, _signature, _annex)
    return page(
        Document(
            _sentence(report),
            [*(element for part in parts for element in part(report)), MACHINES, Code(machines)],
            title=f"Certificate of a shuffle test: {report.shuffle}, {report.battery.cards:,} cards",
            command=report.command,
            repeating=list(_repeating(report)),
            outcome=outcome(report),
        )
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
    asked = {member.statistic.name for member in report.battery.members if member.family == family}
    in_part = f"in part: only {', '.join(sorted(asked))}" if report.chosen else ""
    demand = Demand(FAMILIES[family].words, (family,), in_part)
    return _row(report, demand, (each for each in report.verdict.evidence if each.family == family))


def _row(report: Report, demand: Demand, tests: Iterable[Weighed]) -> Row:
    verdict = report.verdict
    answer = tuple(sorted(tests, key=lambda each: each.adjusted))
    faults = {finding.statistic for finding in verdict.findings}
    if any(each.adjusted <= verdict.alpha or each.name in faults for each in answer):
        return Row(demand, answer, "does not hold")
    if not answer:
        return Row(demand, (), "not answered")
    says = {"pass": "no fault seen", "fail": "no fault seen by then", "insufficient": "undecided"}[outcome(report)]
    return Row(demand, answer, says + ", in part" * demand.note.startswith("in part"))


def _sentence(report: Report) -> str:
    verdict, cards = report.verdict, report.battery.cards
    decks = f"{counted(verdict.decks, 'shuffled deck')} of {cards:,} cards"
    if outcome(report) == "fail":
        chance = (
            f"; a perfect shuffle looks this bad at most {odds(verdict.p_value, 'runs')}" if verdict.p_value else ""
        )
        return f"{report.shuffle} is not fair: {report.says(verdict.findings[0])}{chance}."
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


def _front(report: Report) -> Iterator[Element]:
    standard = report.standard
    yield Blanks(["Made for"])
    if standard:
        yield Sentence(standard.title, "asked by")
        yield Sentence(standard.authority, "published by")
        yield Sentence(f"{standard.seen[0].upper()}{standard.seen[1:]}", "text of the standard")
        yield Sentence(standard.level, "its level, in its words")
    else:
        asked = f"only {', '.join(report.chosen)}, chosen from" if report.chosen else "all of"
        yield Sentence(f"{asked} fairdeck’s own battery of tests; no published standard was asked for", "asked by")


def _level(report: Report) -> Iterator[Element]:
    verdict, standard = report.verdict, report.standard
    yield Heading("How sure this is")
    yield Sentence(
        f"A perfect shuffle fails this test at most {odds(verdict.alpha, 'runs')}. This holds for all "
        f"{counted(len(verdict.evidence), 'test')} together, not for each. Each test has a share of that "
        "chance (Holm’s procedure). So has each interim analysis, at a number of decks that was fixed in advance, and "
        "each bet that may stop a run early. An adjusted p-value is corrected for all other tests: a perfect shuffle "
        "has one so small with at most this chance. “p” is that of the one test."
    )
    if standard and verdict.alpha != standard.alpha:
        yield Sentence(f"The level of the standard is {standard.alpha:g}; this run had a level of its own.")
    if standard and standard.literal and report.tally is not None:
        yield Sentence("Read literally, test by test; this is not part of the verdict:")
        yield _list(standard.literal(report.battery, report.tally))
    if standard and standard.remarks:
        yield Heading("How the standard is read here")
        yield _list(standard.remarks)


def _demands(report: Report) -> Iterator[Element]:
    demands = rows(report)
    yield Heading("What the standard requires" if report.standard else "What was asked")
    if not demands:
        yield Sentence("No test was made: the source gave no deck, or too few decks.")
        return
    yield Table(
        # a phone shows the first two
        {"requirement": False, "result": False, "answered by": False, "smallest p, adjusted": True},
        [
            (row.demand.words, row.says, _answered(report, row), digits(row.tests[0].adjusted) if row.tests else "")
            for row in demands
        ],
        notes={at: [row.demand.note] for at, row in enumerate(demands) if row.demand.note},
        marked={at: "" for at, row in enumerate(demands) if row.says == "does not hold"},
    )
    asked = [row for row in demands if row.demand is not BEYOND]
    tested = sum(1 for row in asked if row.tests)
    if report.standard and tested < len(asked):
        yield Sentence(
            f"{tested} of {len(asked)} requirements were tested. The shuffle meets the standard only if it meets "
            "the others too, which must be shown in another way."
        )


def _answered(report: Report, row: Row) -> str:
    if not row.tests:
        why = f"too few decks for its tests, or none that fits decks of {report.battery.cards} cards"
        return why if row.demand.answerable else ""
    tests = counted(len(row.tests), "test")
    return (
        f"{tests}: {', '.join(sorted({each.evidence.statistic for each in row.tests}))}" if report.standard else tests
    )


def _power(report: Report) -> Iterator[Element]:
    limits = report.verdict.limits
    yield Heading("What would have been seen")
    if limits:
        yield Sentence(
            "With one of these faults the shuffle would have failed in about 99 of 100 runs (computed by normal "
            "approximations). It may have smaller faults, or faults of another kind:"
        )
        yield _list(map(report.says, limits))
    else:
        found = "A fault was found, or too little was counted, so nothing is said of smaller faults."
        yield Sentence(UNKNOWN if report.verdict.outcome == "pass" else found)


def _different(report: Report) -> Iterator[Element]:
    yield Heading("How many different decks it can make")
    yield Sentence(_different_decks(report))


def _different_decks(report: Report) -> str:
    cards, tally = report.battery.cards, report.tally
    counts = report.battery.counts_of("repeats", tally)
    if tally is None or counts is None or tally.decks < 2:
        return "Not asked: whole decks were not compared."
    pairs, kept, part = equal_pairs(counts, tally.decks)
    equal = {0: "no two were equal", 1: "one pair was equal"}.get(pairs, f"{pairs:,} pairs were equal")
    compared = f"Among {round(tally.decks * part):,} decks {equal}. "
    if alike := distance(counts, tally.decks):
        every = ", and every deck comes again" if alike[1] else ""
        return f"{compared}Equal decks lie {alike[0]:,} apart{every}: a period."
    # One-sided, so the two-sided interval may be at twice the level.
    least, _ = reachable(pairs, kept, part, alpha=2 * (1 - SURE))
    least = min(least, 2.0 ** min(1000.0, log2_orders(cards)))
    return (
        f"{compared}If each deck was drawn independently, the shuffle can make at least {_rounded_down(least)} "
        f"different decks (with {SURE:.0%} confidence). Its generator may still repeat its decks after more decks than "
        f"were counted. A deck of {cards:,} cards has {_orders(cards)} orders; whether all of them can come up depends "
        "on how the generator is seeded."
    )


def _rounded_down(number: float) -> str:
    """Return a bound from below, to two digits, so that it stays one."""
    unit = 10 ** max(0, floor(log10(max(number, 1.0))) - 1)
    return f"{floor(number / unit) * unit:,}" if number < 1e15 else f"10^{floor(log10(number))}"


def _orders(cards: int) -> str:
    decimals = log2_orders(cards) * log10(2)
    return f"{factorial(cards):,}" if decimals < 12 else f"about 10^{decimals:.0f}"


def _when(report: Report) -> Iterator[Element]:
    asked, says = report.inquiry, "No public value was registered with the run: nothing shows that it is not older."
    if found := asked.beacon_round:
        drawn = "The decks did not come from it, and may be older."
        if asked.seeded and asked.seed == seed_of_beacon(found[1]):
            decks = "no deck is" if asked.kind == "known" else "no deck that is made from the seed alone is"
            drawn = f"The seed is that value, so {decks} older. A choice among rounds is a choice among seeds."
        says = f"Not before {written(round_time(found[0]))}: the registration holds round {found[0]:,} of the public "
        says += f"beacon {NAME}, whose value nobody knew before. {drawn}"
    yield Heading("When it was made")
    yield Sentence(
        f"{says} No file shows by itself that it was there before some time; its hash does, from the moment at which "
        "the hash is published or a laboratory holds it."
    )


def _silent(report: Report) -> Iterator[Element]:
    yield Heading("What this does not say")
    silent = [
        "No number of decks proves a shuffle fair: a smaller fault, or one of another kind, may be there.",
        "Decks that look fair can be predictable. A person who knows the seed of a generator knows every deck.",
        "It is about the decks that were counted, made by the versions below; not about others.",
        "The source code was not read, and nobody has checked how the generator is seeded and guarded.",
        "Decks alone do not show how random bits are turned into numbers below a bound. “fairdeck exact "
        "package.module:function” follows every draw of a shuffle, for a few cards, and computes the exact chance of "
        "each order.",
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


def _signature(_report: Report) -> Iterator[Element]:
    lab = ["Countersigned by (laboratory, name)", "SHA-256 of this file", "Place, date and signature"]
    yield Blanks(["Tested by (name, organisation)", "Place, date and signature", *lab])


def _annex(report: Report) -> Iterator[Element]:
    evidence = report.verdict.evidence
    if not evidence:
        return
    yield Heading("Every test of the last interim analysis", "printed only if it is open", annex=True)
    yield Sentence(
        "Each line has the largest deviation that the test found; every fair shuffle has one too. The degrees of "
        "freedom of χ² are in parentheses."
    )
    yield Table(
        {"test": False, "what was seen": False, "test statistic": False, "p": True, "adjusted": True},
        [_annexed(report, weighed) for weighed in evidence],
    )


def _annexed(report: Report, weighed: Weighed) -> tuple[str, ...]:
    seen = fault(weighed, report.labels) if weighed.adjusted <= report.verdict.alpha else report.says(weighed)
    p_value = weighed.evidence.p_value
    return weighed.name, seen, score(p_value), digits(p_value), digits(weighed.adjusted)


def _repeating(report: Report) -> Iterator[Element]:
    start = {
        "sorted": "each deck from the sorted one",
        "scrambled": "each deck from one scrambled order",
        "carried": "each deck from the one before",
    }.get(report.start, report.start)
    lags, record = report.battery.lags, report.record
    values = {
        "seed": "the decks came from outside" if report.seed is None else f"{report.seed:x}",
        "started from": start or "not known: the source of the decks decides that",
        "compared with": f"up to {lags} decks before" if lags else "no other deck",
        "level": f"{report.verdict.alpha:g}, of all tests together",
        "p-value of the whole": digits(report.verdict.p_value),
    }
    if report.registration:
        registered = json.loads(report.registration)
        values |= {f"sha256 of {file}": found for file, found in registered["files"].items()}
        values |= {"code of fairdeck that counts and judges": registered["code"]}
        values["registration"] = _sha256(report.registration)
    if record:
        values["registered"] = f"{record.begun}, by the clock of the machine"
        values["store"] = f"run {record.number}, all of it with the hash {record.sealed}"
        store = f"--store {quote(record.store)} --registered {record.digest}"
        values["to verify"] = f"fairdeck verify, with the name of this file and {store}"
    yield Details(values | dict(sorted(report.environment.items())))
    yield from (Sentence(remark, "note") for remark in report.remarks)


def _list(lines: Iterable[str]) -> Items:
    return Items([Item(line) for line in lines])
