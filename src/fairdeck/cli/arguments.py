"""A command line parsed: the command, its arguments, help, and for a misspelt name the nearest known one.

Only the command that is asked for is imported; `SUMMARIES` has one line about each of the others.
"""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import takewhile
from typing import Any, NoReturn

from fairdeck import __version__
from fairdeck.cli.commands import SUMMARIES
from fairdeck.cli.exits import BAD_INPUT
from fairdeck.cli.formats import json_argument
from fairdeck.errors import FairdeckError, nearest, nearest_or_all

ROOT_OPTIONS = ("-h", "--help", "--version")
USUAL_GROUPS = 2  # of argparse: arguments, and options
WITHOUT_STEP = re.compile(r"\d|-(?!h$|-help$)")  # words that begin with a number or an option name no step
NO_VALUE = re.compile(r"--[^=]*=--|-[a-zA-Z]--")


class UsageError(FairdeckError):
    """A command line that cannot be parsed: what is wrong, what is said if nothing tells what was meant, and where."""

    def __init__(self, message: str, otherwise: str, prog: str) -> None:
        super().__init__(message)
        self.otherwise, self.prog = otherwise, prog


class Paragraphs(argparse.HelpFormatter):
    """Help whose paragraphs stay paragraphs, and whose indented lines stay lines. Backticks mark code elsewhere."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        from fairdeck.cli.overview import filled

        return filled(text, max(width, 20), indent)

    def _split_lines(self, text: str, width: int) -> list[str]:
        from textwrap import wrap

        return wrap(" ".join(text.split()), width, break_on_hyphens=False)

    def _get_help_string(self, action: argparse.Action) -> str:
        return (action.help or "").replace("`", "")

    def _metavar_formatter(self, action: argparse.Action, default_metavar: str) -> Any:
        if action.choices is not None and action.metavar is None and not isinstance(action, argparse._SubParsersAction):
            return lambda size: ("|".join(map(str, action.choices or ())),) * size  # braces look like a template
        return super()._metavar_formatter(action, default_metavar)


class OneLineParser(argparse.ArgumentParser):
    """A parser whose errors are one line, with `examples`: command lines, and what they are for."""

    examples: Mapping[str, str]

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=Paragraphs, **options)

    def error(self, message: str, otherwise: str = "") -> NoReturn:
        """Raise a `UsageError`."""
        if not otherwise and "are required:" in message:
            otherwise = f"; for example: {next(iter(self.examples))}"
        raise UsageError(message, otherwise, self.prog)

    def _print_message(self, message: str, file: Any = None) -> None:
        # If help cannot be written, argparse says nothing, and the exit code is 0.
        if file is sys.stdout:
            print(message, end="", flush=True)
        else:
            super()._print_message(message, file)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            near = nearest_or_all(str(value), map(str, action.choices))
            raise argparse.ArgumentError(action, f"{value!r} is not a value of this option{near}")


class RootParser(OneLineParser):
    """The parser of the words before a command. It knows only the names of commands."""

    def format_help(self) -> str:
        """Return the commands in their groups."""
        from fairdeck.cli.overview import overview

        return overview()


def root_parser() -> OneLineParser:
    """Return the parser of the words before a command."""
    root = RootParser(prog="fairdeck")
    root.add_argument("--version", action="version", version=f"fairdeck {__version__}")
    return root


def command_parser(name: str) -> OneLineParser:
    """Return the parser of a command's arguments."""
    module = import_module(f"fairdeck.cli.commands.{name}")
    made = OneLineParser(prog=f"fairdeck {name}", description=(module.__doc__ or "").strip(), allow_abbrev=False)
    module.arguments(made)
    made.set_defaults(run=module.run)
    for parser in (made, *steps_of(made).values()):
        parser.examples = {
            line: about for line, about in module.EXAMPLES.items() if f"{line} ".startswith(f"{parser.prog} ")
        }
        shown = [f"    {line}\n        {about}" for line, about in parser.examples.items()]
        parser.epilog = "\n\n".join(["examples:", *shown])
        parser.usage = usage_of(parser)
        parser._positionals.title = "arguments"
        if len(parser._action_groups) > USUAL_GROUPS:  # options without a group of their own come last
            parser._action_groups.append(parser._action_groups.pop(1))
            parser._optionals.title = "other options"
    return made


