"""The recorded voices of the page: every clip is the word it is said to be, loud, short and between silence."""

import json
import re
import subprocess
from io import BytesIO
from itertools import pairwise
from statistics import median

import numpy as np
import pytest
import soundfile
from release import voices

from fairdeck import page
from fairdeck.explore import HERE, PAGES
from fairdeck.page import PARTS, texts

MOST_BYTES = 62_000
GAP_IN_TEXT = re.compile(r"\{\w+\}")
# The letters whose names are easily got wrong, as words or as another's name (IPA, without stress).
NAMES = {
    "en": {"A": "eɪ", "H": "eɪtʃ", "I": "aɪ", "W": "dʌbəljuː", "Y": "waɪ", "Z": "zɛd"},
    "de": {"A": "ɑː", "J": "jɔt", "Q": "kuː", "V": "faʊ", "Y": "ypsɪlɔn", "Z": "tsɛt"},
    "es": {"A": "a", "H": "atʃe", "I": "i", "J": "xota", "V": "uβe", "W": "uβeðoβle", "Y": "ʝe"},
    "fr": {"A": "a", "E": "ə", "H": "aʃ", "U": "y", "W": "dubləve", "Y": "iɡʁɛk"},
}

each_language = pytest.mark.parametrize("language", voices.ACCENTS)


def committed(language):
    table = json.loads((voices.VOICES / f"{language}.json").read_text(encoding="utf-8"))
    return voices.Voice((voices.VOICES / f"{language}.ogg").read_bytes(), table)


def decoded(ogg):
    samples, rate = soundfile.read(BytesIO(ogg))
    assert (samples.ndim, rate) == (1, voices.RATE)
    return samples


def clips(voice):
    track = decoded(voice.ogg)
    return {word: track[start * voices.MS : end * voices.MS] for word, (start, end) in voice.table.items()}


def lengths(voice, words):
    return [end - start for start, end in map(voice.table.__getitem__, words)]


def decibels(samples):
    return 20 * np.log10(np.sqrt(np.mean(samples**2)) / voices.LEVEL)


