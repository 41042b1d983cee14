"""Several numbers of cards, as people write them and as sentences name them.

A shuffle can be right at 52 cards and wrong at 64. The **telling** sizes are those where faults lie: decks so small
that every order is counted, powers of two and their neighbours, and sizes halfway between two powers of two, where a
remainder is biased most.
"""

import re
from collections.abc import Collection, Sequence
from typing import Any

from fairdeck import numbers
from fairdeck.errors import FairdeckError
from fairdeck.shuffles import MOST_CARDS

EXPONENTS = (3, 4, 5, 6, 7, 8, 10, 12)
POWERS = tuple(2**k for k in EXPONENTS)
TELLING = tuple(sorted({2, 3, 4, 5, 52, 100, 1_000, *(p + d for p in POWERS for d in (-1, 0, 1, -p // 4))}))
MOST_SIZES = 128  # a program runs once for each, all at the same time
FIRST_POWER = 64  # of the powers of two that are asked first
NAMED = 12  # sizes, or ranges of them, that a sentence lists
RANGE = re.compile(r"\s*([0-9]+)\s*-\s*([0-9]+)\s*")


def sizes_of(cards: Any) -> tuple[int, ...]:
    """Return the numbers of cards that are asked, from the smallest; nothing if `cards` is a single one, or None.

    Args:
        cards: a text such as ``2-64,100`` or ``telling``, or a sequence of whole numbers.

    Raises:
        FairdeckError: it names something else, a size that no deck can have, or more than `MOST_SIZES` sizes.

    >>> sizes_of("2-4,52,3"), sizes_of([16, 8]), sizes_of("52"), sizes_of(52), len(sizes_of("telling"))
    ((2, 3, 4, 52), (8, 16), (), (), 39)
    """
    if isinstance(cards, str):
        if "," not in cards and not RANGE.fullmatch(cards) and cards.strip() != "telling":
            return ()
        spans = [_span(word) for word in cards.split(",")]
    elif isinstance(cards, Sequence):
        spans = [(numbers.whole("cards", each, 2, MOST_CARDS),) for each in cards]
    else:
        return ()
    sizes = {size for span in spans for size in span}
    if not 0 < len(sizes) <= MOST_SIZES:
        raise FairdeckError(f"cards: {len(sizes):,} sizes; name 1 to {MOST_SIZES:,}, such as 2-64,128")
    return tuple(sorted(sizes))


def _span(word: str) -> Collection[int]:
    if word.strip() == "telling":
        return TELLING
    ends = RANGE.fullmatch(word)
    low, high = (numbers.whole("cards", each, 2, MOST_CARDS) for each in (ends.groups() if ends else (word, word)))
    if low > high:
        raise FairdeckError(f"cards: {word.strip()} runs backwards; write {high}-{low}")
    return range(low, high + 1)


def named(sizes: Sequence[int]) -> str:
    """Return sizes in words, successive ones as a range; of a long list the first.

    >>> named([16]), named([2, 3, 4, 64]), named([16, 32])
    ('16', '2 to 4 and 64', '16 and 32')
    """
    spans: list[list[int]] = []
    for size in sizes:
        if spans and size == spans[-1][-1] + 1:
            spans[-1].append(size)
        else:
            spans.append([size])
    told = list[str]()
    for span in spans:
        told += [f"{span[0]:,} to {span[-1]:,}"] if len(span) > 2 else [f"{size:,}" for size in span]
    if len(told) > NAMED:
        return f"{', '.join(told[:NAMED])}, ..."
    return " and ".join(filter(None, [", ".join(told[:-1]), told[-1]]))


def shared(faulty: Sequence[int], others: Sequence[int]) -> str:
    """Return what is true of the faulty sizes and of no other size that was asked, in words; empty if nothing plain is.

    >>> shared([16, 32], [4, 8, 15, 48]), shared([64, 100, 128], [2, 32]), shared([5], [6])
    ('the powers of two from 16 on', 'every size from 64 on', '')
    """
    if len(faulty) < 2 or not others:
        return ""
    if all(map(is_power, faulty)) and not any(is_power(size) for size in others if size > faulty[0]):
        return f"the powers of two from {faulty[0]:,} on"
    if len(faulty) > 2 and faulty[0] > others[-1]:
        return f"every size from {faulty[0]:,} on"
    if len(faulty) > 2 and faulty[-1] < others[0]:
        return f"every size up to {faulty[-1]:,}"
    return ""


def telling_first(sizes: Sequence[int]) -> list[int]:
    """Return sizes in the order in which they are asked: powers of two, where most faults lie, then small ones first.

    Of the powers 64 leads and smaller ones follow: a cipher has no fault at 2 or 4.

    >>> telling_first([2, 3, 4, 5, 32, 64, 128])
    [64, 32, 4, 2, 128, 3, 5]
    """
    powers = sorted(filter(is_power, sizes), key=lambda size: (size > FIRST_POWER, abs(FIRST_POWER - size)))
    return [*powers, *sorted(size for size in sizes if not is_power(size))]


def is_power(size: int) -> bool:
    """Tell whether a size is a power of two."""
    return size.bit_count() == 1
