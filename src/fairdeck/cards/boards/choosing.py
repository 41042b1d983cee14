"""Which boards of a file are meant: a session of those in the file, and numbers."""

import re
from collections.abc import Sequence

from fairdeck.cards.boards import LARGEST_NUMBER, Board
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole

RANGE = re.compile(r"\s*(\d+)\s*-\s*(\d+)\s*")
SHOWN = 4  # sessions that an error lists
DIFFERENT = {"hands": "hands", "dealer": "values of Dealer", "vulnerable": "values of Vulnerable"}


def chosen(boards: Sequence[Board], session: str | None = None, wanted: str | None = None) -> list[Board]:
    """Return the boards of a session that are wanted, each name once, in the order of the file.

    Args:
        boards: as `read_boards` returns them.
        session: the number of a session, or what the file calls it; None for all.
        wanted: numbers, ranges and names, such as ``1-24,30``; None for all.

    Raises:
        FairdeckError: there is no such session or board, or a board is in two sessions and no session was chosen.
    """
    found = list(boards) if session is None else _of_session(boards, session)
    if wanted is not None:
        names = _names(found, wanted)
        found = [board for board in found if board.name in names]
    first: dict[str, Board] = {}
    for board in found:
        other = first.setdefault(board.name, board)
        if other != board:
            differ = next(told for field, told in DIFFERENT.items() if getattr(board, field) != getattr(other, field))
            raise FairdeckError(
                f"line {board.line}: board {board.name} is there twice, with different {differ}; choose a session: "
                f"{_told(boards)}"
            )
    return list(first.values())


def ranges(names: Sequence[str]) -> str:
    """Return names of boards, numbers in turn as ranges.

    >>> ranges(["1", "2", "3", "7", "1-1"])
    '1-3, 7, 1-1'
    """
    runs: list[list[str]] = []
    for name in names:
        follows = runs and name.isdigit() and runs[-1][-1].isdigit() and int(name) == int(runs[-1][-1]) + 1
        if follows:
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}{'-' if len(run) > 2 else ', '}{run[-1]}" for run in runs)


def _of_session(boards: Sequence[Board], session: str) -> list[Board]:
    wanted = session.strip()
    fit = {board.session for board in boards if board.event.lower() == wanted.lower() or str(board.session) == wanted}
    if len(fit) != 1:
        why = "more than one session is" if fit else "no session is"
        raise FairdeckError(f"session {session[:40]!r}: {why} called that; choose one: {_told(boards)}")
    return [board for board in boards if board.session in fit]


def _told(boards: Sequence[Board]) -> str:
    """Return the sessions of a file as an error lists them."""
    sessions: dict[int, list[Board]] = {}
    for board in boards:
        sessions.setdefault(board.session, []).append(board)
    told = [
        f"--session {number}{f' ({found[0].event[:40]!r})' if found[0].event else ''}, boards "
        f"{_shortened(ranges([board.name for board in found]))}"
        for number, found in list(sessions.items())[:SHOWN]
    ]
    return "; ".join([*told, *([f"and {len(sessions) - SHOWN} more"] if len(sessions) > SHOWN else [])])


def _names(boards: Sequence[Board], wanted: str) -> set[str]:
    """Return the names of the boards that a list of numbers, ranges and names means."""
    there = dict.fromkeys(board.name for board in boards)
    names: set[str] = set()
    for item in wanted.split(","):
        name, numbers = item.strip().upper(), _numbers(item)
        meant = [number for number in numbers if number in there]
        if name in there and meant and numbers != [name]:
            raise FairdeckError(f"--boards {name}: the file has a board of this name, and boards {ranges(meant)}")
        lacking = [] if name in there else [number for number in numbers if number not in there] or []
        if lacking or (name not in there and not numbers):
            raise FairdeckError(
                f"--boards {name[:40]}: the file has no board {_shortened(ranges(lacking) or name[:40])}; it has "
                f"{_shortened(ranges(list(there)))}"
            )
        names |= {name} if name in there else set(meant)
    return names


def _numbers(item: str) -> list[str]:
    """Return the numbers from the first to the last of a range, or a number; nothing for another text."""
    if found := RANGE.fullmatch(item):
        first, last = (whole("boards", end, 1, LARGEST_NUMBER) for end in found.groups())
        if first > last:
            raise FairdeckError(f"--boards {item.strip()}: the last number is below the first; write {last}-{first}")
        return [str(number) for number in range(first, last + 1)]
    return [str(whole("boards", item, 1, LARGEST_NUMBER))] if item.strip().isdecimal() else []


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
