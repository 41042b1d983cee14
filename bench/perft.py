"""How many orders are dealt in how many passes with how many spaces; writes ``docs/reference/perft.md``.

Every order of a few cards is planned, for many tasks, and a digest of all the plans is taken. Another implementation of
the planner can check itself against these numbers, as chess programs do with theirs (perft).

    python -m bench.perft
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

from fairdeck.dealing.goal import parse_goal
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.plan import Plan
from fairdeck.dealing.planner import Task, plan_for

ROOT = Path(__file__).parents[1]
RESULTS, PAGE = ROOT / "bench" / "perft.json", ROOT / "docs" / "reference" / "perft.md"
FORMAT = "fairdeck-perft/1"
MATS = ("2x1", "3x1", "2x2", "5x2")
LARGEST = 7
OPTIONS: tuple[dict[str, Any], ...] = (
    {"bottom": "never"},
    {"bottom": "space"},
    {"classic": True},
    {"least_passes": 2},
    {"least_passes": 3, "bottom": "space"},
    {"dealers": 2},
)
GOALS = ("top:1", "top:4", "hands:2,3", "hands:1,1,1,1,1", "hands:2x2+stock", "hands:2+stock", "hands:2x2+rest")
MORE_GOALS = ("top:3", "hands:3x2", "hands:2x2+stock", "hands:1,2+rest")


@dataclass(frozen=True, slots=True)
class Row:
    """A task, and what came of planning every order of its cards.

    Attributes:
        task: what is planned.
        plans: how many orders are dealt with (passes, spaces).
        digest: the SHA-256 of all plans, in lowercase hexadecimal digits.
    """

    task: Task
    plans: dict[tuple[int, int], int]
    digest: str

    def as_dict(self) -> dict[str, Any]:
        """Return the row as JSON holds it."""
        task = self.task
        return {
            "cards": task.cards,
            "mat": f"{task.mat.columns}x{task.mat.rows}",
            "goal": str(task.goal),
            "dealers": task.dealers,
            "least_passes": task.least_passes,
            "classic": task.classic,
            "bottom": task.bottom,
            "plans": [{"passes": k, "spaces": s, "orders": count} for (k, s), count in sorted(self.plans.items())],
            "sha256": self.digest,
        }


def tasks() -> Iterator[Task]:
    """Yield the tasks of the table."""
    for cards in range(1, LARGEST + 1):
        yield from (Task(cards, Mat.parse(mat)) for mat in MATS)
    for options in OPTIONS:
        yield from (Task(5, Mat.parse(mat), **options) for mat in MATS)
    for cards, goals in ((5, GOALS), (6, MORE_GOALS)):
        for goal in goals:
            yield from _possible(cards, goal)


def _possible(cards: int, goal: str) -> Iterator[Task]:
    wanted = parse_goal(goal, cards)
    needed = len(wanted.piles) + (sum(wanted.piles) < cards)
    yield from (Task(cards, mat, wanted) for mat in map(Mat.parse, MATS) if mat.spaces >= needed)


def task_of(row: dict[str, Any]) -> Task:
    """Return the task of a row of the JSON file."""
    options = {name: row[name] for name in ("dealers", "least_passes", "classic", "bottom")}
    return Task(row["cards"], Mat.parse(row["mat"]), parse_goal(row["goal"], row["cards"]), **options)


def text_of(plan: Plan) -> str:
    """Return the line that a plan adds to the digest: its JSON without spaces, and a line feed."""
    return json.dumps(plan.as_dict(), separators=(",", ":")) + "\n"


def planned(task: Task) -> Row:
    """Plan every order of the task's cards, in lexicographic order, and return the row."""
    plans: Counter[tuple[int, int]] = Counter()
    digest = hashlib.sha256()
    for order in permutations(range(task.cards)):
        plan = plan_for(task, order)
        plans[len(plan.passes), spaces_of(plan)] += 1
        digest.update(text_of(plan).encode())
    return Row(task, dict(plans), digest.hexdigest())


def spaces_of(plan: Plan) -> int:
    """Return the most spaces that a pass of the plan has cards on."""
    return max(len(set(step.deal)) for step in plan.passes)


def page(rows: Sequence[Row]) -> str:
    """Return the page."""
    whole = [row for row in rows if _plain(row.task)]
    others = [row for row in rows if not _plain(row.task)]
    return HEAD + "\n".join(
        [
            "## The whole deck",
            "",
            *_table(whole),
            "",
            "## Other goals and options",
            "",
            *_table(others),
            "",
            TAIL.format(rows=len(rows)),
        ]
    )


