"""Setting up from a clone: `.venv` is made whole or not at all, and anew where it does not fit."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# In the place of Python's own module: makes what it makes, without the seconds that installing pip takes.
QUICK = """
import subprocess, sys
sys.exit(subprocess.run([sys.executable, "-I", "-m", "venv", "--without-pip", sys.argv[1]]).returncode)
"""
# As Debian without python3-venv does: leaves a folder with an interpreter and nothing that installs anything.
BROKEN = QUICK.replace(").returncode", ").returncode or print('ensurepip is not available') or 1")


@pytest.fixture
def clone(tmp_path):
    folder = tmp_path / "a clone, schön"
    folder.mkdir()
    for name in ("Makefile", "venv.sh", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    return folder


def make(folder, venv, *words):
    """Make `.venv` alone, with a module `venv` of our own."""
    beside = folder.parent / "modules"
    beside.mkdir(exist_ok=True)
    (beside / "venv.py").write_text(venv)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "PYTHON"))
    }
    environment |= {"PYTHONPATH": str(beside), "PATH": f"{Path(sys.base_prefix) / 'bin'}:{os.environ['PATH']}"}
    return subprocess.run(["make", ".venv/made", *words], cwd=folder, env=environment, capture_output=True, text=True)


def mark(folder):
    """Leave something in `.venv` that is gone if it is made anew."""
    (folder / ".venv" / "mark").touch()


def kept(folder):
    return (folder / ".venv" / "mark").exists()


def test_a_try_that_fails_leaves_nothing_and_says_what_to_install(clone):
    done = make(clone, BROKEN)
    assert done.returncode
    assert f"apt-get install python3.{sys.version_info[1]}-venv" in done.stderr
    assert not (clone / ".venv").exists()
    assert make(clone, QUICK).returncode == 0
    assert (clone / ".venv" / "bin" / "python").exists()


def test_what_is_half_made_is_made_anew(clone):
    make(clone, QUICK)
    mark(clone)
    (clone / ".venv" / "made").unlink()  # broken off before its end, or made by an earlier Makefile
    assert "anew" in make(clone, QUICK).stdout
    assert not kept(clone)


def test_what_somebody_made_by_hand_stays_if_it_is_whole(clone):
    make(clone, QUICK)
    mark(clone)
    (clone / ".venv" / "made").unlink()
    (pip,) = (clone / ".venv" / "lib").glob("python3*/site-packages")
    (pip / "pip.py").touch()
    for _ in range(2):
        assert make(clone, QUICK).returncode == 0
        assert kept(clone)


def test_what_fits_stays(clone):
    make(clone, QUICK)
    mark(clone)
    for words in ([], [f"PYTHON={sys.executable}"], ["PYTHON=.venv/bin/python"], ["-j4"]):
        done = make(clone, QUICK, *words)
        assert (done.returncode, done.stderr) == (0, "")
        assert kept(clone), words


def test_another_interpreter_is_obeyed(clone, tmp_path):
    make(clone, QUICK)
    mark(clone)
    # Stands for another interpreter: says that it lies elsewhere.
    other = tmp_path / "other"
    lie = "import sys; sys._base_executable = sys.argv[1]; exec(sys.argv[2])"
    base = shlex.quote(sys._base_executable)
    other.write_text(f'#!/bin/sh\nif [ "$1" = -c ]; then {base} -c "{lie}" "$0" "$2"; else {base} "$@"; fi\n')
    other.chmod(0o755)
    done = make(clone, QUICK, f"PYTHON={other}")
    assert ("anew" in done.stdout, done.returncode) == (True, 0)
    assert (clone / ".venv" / "made").read_text().startswith(str(other))
    assert not kept(clone)


def test_a_folder_that_was_moved_gets_its_own(clone):
    make(clone, QUICK)
    mark(clone)
    moved = clone.rename(clone.with_name("moved"))
    assert "anew" in make(moved, QUICK).stdout
    assert not kept(moved)
    assert str(moved) in (moved / ".venv" / "made").read_text()


def test_an_interpreter_that_went_is_replaced(clone):
    make(clone, QUICK)
    for link in (clone / ".venv" / "bin").glob("python*"):
        link.unlink()
    (clone / ".venv" / "bin" / "python").symlink_to("/nowhere/python3.10")
    assert make(clone, QUICK).returncode == 0
    assert (clone / ".venv" / "bin" / "python").exists()


@pytest.mark.parametrize("python", ["/nowhere/python", "false", "true"])
def test_what_is_no_python_that_will_do_costs_nothing(clone, python):
    make(clone, QUICK)
    mark(clone)
    done = make(clone, QUICK, f"PYTHON={python}")
    assert done.returncode
    assert f"'{python}' is not" in done.stderr
    assert kept(clone)
