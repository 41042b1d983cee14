"""Causes: which are named, with which parameter; that a wrong one is never certain; that fair decks have none."""

from fractions import Fraction
from functools import partial
from itertools import pairwise, permutations, product
from math import gcd
from random import Random

import numpy as np
import pytest
from bench.known_decks import CARDS

from fairdeck import lab
from fairdeck.lab.blocks import FEWEST, Block
from fairdeck.lab.causes import (
    Sample,
    contest,
    draws,
    foretold,
    known,
    likeness,
    loops,
    mixtures,
    numbers,
    riffles,
    seeds,
    swaps,
)
from fairdeck.lab.causes.search import Search
from fairdeck.lab.causes.ways import from_start_order
from fairdeck.lab.judging.report_document import document
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.laws.draws import both_ends, log_likelihood, modulo, scaled
from fairdeck.lab.sources.simulated import NumberedBlock
from fairdeck.lab.statistics.draws import STATISTICS
from fairdeck.lab.view import deck_view
from fairdeck.show.reports import html
from fairdeck.show.terminal import lines
from fairdeck.shuffles import find, registry
from tests import planted
from tests.decks import causes_of, fair, sample_of
from tests.drawing_programs import DOWN, UP, drawn

DECKS = 2_048
# Shuffles whose decks have one law, or one that so many decks do not tell apart: either name is right.
ALIKE = {"planet-poker": "naive"}
# Faults too small for 4,096 decks; some are too small for any test within 262,144.
SMALL = {
    *("an-ace-each", "lehmer-16-scaled", "modulo-12", "modulo-15", "modulo-16", "msvc-rand", "scaled-16"),
    *("seed-24", "seed-32", "sort-keys-12", "sort-keys-16", "swap-or-not", "top-to-random-nlogn"),
    *("transpositions-nlogn", "fast-shuffle"),
}
WORDS = {
    **dict.fromkeys(["batched-zero", "faro-in", "faro-out", "monge", "pile-7", "unseeded"], "every deck is the same"),
    **dict.fromkeys(["cut", "cut-carried"], "which differ by a cut only"),
    **dict.fromkeys(["transpositions-2n", "transpositions-n"], "swaps of two places, at times"),
    "turn": "after 1.0 riffles of a sorted deck",
    "turned-pile": "sorted by random numbers below 2",
    "bsd-rand": "low bits of an old generator",
    "msvc-rand": "`rand() % k` of Windows",
    "v8-mwc1616": "congruential generator (x -> 18030 x + c modulo 1181614079)",  # its upper half
    "thorp": "26 parts of the deck",
    "turned-over": "the deck before, turned over",
    "even": "in every deck the order is even",
    "forked-workers": "are the deck that followed the last time when the deck before came",
    "dotnet-random": "as in `System.Random` of .NET",
    "freecell": "as if seeded with 15 bits",
    "glibc-modulo": "odd or even as the sum of those 31 and 3 draws before",
    "glibc-random": "near the sum of those 31 and 3 draws before",
    "forgets": "of decks are the start deck, unshuffled",
    "inside-out-clamped": "clamped when they are too large",
    "modulo-8": "Fisher-Yates from the top down, with draws like `rand() % n` with 8 bits",
    "multiply-8": "Fisher-Yates from the top down, with draws like `rand() * n >> 8` with 8 bits",
    "randu": "those of RANDU",
    "random-piles-10": "sorted by random numbers below 10",
    "repeats": "of decks are equal to the deck before",
    "riffle": "1.0 riffles",
    "round": "`round(random() * k)`",
    "sattolo": "too low by one",
    "seed-15": "as if seeded with 15 bits",
    "seed-time": "each deck comes 4 times in a row",
    "sort-keys-6": "sorted by random numbers below",
    "stops-early": "without the draw among 2",
    "top-stays": "the card at place 51 never moves",
    "adjacent-swaps-n": "52 swaps of neighbours",
    "lazy": "Fisher and Yates, but skips",
    "naive-carried": "compared with the deck before, each place swaps with any place",
    "new-top": "compared with the deck before, the card from place 51 never lies at place 51",
    "planet-poker": "each place swaps with any place but place 51",
    "random-to-random-n": "moves of any card to any place",
    "shuffle-buffer-2": "a buffer of 2 cards",
    "shuffle-buffer-26": "a buffer of 26 cards",
    "stuck-pair": "in every deck card",
    "top-to-random-n": "moves of the top card to any place",
    "top-to-random": "1 move of the top card",
    "transpositions-n-distinct": "52 swaps of two different places",
}


