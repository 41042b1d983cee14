"""Draw a uniformly random order and say how to deal the deck into it.

You deal the deck onto the spaces of a mat as the instructions say, stack the piles, and deal again: a radix sort
into an order that the operating system's cryptographic generator drew. Nobody needs to look at a card.
"""

import sys
from argparse import ArgumentParser, Namespace

from fairdeck.cli.audio import audio_arguments, audio_from
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import demand_different
from fairdeck.cli.follow import demand_terminal, follow
from fairdeck.cli.one_deal import page_arguments, page_from
from fairdeck.cli.settings import integers_from, seed_argument, task_arguments, task_from
from fairdeck.cli.sheets import sheet_arguments, sheets_from
from fairdeck.cli.story import story
from fairdeck.dealing.instructions import counted
from fairdeck.deals import Deal
from fairdeck.parsing import whole_number


def arguments(parser: ArgumentParser) -> None:
    task_arguments(parser)
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--follow", action="store_true", help="step through the deal card by card, in this terminal")
    shown.add_argument("--json", action="store_true", help="the plan as fairdeck-plan/1 JSON")
    shown.add_argument("--trace", action="store_true", help="the place of every card after every pass, as arrays")
    parser.add_argument("--rows", default="4", metavar="N", help="rows of five labels in a block, 1 to 20 (default: 4)")
    parser.add_argument("--reveal", action="store_true", help="also show the order that is dealt")
    sheet_arguments(parser)
    audio_arguments(parser)
    page_arguments(parser)
    seed_argument(parser)


def run(args: Namespace) -> int:
    task = task_from(args)
    rows = whole_number(args.rows, "rows", 1, 20)
    demand_different({"--pdf": args.pdf, "--audio": args.audio, "--html": args.html})
    sheets = sheets_from(args, task)
    audio = audio_from(args, task)
    page = page_from(args, task)
    if args.follow:
        demand_terminal()
    integers = integers_from(args)
    drawn = [Deal.draw(task, integers) for _ in range(sheets.shuffles if sheets else 1)]
    deal = drawn[0]
    if audio:
        audio.write(deal.plan)  # first, because it takes long: after Ctrl-C nothing of the deal is left
    if sheets:
        sheets.write(drawn)
    if page:
        page.write(deal)
    if args.passes is not None and len(deal.plan.passes) > task.least_passes:
        taken = counted(len(deal.plan.passes), "pass")
        print(
            f"note: this order takes {taken}; deal it, because drawing another order would bias the deck",
            file=sys.stderr,
        )
    if args.follow:
        code = follow(deal)
        if code != FINE:
            return code
    _write(args, deal, 0 if args.follow or sheets or audio or page else rows)
    return FINE


def _write(args: Namespace, deal: Deal, rows: int) -> None:
    """Write to standard output what is asked for; else the instructions, in `rows` rows a block, or none for 0."""
    if args.json:
        print(deal.to_json(reveal=args.reveal))
    elif args.trace:
        print(*story(deal.plan, deal.arrangement), sep="\n")
    elif rows:
        print(deal.instructions(rows))
    if args.reveal and not args.json and not args.trace:
        print("\nThe order drawn, top first, cards numbered from the top of the deck at the start:")
        print(*(deal.plan.cards - card for card in reversed(deal.arrangement)))
