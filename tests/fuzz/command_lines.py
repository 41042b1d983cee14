"""Whole command lines, run in this process: words of the commands, values of all kinds, files in a folder of their own.

Left out is what listens (`serve`), calls programs (``--exec``, ``--open``), or works elsewhere
(``--cluster``, ``--workers``). The network is closed. Where a command counts decks, it gets few.
"""

import io
import os
import shlex
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

from release.described import Described, command

from fairdeck.cli import config_file as config_files
from fairdeck.cli import main
from fairdeck.cli.commands import SUMMARIES
from fairdeck.cli.exits import BAD_INPUT, DOES_NOT_HOLD, FINE, MISSING_TOOL
from fairdeck.errors import FairdeckError
from tests.fuzz.choices import Choices, text
from tests.fuzz.corpus import kept
from tests.fuzz.lab import folder
from tests.fuzz.readers import demand, reader

NEVER = ("doctor", "serve", "page", "completion")
LAB = (
    "test",
    "exact",
    "histogram",
    "monitor",
    "runs",
    "verify",
    "packets",
    "mix",
    "hands",
    "rules",
    "advise",
)
LEFT_OUT = ("--exec", "--cluster", "--workers", "--open", "--go-on", "--all", "--guesses")
FEW = {
    "--decks": "20",
    "--timeout": "1",
    "--sample": "1",
    "--simulate": "20",
    "--workers": "1",
    "--leaves": "500",
}
ADDED = {
    "test": ("--decks", "--timeout", "--workers"),
    "exact": ("--timeout", "--leaves"),
    "histogram": ("--decks", "--workers"),
    "mix": ("--decks", "--workers"),
    "verify": ("--sample",),
}
FILES = {
    "plan.json": "plan",
    "boards.pbn": "boards",
    "one.json": "half",
    "transcript.json": "ceremony",
    "cards.txt": "cards",
    "decks.txt": "decks",
    "mine.flow": "flow",
    "pace.json": "settings",
}
VALUES = (
    *(
        "1",
        "2",
        "3",
        "5",
        "7",
        "52",
        "60",
        "104",
        "0",
        "-1",
        "26",
        "27",
        "1000",
        "1e3",
        "0.5",
        "1/3",
        "1/0",
        "",
        " ",
        "x",
        "٣",
    ),
    *(
        "5x2",
        "2x1",
        "7x3",
        "26x26",
        "0x1",
        "deck",
        "top:3",
        "hands:4x13",
        "hands:5,5,4+stock",
        "2x1",
        "A,B",
        "é,\u202e",
        "c0ffee",
    ),
    *(
        "A4",
        "Letter",
        "en",
        "de",
        "xx",
        "sorted",
        "1-n",
        "mtg",
        "poker",
        "first",
        "second",
        "audit",
        "deal",
        "announce",
        "join",
    ),
    *(
        "seal",
        "reveal",
        "finish",
        "riffle*7",
        "naive",
        "fisher-yates",
        "shelf(20)",
        "riffle(mine)",
        "two-way",
        "2,0,1",
        "RRBRB",
    ),
    *(
        "suits",
        "26,26",
        "descents",
        "gli19",
        "1/2",
        "Ann,Ben",
        "T1-A-0000",
        "T2-C-0",
        "2026-12-01T18:00Z",
        "quicknet:1",
        "-",
        "--",
    ),
    *(
        *FILES,
        "out.json",
        "out.html",
        "out.pdf",
        "missing",
        ".",
        "0.000001",
        "9" * 30,
        "f1.5.2x1.deck.pass.1of1.0.Au.17xsrgz",
    ),
)
WANTED = {
    "N": ("1", "2", "3", "5", "9", "52", "60", "0", "x"),
    "CARDS": ("1", "2", "5", "52", "60", "104"),
    "CxR": ("5x2", "2x1", "7x3", "1x1", "26x26", "none"),
    "GOAL": ("deck", "top:3", "hands:4x13", "hands:2x2+rest", "hands:5,5,4+stock"),
    "HEX": ("c0ffee", "0", "0x1", "zz"),
    "LANG": ("en", "de", "fr", "es", "xx"),
    "PAPER": ("A4", "Letter", "A3", "A0"),
    "A": ("A,B", "Ann,Ben", "a,b,c,d,e,f,g,h,i,j", "A"),
    "FILE.html": ("out.html", "-", "."),
    "FILE.pdf": ("out.pdf", "missing/out.pdf"),
    "FILE.json": ("out.json", "one.json", "-"),
    "FILE": ("cards.txt", "decks.txt", "transcript.json", "missing", "-", "."),
    "MESSAGE": ("T1-A-0000", "T2-C-0", "x"),
    "TIME": ("2026-12-01T18:00Z", "x"),
    "BEACON": ("quicknet:1", "quicknet@2026-12-01T20:00Z"),
}
EXITS = (FINE, DOES_NOT_HOLD, BAD_INPUT, MISSING_TOOL)


@cache
def options(name: str) -> tuple[tuple[str, str], ...]:
    """Return all options of a command and its steps, each with the name of its value; help only with others."""

    def of(each: Described) -> Iterator[tuple[str, str]]:
        for argument in each.arguments:
            yield from ((option, argument.value) for option in argument.options)
        for step in each.steps:
            yield from of(step)

    found = {(option, value) for option, value in of(command(name)) if option not in (*LEFT_OUT, "-h", "--help")}
    return tuple(sorted(found)) or (("--help", ""),)


