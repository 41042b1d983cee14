"""Say how far a deck is from random after shuffling by hand: exactly if a law is known, otherwise by bounds.

RECIPE is a shuffle or several, such as "riffle*7", "shelf(20)", "overhand*10 + riffle*3 + cut" (see: fairdeck
shuffles). The total variation is the most that a bet on any event gains over a fair deck: 0 is perfect, 1 is
no shuffle at all. Where no law is known, decks are simulated (that needs the lab's packages), which gives
lower bounds. With --like only a part of the deck is seen, such as the colours.
"""

from argparse import ArgumentParser, Namespace
from contextlib import ExitStack

from fairdeck.cli.exits import FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.kept_hands import recipe_from
from fairdeck.cli.laboratory import counting, seed_argument, seed_from, workers_argument, workers_from
from fairdeck.cli.progress import Progress
from fairdeck.lab.experiments.distance import (
    FEWEST_DECKS,
    MOST_CARDS,
    MOST_DECKS,
    MOST_ROUNDS,
    USUAL_DECKS,
    mix,
)
from fairdeck.output.distance import lines
from fairdeck.parsing import whole_number
from fairdeck.shuffles.repeated_cards import SCENARIOS


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("recipe", metavar="RECIPE", help="the shuffles, such as riffle*7 or 'overhand*4 + cut'")
    parser.add_argument("--cards", metavar="N", help=f"cards, 1 to {MOST_CARDS:,} (default: 52, or as --like needs)")
    parser.add_argument(
        "--like",
        metavar="PATTERN",
        help=f"cards that count as equal: {', '.join(SCENARIOS)}, or cards of each kind, such as 26,26",
    )
    parser.add_argument(
        "--rounds",
        metavar="K",
        help="show 1 to K rounds of the recipe, or of the shuffle that it repeats, "
        f"up to {MOST_ROUNDS} (default: about 12, fewer for a large deck)",
    )
    parser.add_argument(
        "--decks",
        metavar="N",
        help=f"simulate N decks for lower bounds; 0: none (default: {USUAL_DECKS:,} or fewer, if no law is known)",
    )
    parser.add_argument(
        "--deal",
        metavar="HANDS",
        help="after riffles: how far that many hands are from fair, for each way to deal them",
    )
    seed_argument(parser)
    workers_argument(parser)
    parser.add_argument("--html", metavar="FILE", help="one web page with a picture, which works offline")
    parser.add_argument("--json", action="store_true", help="the same as JSON")


def run(args: Namespace) -> int:
    path = None if args.html is None else writable(args.html)
    workers = None if args.workers is None else workers_from(args)
    progress = Progress()
    progress.say("looking up the law")
    try:
        with ExitStack() as leaving:
            map_ = None if args.cluster is None else leaving.enter_context(counting(args, progress))
            found = mix(
                recipe_from(args.recipe),
                _number(args.cards, "cards", 1, MOST_CARDS),
                like=args.like,
                hands=_number(args.deal, "hands", 1, MOST_CARDS),
                rounds=_number(args.rounds, "rounds", 1, MOST_ROUNDS),
                decks=0 if args.decks == "0" else _number(args.decks, "decks", FEWEST_DECKS, MOST_DECKS),
                seed=seed_from(args),
                workers=workers,
                map=map_,
                pictures=path is not None,
                tell=progress.tell,
            )
    finally:
        progress.done()
    if path is not None:
        write(path, found.html())
    print(found.to_json() if args.json else "\n".join(lines(found)))
    return FINE


def _number(text: str | None, what: str, least: int, most: int) -> int | None:
    return None if text is None else whole_number(text, what, least, most)