def sample(name, size=2 * DECKS, cards=52, seed=5):
    return sample_of(NumberedBlock(name, cards, seed, 1, size).decks)


def shuffled(function, size=2 * DECKS, cards=52, seed=1):
    rng, decks = Random(seed), []
    for _ in range(size):
        deck = list(range(cards))
        function(deck, rng)
        decks.append(deck)
    return sample_of(decks)


def right(name, cause):
    expected = [WORDS.get(name) or find(name).says, find(ALIKE.get(name, name)).says]
    return any(each in cause.words for each in expected)


@pytest.mark.cases(3)
@pytest.mark.parametrize(
    "name", [each.name for each in registry().values() if not each.fair and each.least <= 52 and each.name not in SMALL]
)
def test_each_faulty_shuffle_is_named(name):
    found = causes_of(sample(name), 60)
    assert any(right(name, each) for each in found), found
    assert not [each for each in found if each.certain and not right(name, each)]
    assert len(found) == 1 or not any(each.certain for each in found)


@pytest.mark.cases(2)
@pytest.mark.parametrize("name", sorted(SMALL))
def test_what_is_too_small_to_be_named_is_not_named_wrongly(name):
    assert not [each for each in causes_of(sample(name), 20) if each.certain and not right(name, each)]


@pytest.mark.cases(1)
@pytest.mark.parametrize("seed", range(20))
def test_fair_decks_have_no_cause(seed):
    assert causes_of(sample("python-random", seed=100 + seed)) == ()


@pytest.mark.parametrize(("cards", "size"), [(5, 1_444), (26, 453), (15, 789), (88, 352), (22, 285)])
def test_fair_decks_of_any_size_have_no_cause(cards, size):
    decks = likeness.fair_decks(cards, size, np.random.default_rng(7)).astype(np.int16)
    battery = Battery(cards)
    assert causes_of(Sample(Block(decks, decks[:0]), battery, battery.tally(Block(decks[:128], decks[:0])))) == ()


def test_too_few_decks_have_no_cause():
    assert causes_of(sample("riffle", FEWEST - 1)) == ()  # but for what the decks show exactly
    assert causes_of(sample("riffle", 2 * FEWEST))


# Faults that are in no list of known shuffles


def modulo_upwards(deck, rng):
    for place in range(len(deck) - 1):
        other = place + rng.getrandbits(9) % (len(deck) - place)
        deck[place], deck[other] = deck[other], deck[place]


def a_card_that_rises(deck, rng):
    rng.shuffle(deck)
    at = deck.index(17)
    if at < len(deck) - 1 and rng.random() < 0.5:
        deck[at], deck[at + 1] = deck[at + 1], deck[at]


def test_faults_in_no_list_are_named_with_their_parameter():
    (cause,) = causes_of(shuffled(modulo_upwards))
    assert "Fisher-Yates from the bottom up, with draws like `rand() % n` with 9 bits" in cause.words
    assert cause.certain
    assert cause.repair


@pytest.mark.parametrize(("cards", "seed"), [(3, 1), (3, 2), (4, 1), (4, 6)])
def test_a_fault_of_each_deck_by_itself_is_none_of_how_decks_follow(cards, seed):
    found = lab.test("naive", cards=cards, seed=seed).causes
    assert all(right("naive", cause) for cause in found if cause.certain), found
    assert not [cause for cause in found if "before" in cause.words]


def sorted_by_few_keys(deck, rng):
    deck.sort(key=lambda _: rng.randrange(100))


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_sort_by_few_keys_is_told_of_the_decks_as_they_are(seed):
    (cause,) = causes_of(shuffled(sorted_by_few_keys, 4_096, seed=seed))
    assert cause.words.startswith("each deck is as if sorted by random numbers below")


def suits_cut(deck, rng):
    for low in range(0, len(deck), 13):
        at = low + rng.randrange(13)
        deck[low : low + 13] = deck[at : low + 13] + deck[low:at]


