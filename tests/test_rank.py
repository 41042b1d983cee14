"""`fairdeck rank`, in both directions, as a person and a program use them."""

import json
from io import BytesIO, TextIOWrapper
from itertools import permutations
from math import factorial

import pytest

from fairdeck.cli import main
from fairdeck.permutation import lehmer_code, rank


@pytest.fixture
def run(capsys, monkeypatch):
    def call(*words, given=""):
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(given.encode())))
        code = main(list(words))
        return code, *capsys.readouterr()

    return call


def test_an_order_is_read_bottom_first_and_told_with_its_digits(run):
    assert run("rank", "2,0,1") == (
        0,
        "3 cards: 3! = 6 orders, with the ranks from 0 to 3!-1\n"
        "order, bottom first  2,0,1\nrank                 4\nfactorial digits     2,0,0\n",
        "",
    )


def test_rank_and_unrank_undo_each_other_for_every_small_order(run):
    for cards in range(1, 5):
        for place, order in enumerate(permutations(range(cards))):
            told = run("rank", ",".join(map(str, order)), "--json")
            assert json.loads(told[1]) == {
                "format": "fairdeck-rank/1",
                "cards": cards,
                "order": ",".join(map(str, order)),
                "rank": str(place),
                "orders": str(factorial(cards)),
                "digits": list(lehmer_code(order)),
            }
            assert run("rank", "--of", str(place), "--cards", str(cards), "--json") == told


@pytest.mark.parametrize("cards", [1000, 3000])  # 3000! has 9131 digits; `str` and `int` stop at 4300
def test_large_decks_come_back_through_standard_input(run, cards):
    order = [(7 * place + 3) % cards for place in range(cards)]
    code, told, _ = run("rank", "-", "--json", given="\n".join(map(str, order)) + "\n")
    assert code == 0
    found = json.loads(told)
    assert found["order"] == ",".join(map(str, order))
    assert len(found["rank"]) > 2500
    assert run("rank", "--of", "-", "--cards", str(cards), "--json", given=found["rank"]) == (0, told, "")
    if cards == 1000:
        assert int(found["rank"]) == rank(order)
