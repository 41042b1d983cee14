"""Too few different decks: how many there are, how many bits of seed that is, and whether each deck is one of them.

Equal decks come if each deck is one of few. They also come if only a share of the decks is, or if a deck sometimes
comes again, which `again` says. How many decks come once, twice, three times and so on tells which: of a share s
of N decks that are drawn from K, each comes as often as Poisson's law of mean s N / K says; the others come once. The
likelihood of s leaves a range open, and only what is nearly all decks is certain.
"""

from collections.abc import Iterator
from functools import partial
from math import ceil, factorial, floor, log2
from typing import NamedTuple

import numpy as np
from scipy.special import bdtrc, chdtrc, chdtri, gammaln, xlogy

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.blocks import Decks
from fairdeck.lab.causes import REFUSED, SEEDED, Cause, Sample
from fairdeck.lab.causes.likeness import explains_findings, fair_decks, look_fair
from fairdeck.lab.judging.tally import FIRST_ANALYSIS
from fairdeck.lab.statistics.repeats import distance, multiplicities, two_digits

RANK = SEEDED
FEW = True
FEWEST_PAIRS = 3
ODD_PAIRS = 100  # times as many as fair decks would have
NEAR = 32  # decks: equal ones that lie so close come from a clock, or because one was not shuffled
NEARLY_EACH = 0.95  # of the decks
DOUBT = float(chdtri(1, REFUSED)) / 2  # nats
SHARES, SIZES = np.linspace(0.01, 1, 100), np.geomspace(0.4, 2.5, 121)
FEW_ENOUGH = 128  # different decks, to name their number as it is
REPAIR = "seed once, from the operating system, with as many bits as the deck has orders: {bits:.0f} for {cards} cards"
CUT = "shuffle the deck before it is cut: a cut keeps the order"
LOOK = "find why so few decks come: a seed with few values, a generator that starts over, a step that leaves few orders"


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield the number of different decks, if decks repeat at no constant distance."""
    times, part = _times(sample)
    kept = int(times.sum())
    pairs = int((times * (times - 1) // 2).sum())
    fair = kept * (kept - 1) / factorial(sample.cards) / 2 / part  # whole numbers divide, however long they are
    if pairs < max(FEWEST_PAIRS, ODD_PAIRS * fair) or len(times) == 1 or not _anywhere(sample, pairs):
        return
    once = int((times == 1).sum())
    repair = REPAIR.format(bits=ceil(log2(factorial(sample.cards))), cards=sample.cards)
    seen = f"{pairs:,} {'pair' if pairs == 1 else 'pairs'} of equal decks among {kept:,}"
    different, fairly = _different_look_fair(sample, once)
    if not once and len(times) <= FEW_ENOUGH:
        even = _evenly(times)
        bits = _bits(len(times), len(times), ", ") if even else ""
        words = f"all {kept:,} decks are one of the same {len(times):,}{bits}"
        turns = {np.roll(deck, -int(deck.argmin())).tobytes() for deck in sample.decks}
        if cut := len(turns) == 1 and len(times) > 2:
            words += ", which differ by a cut only"
        known = fairly or cut or len(times) < FIRST_ANALYSIS  # else another fault may leave so few
        numbers = {"decks": (float(len(times)),) * 3}
        repair = CUT if cut else repair if fairly and even else LOOK
        yield Cause(words, f"{seen}; {different}", repair, certain=known, numbers=numbers)
    elif fairly and (orders := few(times)).high == 1:
        least, most = (end / part for end in orders.decks)
        bits = _bits(least, most, ", ") if least > FEW_ENOUGH else ""
        few_decks = f"about {two_digits((least * most) ** 0.5)} decks{bits}"
        certain = orders.low >= NEARLY_EACH and sample.tally.decks <= len(sample.decks)
        certain = certain and explains_findings(sample, partial(drawn, sample.cards, round((least * most) ** 0.5)))
        which = f"at least {orders.low - 0.01:.0%} of decks come from" if certain else "each deck is one of"
        numbers = {"decks": ((least * most) ** 0.5, least, most)}
        words = f"{which} {few_decks}"
        yield Cause(words, f"{seen}; {different}", repair, certain=certain, settles=True, numbers=numbers)


def drawn(n: int, few: int, size: int, rng: np.random.Generator) -> Decks:
    """Return decks, each drawn from few; two at least are equal, as what was counted ended when that was seen."""
    which = rng.integers(few, size=size)
    if len(np.unique(which)) == size:
        which[rng.permutation(size)[:2]] = 0
    return fair_decks(n, size, rng)[np.unique(which, return_inverse=True)[1]]


class Few(NamedTuple):
    """The share of decks that are drawn from few, from `low` to `high`, and how few these are if the share is 1."""

    low: float
    high: float
    decks: tuple[float, float]


def few(times: Counts) -> Few:
    """Return what is likely of the decks that came so many times each."""
    total = int(times.sum())
    met = np.bincount(times)[1:]
    logs = np.array([_best(share, met, total) for share in SHARES])
    likely = SHARES[logs.max(axis=1) > logs.max() - DOUBT]
    last, sizes = logs[-1], _sizes(1.0, met, total)
    inside = sizes[last > last.max() - DOUBT]
    return Few(float(likely[0]), float(likely[-1]), (float(inside[0]), float(inside[-1])))


def _sizes(share: float, met: Counts, total: int) -> Floats:
    """Return numbers of decks to try: near that which makes as many pairs."""
    often = np.arange(1, len(met) + 1)
    pairs = float(met @ (often * (often - 1))) / 2
    return np.asarray(SIZES * share**2 * total * (total - 1) / 2 / pairs)


def _best(share: float, met: Counts, total: int) -> Floats:
    """Return the log likelihood of each number of decks to try, up to a constant."""
    sizes, often = _sizes(share, met, total)[:, None], np.flatnonzero(met) + 1
    mean = share * total / sizes
    expected = sizes * np.exp(xlogy(often, mean) - gammaln(often + 1) - mean)  # Poisson's law
    expected += (often == 1) * (1 - share) * total
    different = (sizes * -np.expm1(-mean))[:, 0] + (1 - share) * total  # that come once or more
    return np.asarray(np.log(np.maximum(expected, 1e-300)) @ met[often - 1] - different)


def _times(sample: Sample) -> tuple[Counts, float]:
    """Return how often each deck came, and the share of all decks that were looked at: all counted, or the sample.

    Equal decks at one distance tell nothing of their number: then none came twice.
    """
    counts, decks = sample.battery.counts_of("repeats", sample.tally), sample.tally.decks
    if counts is not None and decks > len(sample.decks) and not distance(counts, decks):
        return multiplicities(counts, decks)
    _, times = np.unique(sample.decks, axis=0, return_counts=True)
    return times, 1.0


def _bits(least: float, most: float, before: str = "") -> str:
    """Return the bits of a seed with between `least` and `most` values, in words; empty for a single one.

    >>> _bits(32_000, 34_000), _bits(31_000, 32_000), _bits(2_000, 20_000), _bits(100, 100)
    ('as if seeded with 15 bits', 'as if from a seed of 14.9 to 15.0 bits', 'as if seeded with 11 to 14 bits', '')
    """
    low, high = log2(least), log2(most)
    whole = range(ceil(low), floor(high) + 1)
    if not whole:
        span = f"{low:.1f} to {high:.1f}" if f"{low:.1f}" != f"{high:.1f}" else f"about {low:.1f}"
        return f"{before}as if from a seed of {span} bits" if least < most else ""
    if len(whole) == 1:
        return f"{before}as if seeded with {whole[0]} {'bit' if whole[0] == 1 else 'bits'}"
    return f"{before}as if seeded with {whole[0]} to {whole[-1]} bits"


def _evenly(times: Counts) -> bool:
    """Tell whether decks come as often as if each was as likely as the others."""
    expected = times.mean()
    squares = float(((times - expected) ** 2).sum() / expected)
    return bool(chdtrc(len(times) - 1, squares) >= REFUSED)


def _anywhere(sample: Sample, pairs: int) -> bool:
    """Tell whether equal decks lie as far apart as drawn ones do: not near one another, nor at one distance."""
    decks = np.unique(sample.decks, axis=0, return_inverse=True)[1].ravel()
    size, times = len(decks), np.bincount(decks)
    all_pairs = int((times * (times - 1) // 2).sum())
    if all_pairs < FEWEST_PAIRS:
        return pairs >= FEWEST_PAIRS  # they are among all decks counted
    chance = all_pairs / (size * (size - 1) / 2)
    equal = np.array([np.count_nonzero(decks[lag:] == decks[:-lag]) for lag in range(1, size)])
    tried = size - np.arange(1, size)
    near = min(NEAR, size // 4)
    p_values = [
        bdtrc(equal[0] - 1, tried[0], chance),
        bdtrc(equal[:near].sum() - 1, tried[:near].sum(), chance),
        size * bdtrc(equal - 1, tried, chance).min(),  # a day, or a log, that comes again
    ]
    return bool(min(p_values) >= REFUSED / len(p_values))


def _different_look_fair(sample: Sample, once: int) -> tuple[str, bool]:
    """Return what is said of the different decks of a sample, and whether they look fair."""
    _, at, times = np.unique(sample.decks, axis=0, return_index=True, return_counts=True)
    fairly = look_fair(sample.decks[np.sort(at)])
    if fairly and once and (times == 1).sum() >= FEW_ENOUGH:
        fairly = look_fair(sample.decks[np.sort(at[times == 1])])
    if len(at) < FIRST_ANALYSIS:
        return f"the {len(at)} different ones are too few to tell whether they look fair", fairly
    if fairly:
        return f"the different decks {'look fair' if len(at) >= FEW_ENOUGH else 'show no other fault'}", True
    return "the different decks do not look fair", False
