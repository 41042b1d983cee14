"""What riffles tell of the hands that made them, as a document and as JSON.

The headline is made of the checks that reject, so none of them can contradict it: without any it names a number, and
otherwise it names these checks, and only how many riffles are too few.
"""

import json
from collections.abc import Iterator
from math import pi, sqrt
from pathlib import Path

from fairdeck.document import Document, Fact, Facts, Sentence
from fairdeck.lab.experiments.your_hands import MOST_RIFFLES, Needed, two_digits
from fairdeck.shuffles.interleavings import BELOW, CONFIDENCE, LEVEL, Fit
from fairdeck.shuffles.riffle import gsr_riffles

ENDS = ("cards in place", "ends that stay")


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
            "checks": fit.checks,
            "misfits": fit.misfits,
            "level": LEVEL,
            "rejected": fit.rejected,
            "fits": fit.fits,
            **answer.fields(),
        }
    )


def document(fit: Fit, answer: Needed, kept: Path | None) -> Document:
    """Return the report, the answer first; `kept` is the file that keeps the riffle, if it is kept."""
    recipe = f"for fairdeck mix 'riffle(mine)*{answer.at_least}' and fairdeck advise"
    return Document(
        headline(fit, answer),
        [
            Facts(
                [*_facts(fit, answer), Fact("kept", f"in {kept}, {recipe}" if kept else f"not yet: --keep, {recipe}")]
            ),
            Sentence(
                f"How this is known: {answer.ideal} ideal riffles leave {answer.cards} cards at a total variation of "
                f"{float(gsr_riffles(answer.cards, answer.ideal).total_variation or 0):.3f}, exactly; the aim is "
                f"{answer.target:g} or less. For other hands no law is known: {answer.decks:,} decks of each were "
                f"simulated (seed {answer.seed:x}), every riffle with the same neatness, and the statistic that shows "
                "most was compared. So yours may need more than that."
            ),
        ],
        command="" if answer.yours is None else f'fairdeck mix "{answer.recipe}*{answer.yours}" --cards {answer.cards}',
    )


def headline(fit: Fit, answer: Needed) -> str:
    """Return the sentence for someone who reads only one."""
    aim = f"within {answer.target:g} of random"
    if not fit.rejected:
        known = f"As far as {_riffles(fit)} tell{'s' * (len(fit.riffles) == 1)}"
        known += " (ends not checked)" * (fit.in_place is None)
        return (
            f"{known}, {answer.cards} cards need {_range(answer)} of yours to come {aim}; of ideal ones {answer.ideal}."
        )
    said = "; ".join(f"{finding(fit, name)} (p-value {fit.checks[name]:.1g})" for name in fit.rejected)
    cut = " Cut the deck after every riffle: without cuts, cards at its ends stay." * any(
        name in ENDS for name in fit.rejected
    )
    least = (
        f"{MOST_RIFFLES} are not enough"
        if answer.at_least > MOST_RIFFLES
        else f"riffle at least {answer.at_least} times"
    )
    return (
        f"Your riffles are not ideal ones: {said}. So nobody knows how many of them bring {answer.cards} cards "
        f"{aim}: {least}. "
        f"Of ideal riffles {answer.cards} cards need {answer.ideal}.{cut}"
    )


def finding(fit: Fit, check: str) -> str:
    """Return what a check found when it rejected, in words."""
    if check == "runs":
        return "cards fall in clumps" if fit.runs < fit.runs_expected else "cards fall too evenly, nearly one by one"
    if check == "longest run":
        return f"{fit.longest} cards of one packet lie together"
    if check == "cards in place":
        return f"{_count(fit.in_place)} cards at the ends stayed where they lay"
    if check == "ends that stay":
        return f"the top or the bottom card stayed in {_count(fit.stayed)} of {2 * len(fit.riffles)} cases"
    if check == "variation":
        return "the riffles differ too much from each other"
    if check == "cut":
        return f"the cuts are too {min(fit.cuts_off, key=fit.cuts_off.__getitem__)}".replace("too to", "mostly to")
    return min(fit.misfits.items(), key=lambda each: each[1])[0]


def times(count: int) -> str:
    """Return a number of riffles in words."""
    return f"more than {MOST_RIFFLES}" if count > MOST_RIFFLES else f"{count}"


def _facts(fit: Fit, answer: Needed) -> Iterator[Fact]:
    """Yield what was measured."""
    low, high = fit.interval
    if answer.yours is None:
        yield Fact("needed", f"at least {times(answer.at_least)}; no number is promised, because a check fails")
    else:
        because = f"because only {_riffles(fit)} {'was' if len(fit.riffles) == 1 else 'were'} measured"
        yield Fact("needed", f"{times(answer.yours)}; perhaps {_range(answer)}, {because}")
    yield Fact(
        "neatness",
        f"{two_digits(fit.neatness)} (1 is ideal; {two_digits(low)} to {two_digits(high)} "
        f"with confidence {CONFIDENCE:.0%}, if all riffles have the same)",
    )
    yield Fact("runs", f"{fit.runs} in all; ideal riffles have {fit.runs_expected:.0f} on average")
    longest = fit.checks["longest run"] or 0
    rare = "fewer than 1%" if longest < 0.005 else f"{longest:.0%}"
    yield Fact("longest run", f"{fit.longest} cards; ideal riffles have one as long, or longer, in {rare} of cases")
    yield Fact("ends", _ends(fit))
    ideal = 0.5 - sqrt(1 / (2 * pi * len(fit.riffles[0].packets)))
    yield Fact("cut", f"{fit.cut:.0%} of the deck in the smaller packet; ideal cuts have {ideal:.0%} on average")
    yield Fact("p-values", ", ".join(f"{name} {p:.2g}" for name, p in fit.checks.items() if p is not None))
    failed = f"{' and '.join(fit.rejected)} failed" if fit.rejected else "none failed"
    yield Fact("checks", f"{failed}; of people with ideal hands, about {LEVEL:.0%} fail a check")


def _count(found: tuple[int, float] | None) -> int:
    return found[0] if found else 0


def _ends(fit: Fit) -> str:
    if not fit.in_place:
        return "not checked: lengths of runs do not tell the packets apart; write letters, such as RRBRB"
    either = "" if fit.known == BELOW else " (nobody wrote which packet lay below: the one that gives more is taken)"
    return (
        f"{_count(fit.in_place)} cards stayed in place at the ends of all riffles; the top or bottom card stayed in "
        f"{_count(fit.stayed)} of {2 * len(fit.riffles)} cases{either}"
    )


def _riffles(fit: Fit) -> str:
    return "1 riffle" if len(fit.riffles) == 1 else f"{len(fit.riffles)} riffles"


def _range(answer: Needed) -> str:
    most = answer.at_least if answer.at_most is None else answer.at_most
    if answer.at_least == most:
        return f"{times(answer.at_least)}"
    return f"{times(answer.at_least)} to {times(most)}"
