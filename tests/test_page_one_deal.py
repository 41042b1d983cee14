"""`fairdeck deal --html`: a page that plays one deal, opened from disk in a real browser."""

import json
import re
from functools import partial

import pytest

from fairdeck import seeded_words
from fairdeck.cli import main
from fairdeck.page import ONE_DEAL, PARTS, WHOLE, build_one, texts
from fairdeck.page.modules import joined
from tests import player
from tests.table import Table
from tests.test_page_deals import check_result, deal_together
from tests.test_page_looks import FITS, PROBLEM, assert_readable

ONE_TEXTS = PARTS / "one" / "texts"
SEED = "0dea1"
GIVES_AWAY = "This file reveals the order: destroy it after use."


@pytest.fixture
def deal_file(tmp_path, capsys):
    """Write the page of a deal; return its address and the plan that `--json` gives for the same seed."""

    def made(*words, seed=SEED):
        file = tmp_path / f"deal{len(list(tmp_path.iterdir()))}.html"
        assert main(["deal", *words, "--seed", seed, "--html", str(file)]) == 0
        capsys.readouterr()
        assert main(["deal", *words, "--seed", seed, "--json"]) == 0
        return file.as_uri(), json.loads(capsys.readouterr().out)

    return made


def order_of(cards, seed=SEED):
    return player.order_drawn(seeded_words(bytes.fromhex(seed.zfill(6))), cards)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("view", "words"),
    [
        ("group", ["60"]),
        ("single", ["30", "--mat", "5x1", "--goal", "hands:3x4+stock"]),
        ("single", ["33", "--mat", "3x2", "--labels", "red,blue,grün,x.y,A/B,<i>", "--bottom", "space"]),
    ],
)
def test_dealt_through_to_the_end_it_shows_the_labels_of_the_plan(open_page, deal_file, view, words):
    file, plan = deal_file(*words)
    page, shown = open_page(file=file), []
    labels = plan["mat"]["labels"]
    if view == "single":
        player.choose_view(page, view)

    def note():
        screen = page.evaluate(player.SHOWN)
        shown.extend(screen["labels"] if screen["kind"] == "card" else [])

    assert GIVES_AWAY in page.text_content("#note")
    table = player.play(page, plan["cards"], note)
    assert shown == [labels[space] for step in plan["passes"] for space in step["deal"]]
    check_result(table, order_of(plan["cards"]), plan["goal"])
    assert GIVES_AWAY in page.text_content("#end")
    assert "forgotten" not in page.text_content("#end")
    assert "equally likely" not in page.text_content("#end")


@pytest.mark.long
def test_at_the_end_it_says_which_cards_are_random_and_stays_done(open_page, deal_file):
    for goal, says, title in (("top:2", "Top cards: 2.", "Shuffled"), ("hands:2x2+stock", "", "Hands dealt")):
        page = open_page(file=deal_file("7", "--goal", goal)[0])
        player.play(page, 7)
        assert says in page.text_content("#end")
        assert title in page.text_content("#deal")
        assert GIVES_AWAY in page.text_content("#end")
    assert page.is_hidden("#next")
    for _ in range(2):
        for key in ("Enter", "Space", "PageDown", "ArrowLeft"):
            page.keyboard.press(key)
        assert page.evaluate(player.SHOWN)["kind"] == "done"
        player.reload(page)
    for fragment in ("#setup", "#how", "#2", "#f1.9.5x2.deck.pass.1of1.0.x.y"):
        page.evaluate("(fragment) => { location.hash = fragment; }", fragment)
        page.wait_for_timeout(50)
        assert page.evaluate(player.SHOWN)["kind"] == "done"
    assert page.evaluate("() => [...document.querySelectorAll('main')].map((main) => main.id)") == ["who", "deal"]
    assert page.evaluate("() => document.querySelectorAll('#form, #enter-code, #deal-anew, #open-code').length") == 0


@pytest.mark.long
def test_a_reload_goes_on_and_a_dealing_page_on_the_device_keeps_its_own_deal(open_page, page_file, deal_file):
    (file, _), (other, _) = deal_file("40", "--mat", "5x1"), deal_file("40", "--mat", "7x1")
    page, table, steps = open_page(beside=(file, other)), Table(40), 0
    differs = {"beats": 0, "said": 0, "note": ""}
    player.choose_cards(page, "77")
    page.click("#start")
    for _ in range(3):
        player.tap_next(page)
    before = page.evaluate(player.SHOWN)
    page.goto(file)
    player.ready(page)
    player.choose_view(page, "single")
    page.click("#options-open")
    page.check("#lefty")
    page.click("#options .primary")
    while player.follow(table, page.evaluate(player.SHOWN)):
        player.tap_next(page)
        steps += 1
        if steps % 20 == 0:
            now = page.evaluate(player.SHOWN)
            page.goto("about:blank")
            page.goto(file)
            player.ready(page)
            again = page.evaluate(player.SHOWN)
            assert "last dealt: " in again["note"]
            assert again | differs == now | differs
    assert table.end() == order_of(40)
    page.goto(other)
    player.ready(page)
    assert page.evaluate(player.SHOWN)["kind"] == "open"
    page.goto(page_file)
    player.ready(page)
    player.choose_view(page, "group")
    assert page.evaluate(player.SHOWN) | differs == before | differs
    assert page.is_checked("#lefty"), "how one likes to deal is kept for both"
    assert page.input_value("#cards") == "77"


