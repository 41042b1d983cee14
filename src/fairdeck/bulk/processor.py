"""What this processor can do, where it changes how the kernels are written: faster or slower, never other decks."""

import platform

from numba.core import codegen, config

REGISTERS = 13  # rows of cards that fit into 32 registers of 64 bytes, beside the row they are compared with
FEW_REGISTERS = 4  # the same for sixteen registers of 32 bytes, or 32 of sixteen
SHORT_REGISTERS = 2  # and for sixteen of 16 bytes
WIDE = ("icelake-server", "sapphirerapids", "znver4", "znver5")  # names that numba may be told to compile for
WIDE_BUT_OLDER = ("skylake-avx512", "cascadelake", "x86-64-v4")
HALF_AS_WIDE = ("haswell", "broadwell", "skylake", "alderlake", "znver1", "znver2", "znver3", "x86-64-v3")
MANY_REGISTERS = ("aarch64", "arm64")  # as systems call processors with NEON, which has no name among LLVM's features


def _has(feature: str, *names: str) -> bool:
    """Return whether the processor that numba compiles for has a feature: by its name, if numba was told one."""
    if config.CPU_NAME:
        return config.CPU_NAME in names
    told = config.CPU_FEATURES
    return f"+{feature}" in (codegen.get_host_cpu_features() if told is None else told).split(",")


# AVX-512 compares registers of 64 bytes byte by byte; VBMI2 spreads bytes over the bits of a mask.
if _has("avx512bw", *WIDE, *WIDE_BUT_OLDER):
    ROWS = REGISTERS
elif _has("avx2", *HALF_AS_WIDE) or platform.machine().lower() in MANY_REGISTERS:
    ROWS = FEW_REGISTERS
else:
    ROWS = SHORT_REGISTERS
LAST_ROWS = ROWS // 2 + 1  # if at most this many rows are left over, a bundle of this size holds them
EXPANDS = _has("avx512vbmi2", *WIDE)
