"""Whether this processor makes the decks that others make, and how fast; ``docs/reference/measured/processors.md``.

Each case is a few decks, ranks or counts with a fixed seed. ``bench/processors.json`` keeps a digest of each.

    python -m bench.processors [WORDS ...]     compare with those digests, and time; writes build/processors.json
    python -m bench.processors --keep NAME     and keep the result under a name, for the page
    python -m bench.processors --older         compare and time the kernels as compiled for older processors; keep that
    python -m bench.processors --digests       print the digests as JSON
    python -m bench.processors --reference     keep the digests of this run: only after a version that changes decks

WORDS choose cases whose titles begin so. The exit code is 1 if a digest differs.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from math import inf
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numba.core.codegen import get_host_cpu_features
from numpy.typing import NDArray

from bench.about import about
from fairdeck import bulk
from fairdeck.bulk import decks, hand_shuffles, kernels
from fairdeck.bulk.batch import Batch, made
from fairdeck.bulk.shapes import BLOCK, COLUMNS_UP_TO, GROUP
from fairdeck.lab.counts import fast
from fairdeck.lab.experiments import packets
from fairdeck.lab.judging.tally import Battery
from fairdeck.packets import find as find_flow

ROOT = Path(__file__).parents[1]
KEPT, HERE = ROOT / "bench" / "processors.json", ROOT / "build" / "processors.json"
PAGE = ROOT / "docs" / "reference" / "measured" / "processors.md"
SEED = 2**70 + 12345
SIZES = (4, 13, 52, 54, 104, 208, 300, 1000)  # cards
FEW = 300  # decks of a case: four groups and a part of one
COUNTED = 1_000  # decks of a case that counts
SHUFFLES = (
    "riffle*7",
    "riffle-clumpy",
    "riffle-neat",
    "casino",
    "thorp + cut",
    "overhand*2 + strip",
    "box(2, 4)",
    "pile-7-random",
    "random-piles-10",
    "shelf-10",
    "wash",
    "top-to-random-n",
    "transpositions-n",
    "transpositions-n-distinct",
    "adjacent-swaps-n",
    "random-to-random-n",
)
FLOWS = ("two-way", "three-way-full", "four-thirds")
OLDER = {  # as LLVM names the first of each, and the last of its features
    "AVX-512 without VBMI2": ("skylake-avx512", "avx512bw"),
    "AVX2": ("haswell", "avx2"),
    "SSE4.2": ("x86-64-v2", "sse4.2"),
    "SSE2": ("x86-64", "sse2"),
}
PAIRS, ROUNDS = 9, 5

Result = NDArray[Any]
Cases = dict[str, Callable[[], Result]]


# --- what is compared


def deck_cases() -> Cases:
    """Return the cases of random decks."""
    found: Cases = {}
    for n in SIZES:
        found[f"permutations, {n} cards"] = partial(bulk.permutations, FEW, n, seed=SEED, first=3)
        found[f"permutations, {n} cards, top 3"] = partial(bulk.permutations, FEW, n, top=3, seed=SEED)
        if n <= COLUMNS_UP_TO:
            found[f"fill_groups, {n} cards"] = partial(_groups, n, fair=True)
            found[f"fill_groups, {n} cards, biased"] = partial(_groups, n, fair=False)
    found["permutations, 5000 cards"] = partial(bulk.permutations, 20, 5000, seed=SEED)
    return found


def hand_cases() -> Cases:
    """Return the cases of decks that hands shuffle, and of packets."""
    found: Cases = {}
    for n in SIZES:
        for name in SHUFFLES:
            for carried in (False, True):
                title = f"{name}, {n} cards" + carried * ", one deck after another"
                found[title] = partial(_by_hand, name, n, carried=carried)
    found = {title: case for title, case in found.items() if _has_moves(*case.args)}  # type: ignore[attr-defined]
    for name in FLOWS:
        for n in (52, 104, 300):
            for minoring in (packets.Minoring(2), packets.Minoring(2, 0.5, 2.0)):
                title = f"packets {name}, {n} cards" + bool(minoring.slip) * ", by eye"
                found[title] = partial(packets.decks, find_flow(name), n, 3, minoring, FEW, SEED)
    return found


def count_cases() -> Cases:
    """Return the cases of counts of the lab: each statistic that has a kernel."""
    return {
        f"count of {name}, {n} cards": partial(_counted, name, n)
        for n in (13, 52, 104)
        for name in sorted(Battery(n).names & set(fast()))
    }


def cases() -> Cases:
    """Return all cases."""
    return deck_cases() | hand_cases() | count_cases()


def _groups(n: int, *, fair: bool) -> Result:
    out = np.empty((-(-FEW // GROUP), n, GROUP), np.uint8)
    decks.fill_groups(out, SEED, fair=fair)
    return out


def _has_moves(name: str, n: int) -> bool:
    small = hand_shuffles.program(name, n) is not None
    return small or hand_shuffles.made_large(name, n, SEED, 3, 0) is not None


def _by_hand(name: str, n: int, *, carried: bool) -> Result:
    program = hand_shuffles.program(name, n)
    if program is None:
        large = hand_shuffles.made_large(name, n, SEED, 3, FEW // 10, carried=carried)
        assert large is not None
        return large
    return hand_shuffles.made(program, n, SEED, 3, FEW, carried=carried).rows


@cache
def _batch(n: int, many: int) -> Batch:
    batch = made(n, SEED, 0, many)
    return Batch(batch.groups, batch.decks, first=0)


def _counted(name: str, n: int) -> Result:
    return fast()[name](_batch(n, COUNTED))


def digest(found: Result) -> str:
    """Return the first 64 bits of the SHA-256 of an array: its type, its shape and its numbers, lowest byte first."""
    plain = np.ascontiguousarray(found).astype(found.dtype.newbyteorder("<"))
    return sha256(f"{found.dtype.kind}{found.itemsize} {found.shape} ".encode() + plain.tobytes()).hexdigest()[:16]


def digests(chosen: Cases, *, progress: bool = False) -> dict[str, str]:
    """Return the digest of each case; with `progress`, say on stderr where it is, if that is a terminal."""
    found = {}
    told = progress and sys.stderr.isatty()
    for number, (title, case) in enumerate(chosen.items()):
        if told:
            print(f"\r\x1b[K{number + 1}/{len(chosen)} {title}", end="", file=sys.stderr, flush=True)
        found[title] = digest(case())
    if told:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    return found


def differing(found: Mapping[str, str], kept: Mapping[str, str]) -> list[str]:
    """Return the titles of digests that are not the same, or that one side lacks."""
    return sorted(title for title in found.keys() | kept.keys() if found.get(title) != kept.get(title))


# --- what is timed


@dataclass(frozen=True)
class Job:
    """Something to time: `run` makes `many` of them."""

    run: Callable[[], object]
    many: int


def jobs() -> dict[str, Job]:
    """Return what is timed, by its title; each takes some milliseconds on a fast processor."""
    found = {}
    for n, many in ((20, 64 * BLOCK), (52, 32 * BLOCK), (104, 16 * BLOCK), (300, 4 * BLOCK), (1000, 2 * BLOCK)):
        out = np.empty((many, n), np.uint8 if n <= 256 else np.uint16)
        found[f"a deck of {n} cards"] = Job(partial(decks.fill, out, SEED), many)
    for name in ("riffle*7", "overhand*2 + strip", "wash"):
        program = hand_shuffles.program(name, 52)
        assert program is not None
        found[f"{name}, 52 cards"] = Job(partial(hand_shuffles.made, program, 52, SEED, 0, 8 * BLOCK), 8 * BLOCK)
    flow = find_flow("two-way")
    found["two-way, 104 cards"] = Job(
        partial(packets.decks, flow, 104, 3, packets.Minoring(2), 4 * BLOCK, SEED), 4 * BLOCK
    )
    names = sorted(Battery(52).names & set(fast()))
    found["all counts of the lab, 52 cards"] = Job(partial(_count_all, names), BLOCK)
    return found


def _count_all(names: Iterable[str]) -> None:
    whole = _batch(52, BLOCK)
    batch = Batch(whole.groups, whole.decks, first=0)  # a new one: it keeps what was derived from it
    for name in names:
        fast()[name](batch)


def timed(job: Job) -> float:
    """Return nanoseconds of the processor for each of those that a job makes: the least of a few rounds."""
    least = inf
    for _ in range(ROUNDS):
        begun = process_time()  # not the time on the wall: other programs may hold the processor
        job.run()
        least = min(least, process_time() - begun)
    return least / job.many * 1e9


# --- other processors than this one


class Older(NamedTuple):
    """How kernels compiled for an older processor ran on this one: digests, and times the native time by job."""

    digests: dict[str, str]
    ratios: dict[str, float]


@contextmanager
def _settings(name: str | None) -> Iterator[dict[str, str]]:
    """Give the environment in which numba compiles for a processor; without a name, for this one."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_CPU")}
    if name is None:
        yield plain
        return
    with tempfile.TemporaryDirectory() as cache_folder:
        yield plain | {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": cache_folder}


def _worker(environment: Mapping[str, str]) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "bench.processors", "--worker"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True, bufsize=1, cwd=ROOT)


