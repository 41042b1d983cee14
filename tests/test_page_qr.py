"""The page's QR Codes, module for module, against segno, which was written independently.

segno 1.6 follows the terminator with a codeword of zeros wherever there is room, even if the data already
end at a whole codeword. ISO/IEC 18004:2015, 7.4.10, wants the alternating pad codewords at once. Readers
stop at the terminator and see no difference, but here segno's padding is put right first. The longest
text of a version has no padding: there segno is taken as it is.
"""

import json
import random
from functools import cache

import pytest
import quickjs
import segno
from segno import consts, encoder

from fairdeck.page.modules import joined

QR = joined("qr")
ASCII = "".join(map(chr, range(128)))
VERSIONS = range(1, 41)


def capacity(version: int) -> int:
    """Return how many characters fit: all but the mode, the count and the terminator."""
    bits = consts.SYMBOL_CAPACITY[version][consts.ERROR_LEVEL_L]
    return bits // 8 - (2 if version < 10 else 3)


@cache
def engine(code: str = QR) -> quickjs.Context:
    context = quickjs.Context()
    context.eval(code + "\nfunction qrText(text) { return JSON.stringify(qrCode(JSON.parse(text))); }")
    return context


def page(text: str, code: str = QR) -> list[list[bool]] | None:
    # As JSON, for the engine takes a string from outside only up to its first zero.
    return json.loads(engine(code).get("qrText")(json.dumps(text)))


def segno_as_it_is(text: str) -> list[list[bool]]:
    symbol = segno.make(text, error="l", mode="byte", boost_error=False, micro=False)
    return [[module == 1 for module in row] for row in symbol.matrix]


def segno_put_right(text: str) -> list[list[bool]]:
    def pad(bits, version, length):
        bits.extend([0] * (-length % 8))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoder, "write_padding_bits", pad)
        return segno_as_it_is(text)


def faults(ours: list[list[bool]], theirs: list[list[bool]]) -> list[tuple[int, int]]:
    """Return the places of the modules that differ; anything but a Boolean does."""
    assert [len(row) for row in ours] == [len(row) for row in theirs]
    size = range(len(theirs))
    return [(r, c) for r in size for c in size if ours[r][c] is not theirs[r][c]]


def mask_of(symbol: list[list[bool]]) -> int:
    """Return the mask named in the format information, of which the first bits are turned over by 10101 (7.9)."""
    return sum(module << (2 - i) for i, module in enumerate(symbol[8][2:5])) ^ 0b101


def random_text(chance: random.Random, length: int) -> str:
    return "".join(chance.choices(ASCII, k=length))


@pytest.mark.long
@pytest.mark.parametrize("part", [0, 1, 2, 3])
def test_the_longest_and_the_shortest_text_of_a_version_are_as_segno_has_them(part):
    """That a version holds no more than it should is tried for some: the engine takes half a second for a large one."""
    for version in VERSIONS[part::4]:
        longest = random_text(random.Random(version), capacity(version))
        assert len(page(longest)) == 17 + 4 * version
        assert not faults(page(longest), segno_as_it_is(longest)), version
        if version < 13 or version % 7 == 0:
            text = random_text(random.Random(-version), capacity(version - 1) + 1 if version > 1 else 1)
            assert len(page(text)) == 17 + 4 * version
            assert not faults(page(text), segno_put_right(text)), version


@pytest.mark.long
def test_texts_of_any_length_are_as_segno_has_them():
    """Texts of one repeated character too, since long padding and long runs make the masks differ most."""
    chance = random.Random(18004)
    texts = [random_text(chance, chance.randint(1, 140)) for _ in range(80)]
    texts += [chance.choice(ASCII) * chance.randint(1, 140) for _ in range(30)]
    texts += ["https://example.org/fairdeck#52,7x3", ASCII]
    masks = set()
    for text in texts:
        ours = page(text)
        assert not faults(ours, segno_put_right(text)), text
        masks.add(mask_of(ours))
    assert masks == set(range(8))


def test_a_text_too_long_or_not_ascii_is_refused_and_none_at_all_is_the_smallest_symbol():
    """segno refuses an empty text; the pads alone make a symbol like any other."""
    assert len(page("")) == 21
    assert capacity(40) == 2953
    assert page("x" * 2954) is None
    for text in ["\x80", "10\N{BLACK SPADE SUIT}", "caf\xe9", "\U0001f0a1", "plain, but \xa0" * 9]:
        assert page(text) is None


@pytest.mark.cases(3)
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('CHECKS = "7a', 'CHECKS = "79'),
        ("ALIGNMENT = [1, 0, 1]", "ALIGNMENT = [1, 0, 0]"),
        ("0xec ^ 0x11", "0xec ^ 0x10"),
        ("result > 127 ? 0x11d", "result > 127 ? 0x11b"),
        ("0x1f25", "0x1f35"),
        ("0x537", "0x533"),
        ("run.length - 2", "run.length - 3"),
        ("points += 40 *", "points += 20 *"),
        ("00001011101|1011101(?=0000)", "00001011101|1011101(?=00000)"),
        ("% 4 === 0) points += 3", "% 4 === 0) points += 4"),
        ("points = 10 *", "points = 0 *"),
    ],
)
def test_a_wrong_encoder_is_detected(right, wrong):
    assert QR.count(right) == 1
    chance = random.Random(7)
    texts = [random_text(chance, length) for length in (30, 140, *range(1, 60))]
    broken = QR.replace(right, wrong)
    assert any(page(text, broken) != segno_put_right(text) for text in texts)
