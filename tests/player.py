"""A person at the table with the dealing page: reads what it shows, lays the cards, taps."""

import json
import re
from itertools import islice, pairwise

from fairdeck import Mat, RandomIntegers, Task, draw, parse_goal, plan_for, seeded_words
from tests.table import Table
from tests.webdriver import eventually

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
# A person takes time: on the page's clock each tap and key comes two seconds after the one before, or so many as
# a test says; while `still` is a time, it stands still. Clips, beats and time-outs keep the device's own time.
LEISURE = """(() => {
  window.$ = (id) => document.getElementById(id);
  const now = performance.now.bind(performance);
  Object.assign(window, { takes: 2000, ahead: 0, still: null });
  performance.now = () => window.still ?? now() + window.ahead;
  for (const kind of ["click", "keydown"]) addEventListener(kind, () => { window.ahead += window.takes; }, true);
})()"""
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
    stops: [...$("mat").querySelectorAll("button")].map((stop) => {
      const { left, top, width, height } = stop.getBoundingClientRect(), [x, y] = [left + width / 2, top + height / 2];
      const cell = [...$("mat").children].filter((each) => each.matches("div")).find((each) => {
        const box = each.getBoundingClientRect();
        return box.left < x && x < box.right && box.top < y && y < box.bottom;
      });
      return [Number(stop.textContent), cell.textContent, stop.getAttribute("aria-pressed") === "true"];
    }),
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


def order_drawn(words, cards, goal="deck"):
    """Return the order that a page draws from these words."""
    return draw(Task(cards, Mat(5, 2), parse_goal(goal, cards)), RandomIntegers(words))[1]


def labels_planned(words, cards, mat, goal="deck"):
    """Return the labels of each pass to that order, as Python plans them."""
    plan = plan_for(Task(cards, Mat.parse(mat), parse_goal(goal, cards)), order_drawn(words, cards, goal))
    return [[plan.mat.labels[space] for space in step.deal] for step in plan.passes]


def taped(words):
    """Return the script that makes the page draw these words."""
    return TAPED.replace("[]", json.dumps(list(words)))


def ready(page):
    """Wait until the page has ready itself."""
    page.wait_for_selector("#version:not(:empty)", state="attached")
    page.wait_for_selector("main:not([hidden])")
    return page


# What is on the disk, read past the page: the database `fairdeck` with its store `slots`. A slot, such as `deal`, holds
# who took it last and the last step. Of the code beside it only that it is there: whoever reads it keeps its file.
STORED = """() => new Promise((resolve) => {
  setTimeout(() => resolve({}), 5000);  // a database may never answer
  const asked = IDBFactory.prototype.open.call(indexedDB, "fairdeck"), found = {};
  asked.onsuccess = () => {
    const store = asked.result.transaction("slots").objectStore("slots");
    store.getAllKeys().onsuccess = ({ target: { result: keys } }) => {
      for (const key of keys) {
        if (key.endsWith(" code")) found[key] = true;
        else store.get(key).onsuccess = ({ target }) => { found[key] = target.result; };
      }
    };
    store.transaction.oncomplete = () => { asked.result.close(); resolve(found); };
  };
})"""
# The last step is in localStorage at once and on the disk some milliseconds later.
ON_DISK = f"""async () => {{
  if (!$("deal").getClientRects().length || $("deal").matches(".on-done") || !$("elsewhere").hidden) return true;
  const last = JSON.parse(localStorage.getItem("fairdeck-last")), kept = await ({STORED})(), slot = kept[last?.slot];
  if (slot?.step && slot.taker === last.taker) return slot.step.count >= last.step.count;
  return Object.values(kept).some((each) => each.step);
}}"""


# A tab that deals has buttons, and a slot on the disk.
OWNED = f"""async () => $("deal").getClientRects().length > 0 && $("elsewhere").hidden
  && Object.values(await ({STORED})()).some((each) => each.step)"""


