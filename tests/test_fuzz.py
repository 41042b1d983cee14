"""The readers against inputs that no person would write: those that were kept, and some new ones. See `tests.fuzz`."""

import json
import subprocess
import sys
import time
from random import Random

import pytest

from fairdeck.errors import FairdeckError
from tests.fuzz import __main__ as runner
from tests.fuzz import pages, readers
from tests.fuzz.choices import Choices
from tests.fuzz.corpus import CORPORA, kept
from tests.fuzz.mutations import mutated

READERS = readers.every_reader()
NAMES = list(READERS)


def tried(reader: readers.Reader, data: bytes) -> bool:
    try:
        return reader.attempt(data)
    except Exception as error:  # whatever it is: the message says how to see it again
        pytest.fail(f"{reader.name} breaks the contract on {data!r}: {type(error).__name__}: {error}")


def test_every_reader_has_inputs_and_no_input_is_of_another():
    assert {path.stem for path in CORPORA.iterdir()} == set(NAMES)
    for name in NAMES:
        assert kept(name), name


def test_every_kept_input_is_taken_or_refused_in_one_line():
    took = {name: [tried(READERS[name], data) for data in kept(name).values()] for name in NAMES}
    only_refused = {name for name, taken in took.items() if not any(taken)}
    assert only_refused <= {"beacon"}, "no input is right: what follows it is not tried"


def test_new_inputs_are_taken_or_refused_in_one_line():
    """The same changed inputs in every run; `make fuzz` tries others."""
    chance, taken, tries = Random(22), 0, 0
    for name, reader in READERS.items():
        words = [word.encode("utf-8", "surrogatepass") for word in reader.words]
        inputs = list(kept(name).values())
        for _ in range(reader.in_test):
            data = mutated(chance.choice(inputs), chance, words, reader.longest, is_json=reader.is_json)
            taken += tried(reader, data)
            tries += 1
    assert 0.1 * tries < taken < 0.9 * tries, (taken, tries)


def test_a_reader_with_another_error_or_without_an_end_is_heard(monkeypatch):
    def reads(what):
        return readers.Reader("broken", what, "", False, (), 10, 1)

    def refuses(data):
        raise FairdeckError("no")

    assert reads(lambda data: None).attempt(b"1")
    assert not reads(refuses).attempt(b"x")
    with pytest.raises(ValueError, match="invalid literal"):
        reads(int).attempt(b"x")
    monkeypatch.setattr(readers, "LONGEST_TIME", 0.01)

    def slow(data):
        until = time.thread_time() + 0.02
        while time.thread_time() < until:
            pass

    with pytest.raises(readers.Fault, match=r"took 0\.0"):
        reads(slow).attempt(b"x")


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")
def test_a_reader_that_takes_more_than_the_memory_is_heard():
    held = "from tests.fuzz.readers import MOST_MEMORY, limit_memory; limit_memory(); "
    for share, code in ((0.5, 0), (1.1, 1)):
        done = subprocess.run(
            [sys.executable, "-c", f"{held}bytearray(int({share} * MOST_MEMORY))"],
            cwd=runner.ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert ("MemoryError" in done.stderr) == bool(code)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("page-plan", "planFor = ((right) => (task, order) => right(task, order.slice().reverse()))(planFor);"),
        ("page-code", "readCode = ((right) => (text) => right(text.toLowerCase()))(readCode);"),
        ("page-slips", "explanations = () => [];"),
        ("page-advice", "advise = ((right) => (task) => ({ ...right(task), minutes: 1 }))(advise);"),
    ],
)
def test_a_page_that_differs_from_python_is_heard(monkeypatch, name, wrong):
    monkeypatch.setattr(pages, "OF_DEALS", wrong + pages.OF_DEALS)
    with pytest.raises(readers.Fault, match="the page says"):
        for data in kept(name).values():
            READERS[name].attempt(data)


def test_the_same_bytes_make_the_same_choices():
    choices = Choices(b"\x05\x01\x02abc")
    assert (choices.below(4), choices.below(1_000), choices.between(5, 9)) == (1, 258, 5 + 97 % 5)
    assert choices.rest() == b"bc"
    assert choices.ended
    assert (choices.below(7), choices.take(2)) == (0, b"\0\0")


def test_changes_are_repeatable_and_keep_json_json():
    before = json.dumps({"cards": 5, "passes": [{"deal": [0, 1]}], "name": "x"}).encode()
    found = [mutated(before, Random(seed), [b"word"], 500, is_json=True) for seed in range(200)]
    assert found == [mutated(before, Random(seed), [b"word"], 500, is_json=True) for seed in range(200)]
    readable = 0
    for data in found:
        try:
            json.loads(data)
            readable += 1
        except ValueError:
            continue
    assert 100 < readable < 200


def test_the_page_of_figures_is_what_the_runner_writes():
    held = json.loads(runner.RESULTS.read_text("utf-8"))
    assert runner.PAGE.read_text("utf-8") == runner.page(held)
    assert set(held["readers"]) == set(NAMES)
