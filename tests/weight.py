"""What fairdeck weighs, room by room: `make weight` prints it, and test_weight.py holds the sums to weight.toml.

Lines are counted whole; *code* leaves out blanks, comments and docstrings. A test file counts for the room that it
imports most names from, a document for the room that lists it; scripts are the JavaScript in a room's folder.
"""

import ast
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/fairdeck"
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**/*.md")


class Room(NamedTuple):
    """A part of the source, for whom it is there, and a sentence of the README or a tutorial that uses it."""

    name: str
    paths: list[str]
    user: str
    used: str
    docs: Sequence[str] = ()

    def files(self, suffix: str = "py") -> set[Path]:
        """Return the files of the room; a path is a file or a folder of `src/fairdeck`."""
        found = set()
        for path in self.paths:
            place = SOURCE / path
            found |= set(place.rglob(f"*.{suffix}")) if place.is_dir() else {place} & set(SOURCE.rglob(f"*.{suffix}"))
        return found


def rooms() -> list[Room]:
    """Return the rooms of weight.toml."""
    return [Room(**room) for room in _read()["rooms"]]


def ceilings() -> dict[str, int]:
    """Return the most that each total may be."""
    return dict(_read()["most"])


def _read() -> dict[str, list[dict[str, object]]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def lines(files: set[Path] | list[Path]) -> int:
    """Return how many lines the files have together."""
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


def lines_of_code(file: Path) -> int:
    """Return how many lines of a Python file are neither blank nor part of a comment or a docstring."""
    text = file.read_text(encoding="utf-8")
    words: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        holds_words = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if holds_words and ast.get_docstring(node, clean=False) is not None:
            words.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    numbered = enumerate(text.splitlines(), 1)
    return sum(bool(line.strip()) and line.lstrip()[0] != "#" and number not in words for number, line in numbered)


def words(pattern: str) -> int:
    """Return how many words the documents have that a pattern matches."""
    return sum(len(file.read_text(encoding="utf-8").split()) for file in ROOT.glob(pattern))


def tests_of(rooms: list[Room]) -> dict[str, list[Path]]:
    """Return the test files of each room; those that import from no room stand under ``all``."""
    homes = {file: room.name for room in rooms for file in room.files()}
    found: dict[str, list[Path]] = {}
    for file in sorted((ROOT / "tests").rglob("*.py")):
        named: Counter[str] = Counter()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fairdeck."):
                place = SOURCE.joinpath(*str(node.module).split(".")[1:])
                home = homes.get(place.with_suffix(".py")) or homes.get(place / "__init__.py")
                named[home or "all"] += len(node.names)
        found.setdefault(named.most_common(1)[0][0] if named else "all", []).append(file)
    return found


@cache
def totals() -> dict[str, int]:
    """Return what weight.toml holds a ceiling for."""
    source = sorted(SOURCE.rglob("*.py"))
    commands = (SOURCE / "cli/commands").glob("[a-z]*.py")
    return {
        "lines": lines(source),
        "code": sum(map(lines_of_code, source)),
        "files": len(source),
        "commands": len(list(commands)),
        "tests": lines(list((ROOT / "tests").rglob("*.py"))),
        "scripts": lines(list(SOURCE.rglob("*.js"))),
        "words": sum(map(words, DOCUMENTS)),
    }


def main() -> None:
    """Print a line for each room, and the totals beside their ceilings."""
    known = rooms()
    tests = tests_of(known)
    print(f"{'room':<13}{'files':>6}{'lines':>8}{'code':>8}{'scripts':>8}{'tests':>8}{'words':>8}  user")
    for room in known:
        files = room.files()
        print(
            f"{room.name:<13}{len(files):>6}{lines(files):>8,}{sum(map(lines_of_code, files)):>8,}"
            f"{lines(room.files('js')):>8,}{lines(tests.get(room.name, [])):>8,}{sum(map(words, room.docs)):>8,}"
            f"  {room.user}\n{'':<59}  used: {room.used}"
        )
    print(f"{'all':<13}{'':>30}{lines(tests.get('all', [])):>8,}")
    print()
    most = ceilings()
    for name, total in totals().items():
        print(f"{name:<10}{total:>8,} of at most {most[name]:>7,}")


if __name__ == "__main__":
    main()
