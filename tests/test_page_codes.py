"""Codes of deals, in an embedded JavaScript engine."""

import json
import random
import unicodedata
from itertools import permutations
from math import factorial

import pytest
import quickjs
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fairdeck import FairdeckError, Mat, RandomIntegers, Strata, Task, draw, seeded_words, uniform_permutation
from fairdeck.dealing.instructions import lines
from fairdeck.dealing.mat import appearance, letters
from fairdeck.dealing.plan import read_plan
from fairdeck.dealing.share_code import write_code
from fairdeck.explore import HERE
from fairdeck.page.modules import SCRIPTS, joined

HELPERS = """
function made(text) {
  const { cards, columns, rows, labels, goal, dealers, bottom, order, dealer, at } = JSON.parse(text);
  const mat = makeMat(columns, rows, labels);
  const classic = bottom === CLASSIC, turn = order.length > cards;
  const task = { cards, mat, goal: goalOf(goal, cards), dealers, leastPasses: 1, classic, bottom, turn };
  return dealOf(task, order, dealer, at);
}
function code(text) { return writeCode(made(text)); }
function begun(text) { return codeWith(made(text), sumOf); }
function same(text, code) {
  const found = readCode(code), deal = made(text);
  return found !== null && JSON.stringify([found.plan, found.dealer, found.at, found.order, found.lists])
    === JSON.stringify([deal.plan, deal.dealer, deal.at, deal.order, deal.lists]);
}
function readsLabel(text) { return isLabel(JSON.parse(text)); }
function looks(text) { return lookOf(JSON.parse(text)); }
function isCode(text) { return readCode(text) !== null; }
// Where every card lies after the steps before `at`; all lists start at the bottom.
function tableAfter(deal, at) {
  const hands = [];
  let deck = deal.order.map((_, i) => i), piles = new Map();
  for (let step = 0; step < at; step++) {
    const { kind, number, index } = stepAt(deal, step), pass = deal.plan.passes[number];
    if (kind === "done" || (kind === "open" && number)) deck = [...piles.values()].flat(), piles = new Map();
    if (kind === "card") {
      const space = pass.deal[index];
      piles.set(space, [...(piles.get(space) || []), pass.from === "bottom" ? deck.shift() : deck.pop()]);
    }
    if (kind === "hands") for (const space of finishedSpaces(pass)) hands.push(piles.get(space)), piles.delete(space);
    if (kind === "gather") {
      const [pile, onto] = routeOf(pass).slice(index, index + 2);
      piles.get(onto).push(...piles.get(pile));
      piles.delete(pile);
    }
  }
  return { deck, piles, hands };
}
function steps(text) {
  const deal = made(text), kinds = [];
  for (let at = 0; ; at++) {
    const step = stepAt(deal, at);
    kinds.push([step.kind, step.number, step.index]);
    if (step.kind !== "done") continue;
    return JSON.stringify([kinds, startOf(deal, deal.plan.passes.length), tableAfter(deal, at + 1)]);
  }
}
"""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


@pytest.fixture(scope="module")
def engine():
    context = quickjs.Context()
    context.eval(joined("code_reader", folders=(HERE / "scripts", SCRIPTS)) + HELPERS)
    return context


