"""How fast hands are: what the minutes rest on. Assumed, until somebody has put a stopwatch to his own.

No measured figures for dealing to labels were found in print; the assumptions are round numbers
from watching people deal. Whoever wants better ones calls ``fairdeck pace --measure``.
"""

import json
from dataclasses import asdict, dataclass, fields

from fairdeck.errors import FairdeckError

SLOWER = ((4, 0.8), (10, 0.9), (22, 1.0))  # spaces at most, seconds a card: more spaces, a longer look
SLOWEST = 1.15
USUAL_SPACES = 10
LEAST, MOST = 0.05, 600.0
BYTE_ORDER_MARK = "\ufeff"  # some editors put it before what they save
ANEW = "measure it anew: fairdeck pace --measure"


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds that things take.

    Attributes:
        card: to deal one card as told, onto ten spaces.
        pile: to take up one pile.
        step: to square the deck and begin a new pass or step.
        riffle: to cut a packet that fits the hand, riffle or mash it once, and square it.
        overhand: to strip through such a packet once.
        measured: whether a stopwatch said so.
    """

    card: float = 0.9
    pile: float = 1.2
    step: float = 8.0
    riffle: float = 6.0
    overhand: float = 8.0
    measured: bool = False

    def of_a_card(self, spaces: int) -> float:
        """Return the seconds to deal one card as told onto so many spaces.

        >>> Pace().of_a_card(4), Pace().of_a_card(30)
        (0.8, 1.15)
        """
        usual = next(pace for most, pace in SLOWER if most == USUAL_SPACES)
        return next((pace for most, pace in SLOWER if spaces <= most), SLOWEST) * (self.card / usual)

    def to_json(self) -> str:
        """Return the pace as JSON.

        >>> Pace.from_json(Pace(card=0.5, measured=True).to_json()).card
        0.5
        """
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def from_json(cls, text: str) -> "Pace":
        """Return the pace that `to_json` wrote; what is left out is as assumed.

        Raises:
            FairdeckError: it is none, or something in it takes no time, or an hour.
        """
        try:
            found = json.loads(text.removeprefix(BYTE_ORDER_MARK))
        except RecursionError:
            raise FairdeckError(f"the pace is nested too deep; {ANEW}") from None
        except ValueError as error:
            raise FairdeckError(f"the pace is no JSON: {error}; {ANEW}") from None
        known = {field.name for field in fields(cls)} - {"measured"}
        if not isinstance(found, dict) or not set(found) <= known | {"measured"}:
            raise FairdeckError(f"the pace holds more than {', '.join(sorted(known))}; {ANEW}")
        for name in known & set(found):
            seconds = found[name]
            number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
            if not number or not LEAST <= seconds <= MOST:
                raise FairdeckError(
                    f"the pace: {name} takes {_short(seconds)}; write seconds from {LEAST:g} to {MOST:g}"
                )
        return cls(**{name: float(found[name]) for name in known & set(found)}, measured=bool(found.get("measured")))


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."


ASSUMED = Pace()
