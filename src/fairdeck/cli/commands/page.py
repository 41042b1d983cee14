"""Write the dealing page as one HTML file that works from disk, with no network."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from fairdeck.cli.exits import FINE
from fairdeck.errors import FairdeckError
from fairdeck.page import build


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write (default, or for -: standard output)")


def run(args: Namespace) -> int:
    """Build and write."""
    if args.output in (None, "-"):
        sys.stdout.write(build())
        return FINE
    try:
        Path(args.output).write_text(build(), encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FairdeckError(f"cannot write {args.output!r} ({reason}): name another file with -o") from None
    print(f"wrote {args.output}: open it in a browser", file=sys.stderr)
    return FINE
