"""A disk that fails at the k-th call, or a process that is killed there: every command, at every k.

`python -m tests.failing_disk` reads a `Scenario` as JSON from standard input, and writes what happened as JSON. It
replaces the calls of Python's modules `os` and `io` that change a folder. What C libraries write is not seen: SQLite
and libsndfile have tests of their own.
"""

import errno
import hashlib
import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, BinaryIO
from unittest import mock

KILLED = 137
KILL = "kill"
SHORT = "SHORT"  # the first half is written, then the disk is full
FULL_FROM_HERE = "FULL"  # this call and all later ones fail, as on a disk that stays full
NAMES = ("replace", "rename", "link", "chmod", "mkdir", "fsync", "open")  # of `os`
CHANGES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Disk:
    """Counts the calls that change files below a folder, and fails or ends the process at one of them.

    Args:
        folder: calls for files elsewhere are not counted.
        fault: the name of an errno, `SHORT`, `FULL_FROM_HERE` or `KILL`.
        at: the number of the call, from 0; -1 for none.
    """

    def __init__(self, folder: Path, fault: str = "ENOSPC", at: int = -1) -> None:
        self.calls: list[str] = []
        self._folder, self._fault, self._at = os.path.realpath(folder), fault, at

    def called(self, name: str, half: Callable[[], object] = lambda: None) -> None:
        """Count a call; fail if it is the one. `half` does half of it, for `SHORT` and for a kill."""
        self.calls.append(name)
        number = len(self.calls) - 1
        if number != self._at and not (self._fault == FULL_FROM_HERE and 0 <= self._at < number):
            return
        if self._fault == KILL:
            half()
            os._exit(KILLED)
        if self._fault == SHORT:
            half()
        code = getattr(errno, self._fault, errno.ENOSPC)
        raise OSError(code, os.strerror(code))

    def watches(self, place: Any) -> bool:
        """Return whether a call for this path or descriptor is counted."""
        if isinstance(place, int):
            place = f"/proc/self/fd/{place}"
        return os.path.realpath(os.fsdecode(place)).startswith(self._folder)

    def open(self, file: Any, mode: str = "r", *args: Any, opener: Any = None, **options: Any) -> Any:
        """Open a file as `io.open` does; if it is one to write, its writes and its closing are counted."""
        if not set(mode) & set("wax+") or not self.watches(file):
            return OPEN(file, mode, *args, opener=opener, **options)
        if opener is None and not isinstance(file, int):
            self.called("open")
        raw = _Watched(self, file, mode.replace("b", "").replace("t", ""), options.get("closefd", True), opener)
        buffered: BinaryIO = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)  # type: ignore[assignment]
        if "b" in mode:
            return buffered
        text = {name: value for name, value in options.items() if name in ("encoding", "errors", "newline")}
        return io.TextIOWrapper(buffered, **text)

    def patches(self) -> Iterator[Any]:
        """Yield the patches that put this disk below Python."""
        for name in NAMES:
            yield mock.patch.object(os, name, self._counted(name, getattr(os, name)))
        yield mock.patch("io.open", self.open)
        yield mock.patch("builtins.open", self.open)

    def _counted(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(place: Any, *args: Any, **options: Any) -> Any:
            changes = name != "open" or args[0] & CHANGES
            if changes and options.get("dir_fd") is None and self.watches(place):
                self.called(name)
            return real(place, *args, **options)

        return call


class _Watched(io.FileIO):
    def __init__(self, disk: Disk, file: Any, mode: str, closefd: bool, opener: Any) -> None:
        super().__init__(file, mode, closefd, opener)
        self._disk = disk

    def write(self, data: Any) -> int:
        view = memoryview(data)
        self._disk.called("write", lambda: super(_Watched, self).write(view[: len(view) // 2]))
        return super().write(view)

    def close(self) -> None:
        if self.closed:
            return
        super().close()  # as Linux does it: the descriptor is closed, even when this is an error
        self._disk.called("close")


OPEN = io.open


def held(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file below a folder, by its name."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def run(words: list[str], folder: Path, fault: str, at: int, *, other: bool = False) -> dict[str, Any]:
    """Run a command in a child process, in `folder`, on a disk that fails; return its code, its words, its calls.

    If `other`, it draws other secrets than the runs before.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        code, disk, said = 99, Disk(folder, fault, at), io.StringIO()
        try:
            os.chdir(folder)
            if other:
                os.urandom(1)
            os.environ["XDG_CONFIG_HOME"] = str(folder / "config")
            os.environ.pop("FAIRDECK_CONFIG", None)
            sys.stdin = io.StringIO("s\n" * 99)
            from fairdeck.cli import main

            with redirect_stderr(said), redirect_stdout(io.StringIO()):
                patches = list(disk.patches())
                for patch in patches:
                    patch.start()
                code = main(words)
                for patch in patches:
                    patch.stop()
            os.write(writing, json.dumps([disk.calls, said.getvalue()]).encode())
        finally:
            os._exit(code)
    os.close(writing)
    with OPEN(reading, "rb") as answer:
        told = answer.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    calls, said = json.loads(told) if told else ([], "")
    return {"code": code, "calls": calls, "said": said, "fault": fault, "at": at}


def every(words: list[str], start: Path, room: Path, faults: list[str], step: int) -> list[dict[str, Any]]:
    """Run a command once in peace, then with each fault at each of its calls, or each `step`-th; in copies of `start`.

    Returns:
        What `run` returns, with the files that were there after it (`files`); the first is the run in peace. After a
        kill, the command is run again in peace: `again` is its exit code, `mended` are the files.
    """
    tries = [("ENOSPC", -1)]
    found: list[dict[str, Any]] = []
    for number, (fault, at) in enumerate(tries):
        folder = room / str(number)
        shutil.copytree(start, folder)
        found.append(run(words, folder, fault, at) | {"files": held(folder)})
        if fault == KILL:
            found[-1]["again"] = run(words, folder, fault, -1, other=True)["code"]
            found[-1]["mended"] = held(folder)
        if number == 0:
            calls = list(enumerate(found[0]["calls"]))
            for each in faults:
                tries += [(each, k) for k, call in calls if each != SHORT or call == "write"][::step]
        shutil.rmtree(folder)
    return found


def main() -> None:
    """Read a scenario, and write what happened."""
    given = json.load(sys.stdin)
    drawn = iter(range(10**9))

    def bytes_of(size: int) -> bytes:  # the same secrets in every run, so that files can be compared
        blocks = (hashlib.sha512(f"{next(drawn)}".encode()).digest() for _ in range(-(-size // 64)))
        return b"".join(blocks)[:size]

    from fairdeck.cli import trust_steps

    clock = mock.patch.object(trust_steps, "now", lambda: 1.8e9)
    if given["replacing"] == "in place":  # as no command may do it
        mock.patch("fairdeck.cli.files._replace", lambda path, data, _: path.write_bytes(data)).start()
    with mock.patch("os.urandom", bytes_of), clock:
        for name in given["load"]:
            __import__(name)
        found = every(given["words"], Path(given["start"]), Path(given["room"]), given["faults"], given["step"])
        json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
