"""`fairdeck` alone in a terminal: a few questions, then the deal.

Enter takes the answer in brackets. A wrong answer is explained and asked for again. At the end the command that says
the same is shown, for the next time.
"""

import shlex
import sys
from collections.abc import Callable
from typing import TypeVar

from fairdeck.advice import on_bare_table, rows_of
from fairdeck.cards import LARGEST_DECK
from fairdeck.cli.arguments import command_parser
from fairdeck.cli.config_file import setting
from fairdeck.cli.exits import FINE
from fairdeck.cli.follow import fitted
from fairdeck.cli.program import as_called
from fairdeck.cli.settings import MAT, pace_from
from fairdeck.cli.terminal import columns, takes_escapes
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.outlook import outlook
from fairdeck.dealing.plan import LARGEST_DEALERS
from fairdeck.dealing.planner import Task
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole

TABLE = "table"
CARD_BY_CARD, LIST = "cards", "list"
Answer = TypeVar("Answer")


def first_deal() -> int:
    """Ask the person at the terminal, deal, and say the command; return the exit code. Ctrl-D just leaves."""
    usual_table = setting("mat") or TABLE  # first: a fault in the config file must not waste answers
    _say(["Four questions, then you deal.", "Enter takes the answer in brackets. Ctrl-C leaves.", ""])
    try:
        task = _task(usual_table)
        _say(_ahead(task))
        usual = CARD_BY_CARD if takes_escapes() else LIST
        how = _asked(f"Deal card by card here, or from a list? {CARD_BY_CARD}, {LIST}", usual, _way)
    except EOFError:
        print()
        return FINE
    except KeyboardInterrupt:
        print()  # the shell's prompt belongs on a line of its own
        raise
    dealers = ["--dealers", str(task.dealers)] if task.dealers > 1 else []
    words = [str(task.cards), "--mat", str(task.mat), *dealers, *["--follow"] * (how == CARD_BY_CARD)]
    print()
    args = command_parser("deal").parse_args(words)
    try:
        code: int = args.run(args)
    finally:
        print(as_called(f"\nNext time: {shlex.join(['fairdeck', 'deal', *words])}"))
    return code


def _task(usual_table: str) -> Task:
    cards = _asked("How many cards are in the deck?", "52", lambda text: whole("number", text, 1, LARGEST_DECK))
    most = min(LARGEST_DEALERS, cards)
    dealers = _asked("How many people deal at the same time?", "1", lambda text: whole("number", text, 1, most))

    def on(text: str) -> Task:
        if TABLE.startswith(text.lower()):
            return on_bare_table(cards, dealers=dealers)
        return Task(cards, Mat.parse(text), dealers=dealers)

    return _asked(f"What do you deal onto? a mat such as {MAT}, or the bare {TABLE}", usual_table, on)


def _way(text: str) -> str:
    for way in (CARD_BY_CARD, LIST):
        if way.startswith(text.lower()):
            return way
    raise FairdeckError(f"{text!r} is not one of the answers: write {CARD_BY_CARD} or {LIST}")


def _asked(question: str, usual: str, read: Callable[[str], Answer]) -> Answer:
    """Ask until the answer can be read, and return what `read` makes of it; an EOFError says that no more is typed."""
    while True:
        print(f"{question} [{usual}] ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        try:
            return read(line.strip() or usual)
        except FairdeckError as error:
            print(f"  {error}")


def _ahead(task: Task) -> list[str]:
    """Return what is ahead: the piles, the passes, the minutes."""
    ahead = outlook(task, pace_from(None))
    minutes = counted(max(1, round(ahead.minutes)), "minute")
    each = "" if task.dealers == 1 else " in front of each dealer"
    return [
        "",
        f"Make room for {counted(task.mat.spaces, 'pile')}{each}: {rows_of(task.mat)}.",
        f"You deal the deck in {counted(ahead.passes, 'pass')}; that takes about {minutes}.",
    ]


def _say(lines: list[str]) -> None:
    print(*fitted(lines, columns()), sep="\n")
