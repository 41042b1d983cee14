"""JSON: an object on each line, with the deck in a list somewhere inside; or one array of such objects, or of decks."""

import json
import re
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from fairdeck.cards.logs import SEEN, Asked, Layout, joined
from fairdeck.cards.text import shown
from fairdeck.errors import FairdeckError

TURN = 1
LONGEST = 1 << 20  # letters of an object
BETWEEN = re.compile(r"[\s,\[\]]*")
# Every inner array becomes a line, which ends where its bracket closes and nowhere else.
INNER_ARRAYS = bytes.maketrans(b"\n])", b" \n\n")

Path = tuple[str, ...]  # the keys to a list


class Objects(Layout):
    """The list at a path, such as ``game.deck``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.note = f"read as JSON objects: the decks are the lists {shown('.'.join(path))}; --path chooses others"

    def line(self, line: str) -> str:
        """Return the cards of the list in an object."""
        value = _object(line)
        for key in self.path:
            value = value.get(key) if isinstance(value, dict) else None
        return joined(value) if isinstance(value, list) else line


def find(lines: Sequence[str], asked: Asked) -> Layout | None:
    """Return where the only list is in each object."""
    objects = [(at, line) for at, line in enumerate(lines, 1) if line.strip()][:SEEN]
    if not objects or not all(line.lstrip().startswith("{") for _, line in objects[:2]):
        return None
    paths: dict[Path, int] = {}
    for at, line in objects:
        for path, _ in _lists(_object(line)):
            paths.setdefault(path, at)
    if asked.path:
        found = next((path for path in paths if ".".join(path) == asked.path), None)
        if not found:
            raise FairdeckError(f"line {objects[0][0]}: no list is at --path {asked.path[:40]}; {_there(paths)}")
        return Objects(found)
    if len(paths) != 1:
        raise FairdeckError(
            f"line {max(paths.values(), default=objects[0][0])}: an object needs one list of cards; {_there(paths)}"
        )
    return Objects(next(iter(paths)))


def value_at(lines: Sequence[str], name: str) -> Callable[[str], Any] | None:
    """Return what reads the value of this name, such as ``game.deck``, in an object; None if lines are no objects."""
    if not next((line for line in lines if line.strip()), "").lstrip().startswith("{"):
        return None

    def value(line: str) -> Any:
        found = _object(line)
        for key in name.split("."):
            found = found.get(key) if isinstance(found, dict) else None
        return found

    return value


def _there(paths: dict[Path, int]) -> str:
    if not paths:
        return "it holds none: write only the decks, an array on each line"
    there = ", ".join(shown(".".join(path)[:40]) for path in list(paths)[:5])
    return f"these are there: {there}; choose one with --path NAME"


def _object(line: str) -> Any:
    with suppress(ValueError, RecursionError):
        return json.loads(line)
    return None


def _lists(value: Any, path: Path = ()) -> Iterator[tuple[Path, list[Any]]]:
    """Yield the lists of two or more numbers or names in an object, each with its path."""
    if isinstance(value, dict) and len(path) < SEEN:
        for key, inner in value.items():
            yield from _lists(inner, (*path, key))
    elif isinstance(value, list) and len(value) > 1 and all(type(card) in (int, str) for card in value):
        yield path, value


def lines_of_document(head: bytes) -> Callable[[Iterable[bytes]], Iterator[bytes]] | None:
    """Return what makes lines of a file that begins with `head`; None if it is no such array."""
    if re.match(rb"\s*\[\s*[\[(]", head):
        return lambda pieces: (piece.translate(INNER_ARRAYS) for piece in pieces)
    return _objects if re.match(rb"\s*\[\s*\{", head) else None


def _objects(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield each object on a line; what is not one, or not complete, as it stands."""
    decode, read, text = getincrementaldecoder("utf-8")("replace").decode, json.JSONDecoder().raw_decode, ""
    for piece in pieces:
        text, lines, end = text + decode(piece), list[str](), 0
        while True:
            start = end + len(BETWEEN.match(text, end)[0])  # type: ignore[index]
            try:
                end = read(text, start)[1]
            except (ValueError, RecursionError):
                break
            lines.append(" ".join(text[start:end].splitlines()) + "\n")
        text = text[start:]
        if len(text) > LONGEST:
            lines, text = [*lines, text], ""
        yield "".join(lines).encode()
    yield text.encode()
