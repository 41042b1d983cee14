"""How loud a recording is, as ITU-R BS.1770-4 measures it, and how it is brought to one level.

Everything here is one channel at `RATE`, with samples from -1 to 1. Loudness is in LUFS: the power after the
K-weighting filter, over blocks of 400 ms, without the quiet blocks (annex 1). The true peak is in dBTP: the largest
value of the sound between the samples too (annex 2). A sine of 997 Hz that fills one channel has -3.01 LUFS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import inf, isfinite, log10
from typing import TYPE_CHECKING

import numpy as np

from fairdeck.sound import RATE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fairdeck.sound import Samples

TARGET, PEAK = -16.0, -1.0  # LUFS, and the most dBTP
AIM = TARGET + 0.35  # before encoding: Opus and MP3 take away up to 0.8 LU
KNEE, CEILING = 0.3, 0.5  # peaks above the first are compressed below the second; Opus adds up to 4 dB to a click
MEASURED = 6  # pieces from the beginning that set the gain: the labels of a deal are equally loud from end to end
ROUNDS = 3  # compressed peaks are less loud than computed: the gain is corrected

STEP = RATE // 10  # samples from one block to the next; a block is four steps
BEFORE = RATE // 5  # samples: longer than the filters remember
OFFSET, ABSOLUTE_GATE, RELATIVE_GATE = -0.691, -70.0, -10.0
# Annex 1, tables 1 and 2, at 48,000 samples a second: numerator and denominator of the shelf and the high-pass filter.
SHELF = (1.53512485958697, -2.69169618940638, 1.19839281085285), (1.0, -1.69065929318241, 0.73248077421585)
HIGH_PASS = (1.0, -2.0, 1.0), (1.0, -1.99004745483398, 0.99007225036621)
# Annex 2: two of the four phases of the filter that makes four samples of one; the others are these, backwards.
PHASES = (
    (0.0017089843750, 0.0109863281250, -0.0196533203125, 0.0332031250000, -0.0594482421875, 0.1373291015625,
     0.9721679687500, -0.1022949218750, 0.0476074218750, -0.0266113281250, 0.0148925781250, -0.0083007812500),
    (-0.0291748046875, 0.0292968750000, -0.0517578125000, 0.0891113281250, -0.1665039062500, 0.4650878906250,
     0.7797851562500, -0.2003173828125, 0.1015625000000, -0.0582275390625, 0.0330810546875, -0.0189208984375),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Level:
    """What was measured.

    Attributes:
        loudness: LUFS; minus infinity for silence, and for less than 400 ms.
        peak: dBTP; minus infinity for silence.
    """

    loudness: float
    peak: float


def measured(pieces: Iterable[Samples]) -> Level:
    """Return the level of a sound that comes in pieces of any length."""
    powers: list[Samples] = []
    peak, before, rest = 0.0, np.zeros(BEFORE), np.zeros(0)
    for piece in pieces:
        both = np.concatenate([before, piece])
        peak = max(peak, _peak(both))
        rest = np.concatenate([rest, _weighted(both)[BEFORE:] ** 2])
        whole = len(rest) // STEP * STEP
        powers.append(rest[:whole].reshape(-1, STEP).mean(axis=1))
        before, rest = both[-BEFORE:], rest[whole:]
    return Level(_gated(np.concatenate([*powers, np.zeros(0)])), _decibels(peak**2))


def levelled(pieces: Callable[[], Iterable[Samples]]) -> Iterator[Samples]:
    """Yield the pieces of a sound, brought to `AIM` as a whole, with its peaks below `CEILING`.

    Args:
        pieces: returns the pieces of the sound, from the beginning; it is called several times. The
            first `MEASURED` set the gain.
    """
    gain = 1.0
    for _ in range(ROUNDS):
        loudness = measured(bent(gain * piece) for piece in islice(pieces(), MEASURED)).loudness
        gain *= 10 ** ((AIM - loudness) / 20) if isfinite(loudness) else 1
    return (bent(gain * piece) for piece in pieces())


def bent(samples: Samples, ceiling: float = CEILING) -> Samples:
    """Return the samples with those above `KNEE` compressed, so that all stay below the ceiling."""
    room = ceiling - KNEE
    over = np.maximum(np.abs(samples) - KNEE, 0)
    made: Samples = np.copysign(np.minimum(np.abs(samples), KNEE) + room * np.tanh(over / room), samples)
    return made


def _weighted(samples: Samples) -> Samples:
    """Return the samples through the K-weighting filter; the first `BEFORE` of them are not right."""
    made: Samples = np.fft.irfft(np.fft.rfft(samples) * _response(len(samples)), len(samples))
    return made


@lru_cache(maxsize=2)  # nearly all pieces of a recording have one length
def _response(length: int) -> NDArray[np.complex128]:
    turns = np.exp(-2j * np.pi * np.arange(length // 2 + 1) / length)
    response = np.ones(len(turns), complex)
    for top, bottom in (SHELF, HIGH_PASS):
        response = response * np.polyval(top[::-1], turns) / np.polyval(bottom[::-1], turns)
    return response


def _peak(samples: Samples) -> float:
    """Return the largest absolute value at four times the rate."""
    phases = [phase[::way] for phase in PHASES for way in (1, -1)]
    return max(float(np.abs(np.convolve(samples, phase)).max()) for phase in phases)


def _gated(powers: Samples) -> float:
    """Return the loudness of the mean power of all blocks that are not quiet; `powers` has one for each step."""
    if len(powers) < 4:
        return -inf
    blocks = np.convolve(powers, np.full(4, 0.25), "valid")
    for gate in (ABSOLUTE_GATE, _loudness(blocks[_above(blocks, ABSOLUTE_GATE)]) + RELATIVE_GATE):
        blocks = blocks[_above(blocks, gate)]
    return _loudness(blocks)


def _above(blocks: Samples, gate: float) -> NDArray[np.bool_]:
    return blocks > 10 ** ((gate - OFFSET) / 10)


def _loudness(blocks: Samples) -> float:
    return OFFSET + _decibels(float(blocks.mean())) if len(blocks) else -inf


def _decibels(power: float) -> float:
    return 10 * log10(power) if power > 0 else -inf
