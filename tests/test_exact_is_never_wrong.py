"""Exact laws against brute force: where a law cannot be proven, there must be none."""

import gc
import os
import random
import threading
from collections import Counter
from fractions import Fraction
from itertools import product
from os import urandom
from typing import ClassVar
from unittest.mock import patch

import pytest

from fairdeck.errors import FairdeckError
from fairdeck.lab import exact
from fairdeck.lab.enumeration import order_law, tree, user_function
from fairdeck.lab.enumeration.tree import Tree, _Walk

TAPE = 13  # bits: 8,192 tapes


class Tape(random.Random):
    """Gives the bits of a tape; too short a tape raises EOFError."""

    def take(self, bits):
        """Set the bits, a text of 0 and 1."""
        self.left = bits

    def getrandbits(self, k, /):
        if len(self.left) < k:
            raise EOFError
        taken, self.left = self.left[:k], self.left[k:]
        return int(taken or "0", 2)

    def random(self):
        raise NotImplementedError


def brute_force(shuffle, bits=TAPE):
    """Return the chance of each result on tapes of up to so many bits; what is missing to 1 takes longer tapes."""
    found, tape, open_ = Counter(), Tape(), [""]
    while open_:
        prefix = open_.pop()
        tape.take(prefix)
        try:
            result = tuple(map(int, shuffle(tape)))
        except EOFError:
            if len(prefix) < bits:
                open_ += [prefix + "0", prefix + "1"]
            continue
        found[result] += Fraction(1, 2 ** len(prefix))
    return found


def law_of(shuffle, **options):
    with patch.object(tree, "REPLAYS", 20):  # of 300: paths are few here, and each would be played many times
        return Tree(lambda rng: tuple(map(int, shuffle(rng))), 2, **options).law()


def assert_agrees(law, shuffle, bits=TAPE):
    """Assert that a law lies within what brute force leaves open, and that this is little."""
    brute = brute_force(shuffle, bits)
    rest = 1 - sum(brute.values())
    assert rest < Fraction(3, 5)
    assert set(brute) <= set(law.orders)
    for result, chance in law.orders.items():
        assert brute[result] - law.unresolved <= chance <= brute[result] + rest + law.unresolved, (
            result,
            chance,
            brute,
        )


# Comparing ----------------------------------------------------------------------------------------

SCALES = {
    "plain": lambda x: x,
    "turned and shifted": lambda x: 3 - x,
    "doubled": lambda x: 2 * x,
    "halved": lambda x: x / 2,
    "as a float": lambda x: x * 1.0,
    "thirds": lambda x: x // 3,
    "remainder": lambda x: x % 3,
}


@pytest.mark.cases(3)
@pytest.mark.parametrize("one", SCALES)
@pytest.mark.parametrize("other", SCALES)
def test_whole_draws_on_any_two_scales_compare_as_in_brute_force(one, other):
    f, g = SCALES[one], SCALES[other]

    def compared(x, y, at_x, at_y):
        known = x < at_x, y >= at_y  # cuts the ranges: they touch, meet in a point, or lie apart
        return (*known, f(x) < g(y), f(x) <= g(y), g(y) < f(x), f(x) == g(y))

    for at_x, at_y in product((1, 2), (1, 2)):
        expected = Counter(
            tuple(map(int, compared(Fraction(x), Fraction(y), at_x, at_y))) for x in range(3) for y in range(3)
        )
        law = law_of(lambda rng: compared(rng.randrange(3), rng.randrange(3), at_x, at_y))  # noqa: B023
        assert law.orders == {values: Fraction(count, 9) for values, count in expected.items()}


REAL_CUTS = [
    lambda u, k: (u < k, u <= k, k < u, k <= u),
    lambda u, k: (k == 0, u < k, k <= u),
    lambda u, k: (k < 2, u * 2 < k, k > u * 2, 1 - u < k),
    lambda u, k: (u < 0.5, -u < k - 2, k - 1 < -u, u + 1 > k),
    lambda u, k: (u < 0.25, k / 4 < u, u <= k / 4, min(u, k) < 0.75),
]


