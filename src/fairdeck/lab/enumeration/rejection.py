"""Rejection loops: trees without end whose sum is a geometric series.

Where the program is in the same state at a draw as at an earlier one, everything after it has the same law. So the path
can stop there, and its probability goes to the other paths from the earlier draw, in proportion. The same state is
proven or not believed: the same call in the same running function, one draw in each turn; all variables equal, except
the one that the draw overwrites; nothing learned about older draws in between; and only instructions that change
nothing else, as tracing the turn once more shows. Why, and what it is worth: ``docs/decisions/0017``.
"""

import dis
import math
import sys
import types
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise, takewhile
from pathlib import PurePath
from random import Random
from typing import Any

from fairdeck.lab.enumeration.generator import EnumeratedRandom
from fairdeck.lab.enumeration.lazy_draws import LazyNumber
from fairdeck.lab.enumeration.path import Recurrence, TreePath

HARMLESS = (
    "LOAD_FAST", "LOAD_CONST", "LOAD_SMALL_INT", "LOAD_GLOBAL", "LOAD_ATTR", "LOAD_METHOD", "LOAD_DEREF", "STORE_FAST",
    "COMPARE_OP", "CONTAINS_OP", "IS_OP", "BINARY_", "UNARY_", "POP_JUMP", "JUMP", "CALL", "PRECALL", "KW_NAMES",
    "PUSH_NULL", "POP_TOP", "COPY", "SWAP", "NOP", "CACHE", "TO_BOOL", "BUILD_TUPLE", "EXTENDED_ARG", "NOT_TAKEN",
)  # fmt: skip
PURE = (int, len, round, min, max, abs, divmod, range, float, bool, math.floor, math.ceil)
PURE_MODULES = ("random", "math", "operator")
HOLDERS = (property, staticmethod, classmethod, types.MemberDescriptorType, types.GetSetDescriptorType)
_AGAIN = object()
OURS = tuple(str(PurePath(__file__).parents[1] / room) for room in ("enumeration", "usercode"))
RANDOM_FILE = Random.shuffle.__code__.co_filename


@dataclass
class _Visit:
    """The state of the program at a draw."""

    frame: types.FrameType
    at: int
    depth: int
    serial: int
    state: object


