"""Check a plan: whether it is sound, and reaches the order that it reveals.

The exit code is 0 if so, 1 if the plan does not reach that order, 2 if the file is not a sound plan.
"""

import json
from argparse import ArgumentParser, Namespace

from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.files import read
from fairdeck.cli.story import story
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.plan import reaches, read_plan, replay
from fairdeck.errors import FairdeckError, UnsoundPlan

LARGEST_PLAN = 1 << 28  # bytes; a million cards in 32 passes on the largest mat take half of it


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "plan", metavar="PLAN.json", help="a plan as written by: fairdeck deal --json; - reads standard input"
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="the result as JSON")
    shown.add_argument("--trace", action="store_true", help="first the place of every card after every pass, as arrays")


def run(args: Namespace) -> int:
    written = read(args.plan, LARGEST_PLAN, "name a plan that fairdeck deal --json wrote")
    name = "standard input" if args.plan == "-" else args.plan
    try:
        plan, arrangement = read_plan(written.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise FairdeckError(f"{name} is not text: give what fairdeck deal --json wrote") from None
    except UnsoundPlan as error:
        raise FairdeckError(f"{name}: {error}; write the plan again with fairdeck deal --json") from None
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
    return DOES_NOT_HOLD if reached is False else FINE
