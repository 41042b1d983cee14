"""How often a perfect riffle must be done until every card is back."""

from dataclasses import dataclass

from fairdeck.mixing.limits import cards

MOST_CARDS = 1_000_000


@dataclass(frozen=True, slots=True)
class FaroOrders:
    """After how many faros of one kind the deck is as it was, 1 or more."""

    outward: int
    inward: int


def faro_orders(n: int) -> FaroOrders:
    """Return after how many out-faros, and how many in-faros, `n` cards are as they were.

    The out-faro keeps the top card on top, the in-faro puts it second. Counted from the top, from 0,
    an out-faro of an even deck sends place i to 2i modulo n - 1, an in-faro to 2i + 1 modulo n + 1. Of
    an odd deck the out-faro has one card more in the upper packet and the in-faro one more in the
    lower, as in `fairdeck.shuffles.faro`; both double modulo n.
    Source: Diaconis, Graham and Kantor, "The mathematics of perfect shuffles", Adv. Appl. Math. 4 (1983).

    Args:
        n: cards, 1 to 1,000,000.

    >>> faro_orders(52)
    FaroOrders(outward=8, inward=52)
    """
    cards(n, MOST_CARDS)
    if n % 2:
        return FaroOrders(_doublings(n), _doublings(n))
    return FaroOrders(_doublings(n - 1), _doublings(n + 1))


def _doublings(modulus: int) -> int:
    """Return how often 1 is doubled until it is 1 again."""
    times, at = 1, 2 % modulus
    while at != 1 % modulus:
        times, at = times + 1, at * 2 % modulus
    return times
