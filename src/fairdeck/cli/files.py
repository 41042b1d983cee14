"""Files that commands read and write. Whether a file can be written is checked before any work is done.

One rule holds for all commands: nothing is written over a file that the same call reads, and no file is written twice.
Links to one file are one file. An option whose value is a file writes it, unless `READ` names the option; so a new
option obeys the rule too. What is not a plain file, such as a pipe or ``/dev/null``, can be named as often as anybody
likes.
"""

import errno
import os
import re
import sys
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from contextlib import nullcontext, suppress
from pathlib import Path
from stat import S_ISREG
from typing import IO

from fairdeck import folders
from fairdeck.cli.streams import standard_input
from fairdeck.errors import FairdeckError, system_reason

OWNER_ONLY = 0o600
HOME = "APPDATA" if sys.platform == "win32" else "HOME"
A_FILE = re.compile(r"(FILE|DB|LOG|NEW|ONE|ANNOUNCEMENT|COMMITMENT|LIST\.json|OWN|SHOWN|TRANSCRIPT)\b")
A_FOLDER = "FOLDER"
TARGETS = frozenset({"CARDS", "SHUFFLE", "SCHEME", "COMMAND"})  # may name files to read
# Options whose files are only read.
READ = frozenset(
    (
        *("--after", "--beacon-value", "--exec", "--file", "--lists", "--names", "--order", "--orders", "--pace"),
        *("--played", "--records", "--start"),
    )
)


def read(name: str, most: int, remedy: str) -> bytes:
    """Return the content of the file called `name`; `-` is standard input. Error messages end with the `remedy`."""
    what = "standard input" if name == "-" else repr(name)
    stdin = standard_input() if name == "-" else None
    try:
        with nullcontext(stdin) if stdin else Path(name).open("rb") as file:
            content = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise FairdeckError(f"cannot read {what} ({system_reason(error)}): {remedy}") from None
    if len(content) > most:
        raise FairdeckError(f"{what} has more than {most >> 20:,} MiB: {remedy}")
    return content


def writable(name: str) -> Path:
    """Return the path of the file called `name`, not ``-``, after checking that it can be written; change nothing."""
    if name in ("", "-"):
        raise FairdeckError(f"{name!r} is not a file, and standard output is used for the text: name a file")
    from tempfile import TemporaryDirectory  # here and below: most commands write no file, and need not wait for it

    path = Path(name)
    try:
        if path.is_dir():
            raise _error(errno.EISDIR)
        if path.exists() and not os.access(path, os.W_OK):
            raise _error(errno.EACCES)
        if path.is_file() or not path.exists():
            real = _real(path)
            # The new file is made in the same folder; and the name itself can be invalid.
            with TemporaryDirectory(prefix=".fairdeck-", dir=real.parent) as folder:
                Path(folder, real.name).touch()
    except (OSError, ValueError) as error:
        raise FairdeckError(_refusal(path, error)) from None
    return path


def demand_ending(option: str, name: str, *endings: str) -> None:
    """Raise a FairdeckError if a file's name has an ending of another format; one without any ending may be written."""
    suffix = Path(name).suffix.lower()
    if suffix and suffix not in endings:
        raise FairdeckError(
            f"{option} {name!r}: what is written is {endings[0].removeprefix('.').upper()}, not {suffix}: name it "
            f"{Path(name).stem}{endings[0]}, for example"
        )


def write(path: Path, content: str | bytes, *, secret: bool = False) -> None:
    """Write text or bytes into a file: completely, or the file stays as it was.

    A link stays, and the file it names is written, even if that does not exist yet. A `secret` file can be read
    by its owner only, from the first byte on.
    """
    data = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe, a terminal
        else:
            _replace(_real(path), data, secret)
    except (OSError, ValueError) as error:
        raise FairdeckError(_refusal(path, error)) from None


def write_all(files: Mapping[Path, str | bytes]) -> None:
    """Write each file completely, or leave it as it was; nothing is changed if one of them cannot be written."""
    for path in files:
        writable(str(path))
    for path, content in files.items():
        write(path, content)


