"""The words of a command line, understood: a command's arguments, help, and the nearest name for a slip.

Only the command that is asked for is imported; what the others are about is read from the first lines of their files.
"""

import re
import sys
from argparse import Action, ArgumentError, ArgumentParser, Namespace
from collections.abc import Collection, Sequence
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NoReturn

from fairdeck import __version__
from fairdeck.cli import commands
from fairdeck.cli.exits import BAD_INPUT
from fairdeck.cli.streams import one_line

ROOT_OPTIONS = ("-h", "--help", "--version")
NO_VALUE = re.compile(r"--[^=]*=--|-[a-zA-Z]--")


class OneLineParser(ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Write the message and leave with the exit code for bad input."""
        self.exit(BAD_INPUT, one_line(f"{self.prog}: {message} (see {self.prog} --help)") + "\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        # argparse keeps silent if help or the version cannot be written, and the exit code is 0.
        if file is sys.stdout:
            print(message, end="", flush=True)
        else:
            super()._print_message(message, file)

    def _check_value(self, action: Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = [str(each) for each in action.choices]
            near = nearest(str(value), choices) or f"; choose one of {', '.join(choices)}"
            raise ArgumentError(action, f"{value!r} is not one of its values{near}")


def names() -> list[str]:
    """Return the names of all commands."""
    return sorted(module.name for module in iter_modules(commands.__path__))


def summary(name: str) -> str:
    """Return what a command is about, the first line of its file, without importing it."""
    with Path(commands.__path__[0], f"{name}.py").open(encoding="utf-8") as file:
        return file.readline().strip('"\n')


def root_parser() -> OneLineParser:
    """Return the parser of what comes before a command. It knows the commands by name only."""
    root = OneLineParser(
        prog="fairdeck",
        description="Fully random decks: dealt by hand, proven by machine.",
        epilog="Start with: fairdeck deal 60 --mat 5x2. More about a command: fairdeck help COMMAND.",
    )
    root.add_argument("--version", action="version", version=f"fairdeck {__version__}")
    found = root.add_subparsers(title="commands", metavar="COMMAND")
    for name in names():
        found.add_parser(name, help=summary(name))
    return root


def command_parser(name: str) -> OneLineParser:
    """Return the parser of the arguments of a command."""
    module = import_module(f"{commands.__name__}.{name}")
    made = OneLineParser(prog=f"fairdeck {name}", description=(module.__doc__ or "").strip(), allow_abbrev=False)
    module.arguments(made)
    made.set_defaults(run=module.run)
    return made


def parsed(words: Sequence[str]) -> Namespace:
    """Return what the words ask for.

    Raises:
        SystemExit: help or the version was asked for, and is written; or the words cannot be understood.
    """
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    if words and words[0] in names():
        return _arguments(command_parser(words[0]), words[1:])
    root = root_parser()
    if not words:
        root.print_help(sys.stderr)
        raise SystemExit(BAD_INPUT)
    if words[0] not in ROOT_OPTIONS:
        what = "option" if words[0].startswith("-") else "command"
        root.error(f"there is no {what} {words[0]!r}{nearest(words[0], [*names(), 'help', *ROOT_OPTIONS])}")
    return root.parse_args(words[:1])


def _arguments(parser: OneLineParser, words: Sequence[str]) -> Namespace:
    # Before argparse has its say: it would complain of the missing number of cards first, and suggests nothing.
    for word in takewhile("--".__ne__, words):
        if NO_VALUE.fullmatch(word):  # argparse, before Python 3.13, would hand on an empty list
            parser.error(f"{word!r} gives an option no value: write one in place of the last --")
        if word.startswith("--"):
            _known_option(parser, word.partition("=")[0])
    args, surplus = parser.parse_known_args(words)
    for word in surplus:
        if word.startswith("-"):
            _known_option(parser, word)
        parser.error(f"a word too many: {word!r}")
    return args


def _known_option(parser: OneLineParser, option: str) -> None:
    known = parser._option_string_actions
    if option not in known:
        parser.error(f"there is no option {option!r}{nearest(option, known)}")


def nearest(word: str, known: Collection[str]) -> str:
    """Return a question for the one of the `known` words that `word` may be a slip for, or nothing.

    >>> nearest("dael", ["check", "deal"]), nearest("xyz", ["check", "deal"])
    ("; did you mean 'deal'?", '')
    """
    from difflib import get_close_matches  # for a slip only

    close = get_close_matches(word.lower(), known, 1)
    return f"; did you mean {close[0]!r}?" if close else ""
