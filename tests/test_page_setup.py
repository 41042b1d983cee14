"""The setup of the page: what it accepts, what it says, what it remembers."""

import re

import pytest

from fairdeck.cli import main
from fairdeck.page import LANGUAGES, build, texts
from tests import player


def test_a_bad_number_of_cards_is_told_under_the_field(open_page):
    page = open_page()
    for text in ("0", "-1", "1e3", "12.7", "", "text", "1000000000000", "1000001", "٣"):
        player.choose_cards(page, text)
        assert "1 to 1,000,000, not “" in page.text_content("#cards-error")
        assert text[:20].strip() in page.text_content("#cards-error")
        assert page.get_attribute("#cards", "aria-invalid") == "true"
        assert page.text_content("#advice") == ""
    page.click("#start")
    assert page.is_visible("#setup")
    assert page.evaluate("() => document.activeElement.id") == "cards"
    player.choose_cards(page, "60")
    assert page.text_content("#cards-error") == ""
    assert "2 passes" in page.text_content("#line")


MAT = "1 to 26, not “"
WRONG = [
    *((60, mat, "deck", 1, "mat", MAT) for mat in ("0x5", "5x0", "200x200", "27x1", "x2", "?x2", "1e1x2")),
    (60, "5x2", "hands:0x5", 1, "goal", "Hands: 1 to 60, not “0”"),
    (60, "5x2", "hands:4x1e1", 1, "goal", "Cards each: 1 to 60, not “1e1”"),
    (60, "5x2", "top:61", 1, "goal", "1 to 60"),
    (60, "5x2", "strata:61", 1, "goal", "Parts: 1 to 60, not “61”"),
    (60, "5x2", "top:", 1, "goal", "1 to 60"),
    (3, "5x2", "deck", 4, "dealers", "Too many dealers for 3 cards"),
    (60, "1x1", "deck", 1, "mat", "at least 2 spaces"),
    (60, "5x2", "hands:4x16", 1, "goal", "4 × 16 = 64 cards; the deck has 60"),
]


@pytest.mark.long
def test_each_wrong_setting_is_told_under_its_field_and_nothing_begins(open_page):
    page = open_page()
    for *asked, place, says in WRONG:
        player.set_up(page, *asked)
        assert says in page.text_content(f"#{place}-error"), asked
        page.click("#start")
        assert page.is_visible("#setup")
    assert page.evaluate("() => document.activeElement.id") == "players"
    player.begun(page, 60)
    assert page.is_visible("#deal")


LABELS = {
    "red blue": "Spaces: 10, labels: 2.",
    "a b c d e f g h i a": "“a” is there twice",
    "a,b,c,d,e,f,g,h,i,a label of more than twenty letters": "twenty le”: at most 8 letters",
    "one": "Spaces: 10, labels: 1.",
    "\U0001f468\u200d\U0001f469,b,c,d,e,f,g,h,i,j": ": at most 8 letters, digits, simple signs",
    "a,b\u200f,c,d,e,f,g,h,i,j": "“b\ufffd”: at most 8",
    "a,\u202eb,c,d,e,f,g,h,i,j": "“\ufffdb”: at most 8",
    "a,b,\u0301,d,e,f,g,h,i,j": "“\u0301”: at most 8",
    "\u00e9,e\u0301,c,d,e,f,g,h,i,j": "“e\u0301” is there twice",
    "❤,❤\ufe0f,c,d,e,f,g,h,i,j": "is there twice",
}


def test_labels_that_do_not_fit_the_mat_are_told(open_page):
    page = open_page()
    player.tap_more(page)
    for labels, says in LABELS.items():
        page.fill("#labels", labels)
        assert says in page.text_content("#labels-error")
    page.click("#start")
    assert page.evaluate("() => document.activeElement.id") == "labels"
    page.fill("#labels", "a, b c, d, e, f, g, h, i, j, k")
    assert page.text_content("#labels-error") == ""
    page.click("#start")
    assert "b c" in page.locator("#mat > div").all_text_contents()


@pytest.mark.long
def test_labels_of_many_codes_points_are_kept_with_the_deal(open_page):
    page = open_page()
    player.set_up(page, 20, "5x1")
    player.tap_more(page)
    page.fill("#labels", "🇩🇪🇫🇷🇪🇸🇬🇧, n\u0303\u0323, 1\ufe0f\u20e3, 한국, אב")
    page.click("#start")
    page.click("#next")
    before = page.evaluate(player.SHOWN)
    player.reload(page)
    assert page.evaluate(player.SHOWN) == before


@pytest.mark.long
def test_a_deal_whose_labels_are_too_long_for_a_code_is_not_said_to_be_kept(open_page):
    page = open_page()
    player.set_up(page, 60, "26x26")
    player.tap_more(page)
    page.fill("#labels", ",".join(f"🂡🂡🂡🂡🂡{number}" for number in range(676)))
    page.click("#start")
    page.wait_for_selector(f"#alarm:has-text('{texts('en')['keepsNothing'][:30]}')")
    page.click("#options-open")
    page.click("#open-code")
    assert page.is_hidden("#code-text")
    page.click("#code-dialog .primary")
    player.leave(page)
    assert page.is_hidden("#stop")


