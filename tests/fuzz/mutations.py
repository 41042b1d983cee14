"""What is done to an input: to its bytes, and to JSON as a tree. The same random numbers make the same inputs."""

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

ODD = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        2,
        26,
        27,
        2**31,
        2**63,
        -(2**63),
        10**30,
        0.5,
        -0.0,
        1e308,
        float("nan"),
        float("inf"),
    ),
    *("", "x", "0", "é", "\ud800", "\u202e", "a" * 300, "1x1", "deck", [], {}, [[]], [0], {"": None}, "-1", "\0", "\n"),
)
BYTES = (
    b"\0",
    b"\xff",
    b"\x80",
    b"\xef\xbb\xbf",
    b"\xe2\x99\xa0",
    b"\xed\xa0\x80",
    b"\r\n",
    b"\x0b",
    b"\x1c",
    "٣".encode(),
)
NUMBERS = (b"0", b"-1", b"1e9", b"00", b"999999999999999999999", b"9" * 4_400, b"0.5", b"1/0", b"26", b"27", b"1000001")


def mutated(data: bytes, chance: Random, words: Sequence[bytes], longest: int, *, is_json: bool = False) -> bytes:
    """Return an input changed in one to four places; the `words` are put in."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        changed = _json(data, chance) if is_json and chance.random() < 0.8 else None
        data = _bytes(data, chance, words) if changed is None else changed
    return data[:longest]


def _bytes(data: bytes, chance: Random, words: Sequence[bytes]) -> bytes:
    start = chance.randint(0, len(data))
    end = min(len(data), start + chance.choice((0, 1, 1, 2, 4, 16, 64)))
    how = chance.randrange(7)
    if how == 0:
        new = b""
    elif how == 1:
        new = chance.randbytes(end - start or 1)
    elif how == 2:
        new = chance.choice(BYTES)
    elif how == 3:
        new = chance.choice(NUMBERS)
    elif how == 4:
        new = chance.choice(words or BYTES)
    elif how == 5:
        new = data[start:end] * chance.choice((2, 2, 3, 40))
    else:
        other = chance.randint(0, len(data))
        new = data[other : other + chance.randrange(1, 32)]
    return data[:start] + new + data[end:]


def _json(data: bytes, chance: Random) -> bytes | None:
    """Return JSON with one value changed, taken away, doubled, or put elsewhere; None if it is not JSON."""
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return None
    places = list(_places(tree, 0))
    if not places:
        return json.dumps(chance.choice(ODD)).encode()
    holder, key = chance.choice(places)
    other, from_key = chance.choice(places)
    how = chance.randrange(6)
    if how == 0:
        del holder[key]
    elif how == 1 and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif how == 1:
        holder[chance.choice(("", "format", f"{key}s", "é"))] = holder[key]
    elif how == 2:
        holder[key] = json.loads(json.dumps(other[from_key]))
    elif how == 3 and isinstance(holder[key], int):
        holder[key] = chance.choice(
            (holder[key] + 1, holder[key] - 1, -holder[key], str(holder[key]), holder[key] * 1.0)
        )
    elif how == 3 and isinstance(holder[key], str):
        holder[key] = _bytes(holder[key].encode("utf-8", "replace"), chance, ()).decode("utf-8", "replace")
    else:
        holder[key] = chance.choice(ODD)
    return json.dumps(tree, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")


def _places(tree: Any, depth: int) -> Iterator[tuple[Any, Any]]:
    if depth > 20 or not isinstance(tree, dict | list):
        return
    for key, value in list(tree.items()) if isinstance(tree, dict) else list(enumerate(tree)):
        yield tree, key
        yield from _places(value, depth + 1)
