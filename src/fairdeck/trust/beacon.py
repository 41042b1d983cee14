"""The public beacon, a value every three seconds that nobody knows before: drand's network quicknet. And times.

The value of a round that was agreed on enters the seed. So nobody can work out the decks before the beacon publishes
that round, not even the last one who shows a secret.

Some twenty organisations, the League of Entropy, sign the number of each round together (BLS signatures on the curve
BLS12-381); nobody can sign before enough of them do. A signature is checked here without a network, against the public
key of the group. The check needs the package py_ecc (extra ``beacon``).

Times are UTC to the minute, ``2026-12-01T18:00Z``, or seconds since 1970.

Sources: drand.love/docs/specification; RFC 9380 (hash to curve), suite BLS12381G1_XMD:SHA-256_SSWU_RO_.
"""

import json
import re
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from fairdeck.errors import FairdeckError, nearest
from fairdeck.extras import missing
from fairdeck.numbers import whole

TIME = re.compile(r"2\d{3}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\dZ", re.ASCII)
LAST = 32_503_680_000  # the year 3000, after which no time can be written
MARGIN = 600  # seconds after the deadline before which no round may come: the secrets are shown in this time
NAME = "quicknet"
PERIOD, GENESIS = 3, 1692803367  # seconds between two rounds; when round 1 was published
PUBLIC_KEY = bytes.fromhex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)  # a compressed point of the group G2
GROUP = bytes.fromhex("f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e")  # the organisations' hash
# The chain hash, which names the network: SHA-256 of all its parts.
CHAIN = sha256(PERIOD.to_bytes(4, "big") + GENESIS.to_bytes(8, "big") + PUBLIC_KEY + GROUP + NAME.encode()).digest()
LONGEST = 10_000  # bytes of a published round
SIGNATURE = 48  # bytes: a compressed point of the group G1
COMPRESSED, INFINITY = 0x80, 0x40  # bits of the first byte
DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


def seconds_of(text: str, what: str) -> int:
    """Return a written time as seconds since 1970.

    Raises:
        FairdeckError: it is not a time, or not written so; the message begins with `what`.

    >>> seconds_of("2023-08-23T15:09Z", "deadline")
    1692803340
    """
    if TIME.fullmatch(text):
        try:
            return int(datetime.fromisoformat(text).timestamp())
        except ValueError:
            pass
    raise FairdeckError(f"{what}: {text[:40]!r} is not a time; write it in UTC as 2026-12-01T18:00Z")


