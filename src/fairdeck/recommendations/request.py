"""What somebody asks for: a deck, the people and things at hand, and how random it has to be."""

from dataclasses import dataclass

from fairdeck.dealing.goal import WHOLE_DECK, Goal
from fairdeck.dealing.mat import Mat
from fairdeck.errors import FairdeckError
from fairdeck.numbers import shortened, whole
from fairdeck.parsing import nearest_or_all
from fairdeck.recommendations.riffling import enough_riffles
from fairdeck.shuffles.distances import NEAR_RANDOM
from fairdeck.shuffles.mine import Hands as Riffler

MOST_CARDS = 1_000
MOST_PLAYERS = 100
MOST_DECKS = 1_000
MOST_SHELVES = 1_000
MACHINE = 0.5  # seconds a card takes in a shelf machine: assumed, nobody measured it
TOSS = 1.5  # seconds to toss a coin and turn a card round: assumed, nobody measured it
HANDFULS = {
    "cards": 80,
    "sleeved": 100,
    "tiles": 0,
    "tarot": 80,
}  # that two hands riffle or mash at once; a larger deck must be cut into packets


@dataclass(frozen=True, slots=True)
class Request:
    """What a person has and wants.

    Attributes:
        cards: in the deck, 2 to 1,000.
        players: people who can help, 1 to 100.
        mat: the spaces to deal onto; None if there is no mat, only the bare table.
        cards_are: "cards", which people riffle; "sleeved" cards, which they mash; "tiles" (neither); or "tarot",
            cards that may lie reversed.
        room: whether there is room for piles, with a mat or without.
        distance: how far from uniform the deck may be: total variation, above 0 and below 1.
        minutes: how long it may take; None for as long as it takes.
        goal: the goal of a deal; all other ways shuffle the whole deck.
        machine: the shelves of a shuffling machine that takes the whole deck; 0 if there is none.
        decks: how many such decks are to be shuffled, each by itself, 1 to 1,000.
        riffler: the riffle that was measured, see `fairdeck hands`; None for riffles as the model has them.
    """

    cards: int
    players: int = 1
    mat: Mat | None = None
    cards_are: str = "cards"
    room: bool = True
    distance: float = float(NEAR_RANDOM)
    minutes: float | None = None
    goal: Goal = WHOLE_DECK
    machine: int = 0
    decks: int = 1
    riffler: Riffler | None = None

    def __post_init__(self) -> None:
        whole("cards", self.cards, 2, MOST_CARDS)
        whole("players", self.players, 1, MOST_PLAYERS)
        whole("decks", self.decks, 1, MOST_DECKS)
        whole("machine", self.machine, 0, MOST_SHELVES)
        if self.cards_are not in HANDFULS:
            raise FairdeckError(f"the cards are {shortened(self.cards_are)}{nearest_or_all(self.cards_are, HANDFULS)}")
        if not 0 < self.distance < 1:
            raise FairdeckError(
                f"distance: {float(self.distance):g} is out of range; write a number above 0 and below 1, such as 0.05"
            )
        if self.minutes is not None and not 0 < self.minutes <= 100_000:
            raise FairdeckError(f"minutes: {self.minutes:g} is out of range; write more than 0")
        self.goal.check(self.cards)

    @property
    def sleeved(self) -> bool:
        """Whether the cards are in sleeves."""
        return self.cards_are == "sleeved"

    @property
    def clumsy(self) -> bool:
        """Whether no law of the model holds for the riffle that was measured: a check failed, or it needs more."""
        mine = self.riffler
        if mine is None or self.sleeved:
            return False
        return not mine.fits or mine.needed > (enough_riffles(mine.cards, float(NEAR_RANDOM)) or 0)

    @property
    def handful(self) -> int:
        """How many cards two hands riffle or mash at once."""
        return HANDFULS[self.cards_are]

    @property
    def things(self) -> str:
        """What the things are called."""
        return {"sleeved": "sleeved cards", "tarot": "tarot cards"}.get(self.cards_are, self.cards_are)
