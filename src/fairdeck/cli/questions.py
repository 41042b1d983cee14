"""Questions in a terminal, one after another; and those of `fairdeck advise`.

Enter takes the answer in brackets. A wrong answer is explained and asked for again. At the end the command that says
the same is shown, for the next time.
"""

import shlex
import sys
from argparse import Namespace
from collections.abc import Callable

from fairdeck.advice import HANDFULS, MOST_CARDS, MOST_DECKS, MOST_PLAYERS, MOST_SHELVES
from fairdeck.cli.program import as_called
from fairdeck.cli.terminal import somebody_there
from fairdeck.dealing.goal import parse_goal
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
