"""Sentences about what a test found: the one place where evidence becomes English.

The words of a statistic are templates in its own file. Here they get the numbers and the names of cards and places.
"""

import re
from collections.abc import Sequence
from math import log10

from fairdeck.lab.judging.verdict import Finding, Weighed
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.laws.tails import CHI_SQUARE, PValue
from fairdeck.lab.statistics import Evidence

ODD = 0.05  # smaller p-values are reported even where the decks are too few for a verdict
LEAST_SAID = 1e-300  # a float cannot distinguish smaller p-values from 0
SYMBOLS = {CHI_SQUARE: "χ²"}
WORDS = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
FEW = 1_000  # decks: of so few, numbers are said instead of shares
SHARE_OF_DECKS, FAIR_SHARE = re.compile(r"\{seen:\.\d%\} of decks"), re.compile(r"\{expected:\.\d%\}")
UNKNOWN = "These tests have no limit: nobody knows how small a fault they would find."


CARDS = r"\bcards? \d+( to \d+)?"


def seen(weighed: Weighed, labels: Sequence[str] = ()) -> str:
    """Return what was seen, with the `labels` of cards, and what a fair deck shows; this alone is not a fault."""
    each = weighed.evidence
    values, words = {"seen": each.seen, "expected": each.expected}, each.words
    if 0 < weighed.decks < FEW and SHARE_OF_DECKS.search(words):
        seen_in, fair = ((share or 0.0) * weighed.decks for share in (each.seen, each.expected))
        words = SHARE_OF_DECKS.sub(f"{round(seen_in):,} of {counted(weighed.decks, 'deck')}", words)
        words = FAIR_SHARE.sub(f"{fair:,.3g}", words)
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
    of = f"decks {found.after + 1:,} to {found.after + found.first_decks:,}"
    of = of if found.after else f"the first {found.first_decks:,} decks"
    where = f" ({of} showed it)" if found.first_decks else ""
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


def p_value_text(p_value: float) -> str:
    """Return a p-value with its name.

    >>> p_value_text(0.25), p_value_text(0.0)
    ('p = 0.25', 'p < 1e-300')
    """
    return f"p {digits(p_value)}" if p_value < LEAST_SAID else f"p = {digits(p_value)}"


def _places(each: Evidence) -> list[str]:
    return [_numbered("place", place) for place in each.places]


def named(words: str, labels: Sequence[str]) -> str:
    """Return words about cards with the names of these instead of their numbers.

    >>> named("card 2 is at place 2; cards 0 to 1 never move, nor do 2 cards", ["A", "K", "Q"])
    'card Q is at place 2; cards A to K never move, nor do 2 cards'
    """
    if not labels:
        return words
    return re.sub(CARDS, lambda cards: re.sub(r"\d+", lambda card: str(labels[int(card[0])]), cards[0]), words)


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
