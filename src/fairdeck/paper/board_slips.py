"""Slips for boards, to cut out: the number, who deals, who is vulnerable; and how the deck lies at the start.

They tell nothing of the hands.
"""

from collections.abc import Iterator, Sequence

from fairdeck.cards.boards import Board
from fairdeck.paper.fitting import MARGIN, TEXT, lines
from fairdeck.paper.marks import GREY, Mark, Page, Rectangle, Text, placed
from fairdeck.paper.sizes import Size
from fairdeck.words import Words

COLUMNS, ROWS = 2, 4
GAP = 6.0  # millimetres inside a slip
NUMBER, FACT, SMALL = 11.0, 6.0, 2.3  # sizes of text, in millimetres


def board_slips(boards: Sequence[Board], paper: Size, start: str, *, language: str = "en") -> list[Page]:
    """Return pages of slips, one for each board; their hands are not used.

    The paper is its width and height in millimetres, `start` is one of `fairdeck.trust.boards.STARTS`, and `language`
    one of `fairdeck.words.LANGUAGES`.
    """
    words, width, height = Words(language), (paper[0] - 2 * MARGIN) / COLUMNS, (paper[1] - 2 * MARGIN) / ROWS
    pages: list[Page] = []
    for at, board in enumerate(boards):
        if at % (COLUMNS * ROWS) == 0:
            pages.append(Page(*paper))
        row, column = divmod(at % (COLUMNS * ROWS), COLUMNS)
        last = board_before(boards, at, start)
        pages[-1].marks += placed(
            _slip(board, last, words, width, height), MARGIN + column * width, MARGIN + row * height
        )
    return pages


def vulnerable_in(words: Words, vulnerable: str) -> str:
    """Return who is vulnerable in a language."""
    known = {"None": "nobody", "All": "everybody"}
    return words.say(known[vulnerable]) if vulnerable in known else vulnerable


def board_before(boards: Sequence[Board], at: int, start: str) -> Board | None:
    """Return the board whose cards, picked up, are the deck for the board at a place; None for a sorted deck."""
    return boards[at - 1] if at and start == "as-picked-up" else None


def start_in(words: Words, board: Board, last: Board | None, *, short: bool = False) -> str:
    """Return how the deck lies before a board: sorted, or as the board `last` was picked up.

    `short`: for a small screen, without what to check.
    """
    if last is None:
        return words.say("startSorted")
    if short:
        return words.say("startShort", last=last.name)
    return words.say("startPickedUp", number=board.name, last=last.name)


def _slip(board: Board, last: Board | None, words: Words, width: float, height: float) -> Iterator[Mark]:
    say = words.say
    yield Rectangle(0, 0, width, height, line=GREY)
    y = GAP + NUMBER * 0.8
    yield Text(GAP, y, say("slipBoard", number=board.name), NUMBER, bold=True)
    for text in (
        say("slipDealer", dealer=board.dealer),
        say("slipVulnerable", vulnerable=vulnerable_in(words, board.vulnerable)),
    ):
        y += FACT * 1.5
        yield Text(GAP, y, text, FACT)
    for number in (1, 2):
        y += TEXT * 1.7
        yield Rectangle(GAP, y - TEXT * 0.8, TEXT * 0.8, TEXT * 0.8)
        yield Text(GAP + TEXT * 1.3, y, say("slipDealt", number=number), TEXT)
    yield from placed(lines(start_in(words, board, last), SMALL, width - 2 * GAP).marks, GAP, y + TEXT * 0.7)
