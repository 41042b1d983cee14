"""Your own riffle: the laws of interleavings by enumeration, the fit by its coverage, the command as people type it."""

import csv
import json
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, groupby, pairwise, permutations, product
from math import comb, exp, log, log2
from pathlib import Path
from random import Random

import numpy as np
import pytest
from bench.hands import PEOPLE, true_number
from scipy.stats import binom, chi2, nbinom

from fairdeck.advice import advise
from fairdeck.bulk import hand_shuffles
from fairdeck.errors import FairdeckError
from fairdeck.lab.experiments import your_hands
from fairdeck.lab.experiments.real_riffles import MODELS, SHIPPED, Rows, gains, people
from fairdeck.lab.experiments.your_hands import MOST_RIFFLES, Needed, cut_of, needed, recipe
from fairdeck.show.terminal import lines
from fairdeck.shuffles import find
from fairdeck.shuffles.hand_riffle import NeatRiffle
from fairdeck.shuffles.interleavings import (
    BELOW,
    LEVEL,
    LONG,
    NAMED,
    SHARES,
    UNNAMED,
    VARYING,
    Fit,
    Interleaving,
    between,
    chi_square_tail,
    cut_tails,
    differ,
    ends_law,
    ends_that_stay,
    entropy,
    entropy_wanted,
    fewest_by_entropy,
    in_place,
    in_place_law,
    likeliest,
    log_likelihood,
    long_runs_law,
    nearer_ideal,
    read,
    runs_law,
    varying_likelihood,
    worth,
)
from fairdeck.shuffles.mine import Hands, written_out
from fairdeck.shuffles.riffle import gsr_riffles, rising_law, usual_riffles
from tests.test_shuffle_laws import order_chance

SIZES = [*product(range(1, 6), repeat=2), (9, 2), (3, 10)]
FALSE_ALARM = 1e-6


def interleavings(a, b):
    for places in combinations(range(a + b), a):
        yield tuple(0 if place in places else 1 for place in range(a + b))


def lengths(packets):
    return [len(list(run)) for _, run in groupby(packets)]


def riffles(neatness, n, count, rng, cut=0.5):
    """Return interleavings of the plain model, both packets of which are mixed."""
    found = []
    while len(found) < count:
        deck = NeatRiffle(neatness, cut)(n, rng)
        riffle = between(list(map(str, range(n)))[::-1], [str(card) for card in reversed(deck)])
        if isinstance(riffle, Interleaving):
            found.append(riffle)
    return tuple(found)


@pytest.mark.parametrize(("a", "b"), SIZES)
def test_the_laws_of_runs_and_of_long_runs_are_those_of_all_interleavings(a, b):
    runs = Counter(len(lengths(each)) for each in interleavings(a, b))
    long = Counter(sum(max(0, run - LONG) for run in lengths(each)) for each in interleavings(a, b))
    every = comb(a + b, a)
    assert runs_law(a, b) == {value: Fraction(count, every) for value, count in sorted(runs.items())}
    assert long_runs_law(a, b) == pytest.approx([long[beyond] / every for beyond in range(max(long) + 1)])


@pytest.mark.parametrize(("a", "b"), SIZES)
def test_the_laws_of_the_ends_are_those_of_all_interleavings(a, b):
    every = list(interleavings(a, b))  # packet 0, of a cards, lay below
    for count, law in ((in_place, in_place_law), (ends_that_stay, ends_law)):
        seen = Counter(count(each, 0) for each in every)
        assert law(a, b) == pytest.approx([seen[value] / len(every) for value in range(len(law(a, b)))])


@pytest.mark.parametrize("count", [in_place, ends_that_stay])
def test_the_ends_of_several_riffles_are_counted_together(count):
    sizes = [(2, 2), (3, 1), (1, 2)]
    for taken in product(*(interleavings(*each) for each in sizes)):
        fit = Fit(tuple(Interleaving(each) for each in taken))
        found = fit.in_place if count is in_place else fit.stayed
        assert found[0] == sum(count(each, 0) for each in taken)
        others = product(*(interleavings(*each) for each in sizes))
        as_many = [sum(count(each, 0) for each in other) >= found[0] for other in others]
        assert found[1] == pytest.approx(sum(as_many) / len(as_many))


