"""Where one card is: the chain of its places, and how far they are from even.

A chain is a square of chances, ``chain[i][j]`` that the card now at place i is at place j after
one shuffle; places count from the bottom (see `fairdeck.permutation`). A fair deck needs
equal chances for all places, and far more: the distances here, from the worst place to start at, are lower
bounds of those of the whole order.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb, lcm
from operator import mul

from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.shuffles.distances import Distance, Number, cards, chance, compared

RIFFLE = "Bayer and Diaconis, Ann. Appl. Probab. 2 (1992), for one card; Ciucu, Ann. Appl. Probab. 8 (1998)"
CHAIN = "the chain of one card's places, from the worst place"
OVERHAND = "Pemantle, J. Theoret. Probab. 2 (1989), for one card"
MOST_RIFFLES = 100
MOST_STEPS = 100_000
MOST_CHAIN = 400  # cards

MOST_EXACT_STEPS = 1_000
SLIP = 1e-9  # by which a row of floats may miss 1

Chain = Sequence[Sequence[Number]]
Scaled = list[list[float]]  # whole numbers all of them, or floats all of them


def riffled_card(n: int, times: int) -> Distance:
    """Return how far the place of the top card is from even after riffles; the bottom card is equally far.

    Checked for 2 to 10, 16 and 104 cards: no other card is further. Exact for any number of riffles.

    Args:
        n: cards, 1 to 1,000.
        times: riffles, 0 to 100.

    >>> round(float(riffled_card(52, 4).total_variation), 3), round(float(riffled_card(52, 4).separation), 3)
    (0.367, 0.875)
    """
    places = _end_card(cards(n), 2 ** whole("riffles", times, 0, MOST_RIFFLES))
    return compared([(ways, 1) for ways in places], sum(places), RIFFLE)


def _end_card(n: int, a: int) -> list[int]:
    """Return in how many of the a^n ways a riffle of `a` packets sends an end card 0, 1, ..., n-1 places inwards.

    It goes ``j`` places if it takes label d, those it passes smaller labels than d and the others labels
    up to d, or the mirror of that: the sum over d = 1..a of ``(d-1)^j d^(n-1-j)``. As d - (d - 1) is 1,
    two neighbours differ by an entry of the deck with one card less, so only the power sums are computed.
    """
    row: list[int] = []  # for a deck of one card more each time
    for power in _power_sums(n, a):
        longer = [power]
        for less in row:
            longer.append(longer[-1] - less)
        row = longer
    return row


def _power_sums(n: int, a: int) -> list[int]:
    """Return the sums of ``d^m`` over d = 1..a for m = 0..n-1.

    By the binomial theorem ``(a+1)^(m+1) - 1`` is the sum of ``C(m+1, j)`` times the j-th of them, j = 0..m.
    """
    if a <= 2 * n:
        return [sum([d**m for d in range(1, a + 1)]) for m in range(n)]
    found: list[int] = []
    row = [1]
    for m in range(n):
        row = [1, *[one + other for one, other in pairwise(row)], 1]
        found.append(((a + 1) ** (m + 1) - 1 - sum(map(mul, row, found))) // (m + 1))
    return found


def riffle_chain(n: int) -> list[list[Fraction]]:
    """Return the chain of one card under one riffle of 1 to 400 cards.

    The card moves up past those of the upper packet that fall before it, or down if it is itself of the upper packet.

    >>> [[str(chance) for chance in row] for row in riffle_chain(2)]
    [['3/4', '1/4'], ['1/4', '3/4']]
    """
    size = range(cards(n, MOST_CHAIN))

    def upwards(i: int, j: int) -> Fraction:
        return Fraction(comb(j, i), 2 ** (j + 1))

    return [[upwards(i, j) + upwards(n - 1 - i, n - 1 - j) for j in size] for i in size]


def even_riffle_chain(n: int, lower: int) -> list[list[Fraction]]:
    """Return the chain of one card for a cut at exactly `lower` cards after which all merges are equally likely.

    Args:
        n: cards, 1 to 400.
        lower: cards in the lower packet, 0 to n.

    >>> [[str(chance) for chance in row] for row in even_riffle_chain(2, 1)]
    [['1/2', '1/2'], ['1/2', '1/2']]
    """
    size = range(cards(n, MOST_CHAIN))
    whole("cards in the lower packet", lower, 0, n)

    def merged(i: int, j: int, packet: int) -> Fraction:
        """Card i of its packet is at place j: i of its packet below it, and the rest of them above."""
        return Fraction(comb(j, i) * comb(n - 1 - j, packet - 1 - i), comb(n, packet))

    return [[merged(i, j, lower) if i < lower else merged(i - lower, j, n - lower) for j in size] for i in size]


def overhand_chain(n: int, parted: Fraction | float) -> list[list[float]]:
    """Return the chain of one card under the overhand shuffle, in floats.

    Args:
        n: cards, 1 to 400.
        parted: the chance that two neighbours are in two packets, above 0 and below 1; a packet has 1/parted cards.

    >>> overhand_chain(2, 0.25)
    [[0.75, 0.25], [0.25, 0.75]]
    """
    size = range(cards(n, MOST_CHAIN))
    p = float(chance("the chance of a gap", parted))
    q = 1 - p
    chain = [[0.0] * n for _ in size]
    for i in size:
        below = [p * q**cards_ for cards_ in range(i)] + [q**i]
        above = [p * q**cards_ for cards_ in range(n - 1 - i)] + [q ** (n - 1 - i)]
        for under, one in enumerate(below):
            for over, other in enumerate(above):
                # The packets above come below, and within the packet nothing moves.
                chain[i][n - 1 - i - over + under] += one * other
    return chain


def worst_start(chain: Chain, steps: int) -> Distance:
    """Return how far one card's place is from even after `steps` steps, from the worst place for each measure.

    Args:
        chain: n rows of n chances, 1 to 400 cards; each row sums to 1. With fractions the result is exact;
            with floats it is right to about twelve digits.
        steps: 0 to 100,000 in floats, 0 to 1,000 in fractions.

    Raises:
        FairdeckError: the rows are not chances that sum to 1, or a number is out of range.

    >>> worst_start(riffle_chain(3), 2).total_variation
    Fraction(13, 96)
    """
    places = after(chain, steps)
    n = len(places)
    share: Number = 1 / n if isinstance(places[0][0], float) else Fraction(1, n)
    above: list[Number] = [sum([value - share for value in row if value > share], 0 * share) for row in places]
    shortfall = 1 - n * min([min(row) for row in places])
    excess = n * max([max(row) for row in places]) - 1
    return Distance(max(above), shortfall, max(excess, shortfall), True, CHAIN)


def after(chain: Chain, steps: int) -> list[list[Number]]:
    """Return the chain of `steps` steps; after 0 steps each card is where it was.

    >>> after([[0.5, 0.5], [0.5, 0.5]], 3)
    [[0.5, 0.5], [0.5, 0.5]]
    """
    power, unit = _scaled(chain)
    most = MOST_STEPS if isinstance(power[0][0], float) else MOST_EXACT_STEPS
    left = whole("steps", steps, 0, most)
    one = type(power[0][0])
    result = [[one(i == j) for j in range(len(power))] for i in range(len(power))]
    while left:
        if left & 1:
            result = _product(result, power)
        left >>= 1
        if left:
            power = _product(power, power)
    return _unscaled(result, unit**steps)


def one_after_another(*chains: Chain) -> list[list[Number]]:
    """Return the chain of several shuffles, one or more, made in this order.

    >>> one_after_another([[0.0, 1.0], [1.0, 0.0]], [[0.75, 0.25], [0.25, 0.75]])
    [[0.25, 0.75], [0.75, 0.25]]
    """
    if not chains:
        raise FairdeckError("no chain is given; give one or more")
    made, unit = _scaled(chains[0])
    for chain in chains[1:]:
        power, more = _scaled(chain)
        if len(power) != len(made):
            raise FairdeckError(
                f"chains of {len(made)} and {len(power)} places do not fit together; give chains of one deck size"
            )
        if isinstance(power[0][0], float) != isinstance(made[0][0], float):
            # One float makes all numbers floats: products of long whole numbers and floats fail.
            made, power = _floats(made, unit), _floats(power, more)
            unit = more = 1
        made, unit = _product(made, power), unit * more
    return _unscaled(made, unit)


def side_by_side(*chains: Chain) -> list[list[Number]]:
    """Return the chain of a deck whose parts, one or more, the lowest first, are each shuffled by themselves.

    >>> [[str(chance) for chance in row] for row in side_by_side(riffle_chain(1), riffle_chain(1))]
    [['1', '0'], ['0', '1']]
    """
    n = cards(sum(map(len, chains)), MOST_CHAIN)
    rows: list[list[Number]] = []
    for chain in chains:
        start, end = len(rows), len(rows) + len(chain)
        rows += [[Fraction(0)] * start + list(row) + [Fraction(0)] * (n - end) for row in chain]
    power, unit = _scaled(rows)
    return _unscaled(power, unit)


def _product(one: Scaled, other: Scaled) -> Scaled:
    columns = list(zip(*other, strict=True))
    return [[sum(map(mul, row, column)) for column in columns] for row in one]


def _scaled(chain: Chain) -> tuple[Scaled, int]:
    """Return the chain, checked, in whole numbers over one denominator if it has no floats, else in floats over 1.

    Products of fractions would spend their time on reducing them.
    """
    n = cards(len(chain), MOST_CHAIN)
    for i, row in enumerate(chain):
        if len(row) != n:
            raise FairdeckError(f"row {i} of the chain has {len(row)} chances; it must have {n}")
        if min(row) < 0:
            raise FairdeckError(f"row {i} of the chain has a chance of {float(min(row))}; none may be below 0")
        if not -SLIP <= sum(row) - 1 <= SLIP:
            raise FairdeckError(f"row {i} of the chain sums to {float(sum(row))}; it must sum to 1")
    if any(isinstance(value, float) for row in chain for value in row):
        return [[float(value) for value in row] for row in chain], 1
    exact = [[Fraction(value) for value in row] for row in chain]
    unit = lcm(*[value.denominator for row in exact for value in row])
    return [[value.numerator * (unit // value.denominator) for value in row] for row in exact], unit


def _unscaled(chain: Scaled, unit: int) -> list[list[Number]]:
    return [[value if isinstance(value, float) else Fraction(int(value), unit) for value in row] for row in chain]


def _floats(chain: Scaled, unit: int) -> Scaled:
    return [[value / unit for value in row] for row in chain]
