"""Our kernels compiled for older processors, measured on this one: what shorter vectors cost.

The decks are the same, bit for bit. As a program it measures for the processor that NUMBA_CPU_NAME names, and prints.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass

from bench.peers import contenders, measure
from bench.peers.contenders import Contender

PROCESSORS = {"AVX2": "haswell", "SSE": "x86-64-v2"}  # as LLVM names the first of each


@dataclass(frozen=True)
class Older:
    """Medians of our contenders, compiled for an older processor.

    Attributes:
        code: the vector instructions.
        nanoseconds: by the title of the job and the name of the contender.
    """

    code: str
    nanoseconds: dict[str, dict[str, float]]


def older(cards: Iterable[int], rounds: int) -> list[Older]:
    """Measure in separate processes; nothing if the machine is of another kind, or numba is not installed."""
    if platform.machine() not in ("x86_64", "AMD64") or not contenders.ours("fill"):
        return []
    found = []
    for code, name in PROCESSORS.items():
        with tempfile.TemporaryDirectory() as cache:
            said = os.environ | {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": cache}
            command = [sys.executable, "-m", "bench.peers.older", str(rounds), *map(str, cards)]
            ran = subprocess.run(command, env=said, check=True, stdout=subprocess.PIPE, text=True)
        found.append(Older(code, json.loads(ran.stdout)))
    return found


def _ours(all_of_them: Iterable[Contender]) -> list[Contender]:
    return [each for each in all_of_them if each.ours]


def _main() -> None:
    rounds, *cards = map(int, sys.argv[1:])
    rows = _ours(contenders.rows([]))
    jobs = [measure.rows(rows, each, rounds) for each in cards]
    json.dump({job.title: {each.name: each.median for each in job.measured} for job in jobs}, sys.stdout)


if __name__ == "__main__":
    _main()
