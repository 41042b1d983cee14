"""`RandomIntegers` on every tape of words of 2 to 4 bits: the argument for its fairness, checked without sampling.

The code is the real one; only its constants `WORD` and `LARGEST_BOUND` are small. docs/explanation/machine-checked.md
says what follows for words of 32 bits.
"""

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import pytest

from fairdeck import FairdeckError, RandomIntegers, randomness
from fairdeck.page.modules import joined
from tests.page_scripts import quickjs

SIZES = [(4, 2), (4, 3), (4, 4), (8, 4), (8, 5), (8, 8)]
SIZES += [pytest.param((16, each), marks=pytest.mark.long) for each in (8, 16)]


@pytest.fixture
def sizes(request, monkeypatch):
    word, largest = request.param
    monkeypatch.setattr(randomness, "WORD", word)
    monkeypatch.setattr(randomness, "LARGEST_BOUND", largest)
    return word, largest


def outcome(kind, value, size, bound, words=()):
    """Draw from a value below a range; return the number, the value and the range left; None if words are missing."""
    integers = kind(words)
    integers._left.append((value, size))
    try:
        drawn = integers.below(bound)
    except FairdeckError:
        return None
    return drawn, *integers._left[-1]


def step_faults(kind, word, largest):
    """Yield where one draw is not a one-to-one map of what was there.

    A range of `size` is cut into `bound` equal parts. Without another word, each pair (number, value left) must come
    from exactly one value; the other values are `size` modulo `bound` many. They must lie together, so that the place
    there is uniform, and must go on with each word as the place * WORD + word of a range WORD times as large does.
    """
    for bound, size in product(range(1, largest + 1), range(largest, largest * word)):
        found, rejected = Counter(), []
        for value in range(size):
            if after := outcome(kind, value, size, bound):
                found[after] += 1
            else:
                rejected.append(value)
        part = size // bound
        if found != Counter({(drawn, left, part): 1 for drawn, left in product(range(bound), range(part))}):
            yield f"below {bound} from a range of {size}: {found.most_common(2)}"
        if rejected != list(range(size - size % bound, size)):
            yield f"below {bound} from a range of {size}: {len(rejected)} values are rejected"
        for (place, value), then in product(enumerate(rejected), range(word)):
            after = outcome(kind, value, size, bound, [then])
            if after != outcome(kind, place * word + then, size % bound * word, bound):
                yield f"below {bound} from a range of {size}: the word {then} after {value} gives {after}"


@pytest.mark.parametrize("sizes", SIZES, indirect=True)
def test_a_draw_is_a_one_to_one_map(sizes):
    assert list(step_faults(RandomIntegers, *sizes)) == []


def outcomes(kind, word, bounds, most):
    """Follow every tape of up to `most` words.

    Returns:
        How often each (words used, range left, numbers drawn, value left) comes, and the tapes that do not suffice.
    """
    found, short, waiting = Counter(), 0, [()]
    while waiting:
        tape = waiting.pop()
        integers = kind(tape)
        try:
            drawn = tuple(integers.below(bound) for bound in bounds)
        except FairdeckError:
            if len(tape) == most:
                short += 1
            else:
                waiting += [(*tape, each) for each in range(word)]
            continue
        value, size = integers._left[-1] if integers._left else (0, 1)
        found[len(tape), size, drawn, value] += 1
    return found, short


def faults(kind, word, bounds, most):
    """Yield what is not as the argument says, on all tapes of up to `most` words."""
    found, short = outcomes(kind, word, bounds, most)
    decided = sum(Fraction(count, word**used) for (used, *_), count in found.items())
    if decided + Fraction(short, word**most) != 1:
        yield "the chances do not add up to 1"
    # Whatever number of words was used and whatever range is left: numbers and value are uniform and independent.
    for used, size in {key[:2] for key in found}:
        counts = {found[used, size, drawn, value] for drawn in product(*map(range, bounds)) for value in range(size)}
        if len(counts) != 1 or any(key[:2] == (used, size) and not 0 <= key[3] < size for key in found):
            yield f"{bounds}: after {used} words, with a range of {size} left, counts are {sorted(counts)}"
    # A deck is never favoured by being decided early: what is undecided says nothing of the numbers.
    laws = {
        sum(Fraction(n, word ** k[0]) for k, n in found.items() if k[2] == drawn) for drawn in {k[2] for k in found}
    }
    if len(laws) != 1 or next(iter(laws)) * prod(bounds) != decided:
        yield f"{bounds}: the numbers have chances {sorted(laws)}"


