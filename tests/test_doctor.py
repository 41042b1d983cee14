"""`fairdeck doctor`: says what works, hears what does not, and is quick."""

import json
import os
import subprocess
import sys
from hashlib import sha256
from time import process_time

import pytest

from fairdeck.cli import main
from fairdeck.cli.commands import doctor as doctors
from fairdeck.explore import site
from fairdeck.extras import EXTRAS
from fairdeck.page import build


@pytest.fixture
def doctor(capsys):
    def call():
        code = main(["doctor", "--json"])
        told = json.loads(capsys.readouterr().out)
        return code, {each["name"]: each for each in told["checks"]}

    return call


def test_everything_works_here_and_it_takes_less_than_a_second(doctor):
    began = process_time()
    code, found = doctor()
    assert process_time() - began < 1
    assert code == 0
    assert {name for name, each in found.items() if each["state"] == "broken"} == set()
    assert sha256(build().encode()).hexdigest() in found["page"]["says"]
    assert {f"extra {extra}" for extra in EXTRAS} <= found.keys()
    assert all(found[f"extra {extra}"]["state"] == "ok" for extra in EXTRAS)


def test_it_fits_on_one_screen_and_in_a_narrow_one(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") <= 32
    assert "All that deals need works." in out
    monkeypatch.setenv("COLUMNS", "30")
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 30 for line in lines if " " in line.strip())


@pytest.mark.parametrize(
    ("place", "value", "name", "says"),
    [
        ("os.urandom", lambda size: b"\0" * size, "randomness", "repeats itself"),
        ("fairdeck.cli.commands.doctor.KNOWN_PLAN", "0" * 64, "deals", "not the known one"),
        ("fairdeck.page.build", lambda: 1 / 0, "page", "ZeroDivisionError"),
    ],
)
def test_what_deals_need_and_is_broken_is_heard(doctor, monkeypatch, place, value, name, says):
    monkeypatch.setattr(place, value)
    code, found = doctor()
    assert code == 1
    assert found[name]["state"] == "broken"
    assert says in found[name]["says"]
    assert [each for each in found.values() if each["state"] == "broken"] == [found[name]]


def test_broken_is_said_loudly_with_a_remedy(capsys, monkeypatch):
    monkeypatch.setattr(doctors, "KNOWN_PLAN", "")
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "BROKEN  deals: the plan" in out
    assert "-> install fairdeck again" in out
    assert out.endswith("Broken: deals. Mend that before you rely on a deal.\n")


def test_the_number_that_the_doctor_tells_is_that_which_the_served_page_shows(doctor):
    served = doctors.PAGE_NUMBER.search(site(("de",))["index.html"].decode())[1]
    _, found = doctor()
    assert found["page"]["says"].endswith(f"; at its end it calls itself {served}")


def test_what_is_absent_is_no_failure_and_says_how_to_get_it(doctor, monkeypatch):
    gone = {"numba", "py_ecc", "reportlab"}
    real = doctors.find_spec
    monkeypatch.setattr(doctors, "find_spec", lambda name: None if name in gone else real(name))
    monkeypatch.setattr(doctors.os, "access", lambda *_: False)
    code, found = doctor()
    assert code == 0
    for name in ("extra fast", "extra beacon", "extra paper", "kernels"):
        assert found[name]["state"] == "absent"
        assert found[name]["remedy"]
    for name in ("settings folder", "copies folder"):
        assert "cannot be written" in found[name]["says"]
    assert "py_ecc" in found["extra beacon"]["remedy"]
    assert "pip install" in found["extra fast"]["remedy"]


def test_a_code_page_without_suits_is_told():
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    code = "import sys; from fairdeck.cli import main; sys.exit(main(['doctor']))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment)
    assert shown.returncode == 0
    assert b"cp1252, which lacks some signs" in shown.stdout
