"""Which way to shuffle suits you: every way to mix this deck, with its minutes, its quality, and what it needs.

Only what hands can do is told: cards are riffled, sleeved cards are mashed, tiles are neither, nor are they
shuffled overhand; and without room for piles nothing is laid down.

Four sorts of quality are told apart: *exactly uniform* (a deck dealt as told), an *exact law* of
hands that riffle as the model says, an *estimate*, where only simulation and rules of thumb exist, and
*nobody knows*: mashing has no law, so sleeved cards that are mashed are never said to be near enough.
Minutes rest on a `Pace`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, erf, sqrt

from fairdeck.advice import advise
from fairdeck.errors import FairdeckError
from fairdeck.goal import WHOLE_DECK, Goal, Hands
from fairdeck.mat import LARGEST_SIDE, Mat
from fairdeck.mixing.measured import SWITCH, mashes, overhands
from fairdeck.mixing.riffles import gsr_riffles
from fairdeck.mixing.split import riffled_piles
from fairdeck.mixing.support import least_distance
from fairdeck.pace import ASSUMED, Pace
from fairdeck.packets import schemes
from fairdeck.packets.dispersion import dispersion, distance, fault
from fairdeck.packets.notation import MOST_ROUNDS, Flow
from fairdeck.packets.position import seen_in_places
from fairdeck.planner import Task

MOST_CARDS = 1_000
MOST_PLAYERS = 8
HANDFULS = {"cards": 80, "sleeved": 100, "tiles": 0}  # that two hands riffle or mash at once; more must be parted
USUAL_HANDFUL = 52  # of which a pace is
MOST_RIFFLES = 30
FEWEST_STEPS = {1: 4, 2: 4}  # of a packet procedure, by riffles of each packet; three with more: see `packets`
MORE_STEPS = 3  # of a packet procedure that are tried, where fewer leave the worst card too far from random
MOST_FOLLOWED = 60_000_000  # multiplications to follow each card: a second or so
UNKNOWN = 0.5  # where a way that nobody knows stands among those that are not good enough
PILES = 7  # that people deal onto in turn
USUAL_MAT = Mat(5, 2)
NO_MAT = "a phone or a printed plan; no mat, each player's place is one"


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody has and wants.

    Attributes:
        cards: in the deck, 2 to 1,000.
        players: people who can lend a hand, 1 to 8.
        mat: places to deal onto as told; None where there is no mat, and the bare table must do.
        material: "cards", which are riffled; "sleeved" ones, which are mashed; or "tiles", which are neither.
        room: whether there is room to lay piles down, with a mat or without.
        target: how far from uniform the deck may be: total variation, above 0 and below 1.
        minutes: how long it may take; None for as long as it takes.
        goal: what is wanted of a deck that is dealt as told.
    """

    cards: int
    players: int = 1
    mat: Mat | None = USUAL_MAT
    material: str = "cards"
    room: bool = True
    target: float = 0.05
    minutes: float | None = None
    goal: Goal = WHOLE_DECK

    def __post_init__(self) -> None:
        for what, value, least, most in (
            ("cards", self.cards, 2, MOST_CARDS),
            ("players", self.players, 1, MOST_PLAYERS),
        ):
            if not least <= value <= most:
                raise FairdeckError(f"{what}: {value} is out of range; write {least} to {most:,}")
        if self.material not in HANDFULS:
            raise FairdeckError(f"the cards are {self.material!r}; write {', '.join(HANDFULS)}")
        if not 0 < self.target < 1:
            raise FairdeckError(
                f"the distance {self.target:g} is none; write a number above 0 and below 1, such as 0.05"
            )
        if self.minutes is not None and not 0 < self.minutes <= 100_000:
            raise FairdeckError(f"minutes: {self.minutes:g} is out of range; write more than 0")
        self.goal.check(self.cards)

    @property
    def sleeved(self) -> bool:
        """Whether the cards are in sleeves."""
        return self.material == "sleeved"

    @property
    def handful(self) -> int:
        """How many of them two hands riffle or mash at once."""
        return HANDFULS[self.material]

    @property
    def things(self) -> str:
        """What they are called."""
        return {"sleeved": "sleeved cards"}.get(self.material, self.material)


