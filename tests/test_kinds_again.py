"""Kinds from deck to deck: counted as one would by hand, fair for every deck before, and seen where they follow."""

from itertools import pairwise, permutations, product
from random import Random

import numpy as np
import pytest

from fairdeck import lab
from fairdeck.lab.kinds import ranks, suits
from fairdeck.lab.statistics.kinds_again import STATISTICS, KindAgain, KindFollows
from tests.decks import fair, viewed

SAME = [each for each in STATISTICS if type(each) is KindAgain]
FOLLOWING = [each for each in STATISTICS if isinstance(each, KindFollows)]


def each_of(statistics):
    return pytest.mark.parametrize("statistic", statistics, ids=lambda each: each.name)


EVERY = each_of(STATISTICS)


def by_hand(statistic, n, rows):
    kinds, found = statistic.kinds(n), np.zeros((n, n), int)
    for before, now in pairwise(rows):
        for one, other in product(range(n), repeat=2):
            found[one, other] += kinds[now[one]] == kinds[before[other]]
    return [*found.ravel(), max(0, len(rows) - 1)]


@each_of(SAME)
@pytest.mark.parametrize(("n", "decks"), [(8, 0), (8, 1), (8, 2), (12, 70), (52, 500)])
def test_the_counts_are_those_by_hand(statistic, n, decks):
    rng = Random(decks)
    rows = [rng.sample(range(n), n) for _ in range(decks)]
    assert statistic.count(viewed(np.reshape(rows, (-1, n)))).tolist() == by_hand(statistic, n, rows)
    if decks > 2:
        later = statistic.count(viewed(rows, lead=2))
        assert later.tolist() == by_hand(statistic, n, rows[1:])


def cells_by_hand(statistic, n, rows):
    """The decks with each kind at each place after each kind at each place of the deck before."""
    kinds, number = statistic.kinds(n), int(statistic.kinds(n).max()) + 1
    places = [*range(4), *range(n - 4, n)] if statistic.ends and n > 8 else range(n)
    found = np.zeros((number, len(places), number, len(places)), int)
    for before, now in pairwise(rows):
        for (one, here), (other, there) in product(enumerate(places), repeat=2):
            found[kinds[now[here]], one, kinds[before[there]], other] += 1
    return [*found.ravel(), max(0, len(rows) - 1)]


@each_of(FOLLOWING)
@pytest.mark.parametrize(("n", "decks"), [(8, 0), (8, 1), (8, 2), (12, 70), (16, 600), (52, 150)])
def test_the_cells_are_those_by_hand(statistic, n, decks):
    rng = Random(decks)
    rows = [rng.sample(range(n), n) for _ in range(decks)]
    counted = statistic.count(viewed(np.reshape(rows, (-1, n))))
    assert counted.tolist() == cells_by_hand(statistic, n, rows[:512])
    if decks > 2:
        later = statistic.count(viewed(rows, lead=2))
        assert later.tolist() == cells_by_hand(statistic, n, rows[1:514])
        assert statistic.merge(counted, later).tolist() == (counted + later).tolist()


@each_of(FOLLOWING)
def test_whatever_the_deck_before_was_every_way_has_the_stated_chance_among_all_orders_of_eight(statistic):
    orders = np.array(list(permutations(range(8))), np.int16)
    before = orders[12_345]
    kinds, number = statistic.kinds(8), int(statistic.kinds(8).max()) + 1
    for way, one, other in product(statistic.ways(number), range(8), range(8)):
        assert np.count_nonzero(kinds[orders[:, one]] == way[kinds[before[other]]]) * number == len(orders)


def test_every_order_of_four_suits_but_one_and_every_step_of_thirteen_ranks_but_none_is_a_way():
    of_suits, of_ranks = FOLLOWING[0].ways(4), FOLLOWING[1].ways(13)
    assert len({tuple(way) for way in of_suits} - {(0, 1, 2, 3)}) == 23
    assert [[*way] for way in of_ranks] == [[(rank + step) % 13 for rank in range(13)] for step in range(1, 13)]


@each_of(SAME)
def test_whatever_the_deck_before_was_every_order_of_eight_has_the_stated_chance(statistic):
    orders = np.array(list(permutations(range(8))), np.int16)
    before = orders[12_345]
    pairs = np.empty((2 * len(orders), 8), np.int16)
    pairs[::2], pairs[1::2] = before, orders
    found = np.zeros((8, 8), int)
    kinds = statistic.kinds(8)
    for one, other in product(range(8), repeat=2):
        found[one, other] = np.count_nonzero(kinds[pairs[1::2, one]] == kinds[pairs[::2, other]])
    (evidence,) = statistic.judge(np.append(found.ravel(), len(orders)), 8, len(orders))
    assert (found == evidence.expected * len(orders)).all()


@EVERY
def test_p_values_of_fair_decks_are_valid(statistic):
    """Of 400 p-values some 4 are at most .01; more than 13 come once in 10,000 runs."""
    rng = np.random.default_rng(1)
    found = [next(statistic.judge(statistic.count(viewed(fair(52, 400, rng))), 52, 400)).p_value for _ in range(400)]
    assert np.count_nonzero(np.array(found) <= 0.01) <= 13


def following(kind, wanted):
    """Return a shuffle: in 5 % more decks than fair, the top card's kind is that wanted for the last bottom card's."""
    rng, last = Random(1), []

    def shuffle(deck):
        rng.shuffle(deck)
        if last and rng.random() < 1 / 15:
            at = rng.choice([at for at, card in enumerate(deck) if kind[card] == wanted(kind[last[0]])])
            deck[-1], deck[at] = deck[at], deck[-1]
        last[:] = deck[:1]

    return shuffle


SUIT, RANK = suits(52), ranks(52)


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "wanted", "decks", "says"),
    [
        (SUIT, lambda suit: suit, 20_000, "suit that place 0 held in the deck before in"),
        (SUIT, lambda suit: (suit + 1) % 4, 20_000, "the suit of place 0 in the deck before, 1 on, in"),
        (SUIT, lambda suit: (suit + 3) % 4, 20_000, "the suit of place 0 in the deck before, 1 back, in"),
        (SUIT, lambda suit: suit ^ 1, 40_000, "of place 0 in the deck before, 1 by 2, 2 by 1, 3 by 4, 4 by 3, in"),
        (RANK, lambda rank: (rank + 11) % 13, 20_000, "the rank of place 0 in the deck before, 2 back, in"),
    ],
)
def test_a_card_that_follows_the_deck_before_is_seen(kind, wanted, decks, says):
    report = lab.test(following(kind, wanted), decks=decks, seed=1)
    assert report.verdict.outcome == "fail"
    assert "place 51 holds a card of the " in report.headline
    assert says in report.headline


@pytest.mark.parametrize("n", [4, 53, 204])
def test_decks_without_kinds_or_with_too_many_cards_are_left_out(n):
    assert not any(each.fits(n) for each in STATISTICS if each.kind != "colour")
