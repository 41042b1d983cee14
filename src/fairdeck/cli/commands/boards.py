"""Write bridge boards as two lists; one alone says nothing.

Person 1 deals the whole deck by list 1, then person 2 deals the four hands by list 2. Each list alone says nothing
about the hands, so both people may play them. The boards come from one of four sources: given hands, random ones,
lists that were written before, or (after play) the two files of lists, whose hands are written as PBN.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from fairdeck.cli.board_files import board_name, file_arguments, files_from
from fairdeck.cli.board_sources import (
    MOST_BOARDS,
    boards_from,
    half_before,
    half_from,
    source_of,
    start_of,
)
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import demand_ending, writable, write
from fairdeck.cli.help.formats import json_argument
from fairdeck.cli.settings import (
    MAT,
    integers_from,
    labels_argument,
    language_argument,
    language_from,
    mat_from,
    paper_from,
    seed_argument,
    unless_set,
    voices_argument,
)
from fairdeck.dealing.boards import (
    FOUR_HANDS,
    PERSONS,
    SEAT_MAT,
    STARTS,
    dealt_boards,
    second_task,
)
from fairdeck.dealing.halves import Half, first_half, random_second_half, records, second_half
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.pbn import SEATS, Board, write_pbn
from fairdeck.dealing.two_deals import session_named, session_shown, task_for
from fairdeck.deals import Deal
from fairdeck.errors import FairdeckError
from fairdeck.paper.board_slips import board_before, board_slips, start_in
from fairdeck.randomness import random_integers
from fairdeck.words import Words

EXAMPLES = {
    "fairdeck boards --random 4": "boards-1.json and boards-2.json, one for each person",
    "fairdeck boards hands.pbn --pdf sheets.pdf": "given hands; sheets for both people",
    "fairdeck boards --lists boards-1.json --html pages": "pages of one person's lists",
    "fairdeck boards --records boards-1.json boards-2.json": "after play: the hands as PBN",
}


def arguments(parser: ArgumentParser) -> None:
    source = parser.add_argument_group("the boards come from one of these")
    source.add_argument(
        "file",
        nargs="?",
        metavar="FILE.pbn",
        help=f"given hands, in Portable Bridge Notation 2.1, up to {MOST_BOARDS} boards; - reads standard input. Or "
        "the transcript of a ceremony that drew 52 French cards as deck or hands:4x13: deck 1 is board 1, North has "
        "the first cards",
    )
    source.add_argument("--random", metavar="N", help=f"N boards with uniformly random hands, 1 to {MOST_BOARDS}")
    source.add_argument(
        "--lists",
        metavar="FILE.json",
        help="one person's lists that were written before, for pages, and sheets; without them it prints the lists",
    )
    source.add_argument(
        "--records",
        nargs=2,
        metavar=("ONE.json", "TWO.json"),
        help="after play: the hands that both persons' lists make, as PBN",
    )
    how = parser.add_argument_group("how they are dealt")
    how.add_argument(
        "--person",
        choices=("1", "2"),
        help="the lists of one person only. With --random, two devices that never talk draw one half each, and neither "
        "knows the hands",
    )
    how.add_argument(
        "--session",
        metavar="TEXT",
        help="with --random and --person: a new text, the same on both devices; --records joins only files of one "
        "session",
    )
    how.add_argument(
        "--after",
        metavar="ONE.json",
        help="with FILE.pbn and --person 2: the lists of person 1, drawn on another device",
    )
    how.add_argument(
        "--start",
        choices=STARTS,
        help="how the deck lies before each board: sorted (default), or as-picked-up: as the board before was picked "
        "up, each hand sorted, North's on East's on South's on West's",
    )
    how.add_argument(
        "--mat",
        metavar="CxR",
        help=f"columns x rows of person 1's mat {unless_set(MAT)}; person 2 deals onto North, East, South, West",
    )
    labels_argument(how)
    files = parser.add_argument_group("what is written")
    file_arguments(files)
    files.add_argument(
        "--slips",
        metavar="FILE.pdf",
        help="board slips to cut out: number, dealer, vulnerability, how the deck lies at the start",
    )
    voices_argument(files, "your setting, or en; with --html")
    language_argument(files, "with --pdf or --slips")
    json_argument(
        files,
        "fairdeck-board-lists/1",
        fields="boards, each with: board, dealer, vulnerable, lists (two plans, or one person's) and, with --reveal, "
        "hands; besides person, start and session",
    )
    files.add_argument("--reveal", action="store_true", help="with --json: also the hands")
    seed_argument(parser)


def run(args: Namespace) -> int:
    source = source_of(args)
    if source == "records":
        return _records(args)
    half = None if args.lists is None else half_from(args.lists)
    boards = half.boards if half else boards_from(args)
    persons = (half.person,) if half else PERSONS if args.person is None else (int(args.person),)
    after = None if args.after is None else half_before(args)
    mat = Mat.parse(mat_from(args), args.labels)
    tasks = {1: task_for(1, sum(FOUR_HANDS), mat), 2: second_task(FOUR_HANDS, SEAT_MAT)}
    if half:
        tasks[half.person] = half.lists[0].task
    if persons == PERSONS and not any((args.output, args.html, args.pdf, args.json)):
        args.output = "boards.json"
    files = [files_from(args, tasks[person], person, persons) for person in persons]
    slips = None if args.slips is None else _slips(args, half.start if half else start_of(args), boards)
    halves = [half] if half else _drawn(args, boards, persons, mat, after)
    for each, written in zip(halves, files, strict=True):
        written.write(each, _deals(each))
    if slips:
        write(Path(args.slips), slips)
        print(f"wrote {args.slips}: slips for {counted(len(boards), 'board')}", file=sys.stderr)
    _tell(args, halves)
    if args.json:
        print(json.dumps(_shown(halves, reveal=args.reveal), separators=(",", ":")))
    elif not any((args.output, args.html, args.pdf, args.slips)):
        _print(halves[0])
    return FINE


def _drawn(
    args: Namespace, boards: Sequence[Board], persons: Sequence[int], mat: Mat, after: Half | None
) -> list[Half]:
    """Return the halves asked for."""
    integers, start = integers_from(args), start_of(args)
    session = "" if args.session is None else session_named(args.session).hex()
    one = after or (first_half(boards, integers, mat=mat, start=start, session=session) if 1 in persons else None)
    found = [one] if one and 1 in persons else []
    if 2 in persons and args.random is not None:
        found.append(random_second_half(boards, integers, start=start, session=one.session if one else session))
    elif 2 in persons and one:
        found.append(second_half(one, boards))
    return found


def _deals(half: Half) -> list[Deal]:
    # The integers name the pages: never those of a seed, or the pages of two persons would have the same names.
    return [
        Deal(each.task, each.plan, each.arrangement, random_integers(), given=True, of_board=True)
        for each in half.lists
    ]


def _shown(halves: Sequence[Half], *, reveal: bool) -> dict[str, object]:
    """Return what --json shows."""
    made = [half.as_dict() for half in halves]
    boards = [
        {**{name: value for name, value in each[0].items() if name != "list"}, "lists": [one["list"] for one in each]}
        for each in zip(*(half["boards"] for half in made), strict=True)
    ]
    if reveal:
        for board, told in zip(_hands(halves), boards, strict=True):
            told["hands"] = dict(zip(SEATS, board.hands, strict=True))
    return {
        **made[0],
        "format": "fairdeck-board-lists/1",
        "person": None if len(made) > 1 else made[0]["person"],
        "boards": boards,
    }


def _hands(halves: Sequence[Half]) -> list[Board]:
    first, second = halves
    plans = [each.plan for each in first.lists], [each.plan for each in second.lists]
    return dealt_boards([board.number for board in first.boards], *plans, first.start)


def _print(half: Half) -> None:
    """Print one person's lists as text."""
    words = Words("en")
    for at, (board, deal) in enumerate(zip(half.boards, _deals(half), strict=True)):
        print(board_name(board, half.person, "en"))
        if half.person == PERSONS[0]:
            print(start_in(words, board, board_before(half.boards, at, half.start)))
        print(deal.instructions(), end="\n\n\n")