def a_deal(chance: random.Random, **given) -> dict:
    """Return what makes a deal that the mat has room for."""
    cards = given.get("cards") or chance.choice([4, 5, 9, 30, 52, 60, 104, 162, chance.randint(4, 450)])
    columns, rows = chance.randint(2, 9), chance.randint(1, 4)
    goals = ["deck", f"top_{chance.randint(1, cards)}", f"strata_{cards - 1}_1"]
    if columns * rows > 3 and cards >= 8:
        goals += [f"hands_3x{cards // 4}-stock", f"hands_2x{cards // 4}_{cards // 5}-rest"]
    dealers = chance.choice([1, 1, 2, 3, 4])
    labels = {"labels": [f"x.{i} ü" for i in range(columns * rows)]} if chance.random() < 0.2 else {}
    integers = RandomIntegers(seeded_words(str(chance.random()).encode()))
    goal, bottom = given.get("goal", chance.choice(goals)), chance.choice(["never", "pass", "space", "classic"])
    special = goal.startswith("strata")
    order = Strata((cards - 1, 1)).draw(cards, integers) if special else uniform_permutation(cards, integers)
    shape = {"cards": cards, "columns": columns, "rows": rows, "goal": goal, **labels}
    place = {"dealers": dealers, "dealer": chance.randrange(dealers), "at": chance.randrange(max(1, cards // dealers))}
    return shape | place | {"order": order, "bottom": "classic" if special else bottom} | given


@pytest.mark.parametrize("deals", [60, pytest.param(400, marks=pytest.mark.long)])
def test_a_code_gives_the_deal_back(engine, deals):
    chance = random.Random(3)
    for number in range(deals):
        made = a_deal(chance)
        coins = [chance.randrange(2) for _ in range(made["cards"] * (number % 3 == 0))]
        deal = json.dumps(made | {"order": (*made["order"], *coins)})
        code = engine.get("code")(deal)
        assert engine.get("same")(deal, code), deal
        assert engine.get("same")(deal, f" https://example.org/deal#{code}\n")


def test_python_writes_the_same_code_with_turns_as_the_page_and_none_is_lost(engine):
    for dealers in (1, 2, 3):
        task = Task(20, Mat(3, 2), dealers=dealers, turn=True)
        plan, order = draw(task, RandomIntegers(seeded_words(b"turn")))
        drawn = [*order, *(turn := plan.passes[0].turn)]
        made = {"cards": 20, "columns": 3, "rows": 2, "goal": "deck", "dealers": dealers, "dealer": 0, "at": 0}
        code = engine.get("code")(json.dumps(made | {"bottom": "pass", "order": drawn}))
        assert code == write_code(task, order, turn=turn)
        assert json.loads(engine.eval(f"JSON.stringify(readCode({json.dumps(code)}).order)")) == drawn
        assert not engine.get("isCode")(code.replace("-turn", "")), "nor is it read as a deal without turns"


def order_of(letters: str, cards: int) -> tuple[int, ...]:
    """Read the order of a code without the page: a number in base 64, its digits the draws of Fisher and Yates."""
    value = 0
    for letter in letters:
        value = value * 64 + LETTERS.index(letter)
    deck = list(range(cards))
    for last in range(cards - 1, 0, -1):
        value, drawn = divmod(value, last + 1)
        deck[last], deck[drawn] = deck[drawn], deck[last]
    return tuple(deck)


def test_the_order_is_written_as_short_as_can_be(engine):
    for cards, length in [(1, 0), (2, 1), (52, 38), (100, 88), (450, 554), (2000, 3176)]:
        deal = a_deal(random.Random(cards), cards=cards, dealers=1, dealer=0, goal="deck", at=0)
        letters = engine.get("code")(json.dumps(deal)).split(".")[7]
        assert order_of(letters, cards) == tuple(deal["order"])
        assert len(letters) == length
        assert 64**length >= factorial(cards) > 64 ** (length - 1) or cards == 1


def test_every_order_of_five_cards_has_a_code_of_its_own(engine):
    codes = set()
    for order in permutations(range(5)):
        deal = json.dumps(a_deal(random.Random(1), cards=5, order=order, goal="deck"))
        codes.add(engine.get("code")(deal))
        assert engine.get("same")(deal, engine.get("code")(deal))
    assert len(codes) == 120


def test_a_code_with_any_wrong_letter_is_refused(engine):
    """Each letter replaced by each of five others."""
    deal = a_deal(random.Random(7), cards=52, goal="top_20", dealers=2, dealer=0, labels=None, columns=5, rows=2)
    code = engine.get("code")(json.dumps({key: value for key, value in deal.items() if value is not None}))
    for place, letter in enumerate(code):
        for other in "aB31.":
            if other != letter:
                assert not engine.get("isCode")(code[:place] + other + code[place + 1 :]), (place, other)
    for end in range(len(code)):
        assert not engine.get("isCode")(code[:end])


def test_other_texts_are_refused_as_codes_and_at_once(engine):
    for text in [
        *("", "f1", "f1" + "." * 9, "f1.52.5x2.deck.pass.1of1.0", "\0", "f1.0.5x2.deck.pass.1of1.0..0", "." * 10_000),
        "f1.52.5x2.hands_999999999x1.pass.1of1.0.A.0",
        "f1.52.99x99.deck.pass.1of1.0.A.0",
        "f1.99999.5x2.deck.pass.1of1.0.A.0",
        "f1.2.5x2.deck.pass.1of1.0." + "_" * 400_000 + ".x",
        "f1.9999.5x2.hands" + "_9999x1" * 40_000 + ".pass.1of1.0.A.x",
    ]:
        engine.set_time_limit(2)
        assert not engine.get("isCode")(text.replace("\0", "\x01"))


def test_steps_walk_through_every_card_and_lead_to_the_order(engine):
    chance = random.Random(11)
    for _ in range(60):
        deal = a_deal(chance, dealers=1, dealer=0, cards=chance.choice([4, 9, 20]), labels=None)
        given = {name: value for name, value in deal.items() if value is not None}
        kinds, start, end = json.loads(engine.get("steps")(json.dumps(given)))
        assert kinds[-1][0] == "done"
        assert start == len(kinds) - 1, "where a pass after the last would begin is the end"
        order, ordered = list(deal["order"]), len(end["deck"])
        loose = deal["cards"] - int(deal["goal"][4:]) if deal["goal"].startswith("top") else 0
        assert end["deck"][loose:] == order[loose:ordered]
        for hand in end["hands"]:
            ordered = len(order) - len(hand)
            assert sorted(hand) == sorted(order[ordered:])
            order = order[:ordered]


def test_mats_agree(engine):
    for columns, rows in [(5, 2), (26, 26), (1, 1)]:
        labels = json.loads(engine.eval(f"JSON.stringify(makeMat({columns}, {rows}).labels)"))
        assert tuple(labels) == Mat(columns, rows).labels


def is_label(label: str) -> bool:
    """Whether a mat, and a code, would take the label."""
    try:
        Mat(1, 1, (label,))
    except FairdeckError:
        return False
    return letters(label) <= 8


NASTY = "\u200d\u200b\u200e\u200f\u202e\u2066\ufeff\u00ad\u034f\ufe0f\u0301\u20e3\u3164\u2800\u00a0\u3000"
NASTY += " \t\n\0\ue000\uffffA1é.,%\"\\/-'👨🏽🇩🏴\U000e0067אبกิ한ᄒ①\U000f0000"
LABEL_TEXTS = st.text(st.sampled_from(NASTY) | st.characters(codec="utf-8"), max_size=10)


def known_to_both(engine, text: str) -> bool:
    """Whether Python and the page's engine know a Unicode in which the characters' categories are the same."""
    for each in text:
        kind = unicodedata.category(each)
        if engine.eval(r"/\p{%s}/u.test(String.fromCodePoint(%d))" % (kind, ord(each))) is False:  # noqa: UP031
            return False
    return True


@pytest.mark.long
@given(LABEL_TEXTS)
@example("👨\u200d👩\u200d👧")
@example("A\u200f1")
@example("\u0301")
@example("a  b")
@example("e\u0301\u0323\u0302")
@example("❤\ufe0f1\ufe0f\u20e3")
@settings(max_examples=30)
def test_page_and_python_take_the_same_labels(engine, label):
    assert_taken_alike(engine, label)


@pytest.mark.long
def test_page_and_python_take_the_same_characters(engine):
    """Every code point, alone and after a letter, but for those that only one of the two knows yet."""
    taken = engine.eval("""Array.from({ length: 0x110000 }, (_, code) => {
      const own = String.fromCodePoint(code);
      return /\\P{Cn}/u.test(own) ? (isLabel(own) ? 1 : 0) + (isLabel("a" + own) ? 2 : 0) : "-";
    }).join("")""")
    for code, found in enumerate(taken):
        character = chr(code)
        if found != "-" and unicodedata.category(character) != "Cn":
            assert int(found) == is_label(character) + 2 * is_label("a" + character), hex(code)


def assert_taken_alike(engine, label):
    if known_to_both(engine, label):
        assert engine.get("readsLabel")(json.dumps(label)) is is_label(label)
        assert not is_label(label) or engine.get("looks")(json.dumps(label)) == appearance(label)


@given(st.lists(LABEL_TEXTS.filter(is_label), min_size=2, max_size=2, unique_by=appearance))
@example(["❤\ufe0f", "1\ufe0f\u20e3"])
@example(["🇩🇪🇫🇷🇪🇸🇬🇧", "e\u0301.%2E"])
@example(["'-\"\\", "%"])
@pytest.mark.long
def test_what_a_mat_takes_survives_code_and_plan_and_words(engine, labels):
    if not known_to_both(engine, "".join(labels)):
        return
    task = Task(6, Mat(2, 1, tuple(labels)))
    plan, order = draw(task, RandomIntegers(seeded_words(b"labels")))
    code = write_code(task, order)
    assert engine.get("isCode")(code)
    made = {"cards": 6, "columns": 2, "rows": 1, "goal": "deck", "dealers": 1, "dealer": 0, "at": 0, "bottom": "pass"}
    assert engine.get("code")(json.dumps(made | {"labels": labels, "order": order})) == code
    assert read_plan(json.dumps(plan.as_dict()))[0] == plan
    assert all(any(label in line for line in lines(plan, 5)) for label in labels)


def test_a_label_that_cannot_be_used_is_named():
    for labels, says in [
        (("👨\u200d👩\u200d👧", "b"), "U+200D"),
        (("a\u200f", "b"), "U+200F"),
        (("\u0301", "b"), "U+0301"),
        (("\u3164", "b"), "U+3164"),
        (("a ", "b"), r"U+0020"),
        (("\u00e9", "e\u0301"), "two spaces"),
        (("a", "a\ufe0e"), "two spaces"),
        (("", "b"), "has 0 letters"),
        (("x" * 21, "b"), "has 21 letters"),
    ]:
        with pytest.raises(FairdeckError) as refused:
            Mat(2, 1, labels)
        assert says in str(refused.value)
        assert str(refused.value).isprintable()


def test_a_code_whose_sum_is_over_its_text_is_read_before_the_first_step_of_one_dealer(engine):
    chance = random.Random(36)
    for _ in range(60):
        given = a_deal(chance, dealers=1, dealer=0, at=0)
        code, other = engine.get("begun")(json.dumps(given)), engine.get("code")(json.dumps(given))
        assert engine.get("same")(json.dumps(given), code)
        parts = code.split(".")
        assert [one for one, mate in zip(parts, other.split("."), strict=True) if one != mate] == [parts[8]]
        place = chance.randrange(3, len(code.rpartition(".")[0]))
        changed = code[:place] + chance.choice([x for x in LETTERS if x != code[place]]) + code[place + 1 :]
        assert not engine.get("isCode")(changed), "a mistyped letter"
        later = given | {"cards": 9, "goal": "deck", "order": list(range(9))}
        for place in ({"at": 1}, {"dealers": 2}):
            assert not engine.get("isCode")(engine.get("begun")(json.dumps(later | place)))
