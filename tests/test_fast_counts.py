"""Fast counts: digit for digit what the statistics themselves count."""

from functools import cache
from random import Random

import numpy as np
import pytest

from fairdeck.bulk.batch import Batch, made, of_rows, relative
from fairdeck.bulk.shapes import BYTES_UP_TO
from fairdeck.lab.blocks import Block
from fairdeck.lab.counts import fast
from fairdeck.lab.statistics import catalogue
from fairdeck.lab.view import deck_view, relative_view
from fairdeck.shuffles import find

STATISTICS = {statistic.name: statistic for statistic in catalogue()}


def block(n, decks, shuffle="fisher-yates", lead=0):
    stream = find(shuffle).decks(n, Random(n))
    rows = np.array([next(stream) for _ in range(lead + decks)], np.int16).reshape(-1, n)
    return Block(rows[lead:], rows[:lead])


# Cards: sizes around those where words of 64 bits and planes of bits are full. Decks: groups hold 64, slabs 512.
SIZES = (2, 3, 4, 5, 8, 13, 14, 16, 20, 52, 53, 60, 61, 62, 63, 64, 65, 80, 104, 128)
DECKS = (1, 64, 200, 511, 512, 513, 1_100)
SHUFFLES = ("fisher-yates", "riffle", "cut-carried", "turned-over")


@cache
def cases(turn):
    """Return blocks of decks of every size; over the turns each size meets every shuffle and four numbers of decks."""
    return [
        block(n, DECKS[(at + 2 * turn) % len(DECKS)], SHUFFLES[(at + turn) % len(SHUFFLES)])
        for at, n in enumerate(SIZES)
    ]


@pytest.mark.cases(6)
@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("name", sorted(fast()))
def test_a_fast_count_is_that_of_its_statistic(name, turn):
    assert name in STATISTICS, f"{name!r} is counted fast, but no file of fairdeck.lab.statistics lists it"
    statistic, count = STATISTICS[name], fast()[name]
    fitting = [each for each in cases(turn) if statistic.fits(each.decks.shape[1])]
    assert fitting
    for given in fitting:
        counted = count(of_rows(given.decks))
        assert counted.dtype == np.int64
        assert np.array_equal(counted, statistic.count(deck_view(given))), given.decks.shape


@pytest.mark.parametrize("n", [1, 2, 5, 52, BYTES_UP_TO])
@pytest.mark.parametrize("lead", [0, 1, 2, 8])
def test_relative_decks_are_those_of_the_view(n, lead):
    for decks in (0, 1, 2, 3, 63, 64, 65, 130):
        given = block(n, decks, lead=lead)
        whole = of_rows(given.decks)
        assert np.array_equal(whole.rows, given.decks)
        for lag in (1, 2, 8):
            batch, view = relative(whole, given.lead, lag), relative_view(given, lag)
            assert batch.decks == view.decks
            assert np.array_equal(batch.rows, view.columns.T)
            assert np.array_equal(Batch(batch.places, batch.decks).rows, view.places.T)


@pytest.mark.cases(1)
@pytest.mark.parametrize("decks", [1, 64, 100, 4096])
def test_decks_made_here_are_those_of_their_block(decks):
    whole = made(52, 7, 3, 4096)
    assert np.array_equal(made(52, 7, 3, decks).rows, whole.rows[:decks])
    assert np.array_equal(of_rows(whole.rows[:decks]).groups, made(52, 7, 3, decks).groups)


@pytest.mark.long
def test_every_poker_hand_is_told_apart():
    by_rank = np.arange(52).reshape(4, 13).T.ravel()  # four of a kind and the like
    by_suit = np.roll(np.arange(52).reshape(4, 13), -1, axis=1).ravel()  # each ace above its king
    rng, rows = np.random.default_rng(1), []
    for deck in (by_rank, by_suit):
        for swaps in range(1_000):
            row = np.roll(deck, rng.integers(52))
            for _ in range(swaps // 20):
                one, other = rng.integers(52, size=2)
                row[[one, other]] = row[[other, one]]
            rows.append(row)
    given = Block(np.array(rows, np.int16), np.empty((0, 52), np.int16))
    counted = fast()["poker hands"](of_rows(given.decks))
    assert np.array_equal(counted, STATISTICS["poker hands"].count(deck_view(given)))
    assert counted.sum(axis=0).all()
