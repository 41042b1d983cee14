"""Machines and procedures of a card room: what they do card by card, and what a player who follows them sees."""

from collections import Counter
from fractions import Fraction
from itertools import islice, pairwise
from random import Random

import numpy as np
import pytest
from bench import floor

from fairdeck.shuffles import Recipe, find, recipe_steps
from fairdeck.shuffles.continuous import ContinuousShuffler
from fairdeck.shuffles.shoe import FEWEST, Ladder, Plug, Restack, laced, stacks
from tests.test_every_shuffle import law


@pytest.mark.parametrize("n", [*range(1, 40), 312, 415])
@pytest.mark.parametrize("grab", [1, 2, 13, 26, 1000])
def test_stacks_have_every_card_once_in_grabs_of_about_the_size(n, grab):
    rng = Random(n)
    upper, lower = stacks(n, grab, rng)
    assert [card for part in (*upper, *lower) for card in reversed(part)] == list(range(n - 1, -1, -1))
    assert len(upper) == len(lower)
    if n > 300 and grab in (13, 26):
        assert all(0.5 * grab <= len(part) <= 1.5 * grab for part in (*upper, *lower))
        assert abs(sum(map(len, upper)) - n / 2) <= grab / 5 + 0.5
    for model in (Plug(grab), Restack(grab, 3), Ladder(grab, 2)):
        assert sorted(model(n, rng)) == list(range(n))


@pytest.mark.parametrize("sizes", [(1, 1), (1, 2), (2, 2), (3, 1), (2, 0)])
def test_two_grabs_fall_together_with_the_chances_of_the_dealer(sizes):
    """Told forwards: either grab begins; after each card the other one drops next with chance 4/5, if it has cards."""

    def ways(left, side):
        if left == (0, 0):
            return {(): Fraction(1)}
        side = side if left[side] else 1 - side
        rest = (left[0] - (side == 0), left[1] - (side == 1))
        found = Counter()
        for next_, chance in ((side, Fraction(1, 5)), (1 - side, Fraction(4, 5))):
            for tail, tail_chance in ways(rest, next_).items():
                found[(side, *tail)] += chance * tail_chance
        return found

    n = sum(sizes)
    expected = Counter()
    for side in (0, 1):
        for sides, chance in ways(sizes, side).items():
            cards = iter(range(sizes[0])), iter(range(sizes[0], n))
            expected[tuple([next(cards[at]) for at in sides])] += chance / 2
    assert law(lambda _, rng: laced(range(sizes[0]), range(sizes[0], n), rng), n, cells=5) == expected


def test_the_procedures_move_the_parts_of_a_pack_as_their_steps_say():
    """Of 312 cards, with no luck but the sizes: which sixths of the pack come to lie where."""

    def parts(model, places):
        return {card // 52 for seed in range(20) for card in np.array(model(312, Random(seed)))[places]}

    # The first grabs are the tops of the stacks, the upper and the lower half; they lie lowest.
    assert {5, 2} <= parts(Restack(26, 2), slice(0, 26)) <= {5, 2, 3}
    assert {3, 0} <= parts(Restack(26, 2), slice(-26, None)) <= {3, 0, 2}
    # What lies deep in the new pack of a ladder is from the tops of the stacks; the last grabs lie on top.
    assert {5, 2} <= parts(Ladder(13, 2), slice(0, 8)) <= {5, 2, 3}
    assert {3, 0} <= parts(Ladder(13, 2), slice(-26, None))
    # The plug stays together, in its order, and so do the discards around it.
    for seed in range(9):
        deck = Plug(52)(312, Random(seed))
        at = deck.index(260)
        assert deck[at : at + 52] == list(range(260, 312))
        assert deck[:at] + deck[at + 52 :] == list(range(260))
    assert law(Plug(9), 3) == dict.fromkeys([(2, 0, 1), (0, 2, 1), (0, 1, 2)], Fraction(1, 3))


def test_a_procedure_of_a_shoe_refuses_one_deck(refused):
    assert f"shoe-ladder needs {FEWEST} cards or more; the deck has 52" in refused("mix", "shoe-ladder")
    assert isinstance(find("shoe-ladder").shuffle, Recipe)


@pytest.mark.parametrize("machine", [ContinuousShuffler(), ContinuousShuffler(19, 6, 40), ContinuousShuffler(3, 20, 1)])
@pytest.mark.parametrize("n", [1, 5, 52, 208])
def test_what_lies_ready_comes_next_and_no_discard_before_it(machine, n):
    for before, after in pairwise(islice(machine.stream(n, Random(n)), 30)):
        assert sorted(after) == list(range(n))
        came, left = before[::-1][: machine.dealt], before[::-1][machine.dealt :]
        ready = min(machine.ready, len(left))
        assert after[::-1][:ready] == left[:ready]
        assert not set(came) & set(after[::-1][:ready])


@pytest.mark.parametrize("compartments", [1, 2, 3])
def test_two_cards_in_a_continuous_shuffler_counted(compartments):
    """A card comes twice in a row if the other lies in a compartment, and not in the same one that comes first.

    At first both lie in one compartment with chance 1/c: then the other is ready. Else it waits, and the discard must
    go elsewhere and come out first: (1 - 1/c) (1 - 1/c) / 2.
    """
    decks = law(ContinuousShuffler(compartments, 1, 0), 2, decks=2)
    again = sum(chance for (one, two), chance in decks.items() if one[-1] == two[-1])
    assert again == (1 - Fraction(1, compartments)) ** 2 / 2
    first = Counter()
    for (one, _), chance in decks.items():
        first[one] += chance
    assert set(first.values()) == {Fraction(1, 2)}


# What a player gains


def test_a_gain_is_what_bets_by_predictions_win():
    came = np.array([[3.0, -1.0], [0.0, 2.0]])
    flat = floor.gain(np.zeros((2, 2)), came, 0.5)
    assert flat.per_hundred == pytest.approx(100 * 0.005 * ((3 - 1 + 0 + 2) / 4 / 0.5 - 1))
    knows = floor.gain(came, came, 0.5)
    # Eight units at true counts of 6 and 4, one unit at -2 and 0.
    assert knows.per_hundred == pytest.approx(100 * 0.005 * (8 * 5 + 8 * 3 - 3 - 1) / 4)
    assert (knows.predictable, flat.predictable) == (1, 0)


def test_a_tracker_gains_nothing_from_a_fair_shoe_and_all_from_an_unshuffled_one(monkeypatch):
    monkeypatch.setattr(floor, "SHOES", 300)
    monkeypatch.setattr(floor, "MAPS", 300)
    fair = floor.tracked(Recipe(recipe_steps("fisher-yates")), 312)
    assert fair.predictable < 0.01
    assert abs(fair.per_hundred + 0.5) < 5 * fair.error + 0.01
    kept = floor.tracked(
        floor.passes("plug + pile(1)*2 + cut"), 312
    )  # left as it was, but two half decks are not known
    assert kept.predictable == pytest.approx(1 - 1 / 12, abs=0.02)
    assert kept.per_hundred > 5


def test_the_page_has_what_the_program_says():
    page = floor.PAGE.read_text(encoding="utf-8")
    for text in floor.TEXT.split("{"):
        assert text.partition("}")[2].strip() in page
