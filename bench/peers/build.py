"""Compiles the peers, with every compiler that is installed and every set of flags, and loads them.

Libraries are kept in `build`, which git ignores. Their names hash the source, the command, the version of the
compiler and the processor, so nothing stale is ever loaded.
"""

import ctypes
import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench.about import machine

HERE = Path(__file__).parent
SOURCE, CRATE, BUILT = HERE / "peers.cpp", HERE / "rust", HERE / "build"
REGISTRY = Path("/usr/share/cargo/registry")  # where Debian's librust-rand-dev puts the crates
COMMON = ("-O3", "-march=native")
FLAGS = {
    "g++": (COMMON, (*COMMON, "-fno-tree-slp-vectorize")),
    "clang++": (COMMON, (*COMMON, "-fno-slp-vectorize")),
}


@dataclass(frozen=True)
class Recipe:
    """A way to compile the peers.

    Attributes:
        compiler: its command, ``g++``, ``clang++`` or ``cargo``.
        flags: what sets this build apart from others.
    """

    compiler: str
    flags: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The compiler and the flags, as people write them."""
        return " ".join((self.compiler, *self.flags))

    @property
    def missing(self) -> str:
        """What this machine lacks for it, in words; empty if it lacks nothing."""
        if not shutil.which(self.compiler):
            return f"{self.compiler} is not installed"
        if self.compiler == "cargo" and not any(REGISTRY.glob("rand-0.8.*")):
            return f"the crate rand 0.8 (Debian: librust-rand-dev) is not in {REGISTRY}"
        return ""

    def load(self) -> ctypes.CDLL:
        """Return the library, compiled first if it has to be.

        Raises:
            RuntimeError: it does not compile; the message quotes the compiler.
        """
        return ctypes.CDLL(str(_built(self)))


RECIPES = [Recipe(compiler, flags) for compiler, sets in FLAGS.items() for flags in sets] + [Recipe("cargo")]


@cache
def version(command: str) -> str | None:
    """Return the first line of what ``command --version`` prints; None if it is not installed."""
    if not shutil.which(command):
        return None
    said = subprocess.run([command, "--version"], capture_output=True, text=True, check=False).stdout.splitlines()
    return said[0] if said else None


@cache
def _built(recipe: Recipe) -> Path:
    rust = recipe.compiler == "cargo"
    sources = [CRATE / name for name in ("Cargo.toml", ".cargo/config.toml", "src/lib.rs")] if rust else [SOURCE]
    ingredients = [recipe.name, version("rustc" if rust else recipe.compiler), machine()]
    digest = hashlib.sha256(repr([ingredients, *(path.read_bytes() for path in sources)]).encode()).hexdigest()
    library = BUILT / f"{recipe.compiler}-{digest[:16]}.so"
    if not library.exists():
        BUILT.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILT) as folder:
            compile_: Callable[[Recipe, Path], Path] = _compile_rust if rust else _compile_cpp
            compile_(recipe, Path(folder)).replace(library)  # safe, even if two processes build it at once
    return library


def _compile_cpp(recipe: Recipe, folder: Path) -> Path:
    library = folder / "peers.so"
    command = [recipe.compiler, "-std=c++20", *recipe.flags, "-shared", "-fPIC", str(SOURCE), "-o", str(library)]
    _run(command, folder)
    return library


def _compile_rust(_: Recipe, folder: Path) -> Path:
    # A copy, because cargo writes its lock file beside the manifest, and reads its settings from the current folder.
    crate = folder / "crate"
    shutil.copytree(CRATE, crate, ignore=shutil.ignore_patterns("target", "Cargo.lock"))
    _run(["cargo", "build", "--release", "--offline", "--quiet", "--target-dir", "target"], crate)
    return next(path for path in (crate / "target" / "release").iterdir() if path.suffix in (".so", ".dylib"))


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
