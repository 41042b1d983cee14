"""What happens on Ctrl-C, a closed terminal, a shutdown, or `kill`."""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeAlias

from fairdeck.errors import Terminated

Mapping: TypeAlias = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]

ENDING = ("SIGTERM", "SIGHUP", "SIGQUIT")  # by name: not every system has all


@contextmanager
def leaving_tidily() -> Iterator[None]:
    """End on these signals as on Ctrl-C, with all cleaning up, and with exit code 128 + the signal's number.

    A signal that is ignored, as under ``nohup``, or has another handler, is left alone.
    """
    if not _is_main():
        yield  # only the main thread can set handlers
        return
    known = [signal.Signals[name] for name in ENDING if name in signal.Signals.__members__]
    ours = [each for each in known if signal.getsignal(each) is signal.SIG_DFL]

    def leave(number: int, _frame: FrameType | None) -> None:
        for each in ours:
            signal.signal(each, signal.SIG_IGN)  # a second signal must not interrupt the cleaning up
        raise Terminated(128 + number)

    for each in ours:
        signal.signal(each, leave)
    try:
        yield
    finally:
        for each in ours:
            signal.signal(each, signal.SIG_DFL)


@contextmanager
def interruptible(map_: Mapping) -> Iterator[Mapping]:
    """Give a `map` that Ctrl-C and `kill` interrupt while it waits, but not while one of its results is being used.

    Otherwise a half-counted result could be reported, or stored, as a complete one.
    """
    waits, came = False, 0
    before: dict[int, Any] = {}

    def hear(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = number
        if not waits:
            before[number](number, frame)

    def mapped(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        nonlocal waits
        for result in map_(function, items):
            waits = True
            try:
                yield result
            finally:
                waits = False
            if came:
                before[came](came, None)

    if not _is_main() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield map_  # not the main thread, or the caller has a handler
        return
    known = [signal.Signals[name] for name in ("SIGINT", *ENDING) if name in signal.Signals.__members__]
    before = {each: held for each in known if callable(held := signal.getsignal(each))}
    for each in before:
        signal.signal(each, hear)
    try:
        yield mapped
    finally:
        for each, held in before.items():
            if signal.getsignal(each) is hear:  # else a second signal is ignored, while everything is cleaned up
                signal.signal(each, held)


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()
