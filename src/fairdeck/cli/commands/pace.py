"""Measure how fast your hands are, for minutes that suit you.

Shows your pace: the seconds to deal a card, take up a pile, begin a step, riffle a handful, and shuffle a handful
overhand. `fairdeck advise` computes minutes from it. Until you measure your pace, it uses an assumed one. The file
holds a few numbers in JSON; you may edit or delete it.
"""

import sys
import time
from argparse import ArgumentParser, Namespace
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from pathlib import Path

from fairdeck.cli.exits import FINE
from fairdeck.cli.files import configured_surely, writable, write
from fairdeck.cli.follow import demand_terminal
from fairdeck.cli.help.formats import json_argument
from fairdeck.cli.paces import NAME, kept_at, pace_argument, pace_at, pace_from
from fairdeck.cli.program import as_called
from fairdeck.cli.streams import one_line
from fairdeck.dealing.pace import ASSUMED, LEAST, MOST, Pace
from fairdeck.errors import FairdeckError

TASKS = (
    ("card", 20, "Deal 20 cards, one by one, onto ten places of your choice."),
    ("pile", 5, "Take up five piles of a few cards, one after another, into one deck."),
    ("step", 1, "Square the deck, turn it in your hand, and find the place where you would begin."),
    (
        "riffle",
        3,
        "Take as many cards as fit in your hands. Cut, riffle or mash, and square them; do this three times.",
    ),
    ("overhand", 1, "Shuffle the same cards overhand once, from the first to the last card, and square them."),
)
UNITS = {
    "card": "to deal one card onto ten places",
    "pile": "to take up a pile",
    "step": "between two steps",
    "riffle": "to cut, riffle and square a handful",
    "overhand": "to shuffle a handful overhand once",
}


EXAMPLES = {
    "fairdeck pace": "the pace that minutes are computed from",
    "fairdeck pace --measure": "measure yours, in about two minutes",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--measure",
        action="store_true",
        help="time five small things in this terminal, in about two minutes: Enter begins, Enter ends, s skips one",
    )
    parser.add_argument(
        "--forget",
        action="store_true",
        help="delete the file, if it holds a pace; then the assumed pace is used again",
    )
    pace_argument(parser)
    json_argument(parser, "fairdeck-pace/1", fields="card, pile, step, riffle, overhand (seconds), measured")


def run(args: Namespace) -> int:
    path = kept_at(args)
    if args.measure and args.forget:
        raise FairdeckError("--measure and --forget exclude each other: give one of them")
    # With --json, standard output has nothing but JSON.
    with redirect_stdout(sys.stderr if args.json and sys.stderr else sys.stdout):
        if args.measure:
            pace = _measured_into(path or configured_surely(NAME))
        elif args.forget:
            pace = _forgotten(path or configured_surely(NAME), named=args.pace is not None)
        else:
            pace = pace_from(args)
    if args.json:
        print(pace.to_json())
        return FINE
    for name, what in UNITS.items():
        print(f"{getattr(pace, name):6.2f} s  {what}")
    print(
        f"Measured, and stored in {path}."
        if pace.measured
        else as_called("Assumed. Measure yours: fairdeck pace --measure")
    )
    return FINE


def _forgotten(path: Path, named: bool) -> Pace:
    """Delete the file if it holds a pace; return the pace that is used from now on."""
    try:
        pace_at(path)
        path.unlink()
    except FileNotFoundError:
        if named:
            raise FairdeckError(f"there is no {str(path)!r}: nothing to forget") from None
        print(f"There is no {path}: nothing to forget.")
    except FairdeckError as error:
        raise FairdeckError(f"{error}; nothing was deleted") from None
    except OSError as error:
        raise FairdeckError(f"cannot delete {str(path)!r} ({error.strerror}): delete it yourself") from None
    else:
        print(f"Forgotten: {path} is deleted.")
    return ASSUMED


def _measured_into(path: Path) -> Pace:
    """Measure a pace and store it in a file; whether the file can be written is checked first."""
    demand_terminal("--measure", "write the seconds into the file by hand instead")
    before = _before(path)
    _see_that_it_can_be_written(path)
    pace = measured(before)
    write(path, pace.to_json() + "\n")
    return pace


def _before(path: Path) -> Pace:
    try:
        return pace_at(path)
    except FileNotFoundError:
        return ASSUMED
    except FairdeckError as error:
        print(f"{one_line(str(error))}\nThe file will be replaced when you are done.\n")
        return ASSUMED


def _see_that_it_can_be_written(path: Path) -> None:
    with suppress(OSError):  # `writable` reports the reason
        path.parent.mkdir(parents=True, exist_ok=True)
    writable(str(path))


def measured(pace: Pace) -> Pace:
    """Return the pace of the person at the terminal; what they skip stays as in `pace`."""
    print("Five small things, each timed from one Enter to the next. Type s and Enter to skip one.\n")
    for name, times, words in TASKS:
        print(words)
        if _asked("  Enter when you begin: "):
            continue
        begun = time.monotonic()
        if _asked("  Enter when you are done: "):
            continue
        seconds = (time.monotonic() - begun) / times
        if not LEAST <= seconds <= MOST:
            print(f"  {seconds:.2f} s each is not plausible; not changed.\n")
            continue
        print(f"  {seconds:.2f} s each (assumed: {getattr(ASSUMED, name):.2f})\n")
        pace = replace(pace, **{name: round(seconds, 3)}, measured=True)
    return pace


def _asked(prompt: str) -> bool:
    """Wait for Enter; return whether this one is skipped.

    Raises:
        FairdeckError: standard input ended.
    """
    print(prompt, end="", flush=True)
    answer = sys.stdin.readline()
    if not answer:
        print()
        raise FairdeckError("standard input ended before the measuring was complete: nothing was saved; measure again")
    return answer.strip().lower().startswith("s")
