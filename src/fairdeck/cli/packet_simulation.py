"""`--simulate` of `fairdeck packets`: packs shuffled by a scheme with real hands, and what counts show of them."""

from argparse import Namespace, _ActionsContainer
from contextlib import ExitStack
from typing import Any

from fairdeck.bulk import available, unavailable
from fairdeck.cli.laboratory import cluster_argument, counting, missing_for_lab, seed_argument
from fairdeck.cli.progress import Progress
from fairdeck.errors import FairdeckError
from fairdeck.extras import missing
from fairdeck.numbers import decimal_number, whole
from fairdeck.packets.notation import Flow

MOST_DECKS = 10**10
SIMULATION = ("simulate", "switch", "slip", "seed", "cluster")


def simulation_arguments(parser: _ActionsContainer) -> None:
    """Declare the options of the simulation."""
    parser.add_argument(
        "--simulate",
        metavar="N",
        help="also simulate N packs, 1,000 or more, and give lower bounds on the distance from random, which hold "
        "together in 999 of 1,000 simulations; needs the extra lab",
    )
    parser.add_argument(
        "--switch",
        metavar="P",
        help="simulate riffles in which the next card drops from the other packet with probability P (default: riffles "
        "of Gilbert, Shannon and Reeds)",
    )
    parser.add_argument(
        "--slip",
        metavar="CARDS",
        help="simulate inexact cuts: their standard deviation in cards, 0 to 16 (default: 0)",
    )
    seed_argument(parser)
    cluster_argument(parser)


def packs_from(args: Namespace) -> int:
    """Return how many packs to simulate, 0 if none are asked for; refuse what cannot be simulated."""
    if args.simulate is None:
        for option in SIMULATION[1:]:
            if getattr(args, option) is not None:
                raise FairdeckError(f"--{option} {getattr(args, option)!r} needs --simulate N")
        return 0
    number = whole("packs to simulate", args.simulate, 1000, MOST_DECKS)
    _hands(args)
    if missing_for_lab():
        raise missing("--simulate needs NumPy, SciPy and Numba", "lab")
    if not available():
        raise unavailable("--simulate")
    return number


def _hands(args: Namespace) -> tuple[float | None, float]:
    switch = None if args.switch is None else decimal_number(args.switch, "switch", 0.0, 1.0)
    return switch, 0.0 if args.slip is None else decimal_number(args.slip, "slip", 0.0, 16.0)


def simulated(args: Namespace, flow: Flow, cards: int, steps: int, riffles: int, seed: int) -> dict[str, Any]:
    """Return the lower bound of each statistic after some steps of a flow, with the hands that are asked for."""
    from fairdeck.lab.experiments.packets import Minoring, bounds, counted

    progress, number = Progress(), packs_from(args)
    progress.say("compiling")
    found, what = {}, (flow, cards, steps, Minoring(riffles, *_hands(args)), number, seed)
    try:
        with ExitStack() as leaving:
            map_ = map if args.cluster is None else leaving.enter_context(counting(args, progress))
            for done, counts in counted(*what, map_):
                progress.tell(done, number, "packs")
                if done == number:
                    found = bounds(counts, flow)
    finally:
        progress.done()
    return found
