"""Logs of whole decks, made into plain lines: a deck on each, its cards in the order in which they were written.

A format is a module of this package with a function ``find``: it returns a `Layout` if the first lines of a file are
surely of this format, None if they are not, and an error if they can be read in two ways. The registry asks the modules
in the order of their ``TURN``. A layout gives as many lines as it takes, so that a message names the right one; lines
that hold no deck become empty, and a line that it cannot read stays as it is, for its reader to refuse.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from fairdeck.errors import FairdeckError

SEEN = 64  # lines that show where the cards are
SEPARATING = ";,\t\"'()[] "
SEPARATORS = re.compile(f"[{re.escape(SEPARATING)}\\s]")


@dataclass(frozen=True, slots=True)
class Asked:
    """Where the decks are, as somebody says; empty for what the file itself shows."""

    # of a table: ``c0-c51`` or ``2-53``, the first and the last; or ``c``, what their names begin with
    columns: str = ""
    path: str = ""  # of the list in a JSON object, such as ``game.deck``
    cards: frozenset[str] = frozenset()  # their names, if a list says them and a line may be one of them


class Layout:
    """Where the decks are in the lines of a file.

    Attributes:
        note: what is read, and what is left out.
        apart: whether a deck stands on several lines.
        cut: whether the last line was left out because it is not complete.
        hands: whether a line holds a hand, and not a deck.
        in_order: what reads more cards of each deck, in the order in which they came; None if there are no more.
        held: the lines of a deck that may go on.
        strict: whether a deck that cannot be read is an error; otherwise a line says why.
        sample: lines that are surely of this format, if the first ones of a file are too few to show it.
        path: the keys to the list in each line, if they are JSON objects.
    """

    note = held = sample = ""
    apart = cut = hands = False
    in_order: "Layout | None" = None
    strict = True
    path: tuple[str, ...] = ()

    def lines(self, text: str) -> str:
        """Return whole lines as lines of decks, as many in all as they are."""
        return "".join([f"{self.line(line)}\n" for line in text.split("\n")[:-1]])

    def line(self, line: str) -> str:
        """Return the deck in a line."""
        raise NotImplementedError

    def end(self) -> str:
        """Return the lines of a deck that the end of the file ends."""
        return ""


class Groups(Layout):
    """Decks on several lines each; such a deck is given as its first line, and its other lines as empty ones.

    Attributes:
        at: how many lines of the file were given.
    """

    apart = True
    at = 0

    def begins(self, group: Sequence[str], line: str) -> bool:
        """Return whether a line after those of a deck begins another deck."""
        raise NotImplementedError

    def deck(self, group: Sequence[str]) -> str:
        """Return the deck in its lines; an error names the line."""
        raise NotImplementedError

    def lines(self, text: str) -> str:
        """Return the decks that are complete."""
        given, group = [], list[str]()
        for line in f"{self.held}{text}".split("\n")[:-1]:
            if group and self.begins(group, line):
                given.append(self._given(group))
                group = []
            group.append(line)
        if group and self.begins(group, ""):
            given.append(self._given(group))
            group = []
        self.held = "".join([f"{line}\n" for line in group])
        return "".join(given)

    def end(self) -> str:
        """Return the last deck."""
        group, self.held = self.held.split("\n")[:-1], ""
        given, self.at = self._given(group), 0
        return given

    def _given(self, group: Sequence[str]) -> str:
        try:
            deck = self.deck(group)
        except FairdeckError as error:
            if self.strict:
                raise
            deck = joined([str(error)])
        self.at += len(group)
        return deck + len(group) * "\n"


def find(lines: Sequence[str], asked: Asked) -> Layout | None:
    """Return the layout of a file that begins with these lines; None if a deck stands on each of them.

    Raises:
        FairdeckError: they can be read in two ways, or not as it is asked.
    """
    found: Layout | None = next(filter(None, (form.find(lines, asked) for form in _formats())), None)
    for option, value in (("columns", asked.columns), ("path", asked.path)):
        if value and f"--{option}" not in (found.note if found else ""):
            needs = (
                "a table, with several cells in each line" if option == "columns" else "JSON lines, an object on each"
            )
            raise FairdeckError(f"--{option} {value[:40]!r} is for {needs}; leave it out")
    return found


def joined(cards: Iterable[object]) -> str:
    """Return cards as a line, from which they can be read back.

    >>> joined(["AS", 7]), joined(["Ace of Spades"])
    ('AS,7', '["Ace of Spades"]')
    """
    names = list(map(str, cards))
    return json.dumps(names, ensure_ascii=False) if SEPARATORS.search("".join(names)) else ",".join(names)


@cache
def _formats() -> tuple[Any, ...]:
    modules = (import_module(f"{__name__}.{each.name}") for each in iter_modules(__path__))
    return tuple(sorted((each for each in modules if hasattr(each, "find")), key=lambda each: each.TURN))
