"""The page `knows`: its cases counted again in Python, and the page as a visitor uses it."""

import json
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import factorial, log2

import pytest

from fairdeck import Mat, Task, plan_for
from fairdeck.explore import riffled
from fairdeck.permutation import then
from fairdeck.shuffles.riffle import gsr_riffles
from tests.page_scripts import engine_of
from tests.player import LANDSCAPE, PHONE
from tests.test_trust import view

HELPERS = """
function sights(n, classic, columns, rows) {
  const views = viewsOf(n, classic, columns, rows);
  return JSON.stringify(views.map(({ order, passes, seen, piles }) => [order, passes, seen, piles]));
}
function told(text) { return bitsTold(JSON.parse(text)); }
function shares(liars, sealed, wanted, voids) {
  return JSON.stringify(sharesOf(liars, sealed, JSON.parse(wanted), voids));
}
function sums(honest, sealed) { return JSON.stringify(countsOfSums(honest, JSON.parse(sealed))); }
function possible(move, known) { return JSON.stringify(possibleResults(JSON.parse(move), JSON.parse(known))); }
function rigged(move, known) { return JSON.stringify(riggedMove(JSON.parse(move), JSON.parse(known))); }
"""
MATS = [(3, 1), (5, 2), (2, 1), (2, 2)]


@pytest.fixture(scope="module")
def engine():
    context = engine_of("knows", "knowing", helpers=HELPERS)
    return lambda name, *args: context.get(name)(*args)


def entropy(sights):
    """Bits that a sight tells of equally likely cases."""
    counts = Counter(sights)
    return sum(count / len(sights) * log2(len(sights) / count) for count in counts.values())


# --- what everybody sees


def test_what_all_see_is_what_python_plans(engine):
    for classic in [False, True]:
        for cards in [3, 4, 5]:
            for mat in MATS:
                found = json.loads(engine("sights", cards, classic, *mat))
                assert [tuple(order) for order, *_ in found] == list(permutations(range(cards)))
                seen = []
                for order, passes, _, _ in found:
                    plan = plan_for(
                        Task(cards, Mat(*mat), classic=classic), tuple(cards - 1 - card for card in reversed(order))
                    )
                    assert [(step["counts"], step["stack"]) for step in passes] == [
                        (list(step.counts(plan.mat.spaces)), list(step.stack)) for step in plan.passes
                    ]
                    seen.append(view(plan))
                told = engine("told", json.dumps([sight for _, _, sight, _ in found]))
                assert told == pytest.approx(entropy(seen), abs=1e-12)


def test_the_fewest_piles_tell_as_many_bits_as_the_page_says(engine):
    for cards, piles, all_seen in [(4, 2.74, 2.83), (5, 3.28, 3.73)]:
        found = json.loads(engine("sights", cards, False, 3, 1))
        assert engine("told", json.dumps([each[2] for each in found])) == pytest.approx(all_seen, abs=0.005)
        assert engine("told", json.dumps([each[3] for each in found])) == pytest.approx(piles, abs=0.005)
        views = [view(plan_for(Task(cards, Mat(3, 1)), order)) for order in permutations(range(cards))]
        assert entropy(views) == pytest.approx(all_seen, abs=0.005)
        assert entropy([tuple(step[:2] for step in each) for each in views]) == pytest.approx(piles, abs=0.005)


def test_one_key_a_card_shows_the_same_for_every_order(engine):
    for cards in [4, 5, 6]:
        for mat in [*MATS, (7, 1), (2, 3)]:
            found = json.loads(engine("sights", cards, True, *mat))
            assert len(found) == factorial(cards)
            assert len({sight for _, _, sight, _ in found}) == 1


# --- drawn together


def ends(liars, wanted, voids):
    """The share of each order, by going through all numbers of all attempts."""
    honest, shares = 3 - liars, Counter()
    every = list(product(range(6), repeat=honest))
    for attempts in product(every, repeat=voids + 1):
        sums = [sum(numbers) % 6 for numbers in attempts]
        shares[next((each for each in sums if each in wanted), sums[-1])] += Fraction(1, len(every) ** (voids + 1))
    return [float(shares[rank]) for rank in range(6)]


def test_who_walks_away_gains_what_the_formula_says(engine):
    for liars, voids in [(1, 0), (1, 1), (2, 0), (2, 1), (2, 3)]:
        for wanted in [[0], [2, 5], [0, 1, 3], [0, 1, 2, 3, 4, 5]]:
            found = json.loads(engine("shares", liars, True, json.dumps(wanted), voids))
            assert found == pytest.approx(ends(liars, wanted, voids))
            assert sum(found[rank] for rank in wanted) == pytest.approx(1 - (1 - len(wanted) / 6) ** (voids + 1))


def test_with_one_honest_number_all_sums_are_equally_likely_whatever_was_sealed(engine):
    for honest in [1, 2, 3]:
        for sealed in product(range(6), repeat=3 - honest):
            assert set(json.loads(engine("sums", honest, json.dumps(sealed)))) == {6 ** (honest - 1)}


