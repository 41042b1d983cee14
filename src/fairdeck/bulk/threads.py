"""Several threads at once: compiled kernels do not hold the interpreter's lock."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

MOST = 8  # threads, unless a caller asks for more: memory serves no more of them


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def together(threads: int) -> Iterator[Callable[[Iterable[tuple[Any, ...]]], None]]:
    """Give a function that makes calls, each a function and its arguments, on `threads` threads and waits for all."""
    if threads == 1:

        def one_by_one(calls: Iterable[tuple[Any, ...]]) -> None:
            for function, *given in calls:
                function(*given)

        yield one_by_one
        return
    pool = ThreadPoolExecutor(threads)

    def at_once(calls: Iterable[tuple[Any, ...]]) -> None:
        for made in [pool.submit(*call) for call in calls]:
            made.result()

    try:
        yield at_once
    finally:
        pool.shutdown(cancel_futures=True)
