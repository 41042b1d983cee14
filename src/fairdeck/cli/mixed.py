"""What `fairdeck mix` has found, as sentences and as JSON."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from fairdeck.mixing.distance import Distance, Number
from fairdeck.mixing.likeness import SAMPLES, Likeness
from fairdeck.mixing.measured import CONFIDENCE
from fairdeck.mixing.recipes import Mixing

if TYPE_CHECKING:
    from fairdeck.lab.bounds import Estimate, LowerBound

SHOWN = 3  # lower bounds
HALF = 0.5
FEWEST_ROUNDS = 2  # of a cutoff that is worth a sentence
NOTHING = 0.9999  # an upper bound that says nothing

LARGE = 10**5  # an l-infinity that is told as a power of ten

SURE = f"all of them together {CONFIDENCE:.1%} sure"
Sampled = tuple[float, float]  # a number and its standard error


@dataclass(frozen=True)
class Round:
    """What is known after so many rounds of a recipe.

    Attributes:
        number: how many.
        known: what theory says.
        sampled: an estimate of the total variation by the likelihood of patterns; None where none was made.
        bound: the best lower bound of a simulation; None where none was made.
        least: the best lower bound there is, of theory or of simulated decks, after this round or a later one: no
            round takes a deck further from random.
    """

    number: int
    known: Mixing
    sampled: Sampled | None = None
    bound: "LowerBound | None" = None
    least: Number = 0.0

    @property
    def own_least(self) -> Number:
        """The best lower bound of this round alone."""
        theory = self.known.at_least
        return self.bound.low if self.bound and self.bound.low > theory else theory

    @property
    def unbounded(self) -> bool:
        """Whether no lower bound is worth telling: the distance itself is known, or nothing was looked at."""
        law = exact(self.known)
        return (law is not None and law.total_variation is not None) or not (self.least or self.bound)


@dataclass(frozen=True)
class Found:
    """All that is known of a deck after a recipe.

    Attributes:
        recipe: what is done to the deck.
        cards: of the deck.
        alike: which cards are not told apart; None if all are.
        known: what theory says.
        rounds: the same after 1, 2, ... rounds.
        sampled: an estimate of the total variation by the likelihood of patterns; None where none was made.
        estimate: lower bounds by simulation; None where none was made.
        asked: the number of the round that was asked for.
        seed: what the simulation, or the estimate, came from; None where nothing was drawn.
        cutoff: the round about which a large deck becomes random; None where no theorem says.
    """

    recipe: str
    cards: int
    alike: Likeness | None
    known: Mixing
    rounds: tuple[Round, ...]
    sampled: Sampled | None
    estimate: "Estimate | None"
    asked: int = 1
    seed: int | None = None
    cutoff: float | None = None

    @property
    def least(self) -> Number:
        """The best lower bound there is: of theory, or of the simulation, of this round or of a later one."""
        shown = [each.least for each in self.rounds if each.number == self.asked]
        return max([self.known.at_least, self.estimate.best.low if self.estimate else 0.0, *shown])


def exact(known: Mixing) -> Distance | None:
    """Return the law; None where there is none, or only a bound."""
    return known.law if known.law and known.law.exact else None


def _rounded(known: Mixing) -> Distance | None:
    law = exact(known)
    return law.rounded() if law else None


def fields(found: Found) -> dict[str, object]:
    """Return the same for machines."""
    law = _rounded(found.known)
    estimate = found.estimate
    return {
        "recipe": found.recipe,
        "cards": found.cards,
        "like": found.alike.name if found.alike else None,
        "total_variation": law.total_variation if law else None,
        "separation": law.separation if law else None,
        "l_infinity": _finite(law.l_infinity) if law else None,
        "exact": law is not None,
        "source": found.known.law.source if found.known.law else None,
        "at_least": float(found.known.at_least),
        "at_most": float(found.known.at_most),
        "at_most_by": found.known.by,
        "estimated": list(found.sampled) if found.sampled else None,
        "lower_bounds": {name: [each.value, each.error] for name, each in estimate.bounds.items()} if estimate else {},
        "simulated_at_least": {name: each.low for name, each in estimate.bounds.items()} if estimate else {},
        "confidence": CONFIDENCE if estimate else None,
        "guessed": [estimate.guessed, estimate.chance] if estimate and estimate.chance else None,
        "decks": estimate.decks if estimate else 0,
        "seed": None if found.seed is None else f"{found.seed:x}",
        "rounds": list(map(_round, found.rounds)),
    }


def _round(each: Round) -> dict[str, object]:
    law = _rounded(each.known)
    return {
        "total_variation": law.total_variation if law else None,
        "separation": law.separation if law else None,
        "exact": law is not None,
        "at_most": float(each.known.at_most),
        "estimated": list(each.sampled) if each.sampled else None,
        "lower_bound": [each.bound.value, each.bound.error] if each.bound else None,
        "at_least": float(each.least),
    }


def _finite(number: object) -> object:
    return None if number == math.inf else number


def headline(found: Found) -> str:
    """Return the sentence for someone who reads only one."""
    deck = f"{found.cards} card{'' if found.cards == 1 else 's'} after {found.recipe}"
    deck += f", by {found.alike.name}" if found.alike else ""
    law = exact(found.known)
    if law is not None and law.total_variation is not None:
        distance = law.total_variation
        return f"{deck}: total variation {said(distance)}, exactly; {found.known.says or _meaning(float(distance))}."
    if found.sampled:
        return f"{deck}: total variation about {give_or_take(found.sampled)}; {_meaning(found.sampled[0])}."
    return f"{deck}: {_between(found)}"


def _between(found: Found) -> str:
    least, most = found.least, found.known.at_most
    no_law = "" if found.known.law else "; fairdeck knows no exact law"
    if most < NOTHING:
        between = f"between {said(least)} and {said(most)}" if least > 0 else f"at most {said(most)}"
        return f"total variation {between}{no_law}."
    if least > 0:
        meaning = _meaning(float(least), "at least ")
        return f"total variation at least {said(least)}{no_law}. {meaning.capitalize()}."
    if found.estimate:
        decks = f"{found.estimate.decks:,} simulated decks"
        return f"fairdeck knows no law, and {decks} show no distance from random that is {CONFIDENCE:.1%} sure."
    return "fairdeck knows no law for these steps together, and nothing was simulated."


def _meaning(distance: float, about: str = "") -> str:
    if distance >= 0.9:
        return "anybody who knows the old order can tell it from a shuffled deck"
    if distance < 0.001:
        return "as good as perfect"
    share, few = (f"{distance:.0%}", "") if distance >= 0.1 else (f"{distance:.1%}", "; few would notice")
    return f"a bet on the right event wins in {about}{share} more of all deals than it should{few}"


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
    """Return a number above 0 as digits and a power of ten, however far beyond all floats it is.

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


