"""The page of guesses: its laws and guessers against those of Python, and the page as its visitors use it."""

import json
from fractions import Fraction
from itertools import islice
from random import Random

import numpy as np
import pytest

from fairdeck.lab.blocks import Block
from fairdeck.lab.statistics.cycles import stirling_law
from fairdeck.lab.statistics.guesses import hits_longest, hits_underneath
from fairdeck.lab.view import deck_view
from fairdeck.shuffles import find
from tests.page_scripts import engine_of
from tests.player import PHONE

HELPERS = """
function law(cards, guessed) { return JSON.stringify(hitLaw(cards, guessed)); }
function tail(cards, hits) { return hitsOrMore(hitLaw(cards), hits); }
function hits(name, text) {
  const guesser = { longestStretch, cardUnderneath }[name];
  return JSON.stringify(JSON.parse(text).map((deck) => hitsOn(deck, guesser)));
}
"""


@pytest.fixture(scope="module")
def engine():
    context = engine_of("guess", "guessers", "shuffles", "draws", helpers=HELPERS)
    return lambda name, *args: context.get(name)(*args)


def exact(cards):
    law = stirling_law(cards)
    return [0] * law.low + [float(Fraction(weight, sum(law.weights))) for weight in law.weights]


def test_the_law_of_hits_is_that_of_the_lab_to_twelve_places(engine):
    for cards in [1, 2, 13, 52]:
        expected = exact(cards)
        assert json.loads(engine("law", cards, cards)) == pytest.approx(expected, abs=1e-12)
        for hits in range(cards + 1):
            assert engine("tail", cards, hits) == pytest.approx(sum(expected[hits:]), rel=1e-9, abs=1e-15)
        assert engine("fairHits", cards, cards) == pytest.approx(float(sum(Fraction(1, 1 + k) for k in range(cards))))


def test_a_fair_deck_of_52_gives_four_and_a_half_hits(engine):
    assert round(engine("fairHits", 52, 52), 2) == 4.54
    part = json.loads(engine("law", 52, 50))
    assert sum(hits * chance for hits, chance in enumerate(part)) == pytest.approx(engine("fairHits", 52, 50))


def test_the_guessers_are_those_of_the_lab(engine):
    for name in ["fisher-yates", "riffle", "riffle*3", "overhand", "cut"]:
        decks = np.array(list(islice(decks_of(name, 52), 60)), dtype=np.int16)
        view = deck_view(Block(decks, decks[:0]))
        for ours, theirs in (("longestStretch", hits_longest), ("cardUnderneath", hits_underneath)):
            assert json.loads(engine("hits", ours, json.dumps(decks.tolist()))) == theirs(view).tolist()


def decks_of(name, cards):
    rng = Random(name)
    name, _, times = name.partition("*")
    while True:
        deck = tuple(range(cards))
        for _ in range(int(times or 1)):
            places = next(find(name).decks(cards, rng))
            deck = tuple(deck[place] for place in places)
        yield deck


def test_a_quick_deck_is_guessed_to_its_end_and_judged_exactly(visit):
    page = visit("#cards=13&how=riffle*3&seed=5", viewport=PHONE)
    for _ in range(13):
        page.click("#cards button:enabled >> nth=0")
    squares = page.locator("#squares .hit").count()
    assert page.locator("#squares .miss").count() == 13 - squares
    assert page.is_visible("#result")
    judged = page.text_content("#judged")
    assert judged.startswith(f"{squares} hit")
    assert "3.18 on average" in judged
    assert judged in page.text_content("#said"), "a screen reader says it too"
    chance = 100 * sum(exact(13)[squares:])
    assert f"come on {float(f'{chance:.2g}'):g}% of" in judged
    result = page.input_value("#result-text")
    assert f"{squares}/13" in result
    assert result.count("🟩") == squares
    assert result.count("🟩") + result.count("⬜") == 13
    assert not any(suit in result for suit in "♠♥♣♦"), "it tells no card"


@pytest.mark.long
def test_a_good_guesser_explains_itself_and_beats_one_riffle(visit):
    page = visit("#cards=52&how=riffle&seed=7", viewport={"width": 1280, "height": 720})
    page.click("#hint")
    assert page.text_content("#why").startswith("Riffles keep rising sequences. 1 stretch")
    assert page.text_content("#cards .advised") == "A♠"
    page.keyboard.press("Enter")
    page.click("#finish")
    hits = page.locator("#squares .hit").count()
    assert hits > 12
    assert "52 hints" in page.input_value("#result-text")
    page.click("details:has(#auto) summary")
    page.click("#auto")
    page.wait_for_selector("#played:has-text('hits on average')")
    assert float(page.text_content("#played").split()[0]) > 18