def _asked(worker: "subprocess.Popen[str]", title: str) -> Any:
    assert worker.stdin
    assert worker.stdout
    print(title, file=worker.stdin, flush=True)
    return json.loads(worker.stdout.readline())


def _answer() -> None:
    known = jobs()
    for line in sys.stdin:
        title = line.strip()
        found = timed(known[title]) if title else digests(cases())
        print(json.dumps(found), flush=True)


def older() -> dict[str, Older]:
    """Compare and time the kernels compiled for older processors, each time beside the kernels for this one.

    Other programs disturb all figures; those of two runs one after the other suffer alike, so their ratio is kept.
    """
    found = {}
    here = get_host_cpu_features().split(",")
    for code, (name, needed) in OLDER.items():
        if f"+{needed}" not in here:
            print(f"{code}: left out, this processor has no {needed}", file=sys.stderr)
            continue
        print(f"{code} ({name}) ...", file=sys.stderr, flush=True)
        with ExitStack() as opened:
            own, other = (opened.enter_context(_worker(opened.enter_context(_settings(each)))) for each in (None, name))
            compared, ratios = _asked(other, ""), {}
            for title in jobs():
                pairs = [(_asked(own, title), _asked(other, title)) for _ in range(PAIRS + 1)][1:]
                ratios[title] = round(median(slow / quick for quick, slow in pairs), 3)
            for worker in (own, other):
                assert worker.stdin
                worker.stdin.close()
        found[code] = Older(compared, ratios)
    return found