def one_of_64(deck, rng):
    mask = rng.randrange(64)
    deck[:] = [at ^ mask for at in range(64) if at ^ mask < len(deck)]


def test_parts_that_keep_their_cards_are_told_though_they_are_not_shuffled_well():
    (cause,) = causes_of(shuffled(suits_cut))
    assert "4 parts of the deck keep their cards: cards 0 to 12, cards 13 to 25" in cause.words
    assert not [cause for cause in causes_of(shuffled(one_of_64)) if "parts" in cause.words]


def a_hand_with_few_lands_again(deck, rng):
    rng.shuffle(deck)
    if not 2 <= sum(card < 20 for card in deck[:7]) <= 5:
        rng.shuffle(deck)


def test_a_cause_that_does_not_show_the_fault_that_was_found_is_not_told():
    decks = shuffled(a_hand_with_few_lands_again, 4_096).decks
    assert causes_of(sample_of(decks, 512)) == ()


def test_a_search_that_left_something_out_says_so():
    decks = shuffled(sorted_by_few_keys, 1_024)
    assert not Search(decks, 60.0).cut_short
    short = Search(decks, 0.05)
    assert (short.causes, short.cut_short) == ((), True)


def test_twenty_decks_are_searched_without_a_warning():
    assert not [cause for cause in causes_of(shuffled(sorted_by_few_keys, 20)) if cause.certain]


def test_an_unknown_fault_stays_unknown():
    assert causes_of(shuffled(a_card_that_rises)) == ()


@pytest.mark.parametrize("period", [2, 7, 300])
def test_a_period_is_named_and_the_next_deck_is_foretold(period):
    rng = np.random.default_rng(3)
    decks = np.array([rng.permutation(52) for _ in range(period)], np.int16)[np.arange(2 * DECKS) % period]
    (cause,) = causes_of(sample_of(decks))
    assert cause.words == f"the decks repeat every {period}"
    assert f"{DECKS:,} of the last {DECKS:,} decks came as predicted" in cause.seen


def test_predictions_that_fail_are_not_told():
    decks = sample("python-random", 400).decks
    for rule in (foretold.same, foretold.moved_again, foretold.follower):
        told, came = foretold.score(rule, decks)
        assert came == 0
        assert told == (0 if rule is foretold.follower else 200)


# Parts


@pytest.mark.parametrize("n", [2, 3, 9])
def test_decks_are_made_from_the_draws_that_are_read_off_them(n):
    rng, number = np.random.default_rng(n), 0
    drawn = np.array([[int(rng.integers(k + 1)) for k in range(n)] for _ in range(60)])
    for statistic in STATISTICS:
        for at, _reading in enumerate(statistic.readings):
            decks = np.array([draws.DEALS[number](each) for each in drawn.tolist()], np.int16)
            read = statistic.read(deck_view(Block(decks, decks[:0])))[at].T
            assert (read[:, 1:] == drawn[:, 1:]).all()
            number += 1
    assert number == len(draws.DEALS) == len(draws.READINGS)


@pytest.mark.parametrize(("kind", "law"), [("modulo", modulo), ("scaled", scaled)])
@pytest.mark.parametrize("turned", [False, True])
def test_the_likelihood_of_each_number_of_values_is_that_of_its_law(kind, law, turned):
    table = np.tril(np.random.default_rng(8).integers(1, 50, (9, 9)))
    values, gains = draws.fitted(kind, table, turned=turned)
    for value in (9, 10, 16, 37, 100, 2_048):
        exact = list(both_ends(kind, 0, "", 9, partial(law, value)))[turned]
        assert gains[values == value] == pytest.approx(log_likelihood(table, exact))


def test_one_fraction_makes_few_orders_and_intervals_meet_as_often_as_said():
    for n in range(2, 9):
        ends = sorted({Fraction(v, m) for m in range(1, n + 1) for v in range(m + 1)})
        middles = [(low + high) / 2 for low, high in pairwise(ends)]
        assert len({tuple(int(u * m) for m in range(2, n + 1)) for u in middles}) <= n**2
    for k, other in product(range(2, 9), repeat=2):
        meet = [v * other < (w + 1) * k and w * k < (v + 1) * other for v in range(k) for w in range(other)]
        assert sum(meet) == k + other - gcd(k, other)


