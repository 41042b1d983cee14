"""Draw a uniformly random order and say how to deal the deck into it.

You deal the deck onto the spaces of a mat as the instructions say, stack the piles, and deal again: a radix sort
into an order that the operating system's cryptographic generator drew. Nobody needs to look at a card.

With --order the order is given, not drawn; cards are listed as people read a deck, top first.
"""

import sys
from argparse import ArgumentParser, Namespace

from fairdeck.cli.given_order import order_arguments, orders_from
from fairdeck.cli.outputs import output_arguments, outputs_from
from fairdeck.cli.settings import integers_from, seed_argument, task_arguments, task_from
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.planner import Task
from fairdeck.deals import Deal


def arguments(parser: ArgumentParser) -> None:
    task_arguments(parser, cards=False)
    order_arguments(parser)
    output_arguments(parser)
    seed_argument(parser)


def run(args: Namespace) -> int:
    orders = orders_from(args)
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
