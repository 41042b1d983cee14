"""The command line: parse, call, write.

Each module in `fairdeck.cli.commands` is a command of the same name. It has a docstring (`SUMMARIES` repeats
the first line, for the list of commands), ``arguments(parser)`` and ``run(args) -> int``. Only the command asked
for is imported. This module alone turns errors into exit codes.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr

from fairdeck.cli.arguments import parsed
from fairdeck.cli.exits import BAD_INPUT, FINE, INTERNAL_ERROR, INTERRUPTED, MISSING_TOOL
from fairdeck.cli.signals import leaving_tidily
from fairdeck.cli.streams import LossyStream, ReaderGone, failure, one_line, prepared
from fairdeck.cli.terminal import somebody_there
from fairdeck.errors import FairdeckError, MissingTool

TRACEBACK = "FAIRDECK_TRACEBACK"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; no exception leaves this function."""
    words = list(sys.argv[1:] if argv is None else argv)
    code = FINE
    with redirect_stderr(LossyStream(sys.stderr)):
        try:
            with prepared():
                code = _answer(words)
        except ReaderGone:  # the reader closed the pipe; the exit code found so far still holds
            return code
        except BaseException as error:
            return _failed(error)
    return code


def _answer(words: list[str]) -> int:
    for word in words:
        if "\0" in word:
            raise FairdeckError(f"{word!r} holds a NUL character, which no name or value can; leave it out")
    try:
        with leaving_tidily():
            if not words and somebody_there():
                from fairdeck.cli.first_deal import first_deal  # loads what only this needs

                return first_deal()
            args = parsed(words, lambda message, otherwise: _explained(message, words, otherwise))
            try:
                code: int = args.run(args)
            except FairdeckError as error:
                if type(error) is not FairdeckError:
                    raise
                raise FairdeckError(_explained(str(error), words, parsed=True)) from error
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else FINE
    return code


def _explained(message: str, words: Sequence[str], otherwise: str = "", *, parsed: bool = False) -> str:
    """Return a message with the line that was meant, where a word is of another kind than its place asks for."""
    from fairdeck.cli.meant import with_meant  # for errors only

    return with_meant(message, words, otherwise, parsed=parsed)


def _failed(error: BaseException) -> int:
    """Say in one line what went wrong, and return the exit code for it."""
    if isinstance(error, FairdeckError):
        return _told(str(error), MISSING_TOOL if isinstance(error, MissingTool) else BAD_INPUT)
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


def _told(message: str, code: int) -> int:
    from fairdeck.cli.program import as_called  # loads what only a hint needs

    print(f"fairdeck: {as_called(one_line(message))}", file=sys.stderr)
    return code
