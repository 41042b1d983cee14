"""After how many decks other tests find faulty shuffles, beside `fairdeck test`, and the processor time they take.

Writes ``bench/rivals.json`` and ``docs/reference/measured/rivals.md``. PractRand has no package: its program
RNG_test takes part if it is on the PATH.

python -m bench.rivals            install the other tests into build/rivals, and run everything (half an hour)
python -m bench.rivals NAME ...   only these shuffles; the others, and the times, stay as they were
"""

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from multiprocessing import Pool
from statistics import median
from typing import Any

import numpy as np

from bench.about import about
from bench.rivals.contenders import CONTENDERS, HERE, Contender, fair_decks
from bench.rivals.page import FAIRDECK, LOOKS, ONE_SEED_FROM, PAGE, RESULTS, SHUFFLES, TIMED, Found, Row, page
from fairdeck.lab.blocks import Decks
from fairdeck.lab.judging.tally import Battery, block_sizes
from fairdeck.lab.judging.trial import Trial
from fairdeck.lab.sources.simulated import Simulated

LEVEL = 1e-6
SEEDS = (1, 2, 3)
WORKERS = 3


def by_fairdeck(name: str, cards: int, seed: int, most: int) -> int | None:
    """Return the look at which `fairdeck test` has failed a shuffle; None if it has not."""
    trial = Trial(Battery(cards), most, LEVEL)
    for block in Simulated(name, cards, seed).blocks(block_sizes(cards, most)):
        trial.add(trial.battery.tally(block))
        if trial.failed:
            return next(look for look in LOOKS if look >= trial.decks)
    return None


def by_contender(contender: Contender, decks: Decks) -> int | None:
    """Return the look at which the smallest p-value, corrected for all tests and looks, is at most the level."""
    for look in (look for look in LOOKS if look <= min(len(decks), contender.most)):
        p_values = contender.p_values(decks[:look])
        if p_values and min(p_values) * len(p_values) * len(LOOKS) <= LEVEL:
            return look
    return None


def decks_of(name: str, cards: int, seed: int, most: int) -> Decks:
    """Return the decks that `by_fairdeck` sees."""
    return np.concatenate([block.decks for block in Simulated(name, cards, seed).blocks(block_sizes(cards, most))])


def several(find: Callable[[int, int], int | None]) -> Found:
    """Return what the first seed finds, or the median of all seeds if that is within `ONE_SEED_FROM` decks."""
    first = find(SEEDS[0], LOOKS[-1])
    if first is None or first > ONE_SEED_FROM:
        return Found(decks=first, seeds=1)
    all_seeds = [first, *(find(seed, ONE_SEED_FROM) or LOOKS[-1] for seed in SEEDS[1:])]
    return Found(decks=int(median(all_seeds)), seeds=len(SEEDS))


def row(name: str) -> Row:
    """Return what each finds of the shuffle called `name`."""
    cards = SHUFFLES[name]
    decks = {seed: decks_of(name, cards, seed, LOOKS[-1] if seed == SEEDS[0] else ONE_SEED_FROM) for seed in SEEDS}
    found = {FAIRDECK: several(partial(by_fairdeck, name, cards))}
    for each in CONTENDERS:
        if each.version():

            def find(seed: int, most: int, contender: Contender = each) -> int | None:
                return by_contender(contender, decks[seed][:most])

            found[each.name] = several(find)
            print(name, each.name, found[each.name], file=sys.stderr, flush=True)
    return Row(name=name, cards=cards, found=found)


def times() -> dict[str, float]:
    """Return the seconds of processor time, of child processes too, that `TIMED` fair decks take in one look."""
    decks = fair_decks(TIMED, 52, 2)
    spent = {FAIRDECK: _seconds(lambda: by_fairdeck("numpy-permutation", 52, 2, TIMED))}
    return spent | {each.name: _seconds(partial(each.p_values, decks)) for each in CONTENDERS if each.version()}


def _seconds(work: Callable[[], object]) -> float:
    work()
    before = _spent()
    work()
    return round(_spent() - before, 3)


def _spent() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in usages)


def main(asked: list[str]) -> None:
    """Run, and write what was found; only named shuffles are replaced in the results."""
    subprocess.run(["sh", str(HERE / "install.sh"), sys.executable], check=True)
    before: dict[str, Any] = (
        json.loads(RESULTS.read_text(encoding="utf-8")) if asked else {"rows": [], "seconds": times()}
    )
    rows: dict[str, Row] = {each["name"]: each for each in before.get("rows", [])}
    versions = {each.name: each.version() for each in CONTENDERS}
    with Pool(WORKERS) as pool:
        for found in pool.imap(row, asked or list(SHUFFLES)):
            rows[found["name"]] = found
            ordered = [rows[name] for name in SHUFFLES if name in rows]
            results = {"about": about(), "versions": versions, "seconds": before["seconds"], "rows": ordered}
            RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(results), encoding="utf-8")


if __name__ == "__main__":
    from bench.rivals import __main__ as rivals  # workers cannot load functions of a module that is called __main__

    rivals.main(sys.argv[1:])
