"""A program of any language as a source: it writes decks to its standard output.

**Text**: a deck a line, see `fairdeck.lab.sources.text`. **Binary** (``u8``, ``u16``, ``u32``): n
little-endian unsigned integers a deck, counting from 0, with nothing between or before them.

The program is started once and read for as long as it writes. If it ends it is started again, so
one that writes a single deck will do, only slowly; if it failed, a note says so. If it hangs it is
ended and is `Broken`: a deck that never comes is a fault. It finds the number of cards in place of
``{cards}`` in its command and in ``FAIRDECK_CARDS``, and a seed, if one was given, in
``FAIRDECK_SEED``: the seed itself at the first start, at each later one another number made from
it, or every start would give the same decks.
"""

import hashlib
import math
import os
import re
import shlex
import tempfile
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from time import monotonic

from fairdeck.errors import FairdeckError
from fairdeck.lab import groups
from fairdeck.lab.sources.binary import BinaryDecoder
from fairdeck.lab.sources.block import Broken, Decks, Stream
from fairdeck.lab.sources.gate import deck_size, shortened
from fairdeck.lab.sources.process import Process, status_text
from fairdeck.lab.sources.start import Start, checked_start, in_places, scrambled
from fairdeck.lab.sources.text import Decoder, Numbers, whole_lines

WIDTHS = {"u8": 1, "u16": 2, "u32": 4}
FORMATS = ("text", *WIDTHS)
NEEDS_SHELL = re.compile(r"[|&;<>()$`*?~\n]|^\s*\w+=")
BARREN_STARTS = 2
TELLING = 10**9  # two starts that begin with the same one of so many orders: that is no chance


