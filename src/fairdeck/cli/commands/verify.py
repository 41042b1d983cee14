"""Verify a plan, a stored run, or the transcript of a draw.

A plan, as `fairdeck deal --json` writes it, is dealt in simulation. It holds if it is sound and, where the file reveals
the order that was drawn, reaches it. The command says how many cards, passes and spaces it has.

A stored run is counted again: all its decks are made from the seed as it was registered, so the run must be of a known
shuffle, and it takes as long as the run took. It holds if counts, analyses, bets, p-value and verdict are the same.
FILE is the store of the run (run.db), or the report that `fairdeck test --store DB --json` printed. A certificate names
the command that verifies it.

Of a transcript that `fairdeck together finish` wrote, everything is computed again, and the first thing that does not
fit is named; any changed byte is noticed.

Exit code 0: it holds; 1: it does not, and the first fault is named; 2: it cannot be verified.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from fairdeck.cli import transcripts, verify_plan, verify_run
from fairdeck.cli.files import read
from fairdeck.cli.help.formats import json_argument
from fairdeck.cli.verify_run import DATABASE, REMEDY
from fairdeck.errors import FairdeckError
from fairdeck.trust.files import kind_of

LARGEST = 64 << 20  # bytes
PAGE = b"<!doctype html"
EXAMPLES = {
    "fairdeck verify plan.json": "a plan that fairdeck deal --json --reveal wrote",
    "fairdeck verify plan.json --trace": "with the place of every card after every pass",
    "fairdeck verify run.db": "all decks are counted again",
    "fairdeck verify transcript.json": "the transcript of a draw",
}


class Kind(NamedTuple):
    """A kind of file: what recognises its content, and what verifies it, with the options that only it has."""

    called: str
    is_one: Callable[[bytes], object]
    options: Sequence[str]
    verify: Callable[[Namespace, bytes], int]


# A file is of the first kind that recognises it; the last takes what is left, such as the report of a run.
KINDS = (
    Kind("the transcript of a draw", kind_of, transcripts.OWN, transcripts.verify_transcript),
    Kind("a plan", verify_plan.is_plan, verify_plan.OWN, verify_plan.verify_plan),
    Kind("a stored run", bool, verify_run.OWN, verify_run.verify_run),
)


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="a plan, a store, a report as JSON with its store beside it, or a transcript"
    )
    verify_plan.plan_arguments(parser.add_argument_group("for a plan"))
    verify_run.run_arguments(parser.add_argument_group("for a stored run"))
    transcripts.transcript_arguments(parser.add_argument_group("for a transcript"))
    json_argument(
        parser,
        "fairdeck-verification/1",
        fields="holds, first_fault, checked (how many decks or other things were computed again), remarks; of a plan "
        "also cards, passes, order (bottom first) and reaches (null where no order is revealed); of a transcript "
        "checks, digest, result",
    )


def run(args: Namespace) -> int:
    content = _content(args.file)
    kind = next((each for each in KINDS if each.is_one(content)), KINDS[-1])
    for other in KINDS:
        for name in other.options if other is not kind else ():
            if getattr(args, name):
                option = "run" if name == "number" else name
                raise FairdeckError(f"--{option} is for {other.called}, and {args.file!r} is none: leave it out")
    return kind.verify(args, content)


def _content(name: str) -> bytes:
    """Return what a file holds; of a store, whose size has no limit, only the beginning."""
    beginning = b""
    if Path(name).is_file():
        with Path(name).open("rb") as file:
            beginning = file.read(len(DATABASE))
    if beginning == DATABASE:
        return beginning
    if beginning.lower().startswith(PAGE):
        raise FairdeckError(
            f"{name!r} is a web page, which cannot be verified itself: ask for the store of the run, and type the "
            "command that the certificate shows under 'To verify'"
        )
    return bytes(read(name, LARGEST, REMEDY))
