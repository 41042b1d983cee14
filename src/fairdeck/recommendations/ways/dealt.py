"""The deck is dealt as fairdeck says: exactly uniform, whatever the hands do. Several dealers may share the work."""

from collections.abc import Iterator
from itertools import groupby

from fairdeck.dealing.goal import Goal, Hands, WholeDeck
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.outlook import outlook
from fairdeck.dealing.pace import Pace
from fairdeck.dealing.planner import Task
from fairdeck.recommendations.answer import Recommendation
from fairdeck.recommendations.request import Request
from fairdeck.recommendations.tasks import on_bare_table, places
from fairdeck.recommendations.way import DEALT, WayToShuffle
from fairdeck.recommendations.wording import NO_MAT, command, how_to_deal

MOST_DEALERS = 4


def _dealt(request: Request, pace: Pace) -> Iterator[Recommendation]:
    hands_alone = isinstance(request.goal, Hands) and not request.goal.stock
    if hands_alone and (request.mat is None or not request.room):
        task = Task(request.cards, places(len(request.goal.piles)), request.goal)
        yield _as_told(request, task, pace, NO_MAT)
    elif request.room:
        for dealers in range(1, min(request.players, request.cards, MOST_DEALERS) + 1):
            task = _task(request, dealers, pace)
            mat, each = task.mat, "" if dealers == 1 else " for each"
            place = f"a mat of {mat}{each}" if request.mat else f"room for {mat} piles{each} on the bare table"
            yield _as_told(request, task, pace, f"{place}, and a phone or a printed plan")


def _task(request: Request, dealers: int, pace: Pace) -> Task:
    """Return the deal on the mat, or on the bare table."""
    if request.mat:
        return Task(request.cards, request.mat, request.goal, dealers=dealers)
    return on_bare_table(request.cards, request.goal, dealers=dealers, pace=pace)


def _as_told(request: Request, task: Task, pace: Pace, needs: str) -> Recommendation:
    ahead, dealers = outlook(task, pace), task.dealers
    who = "one dealer" if dealers == 1 else f"{dealers} dealers at once"
    do = how_to_deal(request, task, ahead.passes)
    sheets = [(f"Dealer {number}", (_seat(number, dealers), *do)) for number in range(1, dealers + 1)]
    return Recommendation(
        mark="deal" if dealers == 1 else f"deal, {dealers} at once",
        way=f"deal {_what(task.goal)} as fairdeck says, {counted(ahead.passes, 'pass')}, {who}",
        minutes=ahead.minutes,
        total_variation=0.0,
        exact=True,
        needs=needs,
        remark=command(task),
        people=dealers,
        do=do,
        sheets=tuple(sheets) if dealers > 1 else (),
    )


def _what(goal: Goal) -> str:
    """Return in words what the deal gives."""
    if isinstance(goal, Hands):
        alike = [(size, len(list(same))) for size, same in groupby(goal.sizes)]
        hands = [f"{counted(times, 'hand')} of {counted(size, 'card')}" for size, times in alike]
        return " and ".join([*hands, *["a stock"] * (goal.stock > 0)])
    return "it" if isinstance(goal, WholeDeck) else f"the top {counted(goal.ordered, 'card')}"


def _seat(number: int, dealers: int) -> str:
    """Say where a dealer sits."""
    where = [
        f"dealer {other} at your {side}"
        for other, side in ((number - 1, "left"), (number + 1, "right"))
        if 1 <= other <= dealers
    ]
    return f"Dealers sit side by side: {' and '.join(where)}. Each dealer has their own piles."


WAY = WayToShuffle(DEALT, _dealt, deals_hands=True)
