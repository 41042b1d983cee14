"""The page for teachers: the law of rising sequences, decks that pupils type, worksheets."""

import json
import re
from itertools import permutations
from math import ceil, log2
from random import Random

import pytest

from fairdeck.shuffles import riffle
from tests.page_scripts import engine_of

HELPERS = """
function call(name, text) {
  const seeded = (deck, seed) => riffledOnce(deck, seededDraws(seed));
  const known = { risingLaw, fairRisingLaw, risingSequences, decksOf, averageRising, rifflesFor, worthOf, tasksOf };
  return JSON.stringify({ ...known, riffledOnce: seeded }[name](...JSON.parse(text)));
}
"""


@pytest.fixture(scope="module")
def run():
    context = engine_of("class", "decks", "worth", "worksheet", helpers=HELPERS)
    return lambda name, *args: json.loads(context.get("call")(name, json.dumps(args)))


COUNTED = """
function chance(recipe, decks, seed) {
  const sorted = Array.from({ length: 20 }, (_, card) => card), shuffle = shuffleOf(recipe), draws = seededDraws(seed);
  const counts = noCounts(20, 200), add = counter(counts, 20, 200);
  for (let dealt = 0; dealt < decks; dealt++) {
    const deck = [...sorted];
    shuffle(deck, draws);
    add(deck);
  }
  return allTests(counts, 20);
}
"""


@pytest.mark.long
def test_what_the_lesson_says_of_few_and_many_decks_is_so():
    context = engine_of("", "shuffles", "draws", "counts", "evidence", helpers=COUNTED)
    chance = context.get("chance")
    assert all(chance("modulo-8", 1000, seed) > 0.001 for seed in range(5))
    assert chance("modulo-8", 60_000, 1) < 1e-6
    assert chance("naive", 1000, 1) < 1e-6


def test_the_law_of_rising_sequences_is_that_of_python(run):
    for n in [10, 13, 31, 52]:
        for riffles in (0, 1, 2, 5, 8, 20):
            exact = riffle.rising_law(n, 2**riffles)
            assert run("risingLaw", n, riffles) == pytest.approx([float(chance) for chance in exact], abs=1e-12)
        counts = riffle.eulerian_numbers(n)
        assert run("fairRisingLaw", n) == pytest.approx([count / sum(counts) for count in counts], abs=1e-12)


def test_rising_sequences_are_counted_as_in_python_in_every_order_of_five(run):
    from fairdeck.permutation import rising_sequences

    for order in permutations(range(5)):
        assert run("risingSequences", order) == rising_sequences(order)


@pytest.mark.long
def test_riffles_of_the_page_follow_the_law(run):
    # Chance: 4,000 decks; each count is within five standard deviations, 1 in a million.
    counts = [0] * 10
    for seed in range(4000):
        deck = run("riffledOnce", run("riffledOnce", list(range(10)), 2 * seed), 2 * seed + 1)
        counts[run("risingSequences", deck) - 1] += 1
    for count, chance in zip(counts, map(float, riffle.rising_law(10, 4)), strict=True):
        assert abs(count - 4000 * chance) <= 5 * (4000 * chance * (1 - chance)) ** 0.5


def test_a_sorted_deck_is_read_however_it_is_typed(run):
    for text, cards in [
        ("1 2 3 4 5 6 7 8 9 10", 10),
        ("Ana: 1,2, 3;4 5.6 7 8|9/10", 10),
        ("A 2 3 4 5 6 7 8 9 T", 10),
        ("a♠ 2♠ ♠3 4s 5 6 7 8 9 10S J Q K", 13),
        ("A 2 3 4 5 6 7 8 9 10 B D K", 13),
        ("A 2 3 4 5 6 7 8 9 10 V D R", 13),
        (" ".join(f"{rank}{suit}" for suit in "SHDC" for rank in (*"A23456789", 10, *"JQK")), 52),
        (" ".join(f"{rank}{suit}\ufe0f" for suit in "♠♥♦♣" for rank in "A23456789TJQK"), 52),
    ]:
        assert run("decksOf", f"\n  {text}\n\n", cards) == {"decks": [list(range(cards))], "faults": []}


