"""The ways to shuffle a deck, ranked: each with its minutes, its quality, and what it needs.

A way is listed only if hands can do it: people riffle cards or shuffle them overhand, mash sleeved cards or shuffle
them overhand, and deal or wash tiles. Without room for piles, the cards stay in the hands.

Four sorts of quality are distinguished: *exactly uniform* (a deck dealt as fairdeck says), an *exact law* of
hands that riffle as the model says, an *estimate*, where only simulation and rules of thumb exist, and
*nobody knows*: mashing has no law, so mashed cards are never called near enough.
Minutes are computed from a `Pace`. `advise` is what `fairdeck.advise` and the command `fairdeck advise` call.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from math import ceil, erf, sqrt

from fairdeck.dealing.goal import WHOLE_DECK, Goal, Hands, parse_goal
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.mat import LARGEST_SIDE, Mat
from fairdeck.dealing.outlook import outlook
from fairdeck.dealing.pace import ASSUMED, Pace
from fairdeck.dealing.planner import Task
from fairdeck.errors import FairdeckError
from fairdeck.packets import schemes
from fairdeck.packets.dispersion import dispersion, distance, fault
from fairdeck.packets.notation import MOST_ROUNDS, Flow
from fairdeck.packets.positions import seen_in_places
from fairdeck.shuffles.distances import least_distance
from fairdeck.shuffles.limits import whole
from fairdeck.shuffles.measured import SWITCH, mashes, overhands
from fairdeck.shuffles.riffle import gsr_riffles
from fairdeck.shuffles.riffled_piles import riffled_piles

MOST_CARDS = 1_000
MOST_PLAYERS = 8
HANDFULS = {
    "cards": 80,
    "sleeved": 100,
    "tiles": 0,
}  # that two hands riffle or mash at once; a larger deck must be cut into packets
USUAL_HANDFUL = 52  # cards to which a pace refers
MOST_RIFFLES = 30
FEWEST_STEPS = {1: 4, 2: 4}  # of a packet procedure, by riffles of each packet; three with more: see `packets`
MORE_STEPS = 3  # of a packet procedure to try where fewer leave the worst card too far from random
MOST_FOLLOWED = 60_000_000  # multiplications to follow each card: a second or so
UNKNOWN = 0.5  # the rank of an unknown distance among the ways that are not good enough
PILES = 7  # when people deal onto piles in turn
USUAL_MAT = Mat(5, 2)
NO_MAT = "a phone or a printed plan; no mat: the players' places are enough"


@dataclass(frozen=True, slots=True)
class Request:
    """What a person has and wants.

    Attributes:
        cards: in the deck, 2 to 1,000.
        players: people who can help, 1 to 8.
        mat: the spaces to deal onto; None if there is no mat, only the bare table.
        cards_are: "cards", which people riffle; "sleeved" cards, which they mash; or "tiles" (neither).
        room: whether there is room for piles, with a mat or without.
        distance: how far from uniform the deck may be: total variation, above 0 and below 1.
        minutes: how long it may take; None for as long as it takes.
        goal: the goal of a deal; all other ways shuffle the whole deck.
    """

    cards: int
    players: int = 1
    mat: Mat | None = USUAL_MAT
    cards_are: str = "cards"
    room: bool = True
    distance: float = 0.05
    minutes: float | None = None
    goal: Goal = WHOLE_DECK

    def __post_init__(self) -> None:
        whole("cards", self.cards, 2, MOST_CARDS)
        whole("players", self.players, 1, MOST_PLAYERS)
        if self.cards_are not in HANDFULS:
            raise FairdeckError(f"the cards are {self.cards_are!r}; write {', '.join(HANDFULS)}")
        if not 0 < self.distance < 1:
            raise FairdeckError(
                f"distance: {self.distance:g} is out of range; write a number above 0 and below 1, such as 0.05"
            )
        if self.minutes is not None and not 0 < self.minutes <= 100_000:
            raise FairdeckError(f"minutes: {self.minutes:g} is out of range; write more than 0")
        self.goal.check(self.cards)

    @property
    def sleeved(self) -> bool:
        """Whether the cards are in sleeves."""
        return self.cards_are == "sleeved"

    @property
    def handful(self) -> int:
        """How many cards two hands riffle or mash at once."""
        return HANDFULS[self.cards_are]

    @property
    def things(self) -> str:
        """What the things are called."""
        return {"sleeved": "sleeved cards"}.get(self.cards_are, self.cards_are)


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A way to shuffle.

    Attributes:
        way: what to do.
        minutes: about how long it takes.
        total_variation: how far from uniform the deck is then; None if nobody knows.
        exact: whether that is exact (by a law, for riffles as the model has them), or an estimate.
        needs: what it takes.
        remark: what to know beforehand; may be empty.
        enough: whether it meets the distance and the minutes of the request.
        mark: the way in one to three words, for a picture.
        at_least: a lower bound on the distance, if nobody knows it; 0 if no bound is known either.
    """

    way: str
    minutes: float
    total_variation: float | None
    exact: bool
    needs: str
    remark: str
    enough: bool
    mark: str
    at_least: float = 0.0


