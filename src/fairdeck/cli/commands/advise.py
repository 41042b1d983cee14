"""Rank every way to shuffle your deck: minutes, how random it is afterwards, and what it needs.

How random is told as total variation, the most that a bet on any event gains over a fair deck: 0 is
perfect, 1 is no shuffle at all. Minutes rest on an assumed pace, or on yours: see `fairdeck pace`.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import asdict

from fairdeck.cli.exits import FINE
from fairdeck.cli.paces import pace_argument, pace_from
from fairdeck.mat import Mat
from fairdeck.pace import Pace
from fairdeck.reading import decimal_number, whole_number
from fairdeck.ways import MOST_CARDS, MOST_PLAYERS, USUAL_MAT, Way, Wish, ways

SHOWN_MINUTES = 120.0


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("cards", metavar="CARDS", help=f"cards in the deck, 2 to {MOST_CARDS:,}")
    parser.add_argument("--players", default="1", metavar="N", help=f"people who can lend a hand, 1 to {MOST_PLAYERS}")
    parser.add_argument(
        "--mat", default=str(USUAL_MAT), metavar="CxR", help=f"places to deal onto, or none (default: {USUAL_MAT})"
    )
    parser.add_argument("--sleeved", action="store_true", help="the cards are in sleeves: mashed, not riffled")
    parser.add_argument("--minutes", metavar="M", help="how long it may take")
    parser.add_argument(
        "--distance",
        default="0.05",
        metavar="TV",
        help="how far from random it may be (total variation; default: 0.05)",
    )
    pace_argument(parser)
    parser.add_argument("--json", action="store_true", help="the same as JSON")


def run(args: Namespace) -> int:
    """Rank and write."""
    wish = Wish(
        cards=whole_number(args.cards, "cards", 2, MOST_CARDS),
        players=whole_number(args.players, "players", 1, MOST_PLAYERS),
        mat=None if args.mat == "none" else Mat.parse(args.mat),
        sleeved=args.sleeved,
        target=decimal_number(args.distance, "distance", 1e-9, 0.999),
        minutes=None if args.minutes is None else decimal_number(args.minutes, "minutes", 0.1, 100_000),
    )
    pace = pace_from(args)
    found = ways(wish, pace)
    if args.json:
        print(
            json.dumps(
                {"cards": wish.cards, "players": wish.players, "pace": asdict(pace), "ways": list(map(asdict, found))}
            )
        )
    else:
        print(*_lines(wish, pace, found), sep="\n")
    return FINE


def _lines(wish: Wish, pace: Pace, found: tuple[Way, ...]) -> Iterator[str]:
    good = [way for way in found if way.enough]
    people = "one person" if wish.players == 1 else f"{wish.players} people"
    if good:
        best = good[0]
        yield f"{wish.cards} cards, {people}: {best.way}: about {_time(best.minutes)}, {_quality(best)}."
    else:
        yield f"{wish.cards} cards, {people}: nothing is both near enough to random and soon enough; the nearest first."
    for title, some in (
        ("Good enough, the quickest first:", good),
        ("Not good enough, the nearest first:", found[len(good) :]),
    ):
        if some:
            yield ""
            yield title
        for way in some:
            yield f"  {_time(way.minutes):>14}  {_quality(way)}"
            yield f"                  {way.way}"
            yield f"                  needs {way.needs}"
            if way.remark:
                yield f"                  {way.remark}"
    yield ""
    whose = "your pace" if pace.measured else "an assumed pace (yours: fairdeck pace --measure)"
    yield f"Minutes rest on {whose}: {pace.card:g} s a card dealt, {pace.riffle:g} s a riffle of 52 cards."
    if not wish.sleeved:
        yield "Riffles are those of the model: even cuts, cards that fall mostly one by one. Clumps make them worse."


def _quality(way: Way) -> str:
    if way.total_variation is None:
        return "how random nobody knows"
    if way.total_variation == 0:
        return "exactly uniform"
    sort = "by the exact law" if way.exact else "estimated"
    return f"{way.total_variation:.2g} from random, {sort}"


def _time(minutes: float) -> str:
    if minutes < SHOWN_MINUTES:
        return f"{minutes:.1f} minutes"
    return f"{minutes / 60:,.0f} hours" if minutes < 60 * 72 else f"{minutes / 60 / 24:,.0f} days"
