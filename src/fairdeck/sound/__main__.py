"""Build all voices into a folder: ``python -m fairdeck.sound FOLDER``."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from fairdeck.cli import OneLineParser
from fairdeck.cli.exits import BAD_INPUT, FINE
from fairdeck.cli.streams import one_line, prepare
from fairdeck.errors import FairdeckError
from fairdeck.sound import LANGUAGES, Voice, build


def main(argv: Sequence[str] | None = None) -> int:
    """Build every language's voice, write it, say so, and return the exit code."""
    parser = OneLineParser(prog="python -m fairdeck.sound", description="Build the voices that call labels aloud.")
    parser.add_argument("folder", metavar="FOLDER", help="where to write a track and its table for every language")
    args = parser.parse_args(argv)
    try:
        prepare()
        for language in LANGUAGES:
            voice = build(language)
            write(voice, Path(args.folder), language)
            sys.stdout.write(f"{language}: {describe(voice)}\n")
    except FairdeckError as error:
        sys.stderr.write(f"{parser.prog}: {one_line(str(error))}\n")
        return BAD_INPUT
    return FINE


def write(voice: Voice, folder: Path, name: str) -> None:
    """Write the track and its table into the folder, which is made if it is missing.

    Raises:
        FairdeckError: the folder cannot be written to.
    """
    table = json.dumps(voice.table, separators=(",", ":"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.ogg").write_bytes(voice.ogg)
        (folder / f"{name}.json").write_text(table + "\n", encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FairdeckError(f"cannot write into {str(folder)!r} ({reason}): name another folder") from None


def describe(voice: Voice) -> str:
    """Return how much the voice holds, for people."""
    seconds = sum(end - start for start, end in voice.table.values()) / 1000
    return f"{len(voice.table)} words, {seconds:.1f} s, {len(voice.ogg) / 1000:.1f} KB"


if __name__ == "__main__":
    sys.exit(main())
