"""The beacon of the League of Entropy: drand's network quicknet, a signature every three seconds.

Some twenty organisations sign the number of each round together (BLS signatures on the curve BLS12-381); nobody
can sign before enough of them do. A signature is checked here without a network, against the public key of the group.
The check needs the package py_ecc (extra ``beacon``).

A round is published as JSON by several relays; `Network.source` names one.

Sources: drand.love/docs/specification; RFC 9380 (hash to curve), suite BLS12381G1_XMD:SHA-256_SSWU_RO_.
"""

import json
import re
import sys
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from fairdeck.errors import FairdeckError
from fairdeck.extras import missing
from fairdeck.trust.documents import demand_shallow

LONGEST = 10_000  # bytes of a published round
SIGNATURE = 48  # bytes: a compressed point of the group G1
COMPRESSED, INFINITY = 0x80, 0x40  # bits of the first byte
DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


@dataclass(frozen=True)
class Network:
    """A network of drand with the scheme ``bls-unchained-g1-rfc9380``.

    Args:
        name: the beacon ID.
        period: seconds between two rounds.
        genesis: when round 1 was published, in seconds since 1970.
        public_key: 96 bytes, a compressed point of the group G2.
        group_hash: 32 bytes, of the group of organisations that began the network.
    """

    name: str
    period: int
    genesis: int
    public_key: bytes
    group_hash: bytes

    @cached_property
    def chain(self) -> bytes:
        """The chain hash, which names the network: SHA-256 of all its parts."""
        parts = self.period.to_bytes(4, "big") + self.genesis.to_bytes(8, "big") + self.public_key + self.group_hash
        return sha256(parts + self.name.encode()).digest()

    def time(self, round: int) -> int:  # noqa: A002
        """Return when a round is published, in seconds since 1970."""
        return self.genesis + self.period * (round - 1)

    def first_round(self, seconds: int) -> int:
        """Return the first round that is published at this time or later."""
        return max(1, 1 - (self.genesis - seconds) // self.period)

    def source(self, round: int) -> str:  # noqa: A002
        """Return where a round is published."""
        return f"https://api.drand.sh/{self.chain.hex()}/public/{round}"

    def read(self, content: bytes, round: int) -> bytes:  # noqa: A002
        """Return the signature in a file: JSON as the relays publish it, or hexadecimal digits.

        Raises:
            FairdeckError: it is neither, or of another round.
        """
        if len(content) > LONGEST:
            raise FairdeckError(f"{len(content):,} bytes are too many for a round of {self.name}: at most {LONGEST:,}")
        demand_shallow(content)
        text = content.decode(errors="replace").strip()
        if text.startswith("{"):
            try:
                told = json.loads(text)
                found, text = told.get("round", round), told["signature"]
            except (ValueError, KeyError):
                raise FairdeckError(f"this is not a round of {self.name} as its relays publish it") from None
            if found != round:
                raise FairdeckError(f"this is round {str(found)[:20]} of {self.name}; the draw needs round {round}")
        if not isinstance(text, str) or not re.fullmatch("(?:[0-9a-fA-F]{2})+", text):
            raise FairdeckError(f"this is no signature of {self.name}: give its {2 * SIGNATURE} hexadecimal digits")
        return bytes.fromhex(text)

    def randomness(self, round: int, value: bytes) -> bytes:  # noqa: A002
        """Return the SHA-256 of a round's signature, after checking the signature.

        Raises:
            FairdeckError: it is not the signature of this round.
            MissingTool: py_ecc is not installed.
        """
        told = f"the signature of round {round} of {self.name}"
        if len(value) != SIGNATURE:
            raise FairdeckError(f"{told} has {len(value)} bytes, and must have {SIGNATURE}")
        if not value[0] & COMPRESSED:
            raise FairdeckError(f"{told} is not a compressed point")
        if value[0] & INFINITY:
            raise FairdeckError(f"{told} is the point at infinity, which signs nothing")
        if not self._signs(round, value, told):
            raise FairdeckError(f"{told} is wrong: {self.name} did not sign that round with it")
        return sha256(value).digest()

    def _signs(self, round: int, value: bytes, told: str) -> bool:  # noqa: A002
        """Return whether e(signature, generator of G2) = e(hash of the round, public key)."""
        limit = sys.getrecursionlimit()
        try:
            from py_ecc.bls.hash_to_curve import hash_to_G1
            from py_ecc.bls.point_compression import decompress_G1, decompress_G2
            from py_ecc.optimized_bls12_381 import G2, curve_order, final_exponentiate, is_inf, multiply, neg, pairing
        except ImportError:
            raise missing("checking a beacon needs py_ecc", "beacon") from None
        finally:
            # py_ecc sets 100,000 for the whole process, where nested JSON overflows the stack; it needs about 300.
            sys.setrecursionlimit(limit)
        try:
            point: Any = decompress_G1(int.from_bytes(value, "big"))
        except ValueError:
            raise FairdeckError(f"{told} is no point of the curve") from None
        if not is_inf(multiply(point, curve_order)):  # decompress_G1 does not check it
            raise FairdeckError(f"{told} is a point outside the subgroup")
        half = len(self.public_key) // 2
        key: Any = decompress_G2(
            (int.from_bytes(self.public_key[:half], "big"), int.from_bytes(self.public_key[half:], "big"))
        )
        message: Any = hash_to_G1(sha256(round.to_bytes(8, "big")).digest(), DOMAIN, sha256)
        # Both sides at once, so that the slow last step is done once.
        ratio = pairing(G2, point, final_exponentiate=False) * pairing(key, neg(message), final_exponentiate=False)
        return bool(final_exponentiate(ratio) == type(ratio).one())


QUICKNET = Network(
    "quicknet",
    3,
    1692803367,
    bytes.fromhex(
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
        "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
    bytes.fromhex("f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e"),
)
BEACONS = (QUICKNET,)
