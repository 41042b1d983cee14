"""How far a deck is from random: what is known of a recipe, and what to tell of it."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from fairdeck.document import Chart, Document, Element, Fact, Facts, Falling, Heading, LowerBounds, Sentence, Table
from fairdeck.shuffles import recipe_steps
from fairdeck.shuffles.distances import Distance, Number, deals_to_notice
from fairdeck.shuffles.measured import CONFIDENCE
from fairdeck.shuffles.recipes import Theory, misplaced_turns, turns_cards
from fairdeck.shuffles.repeated_cards import SAMPLES, RepeatedCards
from fairdeck.shuffles.turning import MISPLACED

if TYPE_CHECKING:
    from fairdeck.lab.experiments.bounds import Estimate, LowerBound

Sampled = tuple[float, float]  # a number and its standard error

BOUNDS_SHOWN, BOUNDS_IN_TERMINAL = 8, 3
HALF = 0.5
FEWEST_ROUNDS = 2  # up to a cutoff that is worth a sentence
NOTHING = 0.9999  # an upper bound that says nothing

SHORT_OF_BITS = 0.99995  # below it bits are told with four digits
LARGE = 10**5  # an l-infinity that is told as a power of ten

SURE = f"all of them together {CONFIDENCE:.1%} sure"
VARIATION = "Total variation is the most that a bet on any event gains over a fair deck; it falls from 1 to 0."
SAYS = {
    "separation": "Separation is by what share the rarest order is too rare; it is never below total variation.",
    "estimated": "Estimated: the total variation itself, by the likelihood of sampled patterns.",
    "at least": f"At least: from the orders that cannot come, or from the best event in simulated decks, {SURE}.",
    "at most": "At most: a part of the recipe, or the separation, gives this bound.",
}
BOUNDS = (
    "Only lower bounds: the deck is at least this far from random (bars). Lines: the counted distance and two "
    "standard errors on either side. Each event was chosen on one half of the decks and counted on the other."
)
WORDS = {"seen by"}  # the columns of rounds that hold words


@dataclass(frozen=True)
class Round:
    """What is known after 1, 2, ... rounds of a recipe."""

    number: int  # of rounds
    theory: Theory  # what theory knows
    # an estimate of the total variation by the likelihood of patterns; None if none was made
    estimated: Sampled | None = None
    bound: "LowerBound | None" = None  # the best lower bound of a simulation; None if none was made
    # the best lower bound, of theory or of simulated decks, of this round or of a later one: no round takes a deck
    # further from random
    at_least: Number = 0.0

    @property
    def own_bound(self) -> Number:
        """The best lower bound of this round alone: the distance itself where a law gives it."""
        law = self.theory.exact
        known = law.total_variation if law and law.total_variation is not None else 0
        return max(self.theory.at_least, known, self.bound.low if self.bound else 0)

    @property
    def unbounded(self) -> bool:
        """Whether no lower bound is worth telling: the distance itself is known, or nothing was simulated."""
        law = self.theory.exact
        return (law is not None and law.total_variation is not None) or not (self.at_least or self.bound)

    def fields(self) -> dict[str, object]:
        """Return the round as `fairdeck mix --json` has it."""
        law = _rounded(self.theory)
        return {
            "total_variation": law.total_variation if law else None,
            "separation": law.separation if law else None,
            "missing_bits": law.missing_bits if law else None,
            "exact": law is not None,
            "at_most": float(self.theory.at_most),
            "estimated": list(self.estimated) if self.estimated else None,
            "lower_bound": [self.bound.value, self.bound.error] if self.bound else None,
            "at_least": float(self.at_least),
        }


@dataclass(frozen=True, repr=False)
class Mixing:
    """How far a deck is from random after a recipe.

    Attributes:
        recipe: what is done to the deck.
        cards: of the deck.
        repeated: which cards count as alike; None if all differ.
        theory: what theory knows.
        rounds: what is known after 1, 2, ... rounds.
        estimated: an estimate of the total variation by the likelihood of patterns; None if none was made.
        simulated: lower bounds by simulation; None if none was made.
        asked: the number of the round that was asked for.
        seed: of the simulation or the estimate; None if nothing was drawn.
        cutoff: the round about which a large deck becomes random; None if no theorem says.
    """

    recipe: str
    cards: int
    repeated: RepeatedCards | None
    theory: Theory
    rounds: tuple[Round, ...]
    estimated: Sampled | None
    simulated: "Estimate | None"
    asked: int = 1
    seed: int | None = None
    cutoff: float | None = None

    @property
    def total_variation(self) -> Number | None:
        """The most that a bet on any event gains over a fair deck, 0 to 1; None if no exact law gives it."""
        return self.theory.exact.total_variation if self.theory.exact else None

    @property
    def separation(self) -> Number | None:
        """How much the rarest order falls short of its fair chance, 0 to 1; None if no exact law gives it."""
        return self.theory.exact.separation if self.theory.exact else None

    @property
    def exact(self) -> bool:
        """Whether an exact law is known."""
        return self.theory.exact is not None

    @property
    def reversals(self) -> bool:
        """Whether cards are turned, so that the distances are those of order and reversals together."""
        return turns_cards(recipe_steps(self.recipe))

    @property
    def lower_bounds(self) -> dict[str, Sampled]:
        """What the simulated decks show: for each statistic a distance, as counted, and its standard error."""
        return (
            {name: (each.value, each.error) for name, each in self.simulated.bounds.items()} if self.simulated else {}
        )

    @property
    def guessed(self) -> tuple[float, float] | None:
        """How many cards a player guesses right who sees each card, and in a fair deck; None if nobody asked."""
        if self.theory.guesses is not None and not self.repeated:
            return float(self.theory.guesses), sum([1 / left for left in range(1, self.cards + 1)])
        simulated = self.simulated
        return (simulated.guessed, simulated.chance) if simulated and simulated.chance else None

    @property
    def at_least(self) -> Number:
        """The best lower bound on the total variation, of theory or simulation, of this round or a later one."""
        shown = [each.at_least for each in self.rounds if each.number == self.asked]
        return max([self.theory.at_least, self.simulated.best.low if self.simulated else 0.0, *shown])

    @property
    def at_most(self) -> Number:
        """The best upper bound on the total variation."""
        return self.theory.at_most

    def __repr__(self) -> str:
        known = self.total_variation
        found = f"at_least={float(self.at_least):.4g}, at_most={float(self.at_most):.4g}"
        if known is not None:
            found = f"total_variation={float(known):.4g}"
        return f"Mixing({self.recipe!r}, cards={self.cards}, {found}, exact={self.exact})"

    def __str__(self) -> str:
        """Return the sentence that `fairdeck mix` begins with."""
        return _headline(self)

    def html(self) -> str:
        """Return one HTML page with pictures and tables, which needs nothing else."""
        from fairdeck.show.page import page

        return page(self.document())

    def _repr_html_(self) -> str:
        from fairdeck.show.html import framed

        return framed(self.html())

    def document(self) -> Document:
        """Return all that is known, the headline first."""
        repeated = [Sentence(self.repeated.says)] if self.repeated else []
        repeated += [Sentence(MISPLACED)] if self.at_most and misplaced_turns(recipe_steps(self.recipe)) else []
        known = [Facts(facts)] if (facts := list(_facts(self))) else []
        return Document(_headline(self), [*repeated, *known, *_rounds(self), *_bounds(self), *_guessed(self)])

    def to_json(self) -> str:
        """Return what `fairdeck mix --json` prints."""
        law = _rounded(self.theory)
        bounds = self.simulated
        fields = {
            "format": "fairdeck-mix/1",
            "recipe": self.recipe,
            "cards": self.cards,
            "like": self.repeated.name if self.repeated else None,
            "reversals": self.reversals,
            "total_variation": law.total_variation if law else None,
            "separation": law.separation if law else None,
            "l_infinity": law.l_infinity if law and law.l_infinity != math.inf else None,
            "missing_bits": law.missing_bits if law else None,
            "exact": self.exact,
            "source": self.theory.law.source if self.theory.law else None,
            "at_least": float(self.at_least),
            "at_most": float(self.at_most),
            "at_most_by": self.theory.by,
            "estimated": list(self.estimated) if self.estimated else None,
            "lower_bounds": {name: list(bound) for name, bound in self.lower_bounds.items()},
            "simulated_at_least": {name: each.low for name, each in bounds.bounds.items()} if bounds else {},
            "confidence": CONFIDENCE if bounds else None,
            "guessed": list(self.guessed) if self.guessed else None,
            "decks": bounds.decks if bounds else 0,
            "seed": None if self.seed is None else f"{self.seed:x}",
            "rounds": [each.fields() for each in self.rounds],
        }
        return json.dumps(fields)


def _rounded(known: Theory) -> Distance | None:
    return known.exact.rounded() if known.exact else None


# --- the words


def _headline(mixing: Mixing) -> str:
    """Return the sentence for someone who reads only one."""
    deck = f"{mixing.cards} card{'' if mixing.cards == 1 else 's'} after {mixing.recipe}"
    deck += f", by {mixing.repeated.name}" if mixing.repeated else ""
    deck += ", order and reversals together" if mixing.reversals else ""
    if guesses := dict.fromkeys(step.theory.guess for step in recipe_steps(mixing.recipe) if step.theory.guess):
        deck += f", by a guess at {' and '.join(guesses)}"
    distance = mixing.total_variation
    if distance is not None:
        return f"{deck}: total variation {said(distance)}, exactly; {mixing.theory.says or _meaning(float(distance))}."
    if mixing.estimated:
        return f"{deck}: total variation about {give_or_take(mixing.estimated)}; {_meaning(mixing.estimated[0])}."
    return f"{deck}: {_between(mixing)}"


def _between(mixing: Mixing) -> str:
    least, most = mixing.at_least, mixing.at_most
    no_law = "" if mixing.theory.law else "; fairdeck knows no exact law"
    if most < NOTHING:
        between = f"between {said(least)} and {said(most)}" if least > 0 else f"at most {said(most)}"
        return f"total variation {between}{no_law}."
    if least > 0:
        meaning = _meaning(float(least), "at least ")
        return f"total variation at least {said(least)}{no_law}. {meaning.capitalize()}."
    if mixing.simulated:
        decks = f"{mixing.simulated.decks:,} simulated decks"
        return f"fairdeck knows no law, and {decks} show no distance from random that is {CONFIDENCE:.1%} sure."
    return "fairdeck knows no law for these steps together, and nothing was simulated."


def _meaning(distance: float, about: str = "") -> str:
    if distance >= 0.9:
        return "a player who knows the old order can tell this deck from a fair one"
    if distance < 0.001:
        return "as good as perfect"
    bet = f"the best bet on this deck wins {about}{{}} percentage points more often than on a fair one"
    if distance >= 0.1:
        return bet.format(f"{100 * distance:.0f}")
    return bet.format(f"{100 * distance:.1f}") + f"; to notice that takes some {deals_to_notice(distance):,} deals"


def said(distance: Number) -> str:
    """Return a distance with the digits that matter.

    >>> said(0.33411), said(2e-6), said(1 - Fraction(1, 10**400)), said(1.0)
    ('0.3341', '2.0e-06', '1 - 1.0e-400', 'within 1e-12 of 1')
    """
    if not distance or (distance == 1 and isinstance(distance, Fraction)):
        return str(int(distance))
    if distance < 0.001:
        return powered(distance, 1)
    if distance < 0.99995:
        return f"{float(distance):.4f}"
    if isinstance(distance, Fraction):
        return f"1 - {powered(Fraction(distance.denominator - distance.numerator, distance.denominator), 1)}"
    return "within 1e-12 of 1" if distance >= 1 - 1e-12 else f"1 - {1 - distance:.1e}"


def powered(number: Number, digits: int) -> str:
    """Return a number above 0 as digits and a power of ten; it may be beyond all floats.

    >>> powered(Fraction(99999, 10**401), 1), powered(math.inf, 1)
    ('1.0e-396', 'above 1e+308')
    """
    if number == math.inf:
        return "above 1e+308"
    one, other = number.as_integer_ratio()
    exponent, share = divmod(math.log10(one) - math.log10(other), 1)
    mantissa = f"{10**share:.{digits}f}"
    if mantissa.startswith("10"):
        exponent, mantissa = exponent + 1, f"{1:.{digits}f}"
    return f"{mantissa}e{int(exponent):+03d}"


def give_or_take(sampled: Sampled) -> str:
    """Return an estimate with its standard error.

    >>> give_or_take((0.0133, 0.0002))
    '0.0133 ± 0.0002'
    """
    value, error = sampled
    digits = min(12, max(4, -math.floor(math.log10(error)))) if error > 0 else 4
    return f"{value:.{digits}f} ± {error:.{digits}f}"


def _facts(mixing: Mixing) -> Iterator[Fact]:
    law = mixing.theory.exact
    variation = mixing.total_variation
    bound = None if law else mixing.theory.law
    if law:
        yield Fact("total variation", "no law gives it" if variation is None else said(variation))
        yield Fact("separation", "no law gives it" if law.separation is None else said(law.separation))
        if (most := law.l_infinity) is not None:
            yield Fact("l-infinity", powered(most, 3) if most >= LARGE else f"{float(most):.4g}")
        if law.missing_bits is not None:
            yield Fact("entropy", _entropy(mixing, law.missing_bits))
        yield Fact("source", law.source)
    if bound:
        yield Fact("source", bound.source)
    if mixing.estimated:
        by = f"by the exact likelihood of {SAMPLES:,} fair patterns (seed {mixing.seed or 0:x})"
        yield Fact("estimated", f"{give_or_take(mixing.estimated)}: {by}")
    if variation is None and mixing.theory.at_least:
        by_source = bound is not None and bound.at_least == mixing.theory.at_least
        why = (
            "the bound of that source gives that"
            if by_source
            else f"most orders{' with reversals' * mixing.reversals} cannot come"
        )
        yield Fact("at least", f"{said(mixing.theory.at_least)}: {why}")
    if variation is None and mixing.theory.by and mixing.theory.at_most < NOTHING:
        why = "the bound of that source" if bound else f"{mixing.theory.by} alone"
        yield Fact("at most", f"{said(mixing.at_most)}: {why} gives that")


def _entropy(mixing: Mixing, missing: float) -> str:
    if mixing.repeated:
        return f"{bits(missing)} bits less than in a fair deck"
    fair = math.lgamma(mixing.cards + 1) / math.log(2) + mixing.cards * mixing.reversals
    return f"{bits(missing)} bits less than the {fair:.1f} of a fair deck"


def bits(missing: float) -> str:
    """Return an amount of entropy with the digits that matter.

    >>> bits(173.581003), bits(0.52388), bits(3.2e-5), bits(0)
    ('173.6', '0.5239', '3.2e-05', '0')
    """
    return f"{missing:.1f}" if missing >= SHORT_OF_BITS else said(missing)


# --- round after round


def _rounds(mixing: Mixing) -> Iterator[Element]:
    shown = tuple([each for each in mixing.rounds if each.theory.law or each.estimated or each.bound])
    if len(shown) < FEWEST_ROUNDS:
        return
    series = _series(mixing.rounds)
    errors = {"estimated": [each.estimated[1] if each.estimated else None for each in mixing.rounds]}
    mark = mixing.asked if 1 < mixing.asked <= len(mixing.rounds) else None
    captions = [VARIATION, *(says for name, says in SAYS.items() if name in series)]
    captions += [f"The vertical line: round {mark}, which was asked for."] if mark else []
    yield Heading("Round after round")
    yield Chart(
        f"Distance from random, round after round: {mixing.recipe}, {mixing.cards} cards",
        Falling(series, errors, mark),
        (f"Round {mark} is marked. " if mark else "") + "; ".join(map(_described, series, series.values())),
        " ".join(captions),
    )
    columns = _columns(shown)
    yield Table(
        {name: name not in WORDS for name in columns},
        list(zip(*columns.values(), strict=True)),
        marked={at: "asked" for at, each in enumerate(shown) if each.number == mixing.asked},
    )
    if sentence := _turning(mixing):
        yield Sentence(sentence)


def _series(rounds: Sequence[Round]) -> dict[str, list[float | None]]:
    laws = [each.theory.exact for each in rounds]
    found = {
        "total variation": [_number(law.total_variation if law else None) for law in laws],
        "estimated": [each.estimated[0] if each.estimated else None for each in rounds],
        "separation": [_number(law.separation if law else None) for law in laws],
        "at least": [None if each.unbounded else float(each.at_least) for each in rounds],
        "at most": [
            float(each.theory.at_most) if law is None and each.theory.at_most < NOTHING else None
            for each, law in zip(rounds, laws, strict=True)
        ],
    }
    return {name: values for name, values in found.items() if any(value is not None for value in values)}


def _number(number: Number | None) -> float | None:
    return None if number is None else float(number)


def _described(name: str, values: Sequence[float | None]) -> str:
    known = ", ".join(f"{value:.3g} after {number}" for number, value in enumerate(values, 1) if value is not None)
    return f"{name}: {known}"


def _columns(shown: Sequence[Round]) -> dict[str, list[str]]:
    """Return what is known of each round, column by column, without empty columns."""
    laws = [each.theory.exact for each in shown]
    columns = {
        "rounds": [str(each.number) for each in shown],
        "total variation": [_cell(law and law.total_variation) for law in laws],
        "estimated": [give_or_take(each.estimated) if each.estimated else "?" for each in shown],
        "separation": [_cell(law and law.separation) for law in laws],
        "missing bits": ["?" if law is None or law.missing_bits is None else bits(law.missing_bits) for law in laws],
        "at least": ["?" if each.unbounded else said(each.at_least) for each in shown],
        "at most": [
            said(each.theory.at_most) if law is None and each.theory.at_most < NOTHING else "?"
            for each, law in zip(shown, laws, strict=True)
        ],
        "seen by": [each.bound.says if each.bound else "?" for each in shown],
    }
    return {name: cells for name, cells in columns.items() if set(cells) != {"?"}}


def _cell(number: object) -> str:
    return said(number) if isinstance(number, Fraction | float) else "?"


def _turning(mixing: Mixing) -> str:
    """Return the sentence that explains the number of rounds; empty if no theorem does."""
    if mixing.cutoff is None or mixing.cutoff < FEWEST_ROUNDS or mixing.repeated:
        return ""
    laws = ((each.number, each.theory.exact) for each in mixing.rounds)
    near = (number for number, law in laws if law and law.total_variation is not None and law.total_variation < HALF)
    first = next(near, None)
    return (
        f"Why this many: a large deck stays far from random for a while and then turns within a few rounds; theory "
        f"puts that at about {mixing.cutoff:.1f} for {mixing.cards} cards"
        + (f", and round {first} is the first below one half." if first else ".")
    )


# --- simulated decks


def _bounds(mixing: Mixing) -> Iterator[Element]:
    estimate = mixing.simulated
    if not estimate:
        return
    shown = list(estimate.bounds.items())[:BOUNDS_SHOWN]
    bars = [(name, each.low, each.value, each.error) for name, each in shown]
    most = float(mixing.at_most) if mixing.at_most < NOTHING else None
    heading = f"Lower bounds on the total variation from {estimate.decks:,} simulated decks"
    alone = "; they show the order alone, no reversals" * mixing.reversals
    yield Heading(f"{heading} (seed {mixing.seed or 0:x}), {SURE}{alone}")
    yield Chart(
        heading,
        LowerBounds(bars, most),
        "; ".join(f"{name}: {low:.3g}" for name, low, _, _ in bars) + (f"; at most {most:.3g}" if most else ""),
        BOUNDS if most is None else f"{BOUNDS} Dashed: at most this far.",
    )
    rows = [
        (name, said(each.low), give_or_take((each.value, each.error)), each.says.removeprefix(f"{name}: "))
        for name, each in shown
    ]
    columns = {"what is looked at": False, "at least": True, "counted": True, "what was seen": False}
    yield Table(columns, rows, most=BOUNDS_IN_TERMINAL, more="more, with smaller bounds: --html FILE")


def _guessed(mixing: Mixing) -> Iterator[Element]:
    if mixing.guessed is None:
        return
    right, fair = mixing.guessed
    who, how = "a player who guesses each next card can be", "or more often"
    if mixing.theory.guesses is not None:
        who, how = "the best player is", "exactly, on average"
    yield Sentence(
        f"If the deck is dealt face up, {who} right {right:.2f} times a deck, {how}; {fair:.2f} times in a fair deck."
    )
