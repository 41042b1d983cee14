"""The ways to shuffle a deck, ranked: each with its minutes, its quality, and what it needs.

A way is listed only if hands can do it: people riffle cards or shuffle them overhand, mash sleeved cards or shuffle
them overhand, and deal or wash tiles. Without room for piles, the cards stay in the hands. A table is a mat: without
one, piles lie in rows on the bare table. Tarot cards that may lie reversed are turned first: half of the deck is turned
round and riffled into the other half, which turns each card with chance 1/2; what comes afterwards turns none.

Four sorts of quality are distinguished: *exactly uniform* (a deck dealt as fairdeck says), an *exact law* of
hands that riffle as the model says, an *estimate*, where only simulation and rules of thumb exist, and
*nobody knows*: mashing has no law, so mashed cards are never called near enough.
Minutes are computed from a `Pace`. `advise` is what `fairdeck.advise` and the command `fairdeck advise` call.
"""

import json
import sys
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from math import ceil, erf, sqrt
from typing import Any, cast

from fairdeck.dealing.goal import WHOLE_DECK, Goal, Hands, WholeDeck, parse_goal
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.mat import LARGEST_SIDE, Mat
from fairdeck.dealing.outlook import outlook
from fairdeck.dealing.pace import ASSUMED, Pace
from fairdeck.dealing.planner import Task
from fairdeck.errors import FairdeckError
from fairdeck.packets import schemes
from fairdeck.packets.cutting import part
from fairdeck.packets.dispersion import dispersion, distance, fault
from fairdeck.packets.instructions import Procedure
from fairdeck.packets.notation import MOST_ROUNDS, Flow
from fairdeck.packets.positions import seen_step_by_step, work_of_a_step
from fairdeck.parsing import nearest_or_all
from fairdeck.shuffles.distances import least_distance
from fairdeck.shuffles.limits import whole
from fairdeck.shuffles.measured import SWITCH, mashes, overhands
from fairdeck.shuffles.mine import Hands as Riffler
from fairdeck.shuffles.riffle import gsr_riffles
from fairdeck.shuffles.riffled_piles import riffled_piles
from fairdeck.shuffles.shelf import MOST_PASSES, shelf_shuffles

MOST_CARDS = 1_000
MOST_PLAYERS = 100
MOST_DEALERS = 4
MOST_DECKS = 1_000
MOST_SHELVES = 1_000
MOST_SHEETS = 200  # plans that `fairdeck deal --booklet` prints at once
HANDFULS = {
    "cards": 80,
    "sleeved": 100,
    "tiles": 0,
    "tarot": 80,
}  # that two hands riffle or mash at once; a larger deck must be cut into packets
USUAL_HANDFUL = 52  # cards to which a pace refers
MOST_RIFFLES = 30
FEWEST_STEPS = {1: 4, 2: 4}  # of a packet procedure, by riffles of each packet; three with more: see `packets`
MORE_STEPS = 3  # of a packet procedure to try where fewer leave the worst card too far from random
MOST_FOLLOWED = 45_000_000  # multiplications to follow the cards of one packet flow: less than a second
UNKNOWN = 0.5  # the rank of an unknown distance among the ways that are not good enough
PILES = 7  # when people deal onto piles in turn
USUAL_MAT = Mat(5, 2)
TABLES = (Mat(3, 2), Mat(4, 2), USUAL_MAT, Mat(4, 3), Mat(5, 3), Mat(4, 4))  # rows of piles on a bare table
RARELY = 0.1  # the chance of one more pass that a bare table may leave
MACHINE = 0.5  # seconds a card takes in a shelf machine: assumed, nobody measured it
TURNED_BY_ITSELF = ("wash", "piles in turn")  # ways before which no half is turned round
NO_MAT = "a phone or a printed plan; no mat: the players' places are enough"
NEW_ORDER = "It draws a new order each time: never use a plan twice."


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
    distance: float = 0.05
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
            raise FairdeckError(f"the cards are {self.cards_are!r}{nearest_or_all(self.cards_are, HANDFULS)}")
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
    def clumsy(self) -> bool:
        """Whether the riffle that was measured is clumsier than the model's, whose laws then do not hold."""
        mine = self.riffler
        return mine is not None and not self.sleeved and mine.needed > (_enough_riffles(mine.cards, 0.5) or 0)

    @property
    def handful(self) -> int:
        """How many cards two hands riffle or mash at once."""
        return HANDFULS[self.cards_are]

    @property
    def things(self) -> str:
        """What the things are called."""
        return {"sleeved": "sleeved cards", "tarot": "tarot cards"}.get(self.cards_are, self.cards_are)


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
        people: how many people it keeps busy.
        do: what to do, one sentence or several a step.
        sheets: for each player who does something else than the others: who, where he or she sits, and what to do.
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
    people: int = 1
    do: tuple[str, ...] = field(default=(), repr=False)
    sheets: tuple[tuple[str, tuple[str, ...]], ...] = field(default=(), repr=False)


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
        request = {
            name: getattr(self.request, name) for name in ("cards", "cards_are", "room", "players", "machine", "decks")
        }
        mine = self.request.riffler
        request |= {"goal": str(self.request.goal), "riffle": mine.recipe if mine else None, "pace": asdict(self.pace)}
        return json.dumps({"format": "fairdeck-advice/1", **request} | {"ways": list(map(asdict, self.ranked))})