def test_each_wrong_deck_gets_one_line_that_names_the_card(run):
    for text, cards, key, values in [
        ("1 2 3 4 5 6 7 8 9", 10, "faultMissing", {"missing": "10"}),
        ("1 2 3 4 5 6 7 8 9 9", 10, "faultBoth", {"missing": "10", "twice": "9"}),
        ("1 2 3 4 5 6 7 8 9 10 3", 10, "faultTwice", {"twice": "3"}),
        ("1 2 3", 10, "faultMissing", {"missing": "4, 5, 6, 7, …"}),
        ("1 2 3 4 5 6 7 8 9 11", 10, "faultWord", {"word": "11"}),
        ("A 2 3 4 5 6 7 8 9 10 J Q X", 13, "faultWord", {"word": "X"}),
        ("A 2 3 4 5 6 7 8 9 10 J Q Q", 13, "faultBoth", {"missing": "K", "twice": "Q"}),
        ("A♠ 2 3", 52, "faultMissing", {"missing": "4♠, 5♠, 6♠, 7♠, …"}),
        ("A 2 3", 52, "faultSuit", {"word": "A"}),
    ]:
        read = run("decksOf", "\n" + text, cards)
        assert read["decks"] == []
        (fault,) = read["faults"]
        assert fault["key"] == key
        assert fault["values"]["line"] == 2
        assert {name: fault["values"][name] for name in values} == values


def test_what_riffles_are_worth_is_found_again(run):
    for n, packets in [(10, 1), (10, 2), (13, 5), (52, 128), (26, 4096)]:
        law = riffle.rising_law(n, packets)
        exact = float(sum(chance * rising for rising, chance in enumerate(law, 1)))
        assert run("averageRising", n, packets) == pytest.approx(exact, abs=1e-10)
        assert run("rifflesFor", n, exact) == pytest.approx(log2(packets), abs=1e-6)
    for riffles in (1, 2, 3):
        rising = []
        for seed in range(30):
            deck = list(range(26))
            for turn in range(riffles):
                deck = run("riffledOnce", deck, 1000 * riffles + 10 * seed + turn)
            rising.append(run("risingSequences", deck))
        low, high = run("worthOf", 26, rising)["span"]
        assert low - 0.01 <= riffles <= high + 0.01
        assert high - low < 0.3
    assert run("worthOf", 13, [1] * 5)["worth"] == 0
    assert run("worthOf", 13, [7] * 4) == {"worth": 12, "span": None}


@pytest.mark.long
@pytest.mark.parametrize(("n", "riffles", "decks"), [(13, 1, 10), (13, 2, 5), (13, 3, 8), (13, 5, 5), (52, 3, 12)])
def test_the_interval_of_what_riffles_are_worth_misses_at_most_one_class_in_twenty(run, n, riffles, decks):
    """Few decks, or decks that are all alike: 600 classes of each kind; 95% less three standard deviations is 92.3%."""
    law, rng = [float(chance) for chance in riffle.rising_law(n, 2**riffles)], Random(n * riffles)
    spans = [run("worthOf", n, rng.choices(range(1, n + 1), law, k=decks))["span"] for _ in range(600)]
    assert sum(low <= riffles and (riffles <= high or high == 12) for low, high in spans) >= 554


def test_the_key_of_each_worksheet_is_right_and_the_sheets_differ(run):
    seen = set()
    for sheet in range(1, 31):
        tasks = run("tasksOf", 5, sheet)
        assert sorted(map(tuple, tasks["orders"])) == sorted(permutations(tasks["three"]))
        assert len({tuple(path) for path in tasks["paths"]}) == 5
        for path, end in zip(tasks["paths"], tasks["ends"], strict=True):
            row = [0, 1, 2]
            for place, other in enumerate(path):
                row[place], row[other] = row[other], row[place]
            assert row == end
        deck = tasks["deck"]
        assert sorted(deck) == list(range(10))
        assert tasks["rising"] == 1 + sum(deck.index(card + 1) < deck.index(card) for card in range(9))
        assert tasks["rising"] >= 2
        assert tasks["riffles"] == ceil(log2(tasks["rising"]))
        seen.add(json.dumps([tasks["paths"], deck]))
        assert tasks == run("tasksOf", 5, sheet)
    assert len(seen) == 30