def clock(rng):
    return lambda _: lambda left: rng.getrandbits(40) * 1_000 % left


def one_word(rng):
    return lambda _: (lambda word: lambda left: word % left)(rng.getrandbits(256))


def one_real(rng):
    return lambda _: (lambda real: lambda left: int(real * left))(rng.random())


def digest(rng, scaled=True):
    def deck(_):
        drawn = rng.randbytes(32)
        return lambda left: drawn[left % 32] * left >> 8 if scaled else drawn[left % 32] % left

    return deck


def counted_up(_):
    """One number for each card, of a generator by multiplication whose seeds count up by 3."""
    least = 2**31 - 1
    return lambda seed: lambda left: (77 + 3 * seed) * pow(16_807, left, least) % least * left // least


@pytest.mark.parametrize(
    ("fault", "size", "words"),
    [
        (clock, 20, "all alike modulo 200, as of a clock with a coarse tick"),
        (one_word, 20, "the remainders of one random number"),
        (one_real, 20, "one random fraction for all draws"),
        (digest, 20, "each random number used again 32 draws later"),
        (partial(digest, scaled=False), 20, "remainders of random numbers, each of which is used again 32 draws later"),
        (counted_up, 300, "seeds that count up"),
    ],
)
@pytest.mark.parametrize("algorithm", [DOWN, UP])
def test_draws_that_depend_on_each_other_are_told_from_few_decks(fault, size, words, algorithm):
    made = fault(Random(3))  # for each deck, the function that draws
    found = list(numbers.looks(sample_of([drawn(algorithm, 52, 1, made(deck))[0] for deck in range(size)])))
    assert [words in cause.words and algorithm in cause.words for cause in found] == [True], found


def test_the_source_of_numbers_is_looked_for_before_any_family_is_fitted(monkeypatch):
    monkeypatch.delattr("fairdeck.lab.causes.search.ways")
    made = one_real(Random(3))
    (cause,) = causes_of(sample_of([drawn(DOWN, 52, 1, made(deck))[0] for deck in range(2_048)], 16))
    assert "one random fraction for all draws" in cause.words and cause.certain


@pytest.mark.parametrize("half", [26, 52])
def test_rigid_decks_have_no_draws_that_depend_on_each_other(half):
    rng = np.random.default_rng(2)
    low, high, still = fair(half, 400, rng), fair(half, 400, rng) + half, np.tile(np.arange(half), (400, 1))
    some = [[*deck[:3], *sorted(deck[3:])] for deck in fair(2 * half, 400, rng)]
    for decks in (*map(np.hstack, ([low, high], [still + half, still], [low, still + half])), some):
        assert not list(numbers.looks(sample_of(decks)))


@pytest.mark.parametrize("cards", [6, 8, 13, 20])
def test_the_low_bits_of_a_generator_are_not_seeds_that_count_up(cards):
    (cause,) = numbers.looks(sample("bsd-rand", cards=cards))
    assert "the low bits of an old generator" in cause.words


@pytest.mark.parametrize(
    ("way", "words"),
    [
        (np.roll(np.arange(52), 9), "the deck 2 before, its 9 highest cards brought to the other end"),
        (np.arange(52)[::-1], "the deck 2 before, turned over"),
        (np.random.default_rng(6).permutation(52), "the deck 2 before, moved in one way"),
    ],
)
def test_the_way_in_which_decks_come_again_is_found(way, words):
    rng = np.random.default_rng(4)
    decks = fair(52, 600, rng)
    again = np.flatnonzero(rng.random(600) < 0.2)[1:]
    for at in again[again > 1]:
        decks[at] = decks[at - 2][way]
    (cause,) = causes_of(sample_of(decks))
    assert f"{words} (" in cause.words
    assert cause.certain


@pytest.mark.parametrize("times", [1, 3, 5, 7])
def test_the_interval_of_the_riffles_holds_the_number(times):
    least, fitted, most = riffles.riffles(riffles.rising(sample(f"riffle*{times}").decks), 52)
    assert least - 0.02 <= times <= most + 0.02
    assert most - least < 0.5
    assert abs(fitted - times) < 0.2


