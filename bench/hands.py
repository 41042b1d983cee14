"""Real hands and simulated ones: which models predict riffles, what is noticed, and how many riffles are needed.

Writes ``bench/hands.json`` and ``docs/reference/measured/hands.md``.

    python -m bench.hands             all, in some ten minutes
    python -m bench.hands PERSON ...  only these people, beside those that were measured
"""

import json
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk import hand_shuffles
from fairdeck.lab.experiments import your_hands
from fairdeck.lab.experiments.bounds import estimate, excess
from fairdeck.lab.experiments.real_riffles import (
    FILMED_GAINS,
    MODELS,
    SHIPPED,
    gain_of_cuts,
    gains,
    people,
)
from fairdeck.lab.experiments.your_hands import ERRORS, NEAR, needed
from fairdeck.shuffles.interleavings import SHARES, Fit, Interleaving
from fairdeck.shuffles.riffle import rising_law

ROOT = Path(__file__).parents[1]
RESULTS, PAGE = ROOT / "bench" / "hands.json", ROOT / "docs" / "reference" / "measured" / "hands.md"
BESIDE = ROOT / "data" / "riffles-by-sa.csv"


@dataclass(frozen=True)
class Person:
    """How somebody riffles. Each number is that of ideal riffles unless it is given."""

    neatness: tuple[float, ...] = (1.0,)  # a riffle has one of these, in turn
    varying: float = 0.0
    apart: float = 0.0  # the share of the deck at both ends together that stays
    drop: int = 1  # so many cards fall at once ...
    often: float = 0.0  # ... with this chance, each time that a card would
    cut: float = 0.5

    def packets(self, rng: np.random.Generator, count: int, n: int, first: int = 0) -> NDArray[np.int8]:
        """Return `count` interleavings of n cards, one a row, from the bottom up; packet 0 lay below."""
        kept = round(n * self.apart / 2)
        inside = n - 2 * kept
        left = np.zeros((2, count), np.int64)
        left[0] = rng.binomial(inside, self.cut, count)
        left[1] = inside - left[0]
        own = np.array(self.neatness)[(first + np.arange(count)) % len(self.neatness)]
        neat = own * np.exp(self.varying * rng.standard_normal(count))
        side = (rng.random(count) * inside >= left[0]).astype(np.int64)
        found = np.ones((count, n), np.int8)
        found[:, :kept] = 0
        all_, more = np.arange(count), np.zeros(count, np.int64)
        for place in range(kept, n - kept):
            side = np.where(left[side, all_] > 0, side, 1 - side)
            found[:, place] = side
            left[side, all_] -= 1
            here, there = left[side, all_], left[1 - side, all_]
            change = rng.random(count) * (neat * there + here) < neat * there
            more = np.where(more > 0, more - 1, np.where(rng.random(count) < self.often, self.drop - 1, 0))
            side = np.where(change & (more == 0), 1 - side, side)
        return found

    def riffles(self, rng: np.random.Generator, count: int, n: int = 52) -> tuple[Interleaving, ...]:
        """Return riffles that mix two packets."""
        made: list[Interleaving] = []
        while len(made) < count:
            (one,) = self.packets(rng, 1, n, len(made)).tolist()
            if 0 < sum(one) < n:
                made.append(Interleaving(tuple(one)))
        return tuple(made)


PEOPLE = {
    "ideal": Person(),
    "neat (neatness 3)": Person((3.0,)),
    "clumpy (neatness 0.4)": Person((0.4,)),
    "only the middle 70 % is mixed": Person(apart=0.3),
    "drops 5 cards at once, in 10 % of all drops": Person(drop=5, often=0.1),
    "drops 8 cards at once, in 5 %": Person(drop=8, often=0.05),
    "cuts at 35 %": Person(cut=0.35),
    "neatness 1.9 and 0.21 by turns": Person((1.9, 0.21)),
    "neatness varies by 0.54": Person(varying=0.54),
    "neatness 0.7": Person((0.7,)),
    "neatness 1.8": Person((1.8,)),
    "only the middle 80 %": Person(apart=0.2),
    "cuts at 40 %": Person(cut=0.4),
}
MEASUREMENTS, RIFFLES, CARDS = 400, 4, 52
BOUNDS = 3  # measurements of which the number needed is compared with the true one
DECKS, SEED = 20_000, 1
PROCEDURES = {
    "7 riffles": "{0}*7",
    "7 riffles and one cut": "{0}*7 + cut",
    "(riffle, cut) 9 times": "({0} + cut)*9",
    "riffle, riffle, strip, riffle, cut": "{0}*2 + strip + {0} + cut",
    "(riffle, strip) 7 times": "({0} + strip)*7",
}
HANDS = {
    "ideal": "riffle",
    "middle 70 %": "riffle(top=8, bottom=8)",
    "neatness 0.3": "riffle(neatness=0.3)",
}


