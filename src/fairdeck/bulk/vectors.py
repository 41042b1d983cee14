"""Vectors as values: 64 bytes of numbers that numba adds, compares and shuffles in one instruction.

A processor adds 64 bytes to 64 other bytes as fast as one to one, but compilers seldom find out by
themselves where it may. Here the kernel says it. `U8x64` is 64 bytes side by side, `U16x32` 32
numbers of 16 bits, and so on: always 64 bytes. Inside a kernel they behave like numbers:

    low = load(cards, at)               # the 64 bytes from cards[at] on
    low = low + splat(np.uint8(1))      # one more in each lane
    store(cards, at, low)

``+ - * & | ^ << >>`` work lane by lane and wrap around; ``< > >= ==`` give a `Mask`, one bit a lane,
for `choose`, `any_of` and `bits`. Masks know ``& | ^``. Nothing here names a processor: the vectors
are LLVM's own, which become AVX-512, AVX2, SSE or NEON, with equal results on each.

A `Bundle` is several vectors that stay in registers together; see `hold`. Why this is worth its lines, and
how to write a kernel with it: docs/decisions/0018-a-vector-language.md.
"""

import operator
from collections.abc import Callable, Iterable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

BYTES = 64
SIXTEEN = 16  # bytes that shuffles of bytes keep together
_I32 = ir.IntType(32)
_I64 = ir.IntType(64)


class Vector(types.Type):
    """`lanes` unsigned numbers of `bits` bits each."""

    def __init__(self, bits: int) -> None:
        self.bits, self.lanes = bits, BYTES * 8 // bits
        super().__init__(name=f"U{bits}x{self.lanes}")

    @property
    def llvm(self) -> Any:
        """The LLVM type of its values."""
        return ir.VectorType(ir.IntType(self.bits), self.lanes)

    def constant(self, value: int) -> Any:
        """Return the constant that has `value` in each lane."""
        return ir.Constant(self.llvm, [value & ((1 << self.bits) - 1)] * self.lanes)


class Mask(types.Type):
    """One bit for each of `lanes` lanes."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        super().__init__(name=f"Mask{lanes}")

    @property
    def llvm(self) -> Any:
        """The LLVM type of its values."""
        return ir.VectorType(ir.IntType(1), self.lanes)


class Bundle(types.Type):
    """`rows` vectors of one kind, held in registers."""

    def __init__(self, vector: Vector, rows: int) -> None:
        self.vector, self.rows = vector, rows
        super().__init__(name=f"{rows} of {vector.name}")

    @property
    def llvm(self) -> Any:
        """The LLVM type of its values."""
        return ir.ArrayType(self.vector.llvm, self.rows)


@register_model(Vector)
@register_model(Mask)
@register_model(Bundle)
class _Plain(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, kind.llvm)


U8x64, U16x32, U32x16, U64x8 = Vector(8), Vector(16), Vector(32), Vector(64)
_OF_DTYPE = {types.uint8: U8x64, types.uint16: U16x32, types.uint32: U32x16, types.uint64: U64x8}


# --- how intrinsics are built


def _intrinsic(result: Any, given: tuple[Any, ...], build: Callable[..., Any]) -> Any:
    """Return the signature of an intrinsic and its builder; `build` gets LLVM's builder and the values."""

    def generate(context: Any, builder: Any, sig: Any, values: Any) -> Any:
        return build(builder, *values)

    return result(*given), generate


def _undefined(kind: Any) -> Any:
    return ir.Constant(kind.llvm, ir.Undefined)


def _lanes(lanes: Iterable[int]) -> Any:
    """Return a constant that says which lanes a shuffle takes."""
    chosen = list(lanes)
    return ir.Constant(ir.VectorType(_I32, len(chosen)), chosen)


def _called(builder: Any, name: str, result: Any, *values: Any) -> Any:
    """Return what a function of LLVM's own makes of some values."""
    kind = ir.FunctionType(result, [value.type for value in values])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), values)


def _rows(builder: Any, bundle: Bundle, value: Any) -> list[Any]:
    return [builder.extract_value(value, row) for row in range(bundle.rows)]


