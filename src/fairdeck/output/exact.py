"""An exact law as text for a terminal, as JSON, and as HTML for a notebook."""

import json
from collections.abc import Iterator
from fractions import Fraction
from math import factorial, lcm

from fairdeck.dealing.instructions import counted
from fairdeck.lab.enumeration.detection import decks_needed
from fairdeck.lab.enumeration.law import OrderLaw
from fairdeck.output.html import table, text
from fairdeck.permutation import Permutation

ROWS = 24
MOST_DIGITS = 12
PLAIN = Fraction(1, 10**6)  # smaller chances mean nothing to a reader as percentages
LARGEST_SHARE = 10**6  # from more parts on, a chance is said as "1 time in ..."


def as_json(law: OrderLaw) -> str:
    """Return the law and its measures, on one line; exact numbers are fractions such as "4/27"."""
    return json.dumps(
        {
            "format": "fairdeck-law/1",
            "shuffle": law.shuffle,
            "cards": law.cards,
            "fair": law.is_fair,
            "exact": not law.unresolved,
            "unresolved": str(law.unresolved),
            "orders": {_word(order): str(chance) for order, chance in law.orders.items()},
            "total_variation": str(law.total_variation),
            "separation": str(law.separation),
            "kl_bits": law.kl_bits,
            "chi_square_distance": str(law.chi_square_distance),
            "likeliest": _word(law.likeliest[0]),
            "least_likely": _word(law.least_likely[0]),
            "even_orders": str(law.even_orders),
            "positions": [[str(chance) for chance in row] for row in law.positions],
            "leaves": law.leaves,
            "grain": None if law.grain is None else str(law.grain),
            "cannot_be_fair": law.cannot_be_fair,
            "decks_needed": decks_needed(law),
            "notes": _notes(law),
        }
    )


def lines(law: OrderLaw, everything: bool = False) -> Iterator[str]:
    """Yield the law as lines of text, with `everything` all orders."""
    yield verdict(law)
    yield from _notes(law)
    yield ""
    for name, value in _measures(law):
        yield f"{name:<18} {value}"
    yield from _needed(law)
    yield ""
    yield from _orders(law, everything)
    yield ""
    yield from _positions(law)


def as_html(law: OrderLaw) -> str:
    """Return the law as a part of a page: the sentence, the orders, and the positions."""
    orders = [[text(_word(order)), str(chance), f"{float(chance):.6g}"] for order, chance in _shown(law, ROWS)]
    rows = [[str(place), *map(_short, row)] for place, row in enumerate(law.positions)]
    cards = {f"card {card}": True for card in range(law.cards)}
    said = "".join(f"<p>{text(each)}</p>" for each in (verdict(law), *_notes(law)))
    return (
        said
        + table("Orders", {"order, bottom first": False, "probability": True, "decimal": True}, orders)
        + table("Positions", {"place, from the bottom": False, **cards}, rows)
    )


def verdict(law: OrderLaw) -> str:
    """Return the sentence for a reader who reads only one."""
    every, name = factorial(law.cards), law.shuffle
    deck = f"with {counted(law.cards, 'card')}"
    if len(law.orders) == 1 and not law.unresolved:
        if law.cards == 1:
            return f"{name}: one card has one order, so there is nothing to shuffle."
        order = next(iter(law.orders))
        return f"{name} is not fair: {deck} it always gives the order {_word(order)}; nothing is left to chance."
    if law.is_fair:
        each = f"each of the {every:,} orders comes 1 time in {every:,}"
        if law.unresolved:
            return f"{name} is fair {deck} as far as fairdeck followed it: {each}, within {float(law.unresolved):.1g}."
        return f"{name} is fair {deck}: {each}, exactly."
    return f"{name} is not fair: {deck} {_extremes(law)}; a fair shuffle gives each order {_fair(every)}."


def _fair(every: int) -> str:
    return f"1 in {every:,}{_percent(Fraction(1, every))}"


def _extremes(law: OrderLaw) -> str:
    """Return how often the likeliest and the least likely order come."""
    every, most, fewest = factorial(law.cards), law.likeliest[1], law.least_likely[1]
    if not fewest:
        never = every - len(law.orders)
        comes = f"{never:,} of the {every:,} orders never {'comes' if never == 1 else 'come'}"
        return f"{comes}, and the likeliest comes {_times(most)}{_percent(most)}"
    together = lcm(most.denominator, fewest.denominator)
    if together > LARGEST_SHARE:
        return f"the likeliest order comes {_times(most)}, the least likely {_times(fewest)}"
    often, seldom = int(most * together), int(fewest * together)
    rare = "once" if seldom == 1 else f"{seldom:,} times"
    return (
        f"the likeliest order comes {often:,} times in {together:,}{_percent(most)}, "
        f"the least likely {rare}{_percent(fewest)}"
    )


