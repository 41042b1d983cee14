"""The deals that ways ask for, as tasks of the planner: onto which piles what is dealt."""

from functools import lru_cache
from math import ceil

from fairdeck.dealing.goal import WHOLE_DECK, Goal, Hands
from fairdeck.dealing.mat import LARGEST_SIDE, Mat
from fairdeck.dealing.outlook import outlook
from fairdeck.dealing.pace import ASSUMED, Pace
from fairdeck.dealing.planner import Task

TABLES = (Mat(3, 2), Mat(4, 2), Mat(5, 2), Mat(4, 3), Mat(5, 3), Mat(4, 4))  # rows of piles on a bare table
SEATS = 10  # people who sit around one table
IN_REACH = 8  # piles in a row
RARELY = 0.1  # the chance of one more pass that a bare table may leave


def on_bare_table(cards: int, goal: Goal = WHOLE_DECK, *, dealers: int = 1, pace: Pace = ASSUMED) -> Task:
    """Return the deal on a bare table, onto the rows of piles that are quickest.

    >>> str(on_bare_table(60).mat)
    '3x2'
    """
    tables = [mat for mat in TABLES if mat.spaces > len(goal.piles)] or [places(len(goal.piles) + 1)]
    if cards < TABLES[0].spaces:
        tables = [Mat(cards, 1)]
    tasks = [Task(cards, mat, goal, dealers=dealers) for mat in tables]
    return min(tasks, key=lambda task: _sure_minutes(task, pace))


@lru_cache(maxsize=1024)
def _sure_minutes(task: Task, pace: Pace) -> float:
    found = outlook(task, pace)
    return found.minutes * (1 + (found.chance_of_one_more_pass > RARELY))


def places(number: int) -> Mat:
    """Return a mat with this number of spaces or a few more: players' places, or piles, need no real mat."""
    columns = number if number <= SEATS else max(IN_REACH, ceil(number / LARGEST_SIDE))
    rows = ceil(number / columns)
    return Mat(ceil(number / rows), rows)


def parted(cards: int, piles: int, rest: int = 0) -> Task:
    """Return the deal of all cards but a rest onto piles at random, as even as possible."""
    each, more = divmod(cards - rest, piles)
    goal = Hands((each + 1,) * more + (each,) * (piles - more), rest=rest)
    return Task(cards, places(len(goal.piles)), goal)
