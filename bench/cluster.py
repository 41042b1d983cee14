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
from time import perf_counter, process_time, sleep
from typing import Any

import numpy as np
import psutil

from fairdeck.lab.judging.tally import Battery, Tally
from fairdeck.lab.runs import worker
from fairdeck.lab.runs.cluster import cluster
from fairdeck.lab.runs.processes import spread
from fairdeck.lab.sources.simulated import NumberedBlock, Simulated
from fairdeck.lab.usercode import process_groups

CARDS, PORTIONS, BLOCKS, PAIRS = 52, 20, 256, 3
SMALL_ITEMS, TASKS = 100_000, 10_000
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
def farm() -> Iterator[tuple[str, psutil.Process]]:
    """Start a scheduler and two workers on this machine; give the address and the process of the scheduler."""
    with tempfile.TemporaryDirectory(prefix="fairdeck-") as folder, ExitStack() as leaving:
        file = Path(folder, "scheduler.json")
        here = ["--scheduler-file", str(file), "--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
        workers = ["--nworkers", "2", "--nthreads", "1", "--memory-limit", "0", "--local-directory", folder]
        places = os.pathsep.join(filter(None, sys.path))
        environment = {**os.environ, "PYTHONPATH": places}
        environment |= {"MALLOC_TRIM_THRESHOLD_": str(2**26), "MALLOC_MMAP_THRESHOLD_": str(2**25)}
        started = []
        for name, more in (("scheduler", ["--port", "0", "--no-show"]), ("worker", workers)):
            words = [sys.executable, "-P", "-m", f"distributed.cli.dask_{name}", *here, *more]
            started.append(process_groups.started(words, env=environment, stderr=subprocess.DEVNULL))
            leaving.callback(process_groups.end, started[-1])
            while not file.exists():
                sleep(0.02)
        yield str(json.loads(file.read_text(encoding="utf-8"))["address"]), psutil.Process(started[0].pid)


def memory(map_: Map, process: psutil.Process) -> None:
    """Print the memory of the scheduler over many small items, which travel together, and over as many tasks as fit."""
    from fairdeck.lab.runs import cluster as clusters

    for done, _ in enumerate(map_(abs, range(SMALL_ITEMS)), 1):
        if done in (1_000, 10_000, 50_000, SMALL_ITEMS):
            said(f"  scheduler after {done:,} small items, MB", round(process.memory_info().rss / 2**20, 1))
    clusters.TOGETHER, clusters.AHEAD = 1, 32  # type: ignore[attr-defined]
    began, before, own = perf_counter(), process.cpu_times(), process_time()
    for done, _ in enumerate(map_(abs, range(TASKS)), 1):
        if done % (TASKS // 4) == 0:
            said(f"  scheduler after {done:,} tasks, MB", round(process.memory_info().rss / 2**20, 1))
    took, after = perf_counter() - began, process.cpu_times()
    said("  tasks a second", round(TASKS / took))
    said(
        "  scheduler, processor's ms a task",
        round((after.user + after.system - before.user - before.system) / TASKS * 1e3, 3),
    )
    said("  client, processor's ms a task", round((process_time() - own) / TASKS * 1e3, 3))
    clusters.TOGETHER, clusters.AHEAD = 256, 2  # type: ignore[attr-defined]


def overhead() -> None:
    """Print what two workers of a cluster take over what two processes take, in pairs that take turns."""
    walls, busy = [], []
    with farm() as (address, _), cluster(address, alone=0) as workers:
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
    """Print the size of tallies, and how long it takes to pack and to add them."""
    battery = Battery(CARDS)
    blocks = list(Simulated(SHUFFLE, CARDS, 1).blocks([4096] * 512))
    tallies: list[Tally] = []
    for many in (1, 64, 256):
        began = perf_counter()
        tally = battery.tally_all(blocks[:many])
        took = perf_counter() - began
        packed = worker.packed([tally], None, 0.0)
        raw = sum(np.asarray(each).nbytes for each in tally.counts)
        said(
            f"tally of {tally.decks:,} decks: bytes, packed, us a deck",
            (raw, len(packed.packed), took / tally.decks * 1e6),
        )
        tallies.append(tally)
    for what, work in (
        ("merge", lambda: battery.merge(tallies[2], tallies[1])),
        ("pack", lambda: worker.packed([tallies[2]], None, 0.0)),
        ("unpack", lambda: worker.unpacked(packed)),
    ):
        times = []
        for _ in range(7):
            began = perf_counter()
            work()
            times.append(perf_counter() - began)
        said(f"{what} a large tally, ms (median)", round(median(times) * 1e3, 1))
    chunk = [NumberedBlock(SHUFFLE, CARDS, 2**63, 10**6 + at, 4096) for at in range(256)]
    said("a chunk of 2^20 decks, bytes that go out", len(pickle.dumps([chunk], protocol=5)))


def main() -> None:
    """Measure everything."""
    said("Python", sys.version.split()[0])
    if "bytes" in sys.argv[1:] or not sys.argv[1:]:
        bytes_that_travel()
    if "memory" in sys.argv[1:] or not sys.argv[1:]:
        with farm() as (address, scheduler), cluster(address, alone=0) as map_:
            sleep(1)
            memory(map_, scheduler)
    if "overhead" in sys.argv[1:] or not sys.argv[1:]:
        overhead()


if __name__ == "__main__":
    main()