def test_pupils_type_decks_and_the_histogram_grows(visit):
    opened = visit("#cards=10&riffles=1")
    opened.fill("#entry", "1 2 3 4 5 6 7 8 9 9")
    opened.click("#enter .small-primary")
    assert opened.text_content("#error") == "Line 1: missing: 10; twice: 9."
    assert opened.input_value("#decks") == ""
    opened.fill("#entry", "1 6 2 7 3 8 4 9 5 10")
    opened.press("#entry", "Enter")
    opened.fill("#entry", "A 2 3 4 5 6 7 8 9 10\n6 1 7 2 8 3 9 4 10 5")
    opened.press("#entry", "Enter")
    assert opened.text_content("#error") == ""
    assert opened.locator("#histogram i").all_text_contents()[:3] == ["1", "2", ""]
    assert opened.text_content("#average").startswith("3 decks, 1.7 rising sequences on average. By the law: 2;")
    assert opened.text_content("#worth") == "These riffles are worth 0.7 riffles of the model."
    assert "1 6 2 7" not in opened.evaluate("location.href")
    opened.click("summary")
    opened.fill("#decks", "2 1 4 3 6 5 8 7 10 9")
    assert "1 deck has more than 2" in opened.text_content("#average")


@pytest.mark.long
def test_the_decks_of_a_class_outlast_a_way_through_other_pages(visit):
    opened = visit("#cards=10&riffles=1")
    opened.fill("#entry", "1 6 2 7 3 8 4 9 5 10")
    opened.press("#entry", "Enter")
    said, address = opened.text_content("#average"), opened.url.partition("#")[0]
    opened.check("input[value=lesson]")
    opened.click("#plan a[href='#show=riffles']")
    opened.wait_for_selector("#riffles:not([hidden])")
    assert opened.text_content("#average") == said
    assert opened.input_value("#cards") == "10", "the link of the lesson changes no setting"
    assert opened.evaluate("document.activeElement.value") == "riffles"
    for way in (opened.go_back, lambda: opened.goto(address)):
        opened.goto("about:blank")
        way()
        opened.wait_for_selector("#average:not(:empty)", state="attached")
        assert opened.text_content("#average") == said
        assert opened.input_value("#cards") == "10"


def test_the_lesson_names_the_shuffle_that_it_opens(visit):
    plan = visit("#show=lesson").text_content("#plan")
    assert "Tap “One byte % places”" in plan
    assert "{" not in plan


@pytest.mark.long
def test_a_demo_class_can_be_tried_and_taken_back(visit):
    opened = visit()
    opened.fill("#entry", "1 2 3 4 5 6 7 8 9 10 11 12 13")
    opened.press("#entry", "Enter")
    opened.click("#demo")
    assert opened.text_content("#average").startswith("30 decks")
    assert sum(int(text or 0) for text in opened.locator("#histogram i").all_text_contents()) == 30
    opened.click("#undo")
    assert opened.text_content("#average").startswith("1 deck,")


@pytest.mark.long
def test_every_sheet_prints_on_a_page_and_the_key_behind_them(visit):
    opened = visit("#show=sheets&sheets=3&seed=7")
    assert opened.locator(".sheet:visible").count() == 2, "the first and the key"
    printed = opened.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "12mm"))
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 4
    opened.emulate_media(media="print")
    assert opened.locator(".sheet:visible").count() == 4
    assert not opened.is_visible("h1")
    assert not opened.is_visible("#print")


def test_votes_hold_for_the_tab_and_reach_every_page_that_asks(phones_with):
    page = phones_with("class")()
    page.check("#votes")
    page.check("input[value=lesson]")
    page.click("#plan a[href^='guess.html']")
    page.click("#answers [value='13']")
    assert page.text_content("#answers [value='13'] small") == "1"
    assert page.text_content("#reveal") == ""
    page.go_back()
    page.wait_for_selector("#votes")
    assert page.is_checked("#votes")
    page.uncheck("#votes")
    page.goto("http://deck.test/guess.html")
    page.click("#answers [value='13']")
    assert page.text_content("#reveal") != ""
