"""Say how far from random a deck is after shuffling by hand.

RECIPE is one shuffle or several: "riffle*7", "shelf(20)", "overhand*10 + riffle*3 + cut" (names and parameters:
`fairdeck shuffles`). In Python: `fairdeck.mix`. The answer is exact if a law is known. Laws are known for

- riffles of any number of packets, one after another, also with cuts before or after all of them; biased riffles
  (separation only);
- random piles, shelf machines (with uneven sides one pass), top to random, cuts, two piles, random transpositions
  (above 52 cards only late);
- order and reversals together, where a riffle that turns one part comes last: "riffle*7 + turn", also with cuts;
- the top cards alone after riffles, if all cards differ: any number of 52, few of more than 60;
- deterministic shuffles (faros, piles in turn), also before or after the others;
- every recipe of up to 5 cards whose draws can be gone through.

Otherwise the answer is a pair of bounds: impossible orders and simulated decks give a lower bound; a part of the recipe
with a law gives an upper bound.

Total variation is the most that a bet on any event gains over a fair deck: 0 is perfect, 1 is no shuffle at all.
Separation is the share by which the rarest order is too rare. All lower bounds hold together in 999 of 1,000
simulations.
"""

from argparse import ArgumentParser, Namespace
from contextlib import ExitStack

from fairdeck.cli.arguments import options
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.laboratory import SEED_OPTION, counting, seed_from, workers_argument, workers_from
from fairdeck.cli.settings import recipe_from
from fairdeck.cli.terminal import Progress, show
from fairdeck.lab.experiments.distance import FEWEST_DECKS, MOST_CARDS, MOST_DECKS, MOST_ROUNDS, USUAL_DECKS, mix
from fairdeck.numbers import whole
from fairdeck.shuffles.repeated_cards import SCENARIOS

EXAMPLES = {
    "fairdeck mix 'riffle*7'": "seven riffles of 52 cards, by the exact law",
    "fairdeck mix 'overhand*10 + riffle*3 + cut' --cards 60 --decks 2000": "no law is known: bounds",
    "fairdeck mix 'riffle*4' --like suits": "if only the suits count",
    "fairdeck mix 'riffle*7' --seen top:5": "if only five cards are dealt",
}


def arguments(parser: ArgumentParser) -> None:
    options(parser, {"recipe RECIPE": "the shuffles, such as riffle*7 or 'overhand*4 + cut'"})
    what = {
        "--cards N": f"cards of the deck, 1 to {MOST_CARDS:,} (default: 52, or as many as --like has)",
        "--like PATTERN": f"cards that count as equal: {', '.join(SCENARIOS)}, or the number of cards of each kind, "
        "the bottom kind first, such as 26,26",
        "--seen top:T": "how many cards are seen, from the top, in their order, such as top:5 (default: all)",
        "--rounds K": f"show 1 to K rounds, up to {MOST_ROUNDS}; rounds without a law are simulated too (default: 12, "
        "or as many as the recipe has; for large decks only those of the recipe)",
    }
    options(parser.add_argument_group("the question"), what)
    how = parser.add_argument_group("the simulation")
    how_options = {
        "--decks N": f"simulate N decks for lower bounds; 0 for none (default: {USUAL_DECKS:,}, fewer above 104 "
        "cards, and only where no law is known; needs the extra lab)",
        **SEED_OPTION,
    }
    options(how, how_options)
    workers_argument(how)
    shown = {
        "--html FILE.html": "one web page with a picture; works offline",
        "--json fairdeck-mix/1": "recipe, cards, like (null if all differ and are seen), reversals (whether "
        "order and reversals are judged together), total_variation, separation "
        "(null if no exact law is known; a bound is in at_most), l_infinity, missing_bits, exact, source, at_least, "
        "at_most, at_most_by, estimated (value, standard error; or null), lower_bounds (by statistic: value counted, "
        "standard error), simulated_at_least (by statistic: the bound) with their confidence, guessed (seen, chance; "
        "or null), decks, seed (null if nothing was simulated), rounds, each with: total_variation, separation, "
        "exact, at_most, estimated, lower_bound, at_least",
    }
    options(parser.add_argument_group("how the answer is shown"), shown)


def run(args: Namespace) -> int:
    path = None if args.html is None else writable(args.html)
    workers = None if args.workers is None else workers_from(args)
    with Progress() as progress, ExitStack() as leaving:
        progress.say("looking up the law")
        map_ = None if args.cluster is None else leaving.enter_context(counting(args, progress))
        mixing = mix(
            recipe_from(args.recipe),
            _number(args.cards, "cards", 1, MOST_CARDS),
            like=args.like,
            seen=args.seen,
            rounds=_number(args.rounds, "rounds", 1, MOST_ROUNDS),
            decks=0 if args.decks == "0" else _number(args.decks, "decks", FEWEST_DECKS, MOST_DECKS),
            seed=seed_from(args),
            workers=workers,
            map=map_,
            pictures=path is not None,
            tell=progress.tell,
        )
    if path is not None:
        write(path, mixing.html())
    show(mixing.to_json() if args.json else mixing.document())
    return FINE


def _number(text: str | None, what: str, least: int, most: int) -> int | None:
    return None if text is None else whole(what, text, least, most)
