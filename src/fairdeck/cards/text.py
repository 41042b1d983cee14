"""Bytes and lines as people's programs write them, made one text: marks, encodings, line breaks, blanks, accents.

A file is UTF-8, or UTF-16 with its mark, which ``>`` writes in PowerShell 5; what is neither is Windows-1252, as old
spreadsheets write, and then a note says so.
"""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import NamedTuple
from unicodedata import normalize

from fairdeck.errors import FairdeckError

WIDE_MARKS = (BOM_UTF16_LE, BOM_UTF16_BE)
NO_PICTURES = str.maketrans("", "", "\ufe0e\ufe0f")  # they choose between text and picture
OLD = "it is not UTF-8, and was read as Windows-1252"


class Line(NamedTuple):
    """A line of a text, tidied, and its number from 1."""

    at: int
    text: str


def decoded(content: bytes, errors: str = "strict") -> str:
    """Return the text of a file that is UTF-8, or UTF-16 with its mark.

    Raises:
        UnicodeDecodeError: it is neither, and `errors` is ``strict``.
    """
    return content.decode("utf-16" if content.startswith(WIDE_MARKS) else "utf-8-sig", errors)


def decode(content: bytes) -> tuple[str, str]:
    """Return the text of a file that people wrote, and a note on what was guessed, or an empty one.

    Raises:
        FairdeckError: it is no text in any of the encodings; the message names the line.

    >>> decode("Füchsin".encode("cp1252"))
    ('Füchsin', 'it is not UTF-8, and was read as Windows-1252')
    """
    try:
        return decoded(content), ""
    except UnicodeDecodeError as error:
        start, wide = error.start, content.startswith(WIDE_MARKS)
    try:
        if not wide and b"\0" not in content:
            return content.decode("cp1252"), OLD
    except UnicodeDecodeError as error:
        start = error.start
    raise FairdeckError(f"line {content[:start].count(10) + 1} is not text: save the list as text, in UTF-8")


def tidied(text: str) -> str:
    r"""Return a text of one line with single blanks, composed accents, and no marks for pictures.

    >>> tidied("Cafe\u0301\u00a0 \t 10\u2665\ufe0f ")
    'Café 10♥'
    """
    if not text.isascii():
        text = normalize("NFC", text.translate(NO_PICTURES))
    return " ".join(text.split())


def lines_of(text: str) -> tuple[Line, ...]:
    """Return the lines of a text as they stand, but without blanks at their ends."""
    return tuple([Line(at, line.strip().lstrip("\ufeff")) for at, line in enumerate(text.splitlines(), 1)])


def shown(text: str) -> str:
    r"""Return a text with what a terminal could obey, or does not show, written as an escape.

    >>> shown("a\\x1b[31mb")
    'a\\x1b[31mb'
    """
    return text if text.isprintable() else "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def excerpt(text: str) -> str:
    """Return what a message quotes of a text."""
    return repr(tidied(text[:200])[:40])
