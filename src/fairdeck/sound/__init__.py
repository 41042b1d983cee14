"""The voices that call labels, made with espeak-ng.

A label is a letter and a number, so a voice has 52 clips: the letters A to Z, with their names in
the language, and the numbers 1 to 26. B7 is the clip of B and then the clip of 7. All clips
of a language are one Ogg Opus track, so that the page has one file to hold; a table says where each clip is.

The same versions of espeak-ng and soundfile make the same bytes.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from math import ceil, gcd
from string import ascii_uppercase
from types import MappingProxyType
from typing import TYPE_CHECKING

from fairdeck.errors import FairdeckError, MissingTool, nearest_or_all
from fairdeck.extras import missing
from fairdeck.sound.ogg import with_serial

try:
    import numpy as np
    import soundfile
except (ImportError, OSError):  # OSError: soundfile is there, the library it wraps is not
    READY = False
else:
    READY = True

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples = NDArray[np.float64]

LETTERS = tuple(ascii_uppercase)
NUMBERS = tuple(str(number) for number in range(1, 27))
WORDS = LETTERS + NUMBERS

RATE = 48_000  # samples a second; espeak-ng speaks at 22,050 Hz, a rate that Opus does not have
MS = RATE // 1000  # samples a millisecond
GAP = 60  # milliseconds of silence around every clip: more than decoders misplace the ends of clips
SHORTEST, LONGEST = 200, 750  # milliseconds; clips outside these limits are spoken more slowly, or faster
PACES = range(80, 450)  # words a minute that espeak-ng can speak
CALM = 0.8  # of an accent's pace: a listener expects labels, but not sentences
LEVEL = 0.11  # the root mean square of every clip, of 1
KNEE, CEILING = 0.5, 0.8  # peaks above the first are compressed, so that they stay below the second
EDGE = 10 ** (-50 / 20)  # a clip begins and ends where it comes within 50 dB of its peak
FADE = 3  # milliseconds
QUALITY = 0.96  # soundfile's compression level, from 0 (256 kbit/s) to 1 (6 kbit/s)
HEAD = 44  # bytes of a WAV file before its samples
SERIAL = 1  # any number will do: a file holds one stream


@dataclass(frozen=True, slots=True)
class Accent:
    """How espeak-ng speaks a language here.

    Attributes:
        name: espeak-ng's name of the voice, without a variant: espeak-ng silently ignores a variant that it lacks.
        pace: words a minute, such that half of all labels take at most 0.6 s.
        spelt: what to write for letters that espeak-ng would not call by their names, or not clearly.
    """

    name: str
    pace: int
    spelt: Mapping[str, str]


ACCENTS: Mapping[str, Accent] = MappingProxyType(
    {
        "en": Accent("en-us", 230, {"Z": "zed"}),  # "zee" sounds too much like C
        "de": Accent("de", 240, {}),
        "es": Accent("es", 215, {"Y": "ye"}),  # otherwise espeak-ng says the name of I
        "fr": Accent("fr", 170, {}),
    }
)
LANGUAGES = tuple(ACCENTS)


@dataclass(frozen=True, slots=True)
class Voice:
    """The clips of one language.

    Attributes:
        ogg: the track, an Ogg Opus file: one channel, 48,000 samples a second.
        table: for each word, where in the track its clip begins and ends, in milliseconds.
    """

    ogg: bytes
    table: dict[str, tuple[int, int]]


def build(language: str) -> Voice:
    """Return the voice of `language`, one of `LANGUAGES`."""
    clips = {word: clip(language, word) for word in WORDS}
    silence = np.zeros(GAP * MS)
    track, table, start = [silence], {}, GAP
    for word, samples in clips.items():
        end = start + len(samples) // MS
        table[word] = (start, end)
        track += [samples, silence]
        start = end + GAP
    return Voice(_encoded(np.concatenate(track)), table)


def clip(language: str, word: str) -> Samples:
    """Return `word` as it is spoken: `RATE` samples a second, each from -1 to 1, for whole milliseconds."""
    if word not in WORDS:
        raise FairdeckError(f"no label has the word {word!r}: give a letter from A to Z or a number from 1 to 26")
    return brief(language, spelling(language, word))


def brief(language: str, text: str) -> Samples:
    """Return a short text, such as a label, spoken as `clip` speaks a word, in at most `LONGEST` where possible."""
    accent = _accent(language)
    demand_tools()
    return _levelled(_paced(accent, text))


def sentence(language: str, text: str) -> Samples:
    """Return `text` spoken more slowly than by `brief`, as a sentence."""
    accent = _accent(language)
    demand_tools()
    return _levelled(_trimmed(resampled(*_spoken(accent.name, round(CALM * accent.pace), text))))


def demand_tools() -> None:
    """Raise a MissingTool unless everything that speaking needs is installed."""
    if not READY:
        raise missing("the clips need numpy and soundfile", "sound")
    _program()


def demand_voice(language: str) -> None:
    """Raise a MissingTool unless everything that speaking needs is installed, and a letter is heard."""
    accent = _accent(language)
    demand_tools()
    try:
        _spoken(accent.name, accent.pace, LETTERS[0])
    except Silence:
        raise MissingTool(f"espeak-ng makes no sound as {accent.name!r}: reinstall the package espeak-ng") from None


class Silence(FairdeckError):
    """A text has nothing to speak."""


def _accent(language: str) -> Accent:
    if language not in ACCENTS:
        raise FairdeckError(f"no voice speaks {language!r}{nearest_or_all(language, LANGUAGES)}")
    return ACCENTS[language]


def _program() -> str:
    program = shutil.which("espeak-ng")
    if program is None:
        raise MissingTool("espeak-ng, which speaks the clips, was not found on the path: install the package espeak-ng")
    return program


def spelling(language: str, word: str) -> str:
    """Return what to write so that espeak-ng says `word` as a part of a label.

    >>> spelling("es", "Y"), spelling("es", "7")
    ('ye,', '7')
    """
    # The comma after a letter keeps the voice up, because the number follows.
    return _accent(language).spelt.get(word, word) + ("," if word in LETTERS else "")


def _paced(accent: Accent, text: str) -> Samples:
    """Return `text` spoken at the accent's pace, or as near to it as `SHORTEST` and `LONGEST` allow."""
    pace = accent.pace
    while True:
        samples = _trimmed(resampled(*_spoken(accent.name, pace, text)))
        step = (len(samples) > LONGEST * MS) - (len(samples) < SHORTEST * MS)
        if not step or pace not in PACES:
            return samples
        pace += 10 * step


