"""Which way to shuffle suits you: every way to mix this deck, with its minutes, its quality, and what it needs.

Three sorts of quality are told apart: *exactly uniform* (a deck dealt as told), an *exact law* of
hands that riffle as the model says, and an *estimate*, where only simulation and rules of thumb exist.
Minutes rest on a `Pace`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, log

from fairdeck.advice import advise
from fairdeck.errors import FairdeckError
from fairdeck.goal import parse_goal
from fairdeck.mat import Mat
from fairdeck.mixing.riffles import riffles
from fairdeck.mixing.split import split
from fairdeck.pace import ASSUMED, Pace
from fairdeck.packets import schemes
from fairdeck.packets.dispersion import dispersion, distance, fault
from fairdeck.packets.notation import Flow
from fairdeck.planner import Task

MOST_CARDS = 1_000
MOST_PLAYERS = 8
HANDFUL = 80  # cards that two hands can riffle; more must be parted
HANDFUL_SLEEVED = 60
USUAL_HANDFUL = 52  # of which a pace is
MOST_RIFFLES = 30
FEWEST_STEPS = {1: 4, 2: 4}  # of a packet procedure, by riffles of each packet; three with more: see `packets`
OVERHAND = 0.94  # of n^2 ln n shuffles, about which the order of a deck takes: 10,000 for 52 cards
USUAL_MAT = Mat(5, 2)


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody has and wants.

    Attributes:
        cards: in the deck, 2 to 1,000.
        players: people who can lend a hand, 1 to 8.
        mat: places to deal onto; None where there is no room for any.
        sleeved: whether the cards are in sleeves, which are mashed and not riffled.
        target: how far from uniform the deck may be: total variation, above 0 and below 1.
        minutes: how long it may take; None for as long as it takes.
    """

    cards: int
    players: int = 1
    mat: Mat | None = USUAL_MAT
    sleeved: bool = False
    target: float = 0.05
    minutes: float | None = None

    def __post_init__(self) -> None:
        for what, value, least, most in (
            ("cards", self.cards, 2, MOST_CARDS),
            ("players", self.players, 1, MOST_PLAYERS),
        ):
            if not least <= value <= most:
                raise FairdeckError(f"{what}: {value} is out of range; write {least} to {most:,}")
        if not 0 < self.target < 1:
            raise FairdeckError(
                f"the distance {self.target:g} is none; write a number above 0 and below 1, such as 0.05"
            )
        if self.minutes is not None and not 0 < self.minutes <= 100_000:
            raise FairdeckError(f"minutes: {self.minutes:g} is out of range; write more than 0")


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
    """

    way: str
    minutes: float
    total_variation: float | None
    exact: bool
    needs: str
    remark: str
    enough: bool


def ways(wish: Wish, pace: Pace = ASSUMED) -> tuple[Way, ...]:
    """Return every way to shuffle the deck of a wish, best first.

    Best is what keeps to the wish in the fewest minutes; then what comes nearest to it.
    """
    found = [
        *_dealt(wish, pace),
        *_riffled(wish, pace),
        *_in_packets(wish, pace),
        *_split(wish, pace),
        *_others(wish, pace),
    ]
    return tuple(sorted(found, key=_rank))


def _rank(way: Way) -> tuple[bool, float, float]:
    if way.enough:
        return False, way.minutes, 0.0
    # Of those that are not enough the nearest to uniform comes first; what nobody knows, last.
    return True, 2.0 if way.total_variation is None else way.total_variation, way.minutes


def _way(
    wish: Wish, way: str, minutes: float, variation: float | None, exact: bool, needs: str, remark: str = ""
) -> Way:
    near = variation is not None and variation <= wish.target
    soon = wish.minutes is None or minutes <= wish.minutes
    return Way(way, round(minutes, 1), variation, exact, needs, remark, near and soon)


# --- dealt as told


def _dealt(wish: Wish, pace: Pace) -> Iterator[Way]:
    if wish.mat is None:
        return
    for dealers in range(1, min(wish.players, wish.cards, 4) + 1):
        task = Task(wish.cards, wish.mat, dealers=dealers)
        advice = advise(task, pace)
        who = "one dealer" if dealers == 1 else f"{dealers} dealers at once"
        needs = f"a mat of {wish.mat}{'' if dealers == 1 else ' for each'}, and a phone or a printed plan"
        remark = f"fairdeck deal {wish.cards} --mat {wish.mat}" + ("" if dealers == 1 else f" --dealers {dealers}")
        yield _way(wish, f"deal it as told, {advice.passes} passes, {who}", advice.minutes, 0.0, True, needs, remark)
    if wish.players >= 2 and wish.cards >= wish.players:
        yield from _hands_only(wish, pace)


def _hands_only(wish: Wish, pace: Pace) -> Iterator[Way]:
    each = wish.cards // wish.players
    try:
        goal = parse_goal(f"hands:{wish.players}x{each}" + ("+rest" if wish.cards % wish.players else ""), wish.cards)
        task = Task(wish.cards, wish.mat or USUAL_MAT, goal)
    except FairdeckError:
        return
    minutes = advise(task, pace).minutes
    yield _way(
        wish,
        f"deal hands only, as told: {wish.players} of {each} cards in one pass",
        minutes,
        0.0,
        True,
        "a phone or a printed plan; no mat, each player's place is one",
        "who holds what is exactly uniform; there is no deck in order afterwards",
    )


# --- riffled


@lru_cache(maxsize=1024)
def _distance(cards: int, times: int) -> float:
    return float(riffles(cards, times).total_variation or 0)


def _enough_riffles(cards: int, target: float) -> int | None:
    return next((times for times in range(1, MOST_RIFFLES + 1) if _distance(cards, times) <= target), None)


def _seconds_a_riffle(cards: int, pace: Pace) -> float:
    return pace.riffle * max(0.5, cards / USUAL_HANDFUL)


def _handful(wish: Wish) -> int:
    return HANDFUL_SLEEVED if wish.sleeved else HANDFUL


def _riffled(wish: Wish, pace: Pace) -> Iterator[Way]:
    times = _enough_riffles(wish.cards, wish.target)
    if wish.cards > _handful(wish) or times is None:
        return
    minutes = times * _seconds_a_riffle(wish.cards, pace) / 60
    verb = "mash" if wish.sleeved else "riffle"
    clumps = 'clumps that fall together make it worse than that by far: see fairdeck mix "riffle(switch=0.4)"'
    way, variation = f"{verb} it {times} times", _distance(wish.cards, times)
    yield _way(wish, way, minutes, variation, not wish.sleeved, "practised hands", clumps)


# --- in packets


def _in_packets(wish: Wish, pace: Pace) -> Iterator[Way]:
    shown = set()  # of several flows for as many packets and hands, that spread alike, the plainest
    for flow in schemes().values():
        fewest, most = flow.players
        packet = ceil(wish.cards / len(flow.packets))
        if len(flow.steps) > 1 or not fewest <= wish.players or packet > _handful(wish) or packet < 8 or fault(flow):
            continue
        if distance(dispersion(flow, 1)):  # spreads only slowly: never among the best
            continue
        hands = min(wish.players, most, len(flow.packets))
        if (len(flow.packets), hands) in shown:
            continue
        shown.add((len(flow.packets), hands))
        best = _fewest_minutes(wish, flow, packet, hands, pace)
        if best is None:
            continue
        minutes, steps, times = best
        yield _way(
            wish,
            f"in {len(flow.packets)} packets ({flow.name}): {steps} steps, each packet riffled {times} times a step",
            minutes,
            _distance(wish.cards, steps * times),
            False,
            f"{hands} {'pair' if hands == 1 else 'pairs'} of practised hands",
            f"fairdeck packets {flow.name} --cards {wish.cards} --steps {steps} --riffles {times}",
        )


def _fewest_minutes(wish: Wish, flow: Flow, packet: int, hands: int, pace: Pace) -> tuple[float, int, int] | None:
    """Return minutes, steps and riffles a step: as many riffles of each card as of the whole deck, see `packets`."""
    needed = _enough_riffles(wish.cards, wish.target)
    if needed is None:
        return None
    found = []
    for times in range(1, 6):
        steps = max(ceil(needed / times), FEWEST_STEPS.get(times, 3))
        rounds = ceil(len(flow.packets) / hands)
        seconds = steps * (rounds * times * _seconds_a_riffle(packet, pace) + pace.step)
        found.append((seconds / 60, steps, times))
    return min(found)


# --- dealt apart at random, then riffled


def _split(wish: Wish, pace: Pace) -> Iterator[Way]:
    if wish.mat is None:
        return
    best: tuple[float, int, int, float] | None = None
    for piles in range(2, min(4, wish.cards // 8) + 1):
        packet = ceil(wish.cards / piles)
        if packet > _handful(wish) or wish.cards > 250:
            continue
        times = next((k for k in range(1, MOST_RIFFLES) if _split_distance(wish.cards, piles, k) <= wish.target), None)
        if times is None:
            continue
        hands = min(wish.players, piles)
        deal = wish.cards * pace.of_a_card(piles) + piles * pace.pile + pace.step
        minutes = (deal + ceil(piles / hands) * times * _seconds_a_riffle(packet, pace)) / 60
        best = min(filter(None, [best, (minutes, piles, times, _split_distance(wish.cards, piles, times))]))
    if best:
        minutes, piles, times, variation = best
        yield _way(
            wish,
            f"deal it onto {piles} piles as told by chance, riffle each {times} times, stack",
            minutes,
            variation,
            not wish.sleeved,
            "a device that tells the piles, and practised hands",
            "the dealing saves no more than one or two riffles",
        )


@lru_cache(maxsize=1024)
def _split_distance(cards: int, piles: int, times: int) -> float:
    return float(split(cards, piles, times).total_variation or 0)


# --- what else people do


def _others(wish: Wish, pace: Pace) -> Iterator[Way]:
    n = wish.cards
    times = ceil(OVERHAND * n * n * log(n))
    yield _way(
        wish,
        f"overhand, about {times:,} times",
        times * pace.overhand * max(1.0, n / USUAL_HANDFUL) / 60,
        None,
        False,
        "patience",
        "each time leaves packets whole; n^2 ln n of them are needed (Jonasson 2006)",
    )
    yield _way(
        wish,
        "wash it on the table, then square",
        1.0 + n * 0.01,
        None,
        False,
        "a table, and cards that may slide",
        "no law is known; a minute is the usual advice for 52 cards",
    )
    yield _way(
        wish,
        "deal it onto piles in turn",
        (n * pace.of_a_card(7) + 7 * pace.pile) / 60,
        1.0,
        True,
        "nothing",
        "no shuffle at all: the order afterwards follows from the order before",
    )
