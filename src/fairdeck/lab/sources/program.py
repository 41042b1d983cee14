"""A program in any language as a source of decks, which it writes to its standard output.

**Text**: a deck on each line, see `fairdeck.lab.sources.text`. **Binary** (``u8``, ``u16``, ``u32``): n
little-endian unsigned integers for each deck, from 0, with nothing between or before them.

The program is read until it ends, and then started again: a program that writes a single deck works,
but slowly. If it failed, a note says so. If it hangs, it is ended and `Broken`: a deck that never comes
is a fault. The program finds the number of cards in place of ``{cards}`` in its command and in
``FAIRDECK_CARDS``. With a seed, the first start gets it in ``FAIRDECK_SEED``, and each later start
another number made from it; otherwise every start would give the same decks.
"""

import hashlib
import math
import os
import re
import sys
import tempfile
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Broken, Decks, Source, unread
from fairdeck.lab.sources import TIMEOUT, Start, checked_start, deck_size, in_places, scrambled
from fairdeck.lab.sources.binary import BinaryDecoder
from fairdeck.lab.sources.observed import Completion
from fairdeck.lab.sources.text import LONGEST_LINE, Decoder, NumberReading, as_utf8, whole_lines
from fairdeck.lab.usercode import process_groups
from fairdeck.lab.usercode.faults import shortened
from fairdeck.lab.usercode.process import Process, status_text
from fairdeck.lab.usercode.process_groups import parted

WIDTHS = {"u8": 1, "u16": 2, "u32": 4}
FORMATS = ("text", *WIDTHS)
NEEDS_SHELL = re.compile(r"[|&;<>()$`*?~\n]|^\s*\w+=")
UNFILLED = re.compile(r"\{(?!cards\})\w+\}")  # a shell may need such words; only a failure makes them suspicious
BARREN_STARTS = 2
TELLING = 10**9  # orders: two starts do not begin with the same one of this many by chance


