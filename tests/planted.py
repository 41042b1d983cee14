"""Planted faults: shuffles whose fault is known, and which words about each are true.

`PLANTED` has a line for each: a name, the shuffle, the cards, the decks, and the words that a cause must hold to be
right (a regular expression). No words stand for a fault of which no cause is certain. Most of them are in no registry.
"""

from collections.abc import Callable
from functools import cmp_to_key, partial
from random import Random
from typing import NamedTuple

import numpy as np

NEVER = r"(?!)"  # no words are right: whatever is named is not certain


class Planted(NamedTuple):
    name: str
    make: Callable  # (n, size, rng) -> decks, shape (size, n)
    right: str
    cards: int = 52
    decks: int = 2_048
    number: float | None = None  # what the interval of a certain cause has to hold


def fair(n, size, rng):
    return rng.permuted(np.tile(np.arange(n), (size, 1)), axis=1)


# Decks that come again


def again(n, size, rng, *, share):
    """A share of decks is one of the earlier decks."""
    decks = fair(n, size, rng)
    for at in np.flatnonzero(rng.random(size) < share):
        if at:
            decks[at] = decks[rng.integers(at)]
    return decks


def from_few(n, size, rng, *, share, few):
    """A share of decks is drawn from `few` decks; the others are fair."""
    decks = fair(n, size, rng)
    marks = rng.random(size) < share
    decks[marks] = fair(n, few, rng)[rng.integers(few, size=int(marks.sum()))]
    return decks


def seeds(n, size, rng, *, few):
    return from_few(n, size, rng, share=1.1, few=few)


def uneven_seeds(n, size, rng, *, few):
    """Small seeds come more often."""
    return fair(n, few, rng)[(few * rng.random(size) ** 2).astype(int)]


def rank_by_rank(n, size, rng, *, make):
    """The deck lies rank by rank, from two to ace, while its cards are numbered suit by suit, from the ace."""
    order = np.roll(np.arange(n).reshape(4, -1), -1, axis=1)[[0, 1, 3, 2]].T.ravel()
    return order[make(n, size, rng)]


def any_other_place(n, size, rng):
    decks = np.tile(np.arange(n), (size, 1))
    for place in range(n):
        _swap(decks, np.full(size, place), (place + rng.integers(1, n, size=size)) % n)
    return decks


def unshuffled(n, size, rng, *, share):
    decks = fair(n, size, rng)
    decks[rng.random(size) < share] = np.arange(n)
    return decks


def earlier(n, size, rng, *, share, lag=1):
    decks = fair(n, size, rng)
    for at in np.flatnonzero(rng.random(size) < share):
        decks[at] = decks[at - lag] if at >= lag else decks[at]
    return decks


def two_skips(n, size, rng, *, share):
    """Some decks come unshuffled, some are the deck before."""
    return np.where((rng.random(size) < share)[:, None], np.arange(n), earlier(n, size, rng, share=share))


