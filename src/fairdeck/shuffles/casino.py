"""The usual procedure of a casino for one deck."""

from fairdeck.shuffles.cut import CUT
from fairdeck.shuffles.hand_riffle import NEAT
from fairdeck.shuffles.known import Known
from fairdeck.shuffles.overhand import STRIP
from fairdeck.shuffles.recipes import recipe_of

KNOWN = (
    Known(
        "casino",
        recipe_of([(NEAT, 2), (STRIP, 1), (NEAT, 1), (CUT, 1)]),
        says="riffle, riffle, strip, riffle, cut, as casinos do: most of the old order can still be seen",
        source="the usual dealing procedure of casinos for one deck",
        by_hand=True,
    ),
)
