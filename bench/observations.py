"""How many decks each fault needs, beside the fewest that any test needs: of whole decks, or of a part of each deck.

Writes ``docs/reference/measured/observations.md``.

What is not seen of a deck is filled in at random. Found means: a trial, as `fairdeck test` runs it, fails at 1e-6, all
tests, interim analyses and bets counted. The median of five seeds; `optimum` is Stein's, see `bench.stein`.

    python -m bench.observations            all faults: writes bench/observations.json and the page
    python -m bench.observations drawn      only the faults that a seed draws: card, pair, kind, order, overlap, clump
    python -m bench.observations decks      only the faults of whole decks, which a seed draws: writes them to both
    python -m bench.observations NAME ...   only the faults whose names have one of these words; writes nothing
"""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain
from math import comb, inf, log, perm
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from bench.about import about, said
from bench.stein import optimum
from fairdeck.lab.blocks import LEAD, Block
from fairdeck.lab.judging.tally import Battery, block_sizes
from fairdeck.lab.judging.trial import Trial
from fairdeck.lab.kinds import halves, ranks, suits
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.laws.subsets import hypergeometric_law, pair_law, sum_law, touching_law
from fairdeck.lab.observations import Kind, Sight

ROOT = Path(__file__).parents[1]
RESULTS, PAGE = ROOT / "bench" / "observations.json", ROOT / "docs" / "reference" / "measured" / "observations.md"
LEVEL, SEEDS, FARTHEST = 1e-6, 5, 6  # as many times the optimum are tried; of whole decks, five times as many
DRAWN, MOST_DECKS = 60, 2**18  # faults; decks that are announced
RAREST = 1e-3  # chance of what is drawn again until it comes
LANDS = Kind("lands", tuple(range(24)))
FOUR = Kind("the last four", tuple(range(56, 60)))
OTHERS = tuple(Kind(f"spell {at}", tuple(range(24 + 4 * at, 28 + 4 * at))) for at in range(8))

Hands = NDArray[np.int64]  # a row is a hand
Floats = NDArray[np.float64]
Rng = np.random.Generator
Draw = partial[Hands]  # of so many decks
Link = Callable[[Hands, Hands], Hands]


@dataclass(frozen=True)
class Fault:
    """A shuffle that is wrong in what is seen of it."""

    name: str
    sight: Sight
    hands: Callable[[int, Rng], Hands]
    divergence: float  # of one hand from a fair one, in nats


@dataclass(frozen=True)
class Row:
    """The decks that it took to find one fault."""

    name: str
    optimum: int
    decks: list[int | None]  # by seed; None where it was not found in `FARTHEST` times the optimum
    statistics: list[str]  # what found it
    seconds: float  # of the processor, for the longest run

    @property
    def ratio(self) -> float:
        """How many times the optimum was needed, in the median."""
        return median(each or float("inf") for each in self.decks) / self.optimum


def fair_hands(n: int, k: int, decks: int, rng: Rng) -> Hands:
    """Return fair hands."""
    hands: Hands = np.argpartition(rng.random((decks, n)), k, axis=1)[:, :k]
    return hands


def tilted(n: int, k: int, score: Callable[[Hands], Hands], theta: float, most: int, decks: int, rng: Rng) -> Hands:
    """Return hands that are likelier by exp(theta score), where no score is above `most`: by rejection."""
    kept = np.empty((0, k), np.int64)
    while len(kept) < decks:
        hands = fair_hands(n, k, decks, rng)
        kept = np.concatenate([kept, hands[rng.random(decks) < np.exp(theta * (score(hands) - most))]])
    return kept[:decks]


def of_tilt(law: Law, theta: float) -> float:
    """Return the divergence of a law that is tilted."""
    level, mean, _ = law.cumulants(theta)
    return theta * mean - level


def _touching(hands: Hands) -> Hands:
    board = np.zeros((len(hands), 81), np.bool_)
    np.put_along_axis(board, hands, True, axis=1)
    cells = board.reshape(-1, 9, 9)
    pairs: Hands = (cells[:, 1:] & cells[:, :-1]).sum((1, 2)) + (cells[:, :, 1:] & cells[:, :, :-1]).sum((1, 2))
    return pairs