def likeness(samples):
    """What an ear goes by, roughly: how loud 14 bands of pitch are, in each of 16 moments of the clip."""
    edges = [200, 400, 600, 800, 1000, 1300, 1600, 2000, 2500, 3000, 3700, 4500, 5500, 7000, 9000]
    moments = (abs(np.fft.rfft(moment * np.hanning(len(moment)), 4800)) ** 2 for moment in np.array_split(samples, 16))
    power = np.array([[moment[a // 10 : b // 10].mean() for a, b in pairwise(edges)] for moment in moments])
    return np.log10(power + power.mean() / 1000).ravel()


def heard(samples, spoken):
    """The word, of those `spoken`, that is most like the samples."""
    seen = likeness(samples)
    return min(spoken, key=lambda word: np.linalg.norm(spoken[word] - seen))


def spoken_anew(language):
    return {word: likeness(voices.clip(language, word)) for word in voices.WORDS}


def test_every_language_has_all_that_a_language_needs():
    """A language is found by its file in page/texts; CONTRIBUTING lists what else it needs."""
    root = PARTS.parent
    keys = {folder: list(texts("en", folder)) for folder in (*PARTS.rglob("texts"), *HERE.rglob("texts"))}
    assert len(keys) == 3 + len(PAGES), "two of the dealing page, one of all others, one of each"
    for language in page.LANGUAGES:
        for folder, expected in keys.items():
            name = f"{folder.relative_to(root)}/{language}.json"
            assert (root / name).exists(), f"add {name}"
            words, english = texts(language, folder), texts("en", folder)
            assert list(words) == expected, f"{name} needs the keys of en.json in the same order"
            for key, text in words.items():
                assert set(GAP_IN_TEXT.findall(text)) == set(GAP_IN_TEXT.findall(english[key])), (name, key)
                assert text.count("|") == english[key].count("|"), (name, key)
                assert text.strip() == text != "", (name, key)
        assert language in voices.ACCENTS, f"add {language} to ACCENTS in release/voices.py"
        for kind in ("ogg", "json"):
            assert (voices.VOICES / f"{language}.{kind}").exists(), f"make voices; commit page/voices/{language}.{kind}"
        assert language in NAMES, f"add the letters of {language} to NAMES in tests/test_voices.py"
    assert {file.stem for file in voices.VOICES.iterdir()} == set(voices.ACCENTS), "a voice without an accent"
    assert set(voices.ACCENTS) == set(page.LANGUAGES), "ACCENTS has a language without page/texts"


@pytest.mark.long
@each_language
def test_a_voice_is_built_the_same_twice(espeak, language):
    assert voices.build(language) == voices.build(language)


@pytest.mark.cases(1)
@each_language
def test_a_committed_track_has_every_word_in_order_loud_short_and_between_silence(language):
    voice = committed(language)
    track, words = decoded(voice.ogg), clips(voice)
    assert len(voice.ogg) <= MOST_BYTES
    assert tuple(voice.table) == voices.WORDS
    ends = [0, *(end for _, end in voice.table.values())]
    starts = [*(start for start, _ in voice.table.values()), len(track) / voices.MS]
    assert [start - end for start, end in zip(starts, ends, strict=True)] == [voices.GAP] * (len(voices.WORDS) + 1)
    for word, samples in words.items():
        assert abs(decibels(samples)) < 1.5, word
        assert abs(samples).max() < 1, word
        assert min(decibels(samples[: 30 * voices.MS]), decibels(samples[-30 * voices.MS :])) > -30, (
            f"silence at an end of {word}"
        )
        # Opus smears a sound over the frame of 20 ms it ends in, and begins the next a little early.
        start = voice.table[word][0]
        assert decibels(track[(start - voices.GAP + 20) * voices.MS : (start - 5) * voices.MS]) < -25, f"before {word}"


@pytest.mark.long
@each_language
def test_every_committed_clip_is_heard_as_its_own_word(espeak, language):
    spoken = spoken_anew(language)
    assert {word: heard(samples, spoken) for word, samples in clips(committed(language)).items()} == {
        word: word for word in voices.WORDS
    }


@pytest.mark.long
def test_a_wrong_table_is_noticed(espeak):
    voice, spoken = committed("en"), spoken_anew("en")
    # B and D are as near to each other as any two words.
    swapped = voice.table | {"B": voice.table["D"], "D": voice.table["B"]}
    wrong = {word: heard(samples, spoken) for word, samples in clips(voices.Voice(voice.ogg, swapped)).items()}
    assert {word: other for word, other in wrong.items() if word != other} == {"B": "D", "D": "B"}
    late = {word: (start + 60, end + 60) for word, (start, end) in voice.table.items()}
    missed = [word for word, samples in clips(voices.Voice(voice.ogg, late)).items() if heard(samples, spoken) != word]
    assert len(missed) > 10


@each_language
def test_half_of_all_labels_are_called_within_six_tenths_of_a_second(language):
    voice = committed(language)
    letters, numbers = lengths(voice, voices.LETTERS), lengths(voice, voices.NUMBERS)
    assert median(letter + number for letter in letters for number in numbers) <= 600
    assert 200 <= median(letters) <= 300
    assert 250 <= median(numbers) <= 450
    assert min(letters + numbers) >= voices.SHORTEST
    assert max(letters + numbers) <= voices.LONGEST
    assert max(lengths(voice, voices.LETTERS[:10])) + max(lengths(voice, voices.NUMBERS[:10])) <= 700


@each_language
def test_letters_have_their_usual_names_and_no_two_words_sound_alike(espeak, language):
    text = "\n\n".join(voices.spelling(language, word) for word in voices.WORDS)
    command = [espeak, "-v", voices.ACCENTS[language].name, "-q", "--ipa", "--stdin"]
    made = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=True).stdout
    sounds = ["".join(filter(str.isalpha, line)).translate({ord("ˈ"): "", ord("ˌ"): ""}) for line in made.splitlines()]
    said = dict(zip(voices.WORDS, sounds, strict=True))
    assert len(set(said.values())) == len(voices.WORDS)
    assert {letter: said[letter] for letter in NAMES[language]} == NAMES[language]


@each_language
def test_a_committed_track_is_whole_with_a_fixed_serial_number(language):
    ogg = committed(language).ogg
    assert voices.with_serial(ogg, voices.SERIAL) == ogg != voices.with_serial(ogg, 7)
    assert voices.with_serial(voices.with_serial(ogg, 7), voices.SERIAL) == ogg
    assert hex(voices.checksum(b"123456789")) == "0x89a1897f"
