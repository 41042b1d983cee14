"""Statistics at full speed: the counts of `fairdeck.lab.statistics`, by kernels.

Each file here counts what one or a few statistics count, on decks side by side, and lists its
functions as ``COUNTS``, by the names of the statistics; `fast` finds the files by itself. Every
function returns, digit for digit, what the statistic itself counts on the same decks. What is not
here is counted by the statistic; so a new statistic needs no kernel, and none can change a result.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from fairdeck.lab.arrays import Counts
from fairdeck.lab.kernels.batch import Batch

Count = Callable[[Batch], Counts]


@cache
def fast() -> dict[str, Count]:
    """Return the fast counts, by the names of the statistics."""
    found: dict[str, Count] = {}
    for module in sorted(module.name for module in iter_modules(__path__)):
        found |= import_module(f"{__name__}.{module}").COUNTS
    return found
