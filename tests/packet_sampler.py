"""Packet flows as shuffles: all outcomes for a few cards, and single cards."""

from fractions import Fraction
from unittest.mock import patch

from fairdeck.packets import instructions
from fairdeck.packets.instructions import Procedure
from fairdeck.packets.notation import Deck, Flow
from fairdeck.packets.positions import _followed, _moving, made_steps
from fairdeck.steps import DECK, Law


def law(flow: Flow, n: int, steps: int, riffles: int) -> dict[Deck, Fraction]:
    """Return the probability of each arrangement of a few cards, by doing what is printed in all possible ways."""
    with patch.object(instructions, "FEWEST", 0):
        printed = Procedure(flow, n, flow.players[0], steps, riffles).do()
    tables = Law.of(printed, n).tables()
    return {tuple(n - 1 - card for card, _ in reversed(table[DECK])): chance for table, chance in tables}


def one_card(flow: Flow, cards: int, steps: int, riffles: int) -> list[list[list[float]]]:
    """Return, after each step and for each starting place, the probability of each place."""
    return list(_followed(cards, [_moving(each, riffles) for each in made_steps(flow, cards, steps)], cards))