def test_what_stays_on_the_device_tells_nothing_of_the_order(open_page, deal_file):
    file, _ = deal_file("5")
    page = open_page(file=file)
    player.play(page, 5)
    player.tap_next(page)
    kept = {slot: value for slot, value in player.stored(page).items() if slot != "probe"}
    (value,) = kept.values()
    assert (sorted(value), sorted(value["step"])) == (["step", "taker"], ["at", "count", "spent"])
    assert not re.search(r"f1\.|\"order\"", json.dumps(page.evaluate("() => Object.entries(localStorage)")))


@pytest.mark.long
def test_several_dealers_open_one_file_and_say_who_they_are(open_page, deal_file):
    goal = "hands:3x4+stock"
    file, plan = deal_file("33", "--dealers", "3", "--goal", goal)
    pages = [open_page(file=file) for _ in range(3)]
    for seat, page in enumerate(pages):
        assert page.text_content("#who-title") == "Which dealer are you?"
        assert page.locator("#dealers button").count() == 3
        page.locator("#dealers button").nth(seat).click()
        page.wait_for_selector("#deal:not([hidden])")
    player.tap_next(pages[1])
    player.reload(pages[1])
    assert "Dealer 2" in pages[1].text_content("#progress")
    player.leave(pages[1])
    pages[1].click("#forget")
    pages[1].wait_for_selector("#who:not([hidden])")
    pages[1].click("#dealers >> text=Dealer 2")
    pages[1].wait_for_selector("#deal:not([hidden])")
    check_result(deal_together(pages, 33), order_of(33), goal)
    assert plan["dealers"] == 3


@pytest.mark.long
def test_while_another_dealers_place_is_read_no_deal_can_be_tapped(open_page, deal_file):
    """The database may take its time; the screen of the dealer before had buttons and no deal."""
    page = open_page(file=deal_file("20", "--dealers", "2")[0], fragment="#1")
    page.wait_for_selector("#deal:not([hidden])")
    seen = page.evaluate("""() => new Promise((resolve) => {
      addEventListener("hashchange", () => resolve($("deal").hidden));
      location.hash = "#2";
    })""")
    assert seen
    page.wait_for_selector("#deal:not([hidden])")
    assert "Dealer 2" in page.text_content("#progress")


@pytest.mark.long
def test_one_can_go_back_to_the_start_after_being_asked(open_page, deal_file):
    page = open_page(file=deal_file("20")[0])
    for _ in range(4):
        player.tap_next(page)
    player.leave(page)
    assert "would not be fair" in page.text_content("#sure")
    page.click("#sure .primary")
    assert page.evaluate(player.SHOWN)["kind"] != "open"
    player.leave(page)
    page.click("#forget")
    page.wait_for_timeout(50)
    assert page.evaluate(player.SHOWN)["kind"] == "open"
    assert player.play(page, 20).end() == order_of(20)


@pytest.mark.long
@pytest.mark.parametrize("language", ["de", "fr"])
def test_it_fits_the_smallest_screens_in_every_language(open_page, deal_file, language):
    page = open_page(file=deal_file("24", "--dealers", "2")[0], locale=language)
    assert page.text_content("#who-title") == texts(language, ONE_TEXTS)["whichDealer"]
    for viewport in (player.SMALL, player.TINY_LANDSCAPE):
        page.set_viewport_size(viewport)
        assert page.evaluate(FITS)
    page, kinds = open_page(file=deal_file("6", "--mat", "2x1")[0], locale=language), set()
    while "done" not in kinds:
        kind = page.evaluate(player.SHOWN)["kind"]
        for viewport in (player.SMALL, player.TINY_LANDSCAPE) if kind not in kinds else ():
            page.set_viewport_size(viewport)
            page.evaluate("() => new Promise(requestAnimationFrame)")
            assert page.evaluate(PROBLEM) == "", (kind, viewport)
        kinds.add(kind)
        player.tap_next(page)


@pytest.mark.long
def test_the_language_can_be_chosen_and_everyone_can_use_it(open_page, deal_file):
    page = open_page(file=deal_file("24", "--dealers", "2")[0])
    check = partial(assert_readable, page)
    check("who")
    page.click("#dealers >> text=Dealer 1")
    page.wait_for_selector("#deal:not([hidden])")
    check("deal")
    page.click("#options-open")
    page.select_option("#language", "de")
    check("options")
    page.click("#options .primary")
    assert page.text_content("#next") == texts("de")["begin"]
    player.reload(page)
    assert page.text_content("#next") == texts("de")["begin"]
    player.leave(page)
    check("back to the start?")


