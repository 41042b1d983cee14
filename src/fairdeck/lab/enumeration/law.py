"""The exact law of a shuffle, how far that law is from uniform, and what to tell of it.

All distances are exact fractions where they can be. Where some probability is unresolved, they are
the distances of the resolved part; total variation and separation are then bounds, as each says.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import factorial, lcm, log2

from fairdeck.dealing.instructions import counted
from fairdeck.document import Document, Element, Fact, Facts, Heading, Sentence, Table
from fairdeck.permutation import Permutation, cycles

Fractions = list[list[Fraction]]

ROWS = 24  # orders that are shown, if not all are asked for
MOST_DIGITS = 12
PLAIN = Fraction(1, 10**6)  # smaller chances mean nothing to a reader as percentages
LARGEST_SHARE = 10**6  # from more parts on, a chance is said as "1 time in ..."


@dataclass(frozen=True, slots=True, repr=False)
class OrderLaw:
    """The exact probability of each order of a deck after a shuffle.

    Attributes:
        cards: the cards of the deck.
        orders: the probability of each possible order, bottom first.
        unresolved: the probability of the paths that were not followed to their end; all together is 1.
        leaves: how many paths of draws were followed.
        grain: a whole number such that every probability is a multiple of one part in it, or None if
            none is known. If all paths are equally likely, it is their number.
        notes: what else a reader should know, in sentences.
        shuffle: the name of the shuffle.
    """

    cards: int
    orders: dict[Permutation, Fraction]
    unresolved: Fraction = Fraction(0)
    leaves: int = 1
    grain: int | None = None
    notes: tuple[str, ...] = ()
    shuffle: str = ""

    def __repr__(self) -> str:
        return (
            f"<OrderLaw of {self.shuffle or 'a shuffle'}, {self.cards} cards: total variation {self.total_variation}>"
        )

    def _repr_html_(self) -> str:
        from fairdeck.show.page import fragment

        return fragment(self.document())

    def to_json(self) -> str:
        """Return what ``fairdeck exact --json`` prints; exact numbers are fractions such as "4/27"."""
        return json.dumps(
            {
                "format": "fairdeck-law/1",
                "shuffle": self.shuffle,
                "cards": self.cards,
                "fair": self.is_fair,
                "exact": not self.unresolved,
                "unresolved": str(self.unresolved),
                "orders": {_order_text(order): str(chance) for order, chance in self.orders.items()},
                "total_variation": str(self.total_variation),
                "separation": str(self.separation),
                "kl_bits": self.kl_bits,
                "chi_square_distance": str(self.chi_square_distance),
                "likeliest": _order_text(self.likeliest[0]),
                "least_likely": _order_text(self.least_likely[0]),
                "even_orders": str(self.even_orders),
                "positions": [[str(chance) for chance in row] for row in self.positions],
                "leaves": self.leaves,
                "grain": None if self.grain is None else str(self.grain),
                "cannot_be_fair": self.cannot_be_fair,
                "notes": _remarks(self),
            }
        )

    def document(self, everything: bool = False) -> Document:
        """Return what the law says; with `everything` all orders, not only the likeliest."""
        sentences = map(Sentence, _remarks(self))
        return Document(
            _verdict(self), [*sentences, Facts(list(_measures(self))), *_orders(self, everything), *_positions(self)]
        )

    @property
    def is_fair(self) -> bool:
        """Whether all orders are equally likely, as far as they are resolved."""
        return self.total_variation <= self.unresolved

    @property
    def total_variation(self) -> Fraction:
        """The total variation distance from uniform, 0 to 1.

        With something unresolved it is a lower bound; the distance is larger by at most that much.
        """
        fair = Fraction(1, factorial(self.cards))
        return sum(((chance - fair) * len(orders) for chance, orders in self.levels() if chance > fair), Fraction(0))

    @property
    def separation(self) -> Fraction:
        """The separation from uniform, ``1 - n! min P``, 0 to 1; with something unresolved an upper bound.

        Source: Aldous and Diaconis, "Strong uniform times and finite random walks", Adv. Appl. Math. 8 (1987).
        """
        return max(Fraction(0), 1 - factorial(self.cards) * self.least_likely[1])

    @property
    def kl_bits(self) -> float:
        """The Kullback-Leibler divergence from uniform in bits: the entropy that the shuffle lacks."""
        every = factorial(self.cards)
        # Numbers too long for a float: the logarithm is a difference of two.
        terms = [
            float(chance) * len(orders) * (log2(chance.numerator * every) - log2(chance.denominator))
            for chance, orders in self.levels()
        ]
        return max(0.0, sum(terms))

    @property
    def chi_square_distance(self) -> Fraction:
        """``n! sum P^2 - 1``: what one deck adds to the noncentrality of a chi-square over all orders."""
        squares = sum((chance**2 * len(orders) for chance, orders in self.levels()), Fraction(0))
        return factorial(self.cards) * squares - 1

    @property
    def likeliest(self) -> tuple[Permutation, Fraction]:
        """The likeliest order, the first in dictionary order among equals, and its probability."""
        return max(self.orders.items(), key=lambda item: (item[1], [-card for card in item[0]]))

    @property
    def least_likely(self) -> tuple[Permutation, Fraction]:
        """The least likely order, the first in dictionary order among equals, and its probability."""
        if len(self.orders) < factorial(self.cards):
            return next(order for order in permutations(range(self.cards)) if order not in self.orders), Fraction(0)
        return min(self.orders.items(), key=lambda item: (item[1], item[0]))

    @property
    def positions(self) -> Fractions:
        """The probability that place i holds card c, as rows of n places of n cards each."""
        found = [[Fraction(0)] * self.cards for _ in range(self.cards)]
        for chance, orders in self.levels():
            for place, cards in enumerate(zip(*orders, strict=True)):
                for card, count in Counter(cards).items():
                    found[place][card] += count * chance
        return found

    @property
    def even_orders(self) -> Fraction:
        """The probability of an even order; 1/2 is fair, for two cards or more."""
        return sum(
            (
                chance * sum((self.cards - len(cycles(order))) % 2 == 0 for order in orders)
                for chance, orders in self.levels()
            ),
            Fraction(0),
        )

    @property
    def cannot_be_fair(self) -> bool:
        """Whether arithmetic alone rules a fair law out: n! does not divide the number of equally likely paths."""
        return self.grain is not None and self.grain % factorial(self.cards) != 0

    def levels(self) -> list[tuple[Fraction, list[Permutation]]]:
        """Return the orders by their probability: fractions are slow, and many orders share one."""
        found: dict[Fraction, list[Permutation]] = {}
        for order, chance in self.orders.items():
            found.setdefault(chance, []).append(order)
        return list(found.items())


def _verdict(law: OrderLaw) -> str:
    """Return the sentence for a reader who reads only one."""
    every, name = factorial(law.cards), law.shuffle
    deck = f"with {counted(law.cards, 'card')}"
    if len(law.orders) == 1 and not law.unresolved:
        if law.cards == 1:
            return f"{name}: one card has one order, so there is nothing to shuffle."
        order = next(iter(law.orders))
        return f"{name} is not fair: {deck} it always gives the order {_order_text(order)}; nothing is left to chance."
    if law.is_fair:
        each = f"each of the {every:,} orders comes 1 time in {every:,}"
        if law.unresolved:
            return f"{name} is fair {deck} as far as fairdeck followed it: {each}, within {float(law.unresolved):.1g}."
        return f"{name} is fair {deck}: {each}, exactly."
    fair = f"1 in {every:,}{_percent(Fraction(1, every))}"
    return f"{name} is not fair: {deck} {_extremes(law)}; a fair shuffle gives each order {fair}."


def _extremes(law: OrderLaw) -> str:
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


def _remarks(law: OrderLaw) -> list[str]:
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


def _measures(law: OrderLaw) -> Iterator[Fact]:
    at_least = "at least " if law.unresolved else ""
    yield Fact("paths followed", f"{law.leaves:,}")
    yield Fact("total variation", f"{at_least}{_fraction_with_decimal(law.total_variation)}")
    yield Fact("separation", _fraction_with_decimal(law.separation))
    yield Fact("lost entropy", f"{law.kl_bits:.6g} bits")
    yield Fact("chi-square", f"{_fraction_with_decimal(law.chi_square_distance)} a deck")
    for name, (order, chance) in (("likeliest", law.likeliest), ("least likely", law.least_likely)):
        yield Fact(name, f"{_order_text(order)}: {_fraction_with_decimal(chance)}")
    if law.cards > 1:
        yield Fact("even orders", _fraction_with_decimal(law.even_orders))


def _orders(law: OrderLaw, everything: bool) -> Iterator[Element]:
    shown = list(law.orders.items())
    if len(shown) > ROWS and not everything:
        shown = sorted(shown, key=lambda item: (-item[1], item[0]))[:ROWS]
    less, never = len(law.orders) - len(shown), factorial(law.cards) - len(law.orders)
    captions = [
        f"... and {counted(less, 'order')} less likely or as likely: --all shows them." if less else "",
        "The other order never comes." if never == 1 else f"The other {never:,} orders never come." if never else "",
    ]
    rows = [(_order_text(order), _fraction_with_decimal(chance)) for order, chance in shown]
    yield Heading("How likely each order is")
    yield Table({"order, bottom first": False, "probability": False}, rows, " ".join(filter(None, captions)))


def _positions(law: OrderLaw) -> Iterator[Element]:
    yield Heading(f"How likely each place (from the bottom, 0) holds each card; fair is 1/{law.cards}")
    rows = [(str(place), *map(_fraction_text, row)) for place, row in enumerate(law.positions)]
    yield Table({"place": True} | {f"card {card}": True for card in range(law.cards)}, rows)


def _order_text(order: Permutation) -> str:
    return ",".join(map(str, order))


def _fraction_with_decimal(chance: Fraction) -> str:
    """Return a fraction with its decimal value; only that if the fraction is long."""
    if chance.denominator == 1:
        return str(chance)
    if len(str(chance.denominator)) > MOST_DIGITS:
        return f"{float(chance):.9g}"
    return f"{chance} = {float(chance):.6g}"


def _fraction_text(chance: Fraction) -> str:
    return str(chance) if len(str(chance)) <= MOST_DIGITS - 3 else f"{float(chance):.6f}"
