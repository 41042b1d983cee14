"""Being ended from outside: by Ctrl-C, a closed terminal, a shutdown, `kill`."""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeAlias

Mapping: TypeAlias = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]

ENDING = ("SIGTERM", "SIGHUP")  # by name: not every system has both


@contextmanager
def leaving_tidily() -> Iterator[None]:
    """Let these signals leave as Ctrl-C does, through whatever cleans up, with exit code 128 + the signal's number.

    A signal that is ignored, as under ``nohup``, or that has another handler, stays so.
    """
    if not _is_main():
        yield  # elsewhere no handler can be set
        return
    known = [signal.Signals[name] for name in ENDING if name in signal.Signals.__members__]
    ours = [each for each in known if signal.getsignal(each) is signal.SIG_DFL]

    def leave(number: int, _frame: FrameType | None) -> None:
        for each in ours:
            signal.signal(each, signal.SIG_IGN)  # a second one must not break off the cleaning up
        raise SystemExit(128 + number)

    for each in ours:
        signal.signal(each, leave)
    try:
        yield
    finally:
        for each in ours:
            signal.signal(each, signal.SIG_DFL)


@contextmanager
def interruptible(map_: Mapping) -> Iterator[Mapping]:
    """Give a `map` that hears Ctrl-C while it is waited for, and not while one of its results is worked with.

    What is half counted would be reported as if it were counted.
    """
    waits = came = False

    def hear(_number: int, _frame: FrameType | None) -> None:
        nonlocal came
        came = True
        if not waits:
            raise KeyboardInterrupt

    def mapped(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        nonlocal waits
        for result in map_(function, items):
            waits = True
            try:
                yield result
            finally:
                waits = False
            if came:
                raise KeyboardInterrupt

    if not _is_main() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield map_  # no handler can be set, or somebody else has
        return
    signal.signal(signal.SIGINT, hear)
    try:
        yield mapped
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()
