"""Fisher and Yates with the weak generators of old libraries, which continue from deck to deck."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known
from fairdeck.shuffles.fisher_yates import swapped

BITS = 31


@dataclass(frozen=True, slots=True)
class Congruential:
    """``state = multiplier * state + increment`` modulo 2^31; Knuth, TAOCP 2, sections 3.2.1 and 3.3.4."""

    multiplier: int  # of the state
    increment: int  # added to it; if it is 0, the first state is made odd
    dropped: int = 0  # how many low bits, the least random, are left out
    scaled: bool = False  # use the high bits for a number below a bound, not the remainder

    def numbers(self, state: int) -> Iterator[int]:
        """Yield the numbers of the generator after `state`."""
        while True:
            state = (state * self.multiplier + self.increment) % 2**BITS
            yield state >> self.dropped

    def stream(self, n: int, rng: Random) -> Iterator[Sequence[int]]:
        """Yield arrangements that all follow from one draw of 31 bits."""
        start = rng.getrandbits(BITS)
        numbers = self.numbers(start if self.increment else start | 1)
        shown = BITS - self.dropped
        while True:
            if self.scaled:
                yield swapped(n, lambda place: next(numbers) * (place + 1) >> shown)
            else:
                yield swapped(n, lambda place: next(numbers) % (place + 1))


KNOWN = (
    Known(
        "randu",
        Congruential(65_539, 0, scaled=True),
        says="RANDU's high bits: three numbers in a row lie in 15 planes, and neighbours in the deck tell",
        source="Marsaglia, Proc. Nat. Acad. Sci. 61 (1968); Knuth, TAOCP 2, section 3.3.4",
    ),
    Known(
        "msvc-rand",
        Congruential(214_013, 2_531_011, dropped=16),
        says="Microsoft C's rand() modulo the places left: fifteen bits, so the bias of modulo-15, and 2^31 states",
        source="the C library of Microsoft Visual C++",
    ),
    Known(
        "bsd-rand",
        Congruential(1_103_515_245, 12_345),
        says="old Unix rand(), or another generator modulo a power of two: its lowest bits repeat soon",
        source="the example of the C standard, section 7.22.2 (C11), with all 31 bits shown as 4.3BSD did",
    ),
)