def _tell(args: Namespace, halves: Sequence[Half]) -> None:
    """Say who knows the hands."""
    if len(halves) == 1:
        told = f"Person {halves[0].person}'s lists say nothing about the hands without the other person's."
    elif args.random is None:
        told = (
            "Anyone who has that file, or the lists of both persons, knows the hands. One person's lists say "
            "nothing about them."
        )
    else:
        told = (
            "One person's lists say nothing about the hands; anyone who has both knows them, and so does this device. "
            "With --person, two devices draw one half each."
        )
    print(f"{told} Use every list once.", file=sys.stderr)
    if args.session is not None:
        print(session_shown(bytes.fromhex(halves[0].session)), file=sys.stderr)
    if args.random is not None and not args.output and not args.json:
        print(
            "note: the lists are not kept, so nobody can write the hand records after play; -o FILE keeps them",
            file=sys.stderr,
        )


def _records(args: Namespace) -> int:
    halves = [half_from(name) for name in args.records]
    if args.output is not None:
        demand_ending("--output", args.output, ".pbn", ".txt")
        writable(args.output)
    written = write_pbn(records(*halves))
    if args.output is None:
        print(written, end="")
    else:
        write(Path(args.output), written)
        print(f"wrote {args.output}: {counted(len(halves[0].boards), 'board')}", file=sys.stderr)
    return FINE


def _slips(args: Namespace, start: str, boards: Sequence[Board]) -> bytes:
    """Return the slips as a PDF, after checking that they can be written."""
    from fairdeck.paper.pdf import pdf

    if Path(args.slips).suffix.lower() != ".pdf":
        raise FairdeckError(f"--slips {args.slips!r} does not end in .pdf: name it slips.pdf, for example")
    writable(args.slips)
    language = language_from(args)
    paper = paper_from(args)
    return pdf(board_slips(boards, paper, start, language=language), "Boards")
