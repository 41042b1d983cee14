"""List the shuffles known by name, the fair, the faulty and what hands do; or show one.

Wherever a command takes the name of a shuffle, NAME*7 is that shuffle seven times over.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

from fairdeck.cli.exits import FINE
from fairdeck.shuffles import Known, Streaming, find, registry

WIDEST = 110
NARROWEST = 50


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="show this one in full, such as riffle or riffle*7")
    parser.add_argument("--json", action="store_true", help="a list of objects as JSON")


def run(args: Namespace) -> int:
    """Look up and write."""
    shown = list(registry().values()) if args.name is None else [find(args.name)]
    if args.json:
        print(json.dumps([_as_dict(known) for known in shown], ensure_ascii=False))
    elif args.name is None:
        print(*_listed(shown), sep="\n")
    else:
        print(*_in_full(shown[0]), sep="\n")
    return FINE


def _as_dict(known: Known) -> dict[str, Any]:
    names = ("name", "fair", "by_hand", "says", "source", "carried", "least")
    return {name: getattr(known, name) for name in names}


def _listed(shown: Sequence[Known]) -> Iterator[str]:
    groups = {
        "FAIR: every order is equally likely": [known for known in shown if known.fair],
        "FAULTY, by hand": [known for known in shown if not known.fair and known.by_hand],
        "FAULTY, in programs": [known for known in shown if not known.fair and not known.by_hand],
    }
    column = max(len(known.name) for known in shown) + 4
    for title, members in groups.items():
        yield f"{title} ({len(members)})"
        for known in members:
            yield from _wrapped(f"  {known.name}", f"{known.says} [{known.source}]", column)
        yield ""
    yield "One in full: fairdeck shuffles NAME. Several times over: riffle*7."


def _in_full(known: Known) -> Iterator[str]:
    yield f"{known.name}: {'fair' if known.fair else 'faulty'}"
    if known.carried:
        start = "each deck from the one before"
    elif isinstance(known.shuffle, Streaming):
        start = "goes on with what it keeps from deck to deck"
    else:
        start = "each deck from the sorted deck"
    facts = {
        "what": known.says,
        "source": known.source,
        "done": "by hand" if known.by_hand else "by a program",
        "starts": start,
        "cards": f"{known.least} or more",
    }
    for name, fact in facts.items():
        yield from _wrapped(f"  {name}", fact, 11)


def _wrapped(label: str, text: str, column: int) -> Iterator[str]:
    width = min(WIDEST, max(NARROWEST, get_terminal_size().columns))
    first, *rest = wrap(text, width - column, break_on_hyphens=False)
    yield f"{label:<{column}}{first}"
    yield from (" " * column + line for line in rest)
