"""What the commands of the lab share: packages, seeds, workers, levels."""

import os
import re
import sys
from argparse import Namespace, _ActionsContainer
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fairdeck import numbers
from fairdeck.cards.lists import counted, read_content
from fairdeck.cli.arguments import options
from fairdeck.cli.signals import Mapping
from fairdeck.cli.terminal import Progress
from fairdeck.errors import FairdeckError
from fairdeck.extras import missing
from fairdeck.numbers import whole
from fairdeck.randomness import seed_number

MOST_DECKS = 10**12
MOST_RUNS = 1_000_000  # of a store
LOCAL = "local:"
ONE_THREAD = "OPENBLAS_NUM_THREADS"  # the library of matrices reads it when it is loaded
SEED_OPTION = {"--seed HEX": "repeat the run that showed this seed (default: a new one)"}
SEEN = ("seen", "deck", "as", "by", "kinds", "board")  # options that say what a file has of each deck


def missing_for_lab() -> list[str]:
    """Return the packages of the lab that are not installed."""
    return [name for name in ("numpy", "scipy") if find_spec(name) is None]


def need_lab() -> None:
    """Check that the packages of the lab are installed, and load NumPy with one thread.

    The matrices of the lab are small: threads that wait for more take a processor. Programs under test are not told.
    """
    if names := missing_for_lab():
        raise missing(f"the lab needs {' and '.join(names)}", "lab")
    if ONE_THREAD not in os.environ:
        os.environ[ONE_THREAD] = "1"
        import_module("numpy")
        del os.environ[ONE_THREAD]


def seed_argument(parser: _ActionsContainer) -> None:
    """Add the argument ``--seed``, with which a run can be repeated."""
    options(parser, SEED_OPTION)


def seed_from(args: Namespace) -> int:
    """Return the seed asked for, or a new one from the operating system."""
    return seed_number(args.seed)


def place_arguments(parser: _ActionsContainer) -> None:
    """Add the arguments ``--columns`` and ``--path``: where in the lines of a file its decks are."""
    declared = {
        "--columns FIRST-LAST": "the columns of a table with the cards, by name or number, such as 2-53; what their "
        "names begin with, or one that has all cards (default: those that surely are cards)",
        "--path NAME": "the list of cards in each JSON object, such as game.deck, or the table of an SQLite file "
        "(default: the only one)",
    }
    options(parser, declared)


def seen_arguments(parser: _ActionsContainer, *, sorts: bool = False) -> None:
    """Add the arguments that say what is seen of each deck; where there may be several sorts of decks, of each sort."""
    several: dict[str, Any] = {"action": "append"} if sorts else {}
    parser.add_argument(
        "--seen",
        metavar="WHAT",
        **several,
        help="what is seen of each deck: top:7 (the first seven, in order), set:7 (in any order), hands:4x13, 6/49, "
        "places:0,5,9 (0 is the bottom), prefix (in order, as many as a line holds) or all. The rest is drawn at "
        "random, from --seed, and the level holds, if every game is there",
    )
    parser.add_argument(
        "--deck",
        metavar="LIST",
        **several,
        help="the list of the deck: a file in any format of lists, a list that you keep, or names with commas, which "
        "may come several times or after a number: '24 L, 36 S'",
    )
    parser.add_argument(
        "--as",
        metavar="FORMAT",
        help="the format of that list, such as names where a line with commas is one card (default: the list tells it)",
    )
    if sorts:
        parser.add_argument(
            "--by",
            metavar="COLUMN",
            help="the column of a table, or the value in JSON lines, that names the sort of each deck, such as its "
            "list: all sorts are judged at one level; --seen and --deck may say NAME=VALUE, several times. A value "
            "that is a list is the list of the deck. Without --by, --seen 'set:5,set:7' tells sorts by the length of a "
            "line",
        )
    declared = {
        "--kinds NAME=CARDS,...": "cards that count as alike: land=1-24,ramp=25-30, places in the list from 1, or "
        "land=Forest,Island (default: each name with two copies or more)",
        "--board ROWSxCOLUMNS": "the cards are the cells of a board, row by row, such as 9x9",
    }
    options(parser, declared)


def demand_named(args: Namespace) -> None:
    """Check that no option that names cards or statistics is empty, as from a variable that is not set."""
    for name in ("only", *SEEN):
        given = getattr(args, name, None)
        for value in given if isinstance(given, list) else [given]:
            if value is not None and not value.strip(" ,"):
                raise FairdeckError(f"--{name} {value!r} names nothing: write a value, or leave --{name} out")
    if getattr(args, "as") is not None and args.deck is None:
        raise FairdeckError("--as is about the list of the deck: name it, --deck FILE, or leave --as out")


