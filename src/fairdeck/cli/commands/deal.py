"""Draw a random order, and say how to deal the deck into it.

The order is uniformly random: the operating system's cryptographic generator draws it. You deal the deck onto the
spaces of a mat as the instructions say, stack the piles, and deal again; nobody needs to look at a card. In Python:
`fairdeck.deal(60, mat="5x2")`.

If --passes is too small for the mat, the command refuses before it draws an order. If it is enough for most orders but
not for the drawn one, the plan takes one more pass, and the command says so. It never draws another order instead.

In place of the number of cards, name a file that lists them, such as the deck list of a card game. The command says
what it left out, such as a sideboard.

With --order the order is given, not drawn: for a demonstration, a test rig, or to sort a deck. Anyone who sees the plan
can work out the order. In Python: `fairdeck.deal_order(order, start)`. It begins with the top card, as people read a
deck. Equal cards have the same name; any of them goes to any of their places, so that few passes are needed.

A list of cards is read in the format that it is in:

- Playing cards are written SA, AS, A♠, 10♥, Th or 🂺, with Joker1 and so on, or in English, German or French words, or
  as in German, Italian and Spanish packs; numbered cards by their numbers. Blanks, commas or line breaks part them.
- Of other names a line is one card, and may begin with its place (1., 2., ...); a single line is parted at its commas,
  or else at its blanks. A name in quotation marks is never parted.
- Deck lists have a number and a name on each line, 4 Name or 4x Name (SET) 12, under headings such as Sideboard.
  Tables have a header that names the columns: Count or Place, and Name. Files of programs: .cod, .dek, ydk, JSON.
- Where a list can be read in two ways, the command asks: say --as with the format. Other lines are refused.

Only you can read the files of --pdf and --html. If the shell writes a file that reveals the deck, as in
`fairdeck deal 60 --json --reveal > plan.json`, your umask decides who can read it: run `umask 077` first.
"""

from argparse import ArgumentParser, Namespace, _ActionsContainer
from collections.abc import Sequence

from fairdeck.cards.decks import read_cards
from fairdeck.cards.languages import sorted_deck
from fairdeck.cards.lists import DeckList
from fairdeck.cli.arguments import options
from fairdeck.cli.exits import FINE
from fairdeck.cli.outputs import output_arguments, outputs_from
from fairdeck.cli.settings import deck_list, integers_from, note_list, task_arguments, task_from
from fairdeck.cli.streams import tell
from fairdeck.dealing.face_up import face_up_key, key_lines
from fairdeck.dealing.goal import WHOLE_DECK
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.planner import Task
from fairdeck.deals import NUMBERED, SORTED, Deal, orders_of
from fairdeck.errors import FairdeckError

EXAMPLES = {
    "fairdeck deal 60": "60 cards onto ten piles; the instructions on the screen",
    "fairdeck deal 52 --mat 4x2 --goal hands:4x13 --follow": "four hands of 13 in one pass, card by card",
    "fairdeck deal 78 --turn": "a tarot deck: order and reversals",
    "fairdeck deal 150 --pdf sheets.pdf": "instructions to print",
    "fairdeck deal list.txt": "the deck whose list is in this file, without its sideboard",
    "fairdeck deal --order sorted --start now.txt": "sort a deck that lies as now.txt says",
}


def arguments(parser: ArgumentParser) -> None:
    task_arguments(parser, cards=False)
    _order_arguments(parser.add_argument_group("an order that is given"))
    output_arguments(parser)
    seed = "for tests: draw from this seed instead of the system's randomness; anyone who knows it knows the deck"
    options(parser, {"--seed HEX": seed})


def run(args: Namespace) -> int:
    if args.key:
        return _print_key(args)
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
    tell(f"note: this order takes {counted(len(deal.plan.passes), 'pass')}{why}")


def _order_arguments(parser: _ActionsContainer) -> None:
    declared = {
        "--order FILE": "deal into this order, instead of drawing one: a file that names the cards, top first; -: "
        f"standard input; {SORTED}: spades, hearts, diamonds, clubs, each from the ace down, or numbers rising. Not "
        "with --seed, --turn or --booklet",
        "--start FILE": f"with --order: how the cards lie now, top first; -; {SORTED}; or {NUMBERED}, numbered from "
        f"the top (default: French cards {SORTED}, numbers {NUMBERED})",
        "--key": "with --order FILE: print a table from card to space, by which any deck of these cards is dealt face "
        "up into that order, however it lies now",
    }
    options(parser, declared)


def _print_key(args: Namespace) -> int:
    """Print the table by which any deck is dealt face up into the order of --order."""
    if args.order in (None, "", SORTED, NUMBERED):
        raise FairdeckError("--key needs the order wanted: name a file with the cards, such as --order stack.txt")
    others = ("start", "seed", "passes", "follow", "json", "reveal", "pdf", "html", "booklet", "classic", "turn")
    for name, given in ((name, getattr(args, name)) for name in others):
        if given:
            raise FairdeckError(f"--{name} does not go with --key, which prints one table for every deck: leave it out")
    found = deck_list(args.order, args)
    order = read_cards(found, "order")
    if twice := next((name for at, name in enumerate(order) if name in order[:at]), None):
        raise FairdeckError(
            f"--key tells cards apart by their names, and {twice!r} is there twice: name each card once"
        )
    args.cards, args.side, args.as_ = args.cards or str(len(order)), False, None
    task = task_from(args)
    if (task.cards, task.goal, task.dealers) != (len(order), WHOLE_DECK, 1):
        raise FairdeckError(
            f"--key is for one dealer and the whole deck, {len(order)} cards: leave out what says other"
        )
    note_list(found)
    try:
        listed = sorted_deck(order)
    except FairdeckError:  # names of which no order is known
        listed = tuple(sorted(order))
    print(*key_lines(face_up_key(task.cards, task.mat), order, listed), sep="\n")
    return FINE


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
            raise FairdeckError(
                "say how many cards the deck has, such as: fairdeck deal 60; or name a file that lists them"
            )
        return None
    _demand_order_alone(args)
    words = "" if args.start is None else args.start
    start_list = _list_from(words, args, ())
    known = start_list.names if isinstance(start_list, DeckList) else ()
    order_list = _list_from(args.order, args, known)
    try:
        start, order = orders_of(order_list, start_list)
    except FairdeckError as error:
        raise FairdeckError(str(error).replace("say with start", "say with --start FILE")) from None
    if args.cards is not None and args.cards != str(len(start)):
        raise FairdeckError(f"CARDS is {args.cards!r}, but the order has {len(start)} cards: leave out CARDS")
    for found in (start_list, order_list):
        if isinstance(found, DeckList):
            note_list(found)
    args.cards, args.side, args.as_ = str(len(start)), False, None
    tell("note: the order is given, not drawn: anyone who sees the plan can work it out")
    return start, order


def _demand_order_alone(args: Namespace) -> None:
    for name, value in (("seed", args.seed), ("booklet", args.booklet), ("turn", args.turn or None)):
        if value is not None:
            raise FairdeckError(f"--{name} is for orders that are drawn, and --order gives one: leave out one")
    if args.order == "-" == args.start:
        raise FairdeckError("--order - and --start - both read standard input: name a file for one of them")


def _list_from(name: str, args: Namespace, known: Sequence[str]) -> str | DeckList:
    """Return the list that an option names, or the option's own word."""
    return name if name in ("", SORTED, NUMBERED) else deck_list(name, args, known)
