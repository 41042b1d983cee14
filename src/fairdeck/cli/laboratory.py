"""What the lab's commands share: its packages, seeds, workers, files to write."""

import os
import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from importlib.util import find_spec

from fairdeck.errors import FairdeckError
from fairdeck.extras import missing
from fairdeck.reading import whole_number

MOST_WORKERS = 256
MOST_DECKS = 10**12


def missing_for_lab() -> list[str]:
    """Return the lab's packages that are not there."""
    return [name for name in ("numpy", "scipy") if find_spec(name) is None]


def need_lab() -> None:
    """See that the lab's packages are there.

    Raises:
        MissingTool: they are not.
    """
    if names := missing_for_lab():
        raise missing(f"the lab needs {' and '.join(names)}", "lab")


def seed_argument(parser: ArgumentParser) -> None:
    """Let `parser` take a seed, so that a run can be repeated."""
    parser.add_argument("--seed", metavar="HEX", help="repeat the run that told this seed (default: a new one)")


def seed_from(args: Namespace) -> int:
    """Return the seed asked for, or a new one from the operating system.

    Raises:
        FairdeckError: it is not hexadecimal, or has more than 32 digits.
    """
    if args.seed is None:
        return int.from_bytes(os.urandom(8), "big")
    digits = args.seed.lower().removeprefix("0x")
    if not digits or len(digits) > 32 or any(digit not in "0123456789abcdef" for digit in digits):
        raise FairdeckError(f"seed {args.seed!r} is not hexadecimal: use up to 32 of 0-9 and a-f, such as c0ffee")
    return int(digits, 16)


def workers_argument(parser: ArgumentParser) -> None:
    """Let `parser` take a number of processes."""
    parser.add_argument("--workers", metavar="N", help="processes to count with (default: one for each core)")


def workers_from(args: Namespace) -> int:
    """Return how many processes to use."""
    from fairdeck.lab.spread import cores

    return cores() if args.workers is None else whole_number(args.workers, "workers", 1, MOST_WORKERS)


def level(text: str) -> float:
    """Return the level that a verdict is held to.

    Raises:
        FairdeckError: it is none.
    """
    try:
        alpha = float(text)
    except ValueError:
        alpha = 0.0
    if not 1e-30 <= alpha <= 0.1:
        raise FairdeckError(f"alpha: {text!r} is no level; write a number from 1e-30 to 0.1, such as 1e-6")
    return alpha


def command_line(words: Iterable[str]) -> str:
    """Return the words of a command as they can be typed again."""
    return " ".join(map(quoted, words))


def quoted(word: str) -> str:
    r"""Return a word as the shell reads it, without a character that the terminal would obey.

    >>> print(quoted("my deck.txt"), quoted("a\x1b[31m"))
    'my deck.txt' $'a\x1b[31m'
    """
    if word.isprintable():
        return shlex.quote(word)
    escaped = [
        each if each.isprintable() and each not in "'\\" else "".join(f"\\x{byte:02x}" for byte in os.fsencode(each))
        for each in word
    ]
    return f"$'{''.join(escaped)}'"