@dataclass(frozen=True, repr=False)
class Recommendations:
    """Every way to shuffle a deck, best first: what meets the request, the quickest first; then the nearest to it.

    Attributes:
        request: what was asked for.
        pace: the pace from which the minutes are computed.
        ranked: the ways, one or more.
    """

    request: Request
    pace: Pace
    ranked: tuple[Recommendation, ...]

    @property
    def best(self) -> Recommendation:
        """The first."""
        return self.ranked[0]

    def __repr__(self) -> str:
        deck = f"{self.request.cards} {self.request.things}"
        return f"Recommendations({deck}, best of {len(self.ranked)}: {self.best.way!r})"

    def __str__(self) -> str:
        """Return the sentence that `fairdeck advise` begins with."""
        from fairdeck.output.recommendation import headline

        return headline(self)

    def html(self) -> str:
        """Return one HTML page with a picture and a table, which needs nothing else."""
        from fairdeck.output.recommendation import page

        return page(self)

    def _repr_html_(self) -> str:
        from fairdeck.output.html import framed

        return framed(self.html())

    def to_json(self) -> str:
        """Return what `fairdeck advise --json` prints."""
        request = {name: getattr(self.request, name) for name in ("cards", "cards_are", "room", "players")}
        request |= {"goal": str(self.request.goal), "pace": asdict(self.pace)}
        return json.dumps(request | {"ways": list(map(asdict, self.ranked))})


def advise(
    cards: int,
    *,
    players: int = 1,
    mat: Mat | str | None = USUAL_MAT,
    cards_are: str = "cards",
    room: bool = True,
    goal: Goal | str = WHOLE_DECK,
    distance: float = 0.05,
    minutes: float | None = None,
    pace: Pace = ASSUMED,
) -> Recommendations:
    """Return every way to shuffle a deck, best first.

    Args:
        cards: in the deck, 2 to 1,000.
        players: people who can help, 1 to 8.
        mat: such as "5x2"; "none" or None without a mat.
        cards_are: "cards", "sleeved" or "tiles".
        room: whether there is room to lay piles down.
        goal: the goal of a deal, such as "hands:4x13"; all other ways shuffle the whole deck.
        distance: how far from uniform the deck may be: total variation, above 0 and below 1.
        minutes: how long it may take; None for as long as it takes.
        pace: how fast the hands are.

    Raises:
        FairdeckError: a value is out of range, or nothing can be done.

    >>> advise(52)
    Recommendations(52 cards, best of 8: 'riffle it 10 times')
    """
    if isinstance(mat, str):
        mat = None if mat == "none" else Mat.parse(mat)
    if isinstance(goal, str):
        goal = parse_goal(goal, whole("cards", cards, 2, MOST_CARDS))
    request = Request(cards, players, mat, cards_are, room, distance, minutes, goal)
    return Recommendations(request, pace, recommended(request, pace))


def recommended(request: Request, pace: Pace = ASSUMED) -> tuple[Recommendation, ...]:
    """Return the ways to shuffle, best first."""
    found = [
        *_dealt(request, pace),
        *_riffled(request, pace),
        *_in_packets(request, pace),
        *_split(request, pace),
        *_others(request, pace),
    ]
    if not found:
        raise FairdeckError(
            f"{request.cards} {request.things}, one person and no room for piles: nothing can be done; make room"
        )
    return tuple(sorted(found, key=_rank))


def _rank(way: Recommendation) -> tuple[bool, float, float]:
    if way.enough:
        return False, way.minutes, 0.0
    # Of the ways that are not good enough, the nearest to uniform is first; an unknown distance is before a large one.
    return True, max(UNKNOWN, way.at_least) if way.total_variation is None else way.total_variation, way.minutes