def write_new(path: Path, content: str, *, secret: bool = False) -> bool:
    """Write a file unless one of this name is there already; completely or not at all. Return whether it was written.

    If several processes write the same file, one of them does. It is on the disk when this returns. A `secret` file can
    be read by its owner only.
    """
    from tempfile import NamedTemporaryFile

    mode = OWNER_ONLY if secret else 0o666 & ~_umask()
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=".fairdeck-") as beside:
            _fill(beside, content.encode())
            Path(beside.name).chmod(mode)
            try:
                path.hardlink_to(beside.name)
            except FileExistsError:
                raise
            except OSError:  # this file system knows no links
                with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
                    try:
                        _fill(file, content.encode())
                    except BaseException:
                        path.unlink(missing_ok=True)
                        raise
        _keep_name(path.parent)
    except FileExistsError:
        return False
    except OSError as error:
        raise FairdeckError(_refusal(path, error)) from None
    return True


def _fill(file: IO[bytes], data: bytes) -> None:
    """Write the data, and wait until it is on the disk: else a power failure could leave an empty file."""
    file.write(data)
    file.flush()
    os.fsync(file.fileno())


def _keep_name(folder: Path) -> None:
    """Put the names in a folder on the disk, where that is possible: a file without its name is lost."""
    with suppress(OSError):  # such as on Windows
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _real(path: Path) -> Path:
    """Return the file that `path` names, links followed; an OSError says that they lead in a circle."""
    try:
        real = path.resolve()
    except RuntimeError:  # a circle, before Python 3.13
        real = path
    if real.is_symlink():
        raise _error(errno.ELOOP)
    return real


def _replace(path: Path, data: bytes, secret: bool) -> None:
    """Replace an old file by a new one with the same permissions; a `secret` file is for its owner only."""
    from tempfile import NamedTemporaryFile

    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    with NamedTemporaryFile(dir=path.parent, prefix=".fairdeck-", delete=False) as beside:
        new = Path(beside.name)
        try:
            _fill(beside, data)
            beside.close()
            new.chmod(OWNER_ONLY if secret else mode)
            new.replace(path)
        except BaseException:
            new.unlink(missing_ok=True)
            raise


def _umask() -> int:
    found = os.umask(0)
    os.umask(found)
    return found


def configured(name: str) -> Path | None:
    """Return the path of a file in the folder of settings, which need not exist; None without a home folder."""
    folder = folders.settings()
    return None if folder is None else folder / name


def configured_surely(name: str) -> Path:
    """Return the same path, to write or delete the file; a FairdeckError says that the account has no home folder."""
    path = configured(name)
    if path is None:
        raise FairdeckError(f"this account has no home folder, so there is no place for {name!r}: set {HOME}")
    return path


def make_folder(folder: Path) -> None:
    """Make a folder if it is missing, or raise a FairdeckError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FairdeckError(
            f"cannot make the folder {str(folder)!r} ({system_reason(error)}): make it yourself"
        ) from None


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def _refusal(path: Path, error: Exception) -> str:
    return f"cannot write {str(path)!r} ({system_reason(error)}): name another file"


def demand_apart(parser: ArgumentParser, args: Namespace) -> None:
    """Raise a FairdeckError if two parsed arguments of a call name one file, and it would be written."""
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
        about = Path(name).stat()
    except OSError:
        return os.path.realpath(name)
    return (about.st_dev, about.st_ino) if S_ISREG(about.st_mode) else None


def _files(action: Action, value: object) -> Iterator[str]:
    what = " ".join(action.metavar) if isinstance(action.metavar, tuple) else str(action.metavar)
    for name in value if isinstance(value, list) else [value]:
        if not isinstance(name, str) or name in ("", "-"):
            continue
        if what in TARGETS:  # a file, a function in a file or a module, a program and its words
            place = name.rpartition(":")[0]
            module = f"{place.replace('.', os.sep)}.py"
            words = (name, place, module, *name.split())
            yield from {word for word in words if os.path.isfile(word)}  # noqa: PTH113 - of what is no name it says no
        elif A_FILE.match(what) or what == A_FOLDER:
            yield name
