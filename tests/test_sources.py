"""Sources: functions, programs and files that behave, and those that do not."""

import gzip
import io
import json
import os
import re
import shlex
import struct
import subprocess
import sys
import textwrap
import threading
import time
import tracemalloc
from itertools import permutations, product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeck import lab
from fairdeck.cards.cells import words
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import LEAD, Broken
from fairdeck.lab.sources import MOST_CARDS, first_fault
from fairdeck.lab.sources import text as text_module
from fairdeck.lab.sources.file import open_file
from fairdeck.lab.sources.foreign import refuse_foreign
from fairdeck.lab.sources.function import FunctionSource
from fairdeck.lab.sources.program import ProgramSource, seed_of_start

EXAMPLES = Path(__file__).parent.parent / "examples"
GOOD = [[2, 0, 1], [0, 1, 2], [1, 2, 0], [2, 1, 0]]


def decks_of(source, *sizes):
    """Return the decks of blocks of these sizes, as lists."""
    with source:
        return [deck for block in source.blocks(sizes) for deck in block.decks.tolist()]


def until_broken(source, size=1000):
    """Return what came before the source broke, and how it broke."""
    came = []
    with source, pytest.raises(Broken) as caught:
        for block in source.blocks([size]):
            came += block.decks.tolist()
    message = str(caught.value)
    assert "\n" not in message
    assert message.isprintable()
    assert caught.value.decks == len(came), "nothing is lost that was counted"
    return came, message


def refusal(source):
    """Return the line that refuses bad input, with no deck before it."""
    with source, pytest.raises(FairdeckError) as caught:
        next(source.blocks([1]))
    assert not isinstance(caught.value, Broken)
    message = str(caught.value)
    assert "\n" not in message
    return message


def is_running(pid):
    """Say whether a process lives; one that has ended but was not waited for does not."""
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return found.stdout.strip()[:1] not in ("", "Z")


def soon(condition, seconds=20):
    """Wait a little for a condition, and say whether it came true."""
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    return condition()


def gone(pid):
    return soon(lambda: not is_running(pid))


def number_in(place):
    """Wait a little for a file, and return the number it holds."""
    soon(lambda: place.exists() and place.read_text().strip())
    return int(place.read_text())


def written(file, code):
    file.write_text(textwrap.dedent(code), encoding="utf-8")
    return file


@pytest.fixture
def function(tmp_path):
    """Write a module, and return the source for its function `f`."""
    return lambda code, cards=3, **options: FunctionSource(f"{written(tmp_path / 'f.py', code)}:f", cards, **options)


@pytest.fixture
def shell(tmp_path):
    """Write a shell script, and return the source for it."""
    return lambda code, cards=3, **options: ProgramSource(
        f"sh {shlex.quote(str(written(tmp_path / 'f.sh', code)))}", cards, **options
    )


@pytest.fixture
def file(tmp_path):
    """Write a file, and return the source for it."""

    def made(content, *arguments, **options):
        path = tmp_path / "decks.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return open_file(str(path), *arguments, **options)

    return made


def open_files():
    """Count the open files of this process, if the system tells."""
    place = Path("/dev/fd")
    return len(list(place.iterdir())) if place.exists() else 0


@pytest.fixture(autouse=True)
def nothing_stays_open():
    """No thread and no open file outlives a test."""
    threads = threading.active_count()
    files = open_files()
    yield
    assert soon(lambda: threading.active_count() == threads, seconds=2)
    assert open_files() <= files


# --- the gate


def test_the_gate_knows_every_permutation_from_everything_else():
    every = np.array(list(product(range(-1, 4), repeat=3)))
    known = [None if sorted(row) == [0, 1, 2] else 0 for row in every.tolist()]
    assert [first_fault(row[None]) for row in every] == known
    assert known.count(None) == 6


def test_the_gate_finds_the_first_faulty_deck_of_many():
    decks = np.array([Random(k).sample(range(52), 52) for k in range(100)])
    assert first_fault(decks) is None
    decks[[40, 70], 51] = decks[[40, 70], 0]
    assert first_fault(decks) == 40
    assert first_fault(decks[:40]) is None
    assert first_fault(decks[:0]) is None


# --- blocks


def test_blocks_of_any_sizes_hold_the_same_decks(function):
    code = "def f(deck, rng): rng.shuffle(deck)"
    whole = decks_of(function(code, 7, seed=3), 2500)
    for sizes in ([2500], [1] * 20 + [2480], [999, 1, 1500], [2000, 0, 500]):
        assert decks_of(function(code, 7, seed=3), *sizes) == whole
    assert len(whole) == 2500
    assert len({tuple(deck) for deck in whole}) > 1000


def test_every_block_leads_with_the_decks_just_before_it(file):
    rng = Random(5)
    decks = [rng.sample(range(6), 6) for _ in range(40)]
    with file("".join(" ".join(map(str, deck)) + "\n" for deck in decks)) as source:
        at = 0
        for block in source.blocks([3, 1, 4, 10, 1, 1, 20]):
            assert block.lead.tolist() == decks[max(0, at - LEAD) : at]
            assert block.decks.tolist() == decks[at : at + len(block.decks)]
            assert block.decks.dtype == block.lead.dtype == np.int16
            assert block.lead.shape[1] == 6
            at += len(block.decks)
        assert at == 40


def test_a_stream_goes_on_where_it_was_left(file):
    with file("2 0 1\n0 1 2\n1 2 0\n") as source:
        assert next(source.blocks([1, 1])).decks.tolist() == [[2, 0, 1]]
        (block,) = source.blocks([5, 5])
        assert block.decks.tolist() == [[0, 1, 2], [1, 2, 0]]
        assert block.lead.tolist() == [[2, 0, 1]]
        assert list(source.blocks([5])) == []
    with file("2 0 1\n0 1 2\n") as source:
        assert [len(block.decks) for block in source.blocks([1, 1, 1])] == [1, 1]


def test_a_faulty_stream_stays_faulty(file):
    with file("2 0 1\n" * 10 + "0 0 2\n1 2 0\n") as source:
        for _ in range(2):
            with pytest.raises(Broken, match="deck 11 "):
                list(source.blocks([20]))


# --- functions: what they look like


@pytest.mark.cases(10)
@pytest.mark.parametrize(
    "code",
    [
        "def f(deck): deck.reverse()",
        "def f(deck): return deck[::-1]",
        "def f(deck):\n    deck.reverse()\n    return deck",
        "def f(deck): return tuple(reversed(deck))",
        "def f(deck): return reversed(deck)",
        "def f(deck): return (card for card in deck[::-1])",
        "def f(deck): return bytes(deck[::-1])",
        "def f(n): return range(n - 1, -1, -1)",
        "def f(x: int): return list(range(x))[::-1]",
        "def f(n: list): n.reverse()",
        "import numpy\ndef f(deck): return numpy.array(deck)[::-1]",
        "import numpy\ndef f(size): return numpy.arange(size, dtype=numpy.uint8)[::-1]",
        "def f(deck, rng): assert rng.random() < 1; deck.reverse()",
        "def f(deck, whatever): assert whatever.random() < 1; deck.reverse()",
        "def f(deck, times=3, *, rng=None): assert rng.random() < 1; deck.reverse()",
        "def f(rng, deck): assert rng.random() < 1; deck.reverse()",
        "def f(deck, rng, /): assert rng.random() < 1; deck.reverse()",
        "def f(n, random): assert random.random() < 1; return range(n - 1, -1, -1)",
        "import numpy\ndef f(deck, rng: numpy.random.Generator): rng.permutation(3); deck.reverse()",
        "def f(deck, times=1): deck.reverse()",
        "def f(*decks): decks[0].reverse()",
        "f = list.reverse",
        "class F:\n    def __call__(self, deck): deck.reverse()\nf = F()",
        "same = [0, 0, 0]\ndef f(deck):\n    same[:] = deck[::-1]\n    return same",
        "kept = []\ndef f(deck):\n    for old in kept: old.clear()\n    deck.reverse()\n    kept.append(deck)",
    ],
)
def test_a_function_may_look_like_this(function, code):
    assert decks_of(function(code), 3) == [[2, 1, 0]] * 3


