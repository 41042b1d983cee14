"""A log that grows while it is read: rotated, truncated, missing for a while, with a last line half written.

A place in it is the file (device and inode), the number of bytes read, and a hash of the last of them. So a log that
was renamed is found under its new name and read to its end first, a copy that was made before a truncation is found by
the hash, and a new file under the old name is not mistaken for the old one. Files that came and went while nobody was
reading are found as well: their names are the log's and a number, they are newer than the file that was read last, and
they do not begin like a file that was read before.
"""

import hashlib
import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG
from time import time
from typing import BinaryIO

from fairdeck.errors import FairdeckError, system_reason
from fairdeck.lab.sources.tables import kind_of
from fairdeck.lab.sources.text import LONGEST_LINE

PIECE = 1 << 18  # bytes read at once
MARK = 256  # bytes before a place that are hashed: more than one deck
BEGINNING, REMEMBERED = 4_096, 64  # bytes at the start of a file that are hashed, and of how many files
OLD = re.compile(r"[-._]?\d[-._\d]*")  # what a rotation adds to a name: .1 or -20260101
GENERIC_READ, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL = 0x8000_0000, 3, 0x80  # of CreateFileW, as are the next two
SHARE_ALL = 1 | 2 | 4  # reading, writing, and deleting, which is also renaming
PATIENCE = 30.0  # seconds that a writer may go on with a file after it was renamed


@dataclass
class Place:
    """How far a file was read.

    Attributes:
        device, inode: which file, whatever its name is now.
        offset: the bytes read; they end with a line end.
        mark: the hash of the last `MARK` of them; empty at the start.
        retired: when a newer file took its name, in seconds; 0.0 for the newest file.
        began: when the file was last changed before anything of it was read, in nanoseconds; 0 if that is unknown.
    """

    device: int
    inode: int
    offset: int = 0
    mark: str = ""
    retired: float = 0.0
    began: int = 0

    @property
    def file(self) -> tuple[int, int]:
        """Which file it is in."""
        return self.device, self.inode


@dataclass
class PlaceInLog:
    """What has to be known to read a log on."""

    # the place in each that is not read to its end yet, the newest last
    files: list[Place] = field(default_factory=list)
    lost: int = 0  # how often the rest of an old file could not be found
    # how the files that were read began: so many bytes, and their hash
    begun: list[tuple[int, str]] = field(default_factory=list)


