"""Your own riffle: what `fairdeck hands` measured and kept, and `riffle(mine)` in a recipe.

A recipe is written out before anything is computed: a worker elsewhere has other hands, or none.
"""

import json
import re
from dataclasses import asdict, dataclass, fields

from fairdeck.errors import FairdeckError

MINE = re.compile(r"\b(?:riffle|mash)\s*\(\s*mine\s*\)", re.IGNORECASE)
FORMAT = "fairdeck-riffle/1"
AGAIN = "measure it again: fairdeck hands"


@dataclass(frozen=True, slots=True)
class Hands:
    """A riffle that was measured."""

    recipe: str  # of one riffle, such as ``riffle(neatness=0.58)``
    riffles: int  # how many were measured
    cards: int  # of the deck that was measured
    # how many of these riffles this deck needs at least, to be as near random as after the usual ideal ones
    needed: int
    fits: bool  # whether no check of the riffles failed, see `fairdeck.shuffles.interleavings.Fit`

    @property
    def need(self) -> str:
        """How many riffles the deck needs, in words."""
        least, why = ("", "") if self.fits else ("at least ", ", and a check failed")
        return f"{self.cards} cards need {least}{self.needed} of it{why}"

    def to_json(self) -> str:
        """Return the hands as JSON.

        >>> Hands.from_json(Hands("riffle(neatness=0.58)", 4, 52, 13, True).to_json()).needed
        13
        """
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1)

    @classmethod
    def from_json(cls, text: str) -> "Hands":
        """Return the hands that `to_json` wrote, or raise a FairdeckError."""
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        types = {each.name: each.type for each in fields(cls)}
        known = isinstance(found, dict) and found.pop("format", None) == FORMAT
        if not known or {name: type(value) for name, value in found.items()} != types:
            raise FairdeckError(f"this is no file of a measured riffle; {AGAIN}")
        if not re.fullmatch(r"riffle(\([a-z0-9=., ]+\))?", found["recipe"]):
            raise FairdeckError(f"{found['recipe'][:60]!r} is no measured riffle; {AGAIN}")
        return cls(**found)


def written_out(recipe: str, hands: Hands | None) -> str:
    """Return a recipe with the measured riffle in the place of ``riffle(mine)``; a FairdeckError if none was measured.

    >>> written_out("riffle(mine)*9 + cut", Hands("riffle(neatness=0.58)", 4, 52, 13, True))
    'riffle(neatness=0.58)*9 + cut'
    """
    if not MINE.search(recipe):
        return recipe
    if hands is None:
        raise FairdeckError("riffle(mine): your riffle is not measured yet; measure it, and keep it: fairdeck hands")
    return MINE.sub(hands.recipe, recipe)
