"""Swap or not: a cipher's shuffle, in which one card can be followed without the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known


@dataclass(frozen=True, slots=True)
class SwapOrNot:
    """In each round a random key K pairs place x with K - x modulo n, and a coin swaps each pair or not.

    Source: Hoang, Morris and Rogaway, "An enciphering scheme based on a card shuffle", CRYPTO 2012.
    """

    rounds: int

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        deck = list(range(n))
        for _ in range(self.rounds):
            key = rng.randrange(n)
            coins = rng.getrandbits(n)
            for place in range(n):
                partner = (key - place) % n
                if place < partner and coins >> place & 1:
                    deck[place], deck[partner] = deck[partner], deck[place]
        return deck


KNOWN = (
    Known(
        "swap-or-not",
        SwapOrNot(30),
        says="thirty rounds of swapping mirrored pairs by a coin: a cipher's shuffle, never quite fair, hard to tell",
        source="Hoang, Morris and Rogaway, CRYPTO 2012; Ethereum takes 90 rounds",
    ),
)
