"""Say what a deck and a mat imply: passes, spaces, heights, minutes, and better mats."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import asdict
from math import floor

from fairdeck.advice import Advice, Way, advise, refuse_too_few_passes
from fairdeck.cli.exits import FINE
from fairdeck.cli.settings import task_arguments, task_from
from fairdeck.instructions import counted
from fairdeck.mat import Mat
from fairdeck.planner import Task

NEVER_SAID = 1e-7


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    task_arguments(parser)
    parser.add_argument("--json", action="store_true", help="the same as JSON")


def run(args: Namespace) -> int:
    """Advise and write."""
    task = task_from(args)
    if args.passes is not None:
        refuse_too_few_passes(task)
    advice = advise(task)
    if args.json:
        asked = {"cards": task.cards, "mat": str(task.mat), "goal": str(task.goal), "dealers": task.dealers}
        print(json.dumps(asked | asdict(advice)))
    else:
        print(*_lines(task, advice), sep="\n")
    return FINE


def _lines(task: Task, advice: Advice) -> Iterator[str]:
    goal = "" if str(task.goal) == "deck" else f", {task.goal}"
    dealers = "" if task.dealers == 1 else f", {task.dealers} dealers with a mat each"
    yield f"{counted(task.cards, 'card')} on a {task.mat} mat{goal}{dealers}: {advice.judgement}"
    for reason in advice.reasons:
        yield f"    {reason}"
    yield f"passes        {_law(advice.passes_law)}"
    yield f"spaces        {_law(advice.spaces_law, f' of {task.mat.spaces}')}"
    yield f"tallest pile  about {counted(advice.tallest, 'card')}"
    yield f"cards dealt   {advice.moves:,}"
    yield f"time          about {_time(advice.minutes)}, at about a second a card"
    if advice.chance_from_bottom >= NEVER_SAID:
        yield f"bottom        the first pass is dealt from the deck's bottom in {_percent(advice.chance_from_bottom)}"
    if not advice.needs:
        return
    needs = (f"{passes} passes need {counted(spaces, 'space')}" for passes, spaces in advice.needs.items())
    yield f"on any mat    {'; '.join(needs)}, nearly always"
    for way in advice.suggestions:
        size = f"{counted(way.passes, 'pass')} on {counted(way.spaces, 'space')}"
        yield f"{_kind(task, advice, way):<13} {way.mat}: {size}, nearly always"


def _law(law: dict[int, float], of: str = "") -> str:
    """Say a law in words, likeliest first; what happens once in ten million deals is left unsaid."""
    likely = sorted(((chance, value) for value, chance in law.items() if chance >= NEVER_SAID), reverse=True)
    (_, first), *others = likely
    rarer = ", ".join(f"{value} in {_percent(chance)}" for chance, value in others)
    return f"{first}{of} ({rarer})" if rarer else f"{first}{of}"


def _percent(chance: float) -> str:
    return f"{chance:.0%} of deals" if chance >= 0.01 else f"1 deal of {1 / chance:,.0f}"


def _kind(task: Task, advice: Advice, way: Way) -> str:
    if way.passes < advice.passes:
        return "faster mat"
    return "surer mat" if Mat.parse(way.mat).spaces > task.mat.spaces else "smaller mat"


def _time(minutes: float) -> str:
    return f"{minutes:.1f} minutes" if minutes < 120 else f"{floor(minutes / 60 + 0.5):,} hours"
