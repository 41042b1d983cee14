"""The page's own planner, run in an embedded JavaScript engine, against the Python one.

Both are fed the same 32-bit words; the plans must be the same, byte for byte.
"""

import json
import random
import signal
import time
from contextlib import contextmanager, suppress
from itertools import cycle, islice, product

import pytest
import quickjs

from fairdeck import FairdeckError, Hands, Mat, Strata, Task, TopCards, WholeDeck, draw
from fairdeck.dealing.outlook import outlook
from fairdeck.page.modules import joined
from fairdeck.randomness import RandomIntegers, seeded_words, uniform_permutation
from tests.page_scripts import engine_of

GUARD = 5  # seconds: a call that never ends is stopped

HELPERS = """
function taskOf(text) {
  const given = JSON.parse(text), { cards, goal } = given;
  const goals = {
    deck: () => wholeDeck(), top: () => topCards(cards, goal.ordered), hands: () => hands(cards, goal.sizes, goal.left),
    strata: () => strata(goal.sizes),
  };
  const mat = makeMat(given.columns, given.rows);
  return { ...given, leastPasses: given.least_passes, mat, goal: goals[goal.kind]() };
}
function tape(text) {
  const words = JSON.parse(text);
  let at = 0;
  return () => { if (at === words.length) throw new Error("tape"); return words[at++]; };
}
function drawPlan(task, words) {
  const below = integersFrom(words);
  return planFor(task, [...orderFor(task, below), ...coinsFor(task, below)]);
}
function planText(task, words) { return JSON.stringify(drawPlan(taskOf(task), tape(words))); }
function adviceText(text) {
  const task = taskOf(text);
  return JSON.stringify({ ...advise(task), suggestions: suggestionsFor(task) });
}
function orderText(n, words) { return JSON.stringify(uniformPermutation(n, integersFrom(tape(words)))); }
"""


@pytest.fixture(scope="module")
def engine():
    context = quickjs.Context()
    context.eval(joined("advice", "randomness") + HELPERS)
    return context


def call(engine, name, *args):
    return json.loads(engine.get(name)(*args))


def given(task: Task) -> str:
    """Return the task as the page would hold it."""
    goal = {"kind": "deck"}
    if isinstance(task.goal, TopCards):
        goal = {"kind": "top", "ordered": task.goal.ordered}
    elif isinstance(task.goal, Hands):
        goal = {"kind": "hands", "sizes": task.goal.sizes, "left": "stock" if task.goal.stock else "rest"}
    elif isinstance(task.goal, Strata):
        goal = {"kind": "strata", "sizes": task.goal.sizes}
    rest = {name: getattr(task, name) for name in ("cards", "dealers", "least_passes", "classic", "bottom", "turn")}
    return json.dumps(rest | {"columns": task.mat.columns, "rows": task.mat.rows, "goal": goal})


