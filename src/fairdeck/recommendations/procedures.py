"""How much of a packet procedure is enough: how many steps, and how many riffles of each packet in a step.

No exact law is known for packets. The estimate adds two distances from random. The first is that of the whole deck,
riffled as often as each packet is: an exact law gives it. The second is that of the number of cards from each packet,
or that of the places of the cards, whichever is larger.
"""

import sys
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, erf, sqrt

from fairdeck.dealing.pace import Pace
from fairdeck.packets.dispersion import dispersion, distance
from fairdeck.packets.notation import MOST_ROUNDS, Flow
from fairdeck.packets.positions import seen_step_by_step, work_of_a_step
from fairdeck.recommendations.request import Request
from fairdeck.recommendations.riffling import (
    PATIENCE,
    distance_after,
    enough_riffles,
    packet_minutes,
    seconds_a_riffle,
)
from fairdeck.shuffles.measured import mashes

MOST_RIFFLES = 5  # of each packet in a step
FEWEST_STEPS = {1: 4, 2: 4}  # by riffles of each packet; with more riffles `FEWEST_STEPS_ELSE`
FEWEST_STEPS_ELSE = 3
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
    even = next((k for k in range(1, MOST_ROUNDS) if _uneven(flow, cards, k) <= request.distance / 2), MOST_ROUNDS)
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
    law = distance_after(request.cards, tried.steps * tried.riffles)
    uneven = _uneven(flow, request.cards, tried.steps)
    return replace(tried, variation=min(1.0, law + max(uneven, followed.after(tried.steps))))


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


def _uneven(flow: Flow, cards: int, steps: int) -> float:
    """Return about how far from random the number of cards is that come from one packet into another, at the worst.

    A share that is still uneven moves the mean of that number; its law is taken as normal, with the
    variance of the hypergeometric law.
    """
    size, others = cards / len(flow.packets), 1 - 1 / len(flow.packets)
    moved = size * float(distance(dispersion(flow, steps)))
    spread = sqrt(size * (1 - others) * others * (cards - size) / (cards - 1))
    return erf(moved / (2 * sqrt(2) * spread))
