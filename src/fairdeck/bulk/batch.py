"""Decks in groups of 64 side by side, as the fast counts want them: bytes, a deck to a lane."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.decks import fill_groups
from fairdeck.bulk.kernels import inline
from fairdeck.bulk.shapes import GROUP

Groups = NDArray[np.uint8]  # (groups, n, 64): entry [g, i, t] belongs to place i of deck 64 g + t


@dataclass(frozen=True)
class Batch:
    """Successive decks of a stream."""

    # shape ``(groups, n, 64)``, dtype uint8; ``groups[g, i, t]`` is the card at place ``i`` of deck ``64 g + t``.
    # Sorted decks, from number `decks` on, fill up the last group.
    groups: Groups
    decks: int  # how many decks there are, those that fill up the last group not counted
    first: int | None = None  # how many decks of the stream came before these; None if that is not known

    @property
    def cards(self) -> int:
        """The cards of a deck."""
        return int(self.groups.shape[1])

    @cached_property
    def places(self) -> Groups:
        """The place of each card, shaped as `groups`: ``places[g, c, t]`` is where card ``c`` of that deck lies."""
        out = np.empty_like(self.groups)
        inverted(self.groups, out)
        return out

    @cached_property
    def rows(self) -> NDArray[np.int16]:
        """The decks as rows; shape ``(decks, n)``."""
        n = self.cards
        return self.groups.transpose(0, 2, 1).reshape(-1, n)[: self.decks].astype(np.int16)


def made(n: int, seed: int, block: int, decks: int, *, fair: bool = True) -> Batch:
    """Return the first `decks` decks of a block of `fairdeck.bulk.fill_groups`."""
    groups = np.empty((-(-decks // GROUP), n, GROUP), np.uint8)
    fill_groups(groups, seed, block, fair=fair)
    if decks % GROUP:
        groups[-1, :, decks % GROUP :] = np.arange(n, dtype=np.uint8)[:, None]
    return Batch(groups, decks)


def of_rows(rows: NDArray[np.int16]) -> Batch:
    """Return the decks that are the rows of an array; shape ``(decks, n)``, up to `BYTES_UP_TO` cards."""
    decks, n = rows.shape
    groups = np.empty((-(-decks // GROUP), n, GROUP), np.uint8)
    grouped(rows, groups)
    return Batch(groups, decks)


def relative(batch: Batch, lead: NDArray[np.int16], lag: int) -> Batch:
    """Return each deck relative to the deck `lag` before it, where that one is known.

    Each card is replaced by its place in the earlier deck. `lead` holds the decks before the first, shape ``(any, n)``.
    """
    before = lead[len(lead) - min(lag, len(lead)) :]
    stream = of_rows(np.concatenate([before, batch.rows])) if len(before) else batch
    decks = max(0, stream.decks - lag)
    out = np.empty((-(-decks // GROUP), batch.cards, GROUP), np.uint8)
    compared(stream.groups, stream.places, lag, decks, out)
    return Batch(out, decks)


@njit(cache=True, nogil=True)
def inverted(groups: Any, out: Any) -> None:
    """Write the inverse of each deck to `out`."""
    for group in range(len(groups)):
        for place in range(groups.shape[1]):
            for deck in range(GROUP):
                out[group, groups[group, place, deck], deck] = place


@njit(cache=True, nogil=True)
def grouped(rows: Any, out: Any) -> None:
    """Write the rows side by side to `out`, and sorted decks after the last."""
    decks, n = rows.shape
    for group in range(len(out)):
        for deck in range(GROUP):
            at = group * GROUP + deck
            for place in range(n):
                out[group, place, deck] = rows[at, place] if at < decks else place


@njit(cache=True, nogil=True)
def compared(groups: Any, places: Any, lag: int, decks: int, out: Any) -> None:
    """Write each of `decks` decks relative to the deck `lag` before it to `out`, and sorted decks after the last."""
    n = out.shape[1]
    cards, where, found = groups.reshape(-1), places.reshape(-1), out.reshape(-1)
    for at in range(len(out) * GROUP):
        begin, later = place_of(at, n), place_of(at + lag, n)
        for row in range(0, n * GROUP, GROUP):
            place = np.uintp(row)
            if at < decks:
                found[begin + place] = where[begin + np.uintp(cards[later + place]) * np.uintp(GROUP)]
            else:
                found[begin + place] = row // GROUP


@inline
def place_of(deck: Any, n: Any) -> Any:
    """Return the place of a deck's first card in an array of groups; unsigned, so that numba need not look for -1."""
    return np.uintp(deck // GROUP * n * GROUP + deck % GROUP)