def test_without_honest_people_or_seals_the_wanted_orders_come(engine):
    assert json.loads(engine("shares", 3, True, "[4]", 0)) == [0, 0, 0, 0, 1, 0]
    assert json.loads(engine("shares", 1, False, "[1, 2]", 5)) == [0, 0.5, 0.5, 0, 0, 0]
    assert json.loads(engine("shares", 0, False, "[1]", 5)) == pytest.approx([1 / 6] * 6)


# --- one device


def test_of_cards_that_it_does_not_know_a_device_knows_nothing(engine):
    for move in permutations(range(4)):
        for known in product([False, True], repeat=4):
            for name in ("possible", "rigged"):
                made = json.loads(engine("rigged", json.dumps(move), json.dumps(known))) if name == "rigged" else move
                found = {tuple(each) for each in json.loads(engine("possible", json.dumps(made), json.dumps(known)))}
                expected = {
                    then(start, tuple(made))
                    for start in permutations(range(4))
                    if all(start[place] == place for place in range(4) if known[place])
                }
                assert found == expected
                assert len(found) == factorial(4 - sum(known))


def test_the_bound_after_riffles_is_the_exact_law():
    found = riffled()
    assert found[0] == 1
    assert round(found[7], 4) == 0.3341
    assert found == pytest.approx([float(gsr_riffles(52, times).total_variation) for times in range(13)], abs=1e-6)
    assert found == sorted(found, reverse=True)


# --- the page


def test_the_device_knows_what_it_is_told(visit):
    page = visit()
    assert page.text_content("#aloneSaid").endswith("6 of 24.")
    assert page.locator("#possible .lit").count() == 6
    page.click("#knowsNone")
    assert "knows nothing: all 24 results" in page.text_content("#aloneSaid")
    page.click("#rigged")
    assert "knows nothing: all 24 results" in page.text_content("#aloneSaid"), "rigged or not"
    page.click("#knowsAll")
    assert page.text_content("#aloneSaid") == (
        "It did not draw: it put the cards that it knows on top. Results possible for it: 1 of 24."
    )
    assert page.get_attribute("#end", "aria-label") == "After the deal: ABCD"
    page.click("#start button:nth-child(2)")
    assert page.get_attribute("#end", "aria-label") == "After the deal: ACD?"
    page.click("#rigged")
    before = page.get_attribute("#end", "aria-label")
    page.click("#other")
    assert page.get_attribute("#end", "aria-label") != before
    page.fill("#riffled", "7")
    assert "at most 33 percentage points" in page.text_content("#edgeSaid")
    page.reload()
    assert "at most 33 percentage points" in page.text_content("#edgeSaid"), "the address keeps it"


def shown_shares(page):
    return page.locator("#shares small").all_text_contents()


def test_one_honest_person_is_enough_and_voids_are_not_free(visit):
    page = visit("#step=common")
    assert shown_shares(page) == ["16.7%"] * 6
    page.fill("#voided", "1")
    assert shown_shares(page) == ["30.6%", *["13.9%"] * 5]
    assert "= 30.6%" in page.text_content("#voidSaid")
    page.click("#people button >> nth=0")
    assert shown_shares(page) == ["30.6%", *["13.9%"] * 5], "one honest person is left"
    page.click("#people button >> nth=1")
    assert shown_shares(page) == ["100%", *["0%"] * 5]
    assert page.is_hidden("#leaving")
    for person in range(3):
        page.click(f"#people button >> nth={person}")
    assert shown_shares(page) == ["16.7%"] * 6
    page.click("#sealing")
    assert shown_shares(page) == ["16.7%"] * 6, "all are honest"
    page.click("#people button >> nth=2")
    page.click("#shares button >> nth=4")
    page.click("#shares button >> nth=0")
    assert shown_shares(page) == ["0%", "0%", "0%", "0%", "100%", "0%"]


@pytest.mark.long
def test_dishonest_people_who_decide_alone_get_their_wish(visit):
    for settings in ["seals=no&wanted=3", "liars=111&wanted=3", "liars=101&seals=no&wanted=3"]:
        page = visit(f"#step=common&{settings}")
        for _ in range(3):
            page.click("#step")
            assert "?" in "".join(page.locator(".number").all_text_contents()) or "liars=111" in settings
            page.click("#step")
            assert page.text_content("#drawnSaid").endswith("leaves 3: BCA.")


@pytest.mark.long
def test_a_draw_is_sealed_shown_and_void_before_the_readers_eyes(visit):
    page = visit("#step=common&voided=2&wanted=1")
    for _ in range(8):
        gone = 0
        while True:
            page.click("#step")
            assert page.locator(".number").all_text_contents() == ["●"] * 3
            page.click("#step")
            said, numbers = page.text_content("#drawnSaid"), page.locator(".number").all_text_contents()
            if "void" not in said:
                break
            gone += 1
            assert numbers[2] == "●"
            assert f"attempt {gone} is void" in said
        total = sum(map(int, numbers))
        assert said.startswith(" + ".join(numbers) + f" = {total}. ")
        assert f"leaves {total % 6}: " in said
        assert gone == 2 or total % 6 == 1


