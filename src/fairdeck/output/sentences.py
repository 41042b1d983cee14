"""Sentences about what a test found: the one place where evidence becomes English.

The words of a statistic are templates in its own file. Here they get the numbers and the names of cards and places.
"""

import re
from collections.abc import Iterator, Sequence
from math import log10

from fairdeck.lab.judging.report import Report
from fairdeck.lab.judging.verdict import Finding, Weighed, fewest_decks
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.laws.tails import CHI_SQUARE, PValue
from fairdeck.lab.statistics import Evidence

ODD = 0.05  # smaller p-values are reported even where the decks are too few for a verdict
LEAST_SAID = 1e-300  # a float cannot distinguish smaller p-values from 0
SHOWN = 5
SYMBOLS = {CHI_SQUARE: "χ²"}
WORDS = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
UNKNOWN_CAUSE = "No known cause explains these decks"
FEW = 1_000  # decks: of so few, numbers are said instead of shares
OF_DECKS = re.compile(r"\{seen:\.\d%\} of decks")
UNKNOWN = "These tests have no limit: nobody knows how small a fault they would find."


def seen(weighed: Weighed, labels: Sequence[str] = ()) -> str:
    """Return what was seen and what a fair deck shows; this alone is not a fault.

    The cards may have `labels` other than their numbers.
    """
    each = weighed.evidence
    values, words = {"seen": each.seen, "expected": each.expected}, each.words
    if 0 < weighed.decks < FEW and OF_DECKS.search(words):
        of = f"{round((each.seen or 0.0) * weighed.decks):,} of {counted(weighed.decks, 'deck')}"
        words = OF_DECKS.sub(of, words)
    if not weighed.lag:
        return words.format(**values, cards=[_cards(card, labels) for card in each.cards], places=_places(each))
    before = "the deck before" if weighed.lag == 1 else f"the deck {weighed.lag} before"
    cards = [_cards_from(card) for card in each.cards]
    return f"compared with {before}: {words.format(**values, cards=cards, places=_places(each))}"


def fault(weighed: Weighed, labels: Sequence[str] = ()) -> str:
    """Return what was seen and what it means; to be said only of a finding."""
    means = weighed.evidence.means
    return f"{seen(weighed, labels)}; {means}" if means else seen(weighed, labels)


def finding(found: Finding, labels: Sequence[str] = ()) -> str:
    """Return a finding in words."""
    if found.weighed is None:
        return found.complaint
    where = f" (the first {found.first_decks:,} decks showed it)" if found.first_decks else ""
    return f"{fault(found.weighed, labels)}{where}"


def limit(each: Limit) -> str:
    """Return the smallest fault that a test would have seen, in words."""
    says = each.words.format(size=each.size, expected=each.expected)
    return f"compared with the deck before: {says}" if each.lag else says


def score(p_value: PValue) -> str:
    """Return a test statistic with its degrees of freedom.

    >>> score(PValue(0.5, CHI_SQUARE, 2_600.7, 2_601)), score(PValue(0.2, "z", -1.28))
    ('χ²(2,601) = 2,601', 'z = -1.28')
    """
    number = p_value.score
    value = f"{number:,.0f}" if number == round(number) or abs(number) >= 1_000 else f"{number:,.4g}"
    degrees = "" if p_value.degrees is None else f"({p_value.degrees:,.6g})"
    return f"{SYMBOLS.get(p_value.name, p_value.name)}{degrees} = {value}"


def headline(report: Report) -> str:
    """Return the first sentence of a report, which has to be enough for a reader who reads no further."""
    verdict, cards = report.verdict, report.battery.cards
    if verdict.at_gate:
        return f"Not every deck is a permutation of the start deck. {report.says(verdict.findings[0])}."
    if verdict.outcome == "fail":
        return f"{report.shuffle} is not fair: {_plainest(report)}."
    if verdict.outcome == "pass":
        asked = f", asked only for {', '.join(report.chosen)}" if report.chosen else ""
        asked = f", asked what {report.standard.name} asks" if report.standard else asked
        short = f", {report.cut_short}" if report.cut_short else ""
        return f"{report.shuffle} shows no fault in {verdict.decks:,} decks of {cards} cards{asked}{short}."
    fewest = report.standard.fewest(cards) if report.standard else fewest_decks(cards)
    known = verdict.analysed or verdict.p_value < ODD
    so_far = oddity(verdict.p_value) if known else "too few for the tests"
    return (
        f"Too few decks to judge {report.shuffle}: {verdict.decks:,} of {cards} cards, {so_far}; "
        f"{'ask for' if report.endless else 'a verdict needs'} {fewest:,} or more."
    )


def _plainest(report: Report) -> str:
    """Return the cause of a failure, if it is certain; else the plainest fault."""
    return report.causes[0].words if _certain(report) else report.says(report.verdict.findings[0])


def _certain(report: Report) -> bool:
    return bool(report.causes) and report.causes[0].certain


def about_causes(report: Report) -> str:
    """Return the heading of the causes of a failure, or that there is none; empty if the shuffle did not fail."""
    if report.sample is None:
        return ""
    if not report.causes:
        more = f"; more decks may tell: --go-on {report.worth_more}" if report.worth_more else ""
        return UNKNOWN_CAUSE + more
    return "The cause" if _certain(report) else "What may be the cause"


