"""Rank every way to shuffle your deck: minutes, how random it is afterwards, and what it needs.

How random is told as total variation, the most that a bet on any event gains over a fair deck: 0 is
perfect, 1 is no shuffle at all. Minutes rest on an assumed pace, or on yours: see `fairdeck pace`.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import asdict

from fairdeck.cli.advised import assumptions, duration, headline, page, quality
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.paces import pace_argument, pace_from
from fairdeck.cli.progress import Progress
from fairdeck.goal import parse_goal
from fairdeck.mat import Mat
from fairdeck.pace import Pace
from fairdeck.reading import decimal_number, whole_number
from fairdeck.ways import MOST_CARDS, MOST_PLAYERS, USUAL_MAT, Way, Wish, ways


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("cards", metavar="CARDS", help=f"cards in the deck, 2 to {MOST_CARDS:,}")
    parser.add_argument("--players", default="1", metavar="N", help=f"people who can lend a hand, 1 to {MOST_PLAYERS}")
    parser.add_argument(
        "--mat", default=str(USUAL_MAT), metavar="CxR", help=f"a mat to deal onto, or none (default: {USUAL_MAT})"
    )
    parser.add_argument("--no-room", action="store_true", help="no room to lay piles down, with a mat or without")
    parser.add_argument(
        "--goal", default="deck", metavar="GOAL", help="deck, top:20, hands:4x13 or hands:4x13+stock (default: deck)"
    )
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument(
        "--cards-are",
        default="cards",
        metavar="WHAT",
        help="cards (riffled), sleeved (mashed) or tiles (neither; default: cards)",
    )
    kinds.add_argument(
        "--sleeved", dest="cards_are", action="store_const", const="sleeved", help="the same as --cards-are sleeved"
    )
    parser.add_argument("--minutes", metavar="M", help="how long it may take")
    parser.add_argument(
        "--distance",
        default="0.05",
        metavar="TV",
        help="how far from random it may be (total variation; default: 0.05)",
    )
    pace_argument(parser)
    parser.add_argument("--html", metavar="FILE", help="one web page with a picture, which works offline")
    parser.add_argument("--json", action="store_true", help="the same as JSON")


def run(args: Namespace) -> int:
    """Rank and write."""
    cards = whole_number(args.cards, "cards", 2, MOST_CARDS)
    wish = Wish(
        cards=cards,
        players=whole_number(args.players, "players", 1, MOST_PLAYERS),
        mat=None if args.mat == "none" else Mat.parse(args.mat),
        material=args.cards_are,
        room=not args.no_room,
        target=decimal_number(args.distance, "distance", 1e-9, 0.999),
        minutes=None if args.minutes is None else decimal_number(args.minutes, "minutes", 0.1, 100_000),
        goal=parse_goal(args.goal, cards),
    )
    pace = pace_from(args)
    path = None if args.html is None else writable(args.html)
    progress = Progress()
    progress.say("following the cards through each procedure")
    try:
        found = ways(wish, pace)
    finally:
        progress.done()
    if path is not None:
        write(path, page(wish, pace, found))
    if args.json:
        asked = {"cards": wish.cards, "cards_are": wish.material, "room": wish.room, "players": wish.players}
        asked |= {"goal": str(wish.goal), "pace": asdict(pace)}
        print(json.dumps(asked | {"ways": list(map(asdict, found))}))
    else:
        print(*_lines(wish, pace, found), sep="\n")
    return FINE


def _lines(wish: Wish, pace: Pace, found: tuple[Way, ...]) -> Iterator[str]:
    yield headline(wish, found)
    good = [way for way in found if way.enough]
    for title, some in (
        ("Good enough, the quickest first:", good),
        ("Not good enough, the nearest first:", found[len(good) :]),
    ):
        if some:
            yield ""
            yield title
        for way in some:
            yield f"  {duration(way.minutes):>14}  {quality(way)}"
            yield f"                  {way.way}"
            yield f"                  needs {way.needs}"
            if way.remark:
                yield f"                  {way.remark}"
    yield ""
    yield from assumptions(wish, pace)