# --- what is written


def _kept() -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return kept


def _write(kept: Mapping[str, Any]) -> None:
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(kept), encoding="utf-8")


def _kind() -> dict[str, str | int | bool]:
    from importlib.metadata import version

    return about() | {
        "kind": platform.machine(),
        "system": platform.system(),
        "numba": version("numba"),
        "rows": kernels.ROWS,
        "expands": kernels.EXPANDS,
    }


def page(kept: Mapping[str, Any]) -> str:
    """Return the page about a file of results."""
    compiled: Mapping[str, Any] = kept["older"]
    titles = next(iter(compiled.values()))["ratios"] if compiled else ()
    runs = [
        f"| {name} | {run['cases']} | {run['differ']} | {run['about']['system']}, numba {run['about']['numba']} |"
        for name, run in kept["runs"].items()
    ]
    runs += [
        f"| {code} | {each['cases']} | {each['differ']} | compiled for `{OLDER[code][0]}`, run on the x86 machine |"
        for code, each in compiled.items()
    ]
    ratios = [
        f"| {title} | " + " | ".join(f"{each['ratios'][title]:.2f}" for each in compiled.values()) + " |"
        for title in titles
    ]
    return PROSE.format(
        many=len(kept["digests"]),
        pairs=PAIRS,
        rounds=ROUNDS,
        runs="\n".join(runs),
        codes=" | ".join(compiled),
        line="---:|" * len(compiled),
        ratios="\n".join(ratios),
    )


