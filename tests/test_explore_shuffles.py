"""The shuffles, counts and laws of the pages, run in an embedded JavaScript engine, against those of Python."""

import json
from itertools import permutations
from math import ceil, comb, exp, floor, lgamma
from random import Random

import numpy as np
import pytest
from scipy.special import chdtrc, erfc, gammaincc, gammaln, pdtr, pdtrc

from fairdeck.lab.blocks import Block
from fairdeck.lab.experiments.histogram import measure
from fairdeck.lab.statistics.rank_histogram import rank_bins
from fairdeck.lab.view import deck_view
from fairdeck.permutation import rising_sequences
from fairdeck.shuffles import find
from tests.page_scripts import engine_of

HELPERS = """
function taped(recipe, cards, text) {
  const tape = JSON.parse(text), deck = Array.from({ length: cards }, (_, i) => i);
  let at = 0;
  const take = (bound) => {
    const [asked, drawn] = tape[at++];
    if (asked !== bound) throw new Error(`draw ${at} is below ${bound}, not ${asked}`);
    return drawn;
  };
  shuffleOf(recipe)(deck, { below: take, real: () => take(0) });
  if (at !== tape.length) throw new Error(`${at} draws, not ${tape.length}`);
  return JSON.stringify(deck);
}
function counted(text, cards, bins) {
  const counts = noCounts(cards, bins), add = counter(counts, cards, bins);
  for (const deck of JSON.parse(text)) add(deck);
  const tests = [binsTest(counts), placesTest(counts, cards), sequencesTest(counts, cards)];
  const all = allTests(counts, cards);
  return JSON.stringify({ ...counts, bins: [...counts.bins], places: [...counts.places], tests, all });
}
function drawn(kind, seed, bounds, times) {
  const draws = { seededDraws, evenDraws }[kind](seed);
  return JSON.stringify(JSON.parse(bounds).map((bound) => {
    const counts = Array(bound).fill(0);
    for (let i = 0; i < times; i++) counts[draws.below(bound)]++;
    return counts;
  }));
}
function names() {
  return JSON.stringify(Object.entries(SHUFFLES).map(([name, { fair, ours }]) => [name, Boolean(fair), Boolean(ours)]));
}
function reals(seed, times) {
  const { real } = seededDraws(seed);
  return JSON.stringify(Array.from({ length: times }, real));
}
function inDoubles(name, ...args) {
  return { logGamma, gammaTail, normalTails, chiSquareTail, chanceBand }[name](...args);
}
"""


class Noted(Random):
    """A generator that notes every draw: its bound and the number; the bound 0 stands for a real number."""

    def __init__(self, seed, coins=False):
        super().__init__(seed)
        self.tape = []
        self.coins = coins  # whether a word of many bits is as many coins

    def _below(self, bound):
        drawn = int(super().random() * bound)
        self.tape.append((bound, drawn))
        return drawn

    def randrange(self, bound):
        return self._below(bound)

    def getrandbits(self, k):
        return self._below(1 << k) if not self.coins else sum(self._below(2) << place for place in range(k))

    def random(self):
        drawn = super().random()
        self.tape.append((0, drawn))
        return drawn


@pytest.fixture(scope="module")
def engine():
    context = engine_of("", "shuffles", "draws", "counts", "evidence", "laws", helpers=HELPERS)
    return lambda name, *args: context.get(name)(*args)


def names():
    return json.loads(engine_of("", "shuffles", helpers=HELPERS).get("names")())


KNOWN = names()


def test_from_the_same_draws_page_and_python_make_the_same_deck(engine):
    for name in [name for name, _, ours in KNOWN if not ours]:
        for seed in range(40):
            cards = 2 + seed % 4 if seed < 20 else 17 + seed
            noted = Noted(seed, coins=name == "riffle")
            deck = list(next(find(name).decks(cards, noted)))
            assert json.loads(engine("taped", name, cards, json.dumps(noted.tape))) == deck, (seed, cards)


def test_the_pages_say_which_shuffles_are_fair_as_python_does():
    for name, fair, ours in KNOWN:
        assert ours or find(name).fair == fair, name


def test_a_recipe_repeats_a_shuffle_on_the_same_deck(engine):
    for recipe in ("riffle*3", "overhand*4"):
        noted = Noted(5, coins=True)
        deck = list(next(find(recipe).decks(20, noted)))
        assert json.loads(engine("taped", recipe, 20, json.dumps(noted.tape))) == deck


def test_decks_are_counted_as_python_counts_them(engine):
    for cards, bins in [(3, 6), (4, 24), (6, 200), (9, 7), (20, 200), (20, 199), (52, 1000)]:
        rng = np.random.default_rng(cards)
        decks = (
            np.array(list(permutations(range(cards))))
            if cards < 7
            else np.array([rng.permutation(cards) for _ in range(3000)])
        ).astype(np.int16)
        counts = json.loads(engine("counted", json.dumps(decks.tolist()), cards, bins))
        assert counts["decks"] == len(decks)
        expected = np.bincount(rank_bins(deck_view(Block(decks, decks[:0])), bins), minlength=bins)
        assert counts["bins"] == expected.tolist()
        places = np.stack([np.bincount(column, minlength=cards) for column in decks.T])
        assert counts["places"] == places.ravel().tolist()
        assert counts["sequences"] == sum(rising_sequences(deck) for deck in decks.tolist())


