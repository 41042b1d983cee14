"""What somebody asks for, a deck and the people and things at hand; and what one way to shuffle is for them.

Riffles are counted and timed here for all ways that riffle. Hands whose riffle was measured, and is clumsier than the
model's or fails a check, have no known law: more riffles, in proportion to what was measured, are no remedy, because
simulated decks show more than that promises.
"""

from bisect import bisect_left
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any

from fairdeck.dealing.goal import WHOLE_DECK, Goal, Strata, TopCards
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.pace import Pace
from fairdeck.errors import FairdeckError, nearest_or_all
from fairdeck.numbers import shortened, whole
from fairdeck.shuffles.distances import NEAR_RANDOM
from fairdeck.shuffles.mine import Hands as Riffler
from fairdeck.shuffles.riffle import gsr_riffles
from fairdeck.shuffles.top_cards import top_cards
from fairdeck.steps import Step

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
MOST_RIFFLES = 30
USUAL_HANDFUL = 52  # cards to which a pace refers
PATIENCE = 300.0  # seconds that anybody would spend on a shuffle of which no number is known to be enough
CLUMSY = "your own riffle is not the model's, and no law is known for it"


@dataclass(frozen=True, slots=True)
class Request:
    """What a person has and wants."""

    cards: int  # in the deck, 2 to 1,000
    players: int = 1  # people who can help, 1 to 100
    mat: Mat | None = None  # the spaces to deal onto; None if there is no mat, only the bare table
    # "cards", which people riffle; "sleeved" cards, which they mash; "tiles" (neither); or "tarot", cards that may lie
    # reversed
    cards_are: str = "cards"
    room: bool = True  # whether there is room for piles, with a mat or without
    distance: float = float(NEAR_RANDOM)  # how far from uniform the deck may be: total variation, above 0 and below 1
    minutes: float | None = None  # how long it may take; None for as long as it takes
    goal: Goal = WHOLE_DECK  # the goal of a deal; all other ways shuffle the whole deck
    machine: int = 0  # the shelves of a shuffling machine that takes the whole deck; 0 if there is none
    decks: int = 1  # how many such decks are to be shuffled, each by itself, 1 to 1,000
    # the riffle that was measured, see `fairdeck hands`; None for riffles as the model has them
    riffler: Riffler | None = None
    riffles: bool = True  # whether these hands can riffle cards, or mash them in sleeves
    told: str = ""  # what is assumed of a game or a list, in a sentence

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
        if isinstance(self.goal, Strata):
            raise FairdeckError(
                f"goal {self.goal}: no advice is known for strata: use fairdeck deal, which deals them exactly"
            )

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
    def seen(self) -> int:
        """How many cards are seen, from the top; 0 if all are, or if hands are dealt."""
        return self.goal.ordered if isinstance(self.goal, TopCards) else 0

    @property
    def handful(self) -> int:
        """How many cards two hands riffle or mash at once."""
        return HANDFULS[self.cards_are]

    @property
    def things(self) -> str:
        """What the things are called."""
        return {"sleeved": "sleeved cards", "tarot": "tarot cards"}.get(self.cards_are, self.cards_are)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """A way to shuffle."""

    way: str  # what to do
    minutes: float  # about how long it takes
    total_variation: float | None  # how far from uniform the deck is then; None if nobody knows
    exact: bool  # whether that is exact (by a law, for riffles as the model has them), or an estimate
    needs: str  # what it takes
    remark: str  # what to know beforehand; may be empty
    enough: bool = False  # whether it meets the distance and the minutes of the request; `ranking` says so
    in_time: bool = True  # whether it meets the minutes; `ranking` says so
    gives_a_deck: bool = True  # whether there is a shuffled deck afterwards
    mark: str  # the way in one to three words, for a picture
    at_least: float = 0.0  # a lower bound on the distance, if nobody knows it; 0 if no bound is known either
    people: int = 1  # how many people it keeps busy
    do: tuple[Step, ...] = field(default=(), repr=False)  # what to do; JSON has the words
    # for each player who does something else than the others: who, where he or she sits, and what to do
    sheets: tuple[tuple[str, tuple[Step, ...]], ...] = field(default=(), repr=False)

    def near(self, request: Request) -> bool:
        """Whether the deck is known to be as near to uniform as is wanted."""
        return self.total_variation is not None and self.total_variation <= request.distance

    def with_step(self, before: Step | None = None, after: Step | None = None) -> "Recommendation":
        """Return the same with something to do before or after all else, on the sheet of each player too."""

        def longer(do: tuple[Step, ...], who: str) -> tuple[Step, ...]:
            first, last = ([replace(step, says=f"{who}{step}")] if step else [] for step in (before, after))
            return (*first, *do, *last)

        sheets = tuple((name, longer(do, "One of you for all. ")) for name, do in self.sheets)
        return replace(self, do=longer(self.do, ""), sheets=sheets)

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it: what to do in words."""
        sheets = [(who, list(map(str, do))) for who, do in self.sheets]
        return asdict(replace(self, do=(), sheets=())) | {"do": list(map(str, self.do)), "sheets": sheets}


@lru_cache(maxsize=1024)
def distance_after(cards: int, riffles: int, seen: int = 0) -> float:
    """Return the total variation after riffles: of the top cards if only these are seen and have a law, or of all."""
    if seen and (top := top_cards(cards, seen, 2**riffles)):
        return float(top.total_variation or 0)
    return float(gsr_riffles(cards, riffles).total_variation or 0)


def enough_riffles(cards: int, target: float, seen: int = 0) -> int | None:
    """Return the fewest riffles that bring a deck as near to uniform as `target`; None if that takes too many."""
    tried = range(1, MOST_RIFFLES + 1)  # more riffles are never further from random
    at = bisect_left(tried, True, key=lambda times: distance_after(cards, times, seen) <= target)
    return tried[at] if at < len(tried) else None


def seconds_a_riffle(cards: int, pace: Pace) -> float:
    """Return how long it takes to riffle or mash `cards` cards once."""
    return pace.riffle * max(0.5, cards / USUAL_HANDFUL)


def packet_minutes(packet: int, rounds: int, steps: int, riffles: int, pace: Pace) -> float:
    """Return how many minutes a packet procedure takes in which each person riffles `rounds` packets in a step.

    A packet has `packet` cards, and is riffled `riffles` times in each of the `steps`.
    """
    return steps * (rounds * riffles * seconds_a_riffle(packet, pace) + pace.step) / 60


def as_these_hands_riffle(way: Recommendation, request: Request, remark: str = "") -> Recommendation:
    """Return a way of riffles as it is; without the law of the model and with a remark, if the hands are clumsy.

    Args:
        way: what it is for riffles as the model has them.
        request: says how these hands riffle.
        remark: what clumsy hands are told instead of all remarks of the way; empty to add that no law is known.
    """
    if not request.clumsy:
        return way
    return replace(way, total_variation=None, exact=False, remark=remark or f"{way.remark}; {CLUMSY}")
