"""Every shuffle known by name: the fair are fair, the faulty have the fault they say.

Laws are enumerated where they can be: a source of randomness takes every draw in turn, so chances
are exact fractions. Where they cannot, the fault itself is shown, or a fixed seed is sampled.
"""

import json
import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from functools import partial
from importlib import import_module
from itertools import islice, pairwise, permutations
from math import comb, factorial, inf, log2, prod
from pkgutil import iter_modules
from random import Random

import pytest
from scipy.stats import chi2, hypergeom

from fairdeck import shuffles
from fairdeck.cli import main
from fairdeck.cli.exits import FINE
from fairdeck.errors import FairdeckError
from fairdeck.permutation import cycles, descents, identity, inverse, rising_sequences, then
from fairdeck.shuffles import Known, Model, families, find, registry
from fairdeck.shuffles.mwc1616 import mwc1616
from fairdeck.shuffles.old_generators import Congruential
from fairdeck.shuffles.sort_keys import SortKeys
from fairdeck.shuffles.spread import OnceMore, playable, unpaired
from fairdeck.shuffles.swap_or_not import SwapOrNot
from fairdeck.shuffles.transpositions import Transpositions
from fairdeck.shuffles.walks import n_moves

NAMES = list(registry())
FAIR = [name for name in NAMES if registry()[name].fair]
FAULTY = [name for name in NAMES if not registry()[name].fair]
UNFINISHED = None


class EveryDraw(Random):
    """A source whose draws come from an odometer; `random()` takes the middle of each of `cells` equal parts.

    That is exact for a shuffle that asks only where `random()` lies between whole multiples of 1/cells.
    """

    cells = 12
    most = inf

    def restart(self, script):
        """Give the choices of the script, then first choices; note what else could have been chosen."""
        self.script, self.bounds = script, []

    def _randbelow(self, n):
        place = len(self.bounds)
        self.bounds.append(n)
        if place == len(self.script):
            self.script.append(0)
            if prod(self.bounds) > self.most:
                raise EndlessError
        return self.script[place]

    def getrandbits(self, k):
        return self._randbelow(2**k)

    def random(self):
        return (self._randbelow(self.cells) + 0.5) / self.cells


class EndlessError(Exception):
    """More ways to draw than were allowed."""


class Noted(Random):
    """A fair source that notes how many outcomes each draw had."""

    def __init__(self, seed):
        super().__init__(seed)
        self.widths = []

    def _randbelow(self, n):
        self.widths.append(n)
        return Random.randrange(self.plain, n)

    def getrandbits(self, k):
        self.widths.append(2**k)
        return self.plain.getrandbits(k)

    def random(self):
        self.widths.append(2**53)
        return self.plain.random()

    def seed(self, *args):
        self.plain = Random(*args)


def law(shuffle, n, decks=1, cells=12, most=inf):
    """Return the exact law of a shuffle's first decks; the shuffle is a name or an object.

    What can go on for more than `most` equally likely ways is counted as `UNFINISHED`.
    """
    known = find(shuffle) if isinstance(shuffle, str) else Known("test", shuffle, says="", source="")
    source = EveryDraw()
    source.cells, source.most = cells, most
    ways, script = Counter(), []
    while True:
        source.restart(script)
        try:
            made = tuple([tuple(deck) for deck in islice(known.decks(n, source), decks)])
        except EndlessError:
            # This draw stands for all its outcomes at once.
            made = UNFINISHED
            source.bounds.pop()
            script.pop()
        ways[made, prod(source.bounds)] += 1
        while script and script[-1] == source.bounds[len(script) - 1] - 1:
            script.pop()
        if not script:
            break
        script[-1] += 1
    chances = Counter()
    for (made, width), count in ways.items():
        chances[made if made is UNFINISHED or decks > 1 else made[0]] += Fraction(count, width)
    return dict(chances)


def uniform(n):
    return dict.fromkeys(permutations(range(n)), Fraction(1, factorial(n)))


def distance(one, other):
    """Return the total variation distance of two laws."""
    return sum(abs(one.get(deck, 0) - other.get(deck, 0)) for deck in one.keys() | other.keys()) / 2


def followed_by(one, other):
    """Return the law of shuffling by one law and then, independently, by another."""
    both = Counter()
    for p, chance in one.items():
        for q, other_chance in other.items():
            both[then(p, q)] += chance * other_chance
    return dict(both)


def sampled(name, n, count, seed=1):
    return list(islice(find(name).decks(n, Random(seed)), count))


