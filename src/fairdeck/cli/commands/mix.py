"""Say how far a deck is from random after a shuffle of hands: exactly where theory allows, else in bounds.

RECIPE is a shuffle or several, such as "riffle*7", "shelf(20)", "overhand*10 + riffle*3 + cut" (see: fairdeck
shuffles). The total variation is the most that a bet on any event gains over a fair deck: 0 is perfect, 1 is
no shuffle at all. Where no law is known, decks are simulated (that needs the lab's packages) and the distance is
bounded from below.
"""

import json
import math
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairdeck.cli.exits import FINE
from fairdeck.cli.laboratory import (
    missing_for_lab,
    need_lab,
    seed_argument,
    seed_from,
    workers_argument,
    workers_from,
    writable,
    write,
)
from fairdeck.errors import FairdeckError
from fairdeck.frame import document, text
from fairdeck.mixing.distance import Distance
from fairdeck.mixing.picture import falling
from fairdeck.mixing.recipes import MOST_SHUFFLES, Mixing, mixing
from fairdeck.reading import whole_number
from fairdeck.shuffles import Step, recipe_steps

if TYPE_CHECKING:
    from fairdeck.lab.bounds import Estimate

MOST_CARDS = 1_000
USUAL_DECKS = 20_000
FEWEST_DECKS, MOST_DECKS = 2_000, 10**9
MOST_ROUNDS = 200
SHOWN = 3  # lower bounds
CAPTION = (
    "Total variation is the most that a bet on any event gains over a fair deck; separation is how much the "
    "rarest order falls short. Both fall from 1 to 0."
)
NOTHING = 0.9999  # an upper bound that says nothing


@dataclass(frozen=True)
class Found:
    """All that is known of a deck after a recipe."""

    recipe: str
    cards: int
    known: Mixing
    rounds: tuple[Distance | None, ...]
    estimate: "Estimate | None"


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("recipe", metavar="RECIPE", help="what is done to the deck")
    parser.add_argument("--cards", default="52", metavar="N", help=f"cards, 1 to {MOST_CARDS:,} (default: 52)")
    parser.add_argument(
        "--rounds",
        metavar="K",
        help=f"show 1 to K rounds of the recipe, up to {MOST_ROUNDS} (default: 12, or as asked)",
    )
    parser.add_argument(
        "--decks",
        metavar="N",
        help=f"simulate so many for lower bounds; 0: none (default: {USUAL_DECKS:,} where no law is known)",
    )
    seed_argument(parser)
    workers_argument(parser)
    parser.add_argument("--html", metavar="FILE", help="one web page with a picture, which works offline")
    parser.add_argument("--json", action="store_true", help="the same as JSON")


def run(args: Namespace) -> int:
    """Look up, simulate and write."""
    cards = whole_number(args.cards, "cards", 1, MOST_CARDS)
    steps = recipe_steps(args.recipe)
    if sum(step.times for step in steps) > MOST_SHUFFLES:
        raise FairdeckError(f"{args.recipe}: up to {MOST_SHUFFLES:,} shuffles of a deck can be looked up")
    least = max(step.known.least for step in steps)
    if cards < least:
        raise FairdeckError(f"{args.recipe} needs {least} cards or more; the deck has {cards}")
    path = None if args.html is None else writable(args.html)
    known = mixing(steps, cards)
    found = Found(args.recipe, cards, known, _rounds(args, steps, cards), _estimate(args, known.law, cards))
    if path is not None:
        write(path, _page(found))
    if args.json:
        print(json.dumps(_fields(found)))
    else:
        print(*_lines(found), sep="\n")
    return FINE


