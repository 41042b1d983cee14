"""Where a person's pace is kept, for the commands that tell minutes."""

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

from fairdeck.errors import FairdeckError
from fairdeck.pace import ASSUMED, Pace

MOST_TEXT = 1_000_000  # characters; what is cut off is no JSON any more


def pace_argument(parser: ArgumentParser) -> None:
    """Let `parser` take a file with a pace."""
    parser.add_argument("--pace", metavar="FILE", help="the file with your pace (default: one in your own folder)")


def kept_at(args: Namespace) -> Path:
    """Return where the pace is kept."""
    if args.pace is not None:
        return Path(args.pace)
    home = os.environ.get("XDG_CONFIG_HOME")
    return (Path(home) if home else Path.home() / ".config") / "fairdeck" / "pace.json"


def pace_from(args: Namespace) -> Pace:
    """Return the pace that was measured, or the one that is assumed.

    Raises:
        FairdeckError: a file was named that cannot be read, or what it holds is no pace.
    """
    path = kept_at(args)
    try:
        return pace_at(path)
    except FileNotFoundError:
        if args.pace is not None:
            raise FairdeckError(f"there is no {str(path)!r}; measure it: fairdeck pace --measure --pace FILE") from None
        return ASSUMED


def pace_at(path: Path) -> Pace:
    """Return the pace that a file holds.

    Raises:
        FileNotFoundError: there is no such file.
        FairdeckError: it cannot be read, or what it holds is no pace.
    """
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MOST_TEXT)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FairdeckError(f"cannot read {str(path)!r} ({reason}): name another file with --pace") from None
    try:
        return Pace.from_json(text)
    except FairdeckError as error:
        raise FairdeckError(f"{path}: {error}") from None
