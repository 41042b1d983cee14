"""Write bridge or other deals as two lists; one alone says nothing.

Person 1 deals the whole deck by list 1, then person 2 deals the four hands by list 2. Each list alone says nothing
about the hands, so both people may play them. The boards come from one of four sources: given hands, random ones,
lists that were written before, or (after play) the two files of lists, whose hands are written for bridge programs.

With --goal or --deck, the same for another game: FILE then lists the wanted order of its deck, top first, the first
hand's cards first; with --deck also several decks, one after the other. Equal cards have the same name.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from fairdeck.cards.boards import Board, formats, write_boards
from fairdeck.cards.boards.choosing import chosen
from fairdeck.cli import settings
from fairdeck.cli.arguments import options
from fairdeck.cli.board_files import BoardList, cards_told, file_arguments, files_from, lists_of
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.given_boards import MOST_BOARDS, boards_from
from fairdeck.cli.streams import tell
from fairdeck.cli.terminal import show_text
from fairdeck.cli.trust_files import read_file
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.mat import Mat
from fairdeck.errors import FairdeckError
from fairdeck.paper.board_slips import board_slips
from fairdeck.randomness import random_integers, system_bytes
from fairdeck.trust.agreement import SESSION, Agreement, session_named
from fairdeck.trust.boards import (
    BRIDGE,
    PERSONS,
    STARTS,
    Game,
    board_agreement,
    boards_agreed,
    boards_drawn,
    draw_of,
    game_of,
    second_orders,
    start_agreed,
)
from fairdeck.trust.draws import SECRET, orders_in, own_drawn, own_of
from fairdeck.trust.files import Own, read_own

EXAMPLES = {
    "fairdeck boards --random 4": "boards-1.json and boards-2.json, one for each person",
    "fairdeck boards hands.pbn --pdf sheets.pdf": "given hands; sheets for both people",
    "fairdeck boards hands.pbn --boards 1,2 --fill --pdf sheets.pdf": "some boards; hands not given are drawn",
    "fairdeck boards --lists boards-1.json --html pages": "pages of one person's lists",
    "fairdeck boards --records boards-1.json boards-2.json": "after play: the hands as PBN",
    "fairdeck boards --random 24 --deck 32 --goal hands:3x10+rest --pdf skat.pdf": "24 deals of skat",
}
HOW = ("person", "start", "mat", "labels", "fill", "first", "session", "goal", "deck", "as_", "side")
# Where boards come from, and the options that do nothing there.
SOURCES = {
    "file": ("person", "first"),
    "random": ("boards", "fill"),
    "lists": (*HOW, "output"),
    "records": (*HOW, "html", "pdf", "paper", "qr", "voices", "slips", "json", "language"),
}
OF_BRIDGE, OF_LISTS = ("start", "slips", "fill"), ("as_", "side")  # options of boards, and of other games


def arguments(parser: ArgumentParser) -> None:
    source = parser.add_argument_group("the boards come from one of these")
    sources = {
        "file? FILE": "given hands in PBN, LIN, DUP, BRI, DGE or DLM, or a deal a line, whatever the file is called; "
        f"up to {MOST_BOARDS} boards are dealt. - reads standard input. Or the transcript of a draw of 52 French "
        "cards, goal deck or hands:4x13: deck 1 is board 1, North has the first cards",
        "--random N": f"N boards with uniformly random hands, 1 to {MOST_BOARDS}",
        "--lists FILE.json": "one person's lists that were written before, for pages and sheets; without them it "
        "prints the lists",
    }
    options(source, sources)
    source.add_argument(
        "--records",
        nargs=2,
        metavar=("ONE.json", "TWO.json"),
        help="after play: the hands that both persons' lists make, as PBN, or as the ending of -o says",
    )
    which = {
        "--boards LIST": "of FILE, --lists or --records: numbers, ranges, names, such as 1-24,30",
        "--session TEXT": "of FILE, where numbers come again: the name of an event, or 1, 2, ... And with --person: a "
        "text that was never used before, the same on both devices; --records joins only files of one session",
        "--first N": "with --random: the number of the first board (default 1)",
        "--fill": "draw the hands that FILE does not give, every deal that agrees with the given ones equally likely; "
        "without it, such boards are left out",
    }
    options(parser.add_argument_group("which of them"), which)
    game = parser.add_argument_group("another game than bridge")
    other = {
        **settings.GOAL_OPTION,
        "--deck DECK": "how the cards lie before each deal: a file that lists them, top first, or their number "
        "(default: sorted; with --random, 52 French cards)",
    }
    options(game, other)
    settings.deck_list_arguments(game)
    how = {
        "--person 1|2": "with --random: the lists of one person only. Two devices that never talk draw one half each, "
        "and neither knows the hands",
        f"--start {'|'.join(STARTS)}": "how the deck lies before each board: sorted (default), or as-picked-up: as the "
        "board before was picked up, each hand sorted, North's on East's on South's on West's",
        "--mat CxR": f"columns x rows of person 1's mat {settings.unless_set(settings.MAT)}; person 2 deals onto "
        "North, East, South, West",
        **settings.labels_option(),
    }
    options(parser.add_argument_group("how they are dealt"), how)
    files = parser.add_argument_group("what is written")
    file_arguments(files)
    written = {
        "--slips FILE.pdf": "board slips to cut out: number, dealer, vulnerability, how the deck lies at the start",
        **settings.voices_option("your setting, or en; with --html"),
        **settings.language_option("with --pdf or --slips"),
        "--json fairdeck-board-lists/1": "boards, each with: board, dealer and vulnerable (of bridge), lists (two "
        "plans, or one person's); besides person, start and session",
    }
    options(files, written)


def run(args: Namespace) -> int:
    source = _source_of(args)
    if source == "records":
        return _records(args)
    before = read_file(args.lists, _read_lists) if source == "lists" else None
    boards, game = (boards_agreed(before.agreement), game_of(before.agreement)) if before else boards_from(args)
    for name in OF_BRIDGE if game != BRIDGE else () if args.goal or args.deck else OF_LISTS:
        if getattr(args, name):
            told = "boards of bridge, and this is another game" if name in OF_BRIDGE else "lists of cards, with --goal"
            raise FairdeckError(f"--{name.strip('_')} is for {told}: leave it out")
    persons = (before.person + 1,) if before else PERSONS if args.person is None else (int(args.person),)
    agreement = before.agreement if before else _agreement(args, boards, game)
    if persons == PERSONS and not any((args.output, args.html, args.pdf, args.json)):
        args.output = "boards.json"
    files = [files_from(args, agreement.deals[person - 1], person, persons) for person in persons]
    slips = None if args.slips is None else _slips(args, start_agreed(agreement), boards)
    drawn = [before] if before else _drawn(agreement, boards, persons)
    lists = [lists_of(own, args.boards if before else None) for own in drawn]
    for own, each, written in zip(drawn, lists, files, strict=True):
        written.write(own, each)
    if slips:
        write(Path(args.slips), slips)
        tell(f"wrote {args.slips}: slips for {counted(len(boards), 'board')}")
    _tell(args, drawn)
    if args.json:
        print(json.dumps(_shown(agreement, lists), separators=(",", ":")))
    elif not any((args.output, args.html, args.pdf, args.slips)):
        for one in lists[0]:
            show_text("\n".join(filter(None, (one.name("en"), one.start("en"), one.deal.instructions()))))
            print("\n")
    return FINE


def _source_of(args: Namespace) -> str:
    """Return where the boards come from, after checking that the arguments go together."""
    named = [name for name in SOURCES if getattr(args, name) is not None]
    if len(named) != 1:
        told = ", ".join(named) if named else "none"
        raise FairdeckError(f"name one of FILE, --random N, --lists FILE and --records ONE TWO; here: {told}")
    (source,) = named
    for name in SOURCES[source]:
        if getattr(args, name):
            told = "FILE" if source == "file" else f"--{source}"
            raise FairdeckError(f"--{name} does nothing with {told}: leave it out")
    if source == "random" and args.session is not None and args.person is None:
        raise FairdeckError("--session is for FILE, and for --random with --person: leave it out")
    if args.person is not None and args.session is None:
        raise FairdeckError(
            "the lists of both persons must name one session: add --session TEXT, the same new text on both devices, "
            'such as --session "club 1 December"'
        )
    return source


def _agreement(args: Namespace, boards: Sequence[Board], game: Game) -> Agreement:
    session = system_bytes(SESSION) if args.person is None else session_named(args.session)
    mat, start = Mat.parse(settings.mat_from(args), args.labels), args.start or next(iter(STARTS))
    return board_agreement(boards, mat, start, session, game)


def _drawn(agreement: Agreement, boards: Sequence[Board], persons: Sequence[int]) -> list[Own]:
    """Return the lists of these persons, of random hands or of the boards'."""
    owns = {person: own_drawn(agreement, person - 1, system_bytes(SECRET), random_integers()) for person in persons}
    if all(boards[0].hands):
        owns[2] = own_of(system_bytes(SECRET), second_orders(agreement, boards, orders_in(agreement, 0, owns[1])))
    return [Own(agreement, person - 1, own) for person, own in owns.items()]


