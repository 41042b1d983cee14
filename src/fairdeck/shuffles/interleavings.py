"""How the two packets of a riffle lay between each other: the exact laws for an ideal riffle, and the fit of one's own.

An **interleaving** is the sequence of packets that the cards of a riffled deck came from, such as ``RRBRB``. In the
riffle of Gilbert, Shannon and Reeds all interleavings of a and b cards are equally likely. So the number of its runs
has the law of Wald and Wolfowitz, and the cards in long runs have a law that is counted.

Hands are neater or clumsier. The model `fairdeck.shuffles.hand_riffle.NeatRiffle` has one number for that, the
**neatness**, which is 1 for the ideal riffle. Each card after which both packets have cards shows one choice: the other
packet comes next, or the same one again. The riffles of one person differ, so the log of the neatness is normal over
riffles: of the models that `bench.hands` compares on riffles of people, those without that spread predict a riffle
worse than the ideal one does. The choices have a likelihood, and so a best estimate and an interval (Wilks).

Whether riffles are as the model says is asked by the **checks** of `Fit`: all of them by the law of ideal riffles whose
packets have these sizes, and all together at one level (Holm, with weights). A report promises nothing that a check
rejects.

Sources: Wald and Wolfowitz, Ann. Math. Statist. 11 (1940); Wilks, Ann. Math. Statist. 9 (1938); Holm, Scand. J.
Statist. 6 (1979).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import groupby, pairwise
from math import ceil, comb, erfc, exp, factorial, lgamma, log, log1p, log2, sqrt
from typing import NamedTuple

from fairdeck.errors import FairdeckError
from fairdeck.permutation import inverse

MOST_CARDS = 1_000
LONGEST_NUMBER = 20  # digits of the length of a run
CONFIDENCE = 0.95
HALF_WIDTH = 1.9207294103470620  # in log likelihood: half the 95 % point of chi-square with one degree of freedom
# What of the level each check of `Fit` has, in thousandths: most where people go wrong and four riffles tell little.
SHARES = {
    "runs": 1.0,
    "long runs": 5.0,
    "cards in place": 0.8,
    "ends that stay": 1.4,
    "variation": 2.0,
    "cut": 1.5,
    "one neatness": 0.8,
}
LEVEL = sum(SHARES.values()) / 1_000  # the chance, at most, that any of them rejects ideal riffles: measured, 1 %
LONG = 4  # cards; a run of more is long
MOST_FOR_LONG = 128  # cards of a deck whose long runs are judged
# What is known of the two packets: which one lay below; only which cards are of one, in all riffles; not even that.
BELOW, NAMED, UNNAMED = "below", "named", "unnamed"
STEPS = 8  # a deviation of a cut is measured in this part of the root of the cards, or in cards if that is less
TINY = 1e-30
LEAST_P = 1e-15  # what is left of a sum near 1 is not told smaller
MOST_WORTH = 30  # riffles: after so many, an order of up to 1,000 cards tells nothing more
NEATEST = 1_000.0  # and the inverse: more extreme ones are called so
VARYING = 0.4  # the standard deviation of the log of the neatness over riffles; few riffles cannot tell it
ENOUGH_RIFFLES = 20  # from so many on it is fitted
SPREADS = tuple(step / 20 for step in range(1, 31))  # among these
NODES = tuple(step * 0.8 for step in range(-5, 6))  # standard deviations: sums of equal steps are nearly integrals
WEIGHTS = tuple(exp(-node * node / 2) / sum(exp(-each * each / 2) for each in NODES) for node in NODES)
SEPARATORS = str.maketrans(",;-|", "    ")


class Choice(NamedTuple):
    """What a hand did after a card, while both packets had cards."""

    packet: int  # of that card
    own: int  # how many cards are left of it
    other: int  # how many cards are left of the other packet
    changed: bool  # whether the other packet came next


@dataclass(frozen=True)
class Interleaving:
    """Which packet each card of a riffled deck came from, in the order in which they fell: from the bottom up."""

    packets: tuple[int, ...]  # 0 and 1
    # what is known of them: `BELOW` (packet 0 lay below the other), `NAMED` or `UNNAMED`
    known: str = field(default=BELOW, compare=False)

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """The cards of the two packets, the one that came first in front."""
        first = self.packets.count(self.packets[0])
        return first, len(self.packets) - first

    @cached_property
    def runs(self) -> tuple[int, ...]:
        """The lengths of the runs of cards of one packet, in order."""
        return tuple(len(list(run)) for _, run in groupby(self.packets))

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """Each card after which both packets had cards, and what came next."""
        counts, found = Counter(self.packets), []
        left = [counts[0], counts[1]]
        for now, then in pairwise(self.packets):
            left[now] -= 1
            if all(left):
                found.append(Choice(now, left[now], left[1 - now], now != then))
        return tuple(found)


def read(text: str) -> Interleaving:
    """Return the interleaving that somebody wrote from the top down: two letters, or the lengths of the runs.

    T and B stand for the packet that was cut off the top and for the one below.

    Raises FairdeckError if it is neither, or one packet is empty.

    >>> read("RRBRB").runs, read("2 1 1 1").packets[::-1], read("LLR LRR").runs
    ((1, 1, 1, 2), (0, 0, 1, 0, 1), (2, 1, 1, 2))
    """
    words = text.translate(SEPARATORS).split()
    if len(words) > 1 and all(word.isdecimal() for word in words):
        # A number of thousands of digits would be refused by Python, in other words.
        lengths = [int(word) if len(word) <= LONGEST_NUMBER else MOST_CARDS + 1 for word in words]
        if 0 in lengths or sum(lengths) > MOST_CARDS:
            raise FairdeckError(
                f"{text[:80]!r}: a run has 1 card or more, and all runs together at most {MOST_CARDS:,}"
            )
        return Interleaving(tuple(at % 2 for at, length in enumerate(lengths) for _ in range(length))[::-1], UNNAMED)
    letters = "".join(words).upper()
    kinds = sorted(set(letters))  # so that a letter means the same packet in every riffle
    if len(kinds) != 2 or len(letters) > MOST_CARDS:
        raise FairdeckError(
            f"{text[:80]!r} is no interleaving: write a letter for each card, one letter for each packet, such as "
            "RRBRB, or the lengths of the runs, such as '2 1 1 1'"
        )
    known = BELOW if kinds == ["B", "T"] else NAMED  # bottom and top
    return Interleaving(tuple(map(kinds.index, reversed(letters))), known)


def between(before: Sequence[str], after: Sequence[str]) -> Interleaving | int:
    """Return the interleaving of one riffle that made `after` of `before`; the rising sequences if it was not one.

    Args:
        before: the names of the cards, each once, from the top down.
        after: the same cards in another order.

    Raises:
        FairdeckError: the two are not orders of the same cards.

    >>> between("ABCDE", "DABEC").runs, between("ABCD", "DCBA")
    ((1, 1, 2, 1), 4)
    """
    twice = [card for deck in (before, after) for card, times in Counter(deck).items() if times > 1]
    if twice:
        raise FairdeckError(f"the card {twice[0]!r} comes twice in an order: give each card a name of its own")
    if odd := sorted(set(before) ^ set(after)):
        raise FairdeckError(f"the card {odd[0]!r} is not in both orders: write every card of the deck in each")
    number = {card: at for at, card in enumerate(reversed(before))}
    deck = [number[card] for card in reversed(after)]
    place = inverse(deck)
    cuts = [card for card in range(1, len(deck)) if place[card] < place[card - 1]]
    if len(cuts) != 1:
        return len(cuts) + 1
    return Interleaving(tuple(int(card >= cuts[0]) for card in deck))


def worth(cards: int, rising: int) -> tuple[int, int, int]:
    """Return how many ideal riffles most likely leave so many rising sequences, and an interval of about 95 %.

    The likelihood of k riffles is that of Bayer and Diaconis (1992) with 2^k packets.

    >>> worth(52, 2), worth(52, 26)
    ((1, 1, 1), (9, 6, 30))
    """
    logs = {}
    for riffles in range(1, MOST_WORTH + 1):
        ways = comb(2**riffles + cards - rising, cards)
        if ways:
            logs[riffles] = log(ways) - cards * riffles * log(2)
    best = max(logs, key=logs.__getitem__)
    likely = [riffles for riffles, each in logs.items() if each >= logs[best] - HALF_WIDTH]
    return best, likely[0], likely[-1]


def entropy(cards: int, neatness: float, cut: float = 0.5) -> float:
    """Return the entropy of one riffle in bits: of its cut, of the packet that drops first, and of each choice.

    The order after a riffle has no more than that, and after k riffles no more than k times that.

    Args:
        cards: of the deck.
        neatness: as `fairdeck.shuffles.hand_riffle.NeatRiffle` has it, 1 for an ideal riffle.
        cut: the mean share of the lower packet.

    >>> round(entropy(2, 1.0), 3), entropy(52, 1.0) > 5 * entropy(52, 1000.0)
    (2.0, True)
    """
    # Entropy of what is left to fall, by how many cards are left of the packet of the last card, and of the other.
    left = [[0.0] * (cards + 1) for _ in range(cards + 1)]
    for own in range(1, cards):
        for other in range(1, min(own, cards - own) + 1):
            for here, there in {(own, other), (other, own)}:
                change = neatness * there / (neatness * there + here)
                after = change * left[there - 1][here] + (1 - change) * left[here - 1][there]
                left[here][there] = _bits(change) + after
    total = 0.0
    for lower in range(cards + 1):
        upper = cards - lower
        chance = comb(cards, lower) * cut**lower * (1 - cut) ** upper
        first = lower / cards
        begun = _bits(first)
        begun += first * left[lower - 1][upper] if lower else 0.0
        begun += (1 - first) * left[upper - 1][lower] if upper else 0.0
        total += chance * begun - (chance * log2(chance) if chance else 0.0)
    return total


def fewest_by_entropy(cards: int, bits: float, distance: float) -> int:
    """Return how many riffles of this entropy are needed at least, to be no further from random than a distance.

    An order at total variation d from uniform among N has an entropy of at least (1 - d) log N - h(d), where h is the
    entropy of a coin of chance d (Audenaert, J. Phys. A 40 (2007)).

    >>> fewest_by_entropy(52, entropy(52, 1.0), 0.334)
    3
    """
    return max(1, ceil(entropy_wanted(cards, distance) / bits))


def nearer_ideal(neatness: float) -> float:
    """Return the neatness that is nearer the ideal one by how much riffles usually vary.

    >>> nearer_ideal(1.2), round(nearer_ideal(0.5), 2)
    (1.0, 0.75)
    """
    return exp(max(0.0, log(neatness) - VARYING) + min(0.0, log(neatness) + VARYING))


def entropy_wanted(cards: int, distance: float) -> float:
    """Return the least entropy, in bits, of an order that is no further from random than a distance."""
    return (1 - distance) * log2(factorial(cards)) - _bits(distance)


def _bits(chance: float) -> float:
    return -sum(p * log2(p) for p in (chance, 1 - chance) if p > 0)


@cache
def runs_law(a: int, b: int) -> dict[int, Fraction]:
    """Return the chance of each number of runs, if all interleavings of a and b cards are equally likely.

    >>> {runs: str(chance) for runs, chance in runs_law(2, 2).items()}
    {2: '1/3', 3: '1/3', 4: '1/3'}
    """
    ways: dict[int, int] = {}
    for half in range(1, min(a, b) + 1):
        ways[2 * half] = 2 * comb(a - 1, half - 1) * comb(b - 1, half - 1)
        ways[2 * half + 1] = comb(a - 1, half) * comb(b - 1, half - 1) + comb(a - 1, half - 1) * comb(b - 1, half)
    return {runs: Fraction(count, comb(a + b, a)) for runs, count in sorted(ways.items()) if count}


@cache
def long_runs_law(a: int, b: int) -> tuple[float, ...]:
    """Return the chance of each number of cards beyond the first four of their runs, if all interleavings are likely.

    >>> long_runs_law(5, 1)
    (0.6666666666666666, 0.3333333333333333)
    """
    one, other = _parted(a), _parted(b)
    law = [0] * (a + b)
    # The runs of the two packets take turns: as many of each, in two ways, or one more of one of them.
    for more, ways in ((0, 2), (1, 1), (-1, 1)):
        for runs in range(1, a + 1):
            if 0 < runs + more <= b:
                for here, count in enumerate(one[runs]):
                    for there, others in enumerate(other[runs + more], here):
                        law[there] += ways * count * others
    return tuple([count / comb(a + b, a) for count in law if count])


@cache
def _parted(cards: int) -> list[list[int]]:
    """Return in how many ways cards are parted into runs, by the number of runs and of cards beyond the first four."""

    def ways(runs: int, beyond: int) -> int:
        long = range(1, min(runs, beyond) + 1) if beyond else range(1)
        return sum(
            comb(runs, k) * (comb(beyond - 1, k - 1) if beyond else 1) * _short(runs - k, cards - LONG * k - beyond)
            for k in long
        )

    return [[ways(runs, beyond) for beyond in range(max(1, cards - LONG + 1))] for runs in range(cards + 1)]


@cache
def _short(runs: int, cards: int) -> int:
    """Return in how many ways cards are parted into so many runs, none of them long."""
    if not runs or cards < runs:
        return int(runs == cards)
    return sum(_short(runs - 1, cards - length) for length in range(1, LONG + 1))


def in_place(packets: Sequence[int], below: int) -> int:
    """Return how many cards lie where they lay, at both ends together, if a packet lay below the other.

    >>> in_place((0, 0, 1, 0, 1), 0), in_place((0, 0, 1, 0, 1), 1)
    (3, 0)
    """
    return min(len(packets), _leading(packets, below) + _leading(packets[::-1], 1 - below))


def _leading(packets: Sequence[int], packet: int) -> int:
    return next((at for at, each in enumerate(packets) if each != packet), len(packets))


@cache
def in_place_law(a: int, b: int) -> tuple[float, ...]:
    """Return the chance of each number of cards in place at the ends, if all interleavings are equally likely.

    Over all cuts of many cards it is the law of the zeros before two ones, of coins (the negative binomial law).

    Args:
        a: the cards of the packet that lay below, 1 or more.
        b: those of the other.

    >>> in_place_law(1, 1), [round(6 * chance) for chance in in_place_law(2, 2)]
    ((0.5, 0.0, 0.5), [2, 2, 1, 0, 1])
    """
    n, ways = a + b, comb(a + b, a)
    # Below z cards in place lies a card of the other packet; likewise above; all between is free.
    law = [0.0] * n + [1 / ways]
    for s in range(n - 1):
        law[s] = sum(comb(n - s - 2, a - z - 1) for z in range(min(s, a - 1) + 1)) / ways
        if law[s] < min(TINY, law[s - 1]):
            break  # more in place is rarer still
    return tuple(law)


def ends_that_stay(packets: Sequence[int], below: int) -> int:
    """Return whether the bottom card stays, and whether the top card stays, added up."""
    return (packets[0] == below) + (packets[-1] != below)


def ends_law(a: int, b: int) -> tuple[float, float, float]:
    """Return the chance that none, one and both of the ends stay, if all interleavings are equally likely.

    >>> ends_law(1, 1), ends_law(26, 26)[2] == 26 * 26 / (52 * 51)
    ((0.5, 0.0, 0.5), True)
    """
    both = a * b / ((a + b) * (a + b - 1))
    return both, 1 - 2 * both, both


def cut_tails(cuts: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """Return the chances that ideal cuts are as near the middle, all together, or nearer; and as far, or further.

    Each cut is the cards of one packet and of the deck.

    >>> cut_tails([(1, 2)]), cut_tails([(0, 2), (2, 2)])
    ((0.5, 1.0), (1.0, 0.25))
    """

    def steps(cut: int, cards: int) -> int:
        return int((abs(2 * cut - cards) // (2 * max(1, round(sqrt(cards) / STEPS)))) ** 2)

    seen = sum(steps(*each) for each in cuts)
    law = {0: 1.0}  # of the sum of the squares, as far as what was seen
    for _, cards in cuts:
        one = Counter[int]()
        for cut in range(cards + 1):
            one[steps(cut, cards)] += comb(cards, cut)
        added: dict[int, float] = {}
        for value, ways in one.items():
            for before, chance in law.items():
                if before + value <= seen:
                    added[before + value] = added.get(before + value, 0.0) + chance * (ways / 2**cards)
        law = added
    nearer = sum(law.values())
    return min(1.0, nearer), max(LEAST_P, 1 - nearer + law.get(seen, 0.0))


def chi_square_tail(value: float, degrees: int) -> float:
    """Return the chance that chi-square with so many degrees of freedom is a value or more.

    >>> [round(chi_square_tail(*each), 4) for each in [(3.8415, 1), (9.2103, 2), (11.3449, 3)]]
    [0.05, 0.01, 0.01]
    """
    half = value / 2
    total, shape = (exp(-half), 1.0) if degrees % 2 == 0 else (erfc(sqrt(half)), 0.5)
    while shape < degrees / 2:  # of two degrees more: a term more
        total += exp(shape * log(half) - half - lgamma(shape + 1)) if half else 0.0
        shape += 1
    return min(1.0, total)


def holm(p_values: Mapping[str, float | None], level: float, shares: Mapping[str, float]) -> tuple[str, ...]:
    """Return what is rejected, the smallest p-value over its share of the level first.

    Any that is true is rejected with chance `level` at most.

    >>> holm({"a": 0.02, "b": 0.001, "c": None}, 0.01, {"a": 1, "b": 1})
    ('b',)
    >>> holm({"a": 0.009, "b": 0.001}, 0.01, {"a": 1, "b": 1}), holm({"a": 0.004, "b": 0.02}, 0.01, {"a": 1, "b": 3})
    (('b', 'a'), ())
    """
    asked = sorted((p / shares[name], name) for name, p in p_values.items() if p is not None)
    left = [sum(shares[name] for _, name in asked[at:]) for at in range(len(asked))]
    passed = (at for at, (p, _) in enumerate(asked) if p > level / left[at])
    return tuple([name for _, name in asked[: next(passed, len(asked))]])


@dataclass(frozen=True)
class Fit:
    """What some interleavings tell of the hands that made them."""

    riffles: tuple[Interleaving, ...]  # the interleavings, one or more
    cuts: tuple[int, ...] = ()  # the sizes of one packet in cuts that were only counted

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The choices of all riffles."""
        return tuple(choice for riffle in self.riffles for choice in riffle.choices)

    @cached_property
    def varying(self) -> float:
        """How much the log of the neatness varies between riffles: `VARYING`, or fitted to many riffles."""
        return VARYING if len(self.riffles) < ENOUGH_RIFFLES else self.spread

    @cached_property
    def spread(self) -> float:
        """The same, fitted to any number of riffles, from `VARYING` on if they are few."""
        about = _most_likely(self.riffles, VARYING)
        found = max(SPREADS, key=lambda spread: varying_likelihood(self.riffles, about, spread))
        return found if len(self.riffles) >= ENOUGH_RIFFLES else max(VARYING, found)

    @cached_property
    def neatness(self) -> float:
        """The most likely neatness, the median of the riffles', from 1 / `NEATEST` to `NEATEST`."""
        return exp(_most_likely(self.riffles, self.varying))

    @cached_property
    def interval(self) -> tuple[float, float]:
        """An interval that holds the median neatness with confidence `CONFIDENCE`, if it varies as `varying` says."""
        best = log(self.neatness)
        least = varying_likelihood(self.riffles, best, self.varying) - HALF_WIDTH

        def enough(ends: tuple[float, float]) -> float:
            return exp(_where(lambda at: varying_likelihood(self.riffles, at, self.varying) >= least, *ends))

        return enough((best, -log(NEATEST))), enough((best, log(NEATEST)))

    @property
    def runs(self) -> int:
        """The runs of all interleavings together."""
        return sum(len(riffle.runs) for riffle in self.riffles)

    @property
    def runs_expected(self) -> float:
        """How many runs ideal riffles of these packets have on average."""
        return float(sum(1 + Fraction(2 * a * b, a + b) for a, b in (each.sizes for each in self.riffles)))

    @cached_property
    def runs_law(self) -> list[float]:
        """The chance of each number of all runs, for ideal riffles of packets of these sizes."""
        laws = [runs_law(*riffle.sizes) for riffle in self.riffles]
        return _summed([float(law.get(runs, 0)) for runs in range(max(law) + 1)] for law in laws)

    @property
    def longest(self) -> int:
        """The cards of the longest run."""
        return max(max(riffle.runs) for riffle in self.riffles)

    @property
    def in_long_runs(self) -> int:
        """The cards beyond the first four of their runs."""
        return sum(max(0, run - LONG) for riffle in self.riffles for run in riffle.runs)

    @property
    def known(self) -> str:
        """What is known of the packets of all riffles: `BELOW`, `NAMED` or `UNNAMED`."""
        return max((riffle.known for riffle in self.riffles), key=(BELOW, NAMED, UNNAMED).index)

    @cached_property
    def in_place(self) -> tuple[int, float] | None:
        """The cards in place at the ends, and the chance of as many; None if the packets have no names.

        If either packet may lie below, it is the rarer of the two, and twice its chance.
        """
        return self._at_ends(in_place, in_place_law)

    @cached_property
    def stayed(self) -> tuple[int, float] | None:
        """The same for how often an end stayed."""
        return self._at_ends(ends_that_stay, ends_law)

    @cached_property
    def kept(self) -> tuple[int, int]:
        """The cards at the top and the bottom that stayed in every riffle; if either packet may lie below, the more."""
        found = []
        for below in {BELOW: (0,), NAMED: (0, 1), UNNAMED: ()}[self.known]:
            ends = [(_leading(each.packets[::-1], 1 - below), _leading(each.packets, below)) for each in self.riffles]
            found.append((min(top for top, _ in ends), min(bottom for _, bottom in ends)))
        return max(found, key=sum, default=(0, 0))

    def inside(self, top: int, bottom: int) -> "Fit":
        """Return what is left of the riffles without some cards at the ends."""
        inner = [each.packets[bottom : len(each.packets) - top] for each in self.riffles]
        return Fit(tuple(Interleaving(packets, self.known) for packets in inner if len(set(packets)) > 1))

    @cached_property
    def cuts_off(self) -> dict[str, float]:
        """The chance that ideal cuts are as steady, uneven or one-sided; if parted by colour, as uneven only."""
        cards = [(riffle.packets.count(0), len(riffle.packets)) for riffle in self.riffles]
        n = len(self.riffles[0].packets)
        steady, uneven = cut_tails([*cards, *((cut, n) for cut in self.cuts)])
        if self.known != BELOW and not self.cuts and len({min(each.sizes) for each in self.riffles}) == 1:
            return {"uneven": uneven}
        found = {"steady": steady, "uneven": uneven}
        if self.known != UNNAMED:
            seen, all_ = (sum(part) for part in zip(*cards, strict=True))
            found["to one side"] = erfc(max(0.0, abs(seen - all_ / 2) - 0.5) / sqrt(all_ / 2)) / 2
        return found

    @cached_property
    def checks(self) -> dict[str, float | None]:
        """The p-value of each check; None where these riffles cannot be asked."""
        fewer, more = sum(self.runs_law[: self.runs + 1]), sum(self.runs_law[self.runs :])
        return {
            "runs": min(1.0, 2 * min(fewer, more)),
            "long runs": self._long_runs_p(),
            "cards in place": self.in_place and self.in_place[1],
            "ends that stay": self.stayed and self.stayed[1],
            "variation": self._variation_p(),
            "cut": min(1.0, 4 * min(self.cuts_off.values())),
            "one neatness": min(1.0, len(self.misfits) * min(self.misfits.values())),
        }

    @property
    def rejected(self) -> tuple[str, ...]:
        """The checks that reject, the smallest p-value first: of ideal riffles, any does with chance `LEVEL`."""
        return holm(self.checks, LEVEL, SHARES)

    @property
    def fits(self) -> bool:
        """Whether no check rejects."""
        return not self.rejected

    def _long_runs_p(self) -> float | None:
        """Return the chance that ideal riffles of such packets have as many cards in long runs as these, or more."""
        if max(len(riffle.packets) for riffle in self.riffles) > MOST_FOR_LONG:
            return None
        law = _summed(long_runs_law(*riffle.sizes) for riffle in self.riffles)
        return min(1.0, sum(law[self.in_long_runs :]))

    def _at_ends(
        self, count: Callable[[Sequence[int], int], int], law: Callable[[int, int], Sequence[float]]
    ) -> tuple[int, float] | None:
        found = []
        for below in {BELOW: (0,), NAMED: (0, 1), UNNAMED: ()}[self.known]:
            seen = sum(count(riffle.packets, below) for riffle in self.riffles)
            sizes = [(each.packets.count(below), each.packets.count(1 - below)) for each in self.riffles]
            found.append((sum(_summed(law(*each) for each in sizes)[seen:]), seen))
        if not found:
            return None
        chance, seen = min(found)
        return seen, min(1.0, len(found) * chance)

    def _variation_p(self) -> float | None:
        """Return the chance that the runs of ideal riffles differ from each other as much as here, or more."""
        scores = []
        for riffle in self.riffles:
            a, b = riffle.sizes
            n, twice = a + b, 2 * a * b
            if variance := twice * (twice - n) / (n * n * (n - 1)):
                scores.append((len(riffle.runs) - 1 - twice / n) / sqrt(variance))
        if len(scores) < 2:
            return None
        mean = sum(scores) / len(scores)
        return chi_square_tail(sum((score - mean) ** 2 for score in scores), len(scores) - 1)

    @cached_property
    def misfits(self) -> dict[str, float]:
        """What one neatness for all choices leaves out, each with the p-value of a likelihood ratio test."""
        hands = [[choice for choice in self.choices if choice.packet == packet] for packet in (0, 1)]
        halves: list[list[Choice]] = [[], []]
        after: list[list[Choice]] = [[], []]
        for riffle in self.riffles:
            middle = len(riffle.choices) // 2
            halves[0] += riffle.choices[:middle]
            halves[1] += riffle.choices[middle:]
            for before, choice in pairwise(riffle.choices):
                after[before.changed].append(choice)
        return {
            "one packet drops longer runs than the other": differ(*hands),
            "the riffle ends less neatly than it begins, or the other way round": differ(*halves),
            "what comes next depends on the last change": differ(*after),
        }

    @property
    def cut(self) -> float:
        """The average share of the smaller packet."""
        shares = [min(riffle.sizes) / len(riffle.packets) for riffle in self.riffles]
        if len(sizes := {len(riffle.packets) for riffle in self.riffles}) == 1:
            (n,) = sizes
            shares += [min(cut, n - cut) / n for cut in self.cuts]
        return sum(shares) / len(shares)


