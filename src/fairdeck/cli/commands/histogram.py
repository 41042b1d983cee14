"""Show the ranks of a shuffle's decks in bins, several shuffles side by side: faults are hills.

All orders of the cards stand in dictionary order, cut into equal bins, which a fair shuffle fills
alike. It shows and does not judge: the exit code is 0 whatever it shows; see `fairdeck test`.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from math import factorial
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from fairdeck.cli.exits import FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.laboratory import command_line, need_lab, seed_argument, seed_from, workers_argument, workers_from
from fairdeck.cli.progress import Progress
from fairdeck.errors import FairdeckError
from fairdeck.reading import whole_number
from fairdeck.shuffles import MOST_CARDS

if TYPE_CHECKING:
    from fairdeck.lab.histogram import Histogram

USUAL_CARDS, USUAL_DECKS, USUAL_BINS = 20, 1_000_000, 200
MOST_DECKS = 10**10
MOST_NAMES = 12
WORTH_WORKERS = 20_000  # decks: fewer are counted before another process has started
ROWS = 20
NARROWEST = 26  # columns that one shuffle takes in the terminal
WIDEST = 120


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("names", nargs="+", metavar="SHUFFLE", help="known shuffles (see: fairdeck shuffles)")
    parser.add_argument("--cards", default=str(USUAL_CARDS), metavar="N", help=f"cards (default: {USUAL_CARDS})")
    parser.add_argument(
        "--decks", default=str(USUAL_DECKS), metavar="N", help=f"decks of each shuffle (default: {USUAL_DECKS:,})"
    )
    parser.add_argument("--bins", metavar="N", help=f"bins (default: {USUAL_BINS}, or all orders if they are fewer)")
    parser.add_argument(
        "--draws",
        choices=["random", "even"],
        default="random",
        help="even: draw from lists that hold every number equally often, to show that a fault is the shuffle's",
    )
    seed_argument(parser)
    workers_argument(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--html", metavar="FILE", help="one web page with pictures, which works offline")
    form.add_argument("--svg", metavar="FILE", help="one picture")
    parser.add_argument("--json", action="store_true", help="the counts as JSON")


def run(args: Namespace) -> int:
    """Count and write."""
    need_lab()
    names = list(dict.fromkeys(args.names))
    if len(names) > MOST_NAMES:
        raise FairdeckError(f"{len(names)} shuffles are too many for one picture: name up to {MOST_NAMES}")
    cards = whole_number(args.cards, "cards", 2, MOST_CARDS)
    decks = whole_number(args.decks, "decks", 1, MOST_DECKS)
    bins = _bins(args.bins, cards)
    seed = seed_from(args)
    workers = workers_from(args)
    command = _again(args, names, cards, decks, bins, seed)
    from fairdeck.lab.histogram import as_html, as_svg, check

    for name in names:
        check(name, cards, bins, args.draws)
    file = args.html if args.svg is None else args.svg
    fresh = file is not None and not Path(file).exists()
    path = None if file is None else writable(file)
    try:
        found = _measured(names, cards, decks, bins, seed, args, workers)
        if path is not None:
            write(path, as_svg(found) if args.html is None else as_html(found, command))
    except BaseException:
        # A picture that was not finished leaves no empty file behind.
        if path is not None and fresh:
            path.unlink(missing_ok=True)
        raise
    if args.json:
        print(json.dumps(_as_dict(found, seed), allow_nan=False))
    else:
        print(*_lines(found, command), sep="\n")
    return FINE


def _measured(
    names: Sequence[str], cards: int, decks: int, bins: int, seed: int, args: Namespace, workers: int
) -> "list[Histogram]":
    from fairdeck.lab.histogram import measure
    from fairdeck.lab.spread import spread

    progress = Progress()
    found = []
    try:
        with spread(workers if decks >= WORTH_WORKERS else 1) as map_:
            for at, name in enumerate(names):
                for histogram in measure(
                    name, cards=cards, decks=decks, bins=bins, seed=seed, draws=args.draws, map=map_
                ):
                    progress.tell(at * decks + histogram.decks, len(names) * decks, "decks", name)
                found.append(histogram)
    finally:
        progress.done()
    return found


def _bins(text: str | None, cards: int) -> int:
    orders = factorial(cards) if cards < 9 else None
    if text is None:
        return USUAL_BINS if orders is None else min(USUAL_BINS, orders)
    from fairdeck.lab.histogram import MOST_BINS

    return whole_number(text, "bins", 2, MOST_BINS if orders is None else min(MOST_BINS, orders))


def _again(args: Namespace, names: Sequence[str], cards: int, decks: int, bins: int, seed: int) -> str:
    """Return the command that repeats this run."""
    words = ["fairdeck", "histogram", *names, "--cards", str(cards), "--decks", str(decks), "--bins", str(bins)]
    if args.draws != "random":
        words += ["--draws", args.draws]
    return command_line([*words, "--seed", f"{seed:x}"])


def _as_dict(found: "Sequence[Histogram]", seed: int) -> dict[str, object]:
    first = found[0]
    return {
        "cards": first.cards,
        "decks": first.decks,
        "bins": len(first.counts),
        "draws": first.draws,
        "seed": f"{seed:x}",
        "chances": first.chances.tolist(),
        "shuffles": [
            {
                "shuffle": each.name,
                "counts": each.counts.tolist(),
                "chi_square": each.chi_square,
                "degrees": each.degrees,
                "p_value": each.p_value,
                "drawn": {str(bound): list(ends) for bound, ends in each.evenness.items()},
                "says": each.says,
            }
            for each in found
        ],
    }


def _lines(found: "Sequence[Histogram]", command: str) -> Iterator[str]:
    from fairdeck.lab.histogram import opening, told_even

    yield opening(found)
    yield ""
    for each in found:
        yield f"{each.says}."
        if told := told_even(each):
            yield f"    Even draws: {told}."
    yield ""
    width = min(WIDEST, max(NARROWEST + 12, get_terminal_size().columns))
    across = max(1, min(len(found), (width - 12) // NARROWEST))
    for first in range(0, len(found), across):
        yield from _table(found, found[first : first + across], (width - 12) // across)
        yield ""
    yield f"again     {command}"


def _table(found: "Sequence[Histogram]", shown: "Sequence[Histogram]", column: int) -> Iterator[str]:
    """Yield rows of bins, each shuffle with a count and a bar; a stroke marks what is fair."""
    bins = len(found[0].counts)
    step = -(-bins // ROWS)
    starts = range(0, bins, step)
    most = max(int(each.counts[at : at + step].sum()) for each in found for at in starts)
    room = column - 13
    yield f"{'bins':<12}" + "".join(f"{each.name:<{column}.{column - 1}}" for each in shown).rstrip()
    for at in starts:
        last = min(at + step, bins) - 1
        line = f"{f'{at}-{last}' if last > at else at:<12}"
        for each in shown:
            total = int(each.counts[at : at + step].sum())
            fair = float(each.chances[at : at + step].sum()) * each.decks
            line += f"{total:>10,} {_bar(total / most, fair / most, room):<{room}}  "
        yield line.rstrip()


def _bar(share: float, fair: float, room: int) -> str:
    """Return a bar of a share of the room, with a stroke where the fair one would end.

    >>> _bar(0.5, 0.75, 8), _bar(1.0, 0.5, 8)
    ('####  |', '####|###')
    """
    mark = min(room - 1, round(fair * room))
    bar = list(f"{'#' * round(share * room):<{mark + 1}}")
    bar[mark] = "|"
    return "".join(bar)
