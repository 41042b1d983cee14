"""Decks as hands shuffle them, one after another: the steps of a recipe, done to a deck in the cache.

`program` turns a recipe into numbers, a row for each step (`fairdeck.shuffles.Model.kernel_row`), if every step has
one; `made` runs them. A deck follows the law of the model, though it is not the deck that the plain model would make:

* coins and bounded integers are exact: bits of random words, and words multiplied, rejected where they favour an
  integer (Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019));
* a probability that the model compares with a float (the uneven cut, the switch, the gap between two
  packets) is compared here with a word of 64 bits, so it is off by less than 2^-63; the model itself
  by less than 2^-52, and so is a riffle whose chances depend on what is left of the packets.

Riffles follow a word of labels, a bit for each place. Riffles of more packets, piles at random and
shelves are one stable sort: of places by their labels, or of cards by their piles. Four or more riffles in a
row become one riffle of more packets, which has the same law exactly.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from math import cos, exp, log1p, pi, sin, sqrt
from random import Random
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fairdeck.bulk.batch import Batch
from fairdeck.bulk.decks import seed_words
from fairdeck.bulk.kernels import inline
from fairdeck.bulk.shapes import BYTES_UP_TO, GROUP
from fairdeck.bulk.streams import SINGLE, WORDS, Seed, State, begin, put_back, step, take
from fairdeck.bulk.vectors import bits, count_ones, last_one, product, splat
from fairdeck.errors import FairdeckError
from fairdeck.shuffles import KernelRow, Model, Streaming, find, steps_of
from fairdeck.shuffles.wash import REACH, SWEEP, reflected

# The moves as models name them, each with its number.
MOVES = (
    *("riffle", "uneven riffle", "hand riffle", "neat riffle", "pairs"),
    *("overhand", "box", "cut", "fixed"),  # whole packets
    *("sort", "piles", "shelves"),  # places or piles by number
    *("gather", "wash"),  # cards laid on the table
    *("top to random", "transpositions", "distinct transpositions", "adjacent swaps", "random to random"),  # in place
)
RIFFLE, UNEVEN, HAND, NEAT, PAIRS, GAPS, BOX, CUT, FIXED, SORT, PILES, SHELVES, GATHER, WASH = range(14)
TOPS, SWAPS, DISTINCT, NEIGHBOURS, ANYWHERE = range(14, len(MOVES))
ANY_SIZE = {WASH, TOPS, SWAPS, DISTINCT, NEIGHBOURS, ANYWHERE}  # moves that need no bits or labels for all cards
SORT_FROM = 4  # riffles: this many cost as much as one sort
MOST_PACKETS = 2**40
FIELDS = 7  # of a row: move, times, two whole numbers, three chances
ONE = 2**64

# Where in the scratch lie the labels, the order they are brought into, a copy of it, and sixteen counts.
LABELS, ORDER, SORTED, COUNTS = (np.uintp(at * BYTES_UP_TO) for at in range(4))
SCRATCH = 3 * BYTES_UP_TO + 16

Program = tuple[NDArray[np.uint64], NDArray[np.uint8]]


def chance(probability: float | Fraction) -> int:
    """Return how many of the 2^64 words mean yes; less than one in 2^63 too few where it is nearly certain."""
    return min(ONE - 1, int(Fraction(probability) * ONE))


def program(name: str, n: int) -> Program | None:
    """Return the steps of a shuffle in numbers, for decks of `n` cards; None if one of them has no move here.

    The numbers are a row of `FIELDS` for each step, and an order for each step that always makes the same.
    """
    if not 2 <= n <= BYTES_UP_TO or (found := _program(name, n)) is None:
        return None
    return found[0], np.array(found[1], np.uint8).reshape(-1, n)


def _program(name: str, n: int) -> tuple[NDArray[np.uint64], list[Sequence[int]]] | None:
    known = find(name)
    if isinstance(known.shuffle, Streaming):
        return None
    steps: list[tuple[KernelRow, int]] = []
    orders: list[Sequence[int]] = []
    for known_step, times in steps_of(known):
        model = known_step.shuffle
        row = model.kernel_row(n) if isinstance(model, Model) else None
        if isinstance(model, Model) and model.deterministic:
            row = KernelRow("fixed", len(orders))
            orders.append(model(n, Random(0)))
        if row is None:
            return None
        if row.move not in MOVES:
            raise FairdeckError(f"{known_step.name}: no move is called {row.move!r}; the moves are {', '.join(MOVES)}")
        steps.append((row, times))
    rows = [(MOVES.index(row.move), times, *row[1:3], *map(chance, row[3:])) for row, times in joined(steps)]
    return np.array(rows, np.uint64).reshape(-1, FIELDS), orders


def joined(steps: Iterable[tuple[KernelRow, int]]) -> Iterator[tuple[KernelRow, int]]:
    """Yield steps of the same law: riffles of a and then of b packets are one of ab, where that is faster.

    Source: Bayer and Diaconis, "Trailing the dovetail shuffle to its lair", Ann. Appl. Probab. 2 (1992), lemma 1.
    """
    for riffles, run in groupby(steps, key=lambda each: each[0].move == "riffle"):
        if not riffles:
            yield from run
            continue
        packets = [row.first for row, times in run for _ in range(times)]
        while packets:
            count, product_of_all = 0, 1
            while count < len(packets) and product_of_all * packets[count] <= MOST_PACKETS:
                product_of_all *= packets[count]
                count += 1
            few = count < SORT_FROM and set(packets[:count]) == {2}
            yield (KernelRow("riffle", 2), count) if few else (KernelRow("sort", product_of_all), 1)
            del packets[:count]


def made(steps: Program, n: int, seed: int, block: int, decks: int, *, carried: bool = False) -> Batch:
    """Return the first `decks` decks of a block, side by side, by the steps that `program` returned for 2 to 128 cards.

    A deck depends only on the steps, the seed (0 to 2^128 - 1), the number of the block and its place in the block; if
    `carried`, also on the deck before it in the block, from which it starts.
    """
    groups = np.empty((-(-decks // GROUP), n, GROUP), np.uint8)
    rows, orders = steps
    # One row too many: numba must not get an empty array where it wants a contiguous one.
    orders = np.concatenate([orders, np.arange(n, dtype=np.uint8)[None]])
    shuffled(groups, decks, rows, orders, seed_words(seed), block, carried)
    return Batch(groups, decks)


def made_large(
    name: str, n: int, seed: int, block: int, decks: int, *, carried: bool = False
) -> NDArray[np.int16] | None:
    """Return decks of any size, one a row; None if a step of the shuffle has no move for decks of more than 128 cards.

    The arguments are those of `program` and of `made`.
    """
    steps = _program(name, n)
    if steps is None or not set(steps[0][:, 0].tolist()) <= ANY_SIZE:
        return None
    rows = np.empty((decks, n), np.int16)
    shuffled_rows(rows, steps[0], seed_words(seed), block, carried)
    return rows


@inline
def word(state: State) -> Any:
    """Return the next word of the single generator."""
    found, a, b, c, d = step(state[SINGLE], state[SINGLE + 1], state[SINGLE + 2], state[SINGLE + 3])
    state[SINGLE], state[SINGLE + 1], state[SINGLE + 2], state[SINGLE + 3] = a, b, c, d
    return found


@inline
def below(bound: Any, state: State) -> Any:
    """Return an integer below `bound`, 1 or more, each equally likely."""
    number, rest = product(word(state), bound)
    while rest < bound and rest < (np.uint64(0) - bound) % bound:
        number, rest = product(word(state), bound)
    return number


@inline
def random(state: State) -> Any:
    """Return a float from 0 up to 1, not included."""
    return float(word(state) >> np.uint64(11)) * 2.0**-53


@inline
def coins(count: Any, yes: Any, state: State) -> Any:
    """Return `count` coins, 0 to 64, as the low bits of a word; each is set with probability ``yes / 2^64``."""
    a, b, c, d = take(state, 0)
    limit = splat(yes)
    found = np.uint64(0)
    at = np.uint64(0)
    while at < count:
        eight, a, b, c, d = step(a, b, c, d)
        found |= bits(eight < limit) << at
        at += np.uint64(8)
    put_back(state, 0, a, b, c, d)
    return found & low_bits(count)


@njit(inline="always")
def low_bits(count: Any) -> Any:
    """Return a word with its lowest `count` bits set, 0 to 64."""
    return ~np.uint64(0) >> (np.uint64(64) - count) if count else np.uint64(0)


@njit(inline="always")
def first_part(n: Any) -> Any:
    """Return for how many of `n` places the first word of two has a bit."""
    return min(n, np.uint64(64))


@inline
def riffle(kind: Any, row: Any, deck: Any, out: Any, state: State) -> None:
    """Cut once and let two packets fall together."""
    p, q = row[4], row[5]
    n = np.uint64(len(deck))
    first = first_part(n)
    if kind == HAND:
        by_habit(deck, out, p, q, state)
        return
    if kind == NEAT:
        by_size(deck, out, row, state)
        return
    if kind == PAIRS:
        in_pairs(deck, out, state)
        return
    if kind == RIFFLE:
        low = word(state) & low_bits(first)
        high = word(state) & low_bits(n - first) if n > first else np.uint64(0)
    else:
        low = coins(first, p, state) ^ low_bits(first)
        high = coins(n - first, p, state) ^ low_bits(n - first)
    lowers = n - np.uint64(count_ones(low)) - np.uint64(count_ones(high))
    uppers = interleave(deck, out, np.uint64(0), first, low, lowers, np.uint64(0))
    interleave(deck, out, first, n, high, lowers, uppers)


@njit(inline="always")
def interleave(deck: Any, out: Any, start: Any, end: Any, labels: Any, lowers: Any, uppers: Any) -> Any:
    """Fill each place of `out` from the packet of its label: 0 the lower packet, 1 the upper.

    `uppers` counts the places so far that took from the upper packet; the new count is returned.
    """
    for place in range(start, end):
        label = labels & np.uint64(1)
        labels >>= np.uint64(1)
        out[place] = deck[lowers + uppers if label else place - uppers]
        uppers += label
    return uppers


@inline
def by_habit(deck: Any, out: Any, cut: Any, switch: Any, state: State) -> None:
    """Riffle as `fairdeck.shuffles.hand_riffle.HandRiffle` does."""
    n = np.uint64(len(deck))
    first = first_part(n)
    middle = np.uintp(count_ones(coins(first, cut, state)) + count_ones(coins(n - first, cut, state)))
    switches, later = coins(first, switch, state), coins(n - first, switch, state)
    upper = word(state) >> np.uint64(63)
    one, other = np.uintp(0), middle
    for place in range(n):
        if place == 64:
            switches = later
        if upper and other == n:
            upper = np.uint64(0)
        elif not upper and one == middle:
            upper = np.uint64(1)
        if upper:
            out[np.uintp(place)] = deck[other]
            other += np.uintp(1)
        else:
            out[np.uintp(place)] = deck[one]
            one += np.uintp(1)
        upper ^= switches & np.uint64(1)
        switches >>= np.uint64(1)


@inline
def by_size(deck: Any, out: Any, row: Any, state: State) -> None:
    """Riffle as `fairdeck.shuffles.hand_riffle.NeatRiffle` does, by the row that it gives."""
    for place in range(len(deck)):
        out[place] = deck[place]
    bottom, end = row[2], np.uint64(len(deck)) - min(row[3], np.uint64(len(deck)))
    if bottom >= end:
        return
    n = end - bottom
    first = first_part(n)
    middle = bottom + np.uintp(count_ones(coins(first, row[4], state)) + count_ones(coins(n - first, row[4], state)))
    odds = float(row[5]) * 2.0**-64  # the chance of a change between packets of one size
    if row[6]:
        spread = float(row[6]) / (2.0**64 - float(row[6]))
        spread *= sqrt(-2 * log1p(-random(state))) * cos(2 * pi * random(state))  # Box and Muller
        odds /= odds + (1 - odds) * exp(-spread)
    one, other = np.uintp(bottom), np.uintp(middle)
    upper = bottom + below(n, state) >= middle
    for place in range(bottom, end):
        if (upper and other == end) or (not upper and one == middle):
            upper = not upper
        if upper:
            out[np.uintp(place)] = deck[other]
            other += np.uintp(1)
            own, rest = float(end - other), float(middle - one)
        else:
            out[np.uintp(place)] = deck[one]
            one += np.uintp(1)
            own, rest = float(middle - one), float(end - other)
        if random(state) * (odds * rest + (1 - odds) * own) < odds * rest:
            upper = not upper


@inline
def in_pairs(deck: Any, out: Any, state: State) -> None:
    """Riffle as `fairdeck.shuffles.thorp.Thorp` does."""
    half = np.uintp(len(deck) // 2)
    heads = word(state)
    for pair in range(half):
        at, first = np.uintp(2) * pair, np.uintp(heads & np.uint64(1))
        out[at + first] = deck[pair + half]
        out[at + np.uintp(1) - first] = deck[pair]
        heads >>= np.uint64(1)
    if len(deck) & 1:
        out[len(deck) - 1] = deck[len(deck) - 1]


@inline
def turn_packets(deck: Any, out: Any, low: Any, high: Any) -> None:
    """Put packets from the top onto one another; bit g - 1 parts the cards at g - 1 and g."""
    end, at = np.uintp(len(deck)), np.uintp(0)
    while end:
        if high:
            bit = last_one(high)
            start = np.uintp(bit + np.uint64(65))
            high ^= np.uint64(1) << bit
        elif low:
            bit = last_one(low)
            start = np.uintp(bit + np.uint64(1))
            low ^= np.uint64(1) << bit
        else:
            start = np.uintp(0)
        for card in range(start, end):
            out[at] = deck[np.uintp(card)]
            at += np.uintp(1)
        end = start


@inline
def move(deck: Any, one: Any, other: Any) -> None:
    """Take the card at `one` out and put it at `other`."""
    card = deck[np.uintp(one)]
    while one > other:
        deck[np.uintp(one)] = deck[np.uintp(one - np.uint64(1))]
        one -= np.uint64(1)
    while one < other:
        deck[np.uintp(one)] = deck[np.uintp(one + np.uint64(1))]
        one += np.uint64(1)
    deck[np.uintp(one)] = card


@njit(inline="always")
def swap(deck: Any, one: Any, other: Any) -> None:
    """Let two cards change places."""
    deck[np.uintp(one)], deck[np.uintp(other)] = deck[np.uintp(other)], deck[np.uintp(one)]


@inline
def walk(kind: Any, moves: Any, deck: Any, state: State) -> None:
    """Make small moves, one after another, where the cards are."""
    n = np.uint64(len(deck))
    last = n - np.uint64(1)
    for _ in range(moves):
        one = last if kind == TOPS else below(last if kind == NEIGHBOURS else n, state)
        if kind == NEIGHBOURS:
            swap(deck, one, one + np.uint64(1))
        elif kind == DISTINCT:
            other = below(last, state)
            swap(deck, one, other + np.uint64(1) if other >= one else other)
        elif kind == SWAPS:
            swap(deck, one, below(n, state))
        else:
            move(deck, one, below(n, state))


@inline
def sort(scratch: Any, n: Any, most: Any) -> None:
    """Sort `n` entries, in the order they are in, by their labels, 0 to `most`: stably, four bits at a time."""
    shift = np.uint64(0)
    while most >> shift:
        scratch[COUNTS:] = 0
        for at in range(n):
            scratch[COUNTS + np.uintp((scratch[LABELS + at] >> shift) & np.uint64(15))] += np.uint64(1)
        start = np.uint64(0)
        for count in range(COUNTS, COUNTS + np.uintp(16)):
            found = scratch[count]
            scratch[count] = start
            start += found
        for at in range(n):
            entry = scratch[ORDER + at]
            digit = COUNTS + np.uintp((scratch[LABELS + np.uintp(entry)] >> shift) & np.uint64(15))
            scratch[SORTED + np.uintp(scratch[digit])] = entry
            scratch[digit] += np.uint64(1)
        for at in range(n):
            scratch[ORDER + at] = scratch[SORTED + at]
        shift += np.uint64(4)


@inline
def turned_beneath(scratch: Any, n: Any) -> None:
    """Order `n` entries: those with an even label, which go beneath the cards of a shelf, come in reversed order."""
    at = ORDER
    for beneath in (True, False):
        for card in range(n):
            entry = n - np.uintp(1) - card if beneath else card
            if (scratch[LABELS + entry] & np.uint64(1) == 0) == beneath:
                scratch[at] = entry
                at += np.uintp(1)


@inline
def by_number(kind: Any, one: Any, deck: Any, out: Any, scratch: Any, state: State) -> None:
    """Give places or cards numbers and put them in order."""
    n = np.uintp(len(deck))
    bound = one + one if kind == SHELVES else one
    for at in range(n):
        scratch[LABELS + at] = below(bound, state)
        scratch[ORDER + at] = at
    if kind == SHELVES:
        turned_beneath(scratch, n)
    sort(scratch, n, bound - np.uint64(1))
    if kind == SORT:
        for at in range(n):
            out[np.uintp(scratch[ORDER + at])] = deck[at]
    else:
        for at in range(n):
            out[at] = deck[n - np.uintp(1) - np.uintp(scratch[ORDER + at])]


@inline
def box(deck: Any, out: Any, fewest: Any, most: Any, state: State) -> None:
    """Turn over the order of `fewest` to `most` packets: selection sampling, as the model does."""
    left = fewest + below(most - fewest + np.uint64(1), state) - np.uint64(1)
    low, high = np.uint64(0), np.uint64(0)
    gap = np.uint64(len(deck) - 1)
    while left:
        if below(gap, state) < left:
            if gap > np.uint64(64):
                high |= np.uint64(1) << (gap - np.uint64(65))
            else:
                low |= np.uint64(1) << (gap - np.uint64(1))
            left -= np.uint64(1)
        gap -= np.uint64(1)
    turn_packets(deck, out, low, high)


@inline
def gather(deck: Any, out: Any, piles: Any, scratch: Any, state: State) -> None:
    """Deal onto piles in turn, take them up in random order, and cut."""
    n = len(deck)
    count = min(int(piles), n)
    for pile in range(count):
        scratch[pile] = pile
    for pile in range(count - 1, 0, -1):
        swap(scratch, np.uint64(pile), below(np.uint64(pile + 1), state))
    at = n - int(below(np.uint64(n), state))  # the cut: where the first card goes
    for pile in range(count):
        for card in range(n - 1 - int(scratch[pile]), -1, -count):
            if at >= n:
                at -= n
            out[at] = deck[card]
            at += 1


into_the_table = njit(inline="always")(reflected)


@inline
def wash(moves: Any, deck: Any, out: Any, across: Any, along: Any, scratch: Any, state: State) -> None:
    """Stir the cards about on the table and gather them, as `fairdeck.shuffles.wash.Wash` does."""
    n = len(deck)
    for card in range(n):
        across[card] = (card + 0.5) / n
        along[card] = 0.25 + random(state) / 2
    for _ in range(moves):
        x, y, towards = random(state), random(state), 2 * pi * random(state)
        right, up = cos(towards) * SWEEP, sin(towards) * SWEEP
        # The few cards within reach are listed first: the processor would mispredict a branch for every card too often.
        near = 0
        for card in range(n):
            scratch[near] = card
            near += (across[card] - x) ** 2 + (along[card] - y) ** 2 < REACH**2
        for at in range(near):
            moved = np.uintp(scratch[at])
            far = random(state)
            across[moved] = into_the_table((across[moved] + x) / 2 + far * right)
            along[moved] = into_the_table((along[moved] + y) / 2 + far * up)
    for card in range(n):
        at = card
        one, other, held = across[card], along[card], deck[card]
        while at and (across[at - 1] > one or (across[at - 1] == one and along[at - 1] > other)):
            across[at], along[at], out[at] = across[at - 1], along[at - 1], out[at - 1]
            at -= 1
        across[at], along[at], out[at] = one, other, held


@njit(inline="always")
def on_the_table(kind: Any, one: Any, deck: Any, out: Any, across: Any, along: Any, scratch: Any, state: State) -> None:
    """Lay the cards on the table, in piles or side by side, and take them up again."""
    if kind == WASH:
        wash(one, deck, out, across, along, scratch, state)
    else:
        gather(deck, out, one, scratch, state)


@njit(inline="always")
def packets(kind: Any, one: Any, two: Any, p: Any, deck: Any, out: Any, orders: Any, state: State) -> None:
    """Move whole packets, or all cards in a fixed order."""
    n = len(deck)
    if kind == GAPS:
        gaps = np.uint64(n - 1)
        first = first_part(gaps)
        low = coins(first, p, state)
        turn_packets(deck, out, low, coins(gaps - first, p, state))
    elif kind == BOX:
        box(deck, out, one, two, state)
    elif kind == CUT:
        place = int(below(np.uint64(n), state))
        for at in range(place, n):
            out[at - place] = deck[at]
        for at in range(place):
            out[n - place + at] = deck[at]
    else:
        for at in range(n):
            out[at] = deck[orders[np.uintp(one), at]]


@njit(cache=True, nogil=True)
def shuffled(out: Any, decks: int, rows: Any, orders: Any, seed: Seed, block: int, carried: bool) -> None:
    """Fill `out`, shape ``(groups, n, 64)``, with `decks` decks of a block, and sorted decks after the last."""
    n = out.shape[1]
    state = np.empty(WORDS, np.uint64)
    begin(state, seed, block)
    in_order = np.arange(n).astype(np.uint8)
    deck, other = in_order.copy(), in_order.copy()
    scratch = np.zeros(SCRATCH, np.uint64)
    across, along = np.empty(n), np.empty(n)
    for at in range(len(out) * GROUP):
        if at >= decks or not carried:
            deck[:] = in_order
        for row in range(len(rows) if at < decks else 0):
            kind = rows[row, 0]
            for _ in range(rows[row, 1]):
                if kind >= TOPS:
                    walk(kind, rows[row, 2], deck, state)
                    continue
                if kind >= GATHER:
                    on_the_table(kind, rows[row, 2], deck, other, across, along, scratch, state)
                elif kind >= SORT:
                    by_number(kind, rows[row, 2], deck, other, scratch, state)
                elif kind >= GAPS:
                    packets(kind, rows[row, 2], rows[row, 3], rows[row, 4], deck, other, orders, state)
                else:
                    riffle(kind, rows[row], deck, other, state)
                # To copy some bytes is faster than to swap the names of two arrays.
                for card in range(n):
                    deck[card] = other[card]
        out[at // GROUP, :, at % GROUP] = deck


@njit(cache=True, nogil=True)
def shuffled_rows(out: Any, rows: Any, seed: Seed, block: int, carried: bool) -> None:
    """Fill `out`, shape ``(decks, n)``, with the decks of a block, by moves of `ANY_SIZE`."""
    n = out.shape[1]
    state = np.empty(WORDS, np.uint64)
    begin(state, seed, block)
    in_order = np.arange(n).astype(np.int16)
    deck, other = in_order.copy(), in_order.copy()
    scratch = np.zeros(n, np.uint64)
    across, along = np.empty(n), np.empty(n)
    for at in range(len(out)):
        if not carried:
            deck[:] = in_order
        for row in range(len(rows)):
            for _ in range(rows[row, 1]):
                if rows[row, 0] >= TOPS:
                    walk(rows[row, 0], rows[row, 2], deck, state)
                else:
                    wash(rows[row, 2], deck, other, across, along, scratch, state)
                    deck[:] = other
        out[at] = deck
