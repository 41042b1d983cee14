"""Dealing on the beat: what is called when, by the clock and by the clips that are played."""

import io
import json
from itertools import groupby

import numpy as np
import pytest
import soundfile
from scipy.signal import lfilter, resample_poly

from fairdeck.page import LANGUAGES, PARTS, build
from tests.player import SHOWN, begun, follow, labels_planned, leave, order_drawn, set_up, tap_more, tap_next, tape
from tests.table import Table
from tests.test_page_deals import code_of

pytestmark = pytest.mark.alone
BEAT = 0.5
RATE = 48_000  # samples a second
# ITU-R BS.1770-4, annex 1, at this rate: numerators and denominators of the shelf and of the high-pass filter.
SHELF = (1.53512485958697, -2.69169618940638, 1.19839281085285), (1.0, -1.69065929318241, 0.73248077421585)
HIGH_PASS = (1.0, -2.0, 1.0), (1.0, -1.99004745483398, 0.99007225036621)
# Notes when each clip and click is set to sound, on the page's clock, by way of what, and when each label is shown.
SPY = """(() => {
  window.heard = [], window.clicks = [], window.shown = [], window.spoken = [], window.keys = {};
  const clock = () => performance.now() / 1000;
  const at = (node, when) => clock() + Math.max(0, when - node.context.currentTime);
  const play = AudioBufferSourceNode.prototype.start, tick = OscillatorNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (when, offset, length) {
    heard.push({ at: at(this, when), due: when, offset, rate: this.playbackRate.value });
    return play.call(this, when, offset, length);
  };
  OscillatorNode.prototype.start = function (when) {
    clicks.push({ at: at(this, when), due: when, high: this.frequency.value > 1500 });
    return tick.call(this, when);
  };
  window.contexts = [], window.edges = [], window.media = [];
  const connect = AudioNode.prototype.connect, decode = BaseAudioContext.prototype.decodeAudioData;
  AudioNode.prototype.connect = function (to, ...more) {
    edges.push([this, to]);
    if (!contexts.includes(this.context)) contexts.push(this.context);
    return connect.call(this, to, ...more);
  };
  BaseAudioContext.prototype.decodeAudioData = async function (bytes) {
    return (window.decoded = await decode.call(this, bytes));
  };
  const begin = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () { media.push(this); return begin.call(this); };
  speechSynthesis.speak = (words) => spoken.push(words.text);
  MediaSession.prototype.setActionHandler = (action, answer) => { keys[action] = answer; };
  document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    const label = document.getElementById("label"), deal = document.getElementById("deal");
    if (!label || deal.hidden) return;
    const last = shown[shown.length - 1], count = document.getElementById("count").textContent;
    if (!last || last.count !== count) shown.push({ at: clock(), label: label.textContent, count });
  }).observe(document, { childList: true, subtree: true, characterData: true }));
})()"""
TABLE = json.loads((PARTS / "voices" / "en.json").read_text())


@pytest.fixture
def on_the_beat(open_page):
    """Open the page at the setup of a small deck, dealt on the beat, with voice and click."""

    def opened(cards=12, view="tempo", beat=BEAT, voice=True, **options):
        page = open_page(words=tape("beat", cards), script=SPY, **options)
        set_up(page, cards, "5x1")
        tap_more(page)
        page.click("#options-setup")
        page.set_checked("#voice", voice)
        page.locator(f"input[name=view][value={view}]").check()
        page.fill("#beat", str(beat))
        page.click("#options .primary")
        page.click("#start")
        return page

    return opened


def words_of(heard):
    """Which clip each sound is, by where it lies in the track."""
    starts = {start: word for word, (start, _) in TABLE.items()}
    return [(starts[round(1000 * sound["offset"])], sound["at"]) for sound in heard]


def wait_for(page, kind):
    page.wait_for_selector(f"#deal.on-{kind}", timeout=60_000)


