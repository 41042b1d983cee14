"""Statistics of a deck with repeated cards, for a player who sees only the kinds.

They depend on the kinds alone, so each gives a lower bound on the distance that such a player can see
(see `fairdeck.lab.experiments.bounds`). Their laws are exact.
"""

from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from math import comb, factorial, perm, prod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import Columns, Counts, Values, counted
from fairdeck.lab.laws.scalar import Law, exactly, polynomial_product
from fairdeck.lab.laws.subsets import hypergeometric_law
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.statistics.alike import alike_law
from fairdeck.lab.statistics.descents import eulerian_law
from fairdeck.lab.view import View
from fairdeck.shuffles.repeated_cards import RepeatedCards

MOST = 500  # cards: the laws of neighbours would take long for larger decks

Kinds = tuple[int, ...]


class OfKinds(Scalar):
    """A statistic that depends on the kinds of the cards alone."""

    family: ClassVar[str] = "game"


def statistics_of(repeated: RepeatedCards) -> tuple[Scalar, ...]:
    """Return the statistics of the kinds.

    >>> [each.name for each in statistics_of(RepeatedCards("", "", (0, 0, 1, 1), duplicates=True))]
    ['pairs in the upper half']
    """
    kinds = repeated.kinds
    if repeated.top:
        return _of_the_top(repeated)
    pairs = _statistic(
        "pairs in the upper half", "pairs in a random half, counted", partial(_pairs_of, kinds), pairs_law
    )
    if repeated.duplicates:
        return (pairs,)
    newcomb = "Simon Newcomb's problem; Dillon and Roselle, SIAM J. Appl. Math. 17 (1969)"
    riordan = "inclusion and exclusion; Riordan, An Introduction to Combinatorial Analysis (1958), chapter 3"
    feller = "hypergeometric: Feller, An Introduction to Probability Theory, vol. 1, section II.6"
    laws = (falls_law, neighbours_law, lower_kinds_law, next_kinds_law)
    falls, neighbours, lower, next_ = (partial(_law, law, kinds) for law in laws)
    found = (
        _statistic("falls from kind to kind", newcomb, partial(_neighbours, np.less, kinds), falls, MOST),
        _statistic("neighbours of a kind", riordan, partial(_neighbours, np.equal, kinds), neighbours, MOST),
        _statistic("lower kinds in the lower half", feller, partial(_lower_kinds_of, kinds), lower),
        _statistic("next kind on top", riordan, partial(_neighbours, _next, kinds), next_, MOST),
    )
    return (*found, pairs) if repeated.pairs else found


def _of_the_top(repeated: RepeatedCards) -> tuple[Scalar, ...]:
    """Return the statistics of the top cards, if only those are seen."""
    kinds, n, top = repeated.kinds, repeated.cards, repeated.top
    lower = hypergeometric_law(n, sum(kind < _middle(kinds) for kind in kinds), top)
    found: dict[str, tuple[Callable[[Kinds, View], Values], Law]] = {
        "lower kinds among the top cards": (_lower_of, lower)
    }
    if repeated.different:
        next_ = Law(0, tuple(exactly([comb(top - 1, links) * perm(n - links, top - links) for links in range(top)])))
        found["falls among the top cards"] = (partial(_neighbours, np.less), eulerian_law(top))
        found["next card on top, among the top cards"] = (partial(_neighbours, _next), next_)
    return tuple(
        _statistic(name, "counted", partial(_seen, of, kinds, top), partial(_law, partial(_same, law), kinds))
        for name, (of, law) in found.items()
    )


def _seen(of: Callable[[Kinds, View], Values], kinds: Kinds, top: int, view: View) -> Values:
    return of(kinds, View(view.columns[-top:], view.lead))


def _same(law: Law, kinds: Kinds) -> Law:  # noqa: ARG001 - a law of kinds
    return law


def _statistic(
    name: str, source: str, of: Callable[[View], Values], law: Callable[[int], Law], most: int = OfKinds.most
) -> Scalar:
    # Bounds name a statistic and its law; nobody asks what a deviation means.
    return OfKinds(name, sees="", source=source, of=of, law=law, few="", many="", most=most)


def _law(of: Callable[[Kinds], Law], kinds: Kinds, n: int) -> Law:  # noqa: ARG001 - the caller passes a size to every law
    return of(kinds)


def _table(kinds: Kinds, view: View) -> Columns:
    table: Columns = np.take(np.array(kinds, dtype=np.int16), view.columns)
    return table


