"""A certificate to print and sign: what was asked, what was found, and what that does not say.

One file of HTML that works from disk with no network and no script. It holds no date: the one who
signs it writes that by hand. Everything else needed to repeat the test is in it.
"""

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from math import factorial, floor, log10

from fairdeck.lab.report import UNKNOWN, Report
from fairdeck.lab.standards import Demand
from fairdeck.lab.statistics.repeats import distance, equal_pairs, log2_orders, reachable
from fairdeck.lab.verdict import Outcome, Weighed

HELP = "a certificate to print and sign, as HTML"

BEYOND = Demand("Not asked for: what the statistics above show besides")
SURE = 0.99  # how sure the bound on different decks is
FAMILIES = {  # what the project's own battery asks, in the place of a standard's demands
    "position": "Every card is equally likely at every place",
    "neighbours": "Every card is equally likely to lie on every other",
    "order": "Of two cards, each is equally likely to lie above the other",
    "two places": "What lies at one place tells nothing of what lies at another",
    "shape": "Runs, cycles, packets and moves of the whole order are as chance makes them",
    "serial": "A deck owes nothing to the decks before it",
    "every order": "Every whole order of the deck is equally likely",
    "repeats": "Whole decks do not come again",
    "guess": "Nobody guesses the next card better than chance allows",
    "game": "Hands and first cards are as chance makes them",
}

STYLE = """
:root { color-scheme: light; --ground: #f5f3ec; --sheet: #fff; --ink: #1b2326; --soft: #4d5a5e; --line: #c9c5ba;
  --gold: #ffc928; --good: #08695c; --bad: #a3260a; --open: #6b4a00; }
* { box-sizing: border-box; }
html { background: var(--ground); color: var(--ink); font: 100%/1.45 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 52rem; margin: 1.5rem auto; padding: clamp(1rem, 5vw, 3.2rem); background: var(--sheet);
  border-top: .5rem solid var(--gold); }
h1, h2, p, dl, dd, ul { margin: 0; }
h1 { font-size: 1.9rem; line-height: 1.15; letter-spacing: -.01em; }
h2 { margin: 2rem 0 .5rem; font-size: 1.15rem; break-after: avoid; }
p + p, p + ul, table + p { margin-top: .6rem; }
ul { padding-left: 1.2rem; } li + li { margin-top: .3rem; }
.kind { color: var(--soft); font-weight: 650; margin-bottom: .2rem; }
.result { margin: 1.2rem 0; padding: .9rem 1.1rem; border-left: .5rem solid var(--tone); background: var(--ground);
  font-size: 1.2rem; line-height: 1.35; overflow-wrap: anywhere; }
.result strong { display: block; color: var(--tone); }
.pass, .holds { --tone: var(--good); } .fail, .broken { --tone: var(--bad); }
.open, .insufficient { --tone: var(--open); }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .3rem 1.2rem; }
dt { color: var(--soft); } dd { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.blank { border-bottom: 1px solid var(--soft); min-height: 1.5em; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; line-height: 1.35; }
th, td { padding: .4rem .6rem .4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 650; border-bottom: 2px solid var(--soft); }
tbody th { font-weight: 600; width: 34%; } td small { display: block; color: var(--soft); font-size: .85rem; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.verdict { color: var(--tone); font-weight: 700; min-width: 7.2rem; }
.number + .verdict, .number + th { padding-left: .8rem; }
.annex { font-size: .78rem; } .annex td, .annex th { padding-top: .15rem; padding-bottom: .15rem; }
code { font: .85em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.fine { color: var(--soft); font-size: .9rem; }
.sign { display: grid; grid-template-columns: 1fr 1fr; gap: 2.6rem 2rem; margin-top: 3.2rem; break-inside: avoid; }
.sign div { border-top: 1px solid var(--ink); padding-top: .2rem; color: var(--soft); font-size: .85rem; }
@media (max-width: 40rem) { main { margin: 0; } dl, .sign { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; }
  .wide thead { display: none; } .wide tr, .wide th, .wide td { display: block; width: auto; border: 0; }
  .wide tr { border-bottom: 1px solid var(--soft); padding: .4rem 0; }
  .wide .number { text-align: left; } .wide .number::before { content: "p = "; } .wide .number:empty { display: none; }
  .number + .verdict, .number + th { padding-left: 0; } }
@page { size: A4; margin: 16mm 15mm 18mm; }
@media print {
  html { background: none; font-size: 10.5pt; }
  main { margin: 0; padding: 5mm 0 0; max-width: none; border-top-width: 3mm; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h1 { font-size: 20pt; } .result { font-size: 12.5pt; } thead { display: table-header-group; }
  tr, li, .result { break-inside: avoid; }
  .annex { font-size: 8pt; } .annexed { break-before: page; }
}
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One demand and what became of it."""

    demand: Demand
    tests: tuple[Weighed, ...]
    tone: str  # holds, broken or open
    says: str


