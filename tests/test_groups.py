"""Three or four cards or places that depend on each other, while any two of them look fair."""

from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest

from fairdeck import lab
from fairdeck.lab.blocks import Block
from fairdeck.lab.judging import tally
from fairdeck.lab.judging.sentences import seen
from fairdeck.lab.statistics import groups
from fairdeck.lab.statistics.groups import STATISTICS, fours, odd_of_three, step, threes
from tests.decks import fair, viewed

NAMED = {statistic.name: statistic for statistic in STATISTICS}
DECKS = 20_000  # a test that knows where to look needs 2,000 to 8,200 for the faults below


# The counts, as one would write them for a single deck.


def inverted(values: list[int]) -> int:
    return sum(one > other for one, other in combinations(values, 2))


def plain(name: str, deck: list[int]) -> list[int]:
    """Return what a statistic counts on one deck, in the order of its cells."""
    n = len(deck)
    values = deck if "places" in name else [deck.index(card) for card in range(n)]
    if name.startswith("order"):
        return [inverted([values[at] for at in four]) % 2 for four in fours(n).T.tolist()]
    of_three = list(combinations(range(n), 3))
    if name.startswith("between"):
        middle = [sorted(three, key=values.__getitem__)[1] for three in of_three]
        return [int(middle[at] == three[which]) for which in range(3) for at, three in enumerate(of_three)]
    kinds = [[value >= n // 2 for value in values], [value % 2 == 1 for value in values]]
    if "places" in name and n % 4 == 0:
        kinds.insert(1, [value // (n // 4) % 2 == 1 for value in values])
    return [sum(which[at] for at in three) % 2 for which in kinds for three in of_three]


@pytest.mark.cases(3)
@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("n", [5, 8, 13, 64])
def test_groups_are_counted_as_by_hand(name, n):
    decks = fair(n, 1 if n > 60 else 70, 1)
    expected = sum(np.array(plain(name, deck)) for deck in decks.tolist())
    counts = NAMED[name].count(viewed(decks))
    assert counts[..., :-1].ravel().tolist() == expected.tolist()
    assert (counts[..., -1] == len(decks)).all()


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("n", [5, 6, 7, 8])
def test_all_orders_of_few_cards_have_the_stated_chances(name, n):
    statistic = NAMED[name]
    orders = np.array(list(permutations(range(n))))
    counts = statistic.count(viewed(orders))
    fair_words = [each.expected for each in statistic.judge(counts, n, len(orders))]
    for cells, chance in zip(counts[..., :-1].reshape(len(fair_words), -1), fair_words, strict=True):
        assert cells == pytest.approx(len(orders) * chance)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(
    "name", [*NAMED, "earlier decks", "same top 13", "suit of the deck before", "suit after the deck before"]
)
def test_of_large_blocks_few_are_counted_and_the_share_is_of_the_decks_counted(name, fast):
    if fast:
        pytest.importorskip("numba")
    battery, decks = tally.Battery(52, 0, frozenset({name})), fair(52, tally.LARGE, 3)
    counted = battery.tally_by_kernels if fast else battery.tally
    turn = next(turn for turn in range(tally.ALL_OF_FIRST, 10**6) if turn % tally.EVERY == 0)
    first, second = (counted(Block(decks, decks[:0], 0, each)) for each in (turn, turn + 1))
    statistic = battery.members[0].statistic
    assert first.counts[0].any()
    assert not second.counts[0].any()
    assert (first.decks, second.decks) == (tally.LARGE, tally.LARGE)
    for both in (battery.merge(first, second), battery.merge(second, first)):
        assert np.array_equal(both.counts[0], first.counts[0])
        p_values = [each.p_value for each in statistic.judge(both.counts[0], 52, both.decks)]
        assert p_values == [each.p_value for each in statistic.judge(first.counts[0], 52, first.decks)]
    assert counted(Block(decks[:-1], decks[:0], 0, turn + 1)).counts[0].any(), "a small block is counted"


@pytest.mark.parametrize("n", [5, 9, 30])
def test_of_few_cards_all_groups_are_counted(n):
    assert threes(n).T.tolist() == [list(each) for each in combinations(range(n), 3)]
    assert fours(n).T.tolist() == [list(each) for each in combinations(range(n), 4)]


@pytest.mark.cases(1)
@pytest.mark.parametrize("n", [61, 75, 104])
def test_of_many_cards_a_sample_of_fours_is_spread_evenly(n):
    chosen = fours(n)
    assert (np.diff(chosen, axis=0) > 0).all()
    assert 0.7 * groups.SAMPLE < chosen.shape[1] < 1.1 * groups.SAMPLE
    assert chosen.shape[1] == pytest.approx(comb(n, 4) / step(n), rel=0.02)
    assert len(set(map(tuple, chosen.T.tolist()))) == chosen.shape[1]
    # Each card is in a share 4/n of all fours.
    assert np.bincount(chosen.ravel()) == pytest.approx(4 * chosen.shape[1] / n, rel=0.1)
    last = np.bincount(chosen[3], minlength=n)[10:]
    assert last == pytest.approx([comb(d, 3) / step(n) for d in range(10, n)], rel=0.2, abs=30)


def test_the_chance_of_an_odd_number_is_that_of_all_threes():
    for n in (5, 7, 8):
        for of_kind in range(n + 1):
            which = np.arange(n) < of_kind
            odd = [sum(which[list(three)]) % 2 for three in combinations(range(n), 3)]
            assert odd_of_three(which) == pytest.approx(np.mean(odd))


# The alarms: faults that leave every pair fair. `more` of the decks that lack a property are given it.


def swapped(decks: np.ndarray, which: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the decks, those of `which` with the cards at two places exchanged."""
    out = decks.copy()
    out[which, one[which]], out[which, other[which]] = decks[which, other[which]], decks[which, one[which]]
    return out


def inverse(decks: np.ndarray) -> np.ndarray:
    return np.argsort(decks, axis=1).astype(np.int16)


def odd_order(decks: np.ndarray, four: list[int]) -> np.ndarray:
    values = decks[:, four]
    return sum((values[:, a] > values[:, b]).astype(int) for a, b in combinations(range(4), 2)) % 2 == 1


def even_fours(decks: np.ndarray, more: np.ndarray, four: list[int]) -> np.ndarray:
    """Four places hold cards in an even order too often; any three of them are fair."""
    one, other = (np.full(len(decks), four[at]) for at in (0, 1))
    return swapped(decks, more & odd_order(decks, four), one, other)


def middle(decks: np.ndarray, more: np.ndarray, three: list[int]) -> np.ndarray:
    """The card at the second of three places is the middle one too often."""
    by_value = np.array(three)[np.argsort(decks[:, three], axis=1)]
    return swapped(decks, more, np.full(len(decks), three[1]), by_value[:, 1])


def ring(decks: np.ndarray, more: np.ndarray, four: list[int]) -> np.ndarray:
    """The cards at four places come in one cyclic order, in either sense, too often."""
    rng = np.random.default_rng(3)
    sorted_values = np.sort(decks[:, four], axis=1)
    begin, sense = rng.integers(4, size=len(decks)), rng.choice([-1, 1], len(decks))
    turned = (begin[:, None] + sense[:, None] * np.arange(4)) % 4
    out = decks.copy()
    out[np.ix_(more, four)] = np.take_along_axis(sorted_values, turned, axis=1)[more]
    return out


def tied(decks: np.ndarray, more: np.ndarray, three: list[int], kind: np.ndarray) -> np.ndarray:
    """An odd number of three places hold a card of one kind too often."""
    even = kind[decks[:, three]].sum(axis=1) % 2 == 0
    here = np.full(len(decks), three[1])
    elsewhere = np.ones(decks.shape, bool)
    elsewhere[:, three] = False
    weights = np.random.default_rng(4).random(decks.shape) * (elsewhere & (kind[decks] != kind[decks[:, three[1:2]]]))
    return swapped(decks, more & even, here, weights.argmax(axis=1))


FOUR, THREE = [3, 17, 29, 41], [5, 22, 48]
CARDS = np.arange(52)
# name: how often it is done, the fault, whether it is about cards and not places, what finds it, what it names.
FAULTS = {
    "even order of four cards": (0.1, lambda d, m: even_fours(d, m, FOUR), True, "order of four cards", FOUR),
    "even order of four places": (0.1, lambda d, m: even_fours(d, m, FOUR), False, "order of four places", FOUR),
    "card between two": (0.08, lambda d, m: middle(d, m, THREE), True, "between two cards", THREE),
    "place between two": (0.08, lambda d, m: middle(d, m, THREE), False, "between two places", THREE),
    "ring of four cards": (0.2, lambda d, m: ring(d, m, FOUR), True, "between two cards", FOUR),
    "ring of four places": (0.2, lambda d, m: ring(d, m, FOUR), False, "between two places", FOUR),
    "colours of three": (0.1, lambda d, m: tied(d, m, THREE, CARDS >= 26), False, "three places tied", THREE),
    "suits of three": (0.1, lambda d, m: tied(d, m, THREE, CARDS // 13 % 2 == 1), False, "three places tied", THREE),
    "odd sum of three": (0.1, lambda d, m: tied(d, m, THREE, CARDS % 2 == 1), False, "three places tied", THREE),
    "halves of three cards": (0.1, lambda d, m: tied(d, m, THREE, CARDS >= 26), True, "three cards tied", THREE),
    "odd places of three": (0.1, lambda d, m: tied(d, m, THREE, CARDS % 2 == 1), True, "three cards tied", THREE),
}


def faulty(name: str, decks: int, seed: int) -> np.ndarray:
    share, change, of_cards, _, _ = FAULTS[name]
    more = np.random.default_rng(seed + 1).random(decks) < share
    changed = change(fair(52, decks, seed), more)
    return inverse(changed) if of_cards else changed


@pytest.mark.long
@pytest.mark.parametrize("name", FAULTS)
def test_a_group_of_three_or_four_that_is_tied_is_found_and_named(name):
    *_, statistic, members = FAULTS[name]
    report = lab.test(faulty(name, DECKS, 5), decks=DECKS, lags=0, at_least=DECKS)
    assert report.verdict.outcome == "fail"
    found = next(each.weighed for each in report.verdict.findings if each.statistic.startswith(statistic))
    named = found.evidence.places if "places" in statistic else found.evidence.cards
    assert set(named) <= set(members)
    assert all(f"{'place' if 'places' in statistic else 'card'} {each}" in seen(found) for each in named)


@pytest.mark.parametrize("name", NAMED)
def test_fair_decks_and_few_decks_raise_no_alarm(name):
    # 6 statistics, at most 3 tests each, at 3 numbers of decks: one of 1,000 seeds would fail.
    for decks in (16, 64, 3_000):
        statistic = NAMED[name]
        view = viewed(fair(52, decks, 6))
        assert all(each.p_value > 1e-3 / 54 for each in statistic.judge(statistic.count(view), 52, decks))
    assert list(statistic.judge(np.zeros_like(statistic.count(view)), 52, 0)) == []
