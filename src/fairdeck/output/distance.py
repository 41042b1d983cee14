"""How far a deck is from random, as sentences: what `fairdeck mix` prints."""

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from fairdeck.lab.experiments.distance import Mixing, Round, Sampled
from fairdeck.shuffles import recipe_steps
from fairdeck.shuffles.distances import Distance, Number, deals_to_notice
from fairdeck.shuffles.measured import CONFIDENCE
from fairdeck.shuffles.repeated_cards import SAMPLES

if TYPE_CHECKING:
    from fairdeck.lab.experiments.bounds import Estimate

SHOWN = 3  # lower bounds
HALF = 0.5
NEARLY = 0.1  # below it an estimate of the first order is near; where it is 0 there is no first order
FEWEST_ROUNDS = 2  # up to a cutoff that is worth a sentence
NOTHING = 0.9999  # an upper bound that says nothing

SHORT_OF_BITS = 0.99995  # below it bits are told with four digits
LARGE = 10**5  # an l-infinity that is told as a power of ten

SURE = f"all of them together {CONFIDENCE:.1%} sure"


def dealt_lines(deals: Mapping[str, Distance]) -> Iterator[str]:
    """Yield how far the hands are from fair, for each way to deal them."""
    exact = all(each.exact for each in deals.values())
    known = "exactly" if exact else f"about; an estimate, good below {NEARLY:g}"
    yield f"If hands are dealt from this deck, and only who holds what matters: total variation of the hands ({known})"
    for way, distance in deals.items():
        value = float(distance.total_variation or 0)
        shown = said(value) if exact or 0 < value < NEARLY else "large" if value else "too small to tell"
        yield f"    {way:<26} {shown}"


def headline(found: Mixing) -> str:
    """Return the sentence for someone who reads only one."""
    deck = f"{found.cards} card{'' if found.cards == 1 else 's'} after {found.recipe}"
    deck += f", by {found.repeated.name}" if found.repeated else ""
    if any(step.theory.guessed for step in recipe_steps(found.recipe)):
        deck += ", by a model that is a guess at what hands do"
    distance = found.total_variation
    if distance is not None:
        return f"{deck}: total variation {said(distance)}, exactly; {found.theory.says or _meaning(float(distance))}."
    if found.estimated:
        return f"{deck}: total variation about {give_or_take(found.estimated)}; {_meaning(found.estimated[0])}."
    return f"{deck}: {_between(found)}"


def _between(found: Mixing) -> str:
    least, most = found.at_least, found.at_most
    no_law = "" if found.theory.law else "; fairdeck knows no exact law"
    if most < NOTHING:
        between = f"between {said(least)} and {said(most)}" if least > 0 else f"at most {said(most)}"
        return f"total variation {between}{no_law}."
    if least > 0:
        meaning = _meaning(float(least), "at least ")
        return f"total variation at least {said(least)}{no_law}. {meaning.capitalize()}."
    if found.simulated:
        decks = f"{found.simulated.decks:,} simulated decks"
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


def lines(found: Mixing) -> Iterator[str]:
    """Yield the lines for a terminal."""
    yield headline(found)
    if found.repeated:
        yield found.repeated.says
    yield ""
    for name, value in facts(found):
        yield f"{name:<17} {value}"
    if found.simulated:
        yield ""
        decks = f"{found.simulated.decks:,} simulated decks (seed {found.seed or 0:x})"
        yield f"Lower bounds on the total variation from {decks}, {SURE}:"
        for each in list(found.simulated.bounds.values())[:SHOWN]:
            yield f"    {each.low:8.4f}  (counted: {give_or_take((each.value, each.error))})  {each.says}"
        yield from guesses(found.simulated)
    if found.deals:
        yield ""
        yield from dealt_lines(found.deals)
    if len(found.rounds) > 1 and known_rounds(found.rounds):
        yield ""
        yield from _columns(found.rounds, found.asked)
        yield from turning(found)


def facts(found: Mixing) -> Iterator[tuple[str, str]]:
    """Yield what theory knows, by name."""
    law = found.theory.exact
    variation = found.total_variation
    bound = None if law else found.theory.law
    if law:
        yield "total variation", "no law gives it" if variation is None else said(variation)
        yield "separation", "no law gives it" if law.separation is None else said(law.separation)
        if (most := law.l_infinity) is not None:
            yield "l-infinity", powered(most, 3) if most >= LARGE else f"{float(most):.4g}"
        if law.missing_bits is not None:
            yield "entropy", _entropy(found, law.missing_bits)
        yield "source", law.source
    if bound:
        yield "source", bound.source
    if found.estimated:
        by = f"by the exact likelihood of {SAMPLES:,} fair patterns (seed {found.seed or 0:x})"
        yield "estimated", f"{give_or_take(found.estimated)}: {by}"
    if variation is None and found.theory.at_least:
        by_source = bound is not None and bound.at_least == found.theory.at_least
        why = "the bound of that source gives that" if by_source else "most orders cannot come"
        yield "at least", f"{said(found.theory.at_least)}: {why}"
    if variation is None and found.theory.by and found.theory.at_most < NOTHING:
        why = "the bound of that source" if bound else f"{found.theory.by} alone"
        yield "at most", f"{said(found.at_most)}: {why} gives that"


def _entropy(found: Mixing, missing: float) -> str:
    if found.repeated:
        return f"{bits(missing)} bits less than in a fair deck"
    fair = math.lgamma(found.cards + 1) / math.log(2)
    return f"{bits(missing)} bits less than the {fair:.1f} of a fair deck"


def bits(missing: float) -> str:
    """Return an amount of entropy with the digits that matter.

    >>> bits(173.581003), bits(0.52388), bits(3.2e-5), bits(0)
    ('173.6', '0.5239', '3.2e-05', '0')
    """
    return f"{missing:.1f}" if missing >= SHORT_OF_BITS else said(missing)


def guesses(estimate: "Estimate") -> Iterator[str]:
    """Yield what a guesser at the table gains, if a guess was simulated."""
    if estimate.chance:
        yield (
            f"If the deck is dealt face up, a player who guesses each next card can be right {estimate.guessed:.2f} "
            f"times a deck, or more often; {estimate.chance:.2f} times in a fair deck."
        )


def turning(found: Mixing) -> Iterator[str]:
    """Yield the sentence that explains the number of rounds, if a theorem does."""
    if found.cutoff is None or found.cutoff < FEWEST_ROUNDS or found.repeated:
        return
    laws = ((each.number, each.theory.exact) for each in found.rounds)
    near = (number for number, law in laws if law and law.total_variation is not None and law.total_variation < HALF)
    first = next(near, None)
    yield (
        f"Why this many: a large deck stays far from random for a while and then turns within a few rounds; theory "
        f"puts that at about {found.cutoff:.1f} for {found.cards} cards"
        + (f", and round {first} is the first below one half." if first else ".")
    )


def known_rounds(rounds: Sequence[Round]) -> tuple[Round, ...]:
    """Return the rounds with any result."""
    return tuple([each for each in rounds if each.theory.law or each.estimated or each.bound])


def columns(rounds: Sequence[Round]) -> dict[str, list[str]]:
    """Return what is known of each round, column by column, without empty columns."""
    shown = known_rounds(rounds)
    laws = [each.theory.exact for each in shown]
    found = {
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
