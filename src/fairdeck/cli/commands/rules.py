"""Say what rulebooks of games and casinos call a sufficient shuffle, and what the exact law says of it.

The numbers are those of ideal riffles from a known order. With --guesses the lab simulates a player who
guesses each card before it is dealt (that needs the lab's packages).
"""

from argparse import ArgumentParser, Namespace

from fairdeck.cli.exits import FINE
from fairdeck.output.rulebook import in_full, table
from fairdeck.rulebooks import Guesses, Verdict, to_json, verdicts

DECKS = 10_000


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="show these rules in full, with their words: magic, bridge, casino, ..."
    )
    parser.add_argument(
        "--guesses", action="store_true", help=f"simulate {DECKS:,} decks of each rule that names a number, and guess"
    )
    parser.add_argument("--seed", metavar="HEX", help="repeat the guesses that showed this seed (default: a new one)")
    parser.add_argument("--json", action="store_true", help="all of it as JSON")


def run(args: Namespace) -> int:
    found = verdicts(args.name)
    guesses = _guesses(args, found) if args.guesses or args.seed is not None else None
    if args.json:
        print(to_json(found, guesses))
    else:
        print(*(table if args.name is None else in_full)(found, guesses), sep="\n")
    return FINE


def _guesses(args: Namespace, found: tuple[Verdict, ...]) -> Guesses:
    from fairdeck.cli.laboratory import need_lab, seed_from

    need_lab()
    from fairdeck.lab.experiments.bounds import guessing

    seed = seed_from(args)
    asked = {(each.cards, each.law.riffles) for each in found if each.law}
    return Guesses(seed, {one: guessing(f"riffle*{one[1]}", one[0], DECKS, seed) for one in sorted(asked)})