def render(report: Report) -> str:
    """Return the page."""
    policy = b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            '<meta charset="utf-8">',
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
            f"style-src 'sha256-{policy}'; base-uri 'none'; form-action 'none'\">",
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            f"<title>Shuffle test: {_text(report.shuffle)}</title>",
            f"<style>{STYLE}</style>",
            "<main>",
            *_front(report),
            *_level(report),
            *_demands(report),
            *_power(report),
            *_different(report),
            *_scaling(),
            *_silent(report),
            *_again(report),
            *_signature(),
            *_annex(report),
            "</main>",
            "</html>",
            "",
        ]
    )


def outcome(report: Report) -> Outcome:
    """Return the verdict, held to the standard's number of decks whatever the trial asked for."""
    verdict, standard = report.verdict, report.standard
    if verdict.outcome == "pass" and standard and verdict.decks < standard.fewest(report.battery.cards):
        return "insufficient"
    return verdict.outcome


def rows(report: Report) -> tuple[Row, ...]:
    """Return what was demanded, by the standard or by ourselves, with the tests that answer it."""
    evidence = report.verdict.evidence
    if report.standard is None:
        families = dict.fromkeys(family for family in FAMILIES if any(each.family == family for each in evidence))
        return tuple(_own_row(report, family) for family in families)
    owner = _owners(report)
    answers: list[tuple[Demand, list[Weighed]]] = [(demand, []) for demand in (*report.standard.demands, BEYOND)]
    for each in evidence:
        test = each.evidence.test
        asking = [tests for demand, tests in answers if demand.asks(owner.get((test, each.lag), ""), test, each.lag)]
        for tests in asking or [answers[-1][1]]:
            tests.append(each)
    return tuple(_row(report, demand, tests) for demand, tests in answers if tests or demand is not BEYOND)


def _own_row(report: Report, family: str) -> Row:
    demand = Demand(FAMILIES[family], (family,), _in_part(report, family))
    return _row(report, demand, (each for each in report.verdict.evidence if each.family == family))


def _in_part(report: Report, family: str) -> str:
    """Return which statistics of a family were asked, where somebody chose among them."""
    asked = {member.statistic.name for member in report.battery.members if member.family == family}
    return f"in part: only {', '.join(sorted(asked))}" if report.chosen else ""


def _owners(report: Report) -> dict[tuple[str, int], str]:
    """Return the name of the statistic that each test belongs to, by test and lag."""
    tally = report.tally
    if tally is None:
        return {}
    return {
        (evidence.test, member.lag): member.statistic.name
        for member, counts in zip(report.battery.members, tally.counts, strict=True)
        for evidence in member.statistic.judge(counts, report.battery.cards, tally.seen[member.lag])
    }


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


