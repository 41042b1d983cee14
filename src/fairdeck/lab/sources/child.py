"""The program that calls a function under test, in a process of its own.

It reads a job from its standard input (JSON), and writes frames to what was its standard output: a
letter, the length of the rest as four bytes, the rest. ``R``: ready, JSON. ``D``: decks, as 32-bit
integers. ``F``: a fault, JSON; the last frame. What the function itself prints goes to standard error.

It loads the standard library only, so that numpy is there only if the function wants it. The decks
not yet sent lie in a file that the parent shares: whatever becomes of this process, none is lost.
"""

import json
import mmap
import os
import random
import struct
import sys
from pathlib import Path
from time import perf_counter
from typing import Any, NoReturn

from fairdeck.lab.calling import Form, Odd, Refused, decks, described, function_of, module_of, seed_all

HEADER = struct.Struct("<cI")
STATE = struct.Struct("<II")  # at the start of the shared page: batches sent, decks that wait for the next
BATCH = 1 << 16
LATENCY = 0.05  # seconds that a deck may wait for others to be sent with


def batch_size(cards: int) -> int:
    """Return how many decks are sent at a time."""
    return max(1, BATCH // (4 * cards))


def page_size(cards: int) -> int:
    """Return the bytes of the shared page."""
    return STATE.size + 4 * cards * batch_size(cards)


# --- sending it


class Wire:
    """Sends frames; keeps the decks that wait in the shared page."""

    def __init__(self, out: int, page: int, cards: int) -> None:
        self._out = out
        self._page = mmap.mmap(page, page_size(cards))
        self._deck = 4 * cards
        self._most = batch_size(cards)
        self._sent = 0
        self._waiting = 0
        self._since = perf_counter()

    def deck(self, deck: bytes) -> None:
        """Put a deck with those that wait, and send them if they are many or have waited long."""
        at = STATE.size + self._waiting * self._deck
        self._page[at : at + self._deck] = deck
        self._waiting += 1
        STATE.pack_into(self._page, 0, self._sent, self._waiting)
        if self._waiting == self._most or perf_counter() - self._since > LATENCY:
            self.flush()

    def flush(self) -> None:
        """Send the decks that wait."""
        if self._waiting:
            self._send(b"D", self._page[STATE.size : STATE.size + self._waiting * self._deck])
            self._sent += 1
            self._waiting = 0
            STATE.pack_into(self._page, 0, self._sent, 0)
        self._since = perf_counter()

    def tell(self, letter: bytes, **what: Any) -> None:
        """Send what is known as JSON."""
        self.flush()
        self._send(letter, json.dumps(what).encode())

    def _send(self, letter: bytes, body: bytes) -> None:
        data = memoryview(HEADER.pack(letter, len(body)) + body)
        while data:
            data = data[os.write(self._out, data) :]


def work(job: dict[str, Any], wire: Wire) -> None:
    """Find the function, and call it for ever."""
    place, _, path = job["function"].rpartition(":")
    sys.path.insert(0, str(Path.cwd()))
    seed, stream = job["seed"], job["stream"]
    told = f"fairdeck {seed}/{stream} global"
    rng = random.Random() if seed is None else random.Random(f"fairdeck {seed}/{stream}")
    if seed is not None:
        seed_all(told)  # what is drawn during the import counts, too
    try:
        function = function_of(module_of(place), path, place)
        form = Form(function, job["takes"], rng)
        if form.takes == "n" and job["begins"] != "sorted":
            raise Refused(f"{path} takes a number of cards, so no deck can start {job['begins']}; only sorted will do")
    except Refused as refused:
        wire.tell(b"F", refused=str(refused))
        return
    if seed is not None:
        seed_all(told)
    wire.tell(b"R", form=form.says)
    try:
        for deck in decks(form, job["start"], job["begins"] == "carried"):
            wire.deck(deck)
    except Odd as odd:
        wire.tell(b"F", **odd.fault)
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        wire.tell(b"F", raised=described(error))


def main() -> NoReturn:
    """Do the job that standard input tells."""
    job = json.loads(sys.stdin.buffer.read())
    out = os.dup(1)
    os.dup2(2, 1)  # what the function prints must not come among the frames
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    try:
        work(job, Wire(out, job["page"], len(job["start"])))
    except BrokenPipeError:
        pass  # nobody reads any more
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