def _reservoir(decks: int, rng: Rng) -> Hands:
    hands = np.tile(np.arange(5), (decks, 1))
    for card in range(5, 30):
        at = rng.integers(0, card, decks)  # one too few
        into = np.flatnonzero(at < 5)
        hands[into, at[into]] = card
    return hands


def _naive(decks: int, rng: Rng) -> Hands:
    rows, all_rows = np.tile(np.arange(60), (decks, 1)), np.arange(decks)
    for place in range(60):
        other = rng.integers(0, 60, decks)
        rows[all_rows, place], rows[all_rows, other] = rows[all_rows, other], rows[all_rows, place].copy()
    return rows[:, :7]


def _smoothed(decks: int, rng: Rng) -> Hands:
    one, other = fair_hands(60, 7, decks, rng), fair_hands(60, 7, decks, rng)
    off = [np.abs((hands < 24).sum(axis=1) - 2.8) for hands in (one, other)]
    chosen: Hands = np.where(((off[1] < off[0]) & (rng.random(decks) < 0.2))[:, None], other, one)
    return chosen


def _heavy_ball(decks: int, rng: Rng) -> Hands:
    heavy = rng.random(decks) < 1.2 * 6 / 49
    hands = fair_hands(48, 6, decks, rng)
    hands += hands >= 12
    hands[heavy, 0] = 12
    return hands


def faults() -> list[Fault]:
    """Return the faults, with the divergence of each."""
    reservoir = 0.0
    for first in range(5):
        more = (5 - first) / 5 * 30 / 25
        reservoir += comb(5, first) * comb(25, 5 - first) / comb(30, 5) * more * log(more)
    means = np.bincount(_naive(400_000, np.random.default_rng(7)).ravel(), minlength=60) / 400_000
    noise = 60 * 7 / 60 * 53 / 60 / 400_000
    naive = (float((means - 7 / 60) @ (means - 7 / 60)) - noise) * 60 * 59 / (7 * 53) / 2  # what single cards tell
    lands = hypergeometric_law(60, 24, 7).probabilities
    better = 0.8 * lands
    for one, chance in enumerate(lands):
        for other, of_other in enumerate(lands):
            better[other if abs(other - 2.8) < abs(one - 2.8) else one] += 0.2 * chance * of_other
    ball = 1.2 * 6 / 49
    heavy = ball * log(ball * 49 / 6) + (1 - ball) * log((1 - ball) * 49 / 43)
    list_ = Sight(60, "set:7", (LANDS, *OTHERS, FOUR))
    return [
        Fault("reservoir off by one, 5 of 30", Sight(30, "set:5"), _reservoir, reservoir),
        Fault("naive swaps, first 7 of 60", list_, _naive, naive),
        Fault(
            "10 mines of 81 that touch",
            Sight(81, "set:10", board=(9, 9)),
            lambda decks, rng: tilted(81, 10, _touching, 0.15, 12, decks, rng),
            of_tilt(touching_law(9, 9, 10), 0.15),
        ),
        Fault("better of two hands, one in five", list_, _smoothed, float(better @ np.log(better / lands))),
        Fault("6 of 49, one ball 1.2 times", Sight(49, "set:6"), _heavy_ball, heavy),
        Fault(
            "a kind of 4 in 60 too often",
            list_,
            lambda decks, rng: tilted(60, 7, lambda hands: (hands >= 56).sum(axis=1), 0.3, 4, decks, rng),
            of_tilt(hypergeometric_law(60, 4, 7), 0.3),
        ),
        Fault(
            "last of the list an eighth more",
            list_,
            lambda decks, rng: tilted(60, 7, lambda hands: hands.sum(axis=1), 0.002, 392, decks, rng),
            of_tilt(sum_law(60, 7), 0.002),
        ),
    ]


def completed(n: int, hands: Hands, rng: Rng) -> NDArray[np.int16]:
    """Return whole decks, bottom first, with each hand on top in random order and the other cards in random order."""
    keys = rng.random((len(hands), n))
    np.put_along_axis(keys, hands, 1 + rng.random(hands.shape), axis=1)
    return np.argsort(keys, axis=1).astype(np.int16)


