"""A run whose decks are counted on several machines that know nothing of each other, and the merging of their stores.

Share 2/4 of a run counts every fourth portion, from the second on, and judges nothing. Once all shares are merged, the
total is judged once, at the announced number of decks, by the share of the level of that analysis: the interim analyses
and the bets are lost, and nothing else.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise, tee
from pathlib import Path
from time import monotonic

from fairdeck.errors import FairdeckError
from fairdeck.lab.judging.tally import portions
from fairdeck.lab.judging.trial import Map, Standing
from fairdeck.lab.runs.keeping import EVERY, trial_of
from fairdeck.lab.runs.registration import Registration
from fairdeck.lab.runs.store import Range, Run, Store, sealed
from fairdeck.lab.runs.times import now
from fairdeck.lab.sources.simulated import NumberedBlock, Simulated

MOST_SHARES = 10_000
SHARE = re.compile("([0-9]{1,9})/([0-9]{1,9})")  # a longer number would take long, or be refused by Python


@dataclass(frozen=True)
class Piece:
    """A portion of a run: successive blocks, and the decks before them."""

    first: int
    before: int
    sizes: Sequence[int]

    def blocks(self, registered: Registration) -> list[NumberedBlock]:
        """Return the blocks, which are made where they are counted."""
        return list(simulated(registered).blocks(self.sizes, self.first))


NAMES = {"monitor": "watched log"}  # what a message calls a kind of run


def simulated(registered: Registration) -> Simulated:
    """Return the source of a run whose blocks can be made anywhere, again and again.

    Raises:
        FairdeckError: its decks exist only once.
    """
    if registered.kind != "known":
        raise FairdeckError(
            f"the decks of {registered.what}, a {NAMES.get(registered.kind, registered.kind)}, cannot be made again, "
            "so they can neither be verified nor counted in shares; name a known shuffle (see: fairdeck shuffles)"
        )
    return Simulated(registered.what, registered.cards, int(registered.seed, 16), registered.start == "carried")


def share_of(text: str) -> tuple[int, int]:
    """Return which share it is, and of how many.

    >>> share_of("2/4")
    (2, 4)
    """
    match = SHARE.fullmatch(text)
    which, of = map(int, match.groups()) if match else (0, 0)
    if not 1 <= which <= of <= MOST_SHARES:
        raise FairdeckError(f"share: {text[:40]!r} is not a share; write which one of how many, such as 2/4")
    return which, of


def pieces(run: Run, have: Sequence[Range]) -> Iterator[Piece]:
    """Yield the portions of a share that are not counted yet."""
    which, of = share_of(run.share)
    counted = {each.first for each in have}
    first = before = 0
    for number, sizes in enumerate(portions(run.registration.cards, run.registration.decks), 1):
        if (number - which) % of == 0 and first not in counted:
            yield Piece(first, before, sizes)
        first, before = first + len(sizes), before + sum(sizes)


def count(store: Store, run: Run, map_: Map, progress: Callable[[int], object] = lambda _decks: None) -> Run:
    """Count a share of a run, from where it stands, and commit every ten seconds or so; return it as it is then.

    Raises:
        FairdeckError: the store cannot be written, or another process counts the same share.
        KeyboardInterrupt: what was counted is committed first.
    """
    registered = run.registration
    battery = registered.battery
    simulated(registered)
    run = store.commit(replace(run, sessions=run.sessions + 1))
    coming, asked = tee(pieces(run, store.ranges(run.number)))
    new: list[Range] = []
    until = monotonic() + EVERY
    try:
        for piece, tally in zip(
            coming, map_(battery.tally_all, (each.blocks(registered) for each in asked)), strict=True
        ):
            made = sealed(battery, tally, piece.first, len(piece.sizes), piece.before)
            total = battery.merge(run.standing.tally, tally) if run.standing.tally else tally
            run = replace(run, standing=Standing(total))
            new.append(made)
            progress(run.decks)
            if monotonic() >= until:
                run, new, until = store.commit(run, new), [], monotonic() + EVERY
        return store.commit(replace(run, ended=f"share {run.share} is counted"), new)
    except KeyboardInterrupt:
        if sum(each.decks for each in new) + _stored(store, run) == run.decks:
            store.commit(run, new)
        raise


def _stored(store: Store, run: Run) -> int:
    return sum(each.decks for each in store.ranges(run.number))


def merge(paths: Sequence[Path], into: Path) -> Run:
    """Add up the runs in some stores, one in each, and store the result; when it is complete, judge it.

    Raises:
        FairdeckError: they are not parts of one run, or overlap, or one is still in the middle of a range.
    """
    if into.exists():
        raise FairdeckError(f"{into} exists: name a new file for the merged run")
    runs, ranges = list[Run](), list[Range]()
    for path in paths:
        with Store(path) as store:
            run = store.only(None)
            _check(path, run, runs[0] if runs else run)
            runs.append(run)
            ranges += store.ranges(run.number)
    ranges.sort(key=lambda each: each.before)
    for one, other in pairwise(ranges):
        if other.before < one.before + one.decks:
            raise FairdeckError(f"deck {other.before + 1:,} was counted in two of these stores: leave one of them out")
    registered = runs[0].registration
    total = reduce(registered.battery.merge, (run.standing.tally for run in runs if run.standing.tally))
    with Store(into, create=True) as store:
        begun = store.begin(registered, min(run.begun for run in runs), "merged")
        merged = replace(begun, standing=Standing(total), sessions=sum(run.sessions for run in runs))
        if total.decks == registered.decks:
            trial = trial_of(begun)
            trial.add(total)
            ended = f"{trial.verdict().outcome}, after {total.decks:,} decks"
            merged = replace(merged, standing=trial.standing, ended=ended)
        return store.commit(merged, ranges)


def _check(path: Path, run: Run, first: Run) -> None:
    if differs := first.registration.differs(run.registration):
        raise FairdeckError(f"{path} holds another run ({differs}): only parts of one registered run can be merged")
    if not run.registration.announced or run.registration.kind != "known":
        raise FairdeckError(f"{path}: its decks have no numbers, so it cannot be told whether they were counted twice")
    if not run.share or run.open or not run.standing.tally:
        raise FairdeckError(f"{path} holds a run that was not counted as a share (--share): it cannot be merged")


def missing(run: Run, ranges: Sequence[Range]) -> list[tuple[int, int]]:
    """Return the gaps in a merged run, each by its first and last deck, counted from 1."""
    gaps, done = [], 0
    for each in sorted(ranges, key=lambda each: each.before):
        if each.before > done:
            gaps.append((done + 1, each.before))
        done = each.before + each.decks
    return gaps + ([(done + 1, run.registration.decks)] if done < run.registration.decks else [])


def begin(store: Store, registered: Registration, share: str) -> Run:
    """Register a share of a run in a store that holds nothing else, or return the same share, to go on with it."""
    share_of(share)
    simulated(registered)
    if not store.numbers():
        return store.begin(registered, now(), share)
    run = store.only(None)
    if differs := run.registration.differs(registered):
        raise FairdeckError(
            f"{store.path} holds another run ({differs}): a share has a store of its own; name a new file"
        )
    if run.share != share or run.ended:
        raise FairdeckError(f"{store.path} is taken ({run.ended or f'share {run.share}, not ended'}): name a new file")
    return run
