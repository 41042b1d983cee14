"""The page that shows how passes sort a deck: its plans and replays against Python's, and the page as it is used."""

import json
import re
from itertools import chain, islice, permutations

import pytest

from fairdeck import Hands, Mat, RandomIntegers, Task, TopCards, random_integers, uniform_permutation
from fairdeck.dealing.plan import outcomes, reaches, read_plan
from fairdeck.dealing.planner import Shape, draw, number_of_keys, plan_for, run_keys
from fairdeck.explore import HERE
from fairdeck.page import texts
from tests.page_scripts import engine_of
from tests.player import PHONE

TEXTS = texts("en", HERE / "sort/texts")
# Cards, columns, rows, and how many piles each pass of the classic method has: the layouts of the literature.
WORKED = [(81, 9, 1, (9, 9)), (58, 9, 1, (9, 7)), (64, 4, 1, (4, 4, 4)), (42, 4, 1, (4, 4, 3)), (100, 5, 2, (10, 10))]
EACH_EXAMPLE = pytest.mark.parametrize(("cards", "columns", "rows", "radices"), WORKED)
HELPERS = """
const onMat = (cards, columns, rows, seed) => plansFor(cards, makeMat(columns, rows), orderFrom(cards, seed));
function told(cards, columns, rows, seed) {
  const plans = onMat(cards, columns, rows, seed), order = orderFrom(cards, seed);
  for (const [method, plan] of Object.entries(plans)) {
    plans[method] = { plan, piles: pilesOf(plan), keys: sharedKeys(plan, order), ...replayed(plan) };
  }
  return JSON.stringify({ order, ...plans });
}
function replayed(plan) {
  const { stages, moves, order } = storyOf(plan);
  return { stages: stages.map((stage) => ({ ...stage, piles: [...stage.piles] })), moves, end: order };
}
function wordsOf(seed) {
  const words = seededWords(seed);
  return JSON.stringify([words(), words(), words(), words(), words()]);
}
function replayedText(text) { return JSON.stringify(replayed(JSON.parse(text))); }
function sureText(spaces, passes) { return JSON.stringify(surelySorted(spaces, passes)); }
"""


@pytest.fixture(scope="module")
def engine():
    context = engine_of("sort", "layouts", "story", helpers=HELPERS)
    return lambda name, *arguments: json.loads(context.get(name)(*arguments))


def splitmix(seed):
    """SplitMix64 as Steele, Lea and Flood print it; yields the higher 32 bits."""
    full = 2**64 - 1
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & full
        word = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & full
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & full
        yield (word ^ (word >> 31)) >> 32


def test_the_stream_of_a_link_is_splitmix64(engine):
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    assert engine("wordsOf", 1234567) == [word >> 32 for word in known], "the values that rosettacode.org lists"
    assert engine("wordsOf", float(2**32 - 1)) == list(islice(splitmix(2**32 - 1), 5))