SEQUENCES = [
    ((4, 4), 3, 5),
    pytest.param(((8, 8), 2, 3), marks=pytest.mark.long),
    pytest.param(((4, 4), 4, 6), marks=pytest.mark.long),
    pytest.param(((16, 16), 2, 3), marks=pytest.mark.long),
]


@pytest.mark.parametrize("case", SEQUENCES)
def test_all_sequences_of_draws_are_exactly_uniform_on_every_tape(monkeypatch, case):
    (word, largest), draws, most = case
    monkeypatch.setattr(randomness, "WORD", word)
    monkeypatch.setattr(randomness, "LARGEST_BOUND", largest)
    for bounds in product(range(2, largest + 1), repeat=draws):
        assert list(faults(RandomIntegers, word, bounds, most)) == []


class Dependent(RandomIntegers):
    """Wrong: each draw is fair, but the value that it leaves depends on it."""

    def below(self, bound):
        drawn = super().below(bound)
        value, size = self._left.pop()
        self._left.append((min(value + drawn, size - 1), size))
        return drawn


class Unequal(RandomIntegers):
    """Wrong: takes what lies beyond the last whole part as the last number."""

    def below(self, bound):
        value, size = self._left.pop() if self._left else (0, 1)
        if size < randomness.LARGEST_BOUND:
            value, size = self._more(value, size)
        part = size // bound
        drawn = min(value // part, bound - 1)
        self._left.append((value - drawn * part, part))
        return drawn


@pytest.mark.parametrize("wrong", [Dependent, Unequal])
def test_wrong_random_integers_are_detected(monkeypatch, wrong):
    monkeypatch.setattr(randomness, "WORD", 8)
    monkeypatch.setattr(randomness, "LARGEST_BOUND", 8)
    assert list(step_faults(wrong, 8, 8))
    assert list(faults(wrong, 8, (3, 5), 3))


DRAWS = """
function drawsText(boundsText, most) {
  const bounds = JSON.parse(boundsText), told = [], waiting = [[]];
  while (waiting.length) {
    const tape = waiting.pop();
    let at = 0;
    const below = integersFrom(() => { if (at === tape.length) throw new GeneratorError(); return tape[at++]; });
    try {
      told.push([tape, bounds.map(below)]);
    } catch (error) {
      if (!(error instanceof GeneratorError)) throw error;
      if (tape.length < most) for (let word = 0; word < WORD; word++) waiting.push([...tape, word]);
    }
  }
  return JSON.stringify(told);
}
"""


def test_the_page_draws_the_same_from_every_tape(monkeypatch):
    """The page's own script, its constants replaced, on every tape of up to 4 words of 3 bits, for three draws."""
    monkeypatch.setattr(randomness, "WORD", 8)
    monkeypatch.setattr(randomness, "LARGEST_BOUND", 8)
    usual = joined("randomness")
    small = usual.replace("WORD = 2 ** 32, LARGEST_BOUND = 2 ** 21", "WORD = 8, LARGEST_BOUND = 8")
    assert small != usual
    engine = quickjs.Context()
    engine.eval(small + DRAWS)
    for bounds in [(3, 5, 7), (8, 7, 6), (5, 5, 5), (2, 8, 3), (7, 1, 6)]:
        told = json.loads(engine.get("drawsText")(json.dumps(bounds), 4))
        assert len(told) > 300
        for tape, drawn in told:
            assert tuple(map(RandomIntegers(tape).below, bounds)) == tuple(drawn)
        decided, _ = outcomes(RandomIntegers, 8, bounds, 4)
        assert len(told) == sum(decided.values())