def test_a_function_can_be_told_what_it_takes(function):
    assert decks_of(function("def f(count): count.reverse()", takes="deck"), 1) == [[2, 1, 0]]
    assert decks_of(function("def f(cards): return range(cards)", takes="n"), 1) == [[0, 1, 2]]


def test_a_function_may_be_a_method_or_lie_in_a_package(tmp_path, monkeypatch):
    package = tmp_path / "mine"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "other.py").write_text("TWO = 2\n")
    (package / "cards.py").write_text(
        "from mine.other import TWO\n"
        "class Dealer:\n"
        "    def turn(self, deck): deck.reverse()\n"
        "    @staticmethod\n"
        "    def shift(deck): deck.append(deck.pop(0))\n"
        "    @classmethod\n"
        "    def keep(cls, deck): return deck\n"
    )
    monkeypatch.chdir(tmp_path)
    assert decks_of(FunctionSource("mine.cards:Dealer.turn", 3), 1) == [[2, 1, 0]]
    assert decks_of(FunctionSource("mine.cards:Dealer.shift", 3), 1) == [[1, 2, 0]]
    assert decks_of(FunctionSource("mine.cards:Dealer.keep", 3), 1) == [[0, 1, 2]]


def test_a_file_may_import_its_neighbours_and_bear_the_name_of_our_own(tmp_path):
    (tmp_path / "gate.py").write_text("def turned(deck): return deck[::-1]\n")
    (tmp_path / "text.py").write_text("from gate import turned\ndef f(deck): return turned(deck)\n")
    assert decks_of(FunctionSource(f"{tmp_path / 'text.py'}:f", 3), 1) == [[2, 1, 0]]


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", ["random:shuffle", "numpy.random:shuffle", "numpy.random:permutation"])
@pytest.mark.parametrize("cards", [1, 2, 52, 500])
def test_well_known_shuffles_work_and_repeat_for_a_seed(name, cards):
    first = decks_of(FunctionSource(name, cards, seed=1), 30)
    assert len(first) == 30
    assert decks_of(FunctionSource(name, cards, seed=1), 10, 20) == first
    if cards > 2:
        assert decks_of(FunctionSource(name, cards, seed=2), 30) != first
        assert decks_of(FunctionSource(name, cards, seed=1, stream=1), 30) != first


def test_without_a_seed_every_run_is_another(function):
    code = "def f(deck, rng): rng.shuffle(deck)"
    assert decks_of(function(code, 52), 5) != decks_of(function(code, 52), 5)


def test_numpy_is_loaded_only_if_the_function_wants_it(function):
    assert len(decks_of(function("import sys\ndef f(deck):\n    if 'numpy' in sys.modules: return 0"), 3)) == 3


def test_the_deck_starts_sorted_scrambled_or_as_it_was_left(function):
    code = "def f(deck): deck.append(deck.pop(0))"
    turned = [1, 2, 3, 4, 0]
    assert decks_of(function(code, 5), 3) == [turned] * 3
    # A scrambled deck is named by where its cards started: the same move shows as the same deck.
    assert decks_of(function(code, 5, start="scrambled"), 3) == [turned] * 3
    assert decks_of(function(code, 5, start="carried"), 3) == [turned, [2, 3, 4, 0, 1], [3, 4, 0, 1, 2]]


def test_a_function_that_looks_at_the_cards_shows_itself_from_a_scrambled_start(function):
    sorts = "def f(deck): deck.sort()"
    assert decks_of(function(sorts, 9), 1) == [list(range(9))]
    (first,) = decks_of(function(sorts, 9, start="scrambled", seed=4), 1)
    assert first != list(range(9))
    assert decks_of(function(sorts, 9, start="scrambled", seed=4), 1) == [first]
    assert decks_of(function(sorts, 9, start="scrambled", seed=5), 1) != [first]


@pytest.mark.parametrize("code", [f"def f(deck): return {kind}(deck[1:] + deck[:1])" for kind in ("tuple", "iter")])
def test_a_returned_deck_is_carried_as_well(function, code):
    assert decks_of(function(code, 3, start="carried"), 3) == [[1, 2, 0], [2, 0, 1], [0, 1, 2]]


# --- functions: what goes wrong


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("shuffle", "'shuffle' names no function; write package.module:function"),
        ("random:", "names no function"),
        (":shuffle", "names no function"),
        ("no_such_module:f", "no module is called 'no_such_module'"),
        ("os.no_such_module:f", "no module is called 'os.no_such_module'"),
        ("no/such/file.py:f", "there is no file no/such/file.py"),
        ("random:shufle", "random has no 'shufle'; near: shuffle"),
        ("random:shuffle.zzz", "has no 'zzz'; check the name"),
        ("math:pi", "pi of math has the type float; name a function"),
        ("numpy.random:Generator.shuffle", "cannot make a Generator"),
    ],
)
def test_a_function_that_is_not_there_is_refused_in_one_line(name, says):
    with pytest.raises(FairdeckError, match=re.escape(says)) as caught:
        decks_of(FunctionSource(name, 3), 1)
    assert "\n" not in str(caught.value)
    assert not isinstance(caught.value, Broken)


@pytest.mark.cases(6)
@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("def f(deck) return deck", "cannot import"),
        ("def f(deck) return deck", "SyntaxError"),
        ("def f(deck) return deck", "f.py, line 1)"),
        ("import no_such_thing", "ModuleNotFoundError: No module named 'no_such_thing'"),
        ("x = 1\nraise OSError('no\\nway')", "OSError: no way ("),
        ("x = 1\nraise OSError('no\\nway')", "line 2)"),
        ("import sys\nsys.exit('bye')", "SystemExit: bye"),
        ("import os\nos._exit(3)", "its process ended with exit status 3 while it was imported"),
        ("def f(deck): return deck[99]", "raised on its first deck: IndexError: list index out of range ("),
        ("def f(deck): return deck[99]", "called as f(deck)"),
        ("def f(deck): return deck[99]", "line 1); correct it"),
        ("import random\ndef f(n):\n    random.shuffle(n)", "line 3)"),
        ("def f(deck, a, b): pass", "f needs more than a deck and a generator: b"),
        ("def f(deck, k): pass", "more than a deck and a generator: k, if it is the number of cards seen: --seen"),
    ],
)
def test_a_function_that_cannot_work_at_all_is_refused_in_one_line(function, code, says):
    assert says in refusal(function(code))


def test_what_a_source_cannot_do_is_refused_before_it_starts(function):
    for options in ({"start": "wet"}, {"takes": "cards"}, {"cards": 0}, {"cards": MOST_CARDS + 1}):
        with pytest.raises(FairdeckError):
            function("def f(deck): pass", **options)
    for start in ("scrambled", "carried"):
        message = refusal(function("def f(n): return range(n)", start=start))
        assert "takes a number of cards; it cannot start" in message
        assert "f takes no deck; it cannot start" in refusal(function("def f(): return range(3)", start=start))
    assert "f takes no deck; write it as" in refusal(function("def f(): return range(3)", takes="deck"))
    assert "f takes nothing and returns nothing: return the deck" in refusal(function("def f(): pass"))


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("def f(): return 2, 0, 1", "called as f()"),
        ("def f(rng): return rng.sample(range(3), 3)", "called as f(rng)"),
        ("def f(deck, k): return deck[:k]", "called as f(deck, 2)"),
        ("def f(n, k): return list(range(n))[:k]", "called as f(n, 2)"),
        ("def f(rng, deck, k): return rng.sample(deck, k)", "called as f(deck, 2, rng)"),
        ("def f(deck, count, rng): return rng.sample(deck, count)", "called as f(deck, 2, rng)"),
    ],
)
def test_a_function_may_take_nothing_or_how_many_cards_it_gives(tmp_path, code, says):
    (tmp_path / "draws.py").write_text(code)
    seen = "all" if "return 2" in code or "range(3)" in code else "top:2"
    report = lab.test(f"{tmp_path}/draws.py:f", seen=seen, cards=3, decks=5)
    assert (report.verdict.decks, report.verdict.outcome) == (5, "insufficient")
    assert any(says in note for note in report.notes)


