"""Say which place an order has among all, or which has a place.

The place, or rank, is counted in dictionary order, from 0. It is also written in factorial digits: for each place, from
the bottom, how many of the cards above it are smaller. The order lists the cards bottom first, each named by where it
started, 0 at the bottom. Commas, spaces or line breaks part the cards. With --of the command goes the other way: from a
rank to the order. In Python: `fairdeck.permutation.rank((2, 0, 1))`, `unrank(3, 3)` and `lehmer_code`.
"""

import json
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from decimal import Decimal
from math import factorial

from fairdeck.cards.text import decoded
from fairdeck.cli.arguments import options
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import read
from fairdeck.cli.terminal import show_text
from fairdeck.dealing.instructions import counted
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.permutation import Permutation, lehmer_code, permutation_of, rank, unrank

MOST_CARDS = 10_000
MOST_WRITTEN = 60  # cards whose number of orders is written in full
LONGEST = 1 << 20  # bytes of an order
USUAL_CARDS = "52"
SHOWN = 40  # characters of a wrong rank that a message repeats

EXAMPLES = {
    "fairdeck rank 2,0,1": "the place of this order among the 6 orders of 3 cards",
    "fairdeck rank - < order.txt": "an order from a file",
    "fairdeck rank --of 3 --cards 3": "the fourth order of three cards",
}


def arguments(parser: ArgumentParser) -> None:
    declared = {
        "order? ORDER": f"the cards, bottom first, up to {MOST_CARDS:,}; - reads standard input",
        "--of RANK": "print the order that has this rank; - reads standard input",
        "--cards N": f"with --of: cards, 1 to {MOST_CARDS:,} (default: {USUAL_CARDS})",
        "--json fairdeck-rank/1": "cards, order (bottom first), rank and orders (as text, because they are large), "
        "digits",
    }
    options(parser, declared)


def run(args: Namespace) -> int:
    if (args.order is None) == (args.of is None):
        raise FairdeckError("give an order, such as 2,0,1, or a rank, such as --of 3 --cards 3")
    if args.of is None:
        if args.cards is not None:
            raise FairdeckError(f"--cards {args.cards} works only with --of RANK: the order says how many cards it has")
        order = _order(_given(args.order, "an order such as 2,0,1"))
        place = rank(order)
    else:
        cards = whole("cards", args.cards or USUAL_CARDS, 1, MOST_CARDS)
        place = _rank(_given(args.of, "a rank"), cards)
        order = unrank(place, cards)
    if args.json:
        written = {"format": "fairdeck-rank/1", "cards": len(order), "order": _listed(order), "rank": _digits(place)}
        print(json.dumps(written | {"orders": _digits(factorial(len(order))), "digits": lehmer_code(order)}))
    else:
        show_text("\n".join(_lines(order, place)), rows_only=True)
    return FINE


def _given(text: str, what: str) -> str:
    """Return an argument, or the text of standard input for ``-``."""
    if text != "-":
        return text
    return decoded(read("-", LONGEST, f"give {what}"), "replace")


def _order(text: str) -> Permutation:
    words = re.sub(r"\s*,\s*|\s+", ",", text.strip()).split(",")
    if words == [""]:
        raise FairdeckError("the order is empty: list the cards, bottom first, such as 2,0,1")
    if len(words) > MOST_CARDS:
        raise FairdeckError(f"{len(words):,} cards are too many: rank an order of at most {MOST_CARDS:,}")
    return permutation_of(whole("order", word, 0, len(words) - 1) for word in words)


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


def _lines(order: Permutation, place: int) -> Iterator[str]:
    cards = len(order)
    every = f" = {_digits(factorial(cards))}" if cards <= MOST_WRITTEN else ""
    yield f"{counted(cards, 'card')}: {cards}!{every} orders, with the ranks from 0 to {cards}!-1"
    yield f"order, bottom first  {_listed(order)}"
    yield f"rank                 {_digits(place)}"
    yield f"factorial digits     {_listed(lehmer_code(order))}"


def _listed(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))


def _digits(number: int) -> str:
    """Return a number of any size in digits; `str` refuses to write more than 4,300."""
    return f"{Decimal(number):f}"