def _recommendation(
    request: Request,
    mark: str,
    way: str,
    minutes: float,
    variation: float | None,
    exact: bool,
    needs: str,
    remark: str,
    at_least: float = 0.0,
) -> Recommendation:
    near = variation is not None and variation <= request.distance
    soon = request.minutes is None or minutes <= request.minutes
    return Recommendation(way, round(minutes, 1), variation, exact, needs, remark, near and soon, mark, at_least)


# --- dealt as fairdeck says


def _dealt(request: Request, pace: Pace) -> Iterator[Recommendation]:
    if isinstance(request.goal, Hands) and not request.goal.stock and (request.mat is None or not request.room):
        yield _as_told(request, pace, Task(request.cards, _places(len(request.goal.piles)), request.goal), NO_MAT)
    elif request.room:
        mat = request.mat or USUAL_MAT
        place, bare = (f"a mat of {mat}", "") if request.mat else (f"room for {mat} piles", ", with no mat")
        for dealers in range(1, min(request.players, request.cards, 4) + 1):
            needs = f"{place}{'' if dealers == 1 else ' for each'}{bare}, and a phone or a printed plan"
            yield _as_told(request, pace, Task(request.cards, mat, request.goal, dealers=dealers), needs)
    if request.goal == WHOLE_DECK and 2 <= request.players <= request.cards:
        yield _hands_only(request, pace)


def _as_told(request: Request, pace: Pace, task: Task, needs: str) -> Recommendation:
    advice = outlook(task, pace)
    dealers = task.dealers
    who = "one dealer" if dealers == 1 else f"{dealers} dealers at once"
    what = "it" if task.goal == WHOLE_DECK else str(task.goal)
    return _recommendation(
        request,
        "deal" if dealers == 1 else f"deal, {dealers} at once",
        f"deal {what} as fairdeck says, {counted(advice.passes, 'pass')}, {who}",
        advice.minutes,
        0.0,
        True,
        needs,
        _command(task),
    )


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _command(task: Task) -> str:
    goal = "" if task.goal == WHOLE_DECK else f" --goal {task.goal}"
    dealers = "" if task.dealers == 1 else f" --dealers {task.dealers}"
    return f"fairdeck deal {task.cards} --mat {task.mat}{goal}{dealers}"


def _places(number: int) -> Mat:
    """Return a mat with this number of spaces or a few more: players' places, or piles, need no real mat."""
    rows = ceil(number / LARGEST_SIDE)
    return Mat(ceil(number / rows), rows)


def _parted(cards: int, piles: int, rest: int = 0) -> Task:
    """Return the deal of all cards but a rest onto piles at random, as even as possible."""
    each, more = divmod(cards - rest, piles)
    goal = Hands((each + 1,) * more + (each,) * (piles - more), rest=rest)
    return Task(cards, _places(len(goal.piles)), goal)


def _hands_only(request: Request, pace: Pace) -> Recommendation:
    task = _parted(request.cards, request.players, request.cards % request.players)
    return _recommendation(
        request,
        "hands only",
        f"deal hands only, as fairdeck says: {request.players} of {request.cards // request.players} cards in one pass",
        outlook(task, pace).minutes,
        0.0,
        True,
        NO_MAT,
        f"{_command(task)}; the hands are exactly uniform, but there is no shuffled deck afterwards",
    )


# --- riffled


@lru_cache(maxsize=1024)
def _distance(cards: int, times: int) -> float:
    return float(gsr_riffles(cards, times).total_variation or 0)


def _enough_riffles(cards: int, target: float) -> int | None:
    return next((times for times in range(1, MOST_RIFFLES + 1) if _distance(cards, times) <= target), None)


def _seconds_a_riffle(cards: int, pace: Pace) -> float:
    return pace.riffle * max(0.5, cards / USUAL_HANDFUL)


def _riffled(request: Request, pace: Pace) -> Iterator[Recommendation]:
    if request.cards > request.handful:
        return
    if request.sleeved:
        times, at_least = mashes(request.cards, request.distance)
        shown = (
            f'no law is known, and clumps stay together long: see fairdeck mix "mash*{times}" --cards {request.cards}'
        )
        minutes = times * _seconds_a_riffle(request.cards, pace) / 60
        yield _recommendation(
            request, "mash", f"mash it {_times(times)}", minutes, None, False, "practised hands", shown, at_least
        )
        return
    enough = _enough_riffles(request.cards, request.distance)
    if enough is None:
        return
    minutes = enough * _seconds_a_riffle(request.cards, pace) / 60
    clumps = f'fairdeck mix "riffle(switch=0.4)*{enough}" --cards {request.cards}'
    yield _recommendation(
        request,
        "riffle",
        f"riffle it {_times(enough)}",
        minutes,
        _distance(request.cards, enough),
        True,
        "practised hands",
        f"cards that fall in clumps make it far worse: see {clumps}",
    )