def seen(decks: NDArray[np.int64]) -> tuple[float, float, float]:
    """Return the total variation of rising sequences and of neighbours kept, and how often an old end stays.

    What is too often is chosen on one half of the decks and counted on the other. The neighbours of fair decks are
    those of simulated ones.
    """
    n = decks.shape[1]
    places = np.argsort(decks, axis=1)
    rising = 1 + (places[:, 1:] < places[:, :-1]).sum(1)
    kept = (decks[:, 1:] == decks[:, :-1] + 1).sum(1)
    eulerian = np.array([0.0, *(float(each) for each in rising_law(n, 10**9))])
    half = len(decks) // 2
    found = [
        excess(np.bincount(each[:half], minlength=n + 1), np.bincount(each[half:], minlength=n + 1), law)[0]
        for each, law in ((rising, eulerian), (kept, neighbours_of_fair_decks(n)))
    ]
    ends = max(float((decks[:, at] == at).mean()) for at in (0, n - 1))
    return found[0], found[1], ends


@cache
def neighbours_of_fair_decks(n: int) -> NDArray[np.float64]:
    """Return the chance of each number of cards that lie on the card before theirs, as counted."""
    decks = np.random.default_rng(7).permuted(np.tile(np.arange(n), (200_000, 1)), axis=1)
    return np.bincount((decks[:, 1:] == decks[:, :-1] + 1).sum(1), minlength=n + 1) / len(decks)


def after(person: Person, times: int, rng: np.random.Generator, decks: int = DECKS) -> NDArray[np.int64]:
    """Return decks after as many riffles of a person."""
    found = np.tile(np.arange(CARDS), (decks, 1))
    for at in range(times):
        packets = person.packets(rng, decks, CARDS, at).astype(np.int64)
        lower = (1 - packets).sum(1, keepdims=True)
        places = np.where(packets == 0, np.cumsum(1 - packets, axis=1) - 1, lower + np.cumsum(packets, axis=1) - 1)
        found = np.take_along_axis(found, places, axis=1)
    return found


@cache
def true_number(person: Person, most: int = 40) -> int | None:
    """Return how many riffles of a person show no more than ten ideal ones in `seen`; None if more than `most`."""
    rng = np.random.default_rng(SEED)
    *goal, ends = seen(after(Person(), 10, rng))
    limits = [(1 + NEAR) * value + ERRORS * (0.25 / (DECKS / 2)) ** 0.5 for value in goal]

    def enough(times: int) -> bool:
        *found, stay = seen(after(person, times, rng))
        return all(value <= limit for value, limit in zip(found, limits, strict=True)) and stay < ends + 0.01

    if not enough(most):
        return None
    low, high = 9, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def measured(name: str) -> dict[str, Any]:
    """Return how often each check rejects measurements of four riffles, the true number, and what numbers are named."""
    rng, found = np.random.default_rng(SEED), Counter[str]()
    for _ in range(MEASUREMENTS):
        rejected = Fit(PEOPLE[name].riffles(rng, RIFFLES)).rejected
        found.update(rejected)
        found["any"] += bool(rejected)
    rng, true = np.random.default_rng(SEED + 1), true_number(PEOPLE[name])
    fits = [fit for fit in (Fit(PEOPLE[name].riffles(rng, RIFFLES)) for _ in range(BOUNDS)) if fit.fits]
    named = [needed(fit, CARDS).at_most or 0 for fit in fits]
    return {
        "noticed": {check: count / MEASUREMENTS for check, count in found.items()},
        "measurements": MEASUREMENTS,
        "true": true,
        "asked": BOUNDS,
        "named": len(named),
        "least": min(named, default=None),
        "too_few": sum(true is None or each < true for each in named),
    }


