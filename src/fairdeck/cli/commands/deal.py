"""Draw a uniformly random order and say how to deal it.

The deck is dealt onto the spaces of a mat as told, gathered, and dealt again: a radix sort to an
order drawn from the operating system's randomness. Standard output has the instructions.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable

from fairdeck.advice import refuse_too_few_passes
from fairdeck.cli.audio import audio_arguments, audio_from
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import demand_different
from fairdeck.cli.follow import demand_terminal, follow
from fairdeck.cli.one_deal import page_arguments, page_from
from fairdeck.cli.settings import dice_from, seed_argument, task_arguments, task_from
from fairdeck.cli.sheets import sheet_arguments, sheets_from
from fairdeck.cli.story import story
from fairdeck.instructions import counted, lines
from fairdeck.permutation import Permutation, inverse
from fairdeck.plan import Plan
from fairdeck.planner import draw
from fairdeck.reading import whole_number


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    task_arguments(parser)
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--follow", action="store_true", help="step through the deal card by card, in this terminal")
    shown.add_argument("--json", action="store_true", help="the plan as fairdeck-plan/1 JSON")
    shown.add_argument("--trace", action="store_true", help="the whole story of the arrays instead")
    parser.add_argument("--rows", default="4", metavar="N", help="rows of five labels a page, 1 to 20 (default: 4)")
    parser.add_argument("--reveal", action="store_true", help="also tell the order that is dealt")
    sheet_arguments(parser)
    audio_arguments(parser)
    page_arguments(parser)
    seed_argument(parser)


def run(args: Namespace) -> int:
    """Draw, plan and write."""
    task = task_from(args)
    rows = whole_number(args.rows, "rows", 1, 20)
    if args.passes is not None:
        refuse_too_few_passes(task)
    demand_different({"--pdf": args.pdf, "--audio": args.audio, "--html": args.html})
    sheets = sheets_from(args, task)
    audio = audio_from(args, task)
    page = page_from(args, task)
    if args.follow:
        demand_terminal()
    dice = dice_from(args)
    drawn = [draw(task, dice) for _ in range(sheets.shuffles if sheets else 1)]
    plan, arrangement = drawn[0]
    if audio:
        audio.write(plan)  # first: it takes long, and whoever breaks it off has nothing of the deal
    if sheets:
        sheets.write(drawn)
    if page:
        page.write(arrangement, dice)
    if args.passes is not None and len(plan.passes) > task.least_passes:
        taken = counted(len(plan.passes), "pass")
        print(f"note: this order takes {taken}; another one must not be drawn instead", file=sys.stderr)
    if args.follow:
        code = follow(plan)
        if code != FINE:
            return code
    _tell(args, plan, arrangement, () if args.follow or sheets or audio or page else lines(plan, rows))
    return FINE


def _tell(args: Namespace, plan: Plan, arrangement: Permutation, instructions: Iterable[str]) -> None:
    """Write to standard output what is asked for; else the `instructions`."""
    if args.json:
        revealed = {"destinations": inverse(arrangement)} if args.reveal else {}
        print(json.dumps(plan.as_dict() | revealed, separators=(",", ":")))
    elif args.trace:
        print(*story(plan, arrangement), sep="\n")
    elif instructions:
        print(*instructions, sep="\n")
    if args.reveal and not args.json and not args.trace:
        print("\nThe order drawn, top first, cards numbered from the top of the deck at the start:")
        print(*(plan.cards - card for card in reversed(arrangement)))
