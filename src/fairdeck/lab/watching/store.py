"""What a watch keeps in its store besides its run: all that it needs to go on after a crash.

What was counted, the places in the logs, and the decks that wait for the rest of their block are committed in one
transaction. So after a crash nothing is counted twice, and nothing is lost that the logs still hold.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

import numpy as np

from fairdeck.bulk.shapes import card_type
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import LEAD, Decks
from fairdeck.lab.inquiry import Inquiry, Kind
from fairdeck.lab.judging.tally import fingerprint, largest_block
from fairdeck.lab.runs import records
from fairdeck.lab.runs.store import Run, Store, utc_now
from fairdeck.lab.sources.file import order_of
from fairdeck.lab.sources.observed import Completion
from fairdeck.lab.sources.text import NumberReading, Reading, WordReading
from fairdeck.lab.watching.analysis import Analysis, Raised
from fairdeck.lab.watching.deck_lines import LinesRead
from fairdeck.lab.watching.live_log import PlaceInLog
from fairdeck.lab.watching.pipe import PlaceInPipe
from fairdeck.lab.watching.windows import Standing

KIND: Kind = "monitor"


@dataclass
class LogKept:
    """What is kept of a log."""

    place: PlaceInLog | PlaceInPipe  # where it is read on
    lines: LinesRead | None  # what is known of its lines; None before it is known how they are written
    head: bytes  # its first lines, if they are too few to tell how it is written
    counted: int  # how many of its decks were counted
    lead: bytes  # the decks before the block that is not complete, packed
    waiting: bytes  # the decks in that block, packed
    held: str = ""  # the lines of a deck that may go on


@dataclass
class Kept:
    """What is kept of a watch besides its run."""

    statistics: str = ""  # a fingerprint of how decks are counted
    logs: dict[str, LogKept] = field(default_factory=dict)  # each log by its path; also those that are not watched now
    first: int | None = None  # the number of the first card; None if cards are words, or before the first deck
    latest: str = ""  # when the latest deck was read; empty before the first
    block_began: str = ""  # when the first deck of the block was read; empty if it has none
    raised: Raised = field(default_factory=Raised)  # the alarm
    standing: Standing = field(default_factory=Standing)  # of the windows, all but the segment that is not full
    open: bytes = b""  # the tally of that segment, packed; empty if it has none

    @classmethod
    def of(
        cls, analysis: Analysis, logs: dict[str, LogKept], reading: Reading | None, latest: str, block_began: str
    ) -> "Kept":
        """Return all that is kept of a watch."""
        standing, battery = analysis.windows.standing, analysis.windows.battery
        return cls(
            fingerprint(),
            logs,
            reading.first if isinstance(reading, NumberReading | Completion) else None,
            latest,
            block_began,
            analysis.raised,
            replace(standing, open=None),
            records.packed_tally(battery, standing.open) if standing.open else b"",
        )

    def analysis(self, run: Run) -> Analysis:
        """Return the analyses of a run, where they stood; a ValueError or FairdeckError if nothing can stand there."""
        standing = self.standing
        if standing.p_value > 1 or any(a.first + a.decks != b.first for a, b in pairwise(standing.segments)):
            raise ValueError("windows that do not follow each other")
        battery = run.inquiry.battery.dense or run.inquiry.battery
        if standing.found:
            records.unpacked_tally(battery, standing.found.data)
        standing = replace(standing, open=records.unpacked_tally(battery, self.open) if self.open else None)
        return Analysis(run, standing, self.raised)

    def reading(self, inquiry: Inquiry) -> Reading:
        """Return how all logs name their cards."""
        if inquiry.seen:
            deck, seed = order_of(inquiry.order), inquiry.seed or 0
            completion = Completion(inquiry.seen, inquiry.cards, deck, seed, self.first, as_written=False)
            completion.given = sum(log.lines.decks for log in self.logs.values() if log.lines)
            return completion
        return WordReading(order_of(inquiry.order)) if inquiry.order else NumberReading(self.first)


def latest(store: Store) -> Run | None:
    """Return the run of the watch in a store, with what it keeps; None before its first deck.

    Raises FairdeckError if it is damaged, or another version of fairdeck counted otherwise.
    """
    number = next((each for each in reversed(store.numbers()) if store.run(each).inquiry.kind == KIND), None)
    if number is None:
        return None
    run = store.run(number, Kept)
    if run.more is None:  # it ended between its registration and its first commit
        return replace(run, more=Kept(fingerprint()))
    try:
        datetime.fromisoformat(run.more.latest or utc_now())
    except ValueError as error:
        raise damaged(store, error) from None
    if run.more.statistics != fingerprint():
        raise FairdeckError(
            f"the watch in {store.path} was begun by fairdeck {run.registration.version}, which may count "
            "differently: continue with that version, or name a new store; the levels of both add up"
        )
    return run


def damaged(store: Store, why: object) -> FairdeckError:
    """Return the error for a watch that cannot stand as its store says."""
    return FairdeckError(
        f"the watch in {store.path} is damaged ({str(why)[:80]}): restore the store from a copy, or name a new one"
    )


def packed_decks(parts: Sequence[Decks], cards: int) -> bytes:
    """Return decks as compressed bytes."""
    decks = np.concatenate([np.empty((0, cards), card_type(cards)), *parts])
    return zlib.compress(decks.astype(_stored(cards)).tobytes(), 1)


def unpacked_decks(data: bytes, cards: int) -> Decks:
    """Return decks that wait for their block, or were before it; a ValueError or zlib.error for other bytes."""
    most = _stored(cards).itemsize * cards * max(LEAD, largest_block(cards))
    unpacked = zlib.decompressobj().decompress(data, most + 1)  # no more, however much is packed there
    if len(unpacked) > most:
        raise ValueError("more decks than a block has")
    return np.frombuffer(unpacked, _stored(cards)).astype(card_type(cards)).reshape(-1, cards)


def _stored(cards: int) -> "np.dtype[Any]":
    return np.dtype(card_type(cards)).newbyteorder("<")
