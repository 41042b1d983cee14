"""Riffles of people, and how well models predict those that they were not fitted to.

A corpus is a table with a row for each riffle: `source` (the person), `cards`, and `interleaving`, a letter for each
card from the top: T for the packet that was cut off the top and B for the other, or any two letters if nobody wrote
that down. Lines above the head begin with ``#`` and say where the riffles are from, and their licence.

After each card after which both packets have cards, the models give the odds that the other packet comes next. Fitted
to the other riffles of a person (prior: normal, with standard deviation 1), a model predicts the riffle that was left
out. Its **gain** is what it saves over the ideal riffle, in bits. In which direction the cards fell is not always
known, so each model is judged in both.
"""

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from math import comb, erf, log, log2, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, logsumexp

from fairdeck.document import Document, Sentence, Table
from fairdeck.errors import FairdeckError
from fairdeck.shuffles.interleavings import (
    BELOW,
    ENOUGH_RIFFLES,
    NODES,
    SPREADS,
    VARYING,
    WEIGHTS,
    Fit,
    Interleaving,
    likeliest,
    read,
)

Floats = NDArray[np.float64]
SHIPPED = resources.files("fairdeck.shuffles") / "riffles.csv"
FEWEST_RIFFLES = 3  # of a person, to be judged
LAST = 0.8  # of the cards: then the last fifth falls


@dataclass(frozen=True)
class Person:
    """Somebody whose riffles were written down."""

    name: str
    credit: str  # from where, and the licence
    riffles: tuple[Interleaving, ...]


def people(text: str, where: str) -> list[Person]:
    """Return the people of a corpus; raise a FairdeckError that names the line of `where` that is wrong."""
    lines = text.splitlines()
    credit = " ".join(line.lstrip("# ") for line in lines if line.startswith("#")) or f"{where}; no licence is given"
    head = next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))
    rows = csv.DictReader(lines[head:])
    if missing := {"source", "interleaving"} - set(rows.fieldnames or ()):
        raise FairdeckError(f"{where!r}, line {head + 1}: the head of the table lacks {' and '.join(sorted(missing))}")
    found: dict[str, list[Interleaving]] = {}
    for row in rows:
        try:
            riffle = read(row["interleaving"] or "")
            if row.get("cards") not in (None, "", str(len(riffle.packets))):
                raise FairdeckError(f"{row['cards']} cards, and {len(riffle.packets)} letters in the interleaving")
        except FairdeckError as error:
            raise FairdeckError(f"{where!r}, line {head + rows.line_num}: {error}") from None
        found.setdefault(row["source"], []).append(riffle)
    return [Person(name, credit, tuple(riffles)) for name, riffles in found.items()]


# --- models


@dataclass(frozen=True)
class Rows:
    """The choices of a riffle."""

    changed: Floats
    odds: Floats  # log of other / own
    run: Floats  # how long the run is so far
    at: Floats  # the share of the cards that have fallen

    @classmethod
    def of(cls, packets: Sequence[int]) -> "Rows":
        """Return the choices of an interleaving in the order in which it is given."""
        left, run, rows = [packets.count(0), packets.count(1)], 0, []
        for at, packet in enumerate(packets[:-1]):
            run = run + 1 if at and packets[at - 1] == packet else 1
            left[packet] -= 1
            if all(left):
                changed = packets[at + 1] != packet
                rows.append((changed, log(left[1 - packet] / left[packet]), run, at / (len(packets) - 1)))
        return cls(*np.array(rows, float).reshape(-1, 4).T)


