"""Write the man pages of fairdeck into a folder.

There is fairdeck.1, and one page for each command, such as fairdeck-deal.1. They say the same as the commands' --help.
Without a folder, the page of fairdeck itself, or of a COMMAND, goes to standard output.
"""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from fairdeck.cli.commands import SUMMARIES
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import write
from fairdeck.cli.help.manual import manual, manuals
from fairdeck.errors import FairdeckError

EXAMPLES = {
    "fairdeck man -o ~/.local/share/man/man1": "then: man fairdeck-deal",
    "fairdeck man deal | man -l -": "read one, and write nothing",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "name",
        nargs="?",
        metavar="COMMAND",
        choices=tuple(SUMMARIES),
        help="print the page of this command (default: that of fairdeck itself)",
    )
    parser.add_argument("-o", "--output", metavar="FOLDER", help="write all pages into this folder")


def run(args: Namespace) -> int:
    if args.output is None:
        print(manual(args.name or ""), end="")
        return FINE
    if args.name is not None:
        raise FairdeckError(f"-o writes all pages: leave out {args.name!r}")
    folder = Path(args.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FairdeckError(f"cannot write into {args.output!r} ({reason}): name another folder") from None
    pages = manuals()
    for name, page in pages.items():
        write(folder / name, page)
    print(f"wrote {len(pages)} pages into {args.output}; read one: man {folder / 'fairdeck.1'}", file=sys.stderr)
    return FINE
