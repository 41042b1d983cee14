"""Rejection loops: trees without end whose sum is a geometric series.

Where the program is in the same state at a draw as at an earlier one, everything after it has the
same law. So the path can stop there, and its probability goes to the other paths from the earlier
draw, in proportion. The same state is proven or not believed: the same call in the same running
function, one draw in each turn; all variables equal, except the one that the draw overwrites; nothing
learned about older draws in between; and only instructions that change nothing else, as tracing the
turn once more shows. Why, and what it is worth: ``docs/decisions/0017``.
"""

import dis
import math
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile
from pathlib import PurePath
from random import Random
from types import (
    BuiltinFunctionType,
    CodeType,
    FrameType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

from fairdeck.lab.enumeration.lazy_draws import LazyNumber
from fairdeck.lab.enumeration.path import Recurrence, TreePath

HARMLESS = (
    "LOAD_FAST", "LOAD_CONST", "LOAD_SMALL_INT", "LOAD_GLOBAL", "LOAD_ATTR", "LOAD_METHOD", "LOAD_DEREF", "STORE_FAST",
    "COMPARE_OP", "CONTAINS_OP", "IS_OP", "BINARY_", "UNARY_", "POP_JUMP", "JUMP", "CALL", "PRECALL", "KW_NAMES",
    "PUSH_NULL", "POP_TOP", "COPY", "SWAP", "NOP", "CACHE", "TO_BOOL", "BUILD_TUPLE", "EXTENDED_ARG", "NOT_TAKEN",
)  # fmt: skip
PURE = (int, len, round, min, max, abs, divmod, range, float, bool, math.floor, math.ceil)
PURE_MODULES = ("random", "math", "operator")
OURS = tuple(str(PurePath(__file__).parents[1] / room) for room in ("enumeration", "usercode"))
RANDOM_FILE = Random.shuffle.__code__.co_filename


@dataclass
class _Visit:
    """The state of the program at a draw."""

    frame: FrameType
    at: int
    depth: int
    serial: int
    state: object


class LoopDetector:
    """Detects that a replay comes back to a state that it was in before. The generator reports each draw."""

    def __init__(self, path: TreePath, rng: Random) -> None:
        self.path = path
        self.rng = rng
        self._visits: list[_Visit] = []
        self._draws = 0
        self._suspected: tuple[int, int] | None = None  # the draws between which the replay is traced
        self._seen: list[tuple[FrameType, int]] = []
        self._calls_out = False
        self._traced: FrameType | None = None
        self._before: Any = None
        self._denied: set[tuple[CodeType, int]] = set()

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
        proven = not self._calls_out and bool(self._seen) and all(_is_harmless(frame, at) for frame, at in self._seen)
        if not proven and self._visits:
            self._denied.add((self._visits[-1].frame.f_code, self._visits[-1].at))
        return proven

    def draw(self, bound: int) -> None:
        """Compare the state at a draw with the earlier ones.

        Raises:
            Recurrence: it may be the same as an earlier one; `is_proven` tells.
        """
        self._draws += 1
        frame, between = _caller()
        if self._suspected is not None and self._draws == self._suspected[0]:
            self._trace(frame)
        if self._visits and (self._visits[-1].frame is not frame or self._visits[-1].at != frame.f_lasti):
            self._visits.clear()
        denied = (frame.f_code, frame.f_lasti) in self._denied
        state = None if denied else self._state(frame, between, bound)
        path = self.path
        for back, visit in enumerate(reversed(self._visits), 1):
            learned = path.serials[visit.depth : path.depth]
            if state is not None and visit.state == state and all(each >= visit.serial for each in learned):
                if self._suspected is None:
                    self._suspected = (self._draws - back, self._draws)
                path.refusal = Recurrence(visit.depth)
                self._untrace()
                raise path.refusal
        self._visits.append(_Visit(frame, frame.f_lasti, path.depth, path.serial + 1, state))

    def _state(self, frame: FrameType, between: list[FrameType], bound: int) -> object:
        """Return everything that the rest of the run depends on, or None if that is not known."""
        since = self._visits[0].serial if self._visits else self.path.serial + 1
        dead = _overwritten(frame.f_code, frame.f_lasti)
        try:
            mine = [(name, self._value(value, since)) for name, value in frame.f_locals.items() if name not in dead]
            theirs = [self._value(value, since) for each in between for value in each.f_locals.values()]
        except _Unknown:
            return None
        return bound, mine, theirs

    def _value(self, value: object, since: int) -> object:
        if isinstance(value, LazyNumber):
            draw = value.draw
            if draw.poset is not None or draw.halves is not None:
                raise _Unknown
            made = id(draw) if draw.serial < since else tuple(draw.pieces)
            return type(value), made, value.steps, value.seen
        if value is None or type(value) in (int, float, bool, str, bytes, range):
            return type(value), value
        if type(value) in (list, tuple, set, frozenset):
            return id(value), [self._value(each, since) for each in value]  # type: ignore[attr-defined]
        if type(value) is dict:
            return id(value), [(self._value(k, since), self._value(v, since)) for k, v in value.items()]
        kind: Any = type(value)
        if kind is not object and _is_plain(kind):
            names = [*getattr(value, "__dict__", ()), *_slots(kind)]
            return id(value), [(name, self._value(getattr(value, name, None), since)) for name in names]
        if value is self.rng or _is_pure(value) or (isinstance(value, ModuleType) and value.__name__ in PURE_MODULES):
            return id(value)
        if isinstance(value, BuiltinFunctionType) and type(value.__self__) in (list, set, dict):
            return value.__name__, self._value(value.__self__, since)
        if isinstance(value, MethodType) and value.__self__ is self.rng:
            return value.__name__
        raise _Unknown

    def _trace(self, frame: FrameType) -> None:
        def each(frame: FrameType, event: str, _: object) -> Any:
            if event == "opcode":
                self._seen.append((frame, frame.f_lasti))
            return each

        watched = frame

        def entered(frame: FrameType, event: str, _: object) -> None:
            caller: FrameType | None = frame
            while caller is not None and caller is not watched and not _is_library(caller.f_code):
                caller = caller.f_back
            self._calls_out |= event == "call" and (caller is None or caller is watched)

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
                isinstance(value, MethodDescriptorType | WrapperDescriptorType) for value in vars(each).values()
            )
        )
        for each in kind.__mro__
    )


