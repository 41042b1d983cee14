"""How many decks each fault needs where a part of each deck is seen, beside the fewest that any test needs.

The rest of each deck is filled in at random. Found means: a trial, as `fairdeck test` runs it on a log, fails at 1e-6,
all tests, interim analyses and bets counted. The median of five seeds; `optimum` is Stein's, see `bench.stein`.

    python -m bench.observations            all faults: writes bench/observations.json and prints the table
    python -m bench.observations NAME ...   only the faults whose names have one of these words; writes nothing
"""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import comb, log
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
from numpy.typing import NDArray

from bench.about import about
from bench.stein import optimum
from fairdeck.lab.blocks import LEAD, Block
from fairdeck.lab.judging.tally import Battery, block_sizes
from fairdeck.lab.judging.trial import Trial
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.laws.subsets import hypergeometric_law, sum_law, touching_law
from fairdeck.lab.observations import Kind, Sight

RESULTS = Path(__file__).with_suffix(".json")
LEVEL, SEEDS, FARTHEST = 1e-6, 5, 6  # as many times the optimum are tried
LANDS = Kind("lands", tuple(range(24)))
FOUR = Kind("the last four", tuple(range(56, 60)))
OTHERS = tuple(Kind(f"spell {at}", tuple(range(24 + 4 * at, 28 + 4 * at))) for at in range(8))

Hands = NDArray[np.int64]  # a row is a hand
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


def row(fault: Fault) -> Row:
    """Return the row of one fault."""
    found(fault, 0)  # laws are made once for all seeds
    results, longest = [], 0.0
    for seed in range(SEEDS):
        began = process_time()
        results.append(found(fault, seed))
        longest = max(longest, process_time() - began)
    decks, statistics = zip(*results, strict=True)
    return Row(fault.name, optimum(fault.divergence, LEVEL), list(decks), list(statistics), round(longest, 2))


def main() -> None:
    """Measure the faults that are named, or all."""
    words = sys.argv[1:]
    rows = []
    for fault in faults():
        if not words or any(word in fault.name for word in words):
            made = row(fault)
            rows.append(made)
            print(
                f"{made.name:34} optimum {made.optimum:6,} decks {made.decks} ratio {made.ratio:.2f} "
                f"{made.statistics[0]} {made.seconds} s",
                flush=True,
            )
    if not words:
        RESULTS.write_text(json.dumps({**about(), "rows": [asdict(each) for each in rows]}, indent=1) + "\n")


if __name__ == "__main__":
    main()
