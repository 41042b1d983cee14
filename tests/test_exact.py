"""Exact laws by enumeration. Figures without another source are counted by hand or by brute force in the test."""

import json
import math
import os
import random
import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from functools import cmp_to_key, partial
from itertools import product
from math import comb, factorial
from unittest.mock import patch

import pytest
from scipy.stats import chi2

from fairdeck.errors import FairdeckError
from fairdeck.lab import exact
from fairdeck.lab.enumeration import OverBudget, order_law, tree, user_function
from fairdeck.lab.enumeration.path import CannotEnumerate
from fairdeck.lab.enumeration.tree import Tree
from fairdeck.permutation import descents, rising_sequences, then
from fairdeck.shuffles import find, registry


def law_of(shuffle, n, **options):
    """Return the law of a shuffle (n, rng) -> deck, or of anything that returns a tuple of whole numbers."""
    with patch.object(tree, "REPLAYS", 20):  # of 300: most paths here are few, and each would be played many times
        return Tree(lambda rng: tuple(int(card) for card in shuffle(n, rng)), n, **options).law()


def fisher_yates(draw):
    """Return the shuffle whose place i takes the card that `draw(rng, i)` names."""

    def shuffle(n, rng):
        deck = list(range(n))
        for i in range(n - 1, 0, -1):
            j = draw(rng, i)
            deck[i], deck[j] = deck[j], deck[i]
        return deck

    return shuffle


def in_place(n, rng):
    deck = list(range(n))
    rng.shuffle(deck)
    return deck


def weights(law, total):
    return [int(chance * total) for _, chance in sorted(law.orders.items())]


# Known laws ---------------------------------------------------------------------------------------


def test_the_naive_swap_of_three_cards_has_the_law_of_robbins_and_bolker():
    law = order_law("naive", 3)
    assert weights(law, 27) == [4, 5, 5, 5, 4, 4]
    assert list(law.orders) == sorted(law.orders)
    assert (law.leaves, law.grain, law.unresolved) == (27, 27, 0)


@pytest.mark.cases(1)
@pytest.mark.parametrize("cards, far", [(3, "1/18"), (4, "25/384"), (5, "3157/37500"), (6, "2285/23328")])
def test_the_naive_swap_is_as_far_from_uniform_as_known(cards, far):
    law = order_law("naive", cards)
    assert law.total_variation == Fraction(far)
    assert law.least_likely[1] == Fraction(2 ** (cards - 1), cards**cards)


@pytest.mark.parametrize("cards", [4, 5, 6, 7])
def test_fisher_and_yates_is_exactly_uniform(cards):
    law = order_law("fisher-yates", cards)
    assert set(law.orders.values()) == {Fraction(1, factorial(cards))}
    assert len(law.orders) == law.leaves == factorial(cards)


@pytest.mark.parametrize("shuffle", [in_place, lambda n, rng: rng.sample(range(n), n)])
def test_pythons_own_shuffles_are_exactly_uniform(shuffle):
    law = law_of(shuffle, 5)
    assert (law.total_variation, len(law.orders)) == (0, 120)


def test_sattolo_makes_only_single_cycles():
    law = law_of(fisher_yates(lambda rng, i: rng.randrange(i)), 5)
    assert (law.total_variation, len(law.orders), law.separation) == (Fraction(4, 5), 24, 1)


@pytest.mark.parametrize("cards", [3, 5, 6])
def test_the_riffle_has_the_law_of_bayer_and_diaconis(cards):
    law = order_law("riffle", cards)
    assert len(law.orders) == 2**cards - cards
    for order, chance in law.orders.items():
        assert chance == Fraction(comb(2 + cards - rising_sequences(order), cards), 2**cards)


# Python 3.13 sorts short lists in another way than before. Both pairs are what all throws of the coin give.
SORTED_BY_A_COIN = {3: "17/48", 5: "1429/3840"} if sys.version_info < (3, 13) else {3: "47/192", 5: "6833/15360"}


@pytest.mark.parametrize("cards, far", SORTED_BY_A_COIN.items())
def test_sorting_by_a_coin_is_as_far_from_uniform_as_known(cards, far):
    def shuffle(n, rng):
        return sorted(range(n), key=cmp_to_key(lambda *_: -1 if rng.random() < 0.5 else 1))

    assert law_of(shuffle, cards).total_variation == Fraction(far)


def brute_force_modulo(cards, bits):
    """Place i takes card j with the chance that j is the remainder of a number of `bits` bits."""
    found = Counter()
    for draws in product(*[range(i + 1) for i in range(cards - 1, 0, -1)]):
        deck, ways = list(range(cards)), 1
        for i, j in zip(range(cards - 1, 0, -1), draws, strict=True):
            deck[i], deck[j] = deck[j], deck[i]
            ways *= (2**bits - 1 - j) // (i + 1) + 1
        found[tuple(deck)] += ways
    return {order: Fraction(ways, 2 ** (bits * (cards - 1))) for order, ways in found.items()}


