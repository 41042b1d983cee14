"""The pages that explain, as their visitors use them."""

import gzip
import json
import re
from pathlib import Path

import pytest

from fairdeck.cli import main
from fairdeck.explore import HERE, OVERVIEW, PAGES, explaining, site
from fairdeck.page import WHOLE_PAGE, texts
from fairdeck.page.document import worn
from fairdeck.page.modules import SCRIPTS, needed, ordered, stripped
from fairdeck.trust.states import TABLE
from tests.test_page_contract import FAKE, GENERATORS

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


def test_every_text_is_shown_by_a_page():
    code = json.dumps(TABLE) + "".join(file.read_text() for file in HERE.rglob("*") if file.suffix in {".html", ".js"})
    for folder in HERE.rglob("texts"):
        keys = texts("en", folder).keys()
        assert folder.parent == HERE or keys >= {"title", "about"}, f"{folder}: title and about"
        assert [key for key in keys if key != "about" and f'"{key}"' not in code] == [], folder


def test_texts_break_no_line_before_a_sign_and_quote_as_their_language_does():
    """French: narrow no-break spaces before : ; ! ? % and inside « ». German, Spanish: a no-break space before %."""
    faults = {"en": r"[0-9}]\s%|[«»„]", "de": r"[0-9}] ?%|[«»]", "es": r"[0-9}] ?%|[“”„]"}
    faults["fr"] = r"[^\u202f\n](?:[:;?»]|[0-9}]%|(?<![}\d])!)|«[^\u202f]|[“”„]|[0-9}][ \u00a0]%"
    for file in [*HERE.rglob("texts/*.json"), *(HERE.parent / "page").rglob("texts/*.json")]:
        for key, text in json.loads(file.read_text(encoding="utf-8")).items():
            assert not re.search(faults[file.stem], text), (file, key)


def test_a_site_has_all_pages_and_keeps_them_for_offline_use():
    files = site(())
    for name in PAGES:
        assert files[f"{name}.html"] == explaining(name).encode()
        assert f"{name}.html" in re.search(r"`(.*)`.split", files["worker.js"].decode())[1].split()
    linked = set(re.findall(r"href=([\w.]+\.html)", files["index.html"].decode()))
    assert linked == {"why.html", "check.html"}, "which lead to all the others, and to the check of the planner"


def test_the_site_weighs_300_kb_and_each_page_26():
    """After gzip; without the voice, which no compression makes smaller."""
    weighed = {name: len(gzip.compress(content, 9)) for name, content in site(()).items()}
    assert sum(weighed.values()) <= 300 * 1024, weighed
    assert max(weighed[f"{name}.html"] for name in PAGES) <= 26 * 1024, weighed


def test_each_page_has_a_picture_on_the_overview_and_a_row_in_the_document():
    rows = Path("docs/explanation/explore.md").read_text(encoding="utf-8")
    drawn = (HERE / "why/why.js").read_text(encoding="utf-8")
    for name in PAGES:
        pictured = (HERE / name / "picture.svg").is_file() or f"\n  {name}: () =>" in drawn
        assert name == OVERVIEW or pictured, f"add explore/{name}/picture.svg"
        assert f"\n| [`{name}`](" in rows, f"add a row for {name} to docs/explanation/explore.md"


def test_each_page_leads_to_the_next_and_all_are_on_the_way(monkeypatch):
    monkeypatch.setenv("FAIRDECK_AS_WRITTEN", "1")
    way, name = [], "why"
    while name not in way:
        way.append(name)
        _, (address, _) = json.loads(re.search(r"^const BESIDE = (.*);$", explaining(name), re.M)[1])["en"]
        name = address.removesuffix(".html")
    assert set(way) == set(PAGES)


