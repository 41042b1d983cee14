"""The deck is shuffled overhand: no law is known, only what simulated decks show."""

from collections.abc import Iterator

from fairdeck.advice.request import PATIENCE, USUAL_HANDFUL, Recommendation, Request
from fairdeck.advice.ways import WITHOUT_A_LAW, WayToShuffle, turned_by_coins
from fairdeck.dealing.pace import Pace
from fairdeck.shuffles.measured import overhands
from fairdeck.steps import DECK, Step, strip

A_FEW = 5  # cards


def _overhand(request: Request, pace: Pace) -> Iterator[Recommendation]:
    if request.cards > request.handful:
        return
    once = pace.overhand * max(1.0, request.cards / USUAL_HANDFUL)
    enough, at_least = overhands(request.cards, request.distance, PATIENCE / once)
    yield Recommendation(
        mark="overhand",
        way=f"overhand, {enough:,} times",
        minutes=enough * once / 60,
        total_variation=None,
        exact=False,
        needs="patience",
        remark="whole packets stay together. The number needed grows as n^2 log n, times an unknown factor "
        f'(Pemantle 1989, Jonasson 2006): see fairdeck mix "overhand*{enough}" --cards {request.cards}',
        at_least=at_least,
        do=(
            Step(
                f"Shuffle overhand, a few cards at a time, from one hand into the other: {enough:,} times.",
                ((strip, DECK, A_FEW),) * enough,
            ),
        ),
    )


WAY = WayToShuffle(WITHOUT_A_LAW, _overhand, turned=turned_by_coins)
