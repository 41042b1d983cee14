"""What every statistic of the lab must keep to, whichever it is: a new one is tested from its first day."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, pairwise, permutations, product
from math import exp, factorial, gcd, log, sqrt
from random import Random

import numpy as np
import pytest
from scipy.stats import binom, multinomial

from fairdeck import lab
from fairdeck.bulk.batch import of_rows
from fairdeck.bulk.shapes import BLOCK
from fairdeck.lab.blocks import Block
from fairdeck.lab.counts import fast
from fairdeck.lab.judging.families import FAMILIES
from fairdeck.lab.judging.sentences import seen
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.judging.verdict import Weighed
from fairdeck.lab.kinds import halves, odd_or_even, ranks, suits
from fairdeck.lab.laws import scalar as laws
from fairdeck.lab.laws.scalar import Law, extreme_value, goodness_of_fit, log_tail, mean_shift, merged
from fairdeck.lab.laws.subsets import hypergeometric_law
from fairdeck.lab.laws.tails import deviance, even_cells, two_sided_chi_square
from fairdeck.lab.statistics import Evidence, Scalar, Statistic, catalogue
from fairdeck.lab.statistics.coupons import Coupons
from fairdeck.lab.statistics.cycles import parity_law, stirling_law
from fairdeck.lab.statistics.descents import eulerian_law
from fairdeck.lab.statistics.earlier import Earlier
from fairdeck.lab.statistics.fixed_points import rencontres_law
from fairdeck.lab.statistics.footrule import footrule_law
from fairdeck.lab.statistics.foretold_draws import ForetoldDraws
from fairdeck.lab.statistics.generator_states import GeneratorStates
from fairdeck.lab.statistics.guesses import LearnedGuesses, learned_hits
from fairdeck.lab.statistics.inversions import mahonian_law
from fairdeck.lab.statistics.kinds_again import KindAgain
from fairdeck.lab.statistics.peaks import peak_law
from fairdeck.lab.statistics.poker import FAIR, hand_values
from fairdeck.lab.statistics.rank_histogram import bin_chances, rank_bins
from fairdeck.lab.statistics.subsequences import increasing_law
from fairdeck.lab.statistics.successions import succession_law
from fairdeck.lab.statistics.sums import Sum
from fairdeck.lab.statistics.two_places import SameKind
from fairdeck.lab.view import View
from fairdeck.permutation import cycles as plain_cycles
from fairdeck.permutation import descents as plain_descents
from fairdeck.permutation import inverse
from fairdeck.permutation import inversions as plain_inversions
from fairdeck.permutation import rank as plain_rank
from fairdeck.permutation import rising_sequences as plain_rising
from fairdeck.shuffles import find

BATCHWISE = (Coupons, LearnedGuesses)  # their tallies depend on how the decks were cut into batches
EVERY = catalogue()
SCALARS = [each for each in EVERY if isinstance(each, Scalar) and not isinstance(each, BATCHWISE)]
SUMS = [each for each in EVERY if isinstance(each, Sum)]


def name(statistic: Statistic) -> str:
    return statistic.name


def by_name(wanted: str) -> Statistic:
    found = [each for each in EVERY if each.name == wanted]
    assert found, f"these tests know a statistic {wanted!r}, but no file of fairdeck.lab.statistics lists it"
    return found[0]


def words_of(evidence: Evidence) -> str:
    return seen(Weighed(evidence, "", 0, 1.0, 1.0))


def viewed(columns: np.ndarray, lead: np.ndarray | None = None, first: int | None = None) -> View:
    return View(np.ascontiguousarray(columns), columns[:, :0] if lead is None else lead, first)


@cache
def all_orders(n: int) -> View:
    return viewed(np.array(list(permutations(range(n))), dtype=np.int16).T)


def fair(n: int, decks: int, rng: np.random.Generator) -> np.ndarray:
    return rng.permuted(np.tile(np.arange(n, dtype=np.int16), (decks, 1)), axis=1).T


@pytest.mark.parametrize("statistic", EVERY, ids=name)
def test_a_statistic_says_what_it_sees_where_its_law_is_from_and_to_which_family_it_belongs(statistic):
    assert statistic.sees
    assert statistic.source
    assert statistic.family in FAMILIES, f"add {statistic.family!r} to FAMILIES in lab/judging/families.py"


# The laws.


@pytest.mark.parametrize("statistic", SCALARS, ids=name)
def test_a_law_is_what_all_orders_of_few_cards_show(statistic):
    for n in filter(statistic.fits, range(2, 9)):
        law = statistic.law(n)
        counts = statistic.count(all_orders(n)).tolist()
        assert [count * law.total for count in counts] == [weight * factorial(n) for weight in law.weights], n


@pytest.mark.cases(60)
@pytest.mark.parametrize("statistic", [each for each in EVERY if isinstance(each, Scalar)], ids=name)
@pytest.mark.parametrize("n", [2, 3, 4, 5, 13, 14, 16, 52, 60])
def test_a_law_is_of_whole_numbers_without_gaps_that_formulas_would_trip_over(statistic, n):
    if statistic.fits(n):
        law = statistic.law(n)
        assert all(isinstance(weight, int) and weight >= 0 for weight in law.weights)
        assert law.weights[0] > 0 < law.weights[-1]
        assert gcd(*(at for at, weight in enumerate(law.weights) if weight)) == 1


@pytest.mark.parametrize("n", [52, 53])
def test_means_and_variances_are_those_of_the_closed_formulas(n):
    harmonic = sum(Fraction(1, i) for i in range(1, n + 1))
    stirling = (harmonic, harmonic - sum(Fraction(1, i * i) for i in range(1, n + 1)))
    mahonian = (Fraction(n * (n - 1), 4), Fraction(n * (n - 1) * (2 * n + 5), 72))
    peaks = (Fraction(n - 2, 3), Fraction(2 * (n + 1), 45))
    successions = (1 - Fraction(1, n), 1 - Fraction(1, n) - Fraction(1, n * n))
    one, other = n // 2, n - n // 2
    known = {
        "fixed points": (1, 1),
        "cycles": stirling,
        "records from the bottom": stirling,
        "records from the top": stirling,
        "guesser of the card underneath": stirling,
        "guesser of the longest packet": stirling,
        "guesser who learns": stirling,
        "parity": (Fraction(1, 2), Fraction(1, 4)),
        "inversions": mahonian,
        "major index": mahonian,
        "major index of the destinations": mahonian,
        "descents": (Fraction(n - 1, 2), Fraction(n + 1, 12)),
        "rising sequences": (Fraction(n + 1, 2), Fraction(n + 1, 12)),
        "peaks": peaks,
        "peaks of the destinations": peaks,
        "runs up and down": (Fraction(2 * n - 1, 3), Fraction(16 * n - 29, 90)),
        "half the footrule": (Fraction(n * n - 1, 6), Fraction((n + 1) * (2 * n * n + 7), 180)),
        "successions": successions,
        "predecessions": successions,
        "colour runs": (
            1 + Fraction(2 * one * other, n),
            Fraction(2 * one * other * (2 * one * other - n), n**2 * (n - 1)),
        ),
        "neighbours of one suit": (12, Fraction(156, 17)),
        "neighbours of one rank": (3, Fraction(48, 17)),
    }
    by_name = {each.name: each for each in EVERY if isinstance(each, Scalar)}
    assert known.keys() <= by_name.keys(), f"no longer a statistic: {known.keys() - by_name.keys()}"
    checked = {each: moments for each, moments in known.items() if by_name[each].fits(n)}
    assert len(checked) >= 20
    for each, moments in checked.items():
        law = by_name[each].law(n)
        first = Fraction(sum(value * weight for value, weight in enumerate(law.weights, law.low)), law.total)
        second = Fraction(sum(value**2 * weight for value, weight in enumerate(law.weights, law.low)), law.total)
        assert (first, second - first**2) == moments, each
        assert (law.mean, law.variance) == pytest.approx(tuple(map(float, moments)), rel=1e-14)


def test_the_longest_increasing_subsequence_of_52_cards_has_the_law_of_two_other_methods():
    law = increasing_law(52)  # hook lengths of all 281,589 shapes, and Gessel's determinant by elimination
    assert law.weights[11 - 1] == 22553145017538662798241405881465920600464435601263450130312142542292
    assert law.weights[5 - 1] == 5809558563266858475813892204118213716224490225439969039064
    assert law.mean == pytest.approx(11.566371132907, abs=5e-13)
    assert law.variance == pytest.approx(1.978825994138, abs=5e-13)
    assert law.probabilities[[9, 10, 11]] == pytest.approx([0.1716060, 0.2796139, 0.2563794], abs=5e-8)
    assert law.total == factorial(52)


def test_known_figures_of_52_cards_come_out():
    assert rencontres_law(52).probabilities[0] == pytest.approx(0.36787944117144233, abs=1e-16)
    assert succession_law(52).probabilities[0] == pytest.approx(0.37495404580935465, abs=1e-16)
    assert stirling_law(52).probabilities[0] == pytest.approx(1 / 52, rel=1e-15)
    assert stirling_law(52).probabilities[3] == pytest.approx(0.23282114, abs=5e-9)
    assert stirling_law(52).probabilities[9:].sum() == pytest.approx(0.00487035, abs=5e-9)
    assert eulerian_law(52).weights[1] == 2**52 - 53
    assert stirling_law(6).weights == (120, 274, 225, 85, 15, 1)
    assert sum(FAIR) == 2_598_960
    assert sum(FAIR) / FAIR[0] == 649_740


@pytest.mark.parametrize("n", [5, 6, 7, 8])
@pytest.mark.parametrize("statistic", SUMS, ids=name)
def test_the_moments_of_a_sum_are_those_of_all_orders(statistic, n):
    values = [int(value) for value in statistic.of(all_orders(n))]
    mean = Fraction(sum(values), len(values))
    assert statistic.moments(n) == pytest.approx(
        (float(mean), float(sum((value - mean) ** 2 for value in values) / len(values))), rel=1e-14
    )


def test_the_moments_of_sums_of_52_cards_are_the_known_ones():
    moments = {each.name: each.moments(52) for each in SUMS}
    assert moments["squared distances"] == (23_426, pytest.approx(1.0760e7, rel=1e-4))
    assert moments["oscillation"] == (901, pytest.approx(5_918.3, abs=0.05))


def test_hands_of_14_cards_have_the_law_of_all_sets_of_seven():
    sets = [[*held, *sorted(set(range(14)) - set(held))] for held in combinations(range(14), 7)]
    bases = np.array(sets, dtype=np.int16).T
    law = by_name("hand from the bottom").law(14)
    expected = [weight * len(sets) // law.total for weight in law.weights]
    assert by_name("hand from the bottom").count(viewed(bases)).tolist() == expected
    assert by_name("hand from the top").count(viewed(bases[::-1])).tolist() == expected
    assert law.total == len(sets)


@pytest.mark.long
def test_all_hands_of_five_have_the_values_that_poker_books_count():
    hands = np.fromiter((card for hand in combinations(range(52), 5) for card in hand), dtype=np.int16)
    decks = hands.reshape(-1, 50).T  # ten hands to a deck
    assert np.bincount(hand_values(viewed(decks)).ravel()).tolist() == list(FAIR)


def test_hands_of_five_are_dealt_from_the_top():
    """The top five cards are one hand, as at the table; once hands were cut from the bottom, two cards off."""
    deck = np.arange(52, dtype=np.int16)
    deck[[51, 50, 49, 48, 47]] = [0, 9, 10, 11, 12]  # the ace and the ten to the king of the first suit, on top
    deck[[0, 9, 10, 11, 12]] = [51, 50, 49, 48, 47]
    (royal,) = np.flatnonzero(hand_values(viewed(deck[:, None]))[:, 0] == 0)
    assert royal == 0


NUMBERS = np.random.default_rng(1).integers(0, 7_000, 9_000)
STREAM = np.arange(9_000)


@pytest.mark.parametrize(
    ("decks", "says"),
    [
        (STREAM % 7_000, "the decks repeat every 7,000"),
        (STREAM % 100, "the decks repeat every 100"),
        (STREAM % 8_900, "the decks repeat every 8,900"),
        (
            np.where(STREAM < 3_000, STREAM + 3_000, STREAM % 2_000),
            "equal decks lie 2,000 apart",
        ),  # not from the beginning
        (STREAM * 0, "decks are equal to the one before"),
        (NUMBERS, "as many as if each deck came from 6,800 to 7,300 different decks, or some"),  # 7,000 seeds
        (np.where(STREAM % 3, NUMBERS, STREAM % 7_000), "as many as if each deck came from"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
@pytest.mark.parametrize("fast", [False, True])
def test_equal_decks_at_one_distance_are_a_period_and_no_number_of_decks(decks, says, fast):
    if fast:
        pytest.importorskip("numba")
    rng = np.random.default_rng(2)
    different = rng.permuted(np.tile(np.arange(12, dtype=np.int16), (int(decks.max()) + 1, 1)), axis=1)
    rows = different[decks]
    battery = Battery(12, 0, frozenset({"repeats"}))
    counted = battery.tally_by_kernels if fast else battery.tally
    ends = [0, 16, 700, 4_000, 8_000, 9_000]
    parts = [counted(Block(rows[a:b], rows[:0], a)) for a, b in pairwise(ends)]
    whole = battery.total(Random(3).sample(parts, len(parts)))
    (evidence,) = battery.members[0].statistic.judge(whole.counts[0], 12, 9_000)
    assert says in words_of(evidence)
    assert ("as many as if" in words_of(evidence)) == ("as many" in says)
    unplaced = battery.total(counted(Block(rows[a:b], rows[:0])) for a, b in pairwise(ends))
    (evidence,) = battery.members[0].statistic.judge(unplaced.counts[0], 12, 9_000)
    assert "as many as if" in words_of(evidence)  # where the decks lie is not known


@pytest.mark.parametrize("n", [3, 4])
def test_different_cards_in_a_window_have_the_law_of_all_windows(n):
    first = np.array(list(product(range(n), repeat=n)), dtype=np.int16).ravel()
    decks = (first + np.arange(n, dtype=np.int16)[:, None]) % n  # the card at the bottom, and a cut
    for statistic in (each for each in EVERY if isinstance(each, Coupons)):
        assert statistic.count(viewed(decks)).tolist() == list(statistic.law(n).weights)
        assert statistic.count(viewed(decks[:, : 2 * n - 1])).sum() == 1  # no window is left unfinished


@pytest.mark.parametrize("teacher", ["riffle", "fisher-yates", "top-stays"])
def test_fair_decks_give_a_guesser_stirling_numbers_whatever_the_guesser_learned(teacher):
    learned = sampled(find(teacher).decks(6, Random(1)), 720)
    hits = learned_hits(viewed(np.concatenate([learned, all_orders(6).columns], axis=1)))
    assert np.bincount(hits).tolist() == [0, 120, 274, 225, 85, 15, 1]  # n = 6, in any strategy at all


# The counts.


def sampled(decks: Iterator[object], count: int) -> np.ndarray:
    return np.array([next(decks) for _ in range(count)], dtype=np.int16).T


def steps(deck: list[int]) -> list[int]:
    return [above - below for below, above in pairwise(deck)]


def turns(deck: list[int]) -> list[tuple[bool, bool]]:
    return [(before > 0, after > 0) for before, after in pairwise(steps(deck))]


def longest_rise(deck: list[int]) -> int:
    ends: list[int] = []  # the lowest end of a rise of each length (patience sorting)
    for card in deck:
        at = bisect_left(ends, card)
        ends[at : at + 1] = [card]
    return len(ends)


def records(deck: list[int]) -> int:
    return sum(card == max(deck[: place + 1]) for place, card in enumerate(deck))


def major(deck: list[int]) -> int:
    return sum(place for place, step in enumerate(steps(deck), 1) if step < 0)


def alike(kinds: Callable[[int], np.ndarray | None], deck: list[int]) -> int:
    known = kinds(len(deck))
    return sum(known[below] == known[above] for below, above in pairwise(deck))


def guessed(strategy: Callable[[list[int], int | None], int], deck: list[int]) -> int:
    """Return the hits of a strategy that is told the unseen cards, in order, and the last one dealt."""
    last, hits = None, 0
    for place in range(len(deck) - 1, -1, -1):
        hits += strategy(sorted(deck[: place + 1]), last) == deck[place]
        last = deck[place]
    return hits


def card_underneath(unseen: list[int], last: int | None) -> int:
    return last - 1 if last is not None and last - 1 in unseen else unseen[-1]


def top_of_the_longest_packet(unseen: list[int], last: int | None) -> int:
    best, length, longest = unseen[0], 0, 0
    for card in unseen:
        length = length + 1 if card - 1 in unseen else 1
        if card + 1 not in unseen and length >= longest:
            best, longest = card, length
    return best


# Each statistic as one would write it for a single deck, bottom first.
def again(size, deck):
    """Return how many cards of a hand of `size` from the bottom, or -`size` from the top, were in that hand before."""
    hand, before = (deck[size:], range(len(deck) + size, len(deck))) if size < 0 else (deck[:size], range(size))
    return len(set(hand) & set(before))


PLAIN: dict[str, Callable[[list[int]], int]] = {
    "fixed points": lambda deck: sum(place == card for place, card in enumerate(deck)),
    "cycles": lambda deck: len(plain_cycles(deck)),
    "parity": lambda deck: plain_inversions(deck) % 2,
    "records from the bottom": records,
    "records from the top": lambda deck: records(deck[::-1]),
    "descents": plain_descents,
    "rising sequences": plain_rising,
    "inversions": plain_inversions,
    "major index": major,
    "major index of the destinations": lambda deck: major(inverse(deck)),
    "peaks": lambda deck: turns(deck).count((True, False)),
    "peaks of the destinations": lambda deck: turns(inverse(deck)).count((True, False)),
    "runs up and down": lambda deck: 1 + sum(before != after for before, after in turns(deck)),
    "longest increasing subsequence": longest_rise,
    "longest decreasing subsequence": lambda deck: longest_rise(deck[::-1]),
    "half the footrule": lambda deck: sum(card - place for place, card in enumerate(deck) if card > place),
    "squared distances": lambda deck: sum((card - place) ** 2 for place, card in enumerate(deck)),
    "oscillation": lambda deck: sum(map(abs, steps(deck))),
    "successions": lambda deck: steps(deck).count(1),
    "predecessions": lambda deck: steps(deck).count(-1),
    "neighbours of one suit": partial(alike, suits),
    "neighbours of one rank": partial(alike, ranks),
    "colour runs": lambda deck: len(deck) - alike(halves, deck),
    "lower half": lambda deck: len(set(deck[: len(deck) // 2]) & set(range(len(deck) // 2))),
    "hand from the top": lambda deck: sum(5 * card < 2 * len(deck) for card in deck[-7:]),
    "hand from the bottom": lambda deck: sum(5 * card < 2 * len(deck) for card in deck[:7]),
    **{f"top {k} again": partial(again, -k) for k in (5, 10, 13)},
    **{f"bottom {k} again": partial(again, k) for k in (5, 10, 13)},
    "guesser of the card underneath": partial(guessed, card_underneath),
    "guesser of the longest packet": partial(guessed, top_of_the_longest_packet),
}


def some_decks(n: int) -> np.ndarray:
    """Return decks fair and not, so that rare values come as well."""
    riffled = sampled(find("riffle").decks(n, Random(n)), 5)
    return np.concatenate([fair(n, 50, np.random.default_rng(n)), riffled, riffled[::-1]], axis=1)


@pytest.mark.cases(10)
@pytest.mark.parametrize("statistic", [*SCALARS, *SUMS], ids=name)
def test_the_fast_count_is_that_of_one_deck_after_another(statistic):
    called = statistic.name.removesuffix(" of a large deck")
    assert called in PLAIN, f"add {called!r} to PLAIN above: its value for a single deck, bottom first"
    sizes = list(filter(statistic.fits, (5, 12, 52, 120))) or [1100]
    for n in sizes:
        assert statistic.fits(n)
        columns = some_decks(n)
        plain = [PLAIN[called](deck) for deck in columns.T.tolist()]
        assert statistic.of(viewed(columns)).tolist() == plain, n


@pytest.mark.parametrize("bins", [59, 200])
@pytest.mark.parametrize("n", [2, 12, 52, 120])
def test_the_bin_of_a_deck_is_that_of_its_rank(n, bins):
    columns = some_decks(n)
    plain = [bins * plain_rank(deck) // factorial(n) for deck in columns.T.tolist()]
    assert rank_bins(viewed(columns), bins).tolist() == plain


def alike_pairs(kinds: Callable[[int], np.ndarray | None], values: Sequence[int]) -> list[tuple[int, int]]:
    known = kinds(len(values))
    pairs = combinations(range(len(values)), 2)
    return [(one, other) for one, other in pairs if known[values[one]] == known[values[other]]]


def lower_pairs(values: Sequence[int]) -> list[tuple[int, int]]:
    return [(one, other) for one, other in combinations(range(len(values)), 2) if values[one] < values[other]]


# The cells that one deck, bottom first, adds one to.
CELLS: dict[str, Callable[[list[int]], Iterable[tuple[int, ...]]]] = {
    "positions": enumerate,
    "own places": lambda deck: [(card,) for place, card in enumerate(deck) if place == card],
    "positions by sector": lambda deck: [(16 * p // len(deck), 16 * card // len(deck)) for p, card in enumerate(deck)],
    "differences": lambda deck: enumerate((step - 1) % len(deck) for step in steps(deck)),
    "top pairs": lambda deck: [(deck[-2], deck[-1])],
    "bottom pairs": lambda deck: [(deck[0], deck[1])],
    "neighbours": pairwise,
    "two apart": lambda deck: zip(deck, deck[2:], strict=False),
    "three apart": lambda deck: zip(deck, deck[3:], strict=False),
    "order": lambda deck: lower_pairs(inverse(deck)),
    "lower of two places": lower_pairs,
    "suits of two places": partial(alike_pairs, suits),
    "ranks of two places": partial(alike_pairs, ranks),
    "colours of two places": partial(alike_pairs, halves),
    "halves of two cards": lambda deck: alike_pairs(halves, inverse(deck)),
    "odd places of two cards": lambda deck: alike_pairs(odd_or_even, inverse(deck)),
    "every order": lambda deck: [(plain_rank(deck),)],
}


@pytest.mark.parametrize("wanted", CELLS)
def test_the_cells_of_a_deck_are_those_of_its_definition(wanted):
    statistic = by_name(wanted)
    for n in list(filter(statistic.fits, (8, 20))) or [1_100]:
        columns = some_decks(n)
        counts = statistic.count(viewed(columns))
        plain = np.zeros_like(counts)
        for deck in columns.T.tolist():
            for cell in CELLS[wanted](deck):
                plain[cell] += 1
        assert np.array_equal(counts, plain), n


def test_parts_of_a_large_deck_are_judged_by_their_covariance():
    statistic, n, decks = by_name("positions by sector"), 1_600, 400
    found = [
        next(statistic.judge(statistic.count(viewed(fair(n, decks, np.random.default_rng(seed)))), n, decks)).p_value
        for seed in range(12)
    ]
    assert 1e-3 < min(found) < 0.5 < max(found)
    in_order = np.tile(np.arange(n, dtype=np.int16)[:, None], 4)
    assert not list(statistic.judge(statistic.count(viewed(in_order[:, :1])), n, 1))  # too few cards in a cell
    (found,) = statistic.judge(statistic.count(viewed(in_order)), n, 4)
    assert found.p_value < 1e-300
    assert words_of(found) == "of the cards 0 to 99, 100 lie at the places 0 to 99 on average; 6.25 would be fair"


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("wanted", "step"), [("odd places of two cards", 1), ("halves of two cards", 26)], ids=["odd or even", "halves"]
)
def test_two_cards_whose_places_are_of_one_kind_too_often_are_found_and_named(wanted, step):
    # A test that knows the two cards needs 1,900 decks at a level of 1e-6.
    rng = np.random.default_rng(7)
    decks = np.ascontiguousarray(fair(52, 8_192, rng).T)
    one, other = np.argsort(decks, axis=1)[:, [7, 30]].T
    kind = by_name(wanted).kinds(52)
    moved = (other - other % (2 * step)) + (other + step) % (2 * step)  # the place next to it, or in the other half
    change = np.flatnonzero((kind[one] != kind[other]) & (moved != one) & (rng.random(len(decks)) < 0.12))
    decks[change, other[change]], decks[change, moved[change]] = decks[change, moved[change]], 30
    report = lab.test(decks, lags=0)
    assert report.verdict.outcome == "fail"
    assert report.verdict.findings[0].statistic.startswith(f"{wanted}: one pair")
    assert report.verdict.findings[0].weighed.evidence.cards == (7, 30)
    assert "card 7 and card 30 lie" in report.headline


@pytest.mark.long
@pytest.mark.parametrize("wanted", ["suits of two places", "ranks of two places", "colours of two places"])
def test_pairs_within_a_hand_have_the_mean_and_the_spread_that_judges_them(wanted):
    statistic = by_name(wanted)
    off = [
        [z for _, _, z, _, _ in statistic.in_hands(each.reshape(8, 8), 8, 1)]
        for each in counts_of_each_order(statistic, 8)
    ]
    assert np.mean(off, axis=0) == pytest.approx([0, 0], abs=1e-9)
    assert np.mean(np.square(off), axis=0) == pytest.approx([1, 1], rel=1e-9)
    decks = fair(52, 1_000, np.random.default_rng(9)).T
    found = [list(statistic.in_hands(statistic.count(viewed(deck[:, None])), 52, 1)) for deck in decks]
    off = [[z for _, _, z, _, _ in each] for each in found]
    assert np.abs(np.mean(off, axis=0)).max() < 0.16  # five standard errors
    assert np.abs(np.mean(np.square(off), axis=0) - 1).max() < 0.25
    likely = [sqrt(8 / degrees) for _, degrees, *_ in found[0]]
    assert np.mean(np.power(off, 3), axis=0) == pytest.approx(likely, abs=0.8)  # most of it the error of so few decks
    quarter, two_hands, *_ = found[0]
    assert (quarter[0], two_hands[0]) == ("quarter of the deck", "of 2 hands dealt in turn")
    kinds = statistic.kinds(52)[decks[0]]
    same = [(one, other) for one, other in combinations(range(52), 2) if kinds[one] == kinds[other]]
    assert quarter[3] == sum(one // 13 == other // 13 for one, other in same)
    assert two_hands[3] == sum((one - other) % 2 == 0 for one, other in same)


def test_hands_evened_out_are_seen_though_no_two_places_are_odd():
    deck = np.argsort(ranks(52), kind="stable")  # each rank in four places in turn: one to each of four hands
    rng = np.random.default_rng(4)
    columns = np.stack([deck.reshape(13, 4)[rng.permutation(13)].ravel() for _ in range(10_000)], axis=1)
    statistic = by_name("ranks of two places")
    found = {each.name: each for each in statistic.judge(statistic.count(viewed(columns.astype(np.int16))), 52, 10_000)}
    each = found["ranks of two places: in one of 4 hands dealt in turn"]
    assert each.p_value < 1e-300
    assert words_of(each) == "0 pairs of one rank are in one of 4 hands dealt in turn; 18.35 would be fair"


@pytest.mark.parametrize("bins", [1, 7, 10, 200])
@pytest.mark.parametrize("n", [5, 6, 7])
def test_bins_of_ranks_hold_what_they_should_also_where_they_do_not_divide_the_orders(n, bins):
    counted = np.bincount(rank_bins(all_orders(n), bins), minlength=bins)
    assert counted.tolist() == [round(chance * factorial(n)) for chance in bin_chances(n, bins)]
    assert counted.tolist() == np.bincount(np.arange(factorial(n)) * bins // factorial(n), minlength=bins).tolist()


@pytest.mark.cases(14)
@pytest.mark.parametrize("statistic", EVERY, ids=name)
def test_batches_in_any_number_and_order_add_up_to_one_pass(statistic):
    for n in filter(statistic.fits, (3, 5, 14, 52)):
        columns = np.concatenate(
            [fair(n, 6 * n, np.random.default_rng(n)), np.tile(np.arange(n, dtype=np.int16), (6 * n, 1)).T], axis=1
        )
        whole = statistic.count(viewed(columns, first=0))
        if isinstance(statistic, LearnedGuesses):
            assert whole.sum() == 6 * n
            continue
        if isinstance(
            statistic, Earlier | ForetoldDraws | GeneratorStates | KindAgain
        ):  # look at the first decks of each batch
            continue
        # Windows end where batches end: these do as well.
        cuts = (
            [0, n, 2 * n, 7 * n, 7 * n, 12 * n] if isinstance(statistic, BATCHWISE) else [0, 1, 4, 4, 7 * n + 1, 12 * n]
        )
        parts = [
            statistic.count(viewed(columns[:, start:end], columns[:, max(0, start - 6) : start], start))
            for start, end in pairwise(cuts)
        ]
        for order in (parts, parts[::-1], [parts[2], parts[0], parts[4], parts[1], parts[3]]):
            total = order[0]
            for part in order[1:]:
                total = statistic.merge(total, part)
            assert np.array_equal(total, whole), n


@pytest.mark.cases(14)
@pytest.mark.parametrize("statistic", EVERY, ids=name)
def test_counts_are_whole_numbers_in_a_shape_that_the_cards_alone_give(statistic):
    for n in filter(statistic.fits, (3, 5, 14, 52)):
        columns = fair(n, 200, np.random.default_rng(n))
        counts = [statistic.count(viewed(columns[:, :decks], first=0)) for decks in (0, 1, 7, 200)]
        assert all(each.dtype == np.int64 for each in counts)
        if type(statistic).merge is Statistic.merge:  # others may keep lists
            assert len({each.shape for each in counts}) == 1
            assert not counts[0].any()
            assert counts[-1].any()
        assert not list(statistic.judge(counts[0], n, 0))


# The matrices: their covariance on one fair deck, by all orders of few cards.


def counts_of_each_order(statistic: Statistic, n: int) -> np.ndarray:
    decks = all_orders(n).columns
    if isinstance(statistic, SameKind):  # it sees kinds only, and each way to lay them comes equally often
        of_kind = statistic.kinds(n)[statistic.values(viewed(decks))]
        decks = decks[:, np.unique(of_kind, axis=1, return_index=True)[1]]
    return np.stack([statistic.count(viewed(decks[:, [at]])).ravel() for at in range(decks.shape[1])]).astype(float)


def spectrum(n: int, wanted: str) -> dict[str, tuple[float, int]]:
    """Return eigenvalue and dimensions by the test that judges the part, as the files of the statistics have them."""
    beside, above, rising = n * (n - 3) // 2, (n - 1) * (n - 2) // 2, (n + 1) / 12

    def of_a_kind(k: int) -> dict[str, tuple[float, int]]:
        same = Fraction(k - 1, n - 1)
        return {f"{wanted}: all pairs": (float(Fraction(n - 1, n - 3) * same * (1 - same)), beside)}

    def apart(s: int) -> dict[str, tuple[float, int]]:
        m, t = n - s, max(0, n - 2 * s)
        with_whom = m - Fraction(2 * t, n - 2) + Fraction(2 * (m * (m - 1) - 2 * t), (n - 2) * (n - 3))
        return {
            f"{wanted}: which card lies beside which": (float(with_whom / (n * (n - 1))), beside),
            f"{wanted}: which card lies above which": (float((m + Fraction(2 * t, n - 2)) / (n * (n - 1))), above),
        }

    return {
        "positions": lambda: {"positions: all cards at all places": (1 / (n - 1), (n - 1) ** 2)},
        "neighbours": lambda: apart(1),
        "two apart": lambda: apart(2),
        "three apart": lambda: apart(3),
        "order": lambda: {
            "order: cards high or low": (rising, n - 1),
            "order: which card lies below which": (1 / 12, above),
        },
        "lower of two places": lambda: {
            "lower of two places: places high or low": (rising, n - 1),
            "lower of two places: which is lower": (1 / 12, above),
        },
        "suits of two places": lambda: of_a_kind(n // 4),
        "ranks of two places": lambda: of_a_kind(4),
        "colours of two places": lambda: of_a_kind(n // 2),
        "halves of two cards": lambda: of_a_kind(n // 2),
        "odd places of two cards": lambda: of_a_kind(n // 2),
    }[wanted]()


MATRICES = [
    *(("positions", n) for n in (4, 5, 6)),
    *(("neighbours", n) for n in (4, 5, 6)),
    *(("two apart", n) for n in (6, 7)),
    ("three apart", 7),
    *(("order", n) for n in (4, 5, 6)),
    *(("lower of two places", n) for n in (4, 5, 6)),
    ("suits of two places", 8),
    ("ranks of two places", 8),
    *(("colours of two places", n) for n in (6, 8)),
    *(("halves of two cards", n) for n in (6, 8)),
    *(("odd places of two cards", n) for n in (6, 8)),
]


@pytest.mark.parametrize(("wanted", "n"), MATRICES)
def test_a_matrix_is_judged_by_its_covariance_over_all_orders(wanted, n):
    statistic, parts = by_name(wanted), spectrum(n, wanted)
    each = counts_of_each_order(statistic, n)
    mean = each.mean(axis=0)
    values, vectors = np.linalg.eigh((each - mean).T @ (each - mean) / len(each))
    for value, times in parts.values():
        assert np.isclose(values, value, rtol=1e-9).sum() == times
    # What no test judges tells of the two ends of the deck only: a few dimensions, if any.
    rest = np.sum(values > 1e-9) - sum(times for _, times in parts.values())
    assert rest == (2 * (n - 1) if "which card lies" in "".join(parts) and statistic.family == "neighbours" else 0)
    # The same parts of a sample's counts, taken by these eigenvectors and not by the formulas.
    decks = 1_000
    columns = fair(n, decks, np.random.default_rng(3))
    columns[:, :30] = np.arange(n, dtype=np.int16)[:, None]
    counts = statistic.count(viewed(columns))
    along = vectors.T @ (counts.ravel() - decks * mean)
    judged = {each.name: each.p_value for each in statistic.judge(counts, n, decks)}
    for test, (value, times) in parts.items():
        if test:
            chosen = np.isclose(values, value, rtol=1e-9)
            assert chosen.sum() == times
            square = float(along[chosen] @ along[chosen]) / (decks * value)
            assert judged[test] == pytest.approx(two_sided_chi_square(square, times), rel=1e-6)


# The p-values: right in their formulas.


def summed(law: Law, decks: int) -> tuple[int, np.ndarray]:
    """Return the law of the sum of `decks` values, and its least value; adding only, it is right far out as well."""
    (likely,) = np.nonzero(law.probabilities > 1e-25)  # the others are too rare to matter in a tail of 1e-13
    result, base = np.ones(1), law.probabilities[likely[0] : likely[-1] + 1]
    for digit in f"{decks:b}":
        result = np.convolve(result, result)
        result = np.convolve(result, base) if digit == "1" else result
        result[result < 1e-200] = 0  # numbers near the least float are slow
    return decks * (law.low + int(likely[0])), result


@pytest.mark.cases(15)
@pytest.mark.parametrize("decks", [1, 16, 100, 1_000])
@pytest.mark.parametrize(
    "law",
    [
        parity_law(52),
        rencontres_law(4),
        rencontres_law(52),
        stirling_law(5),
        stirling_law(52),
        eulerian_law(52),
        peak_law(3),
        mahonian_law(6),
        footrule_law(6),
        increasing_law(52),
        hypergeometric_law(52, 21, 7),
    ],
    ids=lambda law: f"{len(law.weights)} values",
)
def test_the_tail_of_a_sum_is_right_within_two_percent_far_out_as_well(law, decks):
    checked = 0
    for one in (law, law.turned):
        low, chances = summed(one, decks)
        tails = np.cumsum(chances[::-1])[::-1]
        (far,) = np.nonzero((tails < 0.5) & (tails > 1e-13))
        for at in far[:: max(1, len(far) // 20)]:
            assert exp(log_tail(one, decks, low + int(at))) == pytest.approx(tails[at], rel=0.02)
            checked += 1
    assert checked or decks == 1


@pytest.mark.parametrize("decks", [10**6, 10**8, 10**10])
@pytest.mark.parametrize("law", [mahonian_law(52), eulerian_law(52)], ids=["inversions", "descents"])
def test_the_tail_of_a_huge_sum_keeps_its_digits_near_the_mean(law, decks):
    spread = sqrt(decks * law.variance)  # both laws are symmetric and near normal: the normal tail is right to 1e-6
    for z in (-3, -0.1, -0.02, -0.003, 0.001, 0.003, 0.009, 0.011, 0.05, 0.3, 2):
        total = round(decks * law.mean + z * spread)
        normal = float(laws.ndtr(-(total - 0.5 - decks * law.mean) / spread))
        assert exp(log_tail(law, decks, total)) == pytest.approx(normal, rel=1e-5)


def too_many(p_values: np.ndarray, budget: float) -> list[tuple[float, int]]:
    """Return the levels at which more of many fair p-values lie than chance allows, and how many.

    Of valid p-values at most a binomial number lie at or below each level; `budget` is the chance of a false alarm,
    over all levels. Of 200 p-values 45 below 0.1 are noticed, 12 below 0.01, and one that is next to nothing.
    """
    levels = (0.5, 0.1, 0.01, 1e-9)
    below = [(level, int(np.count_nonzero(p_values <= level))) for level in levels]
    return [
        (level, found) for level, found in below if binom.sf(found - 1, len(p_values), level) < budget / len(levels)
    ]


SAMPLES = 20_000


@pytest.mark.cases(1)
@pytest.mark.parametrize("decks", [10, 200, 5_000])
@pytest.mark.parametrize("law", [rencontres_law(52), stirling_law(8), mahonian_law(20)], ids=["3", "8", "20"])
def test_the_judges_of_a_law_raise_few_false_alarms(law, decks):
    # 9 cases, 3 p-values each: one of a million seeds would fail here. Of 20,000 p-values, 2,250
    # below 0.1 are noticed, 280 below 0.01: an error of a quarter or more.
    draws = np.random.default_rng(decks).multinomial(
        decks, law.probabilities / law.probabilities.sum(), size=SAMPLES // 10
    )
    found = {"mean shift": [], "fit": [], "extreme value": []}
    for counts in draws:
        found["mean shift"].append(mean_shift(law, counts))
        found["extreme value"].append(extreme_value(law, counts))
        if (p_value := goodness_of_fit(law, counts)) is not None:
            found["fit"].append(p_value)
    for judge, p_values in found.items():
        assert not too_many(np.array(p_values), 1e-6 / 27), judge
    assert len(found["fit"]) in (0, len(draws))
    assert len(found["fit"]) or decks == 10


@pytest.mark.parametrize(("cells", "decks"), [(3, 40), (50, 600), (61, 610), (200, 2_000), (2_652, 13_260)])
@pytest.mark.cases(1)
def test_even_cells_raise_few_false_alarms_and_as_many_as_they_say(cells, decks):
    # 5 cases, one of a million seeds would fail; an error of a quarter at 0.1 is noticed.
    rng = np.random.default_rng(cells)
    p_values = [even_cells(rng.multinomial(decks, np.full(cells, 1 / cells))) for _ in range(2_000)]
    assert not too_many(np.array(p_values), 1e-6 / 5)
    assert np.count_nonzero(np.array(p_values) < 0.1) > 120


@pytest.mark.long
def test_a_likelihood_ratio_of_uneven_cells_holds_far_out():
    # 50,000 samples: at the level 1e-3, 50 are expected and 95 would be noticed (chance 1e-8).
    rng = np.random.default_rng(8)
    chances = np.array([0.02, 0.03, 0.05, 0.1, 0.3, 0.5])
    p_values = np.array([deviance(chances * 500, counts) for counts in rng.multinomial(500, chances, size=50_000)])
    assert 20 < np.count_nonzero(p_values < 1e-3) < 95
    assert np.mean(p_values < 0.1) == pytest.approx(0.1, abs=0.008)  # six standard deviations


def test_a_likelihood_ratio_has_the_mean_of_its_chi_square_law_thanks_to_the_correction():
    # Over all outcomes of 30 draws in three cells. Of two degrees, a p-value is exp(-statistic / 2);
    # without Williams' correction the mean is 2.05.
    chances = np.array([0.2, 0.3, 0.5])
    mean = 0.0
    for one in range(31):
        for other in range(31 - one):
            counts = np.array([one, other, 30 - one - other])
            mean += multinomial.pmf(counts, 30, chances) * -2 * log(deviance(chances * 30, counts))
    assert mean == pytest.approx(2, abs=0.02)


def test_cells_are_joined_until_each_expects_enough_and_nothing_is_lost():
    expected, counts = np.array([1.0, 2, 30, 3, 9, 0.5]), np.array([0, 1, 20, 5, 8, 1])
    joined, seen = merged(expected, counts)
    assert joined.tolist() == [33, 12.5]
    assert seen.tolist() == [21, 14]


def test_a_single_odd_value_is_paid_for_as_often_as_there_were_decks():
    law = Law(0, (10**6 - 1, 1))
    odd = extreme_value(law, np.array([999, 1]))
    assert (odd, odd.score) == (pytest.approx(6e-3, rel=1e-3), 1)  # two ends, three ranks
    assert extreme_value(law, np.array([1_000, 0])) == 1


# The p-values: valid on fair decks, and low on those that are not.

FAIR_BATCHES = 200
SIZES = {2: 800, 3: 1_200, 4: 3_000, 9: 2_100, 14: 800, 52: 2_700}  # cards: decks


def evidence_of(columns: np.ndarray) -> Iterator[Evidence]:
    """Yield all evidence in some decks; kernels count the same, `test_fast_counts` says, in a tenth of the time."""
    n, decks = columns.shape
    view, batch = viewed(columns), of_rows(np.ascontiguousarray(columns.T))
    for statistic in (each for each in EVERY if each.fits(n)):
        quick = fast().get(statistic.name) if decks <= BLOCK else None
        counts = quick(batch) if quick else statistic.count(view)
        for each in statistic.judge(counts, n, decks):
            assert words_of(each)
            assert each.statistic == statistic.name
            assert each.p_value.degrees is None or each.p_value.degrees > 0
            yield each


@pytest.mark.long
@pytest.mark.parametrize("n", SIZES)
def test_fair_decks_raise_no_more_alarms_than_stated(n):
    # Over all sizes and tests one of a thousand sets of seeds would fail here.
    rng, found = np.random.default_rng(1_000 + n), dict[str, list[float]]()
    for _ in range(FAIR_BATCHES):
        for each in evidence_of(fair(n, SIZES[n], rng)):
            found.setdefault(each.name, []).append(each.p_value)
    for test, p_values in found.items():
        assert len(p_values) == FAIR_BATCHES, test
        assert min(p_values) >= 0, test
        assert max(p_values) <= 1, test
        assert not too_many(np.array(p_values), 1e-3 / len(SIZES) / len(found)), test


ALARM = 1e-6


def sorted_by(kinds: Callable[[int], np.ndarray | None], n: int) -> np.ndarray:
    known = kinds(n)
    return np.arange(n) if known is None else np.argsort(known, kind="stable")


def woven(kinds: Callable[[int], np.ndarray | None], n: int) -> np.ndarray:
    """Return a deck in which kinds take turns."""
    known = kinds(n)
    if known is None:
        return np.arange(n)
    turn = np.array([np.count_nonzero(known[:card] == known[card]) for card in range(n)])
    return np.lexsort((known, turn))


def always(deck: np.ndarray, decks: int) -> np.ndarray:
    return np.tile(deck.astype(np.int16), (decks, 1)).T


def chained(n: int, order: int, decks: int, rng: np.random.Generator) -> np.ndarray:
    """Return decks of which every (order + 1)-th follows from those since the last such one; all others are fair."""
    orders = all_orders(n).columns
    rank = rng.integers(orders.shape[1], size=decks)
    for at in range(order, decks, order + 1):
        rank[at] = -rank[at - order : at].sum() % orders.shape[1]
    return orders[:, rank]


def broken_decks(n: int) -> Iterator[tuple[str, np.ndarray]]:
    decks = 20_000 if n < 5 else 3_000
    rng = np.random.default_rng(n)
    yield "sorted", always(np.arange(n), decks)
    yield "turned over", always(np.arange(n)[::-1], decks)
    yield "sorted by rank", always(sorted_by(ranks, n), decks)
    for kinds in (halves, suits, ranks):
        yield "woven", always(woven(kinds, n), decks)
    cut = (np.arange(decks) + np.arange(n)[:, None]) % n
    yield "cut in turn", cut.astype(np.int16)
    yield "up and down", always(np.lexsort((np.arange(n), np.arange(n) % 2 == 0))[woven(halves, n)], decks)
    for shuffle in ("sattolo", "smoothed", "pile-7-random", "seed-15", "new-top", "randu"):
        if find(shuffle).least <= n and (shuffle != "smoothed" or n >= 14):
            yield shuffle, sampled(find(shuffle).decks(n, Random(n)), decks)
    if n <= 4:
        for order in range(1, 7):
            yield f"chain of order {order}", chained(n, order, decks, rng)


@pytest.mark.long
@pytest.mark.parametrize("n", SIZES)
def test_every_alarm_is_raised_once(n):
    every = evidence_of(fair(n, SIZES[n], np.random.default_rng(1_000 + n)))
    least = {each.name: (1.0, "") for each in every}
    for broken, columns in broken_decks(n):
        for decks in (1, n, columns.shape[1]):  # the oddest of a few decks is odder than the oddest of many
            for each in evidence_of(columns[:, :decks]):
                least[each.name] = min(least.get(each.name, (1.0, "")), (each.p_value, broken))
    assert {test: found for test, found in least.items() if found[0] >= ALARM} == {}


def test_the_two_sides_of_a_mean_are_told_apart_in_words():
    for statistic in SCALARS:
        if not statistic.fits(52):
            continue
        law = statistic.law(52)
        for at, means in ((0, statistic.few), (-1, statistic.many)):
            counts = np.zeros(len(law.weights), dtype=np.int64)
            counts[at] = 100
            found = next(each for each in statistic.judge(counts, 52, 100) if each.test == "mean")
            assert found.means == means


@pytest.mark.parametrize(("cells", "decks"), [(61, 64), (99, 128), (200, 256), (2_652, 2_652)])
def test_sparse_cells_are_not_judged_since_their_far_tail_is_unknown(cells, decks):
    """At one deck a cell Pearson's sum raises 18 to 75,000 times as many alarms at 1e-6 to 1e-12 as it says."""
    rng = np.random.default_rng(cells)
    assert even_cells(rng.multinomial(decks, np.full(cells, 1 / cells))) is None
