"""Our kernels, compiled as for older processors of this kind, on this one: what is lost where vectors are shorter.

The decks are the same, bit for bit. Run as a program it measures as what NUMBA_CPU_NAME says, and prints.
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

PROCESSORS = {"AVX2": "haswell", "SSE": "x86-64-v2"}  # as LLVM names the first that had them


@dataclass(frozen=True)
class Older:
    """Medians of ours as code for an older processor.

    Attributes:
        code: what vectors are made with.
        nanoseconds: by the title of the job and the name of the contender.
    """

    code: str
    nanoseconds: dict[str, dict[str, float]]


def older(cards: Iterable[int], rounds: int) -> list[Older]:
    """Measure in processes of their own; nothing where the machine is of another kind, or numba is not here."""
    if platform.machine() not in ("x86_64", "AMD64") or not contenders.ours("kernels", "fill"):
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
    jobs.append(measure.histogram(_ours(contenders.histograms([])), rounds))
    json.dump({job.title: {each.name: each.median for each in job.measured} for job in jobs}, sys.stdout)


if __name__ == "__main__":
    _main()
