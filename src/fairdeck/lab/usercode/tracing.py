"""Where a function draws its random numbers, and among how many: the line to repair, after the function has failed.

A few calls are traced: `sys.setprofile` sees each call of the module `random`, with the bound of the draw, and each
call of a generator, of the system's random bytes and of the clock. If the expression around it scales the number
(``int(random() * n)``) or takes a remainder (``getrandbits(8) % n``), the syntax tree shows that bound. Not seen: the
draws of NumPy, of other threads, and of generators that the user wrote.

What is said was seen in these calls. The bounds are compared with those of Fisher-Yates: n, n - 1, ..., 2.
"""

import _random
import ast
import inspect
import linecache
import os
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import pairwise
from types import FrameType
from typing import Any, NamedTuple

from fairdeck.cards.text import shown
from fairdeck.lab.usercode.adapting import Adapter, Glimpse, is_users
from fairdeck.lab.usercode.faults import shortened

CALLS, SECONDS = 8, 0.2  # traced; and after which no further call begins
MOST = 50_000  # draws of a call: more of them would take too long
MOST_LINES = 3
FEW = 1 << 24  # numbers: of more, neither a remainder nor equal keys can be seen in so few decks
FEW_SEEDS = 1 << 40
OWN = random.Random.seed.__code__.co_filename
BYTES = [getattr(os, name) for name in ("urandom", "getrandom") if hasattr(os, name)]
CLOCKS = (time.time, time.time_ns, time.monotonic_ns, time.perf_counter, time.perf_counter_ns)
THROUGH = {"int", "floor", "trunc", "round", "ord", "from_bytes"}  # functions between a draw and its remainder
# The parts of a bound that is computed here: numbers, names, attributes, lengths.
PLAIN = (ast.Name, ast.Attribute, ast.Load, ast.Constant, ast.BinOp, ast.operator, ast.Call)
LEFT = "draw among the places that are left"

Fault = tuple[str, str]  # what is wrong, and the repair


class Line(NamedTuple):
    """A line of the user's code that draws."""

    file: str
    line: int
    source: str
    says: str  # what it drew in a call, and what is wrong with that, if that is known
    repair: str = ""

    @property
    def place(self) -> str:
        """The file, the number of the line, and the line if its file is there."""
        return ": ".join(filter(None, (f"{self.file}:{self.line}", self.source)))


class Draw(NamedTuple):
    """A random number, and where it was drawn."""

    how: str  # below (a bound), bits, float, round (a float, rounded), other (a gauss, say), clock or seed
    size: Any = 0  # how many different numbers there are, 0 if that is not known; or the seed
    bound: int = 0  # what the remainder is taken by, or a float multiplied with; 0 if that is not seen
    at: tuple[str, int] = ("", 0)  # file and line
    called: tuple[str, int] = ("", 0)  # from which line that function was called, if from another function
    sorts: bool = False  # whether a sort asked for it
    ends: bool = False  # whether a loop compares it to know whether it has ended


def lines(adapter: Adapter, deck: list[Any], glimpse: Glimpse | None) -> list[Line]:
    """Return the lines that draw, the one to repair first."""
    with suppress(Exception, SystemExit):  # whatever a user's function does now, the report is worth more
        calls = [*_calls(adapter, deck, ordered=not glimpse or glimpse.ordered)]
        if _hides_draws(adapter.function) or glimpse:  # what the bounds must be is known of whole decks only
            return _lines(calls, 0)
        return _lines(calls, len(deck)) if any(calls) else _no_draw(adapter.function, len(calls))
    return []


# --- what was drawn


def _calls(adapter: Adapter, deck: list[Any], *, ordered: bool) -> Iterator[list[Draw]]:
    """Yield the draws of each of a few calls."""
    adapter.shuffled(deck, ordered=ordered)  # the first call may import modules, and these may draw
    before, until = sys.getprofile(), time.perf_counter() + SECONDS
    draws: list[Draw] = []
    base, sorting = sys._getframe(), 0

    def see(frame: FrameType, event: str, called: Any) -> None:
        nonlocal sorting
        if event.startswith("c_") and getattr(called, "__name__", "") in ("sort", "sorted"):
            sorting += 1 if event == "c_call" else -1
        elif event in ("call", "c_call") and len(draws) <= MOST:
            with suppress(Exception):
                draws.extend(_placed(each, frame, base, sorting) for each in _drawn(frame, event, called))

    for number in range(CALLS):
        if number > 1 and time.perf_counter() > until:
            return
        draws.clear()
        sorting = 0
        sys.setprofile(see)
        try:
            adapter.shuffled(deck, ordered=ordered)
        finally:
            sys.setprofile(before)
        if len(draws) > MOST:
            raise OverflowError
        yield draws.copy()


