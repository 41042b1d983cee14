"""A deal as a page that plays this one deal, without settings: `fairdeck deal --html`."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from fairdeck.cli.files import writable, write
from fairdeck.cli.voices import read_voices, voices_argument
from fairdeck.code import refuse_uncoded, write_code
from fairdeck.errors import FairdeckError
from fairdeck.page import build_one
from fairdeck.planner import Task
from fairdeck.randomness import LARGEST_BOUND, Chooser


def page_arguments(parser: ArgumentParser) -> None:
    """Let `parser` take what makes the page."""
    parser.add_argument("--html", metavar="FILE", help="write a page that plays this deal (-: to standard output)")
    voices_argument(parser, "en; with --html")


@dataclass(frozen=True, slots=True)
class DealPage:
    """The page to write of a deal yet to be drawn: its task, its recorded voices, its file or ``-``."""

    task: Task
    voices: tuple[str, ...]
    file: str

    def write(self, arrangement: Sequence[int], dice: Chooser) -> None:
        """Write the page of the deal drawn, and say what it gives away."""
        page = build_one(write_code(self.task, arrangement), self._name(dice), self.voices)
        if self.file == "-":
            sys.stdout.write(page)
        else:
            write(Path(self.file), page, secret=True)
            print(f"wrote {self.file}: open it in a browser, on any device", file=sys.stderr)
        if self.task.dealers > 1:
            print("Every dealer opens this one file on a device of their own, and taps who they are.", file=sys.stderr)
        print("Whoever has the page can work out the order: use it once, then destroy it.", file=sys.stderr)

    def _name(self, dice: Chooser) -> str:
        """Return a name for the page that tells nothing of the order: it stays on devices after the deal."""
        lots = [dice.below(LARGEST_BOUND) for _ in range(3)]
        return sha256(f"{lots} {self.task}".encode()).hexdigest()[:16]


def page_from(args: Namespace, task: Task) -> DealPage | None:
    """Return the page that the arguments ask for, or None; all that can be wrong with it is told here.

    Raises:
        FairdeckError: no page can hold such a deal, or the arguments do not go together, or the file cannot be written.
    """
    if args.html is None:
        if args.voices is not None:
            raise FairdeckError(f"--voices {args.voices!r} is for the page of a deal: name its file with --html")
        return None
    voices = read_voices("en" if args.voices is None else args.voices)
    if args.booklet is not None:
        raise FairdeckError(f"--html plays one deal and --booklet {args.booklet} prints several: leave out one")
    for name in ("follow", "json", "trace", "reveal"):
        if args.html == "-" and getattr(args, name):
            raise FairdeckError(f"--{name} goes to standard output, as --html - does: name a file, --html deal.html")
    try:
        refuse_uncoded(task)
    except FairdeckError as error:
        raise FairdeckError(f"the page holds the deal as a code: {error}, or leave out --html") from None
    if args.html != "-":
        writable(args.html)
    return DealPage(task, voices, args.html)
