"""Numbers that were drawn but not looked at: they branch only when, and as far as, they are seen.

An `UnseenInt` or `UnseenFloat` stands for a draw (a `Source`) and what the program has made of it by
arithmetic. Nothing is decided until the program looks: as an index, by rounding, by a comparison.
Then the ways it can come out are counted exactly, one is chosen, and the draw is from then on known
to lie in the pieces where it comes out so. So ``getrandbits(32) % 3`` is three branches, not four
thousand million.

Two readings of floating point are ideal: ``random()`` is a real number uniform on [0, 1), and a
float that meets it is the simplest fraction that it is the nearest float to (0.3 is 3/10).
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import Any, cast

from fairdeck.lab.exact.draws import (
    Source,
    Step,
    Steps,
    is_whole,
    lines_of,
    outcomes_of,
    scaled,
    scaling,
    sides_of,
    split,
    weights_of,
    window_of,
)
from fairdeck.lab.exact.pieces import (
    Interval,
    Line,
    Number,
    Progression,
    TooMany,
    plain,
    quotient,
    upwards,
)
from fairdeck.lab.exact.ties import tie

SIMPLE = 10**6
IN_FULL = (
    "it looks at a random() number in full (as text, as a key, or by a function such as sqrt), which has no end of "
    "outcomes; compare it, or round it as in int(random() * k), or draw whole numbers with randrange(k)"
)
TWO_REALS = (
    "it {how} two random() numbers with each other, which cannot be seen through; compare them, or draw whole "
    "numbers with randrange(k)"
)


@lru_cache(maxsize=4096)
def simplest(value: float) -> Number:
    """Return the simple fraction that `value` is the nearest float to, if there is one; else what it is exactly.

    >>> simplest(0.3), simplest(2.0**-40)
    (Fraction(3, 10), Fraction(1, 1099511627776))
    """
    near = Fraction(value).limit_denominator(SIMPLE)
    return plain(near if float(near) == value else Fraction(value))


def _number(other: object) -> Number | None:
    """Return a plain number that meets an unseen one as an exact one, or None if it is none."""
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


class Unseen:
    """A number that was drawn and not looked at, and what arithmetic has made of it since."""

    __slots__ = ("seen", "source", "steps")

    def __init__(self, source: Source, steps: Steps = ()) -> None:
        self.source = source
        self.steps = steps
        self.seen: Number | None = None

    # What it is made of -------------------------------------------------------------------------

    def _resolve(self) -> tuple[Source, Steps]:
        """Return the source and steps it depends on, where a source has been found to consist of two."""
        source, steps = self.source, self.steps
        while source.halves is not None:
            base, up, down, high, low = source.halves
            a, b, rest = scaling(steps)
            kind, modulus, _ = rest[0] if rest else ("", 1, 0)
            if high.value is not None:
                source, steps = low, scaled(a * down, a * (base + up * high.value) + b, rest)
            elif low.value is not None:
                source, steps = high, scaled(a * up, a * (base + down * low.value) + b, rest)
            elif kind == "mod" and is_whole(quotient(a * up, modulus)):
                source, steps = low, scaled(a * down, a * base + b, rest)
            elif (
                kind == "floor" and is_whole(a * up) and (window := window_of(low, a * down, a * base + b)) is not None
            ):
                source, steps = high, scaled(a * up, window, rest[1:])
            else:
                UnseenInt(high).settle()
        return source, steps

    def _simplified(self) -> tuple[Source, Steps]:
        """Return the source and steps it depends on, once a source is split where that makes few pieces of many."""
        while True:
            source, steps = self._resolve()
            try:
                lines_of(source.pieces, steps)
            except TooMany:
                if split(source, steps):
                    continue
                if isinstance(source.pieces[0], Interval):
                    raise source.path.refuse(
                        "it rounds random() to too many different numbers to count them; multiply it by a whole "
                        "number, or by less"
                    ) from None
                UnseenInt(source).settle()
            else:
                return source, steps

    def uniform(self) -> tuple[Source, Line] | None:
        """Return its source and the one line it is, or None if it cannot be brought to that without looking."""
        source, steps = self._resolve()
        while scaling(steps)[2] and split(source, steps):
            source, steps = self._resolve()
        if len(source.pieces) > 1 and not scaling(steps)[2]:
            groups = [(piece,) for piece in source.pieces]
            source.choose(groups, weights_of(groups))
        source, steps = self._simplified()
        lines = lines_of(source.pieces, steps)
        return (source, lines[0]) if len(lines) == 1 and lines[0][1] != 0 else None

    # Looking ------------------------------------------------------------------------------------

    def settle(self) -> Number:
        """Look at it: decide what it is, and return that.

        Raises:
            Refused: it is a real number.
        """
        if self.seen is None:
            self.seen = self._settled()
        return self.seen

    def _settled(self) -> Number:
        source = self.source
        if not self.steps and source.halves is None and source.bundle is None and len(source.pieces) == 1:
            piece = source.pieces[0]
            if isinstance(piece, Progression):
                value = piece.first + piece.step * source.path.below(piece.count, source.serial)
                if piece.count > 1:
                    source.pieces = (Progression(value, 1, 1),)
                return plain(value)
        while True:
            source, steps = self._simplified()
            source.path.room_for(self._count(source, steps))
            outcomes = outcomes_of(source.pieces, steps)
            if outcomes is None:
                raise source.path.refuse(IN_FULL)
            values, groups, weights = outcomes
            if source.bundle is None or len(groups) == 1:
                return values[source.choose(groups, weights)]
            source.halve(tuple([piece for group in groups for piece in group]))

    def _count(self, source: Source, steps: Steps) -> int:
        """Return how many values it can have, at most."""
        lines = lines_of(source.pieces, steps)
        return sum([line[0].count if line[1] and isinstance(line[0], Progression) else 1 for line in lines])

    def _decide(self, how: str, at: Number) -> bool:
        """Decide whether it is, as `how` says, "<", "<=" or "==" `at`."""
        while True:
            source, steps = self._simplified()
            yes, no, weights = sides_of(source.pieces, steps, how, at)
            if not no or not yes:
                return bool(yes)
            if source.bundle is None:
                return source.choose((yes, no), weights) == 0
            source.halve(yes + no)

    # Arithmetic ---------------------------------------------------------------------------------

    def _made(self, step: Step, real: bool | None = None) -> "Unseen":
        """Return what it becomes by a step."""
        real = isinstance(self, UnseenFloat) if real is None else real
        return (UnseenFloat if real else UnseenInt)(self.source, _then(self.steps, step))

    def _linear(self, a: Number, b: Number, other: object) -> "Unseen":
        return self._made(("scale", a, b), real=isinstance(self, UnseenFloat) or not isinstance(other, int))

    def _together(self, other: "Unseen", how: str, work: Callable[[Any, Any], Any]) -> Any:
        """Return what arithmetic makes of two unseen numbers: one whole one is looked at."""
        if how == "adds" and (sum_ := self._sum(other)) is not None:
            return sum_
        whole = [each for each in (self, other) if isinstance(each, UnseenInt)]
        if whole:
            looked_at = min(whole, key=lambda each: each._count(*each._simplified()))
            value = looked_at.settle()
            return work(value, other) if looked_at is self else work(self, value)
        raise self.source.path.refuse(TWO_REALS.format(how=how))

    def _sum(self, other: "Unseen") -> "Unseen | None":
        """Return the sum of two linear things made of one draw, or None if they are not."""
        (source, steps), (same, more) = self._resolve(), other._resolve()
        if source is not same or scaling(steps)[2] or scaling(more)[2]:
            return None
        (a, b, _), (c, d, _) = scaling(steps), scaling(more)
        real = isinstance(self, UnseenFloat) or isinstance(other, UnseenFloat)
        return (UnseenFloat if real else UnseenInt)(source, scaled(a + c, b + d))

    def __add__(self, other: object) -> Any:
        if isinstance(other, Unseen):
            return self._together(other, "adds", lambda x, y: x + y)
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
        return self + -cast(Any, other) if isinstance(other, Unseen) or _number(other) is not None else NotImplemented

    def __rsub__(self, other: object) -> Any:
        return -self + other

    def __mul__(self, other: object) -> Any:
        if isinstance(other, Unseen):
            return self._together(other, "multiplies", lambda x, y: x * y)
        number = _number(other)
        return NotImplemented if number is None else self._linear(number, 0, other)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Any:
        if isinstance(other, Unseen):
            return self._together(other, "divides", lambda x, y: x / y)
        number = _number(other)
        if number is None:
            return NotImplemented
        return self._linear(Fraction(1) / number, 0, 0.0)

    def __rtruediv__(self, other: object) -> Any:
        return NotImplemented if _number(other) is None else cast(Any, other) / self._looked_at()

    def __floordiv__(self, other: object) -> Any:
        if isinstance(other, Unseen):
            return self._together(other, "divides", lambda x, y: x // y)
        number = _number(other)
        if number is None:
            return NotImplemented
        real = isinstance(self, UnseenFloat) or not isinstance(other, int)
        return self._made(("scale", Fraction(1) / number, 0))._made(("floor", 0, 0), real)

    def __rfloordiv__(self, other: object) -> Any:
        return NotImplemented if _number(other) is None else cast(Any, other) // self._looked_at()

    def __mod__(self, other: object) -> Any:
        if isinstance(other, Unseen):
            return self._together(other, "divides", lambda x, y: x % y)
        number = _number(other)
        if number is None:
            return NotImplemented
        if number < 0:
            return -(-self % -number)
        Fraction(1) / number  # a remainder by zero raises what it should
        return self._made(("mod", number, 0), isinstance(self, UnseenFloat) or not isinstance(other, int))

    def __rmod__(self, other: object) -> Any:
        return NotImplemented if _number(other) is None else cast(Any, other) % self._looked_at()

    def __divmod__(self, other: object) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: object) -> Any:
        return divmod(cast(Any, other), self._looked_at())

    def __pow__(self, other: object) -> Any:
        return self._looked_at() ** _seen(other)

    def __rpow__(self, other: object) -> Any:
        return cast(Any, other) ** self._looked_at()

    def _looked_at(self) -> Any:
        """Look at it, and return it as what it passes for."""
        return float(self.settle())

    # Comparison ---------------------------------------------------------------------------------

    def __lt__(self, other: object) -> bool:
        if isinstance(other, Unseen):
            return _less(self, other, strict=True)
        return NotImplemented if (number := _number(other)) is None else self._decide("<", number)

    def __le__(self, other: object) -> bool:
        if isinstance(other, Unseen):
            return _less(self, other, strict=False)
        return NotImplemented if (number := _number(other)) is None else self._decide("<=", number)

    def __gt__(self, other: object) -> bool:
        if isinstance(other, Unseen):
            return _less(other, self, strict=True)
        return NotImplemented if (number := _number(other)) is None else not self._decide("<=", number)

    def __ge__(self, other: object) -> bool:
        if isinstance(other, Unseen):
            return _less(other, self, strict=False)
        return NotImplemented if (number := _number(other)) is None else not self._decide("<", number)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Unseen):
            return _less(self, other, strict=False) and _less(other, self, strict=False)
        return NotImplemented if (number := _number(other)) is None else self._decide("==", number)

    def __bool__(self) -> bool:
        return not self._decide("==", 0)

    def __hash__(self) -> int:
        return hash(self.settle())

    # Rounding -----------------------------------------------------------------------------------

    def _rounded(self, kind: str) -> "Unseen":
        return self._made((kind, 0, 0), real=False)

    def __floor__(self) -> Any:
        return self._rounded("floor")

    def __ceil__(self) -> Any:
        return self._rounded("ceil")

    def __trunc__(self) -> Any:
        return self._rounded("trunc")

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
        return repr(self.settle())

    def __format__(self, spec: str) -> str:
        return format(self.settle(), spec)

    def __reduce__(self) -> Any:
        return self.settle().__reduce__()

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: object) -> Any:
        return self


class UnseenInt(Unseen):
    """A whole number that was drawn and not looked at."""

    __slots__ = ()

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # so that it passes for what it stands for
        return int

    def settle(self) -> int:
        """Look at it, and return it."""
        return int(super().settle())

    def __index__(self) -> int:
        return self.settle()

    def __int__(self) -> int:
        return self.settle()

    def _looked_at(self) -> Any:
        return self.settle()

    def __invert__(self) -> Any:
        return -self - 1

    def __and__(self, other: object) -> Any:
        mask = _seen(other)
        if not isinstance(mask, int):
            return NotImplemented
        shift = (mask & -mask).bit_length() - 1
        if mask > 0 and (mask >> shift) & ((mask >> shift) + 1) == 0:  # a run of ones: some binary digits of it
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

    def __rlshift__(self, other: object) -> Any:
        return cast(Any, other) << self.settle()

    def __rshift__(self, other: object) -> Any:
        by = _seen(other)
        return self // 2**by if isinstance(by, int) and by >= 0 else self.settle() >> by

    def __rrshift__(self, other: object) -> Any:
        return cast(Any, other) >> self.settle()

    def __getattr__(self, name: str) -> Any:
        # The methods of an int, bit_length and to_bytes among them, see all of it.
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.settle(), name)


class UnseenFloat(Unseen):
    """A real number that was drawn and not looked at."""

    __slots__ = ()

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return float

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(float(self.settle()), name)


def _seen(other: object) -> Any:
    return other.settle() if isinstance(other, Unseen) else other


def _less(one: Unseen, other: Unseen, strict: bool) -> bool:
    """Decide whether `one` is below `other` (not `strict`: or equal)."""
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
            return x[0] < y[0]
        grid = _stride(line) == _stride(along) and is_whole(quotient(x[0] - y[0], _stride(line)))
        if whole != discrete or (whole and not grid):
            return _less_seen(one, other, strict)
        if x == y:
            rising = _rises(line)
            if rising != _rises(along):  # one runs down while the other runs up: turn one that may be turned
                if first.bundle is not None and second.bundle is not None:
                    return _less_seen(one, other, strict)
                turned = second if second.bundle is None else first
                turned.pieces = (turned.pieces[0].turned(),)
                continue
            low, high = (first, second) if rising else (second, first)
            return tie(first, second).below(low, high, strict)
        if not _cut_at(one, x, y, whole):
            _cut_at(other, y, x, whole)


def _less_seen(one: Unseen, other: Unseen, strict: bool) -> bool:
    """Decide it by looking at one of them."""
    if isinstance(other, UnseenInt):
        return bool(one < other.settle() if strict else one <= other.settle())
    if isinstance(one, UnseenInt):
        return bool(other > one.settle() if strict else other >= one.settle())
    raise one.source.path.refuse(TWO_REALS.format(how="compares what different roundings make of"))


def _ends(line: Line) -> tuple[Number, Number]:
    """Return the least and the greatest value of a line."""
    piece, a, b = upwards(line)
    return plain(a * piece.first + b), plain(piece.last(a, b))


def _stride(line: Line) -> Number:
    stride = line[0].step * line[1]
    return stride if stride > 0 else -stride


def _rises(line: Line) -> bool:
    return line[0].step * line[1] > 0


def _cut_at(number: Unseen, own: tuple[Number, Number], ends: tuple[Number, Number], whole: bool) -> bool:
    """Decide on which side of an end of the other's range a number is, if that is within its own; say if it was."""
    if own[0] < ends[0] < own[1] or (whole and own[0] < ends[0] == own[1]):
        number._decide("<", ends[0])
    elif own[0] < ends[1] < own[1] or (whole and own[0] == ends[1] < own[1]):
        number._decide("<=", ends[1])
    else:
        return False
    return True
