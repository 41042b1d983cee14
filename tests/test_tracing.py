"""The line to repair: among how many a failing function draws, at which line, and what that means."""

import random
import re
import sys
from functools import partial

import pytest

from fairdeck import lab
from fairdeck.document import Items
from fairdeck.lab.judging.report_document import document
from fairdeck.lab.usercode.adapting import Adapter, Glimpse, load
from fairdeck.lab.usercode.faults import shortened
from fairdeck.lab.usercode.tracing import lines
from fairdeck.show.page import page

LEFT, LIBRARY = "draw among the places that are left", "draw with randrange, choice or secrets.randbelow"
RIGHT = "these are the bounds of Fisher-Yates: the fault lies in where each number is used, what is done with it, or"
REMAINDER = "takes the remainder by 5, 4, ..., 2"
FRACTION = "draws a number from 0 to 1"
HEAD = "import os, random, secrets, threading, time\nfrom functools import cmp_to_key\ndef shuffle(deck, rng):\n"
LOOP = "    n = len(deck)\n    for i in range({}):\n        j = {}\n        deck[i], deck[j] = deck[j], deck[i]\n"
EVERY, DOWN, LATE, EARLY = "n", "n - 1, 0, -1", "n - 2, 0, -1", "n - 1, 2, -1"
SWAPS = [
    (EVERY, "rng.randrange(n)", "draws among 5, 5 times in a call; Fisher-Yates draws among 5, 4, ..., 2", LEFT),
    (EVERY, "int(rng.random() * n)", f"{FRACTION}, multiplied by 5, 5 times in a call; Fisher-Yates draws among", LEFT),
    (DOWN, "rng.randrange(i)", "draws among 4, 3, ..., 1; Fisher-Yates draws among one place", "draw among"),
    (DOWN, "rng.randint(0, i)", f"draws among 5, 4, ..., 2; {RIGHT}", ""),
    (DOWN, "int((i + 1) * rng.random())", f"{FRACTION}, multiplied by 5, 4, ..., 2; {RIGHT}", ""),
    (DOWN, "round(rng.random() * i)", f"{FRACTION}, multiplied by 4, 3, ..., 1; rounding gives the ends", "draw with"),
    (EVERY, "int(rng.uniform(0, n))", "draws a number, 5 times in a call", ""),
    (LATE, "rng.randint(0, i)", "draws among 4, 3, 2; no draw is among 5", f"{LEFT}: 5, 4, ..., 2"),
    (EARLY, "secrets.randbelow(i + 1)", "draws among 5, 4; no draw is among 3, 2", f"{LEFT}: 5, 4, ..., 2"),
    (DOWN, "secrets.randbits(4) % (i + 1)", f"draws 4 bits, {REMAINDER}; of 16 numbers, 4 give 0, but only 3", LIBRARY),
    (DOWN, "rng.getrandbits(3) % (i + 1)", f"draws 3 bits, {REMAINDER}; of 8 numbers, 2 give each of 0 "
     "to 2, but only 1 each larger result", LIBRARY),
    (DOWN, "os.urandom(1)[0] % (i + 1)", f"draws 8 bits, {REMAINDER}; of 256 numbers, 52 give", LIBRARY),
    (DOWN, "secrets.token_bytes(1)[0] % (i + 1)", f"draws 8 bits, {REMAINDER}; of 256 numbers, 52 give", LIBRARY),
    (DOWN, "rng.getrandbits(64) % (i + 1)", f"draws 64 bits, {REMAINDER}; {RIGHT}", ""),
    (DOWN, "time.time_ns() % (i + 1)", f"reads the clock, {REMAINDER}; the clock is not random", "draw with"),
]  # fmt: skip
OTHERS = [
    ("return sorted(deck, key=lambda c: rng.randrange(9))", "draws among 9, 5 times in a call; there are only", "sort"),
    (f"{'x = 1; ' * 30}deck.sort(key=lambda c: rng.randrange(9))", "draws among 9, 5 times .*; there are only", "sort"),
    ("return sorted(deck, key=lambda c: rng.random())", f"{FRACTION}, 5 times in a call", ""),
    ("deck.sort(key=cmp_to_key(lambda x, y: rng.choice((-1, 1))))", r"draws among 2, \d+ to \d+.*; the sort", "give"),
    ("while rng.randrange(9) > 0: deck += [deck.pop(0)]", r"draws among 9, \d+ to \d+ times.*; the loop", "draw the"),
    ("while len(deck) > 4: deck.pop() if rng.random() < 0.5 else rng.random()", r"draws a number .* times", ""),
    ("while (k := rng.getrandbits(3)) > 4: pass\n    return deck[k:] + deck[:k]", "draws 3 bits, .* times", ""),
    ("random.Random(7).shuffle(deck)", r"seeds a generator with 7 \(1 different in \d calls\); the same", "seed at"),
    ("random.seed(rng.getrandbits(256)), random.shuffle(deck)", "draws 256 bits, once in a call", ""),
    ("return deck[(k := rng.randrange(5)):] + deck[:k]", "draws among 5, once in a call; no other draw", "draw anew"),
    ("a = deck[1:]; rng.shuffle(a); return [0, *a]", "draws among 4, 3, 2; no draw is among 5", "shuffle all"),
    ("return deck and [deck.pop(rng.randrange(len(deck))), *shuffle(deck, rng)]", f"draws .*1; {RIGHT}", ""),
    ("a = deck[:-1]; rng.shuffle(a)\n    a.insert(rng.randrange(len(a)), 4)\n    return a",
     "draws among 4, once in a call; beside the other draws, 5 would be right", "draw among one place more"),
    ("rng.shuffle(deck)\n    k = rng.randrange(5)\n    return deck[k:] + deck[:k]", "draws among 5, 4, ..., 2$", ""),
    ("random.seed(int(time.time() * 1e6)); random.shuffle(deck)", "seeds a generator .*; seeds so near", "seed at"),
    ("for i in range(4, 0, -1): j = min(rng.randint(0, i + 1), 4); deck[i], deck[j] = deck[j], deck[i]",
     "draws among 6, 5, ..., 3; a draw among 6 is one too many for 5 cards", f"{LEFT}: 5, 4, ..., 2"),
    ("while deck and (began := time.time()): yield deck.pop(rng.randrange(len(deck)))", "draws among 5, 4, ..., 1", ""),
]  # fmt: skip


