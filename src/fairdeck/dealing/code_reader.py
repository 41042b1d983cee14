"""Codes of deals, read: the counterpart of `fairdeck.dealing.share_code`."""

import json
import re
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from math import factorial
from typing import Any, get_args
from urllib.parse import unquote

from fairdeck.dealing.goal import parse_goal
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.plan import Plan
from fairdeck.dealing.planner import Bottom, Task, plan_for
from fairdeck.dealing.share_code import (
    CLASSIC,
    LARGEST_CODED,
    LONGEST_CODE,
    LONGEST_GOAL,
    MARK,
    MOST_DEALERS,
    _head,
    _letters,
    _sum,
    refuse_uncoded,
)
from fairdeck.errors import FairdeckError
from fairdeck.numbers import without_blanks
from fairdeck.permutation import Permutation
from fairdeck.randomness import uniform_permutation

CODE = re.compile(
    r"f1\.(?P<cards>[0-9]{1,5})\.(?P<mat>[0-9]{1,2}x[0-9]{1,2})\.(?P<goal>[^.]+)\.(?P<how>[a-z]+)"
    r"\.(?P<dealer>[0-9])of(?P<dealers>[0-9])\.(?P<at>[0-9]{1,7})\.(?P<order>[\w-]*)\.(?P<sum>[0-9a-z]+)"
    r"(\.(?P<labels>[^.]+))?",
    re.ASCII,
)
NO_CODE = "this is not the code of a deal, or not all of it: copy the whole code again"


@dataclass(frozen=True, slots=True)
class CodedDeal:
    """The content of a code: the task, the order drawn (bottom first), the dealer (0 is the first), the steps done."""

    task: Task
    arrangement: Permutation
    dealer: int = 0
    at: int = 0


def read_code(text: str) -> CodedDeal:
    """Read the code of a deal; there may be a link or words before it.

    Raises:
        FairdeckError: the text is not a code, or not all of it, or its checksum is wrong.

    >>> read_code("f1.5.2x1.deck.pass.1of1.0.Au.17xsrgz").arrangement
    (3, 0, 2, 4, 1)
    """
    if len(text) > LONGEST_CODE:
        raise FairdeckError(f"the text has {len(text)} letters: a code of a deal has at most {LONGEST_CODE}")
    packed = without_blanks(text).rstrip(".")
    match = CODE.fullmatch(packed, max(0, packed.find(f"{MARK}.")))
    if not match or match["how"] not in (CLASSIC, *get_args(Bottom)) or len(match["goal"]) > LONGEST_GOAL:
        raise FairdeckError(NO_CODE)
    cards, dealers, dealer, at = int(match["cards"]), int(match["dealers"]), int(match["dealer"]) - 1, int(match["at"])
    if not (1 <= cards <= LARGEST_CODED and 0 <= dealer < dealers <= MOST_DEALERS):
        raise FairdeckError(NO_CODE)
    mat = Mat.parse(match["mat"])
    mat = Mat(mat.columns, mat.rows, _read_labels(match["labels"]))
    goal = match["goal"].replace("_", ":", 1).replace("_", ",").replace("-", "+")
    how: dict[str, Any] = {"classic": True} if match["how"] == CLASSIC else {"bottom": match["how"]}
    task = Task(cards, mat, parse_goal(goal, cards), dealers, **how)
    refuse_uncoded(task)
    head = _head(task, dealer, at)
    arrangement = _read_order(match["order"], cards)
    plan = plan_for(task, arrangement)
    if match["goal"] not in head or _sum(head, plan) != match["sum"] or at > _steps(plan, dealer):
        raise FairdeckError(
            "a letter of the code is wrong, or another version of fairdeck made it: copy the code again"
        )
    return CodedDeal(task, arrangement, dealer, at)


class _Digits:
    """A chooser whose draws are the digits of a number in mixed radix, lowest first."""

    def __init__(self, value: int) -> None:
        self.value = value

    def below(self, bound: int) -> int:
        self.value, drawn = divmod(self.value, bound)
        return drawn


def order_numbered(value: int, cards: int) -> Permutation:
    """Return the order that has a number, as `fairdeck.dealing.share_code.order_number` counts them.

    Raises:
        FairdeckError: there are not so many orders.

    >>> order_numbered(46, 5)
    (3, 0, 2, 4, 1)
    """
    if not 0 <= value < factorial(cards):
        raise FairdeckError(f"no order of {cards} cards has such a number")
    return uniform_permutation(cards, _Digits(value))


def _read_order(text: str, cards: int) -> Permutation:
    spare = -len(text) % 4
    # First the length, so that only numbers about as long are compared with n!.
    if len(text) != _letters(cards):
        raise FairdeckError(NO_CODE)
    try:
        return order_numbered(int.from_bytes(urlsafe_b64decode(text + "A" * spare), "big") >> 6 * spare, cards)
    except FairdeckError:
        raise FairdeckError(NO_CODE) from None


def _read_labels(text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    try:
        labels = json.loads(unquote(text, errors="strict"))
    except (ValueError, RecursionError):
        raise FairdeckError(NO_CODE) from None
    if not isinstance(labels, list) or not labels or not all(isinstance(label, str) for label in labels):
        raise FairdeckError(NO_CODE)
    return tuple(labels)


def _steps(plan: Plan, dealer: int) -> int:
    """Return how many steps the page asks of a dealer; after the joining, only the first dealer works."""
    steps = 0
    for step in plan.passes:
        cards = step.packets[dealer] if step.packets else len(step.deal)
        steps += cards + 2 + (plan.dealers > 1)  # the opening, each card, the check of heights, the joining
        if dealer == 0:
            steps += bool(step.finished()) + max(0, len(step.stack) - 1)
    return steps
