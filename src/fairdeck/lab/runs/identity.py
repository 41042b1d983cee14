"""What was tested, and what counted it: hashes of the files that a test names, and of the code."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from operator import itemgetter
from pathlib import Path

from fairdeck.lab.usercode.command_lines import parted

SHOWING = ("cli/", "explore/", "page/", "paper/", "show/")  # rooms that only show what was counted
TELLING = ("document.py", "sentences.py")  # and how files end that only put it into words


def hashes(kind: str, what: str) -> dict[str, str]:
    """Return the SHA-256 of each file that is named by what is tested, as far as it can be read.

    Args:
        kind: ``known``, ``function``, ``program`` or ``file``.
        what: a name, ``file.py:function``, a command or a path.
    """
    if kind == "program":
        return _hashes(_words(what))
    return _hashes([what.rpartition(":")[0] if kind == "function" else what] if kind != "known" else [])


def _hashes(words: Iterable[str]) -> dict[str, str]:
    sha256s = {}
    for word in words:
        with suppress(OSError):  # the file may be executable without being readable
            if os.path.isfile(word):  # noqa: PTH113 - Path raises where a word cannot be a name
                with Path(word).open("rb") as content:
                    sha256s[word] = hashlib.file_digest(content, "sha256").hexdigest()
    return sha256s


def _words(command: str) -> list[str]:
    """Return the words of a command, as far as they can be split; the shell may split it in another way."""
    try:
        return parted(command)
    except ValueError:  # a quote in a comment
        return command.split()


@cache
def hash_of_code() -> str:
    """Return a hash of the source text of fairdeck, but for what only shows or tells: equal hashes, equal counts."""
    digest = hashlib.sha256()
    for name, file in sorted(_sources(resources.files("fairdeck")), key=itemgetter(0)):
        if not name.startswith(SHOWING) and not name.endswith(TELLING):
            digest.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _sources(folder: Traversable, path: str = "") -> Iterator[tuple[str, Traversable]]:
    """Yield the source files in a folder and below it, each with its path from there."""
    for file in folder.iterdir():
        if file.is_dir():
            yield from _sources(file, f"{path}{file.name}/")
        elif file.name.endswith(".py"):
            yield path + file.name, file
