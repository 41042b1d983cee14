"""Write bridge boards as two lists; one alone says nothing.

Person 1 deals the whole deck by list 1, then person 2 deals the four hands by list 2. Each list alone says nothing
about the hands, so both people may play them. The boards come from one of four sources: given hands, random ones,
lists that were written before, or (after play) the two files of lists, whose hands are written as PBN.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from fairdeck.cli.board_files import board_name, file_arguments, files_from
from fairdeck.cli.board_sources import MOST_BOARDS, boards_from, lists_before, lists_from, source_of, start_of
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
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.pbn import NO_HANDS, SEATS, Board, write_pbn
from fairdeck.dealing.planner import plan_for
from fairdeck.deals import Deal
from fairdeck.errors import FairdeckError
from fairdeck.paper.board_slips import board_before, board_slips, start_in
from fairdeck.randomness import Chooser, random_integers
from fairdeck.trust.agreement import SESSION, session_named
from fairdeck.trust.boards import (
    PERSONS,
    STARTS,
    board_agreement,
    board_tasks,
    boards_agreed,
    demand_dealt,
    draw_of,
    first_orders,
    own_bytes,
    random_splits,
    records,
    second_orders,
    start_agreed,
)
from fairdeck.trust.files import Own
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
        "the transcript of a draw of 52 French cards, goal deck or hands:4x13: deck 1 is board 1, North has "
        "the first cards",
    )
    source.add_argument("--random", metavar="N", help=f"N boards with uniformly random hands, 1 to {MOST_BOARDS}")
    source.add_argument(
        "--lists",
        metavar="FILE.json",
        help="one person's lists that were written before, for pages and sheets; without them it prints the lists",
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
        choices=tuple(STARTS),
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
    before = None if args.lists is None else lists_from(args.lists)
    boards = boards_agreed(before.agreement) if before else boards_from(args)
    persons = (before.person + 1,) if before else PERSONS if args.person is None else (int(args.person),)
    after = None if args.after is None else lists_before(args)
    tasks = before.agreement.deals if before else board_tasks(Mat.parse(mat_from(args), args.labels))
    if persons == PERSONS and not any((args.output, args.html, args.pdf, args.json)):
        args.output = "boards.json"
    files = [files_from(args, tasks[person - 1], person, persons) for person in persons]
    start = start_agreed(before.agreement) if before else start_of(args)
    slips = None if args.slips is None else _slips(args, start, boards)
    drawn = [before] if before else _drawn(args, boards, persons, tasks[0].mat, after)
    for own, written in zip(drawn, files, strict=True):
        written.write(own, _deals(own))
    if slips:
        write(Path(args.slips), slips)
        print(f"wrote {args.slips}: slips for {counted(len(boards), 'board')}", file=sys.stderr)
    _tell(args, drawn)
    if args.json:
        print(json.dumps(_shown(drawn, reveal=args.reveal), separators=(",", ":")))
    elif not any((args.output, args.html, args.pdf, args.slips)):
        _print(drawn[0])
    return FINE


def _drawn(args: Namespace, boards: Sequence[Board], persons: Sequence[int], mat: Mat, after: Own | None) -> list[Own]:
    """Return the lists asked for."""
    integers, start = integers_from(args), start_of(args)
    firsts = list(after.orders) if after else first_orders(boards, integers) if 1 in persons else []
    if after:
        agreement = after.agreement
        if boards_agreed(agreement) != tuple(replace(board, hands=NO_HANDS) for board in boards):
            raise FairdeckError("the lists of person 1 are for other boards: name lists for the same")
    else:
        session = _session(integers) if args.session is None else session_named(args.session)
        agreement = board_agreement(boards, mat, start, session)
    orders = {1: firsts}
    if 2 in persons:
        orders[2] = second_orders(boards, firsts, start) if args.random is None else random_splits(boards, integers)
    made = {person: Own(agreement, person - 1, own_bytes(orders[person], integers)) for person in persons}
    if 2 in persons and args.random is None:
        one = after or made[1]
        demand_dealt(draw_of(agreement, (one.own, made[2].own)), boards)
    return list(made.values())


def _session(integers: Chooser) -> bytes:
    return b"".join(integers.below(2**16).to_bytes(2, "big") for _ in range(SESSION // 2))


def _deals(own: Own) -> list[Deal]:
    # The integers name the pages: never those of a seed, or the pages of two persons would have the same names.
    task = own.agreement.deals[own.person]
    return [
        Deal(task, plan_for(task, order), order, random_integers(), given=True, of_board=True) for order in own.orders
    ]


def _shown(drawn: Sequence[Own], *, reveal: bool) -> dict[str, object]:
    """Return what --json shows."""
    agreement, plans = drawn[0].agreement, [[deal.plan.as_dict() for deal in _deals(own)] for own in drawn]
    boards: list[dict[str, object]] = [
        {"board": board.number, "dealer": board.dealer, "vulnerable": board.vulnerable, "lists": list(lists)}
        for board, lists in zip(boards_agreed(agreement), zip(*plans, strict=True), strict=True)
    ]
    if reveal:
        for board, told in zip(records(draw_of(agreement, [own.own for own in drawn])), boards, strict=True):
            told["hands"] = dict(zip(SEATS, board.hands, strict=True))
    return {
        "format": "fairdeck-board-lists/1",
        "person": None if len(drawn) > 1 else drawn[0].person + 1,
        "start": start_agreed(agreement),
        "session": agreement.session.hex(),
        "boards": boards,
    }


def _print(own: Own) -> None:
    """Print one person's lists as text."""
    words, boards, start = Words("en"), boards_agreed(own.agreement), start_agreed(own.agreement)
    for at, (board, deal) in enumerate(zip(boards, _deals(own), strict=True)):
        print(board_name(board, own.person + 1, "en"))
        if own.person + 1 == PERSONS[0]:
            print(start_in(words, board, board_before(boards, at, start)))
        print(deal.instructions(), end="\n\n\n")


def _tell(args: Namespace, drawn: Sequence[Own]) -> None:
    """Say who knows the hands."""
    if len(drawn) == 1:
        told = f"Person {drawn[0].person + 1}'s lists say nothing about the hands without the other person's."
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
        print(f"Before you deal, compare: the other device must show {drawn[0].agreement.compared}.", file=sys.stderr)
    if args.random is not None and not args.output and not args.json:
        print(
            "note: the lists are not kept, so nobody can write the hand records after play; -o FILE keeps them",
            file=sys.stderr,
        )


def _records(args: Namespace) -> int:
    one, two = sorted(map(lists_from, args.records), key=lambda own: own.person)
    if (one.person, two.person) != (0, 1):
        person = one.person + 1
        raise FairdeckError(f"both files are lists of person {person}: name one of person 1 and one of person 2")
    if one.agreement != two.agreement:
        raise FairdeckError(
            "the two files are of different draws: name two that were made together, or with the same boards, --start, "
            "--mat and --session"
        )
    drawn = draw_of(one.agreement, (one.own, two.own))
    if args.output is not None:
        demand_ending("--output", args.output, ".pbn", ".txt")
        writable(args.output)
    written = write_pbn(records(drawn))
    if args.output is None:
        print(written, end="")
    else:
        write(Path(args.output), written)
        print(f"wrote {args.output}: {counted(drawn.agreement.decks, 'board')}", file=sys.stderr)
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
