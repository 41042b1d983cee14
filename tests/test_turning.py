"""Order and reversals together: riffles and one turned part; by formula, by following all cards, by sampled decks."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import comb, factorial
from random import Random

import pytest

import fairdeck
from fairdeck.errors import FairdeckError
from fairdeck.permutation import identity
from fairdeck.shuffles import find, recipe_steps
from fairdeck.shuffles.recipes import theory
from fairdeck.shuffles.riffle import gsr_riffles
from fairdeck.shuffles.turning import TurnedPile, TurningRiffle


def outcomes(n):
    return [
        tuple(zip(order, turns, strict=True)) for order in permutations(range(n)) for turns in product((0, 1), repeat=n)
    ]


def riffled(deck, turn=False):
    """Yield each way, equally likely, in which two packets of a deck, bottom first, fall together."""
    for coins in product((0, 1), repeat=len(deck)):
        cut = coins.count(0)
        packets = iter(deck[:cut]), iter([(card, turned ^ turn) for card, turned in deck[cut:]])
        yield tuple([next(packets[coin]) for coin in coins])


def piled(deck):
    """Yield each way in which coins deal a deck from the top onto two piles, of which the second is turned."""
    for coins in product((0, 1), repeat=len(deck)):
        piles = [[], []]
        for card, turned in reversed(deck):
            piles[coins[card]].append((card, turned ^ coins[card]))
        yield tuple(piles[0] + piles[1])


MOVES = {
    "riffle": riffled,
    "turn": lambda deck: riffled(deck, turn=True),
    "turned-pile": piled,
    "fisher-yates": lambda deck: permutations(deck),
    "cut": lambda deck: (deck[at:] + deck[:at] for at in range(len(deck))),
}


def followed(recipe, n):
    """Return the chances of order and reversals when the moves are done forwards to real cards."""
    chances = {tuple((card, 0) for card in range(n)): Fraction(1)}
    for step in recipe_steps(recipe):
        for _ in range(step.times):
            after = Counter()
            for deck, chance in chances.items():
                ways = list(MOVES[step.known.name](deck))
                for way in ways:
                    after[way] += chance / len(ways)
            chances = after
    return chances


def variation(chances, n):
    fair = Fraction(1, factorial(n) * 2**n)
    return sum(max(Fraction(0), chance - fair) for chance in chances.values())


RECIPES = [
    "riffle + turn",
    "riffle*3 + turn",
    "cut + riffle*2 + turn",
    "riffle*2 + cut + turn",
    "turned-pile + riffle*2",
]
BLOCKS = ["turn + fisher-yates", "fisher-yates + turned-pile"]
EXACT = [*RECIPES, *BLOCKS, "turn", "turned-pile", "fisher-yates + turn", "riffle + fisher-yates + turn*2"]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("recipe", EXACT)
def test_the_law_is_that_of_all_cards_followed_forwards(recipe, n):
    chances, law = followed(recipe, n), theory(recipe_steps(recipe), n).law
    assert law.total_variation == variation(chances, n)
    rarest = min(chances.get(outcome, 0) for outcome in outcomes(n))
    assert law.separation == 1 - rarest * factorial(n) * 2**n


@pytest.mark.parametrize(("n", "times"), [(2, 2), (3, 1), (3, 3), (4, 1), (4, 2), (4, 3)])
def test_the_chance_of_an_outcome_after_riffles_and_a_turned_part_is_as_stated(n, times):
    chances = followed(f"riffle*{times} + turn", n)
    for outcome in outcomes(n):
        lies = {card: (place, turned) for place, (card, turned) in enumerate(outcome)}
        d = 0
        for card in range(n - 1):
            (place, turned), (place_above, turned_above) = lies[card], lies[card + 1]
            d += turned > turned_above or (turned == turned_above and place > place_above)
        assert chances.get(outcome, 0) == Fraction(comb(2**times + n - 1 - d, n), 2 ** (n * (times + 1)))


@pytest.mark.parametrize(
    ("recipe", "cards", "published"),
    [
        *[(f"riffle*{k} + turn", 4, value) for k, value in ((1, 0.5), (2, 0.28125), (3, 0.14453))],
        *[(f"turn + riffle*{k}", 4, value) for k, value in ((1, 0.77083), (2, 0.72266), (3, 0.70557))],
        *[
            (f"riffle*{k} + turn", 78, v)
            for k, v in ((8, 0.3065), (9, 0.1532), (10, 0.0780), (11, 0.0392), (12, 0.0196))
        ],
        ("turn*3", 4, 0.2354),
        ("fisher-yates + turned-pile", 4, 0.6875),
    ],
)
def test_mix_tells_the_distance_of_order_and_reversals_together(recipe, cards, published):
    """Decks of four cards are enumerated where no law is known; the values are of a program of its own."""
    assert float(fairdeck.mix(recipe, cards).total_variation) == pytest.approx(published, abs=6e-5)


@pytest.mark.parametrize(
    "recipe", ["riffle*2 + turn + riffle", "turn*2", "turn + riffle", "turned-pile*2", "riffle + turned-pile"]
)
def test_where_no_law_is_known_the_bounds_hold_and_small_decks_are_enumerated(recipe):
    for n in (3, 4):
        truth, known = variation(followed(recipe, n), n), theory(recipe_steps(recipe), n)
        assert known.law is None
        assert known.at_least <= truth <= known.at_most
        assert fairdeck.mix(recipe, n, decks=0).total_variation == truth
    assert theory(recipe_steps("riffle*9 + turn + riffle"), 52).at_most == gsr_riffles(52, 9).total_variation
    assert theory(recipe_steps("turn + riffle*9"), 52).at_least > 1 - Fraction(53, 2**51)


def test_sampled_cards_are_turned_as_the_law_says():
    """Chi-square, fixed seed: 384 outcomes of 40,000 decks; a correct program fails one seed in a million."""
    from scipy.stats import chisquare

    rng, seen, decks = Random(4), Counter(), 40_000
    for _ in range(decks):
        order = identity(4)
        for _ in range(3):
            order = [order[place] for place in find("riffle").shuffle(4, rng)]
        arrangement, turned = TurningRiffle().signed(4, rng)
        seen[tuple((order[place], turn) for place, turn in zip(arrangement, turned, strict=True))] += 1
    chances = {outcome: chance for outcome, chance in followed("riffle*3 + turn", 4).items() if chance}
    assert (
        chisquare([seen[outcome] for outcome in chances], [float(chances[each]) * decks for each in chances]).pvalue
        > 1e-6
    )
    assert sum(seen[outcome] for outcome in chances) == decks
    arrangement, turned = TurnedPile().signed(52, rng)
    assert sorted(arrangement) == list(range(52))
    assert turned == sorted(turned)


def test_mix_says_what_a_turn_in_the_wrong_place_is_worth_and_what_the_decks_show():
    told = str(fairdeck.mix("turn + riffle*7", 20, decks=2000, seed=1).document())
    assert "has its place at the end" in told
    assert "they show the order alone, no reversals" in told
    assert "order and reversals together" in str(fairdeck.mix("riffle*7 + turn", 52))
    assert "its place" not in str(fairdeck.mix("riffle*7 + turn", 52).document())
    with pytest.raises(FairdeckError, match="counts the order alone"):
        fairdeck.mix("riffle*7 + turn", like="suits")