def test_the_classic_method_uses_the_layouts_of_the_literature(engine):
    for cards, columns, rows, radices in WORKED:
        told = engine("told", cards, columns, rows, 1)
        assert tuple(told["classic"]["piles"]) == radices
        places = {card: cards - 1 - i for i, card in enumerate(told["order"])}
        block, weight = Mat(columns, rows).block(columns * rows), 1
        for radix, stage in zip(radices, told["classic"]["stages"][1::2], strict=True):
            for space, pile in stage["piles"]:
                assert {places[card] // weight % radix for card in pile} == {block.index(space)}, "one digit, one pile"
            weight *= radix


def test_the_grids_are_pythons_replay(engine):
    for method in ["classic", "fewest"]:
        for cards, columns, rows, radices in WORKED:
            for seed in (0, 1, 77):
                told = engine("told", cards, columns, rows, seed)
                order, found = told["order"], told[method]
                assert tuple(order) == uniform_permutation(cards, RandomIntegers(splitmix(seed)))
                plan, _ = read_plan(json.dumps(found["plan"]))
                assert reaches(plan, order)
                assert found["end"] == order
                deck, stages = list(range(cards)), iter(found["stages"])
                for outcome in outcomes(plan, deck):
                    assert next(stages)["deck"] == deck
                    assert next(stages)["piles"] == [[s, list(pile)] for s, pile in enumerate(outcome.piles) if pile]
                    deck = list(outcome.deck)
                assert next(stages)["deck"] == deck
                task = Task(cards, Mat(columns, rows), classic=method == "classic")
                if method == "fewest":
                    assert found["plan"] == plan_for(task, order).as_dict()
                    keeps = (len(plan.passes) % 2 == 0) is not plan.passes[0].from_bottom
                    keys = run_keys(order, kept=keeps)
                    assert [found["keys"][card] for card in order] == [number_of_keys(keys) - 1 - key for key in keys]
                elif cards in (81, 64, 100):
                    assert found["plan"] == plan_for(task, order, Shape(radices)).as_dict(), "no space is left over"


def test_every_card_is_in_one_place_at_every_moment(engine):
    for cards, columns, rows, _ in WORKED:
        for found in map(engine("told", cards, columns, rows, 5).get, ("classic", "fewest")):
            cells = [cell for stage in found["stages"] for cell in stage["cells"]]
            for at in range(len(found["moves"]) + 1):
                here = [c["card"] for c in cells if c["arrive"] <= at and (c["leave"] is None or at < c["leave"])]
                assert sorted(here) == list(range(cards)), at


def test_a_mat_surely_sorts_what_the_page_says(engine):
    """Every order of 8 and of 9 cards on two spaces."""
    sure = engine("sureText", 2, 2)
    assert sure == {"classic": 4, "fewest": 8}
    assert engine("sureText", 9, 3) == {"classic": 729, "fewest": 1458}

    task = Task(9, Mat(2, 1))  # a shape depends on the keys alone

    def passes(order):
        kept, turned = (number_of_keys(run_keys(order, kept=kept)) for kept in (True, False))
        return len(task.shape(kept, turned).radices)

    assert max(map(passes, permutations(range(8)))) == 2
    assert any(passes(order) == 3 for order in permutations(range(9)))
    assert [len(engine("told", cards, 2, 1, 3)["classic"]["piles"]) for cards in (4, 5)] == [2, 3]


def some_plans():
    chance = random_integers(b"plans")
    for task in (
        Task(20, Mat(3, 1)),
        Task(30, Mat(5, 2), TopCards(7)),
        Task(52, Mat(5, 1), Hands((13,) * 4)),
        Task(40, Mat(5, 2), Hands((5, 5, 4), stock=26), dealers=2),
        Task(24, Mat(7, 1), Hands((5, 5), rest=14)),
        Task(9, Mat(2, 1, ("left", "right")), bottom="space"),
    ):
        yield draw(task, chance)[0]


def test_plans_of_every_kind_are_shown_as_python_replays_them(engine):
    for plan in some_plans():
        read = engine("replayedText", json.dumps(plan.as_dict()))
        piles = [dict(map(tuple, stage["piles"])) for stage in read["stages"] if stage["piles"]]
        for found, outcome in zip(piles, outcomes(plan, range(plan.cards)), strict=True):
            assert found == {space: list(pile) for space, pile in enumerate(outcome.piles) if pile}
        assert read["end"] == list(outcome.deck)


def deck(page):
    """Return the numbers that lie in the deck, as they are read."""
    return page.locator("#deck button:not(.away, .gone)").all_text_contents()


def piles(page):
    """Return the piles on the table, each read from its top, by label; empty spaces are left out."""
    return {
        column.locator(".label").text_content(): pile
        for column in page.locator("#piles .column").all()
        if (pile := column.locator("button:not(.away, .gone)").all_text_contents())
    }


def go(page, moment):
    page.locator("#moment").fill(str(moment))


def test_it_starts_at_the_beginning_and_each_step_is_one_move(visit):
    page = visit(fragment="#cards=12&mat=3x1&method=fewest&seed=5")
    start = deck(page)
    assert len(start) == 12
    assert piles(page) == {}
    assert page.is_disabled("#back")
    for dealt in (1, 2, 3):
        assert page.locator("#deck .next").all_text_contents() == [start[dealt - 1]], "gold comes next"
        said = page.text_content("#said")
        assert said.startswith(f"Pass 1, card {dealt} of 12: {start[dealt - 1]} onto A")
        page.click("#on")
        label = said.split()[-1]
        assert piles(page)[label][0] == start[dealt - 1], "on top of its pile"
        assert deck(page) == start[dealt:]
    page.click("#back")
    assert deck(page) == start[2:]
    go(page, 12)
    assert page.text_content("#said").startswith("Pass 1: stack A")
    wanted = sorted(chain(*piles(page).values()))
    page.click("#on")
    assert 0 < len(deck(page)) < 12
    assert sorted(chain(deck(page), *piles(page).values())) == wanted
    page.locator("#moment").press("End")
    assert deck(page) == [str(place) for place in range(1, 13)]
    assert page.is_disabled("#on")


def test_a_touch_deals_the_next_stacks_and_it_ends(visit):
    page = visit(fragment="#cards=12&mat=3x1&method=fewest&seed=5")
    for moment, text in ((12, "Deal, pass 1"), (15, "Stack the piles"), (27, "Deal, pass 2")):
        assert page.text_content("#play") == text
        page.click("#play")
        page.wait_for_function("(moment) => document.querySelector('#moment').value === String(moment)", arg=moment)
        page.wait_for_timeout(100)
        assert page.input_value("#moment") == str(moment), "it stays where it ended"
    page.click("#play")
    page.wait_for_selector("#on:disabled")
    assert page.text_content("#play") == TEXTS["again"]
    page.click("#play")
    assert len(deck(page)) == 12
    page.click("#play")
    page.wait_for_function("() => document.querySelector('#moment').value > 1")
    page.click("#play")
    stopped = page.input_value("#moment")
    page.wait_for_timeout(400)
    assert page.input_value("#moment") == stopped != "12", "a second touch holds it"


@pytest.mark.long
def test_without_motion_a_deal_is_done_at_once(visit):
    page = visit(reduced_motion="reduce", fragment="#cards=12&mat=3x1")
    page.click("#play")
    assert page.input_value("#moment") == "12"
    page.click("#on")
    assert page.evaluate("document.getAnimations().length") == 0
    page = visit(fragment="#cards=12&mat=3x1")
    page.click("#on")
    assert page.evaluate("document.getAnimations().length") > 0


@pytest.mark.long
def test_a_link_shows_the_same(visit):
    page = visit()
    assert page.locator("#examples [aria-pressed=true]").all_text_contents() == ["52 on 3 × 2"]
    page.click("text=58 on 9 × 1")
    assert "2 passes, 9 + 7 = 16 piles" in page.text_content("#classic-cost")
    page.click("#new")
    page.check("#classic")
    assert "cards=58&mat=9x1&method=classic&seed=" in page.url
    shown = page.input_value("#log")
    other = visit(fragment=page.url[page.url.index("#") :])
    assert other.input_value("#log") == shown
    assert other.is_checked("#classic")
    other.evaluate("location.hash = 'cards=100&mat=5x2&seed=1'")
    other.wait_for_selector("#fewest:checked")
    assert len(deck(other)) == 100
    for bad in ("#cards=1e9&mat=0x0&seed=-1&method=x", "#mat=1x1&cards=1", "#%E0%A4%A"):
        assert len(deck(visit(fragment=bad))) == 52


def test_the_reader_answers_before_the_reveal_and_the_picture_is_of_a_fresh_plan(visit):
    page = visit(viewport=PHONE)
    assert page.text_content("#reveal") == ""
    page.click("#answers button:text-is('3')")
    assert page.get_attribute("#answers [data-right]", "value") == "2"
    assert page.text_content("#reveal").startswith("Two.")
    drawn = "['deck0', 'deck1', 'deck2'].map((id) => document.getElementById(id).toDataURL())"
    before = page.evaluate(drawn)
    assert len(set(before)) == 3
    assert page.text_content("#once") in {"one deal: 5 lines", "one deal: 6 lines"}
    page.click("#redraw")
    after = page.evaluate(drawn)
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, False]


