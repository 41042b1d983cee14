"""Cards or tiles are stirred on the table: nobody knows how random that is."""

from collections.abc import Iterator

from fairdeck.advice.request import Recommendation, Request
from fairdeck.advice.ways import WITHOUT_A_LAW, WayToShuffle, turns_by_itself
from fairdeck.dealing.pace import Pace
from fairdeck.steps import DECK, Step, stir


def _washed(request: Request, _pace: Pace) -> Iterator[Recommendation]:
    if not request.room:
        return
    yield Recommendation(
        mark="wash",
        way="wash it on the table, then square",
        minutes=1.0 + request.cards * 0.01,
        total_variation=None,
        exact=False,
        needs="a table" if request.cards_are == "tiles" else "a table, and cards that may slide",
        remark="no law is known; a minute is the usual advice for 52 cards",
        do=(
            Step(
                "Spread everything face down on the table and stir with both hands, also across. Gather from all "
                "sides.",
                ((stir, DECK),),
            ),
        ),
    )


WAY = WayToShuffle(WITHOUT_A_LAW, _washed, turned=turns_by_itself)
