"""A user's function that is called on another machine: the text of its file travels, a module is imported there."""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from fairdeck.errors import FairdeckError
from fairdeck.lab.usercode.adapting import CannotCall, split_name


@dataclass(frozen=True, slots=True)
class Shipped:
    """A function, with the text of its file if it is in one.

    Attributes:
        name: as it was typed: ``package.module:function`` or ``path/to/file.py:function``.
        path: of the file, absolute; empty for a module.
        text: of the file.
    """

    name: str
    path: str = ""
    text: bytes = b""

    @classmethod
    def of(cls, name: str) -> "Shipped":
        """Return the function with this name, as this machine has it.

        Raises:
            FairdeckError: it names no function, or its file cannot be read.
        """
        try:
            place, _ = split_name(name)
        except CannotCall as error:
            raise FairdeckError(f"{name!r} {error}") from None
        if not place.endswith(".py"):
            return cls(name)
        try:
            return cls(name, str(Path(place).resolve()), Path(place).read_bytes())
        except OSError as error:
            raise FairdeckError(f"cannot read {place}: {error.strerror}; check the path") from None

    def here(self) -> str:
        """Return the name by which this machine finds the function.

        That is its own file if this machine has the same, with its neighbours; else a copy, named by its hash.
        """
        if not self.path:
            return self.name
        _, function = split_name(self.name)
        file = Path(self.path)
        try:
            same = file.read_bytes() == self.text
        except OSError:
            same = False
        return f"{file if same else _copied(file.name, self.text)}:{function}"


@cache
def _copied(name: str, text: bytes) -> Path:
    """Return a file with this text, which lives as long as this process."""
    folder = Path(_folder().name, hashlib.sha256(text).hexdigest()[:16])
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_bytes(text)
    return file


@cache
def _folder() -> "TemporaryDirectory[str]":
    return TemporaryDirectory(prefix="fairdeck-", ignore_cleanup_errors=True)