def _percent(chance: Fraction) -> str:
    """Return a chance as a percentage in brackets; nothing if it is too small.

    >>> _percent(Fraction(5, 27)), _percent(Fraction(1, 10**9))
    (' (18.5%)', '')
    """
    return f" ({float(100 * chance):.3g}%)" if chance > PLAIN else ""


def _times(chance: Fraction) -> str:
    if chance.denominator <= LARGEST_SHARE:
        return f"{chance.numerator:,} in {chance.denominator:,}"
    return f"1 time in {float(1 / chance):,.8g}"


def _notes(law: OrderLaw) -> list[str]:
    notes = list(law.notes)
    if law.unresolved:
        notes.append(
            f"The shuffle can draw without end: a probability of {float(law.unresolved):.1e} was not followed further, "
            "so every figure is accurate to about that."
        )
    if law.cannot_be_fair and law.grain is not None:
        grain = f"{law.grain:,}" if law.grain < 10**MOST_DIGITS else f"about {float(law.grain):.3g}"
        notes.append(
            f"Arithmetic shows why: every probability is a whole number of parts in {grain}, but the fair "
            f"1/{factorial(law.cards):,} is not."
        )
    notes.append(f"This says nothing about decks of more than {counted(law.cards, 'card')}: see fairdeck test.")
    return notes


def _measures(law: OrderLaw) -> Iterator[tuple[str, str]]:
    at_least = "at least " if law.unresolved else ""
    yield "paths followed", f"{law.leaves:,}"
    yield "total variation", f"{at_least}{_number(law.total_variation)}"
    yield "separation", _number(law.separation)
    yield "lost entropy", f"{law.kl_bits:.6g} bits"
    yield "chi-square", f"{_number(law.chi_square_distance)} a deck"
    for name, (order, chance) in (("likeliest", law.likeliest), ("least likely", law.least_likely)):
        yield name, f"{_word(order)}: {_number(chance)}"
    if law.cards > 1:
        yield "even orders", _number(law.even_orders)


def _needed(law: OrderLaw) -> Iterator[str]:
    needed = {name: decks for name, decks in decks_needed(law).items() if decks is not None}
    if needed and not law.is_fair:
        yield ""
        yield "Decks that a test needs to see this in 99 of 100 runs, with 1 false alarm in a million:"
        for name, decks in sorted(needed.items(), key=lambda item: item[1]):
            yield f"    {name:<18} {decks:,}" if decks < 10**15 else f"    {name:<18} {decks:.1e}"


def _shown(law: OrderLaw, most: int) -> list[tuple[Permutation, Fraction]]:
    """Return all orders, or the likeliest if there are more than `most`."""
    found = list(law.orders.items())
    return found if len(found) <= most else sorted(found, key=lambda item: (-item[1], item[0]))[:most]


def _orders(law: OrderLaw, everything: bool) -> Iterator[str]:
    shown = _shown(law, len(law.orders) if everything else ROWS)
    width = max(len("order, bottom first"), 2 * law.cards)
    yield f"{'order, bottom first':<{width}}  probability"
    for order, chance in shown:
        yield f"{_word(order):<{width}}  {_number(chance)}"
    if rest := len(law.orders) - len(shown):
        yield f"... and {counted(rest, 'order')} less likely or as likely: --all shows them"
    never = factorial(law.cards) - len(law.orders)
    if never:
        yield f"{'the other order never comes' if never == 1 else f'the other {never:,} orders never come'}"


def _positions(law: OrderLaw) -> Iterator[str]:
    rows = [[_short(chance) for chance in row] for row in law.positions]
    width = max(4, *(len(cell) for row in rows for cell in row))
    yield f"How likely each place (from the bottom, 0) holds each card; fair is 1/{law.cards}:"
    yield "place " + " ".join(f"{f'#{card}':>{width}}" for card in range(law.cards))
    for place, row in enumerate(rows):
        yield f"{place:>5} " + " ".join(f"{cell:>{width}}" for cell in row)


def _word(order: Permutation) -> str:
    return ",".join(map(str, order))


def _number(chance: Fraction) -> str:
    """Return a fraction with its decimal value; only that if the fraction is long."""
    if chance.denominator == 1:
        return str(chance)
    if len(str(chance.denominator)) > MOST_DIGITS:
        return f"{float(chance):.9g}"
    return f"{chance} = {float(chance):.6g}"


def _short(chance: Fraction) -> str:
    return str(chance) if len(str(chance)) <= MOST_DIGITS - 3 else f"{float(chance):.6f}"