def _drawn(frame: FrameType, event: str, called: Any) -> Iterator[Draw]:
    """Yield the draw that a call is, if it is one."""
    inner, name = frame.f_code.co_filename == OWN, frame.f_code.co_name
    below = inner and name.startswith("_randbelow")
    if event == "call" and inner and frame.f_back:
        given = frame.f_locals
        if below:
            yield Draw("below", given["n"])
        elif name == "seed" and given.get("a") is not None:
            yield Draw("seed", given["a"])
        elif not frame.f_back.f_code.co_name.startswith("_randbelow"):  # of the system's generator
            bits = {"getrandbits": given.get("k", 0), "randbytes": 8 * given.get("n", 0)}.get(name)
            yield from [Draw("bits", 1 << bits)] if bits else [Draw("float")] if name == "random" else []
    elif event == "c_call" and not below and name != "randbytes":
        if isinstance(getattr(called, "__self__", None), _random.Random):
            fraction = Draw("other" if inner else "float")
            yield from {"random": [fraction], "getrandbits": [Draw("bits", -1)]}.get(called.__name__, [])
        elif called in BYTES and not inner:
            yield Draw("bits", -8)
        elif called in CLOCKS:
            yield Draw("clock")


def _placed(draw: Draw, frame: FrameType | None, base: FrameType, sorting: int) -> Draw:
    """Return the draw with the innermost line of the user's, the line that called that function, and its bound."""
    users = []
    while frame and frame is not base:
        users += [frame] if is_users(frame.f_code.co_filename) else []
        frame = frame.f_back
    if not users:
        return draw
    others = [each for each in users if each.f_code is not users[0].f_code]
    at, called = ((each.f_code.co_filename, each.f_lineno) for each in (users[0], (others or users)[0]))
    inner = bool(others) or users[0].f_code.co_name == "<lambda>"
    draw = draw._replace(at=at, called=called, sorts=sorting > 0 or (inner and "sort" in _source(*called)))
    with suppress(Exception):  # without the source, or with an odd bound, the draw is still a draw
        return _bounded(draw, users[0])
    return draw._replace(size=0) if draw.how == "bits" else draw