def test_draws_in_a_cell_and_names_with_blanks_one_a_line_are_read(tmp_path):
    draws = [sorted(Random(seed).sample(range(1, 50), 6)) for seed in range(70)]
    text = "".join(f"day {day},{' '.join(f'{ball:02}' for ball in draw)},3\n" for day, draw in enumerate(draws))
    (log := tmp_path / "draws.csv").write_text(f"Draw Date,Winning Numbers,Multiplier\n{text}")
    report = lab.test(log, seen="6/49")
    assert report.verdict.decks == 70
    assert any("each cell of column Winning Numbers; left out: Draw Date, Multiplier" in note for note in report.notes)
    log.write_text(f"Draw Date,Winning Numbers,Multiplier\n{text}day 70,,2\n")
    with pytest.raises(FairdeckError, match="line 72"):
        lab.test(log, seen="6/49")
    names = [f"Song {number}, part 1" for number in range(30)]
    for lines, decks in ((names, 1), ([*names, "", *reversed(names)], 2)):
        log.write_text("\n".join(lines) + "\n")
        assert lab.test(log, deck=names).verdict.decks == decks


def test_a_board_says_how_many_cards_there_are_and_a_short_answer_how_to_test_it(tmp_path):
    (tmp_path / "draws.py").write_text("import random\ndef f(board): return random.sample(board, 10)")
    name = f"{tmp_path}/draws.py:f"
    assert lab.test(name, seen="set:10", board="9x9", decks=5).inquiry.cards == 81
    short = lab.test(name, board="9 x 9", decks=5).headline
    assert "has 10 cards instead of 81" in short and "--seen top:10 or set:10" in short


COUNTING = """
import itertools, os, signal, sys, time
calls = itertools.count(1)
def f(deck):
    if next(calls) > 17:
        {}
    deck.reverse()
"""


@pytest.mark.cases(8)
@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("raise KeyError('ace')", "deck 18 is missing: the function raised KeyError: 'ace' ("),
        ("sys.exit(2)", "deck 18 is missing: the function raised SystemExit: 2"),
        ("raise KeyboardInterrupt", "deck 18 is missing: the function raised KeyboardInterrupt"),
        ("raise type('Odd', (BaseException,), {'__str__': None})", "deck 18 is missing: the function raised Odd"),
        ("return deck[1:]", "deck 18 has 2 cards instead of 3: 1 2"),
        ("return deck + [3]", "deck 18 has 4 cards instead of 3: 0 1 2 3"),
        ("return itertools.count()", "deck 18 has 4 cards instead of 3: 0 1 2 3"),
        ("return []", "deck 18 has 0 cards instead of 3"),
        ("deck.pop(); return", "deck 18 has 2 cards instead of 3: 0 1"),
        ("return [0, 0, 1]", "deck 18 holds card 0 twice and lacks card 2: 0 0 1"),
        ("return [0, 1, 3]", "deck 18 holds 3, which is not one of 0 to 2: 0 1 3"),
        ("return [0, 1, 2.0]", "deck 18 holds 2.0, which is not a whole number"),
        ("return [0, 1, None]", "deck 18 holds None, which is not a whole number"),
        ("return [0, 1, 10**30]", "deck 18 holds 1000000000000000000000000000000, which is not a whole number"),
        ("return ['ace', '\\x1b[31m', '\\n']", "deck 18 holds 'ace', which is not a whole number"),
        ("return [[0, 1, 2]] * 3", "deck 18 holds [0, 1, 2], which is not a whole number"),
        ("return 5", "deck 18 is not a deck: the function returned 5"),
        ("return True", "deck 18 is not a deck: the function returned True"),
        ("os._exit(3)", "its process ended with exit status 3 after deck 17"),
        ("os._exit(0)", "its process ended with exit status 0 after deck 17"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "its process was killed by SIGSEGV after deck 17"),
        ("os.write(2, b'oh\\nno\\n'); os._exit(3)", "its process ended with exit status 3 after deck 17, saying: no"),
    ],
)
@pytest.mark.cases(1)
def test_a_function_that_fails_later_has_broken_after_what_was_good(function, fault, says):
    came, message = until_broken(function(COUNTING.format(fault)))
    assert came == [[2, 1, 0]] * 17
    assert says in message


@pytest.mark.parametrize("fault", ["time.sleep(60)", "while True: pass"])
@pytest.mark.alone
def test_a_function_that_hangs_is_ended_and_keeps_what_it_gave(function, fault):
    began = time.monotonic()
    came, message = until_broken(function(COUNTING.format(fault), timeout=0.5))
    assert came == [[2, 1, 0]] * 17
    assert "gave no deck for 0.5 s after deck 17" in message
    assert time.monotonic() - began < 8


@pytest.mark.alone
def test_a_function_that_hangs_while_it_is_imported_is_refused(function):
    source = function("import time\ntime.sleep(60)", timeout=0.5)
    assert "gave no deck for 0.5 s while it was imported" in refusal(source)


def test_a_slow_function_gives_what_it_has_so_far(function):
    with function("import time\ndef f(deck): time.sleep(0.1)", timeout=5) as source:
        began = time.monotonic()
        blocks = source.blocks([1] * 100)
        next(blocks), next(blocks)
        assert time.monotonic() - began < 4


@pytest.mark.long
@pytest.mark.alone
def test_a_slow_reader_is_no_fault_of_the_function(function):
    with function("import time\ndef f(deck): time.sleep(0.01)", timeout=0.4) as source:
        for _ in source.blocks([20, 20]):
            time.sleep(0.6)


def test_what_a_function_prints_disturbs_nothing(function, capfd):
    code = """
    import os, subprocess, sys
    def f(deck):
        print("x" * 10_000)
        sys.stderr.write("y" * 10_000)
        os.write(1, b"D\\x00\\x00\\x00\\x00")
    """
    assert decks_of(function(code), 500) == [[0, 1, 2]] * 500
    code = "import subprocess\ndef f(deck): subprocess.run(['echo', 'hello'], check=True)"
    assert decks_of(function(code), 20) == [[0, 1, 2]] * 20
    assert capfd.readouterr() == ("", "")


def test_a_function_that_asks_for_input_gets_none(function):
    assert "EOFError" in refusal(function("def f(deck): input()"))


def test_closing_ends_the_process_of_a_function(function, tmp_path):
    place = tmp_path / "pid"
    code = f"import os, pathlib\npathlib.Path({str(place)!r}).write_text(str(os.getpid()))\ndef f(deck): pass"
    with function(code) as source:
        next(source.blocks([1]))
        pid = number_in(place)
        assert is_running(pid)
        source.close()
        assert gone(pid)


def test_a_source_that_was_never_asked_starts_nothing(function, tmp_path):
    place = tmp_path / "started"
    with function(f"open({str(place)!r}, 'w')\ndef f(deck): pass"), ProgramSource(f"touch {place}", 3):
        time.sleep(0.1)
    assert not place.exists()


# --- programs


@pytest.mark.parametrize(
    "text",
    [
        r"2 0 1\n0 1 2\n1 2 0\n2 1 0\n",
        r"2,0,1\n0,1,2\n1,2,0\n2,1,0\n",
        r"2\t0\t1\n0\t1\t2\n1\t2\t0\n2\t1\t0\n",
        r"[2, 0, 1]\n[0, 1, 2]\n[1, 2, 0]\n[2, 1, 0]\n",
        r"2 0 1\r\n0 1 2\r\n1 2 0\r\n2 1 0\r\n",
        r"\357\273\2772 0 1\n0 1 2\n1 2 0\n2 1 0\n",
        r"\n  \n2 0 1\n\n\n0 1 2\n  1   2  0  \n2 1 0\n\n",
        r"2 0 1\n0 1 2\n1 2 0\n2 1 0",
        r"3 1 2\n1 2 3\n2 3 1\n3 2 1\n",
        r"02 00 01\n000 001 2\n1 2 0\n2 1 0\n",
    ],
)
def test_a_program_may_write_its_decks_like_this(shell, text):
    assert decks_of(shell(f"printf '{text}'"), 4) == GOOD


