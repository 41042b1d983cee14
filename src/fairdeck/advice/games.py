"""Games, a row each in `games.toml`: the cards that are shuffled, what is dealt or seen, which cards count as equal.

What is seen decides what a deal has to give and which law judges riffles. Where no law is known, for equal cards and
for hands, the order of the whole deck judges them: what is seen of a deck is never further from random than that.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from fairdeck.dealing.goal import WHOLE_DECK, Goal, Hands, TopCards
from fairdeck.errors import FairdeckError, nearest
from fairdeck.numbers import shortened


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game as far as its shuffle goes."""

    title: str
    says: str  # what is seen of the deck, or counts as equal: a sentence that ends the one with title and players
    cards: Sequence[int] = (52,)  # of each deck that is shuffled by itself
    cards_are: str = "cards"  # as in a `Request`
    players: int = 4  # at the table, unless told
    own: bool = False  # whether each player has such a deck
    hand: Sequence[int] = ()  # cards of each player if there are 2, 3, ... of them, the last number if there are more
    hands: int = 1  # that each player is dealt
    left: str = "stock"  # what the other cards are then: "stock" or "rest"
    each: int = 0  # cards that each player sees, from the top of the deck
    board: int = 0  # cards that all see
    burnt: int = 0  # cards that nobody sees, between these

    def goal(self, cards: int, players: int) -> Goal:
        """Return what a deal has to give: hands, the top cards, or the whole deck."""
        sizes = (self.hand[min(max(players, 2) - 2, len(self.hand) - 1)],) * players * self.hands if self.hand else ()
        top = self.each * players + self.board + self.burnt
        over = cards - sum(sizes) - top
        if over < 0:
            raise FairdeckError(
                f"{self.title} with {players} players deals {sum(sizes) + top} cards; the deck has {cards}: write "
                "fewer --players or more cards"
            )
        if sizes:
            return Hands(sizes, **({self.left: over} if over else {}))
        return TopCards(top) if top else WHOLE_DECK

    def told(self, players: int) -> str:
        """Return in a sentence what is assumed."""
        seen = self.each * players + self.board
        table = "" if self.own or players == 1 else f" with {players} players"
        return f"Assumed: {self.title}{table}: {self.says.format(seen=seen, top=seen + self.burnt)}"


@cache
def games() -> dict[str, Game]:
    """Return the games by name, those of another name too."""
    rows: dict[str, dict[str, Any]] = tomllib.loads(files(__package__).joinpath("games.toml").read_text("utf-8"))
    also = rows.pop("also")
    found = {name: Game(**row) for name, row in rows.items()}
    return found | {name: found[other] for name, other in also.items()}


def game_named(name: str) -> Game:
    """Return the game of this name, in any spelling of letters and signs.

    >>> game_named("Hold'em").players
    9
    """
    plain = "".join(filter(str.isalnum, name.lower()))
    game = games().get(plain)
    if game is None:
        known = ", ".join(sorted(games()))
        raise FairdeckError(f"unknown game {shortened(name)}{nearest(plain, games())}; known: {known}")
    return game
