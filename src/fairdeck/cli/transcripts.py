"""`fairdeck verify` for the transcript of a draw."""

import json
import re
from argparse import Namespace, _ActionsContainer
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairdeck.cli.card_lists import card_list
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.streams import one_line
from fairdeck.errors import FairdeckError, MissingTool
from fairdeck.numbers import whole
from fairdeck.trust.agreement import MOST_DECKS

if TYPE_CHECKING:
    from fairdeck.trust.verifying import Examined

VERIFICATION = "fairdeck-verification/1"  # the format of --json
OWN = ("announced", "list", "shown", "deck", "played")


def transcript_arguments(parser: _ActionsContainer) -> None:
    """Declare the options for transcripts."""
    parser.add_argument(
        "--announced", metavar="HEX", help="the digest that was published before the draw, all 64 digits"
    )
    parser.add_argument(
        "--list", metavar="HEX", help="the digest of the list that was published before the secrets were shown"
    )
    parser.add_argument(
        "--shown", metavar="HEX", help="the digest of what was shown, as it was published before the beacon spoke"
    )
    parser.add_argument("--deck", metavar="N", help="with --played: which deck, from 1")
    parser.add_argument(
        "--played",
        metavar="FILE",
        help="compare --deck with the cards as they were played: a file that lists them, top first",
    )


def demand_digest(option: str, value: str | None) -> None:
    """Raise a FairdeckError if an option is given, and is no SHA-256."""
    if value is not None and not re.fullmatch("[0-9a-fA-F]{64}", value):
        raise FairdeckError(f"{option}: {value!r} is not a digest; write its 64 hexadecimal digits")


def verify_transcript(args: Namespace, content: bytes) -> int:
    """Verify a transcript, say what was found, and return the exit code."""
    from fairdeck.trust.verifying import NOT_COMPARED, examine

    if (args.deck is None) != (args.played is None):
        raise FairdeckError("--deck and --played go together: name the deck, and the file with its cards as played")
    published = {name: digest for name in NOT_COMPARED if (digest := getattr(args, name)) is not None}
    for name, digest in published.items():
        demand_digest(f"--{name}", digest)
    deck, played = -1, ""
    if args.deck is not None:
        deck, played = whole("deck", args.deck, 1, MOST_DECKS) - 1, card_list(args.played, "played")
    try:
        found = examine(content, published, deck, played)
    except FairdeckError as error:
        if played or isinstance(error, MissingTool):  # the fault may be in the other file, or in none
            raise
        raise FairdeckError(f"{args.file!r}: {error}") from None
    if args.json:
        told = {
            "format": VERIFICATION,
            "holds": found.holds,
            "first_fault": found.first_fault,
            "checked": len(found.checks),
            "checks": found.checks,
            "remarks": found.remarks,
        }
        print(json.dumps(told | _results(found)))
    else:
        print(*map(one_line, _lines(found)), sep="\n")
    return FINE if found.holds else DOES_NOT_HOLD


def _results(found: "Examined") -> dict[str, object]:
    """Return what a transcript that holds says."""
    if found.transcript is None:
        return {}
    agreement, drawn = found.transcript.agreement, found.transcript.drawn
    return {
        "digest": agreement.digest.hex(),
        "result": drawn.code,
        "attempt": agreement.attempt,
        "decks": agreement.decks,
    }


def _lines(found: "Examined") -> Iterator[str]:
    yield "It holds." if found.holds else f"It does not hold: {found.first_fault}."
    if found.transcript:
        agreement = found.transcript.agreement
        yield f"drawn by {', '.join(agreement.people)}; agreed on as {agreement.digest.hex()}"
        yield f"result code {found.transcript.drawn.code}, transcript {found.transcript.digest}"
    yield f"computed again: {', '.join(found.checks) or 'nothing'}"
    yield from found.remarks
