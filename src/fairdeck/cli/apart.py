"""One rule for all commands: nothing is written over a file that the same call reads, and no file is written twice.

Links to one file are one file. An option whose value is a file writes it, unless `READ` names the option; so a new
option obeys the rule too. What is not a plain file, such as a pipe or ``/dev/null``, can be named as often as anybody
likes.
"""

import os
import re
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Iterator
from stat import S_ISREG

from fairdeck.errors import FairdeckError

A_FILE = re.compile(r"(FILE|DB|LOG|NEW|ONE|ANNOUNCEMENT|COMMITMENT|LIST\.json|OWN|SHOWN|TRANSCRIPT)\b")
A_FOLDER = "FOLDER"
TARGETS = frozenset({"SHUFFLE", "SCHEME", "COMMAND"})  # may name files to read
# Options whose files are only read.
READ = frozenset(
    (
        *("--after", "--beacon-value", "--exec", "--file", "--lists", "--names", "--order", "--orders", "--pace"),
        *("--played", "--records", "--start"),
    )
)


def demand_apart(parser: ArgumentParser, args: Namespace) -> None:
    """Check the arguments of a call, as the parser of the command parsed them.

    Raises:
        FairdeckError: two of them name one file, and it would be written.
    """
    named: dict[object, tuple[str, bool]] = {}  # what a file is known by: the argument, and whether that writes it
    for action in parser._actions:
        label = action.option_strings[-1] if action.option_strings else str(action.metavar)
        writes = action.metavar == A_FOLDER or bool(action.option_strings and READ.isdisjoint(action.option_strings))
        for name in _files(action, getattr(args, action.dest, None)):
            identity = _identity(name)
            if identity in named and (writes or named[identity][1]):
                other, _ = named[identity]
                raise FairdeckError(f"{other} and {label} both name {name!r}: give each a file of its own")
            if identity:
                named[identity] = label, writes


def _identity(name: str) -> object:
    """Return what all names of a file have in common; None if it is no plain file."""
    try:
        about = os.stat(name)  # noqa: PTH116 - pathlib takes 5 ms of every command
    except OSError:
        return os.path.realpath(name)
    return (about.st_dev, about.st_ino) if S_ISREG(about.st_mode) else None


def _files(action: Action, value: object) -> Iterator[str]:
    """Yield the names of the files in the value of an argument."""
    what = " ".join(action.metavar) if isinstance(action.metavar, tuple) else str(action.metavar)
    for name in value if isinstance(value, list) else [value]:
        if not isinstance(name, str) or name in ("", "-"):
            continue
        if what in TARGETS:  # a file, a function in a file or a module, a program and its words
            place = name.rpartition(":")[0]
            module = f"{place.replace('.', os.sep)}.py"
            yield from {each for each in (name, place, module, *name.split()) if os.path.isfile(each)}  # noqa: PTH113
        elif A_FILE.match(what) or what == A_FOLDER:
            yield name
