"""`--pace`: the file with a person's pace, for the commands that estimate minutes."""

from argparse import Namespace, _ActionsContainer
from pathlib import Path

from fairdeck.cli.config_file import pace_file
from fairdeck.cli.files import configured
from fairdeck.dealing.pace import ASSUMED, Pace
from fairdeck.errors import FairdeckError

NAME = "pace.json"
MOST_TEXT = 1_000_000  # characters; a longer file is cut off, and then is not JSON


def pace_argument(parser: _ActionsContainer) -> None:
    """Declare --pace."""
    parser.add_argument(
        "--pace",
        metavar="FILE",
        help="the file with your pace, see fairdeck pace (default: pace.json in your folder of settings)",
    )


def kept_at(args: Namespace) -> Path | None:
    """Return the file of the pace: the one named here, or in the config file, or the one in the folder of settings."""
    if args.pace is not None:
        return Path(args.pace)
    return pace_file() or configured(NAME)


def pace_from(args: Namespace) -> Pace:
    """Return the measured pace, or the assumed one."""
    path = kept_at(args)
    if path is None:
        return ASSUMED
    try:
        return pace_at(path)
    except FileNotFoundError:
        if args.pace is not None:
            raise FairdeckError(
                f"there is no {str(path)!r}: measure it with fairdeck pace --measure --pace FILE"
            ) from None
        return ASSUMED


def pace_at(path: Path) -> Pace:
    """Return the pace in a file.

    Raises:
        FileNotFoundError: there is no such file.
        FairdeckError: the file cannot be read, or is not a pace.
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
