"""Builds the spoken labels of the dealing page again, ``src/fairdeck/page/voices``, with espeak-ng.

A label is a letter and a number, so a voice has 52 clips: the letters A to Z, with their names in the language, and the
numbers 1 to 26. B7 is the clip of B and then the clip of 7. All clips of a language are one Ogg Opus track, so that the
page has one file to hold; a table says where each clip begins and ends, in milliseconds.

The same versions of espeak-ng and soundfile make the same bytes.
"""

import json
import struct
import subprocess
import sys
import zlib
from collections.abc import Mapping
from io import BytesIO
from math import ceil, gcd
from pathlib import Path
from string import ascii_uppercase
from typing import NamedTuple

import numpy as np
import soundfile
from numpy.typing import NDArray

from release.commit import ROOT

VOICES = ROOT / "src" / "fairdeck" / "page" / "voices"
LETTERS = tuple(ascii_uppercase)
NUMBERS = tuple(str(number) for number in range(1, 27))
WORDS = LETTERS + NUMBERS

RATE = 48_000  # samples a second; espeak-ng speaks at 22,050 Hz, a rate that Opus does not have
MS = RATE // 1000  # samples a millisecond
GAP = 60  # milliseconds of silence around every clip: more than decoders misplace the ends of clips
SHORTEST, LONGEST = 200, 750  # milliseconds; clips outside these limits are spoken more slowly, or faster
PACES = range(80, 450)  # words a minute that espeak-ng can speak
LEVEL = 0.11  # the root mean square of every clip, of 1
KNEE, CEILING = 0.5, 0.8  # peaks above the first are compressed, so that they stay below the second
EDGE = 10 ** (-50 / 20)  # a clip begins and ends where it comes within 50 dB of its peak
FADE = 3  # milliseconds
QUALITY = 0.96  # soundfile's compression level, from 0 (256 kbit/s) to 1 (6 kbit/s)
WAVE_HEAD, OGG_HEAD = 44, 27  # bytes before the samples of a WAV file, and before the lengths in a page of Ogg
SERIAL = 1  # any number will do: a file holds one stream
MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))

Samples = NDArray[np.float64]


class Accent(NamedTuple):
    """How espeak-ng speaks a language here."""

    name: str  # without a variant: espeak-ng silently ignores a variant that it lacks
    pace: int  # words a minute, such that half of all labels take at most 0.6 s
    spelt: Mapping[str, str]  # what to write for letters that espeak-ng would not call by their names, or not clearly


ACCENTS = {
    "en": Accent("en-us", 230, {"Z": "zed"}),  # "zee" sounds too much like C
    "de": Accent("de", 240, {}),
    "es": Accent("es", 215, {"Y": "ye"}),  # otherwise espeak-ng says the name of I
    "fr": Accent("fr", 170, {}),
}


class Voice(NamedTuple):
    """The clips of one language: an Ogg Opus file, and where each word begins and ends in it, in milliseconds."""

    ogg: bytes
    table: dict[str, tuple[int, int]]


def build(language: str) -> Voice:
    """Return the voice of a language of `ACCENTS`."""
    silence = np.zeros(GAP * MS)
    track, table, start = [silence], {}, GAP
    for word in WORDS:
        samples = clip(language, word)
        end = start + len(samples) // MS
        table[word] = (start, end)
        track += [samples, silence]
        start = end + GAP
    return Voice(_encoded(np.concatenate(track)), table)


def clip(language: str, word: str) -> Samples:
    """Return a word of `WORDS` as it is spoken: `RATE` samples a second, each from -1 to 1, for whole milliseconds.

    It is spoken at the accent's pace, or as near to it as `SHORTEST` and `LONGEST` allow.
    """
    accent = ACCENTS[language]
    pace = accent.pace
    while True:
        samples = _trimmed(resampled(*_spoken(accent.name, pace, spelling(language, word))))
        step = (len(samples) > LONGEST * MS) - (len(samples) < SHORTEST * MS)
        if not step or pace not in PACES:
            return _levelled(samples)
        pace += 10 * step


def spelling(language: str, word: str) -> str:
    """Return what to write so that espeak-ng says `word` as a part of a label.

    >>> spelling("es", "Y"), spelling("es", "7")
    ('ye,', '7')
    """
    # The comma after a letter keeps the voice up, because the number follows.
    return ACCENTS[language].spelt.get(word, word) + ("," if word in LETTERS else "")


def _spoken(name: str, pace: int, text: str) -> tuple[Samples, int]:
    """Return `text` as espeak-ng speaks it, and the samples a second."""
    # Above amplitude 80, some words are clipped.
    command = ["espeak-ng", "-v", name, "-s", str(pace), "-a", "80", "--stdout", "--", text]
    wave = subprocess.run(command, capture_output=True, check=True).stdout
    # Read here, because the head claims two gigabytes: espeak-ng writes it before it speaks.
    rate = int.from_bytes(wave[24:28], "little")
    if wave[:4] != b"RIFF" or not 0 < rate <= RATE:
        raise ValueError(f"espeak-ng speaks {text!r} as {name!r}, but not as a WAV file: reinstall it, with its voices")
    return np.frombuffer(wave, "<i2", offset=WAVE_HEAD) / 2**15, rate


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


def with_serial(ogg: bytes, serial: int) -> bytes:
    """Return an Ogg file with the given serial number on all its pages; libsndfile draws a new one for every file.

    A page is 27 bytes of head (serial number at 14, checksum at 22, the count of segments last), the lengths of its
    segments, one byte each, and the segments. Source: RFC 3533, section 6.
    """
    pages, start = bytearray(ogg), 0
    while start < len(pages):
        lengths = start + OGG_HEAD
        end = lengths + pages[lengths - 1]
        end += sum(pages[lengths:end])
        struct.pack_into("<I", pages, start + 14, serial)
        struct.pack_into("<I", pages, start + 22, 0)  # the checksum is computed with zeros in its own place
        struct.pack_into("<I", pages, start + 22, checksum(pages[start:end]))
        start = end
    return bytes(pages)


def checksum(page: bytes | bytearray) -> int:
    """Return Ogg's checksum of a page: CRC-32 with the usual polynomial, initial value 0, bits not reflected.

    >>> hex(checksum(b"123456789"))
    '0x89a1897f'
    """
    # zlib reflects the bits of every byte and of the result, begins with ones and inverts the end: undone here.
    crc = zlib.crc32(page.translate(MIRRORED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int(f"{crc:032b}"[::-1], 2)


def main(folder: Path = VOICES) -> int:
    """Write the track and the table of every language."""
    for language in ACCENTS:
        voice = build(language)
        (folder / f"{language}.ogg").write_bytes(voice.ogg)
        (folder / f"{language}.json").write_text(json.dumps(voice.table, separators=(",", ":")) + "\n")
        seconds = sum(end - start for start, end in voice.table.values()) / 1000
        print(f"{language}: {len(voice.table)} words, {seconds:.1f} s, {len(voice.ogg) / 1000:.1f} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
