"""Measure your own riffle, and how many of it your deck needs.

Part the deck into two halves that can be told apart when they are face up: red and black, odd and even, two colours
of sleeves. Riffle (or mash) them once, and deal the deck out from the top: write a letter for each card, such as
RRBRBB, or the lengths of the runs, such as '2 1 1 2'. Measure five such riffles or more. Two halves that are
each in a known order do as well: see --orders. Without arguments the command shows the riffle that is kept.

The answer is how many of your riffles bring the deck within 0.05 of random (total variation); 52 cards need 10 ideal
riffles. The riffles of one person differ, and the answer counts with that. Seven checks compare yours with ideal ones.
Of people with ideal hands, about 1% fail a check; if one fails, the report begins with it, says what mends it, and
names only how many riffles to make at least. Four riffles do not always show that hands differ from riffle to riffle,
that they are only a little neat or clumsy, or that an end card always stays; five show that (of colours, six). Lengths
of runs do not tell the halves apart, so the ends are checked only for letters and orders: write T for each card of the
top half and B for the bottom half, and the checks know which half lay below.

--corpus shows riffles of real people, and which models predict them.
"""

import sys
from argparse import ArgumentParser, Namespace
from itertools import pairwise
from pathlib import Path
from typing import TextIO

from fairdeck.cards.text import decoded
from fairdeck.cli.arguments import options
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import configured, configured_surely, make_folder, read, writable, write
from fairdeck.cli.laboratory import SEED_OPTION, need_lab, seed_from
from fairdeck.cli.program import as_called
from fairdeck.cli.settings import HANDS, kept_hands
from fairdeck.cli.terminal import Progress, show
from fairdeck.dealing.instructions import counted
from fairdeck.errors import FairdeckError, naming
from fairdeck.numbers import whole
from fairdeck.shuffles.interleavings import MOST_CARDS, Interleaving, between, worth
from fairdeck.shuffles.interleavings import read as interleaving
from fairdeck.shuffles.mine import Hands

MOST_BYTES = 1 << 20
TABLE = "name a table with the columns source and interleaving, a row for each riffle"
TELL = "write one card after the other, the top card first, a line for each order"

EXAMPLES = {
    "fairdeck hands RRBRBBBRRRRBBRBRRBBBBRBRRBRB '3 2 1 4 2 5 1 1 6 1 2'": "two riffles of 28 cards",
    "fairdeck hands --orders orders.txt --cards 60": "orders of the whole deck, before and after each riffle",
    "fairdeck hands --corpus": "riffles of a real person, and which models predict them",
    "fairdeck hands --forget": "delete the riffle that was kept",
}


def arguments(parser: ArgumentParser) -> None:
    declared = {
        "riffles* RIFFLE": "RRBRBB (any two letters, the same in every riffle) or '2 1 1 2', the top card first",
        "--cuts+ N": "how many cards you cut off, a few times",
        "--orders FILE": "orders of a whole deck, one a line, the top card first, each one riffle after the line "
        "before; if a line is more than one riffle after it, the command says how many ideal riffles that was worth; "
        "-: standard input",
        "--cards N": "the deck that you want to shuffle, 10 to 500 cards (default: as measured)",
        "--corpus [FILE]": "show real riffles: those that fairdeck has, or those of a table in CSV with a row for "
        "each: source (the person) and interleaving; lines that begin with # name its licence",
        "--keep": "keep the riffle in your folder of settings, for riffle(mine) in fairdeck mix, and for fairdeck "
        "advise",
        "--forget": "delete the riffle that was kept",
        **SEED_OPTION,
        "--json fairdeck-hands/1 fairdeck-riffle/1 fairdeck-riffles/1": "riffles (lengths of runs, "
        "in the order in which the cards fell), neatness, interval, confidence, varying, cut, runs, runs_expected, "
        "checks (p-values; null if not asked), misfits, level, rejected (checks that fail), fits, cards, target, "
        "ideal, yours and at_most (null if a check fails), at_least, recipe, mended and mended_most (what mends it; or "
        "null), decks, seed",
    }
    options(parser, declared, cuts=[])


def run(args: Namespace) -> int:
    if args.forget:
        return _forget(args)
    if args.corpus is not None:
        return _corpus(args)
    found = [interleaving(text) for text in args.riffles]
    if args.orders is not None:
        found += _in_orders(args.orders, sys.stderr if args.json else sys.stdout)
    if not found:
        if args.orders is None:
            _show_kept(args)
        return FINE
    return _measured(args, found)


