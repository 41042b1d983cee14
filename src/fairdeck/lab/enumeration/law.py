"""The exact law of a shuffle, and how far that law is from uniform.

All distances are exact fractions where they can be. Where some probability is unresolved, they are
the distances of the resolved part; total variation and separation are then bounds, as each says.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import factorial, log2

from fairdeck.permutation import Permutation, cycles

Fractions = list[list[Fraction]]


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
        from fairdeck.output.exact import as_html

        return as_html(self)

    def to_json(self) -> str:
        """Return what ``fairdeck exact --json`` prints."""
        from fairdeck.output.exact import as_json

        return as_json(self)

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