@pytest.mark.parametrize("look", REAL_CUTS)
def test_a_real_draw_and_a_whole_one_compare_as_on_a_fine_grid(look):
    """All ends lie on multiples of 1/16, so the middles of the cells in between have the exact law."""
    expected = Counter(
        tuple(map(int, look(Fraction(2 * cell + 1, 32), Fraction(k)))) for cell in range(16) for k in range(3)
    )
    law = law_of(lambda rng: look(rng.random(), rng.randrange(3)))
    assert law.orders == {values: Fraction(count, 48) for values, count in expected.items()}


@pytest.mark.parametrize("end", [float("inf"), float("-inf"), float("nan")])
def test_draws_compare_with_infinity_as_numbers_do(end):
    def look(x):
        return x < end, x <= end, x > end, x >= end, x == end, x != end, end < x, end > x

    for drawn in (lambda rng: rng.random(), lambda rng: rng.getrandbits(5)):
        assert law_of(lambda rng: look(drawn(rng))).orders == {tuple(map(int, look(0.5))): 1}  # noqa: B023


def test_the_least_of_several_draws_is_found_from_infinity_down():
    def least(n, rng):
        best, at = float("inf"), 0
        for i in range(n):
            if (drawn := rng.random()) < best:
                best, at = drawn, i
        return (at,)

    assert law_of(lambda rng: least(3, rng)).orders == {(i,): Fraction(1, 3) for i in range(3)}


def test_a_real_number_with_few_values_is_shown_as_a_float():
    law = law_of(lambda rng: [len(str(rng.randrange(4) / 2)), len(f"{rng.randrange(4) / 4:.2f}")])
    assert law.orders == {(3, 4): 1}


# Drawing again ------------------------------------------------------------------------------------


def until_two_equal(rng):
    last = 4
    while last != (last := rng.getrandbits(2)):
        pass
    return (last,)


def until_the_sum_is_large(rng):
    last = 0
    while last + (last := rng.getrandbits(2)) < 4:
        pass
    return (last,)


def until_it_falls(rng):
    before, last = 0, 0
    while before <= last:
        before, last = last, rng.getrandbits(2)
    return before, last


def one_draw_in_two_variables(rng):
    first = second = rng.getrandbits(4)
    while True:
        third = rng.getrandbits(2)
        if third == 0:
            return (first == second,)
        first, second = second, rng.getrandbits(4)


def one_draw_then_two(rng):
    a = b = 0
    first = True
    while True:
        new = rng.getrandbits(4)
        if new < 8:
            return (a == b,)
        if first:
            a = b = new
            first = False
        else:
            a, b = b, new


def two_kept(rng):
    one = two = rng.getrandbits(4)
    while True:
        new = rng.getrandbits(4)
        if new < 9:
            return one < two, one == two
        one, two = two, new


def chained(rng):
    a = b = 0
    while True:
        a, b = b, rng.getrandbits(1)
        c = rng.getrandbits(1)
        if c:
            return a, b


def walrus_within(rng):
    x, y = 1, 0
    while True:
        y = x + (x := 0) + rng.getrandbits(1)
        if y > 2:
            return (y,)
        x, y = y, 0
        if rng.getrandbits(1):
            return (9,)


class Counts:
    tries: ClassVar[list[int]] = []

    def shuffle(self, rng):
        self.tries.clear()
        while True:
            drawn = rng.getrandbits(1)
            if drawn:
                return (0, 1)
            self.tries.append(drawn)
            if len(self.tries) == 3:
                return (1, 0)


class Watches(list):
    def __getitem__(self, at):
        seen.append(at)
        return super().__getitem__(at)


seen: list[int] = []


def counts_in_what_it_chooses_from(rng):
    seen.clear()
    items = Watches([0, 1])
    while True:
        chosen = rng.choice(items)
        if chosen:
            return (len(seen) > 2,)


def keeps_the_larger(rng):
    best = rng.getrandbits(3)
    while True:
        new = rng.getrandbits(3)
        if new > best:
            best = new
        elif new < 2:
            return (best,)


def keeps_an_unseen_draw(rng):
    kept = rng.getrandbits(3)
    while True:
        new = rng.getrandbits(3)
        if new < 4:
            return kept, new
        if new == 5:
            kept = new