class LoopDetector:
    """Detects that a replay comes back to a state that it was in before. The generator reports each draw."""

    def __init__(self, path: TreePath, rng: EnumeratedRandom) -> None:
        self.path = path
        self.rng = rng
        self._visits: list[_Visit] = []
        self._draws = 0
        self._suspected: tuple[int, int] | None = None  # the draws between which the replay is traced
        self._seen: list[tuple[types.FrameType, int]] = []
        self._calls_out = False
        self._traced: types.FrameType | None = None
        self._before: Any = None
        self._denied: set[tuple[types.CodeType, int]] = set()

    def begin(self) -> None:
        """Start a replay."""
        self._visits = []
        self._draws = 0

    def is_proven(self, play: Callable[[], object]) -> bool:
        """Play the suspected path again with tracing, and say whether it does come back.

        If it does not, the same place in the program is not suspected again.
        """
        self._seen, self._calls_out = [], False
        with suppress(Recurrence):
            play()
        self._untrace()
        self._suspected = None
        last = self._visits[-1] if self._visits else None
        proven = (
            last is not None
            and not self._calls_out
            and bool(self._seen)
            and all(self._is_harmless(frame, at) for frame, at in self._seen)
            and _is_told_by_variables(last.frame.f_code, last.at, [at for _, at in self._seen])
        )
        if not proven and last is not None:
            self._denied.add((last.frame.f_code, last.at))
        return proven

    def draw(self, bound: int) -> None:
        """Raise `Recurrence` if the state at a draw may be the same as at an earlier one; `is_proven` tells."""
        self._draws += 1
        frame, between = _caller()
        if self._suspected is not None and self._draws == self._suspected[0]:
            self._trace(frame)
        if self._visits and (self._visits[-1].frame is not frame or self._visits[-1].at != frame.f_lasti):
            self._visits.clear()
        denied = (frame.f_code, frame.f_lasti) in self._denied
        state = None if denied else self._state(frame, between, bound)
        path = self.path
        for back, visit in enumerate(reversed(self._visits if state is not None else ()), 1):
            learned = path.serials[visit.depth : path.depth]
            if visit.state == state and all(each >= visit.serial for each in learned):
                if self._suspected is None:
                    self._suspected = (self._draws - back, self._draws)
                path.refusal = Recurrence(visit.depth)
                self._untrace()
                raise path.refusal
        self._visits.append(_Visit(frame, frame.f_lasti, path.depth, path.serial + 1, state))

    def _state(self, frame: types.FrameType, between: list[types.FrameType], bound: int) -> object:
        """Return everything that the rest of the run depends on, or None if that is not known."""
        since = self._visits[0].serial if self._visits else self.path.serial + 1
        dead = _overwritten(frame.f_code, frame.f_lasti)
        named = {name: value for name, value in frame.f_locals.items() if name not in dead}
        places = [(each.f_lasti, *each.f_locals) for each in between]
        values = [*named.values(), *[value for each in between for value in each.f_locals.values()]]
        try:
            return bound, list(named), places, self._described(values, since)
        except _Unknown:
            return None

    def _described(self, values: list[object], since: int) -> list[object]:
        """Return all that can be reached from `values`, such that equal descriptions have the same future.

        Undecided draws that were made `since` the first visit are equal if they have equal pieces. Each gets a
        number when it is first met, because two variables that hold one draw are not like two that hold two.
        """
        left = list(values)
        found: list[object] = []
        numbers: dict[int, int] = {}
        while left:
            value = left.pop()
            if id(value) in numbers:  # an object that is met again, even within itself
                found.append((_AGAIN, numbers[id(value)]))
                continue
            if isinstance(value, LazyNumber):
                draw = value.draw
                if draw.poset is not None or draw.halves is not None:
                    raise _Unknown
                new = draw.serial >= since
                which = numbers.setdefault(id(draw), len(numbers)) if new else id(draw)
                found.append((type(value), which, tuple(draw.pieces) if new else None, value.steps, value.seen))
            elif value is None or type(value) in (int, bool, str, bytes, range):
                found.append((type(value), value))
            elif type(value) is float:
                found.append((float, repr(value)))  # 0.0 and -0.0 are equal, but not the same
            else:
                says, parts = self._opened(value)
                numbers[id(value)] = len(numbers)
                found.append((type(value), says, len(parts)))
                left += parts
        return found

    def _opened(self, value: Any) -> tuple[object, list[object]]:
        """Return what tells an object from others, and the objects that it refers to; or raise `_Unknown`."""
        kind: Any = type(value)
        if kind in (list, tuple, set, frozenset):
            return id(value), list(value)
        if kind is dict:
            return id(value), [*value.keys(), *value.values()]
        if kind is not object and _is_plain(kind):
            names = [*getattr(value, "__dict__", ()), *_slots(kind)]
            return (id(value), *names), [getattr(value, name, None) for name in names] + _shared(kind)
        if self.rng.is_same(value) or _is_pure(value) or (kind is types.ModuleType and value.__name__ in PURE_MODULES):
            return id(value), []
        if kind is types.BuiltinFunctionType and type(value.__self__) in (list, set, dict):
            return value.__name__, [value.__self__]
        if kind is types.MethodType and self.rng.is_same(value.__self__):
            return (id(value.__self__), value.__name__), []
        raise _Unknown

    def _is_harmless(self, frame: types.FrameType, at: int) -> bool:
        """Say whether an instruction changes nothing but the variables of its own function."""
        instruction = _instructions(frame.f_code).get(at)
        if instruction is None or not instruction.opname.startswith(HARMLESS):
            return False
        name = str(instruction.argval)
        if instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            return not name.startswith("__")  # such as __class__ and __dict__, which lead to what is not compared
        if instruction.opname != "LOAD_GLOBAL":
            return True
        value = frame.f_globals.get(name, frame.f_builtins.get(name))
        if isinstance(value, types.ModuleType):
            return value.__name__ in PURE_MODULES
        if self.rng.is_same(value) or self.rng.is_same(getattr(value, "__self__", None)):
            return True
        return type(value) in (int, float, bool, str, range) or _is_pure(value)

    def _trace(self, frame: types.FrameType) -> None:
        def each(frame: types.FrameType, event: str, _: object) -> Any:
            if event == "opcode":
                self._seen.append((frame, frame.f_lasti))
            return each

        watched = frame

        def entered(frame: types.FrameType, event: str, _: object) -> None:
            caller: types.FrameType | None = frame
            while caller is not None and caller is not watched and not _is_library(caller.f_code):
                caller = caller.f_back
            ours = caller is not None and caller is not watched and caller.f_code.co_filename.startswith(OURS)
            self._calls_out |= event == "call" and not (ours or (caller is not None and _is_library(frame.f_code)))

        self._before, self._traced = sys.gettrace(), frame
        frame.f_trace, frame.f_trace_opcodes = each, True
        sys.settrace(entered)

    def _untrace(self) -> None:
        if self._traced is not None:
            sys.settrace(self._before)
            self._traced.f_trace, self._traced = None, None