# --- in packets


def _in_packets(request: Request, pace: Pace) -> Iterator[Recommendation]:
    if not request.room:
        return
    shown = set()  # of flows with equal packets and hands that spread alike, only the one made for those hands
    for flow in sorted(schemes().values(), key=lambda flow: -flow.players[0]):
        fewest, most = flow.players
        packet = ceil(request.cards / len(flow.packets))
        if (
            len(flow.steps) > 1
            or not fewest <= request.players
            or packet > request.handful
            or packet < 8
            or fault(flow)
        ):
            continue
        at_once = not distance(dispersion(flow, 1))
        if fewest == 1 and not at_once:  # spreads slowly: never among the best
            continue
        hands = min(request.players, most, len(flow.packets))
        if (len(flow.packets), hands, at_once) in shown:
            continue
        shown.add((len(flow.packets), hands, at_once))
        best = _fewest_minutes(request, flow, packet, hands, pace)
        if best is None:
            continue
        work = f"--cards {request.cards} --players {hands} --steps {best.steps} --riffles {best.riffles}"
        remark = f"fairdeck packets {flow.name} {work}"
        if request.sleeved:
            remark += f" --simulate 20000 --switch {SWITCH:g}: no law is known for mashed packets"
        elif best.variation is None:
            remark += ": its quality would take too long to compute"
        yield _recommendation(
            request,
            f"{len(flow.packets)} packets",
            f"in {len(flow.packets)} packets ({flow.name}): {best.steps} steps, each packet "
            f"{'mashed' if request.sleeved else 'riffled'} {_times(best.riffles)} a step",
            best.minutes,
            best.variation,
            False,
            f"{hands} {'pair' if hands == 1 else 'pairs'} of practised hands",
            remark,
        )


@dataclass(frozen=True, slots=True)
class _Procedure:
    """Steps of a packet flow, each with some riffles of each packet; up to `most` steps are tried."""

    minutes: float
    steps: int
    riffles: int
    most: int
    variation: float | None = None

    def near(self, target: float) -> bool:
        """Tell whether it is known to be near enough to random."""
        return self.variation is not None and self.variation <= target


def _fewest_minutes(request: Request, flow: Flow, packet: int, hands: int, pace: Pace) -> _Procedure | None:
    """Return the quickest procedure that is near enough, else the nearest.

    Each card is riffled as often as for the whole deck, see `packets`; more often if the places of the cards, or
    the number of cards from each packet, are then still too far from random.
    """
    needed = (
        mashes(request.cards, request.distance)[0]
        if request.sleeved
        else _enough_riffles(request.cards, request.distance)
    )
    if needed is None:
        return None
    even = next(
        (k for k in range(1, MOST_ROUNDS) if _uneven(flow, request.cards, k) <= request.distance / 2), MOST_ROUNDS
    )
    rounds = ceil(len(flow.packets) / hands)
    tried = []
    for times in range(1, 6):
        least = max(ceil(needed / times), FEWEST_STEPS.get(times, 3), even)
        for steps in range(least, min(least + MORE_STEPS, MOST_ROUNDS) + 1):
            seconds = steps * (rounds * times * _seconds_a_riffle(packet, pace) + pace.step)
            tried.append(_Procedure(seconds / 60, steps, times, least + MORE_STEPS))
    tried.sort(key=lambda each: each.minutes)
    if request.sleeved:
        return next(iter(tried), None)
    judged = []
    for each in tried:
        judged.append(_judged(request, flow, each))
        if judged[-1].near(request.distance):
            return judged[-1]
    return min(judged, key=lambda each: (1.0 if each.variation is None else each.variation, each.minutes), default=None)


def _judged(request: Request, flow: Flow, tried: _Procedure) -> _Procedure:
    """Return the same with its estimated distance from random: that of the order, and that of the places.

    The distance stays unknown where following the cards takes too long.
    """
    law, uneven = _distance(request.cards, tried.steps * tried.riffles), _uneven(flow, request.cards, tried.steps)
    # All numbers of steps at once if possible: others will be tried.
    floors = _floors(flow, request.cards, min(tried.most, MOST_ROUNDS), tried.riffles)
    floors = floors or _floors(flow, request.cards, tried.steps, tried.riffles)
    return replace(tried, variation=min(1.0, law + max(uneven, floors[tried.steps - 1]))) if floors else tried


