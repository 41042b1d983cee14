"""How often the cause of a planted fault is named, and how often it is certain; a certain one is never wrong.

Writes ``docs/reference/measured/causes.md``. The faults are those of ``tests/planted.py``, some two hundred, each made
anew; those for which no words are right show that nothing is named that is not there.

    python -m bench.causes          all: writes bench/causes.json and the page
    python -m bench.causes WORD ... only the faults whose names have one of these words; writes nothing
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any
from zlib import crc32

import numpy as np

from bench.about import about, said
from fairdeck.lab.blocks import Block
from fairdeck.lab.causes import Sample
from fairdeck.lab.causes.search import causes_of
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.judging.verdict import weigh

ROOT = Path(__file__).parents[1]
RESULTS, PAGE = ROOT / "bench" / "causes.json", ROOT / "docs" / "reference" / "measured" / "causes.md"
PLANTED: Any = import_module("tests.planted")
COUNTED = 512  # decks until a verdict
SEED = 1  # the tests use another


@dataclass(frozen=True)
class Row:
    """What was said of one fault."""

    kind: str
    name: str
    known: bool  # whether any words about it are right
    named: bool  # whether a cause had these words
    certain: bool  # whether a cause was certain
    wrong: bool  # whether a certain cause had other words
    seconds: float  # of the processor, for the search


def row(kind: str, fault: Any) -> Row:
    """Return what is said of a fault that is made anew."""
    rng = np.random.default_rng([SEED, crc32(fault.name.encode())])
    decks = np.asarray(fault.make(fault.cards, fault.decks, rng), np.int16)
    battery = Battery(fault.cards)
    tally = battery.tally(Block(decks[:COUNTED], decks[:0], 0))
    weighed = weigh(battery, tally)  # as the verdict did
    began = thread_time()
    found = causes_of(Sample(Block(decks, decks[:0], 0), battery, tally, weighed))
    seconds = thread_time() - began
    right = [bool(re.search(fault.right, cause.words)) for cause in found]
    certain = [cause.certain for cause in found]
    wrong = any(sure and not hit for sure, hit in zip(certain, right, strict=True))
    return Row(kind, fault.name, fault.right != PLANTED.NEVER, any(right), any(certain), wrong, round(seconds, 2))


def rows(words: Sequence[str]) -> Iterator[Row]:
    """Yield the faults whose names have one of these words, or all."""
    for kind in PLANTED.KINDS:
        for fault in kind():
            if not words or any(word in fault.name for word in words):
                made = row(kind.__name__.strip("_").replace("_", " "), fault)
                print(made, flush=True)
                yield made


def page(results: dict[str, Any]) -> str:
    """Return the page: a row for each kind of faults."""
    every = [Row(**each) for each in results["rows"]]
    known = [each for each in every if each.known]
    seconds = [each.seconds for each in every]
    lines = [
        "# Causes of planted faults",
        "",
        f"`python -m bench.causes` wrote this page: {said(results)}. Each fault was planted once,",
        "in 20 to 4,096 decks of mostly 52 cards. *Named*: one of the causes told is the right one. *Certain*: the",
        "report states it. Faults without a name, fair decks among them, show what is said where nothing is right.",
        "",
        f"**Of {len(known)} faults with a name, {sum(each.named for each in known)} were named, "
        f"{sum(each.named and each.certain for each in known)} with certainty. Of all {len(every)}, "
        f"{sum(each.wrong for each in every)} had a certain cause that was wrong.**",
        f"The search took {median(seconds):.2f} s of processor time in the median, {max(seconds):.1f} s at most.",
        "",
        "| faults | with a name | named | certain | without a name | certain and wrong |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for kind in dict.fromkeys(each.kind for each in every):
        own = [each for each in every if each.kind == kind]
        named = [each for each in own if each.known]
        lines.append(
            f"| {kind} | {len(named)} | {sum(each.named for each in named)} | "
            f"{sum(each.named and each.certain for each in named)} | {len(own) - len(named)} | "
            f"{sum(each.wrong for each in own)} |"
        )
    missed = [f"{each.name}" for each in known if not each.named]
    return "\n".join([*lines, "", f"Not named: {'; '.join(missed) or 'none'}."]) + "\n"


def main() -> None:
    """Search for the causes of the faults that are named, or of all."""
    found = list(rows(sys.argv[1:]))
    if len(sys.argv) == 1:
        RESULTS.write_text(json.dumps({**about(), "rows": [asdict(each) for each in found]}, indent=1) + "\n")
        PAGE.write_text(page(json.loads(RESULTS.read_text())))


if __name__ == "__main__":
    main()
