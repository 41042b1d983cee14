"""The arguments that several commands share: the task, what a setting or a file may give, seeds."""

import re
from argparse import Namespace, _ActionsContainer
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, get_args

from fairdeck.cards.lists import DeckList, names_of_formats, read_content
from fairdeck.cli.arguments import options
from fairdeck.cli.config_file import SETTINGS, chosen, pace_file, read_voices
from fairdeck.cli.files import configured, configured_surely, make_folder, read, write
from fairdeck.cli.streams import tell
from fairdeck.dealing.pace import ASSUMED, EXAMPLE, Pace
from fairdeck.dealing.plan import LARGEST_DEALERS
from fairdeck.dealing.planner import Bottom, Task
from fairdeck.deals import task_of
from fairdeck.errors import FairdeckError, naming, nearest, system_reason
from fairdeck.numbers import shortened
from fairdeck.own_lists import FOLDER, LARGEST_LIST, demand_free_name, file_of, kept_lists
from fairdeck.paper.sizes import PAPERS, Size, paper_size
from fairdeck.randomness import RandomIntegers, random_integers
from fairdeck.words import LANGUAGES, Words

if TYPE_CHECKING:
    from fairdeck.shuffles.mine import Hands

LANGUAGE, MAT, PAPER, VOICES = (SETTINGS[name].usual for name in ("language", "mat", "paper", "voices"))
PACE, HANDS = "pace.json", "hands.json"
Kept = TypeVar("Kept")
KEEP = "--side keeps them"
GOAL_OPTION = {
    "--goal GOAL": "deck (default); top:20, only the first 20 cards; hands:4x13 or hands:5,5,4, followed by +stock or "
    "+rest if cards are left over; strata:5 or strata:3x11,2x10, one special card in each part",
}
CLASSIC_OPTION = {"--classic": "one sort key a card, as other programs do; needs more spaces"}


def unless_set(usual: str) -> str:
    """Return what a help says of the default of an option that `fairdeck config` can set.

    >>> unless_set("5x2")
    '(default: your setting, or 5x2)'
    """
    return f"(default: your setting, or {usual})"


def task_arguments(parser: _ActionsContainer, *, cards: bool = True) -> None:
    """Declare the arguments that make a task; `cards`: whether the number of cards must be there."""
    cards_argument(parser, "1 to 1,000,000", needed=cards)
    task = {
        "--mat CxR": f"columns x rows of the mat, up to 26x26 {unless_set(MAT)}",
        **labels_option(),
        **GOAL_OPTION,
        "--dealers N": f"people who deal at once, each on their own mat, 1 to {LARGEST_DEALERS} (default: 1)",
        "--passes N": "take at least N passes; more passes need fewer spaces; hands without a stock take one if each "
        "has a space (default: the fewest possible)",
        **CLASSIC_OPTION,
        f"--bottom {'|'.join(get_args(Bottom))}": "when to deal the first pass from the bottom of the deck: never; if "
        "that saves a pass (the default, pass); or also if it only saves a space (space); several dealers always deal "
        "from the top",
        "--turn": "for cards that may lie reversed, such as tarot: draw a coin for each card, which says whether it is "
        "turned end for end in the first pass",
    }
    options(parser.add_argument_group("the deal"), task, goal="deck", dealers="1", bottom="pass")


def task_from(args: Namespace) -> Task:
    """Return the task that the arguments ask for."""
    names = ("goal", "labels", "dealers", "passes", "classic", "bottom", "turn")
    return task_of(cards_from(args), **{name: getattr(args, name) for name in names} | {"mat": mat_from(args)})


def cards_argument(parser: _ActionsContainer, sizes: str, *, needed: bool = True) -> None:
    """Declare the number of cards, or a list in its place, and the options of lists."""
    told = f"cards in the deck, {sizes}; or a file that lists them, such as a deck list of a card game"
    options(parser, {f"cards{'' if needed else '?'} CARDS": told})
    group = parser.add_argument_group("a list of cards")
    deck_list_arguments(group)
    options(group, {"--keep NAME": "keep the list in your folder of settings; later, name NAME in place of the file"})


