"""Draw a random order, and say how to deal the deck into it.

The order is uniformly random: the operating system's cryptographic generator draws it. You deal the deck onto the
spaces of a mat as the instructions say, stack the piles, and deal again; nobody needs to look at a card. In Python:
`fairdeck.deal(60, mat="5x2")`.

If --passes is too small for the mat, the command refuses before it draws an order. If it is enough for most orders but
not for the drawn one, the plan takes one more pass, and the command says so. It never draws another order instead.

With --order the order is given, not drawn: for a demonstration, a test rig, or to sort a deck. Anyone who sees the plan
can work out the order. In Python: `fairdeck.deal_order(order, start)`. A list names the cards:

- It begins with the top card, as people read a deck.
- French cards are written SA, AS, A♠, 10♥ or Th, with Joker1 and so on; numbered cards by their numbers. Put blanks,
  commas or line breaks between them.
- Of other names, such as those of tarot cards, a line is one card; only a list of a single line is parted, at its
  commas or else at its blanks. A name in quotation marks is never parted. The command says which names it took for
  cards.
- Equal cards have the same name, on a line each: two packs, 24 Islands, blank tokens. Any of them goes to any of their
  places, so that the deal needs few spaces and passes.
- If a card is missing, unknown or there too often, the command refuses the list and names the line. French cards and
  numbers must all be there equally often. It also refuses a line that begins with a count, and headings, tables and
  programs.

Only you can read the files of --pdf and --html. If the shell writes a file that reveals the deck, as in
`fairdeck deal 60 --json --reveal > plan.json`, your umask decides who can read it: run `umask 077` first.
"""

import sys
from argparse import ArgumentParser, Namespace, _ActionsContainer

from fairdeck.cli.outputs import output_arguments, outputs_from
from fairdeck.cli.settings import card_list, integers_from, note_names, seed_argument, task_arguments, task_from
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.planner import Task
from fairdeck.deals import NUMBERED, SORTED, Deal, orders_of
from fairdeck.errors import FairdeckError

EXAMPLES = {
    "fairdeck deal 60": "60 cards onto ten piles; the instructions on the screen",
    "fairdeck deal 52 --mat 4x2 --goal hands:4x13 --follow": "four hands of 13 in one pass, card by card",
    "fairdeck deal 150 --pdf sheets.pdf": "instructions to print",
    "fairdeck deal --order sorted --start now.txt": "sort a deck that lies as now.txt says",
}


def arguments(parser: ArgumentParser) -> None:
    task_arguments(parser, cards=False)
    _order_arguments(parser.add_argument_group("an order that is given"))
    output_arguments(parser)
    seed_argument(parser)


def run(args: Namespace) -> int:
    orders = _orders_from(args)
    task = task_from(args)
    outputs = outputs_from(args, task, order=orders[1] if orders else ())
    drawn = [Deal.towards(task, *orders)] if orders else _drawn(args, task, outputs.shuffles)
    if args.passes is not None and len(drawn[0].plan.passes) > task.least_passes:
        _tell_passes(drawn[0])
    return outputs.write(drawn)


def _drawn(args: Namespace, task: Task, shuffles: int) -> list[Deal]:
    integers = integers_from(args)
    return [Deal.draw(task, integers) for _ in range(shuffles)]


def _tell_passes(deal: Deal) -> None:
    why = "" if deal.given else "; deal it, because drawing another order would bias the deck"
    print(f"note: this order takes {counted(len(deal.plan.passes), 'pass')}{why}", file=sys.stderr)


def _order_arguments(parser: _ActionsContainer) -> None:
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


def _orders_from(args: Namespace) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
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
        start, order = orders_of(_list_text(args.order, "order"), _list_text(words, "start"))
    except FairdeckError as error:
        raise FairdeckError(str(error).replace("say with start", "say with --start FILE")) from None
    if args.cards is not None and args.cards != str(len(start)):
        raise FairdeckError(f"CARDS is {args.cards!r}, but the order has {len(start)} cards: leave out CARDS")
    args.cards = str(len(start))
    note_names("start" if words else "order", start)
    print("note: the order is given, not drawn: anyone who sees the plan can work it out", file=sys.stderr)
    return start, order


def _list_text(name: str, what: str) -> str:
    """Return the list that an option names, or the option's own word."""
    if name in ("", SORTED, NUMBERED):
        return name
    return card_list(name, what) + "\n"  # a list of one card that is called "sorted" is not the word