def test_the_minutes_are_those_of_check(open_page, capsys):
    page = open_page()
    for cards, mat, says in [(60, "5x2", "2.3 min"), (150, "5x1", "6.9 min"), (442, "7x3", ""), (9000, "5x2", "")]:
        player.set_up(page, cards, mat)
        assert main(["check", str(cards), "--mat", mat]) == 0
        told = re.search(r"time +(about [\d.,]+ (?:min|hours))", capsys.readouterr().out)[1]
        assert page.text_content("#line").endswith(told)
        assert told.endswith(says)


def test_only_the_top_cards_are_promised(open_page):
    page = open_page()
    player.set_up(page, 60, "5x2", "top:12")
    assert "only 12 from the top" in page.text_content("#advice")
    page.fill("#top", "1")
    assert "only 1 from the top" in page.text_content("#advice")


@pytest.mark.long
def test_a_mat_that_needs_fewer_passes_is_one_tap_away(open_page):
    page = open_page()
    player.set_up(page, 150, "5x1")
    assert page.text_content("#line").startswith("3 passes")
    page.click("#ways button")
    assert page.text_content("#line").startswith("2 passes")
    assert page.get_attribute("#presets button[value='5x2']", "aria-pressed") == "true"


def test_a_known_deck_fills_in_its_size(open_page):
    page = open_page()
    player.choose_deck(page, "Skip-Bo, 162 cards")
    assert page.input_value("#cards") == "162"
    player.choose_cards(page, "161")
    assert page.input_value("#deck") == ""


def test_bridge_is_dealt_as_four_hands_in_one_pass(open_page):
    page = open_page()
    player.choose_deck(page, "Bridge, 52 cards")
    assert page.text_content("#line").startswith("1 pass, 4 piles")
    player.choose_deck(page, "Poker, 52 cards")
    assert page.text_content("#line").startswith("2 passes")


def test_the_last_deck_comes_first_and_then_the_players_own(open_page):
    page = open_page()
    assert page.locator("#tiles b").all_text_contents() == ["60", "52", "52", "99", "78", "108", "32", "…"]
    player.choose_deck(page, "Canasta, 108 cards")
    player.reload(page)
    assert page.locator("#tiles b").all_text_contents() == ["108", "52", "52", "60", "99", "78", "32", "…"]
    assert page.is_checked("#tiles label:first-child input")
    player.choose_deck(page, "UNO, 108 cards")
    player.tap_more(page)
    page.fill("#deck-name", "Club")
    page.click("#save")
    assert page.locator("#tiles em").all_text_contents()[:2] == ["Club", "Bridge"]
    player.choose_deck(page, "UNO, 108 cards")
    player.reload(page)
    assert page.locator("#tiles em").all_text_contents()[:2] == ["UNO", "Club"]


def test_settings_are_remembered(open_page):
    page = player.begun(open_page(), 33, "4x2", "hands:3x5+rest", dealers=2)
    page.click("#code-dialog .primary")
    player.leave(page)
    page.click("#forget")
    page.wait_for_selector("#setup")
    player.reload(page)
    ids = ("cards", "columns", "rows", "players", "each")
    assert [page.input_value(f"#{name}") for name in ids] == ["33", "4", "2", "3", "5"]
    assert not page.is_checked("#stock")
    assert page.is_checked("input[name=dealers][value='2']")


@pytest.mark.long
def test_own_decks_are_saved_and_removed(open_page):
    page = open_page()
    player.tap_more(page)
    page.click("#save")
    assert page.text_content("#decks-said") == "Name for this deck"
    for name, cards, mat in (("Dragon <b>", 117, "7x2"), ("Cube", 540, "3x3")):
        player.set_up(page, cards, mat)
        page.fill("#deck-name", name)
        page.click("#save")
        assert f": {name}." in page.text_content("#decks-said")
    player.reload(page)
    player.choose_deck(page, "Dragon <b>, 117 cards")
    assert page.input_value("#cards") == "117"
    assert page.get_attribute("#presets button[value='7x2']", "aria-pressed") == "true"
    player.tap_more(page)
    page.click("#remove")
    assert page.get_by_role("radio", name="Dragon").count() == 0
    player.choose_deck(page, "Cube, 540 cards")
    assert [page.input_value(f"#{name}") for name in ("cards", "columns", "rows")] == ["540", "3", "3"]


@pytest.mark.cases(2)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_the_language_of_the_device(open_page, language):
    page = open_page(locale=f"{language}-XX" if language == "en" else language)
    words = texts(language)
    assert page.get_attribute("html", "lang") == language
    assert page.text_content("#start") == words["start"]
    page.click("#start")
    assert page.text_content("#label") == words["dealTop"]
    assert page.evaluate(player.SHOWN)["progress"] == words["passOf"].format(number=1, passes=2)