class ProgramSource(Source):
    """The decks that a program writes to its standard output; it is started again when it ends.

    Args:
        command: as it is typed. The shell runs it if it needs the shell (a pipe, a redirection, a
            variable); else it is started directly.
        cards: the cards of a deck; they also replace ``{cards}`` in the command.
        layout: ``text``, a deck on each line, or ``u8``, ``u16``, ``u32``: little-endian integers from 0.
        seed: for the program, in ``FAIRDECK_SEED``.
        stream: the number of this source among others of the same seed.
        start: ``scrambled`` writes a start deck to its standard input, a line of numbers from 0; else
            standard input is empty.
        timeout: seconds without a deck after which the program is `Broken`.
        completion: of what it writes, if that is not whole decks.

    Raises:
        FairdeckError: now or with the first block: the program cannot be started, or gives no deck.
    """

    completion: Completion | None

    def __init__(
        self,
        command: str,
        cards: int,
        *,
        layout: str = "text",
        seed: int | None = None,
        stream: int = 0,
        start: Start = "sorted",
        timeout: float = TIMEOUT,
        completion: Completion | None = None,
    ) -> None:
        super().__init__(shortened(command), deck_size(cards))
        self._unfilled = " and ".join(dict.fromkeys(UNFILLED.findall(command)))
        if layout not in FORMATS:
            raise FairdeckError(f"no format is called {layout!r}; choose {', '.join(FORMATS)}")
        if layout in WIDTHS and cards > 256 ** WIDTHS[layout]:
            raise FairdeckError(f"the format {layout} cannot hold {cards} different cards; use u16")
        self._command = understood(command.replace("{cards}", str(cards)))
        self._layout = layout
        self._seed, self._stream = seed, stream
        self._start = scrambled(cards, seed) if checked_start(start) == "scrambled" else None
        self._timeout = timeout
        self._reading, self.completion = NumberReading(), completion
        if completion and layout != "text" and (completion.deck or not completion.width):
            raise FairdeckError(
                f"the format {layout} holds numbers, equally many for each deck: where cards have names, or lines "
                "differ, the program must write text"
            )
        self._made = 0  # decks that were read
        self._starts = 0
        self._failed = 0
        self._cut = 0
        self._first_deck: bytes | None = None
        self._compared = 0

    @property
    def labels(self) -> Sequence[str]:
        """The numbers of the program, if it counts from 1."""
        return super().labels or self._reading.labels(self.cards)

    def batches(self) -> Iterator[Decks]:
        """Yield the decks of the program, start after start."""
        barren = 0
        with process_groups.guarded():
            while barren < BARREN_STARTS:
                before = self._made
                reason = yield from self._one_start()
                barren = barren + 1 if self._made == before else 0
        yield from self._completed(None, last=True)
        if self.given:
            raise Broken(f"{self.name} gave no deck, twice in a row, after deck {self.given:,}: {reason}", self.given)
        what = "one deck on each line" if self._layout == "text" else f"decks as {self._layout}"
        besides = f", and nothing is filled in for {self._unfilled}, only for {{cards}}" if self._unfilled else ""
        raise FairdeckError(f"{self.name} gave no deck: {reason}; it must write {what} to its standard output{besides}")

    def _one_start(self) -> Generator[Decks, None, str]:
        """Yield the decks of one start of the program, and return how it ended."""
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
                if not self.completion:
                    self._made += len(batch)
                    self._compare_starts(batch)
                yield batch if self._start is None else in_places(batch, self._start)
            status = process.ended()
            end = f"it {status_text(status)}" + (" in the middle of a deck" if self._cut > cut else "")
            said = process.last_words()
            reason = end + (f", saying: {said}" if said else "")
            if status and self._made:
                self._failed += 1
                often = times(self._failed)
                self.note("failed", f"the program failed {often}, last after deck {self._made:,}: {reason}")
            return reason

    def _environment(self) -> dict[str, str]:
        environment = {**os.environ, "FAIRDECK_CARDS": str(self.cards)}
        environment.pop("FAIRDECK_SEED", None)
        if self._seed is not None:
            environment["FAIRDECK_SEED"] = str(seed_of_start(self._seed, self._starts, self._stream))
        return environment

    def _chunks(self, process: Process) -> Iterator[bytes]:
        """Yield what the program writes, until it ends or gives no deck for too long."""
        known, until = self._made, monotonic() + self._timeout
        while True:
            chunk = process.read(until - monotonic())
            if chunk == b"":
                return
            if chunk is not None:
                yield chunk
            # The reader of our decks may have taken its time, which is not the program's fault: count from now.
            if self._made > known:
                known, until = self._made, monotonic() + self._timeout
            elif monotonic() >= until:
                if process.is_running():
                    raise self._hung()
                return

    def _hung(self) -> FairdeckError:
        patience = f"for {self._timeout:g} s (--timeout gives it longer)"
        if self._made:
            return Broken(f"{self.name} gave no deck after deck {self._made:,}: none came {patience}", self.given)
        return FairdeckError(f"{self.name} gave no deck: none came {patience}")

    def _decoded(self, chunks: Iterable[bytes]) -> Iterator[Decks]:
        if self._layout == "text":
            return self._seen(self.completion, chunks) if self.completion else self._from_text(chunks)
        return self._from_binary(chunks)

    def _seen(self, completion: Completion, chunks: Iterable[bytes]) -> Iterator[Decks]:
        """Yield the completed decks of lines, and raise an error at the first that is wrong."""
        for text, whole in whole_lines(as_utf8(chunks)):
            if not whole and completion.is_cut(text):
                self._note_cut()
                continue
            rows = completion.rows(text)
            yield from self._completed(rows.values)
            if rows.wrong is not None:
                yield from self._completed(None, last=True)
                line = text.split(b"\n", rows.wrong + 1)[rows.wrong].decode("utf-8", "replace")
                said = f"{self.name}: deck {self.given + 1:,} is impossible: {completion.wrong(line)}"
                raise unread(said, self.given, self._remedy())

    def _completed(self, values: NDArray[np.int64] | None, *, last: bool = False) -> Iterator[Decks]:
        """Yield the decks of records, and raise an error at the first that is wrong."""
        if self.completion:
            self._made += 0 if values is None else len(values)
            decks, wrong = self.completion.decks(values, last=last)
            if len(decks):
                yield decks
            if wrong:
                raise Broken(f"{self.name}: deck {self.given + 1:,} is impossible: {wrong}", self.given)

    def _from_text(self, chunks: Iterable[bytes]) -> Iterator[Decks]:
        decoder = Decoder(self.name, self.cards, self._reading, remedy=self._remedy(), decks=self.given)
        for text, whole in whole_lines(as_utf8(chunks), max(LONGEST_LINE // 16, 16 * self.cards)):
            for batch in decoder.decode(text) if whole else decoder.rest(text):
                if self._reading.first:
                    self.note("first", "the program numbers the cards from 1")
                yield batch
        if decoder.cut:
            self._note_cut()

    def _from_binary(self, chunks: Iterable[bytes]) -> Iterator[Decks]:
        kind, size = f"<u{WIDTHS[self._layout]}", self.completion.places if self.completion else self.cards
        decoder = BinaryDecoder(self.name, size, kind, remedy=self._remedy(), decks=self.given)
        for chunk in chunks:
            if self.completion:
                yield from self._completed(decoder.rows(chunk).astype(np.int64))
            else:
                yield from decoder.decode(chunk)
        if decoder.rest:
            self._note_cut()

    def _remedy(self) -> str:
        decks = f"decks of {self.cards} numbers"
        if self.completion:
            decks = f"what is seen of each deck ({self.completion.scheme})"
        wanted = f"{decks}, one on each line" if self._layout == "text" else f"{decks} as {self._layout}"
        part = "" if self.completion else "; if it writes a part of each deck: --seen"
        return (
            f"write nothing but {wanted}, to standard output (--cards says how many), messages to standard error{part}"
        )

    def _note_cut(self) -> None:
        self._cut += 1
        self.note("cut", f"a deck was cut short by the end of the program and left out, {times(self._cut)}")

    def _compare_starts(self, batch: Decks) -> None:
        """Note a start that gives the same decks as the first: then the program has no seed, or a fixed one."""
        if self._first_deck is None:
            self._first_deck = batch[0].tobytes()
            self._compared = self._starts
        elif self._compared < self._starts:
            self._compared = self._starts
            if batch[0].tobytes() == self._first_deck and math.factorial(min(self.cards, 20)) > TELLING:
                self.note("same", f"start {self._starts:,} began with the same deck as start 1: is its seed fixed?")


def understood(command: str) -> Sequence[str] | str:
    """Return the words of a command, or the command itself if it needs the shell.

    >>> understood("node 'my shuffle.js' 52"), understood("./shuffle | head -n 9")
    (['node', 'my shuffle.js', '52'], './shuffle | head -n 9')
    """
    if not command.strip():
        raise FairdeckError("the command is empty; name a program that writes decks")
    if sys.platform == "win32" or NEEDS_SHELL.search(command):
        return command
    try:
        return parted(command)
    except ValueError as error:
        raise FairdeckError(f"cannot read the command {shortened(command)}: {error}; check its quotes") from None


def seed_of_start(seed: int, start: int, stream: int = 0) -> int:
    """Return the seed for start 1, 2, ...: the seed itself, then others of 53 bits, exact in any language."""
    if start == 1 and not stream:
        return seed
    return (
        int.from_bytes(hashlib.sha256(f"{seed}/{start}{f'/{stream}' if stream else ''}".encode()).digest()[:8], "big")
        >> 11
    )


def times(count: int) -> str:
    """Return a number of times in words.

    >>> times(1), times(2000)
    ('once', '2,000 times')
    """
    return "once" if count == 1 else f"{count:,} times"