@EACH_PAGE
def test_a_page_has_no_rule_and_no_function_that_nothing_in_it_names(name, monkeypatch):
    monkeypatch.setenv("FAIRDECK_AS_WRITTEN", "1")
    page = explaining(name, alone=True)
    style = re.search(r"<style>(.*?)</style>", page, re.S)[1]
    script = re.search(r"<script type=module>(.*)</script>", page, re.S)[1]
    assert worn(style, page.replace(style, "")) == style
    assert needed(script) == script
    assert "\nfunction openFrame(" in script


def test_a_page_that_is_not_there_is_told(capsys, tmp_path):
    assert main(["page", "sorted"]) == 2
    assert "did you mean 'sort'" in capsys.readouterr().err
    assert main(["page", "sort", "--site", str(tmp_path)]) == 2
    assert "leave out 'sort'" in capsys.readouterr().err
    assert main(["page", "sort", "--voices", "de"]) == 2
    assert "leave out --voices" in capsys.readouterr().err


@pytest.mark.long
def test_no_order_comes_from_a_generator_that_is_not_sound(visit):
    page = visit("check", script=FAKE % GENERATORS["constant"])
    page.click("#run")
    page.wait_for_selector("#said:has-text('random generator')")


@pytest.mark.long
def test_the_dealing_pages_planner_is_checked_and_the_counts_shown(visit):
    page = visit("check")
    page.click("#run")
    page.wait_for_selector("#run:not([aria-disabled])")
    assert "This is normal" in page.text_content("#said")
    counts = [int(text.replace(",", "")) for text in page.locator("#bars b").all_text_contents()]
    assert len(counts) == 24
    assert sum(counts) == 24_000
    assert all(750 < count < 1250 for count in counts)
    assert len(set(page.locator("#bars span").all_text_contents())) == 24


@pytest.fixture
def check_with(open_page, monkeypatch, tmp_path):
    """Open the page that checks the planner, with more code at the end of its script. Its policy is set aside."""

    def opened(more):
        monkeypatch.setenv("FAIRDECK_AS_WRITTEN", "1")
        text, place = explaining("check", alone=True), "</script>\n"
        assert text.count(place) >= 1
        before, _, after = text.rpartition(place)
        (tmp_path / "check.html").write_text(f"{before}\n{more}\n{place}{after}", encoding="utf-8")
        return open_page(file=(tmp_path / "check.html").as_uri(), bypass_csp=True)

    return opened


FOLDERS_OF_CHECK = (HERE / "check", HERE / "scripts", SCRIPTS)
UNFAIR = "uniformPermutation = (n, below) => Array.from({ length: n }, (_, i) => i).sort(() => below(2) - 0.5);"
ASTRAY = "deckAfter = () => [0, 1, 2, 3];"


@pytest.mark.long
def test_a_page_that_deals_unfairly_is_told(check_with):
    page = check_with(UNFAIR)
    page.click("#run")
    page.wait_for_selector("#run:not([aria-disabled])")
    assert page.text_content("#said").startswith(texts("en", HERE / "check/texts")["bad"])


@pytest.mark.long
def test_who_deals_by_keyboard_keeps_the_focus_and_hears_few_words(visit):
    page = visit("check")
    page.evaluate(
        """() => {
          window.heard = 0;
          new MutationObserver(() => { window.heard++; }).observe(document.getElementById("said"), { childList: true });
        }"""
    )
    page.focus("#run")
    page.keyboard.press("Enter")
    page.wait_for_selector("#run[aria-disabled]")
    page.wait_for_selector("#run:not([aria-disabled])", timeout=60_000)
    assert page.evaluate("document.activeElement.id") == "run"
    assert page.evaluate("window.heard") <= 5


def test_a_plan_that_goes_astray_is_told(check_with):
    page = check_with(ASTRAY)
    page.click("#run")
    page.wait_for_selector("#run:not([aria-disabled])")
    assert page.text_content("#said") == texts("en", HERE / "check/texts")["fault"]


