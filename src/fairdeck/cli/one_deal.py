"""`fairdeck deal --html`: a page that plays one deal, without settings."""

import sys
from argparse import Namespace, _ActionsContainer
from dataclasses import dataclass
from pathlib import Path

from fairdeck.cli.files import writable, write
from fairdeck.cli.settings import voices_argument, voices_from
from fairdeck.dealing.planner import Task
from fairdeck.dealing.share_code import refuse_uncoded
from fairdeck.deals import Deal
from fairdeck.errors import FairdeckError


def page_arguments(parser: _ActionsContainer) -> None:
    """Declare the options of the page."""
    parser.add_argument(
        "--html",
        metavar="FILE.html",
        help="write a page that plays this one deal, without settings and without a network; -: to standard output. "
        "Several dealers open the same file and tap their number. Anyone who has the page can work out the order: "
        "use it once, then destroy it. Up to 10,000 cards, four dealers, own labels of 8 letters; not with --passes",
    )
    voices_argument(parser, "your setting, or en; with --html")


@dataclass(frozen=True, slots=True)
class DealPage:
    """The page to write of a deal that is not yet drawn: the task, the recorded voices, the file or ``-``."""

    task: Task
    voices: tuple[str, ...]
    file: str

    def write(self, deal: Deal) -> None:
        """Write the page of the deal drawn, and warn that it reveals the deck."""
        page = deal.html(self.voices)
        if self.file == "-":
            sys.stdout.write(page)
        else:
            write(Path(self.file), page, secret=True)
            print(f"wrote {self.file}: open it in a browser, on any device", file=sys.stderr)
        if self.task.dealers > 1:
            print("Every dealer opens this file on their own device, and taps their number.", file=sys.stderr)
        print("Anyone who has the page can work out the order: use it once, then destroy it.", file=sys.stderr)


def page_from(args: Namespace, task: Task) -> DealPage | None:
    """Return the page that the arguments ask for, or None.

    Raises:
        FairdeckError: no page can hold such a deal, the arguments contradict each other, or the file cannot be written.
    """
    if args.html is None:
        if args.voices is not None:
            raise FairdeckError(f"--voices {args.voices!r} works only with --html FILE: name the file of the page")
        return None
    voices = voices_from(args)
    if args.booklet is not None:
        raise FairdeckError(f"--html plays one deal and --booklet {args.booklet} prints several: leave out one")
    for name in ("follow", "json", "trace", "reveal"):
        if args.html == "-" and getattr(args, name):
            raise FairdeckError(f"--{name} and --html - both write to standard output: name a file")
    try:
        refuse_uncoded(task)
    except FairdeckError as error:
        raise FairdeckError(f"the page holds the deal as a code: {error}, or leave out --html") from None
    if args.html != "-":
        writable(args.html)
    return DealPage(task, voices, args.html)