@dataclass(frozen=True, slots=True)
class Way:
    """A way to shuffle.

    Attributes:
        way: what is done.
        minutes: about how long it takes.
        total_variation: how far from uniform the deck is then; None where nobody knows.
        exact: whether that is exact (of a law, for riffles as the model has them), or an estimate.
        needs: what it takes.
        remark: what to know before one chooses it; may be empty.
        enough: whether it keeps to the distance and the minutes that were wished for.
        mark: the way in a word or three, for a picture.
        at_least: how far from uniform it is at the least, where nobody knows how far; 0 where that is not known either.
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


def ways(wish: Wish, pace: Pace = ASSUMED) -> tuple[Way, ...]:
    """Return every way to shuffle the deck of a wish, best first.

    Best is what keeps to the wish in the fewest minutes; then what comes nearest to it.

    Raises:
        FairdeckError: there is none.
    """
    found = [
        *_dealt(wish, pace),
        *_riffled(wish, pace),
        *_in_packets(wish, pace),
        *_split(wish, pace),
        *_others(wish, pace),
    ]
    if not found:
        raise FairdeckError(
            f"{wish.cards} {wish.things}, one person and no room for piles: no way is left; make room to lay them down"
        )
    return tuple(sorted(found, key=_rank))


def _rank(way: Way) -> tuple[bool, float, float]:
    if way.enough:
        return False, way.minutes, 0.0
    # Of those that are not enough the nearest to uniform comes first. What nobody knows stands before what is far.
    return True, max(UNKNOWN, way.at_least) if way.total_variation is None else way.total_variation, way.minutes


def _way(
    wish: Wish,
    mark: str,
    way: str,
    minutes: float,
    variation: float | None,
    exact: bool,
    needs: str,
    remark: str,
    at_least: float = 0.0,
) -> Way:
    near = variation is not None and variation <= wish.target
    soon = wish.minutes is None or minutes <= wish.minutes
    return Way(way, round(minutes, 1), variation, exact, needs, remark, near and soon, mark, at_least)


# --- dealt as told


def _dealt(wish: Wish, pace: Pace) -> Iterator[Way]:
    if isinstance(wish.goal, Hands) and not wish.goal.stock and (wish.mat is None or not wish.room):
        yield _as_told(wish, pace, Task(wish.cards, _places(len(wish.goal.piles)), wish.goal), NO_MAT)
    elif wish.room:
        mat = wish.mat or USUAL_MAT
        place, bare = (f"a mat of {mat}", "") if wish.mat else (f"room for {mat} piles", ", with no mat")
        for dealers in range(1, min(wish.players, wish.cards, 4) + 1):
            needs = f"{place}{'' if dealers == 1 else ' for each'}{bare}, and a phone or a printed plan"
            yield _as_told(wish, pace, Task(wish.cards, mat, wish.goal, dealers=dealers), needs)
    if wish.goal == WHOLE_DECK and 2 <= wish.players <= wish.cards:
        yield _hands_only(wish, pace)


def _as_told(wish: Wish, pace: Pace, task: Task, needs: str) -> Way:
    advice = advise(task, pace)
    dealers = task.dealers
    who = "one dealer" if dealers == 1 else f"{dealers} dealers at once"
    what = "it" if task.goal == WHOLE_DECK else str(task.goal)
    return _way(
        wish,
        "deal" if dealers == 1 else f"deal, {dealers} at once",
        f"deal {what} as told, {_passes(advice.passes)}, {who}",
        advice.minutes,
        0.0,
        True,
        needs,
        _command(task),
    )


def _passes(number: int) -> str:
    return "1 pass" if number == 1 else f"{number} passes"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _command(task: Task) -> str:
    """Return the command that tells how to deal."""
    goal = "" if task.goal == WHOLE_DECK else f" --goal {task.goal}"
    dealers = "" if task.dealers == 1 else f" --dealers {task.dealers}"
    return f"fairdeck deal {task.cards} --mat {task.mat}{goal}{dealers}"


def _places(number: int) -> Mat:
    """Return a mat of so many spaces or a few more: players' places, or piles, that need no mat at all."""
    rows = ceil(number / LARGEST_SIDE)
    return Mat(ceil(number / rows), rows)


def _parted(cards: int, piles: int, rest: int = 0) -> Task:
    """Return the deal of all cards but a rest onto piles by chance, as even as can be."""
    each, more = divmod(cards - rest, piles)
    goal = Hands((each + 1,) * more + (each,) * (piles - more), rest=rest)
    return Task(cards, _places(len(goal.piles)), goal)


def _hands_only(wish: Wish, pace: Pace) -> Way:
    task = _parted(wish.cards, wish.players, wish.cards % wish.players)
    return _way(
        wish,
        "hands only",
        f"deal hands only, as told: {wish.players} of {wish.cards // wish.players} cards in one pass",
        advise(task, pace).minutes,
        0.0,
        True,
        NO_MAT,
        f"{_command(task)}; who holds what is exactly uniform, there is no deck in order afterwards",
    )


# --- riffled


@lru_cache(maxsize=1024)
def _distance(cards: int, times: int) -> float:
    return float(gsr_riffles(cards, times).total_variation or 0)


def _enough_riffles(cards: int, target: float) -> int | None:
    return next((times for times in range(1, MOST_RIFFLES + 1) if _distance(cards, times) <= target), None)


def _seconds_a_riffle(cards: int, pace: Pace) -> float:
    return pace.riffle * max(0.5, cards / USUAL_HANDFUL)


