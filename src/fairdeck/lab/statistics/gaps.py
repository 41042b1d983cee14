"""Gaps: pairs of the cards seen whose numbers differ by so much, cells of a board that touch, and streaks of a kind."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from math import comb, log2, perm
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import Counts, Values, counted
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.laws.subsets import pair_law, sum_law, touching_law
from fairdeck.lab.laws.tails import skewed_two_sided
from fairdeck.lab.observations import Sight
from fairdeck.lab.statistics import Evidence, Scalar, Statistic
from fairdeck.lab.statistics.hands import MOST_KINDS, OfKind, OfSeen, many_of, named_hands
from fairdeck.lab.statistics.sums import Sum
from fairdeck.lab.view import View
from fairdeck.shuffles import MOST_CARDS

GAPS = 12  # numbers apart
STREAKS = 4  # places apart
PAIR_WORK = 2**19  # bits of the polynomials of a law of pairs, about
LEAST_VARIANCE = 1_000.0  # of the cells that touch, in all games
BOARD_WORK = 2**26  # steps of the law of a board, about
SUM_WORK = 2**22  # of the law of a sum

Flags = NDArray[np.bool_]


def cards_seen(places: tuple[int, ...], view: View) -> Flags:
    """Return whether each card lies at one of these places; shape ``(n, B)``, card by card."""
    flags = np.zeros(view.columns.shape, np.bool_)
    np.put_along_axis(flags, view.columns[list(places)], True, axis=0)
    return flags


def places_of(cards: tuple[int, ...], places: tuple[int, ...], view: View) -> Flags:
    """Return whether each of these places holds one of the cards; place by place."""
    marks = np.zeros(view.cards, np.bool_)
    marks[list(cards)] = True
    flags: Flags = marks[view.columns[list(places)]]
    return flags


def pairs_apart(flags: Callable[[View], Flags], gap: int, view: View) -> Values:
    """Return how many pairs of flags are set that lie `gap` apart."""
    cells = flags(view)
    return counted(cells[gap:] & cells[:-gap])


def touching(flags: Callable[[View], Flags], board: tuple[int, int], view: View) -> Values:
    """Return how many pairs of flags are set whose cells have a common side."""
    cells = flags(view).reshape(*board, -1)
    across, down = cells[:, 1:] & cells[:, :-1], cells[1:] & cells[:-1]
    return counted(across.reshape(-1, view.decks)) + counted(down.reshape(-1, view.decks))


@dataclass(frozen=True, kw_only=True)
class TouchingOnLargeBoards(Sum):
    """The same pairs, all games together, on a board that is too large for an exact law of one game.

    Of the sum the mean, the variance and the third cumulant are exact. The law with these cumulants that is shifted
    and scaled from a chi-square law is within 6 % of the exact p-value at 1e-12 from `LEAST_VARIANCE` on.
    """

    board: tuple[int, int]
    taken: int  # cells

    family: ClassVar[str] = "cards seen"
    relative: ClassVar[bool] = False

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the sum."""
        mean, variance, third = (float(each) for each in touching_cumulants(*self.board, self.taken))
        if decks * variance < LEAST_VARIANCE:
            return
        total, side = self.total(counts), 1 if third > 0 else -1
        third = side * max(abs(third), 1e-3 * variance**1.5)  # a symmetric law is no chi-square law
        edge = total + max(-0.5, min(0.5, decks * mean - total))  # half a pair towards the mean, for whole numbers
        p_value = skewed_two_sided(side * edge, side * decks * mean, decks * variance, side * decks * third)
        seen = total / decks
        words = f"{self.name}: {{seen:.4g}} on average, {{expected:.4g}} in a fair deck"
        means = self.few if seen < mean else self.many
        yield self.evidence("mean", p_value, words, seen=seen, expected=mean, means=means)


