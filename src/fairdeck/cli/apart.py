"""One rule for all commands: nothing is written over a file that the same call reads, and no file is written twice.

Files are compared by device and inode, so links to one file are one file; a file that does not exist yet by its folder
and name. An option whose value is a file writes it, unless `READ` names the option; so a new option obeys the rule too.
What is not a plain file, such as a pipe, a terminal or ``/dev/null``, can be named as often as anybody likes.
"""

import os
import re
import sys
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from stat import S_ISREG
from typing import TYPE_CHECKING

from fairdeck.errors import FairdeckError

if TYPE_CHECKING:
    from pathlib import Path

A_FILE = re.compile(r"(FILE|DB|LOG|NEW|ONE|ANNOUNCEMENT|COMMITMENT|LIST\.json|OWN|SHOWN|TRANSCRIPT)\b")
A_FOLDER = "FOLDER"
TARGETS = frozenset({"SHUFFLE", "SCHEME", "COMMAND"})  # may name files to read
# Options whose files are only read.
READ = frozenset(
    (
        *("--after", "--beacon-value", "--file", "--lists", "--names", "--order", "--orders", "--pace", "--played"),
        *("--records", "--start"),
    )
)
STREAMS = ("standard input", "standard output", "standard error")
Identity = tuple[int, int] | tuple[int, int, str] | str

_unwritten: dict[Identity, str] = {}  # the files that this call reads, each with what names it
_written: dict[Identity, str] = {}  # and those that it writes


def demand_apart(parser: ArgumentParser, args: Namespace, settings: "Callable[[], Iterable[Path]]") -> None:
    """Check the arguments of a call, and remember what it reads, for `demand_unread`.

    Args:
        parser: of the command.
        args: as it parsed them.
        settings: returns the files that many a command reads unasked; called if something is written.

    Raises:
        FairdeckError: two of them name one file, and it would be written.
    """
    _unwritten.clear()
    _written.clear()
    for action in parser._actions:
        label = action.option_strings[-1] if action.option_strings else str(action.metavar)
        for name in _files(action, getattr(args, action.dest, None)):
            reads = _reads(action)
            if (identity := _free(name, label, reads=reads)) is not None:
                (_unwritten if reads else _written)[identity] = label
    for number, label in enumerate(STREAMS):
        identity = _free(number, label, reads=not number)
        if identity is not None and not number:
            _unwritten[identity] = label
    for path in settings() if _written else ():
        _free(str(path), "your settings", reads=True)
        read_too(str(path), "your settings")


def read_too(name: str, label: str) -> None:
    """Remember another file that this call reads, and does not write; `label` names it in messages."""
    if (identity := identity_of(name)) is not None:
        _unwritten.setdefault(identity, label)


def claim(name: str, label: str) -> None:
    """Take a file that this call writes for an option, whose name was made from the value of the option.

    Raises:
        FairdeckError: the call reads it, or writes it for another option.
    """
    identity = identity_of(name)
    if identity is not None and _written.get(identity) != label:
        _free(name, label, reads=False)
        _written[identity] = label


def demand_unread(path: "Path") -> None:
    """Check that this call does not read a file that it is about to write.

    Raises:
        FairdeckError: it does.
    """
    if _unwritten and identity_of(str(path)) in _unwritten:
        _free(str(path), "an output", reads=False)


def _free(file: str | int, label: str, *, reads: bool) -> Identity | None:
    """Return what a file is known by, after checking that nothing else writes it, or reads it where it is written."""
    identity = identity_of(file)
    other = identity and (_written.get(identity) or ("" if reads else _unwritten.get(identity)))
    if other:
        name = "this file" if isinstance(file, int) else repr(file)
        raise FairdeckError(f"{other} and {label} both name {name}: give each a file of its own")
    return identity


def identity_of(name: str | int) -> Identity | None:
    """Return what all names of a file, or its descriptor, have in common; None if it is no plain file."""
    with suppress(OSError, ValueError, RuntimeError):  # a circle of links, say: reported when the file is opened
        try:
            about = os.stat(name)  # noqa: PTH116 - of a descriptor too
        except FileNotFoundError:
            real = os.path.realpath(str(name))
            with suppress(OSError):
                folder = os.stat(os.path.dirname(real))  # noqa: PTH116, PTH120 - pathlib takes 5 ms of every command
                return folder.st_dev, folder.st_ino, os.path.basename(real)  # noqa: PTH119
            return real
        if S_ISREG(about.st_mode):
            return about.st_dev, about.st_ino
    return None


def _reads(action: Action) -> bool:
    """Tell whether a command only reads the files of an argument."""
    if not action.option_strings:
        return action.metavar != A_FOLDER
    return action.metavar == "COMMAND" or not READ.isdisjoint(action.option_strings)


def _files(action: Action, value: object) -> Iterator[str]:
    """Yield the names of the files in the value of an argument."""
    for each in value if isinstance(value, list) else [value]:
        if not isinstance(each, str) or each in ("", "-"):
            continue
        what = " ".join(action.metavar) if isinstance(action.metavar, tuple) else str(action.metavar)
        if what in TARGETS:
            yield from filter(os.path.isfile, _targets(what, each))
        elif A_FILE.match(what) or what == A_FOLDER:
            yield each
            if what == "DB":
                yield f"{each}-journal"  # SQLite's own file beside it


def _targets(what: str, value: str) -> Iterator[str]:
    """Yield what may be a file in the words that name what is tested."""
    yield value
    if what == "COMMAND":
        from fairdeck.lab.usercode.command_lines import parted  # only here: the lab need not be there

        with suppress(ValueError):
            yield from parted(value)
    place = value.rpartition(":")[0]
    if place:
        yield place
        module = place.replace(".", os.sep)
        for folder in ("", *sys.path):
            yield from (os.path.join(folder, module, "__init__.py"), f"{os.path.join(folder, module)}.py")  # noqa: PTH118
