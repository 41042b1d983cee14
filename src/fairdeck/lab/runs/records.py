"""Records as JSON, tallies as bytes, and both back: what somebody else may have changed is checked field by field.

Bytes and tallies are large: in the JSON they stand by the names of the parts that hold them.
"""

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from math import prod
from types import UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from fairdeck.errors import FairdeckError
from fairdeck.lab.judging.tally import Battery, Tally

JSON_TYPES = {dict: dict, Mapping: dict, list: list, tuple: list}
LARGEST = 2**63  # no number of a record is below 0 or so large
MOST_BYTES = 2**30  # of a tally; larger ones were never made
QUICK = 1  # level of compression: higher ones take three times as long for a tenth of the bytes


def to_json(value: Any, keep: Callable[[Any], str]) -> Any:
    """Return a record, or a value in one, as JSON has it; `keep` takes each large value and returns its name."""
    if isinstance(value, bytes | Tally):
        return keep(value)
    if is_dataclass(value):
        return {each.name: to_json(getattr(value, each.name), keep) for each in fields(value)}
    if isinstance(value, dict):
        return {name: to_json(item, keep) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item, keep) for item in value]
    return value


def no_part(_kind: Any, name: str) -> Any:
    """Refuse a name of a part, where a record has none."""
    raise ValueError(name[:80])


def from_json(kind: Any, row: Any, kept: Callable[[Any, str], Any] = no_part) -> Any:
    """Return the value that `to_json` gave, or raise a ValueError; `kept` takes kind and name of a large one."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _any_of(inner, row, kept)
    if origin is Literal:
        if type(row) is not str or row not in inner:
            raise ValueError(repr(row)[:80])
        return row
    if kind in (bytes, Tally):
        _check(str, row)
        return kept(kind, row)
    _check(JSON_TYPES.get(origin, dict if is_dataclass(kind) else kind), row)
    if is_dataclass(kind):
        return cast(Any, kind)(**fields_from_json(get_type_hints(kind), row, kept))
    if origin in (dict, Mapping):
        return {name: from_json(inner[1], item, kept) for name, item in row.items()}
    if origin is list:
        return [from_json(inner[0], item, kept) for item in row]
    if origin is tuple:
        kinds = inner[:1] * len(row) if inner[1:] == (...,) else inner
        return tuple(from_json(each, item, kept) for each, item in zip(kinds, row, strict=True))
    return row


def fields_from_json(
    kinds: Mapping[str, Any], row: Mapping[str, Any], kept: Callable[[Any, str], Any] = no_part
) -> dict[str, Any]:
    """Return fields by their names, after checking that they are these."""
    if row.keys() != kinds.keys():
        raise ValueError(f"other fields than {', '.join(kinds)}")
    values = {}
    for name, kind in kinds.items():
        try:
            values[name] = from_json(kind, row[name], kept)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return values


def _check(kind: Any, row: Any) -> None:
    wanted = (int, float) if kind is float else (kind,)
    if type(row) not in wanted or (isinstance(row, int | float) and not 0 <= row < LARGEST):
        raise ValueError(repr(row)[:80])


def _any_of(kinds: tuple[Any, ...], row: Any, kept: Callable[[Any, str], Any]) -> Any:
    faults = []
    for kind in kinds:
        try:
            return from_json(kind, row, kept)
        except ValueError as error:
            faults.append(error)
    raise faults[0]


# --- tallies


def packed_tally(battery: Battery, tally: Tally) -> bytes:
    """Return a tally as compressed bytes: the first bytes of all numbers come first, which compresses best."""
    compressor = zlib.compressobj(QUICK)
    flat = (np.ascontiguousarray(counts, "<i8").reshape(-1).view(np.uint8) for counts in tally.counts)
    planes = (numbers.reshape(-1, 8).T.tobytes() for numbers in flat)
    parts = map(compressor.compress, [_head(battery, tally), *planes])
    return b"".join([*parts, compressor.flush()])


def unpacked_tally(battery: Battery, data: bytes) -> Tally:
    """Return the tally of this battery that `packed_tally` turned into these bytes, or raise a FairdeckError."""
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
