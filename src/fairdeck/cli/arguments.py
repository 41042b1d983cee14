"""A command line parsed: the command, its arguments, help, and for a misspelt name the nearest known one.

Only the command that is asked for is imported; `SUMMARIES` has one line about each of the others.
"""

import re
import sys
from argparse import Action, ArgumentError, ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Collection, Sequence
from importlib import import_module
from itertools import takewhile
from typing import Any, NoReturn

from fairdeck import __version__
from fairdeck.cli.commands import SUMMARIES
from fairdeck.cli.exits import BAD_INPUT
from fairdeck.cli.streams import one_line

ROOT_OPTIONS = ("-h", "--help", "--version")
NO_VALUE = re.compile(r"--[^=]*=--|-[a-zA-Z]--")


class OneLineParser(ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Write the message and leave with the exit code for bad input."""
        self.exit(BAD_INPUT, one_line(f"{self.prog}: {message} (see {self.prog} --help)") + "\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        # If help cannot be written, argparse says nothing, and the exit code is 0.
        if file is sys.stdout:
            print(message, end="", flush=True)
        else:
            super()._print_message(message, file)

    def _check_value(self, action: Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = [str(each) for each in action.choices]
            near = nearest(str(value), choices) or f"; choose one of {', '.join(choices)}"
            raise ArgumentError(action, f"{value!r} is not a value of this option{near}")


def root_parser() -> OneLineParser:
    """Return the parser of the words before a command. It knows only the names of commands."""
    root = OneLineParser(
        prog="fairdeck",
        description="Fully random decks: dealt by hand, proven by machine.",
        epilog="Start with: fairdeck deal 60 --mat 5x2. More about a command: fairdeck help COMMAND.",
    )
    root.add_argument("--version", action="version", version=f"fairdeck {__version__}")
    found = root.add_subparsers(title="commands", metavar="COMMAND")
    for name, summary in SUMMARIES.items():
        found.add_parser(name, help=summary)
    return root


def command_parser(name: str) -> OneLineParser:
    """Return the parser of a command's arguments."""
    module = import_module(f"fairdeck.cli.commands.{name}")
    made = OneLineParser(prog=f"fairdeck {name}", description=(module.__doc__ or "").strip(), allow_abbrev=False)
    module.arguments(made)
    made.set_defaults(run=module.run)
    return made


def parsed(words: Sequence[str]) -> Namespace:
    """Return the parsed words of a command line.

    Raises:
        SystemExit: help or the version was written; or the words are wrong.
    """
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    if words and words[0] in SUMMARIES:
        return _arguments(command_parser(words[0]), words[1:])
    root = root_parser()
    if not words:
        root.print_help(sys.stderr)
        raise SystemExit(BAD_INPUT)
    if words[0] not in ROOT_OPTIONS:
        what = "option" if words[0].startswith("-") else "command"
        root.error(f"there is no {what} {words[0]!r}{nearest(words[0], [*SUMMARIES, 'help', *ROOT_OPTIONS])}")
    return root.parse_args(words[:1])


def _arguments(parser: OneLineParser, words: Sequence[str]) -> Namespace:
    # Checked before argparse, which would complain about a missing number of cards first, and suggests nothing.
    options = _step(parser, words)
    for word in takewhile("--".__ne__, words):
        if NO_VALUE.fullmatch(word):  # before Python 3.13, argparse would return an empty list
            parser.error(f"{word!r}: the option before it has no value: write one instead of --")
        if word.startswith("--"):
            _known_option(options, word.partition("=")[0])
    args, surplus = parser.parse_known_args(words)
    for word in surplus:
        if word.startswith("-"):
            _known_option(options, word)
        options.error(f"unexpected argument {word!r}: leave it out")
    return args


def steps_of(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    """Return the parsers of a command's steps by name; most commands have none."""
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            return dict(action.choices)
    return {}


def _step(parser: ArgumentParser, words: Sequence[str]) -> ArgumentParser:
    """Return the parser that knows the options: that of the step, where a command has steps and one is named."""
    return steps_of(parser).get(words[0], parser) if words else parser


def _known_option(parser: ArgumentParser, option: str) -> None:
    known = parser._option_string_actions
    if option not in known:
        parser.error(f"there is no option {option!r}{nearest(option, known)}")


def nearest(word: str, known: Collection[str]) -> str:
    """Return "did you mean", with the `known` word nearest to `word`; or nothing if none is near.

    >>> nearest("dael", ["check", "deal"]), nearest("xyz", ["check", "deal"])
    ("; did you mean 'deal'?", '')
    """
    from difflib import get_close_matches  # slow to import, and needed for errors only

    close = get_close_matches(word.lower(), known, 1)
    return f"; did you mean {close[0]!r}?" if close else ""
