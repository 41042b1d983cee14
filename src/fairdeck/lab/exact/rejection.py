"""Loops that draw again until a draw will do: endless trees with a plain sum.

Where the program stands at a draw exactly as it stood at an earlier one, everything from there on
has the same law; so the way can stop, and what it weighs is shared out among the other ways from
that earlier draw. That it stands the same is proven, or else not believed: the same call in the
same running function, drawing once each time round; all its variables the same, but for the one
that the draw is about to overwrite; nothing told about older draws in between; and every
instruction in between one that can change nothing else (seen by tracing the loop once more).
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

from fairdeck.lab.exact.unseen import Unseen
from fairdeck.lab.exact.way import Looped, Way

HARMLESS = (
    "LOAD_FAST", "LOAD_CONST", "LOAD_SMALL_INT", "LOAD_GLOBAL", "LOAD_ATTR", "LOAD_METHOD", "LOAD_DEREF", "STORE_FAST",
    "COMPARE_OP", "CONTAINS_OP", "IS_OP", "BINARY_", "UNARY_", "POP_JUMP", "JUMP", "CALL", "PRECALL", "KW_NAMES",
    "PUSH_NULL", "POP_TOP", "COPY", "SWAP", "NOP", "CACHE", "TO_BOOL", "BUILD_TUPLE", "EXTENDED_ARG", "NOT_TAKEN",
)  # fmt: skip
PURE = (int, len, round, min, max, abs, divmod, range, float, bool, math.floor, math.ceil)
MODULES = ("random", "math", "operator")
OURS = str(PurePath(__file__).parent)
RANDOM = Random.shuffle.__code__.co_filename


@dataclass
class _Visit:
    """A draw, as the program stood when it was made."""

    frame: FrameType
    at: int
    depth: int
    serial: int
    picture: object


class Watch:
    """Sees where a replay comes back to where it was. Told of each draw by the generator."""

    def __init__(self, way: Way) -> None:
        self.way = way
        self.rng: object = None
        self._visits: list[_Visit] = []
        self._draws = 0
        self._doubt: tuple[int, int] | None = None  # the draws between which the replay is traced
        self._seen: list[tuple[FrameType, int]] = []
        self._strange = False
        self._traced: FrameType | None = None
        self._before: Any = None
        self._denied: set[tuple[CodeType, int]] = set()

    def begin(self) -> None:
        """Start a replay."""
        self._visits = []
        self._draws = 0

    def settle(self, play: Callable[[], object]) -> bool:
        """Play again the way that was suspected to come back, and say whether it does.

        If it does not, the same place in the program is not suspected again.
        """
        self._seen, self._strange = [], False
        with suppress(Looped):
            play()
        self._untrace()
        self._doubt = None
        proven = not self._strange and bool(self._seen) and all(_harmless(frame, at) for frame, at in self._seen)
        if not proven and self._visits:
            self._denied.add((self._visits[-1].frame.f_code, self._visits[-1].at))
        return proven

    def draw(self, bound: int) -> None:
        """Look around at a draw.

        Raises:
            Looped: this may be where the way was before; `settle` tells.
        """
        self._draws += 1
        frame, between = _caller()
        if self._doubt is not None and self._draws == self._doubt[0]:
            self._trace(frame)
        if self._visits and (self._visits[-1].frame is not frame or self._visits[-1].at != frame.f_lasti):
            self._visits.clear()
        denied = (frame.f_code, frame.f_lasti) in self._denied
        picture = None if denied else self._picture(frame, between, bound)
        way = self.way
        for back, visit in enumerate(reversed(self._visits), 1):
            told = way.serials[visit.depth : way.depth]
            if picture is not None and visit.picture == picture and all(each >= visit.serial for each in told):
                if self._doubt is None:
                    self._doubt = (self._draws - back, self._draws)
                way.refusal = Looped(visit.depth)
                self._untrace()
                raise way.refusal
        self._visits.append(_Visit(frame, frame.f_lasti, way.depth, way.serial + 1, picture))

    def _picture(self, frame: FrameType, between: list[FrameType], bound: int) -> object:
        """Return all that the rest of the run depends on, or None if that cannot be told."""
        since = self._visits[0].serial if self._visits else self.way.serial + 1
        dead = _overwritten(frame.f_code, frame.f_lasti)
        try:
            mine = [(name, self._shown(value, since)) for name, value in frame.f_locals.items() if name not in dead]
            theirs = [self._shown(value, since) for each in between for value in each.f_locals.values()]
        except _Unknown:
            return None
        return bound, mine, theirs

    def _shown(self, value: object, since: int) -> object:
        if isinstance(value, Unseen):
            source = value.source
            if source.bundle is not None or source.halves is not None:
                raise _Unknown
            made = id(source) if source.serial < since else tuple(source.pieces)
            return type(value), made, value.steps, value.seen
        if value is None or type(value) in (int, float, bool, str, bytes, range):
            return type(value), value
        if type(value) in (list, tuple, set, frozenset):
            return id(value), [self._shown(each, since) for each in value]  # type: ignore[attr-defined]
        if type(value) is dict:
            return id(value), [(self._shown(k, since), self._shown(v, since)) for k, v in value.items()]
        kind: Any = type(value)
        if kind is not object and _written(kind):
            names = [*getattr(value, "__dict__", ()), *_slots(kind)]
            return id(value), [(name, self._shown(getattr(value, name, None), since)) for name in names]
        if value is self.rng or _is_pure(value) or (isinstance(value, ModuleType) and value.__name__ in MODULES):
            return id(value)
        if isinstance(value, BuiltinFunctionType) and type(value.__self__) in (list, set, dict):
            return value.__name__, self._shown(value.__self__, since)
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
            while caller is not None and caller is not watched and not _library(caller.f_code):
                caller = caller.f_back
            self._strange |= event == "call" and (caller is None or caller is watched)

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
def _written(kind: Any) -> bool:
    """Say whether all the state of such objects is in their attributes: their classes are all written in Python."""
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
    """A variable of a kind whose state cannot be told."""


def _caller() -> tuple[FrameType, list[FrameType]]:
    """Return the frame that draws, and those of the random generator's methods in between."""
    between = []
    frame = sys._getframe(1)
    while frame.f_back is not None and _library(frame.f_code):
        if not frame.f_code.co_filename.startswith(OURS):
            between.append(frame)
        frame = frame.f_back
    return frame, between


@lru_cache(maxsize=1024)
def _library(code: CodeType) -> bool:
    return code.co_filename.startswith(OURS) or code.co_filename == RANDOM


@lru_cache(maxsize=256)
def _instructions(code: CodeType) -> dict[int, dis.Instruction]:
    return {each.offset: each for each in dis.get_instructions(code)}


@lru_cache(maxsize=1024)
def _overwritten(code: CodeType, at: int) -> tuple[str, ...]:
    """Return the variable that the result of the call at `at` is put into at once, if it is."""
    after = [each for offset, each in _instructions(code).items() if offset > at and each.opname != "CACHE"]
    stored = [each for each in after[:3] if each.opname != "COPY"][:1]
    return tuple(str(each.argval) for each in takewhile(lambda each: each.opname == "STORE_FAST", stored))


def _harmless(frame: FrameType, at: int) -> bool:
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
        return value.__name__ in MODULES
    if isinstance(getattr(value, "__self__", None), Random) or isinstance(value, Random):
        return True
    return type(value) in (int, float, bool, str, range) or _is_pure(value)
