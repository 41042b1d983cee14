"""What earlier versions had, and what to use instead: a line for each command that went, and for each option.

An option of one command only stands behind that command.
"""

from fairdeck.errors import FairdeckError

INSTEAD = {
    "voices": "in a clone, make voices builds the recorded voices of the page",
    "--audio": "a page speaks the deal: fairdeck deal 60 --html deal.html",
    "--tempo": "a page speaks the deal, at any tempo: fairdeck deal 60 --html deal.html",
    "--no-click": "a page speaks the deal, with or without clicks: fairdeck deal 60 --html deal.html",
}


def demand_not_removed(word: str, command: str = "") -> None:
    """Say what to use in place of a command, or of an option of a command, that earlier versions had.

    Raises:
        FairdeckError: they had it.
    """
    if instead := INSTEAD.get(f"{command} {word}".strip()) or INSTEAD.get(word):
        raise FairdeckError(f"{word} is no longer part of fairdeck; {instead}")