def remarks(report: Report) -> Iterator[str]:
    """Yield what a reader should know of the source and of the last interim analysis."""
    yield from report.notes
    verdict = report.verdict
    if verdict.outcome == "fail" or verdict.announced == verdict.decks:
        return
    bets = any(member.statistic.bets for member in report.battery.members)
    rest = "all of them by the bets only" if bets else f"the last {verdict.decks - verdict.analysed:,} were not judged"
    where = f"of these decks the first {verdict.analysed:,} were judged by all tests, {rest}"
    where = where if 0 < verdict.analysed < verdict.decks else ""
    if verdict.announced is None:
        why = "no number of decks was announced: --decks N, chosen in advance, gives the last analysis its own share"
    else:
        why = f"fewer decks came than the {verdict.announced:,} announced, so the share of the last analysis is unused"
    yield "; ".join(filter(None, (why, where)))


def oddity(p_value: float) -> str:
    """Return how odd too few decks are, in words.

    >>> oddity(0.3), oddity(4e-6)
    ('nothing odd in them', 'although they are as odd as this once in 250,000 fair shuffles')
    """
    return f"although they are as odd as this {odds(p_value)}" if p_value < ODD else "nothing odd in them"


def odds(p_value: float, among: str = "fair shuffles") -> str:
    """Return a p-value in words.

    >>> odds(1e-9), odds(1 / 89_149_936_010)
    ('once in 1 billion fair shuffles', 'once in 89 billion fair shuffles')
    """
    if p_value < LEAST_SAID:
        return f"less than once in {about(1 / LEAST_SAID)} {among}"
    return f"once in {about(1 / p_value)} {among}"


def about(times: float) -> str:
    """Return a large number to two digits, in words from a million on: more digits would be false precision.

    >>> about(2.54), about(534.2), about(249_750), about(89_149_936_010), about(2.6e15), about(8.9e30)
    ('2.5', '530', '250,000', '89 billion', '2,600 trillion', '10^31')
    """
    if times >= 1e18:
        return f"10^{log10(times):.0f}"
    times = float(f"{times:.2g}")
    if times < 1e6:
        return f"{times:,.0f}" if times >= 10 or times == round(times) else f"{times:.2g}"
    size, word = next((size, word) for size, word in WORDS if times >= size)
    return f"{times / size:,.0f} {word}" if times >= 10 * size else f"{times / size:.2g} {word}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s or, at its end, ies for y.

    >>> counted(1, "deck"), counted(2_000, "deck"), counted(3, "family")
    ('1 deck', '2,000 decks', '3 families')
    """
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def digits(p_value: float) -> str:
    """Return a p-value in two digits.

    >>> digits(0.25), digits(1.2345e-9), digits(0.999), digits(0.0)
    ('0.25', '1.2e-09', '1', '< 1e-300')
    """
    # A p-value that is too small for a float is still above 0.
    return f"< {LEAST_SAID:g}" if p_value < LEAST_SAID else f"{p_value:.2g}"


def complaint(report: Report) -> Iterator[str]:
    """Yield the lines with which `fairdeck.lab.assert_fair` rejects a shuffle."""
    verdict = report.verdict
    yield report.headline
    if _certain(report) and report.causes[0].repair:
        yield f"  to repair it: {report.causes[0].repair}"
    findings = verdict.findings if _certain(report) else verdict.findings[1:]
    for finding in findings[:SHOWN]:
        yield f"  seen: {report.says(finding)}"
    if len(findings) > SHOWN:
        yield f"  and {len(findings) - SHOWN} more"
    if verdict.p_value:
        yield (
            f"Seen in {counted(verdict.decks, 'deck')} of {report.battery.cards} cards; p = {verdict.p_value:.2g}. "
            f"False alarms: at most {odds(verdict.alpha, 'runs')}."
        )
    yield f"To repeat it with the same random numbers, if the function takes a generator: seed={report.seed}"


def _places(each: Evidence) -> list[str]:
    return [_numbered("place", place) for place in each.places]


def _cards(card: int | range, labels: Sequence[str]) -> str:
    return _numbered("card", card, labels)


def _cards_from(card: int | range) -> str:
    """Return the name of a card in a relative arrangement: the place in the earlier deck."""
    return f"{'the card' if isinstance(card, int) else 'cards'} from {_numbered('place', card)}"


def _numbered(noun: str, numbers: int | range, labels: Sequence[str] = ()) -> str:
    """Return one or several cards or places by name.

    >>> _numbered("card", 7), _numbered("place", range(3, 6)), _numbered("card", range(0, 9, 2), "abcdefghi")
    ('card 7', 'places 3 to 5', 'cards a, c, e, ...')
    """
    if isinstance(numbers, int):
        return f"{noun} {labels[numbers] if labels else numbers}"
    names = [labels[each] if labels else str(each) for each in numbers]
    return f"{noun}s {names[0]} to {names[-1]}" if numbers.step == 1 else f"{noun}s {', '.join(names[:3])}, ..."
