"""The formats of what `--json` prints: each object names its own in the field ``format``.

A later fairdeck may add fields to a format. If the name or the meaning of a field changes, the number behind the stroke
does.
"""

from argparse import _ActionsContainer


def json_argument(parser: _ActionsContainer, *formats: str, fields: str) -> None:
    """Declare --json, with the names of the formats, the usual one first, and the fields of that."""
    usual, *others = formats
    more = f"; or {' or '.join(others)}" if others else ""
    parser.add_argument("--json", action="store_true", help=f"as JSON, {usual}: {fields}{more}".replace("%", "%%"))