def _is_pure(value: object) -> bool:
    return any(value is each for each in PURE)


class _Unknown(Exception):
    """A variable of a type whose state is not known."""


def _caller() -> tuple[FrameType, list[FrameType]]:
    """Return the frame that draws, and the frames of `random.Random` between it and us."""
    between = []
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_library(frame.f_code):
        if not frame.f_code.co_filename.startswith(OURS):
            between.append(frame)
        frame = frame.f_back
    return frame, between


@lru_cache(maxsize=1024)
def _is_library(code: CodeType) -> bool:
    return code.co_filename.startswith(OURS) or code.co_filename == RANDOM_FILE


@lru_cache(maxsize=256)
def _instructions(code: CodeType) -> dict[int, dis.Instruction]:
    return {each.offset: each for each in dis.get_instructions(code)}


@lru_cache(maxsize=1024)
def _overwritten(code: CodeType, at: int) -> tuple[str, ...]:
    """Return the variable that the result of the call at `at` is assigned to at once, if there is one."""
    after = [each for offset, each in _instructions(code).items() if offset > at and each.opname != "CACHE"]
    stored = [each for each in after[:3] if each.opname != "COPY"][:1]
    return tuple(str(each.argval) for each in takewhile(lambda each: each.opname == "STORE_FAST", stored))


def _is_harmless(frame: FrameType, at: int) -> bool:
    """Say whether an instruction changes nothing but the variables of its own function."""
    instruction = _instructions(frame.f_code).get(at)
    if instruction is None or not instruction.opname.startswith(HARMLESS):
        return False
    if instruction.opname != "LOAD_GLOBAL":
        return True
    name = instruction.argval
    value = frame.f_globals[name] if name in frame.f_globals else getattr(frame.f_builtins, name, None)
    if value is None and name in frame.f_builtins:
        value = frame.f_builtins[name]
    if isinstance(value, ModuleType):
        return value.__name__ in PURE_MODULES
    if isinstance(getattr(value, "__self__", None), Random) or isinstance(value, Random):
        return True
    return type(value) in (int, float, bool, str, range) or _is_pure(value)
