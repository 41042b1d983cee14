"""Papers and cards, in millimetres."""

from collections.abc import Mapping
from types import MappingProxyType

from fairdeck.errors import FairdeckError, nearest, nearest_or_all
from fairdeck.numbers import decimal_number

Size = tuple[float, float]  # width and height, in millimetres

PAPERS: Mapping[str, Size] = MappingProxyType(
    {
        "A4": (210.0, 297.0),
        "A3": (297.0, 420.0),
        "Letter": (215.9, 279.4),
        "Tabloid": (279.4, 431.8),
    }
)
"""Upright. ISO 216; ANSI/ASME Y14.1."""

CARDS: Mapping[str, Size] = MappingProxyType(
    {
        "poker": (63.5, 88.9),
        "bridge": (57.15, 88.9),
        "tarot": (70.0, 120.0),
        "mini": (44.0, 67.0),
    }
)
"""Bare cards, as most makers cut them: 2.5 x 3.5 and 2.25 x 3.5 inches, and the usual large and small ones."""

SLEEVE: Size = (3.0, 4.0)
"""What a sleeve adds: sleeves of 66 x 92 mm are made for cards of 63.5 x 88.9 mm."""

SMALLEST_CARD, LARGEST_CARD = 20.0, 200.0


def paper_size(text: str) -> Size:
    """Return a paper's width and height, upright.

    >>> paper_size("a4")
    (210.0, 297.0)
    """
    for name, size in PAPERS.items():
        if name.lower() == text.lower():
            return size
    raise FairdeckError(f"paper {text!r} is not known{nearest_or_all(text, PAPERS)}")


def card_size(text: str, *, sleeved: bool = False) -> Size:
    """Return a card's width and height, with its sleeve if it has one.

    >>> card_size("poker", sleeved=True), card_size("70x120")
    ((66.5, 92.9), (70.0, 120.0))
    """
    width, height = CARDS[text.lower()] if text.lower() in CARDS else _measured(text)
    return (width + SLEEVE[0], height + SLEEVE[1]) if sleeved else (width, height)


def _measured(text: str) -> Size:
    width, by, height = text.lower().replace("×", "x").partition("x")
    if not by:
        near = nearest(text, CARDS) or f"; choose {', '.join(CARDS)}, or WIDTHxHEIGHT in millimetres"
        raise FairdeckError(f"card {text!r} is not known{near}")
    try:
        sides = [decimal_number(side, "card", SMALLEST_CARD, LARGEST_CARD) for side in (width, height)]
    except FairdeckError:
        raise FairdeckError(
            f"card {text!r} is not a size: write WIDTHxHEIGHT, each {SMALLEST_CARD:g} to {LARGEST_CARD:g} millimetres, "
            "such as 63.5x88.9"
        ) from None
    return sides[0], sides[1]