def page() -> str:
    """Return the page."""
    held = [people(SHIPPED.read_text("utf-8"), "riffles.csv"), people(BESIDE.read_text("utf-8"), BESIDE.name)]
    lines = [
        "# Hands, measured",
        "",
        "`python -m bench.hands` wrote this page. It holds for three people and for simulated",
        "ones. Nobody measured mashes, washes or packets off the top.",
        "",
        "## Models, judged on riffles that they were not fitted to",
        "",
        "Bits a riffle gained over the ideal riffle, read from the bottom and from the top; standard errors about 1,",
        ".4 and .4. The advice rests on *neatness that varies*: better for all three, for two within the error.",
        "",
        "| model | 7 riffles of 52 | 8 of 48 | 100 of 52 (figures only) |",
        "|---|---|---|---|",
    ]
    persons = [person for file in held for person in file]
    for (name, model), filmed in zip(MODELS.items(), FILMED_GAINS, strict=False):
        each = ["{:+.2f}, {:+.2f}".format(*gains(person, model)) for person in persons]
        lines.append(f"| {name} | {' | '.join(each)} | {filmed} |")
    cuts = [f"{gain_of_cuts(person):+.1f}" for person in persons]
    lines += [f"| cut: own mean and deviation | {' | '.join(cuts)} | {FILMED_GAINS[-1]} |", ""]
    lines += [f"More of them: `fairdeck hands --corpus`, or `--corpus data/{BESIDE.name}`.", ""]
    results = json.loads(RESULTS.read_text())
    lines += [
        "## What four riffles notice",
        "",
        f"Of {MEASUREMENTS:,} measurements of {RIFFLES} riffles of {CARDS} cards, how many fail a check, in percent.",
        f"*True*: how many of these riffles show no more than ten ideal ones ({DECKS:,} decks). *Named*: of other",
        "measurements, how many name a number to be safe; the least of these; and how many are below the true one.",
        "Long runs and the parts of the level were chosen on such people: drops are noticed a little less often.",
        "",
        f"| person | any | {' | '.join(SHARES)} | true | named | least | too few |",
        f"|---|{'---:|' * (len(SHARES) + 5)}",
    ]
    for name, row in results.items():
        shares = [f"{100 * row['noticed'].get(check, 0):.1f}" for check in ("any", *SHARES)]
        named = f"{row['named']} of {row['asked']} | {row['least'] or ''} | {row['too_few']}"
        lines.append(f"| {name} | {' | '.join(shares)} | {row['true'] or 'over 40'} | {named} |")
    lines += [
        "",
        "## What cuts and strips mend",
        "",
        f"52 cards, {DECKS:,} decks: total variation of the rising sequences / of the neighbours kept / chance that an",
        "old end card stays where it was (fair: .019). Strips are guesses.",
        "",
        f"| procedure | {' | '.join(HANDS)} |",
        f"|---|{'---|' * len(HANDS)}",
    ]
    for name, procedure in PROCEDURES.items():
        cells = []
        for once in HANDS.values():
            program = hand_shuffles.program(procedure.format(once), CARDS)
            assert program is not None
            figures_seen = seen(hand_shuffles.made(program, CARDS, SEED, 0, DECKS).rows.astype(np.int64))
            cells.append(" / ".join(f"{max(0.0, value):.2f}" for value in figures_seen))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    vars(your_hands)["estimate"] = cache(estimate)  # the same decks for many measurements
    kept = json.loads(RESULTS.read_text()) if sys.argv[1:] else {}
    for person in sys.argv[1:] or PEOPLE:
        print(person, kept.setdefault(person, measured(person)), flush=True)
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n")
    PAGE.write_text(page(), encoding="utf-8")