@dataclass(frozen=True)
class Model:
    """The log odds of a change: a number for each of the features, beside those of the cards that are left."""

    features: Callable[[Rows], Sequence[Floats]]
    by_size: bool = True  # whether the odds are those of the cards that are left, times something
    varies: bool = False  # whether there is a normal number more for each riffle

    def logs(self, beta: Floats, rows: Rows, more: float = 0.0) -> float:
        """Return the log of the chance of the choices."""
        odds = self._odds(beta, rows) + more
        return float(-np.logaddexp(0, np.where(rows.changed > 0, -odds, odds)).sum())

    def _odds(self, beta: Floats, rows: Rows) -> Floats:
        matrix = np.array(self.features(rows), float)
        return np.asarray((rows.odds if self.by_size else 0.0) + beta @ matrix, np.float64)

    def fitted(self, riffles: Sequence[Rows]) -> tuple[Floats, float]:
        """Return the likeliest numbers, and how much riffles vary: `VARYING`, or fitted to many."""
        size = len(self.features(riffles[0]))

        def slope(beta: Floats) -> Floats:
            each = [
                np.array(self.features(rows), float) @ (rows.changed - expit(self._odds(beta, rows)))
                for rows in riffles
            ]
            return np.asarray(beta - np.sum(each, axis=0), np.float64)

        def loss(beta: Floats) -> float:
            return float(beta @ beta / 2 - sum(self.logs(beta, rows) for rows in riffles))

        beta = minimize(loss, np.zeros(size), jac=slope, method="BFGS").x
        if not self.varies or len(riffles) < ENOUGH_RIFFLES:
            return beta, VARYING * self.varies
        return beta, max(SPREADS, key=lambda spread: sum(self.bits(beta, rows, spread) for rows in riffles))

    def bits(self, beta: Floats, rows: Rows, varying: float) -> float:
        """Return the binary log of the chance of a riffle's choices, whatever its own number may be."""
        if not varying:
            return self.logs(beta, rows) / log(2)
        each = [self.logs(beta, rows, varying * node) for node in NODES]
        return float(logsumexp(each, b=WEIGHTS)) / log(2)


def _one(rows: Rows) -> list[Floats]:
    return [np.ones_like(rows.run)]


def _runs_and_end(rows: Rows) -> list[Floats]:
    return [(rows.run == 1) * 1.0, (rows.run > 1) * 1.0, (rows.at > LAST) * 1.0]


IDEAL = Model(lambda _rows: [])
MODELS = {
    "habit (switch)": Model(_one, by_size=False),
    "one neatness": Model(_one),
    "neatness that varies": Model(_one, varies=True),
    "after 1 card, 2 cards, last fifth": Model(_runs_and_end),
    "the same, varying": Model(_runs_and_end, varies=True),
}


def gains(person: Person, model: Model) -> tuple[float, float]:
    """Return the mean gain in bits a riffle, each riffle predicted from the others: read from the bottom, from the top.

    Raises FairdeckError if there are fewer than three riffles.
    """
    if len(person.riffles) < FEWEST_RIFFLES:
        raise FairdeckError(f"{person.name}: a model is judged on {FEWEST_RIFFLES} riffles or more")
    found = []
    for way in (1, -1):
        rows = [Rows.of(riffle.packets[::way]) for riffle in person.riffles]
        each = [
            model.bits(beta, out, varying) - _ideal(out)
            for at, out in enumerate(rows)
            for beta, varying in [model.fitted(rows[:at] + rows[at + 1 :])]
        ]
        found.append(sum(each) / len(each))
    return found[0], found[1]


def _ideal(rows: Rows) -> float:
    return float(-np.logaddexp(0, np.where(rows.changed > 0, -rows.odds, rows.odds)).sum()) / log(2)


def gain_of_cuts(person: Person) -> float:
    """Return the same for the cut: a normal law with mean and deviation of the other cuts, over the binomial."""
    cuts = [(each.packets.count(1), len(each.packets)) for each in person.riffles]
    total = 0.0
    for at, (cut, cards) in enumerate(cuts):
        others = np.array([each for each, _ in cuts[:at] + cuts[at + 1 :]], float)
        mean, spread = float(others.mean()), max(float(others.std(ddof=1)), 0.5)
        below, above = ((1 + erf((cut + half - mean) / (spread * sqrt(2)))) / 2 for half in (-0.5, 0.5))
        total += log2(max(above - below, 1e-12)) - log2(comb(cards, cut) / 2**cards)
    return total / len(cuts)


# --- what is told


# 100 filmed riffles of one person: nobody may pass the rows on, so only what was measured of them stands here.
FILMED = "jacobw.xyz, 2022, repository jacobwood27/031_shuffle; no licence is given, so only figures are shown"
FILMED_FIGURES = {
    "riffles": "100 of 52",
    "runs a riffle; ideal": "33.1; 26.7",
    "runs of 1, 2, 3, 4 cards": ".60 .29 .06 .03",
    "longest run": "8",
    "neatness, pooled; single": "1.8; 0.60 to 5.8",
    "lowest run, highest, all": "2.2, 2.5, 1.6",
    "one packet: cards, deviation": "23.8, 1.9",
}
FILMED_GAINS = ("+1.4, +1.0", "+2.4, +2.2", "+2.8, +2.4", "+2.8, +2.0", "+3.4, +2.6", "+0.7")