def widths(name, n, decks=1, seed=1):
    """Return how many outcomes each draw had, while so many decks were made."""
    source = Noted(seed)
    made = find(name).decks(n, source)
    for _ in range(decks):
        next(made)
    return source.widths


# Every shuffle


def test_the_registry_has_every_shuffle_once():
    listed = [
        known.name
        for module in iter_modules(shuffles.__path__)
        for known in getattr(import_module(f"{shuffles.__name__}.{module.name}"), "KNOWN", ())
    ]
    assert sorted(listed) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_shuffle_yields_permutations_of_any_number_of_cards_but_too_few(name):
    known = find(name)
    assert known.least >= 1
    with pytest.raises(FairdeckError, match=rf"{name} needs {known.least} cards or more"):
        next(known.decks(known.least - 1, Random(1)))
    for n in [*range(known.least, 9), max(known.least, 52), 500]:
        for deck in islice(known.decks(n, Random(n)), 5):
            assert len(deck) == n
            assert sorted(deck) == list(range(n))


@pytest.mark.parametrize("name", NAMES)
def test_every_shuffle_takes_all_its_randomness_from_the_source_it_is_handed(name):
    outside, n = random.getstate(), max(find(name).least, 52)
    decks = [tuple(deck) for deck in sampled(name, n, 6)]
    random.seed(2)
    assert [tuple(deck) for deck in sampled(name, n, 6)] == decks
    random.setstate(outside)
    sampled(name, n, 6)
    assert random.getstate() == outside
    if widths(name, n):
        assert [tuple(deck) for deck in sampled(name, n, 6, seed=2)] != decks


@pytest.mark.parametrize("name", NAMES)
def test_every_shuffle_says_what_it_is_in_one_plain_sentence(name):
    known = find(name)
    assert name == name.lower() and " " not in name
    assert 10 < len(known.says) <= 120 and not known.says.endswith(".")
    assert known.source and "\n" not in known.says + known.source


# The fair

# Their draws have too many outcomes to enumerate, or do not come from the source one by one.
SAMPLED = ["dealt", "fairdeck", "lehmer-16", "numpy-permutation", "sort-keys-128"]
# They draw until something happens, so their enumeration must be cut off somewhere.
ENDLESS = ["draw-again", "rejection", "top-to-random-until"]


@pytest.mark.cases(8)
@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("name", [name for name in FAIR if name not in SAMPLED])
def test_every_fair_shuffle_is_exactly_uniform(name, n):
    found = law(name, n, most=70_000)
    # Some draw again and again. Cut off after so many draws, those that have ended must be even too.
    unfinished = found.pop(UNFINISHED, 0)
    assert len(found) == factorial(n)
    assert len(set(found.values())) == 1
    assert unfinished < Fraction(1, 2)
    assert (unfinished > 0) is (name in ENDLESS)


FALSE_ALARM = 1e-9
DECKS = 6_000


def alarms(name, seed=7):
    """Return which of two chi-square tests sound: all orders of 4 cards, and all pairs of decks of 3.

    Each sounds for a fair shuffle with probability 1e-9, whatever the seed; the seed is fixed. Each sounds nearly
    surely where the sum of (chance - fair)^2 / fair is .03 or more, say one order in four off by a third.
    """
    single = Counter(tuple(deck) for deck in islice(find(name).decks(4, Random(seed)), DECKS))
    threes = map(tuple, find(name).decks(3, Random(seed)))
    pairs = Counter(islice(zip(threes, threes, strict=True), DECKS))
    return [too_uneven(single, 24), too_uneven(pairs, 36)]


def too_uneven(counts, cells):
    expected = counts.total() / cells
    statistic = sum(count**2 for count in counts.values()) / expected - counts.total()
    return bool(statistic > chi2.isf(FALSE_ALARM, cells - 1))


@pytest.mark.long
@pytest.mark.cases(1)
@pytest.mark.parametrize("name", SAMPLED)
def test_the_fair_shuffles_that_cannot_be_enumerated_look_fair(name):
    assert alarms(name) == [False, False]


def test_the_sampled_test_detects_a_faulty_shuffle_and_a_faulty_sequence():
    assert alarms("naive") == [True, True]
    assert alarms("turned-over") == [False, True]


# The faulty: the whole law, for a few cards, with what `random()` must be cut into

