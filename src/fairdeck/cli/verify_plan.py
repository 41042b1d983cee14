"""`fairdeck verify` for a plan: is it sound, what does it deal, and does it reach the order that it reveals?"""

import json
from argparse import Namespace, _ActionsContainer

from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.files import decoded
from fairdeck.cli.outputs import story
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.plan import reaches, read_plan, replay
from fairdeck.errors import FairdeckError, UnsoundPlan

OWN = ("trace",)
NOT_REACHED = "the plan does not reach the order that it reveals"


def plan_arguments(parser: _ActionsContainer) -> None:
    """Declare the options for plans."""
    parser.add_argument(
        "--trace", action="store_true", help="first the place of every card after every pass, as arrays"
    )


def is_plan(content: bytes) -> bool:
    """Return whether a file says of itself that it is a plan."""
    return '"fairdeck-plan/' in decoded(content, "replace")


def verify_plan(args: Namespace, content: bytes) -> int:
    """Deal a plan in simulation, say what was found, and return the exit code."""
    if args.trace and args.json:
        raise FairdeckError("--trace and --json exclude each other: give one of them")
    try:
        plan, arrangement = read_plan(decoded(content))
    except UnicodeDecodeError:
        raise FairdeckError(f"{args.file} is not text: give what fairdeck deal --json wrote") from None
    except UnsoundPlan as error:
        raise FairdeckError(f"{args.file}: {error}; write the plan again with fairdeck deal --json") from None
    reached = None if arrangement is None else reaches(plan, arrangement)
    fault = NOT_REACHED if reached is False else ""
    remarks = ["the file reveals no order to compare with"] if reached is None else []
    if args.json:
        order = ",".join(map(str, replay(plan, range(plan.cards))[0]))
        found = {"holds": not fault, "first_fault": fault, "checked": 1, "remarks": remarks}
        found |= {"cards": plan.cards, "passes": len(plan.passes), "order": order, "reaches": reached}
        print(json.dumps({"format": "fairdeck-verification/1", **found}))
    else:
        size = f"{counted(plan.cards, 'card')} in {counted(len(plan.passes), 'pass')}"
        for line in story(plan, arrangement) if args.trace else ():
            print(line)
        print(f"It does not hold: {fault}." if fault else "It holds.")
        print(f"dealt in simulation: {size} on a {plan.mat} mat, goal {plan.goal}")
        for line in ["it reaches the order that it reveals"] if reached else remarks:
            print(line)
    return DOES_NOT_HOLD if fault else FINE
