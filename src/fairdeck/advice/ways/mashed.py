"""Sleeved cards are mashed: no law is known, only what simulated decks show."""

from collections.abc import Iterator

from fairdeck.advice.request import PATIENCE, Recommendation, Request, seconds_a_riffle
from fairdeck.advice.tasks import times
from fairdeck.advice.ways import RIFFLED, WayToShuffle
from fairdeck.dealing.pace import Pace
from fairdeck.shuffles.measured import mashes
from fairdeck.steps import DECK, Step
from fairdeck.steps import mashes as mashed


def _mashed(request: Request, pace: Pace) -> Iterator[Recommendation]:
    if not request.sleeved or request.cards > request.handful:
        return
    once = seconds_a_riffle(request.cards, pace)
    enough, at_least = mashes(request.cards, request.distance, PATIENCE / once)
    see = f'fairdeck mix "mash*{enough}" --cards {request.cards}'
    yield Recommendation(
        mark="mash",
        way=f"mash it {times(enough)}",
        minutes=enough * once / 60,
        total_variation=None,
        exact=False,
        needs="practised hands",
        remark=f"no law is known, and clumps stay together long: see {see}",
        at_least=at_least,
        do=(
            Step(
                "Cut off about a third, push it into the rest from the side, and square the deck. That is one mash. "
                f"Do it {times(enough)}.",
                mashed(DECK, enough),
            ),
        ),
    )


WAY = WayToShuffle(RIFFLED, _mashed)
