"""Print the order that has a rank among all orders.

The rank is the place of the order in dictionary order, from 0. The order lists the cards from the bottom to the top,
each named by where it started, 0 at the bottom. `fairdeck rank` goes the other way. In Python:
`fairdeck.permutation.unrank(3, 3)`.
"""

from argparse import ArgumentParser, Namespace
from decimal import Decimal
from math import factorial

from fairdeck.cli.commands.rank import MOST_CARDS, given, rank_json_argument, show
from fairdeck.cli.exits import FINE
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.permutation import unrank

SHOWN = 40  # characters of a wrong rank that a message repeats


EXAMPLES = {
    "fairdeck unrank 3 --cards 3": "the fourth order of three cards",
    "fairdeck unrank 0": "the first of 52 cards: sorted",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("rank", metavar="RANK", help="a whole number from 0, below N!; - reads standard input")
    parser.add_argument("--cards", default="52", metavar="N", help=f"cards, 1 to {MOST_CARDS:,} (default: 52)")
    rank_json_argument(parser)


def run(args: Namespace) -> int:
    cards = whole("cards", args.cards, 1, MOST_CARDS)
    place = _rank(given(args.rank, "a rank"), cards)
    show(unrank(place, cards), place, args.json)
    return FINE


def _rank(text: str, cards: int) -> int:
    digits = text.strip()
    told = digits if len(digits) <= SHOWN else f"{digits[: SHOWN - 3]}..."
    if not (digits.isascii() and digits.isdigit()):
        raise FairdeckError(f"rank: {told!r} is not a whole number; write 0 to {cards}!-1 in digits")
    # Only a number of about the right length is converted, and as a decimal: `int` refuses more than 4,300 digits.
    every = factorial(cards)
    few = digits.lstrip("0") or "0"
    if len(few) > every.bit_length() or (place := int(Decimal(few))) >= every:
        raise FairdeckError(f"rank: {told} is out of range; the {cards}! orders have the ranks 0 to {cards}!-1")
    return place