@dataclass(frozen=True, eq=False)
class Drawn:
    """A fault by a score of each hand, or of a hand and the one before, with the likelihood ratio of each."""

    law: Law  # of the score, on fair decks
    likelihood: Floats  # for each value of the law
    score: Callable[[Hands, Hands], Hands]

    @property
    def divergence(self) -> float:
        """The divergence of one hand, in nats."""
        return float(self.law.probabilities @ xlogy(self.likelihood, self.likelihood))

    def hands(self, n: int, k: int, decks: int, rng: Rng) -> Hands:
        """Return hands, each by rejection, one after the other."""
        made = fair_hands(n, k, 1, rng)
        tried = fair_hands(n, k, 64 * decks, rng)
        limits = rng.random(len(tried)) * self.likelihood.max()
        for hand, limit in zip(tried, limits, strict=True):
            if limit < self.likelihood[int(self.score(hand[None], made[-1:])[0]) - self.law.low]:
                made = np.concatenate([made, hand[None]])
            if len(made) > decks:
                break
        return made[1:]


def drawn(number: int) -> Fault:
    """Return a fault drawn by its number, with an optimum of 5 to 1,000 hands: what, how strong, and how often."""
    rng = np.random.default_rng([38, number])
    while True:
        n, k = int(rng.integers(20, 81)), int(rng.integers(4, 11))
        what = list(WHAT)[number % len(WHAT)]
        one, other = rng.choice(n, 2, replace=False).tolist()
        some = tuple(sorted(rng.choice(n, int(rng.integers(3, n // 2)), replace=False).tolist()))
        law, score = _scores(n, k, one, other, some)[what]
        values, mean = law.values, law.mean
        if what in ("smooth", "clump of a kind"):
            off = (values - mean) ** 2 / law.variance
            tilt_ = np.exp(rng.uniform(0.3, 1.5) * (np.minimum(off, 4) if what != "smooth" else -off))
        elif what in ("apart", "never"):
            tilt_ = (values > law.low if what == "never" else values != 1).astype(float)
        else:
            tilt_ = np.exp(rng.choice([-1, 1]) * rng.uniform(0.2, 1.0) * (values - mean) / law.variance**0.5)
        often = float(rng.choice([1, 0.5, 0.2]))
        fault = Drawn(law, 1 - often + often * tilt_ / float(law.probabilities @ tilt_), score)
        if 5 <= optimum(fault.divergence, LEVEL) <= 1_000 and fault.likelihood.max() < 30:
            kinds = (Kind("some", some),) if "kind" in what or what in ("smooth", "never") else ()
            name = f"{number}: {what}, {k} of {n}, {often:.0%}"
            return Fault(name, Sight(n, f"set:{k}", kinds), partial(fault.hands, n, k), fault.divergence)


WHAT = {  # faults, and what they are called on the page
    "card": "a card too often or too rarely",
    "pair": "two cards together",
    "kind": "a kind of cards",
    "list order": "the first or the last of the list",
    "overlap": "cards of the hand before",
    "neighbours": "neighbours in the list together",
    "smooth": "a kind too evenly",
    "clump of a kind": "a kind too unevenly",
    "apart": "one of two cards never without the other",
    "never": "no hand without a kind",
}
OF_DECKS = {  # faults of whole decks, in some of them, and what they are called on the page
    "cards": "one to three cards at places of their own",
    "group": "too many or too few of some cards at some places",
    "kind": "too many or too few of a suit, rank or colour in the hand on top",
    "near": "two cards near each other, or never",
    "first": "one of three to eight cards first among them, or never",
    "winner": "two players with as many of a kind, or never",
    "cards again": "one to three places with the cards of places of an earlier deck",
    "group again": "too many or too few of the cards at places of an earlier deck",
    "replaced": "one to three cards where others lay in an earlier deck",
    "kind again": "a suit, rank or colour, as many on as that of a place in an earlier deck",
}


def _scores(
    n: int, k: int, one: int, other: int, some: tuple[int, ...]
) -> dict[str, tuple[Law, Callable[[Hands, Hands], Hands]]]:
    """Return the law of each score, and the score of hands after other hands."""
    pair = hypergeometric_law(n, 2, k)

    def held(*cards: int) -> Callable[[Hands, Hands], Hands]:
        return lambda hands, _: np.isin(hands, cards).sum(axis=1)

    def near(hands: Hands, _: Hands) -> Hands:
        pairs: Hands = (np.diff(np.sort(hands, axis=1), axis=1) == 1).sum(axis=1)
        return pairs

    kind = hypergeometric_law(n, len(some), k), held(*some)
    return {
        "card": (hypergeometric_law(n, 1, k), held(one)),
        "pair": (Law(0, (sum(pair.weights[:2]), pair.weights[2])), lambda hands, _: held(one, other)(hands, _) // 2),
        "kind": kind,
        "list order": (sum_law(n, k), lambda hands, _: hands.sum(axis=1)),
        "overlap": (hypergeometric_law(n, k, k), lambda hands, before: np.isin(hands, before[0]).sum(axis=1)),
        "neighbours": (pair_law(n, 1, (*[0] * k, 1)), near),
        "smooth": kind,
        "clump of a kind": kind,
        "apart": (pair, held(one, other)),
        "never": kind,
    }


def drawn_of_decks(number: int) -> Fault:
    """Return a fault of whole decks drawn by its number, with an optimum of 10 to 300 decks.

    A deck is a fair one, or one in which an event came. Of an earlier deck: so is the order that links both.
    """
    rng, what = np.random.default_rng([39, number]), list(OF_DECKS)[number % len(OF_DECKS)]
    while True:
        n, rate, lag = int(rng.choice([13, 52, 104])), float(rng.choice([1, 0.5, 0.2, 0.1, 0.05, 0.02])), 0
        known = [kinds for kinds in (suits(n), ranks(n), halves(n)) if kinds is not None and n % (max(kinds) + 1) == 0]
        if "kind" in what and not known:
            continue
        kinds = known[rng.integers(len(known))] if known else halves(n)
        chance, event, about = _event(what, n, kinds, rng)
        link = partial(_linked, what, kinds, int(rng.integers(n)) if what == "kind again" else 0)
        if "again" in what or what == "replaced":
            lag = int(100 ** rng.random())
            about += f", lag {lag}"
        if chance >= 1 or (chance < RAREST and event.func is _again):
            continue
        faulty = np.array([rate + (1 - rate) * chance, (1 - rate) * (1 - chance)])
        divergence = float(xlogy(faulty, faulty / [chance, 1 - chance]).sum())
        if 10 <= optimum(divergence, LEVEL) <= 300:
            name = f"{number}: {what}, {n} cards, {about}, {rate:.0%}"
            return Fault(name, Sight(n, "all"), partial(_whole_decks, n, rate, event, lag, link), divergence)


def _whole_decks(n: int, rate: float, event: Draw, lag: int, link: Link, decks: int, rng: Rng) -> Hands:
    """Return decks of which a share have an event, or are linked so to those `lag` before."""
    made = _fair_decks(n, decks, rng)
    marked = np.flatnonzero(rng.random(decks) < rate)
    made[marked] = event(len(marked), rng)
    for at in range(lag, decks) if lag else ():
        made[at] = link(made[at], made[at - lag])
    return made


def _linked(what: str, kinds: Hands, place: int, order: Hands, old: Hands) -> Hands:
    """Return the deck that an order makes of an old one: of its places, cards, or the kind of one place."""
    if what != "kind again":
        return order[old] if what == "replaced" else old[order]
    by_kind = np.argsort(kinds, kind="stable")
    step = len(kinds) // (kinds.max() + 1) * kinds[old[place]]
    turned: Hands = by_kind[(np.argsort(by_kind)[order] + step) % len(kinds)]
    return turned


def _fair_decks(n: int, decks: int, rng: Rng) -> Hands:
    return rng.permuted(np.tile(np.arange(n), (decks, 1)), axis=1)


def _again(n: int, holds: Callable[[Hands], Any], decks: int, rng: Rng) -> Hands:
    """Return decks drawn again until something holds of each."""
    made, left = _fair_decks(n, decks, rng), np.arange(decks)
    while len(left := left[~holds(made[left])]):
        made[left] = _fair_decks(n, len(left), rng)
    return made


def _at_places(n: int, cards: Hands, places: Hands, decks: int, rng: Rng) -> Hands:
    """Return fair decks in which each card was swapped to its place: fair but for that."""
    made, rows = _fair_decks(n, decks, rng), np.arange(decks)
    for card, place in zip(cards, places, strict=True):
        made[rows, (made == card).argmax(axis=1)] = made[:, place]
        made[:, place] = card
    return made


def _event(what: str, n: int, kinds: Hands, rng: Rng) -> tuple[float, Draw, str]:
    """Return the chance of what comes too often, how decks with it are drawn, and its particulars."""
    (cards, places), more = rng.permuted(np.tile(np.arange(n), (2, 1)), axis=1), bool(rng.random() < 0.5)
    score: Callable[[Hands], Any]
    k, said_of = int(rng.integers(1, 4)), "more" if more else "less"
    if "cards" in what or what == "replaced":
        return 1 / perm(n, k), partial(_at_places, n, cards[:k], places[:k]), f"{k}"
    if what == "near":
        chance = sum(2 * (n - gap) for gap in range(1, k + 1)) / (n * (n - 1))
        score = lambda decks: np.abs(np.subtract(*np.argsort(decks, axis=1)[:, cards[:2]].T)) <= k  # noqa: E731
    elif what == "first":
        k = int(rng.integers(3, 9))
        chance = 1 / k
        score = lambda decks: np.argsort(decks, axis=1)[:, cards[:k]].argmax(axis=1) == 0  # noqa: E731
    elif what == "winner":
        k, held = int(rng.choice([2, 3, 5])), int((kinds == 0).sum())
        ways = (
            comb(held, x) * comb(max(0, held - x), x) * comb(n - held, k - x) * comb(max(0, n - held - k + x), k - x)
            for x in range(k + 1)
        )
        chance = sum(ways) / (comb(n, k) * comb(n - k, k))
        score = lambda decks: np.equal(*((kinds[decks[:, n - 2 * k + at :: 2]] == 0).sum(axis=1) for at in (0, 1)))  # noqa: E731
    else:
        group, at = (
            each[: rng.integers(1, n // 2)]
            if rng.random() < 0.5
            else np.arange(*sorted(rng.choice(n + 1, 2, replace=False)))
            for each in (cards, places)
        )
        if "kind" in what:
            at = places[:1] if what == "kind again" else np.arange(n - rng.choice([3, 5, 7]), n)
            group = np.flatnonzero(kinds == rng.integers(kinds.max() + 1))
        law = hypergeometric_law(n, len(group), len(at))
        k = int(rng.choice(law.values, p=law.probabilities))
        chance = float(law.probabilities[law.values >= k].sum())
        score = lambda decks: np.isin(decks[:, at], group).sum(axis=1) >= k  # noqa: E731
        said_of = f"{len(group)} cards, {len(at)} places, {said_of}"
    if not more:
        chance = 1 - chance
    return chance, partial(_again, n, lambda decks: score(decks) == more), f"{k} {said_of}"


def found(fault: Fault, seed: int) -> tuple[int | None, str]:
    """Return the decks until the trial fails, and the statistic that found the fault."""
    most = FARTHEST * optimum(fault.divergence, LEVEL)
    rng, cards, whole = np.random.default_rng([seed, most]), fault.sight.cards, fault.sight.scheme == "all"
    most *= 5 if whole else 1
    decks = fault.hands(most, rng) if whole else completed(cards, fault.hands(most, rng), rng)
    trial = Trial(Battery(cards), MOST_DECKS, LEVEL)
    if not whole:
        trial = Trial(Battery(cards, sight=fault.sight), 10**12, LEVEL, announced=False)
    for turn, size in enumerate(block_sizes(cards, most)):
        at = trial.decks
        trial.add(trial.battery.tally(Block(decks[at : at + size], decks[max(0, at - LEAD) : at], at, turn)))
        if trial.failed:
            return trial.decks, trial.verdict().findings[0].statistic
    return None, ""


def row(fault: Fault, seeds: int = SEEDS) -> Row:
    """Return the row of one fault."""
    if fault.sight.scheme != "all":
        found(fault, 0)  # laws are made once for all seeds
    results, longest = [], 0.0
    for seed in range(seeds):
        began = process_time()
        results.append(found(fault, seed))
        longest = max(longest, process_time() - began)
    decks, statistics = zip(*results, strict=True)
    return Row(fault.name, optimum(fault.divergence, LEVEL), list(decks), list(statistics), round(longest, 2))


def page(results: dict[str, Any]) -> str:
    """Return the page: a row for each fault that was chosen, and for each sort of those that were drawn."""
    rows = [Row(**each) for each in results["rows"]]
    chosen, drawn_ = ([each for each in rows if (":" in each.name) == lot] for lot in (False, True))
    ratios = [each.ratio for each in drawn_]
    lines = [
        "# Faults in what is seen",
        "",
        f"`python -m bench.observations` wrote this page: {said(results)}. *Optimum* is the fewest decks that any test",
        "needs that knows the fault (Stein's lemma). Found means: at the level of one in a million, all tests counted.",
        "",
        f"**Of {len(drawn_)} faults drawn by a seed, {sum(each <= 3 for each in ratios)} were found within 3 times",
        f"the optimum; median {median(ratios):.1f}, worst {max(ratios):.1f}.** Each was a set, tried once.",
        "",
        "| drawn by a seed | faults | times the optimum: median, worst |",
        "|---|---:|---:|",
    ]
    for what, said_of in WHAT.items():
        times = [each.ratio for each in drawn_ if f": {what}," in each.name]
        lines.append(f"| {said_of} | {len(times)} | {median(times):.1f}, {max(times):.1f} |")
    lines += ["", f"| chosen, {SEEDS} seeds each | optimum | times the optimum: median |", "|---|---:|---:|"]
    lines += [f"| {each.name} | {each.optimum:,} | {each.ratio:.1f} |" for each in chosen]
    return "\n".join(lines + _whole([Row(**each) for each in results["decks"]])) + "\n"


def _whole(rows: list[Row]) -> list[str]:
    """Return the lines on whole decks, with how many faults of each kind were not found."""
    ratios = [each.ratio for each in rows]
    lines = [
        "",
        "## Whole decks",
        "",
        f"**Of {len(rows)} faults of whole decks drawn by a seed, {sum(each <= 3 for each in ratios)} were found",
        f"within 3 times the optimum, {sum(each < inf for each in ratios)} within {5 * FARTHEST}; median",
        f"{median(ratios):.1f}.** The optimum here is that of a test that knows the fault and asks nothing else.",
        "A deck has 13, 52 or 104 cards. The fault is in 2 % of the decks or more; an earlier deck is 1 to 99 before.",
        "",
        "`bench/observations.json` has each fault, found or not.",
        "",
        "| drawn by a seed | faults | not found | times the optimum: median |",
        "|---|---:|---:|---:|",
    ]
    for what, said_of in OF_DECKS.items():
        times = [each.ratio for each in rows if f": {what}," in each.name]
        missed = sum(each == inf for each in times)
        lines.append(f"| {said_of} | {len(times)} | {missed} | {_times(median(times))} |")
    return lines


def _times(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < inf else "not found"


def main() -> None:
    """Measure the faults that are named, or all; of those that are drawn each once."""
    words = sys.argv[1:]
    named = (fault for fault in faults() if words != ["decks"] and (not words or any(w in fault.name for w in words)))
    rows = [_shown(fault) for fault in chain(named, map(drawn, range(DRAWN)) if words in ([], ["drawn"]) else ())]
    whole = [_shown(drawn_of_decks(number)) for number in range(DRAWN)] if words in ([], ["decks"]) else []
    for ratios in ([each.ratio for each in rows if ":" in each.name], [each.ratio for each in whole]):
        if ratios:
            print(f"{len(ratios)} drawn: median {median(ratios):.2f}, {sum(each <= 3 for each in ratios)} within 3")
    if words in ([], ["decks"]):
        kept = json.loads(RESULTS.read_text()) if words else {**about(), "rows": [asdict(each) for each in rows]}
        RESULTS.write_text(json.dumps({**kept, "decks": [asdict(each) for each in whole]}, indent=1) + "\n")
        PAGE.write_text(page(json.loads(RESULTS.read_text())))


def _shown(fault: Fault) -> Row:
    """Return the row of one fault, shown."""
    made = row(fault, 1 if ":" in fault.name else SEEDS)
    told = f"optimum {made.optimum:6,} decks {made.decks} ratio {made.ratio:.2f} {made.statistics[0]} {made.seconds} s"
    print(f"{made.name:34} {told}", flush=True)
    return made


if __name__ == "__main__":
    main()
