"""Boards of Big Deal, the program of bridge federations: a hash is the number of a deal in the list of all deals.

RIPEMD-160 of a counter (four bytes, the lowest first), the random seed, and the hash of the owner's name: its first 96
bits are the number, if there is such a deal; then, and otherwise, the counter goes on. The list is sorted by North's
cards, then East's, then South's, each hand in the order of the sorted deck.
"""

import hashlib
from collections.abc import Iterator
from itertools import count, islice
from math import comb

from fairdeck.cards.bridge_hands import HAND
from fairdeck.cards.names import FRENCH
from fairdeck.errors import FairdeckError, MissingTool
from fairdeck.numbers import whole
from fairdeck.trust.derivations import Derivation, Round

DEALS = comb(52, 13) * comb(39, 13) * comb(26, 13)
DIGITS, BYTES = 40, 12  # of a seed, of a deal's number
MOST_BOARDS = 100  # of one run of the program


def board(each: Round, n: int) -> Iterator[int]:
    """Yield the cards of a board: those of North, East, South and West, each hand sorted."""
    seed = each["seed"]
    if len(seed) != DIGITS or not all(digit in "0123456789abcdefABCDEF" for digit in seed):
        raise FairdeckError(f"seed {seed[:DIGITS]!r}: write the {DIGITS} hexadecimal digits that the program logged")
    rest = bytes.fromhex(seed) + _hashed(each["owner"].encode())
    numbers = (int.from_bytes(_hashed(turn.to_bytes(4, "little") + rest)[:BYTES]) for turn in count(1))
    turn = whole("board", each["board"], 1, MOST_BOARDS)
    return dealt(next(islice((number for number in numbers if number < DEALS), turn - 1, None)), n, HAND)


def dealt(number: int, n: int, size: int) -> Iterator[int]:
    """Yield the cards, hand by hand, of the deal with this number in the list of all deals of `n` cards."""
    cards = list(range(n))
    while cards:
        others, left = cards, size  # those that nobody has yet, and how many the hand still needs
        deals = 1  # of the rest, for each hand
        for rest in range(n - size, 0, -size):
            deals *= comb(rest, size)
        place, number = divmod(number, deals)
        cards = []
        for at, card in enumerate(others):
            with_it = comb(len(others) - at - 1, left - 1) if left else 0
            if place < with_it:
                yield card
                left -= 1
            else:
                place -= with_it
                cards.append(card)
        n -= size


def _hashed(content: bytes) -> bytes:
    try:
        return hashlib.new("ripemd160", content).digest()
    except ValueError:
        raise MissingTool("OpenSSL has no RIPEMD-160 here: enable its legacy provider") from None


SOURCE = "github.com/hansvanstaveren/BigDeal 2.0: main.c, binomial.c, Documentation/godel.tex"
UNSEEN = "that the seed was random, and that nobody chose among boards"
_INPUT = ("owner", "seed", "board")
KNOWN = (Derivation("bigdeal", "bridge boards", SOURCE, UNSEEN, _INPUT, board, cards=FRENCH),)
