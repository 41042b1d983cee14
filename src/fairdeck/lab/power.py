"""What would have been seen: the smallest fault of each kind that a run had the power to find.

Without it a pass says little. Each limit is for a fault that is found in 99 of 100 runs, by one
test of its family alone, at the level that test had in the last look; binomial
where it is a share, normal where it is a mean.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import factorial, sqrt

from scipy.special import bdtrc, betaincinv, ndtri, pdtrc, pdtri

POWER = 0.99


@dataclass(frozen=True, slots=True)
class Limit:
    """The smallest fault that a family of tests would have seen.

    Attributes:
        family: the family of tests.
        size: the size of the fault, in the unit that `says` gives.
        says: the fault, in plain words.
    """

    family: str
    size: float
    says: str


def limits(shares: Mapping[str, float], n: int, decks: int, level: float) -> tuple[Limit, ...]:
    """Return what each family that had its say would have seen.

    Args:
        shares: for each family, how much of the level each of its tests may spend, 0 to 1.
        n: the cards of a deck.
        decks: the decks counted.
        level: what all tests of the look may spend together.
    """
    return tuple(limit for family, share in shares.items() for limit in _limit(family, n, decks, level * share))


def _limit(family: str, n: int, decks: int, level: float) -> Iterator[Limit]:
    if family in ("position", "neighbours"):
        cells = n * n if family == "position" else n * (n - 1)
        share = _share_seen(1 / n, decks, level / cells)
        where = "lies at one place" if family == "position" else "lies on one other"
        yield Limit(family, share, f"a card that {where} in {share:.3%} of decks instead of {1 / n:.3%}")
    elif family in ("order", "two places"):
        share = _share_seen(0.5, decks, level / (n * (n - 1) / 2))
        what = "card that lies below another" if family == "order" else "place that holds a lower card than another"
        yield Limit(family, share, f"a {what} in {share:.2%} of decks instead of 50%")
    elif family == "shape":
        shift = _shift_seen(decks, level) * sqrt((n + 1) / 12)
        yield Limit(family, shift, f"{shift:.3g} rising sequences more or less on average, of {(n + 1) / 2:g}")
    elif family == "serial":
        shift = _shift_seen(decks, level)
        yield Limit(family, shift, f"{shift:.3g} cards more than 1 that stay in place from deck to deck, on average")
    elif family == "every order":
        share = _share_seen(1 / factorial(n), decks, level / factorial(n))
        yield Limit(family, share, f"an order that comes in {share:.4%} of decks instead of {1 / factorial(n):.4%}")
    elif family == "guess":
        shift = _shift_seen(decks, level) * sqrt(sum(1 / k - 1 / k**2 for k in range(1, n + 1)))
        fair = sum(1 / k for k in range(1, n + 1))
        yield Limit(
            family, shift, f"{shift:.3g} cards a deck guessed right by a learner beyond the {fair:.3g} of chance"
        )
    elif family == "game":
        half = n // 2
        shift = _shift_seen(decks, level) * half * (n - half) / n / sqrt(n - 1)
        fair = half * half / n
        yield Limit(
            family, shift, f"{shift:.3g} cards of one half too many in the lower half of the deck, of {fair:.3g}"
        )
    elif family == "repeats":
        pairs = _pairs_needed(decks * (decks - 1) // 2 / factorial(n), level)
        size = decks * (decks - 1) / 2 / pairs
        if size < factorial(n):
            yield Limit(family, size, f"a shuffle that makes no more than {_rounded(size)} different decks")


def _shift_seen(decks: int, level: float) -> float:
    """Return the shift of a mean that is seen, in standard deviations of one deck."""
    return float((ndtri(1 - level / 2) + ndtri(POWER)) / sqrt(decks))


def _share_seen(fair: float, decks: int, level: float) -> float:
    """Return the least share above `fair` that is seen, where each deck has it or not; exactly binomial."""
    low, high = int(fair * decks), decks + 1  # the alarm is heard from so many decks on: too few, and enough
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if 2 * bdtrc(middle - 1, decks, fair) <= level else (middle, high)
    return 1.0 if high > decks else float(betaincinv(high, decks - high + 1, POWER))


def _pairs_needed(fair: float, level: float) -> float:
    """Return the mean number of pairs of equal decks that is told from `fair` in 99 of 100 runs."""
    count = 1
    while count < 10_000 and pdtrc(count - 1, fair) > level / 2:
        count += 1 if count < 100 else count // 20
    return float(pdtri(count - 1, 1 - POWER))


def _rounded(number: float) -> str:
    """Return a large number to two digits, written out as long as that can be read."""
    return f"{float(f'{number:.2g}'):,.0f}" if number < 1e12 else f"{number:.2g}".replace("e+", "e")
