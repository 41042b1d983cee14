"""The counts of `fairdeck.lab.statistics` at full speed, by kernels.

A file here counts what the statistics in the file of the same name count, on decks side by side. It lists its
functions as ``COUNTS``, by the names of the statistics; `fast` finds the files by itself. Every
function returns, digit for digit, the counts of its statistic on the same decks. A statistic without a
function here counts by itself, so a new statistic needs no kernel.
"""

import os
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.dtypes import Counts

Count = Callable[[Batch], Counts]


@cache
def fast() -> dict[str, Count]:
    """Return the fast counts, by the names of the statistics."""
    found: dict[str, Count] = {}
    for module in sorted(module.name for module in iter_modules(__path__)):
        found |= getattr(import_module(f"{__name__}.{module}"), "COUNTS", {})
    return found


def are_compiled() -> bool:
    """Tell whether the cache has compiled counts from an earlier run."""
    elsewhere = os.environ.get("NUMBA_CACHE_DIR")
    places = Path(elsewhere).rglob("*.nbi") if elsewhere else Path(__file__).parent.glob("__pycache__/*.nbi")
    return any(places)
