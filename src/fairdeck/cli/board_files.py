"""What `fairdeck boards` writes of one person's lists: a file of lists, pages, sheets.

All is checked before a list is drawn. A name gets the person's number if both persons' files are written.
"""

import sys
from argparse import Namespace, _ActionsContainer
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fairdeck.cards.boards import Board
from fairdeck.cli.files import demand_ending, make_folder, writable, write
from fairdeck.cli.settings import PAPER, language_from, unless_set, voices_from
from fairdeck.cli.sheets import Sheets, sheets_from
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.planner import Task, plan_for
from fairdeck.dealing.share_code import refuse_uncoded
from fairdeck.deals import Deal
from fairdeck.errors import FairdeckError
from fairdeck.paper.board_slips import board_before, start_in, vulnerable_in
from fairdeck.paper.sizes import PAPERS
from fairdeck.randomness import random_integers
from fairdeck.trust.boards import PERSONS, boards_agreed, start_agreed
from fairdeck.trust.files import Own
from fairdeck.words import LANGUAGES, Words

INDEX = "index.html"
LEAD = "Show these pages to nobody else, deal each once, and destroy them after play."
FILES = ("output", "pdf")


def file_arguments(parser: _ActionsContainer) -> None:
    """Declare the options that name files."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE.json",
        help="the lists as JSON, or with --records the boards, as .pbn, .lin, .dup, .dlm, .bri or .dge. Both persons' "
        "files get a number: boards-1.json, boards-2.json, which are written if nothing else is asked for. No file is "
        "ever overwritten",
    )
    parser.add_argument(
        "--html",
        metavar="FOLDER",
        help="a page for each board, and a page with links to them, in FOLDER/person-1 and FOLDER/person-2",
    )
    parser.add_argument("--pdf", metavar="FILE.pdf", help="sheets to print, one for each board; needs the extra paper")
    parser.add_argument(
        "--paper", metavar="PAPER", help=f"with --pdf or --slips: {', '.join(PAPERS)} {unless_set(PAPER)}"
    )
    parser.add_argument(
        "--qr",
        nargs="?",
        const="",
        metavar="ADDRESS",
        help="with --pdf: codes for phones, as fairdeck deal prints them",
    )
    parser.set_defaults(booklet=None)


@dataclass(frozen=True, slots=True)
class BoardFiles:
    """The files to write of one person's lists.

    Attributes:
        person: 1 or 2.
        output: the file of lists, or None.
        folder: of the pages, or None.
        sheets: or None.
        voices: of the pages.
        language: of the names of the boards.
    """

    person: int
    output: Path | None
    folder: Path | None
    sheets: Sheets | None
    voices: Sequence[str]
    language: str

    def write(self, own: Own) -> None:
        """Write one person's lists."""
        boards, deals = boards_agreed(own.agreement), deals_of(own)
        if self.sheets:
            names = [board_name(board, self.person, self.language) for board in boards]
            self.sheets.write(deals, names, starts_of(own, self.language))
        if self.folder:
            self._write_pages(self.folder, own, deals)
        if self.output:
            write(self.output, own.to_json(), secret=True)
            print(f"wrote {self.output}: {_count(deals)} for person {self.person}", file=sys.stderr)

    def _write_pages(self, folder: Path, own: Own, deals: Sequence[Deal]) -> None:
        from fairdeck.show.html import page_of_links

        boards = boards_agreed(own.agreement)
        links = {f"board-{board.name:0>2}.html": board_name(board, self.person, "en") for board in boards}
        starts = {language: starts_of(own, language, short=True) for language in LANGUAGES}
        for at, (file, board, deal) in enumerate(zip(links, boards, deals, strict=True)):
            told = {
                language: (board_name(board, self.person, language), starts[language][at]) for language in LANGUAGES
            }
            write(folder / file, deal.html(self.voices, told), secret=True)
        headline = f"{_count(deals)} of person {self.person}"
        shown = filter(None, starts_of(own, "en")[:2])  # the first, and one that is like the rest
        lead = " ".join([LEAD, *dict.fromkeys(shown)])
        write(folder / INDEX, page_of_links(headline, lead, links), secret=True)
        print(
            f"wrote {_count(deals)} for person {self.person} as pages: open {folder / INDEX}. Destroy them after play",
            file=sys.stderr,
        )