def _plain(task: Task) -> bool:
    return task == Task(task.cards, task.mat)


def _table(rows: Iterable[Row]) -> Iterator[str]:
    yield "| cards | mat | goal and options | orders: passes × spaces | SHA-256 of the plans, first 16 digits |"
    yield "|---:|---|---|---|---|"
    for row in rows:
        task, plans = row.task, sorted(row.plans.items())
        counts = ", ".join(f"{count:,}: {passes}×{spaces}" for (passes, spaces), count in plans)
        yield f"| {task.cards} | {task.mat} | {_said(task)} | {counts} | `{row.digest[:16]}` |"


def _said(task: Task) -> str:
    usual = Task(task.cards, task.mat)
    names = ("dealers", "least_passes", "classic", "bottom")
    given = (f"{name} {getattr(task, name)}" for name in names if getattr(task, name) != getattr(usual, name))
    return ", ".join([str(task.goal), *(text.removesuffix(" True") for text in given)])


HEAD = f"""# Perft: the number of plans

Chess programs check their move generators with perft tables: how many positions there are after each number of moves.
This is such a table for planners. Every order of a few cards is planned, and the plans are counted by passes and
spaces. If you write a planner in another language, compare its counts; if a count differs, compare the plans one by
one. Equal digests mean equal plans, byte for byte. The dealing page's planner, in JavaScript, is tested against the
same table.

`python -m bench.perft` wrote this page and [bench/perft.json](../../bench/perft.json), which has the whole digests.

## How a row is computed

1. The task: cards, mat, goal, and the options `dealers` (1), `least_passes` (1), `classic` (no) and `bottom` (`pass`),
   with their usual values in brackets. [`Task`](api/index.md) says what they mean.
2. Take every arrangement of the cards 0 to n - 1, bottom first, in lexicographic order: for three cards `0,1,2`,
   `0,2,1`, `1,0,2`, `1,2,0`, `2,0,1`, `2,1,0`. An arrangement says which card ends at each place; card 0 is the bottom
   one now.
3. Make the plan for each arrangement. Count it by the number of its passes, and by its spaces: the most spaces on
   which one of its passes deals a card.
4. Write the plan as JSON ([the format](plan.md)) in ASCII without spaces or line breaks, then one line feed (byte 10).
   The fields come in this order: `format`, `cards`, `mat` (`columns`, `rows`, `labels`), `dealers`, `goal`, `passes`;
   in each pass `deal`, `stack`, `counts`, then `from` only where it is `"bottom"`, then `packets` only with several
   dealers. Labels are A1, A2, ... The first plan of three cards on a 2x1 mat is

       {text_of(plan_for(Task(3, Mat(2, 1)), (0, 1, 2))).strip()}

5. The digest is the SHA-256 of all these lines, one after the other.

In the tables, `2: 1×1, 4: 1×2` means: two orders take one pass with one space, and four orders one pass with two.

"""

TAIL = """## Why these numbers

For a whole deck the counts are sums of Euler's numbers. Of n! orders, A(n, d) have d descents: for four cards 1, 11,
11, 1. An order with d descents has d + 1 rising and n - d falling sequences. It needs d + 1 keys if the passes
keep the order of equal keys, and n - d keys if they turn it ([why](../explanation/fewest-piles.md)). k passes on m
spaces offer m^k keys. One pass from the top turns, one from the bottom keeps. So one pass on m spaces deals the orders
with d + 1 <= m or n - d <= m.

Five cards, d = 0 to 4: there are 1, 26, 66, 26, 1 orders. On three spaces all have d + 1 <= 3 or 5 - d <= 3, so all
120 orders take one pass. On two spaces 1 + 26 + 26 + 1 = 54 take one pass, and 66 take two. A test computes passes and
spaces of each row of a whole deck in this way, without the planner, and compares; with `classic` each card has a key.

`make test` plans the rows of up to five cards anew, in Python and in JavaScript; `make long` plans all {rows} rows.
"""


def main() -> None:
    """Plan, and write the results and the page."""
    rows = [planned(task) for task in tasks()]
    told = {"format": FORMAT, "rows": [row.as_dict() for row in rows]}
    lines = ",\n".join(json.dumps(row) for row in told["rows"])
    RESULTS.write_text(f'{{"format": "{FORMAT}", "rows": [\n{lines}\n]}}\n', encoding="utf-8")
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