def _bundled(builder: Any, bundle: Bundle, rows: Iterable[Any]) -> Any:
    value = _undefined(bundle)
    for number, row in enumerate(rows):
        value = builder.insert_value(value, row, number)
    return value


# --- operators


def _lane_by_lane(sign: Any, build: Callable[[Any, Any, Any], Any], kind: type, result: Callable[[Any], Any]) -> None:
    """Let `sign` join two values of one `kind`; `build` writes the instruction."""

    @infer_global(sign)
    class _Typed(AbstractTemplate):
        def generic(self, args: tuple[Any, ...], kws: Any) -> Any:
            if len(args) == 2 and isinstance(args[0], kind) and args[0] == args[1]:
                return signature(result(args[0]), *args)
            return None

    @lower_builtin(sign, kind, kind)
    def _lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return build(builder, *args)


def _instruction(sign: Any, name: str, *kinds: type) -> None:
    for kind in kinds:
        _lane_by_lane(sign, lambda builder, x, y: getattr(builder, name)(x, y), kind, lambda same: same)


def _comparison(sign: Any, name: str) -> None:
    _lane_by_lane(
        sign, lambda builder, x, y: builder.icmp_unsigned(name, x, y), Vector, lambda vector: Mask(vector.lanes)
    )


for _sign, _name in (("add", "add"), ("sub", "sub"), ("mul", "mul"), ("lshift", "shl"), ("rshift", "lshr")):
    _instruction(getattr(operator, _sign), _name, Vector)
for _sign in ("and_", "or_", "xor"):
    _instruction(getattr(operator, _sign), _sign, Vector, Mask)
for _sign, _name in (("lt", "<"), ("ge", ">="), ("eq", "=="), ("gt", ">")):
    _comparison(getattr(operator, _sign), _name)


# --- memory


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, at: Any, kind: Any) -> Any:
    """Return the address of entry `at` of an array, as a pointer to `kind`."""
    data = cgutils.create_struct_proxy(array_type)(context, builder, array).data
    start = builder.gep(
        builder.bitcast(data, ir.IntType(8).as_pointer()),
        [builder.mul(at, ir.Constant(_I64, array_type.dtype.bitwidth // 8))],
    )
    return builder.bitcast(start, kind.as_pointer())


def _loaded(builder: Any, place: Any) -> Any:
    found = builder.load(place)
    found.align = 1
    return found


@intrinsic
def load(typing: Any, array: Any, at: Any) -> Any:
    """Return 64 bytes of a contiguous array of unsigned numbers from entry `at` on, aligned or not."""
    vector = _OF_DTYPE[array.dtype]

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _loaded(builder, _pointer(context, builder, sig.args[0], args[0], args[1], vector.llvm))

    return vector(array, types.intp), build


@intrinsic
def store(typing: Any, array: Any, at: Any, vector: Any) -> Any:
    """Write a vector into an array of any unsigned numbers, from entry `at` on, aligned or not."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = _pointer(context, builder, sig.args[0], args[0], args[1], vector.llvm)
        builder.store(args[2], place).align = 1
        return context.get_dummy_value()

    return types.void(array, types.intp, vector), build


@intrinsic
def lanes_of(typing: Any, array: Any) -> Any:
    """Return how many numbers of an array make 64 bytes: a constant for the compiler, unlike the size of an item."""
    return _intrinsic(types.intp, (array,), lambda *_: ir.Constant(_I64, _OF_DTYPE[array.dtype].lanes))


@intrinsic
def load_wide(typing: Any, array: Any, at: Any, like: Any) -> Any:
    """Return bytes of an array from entry `at` on, one for each lane of `like`, as its numbers."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        narrow = ir.VectorType(ir.IntType(8), like.lanes)
        return builder.zext(
            _loaded(builder, _pointer(context, builder, sig.args[0], args[0], args[1], narrow)), like.llvm
        )

    return like(array, types.intp, like), build


# --- functions of vectors


@intrinsic
def splat(typing: Any, number: Any) -> Any:
    """Return a vector with an unsigned NumPy number in every lane; its type says which vector."""
    vector = _OF_DTYPE[number]

    def build(builder: Any, value: Any) -> Any:
        first = builder.insert_element(_undefined(vector), value, ir.Constant(_I32, 0))
        return builder.shuffle_vector(first, _undefined(vector), _lanes([0] * vector.lanes))

    return _intrinsic(vector, (number,), build)


@intrinsic
def high(typing: Any, x: Any, y: Any) -> Any:
    """Return the high half of each product."""

    def build(builder: Any, *factors: Any) -> Any:
        wide = ir.VectorType(ir.IntType(2 * x.bits), x.lanes)
        product = builder.mul(*(builder.zext(factor, wide) for factor in factors))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, [x.bits] * x.lanes)), x.llvm)

    return _intrinsic(x, (x, y), build)