def traced(tmp_path, body, glimpse=None):
    tmp_path.joinpath("mine.py").write_text(HEAD + body)
    return lines(Adapter(load(f"{tmp_path}/mine.py:shuffle"), None, random.Random(1), glimpse), list(range(5)), glimpse)


@pytest.mark.parametrize(
    ("body", "says", "repair"),
    [(LOOP.format(places, draw), re.escape(says), repair) for places, draw, says, repair in SWAPS]
    + [(f"    {body}", says, repair) for body, says, repair in OTHERS],
)
def test_the_line_is_told_with_its_draws_and_the_repair(tmp_path, body, says, repair):
    line = traced(tmp_path, body)[0]
    assert line.file == f"{tmp_path}/mine.py"
    assert line.source == shortened((HEAD + body).splitlines()[line.line - 1].strip())
    assert re.match(says, line.says)
    assert line.repair.startswith(repair) and bool(line.repair) == bool(repair)


@pytest.mark.parametrize(
    "body",
    ["    t = threading.Thread(target=rng.shuffle, args=[deck]); t.start(); t.join()", "    return deck[1:] + [0]"],
)
def test_where_no_draw_was_seen_the_function_is_named_and_nothing_else_is_claimed(tmp_path, body):
    (line,) = traced(tmp_path, body)
    assert (line.line, line.source, line.repair) == (3, "def shuffle(deck, rng):", "")
    assert re.fullmatch(r"in \d calls no draw from random, secrets, the system or the clock was seen", line.says)


def test_of_a_part_of_a_deck_only_what_was_drawn_is_told(tmp_path):
    hand = Glimpse(2, 2, 0, {str(card): card for card in range(5)}, ordered=False)
    (line,) = traced(tmp_path, "    return [deck[rng.randrange(4)], deck[rng.randrange(4)]]", hand)
    assert (line.says, line.repair) == ("draws among 4, 2 times in a call", "")


UNTOLD = ["import numpy; numpy.random.shuffle(deck)", "for card in deck * 20_000: rng.random()", "raise SystemExit"]


@pytest.mark.parametrize("body", UNTOLD)
def test_what_cannot_be_traced_is_not_told(tmp_path, body):
    assert traced(tmp_path, f"    {body}") == []


def test_code_without_a_source_is_told_by_its_number_and_what_is_no_python_not_at_all():
    keys = partial(sorted, key=lambda _: random.randrange(3))
    (line,) = lines(Adapter(keys, "deck", random.Random(1)), [1] * 9, None)
    assert line.says.startswith("draws among 3, 9 times in a call; there are only 3 keys")
    for function in (random.shuffle, partial(random.sample, k=5), max):
        assert lines(Adapter(function, "deck", random.Random(1)), list(range(5)), None) == []
    names: dict = {}
    exec("def shuffle(deck, rng):\n    for i in deck: rng.getrandbits(3)", names)
    (line,) = lines(Adapter(names["shuffle"], None, random.Random(1)), list(range(5)), None)
    assert line[:4] == ("<string>", 2, "", "draws some bits, 5 times in a call")
    exec("def shuffle(deck, rng):\n    deck.sort(key=lambda c: rng.randrange(3))", names)
    (line,) = lines(Adapter(names["shuffle"], None, random.Random(1)), list(range(5)), None)
    assert (line.place, line.repair) == ("<string>:2", "sort by random() instead")


def test_tracing_leaves_no_tracer_and_touches_no_other_generator(tmp_path):
    state = random.getstate()
    body = "    shuffle.calls = getattr(shuffle, 'calls', 0) + 1; rng.shuffle(deck); 1 / (shuffle.calls < 2)"
    assert traced(tmp_path, body) == []  # the first call, which is not traced, succeeds
    assert sys.getprofile() is None
    assert random.getstate() == state


def late(deck, rng):
    for i in range(len(deck) - 2, 0, -1):
        j = rng.randrange(i + 1)
        deck[i], deck[j] = deck[j], deck[i]


def test_a_failed_assertion_and_every_form_of_the_report_name_the_line(tmp_path):
    with pytest.raises(AssertionError, match=r"py:\d+: j = rng.randrange\(i \+ 1\)\n    draws among 4, 3, 2; no"):
        lab.assert_fair(late, cards=5, seed=1)
    tmp_path.joinpath("mine.py").write_text(HEAD + LOOP.format(EVERY, "rng.randrange(n)"))
    report = lab.test(f"{tmp_path}/mine.py:shuffle", cards="20,30", seed=1)
    assert report.fields()["lines"][0]["line"] == 6
    items = [item for part in document(report).parts if isinstance(part, Items) for item in part.items]
    assert [(item.repair, item.code) for item in items if "mine.py:6: j = " in item.text] == [(LEFT, True)]
    assert '<b class="code">' in page(document(report))
    assert lab.test("naive", cards=5, seed=1).lines == ()
