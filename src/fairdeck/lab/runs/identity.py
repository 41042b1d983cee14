"""Which version of a file was tested: the hashes of all files that a test names."""

import hashlib
import os
import shlex
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


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
    found = {}
    for word in words:
        with suppress(OSError):  # the file may be executable without being readable
            if os.path.isfile(word):  # noqa: PTH113 - Path raises where a word cannot be a name
                with Path(word).open("rb") as content:
                    found[word] = hashlib.file_digest(content, "sha256").hexdigest()
    return found


def _words(command: str) -> list[str]:
    """Return the words of a command, as far as they can be split; the shell may split it in another way."""
    try:
        return shlex.split(command)
    except ValueError:  # a quote in a comment
        return command.split()