def _read_lists(content: bytes) -> Own:
    own = read_own(content)
    boards_agreed(own.agreement)
    return own


def _shown(agreement: Agreement, lists: Sequence[Sequence[BoardList]]) -> dict[str, object]:
    boards = []
    for each in zip(*lists, strict=True):
        board = each[0].board
        tray = {"dealer": board.dealer, "vulnerable": board.vulnerable} if each[0].game == BRIDGE else {}
        name = board.number if board.name == str(board.number) else board.name
        boards.append({"board": name, **tray, "lists": [one.deal.plan.as_dict() for one in each]})
    return {
        "format": "fairdeck-board-lists/1",
        "person": None if len(lists) > 1 else lists[0][0].person,
        "start": start_agreed(agreement),
        "session": agreement.session.hex(),
        "boards": boards,
    }


def _tell(args: Namespace, drawn: Sequence[Own]) -> None:
    if len(drawn) == 1:
        told = f"Person {drawn[0].person + 1}'s lists say nothing about the hands without the other person's."
    elif args.random is None and not args.fill:
        told = (
            "Anyone who has that file, or the lists of both persons, knows the hands. One person's lists say "
            "nothing about them."
        )
    else:
        told = (
            "One person's lists say nothing about the hands; anyone who has both knows them, and so does this device."
        ) + ("" if args.fill else " With --person, two devices draw one half each.")
    tell(f"{told} Use every list once, or again for the same hands only.")
    if args.person is not None:
        compared = drawn[0].agreement.compared
        tell(f"Before you deal, compare: the other device must show {compared}.")
        tell("Nothing here knows whether a session was used before: never type the same text again.")
    if args.random is not None and not args.output and not args.json:
        tell("note: the lists are not kept, so nobody can write the hand records after play; -o FILE keeps them")


