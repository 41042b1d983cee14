"""Count decks by their rank; a fault shows as a hill.

All orders of the cards, in dictionary order, are cut into equal bins, and a fair shuffle fills the bins equally.
Several shuffles stand side by side. This shows and does not judge: the exit code is 0 in any case; see `fairdeck
test`. In Python: `fairdeck.lab.histogram("naive", cards=20, seed=1)`.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from math import factorial
from pathlib import Path
from typing import TYPE_CHECKING

from fairdeck import lab
from fairdeck.cli import laboratory
from fairdeck.cli.arguments import options
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.terminal import Progress, show
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.shuffles import MOST_CARDS

if TYPE_CHECKING:
    from fairdeck.lab.experiments.histogram import Histogram

USUAL_CARDS, USUAL_DECKS, USUAL_BINS = 20, 1_000_000, 200
MOST_DECKS = 10**10
MOST_NAMES = 12
WORTH_WORKERS = 20_000  # fewer decks are counted before another process has started

EXAMPLES = {
    "fairdeck histogram naive fisher-yates --decks 20000": "a fault beside a fair shuffle",
    "fairdeck histogram naive --html hills.html": "with a picture",
}


def arguments(parser: ArgumentParser) -> None:
    declared = {
        "names+ SHUFFLE": "known shuffles (see: fairdeck shuffles)",
        "--cards N": f"cards, 2 to {MOST_CARDS:,} (default: {USUAL_CARDS})",
        "--decks N": f"decks of each shuffle (default: {USUAL_DECKS:,})",
        "--bins N": f"bins (default: {USUAL_BINS}, or all orders if they are fewer)",
        **laboratory.SEED_OPTION,
    }
    options(parser, declared, cards=str(USUAL_CARDS), decks=str(USUAL_DECKS))
    laboratory.workers_argument(parser)
    shown = parser.add_argument_group("how the counts are shown")
    one = {"--html FILE.html": "one web page with pictures, which works offline", "--svg FILE.svg": "one picture"}
    options(shown.add_mutually_exclusive_group(), one)
    fields = {
        "--json fairdeck-histogram/1": "cards, decks, bins, seed, chances, shuffles, each with: shuffle, counts, "
        "chi_square, degrees, p_value, says",
    }
    options(shown, fields)


def run(args: Namespace) -> int:
    laboratory.need_lab()
    from fairdeck.lab.experiments.histogram import as_json, check, document, pictures
    from fairdeck.show.charts import svg_file
    from fairdeck.show.page import page

    names = list(dict.fromkeys(args.names))
    if len(names) > MOST_NAMES:
        raise FairdeckError(f"{len(names)} shuffles are too many for one picture: name up to {MOST_NAMES}")
    cards = whole("cards", args.cards, 2, MOST_CARDS)
    decks = whole("decks", args.decks, 1, MOST_DECKS)
    bins = _bins(args.bins, cards)
    seed = laboratory.seed_from(args)
    laboratory.workers_from(args)  # an error here comes before the file
    for name in names:
        check(name, cards, bins)
    words = ["fairdeck", "histogram", *names, "--cards", str(cards), "--decks", str(decks), "--bins", str(bins)]
    command = laboratory.command_line([*words, "--seed", f"{seed:x}"])
    file = args.html if args.svg is None else args.svg
    fresh = file is not None and not Path(file).exists()
    path = None if file is None else writable(file)
    try:
        histograms = _measured(names, cards, decks, bins, seed, args)
        if path is not None:
            write(path, svg_file(pictures(histograms)) if args.html is None else page(document(histograms, command)))
    except BaseException:
        # An unfinished picture leaves no empty file behind.
        if path is not None and fresh:
            path.unlink(missing_ok=True)
        raise
    show(as_json(histograms) if args.json else document(histograms, command))
    return FINE


def _measured(names: Sequence[str], cards: int, decks: int, bins: int, seed: int, args: Namespace) -> "list[Histogram]":
    found: list[Histogram] = []

    def tell(so_far: "Histogram") -> None:
        progress.tell(len(found) * decks + so_far.decks, len(names) * decks, "decks", so_far.name)

    options = {"cards": cards, "decks": decks, "bins": bins, "seed": seed}
    short = decks < WORTH_WORKERS
    with Progress() as progress, laboratory.counting(args, progress, short=short) as map_:
        for name in names:
            found += [lab.histogram(name, **options, map=map_, progress=tell)]
    return found


def _bins(text: str | None, cards: int) -> int:
    from fairdeck.lab.experiments.histogram import MOST_BINS, usual_bins

    if text is None:
        return usual_bins(cards)
    return whole("bins", text, 2, min(MOST_BINS, factorial(min(cards, 9))))
