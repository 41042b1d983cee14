"""The arguments that several commands share: what to deal, and where randomness comes from."""

import sys
from argparse import ArgumentParser, Namespace
from typing import get_args

from fairdeck.errors import FairdeckError
from fairdeck.goal import deck_size, parse_goal
from fairdeck.mat import Mat
from fairdeck.plan import LARGEST_DEALERS
from fairdeck.planner import LARGEST_PASSES, Bottom, Task
from fairdeck.randomness import Dice, seeded_words, system_words
from fairdeck.reading import whole_number


def task_arguments(parser: ArgumentParser) -> None:
    """Let `parser` take what makes a task."""
    parser.add_argument("cards", metavar="CARDS", help="cards in the deck, 1 to 1000000")
    parser.add_argument("--mat", default="5x2", metavar="CxR", help="columns x rows of the mat (default: 5x2)")
    labels_argument(parser)
    parser.add_argument(
        "--goal",
        default="deck",
        help="deck; top:20 (only the first 20 cards); hands:4x13 or hands:5,5,4, with +stock or +rest for other cards",
    )
    parser.add_argument("--dealers", default="1", metavar="N", help=f"people who deal at once, 1 to {LARGEST_DEALERS}")
    parser.add_argument("--passes", metavar="N", help="take this many passes (more passes need fewer spaces)")
    parser.add_argument("--classic", action="store_true", help="one sort key a card, as other programs do")
    parser.add_argument(
        "--bottom",
        choices=get_args(Bottom),
        default="pass",
        help="deal the first pass from the bottom of the deck never, to save a pass (default), or also to save a space",
    )


def task_from(args: Namespace) -> Task:
    """Return the task that the arguments ask for."""
    cards = deck_size(args.cards)
    return Task(
        cards=cards,
        mat=mat_from(args),
        goal=parse_goal(args.goal, cards),
        dealers=whole_number(args.dealers, "dealers", 1, LARGEST_DEALERS),
        least_passes=1 if args.passes is None else whole_number(args.passes, "passes", 1, LARGEST_PASSES),
        classic=args.classic,
        bottom=args.bottom,
    )


def labels_argument(parser: ArgumentParser) -> None:
    """Let `parser` take labels for the spaces of a mat."""
    parser.add_argument("--labels", metavar="A,B,...", help="your own labels for the spaces, row by row")


def mat_from(args: Namespace) -> Mat:
    """Return the mat that the arguments ask for."""
    mat = Mat.parse(args.mat)
    if args.labels is None:
        return mat
    return Mat(mat.columns, mat.rows, tuple(label.strip() for label in args.labels.split(",")))


def seed_argument(parser: ArgumentParser) -> None:
    """Let `parser` take a seed in place of the operating system's randomness."""
    parser.add_argument("--seed", metavar="HEX", help="draw from this seed, for tests; whoever knows it knows the deck")


def dice_from(args: Namespace) -> Dice:
    """Return the dice that the arguments ask for."""
    if args.seed is None:
        return Dice(system_words())
    digits = args.seed.removeprefix("0x")
    try:
        seed = bytes.fromhex(digits if len(digits) % 2 == 0 else f"0{digits}")
    except ValueError:
        seed = b""
    if not seed:
        raise FairdeckError(f"seed {args.seed!r} is not hexadecimal: use digits 0-9 and letters a-f, such as c0ffee")
    print("note: a seeded deck is for tests; it is no secret from whoever knows the seed", file=sys.stderr)
    return Dice(seeded_words(seed))
