"""Whether a stored run is what its registration gives: all of its decks are made and counted again, and compared."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, fields, replace
from math import isclose
from typing import Any, cast

import numpy as np

from fairdeck.errors import FairdeckError, MissingTool
from fairdeck.lab.blocks import Source
from fairdeck.lab.judging.tally import Tally
from fairdeck.lab.judging.trial import Map, Standing, Trial
from fairdeck.lab.judging.trial import run as trial_portions
from fairdeck.lab.runs.registration import Registration, hash_of_code, hashes
from fairdeck.lab.runs.store import Run
from fairdeck.trust.beacon import NAME, randomness, round_time, written

ALIKE = 1e-9  # floating-point numbers of two machines may differ by so much of themselves
NOUNS = {  # of the fields of a standing
    "tally": "counts",
    "waiting": "counts of an analysis that is still to be made",
    "analysed": "counts in its last analysis",
    "share": "level of its last analysis",
    "found": "counts in the analysis that failed",
    "found_share": "level of the analysis that failed",
    "found_after": "number of decks before these counts",
    "analyses_p": "p-value of its analyses",
    "log_wealth": "gain of its bets",
    "best_bet": "best bet",
    "settled": "verdict",
    "complaint": "complaint about its decks",
}


@dataclass(frozen=True)
class Checked:
    """What a verification found."""

    holds: bool  # whether nothing was found wrong
    first_fault: str  # what is wrong first, in words; empty if nothing is
    checked: int  # the decks counted again
    remarks: tuple[str, ...] = ()  # what a reader should know


def verify(
    run: Run,
    *,
    registered: str = "",
    log: str = "",
    map_: Map = map,
    progress: Callable[[Trial], object] = lambda _trial: None,
) -> Checked:
    """Count a stored run of a known shuffle or of a file, which has ended, again, and compare everything that it says.

    `log` is the path of that file: a store never decides which file is read. `registered` is the digest of the
    registration as it was announced, or empty. `map_` counts the portions, here or elsewhere, in order; `progress` is
    called after each with the trial of the decks counted again. Raises FairdeckError if the decks cannot be made again,
    or the run has not ended.
    """
    asked, registration = run.inquiry, run.registration
    source = _of_file(run, log) if asked.kind == "file" else asked.simulated()
    if not run.ended:
        raise FairdeckError(
            f"the run is not complete ({run.decks:,} of {asked.decks:,} decks): resume it with fairdeck test "
            "--resume DB"
        )
    registration.check_kernels()
    known = examined(registration, registered)
    said = f"only said by the store: when the run began ({run.begun}), and its sessions ({run.sessions:,})"
    fault, remarks = known.first_fault, (said, *known.remarks)
    if fault:
        return Checked(False, fault, 0, remarks)
    again = asked.trial()
    with closing(source):
        for _ in trial_portions(again, source, map_, asked.at_least, go_on=run.decks):
            progress(again)
            if again.decks >= run.decks:
                break
    fault = _difference(run, again)
    return Checked(not fault, fault, again.decks, remarks)


def examined(registration: Registration, announced: str) -> Checked:
    """Check what a registration shows by itself: its digest as it was `announced`, or empty; the beacon in it."""
    remarks, fault = list[str](), ""
    if not announced:
        remarks.append(
            "not compared: the registration; compare its digest with the one that was published before the run, or "
            "write that one with --registered"
        )
    elif announced.lower() != registration.digest:
        fault = f"the run was registered as {registration.digest}, not as {announced}"
    if registration.code != hash_of_code():
        remarks.append(f"the run was counted by fairdeck {registration.version}, whose code differs from this one")
    if found := registration.inquiry.beacon_round:
        what = f"round {found[0]:,} of {NAME}, which the run was registered with"
        try:
            randomness(*found)
            remarks.append(f"registered not before {written(round_time(found[0]))}, when {what}, was published")
        except MissingTool as error:
            remarks.append(f"not checked: {what} ({error})")
        except FairdeckError as error:
            fault = fault or str(error)
    return Checked(not fault, fault, 0, tuple(remarks))


def _of_file(run: Run, log: str) -> Source:
    """Return the file of a run, if it is the one that was registered."""
    asked, registered = run.inquiry, run.registration.files
    if not log:
        raise FairdeckError(f"the run is of the file {asked.what!r}; name your copy of it with --log FILE")
    found = set(hashes("file", log).values())
    if not found:
        raise FairdeckError(f"cannot read {log!r}: no such file, or not a plain one; name your copy of {asked.what!r}")
    if found != set(registered.values()):
        known = ", ".join(registered.values())
        raise FairdeckError(f"{log} is not the file that was registered, whose SHA-256 is {known}")
    return cast(Source, replace(asked, what=log).opened())


def _difference(run: Run, again: Trial) -> str:
    """Return what a run says otherwise than the trial of the same decks; empty if nothing."""
    verdict = again.verdict()
    if again.failed:
        again.settle()
    elif again.announced and again.decks < again.most:
        return f"it ended after {run.decks:,} of the {again.most:,} decks that were announced, without a failure"
    for field in fields(Standing):
        stated, given = (getattr(standing, field.name) for standing in (run.standing, again.standing))
        if not _same(stated, given):
            return f"its registration gives other {NOUNS[field.name]}{_numbers(stated, given)}"
    ended = f"{verdict.outcome}, after {verdict.decks:,} decks"
    return "" if run.ended == ended else f"its registration gives {ended!r}, and the store says {run.ended!r}"


def _same(stated: Any, given: Any) -> bool:
    if isinstance(stated, Tally) and isinstance(given, Tally):
        alike = (stated.decks, stated.seen) == (given.decks, given.seen)
        return alike and all(map(np.array_equal, stated.counts, given.counts))
    if isinstance(stated, tuple) and isinstance(given, tuple):
        return len(stated) == len(given) and all(map(_same, stated, given))
    if isinstance(stated, float) and isinstance(given, float):
        return isclose(stated, given, rel_tol=ALIKE)
    return bool(stated == given)


def _numbers(stated: Any, given: Any) -> str:
    both = isinstance(stated, int | float) and isinstance(given, int | float)
    return f": {given:.3g}, and the store {stated:.3g}" if both else ""
