"""Whether a stored run holds together, and whether ranges of it that nobody could choose are counted again the same."""

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import islice

import numpy as np

from fairdeck.errors import FairdeckError
from fairdeck.lab.inquiry import Inquiry
from fairdeck.lab.judging.tally import Battery, Tally, block_sizes
from fairdeck.lab.judging.trial import Trial
from fairdeck.lab.runs import sums, tallies
from fairdeck.lab.runs.identity import hash_of_code
from fairdeck.lab.runs.store import Range, Run, sealed
from fairdeck.lab.sources.simulated import NumberedBlock
from fairdeck.lab.statistics.repeats import Repeats
from fairdeck.lab.statistics.sums import Sum

SURE = 0.95  # the chance to notice, for which a share of forged ranges is told
SUM_BYTES = 4 * 2 * sums.DEGREE


@dataclass(frozen=True)
class Checked:
    """What a verification found.

    Attributes:
        holds: whether nothing was found wrong.
        first_fault: what is wrong first, in words; empty if nothing is.
        checked: the ranges counted again.
        ranges: all ranges.
        decks: the decks counted again.
        would_notice: the share of all decks: if forged ranges had so many, it would have been noticed with chance
            `SURE`; 0 if all ranges were counted again, and 1 if none.
        chosen_by: what chose the ranges: a beacon's value, or bytes of the operating system, as text.
        remarks: what a reader should know.
    """

    holds: bool
    first_fault: str
    checked: int
    ranges: int
    decks: int
    would_notice: float
    chosen_by: str
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Piece:
    """Successive blocks of a run, to be counted again.

    Attributes:
        first: the number of the first block.
        sizes: the decks of each block.
    """

    first: int
    sizes: Sequence[int]

    def blocks(self, asked: Inquiry) -> list[NumberedBlock]:
        """Return the blocks, which are made where they are counted."""
        return list(asked.simulated().blocks(self.sizes, self.first))


def verify(
    run: Run,
    ranges: Sequence[Range],
    *,
    sample: int = 60,
    beacon: str | None = None,
    root: str = "",
    registered: str = "",
    p_value: float | None = None,
    map_: Callable[[Callable[[Piece], Tally], Iterable[Piece]], Iterable[Tally]] = map,
    progress: Callable[[int, int], object] = lambda _done, _of: None,
) -> Checked:
    """Check a stored run.

    Args:
        run: the run, which has ended.
        ranges: its ranges.
        sample: how many ranges are counted again; all if there are not more.
        beacon: a public value that nobody knew when the run ended; it chooses the ranges, so that everybody checks the
            same. None: bytes of the operating system choose.
        root: of the Merkle tree, as a report states it; empty if it is not known.
        registered: the digest of the registration, as it was announced; empty if it is not known.
        p_value: that a report states; None if there is no report.
        map_: counts the ranges, here or elsewhere, in order.
        progress: is called with the number of ranges counted and all that are chosen.
    """
    chosen_by = beacon if beacon is not None else os.urandom(16).hex()
    own_root = tallies.root([each.leaf for each in ranges])
    chosen = choose(len(ranges), sample, own_root + chosen_by.encode(errors="surrogatepass"))
    if sample:
        run.registration.check_kernels()
    fault = next(_faults(run, ranges, root, registered, p_value), "")
    checked = decks = 0
    part: Tally | None = None  # everything counted again
    if not fault:
        taken = [ranges[at] for at in chosen]
        for each, again in zip(taken, map_(partial(recount, run.inquiry), _pieces(run, taken)), strict=True):
            fault = _differs(run, each, again)
            part = run.inquiry.battery.merge(part, again) if part else again
            checked, decks = checked + 1, decks + each.decks
            progress(checked, len(taken))
            if fault:
                break
    if part and not fault:
        fault = _differs_in_all(run, part)
    remarks = [] if fault else [unchecked(run)]
    if not fault and not registered:
        remarks.append(
            "not compared: the registration; compare its digest with the one that was published before the run, or "
            "write that one with --registered"
        )
    if run.registration.code != hash_of_code():
        remarks.append(f"the run was counted by fairdeck {run.registration.version}, whose code differs from this one")
    if beacon is not None and sample:
        remarks.append(
            f"anybody who knew the value of the beacon before the root {own_root.hex()} was published could choose the "
            "ranges"
        )
    if not fault and run.trial().failed and not _shows_failure(run):
        remarks.append("the run states a failure that its counts, of later decks as well, do not show")
    return Checked(
        holds=not fault,
        first_fault=fault,
        checked=checked,
        ranges=len(ranges),
        decks=decks,
        would_notice=noticed(checked, [each.decks for each in ranges]),
        chosen_by=chosen_by,
        remarks=tuple(remarks),
    )


