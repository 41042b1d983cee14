"""The riffle that `fairdeck hands --keep` kept, in the folder of settings."""

from pathlib import Path

from fairdeck.cli.files import configured, configured_surely
from fairdeck.errors import FairdeckError
from fairdeck.shuffles.mine import AGAIN, Hands, written_out

NAME = "hands.json"
MOST_TEXT = 100_000  # characters


def kept_at() -> Path | None:
    """Return the path of the file; it need not exist. None if the account has no home folder."""
    return configured(NAME)


def to_keep_at() -> Path:
    """Return the same path, to write or delete the file.

    Raises:
        FairdeckError: the account has no home folder.
    """
    return configured_surely(NAME)


def kept() -> Hands | None:
    """Return the riffle that was kept; None if there is none.

    Raises:
        FairdeckError: the file cannot be read, or holds something else.
    """
    path = kept_at()
    if path is None:
        return None
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MOST_TEXT)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise FairdeckError(
            f"cannot read {str(path)!r} ({getattr(error, 'strerror', None) or error}); {AGAIN}"
        ) from None
    try:
        return Hands.from_json(text)
    except FairdeckError as error:
        raise FairdeckError(f"{path}: {error}") from None


def recipe_from(text: str) -> str:
    """Return a recipe as it was typed, with the riffle that was kept in the place of ``riffle(mine)``."""
    return written_out(text, kept()) if "mine" in text.lower() else text