@pytest.mark.parametrize("n", [3, 5, 8])
def test_over_all_cuts_the_cards_in_place_are_zeros_before_two_ones_of_coins_and_the_ends_are_coins(n):
    every = [packets for packets in product((0, 1), repeat=n) if list(packets) != sorted(packets)]
    for seen in range(n - 1):  # what changes nothing has n in place: as if there were more coins
        as_many = sum(in_place(each, 0) >= seen for each in every) + n + 1
        assert as_many / 2**n == pytest.approx(nbinom.sf(seen - 1, 2, 0.5))
    stay = Counter(ends_that_stay(each, 0) for each in product((0, 1), repeat=n))
    assert [stay[each] / 2**n for each in range(3)] == pytest.approx(binom.pmf(range(3), 2, 0.5))


def test_the_tails_of_cuts_are_those_of_all_cuts():
    n, chances = 5, [comb(5, cut) / 32 for cut in range(6)]
    far = {cut: (abs(2 * cut - n) // 2) ** 2 for cut in range(6)}
    for taken in product(range(6), repeat=2):
        seen = sum(map(far.get, taken))
        near, off = (
            sum(chances[a] * chances[b] for a, b in product(range(6), repeat=2) if so(far[a] + far[b]))
            for so in (seen.__ge__, seen.__le__)
        )
        assert cut_tails([(cut, n) for cut in taken]) == pytest.approx((near, off))


@pytest.mark.parametrize("degrees", [1, 2, 5, 8])
def test_the_tail_of_chi_square_is_that_of_scipy(degrees):
    for value in (0.0, 0.3, 5.0, 40.0):
        assert chi_square_tail(value, degrees) == pytest.approx(chi2.sf(value, degrees), rel=1e-9)


def hands_law(n, model):
    """Return the chance of each deck: the neatness integrated, and the ends laid around what is riffled."""
    inside, nodes = n - model.top - model.bottom, [at / 10 for at in range(-50, 51)]
    weights = [exp(-node * node / 2) for node in nodes]
    found = Counter()
    for node, weight in zip(nodes, weights, strict=True) if model.varying else [(0, sum(weights))]:
        for deck, chance in law(inside, model.neatness * exp(model.varying * node), model.cut).items():
            moved = (*range(model.bottom), *(card + model.bottom for card in deck), *range(n - model.top, n))
            found[moved] += float(chance) * weight / sum(weights)
    return found


def law(n, neatness, cut):
    """Return the exact chance of each deck after a riffle of this neatness: the definition, followed card by card."""
    found = Counter()
    for middle in range(n + 1):
        start = Fraction(comb(n, middle)) * cut**middle * (1 - cut) ** (n - middle)
        for side, chance in ((0, Fraction(middle, n)), (1, Fraction(n - middle, n))):
            fall([], [0, middle], [middle, n], side, start * chance, neatness, found)
    return found


def fall(deck, at, ends, side, chance, neatness, found):
    if not chance:
        return
    deck, at = [*deck, at[side]], [at[0] + (side == 0), at[1] + (side == 1)]
    left = [ends[0] - at[0], ends[1] - at[1]]
    if not any(left):
        found[tuple(deck)] += chance
        return
    own, other = left[side], neatness * left[1 - side]
    fall(deck, at, ends, side, chance * own / (own + other), neatness, found)
    fall(deck, at, ends, 1 - side, chance * other / (own + other), neatness, found)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_neatness_1_is_the_ideal_riffle_exactly(n):
    exact = law(n, Fraction(1), Fraction(1, 2))
    assert sum(exact.values()) == 1
    assert exact == {deck: chance for deck in permutations(range(n)) if (chance := order_chance(deck, 2))}


@pytest.mark.cases(3)
@pytest.mark.parametrize(
    "model",
    [
        NeatRiffle(2.5),
        NeatRiffle(0.25, 1 / 3),
        NeatRiffle(0.6, varying=1.5),
        NeatRiffle(3.0, 0.4, top=1),
        NeatRiffle(0.5, varying=0.8, top=1, bottom=1),
    ],
)
def test_the_plain_model_and_the_kernel_have_the_law_of_the_definition(model):
    n, decks = 5, 40_000
    exact, rng = hands_law(n, model), Random(8)
    plain = Counter(tuple(model(n, rng)) for _ in range(decks))
    name = ", ".join(f"{field}={getattr(model, field)!r}" for field in model.__dataclass_fields__)
    assert find(f"riffle({name})").shuffle == model
    fast = hand_shuffles.made(hand_shuffles.program(f"riffle({name})", n), n, 5, 3, decks).rows
    ideal = law(n, Fraction(1), Fraction(1, 2))
    for counts in (plain, Counter(map(tuple, fast.tolist()))):
        assert counts.keys() <= exact.keys()
        misfit = sum((counts[deck] - decks * chance) ** 2 / (decks * chance) for deck, chance in exact.items())
        assert misfit < chi2.isf(FALSE_ALARM, len(exact) - 1)
        wrong = sum((counts[deck] - decks * chance) ** 2 / (decks * chance) for deck, chance in ideal.items())
        assert float(wrong) > chi2.isf(FALSE_ALARM, len(ideal) - 1)  # the alarm is heard


def test_all_cards_may_stay():
    for top, bottom in [(5, 0), (3, 3), (0, 900)]:
        assert list(NeatRiffle(1.0, top=top, bottom=bottom)(5, Random(1))) == [0, 1, 2, 3, 4]
        steps = hand_shuffles.program(f"riffle(top={top}, bottom={bottom})", 5)
        assert hand_shuffles.made(steps, 5, 1, 0, 3).rows.tolist() == [[0, 1, 2, 3, 4]] * 3


def test_the_likelihood_of_riffles_that_vary_is_an_integral():
    made = riffles(0.5, 20, 2, Random(1))
    nodes = [at / 50 for at in range(-300, 301)]
    expected = 0.0
    for riffle in made:
        chances = [exp(log_likelihood(riffle.choices, 0.2 + VARYING * node) - node**2 / 2) for node in nodes]
        expected += log(sum(chances) / sum(exp(-(node**2) / 2) for node in nodes))
    assert varying_likelihood(made, 0.2, VARYING) == pytest.approx(expected, abs=1e-4)


def test_the_likelihood_is_the_chance_of_the_interleaving():
    for packets in interleavings(3, 2):
        riffle = Interleaving(packets)
        first = Fraction(packets.count(packets[0]), 5)
        for neatness in (Fraction(1, 3), Fraction(1), Fraction(4)):
            found = Counter()
            for side, chance in ((0, Fraction(3, 5)), (1, Fraction(2, 5))):
                fall([], [0, 3], [3, 5], side, chance, neatness, found)
            deck, at = [], [0, 3]
            for packet in packets:
                deck.append(at[packet])
                at[packet] += 1
            expected = float(found[tuple(deck)] / first)
            assert log_likelihood(riffle.choices, log(neatness)) == pytest.approx(log(expected), abs=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("neatness", [0.3, 1.0, 3.0])
def test_the_interval_holds_the_median_neatness_and_the_model_is_rarely_called_wrong(neatness):
    rng, held, wrong, sets = Random(11), 0, 0, 300
    for _ in range(sets):
        fit = Fit(sum((riffles(neatness * exp(rng.gauss(0, VARYING)), 52, 1, rng) for _ in range(3)), ()))
        low, high = fit.interval
        assert low <= fit.neatness <= high
        held += low <= neatness <= high
        wrong += "one neatness" in fit.rejected
    # 285 of 300 are expected to hold it, and 3 to be called wrong: binomial, both limits with chance 1e-6.
    assert held >= 264
    assert wrong <= 17


def person(rng, count, cards=52, tau=0.0, kept=0, known=BELOW):
    """Return riffles of a person: the log of the neatness varies by tau, `kept` cards at either end never move."""
    made = (riffles(exp(rng.gauss(0, tau)), cards - 2 * kept, 1, rng)[0] for _ in range(count))
    return Fit(tuple(Interleaving((0,) * kept + each.packets + (1,) * kept, known) for each in made))


@pytest.mark.long
@pytest.mark.parametrize(("count", "cards"), [(3, 20), (5, 52)])
def test_ideal_hands_fail_any_check_as_rarely_as_it_is_said(count, cards):
    """Of 1,500 people, 15 are expected to; more than 37 with chance 1e-6."""
    rng = Random(5)
    failed = sum(not person(rng, count, cards, known=(BELOW, NAMED)[each % 2]).fits for each in range(1_500))
    assert failed <= binom.isf(FALSE_ALARM, 1_500, LEVEL)


@pytest.mark.parametrize(("known", "count", "kept"), [(BELOW, 3, 5), (BELOW, 5, 3), (BELOW, 5, 1), (NAMED, 6, 1)])
def test_whoever_keeps_the_ends_is_noticed_even_one_card_from_five_riffles_on(known, count, kept):
    rng = Random(8)
    for _ in range(10):
        fit = person(rng, count, kept=kept, known=known)
        assert min(fit.checks[name] for name in your_hands.ENDS) <= SHARES["ends that stay"] / 1000
        assert set(your_hands.ENDS) & set(fit.rejected)


def test_three_riffles_cannot_tell_that_an_end_card_always_stays():
    assert person(Random(8), 3, kept=1).checks["ends that stay"] > LEVEL


def test_colours_show_that_end_cards_always_stay_from_six_riffles_on():
    five, six = (person(Random(8), count, kept=1, known=NAMED).checks["ends that stay"] for count in (5, 6))
    assert six <= SHARES["ends that stay"] / 1000 < five
    assert "With colours it takes six riffles to notice" in Path("docs/tutorials/your-riffle.md").read_text()


def test_riffles_that_differ_are_not_of_one_kind():
    rng = Random(4)
    for _ in range(10):
        clumsy, neat = riffles(0.21, 52, 3, rng), riffles(1.9, 52, 3, rng)
        assert "variation" in Fit(clumsy + neat).rejected


def test_cuts_by_hand_that_are_steadier_than_ideal_ones_or_to_one_side_are_named():
    rng, made = Random(6), []
    while len(made) < 8:  # a cut of 23 to 25 of 48, else ideal
        (one,) = riffles(1.0, 48, 1, rng)
        made += [one] * (abs(one.packets.count(0) - 24) <= 1)
    fit = Fit(tuple(made))
    assert fit.rejected == ("cut",)
    assert your_hands.finding(fit, "cut") == "the cuts are too steady"
    low = Fit(tuple(Interleaving((1,) * 31 + (0,) * 21) for _ in range(6)))
    assert your_hands.finding(low, "cut") == "the cuts are mostly to one side"
    colours = Fit(tuple(Interleaving(tuple(rng.sample([0, 1] * 26, 52)), NAMED) for _ in range(5)))
    assert colours.checks["cut"] == 1, "halves that were parted by colour are no cut"
    assert "cut" in Fit((read("LRRR" * 13),) * 2).rejected


def test_hands_of_two_habits_are_called_so():
    # One hand drops one card at a time, the other three.
    fit = Fit(tuple(read("1 3 " * 12 + "1 3") for _ in range(3)))
    assert "one neatness" in fit.rejected
    assert min(fit.misfits, key=fit.misfits.get) == "one packet drops longer runs than the other"
    # Neat at the beginning, in one clump at the end.
    fit = Fit(tuple(read("10 10 " + "1 1 " * 16) for _ in range(3)))
    assert "one neatness" in fit.rejected
    assert fit.misfits["the riffle ends less neatly than it begins, or the other way round"] < 0.001


def test_extreme_hands_have_an_end_of_the_interval_only():
    neat = Fit((read("LR" * 26),))
    assert neat.neatness == neat.interval[1] == pytest.approx(1000)
    assert neat.interval[0] > 10
    clumsy = Fit((read("26 26"),))
    assert clumsy.neatness == pytest.approx(0.001)
    assert differ(neat.choices, clumsy.choices) < 1e-6
    assert differ(neat.choices, ()) == 1
    assert likeliest(()) == 1


@pytest.mark.parametrize(("neatness", "cut"), [(Fraction(1), Fraction(1, 2)), (Fraction(5), Fraction(1, 3))])
def test_the_entropy_is_that_of_all_cuts_and_choices(neatness, cut):
    n, ways = 5, []

    def falls(at, side, chance):
        """Collect the chance of every cut and every sequence of packets."""
        at = [at[0] - (side == 0), at[1] - (side == 1)]
        if not any(at):
            ways.append(chance)
            return
        own, other = at[side], neatness * at[1 - side]
        for to, weight in ((side, own), (1 - side, other)):
            if weight:
                falls(at, to, chance * weight / (own + other))

    for lower in range(n + 1):
        start = comb(n, lower) * cut**lower * (1 - cut) ** (n - lower)
        for side, left in ((0, lower), (1, n - lower)):
            if left:
                falls([lower, n - lower], side, start * Fraction(left, n))
    assert sum(ways) == 1
    bits = -sum(float(p) * log2(p) for p in ways)
    assert entropy(n, float(neatness), float(cut)) == pytest.approx(bits, abs=1e-12)
    orders = law(n, neatness, cut)
    assert bits >= -sum(float(p) * log2(p) for p in orders.values() if p)


def test_the_bound_by_entropy_holds_for_exact_laws():
    """For every neatness the exact law of one riffle is as far from uniform as its entropy says, or further."""
    n = 5
    for neatness in (Fraction(1, 20), Fraction(1), Fraction(20)):
        far = sum(abs(p - Fraction(1, 120)) for p in law(n, neatness, Fraction(1, 2)).values())
        far = float(far + Fraction(120 - len(law(n, neatness, Fraction(1, 2))), 120)) / 2
        assert entropy(n, float(neatness)) >= entropy_wanted(n, far) - 1e-12


def test_perfect_riffles_are_told_that_they_bring_no_chance(hands):
    code, out, err = hands("hands", "RB" * 26, "RB" * 26, "--seed", "1", "--keep")
    assert (code, err) == (0, "")
    assert out.startswith("Your riffles are not ideal ones: cards fall too evenly, nearly one by one (p-value ")
    low = Fit((read("RB" * 26),) * 2).interval[0]
    least = fewest_by_entropy(52, entropy(52, nearer_ideal(low)), float(gsr_riffles(52, 10).total_variation))
    assert f"bring 52 cards within 0.05 of random: riffle at least {least} times" in out
    assert least > 10
    assert hands("mix", "riffle(mine)*3", "--decks", "0")[0] == 0
    nearly = "RB" * 12 + "BR" * 14
    fit = Fit((read(nearly),) * 8)
    fewest = fewest_by_entropy(
        52, entropy(52, nearer_ideal(fit.interval[0])), float(gsr_riffles(52, 10).total_variation)
    )
    code, out, _ = hands("hands", *[nearly] * 8, "--seed", "1", "--json")
    found = json.loads(out)
    assert (found["yours"], found["at_least"]) == (None, fewest)
    assert fewest > 10


def test_a_riffle_is_read_off_two_orders_by_all_orders_of_five_cards():
    before, found = "ABCDE", Counter()
    for after in permutations(before):
        riffle = between(before, after)
        if isinstance(riffle, Interleaving):
            found["one riffle"] += 1
            upper = [card for card, packet in zip(reversed(after), riffle.packets, strict=True) if packet]
            lower = [card for card, packet in zip(reversed(after), riffle.packets, strict=True) if not packet]
            assert "".join([*reversed(upper), *reversed(lower)]) == before
        else:
            found[riffle] += 1
    # Eulerian numbers.
    assert found == {1: 1, "one riffle": 26, 3: 66, 4: 26, 5: 1}


def test_what_an_order_is_worth_is_the_likeliest_number_of_riffles():
    for n, rising in [(10, 2), (10, 4), (52, 9), (52, 20)]:
        chances = {k: rising_law(n, 2**k)[rising - 1] for k in range(1, 31)}
        best, least, most = worth(n, rising)
        assert chances[best] == max(chances.values())
        assert least <= best <= most


def hands_of(neatness, n=52, count=4):
    return Fit(riffles(neatness, n, count, Random(3)))


@pytest.mark.long
def test_clumsy_hands_need_more_and_neat_hands_are_not_promised_fewer():
    clumsy, ideal, neat = (needed(hands_of(each), 52, decks=20_000) for each in (0.3, 1.0, 3.0))
    assert clumsy.ideal == ideal.ideal == neat.ideal == 10
    assert clumsy.at_least >= 11
    assert (clumsy.mended, neat.mended, ideal.mended_most) == (f"({clumsy.recipe} + strip)", None, None)
    assert clumsy.yours is clumsy.at_most is neat.yours is None, "a check fails"
    assert ideal.yours in (10, 11)
    assert ideal.at_least == 10
    assert neat.at_least >= 10
    assert clumsy.recipe == recipe(hands_of(0.3).neatness, varying=VARYING)


@pytest.mark.parametrize("cards", [20, 40, 52, 60])
def test_advise_and_hands_name_the_same_number_of_ideal_riffles(cards):
    (riffled,) = (way for way in advise(cards).ranked if way.way.startswith("riffle it "))
    assert f"riffle it {usual_riffles(cards)} times" in riffled.way


def no_check_fails():
    fit = person(Random(2), 5, cards=20)
    assert fit.fits
    assert None not in fit.checks.values()
    return fit


CHECKS = list(no_check_fails().checks)
FAILING = [(name,) for name in CHECKS] + list(combinations(CHECKS, 2))


@pytest.mark.parametrize("failing", FAILING, ids=" and ".join)
def test_no_headline_and_no_number_outlives_a_check_that_fails(failing, monkeypatch):
    """Each check and each pair is made to fail, whatever the riffles: headline, rows and JSON all follow."""
    monkeypatch.setattr(your_hands, "_fewest", lambda *_: 11)
    fit = no_check_fails()
    before = your_hands.headline(fit, needed(fit, 20))
    assert before.startswith("As far as 5 riffles tell, 20 cards need 8 to 11 of yours to come within 0.05 of random")
    fit.__dict__["checks"] = fit.checks | dict.fromkeys(failing, 1e-6)
    answer = needed(fit, 20)
    told = list(lines(your_hands.document(fit, answer, None)))
    assert told[0].startswith("Your riffles are not ideal ones: ")
    assert all(your_hands.finding(fit, name) in told[0] for name in failing)
    assert "Nobody knows how many of them bring 20 cards within 0.05 of random" in told[0]
    assert ("Cut the deck after every riffle" in told[0]) == bool(set(failing) & set(your_hands.ENDS))
    assert (answer.mended is None) == (answer.mended_most is None) == (" by simulation" not in told[0])
    assert any(line.startswith("needed     at least 8; no number is promised") for line in told)
    assert not any(line.startswith("again") for line in told)
    found = json.loads(your_hands.as_json(fit, answer))
    assert (found["fits"], found["yours"], found["at_most"]) == (False, None, None)
    assert sorted(found["rejected"]) == sorted(failing)
    for words in ("none failed", "cannot be told", "fits:"):
        assert words not in "\n".join(told)


def test_an_uneven_cut_is_part_of_the_riffle():
    even, uneven = (Fit((read(text),)) for text in ("LR" * 26, "LRRR" * 13))
    assert cut_of(even) == 0.5
    assert cut_of(uneven) == 0.25
    assert cut_of(Fit(even.riffles, (20, 24, 16))) == pytest.approx(0.41, abs=0.005)
    assert recipe(0.5, 0.25) == "riffle(cut=0.25, neatness=0.5)"


@pytest.mark.parametrize("cards", [16, 20, 52])
def test_ideal_cuts_of_few_cards_are_not_called_uneven_because_a_larger_deck_is_to_be_shuffled(cards):
    rng = Random(cards)
    fits = [Fit(tuple(riffles(1.0, cards, 5, rng))) for _ in range(100)]
    assert sum(cut_of(fit) != 0.5 for fit in fits) <= 12, "5 of 100, and three standard errors"


def test_no_cut_is_taken_from_three_cards_and_none_is_rounded_to_nothing():
    assert cut_of(Fit((read("RLR"),))) == 0.5
    cut = cut_of(Fit((read("RLRL" + "R" * 440),)))
    assert cut == 0.01
    assert fewest_by_entropy(60, entropy(60, 0.001, cut), 0.05) > MOST_RIFFLES


def test_the_recipe_of_the_hands_stands_for_mine():
    hands = Hands("riffle(neatness=0.5)", 3, 52, 13, fits=True)
    assert written_out("Riffle( mine )*3 + cut", hands) == "riffle(neatness=0.5)*3 + cut"
    assert written_out("riffle*3", None) == "riffle*3"
    with pytest.raises(FairdeckError, match="fairdeck hands"):
        written_out("riffle(mine)*3", None)


# --- the command

ONE = "RRBRBBBRRRRBBRBRRBBBBRBRRRBBRBBRRRRBBBBRRBRBRBBBRRBB"


@pytest.fixture
def hands(run, tmp_path, monkeypatch):
    """Call the command line with an empty configuration folder; return the exit code, what it printed, and errors."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return run


def test_the_report_begins_with_the_answer_and_riffles_are_kept(hands, tmp_path):
    code, out, _ = hands("hands", ONE, "3 2 1 4 2 5 1 1 6 3 2 1 2 4 1 2 3 1 2 4 2", "--cuts", "24", "27", "--keep")
    assert code == 0
    assert out.splitlines()[0].startswith("As far as 2 riffles tell (ends not checked), 52 cards need ")
    assert json.loads((tmp_path / "fairdeck" / "hands.json").read_text())["riffles"] == 2
    code, out, _ = hands("hands")
    assert code == 0
    assert "from 2 riffles of 52 cards" in out
    code, out, _ = hands("mix", "riffle(mine)*3", "--decks", "0")
    assert code == 0
    assert "riffle(neatness=" in out
    assert "Forgotten" in hands("hands", "--forget")[1]
    code, _, err = hands("mix", "riffle(mine)*3")
    assert code == 2
    assert "fairdeck hands" in err


def test_json_has_the_fit_and_the_answer(hands):
    code, out, _ = hands("hands", ONE, "--json", "--seed", "1", "--cards", "60")
    found = json.loads(out)
    assert code == 0
    assert found["cards"] == 60
    assert found["runs"] == len(found["riffles"][0])
    assert set(found) >= set(Needed.__dataclass_fields__)


def test_orders_of_a_deck_give_riffles_and_what_is_no_riffle_is_said(hands, tmp_path):
    rng, deck = Random(2), [f"c{card}" for card in range(30)]
    orders = [deck[::-1]]
    for times in (1, 1, 4):
        for _ in range(times):
            deck = [deck[card] for card in NeatRiffle(1.0)(30, rng)]
        orders.append(deck[::-1])  # from the top
    file = tmp_path / "orders.txt"
    file.write_text("\n".join(" ".join(order) for order in orders))
    code, out, _ = hands("hands", "--orders", str(file))
    assert code == 0
    assert out.startswith("from order 3 to 4:")
    assert "As far as 2 riffles tell, 30 cards need" in out.splitlines()[1]
    assert "because only 2 riffles were measured" in out
    assert "rising sequences" in out


def test_seven_real_riffles_get_no_number_because_they_differ(hands, tmp_path):
    """One person, a new deck of 52 cards, every order written down: its first line says from where."""
    rows = list(csv.DictReader(SHIPPED.read_text().splitlines()[1:]))
    assert all(one["after"] == then["before"] for one, then in pairwise(rows))
    file = tmp_path / "orders.txt"
    file.write_text("\n".join([rows[0]["before"], *(row["after"] for row in rows)]))
    code, out, _ = hands("hands", "--orders", str(file), "--seed", "1", "--keep")
    assert code == 0
    assert out.startswith(
        "Your riffles are not ideal ones: the riffles differ too much from each other (p-value 0.0001)"
    )
    assert "at least 10 times" in out.splitlines()[0]
    assert "52 cards need at least 10 of it, and a check failed." in hands("hands")[1]
    code, out, _ = hands("advise", "52")
    assert "riffle it" not in out.splitlines()[0], "no law of ideal riffles is given to these hands"
    fit = Fit(tuple(between(row["before"].split(), row["after"].split()) for row in rows))
    assert fit.checks["variation"] == pytest.approx(9.5e-5, rel=0.01)
    assert fit.in_place[0] == 19
    assert fit.stayed[0] == 6


def count_of(cards):
    return f"{cards} cards" if cards > 1 else "card"


@pytest.mark.parametrize(("kept", "count"), [(3, 5), (10, 3)])
def test_five_orders_whose_ends_never_move_are_told_to_cut(hands, tmp_path, kept, count):
    rng, deck = Random(kept), [str(card) for card in range(40)]
    orders = [deck]
    for _ in range(count):
        deck = list(deck)
        inside = deck[kept : 40 - kept]
        deck[kept : 40 - kept] = [inside[card] for card in NeatRiffle(1.0)(len(inside), rng)]
        orders.append(deck)
    file = tmp_path / "orders.txt"
    file.write_text("\n".join(" ".join(order) for order in orders))
    code, out, _ = hands("hands", "--orders", str(file), "--seed", "1")
    assert code == 0
    assert f"your top {count_of(kept)} and bottom {count_of(kept)} never moved" in out.splitlines()[0]
    assert re.search(
        r"Cut the deck after every riffle: by simulation, \d+ show no more of the old order than 10 ideal ones",
        out.splitlines()[0],
    )
    found = json.loads(hands("hands", "--orders", str(file), "--seed", "1", "--json")[1])
    assert found["yours"] is found["at_most"] is None
    assert "cards in place" in found["rejected"]


def test_lengths_of_runs_do_not_say_which_packet_lay_below_and_the_report_says_so(monkeypatch):
    monkeypatch.setattr(your_hands, "_fewest", lambda *_: 11)
    lengths = Fit((read("3 2 1 4 2 5"),) * 2)
    assert (lengths.known, lengths.checks["cards in place"], lengths.stayed) == (UNNAMED, None, None)
    facts = {
        fact.label: fact.text
        for fact in your_hands.document(lengths, needed(lengths, 17, decks=2_000), None).parts[0].facts
    }
    assert facts["ends"].startswith("not checked")


def test_a_spoilt_file_is_named(hands, tmp_path):
    (tmp_path / "fairdeck").mkdir()
    old = '{"recipe": "riffle", "riffles": 1, "cards": 52, "needed": 7}'
    for text in ("[]", "{", old, old.replace("riffle", "x")[:-1] + ', "fits": true}', "[" * 90_000):
        (tmp_path / "fairdeck" / "hands.json").write_text(text)
        code, _, err = hands("mix", "riffle(mine)")
        assert code == 2
        assert "hands.json" in err
        assert err.count("\n") == 1


# --- real riffles, and simulated people

TELLING = [name for name in PEOPLE if not re.search(r"ideal|cuts|varies|0\.7|1\.8|80 %", name)]


@pytest.mark.long
@pytest.mark.parametrize("name", TELLING)
def test_four_riffles_tell_what_is_wrong_in_95_of_100_people(name):
    rng = np.random.default_rng(3)
    assert sum(not Fit(PEOPLE[name].riffles(rng, 4)).fits for _ in range(100)) >= 95


def test_ideal_hands_are_called_wrong_in_2_of_100_at_most():
    rng = np.random.default_rng(3)
    assert sum(not Fit(PEOPLE["ideal"].riffles(rng, 4)).fits for _ in range(100)) <= 2


@pytest.mark.long
@pytest.mark.parametrize("name", ["ideal", "neatness 0.7", "neatness varies by 0.54", "cuts at 40 %"])
def test_a_number_to_be_safe_is_never_below_the_true_one(name):
    rng, true = np.random.default_rng(4), true_number(PEOPLE[name])
    for _ in range(5):
        answer = needed(Fit(PEOPLE[name].riffles(rng, 4)), 52)
        assert answer.at_most is None or answer.at_most >= true
        assert answer.at_least >= answer.ideal == 10


def test_models_are_judged_on_riffles_that_they_were_not_fitted_to():
    """The figures are those of another program, with 21 nodes of Gauss and Hermite."""
    (person,) = people(SHIPPED.read_text(), "riffles.csv")
    expected = {
        "habit (switch)": (-2.2, -1.4),
        "one neatness": (-0.9, -1.1),
        "neatness that varies": (0.749, 0.919),
        "after 1 card, 2 cards, last fifth": (-1.7, -0.4),
        "the same, varying": (0.3, 2.3),
    }
    assert {name: pytest.approx(gains(person, model), abs=0.06) for name, model in MODELS.items()} == expected
    last = Interleaving(person.riffles[-1].packets[:26] * 2)
    changed = replace(person, riffles=(*person.riffles[:-1], last))
    fitted = [MODELS["one neatness"].fitted([Rows.of(each.packets) for each in who.riffles[:-1]])
              for who in (person, changed)]  # fmt: skip
    assert np.array_equal(fitted[0][0], fitted[1][0])


def test_the_corpus_names_people_and_licences_and_only_what_may_be_shipped_is_in_the_package(hands, tmp_path):
    code, out, _ = hands("hands", "--corpus")
    assert code == 0
    assert "what holds for so few may not hold for you" in out.splitlines()[0]
    assert "CC0" in out
    assert "no licence is given, so only figures" in out
    own = tmp_path / "own.csv"
    own.write_text("# mine, CC0\nsource,interleaving\n" + f"me,{ONE}\n" * 3)
    code, out, _ = hands("hands", "--corpus", str(own), "--json")
    assert (code, json.loads(out)["people"][0]["credit"]) == (0, "mine, CC0")
    own.write_text(f"source,interleaving\nme,{ONE}\n")
    assert "nan" not in hands("hands", "--corpus", str(own))[1]  # one riffle has no deviation
    for text, says in [
        ("source,x\nme,RB", "line 1: the head of the table lacks interleaving"),
        ("# a\nsource,interleaving\nme,RRBX", "line 3: 'RRBX' is no interleaving"),
        ("source,cards,interleaving\nme,5,RRB", "line 2: 5 cards, and 3 letters"),
        ("source,interleaving\n", "has no riffles"),
    ]:
        own.write_text(text)
        code, _, err = hands("hands", "--corpus", str(own))
        assert (code, err.count("\n")) == (2, 1)
        assert says in err
    beside = Path("data/riffles-by-sa.csv").read_text()
    assert beside.startswith("# CC BY-SA 4.0. Max Shinn")
    assert "CC0" in SHIPPED.read_text().splitlines()[0]
    assert beside.splitlines()[2].split(",")[-1] not in SHIPPED.read_text()


@pytest.mark.parametrize("name", ["mash", "overhand", "wash", "strip", "hindu", "box(4, 6)", "riffle(switch=0.4)"])
def test_what_nobody_has_measured_is_called_a_guess_in_the_first_line(hands, name):
    for command in (["mix", f"{name}*5 + riffle", "--decks", "0"], ["shuffles", name]):
        assert "a guess" in hands(*command)[1].splitlines()[0]
    assert "a guess" not in hands("mix", "riffle(neatness=0.6, varying=0.4)*3", "--decks", "0")[1]
