"""Rank the ways to shuffle your deck: minutes, how random the deck is afterwards, and what you need.

How random is given as total variation, the most that a bet on any event gains over a fair deck: 0 is
perfect, 1 is no shuffle at all. Minutes are computed from an assumed pace, or from yours: see `fairdeck pace`.
Without CARDS the command asks what it needs to know, one question after another.
"""

from argparse import ArgumentParser, Namespace

from fairdeck.cli.config_file import chosen
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.kept_hands import kept
from fairdeck.cli.paces import pace_argument, pace_from
from fairdeck.cli.progress import Progress
from fairdeck.cli.questions import ask
from fairdeck.output.recommendation import lines
from fairdeck.parsing import decimal_number, whole_number
from fairdeck.recommendations import MOST_CARDS, MOST_DECKS, MOST_PLAYERS, MOST_SHELVES, advise


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "cards", metavar="CARDS", nargs="?", help=f"cards in the deck, 2 to {MOST_CARDS:,}; without it you are asked"
    )
    parser.add_argument("--players", default="1", metavar="N", help=f"people who can help, 1 to {MOST_PLAYERS}")
    parser.add_argument(
        "--decks", default="1", metavar="N", help="how many such decks, each shuffled by itself (default: 1)"
    )
    parser.add_argument("--mat", metavar="CxR", help="a mat to deal onto, such as 5x2 (default: none, the bare table)")
    parser.add_argument("--machine", metavar="SHELVES", help="a shuffling machine with so many shelves")
    parser.add_argument(
        "--no-room", action="store_true", help="there is no room for piles: only ways that keep all cards in the hands"
    )
    parser.add_argument(
        "--goal", default="deck", metavar="GOAL", help="deck, top:20, hands:4x13 or hands:4x13+stock (default: deck)"
    )
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument(
        "--cards-are",
        default="cards",
        metavar="WHAT",
        help="cards (default; people riffle them), sleeved (people mash them), tiles (neither) or tarot "
        "(cards that may lie reversed)",
    )
    kinds.add_argument(
        "--sleeved", dest="cards_are", action="store_const", const="sleeved", help="the same as --cards-are sleeved"
    )
    parser.add_argument("--minutes", metavar="M", help="the most minutes that it may take")
    parser.add_argument(
        "--distance",
        default="0.05",
        metavar="TV",
        help="how far from random the deck may be (total variation; default: 0.05)",
    )
    pace_argument(parser)
    parser.add_argument("--html", metavar="FILE", help="one web page with a picture, which works offline")
    parser.add_argument("--json", action="store_true", help="the same as JSON")


def run(args: Namespace) -> int:
    if args.cards is None:
        ask(args)
    path = None if args.html is None else writable(args.html)
    progress = Progress()
    progress.say("following the cards through each procedure")
    try:
        found = advise(
            whole_number(args.cards, "cards", 2, MOST_CARDS),
            players=whole_number(args.players, "players", 1, MOST_PLAYERS),
            mat=chosen(args.mat, "mat", "none"),
            cards_are=args.cards_are,
            room=not args.no_room,
            goal=args.goal,
            distance=decimal_number(args.distance, "distance", 1e-9, 0.999),
            minutes=None if args.minutes is None else decimal_number(args.minutes, "minutes", 0.1, 100_000),
            pace=pace_from(args),
            machine=0 if args.machine is None else whole_number(args.machine, "machine", 1, MOST_SHELVES),
            riffler=kept(),
            decks=whole_number(args.decks, "decks", 1, MOST_DECKS),
        )
    finally:
        progress.done()
    if path is not None:
        write(path, found.html())
    print(found.to_json() if args.json else "\n".join(lines(found)))
    return FINE
