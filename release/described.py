"""What the commands say of themselves, as plain data, for the reference and the tests."""

from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from fairdeck.cli.arguments import OneLineParser, command_parser, steps_of, usage_of
from fairdeck.cli.commands import SUMMARIES


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a command.

    Attributes:
        options: how it is written, such as ``-o`` and ``--output``; none for an argument without an option.
        value: the name of its value, such as ``FILE.pdf``; empty if it takes none.
        says: its help.
        choices: the values that it takes, if they are few.
        several: whether more than one value can follow.
        may_lack: whether the value can be left out.
    """

    options: tuple[str, ...]
    value: str
    says: str
    choices: tuple[str, ...]
    several: bool
    may_lack: bool

    @property
    def written(self) -> str:
        """How it is written with its value: ``--paper PAPER``."""
        value = f"[{self.value}]" if self.may_lack and self.options else self.value
        return " ".join(filter(None, (", ".join(self.options), value)))


@dataclass(frozen=True, slots=True)
class Described:
    """A command, or a step of one.

    Attributes:
        name: as it is typed after ``fairdeck``: ``deal``, ``together join``.
        summary: one line.
        paragraphs: more about it; a paragraph whose lines begin with "- " is a list.
        usage: how it is typed.
        groups: its arguments, by the title of their group.
        examples: command lines, each with what it is for.
        steps: of a command that has some.
    """

    name: str
    summary: str
    paragraphs: tuple[str, ...]
    usage: str
    groups: Mapping[str, Sequence[Argument]]
    examples: Mapping[str, str]
    steps: tuple["Described", ...] = ()

    @property
    def arguments(self) -> list[Argument]:
        """All arguments."""
        return [argument for group in self.groups.values() for argument in group]


def described() -> tuple[Described, ...]:
    """Return all commands, in the order of `fairdeck --help`. This imports them all."""
    return tuple(map(command, SUMMARIES))


@cache
def command(name: str) -> Described:
    """Return what a command says of itself."""
    parser = command_parser(name)
    return _described(parser, [_described(step) for step in steps_of(parser).values()])


def _described(parser: OneLineParser, steps: Sequence[Described] = ()) -> Described:
    summary, *paragraphs = (parser.description or "").split("\n\n")
    groups = {
        group.title or "": tuple(
            _argument(parser, action) for action in group._group_actions if not isinstance(action, _SubParsersAction)
        )
        for group in parser._action_groups
    }
    return Described(
        parser.prog.removeprefix("fairdeck "),
        summary,
        tuple(paragraphs),
        usage_of(parser).replace("%%", "%"),
        {title: arguments for title, arguments in groups.items() if arguments},
        parser.examples,
        tuple(steps),
    )


def _argument(parser: ArgumentParser, action: Action) -> Argument:
    formatter = parser._get_formatter()
    says = formatter._expand_help(action) if action.help else ""
    value, names = "", action.metavar or ("|".join(action.choices) if action.choices else action.dest)
    if action.nargs != 0:
        value = " ".join(names) if isinstance(names, tuple) else " ".join([names] * _times(action))
    choices = tuple(map(str, action.choices or ()))
    return Argument(
        tuple(action.option_strings), value, says, choices, action.nargs in ("*", "+"), action.nargs in ("?", "*")
    )


def _times(action: Action) -> int:
    return action.nargs if isinstance(action.nargs, int) else 1
