"""A deal as a short text, the same that the dealing page writes and reads.

    f1.60.5x2.deck.pass.1of2.37.ORDER.SUM, and after own labels .LABELS

These are the cards, the mat, the goal, when to deal from the bottom, which dealer of how many, and
how many steps this dealer has taken. The order is written as the draws of `uniform_permutation` that make
it: one number in mixed radix, in base 64, 88 letters for 100 cards. Anyone who reads a code can work
out the order. The checksum covers the plan too, so it detects a code that is cut short or mistyped.

The page computes the plan from the code, with the fewest passes and keys. So a task that asks for other plans has
no code, whatever order is drawn. (If the refusal depended on the order, people would draw again, and the deals
would be biased.)
"""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import factorial
from typing import get_args
from urllib.parse import quote, unquote

from fairdeck.dealing.goal import parse_goal
from fairdeck.dealing.mat import Mat, letters
from fairdeck.dealing.plan import Plan
from fairdeck.dealing.planner import Bottom, Task, plan_for
from fairdeck.errors import FairdeckError
from fairdeck.permutation import Permutation
from fairdeck.randomness import uniform_permutation

MARK = "f1"
LARGEST_CODED = 10_000
LONGEST_LABEL = 8
LONGEST_CODE = 40_000
LONGEST_GOAL = 200
LONGEST_SUM, SUM_AT = 7, 8  # letters of the checksum, which is not padded; and its place
LONGEST_REST = 64  # more letters than a code has beside order, goal and labels
MOST_DEALERS = 4
CODE = re.compile(
    r"f1\.(?P<cards>[0-9]{1,5})\.(?P<mat>[0-9]{1,2}x[0-9]{1,2})\.(?P<goal>[^.]+)\.(?P<bottom>[a-z]+)"
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


def refuse_uncoded(task: Task) -> None:
    """Refuse a task that no code can hold, whatever order is drawn.

    Raises:
        FairdeckError: it is too large, has too many dealers or too long labels or hands, or asks for
            more passes or keys than needed.
    """
    if task.classic or task.least_passes > 1:
        asked = "one sort key a card" if task.classic else f"at least {task.least_passes} passes"
        raise FairdeckError(f"a code cannot ask for {asked}, only for the fewest passes: leave that out")
    if task.cards > LARGEST_CODED:
        raise FairdeckError(f"{task.cards} cards are too many for a code: use up to {LARGEST_CODED}")
    if task.dealers > MOST_DEALERS:
        raise FairdeckError(f"{task.dealers} dealers are too many for a code: use up to {MOST_DEALERS}")
    for label in task.mat.labels:
        if letters(label) > LONGEST_LABEL:
            raise FairdeckError(f"label {label!r} is too long for a code: use 1 to {LONGEST_LABEL} letters")
    if len(str(task.goal)) > LONGEST_GOAL:
        raise FairdeckError(f"goal {str(task.goal)[:40]}... is too long for a code: use fewer sizes of hands")
    length = _letters(task.cards) + len(_labels(task.mat)) + len(str(task.goal)) + LONGEST_REST
    if length > LONGEST_CODE:
        raise FairdeckError(
            f"{task.cards} cards on {task.mat.spaces} own labels make a code of up to {length} letters, "
            f"more than {LONGEST_CODE}: use shorter labels"
        )


def write_code(task: Task, arrangement: Sequence[int], dealer: int = 0, at: int = 0) -> str:
    """Return the code of a deal, exactly as the dealing page writes it.

    Args:
        task: the task that is dealt.
        arrangement: the order drawn, bottom first.
        dealer: the dealer whose part it is, 0 for the first.
        at: how many steps this dealer has taken.

    Raises:
        FairdeckError: no code can hold the deal; the message says why.

    >>> write_code(Task(5, Mat(2, 1)), (3, 0, 2, 4, 1))
    'f1.5.2x1.deck.pass.1of1.0.Au.17xsrgz'
    """
    refuse_uncoded(task)
    if not (0 <= dealer < task.dealers and 0 <= at < 10**7):
        raise FairdeckError(f"dealer {dealer} of {task.dealers} at step {at}: the deal has no such step")
    head, plan = _head(task, dealer, at), plan_for(task, arrangement)
    parts = [MARK, *head, _write_order(arrangement), _sum(head, plan)]
    return ".".join(parts) + _labels(task.mat)


def longest_code(task: Task) -> int:
    """Return the largest number of letters that the code of a deal can have, over all orders."""
    code = write_code(task, range(task.cards), task.dealers - 1)
    return len(code) + LONGEST_SUM - len(code.split(".")[SUM_AT])


def read_code(text: str) -> CodedDeal:
    """Read the code of a deal; there may be a link or words before it.

    Raises:
        FairdeckError: the text is not a code, or not all of it, or its checksum is wrong.

    >>> read_code("f1.5.2x1.deck.pass.1of1.0.Au.17xsrgz").arrangement
    (3, 0, 2, 4, 1)
    """
    if len(text) > LONGEST_CODE:
        raise FairdeckError(f"the text has {len(text)} letters: a code of a deal has at most {LONGEST_CODE}")
    packed = "".join(text.split()).rstrip(".")
    match = CODE.fullmatch(packed, max(0, packed.find(f"{MARK}.")))
    if not match or match["bottom"] not in get_args(Bottom) or len(match["goal"]) > LONGEST_GOAL:
        raise FairdeckError(NO_CODE)
    cards, dealers, dealer, at = int(match["cards"]), int(match["dealers"]), int(match["dealer"]) - 1, int(match["at"])
    if not (1 <= cards <= LARGEST_CODED and 0 <= dealer < dealers <= MOST_DEALERS):
        raise FairdeckError(NO_CODE)
    mat = Mat.parse(match["mat"])
    mat = Mat(mat.columns, mat.rows, _read_labels(match["labels"]))
    goal = match["goal"].replace("_", ":", 1).replace("_", ",").replace("-", "+")
    task = Task(cards, mat, parse_goal(goal, cards), dealers, bottom=match["bottom"])  # type: ignore[arg-type]
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


def _head(task: Task, dealer: int, at: int) -> list[str]:
    goal = str(task.goal).translate({ord(":"): "_", ord(","): "_", ord("+"): "-"})
    return [str(task.cards), str(task.mat), goal, task.bottom, f"{dealer + 1}of{task.dealers}", str(at)]


def _sum(head: Sequence[str], plan: Plan) -> str:
    """Return FNV-1a of the head and the plan, 32 bits in base 36: a checksum against mistakes, not against forgery."""
    written = plan.as_dict()
    value = 0x811C9DC5
    for unit in _units(".".join(head) + _json([written["mat"], written["passes"]])):
        value = (value ^ unit) * 0x01000193 & 0xFFFFFFFF
    digits = ""
    while value or not digits:
        value, digit = divmod(value, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits


def _write_order(arrangement: Sequence[int]) -> str:
    cards = list(range(len(arrangement)))
    place = cards.copy()
    draws = []
    for last in range(len(cards) - 1, 0, -1):
        drawn = place[arrangement[last]]
        draws.append(drawn)
        cards[drawn] = cards[last]
        place[cards[drawn]] = drawn
    value = 0
    for bound, drawn in enumerate(reversed(draws), 2):
        value = value * bound + drawn
    letters = _letters(len(cards))
    spare = -letters % 4
    return urlsafe_b64encode((value << 6 * spare).to_bytes((letters + spare) * 3 // 4, "big")).decode()[:letters]


def _read_order(text: str, cards: int) -> Permutation:
    spare = -len(text) % 4
    # First the length, so that only numbers about as long are compared with n!.
    if len(text) == _letters(cards):
        value = int.from_bytes(urlsafe_b64decode(text + "A" * spare), "big") >> 6 * spare
        if value < factorial(cards):
            return uniform_permutation(cards, _Digits(value))
    raise FairdeckError(NO_CODE)


def _letters(cards: int) -> int:
    """Return the number of letters of 6 bits for the largest number below n!."""
    return -(-(factorial(cards) - 1).bit_length() // 6)


def _labels(mat: Mat) -> str:
    """Return the end of a code with the mat's own labels, written as by a browser's encodeURIComponent."""
    if mat == Mat(mat.columns, mat.rows):
        return ""
    return "." + quote(_json(mat.labels), safe="!'()*-_~").replace(".", "%2E")


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


def _units(text: str) -> Iterator[int]:
    """Yield the UTF-16 units of a text, which a browser counts as its letters."""
    written = text.encode("utf-16-le")
    return (low + 256 * high for low, high in zip(written[::2], written[1::2], strict=True))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