@intrinsic(prefer_literal=True)
def rotate(typing: Any, x: Any, by: Any) -> Any:
    """Return each lane of a vector, or a number of 64 bits, rotated to the left by a constant."""
    if not isinstance(by, types.IntegerLiteral):
        return None
    width = 64 if isinstance(x, types.Integer) else x.bits
    up, down = (_constant(x, shift) for shift in (by.literal_value, width - by.literal_value))
    return _intrinsic(
        x, (x, by), lambda builder, value, _: builder.or_(builder.shl(value, up), builder.lshr(value, down))
    )


@intrinsic(prefer_literal=True)
def shift_left(typing: Any, x: Any, by: Any) -> Any:
    """Return each lane of a vector, or a number of 64 bits, shifted to the left by a constant."""
    if not isinstance(by, types.IntegerLiteral):
        return None
    shift = _constant(x, by.literal_value)
    return _intrinsic(x, (x, by), lambda builder, value, _: builder.shl(value, shift))


def _constant(kind: Any, value: int) -> Any:
    return ir.Constant(_I64, value) if isinstance(kind, types.Integer) else kind.constant(value)


@intrinsic
def reinterpret(typing: Any, x: Any, other: Any) -> Any:
    """Return the same 64 bytes as a vector with the lanes of another."""
    return _intrinsic(other, (x, other), lambda builder, value, _: builder.bitcast(value, other.llvm))


@intrinsic
def count_ones(typing: Any, x: Any) -> Any:
    """Return how many bits are set: in each lane of a vector, or in one number."""
    if isinstance(x, types.Integer):
        return _intrinsic(x, (x,), lambda builder, value: builder.ctpop(value))
    name = f"llvm.ctpop.v{x.lanes}i{x.bits}"
    return _intrinsic(x, (x,), lambda builder, value: _called(builder, name, x.llvm, value))


@intrinsic
def sum_of(typing: Any, x: Any) -> Any:
    """Return the sum of the lanes of a vector of words of 64 bits, as a signed number."""
    name = f"llvm.vector.reduce.add.v{x.lanes}i64"
    return _intrinsic(types.intp, (x,), lambda builder, value: _called(builder, name, _I64, value))


@intrinsic
def first_one(typing: Any, x: Any) -> Any:
    """Return the place of the lowest bit set in a number that is not 0."""
    return _intrinsic(x, (x,), lambda builder, value: builder.cttz(value, ir.Constant(ir.IntType(1), 1)))


@intrinsic
def last_one(typing: Any, x: Any) -> Any:
    """Return the place of the highest bit set in a number of 64 bits that is not 0."""

    def build(builder: Any, value: Any) -> Any:
        return builder.sub(ir.Constant(_I64, 63), builder.ctlz(value, ir.Constant(ir.IntType(1), 1)))

    return _intrinsic(x, (x,), build)


