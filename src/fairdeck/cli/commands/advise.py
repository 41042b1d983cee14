"""Rank the ways to shuffle your deck: minutes, and how random it is.

The answer says what to do step by step, and what the distance from random means in deals. Up to two other ways follow,
one of them exact if there is one in time. With --all it lists all ways: ways that are good enough come first, the
fastest at the top, then the others, the nearest first; unknown ones come before those that are certainly far from
random. The list has only what hands can do: people riffle up to 80 cards at once, or mash up to 100 sleeved cards, but
do neither with tiles. In Python: `fairdeck.advise`.

How random is given as total variation (see: fairdeck help mix). It is exact, by an exact law, or estimated, as the
command says; of packet procedures it is an estimate, or unknown where computing it would take too long. A deal into
hands is quicker than a whole deck, but it is listed only if you name a --game, or a --goal such as hands:4x13+stock.

Minutes are computed from an assumed pace, or from yours, if you write its seconds into pace.json in your folder of
settings (see `fairdeck config`): {"card": 0.8, "pile": 1, "step": 10, "riffle": 5, "overhand": 9} are the seconds to
deal a card onto ten places, to take up a pile, between two steps, to riffle a handful, and to shuffle it overhand. What
the file lacks is assumed.

If `fairdeck hands --keep` measured your riffle, and it is clumsier than the model's or a check failed, no law for
riffles holds for it: ways that riffle then do not count as good enough.
"""

from argparse import ArgumentParser, Namespace

from fairdeck.advice import MOST_CARDS, MOST_DECKS, MOST_PLAYERS, MOST_SHELVES, advise
from fairdeck.advice.games import games
from fairdeck.advice.ranking import SIZES
from fairdeck.cli.arguments import options
from fairdeck.cli.config_file import chosen
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.settings import cards_argument, cards_or_list, kept_hands, pace_from
from fairdeck.cli.terminal import Progress, show
from fairdeck.numbers import decimal_number, whole
from fairdeck.show.terminal import columns
from fairdeck.shuffles.distances import NEAR_RANDOM

EXAMPLES = {
    "fairdeck advise 60": "one person, on the bare table",
    "fairdeck advise 162 --players 3 --mat 5x2": "three people and a mat",
    "fairdeck advise 52 --goal hands:4x13 --decks 36": "36 bridge boards",
    "fairdeck advise 416 --machine 10": "eight packs, and a machine of ten shelves",
    "fairdeck advise --game holdem": "the cards that hold'em shows",
}


def arguments(parser: ArgumentParser) -> None:
    cards_argument(parser, f"2 to {MOST_CARDS:,}, or those of several decks, such as 6,6,9,18", needed=False)
    have = parser.add_argument_group("what you have")
    have_options = {
        "--game NAME": f"what is played: it says what is not given, which cards are seen and which are equal: "
        f"{', '.join(sorted(games()))}",
        "--no-riffles": "only ways without riffles and mashes, as for hands with arthritis, or of children",
        "--players N": f"people who can help, 1 to {MOST_PLAYERS}, and who play (default: 1 who helps, as many as "
        "usually play)",
        "--decks N": "how many such decks, each shuffled by itself, and shared among the people (default: 1; one "
        "for each player, if each has one in the game)",
        "--mat CxR": "a mat to deal onto, such as 5x2 (default: none, the bare table, with the rows of 6 to 16 piles "
        "that are quickest)",
        "--machine SHELVES": "a shuffling machine with this number of shelves, which takes the whole deck; its exact "
        "law says how many passes are needed",
        "--no-room": "there is no room for piles: only ways that keep all cards in the hands",
    }
    options(have, have_options)
    kinds = have.add_mutually_exclusive_group()
    kinds_options = {
        "--cards-are WHAT": "cards (default), which are riffled; sleeved, which are mashed (no law is known, so a "
        "mash never counts as good enough); tiles, which are dealt or washed; tarot, cards that may lie reversed: a "
        "deal says which cards to turn, or a part is turned round in one last riffle; the distance is "
        "that of order and reversals together",
    }
    options(kinds, kinds_options)
    kinds.add_argument(
        "--sleeved", dest="cards_are", action="store_const", const="sleeved", help="the same as --cards-are sleeved"
    )
    options(have, {"--pace FILE": "the file with your pace (default: pace.json in your folder of settings)"})
    want = {
        "--goal GOAL": "the goal of the deal: deck (default), top:20, hands:4x13 or hands:4x13+stock, as in fairdeck "
        "deal; all other ways shuffle the whole deck, but riffles are judged by the top cards, if only those are seen",
        "--minutes M": "the most minutes that it may take: nothing longer is an answer",
        "--distance TV": "how far from random the deck may be (total variation; default: %(default)s)",
    }
    options(parser.add_argument_group("what you want"), want, distance=f"{float(NEAR_RANDOM):g}")
    shown = {
        "--all": "all ways, also those that take too long, or are far from random",
        "--html FILE.html": "one web page for a club: the answer, a sheet for each player (who sits left and right, "
        "how many cards go where), a picture of minutes and distances, a table of all ways; works offline",
        "--json fairdeck-advice/1": "cards, cards_are, riffles, room, players, machine, decks, goal, riffle (your own, "
        "or null), pace, told (what is assumed of the game), others (the same for other sizes), ways, best first, each "
        "with: way, minutes, total_variation (null if unknown), exact, needs, remark (the command to use, if there is "
        "one), enough, in_time, gives_a_deck, mark, at_least (a lower bound by simulation, if the total variation is "
        "unknown), people (how many it keeps busy), do (the steps), sheets (pairs: who, steps)",
    }
    options(parser.add_argument_group("how the answer is shown"), shown)


def run(args: Namespace) -> int:
    path = None if args.html is None else writable(args.html)
    cards = cards_or_list(args)
    if isinstance(cards, str) and not SIZES.fullmatch(cards):
        cards = str(whole("cards", cards, 2, MOST_CARDS))
    with Progress() as progress:
        progress.say("following the cards through each procedure")
        found = advise(
            cards,
            game=args.game,
            players=None if args.players is None else whole("players", args.players, 1, MOST_PLAYERS),
            mat=chosen(args.mat, "mat", "none"),
            cards_are=args.cards_are,
            riffles=not args.no_riffles,
            room=not args.no_room,
            goal=args.goal,
            distance=decimal_number(args.distance, "distance", 1e-9, 0.999),
            minutes=None if args.minutes is None else decimal_number(args.minutes, "minutes", 0.1, 100_000),
            pace=pace_from(args.pace),
            machine=0 if args.machine is None else whole("machine", args.machine, 1, MOST_SHELVES),
            riffler=kept_hands(),
            decks=None if args.decks is None else whole("decks", args.decks, 1, MOST_DECKS),
        )
    if path is not None:
        write(path, found.html())
    show(found.to_json() if args.json else found.document(everything=args.all), columns())
    return FINE
