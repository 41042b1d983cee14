"""The counts of `fairdeck.lab.statistics` at full speed, by kernels.

A file here is a pass over decks side by side, and counts for all statistics that the pass can answer. It lists its
functions by the names of the statistics: as ``NUMBERS`` if they return the number of each deck, which is tallied by the
law of the statistic; as ``COUNTS`` if they count themselves. `fast` finds the files by itself. The counts are, digit
for digit, those of the statistic on the same decks. A statistic without a function here counts by itself, so a new
statistic needs no kernel.
"""

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from fairdeck.bulk.shapes import Counts
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.statistics import Scalar, catalogue

if TYPE_CHECKING:  # both load numba, which takes a quarter of a second: a trial of few decks does without
    from fairdeck.bulk.batch import Batch
    from fairdeck.lab.counts.values import Measure

Count = Callable[["Batch"], Counts]


@cache
def fast() -> dict[str, Count]:
    """Return the fast counts, by the names of the statistics."""
    laws = {each.name: each.law for each in catalogue() if isinstance(each, Scalar)}
    found: dict[str, Count] = {}
    for module in sorted(module.name for module in iter_modules(__path__)):
        listed = vars(import_module(f"{__name__}.{module}"))
        found |= listed.get("COUNTS", {})
        found |= {name: partial(_tallied, laws[name], measure) for name, measure in listed.get("NUMBERS", {}).items()}
    return found


def _tallied(law: Callable[[int], Law], measure: "Measure", batch: "Batch") -> Counts:
    from fairdeck.lab.counts.values import tally

    return tally(batch, measure(batch), law(batch.cards))