def lines(found: Found) -> Iterator[str]:
    """Yield the lines for a terminal."""
    yield headline(found)
    if found.alike:
        yield found.alike.says
    yield ""
    for name, value in facts(found):
        yield f"{name:<17} {value}"
    if found.estimate:
        yield ""
        decks = f"{found.estimate.decks:,} simulated decks (seed {found.seed or 0:x})"
        yield f"Lower bounds on the total variation from {decks}, {SURE}:"
        for each in list(found.estimate.bounds.values())[:SHOWN]:
            yield f"    {each.low:8.4f}  (counted: {give_or_take((each.value, each.error))})  {each.says}"
        yield from guesses(found.estimate)
    if len(found.rounds) > 1 and known_rounds(found.rounds):
        yield ""
        yield from _columns(found.rounds, found.asked)
        yield from turning(found)


def facts(found: Found) -> Iterator[tuple[str, str]]:
    """Yield what theory says, by name."""
    law = exact(found.known)
    variation = law.total_variation if law else None
    bound = found.known.law if law is None else None
    if law:
        yield "total variation", "no law gives it" if variation is None else said(variation)
        yield "separation", "no law gives it" if law.separation is None else said(law.separation)
        if (most := law.l_infinity) is not None:
            yield "l-infinity", powered(most, 3) if most >= LARGE else f"{float(most):.4g}"
        yield "source", law.source
    if bound:
        yield "source", bound.source
    if found.sampled:
        by = f"by the exact likelihood of {SAMPLES:,} fair patterns (seed {found.seed or 0:x})"
        yield "estimated", f"{give_or_take(found.sampled)}: {by}"
    if variation is None and found.known.at_least:
        yield "at least", f"{said(found.known.at_least)}: most orders cannot come"
    if variation is None and found.known.by and found.known.at_most < NOTHING:
        why = "the bound of that source" if bound else f"{found.known.by} alone"
        yield "at most", f"{said(found.known.at_most)}: {why} gives that"


