"""Files that list cards, top first, as people read a deck."""

import sys
from collections.abc import Sequence

from fairdeck.cli.files import decoded, read
from fairdeck.dealing.cards import summary_of_names
from fairdeck.errors import FairdeckError

LARGEST = 1 << 26  # bytes: a million cards with long names


def card_list(name: str, what: str) -> str:
    """Return the text of a file that lists cards; `-` is standard input.

    Args:
        name: of the file.
        what: the list is, for messages.

    Raises:
        FairdeckError: the file cannot be read, is too long, or is not UTF-8 text; the message names the line.
    """
    content = read(name, LARGEST, "name a file that lists the cards, top first")
    try:
        return decoded(content)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise FairdeckError(f"{what}: line {line} of {name!r} is not UTF-8 text: save the list as UTF-8") from None


def note_names(what: str, cards: Sequence[str]) -> None:
    """Say on standard error which names of a list were taken for cards, unless they are French cards or numbers."""
    if summary := summary_of_names(cards):
        print(f"note: {what}: {summary}", file=sys.stderr)
