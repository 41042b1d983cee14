"""The pace of hands: the seconds that each action takes, from which fairdeck computes minutes.

No published measurements of dealing to labels were found; the assumed seconds are round numbers
from watching people deal. A file with your own replaces them.
"""

import json
from dataclasses import dataclass, fields

from fairdeck.errors import FairdeckError
from fairdeck.numbers import real, shortened

SLOWER = ((4, 0.8), (10, 0.9), (22, 1.0))  # largest number of spaces, seconds a card: finding one of many takes longer
SLOWEST = 1.15
USUAL_SPACES = 10
LEAST, MOST = 0.05, 600.0
BYTE_ORDER_MARK = "\ufeff"  # some editors put it at the beginning of a file
EXAMPLE = 'such as {"card": 0.8, "pile": 1.2}'


@dataclass(frozen=True, slots=True)
class Pace:
    """The seconds that each action takes."""

    card: float = 0.9  # to deal one card to its label, on ten spaces
    pile: float = 1.2  # to take up one pile
    step: float = 8.0  # to square the deck and begin a new pass or step
    riffle: float = 6.0  # to cut a packet that fits the hands, riffle or mash it once, and square it
    overhand: float = 8.0  # to shuffle such a packet overhand once
    measured: bool = False  # whether the seconds are a person's own

    def of_a_card(self, spaces: int) -> float:
        """Return the seconds to deal one card to its label, on `spaces` spaces.

        >>> Pace().of_a_card(4), Pace().of_a_card(30)
        (0.8, 1.15)
        """
        usual = next(pace for most, pace in SLOWER if most == USUAL_SPACES)
        return next((pace for most, pace in SLOWER if spaces <= most), SLOWEST) * (self.card / usual)

    @classmethod
    def from_json(cls, text: str) -> "Pace":
        """Return the pace that a text says; missing seconds are as assumed. A FairdeckError if it says none.

        >>> Pace.from_json('{"card": 0.5}')
        Pace(card=0.5, pile=1.2, step=8.0, riffle=6.0, overhand=8.0, measured=True)
        """
        try:
            given = json.loads(text.removeprefix(BYTE_ORDER_MARK))
        except (ValueError, RecursionError) as error:
            raise FairdeckError(f"the pace is not JSON: {error}; write seconds, {EXAMPLE}") from None
        known = {field.name for field in fields(cls)} - {"measured"}
        if not isinstance(given, dict) or not set(given) <= known:
            raise FairdeckError(f"the pace holds more than {', '.join(sorted(known))}; write seconds, {EXAMPLE}")
        for name, seconds in given.items():
            number = real(seconds)
            if number is None or not LEAST <= number <= MOST:
                raise FairdeckError(
                    f"the pace: {name} takes {shortened(seconds)}; write seconds from {LEAST:g} to {MOST:g}"
                )
        return cls(**{name: float(seconds) for name, seconds in given.items()}, measured=True)


ASSUMED = Pace()