def _riffled(wish: Wish, pace: Pace) -> Iterator[Way]:
    if wish.cards > wish.handful:
        return
    if wish.sleeved:
        times, at_least = mashes(wish.cards, wish.target)
        shown = f'no law is known, and clumps stay together long: see fairdeck mix "mash*{times}" --cards {wish.cards}'
        minutes = times * _seconds_a_riffle(wish.cards, pace) / 60
        yield _way(wish, "mash", f"mash it {_times(times)}", minutes, None, False, "practised hands", shown, at_least)
        return
    enough = _enough_riffles(wish.cards, wish.target)
    if enough is None:
        return
    minutes = enough * _seconds_a_riffle(wish.cards, pace) / 60
    clumps = f'fairdeck mix "riffle(switch=0.4)*{enough}" --cards {wish.cards}'
    yield _way(
        wish,
        "riffle",
        f"riffle it {_times(enough)}",
        minutes,
        _distance(wish.cards, enough),
        True,
        "practised hands",
        f"clumps that fall together make it worse than that by far: see {clumps}",
    )


# --- in packets


def _in_packets(wish: Wish, pace: Pace) -> Iterator[Way]:
    if not wish.room:
        return
    shown = set()  # of several flows for as many packets and hands, that spread alike, the one made for those hands
    for flow in sorted(schemes().values(), key=lambda flow: -flow.players[0]):
        fewest, most = flow.players
        packet = ceil(wish.cards / len(flow.packets))
        if len(flow.steps) > 1 or not fewest <= wish.players or packet > wish.handful or packet < 8 or fault(flow):
            continue
        at_once = not distance(dispersion(flow, 1))
        if fewest == 1 and not at_once:  # spreads only slowly: never among the best
            continue
        hands = min(wish.players, most, len(flow.packets))
        if (len(flow.packets), hands, at_once) in shown:
            continue
        shown.add((len(flow.packets), hands, at_once))
        best = _fewest_minutes(wish, flow, packet, hands, pace)
        if best is None:
            continue
        work = f"--cards {wish.cards} --players {hands} --steps {best.steps} --riffles {best.riffles}"
        remark = f"fairdeck packets {flow.name} {work}"
        if wish.sleeved:
            remark += f" --simulate 20000 --switch {SWITCH:g}: no law is known for mashed packets"
        elif best.variation is None:
            remark += ": where the cards lie takes too long to follow here"
        yield _way(
            wish,
            f"{len(flow.packets)} packets",
            f"in {len(flow.packets)} packets ({flow.name}): {best.steps} steps, each packet "
            f"{'mashed' if wish.sleeved else 'riffled'} {_times(best.riffles)} a step",
            best.minutes,
            best.variation,
            False,
            f"{hands} {'pair' if hands == 1 else 'pairs'} of practised hands",
            remark,
        )


@dataclass(frozen=True, slots=True)
class _Procedure:
    """So many steps of a packet flow, each with so many riffles of each packet; up to `most` steps are tried."""

    minutes: float
    steps: int
    riffles: int
    most: int
    variation: float | None = None

    def near(self, target: float) -> bool:
        """Return whether it is known to be near enough to random."""
        return self.variation is not None and self.variation <= target


def _fewest_minutes(wish: Wish, flow: Flow, packet: int, hands: int, pace: Pace) -> _Procedure | None:
    """Return the quickest that is near enough, else the nearest.

    It takes as many riffles of each card as of the whole deck, see `packets`; more if where the cards lie, or
    the number of cards from each packet, is then too far from random still.
    """
    needed = mashes(wish.cards, wish.target)[0] if wish.sleeved else _enough_riffles(wish.cards, wish.target)
    if needed is None:
        return None
    even = next((k for k in range(1, MOST_ROUNDS) if _uneven(flow, wish.cards, k) <= wish.target / 2), MOST_ROUNDS)
    rounds = ceil(len(flow.packets) / hands)
    tried = []
    for times in range(1, 6):
        least = max(ceil(needed / times), FEWEST_STEPS.get(times, 3), even)
        for steps in range(least, min(least + MORE_STEPS, MOST_ROUNDS) + 1):
            seconds = steps * (rounds * times * _seconds_a_riffle(packet, pace) + pace.step)
            tried.append(_Procedure(seconds / 60, steps, times, least + MORE_STEPS))
    tried.sort(key=lambda each: each.minutes)
    if wish.sleeved:
        return next(iter(tried), None)
    judged = []
    for each in tried:
        judged.append(_judged(wish, flow, each))
        if judged[-1].near(wish.target):
            return judged[-1]
    return min(judged, key=lambda each: (1.0 if each.variation is None else each.variation, each.minutes), default=None)


