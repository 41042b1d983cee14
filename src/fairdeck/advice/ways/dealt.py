"""The deck is dealt as fairdeck says: exactly uniform, whatever the hands do. Several dealers may share the work."""

from collections.abc import Iterator
from dataclasses import replace

from fairdeck.advice import tasks
from fairdeck.advice.request import Recommendation, Request
from fairdeck.advice.ways import DEALT, WayToShuffle, turns_by_itself
from fairdeck.dealing.goal import Hands, TopCards
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.outlook import outlook
from fairdeck.dealing.pace import Pace
from fairdeck.dealing.planner import Task
from fairdeck.steps import Step

MOST_DEALERS = 4
FEWEST_CARDS = 8  # for each of several dealers


def _dealt(request: Request, pace: Pace) -> Iterator[Recommendation]:
    hands = request.goal if isinstance(request.goal, Hands) and not request.goal.stock else None
    if hands and len(hands.piles) <= tasks.MOST_PILES and (request.mat is None or not request.room):
        task = Task(request.cards, tasks.places(len(hands.piles)), hands)
        if request.room or tasks.seated(request, task):
            yield _as_told(request, task, pace, tasks.for_hands(request, task))
    elif request.room:
        most = max(1, min(request.players, request.cards // FEWEST_CARDS, MOST_DEALERS))
        for dealers in range(1, most + 1):
            task = _task(request, dealers, pace)
            mat, each = task.mat, "" if dealers == 1 else " for each dealer"
            place = f"a mat of {mat}{each}" if request.mat else f"room for {mat} piles{each} on the bare table"
            yield _as_told(request, task, pace, f"{place}, and {tasks.PLAN}")


def _task(request: Request, dealers: int, pace: Pace) -> Task:
    """Return the deal on the mat, or on the bare table."""
    if request.mat is None:
        return tasks.on_bare_table(request.cards, request.goal, dealers=dealers, pace=pace)
    return Task(request.cards, request.mat, request.goal, dealers=dealers)


def _as_told(request: Request, task: Task, pace: Pace, needs: str) -> Recommendation:
    if request.cards_are == "tiles" and task.gathered and not task.never_from_bottom:
        task = replace(task, bottom="never")  # tiles are taken in any order: they have no bottom
    task = replace(task, turn=request.cards_are == "tarot")
    ahead, dealers = outlook(task, pace), task.dealers
    who = "one dealer" if dealers == 1 else f"{dealers} dealers at once"
    who += ", reversals included" if task.turn else ""
    do = tasks.how_to_deal(request, task, ahead.passes)
    if task.counted_off and isinstance(request.goal, Hands):
        do = (*do, tasks.counted_off(request.goal, request.cards, tasks.thing(request)))
    sheets = [(f"Dealer {number}", (Step(_seat(number, dealers)), *do)) for number in range(1, dealers + 1)]
    return Recommendation(
        mark="deal" if dealers == 1 else f"deal, {dealers} at once",
        way=f"deal {_what(request)} as fairdeck says, {counted(ahead.passes, 'pass')}, {who}",
        minutes=ahead.minutes,
        total_variation=0.0,
        exact=True,
        needs=needs,
        remark=tasks.command(task),
        people=dealers,
        do=do,
        sheets=tuple(sheets) if dealers > 1 else (),
    )


def _what(request: Request) -> str:
    """Return in words what the deal gives."""
    goal = request.goal
    if isinstance(goal, Hands):
        return f"{tasks.hands_of(goal, tasks.thing(request))}{' and a stock' * (goal.stock > 0)}"
    return f"the top {counted(goal.ordered, tasks.thing(request))}" if isinstance(goal, TopCards) else "it"


def _seat(number: int, dealers: int) -> str:
    """Say where a dealer sits."""
    where = [
        f"dealer {other} at your {side}"
        for other, side in ((number - 1, "left"), (number + 1, "right"))
        if 1 <= other <= dealers
    ]
    return f"Dealers sit side by side: {' and '.join(where)}. Each dealer has their own piles."


WAY = WayToShuffle(DEALT, _dealt, turned=turns_by_itself, deals_hands=True)
