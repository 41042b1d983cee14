"""The spoken deal: what is heard, decoded from the file, is the plan, on the beat."""

import json
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from string import Formatter

import numpy as np
import pytest
import soundfile

from fairdeck import FairdeckError, Hands, Mat, Plan, RandomIntegers, Task, TopCards, draw, plan_for, seeded_words
from fairdeck.cli import main
from fairdeck.cli.signals import leaving_tidily
from fairdeck.dealing.plan import read_plan
from fairdeck.errors import MissingTool
from fairdeck.extras import installation
from fairdeck.page import LANGUAGES
from fairdeck.sound import MS, RATE
from fairdeck.sound.loudness import measured
from fairdeck.sound.ogg import checksum, pages
from fairdeck.sound.recording import ENCODINGS, PIECE, demand_place, fitted, mixed, write
from fairdeck.sound.speech import Speaker, recorded
from fairdeck.sound.timeline import (
    COUNT_IN,
    EVERY,
    FASTEST_SPEECH,
    LONGEST,
    MOVE,
    RESUME,
    STEP,
    Click,
    Label,
    Manner,
    Sound,
    Timeline,
    Words,
    demand_length,
    demand_tempo,
    phrase,
    sentences,
    timelines,
)

SUFFIXES = ("wav", "ogg", "mp3")
LATE = 20 * MS  # samples: what no hand would notice


def as_long_as_written(said):
    """How long things take to say, for timelines that nobody hears."""
    return 0.05 if isinstance(said, Click) else 0.06 * len(said.text)


def manner(tempo=0.9, *, clicks=True, language="en"):
    return Manner(sentences(language), as_long_as_written, tempo, clicks)


def drawn(cards, mat="5x2", seed=b"audio", **options):
    return draw(Task(cards, Mat.parse(mat), **options), RandomIntegers(seeded_words(seed)))[0]


def cards_called(timeline):
    """When which label is called on a beat, in each pass: without the numbers that count in."""
    passes = []
    for at, title in timeline.chapters:
        if "of" in title.split():
            passes.append([])
        ends = [other for other, _ in timeline.chapters if other > at] or [timeline.seconds]
        on_beat = [sound for sound in timeline.sounds if sound.limit < 9 and at <= sound.at < ends[0]]
        passes[-1] += [(sound.at, sound.said.text) for sound in on_beat if not sound.said.text.isdecimal()]
    return passes


def told(timeline):
    """All that is said, as text."""
    return " ".join(sound.said.text for sound in timeline.sounds if not isinstance(sound.said, Click))


def labels_of(plan, deal):
    return [plan.mat.labels[space] for space in deal]


# What is heard


def recording(words, file, capsys):
    """The plan that was dealt, and the sound of the file that tells it."""
    assert main(["deal", *words, "--json", "--audio", str(file)]) == 0
    samples, rate = soundfile.read(file)
    assert (samples.ndim, rate) == (1, RATE)
    return read_plan(capsys.readouterr().out)[0], samples


class Ear:
    """It knows some labels, and tells which of them is heard best: how well, and how many samples late."""

    ATTENDS = RATE // 2  # samples; two labels that begin alike for so long are not told apart
    SIZE = 1 << 15

    def __init__(self, clips):
        self.labels = list(clips)
        self.lengths = [min(len(clip), self.ATTENDS) for clip in clips.values()]
        parts = [clip[: self.ATTENDS] / np.linalg.norm(clip[: self.ATTENDS]) for clip in clips.values()]
        self.spectra = np.conj([np.fft.rfft(part, self.SIZE) for part in parts])

    def hears(self, samples, at):
        start = round(at * RATE) - 2 * LATE
        heard = samples[start : start + self.ATTENDS + 4 * LATE]
        shifts = np.fft.irfft(np.fft.rfft(heard, self.SIZE) * self.spectra, self.SIZE)[:, : 4 * LATE]
        late = shifts.argmax(axis=1)
        loud = [np.linalg.norm(heard[begin:][:length]) for begin, length in zip(late, self.lengths, strict=True)]
        like = shifts.max(axis=1) / (np.array(loud) + 1e-9)
        best = like.argmax()
        return self.labels[best], like[best], late[best] - 2 * LATE


def clips_of(labels, tempo, language="en"):
    clips = recorded(language)
    whole = {label: np.concatenate([clips[label[0]], clips[label[1:]]]) for label in labels}
    return {label: fitted(Sound(0, Label(label), tempo), clip) for label, clip in whole.items()}


