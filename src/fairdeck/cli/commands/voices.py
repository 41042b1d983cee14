"""Build the recorded voices of the dealing page again.

Every language gets a track, such as en.ogg, and a table that says where each word is in the track, en.json. This needs
espeak-ng and the extra `sound`; without them the exit code is 69.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from fairdeck.cli import files
from fairdeck.cli.exits import FINE
from fairdeck.errors import FairdeckError

if TYPE_CHECKING:
    from fairdeck.sound import Voice


EXAMPLES = {
    "fairdeck voices new-voices": "into a new folder",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="the folder for a track and a table of every language")


def run(args: Namespace) -> int:
    from fairdeck.sound import LANGUAGES, build  # loads NumPy

    for language in LANGUAGES:
        voice = build(language)
        write(voice, Path(args.folder), language)
        sys.stdout.write(f"{language}: {describe(voice)}\n")
    return FINE


def write(voice: "Voice", folder: Path, name: str) -> None:
    """Write the track and its table into the folder; make the folder if it is missing.

    Raises:
        FairdeckError: the folder cannot be written to.
    """
    table = json.dumps(voice.table, separators=(",", ":"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FairdeckError(f"cannot write into {str(folder)!r} ({reason}): name another folder") from None
    files.write(folder / f"{name}.ogg", voice.ogg)
    files.write(folder / f"{name}.json", table + "\n")


def describe(voice: "Voice") -> str:
    """Return the size of a voice, for people."""
    seconds = sum(end - start for start, end in voice.table.values()) / 1000
    return f"{len(voice.table)} words, {seconds:.1f} s, {len(voice.ogg) / 1000:.1f} KB"
