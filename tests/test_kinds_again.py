"""Kinds from deck to deck: counted as one would by hand, fair for every deck before, and seen where they follow."""

from itertools import pairwise, permutations, product
from random import Random

import numpy as np
import pytest

from fairdeck import lab
from fairdeck.lab.statistics.kinds_again import STATISTICS
from fairdeck.lab.view import View

EVERY = pytest.mark.parametrize("statistic", STATISTICS, ids=lambda each: each.name)


def view_of(rows, lead=None):
    rows = np.asarray(rows, np.int16)
    lead = rows[:0] if lead is None else np.asarray(lead, np.int16)
    return View(np.ascontiguousarray(rows.T), np.ascontiguousarray(lead.T))


def by_hand(statistic, n, rows):
    kinds, found = statistic.kinds(n), np.zeros((n, n), int)
    for before, now in pairwise(rows):
        for one, other in product(range(n), repeat=2):
            found[one, other] += kinds[now[one]] == kinds[before[other]]
    return [*found.ravel(), max(0, len(rows) - 1)]


@EVERY
@pytest.mark.parametrize(("n", "decks"), [(8, 0), (8, 1), (8, 2), (12, 70), (52, 500)])
def test_the_counts_are_those_by_hand(statistic, n, decks):
    rng = Random(decks)
    rows = [rng.sample(range(n), n) for _ in range(decks)]
    assert statistic.count(view_of(np.reshape(rows, (-1, n)))).tolist() == by_hand(statistic, n, rows)
    if decks > 2:
        later = statistic.count(view_of(rows[2:], rows[:2]))
        assert later.tolist() == by_hand(statistic, n, rows[1:])


@EVERY
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
    decks = np.tile(np.arange(52, dtype=np.int16), (400, 1))
    found = [
        next(statistic.judge(statistic.count(view_of(rng.permuted(decks, axis=1))), 52, 400)).p_value
        for _ in range(400)
    ]
    assert np.count_nonzero(np.array(found) <= 0.01) <= 13


def test_a_card_that_follows_the_suit_of_the_deck_before_is_seen():
    """The top card has the suit of the last bottom card in 30 % of decks instead of 25 %."""
    rng, last = Random(1), []

    def follow(deck):
        rng.shuffle(deck)
        if last and rng.random() < 1 / 15:
            suited = next(at for at, card in enumerate(deck) if card // 13 == last[0] // 13)
            deck[-1], deck[suited] = deck[suited], deck[-1]
        last[:] = deck[:1]

    report = lab.test(follow, decks=20_000, seed=1)
    assert report.verdict.outcome == "fail"
    assert "place 51 holds a card of the suit that place 0 held in the deck before in" in report.headline


@pytest.mark.parametrize("n", [4, 53, 204])
def test_decks_without_kinds_or_with_too_many_cards_are_left_out(n):
    assert not any(each.fits(n) for each in STATISTICS if each.kind != "colour")
