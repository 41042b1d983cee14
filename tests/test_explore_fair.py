"""Is your shuffle fair? As visitors use the page: code, files, and code that means no good."""

import random
import shlex

import pytest

from fairdeck.cli import main
from fairdeck.explore import HERE, explaining, site
from fairdeck.page import LANGUAGES, texts
from fairdeck.show import look
from tests.conftest import serving

FAIR = """for (let i = deck.length - 1; i > 0; i--) {
  const j = Math.floor(Math.random() * (i + 1));
  [deck[i], deck[j]] = [deck[j], deck[i]];
}"""
OWN = "cards=8&decks=10000&a=js:"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Return the address of a server with the page, and the requests that it gets."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "fair.html").write_text(explaining("fair"), encoding="utf-8")
    for name in (look.LETTERS, look.SHEET):
        (folder / name).write_bytes(site(())[name])
    with serving(folder) as started:
        yield started.place, started.asked


@pytest.fixture
def visit(browser, server):
    """Open a page with these settings. What pasted code complains of is no fault of the page."""
    contexts = []

    def opened(name, settings="", locale="en", width=1280, height=720):
        contexts.append(browser.new_context(locale=locale, viewport={"width": width, "height": height}))
        page = contexts[-1].new_page()
        page.goto(f"{server[0]}{name}.html#{settings}")
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def fair(visit):
    """Open the page that asks whether a shuffle is fair."""
    return lambda *given, **more: visit("fair", *given, **more)


JUDGED = """() => {
  const said = document.getElementById("judged").textContent;
  return said && !said.startsWith("Counting") && said !== "…";
}"""


def verdict(page):
    """Return the verdict and its reason, once nothing is counted any more."""
    page.wait_for_function(JUDGED, timeout=20_000)
    return " ".join(page.locator("#judged, #finding, #because").all_text_contents())


def again(page, act):
    """Return what the page says after this act."""
    page.evaluate("document.getElementById('judged').textContent = '…'")
    act()
    return verdict(page)


def pasted(page, code):
    """Test this code, and return what the page says of it."""
    page.fill("#code", code)
    return again(page, lambda: page.click("#run"))


def given(page, text, name="decks.txt"):
    """Open a file with this text, and return what the page says of it."""
    file = {"name": name, "mimeType": "text/plain", "buffer": text.encode() if isinstance(text, str) else text}
    return again(page, lambda: page.set_input_files("#file", file))


def some_lines(n=1000, cards=10, seed=1):
    """Return lines of fair decks, numbered from 1."""
    rng = random.Random(seed)
    return [",".join(map(str, rng.sample(range(1, cards + 1), cards))) for _ in range(n)]


def test_the_page_opens_with_code_that_is_judged_already_and_a_link_shows_the_same_again(fair):
    page = fair("seed=7")
    assert verdict(page).startswith("Not fair Card 20 comes to place 19 in 6.")
    assert "deck.length" in page.input_value("#code")
    assert page.get_attribute("#examples button:first-child", "aria-pressed") == "true"
    shown = page.locator("#tests, #finding, #because, #repair").all_text_contents()
    assert "a=naive" in page.url
    other = fair(page.url.partition("#")[2])
    verdict(other)
    assert other.locator("#tests, #finding, #because, #repair").all_text_contents() == shown


def test_one_of_the_six_examples_is_fair_and_each_chip_remembers_its_verdict(fair):
    page = fair("seed=7")
    verdict(page)
    chips = page.locator("#examples button")
    assert chips.count() == 6
    for at in range(6):
        said = again(page, chips.nth(at).click)
        fine = chips.nth(at).text_content() == "Fisher and Yates"
        assert said.startswith("No fault seen" if fine else "Not fair"), said
        assert bool(page.text_content("#repair")) is not fine
    assert page.locator("#examples button:has(.dust)").all_text_contents() == ["Fisher and Yates"]
    assert page.locator("#examples button:has(svg)").count() == 6


@pytest.mark.parametrize("locale", LANGUAGES)
def test_on_a_phone_verdict_and_reason_stand_on_the_first_screen(fair, locale):
    page = fair("seed=7", locale=locale, width=390, height=844)
    verdict(page)
    bottom = page.evaluate("document.getElementById('finding').getBoundingClientRect().bottom")
    assert bottom <= (640 if locale == "en" else 700)
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_the_ring_lies_around_the_cell_that_the_sentence_names(fair):
    page = fair("seed=7")
    verdict(page)
    around = """([card, place]) => {
      const canvas = document.getElementById("places"), part = canvas.width / 21, pen = canvas.getContext("2d");
      return [-0.67, 0.67].flatMap((x) => [-0.67, 0.67].map((y) => [(card + x) * part, (place + y) * part]))
        .filter(([x, y]) => pen.getImageData(x, y, 1, 1).data[3] > 200).length;
    }"""
    assert page.evaluate(around, [20, 19]) == 4
    assert page.evaluate(around, [5, 15]) == 0