@pytest.mark.parametrize("bits", [4, 8, 15, 16, 32, 64])
def test_remainders_of_any_number_of_bits_have_exact_weights_at_once(bits):
    began = time.perf_counter()
    law = law_of(fisher_yates(lambda rng, i: rng.getrandbits(bits) % (i + 1)), 5)
    assert law.orders == brute_force_modulo(5, bits)
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize("bits", [1, 2, 4, 6])
def test_sorting_by_random_keys_undoes_that_many_riffles(bits):
    """The inverse of `bits` riffles: a deck of r rising sequences in the inverse has C(2^b + n - r, n) / 2^(bn)."""
    law = law_of(lambda n, rng: sorted(range(n), key=lambda _: rng.getrandbits(bits)), 5)
    for order, chance in law.orders.items():
        assert chance == Fraction(comb(2**bits + 5 - descents(order) - 1, 5), 2 ** (bits * 5))


def test_scaling_a_real_number_is_exactly_uniform_and_rounding_it_is_not():
    assert law_of(fisher_yates(lambda rng, i: int(rng.random() * (i + 1))), 5).total_variation == 0
    assert law_of(fisher_yates(lambda rng, i: round(rng.random() * i)), 5).total_variation == Fraction(29, 120)


@pytest.mark.parametrize(
    "shuffle",
    [
        lambda n, rng: sorted(range(n), key=lambda _: rng.random()),
        lambda n, rng: sorted(range(n), key=lambda _: -rng.random()),
        lambda n, rng: sorted(range(n), key=lambda _: 5 - 3 * rng.random()),
        lambda n, rng: [card for _, card in sorted((rng.random(), card) for card in range(n))],
    ],
)
@pytest.mark.cases(1)
def test_sorting_by_random_numbers_is_exactly_uniform(shuffle):
    law = law_of(shuffle, 5)
    assert (law.total_variation, len(law.orders)) == (0, 120)


def test_keys_on_different_scales_are_compared_exactly():
    """P(U1 < U2 < U3) for U uniform up to 1, 2 and 3, and the rest, by integrals: in 36ths."""
    law = law_of(lambda n, rng: sorted(range(n), key=lambda card: rng.uniform(0, card + 1)), 3)
    # U1 < U2: 3/4. U3 least: with x = U3 < 1: int (1-x)(1-x/2)/3 = 5/36. And so on, by symmetry.
    assert law.orders[0, 1, 2] == Fraction(16, 36)  # int y (1-y/3)/2 up to 1, int (1-y/3)/2 from there to 2
    assert sum(chance for order, chance in law.orders.items() if order.index(0) < order.index(1)) == Fraction(3, 4)
    assert sum(chance for order, chance in law.orders.items() if order[0] == 2) == Fraction(5, 36)


# Lazy draws ---------------------------------------------------------------------------------------

