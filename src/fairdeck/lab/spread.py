"""The lab's `map` on several processes of this machine."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from threading import Thread
from time import monotonic
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 2  # blocks that wait for each worker: enough that none is idle, few enough to hold
ALONE = 0.4  # seconds: about what a worker takes to begin; many a faulty shuffle is found out by then


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def spread(workers: int) -> Iterator[Callable[[Callable[[Item], Result], Iterable[Item]], Iterable[Result]]]:
    """Give a `map` that works on `workers` processes at once, with results in order.

    It begins in this process, and calls the others only for what is not soon done. An error of the
    items themselves is raised after the results of all items before it. Leaving early stops the workers.
    """
    # Processes begin with the first item that is handed to them, not here.
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_begun)
    until = monotonic() + ALONE

    def mapped(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        coming = iter(items)
        while workers == 1 or monotonic() < until:
            try:
                item = next(coming)
            except StopIteration:
                return
            yield function(item)
        yield from _together(pool, AHEAD * workers, function, coming)

    try:
        yield mapped
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _together(
    pool: ProcessPoolExecutor, ahead: int, function: Callable[[Item], Result], coming: Iterator[Item]
) -> Iterator[Result]:
    waiting: deque[Future[Result]] = deque()
    ended: Exception | None = None
    while True:
        while ended is None and len(waiting) < ahead:
            try:
                waiting.append(pool.submit(function, next(coming)))
            except Exception as error:  # StopIteration as well; raised in its turn
                ended = error
        if not waiting:
            if ended is not None and not isinstance(ended, StopIteration):
                raise ended
            return
        yield waiting.popleft().result()


def _begun() -> None:
    """Leave Ctrl-C to the process that can still tell what was counted, and end when that one ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