class ProgramSource(Stream):
    """The decks that a command writes; see `fairdeck.lab.sources.open_program`."""

    def __init__(
        self,
        command: str,
        cards: int,
        *,
        layout: str = "text",
        seed: int | None = None,
        start: Start = "sorted",
        timeout: float = 10.0,
    ) -> None:
        super().__init__(shortened(command), deck_size(cards))
        if layout not in FORMATS:
            raise FairdeckError(f"no format is called {layout!r}; there are {', '.join(FORMATS)}")
        if layout in WIDTHS and cards > 256 ** WIDTHS[layout]:
            raise FairdeckError(f"the format {layout} has no room for {cards} different cards; take u16")
        self._command = understood(command.replace("{cards}", str(cards)))
        self._layout = layout
        self._seed = seed
        self._start = scrambled(cards, seed) if checked_start(start) == "scrambled" else None
        self._timeout = timeout
        self._reading = Numbers()
        self._starts = 0
        self._failed = 0
        self._cut = 0
        self._first_deck: bytes | None = None
        self._compared = 0

    @property
    def labels(self) -> Sequence[str]:
        """The numbers of the program, if it counts from 1."""
        return self._reading.labels(self.cards)

    def batches(self) -> Iterator[Decks]:
        """Yield what the program writes, start after start."""
        barren = 0
        with groups.guarded():
            while barren < BARREN_STARTS:
                before = self.given
                reason = yield from self._one_start()
                barren = barren + 1 if self.given == before else 0
        if self.given:
            raise Broken(f"{self.name} gave no deck, twice in a row, after deck {self.given:,}: {reason}", self.given)
        what = "one deck a line" if self._layout == "text" else f"decks as {self._layout}"
        raise FairdeckError(f"{self.name} gave no deck: {reason}; it must write {what} to its standard output")

    def _one_start(self) -> Generator[Decks, None, str]:
        """Yield the decks of one start of the program, and return how it came to its end."""
        self._starts += 1
        if self._starts > 1:
            self.note("starts", f"the program was started {self._starts:,} times")
        with ExitStack() as stack:
            stdin = stack.enter_context(tempfile.TemporaryFile()) if self._start else None
            if stdin is not None and self._start:
                stdin.write(" ".join(map(str, self._start)).encode() + b"\n")
                stdin.seek(0)
            process = stack.enter_context(closing(Process(self._command, environment=self._environment(), stdin=stdin)))
            cut = self._cut
            for batch in self._decoded(self._chunks(process)):
                self._compare_starts(batch)
                yield batch if self._start is None else in_places(batch, self._start)
            status = process.ended()
            end = f"it {status_text(status)}" + (" in the middle of a deck" if self._cut > cut else "")
            said = process.last_words()
            reason = end + (f", saying: {said}" if said else "")
            if status and self.given:
                self._failed += 1
                often = times(self._failed)
                self.note("failed", f"the program failed {often}, last after deck {self.given:,}: {reason}")
            return reason

    def _environment(self) -> dict[str, str]:
        environment = {**os.environ, "FAIRDECK_CARDS": str(self.cards)}
        environment.pop("FAIRDECK_SEED", None)
        if self._seed is not None:
            environment["FAIRDECK_SEED"] = str(seed_of_start(self._seed, self._starts))
        return environment

    def _chunks(self, process: Process) -> Iterator[bytes]:
        """Yield what the program writes until it ends, or gives no deck for too long."""
        known, until = self.given, monotonic() + self._timeout
        while True:
            chunk = process.read(until - monotonic())
            if chunk == b"":
                return
            if chunk is not None:
                yield chunk
            # Time that the reader of our decks took is not the program's fault: count from now.
            if self.given > known:
                known, until = self.given, monotonic() + self._timeout
            elif monotonic() >= until:
                if process.is_running():
                    raise self._hung()
                return

    def _hung(self) -> FairdeckError:
        patience = f"for {self._timeout:g} s (--timeout gives it longer)"
        if self.given:
            return Broken(f"{self.name} gave no deck after deck {self.given:,}: none came {patience}", self.given)
        return FairdeckError(f"{self.name} gave no deck: none came {patience}")

    def _decoded(self, chunks: Iterable[bytes]) -> Iterator[Decks]:
        if self._layout == "text":
            return self._from_text(chunks)
        return self._from_binary(chunks)

    def _from_text(self, chunks: Iterable[bytes]) -> Iterator[Decks]:
        decoder = Decoder(self.name, self.cards, self._reading, remedy=self._remedy(), decks=self.given)
        for text, whole in whole_lines(chunks):
            for batch in decoder.decode(text) if whole else decoder.rest(text):
                if self._reading.first:
                    self.note("first", "the program numbers the cards from 1")
                yield batch
        if decoder.cut:
            self._note_cut()

    def _from_binary(self, chunks: Iterable[bytes]) -> Iterator[Decks]:
        kind = f"<u{WIDTHS[self._layout]}"
        decoder = BinaryDecoder(self.name, self.cards, kind, remedy=self._remedy(), decks=self.given)
        for chunk in chunks:
            yield from decoder.decode(chunk)
        if decoder.rest:
            self._note_cut()

    def _remedy(self) -> str:
        decks = f"decks of {self.cards} numbers"
        wanted = f"{decks}, a line each" if self._layout == "text" else f"{decks} as {self._layout}"
        return f"write nothing but {wanted}, to standard output (--cards says how many), messages to standard error"

    def _note_cut(self) -> None:
        self._cut += 1
        self.note("cut", f"a deck was cut short by the end of the program and left out, {times(self._cut)}")

    def _compare_starts(self, batch: Decks) -> None:
        """Note it if every start gives the same decks: then the program was given no seed, or a fixed one."""
        if self._first_deck is None:
            self._first_deck = batch[0].tobytes()
            self._compared = self._starts
        elif self._compared < self._starts:
            self._compared = self._starts
            if batch[0].tobytes() == self._first_deck and math.factorial(min(self.cards, 20)) > TELLING:
                self.note("same", f"start {self._starts:,} began with the same deck as the first: is its seed fixed?")


def understood(command: str) -> Sequence[str] | str:
    """Return the words of a command, or the command itself if it is written for the shell.

    >>> understood("node 'my shuffle.js' 52"), understood("./shuffle | head -n 9")
    (['node', 'my shuffle.js', '52'], './shuffle | head -n 9')
    """
    if not command.strip():
        raise FairdeckError("the command is empty; give a program that writes decks")
    if os.name != "posix" or NEEDS_SHELL.search(command):
        return command
    try:
        return shlex.split(command)
    except ValueError as error:
        raise FairdeckError(f"cannot read the command {shortened(command)}: {error}") from None


def seed_of_start(seed: int, start: int) -> int:
    """Return the seed for start 1, 2, ...: the seed itself, then others of 53 bits, exact in any language."""
    if start == 1:
        return seed
    return int.from_bytes(hashlib.sha256(f"{seed}/{start}".encode()).digest()[:8], "big") >> 11


def times(count: int) -> str:
    """Return how often.

    >>> times(1), times(2000)
    ('once', '2,000 times')
    """
    return "once" if count == 1 else f"{count:,} times"