def test_a_bad_link_and_a_bad_number_do_no_harm(fair):
    page = fair("cards=9999&decks=x&seed=-1&a=%00&b=nonsense*7")
    assert verdict(page).startswith("Not fair"), "the usual shuffle"
    page.click("#settings summary")
    page.fill("#cards", "2")
    page.click("#run")
    assert "3 to 52, not “" in page.text_content("#error")


@pytest.mark.long
def test_a_small_p_value_is_written_as_in_the_readers_language(fair):
    page = fair("cards=20&decks=10000&seed=7&a=modulo-8", locale="de")
    verdict(page)
    assert page.text_content("#because").startswith("10.000 Decks mit 20 Karten")
    assert "p = 0," in page.text_content("#tests")


def test_pasted_code_is_judged(fair):
    page = fair(OWN)
    assert verdict(page).startswith("Not judged Read the code, then test it."), "a link runs nothing by itself"
    assert pasted(page, f"function shuffle(deck) {{ {FAIR} }}").startswith("No fault seen")
    assert pasted(page, f"export default function shuffle(deck) {{ {FAIR} }}").startswith("No fault seen")
    sort = "const shuffle = (deck) => deck.slice().sort(() => Math.random() - 0.5);"
    assert pasted(page, sort).startswith("Not fair")
    assert "a=" not in page.url, "code of one's own is in no address until it is sent on"
    page.reload()
    assert verdict(page).startswith("Not fair")


def test_too_few_decks_are_said_to_be_too_few(fair):
    assert verdict(fair("cards=52&decks=1000&a=js:")).startswith("Not judged")
    assert given(fair(OWN), "\n".join(some_lines(30))).startswith("Too few decks to tell")


FAULTS = {
    "const mix = 1;": "Write function shuffle(deck)",
    "function shuffle(deck) {": "SyntaxError",
    "function shuffle(deck) { throw new Error('<b>oh</b>'); }": "The code stopped: Error: <b>oh</b>",
    "function shuffle(deck) { deck[0] = deck[1]; }": "deck 1: card 1 twice",
    "function shuffle(deck) { deck[0] = 1.5; }": "deck 1: 1.5 is no card",
    "function shuffle(deck) { return deck.slice(1); }": "no list of all cards but [7]",
    "function shuffle(deck) { for (;;); }": "Ended: no deck came for 4 seconds",
    "for (;;){}": "Ended: no deck came for 4 seconds",
    "async function shuffle(deck) {}": "[object Promise]",
}


