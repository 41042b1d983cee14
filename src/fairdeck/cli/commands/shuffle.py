"""Print a uniformly random order of numbers, arguments or lines.

`fairdeck shuffle 52` prints 0 to 51 in random order, one a line; several arguments are shuffled
themselves; with none the lines of standard input are.
"""

import json
import sys
from argparse import ArgumentParser, Namespace

from fairdeck.cli.exits import FINE
from fairdeck.cli.settings import dice_from, seed_argument
from fairdeck.cli.streams import standard_input
from fairdeck.errors import FairdeckError
from fairdeck.goal import LARGEST_DECK, deck_size
from fairdeck.permutation import arrange
from fairdeck.randomness import uniform_permutation
from fairdeck.reading import whole_number


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "items", nargs="*", metavar="N | ITEM", help="one number, or the items; none: lines of standard input"
    )
    parser.add_argument("-e", "--echo", action="store_true", help="shuffle the arguments, even if it is one number")
    parser.add_argument("-n", "--head", metavar="K", help="print only the first K")
    parser.add_argument("--json", action="store_true", help="as JSON")
    seed_argument(parser)


def run(args: Namespace) -> int:
    """Shuffle and write."""
    numbers = len(args.items) == 1 and not args.echo
    if numbers:
        items = [str(number) for number in range(deck_size(args.items[0]))]
    elif args.items or args.echo:
        items = args.items
    else:
        # Only a newline ends a line, and what is no UTF-8 comes out as it came in.
        text = standard_input().decode("utf-8", "surrogateescape")
        items = text.removesuffix("\n").split("\n") if text else []
    if len(items) > LARGEST_DECK:
        raise FairdeckError(f"{len(items)} items are too many: shuffle at most {LARGEST_DECK}")
    head = len(items) if args.head is None else whole_number(args.head, "head", 0, LARGEST_DECK)
    shuffled = arrange(uniform_permutation(len(items), dice_from(args)), items)[:head]
    if args.json:
        # What is no UTF-8 has no place in JSON: its bytes are replaced there.
        told = [item.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for item in shuffled]
        print(json.dumps({"cards": len(items), "items": [int(item) for item in told] if numbers else told}))
        return FINE
    sys.stdout.flush()
    sys.stdout.buffer.write("".join(f"{item}\n" for item in shuffled).encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
    return FINE