def guesses(estimate: "Estimate") -> Iterator[str]:
    """Yield what a guesser at the table gains, if anybody guessed."""
    if estimate.chance:
        yield (
            f"A player who guesses the next card, all dealt face up, is right {estimate.guessed:.2f} times a deck; "
            f"{estimate.chance:.2f} would be chance."
        )


def turning(found: Found) -> Iterator[str]:
    """Yield the sentence that says why it takes so many rounds, if theory has one."""
    if found.cutoff is None or found.cutoff < FEWEST_ROUNDS or found.alike:
        return
    laws = ((each.number, exact(each.known)) for each in found.rounds)
    near = (number for number, law in laws if law and law.total_variation is not None and law.total_variation < HALF)
    first = next(near, None)
    yield (
        f"Why so many: a large deck stays far from random for a while and then turns within a few rounds; theory puts "
        f"that at about {found.cutoff:.1f} for {found.cards} cards"
        + (f", and round {first} is the first below one half." if first else ".")
    )


def known_rounds(rounds: Sequence[Round]) -> tuple[Round, ...]:
    """Return the rounds of which something is known."""
    return tuple([each for each in rounds if each.known.law or each.sampled or each.bound])


def columns(rounds: Sequence[Round]) -> dict[str, list[str]]:
    """Return what is known of each round, column by column; a column in which nothing is known is left out."""
    shown = known_rounds(rounds)
    laws = [exact(each.known) for each in shown]
    found = {
        "rounds": [str(each.number) for each in shown],
        "total variation": [_cell(law and law.total_variation) for law in laws],
        "estimated": [give_or_take(each.sampled) if each.sampled else "?" for each in shown],
        "separation": [_cell(law and law.separation) for law in laws],
        "at least": ["?" if each.unbounded else said(each.least) for each in shown],
        "at most": [
            said(each.known.at_most) if law is None and each.known.at_most < NOTHING else "?"
            for each, law in zip(shown, laws, strict=True)
        ],
        "seen by": [each.bound.says if each.bound else "?" for each in shown],
    }
    return {name: cells for name, cells in found.items() if set(cells) != {"?"}}


def _cell(number: object) -> str:
    return said(number) if isinstance(number, Fraction | float) else "?"


def _columns(rounds: Sequence[Round], asked: int) -> Iterator[str]:
    found = columns(rounds)
    numbers = found["rounds"]
    reading = found.pop("seen by", [""] * len(found["rounds"]))
    widths = [max(len(name), *map(len, cells)) for name, cells in found.items()]
    marks = ["  <- asked" if number == str(asked) else "" for number in numbers]
    for *cells, says, mark in [(*found, "", ""), *zip(*found.values(), reading, marks, strict=True)]:
        line = "  ".join([f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)] + [says])
        yield line.rstrip() + mark