def _front(report: Report) -> Iterator[str]:
    verdict, standard, cards = report.verdict, report.standard, report.battery.cards
    result = outcome(report)
    passed = "No fault found by the tests chosen" if report.chosen else "No fault found"
    title = {"pass": passed, "fail": "Not fair", "insufficient": "Undecided: too few decks"}[result]
    yield "<header>"
    yield '<p class="kind">Certificate of a shuffle test</p>'
    yield f"<h1>{_text(report.shuffle)}, {cards:,} cards</h1>"
    yield "</header>"
    yield f'<p class="result {result}"><strong>{title}</strong> {_text(_sentence(report))}</p>'
    yield "<dl>"
    yield '<dt>Made for</dt><dd class="blank"></dd>'
    yield from _pair("Shuffle", report.shuffle)
    yield from _pair("Deck", f"{cards:,} cards")
    yield from _pair("Decks counted", f"{verdict.decks:,}")
    yield from _pair("Asked by", _asked_by(report))
    if standard:
        yield from _pair("Published by", standard.authority)
        yield from _pair("Text of the standard", f"{standard.seen[0].upper()}{standard.seen[1:]}")
        yield from _pair("Its level, in its words", standard.level)
    yield "</dl>"


def _asked_by(report: Report) -> str:
    if report.standard:
        return report.standard.title
    asked = f"only {', '.join(report.chosen)}, chosen from" if report.chosen else "the whole of"
    return f"{asked} fairdeck’s own battery of tests; no published standard was asked for"


def _sentence(report: Report) -> str:
    verdict, cards = report.verdict, report.battery.cards
    decks = f"{verdict.decks:,} shuffled decks of {cards:,} cards"
    if outcome(report) == "fail":
        tests = f"; a perfect shuffle looks so bad in at most {_once(verdict.p_value)} runs" if verdict.p_value else ""
        return f"{report.shuffle} is not fair: {verdict.findings[0].says}{tests}."
    if outcome(report) == "pass":
        return f"{decks} show no fault in {_tests(report)}."
    fewest = report.standard.fewest(cards) if report.standard else 0
    more = f"; this standard is answered by {fewest:,} or more" if fewest else ""
    return f"{decks} show no fault, but they are too few to tell{more}."


def _tests(report: Report) -> str:
    """Return which tests were made: so much is known, and no more."""
    count = len(report.verdict.evidence)
    tests = "the one test" if count == 1 else f"the {count:,} tests"
    if report.standard:
        return f"{tests} that answer {report.standard.name} here"
    if report.chosen:
        return f"{tests} of {', '.join(report.chosen)}; nothing else was tested"
    return f"{tests} of fairdeck’s battery"


def _level(report: Report) -> Iterator[str]:
    verdict, standard = report.verdict, report.standard
    yield "<h2>How sure this is</h2>"
    yield (
        f"<p>A perfect shuffle fails this test in at most {_once(verdict.alpha)} runs. That holds for all "
        f"{len(verdict.evidence):,} tests together, not for each. Each has a share of that chance (Holm’s procedure); "
        "so has each look at the counts on the way, at numbers of decks that were fixed beforehand, and each bet that "
        "may stop a run early. A p-value below is the chance that a perfect shuffle looks as odd, "
        "with all other tests counted in.</p>"
    )
    if standard and verdict.alpha != standard.alpha:
        yield f"<p>The standard is read as {_once(standard.alpha)}; this run was held to a level of its own.</p>"
    if standard and standard.literal and report.tally is not None:
        yield "<p>Read word by word, test by test, beside the verdict:</p><ul>"
        yield from (f"<li>{_text(line)}</li>" for line in standard.literal(report.battery, report.tally))
        yield "</ul>"
    if standard and standard.remarks:
        yield "<h2>How the standard is read here</h2><ul>"
        yield from (f"<li>{_text(remark)}</li>" for remark in standard.remarks)
        yield "</ul>"


