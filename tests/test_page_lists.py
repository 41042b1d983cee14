"""Deck lists on the dealing page: its reader against Python's, and a list that is pasted, typed, dropped and chosen."""

import json

import pytest

from fairdeck import FairdeckError
from fairdeck.cards.languages import in_short
from fairdeck.cards.lists import read_list
from fairdeck.page import LANGUAGES
from tests.page_scripts import engine_of
from tests.test_lists import ARENA, COD, REFUSED, SAMPLES

HELPERS = """
function rowsOf(text) {
  try {
    return JSON.stringify(readList(text).map(({ copies, name, at, part }) => [copies, name, at, part !== ""]));
  } catch (error) {
    if (!error.gaps) throw error;
    return JSON.stringify({ wrong: error.message, ...error.gaps });
  }
}
"""
LEFT_TO_THE_COMMAND = {"xml", "slots", "table", "ydk"}


@pytest.fixture(scope="module")
def rows_of():
    context = engine_of("", "deck_list", helpers=HELPERS)
    return lambda text: json.loads(context.get("rowsOf")(text))


@pytest.mark.parametrize("text", [*SAMPLES, *REFUSED], ids=range(len(SAMPLES) + len(REFUSED)))
def test_the_page_reads_a_list_as_python_does_or_both_refuse_it(rows_of, text):
    there = rows_of(text)
    try:
        found = read_list(text)
    except FairdeckError:
        assert isinstance(there, dict), there
        return
    if found.format in LEFT_TO_THE_COMMAND:
        assert there["wrong"] == "listFile" and there["command"] == "deal"
    elif isinstance(there, dict):
        assert there["wrong"] == "listOdd", there
        assert found.format == "playing" or any(word in text for word in ("Énergie", "FaBrary", "###"))
    else:
        _, names = in_short([name for _, name, _, _ in there])
        told = [(copies, name, at, aside) for (copies, _, at, aside), name in zip(there, names, strict=True)]
        here = [(entry.copies, entry.name, entry.line, bool(entry.part)) for entry in (*found.main, *found.aside)]
        assert sorted(told) == sorted(here)


def test_a_refusal_names_line_and_value(rows_of):
    assert rows_of("4 Fox\n\nMarsh\n2 Wall") == {"wrong": "listOdd", "at": 3, "value": "Marsh"}
    assert rows_of("40 Fox\n\n2 Wall") == {"wrong": "listTwo", "at": 3, "value": "2 Wall"}
    assert rows_of(COD) == {"wrong": "listFile", "at": 1, "value": "XML", "command": "deal"}
    assert rows_of("qx|o1|md|3S")["command"] == "boards"


def test_long_texts_are_read_or_refused_at_once(rows_of):
    long = "x" * 300_000, "1 " * 100_000, "4 Fox " + "[" * 50_000, " , " * 100_000, "4 Fox\n" * 50_000, '"' * 99_999
    assert all(map(rows_of, long))


PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""
TYPE = """(text) => {
  $("tiles").lastChild.click();
  $("list").value = text;
  $("list").dispatchEvent(new Event("input", { bubbles: true }));
}"""
DROP = """(text) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], "deck.txt"));
  for (const kind of ["dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
  }
}"""


def test_a_list_that_is_pasted_dropped_or_chosen_is_dealt(open_page):
    for give in ("paste", "drop", "choose"):
        page = open_page()
        page.click("#tiles label:nth-child(2)")
        if give == "choose":
            page.click("#tiles label:last-child")
            page.set_input_files("#list-file", {"name": "deck.txt", "mimeType": "text/plain", "buffer": ARENA.encode()})
        else:
            page.evaluate(PASTE if give == "paste" else DROP, ARENA)
        page.wait_for_function("() => $('list-said').textContent")
        assert page.text_content("#list-said") == "9 cards, 3 names, left out: 2 (Sideboard)"
        assert page.is_checked("[name=goal][value=deck]"), "hands of bridge were chosen before"
        page.click("#start")
        page.wait_for_selector("#deal:not([hidden])")


@pytest.mark.parametrize("size", ["100%", "200%"])
@pytest.mark.parametrize("view", [(360, 740), (740, 360)])
@pytest.mark.parametrize("give", [TYPE, PASTE, DROP])
def test_what_is_wrong_with_a_list_is_in_sight_at_once(open_page, give, view, size):
    page = open_page({"width": view[0], "height": view[1]})
    page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", size)
    page.evaluate(give, "4 Fox\nMarsh")
    page.wait_for_function("() => $('cards-error').textContent")
    assert page.evaluate("""() => {
      const { left, top, right, bottom } = $("cards-error").getBoundingClientRect();
      return [top + 2, bottom - 2].every((y) => document.elementFromPoint((left + right) / 2, y) === $("cards-error"));
    }""")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_list_with_a_fault_is_told_by_its_line_and_deals_nothing(open_page, language):
    page = open_page(locale=language)
    page.click("#tiles label:last-child")
    page.fill("#list", ARENA.replace("4 Fox", "Fox"))
    assert " 5" in page.text_content("#cards-error").partition(":")[0]
    page.focus("#deck")
    page.focus("#deck")
    page.click("#start")
    assert page.is_hidden("#deal")
    assert page.evaluate("document.activeElement.id") == "list"
    assert page.evaluate("document.activeElement.id") == "list"
    page.click("#tiles label:first-child")
    assert page.text_content("#cards-error") == "", "another deck has nothing to do with the list"
    page.click("#tiles label:last-child")
    assert page.text_content("#cards-error") != ""
    page.fill("#cards", "40")
    assert page.text_content("#cards-error") == page.input_value("#list") == ""
