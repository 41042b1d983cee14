"""Print a random order of numbers, arguments or lines.

For one number N, the items are 0 to N-1. Several arguments are the items themselves. Without arguments, the items are
the lines of standard input or of a file. Only a newline ends a line. The command does not change any bytes, but ends
the last line with a newline. All orders are equally likely.

More than 1,000,000 numbers (up to 1,000,000,000) or lines need the extra `lab`. The first such call compiles for some
seconds. The command needs memory for the file, and 8 bytes for each number or line. Without a seed, the order comes
from the operating system's generator; with Numba and at least 500,000 items, it comes from ChaCha20 (RFC 8439) with a
key of 256 bits from that generator.
"""

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from fairdeck.cli.exits import FINE
from fairdeck.cli.files import WIDE_MARKS, read
from fairdeck.cli.help.formats import json_argument
from fairdeck.cli.progress import Progress
from fairdeck.cli.settings import integers_from
from fairdeck.dealing.goal import LARGEST_DECK
from fairdeck.errors import FairdeckError
from fairdeck.extras import missing
from fairdeck.numbers import whole_number
from fairdeck.permutation import arrange
from fairdeck.randomness import RandomIntegers, uniform_permutation

FORMAT = "fairdeck-shuffle/1"
MOST_NUMBERS = 10**9
PILES_FROM = 500_000  # items; below, starting numba takes longer than it saves
AT_ONCE = 1 << 18  # numbers, or positions of lines, written at once
LONGEST_NUMBER = 11  # bytes, with its newline
BLOCK = 1 << 22  # bytes of lines written at once
USUAL_MEMORY = 8 << 30  # bytes
PATIENCE = 2.0  # seconds before progress is shown


EXAMPLES = {
    "fairdeck shuffle 52": "the numbers 0 to 51, one a line",
    "fairdeck shuffle Ann Ben Cem": "who is first?",
    "fairdeck shuffle --file songs.txt -n 10": "ten lines of a file",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "items",
        nargs="*",
        metavar="N | ITEM",
        help="a number of cards, or the items; without them, the lines of standard input",
    )
    parser.add_argument("-e", "--echo", action="store_true", help="shuffle the arguments, even a single number")
    parser.add_argument("--file", metavar="FILE", help="shuffle the lines of this file; - is standard input")
    parser.add_argument("-n", "--head", metavar="K", help="print only the first K")
    json_argument(parser, "fairdeck-shuffle/1", fields="cards and items; bytes that are not UTF-8 are replaced")
    parser.add_argument(
        "--seed",
        metavar="HEX",
        help="for tests: draw from this seed; the same seed and number of items give the same order on every machine, "
        "with Numba and without; above 1,000,000 items another stream is used",
    )


def run(args: Namespace) -> int:
    listed = bool(args.items or args.echo)
    if listed and args.file is not None:
        raise FairdeckError(f"--file {args.file} and items exclude each other: give one of them")
    content: bytearray | None = None
    if len(args.items) == 1 and not args.echo:
        cards = whole_number(args.items[0], "cards", 1, MOST_NUMBERS)
    elif listed:
        cards = len(args.items)
    else:
        content = read("-" if args.file is None else args.file, _memory() // 2, "name a file of fewer lines")
        if content.startswith(WIDE_MARKS):
            told = "standard input" if args.file in (None, "-") else repr(args.file)
            raise FairdeckError(f"{told} is UTF-16 text, and lines are shuffled as bytes: save it as UTF-8")
        cards = content.count(b"\n") + (not content.endswith(b"\n") and content != b"")
    head = cards if args.head is None else min(cards, whole_number(args.head, "head", 0, MOST_NUMBERS))
    words = args.items if content is None and (args.echo or len(args.items) > 1) else None
    if cards > LARGEST_DECK and words is not None:
        raise FairdeckError(f"{cards} items are too many: shuffle at most {LARGEST_DECK}, or the lines of a --file")
    # A seed must give the same order whatever is installed, so the plain way is used wherever it can be.
    quick = cards > LARGEST_DECK or (cards >= PILES_FROM and words is None and args.seed is None)
    piles = _piles() if quick else None
    if piles is not None:
        return _dealt(piles, content, cards, head, integers_from(args), args.json)
    if cards > LARGEST_DECK:
        raise missing(f"{cards} items are more than {LARGEST_DECK}, and need NumPy and Numba", "lab")
    return _plain(words, content, cards, head, integers_from(args), args.json)


def _memory() -> int:
    if sys.platform == "win32":
        return USUAL_MEMORY
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not known on every system
        return USUAL_MEMORY


def _plain(
    words: list[str] | None, content: bytearray | None, cards: int, head: int, integers: RandomIntegers, as_json: bool
) -> int:
    if words is not None:
        items = words
    elif content is None:
        items = [str(number) for number in range(cards)]
    else:
        # Only a newline ends a line; bytes that are not UTF-8 come out unchanged.
        items = content.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n") if content else []
    shuffled = arrange(uniform_permutation(cards, integers), items)[:head]
    if as_json:
        # JSON cannot hold bytes that are not UTF-8: they are replaced.
        told = [item.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for item in shuffled]
        numbers = words is None and content is None
        items_told = [int(item) for item in told] if numbers else told
        print(json.dumps({"format": FORMAT, "cards": cards, "items": items_told}))
        return FINE
    sys.stdout.flush()
    sys.stdout.buffer.write("".join(f"{item}\n" for item in shuffled).encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
    return FINE


def _piles() -> ModuleType | None:
    """Return the module that shuffles large arrays; None if its packages are missing or incompatible."""
    try:
        from fairdeck.bulk import available

        available()  # or says what in this folder forbids it
        from fairdeck.bulk import piles
    except ImportError:
        return None
    return piles


def _dealt(
    piles: ModuleType, content: bytearray | None, cards: int, head: int, integers: RandomIntegers, as_json: bool
) -> int:
    """Shuffle numbers, or the positions of lines, and write the numbers or lines block by block."""
    import numpy as np

    progress = Progress()
    progress.shown = progress.shown and not sys.stdout.isatty()
    items = np.arange(cards, dtype=np.uint32) if content is None else piles.lines(content)
    key = sum(integers.below(1 << 16) << 16 * place for place in range(16))
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
    """Yield how many numbers are done, and the next bytes to write."""
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
        if not used:  # a line is longer than the buffer
            out = np.empty(2 * len(out), np.uint8)
        yield done, out[:used]


def _json(content: bytearray | None, cards: int, order: Any) -> Iterator[tuple[int, Any]]:
    """Yield the same JSON as for few items, without holding it all in memory."""
    yield 0, f'{{"format": "{FORMAT}", "cards": {cards}, "items": ['.encode()
    for at in range(0, len(order), AT_ONCE):
        some = order[at : at + AT_ONCE].tolist()
        items = some if content is None else [_line(content, begin).decode("utf-8", "replace") for begin in some]
        yield at + len(some), (", " * (at > 0) + json.dumps(items)[1:-1]).encode()
    yield len(order), b"]}\n"


def _line(content: bytearray, begin: int) -> bytearray:
    end = content.find(b"\n", begin)
    return content[begin:] if end < 0 else content[begin:end]
