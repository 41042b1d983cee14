"""Parquet and Arrow files as the lines of a table, read by pyarrow, polars or duckdb, whichever is installed.

A table with lists is written as JSON lines, any other as CSV, so that `fairdeck.cards.logs` finds the decks in it.
"""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from fairdeck.errors import FairdeckError, MissingTool
from fairdeck.extras import installing
from fairdeck.lab.usercode.faults import shortened

PARQUET, ARROW = "a Parquet file", "an Arrow file"
KINDS = {b"PAR1": PARQUET, b"ARROW1": ARROW}
READERS = {PARQUET: ("pyarrow", "polars", "duckdb"), ARROW: ("pyarrow", "polars")}
PACKAGE = "pyarrow>=18,<28"  # reads both
ROWS = 4_096  # read at once


def kind_of(head: bytes) -> str:
    """Return what a file of this kind is, in words; nothing for another file."""
    return next((kind for mark, kind in KINDS.items() if head.startswith(mark)), "")


def table_lines(name: str, path: str, kind: str) -> Iterator[bytes]:
    """Yield the table in a file as lines, the names of the columns first.

    Raises:
        FairdeckError: no library for it is installed, or it cannot read the file.
    """
    if path == "-":
        raise FairdeckError(f"{name} is {kind}, which is not read from its beginning to its end: name the file")
    library = next((each for each in READERS[kind] if find_spec(each)), None)
    if library is None:
        raise MissingTool(f"{name} is {kind}, which {' or '.join(READERS[kind])} can read: {installing((PACKAGE,))}")
    try:
        names, batches = _opened(library, kind, path)
        first = next(batches, [])
        lists = any(isinstance(cell, list | tuple) for row in first for cell in row)
        yield b"" if lists else _csv([names])
        while first:
            yield _json(names, first) if lists else _csv(first)
            first = next(batches, [])
    except MemoryError:
        raise
    except Exception as error:  # of any library
        raise FairdeckError(
            f"{name} is {kind} that {library} cannot read ({shortened(str(error), 80)}); write it as CSV"
        ) from None


def _opened(library: str, kind: str, path: str) -> tuple[Sequence[str], Iterator[Sequence[Sequence[Any]]]]:
    """Return the names of the columns, and the rows in batches."""
    if library == "polars":
        polars = import_module("polars")
        table = polars.read_parquet(path) if kind == PARQUET else polars.read_ipc(path)
        return table.columns, (each.rows() for each in table.iter_slices(ROWS))
    if library == "duckdb":
        found = import_module("duckdb").connect().execute("select * from read_parquet(?)", [path])
        return [each[0] for each in found.description], iter(lambda: found.fetchmany(ROWS), [])
    if kind == PARQUET:
        parquet = import_module("pyarrow.parquet").ParquetFile(path)
        return parquet.schema_arrow.names, map(_rows, parquet.iter_batches(ROWS))
    arrow = import_module("pyarrow").ipc.open_file(path)
    return arrow.schema.names, (_rows(arrow.get_batch(at)) for at in range(arrow.num_record_batches))


def _rows(batch: Any) -> Sequence[Sequence[Any]]:
    return list(zip(*(column.to_pylist() for column in batch.columns), strict=True))


def _csv(rows: Sequence[Sequence[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[str(cell).replace("\n", " ") for cell in row] for row in rows])
    return text.getvalue().encode("utf-8", "replace")


def _json(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    lines = (json.dumps(dict(zip(names, row, strict=True)), default=str) + "\n" for row in rows)
    return "".join(lines).encode()
