"""A large deck is riffled in packets, by the published schemes: people exchange parts of their packets.

How many steps are enough, and how many riffles of each packet in a step? No exact law is known for packets. The
estimate is that of `fairdeck.packets.positions.estimated`.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil

from fairdeck.advice.request import (
    PATIENCE,
    Recommendation,
    Request,
    as_these_hands_riffle,
    enough_riffles,
    packet_minutes,
    seconds_a_riffle,
)
from fairdeck.advice.tasks import times
from fairdeck.advice.ways import IN_PACKETS, WayToShuffle
from fairdeck.dealing.pace import Pace
from fairdeck.errors import FairdeckError
from fairdeck.packets import schemes
from fairdeck.packets.dispersion import dispersion, distance, fault
from fairdeck.packets.instructions import Procedure
from fairdeck.packets.notation import MOST_ROUNDS, Flow
from fairdeck.packets.positions import estimated, seen_step_by_step, uneven, work_of_a_step
from fairdeck.shuffles.measured import mashes
from fairdeck.steps import Step

MOST_RIFFLES = 5  # of each packet in a step
FEWEST_STEPS = {1: 4, 2: 4}  # by riffles of each packet; with more riffles `FEWEST_STEPS_ELSE`
FEWEST_STEPS_ELSE = 3
FEWEST_CARDS = 8  # of a packet
# The exact total variation after 4 steps of one riffle, of 8 cards in two packets or 9 in three: tests/test_steps.py
# follows all orders. Among flows for the same hands the smaller one is advised.
SMALL_PACKS = {
    "two-way-cross": 0.0764,
    "two-way": 0.0929,
    "quarters": 0.4106,
    "stacked-thirds": 0.2504,
    "three-players-full": 0.4044,
    "three-way-full": 0.4558,
}
MORE_STEPS = 3  # to try where fewer leave the worst card too far from random
MOST_FOLLOWED = 45_000_000  # multiplications to follow the cards of one packet flow: less than a second


@dataclass(frozen=True, slots=True)
class Tried:
    """Steps of a packet flow, each with some riffles of each packet; and about how far from random the deck is then."""

    minutes: float
    steps: int
    riffles: int
    variation: float | None = None


def fewest_minutes(request: Request, flow: Flow, hands: int, pace: Pace) -> Tried | None:
    """Return the quickest procedure that is near enough, else the nearest; None if no number of riffles is enough.

    Each card is riffled as often as for the whole deck; more often if the places of the cards, or the number of cards
    from each packet, are then still too far from random. Nothing tells how far mashed packets are: the quickest is
    returned.
    """
    tried = _by_minutes(request, flow, hands, pace)
    if request.sleeved:
        return next(iter(tried), None)
    judged = []
    floors: dict[int, _Floors] = {}
    for each in tried:
        found = _judged(request, flow, each, floors)
        if found.variation is not None and found.variation <= request.distance:
            return found
        judged.append(found)
    return min(judged, key=lambda each: (1.0 if each.variation is None else each.variation, each.minutes), default=None)


def _by_minutes(request: Request, flow: Flow, hands: int, pace: Pace) -> list[Tried]:
    """Return the procedures that may be near enough, the quickest first."""
    cards, packets = request.cards, len(flow.packets)
    packet, rounds = ceil(cards / packets), ceil(packets / hands)
    if request.sleeved:
        most = PATIENCE / (rounds * seconds_a_riffle(packet, pace))
        needed: int | None = mashes(cards, request.distance, most)[0]
    else:
        needed = enough_riffles(cards, request.distance)
    if needed is None:
        return []
    even = next((k for k in range(1, MOST_ROUNDS) if uneven(flow, cards, k) <= request.distance / 2), MOST_ROUNDS)
    tried = [
        Tried(packet_minutes(packet, rounds, steps, riffles, pace), steps, riffles)
        for riffles in range(1, MOST_RIFFLES + 1)
        for least in [max(ceil(needed / riffles), FEWEST_STEPS.get(riffles, FEWEST_STEPS_ELSE), even)]
        for steps in range(least, min(least + MORE_STEPS, MOST_ROUNDS) + 1)
    ]
    return sorted(tried, key=lambda each: each.minutes)


def _judged(request: Request, flow: Flow, tried: Tried, floors: dict[int, "_Floors"]) -> Tried:
    """Return the same with its estimated distance from random: that of the order, and that of the places.

    The distance stays unknown where following the cards takes too long. `floors` has what was followed already, by
    the riffles of each packet in a step.
    """
    packets = len(flow.packets)
    # Equal packets can stand for each other. A pack of a few cards more is mixed no better.
    followed = _floors(flow, ceil(request.cards / packets) * packets, tried.riffles)
    spent = sum(each.work(each.asked) for riffles, each in floors.items() if riffles != tried.riffles)
    if spent + followed.work(tried.steps) > MOST_FOLLOWED:
        return tried
    floors[tried.riffles] = followed
    seen = followed.after(tried.steps)
    return replace(tried, variation=estimated(flow, request.cards, tried.steps, tried.riffles, seen))


class _Floors:
    """About how far the places of the cards are from random after each step, followed as far as it is asked for."""

    def __init__(self, flow: Flow, cards: int, riffles: int) -> None:
        self._step = work_of_a_step(flow, cards)
        self._next = seen_step_by_step(flow, cards, MOST_ROUNDS, riffles, most_work=sys.maxsize)  # limited by who asks
        self._found: list[float] = []
        self.asked = 0

    def work(self, steps: int) -> int:
        """Return about how many multiplications it takes to follow the cards through `steps` steps."""
        return steps * self._step

    def after(self, steps: int) -> float:
        """Return about how far from random the places are after `steps` steps."""
        self.asked = max(self.asked, steps)
        while len(self._found) < steps:
            self._found.append(next(self._next))
        return self._found[steps - 1]


@lru_cache(maxsize=256)
def _floors(flow: Flow, cards: int, riffles: int) -> _Floors:
    return _Floors(flow, cards, riffles)


def _in_packets(request: Request, pace: Pace) -> Iterator[Recommendation]:
    if not request.room:
        return
    for flow, hands in _flows(request):
        best = fewest_minutes(request, flow, hands, pace)
        if best is None:
            continue
        try:
            procedure = Procedure(flow, request.cards, hands, best.steps, best.riffles)
        except FairdeckError:  # a part would be too thin to riffle
            continue
        yield as_these_hands_riffle(_told(request, procedure, best), request)


def _flows(request: Request) -> Iterator[tuple[Flow, int]]:
    """Yield the flows that suit the deck and the people, and how many people work."""
    # Of flows with equal packets and hands that spread alike, only the one made for those hands; then the better one.
    shown = set()
    for flow in sorted(schemes().values(), key=lambda flow: (-flow.players[0], SMALL_PACKS.get(flow.name, 1.0))):
        (fewest, most), packets = flow.players, len(flow.packets)
        fits = FEWEST_CARDS <= ceil(request.cards / packets) <= request.handful
        if len(flow.steps) > 1 or request.players < fewest or not fits or fault(flow):
            continue
        at_once = not distance(dispersion(flow, 1))
        if fewest == 1 and not at_once:  # spreads slowly: never among the best
            continue
        hands = min(request.players, most, packets)
        if (packets, hands, at_once) not in shown:
            shown.add((packets, hands, at_once))
            yield flow, hands


def _told(request: Request, procedure: Procedure, best: Tried) -> Recommendation:
    flow, hands, packets = procedure.flow, procedure.players, len(procedure.flow.packets)
    work = f"--cards {request.cards} --players {hands} --steps {best.steps} --riffles {best.riffles}"
    remark = f"fairdeck packets {flow.name} {work}"
    if request.sleeved:
        remark += ": no law is known for mashed packets"
    elif best.variation is None:
        remark += ": its quality would take too long to compute"
    riffled = "mashed" if request.sleeved else "riffled"
    # In the answer parts are told as shares, so that equal steps need no numbers; the sheets have the cards.
    procedure = replace(procedure, mashed=request.sleeved)
    sheets = [(who, (Step(_seats(procedure, who)), *procedure.do(who))) for who in procedure.everyone() if who]
    return Recommendation(
        mark=f"{packets} packets",
        way=f"in {packets} packets ({flow.name}): {best.steps} steps, each packet {riffled} {times(best.riffles)} a "
        "step",
        minutes=best.minutes,
        total_variation=best.variation,
        exact=False,
        needs=f"{hands} {'pair' if hands == 1 else 'pairs'} of practised hands",
        remark=remark,
        people=hands,
        do=(Step(_seats(procedure, None)), *replace(procedure, in_shares=True).do()),
        sheets=tuple(sheets),
    )


def _seats(procedure: Procedure, who: str | None) -> str:
    """Say who sits where: in the order of their names, clockwise, so that the next one is at the left."""
    people = procedure.everyone()
    count = len(people)
    if count == 1:
        names = ", ".join(procedure.flow.packets)
        return f"Lay the packets down in a row, from left to right: {names}."
    if count == 2:
        return "Sit opposite each other." if who is None else f"{people[1 - people.index(who)]} sits opposite."
    if who is None:
        return f"Sit around the table clockwise: {', '.join(procedure.flow.hands)}. The next one is always at the left."
    at = people.index(who)
    opposite = f", {people[(at + 2) % count]} opposite" if count == 4 else ""
    return f"{people[(at + 1) % count]} sits at your left, {people[at - 1]} at your right{opposite}."


WAY = WayToShuffle(IN_PACKETS, _in_packets)