def written(seconds: float) -> str:
    """Return a time as text, to the minute that has begun."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%MZ}"


def round_time(number: int) -> int:
    """Return when a round is published, in seconds since 1970."""
    return GENESIS + PERIOD * (number - 1)


def first_round(seconds: int) -> int:
    """Return the first round that is published at this time or later."""
    return max(1, 1 - (GENESIS - seconds) // PERIOD)


@dataclass(frozen=True)
class Beacon:
    """A value that was agreed on of a public source of randomness, which may be any; `demand_later` checks it."""

    chain: bytes  # what names the source: the 32 bytes of the chain hash of a drand network, such as `CHAIN`
    round: int  # the number of the value

    def __post_init__(self) -> None:
        if len(self.chain) != len(CHAIN) or not 1 <= self.round < 2**63:
            raise FairdeckError(
                f"round {self.round}: a beacon has a round from 1, and a chain hash of {len(CHAIN)} bytes"
            )


def parse_beacon(text: str) -> Beacon:
    """Read a beacon as people type it: ``quicknet:ROUND``, or ``quicknet@2026-12-01T20:00Z``.

    Raises:
        FairdeckError: it is something else.
    """
    name, mark, value = text.partition("@" if "@" in text else ":")
    if not mark or name != NAME:
        near = "" if name == NAME else nearest(name[:40], [NAME])
        example = f"such as {NAME}@2026-12-01T20:00Z"
        raise FairdeckError(f"beacon {text[:40]!r}: write {NAME}:ROUND or {NAME}@TIME, {example}{near}")
    number = first_round(seconds_of(value, f"beacon {NAME}")) if mark == "@" else value
    return Beacon(CHAIN, whole(f"round of {NAME}", number, 1, first_round(LAST) - 1))


def demand_later(beacon: Beacon | None, deadline: str) -> None:
    """Raise a FairdeckError unless an agreed beacon is known here, and its round comes after the secrets are shown."""
    if beacon is None:
        return
    if beacon.chain != CHAIN:
        raise FairdeckError(f"the beacon with chain hash {beacon.chain.hex()} is not known here, and cannot be checked")
    whole(f"round of {NAME}", beacon.round, 1, first_round(LAST) - 1)
    if not deadline:
        raise FairdeckError("a beacon needs a deadline: its round must come later")
    least = seconds_of(deadline, "deadline") + MARGIN
    if round_time(beacon.round) <= least:
        raise FairdeckError(
            f"round {beacon.round} of {NAME} comes at {written(round_time(beacon.round))}, and must come later than "
            f"{written(least)}, {MARGIN // 60} minutes after the deadline: take round {first_round(least + 1)} "
            "or a later one"
        )


def address_of(beacon: Beacon) -> str:
    """Return where a round is published; several relays do."""
    return f"https://api.drand.sh/{beacon.chain.hex()}/public/{beacon.round}"


def read_round(content: bytes, number: int) -> bytes:
    """Return the signature in a file, unchecked: JSON as the relays publish it, or hexadecimal digits.

    Raises:
        FairdeckError: it is neither, or of another round.
    """
    if len(content) > LONGEST:
        raise FairdeckError(f"{len(content):,} bytes are too many for a round of {NAME}: at most {LONGEST:,}")
    text = content.decode(errors="replace").strip()
    if text.startswith("{"):
        try:
            published = json.loads(text)
            other, text = published.get("round", number), published["signature"]
        except (ValueError, KeyError, RecursionError):
            raise FairdeckError(f"this is not a round of {NAME} as its relays publish it") from None
        if other != number:
            raise FairdeckError(f"this is round {str(other)[:20]} of {NAME}; the draw needs round {number}")
    if not isinstance(text, str) or not re.fullmatch("(?:[0-9a-fA-F]{2})+", text):
        raise FairdeckError(f"this is no signature of {NAME}: give its {2 * SIGNATURE} hexadecimal digits")
    return bytes.fromhex(text)


def published_round(content: bytes) -> tuple[int, bytes]:
    """Return the number and the signature of a round in JSON of a relay, after checking it as `randomness` does."""
    try:
        number = whole(f"round of {NAME}", json.loads(content)["round"], 1, first_round(LAST) - 1)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise FairdeckError(f"this is not a round of {NAME} as its relays publish it") from None
    signature = read_round(content, number)
    randomness(number, signature)
    return number, signature


def randomness(number: int, value: bytes) -> bytes:
    """Return the 32 bytes that enter the seed, the SHA-256 of a round's signature, after checking the signature.

    Raises:
        FairdeckError: it is not the signature of this round.
        MissingTool: py_ecc is not installed.
    """
    what = f"the signature of round {number} of {NAME}"
    if len(value) != SIGNATURE:
        raise FairdeckError(f"{what} has {len(value)} bytes, and must have {SIGNATURE}")
    if not value[0] & COMPRESSED:
        raise FairdeckError(f"{what} is not a compressed point")
    if value[0] & INFINITY:
        raise FairdeckError(f"{what} is the point at infinity, which signs nothing")
    if not _signs(number, value, what):
        raise FairdeckError(f"{what} is wrong: {NAME} did not sign that round with it")
    return sha256(value).digest()


def _signs(number: int, value: bytes, what: str) -> bool:
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
        raise FairdeckError(f"{what} is no point of the curve") from None
    if not is_inf(multiply(point, curve_order)):  # decompress_G1 does not check it
        raise FairdeckError(f"{what} is a point outside the subgroup")
    half = len(PUBLIC_KEY) // 2
    key: Any = decompress_G2((int.from_bytes(PUBLIC_KEY[:half], "big"), int.from_bytes(PUBLIC_KEY[half:], "big")))
    message: Any = hash_to_G1(sha256(number.to_bytes(8, "big")).digest(), DOMAIN, sha256)
    # Both sides at once, so that the slow last step is done once.
    ratio = pairing(G2, point, final_exponentiate=False) * pairing(key, neg(message), final_exponentiate=False)
    return bool(final_exponentiate(ratio) == type(ratio).one())
