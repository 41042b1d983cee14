"""Readers of what others send, against inputs that no person would write: those kept, and changes of them."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairdeck.errors import FairdeckError
from tests.fuzz import readers
from tests.fuzz.corpus import CORPORA, kept

PARTS = (b"", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r\n")
PARTS += (b"-1", b"1e9", b"9" * 4_400, b"null", b"[[]]", b'"')


def tried(name, data):
    try:
        return readers.attempt(readers.READERS[name], data)
    except Exception as error:  # whatever it is: the message says how to see it again
        pytest.fail(f"{name} breaks the contract on {data!r}: {type(error).__name__}: {error}")


def changed(data, edits):
    """Put parts into an input, in place of some of its bytes."""
    for at, size, part in edits:
        start = at % (len(data) + 1)
        data = data[:start] + part + data[start + size :]
    return data


def test_every_reader_has_inputs_and_no_input_is_of_another():
    assert {path.stem for path in CORPORA.iterdir()} == set(readers.READERS)


@pytest.mark.parametrize("name", readers.READERS)
def test_every_kept_input_is_taken_or_refused_in_one_line(name):
    taken = [tried(name, data) for data in kept(name).values()]
    assert any(taken), "no input is right: what follows it is not tried"


EDITS = st.lists(
    st.tuples(st.integers(0, 2**16), st.integers(0, 20), st.sampled_from(PARTS) | st.binary(max_size=8)), max_size=4
)


@pytest.mark.parametrize("name", readers.READERS)
def test_new_inputs_are_taken_or_refused_in_one_line(name):
    @settings(max_examples=20 if name == "store" else 60, suppress_health_check=list(HealthCheck))
    @given(data=st.sampled_from(list(kept(name).values())), edits=EDITS)
    def changes(data, edits):
        tried(name, changed(data, edits))

    changes()


def test_a_reader_with_another_error_or_without_an_end_is_heard(monkeypatch):
    def refuses(data):
        raise FairdeckError("no")

    assert readers.attempt(int, b"1")
    assert not readers.attempt(refuses, b"x")
    with pytest.raises(ValueError, match="invalid literal"):
        readers.attempt(int, b"x")
    monkeypatch.setattr(readers, "LONGEST_TIME", 0.01)

    def slow(data):
        until = time.thread_time() + 0.02
        while time.thread_time() < until:
            pass

    with pytest.raises(readers.Fault, match=r"0\.0\d* seconds|0\.\d seconds"):
        readers.attempt(slow, b"x")


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")
def test_a_reader_that_takes_more_than_the_memory_is_heard():
    held = "from tests.fuzz.readers import MOST_MEMORY, limit_memory; limit_memory(); "
    for share, code in ((0.5, 0), (1.1, 1)):
        done = subprocess.run(
            [sys.executable, "-c", f"{held}bytearray(int({share} * MOST_MEMORY))"],
            cwd=Path(__file__).parents[1],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert ("MemoryError" in done.stderr) == bool(code)


def test_the_same_bytes_make_the_same_choices():
    choices = readers.Choices(b"\x05\x01\x02abc")
    assert (choices.below(4), choices.below(1_000), choices.between(5, 9)) == (1, 258, 5 + 97 % 5)
    assert choices.rest() == b"bc"
    assert choices.ended
    assert (choices.below(7), choices.take(2)) == (0, b"\0\0")
