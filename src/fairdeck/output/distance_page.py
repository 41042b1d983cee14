"""How far a deck is from random, as a page: pictures first, tables under them."""

from collections.abc import Iterator, Sequence

from fairdeck.lab.experiments.distance import Mixing, Round
from fairdeck.output.distance import (
    NOTHING,
    SURE,
    columns,
    facts,
    give_or_take,
    guesses,
    headline,
    known_rounds,
    said,
    turning,
)
from fairdeck.output.distance_charts import falling, side_by_side
from fairdeck.output.html import html_page, table, text
from fairdeck.shuffles.distances import Number

VARIATION = "Total variation is the most that a bet on any event gains over a fair deck; it falls from 1 to 0."
SAYS = {
    "separation": "Separation is by what share the rarest order is too rare; it is never below total variation.",
    "estimated": "Estimated: the total variation itself, by the likelihood of sampled patterns.",
    "at least": f"At least: from the orders that cannot come, or from the best event in simulated decks, {SURE}.",
    "at most": "At most: a part of the recipe, or the separation, gives this bound.",
}
BOUNDS = (
    f"Only lower bounds: the deck is at least this far from random (bars), {SURE}. Lines: the counted distance and two "
    "standard errors on either side. Each event was chosen on one half of the decks and counted on the other."
)
STYLE = "td:last-child:not(.number){min-width:8.5rem}"  # words: a narrow window scrolls and does not break them
MOST_SHOWN = 8  # lower bounds
NUMBERS = {"total variation", "estimated", "separation", "missing bits", "at least", "at most"}


def page(found: Mixing) -> str:
    """Return one HTML page that needs nothing else."""
    lead = f"<p>{text(found.repeated.says)}</p>" if found.repeated else ""
    return html_page(headline(found), lead, "".join([*_rounds(found), *_bounds(found), *_known(found)]), STYLE)


def _rounds(found: Mixing) -> Iterator[str]:
    if len(known_rounds(found.rounds)) < 2:
        return
    title = f"Distance from random, round after round: {found.recipe}, {found.cards} cards"
    series = _series(found.rounds)
    errors = {
        "estimated": [each.estimated[1] if each.estimated else None for each in found.rounds],
    }
    mark = found.asked if 1 < found.asked <= len(found.rounds) else None
    asked = f" The vertical line: round {mark}, which was asked for." if mark else ""
    yield (
        f"<h2>Round after round</h2><figure>{falling(title, series, errors, mark=mark)}"
        f"<figcaption>{_caption(series)}{text(asked)}</figcaption></figure>"
    )
    yield from (f"<p>{text(line)}</p>" for line in turning(found))
    cells = columns(found.rounds)
    heads = {name.capitalize(): name in NUMBERS for name in cells}
    yield table("Distances", heads, [list(map(text, row)) for row in zip(*cells.values(), strict=True)])


def _series(rounds: Sequence[Round]) -> dict[str, list[float | None]]:
    laws = [each.theory.exact for each in rounds]
    found = {
        "total variation": [_number(law.total_variation if law else None) for law in laws],
        "estimated": [each.estimated[0] if each.estimated else None for each in rounds],
        "separation": [_number(law.separation if law else None) for law in laws],
        "at least": [None if each.unbounded else float(each.at_least) for each in rounds],
        "at most": [
            float(each.theory.at_most) if law is None and each.theory.at_most < NOTHING else None
            for each, law in zip(rounds, laws, strict=True)
        ],
    }
    return {name: values for name, values in found.items() if any(value is not None for value in values)}


def _number(number: Number | None) -> float | None:
    return None if number is None else float(number)


def _caption(series: dict[str, list[float | None]]) -> str:
    return " ".join([VARIATION, *(says for name, says in SAYS.items() if name in series)])


def _bounds(found: Mixing) -> Iterator[str]:
    if not found.simulated:
        return
    shown = list(found.simulated.bounds.items())[:MOST_SHOWN]
    title = f"What {found.simulated.decks:,} simulated decks show: at least this far from random"
    most = float(found.at_most)
    rows = [(name, each.low, each.value, each.error) for name, each in shown]
    line = " Dashed: at most this far." if most < NOTHING else ""
    yield (
        f"<h2>What {found.simulated.decks:,} simulated decks show</h2><p>Seed {found.seed or 0:x}.</p><figure>"
        f"{side_by_side(title, rows, most if most < NOTHING else None)}<figcaption>{BOUNDS}{line}</figcaption></figure>"
    )
    cells = [
        [
            text(name),
            said(each.low),
            give_or_take((each.value, each.error)),
            text(each.says.removeprefix(f"{name}: ")),
        ]
        for name, each in shown
    ]
    heads = {"What is looked at": False, "At least": True, "Counted": True, "What was seen": False}
    yield table("Lower bounds", heads, cells)
    yield from (f"<p>{text(line)}</p>" for line in guesses(found.simulated))


def _known(found: Mixing) -> Iterator[str]:
    told = list(facts(found))
    if told:
        rows = [[text(name.capitalize()), text(value)] for name, value in told]
        yield f"<h2>What is known</h2>{table('What is known', {'Measure': False, 'Value': False}, rows)}"
