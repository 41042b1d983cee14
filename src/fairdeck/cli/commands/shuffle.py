"""Print a random order of numbers, arguments or lines.

For one number N, the items are 0 to N-1. Several arguments are the items themselves. Without arguments, the items are
the lines of standard input or of a file. Only a newline ends a line. The command does not change any bytes, but ends
the last line with a newline. All orders are equally likely.

Up to 1,000,000 numbers or lines; `shuf` takes more. Without a seed, the order comes from the operating system's
generator.
"""

import json
import sys
from argparse import ArgumentParser, Namespace

from fairdeck.cards import LARGEST_DECK
from fairdeck.cards.text import WIDE_MARKS
from fairdeck.cli.arguments import options
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import read
from fairdeck.cli.settings import integers_from
from fairdeck.dealing.goal import deck_size
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.permutation import arrange
from fairdeck.randomness import uniform_permutation

FORMAT = "fairdeck-shuffle/1"
MOST_TEXT = 1 << 28  # bytes of all lines

EXAMPLES = {
    "fairdeck shuffle 52": "the numbers 0 to 51, one a line",
    "fairdeck shuffle Ann Ben Cem": "who is first?",
    "fairdeck shuffle --file songs.txt -n 10": "ten lines of a file",
}


def arguments(parser: ArgumentParser) -> None:
    declared = {
        "items* N | ITEM": "a number of cards, or the items; without them, the lines of standard input",
        "-e --echo": "shuffle the arguments, even a single number",
        "--file FILE": "shuffle the lines of this file; - is standard input",
        "-n --head K": "print only the first K",
        f"--json {FORMAT}": "cards and items; bytes that are not UTF-8 are replaced",
        "--seed HEX": "for tests: draw from this seed; the same seed and number of items give the same order on every "
        "machine",
    }
    options(parser, declared)


def run(args: Namespace) -> int:
    listed = bool(args.items or args.echo)
    if listed and args.file is not None:
        raise FairdeckError(f"--file {args.file} and items exclude each other: give one of them")
    if len(args.items) == 1 and not args.echo:
        items = [str(number) for number in range(deck_size(args.items[0]))]
    else:
        items = args.items if listed else _lines("-" if args.file is None else args.file)
    _refuse_too_many(len(items))
    head = None if args.head is None else whole("head", args.head, 0, LARGEST_DECK)
    shuffled = arrange(uniform_permutation(len(items), integers_from(args)), items)[:head]
    if args.json:
        # JSON cannot hold bytes that are not UTF-8: they are replaced.
        told = [item.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for item in shuffled]
        numbers = len(args.items) == 1 and not args.echo
        shown = [int(item) for item in told] if numbers else told
        print(json.dumps({"format": FORMAT, "cards": len(items), "items": shown}))
        return FINE
    sys.stdout.flush()
    sys.stdout.buffer.write("".join(f"{item}\n" for item in shuffled).encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
    return FINE


def _lines(file: str) -> list[str]:
    """Return the lines of a file. Only a newline ends a line; bytes that are not UTF-8 come out unchanged."""
    content = read(file, MOST_TEXT, "name a file of fewer lines")
    if content.startswith(WIDE_MARKS):
        told = "standard input" if file == "-" else repr(file)
        raise FairdeckError(f"{told} is UTF-16 text, and lines are shuffled as bytes: save it as UTF-8")
    _refuse_too_many(content.count(b"\n"))
    return content.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n") if content else []


def _refuse_too_many(items: int) -> None:
    if items > LARGEST_DECK:
        raise FairdeckError(f"{items} items are more than {LARGEST_DECK}: shuffle them with shuf")