@pytest.mark.long
def test_a_pass_is_called_card_by_card_on_the_beat(on_the_beat):
    page = on_the_beat()
    page.click("#next")
    wait_for(page, "check")
    labels = labels_planned(tape("beat", 12), 12, "5x1")[0]
    heard = page.evaluate("() => heard")
    words = words_of(heard)
    expected = ["3", "2", "1", *(word for label in labels for word in (label[0], label[1:]))]
    assert [word for word, _ in words] == expected
    beats = [at for word, at in words if word.isalpha() or at < words[3][1] - 0.1]
    gaps = np.diff(beats)
    assert np.abs(gaps - BEAT).max() < 0.05, gaps
    clicks = page.evaluate("() => clicks")
    assert len(clicks) == 3 + len(labels)
    # By the clock of the sounds themselves: on the page's clock each is only known to some milliseconds.
    due = [sound["due"] for sound, (word, at) in zip(heard, words, strict=True) if at in beats]
    assert np.abs(np.array([click["due"] for click in clicks]) - due).max() < 0.01
    assert [click["high"] for click in clicks[3:]] == [i > 0 and labels[i] == labels[i - 1] for i in range(len(labels))]
    shown = [each for each in page.evaluate("() => shown") if each["count"].startswith("Card")]
    assert [each["label"] for each in shown] == labels
    late = np.array([each["at"] for each in shown[1:]]) - beats[4:]
    assert np.abs(late).max() < 0.1, late
    assert page.evaluate("() => spoken")[-1].startswith("Hand empty? ")


# The whole track, played on the way that a clip takes from its source to the loudspeaker.
PLAYED = """async (rate) => {
  const context = new OfflineAudioContext(2, decoded.duration * rate, rate);
  const source = new AudioBufferSourceNode(context, { buffer: decoded });
  let last = source, [, node] = edges.find(([from]) => from instanceof AudioBufferSourceNode);
  while (!(node instanceof AudioDestinationNode)) {
    const copy = new node.constructor(context);
    Object.assign(copy, { channelCount: node.channelCount, channelCountMode: node.channelCountMode });
    for (const name in node) if (node[name] instanceof AudioParam) copy[name].value = node[name].value;
    last = last.connect(copy);
    [, node] = edges.find(([from]) => from === node);
  }
  last.connect(context.destination);
  source.start();
  const played = await context.startRendering();
  return [0, 1].map((channel) => Array.from(played.getChannelData(channel)));
}"""


