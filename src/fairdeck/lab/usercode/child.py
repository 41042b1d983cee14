"""The program that calls a user's function for decks, in a process of its own.

It reads a job from its standard input (JSON), and writes frames to what was its standard output: a
letter, the length of the rest as four bytes, the rest. ``R``: ready, JSON. ``D``: decks, as 32-bit
integers. ``F``: a fault, or the lines that draw if they are ``traced``, JSON; the last frame. What the function prints
goes to standard error.

It loads the standard library only, so that NumPy is there only if the function imports it. Decks that
wait to be sent lie in a file that the parent shares: none is lost when this process crashes.
"""

import json
import mmap
import os
import random
import struct
import sys
from time import perf_counter
from typing import Any, NoReturn

from fairdeck.lab.usercode.adapting import Adapter, CannotCall, Glimpse, NotADeck, decks, described, load, seed_all

HEADER = struct.Struct("<cI")
STATE = struct.Struct("<II")  # at the start of the shared page: batches sent, decks that wait
BATCH = 1 << 16
LATENCY = 0.05  # seconds that a deck may wait for others to be sent with


def batch_size(cards: int) -> int:
    """Return how many decks are sent at a time."""
    return max(1, BATCH // (4 * cards))


def page_size(cards: int) -> int:
    """Return the bytes of the shared page."""
    return STATE.size + 4 * cards * batch_size(cards)


class Wire:
    """Sends frames; the decks that wait lie in the shared page."""

    def __init__(self, out: int, page: int, cards: int) -> None:
        self._out = out
        self._page = mmap.mmap(page, page_size(cards))
        self._deck = 4 * cards
        self._most = batch_size(cards)
        self._sent = 0
        self._waiting = 0
        self._since = perf_counter()
        self._process = os.getpid()

    def deck(self, deck: bytes) -> None:
        """Add a deck to those that wait; send them when they are many or have waited long."""
        self._end_copy()
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
        """Send a frame of JSON."""
        self._end_copy()
        self.flush()
        self._send(letter, json.dumps(what).encode())

    def _end_copy(self) -> None:
        """End a process that the function forked and let return: two writers would mix their frames."""
        if os.getpid() != self._process:
            os._exit(0)

    def _send(self, letter: bytes, body: bytes) -> None:
        data = memoryview(HEADER.pack(letter, len(body)) + body)
        while data:
            data = data[os.write(self._out, data) :]


def work(job: dict[str, Any], wire: Wire) -> None:
    """Find the function, and call it until it fails or the parent ends this process."""
    seed, stream = job["seed"], job["stream"]
    told = f"fairdeck {seed}/{stream} global"
    rng = random.Random() if seed is None else random.Random(f"fairdeck {seed}/{stream}")
    if seed is not None:
        seed_all(told)  # the import may draw as well
    try:
        glimpse = Glimpse(*job["glimpse"]) if job["glimpse"] else None
        adapter = Adapter(load(job["function"]), job["takes"], rng, glimpse)
        if adapter.takes != "deck" and job["begins"] != "sorted":
            given = "a number of cards" if adapter.takes else "no deck"
            raise CannotCall(f"{adapter.name} takes {given}; it cannot start {job['begins']}, only sorted")
    except CannotCall as refused:
        wire.tell(b"F", refused=str(refused))
        return
    if seed is not None:
        seed_all(told)
    if job.get("traced"):
        from fairdeck.lab.usercode.tracing import lines

        wire.tell(b"F", lines=lines(adapter, job["start"], glimpse))
        return
    wire.tell(b"R", form=adapter.says)
    try:
        for deck in decks(adapter, job["start"], job["begins"] == "carried", glimpse):
            wire.deck(deck)
    except CannotCall as refused:
        wire.tell(b"F", refused=str(refused))
    except NotADeck as wrong:
        wire.tell(b"F", wrong=str(wrong))
    except BaseException as error:
        wire.tell(b"F", raised=described(error))


def main() -> NoReturn:
    """Do the job that standard input describes."""
    job = json.loads(sys.stdin.buffer.read())
    out = os.dup(1)
    os.dup2(2, 1)  # what the function prints must not mix with the frames
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    try:
        work(job, Wire(out, job["page"], job["width"]))
    except BrokenPipeError:
        pass  # the parent closed the pipe
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
