"""Run the tests of the core on every Python of this machine, each in an environment of its own.

python -m release.pythons                   every version found on the path and under ~/.pyenv
python -m release.pythons /path/to/python3.14
python -m release.pythons --here            only this Python, with what is installed in it
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from release.commit import ROOT, project

VERSION = "import sys; print(*sys.version_info[:3], sep='.')"
CORE = ("permutation", "randomness", "plan", "planner", "goal_and_mat", "outlook", "cli")
NEEDED = ("pytest>=8.3,<10", "hypothesis>=6.115,<7")


def claimed() -> list[str]:
    """Return the versions of Python that pyproject.toml names, such as ``3.11``."""
    heads = [each.rpartition(":: ")[2] for each in project()["classifiers"] if each.startswith("Programming Language")]
    return [head for head in heads if "." in head]


def found() -> dict[str, str]:
    """Return an interpreter of each version that is claimed and is on this machine, by its full version."""
    folders = [*map(Path, os.get_exec_path()), *sorted((Path.home() / ".pyenv" / "versions").glob("*/bin"))]
    return distinct(str(folder / f"python{version}") for version in claimed() for folder in folders)


def distinct(interpreters: Iterable[str]) -> dict[str, str]:
    """Return these interpreters by their full version, without those that do not start."""
    known: dict[str, str] = {}
    for python in interpreters:
        if Path(python).exists():
            done = subprocess.run([python, "-I", "-c", VERSION], capture_output=True, text=True)
            if done.returncode == 0:
                known.setdefault(done.stdout.strip(), python)
    return known


def passes(python: str) -> bool:
    """Tell whether the tests of the core pass on an interpreter."""
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([python, "-m", "venv", made], check=True)
        own = Path(made) / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        subprocess.run([own, "-m", "pip", "install", "--quiet", *NEEDED, "--editable", f"{ROOT}[paper]"], check=True)
        return passes_as_it_is(str(own))


def passes_as_it_is(python: str) -> bool:
    """Tell whether the tests of the core pass with what is installed for an interpreter."""
    tests = [str(ROOT / "tests" / f"test_{name}.py") for name in CORE]
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not long", *tests]
    return subprocess.run([python, *words], cwd=ROOT).returncode == 0


def main(words: list[str]) -> int:
    """Run on the interpreters that are named, or on all that are found; return how many fail."""
    if words == ["--here"]:
        return int(not passes_as_it_is(sys.executable))
    interpreters = distinct(words) if words else found()
    results = {version: passes(python) for version, python in interpreters.items()}
    for version, fine in results.items():
        print(f"Python {version} ({interpreters[version]}): {'passes' if fine else 'fails'}")
    for version in claimed():
        if not any(each.startswith(f"{version}.") for each in results):
            print(f"Python {version}: not on this machine")
    return sum(not fine for fine in results.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
