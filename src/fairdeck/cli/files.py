"""Files that commands write: whether they can be is told before any work is done for them."""

import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile

from fairdeck.errors import FairdeckError


def writable(name: str) -> Path:
    """Return the file called `name`, before any work is done for it; if it was not there, it still is not.

    Raises:
        FairdeckError: it cannot be written to, or is ``-``: standard output has what is printed.
    """
    if name in ("", "-"):
        raise FairdeckError(f"{name!r} is no file, and standard output has the text: name a file")
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
    """Write text, or bytes, into a file: all of it, or the file stays what it was.

    Raises:
        FairdeckError: it cannot be written to.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe, a terminal
        else:
            _replace(path.resolve(), data)
    except OSError as error:
        raise FairdeckError(_refusal(path, error)) from None


def _replace(path: Path, data: bytes) -> None:
    """Put a new file in the place of an old one, with its permissions."""
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as beside:
        new = Path(beside.name)
        try:
            beside.write(data)
            beside.close()
            new.chmod(mode)
            new.replace(path)
        except BaseException:
            new.unlink(missing_ok=True)
            raise


def _umask() -> int:
    found = os.umask(0)
    os.umask(found)
    return found


def demand_different(named: Mapping[str, str | None]) -> None:
    """Raise a FairdeckError if two options name the same file; what is None or ``-`` is none.

    Args:
        named: the files, by the options that name them.
    """
    taken: dict[Path, str] = {}
    for option, name in named.items():
        if name in (None, "-"):
            continue
        try:
            path = Path(str(name)).resolve()
        except (OSError, RuntimeError):  # a link in a circle: told when it is to be written
            continue
        if path in taken:
            raise FairdeckError(f"{taken[path]} and {option} both name {name!r}: give each a file of its own")
        taken[path] = option


def _refusal(path: Path, error: Exception) -> str:
    return f"cannot write {str(path)!r} ({getattr(error, 'strerror', None) or error}): name another file"
