"""The ways are asked one after another, fitted to all that is wanted, judged and ranked."""

from dataclasses import replace
from math import ceil

from fairdeck.advice.answer import Recommendations
from fairdeck.advice.request import MOST_CARDS, Recommendation, Request
from fairdeck.advice.tasks import TWO, dealt_in_turn
from fairdeck.advice.ways import all_ways
from fairdeck.dealing.goal import WHOLE_DECK, Goal, Hands, parse_goal
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.pace import ASSUMED, Pace
from fairdeck.doors import checked
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.own_lists import Cards, size_of
from fairdeck.shuffles.distances import NEAR_RANDOM
from fairdeck.shuffles.mine import Hands as Riffler
from fairdeck.steps import Step

UNKNOWN = 0.5  # the rank of an unknown distance among the ways that are not good enough


@checked
def advise(
    cards: Cards,
    *,
    players: int = 1,
    mat: Mat | str | None = None,
    cards_are: str = "cards",
    room: bool = True,
    goal: Goal | str = WHOLE_DECK,
    distance: float = float(NEAR_RANDOM),
    minutes: float | None = None,
    pace: Pace = ASSUMED,
    machine: int = 0,
    decks: int = 1,
    riffler: Riffler | None = None,
) -> Recommendations:
    """Return every way to shuffle a deck, best first.

    Args:
        cards: in the deck, 2 to 1,000; or a list, as for `fairdeck.deal`.
        players: people who can help, 1 to 100.
        mat: such as "5x2"; "none" or None without a mat, which means the bare table.
        cards_are: "cards", "sleeved", "tiles" or "tarot".
        room: whether there is room to lay piles down.
        goal: the goal of a deal, such as "hands:4x13"; all other ways shuffle the whole deck.
        distance: how far from uniform the deck may be: total variation, above 0 and below 1.
        minutes: how long it may take; None for as long as it takes.
        pace: how fast the hands are.
        machine: the shelves of a shuffling machine; 0 without one.
        decks: how many such decks, each shuffled by itself.
        riffler: the riffle that was measured; None for riffles as the model has them.

    Raises:
        FairdeckError: a value is out of range, or nothing can be done.

    >>> advise(52)
    Recommendations(52 cards, best of 8: 'riffle it 10 times')
    """
    size = size_of(cards)
    if isinstance(mat, str):
        mat = None if mat == "none" else Mat.parse(mat)
    if isinstance(goal, str):
        goal = parse_goal(goal, whole("cards", size, 2, MOST_CARDS))
    request = Request(size, players, mat, cards_are, room, distance, minutes, goal, machine, decks, riffler)
    ranked = recommended(request, pace)
    near = any(way.gives_a_deck and _near(way, request) for way in ranked)
    return Recommendations(request, pace, ranked, None if near else _with_room(request, pace))


def _near(way: Recommendation, request: Request) -> bool:
    return way.total_variation is not None and way.total_variation <= request.distance


def _with_room(request: Request, pace: Pace) -> Recommendation | None:
    """Return the quickest exact deal if there were room for piles on the bare table; None if there is room."""
    if request.room:
        return None
    ways = recommended(replace(request, room=True, mat=None, minutes=None), pace)
    return min((way for way in ways if way.enough and not way.total_variation), key=lambda way: way.minutes)


def recommended(request: Request, pace: Pace = ASSUMED) -> tuple[Recommendation, ...]:
    """Return the ways to shuffle at this pace, best first; a FairdeckError says that nothing can be done."""
    found = []
    for way in all_ways():
        for each in way.answers(request, pace):
            told = way.turned(each, request, pace) if request.cards_are == "tarot" else each
            told = told if way.deals_hands else _with_hands_dealt(told, request)
            told = _all_decks(told, request)
            found.append(_judged(told, request, gives_a_deck=way.gives_a_deck))
    if not found:
        people = "one person" if request.players == 1 else f"{request.players} people"
        raise FairdeckError(
            f"{request.cards} {request.things}, {people} and no room for piles: nothing can be done; make room"
        )
    return tuple(sorted(found, key=_rank))


def _with_hands_dealt(way: Recommendation, request: Request) -> Recommendation:
    """Return a way with the hands dealt afterwards, if hands are wanted."""
    if not isinstance(request.goal, Hands):
        return way
    return way.with_step(after=dealt_in_turn(request.goal, request.cards))


def _all_decks(way: Recommendation, request: Request) -> Recommendation:
    """Return a way done with every deck, by as many groups of people as can work side by side."""
    if request.decks == 1:
        return way
    groups = max(1, request.players // way.people)
    decks = ceil(request.decks / groups)
    who, whose = ("person", "people") if way.people == 1 else (f"group of {way.people}", "groups")
    each = "one after another" if groups == 1 else f"shared among {groups} {whose}"
    most = f": {decks} for each {who} at most" if groups > 1 else ""
    all_of_them = "both" if request.decks == TWO else f"all {request.decks}"
    step = Step(f"That is one deck. Do the same with {all_of_them}, {each}{most}.")
    return replace(way.with_step(after=step), minutes=way.minutes * decks)


def _judged(way: Recommendation, request: Request, *, gives_a_deck: bool) -> Recommendation:
    """Return a way with its minutes rounded, and whether it is good enough."""
    near = _near(way, request)
    soon = request.minutes is None or way.minutes <= request.minutes
    minutes = round(way.minutes, 1)
    return replace(way, minutes=minutes, enough=near and soon and gives_a_deck, gives_a_deck=gives_a_deck)


def _rank(way: Recommendation) -> tuple[bool, bool, float, float]:
    if way.enough:
        return False, False, way.minutes, 0.0
    # Of the ways that are not good enough, the nearest to uniform is first; an unknown distance is before a large one.
    # Hands are not on that scale: somebody who wants a deck has none.
    far = max(UNKNOWN, way.at_least) if way.total_variation is None else way.total_variation
    return True, not way.gives_a_deck, far, way.minutes
