"""The whole deck is riffled, as often as the exact law asks for."""

from collections.abc import Iterator
from math import ceil

from fairdeck.advice.request import (
    CLUMSY,
    Recommendation,
    Request,
    as_these_hands_riffle,
    distance_after,
    enough_riffles,
    seconds_a_riffle,
)
from fairdeck.advice.tasks import times
from fairdeck.advice.ways import RIFFLED, WayToShuffle
from fairdeck.dealing.pace import Pace
from fairdeck.steps import DECK, Step, riffles


def _riffled(request: Request, pace: Pace) -> Iterator[Recommendation]:
    if request.sleeved or request.cards > request.handful:
        return
    enough = enough_riffles(request.cards, request.distance, request.seen)
    if enough is None:
        return
    numbers = [enough]
    if request.minutes is not None:  # and fewer, if there is no time for as many as are enough
        once = seconds_a_riffle(request.cards, pace) * ceil(request.decks / request.players)
        numbers += [number] if 0 < (number := int(60 * request.minutes / once)) < enough else []
    for number in numbers:
        yield _times(request, number, pace)


def _times(request: Request, enough: int, pace: Pace) -> Recommendation:
    clumps = f'fairdeck mix "riffle(neatness=0.4)*{enough}" --cards {request.cards}'
    way = Recommendation(
        mark="riffle",
        way=f"riffle it {times(enough)}",
        minutes=enough * seconds_a_riffle(request.cards, pace) / 60,
        total_variation=distance_after(request.cards, enough, request.seen),
        exact=True,
        needs="practised hands",
        remark=f"cards that fall in clumps make it far worse: see {clumps}",
        do=(
            Step(
                "Cut the deck about in the middle, and riffle the halves together so that cards fall one or two at a "
                f"time, not in clumps. Square the deck. That is one riffle. Do it {times(enough)}. Count aloud: it is "
                "easy to stop too early.",
                riffles(DECK, enough),
            ),
        ),
    )
    mine = request.riffler.recipe if request.riffler else ""
    return as_these_hands_riffle(way, request, f'{CLUMSY}: see fairdeck mix "{mine}*{enough}" --cards {request.cards}')


WAY = WayToShuffle(RIFFLED, _riffled)
