"""The riffle that `fairdeck hands --keep` kept, in the folder of settings."""

from fairdeck.cli.files import configured
from fairdeck.errors import FairdeckError
from fairdeck.shuffles.mine import AGAIN, Hands, written_out

NAME = "hands.json"


def kept() -> Hands | None:
    """Return the riffle that was kept; None if there is none.

    Raises:
        FairdeckError: the file cannot be read, or holds something else.
    """
    path = configured(NAME)
    if path is None:
        return None
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FairdeckError(f"cannot read {str(path)!r} ({reason}); {AGAIN}") from None
    try:
        return Hands.from_json(text)
    except FairdeckError as error:
        raise FairdeckError(f"{path}: {error}") from None


def recipe_from(text: str) -> str:
    """Return a recipe as it was typed, with the riffle that was kept in the place of ``riffle(mine)``."""
    return written_out(text, kept()) if "mine" in text.lower() else text
