"""How many riffles with these hands are as good as the usual number of ideal ones.

No law is known for a riffle that is neater or clumsier than the ideal one. So bounds are compared with bounds: the same
statistics on as many simulated decks of both shuffles. Whichever shows more is further from random, as far as they see.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from math import pi, sqrt

from fairdeck.lab import entry
from fairdeck.lab.experiments.bounds import estimate
from fairdeck.shuffles.interleavings import Fit
from fairdeck.shuffles.riffle import gsr_riffles

LEAST, MOST = 10, 500  # cards
ENOUGH = 0.5  # total variation: the usual number of ideal riffles is the first below it; for 52 cards it is seven
DECKS = 20_000
MOST_RIFFLES = 100
ERRORS = 3.0  # standard errors: two shuffles whose bounds differ by less count as equally far from random
UNEVEN = 0.03  # how much smaller than in ideal cuts the smaller packet must be, in shares of the deck, to be told


@dataclass(frozen=True)
class Needed:
    """How many riffles a deck needs.

    Attributes:
        cards: of the deck.
        ideal: the fewest ideal riffles after which the total variation is at most one half.
        yours: as many of yours, by the estimate; `MOST_RIFFLES` + 1 if even those do not do. Never fewer than
            `ideal`: that neater riffles show less in these statistics proves nothing.
        at_least, at_most: as many, whatever neatness within the interval your hands have.
        worth: how many ideal riffles `ideal` of yours are worth.
        recipe: what `fairdeck mix` takes for one of yours.
        decks: how many were simulated for each number of riffles.
        seed: of the simulation.
    """

    cards: int
    ideal: int
    yours: int
    at_least: int
    at_most: int
    worth: int
    recipe: str
    decks: int
    seed: int

    def fields(self) -> dict[str, object]:
        """Return the fields, as `fairdeck hands --json` has them."""
        return asdict(self)


def needed(
    fit: Fit, cards: int, *, seed: int = 1, decks: int = DECKS, tell: Callable[[str], object] = lambda _what: None
) -> Needed:
    """Return how many riffles with these hands are as good as ideal ones.

    Args:
        fit: what was measured.
        cards: of the deck to shuffle, 10 to 500.
        seed: of the simulation.
        decks: simulated for each number of riffles, 2,000 or more.
        tell: is called with what is being simulated, in words.
    """
    entry.whole("cards", cards, LEAST, MOST)
    ideal = next(k for k in range(1, MOST_RIFFLES) if (gsr_riffles(cards, k).total_variation or 0) <= ENOUGH)
    cut = cut_of(fit, cards)

    @cache
    def seen(once: str, times: int) -> tuple[float, float]:
        """Return the largest bound, as counted, and its standard error."""
        tell(f"{times} times {once}")
        best = estimate(f"{once}*{times}", cards, decks, seed).best
        return best.value, best.error

    best, error = seen("riffle", ideal)
    goal = best + ERRORS * error

    def as_good(neatness: float) -> int:
        """Return the fewest riffles that show no more than `ideal` ideal ones."""
        once, low, high = recipe(neatness, cut), ideal - 1, ideal
        while high <= MOST_RIFFLES and seen(once, high)[0] > goal:
            low, high = high, high + max(1, high // 3)
        high = min(high, MOST_RIFFLES + 1)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if seen(once, middle)[0] > goal else (low, middle)
        return high

    yours, *ends = [as_good(neatness) for neatness in (fit.neatness, *fit.interval)]
    holds_ideal = cut == 0.5 and fit.interval[0] <= 1 <= fit.interval[1]
    value, error = seen(recipe(fit.neatness, cut), ideal)
    worth = max((k for k in range(1, ideal + 1) if seen("riffle", k)[0] + ERRORS * error >= value), default=0)
    return Needed(
        cards,
        ideal,
        yours,
        min(yours, ideal if holds_ideal else min(ends)),
        max(yours, *ends),
        worth,
        recipe(fit.neatness, cut),
        decks,
        seed,
    )


def cut_of(fit: Fit, cards: int) -> float:
    """Return the share of the deck in the lower packet: one half, unless cuts are clearly less even than ideal ones.

    In an ideal cut the smaller packet has one half of the deck less a mean deviation, sqrt(1 / (2 pi n)).
    """
    ideal = 0.5 - sqrt(1 / (2 * pi * cards))
    return 0.5 if fit.cut >= ideal - UNEVEN else round(fit.cut, 2)


def recipe(neatness: float, cut: float = 0.5) -> str:
    """Return the name of a riffle of this neatness and cut.

    >>> recipe(0.6123), recipe(1.0), recipe(2.0, 0.4)
    ('riffle(neatness=0.61)', 'riffle', 'riffle(cut=0.4, neatness=2)')
    """
    parts = [f"cut={cut:g}"] * (cut != 0.5)
    parts += [f"neatness={neatness:.2g}"] * (f"{neatness:.2g}" != "1")
    return f"riffle({', '.join(parts)})" if parts else "riffle"
