"""A continuous shuffler: discards go into random compartments, and full compartments come out again in random order.

The machine keeps some cards ready, so that a discard cannot come at once. Compartments come out whole, in random order:
of c of them e come out for a round, and a card that is in one is out with chance ``e/c``. How many cards that is, the
machine's contents decide.

Source: Grauzer and others, "Device and method for continuously shuffling cards", US patent 6,254,096 (2001), for a
stack of compartments that a processor chooses. That whole compartments come out, and the numbers, are what observers
report of machines with 38; the makers have not confirmed it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from fairdeck.shuffles.known import Family, Parameter


@dataclass(frozen=True, slots=True)
class ContinuousShuffler:
    """Each deck is the order in which all cards would come if none were put back; then a round is played.

    The cards are shuffled before they go into the machine for the first time.
    """

    compartments: int = 38
    dealt: int = 20  # cards of a round, put back when it is over
    ready: int = 16  # cards that the machine keeps ready at least, beyond the round

    def stream(self, n: int, rng: Random) -> Iterator[Sequence[int]]:
        """Yield the order before each round, bottom first: the top card is the next."""
        shelves: list[list[int]] = [[] for _ in range(self.compartments)]
        ready: list[int] = []
        discards = list(range(n))
        rng.shuffle(discards)
        while True:
            for card in discards:
                shelves[rng.randrange(self.compartments)].append(card)
            rng.shuffle(shelves)  # the next compartment is a random one
            yield [*ready, *chain.from_iterable(shelves)][::-1]
            for shelf in shelves:
                if len(ready) < self.dealt + self.ready:
                    ready += shelf
                    shelf.clear()
            discards, ready = ready[: self.dealt], ready[self.dealt :]


FAMILIES = (
    Family(
        "continuous",
        (
            Parameter("compartments", "how many", int, 1, 10_000, 38),
            Parameter("dealt", "cards of a round, then put back", int, 1, 10_000, 20),
            Parameter("ready", "cards kept ready beyond a round", int, 1, 10_000, 16),
        ),
        ContinuousShuffler,
        says="a continuous shuffler: the discards of a round cannot come at once, and the next order shares its start",
        source="after US patent 6,254,096 (2001); the numbers are what observers report, unconfirmed",
        example="continuous(19)",
    ),
)
