"""The lab's `map` on several processes of this machine."""

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from threading import Thread, current_thread, main_thread
from time import monotonic
from typing import TypeVar

from fairdeck.errors import FairdeckError

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_WORKERS = 256
AHEAD = 2  # blocks that wait for each worker: enough that none is idle, few enough to hold
CAN_BE_KILLED = sys.version_info >= (3, 11, 5)  # before, a pool may wait for ever for killed workers: gh-94777
SAFE_PATH = "PYTHONSAFEPATH"
ALONE = 1.5  # seconds: about what a worker takes to begin and to load kernels; most faulty shuffles fail before


@contextmanager
def spread(
    workers: int, alone: float | None = None, worth: Callable[[], bool] = lambda: True
) -> Iterator[Callable[[Callable[[Item], Result], Iterable[Item]], Iterable[Result]]]:
    """Give a `map` that works on `workers` processes at once, with results in order.

    It begins in this process, and calls the others only for what is not done after `alone` seconds (default: `ALONE`),
    if that is `worth` their start.
    An error of the items themselves is raised after the results of all items before it. Leaving ends the workers, at
    once.
    """
    before = set(multiprocessing.active_children())
    until = 0.0
    with ExitStack() as leaving:

        def mapped(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
            nonlocal until
            # From the first item on: what is loaded before it does not count.
            until = until or monotonic() + (ALONE if alone is None else alone)
            coming = iter(items)
            while workers == 1 or monotonic() < until or not worth():
                try:
                    item = next(coming)
                except StopIteration:
                    return
                yield function(item)
            told = os.environ.get(SAFE_PATH)
            with _nothing_from_this_folder():
                pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begun, (told,))
            leaving.callback(_end, pool, before)
            try:
                # A pool whose workers are killed fails all that waits, and prints a traceback for what was cancelled.
                yield from in_order(pool, AHEAD * workers, function, coming, take_back=not CAN_BE_KILLED)
            except BrokenProcessPool:
                raise FairdeckError(
                    "a worker process was ended from outside, perhaps because memory ran out; run it again, or with "
                    "fewer --workers; a script of yours must call fairdeck under if __name__ == '__main__':"
                ) from None

        yield mapped


def _end(pool: ProcessPoolExecutor, before: set[BaseProcess]) -> None:
    """End the workers of a pool: they would finish what they have begun, and this process would wait for them."""
    for worker in (set(multiprocessing.active_children()) - before) if CAN_BE_KILLED else ():
        worker.kill()
    if CAN_BE_KILLED:
        # After a worker was killed in the middle of a result, its reader waits until the last writer closes.
        pool._result_queue._writer.close()  # type: ignore[attr-defined]
    with _ctrl_c_ignored():
        pool.shutdown(wait=CAN_BE_KILLED, cancel_futures=True)


def in_order(
    pool: Executor,
    ahead: int,
    function: Callable[[Item], Result],
    coming: Iterator[Item],
    *,
    take_back: bool = True,
) -> Iterator[Result]:
    """Yield the results of a pool in the order of the items, at most `ahead` of which were sent and are not back.

    An error of the items themselves is raised after the results of all items before it. Leaving may take back what
    waits.
    """
    waiting: deque[Future[Result]] = deque()
    ended: Exception | None = None
    try:
        while True:
            while ended is None and len(waiting) < ahead:
                try:
                    item = next(coming)
                    with _nothing_from_this_folder(), _ctrl_c_later():
                        waiting.append(pool.submit(function, item))
                except Exception as error:  # StopIteration as well; raised in its turn
                    ended = error
            if not waiting:
                if ended is not None and not isinstance(ended, StopIteration):
                    raise ended
                return
            yield waiting.popleft().result()
    finally:
        for each in waiting if take_back else ():
            each.cancel()


@contextmanager
def _nothing_from_this_folder() -> Iterator[None]:
    """Let processes that begin here import nothing from the current folder: files from anybody may lie there.

    Python looks there first where it runs a command, as it does for a worker and for what cleans up after workers.
    """
    told = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        _tell_safe_path(told)


def _tell_safe_path(told: str | None) -> None:
    if told is None:
        del os.environ[SAFE_PATH]
    else:
        os.environ[SAFE_PATH] = told


@contextmanager
def _ctrl_c_later() -> Iterator[None]:
    """Hold Ctrl-C back until the end; workers that begin here never hear it.

    It is for this process, which can tell what was counted. To ignore it here would lose it, and the run would go on.
    """
    if not _hears_ctrl_c() or sys.platform == "win32":
        with _ctrl_c_ignored():
            yield
        return
    came = []
    resource_tracker.ensure_running()  # when it begins, it lets through what is blocked
    before = signal.signal(signal.SIGINT, lambda *_: came.append(True))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # workers inherit it
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def _ctrl_c_ignored() -> Iterator[None]:
    """Let nothing interrupt what cleans up."""
    if not _hears_ctrl_c():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _hears_ctrl_c() -> bool:
    """Tell whether a handler can be set: not elsewhere than in the main thread, nor beside one that is not Python's."""
    return current_thread() is main_thread() and signal.getsignal(signal.SIGINT) is not None


def _begun(safe_path: str | None) -> None:
    """End when the process ends that this one works for; what it starts finds modules as it would there."""
    _tell_safe_path(safe_path)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