def test_the_gain_is_shown_beside_both_methods(visit):
    page = visit(fragment="#cards=100&mat=4x1")
    classic, fewest = (page.text_content(f"#{name}-cost") for name in ("classic", "fewest"))
    assert "4 passes, 4 + 4 + 4 + 2 = 14 piles" in classic
    assert "3 passes" in fewest
    assert page.text_content("#gain") == "Shared keys save a whole pass"
    cells = page.locator("#capacities :is(th, td)").all_text_contents()
    assert cells == ["2 passes", "16", "32", "3 passes", "64", "128"]


def test_the_way_of_a_card_is_seen_with_the_deck_and_the_piles(visit):
    page = visit(viewport=PHONE, fragment="#cards=15&mat=4x1&method=classic&seed=3")
    order = deck(page)
    assert page.locator("#deck [aria-pressed=true]").all_text_contents() == ["1"], "the top card is followed at first"
    page.locator("#deck button").nth(6).click()
    number = order[6]
    way = page.locator("#way button")
    assert way.first.text_content() == "place 7"
    assert way.last.text_content() == f"place {number}"
    assert f"key {number} − 1 = " in page.text_content("#key")
    labels = way.all_text_contents()[1::2]
    for stop, label in zip((1, 3), labels, strict=True):
        way.nth(stop).click()
        assert way.nth(stop).get_attribute("aria-current") == "step"
        assert page.locator("#way [aria-current]").count() == 1
        assert number in piles(page)[label]
        assert page.locator("#piles [aria-pressed=true]:not(.away)").all_text_contents() == [number]
    way.last.click()
    assert deck(page)[int(number) - 1] == number
    page.check("#fewest")
    shared = set()
    for place in range(15):
        page.locator("#deck button").nth(place).click()
        number, key, cards = re.fullmatch(
            r"Card (\d+) · key (\d+)(?:, shared: (.*))?", page.text_content("#key")
        ).groups()
        listed = list(map(int, (cards or number).split()))
        assert int(number) in listed
        assert listed == list(range(listed[0], listed[-1] + 1))
        shared.add((int(key), *listed))
    assert [number for _, *cards in sorted(shared) for number in cards] == list(range(1, 16))
    assert len(shared) == int(re.search(r"(\d+) keys for 15 cards", page.text_content("#method-why"))[1]) < 15


