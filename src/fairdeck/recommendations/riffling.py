"""Riffles of a whole deck or of its packets: how many are enough, by the exact law, and how long they take."""

from functools import lru_cache

from fairdeck.dealing.pace import Pace
from fairdeck.shuffles.riffle import gsr_riffles

MOST_RIFFLES = 30
USUAL_HANDFUL = 52  # cards to which a pace refers
PATIENCE = 300.0  # seconds that anybody would spend on a shuffle of which no number is known to be enough


@lru_cache(maxsize=1024)
def distance_after(cards: int, riffles: int) -> float:
    """Return how far from uniform a deck is after riffles, in total variation."""
    return float(gsr_riffles(cards, riffles).total_variation or 0)


def enough_riffles(cards: int, target: float) -> int | None:
    """Return the fewest riffles that bring a deck as near to uniform as `target`; None if that takes too many."""
    return next((times for times in range(1, MOST_RIFFLES + 1) if distance_after(cards, times) <= target), None)


def seconds_a_riffle(cards: int, pace: Pace) -> float:
    """Return how long it takes to riffle or mash `cards` cards once."""
    return pace.riffle * max(0.5, cards / USUAL_HANDFUL)


def packet_minutes(packet: int, rounds: int, steps: int, riffles: int, pace: Pace) -> float:
    """Return how many minutes a packet procedure takes.

    Args:
        packet: cards in a packet.
        rounds: packets that each person riffles in a step, one after another.
        steps: of the procedure.
        riffles: of each packet in a step.
        pace: of the hands.
    """
    return steps * (rounds * riffles * seconds_a_riffle(packet, pace) + pace.step) / 60
