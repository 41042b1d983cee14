"""Shuffles of the registry: does one of them make decks that nothing tells from these?"""

from collections.abc import Iterator

from fairdeck.bulk import available
from fairdeck.bulk.shapes import BYTES_UP_TO
from fairdeck.lab.causes import RESEMBLES, Cause, Sample
from fairdeck.lab.causes.likeness import FAIR, Known, resembles, survives
from fairdeck.shuffles import find, registry

RANK = RESEMBLES
MOST_ALIKE = 3  # of more shuffles that look alike none is named
FEW, MANY = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12), (2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200)
MOVED = 500  # cards: without a kernel, a shuffle that moves more for each deck takes seconds
# Shuffles of a number or a generator: others of their kind make decks that so few do not tell apart.
OF_MANY = frozenset(
    {
        *("adjacent-swaps-n", "an-ace-each", "bsd-rand", "dotnet-random", "fast-shuffle", "feistel-linear", "forgets"),
        *("freecell", "glibc-modulo", "glibc-random", "lazy", "lehmer-16-scaled", "modulo-8", "modulo-12", "modulo-15"),
        *(
            "modulo-16",
            "msvc-rand",
            "multiply-8",
            "planet-poker",
            "random-to-random-n",
            "randu",
            "repeats",
            "scaled-16",
        ),
        *("seed-15", "seed-24", "seed-32", "seed-time", "shuffle-buffer-2", "shuffle-buffer-26", "smoothed"),
        *("sort-keys-6", "sort-keys-12", "sort-keys-16", "swap-or-not", "transpositions-2n", "transpositions-n"),
        *("transpositions-n-distinct", "transpositions-nlogn", "v8-mwc1616"),
    }
)
# How often hands do one of these, besides once.
TIMES = dict.fromkeys(("riffle-neat", "riffle-clumpy", "mash"), FEW) | dict.fromkeys(
    ("overhand", "hindu", "strip", "top-to-random"), MANY
)


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield the shuffles of the registry that make such decks; none while a fair shuffle does, too."""
    if resembles(sample, FAIR):
        return
    alike = [name for name in candidates(sample.cards) if resembles(sample, Known(name))]
    if len(alike) <= MOST_ALIKE:
        for name in alike:
            says, by_hand = find(name).says, find(name).by_hand
            seen = f"nothing tells these decks from those of {name}: {len(sample.later):,} of each were compared"
            certain = not by_hand and name not in OF_MANY and survives(sample, Known(name))
            yield Cause(says if certain else f"its decks are like those of {name}: {says}", seen, certain=certain)


def candidates(n: int) -> Iterator[str]:
    """Yield the faulty shuffles to compare with.

    >>> [name for name in candidates(200) if name.startswith(("mash", "overhand"))]
    ['mash', 'mash*2', 'overhand', 'overhand*2']
    """
    most = MANY[-1] if n <= BYTES_UP_TO and available() else MOVED // n
    for known in registry().values():
        if not known.fair and known.least <= n and known.name != "riffle":  # whose number `riffles` tells exactly
            if most or not known.by_hand:
                yield known.name
            yield from (f"{known.name}*{times}" for times in TIMES.get(known.name, ()) if times <= most)