EXACT = {
    "adjacent-swaps-n": (3, 1),
    "affine": (4, 1),
    "anti-clump": (5, 1),
    "comparator-insertion": (3, 1),
    "comparator-merge": (3, 1),
    "comparator-sort": (4, 1),
    "comparator-sort-go": (4, 1),
    "comparator-sort-java": (4, 1),
    "comparator-sort-python": (4, 1),
    "even": (4, 1),
    "forgets": (3, 1),
    "hindu": (3, 10),
    "inside-out-clamped": (3, 1),
    "lazy": (2, 1),
    "modulo-8": (3, 1),
    "multiply-8": (3, 1),
    "naive": (3, 1),
    "next-free": (3, 1),
    "overhand": (3, 5),
    "random-to-random-n": (3, 1),
    "round": (3, 4),
    "sattolo": (3, 1),
    "shuffle-buffer-2": (3, 1),
    "sort-keys-6": (2, 1),
    "stops-early": (3, 1),
    "strip": (3, 13),
    "stuck-pair": (3, 1),
    "top-stays": (3, 1),
    "transpositions-n-distinct": (3, 1),
    "turn": (3, 1),
    "turned-pile": (3, 1),
}
SEEN = {}


def seen(*names):
    def noted(check):
        SEEN.update(dict.fromkeys(names, check))
        return check

    return noted


@pytest.mark.cases(10)
@pytest.mark.parametrize("name", EXACT)
def test_a_faulty_shuffle_is_not_uniform(name):
    n, cells = EXACT[name]
    found = law(name, n, cells=cells, most=100_000)
    assert UNFINISHED not in found
    assert sum(found.values()) == 1
    assert distance(found, uniform(n)) > 0


@seen("modulo-12", "modulo-15", "modulo-16", "scaled-16", "sort-keys-12", "sort-keys-16")
def tosses_a_fixed_number_of_coins(name):
    # So every chance is a whole number over a power of two; one in six is not.
    drawn = [widths(name, 3, seed=seed) for seed in range(100)]
    bits = int(name.rpartition("-")[2])
    assert set(drawn[0]) == {2**bits}
    assert all(each == drawn[0] for each in drawn)


@seen("seed-15", "seed-24", "seed-32", "planet-poker", "freecell", "fast-shuffle")
def one_small_draw_decides_the_whole_deck(name):
    for seed in range(20):
        drawn = widths(name, 52, seed=seed)
        assert len(drawn) == 1
        assert drawn[0] <= 2**32 < factorial(52)


@seen("randu", "msvc-rand", "bsd-rand", "seed-time", "glibc-random", "glibc-modulo", "dotnet-random")
def one_small_draw_decides_all_decks(name):
    drawn = widths(name, 52, decks=100)
    assert drawn == [2**31]
    assert drawn[0] < factorial(13)


@seen("unseeded", "faro-in", "faro-out", "monge", "pile-7", "batched-zero")
def always_gives_the_same_deck(name):
    assert widths(name, 52, decks=20) == []
    assert len({tuple(deck) for deck in sampled(name, 52, 20)}) == 1


@seen("pile-7-random")
def reaches_few_orders(name):
    for seed in range(20):
        assert prod(widths(name, 52, seed=seed)) == factorial(7) * 52 < factorial(52)


@seen("thorp")
def keeps_the_halves_in_pairs(name):
    assert all(abs(deck[2 * pair] - deck[2 * pair + 1]) == 26 for deck in sampled(name, 52, 50) for pair in range(26))
    assert len(law(name, 5)) == find(name).shuffle.support(5) == 4
    assert set(law(name, 4).values()) == {Fraction(1, 4)}


@seen("riffle-neat", "riffle-clumpy", "mash")
def leaves_at_most_two_rising_sequences(name):
    assert max(map(rising_sequences, sampled(name, 52, 300))) == 2
    assert {rising_sequences(deck) for deck in sampled(name, 3, 300)} == {1, 2}  # so never 2, 1, 0


@seen("casino")
def leaves_few_rising_sequences(name):
    # A fair deck has 26.5 on average; the mean of 200 has a standard deviation of .15 (Eulerian).
    assert sum(map(rising_sequences, sampled("fisher-yates", 52, 200))) / 200 == pytest.approx(26.5, abs=0.9)
    assert sum(map(rising_sequences, sampled(name, 52, 200))) / 200 < 21


@seen("shoe-restack", "shoe-two-pass", "shoe-ladder")
def leaves_few_rising_sequences_of_a_shoe(name):
    # A fair shoe has 156.5 on average; the mean of 40 has a standard deviation of .8 (Eulerian).
    assert sum(map(rising_sequences, sampled(name, 312, 40))) / 40 < 145