def _demands(report: Report) -> Iterator[str]:
    found = rows(report)
    yield f"<h2>{'What the standard demands' if report.standard else 'What was asked'}</h2>"
    if not found:
        yield "<p>No test was made: what came was no deck, or too little of it.</p>"
        return
    yield '<div class="wide" tabindex="0" role="region" aria-label="Demands"><table>'
    yield (
        '<thead><tr><th scope="col">Demand</th><th scope="col">Answered by</th>'
        '<th scope="col" class="number">Smallest p, adjusted</th><th scope="col">Result</th></tr></thead><tbody>'
    )
    for row in found:
        note = f"<small>{_text(row.demand.note)}</small>" if row.demand.note else ""
        smallest = f"{_short(row.tests[0].adjusted)}" if row.tests else ""
        yield (
            f'<tr><th scope="row">{_text(row.demand.words)}</th><td>{_answered(report, row)}{note}</td>'
            f'<td class="number">{smallest}</td><td class="verdict {row.tone}">{row.says}</td></tr>'
        )
    yield "</tbody></table></div>"
    asked = [row for row in found if row.demand is not BEYOND]
    tested = sum(1 for row in asked if row.tests)
    if report.standard is None:
        yield "<p>Each single test is in the list at the end.</p>"
    elif tested == len(asked):
        yield "<p>Every demand was put to the test.</p>"
    else:
        yield f"<p>{tested} of {len(asked)} demands were put to the test. What was not answered here must be shown "
        yield "in another way before the standard as a whole can be called met.</p>"


def _answered(report: Report, row: Row) -> str:
    if not row.tests:
        why = f"too few decks for its tests, or none that fits decks of {report.battery.cards} cards"
        return _text(why if row.demand.answerable else "")
    names = list(dict.fromkeys(each.evidence.test.partition(": ")[0] for each in row.tests))
    shown = ", ".join(sorted(names)) if report.standard else ""
    count = f"{len(row.tests)} test{'' if len(row.tests) == 1 else 's'}"
    return _text(f"{count}: {shown}" if shown else count)


def _power(report: Report) -> Iterator[str]:
    yield "<h2>What would have been seen</h2>"
    limits = report.verdict.limits
    if not limits and report.verdict.outcome == "pass":
        yield f"<p>{UNKNOWN}</p>"
        return
    if not limits:
        yield "<p>A fault was found, or too little was counted, so nothing is said of smaller faults.</p>"
        return
    yield "<p>Had the shuffle one of these faults, this test would have failed it in 99 of 100 runs. "
    yield "Smaller ones may be there:</p><ul>"
    yield from (f"<li>{_text(limit.says)}</li>" for limit in limits)
    yield "</ul>"


def _different(report: Report) -> Iterator[str]:
    yield "<h2>How many different decks it can make</h2>"
    cards, tally = report.battery.cards, report.tally
    found = [
        counts
        for member, counts in zip(report.battery.members, tally.counts if tally else (), strict=bool(tally))
        if member.statistic.name == "repeats"
    ]
    if tally is None or not found or tally.decks < 2:
        yield "<p>Not asked: whole decks were not compared.</p>"
        return
    pairs, kept, part = equal_pairs(found[0], tally.decks)
    equal = {0: "no two were equal", 1: "one pair was equal"}.get(pairs, f"{pairs:,} pairs were equal")
    yield f"<p>Among {round(tally.decks * part):,} decks {equal}. "
    alike = distance(found[0], tally.decks)
    if alike:
        yield f"Equal decks lie {alike[0]:,} apart{', and every deck comes again' if alike[1] else ''}: a period.</p>"
        return
    # One-sided, so the two-sided interval may miss twice as often.
    least, _ = reachable(pairs, kept, part, alpha=2 * (1 - SURE))
    least = min(least, 2.0 ** min(1000.0, log2_orders(cards)))
    yield (
        f"If each was drawn anew, the shuffle can make at least {_rounded_down(least)} different decks "
        f"(with {SURE:.0%} confidence); a generator whose decks come again later than those counted is not excluded. "
        f"A deck of {cards:,} cards has {_orders(cards)} orders; to tell that all of them can come takes a look at how "
        "the generator is seeded.</p>"
    )


def _scaling() -> Iterator[str]:
    yield "<h2>Scaling</h2>"
    yield (
        "<p>Decks alone do not show how random bits are turned into numbers below a bound. This run did not look "
        "at that. “<code>fairdeck scaling package.module:function</code>” tests the function that does it, for every "
        "bound up to the deck’s size; without a name it tests fairdeck’s own dice.</p>"
    )


