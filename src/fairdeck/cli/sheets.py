"""`fairdeck deal --pdf`: sheets to print. All options are checked before an order is drawn."""

import re
from argparse import Namespace, _ActionsContainer
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from fairdeck.cli.arguments import options
from fairdeck.cli.files import writable, write
from fairdeck.cli.qr import dots
from fairdeck.cli.settings import language_from, language_option, paper_from, paper_option
from fairdeck.cli.streams import tell
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.planner import Task
from fairdeck.dealing.share_code import longest_code, refuse_uncoded
from fairdeck.deals import Deal
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.paper.sizes import Size
from fairdeck.words import Words

MOST_CARDS = 10_000  # a sheet for 10,000 cards has 10 to 70 pages
MOST_SHUFFLES = 200
LONGEST_SCANNED = 1_600  # letters: 133 x 133 dots, five centimetres of them
LONGEST_ADDRESS = 200
WEB_ADDRESS = re.compile(r"https?://(\[[\da-f:.]+\]|[^\s/:?#@\[\]]+)(:\d{1,5})?([/?]\S*)?", re.I)
THIS_MACHINE = re.compile(r"localhost|127\..*|0\.0\.0\.0|\[::1?\]", re.I)


def sheet_arguments(parser: _ActionsContainer, *, booklet: bool = True) -> None:
    """Declare the options of the sheets; `booklet`: whether several shuffles can be printed."""
    several = {"--booklet N": f"with --pdf: N different deals, 1 to {MOST_SHUFFLES}, each on its own sheet"}
    declared = {
        "--pdf FILE.pdf": "write sheets, one for each dealer: labels in groups of five with boxes to tick, heights, "
        f"gathering, in the largest type that fits; today's date is in the title; up to {MOST_CARDS:,} cards, own "
        "labels with letters of western languages; needs the extra paper",
        **paper_option("with --pdf: "),
        **language_option("with --pdf"),
        **(several if booklet else {}),
        "--qr [ADDRESS]": "with --pdf: print a code; a phone that scans it continues the deal on the dealing page at "
        "ADDRESS, such as the one that fairdeck serve --host 0.0.0.0 shows. Anyone who scans it can work out the deck",
    }
    options(parser, declared, booklet=None)


@dataclass(frozen=True, slots=True)
class Sheets:
    """The sheets to print of deals that are not yet drawn."""

    task: Task  # the task of every deal
    shuffles: int  # how many deals to draw
    paper: Size  # width and height of a page, in millimetres
    language: str  # of the sentences
    address: str | None  # the address of the page that the codes open; None for no code
    file: Path  # the PDF

    def write(self, drawn: Sequence[Deal], names: Sequence[str] = (), starts: Sequence[str] = ()) -> None:
        """Write the sheets of the deals, with today's date, and warn that they reveal the deck.

        `names` are those of the deals, and `starts` say how the deck lies before each.
        """
        from fairdeck.paper.pdf import pdf
        from fairdeck.paper.sheet import Sheet

        pages, day = [], today()
        for number, deal in enumerate(drawn, 1):
            for dealer in range(self.task.dealers):
                pages += Sheet(
                    deal.plan,
                    dealer,
                    self.paper,
                    language=self.language,
                    shuffle=(number, self.shuffles) if self.shuffles > 1 else None,
                    name=names[number - 1] if names else "",
                    given=deal.given,
                    of_board=deal.of_board,
                    start=starts[number - 1] if starts else "",
                    day=day,
                    dots=self.dots(deal, dealer),
                ).pages()
        words = Words(self.language)
        title = words.say("onMat", cards=words.cards(self.task.cards), mat=self.task.mat)
        write(self.file, pdf(pages, title), secret=True)
        tell(f"wrote {self.file}: {counted(len(pages), 'page')}. Use once, then destroy: it reveals the deck")

    def dots(self, deal: Deal, dealer: int) -> list[list[bool]]:
        """Return the dots of the code with which a phone continues a deal; empty without --qr.

        The deal stands after the #: browsers do not send that part to the server.
        """
        if self.address is None:
            return []
        return dots(f"{self.address}#{deal.code(dealer)}")

    def demand_code(self) -> None:
        """Raise a FairdeckError unless every order has a code to print: a refusal must not depend on the order."""
        if self.address is None:
            return
        refuse_uncoded(self.task)
        longest = longest_code(self.task) + len(self.address) + 1
        if longest > LONGEST_SCANNED:
            raise FairdeckError(
                f"the code for {self.task.cards:,} cards has up to {longest:,} letters, too many to scan; "
                f"{LONGEST_SCANNED:,} are possible: leave out --qr"
            )
        dots("x" * longest)


def today() -> date:
    """Return the date here."""
    return date.today()


def sheets_from(args: Namespace, task: Task) -> Sheets | None:
    """Return the sheets that the arguments ask for, or None; MissingTool if a package that they need is not installed.

    Raises FairdeckError if no sheet can hold such a deal, arguments contradict each other, or the file is not writable.
    """
    if args.pdf is None:
        for name in ("paper", "booklet", "qr", "language"):
            if getattr(args, name) is not None:
                raise FairdeckError(f"--{name} works only with --pdf FILE: name the file of the sheets")
        return None
    if Path(args.pdf).suffix.lower() != ".pdf":
        raise FairdeckError(f"--pdf {args.pdf!r} does not end in .pdf: name it deal.pdf, for example")
    if task.cards > MOST_CARDS:
        raise FairdeckError(f"{task.cards} cards are too many for a sheet: print up to {MOST_CARDS:,}, or use --json")
    from fairdeck.paper.pdf import demand_printable  # takes a while, as the sheets do

    demand_printable(task.mat.labels)
    shuffles = 1 if args.booklet is None else _shuffles(args)
    address = None if args.qr is None else _address(args.qr)
    paper = paper_from(args)
    sheets = Sheets(task, shuffles, paper, language_from(args), address, Path(args.pdf))
    sheets.demand_code()
    writable(args.pdf)
    return sheets


def _shuffles(args: Namespace) -> int:
    for name in ("follow", "json", "reveal"):
        if getattr(args, name):
            raise FairdeckError(f"--{name} shows one deal and --booklet {args.booklet} prints several: leave out one")
    return whole("booklet", args.booklet, 1, MOST_SHUFFLES)


def _address(text: str) -> str:
    """Return the address of the page that a phone is to open, without its fragment.

    An address is required: phones offer to search the web for a code that is not a link, and the code holds the order.
    """
    address = text.partition("#")[0]
    page = WEB_ADDRESS.fullmatch(address)
    if page is None or not address.isprintable() or len(address) > LONGEST_ADDRESS or THIS_MACHINE.fullmatch(page[1]):
        raise FairdeckError(
            f"--qr {text[:60]!r} is not the address of a dealing page that a phone can open: write one such as "
            "--qr http://192.168.1.7:8000/, which fairdeck serve --host 0.0.0.0 shows; without a server use --html FILE"
        )
    return address