@seen("swap-or-not")
def is_never_quite_even_however_many_rounds(name):
    step = law(SwapOrNot(rounds=1), 4)
    walk = step
    distances = [distance(walk, uniform(4))]
    for _ in range(2, 31):
        walk = followed_by(walk, step)
        distances.append(distance(walk, uniform(4)))
    assert find(name).shuffle == SwapOrNot(rounds=30)
    assert distances == sorted(distances, reverse=True)
    assert 0 < distances[-1] < 1e-3
    assert law(SwapOrNot(rounds=2), 3) == followed_by(law(SwapOrNot(1), 3), law(SwapOrNot(1), 3))


@seen("transpositions-2n")
def makes_too_few_swaps(name):
    assert widths(name, 52) == [52] * 4 * 52
    step = law(Transpositions(lambda n: 1), 3)
    walk = step
    for _ in range(5):
        walk = followed_by(walk, step)
    assert distance(walk, uniform(3)) > 0
    fixed = sum(card == place for deck in sampled(name, 52, 2_000) for place, card in enumerate(deck)) / 2_000
    # A card stays with chance 1/n + (1 - 1/n)(1 - 2/n)^(2n): 1.87 cards of 52, and not one. Both have
    # a variance near 1.9 or 1, so a standard deviation of .03 for the mean.
    assert fixed == pytest.approx(1 + 51 * (1 - 2 / 52) ** 104, abs=0.2)


@seen("smoothed")
def has_too_many_average_hands(name):
    # A first hand out of 2..4 lands (21 of 52 are) is drawn anew, so only p^2 of hands are out, not p.
    out = 1 - sum(hypergeom.pmf(lands, 52, 21, 7) for lands in (2, 3, 4))
    hands = [sum(card < 21 for card in deck[-7:]) for deck in sampled(name, 52, 10_000)]
    share = sum(lands not in (2, 3, 4) for lands in hands) / 10_000
    assert 0.15 < out < 0.3
    assert share == pytest.approx(out**2, abs=0.015)  # six standard deviations
    assert distance(law(OnceMore(partial(playable, hand=2, few=1, many=1)), 4), uniform(4)) > 0


@seen("feistel-linear")
def puts_the_fourth_card_where_the_other_three_say(name):
    for deck in sampled(name, 64, 20):
        assert all(deck[0] ^ deck[x] ^ deck[y] == deck[x ^ y] for x in range(64) for y in range(64))


@seen("forked-workers")
def makes_each_batch_of_eight_four_times(name):
    decks = sampled(name, 52, 64)
    assert decks[:8] == decks[8:16] == decks[24:32]
    assert len(set(decks)) == 16


@seen("shuffle-buffer-26")
def lets_no_card_out_early(name):
    for deck in sampled(name, 52, 200):
        assert all(card - place < 26 for place, card in enumerate(deck))


@seen("v8-mwc1616")
def hardly_sees_the_second_half_of_its_seed(name):
    one, other = (
        [[draw * 52 >> 32 for draw in islice(mwc1616(upper, lower), 50)] for upper in range(1, 200)]
        for lower in (1, 2**31)
    )
    assert widths(name, 52) == [2**32, 2**32]
    assert sum(a == b for a, b in zip(one, other, strict=True)) > 150  # a place differs in some 1 of 2,000 draws


