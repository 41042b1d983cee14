"""List the known shuffles, fair and faulty; or show one.

They stand in three groups: fair shuffles, faulty shuffles by hand, and faulty programs, each with one sentence and
its source; then the shuffles with parameters. With a NAME, one is shown in full. Wherever a command takes a shuffle,
you can write

- a word: riffle, pile-7, naive;
- a word with parameters, in their order or by name; numbers such as 7, 0.6 or 1/3: `shelf(20)`, `riffle(cut=0.6)`;
- a recipe: `riffle*7` repeats a shuffle seven times (1 to 10,000 times); `overhand*10 + riffle*3 + cut` does several
shuffles one after another; parentheses group: `(riffle*2 + strip)*2 + cut`.

Names that people use are understood too: 7 riffles, Riffle 7, Mash shuffle, dovetail, weave, smoosh. The answer writes
them back as above. In a shell, put names with parentheses, stars or spaces in quotes. A shuffle that continues from its
last deck (cut-carried, seed-time, continuous) cannot be a step of a recipe. A recipe is fair if one of its steps is
fair.

The shuffles with parameters:

- `a-shuffle(packets)`: a riffle of any number of packets at once
- `riffle(cut=, switch=, neatness=)`: cut is the share of the deck in the lower packet on average; neatness the odds
that the next card drops from the other packet, over those of the ideal riffle, which weighs the packets by their
size; switch the probability of that, whatever the sizes
- `mash(cut=, switch=)`: pushes one packet into the rest, in clumps (default: 1/3 and 1/4)
- `overhand(packet)`, `overhand(p=)`: packets of this many cards on average (default: 5), or the probability p of a
cut in each gap
- `hindu(packet)`, `strip(packet)`: the same law with larger packets (default: 10 and 13 cards)
- `box(fewest, most)`: a number of packets from fewest to most, all equally likely (default: 4 to 6), put down in
reverse order
- `pile(piles)`, `pile-random(piles)`: deals onto piles in turn (default: 7), and takes the piles up in turn, or in
random order with a cut
- `random-piles(piles)`: deals each card onto a random pile (default: 10 piles); `random-piles(10)*2` deals twice
- `shelf(shelves, top=)`: a machine with shelves (default: 10) that puts a card on top with this chance (default: 1/2)
- `plug(undealt)`, `restack(grab, riffles)`, `ladder(grab, riffles)`: steps of a casino with six or eight decks, see
shoe-ladder
- `continuous(compartments, dealt, ready)`: a continuous shuffler, deck after deck
- `top-to-random(moves)`, `random-to-random(moves)`, `transpositions(moves)`, `adjacent-swaps(moves)`: this many small
moves
- `wash(seconds)`: cards stirred on the table (default: 60 seconds): a rough model of hands, without a known law
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from fairdeck.cli.arguments import options
from fairdeck.cli.exits import FINE
from fairdeck.cli.program import as_called
from fairdeck.cli.terminal import show_text
from fairdeck.dealing.instructions import counted
from fairdeck.show.terminal import labelled
from fairdeck.shuffles import Family, Known, Parameter, Recipe, Step, Streaming, families, find, recipe_steps, registry

MOST_STEPS = 24

EXAMPLES = {
    "fairdeck shuffles": "all of them",
    "fairdeck shuffles riffle": "one in full: its model, source and parameters",
    "fairdeck shuffles 'overhand*4 + cut'": "a recipe",
}


def arguments(parser: ArgumentParser) -> None:
    declared = {
        "name? SHUFFLE": "show one in full, such as riffle*7 or 'overhand*4 + cut'",
        "--json fairdeck-shuffles/1": "shuffles, each with: name, fair, by_hand, says, source, carried (each deck "
        "starts from the one before), least (fewest cards), takes (its parameters: name, least, most, default, says, "
        "kind), steps (of a recipe: names and times)",
    }
    options(parser, declared)


def run(args: Namespace) -> int:
    shown = list(registry().values()) if args.name is None else [_one(args.name)]
    if args.json:
        more = [find(each.example) for each in families().values()] if args.name is None else []
        told = [_as_dict(known) for known in [*shown, *more]]
        print(json.dumps({"format": "fairdeck-shuffles/1", "shuffles": told}, ensure_ascii=False))
    elif args.name is None:
        show_text("\n".join(_listed(shown)), rows_only=True)
    else:
        show_text("\n".join(_in_full(shown[0])), rows_only=True)
    return FINE


def _one(name: str) -> Known:
    """Return the shuffle with this name, or the example of a family that needs a parameter."""
    family = families().get(name.strip())
    return find(family.example if family and any(each.needed for each in family.takes) else name)


def _as_dict(known: Known) -> dict[str, Any]:
    names = ("name", "fair", "by_hand", "says", "source", "carried", "least")
    family, takes = _family(known), []
    if family:
        fields = ("name", "least", "most", "default", "says")
        takes = [{name: getattr(each, name) for name in fields} | {"kind": each.kind.__name__} for each in family.takes]
    recipe = known.shuffle.steps if isinstance(known.shuffle, Recipe) else ()
    steps = [[step.known.name, step.times] for step in recipe]
    return {name: getattr(known, name) for name in names} | {"takes": takes, "steps": steps}


def _family(known: Known) -> Family | None:
    return None if isinstance(known.shuffle, Recipe) else families().get(known.name.partition("(")[0])


def _listed(shown: Sequence[Known]) -> Iterator[str]:
    groups = {
        "FAIR: every order is equally likely": [known for known in shown if known.fair],
        "FAULTY, by hand": [known for known in shown if not known.fair and known.by_hand],
        "FAULTY, in programs": [known for known in shown if not known.fair and not known.by_hand],
    }
    column = max(len(known.name) for known in shown) + 4
    for title, members in groups.items():
        yield f"{title} ({len(members)})"
        for known in members:
            yield from labelled(f"  {known.name}", f"{known.says}{_guess(known)} [{known.source}]", column)
        yield ""
    yield f"WITH PARAMETERS ({len(families())})"
    for family in families().values():
        takes = "; ".join(_told(each) for each in family.takes)
        yield from labelled(f"  {family.example}", f"{family.says} [{takes}]", column)
    yield ""
    yield as_called("One in full: fairdeck shuffles NAME. Repeated: riffle*7.")
    yield "One after another: 'overhand*4 + riffle*3 + cut', '(riffle*2 + strip)*2'."


def _guess(known: Known) -> str:
    """Return why its model is a guess at what hands do, in words."""
    models = [step.theory for step in recipe_steps(known.name)] if known.by_hand and not known.carried else []
    guesses = dict.fromkeys(model.guess for model in models if model.guess)
    return f"; a guess at {' and '.join(guesses)}" if guesses else ""


def _told(parameter: Parameter) -> str:
    default = "" if parameter.default is None else f" (default: {parameter.default:g})"
    return f"{parameter.name}: {parameter.says}, {parameter.least:,} to {parameter.most:,}{default}"


def _in_full(known: Known) -> Iterator[str]:
    yield f"{known.name}: {'fair' if known.fair else 'faulty'}{_guess(known)}"
    if known.carried:
        start = "each deck from the one before"
    elif isinstance(known.shuffle, Streaming):
        start = "continues from the state of its last deck"
    else:
        start = "each deck from the sorted deck"
    facts = {
        "what": known.says,
        "source": known.source,
        "done": "by hand" if known.by_hand else "by a program",
        "starts": start,
        "cards": f"{known.least} or more",
    }
    family = _family(known)
    if family:
        facts["takes"] = "; ".join(_told(each) for each in family.takes) + f"; such as {family.example}"
    if isinstance(known.shuffle, Recipe):
        facts["steps"] = _said(known.shuffle.steps)
    for name, fact in facts.items():
        yield from labelled(f"  {name}", fact, 11)


def _said(steps: Sequence[Step]) -> str:
    shown = [f"{step.known.name} {counted(step.times, 'time')}" for step in steps[:MOST_STEPS]]
    left = len(steps) - MOST_STEPS
    return ", then ".join([*shown, f"{left:,} more"] if left > 0 else shown)