def test_a_program_that_numbers_from_one_is_understood_and_noted(shell):
    with shell("printf '3 1 2\n1 2 3\n'") as source:
        assert next(source.blocks([2])).decks.tolist() == GOOD[:2]
        assert "the program numbers the cards from 1" in source.notes
    came, message = until_broken(shell("printf '3 1 2\n1 2 3\n1 3 3\n'"))
    assert "deck 3 holds card 3 twice and lacks card 2: 1 3 3" in message
    assert came == GOOD[:2]
    assert "holds 0, which is not one of 1 to 3" in until_broken(shell("printf '3 1 2\n1 2 0\n'"))[1]


@pytest.mark.parametrize(("layout", "kind"), [("u8", "<u1"), ("u16", "<u2"), ("u32", "<u4")])
def test_a_program_may_write_binary_decks(tmp_path, layout, kind):
    path = tmp_path / "decks"
    path.write_bytes(np.array(GOOD, kind).tobytes())
    assert decks_of(ProgramSource(f"cat {path}", 3, layout=layout), 2, 2) == GOOD
    path.write_bytes(np.array([[2, 0, 1], [0, 1, 200]], kind).tobytes())
    came, message = until_broken(ProgramSource(f"cat {path}", 3, layout=layout))
    assert came == GOOD[:1]
    assert "deck 2 holds 200, which is not one of 0 to 2: 0 1 200" in message


def test_a_binary_deck_that_is_cut_short_is_left_out_and_noted(tmp_path):
    path = tmp_path / "decks"
    path.write_bytes(bytes([2, 0, 1, 0]))
    with ProgramSource(f"cat {path}", 3, layout="u8") as source:
        assert next(source.blocks([3])).decks.tolist() == GOOD[:1] * 3
        assert any("a deck was cut short" in note for note in source.notes)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"command": " "}, "the command is empty"),
        ({"command": "echo 'a"}, "cannot read the command echo 'a"),
        ({"layout": "u64"}, "no format is called 'u64'; choose text, u8, u16, u32"),
        ({"layout": "u8", "cards": 257}, "the format u8 cannot hold 257 different cards"),
        ({"cards": 0}, "a deck of 0 cards cannot be tested"),
        ({"start": "wet"}, "no start is called 'wet'"),
    ],
)
def test_a_program_that_makes_no_sense_is_refused_before_it_starts(options, says):
    with pytest.raises(FairdeckError, match=re.escape(says)):
        ProgramSource(**{"command": "true", "cards": 3, **options})


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("no-such-program-here", "cannot start no-such-program-here: No such file or directory"),
        ("no-such-program-here | cat >/dev/null; exit 127", "gave no deck: it ended with exit status 127, saying: "),
        ("true", "gave no deck: it ended with exit status 0"),
        ("false", "gave no deck: it ended with exit status 1"),
        ("echo oh >&2; echo dear >&2; exit 3", "it ended with exit status 3, saying: dear"),
        ("kill -9 $$", "it was killed by SIGKILL"),
        ("echo 1 2 | tr -d '\\n'", "gave no deck: it ended with exit status 0 in the middle of a deck"),
        ("test {decks} -gt {seed}", "output, and nothing is filled in for {decks} and {seed}, only for {cards}"),
    ],
)
def test_a_program_that_never_gives_a_deck_is_refused(command, says):
    assert says in refusal(ProgramSource(command, 3))


def test_a_program_that_may_not_be_run_is_refused(tmp_path):
    path = tmp_path / "program"
    path.write_text("hello")
    path.chmod(0o600)
    assert "Permission denied" in refusal(ProgramSource(str(path), 3))


def test_a_program_that_writes_one_deck_is_started_again_and_again(shell):
    with shell("echo 2 0 1") as source:
        assert next(source.blocks([5])).decks.tolist() == GOOD[:1] * 5
        assert "the program was started 5 times" in source.notes


def test_a_program_that_gives_no_deck_twice_in_a_row_has_broken(shell, tmp_path):
    code = f"""
    echo >> {tmp_path}/starts
    starts=$(wc -l < {tmp_path}/starts)
    if [ $starts -le 2 ]; then echo 2 0 1; echo 0 1 2; fi
    if [ $starts -eq 4 ]; then echo out of cards >&2; exit 7; fi
    """
    came, message = until_broken(shell(code))
    assert came == GOOD[:2] * 2
    assert "it ended with exit status 7, saying: out of cards" in message
    assert "twice in a row, after deck 4" in message
    assert (tmp_path / "starts").read_text().count("\n") == 4


def test_a_program_may_fail_once_in_a_while(shell, tmp_path):
    code = f"""
    echo >> {tmp_path}/starts
    starts=$(wc -l < {tmp_path}/starts)
    [ $(($starts % 2)) -eq 0 ] || echo 2 0 1
    """
    assert decks_of(shell(code), 4) == GOOD[:1] * 4


def test_a_program_that_hangs_has_broken_and_what_it_gave_is_kept(shell):
    with shell("echo 2 0 1; sleep 60", timeout=0.3) as source:
        began = time.monotonic()
        came, message = until_broken(source)
        assert came == GOOD[:1]
        assert "gave no deck after deck 1: none came for 0.3 s (--timeout gives it longer)" in message
        assert time.monotonic() - began < 4


def test_a_program_that_fails_after_good_decks_is_started_again_and_a_note_says_how(shell):
    how = r"the program failed \w+( times)?, last after deck \d: it ended with exit status 7, saying: out of luck"
    with shell("echo 2 0 1; echo out of luck >&2; exit 7") as source:
        assert [block.decks.tolist() for block in source.blocks([3])] == [GOOD[:1] * 3]
        assert re.fullmatch(how, next(note for note in source.notes if "failed" in note))


@pytest.mark.cases(1)
@pytest.mark.parametrize("drip", ["echo", "printf ' '"])
def test_a_program_that_drips_nothings_hangs_as_well(shell, drip):
    assert "none came for 0.3 s" in refusal(shell(f"while sleep 0.05; do {drip}; done", timeout=0.3))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("hello world", "deck 2 is not a deck: 'hello world'"),
        (r"\033[31mred", r"deck 2 is not a deck: '\x1b[31mred'"),
        (r"0 1 x", "deck 2 holds 'x', which is not a card: 0 1 x"),
        (r"0 1 2.5", "deck 2 holds '2.5', which is not a card: 0 1 2.5"),
        (r"0 1 -2", "deck 2 holds -2, which is not one of 0 to 2: 0 1 -2"),
        (r"0 1", "deck 2 has 2 cards instead of 3: 0 1"),
        (r"0 1 2 0", "deck 2 has 4 cards instead of 3: 0 1 2 0"),
        (r"0 1 1", "deck 2 holds card 1 twice and lacks card 2: 0 1 1"),
        (r"0 1 3", "deck 2 holds 3, which is not one of 0 to 2: 0 1 3"),
        (r"0 1 4294967296000", "deck 2 holds 4294967296000, which is not one of 0 to 2"),
        (r"0 1 99999999999999999999999999", "deck 2 holds '99999999999999999999999999', which is not a card"),
        (r"\377\376\000", "deck 2 is not a deck: '"),
        ("y" * 5000, "deck 2 is not a deck: 'yyyyyyyyy"),
    ],
)
def test_a_program_that_writes_garbage_has_broken_and_the_line_is_shown(shell, line, says):
    came, message = until_broken(shell(f"printf '2 0 1\\n{line}\\n0 1 2\\n'"))
    assert came == GOOD[:1]
    assert says in message
    assert len(message) < 400


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("INFO started", "deck 1 is not a deck: 'INFO started'"),
        ("shuffling 3 cards", "deck 1 holds 'shuffling', which is not a card: shuffling 3 cards"),
        ("3", "deck 1 has 1 card instead of 3: 3"),
        ("0 1 2 3", "deck 1 has 4 cards instead of 3: 0 1 2 3"),
        ("10 20 30", "deck 1 holds 10, which is not one of 0 to 2: 10 20 30"),
    ],
)
def test_lines_before_the_first_deck_are_bad_input_and_not_a_fault(shell, line, says):
    message = refusal(shell(f"echo '{line}'; while :; do echo 2 0 1; done"))
    assert says in message
    assert message.endswith(
        "; write nothing but decks of 3 numbers, one on each line, to standard output (--cards says how many), "
        "messages to standard error; if it writes a part of each deck: --seen"
    )