def deck_list_arguments(group: _ActionsContainer) -> None:
    """Declare --as and --side."""
    told = f"the format of the list: {', '.join(names_of_formats())} (default: the list tells it)"
    group.add_argument("--as", dest="as_", metavar="FORMAT", help=told)
    aside = {
        "--side": "keep what a deck list has beside its deck, such as a sideboard or a commander (default: it is left "
        "out)",
    }
    options(group, aside)


def cards_from(args: Namespace) -> str:
    """Return the number of cards that is given, or that of the list in its place, which is told on standard error."""
    found = cards_or_list(args)
    return str(found.cards) if isinstance(found, DeckList) else str(found)


def cards_or_list(args: Namespace) -> str | DeckList | None:
    """Return the number of cards as it is given, or the list in its place; None if nothing is given."""
    given: str | None = args.cards
    if given is None:
        return None
    if not _is_list(given):
        for option, value in (("--side", args.side), ("--as", args.as_), ("--keep", args.keep)):
            if value:
                told = f"{option} is for lists of cards, and {given!r} is none"
                raise FairdeckError(f"{told}: leave it out, or name a file")
        if re.search(r"[^\W\d_]", given):
            near = nearest(given, kept_lists()) or ": name a file that lists the cards, or give their number"
            raise FairdeckError(f"{shortened(given)} is no number, no file, and no list that you keep{near}")
        return given
    if args.keep is not None:
        demand_free_name(args.keep)
    found = deck_list(given, args)
    tell(f"note: {found.file}: {found.summary(KEEP)}")
    if args.keep is not None:
        _keep_list(args.keep, found)
    return found


def _is_list(given: str) -> bool:
    """Return whether the number of cards is the name of a file, or of a list that was kept."""
    if not re.search(r"[^\W\d_]", given):
        return given == "-"
    return Path(given).is_file() or bool(re.search(r"[/\\]|\.[^\W\d_]", given)) or given in kept_lists()


def _keep_list(name: str, found: DeckList) -> None:
    path = configured_surely(f"{FOLDER}/{name}.txt")
    before = " in the place of the one before" if path.exists() else ""
    make_folder(path.parent)
    write(path, found.as_text())
    tell(f"note: kept as {name}{before}, in {path}: delete that file to forget it")


def mat_from(args: Namespace) -> str:
    """Return the mat asked for: the one named, or the one in the config file, or the usual one."""
    return chosen(args.mat, "mat", MAT)


def labels_option(remark: str = "") -> dict[str, str]:
    """Return --labels, as `options` takes it; so do the other functions of such names."""
    return {"--labels A,B,...": f"your own labels for the spaces, row by row{remark} (default: A1, A2, ...)"}


def language_option(use: str) -> dict[str, str]:
    """Return --language; `use` says what for."""
    return {"--language LANG": f"{use}: {', '.join(LANGUAGES[:-1])} or {LANGUAGES[-1]} {unless_set(LANGUAGE)}"}


def language_from(args: Namespace) -> str:
    """Return the language asked for; an unknown one is refused here, before an order is drawn."""
    language = chosen(args.language, "language", LANGUAGE).lower()
    Words(language)
    return language


def paper_option(use: str = "", remark: str = "") -> dict[str, str]:
    """Return --paper."""
    return {"--paper PAPER": f"{use}{', '.join(PAPERS)} {unless_set(PAPER)}{remark}"}


def paper_from(args: Namespace) -> Size:
    """Return the size of the paper asked for: the one named, or the one in the config file, or A4."""
    return paper_size(chosen(args.paper, "paper", PAPER))


