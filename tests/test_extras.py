"""What is missing is named with a command that installs it where the program runs."""

import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from fairdeck import extras
from fairdeck.extras import EXTRAS, OWN, installation

ROOT = Path(__file__).parents[1]


def test_the_packages_are_those_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {name: list(packages) for name, packages in EXTRAS.items()} == {
        name: project["optional-dependencies"][name] for name in EXTRAS
    }


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_command_is_for_the_interpreter_that_runs_and_names_packages(extra):
    words = shlex.split(installation(extra))
    assert words[:4] == [sys.executable, "-m", "pip", "install"]
    assert words[4:] == list(EXTRAS[extra])


@pytest.mark.long
@pytest.mark.parametrize("extra", EXTRAS)
def test_the_command_can_be_pasted(extra):
    # All is installed here: pip is asked what it would do, and has nothing to do.
    line = installation(extra) + " --dry-run --quiet --no-index --disable-pip-version-check"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_interpreter_with_a_strange_place_is_quoted(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/a b/schön's/python")
    assert shlex.split(installation("paper"))[0] == "/a b/schön's/python"


def test_on_windows_only_what_needs_quotes_has_them(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert extras._quoted(r"C:\Py\python.exe") == r"C:\Py\python.exe", (
        "PowerShell runs no line that begins with a quote"
    )
    assert extras._quoted(r"C:\My Py\python.exe") == r'"C:\My Py\python.exe"'
    assert extras._quoted("numpy>=2.1,<3") == '"numpy>=2.1,<3"'


def test_where_the_system_manages_python_an_environment_is_made(monkeypatch, tmp_path):
    (tmp_path / "EXTERNALLY-MANAGED").touch()
    monkeypatch.setattr("sysconfig.get_path", lambda _name: str(tmp_path))
    assert "venv" not in installation("lab").replace(sys.prefix, "")  # this one is an environment already
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    command = installation("lab").partition("fairdeck: ")[2]
    assert command.startswith(f"{sys.executable} -m venv --system-site-packages {OWN} && {OWN}/bin/python -m pip")


def test_where_there_is_no_pip_uv_installs(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda _name: None)
    assert shlex.split(installation("paper"))[:5] == ["uv", "pip", "install", "--python", sys.executable]


def test_no_message_and_no_page_names_a_package_that_is_on_no_index():
    texts = [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    assert not [str(path) for path in texts if "install 'fairdeck[" in path.read_text(encoding="utf-8")]


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted there")
def test_the_lab_loads_numpy_with_one_thread_and_programs_under_test_may_have_more():
    code = (
        "import os; from fairdeck.cli.laboratory import need_lab as n; n(); import numpy; a = numpy.ones((600, 600)) "
    )
    code += "@ numpy.ones((600, 600)); print(len(os.listdir('/proc/self/task')), 'OPENBLAS_NUM_THREADS' in os.environ)"
    free = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=free)
    assert done.stdout == "1 False\n"
