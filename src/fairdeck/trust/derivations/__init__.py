"""How cards follow from published seeds: derivations of sites that call it provably fair, boards, public selections.

Each stands in a module of this package, in its ``KNOWN``. It takes the fields of a round, as texts, and the number of
cards, and yields the cards by their numbers, from 0, as they are dealt. Who knows the server seed knows all cards.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import islice
from pkgutil import iter_modules

#: The fields of a round, by the names in `fairdeck.trust.rounds.FIELDS`.
Round = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Derivation:
    """A way from seeds to cards."""

    name: str  # as it is typed
    says: str  # what it deals
    source: str  # where it is published
    unseen: str  # what no computation shows
    fields: Sequence[str]  # what a round must have besides its cards
    deal: Callable[[Round, int], Iterator[int]]  # yields the cards, from a round and the number of cards
    values: int = 0  # how many equally likely values each draw scales down, or takes modulo; 0 if all draws are even
    cards: tuple[str, ...] = ()  # their names by their numbers; empty if the round has a pool of them
    again: bool = False  # whether a card that was drawn can come again
    ordered: bool = True  # whether the order of the cards matters

    def dealt(self, each: Round, cards: Sequence[str], count: int) -> list[str]:
        """Return the first `count` cards of a round, of these cards by their numbers."""
        return [cards[number] for number in islice(self.deal(each, len(cards)), count)]

    def bias(self, size: int, count: int) -> Fraction:
        """Return the total variation from fair of `count` cards of `size`, if seeds are random: a bound, exact for one.

        Of ``values`` modulo `n`, some numbers come once more than the others; the sum over the draws is the bound.
        """
        left = [size] * count if self.again else range(size, max(size - count, 0), -1)
        often = ((n, self.values % n) for n in left if self.values)
        return sum((Fraction(more * (n - more), n * self.values) for n, more in often), Fraction(0))


@cache
def known() -> dict[str, Derivation]:
    """Return every derivation by its name, in alphabetical order."""
    modules = (import_module(f"{__name__}.{each.name}") for each in iter_modules(__path__))
    return dict(sorted((each.name, each) for module in modules for each in module.KNOWN))


def taken(n: int, draw: Callable[[int], int]) -> Iterator[int]:
    """Yield 0..n-1, each taken out of those left at the place that is drawn below their number."""
    left = list(range(n))
    while left:
        yield left.pop(draw(len(left)))