@intrinsic
def product(typing: Any, x: Any, y: Any) -> Any:
    """Return the high and the low half of the product of two numbers of 64 bits."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        both = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        halves = builder.trunc(builder.lshr(both, ir.Constant(wide, 64)), _I64), builder.trunc(both, _I64)
        return context.make_tuple(builder, sig.return_type, halves)

    return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64), build


# --- masks


@intrinsic
def bits(typing: Any, mask: Any) -> Any:
    """Return a mask as a number of 64 bits, lane 0 lowest."""

    def build(builder: Any, value: Any) -> Any:
        found = builder.bitcast(value, ir.IntType(mask.lanes))
        return found if mask.lanes == 64 else builder.zext(found, _I64)

    return _intrinsic(types.uint64, (mask,), build)


@intrinsic
def mask_of(typing: Any, word: Any, like: Any) -> Any:
    """Return the lowest bits of a word as a mask, one for each lane of `like`: the inverse of `bits`."""
    mask = Mask(like.lanes)
    return _intrinsic(
        mask,
        (types.uint64, like),
        lambda builder, value, _: builder.bitcast(builder.trunc(value, ir.IntType(like.lanes)), mask.llvm),
    )


@intrinsic
def any_of(typing: Any, mask: Any) -> Any:
    """Return whether any bit of a mask is set."""
    number = ir.IntType(mask.lanes)
    return _intrinsic(
        types.boolean,
        (mask,),
        lambda builder, value: builder.icmp_unsigned("!=", builder.bitcast(value, number), ir.Constant(number, 0)),
    )


@intrinsic
def choose(typing: Any, mask: Any, x: Any, y: Any) -> Any:
    """Return `x` in the lanes where a mask is set, `y` in the others."""
    return _intrinsic(x, (mask, x, y), lambda builder, *values: builder.select(*values))


# --- bundles


@intrinsic(prefer_literal=True)
def hold(typing: Any, array: Any, at: Any, rows: Any) -> Any:
    """Return `rows` vectors (a constant) that follow one another in an array, from entry `at` on."""
    if not isinstance(rows, types.IntegerLiteral):
        return None
    bundle = Bundle(_OF_DTYPE[array.dtype], rows.literal_value)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        start = _pointer(context, builder, sig.args[0], args[0], args[1], bundle.vector.llvm)
        places = (builder.gep(start, [ir.Constant(_I64, row)]) for row in range(bundle.rows))
        return _bundled(builder, bundle, (_loaded(builder, place) for place in places))

    return bundle(array, types.intp, rows), build


@intrinsic
def keep(typing: Any, array: Any, at: Any, bundle: Any) -> Any:
    """Write the vectors of a bundle into an array, one after another, from entry `at` on."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        start = _pointer(context, builder, sig.args[0], args[0], args[1], bundle.vector.llvm)
        for number, row in enumerate(_rows(builder, bundle, args[2])):
            builder.store(row, builder.gep(start, [ir.Constant(_I64, number)])).align = 1
        return context.get_dummy_value()

    return types.void(array, types.intp, bundle), build


@intrinsic
def lift(typing: Any, bundle: Any, floor: Any, one: Any) -> Any:
    """Return a bundle of bytes, up to 127, with `one` added in every lane of every row that is not below `floor`.

    `one` is a vector of ones that was loaded. If the compiler knew that these are ones, it would replace the
    comparison and the masked addition by three instructions.
    """

    def build(builder: Any, held: Any, floor: Any, ones: Any) -> Any:
        below = builder.sub(floor, ones)
        return _bundled(builder, bundle, (_lifted(builder, row, below, ones) for row in _rows(builder, bundle, held)))

    return _intrinsic(bundle, (bundle, floor, one), build)


@intrinsic
def lift_within(typing: Any, bundle: Any, one: Any) -> Any:
    """Return a bundle with every row lifted by all rows before it, as they were, the nearest first."""

    def build(builder: Any, held: Any, ones: Any) -> Any:
        values = _rows(builder, bundle, held)
        below = [builder.sub(row, ones) for row in values]
        for distance in range(1, bundle.rows):  # not row by row: each row would then wait for its own last step
            for row in range(distance, bundle.rows):
                values[row] = _lifted(builder, values[row], below[row - distance], ones)
        return _bundled(builder, bundle, values)

    return _intrinsic(bundle, (bundle, one), build)


def _lifted(builder: Any, value: Any, below: Any, one: Any) -> Any:
    # "Greater", and signed: the one comparison of bytes that all processors have.
    return builder.select(builder.icmp_signed(">", value, below), builder.add(value, one), value)