def noticed(checked: int, decks: Sequence[int]) -> float:
    """Return a share of all decks: if forged ranges have it, one of them is among those checked, with chance `SURE`.

    Args:
        checked: how many ranges were checked, all equally likely.
        decks: of each range. A forger would forge the largest.

    >>> round(noticed(60, [1] * 10_000), 3), noticed(12, [1] * 12), noticed(0, [1] * 5), noticed(8, [91, *[1] * 9])
    (0.049, 0.0, 1.0, 0.92)
    """
    ranges = len(decks)
    if checked >= ranges:
        return 0.0
    missed, forged = 1.0, 0
    while forged < ranges and missed > 1 - SURE:
        # One more is forged: the chance that it is not among those checked either.
        missed *= max(0, ranges - checked - forged) / (ranges - forged)
        forged += 1
    return sum(sorted(decks)[-forged:]) / sum(decks) if missed <= 1 - SURE else 1.0


def unchecked(run: Run) -> str:
    """Return what a store says that nothing in it can show, and nobody can compute again from its counts."""
    failure = ", and the p-value of its failure" if run.trial().failed else ""
    return (
        f"not checked, only said by the store: when the run began ({run.begun}), its sessions ({run.sessions:,}), its "
        f"bets, its interim analyses before the last one{failure}"
    )


def choose(ranges: int, sample: int, value: bytes) -> list[int]:
    """Return which ranges are counted again: the first different ones that a stream of hashes names.

    Numbers that would favour some ranges are left out (rejection).
    """
    if sample >= ranges:
        return list(range(ranges))
    limit = 2**64 - 2**64 % ranges
    numbers = (int.from_bytes(hashlib.sha256(value + at.to_bytes(8, "big")).digest()[:8], "big") for at in range(2**62))
    chosen: dict[int, None] = {}
    for number in numbers:
        if len(chosen) == sample:
            break
        if number < limit:
            chosen[number % ranges] = None
    return sorted(chosen)


def recount(asked: Inquiry, piece: Piece) -> Tally:
    """Return the tally of a range, counted again."""
    return asked.battery.tally_all(piece.blocks(asked))


def _faults(run: Run, ranges: Sequence[Range], root: str, registered: str, p_value: float | None) -> Iterator[str]:
    """Yield what does not fit together, without counting anything again."""
    if registered and registered.lower() != run.registration.digest:
        yield f"the run was registered as {run.registration.digest}, not as {registered}"
    if root and root.lower() != (own_root := tallies.root([each.leaf for each in ranges]).hex()):
        yield f"the root of its ranges is {own_root}, not {root}"
    run.inquiry.simulated()
    total = run.standing.tally
    if total is None or not ranges:
        raise FairdeckError("nothing is counted yet, so there is nothing to verify")
    if not run.ended:
        raise FairdeckError(
            f"the run is not complete ({run.decks:,} of {run.inquiry.decks:,} decks): resume it with fairdeck "
            "test --resume DB"
        )
    yield from _gaps(run, ranges)
    yield from _impossible(run, total)
    if {len(each.sum) for each in ranges} != {SUM_BYTES}:
        raise FairdeckError("a range of the store is damaged: restore the store from a copy")
    sum_ = reduce(sums.added, (np.frombuffer(each.sum, "<u4").reshape(2, -1).astype(np.uint64) for each in ranges))
    if not np.array_equal(sum_, sums.digest(run.inquiry.battery, total)):
        yield "the total is not the sum of the ranges"
    yield from _verdict(run, total)
    if p_value is not None and p_value != (kept := run.trial().p_value):
        yield f"the report states p = {p_value:.2g}, and the store {kept:.2g}"
    verdict = run.trial().verdict()
    if run.ended != (ended := f"{verdict.outcome}, after {verdict.decks:,} decks"):
        yield f"the store says {run.ended!r}, and its standing {ended!r}"


def _gaps(run: Run, ranges: Sequence[Range]) -> Iterator[str]:
    """Yield what is wrong with the blocks of the ranges: each deck belongs to exactly one."""
    sizes = block_sizes(run.inquiry.cards, run.inquiry.decks)
    seen = [0] * (run.inquiry.lags + 1)
    first = before = 0
    for each in ranges:
        blocks = Counter(islice(sizes, each.blocks))
        decks = sum(size * times for size, times in blocks.items())
        # The first decks of a block are compared with none before it.
        seen = [all_ + sum(max(0, s - lag) * n for s, n in blocks.items()) for lag, all_ in enumerate(seen)]
        if (each.first, each.before, each.decks, each.blocks) != (first, before, decks, sum(blocks.values())):
            yield f"after deck {before:,} a range is missing, or counted twice, or cut in another way"
        first, before = first + each.blocks, before + decks
    if before != run.decks:
        yield f"the ranges have {before:,} decks, and the total {run.decks:,}"
    elif run.standing.tally and list(run.standing.tally.seen) != seen:
        yield f"the total has {run.standing.tally.seen} comparisons of decks, and the ranges {tuple(seen)}"


