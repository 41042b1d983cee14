"""The formats of what `--json` prints: each object names its own in the field ``format``.

A later fairdeck may add fields to a format. If the name or the meaning of a field changes, the number behind the stroke
does.
"""

from argparse import _ActionsContainer

FORMATS = {
    "fairdeck-advice/1": "the ways to shuffle a deck, best first",
    "fairdeck-board-lists/1": "lists for bridge boards",
    "fairdeck-check/1": "how much work a deal is",
    "fairdeck-config/1": "the settings, and where each comes from",
    "fairdeck-doctor/1": "what works here, and what does not",
    "fairdeck-hands/1": "what riffles tell of the hands that made them",
    "fairdeck-histogram/1": "decks counted by their rank",
    "fairdeck-law/1": "how likely each order is",
    "fairdeck-mix/1": "how far a deck is from random",
    "fairdeck-packets/1": "a packet procedure, step by step",
    "fairdeck-plan/1": "a plan",
    "fairdeck-rank/1": "the place of an order among all",
    "fairdeck-report/1": "the report of a test",
    "fairdeck-riffle/1": "the riffle that is kept; its file as well",
    "fairdeck-runs/1": "the runs in a store",
    "fairdeck-schemes/1": "the known schemes",
    "fairdeck-shuffle/1": "items in random order",
    "fairdeck-shuffles/1": "the known shuffles",
    "fairdeck-statistics/1": "the statistics and the standards of the lab",
    "fairdeck-step/1": "the result of a step of fairdeck together",
    "fairdeck-verification/1": "what a verification found",
}


def json_argument(parser: _ActionsContainer, *formats: str, fields: str) -> None:
    """Declare --json, with the names of the formats, the usual one first, and the fields of that."""
    unknown = set(formats) - set(FORMATS)
    assert not unknown, f"add a line to FORMATS in {__name__}: {unknown}"  # noqa: S101 - it is for readers
    usual, *others = formats
    more = f"; or {' or '.join(others)}" if others else ""
    parser.add_argument("--json", action="store_true", help=f"as JSON, {usual}: {fields}{more}".replace("%", "%%"))
