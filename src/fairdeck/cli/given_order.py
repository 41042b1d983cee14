"""`fairdeck deal --order`: the deck is dealt into an order that is given, from one that is known."""

import sys
from argparse import Namespace, _ActionsContainer

from fairdeck.cli.card_lists import card_list, note_names
from fairdeck.deals import NUMBERED, SORTED, orders_of
from fairdeck.errors import FairdeckError


def order_arguments(parser: _ActionsContainer) -> None:
    """Declare --order and --start."""
    parser.add_argument(
        "--order",
        metavar="FILE",
        help="deal into this order, instead of drawing one: a file that names the cards, top first; -: standard input; "
        f"{SORTED}: spades, hearts, diamonds, clubs, each from the ace down, or numbers rising. Not with --seed or "
        "--booklet",
    )
    parser.add_argument(
        "--start",
        metavar="FILE",
        help=f"with --order: how the cards lie now, top first; -; {SORTED}; or {NUMBERED}, numbered from the top "
        f"(default: French cards {SORTED}, numbers {NUMBERED})",
    )


def orders_from(args: Namespace) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the deck as it lies now and as it is wanted, both top first; None without --order.

    The number of cards is put into `args`.

    Raises:
        FairdeckError: the lists cannot be read or do not fit, or another argument contradicts them.
    """
    if args.order is None:
        if args.start is not None:
            raise FairdeckError(f"--start {args.start!r} works only with --order: name the order wanted")
        if args.cards is None:
            raise FairdeckError("say how many cards the deck has, such as: fairdeck deal 60; or give --order FILE")
        return None
    for name, value in (("seed", args.seed), ("booklet", args.booklet)):
        if value is not None:
            raise FairdeckError(f"--{name} is for orders that are drawn, and --order gives one: leave out one")
    if args.order == "-" == args.start:
        raise FairdeckError("--order - and --start - both read standard input: name a file for one of them")
    words = "" if args.start is None else args.start
    try:
        start, order = orders_of(_text(args.order, "order"), _text(words, "start"))
    except FairdeckError as error:
        raise FairdeckError(str(error).replace("say with start", "say with --start FILE")) from None
    if args.cards is not None and args.cards != str(len(start)):
        raise FairdeckError(f"CARDS is {args.cards!r}, but the order has {len(start)} cards: leave out CARDS")
    args.cards = str(len(start))
    note_names("start" if words else "order", start)
    print("note: the order is given, not drawn: anyone who sees the plan can work it out", file=sys.stderr)
    return start, order


def _text(name: str, what: str) -> str:
    """Return the list that an option names, or the option's own word."""
    if name in ("", SORTED, NUMBERED):
        return name
    return card_list(name, what) + "\n"  # a list of one card that is called "sorted" is not the word