@pytest.mark.long
def test_where_nothing_can_be_kept_it_deals_and_asks_before_it_closes(open_page, deal_file):
    forbid = """for (const kind of ["localStorage", "indexedDB"]) {
      Object.defineProperty(window, kind, { get() { throw new Error("forbidden"); } });
    }"""
    page, asked = open_page(file=deal_file("12")[0], script=forbid), []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.click("#next")
    page.evaluate("() => { location.hash = '#how'; }")
    page.wait_for_timeout(50)
    assert page.evaluate(player.SHOWN)["kind"] == "card"
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    assert asked == ["beforeunload"]


def begun_and_reloaded_slowly(open_page, deal_file):
    """A page at its ninth step, opened again while the database does not answer."""
    page = open_page(file=deal_file("40")[0])
    for _ in range(8):
        player.tap_next(page)
    player.wait_until(page, player.ON_DISK)
    before = player.place(page)
    page.add_init_script(player.HELD)
    page.reload()
    page.wait_for_selector("#dealers button")
    assert page.text_content("#who-title") == texts("en", ONE_TEXTS)["looking"]
    assert page.is_hidden("#deal")
    return page, before


@pytest.mark.long
def test_while_the_database_does_not_answer_it_waits_and_says_so(open_page, deal_file):
    page, before = begun_and_reloaded_slowly(open_page, deal_file)
    page.evaluate("() => answers.forEach((answer) => answer())")
    page.wait_for_selector("#deal")
    assert player.place(page) == before
    assert page.text_content("#alarm") == ""


@pytest.mark.long
def test_a_deal_started_before_the_database_answers_does_not_overwrite_the_place(open_page, deal_file):
    page, before = begun_and_reloaded_slowly(open_page, deal_file)
    kept = player.stored(page)
    page.click("#dealers button")
    assert page.evaluate(player.SHOWN)["kind"] == "open"
    player.tap_next(page)
    assert page.text_content("#alarm") == texts("en")["keepsNothing"]
    page.evaluate("() => answers.forEach((answer) => answer())")
    page.wait_for_timeout(500)  # it would ask other tabs first
    player.tap_next(page)
    assert page.text_content("#count") == "Cards 6–10 of 40"
    assert player.stored(page) == kept
    page.add_init_script("answering = setInterval(() => answers.forEach((answer) => answer()), 20);")
    page.reload()
    page.wait_for_selector("#deal")
    assert player.place(page) == before


def test_a_damaged_file_says_so(open_page, tmp_path):
    file = tmp_path / "damaged.html"
    file.write_text(build_one("f1.9.5x2.deck.pass.1of1.0.AAAA.wrong", "name", ()))
    page = open_page(file=file.as_uri())
    assert page.text_content("#who-title") == "This file is damaged: make a new one."
    assert page.is_hidden("#deal")


def test_every_text_of_its_own_is_used():
    code = joined(ONE_DEAL) + WHOLE.sub("", (PARTS / "page.html").read_text(encoding="utf-8"))
    code += "".join((PARTS / "one" / name).read_text(encoding="utf-8") for name in ("screens.html", "options.html"))
    for key, text in texts("en", ONE_TEXTS).items():
        assert "{" not in text
        assert re.search(rf"[\"']{key}[\"']", code), key


def test_the_same_seed_gives_the_same_bytes_and_says_what_they_give_away(tmp_path, capsys):
    file = tmp_path / "deal.html"
    words = ["deal", "60", "--dealers", "2", "--html"]
    assert main([*words, str(file), "--seed", SEED]) == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"wrote {file}" in shown.err
    assert "anyone who has the page can work out the order: use it once, then destroy it" in shown.err.lower()
    assert "every dealer opens this file" in shown.err.lower()
    assert main([*words, "-", "--seed", SEED]) == 0
    assert capsys.readouterr().out == file.read_text(encoding="utf-8")
    assert main([*words, "-"]) == 0
    assert capsys.readouterr().out != file.read_text(encoding="utf-8")
    assert main([*words, "-", "--seed", SEED, "--voices", "none"]) == 0
    assert len(capsys.readouterr().out) < len(file.read_text(encoding="utf-8")) - 50_000


def test_impossible_input_gets_one_line_and_leaves_no_file(tmp_path, monkeypatch, capsys):
    for words, says in [
        ("60 --html /nowhere/deal.html", "cannot write '/nowhere/deal.html'"),
        ("20000 --html FILE", "20000 cards are too many for a code: use up to 10000, or leave out --html"),
        ("60 --dealers 5 --html FILE", "5 dealers are too many"),
        ("60 --passes 3 --html FILE", "at least 3 passes"),
        ("4 --mat 2x1 --labels leftwards,right --html FILE", "'leftwards'"),
        ("60 --html FILE --voices xx", "'xx'"),
        ("60 --voices en", "--html"),
        ("60 --html - --json", "--json"),
        ("60 --html - --reveal", "--reveal"),
        ("60 --html FILE --pdf x.pdf --booklet 2", "--booklet 2"),
    ]:
        monkeypatch.chdir(tmp_path)
        assert main(["deal", *words.split()]) == 2
        shown = capsys.readouterr()
        assert shown.out == ""
        assert says in shown.err
        assert shown.err.count("\n") == 1
        assert not (tmp_path / "FILE").exists()