def _corpus(args: Namespace) -> int:
    if args.riffles or args.orders is not None or args.keep:
        raise FairdeckError("--corpus shows riffles of others and measures none: give it alone")
    need_lab()
    from fairdeck.lab.experiments.real_riffles import SHIPPED, as_json, document, people

    text = decoded(read(args.corpus, MOST_BYTES, TABLE), "replace") if args.corpus else SHIPPED.read_text("utf-8")
    found = people(text, args.corpus or SHIPPED.name)
    if not found:
        raise FairdeckError(f"{args.corpus!r} has no riffles: write a row for each below the head")
    show(as_json(found) if args.json else document(found))
    return FINE


def _measured(args: Namespace, riffles: list[Interleaving]) -> int:
    need_lab()  # it simulates riffles of these hands
    from fairdeck.lab.experiments.your_hands import LEAST, MOST, as_json, document, measured

    size = len(riffles[0].packets)
    cuts = [whole("a cut", each, 1, size - 1) for each in args.cuts]
    cards = None if args.cards is None else whole("cards", args.cards, LEAST, MOST)
    path = _writable(configured_surely(HANDS)) if args.keep else None
    with Progress() as progress:
        found = measured(
            riffles, cuts=cuts, cards=cards, seed=seed_from(args), tell=lambda what: progress.say(f"simulating {what}")
        )
    fit, answer = found.fit, found.needed
    if path is not None:
        write(
            path,
            Hands(answer.recipe, len(riffles), answer.cards, answer.at_most or answer.at_least, fit.fits).to_json()
            + "\n",
        )
    show(as_json(fit, answer) if args.json else document(fit, answer, path))
    return FINE


def _writable(path: Path) -> Path:
    make_folder(path.parent)
    return writable(str(path))


def _in_orders(name: str, told: TextIO) -> list[Interleaving]:
    """Return the riffles between the orders in a file; tell what is not one riffle."""
    text = decoded(read(name, MOST_BYTES, TELL), "replace")
    orders = [line.replace(",", " ").split() for line in text.splitlines() if line.strip()]
    if len(orders) <= 1:
        raise FairdeckError(f"{name!r} has {counted(len(orders), 'order')}, and a riffle is seen between two: {TELL}")
    if longest := next((order for order in orders if len(order) > MOST_CARDS), None):
        raise FairdeckError(f"an order in {name!r} has {len(longest):,} cards: write {MOST_CARDS:,} at most")
    found = []
    for number, (before, after) in enumerate(pairwise(orders), 1):
        with naming(f"{name!r}, order {number + 1}"):
            riffle = between(before, after)
        if isinstance(riffle, Interleaving):
            found.append(riffle)
            continue
        print(f"from order {number} to {number + 1}: {_not_one_riffle(len(before), riffle)}", file=told)
    return found


def _not_one_riffle(cards: int, rising: int) -> str:
    if rising == 1:
        return "nothing was moved"
    best, least, most = worth(cards, rising)
    about = f"{best} ideal riffles" if least == most else f"{best} ideal riffles or so ({least} to {most})"
    return f"{rising} rising sequences, as after {about}; one riffle leaves two"


def _show_kept(args: Namespace) -> None:
    hands = kept_hands()
    if hands is None:
        raise FairdeckError(
            "no riffle is given, and none is kept: write one, such as RRBRBB; fairdeck hands --help says how"
        )
    if args.json:
        print(hands.to_json())
        return
    print(
        f"Your riffle is {hands.recipe}, from {hands.riffles} riffles of {hands.cards} cards; "
        f"{hands.need}.\n" + as_called(f"It is kept in {configured(HANDS)}; fairdeck hands --forget deletes it.")
    )


def _forget(args: Namespace) -> int:
    path = configured_surely(HANDS)
    if args.riffles or args.keep or args.json or args.orders is not None:
        raise FairdeckError("--forget measures nothing: give it alone")
    try:
        path.unlink()
    except FileNotFoundError:
        print(f"There is no {path}: nothing to forget.")
    except OSError as error:
        raise FairdeckError(f"cannot delete {str(path)!r} ({error.strerror}): delete it yourself") from None
    else:
        print(f"Forgotten: {path} is deleted.")
    return FINE