@pytest.mark.long
@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("cards", "suffix", "language", "tempo", "goal"),
    [
        (6, "ogg", "en", 0.9, "deck"),
        (52, "wav", "en", 0.9, "deck"),
        (52, "ogg", "fr", 0.5, "hands:4x6+rest"),
        (52, "mp3", "de", 0.4, "hands:4x6+rest"),
    ],
)
def test_the_labels_heard_are_the_plans_on_the_beat(cards, suffix, language, tempo, goal, espeak, tmp_path, capsys):
    words = [str(cards), "--goal", goal, "--seed", "5eed", "--tempo", str(tempo), "--language", language]
    plan, samples = recording(words, tmp_path / f"deal.{suffix}", capsys)
    speaker = Speaker(language)
    (timeline,) = timelines(plan, Manner(sentences(language), speaker.length, tempo))
    assert len(samples) == pytest.approx(timeline.seconds * RATE, abs=2)
    assert np.abs(samples).max() < 0.95
    ear = Ear(clips_of(plan.mat.labels, tempo, language))
    beats = [[sound for sound in timeline.sounds if sound.limit == tempo and start <= sound.at < end]
             for (start, _), (end, _) in zip(*starts_and_ends(timeline), strict=True)]  # fmt: skip
    for step, called in zip(plan.passes, beats, strict=True):
        found = [ear.hears(samples, sound.at) for sound in called if not sound.said.text.isdecimal()]
        assert [label for label, _, _ in found] == labels_of(plan, step.deal)
        assert min(like for _, like, _ in found) > 0.7
        assert max(abs(late) for _, _, late in found) <= LATE


@pytest.mark.long
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(("language", "tempo"), [("en", 0.9), ("de", 2.0), ("fr", 0.5), ("es", 0.9)])
def test_a_recording_is_as_loud_as_podcasts_and_no_peak_is_cut(suffix, language, tempo, espeak, tmp_path, capsys):
    words = ["12", "--mat", "3x1", "--seed", "5eed", "--tempo", str(tempo), "--language", language]
    _, samples = recording(words, tmp_path / f"deal.{suffix}", capsys)
    level = measured([samples])
    assert level.loudness == pytest.approx(-16, abs=0.5)
    assert level.peak <= -1


def starts_and_ends(timeline):
    """The chapters at which a pass begins, and at which it is dealt."""
    kinds = 3 if len([*timeline.chapters]) % 3 == 0 else 2  # with hands nothing is gathered
    return timeline.chapters[::kinds], timeline.chapters[1::kinds]


@pytest.mark.long
def test_a_wrong_or_late_label_is_noticed(espeak, tmp_path, capsys):
    plan, samples = recording(["8", "--mat", "5x1", "--seed", "5eed"], tmp_path / "deal.wav", capsys)
    (timeline,) = timelines(plan, Manner(sentences("en"), Speaker("en").length))
    clips = clips_of(plan.mat.labels, 0.9)
    (at, label), *_ = cards_called(timeline)[0]
    ear, deaf = Ear(clips), Ear({other: clip for other, clip in clips.items() if other != label})
    assert ear.hears(samples, at)[0] == label
    assert deaf.hears(samples, at)[1] < 0.7 < ear.hears(samples, at)[1]
    assert abs(ear.hears(samples, at + 0.03)[2]) > LATE
    assert ear.hears(samples, at + 0.4)[1] < 0.7


@pytest.mark.long
def test_after_a_gather_move_there_is_silence_to_do_it_in(espeak, tmp_path, capsys):
    plan, samples = recording(["12", "--mat", "3x1", "--seed", "5eed"], tmp_path / "deal.wav", capsys)
    (timeline,) = timelines(plan, Manner(sentences("en"), Speaker("en").length))
    clips = clips_of(plan.mat.labels, 0.9)
    sounds = iter(timeline.sounds)
    moves = []
    for sound in sounds:
        if sound.said == Words("on"):
            onto = next(sounds)
            end = onto.at + len(clips[onto.said.text]) / RATE
            pause = samples[round((end + 0.1) * RATE) : round((end + MOVE[0] + 0.9 * MOVE[1]) * RATE)]
            assert np.abs(pause).max() < 0.001
            moves.append(Ear(clips).hears(samples, onto.at)[0])
    assert moves == [plan.mat.labels[onto] for step in plan.passes for _, onto in step.moves()]


