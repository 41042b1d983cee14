"""The measurement of loudness: the published test signals of ITU-R BS.2217 and EBU Tech 3341, and its own pieces."""

from math import inf

import numpy as np
import pytest

from fairdeck.sound import MS, RATE
from fairdeck.sound.loudness import AIM, CEILING, KNEE, PEAK, bent, levelled, measured

BOTH = np.sqrt(2)  # one channel with this factor has the power of two equal ones


def sine(seconds, decibels=0.0, hertz=1000.0, degrees=0.0):
    turns = np.arange(round(seconds * RATE)) * hertz / RATE + degrees / 360
    return 10 ** (decibels / 20) * np.sin(2 * np.pi * turns)


def test_a_full_sine_of_997_hertz_in_one_channel_is_at_minus_3_01():
    assert measured([sine(20, hertz=997)]).loudness == pytest.approx(-3.01, abs=0.005)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([(20, -23)], -23),
        ([(20, -33)], -33),
        ([(10, -36), (60, -23), (10, -36)], -23),
        ([(10, -72), (10, -36), (60, -23), (10, -36), (10, -72)], -23),
        ([(20, -26), (20.1, -20), (20, -26)], -23),
    ],
)
def test_the_first_five_signals_of_tech_3341_read_as_published(parts, expected):
    # Table 1, cases 1 to 5: 1,000 Hz in both channels; the reading may be 0.1 LU off.
    signal = BOTH * np.concatenate([sine(*part) for part in parts])
    assert measured([signal]).loudness == pytest.approx(expected, abs=0.1)


@pytest.mark.parametrize(
    ("divisor", "degrees", "amplitude", "expected"),
    [(4, 0, 0.5, -6), (4, 45, 0.5, -6), (6, 60, 0.5, -6), (8, 67.5, 0.5, -6), (4, 45, 1.41, 3)],
)
def test_the_peaks_between_samples_of_tech_3341_read_as_published(divisor, degrees, amplitude, expected):
    # Table 1, cases 15 to 19: the reading may be 0.2 dB too high or 0.4 dB too low.
    signal = amplitude * sine(1, hertz=RATE / divisor, degrees=degrees)
    signal[: 20 * MS] *= np.linspace(0, 1, 20 * MS)
    signal[-20 * MS :] *= np.linspace(1, 0, 20 * MS)
    assert expected - 0.4 <= measured([signal]).peak <= expected + 0.2


@pytest.mark.parametrize(
    ("hertz", "gain"), [(20, -13.7), (38, -6.0), (100, -1.1), (1000, 0.69), (2000, 3.1), (10_000, 4.0)]
)
def test_low_sounds_count_less_and_high_ones_more(hertz, gain):
    # BS.1770-4, figures 2 and 4, read to half a decibel.
    assert measured([sine(5, hertz=hertz)]).loudness == pytest.approx(-3.01 - 0.69 + gain, abs=0.5)


def test_pieces_of_any_length_read_like_the_whole():
    noise = np.random.default_rng(7).normal(0, 0.1, 5 * RATE)
    whole = measured([noise])
    for cuts in ([1, 2, 3], [100_000], [4799, 4801, 200_001], [0, 5 * RATE]):
        found = measured(np.split(noise, cuts))
        assert found.loudness == pytest.approx(whole.loudness, abs=1e-9)
        assert found.peak == pytest.approx(whole.peak, abs=1e-9)


def test_silence_and_the_shortest_sounds_have_no_loudness():
    for pieces in ([], [np.zeros(0)], [np.zeros(RATE)], [sine(0.39)]):
        assert measured(pieces).loudness == -inf
    assert measured([sine(0.4)]).loudness > -5
    assert measured([np.zeros(RATE)]).peak == -inf


@pytest.mark.parametrize("decibels", [-60, -30, -10, 0])
@pytest.mark.cases(1)
def test_a_sound_is_brought_to_the_target_as_a_whole(decibels):
    quiet, loud = sine(3, decibels - 6), sine(3, decibels)
    made = list(levelled(lambda: iter([quiet, loud])))
    level = measured(made)
    assert level.loudness == pytest.approx(AIM, abs=0.05)
    assert level.peak <= PEAK
    assert np.abs(made[1]).max() / np.abs(made[0]).max() == pytest.approx(2, abs=0.01)


def test_silence_stays_silent():
    (made,) = levelled(lambda: iter([np.zeros(RATE)]))
    assert not made.any()


def test_only_high_peaks_are_compressed_and_their_order_is_kept():
    samples = np.linspace(-3, 3, 6001)
    made = bent(samples)
    low = np.abs(samples) <= KNEE
    assert np.array_equal(made[low], samples[low])
    assert np.abs(made).max() <= CEILING
    assert np.all(np.diff(made) >= 0)
    assert np.array_equal(bent(-samples), -made)
