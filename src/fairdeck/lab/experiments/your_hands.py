"""How many riffles with these hands are as good as the ideal ones that bring a deck within `NEAR_RANDOM` of random.

No law is known for a riffle that is neater or clumsier than the ideal one. So bounds are compared with bounds: the same
statistics on as many simulated decks of both shuffles. Whichever shows more is further from random, as far as they see.
What they do not see is the order of riffles that are nearly perfect, which bring little chance into the deck: these are
bounded by their entropy.

All of this rests on the model, one neatness for all riffles. Where a check rejects it, no number is promised: the
headline is made of the checks that reject, so none of them can contradict it.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import pi, sqrt
from pathlib import Path

from fairdeck import numbers
from fairdeck.document import Document, Fact, Facts, Sentence
from fairdeck.doors import checked
from fairdeck.errors import FairdeckError
from fairdeck.lab.experiments.bounds import estimate
from fairdeck.shuffles.distances import NEAR_RANDOM
from fairdeck.shuffles.interleavings import (
    BELOW,
    CONFIDENCE,
    LEVEL,
    NEATEST,
    Fit,
    Interleaving,
    entropy,
    fewest_by_entropy,
    read,
)
from fairdeck.shuffles.riffle import gsr_riffles, usual_riffles

LEAST, MOST = 10, 500  # cards
DECKS, DECKS_OF_MANY = 20_000, 2_000
MANY = 128  # cards; larger decks are not simulated by the fast moves of `fairdeck.bulk.hand_shuffles`
MOST_RIFFLES = 100
NEAR, ERRORS = 0.1, 3.0  # a deck is as good as another if its bound is larger by a tenth and three errors at most
LEAST_CUT = 0.01  # the smallest share of a packet that a recipe is given


@dataclass(frozen=True)
class Needed:
    """How many riffles a deck needs."""

    cards: int  # of the deck
    target: float  # the total variation to come down to
    ideal: int  # the fewest ideal riffles that do it
    # as many of yours, by the estimate; `MOST_RIFFLES` + 1 if even those do not do. Never fewer than `ideal`:
    # that neater riffles show less in these statistics proves nothing. None where a check fails.
    yours: int | None
    at_least: int  # the fewest, whatever neatness within the interval your hands have; never fewer than `ideal`
    at_most: int | None  # the most, in the same way; None where a check fails
    recipe: str  # what `fairdeck mix` takes for one of yours, by the model
    decks: int  # how many were simulated for each number of riffles
    seed: int  # of the simulation


@dataclass(frozen=True, repr=False)
class Measured:
    """A riffle that was measured: what its interleavings tell, and how many of it a deck needs.

    Attributes:
        fit: the riffles, their neatness with its interval, and the checks of the model.
        needed: how many a deck needs, beside ideal ones.
    """

    fit: Fit
    needed: Needed

    def __repr__(self) -> str:
        low, high = self.fit.interval
        needed = self.needed.yours or f"at least {self.needed.at_least}"
        counts = f"{self.needed.cards} cards need {needed}, ideal {self.needed.ideal}"
        return f"Measured(neatness {self.fit.neatness:.2g}, {low:.2g} to {high:.2g}: {counts})"


@checked
def measured(
    riffles: Sequence[str | Interleaving],
    *,
    cuts: Sequence[int] = (),
    cards: int | None = None,
    seed: int = 1,
    tell: Callable[[str], object] = lambda _what: None,
) -> Measured:
    """Return how neat a riffle is, and how many of it a deck needs; the arguments are those of `fairdeck.hands`."""
    found = tuple(read(each) if isinstance(each, str) else each for each in riffles)
    if not found:
        raise FairdeckError("no riffle is given: write five or more, such as RRBRBB or '2 1 1 2'")
    size = len(found[0].packets)
    for number, each in enumerate(found[1:], 2):
        if len(each.packets) != size:
            raise FairdeckError(
                f"riffle {number} has {len(each.packets)} cards and riffle 1 has {size}: was a card missed? "
                "Write every card of the same deck, or leave this riffle out"
            )
    for cut in cuts:
        numbers.whole("a cut", cut, 1, size - 1)
    fit = Fit(found, tuple(cuts))
    if not fit.choices:
        raise FairdeckError("these riffles show no choice: both halves need two cards or more, and must lie mixed")
    if cards is None and not LEAST <= size <= MOST:
        raise FairdeckError(f"the riffles have {size} cards: name a deck of {LEAST} to {MOST} with --cards (or cards=)")
    return Measured(fit, needed(fit, size if cards is None else cards, seed=seed, tell=tell))


def needed(
    fit: Fit, cards: int, *, seed: int = 1, decks: int | None = None, tell: Callable[[str], object] = lambda _what: None
) -> Needed:
    """Return how many riffles of 10 to 500 cards with these hands are as good as ideal ones.

    For each number of riffles `decks` are simulated, 2,000 or more (default: 20,000, of more than 128 cards 2,000);
    `tell` is called with what is being simulated, in words.
    """
    numbers.whole("cards", cards, LEAST, MOST)
    decks = decks or (DECKS_OF_MANY if cards > MANY else DECKS)
    compared, cut = Comparison(cards, decks, seed, tell), cut_of(fit)
    yours, *ends = [_fewest(compared, neatness, cut) for neatness in (fit.neatness, *fit.interval)]
    holds_ideal = cut == 0.5 and fit.interval[0] <= 1 <= fit.interval[1]
    return Needed(
        cards,
        float(NEAR_RANDOM),
        compared.ideal,
        yours if fit.fits else None,
        min(yours, compared.ideal if holds_ideal else min(ends)),
        max(yours, *ends) if fit.fits else None,
        recipe(fit.neatness, cut),
        decks,
        seed,
    )


def _fewest(compared: "Comparison", neatness: float, cut: float) -> int:
    """Return how many riffles are needed, by what the simulation shows and by the entropy of one riffle."""
    if neatness > 0.999 * NEATEST:  # card by card wherever it could be seen: maybe no chance at all
        return MOST_RIFFLES + 1
    bits, variation = (
        entropy(compared.cards, neatness, cut),
        gsr_riffles(compared.cards, compared.ideal).total_variation,
    )
    fewest = fewest_by_entropy(compared.cards, bits, float(variation or 0))
    return min(max(fewest, compared.riffles(recipe(neatness, cut))), MOST_RIFFLES + 1)


class Comparison:
    """What simulated decks show of ideal riffles, and of others."""

    def __init__(self, cards: int, decks: int, seed: int, tell: Callable[[str], object] = lambda _what: None) -> None:
        self.cards, self.decks, self.seed, self.tell = cards, decks, seed, tell
        self.ideal = usual_riffles(cards)
        self._seen: dict[str, tuple[float, float]] = {}

    def seen(self, once: str, times: int) -> tuple[float, float]:
        """Return the largest bound on the total variation, as counted, and its standard error."""
        shuffle = f"{once}*{times}"
        if shuffle not in self._seen:
            self.tell(f"{times} times {once}")
            best = estimate(shuffle, self.cards, self.decks, self.seed).best
            self._seen[shuffle] = best.value, best.error
        return self._seen[shuffle]

    def riffles(self, once: str) -> int:
        """Return the fewest riffles, `ideal` or more, that show about no more than `ideal` ideal ones."""
        value, error = self.seen("riffle", self.ideal)
        goal, low, high = (1 + NEAR) * value + ERRORS * error, self.ideal - 1, self.ideal
        while high <= MOST_RIFFLES and self.seen(once, high)[0] > goal:
            low, high = high, high + max(1, high // 3)
        high = min(high, MOST_RIFFLES + 1)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.seen(once, middle)[0] > goal else (low, middle)
        return high


def cut_of(fit: Fit) -> float:
    """Return the share of the deck in the lower packet: one half, unless ideal cuts are rarely as uneven as these.

    Ideal cuts of the deck that was riffled, whatever deck is to be shuffled: those of few cards are less even.
    """
    return 0.5 if fit.cuts_off["uneven"] > 1 - CONFIDENCE else max(LEAST_CUT, round(fit.cut, 2))


def recipe(neatness: float, cut: float = 0.5) -> str:
    """Return the name of a riffle of this neatness and cut.

    >>> recipe(0.6123), recipe(1.0), recipe(1000.0, 0.4)
    ('riffle(neatness=0.61)', 'riffle', 'riffle(cut=0.4, neatness=1000)')
    """
    parts = [f"cut={cut:g}"] * (cut != 0.5)
    parts += [f"neatness={two_digits(neatness)}"] * (two_digits(neatness) != "1")
    return f"riffle({', '.join(parts)})" if parts else "riffle"


def two_digits(number: float) -> str:
    """Return a positive number with two significant digits, as a recipe takes it: never as 1e+03.

    >>> two_digits(0.0123), two_digits(123.4)
    ('0.012', '120')
    """
    return f"{float(f'{number:.2g}'):g}"


# --- what is told

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
            **{name: getattr(fit, name) for name in ("cut", "runs", "runs_expected", "checks", "misfits")},
            "level": LEVEL,
            "rejected": fit.rejected,
            "fits": fit.fits,
            **asdict(answer),
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
