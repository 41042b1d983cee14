"""What a cluster costs; prints the figures of ``docs/how-to/cluster.md``.

python -m bench.cluster
"""

import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

import psutil

from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.runs.cluster import cluster
from fairdeck.lab.runs.processes import spread
from fairdeck.lab.sources.simulated import Simulated
from fairdeck.lab.usercode import process_groups

CARDS, PORTIONS, BLOCKS, PAIRS = 52, 20, 256, 3
SHUFFLE = "lehmer-16"
Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


def said(what: str, value: object) -> None:
    """Print a figure."""
    print(f"{what}: {value}", flush=True)


def cost(map_: Map, portions: int, seed: int) -> tuple[float, float]:
    """Return the seconds and the processor's seconds, of all processes together, from the first portion to the last.

    Portions have 1,048,576 decks; their tallies are added up here.
    """
    battery = Battery(CARDS)
    blocks = Simulated(SHUFFLE, CARDS, seed).blocks([4096] * BLOCKS * portions)
    tallies = iter(map_(battery.tally_all, ([next(blocks) for _ in range(BLOCKS)] for _ in range(portions))))
    total = next(tallies)
    began, busy = perf_counter(), used()
    for tally in tallies:
        total = battery.merge(total, tally)
    return perf_counter() - began, used() - busy


def used() -> float:
    """Return the processor's seconds that this process and all that it started have used."""
    me = psutil.Process()
    times = [each.cpu_times() for each in (me, *me.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


@contextmanager
def farm() -> Iterator[str]:
    """Start a scheduler and two workers on this machine; give the address of the scheduler."""
    with tempfile.TemporaryDirectory(prefix="fairdeck-") as folder, ExitStack() as leaving:
        file = Path(folder, "scheduler.json")
        here = ["--scheduler-file", str(file), "--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
        workers = ["--nworkers", "2", "--nthreads", "1", "--memory-limit", "0", "--local-directory", folder]
        places = os.pathsep.join(filter(None, sys.path))
        environment = {**os.environ, "PYTHONPATH": places}
        for name, more in (("scheduler", ["--port", "0", "--no-show"]), ("worker", workers)):
            words = [sys.executable, "-P", "-m", f"distributed.cli.dask_{name}", *here, *more]
            started = process_groups.started(words, env=environment, stderr=subprocess.DEVNULL)
            leaving.callback(process_groups.end, started)
            while not file.exists():
                sleep(0.02)
        yield str(json.loads(file.read_text(encoding="utf-8"))["address"])


def overhead() -> None:
    """Print what two workers of a cluster take over what two processes take, in pairs that take turns."""
    walls, busy = [], []
    with farm() as address, cluster(address) as workers:
        cost(workers, 3, 0)  # kernels are loaded
        for seed in range(PAIRS):
            with spread(2, alone=0) as processes:
                a = cost(processes, PORTIONS, seed)
            b = cost(workers, PORTIONS, seed)
            said("  processes and workers, s", tuple(round(each, 2) for each in (a[0], b[0])))
            said("  the same, processor's s", tuple(round(each, 2) for each in (a[1], b[1])))
            walls.append(b[0] / a[0])
            busy.append(b[1] / a[1])
    said("two workers over two processes, time (median)", round(median(walls), 3))
    said("two workers over two processes, processor's time (median)", round(median(busy), 3))


def bytes_that_travel() -> None:
    """Print the size of tallies, and of the blocks that are sent for one."""
    battery, blocks = Battery(CARDS), list(Simulated(SHUFFLE, CARDS, 1).blocks([4096] * BLOCKS))
    for many in (1, 64, BLOCKS):
        began = perf_counter()
        tally = battery.tally_all(blocks[:many])
        took = perf_counter() - began
        back, out = (len(pickle.dumps(each, protocol=5)) for each in (tally, blocks[:many]))
        said(
            f"{tally.decks:,} decks: bytes that go out, that come back, us a deck",
            (out, back, took / tally.decks * 1e6),
        )


def main() -> None:
    """Measure everything."""
    said("Python", sys.version.split()[0])
    if "bytes" in sys.argv[1:] or not sys.argv[1:]:
        bytes_that_travel()
    if "overhead" in sys.argv[1:] or not sys.argv[1:]:
        overhead()


if __name__ == "__main__":
    main()
