"""Write ``lab/causes/known.npz``: what decks of known shuffles look like, for the usual sizes.

``python -m bench.known_decks`` takes some minutes; run it when a statistic or a shuffle is new.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import Floats
from fairdeck.lab.causes import known
from fairdeck.lab.causes.likeness import SEED, fair_moments, moments, names
from fairdeck.lab.sources.simulated import NumberedBlock

CARDS, DECKS = (32, 40, 52, 54, 60, 100, 104), 4_096
FILE = Path(known.__file__).with_name("known.npz")


def packed(n: int, size: int) -> dict[str, NDArray[Any]]:
    """Return what the file has for `n` cards: moments of so many decks of each shuffle, in spreads of fair decks.

    Spreads, and how much larger errors are than those of independent decks, are `coded` in a byte each.
    """
    fair, theirs = fair_moments(n, known.EXACT), []
    for label in known.labels(n):
        block = NumberedBlock(label, n, SEED, size, size)  # which may have kernels
        decks = known.made(label, n, size, np.random.default_rng(SEED)) if "|" in label else block.decks
        theirs.append(moments(decks))
    unit = np.maximum(fair.spreads, known.UNIT)
    means, spreads, errors = np.array([(each.means, each.spreads, each.errors) for each in theirs]).swapaxes(0, 1)
    return {
        f"{n} means": ((means - fair.means) / unit).astype(np.float16),
        f"{n} spreads": coded(spreads / unit),
        f"{n} errors": coded(np.maximum(errors * np.sqrt(size) / np.maximum(spreads, known.UNIT * unit), 1.0)),
        f"{n} labels": np.array(list(known.labels(n))),
        f"{n} numbers": np.array(names(n)),
        "decks": np.array(size),
    }


def coded(ratios: Floats) -> NDArray[np.uint8]:
    """Return ratios as bytes, which `known.decoded` reads; to a 32nd."""
    return np.clip(np.round(128 + known.STEPS * np.log2(np.maximum(ratios, 1e-9))), 0, 255).astype(np.uint8)


def main() -> None:
    """Write the file."""
    found = {name: each for n in CARDS for name, each in packed(n, DECKS).items()}
    np.savez_compressed(FILE, allow_pickle=False, **found)
    print(f"{FILE}: {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
