"""Records as JSON, and back: what somebody else may have changed in a store is checked field by field.

Bytes and tallies are large: in the JSON they stand by the names of the parts that hold them.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from fairdeck.lab.judging.tally import Tally

JSON_TYPES = {dict: dict, Mapping: dict, list: list, tuple: list}
LARGEST = 2**63  # no number of a record is below 0 or so large


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
    """Return the value of this kind that `to_json` gave; `kept` takes the kind and the name of a large one.

    Raises:
        ValueError: it is no such value.
    """
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
    """Check the type of a value of JSON."""
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
