"""The fewest decks that any test needs: the column *optimum* of the scoreboard.

A test that knew the law of the faulty shuffle would compare likelihoods. At level a it needs about ``ln(1/a) / D``
decks, where D is the Kullback-Leibler divergence of one deck of the faulty shuffle from a fair deck, ``ln n! -
entropy``, in nats. If decks depend on those before them, D is that of a deck given all earlier ones.
Source: Cover and Thomas, Elements of Information Theory (2006), section 11.8 (the lemma of Stein).

The divergence is known where a law puts the orders into classes of equal chance (riffles, shelves, top to random,
transpositions), where draws and orders correspond one to one (Fisher and Yates with faulty draws, sorting with coins),
where some of the orders are equally likely, and where a share of the decks is not shuffled, or shuffled once more.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations_with_replacement
from math import comb, factorial, gcd, inf, log, log1p, prod

import numpy as np
from scipy.sparse import csr_array
from scipy.special import xlogy

from fairdeck.shuffles import Known, Recipe, find, recipe_steps
from fairdeck.shuffles.comparators import coin_insertion, coin_merge
from fairdeck.shuffles.cut import Cut
from fairdeck.shuffles.inside_out import InsideOut
from fairdeck.shuffles.known import Model
from fairdeck.shuffles.lazy import Forgets, Repeats, SkipsSwaps
from fairdeck.shuffles.memory import NewTop, TurnedOver
from fairdeck.shuffles.modulo import Modulo, Multiplied, ScaledByMost, rounded
from fairdeck.shuffles.off_by_one import sattolo, stops_early, top_stays
from fairdeck.shuffles.old_generators import Congruential
from fairdeck.shuffles.piles import PilesAtRandom, PilesInTurn
from fairdeck.shuffles.riffle import Riffle, eulerian_numbers, rising_law
from fairdeck.shuffles.seeds import FreshSeed, TimeSeed, planet_poker, unseeded
from fairdeck.shuffles.shelf import ShelfShuffler, one_pass, valley_weights
from fairdeck.shuffles.sort_keys import SortKeys
from fairdeck.shuffles.spread import SUITS, OnceMore, an_ace_each, playable, unpaired
from fairdeck.shuffles.subgroups import affine, even, stuck_pair
from fairdeck.shuffles.top_to_random import TopToRandom, kept_weights
from fairdeck.shuffles.transpositions import Transpositions

Weights = tuple[list[tuple[int, int]], int]  # the chance and the number of the orders of each class; the sum of chances


def divergence(name: str, n: int) -> float | None:
    """Return the divergence of one deck of `n` cards from a fair deck, in nats.

    Returns:
        None where nobody has computed it. Infinity stands for a generator with a seed: ln n! less the entropy of the
        seed is no yardstick there, because a test that does not know all seeds has to wait for a repetition.

    >>> round(divergence("riffle*7", 52), 6)
    0.363125
    """
    known = find(name)
    if isinstance(known.shuffle, FreshSeed | TimeSeed | Congruential) or known.shuffle is planet_poker:
        return inf
    if known.carried and not isinstance(known.shuffle, Cut):
        return None  # a deck relative to the one before has the law of the shuffle, and that of cuts is known
    if isinstance(known.shuffle, Repeats | TurnedOver | NewTop):
        return _given_the_last(known.shuffle, n)
    if isinstance(known.shuffle, Model | Recipe) and not known.carried:
        return _of_steps([each.known for each in recipe_steps(name) for _ in range(each.times)], n)
    return _of_one(known, n)


def optimum(divergence: float, level: float) -> int:
    """Return about how many decks a test at `level` needs that knows the faulty law.

    >>> optimum(0.363125, 1e-6)
    38
    """
    return max(1, round(log(1 / level) / divergence))


def _of_steps(steps: Sequence[Known], n: int) -> float | None:
    models = [step.shuffle for step in steps]
    if len(models) > 1 and len(set(models)) > 1:
        return None
    model, times = models[0], len(models)
    if isinstance(model, Riffle):
        return riffled(n, model.packets**times)
    if isinstance(model, TopToRandom):
        return of_classes(kept_weights(n, times * model.moves(n)), n)
    if isinstance(model, ShelfShuffler):
        return of_classes(valley_weights(n, one_pass(*[model.shelves] * times)), n)
    if isinstance(model, Transpositions):
        return transposed(n, times * model.moves(n), distinct=model.distinct)
    if isinstance(model, PilesAtRandom):
        return riffled(n, model.piles**times)
    return _of_one(steps[0], n) if times == 1 else None


def _of_one(known: Known, n: int) -> float | None:
    shuffle = known.shuffle
    if isinstance(shuffle, Model) and shuffle.deterministic:
        return even_among(1, n)
    if isinstance(shuffle, SortKeys):
        return riffled(n, 2**shuffle.bits)
    if isinstance(shuffle, Forgets):
        return now_and_then(1 / shuffle.one_in, n)
    if isinstance(shuffle, OnceMore):
        return _once_more(shuffle, n)
    for group, orders in _GROUPS.items():
        if shuffle == group:
            return even_among(orders(n), n)
    if (chances := _draws(shuffle, n)) is not None:
        return sum(map(of_draw, chances))
    return _coin_merge(n) if shuffle is coin_merge else None


# Laws in classes.


def riffled(n: int, packets: int) -> float:
    """Return the divergence after a riffle of `packets` packets, or its inverse, sorting by as many keys."""
    weights = [(chance.numerator, chance.denominator) for chance in rising_law(n, packets)]
    return sum(
        _term(Fraction(above * factorial(n), below * orders)) * orders / factorial(n)
        for (above, below), orders in zip(weights, eulerian_numbers(n), strict=True)
    )


def of_classes(weights: Weights, n: int) -> float:
    """Return the divergence of a law that puts the orders into classes of equal chance."""
    classes, whole = weights
    fair = factorial(n)
    return sum(_term(Fraction(weight * fair, whole * orders)) * orders / fair for weight, orders in classes)


def even_among(orders: int, n: int) -> float:
    """Return the divergence of a law that is even over some of the orders.

    >>> even_among(60, 5) == log(2)
    True
    """
    return log(Fraction(factorial(n), orders))


def now_and_then(share: float, n: int) -> float:
    """Return the divergence of fair decks among which a share is one order that can be foreseen."""
    fair = 1 / factorial(n)
    one = share + (1 - share) * fair
    return one * log(one / fair) + (1 - one) * log1p(-share)


def _given_the_last(shuffle: Repeats | TurnedOver | NewTop, n: int) -> float:
    if isinstance(shuffle, Repeats):
        return now_and_then(1 / shuffle.one_in, n)
    if isinstance(shuffle, TurnedOver):
        return even_among(1, n) / 2
    return log(n / (n - 1))


def _once_more(shuffle: OnceMore, n: int) -> float | None:
    shares: dict[object, Callable[[int], Fraction]] = {
        unpaired: _unpaired,
        playable: _playable,
        an_ace_each: _an_ace_each,
    }
    liked = shares.get(shuffle.liked)
    if liked is None:
        return None
    share = float(liked(n))
    if share == 1:
        return 0.0
    return share * (2 - share) * log(2 - share) + (1 - share) ** 2 * log(1 - share)


def _unpaired(n: int) -> Fraction:
    ranks = max(1, n // SUITS)
    alike = [len(range(rank, n, ranks)) for rank in range(ranks)]
    return 1 - Fraction(sum(each * (each - 1) for each in alike), n * (n - 1))


def _playable(n: int, hand: int = 7, few: int = 2, many: int = 4) -> Fraction:
    lands = len([card for card in range(n) if 5 * card < 2 * n])
    good = sum(comb(lands, each) * comb(n - lands, hand - each) for each in range(few, many + 1))
    return Fraction(good, comb(n, hand))


def _an_ace_each(n: int) -> Fraction:
    """Return the chance that each hand holds an ace; for as many aces as hands."""
    if len(range(0, n, max(1, n // SUITS))) != SUITS:
        raise ValueError(f"{n} cards: counted for {SUITS} aces only")
    hands = 1
    for hand in range(SUITS):
        hands *= len(range(hand, n, SUITS))
    return Fraction(hands, comb(n, SUITS))


def _cuts_of_piles(n: int, piles: int = 7) -> int:
    """Return how many orders come from taking up piles in random order and cutting."""
    return factorial(min(n, piles) - 1) * n


_GROUPS: dict[object, Callable[[int], int]] = {
    even: lambda n: factorial(n) // 2,
    affine: lambda n: n * sum(gcd(step, n) == 1 for step in range(1, n + 1)),
    stuck_pair: lambda n: factorial(n - 1),
    unseeded: lambda n: 1,  # noqa: ARG005 - as the others
    Cut(): lambda n: n,
    PilesInTurn(7, random_pickup=True): _cuts_of_piles,
}


# Random transpositions: the lengths of the cycles say how likely an order is.

Shape = tuple[int, ...]


# As `followed` found them, in a minute each: (cards, swaps, distinct).
FOLLOWED = {
    (52, 52, False): 9.523760494445204,
    (52, 104, False): 0.29754429510352554,
    (52, 206, False): 0.000124242206941662,
    (52, 52, True): 9.608981150951328,
}
MOST_FOLLOWED = 20  # cards: 627 shapes


def transposed(n: int, moves: int, *, distinct: bool) -> float | None:
    """Return the divergence after random transpositions, followed on the lengths of the cycles."""
    if (n, moves, distinct) in FOLLOWED:
        return FOLLOWED[n, moves, distinct]
    return followed(n, moves, distinct=distinct) if n <= MOST_FOLLOWED else None


def followed(n: int, moves: int, *, distinct: bool) -> float:
    """Return the same for any deck; 52 cards have 281,589 shapes and take a minute."""
    shapes = list(_partitions(n, n))
    number = {shape: at for at, shape in enumerate(shapes)}
    rows, columns, chances = array("l"), array("l"), array("d")
    for at, shape in enumerate(shapes):
        for reached, ways in _swapped(shape):
            rows.append(number[reached])
            columns.append(at)
            chances.append(2 * ways / (n * (n - 1) if distinct else n * n))
    step = csr_array((np.array(chances), (np.array(rows), np.array(columns))), shape=(len(shapes), len(shapes)))
    law = np.zeros(len(shapes))
    law[number[(1,) * n]] = 1.0
    for _ in range(moves):
        law = step @ law if distinct else step @ law + law / n
    fair = np.array([1 / _per_order(shape) for shape in shapes])
    more = np.maximum(law / fair - 1, -0.5)  # as in `_term`; rarer orders lose no digits
    terms = np.where(law > fair / 2, (1 + more) * np.log1p(more) - more, xlogy(law / fair, law / fair) - law / fair + 1)
    return float(terms @ fair)


def _partitions(n: int, most: int) -> Iterator[Shape]:
    """Yield the partitions of `n` into parts of at most `most`, the largest part first."""
    if n == 0:
        yield ()
    for part in range(min(n, most), 0, -1):
        for rest in _partitions(n - part, part):
            yield (part, *rest)


def _swapped(shape: Shape) -> Iterator[tuple[Shape, float]]:
    """Yield the shapes that a swap of two different places leads to, with how many of the pairs do."""
    lengths = Counter(shape)
    for one, many in lengths.items():
        for part in range(1, one // 2 + 1):
            pairs = one * many / (2 if 2 * part == one else 1)
            yield _changed(shape, (one,), (part, one - part)), pairs
    for one, other in combinations_with_replacement(lengths, 2):
        pairs = comb(lengths[one], 2) if one == other else lengths[one] * lengths[other]
        if pairs:
            yield _changed(shape, (one, other), (one + other,)), pairs * one * other


def _changed(shape: Shape, without: Shape, more: Shape) -> Shape:
    rest = list(shape)
    for length in without:
        rest.remove(length)
    return tuple(sorted((*rest, *more), reverse=True))


def _per_order(shape: Shape) -> float:
    """Return n! over the number of orders with these cycles."""
    return float(prod(length**many * factorial(many) for length, many in Counter(shape).items()))


# Laws of draws.


def of_draw(chances: Sequence[float]) -> float:
    """Return the divergence of one draw from an even draw among as many numbers.

    >>> of_draw([0.5, 0.5]), of_draw([1.0, 0.0]) == log(2)
    (0.0, True)
    """
    return sum(_term(chance * len(chances)) for chance in chances) / len(chances)


def _term(ratio: Fraction | float) -> float:
    """Return ``r ln r - r + 1``, without loss near 1; weighted by the fair chances these add up to the divergence."""
    more = float(ratio - 1)
    return 1.0 if more == -1 else (1 + more) * log1p(more) - more


def _draws(shuffle: object, n: int) -> Iterator[Sequence[float]] | None:
    """Return the chances of each draw of a shuffle whose draws and orders correspond one to one; None for others."""
    bounds = range(2, n + 1)
    if isinstance(shuffle, Modulo | Multiplied | ScaledByMost):
        return (_scaled(shuffle, bound) for bound in bounds)
    if isinstance(shuffle, SkipsSwaps):
        skipped = 1 / shuffle.one_in
        return ([*[(1 - skipped) / bound] * (bound - 1), (1 - skipped) / bound + skipped] for bound in bounds)
    if isinstance(shuffle, InsideOut):
        return ([*[1 / n] * (bound - 1), (n - bound + 1) / n] for bound in bounds)
    if shuffle is rounded:
        return (_rounded(bound) for bound in bounds)
    if shuffle is sattolo:
        return ([*[1 / (bound - 1)] * (bound - 1), 0.0] for bound in bounds)
    if shuffle is coin_insertion:
        return ([*[2.0**-sunk for sunk in range(1, bound)], 2.0 ** (1 - bound)] for bound in bounds)
    for faulty, never in ((top_stays, n), (stops_early, 2)):
        if shuffle is faulty:
            return ([1.0, *[0.0] * (bound - 1)] if bound == never else [1 / bound] * bound for bound in bounds)
    return None


def _scaled(shuffle: Modulo | Multiplied | ScaledByMost, bound: int) -> list[float]:
    words = np.arange(2**shuffle.bits)
    if isinstance(shuffle, Modulo):
        drawn = words % bound
    elif isinstance(shuffle, Multiplied):
        drawn = words * bound >> shuffle.bits
    else:
        drawn = np.minimum(words * bound // (2**shuffle.bits - 1), bound - 1)
    chances: list[float] = (np.bincount(drawn, minlength=bound) / len(words)).tolist()
    return chances


def _rounded(bound: int) -> list[float]:
    end = 0.5 / (bound - 1)
    return [end, *[2 * end] * (bound - 2), end]


# Sorting with coins: an order tells every coin that was used.


def _coin_merge(n: int) -> float:
    return sum(log(comb(a + b, a)) - log(2) * _coins(a, b) for a, b in _merges(n))


def _merges(n: int) -> Iterator[tuple[int, int]]:
    if n > 1:
        low, high = n // 2, n - n // 2
        yield from chain(_merges(low), _merges(high), [(low, high)])


def _coins(a: int, b: int) -> float:
    """Return how many coins merge `a` cards with `b` on average: until one half is empty."""
    last = ((a, b), (b, a))
    return sum(t * comb(t - 1, one - 1) * 2.0**-t for one, other in last for t in range(one, one + other))
