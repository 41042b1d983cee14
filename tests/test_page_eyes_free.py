"""Deals without a look at the screen: by what is heard, with left and right, and by what is felt."""

import re
from itertools import pairwise

import pytest

from tests.player import begun, order_drawn, set_up, tap_more, tape
from tests.table import Table
from tests.test_page_tempo import words_of

# All that reaches an ear or a hand: clips with the side that they come from, sentences of the device, pulses.
SENSED = """(() => {
  window.events = [];
  const play = AudioBufferSourceNode.prototype.start, turn = AudioParam.prototype.setValueAtTime;
  AudioParam.prototype.setValueAtTime = function (value, when) {
    if (this.minValue === -1 && this.maxValue === 1) window.side = value;
    return turn.call(this, value, when);
  };
  AudioBufferSourceNode.prototype.start = function (when, offset, length) {
    events.push({ offset, at: when, side });
    return play.call(this, when, offset, length);
  };
  speechSynthesis.speak = ({ text }) => events.push({ text });
  navigator.vibrate = (pulses) => { events.push({ pulses: [pulses].flat() }); return true; };
})()"""
KEY = "() => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }))"


@pytest.fixture
def sensed(open_page):
    """Start a deal, one label at a time; return a function that presses one key and returns what is sensed then."""

    def started(seed, cards, mat, *, voice=True, vibrate=False, turned=False):
        page = open_page(words=tape(seed, cards), script=SENSED)
        set_up(page, cards, mat)
        tap_more(page)
        page.click("#options-setup")
        page.locator("input[name=view][value=single]").check()
        for name, wanted in {"voice": voice, "vibrate": vibrate, "turned": turned, "click": False}.items():
            page.set_checked(f"#{name}", wanted)
        page.click("#options .primary")
        page.click("#start")
        if voice:
            page.wait_for_function("() => events.some(({ text }) => text)")
            # Until the clips are decoded the device's own voice says the labels.
            page.wait_for_timeout(1500)

        def press():
            page.evaluate("() => { events.length = 0; }")
            page.evaluate(KEY)
            return page.evaluate("() => events")

        return page, press

    return started


def label_of(events):
    """Return the label that was said, by its clips or by the device's own voice, and its side."""
    clips = [event for event in events if "offset" in event]
    if clips:
        return "".join(word for word, _ in words_of(clips)), clips[0]["side"]
    return events[0]["text"].split(",")[0], None


@pytest.mark.parametrize("turned", [False, True])
def test_a_whole_deck_is_dealt_by_ear_alone(sensed, turned):
    """Blindfolded: one key, and what is heard. Each label comes from the side on which its space lies."""
    page, press = sensed("ear", 23, "4x1", turned=turned)
    table, said, sides, left = Table(23), page.evaluate("() => events")[0]["text"], {}, []
    while not said.startswith("Shuffled"):
        if said.startswith("Deal from the"):
            assert "Hold the deck" in said or "Take the gathered deck" in said
            table.begin("bottom" in said.split(".")[0])
        elif said.startswith("Hand empty?"):
            heights = dict(re.findall(r"\b([A-Z]\d+) (\d+)", said))
            assert {name: len(pile) for name, pile in table.mats[-1].items()} == {
                name: int(height) for name, height in heights.items()
            }
        else:
            route = re.findall(r"\b[A-Z]\d+\b", said)
            for pile, onto in pairwise(route):
                table.put(pile, onto)
        events = press()
        while not (texts_said := [event["text"] for event in events if re.search("[.?]", event.get("text", ""))]):
            label, side = label_of(events)
            table.deal(label)
            if side is not None:
                sides[label] = side
            page.wait_for_timeout(700 if table.deck and len(table.deck) % 10 == 9 else 0)
            left += [event["text"] for event in page.evaluate("() => events") if "left" in event.get("text", "")]
            events = press()
        said = texts_said[-1]
    assert table.end() == order_drawn(tape("ear", 23), 23)
    assert left[:2] == ["20 left", "10 left"]
    columns = sorted(sides, key=sides.get)
    assert columns == sorted(sides, reverse=turned)
    assert min(sides.values()) == -max(sides.values()) < -0.5


def pile_felt(pulses):
    """Return row and column: long pulses, then short ones."""
    felt = pulses[::2]
    return felt.count(180), felt.count(45)


def test_a_whole_deck_is_dealt_by_touch_alone(sensed):
    """Long pulses count the row, short ones the column; before a gathering they name the pile that moves first."""
    _, press = sensed("touch", 20, "2x2", voice=False, vibrate=True)
    table = Table(20)
    table.begin()
    for _ in range(200):
        (event,) = press()
        pulses = event["pulses"]
        if len(pulses) == 5 and pulses[-1] == 400:
            break
        if pulses[:3] == [60, 60, 60]:
            if len(pulses) > 5:
                first = pile_felt(pulses[4:])
                piles = sorted(table.mats[-1], key=lambda pile: (len(pile), pile))
                route = piles if first == (1, 1) else piles[::-1]
                for pile, onto in pairwise(route):
                    table.put(pile, onto)
                continue
            if not table.deck and len(table.mats[-1]) == 1:
                table.begin()
            continue
        row, column = pile_felt(pulses)
        table.deal(f"{'ABC'[row - 1]}{column}")
    assert table.end() == order_drawn(tape("touch", 20), 20)


def test_five_labels_and_the_beat_are_felt_as_ticks(open_page):
    page = begun(open_page(words=tape("ticks", 20), script=SENSED), 20, "5x1")
    page.click("#next")
    assert [event["pulses"] for event in page.evaluate("() => events")] in ([[12]], [[12, 50, 12]])