@pytest.mark.long
def test_the_arrow_keys_walk_through_the_deck(visit):
    page = visit(fragment="#cards=12&mat=4x1", viewport={"width": 390, "height": 844})
    order = deck(page)
    across = page.evaluate("getComputedStyle(document.querySelector('#deck')).gridTemplateColumns.split(' ').length")
    page.locator("#deck button").first.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    assert page.locator("#deck [aria-pressed=true]").all_text_contents() == [order[across]]
    for moment in (12, 2, 12):
        go(page, moment)
    page.locator("#piles button:not([tabindex='-1'])").first.press("Tab")
    assert page.evaluate("document.activeElement.closest('#way') !== null"), "one stop for the Tab key in the piles"


def test_all_arrays_are_there_as_text(visit):
    page = visit(fragment="#cards=42&mat=4x1&method=classic&seed=9")
    lines = page.input_value("#log").splitlines()
    assert lines[0] == "cards 42, mat 4x1, method classic, seed 9"
    plan, _ = read_plan(page.input_value("#plan-text"))
    order = uniform_permutation(42, RandomIntegers(splitmix(9)))
    name = {card: str(42 - place) for place, card in enumerate(order)}

    def listed(cards):
        return " ".join(name[card] for card in cards)

    assert f"Before: {listed(range(42))}" in lines
    for step, outcome in zip(plan.passes, outcomes(plan, range(42)), strict=True):
        assert f"{TEXTS['logTold']}: {' '.join(plan.mat.labels[space] for space in step.deal)}" in lines
        for label, pile in zip(plan.mat.labels, outcome.piles, strict=True):
            assert not pile or f"{label}: {listed(pile)}" in lines
        assert any(line.endswith(f": {listed(outcome.deck)}") for line in lines)
    page.click(f"text={TEXTS['logOpen']}")
    page.click("#copy")
    page.wait_for_selector("#copy:has-text('Copied')")


@pytest.mark.long
def test_a_bad_number_is_told_and_the_grids_stay(visit):
    page = visit(viewport=PHONE)
    for field, wrong, most in (("cards", "1", "2 to 200"), ("cards", "x", "2 to 200"), ("rows", "27", "1 to 26")):
        before = page.input_value(f"#{field}")
        page.fill(f"#{field}", wrong)
        page.locator(f"#{field}").blur()
        assert f"{most}, not “" in page.text_content("#error")
        assert len(deck(page)) == 52
        page.fill(f"#{field}", before)
        page.locator(f"#{field}").blur()
        assert page.text_content("#error") == ""
    page.fill("#rows", "1")
    page.locator("#rows").blur()
    page.fill("#columns", "1")
    page.locator("#columns").blur()
    assert "mat of at least 2 spaces" in page.text_content("#error")


def test_of_many_cards_the_piles_are_laid_after_the_deck_and_a_later_moment_takes_their_place(visit):
    page = visit(fragment="#cards=200&mat=2x1&method=classic")
    laid = """(all) => all.map((each) => {
      moment.value = each; moment.dispatchEvent(new Event("input")); return piles.children.length; }).pop()"""
    for moments in ([300], [100, 1600], [1000, 10]):
        assert page.evaluate(laid, moments) == 0, "a slow device would show nothing until all of it is laid"
        page.wait_for_selector("#piles button", state="attached")
        assert sorted(chain(deck(page), *piles(page).values())) == sorted(map(str, range(1, 201)))


@pytest.mark.long
@pytest.mark.parametrize("width", [320, 390, 844, 1280, 2560])
def test_a_hundred_cards_fit_every_screen(visit, width):
    for method in ("classic", "fewest"):
        page = visit(viewport={"width": width, "height": 720}, fragment=f"#cards=100&mat=5x2&method={method}")
        for moment in (0, 50, 100, 105):
            go(page, moment)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            boxes = page.locator("#grids button:not(.away)").evaluate_all(
                "all => all.map((one) => one.getBoundingClientRect().toJSON())"
            )
            assert min(box["width"] for box in boxes) >= 18
            assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)


def test_on_a_phone_deck_piles_way_and_buttons_are_one_screen(visit):
    page = visit(viewport=PHONE)
    for moment in (0, 30, 52, 55, 80):
        go(page, moment)
        assert page.locator(".stage").bounding_box()["height"] <= PHONE["height"], moment
