"""The formats of what `--json` prints: each object names its own in the field ``format``.

A later fairdeck may add fields to a format. If the name or the meaning of a field changes, the number behind the stroke
does.
"""

from argparse import _ActionsContainer

FORMATS = {
    "fairdeck-advice/1",
    "fairdeck-board-lists/1",
    "fairdeck-check/1",
    "fairdeck-config/1",
    "fairdeck-doctor/1",
    "fairdeck-hands/1",
    "fairdeck-histogram/1",
    "fairdeck-law/1",
    "fairdeck-mix/1",
    "fairdeck-packets/1",
    "fairdeck-plan/1",
    "fairdeck-rank/1",
    "fairdeck-report/1",
    "fairdeck-riffle/1",
    "fairdeck-runs/1",
    "fairdeck-schemes/1",
    "fairdeck-shuffle/1",
    "fairdeck-shuffles/1",
    "fairdeck-statistics/1",
    "fairdeck-step/1",
    "fairdeck-verification/1",
}


def json_argument(parser: _ActionsContainer, *formats: str, fields: str) -> None:
    """Declare --json, with the names of the formats, the usual one first, and the fields of that."""
    unknown = set(formats) - FORMATS
    assert not unknown, f"add a line to FORMATS in {__name__}: {unknown}"  # noqa: S101 - it is for readers
    usual, *others = formats
    more = f"; or {' or '.join(others)}" if others else ""
    parser.add_argument("--json", action="store_true", help=f"as JSON, {usual}: {fields}{more}".replace("%", "%%"))
