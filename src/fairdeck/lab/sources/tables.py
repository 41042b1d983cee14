"""Parquet, Arrow and SQLite files as the lines of a table.

A table with lists is written as JSON lines, any other as CSV, so that `fairdeck.cards.logs` finds the decks in it.
"""

import csv
import io
import json
import sqlite3
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

from fairdeck.cards.logs import Asked
from fairdeck.errors import FairdeckError
from fairdeck.extras import missing
from fairdeck.lab.usercode.faults import shortened

PARQUET, ARROW, SQLITE = "a Parquet file", "an Arrow file", "an SQLite file"
KINDS = {b"PAR1": PARQUET, b"ARROW1": ARROW, b"SQLite format 3\0": SQLITE}
ROWS = 4_096  # read at once

Table = tuple[Sequence[str], Iterator[Sequence[Sequence[Any]]]]  # the names of the columns, and the rows in batches


def kind_of(head: bytes) -> str:
    """Return what a file of this kind is, in words; nothing for another file."""
    return next((kind for mark, kind in KINDS.items() if head.startswith(mark)), "")


def table_lines(name: str, path: str, kind: str, asked: Asked, said: list[str]) -> tuple[Iterator[bytes], Asked]:
    """Return the table in a file as lines, the names of the columns first, and where in these the decks are.

    The path in `asked` begins with the table of an SQLite file that has several; `said` takes a note on which it is.

    Raises:
        FairdeckError: the library for it is not installed, or cannot read the file, or it holds several tables.
    """
    if path == "-":
        raise FairdeckError(f"{name} is {kind}, which is not read from its beginning to its end: name the file")
    if kind != SQLITE and not find_spec("pyarrow"):
        raise missing(f"{name} is {kind}, which needs pyarrow", "tables")
    table, _, inner = asked.path.partition(".") if kind == SQLITE else ("", "", asked.path)
    return _lines(name, path, kind, table, said), Asked(asked.columns, inner)


def _lines(name: str, path: str, kind: str, table: str, said: list[str]) -> Iterator[bytes]:
    try:
        names, batches = _sqlite(path, table, said) if kind == SQLITE else _arrow(path, kind)
        first = next(batches, [])
        lists = any(isinstance(cell, list | tuple) for row in first for cell in row)
        yield b"" if lists else _csv([names])
        for rows in chain([first], batches):
            yield _json(names, rows) if lists else _csv(rows)
    except MemoryError:
        raise
    except FairdeckError as error:
        raise FairdeckError(f"{name} is {kind}: {error}") from None
    except Exception as error:  # of any library
        raise FairdeckError(f"{name} is {kind} that cannot be read ({shortened(str(error), 200)})") from None


def _arrow(path: str, kind: str) -> Table:
    if kind == PARQUET:
        parquet = import_module("pyarrow.parquet").ParquetFile(path)
        return parquet.schema_arrow.names, map(_rows, parquet.iter_batches(ROWS))
    arrow = import_module("pyarrow").ipc.open_file(path)
    return arrow.schema.names, (_rows(arrow.get_batch(at)) for at in range(arrow.num_record_batches))


def _rows(batch: Any) -> Sequence[Sequence[Any]]:
    return list(zip(*(column.to_pylist() for column in batch.columns), strict=True))


def _sqlite(path: str, table: str, said: list[str]) -> Table:
    """Return the table of this name, or the only one."""
    found = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)
    known = [each for (each,) in found.execute("select name from sqlite_schema where type = 'table' or type = 'view'")]
    tables = [each for each in known if not each.startswith("sqlite_") and each in (table or each,)]
    if len(tables) != 1:
        raise FairdeckError(f"its tables are {', '.join(known[:9]) or 'none'}: name one with --path TABLE")
    said.append(f"read from the table {tables[0][:40]}")
    quoted = tables[0].replace('"', '""')
    rows = found.execute(f'select * from "{quoted}"')  # noqa: S608 - the name is quoted
    return [each[0] for each in rows.description], (
        [[_cell(cell) for cell in row] for row in some] for some in iter(lambda: rows.fetchmany(ROWS), [])
    )


def _cell(cell: Any) -> Any:
    return json.loads(cell) if isinstance(cell, str) and cell.startswith("[") and cell.endswith("]") else cell


def _csv(rows: Sequence[Sequence[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[str(cell).replace("\n", " ") for cell in row] for row in rows])
    return text.getvalue().encode("utf-8", "replace")


def _json(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    lines = (json.dumps(dict(zip(names, row, strict=True)), default=str) + "\n" for row in rows)
    return "".join(lines).encode()