def _neighbours(relation: Callable[[Columns, Columns], NDArray[np.bool_]], kinds: Kinds, view: View) -> Values:
    """Return how many cards stand in a relation to the card beneath."""
    table = _table(kinds, view)
    return counted(relation(table[1:], table[:-1]))


def _next(upper: Columns, lower: Columns) -> NDArray[np.bool_]:
    next_: NDArray[np.bool_] = upper == lower + 1
    return next_


def _lower_kinds_of(kinds: Kinds, view: View) -> Values:
    return _lower_of(kinds, View(view.columns[: view.cards // 2], view.lead))


def _lower_of(kinds: Kinds, view: View) -> Values:
    return counted(_table(kinds, view) < _middle(kinds))


def _pairs_of(kinds: Kinds, view: View) -> Values:
    upper = np.sort(_table(kinds, view)[view.cards // 2 :], axis=0)
    return counted(upper[1:] == upper[:-1])


def _middle(kinds: Kinds) -> int:
    """Return the kind with about half of the cards below it; never the lowest kind."""
    ranked = sorted(kinds)
    edges = [at for at, (one, other) in enumerate(pairwise(ranked), 1) if one != other]
    return ranked[min(edges, key=lambda at: abs(2 * at - len(kinds)), default=0)]


@cache
def falls_law(kinds: Kinds) -> Law:
    """Return the law of the neighbours whose upper card is of a lower kind.

    There are ``prod C(m + j, j)`` ways to divide the m cards of each kind among j + 1 stretches without a
    fall; inclusion and exclusion leaves the words with exactly that many falls.
    Source: Simon Newcomb's problem; Dillon and Roselle, SIAM J. Appl. Math. 17 (1969).

    >>> falls_law((0, 0, 1, 1))
    Law(low=0, weights=(1, 4, 1))
    """
    n = len(kinds)
    sizes = [kinds.count(kind) for kind in set(kinds)]
    parted = [prod(comb(size + falls, falls) for size in sizes) for falls in range(n - max(sizes) + 1)]
    signed = [(-1) ** less * comb(n + 1, less) for less in range(len(parted))]
    weights = [sum(signed[less] * parted[falls - less] for less in range(falls + 1)) for falls in range(len(parted))]
    return Law(0, tuple(weights))


@cache
def neighbours_law(kinds: Kinds) -> Law:
    """Return the law of the neighbours of the same kind."""

    def known(_: int) -> Counts:
        return np.array(kinds)

    return alike_law(known, len(kinds))


@cache
def next_kinds_law(kinds: Kinds) -> Law:
    """Return the law of the neighbours whose upper card is of the next kind: 4 on 3, king on queen.

    Of the cards of two kinds in turn ``C(a, j) C(b, j) j!`` sets of j neighbours can be marked, whatever is marked
    of the other kinds; inclusion and exclusion leaves the decks with exactly that many.

    >>> next_kinds_law((0, 1, 2))
    Law(low=0, weights=(3, 2, 1))
    """
    n = len(kinds)
    sizes = [kinds.count(kind) for kind in range(max(kinds) + 1)]
    marked = polynomial_product(
        [[comb(a, j) * comb(b, j) * factorial(j) for j in range(min(a, b) + 1)] for a, b in pairwise(sizes)]
    )
    return Law(0, tuple(exactly([sets * factorial(n - links) for links, sets in enumerate(marked)])))


@cache
def lower_kinds_law(kinds: Kinds) -> Law:
    """Return the law of how many cards of the lower kinds, about half of all, lie in the lower half."""
    n = len(kinds)
    return hypergeometric_law(n, sum(kind < _middle(kinds) for kind in kinds), n // 2)


@cache
def pairs_law(n: int) -> Law:
    """Return the law of the pairs in the upper half of a deck of n/2 pairs; an odd card has no pair.

    Args:
        n: cards, 2 or more; the upper half has one card more if n is odd.

    >>> pairs_law(4)
    Law(low=0, weights=(4, 2))
    """
    pairs, upper = n // 2, n - n // 2
    weights = [0] * (upper // 2 + 1)
    for held in range(len(weights)):
        for alone in range(n % 2 + 1):  # whether the odd card is there
            singles = upper - 2 * held - alone
            if 0 <= singles <= pairs - held:
                weights[held] += comb(pairs, held) * comb(pairs - held, singles) * 2**singles
    return Law(0, tuple(weights))
