"""Deal a plan in thought: is it sound, and does it reach the order it reveals?

Exit code 0 if so, 1 if it does not reach that order, 2 if the file is no sound plan.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from fairdeck.cli.instructions import counted
from fairdeck.cli.story import story
from fairdeck.errors import FairdeckError
from fairdeck.plan import reaches, read_plan, replay


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "plan", metavar="PLAN.json", help="a plan as written by: fairdeck deal --json; - reads standard input"
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="the finding as JSON")
    shown.add_argument("--trace", action="store_true", help="the whole story of the arrays first")


def run(args: Namespace) -> int:
    """Read, replay and write."""
    try:
        text = sys.stdin.read() if args.plan == "-" else Path(args.plan).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise FairdeckError(f"{args.plan} is not text: give the file that fairdeck deal --json wrote") from None
    plan, arrangement = read_plan(text)
    reached = None if arrangement is None else reaches(plan, arrangement)
    if args.trace:
        print(*story(plan, arrangement), sep="\n")
    if args.json:
        deck, _ = replay(plan, range(plan.cards))
        order = ",".join(map(str, deck))
        found = {"cards": plan.cards, "passes": len(plan.passes), "sound": True, "reaches": reached, "order": order}
        print(json.dumps(found))
    else:
        size = f"{counted(plan.cards, 'card')} in {counted(len(plan.passes), 'pass')}"
        print(f"sound: {size} on a {plan.mat} mat, goal {plan.goal}")
        if reached is not None:
            print("it reaches the order it reveals" if reached else "it does NOT reach the order it reveals")
    return int(reached is False)