@seen("lehmer-16-scaled")
def favours_some_numbers_by_one_word_in_65536(name):
    drawn = {bound: draws_of(find(name).shuffle, bound) for bound in (3, 52)}
    assert sorted(drawn[3].values()) == [21_845, 21_845, 21_846]
    assert Counter(drawn[52].values()) == {1_260: 36, 1_261: 16}
    fair = {bound: draws_of(find("lehmer-16").shuffle, bound) for bound in (2, 3, 52, 104)}
    assert all(set(counts.values()) == {65_536 // bound} for bound, counts in fair.items())


def draws_of(shuffle, bound):
    """Return how many words of 16 bits give each number below a bound, without the rejected words."""
    counts = Counter()
    for word in range(65_536):
        words = [word]
        source = Noted(1)
        source.getrandbits = lambda _bits, words=words: words.pop()
        try:
            counts[shuffle._below(bound, source)] += 1
        except IndexError:  # it asked for another word
            assert shuffle.rejecting
    return counts


@seen("no-pocket-pair")
def pairs_the_first_player_too_seldom(name):
    decks = sampled(name, 52, 20_000)
    pairs = sum(deck[51] % 13 == deck[45] % 13 for deck in decks)
    assert 0 < pairs / 20_000 < 1.5 * (3 / 51) ** 2  # both shuffles must give one
    assert sum(deck[50] % 13 == deck[44] % 13 for deck in decks) / 20_000 == pytest.approx(3 / 51, abs=0.01)
    assert not unpaired(range(12))  # of three ranks: 11 at the top, 5 six places below it
    assert unpaired([0, 1, 2, 3, 5, 4, 6, 7, 8, 9, 10, 11])


@seen("an-ace-each")
def spreads_the_aces_over_the_hands(name):
    each = Fraction(13**4, comb(52, 4))
    share = sum(len({at % 4 for at in range(52) if deck[at] % 13 == 0}) == 4 for deck in sampled(name, 52, 20_000))
    assert share / 20_000 == pytest.approx(float(1 - (1 - each) ** 2), abs=0.015)


@seen("repeats")
def repeats_the_deck_before_now_and_then(name):
    pairs = law(name, 3, decks=2)
    again = sum(chance for (first, second), chance in pairs.items() if first == second)
    assert again == Fraction(1, 50) + Fraction(49, 50) / 6
    assert law(name, 3) == uniform(3)


@seen("turned-over")
def turns_over_every_second_deck(name):
    assert all(second == first[::-1] for first, second in law(name, 3, decks=2))
    assert law(name, 3) == uniform(3)


@seen("new-top")
def never_has_the_same_top_twice(name):
    assert all(one[-1] != other[-1] for one, other in pairwise(sampled(name, 3, 500)))
    assert law(name, 3) == uniform(3)


@seen("naive-carried", "cut-carried")
def is_only_a_move_away_from_the_deck_before(name):
    moves = Counter()
    for (first, second), chance in law(name, 3, decks=2).items():
        moves[then(inverse(first), second)] += chance
    assert moves == law(name.removesuffix("-carried"), 3)
    assert distance(moves, uniform(3)) > 0


@pytest.mark.cases(12)
@pytest.mark.parametrize("name", SEEN)
def test_a_faulty_shuffle_shows_its_fault(name):
    SEEN[name](name)


def test_no_faulty_shuffle_goes_without_its_fault_shown():
    """An exact law shows it, which the next test counts; else it needs a line above."""
    shown = {*EXACT, *SEEN, *LAWS}
    assert shown >= set(FAULTY), (
        f"without an exact law, or a fault shown: add a line to EXACT above, or a function with @seen: "
        f"{set(FAULTY) - shown}"
    )
    assert shown <= set(FAULTY), f"no faulty shuffles: remove from EXACT or @seen: {shown - set(FAULTY)}"


def exact_law(model, n):
    found = model.law([model], n) if isinstance(model, Model) else None
    return found if found and found.exact and found.total_variation is not None else None


MODELS = [name for name, known in registry().items() if isinstance(known.shuffle, Model)]
MODELS += [family.example for family in families().values()]
LAWS = [name for name in FAULTY if exact_law(find(name).shuffle, 3) and name not in SEEN]


@pytest.mark.parametrize("name", MODELS)
def test_every_model_tells_the_truth_of_few_cards(name):
    model = find(name).shuffle
    for n in (2, 3):
        found = law(model, n, most=8_000)
        if UNFINISHED not in found:
            assert len(found) <= (model.support(n) or inf)
            assert len(found) == 1 or not model.deterministic
            if known := exact_law(model, n):
                assert known.total_variation == distance(found, uniform(n))
                assert known.total_variation > 0 or n == 2
                ratios = [factorial(n) * found.get(order, 0) for order in uniform(n)]
                assert (known.separation, known.l_infinity) == (1 - min(ratios), max(abs(x - 1) for x in ratios))
        else:
            assert name not in LAWS


# Numbers from the literature, and what each says of itself


@pytest.mark.parametrize(
    ("name", "parts", "ways"),
    [
        ("naive", 27, [4, 5, 5, 5, 4, 4]),  # Robbins and Bolker
        ("round", 8, [1, 2, 1, 1, 2, 1]),  # draws the ends half as often
        ("comparator-insertion", 8, [2, 1, 2, 1, 1, 1]),  # coins for comparisons give each sort its own bias
        ("comparator-merge", 8, [2, 2, 1, 1, 1, 1]),
    ],
)
def test_the_orders_of_three_cards_have_the_chances_that_are_known(name, parts, ways):
    found = law(name, 3, cells=4)
    assert [parts * found[deck] for deck in permutations(range(3))] == ways


@pytest.mark.parametrize(
    ("shuffle", "n", "far"),
    [
        ("naive", 4, "25/384"),
        pytest.param(SortKeys(4), 4, "149/2048", marks=pytest.mark.long),
        pytest.param("modulo-8", 3, "1/384", marks=pytest.mark.long),
    ],
    ids=str,
)
def test_a_shuffle_is_as_far_from_fair_as_computed(shuffle, n, far):
    assert distance(law(shuffle, n), uniform(n)) == Fraction(far)


def test_sattolo_gives_every_single_cycle_and_nothing_else():
    found = law("sattolo", 5)
    assert set(found) == {deck for deck in permutations(range(5)) if len(cycles(deck)) == 1}
    assert set(found.values()) == {Fraction(1, 24)}


def test_slips_of_one_lose_what_they_say():
    assert set(law("top-stays", 4)) == {deck for deck in permutations(range(4)) if deck[3] == 3}
    assert len(law("stops-early", 4)) == 12
    assert set(law("even", 4)) == {deck for deck in permutations(range(4)) if (4 - len(cycles(deck))) % 2 == 0}
    assert set(law("stuck-pair", 4)) == {deck for deck in permutations(range(4)) if deck.index(3) == deck.index(2) + 1}
    for name in ["top-stays", "stops-early", "even", "stuck-pair", "affine"]:
        assert len(set(law(name, 4).values())) == 1, name


@pytest.mark.parametrize("bits", [1, 2, 3])
def test_sorting_by_narrow_keys_is_the_inverse_of_as_many_riffles(bits):
    found = law(SortKeys(bits), 4)
    for deck in permutations(range(4)):
        assert found.get(deck, 0) == Fraction(comb(2**bits + 3 - descents(deck), 4), 2 ** (4 * bits))


def test_an_uneven_riffle_gives_every_interleaving_of_a_cut_the_chance_of_the_cut():
    n, lower = 4, Fraction(1, 4)
    found = law("riffle(cut=1/4)", n, cells=4)
    for deck in permutations(range(n)):
        cuts = [cut for cut in range(n + 1) if is_in_order(deck, range(cut)) and is_in_order(deck, range(cut, n))]
        assert found.get(deck, 0) == sum(lower**cut * (1 - lower) ** (n - cut) for cut in cuts)
    assert distance(found, uniform(n)) == distance(law("riffle(cut=3/4)", n, cells=4), uniform(n))


def is_in_order(deck, cards):
    return [card for card in deck if card in cards] == list(cards)


def test_a_box_of_packets_turns_their_order():
    found = law("box(2, 3)", 4)
    for deck, chance in found.items():
        packets = 1 + sum(b != a + 1 for a, b in pairwise(deck))
        assert chance == Fraction(1, 2 * comb(3, packets - 1)), deck
        assert packets in (2, 3)
    assert len(found) == comb(3, 1) + comb(3, 2)
    assert law("box(9, 9)", 3) == {(2, 1, 0): 1} == law("box(3, 3)", 3)  # never more packets than cards


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("name", "favourite", "by"),
    [("modulo-8", 0, 1), ("modulo-12", 0, 1), ("modulo-15", 2, -1), ("modulo-16", 0, 1), ("scaled-16", 2, 1)],
)
def test_few_bits_favour_the_card_they_should(name, favourite, by):
    # The first draw alone decides the top card of three, so its outcomes are all that is counted.
    shuffle, tops = find(name).shuffle, Counter()
    bits = int(name.rpartition("-")[2])
    for value in range(2**bits):
        source = Noted(1)
        source.getrandbits = lambda _bits, value=value: value
        tops[shuffle(3, source)[2]] += 1
    other = (favourite + 1) % 3
    assert tops[favourite] - tops[other] == by
    assert sorted(tops) == [0, 1, 2]


@pytest.mark.long
def test_transpositions_leave_a_card_as_often_as_their_eigenvalue_says():
    for distinct, kept in [(False, 1 - Fraction(2, 4)), (True, 1 - Fraction(2, 3))]:
        found = law(Transpositions(n_moves, distinct), 4)
        stays = sum(chance for deck, chance in found.items() if deck[0] == 0)
        assert stays == Fraction(1, 4) + Fraction(3, 4) * kept**4
    odd = {deck for deck in permutations(range(3)) if (3 - len(cycles(deck))) % 2}
    assert set(law("transpositions-n-distinct", 3)) == odd


def test_walks_make_as_many_moves_as_they_say():
    moves = {"top-to-random": 1, "top-to-random-n": 52, "top-to-random-nlogn": 206, "transpositions-n": 104}
    moves |= {"transpositions-nlogn": 412, "adjacent-swaps-n": 52, "random-to-random-n": 104}
    assert {name: len(widths(name, 52)) for name in moves} == moves
    assert all([card for card in deck if card < 51] == list(range(51)) for deck in sampled("top-to-random", 52, 50))


def test_overhand_packets_keep_their_order_and_change_places():
    ways = {(0, 1, 2): 16, (1, 2, 0): 4, (2, 0, 1): 4, (2, 1, 0): 1}
    assert law("overhand", 3, cells=5) == {deck: Fraction(count, 25) for deck, count in ways.items()}
    for name, packet in [("overhand", 5), ("hindu", 10), ("strip", 13)]:
        packets = [1 + sum(b != a + 1 for a, b in pairwise(deck)) for deck in sampled(name, 52, 1_000)]
        assert sum(packets) / 1_000 == pytest.approx(1 + 51 / packet, abs=0.5)  # five standard deviations or more


def test_neat_riffles_drop_single_cards_and_clumsy_ones_clumps():
    broken = {}
    for name in ["riffle-neat", "riffle", "riffle-clumpy", "mash"]:
        decks = sampled(name, 52, 500)
        broken[name] = sum(b != a + 1 for deck in decks for a, b in pairwise(deck)) / 500
    assert broken["riffle-neat"] > broken["riffle"] + 5
    assert broken["riffle"] > broken["riffle-clumpy"] + 5
    assert broken["riffle-clumpy"] > broken["mash"] + 3


@pytest.mark.parametrize(("name", "times"), [("faro-out", 8), ("faro-in", 52), ("monge", 12)])
def test_perfect_riffles_bring_52_cards_back(name, times):
    backs = [count for count in range(1, times + 1) if sampled(f"{name}*{count}", 52, 1)[0] == identity(52)]
    assert backs == [times]
    assert (sampled(name, 52, 1)[0][-1] == 51) is (name == "faro-out")


def test_seven_piles_in_turn_bring_every_seventh_card_together():
    (deck,) = sampled("pile-7", 52, 1)
    assert deck[:9] == [51, 44, 37, 30, 23, 16, 9, 2, 50]
    for deck in sampled("pile-7-random", 52, 50):
        assert sum(one - other == 7 for one, other in pairwise(deck)) >= 44


def test_affine_decks_step_evenly():
    for deck in sampled("affine", 52, 50):
        assert len({(other - one) % 52 for one, other in pairwise(deck)}) == 1
    assert len(law("affine", 7)) == 42


def test_parted_suits_meet_less_often_than_by_chance():
    pairs = {}
    for name in ["anti-clump", "fisher-yates"]:
        decks = sampled(name, 52, 200)
        pairs[name] = sum(one // 13 == other // 13 for deck in decks for one, other in pairwise(deck)) / 200
    assert pairs["fisher-yates"] == pytest.approx(12, abs=1.5)  # exactly 51 * 12/51; six standard deviations
    assert pairs["anti-clump"] < 1


def test_lazy_decks_leave_what_they_say():
    assert law("lazy", 2)[0, 1] == Fraction(1, 100) + Fraction(99, 100) / 2
    assert law("forgets", 3)[0, 1, 2] == Fraction(1, 100) + Fraction(99, 100) / 6


def test_a_full_row_makes_the_place_behind_it_likelier():
    # The second card goes behind the first with two chances of three.
    found = law("next-free", 3)
    assert sum(chance for deck, chance in found.items() if deck[1] == 1 and deck[0] == 0) == Fraction(2, 9)


@pytest.mark.long
def test_narrow_seeds_repeat_whole_decks():
    # Expected repetitions: N^2 / 2C = 61 and 11.9, so none among so many has chances below 1e-26 and 7e-6.
    for name, decks in [("seed-15", 2_000), ("seed-24", 20_000)]:
        made = Counter(tuple(deck) for deck in sampled(name, 52, decks))
        expected = decks**2 / 2 / 2 ** int(name.removeprefix("seed-"))
        assert expected / 3 < decks - len(made) < 3 * expected
    assert log2(widths("seed-32", 52)[0]) == 32


def test_a_clock_for_a_seed_gives_each_deck_four_times():
    decks = sampled("seed-time", 52, 40)
    for at in range(0, 40, 4):
        assert len(set(decks[at : at + 4])) == 1
    assert len(set(decks)) == 10


def test_the_poker_site_never_leaves_the_top_card_on_top():
    assert {deck[-1] for deck in sampled("planet-poker", 4, 300)} == {0, 1, 2}


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("randu", [65539, 393225, 1769499, 7077969, 26542323]),  # OEIS A096555
        ("msvc-rand", [41, 18467, 6334, 26500, 19169]),  # what its programs print after srand(1)
        ("bsd-rand", [1103527590, 377401575, 662824084, 1147902781, 2035015474]),  # likewise
    ],
)
def test_old_generators_give_the_numbers_they_are_known_for(name, numbers):
    generator = find(name).shuffle
    assert isinstance(generator, Congruential)
    assert list(islice(generator.numbers(1), 5)) == numbers


