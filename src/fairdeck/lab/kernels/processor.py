"""What this processor can do, as far as it is worth another way of doing the same."""

import llvmlite.binding
from numba.core import config

REGISTERS = 13  # rows of cards that fit into the 32 registers of 64 bytes, with room for what is compared
FEW_REGISTERS = 4  # sixteen registers of 32 or 16 bytes hold no more


def _has_wide_bytes() -> bool:
    """Whether there are registers of 64 bytes that are compared byte by byte (AVX-512BW)."""
    if config.CPU_NAME:
        return config.CPU_NAME in (
            "skylake-avx512",
            "cascadelake",
            "icelake-server",
            "sapphirerapids",
            "znver4",
            "x86-64-v4",
        )
    return bool(llvmlite.binding.get_host_cpu_features().get("avx512bw"))


ROWS = REGISTERS if _has_wide_bytes() else FEW_REGISTERS