@pytest.mark.cases(1)
@pytest.mark.parametrize("code", FAULTS)
def test_pasted_code_that_fails_is_told_and_ended(fair, code):
    page = fair(OWN)
    said = pasted(page, code)
    assert said.startswith("Not judged")
    assert FAULTS[code] in said
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
    const shuffle = () => new Two(8).fill(NaN);""": "deck 1: NaN is no card",
}


@pytest.mark.cases(1)
@pytest.mark.parametrize("code", LIES)
def test_pasted_code_that_lies_of_its_decks_is_told(fair, code):
    page, complaints = fair("cards=8&decks=1000000&a=js:"), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    said = pasted(page, code)
    assert LIES[code] in said
    assert "fault seen" not in said and "Not fair" not in said
    assert page.locator("iframe").count() == 0
    assert complaints == []


@pytest.mark.long
def test_pasted_code_that_floods_the_page_with_counts_does_not_stop_it(fair):
    page = fair("cards=8&decks=1000000&a=js:")
    flood = """const { bins, places } = d.counts;
      bins.fill(0), places.fill(0);
      for (let decks = bins[0] = 1; decks < 1e6; bins[0] = ++decks) {
        for (let card = 0; card < 8; card++) places[card * 9] = decks;
        post.call(this, { counts: { decks, bins, places, sequences: decks } });
      }"""
    assert NO_COUNT in pasted(page, posting(flood)), "it froze for 37 seconds"


@pytest.mark.long
def test_nothing_is_said_of_code_by_the_count_of_the_shuffle_before_it(fair):
    page = fair("cards=52&decks=1000000&a=riffle*7&seed=1")
    page.wait_for_function("() => document.getElementById('judged').textContent.startsWith('Counting')")
    assert given(page, "\n".join(some_lines())).startswith("No fault seen")
    page.wait_for_timeout(500)
    assert "1,000 decks of 10 cards" in verdict(page)


SENT = """() => {
  window.sent = [];
  Object.defineProperty(navigator, "share", { value: undefined });
  Object.defineProperty(navigator, "clipboard", { value: { writeText: async (url) => { window.sent.push(url); } } });
}"""


def test_the_link_that_is_sent_on_has_the_code_and_runs_nothing(fair):
    code = f"function shuffle(deck) {{ {FAIR} }} //".ljust(3999, "x") + "!"
    page = fair("cards=8&decks=1000&a=js:")
    page.fill("#code", code)
    page.evaluate(SENT)
    page.click("#share")
    other = fair(page.evaluate("window.sent")[0].partition("#")[2])
    assert other.input_value("#code") == code
    assert verdict(other).startswith("Not judged")


@pytest.mark.cases(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_code_that_the_link_cuts_is_told_before_the_link_is_sent(fair, language):
    page = fair(OWN, locale=language)
    said = page.locator("#cuts")
    page.fill("#code", "x" * 4000)
    assert said.text_content() == ""
    page.fill("#code", "x" * 4001)
    number = {"en": "4,000", "de": "4.000", "es": "4000", "fr": "4\u202f000"}[language]
    assert said.text_content() == texts(language, HERE / "fair/texts")["linkCuts"].replace("{n}", number)
    assert said.is_visible()
    page.fill("#code", "x")
    assert said.text_content() == ""


def test_a_file_of_decks_is_judged_on_the_device(fair, server):
    page, lines = fair(OWN), some_lines()
    server[1].clear()
    said = given(page, "\ufeff" + "\r\n".join(lines) + "\r\n\r\n")
    assert said.startswith("No fault seen")
    assert "1,000 decks of 10 cards" in said
    assert page.text_content("#finding").startswith("decks.txt: A card at one place")
    assert said.endswith("Numbered from 1.")
    assert page.text_content("#command") == "fairdeck test --file decks.txt"
    assert given(page, "\n".join(lines[:500] + ["1,2,3,4,5,6,7,8,9,10"] * 100)).startswith("Not fair")
    assert not server[1], "nothing leaves the device"


def test_a_line_that_is_no_deck_is_told_with_its_number_value_and_remedy(fair):
    page, lines = fair(OWN), some_lines()
    said = given(page, "\n".join([*lines[:6], "1,2,3,3,5,6,7,8,9,10", *lines]))
    assert said == "Not fair decks.txt: line 7: card 3 twice.  ", "as the command judges it"
    said = given(page, "\n".join([*lines[:6], "1,2,3,99,5,6,7,8,9,10", *lines]))
    assert said == "Not judged decks.txt: line 7: 99 is no card of this deck. Correct it or take it out. "
    assert "1,000 decks of 10 cards" in given(page, f"[{','.join(f'[{line}]' for line in lines)}]")
    said = given(page, "\n".join([*lines[:2], "1,2,3", *lines]))
    assert "line 3: 3 cards instead of 10: 1 2 3." in said
    assert "is no deck. Write a whole deck on each line" in given(page, b"PK\x03\x04\0\0")
    assert "line 1: 1.0 is no card of this deck." in given(page, "1.0,2.0,3.0\n" * 9), "as the command says it"
    assert "2 decks of 3 cards" in given(page, "1,2,3\r3,2,1\r")
    assert "There is nothing in it." in given(page, "\n")
    assert "1,000 decks of 10 cards" in given(page, "\n".join(lines).encode("utf-16"))
    assert "Save it as UTF-8." in given(page, "ä,ö,ü\n".encode("cp1252"))
    assert "the cards are in c0–c2; left out: id." in given(page, "id,c0,c1,c2\n" + "7,1,2,0\n" * 9)
    said = given(page, "7 x KD AS 2C\n8 x 2C AS KD\n")
    assert "line 1: the cards may be in the columns 2–5 or 3–5. Keep only one of them." in said
    assert "line 2: \ufffd3 is no card" in given(page, "1,2,3\n\ufeff3,2,1\n1,2,3\n")
    assert "1 deck of 3 cards" in given(page, "1,2,3\n")
    assert "2 cards in the first deck" in given(page, "1,2\n", "-x.txt")
    assert page.text_content("#command") == "fairdeck test --file decks.txt", "-x would be an option"
    assert "\u202e" not in given(page, f"1,2,3\n3,1,{'x' * 9999}\u202e\n\n", "\u202e")
    assert 99 < len(given(page, f"a,b,{'c' * 9999}\n" * 999)) < 600, "a judged file with a long name of a card"


def test_decks_may_be_pasted_and_dropped(fair):
    page, lines = fair(OWN), some_lines(200, 5)
    paste = """(text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      const given = { clipboardData, bubbles: true, cancelable: true };
      document.getElementById("code").dispatchEvent(new ClipboardEvent("paste", given));
    }"""
    assert again(page, lambda: page.evaluate(paste, "\n".join(lines))).startswith("No fault seen")
    drop = """(text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "mine.csv"));
      for (const kind of ["dragover", "drop"]) {
        dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
      }
    }"""
    said = again(page, lambda: page.evaluate(drop, "\n".join(lines[:100] + ["5,4,3,2,1"] * 100)))
    assert said.startswith("Not fair")
    assert "mine.csv" in said
    folder = """() => {
      File.prototype.arrayBuffer = () => Promise.reject(new DOMException("", "NotFoundError"));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([""], "folder"));
      dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }"""
    page.fill("#code", "function shuffle() { for (let i = 0; i < 1e5; i++); }")
    page.click("#run")
    again(page, lambda: page.evaluate(folder))
    page.wait_for_timeout(500)  # what was being counted is ended
    assert verdict(page).startswith("Not judged folder: cannot be read. Choose a file of decks.")


def commands(page):
    """Return the command lines that a page shows."""
    page.wait_for_selector(".command-line")
    return page.locator(".command-line").all_text_contents()


@pytest.mark.long
def test_the_command_of_the_page_says_what_the_page_says(fair, capsys):
    for name, fault in {"naive": "naive is not fair", "fisher-yates": "fisher-yates shows no fault"}.items():
        page = fair(f"cards=20&decks=1000&a={name}&seed=1")
        command = commands(page)[-1]
        program, *arguments = shlex.split(command)
        assert program == "fairdeck"
        # A fault is told by the exit code too.
        assert main([*arguments, "--seed", "7"]) in {0, 1}
        assert fault in capsys.readouterr().out


def test_the_command_for_pasted_code_names_its_cards(fair):
    """Without their number the lab waits for decks of 52."""
    page = fair("cards=8&decks=1000&a=js:")
    pasted(page, f"function shuffle(deck) {{ {FAIR} }}")
    assert commands(page) == ['fairdeck test --exec "node shuffle.js" --cards 8 --decks 1000']


@pytest.mark.long
def test_no_command_breaks_inside_a_word(fair):
    page = fair("cards=20&decks=100000&a=naive", width=390, height=844)
    commands(page)
    lines = page.locator(".command-line span").evaluate_all(
        "words => words.map((word) => word.clientHeight / parseFloat(getComputedStyle(word).lineHeight))"
    )
    assert lines and max(lines) < 1.5


SHADES = """(id) => {
  const canvas = document.getElementById(id), { width, height } = canvas;
  return canvas.getContext("2d").getImageData(0, 0, width, height).data.filter((_, i) => i % 4 === 3).some(Boolean);
}"""


def test_before_the_first_deck_the_pictures_are_empty(fair):
    page = fair("cards=8&decks=1000&a=js:")
    page.click("#orders summary")
    page.wait_for_timeout(200)
    assert not page.evaluate(SHADES, "histogram"), "a grey block, for the band of chance filled it"
    assert not page.evaluate(SHADES, "places")
    pasted(page, f"function shuffle(deck) {{ {FAIR} }}")
    assert page.evaluate(SHADES, "histogram")
    assert page.evaluate(SHADES, "places")


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
    page = fair("cards=8&decks=10000&a=js:")
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


def test_the_letters_of_the_page_come_and_no_others(server, visit):
    """The page's policy allows the letters beside it; the sandbox has a policy of its own, without letters."""
    asked = server[1]
    asked.clear()
    page = visit("fair", OWN)
    page.evaluate("document.fonts.ready")
    assert [path for path in asked if "leak" not in path and path.endswith(look.LETTERS)]
    frame = "default-src 'none'; script-src 'unsafe-inline'; worker-src blob:"
    assert frame in explaining("fair")


def test_a_leak_would_be_seen(server, visit):
    """The same request from a page without a policy arrives: the check above can fail."""
    place, asked = server
    page = visit("missing", "")
    page.evaluate("(place) => fetch(place)", place + "leak")
    assert "/leak" in asked


@pytest.mark.alone
@pytest.mark.long
def test_the_usual_decks_are_judged_within_two_seconds_and_a_million_within_ten(fair):
    """The best of three visits, on a machine that others use too."""
    for decks, most in ((100_000, 2000), (1_000_000, 10_000)):
        took = []
        for seed in range(3):
            page = fair(f"decks={decks}&a=fisher-yates&seed={seed}")
            verdict(page)
            took.append(page.evaluate("performance.now()"))
        assert min(took) < most, (decks, took)
