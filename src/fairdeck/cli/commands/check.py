"""Say how much work a deal on a mat is, and name better mats.

Before you deal, this command says how many passes and spaces the deal takes and how likely one more pass is, how high
the tallest pile gets, how many cards you deal and how many minutes that takes, a judgement, and better mats. In Python:
`fairdeck.check(60, mat="5x2")`.

The passes are enough for at least half of all orders; the spaces are enough for 99 % of the orders that take that
number of passes. These laws are exact (Eulerian). Heights and minutes are estimates: 0.8 to 1.15 seconds a card,
depending on the number of spaces, half a second more with --turn, 1.2 seconds for each gathered pile, and 8 seconds for
each pass.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import asdict
from math import floor

from fairdeck.cli.arguments import options
from fairdeck.cli.exits import FINE
from fairdeck.cli.settings import task_arguments, task_from
from fairdeck.cli.terminal import show_text
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.outlook import Outlook, Suggestion, outlook
from fairdeck.dealing.planner import Task

NEVER_SAID = 1e-7

EXAMPLES = {
    "fairdeck check 60": "on the usual mat, 5x2",
    "fairdeck check 150 --mat 5x1": "150 cards on one row of five spaces",
    "fairdeck check 104 --mat 6x2 --dealers 2": "two people deal at once",
}


def arguments(parser: ArgumentParser) -> None:
    task_arguments(parser)
    declared = {
        "--json fairdeck-check/1": "cards, mat, goal, dealers, passes, spaces, tallest, moves, minutes, "
        "chance_of_one_more_pass, chance_from_bottom, passes_law, spaces_law, needs, judgement (good, slow, awkward), "
        "reasons, suggestions",
    }
    options(parser, declared)


def run(args: Namespace) -> int:
    task = task_from(args)
    found = outlook(task)
    if args.json:
        asked = {
            "format": "fairdeck-check/1",
            "cards": task.cards,
            "mat": str(task.mat),
            "goal": str(task.goal),
            "dealers": task.dealers,
        }
        print(json.dumps(asked | asdict(found)))
    else:
        show_text("\n".join(_lines(task, found)), rows_only=True)
    return FINE


def _lines(task: Task, found: Outlook) -> Iterator[str]:
    goal = "" if str(task.goal) == "deck" else f", {task.goal}"
    dealers = "" if task.dealers == 1 else f", {task.dealers} dealers with a mat each"
    turn = ", cards turned" if task.turn else ""
    yield f"{counted(task.cards, 'card')} on a {task.mat} mat{goal}{dealers}{turn}: {found.judgement}"
    for reason in found.reasons:
        yield f"    {reason}"
    yield f"passes        {_law(found.passes_law)}"
    yield f"spaces        {_law(found.spaces_law, f' of {task.mat.spaces}')}"
    yield f"tallest pile  about {counted(found.tallest, 'card')}"
    yield f"cards dealt   {found.moves:,}"
    yield f"time          about {_time(found.minutes)}, at about a second a card"
    if found.chance_from_bottom >= NEVER_SAID:
        yield f"bottom        first pass dealt from the bottom of the deck in {_percent(found.chance_from_bottom)}"
    if not found.needs:
        return
    needs = (f"{passes} passes need {counted(spaces, 'space')}" for passes, spaces in found.needs.items())
    yield f"on any mat    {'; '.join(needs)}, nearly always"
    for other in found.suggestions:
        size = f"{counted(other.passes, 'pass')} on {counted(other.spaces, 'space')}"
        yield f"{_kind(task, found, other):<13} {other.mat}: {size}, nearly always"


def _law(law: dict[int, float], of: str = "") -> str:
    """Say a law in words, likeliest first, without values that are rarer than one deal in ten million."""
    likely = sorted(((chance, value) for value, chance in law.items() if chance >= NEVER_SAID), reverse=True)
    (_, first), *others = likely
    rarer = ", ".join(f"{value} in {_percent(chance)}" for chance, value in others)
    return f"{first}{of} ({rarer})" if rarer else f"{first}{of}"


def _percent(chance: float) -> str:
    return f"{chance:.0%} of deals" if chance >= 0.01 else f"1 deal of {1 / chance:,.0f}"


def _kind(task: Task, found: Outlook, other: Suggestion) -> str:
    if other.passes < found.passes:
        return "faster mat"
    return "surer mat" if Mat.parse(other.mat).spaces > task.mat.spaces else "smaller mat"


def _time(minutes: float) -> str:
    return f"{minutes:.1f} minutes" if minutes < 120 else f"{floor(minutes / 60 + 0.5):,} hours"