@cache
def examples(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the examples of a command that need nothing that is left out, and the command alone."""
    lines = (shlex.split(line)[1:] for line in command(name).examples)
    steps = (shlex.split(line)[1:] for step in command(name).steps for line in step.examples)
    fine = [tuple(line) for line in (*lines, *steps) if line[:1] == [name] and not {*line} & {*LEFT_OUT, ">", "|"}]
    return (*fine, (name,))


def fitting(value: str, choices: Choices) -> str:
    """Return a value that an option may want."""
    wanted = WANTED.get(value.split(",")[0].split(" ")[0])
    return choices.pick(wanted or VALUES)


def words(data: bytes, commands: tuple[str, ...]) -> list[str]:
    """Return the words of a command line: an example, changed."""
    choices = Choices(data)
    name = choices.pick(commands)
    found = list(choices.pick(examples(name)))
    while not choices.ended and len(found) < 12:
        at, how = 1 + choices.below(len(found)), choices.below(8)
        if how < 3:
            option, value = choices.pick(options(name))
            found[at:at] = [option, fitting(value, choices)] if value else [option]
        elif how == 3:
            del found[at : at + 1]
        elif how == 4:
            found[at : at + 1] = [choices.pick(options(name))[0]]
        elif how < 7 or name in LAB:
            found[at : at + 1] = [choices.pick(VALUES)]
        else:  # any text; not an option, nor a path out of the folder
            found[at : at + 1] = [choices.text().strip("\0").lstrip("-").replace("/", "").replace("..", "")]
    for at, (option, value) in enumerate(pairwise(found), 1):
        if option in FEW and value.isdecimal() and len(value) > len(FEW[option]):
            found[at] = FEW[option]  # examples count more
    for option in ADDED.get(name, ()):
        if option not in found:
            found += [option, FEW[option]]
    return [*found, "--once"] if name == "monitor" else found


@contextmanager
def alone() -> Iterator[None]:
    """Work in a new folder with some files, without network, settings or keyboard."""
    here, place = Path.cwd(), folder() / "work"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for file, content in contents().items():
        (place / file).write_bytes(content)
    closed = patch.object(socket, "socket", side_effect=OSError("the network is closed"))
    no_name = patch.object(socket, "getaddrinfo", side_effect=OSError("the network is closed"))
    at_home = {"HOME": str(place), "XDG_CONFIG_HOME": str(place), "COLUMNS": "80", "NO_COLOR": "1"}
    at_home["FAIRDECK_CONFIG"] = str(place / "config.toml")
    keyboard = patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"0 1 2\n2 0 1\n")))
    os.chdir(place)
    try:
        with closed, no_name, patch.dict(os.environ, at_home), keyboard:
            yield
    finally:
        os.chdir(here)


@cache
def contents() -> dict[str, bytes]:
    """Return the files of the folder: an input that each reader takes."""
    return {file: next(iter(kept(name).values()), b"") for file, name in FILES.items()}


def run(line: list[str]) -> None:
    """Run a command line, and demand an exit code that it may have."""
    said, told = io.TextIOWrapper(io.BytesIO(), write_through=True), io.StringIO()
    with alone(), redirect_stdout(said), redirect_stderr(told):
        code = main(line)
    demand(code in EXITS, f"{line} ended with {code}: {told.getvalue()}")
    demand("more memory than" not in told.getvalue(), f"{line}: {told.getvalue()}")  # `main` tells a MemoryError so
    demand("Traceback" not in told.getvalue(), f"{line}: {told.getvalue()}")
    heard = told.getvalue().strip() or said.buffer.getvalue().strip()
    demand(code == FINE or bool(heard), f"{line} says nothing")


CONFIG_WORDS = (
    'mat = "3x2"',
    'paper = "Letter"',
    "language = 'de'",
    "pace",
    "[a]",
    "#",
    "\x0c",
    "\u2028",
    "[" * 2_000,
)


@reader("config-file", words=CONFIG_WORDS)
def config_file(data: bytes) -> None:
    """The config file."""
    path = folder() / "config.toml"
    path.write_bytes(data)
    with patch.dict(os.environ, {config_files.VARIABLE: str(path)}):
        found = config_files.config()
    demand(all("\n" not in fault for fault in found.faults), found.faults)
    if found.faults:
        raise FairdeckError(found.faults[0])


@reader("command-line", longest=60, in_test=4)
def command_line(data: bytes) -> None:
    """Command lines of commands that count nothing."""
    run(words(data, tuple(name for name in SUMMARIES if name not in (*NEVER, *LAB))))


@reader("lab-command-line", longest=60, in_test=2)
def lab_command_line(data: bytes) -> None:
    """Command lines of the lab."""
    run(words(data, LAB))


@reader("any-command-line", longest=200, in_test=10)
def any_command_line(data: bytes) -> None:
    """Words that are hardly a command."""
    line = [each for each in text(data).split("\x1f")[:8] if "exec" not in each]
    if line and line[0] not in SUMMARIES:
        run(line)