def test_what_is_checked_is_what_deals():
    """The scripts that draw and plan are the same files in both pages."""
    both = {"randomness", "planner", "dealing"}
    assert both <= set(ordered("check", folders=FOLDERS_OF_CHECK)) & set(ordered(WHOLE_PAGE))
    assert not [file for folder in FOLDERS_OF_CHECK[:2] for file in folder.iterdir() if file.name[:-3] in both]
    checking = explaining("check")
    drawn = stripped("randomness").split("\nfunction ")
    assert all(part in checking for part in drawn if "orderFor" not in part), "as it was written"
    for function in ("uniformPermutation", "planFor", "dealOf"):
        assert f"function {function}(" in checking


@pytest.mark.cases(1)
@EACH_PAGE
def test_without_a_generator_a_page_is_still_all_there(name, visit):
    page, whole = visit(name, script="delete Crypto.prototype.getRandomValues;"), visit(name)
    count = "document.querySelectorAll('main *').length"
    assert page.evaluate(count) > 0.9 * whole.evaluate(count)


@pytest.mark.long
def test_a_long_drag_of_a_slider_leaves_its_end_in_the_address(visit):
    """Chromium drops changes of the address after 200 in ten seconds, and Safari after 100 in thirty."""
    page = visit("loop", fragment="#n=2")
    page.evaluate("""() => {
      window.replacedTimes = 0;
      const replaced = history.replaceState;
      history.replaceState = function (...given) { replacedTimes++; replaced.apply(this, given); };
      window.drag = (last) => {
        const slider = document.querySelector("#n");
        for (let step = 0; step <= 300; step++) {
          slider.value = step === 300 ? last : 3 + (step % 40);
          slider.dispatchEvent(new Event("input"));
        }
      };
      drag(51);
    }""")
    page.wait_for_timeout(700)
    assert "n=51" in page.url
    assert page.evaluate("replacedTimes") < 100
    page.evaluate("drag(50); location.hash = '#n=7'")
    page.wait_for_timeout(700)
    assert page.url.endswith("#n=7"), "what waited is older"


PARTS = "['section', 'option', 'button', 'nav a', 'canvas'].map((kind) => document.querySelectorAll(kind).length)"


@pytest.mark.parametrize(
    "language", ["de", *(pytest.param(each, marks=pytest.mark.long) for each in ("en", "es", "fr"))]
)
@EACH_PAGE
def test_one_file_speaks_its_readers_language_leads_nowhere_else_and_can_be_saved(name, language, browser, files):
    """Also where somebody puts that file on a web server, or saves the page as it stands: it shows nothing twice."""
    context, faults = browser.new_context(locale=language), []
    text = (files / f"{name}.html").read_text(encoding="utf-8")
    context.route("http://club.test/**", lambda route: route.fulfill(body=text, content_type="text/html"))
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"http://club.test/{name}.html")
    page.wait_for_selector("#version:not(:empty)")
    words = texts(language, HERE / name / "texts")
    heading = words["which" if name == OVERVIEW else "title"]  # the overview opens with a game
    assert (page.title(), page.text_content("h1")) == (f"fairdeck: {words['title']}", heading)
    assert page.evaluate("[...document.querySelectorAll('[data-t]')].filter((part) => !part.textContent).length") == 0
    assert not page.is_visible("a[href='./']"), "a file has no dealing page beside it"
    parts, text = page.evaluate(PARTS), page.content()
    for tab in page.locator("#tabs input").all():
        tab.evaluate("(choice) => choice.click()")
    shown = page.locator("a[href]:not([hidden], [hidden]:not(.part) *)")
    links = [link.get_attribute("href") for link in shown.all()]
    assert [link for link in links if not link.removeprefix(page.url.partition("#")[0]).startswith("#")] == []
    page.goto("about:blank")
    page.goto(f"http://club.test/{name}.html")
    page.wait_for_selector("#version:not(:empty)")
    assert page.evaluate(PARTS) == parts
    assert faults == []
    context.close()
