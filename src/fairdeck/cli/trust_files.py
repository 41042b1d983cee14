"""The files that `fairdeck together` reads and writes. No file of a draw is ever replaced by another one."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from fairdeck.cli.files import read, write_new
from fairdeck.cli.streams import tell
from fairdeck.errors import FairdeckError, MissingTool
from fairdeck.trust.agreement import Agreement
from fairdeck.trust.fields import LARGEST
from fairdeck.trust.files import Commitment, Own, Shown, read_shown

ODD_NAME = re.compile("[0-9]+-|-")  # as names of files begin whose persons have other letters; or as options do
OTHERS = 0o077  # the rights of other accounts
Read = TypeVar("Read")
Kept = TypeVar("Kept", Own, Commitment)


def content_of(name: str) -> bytes:
    """Return what a file holds."""
    return bytes(read(name, LARGEST, "name a file that fairdeck together wrote"))


def read_file(name: str, reader: Callable[[bytes], Read]) -> Read:
    """Return what a file is read as; errors name the file."""
    content = content_of(name)
    try:
        return reader(content)
    except MissingTool:
        raise
    except FairdeckError as error:
        raise FairdeckError(f"{name!r}: {error}") from None


def keep(path: Path, content: str, *, secret: bool = False) -> None:
    """Write a file that is not there yet, or holds the same already.

    Raises:
        FairdeckError: there is another one, or it cannot be written.
    """
    if not write_new(path, content, secret=secret):
        if content_before(path) != content.encode():
            raise FairdeckError(
                f"{str(path)!r} is another file already, and no file of a draw is replaced: name a new one"
            )
        if secret:
            warn_if_open(path)
    tell(f"wrote {path}")


def kept(path: Path, made: Kept, reader: Callable[[bytes], Kept], same: Callable[[Kept], bool], told: str) -> Kept:
    """Keep what a person joins with, or return what was kept before.

    Args:
        path: the file.
        made: what is written if there is no such file.
        reader: reads the file.
        same: whether a file is of the same person and draw.
        told: what is said of the file.

    Raises:
        FairdeckError: the file is of another draw, or cannot be written.
    """
    secret = isinstance(made, Own)
    if write_new(path, made.to_json(), secret=secret):
        tell(f"wrote {path}: {told}")
        return made
    content_before(path)
    before = read_file(str(path), reader)
    if not same(before):
        raise FairdeckError(f"{str(path)!r} is for another draw, and is never replaced: join in another --folder")
    if secret:
        warn_if_open(path)
    tell(f"{path} was there already: {told}")
    return before


def keep_shown(path: Path, made: Shown, usual: Path) -> None:
    """Keep what shows own bytes, unless they were shown for another list already.

    Args:
        path: the file to write.
        made: what is shown.
        usual: the file beside the own bytes that is written in any case, so that a second list is noticed there.

    Raises:
        FairdeckError: it was shown for another list, or there is another file, or it cannot be written.
    """
    files = [path] if path.resolve() == usual.resolve() else [path, usual]
    for file in files:
        try:
            before = read_shown(content_of(str(file))) if file.is_file() else made
        except (FairdeckError, OSError):  # no such file; `keep` says so
            continue
        if before.own == made.own and before.listed != made.listed:
            raise FairdeckError(
                f"{str(file)!r} shows this secret for another list, {before.listed.hex()}: there are two lists for one "
                "draw, so somebody changed one; send nothing, and tell all who draw"
            )
    for file in files:
        keep(file, made.to_json(), secret=True)


def content_before(path: Path) -> bytes:
    """Return what a file holds that is there already; what is no file, such as a pipe, is never waited for."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise FairdeckError(f"{str(path)!r} is no plain file: name a new one")
    return content_of(str(path))


def warn_if_open(path: Path) -> None:
    """Warn if a file with a secret is a link, or if other accounts may read it."""
    if os.name == "posix" and (path.is_symlink() or path.stat().st_mode & OTHERS):
        tell(f"warning: {path} is a link, or other accounts can read it; keep the secret in a file of mode 600")


def file_name(agreement: Agreement, person: str, kind: str) -> str:
    """Return the name of one person's file; letters that a file's name cannot have are replaced."""
    safe = re.sub(r"[^\w-]", "_", person)
    plain = safe if safe == person and not ODD_NAME.match(person) else f"{agreement.people.index(person) + 1}-{safe}"
    return f"{plain}.{kind}.json"
