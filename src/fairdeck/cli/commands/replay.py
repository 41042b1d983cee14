"""Check that a plan is sound, and reaches the order it reveals.

Reads a plan, simulates the deal, and says whether the plan is sound; if the file reveals the order, also whether the
plan reaches it. Exit code 1: it does not reach that order; 2: the file is not a sound plan.
"""

import json
from argparse import ArgumentParser, Namespace

from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.files import decoded, read
from fairdeck.cli.help.formats import json_argument
from fairdeck.cli.story import story
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.plan import reaches, read_plan, replay
from fairdeck.errors import FairdeckError, UnsoundPlan

LARGEST_PLAN = 1 << 28  # bytes; a million cards in 32 passes on the largest mat take half of it


EXAMPLES = {
    "fairdeck replay plan.json": "a plan that fairdeck deal --json --reveal wrote",
    "fairdeck replay plan.json --trace": "with the place of every card after every pass",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "plan", metavar="PLAN.json", help="a plan as written by fairdeck deal --json; - reads standard input"
    )
    shown = parser.add_mutually_exclusive_group()
    json_argument(
        shown,
        "fairdeck-replay/1",
        fields="cards, passes, sound, reaches (null where no order is revealed), order (bottom first)",
    )
    shown.add_argument("--trace", action="store_true", help="first the place of every card after every pass, as arrays")


def run(args: Namespace) -> int:
    written = read(args.plan, LARGEST_PLAN, "name a plan that fairdeck deal --json wrote")
    name = "standard input" if args.plan == "-" else args.plan
    try:
        plan, arrangement = read_plan(decoded(written))
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
        sizes = {"cards": plan.cards, "passes": len(plan.passes)}
        found = {"format": "fairdeck-replay/1", **sizes, "sound": True, "reaches": reached, "order": order}
        print(json.dumps(found))
    else:
        size = f"{counted(plan.cards, 'card')} in {counted(len(plan.passes), 'pass')}"
        print(f"sound: {size} on a {plan.mat} mat, goal {plan.goal}")
        if reached is not None:
            print("it reaches the order it reveals" if reached else "it does NOT reach the order it reveals")
    return DOES_NOT_HOLD if reached is False else FINE
