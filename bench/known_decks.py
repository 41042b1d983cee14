"""Write ``lab/causes/known.npz``: what decks of known shuffles look like, for the usual sizes.

``python -m bench.known_decks`` takes some minutes; run it when a statistic or a shuffle is new.
"""

from pathlib import Path

import numpy as np

from fairdeck.lab.causes import known

CARDS, DECKS = (32, 40, 52, 54, 60, 100, 104), 4_096
FILE = Path(known.__file__).with_name("known.npz")


def main() -> None:
    """Write the file."""
    found = {name: each for n in CARDS for name, each in known.packed(n, DECKS).items()}
    np.savez_compressed(FILE, allow_pickle=False, **found)
    print(f"{FILE}: {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