@pytest.mark.parametrize(
    ("code", "good", "says"),
    [
        ("while :; do echo 0 1 1; done", 0, "deck 1 holds card 1 twice and lacks card 2: 0 1 1"),
        ("printf '2 0 1\\n1 1 2'", 1, "deck 2 holds card 1 twice"),
    ],
    ids=["first deck", "last line, which is whole"],
)
def test_a_shuffle_that_loses_a_card_has_failed(shell, code, good, says):
    came, message = until_broken(shell(code))
    assert came == GOOD[:good]
    assert says in message


def test_text_where_bytes_are_promised_is_not_held_against_the_shuffle(shell):
    said = refusal(shell("while :; do echo 2 0 1; done", layout="u8"))
    assert "deck 1 holds 50, which is not one of 0 to 2: 50 32 48; write nothing but decks of 3 numbers as u8" in said


def test_a_line_cut_by_the_death_of_the_program_is_left_out_and_noted(shell):
    with shell("printf '2 0 1\\n0 1'; kill -9 $$") as source:
        assert next(source.blocks([3])).decks.tolist() == GOOD[:1] * 3
        assert any("cut short" in note for note in source.notes)


@pytest.mark.long
@pytest.mark.parametrize("garbage", ["x", "7", "0 ", " "])
def test_a_flood_without_a_line_end_fills_no_memory(tmp_path, garbage):
    code = f"import os\nwhile True: os.write(1, {garbage.encode() * 50_000!r})"
    (tmp_path / "flood.py").write_text(code)
    tracemalloc.start()
    with pytest.raises(FairdeckError):
        decks_of(ProgramSource(f"{sys.executable} {tmp_path / 'flood.py'}", 3, timeout=1), 1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 150e6


def test_a_flood_of_complaints_blocks_nothing_and_is_not_shown(tmp_path, capfd):
    (tmp_path / "loud.py").write_text(
        "import sys\nfor k in range(200):\n    sys.stderr.write('z' * 10_000 + '\\n')\n    print('2 0 1', flush=True)\n"
    )
    assert len(decks_of(ProgramSource(f"{sys.executable} {tmp_path / 'loud.py'}", 3), 200)) == 200
    assert capfd.readouterr() == ("", "")


def test_a_program_is_told_the_cards_and_the_seed(shell, tmp_path):
    code = f'echo "$FAIRDECK_CARDS/$FAIRDECK_SEED" >> {tmp_path}/told; echo 2 0 1'
    decks_of(shell(code, seed=12), 3)
    seeds = [seed_of_start(12, start) for start in (1, 2, 3)]
    assert (tmp_path / "told").read_text().split() == [f"3/{seed}" for seed in seeds]
    assert seeds[0] == 12
    assert len(set(seeds)) == 3
    assert max(seeds) < 2**53
    (tmp_path / "told").unlink()
    decks_of(shell(code), 1)
    assert (tmp_path / "told").read_text() == "3/\n"
    assert decks_of(ProgramSource("seq -s ' ' {cards}", 4), 1) == [[0, 1, 2, 3]]


def test_a_program_gets_the_scrambled_deck_on_its_standard_input():
    assert decks_of(ProgramSource("cat", 20, start="scrambled", seed=1), 1) == [list(range(20))]
    backwards = 'awk \'{for (i = NF; i; i--) printf "%s ", $i; print ""}\''
    assert decks_of(ProgramSource(backwards, 20, start="scrambled"), 1) == [list(range(19, -1, -1))]
    (named,) = decks_of(ProgramSource("seq -s ' ' 0 19", 20, start="scrambled", seed=1), 1)
    assert named != list(range(20))
    assert "gave no deck" in refusal(ProgramSource("cat", 20))


def test_a_program_that_starts_the_same_every_time_is_noted(shell):
    with shell("seq -s ' ' 20", 20) as source:
        next(source.blocks([3]))
        assert any("began with the same deck as start 1" in note for note in source.notes)
    with shell("seq -s ' ' 3") as source:  # of 6 orders the same will come up by chance
        next(source.blocks([3]))
        assert not any("began with the same deck" in note for note in source.notes)


def test_the_shell_runs_what_needs_it_and_nothing_else(tmp_path):
    assert decks_of(ProgramSource("printf '2 0 1 %s\\n' '' | cat", 3), 1) == GOOD[:1]
    assert decks_of(ProgramSource("A=1; echo 2 0 $A", 3), 1) == GOOD[:1]
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "decks").write_text("2 0 1\n")
    assert decks_of(ProgramSource(f"cat '{folder}/decks'", 3), 1) == GOOD[:1]


def test_closing_a_program_ends_all_that_it_started(shell, tmp_path):
    code = f"""
    sleep 100 &
    echo $! > {tmp_path}/sleeper
    (while echo 2 0 1; do :; done) &
    echo $! > {tmp_path}/writer
    wait
    """
    with shell(code) as source:
        next(source.blocks([10]))
        pids = [number_in(tmp_path / name) for name in ("sleeper", "writer")]
        assert all(map(is_running, pids))
    assert all(map(gone, pids))


def test_a_program_that_ends_but_leaves_a_child_with_its_output_is_ended_with_it(shell, tmp_path):
    code = f"sleep 100 & echo $! > {tmp_path}/sleeper; echo 2 0 1"
    source = shell(code, timeout=0.5)
    with source:
        assert next(source.blocks([2])).decks.tolist() == GOOD[:1] * 2
    assert gone(number_in(tmp_path / "sleeper"))


def test_a_program_runs_ahead_while_its_decks_are_counted(shell, tmp_path):
    code = f"i=0; while [ $i -lt 300 ]; do echo 2 0 1; i=$((i+1)); done; touch {tmp_path}/ran; sleep 60"
    with shell(code) as source:
        next(source.blocks([1]))
        assert soon((tmp_path / "ran").exists, seconds=10)


@pytest.mark.parametrize("cards", [1, 2, 500])
def test_decks_of_one_two_and_many_cards_come_through_every_door(tmp_path, file, cards):
    rng = Random(cards)
    decks = [rng.sample(range(cards), cards) for _ in range(200)]
    text = "".join(" ".join(map(str, deck)) + "\n" for deck in decks)
    assert decks_of(file(text), 150, 50) == decks
    np.save(tmp_path / "decks.npy", np.array(decks))
    assert decks_of(open_file(str(tmp_path / "decks.npy")), 150, 50) == decks
    assert decks_of(ProgramSource(f"cat {tmp_path / 'decks.txt'}", cards), 150, 50) == decks
    (tmp_path / "raw").write_bytes(np.array(decks, "<u2").tobytes())
    assert decks_of(ProgramSource(f"cat {tmp_path / 'raw'}", cards, layout="u16"), 150, 50) == decks


# --- text


@given(st.lists(st.permutations(range(4)), min_size=1, max_size=30), st.lists(st.integers(1, 40), min_size=1))
def test_lines_do_not_depend_on_the_size_of_the_pieces_read(decks, sizes):
    text = "".join(",".join(map(str, deck)) + "\r\n" for deck in decks).encode()
    pieces, at, turn = [], 0, 0
    while at < len(text):
        pieces.append(text[at : at + sizes[turn % len(sizes)]])
        at, turn = at + len(pieces[-1]), turn + 1
    decoder = text_module.Decoder("it", 4, text_module.NumberReading(first=0))
    batches = [batch for lines, _ in text_module.whole_lines(pieces) for batch in decoder.decode(lines)]
    assert np.concatenate(batches).tolist() == [list(deck) for deck in decks]


