"""`fairdeck` alone, in a terminal: four questions, a deal, and the command that does the same next time."""

import shlex
from argparse import Namespace

from fairdeck.advice import on_bare_table, rows_of
from fairdeck.cli.arguments import command_parser
from fairdeck.cli.config_file import setting
from fairdeck.cli.exits import FINE
from fairdeck.cli.follow import fitted
from fairdeck.cli.paces import pace_from
from fairdeck.cli.program import as_called
from fairdeck.cli.questions import Unanswered, asked, number, one_of
from fairdeck.cli.settings import MAT
from fairdeck.cli.terminal import columns, takes_escapes
from fairdeck.dealing.goal import LARGEST_DECK
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.outlook import outlook
from fairdeck.dealing.plan import LARGEST_DEALERS
from fairdeck.dealing.planner import Task

USUAL_CARDS = "52"
TABLE = "table"
CARD_BY_CARD, LIST = "cards", "list"


def first_deal() -> int:
    """Ask the person at the terminal, deal, and say the command; return the exit code.

    Ctrl-D, which ends the answers, just leaves.
    """
    usual_table = setting("mat") or TABLE  # first: a fault in the config file must not waste answers
    _say(["Four questions, then you deal.", "Enter takes the answer in brackets. Ctrl-C leaves.", ""])
    try:
        task = _task(usual_table)
        _say(_told(task))
        usual = CARD_BY_CARD if takes_escapes() else LIST
        how = one_of(f"Deal card by card here, or from a list? {CARD_BY_CARD}, {LIST}", usual, (CARD_BY_CARD, LIST))
    except Unanswered:
        return FINE
    except KeyboardInterrupt:
        print()  # the shell's prompt belongs on a line of its own
        raise
    words = _words(task, follow=how == CARD_BY_CARD)
    print()
    args = command_parser("deal").parse_args(words)
    try:
        code: int = args.run(args)
    finally:
        print(as_called(f"\nNext time: {shlex.join(['fairdeck', 'deal', *words])}"))
    return code


def _task(usual_table: str) -> Task:
    """Ask for the cards, the people and the table."""
    cards = int(number("How many cards are in the deck?", USUAL_CARDS, 1, LARGEST_DECK))
    dealers = int(number("How many people deal at the same time?", "1", 1, min(LARGEST_DEALERS, cards)))
    question = f"What do you deal onto? a mat such as {MAT}, or the bare {TABLE}"
    found: list[Task] = []

    def read(text: str) -> str:
        if TABLE.startswith(text.lower()):
            found.append(on_bare_table(cards, dealers=dealers))
        else:
            found.append(Task(cards, Mat.parse(text), dealers=dealers))
        return text

    asked(question, usual_table, read)
    return found[-1]


def _told(task: Task) -> list[str]:
    """Return what is ahead: the piles, the passes, the minutes."""
    ahead = outlook(task, pace_from(Namespace(pace=None)))
    minutes = counted(max(1, round(ahead.minutes)), "minute")
    each = "" if task.dealers == 1 else " in front of each dealer"
    return [
        "",
        f"Make room for {counted(task.mat.spaces, 'pile')}{each}: {rows_of(task.mat)}.",
        f"You deal the deck in {counted(ahead.passes, 'pass')}; that takes about {minutes}.",
    ]


def _say(lines: list[str]) -> None:
    print(*fitted(lines, columns()), sep="\n")


def _words(task: Task, *, follow: bool) -> list[str]:
    """Return the words of the command `deal` that does the same."""
    dealers = ["--dealers", str(task.dealers)] if task.dealers > 1 else []
    return [str(task.cards), "--mat", str(task.mat), *dealers, *(["--follow"] if follow else [])]
