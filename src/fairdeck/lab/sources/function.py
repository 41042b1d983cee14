"""A Python function as a source of decks: called again and again, in a process of its own.

That process protects the lab: a function that writes beyond its deck, hangs, floods the terminal or
kills its interpreter is a finding and not an accident. `fairdeck.lab.usercode.child` finds, calls and
seeds the function.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial
from random import Random
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import card_type
from fairdeck.cards.names import is_number
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Broken, Decks, Source
from fairdeck.lab.sources import TIMEOUT, Start, Takes, checked_start, deck_size, first_fault, in_places, scrambled
from fairdeck.lab.sources.observed import Completion
from fairdeck.lab.usercode import child
from fairdeck.lab.usercode.adapting import Adapter, CannotCall, Glimpse, NotADeck, decks, split_name
from fairdeck.lab.usercode.faults import complaint, shortened
from fairdeck.lab.usercode.process import Process, started, status_text
from fairdeck.lab.usercode.tracing import Line, lines

Fault = dict[str, Any]

BATCH = 64  # decks checked together


class Answers(Source):
    """The decks that a function gives, checked; or what is seen of them, if it is completed."""

    completion: Completion | None

    def __init__(
        self, name: str, cards: int, seed: int | None, start: Start, completion: Completion | None = None
    ) -> None:
        super().__init__(name, deck_size(cards))
        self._begins = checked_start(start)
        self._start = scrambled(cards, seed) if start == "scrambled" else tuple(range(cards))
        self.completion, self._deck = completion, list[Any](self._start)  # which the function is given
        if completion and (names := completion.deck):
            numbered = all(is_number(name) and str(int(name)) == name for name in names)
            self._deck = [int(names[card]) if numbered else names[card] for card in self._start]

    @property
    def _glimpse(self) -> Glimpse | None:
        return self.completion.glimpse if self.completion else None

    @property
    def _width(self) -> int:
        return self.completion.places if self.completion else self.cards

    def _checked(self, numbers: NDArray[np.int32], *, last: bool = False) -> Iterator[Decks]:
        """Yield the decks up to the first faulty one, each card named by where it started."""
        rows = numbers.reshape(-1, self._width)
        if self.completion:
            good, wrong = self.completion.decks(rows.astype(np.int64), last=last)
            wrong = wrong and f"is impossible: {wrong}"
        else:
            fault = first_fault(rows)
            good = rows[:fault].astype(card_type(self.cards))
            wrong = "" if fault is None else complaint(rows[fault].tolist(), self.cards)
        if len(good):
            yield in_places(good, self._start) if self._begins == "scrambled" else good
        if wrong:
            raise self._at_next(wrong)

    def _at_next(self, wrong: str) -> Broken:
        return Broken(f"{self.name}: deck {self.given + 1:,} {wrong}", self.given)


class CalledHere(Answers):
    """The decks of a function that is called in this process, as tests do."""

    def __init__(
        self,
        function: Callable[..., Any],
        cards: int,
        *,
        seed: int,
        start: Start = "sorted",
        takes: Takes | None = None,
        completion: Completion | None = None,
    ) -> None:
        name = shortened(getattr(function, "__qualname__", type(function).__qualname__))
        super().__init__(name, cards, seed, start, completion)
        self._form = Adapter(function, takes, Random(seed), self._glimpse)

    def batches(self) -> Iterator[Decks]:
        """Yield the decks of the function; the caller sees what it raises."""
        waiting: list[bytes] = []
        try:
            for deck in decks(self._form, self._deck, self._begins == "carried", self._glimpse):
                waiting.append(deck)
                if len(waiting) == BATCH:
                    yield from self._checked(_numbers(waiting))
                    waiting = []
        except NotADeck as wrong:
            yield from self._checked(_numbers(waiting), last=True)
            raise self._at_next(str(wrong)) from None

    def traced(self) -> Callable[[], list[Line]]:
        """Return what finds the lines that draw; the function is called now, while all is as it was."""
        return partial(list, lines(self._form, self._deck, self._glimpse))


def _numbers(decks: list[bytes]) -> NDArray[np.int32]:
    return np.frombuffer(b"".join(decks), np.int32)


class FunctionSource(Answers):
    """The decks of a Python function, called again and again in a process of its own.

    Args:
        function: ``package.module:function`` or ``path/to/file.py:function``. It takes a deck (a
            list, shuffled in place or returned) or the number of cards, and, if it has a parameter
            for one, a ``random.Random``.
        cards: the cards of a deck.
        seed: makes the run a function of `seed` and `stream`, if the function draws from the generator
            that it is given, from the module `random`, or from NumPy's global generator.
        stream: the number of this source among others of the same seed.
        start: the deck for each call: the sorted deck, always the same scrambled deck, or the deck that the
            last call left. A card of a scrambled deck is named by its place in it.
        takes: ``deck`` or ``n``, where the signature does not tell.
        timeout: seconds without a deck after which the function is `Broken`.
        completion: of what it gives, if that is not whole decks; cards that have names are given to it by these.

    Raises:
        FairdeckError: now or with the first block: the function cannot be found or called.
    """

    def __init__(
        self,
        function: str,
        cards: int,
        *,
        seed: int | None = None,
        stream: int = 0,
        start: Start = "sorted",
        takes: Takes | None = None,
        timeout: float = TIMEOUT,
        completion: Completion | None = None,
    ) -> None:
        super().__init__(shortened(function), cards, seed, start, completion)
        try:
            split_name(function)
        except CannotCall as error:
            raise FairdeckError(f"{function!r} {error}") from None
        if takes not in (None, "deck", "n"):
            raise FairdeckError(f"a function takes deck or n, not {takes!r}")
        self._job = {"function": function, "seed": seed, "stream": stream, "takes": takes, "begins": start}
        self._timeout = timeout
        self._sent = 0  # batches that came through the pipe
        self._form = ""  # how it is called, once that is known

    def batches(self) -> Iterator[Decks]:
        """Yield the decks of the function."""
        with ExitStack() as stack:
            page = stack.enter_context(tempfile.TemporaryFile())
            page.truncate(child.page_size(self._width))
            keep = (page.fileno(),) if sys.platform != "win32" else ()
            job = {**self._whole_job, "page": keep[0] if keep else -1}
            process = stack.enter_context(closing(started(child.__name__, job, keep=keep)))
            fault = yield from self._until_fault(process)
            status = process.ended() if fault is None else process.close()
            yield from self._checked(self._left_in(page), last=True)
            raise self._failure(fault or {"died": status_text(status)}, process.last_words())

    @property
    def _whole_job(self) -> dict[str, Any]:
        return {**self._job, "start": self._deck, "width": self._width, "glimpse": self._glimpse}

    def traced(self) -> Callable[[], list[Line]]:
        """Return what finds the lines that draw, in a process of its own."""
        return partial(_traced, {**self._whole_job, "page": -1, "traced": True}, self._timeout)

    def _until_fault(self, process: Process) -> Generator[Decks, None, Fault | None]:
        """Yield the decks from the pipe; return the fault, or None if the process just ended."""
        rest = bytearray()
        while chunk := process.read(self._timeout):
            rest += chunk
            for letter, body in frames(rest):
                if letter == b"F":
                    fault: Fault = json.loads(body)
                    return fault
                if letter == b"R":
                    self._form = shortened(json.loads(body)["form"])
                    self.note("form", f"{self._form}, in a process of its own")
                else:
                    self._sent += 1
                    yield from self._checked(np.frombuffer(body, np.int32))
        return None if chunk == b"" else {"silent": f"{self._timeout:g} s"}

    def _left_in(self, page: IO[bytes]) -> NDArray[np.int32]:
        """Return the decks that were made but not sent when the process ended."""
        page.seek(0)
        sent, waiting = child.STATE.unpack(page.read(child.STATE.size))
        if sent != self._sent:
            waiting = 0
        return np.frombuffer(page.read(4 * self._width * waiting), np.int32)

    def _failure(self, fault: Fault, said: str) -> FairdeckError:
        """Return the error for a fault that the child reported, or for the end of the child."""
        if "refused" in fault:
            return FairdeckError(f"{self.name}: {fault['refused']}")
        if "wrong" in fault:
            return self._at_next(fault["wrong"])
        if "raised" in fault:
            return self._raised(shortened(fault["raised"], 400))
        return self._stopped(fault, f", saying: {said}" if said else "")

    def _raised(self, error: str) -> FairdeckError:
        if self.given:
            return self._at_next(f"is missing: the function raised {error}")
        return FairdeckError(
            f"{self.name}, {self._form}, raised on its first deck: {error}; "
            "correct it, or say whether it takes deck or n"
        )

    def _stopped(self, fault: Fault, saying: str) -> FairdeckError:
        what = f"it gave no deck for {fault['silent']}" if "silent" in fault else f"its process {fault['died']}"
        if not self._form:
            return FairdeckError(f"{self.name}: {what} while it was imported{saying}; a module may be missing")
        return Broken(f"{self.name}: {what} after deck {self.given:,}{saying}", self.given)


def _traced(job: dict[str, Any], timeout: float) -> list[Line]:
    with suppress(FairdeckError), closing(started(child.__name__, job)) as process:
        frame = b"".join(iter(lambda: process.read(timeout) or b"", b""))  # one, or none if the process died
        return [Line(*each) for each in json.loads(frame[child.HEADER.size :] or "{}").get("lines", ())]
    return []


def frames(rest: bytearray) -> Iterator[tuple[bytes, bytes]]:
    """Yield the complete frames, letter and body, at the beginning of `rest`, and remove them."""
    size = child.HEADER.size
    while len(rest) >= size:
        letter, length = child.HEADER.unpack_from(rest)
        if len(rest) < size + length:
            return
        body = bytes(rest[size : size + length])
        del rest[: size + length]
        yield letter, body