def stored(page):
    return page.evaluate(STORED)


def wait_until(page, condition, wanted=None):
    """Wait until a function of the page, which may have to wait itself, returns what is true."""
    eventually(lambda: page.evaluate(condition, wanted), condition)


def wait_until_stored(page, what, wanted=None):
    """Wait until this is true of what is `kept` on the disk."""
    wait_until(page, f"async (wanted) => {{ const kept = await ({STORED})(); return {what}; }}", wanted)


def reload(page):
    wait_until(page, ON_DISK)
    page.reload()
    ready(page)


def choose_cards(page, cards):
    """Choose a deck of any number of cards, typed as it is."""
    if not page.is_visible("#cards"):
        page.locator("#tiles > :last-child input").check()
    page.fill("#cards", str(cards))


def choose_deck(page, name):
    """Choose a deck by its name and number of cards, on its tile or in the list of others."""
    tile = page.get_by_role("radio", name=name)
    if tile.count():
        tile.check()
        return
    page.locator("#tiles > :last-child input").check()
    page.select_option("#deck", label=re.sub(r", (\d+) cards", r" (\1)", name))


def open_change(page):
    """Unfold the settings that the first screen hides."""
    if not page.is_visible("#change"):
        page.click("#change-open")


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
    choose_cards(page, cards)
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
    elif kind != "deck":
        page.fill(f"#{kind}", value)
    page.locator(f"input[name=dealers][value='{dealers}']").check()


def begun(page, cards=None, mat="5x2", goal="deck", dealers=1, *, view=None, kept=False):
    """Start a deal, as it is set up or of so many cards; return the page, if asked once the deal is kept."""
    if cards:
        set_up(page, cards, mat, goal, dealers)
    if view:
        choose_view(page, view)
    page.click("#start")
    if kept:
        wait_until(page, OWNED)
    return page


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


def leave(page):
    """Leave the deal, in its options: the page asks."""
    page.click("#options-open")
    page.click("#leave")


def tap_next(page):
    page.evaluate("() => $('next').click()")


def go_to(page, kind):
    """Tap until a screen of this kind is there."""
    while page.evaluate(SHOWN)["kind"] != kind:
        tap_next(page)


def place(page):
    """Return which step the screen shows."""
    shown = page.evaluate(SHOWN)
    return shown["kind"], shown["progress"], shown["count"], shown["labels"]


def wait_for_place(page, wanted):
    """Wait until the screen shows this step, which another tab may have taken."""
    same = "JSON.stringify([kind, progress, count, labels]) === JSON.stringify(wanted)"
    shown = f"(wanted) => {{ const {{ kind, progress, count, labels }} = ({SHOWN})(); return {same}; }}"
    page.wait_for_function(shown, arg=wanted)


def follow(table, shown):
    """Do with the cards what one screen says; False when the deal is done."""
    kind, title = shown["kind"], shown["labels"][0]
    if kind == "open":
        table.begin("bottom" in title)
    elif kind == "card":
        assert shown["now"] == [title]
        assert shown["turns"][-len(shown["labels"]) :] in ([], shown["labels"])
        assert not table.from_bottom or "from the bottom" in shown["note"]
        for label in shown["labels"]:
            table.deal(label)
    elif kind == "check":
        assert {n: len(pile) for n, pile in table.mats[-1].items()} == {n: h for n, h in shown["heights"].items() if h}
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
        numbers, labels, behind = zip(*shown["stops"], strict=True)
        assert numbers == tuple(range(1, len(labels) + 1))
        assert title == f"Stack 1 to {len(labels)}"
        ahead = labels[behind.count(True) :]
        for pile, onto in pairwise(ahead):
            table.put(pile, onto)
    return kind != "done"


def play(page, cards, before_each=lambda: None):
    """Deal the deck through to the end; return the table."""
    table = Table(cards)
    while True:
        before_each()
        if not follow(table, page.evaluate(SHOWN)):
            return table
        tap_next(page)
