"""Setting up from a clone: `.venv` is made completely or not at all, and made again where it does not fit."""

import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Replaces Python's own module `venv`: makes the same without pip, which would take seconds.
QUICK = """
import subprocess, sys
sys.exit(subprocess.run([sys.executable, "-I", "-m", "venv", "--without-pip", sys.argv[1]]).returncode)
"""
# Like Debian without python3-venv: leaves a folder with an interpreter but without pip.
BROKEN = QUICK.replace(").returncode", ").returncode or print('ensurepip is not available') or 1")


def test_every_file_of_the_project_is_checked_and_none_of_yours(tmp_path):
    """Lint leaves out a shuffle that somebody tries out in the clone."""
    tracked = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=False)
    if tracked.returncode:
        pytest.skip("no clone, but an archive")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "mine.py").touch()
    for name in tracked.stdout.split():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    ruff = [sys.executable, "-m", "ruff", "check", "--show-files", "."]
    seen = subprocess.run(ruff, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.split()
    found = {str(Path(each).relative_to(tmp_path)) for each in seen}
    assert found - {"pyproject.toml"} == set(tracked.stdout.split())


@pytest.fixture
def clone(tmp_path):
    folder = tmp_path / "a clone, schön"
    folder.mkdir()
    for name in ("Makefile", "venv.sh", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    return folder


def make(folder, venv, *words):
    """Make only `.venv`, with our own module `venv`."""
    beside = folder.parent / "modules"
    beside.mkdir(exist_ok=True)
    (beside / "venv.py").write_text(venv)
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS", "PYTHON"))}
    environment |= {"PYTHONPATH": str(beside), "PATH": f"{Path(sys.base_prefix) / 'bin'}:{os.environ['PATH']}"}
    return subprocess.run(["make", ".venv/made", *words], cwd=folder, env=environment, capture_output=True, text=True)


def mark(folder):
    """Leave something in `.venv` that is gone if `.venv` is made again."""
    (folder / ".venv" / "mark").touch()


def kept(folder):
    return (folder / ".venv" / "mark").exists()


@pytest.mark.long
def test_a_failed_attempt_leaves_nothing_and_says_what_to_install(clone):
    done = make(clone, BROKEN)
    assert done.returncode
    assert f"apt-get install python3.{sys.version_info[1]}-venv" in done.stderr
    assert not (clone / ".venv").exists()
    assert make(clone, QUICK).returncode == 0
    assert (clone / ".venv" / "bin" / "python").exists()


@pytest.mark.long
def test_an_incomplete_venv_is_made_again(clone):
    make(clone, QUICK)
    mark(clone)
    (clone / ".venv" / "made").unlink()  # as after an interrupted make, or from an earlier Makefile
    assert "again" in make(clone, QUICK).stdout
    assert not kept(clone)


@pytest.mark.long
def test_a_complete_venv_made_by_hand_is_kept(clone):
    make(clone, QUICK)
    mark(clone)
    (clone / ".venv" / "made").unlink()
    (pip,) = (clone / ".venv" / "lib").glob("python3*/site-packages")
    (pip / "pip.py").touch()
    for _ in range(2):
        assert make(clone, QUICK).returncode == 0
        assert kept(clone)


@pytest.mark.long
def test_a_venv_that_fits_is_kept(clone):
    make(clone, QUICK)
    mark(clone)
    for words in ([], [f"PYTHON={sys.executable}"], ["PYTHON=.venv/bin/python"], ["-j4"]):
        done = make(clone, QUICK, *words)
        assert (done.returncode, done.stderr) == (0, "")
        assert kept(clone), words


@pytest.mark.long
def test_another_interpreter_makes_the_venv_again(clone, tmp_path):
    make(clone, QUICK)
    mark(clone)
    # Stands for another interpreter: it says that it is somewhere else.
    other = tmp_path / "other"
    lie = "import sys; sys._base_executable = sys.argv[1]; exec(sys.argv[2])"
    base = shlex.quote(sys._base_executable)
    other.write_text(f'#!/bin/sh\nif [ "$1" = -c ]; then {base} -c "{lie}" "$0" "$2"; else {base} "$@"; fi\n')
    other.chmod(0o755)
    done = make(clone, QUICK, f"PYTHON={other}")
    assert ("again" in done.stdout, done.returncode) == (True, 0)
    assert (clone / ".venv" / "made").read_text().startswith(str(other))
    assert not kept(clone)


@pytest.mark.long
def test_a_moved_folder_gets_a_new_venv(clone):
    make(clone, QUICK)
    mark(clone)
    moved = clone.rename(clone.with_name("moved"))
    assert "again" in make(moved, QUICK).stdout
    assert not kept(moved)
    assert str(moved) in (moved / ".venv" / "made").read_text()


@pytest.mark.long
def test_a_venv_without_its_interpreter_is_made_again(clone):
    make(clone, QUICK)
    for link in (clone / ".venv" / "bin").glob("python*"):
        link.unlink()
    (clone / ".venv" / "bin" / "python").symlink_to("/nowhere/python3.10")
    assert make(clone, QUICK).returncode == 0
    assert (clone / ".venv" / "bin" / "python").exists()


@pytest.mark.cases(1)
@pytest.mark.parametrize("python", ["/nowhere/python", "false", "true"])
def test_an_unsuitable_interpreter_is_refused_and_the_venv_kept(clone, python):
    make(clone, QUICK)
    mark(clone)
    done = make(clone, QUICK, f"PYTHON={python}")
    assert done.returncode
    assert f"'{python}' is older or does not run" in done.stderr
    assert kept(clone)


def test_to_build_installs_nothing_for_tests_and_a_code_to_scan_needs_no_extra():
    made = subprocess.run(["make", "-n", "-B", "build"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert ".[dev]" not in made
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    segno = next(each for each in needed["project"]["optional-dependencies"]["paper"] if each.startswith("segno"))
    for line in (segno, *needed["build-system"]["requires"]):
        assert f"'{line}'" in made
    run = subprocess.run(["make", "-n", "-B", "install"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert f"'{segno}'" in run
