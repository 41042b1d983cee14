"""Vectors as values: 64 bytes of numbers that numba adds, compares and shuffles at one go.

A processor adds 64 bytes to 64 other bytes as fast as one to one, but compilers seldom find out by
themselves where it may. Here it is said outright. `U8x64` is 64 bytes side by side, `U16x32` 32
numbers of 16 bits, and so on: always 64 bytes. Inside a kernel they behave like numbers:

    low = load(cards, at)               # the 64 bytes from cards[at] on
    low = low + splat(np.uint8(1))      # one more in each lane
    store(cards, at, low)

``+ - * & | ^ << >>`` work lane by lane and wrap around; ``< > >= ==`` give a `Mask`, one bit a lane,
for `choose`, `any_of` and `bits`. Masks know ``& | ^``. Nothing here names a processor: what is
built is LLVM's own vectors, which become AVX-512, AVX2, SSE or NEON, with equal results on each.

A `Bundle` is several vectors that stay in registers together; see `hold`.
"""

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

BYTES = 64
_I32 = ir.IntType(32)
_I64 = ir.IntType(64)


class Vector(types.Type):
    """`lanes` unsigned numbers of `bits` bits each."""

    def __init__(self, bits: int) -> None:
        self.bits, self.lanes = bits, BYTES * 8 // bits
        super().__init__(name=f"U{bits}x{self.lanes}")

    @property
    def llvm(self) -> Any:
        """The type of LLVM that it is."""
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
        """The type of LLVM that it is."""
        return ir.VectorType(ir.IntType(1), self.lanes)


class Bundle(types.Type):
    """`rows` vectors of one kind, held in registers."""

    def __init__(self, vector: Vector, rows: int) -> None:
        self.vector, self.rows = vector, rows
        super().__init__(name=f"{rows} of {vector.name}")

    @property
    def llvm(self) -> Any:
        """The type of LLVM that it is."""
        return ir.ArrayType(self.vector.llvm, self.rows)


@register_model(Vector)
@register_model(Mask)
@register_model(Bundle)
class _Plain(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, kind.llvm)


U8x64, U16x32, U32x16, U64x8 = Vector(8), Vector(16), Vector(32), Vector(64)
_OF_DTYPE = {types.uint8: U8x64, types.uint16: U16x32, types.uint32: U32x16, types.uint64: U64x8}


# --- operators


def _lane_by_lane(sign: Any, build: Callable[[Any, Any, Any], Any], kind: type, result: Callable[[Any], Any]) -> None:
    """Let two values of one `kind` be joined by `sign`; `build` writes the instruction."""

    @infer_global(sign)
    class _Typed(AbstractTemplate):
        def generic(self, args: tuple[Any, ...], kws: Any) -> Any:
            if len(args) == 2 and isinstance(args[0], kind) and args[0] == args[1]:
                return signature(result(args[0]), *args)
            return None

    @lower_builtin(sign, kind, kind)
    def _lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return build(builder, *args)


def _same(kind: Any) -> Any:
    return kind


for _sign, _build in (
    (operator.add, lambda builder, x, y: builder.add(x, y)),
    (operator.sub, lambda builder, x, y: builder.sub(x, y)),
    (operator.mul, lambda builder, x, y: builder.mul(x, y)),
    (operator.lshift, lambda builder, x, y: builder.shl(x, y)),
    (operator.rshift, lambda builder, x, y: builder.lshr(x, y)),
):
    _lane_by_lane(_sign, _build, Vector, _same)

for _sign, _build in (
    (operator.and_, lambda builder, x, y: builder.and_(x, y)),
    (operator.or_, lambda builder, x, y: builder.or_(x, y)),
    (operator.xor, lambda builder, x, y: builder.xor(x, y)),
):
    _lane_by_lane(_sign, _build, Vector, _same)
    _lane_by_lane(_sign, _build, Mask, _same)


def _comparison(sign: Any, name: str) -> None:
    _lane_by_lane(
        sign, lambda builder, x, y: builder.icmp_unsigned(name, x, y), Vector, lambda vector: Mask(vector.lanes)
    )


for _sign, _name in ((operator.lt, "<"), (operator.ge, ">="), (operator.eq, "=="), (operator.gt, ">")):
    _comparison(_sign, _name)


