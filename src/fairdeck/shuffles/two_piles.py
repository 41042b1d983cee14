"""A large deck in two piles: each is shuffled thoroughly, they are stacked, and the deck is cut at a fixed place.

After each round the order within the piles is fair, so all that matters is which cards lie in which pile. And that
depends only on how many cards of the first lower pile are in the lower pile again: an urn of Bernoulli and Laplace, in
which the cut exchanges random cards of the piles. So the law is exact, whatever the size of the deck.
Source: Nestoridi and White, "Shuffling large decks of cards and the Bernoulli-Laplace urn model", J. Theoret.
Probab. 32 (2019), who bound the number of rounds for several piles; the law of two piles is followed here.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, factorial
from random import Random

from fairdeck.numbers import whole
from fairdeck.shuffles.distances import Distance, cards, compared
from fairdeck.shuffles.fisher_yates import FisherYates
from fairdeck.shuffles.known import Family, Model, Parameter

SOURCE = "Nestoridi and White, J. Theoret. Probab. 32 (2019)"
EXACT = f"the urn of {SOURCE}, followed"
MOST_CARDS = 416  # eight packs: the law is followed up to here
MOST_CUT = 1_000


@dataclass(frozen=True, slots=True)
class TwoPiles(Model):
    """Shuffle both halves, each until it is fair; stack them and cut cards from the top to the bottom."""

    cut: int  # how many cards go from the top to the bottom; a quarter of the deck exchanges half of each pile

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        lower, shuffled = n // 2, FisherYates()
        deck = [*shuffled(lower, rng), *[lower + card for card in shuffled(n - lower, rng)]]
        return deck[n - self.cut % n :] + deck[: n - self.cut % n]

    @classmethod
    def law(cls, in_turn: Sequence["TwoPiles"], n: int) -> Distance | None:
        """Return the law of all rounds; the cut of the last one only gives the places other names."""
        return two_piles(n, *[each.cut for each in in_turn[:-1]]) if n <= MOST_CARDS else None

    def support(self, n: int, times: int = 1) -> int:
        lower = cards(n) // 2
        return int(min(factorial(n), (factorial(lower) * factorial(n - lower)) ** min(times, n)))


def two_piles(n: int, *cuts: int) -> Distance:
    """Return the exact distances of `n` cards whose halves are shuffled, cut, shuffled, ..., shuffled.

    Args:
        n: cards, 2 to 416.
        cuts: the cards cut between the shuffles, from the top to the bottom.

    >>> round(float(two_piles(104, 26, 26).total_variation), 4)
    0.0024
    """
    whole("cards", n, 2, MOST_CARDS)
    lower = n // 2
    law, ways = {lower: 1}, 1
    for cut in cuts:
        from_upper = _exchanged(n, whole("cards cut", cut, 0, MOST_CUT) % n)
        after: Counter[int] = Counter()
        for stayed, weight in law.items():
            for now, many in _round(n, from_upper, stayed):
                after[now] += weight * many
        law, ways = dict(after), ways * comb(n - lower, from_upper) * comb(lower, from_upper)
    fair = {stayed: comb(lower, stayed) * comb(n - lower, lower - stayed) for stayed in range(lower + 1)}
    return compared([(law.get(stayed, 0), sets) for stayed, sets in fair.items() if sets], ways, EXACT)


def _exchanged(n: int, cut: int) -> int:
    """Return how many cards of the upper pile come to lie in the lower one."""
    return sum([(n - cut + place) % n >= n // 2 for place in range(n // 2)])


@lru_cache(maxsize=1024)
def _round(n: int, exchanged: int, stayed: int) -> tuple[tuple[int, int], ...]:
    """Return how many of the first cards the lower pile has after one exchange, each with its number of ways."""
    lower = n // 2
    away = lower - stayed
    after: Counter[int] = Counter()
    for back in range(min(away, exchanged) + 1):
        ways = comb(away, back) * comb(n - lower - away, exchanged - back)
        for kept in range(min(stayed, lower - exchanged) + 1 if ways else 0):
            after[back + kept] += ways * comb(stayed, kept) * comb(away, lower - exchanged - kept)
    return tuple([(now, ways) for now, ways in after.items() if ways])


FAMILIES = (
    Family(
        "two-piles",
        (Parameter("cut", "how many cards go from the top to the bottom", int, 1, MOST_CUT, needed=True),),
        TwoPiles,
        says="shuffles each half thoroughly, then cuts: for decks that are too large to be shuffled whole",
        source=SOURCE,
        example="two-piles(26)",
        least=2,
    ),
)
