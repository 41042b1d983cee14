"""The command line: parse, call, write.

Each module in `fairdeck.cli.commands` is a command of the same name. It has a docstring (`SUMMARIES` repeats
the first line, for the list of commands), ``arguments(parser)`` and ``run(args) -> int``. Only the command asked
for is imported. This module alone turns errors into exit codes.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr

from fairdeck.cli.arguments import UsageError, parsed
from fairdeck.cli.exits import BAD_INPUT, FINE, INTERNAL_ERROR, INTERRUPTED, MISSING_TOOL
from fairdeck.cli.signals import leaving_tidily
from fairdeck.cli.streams import LossyStream, failure, one_line, prepared
from fairdeck.cli.terminal import somebody_there
from fairdeck.errors import FairdeckError, MissingTool

TRACEBACK = "FAIRDECK_TRACEBACK"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; no exception leaves this function."""
    words = list(sys.argv[1:] if argv is None else argv)
    with redirect_stderr(LossyStream(sys.stderr)):
        try:
            with prepared():
                return _answer(words)
        except BaseException as error:
            return _failed(error, words)


def _answer(words: list[str]) -> int:
    for word in words:
        if "\0" in word:
            raise FairdeckError(f"{word!r} holds a NUL character, which no name or value can; leave it out")
    try:
        with leaving_tidily():
            if not words and somebody_there():
                from fairdeck.cli.first_deal import first_deal  # loads what only this needs

                return first_deal()
            args = parsed(words)
            code: int = args.run(args)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else FINE
    return code


def _failed(error: BaseException, words: list[str]) -> int:
    """Say in one line what went wrong, and return the exit code for it."""
    if isinstance(error, MissingTool):
        return _told(str(error), MISSING_TOOL)
    if isinstance(error, FairdeckError):
        from fairdeck.cli.meant import with_meant  # for errors only

        if not isinstance(error, UsageError):
            return _told(with_meant(str(error), words), BAD_INPUT)
        told = with_meant(str(error), words, error.otherwise)
        return _told(f"{told} (see {error.prog} --help)", BAD_INPUT, error.prog)
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if os.environ.get(TRACEBACK):
        from traceback import print_exception  # takes a while

        print_exception(error)
    if isinstance(error, MemoryError):
        return _told("this needs more memory than the machine has: ask for less", BAD_INPUT)
    if isinstance(error, OSError):
        return _told(failure(error), BAD_INPUT)
    what = f"{type(error).__name__}: {error}".removesuffix(": ")
    return _told(f"internal error: {what}; please report it with the output of {TRACEBACK}=1", INTERNAL_ERROR)


def _told(message: str, code: int, program: str = "fairdeck") -> int:
    from fairdeck.cli.program import as_called  # loads what only a hint needs

    print(f"{program}: {as_called(one_line(message))}", file=sys.stderr)
    return code
