"""The command line: parse, call, write.

Each module in `fairdeck.cli.commands` is a command of its own name, found by itself (see `arguments`). It
has a docstring (its first line is the help), ``arguments(parser)`` and ``run(args) -> int``. Only the
command asked for is imported. This is the one place that turns errors into exit codes.
"""

import os
import sys
from collections.abc import Sequence

from fairdeck.cli.arguments import parsed
from fairdeck.cli.exits import BAD_INPUT, FINE, INTERRUPTED, MISSING_TOOL
from fairdeck.cli.streams import failure, one_line, prepare
from fairdeck.errors import FairdeckError, MissingTool


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        prepare()
        args = parsed(words)
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
        return _refused(failure(error))
    return code


def _refused(message: str, code: int = BAD_INPUT) -> int:
    if sys.stderr is not None:
        print(f"fairdeck: {one_line(message)}", file=sys.stderr)
    return code
