"""Questions in a terminal, one after another: those of `fairdeck` alone, which then deals, and of `fairdeck advise`.

Enter takes the answer in brackets. A wrong answer is explained and asked for again. At the end the command that says
the same is shown, for the next time.
"""

import shlex
import sys
from argparse import Namespace
from collections.abc import Callable

from fairdeck.advice import (
    HANDFULS,
    MOST_CARDS,
    MOST_DECKS,
    MOST_PLAYERS,
    MOST_SHELVES,
    on_bare_table,
    rows_of,
)
from fairdeck.cli.arguments import command_parser
from fairdeck.cli.config_file import setting
from fairdeck.cli.exits import FINE
from fairdeck.cli.follow import fitted
from fairdeck.cli.program import as_called
from fairdeck.cli.settings import MAT, pace_from
from fairdeck.cli.terminal import columns, somebody_there, takes_escapes
from fairdeck.dealing.goal import LARGEST_DECK, parse_goal
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.outlook import outlook
from fairdeck.dealing.plan import LARGEST_DEALERS
from fairdeck.dealing.planner import Task
from fairdeck.errors import FairdeckError
from fairdeck.numbers import decimal_number, whole

NEEDED = "the following arguments are required: CARDS (see fairdeck advise --help)"
PURPOSES = ("deck", "hands", "stock", "top")


class Unanswered(FairdeckError):
    """The answers ended."""


def ask(args: Namespace) -> None:
    """Ask for what `args` does not say, and put the answers there as if they had been typed.

    Raises:
        FairdeckError: there is nobody to ask, or the answers ended.
    """
    if not somebody_there():
        raise FairdeckError(NEEDED)
    print("A few questions. Enter takes the answer in brackets.\n")
    cards = number("How many cards are in the deck?", "52", 2, MOST_CARDS)
    decks = number("How many such decks, each to be shuffled by itself?", "1", 1, MOST_DECKS)
    what = one_of("What are they? cards, sleeved, tiles, or tarot (may lie reversed)", "cards", tuple(HANDFULS))
    players = number("How many people can help?", "1", 1, MOST_PLAYERS)
    room = one_of("Is there room for some piles on the table? yes or no", "yes", ("yes", "no"))
    shelves = number("If you have a shuffling machine, how many shelves has it?", "0", 0, MOST_SHELVES)
    goal = _goal(int(cards))
    minutes = asked("How many minutes may it take at most?", "any", _minutes)
    words = ["--decks", decks] * (decks != "1") + ["--cards-are", what] * (what != "cards")
    words += ["--players", players] * (players != "1") + ["--no-room"] * (room == "no")
    words += ["--machine", shelves] * (shelves != "0") + ["--goal", goal] * (goal != "deck")
    words += ["--minutes", minutes] * (minutes != "any")
    args.cards, args.decks, args.cards_are, args.players, args.goal = cards, decks, what, players, goal
    args.no_room, args.machine = room == "no", None if shelves == "0" else shelves
    args.minutes = None if minutes == "any" else minutes
    print(as_called(f"\nNext time: {shlex.join(['fairdeck', 'advise', cards, *words])}\n"))


def _goal(cards: int) -> str:
    """Ask what the deck is for, and return it as a goal."""
    what = one_of(
        "What is it for? deck (all in order), hands (all dealt out), stock (hands and a stock), top (the first cards)",
        "deck",
        PURPOSES,
    )
    if what == "deck":
        return what
    if what == "top":
        return "top:" + number("How many cards from the top will be used?", str(min(20, cards)), 1, cards)
    if what == "hands":
        hands = int(number("How many hands?", str(min(4, cards)), 1, cards))
        each, more = divmod(cards, hands)
        goal = ",".join([f"{more}x{each + 1}"] * (more > 0) + [f"{hands - more}x{each}"])
        return f"hands:{goal}"
    return asked("How many hands, and of how many cards? such as 4x13", "", lambda text: _with_stock(text, cards))


def _with_stock(text: str, cards: int) -> str:
    goal = f"hands:{text}+stock"
    parse_goal(goal, cards)
    return goal


def _minutes(text: str) -> str:
    if text != "any":
        decimal_number(text, "minutes", 0.1, 100_000)
    return text


def number(question: str, usual: str, least: int, most: int) -> str:
    """Ask for a whole number from `least` to `most`, and return it in digits."""
    return asked(question, usual, lambda text: str(whole("number", text, least, most)))


def one_of(question: str, usual: str, choices: tuple[str, ...]) -> str:
    """Ask for one of the `choices`; a few first letters are enough."""

    def chosen(text: str) -> str:
        found = [each for each in choices if each.startswith(text.lower())]
        exact = [each for each in found if each == text.lower()]
        if len(exact or found) != 1:
            raise FairdeckError(f"{text!r} is not one of the answers, or not clear: write {', '.join(choices)}")
        return (exact or found)[0]

    return asked(question, usual, chosen)


def asked(question: str, usual: str, read: Callable[[str], str]) -> str:
    """Ask until the answer can be read, and return what `read` makes of it.

    Raises:
        Unanswered: standard input ended.
    """
    while True:
        print(f"{question} [{usual}] " if usual else f"{question} ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise Unanswered("the questions were not answered: answer them, or give CARDS and options")
        try:
            return read(line.strip() or usual)
        except FairdeckError as error:
            print(f"  {error}")


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


def _words(task: Task, *, follow: bool) -> list[str]:
    """Return the words of the command `deal` that does the same."""
    dealers = ["--dealers", str(task.dealers)] if task.dealers > 1 else []
    return [str(task.cards), "--mat", str(task.mat), *dealers, *(["--follow"] if follow else [])]
