"""Dealing each card onto a random pile and stacking the piles: a riffle, turned round in time.

One pass with m piles, up to turning the deck over, undoes a riffle of m packets; so k passes are as
far from uniform as one riffle of m^k packets.
Source: Bayer and Diaconis, "Trailing the dovetail shuffle to its lair", Ann. Appl. Probab. 2 (1992).
"""

from fairdeck.errors import FairdeckError
from fairdeck.mixing.distance import Distance
from fairdeck.mixing.limits import MOST_RIFFLES, cards, whole
from fairdeck.mixing.riffles import MOST_PACKETS, a_shuffle

MOST_PILES = 1_000_000


def random_piles(n: int, *piles: int) -> Distance:
    """Return the distances of `n` cards from uniform after passes that deal each card onto a random pile.

    Args:
        n: cards, 1 to 1,000.
        piles: how many piles each pass has, each 1 or more.

    >>> round(float(random_piles(52, 7, 7).total_variation), 3)
    0.742
    """
    cards(n)
    if not 1 <= len(piles) <= MOST_RIFFLES:
        raise FairdeckError(f"{len(piles)} passes of piles; give the piles of 1 to {MOST_RIFFLES}")
    packets = 1
    for count in piles:
        packets *= whole("piles", count, 1, MOST_PILES)
    if packets > MOST_PACKETS:
        raise FairdeckError(f"{len(piles)} passes make over 2^{MOST_RIFFLES} labels; ask for fewer passes")
    return a_shuffle(n, packets)
