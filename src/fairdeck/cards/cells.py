"""Tables as text: which mark stands between the cells, the cells of a line, and the names of the columns."""

import csv
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from fairdeck.cards.text import shown

BARS = "|│"
RULE = re.compile(r"[-+|:=─┼│═╪\s]*[-─═]{2,}[-+|:=─┼│═╪\s]*|\(\d+ rows?\)")


@dataclass(frozen=True, slots=True)
class Table:
    """The first lines of a table."""

    mark: str  # what stands between the cells; a blank for any blanks
    names: Sequence[str]  # of the columns, from the first line, as they can be shown; empty if it has none
    rows: Sequence[Sequence[str]]  # the cells of the other lines
    header: str = ""  # the line of the names
    header_at: int = 1  # its number, from 1


def table(lines: Sequence[str]) -> Table | None:
    """Return the table that lines are; None if they have one cell each, or are lists in brackets."""
    there = [(at, line) for at, line in enumerate(lines, 1) if line.strip()]
    if not there or there[0][1].lstrip()[:1] in "[({":
        return None
    ruled = any(RULE.fullmatch(line.strip()) for _, line in there)
    if ruled:
        there = [(at, line) for at, line in there if not RULE.fullmatch(line.strip())]
    if not there:
        return None
    at, first = there[0]
    mark = next((each for each in ((BARS if ruled else "") + ";,\t") if each in first), " ")
    rows = [cells(line, mark) for _, line in there]
    if len(rows[0]) < 2:
        return None
    named = (ruled and mark in BARS) or _are_names(rows[0], rows[1:])
    return Table(mark, list(map(shown, rows[0])), rows[1:], first, at) if named else Table(mark, (), rows)


def cells(line: str, mark: str) -> list[str]:
    """Return the cells of a line, without blanks around them.

    >>> cells('1,"Ace, black",', ","), cells("| a | b |", "|"), cells('a  "b c"', " ")
    (['1', 'Ace, black', ''], ['a', 'b'], ['a', 'b c'])
    """
    if mark in BARS:
        line = line.strip().removeprefix(mark).removesuffix(mark)
    elif mark == " ":  # there may be several, of several kinds
        line = " ".join(line.split())
    if '"' in line and mark not in BARS:
        with suppress(csv.Error, ValueError):
            (row,) = csv.reader([line], delimiter=mark, skipinitialspace=True)
            return [cell.strip() for cell in row]
    return line.split(" ") if mark == " " else [cell.strip() for cell in line.split(mark)]


def words(line: str, *, inner: bool = False) -> list[str]:
    """Return the cards of a line with any mark between them; quoted cards may contain it. `inner`: of a cell in quotes.

    >>> words('["AS", "K D"]'), words("AS KD"), words("Ace of Spades,Two"), words("1;2"), words("('3', '4')")
    (['AS', 'K D'], ['AS', 'KD'], ['Ace of Spades', 'Two'], ['1', '2'], ['3', '4'])
    """
    text = line.strip()
    if text.startswith("[") and text.endswith("]"):
        with suppress(ValueError, RecursionError):
            return [item if isinstance(item, str) else _written(item) for item in json.loads(text)]
    text = text.strip("[](),; \t")
    row = cells(text, next((mark for mark in ";,\t" if mark in text), " "))  # "0,0;1,0" has decimals
    if len(row) == 1 and not inner and row[0] != " ".join(text.split()):
        return words(row[0], inner=True)  # the deck is one cell of a table
    if "'" not in text:
        return list(filter(None, row))
    # Python writes single quotes around a name, CSV does not know them.
    return [word[1:-1] if len(word) > 2 and word[0] == word[-1] == "'" else word for word in row if word]


def _written(item: object) -> str:
    return str(item) if type(item) is int else json.dumps(item)  # the same, and faster


def is_number(cell: str) -> bool:
    """Say whether a cell is a whole number from 0 on."""
    return cell.isascii() and cell.isdigit() and len(cell) < 10


def is_deck(row: Sequence[str]) -> bool:
    """Say whether cells are the numbers 0..n-1 or 1..n, each once."""
    numbers = {int(cell) for cell in row if is_number(cell)}
    first = min(numbers, default=0)
    return len(numbers) == len(row) and first < 2 and max(numbers, default=-1) == first + len(row) - 1


def _are_names(first: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Say whether a line names columns: no cell is one of the next line, or a column is a word, and numbers below."""
    if not rows or len(first) != len(rows[0]) or len(set(first)) < len(first) or set(first) == set(rows[0]):
        return False
    if set(first).isdisjoint(rows[0]) and not any(map(is_number, first)):
        return True
    whole = [row for row in rows if len(row) == len(first)]
    return any(not is_number(name) and all(is_number(row[at]) for row in whole) for at, name in enumerate(first))
