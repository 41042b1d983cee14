"""Files that commands write: whether they can be is told before any work is done for them."""

from pathlib import Path

from fairdeck.errors import FairdeckError


def writable(name: str) -> Path:
    """Return the file called `name`, before any work is done for it; if it was not there, it still is not.

    Raises:
        FairdeckError: it cannot be written to, or is ``-``: standard output has what is printed.
    """
    if name == "-":
        raise FairdeckError("'-' is no file, and standard output has the text: name a file")
    path = Path(name)
    try:
        there = path.exists()
        path.open("a", encoding="utf-8").close()
        if not there:
            path.unlink()
    except (OSError, ValueError) as error:
        raise FairdeckError(_refusal(path, error)) from None
    return path


def write(path: Path, content: str | bytes) -> None:
    """Write text, or bytes, into a file.

    Raises:
        FairdeckError: it cannot be written to.
    """
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise FairdeckError(_refusal(path, error)) from None


def _refusal(path: Path, error: Exception) -> str:
    return f"cannot write {str(path)!r} ({getattr(error, 'strerror', None) or error}): name another file"
