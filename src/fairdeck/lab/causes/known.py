"""Shuffles of the registry: does one of them make decks that nothing tells from these?"""

from collections.abc import Iterator

from fairdeck.bulk import available
from fairdeck.bulk.sizes import BYTES_UP_TO
from fairdeck.lab.causes import RESEMBLES, Cause, Sample
from fairdeck.lab.causes.likeness import FAIR, Known, resembles
from fairdeck.shuffles import find, registry

RANK = RESEMBLES
MOST_ALIKE = 3  # of more shuffles that look alike none is named
FEW, MANY = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12), (2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200)
MOVED = 500  # cards: without a kernel, a shuffle that moves more for each deck takes seconds
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
            seen = f"nothing tells these decks from those of {name}: {len(sample.later):,} of each were compared"
            yield Cause(f"its decks are like those of {name}: {find(name).says}", seen)


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