def advise(
    cards: int,
    *,
    players: int = 1,
    mat: Mat | str | None = None,
    cards_are: str = "cards",
    room: bool = True,
    goal: Goal | str = WHOLE_DECK,
    distance: float = 0.05,
    minutes: float | None = None,
    pace: Pace = ASSUMED,
    machine: int = 0,
    decks: int = 1,
    riffler: Riffler | None = None,
) -> Recommendations:
    """Return every way to shuffle a deck, best first.

    Args:
        cards: in the deck, 2 to 1,000.
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
    if isinstance(mat, str):
        mat = None if mat == "none" else Mat.parse(mat)
    if isinstance(goal, str):
        goal = parse_goal(goal, whole("cards", cards, 2, MOST_CARDS))
    request = Request(cards, players, mat, cards_are, room, distance, minutes, goal, machine, decks, riffler)
    return Recommendations(request, pace, recommended(request, pace))


def recommended(request: Request, pace: Pace = ASSUMED) -> tuple[Recommendation, ...]:
    """Return the ways to shuffle, best first."""
    found = [
        *_dealt(request, pace),
        *_riffled(request, pace),
        *_in_packets(request, pace),
        *_split(request, pace),
        *_by_machine(request, pace),
        *_others(request, pace),
    ]
    if not found:
        raise FairdeckError(
            f"{request.cards} {request.things}, one person and no room for piles: nothing can be done; make room"
        )
    return tuple(sorted((_whole_job(way, request, pace) for way in found), key=_rank))


def _whole_job(way: Recommendation, request: Request, pace: Pace) -> Recommendation:
    """Return a way with all that is asked for: cards turned before, all decks shuffled, and the answer judged."""
    if request.clumsy and "riffle" in f"{way.mark} {way.way}":
        way = _by_clumsy_hands(way, request)
    minutes, do = way.minutes, way.do
    if request.cards_are == "tarot" and way.mark not in TURNED_BY_ITSELF:
        minutes += _seconds_a_riffle(request.cards, pace) / 60
        do = (
            "First the reversals: cut the deck about in the middle, turn one half round, end for end, and riffle the "
            "halves together once. (If nobody riffles: deal the deck onto two piles, a coin for each card says onto "
            "which; turn one pile round and put it on the other.) From now on turn no card.",
            *do,
        )
    if isinstance(request.goal, Hands) and do and not any(f"--goal {request.goal}" in step for step in do):
        do = (*do, "Then deal the hands, one card to each player in turn: not a whole hand at a time.")
    if request.decks > 1:
        groups = max(1, request.players // way.people)
        minutes *= ceil(request.decks / groups)
        who = "person" if way.people == 1 else f"group of {way.people}"
        each = (
            "one after another" if groups == 1 else f"shared among {groups} {'people' if way.people == 1 else 'groups'}"
        )
        do = (
            *do,
            f"That is one deck. Do the same with all {request.decks}, {each}"
            f"{f': {ceil(request.decks / groups)} for each {who} at most' if groups > 1 else ''}.",
        )
    near = way.total_variation is not None and way.total_variation <= request.distance
    soon = request.minutes is None or minutes <= request.minutes
    # Hands are no answer to somebody who wants a deck.
    wanted = way.mark != "hands only"
    exact = way.exact and (request.cards_are != "tarot" or not way.total_variation)  # with reversals a law is a bound
    return replace(way, exact=exact, minutes=round(minutes, 1), enough=near and soon and wanted, do=do)


def _rank(way: Recommendation) -> tuple[bool, float, float]:
    if way.enough:
        return False, way.minutes, 0.0
    # Of the ways that are not good enough, the nearest to uniform is first; an unknown distance is before a large one.
    return True, max(UNKNOWN, way.at_least) if way.total_variation is None else way.total_variation, way.minutes


def _by_clumsy_hands(way: Recommendation, request: Request) -> Recommendation:
    """Return a way without the law of the model.

    More riffles, in proportion to what was measured, are no remedy: simulated decks show more than that promises.
    """
    mine = cast(Riffler, request.riffler)
    remark = "your own riffle is clumsier than the model's, and no law is known for it"
    if way.mark == "riffle":
        times = _enough_riffles(request.cards, request.distance)
        remark += f': see fairdeck mix "{mine.recipe}*{times}" --cards {request.cards}'
    else:
        remark = f"{way.remark}; {remark}"
    return replace(way, total_variation=None, exact=False, remark=remark)


def _recommendation(
    mark: str,
    way: str,
    minutes: float,
    variation: float | None,
    exact: bool,
    needs: str,
    remark: str,
    at_least: float = 0.0,
    **doing: Any,
) -> Recommendation:
    return Recommendation(way, minutes, variation, exact, needs, remark, False, mark, at_least, **doing)


# --- dealt as fairdeck says


def _dealt(request: Request, pace: Pace) -> Iterator[Recommendation]:
    if isinstance(request.goal, Hands) and not request.goal.stock and (request.mat is None or not request.room):
        yield _as_told(request, Task(request.cards, _places(len(request.goal.piles)), request.goal), pace, NO_MAT)
    elif request.room:
        for dealers in range(1, min(request.players, request.cards, MOST_DEALERS) + 1):
            task = _task(request, dealers, pace)
            mat, each = task.mat, "" if dealers == 1 else " for each"
            place = f"a mat of {mat}{each}" if request.mat else f"room for {mat} piles{each} on the bare table"
            yield _as_told(request, task, pace, f"{place}, and a phone or a printed plan")
    if request.goal == WHOLE_DECK and 2 <= request.players <= request.cards:
        yield _hands_only(request, pace)


def on_bare_table(cards: int, goal: Goal = WHOLE_DECK, *, dealers: int = 1, pace: Pace = ASSUMED) -> Task:
    """Return the deal on a bare table, onto the rows of piles that are quickest.

    >>> str(on_bare_table(60).mat)
    '3x2'
    """
    tables = [mat for mat in TABLES if mat.spaces > len(goal.piles)] or [_places(len(goal.piles) + 1)]
    tasks = [Task(cards, mat, goal, dealers=dealers) for mat in tables]
    return min(tasks, key=lambda task: _sure_minutes(task, pace))


def _task(request: Request, dealers: int, pace: Pace) -> Task:
    """Return the deal on the mat, or on the bare table."""
    if request.mat:
        return Task(request.cards, request.mat, request.goal, dealers=dealers)
    return on_bare_table(request.cards, request.goal, dealers=dealers, pace=pace)


@lru_cache(maxsize=1024)
def _sure_minutes(task: Task, pace: Pace) -> float:
    found = outlook(task, pace)
    return found.minutes * (1 + (found.chance_of_one_more_pass > RARELY))


def _as_told(request: Request, task: Task, pace: Pace, needs: str) -> Recommendation:
    advice = outlook(task, pace)
    dealers = task.dealers
    who = "one dealer" if dealers == 1 else f"{dealers} dealers at once"
    what = _dealt_what(task.goal)
    do = _told(request, task, advice.passes)
    sheets: tuple[tuple[str, tuple[str, ...]], ...] = ()
    if dealers > 1:
        sheets = tuple(
            (f"Dealer {number}", (_seat_of_dealer(number, dealers), *do)) for number in range(1, dealers + 1)
        )
    return _recommendation(
        "deal" if dealers == 1 else f"deal, {dealers} at once",
        f"deal {what} as fairdeck says, {counted(advice.passes, 'pass')}, {who}",
        advice.minutes,
        0.0,
        True,
        needs,
        _command(task),
        people=dealers,
        do=do,
        sheets=sheets,
    )


def _dealt_what(goal: Goal) -> str:
    """Return in words what a deal gives."""
    if isinstance(goal, Hands):
        alike = [(size, len(list(same))) for size, same in groupby(goal.sizes)]
        hands = [f"{counted(times, 'hand')} of {counted(size, 'card')}" for size, times in alike]
        return " and ".join([*hands, *["a stock"] * (goal.stock > 0)])
    return "it" if isinstance(goal, WholeDeck) else f"the top {counted(goal.ordered, 'card')}"


def _told(request: Request, task: Task, passes: int) -> tuple[str, ...]:
    """Return in sentences how to deal."""
    mat, hands = task.mat, isinstance(task.goal, Hands) and not task.gathered
    each = "" if task.dealers == 1 else ", for each dealer"
    thing = "tile" if request.cards_are == "tiles" else "card"
    if hands and (request.decks > 1 or len(task.goal.piles) == 1):
        place = f"Leave room for a pile for each hand: {rows_of(mat)}."
    elif hands:
        place = (
            f"Each player's place is a space: {mat.labels[0]} is the place at the dealer's left, {mat.labels[1]} the "
            f"next one clockwise, and so on; {mat.labels[len(task.goal.piles) - 1]} is the last."
        )
    elif request.mat is None:
        place = f"Leave room for {mat.spaces} piles on the table{each}: {rows_of(mat)}."
    else:
        place = f"Lay the mat down{each}: {rows_of(mat)}."
    if thing == "tile":
        place += (
            " Tiles need no towers: a pile may be a row, in which each new tile goes in front of the last. The tile in "
            "front is the top. Begin with all tiles in one row."
        )
    cut = (
        f"Cut the deck into {task.dealers} packets, as the plan says; dealer 1 takes the top packet."
        if task.dealers > 1
        else ""
    )
    deal = f"Face down, deal every {thing} from the top onto the space that the plan names."
    end = (
        f"The piles are the hands: {'put each into its pocket' if request.decks > 1 else 'all take up theirs'}."
        if hands
        else "Gather the piles in the order that the plan names"
        + (", dealer 1's pile of a space below those of the others." if task.dealers > 1 else ".")
        + ("" if passes == 1 else f" Then deal and gather again: {counted(passes, 'pass')} in all.")
    )
    return tuple(filter(None, (place, _plan(request, task), cut, f"{deal} {end}")))


def _plan(request: Request, task: Task) -> str:
    """Say how to get the plan: step by step, or on paper where several people or decks need one."""
    if request.decks > 1:
        booklet = f" --booklet {request.decks}" if request.decks <= MOST_SHEETS else ""
        paper = "a sheet for each deck" if booklet else "a sheet for one deck, and again for each"
        return f"Print {_command(task)} --pdf plans.pdf{booklet}: {paper}. Never use a sheet twice."
    if task.dealers > 1:
        return (
            f"Print {_command(task)} --pdf plan.pdf: a sheet for each dealer. Or write --html deal.html instead, and "
            f"open that page on each dealer's phone. {NEW_ORDER}"
        )
    return f"Start {_command(task)} --follow, or a printed plan. {NEW_ORDER}"


def rows_of(mat: Mat) -> str:
    """Return the rows of a mat in words, and where the labels are."""
    if mat.rows == 1:
        return f"one row of {mat.columns}, {mat.labels[0]} at the left"
    return f"{mat.rows} rows of {mat.columns}; A1 is far left, A{mat.columns} far right, row B nearer to the dealer"


def _seat_of_dealer(number: int, dealers: int) -> str:
    where = [
        f"dealer {other} at your {side}"
        for other, side in ((number - 1, "left"), (number + 1, "right"))
        if 1 <= other <= dealers
    ]
    return f"Dealers sit side by side: {' and '.join(where)}. Everybody has piles of his or her own."


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
        "hands only",
        f"deal hands only, as fairdeck says: {request.players} hands of "
        f"{counted(request.cards // request.players, 'card')} in one pass",
        outlook(task, pace).minutes,
        0.0,
        True,
        NO_MAT,
        f"{_command(task)}; the hands are exactly uniform, but there is no shuffled deck afterwards: if hands are all "
        f"that you need, ask for them by --goal {task.goal}",
        do=_told(request, task, 1),
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
        push = "Cut off about a third, push it into the rest from the side, and square the deck. That is one mash."
        shown = (
            f'no law is known, and clumps stay together long: see fairdeck mix "mash*{times}" --cards {request.cards}'
        )
        minutes = times * _seconds_a_riffle(request.cards, pace) / 60
        yield _recommendation(
            "mash",
            f"mash it {_times(times)}",
            minutes,
            None,
            False,
            "practised hands",
            shown,
            at_least,
            do=(push, f"Do it {_times(times)}."),
        )
        return
    enough = _enough_riffles(request.cards, request.distance)
    if enough is None:
        return
    minutes = enough * _seconds_a_riffle(request.cards, pace) / 60
    clumps = f'fairdeck mix "riffle(switch=0.4)*{enough}" --cards {request.cards}'
    yield _recommendation(
        "riffle",
        f"riffle it {_times(enough)}",
        minutes,
        _distance(request.cards, enough),
        True,
        "practised hands",
        f"cards that fall in clumps make it far worse: see {clumps}",
        do=(
            "Cut the deck about in the middle, and riffle the halves together so that cards fall one or two at a time, "
            "not in clumps. Square the deck. That is one riffle.",
            f"Do it {_times(enough)}. Count aloud: it is easy to stop too early.",
        ),
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
        try:
            procedure = Procedure(flow, request.cards, hands, best.steps, best.riffles)
        except FairdeckError:  # a part would be too thin to riffle
            continue
        if request.sleeved:
            remark += f" --simulate 20000 --switch {SWITCH:g}: no law is known for mashed packets"
        elif best.variation is None:
            remark += ": its quality would take too long to compute"
        yield _recommendation(
            f"{len(flow.packets)} packets",
            f"in {len(flow.packets)} packets ({flow.name}): {best.steps} steps, each packet "
            f"{'mashed' if request.sleeved else 'riffled'} {_times(best.riffles)} a step",
            best.minutes,
            best.variation,
            False,
            f"{hands} {'pair' if hands == 1 else 'pairs'} of practised hands",
            remark,
            people=hands,
            do=_in_words(procedure, request.sleeved),
            sheets=tuple((who, _in_words(procedure, request.sleeved, who)) for who in procedure.everyone() if who),
        )


def _in_words(procedure: Procedure, sleeved: bool, who: str | None = None) -> tuple[str, ...]:
    """Return what everybody does in a packet procedure, or one player: where they sit, what they do, the end."""
    found = [_seats(procedure, who), _cut_in_short(procedure) if who is None else procedure.opening()]
    says = procedure.flow.says
    if who is None and says and len(procedure.flow.steps) == 1:  # in short; the sheets have the numbers of cards
        title = procedure.step_title(range(1, procedure.steps + 1))
        short = [f"\n{name}: {sentence}" for name, sentence in says]
        found.append(f"{title}; to riffle is always to riffle {_times(procedure.riffles)}:{''.join(short)}")
    else:
        for title, sentences in procedure.grouped(who):
            found.append(f"{title}.{''.join(f'{chr(10)}{each.says}' for each in sentences)}")
    found.append(procedure.ending())
    swapped = (("Riffle", "Mash"), ("riffle", "mash"), ("mashs ", "mashes "), ("Mashs ", "Mashes ")) if sleeved else ()
    for old, new in swapped:
        found = [sentence.replace(old, new) for sentence in found]
    return tuple(filter(None, found))


def _cut_in_short(procedure: Procedure) -> str:
    """Say how to cut the pack into packets; who gets which is clear where everybody has one."""
    packets = part(procedure.flow, range(procedure.cards))
    if procedure.players != len(procedure.flow.hands):
        return procedure.opening()
    sizes = ", ".join(f"{name} {len(deck)}" for name, deck in packets.items())
    return f"Cut the pack into a packet for each, from the top (cards): {sizes}."


def _seats(procedure: Procedure, who: str | None) -> str:
    """Say who sits where: in the order of their names, clockwise, so that the next one is at the left."""
    people = procedure.everyone()
    count = len(people)
    if count == 1:
        names = ", ".join(procedure.flow.packets)
        return f"Lay the packets down in a row, from left to right: {names}."
    if count == 2:
        return "Sit opposite each other." if who is None else f"{people[1 - people.index(who)]} sits opposite."
    if who is None:
        return f"Sit around the table clockwise: {', '.join(procedure.flow.hands)}. The next one is always at the left."
    at = people.index(who)
    opposite = f", {people[(at + 2) % count]} opposite" if count == 4 else ""
    return f"{people[(at + 1) % count]} sits at your left, {people[at - 1]} at your right{opposite}."


@dataclass(frozen=True, slots=True)
class _Procedure:
    """Steps of a packet flow, each with some riffles of each packet."""

    minutes: float
    steps: int
    riffles: int
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
            minutes = packet_minutes(packet, rounds, steps, times, pace)
            tried.append(_Procedure(minutes, steps, times))
    tried.sort(key=lambda each: each.minutes)
    if request.sleeved:
        return next(iter(tried), None)
    judged = []
    floors: dict[int, _Floors] = {}
    for each in tried:
        judged.append(_judged(request, flow, each, floors))
        if judged[-1].near(request.distance):
            return judged[-1]
    return min(judged, key=lambda each: (1.0 if each.variation is None else each.variation, each.minutes), default=None)


def packet_minutes(packet: int, rounds: int, steps: int, riffles: int, pace: Pace) -> float:
    """Return how many minutes a packet procedure takes.

    Args:
        packet: cards in a packet.
        rounds: packets that each person riffles in a step, one after another.
        steps: of the procedure.
        riffles: of each packet in a step.
        pace: of the hands.
    """
    return steps * (rounds * riffles * _seconds_a_riffle(packet, pace) + pace.step) / 60


def _judged(request: Request, flow: Flow, tried: _Procedure, floors: dict[int, "_Floors"]) -> _Procedure:
    """Return the same with its estimated distance from random: that of the order, and that of the places.

    The distance stays unknown where following the cards takes too long. `floors` has what was followed already, by
    the riffles of each packet in a step.
    """
    packets = len(flow.packets)
    # Equal packets can stand for each other. A pack of a few cards more is mixed no better.
    followed = _floors(flow, ceil(request.cards / packets) * packets, tried.riffles)
    spent = sum(each.work(each.asked) for riffles, each in floors.items() if riffles != tried.riffles)
    if spent + followed.work(tried.steps) > MOST_FOLLOWED:
        return tried
    floors[tried.riffles] = followed
    law, uneven = _distance(request.cards, tried.steps * tried.riffles), _uneven(flow, request.cards, tried.steps)
    return replace(tried, variation=min(1.0, law + max(uneven, followed.after(tried.steps))))


class _Floors:
    """About how far the places of the cards are from random after each step, followed as far as it is asked for."""

    def __init__(self, flow: Flow, cards: int, riffles: int) -> None:
        self._step = work_of_a_step(flow, cards)
        self._next = seen_step_by_step(flow, cards, MOST_ROUNDS, riffles, most_work=sys.maxsize)  # limited by who asks
        self._found: list[float] = []
        self.asked = 0

    def work(self, steps: int) -> int:
        """Return how many multiplications so many steps take, about."""
        return steps * self._step

    def after(self, steps: int) -> float:
        """Return it after so many steps."""
        self.asked = max(self.asked, steps)
        while len(self._found) < steps:
            self._found.append(next(self._next))
        return self._found[steps - 1]


@lru_cache(maxsize=256)
def _floors(flow: Flow, cards: int, riffles: int) -> _Floors:
    return _Floors(flow, cards, riffles)


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
            f"deal, then {verb}",
            f"deal it onto {piles} random piles as fairdeck says, {verb} each {_times(times)}, stack",
            minutes,
            variation,
            not request.sleeved,
            "a phone or a printed plan, and practised hands",
            f"{_command(_parted(request.cards, piles))}; the dealing saves only one or two rounds",
            at_least,
            people=min(request.players, piles),
            do=(
                f"Start {_command(_parted(request.cards, piles))} --follow, or a printed plan, and deal every card "
                f"onto the pile that it names. {NEW_ORDER}",
                f"{verb.capitalize()} each pile by itself {_times(times)}"
                f"{': share the piles among you' if request.players > 1 else ''}. Stack the piles.",
            ),
        )


def _after_split(request: Request, piles: int) -> tuple[int | None, float | None, float]:
    """Return how often to riffle each pile, the distance from random after that, and a lower bound on it."""
    if request.sleeved:  # the deck is never nearer than one of its piles
        times, at_least = mashes(request.cards // piles, request.distance)
        return times, None, at_least
    # More riffles are never further from random.
    times = 1 + bisect_left(
        range(1, MOST_RIFFLES), True, key=lambda times: _split_distance(request.cards, piles, times) <= request.distance
    )
    if times == MOST_RIFFLES:
        return None, None, 0.0
    return times, _split_distance(request.cards, piles, times), 0.0


@lru_cache(maxsize=1024)
def _split_distance(cards: int, piles: int, times: int) -> float:
    return float(riffled_piles(cards, piles, times).total_variation or 0)


# --- by a machine


def _by_machine(request: Request, pace: Pace) -> Iterator[Recommendation]:
    if not request.machine or request.cards_are == "tiles":
        return
    # More passes are never further from random.
    passes = 1 + bisect_left(
        range(1, MOST_PASSES + 1), True, key=lambda times: _shelved(request, times) <= request.distance
    )
    if passes > MOST_PASSES:
        return
    shelf = f"shelf({request.machine})"
    loose = {"sleeved": ", in sleeves"}.get(request.cards_are, "")
    yield _recommendation(
        "machine",
        f"let the machine of {request.machine} shelves do it {_times(passes)}",
        passes * (request.cards * MACHINE + pace.step) / 60,
        _shelved(request, passes),
        True,
        f"a machine that takes {request.cards} cards at once{loose}, each onto a random shelf, on top or beneath",
        f"{'one pass is not enough; ' if passes > 1 else ''}"
        f'see fairdeck mix "{shelf}{f"*{passes}" if passes > 1 else ""}" --cards {request.cards}',
        do=(
            f"Load all {request.cards} cards at once and start the machine. Do not load part of them: parts that were "
            "shuffled apart are not mixed with each other.",
            *(
                (f"Take the cards out, do not cut or sort them, load them again: {passes} passes in all.",)
                if passes > 1
                else ()
            ),
        ),
    )


@lru_cache(maxsize=1024)
def _shelves_distance(cards: int, shelves: int, times: int) -> float:
    return float(shelf_shuffles(cards, *[shelves] * times).total_variation or 0)


def _shelved(request: Request, times: int) -> float:
    return _shelves_distance(request.cards, request.machine, times)


# --- what else people do


def _others(request: Request, pace: Pace) -> Iterator[Recommendation]:
    n = request.cards
    if n <= request.handful:
        times, at_least = overhands(n, request.distance)
        yield _recommendation(
            "overhand",
            f"overhand, {times:,} times",
            times * pace.overhand * max(1.0, n / USUAL_HANDFUL) / 60,
            None,
            False,
            "patience",
            "whole packets stay together. The number needed grows as n^2 log n, times an unknown factor "
            f'(Pemantle 1989, Jonasson 2006): see fairdeck mix "overhand*{times}" --cards {n}',
            at_least,
            do=(f"Shuffle overhand, a few cards at a time, from one hand into the other: {times:,} times.",),
        )
    if not request.room:
        return
    yield _recommendation(
        "wash",
        "wash it on the table, then square",
        1.0 + n * 0.01,
        None,
        False,
        "a table" if request.cards_are == "tiles" else "a table, and cards that may slide",
        "no law is known; a minute is the usual advice for 52 cards",
        do=("Spread everything face down on the table and stir with both hands, also across. Gather from all sides.",),
    )
    piles = min(PILES, request.mat.spaces if request.mat else PILES)
    yield _recommendation(
        "piles in turn",
        "deal it onto piles in turn",
        (n * pace.of_a_card(piles) + piles * pace.pile) / 60,
        float(least_distance(n, 1)),
        True,
        f"room for {piles} piles",
        "no shuffle at all: the old order determines the new one",
        do=("Deal onto the piles in turn, and stack them.",),
    )
