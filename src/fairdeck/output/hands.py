"""What riffles tell of the hands that made them, as sentences and as JSON."""

import json
from collections.abc import Iterator
from math import pi, sqrt
from pathlib import Path

from fairdeck.lab.experiments.your_hands import MOST_RIFFLES, Needed, two_digits
from fairdeck.shuffles.interleavings import CONFIDENCE, Fit
from fairdeck.shuffles.riffle import gsr_riffles


def as_json(fit: Fit, answer: Needed) -> str:
    """Return what `fairdeck hands --json` prints."""
    return json.dumps(
        {
            "format": "fairdeck-hands/1",
            "riffles": [list(riffle.runs) for riffle in fit.riffles],
            "neatness": fit.neatness,
            "interval": fit.interval,
            "confidence": CONFIDENCE,
            "cut": fit.cut,
            "runs": fit.runs,
            "runs_expected": fit.runs_expected,
            "runs_p": fit.runs_p,
            "longest_p": fit.longest_p,
            "misfits": fit.misfits,
            "fits": fit.fits,
            **answer.fields(),
        }
    )


def lines(fit: Fit, answer: Needed, kept: Path | None) -> Iterator[str]:
    """Yield the report for a reader: the answer first."""
    yield headline(fit, answer)
    yield ""
    for label, words in rows(fit, answer):
        yield f"{label:<12}{words}"
    yield ""
    yield (
        f"How this is known: {answer.ideal} ideal riffles leave {answer.cards} cards at a total variation of "
        f"{float(gsr_riffles(answer.cards, answer.ideal).total_variation or 0):.2f}, exactly. For other hands no law "
        f"is known: {answer.decks:,} decks of each were simulated (seed {answer.seed:x}), and the statistic that shows "
        "most was compared. Neat riffles bring little chance into a deck: their entropy says how many are needed at "
        "least. So yours may need more than that, not fewer."
    )
    yield f'again       fairdeck mix "{answer.recipe}*{answer.yours}" --cards {answer.cards}'
    yield (
        f"kept        {kept}: fairdeck mix 'riffle(mine)*{answer.yours}'"
        if kept
        else "keep        add --keep, for fairdeck mix 'riffle(mine)*7' and fairdeck advise"
    )


def headline(fit: Fit, answer: Needed) -> str:
    """Return the sentence for someone who reads only one."""
    low, high = fit.interval
    if low <= 1 <= high and answer.at_least == answer.ideal:
        return (
            f"Your riffle cannot be told from an ideal one: {answer.cards} cards need {_range(answer)} of it; "
            f"of ideal riffles {answer.ideal}."
        )
    how = f"Your riffle is {'neater' if fit.neatness > 1 else 'clumsier'} than an ideal one"
    if answer.yours == answer.ideal:
        return f"{how}: {answer.cards} cards need {times(answer.yours)} of it, as of ideal riffles."
    need = f"{how}: {answer.cards} cards need {times(answer.yours)} of it; of ideal riffles {answer.ideal}."
    if round(answer.worth) < answer.ideal:
        worth = f"{answer.worth:.0f} at most" if answer.yours > MOST_RIFFLES else f"about {answer.worth:.0f}"
        need += f" {answer.ideal} of yours are worth {worth}."
    return need


def times(count: int) -> str:
    """Return a number of riffles in words."""
    return f"more than {MOST_RIFFLES}" if count > MOST_RIFFLES else f"{count}"


def rows(fit: Fit, answer: Needed) -> Iterator[tuple[str, str]]:
    """Yield the rows of the report: a label and its words."""
    low, high = fit.interval
    riffles = "1 riffle was" if len(fit.riffles) == 1 else f"{len(fit.riffles)} riffles were"
    yield "needed", f"{times(answer.yours)}; perhaps {_range(answer)}, because only {riffles} measured"
    yield (
        "neatness",
        (
            f"{two_digits(fit.neatness)} (1 is ideal; {two_digits(low)} to {two_digits(high)} "
            f"with confidence {CONFIDENCE:.0%})"
        ),
    )
    yield "runs", f"{fit.runs} in all; ideal riffles have {fit.runs_expected:.0f} on average (p-value {fit.runs_p:.2g})"
    longest = max(max(riffle.runs) for riffle in fit.riffles)
    rare = "fewer than 1%" if fit.longest_p < 0.005 else f"{fit.longest_p:.0%}"
    yield "longest run", f"{longest} cards; ideal riffles have one as long, or longer, in {rare} of cases"
    ideal = 0.5 - sqrt(1 / (2 * pi * len(fit.riffles[0].packets)))
    yield "cut", f"{fit.cut:.0%} of the deck in the smaller packet; ideal cuts have {ideal:.0%} on average"
    if fit.fits:
        yield "model", "fits: one neatness explains all that these riffles show"
    else:
        what, p_value = min(fit.misfits.items(), key=lambda each: each[1])
        yield "model", f"does not fit: {what} (p-value {p_value:.1g}); so take the answer as rough"


def _range(answer: Needed) -> str:
    if answer.at_least == answer.at_most:
        return f"{times(answer.at_least)}"
    return f"{times(answer.at_least)} to {times(answer.at_most)}"
