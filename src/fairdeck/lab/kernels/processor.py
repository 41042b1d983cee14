"""What this processor can do, as far as it is worth another way of doing the same."""

import llvmlite.binding
from numba.core import config

REGISTERS = 13  # rows of cards that fit into the 32 registers of 64 bytes, with room for what is compared
FEW_REGISTERS = 4  # sixteen registers of 32 or 16 bytes hold no more
WIDE = ("icelake-server", "sapphirerapids", "znver4", "znver5")  # names that numba may be told to compile for
WIDE_BUT_OLDER = ("skylake-avx512", "cascadelake", "x86-64-v4")


def _has(feature: str, *names: str) -> bool:
    """Return whether what numba compiles for has a feature: by its name, if it was told one."""
    if config.CPU_NAME:
        return config.CPU_NAME in names
    return bool(llvmlite.binding.get_host_cpu_features().get(feature))


# Registers of 64 bytes that are compared byte by byte; and bytes spread over the bits of a mask at one go.
ROWS = REGISTERS if _has("avx512bw", *WIDE, *WIDE_BUT_OLDER) else FEW_REGISTERS
LAST_ROWS = ROWS // 2 + 1  # if no more than so many rows are left over, they are held by themselves
EXPANDS = _has("avx512vbmi2", *WIDE)
