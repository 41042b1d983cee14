"""Families: statistics that answer one question and share one part of the level."""

from dataclasses import dataclass

from fairdeck.errors import FairdeckError


@dataclass(frozen=True, slots=True)
class Family:
    """A family of statistics."""

    name: str  # what statistics and reports call it
    share: int  # its share of an interim analysis, relative to the other families
    told: str  # the statistic whose limit a report tells for the whole family, if it was asked
    words: str  # what holds for a fair shuffle, as a certificate says it


# In the order of reports: the easiest to understand first.
FAMILIES = {
    family.name: family
    for family in (
        Family("cards seen", 4, "cards in the hand", "Every card is equally likely to be seen, whichever others are"),
        Family("kinds", 4, "kinds", "Each kind of card comes as often as it should, and as evenly"),
        Family("position", 4, "positions", "Every card is equally likely at every place"),
        Family("neighbours", 3, "neighbours", "Every card is equally likely to lie on every other"),
        Family("order", 3, "order", "Of two cards, each is equally likely to lie above the other"),
        Family("two places", 2, "lower of two places", "Two places do not depend on each other, nor do two cards"),
        Family("groups", 2, "order of four cards", "Three or four cards or places do not depend on each other"),
        Family("shape", 4, "rising sequences", "Runs, cycles, packets and distances of whole orders follow their laws"),
        Family("serial", 4, "fixed points", "A deck does not depend on the decks before it"),
        Family("every order", 4, "every order", "Every whole order of the deck is equally likely"),
        Family("repeats", 2, "repeats", "Neither whole decks nor the hands at their ends repeat"),
        Family("draws", 3, "draws of swaps from the top", "No draw that a program makes for a card favours any number"),
        Family("guess", 1, "guesser who learns", "Nobody can guess the next card better than chance allows"),
        Family("game", 2, "lower half", "Hands and first cards follow their laws"),
    )
}


def family(name: str) -> Family:
    """Return the family called `name`.

    >>> family("guess").share
    1
    """
    if name not in FAMILIES:
        raise FairdeckError(f"no family is called {name!r}: add it to FAMILIES in lab/judging/families.py")
    return FAMILIES[name]
