"""What a statistic is counted on: decks, or each deck relative to an earlier one.

Fair, independent decks have fair, independent *relative* arrangements at every lag. So every statistic of a
deck is also a test of what carries over from deck to deck.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fairdeck.bulk.shapes import Columns, Values
from fairdeck.lab.blocks import Decks
from fairdeck.lab.sources.simulated import AnyBlock


@dataclass(frozen=True)
class View:
    """A batch of arrangements, place by place."""

    columns: Columns  # shape ``(n, B)``; ``columns[i, t]`` is the card at place ``i`` of deck ``t``
    lead: Columns  # shape ``(n, L)``; the decks just before these in the same stream, for chains
    first: int | None = None  # how many decks of the stream came before these; None where that is not known
    shown: Values | None = (
        None  # shape ``(B,)``: how many cards of each deck were seen; None if that is the same for all
    )

    @property
    def cards(self) -> int:
        """The cards of a deck."""
        return len(self.columns)

    @property
    def decks(self) -> int:
        """The number of decks."""
        return int(self.columns.shape[1])

    @cached_property
    def places(self) -> Columns:
        """Shape ``(n, B)``: ``places[c, t]`` is where card ``c`` lies in deck ``t``; the inverse."""
        return inverted(self.columns)


def inverted(columns: Columns) -> Columns:
    """Return the inverse of each column."""
    places = np.empty_like(columns)
    here = np.broadcast_to(np.arange(len(columns), dtype=columns.dtype)[:, None], columns.shape)
    np.put_along_axis(places, columns.astype(np.intp), here, axis=0)
    return places


def deck_view(block: AnyBlock) -> View:
    """Return the decks of a block."""
    return View(_columns(block.decks), _columns(block.lead), block.first, getattr(block, "shown", None))


def relative_view(block: AnyBlock, lag: int) -> View:
    """Return each deck relative to the one `lag` decks before it, if the block has that.

    ``columns[i, t]`` is the place, in the earlier deck, of the card that now lies at place ``i``.
    """
    n = block.decks.shape[1]
    stream = _columns(np.concatenate([block.lead[len(block.lead) - min(lag, len(block.lead)) :], block.decks]))
    earlier = inverted(stream[:, :-lag]) if stream.shape[1] > lag else stream[:, :0]
    later = stream[:, lag:] if stream.shape[1] > lag else stream[:, :0]
    relative = np.take_along_axis(earlier, later.astype(np.intp), axis=0)
    return View(relative, np.empty((n, 0), dtype=stream.dtype))


def _columns(decks: Decks) -> Columns:
    return np.ascontiguousarray(decks.T)
