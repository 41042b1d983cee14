"""Compute the exact probability of each order of a few cards.

Every path of draws that the shuffle can take is followed to its end, so the answer is a fraction and not an estimate. A
function is called as in fairdeck test. Its random numbers are intercepted: rng, the modules random and secrets,
generators made by random.Random(). Exit code 0: all orders are equally likely; 1: they are not. In Python:
`fairdeck.lab.exact("naive", cards=3)`.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from fairdeck import lab
from fairdeck.cli.arguments import options
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.streams import tell
from fairdeck.cli.terminal import GUESS_AFTER, Progress, rounded_time, show
from fairdeck.errors import FairdeckError
from fairdeck.lab.enumeration import EPS, LEAVES, MOST_CARDS, TIMEOUT
from fairdeck.lab.enumeration.law import ROWS
from fairdeck.numbers import whole

MOST_LEAVES = 10**9
EVERY = 0.2  # seconds between two lines of progress
PATIENCE = 10.0  # seconds: what is over sooner needs no note

EXAMPLES = {
    "fairdeck exact naive --cards 3": "the well-known fault: 4/27 and 5/27",
    "fairdeck exact mine.py:shuffle": "a function of yours, with 4 cards",
}


def arguments(parser: ArgumentParser) -> None:
    declared = {
        "shuffle SHUFFLE": "a known shuffle (see: fairdeck shuffles), package.module:function or file.py:function",
        "--cards N": f"cards of the deck, 1 to {MOST_CARDS}; half a minute is enough for 9 cards of Fisher-Yates or 7 "
        "of the naive swap (default: 4)",
        "--takes deck|n": "what the function takes (default: what its signature says)",
        "--leaves N": f"give up after this many paths (default: {LEAVES:,})",
        "--eps P": "leave at most this probability unresolved, for functions that can draw without end (default: "
        f"{EPS})",
        "--timeout S": f"give up on a function that makes no deck in this many seconds (default: {TIMEOUT:g})",
        "--all": f"show all orders, not only the first {ROWS}",
        "--json fairdeck-law/1": "shuffle, cards, fair, exact, unresolved, orders (by order, bottom first: the "
        "probability as a fraction), total_variation, separation, kl_bits, chi_square_distance, likeliest, "
        "least_likely, even_orders, positions, leaves, grain, cannot_be_fair, notes",
    }
    options(parser, declared, cards="4", leaves=str(LEAVES), eps=str(EPS), timeout=str(TIMEOUT))


def run(args: Namespace) -> int:
    with Progress() as progress:
        law = lab.exact(
            args.shuffle,
            cards=whole("cards", args.cards, 1, MOST_CARDS),
            takes=args.takes,
            leaves=whole("leaves", args.leaves.replace(",", "").replace("_", ""), 1, MOST_LEAVES),
            eps=_decimal(args.eps, "eps", 1e-30, 0.5),
            timeout=_decimal(args.timeout, "timeout", 0.1, 86_400),
            progress=telling(progress),
        )
    show(law.to_json() if args.json else law.document(args.all))
    return FINE if law.is_fair else DOES_NOT_HOLD


def _decimal(text: str, what: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not low <= value <= high:
        raise FairdeckError(f"{what}: {text[:40]!r} is not a number from {low:g} to {high:g}")
    return value


def telling(progress: Progress) -> Callable[[int, Callable[[], float]], None]:
    """Return what shows how far the paths are; where no line of progress is shown, one note says that it takes long."""
    shown, noted = 0.0, progress.shown

    def show(paths: int, done: Callable[[], float]) -> None:
        nonlocal shown, noted
        seconds = progress.seconds
        if seconds - shown <= EVERY:
            return
        shown, share = seconds, done()
        left = (1 - share) / share * seconds if share else 0.0
        guess = f", about {rounded_time(left)} left" if left and seconds > GUESS_AFTER else ""
        progress.say(f"{paths:,} paths, {share:.0%} of all{guess}")
        if not noted and seconds > PATIENCE and left > PATIENCE:
            noted = True
            tell(f"note: {paths:,} paths are {share:.1%} of all{guess}; fewer --cards are quicker")

    return show
