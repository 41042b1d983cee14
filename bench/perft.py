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


def rows_of(results: dict[str, Any]) -> list[Row]:
    """Return the rows of the JSON file."""
    return [
        Row(task_of(row), {(each["passes"], each["spaces"]): each["orders"] for each in row["plans"]}, row["sha256"])
        for row in results["rows"]
    ]


def page(rows: Sequence[Row]) -> str:
    """Return the page: how a row is computed, and some rows."""
    return HEAD + "\n".join(_table(row for row in rows if row.task in SHOWN)) + "\n\n" + TAIL.format(rows=len(rows))


def _table(rows: Iterable[Row]) -> Iterator[str]:
    yield "| cards | mat | orders: passes × spaces | SHA-256 of the plans, first 16 digits |"
    yield "|---:|---|---|---|"
    for row in rows:
        counts = ", ".join(f"{count:,}: {passes}×{spaces}" for (passes, spaces), count in sorted(row.plans.items()))
        yield f"| {row.task.cards} | {row.task.mat} | {counts} | `{row.digest[:16]}` |"


SHOWN = (Task(3, Mat(2, 1)), Task(5, Mat(2, 1)), Task(5, Mat(3, 1)), Task(7, Mat(5, 2)))

HEAD = f"""# Perft: the number of plans

Chess programs check their move generators with perft tables: how many positions there are after each number of moves.
This is such a table for planners: every order of a few cards is planned, and the plans are counted by passes and
spaces. If you write a planner, compare its counts; equal digests mean equal plans, byte for byte. The dealing page's
planner, in JavaScript, is tested against the same table.

[bench/perft.json](../../bench/perft.json) has all rows; `python -m bench.perft` wrote it and this page. A row:

1. The task: cards, mat, goal, and the options `dealers` (1), `least_passes` (1), `classic` (no) and `bottom` (`pass`),
   with their usual values in brackets. [`Task`](api/index.md) says what they mean.
2. Take every arrangement of the cards 0 to n - 1, bottom first, in lexicographic order: for three cards `0,1,2`,
   `0,2,1`, `1,0,2`, `1,2,0`, `2,0,1`, `2,1,0`. Make the plan for each. Count it by the number of its passes and by its
   spaces: the most spaces on which one of its passes deals a card.
3. Write the plan as JSON ([the format](plan.md)) in ASCII without spaces or line breaks, then one line feed (byte 10).
   The fields come in this order: `format`, `cards`, `mat` (`columns`, `rows`, `labels`), `dealers`, `goal`, `passes`;
   in each pass `deal`, `stack`, `counts`, then `from` only where it is `"bottom"`, then `packets` only with several
   dealers. Labels are A1, A2, ... The first plan of three cards on a 2x1 mat is

       {text_of(plan_for(Task(3, Mat(2, 1)), (0, 1, 2))).strip()}

4. The digest is the SHA-256 of all these lines, one after the other.

Some rows for a whole deck; `2: 1×1, 4: 1×2` means that two orders take one pass with one space, and four orders one
pass with two:

"""

TAIL = """For a whole deck the counts are sums of Euler's numbers: of n! orders, A(n, d) have d descents, and such an
order needs d + 1 or n - d keys ([why](../explanation/how-it-works.md)). Five cards have 1, 26, 66, 26, 1 orders; on two
spaces 1 + 26 + 26 + 1 = 54 take one pass and 66 take two. A test computes every row of a whole deck so, without the
planner. `make test` plans the rows of up to five cards anew, in Python and in JavaScript; `make long` all {rows}.
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
