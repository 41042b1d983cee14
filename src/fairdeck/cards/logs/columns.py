"""Tables with a deck in each line, in some of the columns: CSV, the output of psql, Markdown.

The cards are in the columns with one stem and numbers, such as c0 to c51; or, without such names, in the only column
that holds a whole deck in each cell, or the only columns that hold one, of the same cards in all of the first lines.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence

from fairdeck.cards.cells import BARS, RULE, Table, cells, is_deck, is_number, table, words
from fairdeck.cards.logs import SEEN, SEPARATING, Asked, Layout, joined
from fairdeck.errors import FairdeckError

TURN = 4
FEWEST = 3  # cards that are told without names
MOST_BESIDE = 16  # columns on each side of them
MOST_NAMED = 5  # columns that a message names
MOST_DECKS = 12  # columns with decks in their cells
NUMBERED = re.compile(r"(.*?)(\d{1,6})")
ASK = "say which columns hold the cards: --columns FIRST-LAST, by name or number"


class Columns(Layout):
    """The columns that hold the cards, in this order."""

    def __init__(self, found: Table, columns: Sequence[int], width: int) -> None:
        self._mark, self._header, self._columns, self._width = found.mark, found.header.strip(), columns, width
        first, last = columns[0], columns[-1]
        plain = self._mark in ",;\t" and list(columns) == list(range(first, last + 1))
        self._beside = (first, width - 1 - last) if plain else None  # cells on each side of the cards
        others = [_name(found, each) for each in range(width) if each not in set(columns)]
        beside = ", ".join(others[:MOST_NAMED]) + ", ..." * (len(others) > MOST_NAMED)
        self.note = (
            f"read as a table: the cards are in columns {_name(found, first)} to {_name(found, last)}; left out: "
            f"{beside or 'nothing'}; --columns chooses others"
        )

    def lines(self, text: str) -> str:
        """Return the cards of whole lines, all at once if they have nothing but marks between their cells."""
        mark, marks = self._mark, (self._width - 1) * text.count("\n")
        if self._beside and text.count(mark) == marks and not (self._header and self._header in text):
            left, right = self._beside
            plain = "".join(
                [line.split(mark, left)[-1].rsplit(mark, right)[0] + "\n" for line in text.split("\n")[:-1]]
            )
            if not any(each in plain for each in SEPARATING if each != mark):
                return plain
        return super().lines(text)

    def line(self, line: str) -> str:
        """Return the cards of a line; nothing for one of names or rules."""
        if _holds_none(line.strip(), self._mark, self._header):
            return ""
        row = cells(line, self._mark)
        if len(row) > self._width:
            return line
        return joined(row[each] for each in self._columns if each < len(row)) or line


class Cell(Layout):
    """The column that holds a deck in each cell, as arrays of a database and lists in quotation marks do."""

    def __init__(self, found: Table, column: int) -> None:
        self._mark, self._header, self._column = found.mark, found.header.strip(), column
        others = [_name(found, each) for each in range(len(found.rows[0])) if each != column]
        self.note = (
            f"read as a table: a deck is in each cell of column {_name(found, column)}; left out: {_few(others)}; "
            "--columns chooses others"
        )

    def line(self, line: str) -> str:
        """Return the cards of a line; nothing for one of names or rules."""
        if _holds_none(line.strip(), self._mark, self._header):
            return ""
        row = cells(line, self._mark)
        return joined(_listed(row[self._column]) if len(row) > self._column else ()) or line


def find(lines: Sequence[str], asked: Asked) -> Layout | None:
    """Return the columns of a table that hold the cards."""
    found = table([line for line in lines if line.strip()][:SEEN])
    if found is None:
        return None
    width = len(found.names or found.rows[0])
    if (column := _cell_of_deck(found, width, asked.columns)) is not None:
        return Cell(found, column)
    if asked.columns:
        return Columns(found, _asked(found, asked.columns, width), width)
    whole = found.rows and _cards_are(found.rows, slice(0, width))
    if whole and found.mark in BARS:
        return Columns(found, range(width), width)
    columns = (
        () if found.rows and is_deck(found.rows[0]) else _by_names(found, width, bool(whole)) or _by_cards(found, width)
    )
    if len(columns) not in (0, width):
        return Columns(found, columns, width)
    if found.mark in BARS:
        raise FairdeckError(f"line {found.header_at}: a table with the columns {_few(found.names)}; {ASK}")
    return None


def cell_in(lines: Sequence[str], name: str) -> tuple[Callable[[str], str | None], Callable[[str], str]]:
    """Return what reads a column of a table, None where a line has no cells, and what leaves the column out.

    Raises:
        FairdeckError: it is no table, or has no such column.
    """
    found = table([line for line in lines if line.strip()][:SEEN])
    if found is None:
        raise FairdeckError(f"--by {name[:40]}: it is neither a table nor JSON lines, which name the column")
    width = len(found.names or found.rows[0])
    if name not in found.names and not (is_number(name) and 0 < int(name) <= width):
        raise FairdeckError(f"--by {name[:40]}: its columns are {_few([_name(found, each) for each in range(width)])}")
    at = found.names.index(name) if name in found.names else int(name) - 1
    mark, header = found.mark, found.header.strip()

    def value(line: str) -> str | None:
        row = () if _holds_none(line.strip(), mark, header) else cells(line, mark)
        return None if not row else row[at] if at < len(row) else ""

    def cut(line: str) -> str:
        row = [] if mark in BARS and RULE.fullmatch(line.strip()) else cells(line, mark)
        rest = ((each, each.replace('"', '""')) for each in row[:at] + row[at + 1 :])
        return ",".join(f'"{quoted}"' if set(each) & set(SEPARATING) else each for each, quoted in rest)

    return value, cut


def _holds_none(text: str, mark: str, header: str) -> bool:
    """Say whether a line of a table has no cells but names, or is a rule, or empty."""
    return not text or text == header or (mark in BARS and RULE.fullmatch(text) is not None)


def _cell_of_deck(found: Table, width: int, asked: str) -> int | None:
    """Return the only column whose cells hold decks of the same cards, or as many numbers; or any that is asked for."""
    if width < 2 or not found.rows or any(len(row) != width for row in found.rows):
        return None
    if not asked and width > MOST_DECKS and 2 * sum(len(_listed(cell)) > 1 for cell in found.rows[0]) > width:
        return None  # names of several words, such as tracks, of one deck
    cards = [[_listed(row[column]) for row in found.rows] for column in range(width)]
    if asked:
        named = [each for each in range(width) if asked in (_name(found, each), str(each + 1))]
        return next((each for each in named if all(len(row) > 1 for row in cards[each])), None)
    columns = [at for at, rows in enumerate(cards) if len(rows[0]) >= FEWEST and _cards_are(rows, slice(None))]
    columns = columns or [each for each in range(width) if _are_draws(cards[each])]
    if len(columns) > 1:
        names = " and ".join(_name(found, each) for each in columns[:2])
        raise FairdeckError(f"a deck is in each cell of the columns {names}; say which: --columns NAME")
    return next(iter(columns), None)


def _listed(cell: str) -> list[str]:
    """Return the cards of a cell; PostgreSQL writes arrays in braces."""
    return words(cell.strip("{} "))


def _are_draws(rows: Sequence[Sequence[str]]) -> bool:
    size = len(rows[0])
    return size >= FEWEST and all(len(set(row)) == len(row) == size and all(map(is_number, row)) for row in rows)


def _asked(found: Table, columns: str, width: int) -> Sequence[int]:
    """Return the columns that somebody names: FIRST-LAST, by names or numbers, or a stem."""
    places = {name: at for at, name in enumerate(found.names)}
    for dash in re.finditer("-", columns):
        first, last = columns[: dash.start()].strip(), columns[dash.end() :].strip()
        if first in places and last in places:
            ends = places[first], places[last]
        elif is_number(first) and is_number(last):
            ends = int(first) - 1, int(last) - 1
        else:
            continue
        if 0 <= ends[0] < ends[1] < width:
            return range(ends[0], ends[1] + 1)
    if stem := _stems(found).get(columns):
        return stem
    names = f"its columns are {_few(found.names)}" if found.names else f"it has {width} columns without names"
    raise FairdeckError(
        f"--columns {columns[:40]!r}: {names}; write FIRST-LAST, such as 2-53, or what their names begin with, or the "
        "one that has all cards of a deck"
    )


def _by_names(found: Table, width: int, whole: bool) -> Sequence[int]:
    """Return the columns with one stem and numbers; nothing if there are none, or if all columns are a `whole` deck."""
    stems = _stems(found)
    if whole and sum(map(len, stems.values())) == width:
        return ()
    if len(stems) > 1:
        both = " and ".join(f"{_name(found, each[0])} to {_name(found, each[-1])}" for each in list(stems.values())[:2])
        raise FairdeckError(f"line {found.header_at}: the cards may be in the columns {both}; {ASK}")
    return next(iter(stems.values()), ())


def _stems(found: Table) -> dict[str, list[int]]:
    """Return the columns with the same stem and the numbers 0, 1, 2 ... or 1, 2, 3 ..., by the stem."""
    numbers: dict[str, dict[int, int]] = defaultdict(dict)
    for at, name in enumerate(found.names):
        if match := NUMBERED.fullmatch(name):
            numbers[match[1]][int(match[2])] = at
    return {
        stem: [at for _, at in sorted(columns.items())]
        for stem, columns in numbers.items()
        if len(columns) > 1 and min(columns) in (0, 1) and max(columns) - min(columns) == len(columns) - 1
    }


def _by_cards(found: Table, width: int) -> Sequence[int]:
    """Return the only columns that hold a deck of the same cards in each row; nothing if there are none."""
    rows = found.rows
    if len(rows) < 2 or any(len(row) != width for row in rows):
        return ()
    fitting = [
        range(left, width - right)
        for left in range(min(width, MOST_BESIDE))
        for right in range(min(width - left - FEWEST + 1, MOST_BESIDE))
        if _cards_are(rows, slice(left, width - right))
    ]
    fitting = [each for each in fitting if not _is_beside(rows, each)]
    fitting = [each for each in fitting if is_deck(rows[0][each.start : each.stop])] or fitting
    if len(fitting) > 1 and len(fitting[0]) < width:
        both = " or ".join(f"{_name(found, each[0])} to {_name(found, each[-1])}" for each in fitting[:2])
        raise FairdeckError(f"the cards may be in the columns {both}; {ASK}")
    return next(iter(fitting), ())


def _is_beside(rows: Sequence[Sequence[str]], columns: range) -> bool:
    """Say whether a card of some columns, if it is a word, also stands in another column: then it is there twice."""
    return any(
        not cards.isdisjoint(row[: columns.start] + row[columns.stop :])
        for row in map(list, rows)
        if (cards := {cell for cell in row[columns.start : columns.stop] if not is_number(cell)})
    )


def _cards_are(rows: Sequence[Sequence[str]], part: slice) -> bool:
    """Say whether a part of each row is a deck, of the same cards in all of them: words, or all numbers of a deck."""
    first = rows[0][part]
    cards = set(first)
    if len(cards) < len(first) or "" in cards or (all(map(is_number, first)) and not is_deck(first)):
        return False
    return all(len(row) == len(rows[0]) and set(row[part]) == cards for row in rows)


def _name(found: Table, column: int) -> str:
    return found.names[column][:40] if found.names else str(column + 1)


def _few(names: Sequence[str]) -> str:
    return ", ".join(name[:40] for name in names[:MOST_NAMED]) + ", ..." * (len(names) > MOST_NAMED)
