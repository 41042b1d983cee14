"""Bit planes: 512 decks to a slab; what counts by them must not mind where slabs end."""

import numpy as np
import pytest

from fairdeck.bulk.batch import Batch, made
from fairdeck.bulk.planes import SLAB, of_places, padding, sliced
from fairdeck.lab.counts import fast
from fairdeck.lab.statistics import catalogue
from fairdeck.lab.view import View

STATISTICS = {statistic.name: statistic for statistic in catalogue()}
BY_PLANES = (
    "positions",
    "differences",
    "order",
    "lower of two places",
    "neighbours",
    "two apart",
    "three apart",
    "suits of two places",
    "ranks of two places",
    "colours of two places",
    "halves of two cards",
    "odd places of two cards",
)


@pytest.mark.parametrize("n", [1, 7, 8, 52, 61, 62, 64, 65, 104])
def test_planes_of_places_are_those_of_the_inverse(n):
    batch = made(n, 1, 0, 2 * SLAB + 1)
    assert np.array_equal(of_places(batch), sliced(Batch(batch.places, batch.decks).groups))


@pytest.mark.cases(10)
@pytest.mark.parametrize("name", BY_PLANES)
@pytest.mark.parametrize("decks", [SLAB - 1, SLAB, SLAB + 1, 2 * SLAB + 76])
def test_counts_go_on_from_slab_to_slab(name, decks):
    statistic = STATISTICS[name]
    for n in (20, 52):
        batch = made(n, 3, 0, decks)
        view = View(np.ascontiguousarray(batch.rows.T), np.empty((n, 0), np.int16))
        assert np.array_equal(fast()[name](batch), statistic.count(view))
        assert (batch.decks + padding(batch)) % SLAB == 0
