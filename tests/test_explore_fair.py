"""Is your shuffle fair, and the rank histogram: as visitors use them, with code that means no good."""

import re
import shlex
from functools import partial

import pytest

from fairdeck.cli import main
from fairdeck.explore import HERE, explaining
from fairdeck.page import LANGUAGES, texts
from tests.conftest import serving

FAIR = """for (let i = deck.length - 1; i > 0; i--) {
  const j = Math.floor(Math.random() * (i + 1));
  [deck[i], deck[j]] = [deck[j], deck[i]];
}"""
DONE = ".side:first-child .verdict:is(.good, .bad)"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Return the address of a server with the pages, and the requests that it gets."""
    folder = tmp_path_factory.mktemp("site")
    for name in ("fair", "histogram"):
        (folder / f"{name}.html").write_text(explaining(name))
    with serving(folder) as started:
        yield started.place, started.asked


@pytest.fixture
def visit(browser, server):
    """Open a page with these settings. What pasted code complains of is no fault of the page."""
    contexts = []

    def opened(name, settings, locale="en"):
        contexts.append(browser.new_context(locale=locale, viewport={"width": 1280, "height": 720}))
        page = contexts[-1].new_page()
        page.goto(f"{server[0]}{name}.html#{settings}")
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def fair(visit):
    """Open the page that asks whether a shuffle is fair."""
    return partial(visit, "fair")


@pytest.fixture
def histogram(visit):
    """Open the rank histogram."""
    return partial(visit, "histogram")


def verdict(page):
    page.wait_for_selector(DONE, timeout=20_000)
    return page.text_content(".verdict >> nth=0")


def pasted(page, code):
    """Run this code as the first shuffle, and return what the page says of it."""
    page.fill("textarea >> nth=0", code)
    page.click(".side .small-primary >> nth=0")
    return verdict(page)


def test_a_mistake_is_found_beside_a_fair_shuffle_and_a_link_shows_the_same_again(fair):
    page = fair("cards=20&decks=100000&seed=7")
    page.wait_for_selector(".side:last-child .verdict.good")
    assert verdict(page).startswith("Unfair")
    shown = page.locator(".verdict, .tests, .side > .side > p").all_text_contents()
    assert "Card 19 lies at place 20" in " ".join(shown), "as seldom seen as likely: (1 - 1/n)^n against 1/n"
    address = page.url
    assert "a=naive&b=fisher-yates" in address
    again = fair(address.partition("#")[2])
    again.wait_for_selector(".side:last-child .verdict.good")
    verdict(again)
    assert again.locator(".verdict, .tests, .side > .side > p").all_text_contents() == shown


@pytest.mark.long
def test_a_small_p_value_is_written_as_in_the_readers_language(fair):
    page = fair("cards=52&decks=1000&seed=7&a=sort-keys-6", locale="de")
    verdict(page)
    assert re.search(r"p = \d,\d · 10⁻[⁰¹²³⁴-⁹]+", page.text_content(".tests >> nth=0"))


def test_a_bad_link_and_a_bad_number_do_no_harm(fair):
    page = fair("cards=9999&decks=x&seed=-1&a=%00&b=nonsense*7")
    assert verdict(page).startswith("Unfair"), "the usual shuffle"
    page.fill("#cards", "2")
    page.click("#again")
    assert "whole number from 3 to 52" in page.text_content("#error")


def test_pasted_code_is_judged(fair):
    page = fair("cards=8&decks=10000&a=js:&b=none")
    assert page.text_content(".verdict >> nth=0") == "Read the code, then run it.", "a link runs nothing by itself"
    assert pasted(page, f"function shuffle(deck) {{ {FAIR} }}").startswith("No fault found")
    assert pasted(page, f"export default function shuffle(deck) {{ {FAIR} }}").startswith("No fault found")
    assert pasted(page, "const shuffle = (deck) => deck.slice().sort(() => Math.random() - 0.5);").startswith("Unfair")


FAULTS = {
    "const mix = 1;": "no function named shuffle",
    "function shuffle(deck) {": "SyntaxError",
    "function shuffle(deck) { throw new Error('<b>oh</b>'); }": "The code stopped: Error: <b>oh</b>",
    "function shuffle(deck) { deck[0] = deck[1]; }": "Deck 1 holds the card 1 twice",
    "function shuffle(deck) { deck[0] = 1.5; }": "Deck 1 holds 1.5",
    "function shuffle(deck) { return deck.slice(1); }": "no list of all the cards but [7]",
    "function shuffle(deck) { for (;;); }": "Ended: no deck came for 4 seconds",
    "for (;;);": "Ended: no deck came for 4 seconds",
    "async function shuffle(deck) {}": "[object Promise]",
}


@pytest.mark.cases(1)
@pytest.mark.parametrize("code", FAULTS)
def test_pasted_code_that_fails_is_told_and_ended(fair, code):
    page = fair("cards=8&decks=10000&a=js:&b=none")
    assert FAULTS[code] in pasted(page, code)
    assert page.locator("iframe").count() == 0


def posting(code):
    """Return code that runs this in place of every report `d` to the page."""
    return f"""const post = MessagePort.prototype.postMessage;
      MessagePort.prototype.postMessage = function (d) {{ {code} }};
      function shuffle() {{}}"""


NO_COUNT = "is no count of its decks"
LIES = {
    posting("d.counts.places.fill(1e300); post.call(this, d);"): NO_COUNT,
    posting("d.counts.bins.fill(-5); post.call(this, d);"): NO_COUNT,
    posting("d.counts.decks = 0.5; d.counts.sequences = 1e308; post.call(this, d);"): NO_COUNT,
    posting("post.call(this, d); post.call(this, d);"): NO_COUNT,
    posting("post.call(this, { wrong: 'pastedXyz' });"): NO_COUNT,
    posting("post.call(this, { wrong: { toString: 1, valueOf: 1 } });"): NO_COUNT,
    "function shuffle() { throw { told: { wrong: 'pastedThrew', n: 'x', value: { toString: 1, valueOf: 1 } } }; }": "?",
    "function shuffle() { throw { told: () => 1 }; }": "The code stopped: ?",
    "function shuffle() { throw { toString() { throw 1; } }; }": "The code stopped: ?",
    """let at = 0;
    const shuffle = (deck) => new Proxy(deck, { get: (all, key) => (key > -1 ? at++ % 3 : all[key]) });""": "twice",
    """class Two extends Array { *[Symbol.iterator]() { for (let i = 0; i < 8; i++) yield i; } }
    const shuffle = () => new Two(8).fill(NaN);""": "Deck 1 holds NaN",
}


@pytest.mark.cases(1)
@pytest.mark.parametrize("code", LIES)
def test_pasted_code_that_lies_of_its_decks_is_told(fair, code):
    page, complaints = fair("cards=8&decks=100000&a=js:&b=none"), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    said = pasted(page, code)
    assert LIES[code] in said
    assert "fault found" not in said and "Unfair" not in said
    assert page.locator("iframe").count() == 0
    assert complaints == []


@pytest.mark.long
def test_pasted_code_that_floods_the_page_with_counts_does_not_stop_it(fair):
    page = fair("cards=8&decks=1000000&a=js:&b=none")
    flood = """const { bins, places } = d.counts;
      bins.fill(0), places.fill(0);
      for (let decks = bins[0] = 1; decks < 1e6; bins[0] = ++decks) {
        for (let card = 0; card < 8; card++) places[card * 9] = decks;
        post.call(this, { counts: { decks, bins, places, sequences: decks } });
      }"""
    assert NO_COUNT in pasted(page, posting(flood)), "it froze for 37 seconds"


@pytest.mark.long
def test_nothing_is_said_of_pasted_code_by_the_count_of_the_shuffle_before_it(fair):
    page = fair("cards=52&decks=1000000&a=overhand*20&b=none&seed=1")
    page.wait_for_selector(".verdict:has-text('decks')")
    page.select_option(".side select >> nth=0", "js")
    page.wait_for_timeout(500)
    assert page.text_content(".verdict >> nth=0") == "Read the code, then run it."


@pytest.mark.long
def test_a_link_keeps_all_of_the_code_that_it_carries(fair):
    code = f"function shuffle(deck) {{ {FAIR} }} //".ljust(3999, "x") + "!"
    page = fair("cards=8&decks=1000&a=js:&b=none")
    page.fill("textarea >> nth=0", code)
    page.click(".side .small-primary >> nth=0")
    page.reload()
    assert page.input_value("textarea >> nth=0") == code


@pytest.mark.cases(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_code_that_the_link_cuts_is_told_before_the_link_is_sent(fair, language):
    page = fair("cards=8&decks=1000&a=js:&b=none", locale=language)
    said = page.locator(".cuts >> nth=0")
    page.fill("textarea >> nth=0", "x" * 4000)
    assert said.text_content() == ""
    page.fill("textarea >> nth=0", "x" * 4001)
    number = {"en": "4,000", "de": "4.000", "es": "4000", "fr": "4\u202f000"}[language]
    assert said.text_content() == texts(language, HERE / "fair/texts")["linkCuts"].replace("{n}", number)
    assert said.is_visible()
    page.fill("textarea >> nth=0", "x")
    assert said.text_content() == ""


def commands(page):
    """Return the command lines that a page shows."""
    page.wait_for_selector(".command-line")
    return page.locator(".command-line").all_text_contents()


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "decks", "fault"),
    [("fair", 1000, "naive is not fair"), ("histogram", 20_000, "naive fills its bins unevenly")],
)
def test_the_commands_of_a_page_say_what_the_page_says(visit, name, decks, fault, capsys):
    page = visit(name, f"cards=20&decks={decks}&bins=20&a=naive&b=fisher-yates&seed=1")
    for command, says in zip(commands(page), (fault, "fisher-yates shows no fault"), strict=True):
        program, *arguments = shlex.split(command)
        assert program == "fairdeck"
        # A fault is told by the exit code too.
        assert main([*arguments, "--seed", "7"]) in {0, 1}
        assert says in capsys.readouterr().out


def test_the_command_for_pasted_code_names_its_cards(fair):
    """Without their number the lab waits for decks of 52."""
    page = fair("cards=8&decks=1000&a=js:&b=none")
    assert commands(page) == ['fairdeck test --exec "node shuffle.js" --cards 8 --decks 1000']


@pytest.mark.long
@pytest.mark.parametrize("name", ["fair", "histogram"])
def test_no_command_breaks_inside_a_word(visit, name):
    page = visit(name, "cards=20&decks=100000&a=naive&b=fisher-yates")
    page.set_viewport_size({"width": 390, "height": 844})
    commands(page)
    lines = page.locator(".command-line span").evaluate_all(
        "words => words.map((word) => word.clientHeight / parseFloat(getComputedStyle(word).lineHeight))"
    )
    assert lines and max(lines) < 1.5


@pytest.mark.long
def test_either_all_bars_have_a_gap_or_none(histogram):
    page = histogram("cards=20&decks=100000&bins=200&a=fisher-yates&b=none&seed=3")
    page.set_viewport_size({"width": 844, "height": 390})
    page.wait_for_selector(".head p:has-text('as even as chance')")
    page.wait_for_timeout(200)
    gaps = page.evaluate("""() => {
      const canvas = document.querySelector("canvas"), { width, height } = canvas;
      const { data } = canvas.getContext("2d").getImageData(0, height - 2, width, 1);
      return Array.from({ length: width }, (_, x) => data[4 * x + 3]).filter((shade) => !shade).length;
    }""")
    assert gaps in (0, 200), "only the bars of five pixels had one"


def test_before_the_first_deck_the_histogram_is_empty(fair):
    page = fair("cards=8&decks=1000&a=js:&b=none")
    page.wait_for_timeout(200)
    shades = """() => {
      const canvas = document.querySelector(".histogram"), { width, height } = canvas;
      return canvas.getContext("2d").getImageData(0, 0, width, height).data.filter((_, i) => i % 4 === 3).some(Boolean);
    }"""
    assert not page.evaluate(shades), "a grey block, for the band of chance filled it"
    pasted(page, f"function shuffle(deck) {{ {FAIR} }}")
    assert page.evaluate(shades)


@pytest.mark.long
def test_copied_is_said_only_of_what_was_copied(fair):
    page = fair("cards=8&decks=1000")
    page.evaluate("""() => {
      Object.defineProperty(navigator, "clipboard", { value: undefined });
      document.execCommand = () => { window.tried = document.activeElement.value; return window.works; };
    }""")
    page.click("#copy")
    assert page.evaluate("window.tried") == page.url
    assert page.text_content("#copy") == "Copy link"
    page.evaluate("window.works = true")
    page.click("#copy")
    page.wait_for_selector("#copy:has-text('Copied')")


ATTACKS = (
    "fetch('{place}').catch(() => {{}});",
    "const x = new XMLHttpRequest(); x.open('GET', '{place}', false); x.send();",
    "new WebSocket('{place}'.replace('http', 'ws'));",
    "new EventSource('{place}');",
    "importScripts('{place}');",
    "import('{place}').catch(() => {{}});",
    "new Worker('{place}');",
    "new Worker(URL.createObjectURL(new Blob([`fetch('{place}'); importScripts('{place}');`])));",
    "indexedDB.open('leak');",
    "caches.open('leak');",
    "localStorage.leak = 1;",
    "document.title = 'leak';",
    "parent.document.title = 'leak';",
    "eval('1');",
    "location = '{place}';",
    "navigator.sendBeacon('{place}');",
    "new FontFace('leak', 'url({place})').load();",
    "new BroadcastChannel('leak').postMessage('leak');",
    "postMessage({{ counts: 'leak' }}); self.close = () => {{}};",
    "}}); fetch('{place}'); runPasted(function () {{",
)


@pytest.mark.cases(1)
@pytest.mark.parametrize("attack", ATTACKS)
def test_pasted_code_reaches_neither_network_nor_storage_nor_page_nor_tabs(fair, server, attack):
    place, asked = server
    page = fair("cards=8&decks=10000&a=js:&b=none")
    page.evaluate("""() => {
      window.heard = [];
      new BroadcastChannel('leak').onmessage = ({ data }) => { window.heard.push(data); };
    }""")
    asked.clear()
    code = attack.format(place=place + "leak")
    assert "no deck came" not in pasted(page, f"{code}\nfunction shuffle(deck) {{ {FAIR} }}"), "the code did not run"
    page.wait_for_timeout(200)
    assert not [path for path in asked if "leak" in path]
    assert page.evaluate("window.heard") == []
    assert page.title() == "fairdeck: Is your shuffle fair?"
    assert page.evaluate("async () => [localStorage.length, (await indexedDB.databases()).length]") == [0, 0]


def test_a_leak_would_be_seen(server, visit):
    """The same request from a page without a policy arrives: the check above can fail."""
    place, asked = server
    page = visit("missing", "")
    page.evaluate("(place) => fetch(place)", place + "leak")
    assert "/leak" in asked


def test_the_histogram_follows_the_hand_and_no_old_work_is_left(histogram):
    page = histogram("cards=20&decks=200000&bins=200&seed=3")
    page.wait_for_selector(".head p:has-text('uneven')")
    page.wait_for_selector(".head p:has-text('as even as chance')")
    page.evaluate("""async () => {
      const bins = document.querySelector("#bins");
      for (let at = 100; at < 140; at++) {
        bins.value = at;
        bins.dispatchEvent(new Event("input"));
        await new Promise(requestAnimationFrame);
      }
    }""")
    assert page.text_content("#bins-said") == "139"
    page.hover("canvas >> nth=0")
    assert page.text_content(".pointed >> nth=0").startswith("Bin 70:")
    page.focus("canvas >> nth=0")
    page.keyboard.press("ArrowRight")
    assert page.text_content(".pointed >> nth=0").startswith("Bin 71:")
    page.wait_for_timeout(400)
    assert "bins=139" in page.url
    assert "--bins 139" in page.text_content("#command")


@pytest.mark.long
def test_each_slider_of_the_histogram_has_a_name(histogram):
    page = histogram("cards=20&decks=1000&bins=200&b=none&seed=3")
    # As the browser tells it to a screen reader: an `output` in a label would take the label.
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    names = [node["name"]["value"] for node in nodes if node["role"]["value"] == "slider"]
    assert [name.split()[0] for name in names] == ["Cards", "Decks", "Bins"]


@pytest.mark.long
def test_even_draws_leave_the_hills_of_the_obvious_loop(histogram):
    page = histogram("cards=20&decks=100000&bins=200&even=1&a=naive&b=none&seed=1")
    page.wait_for_selector(".head p:has-text('uneven')")
    assert page.is_checked("#even")
    assert "--draws even" in page.text_content("#command")


def test_few_orders_have_few_bins_and_few_decks_no_verdict(histogram):
    page = histogram("cards=3&decks=500&bins=200&a=naive&b=none")
    page.wait_for_selector(".head p:has-text('p = '), .head p:has-text('p < ')")
    assert page.text_content("#bins-said") == "6"
    page = histogram("cards=20&decks=500&bins=500&a=naive&b=none")
    page.wait_for_selector(".head p:has-text('too few for these bins')")


HEARD = """
const Plain = Worker;
window.times = [];
window.Worker = class extends Plain {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => times.push([performance.now() - this.asked, data.decks]));
  }
  postMessage(...given) {
    this.asked = performance.now();
    super.postMessage(...given);
  }
};
"""


@pytest.mark.alone
@pytest.mark.long
def test_a_million_decks_of_twenty_cards_take_little_more_than_half_a_second(browser, server):
    """The median of five visits, from the job to the last count; the first picture comes with the first part."""
    first, last = [], []
    for visit in range(5):
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.add_init_script(HEARD)
        page.goto(f"{server[0]}histogram.html#decks=1000000&a=fisher-yates&b=none&seed={visit}")
        page.wait_for_selector(".head p:has-text('as even as chance'), .head p:has-text('unclear')")
        times = page.evaluate("times")
        assert times[-1][1] == 1_000_000
        first.append(times[0][0])
        last.append(times[-1][0])
        page.close()
    assert sorted(last)[2] < 600, last
    assert sorted(first)[2] < 200, first