@lru_cache(maxsize=256)
def _floors(flow: Flow, cards: int, steps: int, riffles: int) -> list[float]:
    """Return about how far the places of the cards are from random after each step; empty if that takes too long."""
    try:
        return seen_in_places(flow, cards, steps, riffles, MOST_FOLLOWED)
    except FairdeckError:
        return []


def _uneven(flow: Flow, cards: int, steps: int) -> float:
    """Return about how far from random the number of cards is that come from one packet into another, at the worst.

    A share that is still uneven moves the mean of that number; its law is taken as normal, with the
    variance of the hypergeometric law.
    """
    size, others = cards / len(flow.packets), 1 - 1 / len(flow.packets)
    moved = size * float(distance(dispersion(flow, steps)))
    spread = sqrt(size * (1 - others) * others * (cards - size) / (cards - 1))
    return erf(moved / (2 * sqrt(2) * spread))


# --- dealt apart at random, then riffled


def _split(request: Request, pace: Pace) -> Iterator[Recommendation]:
    if not request.room:
        return
    found = []
    for piles in range(2, min(4, request.cards // 8) + 1):
        packet = ceil(request.cards / piles)
        if packet > request.handful or request.cards > 250:
            continue
        times, variation, at_least = _after_split(request, piles)
        if times is None:
            continue
        deal = request.cards * pace.of_a_card(piles) + piles * pace.pile + pace.step
        rounds = ceil(piles / min(request.players, piles))
        minutes = (deal + rounds * times * _seconds_a_riffle(packet, pace)) / 60
        found.append((minutes, piles, times, variation, at_least))
    if found:
        minutes, piles, times, variation, at_least = min(found, key=lambda each: each[:2])
        verb = "mash" if request.sleeved else "riffle"
        yield _recommendation(
            request,
            f"deal, then {verb}",
            f"deal it onto {piles} random piles as fairdeck says, {verb} each {_times(times)}, stack",
            minutes,
            variation,
            not request.sleeved,
            "a phone or a printed plan, and practised hands",
            f"{_command(_parted(request.cards, piles))}; the dealing saves only one or two rounds",
            at_least,
        )


def _after_split(request: Request, piles: int) -> tuple[int | None, float | None, float]:
    """Return how often to riffle each pile, the distance from random after that, and a lower bound on it."""
    if request.sleeved:  # the deck is never nearer than one of its piles
        times, at_least = mashes(request.cards // piles, request.distance)
        return times, None, at_least
    for times in range(1, MOST_RIFFLES):
        if (variation := _split_distance(request.cards, piles, times)) <= request.distance:
            return times, variation, 0.0
    return None, None, 0.0


@lru_cache(maxsize=1024)
def _split_distance(cards: int, piles: int, times: int) -> float:
    return float(riffled_piles(cards, piles, times).total_variation or 0)


# --- what else people do


def _others(request: Request, pace: Pace) -> Iterator[Recommendation]:
    n = request.cards
    if n <= request.handful:
        times, at_least = overhands(n, request.distance)
        yield _recommendation(
            request,
            "overhand",
            f"overhand, {times:,} times",
            times * pace.overhand * max(1.0, n / USUAL_HANDFUL) / 60,
            None,
            False,
            "patience",
            "whole packets stay together. The number needed grows as n^2 log n, times an unknown factor "
            f'(Pemantle 1989, Jonasson 2006): see fairdeck mix "overhand*{times}" --cards {n}',
            at_least,
        )
    if not request.room:
        return
    yield _recommendation(
        request,
        "wash",
        "wash it on the table, then square",
        1.0 + n * 0.01,
        None,
        False,
        "a table" if request.cards_are == "tiles" else "a table, and cards that may slide",
        "no law is known; a minute is the usual advice for 52 cards",
    )
    piles = min(PILES, request.mat.spaces if request.mat else PILES)
    yield _recommendation(
        request,
        "piles in turn",
        "deal it onto piles in turn",
        (n * pace.of_a_card(piles) + piles * pace.pile) / 60,
        float(least_distance(n, 1)),
        True,
        f"room for {piles} piles",
        "no shuffle at all: the old order determines the new one",
    )