def _records(args: Namespace) -> int:
    one, two = sorted((read_file(name, _read_lists) for name in args.records), key=lambda own: own.person)
    if (one.person, two.person) != (0, 1):
        person = one.person + 1
        raise FairdeckError(f"both files are lists of person {person}: name one of person 1 and one of person 2")
    if one.agreement != two.agreement:
        raise FairdeckError(
            "the two files are of different draws: name two that were made together, or with the same boards, --start, "
            "--mat and --session"
        )
    boards = chosen(boards_drawn(draw_of(one.agreement, (one.own, two.own))), wanted=args.boards)
    game = game_of(one.agreement)
    if args.output is not None and writable(args.output).is_file():
        raise FairdeckError(f"{args.output!r} is there already: name another file with -o, or delete it")
    written = write_boards(boards, _format_named(args.output)) if game == BRIDGE else _deals_written(boards, game)
    if args.output is None:
        print(written.decode(), end="")
    else:
        write(Path(args.output), written)
        tell(f"wrote {args.output}: {counted(len(boards), 'board')}")
    return FINE


def _format_named(name: str | None) -> str:
    """Return the name of the format that the ending of a file's name chooses: PBN without one."""
    endings = {"": "PBN"} | {each.ending: each.name for each in formats() if each.write}
    ending = Path(name or "").suffix.lower()
    if ending not in endings:
        raise FairdeckError(
            f"--output {name!r}: boards are written as {', '.join(sorted(filter(None, endings)))}, not {ending}: name "
            f"it {Path(str(name)).stem}.pbn, for example"
        )
    return endings[ending]


def _deals_written(deals: Sequence[Board], game: Game) -> bytes:
    """Return deals of another game as text, names top first: a line for each hand, sorted as the deck; or the deck."""
    places, lines = {name: at for at, name in enumerate(game.names)}, list[str]()
    for deal in deals:
        hands = [sorted(hand, key=places.__getitem__, reverse=True) if game.goal.piles else hand for hand in deal.hands]
        lines += [f"Deal {deal.name}", *map(cards_told, hands)]
    return "".join(f"{line}\n" for line in lines).encode()


def _slips(args: Namespace, start: str, boards: Sequence[Board]) -> bytes:
    """Return the slips as a PDF, after checking that they can be written."""
    from fairdeck.paper.pdf import pdf

    if Path(args.slips).suffix.lower() != ".pdf":
        raise FairdeckError(f"--slips {args.slips!r} does not end in .pdf: name it slips.pdf, for example")
    writable(args.slips)
    language = settings.language_from(args)
    paper = settings.paper_from(args)
    return pdf(board_slips(boards, paper, start, language=language), "Boards")
