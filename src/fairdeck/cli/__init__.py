"""The command line: parse, call, write.

Each module in `fairdeck.cli.commands` is a command of its own name, found here by itself. It has
a docstring (its first line is the help), ``arguments(parser)`` and ``run(args) -> int``. Only the
command asked for is imported. This is the one place that turns errors into exit codes.
"""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import NoReturn

from fairdeck import __version__
from fairdeck.cli import commands
from fairdeck.cli.exits import BAD_INPUT, FINE, INTERRUPTED, MISSING_TOOL
from fairdeck.cli.streams import one_line, prepare
from fairdeck.errors import FairdeckError, MissingTool


class OneLineParser(ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Write the message and leave with the exit code for bad input."""
        self.exit(BAD_INPUT, one_line(f"{self.prog}: {message} (see {self.prog} --help)") + "\n")


def names() -> list[str]:
    """Return the names of all commands."""
    return sorted(module.name for module in iter_modules(commands.__path__))


def parser(wanted: Sequence[str]) -> ArgumentParser:
    """Return the parser that knows the `wanted` commands."""
    root = OneLineParser(
        prog="fairdeck",
        description="Fully random decks: dealt by hand, proven by machine.",
        epilog="Start with: fairdeck deal 60 --mat 5x2",
    )
    root.add_argument("--version", action="version", version=f"fairdeck {__version__}")
    found = root.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in wanted:
        module = import_module(f"{commands.__name__}.{name}")
        about = (module.__doc__ or "").strip()
        summary = about.partition("\n")[0]
        command = found.add_parser(name, help=summary, description=about, allow_abbrev=False)
        module.arguments(command)
        command.set_defaults(run=module.run)
    return root


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    known = names()
    try:
        prepare()
        args: Namespace = parser([words[0]] if words and words[0] in known else known).parse_args(words)
        code: int = args.run(args)
        sys.stdout.flush()
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else FINE
    except FairdeckError as error:
        return _refused(str(error), MISSING_TOOL if isinstance(error, MissingTool) else BAD_INPUT)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read us has enough. What is left in the buffer must not complain at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except MemoryError:
        return _refused("this is too large for the memory of this machine: ask for less")
    except OSError as error:
        return _refused(f"cannot write to standard output ({error.strerror or error}): send it elsewhere")
    return code


def _refused(message: str, code: int = BAD_INPUT) -> int:
    if sys.stderr is not None:
        print(f"fairdeck: {one_line(message)}", file=sys.stderr)
    return code