LOOPS = [
    until_two_equal, until_the_sum_is_large, until_it_falls, one_draw_in_two_variables, one_draw_then_two, two_kept,
    chained, walrus_within, Counts().shuffle, counts_in_what_it_chooses_from, keeps_the_larger, keeps_an_unseen_draw,
]  # fmt: skip


@pytest.mark.cases(1)
@pytest.mark.parametrize("shuffle", LOOPS, ids=lambda shuffle: shuffle.__name__)
def test_loops_that_remember_have_the_law_of_brute_force(shuffle):
    walk = _Walk(Tree(lambda rng: tuple(map(int, shuffle(rng))), 2), 0.01, 10_000)
    assert_agrees(walk.endless(), shuffle)  # paths less likely than 1 in 100 are left open


# Generators ---------------------------------------------------------------------------------------

BIASED = (
    "import random\nclass Bad(random.Random):\n    state = 1\n    def getrandbits(self, k):\n"
    "        self.state = (self.state * 13 + 7) % 1024\n        return self.state // 32 % 2**k\n"
)
HIDDEN = {
    "a biased subclass": BIASED + "rng = Bad()\ndef shuffle(deck):\n    rng.shuffle(deck)",
    "a biased subclass in an object": BIASED + "kept = [Bad()]\ndef shuffle(deck):\n    kept[0].shuffle(deck)",
    "a method written in C": "import random\nfrom functools import partial\ndraw = partial(random.Random(3).random)\n"
    "def shuffle(deck):\n    deck.sort(key=lambda _: draw())",
    "numpy in a dict": "import numpy\nkept = {0: numpy.random.default_rng(2)}\ndef shuffle(deck):\n"
    "    kept[0].shuffle(deck)",
    "numpy's functions in a dict": "import numpy\nkept = {0: numpy.random.permutation}\ndef shuffle(deck):\n"
    "    return kept[0](deck)",
    "numpy's constructor in a list": "import numpy\nkept = [numpy.random.default_rng]\ndef shuffle(deck):\n"
    "    kept[0]().shuffle(deck)",
    "numpy's constructor in a tuple, with a seed": "import numpy\nkept = (numpy.random.default_rng,)\n"
    "def shuffle(deck):\n    kept[0](4).shuffle(deck)",
    "numpy's classes in an object": "import numpy\nclass Box: pass\nbox = Box()\n"
    "box.of = {0: numpy.random.Generator, 1: numpy.random.PCG64}\n"
    "def shuffle(deck):\n    box.of[0](box.of[1]()).shuffle(deck)",
    "numpy's old generator in a list": "import numpy\nkept = [numpy.random.RandomState]\ndef shuffle(deck):\n"
    "    kept[0]().shuffle(deck)",
    "os.urandom in a dict": "import os\nkept = {0: os.urandom}\ndef shuffle(deck):\n"
    "    deck.sort(key=lambda _: kept[0](1))",
    "os.getrandom": "import os, random\ndef shuffle(deck):\n    random.shuffle(deck)\n"
    "    if os.getrandom(3) == b'rar':\n        deck.sort()",
    "a file of the system": "import random\ndef shuffle(deck):\n    random.shuffle(deck)\n"
    "    with open('/dev/urandom', 'rb') as file:\n        if file.read(3) == b'rar':\n            deck.sort()",
    "os.urandom now and then": "import os, random\nkept = os.urandom,\ndef shuffle(deck):\n"
    "    random.shuffle(deck)\n    if deck[0] == 0:\n        deck.sort(key=lambda _: kept[0](4))",
}


@pytest.fixture
def one_other_process(monkeypatch):
    """Play the paths again in one process instead of six, where nothing depends on what Python chooses."""
    monkeypatch.setattr(user_function, "OTHERS", 1)


@pytest.mark.usefixtures("one_other_process")
@pytest.mark.cases(3)
@pytest.mark.parametrize("hidden", HIDDEN)
def test_what_draws_from_elsewhere_has_no_exact_law(tmp_path, hidden):
    file = tmp_path / "mine.py"
    file.write_text(HIDDEN[hidden])
    with pytest.raises(FairdeckError, match=r"give it a parameter rng, a random\.Random, and draw from that"):
        order_law(f"{file}:shuffle", 4)


