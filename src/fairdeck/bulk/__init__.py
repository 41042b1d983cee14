"""Many decks at once and long arrays, in uniformly random order; needs NumPy and numba.

    permutations(1_000_000, 52)                # decks: an array of shape (1_000_000, 52)
    permutations(1_000_000, 52, top=5)         # only the five top cards of each
    rank_histogram(1_000_000, 10, bins=200)    # in which part of all orders each deck lies, counted
    shuffled(array), shuffle(array)            # one array of any length, as a copy or in place

Decks and arrays depend on the seed alone, not on the machine or the threads, and stay the same within a major version.

For the lab: `fill` and `fill_groups` write decks into an array, `batch` keeps 64 side by side,
`hand_shuffles` and `packet_flows` make decks as hands shuffle them. Inside: `columns` and `swaps` make decks, `piles`
orders long arrays; `vectors` is the language they are written in, and `streams` gives them random words. The tests
repeat them in plain Python, in a few lines each (``plain_decks``).
"""

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairdeck.errors import FairdeckError, MissingTool
from fairdeck.extras import ONE_FILE, missing

if TYPE_CHECKING:
    from fairdeck.bulk.decks import fill, fill_groups, permutations
    from fairdeck.bulk.piles import shuffle, shuffled
    from fairdeck.bulk.ranks import rank_histogram

__all__ = ["fill", "fill_groups", "permutations", "rank_histogram", "shuffle", "shuffled"]

NUMBA_SETTINGS = ".numba_config.yaml"  # numba reads it wherever it is imported
_FOUND_IN = {"shuffle": "piles", "shuffled": "piles", "rank_histogram": "ranks"}


def _let_numba_compile() -> None:
    """Give numba a folder for this run where it can keep nothing between runs: it would refuse to compile."""
    usual = (Path(__file__).parent, os.path.expanduser("~"))  # noqa: PTH111 - unlike Path, it never fails
    if os.environ.get("NUMBA_CACHE_DIR") or any(os.access(each, os.W_OK) for each in usual):
        return
    import atexit
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix="fairdeck-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = folder  # read when numba is imported, here and in processes started from here


_let_numba_compile()


def available() -> bool:
    """Return whether there are kernels: numba is installed, and has a place to keep them, which a zipapp is not.

    Raises:
        FairdeckError: a file in the current folder would tell numba where to load compiled kernels from, and run them.
    """
    if find_spec("numba") is None or ONE_FILE:
        return False
    if os.path.lexists(NUMBA_SETTINGS):
        raise FairdeckError(
            f"this folder has a file {NUMBA_SETTINGS}, which decides what numba loads and runs: move it away, or work "
            "in another folder"
        )
    return True


def unavailable(what: str) -> MissingTool:
    """Return the error for something that needs kernels where there are none."""
    if ONE_FILE:
        return MissingTool(f"{what} needs numba, which cannot compile inside fairdeck.pyz: install fairdeck instead")
    return missing(f"{what} needs numba", "lab")


def __getattr__(name: str) -> Any:
    # Numba takes a second to import: only what needs it waits for it.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if not available():
        raise unavailable(f"fairdeck.bulk.{name}")
    return getattr(import_module(f"{__name__}.{_FOUND_IN.get(name, 'decks')}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
