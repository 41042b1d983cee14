"""Packages that only some tasks need, and how to install them where this program runs."""

import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from fairdeck.errors import MissingTool

# A copy of the list in pyproject.toml, for a clone that runs without being installed; a test compares them.
EXTRAS = {
    "lab": ("numpy>=2.1,<3", "scipy>=1.14,<2"),
    "fast": ("numba>=0.61,<1", "numpy>=2.1,<3"),
    "cluster": ("dask[distributed]>=2025.1,<2028", "numba>=0.61,<1", "numpy>=2.1,<3", "scipy>=1.14,<2"),
    "beacon": ("py_ecc>=8,<9",),
    "tables": ("pyarrow>=18,<28",),
    "paper": ("reportlab>=4.2,<5", "segno>=1.6,<2"),
}
OWN = "~/fairdeck-env"  # for a new environment, where the system manages its Python

ONE_FILE = not Path(__file__).exists()  # fairdeck runs from a zipapp, ``fairdeck.pyz``


def missing(what: str, extra: str) -> MissingTool:
    """Return the error for a missing package: what needs it, and the command that installs the `extra`."""
    return MissingTool(f"{what}: {installation(extra)}")


def installation(extra: str) -> str:
    """Return the command that installs the packages of an extra for the interpreter that runs this.

    The command names the packages, not ``fairdeck[extra]``. So it works wherever fairdeck came from (a clone, a
    wheel or an index), and leaves that installation unchanged.
    """
    return installing(EXTRAS[extra])


def installing(requirements: Iterable[str]) -> str:
    """Return the command that installs these packages for the interpreter that runs this."""
    python = _quoted(sys.executable or "python3")
    packages = " ".join(map(_quoted, requirements))
    if _kept_by_the_system():
        own = f"{OWN}/bin/python"
        program = _quoted(str(Path(__file__).parents[1])) if ONE_FILE else "-m fairdeck"
        return (
            f"the system manages this Python; make an environment with these packages, and call fairdeck as {own} "
            f"{program}: {python} -m venv --system-site-packages {OWN} && {own} -m pip install {packages}"
        )
    if find_spec("pip") is None:  # an environment made by uv
        return f"uv pip install --python {python} {packages}"
    return f"{python} -m pip install {packages}"


def _kept_by_the_system() -> bool:
    """Return whether pip refuses to install into this Python. See PEP 668."""
    from sysconfig import get_path

    return sys.prefix == sys.base_prefix and Path(get_path("stdlib"), "EXTERNALLY-MANAGED").exists()


def _quoted(word: str) -> str:
    """Return `word` quoted for a shell: requirements contain < and >, and folders may contain spaces."""
    from re import fullmatch
    from shlex import quote

    if sys.platform == "win32":  # only where needed: PowerShell takes a line that begins with a quote for a text
        return word if fullmatch(r"[\w.:\\/-]+", word) else f'"{word}"'
    return quote(word)
