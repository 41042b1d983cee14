"""How many riffles with these hands are as good as the ideal ones that bring a deck within `NEAR_RANDOM` of random.

No law is known for a riffle that is neater or clumsier than the ideal one. So bounds are compared with bounds: the same
statistics on as many simulated decks of both shuffles. Whichever shows more is further from random, as far as they see.
What they do not see is the order of riffles that are nearly perfect, which bring little chance into the deck: these are
bounded by their entropy.

All of this rests on the model, a neatness whose log is normal over riffles. What is told as needed is the most over the
interval of its median; how much it varies hardly matters for that, see `bench.hands`. Where a check rejects, no number
is promised: the headline is made of the checks that reject, so none of them can contradict it, and says what mends
this riffle, by simulation of these hands with the mend.
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
    LONG,
    NEATEST,
    VARYING,
    Fit,
    Interleaving,
    entropy,
    fewest_by_entropy,
    nearer_ideal,
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
    # one of yours, as different as yours are, with what mends it: a cut, a strip, or nothing but a larger number; and
    # how many show no more than the ideal ones, whatever neatness within the interval your hands have
    mended: str | None
    mended_most: int | None
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
        raise FairdeckError("these riffles show nothing: both halves need two cards or more, and must lie mixed")
    if size < LEAST:
        raise FairdeckError(f"the riffles have {size} cards, which tell too little: riffle {LEAST} or more")
    if cards is None and size > MOST:
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
    mended, mended_most = _mended(fit, compared, cut)
    return Needed(
        cards,
        float(NEAR_RANDOM),
        compared.ideal,
        yours if fit.fits else None,
        min(yours, compared.ideal if holds_ideal else min(ends)),
        max(yours, *ends) if fit.fits else None,
        recipe(fit.neatness, cut, fit.varying, fit.kept if _at_ends(fit) else (0, 0)),
        mended,
        mended_most,
        decks,
        seed,
    )


def _mended(fit: Fit, compared: "Comparison", cut: float) -> tuple[str | None, int | None]:
    """Return one riffle with what mends it, and how many of these are needed; None if nothing here mends it."""
    mend = " + cut" if _at_ends(fit) else " + strip" if _clumps(fit) else ""
    if not mend and ("runs" in fit.rejected or "variation" not in fit.rejected):
        return None, None
    kept = fit.kept if _at_ends(fit) else (0, 0)
    inner = fit.inside(*kept)
    if not inner.choices or compared.cards <= sum(kept) + 1:
        return None, None
    ways = [recipe(each, cut, inner.spread, kept) for each in (inner.neatness, *inner.interval)]
    ways = [f"({each}{mend})" if mend else each for each in ways]
    return ways[0], max(compared.riffles(each) for each in ways)


def _at_ends(fit: Fit) -> bool:
    return any(name in ENDS for name in fit.rejected)


def _clumps(fit: Fit) -> bool:
    return "long runs" in fit.rejected or ("runs" in fit.rejected and fit.runs < fit.runs_expected)


def _fewest(compared: "Comparison", neatness: float, cut: float) -> int:
    """Return how many riffles are needed, by what the simulation shows and by the entropy of one riffle.

    The entropy is that of riffles one standard deviation nearer the ideal one, since the neatness varies.
    """
    if neatness > 0.999 * NEATEST:  # card by card wherever it could be seen: maybe no chance at all
        return MOST_RIFFLES + 1
    bits, variation = (
        entropy(compared.cards, nearer_ideal(neatness), cut),
        gsr_riffles(compared.cards, compared.ideal).total_variation,
    )
    fewest = fewest_by_entropy(compared.cards, bits, float(variation or 0))
    return min(max(fewest, compared.riffles(recipe(neatness, cut, VARYING))), MOST_RIFFLES + 1)


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


def recipe(neatness: float, cut: float = 0.5, varying: float = 0.0, kept: tuple[int, int] = (0, 0)) -> str:
    """Return the name of a riffle of this neatness and cut, and with so many cards at the top and the bottom that stay.

    >>> recipe(0.6123), recipe(1.0), recipe(0.6, 0.5, 0.4), recipe(1000.0, 0.4, kept=(3, 0))
    ('riffle(neatness=0.61)', 'riffle', 'riffle(neatness=0.6, varying=0.4)', 'riffle(cut=0.4, neatness=1000, top=3)')
    """
    parts = [f"cut={cut:g}"] * (cut != 0.5)
    parts += [f"neatness={two_digits(neatness)}"] * (two_digits(neatness) != "1" or varying > 0)
    parts += [f"varying={varying:g}"] * (varying > 0)
    parts += [f"{end}={cards}" for end, cards in zip(("top", "bottom"), kept, strict=True) if cards]
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
            **{name: getattr(fit, name) for name in ("varying", "cut", "runs", "runs_expected", "checks", "misfits")},
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
                f"simulated (seed {answer.seed:x}), and the statistic that shows most was compared. So yours may need "
                "more than that."
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
    least = (
        f"{MOST_RIFFLES} are not enough"
        if answer.at_least > MOST_RIFFLES
        else f"riffle at least {answer.at_least} times"
    )
    return (
        f"Your riffles are not ideal ones: {said}. {mending(fit, answer)} "
        f"Nobody knows how many of them bring {answer.cards} cards {aim}: {least}. "
        f"Of ideal riffles {answer.cards} cards need {answer.ideal}."
    )


def mending(fit: Fit, answer: Needed) -> str:
    """Return what mends riffles of which a check rejects something, in words."""
    enough = ""
    if answer.mended_most is not None and answer.mended_most <= MOST_RIFFLES:
        enough = f": by simulation, {answer.mended_most} show no more of the old order than {answer.ideal} ideal ones"
    if _at_ends(fit):
        return f"Cut the deck after every riffle{enough}. Without cuts, cards at its ends stay."
    if _clumps(fit):
        enough = enough.replace("simulation", "simulation and a guess at strips")
        return f"Let cards fall one or two at a time. Or strip the deck after every riffle{enough}."
    if "runs" in fit.rejected:
        return "Neat riffles bring little chance into a deck: let the cards fall as they like, or deal the deck."
    if "variation" in fit.rejected:
        return f"Do not count a riffle that fell in clumps. Or make more of them{enough}."
    if "cut" in fit.rejected and fit.cuts_off["steady"] > min(fit.cuts_off.values()):
        return "Cut nearer the middle, now above it, now below."
    return "Deal the deck, if it matters."


def finding(fit: Fit, check: str) -> str:
    """Return what a check found when it rejected, in words."""
    if check == "runs":
        return "cards fall in clumps" if fit.runs < fit.runs_expected else "cards fall too evenly, nearly one by one"
    if check == "long runs":
        return f"often more than {LONG} cards of one packet lie together, once {fit.longest}"
    if _at_ends(fit) and check == next(name for name in fit.rejected if name in ENDS) and any(fit.kept):
        ends = " and ".join(
            f"{end} {cards} cards" if cards > 1 else f"{end} card"
            for end, cards in zip(("top", "bottom"), fit.kept, strict=True)
            if cards
        )
        return f"your {ends} never moved"
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
        yield Fact(
            "needed", f"{times(answer.at_most or 0)} to be safe, {because}; {times(answer.yours)} by the estimate"
        )
    yield Fact(
        "neatness",
        f"{two_digits(fit.neatness)} (1 is ideal; {two_digits(low)} to {two_digits(high)} "
        f"with confidence {CONFIDENCE:.0%}, if its log varies by {fit.varying:g} between riffles)",
    )
    yield Fact("runs", f"{fit.runs} in all; ideal riffles have {fit.runs_expected:.0f} on average")
    yield Fact("long runs", f"{fit.in_long_runs} cards beyond the first {LONG} of a run; the longest has {fit.longest}")
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
    either = ""
    if fit.known != BELOW:
        either = (
            "; which packet lay below? The one that gives more is taken: write T for the top packet, B for that below"
        )
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
