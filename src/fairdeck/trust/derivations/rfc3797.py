"""RFC 3797, which replaced RFC 2777: people chosen from a numbered pool, by public values that come later.

The sources make the key: the numbers of each, sorted, a full stop after each number and a slash after each source.
Draw i is the MD5 of i, the key and i again, i in two bytes, modulo those left in the pool.
"""

from collections.abc import Iterator
from hashlib import md5
from itertools import count

from fairdeck.cards.cells import is_number
from fairdeck.errors import FairdeckError
from fairdeck.trust.derivations import Derivation, Round, taken


def key_of(sources: str) -> str:
    """Return the key string: as the RFC writes it, or from the numbers of each source, with slashes between sources.

    >>> key_of("9319/2 5 12 8 10"), key_of("9319./2.5.8.10.12./")
    ('9319./2.5.8.10.12./', '9319./2.5.8.10.12./')
    """
    if sources.endswith("/"):
        return sources
    parts = [part.replace(",", " ").split() for part in sources.split("/")]
    if not all(part and all(map(is_number, part)) for part in parts):
        raise FairdeckError(f"sources {sources[:40]!r}: write whole numbers, / between sources, or the key string")
    return "".join(["".join([f"{number}." for number in sorted(map(int, part))]) + "/" for part in parts])


def chosen(each: Round, n: int) -> Iterator[int]:
    """Yield the places of those chosen from a pool of `n`."""
    key, draws = key_of(each["sources"]).encode(), count()

    def draw(left: int) -> int:
        turn = next(draws).to_bytes(2)
        return int.from_bytes(md5(turn + key + turn, usedforsecurity=False).digest()) % left

    return taken(n, draw)


SAYS, SOURCE = (
    "people of a pool, in any order",
    "RFC 3797, as github.com/richsalz/ietf-rfc3797-code and its example have it",
)
UNSEEN = "that pool and sources were published before the values were known"
_INPUT = ("sources", "pool")
KNOWN = (Derivation("rfc3797", SAYS, SOURCE, UNSEEN, _INPUT, chosen, values=2**128, ordered=False),)