def voices_option(default: str) -> dict[str, str]:
    """Return --voices."""
    known = ",".join(LANGUAGES)
    return {"--voices LIST": f"recorded voices to include, about 65 KB each: {known}, or none (default: {default})"}


def voices_from(args: Namespace) -> tuple[str, ...]:
    """Return the voices asked for: those named, or those in the config file, or English."""
    return read_voices(chosen(args.voices, "voices", VOICES))


def pace_from(named: str | None) -> Pace:
    """Return the pace in the file that is named, or in that of the settings, or else the assumed one.

    Raises:
        FairdeckError: the file cannot be read, or is not a pace; or there is none of this name.
    """
    path = Path(named) if named is not None else pace_file() or configured(PACE)
    pace = _kept_in(path, Pace.from_json, "name another file with --pace")
    if pace is None and named is not None:
        raise FairdeckError(f"there is no {named!r}: write seconds into it, {EXAMPLE}")
    return pace or ASSUMED


def kept_hands() -> "Hands | None":
    """Return the riffle that `fairdeck hands --keep` kept, or None; a FairdeckError if its file holds none."""
    from fairdeck.shuffles.mine import AGAIN, Hands  # loads what few commands need, here and below

    return _kept_in(configured(HANDS), Hands.from_json, AGAIN)


def recipe_from(text: str) -> str:
    """Return a recipe as it was typed, with the riffle that was kept in the place of ``riffle(mine)``."""
    from fairdeck.shuffles.mine import written_out

    return written_out(text, kept_hands()) if "mine" in text.lower() else text


def _kept_in(path: Path | None, read: Callable[[str], Kept], remedy: str) -> Kept | None:
    """Return what a file of a person's own holds; None if there is no such file."""
    try:
        text = None if path is None else path.read_text(encoding="utf-8")
    except FileNotFoundError:
        text = None
    except (OSError, ValueError) as error:
        raise FairdeckError(f"cannot read {str(path)!r} ({system_reason(error)}): {remedy}") from None
    with naming(str(path)):
        return None if text is None else read(text)


def integers_from(args: Namespace) -> RandomIntegers:
    """Return the random integers that the arguments ask for: the operating system's, or those of a seed."""
    integers = random_integers(args.seed)
    if args.seed is not None:
        tell("note: a deck from a seed is for tests: anyone who knows the seed knows the deck")
    return integers


def demand_digest(option: str, value: str | None, where: str = "") -> None:
    """Raise a FairdeckError if an option is given, and is no SHA-256; `where` its digits stand ends the message."""
    if value is not None and not re.fullmatch("[0-9a-fA-F]{64}", value):
        raise FairdeckError(f"{option}: {value!r} is not a digest; write its 64 hexadecimal digits{where}")


def list_content(name: str) -> tuple[str, bytes]:
    """Return what messages call a list, a file, one that was kept by a name, or `-`, standard input; and what is in it.

    Raises:
        FairdeckError: it cannot be read, or is too long.
    """
    if not name:
        raise FairdeckError("the name of the list is empty: name a file that lists the cards")
    path, called = (name, "standard input") if name == "-" else (str(file_of(name)), name)
    return called, read(path, LARGEST_LIST, "name a file that lists the cards")


def deck_list(name: str, args: Namespace, known: Collection[str] = ()) -> DeckList:
    """Return the list that is named, as --as and --side ask for it; `known`: the cards that there are, if known.

    Raises:
        FairdeckError: as for `list_content`, or as for `read_content`, with the name of the file and the line.
    """
    found = read_content(*list_content(name), args.as_, known)
    return found.with_aside() if args.side else found


def note_list(found: DeckList) -> None:
    """Say on standard error what was read as an order of cards, unless it is playing cards or numbers, each once."""
    if found.format not in ("playing", "numbers") or found.notes or len(set(found.names)) < found.cards:
        together = "" if found.ordered else "; the cards of a line lie together, in a row"
        tell(f"note: {found.file}: {found.summary(KEEP)}{together}")
