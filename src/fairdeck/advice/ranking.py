"""The ways are asked one after another, fitted to all that is wanted, judged and ranked."""

import re
from collections import Counter
from dataclasses import replace
from math import ceil

from fairdeck.advice.answer import Recommendations
from fairdeck.advice.games import game_named
from fairdeck.advice.request import MOST_CARDS, Recommendation, Request
from fairdeck.advice.tasks import TWO, dealt_in_turn
from fairdeck.advice.ways import DEALT_APART, IN_PACKETS, RIFFLED, all_ways
from fairdeck.dealing.goal import WHOLE_DECK, Goal, Hands, parse_goal
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.pace import ASSUMED, Pace
from fairdeck.doors import checked
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.own_lists import Cards, size_and_kinds
from fairdeck.shuffles.distances import NEAR_RANDOM
from fairdeck.shuffles.mine import Hands as Riffler
from fairdeck.steps import Step

SIZES = re.compile(r"\d+(,\d+)*")  # of a deck, or of several
RIFFLING = (RIFFLED, IN_PACKETS, DEALT_APART)  # ways of hands that riffle or mash
KEEP = Step("Do not cut the deck after that: the cards that were judged lie on top.")
HOPELESS = 0.999999  # a distance: the old order determines the new one
UNKNOWN = 0.5  # the rank of an unknown distance among the ways that are not good enough


@checked
def advise(
    cards: Cards | None = None,
    *,
    game: str | None = None,
    players: int | None = None,
    mat: Mat | str | None = None,
    cards_are: str | None = None,
    riffles: bool = True,
    room: bool = True,
    goal: Goal | str | None = None,
    distance: float = float(NEAR_RANDOM),
    minutes: float | None = None,
    pace: Pace = ASSUMED,
    machine: int = 0,
    decks: int | None = None,
    riffler: Riffler | None = None,
) -> Recommendations:
    """Return every way to shuffle a deck, best first.

    Args:
        cards: in the deck, 2 to 1,000; or a list, as for `fairdeck.deal`; or the sizes of several decks, such as
            "6,6,9,18", each shuffled by itself; None for those of the game.
        game: what is played, such as "holdem"; it says what is not given.
        players: people who can help, 1 to 100, and who play; if None 1, and as many as usually play.
        mat: such as "5x2"; "none" or None without a mat, which means the bare table.
        cards_are: "cards", "sleeved", "tiles" or "tarot"; if None as the game says, or "cards".
        riffles: whether the hands can riffle cards, or mash them in sleeves.
        room: whether there is room to lay piles down.
        goal: the goal of a deal, such as "hands:4x13"; all other ways shuffle the whole deck. If None as the game
            says, or the whole deck.
        distance: how far from uniform the deck may be: total variation, above 0 and below 1.
        minutes: how long it may take; None for as long as it takes.
        pace: how fast the hands are.
        machine: the shelves of a shuffling machine; 0 without one.
        decks: how many such decks, each shuffled by itself; if None 1, or one for each player, as the game says.
        riffler: the riffle that was measured; None for riffles as the model has them.

    Raises:
        FairdeckError: a value is out of range, or nothing can be done.

    >>> advise(52)
    Recommendations(52 cards, best of 8: 'riffle it 10 times')
    """
    if isinstance(mat, str):
        mat = None if mat == "none" else Mat.parse(mat)
    played = game_named(game) if game else None
    told, sizes = "", played.cards if played else ()
    if isinstance(cards, str) and SIZES.fullmatch(cards):
        sizes = [whole("cards", size, 2, MOST_CARDS) for size in cards.split(",")]
    elif cards is not None:
        size, kinds = size_and_kinds(cards)
        sizes = [size]
        if kinds < size:
            told = f"The list has {kinds} different cards; equal ones make the deck at least as near to random as told."
    elif not played:
        remedy = "write the number of cards, a list of them, or the game, such as --game holdem"
        raise FairdeckError(f"{remedy}; see fairdeck advise --help")
    helpers, table = 1 if players is None else players, 1
    if played:
        table = played.players if players is None else players
        told = f"{played.told(table)} {told}".rstrip()
        decks = helpers if decks is None and played.own else decks
    found = []
    for size, number in sorted(Counter(sizes).items(), reverse=True):
        aim = parse_goal(goal, whole("cards", size, 2, MOST_CARDS)) if isinstance(goal, str) else goal
        aim = aim or (played.goal(size, table) if played and len(sizes) == 1 else WHOLE_DECK)
        kind = cards_are or (played.cards_are if played else "cards")
        if played and played.cards_are == "tarot" != kind:
            raise FairdeckError(
                f"{played.title} counts reversals, and no advice for {kind} has them: leave out {kind!r}"
            )
        many = number * (1 if decks is None else decks)
        request = Request(size, helpers, mat, kind, room, distance, minutes, aim, machine, many, riffler, riffles, told)
        ranked = recommended(request, pace)
        near = any(way.gives_a_deck and way.near(request) for way in ranked)
        found.append(Recommendations(request, pace, ranked, None if near else _with_room(request, pace)))
    mark = found[0].best.mark  # decks of several sizes are shuffled in one way, if it is good enough for all
    for at, each in enumerate(found[1:], 1):
        ranked = tuple(sorted(each.ranked, key=lambda way: not (way.enough and way.mark == mark)))
        found[at] = replace(each, ranked=ranked)
    return replace(found[0], others=tuple(found[1:]))


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
        if way.rank in RIFFLING and not request.riffles:
            continue
        for each in way.answers(request, pace):
            told = way.turned(each, request, pace) if request.cards_are == "tarot" else each
            told = told if way.deals_hands else _with_hands_dealt(told, request)
            told = told.with_step(after=KEEP) if request.seen else told
            told = _all_decks(told, request)
            found.append(_judged(told, request, gives_a_deck=way.gives_a_deck))
    if not found:
        people = "one person" if request.players == 1 else f"{request.players} people"
        raise FairdeckError(
            f"{request.cards} {request.things}, {people} and no room for piles: nothing can be done; make room"
        )
    return tuple(sorted(found, key=lambda way: _rank(way, request)))


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
    near = way.near(request)
    soon = request.minutes is None or way.minutes <= request.minutes
    minutes = round(way.minutes, 1)
    return replace(way, minutes=minutes, enough=near and soon and gives_a_deck, in_time=soon, gives_a_deck=gives_a_deck)


def _rank(way: Recommendation, request: Request) -> tuple[bool, bool, bool, float, float]:
    if way.enough:
        return False, False, False, way.minutes, 0.0
    # Of the ways that are not good enough, the nearest to uniform is first; an unknown distance is before a large one.
    # Hands are not on that scale: somebody who wants a deck has none. What takes too long is no answer, nor is what
    # shuffles nothing.
    far = max(UNKNOWN, way.at_least) if way.total_variation is None else way.total_variation
    far = 0.0 if way.near(request) else far  # and takes too long: the quickest of these comes first
    return True, not way.gives_a_deck, not way.in_time or far > HOPELESS, far, way.minutes