def _rounds(args: Namespace, steps: Sequence[Step], cards: int) -> tuple[Distance | None, ...]:
    """Return the distances after 1, 2, ... rounds of a recipe of one step, or of the whole recipe."""
    single = len(steps) == 1
    usual = max(12, steps[0].times) if single else 1
    rounds = min(usual, MOST_ROUNDS) if args.rounds is None else whole_number(args.rounds, "rounds", 1, MOST_ROUNDS)
    of_one = [Step(steps[0].known, 1)] if single else list(steps)
    if len(of_one) * rounds > MOST_SHUFFLES:
        raise FairdeckError(f"rounds: {rounds} of this recipe are more than {MOST_SHUFFLES:,} shuffles; ask for fewer")
    return tuple(mixing(of_one * k, cards).law for k in range(1, rounds + 1))


def _estimate(args: Namespace, law: Distance | None, cards: int) -> "Estimate | None":
    """Return lower bounds by simulation, where they are asked for or there is nothing else."""
    wanted = law is None or law.total_variation is None if args.decks is None else args.decks != "0"
    if not wanted or cards < 2:
        return None
    if args.decks is not None:
        need_lab()
    if missing_for_lab():
        return None
    decks = USUAL_DECKS if args.decks is None else whole_number(args.decks, "decks", FEWEST_DECKS, MOST_DECKS)
    from fairdeck.lab.bounds import estimate
    from fairdeck.lab.spread import spread

    with spread(workers_from(args) if decks > USUAL_DECKS else 1) as map_:
        return estimate(args.recipe, cards, decks, seed_from(args), map=map_)


def _fields(found: Found) -> dict[str, object]:
    law = found.known.law.rounded() if found.known.law else None
    estimate = found.estimate
    rounds = [each.rounded() if each else None for each in found.rounds]
    return {
        "recipe": found.recipe,
        "cards": found.cards,
        "total_variation": law.total_variation if law else None,
        "separation": law.separation if law else None,
        "l_infinity": _finite(law.l_infinity) if law else None,
        "exact": bool(law and law.exact),
        "source": law.source if law else None,
        "at_least": float(found.known.at_least),
        "at_most": float(found.known.at_most),
        "at_most_by": found.known.by,
        "lower_bounds": {name: [each.value, each.error] for name, each in estimate.bounds.items()} if estimate else {},
        "guessed": [estimate.guessed, estimate.chance] if estimate else None,
        "decks": estimate.decks if estimate else 0,
        "rounds": [
            {
                "total_variation": each.total_variation if each else None,
                "separation": each.separation if each else None,
                "exact": bool(each and each.exact),
            }
            for each in rounds
        ],
    }


def _finite(number: object) -> object:
    return None if number == math.inf else number


def _headline(found: Found) -> str:
    """Return the sentence for someone who reads only one."""
    deck = f"{found.cards} card{'' if found.cards == 1 else 's'} after {found.recipe}"
    law = found.known.law
    if law is not None and law.total_variation is not None:
        distance = float(law.total_variation)
        if law.exact:
            return f"{deck}: total variation {_said(distance)}, exactly; {_meaning(distance)}."
        return f"{deck}: total variation at most {_said(distance)}."
    best = _best(found)
    least, most = max(float(found.known.at_least), best[0] if best else 0.0), float(found.known.at_most)
    if least <= 0 and most >= NOTHING:
        return f"{deck}: no law is known for these steps together, and nothing was simulated."
    if most < NOTHING:
        return f"{deck}: total variation between {_said(max(0.0, least))} and {_said(most)}; no exact law is known."
    return f"{deck}: total variation at least {_said(least)}; no exact law is known. {_meaning(least).capitalize()}."


def _meaning(distance: float) -> str:
    if distance >= 0.9:
        return "anybody who knows the old order can tell it from a shuffled deck"
    if distance >= 0.1:
        return f"a bet on the right event wins in {distance:.0%} more of all deals than it should"
    if distance >= 0.001:
        return f"a bet on the right event wins in {distance:.1%} more of all deals than it should; few would notice"
    return "as good as perfect"


