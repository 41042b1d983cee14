"""Faults that shipped are rebuilt as they were, and the lab finds each of them."""

from itertools import islice
from random import Random

import pytest

from fairdeck import lab
from fairdeck.shuffles import find
from fairdeck.shuffles.additive import Additive, Subtractive
from fairdeck.shuffles.fast_shuffle import fast_shuffle
from fairdeck.shuffles.freecell import freecell
from fairdeck.shuffles.shuffle_buffer import ShuffleBuffer

# After how many decks the lab must have found it: about three times what it took when this was written.
FOUND = {
    "batched-zero": 64,
    "feistel-linear": 64,
    "forked-workers": 64,
    "dotnet-random": 64,
    "freecell": 2_048,
    "glibc-modulo": 1_024,
    "glibc-random": 64,
    "shuffle-buffer-2": 64,
    "shuffle-buffer-26": 64,
}
SLOWLY = {"fast-shuffle": 400_000, "v8-mwc1616": 400_000}


class Fixed(Random):
    """A source that always gives one number."""

    def __init__(self, number):
        super().__init__(0)
        self.number = number

    def getrandbits(self, k):
        return self.number

    def _randbelow(self, n):
        return self.number


def test_the_additive_generator_gives_the_numbers_of_glibc():
    # What a C program prints after srandom(1) and srandom(42) on Linux.
    assert list(islice(Additive().numbers(1), 4)) == [1804289383, 846930886, 1681692777, 1714636915]
    assert list(islice(Additive().numbers(42), 4)) == [71876166, 708592740, 1483128881, 907283241]


def test_the_subtractive_generator_gives_the_numbers_of_dotnet():
    # What `new Random(0).Next()` and `new Random(1).Next()` return.
    assert list(islice(Subtractive().numbers(0), 5)) == [1559595546, 1755192844, 1649316166, 1198642031, 442452829]
    assert list(islice(Subtractive().numbers(1), 3)) == [534011718, 237820880, 1002897798]


def test_freecell_deals_its_first_game():
    # Rosetta Code, Deal cards for FreeCell: game 1, first row, and the last row of four.
    dealt = [f"{'A23456789TJQK'[card // 4]}{'CDHS'[card % 4]}" for card in reversed(freecell(52, Fixed(0)))]
    assert dealt[:8] == ["JD", "2D", "9H", "JC", "5D", "7H", "7C", "5H"]
    assert dealt[-4:] == ["6S", "9C", "2H", "6H"]


@pytest.mark.parametrize(
    ("seed", "deck"), [(42, [5, 6, 8, 1, 2, 4, 7, 9, 3, 0]), (4_000_000_000 - 2**32, [8, 2, 7, 6, 0, 5, 4, 1, 3, 9])]
)
def test_fast_shuffle_makes_the_decks_of_the_npm_package(seed, deck):
    # What version 6.2.1 makes of fastShuffle(seed, [...Array(10).keys()]).
    assert fast_shuffle(10, Fixed(seed + 2**31)) == deck


@pytest.mark.long
def test_a_buffer_as_large_as_the_deck_passes_and_one_card_smaller_fails():
    assert lab.test(ShuffleBuffer(52), cards=52, decks=5_000, seed=1).verdict.outcome == "pass"
    assert lab.test(ShuffleBuffer(48), cards=52, decks=5_000, seed=1).verdict.outcome == "fail"


@pytest.mark.parametrize("name", FOUND)
def test_the_lab_finds_a_fault_that_shipped(name):
    assert lab.test(name, cards=52, decks=FOUND[name], seed=5).verdict.outcome == "fail"


@pytest.mark.long
@pytest.mark.parametrize("name", SLOWLY)
def test_the_lab_finds_a_fault_that_hides_in_many_decks(name):
    assert lab.test(name, cards=52, decks=SLOWLY[name], seed=5).verdict.outcome == "fail"


def test_each_names_its_public_source():
    for name in (*FOUND, *SLOWLY):
        assert len(find(name).source) > 25