def log_likelihood(choices: Sequence[Choice], log_neatness: float) -> float:
    """Return the log of the chance of these choices.

    >>> round(exp(log_likelihood([Choice(0, 1, 2, True)], 0.0)), 4)
    0.6667
    """
    total = 0.0
    for choice in choices:
        odds = log_neatness + log(choice.other / choice.own)  # of a change
        # The log of 1 / (1 + e^-x), which is the chance of what was done.
        done = odds if choice.changed else -odds
        total -= log1p(exp(-done)) if done > 0 else log1p(exp(done)) - done
    return total


def varying_likelihood(riffles: Sequence[Interleaving], log_neatness: float, varying: float) -> float:
    """Return the log of the chance of the choices of some riffles, if the log of the neatness is normal over riffles.

    >>> riffle = Interleaving((0, 1, 0, 1, 1))
    >>> varying_likelihood([riffle], 0.3, 1e-9) - log_likelihood(riffle.choices, 0.3) < 1e-9
    True
    """
    total = 0.0
    for riffle in riffles:
        logs = [log_likelihood(riffle.choices, log_neatness + varying * node) for node in NODES]
        most = max(logs)
        total += most + log(sum(weight * exp(each - most) for weight, each in zip(WEIGHTS, logs, strict=True)))
    return total


