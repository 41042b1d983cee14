"""Lists of cards as programs and people write them: text -> the one format that it is in -> copies of names.

A module in this folder is a format, and `read_list` finds it. It has ``TURN`` (formats are tried in this order),
``CALLED`` (what the answer calls it), ``fits(source)`` and ``read(source)``, which returns a `DeckList`, or raises a
FairdeckError that begins with the line. Nothing is guessed: where a list can be read in two ways that give different
cards, the reader asks, and its caller can name the format. What is left out is told by the list itself.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

from fairdeck.cards import LARGEST_DECK
from fairdeck.cards.languages import in_short
from fairdeck.cards.names import LONGEST_NAME
from fairdeck.cards.text import Line, decode, excerpt, lines_of, tidied
from fairdeck.errors import FairdeckError, naming, nearest_or_all

HEADINGS = 1_000  # lines of a list that are no cards
HOW = "list the cards, top first, one a line or with commas between"
# Parts of a list that do not lie in the deck, as programs head them, and what the answer calls them.
ASIDE = {
    **dict.fromkeys(("sideboard", "side", "side deck", "sb", "sideboarded", "réserve", "banquillo"), "sideboard"),
    **dict.fromkeys(("maybeboard", "considering", "maybe"), "maybeboard"),
    **dict.fromkeys(("commander", "commanders", "kommandeur", "commandant", "comandante"), "commander"),
    **dict.fromkeys(("token", "tokens"), "token"),
    **dict.fromkeys(("extra", "extra deck"), "extra deck"),
    **{each: each for each in ("companion", "leader", "base")},
    **dict.fromkeys(("arena", "arena cards"), "arena"),
}
# What a line may be that is not the name of a card. A name that looks like one of these is put in quotation marks.
NO_NAMES = {
    "begins with a number, as counts and places do": r"(?:SB:\s*|[x×](?=\d+\s))?\d+\s*(?:[x×*]\s|[.):,;]|\s)"
    r"(?!\s*(?:of|de|di|von)\b)",
    "ends with a count, which belongs before the name": r".*\s[x×]\s?\d+$",
    "belongs to a program, a table or markup": r"[\[(]|.*[{}<>|\\=]",
    "is a heading or a comment": r"[#!%]|//|--|[-*•]\s|\*\*|.*:\s*\d*$|"
    r"(?:deck|main(?:board)?|sideboard|commander|companion|maybeboard|tokens)$",
    "is a hand of a board, which fairdeck boards reads": r"(?:[NESW]:)?(?:[AKQJT\dx-]*\.){3}[AKQJT\dx-]*$",
    "is several cards without blanks": r"(?:(?:10|[2-9AKQJT])[SHDC♠♥♦♣]){3,}$|(?:[SHDC♠♥♦♣](?:10|[2-9AKQJT])){3,}$|"
    r"(?=.{17})(?:[SHDC♠♥♦♣](?:10|[2-9AKQJT])*){4,}$|[\U0001f0a0-\U0001f0ff]{2}",
    "is a line of a log": r"\d{4}-\d\d-\d\d|.*\d\d:\d\d:\d\d",
    "begins with a quotation mark that has no end": r"[\"“„«][^\"”“»]*$",
}
NO_NAME = re.compile("|".join(NO_NAMES.values()), re.IGNORECASE)
BOARDS = re.compile(r'% PBN|\[\w+ "|(?:pn|qx|vg|md|st)\|', re.IGNORECASE)
NAMES_ONLY = "write one card a line and nothing else; a name in quotation marks is taken as it is"


class Entry(NamedTuple):
    """Copies of a card in a list: how many, its name, its line from 1, and its part, which is empty in the deck."""

    copies: int
    name: str
    line: int
    part: str = ""


@dataclass(frozen=True, slots=True)
class DeckList:
    """A list of cards that was read."""

    format: str  # the module of this folder that read it
    main: tuple[Entry, ...]  # what the deck has, in the order of the list
    aside: tuple[Entry, ...] = ()  # what lies beside the deck, such as a sideboard
    ordered: bool = False  # whether each entry is one card, the top card first; else only how many there are is told
    notes: tuple[str, ...] = ()  # what was taken for granted, for people
    file: str = ""  # whose list it is, for messages; empty if it is no file's

    @property
    def cards(self) -> int:
        """How many cards the deck has."""
        return sum(entry.copies for entry in self.main)

    @property
    def names(self) -> tuple[str, ...]:
        """The cards of the deck one by one, top first; equal cards of an entry lie together."""
        return tuple([entry.name for entry in self.main for _ in range(entry.copies)])

    def with_aside(self) -> "DeckList":
        """Return the list with all that lies beside the deck in it."""
        return replace(self, main=self.main + self.aside, aside=())

    def as_text(self) -> str:
        """Return the whole list as a text that reads as this one; in quotation marks, every name can stand there."""
        lines, part = ["Deck"], ""
        for entry in (*self.main, *self.aside):
            lines += [entry.part] * (entry.part != part)
            part = entry.part
            lines.append('{} "{}"'.format(entry.copies, entry.name.replace('"', '""')))
        return "\n".join([*lines, ""])

    def summary(self, remedy: str = "") -> str:
        r"""Return in one line what was read; `remedy` says how to keep what was left out.

        >>> read_list("4 Fox\n36 Marsh\n\nSideboard\n2 Wall").summary()
        '40 cards, 2 names, from a deck list; 2 sideboard cards left out'
        """
        kinds = len({entry.name for entry in self.main})
        names = f", {counted(kinds, 'name')}" if kinds < self.cards else ""
        said = f"{counted(self.cards, 'card')}{names}, from {formats()[self.format].called}"
        if self.ordered:
            said += f", {excerpt(self.main[0].name)} to {excerpt(self.main[-1].name)}"
        parts = {entry.part: 0 for entry in self.aside}
        for entry in self.aside:
            parts[entry.part] += entry.copies
        left = [f"{counted(count, f'{part} card')} left out" for part, count in parts.items() if count]
        return "; ".join([said, *left, *([remedy] if left and remedy else []), *self.notes])


@dataclass(frozen=True, slots=True)
class Source:
    """A text to read: as it is, all its lines, those that are not empty, and whether its format was named."""

    text: str
    lines: tuple[Line, ...]
    rows: tuple[Line, ...]
    named: bool


class Format(NamedTuple):
    """A format of lists; see the docstring of this module."""

    name: str
    turn: int
    called: str
    fits: Callable[[Source], bool]
    read: Callable[[Source], DeckList]


def names_of_formats() -> list[str]:
    """Return the names of the formats, which are those of the modules of this folder."""
    return sorted(module.name for module in iter_modules(__path__))


@cache
def formats() -> dict[str, Format]:
    """Return the formats by name, in the order in which they are tried."""
    found = []
    for name in names_of_formats():
        made = import_module(f"{__name__}.{name}")
        found.append(Format(name, made.TURN, made.CALLED, made.fits, made.read))
    return {each.name: each for each in sorted(found, key=lambda each: each.turn)}


def read_list(text: str, as_: str | None = None, known: Collection[str] = ()) -> DeckList:
    r"""Read a list of cards in the format that it is in, or in the one that is named.

    Args:
        text: the list.
        as_: the name of a format, such as ``counts`` or ``names``; by default the list tells it.
        known: the cards that there are, if that is known: then a list of just these names is read as such.

    Raises:
        FairdeckError: the list is in no format, or can be read in two ways; the message names the line.

    >>> found = read_list("4 Fox\n2 Reed, Warden of Fen (ABC) 7\n\nSideboard\n3 Wall")
    >>> found.cards, found.main[1].name, found.aside[0].part
    (6, 'Reed, Warden of Fen', 'sideboard')
    """
    if (long := text.count("\n")) > LARGEST_DECK + HEADINGS:
        raise FairdeckError(
            f"the list has {long:,} lines, and a deck at most {LARGEST_DECK:,} cards; a log: fairdeck test --file FILE"
        )
    lines = lines_of(text)
    source = Source(text, lines, tuple([line for line in lines if line.text]), as_ is not None)
    if as_ is not None and as_ not in formats():
        raise FairdeckError(f"no format of lists is called {as_!r}{nearest_or_all(as_, formats())}")
    if not source.rows:
        raise FairdeckError(f"the list is empty, no card is named; {HOW}")
    if BOARDS.match(source.rows[0].text):
        raise FairdeckError(f"line {source.rows[0].at} is of a PBN or LIN file with boards: fairdeck boards FILE")
    if as_ is None and known and (found := _known(source, frozenset(known))):
        return found
    chosen = formats()[as_] if as_ else next(each for each in formats().values() if each.fits(source))
    found = chosen.read(source)
    if as_ is None:
        _demand_one_deck(found)
    return _checked(found)


def read_content(file: str, content: bytes, as_: str | None = None, known: Collection[str] = ()) -> DeckList:
    """Return the list that a file has, as `read_list` does; a FairdeckError begins with the name of the file."""
    with naming(file):
        text, note = decode(content)
        found = read_list(text, as_, known)
    return replace(found, notes=(*found.notes, note) if note else found.notes, file=file)


def plain_name(line: Line) -> str:
    """Return the name of a card that a line, or a part of it, is; in quotation marks it is taken as it is.

    Raises:
        FairdeckError: it looks like something else.
    """
    text = tidied(line.text)
    if (name := unquoted(text)) is not None:
        return name
    if NO_NAME.match(text):
        kind = next(kind for kind, pattern in NO_NAMES.items() if re.match(pattern, text, re.IGNORECASE))
        raise FairdeckError(f"line {line.at}: {excerpt(text)} {kind}: {NAMES_ONLY}")
    return text


def unquoted(text: str) -> str | None:
    """Return what stands in the quotation marks around a text; None if there are none."""
    inner = text[1:-1].replace('""', "")
    whole = len(text) > 2 and text[0] == text[-1] == '"' and '"' not in inner
    return text[1:-1].replace('""', '"').strip() if whole else None


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, such as "2 cards"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def parted(lines: Iterable[Line], between: str) -> Iterator[Line]:
    """Yield the pieces of lines between the letters `between`, of a class; one in quotation marks is not parted."""
    plain = rf"[^{between}]+"
    quoted = rf'"(?:[^"]|""){{1,{LONGEST_NAME}}}"(?=\s*(?:[{between}]|$))'
    for at, line in lines:
        pieces = re.findall(rf"{quoted}|{plain}" if '"' in line else plain, line)
        yield from (Line(at, piece) for each in pieces if (piece := each.strip()))


def _known(source: Source, known: frozenset[str]) -> DeckList | None:
    """Return the list if its lines, or its parts, are all known names."""
    for way, between in {"names": r"\n", "commas": r"\t,;"}.items():
        pieces = parted([Line(at, text.rstrip(",; \t")) for at, text in source.rows], between)
        named = [Entry(1, unquoted(text) or text, at) for at, text in ((at, tidied(text)) for at, text in pieces)]
        if known.issuperset(entry.name for entry in named):
            return DeckList(way, tuple(named), ordered=True)
    return None


def _demand_one_deck(found: DeckList) -> None:
    """Raise a FairdeckError if each line is a deck of the same cards, as in a log."""
    rows: dict[int, list[str]] = {}
    for entry in found.main:
        rows.setdefault(entry.line, []).append(entry.name)
    decks = [sorted(row) for row in rows.values()]
    if len(decks) > 1 and 1 < len(decks[0]) == len(set(decks[0])) and all(deck == decks[0] for deck in decks):
        raise FairdeckError(
            f"each of {len(decks):,} lines has the same {len(decks[0])} cards: fairdeck test --file FILE judges a log; "
            f"say --as {found.format} if they are one deck"
        )


def _checked(found: DeckList) -> DeckList:
    """Return a list that was read, with short names of playing cards, if all names and counts are possible."""
    for entry in (*found.main, *found.aside):
        if not entry.copies:
            raise FairdeckError(f"line {entry.line}: no copy of {excerpt(entry.name)}: take the line out")
        if not entry.name or not entry.name.isprintable() or len(entry.name) > LONGEST_NAME:
            raise FairdeckError(
                f"line {entry.line}: {excerpt(entry.name)} is no name of a card: use up to {LONGEST_NAME} printable "
                "letters"
            )
    if not found.main:
        raise FairdeckError("the list has no card in its main deck")
    if found.cards + sum(entry.copies for entry in found.aside) > LARGEST_DECK:
        raise FairdeckError(f"the list has {found.cards:,} cards; a deck has at most {LARGEST_DECK:,}")
    words = [entry.name for entry in (*found.main, *found.aside)]
    language, short = in_short(words)
    notes = (*found.notes, f"read as playing cards in {language}") if language not in ("", "English") else found.notes
    main, aside = _renamed(found.main, short), _renamed(found.aside, short[len(found.main) :])
    return replace(found, main=main, aside=aside, notes=notes)


def _renamed(entries: Sequence[Entry], names: Sequence[str]) -> tuple[Entry, ...]:
    return tuple([entry._replace(name=name) for entry, name in zip(entries, names, strict=False)])
