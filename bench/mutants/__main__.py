"""Run the mutation tests of the core; write ``bench/mutants.json`` and ``docs/reference/measured/mutants.md``.

python -m bench.mutants [FILE [NAME]]    only files whose path contains FILE: what was found in others is kept;
                                         and only functions whose name contains NAME: then nothing is written
"""

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pytest

from bench.about import about
from bench.mutants.page import page, without_reason
from bench.mutants.run import Mutation, Tried

ROOT = Path(__file__).parents[2]
RESULTS, PAGE = ROOT / "bench" / "mutants.json", ROOT / "docs" / "reference" / "measured" / "mutants.md"
REASONS = Path(__file__).with_name("reasons.toml")
OPTIONS = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=native", "-m", "not long and not alone")
LAB = "src/fairdeck/lab/judging"
FILES = {
    "src/fairdeck/randomness.py": ("tests/test_randomness.py",),
    "src/fairdeck/permutation.py": ("tests/test_permutation.py",),
    "src/fairdeck/dealing/goal.py": ("tests/test_goal_and_mat.py", "tests/test_plan.py"),
    "src/fairdeck/dealing/mat.py": ("tests/test_goal_and_mat.py",),
    "src/fairdeck/dealing/plan.py": ("tests/test_plan.py", "tests/test_planner.py"),
    "src/fairdeck/dealing/planner.py": ("tests/test_planner.py", "tests/test_plan.py"),
    "src/fairdeck/dealing/eulerian.py": ("tests/test_outlook.py",),
    "src/fairdeck/dealing/outlook.py": ("tests/test_outlook.py",),
    f"{LAB}/verdict.py": ("tests/test_trial.py",),
    f"{LAB}/trial.py": ("tests/test_trial.py",),
    f"{LAB}/tally.py": ("tests/test_trial.py",),
}


def missed_branches(files: dict[str, tuple[str, ...]]) -> dict[str, tuple[int, list[str]]]:
    """Return the number of branches of each file, and those that its tests do not take, as texts."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for file, tests in files.items():
            data = ("--data-file", f"{folder}/{Path(file).stem}")
            ran = [sys.executable, "-m", "coverage", "run", *data, "--branch", f"--include={file}", "-m", "pytest"]
            subprocess.run([*ran, *OPTIONS, file, *tests], cwd=ROOT, check=True, stdout=sys.stderr)
            said = [sys.executable, "-m", "coverage", "json", *data, "-q", "-o", f"{folder}/found.json"]
            subprocess.run(said, cwd=ROOT, check=True)
            told = json.loads(Path(folder, "found.json").read_text(encoding="utf-8"))["files"][file]
            lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
            missed = [
                f"{lines[at - 1].strip()} → {lines[to - 1].strip() if to > 0 else 'end'}"
                for at, to in told["missing_branches"]
            ]
            found[file] = (told["summary"]["num_branches"], missed)
    return found


def as_results(tried: dict[str, Tried], branches: dict[str, tuple[int, list[str]]]) -> dict[str, Any]:
    """Return what was found in each file, as it is kept."""
    files = {}
    for file, each in tried.items():
        survivors = [
            {"owner": left.owner, "line": left.lines[0], "before": left.before, "after": left.after}
            for left in each.survivors
        ]
        ways = [way for found in each.conditions.values() for way in found]
        files[file] = {
            "tried": each.tried,
            "stopped": each.stopped,
            "ways": len(ways),
            "shown_ways": sum(ways),
            "branches": branches[file][0],
            "missed": branches[file][1],
            "survivors": survivors,
        }
    return files


def main(arguments: list[str]) -> int:
    """Try all changes, write, and tell what has no reason."""
    part, name = (*arguments, "", "")[:2]
    files = {file: tests for file, tests in FILES.items() if part in file}
    mutation = Mutation(files, name)
    paths = sorted({path for file, tests in files.items() for path in (file, *tests)})
    if pytest.main([*OPTIONS, *paths], plugins=[mutation]) not in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
        return 1
    if name:
        return 0
    found = as_results(mutation.found, missed_branches(files))
    kept = json.loads(RESULTS.read_text(encoding="utf-8"))["files"] if part and RESULTS.exists() else {}
    every = {**kept, **found}
    results = {"about": about(), "files": {file: every[file] for file in FILES if file in every}}
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    reasons = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    PAGE.write_text(page(results, reasons), encoding="utf-8")
    odd = without_reason(results, reasons)
    print("\n".join(odd), file=sys.stderr)
    return 1 if odd else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
