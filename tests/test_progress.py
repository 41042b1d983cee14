"""The line of progress stays one line, whatever the terminal."""

import fcntl
import os
import pty
import re
import struct
import sys
import termios

import pytest

from fairdeck.cli.commands.exact import telling
from fairdeck.cli.streams import LossyStream
from fairdeck.cli.terminal import Progress


class Screen:
    """A terminal of one row that says how often it had to begin another."""

    def __init__(self, width):
        self.ours, theirs = pty.openpty()
        self.stream = os.fdopen(theirs, "w", encoding="utf-8")
        self.row, self.wraps = [], 0
        self.resize(width)

    def resize(self, width):
        fcntl.ioctl(self.stream.fileno(), termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        self.width = width

    def read(self):
        """Take in what was written, and return the row as it looks."""
        self.stream.flush()
        for letter in os.read(self.ours, 65536).decode():
            if letter == "\r":
                self.at = 0
                continue
            if self.at == self.width:
                self.wraps += 1
                self.at, self.row = 0, []
            self.row[self.at : self.at + 1] = [letter]
            self.at += 1
        return "".join(self.row).rstrip()


@pytest.fixture
def screen(monkeypatch):
    opened = []

    def open_screen(width):
        opened.append(Screen(width))
        monkeypatch.setattr(sys, "stderr", LossyStream(opened[-1].stream))  # as the command line has it
        monkeypatch.setattr("fairdeck.cli.terminal.EVERY", 0)
        return opened[-1]

    yield open_screen
    monkeypatch.undo()
    for each in opened:
        each.stream.close()
        os.close(each.ours)


@pytest.mark.parametrize("width", [1, 2, 10, 20, 30, 40, 60, 79, 80, 81, 200])
def test_no_terminal_is_flooded(screen, width):
    shown = screen(width)
    progress = Progress()
    for done in range(0, 262_144, 10_000):
        progress.tell(done, 262_144, "decks", "p = 0.123, so far")
        shown.read()
    progress.say("compiling for this processor; only once: about twenty seconds")
    shown.read()
    progress.done()
    assert (shown.read(), shown.wraps) == ("", 0)


def test_the_bar_has_what_room_there_is(screen):
    shown, bars = screen(80), []
    progress = Progress()
    for width in (80, 50, 44, 30, 200):
        shown.resize(width)
        progress.tell(50, 100, "decks", "p = 0.5")
        bars.append(len((re.search(r"\[(.*)\]", shown.read()) or ["", ""])[1]))
    assert bars == [24, 22, 16, 0, 24]
    assert shown.wraps == 0


def test_a_shorter_line_leaves_nothing_of_a_longer_one(screen):
    shown = screen(60)
    progress = Progress()
    progress.say("compiling for this processor")
    assert shown.read() == "compiling for this processor"
    progress.say("short")
    assert shown.read() == "short"


def test_a_name_with_a_line_break_stays_in_the_line(screen):
    shown = screen(60)
    Progress().say("a\nb\x1b[2J")
    assert shown.read() == "a\\nb\\x1b[2J"


def test_where_no_line_is_shown_one_note_says_that_exact_takes_long(capsys, monkeypatch):
    clock = iter([1.0, 9.0, 20.0, 30.0])
    monkeypatch.setattr(Progress, "seconds", property(lambda _: next(clock)))
    progress = Progress()
    progress.shown = False
    show = telling(progress)
    for paths in (100, 900, 2_000, 3_000):
        show(paths, lambda: 0.02)
    note = "note: 2,000 paths are 2.0% of all, about 16 min left; fewer --cards are quicker\n"
    assert capsys.readouterr() == ("", note)