@intrinsic
def count_below(typing: Any, counts: Any, row: Any, bundle: Any, one: Any) -> Any:
    """Return a bundle of counts with `one` added where `row` is below the rows of another bundle, bytes up to 127."""

    def build(builder: Any, counted: Any, below: Any, held: Any, ones: Any) -> Any:
        pairs = zip(_rows(builder, counts, counted), _rows(builder, bundle, held), strict=True)
        return _bundled(builder, counts, (_counted(builder, count, below, top, ones) for count, top in pairs))

    return _intrinsic(counts, (counts, row, bundle, one), build)


@intrinsic
def count_below_within(typing: Any, bundle: Any, one: Any) -> Any:
    """Return for each row of a bundle, bytes up to 127, how many of the rows after it are below it."""

    def build(builder: Any, held: Any, ones: Any) -> Any:
        rows = _rows(builder, bundle, held)
        counts = []
        for at, row in enumerate(rows):
            count = bundle.vector.constant(0)
            for after in rows[at + 1 :]:
                count = _counted(builder, count, after, row, ones)
            counts.append(count)
        return _bundled(builder, bundle, counts)

    return _intrinsic(bundle, (bundle, one), build)


def _counted(builder: Any, count: Any, low: Any, top: Any, one: Any) -> Any:
    return builder.select(builder.icmp_signed("<", low, top), builder.add(count, one), count)


@intrinsic
def lay_columns(typing: Any, array: Any, at: Any, apart: Any, bundle: Any) -> Any:
    """Write sixteen rows of 64 bytes as 64 columns into an array of bytes, row 0 first.

    The first column begins at entry `at`, each next one `apart` entries later, over what the one before it left there.
    """
    if (bundle.vector, bundle.rows) != (U8x64, SIXTEEN):
        return None

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pieces = _turned(builder, _rows(builder, bundle, args[3]))
        place = _pointer(context, builder, sig.args[0], args[0], args[1], ir.IntType(8))
        for column in range(BYTES):
            vector, first = _place_of(column)
            piece = builder.shuffle_vector(pieces[vector], _undefined(U8x64), _lanes(range(first, first + SIXTEEN)))
            builder.store(piece, builder.bitcast(place, piece.type.as_pointer())).align = 1
            place = builder.gep(place, [args[2]])
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp, bundle), build


def _turned(builder: Any, rows: list[Any]) -> list[Any]:
    """Return sixteen rows as 64 pieces of sixteen bytes, each a column; `_place_of` tells where it is."""
    # Bytes of two rows side by side, then pairs of four rows, fours of eight, eights of sixteen.
    for distance in (1, 2, 4, 8):
        zipped = list(rows)
        for at in (row for row in range(SIXTEEN) if not row & distance):
            zipped[at], zipped[at + distance] = _zip(builder, Vector(8 * distance), rows[at], rows[at + distance])
        rows = zipped
    return rows


def _place_of(column: int) -> tuple[int, int]:
    """Return which vector of `_turned` holds a column, and from which byte on."""
    # Zipping keeps every sixteen bytes together, and the vector of a column is its number there read backwards.
    sixteen, within = divmod(column, SIXTEEN)
    return int(f"{within:04b}"[::-1], 2), sixteen * SIXTEEN


def _zip(builder: Any, vector: Vector, x: Any, y: Any) -> tuple[Any, Any]:
    """Return lanes of `x` and `y` in turn, from the lower and the upper half of every 16 bytes."""
    per = 128 // vector.bits
    halves = []
    for half in range(2):
        order = [
            lane + other
            for sixteen in range(0, vector.lanes, per)
            for lane in range(sixteen + half * per // 2, sixteen + (half + 1) * per // 2)
            for other in (0, vector.lanes)
        ]
        pair = (builder.bitcast(each, vector.llvm) for each in (x, y))
        halves.append(builder.bitcast(builder.shuffle_vector(*pair, _lanes(order)), U8x64.llvm))
    return halves[0], halves[1]
