"""Gaps: pairs of the cards seen whose numbers differ by so much, cells of a board that touch, and streaks of a kind."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from math import comb, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import Values, counted
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.laws.subsets import pair_law, sum_law, touching_law
from fairdeck.lab.observations import Sight
from fairdeck.lab.statistics import Scalar, Statistic
from fairdeck.lab.statistics.hands import MOST_KINDS, OfKind, OfSeen, many_of, named_hands
from fairdeck.lab.view import View
from fairdeck.shuffles import MOST_CARDS

GAPS = 12  # numbers apart
STREAKS = 4  # places apart
PAIR_WORK = 2**19  # bits of the polynomials of a law of pairs, about
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
                "name": f"list places in {hand}",
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
        if sight.board and 2 ** min(sight.board) * n * size * size <= BOARD_WORK:
            data = {
                "name": f"touching cells in {hand}",
                "sees": "cells of a board that clump, or keep apart",
                "source": "transfer matrix, cell by cell",
                "few": "the cells keep apart",
                "many": "the cells clump",
            }
            law = partial(touching_law, *sight.board, size)
            yield _scalar(OfSeen, partial(touching, flags, sight.board), law, **data)
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


def _is_short(n: int, drawn: int) -> bool:
    """Tell whether the law of a sum takes no time to speak of."""
    return 0 < drawn < n and drawn * drawn * (n - drawn) <= SUM_WORK


def _has_pairs(length: int, most: int) -> bool:
    """Tell whether the laws of pairs among up to so many cells take no time to speak of."""
    return most < length and 2 * most * most * min(length, log2(length + 1) * most) <= PAIR_WORK


def _scalar(make: type[Scalar], of: Callable[[View], Values], law: Callable[[], Law], **data: Any) -> Scalar:
    return make(of=of, law=cache(lambda n: law()), most=MOST_CARDS, **data)  # noqa: ARG005 - the sight has the cards