@pytest.mark.parametrize("k", [1.0, 2.5, 6.0])
def test_the_law_of_rising_sequences_is_a_law(k):
    law = np.exp(riffles.log_law(k, 8)) if 2**k > 7 else np.exp(riffles.log_law(round(k), 8))
    assert law.sum() == pytest.approx(1, abs=1e-9)


@pytest.mark.cases(2)
@pytest.mark.parametrize("bits", [8, 10, 12, 14, 15])
def test_the_bits_of_a_seed_are_told(bits):
    def seeded(deck, rng):
        Random(rng.getrandbits(bits)).shuffle(deck)

    (cause,) = seeds.looks(shuffled(seeded))
    assert f"seeded with {bits} bits" in cause.words
    assert cause.certain == (bits < 12)


@pytest.mark.parametrize("walk", swaps.WALKS, ids=lambda walk: walk.words)
def test_the_fixed_points_of_a_walk_are_those_of_all_its_steps(walk):
    """Each step of seven cards is enumerated: the chain of one card's places has the stated eigenvalues."""
    rng, n, size = np.random.default_rng(2), 7, 200_000
    chain = np.zeros((n, n))
    decks = swaps.walked(n, 1, walk.step, size, rng)
    for place in range(n):
        chain[place] = np.bincount(decks[:, place], minlength=n) / size
    for times in (1, 2, 5):
        exact = 1 + (walk.eigenvalues(n) ** times).sum()
        assert np.trace(np.linalg.matrix_power(chain, times)) == pytest.approx(exact, abs=0.03)  # 6 standard errors
        assert swaps.steps(walk.eigenvalues(n), exact) == pytest.approx(times, abs=0.01)


def test_the_fixed_points_of_a_loop_are_those_of_all_its_draws():
    for loop in loops.LOOPS:
        found = 0
        places = range(2, loop.least - 1, -1)
        drawn = [[at for at in range(loop.bound(place, 3)) if loop.stays or at != place] for place in places]
        for draws_made in product(*drawn):
            deck = [0, 1, 2]
            for place, other in zip(range(2, -1, -1), draws_made, strict=False):
                deck[place], deck[other] = deck[other], deck[place]
            found += sum(card == place for place, card in enumerate(deck))
        mean = found / np.prod([len(each) for each in drawn])
        assert loops.fixed_points(loop, 3, (0.0,))[0] == pytest.approx(mean)
    assert loops.fixed_points(loops.LOOPS[0], 52, (0.0,))[0] == pytest.approx(0.899916, abs=1e-6)


@pytest.mark.parametrize("n", [5, 13, 52])
def test_the_moments_of_fair_decks_are_those_of_their_laws(n):
    """A statistic whose law is not that of its number would be seen; by chance once in 10,000 seeds."""
    exact, made = likeness.fair_moments(n, 2**15), likeness.moments_of_fair(n, 8_192)
    assert likeness.misfit(exact, made) < likeness.FIT
    assert len(likeness.names(n)) == len(made.means)


@pytest.mark.parametrize("cards", [32, 52, 104])
def test_the_table_of_known_shuffles_is_up_to_date(cards):
    """A new statistic or shuffle is missing until ``python -m bench.known_decks`` has written the table again."""
    for n in CARDS:
        assert known.table()[f"{n} numbers"].tolist() == list(likeness.names(n))
        assert known.table()[f"{n} labels"].tolist() == list(known.labels(n))
    for label in ("affine", "overhand*3", "comparator-sort-go|1/3", "cut-carried", "riffle-neat*2", "thorp"):
        again = likeness.moments(known.made(label, cards, 300, np.random.default_rng(7)))
        assert likeness.misfit(again, known.looked_up(cards)[label]) < likeness.FIT
        assert likeness.misfit(again, known.looked_up(cards)["hindu*2"]) > likeness.FIT


def test_a_cause_that_does_not_show_what_was_found_says_so(monkeypatch):
    monkeypatch.setattr(contest, "explains_findings", lambda *_: False)
    for cause in (found := causes_of(sample("naive", 1_024))):
        assert not cause.certain
        assert cause.seen.endswith("; decks that are made so do not show all that was found")
    assert found