@cache
def _slots(kind: Any) -> tuple[str, ...]:
    found = [vars(each).get("__slots__", ()) for each in kind.__mro__]
    return tuple([name for names in found for name in ([names] if isinstance(names, str) else names)])


@cache
def _is_plain(kind: Any) -> bool:
    """Say whether objects of this type keep all their state in attributes: their classes are written in Python."""
    return all(
        each is object
        or (
            each.__module__ not in sys.stdlib_module_names
            and not any(
                isinstance(value, types.MethodDescriptorType | types.WrapperDescriptorType)
                for value in vars(each).values()
            )
        )
        for each in kind.__mro__
    )


def _shared(kind: Any) -> list[object]:
    """Return what objects of this type share: the values that their classes hold.

    A call of a function that a class holds is noticed, so only a function with attributes can have a state.
    """
    found: list[object] = []
    for each in kind.__mro__[:-1]:
        for name, value in vars(each).items():
            plain = isinstance(value, types.FunctionType) and not vars(value)
            if not name.startswith("__") and not plain and not isinstance(value, HOLDERS):
                found.append(value)
    return found


def _is_pure(value: object) -> bool:
    return any(value is each for each in PURE)


class _Unknown(Exception):
    """A variable of a type whose state is not known."""


def _caller() -> tuple[types.FrameType, list[types.FrameType]]:
    """Return the frame that draws, and the frames of `random.Random` between it and us."""
    between = []
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_library(frame.f_code):
        if not frame.f_code.co_filename.startswith(OURS):
            between.append(frame)
        frame = frame.f_back
    return frame, between


@lru_cache(maxsize=1024)
def _is_library(code: types.CodeType) -> bool:
    return code.co_filename.startswith(OURS) or code.co_filename == RANDOM_FILE


@lru_cache(maxsize=256)
def _instructions(code: types.CodeType) -> dict[int, dis.Instruction]:
    return {each.offset: each for each in dis.get_instructions(code)}


@lru_cache(maxsize=1024)
def _overwritten(code: types.CodeType, at: int) -> tuple[str, ...]:
    """Return the variable that the result of the call at `at` is assigned to at once, if there is one."""
    after = [each for offset, each in _instructions(code).items() if offset > at and each.opname != "CACHE"]
    stored = [each for each in after[:3] if each.opname != "COPY"][:1]
    return tuple(str(each.argval) for each in takewhile(lambda each: each.opname == "STORE_FAST", stored))


@lru_cache(maxsize=256)
def _depths(code: types.CodeType) -> dict[int, int]:
    """Return how many values lie on the evaluation stack before each instruction that is reached without an error."""
    instructions = list(_instructions(code).values())
    following = dict(zip(_instructions(code), [each.offset for each in instructions[1:]], strict=False))
    found, left = {}, [(instructions[0].offset, 0)]
    while left:
        at, depth = left.pop()
        if at in found:
            continue
        found[at] = depth
        each = _instructions(code)[at]
        if each.opcode in dis.hasjrel or each.opcode in dis.hasjabs:
            left.append((each.argval, depth + dis.stack_effect(each.opcode, each.arg, jump=True)))
        if not each.opname.startswith(
            ("RETURN_VALUE", "RETURN_CONST", "RAISE_", "RERAISE", "JUMP_FORWARD", "JUMP_BACKWARD")
        ):
            left.append((following[at], depth + dis.stack_effect(each.opcode, each.arg, jump=False)))
    return found


def _is_told_by_variables(code: types.CodeType, at: int, turn: list[int]) -> bool:
    """Say whether the variables tell what else lies on the evaluation stack at a draw, but for the loops around it.

    In ``last == (last := draw())`` and ``before, last = last, draw()`` the stack holds a value that the
    variables no longer have.
    """
    depths = _depths(code)
    after = min((offset for offset in _instructions(code) if offset > at), default=at)
    if after not in depths or not all(each in depths for each in turn):
        return False
    if depths[after] - 1 == min(depths[each] for each in turn):
        return True
    names = [each.opname for each in _instructions(code).values() if each.opname != "CACHE"]
    assigns_within = any(one == "COPY" and then.startswith("STORE_") for one, then in pairwise(names))
    return not assigns_within and not _overwritten(code, at)