def in_a_row(n, size, rng, *, times):
    return np.repeat(fair(n, -(-size // times), rng), times, axis=0)[:size]


def clock(n, size, rng, *, each):
    """A new deck whenever the clock ticks; how many are asked for between ticks varies."""
    times = rng.poisson(each, 4 * size // each + 64)
    return np.repeat(fair(n, len(times), rng), times, axis=0)[:size]


def period(n, size, rng, *, length):
    return fair(n, length, rng)[np.arange(size) % length]


def days(n, size, rng, *, day, share):
    """Days of as many decks each; a share of days is the day before, dealt again."""
    found = [fair(n, day, rng)]
    for again in rng.random(-(-size // day)) < share:
        found.append(found[-1] if again else fair(n, day, rng))
    return np.concatenate(found)[:size]


def twice(n, size, rng, *, start, length):
    """A log with a block that was written twice."""
    decks = fair(n, size, rng)
    decks[start + length : start + 2 * length] = decks[start : start + length]
    return decks


def mostly_period(n, size, rng, *, length, share):
    decks = period(n, size, rng, length=length)
    marks = rng.random(size) < share
    decks[marks] = fair(n, int(marks.sum()), rng)
    return decks


# Cards that stay, cards that stay together, parts


def stays(n, size, rng, *, places):
    decks = np.tile(np.arange(n), (size, 1))
    others = np.setdiff1d(np.arange(n), places)
    decks[:, others] = rng.permuted(decks[:, others], axis=1)
    return decks


def drawn_again(n, size, rng, *, cards, places):
    """Each deck is shuffled again while one of the cards lies at one of the places."""
    decks = fair(n, size, rng)
    while len(at := np.flatnonzero(np.isin(decks[:, places], cards).any(axis=1))):
        decks[at] = fair(n, len(at), rng)
    return decks


def mostly_stays(n, size, rng, *, share):
    decks = fair(n, size, rng)
    marks = rng.random(size) < share
    decks[marks] = stays(n, int(marks.sum()), rng, places=[0])
    return decks


def moved_always(n, size, rng):
    """The card of place 5 always comes to place 9, and the others come anywhere."""
    others = rng.permuted(np.tile(np.delete(np.arange(n), 5), (size, 1)), axis=1)
    return np.insert(others, 9, 5, axis=1)


def together(n, size, rng, *, group, mixed=False):
    order = fair(n // group, size, rng)[:, :, None] * group
    inside = rng.permuted(np.tile(np.arange(group), (size, n // group, 1)), axis=2) if mixed else np.arange(group)
    return (order + inside).reshape(size, n)


def parts(n, size, rng, *, count, shuffled=True):
    """Cards are shuffled within parts of the deck."""
    width = n // count
    starts = np.arange(count)[None, :] if shuffled else fair(count, size, rng)
    inside = rng.permuted(np.tile(np.arange(width), (size, count, 1)), axis=2)
    return (starts[:, :, None] * width + inside).reshape(size, n)


def parts_cut(n, size, rng, *, count):
    """Each part of the deck is only cut."""
    each = n // count
    at = (np.arange(each) + rng.integers(each, size=(size, count, 1))) % each
    return (at + each * np.arange(count)[:, None]).reshape(size, n)


def top_only(n, size, rng, *, k):
    decks = np.tile(np.arange(n), (size, 1))
    decks[:, :k] = rng.permuted(decks[:, :k], axis=1)
    return decks


# Draws


def _swap(decks, one, other):
    rows = np.arange(len(decks))
    decks[rows, one], decks[rows, other] = decks[rows, other].copy(), decks[rows, one].copy()


def downwards(n, size, rng, *, draw):
    """Fisher-Yates from the top down, with ``draw(k, size, rng)`` among k numbers."""
    decks = np.tile(np.arange(n), (size, 1))
    for place in range(n - 1, 0, -1):
        _swap(decks, np.full(size, place), draw(place + 1, size, rng))
    return decks


def upwards(n, size, rng, *, draw):
    decks = np.tile(np.arange(n), (size, 1))
    for place in range(n - 1):
        _swap(decks, np.full(size, place), place + draw(n - place, size, rng))
    return decks


def modulo(below):
    return lambda k, size, rng: rng.integers(below, size=size) % k


def scaled(below):
    return lambda k, size, rng: rng.integers(below, size=size) * k // below


def rounded(k, size, rng):
    return np.rint(rng.random(size) * (k - 1)).astype(int)


def never_last(k, size, rng):
    return rng.integers(max(1, k - 1), size=size)


def never_first(k, size, rng):
    return 1 + rng.integers(max(1, k - 1), size=size) if k > 1 else np.zeros(size, int)


def two_too_low(k, size, rng):
    return rng.integers(max(1, k - 2), size=size)


def lower_half(k, size, rng):
    """15 random bits, scaled as if they were 16."""
    return rng.integers(2**15, size=size) * k >> 16


def least_of_two(k, size, rng):
    return rng.integers(k, size=(2, size)).min(axis=0)


def mean_of_two(k, size, rng):
    return rng.integers(k, size=(2, size)).sum(axis=0) // 2


def rounded_down(k, size, rng):
    """All numbers are rounded, and the one that is too large is the last."""
    return np.minimum(np.rint(rng.random(size) * k).astype(int), k - 1)


def clamped(below):
    return lambda k, size, rng: np.minimum(rng.integers(below, size=size), k - 1)


def rounded_from(below):
    return lambda k, size, rng: np.floor(rng.integers(below, size=size) / (below - 1) * (k - 1) + 0.5).astype(int)


def squared(power):
    return lambda k, size, rng: (k * rng.random(size) ** power).astype(int)


def any_place(n, size, rng, *, skipped=0.0, up=True):
    decks = np.tile(np.arange(n), (size, 1))
    for place in range(n) if up else range(n - 1, -1, -1):
        other = np.where(rng.random(size) < skipped, place, rng.integers(n, size=size))
        _swap(decks, np.full(size, place), other)
    return decks


def any_place_but_one(n, size, rng, *, left_out):
    """A loop that leaves out its first place, or never draws its last."""
    decks = np.tile(np.arange(n), (size, 1))
    for place in range(left_out == "first", n):
        _swap(decks, np.full(size, place), rng.integers(n - (left_out == "last"), size=size))
    return decks


def cut_only(n, size, rng):
    return (np.arange(n) + rng.integers(n, size=(size, 1))) % n


def lazy(n, size, rng, *, skipped):
    decks = np.tile(np.arange(n), (size, 1))
    for place in range(n - 1, 0, -1):
        other = np.where(rng.random(size) < skipped, place, rng.integers(place + 1, size=size))
        _swap(decks, np.full(size, place), other)
    return decks


def swaps(n, size, rng, *, times, distinct=False):
    decks = np.tile(np.arange(n), (size, 1))
    for _ in range(times):
        one = rng.integers(n, size=size)
        other = (one + rng.integers(1, n, size=size)) % n if distinct else rng.integers(n, size=size)
        _swap(decks, one, other)
    return decks


def neighbours(n, size, rng, *, times):
    decks = np.tile(np.arange(n), (size, 1))
    for _ in range(times):
        at = rng.integers(n - 1, size=size)
        _swap(decks, at, at + 1)
    return decks


def taken_out(n, size, rng, *, fractions):
    """Cards are taken out of the deck; ``fractions(size, n, rng)`` says where, each from 0 to 1."""
    found, wanted = np.empty((size, n), int), fractions(size, n, rng)
    for at in range(size):
        left = list(range(n))
        found[at] = [left.pop(int(each * len(left))) for each in wanted[at]]
    return found


def one_fraction(size, n, rng):
    return np.repeat(rng.random((size, 1)), n, axis=1)


def few_fractions(size, n, rng, *, each):
    return np.tile(rng.random((size, each)), (1, -(-n // each)))[:, :n]


# Generators: one stream for all decks


def congruential(n, size, rng, *, modulus, factor, added, low=False):
    state, decks = int(rng.integers(1, modulus)), np.empty((size, n), int)
    for at in range(size):
        deck = list(range(n))
        for place in range(n - 1, 0, -1):
            state = (state * factor + added) % modulus
            other = state % (place + 1) if low else state * (place + 1) // modulus
            deck[place], deck[other] = deck[other], deck[place]
        decks[at] = deck
    return decks


def python_seeds(n, size, rng, *, step):
    """A new generator for each deck, whose seeds count up: fair as far as decks show."""
    first = int(rng.integers(2**40))
    decks = np.tile(np.arange(n), (size, 1)).tolist()
    for at, deck in enumerate(decks):
        Random(first + step * at).shuffle(deck)
    return np.array(decks)


# Sorts


def compared(n, size, rng, *, signs):
    coin = Random(int(rng.integers(2**60)))
    return np.array([sorted(range(n), key=cmp_to_key(lambda _a, _b: coin.choice(signs))) for _ in range(size)])


def insertion(n, size, rng, *, chance):
    coin, decks = Random(int(rng.integers(2**60))), []
    for _ in range(size):
        deck = []
        for card in range(n):
            place = card
            while place and coin.random() < chance:
                place -= 1
            deck.insert(place, card)
        decks.append(deck)
    return np.array(decks)


def keys(n, size, rng, *, below):
    return np.argsort(rng.integers(below, size=(size, n)), axis=1, kind="stable")


def weighted_keys(n, size, rng, *, weight):
    """Sorted by random numbers, those of later cards larger on average."""
    return np.argsort(rng.random((size, n)) + weight * np.arange(n) / n, axis=1)


# By hand


def riffled(n, size, rng, *, packets):
    return np.argsort(np.argsort(rng.integers(packets, size=(size, n)), axis=1, kind="stable"), axis=1)


def strips(n, size, rng, *, chance, times):
    decks = np.tile(np.arange(n), (size, 1))
    for _ in range(times):
        pieces = np.cumsum(rng.random((size, n)) < chance, axis=1)
        decks = np.take_along_axis(decks, np.argsort(-pieces, axis=1, kind="stable"), axis=1)
    return decks


def cut_before(n, size, rng, *, share):
    decks = fair(n, size, rng)
    for at in np.flatnonzero(rng.random(size) < share):
        decks[at] = np.roll(decks[at - 1], rng.integers(n)) if at else decks[at]
    return decks


# Whole orders


def even_only(n, size, rng, *, share=1.0):
    decks = fair(n, size, rng)
    for at in range(size):
        seen, parity = set(), 0
        for start in range(n):
            length, card = 0, start
            while card not in seen:
                seen.add(card)
                card, length = int(decks[at, card]), length + 1
            parity += max(0, length - 1)
        if parity % 2 and rng.random() < share:
            decks[at, [0, 1]] = decks[at, [1, 0]]
    return decks


def turned(n, size, rng, *, share):
    """A share of decks is the deck before, turned over."""
    decks = fair(n, size, rng)
    for at in np.flatnonzero(rng.random(size) < share):
        decks[at] = decks[at - 1][::-1] if at else decks[at]
    return decks


def drifting(n, size, rng, *, times):
    """Each deck is the one before after some swaps."""
    deck, decks = rng.permutation(n), []
    for _ in range(size):
        for one, other in rng.integers(n, size=(times, 2)).tolist():
            deck[one], deck[other] = deck[other], deck[one]
        decks.append(deck.copy())
    return np.array(decks)


def buffered(n, size, rng, *, held):
    decks = []
    for _ in range(size):
        buffer, deck = [], []
        for card in range(n):
            buffer.append(card)
            if len(buffer) == held:
                deck.append(buffer.pop(int(rng.integers(held))))
        deck += rng.permutation(buffer).tolist()
        decks.append(deck)
    return np.array(decks)


def growing(n, size, rng, *, first):
    decks = []
    for _ in range(size):
        buffer, deck, cards = [], [], iter(range(n))
        for card in cards:
            buffer += [card, *[each for each in [next(cards, None)] if each is not None]]
            if len(buffer) >= first:
                deck.append(buffer.pop(int(rng.integers(len(buffer)))))
        decks.append(deck + rng.permutation(buffer).tolist())
    return np.array(decks)


OF_DECKS = r"[\d.]+ ?% of decks|[\d,]+ of [\d,]+ decks"


def _come_again():
    for share in (0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5):
        yield Planted(f"again {share}", partial(again, share=share), OF_DECKS, decks=4_096)
    for share in (0.01, 0.02, 0.05, 0.1, 0.3, 0.5, 0.8, 0.9, 0.97):
        for few in (1, 10, 100, 1_000):
            yield Planted(f"{share} of {few}", partial(from_few, share=share, few=few), OF_DECKS, decks=4_096)
    for few in (1, 2, 3, 20, 100, 127, 128, 200, 500, 1_000, 2_048, 10_000, 32_768):
        words = "every deck is the same" if few == 1 else f"(one of|from) about|one of the same {few:,}"
        yield Planted(f"{few} seeds", partial(seeds, few=few), words, decks=4_096)
    for few, cards, decks in ((2, 52, 60), (3, 30, 64), (20, 60, 60), (1, 52, 20), (100, 13, 400), (50, 9, 1_000)):
        yield Planted(
            f"{few} seeds, {cards} cards", partial(seeds, few=few), "one of|the same|from about", cards, decks
        )
    for few in (100, 1_000):
        yield Planted(f"{few} uneven seeds", partial(uneven_seeds, few=few), f"one of the same {few:,}|all .* are")


def _skipped():
    for share in (0.005, 0.02, 0.05, 0.2, 0.6):
        yield Planted(f"unshuffled {share}", partial(unshuffled, share=share), OF_DECKS)
        yield Planted(f"deck before {share}", partial(earlier, share=share), OF_DECKS)
    for lag in (2, 3, 17):
        yield Planted(f"{lag} before", partial(earlier, share=0.05, lag=lag), OF_DECKS)
    yield Planted("two skips", partial(two_skips, share=0.02), OF_DECKS)
    yield Planted("two skips, often", partial(two_skips, share=0.2), OF_DECKS)
    for times in (2, 3, 5):
        yield Planted(f"{times} in a row", partial(in_a_row, times=times), OF_DECKS + f"|comes {times} times")
        yield Planted(f"a clock, {times}", partial(clock, each=times), OF_DECKS)
    for length in (2, 7, 300, 1_000):
        yield Planted(f"period {length}", partial(period, length=length), f"repeat every {length:,}$|same {length:,} ")
    for day, share in ((50, 0.3), (50, 0.6), (400, 0.5)):
        yield Planted(f"days of {day}, {share} again", partial(days, day=day, share=share), OF_DECKS)
    for start, length in ((300, 200), (100, 900), (600, 700)):
        yield Planted(f"{length} from {start} twice", partial(twice, start=start, length=length), OF_DECKS)
    yield Planted("mostly a period", partial(mostly_period, length=7, share=0.03), OF_DECKS)
    yield Planted("mostly one deck", partial(mostly_period, length=1, share=0.02), OF_DECKS)


def _stay():
    for places in ([0], [51], [20], [0, 51], [0, 1, 2], [3, 17, 40]):
        yield Planted(f"{places} stay", partial(stays, places=places), "never move")
    for cards, decks in ((40, 30), (60, 60), (6, 600), (300, 64), (1_001, 64)):
        yield Planted(f"0 of {cards} stays", partial(stays, places=[0]), "never moves", cards, decks)
    for share in (0.9, 0.5, 0.99):
        yield Planted(f"0 stays in {share}", partial(mostly_stays, share=share), "card 0 lies at place 0", number=share)
    yield Planted("cuts", cut_only, "differ by a cut only")
    yield Planted("5 comes to 9", moved_always, "^place 9 always holds")
    for group in (2, 4, 13):
        right = f"groups of {group} cards are always together, "
        yield Planted(f"{group} together", partial(together, group=group), right + "in")
        yield Planted(f"{group} together, mixed", partial(together, group=group, mixed=True), right + "but")
    for count in (2, 4, 13, 26):
        right = f"{count} groups of {52 // count} cards"
        yield Planted(f"{count} parts", partial(parts, count=count), f"{count} parts of the deck")
        yield Planted(f"{count} parts in any order", partial(parts, count=count, shuffled=False), right)
        yield Planted(f"{count} parts cut", partial(parts_cut, count=count), f"^{count} parts of the deck")
    for k in (10, 26, 50):
        yield Planted(f"top {k} only", partial(top_only, k=k), "never move")


def _drawn():
    for below in (64, 100, 128, 200, 300, 365, 500, 512, 777, 900, 1_000, 1_024, 1_100):
        yield Planted(f"modulo {below}", partial(downwards, draw=modulo(below)), "% n` with", number=below)
    for below in (64, 100, 256, 512, 1_000):
        right = r"random\(\) \* n|rand\(\) \* n"
        yield Planted(f"scaled {below}", partial(downwards, draw=scaled(below)), right, number=below)
        yield Planted(f"upwards, scaled {below}", partial(upwards, draw=scaled(below)), right, number=below)
    for below in (256, 700):
        yield Planted(f"upwards, modulo {below}", partial(upwards, draw=modulo(below)), "bottom up.*% n`", number=below)
    for way in (downwards, upwards):
        yield Planted(f"{way.__name__} rounded", partial(way, draw=rounded), "round")
        yield Planted(f"{way.__name__} mean of two", partial(way, draw=mean_of_two), "mean of two")
        right = "too low by one|sattolo|never moves|without the draw among 52"
        yield Planted(f"{way.__name__} never last", partial(way, draw=never_last), right)
        yield Planted(f"{way.__name__} never first", partial(way, draw=never_first), right)
        yield Planted(f"{way.__name__} two too low", partial(way, draw=two_too_low), "leave out some|never move")
        for power in (1.02, 1.1, 1.5):
            uneven = partial(way, draw=squared(power))
            yield Planted(f"{way.__name__} powers {power}", uneven, "the four quarters", number=0.5 ** (1 / power))

    for name, draw, number in (("lower half", lower_half, 1.0), ("least of two", least_of_two, 0.75)):
        yield Planted(name, partial(downwards, draw=draw), "down, .*the four quarters", number=number)
    for way, below in ((downwards, 64), (upwards, 128)):
        yield Planted(f"{way.__name__}, clamped {below}", partial(way, draw=clamped(below)), f"below {below} .*clamped")
        bits = below.bit_length()
        yield Planted(f"rounded from {bits} bits", partial(way, draw=rounded_from(2**bits)), f"round.*{bits} bits")
    yield Planted("rounded, clamped", partial(upwards, draw=rounded_down), "up, .*the first comes", number=1.5)


def _swapped():
    yield Planted("any place", any_place, "each place swaps with any place")
    yield Planted("any place, downwards", partial(any_place, up=False), "each place swaps with any place")
    from_1, below_last = (partial(any_place_but_one, left_out=end) for end in ("first", "last"))
    yield Planted("any place, from 1", from_1, "each place but place 0 swaps with any place")
    yield Planted("any place below the last", below_last, "any place but place 51")
    yield Planted("any place, 24 cards", any_place, "each place swaps with any place", 24)
    yield Planted("any other place", any_other_place, "each place swaps with any other place")
    for skipped in (0.02, 0.1, 0.5):
        naive = partial(any_place, skipped=skipped)
        yield Planted(f"any place, skips {skipped}", naive, "each place swaps with any place, ", number=skipped)
        yield Planted(f"skips {skipped}", partial(lazy, skipped=skipped), "Fisher and Yates, but skips", number=skipped)
    for times in (26, 45, 54, 80, 130, 180):
        yield Planted(f"{times} swaps", partial(swaps, times=times), "two places, at times", number=times)
    for times in (45, 60, 110):
        two = partial(swaps, times=times, distinct=True)
        yield Planted(f"{times} swaps of two", two, "swaps of two different places", number=times)
    for times in (52, 300, 2_000):
        yield Planted(f"{times} neighbours swap", partial(neighbours, times=times), "of neighbours", number=times)
    yield Planted("one fraction", partial(taken_out, fractions=one_fraction), "one random fraction for all")
    for each in (8, 32):
        right = f"used again {each} draws later"
        yield Planted(f"{each} fractions", partial(taken_out, fractions=partial(few_fractions, each=each)), right)


def _generated():
    old = {"modulus": 2**31, "factor": 1_103_515_245, "added": 12_345}
    for name, numbers in {
        "old C": old,
        "Windows": {"modulus": 2**31, "factor": 214_013, "added": 2_531_011},
        "minstd": {"modulus": 2**31 - 1, "factor": 16_807, "added": 0},
        "minstd 48271": {"modulus": 2**31 - 1, "factor": 48_271, "added": 0},
        "69069": {"modulus": 2**32, "factor": 69_069, "added": 1},
        "recipes": {"modulus": 2**32, "factor": 1_664_525, "added": 1_013_904_223},
        "RANDU": {"modulus": 2**31, "factor": 65_539, "added": 0},
        "Borland": {"modulus": 2**32, "factor": 22_695_477, "added": 1},
        "VAX": {"modulus": 2**32, "factor": 69_069, "added": 5},
        "Apple": {"modulus": 2**35, "factor": 5**13, "added": 0},
        "16 bits": {"modulus": 2**16, "factor": 25_173, "added": 13_849},
        "Turbo": {"modulus": 2**32, "factor": 134_775_813, "added": 1},
        "equal steps": {"modulus": 2**32, "factor": 1, "added": 0x9E3779B9},
    }.items():
        right = {"old C": "old C libraries", "Windows": "of Windows", "minstd": "16807", "minstd 48271": "48271"}
        right |= {"recipes": "Numerical Recipes", "RANDU": "RANDU", "Turbo": "Delphi", "equal steps": "equal steps"}
        right |= {
            "69069": "69069",
            "Borland": "Borland",
            "VAX": r"\(x -> 69069 x \+ c modulo 4294967296, or both larger",
        }
        right |= {
            "16 bits": r"\(x -> 25173 x \+ c modulo 65536, or",
            "Apple": r"\(x -> \d+ x \+ c modulo \d+, or both larger",
        }
        yield Planted(f"{name}, scaled", partial(congruential, **numbers), right.get(name, NEVER))
        low = "low bits|" + right.get(name, NEVER)
        yield Planted(f"{name}, low bits", partial(congruential, **numbers, low=True), low)
    yield Planted("seeds that count up", partial(python_seeds, step=1), NEVER)


def _sorted():
    # A sort asks only whether a card is lower: -1 or 0 is a coin as well, and 0 or 1 is never lower.
    halves = "^a sort that compares by a coin, as .*Python"
    for signs, right in (
        ((-1, 0, 1), "three outcomes"),
        ((-1, 1), halves),
        ((0, 1), "every deck is the same"),
        ((-1, 0), halves),
    ):
        yield Planted(f"compares by {signs}", partial(compared, signs=signs), right)
    for chance in (0.4, 0.5, 0.9):
        yield Planted(f"insertion {chance}", partial(insertion, chance=chance), "^an insertion sort", number=chance)
    for below in (16, 64, 100, 512, 2_000):
        yield Planted(f"keys below {below}", partial(keys, below=below), "sorted by random numbers", number=below)
    for weight in (0.05, 0.2, 1.0):
        yield Planted(f"weighted keys {weight}", partial(weighted_keys, weight=weight), NEVER)


def _by_hand():
    for packets in (2, 3, 8, 20, 64, 100, 128):
        yield Planted(
            f"{packets} packets", partial(riffled, packets=packets), "riffles", number=float(np.log2(packets))
        )
    for chance, times in ((0.1, 1), (0.2, 6), (0.3, 20)):
        yield Planted(f"strips {chance} {times}", partial(strips, chance=chance, times=times), NEVER)
    for share in (0.05, 0.5):
        yield Planted(f"cut before {share}", partial(cut_before, share=share), NEVER)
        yield Planted(f"turned {share}", partial(turned, share=share), "the deck before, turned over", number=share)


def _whole_orders():
    yield Planted("even", even_only, "even")
    yield Planted("mostly even", partial(even_only, share=0.5), "the order is even always", number=0.5)
    for times in (1, 10, 40):
        carried = "compared with the deck before, .* swaps? of two places, at times"
        yield Planted(f"drifts by {times}", partial(drifting, times=times), carried, number=times)
    for held in (3, 10, 21, 26):
        yield Planted(f"a buffer of {held}", partial(buffered, held=held), f"a buffer of {held} cards", number=held)
    for first in (5, 26):
        yield Planted(
            f"a growing buffer, {first}", partial(growing, first=first), "gives its first", number=first + first % 2
        )
    for cards, decks in (
        (5, 4_096),
        (9, 4_096),
        (16, 1_000),
        (52, 60),
        (52, 2_048),
        (52, 4_096),
        (60, 300),
        (128, 512),
    ):
        yield Planted(f"fair, {cards} cards, {decks} decks", fair, NEVER, cards, decks)


def _in_another_order():
    for name, make, right in (
        ("any place", any_place, "each place swaps with any place"),
        ("70 swaps", partial(swaps, times=70), "two places, at times"),
        ("Sattolo", partial(downwards, draw=never_last), "too low by one"),
        ("a buffer of 21", partial(buffered, held=21), "a buffer of 21 cards"),
        ("4 packets", partial(riffled, packets=4), "riffles"),
    ):
        for cards in (52, 36) if "buffer" not in name else (36,):  # 52: off as much as the order of the numbers
            found = partial(rank_by_rank, make=make)
            yield Planted(f"rank by rank: {name}, {cards} cards", found, f"from a start deck of .*{right}", cards)
    yield Planted("rank by rank: fair", partial(rank_by_rank, make=fair), NEVER)


KINDS = (
    _come_again,
    _skipped,
    _stay,
    _drawn,
    _swapped,
    _generated,
    _sorted,
    _by_hand,
    _whole_orders,
    _in_another_order,
)
PLANTED = tuple(each for kind in KINDS for each in kind())