@cache
def touching_cumulants(rows: int, columns: int, taken: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return the mean, the variance and the third cumulant of the pairs of taken cells with a common side.

    Each is a sum over one, two or three such pairs, by how many cells they have together.

    >>> [str(each) for each in touching_cumulants(2, 2, 2)]
    ['2/3', '2/9', '-2/27']
    """
    n = rows * columns
    across, down = (np.arange(size) for size in (columns, rows))
    degree = ((down > 0) * 1 + (down < rows - 1))[:, None] + ((across > 0) * 1 + (across < columns - 1))
    edges = int(degree.sum()) // 2
    corners = int((degree * (degree - 1) // 2).sum())  # two pairs with a common cell
    stars = int((degree * (degree - 1) * (degree - 2) // 6).sum())  # three pairs with a common cell
    off = degree - 1
    paths = int((off[1:] * off[:-1]).sum() + (off[:, 1:] * off[:, :-1]).sum())  # three in a row: four cells
    apart = corners * (edges - 2) - 3 * stars - 2 * paths  # two with a common cell, and one apart
    alone = comb(edges, 3) - stars - paths - apart
    chance = [Fraction(perm(taken, cells), perm(n, cells)) if n >= cells else Fraction(0) for cells in range(7)]
    others = edges * (edges - 1) - 2 * corners  # two pairs without a common cell, in either order
    mean = edges * chance[2]
    square = mean + 2 * corners * chance[3] + others * chance[4]
    cube = mean + 6 * corners * chance[3] + (3 * others + 6 * (stars + paths)) * chance[4]
    cube += 6 * apart * chance[5] + 6 * alone * chance[6]
    return mean, square - mean**2, cube - 3 * mean * square + 2 * mean**3


def _sum_of_cards(places: tuple[int, ...], view: View) -> Values:
    total: Values = view.columns[list(places)].sum(axis=0, dtype=np.int64)
    return total


def _sum_of_places(cards: tuple[int, ...], view: View) -> Values:
    total: Values = view.places[list(cards)].sum(axis=0, dtype=np.int64)
    return total


def seen(sight: Sight) -> Iterator[Statistic]:
    """Yield the gaps of the cards seen and of each kind, and where they lie in the list or in the deck."""
    n = sight.cards
    for hand, places in named_hands(sight) if sight.hands else ():
        size, flags = len(places), partial(cards_seen, places)
        if _is_short(n, size):
            data = {
                "name": f"sum of the list places in {hand}",
                "sees": "cards of one end of the list that are seen too often",
                "source": "Wilcoxon, Biometrics 1 (1945)",
                "few": "cards from the beginning of the list are seen too often",
                "many": "cards from the end of the list are seen too often",
            }
            yield _scalar(OfSeen, partial(_sum_of_cards, places), partial(sum_law, n, size), **data)
        for gap in range(1, min(GAPS + 1, n)) if _has_pairs(n, size) else ():
            data = {
                "name": f"cards {gap} apart in {hand}",
                "sees": "cards near each other in the list that are seen together",
                "source": "paths of the numbers that are equal modulo the gap",
                "few": "cards so far apart in the list are rarely seen together",
                "many": "cards so far apart in the list are often seen together",
            }
            law = partial(pair_law, n, gap, (*[0] * size, 1))
            yield _scalar(OfSeen, partial(pairs_apart, flags, gap), law, **data)
        if sight.board:
            yield _on_board(f"touching cells in {hand}", partial(touching, flags, sight.board), sight.board, size)
    if not sight.ordered:
        return
    order = sight.hands[0] if sight.hands else tuple(range(n))
    for kind in sight.kinds[:MOST_KINDS]:
        m, name = len(kind.cards), many_of(kind)
        ways = tuple(comb(n - len(order), m - held) if held <= m else 0 for held in range(min(m, len(order)) + 1))
        flags = partial(places_of, kind.cards, order)
        for gap in range(1, min(STREAKS + 1, len(order))) if _has_pairs(len(order), len(ways) - 1) else ():
            data = {
                "name": f"streaks of {name}" if gap == 1 else f"{name} {gap} places apart",
                "sees": "kinds that come in streaks, or in turn",
                "source": "Wald and Wolfowitz, Ann. Math. Stat. 11 (1940); for wider gaps by paths",
                "few": f"{name} follow each other too rarely" if gap == 1 else "too few pairs",
                "many": f"{name} come in streaks" if gap == 1 else "too many pairs",
            }
            law = partial(pair_law, len(order), gap, ways)
            yield _scalar(OfKind, partial(pairs_apart, flags, gap), law, **data)
        if not sight.hands and _is_short(n, m):
            data = {
                "name": f"height of {name}",
                "sees": "a kind that lies high or low in the deck",
                "source": "Wilcoxon, Biometrics 1 (1945)",
                "few": f"{name} lie too low in the deck",
                "many": f"{name} lie too high in the deck",
            }
            yield _scalar(OfKind, partial(_sum_of_places, kind.cards), partial(sum_law, n, m), **data)


def _on_board(name: str, of: Callable[[View], Values], board: tuple[int, int], size: int) -> Statistic:
    sees, few, many = "cells of a board that clump, or keep apart", "the cells keep apart", "the cells clump"
    if 2 ** min(board) * board[0] * board[1] * size * size <= BOARD_WORK:
        data = {"name": name, "sees": sees, "source": "transfer matrix, cell by cell", "few": few, "many": many}
        return _scalar(OfSeen, of, partial(touching_law, *board, size), **data)
    source = "exact cumulants, by how many cells one, two or three pairs have together"

    def moments(n: int) -> tuple[float, float]:  # noqa: ARG001 - the board has the cards
        mean, variance, _ = touching_cumulants(*board, size)
        return float(mean), float(variance)

    return TouchingOnLargeBoards(
        name, sees, source, of=of, moments=moments, few=few, many=many, board=board, taken=size
    )


def _is_short(n: int, drawn: int) -> bool:
    """Tell whether the law of a sum takes no time to speak of."""
    return 0 < drawn < n and drawn * drawn * (n - drawn) <= SUM_WORK


def _has_pairs(length: int, most: int) -> bool:
    """Tell whether the laws of pairs among up to so many cells take no time to speak of."""
    return most < length and 2 * most * most * min(length, log2(length + 1) * most) <= PAIR_WORK


def _scalar(make: type[Scalar], of: Callable[[View], Values], law: Callable[[], Law], **data: Any) -> Scalar:
    return make(of=of, law=cache(lambda n: law()), most=MOST_CARDS, **data)  # noqa: ARG005 - the sight has the cards
