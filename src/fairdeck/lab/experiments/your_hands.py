"""How many riffles with these hands are as good as the ideal ones that bring a deck within `NEAR_RANDOM` of random.

No law is known for a riffle that is neater or clumsier than the ideal one. So bounds are compared with bounds: the same
statistics on as many simulated decks of both shuffles. Whichever shows more is further from random, as far as they see.
What they do not see is the order of riffles that are nearly perfect, which bring little chance into the deck: these are
bounded by their entropy.

All of this rests on the model, one neatness for all riffles. Where a check rejects it, no number is promised.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from fairdeck import numbers
from fairdeck.doors import checked
from fairdeck.errors import FairdeckError
from fairdeck.lab.experiments.bounds import estimate
from fairdeck.shuffles.distances import NEAR_RANDOM
from fairdeck.shuffles.interleavings import CONFIDENCE, NEATEST, Fit, Interleaving, entropy, fewest_by_entropy, read
from fairdeck.shuffles.riffle import gsr_riffles, usual_riffles

LEAST, MOST = 10, 500  # cards
DECKS, DECKS_OF_MANY = 20_000, 2_000
MANY = 128  # cards; larger decks are not simulated by the fast moves of `fairdeck.bulk.hand_shuffles`
MOST_RIFFLES = 100
NEAR, ERRORS = 0.1, 3.0  # a deck is as good as another if its bound is larger by a tenth and three errors at most
LEAST_CUT = 0.01  # the smallest share of a packet that a recipe is given


@dataclass(frozen=True)
class Needed:
    """How many riffles a deck needs.

    Attributes:
        cards: of the deck.
        target: the total variation to come down to.
        ideal: the fewest ideal riffles that do it.
        yours: as many of yours, by the estimate; `MOST_RIFFLES` + 1 if even those do not do. Never fewer than
            `ideal`: that neater riffles show less in these statistics proves nothing. None where a check fails.
        at_least: the fewest, whatever neatness within the interval your hands have; never fewer than `ideal`.
        at_most: the most, in the same way; None where a check fails.
        recipe: what `fairdeck mix` takes for one of yours, by the model.
        decks: how many were simulated for each number of riffles.
        seed: of the simulation.
    """

    cards: int
    target: float
    ideal: int
    yours: int | None
    at_least: int
    at_most: int | None
    recipe: str
    decks: int
    seed: int

    def fields(self) -> dict[str, object]:
        """Return the fields, as `fairdeck hands --json` has them."""
        return asdict(self)


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
    """Return how neat a riffle is, and how many of it a deck needs; it takes some seconds.

    Args:
        riffles: five of them or more, each as ``"RRBRBB"`` or lengths of runs, ``"2 1 1 2"``, from the top.
        cuts: how many cards were cut off, a few times.
        cards: of the deck to shuffle, 10 to 500; by default as many as were riffled.
        seed: of the simulation.
        tell: is called with what is being simulated, in words.

    Raises:
        FairdeckError: a riffle cannot be read, shows no choice, or has another number of cards than the first; or a
            number is out of range.
    """
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
    fit: Fit,
    cards: int,
    *,
    seed: int = 1,
    decks: int | None = None,
    tell: Callable[[str], object] = lambda _what: None,
) -> Needed:
    """Return how many riffles with these hands are as good as ideal ones.

    Args:
        fit: what was measured.
        cards: of the deck to shuffle, 10 to 500.
        seed: of the simulation.
        decks: simulated for each number of riffles, 2,000 or more; by default 20,000, of more than 128 cards 2,000.
        tell: is called with what is being simulated, in words.
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