def files_from(args: Namespace, task: Task, person: int, persons: Sequence[int]) -> BoardFiles:
    """Return the files that the arguments ask for, for one of the persons whose lists are made.

    Raises:
        FairdeckError: a file cannot be written, or arguments contradict each other.
        MissingTool: a package is not installed.
    """
    names = {name: _of_person(getattr(args, name), person, persons) for name in FILES}
    names["html"] = _folder_of_person(args.html, person, persons)
    named = Namespace(**{**vars(args), **names})
    if args.slips is not None and named.pdf is not None and Path(args.slips) == Path(named.pdf):
        raise FairdeckError(f"--pdf and --slips both name {named.pdf!r}: give each a file of its own")
    if args.voices is not None and args.html is None:
        raise FairdeckError(f"--voices {args.voices!r} works only with --html FOLDER: name the folder of the pages")
    if args.pdf is None and args.slips is not None:
        named.paper = named.language = None  # of the slips
    if args.html is not None:
        refuse_uncoded(task)
    sheets, voices, language = sheets_from(named, task), voices_from(args), language_from(args)
    if args.output is not None:
        demand_ending("--output", args.output, ".json", ".txt")
    output = None if named.output is None else writable(named.output)
    if output is not None and output.exists():
        raise FairdeckError(
            f"{named.output!r} is there already, and may be needed for hand records: name another file with -o, or "
            "delete it"
        )
    folder = None if named.html is None else Path(named.html)
    if folder:
        make_folder(folder)  # last, because it is made
        writable(str(folder / INDEX))
    return BoardFiles(person, output, folder, sheets, voices, language)


def board_name(board: Board, person: int, language: str) -> str:
    """Return what tells a board's list from others.

    >>> board_name(Board(3, ()), 1, "en")
    'Board 3 · dealer S · vulnerable: EW · person 1'
    """
    words = Words(language)
    vulnerable = vulnerable_in(words, board.vulnerable)
    return words.say("boardOf", number=board.name, dealer=board.dealer, vulnerable=vulnerable, person=person)


def deals_of(own: Own) -> list[Deal]:
    """Return one person's lists as deals."""
    task = own.agreement.deals[own.person]
    return [
        Deal(task, plan_for(task, order), order, random_integers(), given=True, of_board=True) for order in own.orders
    ]


def starts_of(own: Own, language: str, *, short: bool = False) -> list[str]:
    """Return how the deck lies before each list of a person: empty texts for person 2, who gets it from person 1."""
    words, boards, start = Words(language), boards_agreed(own.agreement), start_agreed(own.agreement)
    if own.person + 1 != PERSONS[0]:
        return ["" for _ in boards]
    return [start_in(words, board, board_before(boards, at, start), short=short) for at, board in enumerate(boards)]


def _of_person(name: str | None, person: int, persons: Sequence[int]) -> str | None:
    """Return the name of a person's file.

    >>> _of_person("boards.json", 2, (1, 2)), _of_person("boards.json", 2, (2,))
    ('boards-2.json', 'boards.json')
    """
    if name in (None, "", "-") or tuple(persons) != PERSONS or Path(str(name)).name in ("", ".."):
        return name  # what is no file is refused as it was typed
    path = Path(str(name))
    return str(path.with_stem(f"{path.stem}-{person}"))


def _folder_of_person(name: str | None, person: int, persons: Sequence[int]) -> str | None:
    return name if name is None or tuple(persons) != PERSONS else str(Path(name) / f"person-{person}")


def _count(deals: Sequence[Deal]) -> str:
    return counted(len(deals), "list")
