"""Only hands are dealt, in one pass: they are exactly uniform, but no shuffled deck is left."""

from collections.abc import Iterator

from fairdeck.advice.request import Recommendation, Request
from fairdeck.advice.tasks import SEATS, command, for_hands, how_to_deal, parted, thing
from fairdeck.advice.ways import DEALT, WayToShuffle, turned_by_coins
from fairdeck.dealing.goal import WHOLE_DECK
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.outlook import outlook
from fairdeck.dealing.pace import Pace


def _hands_only(request: Request, pace: Pace) -> Iterator[Recommendation]:
    if request.goal != WHOLE_DECK or not 2 <= request.players <= min(SEATS, request.cards):
        return
    task = parted(request.cards, request.players, request.cards % request.players)
    hand = counted(request.cards // request.players, thing(request))
    yield Recommendation(
        mark="hands only",
        way=f"deal hands only, as fairdeck says: {request.players} hands of {hand} in one pass",
        minutes=outlook(task, pace).minutes,
        total_variation=0.0,
        exact=True,
        needs=for_hands(request, task),
        remark=f"{command(task)}; the hands are exactly uniform, but there is no shuffled deck afterwards: if hands "
        f"are all that you need, ask for them by --goal {task.goal}",
        do=how_to_deal(request, task, 1),
    )


WAY = WayToShuffle(DEALT, _hands_only, turned=turned_by_coins, gives_a_deck=False)