def test_the_tests_are_those_of_the_lab(engine):
    cards, bins, n = 12, 50, 2400
    decks = np.array([np.random.default_rng(k).permutation(cards) for k in range(n)])
    decks[: n // 20] = np.arange(cards)  # one deck in twenty is not shuffled
    counts = json.loads(engine("counted", json.dumps(decks.tolist()), cards, bins))
    seen = np.array(counts["bins"])
    expected = chdtrc(bins - 1, ((seen - n / bins) ** 2).sum() / (n / bins))
    off = np.array(counts["places"]) - n / cards
    dense = chdtrc((cards - 1) ** 2, (cards - 1) / n * (off**2).sum())
    deviations = (counts["sequences"] - n * (cards + 1) / 2) / (n * (cards + 1) / 12) ** 0.5
    normal = erfc(abs(deviations) / 2**0.5)
    assert counts["tests"] == pytest.approx([expected, dense, normal], rel=1e-9)
    assert counts["all"] == pytest.approx(3 * min(expected, dense, normal), rel=1e-9)
    few = json.loads(engine("counted", json.dumps(decks[:50].tolist()), cards, bins))
    assert few["tests"] == [None, None, None]
    assert few["all"] is None


@pytest.mark.long
def test_a_histogram_of_fair_decks_has_the_p_value_of_the_lab(engine):
    *_, lab = measure("fisher-yates", cards=20, decks=40_000, bins=200, seed=3)
    page = engine("inDoubles", "chiSquareTail", lab.chi_square, lab.degrees)
    assert page == pytest.approx(lab.p_value, abs=1e-12)


def test_the_laws_are_exact_to_twelve_places(engine):
    for shape in (0.5, 1, 2.5, 11.5, 40, 99.5, 180.5, 1300.5):
        assert engine("inDoubles", "logGamma", shape) == pytest.approx(
            gammaln(shape), abs=1e-12 * max(1, abs(lgamma(shape)))
        )
        for x in (0.01, 0.4, 1, 3, shape * 0.9, shape, shape + 0.99, shape + 1.01, shape * 1.2, shape * 2):
            assert engine("inDoubles", "gammaTail", shape, x) == pytest.approx(gammaincc(shape, x), abs=1e-12)
    for deviations in (0, 0.3, 1, 1.96, 4, 8):
        assert engine("inDoubles", "normalTails", deviations) == pytest.approx(erfc(deviations / 2**0.5), abs=1e-12)
    # Poisson: P(N < k) = Q(k, x)
    poisson = sum(exp(-3.0) * 3.0**k / exp(lgamma(k + 1)) for k in range(5))
    assert engine("inDoubles", "gammaTail", 5, 3) == pytest.approx(poisson, abs=1e-12)


def test_chance_leaves_the_band_of_a_histogram_once_in_a_hundred(engine):
    """With five decks in each of 1,000 bins, a band from the normal law would be left in one of five histograms."""
    for each, bins in [(5, 200), (5, 1000), (8.4, 24), (25, 200), (1666.5, 6), (5000, 200)]:
        band = engine("inDoubles", "chanceBand", each, bins)
        above = pdtrc(floor(each + band + 1e-9), each)
        below = pdtr(ceil(each - band - 1e-9) - 1, each) if each > band else 0
        assert 0.001 < bins * (above + below) <= 0.01


def test_numbers_are_drawn_evenly_below_any_bound(engine):
    """A correct generator fails once in 10,000 seeds; the seed is fixed. A bound of 3 * 2^18 rejects one word in 4."""
    bounds = [2, 3, 7, 52, 256, 1000]
    for counts in json.loads(engine("drawn", "seededDraws", 11, json.dumps(bounds), 100_000)):
        each = 100_000 / len(counts)
        assert chdtrc(len(counts) - 1, sum((count - each) ** 2 for count in counts) / each) > 1e-5, len(counts)
    other = json.loads(engine("drawn", "seededDraws", 12, json.dumps([1000]), 1000))
    assert other != json.loads(engine("drawn", "seededDraws", 13, json.dumps([1000]), 1000))
    assert other == json.loads(engine("drawn", "seededDraws", 12, json.dumps([1000]), 1000))
    found = np.array(json.loads(engine("reals", 4, 20_000)))
    assert found.min() >= 0
    assert found.max() < 1
    assert abs(found.mean() - 0.5) < 5 * (1 / 12 / 20_000) ** 0.5


def test_even_draws_draw_every_number_equally_often(engine):
    for bound in (3, 20, 256):
        full = bound * -(-32768 // bound)
        (counts,) = json.loads(engine("drawn", "evenDraws", 1, json.dumps([bound]), full))
        assert set(counts) == {full // bound}


def test_one_riffle_has_the_law_of_all_its_coins(engine):
    """All 2^5 coins of a riffle of five cards: each order with two rising sequences once, the sorted one six times."""
    found = {}
    for coins in range(32):
        tape = [(2, coins >> place & 1) for place in range(5)]
        deck = engine("taped", "riffle", 5, json.dumps(tape))
        found[deck] = found.get(deck, 0) + 1
    assert sorted(found.values()) == [1] * 26 + [6]
    assert all(rising_sequences(json.loads(deck)) == 2 for deck, often in found.items() if often == 1)
    assert comb(5 + 1, 5) == 6
