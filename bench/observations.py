"""How many decks each fault needs where a part of each deck is seen, beside the fewest that any test needs.

Writes ``docs/reference/measured/observations.md``.

The rest of each deck is filled in at random. Found means: a trial, as `fairdeck test` runs it on a log, fails at 1e-6,
all tests, interim analyses and bets counted. The median of five seeds; `optimum` is Stein's, see `bench.stein`.

    python -m bench.observations            all faults: writes bench/observations.json and the page
    python -m bench.observations drawn      only the faults that a seed draws: card, pair, kind, order, overlap, clump
    python -m bench.observations NAME ...   only the faults whose names have one of these words; writes nothing
"""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain
from math import comb, log
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
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.laws.subsets import hypergeometric_law, pair_law, sum_law, touching_law
from fairdeck.lab.observations import Kind, Sight

ROOT = Path(__file__).parents[1]
RESULTS, PAGE = ROOT / "bench" / "observations.json", ROOT / "docs" / "reference" / "measured" / "observations.md"
LEVEL, SEEDS, FARTHEST = 1e-6, 5, 6  # as many times the optimum are tried
DRAWN = 60  # faults
LANDS = Kind("lands", tuple(range(24)))
FOUR = Kind("the last four", tuple(range(56, 60)))
OTHERS = tuple(Kind(f"spell {at}", tuple(range(24 + 4 * at, 28 + 4 * at))) for at in range(8))

Hands = NDArray[np.int64]  # a row is a hand
Floats = NDArray[np.float64]
Rng = np.random.Generator


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


def found(fault: Fault, seed: int) -> tuple[int | None, str]:
    """Return the decks until the trial fails, and the statistic that found the fault."""
    most = FARTHEST * optimum(fault.divergence, LEVEL)
    rng = np.random.default_rng([seed, most])
    decks = completed(fault.sight.cards, fault.hands(most, rng), rng)
    trial = Trial(Battery(fault.sight.cards, sight=fault.sight), 10**12, LEVEL, announced=False)
    for turn, size in enumerate(block_sizes(fault.sight.cards, most)):
        at = trial.decks
        trial.add(trial.battery.tally(Block(decks[at : at + size], decks[max(0, at - LEAD) : at], at, turn)))
        if trial.failed:
            return trial.decks, trial.verdict().findings[0].statistic
    return None, ""


def row(fault: Fault, seeds: int = SEEDS) -> Row:
    """Return the row of one fault."""
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
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure the faults that are named, or all; of those that are drawn each once."""
    words = sys.argv[1:]
    rows = []
    named = (fault for fault in faults() if not words or any(word in fault.name for word in words))
    for fault in chain(named, map(drawn, range(DRAWN)) if words in ([], ["drawn"]) else ()):
        made = row(fault, 1 if ":" in fault.name else SEEDS)
        rows.append(made)
        print(
            f"{made.name:34} optimum {made.optimum:6,} decks {made.decks} ratio {made.ratio:.2f} "
            f"{made.statistics[0]} {made.seconds} s",
            flush=True,
        )
    if ratios := [each.ratio for each in rows if ":" in each.name]:
        print(f"{len(ratios)} drawn: median {median(ratios):.2f}, {sum(each <= 3 for each in ratios)} within 3")
    if not words:
        RESULTS.write_text(json.dumps({**about(), "rows": [asdict(each) for each in rows]}, indent=1) + "\n")
        PAGE.write_text(page(json.loads(RESULTS.read_text())))


if __name__ == "__main__":
    main()