class LiveLog:
    """The lines of a log, from the place where it was read last.

    Attributes:
        name: its path.
        place: where it is read on.
    """

    def __init__(self, name: str, place: PlaceInLog | None = None) -> None:
        self.name = name
        self.place = place or PlaceInLog()
        self._path = Path(name)
        self._open: dict[tuple[int, int], BinaryIO] = {}
        self._unended: tuple[object, int] = None, 0  # a long line without an end: where it begins, its bytes so far

    @property
    def lost(self) -> int:
        """How often the rest of an old file could not be found."""
        return self.place.lost

    @property
    def is_there(self) -> bool:
        """Whether the file of this name is the one that was read last."""
        with suppress(OSError):
            about = self._path.stat()
            last = self.place.files[-1] if self.place.files else None
            return last is not None and last.file == (about.st_dev, about.st_ino) and self._holds(last, self._path)
        return False

    def pieces(self) -> Iterator[tuple[bytes, bool]]:
        """Yield what is new, in pieces of whole lines, and whether each piece begins a file; the place is after it.

        A FairdeckError says that the log cannot be read twice, or not at all.
        """
        self._notice_rotation()
        for place in list(self.place.files):
            yield from self._rest(place)

    def close(self) -> None:
        """Close all files."""
        while self._open:
            self._open.popitem()[1].close()

    def _notice_rotation(self) -> None:
        """Begin a new file under the old name, if there is one; the old file keeps its place until it is quiet."""
        try:
            about = self._path.stat()
        except FileNotFoundError:
            return  # not there yet, or between two files
        except (OSError, ValueError) as error:
            raise FairdeckError(f"cannot read {self.name}: {system_reason(error)}; check the path") from None
        if not S_ISREG(about.st_mode):
            raise FairdeckError(f"{self.name} is not a file: write a pipe as -, as in: command | fairdeck monitor -")
        here = about.st_dev, about.st_ino
        last = self.place.files[-1] if self.place.files else None
        if last and last.file == here and (not last.mark or self._holds(last, self._path)):
            if not last.mark and about.st_mtime_ns > last.began > 0:  # nothing read: no hash tells of a truncation
                self.place.files[-1:-1] = map(self._begun_place, self._between(last.began + 1, here))
            return
        if last:
            self._retire(last, here)
        if not any(each.file == here and not each.retired for each in self.place.files):
            self.place.files.append(Place(*here, began=about.st_mtime_ns))

    def _retire(self, last: Place, here: tuple[int, int]) -> None:
        """Keep the place in the old file, under the name that it has now; give it up if the file is gone."""
        last.retired = time()
        if last.file == here:  # truncated, or replaced by a file with the same number: perhaps there is a copy
            if file := self._open.pop(here, None):
                file.close()
            last.inode = 0
        file = self._file_of(last)
        if file is None:
            self.place.lost += 1
            self.place.files.remove(last)
            return
        about = os.fstat(file.fileno())
        self._remember(file, last.offset or about.st_size)
        since = last.began + 1 if last.began and not last.mark else about.st_mtime_ns
        between = self._between(since, here)
        at = self.place.files.index(last)
        self.place.files[at : at + 1] = [
            *(self._begun_place(each) for each in between if each.st_mtime_ns < about.st_mtime_ns),
            last,
            *(self._begun_place(each) for each in between if each.st_mtime_ns >= about.st_mtime_ns),
        ]

    def _between(self, since: int, here: tuple[int, int]) -> list[os.stat_result]:
        """Return the files that had the name of the log since a moment, and were never read, the oldest first."""
        known = {here, *(each.file for each in self.place.files)}
        between = []
        for path, about in self._files():
            added = path.name.removeprefix(self._path.name)
            if added != path.name and OLD.fullmatch(added):
                new = (about.st_dev, about.st_ino) not in known and about.st_mtime_ns >= since
                if new and not self._was_read(path):
                    between.append(about)
        return sorted(between, key=lambda about: about.st_mtime_ns)

    def _begun_place(self, about: os.stat_result) -> Place:
        """Return the place at the start of a file that has been rotated, which is not found again as a new one."""
        place = Place(about.st_dev, about.st_ino, retired=time())
        file = self._file_of(place)
        if file is not None:
            self._remember(file, about.st_size)
        return place

    def _remember(self, file: BinaryIO, size: int) -> None:
        """Note how a file begins, by at most `size` bytes; all files begin with none."""
        if size:
            self.place.begun = [*self.place.begun, _beginning(file.fileno(), size)][-REMEMBERED:]

    def _was_read(self, path: Path) -> bool:
        """Tell whether a file begins like one that was read, as a copy of it does."""
        try:
            with opened(path) as file:
                return any(_beginning(file.fileno(), size) == (size, mark) for size, mark in self.place.begun)
        except OSError:
            return True

    def _rest(self, place: Place) -> Iterator[tuple[bytes, bool]]:
        file = self._file_of(place)
        if file is None:
            if place.retired:  # lines that came after it was read last are gone, if there were any
                self.place.files.remove(place)
                self.place.lost += 1
            return
        while (lines := self._whole_lines(place, file))[1]:
            begins = not place.offset
            place.offset += lines[1]
            place.mark = _mark(file.fileno(), place.offset)
            yield lines[0], begins
        if place.retired and time() - place.retired > PATIENCE:
            last_line = _read_at(file.fileno(), LONGEST_LINE + 1, place.offset)
            self.place.files.remove(place)
            self._open.pop(place.file).close()
            if last_line.strip(b"\0\r\n "):
                yield last_line + b"\n", not place.offset

    def _whole_lines(self, place: Place, file: BinaryIO) -> tuple[bytes, int]:
        """Return lines that are complete, and how many bytes they take: none if the next line has no end yet.

        Of a line that is longer than any deck only the beginning is returned, still too long, as one line.
        """
        data = _read_at(file.fileno(), PIECE, place.offset)
        if not place.offset and (kind := kind_of(data)):
            raise FairdeckError(f"{self.name} is {kind}, not lines that grow: fairdeck test --file {self.name}")
        while b"\n" not in data and len(data) >= PIECE:
            if len(data) > LONGEST_LINE:
                if zeros := len(data) - len(data.lstrip(b"\0")):  # of a writer that went on after a truncation
                    return b"", zeros
                end = self._end_of_line(place, file, len(data))
                return (data[: LONGEST_LINE + 1] + b"\n", end) if end else (b"", 0)
            if not (more := _read_at(file.fileno(), PIECE, place.offset + len(data))):
                break
            data += more
        end = data.rfind(b"\n") + 1
        return data[:end], end

    def _end_of_line(self, place: Place, file: BinaryIO, size: int) -> int:
        """Return how many bytes after a place a line ends that has more than `size`; 0 if it has not ended yet."""
        begun, known = self._unended
        at = max(size, known) if begun == (place.file, place.offset) else size
        while data := _read_at(file.fileno(), PIECE, place.offset + at):
            end = data.find(b"\n")
            if end >= 0:
                return at + end + 1
            at += len(data)
        self._unended = (place.file, place.offset), at  # so that the next look does not begin at its start again
        return 0

    def _file_of(self, place: Place) -> BinaryIO | None:
        """Return the file of a place, under any name in its folder; None if it is gone."""
        if place.file not in self._open:
            path = self._found(place)
            if path is None:
                return None
            with suppress(OSError):
                file = opened(path)
                about = os.fstat(file.fileno())
                place.device, place.inode = about.st_dev, about.st_ino
                self._open[place.file] = file
        return self._open.get(place.file)

    def _found(self, place: Place) -> Path | None:
        """Return the path of the file with this number, or else of a copy of it."""
        taken = {each.file for each in self.place.files if each is not place}
        there = [(path, about) for path, about in self._files() if (about.st_dev, about.st_ino) not in taken]
        same = (path for path, about in there if about.st_ino == place.inode and self._holds(place, path))
        copies = (path for path, about in there if place.mark and about.st_size >= place.offset)
        return next(same, None) or next((path for path in copies if self._holds(place, path)), None)

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        """Yield the files in the folder of the log; one that goes away meanwhile, or cannot be asked, is left out."""
        with suppress(OSError):
            for entry in os.scandir(self._path.parent):
                with suppress(OSError):  # a circle of links, say
                    about = os.stat(entry)  # noqa: PTH116 - an entry's own does not tell the device everywhere
                    if S_ISREG(about.st_mode):
                        yield Path(entry), about

    @staticmethod
    def _holds(place: Place, path: Path) -> bool:
        """Tell whether a file holds what was read before the place."""
        try:
            with opened(path) as file:
                enough = os.fstat(file.fileno()).st_size >= place.offset
                return enough and (not place.mark or _mark(file.fileno(), place.offset) == place.mark)
        except OSError:
            return False