@pytest.mark.usefixtures("one_other_process")
@pytest.mark.long
def test_a_biased_subclass_that_is_made_for_each_deck_shows_its_bias(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(BIASED + "def shuffle(deck):\n    rng = Bad()\n    rng.shuffle(deck)")
    assert order_law(f"{file}:shuffle", 4).total_variation == Fraction(23, 24)


def from_the_module(deck):
    random.shuffle(deck)


def from_the_module_too(deck, rng):
    rng.shuffle(deck)
    if random.random() < 0.001:
        deck.reverse()


def from_the_system(deck, rng):
    rng.shuffle(deck)
    if random.SystemRandom().getrandbits(20) == 0:
        deck.reverse()


def from_a_new_one(deck, rng):
    rng.shuffle(deck)
    if random.Random().random() < 0.0001:
        deck.reverse()


def by_a_name_of_its_own(deck, rng):
    rng.shuffle(deck)
    if urandom(3) == b"rar":
        deck.reverse()


def in_a_thread(deck, rng):
    rng.shuffle(deck)
    drawn = []
    thread = threading.Thread(target=lambda: drawn.append(os.urandom(3)))
    thread.start()
    thread.join()
    if drawn == [b"rar"]:
        deck.reverse()


def around_it(deck, rng):
    rng.shuffle(deck)
    if random.Random.random(rng) < 0.0001:
        deck.reverse()


ELSEWHERE_HERE = [
    from_the_module, from_the_module_too, from_the_system, from_a_new_one, by_a_name_of_its_own, in_a_thread, around_it,
]  # fmt: skip


@pytest.mark.parametrize("function", ELSEWHERE_HERE)
def test_a_function_called_here_that_draws_from_elsewhere_has_no_exact_law(function):
    gc.freeze()  # hides nothing
    with pytest.raises(FairdeckError, match="give it a parameter rng"):
        exact(function, cards=3)
    random.SystemRandom().random()  # as before
    assert type(urandom) is type(os.urandom) is type(len)


@pytest.mark.long
def test_a_biased_method_called_here_is_not_taken_for_a_fair_one():
    class Bad(random.Random):
        def random(self):
            return 0.25

    law = exact(Bad().shuffle, cards=3)
    assert len(law.orders) == 1
    assert exact(random.Random(3).shuffle, cards=3).total_variation == 0


def test_an_object_that_contains_itself_costs_no_proof():
    def shuffle(rng):
        ring: list[object] = []
        ring.append(ring)
        while True:
            drawn = rng.getrandbits(2)
            if drawn < 3:
                return (drawn, len(ring))

    law = law_of(shuffle)
    assert (law.orders, law.unresolved) == ({(i, 1): Fraction(1, 3) for i in range(3)}, 0)


STATES = {
    "a global": ("made", "made = 0\ndef shuffle(deck, rng):\n    global made\n    made += 1"),
    "a global of a helper": (
        "count.made",
        "made = 0\ndef count():\n    global made\n    made += 1\ndef shuffle(deck, rng):\n    count()",
    ),
    "a closure": (
        "made",
        "def maker():\n    made = 0\n    def shuffle(deck, rng):\n        nonlocal made\n        made += 1\n"
        "        rng.shuffle(deck)\n    return shuffle\nshuffle = maker()\ndef _(deck, rng):",
    ),
    "an attribute": (
        "Dealer.made",
        "class Dealer:\n    made = 0\n    def deal(self, deck, rng):\n        self.made += 1\n"
        "        rng.shuffle(deck)\n"
        "shuffle = Dealer().deal\ndef _(deck, rng):",
    ),
    "a class": ("Dealer.made", "class Dealer:\n    made = 0\ndef shuffle(deck, rng):\n    Dealer.made += 1"),
    "a slot": (
        "made",
        "class Dealer:\n    __slots__ = 'made',\n    def __call__(self, deck, rng):\n"
        "        self.made = getattr(self, 'made', 0) + 1\n        rng.shuffle(deck)\n"
        "shuffle = Dealer()\ndef _(deck, rng):",
    ),
    "a default": ("(defaults)[0]", "def shuffle(deck, rng, made=[]):\n    made.append(1)"),
    "an attribute of it": ("made", "def shuffle(deck, rng):\n    shuffle.made = getattr(shuffle, 'made', 0) + 1"),
    "a count begun anew": ("made", "made = 0\ndef shuffle(deck, rng):\n    global made\n    made = (made + 1) % 4"),
    "a variable of the context": (
        "made.get()",
        "import contextvars\nmade = contextvars.ContextVar('made', default=0)\ndef shuffle(deck, rng):\n"
        "    made.set(made.get() + 1)",
    ),
    "a variable of the thread": (
        "made.n",
        "import threading\nmade = threading.local()\ndef shuffle(deck, rng):\n    made.n = getattr(made, 'n', 0) + 1",
    ),
    "a dict": ("made", "made = {}\ndef shuffle(deck, rng):\n    made[len(made)] = 1"),
    "a counter": ("made", "import itertools\nmade = itertools.count()\ndef shuffle(deck, rng):\n    next(made)"),
    "an iterator": ("made", "made = iter(range(10**6))\ndef shuffle(deck, rng):\n    next(made)"),
    "a running generator": (
        "made.number",
        "def count():\n    number = 0\n    while True:\n        number += 1\n        yield number\n"
        "made = count()\ndef shuffle(deck, rng):\n    next(made)",
    ),
    "a generator with a seed": (
        "made",
        "import random\nmade = None\ndef shuffle(deck, rng):\n    global made\n    made = made or random.Random(4)\n"
        "    made.random()",
    ),
}


@pytest.mark.cases(1)
@pytest.mark.parametrize("state", STATES)
def test_what_a_function_keeps_from_one_deck_to_the_next_is_noted(state):
    name, text = STATES[state]
    module = {"__name__": "mine"}
    exec(f"{text}\n    rng.shuffle(deck)", module)
    (note,) = exact(module["shuffle"], cards=3).notes
    assert note.startswith(f"It keeps something from one deck to the next: {name} has changed. ")


@pytest.mark.usefixtures("one_other_process")
@pytest.mark.long
def test_what_a_function_of_a_file_keeps_is_noted(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("import random\nmade = []\ndef shuffle(deck):\n    random.shuffle(deck)\n    made.append(deck[0])")
    (note,) = order_law(f"{file}:shuffle", 3).notes
    assert "made has changed" in note


@pytest.mark.usefixtures("one_other_process")
@pytest.mark.long
def test_what_is_made_once_or_anew_for_each_deck_is_not_noted(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "import functools, logging, random, types\nTABLE = None\nlog = logging.getLogger('mine')\n"
        "rng, box = random.Random(3), types.SimpleNamespace(words={'a', 'b'})\n"
        "@functools.lru_cache\ndef square(n): return n * n\n"
        "class Odd:\n    __dict__ = property(lambda self: 5)\n    def __eq__(self, other): raise TypeError\n"
        "    def __getattr__(self, name): raise TypeError\nodd = Odd()\n"
        "class Deck:\n    def __init__(self, deck): self.deck, self.moves = deck, 0\n"
        "    @property\n    def moved(self): return self.moves\n"
        "    def shuffle(self):\n        rng.shuffle(self.deck)\n        self.moves += square(self.moved)\n"
        "def shuffle(deck):\n    global TABLE\n    if TABLE is None:\n        TABLE = [box.words, odd]\n"
        "    log.info('a deck')\n    Deck(deck).shuffle()"
    )
    assert order_law(f"{file}:shuffle", 3).notes == ()


# What Python chooses when it starts: six other processes, so at most 1 in 6**6 agrees by chance below.
STARTS = {
    "hashes, without draws": "def shuffle(deck):\n    deck.sort(key=lambda card: hash(str(card)))",
    "hashes after draws": "def shuffle(deck):\n    random.shuffle(deck)\n"
    "    deck.sort(key=lambda card: hash(f'{card}') % 64)",
    "the order of a set": "def shuffle(deck):\n    named = {'ABCDEFGH'[card] for card in deck}\n"
    "    deck[:] = ['ABCDEFGH'.index(each) for each in named]\n    deck.insert(random.randrange(2), deck.pop())",
    "a set where a draw says so": "def shuffle(deck):\n    random.shuffle(deck)\n    if deck[0] == 0:\n"
    "        deck[:] = map(int, {f'{card}' for card in deck})",
    "the number of the process": "import os\ndef shuffle(deck):\n    random.shuffle(deck)\n"
    "    random.Random(os.getpid()).shuffle(deck)",
    "where an object lies": "here = object()\ndef shuffle(deck):\n    random.Random(id(here)).shuffle(deck)\n"
    "    deck.insert(random.randrange(2), deck.pop())",
    "the time when it is loaded": "import time\nbegan = time.time_ns()\ndef shuffle(deck):\n"
    "    random.Random(began).shuffle(deck)\n    deck.insert(random.randrange(2), deck.pop())",
    "a key drawn when it is loaded": "import secrets\nkey = secrets.token_hex()\ndef shuffle(deck):\n"
    "    random.Random(key).shuffle(deck)\n    deck.insert(random.randrange(2), deck.pop())",
    "an order drawn when it is loaded": "order = random.sample(range(8), 8)\ndef shuffle(deck):\n"
    "    deck.sort(key=order.index)\n    deck.insert(random.randrange(2), deck.pop())",
}


@pytest.mark.cases(1)
@pytest.mark.parametrize("start", STARTS)
def test_decks_that_depend_on_what_python_chooses_when_it_starts_have_no_exact_law(tmp_path, start):
    file = tmp_path / "mine.py"
    file.write_text(f"import random\n{STARTS[start]}")
    with pytest.raises(FairdeckError, match=r"other decks in another process: .*sort the set, draw such keys from rng"):
        order_law(f"{file}:shuffle", 5)


ELSEWHERE = {
    "raise OSError('the port is used')": r"shuffle in another process: cannot import .*the port is used",
    "os._exit(4)": r"in another process ended the process that ran it after 0 paths: it ended with exit status 4",
}


@pytest.mark.cases(1)
@pytest.mark.parametrize("does", ELSEWHERE)
def test_a_module_that_cannot_be_loaded_twice_has_no_exact_law(tmp_path, does):
    file = tmp_path / "mine.py"
    file.write_text(
        f"import os, random\nfrom pathlib import Path\nmark = Path({str(tmp_path / 'mark')!r})\n"
        f"if mark.exists():\n    {does}\nmark.touch()\ndef shuffle(deck):\n    random.shuffle(deck)"
    )
    with pytest.raises(FairdeckError, match=ELSEWHERE[does]):
        order_law(f"{file}:shuffle", 3)


@pytest.mark.long
def test_a_function_that_hangs_only_in_another_process_is_ended_there(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        f"import os, random, time\nfrom pathlib import Path\nmark = Path({str(tmp_path / 'mark')!r})\n"
        f"late = mark.exists()\nmark.touch()\npid = Path({str(tmp_path)!r}, f'pid{{os.getpid()}}').touch()\n"
        "def shuffle(deck):\n    random.shuffle(deck)\n    while late:\n        time.sleep(1)"
    )
    with pytest.raises(FairdeckError, match="shuffle hangs in another process: 1 seconds without a deck"):
        order_law(f"{file}:shuffle", 3, timeout=1)
    processes = [int(each.name[3:]) for each in tmp_path.glob("pid*")]
    assert len(processes) > 1
    for number in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


@pytest.mark.usefixtures("one_other_process")
@pytest.mark.long
def test_draws_of_many_digits_are_played_again_in_other_processes(tmp_path):
    """Whole numbers of more than 4,300 digits are not turned into text."""
    file = tmp_path / "mine.py"
    file.write_text(
        "import random\ndef shuffle(deck):\n    if random.getrandbits(20_000) < 1 << 19_998:\n        deck.reverse()"
    )
    assert set(order_law(f"{file}:shuffle", 3).orders.values()) == {Fraction(1, 4), Fraction(3, 4)}


@pytest.mark.usefixtures("one_other_process")
def test_a_function_that_sorts_each_hundredth_deck_has_no_exact_law(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "import random\nmade = 0\ndef shuffle(deck):\n    global made\n    made += 1\n"
        "    random.shuffle(deck)\n    if made % 100 == 0:\n        deck.sort()"
    )
    with pytest.raises(FairdeckError, match="it keeps something from one deck to the next"):
        order_law(f"{file}:shuffle", 3)
