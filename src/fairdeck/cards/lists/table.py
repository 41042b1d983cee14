"""Tables of cards with a header: a column of counts or of places, and one of names; commas, semicolons or tabs between.

Spreadsheets and collection programs write them. Without a header, ``1,AC`` and so on are places if the first column is
1, 2, 3 and so on, up to 4 at least.
"""

from collections.abc import Sequence

from fairdeck.cards.cells import cells
from fairdeck.cards.lists import ASIDE, DeckList, Entry, Source
from fairdeck.cards.text import Line, excerpt, tidied
from fairdeck.errors import FairdeckError

TURN, CALLED = 40, "a table"
COUNTS = ("count", "quantity", "qty", "amount", "copies")
NAMES = ("name", "card", "card name", "card_name", "title")
PLACES = ("pos", "position", "place", "no", "no.", "#", "id")
BOARDS = ("sideboard", "sideboarded", "board", "section", "zone")
FEWEST_PLACES = 4
LONGEST_NUMBER = 7


def fits(source: Source) -> bool:
    """Return whether the first line is a header, or all lines begin with a number and a comma."""
    rows, _ = _rows(source)
    between = _between(rows)
    if between and _header(cells(rows[0].text, between)):
        return True
    return len(rows) > 1 and _numbered(rows) != ""


def read(source: Source) -> DeckList:
    """Return the list."""
    rows, told = _rows(source)
    between = told or _between(rows)
    header = cells(rows[0].text, between) if between else []
    if not _header(header):
        return _without_header(rows)
    return _with_header(rows, header, between)


def _rows(source: Source) -> tuple[Sequence[Line], str]:
    """Return the lines, and what is between their cells if the first says so, as Excel writes it."""
    first = source.rows[0].text.lower()
    if len(source.rows) > 1 and len(first) == 5 and first.startswith("sep="):
        return source.rows[1:], first[4]
    return source.rows, ""


def _between(rows: Sequence[Line]) -> str:
    return next((each for each in "\t;," if _header(cells(rows[0].text, each))), "")


def _header(header: Sequence[str]) -> bool:
    known = {cell.lower() for cell in header}
    return not known.isdisjoint(NAMES) and not known.isdisjoint(COUNTS + PLACES)


def _column(header: Sequence[str], at: int, known: Sequence[str]) -> int | None:
    found = [column for column, cell in enumerate(header) if cell.lower() in known]
    if len(found) > 1:
        names = " and ".join(repr(header[column]) for column in found[:2])
        raise FairdeckError(f"line {at}: which column is meant, {names}? Take the other out")
    return found[0] if found else None


def _with_header(rows: Sequence[Line], header: Sequence[str], between: str) -> DeckList:
    first = rows[0].at
    name, count, place, board = (_column(header, first, each) for each in (NAMES, COUNTS, PLACES, BOARDS))
    found, numbers = [], []
    for at, text in rows[1:]:
        row = cells(text, between)
        if len(row) > len(header) or name is None or len(row) <= name:
            raise FairdeckError(f"line {at}: {excerpt(text)} has {len(row)} cells, and the header {len(header)}")
        column = count if count is not None else place
        number = row[column] if column is not None and column < len(row) else ""
        if not (number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER):
            what = "a number of cards" if count is not None else "a place"
            raise FairdeckError(f"line {at}: {excerpt(number)} is not {what}")
        numbers.append(int(number))
        where = row[board].lower() if board is not None and board < len(row) else ""
        part = "sideboard" if where in ("yes", "true", "1") else ASIDE.get(where, "")
        found.append(Entry(int(number) if count is not None else 1, tidied(row[name]), at, part))
    if count is None:
        return _in_places(found, numbers)
    main, aside = (tuple([entry for entry in found if bool(entry.part) == beside]) for beside in (False, True))
    return DeckList("table", main, aside)


def _in_places(found: Sequence[Entry], places: Sequence[int]) -> DeckList:
    free = set(range(1, len(places) + 1))
    for entry, place in zip(found, places, strict=True):
        if place not in free:
            raise FairdeckError(f"line {entry.line}: {place}: the places are not 1, 2, 3 and so on, each once")
        free.remove(place)
    in_order = [entry for _, entry in sorted(zip(places, found, strict=True))]
    return DeckList("table", tuple(in_order), ordered=True)


def _numbered(rows: Sequence[Line]) -> str:
    """Return what stands between a number and the rest on every line; empty if there is no such letter."""
    for between in "\t;,":
        heads = [line.text.partition(between) for line in rows]
        if all(head.strip().isdigit() and tidied(rest) and not rest.strip().isdigit() for head, _, rest in heads):
            return between if between != "\t" or _places([head for head, _, _ in heads]) else ""
    return ""


def _places(heads: Sequence[str]) -> bool:
    return len(heads) >= FEWEST_PLACES and [head.strip() for head in heads] == [
        str(place) for place in range(1, len(heads) + 1)
    ]


def _without_header(rows: Sequence[Line]) -> DeckList:
    between = _numbered(rows)
    split = [cells(line.text, between) if between else [line.text] for line in rows]
    if between and _places([row[0] for row in split]) and all(len(row) == 2 for row in split):
        return _in_places(
            [Entry(1, tidied(row[1]), line.at) for line, row in zip(rows, split, strict=True)], range(1, len(rows) + 1)
        )
    raise FairdeckError(
        f"line {rows[0].at}: {excerpt(rows[0].text)}: a table needs a header, such as Count,Name for copies, or "
        "Place,Name for places from the top; or say --as counts"
    )
