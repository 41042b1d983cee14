"""A person at the table with the dealing page: reads what it shows, lays the cards, taps."""

import json
import re
from itertools import islice

from fairdeck import seeded_words
from tests.table import Table

PHONE = {"width": 390, "height": 844}
LANDSCAPE = {"width": 844, "height": 390}
SMALL = {"width": 320, "height": 568}
TABLET = {"width": 820, "height": 1180}
TINY_LANDSCAPE = {"width": 568, "height": 320}

TAPED = """(() => {
  const tape = [], real = crypto.getRandomValues.bind(crypto);
  let at = 0;
  crypto.getRandomValues = (array) => {
    if (array.length % 8) return real(array); // the words of the health test are never dealt
    for (let i = 0; i < array.length; i++) array[i] = tape[at++];
    return array;
  };
})()"""
# The names of a module are its own. Here the page's module becomes a plain script, letter for letter the same, before
# it runs, so that a test can ask for what no person sees.
INSIDE = """new MutationObserver(() => document.querySelector("script[type=module]")?.removeAttribute("type"))
  .observe(document, { childList: true, subtree: true });
"""
# A person takes time: on the page's clock each tap and key comes two seconds after the one before, or so many as
# a test says; while `still` is a time, it stands still. Clips, beats and time-outs keep the device's own time.
LEISURE = """(() => {
  const now = performance.now.bind(performance);
  Object.assign(window, { takes: 2000, ahead: 0, still: null });
  performance.now = () => window.still ?? now() + window.ahead;
  for (const kind of ["click", "keydown"]) addEventListener(kind, () => { window.ahead += window.takes; }, true);
})()"""
UNHURRIED = INSIDE + LEISURE
SHOWN = """() => {
  const seen = (id) => !$(id).hidden && $(id).getClientRects().length > 0;
  const five = [...$("five").querySelectorAll("li:not(.dealt) b")].map((item) => item.textContent);
  const lane = $("lanes").querySelector("[data-ahead='0'], b");
  return {
    kind: /on-(\\w+)/.exec($("deal").className)[1],
    labels: seen("five") ? five : [(seen("lanes") ? lane : $("label")).textContent],
    note: $("note").textContent, count: $("count").textContent, progress: $("progress").textContent,
    said: $("said").textContent.trim(),
    now: [...$("mat").querySelectorAll(".now")].map((cell) => cell.firstChild.textContent),
    turns: [...$("mat").querySelectorAll("i")]
      .map((badge) => [Number(badge.textContent), badge.closest("div").firstChild.textContent])
      .sort().map(([, name]) => name),
    beats: [$("label").matches(".beat"), [...$("five").children].map((item) => item.matches(".same"))],
    heights: Object.fromEntries([...$("mat").querySelectorAll("div:has(small)")]
      .map(({ children: [name, height] }) => [name.textContent, Number(height.textContent)])),
  };
}"""


# A database whose answers wait until a test lets them through.
HELD = """(() => {
  const plain = indexedDB.open.bind(indexedDB);
  window.answers = [];
  indexedDB.open = (...all) => {
    const real = plain(...all), held = {};
    real.onupgradeneeded = () => { held.result = real.result; held.onupgradeneeded(); };
    real.onsuccess = () => { held.result = real.result; answers.push(() => held.onsuccess?.()); };
    return held;
  };
})();"""


def tape(seed, cards):
    """Return words for a page whose randomness is to be known."""
    return list(islice(seeded_words(seed.encode()), cards + 40_000))


def taped(words):
    """Return the script that makes the page draw these words."""
    return TAPED.replace("[]", json.dumps(list(words)))


def ready(page):
    """Wait until the page has ready itself."""
    page.wait_for_selector("#version:not(:empty)", state="attached")
    page.wait_for_selector("main:not([hidden])")
    return page


# A step is on the disk some milliseconds after the tap. A reload sooner than that may lose it; no hand is so quick.
ON_DISK = """async () => !deal?.owned || isDone() || !(await deal.taken)
  || (await readSlot(slotNow())).step?.at === deal.at"""


def reload(page):
    page.wait_for_function(ON_DISK)
    page.reload()
    ready(page)


def open_change(page):
    """Unfold the settings that the first screen hides."""
    if not page.is_visible("#change[open]"):
        page.click("#change > summary")


def open_mending(page):
    """Open what helps with a misplaced card, in the middle of a pass."""
    page.click("#options-open")
    page.click("#open-wrong")


def tap_more(page):
    """Fold or unfold the settings that few need."""
    open_change(page)
    page.click("#more summary")


def set_up(page, cards, mat, goal="deck", dealers=1):
    """Fill in the setup."""
    page.fill("#cards", str(cards))
    open_change(page)
    preset = page.locator(f"#presets button[value='{mat}']")
    if preset.count():
        preset.click()
    else:
        page.click("#presets button[value=own]")
        columns, rows = mat.split("x")
        page.fill("#columns", columns)
        page.fill("#rows", rows)
    kind, _, value = goal.partition(":")
    page.locator(f"input[name=goal][value={kind}]").check()
    if kind == "hands":
        hands, _, left = value.partition("+")
        players, each = hands.split("x")
        page.fill("#players", players)
        page.fill("#each", each)
        page.set_checked("#stock", left != "rest")
    elif kind == "top":
        page.fill("#top", value)
    page.locator(f"input[name=dealers][value='{dealers}']").check()


def choose_view(page, view):
    """Choose a view, from the setup or in the middle of a deal."""
    if page.is_visible("#deal"):
        page.click("#options-open")
    else:
        tap_more(page)
    if not page.is_visible("#options"):
        page.click("#options-setup")
    page.locator(f"input[name=view][value={view}]").check()
    page.click("#options .primary")
    if page.is_visible("#more[open]"):
        page.click("#more summary")


def tap_next(page):
    page.evaluate("() => $('next').click()")


def follow(table, shown):
    """Do with the cards what one screen says; False when the deal is done."""
    kind, title = shown["kind"], shown["labels"][0]
    if kind == "open":
        table.begin("bottom" in title)
    elif kind == "card":
        assert shown["now"] == [title]
        assert shown["turns"][-len(shown["labels"]) :] in ([], shown["labels"])
        for label in shown["labels"]:
            table.deal(label)
    elif kind == "check":
        assert {name: len(pile) for name, pile in table.mats[-1].items()} == {
            n: h for n, h in shown["heights"].items() if h
        }
    elif kind == "join":
        said = re.findall(r"dealer (\d)’s(?: pile on dealer (\d)’s)?", shown["note"])
        assert said == [(str(dealer), "1" if dealer == 2 else "") for dealer in range(2, len(table.mats) + 1)]
        assert {name: len(pile) for name, pile in table.join().items()} == shown["heights"]
    elif kind == "hands":
        assert len(table.mats) == 1
        rest = re.search(r"other cards lie on (\w+)", shown["note"])
        table.take_away([*title.removeprefix("Hand out ").split(", "), *([rest[1]] if rest else [])])
    elif kind == "gather":
        assert len(table.mats) == 1, "dealers' piles are joined before they are gathered"
        table.put(*re.fullmatch(r"Put (\S+) on (\S+)", title).groups())
    return kind != "done"


def play(page, cards, before_each=lambda: None):
    """Deal the deck through to the end; return the table."""
    table = Table(cards)
    while True:
        before_each()
        if not follow(table, page.evaluate(SHOWN)):
            return table
        tap_next(page)
