"""Ogg files, page by page: what libsndfile leaves to chance is set, and what it cannot write is added.

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
    """Yield the pages of an Ogg file that is open at its beginning."""
    while head := file.read(HEAD):
        lengths = file.read(head[-1])
        yield head + lengths + file.read(sum(lengths))


def with_serial(ogg: bytes, serial: int) -> bytes:
    """Return the Ogg file with the given serial number on all its pages, and their checksums set right.

    The number tells apart streams in one file; libsndfile draws it anew for every file it writes.
    """
    return b"".join(stamped(page, serial) for page in pages(BytesIO(ogg)))


def stamped(page: bytes, serial: int) -> bytes:
    """Return the page with the given serial number, and its checksum set right."""
    made = bytearray(page)
    struct.pack_into("<I", made, 14, serial)
    struct.pack_into("<I", made, 22, 0)  # the checksum is taken with zeros in its own place
    struct.pack_into("<I", made, 22, checksum(made))
    return bytes(made)


def with_comments(page: bytes, comments: Sequence[str]) -> bytes:
    """Return the page of an Opus file's comments with some more, such as ``TITLE=...``; its checksum is not set.

    The packet is ``OpusTags``, the writer's name, the count of comments and the comments, every text
    after its length in four bytes.

    Raises:
        FairdeckError: they are too long for one page.
    """
    body = page[HEAD + page[HEAD - 1] :]
    count_at = end = 12 + int.from_bytes(body[8:12], "little")
    count = int.from_bytes(body[count_at : count_at + 4], "little")
    end += 4
    for _ in range(count):
        end += 4 + int.from_bytes(body[end : end + 4], "little")
    texts = [comment.encode() for comment in comments]
    added = b"".join(struct.pack("<I", len(text)) + text for text in texts)
    # What lies behind the last comment is room that libsndfile left for more: it is given up.
    packet = body[:count_at] + struct.pack("<I", count + len(comments)) + body[count_at + 4 : end] + added
    full, last = divmod(len(packet), SEGMENT)
    if full >= SEGMENT:
        # The rest would have to go on another page, and every page after it be numbered anew.
        raise FairdeckError(f"{len(comments)} comments make {len(packet)} bytes; one page holds {SEGMENT**2 - 1}")
    return page[: HEAD - 1] + bytes([full + 1, *[SEGMENT] * full, last]) + packet


def checksum(page: bytes | bytearray) -> int:
    """Return Ogg's checksum of a page: CRC-32 with the usual polynomial, from 0 and with no bit turned round.

    >>> hex(checksum(b"123456789"))
    '0x89a1897f'
    """
    # zlib's turns every byte and the result round, begins with ones and inverts the end: all undone here.
    crc = zlib.crc32(page.translate(MIRRORED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int(f"{crc:032b}"[::-1], 2)
