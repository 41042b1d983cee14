"""Write the dealing page as one HTML file that works from disk, with no network."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from fairdeck.page import build


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write; without it, standard output")


def run(args: Namespace) -> int:
    """Build and write."""
    if args.output is None:
        sys.stdout.buffer.write(build().encode())
        sys.stdout.buffer.flush()
        return 0
    Path(args.output).write_text(build(), encoding="utf-8")
    print(f"wrote {args.output}: open it in a browser", file=sys.stderr)
    return 0