def _silent(report: Report) -> Iterator[str]:
    yield "<h2>What this does not say</h2><ul>"
    yield "<li>No number of decks proves a shuffle fair: a smaller fault, or one of another kind, may be there.</li>"
    yield "<li>Decks that look fair can be predictable. Whoever knows the seed of a generator knows every deck.</li>"
    yield "<li>It is about the decks that were counted, made by the versions below; not about others.</li>"
    yield "<li>The source was not read, and nobody has looked at how the generator is seeded and guarded.</li>"
    if report.standard:
        yield (
            "<li>It is no approval by the authority named above, and does not stand for one of a testing laboratory"
            f"{'' if report.standard.first_hand else '; and the text of the standard itself was not seen'}.</li>"
        )
    yield "</ul>"


def _again(report: Report) -> Iterator[str]:
    start = {
        "sorted": "each deck from the sorted one",
        "scrambled": "each deck from one scrambled order",
        "carried": "each deck from the one before",
    }.get(report.start, report.start)
    yield "<h2>To repeat it</h2><dl>"
    if report.command:
        yield f"<dt>Command</dt><dd><code>{_text(report.command)}</code></dd>"
    yield from _pair("Seed", "the decks came from outside" if report.seed is None else f"{report.seed:x}")
    yield from _pair("Started from", start if report.start else "not known: that is up to what makes the decks")
    yield from _pair(
        "Compared with", f"up to {report.battery.lags} decks before" if report.battery.lags else "no other deck"
    )
    yield from _pair("Level", f"{report.verdict.alpha:g}, of all tests together")
    yield from _pair("p-value of the whole", _short(report.verdict.p_value))
    for name, value in report.environment.items():
        label = "battery (its fingerprint)" if name == "battery" else name
        yield f"<dt>{_text(label)}</dt><dd><code>{_text(value)}</code></dd>"
    for note in report.remarks:
        yield from _pair("Note", note)
    yield "</dl>"


def _signature() -> Iterator[str]:
    yield '<div class="sign">'
    yield "<div>Tested by (name, organisation)</div><div>Place and date</div>"
    yield "<div>Signature</div><div>Seen by (name, date, signature)</div>"
    yield "</div>"


def _annex(report: Report) -> Iterator[str]:
    if not report.verdict.evidence:
        return
    yield '<h2 class="annexed">Every test of the last look</h2>'
    yield "<p>Each line tells the largest deviation that the test found. In a fair shuffle every line has one.</p>"
    yield '<div class="wide" tabindex="0" role="region" aria-label="Every test"><table class="annex">'
    yield '<thead><tr><th scope="col">Test</th><th scope="col">What was seen</th>'
    yield '<th scope="col" class="number">p alone</th><th scope="col" class="number">p of all</th></tr></thead><tbody>'
    for each in report.verdict.evidence:
        said = each.fault if each.adjusted <= report.verdict.alpha else each.seen
        yield (
            f'<tr><th scope="row">{_text(each.name)}</th><td>{_text(said)}</td>'
            f'<td class="number">{_short(each.evidence.p_value)}</td>'
            f'<td class="number">{_short(each.adjusted)}</td></tr>'
        )
    yield "</tbody></table></div>"


def _pair(name: str, value: str) -> Iterator[str]:
    yield f"<dt>{_text(name)}</dt><dd>{_text(value)}</dd>"


def _text(text: str) -> str:
    """Return text for HTML; control characters, which it cannot hold, are written as escapes."""
    return escape("".join(each if each.isprintable() else ascii(each)[1:-1] for each in text))


def _once(chance: float) -> str:
    return f"1 of {1 / chance:,.0f}" if chance >= 1e-12 else "1 of a million million"


def _short(p_value: float) -> str:
    return "0" if p_value == 0 else "1" if p_value >= 0.995 else f"{p_value:.2g}"


def _rounded_down(number: float) -> str:
    """Return a bound from below, to two digits, so that it stays one."""
    unit = 10 ** max(0, floor(log10(max(number, 1.0))) - 1)
    return f"{floor(number / unit) * unit:,}" if number < 1e15 else f"10^{floor(log10(number))}"


def _orders(cards: int) -> str:
    digits = log2_orders(cards) * log10(2)
    return f"{factorial(cards):,}" if digits < 12 else f"about 10^{digits:.0f}"
