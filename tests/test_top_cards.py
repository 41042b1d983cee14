"""The law of the top cards after riffles: by formula, by going through all riffles, and by sampled decks."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import perm, sqrt
from random import Random
from statistics import fmean, pstdev

import pytest

import fairdeck
from fairdeck.errors import FairdeckError
from fairdeck.shuffles import recipe_steps
from fairdeck.shuffles.repeated_cards import RepeatedCards, pattern_theory
from fairdeck.shuffles.riffle import Riffle, gsr_riffles
from fairdeck.shuffles.top_cards import known, top_cards


@cache
def riffled(cards, times):
    """Return the law of a deck, top first, after riffles, each done forwards: cut, then let the parts fall together."""
    law = {tuple(range(cards)): Fraction(1)}
    for _ in range(times):
        after = Counter()
        for deck, chance in law.items():
            for upper in product((True, False), repeat=cards):
                cut = sum(upper)
                one, other = iter(deck[:cut]), iter(deck[cut:])
                after[tuple(next(one if each else other) for each in upper)] += chance / 2**cards
        law = after
    return law


def away(law, outcomes):
    return float(sum(max(Fraction(0), chance - Fraction(1, outcomes)) for chance in law.values()))


@pytest.mark.parametrize("cards", [2, 3, 4, 5, pytest.param(6, marks=pytest.mark.long)])
@pytest.mark.parametrize("times", [1, 2, pytest.param(3, marks=pytest.mark.long)])
def test_the_law_is_that_of_all_riffles_done_forwards(cards, times):
    law = riffled(cards, times)
    for seen in range(1, cards + 1):
        top = Counter()
        for deck, chance in law.items():
            top[deck[:seen]] += chance
        assert top_cards(cards, seen, 2**times).total_variation == pytest.approx(
            away(top, perm(cards, seen)), abs=1e-12
        )


@pytest.mark.parametrize(
    ("cards", "times", "found"),
    [
        (52, 7, {1: 0.0042, 2: 0.0122, 3: 0.0231, 5: 0.0496, 23: 0.2210, 26: 0.2406, 52: 0.3341}),
        *[(52, times, {5: far}) for times, far in enumerate((0.7921, 0.4509, 0.2204, 0.1038, 0.0496, 0.0242), 3)],
        *[(60, times, {7: far}) for times, far in enumerate((0.3407, 0.1670, 0.0805), 5)],
    ],
)
def test_the_law_has_the_values_of_an_independent_program(cards, times, found):
    """Sums of fractions over the multisets of gaps, by another program."""
    for seen, far in found.items():
        assert top_cards(cards, seen, 2**times).total_variation == pytest.approx(far, abs=5e-5)


@pytest.mark.parametrize(("cards", "times"), [(1, 3), (20, 3), (52, 4), (52, 9), (170, 9)])
def test_all_cards_or_all_but_one_are_the_whole_deck_and_fewer_are_never_further(cards, times):
    whole = float(gsr_riffles(cards, times).total_variation)
    seen = sorted({1, min(2, cards), max(1, cards - 1), cards})
    found = [law.total_variation if (law := top_cards(cards, top, 2**times)) else 0.0 for top in seen]
    assert found == sorted(found)
    assert found[-2:] == pytest.approx([whole] * len(found[-2:]), abs=1e-9)


def ratio(top, cards, a):
    """Return the chance of what is seen over the fair one: a sum over the packets from which the seen cards came."""
    places = sorted(range(len(top)), key=top.__getitem__)
    ways, last, place = {0: 1}, -1, -1
    for at in places:
        gap = top[at] - last - 1
        # A card comes from a later packet than the one above it in the old deck, if it lies above it or if others were
        # between them; these others are of its packets or of those between.
        least = 0 if last < 0 or (gap == 0 and at > place) else 1
        ways = {
            packet: sum(
                number * (packet - before) ** gap for before, number in ways.items() if packet - before >= least
            )
            for packet in range(a)
        }
        last, place = top[at], at
    rest, number, free = cards - 1 - last, 0, cards - len(top)
    number = sum(each * (a - packet) ** rest for packet, each in ways.items())
    gaps = [high - low - 1 for low, high in zip([-1, *sorted(top)], [*sorted(top), cards], strict=True)]
    orders = perm(free, free)
    for gap in gaps:
        orders //= perm(gap, gap)
    return float(Fraction(number * orders * perm(cards, len(top)), a**cards))


@pytest.mark.parametrize(("cards", "seen", "times"), [(20, 3, 3), (52, 5, 5), (40, 9, 5)])
def test_riffled_decks_are_as_far_from_fair_ones_as_the_law_says(cards, seen, times):
    """Bets on what is likelier than fair, chosen by sums over packets: 6 errors, one run of 10^8 is further off."""
    rng, far, decks = Random(40), top_cards(cards, seen, 2**times).total_variation, 600
    riffle = Riffle(2**times)
    tops = [[cards - 1 - card for card in riffle(cards, rng)[: -seen - 1 : -1]] for _ in range(decks)]
    wins = [ratio(top, cards, 2**times) > 1 for top in tops]
    fair = [ratio(rng.sample(range(cards), seen), cards, 2**times) for _ in range(decks)]
    short = [max(0.0, 1 - each) for each in fair]
    assert abs(fmean(short) - far) < 6 * pstdev(short) / sqrt(decks)
    gain = fmean(wins) - fmean(each > 1 for each in fair)
    assert abs(gain - far) < 6 * sqrt(0.5 / decks)


def test_a_law_that_takes_long_is_not_looked_up():
    assert top_cards(104, 10, 128) is None
    assert all(known(cards, seen) for cards, seen in ((52, 10), (60, 7), (104, 3)))
    assert not any(known(cards, seen) for cards, seen in ((104, 4), (171, 1), (5, 6)))
    assert top_cards(52, 5, 2**100) is None, "smaller than the rounding errors"


@pytest.mark.parametrize("like", ["2,3", "1,1,3", "4,1"])
@pytest.mark.parametrize("seen", [1, 2, 4])
def test_bounds_for_equal_cards_are_never_below_the_truth(like, seen, monkeypatch):
    found, steps = RepeatedCards.parse(like, 5, f"top:{seen}"), recipe_steps("riffle*2")
    kinds, top, fair = found.kinds[::-1], Counter(), Counter()
    for deck, chance in riffled(5, 2).items():
        top[tuple(kinds[card] for card in deck[:seen])] += chance
    for deck in permutations(range(5)):
        fair[tuple(kinds[card] for card in deck[:seen])] += Fraction(1, 120)
    truth = sum(max(0, top[each] - share) for each, share in fair.items())
    assert fairdeck.mix("riffle*2", 5, like=like, seen=f"top:{seen}").total_variation == truth
    monkeypatch.setattr("fairdeck.shuffles.repeated_cards.MOST_SEEN", 1)
    assert pattern_theory(steps, found).law is None
    assert truth <= pattern_theory(steps, found).at_most <= gsr_riffles(5, 2).total_variation


def test_mix_tells_what_is_seen(run):
    _, out, _ = run("mix", "riffle*7", "--seen", "top:5")
    assert out.startswith("52 cards after riffle*7, by top:5: total variation 0.0496, exactly;")
    _, out, _ = run("mix", "riffle*7", "--seen", "top:5", "--like", "ranks", "--decks", "0")
    assert "total variation at most 0.0496; fairdeck knows no exact law." in out
    found = fairdeck.mix("overhand*10", 52, seen="top:5", decks=4_000, seed=1)
    assert len(found.lower_bounds) == 3
    assert 0.4 < found.at_least <= found.at_most == 1


@pytest.mark.parametrize("seen", ["top:0", "top:53", "five", "top", "set:5", "top:x"])
def test_what_cannot_be_seen_is_refused(seen):
    with pytest.raises(FairdeckError, match=r"^seen: "):
        fairdeck.mix("riffle", 52, seen=seen)
    with pytest.raises(FairdeckError, match="leave out one"):
        fairdeck.mix("riffle", like="duplicates", seen="top:5")