def test_old_generators_carry_on_from_deck_to_deck():
    # The lowest bit of the old Unix rand() alternates, so two cards are swapped every second time.
    assert all(one != other for one, other in pairwise(sampled("bsd-rand", 2, 50)))
    for name in ["randu", "msvc-rand", "bsd-rand"]:
        assert len({tuple(deck) for deck in sampled(name, 52, 50)}) == 50


def test_the_dealt_deck_is_the_order_that_was_drawn():
    for n in [1, 2, 10, 52, 500]:
        assert list(map(tuple, sampled("dealt", n, 3))) == list(map(tuple, sampled("fairdeck", n, 3)))


# Names


def test_a_shuffle_repeated_starts_from_the_deck_before():
    assert law("top-to-random*3", 3) == law("top-to-random-n", 3)
    assert find("riffle*7").name == "riffle*7"
    assert find(" naive * 2 ").name == "naive*2"
    assert not find("naive*2").fair
    assert find("fisher-yates*3").fair


# The command


def test_the_command_lists_every_shuffle_in_lines_that_fit(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["shuffles"]) == FINE
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    kinds = lines.index(f"WITH PARAMETERS ({len(families())})")
    listed = [line for line in lines if line.startswith("  ") and line[2] != " "]
    assert sorted(line.split()[0] for line in listed if lines.index(line) < kinds) == NAMES
    assert all(any(line.startswith(f"  {each.example} ") for line in listed) for each in families().values())
    fair = lines.index(f"FAIR: every order is equally likely ({len(FAIR)})")
    assert lines[fair + 1].split()[0] == FAIR[0]


