"""A face-up key: a table from card to space, by which hands bring any deck of these cards into one wanted order.

Nobody says how the cards lie now: each card is looked at when it is dealt, and has a sort key of its own, its place in
the wanted order. So one table serves every shuffled deck, to sort a pack for its next use or to restore a stack.

The deck is held and dealt face up. It then lies upside down: its bottom card is the one that is on top when the deck is
turned face down at the end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairdeck.dealing.instructions import counted, gathering, height_table, used_spaces
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.plan import Plan, outcomes
from fairdeck.dealing.planner import Task, plan_for
from fairdeck.errors import FairdeckError

COLUMNS = 4


@dataclass(frozen=True, slots=True)
class Key:
    """A face-up key."""

    spaces: tuple[tuple[int, ...], ...]  # for each card of the wanted order, the top one first, its space in each pass
    plan: Plan  # the heights of the piles and how to gather them, which are the same for every deck


def face_up_key(cards: int, mat: Mat) -> Key:
    """Return the key of a deck of `cards` cards on `mat`.

    >>> face_up_key(4, Mat(2, 1)).spaces
    ((1, 1), (0, 1), (1, 0), (0, 0))
    """
    plan = plan_for(Task(cards, mat, classic=True), range(cards))  # of which each card ends where it was
    spaces: list[list[int]] = [[] for _ in range(cards)]
    deck: Sequence[int] = range(cards)
    for step, outcome in zip(plan.passes, outcomes(plan, deck), strict=True):
        for card, space in zip(reversed(deck), step.deal, strict=True):
            spaces[card].append(space)
        deck = outcome.deck
    return Key(tuple(map(tuple, spaces)), plan)


def key_lines(key: Key, order: Sequence[str], listed: Sequence[str]) -> Iterator[str]:
    """Yield the key as lines of text.

    Args:
        key: of as many cards as `order` has.
        order: the names in the wanted order, top first; no name twice.
        listed: the same names in the order in which people look them up.

    Raises:
        FairdeckError: a name is there twice.
    """
    if len(set(order)) < len(order):
        twice = next(name for name in order if order.count(name) > 1)
        raise FairdeckError(f"{twice!r} is there twice: a face-up key needs names that differ")
    plan, labels = key.plan, key.plan.mat.labels
    passes = counted(len(plan.passes), "pass")
    yield f"{counted(plan.cards, 'card')} on a {plan.mat} mat: {passes} on {counted(len(used_spaces(plan)), 'space')}."
    yield "This key brings any deck of these cards, however it lies, into the order wanted."
    yield "Hold the deck FACE UP. Look up the top card, lay it face up on its space, and so on to the last card."
    if len(plan.passes) > 1:
        yield "A card has a space for each pass: the first is for pass 1."
    yield ""
    found = dict(zip(order, key.spaces, strict=True))
    cells = [f"{name}: {' '.join(labels[space] for space in found[name])}" for name in listed]
    width, rows = max(map(len, cells)), -(-len(cells) // COLUMNS)
    for row in range(rows):
        yield "    " + "   ".join(f"{cell:<{width}}" for cell in cells[row::rows]).rstrip()
    for number, step in enumerate(plan.passes, 1):
        yield ""
        yield f"After pass {number} of {len(plan.passes)} the piles are so high:"
        yield from ("    " + row for row in height_table(plan, step.deal))
        yield gathering(plan, step)
    yield ""
    yield f"Done: turn the deck face down. {order[0]} is on top, {order[-1]} at the bottom."