def document(persons: Sequence[Person]) -> Document:
    """Return the people of a corpus as a table, with the one who was filmed, and how well models predict them."""
    rows = {name: {"filmed": value} for name, value in FILMED_FIGURES.items()}
    for person in persons:
        for name, value in figures(person):
            rows.setdefault(name, {})[person.name] = value
    judged = {person.name: person for person in persons if len(person.riffles) >= FEWEST_RIFFLES}
    gained = [[_two(gains(person, model)) for person in judged.values()] for model in MODELS.values()]
    gained.append([f"{gain_of_cuts(person):+.1f}" for person in judged.values()])
    told = zip([*MODELS, "cut: own mean and deviation"], gained, FILMED_GAINS, strict=True)
    names = [*(person.name for person in persons), "filmed"]
    count = sum(len(person.riffles) for person in persons)
    return Document(
        f"{count} riffles of {len(persons)} {'person' if len(persons) == 1 else 'people'}, and figures of 100 more of "
        "another: what holds for so few may not hold for you.",
        [
            Table(
                {"person": False, **dict.fromkeys(names, False)},
                [[name, *[values.get(each, "-") for each in names]] for name, values in rows.items()],
            ),
            Sentence(
                "How well models predict a riffle that they were not fitted to, in bits a riffle gained over the ideal "
                "riffle: read from the bottom, and from the top. Below 0, a model is worse than the ideal riffle."
            ),
            Table(
                {"model": False, **dict.fromkeys([*judged, "filmed"], False)},
                [[name, *gain, filmed] for name, gain, filmed in told],
            ),
            *(Sentence(f"{person.credit}", person.name) for person in persons),
            Sentence(FILMED, "filmed"),
        ],
    )


def as_json(persons: Sequence[Person]) -> str:
    """Return the same for programs."""
    told = [
        {
            "person": person.name,
            "credit": person.credit,
            "riffles": [riffle.runs for riffle in person.riffles],
            "figures": dict(figures(person)),
            "gains": {name: gains(person, model) for name, model in MODELS.items()}
            if len(person.riffles) >= FEWEST_RIFFLES
            else None,
        }
        for person in persons
    ]
    return json.dumps({"format": "fairdeck-riffles/1", "people": told}, ensure_ascii=False)


def figures(person: Person) -> Iterator[tuple[str, str]]:
    """Yield what was measured of a person, in words."""
    fit = Fit(person.riffles)
    each = [likeliest(riffle.choices) for riffle in person.riffles]
    runs = [length for riffle in person.riffles for length in riffle.runs]
    lower = [riffle.packets.count(0) for riffle in person.riffles]
    yield "riffles", f"{len(person.riffles)} of {'/'.join(map(str, sorted({len(r.packets) for r in person.riffles})))}"
    yield "runs a riffle; ideal", f"{len(runs) / len(each):.1f}; {fit.runs_expected / len(each):.1f}"
    yield "runs of 1, 2, 3, 4 cards", " ".join(f"{runs.count(n) / len(runs):.2f}".lstrip("0") for n in range(1, 5))
    yield "longest run", f"{fit.longest}"
    yield "neatness, pooled; single", f"{likeliest(fit.choices):.2g}; {min(each):.2g} to {max(each):.2g}"
    first, last = (float(np.mean([r.runs[at] for r in person.riffles])) for at in (0, -1))
    yield "lowest run, highest, all", f"{first:.1f}, {last:.1f}, {float(np.mean(runs)):.1f}"
    spread = f", {float(np.std(lower, ddof=1)):.2g}" if lower[1:] else ""
    yield "one packet: cards, deviation", f"{float(np.mean(lower)):.1f}{spread}"
    stayed = "not recorded" if fit.known != BELOW else f"{fit.stayed[0] if fit.stayed else 0} of {2 * len(each)}"
    yield "ends that stay", stayed
    yield "checks that fail", ", ".join(fit.rejected) or "none"


def _two(pair: tuple[float, float]) -> str:
    return f"{pair[0]:+.1f}, {pair[1]:+.1f}"
