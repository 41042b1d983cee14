"""What a command can do with a deal: show it, step through it, print it, or put it on a page.

All options are checked before an order is drawn: nobody should draw again because a file could not be written.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fairdeck.cli.arguments import options
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.follow import demand_terminal, follow
from fairdeck.cli.settings import voices_from, voices_option
from fairdeck.cli.sheets import Sheets, sheet_arguments, sheets_from
from fairdeck.cli.streams import tell
from fairdeck.cli.terminal import show_text
from fairdeck.dealing.instructions import TURN
from fairdeck.dealing.planner import Task
from fairdeck.dealing.share_code import refuse_uncoded
from fairdeck.deals import Deal
from fairdeck.errors import FairdeckError


def _page_voices(args: Namespace, task: Task) -> tuple[str, ...] | None:
    """Return the recorded voices of the page that the arguments ask for, if it can be written; None for no page."""
    if args.html is None:
        if args.voices is not None:
            raise FairdeckError(f"--voices {args.voices!r} works only with --html FILE: name the file of the page")
        return None
    if args.booklet is not None:
        raise FairdeckError(f"--html plays one deal and --booklet {args.booklet} prints several: leave out one")
    for name in ("follow", "json", "reveal"):
        if args.html == "-" and getattr(args, name):
            raise FairdeckError(f"--{name} and --html - both write to standard output: name a file")
    try:
        refuse_uncoded(task)
    except FairdeckError as error:
        raise FairdeckError(f"the page holds the deal as a code: {error}, or leave out --html") from None
    if args.html != "-":
        writable(args.html)
    return voices_from(args)


def output_arguments(parser: ArgumentParser, *, booklet: bool = True) -> None:
    """Declare the options of all outputs; `booklet`: whether several deals can be printed at once."""
    screen = parser.add_argument_group("on the screen")
    one = {
        "--follow": "step through the deal card by card in this terminal: space or Enter for the next card, u or "
        "backspace to go back, q to leave; several dealers take turns. At a check, d finds slips: type the heights "
        "that are there, and it shows at most three slips that explain them, and how to mend each",
        "--json fairdeck-plan/1": "the plan, which programs can read; with --turn in version 2",
    }
    options(screen.add_mutually_exclusive_group(), one)
    options(screen, {"--reveal": "also show the order that is dealt"})
    sheet_arguments(parser.add_argument_group("sheets to print"), booklet=booklet)
    page = {
        "--html FILE.html": "write a page that plays this one deal, without settings and without a network; -: to "
        "standard output. Several dealers open the same file and tap their number. Anyone who has the page can work "
        "out the order: use it once, then destroy it. Up to 10,000 cards, four dealers, own labels of 8 letters; not "
        "with --passes",
        **voices_option("your setting, or en; with --html"),
    }
    options(parser.add_argument_group("a page"), page)


@dataclass(frozen=True, slots=True)
class Outputs:
    """What the arguments ask to do with deals of one task that are not yet drawn.

    `order` names the cards, top first, if the order is given and not drawn; `voices` are those of the page, if one is
    wanted.
    """

    args: Namespace
    order: Sequence[str]
    sheets: Sheets | None
    voices: tuple[str, ...] | None

    @property
    def shuffles(self) -> int:
        """How many deals are wanted: more than one only for a booklet."""
        return self.sheets.shuffles if self.sheets else 1

    def write(self, drawn: Sequence[Deal]) -> int:
        """Put out the deals that were drawn, and return the exit code; only sheets take more than the first."""
        deal = drawn[0]
        if self.sheets:
            self.sheets.write(drawn)
        if self.voices is not None:
            self._write_page(deal, self.voices)
        if self.args.follow:
            code = follow(deal)
            if code != FINE:
                return code
        self._print(deal)
        return FINE

    def _write_page(self, deal: Deal, voices: tuple[str, ...]) -> None:
        page, file = deal.html(voices), self.args.html
        if file == "-":
            sys.stdout.write(page)
        else:
            write(Path(file), page, secret=True)
            tell(f"wrote {file}: open it in a browser, on any device")
        if deal.task.dealers > 1:
            tell("Every dealer opens this file on their own device, and taps their number.")
        tell("Anyone who has the page can work out the order: use it once, then destroy it.")

    def _print(self, deal: Deal) -> None:
        """Write to standard output what is asked for; the instructions only if nothing else shows them."""
        args = self.args
        if args.json:
            print(deal.to_json(reveal=args.reveal))
        elif not (args.follow or self.sheets or args.html):
            show_text(deal.instructions())
        if args.reveal and not args.json:
            self._print_order(deal)

    def _print_order(self, deal: Deal) -> None:
        if self.order:
            print("\nThe order wanted, top first:")
            print(*self.order, sep="\n" if any(" " in name for name in self.order) else " ")
        else:
            print("\nThe order drawn, top first, cards numbered from the top of the deck at the start:")
            turned = deal.plan.turned
            print(*(f"{deal.plan.cards - card}{TURN * turned[card]}" for card in reversed(deal.arrangement)))


def outputs_from(args: Namespace, task: Task, *, order: Sequence[str] = ()) -> Outputs:
    """Return the outputs that the arguments ask for; `order` names the cards, top first, if it is given and not drawn.

    Raises FairdeckError if options contradict each other, or a file cannot be written, or no terminal is there to
    follow in.
    """
    outputs = Outputs(args, order, sheets_from(args, task), _page_voices(args, task))
    if args.follow:
        demand_terminal()
    return outputs
