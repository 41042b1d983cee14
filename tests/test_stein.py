"""The optimum of the scoreboard: divergences against complete enumeration, and against figures of the literature."""

from itertools import combinations, permutations
from math import factorial, inf, log
from random import Random

import pytest
from bench.stein import FOLLOWED, divergence, even_among, followed, now_and_then, of_draw, optimum

from fairdeck import lab
from fairdeck.shuffles import find, registry

LATER = {"cut-carried", "repeats", "turned-over", "new-top"}  # a deck depends on the one before
SEEDED = {"bsd-rand", "msvc-rand", "randu", "planet-poker", "seed-15", "seed-24", "seed-32", "seed-time"}
KNOWN = [
    known.name
    for known in registry().values()
    if not known.fair and known.name not in LATER | SEEDED and divergence(known.name, 8) is not None
]
REPEATED = ["riffle*3", "top-to-random*4", "a-shuffle(3)*2", "random-piles(2)*2", "shelf(1)*2", "transpositions(1)*5"]
WALKS = ("transpositions-", "top-to-random-", "random-piles-10", "shelf-10", "sort-keys")  # too many paths for 5 cards
LARGER = {"smoothed": 8, "no-pocket-pair": 8, "an-ace-each": 8, "pile-7-random": 8}

SLOW = [pytest.param(name, marks=pytest.mark.long) if name == "transpositions-2n" else name for name in KNOWN]


@pytest.mark.cases(12)
@pytest.mark.parametrize("name", [*SLOW, *REPEATED])
def test_the_divergence_is_that_of_all_orders(name):
    if name in LARGER:
        pytest.skip("too many paths: compared below")
    for cards in (max(3, find(name).least),) if name.startswith(WALKS) else (4, 5):
        law = lab.exact(name, cards=cards)
        wanted = sum(float(chance) * log(chance * factorial(cards)) for chance in law.orders.values() if chance)
        assert divergence(name, cards) == pytest.approx(wanted, rel=1e-9, abs=1e-15), cards


def test_shuffles_of_the_registry_that_are_known_are_many():
    assert len(KNOWN) >= 30


@pytest.mark.parametrize(
    ("name", "cards", "orders"),
    [
        ("no-pocket-pair", 8, permutations(range(8))),
        ("an-ace-each", 8, permutations(range(8))),
        (
            "smoothed",
            20,
            ((*range(13), *top) for top in combinations(range(20), 7)),
        ),  # only which cards are in the first hand counts
    ],
)
def test_a_second_shuffle_of_some_decks_is_counted_over_all_orders(name, cards, orders):
    liked = [find(name).shuffle.liked(order) for order in orders]
    share = sum(liked) / len(liked)
    chances = [(share * (2 - share), share), ((1 - share) ** 2, 1 - share)]
    wanted = sum(seen * log(seen / fair) for seen, fair in chances)
    assert divergence(name, cards) == pytest.approx(wanted, rel=1e-12)


def test_all_orders_of_piles_in_random_order_are_met():
    shuffle = find("pile-7-random").shuffle
    made = {tuple(shuffle(9, Random(seed))) for seed in range(80_000)}  # each of 6,480 is missed once in 200,000 times
    assert divergence("pile-7-random", 9) == pytest.approx(even_among(len(made), 9))


def test_riffles_of_52_cards_have_the_divergences_of_their_exact_law():
    """Computed from the Eulerian numbers in another program."""
    wanted = {7: 0.363125, 8: 0.091032, 9: 0.0227736, 10: 0.00569438, 11: 0.00142366, 12: 0.000355918}
    for times, nats in wanted.items():
        assert divergence(f"riffle*{times}", 52) == pytest.approx(nats, rel=5e-6)
    assert [optimum(divergence(f"riffle*{times}", 52), 1e-6) for times in (7, 8, 9)] == [38, 152, 607]
    # Sorting by keys of 12 bits undoes a riffle of 4,096 packets.
    assert divergence("sort-keys-12", 52) == divergence("riffle*12", 52)


def test_decks_that_depend_on_the_last_one_are_compared_given_the_last_one():
    assert divergence("cut-carried", 5) == pytest.approx(log(factorial(4)))
    assert divergence("new-top", 5) == pytest.approx(log(5 / 4))
    assert divergence("turned-over", 5) == pytest.approx(log(120) / 2)
    assert divergence("repeats", 5) == now_and_then(1 / 50, 5)
    chances = [0.02 + 0.98 / 120, *[0.98 / 120] * 119]
    assert now_and_then(1 / 50, 5) == pytest.approx(sum(chance * log(120 * chance) for chance in chances))


def test_seeds_have_no_optimum_and_hand_shuffles_no_known_one():
    assert {divergence(name, 52) for name in SEEDED} == {inf}
    assert {divergence(name, 52) for name in ("naive", "naive-carried", "overhand*10", "casino")} == {None}


def test_a_draw_keeps_all_digits_of_a_tiny_bias():
    tiny = 1e-9
    assert of_draw([0.5 + tiny, 0.5 - tiny]) == pytest.approx(2 * tiny**2, rel=1e-6)


@pytest.mark.long
def test_transpositions_of_52_cards_are_followed_to_the_figures_that_are_kept():
    (cards, moves, distinct), nats = min(FOLLOWED.items(), key=lambda each: each[0][1])
    assert followed(cards, moves, distinct=distinct) == pytest.approx(nats, rel=1e-9)
