"""One JSON array of decks, or of objects that hold them, made into lines: an array or an object on each."""

import re
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator
from json import JSONDecoder

LONGEST = 1 << 20  # letters of an object
BETWEEN = re.compile(r"[\s,\[\]]*")
# Every inner array becomes a line, which ends where its bracket closes and nowhere else.
INNER_ARRAYS = bytes.maketrans(b"\n])", b" \n\n")


def lines_of_document(head: bytes) -> Callable[[Iterable[bytes]], Iterator[bytes]] | None:
    """Return what makes lines of a file that begins with `head`; None if it is no such array."""
    if re.match(rb"\s*\[\s*[\[(]", head):
        return lambda pieces: (piece.translate(INNER_ARRAYS) for piece in pieces)
    return _objects if re.match(rb"\s*\[\s*\{", head) else None


def _objects(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield each object on a line; what is not one, or not complete, as it stands."""
    decode, read, text = getincrementaldecoder("utf-8")("replace").decode, JSONDecoder().raw_decode, ""
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
