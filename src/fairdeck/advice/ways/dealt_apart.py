"""The deck is dealt onto a few random piles, then each pile is riffled: the dealing saves one or two rounds."""

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from math import ceil

from fairdeck.advice.request import (
    MOST_RIFFLES,
    PATIENCE,
    Recommendation,
    Request,
    as_these_hands_riffle,
    seconds_a_riffle,
)
from fairdeck.advice.tasks import NEW_ORDER, command, hand, parted, planned, times
from fairdeck.advice.ways import DEALT_APART, WayToShuffle
from fairdeck.dealing.pace import Pace
from fairdeck.shuffles.measured import mashes
from fairdeck.shuffles.riffled_piles import riffled_piles
from fairdeck.steps import DECK, Step, riffles, stack
from fairdeck.steps import mashes as mashed

MOST_PILES = 4
FEWEST_CARDS = 8  # of a pile
MOST_CARDS = 250


def _dealt_apart(request: Request, pace: Pace) -> Iterator[Recommendation]:
    if request.room and request.cards <= MOST_CARDS:
        numbers = range(2, min(MOST_PILES, request.cards // FEWEST_CARDS) + 1)
        found = [way for piles in numbers for way in _onto(request, piles, pace)]
        if found:
            yield min(found, key=lambda way: way.minutes)


def _onto(request: Request, piles: int, pace: Pace) -> Iterator[Recommendation]:
    """Yield the way with this number of piles, if hands can riffle them."""
    packet = ceil(request.cards / piles)
    if packet > request.handful:
        return
    verb, people = "mash" if request.sleeved else "riffle", min(request.players, piles)
    once = ceil(piles / people) * seconds_a_riffle(packet, pace)
    enough, variation, at_least = _riffles_of_each(request, piles, PATIENCE / once)
    if enough is None:
        return
    deal = request.cards * pace.of_a_card(piles) + piles * pace.pile + pace.step
    task = parted(request.cards, piles)
    dealing, places = command(task), tuple(map(hand, range(piles)))
    mixed = [act for pile in places for act in (mashed if request.sleeved else riffles)(pile, enough)]
    way = Recommendation(
        mark=f"deal, then {verb}",
        way=f"deal it onto {piles} random piles as fairdeck says, {verb} each {times(enough)}, stack",
        minutes=(deal + enough * once) / 60,
        total_variation=variation,
        exact=not request.sleeved,
        needs="a phone or a printed plan, and practised hands",
        remark=f"{dealing}; the dealing saves only one or two rounds",
        at_least=at_least,
        people=people,
        do=(
            Step(
                f"Start {dealing} --follow, or a printed plan, and deal every card onto the pile that it names. "
                f"{NEW_ORDER}",
                ((planned, task),),
            ),
            Step(
                f"{verb.capitalize()} each pile by itself {times(enough)}"
                f"{': share the piles among you' if request.players > 1 else ''}. Stack the piles.",
                (*mixed, (stack, (DECK, *places), DECK)),
            ),
        ),
    )
    yield as_these_hands_riffle(way, request)


def _riffles_of_each(request: Request, piles: int, most: float) -> tuple[int | None, float | None, float]:
    """Return how often, up to `most`, to riffle each pile, the distance after that, and a lower bound on it."""
    if request.sleeved:  # the deck is never nearer than one of its piles
        enough, at_least = mashes(request.cards // piles, request.distance, most)
        return enough, None, at_least
    # More riffles are never further from random.
    tried = range(1, MOST_RIFFLES)
    enough = 1 + bisect_left(
        tried, True, key=lambda riffles: _distance(request.cards, piles, riffles) <= request.distance
    )
    if enough == MOST_RIFFLES:
        return None, None, 0.0
    return enough, _distance(request.cards, piles, enough), 0.0


@lru_cache(maxsize=1024)
def _distance(cards: int, piles: int, riffles: int) -> float:
    return float(riffled_piles(cards, piles, riffles).total_variation or 0)


WAY = WayToShuffle(DEALT_APART, _dealt_apart)
