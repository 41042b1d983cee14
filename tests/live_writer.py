"""Writes a log of decks as a live program does: in pieces that end anywhere, with rotations and truncations.

    python tests/live_writer.py LOG ALL CARDS DECKS SEED SECONDS

LOG is rotated and truncated; ALL is given every deck once, in order. After the first piece it waits for the file GO.
"""

import random
import shutil
import sys
import time
from pathlib import Path


def main() -> None:
    log, everything = Path(sys.argv[1]), Path(sys.argv[2])
    cards, decks, seed, seconds = map(int, sys.argv[3:])
    rng = random.Random(seed)
    text = "".join(" ".join(map(str, rng.sample(range(cards), cards))) + "\n" for _ in range(decks))
    everything.write_text(text)
    at, rotations = 0, 0
    file = log.open("a")
    while at < len(text):
        piece = text[at : at + rng.randrange(1, 9_000)]
        file.write(piece)
        file.flush()
        at += len(piece)
        while not everything.with_name("GO").exists():
            time.sleep(0.05)
        time.sleep(rng.random() * 2 * seconds / (len(text) / 4_500))
        if (rng.random() < 0.06 and text[at - 1] == "\n") or rng.random() < 0.05:
            end = text.index("\n", at - 1) + 1  # a program rotates between two lines
            file.write(text[at:end])
            file.flush()
            at = max(at, end)
            rotations += 1
            old = log.with_name(f"{log.name}.{rotations}")
            if rng.random() < 0.5:
                file.close()
                log.rename(old)
                time.sleep(rng.random() * 0.1)
                file = log.open("a")
            else:
                shutil.copyfile(log, old)
                file.truncate(0)
    file.close()
    print(rotations)


if __name__ == "__main__":
    main()