def _spoken(name: str, pace: int, text: str) -> tuple[Samples, int]:
    """Return `text` as espeak-ng speaks it, and the samples a second."""
    # Above amplitude 80, some words are clipped.
    command = [_program(), "-v", name, "-s", str(pace), "-a", "80", "--stdout", "--", text]
    try:
        made = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - words of ours, no shell
    except OSError as error:
        raise MissingTool(f"espeak-ng cannot be run ({error.strerror or error}): reinstall it") from None
    if made.returncode or made.stdout[:4] != b"RIFF":
        raise MissingTool(f"espeak-ng cannot speak as {name!r} ({_last_line(made.stderr)}): install all its voices")
    samples, rate = _read(made.stdout)
    if not samples.any():
        raise Silence(f"espeak-ng has no sound for {text!r}: use letters or digits")
    return samples, rate


def _read(wave: bytes) -> tuple[Samples, int]:
    """Return the samples of a WAV file as espeak-ng writes it, and the samples a second."""
    # Read here, because the head claims two gigabytes: espeak-ng writes it before it speaks.
    rate = int.from_bytes(wave[24:28], "little")
    if len(wave) < HEAD or len(wave) % 2 or not 0 < rate <= RATE:
        raise MissingTool(f"espeak-ng speaks, but not as a WAV file ({len(wave)} bytes): reinstall it")
    return np.frombuffer(wave, "<i2", offset=HEAD) / 2**15, rate


def _last_line(said: bytes) -> str:
    return (said.decode(errors="replace").strip().splitlines() or ["it said nothing"])[-1]


def resampled(samples: Samples, rate: int) -> Samples:
    """Return the samples at `RATE`, with at least 20 ms of silence before and after: the same spectrum, and none above.

    Args:
        samples: some sound, `rate` samples a second.
        rate: at most `RATE`.
    """
    step, made = rate // gcd(rate, RATE), RATE // gcd(rate, RATE)
    # A spectrum treats the sound as a loop, in which every step rings on both sides: the silence keeps the
    # ringing before the beginning from being heard at the end.
    rounds = ceil((len(samples) + 2 * rate // 50) / step)
    looped = np.zeros(rounds * step)
    looped[rate // 50 :][: len(samples)] = samples
    return np.fft.irfft(np.fft.rfft(looped), rounds * made) * (made / step)


def _trimmed(samples: Samples) -> Samples:
    """Cut the silence off both ends, in whole milliseconds."""
    peaks = np.abs(samples[: len(samples) // MS * MS]).reshape(-1, MS).max(axis=1)
    heard = np.flatnonzero(peaks > EDGE * peaks.max())
    return samples[heard[0] * MS : (heard[-1] + 1) * MS]


def _levelled(samples: Samples) -> Samples:
    """Fade both ends and bring the whole to `LEVEL`, with its loudest peaks compressed."""
    ramp = np.linspace(0, 1, FADE * MS)
    faded = samples.copy()
    faded[: len(ramp)] *= ramp
    faded[-len(ramp) :] *= ramp[::-1]
    loud = faded * (LEVEL / np.sqrt(np.mean(faded**2)))
    over = np.maximum(np.abs(loud) - KNEE, 0)
    bent: Samples = np.minimum(np.abs(loud), KNEE) + (CEILING - KNEE) * np.tanh(over / (CEILING - KNEE))
    signed: Samples = np.copysign(bent, loud)
    return signed


def _encoded(track: Samples) -> bytes:
    file = BytesIO()
    with soundfile.SoundFile(
        file, "w", RATE, channels=1, format="OGG", subtype="OPUS", compression_level=QUALITY
    ) as writer:
        # Second by second, because one very long write crashes libsndfile.
        for start in range(0, len(track), RATE):
            writer.write(track[start : start + RATE])
    return with_serial(file.getvalue(), SERIAL)
