"""Many decks at once, in uniformly random order; needs NumPy and numba.

    permutations(1_000_000, 52)                # decks: an array of shape (1_000_000, 52)
    permutations(1_000_000, 52, top=5)         # only the five top cards of each

Decks depend on the seed alone, not on the machine or the threads, and stay the same within a major version.

For the lab: `decks.fill` and `decks.fill_groups` write decks into an array, `batch` keeps 64 side by side,
`hand_shuffles` makes decks as hands shuffle them. Inside: `columns` and `swaps` make decks;
`vectors` is the language they are written in, and `streams` gives them random words. The tests repeat them in plain
Python, in a few lines each (``plain_decks``).
"""

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairdeck import folders
from fairdeck.errors import FairdeckError, MissingTool
from fairdeck.extras import ONE_FILE, missing

if TYPE_CHECKING:
    from fairdeck.bulk.decks import permutations

__all__ = ["permutations"]

FOLDER, PASSING = "NUMBA_CACHE_DIR", "fairdeck-passing-"
NUMBA_SETTINGS = ".numba_config.yaml"  # numba reads it wherever it is imported


def kept_kernels() -> Path | None:
    """Return the folder where numba keeps what it compiles between runs, made or not; None if it can keep nothing.

    Beside the package they would stay when the package is uninstalled, and could still be imported by its name.
    """
    told, copies = os.environ.get(FOLDER), folders.copies()
    folder = Path(told) if told else copies and copies / "kernels"
    if folder is None or folder.name.startswith(PASSING):
        return None
    there = next(place for place in (folder, *folder.parents) if place.exists())
    return folder if there.is_dir() and os.access(there, os.W_OK) else None


def _let_numba_compile() -> None:
    """Name numba's folder: for this run only where it can keep nothing between runs, for it would refuse to compile."""
    if os.environ.get(FOLDER):
        return
    folder = str(kept_kernels() or "") or _passing_folder()
    os.environ[FOLDER] = folder  # read when numba is imported, here and in processes started from here
    numba: Any = sys.modules.get("numba")  # None where somebody has forbidden to import it
    if numba and not numba.config.CACHE_DIR:
        numba.config.CACHE_DIR = folder


def _passing_folder() -> str:
    import atexit
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix=PASSING)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


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


def __getattr__(name: str) -> Any:
    # Numba takes a second to import: only what needs it waits for it.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if not available():
        needs = f"fairdeck.bulk.{name} needs numba"
        if ONE_FILE:
            raise MissingTool(f"{needs}, which cannot compile inside fairdeck.pyz: install fairdeck instead")
        raise missing(needs, "fast")
    return getattr(import_module(f"{__name__}.decks"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