def _impossible(run: Run, total: Tally) -> Iterator[str]:
    """Yield which counts no decks have.

    The digest that adds up binds small numbers only: with numbers as large as its modulus, in cells that no test looks
    at, any total has any digest.
    """
    battery = run.inquiry.battery
    (size,) = islice(block_sizes(battery.cards, run.inquiry.decks), 1)
    shapes = [counts.shape for counts in recount(run.inquiry, Piece(0, [size])).counts]
    for member, counts, shape in zip(battery.members, total.counts, shapes, strict=True):
        if isinstance(member.statistic, Repeats):
            kept = counts[0].view(np.uint64) if counts.ndim == 2 else np.array([1, 0])
            fits = len(counts) == 2 and len(kept) <= member.statistic.kept and not (kept[1:] < kept[:-1]).any()
        else:
            # A count is of decks, or of cards in them.
            most = np.inf if isinstance(member.statistic, Sum) else total.decks * battery.cards
            fits = counts.shape == shape and counts.min(initial=0) >= 0 and counts.max(initial=0) <= most
        if not fits:
            yield f"no {total.decks:,} decks have such counts of {member.statistic.name}"


def _verdict(run: Run, total: Tally) -> Iterator[str]:
    """Yield where the counts say something worse than the run states."""
    asked, stated = run.inquiry, run.trial()
    if stated.failed:
        at = run.standing.settled[0] if run.standing.settled else total.decks
        # Decks that came later may hide a failure; so many would not.
        if run.standing.complaint or (at == total.decks and not asked.at_least and not _shows_failure(run)):
            yield "it states a failure that its counts do not show"
        return
    if total.decks < asked.decks:
        yield f"it ended after {total.decks:,} of the {asked.decks:,} decks that were announced, without a failure"
        return
    judged = Trial(asked.battery, asked.decks, asked.alpha)
    judged.add(total)
    if stated.p_value > judged.p_value:
        yield f"its counts have p = {judged.p_value:.2g}, and it states {stated.p_value:.2g}"
    now = run.standing
    shown = now.analysed
    if (
        shown is None
        or tallies.digest(asked.battery, shown) != tallies.digest(asked.battery, total)
        or now.share != judged.standing.share
        # Another analysis that is still to be made would be shown, or a fault, or a verdict before the end.
        or (now.waiting, now.found, now.settled) != (None, None, None)
    ):
        yield "the tests that it shows are not those of its counts"


def _shows_failure(run: Run) -> bool:
    """Tell whether the counts of a run fail, if they are judged once."""
    assert run.standing.tally  # noqa: S101 - of a run that was checked
    judged = Trial(run.inquiry.battery, run.decks, run.inquiry.alpha)
    judged.add(run.standing.tally)
    return judged.failed


def _differs_in_all(run: Run, part: Tally) -> str:
    """Return how the total differs from everything that was counted again; empty if it does not.

    Fingerprints of one range may all be in the total, and the equal ones of two ranges not.
    """
    battery, total = run.inquiry.battery, run.standing.tally
    if not total or not _smallest_kept(battery, part, total):
        return "fingerprints of the ranges counted again are missing in the total"
    if part.decks == total.decks and tallies.digest(battery, part) != tallies.digest(battery, total):
        return "the total is not that of all ranges counted again"
    return ""


def _differs(run: Run, one: Range, again: Tally) -> str:
    """Return how a range differs from what was counted again; empty if it does not."""
    battery, where = run.inquiry.battery, f"decks {one.before + 1:,} to {one.before + one.decks:,}"
    if sealed(battery, again, one.first, one.blocks, one.before) != one:
        return f"{where} give other counts than the run committed to"
    if run.standing.tally and not _smallest_kept(battery, again, run.standing.tally):
        return f"fingerprints of {where} are missing in the total"
    return ""


def _smallest_kept(battery: Battery, part: Tally, total: Tally) -> bool:
    """Tell whether the total has the fingerprints of a part of its decks, as far as it keeps any so large."""
    for member, mine, all_ in zip(battery.members, part.counts, total.counts, strict=True):
        if isinstance(member.statistic, Repeats):
            kept, own = all_[0].view(np.uint64), mine[0].view(np.uint64)
            own = own[own < kept[-1]] if len(kept) == member.statistic.kept else own
            values, times = np.unique(own, return_counts=True)
            there = np.searchsorted(kept, values, "right") - np.searchsorted(kept, values, "left")
            if (there < times).any():
                return False
    return True


def _pieces(run: Run, ranges: Sequence[Range]) -> Iterator[Piece]:
    """Yield the blocks of some ranges, in order."""
    sizes = block_sizes(run.inquiry.cards, run.inquiry.decks)
    at = 0
    for each in ranges:
        for _ in islice(sizes, each.first - at):
            pass
        yield Piece(each.first, list(islice(sizes, each.blocks)))
        at = each.first + each.blocks