def options(group: argparse._ActionsContainer, told: Mapping[str, str], **usual: object) -> None:
    """Declare options: each as it is typed, and what help tells of it.

    ``-o --output FILE`` has two names and a value, ``--qr [ADDRESS]`` a value that may stay away, ``--takes deck|n``
    one of these values, ``--fill`` none. ``--store! DB`` must be there. ``logs+ LOG`` is no option but one word or
    more, ``riffles* RIFFLE`` any number of words, ``order? ORDER`` one or none. Behind ``--json`` stand its formats,
    and what is told are their fields. `usual` has the values of what is not given.
    """
    for typed, about in told.items():
        words = typed.split(" ")
        size = max(1, len(list(takewhile(lambda word: word.startswith("-"), words))))
        names, value = [word.rstrip("!?*+") for word in words[:size]], " ".join(words[size:])
        mark = words[size - 1][-1]
        kind: dict[str, Any] = {"metavar": value.strip("[]")} if value else {"action": "store_true"}
        if names == ["--json"]:
            json_argument(group, *words[1:], fields=about)
            continue
        if mark == "!":
            kind["required"] = True
        elif mark in "?*+":
            kind["nargs"] = mark
        if value.startswith("["):
            kind |= {"nargs": "?", "const": ""}
        elif "|" in value and " " not in value:
            kind = {"choices": value.split("|")}
        group.add_argument(*names, help=about, **kind)
    group.set_defaults(**usual)


def usage_of(parser: argparse.ArgumentParser) -> str:
    """Return how a command is written: what it must have, and that it has options; these are listed below it."""
    words = [parser.prog]
    named = [action for action in parser._actions if action.option_strings]
    words += [f"{action.option_strings[0]} {action.metavar}" for action in named if action.required]
    words += ["[options]"] * (not steps_of(parser))
    write = parser._get_formatter()._format_args
    words += [write(action, str(action.metavar or action.dest)) for action in parser._actions if action not in named]
    return " ".join(words).replace("%", "%%")


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """Return the parsed words of a command line.

    Raises:
        SystemExit: help or the version was written.
        UsageError: the words are wrong.
        FairdeckError: a file would be read and written.
    """
    if words[:1] == ["help"]:
        words = [*words[1:3], "--help"]
    if words and words[0] in SUMMARIES:
        return _arguments(command_parser(words[0]), words[1:])
    root = root_parser()
    if not words:
        root.print_help(sys.stderr)
        raise SystemExit(BAD_INPUT)
    if words[0] not in ROOT_OPTIONS:
        what = "option" if words[0].startswith("-") else "command"
        known = ROOT_OPTIONS if what == "option" else [*SUMMARIES, "help"]
        root.error(f"there is no {what} {words[0]!r}", nearest(words[0], known))
    return root.parse_args(words[:1])


def _arguments(parser: OneLineParser, words: Sequence[str]) -> argparse.Namespace:
    # Checked before argparse, which would complain about a missing number of cards first, and suggests nothing.
    usual = parser.get_default("usual_step")
    if usual and words and WITHOUT_STEP.match(words[0]):
        words = [usual, *words]
    options = steps_of(parser).get(words[0], parser) if words else parser
    for word in takewhile("--".__ne__, words):
        if NO_VALUE.fullmatch(word):  # before Python 3.13, argparse would return an empty list
            parser.error(f"{word!r}: the option before it has no value: write one instead of --")
        if word.startswith("--"):
            _known_option(options, word.partition("=")[0])
    args, surplus = parser.parse_known_args(words)
    many = [action.dest for action in options._actions if not action.option_strings and action.nargs in ("*", "+")]
    if many and not any(word.startswith("-") for word in surplus):  # options stood between the words
        setattr(args, many[0], [*getattr(args, many[0]), *surplus])
        surplus = []
    for word in surplus:
        if word.startswith("-"):
            _known_option(options, word)
        more = len(surplus) - 1
        options.error(f"unexpected argument {word!r}", f": leave out {' '.join(surplus)}" if more else ": leave it out")
    from fairdeck.cli.files import demand_apart  # loads what help does not need

    demand_apart(options, args)
    return args


def steps_of(parser: argparse.ArgumentParser) -> dict[str, OneLineParser]:
    """Return the parsers of a command's steps by name; most commands have none."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _known_option(parser: OneLineParser, option: str) -> None:
    known = parser._option_string_actions
    if option not in known:
        parser.error(f"there is no option {option!r}", nearest(option, known))