def could_be_of(log: str, name: str) -> bool:
    """Tell whether a file has a name that a rotation of the log gives, so that the log would be read on there.

    >>> could_be_of("decks.log", "decks.log.1"), could_be_of("decks.log", "decks.html")
    (True, False)
    """
    one, other = Path(log).absolute(), Path(name).absolute()
    added = other.name.removeprefix(one.name)
    return added != other.name and bool(OLD.fullmatch(added)) and one.parent.resolve() == other.parent.resolve()


def opened(path: Path) -> BinaryIO:
    """Open a log so that its writer can still rename or delete it, which Windows otherwise forbids."""
    return open(path, "rb", buffering=0, opener=_shared if sys.platform == "win32" else None)


def _shared(path: str, _flags: int) -> int:
    """Return the number of a file of Windows that is open for reading, and shared for everything."""
    if sys.platform != "win32":
        raise NotImplementedError
    import ctypes
    import msvcrt

    create = ctypes.WinDLL("kernel32", use_last_error=True).CreateFileW
    create.argtypes = [ctypes.c_wchar_p, *[ctypes.c_ulong] * 2, ctypes.c_void_p, *[ctypes.c_ulong] * 2, ctypes.c_void_p]
    create.restype = ctypes.c_void_p
    handle = create(path, GENERIC_READ, SHARE_ALL, None, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, None)
    if handle == ctypes.c_void_p(-1).value:
        raise ctypes.WinError(ctypes.get_last_error())
    return msvcrt.open_osfhandle(handle, os.O_RDONLY | os.O_BINARY | os.O_NOINHERIT)


def _read_at(file: int, size: int, offset: int) -> bytes:
    """Return `size` bytes of a file from `offset` on, or fewer at its end. Nothing else minds the file's position."""
    if sys.platform == "win32":
        os.lseek(file, offset, os.SEEK_SET)
        return os.read(file, size)
    return os.pread(file, size, offset)


def _beginning(file: int, most: int) -> tuple[int, str]:
    """Return how many bytes at the start of a file are compared, `most` at most, and their hash."""
    size = min(BEGINNING, most)
    return size, hashlib.sha256(_read_at(file, size, 0)).hexdigest()


def _mark(file: int, offset: int) -> str:
    first = max(0, offset - MARK)
    return hashlib.sha256(_read_at(file, offset - first, first)).hexdigest()