def _bounded(draw: Draw, frame: FrameType) -> Draw:
    """Return the draw with the bound that the expression around its call shows."""
    text = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    call, *around = _around(text, [*frame.f_code.co_positions()][frame.f_lasti // 2])
    draw = draw._replace(ends=draw.how == "below" and _ends(call, around))
    if draw.how == "bits" and draw.size < 0:
        bits = -draw.size * _value(call.args[0], frame)
        draw = draw._replace(size=1 << bits if bits else 0)
    for node, outside in pairwise([*around, None]):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and node.left is call and draw.how != "float":
            return draw._replace(bound=_value(node.right, frame))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and draw.how == "float":
            bound = _value(node.right if node.left is call else node.left, frame)
            return draw._replace(how="round" if _name(outside) == "round" else "float", bound=bound)
        if not (isinstance(node, ast.BinOp | ast.Subscript) or _name(node) in THROUGH):
            break
        call = node
    return draw


def _ends(call: Any, around: list[Any]) -> bool:
    """Tell whether a call is compared in the condition of a loop, and not kept to be used in it."""
    tests = [node for loop in around if isinstance(loop, ast.While) for node in ast.walk(loop.test)]
    inside = [node for node in around if node in tests]
    kept = any(isinstance(node, ast.NamedExpr) for node in inside)
    return call in tests and not kept and any(isinstance(node, ast.Compare) for node in inside)


def _name(node: Any) -> str:
    """Return the name of the function that a syntax tree calls; empty if it is no call."""
    return str(getattr(node.func, "attr", getattr(node.func, "id", ""))) if isinstance(node, ast.Call) else ""


@cache
def _around(text: str, position: tuple[Any, ...]) -> list[Any]:
    """Return the nodes of a source text at a position, from the call that is there outwards."""
    line, last, column, end = position
    nodes: list[Any] = [node for node in ast.walk(ast.parse(text)) if hasattr(node, "lineno")]
    starts = [node for node in nodes if (node.lineno, node.col_offset) <= (line, column)]
    return [node for node in starts if (node.end_lineno, node.end_col_offset) >= (last, end)][::-1]


def _value(node: Any, frame: FrameType) -> int:
    """Return the value of an expression of plain parts; 0 if it has others, or is no whole number."""
    if not all(isinstance(each, PLAIN) and _name(each) in ("", "len") for each in ast.walk(node)):
        return 0
    bound = compile(ast.Expression(node), "<bound>", "eval")
    value = eval(bound, frame.f_globals, frame.f_locals)  # noqa: S307 - of such parts only
    return max(0, value) if type(value) is int else 0


# --- what it means


def _lines(calls: list[list[Draw]], cards: int) -> list[Line]:
    """Return the lines that draw; if one is to be repaired, it comes first."""
    sites: dict[Any, list[list[Draw]]] = {}
    # A clock without a remainder may be a stopwatch; a draw without a place is none of the user's lines.
    calls = [[each for each in call if each.at[0] and (each.how != "clock" or each.bound)] for call in calls]
    for number, call in enumerate(calls):
        for draw in call:
            sites.setdefault((draw.at, draw.how, draw.called), [[] for _ in calls])[number].append(draw)
    fault, wrong, repair = _fault(calls, [*sites.values()], cards) or (None, "", "")
    found: list[Line] = []
    for (at, how, called), draws in sites.items():
        faulty = fault is not None and (fault.at, fault.how, fault.called) == (at, how, called)
        says = _said(draws) + f"; {wrong}" * faulty
        found.insert(0 if faulty else len(found), Line(_path(at[0]), at[1], _source(*at), says, repair * faulty))
    return found[:MOST_LINES]


def _fault(calls: list[list[Draw]], sites: list[list[list[Draw]]], cards: int) -> tuple[Draw, str, str] | None:
    """Return a draw of the line to repair, what is wrong with it, and the repair; None if that is not known."""
    seeds = [draw for call in calls for draw in call if draw.how == "seed"]
    if seeds and (again := _wrong_seeds([draw.size for draw in seeds])):
        return seeds[0], again, "seed at most once, before the first deck"
    for site in sites:
        one, varies = next(filter(None, site))[0], len({*map(len, site)}) > 1
        if varies and one.sorts:
            return one, "the sort draws anew for each comparison", "give each card one random key, and sort by it"
        if varies and one.ends:
            return one, "the loop draws its end anew at each turn", "draw the number of turns once, before the loop"
    draws = [[draw for draw in call if draw.how != "seed"] for call in calls]
    if not draws[0]:
        return None
    if cards > 2 and {*map(len, draws)} == {1}:
        return draws[0][0], "no other draw was seen", "draw anew for each card"
    bounds = [[draw.bound or draw.size for draw in call] for call in draws]
    main = max(sites, key=lambda site: len(site[0]))[0][0]
    alike = cards and bounds.count(bounds[0]) == len(bounds) and min(bounds[0]) > 0
    if found := alike and (_one_line_off(sites, cards) or _wrong_bounds(draws[0], cards, main)):
        return found
    worst = max(draws[0], key=lambda draw: draw.bound * bool(_uneven(draw)))
    if wrong := _uneven(worst):
        return worst, *wrong
    if alike and sorted(bound for bound in bounds[0] if bound > 1) == [*range(2, cards + 1)]:
        used = "the fault lies in where each number is used, what is done with it, or its source"
        return main, f"these are the bounds of Fisher-Yates: {used}", ""
    return None


def _one_line_off(sites: list[list[list[Draw]]], cards: int) -> tuple[Draw, str, str] | None:
    """Return a draw of the one line of several whose bounds are all too small by one, or too large, beside the others.

    If two lines draw among the same numbers, the later one repeats those of the other.
    """
    every = [Counter(draw.bound or draw.size for draw in site[0]) for site in sites]
    if Counter(range(2, cards + 1)) in every:  # which shuffles by itself, so that others come before or after it
        return None
    for site, own in reversed([*zip(sites, every, strict=True)] if len(sites) > 1 else []):
        others = sum(every, Counter()) - own
        left = Counter(range(2, cards + 1)) - others
        if own <= left or left.total() + others.total() != cards - 1:  # it may be right, or others surely are not
            continue
        for step, more in ((1, "more"), (-1, "fewer")):
            right = [bound + step for bound in ((draw.bound or draw.size) for draw in site[0]) if bound + step > 1]
            if right and Counter(right) <= left and left.total() - len(right) <= 1:
                return (
                    site[0][0],
                    f"beside the other draws, {_run(right)} would be right",
                    f"draw among one place {more}",
                )
    return None


def _wrong_seeds(seeds: list[Any]) -> str:
    """Return what is wrong with seeds; empty if nothing is."""
    numbers = all(isinstance(seed, int | float) for seed in seeds)
    if len(set(map(repr, seeds))) < len(seeds) or (numbers and max(map(abs, seeds)) < FEW_SEEDS):
        return "the same seed gives the same numbers again"
    near = numbers and max(seeds) - min(seeds) < FEW
    return "seeds so near each other, as those of a clock, are few and can be guessed" * near


def _uneven(draw: Draw) -> Fault | None:
    """Return why the numbers of a draw are not equally likely, and the repair."""
    if draw.bound and draw.how in ("clock", "round"):
        wrong = "the clock is not random" if draw.how == "clock" else "rounding gives the ends half as often"
        return wrong, "draw with randrange or choice"
    if draw.bound and draw.size < FEW and draw.size % draw.bound:
        times, more = divmod(draw.size, draw.bound)
        low = "0" if more == 1 else f"each of 0 to {more - 1}"
        wrong = f"of {draw.size:,} numbers, {times + 1:,} give {low}, but only {times:,} each larger result"
        wrong = wrong if times else f"results above {draw.size - 1:,} never come"
        return wrong, "draw with randrange, choice or secrets.randbelow"
    return None


def _wrong_bounds(draws: list[Draw], cards: int, main: Draw) -> tuple[Draw, str, str] | None:
    """Return the draw, what is wrong with bounds that are the same in each call, and the repair."""
    largest = max(draws, key=lambda draw: draw.bound or draw.size)
    down, right = sorted((draw.bound or draw.size for draw in draws), reverse=True), _run([*range(cards, 1, -1)])
    if main.sorts and down[0] == down[-1] < 1_000 * cards**2:
        return (
            main,
            f"there are only {down[0]:,} keys, and cards with equal keys keep their order",
            "sort by random() instead",
        )
    if main.how == "round" or down[0] > cards + 1:
        return None
    if down[0] == cards + 1:
        return largest, f"a draw among {down[0]:,} is one too many for {cards:,} cards", f"{LEFT}: {right}"
    if len(down) > 1 and cards - 1 <= down[-1] == down[0]:
        return main, f"Fisher-Yates draws among {right}", LEFT
    if down == [*range(cards - 1, 0, -1)]:
        return (
            main,
            f"Fisher-Yates draws among one place more each time: {right}",
            "draw among one place more: the first, the last or the place itself is left out",
        )
    if missing := sorted({*range(2, cards + 1)} - {*down}, reverse=True):
        which = _run(missing)
        says = (
            f"{len(missing)} of the draws among {right} are missing" if " to " in which else f"no draw is among {which}"
        )
        return main, says, "shuffle all cards at once" if "shuffle(" in _source(*main.at) else f"{LEFT}: {right}"
    return None


# --- in words


def _said(calls: list[list[Draw]]) -> str:
    """Return what was drawn at one place, of each call."""
    draws = next(filter(None, calls))
    (how, size, bound, at, called, sorts, _), least, most = draws[0], min(map(len, calls)), max(map(len, calls))
    if how == "seed":
        seeds = list(dict.fromkeys(shortened(repr(draw.size), 24) for call in calls for draw in call))
        values = ", ".join(seeds[:3]) + ", ..." * (len(seeds) > 3)
        return f"seeds a generator with {values} ({len(seeds)} different in {len(calls)} calls)"
    sizes, bounds = _run([each.size for each in draws]), _run([each.bound for each in draws])
    bits = size.bit_length() - 1 if size else "some"
    drawn = f"draws {bits} bit{'s' * (bits != 1)}"
    what = {"below": f"draws among {sizes}", "bits": drawn, "other": "draws a number", "clock": "reads the clock"}
    says = what.get(how, "draws a number from 0 to 1")
    if bound:
        says += f", {'multiplied by' if how in ('float', 'round') else 'takes the remainder by'} {bounds}"
    often = f"{least:,} to {most:,} times" if least < most else "once" if most == 1 else f"{most:,} times"
    says += f", {often} in a call" * (least < most or ", " not in sizes + bounds)
    return says + f", called from {_path(called[0])}:{called[1]}" * (called != at and not sorts)


def _run(values: list[int]) -> str:
    """Return numbers in short.

    >>> _run([52] * 52), _run([4, 3, 2]), _run([*range(52, 1, -1)]), _run([3, 9, 5])
    ('52', '4, 3, 2', '52, 51, ..., 2', '3 to 9')
    """
    steps = {b - a for a, b in pairwise(values)}
    if steps <= {0}:
        return f"{values[0]:,}"
    if len(steps) > 1:
        return f"{min(values):,} to {max(values):,}"
    said = [f"{value:,}" for value in values]
    return ", ".join(said if len(said) < 4 else [*said[:2], "...", said[-1]])


def _hides_draws(function: Any) -> bool:
    with suppress(OSError, TypeError):
        return bool(re.search(r"\b(np|numpy)\.random|default_rng|Generator", inspect.getsource(function)))
    return False


def _no_draw(function: Any, calls: int) -> list[Line]:
    file, line = function.__code__.co_filename, function.__code__.co_firstlineno
    says = f"in {calls} calls no draw from random, secrets, the system or the clock was seen"
    return [Line(_path(file), line, _source(file, line), says)]


def _source(file: str, line: int) -> str:
    return shortened(linecache.getline(file, line).strip())


def _path(file: str) -> str:
    return shown(file.removeprefix(os.path.join(os.getcwd(), "")))  # noqa: PTH118, PTH109 - such as <string>
