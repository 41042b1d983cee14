"""Fisher and Yates with few random bits, taken modulo the bound or scaled down to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known
from fairdeck.shuffles.fisher_yates import swapped


@dataclass(frozen=True, slots=True)
class Modulo:
    """Take `bits` random bits modulo the bound: if it does not divide 2^bits, the low numbers come more often.

    Source: Knuth, TAOCP 2, section 3.4.1; fifteen bits are those of C's rand() where RAND_MAX is 32767.
    """

    bits: int

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        bits = self.bits
        return swapped(n, lambda place: rng.getrandbits(bits) % (place + 1))


@dataclass(frozen=True, slots=True)
class Multiplied:
    """Multiply `bits` random bits by the bound and shift: spread over the range, but just as uneven as modulo.

    Without the rejection step of Lemire, "Fast random integer generation in an interval",
    ACM Trans. Model. Comput. Simul. 29 (2019).
    """

    bits: int

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        bits = self.bits
        return swapped(n, lambda place: rng.getrandbits(bits) * (place + 1) >> bits)


@dataclass(frozen=True, slots=True)
class ScaledByMost:
    """Divide by the largest number instead of the number of numbers: r / 65535 * (i+1).

    The largest r gives i+1, one too many; programs crash on it once in 65,536 draws, or clamp it as this one does.
    """

    bits: int

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        bits, most = self.bits, 2**self.bits - 1
        return swapped(n, lambda place: min(rng.getrandbits(bits) * (place + 1) // most, place))


def rounded(n: int, rng: Random) -> Sequence[int]:
    """Round u*i instead of truncating u*(i+1): the first and the last number come half as often as the others."""
    return swapped(n, lambda place: round(rng.random() * place))


def _modulo(bits: int, says: str, source: str = "Knuth, TAOCP 2, section 3.4.1") -> Known:
    return Known(f"modulo-{bits}", Modulo(bits), fair=False, says=says, source=source)


KNOWN = (
    _modulo(
        8,
        "one random byte modulo the places left: low numbers come more often, a thousand decks show it",
        "Knuth, TAOCP 2, section 3.4.1; npm crypto-shuffle 1.0.1, index.js",
    ),
    _modulo(12, "twelve random bits modulo the places left: low numbers come slightly more often"),
    _modulo(15, "fifteen random bits, as from C's rand(), modulo the places left: ten million decks show the bias"),
    _modulo(16, "sixteen random bits modulo the places left: fifty million decks show the bias"),
    Known(
        "multiply-8",
        Multiplied(8),
        says="one random byte times the places left, over 256: as uneven as modulo, but better hidden",
        source="Lemire, ACM Trans. Model. Comput. Simul. 29 (2019), without its rejection",
    ),
    Known(
        "scaled-16",
        ScaledByMost(16),
        says="divides by 65535 instead of 65536 and clamps what is too large: one number is slightly too likely",
        source="a common slip with rand() / RAND_MAX",
    ),
    Known(
        "round",
        rounded,
        says="rounds instead of truncating: the first and the last place are drawn half as often as the others",
        source="a common slip with Math.round(Math.random() * i)",
    ),
)
