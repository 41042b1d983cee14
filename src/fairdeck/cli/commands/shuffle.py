"""Print a uniformly random order of numbers, arguments or lines.

`fairdeck shuffle 52` prints 0 to 51 in random order, one a line; several arguments are shuffled
themselves; with none the lines of standard input are, or those of a `--file`. More than a million
numbers or lines need numpy and numba, and memory for the lines and 8 bytes more for each.
"""

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from fairdeck.cli.exits import FINE
from fairdeck.cli.files import read
from fairdeck.cli.progress import Progress
from fairdeck.cli.settings import dice_from, seed_argument
from fairdeck.errors import FairdeckError
from fairdeck.extras import missing
from fairdeck.goal import LARGEST_DECK
from fairdeck.permutation import arrange
from fairdeck.randomness import Dice, uniform_permutation
from fairdeck.reading import whole_number

MOST_NUMBERS = 10**9
PILES_FROM = 500_000  # items; below, starting numba takes longer than it saves
AT_ONCE = 1 << 18  # numbers, or places of lines, that are written in one go
LONGEST_NUMBER = 11  # bytes, with its newline
BLOCK = 1 << 22  # bytes of lines written in one go
USUAL_MEMORY = 8 << 30  # bytes
PATIENCE = 2.0  # seconds before progress is shown


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "items", nargs="*", metavar="N | ITEM", help="one number, or the items; none: lines of standard input"
    )
    parser.add_argument("-e", "--echo", action="store_true", help="shuffle the arguments, even if it is one number")
    parser.add_argument("--file", metavar="FILE", help="shuffle the lines of this file; - is standard input")
    parser.add_argument("-n", "--head", metavar="K", help="print only the first K")
    parser.add_argument("--json", action="store_true", help="as JSON")
    seed_argument(parser)


def run(args: Namespace) -> int:
    """Shuffle and write."""
    listed = bool(args.items or args.echo)
    if listed and args.file is not None:
        raise FairdeckError(f"--file {args.file} and items are two things to shuffle: give one")
    content: bytearray | None = None
    if len(args.items) == 1 and not args.echo:
        cards = whole_number(args.items[0], "cards", 1, MOST_NUMBERS)
    elif listed:
        cards = len(args.items)
    else:
        content = read("-" if args.file is None else args.file, _memory() // 2, "name a file of fewer lines")
        cards = content.count(b"\n") + (not content.endswith(b"\n") and content != b"")
    head = cards if args.head is None else min(cards, whole_number(args.head, "head", 0, MOST_NUMBERS))
    words = args.items if content is None and (args.echo or len(args.items) > 1) else None
    if cards > LARGEST_DECK and words is not None:
        raise FairdeckError(f"{cards} items are too many: shuffle at most {LARGEST_DECK}, or the lines of a --file")
    # A seed means the same order whatever is installed: what can be shuffled the plain way then is.
    quick = cards > LARGEST_DECK or (cards >= PILES_FROM and words is None and args.seed is None)
    piles = _piles() if quick else None
    if piles is not None:
        return _dealt(piles, content, cards, head, dice_from(args), args.json)
    if cards > LARGEST_DECK:
        raise missing(f"{cards} items are many, and more than {LARGEST_DECK} need numpy and numba", "lab")
    return _plain(words, content, cards, head, dice_from(args), args.json)


def _memory() -> int:
    """Return how many bytes of memory this machine has."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not every system tells
        return USUAL_MEMORY


def _plain(words: list[str] | None, content: bytearray | None, cards: int, head: int, dice: Dice, as_json: bool) -> int:
    if words is not None:
        items = words
    elif content is None:
        items = [str(number) for number in range(cards)]
    else:
        # Only a newline ends a line, and what is no UTF-8 comes out as it came in.
        items = content.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n") if content else []
    shuffled = arrange(uniform_permutation(cards, dice), items)[:head]
    if as_json:
        # What is no UTF-8 has no place in JSON: its bytes are replaced there.
        told = [item.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for item in shuffled]
        numbers = words is None and content is None
        print(json.dumps({"cards": cards, "items": [int(item) for item in told] if numbers else told}))
        return FINE
    sys.stdout.flush()
    sys.stdout.buffer.write("".join(f"{item}\n" for item in shuffled).encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
    return FINE


def _piles() -> ModuleType | None:
    """Return the module that shuffles large arrays, unless its packages are missing or do not fit together."""
    try:
        from fairdeck.lab import piles
    except ImportError:
        return None
    return piles


def _dealt(piles: ModuleType, content: bytearray | None, cards: int, head: int, dice: Dice, as_json: bool) -> int:
    """Shuffle numbers, or the places where lines begin, and write what they stand for, block by block."""
    import numpy as np

    progress = Progress()
    progress.shown = progress.shown and not sys.stdout.isatty()
    items = np.arange(cards, dtype=np.uint32) if content is None else piles.lines(content)
    key = sum(dice.below(1 << 16) << 16 * place for place in range(16))
    order = piles.shuffled(items, key, cipher=True)[:head]
    del items
    if as_json:
        blocks = _json(content, cards, order)
    else:
        blocks = _numbers(piles, order) if content is None else _lines(piles, content, order)
    sys.stdout.flush()
    try:
        for done, block in blocks:
            sys.stdout.buffer.write(block)
            if progress.seconds > PATIENCE:
                progress.tell(done, max(head, 1), "written")
        sys.stdout.buffer.flush()
    finally:
        progress.done()
    return FINE


def _numbers(piles: ModuleType, order: Any) -> Iterator[tuple[int, Any]]:
    """Yield how many numbers are done, and the bytes to write for the last of them."""
    import numpy as np

    out = np.empty(AT_ONCE * LONGEST_NUMBER, np.uint8)
    for at in range(0, len(order), AT_ONCE):
        some = order[at : at + AT_ONCE]
        yield at + len(some), out[: piles.decimals(some, out)]


def _lines(piles: ModuleType, content: bytearray, order: Any) -> Iterator[tuple[int, Any]]:
    import numpy as np

    out = np.empty(BLOCK, np.uint8)
    done = 0
    while done < len(order):
        done, used = piles.gather(np.frombuffer(content, np.uint8), order, done, out)
        if not used:  # one line is longer than a block
            out = np.empty(2 * len(out), np.uint8)
        yield done, out[:used]


def _json(content: bytearray | None, cards: int, order: Any) -> Iterator[tuple[int, Any]]:
    """Yield the same JSON as for few items, without holding all of it."""
    yield 0, f'{{"cards": {cards}, "items": ['.encode()
    for at in range(0, len(order), AT_ONCE):
        some = order[at : at + AT_ONCE].tolist()
        items = some if content is None else [_line(content, begin).decode("utf-8", "replace") for begin in some]
        yield at + len(some), (", " * (at > 0) + json.dumps(items)[1:-1]).encode()
    yield len(order), b"]}\n"


def _line(content: bytearray, begin: int) -> bytearray:
    end = content.find(b"\n", begin)
    return content[begin:] if end < 0 else content[begin:end]
