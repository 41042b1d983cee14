"""Equal cards: which of them goes to which wanted place, so that a given order needs few sort keys.

Two packs, 24 Islands, blank tokens: any card of a name may serve where the name is wanted. Each choice is an
arrangement of its own, and they differ much in the keys that `fairdeck.dealing.planner.run_keys` counts.

The fewest keys would cut the wanted order into the fewest blocks that the deck, as it lies, interleaves. Already to
recognise such interleavings is NP-complete (Warmuth and Haussler, J. Comput. Syst. Sci. 28, 1984), so this is a search
and **not proven minimal**: from a greedy start, exchanges of two equal cards with a falling temperature (simulated
annealing; Kirkpatrick, Gelatt and Vecchi, Science 220, 1983), always the same for the same lists. The tests compare
it with all assignments: for every pair of orders of up to four cards, and for a sample of pairs of five to nine cards,
it finds the fewest. For 100 pairs of random orders it was compared with optima
that integer programming proved. Pinochle (48 cards) and two packs (104): the same in 50 of 50. 100 cards, 37 of them of
two names: the same in 23 of 25. 60 cards, nine names four times and two names 14 and 10 times: the same in 18 of 25. In
the others it needed one key more.

The goal ``top`` may take one key more, because the cards below, whose order is free, are not searched as one block.

Only orders that are **given** need this. A drawn order is one of places, all equally likely, and so are all orders of
names. Where a deal is cut into two lists that tell nothing alone, choose among equal cards at random, or before the
first list is known: a choice made for few keys would tell.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from math import exp

from fairdeck.dealing.planner import Task, number_of_keys, run_keys
from fairdeck.errors import FairdeckError
from fairdeck.permutation import Permutation
from fairdeck.randomness import WORD, seeded_words

STEPS_A_CARD, MOST_STEPS, LONG_DECK = 2_000, 300_000, 1_000  # beyond LONG_DECK cards, fewer steps than the most
HOTTEST, COLDEST = 0.35, 0.01  # in keys
SEED = b"fairdeck equal cards"


def arrangement_between(task: Task, start: Sequence[str], order: Sequence[str]) -> Permutation:
    """Return an arrangement, bottom first, that brings a deck from `start` into `order`, both names, top first.

    Among equal cards it chooses so that `task` needs few passes, and then few spaces; see above.

    Raises:
        FairdeckError: the two do not have the same cards, each as often, or not as many as the task.

    >>> from fairdeck.dealing.mat import Mat
    >>> arrangement_between(Task(3, Mat(2, 1)), ("SA", "SK", "SQ"), ("SQ", "SA", "SK"))
    (1, 2, 0)
    >>> arrangement_between(Task(4, Mat(2, 1)), "abab", "aabb")  # one pass on two spaces
    (2, 0, 3, 1)
    """
    now, wanted = start[::-1], order[::-1]
    if not len(now) == len(wanted) == task.cards or Counter(now) != Counter(wanted):
        raise FairdeckError(f"start and order must be orders of the same {task.cards} cards, each as often in both")
    places = {name: place for place, name in enumerate(now)}
    if len(places) == len(now):
        return tuple([places[name] for name in wanted])
    if task.classic:
        return tuple(_greedy(now, wanted))
    ends = task.goal.loose(task.cards), task.gathered
    kept, turned = (_fewest(now, wanted, *ends, kept=kept) for kept in (True, False))
    shape = task.shape(_keys(kept, *ends, kept=True), _keys(turned, *ends, kept=False))
    return kept if (len(shape.radices) % 2 == 0) is not shape.from_bottom else turned


def _keys(p: Permutation, begin: int, end: int, *, kept: bool) -> int:
    return number_of_keys(run_keys(p[:end], kept=kept, loose=begin))


def _fewest(now: Sequence[str], wanted: Sequence[str], begin: int, end: int, *, kept: bool) -> Permutation:
    """Return the arrangement with few keys for the places from `begin` to `end`; the other places count for nothing."""
    if not kept:  # seen from the other side of the deck, turned runs are kept runs
        last = len(now) - 1
        return tuple([last - card for card in _fewest(now[::-1], wanted, begin, end, kept=True)])
    return tuple(_exchanged(_greedy(now, wanted), wanted, begin, end))


def _greedy(now: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Return for each wanted place the nearest free equal card above the last one; if there is none, the lowest."""
    cards = defaultdict[str, list[int]](list)
    for place, name in enumerate(now):
        cards[name].append(place)
    # The next free card of the name, at or above each place; of a used one, the one above.
    free = {name: list(range(len(places) + 1)) for name, places in cards.items()}
    found, last = [], -1
    for name in wanted:
        places, above = cards[name], free[name]
        at = _first_free(above, bisect_left(places, last))
        if at == len(places):
            at = _first_free(above, 0)
        above[at] = at + 1
        last = places[at]
        found.append(last)
    return found


def _first_free(above: list[int], at: int) -> int:
    """Return the first free index from `at` on, and shorten the way there for the next search."""
    end = at
    while above[end] != end:
        end = above[end]
    while above[at] != end:
        above[at], at = end, above[at]
    return end


def _exchanged(found: list[int], wanted: Sequence[str], begin: int, end: int) -> list[int]:
    """Return `found` after exchanges of equal cards: with the fewest new keys that were seen on the way."""
    # In the row, a place that starts no key after the one below stands between numbers that start none either.
    row, spots = [-1], list[int]()
    for place, card in enumerate(found):
        if not begin < place < end:
            row += [len(found), -1]
        spots.append(len(row))
        row.append(card)
    row.append(len(found))
    best, cost, least = row[:], 0, 0
    for a, b, heat, chance in _proposals(wanted, spots, begin, end):
        x, y, low, high = row[a], row[b], row[a - 1], row[b + 1]
        if b == a + 1:
            change = (low > y) + (y > x) + (x > high) - (low > x) - (x > y) - (y > high)
        else:
            up, down = row[a + 1], row[b - 1]
            change = (low > y) + (y > up) + (down > x) + (x > high) - (low > x) - (x > up) - (down > y) - (y > high)
        if change <= 0 or chance < exp(-change / heat):
            row[a], row[b] = y, x
            cost += change
            if cost < least:
                best, least = row[:], cost
    return [best[spot] for spot in spots]


def _proposals(
    wanted: Sequence[str], spots: Sequence[int], begin: int, end: int
) -> Iterator[tuple[int, int, float, float]]:
    """Yield the spots of two equal cards, the lower first, the temperature, and a number below 1 for the choice."""
    groups = defaultdict[str, list[int]](list)
    for name, spot in zip(wanted, spots, strict=True):
        groups[name].append(spot)
    places = defaultdict[str, int](int)
    choices = []  # a place that counts, all places of its name, and its own index among them
    for place, name in enumerate(wanted):
        if begin <= place < end and len(groups[name]) > 1:
            choices.append((spots[place], groups[name], places[name]))
        places[name] += 1
    if not choices:
        return
    cards = len(wanted)
    steps = min(STEPS_A_CARD * cards, MOST_STEPS) * LONG_DECK // max(cards, LONG_DECK)
    words = islice(seeded_words(SEED), 3 * steps)
    for step, (one, other, chance) in enumerate(zip(words, words, words, strict=True)):
        a, group, index = choices[one * len(choices) // WORD]
        b = group[index - 1 - other * (len(group) - 1) // WORD]  # any but its own; negative indices count from the end
        heat = HOTTEST * (1 - step / steps) + COLDEST
        yield (a, b, heat, chance / WORD) if a < b else (b, a, heat, chance / WORD)
