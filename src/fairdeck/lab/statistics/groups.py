"""Three or four cards, or places, that belong together although any two of them look fair.

The order of three cards tells more than their pairs only by which card lies between the others: each with chance 1/3.
(Whether their order is even follows, on average, from the pairs.) The order of four tells more than threes and pairs
by whether it is even: one bit, with chance 1/2. Both laws are exact, and those of the inverse as well: places hold
cards as cards lie at places. Three places are also *tied* if the number of them that hold one half of the cards,
say, is odd too often. That number is hypergeometric.

Every group is counted, up to `MOST_FOURS` fours; of more, a fixed sample. Only the oddest is judged.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import ceil, comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import Columns, Counts, once
from fairdeck.lab.kinds import halves, suits
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.laws.tails import oddest_cell
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.view import View

MOST_FOURS, SAMPLE = 500_000, 270_725  # all fours of up to 60 cards; of more cards, about as many as 52 have
WORD, WORDS = 64, 8  # decks, and words counted together
CACHED = 32_768  # words that are put together at once: they stay in a near cache
LOW_BYTES, LOW_BITS = np.uint64(0x00FF_00FF_00FF_00FF), np.uint64(0x0001_0001_0001_0001)

Words = NDArray[np.uint64]  # a bit for each of 64 decks
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Groups(Statistic):
    """How often groups of cards or of places have some property."""

    places: bool  # whether the groups are of places, not of cards

    family: ClassVar[str] = "groups"
    sizes: ClassVar[range] = range(5, 105)  # not too many pairs for memory
    relative: ClassVar[bool] = False
    sparse: ClassVar[bool] = True

    @property
    def about(self) -> str:
        """What the members of a group are."""
        return "places" if self.places else "cards"

    def merge(self, counts: Counts, more: Counts) -> Counts:
        """Return the counts of both."""
        return added(counts, more)

    def oddest(
        self, test: str, counts: Counts, decks: int, chance: float, words: str, members: Callable[[int], list[int]]
    ) -> Evidence:
        """Return the evidence of the oddest of many cells; `members` tells the group of a cell."""
        p_value, cell = oddest_cell(counts, decks, chance)
        data: dict[str, Any] = {self.about: tuple(members(cell))}
        return self.evidence(test, p_value, words, seen=float(counts.flat[cell] / decks), expected=chance, **data)


class FourInOrder(Groups):
    """How often the order of four cards is odd: an odd number of the six pairs are inverted."""

    def count(self, view: View) -> Counts:
        """Return the decks in which the order of four is odd, for each of `fours`, and last how many were counted."""
        a_b, a_c, b_c = _pairs_of_threes(view.cards)
        a_b_c, a_b_d, c_d = _fours_by_threes(view.cards)
        found = np.zeros(len(c_d), np.int64)
        for lower in packed_pairs(view, self.places):
            third = _taken(lower, a_c) ^ _taken(lower, b_c)
            three = third ^ _taken(lower, a_b)
            size = CACHED // lower.shape[1]
            for part in (slice(begin, begin + size) for begin in range(0, len(found), size)):
                odd = _taken(three, a_b_c[part])
                odd ^= _taken(third, a_b_d[part])
                odd ^= _taken(lower, c_d[part])
                found[part] += ones(odd)
        return np.append(found, view.decks)

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the oddest four."""
        if not counts.flat[-1]:
            return
        counts, counted = counts[:-1], int(counts[-1])
        names = [f"{{{self.about}[{at}]}}" for at in range(4)]
        verb = "hold cards" if self.places else "lie"
        words = (
            f"{', '.join(names[:3])} and {names[3]} {verb} in an odd order (an odd number of swaps sorts them) "
            "in {seen:.2%} of decks; {expected:.0%} would be fair"
        )
        yield self.oddest("one group", counts, counted, 0.5, words, lambda cell: fours(n)[:, cell].tolist())

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest share of odd orders of four that is seen."""
        what = f"four {self.about} {'with cards ' if self.places else ''}in an odd order"
        return self.share_limit("one group", what, 0.5, int(counts[-1]), level / (counts.size - 1))


class Between(Groups):
    """How often a card lies between two others."""

    def count(self, view: View) -> Counts:
        """Return the decks in which the first, the second and the third of three is between the others.

        Shape ``(3, threes + 1)``; the last numbers are those of the decks counted.
        """
        a_b, a_c, b_c = _pairs_of_threes(view.cards)
        found = np.zeros((3, len(a_b)), np.int64)
        for lower in packed_pairs(view, self.places):
            outer = _taken(lower, a_c)
            found[0] += ones(_taken(lower, a_b) ^ outer)
            found[2] += ones(_taken(lower, b_c) ^ outer)
        found[1] = view.decks - found[0] - found[2]
        return np.pad(found, ((0, 0), (0, 1)), constant_values=view.decks)

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the oddest card between two others."""
        if not counts.flat[-1]:
            return

        counts, counted = counts[:, :-1], int(counts[0, -1])

        def members(cell: int) -> list[int]:
            which, group = divmod(cell, counts.shape[1])
            three = threes(n)[:, group].tolist()
            return [three.pop(which), *three]

        words = "{cards[0]} lies between {cards[1]} and {cards[2]}"
        if self.places:
            words = "the number of the card at {places[0]} is between those at {places[1]} and {places[2]}"
        words += " in {seen:.2%} of decks; {expected:.2%} would be fair"
        yield self.oddest("one group", counts, counted, 1 / 3, words, members)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest share of a card between two others that is seen."""
        what = "the card of one place between those of two" if self.places else "a card that lies between two others"
        return self.share_limit("one group", what, 1 / 3, int(counts[0, -1]), level / (counts.size - 3))


class ThreeTied(Groups):
    """How often an odd number of three places hold a card of one kind; or of three cards, lie at places of one kind."""

    def kinds(self, n: int) -> dict[str, tuple[str, Flags]]:
        """Return the kinds, by name: the words for them, and the cards (or places) that are of this kind."""
        return kinds_of_cards(n) if self.places else kinds_of_places(n)

    def count(self, view: View) -> Counts:
        """Return the decks with an odd number, for each kind and each three, and last how many were counted.

        Shape ``(kinds, threes + 1)``.
        """
        kinds = [which for _, which in self.kinds(view.cards).values()]
        a, b, c = threes(view.cards)
        found = np.zeros((len(kinds), len(a)), np.int64)
        for counts, which in zip(found, kinds, strict=True):
            for words in packed(which[_values(view, self.places)]):
                counts += ones(_taken(words, a) ^ _taken(words, b) ^ _taken(words, c))
        return np.pad(found, ((0, 0), (0, 1)), constant_values=view.decks)

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the oddest three of each kind."""
        if not counts.flat[-1]:
            return
        for of_kind, (name, (what, which)) in zip(counts, self.kinds(n).items(), strict=True):
            where = f"{{{self.about}[0]}}, {{{self.about}[1]}} and {{{self.about}[2]}}"
            words = f"of {where}, one or all three {'hold' if self.places else 'lie'} {what} in {{seen:.2%}} of decks; "
            words += "{expected:.2%} would be fair"
            counted = int(of_kind[-1])
            yield self.oddest(
                name, of_kind[:-1], counted, odd_of_three(which), words, lambda cell: threes(n)[:, cell].tolist()
            )

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest share of an odd number of one kind that is seen."""
        name, (what, which) = next(iter(self.kinds(n).items()))
        words = f"three {self.about}, one or all three of them {'with' if self.places else 'lying'} {what}"
        return self.share_limit(name, words, odd_of_three(which), int(counts[0, -1]), level / (counts.shape[1] - 1))


def kinds_of_cards(n: int) -> dict[str, tuple[str, Flags]]:
    """Return the kinds of cards that three places are tied by."""
    found = {"colour": ("a card of the second half of the deck in its start order", halves(n) == 1)}
    if (of_suit := suits(n)) is not None:
        found["suit"] = ("a card of the second or the fourth suit", of_suit % 2 == 1)
    return found | {"odd or even": ("a card with an odd number", np.arange(n) % 2 == 1)}


def kinds_of_places(n: int) -> dict[str, tuple[str, Flags]]:
    """Return the kinds of places that three cards are tied by."""
    return {
        "half": ("in the upper half of the deck", halves(n) == 1),
        "odd or even": ("at a place with an odd number", np.arange(n) % 2 == 1),
    }


def odd_of_three(which: Flags) -> float:
    """Return the chance that an odd number of three different cards are of one kind.

    >>> odd_of_three(np.array([True, False, False, False]))
    0.75
    """
    n, of_kind = len(which), int(which.sum())
    return (of_kind * comb(n - of_kind, 2) + comb(of_kind, 3)) / comb(n, 3)


def added(counts: Counts, more: Counts) -> Counts:
    """Return the sum of two counts that end with their decks; nothing is added where nothing was counted."""
    if not more.flat[-1]:
        return counts
    return counts + more if counts.flat[-1] else more


# --- the groups


@cache
def threes(n: int) -> Counts:
    """Return all threes of `n` numbers, each in rising order, in lexicographic order; shape ``(3, threes)``."""
    a, b = np.triu_indices(n, 1)
    return _followed(np.stack([a, b]), b + 1, 1, n)


@cache
def fours(n: int) -> Counts:
    """Return the fours of `n` numbers that are counted, each in rising order; shape ``(4, fours)``."""
    a, b, c = threes(n)
    return _followed(np.stack([a, b, c]), first_fourth(a, b, c, step(n)), step(n), n)


def step(n: int) -> int:
    """Return the distance between the fourth numbers of one three: 1 where all fours are counted."""
    return 1 if comb(n, 4) <= MOST_FOURS else ceil(comb(n, 4) / SAMPLE)


def first_fourth(a: Any, b: Any, c: Any, step: int) -> Any:
    """Return the first of the fourth numbers of a three, which are `step` apart: a fixed scrambling of the three."""
    return c + 1 + (a * 7_919 + b * 104_729 + c * 1_299_709) // 16 % step


def _followed(groups: Counts, first: Counts, step: int, n: int) -> Counts:
    """Return each group followed by each number from `first` to n - 1, in steps."""
    each = np.maximum(0, -((first - n) // step))
    within = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each)
    return np.vstack([np.repeat(groups, each, axis=1), np.repeat(first, each) + within * step])


@cache
def _pairs_of_threes(n: int) -> tuple[Counts, Counts, Counts]:
    """Return for each three ``abc`` the numbers of the pairs ``ab``, ``ac`` and ``bc``."""
    number = np.zeros((n, n), np.int64)
    number[np.triu_indices(n, 1)] = np.arange(comb(n, 2))
    a, b, c = threes(n)
    return number[a, b], number[a, c], number[b, c]


@cache
def _fours_by_threes(n: int) -> tuple[Counts, Counts, Counts]:
    """Return for each four ``abcd`` the numbers of the three ``abc``, of the three ``abd`` and of the pair ``cd``."""
    number = np.zeros((n, n, n), np.int64)
    number[tuple(threes(n))] = np.arange(comb(n, 3))
    a, b, c, d = fours(n)
    # Pairs are numbered as threes are, in lexicographic order.
    return number[a, b, c], number[a, b, d], c * (2 * n - c - 1) // 2 + d - c - 1


# --- bits


def _values(view: View, places: bool) -> Columns:
    """Return the rows to compare: which card lies at each place, or where each card lies."""
    return view.columns if places else view.places


def packed_pairs(view: View, places: bool) -> list[Words]:
    """Return the bits that tell which of two rows is lower, for each pair; kept with the view."""
    return (_pairs_of_places if places else _pairs_of_cards)(view)


@once
def _pairs_of_places(view: View) -> list[Words]:
    return _pairs(view, places=True)


@once
def _pairs_of_cards(view: View) -> list[Words]:
    return _pairs(view, places=False)


def _pairs(view: View, *, places: bool) -> list[Words]:
    rows = _values(view, places)
    a, b = np.triu_indices(len(rows), 1)
    return [
        words
        for at in range(0, view.decks, WORDS * WORD)
        for words in packed(rows[a, at : at + WORDS * WORD] < rows[b, at : at + WORDS * WORD])
    ]


def packed(flags: Flags) -> Iterator[Words]:
    """Yield the flags as words of 64 decks, of each row eight words side by side, or one; 0 beyond the last deck."""
    rows, decks = flags.shape
    padded = np.zeros((rows, decks + -decks % WORD), np.bool_)
    padded[:, :decks] = flags
    words = np.packbits(padded, axis=1).view(np.uint64)
    eights = words.shape[1] // WORDS * WORDS
    for begin in range(0, eights, WORDS):
        yield np.ascontiguousarray(words[:, begin : begin + WORDS])
    for begin in range(eights, words.shape[1]):
        yield np.ascontiguousarray(words[:, begin : begin + 1])


def ones(words: Words) -> Counts:
    """Return how many bits are set in each row of eight words, or of one."""
    bits = np.bitwise_count(words)
    if words.shape[1] == 1:
        return bits[:, 0].astype(np.int64)
    # Eight bytes side by side are one number: adding them there is five times as fast as along an axis. Of 512 bits
    # the count needs 16, so bytes are added in pairs first.
    eight = bits.view(np.uint64)[:, 0]
    pairs = (eight & LOW_BYTES) + (eight >> np.uint64(8) & LOW_BYTES)
    found: Counts = (pairs * LOW_BITS >> np.uint64(48)).view(np.int64)
    return found


def _taken(words: Words, at: Counts) -> Words:
    """Return rows of words, by their numbers, which are in range: not to check them takes two thirds of the time."""
    return np.take(words, at, axis=0, mode="clip")


_ORDERS = "the margins of the orders of three and four cards; Diaconis, Group Representations in Probability, ch. 8"
_TIES = "hypergeometric: an odd number of three drawn without replacement"

STATISTICS = (
    FourInOrder(
        name="order of four cards",
        sees="four cards whose order is not fair although that of any three of them is",
        source=_ORDERS,
        places=False,
    ),
    FourInOrder(
        name="order of four places",
        sees="four places whose cards are not in a fair order although any three of them are",
        source=_ORDERS,
        places=True,
    ),
    Between(
        name="between two cards",
        sees="a card that keeps between two others, or away from there, although any two of the cards are fair",
        source=_ORDERS,
        places=False,
    ),
    Between(
        name="between two places",
        sees="three places whose cards depend on each other although those of any two of them do not",
        source=_ORDERS,
        places=True,
    ),
    ThreeTied(
        name="three cards tied",
        sees="three cards whose halves of the deck, or odd places, depend on each other",
        source=_TIES,
        places=False,
    ),
    ThreeTied(
        name="three places tied",
        sees="three places whose colours, suits or odd numbers depend on each other",
        source=_TIES,
        places=True,
    ),
)
