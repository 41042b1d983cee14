"""What is seen of each deck, and the kinds of its cards.

A record of a deck, such as the first seven cards of sixty, is *completed*: the cards that were not seen are drawn
uniformly among the decks that agree with it. A fair shuffle makes completed decks exactly uniform, so every law, bet
and level of the lab holds for them as it stands. Sources: Heitjan and Rubin, "Ignorability and coarse data", Ann.
Statist. 19 (1991); Jaeger, "Ignorability in statistical and probabilistic inference", JAIR 24 (2005).
"""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """Cards that count as alike, such as the lands of a deck."""

    name: str
    cards: tuple[int, ...]  # by their places in the list, from 0, in rising order


@dataclass(frozen=True, slots=True)
class Sight:
    """What is seen of each deck of a log, chosen before any deck is seen.

    A completed deck has the cards that were seen at the places of the scheme, so a law of what is seen is a law of
    these places. Places count from the bottom, 0, as everywhere; the first card seen lies on top, at ``cards - 1``.
    """

    cards: int  # of the whole deck
    # ``all``: whole decks with equal cards; ``top:7``: the first seven in order; ``set:7``, in any order;
    # ``hands:4x13``: four sets, one after the other from the top; ``places:0,5,9``; ``prefix:7``: as many from the
    # top as a line holds, in order, and judged as a set by the first seven
    scheme: str = "all"
    kinds: tuple[Kind, ...] = ()
    board: tuple[int, int] | None = None  # rows and columns, if the cards are the cells of a board, row by row

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """The places of each set of cards that is judged as a set; none if whole decks are seen."""
        word, _, sizes = self.scheme.partition(":")
        if word == "all":
            return ()
        if word == "places":
            return (tuple(map(int, sizes.split(","))),)
        number, size = map(int, sizes.split("x")) if "x" in sizes else (1, int(sizes))
        top = range(self.cards - 1, -1, -1)
        return tuple(tuple(top[hand * size : (hand + 1) * size]) for hand in range(number))

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each card of a line, in the order in which they are written."""
        if self.scheme == "all":  # written like other decks: from the bottom
            return tuple(range(self.cards))
        if self.scheme.startswith("prefix:"):
            return tuple(range(self.cards - 1, -1, -1))
        return tuple(place for hand in self.hands for place in hand)

    @property
    def ordered(self) -> bool:
        """Whether the cards were seen in their order."""
        return not self.scheme.startswith(("set:", "hands:"))


def cards_seen(sight: Sight) -> int | None:
    """Return how many cards a line holds; None if lines differ."""
    return None if sight.scheme.startswith("prefix:") else len(sight.places)


def told(sight: Sight, seed: int, *, code: bool = False) -> Iterator[str]:
    """Yield what a reader of a verdict must know of completed decks, of lines or of a function's or a program's."""
    seen, cards, whose = cards_seen(sight), sight.cards, "Each deck shows" if code else "Your lines hold"
    if seen is None:
        yield (
            f"{whose} the first cards of {cards:,}, as many as were seen; the others were filled in at random "
            f"(seed {seed:x}). The level holds. Faults that show only in cards that are not seen cannot be seen."
        )
    elif seen < cards:
        yield (
            f"{whose} {seen:,} of {cards:,} cards; the other {cards - seen:,} were filled in at random (seed "
            f"{seed:x}). The level holds. Faults that show only in the cards not seen cannot be seen."
        )
    else:
        what = "equal cards were told apart" if sight.ordered else "the order in each set was filled in"
        yield f"{what[0].upper()}{what[1:]} at random (seed {seed:x}). The level holds."
    where = "given" if code else "in the file"
    yield f"This is right only if nothing is left out because of its cards: every game, hand or drawing is {where}."
