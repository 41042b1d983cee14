"""Numbers that are drawn lazily: they branch only when, and as far as, the program uses them.

A `LazyInt` or `LazyFloat` is a `Draw` and the arithmetic that the program has done with it. Nothing is
decided until the program needs a value: as an index, in rounding, in a comparison. Then the outcomes
are counted exactly, one is chosen, and the draw is known to lie in the pieces that give this outcome.
So ``getrandbits(32) % 3`` is three branches, not 4,294,967,296.

Floating point is idealized in two ways: ``random()`` is a real number uniform on [0, 1), and a float
that is combined with it is taken as the simplest fraction that rounds to it (0.3 is 3/10).
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partialmethod
from math import isfinite
from operator import add, floordiv, ge, gt, le, lshift, lt, mod, mul, rshift, truediv
from typing import Any, cast

from fairdeck.lab.enumeration.draws import Draw, split, tie, window_of
from fairdeck.lab.enumeration.pieces import (
    Interval,
    Line,
    Number,
    Progression,
    Step,
    Steps,
    TooMany,
    is_whole,
    lines_of,
    outcomes_of,
    plain,
    quotient,
    scaled,
    scaling,
    sides_of,
    upwards,
    weights_of,
)

SIMPLE = 10**6
IN_FULL = (
    "it uses all digits of a random() number (as text, as a key, or in a function such as sqrt), which has endlessly "
    "many outcomes; compare it, or round it as in int(random() * k), or draw whole numbers with randrange(k)"
)
TWO_REALS = (
    "it {how} two random() numbers with each other, which enumeration cannot follow; compare them, or draw whole "
    "numbers with randrange(k)"
)


@lru_cache(maxsize=4096)
def simplest(value: float) -> Number:
    """Return the simple fraction that rounds to `value`, if there is one; else its exact value.

    >>> simplest(0.3), simplest(2.0**-40)
    (Fraction(3, 10), Fraction(1, 1099511627776))
    """
    near = Fraction(value).limit_denominator(SIMPLE)
    return plain(near if float(near) == value else Fraction(value))


def _number(other: object) -> Number | None:
    """Return a plain number exactly, or None if it is not a number."""
    if isinstance(other, float):
        return simplest(float(other)) if isfinite(other) else None
    return other if isinstance(other, int | Fraction) else None


def _then(steps: Steps, step: Step) -> Steps:
    """Return the steps with one more; two linear ones become one."""
    if steps and steps[-1][0] == "scale" == step[0]:
        _, a, b = steps[-1]
        _, c, d = step
        return (*steps[:-1], ("scale", plain(a * c), plain(b * c + d)))
    return (*steps, step)


def _of_decided(work: Callable[[Any, Any], Any]) -> Callable[["LazyNumber", object], Any]:
    """Return a reflected operator: the number on the right is decided."""

    def operator(self: "LazyNumber", other: object) -> Any:
        return NotImplemented if _number(other) is None else work(other, self._decided())

    return operator


def _comparison(is_so: Callable[[Any, Any], bool]) -> Callable[["LazyNumber", object], bool]:
    def operator(self: "LazyNumber", other: object) -> bool:
        return self._compare(other, is_so)

    return operator


class LazyNumber:
    """A number that was drawn but is not decided, and the arithmetic done with it since."""

    __slots__ = ("draw", "seen", "steps")

    def __init__(self, draw: Draw, steps: Steps = ()) -> None:
        self.draw = draw
        self.steps = steps
        self.seen: Number | None = None

    # Where it comes from ------------------------------------------------------------------------

    def _resolve(self) -> tuple[Draw, Steps]:
        """Return the draw and steps it depends on, after a draw was split into two."""
        draw, steps = self.draw, self.steps
        while draw.halves is not None:
            base, up, down, high, low = draw.halves
            a, b, rest = scaling(steps)
            kind, modulus, _ = rest[0] if rest else ("", 1, 0)
            if high.value is not None:
                draw, steps = low, scaled(a * down, a * (base + up * high.value) + b, rest)
            elif low.value is not None:
                draw, steps = high, scaled(a * up, a * (base + down * low.value) + b, rest)
            elif kind == "mod" and is_whole(quotient(a * up, modulus)):
                draw, steps = low, scaled(a * down, a * base + b, rest)
            elif (
                kind == "floor" and is_whole(a * up) and (window := window_of(low, a * down, a * base + b)) is not None
            ):
                draw, steps = high, scaled(a * up, window, rest[1:])
            else:
                LazyInt(high).settle()
        return draw, steps

    def _simplified(self) -> tuple[Draw, Steps]:
        """Return the draw and steps it depends on; a draw is split where that turns many pieces into few."""
        while True:
            draw, steps = self._resolve()
            try:
                lines_of(draw.pieces, steps)
            except TooMany:
                if split(draw, steps):
                    continue
                if isinstance(draw.pieces[0], Interval):
                    raise draw.path.refuse(
                        "it rounds random() to too many different numbers to count them; multiply it by a whole "
                        "number, or a smaller one"
                    ) from None
                LazyInt(draw).settle()
            else:
                return draw, steps

    def uniform(self) -> tuple[Draw, Line] | None:
        """Return its draw and the one line that it is, or None if that takes a decision."""
        draw, steps = self._resolve()
        while scaling(steps)[2] and split(draw, steps):
            draw, steps = self._resolve()
        if len(draw.pieces) > 1 and not scaling(steps)[2]:
            groups = [(piece,) for piece in draw.pieces]
            draw.choose(groups, weights_of(groups))
        draw, steps = self._simplified()
        lines = lines_of(draw.pieces, steps)
        return (draw, lines[0]) if len(lines) == 1 and lines[0][1] != 0 else None

    # Deciding -----------------------------------------------------------------------------------

    def settle(self) -> Number:
        """Decide its value, and return it; of a real number raise `CannotEnumerate`."""
        if self.seen is None:
            self.seen = self._settled()
        return self.seen

    def _settled(self) -> Number:
        draw = self.draw
        if not self.steps and draw.halves is None and draw.poset is None and len(draw.pieces) == 1:
            piece = draw.pieces[0]
            if isinstance(piece, Progression):
                value = piece.first + piece.step * draw.path.below(piece.count, draw.serial)
                if piece.count > 1:
                    draw.pieces = (Progression(value, 1, 1),)
                return plain(value)
        while True:
            draw, steps = self._simplified()
            draw.path.demand_budget(self._count(draw, steps))
            outcomes = outcomes_of(draw.pieces, steps)
            if outcomes is None:
                raise draw.path.refuse(IN_FULL)
            values, groups, weights = outcomes
            if draw.poset is None or len(groups) == 1:
                return values[draw.choose(groups, weights)]
            draw.halve(tuple([piece for group in groups for piece in group]))

    def _lines(self) -> tuple[Line, ...]:
        draw, steps = self._simplified()
        return lines_of(draw.pieces, steps)

    def _is_countable(self) -> bool:
        return all(not a or isinstance(piece, Progression) for piece, a, _ in self._lines())

    def _count(self, draw: Draw, steps: Steps) -> int:
        """Return at most how many values it can have."""
        lines = lines_of(draw.pieces, steps)
        return sum([line[0].count if line[1] and isinstance(line[0], Progression) else 1 for line in lines])

    def _decide(self, how: str, at: Number) -> bool:
        """Decide whether it is, as `how` says, "<", "<=" or "==" `at`."""
        while True:
            draw, steps = self._simplified()
            yes, no, weights = sides_of(draw.pieces, steps, how, at)
            if not no or not yes:
                return bool(yes)
            if draw.poset is None:
                return draw.choose((yes, no), weights) == 0
            draw.halve(yes + no)

    # Arithmetic ---------------------------------------------------------------------------------

    def _made(self, step: Step, real: bool | None = None) -> "LazyNumber":
        real = isinstance(self, LazyFloat) if real is None else real
        return (LazyFloat if real else LazyInt)(self.draw, _then(self.steps, step))

    def _linear(self, a: Number, b: Number, other: object) -> "LazyNumber":
        return self._made(("scale", a, b), real=isinstance(self, LazyFloat) or not isinstance(other, int))

    def _combined(self, other: "LazyNumber", how: str, work: Callable[[Any, Any], Any]) -> Any:
        """Return the result of arithmetic with two lazy numbers: a whole one of them is decided."""
        if how == "adds" and (sum_ := self._sum(other)) is not None:
            return sum_
        countable = [each for each in (self, other) if each._is_countable()]
        if countable:
            decided = min(countable, key=lambda each: each._count(*each._simplified()))
            # A whole Fraction is still a real number for what comes next.
            value = Fraction(decided.settle()) if isinstance(decided, LazyFloat) else decided.settle()
            return work(value, other) if decided is self else work(self, value)
        raise self.draw.path.refuse(TWO_REALS.format(how=how))

    def _sum(self, other: "LazyNumber") -> "LazyNumber | None":
        """Return the sum of two linear functions of one draw, or None if they are not."""
        (draw, steps), (same, more) = self._resolve(), other._resolve()
        if draw is not same or scaling(steps)[2] or scaling(more)[2]:
            return None
        (a, b, _), (c, d, _) = scaling(steps), scaling(more)
        real = isinstance(self, LazyFloat) or isinstance(other, LazyFloat)
        return (LazyFloat if real else LazyInt)(draw, scaled(a + c, b + d))

    def __add__(self, other: object) -> Any:
        if isinstance(other, LazyNumber):
            return self._combined(other, "adds", add)
        number = _number(other)
        return NotImplemented if number is None else self._linear(1, number, other)

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self._made(("scale", -1, 0))

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __sub__(self, other: object) -> Any:
        return (
            self + -cast(Any, other) if isinstance(other, LazyNumber) or _number(other) is not None else NotImplemented
        )

    def __rsub__(self, other: object) -> Any:
        return -self + other

    def __mul__(self, other: object) -> Any:
        if isinstance(other, LazyNumber):
            return self._combined(other, "multiplies", mul)
        number = _number(other)
        return NotImplemented if number is None else self._linear(number, 0, other)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Any:
        if isinstance(other, LazyNumber):
            return self._combined(other, "divides", truediv)
        number = _number(other)
        if number is None:
            return NotImplemented
        return self._linear(Fraction(1) / number, 0, 0.0)

    def __floordiv__(self, other: object) -> Any:
        if isinstance(other, LazyNumber):
            return self._combined(other, "divides", floordiv)
        number = _number(other)
        if number is None:
            return NotImplemented
        real = isinstance(self, LazyFloat) or not isinstance(other, int)
        return self._made(("scale", Fraction(1) / number, 0))._made(("floor", 0, 0), real)

    def __mod__(self, other: object) -> Any:
        if isinstance(other, LazyNumber):
            return self._combined(other, "divides", mod)
        number = _number(other)
        if number is None:
            return NotImplemented
        if number < 0:
            return -(-self % -number)
        Fraction(1) / number  # a remainder by zero raises ZeroDivisionError
        return self._made(("mod", number, 0), isinstance(self, LazyFloat) or not isinstance(other, int))

    def __divmod__(self, other: object) -> Any:
        return self // other, self % other

    def __pow__(self, other: object) -> Any:
        return self._decided() ** _seen(other)

    __rtruediv__ = _of_decided(truediv)
    __rfloordiv__ = _of_decided(floordiv)
    __rmod__ = _of_decided(mod)
    __rdivmod__ = _of_decided(divmod)
    __rpow__ = _of_decided(pow)

    def _decided(self) -> Any:
        """Decide it, and return it as a number of the type it passes for."""
        return float(self.settle())

    # Comparison ---------------------------------------------------------------------------------

    def _compare(self, other: object, is_so: Callable[[Any, Any], bool]) -> bool:
        """Decide whether it is so of this number and `other`: one of ``<``, ``<=``, ``>`` and ``>=``."""
        if isinstance(other, LazyNumber):
            low, high = (self, other) if is_so in (lt, le) else (other, self)
            return _less(low, high, strict=is_so in (lt, gt))
        if isinstance(other, float) and not isfinite(other):
            return bool(is_so(0.0, other))  # as for any finite number
        number = _number(other)
        if number is None:
            return cast(bool, NotImplemented)
        how = "<" if is_so in (lt, ge) else "<="
        return self._decide(how, number) is (is_so in (lt, le))

    __lt__ = _comparison(lt)
    __le__ = _comparison(le)
    __gt__ = _comparison(gt)
    __ge__ = _comparison(ge)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LazyNumber):
            return _less(self, other, strict=False) and _less(other, self, strict=False)
        return NotImplemented if (number := _number(other)) is None else self._decide("==", number)

    def __bool__(self) -> bool:
        return not self._decide("==", 0)

    def __hash__(self) -> int:
        return hash(self.settle())

    # Rounding -----------------------------------------------------------------------------------

    def _rounded(self, kind: str) -> "LazyNumber":
        return self._made((kind, 0, 0), real=False)

    __floor__ = partialmethod(_rounded, "floor")
    __ceil__ = partialmethod(_rounded, "ceil")
    __trunc__ = partialmethod(_rounded, "trunc")

    def __int__(self) -> int:
        return int(self._rounded("trunc").settle())

    def __round__(self, digits: int | None = None) -> Any:
        if digits is None:
            return self._rounded("round")
        power = Fraction(10) ** int(digits)
        scaled = self._made(("scale", power, 0))._made(("round", 0, 0))
        return scaled._made(("scale", 1 / power, 0))

    def __float__(self) -> float:
        return float(self.settle())

    def __repr__(self) -> str:
        return repr(self._decided())

    def __format__(self, spec: str) -> str:
        return format(self._decided(), spec)

    def __reduce__(self) -> Any:
        value = self._decided()
        return type(value), (value,)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: object) -> Any:
        return self


class LazyInt(LazyNumber):
    """A whole number that is not decided."""

    __slots__ = ()

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # so that it passes for an int
        return int

    def settle(self) -> int:
        """Decide it, and return it."""
        return int(super().settle())

    def __index__(self) -> int:
        return self.settle()

    def __int__(self) -> int:
        return self.settle()

    def _decided(self) -> Any:
        return self.settle()

    def __invert__(self) -> Any:
        return -self - 1

    def __and__(self, other: object) -> Any:
        mask = _seen(other)
        if not isinstance(mask, int):
            return NotImplemented
        shift = (mask & -mask).bit_length() - 1
        if mask > 0 and (mask >> shift) & ((mask >> shift) + 1) == 0:  # a run of ones selects some of its binary digits
            return (self >> shift) % ((mask >> shift) + 1) << shift
        return self.settle() & mask

    __rand__ = __and__

    def __or__(self, other: object) -> Any:
        return self.settle() | _seen(other)

    __ror__ = __or__

    def __xor__(self, other: object) -> Any:
        return self.settle() ^ _seen(other)

    __rxor__ = __xor__

    def __lshift__(self, other: object) -> Any:
        by = _seen(other)
        return self * 2**by if isinstance(by, int) and by >= 0 else self.settle() << by

    def __rshift__(self, other: object) -> Any:
        by = _seen(other)
        return self // 2**by if isinstance(by, int) and by >= 0 else self.settle() >> by

    __rlshift__ = _of_decided(lshift)
    __rrshift__ = _of_decided(rshift)

    def __getattr__(self, name: str) -> Any:
        # The methods of an int, such as bit_length and to_bytes, use all of it.
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.settle(), name)


class LazyFloat(LazyNumber):
    """A real number that is not decided."""

    __slots__ = ()

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return float

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(float(self.settle()), name)


def _seen(other: object) -> Any:
    return other.settle() if isinstance(other, LazyNumber) else other


def _less(one: LazyNumber, other: LazyNumber, strict: bool) -> bool:
    if (difference := one._sum(-other)) is not None:
        return bool(difference < 0 if strict else difference <= 0)
    while True:
        ours, theirs = one.uniform(), other.uniform()
        if ours is None or theirs is None or ours[0] is theirs[0]:
            return _less_seen(one, other, strict)
        (first, line), (second, along) = ours, theirs
        x, y = _ends(line), _ends(along)
        whole, discrete = isinstance(line[0], Progression), isinstance(along[0], Progression)
        if x[1] < y[0] or y[1] < x[0] or (not (whole and discrete) and (x[1] == y[0] or y[1] == x[0])):
            return x[1] <= y[0]
        grid = _stride(line) == _stride(along) and is_whole(quotient(x[0] - y[0], _stride(line)))
        if whole != discrete or (whole and not grid):
            return _less_seen(one, other, strict)
        if x == y:
            rising = _rises(first, line)
            if rising != _rises(second, along):  # one runs down while the other runs up: turn one that may be turned
                if first.poset is not None and second.poset is not None:
                    return _less_seen(one, other, strict)
                turned = second if second.poset is None else first
                turned.pieces = (turned.pieces[0].turned(),)
                continue
            low, high = (first, second) if rising else (second, first)
            return tie(first, second).below(low, high, strict)
        if not _cut_at(one, x, y, whole):
            _cut_at(other, y, x, whole)


def _less_seen(one: LazyNumber, other: LazyNumber, strict: bool) -> bool:
    """Decide it by deciding one of them."""
    if other._is_countable():
        return bool(one < other.settle() if strict else one <= other.settle())
    if one._is_countable():
        return bool(other > one.settle() if strict else other >= one.settle())
    raise one.draw.path.refuse(TWO_REALS.format(how="compares different roundings of"))


def _ends(line: Line) -> tuple[Number, Number]:
    """Return the least and the greatest value of a line."""
    piece, a, b = upwards(line)
    return plain(a * piece.first + b), plain(piece.last(a, b))


def _stride(line: Line) -> Number:
    stride = line[0].step * line[1]
    return stride if stride > 0 else -stride


def _rises(draw: Draw, line: Line) -> bool:
    """Say whether the value grows along the piece of the draw itself; that of the line may be turned."""
    return draw.pieces[0].step * line[1] > 0


def _cut_at(number: LazyNumber, own: tuple[Number, Number], ends: tuple[Number, Number], whole: bool) -> bool:
    """Decide on which side of an end of the other's range a number lies, if that end is within its own; say if so."""
    if own[0] < ends[0] < own[1] or (whole and own[0] < ends[0] == own[1]):
        number._decide("<", ends[0])
    elif own[0] < ends[1] < own[1] or (whole and own[0] == ends[1] < own[1]):
        number._decide("<=", ends[1])
    else:
        return False
    return True