# --- memory


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, at: Any, kind: Any) -> Any:
    """Return where entry `at` of an array lies, as the place of a vector."""
    data = cgutils.create_struct_proxy(array_type)(context, builder, array).data
    start = builder.gep(
        builder.bitcast(data, ir.IntType(8).as_pointer()),
        [builder.mul(at, ir.Constant(_I64, array_type.dtype.bitwidth // 8))],
    )
    return builder.bitcast(start, kind.as_pointer())


@intrinsic
def load(typing: Any, array: Any, at: Any) -> Any:
    """Return 64 bytes of a contiguous array of unsigned numbers from entry `at` on, aligned or not."""
    vector = _OF_DTYPE[array.dtype]

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        found = builder.load(_pointer(context, builder, sig.args[0], args[0], args[1], vector.llvm))
        found.align = 1
        return found

    return vector(array, types.intp), build


@intrinsic
def store(typing: Any, array: Any, at: Any, vector: Any) -> Any:
    """Write a vector into an array of any unsigned numbers, from entry `at` on."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        written = builder.store(args[2], _pointer(context, builder, sig.args[0], args[0], args[1], vector.llvm))
        written.align = 1
        return context.get_dummy_value()

    return types.void(array, types.intp, vector), build


@intrinsic
def put_word(typing: Any, array: Any, at: Any, word: Any) -> Any:
    """Write eight bytes into an array of bytes, from entry `at` on, aligned or not."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        written = builder.store(args[2], _pointer(context, builder, sig.args[0], args[0], args[1], _I64))
        written.align = 1
        return context.get_dummy_value()

    return types.void(array, types.intp, types.uint64), build


@intrinsic
def lanes_of(typing: Any, array: Any) -> Any:
    """Return how many numbers of an array are 64 bytes: a constant, which the size of an item is not."""
    lanes = _OF_DTYPE[array.dtype].lanes

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return ir.Constant(_I64, lanes)

    return types.intp(array), build


@intrinsic
def spread(typing: Any, numbers: Any, at: Any, mask: Any, under: Any) -> Any:
    """Return the next numbers of an array from `at` on in the lanes whose bit is 1 in a word, `under` in the others."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        start = _pointer(context, builder, sig.args[0], args[0], args[1], ir.IntType(under.bits))
        bits = builder.bitcast(args[2], ir.VectorType(ir.IntType(1), 64))
        if under.lanes < bits.type.count:
            lanes = ir.Constant(ir.VectorType(_I32, under.lanes), list(range(under.lanes)))
            bits = builder.shuffle_vector(bits, ir.Constant(bits.type, ir.Undefined), lanes)
        kind = ir.FunctionType(under.llvm, [start.type, bits.type, under.llvm])
        name = f"llvm.masked.expandload.v{under.lanes}i{under.bits}"
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [start, bits, args[3]])

    return under(numbers, types.intp, types.uint64, under), build


@intrinsic
def ones_in(typing: Any, x: Any) -> Any:
    """Return how many bits of a word are 1."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.intp(types.uint64), build


@intrinsic
def load_wide(typing: Any, array: Any, at: Any, like: Any) -> Any:
    """Return some bytes of an array, from entry `at` on, as many as `like` has lanes, as its numbers."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        narrow = ir.VectorType(ir.IntType(8), like.lanes)
        found = builder.load(_pointer(context, builder, sig.args[0], args[0], args[1], narrow))
        found.align = 1
        return builder.zext(found, like.llvm)

    return like(array, types.intp, like), build


@intrinsic
def widen_low(typing: Any, x: Any) -> Any:
    """Return the first half of the lanes, each with twice as many bits."""
    return _widened(x, 0)


@intrinsic
def widen_high(typing: Any, x: Any) -> Any:
    """Return the second half of the lanes, each with twice as many bits."""
    return _widened(x, x.lanes // 2)


def _widened(x: Any, first: int) -> Any:
    vector = Vector(2 * x.bits)
    lanes = ir.Constant(ir.VectorType(_I32, vector.lanes), list(range(first, first + vector.lanes)))

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        half = builder.shuffle_vector(args[0], ir.Constant(x.llvm, ir.Undefined), lanes)
        return builder.zext(half, vector.llvm)

    return vector(x), build


@intrinsic
def splat(typing: Any, number: Any) -> Any:
    """Return a vector with an unsigned number of numpy's in every lane; its type says which vector."""
    vector = _OF_DTYPE[number]

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _splat(builder, vector, args[0])

    return vector(number), build


def _splat(builder: Any, vector: Vector, number: Any) -> Any:
    undefined = ir.Constant(vector.llvm, ir.Undefined)
    first = builder.insert_element(undefined, number, ir.Constant(_I32, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(_I32, vector.lanes), [0] * vector.lanes))


# --- functions of vectors


@intrinsic
def high(typing: Any, x: Any, y: Any) -> Any:
    """Return the high half of each product."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        wide = ir.VectorType(ir.IntType(2 * x.bits), x.lanes)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, [x.bits] * x.lanes)), x.llvm)

    return x(x, y), build


@intrinsic(prefer_literal=True)
def rotate(typing: Any, x: Any, by: Any) -> Any:
    """Return each lane of a vector, or a number of 64 bits, rotated to the left by a constant."""
    if not isinstance(by, types.IntegerLiteral):
        return None
    left = by.literal_value

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        width = 64 if isinstance(x, types.Integer) else x.bits
        up, down = (_constant(x, by) for by in (left, width - left))
        return builder.or_(builder.shl(args[0], up), builder.lshr(args[0], down))

    return x(x, by), build


@intrinsic(prefer_literal=True)
def shift_left(typing: Any, x: Any, by: Any) -> Any:
    """Return each lane of a vector, or a number of 64 bits, shifted to the left by a constant."""
    if not isinstance(by, types.IntegerLiteral):
        return None

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.shl(args[0], _constant(x, by.literal_value))

    return x(x, by), build


def _constant(kind: Any, value: int) -> Any:
    return ir.Constant(_I64, value) if isinstance(kind, types.Integer) else kind.constant(value)


def _as(vector: Vector) -> Any:
    @intrinsic
    def reinterpret(typing: Any, x: Any) -> Any:
        """Return the same 64 bytes as a vector of other lanes."""

        def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.bitcast(args[0], vector.llvm)

        return vector(x), build

    return reinterpret


@intrinsic
def alike(typing: Any, x: Any, other: Any) -> Any:
    """Return the same 64 bytes as a vector of the lanes of another."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], other.llvm)

    return other(x, other), build


as_u8, as_u16, as_u32, as_u64 = _as(U8x64), _as(U16x32), _as(U32x16), _as(U64x8)


@intrinsic
def count_ones(typing: Any, x: Any) -> Any:
    """Return how many bits are set: in each lane of a vector, or in one number."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.ctpop(args[0]) if isinstance(x, types.Integer) else _popcount(builder, x, args[0])

    return x(x), build


def _popcount(builder: Any, vector: Vector, value: Any) -> Any:
    name = f"llvm.ctpop.v{vector.lanes}i{vector.bits}"
    known = builder.module.globals.get(name)
    return builder.call(
        known or ir.Function(builder.module, ir.FunctionType(vector.llvm, [vector.llvm]), name), [value]
    )


@intrinsic
def first_one(typing: Any, x: Any) -> Any:
    """Return the place of the lowest bit set in a number that is not 0."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return x(x), build


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

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        found = builder.bitcast(args[0], ir.IntType(mask.lanes))
        return found if mask.lanes == 64 else builder.zext(found, _I64)

    return types.uint64(mask), build


@intrinsic
def mask_of(typing: Any, word: Any, like: Any) -> Any:
    """Return the lowest bits of a word as a mask, one for each lane of `like`: what `bits` turns around."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(builder.trunc(args[0], ir.IntType(like.lanes)), Mask(like.lanes).llvm)

    return Mask(like.lanes)(types.uint64, like), build


@intrinsic
def any_of(typing: Any, mask: Any) -> Any:
    """Return whether any bit of a mask is set."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        found = builder.bitcast(args[0], ir.IntType(mask.lanes))
        return builder.icmp_unsigned("!=", found, ir.Constant(found.type, 0))

    return types.boolean(mask), build


@intrinsic
def choose(typing: Any, mask: Any, x: Any, y: Any) -> Any:
    """Return `x` in the lanes that a mask has, `y` in the others."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.select(*args)

    return x(mask, x, y), build


# --- bundles


@intrinsic(prefer_literal=True)
def hold(typing: Any, array: Any, at: Any, rows: Any) -> Any:
    """Return `rows` vectors (a constant) that follow one another in an array, from entry `at` on."""
    if not isinstance(rows, types.IntegerLiteral):
        return None
    bundle = Bundle(_OF_DTYPE[array.dtype], rows.literal_value)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        start = _pointer(context, builder, sig.args[0], args[0], args[1], bundle.vector.llvm)
        held = ir.Constant(bundle.llvm, ir.Undefined)
        for row in range(bundle.rows):
            found = builder.load(builder.gep(start, [ir.Constant(_I64, row)]))
            found.align = 1
            held = builder.insert_value(held, found, row)
        return held

    return bundle(array, types.intp, rows), build


@intrinsic
def keep(typing: Any, array: Any, at: Any, bundle: Any) -> Any:
    """Write the vectors of a bundle into an array, one after another, from entry `at` on."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        start = _pointer(context, builder, sig.args[0], args[0], args[1], bundle.vector.llvm)
        for row in range(bundle.rows):
            written = builder.store(builder.extract_value(args[2], row), builder.gep(start, [ir.Constant(_I64, row)]))
            written.align = 1
        return context.get_dummy_value()

    return types.void(array, types.intp, bundle), build


@intrinsic
def lift(typing: Any, bundle: Any, floor: Any, one: Any) -> Any:
    """Return a bundle of bytes, up to 127, with `one` added in every lane of every row that is not below `floor`.

    `one` is a vector of ones that was loaded: if the compiler knew it, it would find another way to
    write this, of three instructions in place of a comparison and a masked addition.
    """

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        lifted, floor, ones = args
        below = builder.sub(floor, ones)
        for row in range(bundle.rows):
            value = _lifted(builder, builder.extract_value(args[0], row), below, ones)
            lifted = builder.insert_value(lifted, value, row)
        return lifted

    return bundle(bundle, floor, one), build


@intrinsic
def lift_within(typing: Any, bundle: Any, one: Any) -> Any:
    """Return a bundle with every row lifted by all rows before it, as they were, the nearest first."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        rows = [builder.extract_value(args[0], row) for row in range(bundle.rows)]
        values, below = list(rows), [builder.sub(row, args[1]) for row in rows]
        for distance in range(1, bundle.rows):  # not row by row: each then waits for itself alone
            for row in range(distance, bundle.rows):
                values[row] = _lifted(builder, values[row], below[row - distance], args[1])
        lifted = args[0]
        for row, value in enumerate(values):
            lifted = builder.insert_value(lifted, value, row)
        return lifted

    return bundle(bundle, one), build


def _lifted(builder: Any, value: Any, below: Any, one: Any) -> Any:
    # "Above", and with a sign: the one comparison that all processors have.
    return builder.select(builder.icmp_signed(">", value, below), builder.add(value, one), value)


@intrinsic
def count_below(typing: Any, counts: Any, row: Any, bundle: Any, one: Any) -> Any:
    """Return a bundle of counts with `one` added where `row` is below the rows of another bundle, bytes up to 127."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        counted, below, rows, ones = args
        for at in range(bundle.rows):
            value = _counted(builder, builder.extract_value(args[0], at), below, builder.extract_value(rows, at), ones)
            counted = builder.insert_value(counted, value, at)
        return counted

    return counts(counts, row, bundle, one), build


@intrinsic
def count_below_within(typing: Any, bundle: Any, one: Any) -> Any:
    """Return for each row of a bundle, bytes up to 127, how many of the rows after it are below it."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        rows = [builder.extract_value(args[0], at) for at in range(bundle.rows)]
        counted = args[0]
        for at, row in enumerate(rows):
            value = bundle.vector.constant(0)
            for after in rows[at + 1 :]:
                value = _counted(builder, value, after, row, args[1])
            counted = builder.insert_value(counted, value, at)
        return counted

    return bundle(bundle, one), build


def _counted(builder: Any, count: Any, low: Any, top: Any, one: Any) -> Any:
    return builder.select(builder.icmp_signed("<", low, top), builder.add(count, one), count)


@intrinsic
def turn(typing: Any, bundle: Any) -> Any:
    """Return eight rows of 64 bytes as 64 words: word `turned(d)` holds byte d of each row, row 0 lowest."""
    if (bundle.vector, bundle.rows) != (U8x64, 8):
        return None

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        rows = [builder.extract_value(args[0], row) for row in range(8)]
        # Bytes of two rows side by side, then pairs of four rows, then fours of eight.
        for step in (8, 16, 32):
            distance = step // 8
            zipped = list(rows)
            for at in (row for row in range(8) if not row & distance):
                zipped[at], zipped[at + distance] = _zip(builder, Vector(step), rows[at], rows[at + distance])
            rows = zipped
        turned = args[0]
        for row, value in enumerate(rows):
            turned = builder.insert_value(turned, value, row)
        return turned

    return bundle(bundle), build


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
        both = builder.shuffle_vector(
            builder.bitcast(x, vector.llvm),
            builder.bitcast(y, vector.llvm),
            ir.Constant(ir.VectorType(_I32, vector.lanes), order),
        )
        halves.append(builder.bitcast(both, U8x64.llvm))
    return halves[0], halves[1]


def turned(column: int) -> int:
    """Return which word of what `turn` gives holds the bytes of a column, 0 to 63."""
    # Zipping keeps every 16 bytes by themselves: two words of each land in every vector.
    sixteen, within = divmod(column, 16)
    half, rest = divmod(within, 8)
    quarter, rest = divmod(rest, 4)
    eighth, word = divmod(rest, 2)
    return (half + 2 * quarter + 4 * eighth) * 8 + 2 * sixteen + word