def loudness(samples):
    """LUFS: the power after both filters of all channels, over blocks of 400 ms, without the quiet blocks."""
    heard = (lfilter(*HIGH_PASS, lfilter(*SHELF, np.atleast_2d(samples))) ** 2).sum(axis=0)
    tenths = heard[: len(heard) // 4800 * 4800].reshape(-1, 4800).mean(axis=1)
    blocks = np.convolve(tenths, [0.25] * 4, "valid")
    blocks = blocks[blocks > 10 ** ((0.691 - 70) / 10)]
    return 10 * np.log10(blocks[blocks > blocks.mean() / 10].mean()) - 0.691


def test_the_loudness_of_a_sine_is_that_of_the_standard():
    assert abs(loudness(np.sin(2 * np.pi * 997 / RATE * np.arange(3 * RATE))) + 3.01) < 0.01


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_voice_is_as_loud_as_podcasts_and_no_peak_is_cut(open_page, tmp_path, language):
    file = tmp_path / "deal.html"
    file.write_text(build([language]), encoding="utf-8")
    page = open_page(file=file.as_uri(), locale=language, script=SPY)
    tap_more(page)
    page.click("#options-setup")
    page.check("#voice")
    page.click("#options .primary")
    page.click("#start")
    page.wait_for_function("() => window.decoded")
    page.click("#next")
    page.wait_for_function("() => heard.length")
    played = np.array(page.evaluate(PLAYED, RATE))
    assert abs(loudness(played) + 16) < 0.7
    assert 20 * np.log10(np.abs(resample_poly(played, 4, 1, axis=1)).max()) < -1, "between the samples too"


@pytest.mark.long
def test_the_clips_played_are_those_of_the_words(on_the_beat):
    """What the browser decoded, at the places it plays, is what the track holds there."""
    page = on_the_beat(cards=4)
    page.wait_for_function("() => window.decoded")
    track, rate = soundfile.read(io.BytesIO((PARTS / "voices" / "en.ogg").read_bytes()))
    for word in ("A", "7", "Z", "26"):
        start, end = TABLE[word]
        decoded = page.evaluate(
            "([start, end]) => { const b = decoded, r = b.sampleRate / 1000;"
            " return [b.sampleRate, Array.from(b.getChannelData(0).slice(start * r, end * r))]; }",
            [start, end],
        )
        assert sum(np.abs(decoded[1])) > 0
        assert abs(len(decoded[1]) / decoded[0] - (end - start) / 1000) < 0.002
        theirs, ours = np.array(decoded[1]), track[start * rate // 1000 : end * rate // 1000]
        theirs = np.interp(np.arange(len(ours)) / rate, np.arange(len(theirs)) / decoded[0], theirs)
        assert np.corrcoef(theirs, ours)[0, 1] > 0.95, word


@pytest.mark.long
def test_a_whole_deck_dealt_by_ear_is_the_order_drawn(on_the_beat):
    """Two passes by what is heard alone; the gathering is read from the screen."""
    page = on_the_beat(cards=14, beat=0.4)
    table = Table(14)
    while follow(table, shown := page.evaluate(SHOWN)):
        if shown["kind"] != "open":
            tap_next(page)
            continue
        page.evaluate("() => { heard.length = 0; }")
        tap_next(page)
        wait_for(page, "check")
        words = [word for word, _ in words_of(page.evaluate("() => heard"))][3:]
        for letter, number in zip(words[::2], words[1::2], strict=True):
            table.deal(letter + number)
    assert table.end() == order_drawn(tape("beat", 14), 14)


@pytest.mark.long
def test_a_tap_anywhere_pauses_and_it_goes_on_two_cards_back(on_the_beat):
    page = on_the_beat(cards=30, voice=False)
    page.click("#next")
    page.wait_for_selector("#count:has-text('Card 6 of 30')")
    page.click("#stage")
    count = page.text_content("#count")
    assert page.text_content("#next") == f"Resume at card {int(count.split()[1]) - 2}"
    sounds = page.evaluate("() => [clicks.length, heard.length]")
    page.wait_for_timeout(round(3000 * BEAT))
    assert page.text_content("#count") == count
    assert page.evaluate("() => [clicks.length, heard.length]") == sounds
    number = int(count.split()[1])
    page.keyboard.press("Space")
    assert page.text_content("#count") == f"Card {number - 2} of 30"
    assert page.get_attribute("#stage", "data-count") in ("3", "2")
    page.click("#next")
    assert page.text_content("#next") == f"Resume at card {number - 2}", "no card was called, so none is called again"
    page.click("#next")
    page.wait_for_selector(f"#count:has-text('Card {number} of 30')")
    page.evaluate("""() => {
      Object.defineProperty(document, "hidden", { value: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }""")
    assert page.text_content("#next").startswith("Resume at card")
    page.keyboard.press("ArrowLeft")
    assert page.text_content("#count").split()[1] in (str(number - 1), str(number))


STOPPED = """() => {
  window.stopped = [];
  const stop = AudioScheduledSourceNode.prototype.stop;
  AudioScheduledSourceNode.prototype.stop = function (when) {
    stopped.push([this.constructor.name, when]);
    return stop.call(this, when);
  };
}"""


@pytest.mark.long
def test_a_call_that_takes_the_sound_or_a_standstill_pauses_and_a_pause_is_silent(on_the_beat):
    page = on_the_beat(cards=30)
    page.evaluate(STOPPED)
    page.click("#next")
    page.wait_for_selector("#count:has-text('Card 3 of 30')")
    page.evaluate("() => contexts[0].suspend()")
    page.wait_for_selector("#next:has-text('Resume')")
    count = page.text_content("#count")
    page.wait_for_timeout(1200)
    assert page.text_content("#count") == count
    page.click("#next")
    page.wait_for_selector("#count:has-text('Card 5 of 30')")
    page.evaluate("() => { stopped.length = 0; $('stage').click(); }")
    names = {name for name, when in page.evaluate("() => stopped") if when is None}
    assert names == {"AudioBufferSourceNode", "OscillatorNode"}
    page.evaluate("() => { clicks.length = 0; }")
    page.click("#next")
    page.wait_for_selector("#count:has-text('Card 7 of 30')")
    page.evaluate("() => { const end = performance.now() + 1600; while (performance.now() < end); }")
    page.wait_for_selector("#next:has-text('Resume')")
    assert page.text_content("#count") in ("Card 7 of 30", "Card 8 of 30"), "it pauses rather than skips"
    assert np.diff(page.evaluate("() => clicks.map((click) => click.at)")).min() > BEAT / 2, "no burst of missed clicks"


@pytest.mark.long
@pytest.mark.parametrize("way", ["how", "code"])
def test_another_screen_pauses(on_the_beat, way):
    page = on_the_beat(cards=30, voice=False)
    code = code_of(page)
    page.click("#next")
    page.wait_for_selector("#count:has-text('Card 2 of 30')")
    page.evaluate("(hash) => { location.hash = hash; }", {"how": "how", "code": code}[way])
    page.wait_for_timeout(1500)
    assert page.text_content("#count") in ("Card 2 of 30", "Card 3 of 30")
    if way == "code":
        page.click("#forget")
        page.wait_for_timeout(1200)
        assert page.text_content("#count") == "Ready"


@pytest.mark.long
def test_in_the_stream_labels_meet_the_line_when_they_are_called(on_the_beat):
    page = on_the_beat(cards=10, view="stream", voice=False)
    page.evaluate("""() => {
      window.track = [];
      const look = () => {
        const tile = $("lanes").querySelector("[data-ahead='1']"), line = $("lanes").querySelector("i");
        if (tile && $("lanes").clientHeight) track.push({
          gap: line.getBoundingClientRect().top - tile.getBoundingClientRect().bottom,
          high: $("lanes").clientHeight, card: $("count").textContent });
        requestAnimationFrame(look);
      };
      look();
    }""")
    page.click("#next")
    wait_for(page, "check")
    track = page.evaluate("() => track")
    high = track[0]["high"]
    cards = [[each["gap"] for each in gaps] for card, gaps in groupby(track, lambda each: each["card"])]
    fallen = [gaps for gaps in cards if gaps[0] > gaps[-1] + 0.05 * high]
    assert len(fallen) > 5
    for gaps in fallen:
        assert abs(gaps[-1]) < 0.06 * high, "the last picture before it is called"
        assert np.all(np.diff(gaps) < 1)
        assert gaps[len(gaps) // 2] > 0.04 * high, "it does not wait at the line"


@pytest.mark.long
def test_with_reduced_motion_the_stream_moves_by_whole_beats(on_the_beat):
    page = on_the_beat(cards=8, view="stream", voice=False, reduced_motion="reduce")
    page.click("#next")
    places = set()
    for _ in range(60):
        places |= set(
            page.evaluate("""() => [...$("lanes").querySelectorAll("span")].map((tile) =>
              Math.round(tile.getBoundingClientRect().top))""")
        )
        page.wait_for_timeout(25)
    assert len(places) <= 10


@pytest.mark.long
def test_the_tempo_learns_from_the_players_own_taps(open_page):
    page = begun(open_page(words=tape("pace", 60)), view="single")
    page.click("#next")
    page.evaluate("() => { takes = 0; }")
    for _ in range(7):
        page.wait_for_timeout(600)
        page.click("#next")
    page.evaluate("() => { takes = 2000; }")
    page.click("#options-open")
    pace = float(page.text_content("#pace").split()[3])
    assert 0.55 <= pace <= 0.9
    page.click("#pace")
    assert float(page.input_value("#beat")) == pace
    assert page.text_content("#beat-shown").startswith(f"{pace:.2f}")


@pytest.mark.long
def test_a_label_is_called_whole_by_its_clips_or_by_the_devices_voice(open_page):
    words = tape("own", 12)
    page, labels = open_page(words=words, script=SPY), ["B7", "B99", "b7", "99", "7"]
    set_up(page, 12, "5x1")
    tap_more(page)
    page.fill("#labels", " ".join(labels))
    page.click("#options-setup")
    page.check("#voice")
    page.locator("input[name=view][value=single]").check()
    page.click("#options .primary")
    page.click("#start")
    page.wait_for_function("() => window.decoded")
    clips, spoken = dict(zip(labels, (2, 0, 0, 0, 1), strict=True)), []
    for space in labels_planned(words, 12, "5x1")[0]:
        label = labels[int(space[1:]) - 1]
        page.evaluate("() => { heard.length = 0; }")
        page.click("#next")
        assert len(page.evaluate("() => heard")) == clips[label], label
        spoken += [label] * (not clips[label])
    said = [text.split(",")[0] for text in page.evaluate("() => spoken") if text.split(",")[0] in labels]
    assert said == spoken


@pytest.mark.long
def test_five_labels_are_said_one_after_the_other(on_the_beat):
    page = on_the_beat(view="group")
    page.wait_for_timeout(400)
    page.click("#next")
    labels = page.locator("#five b").all_text_contents()
    words = words_of(page.evaluate("() => heard"))
    assert [word for word, _ in words] == [word for label in labels for word in (label[0], label[1:])]
    starts = [at for _, at in words]
    assert min(np.diff(starts)) > 0.15


def test_headset_keys_step_on_and_back(on_the_beat):
    page = on_the_beat(view="single")
    page.wait_for_timeout(800)
    page.evaluate("() => keys.nexttrack()")
    page.wait_for_timeout(300)
    page.evaluate("() => keys.nexttrack()")
    assert page.text_content("#count") == "Card 2 of 12"
    page.evaluate("() => keys.previoustrack()")
    page.wait_for_timeout(300)
    page.evaluate("() => keys.play()")
    page.evaluate("() => keys.previoustrack()")
    assert page.text_content("#count") == "Card 1 of 12"
    leave(page)
    page.evaluate("() => { keys.nexttrack(); keys.play(); }")
    page.click("#stay")
    assert page.text_content("#count") == "Card 1 of 12", "under a question the keys mean nothing"
    silence = page.evaluate("() => media.map((each) => [each.loop, each.paused, each.duration])")[0]
    assert silence[:2] == [True, False] and silence[2] > 5, "without it no key of a headset would reach the page"


@pytest.mark.long
def test_a_page_without_the_voice_of_its_language_says_so(open_page):
    page = open_page(locale="de")
    tap_more(page)
    page.click("#options-setup")
    page.check("#voice")
    assert page.is_visible("#voice-hint")
    page.uncheck("#voice")
    assert page.is_hidden("#voice-hint")


@pytest.mark.long
def test_a_tap_that_comes_as_the_last_card_ends_does_not_answer_the_check(on_the_beat):
    """It was to pause; the beat was quicker than the finger."""
    page = on_the_beat(5, voice=False)
    page.click("#next")
    page.evaluate("() => { takes = 0; }")
    tapped_at_once = """() => new Promise((resolve) => {
      const looking = setInterval(() => {
        if (!$("deal").matches(".on-check")) return;
        clearInterval(looking);
        $("next").click();
        resolve($("deal").matches(".on-check"));
      }, 5);
    })"""
    assert page.evaluate(tapped_at_once)