@pytest.mark.parametrize(
    ("n", "cards", "places", "says"),
    [
        (52, [48, 49, 50, 51], [0], "cards 48 to 51 never lie at place 0; all else looks fair"),
        (52, [7], [0, 1, 2], "card 7 never lies at places 0 to 2; all else looks fair"),
        (52, [20], [20], "card 20 never lies at place 20; all else looks fair"),
        (20, [3, 9], [19], "cards 3 and 9 never lie at place 19; all else looks fair"),
    ],
)
def test_decks_that_are_drawn_again_until_a_place_suits_are_told_by_that_place(n, cards, places, says):
    decks = planted.drawn_again(n, 4_096, np.random.default_rng(1), cards=cards, places=places)
    assert [(cause.words, cause.certain) for cause in causes_of(sample_of(decks))] == [(says, True)]


@pytest.mark.parametrize(("allowed", "fixed", "cards"), [([0, 2], 3, True), ([1, 2, 3], 0, False)])
def test_cards_that_are_kept_away_are_elsewhere_in_every_order_as_often(allowed, fixed, cards):
    """All 12 or 18 orders, 1,000 times each on average: five standard errors are 158, met by chance once in 100,000."""
    decks = mixtures.kept_away(4, np.array(allowed), fixed, cards, 3_000 * 2 * len(allowed), np.random.default_rng(1))
    orders, times = np.unique(decks, axis=0, return_counts=True)
    expected = {o for o in permutations(range(4)) if (o[fixed] if cards else o.index(fixed)) in allowed}
    assert {*map(tuple, orders.tolist())} == expected
    assert abs(times - 1_000).max() < 158


def test_decks_that_come_again_tell_no_start_order():
    once, rng = fair(52, 4_096, 3), np.random.default_rng(4)
    decks = np.where(rng.random((4_096, 1)) < 0.5, once, once[rng.integers(100, size=4_096)])
    assert not from_start_order(sample_of(decks))[1]


def test_reports_begin_with_the_cause_and_say_what_to_repair():
    report = lab.test("modulo-8", seed=1)
    assert report.headline.endswith("with draws like `rand() % n` with 8 bits.")
    shown = "\n".join(lines(document(report)))
    assert "The cause\n  as if by Fisher-Yates" in shown
    assert "\n    to repair it: draw again" in shown
    assert "<h2>The cause</h2>" in html.render(report)
    assert '"certain": true' in report.to_json()
    assert lab.test("fisher-yates", cards=5, decks=2_000, seed=1).causes == ()


@pytest.mark.long
def test_an_unknown_cause_is_said_to_be_unknown():
    rng = Random(4)

    def strange(deck):
        a_card_that_rises(deck, rng)

    report = lab.test(strange, decks=100_000, cause=20)
    assert report.verdict.outcome == "fail"
    assert "No known cause explains these decks" in "\n".join(lines(document(report)))
    assert "card 17" in report.headline


def test_decks_of_a_file_are_searched_for_the_cause(tmp_path):
    decks = sample("seed-15", 3_000).decks
    path = tmp_path / "decks.csv"
    path.write_text("\n".join(",".join(map(str, deck)) for deck in decks.tolist()))
    report = lab.test(path)
    assert any("as if seeded with 15 bits" in cause.words for cause in report.causes)
    assert "bits" not in report.headline  # so few equal decks come if only a share of the decks is from fewer


@pytest.mark.long
@pytest.mark.parametrize(("name", "cards"), [("overhand*3", 129), ("riffle*7", 171), ("naive", 300)])
def test_causes_are_named_in_large_decks(name, cards):
    """More than 170 cards have more orders than a float can hold; beyond 256 no tables of pairs are compared."""
    said = " ".join(
        cause.words for cause in lab.test(name, cards=cards, decks=3_000, seed=1, workers=1, cause=60).causes
    )
    assert {"riffle*7": "7.0 riffles"}.get(name, find(name).says) in said


@pytest.mark.parametrize("name", ["casino", "next-free", "comparator-sort-go"])
def test_decks_of_a_size_without_a_table_are_named_too(name):
    assert [find(name).says in cause.words for cause in causes_of(sample(name, 1_024, 45), 60)] == [True]


@pytest.mark.long
def test_more_decks_are_compared_if_they_are_asked_for():
    few, many = (lab.test("naive", seed=1, go_on=more).sample for more in (0, 10_000))
    assert (len(few.decks), len(many.decks)) == (4_096, 10_000)
