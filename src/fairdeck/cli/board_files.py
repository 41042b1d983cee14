"""What `fairdeck boards` writes of one person's lists: a file of lists, pages, sheets.

All is checked before a list is drawn. A name gets the person's number if both persons' files are written.
"""

from argparse import Namespace, _ActionsContainer
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from fairdeck.cards.boards import Board
from fairdeck.cards.boards.choosing import chosen, ranges
from fairdeck.cards.names import is_number
from fairdeck.cli.arguments import options
from fairdeck.cli.files import demand_ending, make_folder, writable, write
from fairdeck.cli.settings import language_from, paper_option, voices_from
from fairdeck.cli.sheets import Sheets, sheets_from
from fairdeck.cli.streams import tell
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.planner import Task, plan_for
from fairdeck.dealing.share_code import refuse_uncoded
from fairdeck.deals import Deal
from fairdeck.errors import FairdeckError
from fairdeck.paper.board_slips import board_before, start_in, vulnerable_in
from fairdeck.randomness import random_integers
from fairdeck.trust.boards import BRIDGE, PERSONS, Game, boards_agreed, game_of, start_agreed
from fairdeck.trust.files import Own
from fairdeck.words import LANGUAGES, Words

INDEX = "index.html"
LEAD = "Show these pages to nobody else, deal each once, and destroy them after play."
FILES = ("output", "pdf")


def file_arguments(parser: _ActionsContainer) -> None:
    """Declare the options that name files."""
    declared = {
        "-o --output FILE.json": "the lists as JSON, or with --records the boards, as .pbn, .lin, .dup, .dlm, .bri, "
        ".dge, or .txt (a deal a line). Both persons' files get a number: boards-1.json, boards-2.json, which are "
        "written if nothing else is asked for. No file is ever overwritten",
        "--html FOLDER": "a page for each board, and a page with links to them, in FOLDER/person-1 and FOLDER/person-2",
        "--pdf FILE.pdf": "sheets to print, one for each board; needs the extra paper",
        **paper_option("with --pdf or --slips: "),
        "--qr [ADDRESS]": "with --pdf: codes for phones, as fairdeck deal prints them",
    }
    options(parser, declared, booklet=None)


@dataclass(frozen=True, slots=True)
class BoardFiles:
    """The files to write of one person's lists."""

    person: int  # 1 or 2
    output: Path | None  # the file of lists, or None
    folder: Path | None  # of the pages, or None
    sheets: Sheets | None  # or None
    voices: Sequence[str]  # of the pages
    language: str  # of the names of the boards

    def write(self, own: Own, lists: Sequence["BoardList"]) -> None:
        """Write one person's lists: the file has all, pages and sheets those that are wanted."""
        if self.sheets:
            names = [each.name(self.language) for each in lists]
            self.sheets.write([each.deal for each in lists], names, [each.start(self.language) for each in lists])
        if self.folder:
            self._write_pages(self.folder, lists)
        if self.output:
            write(self.output, own.to_json(), secret=True)
            tell(f"wrote {self.output}: {counted(len(lists), 'list')} for person {self.person}")

    def _write_pages(self, folder: Path, lists: Sequence["BoardList"]) -> None:
        from fairdeck.show.html import page_of_links

        links, count = {}, counted(len(lists), "list")
        for each in lists:
            file = f"{'board' if each.game == BRIDGE else 'deal'}-{each.board.name:0>2}.html"
            links[file] = each.name("en")
            told = {language: (each.name(language), each.start(language, short=True)) for language in LANGUAGES}
            write(folder / file, each.deal.html(self.voices, told), secret=True)
        shown = filter(None, (each.start("en") for each in lists[:2]))  # the first, and one that is like the rest
        lead = " ".join([LEAD, *dict.fromkeys(shown)])
        write(folder / INDEX, page_of_links(f"{count} of person {self.person}", lead, links), secret=True)
        tell(f"wrote {count} for person {self.person} as pages: open {folder / INDEX}. Destroy them after play")


@dataclass(frozen=True, slots=True)
class BoardList:
    """One person's list of a board, or of a deal of another game."""

    game: Game  # what is dealt
    person: int  # 1 or 2
    board: Board  # which board, or deal, it is
    before: Board | None  # the board whose cards, picked up, are its deck; None for a deck in the order of the game
    deal: Deal  # what to do

    def name(self, language: str) -> str:
        """Return what tells the list from others, such as "Board 3 · dealer S · vulnerable: EW · person 1"."""
        words, board = Words(language), self.board
        if self.game != BRIDGE:
            return words.say("dealOf", number=board.name, person=self.person)
        vulnerable = vulnerable_in(words, board.vulnerable)
        return words.say("boardOf", number=board.name, dealer=board.dealer, vulnerable=vulnerable, person=self.person)

    def start(self, language: str, *, short: bool = False) -> str:
        """Return how the deck lies before the list: an empty text for person 2, who gets it from person 1."""
        words = Words(language)
        if self.person != PERSONS[0]:
            return ""
        if self.game == BRIDGE:
            return start_in(words, self.board, self.before, short=short)
        return words.say("startDeck", cards=cards_told(self.game.names[::-1]))


def lists_of(own: Own, wanted: str | None = None) -> list[BoardList]:
    """Return one person's lists; `wanted` chooses boards, as for `fairdeck.cards.boards.choosing.chosen`."""
    agreement, boards = own.agreement, boards_agreed(own.agreement)
    task, game, start = agreement.deals[own.person], game_of(agreement), start_agreed(agreement)
    names = {board.name for board in chosen(boards, wanted=wanted)}
    return [
        BoardList(
            game,
            own.person + 1,
            board,
            board_before(boards, at, start),
            Deal(task, plan_for(task, order), order, random_integers(), given=True, of_board=True),
        )
        for at, (board, order) in enumerate(zip(boards, own.orders, strict=True))
        if board.name in names
    ]


def files_from(args: Namespace, task: Task, person: int, persons: Sequence[int]) -> BoardFiles:
    """Return the files that the arguments ask for, for one of the persons whose lists are made.

    Raises:
        FairdeckError: a file cannot be written, or arguments contradict each other.
        MissingTool: a package is not installed.
    """
    names = {name: _of_person(getattr(args, name), person, persons) for name in FILES}
    if args.html is not None and tuple(persons) == PERSONS:
        names["html"] = str(Path(args.html) / f"person-{person}")
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


def _of_person(name: str | None, person: int, persons: Sequence[int]) -> str | None:
    """Return the name of a person's file.

    >>> _of_person("boards.json", 2, (1, 2)), _of_person("boards.json", 2, (2,))
    ('boards-2.json', 'boards.json')
    """
    if name in (None, "", "-") or tuple(persons) != PERSONS or Path(str(name)).name in ("", ".."):
        return name  # what is no file is refused as it was typed
    path = Path(str(name))
    return str(path.with_stem(f"{path.stem}-{person}"))


def cards_told(cards: Sequence[str]) -> str:
    """Return cards, top first, as people read them; equal ones that lie together once, with their number.

    >>> cards_told(["SA", "SA", "HK"]), cards_told(["1", "2", "3"])
    ('2 × SA, HK', '1-3')
    """
    if is_number(cards[0]):
        return ranges(cards)
    runs = [(name, len(list(same))) for name, same in groupby(cards)]
    between = "; " if any("," in name for name in cards) else ", "
    return between.join(f"{count} × {name}" if count > 1 else name for name, count in runs)