@pytest.mark.long
def test_clicks_are_on_the_beat_and_higher_for_the_same_label_again(espeak, tmp_path, capsys):
    words = ["6", "--mat", "2x1", "--seed", "5eed", "--passes", "1", "--goal", "hands:3,3"]
    plan, clicking = recording(words, tmp_path / "clicks.wav", capsys)
    _, silent = recording([*words, "--no-click"], tmp_path / "silent.wav", capsys)
    # Each recording has its own gain: the first half second, a sentence, tells how they differ.
    begin = slice(0, RATE // 2)
    clicks = clicking - silent * (clicking[begin] @ silent[begin]) / (silent[begin] @ silent[begin])
    (timeline,) = timelines(plan, Manner(sentences("en"), Speaker("en").length))
    beats = [sound.at for sound in timeline.sounds if isinstance(sound.said, Click)]
    heard = np.flatnonzero(np.abs(clicks) > 0.05) / RATE
    assert [heard[0], *(later for earlier, later in pairwise(heard) if later - earlier > 0.1)] == pytest.approx(
        beats, abs=0.002
    )
    pitches = []
    for at in beats:
        spectrum = np.abs(np.fft.rfft(clicks[round(at * RATE) :][: 40 * MS]))
        pitches.append(spectrum.argmax() * 25 > 1500)
    deal = plan.passes[0].deal
    assert pitches == [False] * (COUNT_IN + 1) + [one == other for one, other in pairwise(deal)]


@pytest.mark.long
def test_own_labels_are_spoken_by_espeak(espeak, tmp_path, capsys):
    words = ["6", "--mat", "2x1", "--labels", "red,B99", "--goal", "hands:3,3", "--seed", "5eed", "--no-click"]
    plan, samples = recording(words, tmp_path / "own.wav", capsys)
    speaker = Speaker("en")
    clips = {label: speaker.samples(Label(label)) for label in plan.mat.labels}
    assert set(recorded("en")) & {"B"} and len(clips["B99"]) > len(recorded("en")["B"])
    (timeline,) = timelines(plan, Manner(sentences("en"), speaker.length))
    called = [Ear(clips).hears(samples, at)[0] for at, _ in cards_called(timeline)[0]]
    assert called == labels_of(plan, plan.passes[0].deal)


# When it is said


@pytest.mark.parametrize(
    ("cards", "mat"),
    [(1, "1x1"), (2, "1x1"), *((cards, mat) for cards in (1, 2, 20, 21, 52, 450) for mat in ("5x2", "26x10"))],
)
@pytest.mark.parametrize("tempo", [0.4, 2.0])
def test_every_card_has_its_beat_and_the_count_rests_for_whole_beats(cards, mat, tempo):
    plan = drawn(cards, mat)
    (timeline,) = timelines(plan, manner(tempo))
    for step, called in zip(plan.passes, cards_called(timeline), strict=True):
        assert [label for _, label in called] == labels_of(plan, step.deal)
        for dealt, ((before, _), (after, _)) in enumerate(pairwise(called), 1):
            beats = (after - before) / tempo
            assert beats == pytest.approx(round(beats))
            assert round(beats) >= 4 if dealt % EVERY == 0 else round(beats) == 1
    counts = [f"{dealt} cards." for dealt in range(EVERY, cards, EVERY)]
    said = [sound.said.text for sound in timeline.sounds if isinstance(sound.said, Words)]
    assert [text for text in said if text.endswith("cards.")] == counts * len(plan.passes)


@pytest.mark.parametrize("clicks", [True, False])
def test_each_stretch_of_cards_is_counted_in_on_the_beat(clicks):
    (timeline,) = timelines(drawn(52), manner(clicks=clicks))
    beats = [(sound.at, sound.said.text) for sound in timeline.sounds if sound.limit < 9]
    for called in cards_called(timeline):
        for dealt in range(0, 52, EVERY):
            first = beats.index(called[dealt])
            count = ["3", "2", "1"] if dealt == 0 else ["2", "1"]
            counted_in = beats[first - len(count) : first + 1]
            assert [text for _, text in counted_in] == [*count, called[dealt][1]]
            assert [b - a for (a, _), (b, _) in pairwise(counted_in)] == pytest.approx([0.9] * len(count))
    clicked = [sound.at for sound in timeline.sounds if isinstance(sound.said, Click)]
    assert clicked == ([at for at, _ in beats] if clicks else [])
    assert len(beats) == 2 * (52 + COUNT_IN + 2 * RESUME)


def test_nothing_is_talked_over():
    for plan in (drawn(52), drawn(52, goal=Hands((13,) * 4)), drawn(60, dealers=3)):
        for timeline in timelines(plan, manner(0.4)):
            voice = [sound for sound in timeline.sounds if not isinstance(sound.said, Click)]
            for sound, following in pairwise(voice):
                assert sound.at + min(as_long_as_written(sound.said), sound.limit) <= following.at + 1e-9
            assert all(sound.at < timeline.seconds for sound in voice)


def test_the_passes_the_heights_the_moves_and_the_end_are_told_in_turn():
    plan = plan_for(Task(4, Mat(2, 1), least_passes=2), (2, 0, 3, 1))
    (timeline,) = timelines(plan, manner())
    heights = [" ".join(f"{label} {n}" for label, n in zip(plan.mat.labels, step.counts(2), strict=True) if n)
               for step in plan.passes]  # fmt: skip
    expected = []
    for number, step in enumerate(plan.passes, 1):
        start = "bottom" if step.from_bottom else "top"
        expected += [f"Pass {number} of {len(plan.passes)}. Take the deck, face down, and deal from the {start}. 3 2 1"]
        expected += labels_of(plan, step.deal)
        expected += [
            f"Pass {number} is dealt. Check how high the piles are. If one does not match, a card is misplaced."
        ]
        expected += ["Then stop: this recording must not be used again. Make a new one."]
        expected += [heights[number - 1], "Gather, face down. Each time take up the whole pile."]
        expected += [f"{plan.mat.labels[pile]} on {plan.mat.labels[onto]}" for pile, onto in step.moves()]
    assert told(timeline) == " ".join([*expected, "Done. The deck is random."])
    assert [title for _, title in timeline.chapters][:3] == ["Pass 1 of 2", "Pass 1 is dealt", "Gather, face down"]


def test_a_pass_from_the_bottom_is_told_so():
    plan = next(plan for plan in (drawn(5, "3x1", bytes([seed])) for seed in range(256)) if plan.passes[0].from_bottom)
    assert "face down, and deal from the bottom." in told(timelines(plan, manner())[0])


def test_each_goal_ends_as_it_should():
    ends = {
        "Done. The deck is random.": drawn(9),
        "Done. The top 4 cards are random. Leave the others.": drawn(9, goal=TopCards(4)),
        "Done. Only the top card is random. Leave the others.": drawn(9, goal=TopCards(1)),
        "Done. The hands are random. The order within a hand is not.": drawn(9, goal=Hands((3, 3, 3))),
        "within a hand is not. The stock is in random order.": drawn(9, goal=Hands((3, 3), stock=3)),
    }
    for end, plan in ends.items():
        assert told(timelines(plan, manner())[0]).endswith(end)
    assert "Hand out A1 A2 A3 Done." in told(timelines(ends[list(ends)[3]], manner())[0])
    (rest,) = timelines(drawn(9, goal=Hands((3, 3), rest=3)), manner())
    assert "Hand out A1 A2 The other cards lie on A3 Done." in told(rest)


def test_several_dealers_go_in_step_and_the_first_gathers():
    plan = drawn(53, dealers=3)
    dealers = timelines(plan, manner())
    assert len({timeline.seconds for timeline in dealers}) == 1
    firsts = [[called[0][0] for called in cards_called(timeline)] for timeline in dealers]
    assert firsts[0] == firsts[1] == firsts[2]
    for dealer, timeline in enumerate(dealers):
        shares = [labels_of(plan, step.shares()[dealer]) for step in plan.passes]
        assert [[label for _, label in called] for called in cards_called(timeline)] == shares
        assert f"You are dealer {dealer + 1}." in told(timeline)
        assert "dealer 1 takes the top 18, dealer 2 the next 18, dealer 3 the next 17." in told(timeline)
        assert ("Gather" in told(timeline)) == (dealer == 0)
        assert ("Wait." in told(timeline)) == (dealer > 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_a_card_went_astray_no_recording_is_used_again(language):
    again = {"en": "must not be used again", "de": "nicht noch einmal", "es": "no debe", "fr": "ne doi"}[language]
    others = {
        "en": "tell the others to stop",
        "de": "sag den anderen",
        "es": "di a los demás",
        "fr": "dites aux autres",
    }
    for dealers in (1, 2):
        for timeline in timelines(drawn(9, dealers=dealers), manner(language=language)):
            assert again in told(timeline)
            assert (others[language] in told(timeline)) == (dealers == 2)


def test_a_dealer_without_cards_is_told_so():
    plan = drawn(5, goal=Hands((2, 2), stock=1), dealers=2, least_passes=2)
    assert 0 in plan.passes[1].packets
    assert "No card for you in this pass." in told(timelines(plan, manner())[1])


def test_the_deck_can_be_squared_before_the_next_pass():
    (timeline,) = timelines(drawn(52), manner())
    begins = [at for at, title in timeline.chapters if title.startswith("Pass 2 of")]
    last = max(sound.at + as_long_as_written(sound.said) for sound in timeline.sounds if sound.at < begins[0])
    assert begins[0] - last >= STEP


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same_with_the_same_fields(language):
    english, other = sentences("en"), sentences(language)
    assert list(other) == list(english)
    for key, sentence in other.items():
        names = [{name for _, name, _, _ in Formatter().parse(text) if name} for text in (english[key], sentence)]
        assert names[0] == names[1], key
        parts = phrase(sentence, {name: Label("A1") if name in ("pile", "onto", "piles") else 7 for name in names[1]})
        assert all(any(map(str.isalnum, part.text)) for part in parts), parts
    for goal in (Hands((3, 3), stock=3), Hands((3, 3), rest=3), TopCards(4)):
        timelines(drawn(9, goal=goal), manner(language=language))


def test_every_sentence_can_be_spoken(espeak):
    for language in ("de", "es"):
        speaker = Speaker(language)
        for key in ("pass", "top", "put", "done"):
            for part in phrase(sentences(language)[key], dict.fromkeys(["number", "passes", "pile", "onto"], "7")):
                assert 0.3 < speaker.length(part) < 6, part


# Pieces and files


def tone(seconds):
    return np.sin(np.arange(round(seconds * RATE)) / 20) / 4


def test_what_lies_over_the_end_of_a_piece_goes_on_in_the_next():
    edge = PIECE / RATE
    timeline = Timeline(
        (Sound(0, Label("a")), Sound(edge - 0.5, Label("b")), Sound(edge, Label("c"))), (), 3 * edge - 1
    )
    lengths = {"a": 1.0, "b": 1.5 * edge, "c": 0.25}
    pieces = list(mixed(timeline, lambda said: tone(lengths[said.text])))
    assert [len(piece) for piece in pieces] == [PIECE, PIECE, PIECE - RATE]
    whole = np.zeros(3 * PIECE)
    for sound in timeline.sounds:
        made = tone(lengths[sound.said.text])
        whole[round(sound.at * RATE) :][: len(made)] += made
    assert np.array_equal(np.concatenate(pieces), whole[: len(whole) - RATE])


def test_a_label_is_spoken_faster_where_the_beat_is_short_but_not_too_fast():
    assert len(fitted(Sound(0, Label("A1"), 0.9), tone(0.6))) == 0.6 * RATE
    assert len(fitted(Sound(0, Label("A1"), 0.5), tone(0.6))) == pytest.approx(0.5 * RATE, abs=2)
    assert len(fitted(Sound(0, Label("A1"), 0.1), tone(0.6))) == pytest.approx(0.6 / FASTEST_SPEECH * RATE, abs=2)


@pytest.mark.long
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_seed_makes_the_same_bytes(suffix, espeak, tmp_path):
    words = ["deal", "2", "--goal", "hands:1,1", "--tempo", "0.4"]
    made = []
    for number in range(2):
        file = tmp_path / f"{number}.{suffix}"
        assert main([*words, "--seed", "5eed", "--audio", str(file)]) == 0
        made.append(file.read_bytes())
    assert made[0] == made[1]


CHAPTERS = Timeline((), ((0.0, "Pass 1 of 1"), (61.25, "Prüfe")), 62.0)


@pytest.mark.long
def test_an_ogg_file_has_its_chapters_as_comments(tmp_path):
    file = tmp_path / "deal.ogg"
    write([(file, CHAPTERS)], lambda said: tone(1), lambda seconds: None)
    with file.open("rb") as opened:
        found = list(pages(opened))
    for page in found:
        assert page[22:26] == checksum(page[:22] + bytes(4) + page[26:]).to_bytes(4, "little")
    comments = found[1][27 + found[1][26] :]
    assert comments.startswith(b"OpusTags")
    at = 12 + comments[8]
    count, at = int.from_bytes(comments[at : at + 4], "little"), at + 4
    read = []
    for _ in range(count):
        size, at = int.from_bytes(comments[at : at + 4], "little"), at + 4
        read.append(comments[at : at + size].decode())
        at += size
    assert at == len(comments)
    assert read[-4:] == [
        "CHAPTER001=00:00:00.000",
        "CHAPTER001NAME=Pass 1 of 1",
        "CHAPTER002=00:01:01.250",
        "CHAPTER002NAME=Prüfe",
    ]
    assert soundfile.info(file).frames == 62 * RATE


def test_comments_too_long_for_a_page_are_refused(tmp_path):
    many = Timeline((), tuple((0.0, "x" * 1000) for _ in range(70)), 1.0)
    with pytest.raises(FairdeckError, match="one page holds"):
        write([(tmp_path / "deal.ogg", many)], lambda said: tone(1), lambda seconds: None)
    assert list(tmp_path.iterdir()) == []


def frames(body):
    """The frames of an ID3 tag of version 2.4."""
    while body:
        size = sum(byte << shift for byte, shift in zip(body[4:8], (21, 14, 7, 0), strict=True))
        yield body[:4], body[10 : 10 + size]
        body = body[10 + size :]


@pytest.mark.long
def test_an_mp3_file_has_its_chapters_in_a_tag(tmp_path):
    file = tmp_path / "deal.mp3"
    write([(file, CHAPTERS)], lambda said: tone(1), lambda seconds: None)
    made = file.read_bytes()
    assert made[:6] == b"ID3\4\0\0"
    end = 10 + sum(byte << shift for byte, shift in zip(made[6:10], (21, 14, 7, 0), strict=True))
    assert made[end : end + 2] == b"\xff\xfb"
    (_, contents), *chapters = frames(made[10:end])
    assert contents == b"toc\0\3\2c0\0c1\0"
    read = []
    for name, body in chapters:
        identity, _, rest = body.partition(b"\0")
        ((_, title),) = frames(rest[16:])
        times = [int.from_bytes(rest[at : at + 4], "big") for at in (0, 4)]
        read.append((name, identity, *times, title.decode()))
    assert read == [
        (b"CHAP", b"c0", 0, 61_250, "\3Pass 1 of 1\0"),
        (b"CHAP", b"c1", 61_250, 62_000, "\3Prüfe\0"),
    ]
    assert soundfile.info(file).frames == 62 * RATE


@pytest.mark.long
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_interrupted_write_leaves_the_old_file(suffix, tmp_path):
    files = [(tmp_path / f"deal-{dealer}.{suffix}", CHAPTERS) for dealer in (1, 2)]
    files[0][0].write_bytes(b"before")

    def stop(seconds):
        if seconds > 80:  # in the second file: the first is whole by then
            assert list(tmp_path.iterdir()) == [files[0][0]]
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(files, lambda said: tone(1), stop)
    assert list(tmp_path.iterdir()) == [files[0][0]]
    assert files[0][0].read_bytes() == b"before"
    write(files, lambda said: tone(1), lambda seconds: None)
    assert sorted(tmp_path.iterdir()) == [file for file, _ in files]


@pytest.mark.long
def test_a_link_stays_and_what_it_names_is_written(tmp_path):
    (tmp_path / "music").mkdir()
    links = [tmp_path / "deal-1.ogg", tmp_path / "deal-2.ogg"]
    real = [tmp_path / "music" / "spoken.ogg", tmp_path / "other.ogg"]
    real[0].write_bytes(b"before")
    for link, target in zip(links, real, strict=True):
        link.symlink_to(target)
        demand_place(link)
    write([(link, CHAPTERS) for link in links], lambda said: tone(1), lambda seconds: None)
    assert all(link.is_symlink() for link in links)
    assert all(soundfile.info(target).frames == 62 * RATE for target in real)
    assert sorted(file.name for file in tmp_path.rglob("*")) == sorted(["music", *(p.name for p in links + real)])


def test_a_link_to_a_device_or_to_itself_is_refused(tmp_path):
    for name, target in (("device.ogg", "/dev/null"), ("loop.ogg", tmp_path / "loop.ogg")):
        (tmp_path / name).symlink_to(target)
        with pytest.raises(FairdeckError, match="name another file"):
            demand_place(tmp_path / name)


@pytest.mark.long
def test_a_full_disk_is_one_clear_line(tmp_path, monkeypatch):
    def full(writer, samples):
        raise AssertionError

    monkeypatch.setattr(soundfile.SoundFile, "write", full)
    with pytest.raises(FairdeckError, match=r"cannot write '.*deal\.mp3' \(.*disk full"):
        write([(tmp_path / "deal.mp3", CHAPTERS)], lambda said: tone(1), lambda seconds: None)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_told_without_a_trace(tmp_path):
    (tmp_path / "folder.ogg").mkdir()
    for place in (tmp_path / "none" / "deal.ogg", tmp_path / "folder.ogg", Path("a\0b.ogg")):
        with pytest.raises(FairdeckError, match="name another file"):
            demand_place(place)
    for kind in ENCODINGS:
        demand_place(tmp_path / f"DEAL{kind.upper()}")
    assert [each.name for each in tmp_path.iterdir()] == ["folder.ogg"]


# The command

TINY = ("deal", "2", "--goal", "hands:1,1", "--seed", "5eed", "--tempo", "0.4")


@pytest.mark.long
def test_each_dealer_gets_one_file_and_nothing_else_is_written(espeak, tmp_path, capsys):
    assert main([*TINY, "--dealers", "2", "--audio", str(tmp_path / "deal.wav")]) == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["deal-1.wav", "deal-2.wav"]
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "deal-1.wav and " in shown.err
    assert "start them together" in shown.err
    assert "\r" not in shown.err


@pytest.mark.long
def test_on_a_terminal_progress_is_shown_and_cleared(espeak, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main([*TINY, "--audio", str(tmp_path / "deal.wav")]) == 0
    shown = capsys.readouterr().err
    assert "seconds [####" in shown
    assert shown.rindex("\r") < shown.index("wrote")


@pytest.mark.long
def test_ctrl_c_leaves_no_file(espeak, tmp_path, capsys, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("fairdeck.cli.audio.Progress.tell", stop)
    assert main([*TINY, "--audio", str(tmp_path / "deal.ogg")]) == 130
    assert list(tmp_path.iterdir()) == []


def being_written(process, folder):
    """The size of all that a process has open in a folder, under a name or without."""
    size = 0
    for link in Path("/proc", str(process.pid), "fd").iterdir():
        with suppress(FileNotFoundError):  # closed again by now
            size += link.stat().st_size if str(folder) in str(link.readlink()) else 0
    return size


@pytest.mark.long
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_a_signal_to_end_leaves_no_file(name, espeak, tmp_path, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("PULSE_RUNTIME_PATH", str(tmp_path_factory.mktemp("pulse")))  # espeak-ng's sound library
    words = ["deal", "450", "--tempo", "2", "--audio", str(tmp_path / "deal.mp3")]
    running = subprocess.Popen([sys.executable, "-m", "fairdeck", *words], stderr=subprocess.PIPE, text=True)
    begun = time.monotonic()
    while not being_written(running, tmp_path):
        assert running.poll() is None, running.communicate()
        assert time.monotonic() - begun < 60
        time.sleep(0.01)
    number = getattr(signal, name)
    running.send_signal(number)
    _, said = running.communicate(timeout=60)
    assert (running.returncode, said) == (-number if name == "SIGKILL" else 128 + number, "")
    assert list(tmp_path.iterdir()) == []


def test_a_signal_that_is_ignored_stays_so():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with leaving_tidily():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.parametrize(
    "fake",
    [
        b"#!/bin/sh\nprintf RIFF0000000000\n",
        b"#!/bin/sh\nhead -c 44 /dev/zero | sed s/^..../RIFF/\n",
        b"#!/none/such\n",
        b"\x7fELF",
        b"#!/bin/sh\nexit 1\n",
    ],
)
def test_an_unusable_espeak_is_named_before_anything_is_drawn(fake, tmp_path, capsys, monkeypatch):
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "espeak-ng"
    program.write_bytes(fake)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setattr("fairdeck.deals.draw", None)
    assert main([*TINY, "--audio", str(tmp_path / "deal.ogg")]) == 69
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert "espeak-ng" in shown.err
    assert [file.name for file in tmp_path.iterdir()] == ["bin"]


def test_an_espeak_that_is_silent_is_no_espeak(monkeypatch):
    wave = b"RIFF" + bytes(20) + (22050).to_bytes(4, "little") + bytes(2016)
    monkeypatch.setattr("subprocess.run", lambda command, **_: subprocess.CompletedProcess(command, 0, wave, b""))
    monkeypatch.setattr("shutil.which", lambda name: name)
    with pytest.raises(MissingTool, match="makes no sound"):
        Speaker("en")


@pytest.mark.long
def test_a_language_in_capitals_is_known(espeak, tmp_path):
    assert main([*TINY, "--language", "EN", "--audio", str(tmp_path / "deal.wav")]) == 0


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["52", "--audio", ".ogg"], r"'.ogg' has nothing before the suffix: .* deal.ogg"),
        (["52", "--dealers", "2", "--audio", ".ogg"], r"'.ogg' has nothing"),
        (["52", "--audio", ""], r"the sound file has an empty name"),
        (["52", "--dealers", "2", "--audio", ""], r"the sound file has an empty name"),
        (["52", "--audio", "deal.ogg", "--tempo", "-1"], r"tempo: -1 is out of range; write 0.4 to 2"),
        (["6", "--mat", "2x2", "--audio", "d.ogg", "--labels", "a,A,b,c"], r"'A' sounds the same as label 'a'"),
        (["6", "--mat", "2x2", "--audio", "d.ogg", "--labels", "日,本,b,c"], r"'本' sounds the same as label '日'"),
        (["6", "--mat", "2x1", "--audio", "d.ogg", "--labels", "a1,A1"], r"'A1' sounds the same as label 'a1'"),
        (["6", "--mat", "3x1", "--audio", "d.ogg", "--labels", "1,2,3"], r"label '1' is a number, .* such as A1"),
        (["6", "--mat", "2x1", "--audio", "d.ogg", "--labels", "A1,100."], r"label '100.' is a number"),
        (["6", "--mat", "2x1", "--audio", "d.ogg", "--labels", "two,A1"], r"'two' sounds the same as the number '2'"),
        (["52", "--audio", "deal.flac"], r"'deal.flac' must end in .wav, .ogg or .mp3"),
        (["52", "--audio", "deal"], r"'deal' must end in .wav"),
        (["52", "--audio", "none/deal.ogg"], r"cannot write 'none/deal.ogg' \(No such file.*: name another"),
        (["52", "--audio", "deal.ogg", "--tempo", "0.3"], r"tempo: 0.3 is out of range; write 0.4 to 2"),
        (["52", "--audio", "deal.ogg", "--tempo", "fast"], r"tempo: 'fast' is not a number"),
        (["52", "--audio", "deal.ogg", "--language", "it"], r"language 'it' is not known; choose one of en, de"),
        (["52", "--tempo", "1"], r"--tempo works only with --audio: .*--audio deal.ogg"),
        (["52", "--no-click"], r"--no-click works only"),
        (["52", "--mat", "26x26", "--audio", "d.ogg", "--tempo", "0.4"], r"tempo 0.4: label 'W26' .*: use 0.7 or more"),
        (["6", "--mat", "2x1", "--audio", "d.ogg", "--labels", "A,★"], r"no sound for '★': use letters or digits"),
        (["100000", "--audio", "deal.ogg"], r"100000 cards .* hours to speak.* deal fewer cards"),
        (["52", "--pdf", "d.pdf", "--booklet", "3", "--audio", "deal.ogg"], r"--booklet 3 prints several"),
    ],
)  # fmt: skip
def test_a_wrong_request_gets_one_line_before_anything_is_drawn(words, says, espeak, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fairdeck.deals.draw", None)
    assert main(["deal", *words]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert re.search(says, shown.err), shown.err
    assert [file.name for file in tmp_path.iterdir() if file.suffix != ".pdf"] == []


def test_without_espeak_the_package_to_install_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", "")
    assert main([*TINY, "--audio", str(tmp_path / "deal.ogg")]) == 69
    shown = capsys.readouterr().err
    assert "install the package espeak-ng" in shown
    assert shown.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("missing", ["numpy", "soundfile"])
def test_without_its_packages_the_extra_to_install_is_named(missing, tmp_path):
    code = f"""if True:
        import sys
        sys.modules[{missing!r}] = None
        from fairdeck.cli import main
        sys.exit(main(["deal", "2", "--audio", {str(tmp_path / "deal.ogg")!r}]))"""
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (made.returncode, made.stdout, made.stderr.count("\n")) == (69, "", 1)
    assert installation("sound") in made.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_deal_without_sound_loads_none_of_it():
    code = "import sys; from fairdeck.cli import main; main(['deal', '5']); print('numpy' in sys.modules)"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout.splitlines()[-1] == "False"


def test_labels_that_no_beat_is_long_enough_for_are_refused():
    with pytest.raises(FairdeckError, match="shorten it"):
        demand_tempo(["A1", "x" * 100], manner(2.0))
    with pytest.raises(FairdeckError, match=r"tempo 0\.5: label 'yyyyyyyyyyyyyyyyyyyy' .* use 0\.86 or more"):
        demand_tempo(["A1", "y" * 20], manner(0.5))
    demand_tempo(["A1", "y" * 20], manner(0.9))


def test_no_recording_is_longer_than_a_file_can_be_for_any_order():
    for cards, mat, dealers in [(5000, "5x2", 1), (3000, "3x1", 4), (2000, "26x10", 8), (10, "5x1", 1)]:
        task = Task(cards, Mat.parse(mat), dealers=dealers)
        demand_length(task, 0.9)
        assert timelines(drawn(cards, mat, dealers=dealers), manner())[0].seconds < LONGEST
    assert LONGEST * RATE * 2 < 2**32
    with pytest.raises(FairdeckError, match="hours"):
        demand_length(Task(20_000, Mat(5, 2)), 0.9)


def test_a_plan_of_one_space_is_told():
    for cards in (1, 2):
        task = Task(cards, Mat(1, 1))
        demand_length(task, 2.0)
        plan = drawn(cards, "1x1")
        assert isinstance(plan, Plan)
        assert "Take up A1" in told(timelines(plan, manner())[0])
        assert json.dumps(plan.as_dict())
