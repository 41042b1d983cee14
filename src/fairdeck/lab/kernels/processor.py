"""What this processor can do, as far as it is worth another way of doing the same."""

import llvmlite.binding
from numba.core import config

REGISTERS = 13  # rows of cards that fit into the 32 registers of 64 bytes, with room for what is compared
FEW_REGISTERS = 4  # sixteen registers of 32 bytes hold no more
SHORT_REGISTERS = 2  # and those of 16 bytes half of that
WIDE = ("icelake-server", "sapphirerapids", "znver4", "znver5")  # names that numba may be told to compile for
WIDE_BUT_OLDER = ("skylake-avx512", "cascadelake", "x86-64-v4")
HALF_AS_WIDE = ("haswell", "broadwell", "skylake", "alderlake", "znver1", "znver2", "znver3", "x86-64-v3")


def _has(feature: str, *names: str) -> bool:
    """Return whether what numba compiles for has a feature: by its name, if it was told one."""
    if config.CPU_NAME:
        return config.CPU_NAME in names
    return bool(llvmlite.binding.get_host_cpu_features().get(feature))


# Registers of 64 bytes that are compared byte by byte; and bytes spread over the bits of a mask at one go.
if _has("avx512bw", *WIDE, *WIDE_BUT_OLDER):
    ROWS = REGISTERS
elif _has("avx2", *HALF_AS_WIDE):
    ROWS = FEW_REGISTERS
else:
    ROWS = SHORT_REGISTERS
LAST_ROWS = ROWS // 2 + 1  # if no more than so many rows are left over, they are held by themselves
EXPANDS = _has("avx512vbmi2", *WIDE)
