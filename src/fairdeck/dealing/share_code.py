"""The code of a deal: a short text that the dealing page reads, letter for letter as the page writes it.

    f1.60.5x2.deck.pass.1of2.37.ORDER.SUM, and after own labels .LABELS

These are the cards, the mat, the goal, how to plan it, which dealer of how many, and how many steps this dealer has
taken. How to plan it is when to deal from the bottom, or ``classic``: one sort key for each card. The order is written
as the draws of `uniform_permutation` that make it: one number in mixed radix, in base 64, 88 letters for 100 cards.
Anyone who reads a code can work out the order. The checksum covers the plan too, so it detects a code that is cut short
or mistyped.

The page computes the plan from the code, with the fewest passes. So a task that asks for other plans has no code,
whatever order is drawn. (If the refusal depended on the order, people would draw again, and the deals would be biased.)
"""

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from math import factorial
from urllib.parse import quote

from fairdeck.dealing.mat import Mat, letters
from fairdeck.dealing.plan import Plan
from fairdeck.dealing.planner import Task, plan_for
from fairdeck.errors import FairdeckError
from fairdeck.permutation import Permutation
from fairdeck.randomness import uniform_permutation

MARK = "f1"
LARGEST_CODED = 10_000
LONGEST_CODED_LABEL = 8
LONGEST_CODE = 40_000
LONGEST_GOAL = 200
LONGEST_CHECKSUM, CHECKSUM_AT = 7, 8  # letters of the checksum, which is not padded; and its place
LONGEST_REST = 64  # more letters than a code has beside order, goal and labels
MOST_DEALERS = 4
CLASSIC, TURNED = "classic", "-turn"


def refuse_uncoded(task: Task) -> None:
    """Raise a FairdeckError for a task that no code can hold, whatever order is drawn.

    It is too large, has too many dealers or too long labels or hands, or asks for more passes than needed.
    """
    if task.least_passes > 1:
        asked = f"at least {task.least_passes} passes"
        raise FairdeckError(f"a code cannot ask for {asked}, only for the fewest passes: leave that out")
    if task.cards > LARGEST_CODED:
        raise FairdeckError(f"{task.cards} cards are too many for a code: use up to {LARGEST_CODED}")
    if task.dealers > MOST_DEALERS:
        raise FairdeckError(f"{task.dealers} dealers are too many for a code: use up to {MOST_DEALERS}")
    for label in task.mat.labels:
        if letters(label) > LONGEST_CODED_LABEL:
            raise FairdeckError(f"label {label!r} is too long for a code: use 1 to {LONGEST_CODED_LABEL} letters")
    if len(str(task.goal)) > LONGEST_GOAL:
        raise FairdeckError(f"goal {str(task.goal)[:40]}... is too long for a code: use fewer sizes of hands")
    order = _letters_of_order(task.cards, task.cards * task.turn)
    length = order + len(_own_labels(task.mat)) + len(str(task.goal)) + LONGEST_REST
    if length > LONGEST_CODE:
        raise FairdeckError(
            f"{task.cards} cards on {task.mat.spaces} own labels make a code of up to {length} letters, "
            f"more than {LONGEST_CODE}: use shorter labels"
        )


def write_code(task: Task, arrangement: Sequence[int], dealer: int = 0, at: int = 0, turn: Sequence[int] = ()) -> str:
    """Return the code of a deal, exactly as the dealing page writes it.

    Args:
        task: the task that is dealt.
        arrangement: the order drawn, bottom first.
        dealer: the dealer whose part it is, 0 for the first.
        at: how many steps this dealer has taken.
        turn: as for `plan_for`, if the task turns cards.

    Raises:
        FairdeckError: no code can hold the deal; the message says why.

    >>> write_code(Task(5, Mat(2, 1)), (3, 0, 2, 4, 1))
    'f1.5.2x1.deck.pass.1of1.0.Au.17xsrgz'
    """
    refuse_uncoded(task)
    if not (0 <= dealer < task.dealers and 0 <= at < 10**7):
        raise FairdeckError(f"dealer {dealer} of {task.dealers} at step {at}: the deal has no such step")
    head, plan = _head(task, dealer, at), plan_for(task, arrangement, turn=turn)
    parts = [MARK, *head, _write_order(arrangement, turn), _checksum(head, plan)]
    return ".".join(parts) + _own_labels(task.mat)


def longest_code(task: Task) -> int:
    """Return the largest number of letters that the code of a deal can have, over all orders."""
    code = write_code(task, range(task.cards), task.dealers - 1, turn=[0] * task.cards if task.turn else ())
    return len(code) + LONGEST_CHECKSUM - len(code.split(".")[CHECKSUM_AT])


def _head(task: Task, dealer: int, at: int) -> list[str]:
    goal = str(task.goal).translate({ord(":"): "_", ord(","): "_", ord("+"): "-"}) + TURNED * task.turn
    planned = CLASSIC if task.classic else task.bottom
    return [str(task.cards), str(task.mat), goal, planned, f"{dealer + 1}of{task.dealers}", str(at)]


def _checksum(head: Sequence[str], plan: Plan) -> str:
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


def order_number(arrangement: Sequence[int]) -> int:
    """Return the number of an order, below n!: the draws of `uniform_permutation` that make it, in mixed radix.

    >>> order_number((3, 0, 2, 4, 1))
    46
    """
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
    return value


class _Digits:
    """A chooser whose draws are the digits of a number in mixed radix, lowest first."""

    def __init__(self, value: int) -> None:
        self.value = value

    def below(self, bound: int) -> int:
        self.value, drawn = divmod(self.value, bound)
        return drawn


def order_numbered(value: int, cards: int) -> Permutation:
    """Return the order that has a number, as `order_number` counts them; a FairdeckError if there are not so many.

    >>> order_numbered(46, 5)
    (3, 0, 2, 4, 1)
    """
    if not 0 <= value < factorial(cards):
        raise FairdeckError(f"no order of {cards} cards has such a number")
    return uniform_permutation(cards, _Digits(value))


def _write_order(arrangement: Sequence[int], turn: Sequence[int]) -> str:
    letters = _letters_of_order(len(arrangement), len(turn))
    spare = -letters % 4
    # The coins are the highest digits, the first of them the lowest of these.
    coins = int("".join(map(str, reversed(turn))) or "0", 2)
    value = order_number(arrangement) + factorial(len(arrangement)) * coins << 6 * spare
    return urlsafe_b64encode(value.to_bytes((letters + spare) * 3 // 4, "big")).decode()[:letters]


def _letters_of_order(cards: int, coins: int) -> int:
    """Return the number of letters of 6 bits for the largest number below n! 2^coins."""
    return -(-((factorial(cards) << coins) - 1).bit_length() // 6)


def _own_labels(mat: Mat) -> str:
    """Return the end of a code with the mat's own labels, written as by a browser's encodeURIComponent."""
    if mat == Mat(mat.columns, mat.rows):
        return ""
    return "." + quote(_json(mat.labels), safe="!'()*-_~").replace(".", "%2E")


def _units(text: str) -> Iterator[int]:
    """Yield the UTF-16 units of a text, which a browser counts as its letters."""
    written = text.encode("utf-16-le")
    return (low + 256 * high for low, high in zip(written[::2], written[1::2], strict=True))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
