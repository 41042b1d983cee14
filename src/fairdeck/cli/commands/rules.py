"""Compare what rulebooks call a sufficient shuffle with the law.

For each rulebook of games and casinos, the exact law of ideal riffles from a known order says: total variation,
whether the top card is still in the top quarter, how many neighbours lie as they lay, and how many riffles would be
enough. With a NAME, or a part of one, it shows these rules in full: their words, with place and date, and the numbers
as sentences.
"""

from argparse import ArgumentParser, Namespace

from fairdeck.cli.exits import FINE
from fairdeck.cli.help.formats import json_argument
from fairdeck.rulebooks import Guesses, Verdict, document, in_full, to_json, verdicts
from fairdeck.show.terminal import columns, lines

DECKS = 10_000


EXAMPLES = {
    "fairdeck rules": "all rules in a table",
    "fairdeck rules magic": "one in full, with its words",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", metavar="RULE", help="show these rules in full, with their words: magic, bridge, casino, ..."
    )
    parser.add_argument(
        "--guesses",
        action="store_true",
        help=f"also simulate {DECKS:,} decks of each rule that names a number, and say how many cards a player guesses "
        "right (needs the extra lab)",
    )
    parser.add_argument("--seed", metavar="HEX", help="repeat the guesses that showed this seed (default: a new one)")
    json_argument(
        parser,
        "fairdeck-rules/1",
        fields="rules, each with: name, game, quote, document, date, address, second_hand, remark, cards, shuffles, "
        "total_variation, top_quarter, fair_top_quarter, kept_neighbours, mash_at_least, piles_total_variation, "
        "cut_at_least, riffles_to_half, riffles_to_near, guessed (seen, fair); besides not_seen, near, seed; null "
        "where the rule says nothing, or nothing was simulated",
    )


def run(args: Namespace) -> int:
    found = verdicts(args.name)
    guesses = _guesses(args, found) if args.guesses or args.seed is not None else None
    if args.json:
        print(to_json(found, guesses))
    else:
        told = (document if args.name is None else in_full)(found, guesses)
        print(*lines(told, columns()), sep="\n")
    return FINE


def _guesses(args: Namespace, found: tuple[Verdict, ...]) -> Guesses:
    from fairdeck.cli.laboratory import need_lab, seed_from

    need_lab()
    from fairdeck.lab.experiments.bounds import guessing

    seed = seed_from(args)
    asked = {(each.cards, each.law.riffles) for each in found if each.law}
    return Guesses(seed, {one: guessing(f"riffle*{one[1]}", one[0], DECKS, seed) for one in sorted(asked)})
