"""Floats of four bytes: of ``HMAC-SHA256(server seed, "client seed:nonce:0")``, then with 1, 2 and so on.

Four bytes are a number below 2^32, which is multiplied by how many cards there are; the part before the point is the
card. With 32 bits and few cards the doubles of JavaScript are exact, so whole numbers give the same.
"""

import hmac
from collections.abc import Iterator
from functools import partial
from itertools import count
from struct import Struct

from fairdeck.cards.names import RANKS
from fairdeck.trust.derivations import Derivation, Round, taken

VALUES = 2**32
unpack = Struct(">8I").unpack
CARDS = tuple([suit + rank for rank in reversed(RANKS) for suit in "DHSC"])
SOURCE = "stake.com, Provably fair: implementation, game events; lucasholder/fair 0.0.13, src/rng.rs and games/keno.rs"


def words(each: Round) -> Iterator[int]:
    """Yield the numbers below 2^32 of a round."""
    key, message = each["server"].encode(), f"{each['client']}:{each['nonce']}:"
    for block in count():
        yield from unpack(hmac.digest(key, f"{message}{block}".encode(), "sha256"))


def again(each: Round, n: int) -> Iterator[int]:
    """Draw each card from a whole deck."""
    return (word * n // VALUES for word in words(each))


def left(each: Round, n: int) -> Iterator[int]:
    """Draw each card from those that are left, which keep their order."""
    numbers = words(each)
    return taken(n, lambda many: next(numbers) * many // VALUES)


UNSEEN = "that the server seed was fixed before the client seed, unless you kept its hash; that no round is left out"
FIELDS = ("server", "client", "nonce")
_floats = partial(Derivation, source=SOURCE, unseen=UNSEEN, fields=FIELDS, values=VALUES)
KNOWN = (
    _floats("stake-cards", "blackjack, hilo, baccarat: a card can come again", deal=again, cards=CARDS, again=True),
    _floats("stake-deck", "video poker: cards of one deck, in order", deal=left, cards=CARDS),
    _floats("stake-keno", "numbers, in any order", deal=left, cards=tuple(map(str, range(1, 41))), ordered=False),
    _floats("stake-mines", "places, in any order", deal=left, cards=tuple(map(str, range(25))), ordered=False),
)
