"""Being ended from outside: by a closed terminal, a shutdown, `kill`."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = ("SIGTERM", "SIGHUP")  # by name: not every system has both


@contextmanager
def leaving_tidily() -> Iterator[None]:
    """Let these signals leave as Ctrl-C does, through whatever cleans up, with exit code 128 + the signal's number.

    A signal that is ignored, as under ``nohup``, or that has another handler, stays so.
    """
    if threading.current_thread() is not threading.main_thread():
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
