"""What measured: the version and the machine, for every committed result."""

import os
import platform
from pathlib import Path

from fairdeck import __version__


def machine() -> str:
    """Return the processor's name as well as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


def about() -> dict[str, str | int]:
    """Return the versions, the processor and how many of it."""
    return {
        "version": __version__,
        "python": platform.python_version(),
        "machine": machine(),
        "cores": os.cpu_count() or 1,
    }


def said(about: dict[str, str | int]) -> str:
    """Return that as half a sentence."""
    return "fairdeck {version}, Python {python}, {machine}, {cores} cores".format(**about)
