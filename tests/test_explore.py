"""The pages where one sees it, as their visitors use them."""

import re

import pytest

from fairdeck.cli import main
from fairdeck.explore import HERE, PAGES, explaining, site
from fairdeck.page import LANGUAGES, build, texts
from fairdeck.page.modules import stripped
from tests.player import PHONE, tape
from tests.test_page_deals import FAKE, GENERATORS

EACH_PAGE = pytest.mark.parametrize("name", PAGES)


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """Each page in a file of its own, as `fairdeck page NAME` writes it."""
    folder = tmp_path_factory.mktemp("explore")
    for name in PAGES:
        assert main(["page", name, "-o", str(folder / f"{name}.html")]) == 0
    return folder


@pytest.fixture
def visit(open_page, files):
    """Open a page from its file."""
    return lambda name, **options: open_page(file=(files / f"{name}.html").as_uri(), **options)


@EACH_PAGE
def test_every_page_has_the_same_texts_in_each_language(name):
    own = {language: texts(language, HERE / name / "texts") for language in LANGUAGES}
    assert {frozenset(found) for found in own.values()} == {frozenset(own["en"])}
    code = "".join(file.read_text() for file in HERE.rglob("*") if file.suffix in {".html", ".js"})
    for key, text in own["en"].items():
        assert re.search(rf'"{key}"', code), f"{name}: nothing shows {key}"
        for found in own.values():
            assert sorted(re.findall(r"\{\w+\}", found[key])) == sorted(re.findall(r"\{\w+\}", text)), key


@EACH_PAGE
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it_on_a_small_phone(name, scheme, files, faults_on_a_small_phone):
    assert faults_on_a_small_phone(files / f"{name}.html", scheme) == []


@EACH_PAGE
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_the_language_of_its_reader(name, language, visit):
    page = visit(name, locale=language)
    assert page.title() == "fairdeck: " + texts(language, HERE / name / "texts")["title"]
    assert page.text_content("h1") == texts(language, HERE / name / "texts")["title"]
    assert page.evaluate("[...document.querySelectorAll('[data-t]')].filter((part) => !part.textContent).length") == 0
    assert not page.is_visible("a[href='./']"), "a file has no dealing page beside it"


def test_a_site_has_all_pages_and_keeps_them_for_offline_use():
    files = site(())
    for name in PAGES:
        assert files[f"{name}.html"] == explaining(name).encode()
        assert f"{name}.html" in re.search(r"`(.*)`.split", files["worker.js"].decode())[1].split()
    linked = set(re.findall(r'href="([\w.]+\.html)"', files["index.html"].decode()))
    assert linked == {f"{name}.html" for name in PAGES}


def test_a_page_that_is_not_there_is_told(capsys, tmp_path):
    assert main(["page", "sorted"]) == 2
    assert "did you mean 'sort'" in capsys.readouterr().err
    assert main(["page", "sort", "--site", str(tmp_path)]) == 2
    assert "leave out 'sort'" in capsys.readouterr().err
    assert main(["page", "sort", "--voices", "de"]) == 2
    assert "leave out --voices" in capsys.readouterr().err


@pytest.mark.long
def test_cards_are_followed_forwards_and_places_backwards(visit):
    page = visit("sort", words=tape("example", 400))
    page.fill("#cards", "15")
    page.select_option("#mat", "2x1")
    page.click("#new")
    while page.is_enabled("#on"):
        page.click("#on")
    grids = page.locator("#grids section")
    first, last = grids.first.locator("button"), grids.last.locator("button")
    assert [first.nth(i).text_content() for i in range(15)] == [str(i) for i in range(1, 16)]
    end = [last.nth(i).text_content() for i in range(15)]
    assert sorted(end, key=int) == [str(i) for i in range(1, 16)]
    assert end[6] != "4", "two cards are wanted, one from each end"
    first.nth(3).click()
    last.nth(6).click()
    marked = [4, int(end[6])]
    for number in range(grids.count()):
        shown = grids.nth(number).locator(".mark").all_text_contents()
        assert sorted(map(int, shown)) == sorted(set(marked)), number
        assert len(grids.nth(number).locator("button").all()) == 15
    assert page.text_content("#followed") == f"Start 4 → end {end.index('4') + 1} · Start {end[6]} → end 7"
    page.click("#back")
    assert grids.last.locator(".mark").count() == 2
    page.click("#clear")
    assert page.locator("#grids .mark").count() == 0


def test_a_bad_number_of_cards_is_told(visit):
    page = visit("sort", viewport=PHONE)
    for wrong in ("1", "41", "x"):
        page.fill("#cards", wrong)
        page.click("#new")
        assert "whole number from 2 to 40" in page.text_content("#error")


def test_no_order_comes_from_a_generator_that_is_not_sound(visit):
    page = visit("sort", script=FAKE % GENERATORS["constant"])
    page.wait_for_selector("#error:has-text('random generator')")
    page.click("#new")
    page.click("#clear")
    assert page.locator("#grids section").count() == 0
    page = visit("check", script=FAKE % GENERATORS["constant"])
    page.click("#run")
    page.wait_for_selector("#said:has-text('random generator')")


@pytest.mark.long
def test_the_dealing_pages_planner_is_checked_and_the_counts_shown(visit):
    page = visit("check")
    page.click("#run")
    page.wait_for_selector("#run:enabled")
    assert "This is normal" in page.text_content("#said")
    counts = [int(text.replace(",", "")) for text in page.locator("#bars b").all_text_contents()]
    assert len(counts) == 24
    assert sum(counts) == 24_000
    assert all(750 < count < 1250 for count in counts)
    assert len(set(page.locator("#bars span").all_text_contents())) == 24


UNFAIR = """() => {
  uniformPermutation = (n, below) => Array.from({ length: n }, (_, i) => i).sort(() => below(2) - 0.5);
}"""
ASTRAY = """() => {
  const right = tableAfter;
  tableAfter = (deal, at) => ({ ...right(deal, at), deck: [0, 1, 2, 3] });
}"""


def test_a_page_that_deals_unfairly_is_told(visit):
    page = visit("check")
    page.evaluate(UNFAIR)
    page.click("#run")
    page.wait_for_selector("#run:enabled")
    assert page.text_content("#said").startswith(texts("en", HERE / "check/texts")["bad"])


def test_a_plan_that_goes_astray_is_told(visit):
    page = visit("check")
    page.evaluate(ASTRAY)
    page.click("#run")
    page.wait_for_selector("#run:enabled")
    assert page.text_content("#said") == texts("en", HERE / "check/texts")["fault"]


def test_what_is_checked_is_what_deals():
    """The scripts that draw and plan are letter for letter the same in both pages."""
    dealing, checking = build(()), explaining("check")
    for name in ("planner", "dealing"):
        assert stripped(name) in dealing
        assert stripped(name) in checking
