"""The cut: lift any number of cards off and put the rest on them; its laws, alone and together with riffles.

The chance of an order after a cut and riffles depends on its *cyclic* rising sequences, and on nothing else if the
cut comes first; so a cut and then riffles of n cards are exactly as far from uniform as the same riffles of n - 1
cards. Any cut after that changes nothing: a cut, riffles of a packets, a cut, riffles of b are a cut and riffles of ab.

If the cut comes last, the distance between the cards that began at the ends matters too. The orders with r cyclic
rising sequences whose ends lie d apart have the chance ``((n - d) P(r) + d P(r + 1)) / n``, where P(r) is
that of an order with r rising sequences after the riffles alone. So only for the r with 1/n! between P(r) and
P(r + 1) some orders are too likely and others not likely enough, and those are counted by d.

Sources: Fulman, "Affine shuffles, shuffles with cuts, the Whitehouse module, and patience sorting", J. Algebra 231
(2000), for cyclic descents; the law of the cut that comes last is this project's, checked against all orders of up to
six cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial, prod
from random import Random

from fairdeck.numbers import whole
from fairdeck.shuffles.distances import Distance, cards, even_over
from fairdeck.shuffles.known import KernelRow, Known, Model
from fairdeck.shuffles.piles import PilesAtRandom
from fairdeck.shuffles.riffle import MOST_PACKETS, Riffle, a_shuffle, eulerian_numbers

SOURCE = "riffles of n - 1 cards: Fulman, J. Algebra 231 (2000); Bayer and Diaconis, Ann. Appl. Probab. 2 (1992)"
LAST = "cyclic rising sequences: Fulman, J. Algebra 231 (2000), and this project's count"


@dataclass(frozen=True, slots=True)
class Cut(Model):
    """Lift any number of cards off and put the rest on them: n ways, and the ring of cards stays as it is."""

    joins = (Riffle, PilesAtRandom)

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        place = rng.randrange(n)
        return [*range(place, n), *range(place)]

    @classmethod
    def law(cls, in_turn: Sequence[Model], n: int) -> Distance | None:
        """Return the law of cuts alone, and of riffles or random piles with cuts before all of them or after."""
        cuts = [at for at, model in enumerate(in_turn) if isinstance(model, Cut)]
        if len(cuts) == len(in_turn):
            return even_over(n, n, "a cut of a cut is a cut: n orders of n!, each as likely as the others")
        packets = [model.packets for model in in_turn if isinstance(model, Riffle)]
        if not packets:
            # Told backwards, up to turning the deck over, random piles and cuts are riffles and cuts.
            packets = [model.piles for model in in_turn if isinstance(model, PilesAtRandom)]
            cuts = [len(in_turn) - 1 - at for at in reversed(cuts)]
        if len(packets) + len(cuts) < len(in_turn):
            return None
        if cuts[0] == 0:
            return cut_then_riffled(n, prod(packets))
        return riffled_then_cut(n, prod(packets)) if cuts[0] + len(cuts) == len(in_turn) else None

    def support(self, n: int, times: int = 1) -> int:
        return cards(n)  # a cut of a cut is a cut

    def kernel_row(self, n: int) -> KernelRow:
        return KernelRow("cut")


def cut_then_riffled(n: int, packets: int) -> Distance:
    """Return the distances of `n` cards, 2 to 1,000, after a cut and then a riffle of `packets` packets.

    >>> cut_then_riffled(5, 2).total_variation == a_shuffle(4, 2).total_variation
    True
    """
    found = a_shuffle(cards(n) - 1, packets)
    # A cut makes n orders, equally likely, of each order of n - 1 cards: so the missing bits stay too.
    return replace(found, source=SOURCE)


@lru_cache(maxsize=256)
def riffled_then_cut(n: int, packets: int) -> Distance:
    """Return the distances of `n` cards, 2 to 1,000, after a riffle of `packets` packets and then a cut.

    Separation and l-infinity are those of the cut that comes first; the total variation is never below.

    >>> riffled_then_cut(4, 2).total_variation, cut_then_riffled(4, 2).total_variation
    (Fraction(17, 48), Fraction(1, 3))
    """
    first = a_shuffle(cards(n) - 1, packets)
    a = whole("packets", packets, 1, MOST_PACKETS)
    all_, ways = factorial(n), a**n
    # Orders likelier than 1/n! wherever the ends lie: their ways over a^(n - 1), and their number over n.
    likely = counted = turn = 0
    for rising, orders in enumerate(eulerian_numbers(n - 1), 1):
        turn = rising
        if comb(a + n - rising - 1, n) * all_ < ways:
            break
        likely += orders * comb(a + n - 1 - rising, n - 1)
        counted += orders
    one, next_ = comb(a + n - turn, n), comb(a + n - turn - 1, n)
    split = 0  # over a^n n!
    for apart, orders in enumerate(_orders_apart(n, turn), 1):
        split += orders * max(0, ((n - apart) * one + apart * next_) * all_ - n * ways)
    variation = Fraction(likely * a * all_ - counted * n * ways + split, ways * all_)
    return Distance(variation, first.separation, first.l_infinity, True, LAST)


def _orders_apart(n: int, rising: int) -> list[int]:
    """Return how many orders of `n` cards, up to cuts, have `rising` cyclic rising sequences and ends 1, 2, ... apart.

    These are the orders of n - 1 things with one descent less that end on the first, the second, ... thing. Those that
    end on the d-th of m have the generating function ``(1 - x)^m sum (c + 1)^(d - 1) c^(m - d) x^c``: things sorted
    by labels end on the d-th if it has the label c, those before it up to c, and those after it less than c.

    >>> _orders_apart(4, 2)
    [1, 2, 1]
    """
    m, descents = n - 1, rising - 1
    terms = [((-1) ** (descents - c) * comb(m, descents - c) * c ** (m - 1), c) for c in range(1, descents + 1)]
    found = []
    for _ in range(m):
        found.append(sum([term for term, _ in terms]))
        terms = [(term * (c + 1) // c, c) for term, c in terms]
    found[-1] += (-1) ** descents * comb(m, descents)  # of the label 0, whose powers all vanish but the last
    return found


CUT = Known(
    "cut",
    Cut(),
    says="one cut: all cards but one still lie on the same card as before",
    source="Bayer and Diaconis, Ann. Appl. Probab. 2 (1992)",
    by_hand=True,
)

KNOWN = (
    CUT,
    Known(
        "cut-carried",
        Cut(),
        says="each deck is only a cut of the one before: any place can hold any card, yet the order never changes",
        source="a table where the deck is cut but not shuffled between rounds",
        carried=True,
        by_hand=True,
    ),
)