@pytest.mark.long
def test_a_card_is_typed_and_the_focus_is_never_lost(visit):
    page = visit("#cards=52&how=cut&seed=3")
    page.focus("#cards button >> nth=20")
    page.keyboard.press("7")
    page.keyboard.press("h")
    assert "7 of hearts" in page.text_content("#said")
    page.click("#hint")
    for dealt in range(1, 52):
        focused = page.evaluate("document.activeElement.matches('#cards button:enabled')")
        assert focused, dealt
        page.keyboard.press("Enter")
    assert page.locator("#cards button:disabled").count() == 52
    assert page.evaluate("document.activeElement.id") == "new"


@pytest.mark.long
def test_the_deck_of_the_day_is_the_same_for_everyone(visit):
    page = visit("#day=2026-03-01&how=riffle*3")
    page.click("#finish")
    first = page.input_value("#result-text")
    assert "2026-03-01" in first
    assert "anyone can compute it" in page.text_content("#about")
    other = visit("#day=2026-03-01&how=riffle*3", locale="de-DE")
    other.click("#finish")
    assert other.input_value("#result-text").splitlines()[1:5] == first.splitlines()[1:5]
    other.click("#daily")
    assert f"day={other.evaluate('new Date().toISOString().slice(0, 10)')}" in other.evaluate("location.hash")


@pytest.mark.long
def test_a_hidden_shuffle_is_told_only_at_the_end(visit):
    page = visit("#cards=13&how=hidden&seed=9")
    assert page.is_disabled("#auto")
    page.click("#finish")
    page.click("#ask button >> nth=0")
    assert page.text_content("#told").startswith(("Yes: ", "No, it was: "))
    assert page.locator("#ask button").count() == 0
    assert page.is_enabled("#auto")


def test_a_bad_link_is_a_usual_deck(visit):
    page = visit("#cards=7&how=magic*9&seed=x&day=yesterday")
    assert page.locator("#cards button").count() == 52
    assert page.input_value("#how") == "riffle"
    page.evaluate("location.hash = 'cards=13&how=cut'")
    page.wait_for_function("() => document.getElementById('cards').children.length === 13")


@pytest.mark.long
def test_a_hundred_taps_count_as_one(visit):
    page = visit("#cards=52&how=riffle&seed=5")
    page.evaluate("""() => {
      const wait = window.setTimeout;
      window.waits = 0;
      window.setTimeout = (...given) => { waits++; return wait(...given); };
      for (let tap = 0; tap < 100; tap++) document.querySelector("#auto").click();
    }""")
    page.wait_for_selector("#played:has-text('1,000')", state="attached", timeout=60000)
    assert page.evaluate("waits") < 300, "the first slice of each tap, then one count; all counts take 500 slices"


def test_the_answer_is_the_sum_of_the_chances_and_comes_after_a_guess(visit):
    page = visit()
    assert page.locator("#open .hit").count() == 4
    assert len(set(page.locator("#open i").all_text_contents())) == 52, "a whole deck lies open"
    assert page.text_content("#reveal") == ""
    page.click("#answers button:has-text('13')")
    mean = sum(Fraction(1, left) for left in range(1, 53))
    assert page.text_content("#reveal").startswith(f"{float(mean):.2f} on average")
    right = page.locator("#answers [data-right]")
    nearest = min(page.locator("#answers button").all_text_contents(), key=lambda text: abs(float(text) - mean))
    assert right.all_text_contents() == [nearest]
    gold, look = "rgb(255, 206, 71)", "chip => getComputedStyle(chip).backgroundColor"
    assert right.evaluate(look) == gold
    right.click()
    assert right.evaluate(look) == gold, "also if the reader chose it"


def test_the_open_deck_is_another_one_at_each_visit(visit):
    page, other = visit(), visit()
    assert page.text_content("#open") != other.text_content("#open")


def test_a_class_votes_and_the_answer_waits_for_the_teacher(visit):
    page = visit(script="sessionStorage.setItem('fairdeck-votes', 'true')")
    for value, times in [("1", 2), ("13", 3), ("4.5", 1)]:
        for _ in range(times):
            page.click(f"#answers [value='{value}']")
    assert page.locator("#answers small").all_text_contents() == ["2", "0", "1", "3"]
    assert page.text_content("#reveal") == ""
    page.click("text=Reveal")
    assert page.text_content("#reveal").startswith("4.54")
    assert page.get_attribute("#answers [aria-pressed=true]", "value") == "13", "most hands"
    assert page.locator("#answers small").all_text_contents() == ["2", "0", "1", "3"]
