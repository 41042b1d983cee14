"""The deck is dealt onto piles in turn, as many people do: no shuffle at all."""

from collections.abc import Iterator
from fractions import Fraction
from math import factorial

from fairdeck.advice.request import Recommendation, Request
from fairdeck.advice.ways import NO_SHUFFLE, WayToShuffle, turns_by_itself
from fairdeck.dealing.pace import Pace
from fairdeck.steps import DECK, Step, deal, stack

PILES = 7  # that people deal onto


def _piles_in_turn(request: Request, pace: Pace) -> Iterator[Recommendation]:
    if not request.room:
        return
    piles = min(PILES, request.cards, request.mat.spaces if request.mat else PILES)
    names = tuple(f"pile {number}" for number in range(1, piles + 1))
    results = factorial(request.cards) << (request.cards if request.cards_are == "tarot" else 0)
    yield Recommendation(
        mark="piles in turn",
        way="deal it onto piles in turn",
        minutes=(request.cards * pace.of_a_card(piles) + piles * pace.pile) / 60,
        total_variation=float(1 - Fraction(1, results)),
        exact=True,
        needs=f"room for {piles} piles",
        remark="no shuffle at all: the old order determines the new one",
        do=(
            Step(f"Deal onto the {piles} piles in turn, and stack them.", ((deal, DECK, names), (stack, names, DECK))),
        ),
    )


WAY = WayToShuffle(NO_SHUFFLE, _piles_in_turn, turned=turns_by_itself)
