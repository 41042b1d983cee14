"""How the deal helps: hands dealt from a riffled deck, when only who holds what matters.

Neighbours in the old order stay near each other, so dealing them one to each hand parts them better
than dealing a hand at a time. The law is exact for up to 9 cards: it goes through all orders. For larger
decks there is the first order in 1/2^k: the law is ``1 + (n/2^k) sum x(h_i, h_(i+1))`` times the fair
one, where h_i is the hand of the i-th card of the old order and x(a, b) the chance, less a half, that
a random place dealt to a comes before one dealt to b.
Source: Conger and Howald, "A better way to deal the cards", Amer. Math. Monthly 117 (2010); the
constants are counted here.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import comb, pi, sqrt

from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.shuffles.distances import MOST_ENUMERATED, MOST_RIFFLES, Distance, cards
from fairdeck.shuffles.riffle import a_shuffle, seen

SOURCE = "Conger and Howald, Amer. Math. Monthly 117 (2010)"
ESTIMATE = "an estimate, the first order in 1/2^k: " + SOURCE
COUNTED = 52  # cards up to which the mean over all ways to spread the hands is counted; a normal law beyond


def cyclic(n: int, hands: int) -> tuple[int, ...]:
    """Return the hand of each card dealt: one card to each hand in turn.

    >>> cyclic(6, 3)
    (0, 1, 2, 0, 1, 2)
    """
    _even(n, hands)
    return tuple([card % hands for card in range(n)])


def blocks(n: int, hands: int) -> tuple[int, ...]:
    """Return the hand of each card dealt: a whole hand at a time.

    >>> blocks(6, 3)
    (0, 0, 1, 1, 2, 2)
    """
    size = _even(n, hands)
    return tuple([card // size for card in range(n)])


def back_and_forth(n: int, hands: int) -> tuple[int, ...]:
    """Return the hand of each card dealt: one card to each hand in turn, every other round from the last to the first.

    >>> back_and_forth(6, 3)
    (0, 1, 2, 2, 1, 0)
    """
    _even(n, hands)
    turns = (*range(hands), *range(hands - 1, -1, -1))
    return tuple([turns[card % len(turns)] for card in range(n)])


METHODS = {
    "one card to each in turn": cyclic,
    "in turn, back and forth": back_and_forth,
    "a whole hand at a time": blocks,
}


def by_method(n: int, hands: int, riffles: int) -> dict[str, Distance]:
    """Return how far the hands are from fair after riffles, for each way to deal them.

    Exact for up to 9 cards; beyond, an estimate of the first order (see `dealt_estimate`), but no more than the
    distance of the whole order.

    Args:
        n: cards, which make even hands.
        hands: 1 to `n`.
        riffles: 0 to 1,000.

    Raises:
        FairdeckError: `n` cards do not make so many even hands.
    """
    deals = {words: method(n, hands) for words, method in METHODS.items()}
    if n <= MOST_ENUMERATED:
        return {words: dealt(deal, 2**riffles) for words, deal in deals.items()}
    # Who holds what is never further from fair than the order; with few cards a hand the estimate may be, a little.
    most = float(a_shuffle(n, 2**riffles).total_variation or 0)
    estimates = {words: dealt_estimate(deal, riffles) for words, deal in deals.items()}
    return {
        words: replace(found, total_variation=min(found.total_variation or 0, most))
        for words, found in estimates.items()
    }


def _even(n: int, hands: int) -> int:
    """Return the size of each hand."""
    cards(n)
    size, left = divmod(n, whole("hands", hands, 1, n))
    if left:
        raise FairdeckError(
            f"{n} cards do not make {hands} even hands; deal {n - left} of them, or list the hand of each card"
        )
    return size


def dealt(deal: Sequence[int], packets: int) -> Distance:
    """Return the exact distances of the hands dealt from the top after a riffle of up to 9 cards.

    Args:
        deal: the hand that takes each card, the first card dealt first.
        packets: of the riffle; k riffles are one of 2^k.

    >>> round(float(dealt(cyclic(6, 3), 16).total_variation), 5)
    0.04347
    """
    n = cards(len(deal), MOST_ENUMERATED)
    hand = tuple(deal)[::-1]  # by place, bottom first
    return seen(n, packets, lambda destinations: tuple([hand[place] for place in destinations]))


def dealt_estimate(deal: Sequence[int], times: int) -> Distance:
    """Return about how far the hands dealt from the top are from fair after riffles, where that is small.

    The next order is left out, so the estimate is no bound. Where the law is known and the estimate below 0.1, the
    two differ by an eighth at most for cyclic deals and blocks. Back and forth the first order is small, and the next
    can be larger; with an even number of cards a hand the first order vanishes, and the estimate is 0.

    Args:
        deal: the hand that takes each card; hands of one size, dealt cyclically, in blocks, or back and forth.
        times: riffles, 0 to 1,000.

    >>> round(dealt_estimate(back_and_forth(52, 4), 6).total_variation, 5)
    0.00258
    """
    slope = first_order(deal)
    return Distance(min(1.0, slope / 2 ** whole("riffles", times, 0, MOST_RIFFLES)), None, None, False, ESTIMATE)


def first_order(deal: Sequence[int]) -> float:
    """Return the constant c of a deal: after k riffles the total variation of the hands is about ``c / 2^k``.

    Counted for up to 52 cards; beyond, the sum over all neighbours is taken as normal, good to two in a hundred.

    >>> round(first_order(blocks(52, 4)) / first_order(cyclic(52, 4)), 6)
    13.0
    """
    n = cards(len(deal))
    hands = sorted(set(deal))
    size, left = divmod(n, len(hands))
    if left or any(deal.count(hand) != size for hand in hands):
        raise FairdeckError(
            f"{n} cards dealt unevenly to {len(hands)} hands: there is no estimate; deal equally many to each"
        )
    if len(hands) == 1:
        return 0.0
    before = _before(deal)
    if len(before) > 1:
        raise FairdeckError("this deal has no estimate; deal cyclic, in blocks, or back and forth")
    tilt = Fraction(before.pop(), size**2) - Fraction(1, 2)
    return float(n * abs(tilt)) / 2 * _rises_less_falls(len(hands), size)


def _before(deal: Sequence[int]) -> set[int]:
    """Return, for all pairs of hands, how many pairs of their cards have the card of the smaller hand dealt first."""
    hands = sorted(set(deal))
    place = {hand: at for at, hand in enumerate(hands)}
    dealt, pairs = [0] * len(hands), [[0] * len(hands) for _ in hands]
    for hand in deal:
        to = place[hand]
        row = pairs[to]
        for at in range(to):
            row[at] += dealt[at]
        dealt[to] += 1
    return {ways for at, row in enumerate(pairs) for ways in row[:at]}


@lru_cache(maxsize=32)
def _rises_less_falls(hands: int, size: int) -> float:
    """Return the mean of |rises - falls| in a random word of `hands` letters, each `size` times."""
    n = hands * size
    if hands == 2:
        return size / (n - 1)  # rises and falls take turns: what counts is whether the ends differ
    if n > COUNTED:
        return sqrt(2 / pi * _variance(hands, size))
    # Letters are put in from the smallest: the copies of the largest so far go as runs into the gaps. A run
    # in a rise adds a fall, in a fall a rise, between equals both; at the start a fall, at the end a rise.
    law = {(0, 0): 1}
    for letter in range(1, hands):
        length = letter * size
        after: dict[tuple[int, int], int] = {}
        for (rises, falls), words in law.items():
            equal = length - 1 - rises - falls
            for in_rises in range(min(rises, size) + 1):
                for in_falls in range(min(falls, size - in_rises) + 1):
                    one = words * comb(rises, in_rises) * comb(falls, in_falls)
                    for between in range(min(equal, size - in_rises - in_falls) + 1):
                        for start, end in ((0, 0), (0, 1), (1, 0), (1, 1)):
                            runs = in_rises + in_falls + between + start + end
                            if 1 <= runs <= size:
                                at = (rises + in_falls + between + end, falls + in_rises + between + start)
                                ways = one * comb(equal, between) * comb(size - 1, runs - 1)
                                after[at] = after.get(at, 0) + ways
        law = after
    total = sum(law.values())
    return float(Fraction(sum([abs(rises - falls) * words for (rises, falls), words in law.items()]), total))


def _variance(hands: int, size: int) -> float:
    """Return the variance of rises less falls; steps that share no card are uncorrelated, by symmetry."""
    n = hands * size
    differ = size * (hands - 1) / (n - 1)
    # Of two steps x, y, z in a row the signs multiply to 1 if y lies strictly between, to -1 if it is above or
    # below both; of three unlike letters the middle one is y in a third of the cases, and if x = z the product is -1.
    unlike = size * (hands - 1) / (n - 1) * size * (hands - 2) / (n - 2)
    same_ends = (size - 1) / (n - 1) * size * (hands - 1) / (n - 2)
    return (n - 1) * differ + 2 * (n - 2) * (-unlike / 3 - same_ends)