def test_a_cut_anywhere_leaves_whole_decks_and_is_noted(file):
    first, second = [11, 0, 10, 1, 9, 2, 8, 3, 7, 4, 6, 5], [1, 0, *range(2, 12)]
    head, tail = (" ".join(map(str, deck)) + "\n" for deck in (first, second))
    for length in range(len(tail) + 1):
        source = file(head + tail[:length], 12)
        whole = length >= len(tail) - 1  # the line end alone may be missing
        assert decks_of(source, 10) == [first, second][: 1 + whole]
        noted = any("ends in the middle of deck 2" in note for note in source.notes)
        assert noted == (not whole and length > 0)


def test_words_are_told_apart_by_the_mark_between_them():
    assert words('["AS", "K D", 7]') == ["AS", "K D", "7"]
    assert words("Ace of Spades, King , Two") == ["Ace of Spades", "King", "Two"]
    assert words('"Ace, of Spades",King') == ["Ace, of Spades", "King"]
    assert words("AS\tK D") == ["AS", "K D"]
    assert words('["AS", "K') == ["AS", "K"]
    assert words("  ") == words("[]") == words(",,") == []


# --- files


@pytest.mark.parametrize(
    "content",
    [
        "2 0 1\n0 1 2\n1 2 0\n2 1 0\n",
        "2 0 1\n0 1 2\n1 2 0\n2 1 0",
        "3,1,2\r\n1,2,3\r\n2,3,1\r\n3,2,1\r\n",
        "a,b,c\n2,0,1\n0,1,2\n1,2,0\n2,1,0\n",
        '"first card";"second card";"third card"\n2;0;1\n0;1;2\n1;2;0\n2;1;0\n',
        "\ufeffx y z\n2 0 1\n0 1 2\n1 2 0\n2 1 0\n",
        "[2,0,1]\n[0,1,2]\n[1,2,0]\n[2,1,0]\n",
        "[[2,0,1],[0,1,2],[1,2,0],[2,1,0]]",
        "[\n  [2, 0, 1],\n  [0, 1, 2],\n  [1, 2, 0],\n  [2, 1, 0]\n]\n",
        json.dumps([[2, 0, 1], [0, 1, 2], [1, 2, 0], [2, 1, 0]], indent=1),
        '["C", "A", "B"]\n["A", "B", "C"]\n["B", "C", "A"]\n["C", "B", "A"]\n',
        '[["C", "A", "B"], ["A", "B", "C"], ["B", "C", "A"], ["C", "B", "A"]]',
        "C A B\nA B C\nB C A\nC B A\n",
        "one,two,three\nC,A,B\nA,B,C\nB,C,A\nC,B,A\n",
        '"2","0","1"\n"0","1","2"\n"1","2","0"\n"2","1","0"\n',
        '\ufeff"a";"b";"c"\r\n"2";"0";"1"\r\n"0";"1";"2"\r\n"1";"2";"0"\r\n"2";"1";"0"',
        '"2 0 1"\n"0 1 2"\n"1 2 0"\n"2 1 0"\n',
        '"[2, 0, 1]"\n"[0, 1, 2]"\n"[1, 2, 0]"\n"[2, 1, 0]"\n',
        "['2', '0', '1']\n['0', '1', '2']\n['1', '2', '0']\n['2', '1', '0']\n",
        "(2, 0, 1)\n(0, 1, 2)\n(1, 2, 0)\n(2, 1, 0)\n",
        "[(2, 0, 1), (0, 1, 2), (1, 2, 0), (2, 1, 0)]",
        '[["2", "0", "1"], ["0", "1", "2"], ["1", "2", "0"], ["2", "1", "0"]]',
        "2\u00a00\u00a01\n0\u202f1\u202f2\n1\u30002\u30000\n2 1 0\u00a0\n",
        "2,\u00a00,\u00a01\n0,1,2\n1,2,0\n2,\u00a01,\u00a00",
        "2 0 1\n0 1 2\n1\x0b2\x0c0\n2 1 0\n",
        "2 0 1\n0 1 2\n1 2 0\n2\u00a01 0",
        '["2", "\\u0030", "1"]\n[0, 1, 2]\n["1", "2", "0"]\n["2", 1, 0]\n',
        "00000000000002 0 1\n0 1 2\n1 2 0\n2 1 0\n",
    ],
)
def test_a_file_may_hold_its_decks_like_this(file, content):
    assert decks_of(file(content), 9) == GOOD
    assert decks_of(file(content, 3), 1, 1, 1, 1, 1) == GOOD


@pytest.mark.parametrize("kind", ["i1", "u1", ">i2", "u8", "i8"])
@pytest.mark.parametrize("first", [0, 1])
def test_a_file_may_be_an_array(tmp_path, kind, first):
    path = tmp_path / "decks.npy"
    np.save(path, (np.array(GOOD) + first).astype(kind))
    with open_file(str(path)) as source:
        assert source.cards == 3
        assert [block.decks.tolist() for block in source.blocks([3, 3])] == [GOOD[:3], GOOD[3:]]
        assert source.notes == ["the cards are numbered from 1"] * first


def test_a_file_says_how_many_cards_it_has(file):
    with pytest.raises(FairdeckError, match=r": the first deck has 3 cards, not 4"):
        file("0 1 2\n", 4)
    with file("0 1 2\n") as source:
        assert source.cards == 3


def test_cards_written_as_rank_and_suit_are_in_the_order_of_a_new_deck(file):
    with file("AS KD 2C\nKD AS 2C\n") as source:
        assert source.labels == ["2C", "AS", "KD"]
    with file("AS 2C\n2C AC\n") as source, pytest.raises(FairdeckError, match="'AC', which is not a card"):
        next(source.blocks([2]))
        next(source.blocks([2]))
    with file("AS,10h,td,QC\n") as source:
        assert source.labels == ["QC", "AS", "10h", "td"]
        assert any("suit by suit, from ace to king" in note for note in source.notes)
    with file("AS Joker KD 2C\n") as source:
        assert source.labels == ["2C", "AS", "KD", "Joker"]
    with file("1 2 0\n") as source:
        assert source.labels == ()
    with file("3 1 2\n") as source:
        assert next(source.blocks([1])).decks.tolist() == [[2, 0, 1]]
        assert source.labels == ["1", "2", "3"]


def test_letters_that_are_not_utf8_are_read_as_windows_1252_and_it_is_told(file):
    latin = "Läufer König Dame\nKönig Läufer Dame\n".encode("cp1252")
    for order, decks in ((None, [[2, 1, 0], [1, 2, 0]]), ("König Läufer Dame", [[1, 0, 2], [0, 1, 2]])):
        with file(latin, order=order) as source:
            assert next(source.blocks([3])).decks.tolist() == decks
            assert "it is not UTF-8, and was read as Windows-1252" in source.notes


def test_words_are_cards_in_alphabetical_order_unless_an_order_is_given(file):
    text = "KD AS 2C\nAS KD 2C\n"
    with file(text.replace("2C", "Fool")) as source:
        assert next(source.blocks([2])).decks.tolist() == [[2, 0, 1], [0, 2, 1]]
        (note,) = source.notes
        assert note == "the cards are words, taken in alphabetical order (AS Fool KD ...); --order sets another order"
    for order in ("AS KD 2C", "AS,KD,2C", "AS\nKD\n2C\n", '["AS", "KD", "2C"]'):
        with file(text, order=order) as source:
            assert next(source.blocks([2])).decks.tolist() == [[1, 0, 2], [0, 1, 2]]
            assert source.notes == []


