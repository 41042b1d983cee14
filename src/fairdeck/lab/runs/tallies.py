"""Tallies as bytes, to store them."""

import json
import zlib
from math import prod

import numpy as np

from fairdeck.errors import FairdeckError
from fairdeck.lab.judging.tally import Battery, Tally

MOST_BYTES = 2**30  # of a tally; larger ones were never made
QUICK = 1  # level of compression: higher ones take three times as long for a tenth of the bytes


def packed(battery: Battery, tally: Tally) -> bytes:
    """Return a tally as compressed bytes.

    The first bytes of all numbers come first, then their second bytes, and so on: those compress best.
    """
    compressor = zlib.compressobj(QUICK)
    flat = (np.ascontiguousarray(counts, "<i8").reshape(-1).view(np.uint8) for counts in tally.counts)
    planes = (numbers.reshape(-1, 8).T.tobytes() for numbers in flat)
    parts = map(compressor.compress, [_head(battery, tally), *planes])
    return b"".join([*parts, compressor.flush()])


def unpacked(battery: Battery, data: bytes) -> Tally:
    """Return the tally of this battery that `packed` turned into these bytes.

    Raises:
        FairdeckError: they are not such a tally.
    """
    try:
        unpacking = zlib.decompressobj()
        head, _, rest = unpacking.decompress(data, MOST_BYTES).partition(b"\n")
        if not unpacking.eof:
            raise ValueError("cut short, or far too large")
        facts = json.loads(head)
        shapes = [tuple(shape) for _, _, shape in facts["members"]]
        if [(name, lag) for name, lag, _ in facts["members"]] != _names(battery):
            raise ValueError("other statistics")
        if len(rest) != 8 * sum(map(prod, shapes)):
            raise ValueError("another size")
        counts, at = [], 0
        for shape in shapes:
            planes = np.frombuffer(rest, np.uint8, 8 * prod(shape), at).reshape(8, -1)
            counts.append(np.ascontiguousarray(planes.T).reshape(-1).view("<i8").astype(np.int64).reshape(shape))
            at += 8 * prod(shape)
        decks, seen = facts["decks"], facts["seen"]
        if (
            not all(type(each) is int and 0 <= each <= decks for each in (decks, *seen))
            or len(seen) != battery.lags + 1
        ):
            raise ValueError("other numbers of decks")
        return Tally(decks, tuple(seen), tuple(counts))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error) as error:
        raise FairdeckError(f"a stored tally cannot be read ({error}); restore the store from a copy") from None


def _head(battery: Battery, tally: Tally) -> bytes:
    members = [[*named, counts.shape] for named, counts in zip(_names(battery), tally.counts, strict=True)]
    fields = {"decks": tally.decks, "seen": tally.seen, "members": members}
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def _names(battery: Battery) -> list[tuple[str, int]]:
    return [(member.statistic.name, member.lag) for member in battery.members]
