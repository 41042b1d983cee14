"""`fairdeck packets SCHEME --fault`: why a scheme never spreads its cards evenly, with numbers."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from math import comb, prod
from shlex import quote

from fairdeck.cli.program import as_called
from fairdeck.dealing.instructions import counted
from fairdeck.errors import FairdeckError
from fairdeck.packets.cutting import sizes
from fairdeck.packets.dispersion import classes, cycle_matrix, dispersions, distance, drained, fault, repairable
from fairdeck.packets.notation import Flow

ROUNDS = 6  # shown
NEARLY = 0.999999


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a flow never disperses.

    Attributes:
        flow: the flow.
        why: in words.
        sides: the packets that stay together.
        held: how many cards each side has at the start.
        period: rounds after which the cards of a side are back where they were.
        steps: the numbers of steps that are shown, which end rounds.
        away: how far the worst packet is from even after these steps.
        draining: the packets that run empty.
        left: how many cards these have at the start and after these steps.
    """

    flow: Flow
    why: str
    sides: list[list[str]]
    held: list[int]
    period: int
    steps: Sequence[int]
    away: list[str]
    draining: list[str]
    left: list[int]

    @property
    def cards(self) -> int:
        """The cards of the pack."""
        return sum(self.held)

    def chance(self, row: int) -> tuple[int, int]:
        """Return the fair chance of what is surely true after the steps of a row: one number divided by the other.

        Without packets that run empty: each side's places hold the side's own cards. With such packets: all cards that
        are left in them began there.
        """
        if self.draining:
            return comb(self.left[0], self.left[row + 1]), comb(self.cards, self.left[row + 1])
        return 1, prod(comb(*each) for each in self.choices())

    def choices(self) -> list[tuple[int, int]]:
        """Return the binomial coefficients whose product says how many ways there are to choose the sides' cards."""
        return list(zip(accumulate(self.held), self.held, strict=True))[1:]

    def at_least(self, row: int) -> float:
        """Return a lower bound on the total variation after the steps of a row."""
        ways, of = self.chance(row)
        return (of - ways) / of


def fault_of(flow: Flow, cards: int) -> Fault:
    """Return what is wrong with a flow, for a pack of some cards.

    Raises:
        FairdeckError: the flow has no such fault.
    """
    why = fault(flow)
    if not why:
        raise FairdeckError(f"{flow.name} has no fault: it spreads the cards of all packets; leave out --fault")
    apart, period = classes(cycle_matrix(flow))
    sides = [[flow.packets[place] for place in sorted(side)] for side in apart]
    steps = range(len(flow.steps), ROUNDS * len(flow.steps) + 1, len(flow.steps))
    after = list(islice(sizes(flow, cards), 0, steps[-1] + 1, len(flow.steps)))
    held = [sum(after[0][name] for name in side) for side in sides]
    spreads = dispersions(flow, steps[-1])
    away = [str(distance(spreads[step - 1])) for step in steps]
    draining = drained(flow)
    left = [sum(counts[name] for name in draining) for counts in after]
    return Fault(flow, why, sides, held, period, steps, away, draining, left)


def show_fault(flow: Flow, cards: int, asked: str, *, as_json: bool) -> None:
    """Print why a flow never disperses: which packets stay apart, how uneven they stay, and what that gives away.

    Args:
        flow: the flow.
        cards: in the pack.
        asked: what people typed to name it: its name or its file.
        as_json: print JSON, no text.

    Raises:
        FairdeckError: the flow has no such fault.
    """
    found = fault_of(flow, cards)
    print(json.dumps(_as_dict(found), ensure_ascii=False) if as_json else "\n".join(_lines(found, asked)))


def _lines(found: Fault, asked: str) -> Iterator[str]:
    yield f"{found.flow.name} never disperses: {found.why}."
    yield ""
    yield from _drained(found) if found.draining else _apart(found)
    if repairable(found.flow):
        yield as_called(f"To see a flow without the fault: fairdeck packets {quote(asked)} --repair")
    else:
        yield "No swap of two slices repairs it: cut its packets in another way, so that parts of all of them meet."


def _apart(found: Fault) -> Iterator[str]:
    for side, many in zip(found.sides, found.held, strict=True):
        yield f"  apart   {', '.join(side)} ({counted(many, 'card')})"
    back = (
        "every card stays on its side" if found.period == 1 else f"every card is back on its side after {found.period}"
    )
    yield f"  period  {found.period}: {back}{'' if found.period == 1 else ' rounds'}"
    yield ""
    yield "  steps  from even"
    for step, far in zip(found.steps, found.away, strict=True):
        yield f"  {step:>5}  {far:>9}"
    yield ""
    ways = " x ".join(f"C({left}, {size})" for left, size in found.choices())
    yield "Somebody who knows which cards were on which side knows it after any number of steps."
    yield f"Of {found.cards} fairly shuffled cards the same ones lie there once in {ways} packs. So the total variation"
    number = "" if found.at_least(0) > NEARLY else f" = {found.at_least(0):.6f}"
    yield f"is at least 1 - 1/{ways}{number}, whatever the riffles."


def _drained(found: Fault) -> Iterator[str]:
    names = ", ".join(found.draining)
    yield f"  steps  cards left in {names}  total variation at least"
    for row, step in enumerate(found.steps):
        yield f"  {step:>5}  {found.left[row + 1]:>{len(names) + 14}}  {_shown(found.at_least(row)):>24}"
    yield ""
    yield f"All cards left in {names} began there, whatever the riffles. Of {found.cards} fairly shuffled cards that is"
    yield "seldom true, as long as some are left."


def _shown(at_least: float) -> str:
    return f"{min(at_least, NEARLY):.6f}"  # rounded down: no shuffle is at distance 1


def _as_dict(found: Fault) -> dict[str, object]:
    return {
        "format": "fairdeck-fault/1",
        "scheme": found.flow.name,
        "cards": found.cards,
        "why": found.why,
        "sides": found.sides,
        "period": found.period,
        "runs_empty": found.draining,
        "from_even": found.away,
        "total_variation_at_least": found.at_least(ROUNDS - 1),
    }
