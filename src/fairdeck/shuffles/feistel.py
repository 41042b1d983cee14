"""A cipher of few rounds in place of a shuffle: fast on a graphics processor, and linear if its rounds are."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known


@dataclass(frozen=True, slots=True)
class LinearFeistel:
    """Encrypt 0, 1, 2, ... by a Feistel network with linear rounds; numbers that are no card are left out.

    So the place of a card, written in bits, is a sum modulo 2 of constants, one for each of its own bits.
    The first `shuffle` of CUDA's Thrust had eight rounds with a shift register in each, and the decks that its users
    printed are linear in this sense. Its constants are not known to us: here they are drawn, which is the most random
    that a linear network can be.
    """

    rounds: int

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        bits = max((n - 1).bit_length(), 2)
        small, large = bits // 2, bits - bits // 2
        encrypted = list(range(2**bits))
        for _ in range(self.rounds):
            constants = [rng.getrandbits(small) for _ in range(large + 1)]
            turned = [_linear(constants, right) for right in range(2**large)]
            # The left half is added to a function of the right half; then the halves change sides.
            encrypted = [
                (number % 2**large << small) | number >> large ^ turned[number % 2**large] for number in encrypted
            ]
            if large > small:  # they keep their widths only if these are equal
                small, large = large, small
        return [card for card in encrypted if card < n]


def _linear(constants: list[int], bits: int) -> int:
    """Return the sum modulo 2 of the constants at the bits that are set, and of the last one."""
    total = constants[-1]
    for constant in constants[:-1]:
        total ^= constant * (bits & 1)
        bits >>= 1
    return total


KNOWN = (
    Known(
        "feistel-linear",
        LinearFeistel(8),
        says="a cipher that only moves and adds bits: where three cards lie, a fourth is known to lie",
        source="after the first shuffle of CUDA's Thrust, NVIDIA/thrust issue 1256 and pull request 1309 (2020)",
    ),
)