LOOKS = {
    "remainder": lambda x: (x % 7,),
    "scaled remainder": lambda x: ((x * 5 + 3) % 7 // 2,),
    "negative remainder": lambda x: (-x % 5, x % -3),
    "high digits": lambda x: (x >> 2,),
    "a digit in the middle": lambda x: (x >> 1 & 3, x & 0b11000),
    "odd mask": lambda x: (x & 0b10101, x | 4, x ^ 3),
    "rounding": lambda x: (round(x / 2), math.floor(x / 3), math.ceil(x / 3), int(x / 4)),
    "rounding below zero": lambda x: (round((x - 30) / 2), math.trunc((x - 30) / 4), int((x - 30.5) / 3), abs(x - 20)),
    "comparing": lambda x: (x < 17, x <= 17, x > 40, x == 5, x != 9, bool(x)),
    "comparing what was cut": lambda x: (x < 20, x % 3, x >> 1 if x % 3 else x == 15),
    "quotient and remainder": lambda x: divmod(x, 6),
    "remainder of a quotient": lambda x: ((x // 4) % 3, (x % 10) // 3),
    "a remainder times another": lambda x: ((x % 10) * (x % 3),),
    "minus itself": lambda x: (x - x, x + x, 2 * x - x < 9),
    "shifts": lambda x: (x << 1, 1 << (x & 3), ~x),
    "powers": lambda x: (x**2 % 11, 2 ** (x % 4)),
    "multiply and shift": lambda x: (x * 6 >> 6,),
    "as an index": lambda x: ("abcdefgh".index("abcdefgh"[x >> 3]),),
    "methods": lambda x: (x.bit_length(), int(str(x)), hash(x)),
    "whole and real": lambda x: (int(x * 0.5), int(x / 63 * 6)),
}


@pytest.mark.parametrize("name", LOOKS)
def test_what_is_made_of_a_draw_has_the_law_of_brute_force(name):
    look = LOOKS[name]

    def brute(x):
        if name == "whole and real":  # where floats would round, the fractions are meant
            return (x // 2, int(Fraction(x, 63) * 6))
        return tuple(map(int, look(x)))

    expected = Counter(brute(x) for x in range(64))
    law = law_of(lambda n, rng: look(rng.getrandbits(6)), 2)
    assert law.orders == {values: Fraction(count, 64) for values, count in expected.items()}


REAL_LOOKS = [
    lambda u: (math.floor(u * 6),),
    lambda u: (int(u * 5), u < 0.3, round(u * 4)),
    lambda u: (u < 0.75, int(u * 4 + 0.5), 1 - u > 0.4),
    lambda u: (int(u * 3 - 1.5), math.ceil(-u * 4), round(u * 3 - 1)),
    lambda u: (math.floor(u * 12) % 5, u * 2 % 1 < 0.5),
    lambda u: (abs(u - 0.5) < 0.2, u // 0.25, (u + u) // 0.5),
]


@pytest.mark.parametrize("look", REAL_LOOKS)
def test_what_is_made_of_a_real_draw_has_the_law_of_a_fine_grid(look):
    """All ends lie on multiples of 1/240, so the middles of the cells in between have the exact law."""
    expected = Counter(tuple(map(int, look(Fraction(2 * cell + 1, 480)))) for cell in range(240))
    law = law_of(lambda n, rng: look(rng.random()), 2)
    assert law.orders == {values: Fraction(count, 240) for values, count in expected.items()}


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    "compare",
    [
        lambda x, y, z: (x < y, y < z, x < z),
        lambda x, y, z: (x <= y, y <= x, z == x),
        lambda x, y, z: (x < y, y < z, x),
        lambda x, y, z: (x < y, x % 2, z <= x),
        lambda x, y, z: (x < y, y < 3, z > y, 2 * x < 2 * z),
        lambda x, y, z: (x < y, -z < -y, 5 - x < z),
        lambda x, y, z: (x + y, x * z, x - y < z),
        lambda x, y, z: (max(x, y, z), min(x, y, z)),
        lambda x, y, z: (x // 2 < y // 2, y // 2 < z, len({x, y, z})),
    ],
)
@pytest.mark.cases(1)
def test_draws_that_are_compared_have_the_law_of_brute_force(compare):
    expected = Counter(tuple(map(int, compare(*draws))) for draws in product(range(6), repeat=3))
    law = law_of(lambda n, rng: compare(*[rng.randrange(6) for _ in range(3)]), 2)
    assert law.orders == {values: Fraction(count, 216) for values, count in expected.items()}


def test_real_draws_that_are_compared_and_cut_have_the_law_of_the_integrals():
    law = law_of(lambda n, rng: ((x := rng.random()) < (y := rng.random()), x < 0.3, y < 0.5), 2)
    under = Fraction(3, 10) * Fraction(5, 10) - Fraction(9, 200)  # x < 0.3, y < 0.5, but for y < x
    assert law.orders[1, 1, 1] == under
    assert law.orders[1, 1, 0] == Fraction(3, 20)
    assert law.orders[0, 0, 0] == Fraction(1, 8)
    assert sum(law.orders.values()) == 1


def test_a_draw_from_too_many_numbers_is_split_and_not_counted_out():
    law = law_of(lambda n, rng: (math.floor(rng.random() * 2**40) % 3, (rng.getrandbits(64) >> 32) % 5), 2)
    thirds = [Fraction(len(range(r, 2**40, 3)), 2**40) for r in range(3)]
    fifths = [Fraction(len(range(r, 2**32, 5)), 2**32) for r in range(5)]
    assert law.orders == {(i, j): thirds[i] * fifths[j] for i in range(3) for j in range(5)}


def test_weighted_choices_have_the_weights_given():
    law = law_of(lambda n, rng: rng.choices([1, 2, 3], [0.5, 0.3, 0.2]), 2)
    assert law.orders == {(1,): Fraction(1, 2), (2,): Fraction(3, 10), (3,): Fraction(1, 5)}


@pytest.mark.parametrize(
    "careless, says",
    [
        (lambda rng: rng.random() + rng.random() < 1, "adds two random"),
        (lambda rng: rng.random() * rng.random() < 1, "multiplies two random"),
        (lambda rng: math.sqrt(rng.random()) < 1, "uses all digits"),
        (lambda rng: rng.gauss(0, 1) < 1, "uses all digits"),
        (lambda rng: len(f"{rng.random()}"), "uses all digits"),
        (lambda rng: {rng.random(): 1}, "uses all digits"),
        (lambda rng: rng.seed(3), "seeds the generator itself"),
        (lambda rng: rng.getstate(), "state"),
    ],
)
def test_what_cannot_be_enumerated_is_refused_even_if_the_shuffle_swallows_it(careless, says):
    def plain(n, rng):
        careless(rng)
        return range(n)

    def swallowing(n, rng):
        try:
            careless(rng)
        except BaseException:
            return range(n)
        return range(n)

    for shuffle in (plain, swallowing):
        with pytest.raises(CannotEnumerate, match=says):
            law_of(shuffle, 3)


# Drawing again ------------------------------------------------------------------------------------


def rejecting(rng, i):
    bits = (i + 1).bit_length()
    while True:
        drawn = rng.getrandbits(bits)
        if drawn <= i:
            return drawn


def rejecting_the_uneven_end(rng, i):
    limit = 2**32 - 2**32 % (i + 1)
    drawn = rng.getrandbits(32)
    while drawn >= limit:
        drawn = rng.getrandbits(32)
    return drawn % (i + 1)


def until_new(n, rng):
    deck = []
    while len(deck) < n:
        card = rng.randrange(n)
        if card not in deck:
            deck.append(card)
    return deck


@pytest.mark.parametrize(
    "shuffle", [fisher_yates(rejecting), fisher_yates(rejecting_the_uneven_end), until_new], ids=["bits", "end", "new"]
)
@pytest.mark.long
def test_loops_that_only_draw_again_have_their_exact_law(shuffle):
    law = law_of(shuffle, 5)
    assert (law.total_variation, law.unresolved, len(law.orders)) == (0, 0, 120)
    assert law.leaves < 5000


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", ["rejection", "draw-again", "top-to-random-until"])
def test_registered_shuffles_that_draw_again_have_their_exact_law(name):
    law = order_law(name, 4)
    assert (law.total_variation, law.unresolved) == (0, 0)


def test_loops_that_count_are_not_taken_for_loops_that_only_draw_again():
    def gives_up(n, rng):
        for _ in "." * 50:  # the same variables each time, but the loop itself counts
            drawn = rng.getrandbits(4)
            if drawn == 0:
                return (0, 1)
        return (1, 0)

    law = law_of(gives_up, 2)
    assert law.orders[1, 0] == Fraction(15, 16) ** 50

    tries = []

    def counts_elsewhere(n, rng):
        tries.clear()
        while True:
            drawn = rng.getrandbits(4)
            tries.append(drawn)
            if drawn == 0:
                return (0, 1)
            if len(tries) == 50:
                return (1, 0)

    assert law_of(counts_elsewhere, 2).orders[1, 0] == Fraction(15, 16) ** 50


def test_a_probability_that_was_not_followed_is_reported():
    def hidden(n, rng):
        draw = lambda: rng.getrandbits(2)  # noqa: E731 - a new function each time hides its state
        while draw() == 3:
            pass
        return (0, 1) if rng.getrandbits(1) else (1, 0)

    law = law_of(hidden, 2, eps=1e-6)
    assert 0 < law.unresolved <= Fraction(1, 10**6)
    assert sum(law.orders.values()) + law.unresolved == 1
    assert law.orders[0, 1] == law.orders[1, 0]
    assert law.grain is None


def test_a_shuffle_that_surely_draws_for_ever_is_refused():
    def endless(n, rng):
        while True:
            drawn = rng.getrandbits(4)
            if drawn > 15:
                return range(n)
            if drawn < 8:
                continue

    with pytest.raises(FairdeckError, match="for ever"):
        law_of(endless, 2)


# Budgets ------------------------------------------------------------------------------------------


def test_too_many_paths_are_refused_with_their_number():
    with pytest.raises(OverBudget, match=r"about 256 paths, more than 100 \(--leaves\)"):
        order_law("naive", 4, leaves=100)
    assert order_law("naive", 4, leaves=256).leaves == 256


def test_hopelessly_many_paths_are_refused_early():
    began = time.perf_counter()
    with pytest.raises(OverBudget, match="about 10,000,000,000 paths"):
        order_law("naive", 10)
    assert time.perf_counter() - began < 10


def in_place_until_a_derangement(n, rng):
    deck = list(range(n))
    while True:
        rng.shuffle(deck)
        if all(card != place for place, card in enumerate(deck)):
            return deck


def anew_until_a_derangement(n, rng):
    while True:
        deck = list(range(n))
        rng.shuffle(deck)
        if all(card != place for place, card in enumerate(deck)):
            return deck


@pytest.mark.long
@pytest.mark.parametrize("shuffle", [in_place_until_a_derangement, anew_until_a_derangement])
def test_attempts_that_multiply_are_given_up_soon_and_not_after_hours(shuffle):
    assert_given_up(shuffle, r"10,000 paths leave 8\d.\d+% unresolved.*with fairdeck test")


def assert_given_up(shuffle, says):
    followed = []
    with pytest.raises(OverBudget, match=says):
        Tree(lambda rng: tuple(shuffle(3, rng)), 3, progress=lambda paths, _: followed.append(paths)).law()
    assert len(followed) < 25_000


def below_three(rng):
    drawn = rng.randrange(4)
    return drawn if drawn < 3 else below_three(rng)


@pytest.mark.long
def test_a_function_that_calls_itself_to_draw_again_is_given_up_soon():
    def shuffle(n, rng):
        deck = list(range(n))
        for i in range(n):
            j = below_three(rng)
            deck[i], deck[j] = deck[j], deck[i]
        return deck

    assert_given_up(shuffle, r"paths leave 0\.\d+% unresolved\. A loop .* with fairdeck test")
    law = law_of(shuffle, 3, eps=1e-4)
    for order, chance in order_law("naive", 3).orders.items():
        assert law.orders[order] <= chance <= law.orders[order] + law.unresolved


def test_choices_from_a_range_are_looked_at_no_more_than_needed():
    def sorts(n, rng):
        keys = rng.choices(range(10, 10 + 2**20), k=n)
        return sorted(range(n), key=keys.__getitem__)

    chances = sorted(set(law_of(sorts, 2).orders.values()))
    tie = Fraction(1, 2**20)
    assert chances == [(1 - tie) / 2, (1 - tie) / 2 + tie]
    assert law_of(lambda n, rng: rng.choices([(0, 1), (1, 0)], weights=[1, 2])[0], 2).orders[1, 0] == Fraction(2, 3)


def test_a_seed_of_many_bits_is_refused_at_once():
    with pytest.raises(OverBudget, match="18,446,744,073,709,551,616 outcomes"):
        law_of(lambda n, rng: in_place(n, random.Random(rng.getrandbits(64))), 3)


def test_a_seed_of_few_bits_is_counted_out():
    law = law_of(lambda n, rng: in_place(n, random.Random(rng.getrandbits(6))), 3)
    expected = Counter(tuple(in_place(3, random.Random(seed))) for seed in range(64))
    assert law.orders == {order: Fraction(count, 64) for order, count in expected.items()}


def test_repeating_a_shuffle_multiplies_its_law():
    shuffle = find("naive").shuffle
    twice = law_of(lambda n, rng: then(shuffle(n, rng), shuffle(n, rng)), 3)
    assert order_law("naive*2", 3).orders == twice.orders
    for order, chance in order_law("riffle*7", 5).orders.items():
        assert chance == Fraction(comb(2**7 + 5 - rising_sequences(order), 5), 2**35)


def test_c_code_that_insists_on_plain_numbers_gets_them():
    law = law_of(lambda n, rng: json.loads(json.dumps([rng.getrandbits(4) % 3, rng.getrandbits(1)])), 2)
    assert law.orders[0, 1] == Fraction(3, 16)


@pytest.mark.cases(25)
@pytest.mark.parametrize("name", registry())
def test_what_registered_shuffles_do_agrees_with_their_exact_law(name):
    """A chi-square of 3,000 first decks: each correct law fails once in a million runs, one of 80 at most 80 times."""
    known, rng = find(name), random.Random(name)
    cards = max(3, known.least)
    if cards > 4:
        return
    try:
        law = order_law(name, cards, leaves=3000)
    except OverBudget:
        return
    counts = Counter(tuple(map(int, next(known.decks(cards, rng)))) for _ in range(3000))
    assert set(counts) <= set(law.orders)
    expected = {order: 3000 * float(chance) for order, chance in law.orders.items()}
    odd = sum((counts[order] - mean) ** 2 / mean for order, mean in expected.items())
    assert odd < chi2.isf(1e-6, len(expected) - 1) if len(expected) > 1 else odd == 0


def test_a_replay_that_differs_is_found_out():
    calls = []

    def forgetful(n, rng):
        calls.append(0)
        deck = list(range(n))
        deck = deck[len(calls) % n :] + deck[: len(calls) % n]
        return deck if rng.getrandbits(1) else deck[::-1]

    with pytest.raises(CannotEnumerate, match="two replays of the same draws"):
        law_of(forgetful, 3)


def test_randomness_that_is_not_intercepted_is_found_out():
    own = random.Random(5)
    with pytest.raises(CannotEnumerate, match=r"two replays of the same draws differ.*a generator of its own"):
        law_of(lambda n, rng: own.sample(range(n), n), 4)


# Measures -----------------------------------------------------------------------------------------


def test_the_measures_agree_with_their_definitions():
    law = order_law("naive", 4)
    chances = list(law.orders.values())
    assert law.total_variation == sum(abs(chance - Fraction(1, 24)) for chance in chances) / 2
    assert law.separation == 1 - 24 * min(chances)
    assert law.chi_square_distance == sum((chance - Fraction(1, 24)) ** 2 * 24 for chance in chances)
    assert law.kl_bits == pytest.approx(sum(float(p) * math.log2(24 * p) for p in chances))
    assert law.likeliest[1] == max(chances)
    assert all(sum(row) == 1 for row in law.positions)
    assert law.positions[0][0] == sum(chance for order, chance in law.orders.items() if order[0] == 0)
    assert order_law("even", 4).even_orders == 1


def test_arithmetic_rules_a_fair_law_out_only_where_it_does():
    assert order_law("naive", 3).cannot_be_fair
    assert not order_law("fisher-yates", 4).cannot_be_fair
    # 24 equally likely paths, two for each even order: arithmetic would allow a fair law.
    assert not order_law("even", 4).cannot_be_fair
    # 128 equally likely paths of a riffle of 7 cards, 5040 orders; and 2 paths for 2 orders.
    assert order_law("riffle", 7).cannot_be_fair
    assert not order_law("riffle", 2).cannot_be_fair


# The user's functions -----------------------------------------------------------------------------

DEF = "def shuffle(deck):\n    "
FORMS = {
    "in_place": DEF + "random.shuffle(deck)",
    "returned": DEF + "return random.sample(deck, len(deck))",
    "with_rng": "def shuffle(cards, rng):\n    rng.shuffle(cards)",
    "rng_optional": "def shuffle(cards, *, more=1, rng=None):\n    (rng or 1/0).shuffle(cards)",
    "random_function": "def shuffle(x, random=random.random):\n    swaps(x, lambda k: int(random() * k))",
    "number": "def shuffle(n):\n    return random.sample(range(n), n)",
    "imported_names": "from random import shuffle as mix, randint\ndef shuffle(deck):\n    mix(deck)",
    "randint": "from random import randint\ndef shuffle(x):\n    swaps(x, lambda k: randint(0, k - 1))",
    "module_generator": "rng = random.Random()\ndef shuffle(deck):\n    rng.shuffle(deck)",
    "class_generator": "class Dealer:\n    source = random.Random(7)\n"
    "    def deal(self, deck):\n        self.source.shuffle(deck)\nshuffle = Dealer().deal",
    "made_inside": DEF + "random.Random().shuffle(deck)",
    "system": DEF + "random.SystemRandom().shuffle(deck)",
    "system_module": "source = random.SystemRandom()\ndef shuffle(deck):\n    source.shuffle(deck)",
    "kept_in_an_object": "class Box: pass\nbox = Box()\nbox.rng = random.Random()\n"
    "def shuffle(deck):\n    box.rng.shuffle(deck)",
    "kept_in_a_dict": "kept = {'a': [random.Random(3)]}\ndef shuffle(deck):\n    kept['a'][0].shuffle(deck)",
    "kept_in_a_closure": "def made(rng):\n    def shuffle(deck):\n        rng.shuffle(deck)\n    return shuffle\n"
    "shuffle = made(random.Random())",
    "kept_in_a_tuple": "kept = random.Random(), 1\ndef shuffle(deck):\n    kept[0].shuffle(deck)",
    "default_generator": "def shuffle(deck, *, source=random.Random(3)):\n    source.shuffle(deck)",
    "default_method": "def shuffle(x, draw=random.random):\n    swaps(x, lambda k: int(draw() * k))",
    "partial": "from functools import partial\nmix = partial(random.Random(3).shuffle)\n"
    "def shuffle(deck):\n    mix(deck)",
    "method_in_a_dict": "draws = {'a': random.Random().randrange}\ndef shuffle(x):\n    swaps(x, draws['a'])",
    "c_method_in_a_dict": "draws = {'a': random.Random().random}\ndef shuffle(x):\n"
    "    swaps(x, lambda k: int(draws['a']() * k))",
    "system_method_in_a_list": "draws = [random.SystemRandom().getrandbits]\ndef shuffle(x):\n"
    "    x.sort(key=lambda _: random.random() + 0 * draws[0](1))",
    "class_in_a_dict": "kinds = {'a': random.Random}\ndef shuffle(deck):\n    kinds['a']().shuffle(deck)",
    "own_class": "class Dealer(random.Random):\n    def deal(self, deck):\n        self.shuffle(deck)\n"
    "dealer = Dealer(5)\ndef shuffle(deck):\n    dealer.deal(deck)",
    "own_class_that_asks_random": "class Counted(random.Random):\n    drawn = 0\n    def getrandbits(self, k):\n"
    "        self.drawn += 1\n        return super().getrandbits(k)\n"
    "def shuffle(x):\n    rng = Counted()\n"
    "    swaps(x, lambda k: rng.getrandbits(24) * k // 2**24 if k != 3 else rng.randrange(3))",
    "checks_the_type": "def shuffle(deck, rng):\n    assert isinstance(rng, random.Random)\n    rng.shuffle(deck)",
    "secrets": "import secrets\ndef shuffle(x):\n    swaps(x, secrets.randbelow)",
    "callable_object": "class Shuffle:\n    def __call__(self, deck, rng):\n        rng.shuffle(deck)\n"
    "shuffle = Shuffle()",
    "draws_again": "class Deck:\n    def __init__(self, n):\n"
    "        self.cards, self.rng = list(range(n)), random.Random()\n"
    "    def shuffle(self):\n        for i in range(len(self.cards) - 1, 0, -1):\n"
    "            j = self.rng.getrandbits(3)\n"
    "            while j > i:\n                j = self.rng.getrandbits(3)\n"
    "            self.cards[i], self.cards[j] = self.cards[j], self.cards[i]\n"
    "def shuffle(n):\n    deck = Deck(n)\n    deck.shuffle()\n    return deck.cards",
    "draws_again_by_module": "def shuffle(d):\n    for i in range(len(d) - 1, 0, -1):\n"
    "        while (j := random.getrandbits(3)) > i:\n            pass\n        d[i], d[j] = d[j], d[i]",
    "printing": DEF + "print('hello', input if 0 else '')\n    random.shuffle(deck)",
    "iterator": DEF + "yield from random.sample(deck, len(deck))",
}

SWAPS = (
    "def swaps(x, below):\n"
    "    for i in range(len(x) - 1, 0, -1):\n        j = below(i + 1)\n        x[i], x[j] = x[j], x[i]"
)


def write(tmp_path, text, name="mine.py"):
    file = tmp_path / name
    file.write_text(f"import random\n{SWAPS}\n{text}\n", encoding="utf-8")
    return f"{file}:shuffle"


@pytest.fixture(autouse=True)
def one_other_process(monkeypatch):
    """What Python chooses when it starts is the subject of `test_exact_is_never_wrong`."""
    monkeypatch.setattr(user_function, "OTHERS", 1)


@pytest.mark.cases(2)
@pytest.mark.parametrize("form", FORMS)
def test_a_function_of_any_form_is_intercepted(tmp_path, form):
    law = order_law(write(tmp_path, FORMS[form]), 4)
    assert (law.total_variation, len(law.orders), law.notes) == (0, 24, ())


@pytest.mark.long
def test_a_function_is_found_by_module_from_the_current_directory(tmp_path, monkeypatch):
    package = tmp_path / "game" / "cards"
    package.mkdir(parents=True)
    (package / "mixing.py").write_text(
        "from game.cards.dice import below\n"
        "def shuffle(deck):\n    for i in range(len(deck)):\n        j = below(len(deck))\n"
        "        deck[i], deck[j] = deck[j], deck[i]\n"
    )
    (package / "dice.py").write_text("from random import randrange as below\n")
    monkeypatch.chdir(tmp_path)
    assert order_law("game.cards.mixing:shuffle", 3).orders == order_law("naive", 3).orders
    assert order_law("random:shuffle", 4).total_variation == 0


@pytest.mark.long
def test_what_a_function_takes_can_be_told(tmp_path):
    name = write(tmp_path, "def shuffle(n):\n    random.shuffle(n)")
    with pytest.raises(FairdeckError, match="raised TypeError"):
        order_law(name, 3)
    assert order_law(name, 3, takes="deck").total_variation == 0
    name = write(tmp_path, "def shuffle(amount):\n    return random.sample(range(amount), amount)")
    assert order_law(name, 3, takes="n").total_variation == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("does", "order"),
    [("deck.reverse()", (4, 3, 2, 1, 0)), ("random.Random(42).shuffle(deck)", tuple(in_place(5, random.Random(42))))],
    ids=["no draws", "a generator with a seed"],
)
def test_a_function_that_leaves_nothing_to_chance_gives_one_order(tmp_path, does, order):
    assert order_law(write(tmp_path, f"def shuffle(deck):\n    {does}"), 5).orders == {order: 1}


FAULTS = {
    "raises": (DEF + "j = random.randrange(3)\n    deck[3] = deck[j]", "raised IndexError: .* after the draws 0 of 3"),
    "raises at the start": (DEF + "1/0", "raised ZeroDivisionError: .*before any draw"),
    "returns a number": (DEF + "return 5", "its result is not a deck: the function returned 5, before any draw"),
    "returns None from n": ("def shuffle(n):\n    pass", "returned None"),
    "loses a card": (DEF + "deck.pop()", "has 2 cards instead of 3: 0 1, before"),
    "deals one twice": (DEF + "deck[0] = 1", "holds card 1 twice and lacks card 0: 1 1 2, before"),
    "returns strange cards": (DEF + "return ['a', 'b', 'c']", "holds 'a', which is not a whole number"),
    "leaves": ("import os\ndef shuffle(deck):\n    os._exit(3)", "ended the process"),
    "reads input": (DEF + "input()", "raised EOFError"),
    "does not import": ("import no_such_module", "cannot import .*: ModuleNotFoundError"),
    "takes too much": ("def shuffle(a, b, c, d):\n    pass", "more than a deck and a generator: c, d"),
    "urandom": ("import os\ndef shuffle(deck):\n    deck.sort(key=lambda _: os.urandom(4))", "draws from os.urandom"),
    "seeds": (DEF + "random.seed(1)\n    random.shuffle(deck)", "seeds the generator itself"),
    "keeps the deck": (
        "kept = [0, 1, 2]\ndef shuffle(deck):\n    random.shuffle(kept)\n    return kept",
        "two replays of the same draws",
    ),
    "sees numbers in full": (
        "import math\ndef shuffle(deck):\n    deck.sort(key=lambda _: math.log(random.random()))",
        "uses all digits of a random.. number",
    ),
    "numpy generator": (
        "import numpy\nrng = numpy.random.default_rng()\ndef shuffle(deck):\n    rng.shuffle(deck)",
        "draws from a generator of numpy .shuffle.",
    ),
    "numpy function": ("import numpy as np\ndef shuffle(deck):\n    np.random.shuffle(deck)", "numpy.random.shuffle"),
    "numpy made inside": (
        "import numpy as np\ndef shuffle(deck):\n    return np.random.default_rng().permutation(deck)",
        "numpy.random.default_rng",
    ),
    "numpy imported inside": (
        DEF + "import numpy as np\n    np.random.shuffle(deck)",
        "it draws from numpy.random.shuffle, which cannot be intercepted; give it a parameter rng",
    ),
    "numpy generator imported inside": (
        DEF + "from numpy.random import default_rng\n    return default_rng().permutation(deck)",
        "it draws from numpy.random.default_rng, which cannot be intercepted",
    ),
    "wants numpy": ("def shuffle(deck, rng):\n    return rng.permutation(deck)", "raised AttributeError.*permutation"),
}


@pytest.mark.cases(5)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_function_is_refused_in_one_line(tmp_path, fault, capfd):
    text, says = FAULTS[fault]
    with pytest.raises(FairdeckError, match=says) as raised:
        order_law(write(tmp_path, text), 3)
    assert "\n" not in str(raised.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "does",
    [
        "while True: pass",  # as it is loaded
        "def shuffle(deck):\n    random.randrange(2)\n    while True: pass",
        "def shuffle(deck):\n    while True: pass",
    ],
)
def test_a_function_that_hangs_is_ended_and_leaves_no_process_behind(tmp_path, does):
    mark, began = tmp_path / "pid", time.perf_counter()
    name = write(tmp_path, f"import os\nopen({str(mark)!r}, 'w').write(str(os.getpid()))\n{does}")
    with pytest.raises(FairdeckError, match=r"hangs: 1 seconds without a deck.*--timeout"):
        order_law(name, 3, timeout=1)
    assert time.perf_counter() - began < 15
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)


@pytest.mark.long
def test_the_clock_is_noted_and_a_file_named_like_a_module_does_not_pass_for_it(tmp_path):
    text = "import time\ndef shuffle(deck):\n    time.time()\n    random.shuffle(deck)"
    law = order_law(write(tmp_path, text, "types.py"), 3)
    assert law.total_variation == 0
    assert "clock" in law.notes[0]


# The command --------------------------------------------------------------------------------------


@pytest.fixture
def run(run):
    return partial(run, "exact")


def test_the_command_says_it_in_one_sentence_first(run):
    code, out, err = run("naive", "--cards", "3")
    assert (code, err) == (1, "")
    assert out.splitlines()[0] == (
        "naive is not fair: with 3 cards the likeliest order comes 5 times in 27 (18.5%), the least likely 4 times "
        "(14.8%); a fair shuffle gives each order 1 in 6 (16.7%)."
    )
    assert "1/18" in out
    assert "0,2,1                5/27" in out
    assert "more than 3 cards" in out


def test_the_command_says_that_a_shuffle_is_fair(run):
    code, out, _ = run("fisher-yates")
    assert code == 0
    assert out.startswith("fisher-yates is fair with 4 cards: each of the 24 orders comes 1 time in 24, exactly.\n")


def test_the_command_gives_json_for_programs(run):
    code, out, _ = run("naive", "--cards", "3", "--json")
    told = json.loads(out)
    assert (code, told["cards"]) == (1, 3)
    orders = ("0,1,2", "0,2,1", "1,0,2", "1,2,0", "2,0,1", "2,1,0")
    assert told["orders"] == {order: f"{ways}/27" for order, ways in zip(orders, (4, 5, 5, 5, 4, 4), strict=True)}
    assert (told["total_variation"], told["separation"]) == ("1/18", "1/9")
    assert (told["exact"], told["unresolved"], told["fair"], told["leaves"]) == (True, "0", False, 27)
    assert told["cannot_be_fair"] is True


def test_the_command_shows_a_part_of_many_orders_or_all(run):
    _, some, _ = run("naive", "--cards", "5")
    _, everything, _ = run("naive", "--cards", "5", "--all")
    assert "... and 96 orders less likely or as likely" in some
    assert sum(line.count(",") == 4 and "=" in line for line in everything.splitlines()) >= 120
    assert "--all" not in everything


@pytest.mark.parametrize(
    "words, says",
    [
        (["riffle", "--cards", "3"], "1 of the 6 orders never comes, and"),
        (["faro-out", "--cards", "4"], "always gives the order 0,2,1,3"),
        (["naive-carried", "--cards", "3"], "these figures are for the first one"),
        (["fisher-yates", "--cards", "1"], "nothing to shuffle"),
        (["modulo-16", "--cards", "5"], "comes 1 time in 119.98901, the least likely 1 time in 120.00366"),
    ],
)
def test_the_command_says_what_is_special(run, words, says):
    assert says in run(*words)[1]


def test_the_command_loads_nothing_heavy():
    heavy = ["numpy", "scipy", "subprocess", "secrets", "statistics"]
    code = (
        "import sys, os\nfrom fairdeck.cli import main\nsys.stdout = open(os.devnull, 'w')\n"
        f"main(['exact', 'naive', '--cards', '3'])\nassert not [m for m in {heavy} if m in sys.modules]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# The door -----------------------------------------------------------------------------------------


def test_one_call_does_what_the_command_does(run):
    law = exact("naive", cards=3)
    assert law.to_json() == run("naive", "--cards", "3", "--json")[1].strip()
    assert repr(law) == "<OrderLaw of naive, 3 cards: total variation 1/18>"
    shown = law._repr_html_()
    assert "naive is not fair" in shown
    assert shown.count("<tr>") == 6 + 3 + 2  # the orders, the places, and the heads of both tables


def test_a_function_is_called_here_and_draws_from_what_it_is_given():
    law = exact(in_place_of_a_list, cards=4)
    assert (law.total_variation, law.shuffle) == (0, "in_place_of_a_list")
    with pytest.raises(FairdeckError, match=r"in_secret.*parameter rng"):
        exact(in_secret, cards=4)
    with pytest.raises(FairdeckError, match="cards: 11 cannot be enumerated; write 1 to 10"):
        exact("naive", cards=11)


def in_place_of_a_list(deck, rng):
    rng.shuffle(deck)


def in_secret(deck):
    random.shuffle(deck)
