"""Cards or tiles are stirred on the table: nobody knows how random that is."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fairdeck.advice.request import Recommendation, Request
from fairdeck.advice.ways import WITHOUT_A_LAW, WayToShuffle, turns_by_itself
from fairdeck.dealing.pace import Pace
from fairdeck.steps import DECK, Act, Step, in_any_order


@dataclass(frozen=True, slots=True)
class Wash(Step):
    """Everything is stirred; the machine takes that as thorough, which nobody knows."""

    @property
    def says(self) -> str:
        return "Spread everything face down on the table and stir with both hands, also across. Gather from all sides."

    def acts(self) -> Iterable[Act]:
        return [in_any_order(DECK)]


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
        do=(Wash(),),
    )


WAY = WayToShuffle(WITHOUT_A_LAW, _washed, turned=turns_by_itself)