def by_name(option: str, values: Sequence[str] | None) -> Any:
    """Return the value of an option; of several, each by its name, as ``NAME=VALUE``; None if there is none.

    >>> by_name("deck", ["burn=a.txt", "elves=2 Elk,Fox"]), by_name("deck", ["a=b,c"]), by_name("deck", ["2 Elk"])
    ({'burn': 'a.txt', 'elves': '2 Elk,Fox'}, {'a': 'b,c'}, '2 Elk')
    """
    if not values or (len(values) == 1 and ("=" not in values[0] or Path(values[0]).is_file())):
        return values[0] if values else None
    named = {name: value for name, _, value in (value.partition("=") for value in values)}
    if len(named) < len(values) or not (all(named) and all(named.values())):
        raise FairdeckError(f"--{option}: it is there {len(values)} times; name each: --{option} NAME=VALUE")
    return named


def deck_from(text: str | None, form: str | None = None) -> tuple[str, ...] | None:
    """Return the cards in the list that is named, which is told on standard error; None if none is named.

    >>> deck_from("2 Elk,1x Fox"), deck_from("2 Elk,Fox")
    (('Elk', 'Elk', 'Fox'), ('2 Elk', 'Fox'))
    """
    if text is None:
        return None
    if "," in text and not Path(text).is_file():
        parts = [*map(str.strip, text.split(","))]
        counts = [re.fullmatch(r"(\d{1,3})x? +(\D.*)", part) for part in parts]
        if not all(counts):
            return tuple(parts)
        names = tuple(name for each in counts if each for name in [each[2]] * int(each[1]))
        print(f"note: --deck: {counted(len(names), 'card')}, {counted(len(parts), 'name')}", file=sys.stderr)
        return names
    from fairdeck.cli.settings import list_content  # and with it all of the deal

    found = read_content(*list_content(text), form)
    print(f"note: {found.file}: {found.summary()}", file=sys.stderr)
    return found.names


def workers_argument(parser: _ActionsContainer) -> None:
    """Add the arguments ``--workers`` and ``--cluster``."""
    declared = {
        "--workers N": "processes to count with; the result does not depend on it (default: one for each core)",
        "--cluster ADDRESS": "count on the workers of a Dask scheduler, tcp://HOST:PORT; the result is the same; "
        "needs the extra cluster. Anybody who can reach the scheduler can run code on its workers, and in your "
        "account here: trust it like your own shell. local:N: N processes of this machine, without a scheduler",
    }
    options(parser, declared)


def workers_from(args: Namespace) -> int:
    """Return how many processes to use."""
    from fairdeck.bulk.shapes import cores
    from fairdeck.lab.runs.processes import MOST_WORKERS  # takes a while

    asked, name = getattr(args, "workers", None), "workers"
    if args.cluster is not None and args.cluster.startswith(LOCAL):
        asked, name = args.cluster.removeprefix(LOCAL), "cluster: local"
    return cores() if asked is None else whole(name, asked, 1, MOST_WORKERS)


@contextmanager
def counting(
    args: Namespace,
    progress: Progress,
    *,
    short: bool = False,
    alone: float | None = None,
    worth: Callable[[], bool] = lambda: True,
) -> Iterator[Mapping]:
    """Give the `map` that was asked for: of a cluster, of processes, or of this process alone.

    The progress shows what a cluster waits for. Work that is `short` is done before another process has started;
    `alone` and `worth`, where the workers were not asked for, are those of `fairdeck.lab.runs.processes.spread`.
    """
    if args.cluster is not None and getattr(args, "workers", None) is not None:
        raise FairdeckError(f"--workers {args.workers!r} is for this machine only: leave out --workers or --cluster")
    if args.cluster is None or args.cluster.startswith(LOCAL):
        # For local:N no scheduler: Dask's would listen on a port, where any account here could run code as this one.
        from fairdeck.lab.runs.processes import spread

        asked = args.cluster or getattr(args, "workers", None)
        with spread(1 if short else workers_from(args), alone, (lambda: True) if asked else worth) as map_:
            yield map_
        return
    from fairdeck.lab.runs.cluster import cluster

    with cluster(args.cluster, tell=progress.say) as map_:
        yield map_


def level(text: str) -> float:
    """Return the level of a verdict."""
    try:
        alpha = float(text)
    except ValueError:
        alpha = 0.0
    if not numbers.LEAST_ALPHA <= alpha <= 0.1:
        raise FairdeckError(f"alpha: {text!r} is not a level; write a number from 1e-30 to 0.1, such as 1e-6")
    return alpha


def command_line(words: Iterable[str]) -> str:
    """Return the words of a command as they can be typed again."""
    return " ".join(map(quoted, words))


def quoted(word: str) -> str:
    r"""Return a word as the shell reads it, without control characters.

    >>> print(quoted("my deck.txt"), quoted("a\x1b[31m"))
    'my deck.txt' $'a\x1b[31m'
    """
    if word.isprintable():
        from fairdeck.lab.usercode.process_groups import joined  # loads what starts processes

        return joined([word])
    escaped = [
        each if each.isprintable() and each not in "'\\" else "".join(f"\\x{byte:02x}" for byte in os.fsencode(each))
        for each in word
    ]
    return f"$'{''.join(escaped)}'"
