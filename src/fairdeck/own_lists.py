"""The lists of cards that a person has, in files or kept by a name; and the number of cards that a list says.

A list that is kept is a text in the folder ``lists`` in the folder of settings (`fairdeck.folders`): ``friday.txt`` is
called friday. It has the copies and names that were read, so the file that it came from may go. Open it, change it or
delete it as you like.
"""

import re
from collections.abc import Mapping, Sequence
from os import PathLike, fsdecode
from pathlib import Path
from typing import TypeAlias
from warnings import warn

from fairdeck import folders
from fairdeck.cards import LARGEST_DECK
from fairdeck.cards.lists import DeckList, read_content
from fairdeck.errors import FairdeckError, nearest, system_reason
from fairdeck.numbers import integer, shortened, whole

#: A number of cards; a list's file, or the name by which it was kept; a list that was read; names; or copies by name.
Cards: TypeAlias = int | str | PathLike[str] | DeckList | Mapping[str, int] | Sequence[str]
LARGEST_LIST = 1 << 26  # bytes: a million cards with long names
NAME = re.compile(r"(?!(?:sorted|con|prn|aux|nul|com\d|lpt\d)$)[^\W\d_][\w-]{0,40}", re.IGNORECASE)
FOLDER = "lists"


def kept_lists() -> dict[str, Path]:
    """Return the files of the lists that were kept, by the names of the lists."""
    folder = folders.settings()
    files = sorted((folder / FOLDER).glob("*.txt")) if folder else ()
    return {file.stem: file for file in files if NAME.fullmatch(file.stem) and not file.is_fifo()}


def demand_free_name(name: str) -> None:
    """Raise a FairdeckError unless a list can be kept by this name, and nothing else is meant by it."""
    if not NAME.fullmatch(name) or Path(name).exists():
        raise FairdeckError(f"--keep {name!r}: write letters and digits, first a letter, but no name of a file")
    place = (folders.settings() or Path()) / FOLDER / f"{name}.txt"
    if place.exists() and not place.is_file():
        raise FairdeckError(f"--keep {name!r}: {str(place)!r} is no file, but a folder or pipe: take it away")


def file_of(name: str) -> Path:
    """Return the file of a list that is named: that file, or that of a list that was kept, unless it may mean both."""
    own = kept_lists().get(name)
    if own and Path(name).exists():
        raise FairdeckError(f"{name!r} is a file here, and a list that you keep: write ./{name} for the file")
    return own or Path(name)


def size_and_kinds(cards: Cards) -> tuple[int, int]:
    """Return how many cards a deck has, and how many different ones; all differ if only their number is known.

    A FairdeckError says what is no list. What a list leaves out is a warning.

    >>> size_and_kinds(60), size_and_kinds({"Fox": 4, "Marsh": 36}), size_and_kinds(["Fox", "Marsh", "Marsh"])
    ((60, 60), (40, 2), (3, 2))
    """
    if isinstance(cards, str | PathLike):
        cards = _read(fsdecode(cards))
        if cards.aside or cards.notes:
            warn(f"{cards.file}: {cards.summary()}", stacklevel=4)  # at the call of fairdeck.deal, say
    if isinstance(cards, DeckList):
        return cards.cards, len(set(cards.names))
    if isinstance(cards, Mapping):
        copies = [whole(f"cards: copies of {shortened(name)}", cards[name], 1, LARGEST_DECK) for name in cards]
        return sum(copies), len(copies)
    if (number := integer(cards)) is not None:
        return number, number
    names = list(cards) if isinstance(cards, Sequence) and not isinstance(cards, bytes) else [cards]
    if other := [name for name in names if not isinstance(name, str)]:
        raise FairdeckError(f"cards must be a whole number, a list of names or its file, not {shortened(other[0])}")
    return len(names), len(set(names))


def _read(name: str) -> DeckList:
    path = file_of(name)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_LIST + 1)
        if len(content) > LARGEST_LIST:
            raise ValueError("it is too large")
    except (OSError, ValueError) as error:
        near = nearest(name, kept_lists()) or ": name a file that lists the cards, or give their number"
        raise FairdeckError(f"cannot read {shortened(name)} ({system_reason(error)}){near}") from None
    return read_content(name, content)
