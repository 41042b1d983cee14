"""Other ways to test a shuffle, as `bench.rivals` runs them: each alarms on a gross fault and is calm on fair decks."""

import json
from itertools import permutations
from math import exp, factorial

import numpy as np
import pytest
from bench.rivals import contenders
from bench.rivals.__main__ import by_contender, decks_of
from bench.rivals.bits import bits_of, rank_bits
from bench.rivals.page import FAIR, FAIRDECK, RESULTS, SHUFFLES, page

TABLE = json.loads(RESULTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("cards", [2, 4, 5])
def test_all_orders_together_give_each_string_of_bits_of_a_length_once(cards):
    total = factorial(cards)
    strings = [bits_of(number, total) for number in range(total)]
    lengths = {len(each) for each in strings}
    assert sum(2**length for length in lengths) == total
    assert len(set(strings)) == total
    assert rank_bits(np.array(list(permutations(range(cards))))).tolist() == [int(bit) for bit in "".join(strings)]


def test_the_law_of_the_kernel_is_that_of_all_orders_and_its_bound_holds():
    orders = np.array(list(permutations(range(5))))
    law, kernel = contenders.kernel_of_fair(5)
    discordant = [sum(a > b for at, a in enumerate(each) for b in each[at:]) for each in orders.tolist()]
    assert law * 120 == pytest.approx(np.bincount(discordant))
    assert kernel[[0, -1]] == pytest.approx([1, exp(-5)])
    for each in range(1, 11):  # the chance of so large a kernel, and of so small a one
        bound = contenders.mallows(orders[discordant.index(each)][None])[0]
        assert bound >= min(law[: each + 1].sum(), law[each:].sum())


@pytest.mark.parametrize("contender", contenders.CONTENDERS, ids=lambda each: each.name)
def test_each_way_alarms_on_a_gross_fault_and_is_calm_on_fair_decks(contender):
    if not contender.version():
        pytest.skip("not installed: sh bench/rivals/install.sh; PractRand on the PATH")
    assert by_contender(contender, decks_of("pile-7", 52, 1, 64)) is not None
    assert by_contender(contender, decks_of("fisher-yates", 52, 1, 128)) is None


def test_the_results_have_every_shuffle_and_the_page_says_where_fairdeck_is_later():
    assert [row["name"] for row in TABLE["rows"]] == list(SHUFFLES)
    assert not any(found["decks"] for row in TABLE["rows"] if row["name"] in FAIR for found in row["found"].values())
    row = {"name": "naive", "cards": 52, "found": {FAIRDECK: {"decks": 64}, "positions": {"decks": 32}}}
    assert "- `naive`: positions after 32, fairdeck after 64." in page({**TABLE, "rows": [row]})
