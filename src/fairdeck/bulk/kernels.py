"""What all kernels need: buffers, functions to compile into them, and what this processor can do.

*Functions that a kernel calls for every deck, or more often.* Numba counts the references to every array. Its counting
is atomic and stalls the pipeline: forty nanoseconds for a riffle that takes fifteen. Numba removes pairs of counts that
cancel, but not around loops or calls. A function that neither allocates nor returns an array needs no counts, because
its caller holds every reference; such functions are compiled without them, by `inline`.

*The processor* decides how kernels are written, so that they are faster or slower; they never make other decks.
"""

import platform
from collections.abc import Callable
from math import prod
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numba.core import codegen, config
from numpy.typing import NDArray

LINE = 64  # bytes
REGISTERS = 13  # rows of cards that fit into 32 registers of 64 bytes, beside the row they are compared with
FEW_REGISTERS = 4  # the same for sixteen registers of 32 bytes, or 32 of sixteen
SHORT_REGISTERS = 2  # and for sixteen of 16 bytes
# Names that numba may be told to compile for.
WIDE = ("icelake-server", "sapphirerapids", "znver4", "znver5", "skylake-avx512", "cascadelake", "x86-64-v4")
HALF_AS_WIDE = ("haswell", "broadwell", "skylake", "alderlake", "znver1", "znver2", "znver3", "x86-64-v3")
MANY_REGISTERS = ("aarch64", "arm64")  # as systems call processors with NEON, which has no name among LLVM's features

Function = TypeVar("Function", bound=Callable[..., Any])


def inline(function: Function) -> Function:
    """Return a function that is compiled into each kernel that calls it; it may take arrays, but not return any."""
    return cast(Function, njit(cache=True, forceinline=True, _nrt=False)(function))


def aligned(word: type[np.unsignedinteger[Any]], *shape: int) -> NDArray[Any]:
    """Return an uninitialised array at a multiple of 64 bytes, so that no vector straddles two cache lines.

    >>> aligned(np.uint16, 3, 32).ctypes.data % 64
    0
    """
    item, size = np.dtype(word).itemsize, prod(shape)
    buffer = np.empty(size + LINE // item, word)
    start = -buffer.ctypes.data % LINE // item
    return buffer[start : start + size].reshape(shape)


def _has(feature: str, *names: str) -> bool:
    """Return whether the processor that numba compiles for has a feature: by its name, if numba was told one."""
    if config.CPU_NAME:
        return config.CPU_NAME in names
    told = config.CPU_FEATURES
    return f"+{feature}" in (codegen.get_host_cpu_features() if told is None else told).split(",")


# AVX-512 compares registers of 64 bytes byte by byte.
if _has("avx512bw", *WIDE):
    ROWS = REGISTERS
elif _has("avx2", *HALF_AS_WIDE) or platform.machine().lower() in MANY_REGISTERS:
    ROWS = FEW_REGISTERS
else:
    ROWS = SHORT_REGISTERS
LAST_ROWS = ROWS // 2 + 1  # if at most this many rows are left over, a bundle of this size holds them