def _most_likely(riffles: Sequence[Interleaving], varying: float) -> float:
    """Return the log of the median neatness of the largest likelihood.

    The likelihood is log-concave, as an integral of a log-concave one over a normal law (Prekopa).
    """

    def rises(at: float) -> bool:
        step = 1e-4
        return varying_likelihood(riffles, at + step, varying) >= varying_likelihood(riffles, at - step, varying)

    return _where(rises, -log(NEATEST), log(NEATEST))


def likeliest(choices: Sequence[Choice]) -> float:
    """Return the neatness of the largest likelihood, from 1 / `NEATEST` to `NEATEST`; 1 without choices.

    The log likelihood is concave; its slope is the number of changes less the number to expect.
    """
    if not choices:
        return 1.0
    changes = sum(choice.changed for choice in choices)

    def too_few(log_neatness: float) -> bool:
        odds = exp(log_neatness)
        return sum(odds * each.other / (odds * each.other + each.own) for each in choices) <= changes

    return exp(_where(too_few, -log(NEATEST), log(NEATEST)))


def differ(one: Sequence[Choice], other: Sequence[Choice]) -> float:
    """Return the p-value that two groups of choices have one neatness: twice the log ratio is nearly chi-square."""
    if not one or not other:
        return 1.0
    both = [*one, *other]
    apart = sum(log_likelihood(each, log(likeliest(each))) for each in (one, other))
    gained = max(0.0, apart - log_likelihood(both, log(likeliest(both))))
    return erfc(sqrt(gained))  # chi-square with one degree of freedom, at twice what was gained


def _where(holds: Callable[[float], bool], inside: float, outside: float) -> float:
    """Return where a statement that holds `inside` ends to hold, on the way `outside`; `outside` if it holds there."""
    if holds(outside):
        return outside
    for _ in range(40):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside


def _summed(laws: Iterable[Sequence[float]]) -> list[float]:
    """Return the law of a sum of independent whole numbers, from their laws: entry i is the chance of i."""
    total = [1.0]
    for law in laws:
        added = [0.0] * (len(total) + len(law) - 1)
        for value, chance in enumerate(law):
            if chance:
                for at, before in enumerate(total, value):
                    added[at] += chance * before
        total = added
    return total
