"""A shelf machine takes the whole deck: the exact law says how many passes are enough."""

from collections.abc import Iterator
from functools import lru_cache

from fairdeck.advice.request import MACHINE, Recommendation, Request
from fairdeck.advice.tasks import times
from fairdeck.advice.ways import BY_MACHINE, WayToShuffle, turned_by_coins
from fairdeck.dealing.pace import Pace
from fairdeck.shuffles.shelf import MOST_PASSES, ShelfShuffler, shelf_shuffles
from fairdeck.steps import DECK, Step, shelve


def _by_machine(request: Request, pace: Pace) -> Iterator[Recommendation]:
    if not request.machine or request.cards_are == "tiles":
        return
    cards, shelves = request.cards, request.machine
    # More passes are never further from random, and about so many are needed: the law of a large deck takes a second.
    passes = min(max(1, round(ShelfShuffler(shelves).cutoff(cards) or 1)), MOST_PASSES)
    while passes > 1 and _distance(cards, shelves, passes - 1) <= request.distance:
        passes -= 1
    while passes <= MOST_PASSES and _distance(cards, shelves, passes) > request.distance:
        passes += 1
    if passes > MOST_PASSES:
        return
    loose = ", in sleeves" if request.sleeved else ""
    recipe = f"shelf({shelves}){f'*{passes}' if passes > 1 else ''}"
    yield Recommendation(
        mark="machine",
        way=f"let the machine of {shelves} shelves do it {times(passes)}",
        minutes=passes * (cards * MACHINE + pace.step) / 60,
        total_variation=_distance(cards, shelves, passes),
        exact=True,
        needs=f"a machine that takes {cards} cards at once{loose}, each onto a random shelf, on top or beneath",
        remark=f'{"one pass is not enough; " if passes > 1 else ""}see fairdeck mix "{recipe}" --cards {cards}',
        do=(
            Step(_load(cards), ((shelve, DECK, shelves),)),
            *([Step(_again(passes), ((shelve, DECK, shelves),) * (passes - 1))] if passes > 1 else []),
        ),
    )


def _load(cards: int) -> str:
    return (
        f"Load all {cards} cards at once and start the machine. Do not load part of them: parts that were "
        "shuffled apart are not mixed with each other."
    )


def _again(passes: int) -> str:
    return f"Take the cards out, do not cut or sort them, load them again: {passes} passes in all."


@lru_cache(maxsize=1024)
def _distance(cards: int, shelves: int, passes: int) -> float:
    return float(shelf_shuffles(cards, *[shelves] * passes).total_variation or 0)


WAY = WayToShuffle(BY_MACHINE, _by_machine, turned=turned_by_coins)