def test_numbers_can_be_words_when_an_order_is_given(file):
    assert decks_of(file("30 10 20\n10 20 30\n", order="10 20 30"), 5) == GOOD[:2]
    assert decks_of(file("a b c\n30 10 20\n", order="10 20 30"), 5) == GOOD[:1]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "is empty; write one deck on each line"),
        ("\n\n  \n", "is empty"),
        ("\ufeff", "is empty"),
        ("[]", "is empty"),
        ("17\n3\n", "holds one number, 17; write a whole deck on each line"),
        ("AS KD AS\n", "two cards are called 'AS'"),
        ("0 1 2\n".encode("utf-16-le"), "is not text: it contains zero bytes; save decks as UTF-8 text"),
        (gzip.compress(b"2 0 1\n0 1 2\n", mtime=0), "is packed with gzip; unpack it first"),
        (b"PK\x03\x04 an npz", "is a zip archive, as npz files are; unpack it first"),
        ("2|0|1\n", "the first deck holds one word, 2|0|1; write a whole deck on each line, with spaces or"),
        ("1\n0\n", "holds one number, 1; write a whole deck on each line"),
        ("2.0 0.0 1.0\n", "holds '2.0', which is not a whole number; write one deck on each line, its"),
        ("2,0;0,0;1,0\n", "holds '2,0', which is not a whole number"),
        ("+2 0 1\n", "holds '+2', which is not a whole number"),
        ("2e0 0 1\n", "holds '2e0', which is not a whole number"),
        ("99999999999999999999 0 1\n", "holds '99999999999999999999', which is not a whole number"),
        ("started today\nread 3 decks\n2 0 1\n", "begins with 'started today' and 'read 3 decks', which are not decks"),
        ("2 0 3 0\n", "begins with '2 0 3 0', which are not decks; 0 is there twice; write one deck on each line"),
        ("4 decks\n2 0 1\n0 1 2\n", "begins with '4 decks' and '2 0 1', which are not decks"),
        ("4 3\n2 0 1\n0 1 2\n", "begins with '4 3' and '2 0 1', which are not decks"),
        ("9 deck [1, 2, 0, 3]\n9 deck [3, 0, 2, 1]\n", "begins with '9 deck [1 2 0 3' and '9 deck [3 0 2 1', which"),
        ("#!/bin/sh\nshuf -i 0-51\n", "is a program, not decks; to test what it writes: --exec './"),
    ],
)
def test_a_file_that_holds_no_decks_is_refused(file, content, says):
    with pytest.raises(FairdeckError, match=re.escape(says)) as caught:
        file(content)
    assert not isinstance(caught.value, Broken)


FOREIGN = {
    "boards of bridge in PBN": (
        *("% PBN 2.1\n% EXPORT\n", '[Board "1"]\n[Deal "N:KT5.AJ8543.KJ.K5 - - -"]\n', '\ufeff\n[Event ""]\n'),
    ),
    "boards of bridge in LIN": ("qx|o1|md|3SAJ9HQ9DQT963C862,S87|\n", "pn|a,b,c,d|st||md|1SA|\n"),
    "boards of bridge in DUP": (
        "020510141720232425283041490309111213182226344445475101040616192931323538464852" + " " * 32,
    ),
    "boards of bridge in lines without tags": (
        "N:KT5.AJ8543.KJ.K5 Q6432.T62.7.T973\n",
        "n KT5.AJ8543.KJ.K5 e Q6432.T62.7.T973\n",
    ),
    "XML or HTML": ("<?xml version='1.0'?>\n<a/>\n", "<!DOCTYPE html>\n<p>0 1 2\n", "\n<table><tr>\n"),
    "boards of bridge in DLM": ("[Document]\nBoard 07=aaaa\n",),
    "settings": ("[tool]\nname = 3\n",),
}


@pytest.mark.parametrize(("what", "content"), [(what, each) for what, texts in FOREIGN.items() for each in texts])
def test_a_file_of_something_else_is_named(file, what, content):
    # Boards are read as what is seen of a deck, but by no monitor.
    read = file if "boards" not in what else lambda text: refuse_foreign("log", text.lstrip("\ufeff").encode())
    with pytest.raises(FairdeckError, match=f"holds {what}, not decks; (write a whole deck|hands show who)"):
        read(content)


def test_a_file_of_functions_says_how_to_name_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("import random\n\ndef mix(deck):\n    random.shuffle(deck)\n")
    with pytest.raises(FairdeckError, match=r"holds functions, not decks; name the one to test, as in mine\.py:mix"):
        lab.test("mine.py")
    with pytest.raises(FairdeckError, match=r"'mine\.py' names no function; write .*file\.py:function"):
        lab.exact("mine.py")


@pytest.mark.parametrize(
    ("line", "says"),
    [("5 0 1", "holds 5, which is not one of 0 to 2"), ("-1 0 1", "holds -1"), ("0 0 1", "holds card 0 twice")],
)
def test_a_first_deck_of_other_numbers_says_how_to_write_them(file, line, says):
    message = refusal(file(f"{line}\n0 1 2\n"))
    assert f"line 1: deck 1 {says}" in message
    assert "write one deck on each line, its cards as whole numbers from 0 to 2 or from 1 to 3" in message


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "none", "a\0b"):
        with pytest.raises(FairdeckError, match="cannot read"):
            open_file(str(path))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("2 0 1\n" * 10 + "\n0 1 1\n", "line 12: deck 11 holds card 1 twice and lacks card 2: 0 1 1"),
        ("C A B\n" * 10 + "A A B\n", "line 11: deck 11 holds card A twice and lacks card C: A A B"),
        (f"[{'[2,0,1],' * 10}[0,1,1],[0,1,2]]", "deck 11 holds card 1 twice"),
    ],
)
def test_a_card_that_is_twice_in_a_deck_of_a_file_is_a_fault_of_the_shuffle(file, content, says):
    came, message = until_broken(file(content))
    assert len(came) == 10
    assert says in message


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("a b c\n2 0 1\n0 1 3\n", "line 3: deck 2 holds 3, which is not one of 0 to 2: 0 1 3"),
        ("3 1 2\n0 1 2\n", "line 2: deck 2 holds 0, which is not one of 1 to 3: 0 1 2"),
        ("2 0 1\n0 1\n2 0 1\n", "line 2: deck 2 has 2 cards instead of 3: 0 1"),
        ("2 0 1\n0 2 1 3\n", "line 2: deck 2 has 4 cards instead of 3: 0 2 1 3"),
        ("1 2 3 4 5 6\n3 3 1 2 6 6\n", "line 2: deck 2 holds card 3 twice and lacks card 4"),  # dice
        ("0,1\n1,0\n1,1\n", "line 3: deck 3 holds card 1 twice and lacks card 0: 1 1"),
        ("2 0 1\nbroken pipe\n", "line 2: deck 2 is not a deck: 'broken pipe'"),
        ("C A B\nA X B\n", "line 2: deck 2 holds 'X', which is not a card of this deck: A X B"),
        ("C A B\nA B\nA B C\n", "line 2: deck 2 has 2 cards instead of 3: A B"),
        ("a,b,c\n" + "2,0,1\n" * 999 + "a,b,c\n2,0,1\n", "line 1,001: deck 1,000 is not a deck: 'a,b,c'"),
    ],
)
def test_a_line_of_a_file_that_is_no_deck_is_refused_and_never_a_fault_of_the_shuffle(file, content, says):
    with file(content) as source, pytest.raises(FairdeckError) as caught:
        list(source.blocks([2_000]))
    assert not isinstance(caught.value, Broken)
    assert says in str(caught.value)
    assert "each line must be a deck of the same cards: remove all other lines" in str(caught.value)


def test_the_line_of_a_wrong_deck_is_right_far_into_a_file(file):
    text = "h1 h2 h3\n" + "2 0 1\n\n" * 100_000
    came, message = until_broken(file(text + "1 1 1\n"), 200_000)
    assert len(came) == 100_000
    assert "line 200,002: deck 100,001 holds card 1 3 times" in message


@pytest.mark.parametrize(
    "content",
    ["2 0 1\n0 1", "2 0 1\n0 ", "[2,0,1]\n[0,", "[[2,0,1],[0", "C A B\nA", "C,A,B\nA,", "two cards,b,a\nb,tw"],
)
def test_a_file_cut_short_is_counted_as_far_as_it_is_whole(file, content):
    with file(content) as source:
        (block,) = source.blocks([9])
        assert len(block.decks) == 1
        assert any("ends in the middle of deck 2; that deck is left out" in note for note in source.notes)