def random_task(chance: random.Random) -> Task:
    """Return a task of any kind; decks are mostly such as people have."""
    while True:
        cards = chance.choice([1, 2, 3, 7, 20, 52, 60, 78, 104, 150, 442, chance.randint(1, 700)])
        mat = Mat(chance.randint(1, 10), chance.randint(1, 5))
        hands = chance.randint(1, 8)
        sizes = tuple(chance.randint(1, max(1, cards // hands)) for _ in range(hands))
        left = cards - sum(sizes)
        top = chance.randint(1, cards)
        try:
            goals = [WholeDeck(), TopCards(top), Hands(sizes, stock=left), Hands(sizes, rest=left)]
            goals.append(Strata((*sizes[1:], cards - sum(sizes[1:]))))
            return Task(
                cards,
                mat,
                chance.choice(goals),
                dealers=chance.choice([1, 1, 1, 2, 3, 4]),
                least_passes=chance.choice([1, 1, 1, 1, 2, 3, 5]),
                classic=chance.random() < 0.2,
                bottom=chance.choice(["never", "pass", "space"]),
                turn=chance.random() < 0.3,
            )
        except FairdeckError:
            continue


@pytest.mark.parametrize(
    ("part", "plans"), [(0, 300), *(pytest.param(part, 2000, marks=pytest.mark.long) for part in range(2))]
)
def test_page_and_python_make_the_same_plans(engine, part, plans):
    """Plans of all kinds, byte for byte."""
    chance = random.Random(part)
    kinds = set()
    for number in range(plans):
        task = random_task(chance)
        words = list(islice(seeded_words(f"{part} {number}".encode()), 2 * task.cards + 2))
        plan, _ = draw(task, RandomIntegers(words))
        expected = json.dumps(plan.as_dict(), separators=(",", ":"))
        assert engine.get("planText")(given(task), json.dumps(words)) == expected, task
        first = plan.passes[0]
        kinds.add((type(task.goal), task.counted_off, task.dealers > 1, first.from_bottom, bool(first.turn)))
    assert len(kinds) >= 17, "every goal, one dealer and several, top and bottom, cards turned and not were met"


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("cards", "mat"), [(10_000, "7x3"), (100_000, "10x10"), pytest.param(1_000_000, "26x26", marks=pytest.mark.long)]
)
def test_large_decks_too(engine, cards, mat):
    task = Task(cards, Mat.parse(mat))
    words = list(islice(seeded_words(b"large"), cards))
    expected = json.dumps(draw(task, RandomIntegers(words))[0].as_dict(), separators=(",", ":"))
    assert engine.get("planText")(given(task), json.dumps(words)) == expected


@pytest.mark.parametrize("n", [2, 52, 1000, pytest.param(99_991, marks=pytest.mark.long)])
def test_extreme_words_make_no_difference(engine, n):
    """Zeros, ones and halves sit at the edges of the parts, where a rounding would show.

    All ones for ever is rejected for ever, by both; so other words follow.
    """
    others = list(islice(seeded_words(b"after"), n))
    for start in ([0] * n, [2**32 - 1] * n, [0, 2**32 - 1] * n, [2**32 - 1, 0, 0] * n, [2**31] * n, [1] * n):
        words = start + others
        assert tuple(call(engine, "orderText", n, json.dumps(words))) == uniform_permutation(n, RandomIntegers(words))


@pytest.mark.parametrize("tasks", [30, pytest.param(150, marks=pytest.mark.long)])
def test_page_and_python_give_the_same_advice(engine, tasks):
    chance = random.Random(2026)
    for _ in range(tasks):
        task = random_task(chance)
        ours, page = outlook(task), call(engine, "adviceText", given(task))
        assert (page["passes"], page["spaces"], page["tallest"]) == (ours.passes, ours.spaces, ours.tallest), task
        assert page["minutes"] == ours.minutes, task
        assert page["chanceOfOneMorePass"] == pytest.approx(ours.chance_of_one_more_pass, abs=1e-12)
        suggested = [(f"{way['columns']}x{way['rows']}", way["passes"], way["spaces"]) for way in page["suggestions"]]
        assert suggested == [(way.mat, way.passes, way.spaces) for way in ours.suggestions], task


MATS = [Mat(columns, rows) for columns, rows in product(range(1, 8), range(1, 4))]


def goals(cards: int):
    """Yield every goal that the page can ask of a deck."""
    yield WholeDeck()
    yield from map(TopCards, range(1, cards + 1))
    for players in range(1, cards + 1):
        for each in range(1, cards // players + 1):
            left, sizes = cards - players * each, (each,) * players
            yield from (Hands(sizes, stock=left), Hands(sizes, rest=left)) if left else (Hands(sizes),)


def tasks(cards: int, mats):
    """Yield every task that the page can ask of a deck: on all the `mats`, or each on the next one of a cycle."""
    for goal in goals(cards):
        for dealers, bottom in product(range(1, min(4, cards) + 1), ("pass", "never")):
            for mat in (next(mats),) if isinstance(mats, cycle) else mats:
                with suppress(FairdeckError):  # too small for this goal, which both refuse
                    yield Task(cards, mat, goal, dealers=dealers, bottom=bottom)


@contextmanager
def guarded():
    """Stop a call that takes more than `GUARD` seconds of the processor's time."""

    def late(*_):
        raise TimeoutError(f"more than {GUARD} seconds")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, GUARD)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def slowest_of(engine, asked):
    """Check and plan every task on both sides, return (seconds, side, task) of the slowest."""
    slowest, words = (0.0, "", None), list(islice(seeded_words(b"slowest"), 100))
    for task in asked:
        text = given(task)
        sides = {
            "check": lambda task=task: outlook(task),
            "plan": lambda task=task: draw(task, RandomIntegers(words)),
            "page's check": lambda text=text: engine.get("adviceText")(text),
            "page's plan": lambda text=text: engine.get("planText")(text, json.dumps(words)),
        }
        for side, call in sides.items():
            began = time.thread_time()
            try:
                with guarded():
                    call()
            except (TimeoutError, quickjs.JSException) as error:
                pytest.fail(f"{side} of {task}: {error}")
            # The guards count all threads of this process, and another test may have left some; this counts one.
            slowest = max(slowest, (time.thread_time() - began, side, task), key=lambda found: found[0])
    return slowest


@pytest.mark.long
def test_no_task_of_a_few_cards_takes_a_second(engine):
    """Every mat up to 7x3, every goal, one to four dealers. Of two cards, one loose: all orders fit on one space."""
    engine.set_time_limit(GUARD)
    for cards in range(1, 5):
        assert slowest_of(engine, tasks(cards, MATS))[0] < 1
    engine.set_time_limit(-1)


@pytest.mark.long
@pytest.mark.parametrize("part", range(2))
def test_no_task_up_to_60_cards_takes_a_second(engine, part):
    """Every goal of every third deck; advice looks at every smaller mat, so one mat in turn is enough for each task."""
    engine.set_time_limit(GUARD)
    mats = cycle(MATS)
    found = [slowest_of(engine, tasks(cards, mats)) for cards in range(5 + 3 * part, 61, 6)]
    engine.set_time_limit(-1)
    assert max(found, key=lambda each: each[0])[0] < 1, found


def test_keys_that_fit_on_no_number_of_passes_are_refused_and_not_counted_for_ever(engine):
    with guarded(), pytest.raises(FairdeckError, match="2 sort keys need more than one space"):
        Task(2, Mat(1, 1)).shape(2, 2)
    engine.set_time_limit(GUARD)
    with pytest.raises(quickjs.JSException, match="passes"):
        engine.eval("shapeFor(taskOf(`%s`), 2, 2)" % given(Task(2, Mat(1, 1))))  # noqa: UP031
    engine.set_time_limit(-1)


def test_a_wrong_page_planner_is_detected():
    engine = quickjs.Context()
    wrong = "const right = passesFor; passesFor = (task, shape, codes, p) => right(task, shape, codes.map(() => 0), p);"
    engine.eval(joined("advice", "randomness") + HELPERS)
    engine.eval(wrong)
    for goal in (WholeDeck(), Hands((2, 2), stock=4)):
        words = json.dumps(list(islice(seeded_words(b"wrong"), 10)))
        with pytest.raises(quickjs.JSException, match="does not reach"):
            engine.get("planText")(given(Task(8, Mat(4, 2), goal)), words)


GENERATORS = {
    "missing": "delete Crypto.prototype.getRandomValues",
    "no crypto": "Object.defineProperty(window, 'crypto', { value: undefined })",
    "throws": "fake(() => { throw new DOMException('quota', 'QuotaExceededError'); })",
    "gives nothing": "fake((array) => array)",
    "constant": "each(() => 123456789)",
    "all ones": "each(() => 0xffffffff)",
    "counts": "each((i) => i)",
    "the same block again": "each((i) => block[i])",
    "bytes in place of words": "each((i) => block[i] & 255)",
    "a bit that is stuck": "each((i, word) => word | 2 ** 17)",
    "two words in turn": "each((i) => (i % 2 ? 0xaaaaaaaa : 0x55555555))",
    "a coin of 7 to 1": "each((i, word, more) => word | more | block[i])",
}
FAKE = """(() => {
  const real = crypto.getRandomValues.bind(crypto), fake = (get) => { crypto.getRandomValues = get; };
  const block = real(new Uint32Array(16384));
  const each = (made) => fake((array) => {
    const words = real(array.slice()), more = real(array.slice());
    for (const i of array.keys()) array[i] = made(i, words[i], more[i]);
    return array;
  });
  %s;
})()"""
DEVICE = """
class DOMException extends Error {}
class Crypto {
  getRandomValues(array) {
    for (const i of array.keys()) array[i] = Math.random() * 2 ** 32;
    return array;
  }
}
Object.assign(globalThis, { window: globalThis, crypto: new Crypto() });
function refused(times) {
  try {
    for (let i = 0; i < times; i++) systemWords()();
  } catch (error) {
    if (error instanceof GeneratorError) return true;
    throw error;
  }
  return false;
}
"""


def test_no_words_come_from_a_generator_that_is_not_sound():
    for generator in GENERATORS:
        engine = engine_of("", "randomness", helpers=DEVICE)
        engine.eval(FAKE % GENERATORS[generator])
        assert engine.get("refused")(1)


def test_a_sound_generator_passes_its_test_every_time():
    assert not engine_of("", "randomness", helpers=DEVICE).get("refused")(50)