def test_a_language_chosen_stays(open_page):
    page = open_page(locale="nl-NL")
    assert page.get_attribute("html", "lang") == "en"
    player.tap_more(page)
    page.select_option("#language", "de")
    assert page.text_content("#start") == texts("de")["start"]
    player.reload(page)
    assert page.text_content("#start") == texts("de")["start"]


@pytest.fixture
def faulty_page(browser, monkeypatch, tmp_path):
    """A page with a fault to come: at 24 cards its advice fails."""
    monkeypatch.setenv("FAIRDECK_AS_WRITTEN", "1")
    page, place = build(()), "function advise(task) {"
    assert place in page
    file = tmp_path / "faulty.html"
    file.write_text(page.replace(place, f"{place} if (task.cards === 24) throw new Error(24);"), encoding="utf-8")
    # The page's policy is set aside for the changed script.
    context = browser.new_context(bypass_csp=True, locale="en-GB")
    context.add_init_script(player.LEISURE)
    page = context.new_page()
    page.goto(file.as_uri())
    yield player.ready(page)
    context.close()


def test_a_number_typed_into_a_field_takes_the_place_of_the_old_one(open_page):
    page = open_page()
    player.choose_cards(page, "60")
    page.locator("#start").focus()
    page.click("#cards")
    page.keyboard.type("540")
    assert page.input_value("#cards") == "540"


def test_settings_that_break_the_page_are_not_remembered(faulty_page):
    page = faulty_page
    player.choose_cards(page, "23")
    player.choose_cards(page, "24")
    player.reload(page)
    assert page.input_value("#cards") == "23"


def failed_starts(page, number=None):
    """Say that so many starts in a row failed, or as many as the page noted; the last was a while ago."""
    page.evaluate(
        """(number) => {
          const [noted] = [JSON.parse(localStorage["fairdeck-starts"])].flat();
          localStorage["fairdeck-starts"] = JSON.stringify([number ?? noted, 0]);
        }""",
        number,
    )


@pytest.mark.long
@pytest.mark.parametrize("how", ["reloaded", "in other tabs"])
def test_starts_that_are_cut_short_or_go_on_beside_cost_neither_settings_nor_deal(open_page, page_file, how):
    page = open_page()
    player.choose_cards(page, "31")
    page.click("#start")
    player.wait_until_stored(page, "kept.deal?.step")
    for _ in range(3):
        slow = page.context.new_page()
        slow.add_init_script("indexedDB.open = () => ({});")
        slow.goto(page_file)
        if how == "reloaded":
            slow.close()
    other = page.context.new_page()
    other.goto(page_file)
    player.ready(other)
    assert other.input_value("#cards") == "31"
    assert other.is_visible("#deal")


@pytest.mark.long
def test_a_page_that_could_not_start_starts_from_the_defaults(faulty_page):
    page = faulty_page
    player.choose_cards(page, "23")
    page.evaluate(
        "() => { localStorage['fairdeck-settings'] = localStorage['fairdeck-settings'].replace('\"23\"', '\"24\"'); }"
    )
    player.reload(page)
    assert page.text_content("#advice") == "", "this start failed"
    failed_starts(page)
    player.reload(page)
    assert page.input_value("#cards") == "60"
    player.choose_cards(page, "31")
    player.reload(page)
    assert page.input_value("#cards") == "31", "a good start clears the mark"


@pytest.mark.long
@pytest.mark.parametrize(("failed", "deal_is_there"), [(1, True), (2, False)])
def test_after_two_failed_starts_the_deal_is_forgotten_too(open_page, failed, deal_is_there):
    """However the starts failed: a freeze cannot be told from a device switched off, so one is forgiven."""
    page = open_page()
    player.choose_cards(page, "31")
    page.click("#start")
    page.click("#next")
    player.wait_until(page, player.ON_DISK)
    failed_starts(page, failed)
    player.reload(page)
    assert page.is_visible("#deal") is deal_is_there
    if deal_is_there:
        return
    page.click("#start")
    player.leave(page)
    page.click("#stop")
    page.wait_for_selector("#setup")  # the answer is heard a moment after the tap
    page.evaluate("() => { location.hash = 'how'; }")
    page.wait_for_selector("#how")
    page.evaluate("() => { location.hash = ''; }")
    page.wait_for_selector("#underway")


@pytest.mark.long
def test_two_cards_of_which_only_the_top_one_counts_do_not_freeze_the_page(open_page):
    page = open_page()
    player.set_up(page, 24, "5x2", "top:1")
    player.choose_cards(page, "")
    page.type("#cards", "2")
    assert page.text_content("#line").startswith("1 pass")
    page.type("#cards", "4")
    player.reload(page)
    assert page.text_content("#line").startswith("1 pass")