def _best(found: Found) -> tuple[float, float] | None:
    """Return the lower bound of the statistic that seemed best on the first half, two standard errors off."""
    if not found.estimate or not found.estimate.bounds:
        return None
    first = next(iter(found.estimate.bounds.values()))
    return max(0.0, first.value - 2 * first.error), first.value


def _said(distance: float) -> str:
    if not distance:
        return "0"
    if distance >= 0.99995:
        return "1" if distance >= 1 - 1e-12 else f"1 - {1 - distance:.1e}"
    return f"{distance:.4f}" if distance >= 0.001 else f"{distance:.1e}"


def _lines(found: Found) -> Iterator[str]:
    yield _headline(found)
    yield ""
    law = found.known.law.rounded() if found.known.law else None
    if law:
        for name, value in (("total variation", law.total_variation), ("separation", law.separation)):
            yield f"{name:<17} {'no law gives it' if value is None else _said(float(value))}"
        if law.l_infinity is not None:
            yield f"{'l-infinity':<17} {float(law.l_infinity):.4g}"
        yield f"{'source':<17} {law.source}"
    else:
        if found.known.at_least:
            yield f"{'at least':<17} {_said(float(found.known.at_least))}: most orders cannot come"
        if found.known.by and found.known.at_most < NOTHING:
            yield f"{'at most':<17} {_said(float(found.known.at_most))}: {found.known.by} alone gives that"
    if found.estimate:
        yield from _bounds(found.estimate)
    if len(found.rounds) > 1 and any(found.rounds):
        yield ""
        yield "rounds  total variation  separation"
        for number, variation, separation in _table(found.rounds):
            yield f"{number:>6}  {variation:>15}  {separation:>10}"


def _table(rounds: Sequence[Distance | None]) -> Iterator[tuple[int, str, str]]:
    for number, each in enumerate(rounds, 1):
        distance = each.rounded() if each else None
        cells = [distance.total_variation, distance.separation] if distance else [None, None]
        variation, shortfall = ("?" if cell is None else _said(float(cell)) for cell in cells)
        yield number, variation, shortfall


def _bounds(estimate: "Estimate") -> Iterator[str]:
    yield ""
    yield f"Lower bounds on the total variation from {estimate.decks:,} simulated decks, with standard errors:"
    for each in list(estimate.bounds.values())[:SHOWN]:
        yield f"    {each.value:8.4f} ± {each.error:.4f}  {each.says}"
    yield (
        f"A player who guesses the next card, all dealt face up, is right {estimate.guessed:.2f} times a deck; "
        f"{estimate.chance:.2f} would be chance."
    )


def _page(found: Found) -> str:
    rounds = [each.rounded() if each else None for each in found.rounds]
    picture = table = ""
    if len(rounds) > 1 and any(rounds):
        title = f"Distance from random, round after round: {found.recipe}, {found.cards} cards"
        series = {
            "total variation": [_number(each.total_variation) if each else None for each in rounds],
            "separation": [_number(each.separation) if each else None for each in rounds],
        }
        picture = (
            f"<h2>Round after round</h2><figure>{falling(title, series)}<figcaption>{CAPTION}</figcaption></figure>"
        )
        rows = "".join(
            f'<tr><th scope="row">{number}</th>{"".join(f"<td class=number>{cell}</td>" for cell in cells)}</tr>'
            for number, *cells in _table(found.rounds)
        )
        table = (
            '<div class="scroll" role="region" aria-label="Distances" tabindex="0"><table><thead><tr>'
            '<th scope="col">Rounds</th><th scope="col" class="number">Total variation</th>'
            f'<th scope="col" class="number">Separation</th></tr></thead><tbody>{rows}</tbody></table></div>'
        )
    facts = [line for line in list(_lines(found))[2:] if line]
    facts = facts[: next((at for at, line in enumerate(facts) if line.startswith("rounds ")), len(facts))]
    known = f"<h2>What is known</h2><pre><code>{chr(10).join(map(text, facts))}</code></pre>" if facts else ""
    return document(_headline(found), "", picture + table + known)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
