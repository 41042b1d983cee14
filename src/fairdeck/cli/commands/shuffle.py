"""Print a uniformly random order of numbers, arguments or lines.

`fairdeck shuffle 52` prints 0 to 51 in random order, one a line; several arguments are shuffled
themselves; with none the lines of standard input are.
"""

import json
import sys
from argparse import ArgumentParser, Namespace

from fairdeck.cli.settings import dice_from, seed_argument
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
    if len(args.items) == 1 and not args.echo:
        items = [str(number) for number in range(deck_size(args.items[0]))]
    elif args.items or args.echo:
        items = args.items
    else:
        items = sys.stdin.buffer.read().decode("utf-8", "surrogateescape").splitlines()
    if len(items) > LARGEST_DECK:
        raise FairdeckError(f"{len(items)} items: at most {LARGEST_DECK} can be shuffled")
    head = len(items) if args.head is None else whole_number(args.head, "head", 0, LARGEST_DECK)
    shuffled = arrange(uniform_permutation(len(items), dice_from(args)), items)[:head]
    if args.json:
        numbers = len(args.items) == 1 and not args.echo
        print(json.dumps({"cards": len(items), "items": [int(item) for item in shuffled] if numbers else shuffled}))
    else:
        out = "".join(f"{item}\n" for item in shuffled)
        sys.stdout.buffer.write(out.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
    return 0
