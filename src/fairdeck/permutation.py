"""Permutations of a deck, in one-line notation; the convention of the whole project.

Position 0 is the **bottom** of the deck, the card nearest the table; the last position is the
**top**. Dealing takes from the top; dealing onto a pile is ``append``; a pile is itself a deck.

One permutation has two readings, each the inverse of the other and never mixed:

* the **arrangement** `a`: ``a[i]`` is the card, named by where it started, that now lies at ``i``;
* the **destinations** `d`: ``d[i]`` is where the card now at ``i`` must end.

Functions of one permutation `p` work on the sequence of its values, so they apply to either
reading; `arrange` and `then` read their arguments as arrangements.
People read a deck from the top. Only the code that faces people turns it over; nothing in this module does.
"""

from collections.abc import Iterable, Sequence
from operator import gt
from typing import TypeVar

from fairdeck.errors import FairdeckError
from fairdeck.numbers import shortened, whole

Card = TypeVar("Card")
Permutation = tuple[int, ...]


def permutation_of(values: Iterable[int]) -> Permutation:
    """Return `values` as a permutation, after checking that they are one.

    Raises:
        FairdeckError: a value is no whole number, or one of 0..n-1 is missing (so another is out of range or repeated).

    >>> permutation_of([2, 0, 1])
    (2, 0, 1)
    """
    p = _whole_numbers(values)
    if sorted(p) != list(range(len(p))):
        missing = min(set(range(len(p))) - set(p))
        raise FairdeckError(f"not a permutation of 0..{len(p) - 1}: {missing} is missing")
    return p


def _whole_numbers(values: Iterable[int]) -> Permutation:
    """Return integers as a tuple, NumPy's as Python's; anything else is refused."""
    try:
        p = tuple(values)
        return p if set(map(type, p)) <= {int} else tuple([whole("a value", each, 0) for each in p])
    except TypeError:
        raise FairdeckError(
            f"{shortened(values)} is not a permutation: give the numbers 0..n-1 in some order"
        ) from None


def identity(n: int) -> Permutation:
    """Return the permutation that leaves all `n` cards in their places."""
    return tuple(range(n))


def inverse(p: Sequence[int]) -> Permutation:
    """Return the other reading of `p`: destinations from an arrangement, or back.

    Raises:
        FairdeckError: `p` is not a permutation.

    >>> inverse((1, 2, 0))
    (2, 0, 1)
    """
    try:
        q = [-1] * len(p)
        for position, card in enumerate(p):
            q[card] = position
        if -1 not in q and (not q or min(p) == 0):
            return tuple(q)
    except (TypeError, IndexError, ValueError, KeyError):
        pass
    return inverse(permutation_of(p))  # says what is wrong


def arrange(p: Sequence[int], deck: Sequence[Card]) -> tuple[Card, ...]:
    """Return `deck` as the arrangement `p` leaves it, bottom first.

    Raises:
        FairdeckError: `p` is not a permutation of the places of `deck`.

    >>> arrange((2, 0, 1), "abc")
    ('c', 'a', 'b')
    """
    try:
        moved = tuple([deck[card] for card in p])
        if len(p) == len(deck) == len(set(p)) and (not p or min(p) == 0):
            return moved
    except (TypeError, IndexError, ValueError, KeyError):
        pass
    p = permutation_of(p)  # says what is wrong, if it is not a permutation
    if not isinstance(deck, Sequence) or len(deck) != len(p):
        raise FairdeckError(f"the permutation moves {len(p)} cards; the deck is {shortened(deck)}: make them agree")
    return arrange(p, deck)


def then(p: Sequence[int], q: Sequence[int]) -> Permutation:
    """Return the arrangement that shuffles by `p` and afterwards by `q`.

    >>> then((1, 2, 0), (2, 1, 0))
    (0, 2, 1)
    """
    return arrange(q, p)


def descents(p: Sequence[int]) -> int:
    """Count the places where a value is followed by a smaller one, 0 to n-1.

    >>> descents((0, 2, 1, 3))
    1
    """
    return sum(map(gt, p, p[1:]))


def rising_sequences(p: Sequence[int]) -> int:
    """Count the maximal sets of consecutive values that appear in `p` in rising order.

    One more than the descents of the inverse; a riffled deck has few. Source: Bayer and
    Diaconis, "Trailing the dovetail shuffle to its lair", Ann. Appl. Probab. 2 (1992), section 2.

    >>> rising_sequences((0, 3, 1, 4, 2))
    2
    """
    return descents(inverse(p)) + 1 if p else 0


def cycles(p: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the cycles ``i -> p[i] -> ...``, each from its smallest member, in rising order of it.

    >>> cycles((1, 0, 2))
    ((0, 1), (2,))
    """
    unseen = bytearray(b"\1" * len(p))
    found = []
    for start in range(len(p)):
        cycle = []
        at = start
        while unseen[at]:
            unseen[at] = 0
            cycle.append(at)
            at = p[at]
        if cycle:
            found.append(tuple(cycle))
    return tuple(found)


def lehmer_code(p: Sequence[int]) -> tuple[int, ...]:
    """Return for each place how many later values are smaller; entry `i` is in 0..n-1-i.

    Counted with a Fenwick tree, so in O(n log n). Source: Knuth, TAOCP 3, section 5.1.1.

    >>> lehmer_code((2, 0, 1))
    (2, 0, 0)
    """
    n = len(p)
    tree = [0] * (n + 1)
    code = [0] * n
    for place in range(n - 1, -1, -1):
        smaller, node = 0, p[place]  # the tree counts from 1: node v covers the values below v
        while node:
            smaller += tree[node]
            node &= node - 1
        code[place] = smaller
        node = p[place] + 1
        while node <= n:
            tree[node] += 1
            node += node & -node
    return tuple(code)


def from_lehmer_code(code: Sequence[int]) -> Permutation:
    """Return the permutation whose Lehmer code is `code`.

    Raises:
        FairdeckError: entry `i` is not in 0..n-1-i.

    >>> from_lehmer_code((2, 0, 0))
    (2, 0, 1)
    """
    remaining = list(range(len(code)))
    values = []
    for place, digit in enumerate(code):
        if not 0 <= digit < len(remaining):
            raise FairdeckError(f"entry {place} of a Lehmer code is {digit}; it must be 0 to {len(remaining) - 1}")
        values.append(remaining.pop(digit))
    return tuple(values)


def inversions(p: Sequence[int]) -> int:
    """Count the pairs of values in falling order, 0 to n(n-1)/2.

    >>> inversions((2, 0, 1))
    2
    """
    return sum(lehmer_code(p))


def rank(p: Sequence[int]) -> int:
    """Return the place of `p` among all orders of its length in dictionary order, 0 to n!-1.

    >>> rank((2, 1, 0))
    5
    """
    place = 0
    for radix, digit in zip(range(len(p), 0, -1), lehmer_code(p), strict=True):
        place = place * radix + digit
    return place


def unrank(place: int, n: int) -> Permutation:
    """Return the permutation of `n` values at `place` in dictionary order; undoes `rank`.

    Raises:
        FairdeckError: `place` is not in 0..n!-1.

    >>> unrank(5, 3)
    (2, 1, 0)
    """
    rest = place
    code = [0] * n
    for radix in range(1, n + 1):
        rest, code[n - radix] = divmod(rest, radix)
    if rest:
        raise FairdeckError(f"rank {place} is outside 0..{n}!-1")
    return from_lehmer_code(code)
