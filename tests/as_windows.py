"""A fake of Windows: what the modules of fairdeck see of the platform, and nobody else.

`install` gives them a `sys` whose platform is ``win32``, and an `os` and a `signal` without what Windows lacks; the
modules that it lacks cannot be imported. The rest, and the standard library itself, stay those of this machine. It is
for a process of its own::

    python -m tests.as_windows deal 52

Keys for `--follow` come from ``FAKE_KEYS``, and ``FAKE_CONSOLE`` says whether the console obeys escape sequences.
"""

import builtins
import ctypes
import enum
import os
import select
import signal
import sys
from types import ModuleType, SimpleNamespace

MISSING = {"termios", "tty", "fcntl", "resource", "pwd", "grp", "pty", "posix", "syslog", "curses", "readline"}
LACKS = {
    "os": """fork forkpty killpg getuid geteuid getgid getegid getpgid getpgrp setsid setpgid nice pread pwrite sysconf
        confstr uname getloadavg wait wait3 wait4 waitid mkfifo mknod chown lchown chroot fchmod fchown fchdir fdatasync
        sync openpty posix_spawn register_at_fork sched_getaffinity sched_yield statvfs tcgetpgrp ttyname pathconf
        getrandom GRND_NONBLOCK O_CLOEXEC O_NONBLOCK O_NOFOLLOW O_DIRECTORY O_SYNC O_NOCTTY ctermid setpriority
        getpriority set_blocking memfd_create""",
    "signal": """SIGHUP SIGQUIT SIGTSTP SIGCONT SIGSTOP SIGKILL SIGALRM SIGUSR1 SIGUSR2 SIGCHLD SIGPIPE SIGWINCH alarm
        setitimer pause pthread_kill pthread_sigmask sigwait siginterrupt""",
    "select": "poll epoll kqueue",
    "sys": "",
    "ctypes": "",
}
ARROWS = {"right": "\xe0M", "left": "\xe0K", "down": "\xe0P", "up": "\xe0H"}


class Signals(enum.IntEnum):
    """The signals that Windows has."""

    SIGINT, SIGILL, SIGABRT, SIGFPE, SIGSEGV, SIGTERM = 2, 4, 22, 8, 11, 15


class Seen(ModuleType):
    """A module as it looks on Windows."""

    def __init__(self, real, **own):
        super().__init__(real.__name__)
        self.__dict__.update(_real=real, **own)

    def __getattr__(self, name):
        if name in LACKS[self.__name__].split():
            raise AttributeError(f"Windows has no {self.__name__}.{name}")
        return getattr(self.__dict__["_real"], name)

    def __setattr__(self, name, value):
        setattr(self.__dict__["_real"], name, value)


def _no_select(*_):
    raise OSError(10038, "An operation was attempted on something that is not a socket")


class Console:
    """The calls of kernel32 about the mode of a console; `obeys`: whether it knows escape sequences."""

    def __init__(self, obeys):
        self.obeys, self.mode, self.asked = obeys, 3, []

    def GetConsoleMode(self, _handle, mode):  # noqa: N802 - the name in Windows
        mode._obj.value = self.mode
        return 1

    def SetConsoleMode(self, _handle, mode):  # noqa: N802
        self.asked.append(mode)
        if self.obeys:
            self.mode = mode
        return int(self.obeys)


class Files:
    """CreateFileW of kernel32: its handles are the numbers of files, and it keeps what it was asked."""

    def __init__(self):
        self.asked = []

        def create(path, *asked):
            self.asked.append((path, *asked))
            try:
                return os.open(path, os.O_RDONLY)
            except OSError:
                return ctypes.c_void_p(-1).value

        self.CreateFileW = create

    def seen(self):
        """Return what `ctypes` has on Windows for those who call it."""
        return {
            "WinDLL": lambda _name, use_last_error: self if use_last_error else None,
            "get_last_error": lambda: 2,
            "WinError": lambda code: FileNotFoundError(code, "The system cannot find the file specified"),
        }


def keyboard(words):
    """Return a msvcrt whose keys are these: names of arrows, or the keys themselves."""
    keys = iter("".join(ARROWS.get(word, word) for word in words))
    return SimpleNamespace(
        getwch=lambda: next(keys),
        get_osfhandle=lambda number: 0x1_0000_0000 + number,
        open_osfhandle=lambda handle, _flags: handle,
    )


def install(keys=(), console=None):
    """Let all modules of fairdeck that are imported from now on see Windows."""
    fakes = {
        "sys": Seen(sys, platform="win32"),
        "os": Seen(os, name="nt", O_BINARY=0, O_NOINHERIT=0),
        "signal": Seen(signal, Signals=Signals),
        "select": Seen(select, select=_no_select),
        "ctypes": Seen(ctypes, windll=SimpleNamespace(kernel32=console or Console(True)), **Files().seen()),
        "msvcrt": keyboard(keys),
    }
    real = builtins.__import__

    def seen(name, globals=None, locals=None, fromlist=(), level=0):  # noqa: A002 - the names of the real one
        importer = (globals or {}).get("__name__", "")
        if importer.partition(".")[0] in ("fairdeck", "fairdeck_command") and not level:
            if name.partition(".")[0] in MISSING:
                raise ModuleNotFoundError(f"Windows has no module {name!r}", name=name)
            if name in fakes:
                return fakes[name]
        return real(name, globals, locals, fromlist, level)

    builtins.__import__ = seen


if __name__ == "__main__":
    install(os.environ.get("FAKE_KEYS", "").split(","), Console(os.environ.get("FAKE_CONSOLE") != "old"))
    from fairdeck.cli import main

    sys.exit(main(sys.argv[1:]))
