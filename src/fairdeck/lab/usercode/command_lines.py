"""The words of a command, as the shell of the system parts and joins them.

Windows has other quotes, and a backslash there is part of a path.
"""

import shlex
import sys
from collections.abc import Iterable


def joined(words: Iterable[str]) -> str:
    """Return words as a command that the shell parts into the same words.

    >>> joined(["node", "my shuffle.js"]) in ("node 'my shuffle.js'", 'node "my shuffle.js"')
    True
    """
    if sys.platform == "win32":
        from subprocess import list2cmdline

        return list2cmdline(words)
    return shlex.join(words)


def parted(command: str) -> list[str]:
    """Return the words of a command.

    Raises:
        ValueError: a quote has no end.

    >>> parted('node "my shuffle.js" 52')
    ['node', 'my shuffle.js', '52']
    """
    if sys.platform == "win32":
        return [word.strip('"') for word in shlex.split(command, posix=False)]
    return shlex.split(command)