def test_the_command_shows_one_in_full(capsys):
    assert main(["shuffles", "sattolo"]) == FINE
    out = capsys.readouterr().out
    known = find("sattolo")
    assert out.startswith("sattolo: faulty\n")
    assert known.says in " ".join(out.split())
    assert known.source in " ".join(out.split())


def test_the_command_shows_a_recipe_with_its_steps_and_a_family_with_its_parameters(capsys):
    assert main(["shuffles", "(riffle*2+strip)*2 + cut"]) == FINE
    out = " ".join(capsys.readouterr().out.split())
    assert out.startswith("(riffle*2 + strip)*2 + cut: faulty; a guess at packets off the top ")
    assert "steps riffle 2 times, then strip 1 time, then riffle 2 times, then strip 1 time, then cut 1 time" in out
    for name in ["overhand(4)", "riffle", "a-shuffle"]:  # the last needs its packets: one is shown
        assert main(["shuffles", name]) == FINE
        out = " ".join(capsys.readouterr().out.split())
        (family,) = [each for each in families().values() if each.name == name.partition("(")[0]]
        assert all(f"{parameter.name}: {parameter.says}" in out for parameter in family.takes)
    assert main(["shuffles", "riffle*2 + cut", "--json"]) == FINE
    assert json.loads(capsys.readouterr().out)["shuffles"][0]["steps"] == [["riffle", 2], ["cut", 1]]


def test_the_command_lists_them_as_json(capsys):
    assert main(["shuffles", "--json"]) == FINE
    listed = json.loads(capsys.readouterr().out)["shuffles"]
    assert [each["name"] for each in listed] == [*NAMES, *(each.example for each in families().values())]
    fields = ("name", "fair", "by_hand", "says", "source", "carried", "least", "takes", "steps")
    assert {tuple(each) for each in listed} == {fields}
    assert {each["name"]: each["takes"] for each in listed}["shelf(20)"] == [
        {"name": "shelves", "least": 1, "most": 1_000_000, "default": 10, "says": "how many", "kind": "int"},
        {
            "name": "top",
            "least": 0.001,
            "most": 0.999,
            "default": 0.5,
            "says": "chance that a card goes on top",
            "kind": "float",
        },
    ]
    assert main(["shuffles", "riffle*7", "--json"]) == FINE
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["shuffles"]] == ["riffle*7"]


def test_the_command_answers_a_bad_name_in_one_line(refused):
    assert "did you mean riffle" in refused("shuffles", "rifle")


def test_listing_them_leaves_numpy_unloaded():
    code = "import sys; from fairdeck.cli import main; main(['shuffles']); sys.exit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