def _judged(wish: Wish, flow: Flow, tried: _Procedure) -> _Procedure:
    """Return the same with how far from random it leaves the deck, about: the order, and what else is seen of it.

    Where the cards take too long to follow, that is not known.
    """
    law, uneven = _distance(wish.cards, tried.steps * tried.riffles), _uneven(flow, wish.cards, tried.steps)
    # All numbers of steps at once if they can be, for others will be tried.
    floors = _floors(flow, wish.cards, min(tried.most, MOST_ROUNDS), tried.riffles)
    floors = floors or _floors(flow, wish.cards, tried.steps, tried.riffles)
    return replace(tried, variation=min(1.0, law + max(uneven, floors[tried.steps - 1]))) if floors else tried


@lru_cache(maxsize=256)
def _floors(flow: Flow, cards: int, steps: int, riffles: int) -> list[float]:
    """Return about how far the places of the cards are from random after each step; none if that takes too long."""
    try:
        return seen_in_places(flow, cards, steps, riffles, MOST_FOLLOWED)
    except FairdeckError:
        return []


def _uneven(flow: Flow, cards: int, steps: int) -> float:
    """Return about how far the number of cards of the worst packet in some packet is from random.

    A packet's share that is still uneven moves the mean of that number; its law is taken as normal, with the
    variance of the hypergeometric law.
    """
    size, others = cards / len(flow.packets), 1 - 1 / len(flow.packets)
    moved = size * float(distance(dispersion(flow, steps)))
    spread = sqrt(size * (1 - others) * others * (cards - size) / (cards - 1))
    return erf(moved / (2 * sqrt(2) * spread))


# --- dealt apart at random, then riffled


def _split(wish: Wish, pace: Pace) -> Iterator[Way]:
    if not wish.room:
        return
    found = []
    for piles in range(2, min(4, wish.cards // 8) + 1):
        packet = ceil(wish.cards / piles)
        if packet > wish.handful or wish.cards > 250:
            continue
        times, variation, at_least = _after_split(wish, piles)
        if times is None:
            continue
        deal = wish.cards * pace.of_a_card(piles) + piles * pace.pile + pace.step
        rounds = ceil(piles / min(wish.players, piles))
        minutes = (deal + rounds * times * _seconds_a_riffle(packet, pace)) / 60
        found.append((minutes, piles, times, variation, at_least))
    if found:
        minutes, piles, times, variation, at_least = min(found, key=lambda each: each[:2])
        verb = "mash" if wish.sleeved else "riffle"
        yield _way(
            wish,
            f"deal, then {verb}",
            f"deal it onto {piles} piles as told by chance, {verb} each {_times(times)}, stack",
            minutes,
            variation,
            not wish.sleeved,
            "a phone or a printed plan, and practised hands",
            f"{_command(_parted(wish.cards, piles))}; the dealing saves no more than one or two rounds",
            at_least,
        )


def _after_split(wish: Wish, piles: int) -> tuple[int | None, float | None, float]:
    """Return how often each pile is riffled, how far the deck is then from random, and how far at the least."""
    if wish.sleeved:  # the whole is never nearer than one of its piles
        times, at_least = mashes(wish.cards // piles, wish.target)
        return times, None, at_least
    for times in range(1, MOST_RIFFLES):
        if (variation := _split_distance(wish.cards, piles, times)) <= wish.target:
            return times, variation, 0.0
    return None, None, 0.0


@lru_cache(maxsize=1024)
def _split_distance(cards: int, piles: int, times: int) -> float:
    return float(riffled_piles(cards, piles, times).total_variation or 0)


# --- what else people do


def _others(wish: Wish, pace: Pace) -> Iterator[Way]:
    n = wish.cards
    if n <= wish.handful:
        times, at_least = overhands(n, wish.target)
        yield _way(
            wish,
            "overhand",
            f"overhand, {times:,} times",
            times * pace.overhand * max(1.0, n / USUAL_HANDFUL) / 60,
            None,
            False,
            "patience",
            "whole packets stay together. How many are needed grows as n^2 log n, times a factor that nobody knows "
            f'(Pemantle 1989, Jonasson 2006): see fairdeck mix "overhand*{times}" --cards {n}',
            at_least,
        )
    if not wish.room:
        return
    yield _way(
        wish,
        "wash",
        "wash it on the table, then square",
        1.0 + n * 0.01,
        None,
        False,
        "a table" if wish.material == "tiles" else "a table, and cards that may slide",
        "no law is known; a minute is the usual advice for 52 cards",
    )
    piles = min(PILES, wish.mat.spaces if wish.mat else PILES)
    yield _way(
        wish,
        "piles in turn",
        "deal it onto piles in turn",
        (n * pace.of_a_card(piles) + piles * pace.pile) / 60,
        float(least_distance(n, 1)),
        True,
        f"room for {piles} piles",
        "no shuffle at all: the order afterwards follows from the order before",
    )