def test_an_array_cut_short_is_counted_as_far_as_it_is_whole(tmp_path):
    path = tmp_path / "decks.npy"
    np.save(path, np.array(GOOD))
    path.write_bytes(path.read_bytes()[:-30])
    with open_file(str(path)) as source:
        assert next(source.blocks([9])).decks.tolist() == GOOD[:2]
        assert any("ends in deck 3; its header promises 4" in note for note in source.notes)


def test_a_wrong_row_of_an_array_is_shown(tmp_path):
    np.save(tmp_path / "decks.npy", np.array([[1, 2, 3]] * 10 + [[3, 3, 1]]))
    came, message = until_broken(open_file(str(tmp_path / "decks.npy")))
    assert came == [[0, 1, 2]] * 10
    assert "deck 11 holds card 3 twice and lacks card 2: 3 3 1" in message


@pytest.mark.parametrize(
    ("array", "says"),
    [
        (np.arange(3), "of shape (3,)"),
        (np.zeros((2, 2)), "holds float64 of shape (2, 2); save np.ascontiguousarray(decks) with integers"),
        (np.array(GOOD).T, "by columns"),
        (np.zeros((0, 3), int), "holds no deck"),
        (np.array([["a", "b"]]), "holds <U1"),
        (np.zeros((1, 0), int), "a deck of 0 cards"),
    ],
)
def test_an_array_that_holds_no_decks_is_refused(tmp_path, array, says):
    np.save(tmp_path / "decks.npy", array)
    with pytest.raises(FairdeckError, match=re.escape(says)):
        open_file(str(tmp_path / "decks.npy"))


def test_an_array_that_does_not_fit_what_was_asked_is_refused(tmp_path):
    path = tmp_path / "decks.npy"
    np.save(path, np.array(GOOD))
    with pytest.raises(FairdeckError, match="holds decks of 3 cards, not 4; leave out the number of cards"):
        open_file(str(path), 4)
    with pytest.raises(FairdeckError, match="leave out the order of words"):
        open_file(str(path), order="a b c")
    path.write_bytes(path.read_bytes()[:20])
    with pytest.raises(FairdeckError, match="is not a complete npy file"):
        open_file(str(path))


HEADER = "{'descr': '<i8', 'fortran_order': False, 'shape': %s, }"


@pytest.mark.parametrize(
    ("header", "says"),
    [
        (HEADER % "(-1, 5)", "holds an array of the impossible shape (-1, 5); save it again with numpy.save"),
        (HEADER % "(True, 3)", "holds an array of the impossible shape (True, 3)"),
        (HEADER % "(3, 3) #", "is not a complete npy file"),
        (HEADER % ("(" * 300), "is not a complete npy file"),
        (HEADER % "(10**30, 3)", "is not a complete npy file"),
        (HEADER.replace("<i8", "<i16") % "(3, 3)", "is not a complete npy file"),
        (HEADER.replace("<i8", "|O") % "(3, 3)", "holds object of shape (3, 3); save np.ascontiguousarray(decks)"),
        ("#", "is not a complete npy file"),
        ("", "is not a complete npy file"),
    ],
)
def test_a_header_that_no_array_has_is_refused_in_one_line(file, header, says):
    content = b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + np.array(GOOD).tobytes()
    with pytest.raises(FairdeckError) as caught:
        file(content)
    assert says in str(caught.value)
    assert "save" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_number_too_large_for_an_array_is_shown_as_it_is(tmp_path):
    np.save(tmp_path / "decks.npy", np.array([[2**63 + 1, 0, 1]], np.uint64))
    message = refusal(open_file(str(tmp_path / "decks.npy")))
    assert f"holds {2**63 + 1}, which is not one of 0 to 2" in message
    assert "number the cards from 0 to 2 or from 1 to 3" in message


def test_what_was_guessed_about_a_file_is_noted(file):
    notes = {
        "x,y,z\n2,0,1\n": ["the first line, 'x,y,z', is not a deck"],
        "3 1 2\n": ["the cards are numbered from 1"],
        " ".join(map(str, range(13))) + "\n": ["the first deck is in order: if it numbers the columns, remove it"],
        "2 0 1\n": [],
    }
    for content, said in notes.items():
        with file(content) as source:
            list(source.blocks([5]))
            assert source.notes == said


def test_standard_input_is_a_file_as_well(monkeypatch):
    for content in (b"2 0 1\n0 1 2\n", b"x y z\n2 0 1\n0 1 2", b"[[2,0,1],[0,1,2]]"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        with open_file("-") as source:
            assert source.name == "standard input"
            assert next(source.blocks([5])).decks.tolist() == GOOD[:2]
        assert not sys.stdin.buffer.closed


def test_a_closed_standard_input_is_refused_and_no_other_file_cares(monkeypatch, file):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(FairdeckError, match="standard input is closed"):
        open_file("-")
    assert decks_of(file("2 0 1\n"), 1) == GOOD[:1]


def test_a_pipe_is_read_as_it_comes(monkeypatch):
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as pipe, os.fdopen(writing, "wb", buffering=0) as end:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(pipe))
        end.write(b"2 0 1\n0 1 2\n1 2 0\n")
        with open_file("-") as source:
            assert next(source.blocks([3])).decks.tolist() == GOOD[:3]
            end.write(b"2 1 0\n")
            assert next(source.blocks([1])).decks.tolist() == GOOD[3:]
        sys.stdin.detach()


def test_a_large_file_is_read_in_flat_memory(tmp_path):
    path = tmp_path / "decks.txt"
    line = b" ".join(str(card).encode() for card in range(51, -1, -1)) + b"\n"
    path.write_bytes(line * 200_000)
    tracemalloc.start()
    with open_file(str(path)) as source:
        assert sum(len(block.decks) for block in source.blocks([1000] * 300)) == 200_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6, "the file has 28 MB"


# --- the examples

SHELL = f"sh {shlex.quote(str(EXAMPLES / 'shuffle.sh'))}"


def looks_fair(decks, cards):
    """Count every order of a small deck; a fair shuffle fails this once in a million times."""
    from scipy.stats import chi2

    counts = [decks.count(list(order)) for order in permutations(range(cards))]
    mean = len(decks) / len(counts)
    return chi2.sf(sum((count - mean) ** 2 / mean for count in counts), len(counts) - 1) > 1e-6


@pytest.mark.cases(1)
@pytest.mark.parametrize("option", ["", "--naive"])
def test_the_example_program_is_fair_and_its_twin_is_not(option):
    # Of 4 cards, 6000 decks: the swap with any card is seen at once.
    assert looks_fair(decks_of(ProgramSource(f"{SHELL} {{cards}} {option}", 4), 6000), 4) == (not option)


def test_the_example_program_writes_as_many_decks_as_it_is_told_and_stops_when_nobody_reads():
    with ProgramSource(f"{SHELL} {{cards}} 7", 52) as source:
        assert len(next(source.blocks([8])).decks) == 8
        assert "the program was started 2 times" in source.notes
    found = subprocess.run(f"{SHELL} 52 | head -n 3", shell=True, capture_output=True, text=True, timeout=20)
    assert (found.stdout.count("\n"), found.stderr) == (3, "")


@pytest.mark.parametrize("name", ["in_place", "returned", "with_rng", "by_size", "Dealer.shuffle", "naive"])
@pytest.mark.cases(1)
def test_the_example_functions_are_fair_except_the_naive_one(name):
    decks = decks_of(FunctionSource(f"{EXAMPLES / 'shuffle.py'}:{name}", 4, seed=1), 6000)
    assert looks_fair(decks, 4) == (name != "naive")


@pytest.mark.long
def test_the_examples_are_run_as_their_page_says(monkeypatch):
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    monkeypatch.chdir(EXAMPLES.parent)
    found = [shlex.split(row) for row in page.splitlines() if "fairdeck test" in row and "|" not in row.split('"')[0]]
    assert len(found) > 8
    for command in found:
        if "--exec" in command:
            assert len(decks_of(ProgramSource(command[command.index("--exec") + 1], 52), 3)) == 3
        elif "--file" not in command:
            assert len(decks_of(FunctionSource(command[2], 52), 3)) == 3
