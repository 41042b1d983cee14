"""Ogg files, page by page: sets the number that libsndfile draws at random, and adds comments, which it cannot write.

A page is 27 bytes of head (serial number at 14, checksum at 22, the count of segments last), the
lengths of its segments, one byte each, and the segments. A packet ends with the first segment
shorter than 255 bytes. Source: RFC 3533, section 6. An Opus file's second page holds its comments
and nothing else: RFC 7845, sections 3 and 5.2.
"""

import struct
import zlib
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import IO

from fairdeck.errors import FairdeckError

HEAD = 27
SEGMENT = 255
MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def pages(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the pages of an open Ogg file."""
    while head := file.read(HEAD):
        lengths = file.read(head[-1])
        yield head + lengths + file.read(sum(lengths))


def with_serial(ogg: bytes, serial: int) -> bytes:
    """Return the Ogg file with the given serial number on all its pages, and correct checksums.

    The number tells streams of one file apart; libsndfile draws a new one for every file.
    """
    return b"".join(stamped(page, serial) for page in pages(BytesIO(ogg)))


def stamped(page: bytes, serial: int) -> bytes:
    """Return the page with the given serial number and a correct checksum."""
    made = bytearray(page)
    struct.pack_into("<I", made, 14, serial)
    struct.pack_into("<I", made, 22, 0)  # the checksum is computed with zeros in its own place
    struct.pack_into("<I", made, 22, checksum(made))
    return bytes(made)


def with_comments(page: bytes, comments: Sequence[str]) -> bytes:
    """Return the comment page of an Opus file with more comments, such as ``TITLE=...``; its checksum is not set.

    The packet is ``OpusTags``, the writer's name, the number of comments and the comments; before every text
    stands its length, in four bytes.
    """
    body = page[HEAD + page[HEAD - 1] :]
    count_at = end = 12 + int.from_bytes(body[8:12], "little")
    count = int.from_bytes(body[count_at : count_at + 4], "little")
    end += 4
    for _ in range(count):
        end += 4 + int.from_bytes(body[end : end + 4], "little")
    texts = [comment.encode() for comment in comments]
    added = b"".join(struct.pack("<I", len(text)) + text for text in texts)
    # libsndfile leaves padding after the last comment: it is dropped.
    packet = body[:count_at] + struct.pack("<I", count + len(comments)) + body[count_at + 4 : end] + added
    full, last = divmod(len(packet), SEGMENT)
    if full >= SEGMENT:
        # Another page would be needed, and every page after it renumbered.
        raise FairdeckError(f"{len(comments)} comments make {len(packet)} bytes; one page holds {SEGMENT**2 - 1}")
    return page[: HEAD - 1] + bytes([full + 1, *[SEGMENT] * full, last]) + packet


def checksum(page: bytes | bytearray) -> int:
    """Return Ogg's checksum of a page: CRC-32 with the usual polynomial, initial value 0, bits not reflected.

    >>> hex(checksum(b"123456789"))
    '0x89a1897f'
    """
    # zlib reflects the bits of every byte and of the result, begins with ones and inverts the end: undone here.
    crc = zlib.crc32(page.translate(MIRRORED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int(f"{crc:032b}"[::-1], 2)