PROSE = """# The same decks on every processor

`make processors` compares the kernels on your machine with `bench/processors.json`, and prints their times. It takes
a minute or two, most of it to compile. A difference would be a fault: please report it.

It compares the digests of {many} cases with fixed seeds: decks of 4 to 5,000 cards (whole decks and top cards), long
arrays (also with ChaCha20, and in piles), ranks, hand shuffles, packets, and each count of the lab that has a kernel.
`make test` compares a part of them on every machine where it runs.

## What was run

| processor | cases | differ | remarks |
|---|---:|---:|---|
{runs}

The core needs no kernels. It is plain Python, and JavaScript on the page; the tests compare these two.

## How fast

How many times as long the same work takes with kernels for an older processor, on the same machine, one thread. They
and the kernels for this processor ran in turn, {pairs} pairs; the table shows the median of the ratios. A time is that
of the processor, the least of {rounds} rounds. The machine is virtual and shares its processor with others, so these
are coarse figures: differences of a quarter say little, and long arrays also depend on where their memory lies.
[The speed of shuffling](kernels.md#on-processors-with-shorter-vectors) has nanoseconds, measured at another time.

| time for | {codes} |
|---|{line}
{ratios}

## ARM

QEMU emulated an ARM processor of 64 bits (aarch64), because no real one was at hand. An emulator shows that the decks
are equal, but not how fast a real processor is. ARM's vectors (NEON) are sixteen bytes wide like those of SSE, but
there are 32 registers of them, not sixteen. So the kernels keep four rows of cards in registers there, as with AVX2.
Then the inner loop has 15.2 instructions for each row of 64 decks; with two rows, as with SSE, it has 17.5. With five
rows, the compiler moves registers to the stack.

## Not tried

A real ARM processor, such as Apple's: so there are no times for ARM. Also not tried: ARM's longer vectors (SVE),
processors of 32 bits, RISC-V, POWER, and processors with the highest byte first.
"""


def _main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.processors")
    parser.add_argument("words", nargs="*", metavar="WORDS", help="only the cases whose titles begin so; all")
    parser.add_argument("--keep", metavar="NAME", help="keep the result under a name, for the page")
    parser.add_argument("--untimed", action="store_true", help="only compare: an emulator's times say nothing")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--older", action="store_true", help="compare and time kernels for older x86 processors")
    what.add_argument("--digests", action="store_true", help="print the digests as JSON, and compare nothing")
    what.add_argument("--reference", action="store_true", help="keep the digests of this run to compare with")
    what.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.worker:
        _answer()
        return 0
    if options.older and platform.machine() not in ("x86_64", "AMD64"):
        parser.error(f"--older needs an x86 processor; this one is {platform.machine()}")
    kept = {"digests": {}, "runs": {}, "older": {}} | (_kept() if KEPT.exists() else {})
    if options.older:
        return _compare_older()
    begins = tuple(options.words) or ("",)
    own = digests({title: case for title, case in cases().items() if title.startswith(begins)}, progress=True)
    if not own:
        parser.error(f"no case begins with {' or '.join(begins)}; titles are in {KEPT.relative_to(ROOT)}")
    if options.digests:
        json.dump(own, sys.stdout, indent=1)
        return 0
    if options.reference:
        _write(kept | {"digests": kept["digests"] | own})
        return 0
    return _compare(own, begins, kept, options.keep, timing=not options.untimed)


def _compare_older() -> int:
    found, kept = older(), _kept()
    differ = {code: differing(each.digests, kept["digests"]) for code, each in found.items()}
    kept["older"] = {
        code: {"cases": len(each.digests), "differ": len(differ[code]), "ratios": each.ratios}
        for code, each in found.items()
    }
    _write(kept)
    return _said(f"{code}: {title}" for code, titles in differ.items() for title in titles)


def _compare(
    own: Mapping[str, str], begins: tuple[str, ...], kept: dict[str, Any], name: str | None, *, timing: bool
) -> int:
    expected = {title: each for title, each in kept["digests"].items() if title.startswith(begins)}
    different = differing(own, expected)
    nanoseconds = {title: round(timed(job), 2) for title, job in jobs().items() if timing}
    HERE.parent.mkdir(exist_ok=True)
    here = {"about": _kind(), "digests": own, "nanoseconds": nanoseconds}
    HERE.write_text(json.dumps(here, indent=1) + "\n", encoding="utf-8")
    if name:
        kept["runs"][name] = {"about": _kind(), "cases": len(own), "differ": len(different)}
        _write(kept)
    for title, took in nanoseconds.items():
        print(f"{took:12,.2f} ns  {title}")
    return _said(different)


def _said(different: Iterable[str]) -> int:
    titles = list(different)
    for title in titles:
        print(f"differs: {title}")
    print(f"digests that differ: {len(titles)}" if titles else "all digests are equal")
    return bool(titles)


if __name__ == "__main__":
    sys.exit(_main())
