"""Put a stopwatch to your hands, so that the minutes that fairdeck tells are yours.

Without --measure it shows the pace that minutes rest on: assumed, or measured before. The pace is kept
in a file of yours, which `fairdeck advise` reads: a few numbers in JSON, to edit or to throw away.
"""

import sys
import time
from argparse import ArgumentParser, Namespace
from dataclasses import replace

from fairdeck.cli.exits import FINE
from fairdeck.cli.follow import demand_terminal
from fairdeck.cli.paces import kept_at, pace_argument, pace_from
from fairdeck.errors import FairdeckError
from fairdeck.pace import ASSUMED, LEAST, MOST, Pace

TASKS = (
    ("card", 20, "Deal 20 cards, one by one, onto ten places of your choice."),
    ("pile", 5, "Take up five piles of a few cards, one after another, into one deck."),
    ("step", 1, "Square the deck, turn it in your hand, and look at where you would begin."),
    ("riffle", 3, "Take as many cards as fit your hands; cut, riffle or mash them, and square: three times over."),
    ("overhand", 1, "Strip through the same cards overhand, once from first to last, and square."),
)
UNITS = {
    "card": "to deal one card onto ten places",
    "pile": "to take up a pile",
    "step": "between two steps",
    "riffle": "to cut, riffle and square a handful",
    "overhand": "to strip through a handful",
}


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--measure", action="store_true", help="measure five things, about two minutes")
    parser.add_argument("--forget", action="store_true", help="forget what was measured, and go by what is assumed")
    pace_argument(parser)
    parser.add_argument("--json", action="store_true", help="the pace as JSON")


def run(args: Namespace) -> int:
    """Show, measure or forget."""
    path = kept_at(args)
    if args.measure and args.forget:
        raise FairdeckError("--measure and --forget: name one of them")
    if args.forget:
        path.unlink(missing_ok=True)
    pace = pace_from(args)
    if args.measure:
        demand_terminal("--measure", "write the seconds into the file by hand instead")
        pace = measured(pace)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(pace.to_json() + "\n", encoding="utf-8")
        except OSError as error:
            raise FairdeckError(f"cannot write {str(path)!r} ({error.strerror}): name another with --pace") from None
    if args.json:
        print(pace.to_json())
        return FINE
    for name, what in UNITS.items():
        print(f"{getattr(pace, name):6.2f} s  {what}")
    print(f"Measured; kept in {path}." if pace.measured else "Assumed. Measure yours: fairdeck pace --measure")
    return FINE


def measured(pace: Pace) -> Pace:
    """Return what the person at the terminal takes; an empty wait keeps what was known."""
    print("Five small things, each timed from one Enter to the next. Write s and Enter to leave one out.\n")
    for name, times, words in TASKS:
        print(words)
        if _asked("  Enter when you begin: "):
            continue
        begun = time.monotonic()
        if _asked("  Enter when you are done: "):
            continue
        seconds = (time.monotonic() - begun) / times
        if not LEAST <= seconds <= MOST:
            print(f"  {seconds:.2f} s each cannot be; left as it was.\n")
            continue
        print(f"  {seconds:.2f} s each (assumed: {getattr(ASSUMED, name):.2f})\n")
        pace = replace(pace, **{name: round(seconds, 3)}, measured=True)
    return pace


def _asked(prompt: str) -> bool:
    """Wait for Enter; return whether this one is to be left out."""
    print(prompt, end="", flush=True)
    return sys.stdin.readline().strip().lower().startswith("s")
