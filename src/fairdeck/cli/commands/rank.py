"""Say which place an order has among all orders of its cards.

The place is counted in dictionary order, from 0. It is also written in factorial digits: for each place, from the
bottom, how many of the cards above it are smaller. The order lists the cards bottom first, each named by where it
started, 0 at the bottom. Commas, spaces or line breaks part the cards. `fairdeck unrank` goes the other way. In Python:
`fairdeck.permutation.rank((2, 0, 1))` and `lehmer_code`.
"""

import json
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from decimal import Decimal
from math import factorial

from fairdeck.cli.exits import FINE
from fairdeck.cli.files import decoded, read
from fairdeck.cli.help.formats import json_argument
from fairdeck.dealing.instructions import counted
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.permutation import Permutation, lehmer_code, permutation_of, rank

MOST_CARDS = 10_000
MOST_WRITTEN = 60  # cards whose number of orders is written in full
LONGEST = 1 << 20  # bytes of an order


EXAMPLES = {
    "fairdeck rank 2,0,1": "the place of this order among the 6 orders of 3 cards",
    "fairdeck rank - < order.txt": "an order from a file",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "order", metavar="ORDER", help=f"the cards, bottom first, up to {MOST_CARDS:,}; - reads standard input"
    )
    rank_json_argument(parser)


def rank_json_argument(parser: ArgumentParser) -> None:
    """Declare --json, which shows the same for `rank` and `unrank`."""
    json_argument(
        parser,
        "fairdeck-rank/1",
        fields="cards, order (bottom first), rank and orders (as text, because they are large), digits",
    )


def run(args: Namespace) -> int:
    order = _order(given(args.order, "an order such as 2,0,1"))
    show(order, rank(order), args.json)
    return FINE


def given(text: str, what: str) -> str:
    """Return an argument, or the text of standard input for ``-``."""
    if text != "-":
        return text
    return decoded(read("-", LONGEST, f"give {what}"), "replace")


def show(order: Permutation, place: int, as_json: bool) -> None:
    """Print an order with its rank and its digits."""
    if as_json:
        written = {"format": "fairdeck-rank/1", "cards": len(order), "order": _listed(order), "rank": _digits(place)}
        print(json.dumps(written | {"orders": _digits(factorial(len(order))), "digits": lehmer_code(order)}))
    else:
        print(*_lines(order, place), sep="\n")


def _order(text: str) -> Permutation:
    words = re.sub(r"\s*,\s*|\s+", ",", text.strip()).split(",")
    if words == [""]:
        raise FairdeckError("the order is empty: list the cards, bottom first, such as 2,0,1")
    if len(words) > MOST_CARDS:
        raise FairdeckError(f"{len(words):,} cards are too many: rank an order of at most {MOST_CARDS:,}")
    return permutation_of(whole("order", word, 0, len(words) - 1) for word in words)


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