@pytest.mark.long
def test_nobody_walks_away_if_all_are_honest(visit):
    page = visit("#step=common&liars=000&voided=5")
    for _ in range(4):
        page.click("#step")
        page.click("#step")
        assert "leaves" in page.text_content("#drawnSaid")


def test_either_list_leaves_every_result_and_both_leave_one(visit):
    page = visit("#step=pair")
    lines = page.locator(".products tr")
    cells = [lines.nth(row).locator("td button").all_text_contents() for row in range(1, 7)]
    orders = ["".join("ABC"[card] for card in order) for order in permutations(range(3))]
    expected = [[then(a, b) for b in permutations(range(3))] for a in permutations(range(3))]
    assert cells == [["".join("ABC"[card] for card in order) for order in line] for line in expected]
    for line in [*cells, *zip(*cells, strict=True)]:
        assert sorted(line) == orders
    page.click(".products th[scope=row] button >> nth=3")
    assert page.text_content("#pairSaid") == (
        "You are person 1 and know BCA. Still each result comes once: you know nothing."
    )
    assert page.locator(".products td button:not(.dim)").all_text_contents() == cells[3]
    page.click(".products th[scope=row] button >> nth=3")
    assert "each result comes 6 times" in page.text_content("#pairSaid")
    page.click(".products th[scope=col] button >> nth=2")
    assert page.locator(".products td button:not(.dim)").all_text_contents() == [line[2] for line in cells]
    assert "person 2 and know 213" in page.text_content("#pairSaid")
    page.click(".products td button >> nth=8")
    assert page.text_content("#pairSaid").endswith(f"the result: {cells[1][2]}.")
    assert page.locator(".products td button:not(.dim)").count() == 1


@pytest.mark.long
def test_the_table_is_walked_with_arrow_keys(visit):
    page = visit("#step=pair")
    page.focus(".products th[scope=col] button >> nth=0")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "1: ACB"
    for key in ("ArrowLeft", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    assert "person 2 and know 123" in page.text_content("#pairSaid")
    assert page.locator(".products button[tabindex='0']").count() == 1


def test_piles_tell_and_one_key_a_card_tells_nothing(visit):
    page = visit("#step=piles")
    assert page.text_content("#told") == "The piles tell 3.73 of 6.91 bits of the order."
    assert "alone: 3.28." in page.text_content("#more")
    assert page.locator("#groups button").count() == 16
    assert page.locator("#groups i").count() == 120
    for group in (0, 9, 15):
        page.click(f"#groups button >> nth={group}")
        alike = page.locator("#groups button >> nth=" + str(group)).locator("i").count()
        assert f"look like this: {alike} of 120." in page.text_content("#alike")
        assert page.locator("#groups [aria-pressed=true]").count() == 1
    page.click("#next")
    page.select_option("#keys", "classic")
    assert page.text_content("#told") == "The piles tell 0.00 of 6.91 bits of the order."
    assert page.locator("#groups button").count() == 1
    page.fill("#size", "4")
    page.select_option("#keys", "few")
    assert page.text_content("#told") == "The piles tell 2.83 of 4.58 bits of the order."


def test_the_table_of_risks_has_who_knows_who_chooses_and_what_helps(visit):
    page = visit("#step=who", viewport=LANDSCAPE)
    rows = page.locator("#risks tr")
    assert rows.count() == 8
    for row in rows.all():
        assert all(text.strip() for text in row.locator("td span").all_text_contents())
    assert page.is_visible(".risks thead")
    page.set_viewport_size(PHONE)
    assert page.is_hidden(".risks thead"), "each cell then says what it tells"
    assert page.is_visible(".risks small >> nth=0")


@pytest.mark.long
def test_a_spoilt_address_does_no_harm(visit):
    for fragment in [
        "#step=alone&move=99&known=12&rigged=x&riffled=77",
        "#step=common&liars=9&wanted=11&voided=-1",
        "#step=pair&list1=6",
    ]:
        page = visit(fragment)
        assert page.text_content("#aloneSaid").endswith("6 of 24.")
        assert shown_shares(page) == ["16.7%"] * 6
        assert "neither list" in page.text_content("#pairSaid")


def test_a_site_leads_to_the_pages_that_do_it_and_a_file_does_not(visit, phones_with):
    assert visit("#step=pair").is_hidden("#pair .site")
    page = phones_with("knows")()
    page.click("#chapters a >> nth=2")
    page.click("#pair .site a")
    page.wait_for_selector("#plan")
    assert page.url.endswith("/two.html")
