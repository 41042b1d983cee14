"""What dispersion does not show: the places that single cards reach.

`worst_card` follows one card exactly: where it can lie after each step, from the worst start. That is a
lower bound on the total variation of the whole deck. `seen_in_places` uses all cards together, which show far more.

Cuts are rounded as in `fairdeck.packets.notation`; places count from the bottom.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from math import comb, dist, erf, exp, lgamma, log, log2, pi, sqrt
from operator import mul, sub

from fairdeck.dealing.instructions import counted
from fairdeck.errors import FairdeckError
from fairdeck.packets.dispersion import dispersion, distance, step_matrix
from fairdeck.packets.notation import JOINT, STACKED, Flow, Move, part, taken
from fairdeck.shuffles.riffle import a_shuffle

MOST_WORK = 320_000_000  # multiplications; a few seconds
WIDER = sqrt(pi / 2)
MOST_RIFFLES = 60  # more change no digit that is told
CLOSE = 1e-6  # rounding errors
CERTAIN = 2  # exchanges after which it is certain how many cards each packet has from each

Rows = tuple[tuple[float, ...], ...]


@cache
def riffled(size: int) -> Rows:
    """Return how a riffle of Gilbert, Shannon and Reeds moves one card: row = from, column = to.

    Card i ends at j, from the lower packet if i of the j places below j are the lower packet's and j is
    too; from the upper one if ``size - 1 - i`` of the places above j are the upper packet's, and j is.
    """
    return tuple(
        tuple(comb(j, i) / 2 ** (j + 1) + comb(size - 1 - j, size - 1 - i) / 2 ** (size - j) for j in range(size))
        for i in range(size)
    )


@cache
def joined(lower: int, upper: int) -> Rows:
    """Return how one card moves where two packets are riffled into each other, all interleavings equally likely."""
    size = lower + upper
    interleavings = comb(size, lower)

    def row(i: int, own: int, other: int) -> tuple[float, ...]:
        return tuple(
            comb(j, i) * comb(size - 1 - j, own - 1 - i) / interleavings if 0 <= j - i <= other else 0.0
            for j in range(size)
        )

    return tuple(row(i, lower, upper) if i < lower else row(i - lower, upper, lower) for i in range(size))


def _times(x: Rows, y: Rows) -> Rows:
    columns = tuple(zip(*y, strict=True))
    return tuple(tuple(sum(map(mul, row, column)) for column in columns) for row in x)


@cache
def minored(kind: str, lower: int, size: int, riffles: int) -> Rows:
    """Return how one card moves in the minoring of a packet."""
    if kind == STACKED or riffles == 0:
        return tuple(tuple(float(i == j) for j in range(size)) for i in range(size))
    before = minored(kind, lower, size, riffles - 1)
    if riffles == 1:
        return joined(lower, size - lower) if kind == JOINT else riffled(size)
    return _times(before, riffled(size))


Moving = Callable[[list[float]], list[float]]


Made = list[tuple[Move, tuple[int, ...], int]]


def made_steps(flow: Flow, cards: int, steps: int) -> list[Made]:
    """Return for each step its moves, the places of the cards that each takes, and how many are the lower part."""
    packets = part(flow, range(cards))
    found = []
    for step in range(steps):
        # The pack before the step, as places.
        offsets: dict[str, tuple[int, ...]] = {}
        at = 0
        for name in reversed(flow.names(step)):
            offsets[name] = tuple(range(at, at + len(packets[name])))
            at += len(packets[name])
        made = [(move, *taken(move, offsets)) for move in reversed(flow.moves(step))]
        found.append(made)
        packets = {move.packet: deck for move, deck, _ in made}
    return found


def _work(made: list[Made], starts: int, riffles: int) -> int:
    """Return an estimate of the multiplications needed to follow so many cards through all steps."""
    follow = sum(starts * len(deck) ** 2 for step in made for _, deck, _ in step)
    kinds = {(move.kind, lower, len(deck)) for step in made for move, deck, lower in step if move.kind != STACKED}
    return follow + sum(riffles * size**3 for _, _, size in kinds)


def _moving(made: Made, riffles: int) -> Moving:
    # 2ab = aa + bb - (a - b)^2: `dist` is several times as fast as a sum of products, and none of these is above 1, so
    # it costs no more than the last digit of 1.
    parts = [
        (deck, [(column, sum(map(mul, column, column))) for column in zip(*rows, strict=True)])
        for move, deck, lower in made
        for rows in [minored(move.kind, lower, len(deck), riffles)]
    ]

    def moving(chances: list[float]) -> list[float]:
        after: list[float] = []
        for deck, columns in parts:
            held = [chances[place] for place in deck]
            if any(held):
                own = sum(map(mul, held, held))
                after += [(own + norm - dist(held, column) ** 2) / 2 for column, norm in columns]
            else:
                after += [0.0] * len(deck)
        return after

    return moving


def _followed(cards: int, moves: Iterable[Moving], starts: int) -> Iterator[list[list[float]]]:
    """Yield after each step the place probabilities of the cards that began on the lowest places."""
    now = [[float(place == start) for place in range(cards)] for start in range(starts)]
    for moving in moves:
        now = [moving(chances) for chances in now]
        yield now


def worst_card(flow: Flow, cards: int, steps: int, riffles: int) -> list[float]:
    """Return after each step how far the place of the worst card is from uniform, in total variation."""
    return [worst for worst, _ in both_step_by_step(flow, cards, steps, riffles)]


def _worst(starts: list[list[float]]) -> float:
    fair = [1 / len(starts[0])] * len(starts[0])
    twice: float = max(sum(map(abs, map(sub, chances, fair))) for chances in starts)
    return twice / 2


def seen_in_places(flow: Flow, cards: int, steps: int, riffles: int, most_work: int = MOST_WORK) -> list[float]:
    """Return after each step an estimate of how far the pack is from random, by the places of the worst card or of all.

    The place of each card may be nearly uniform while all cards together are not. The sum over all cards that
    shows this best weighs each place by its excess probability for the card. On random packs its variance is
    ``sum(w^2) / (n - 1)``, the weights w adding up to 0 in rows and columns (Hoeffding, "A combinatorial
    central limit theorem", Ann. Math. Statist. 22 (1951)), and both laws are taken as normal: an estimate.

    >>> from fairdeck.packets import find
    >>> [round(far, 3) for far in seen_in_places(find("two-way"), 104, 5, 2)]
    [1.0, 1.0, 0.739, 0.233, 0.058]
    """
    return list(seen_step_by_step(flow, cards, steps, riffles, most_work))


def seen_step_by_step(flow: Flow, cards: int, steps: int, riffles: int, most_work: int = MOST_WORK) -> Iterator[float]:
    """Return an iterator over what `seen_in_places` returns: each step is followed when it is asked for.

    Raises FairdeckError if to follow all steps would take too long.
    """
    return (max(worst, seen) for worst, seen in both_step_by_step(flow, cards, steps, riffles, most_work))


def both_step_by_step(
    flow: Flow, cards: int, steps: int, riffles: int, most_work: int = MOST_WORK
) -> Iterator[tuple[float, float]]:
    """Return an iterator over what the worst card shows after each step, and what the places of all cards show.

    Where all packets do the same in a circle, the cards of one packet are followed and stand for all.
    """
    made = made_steps(flow, cards, steps)
    alike = _alike(made, cards)
    if _work(made, cards // alike, riffles) > most_work:
        raise FairdeckError(
            f"to follow one card of {cards:,} for {counted(steps, 'step')} takes too long: use fewer cards or steps"
        )
    moves = (_moving(each, riffles) for each in made)  # each when it is asked for
    return ((_worst(found), _shown_by_all_cards(found, alike)) for found in _followed(cards, moves, cards // alike))


def estimated(flow: Flow, cards: int, steps: int, riffles: int, seen: float) -> float:
    """Return an estimate of how far the whole order is from random, in total variation, `seen` being seen in places.

    It adds three distances: that of the pack riffled as often as each packet is, see `packets_in_all` (an exact
    law); that of the places, or of the mean numbers of cards from each packet; and that of the spread of these numbers.
    No theorem says that the sum is enough: it is nowhere below the truth for packs of 9 cards, whose orders were all
    followed (tests/test_steps.py).
    The places' part is half their distance in mean square, `WIDER` than that of normal laws.
    """
    law = float(a_shuffle(cards, packets_in_all(flow, steps, riffles)).total_variation or 0)
    return min(1.0, law + WIDER * max(uneven(flow, cards, steps), seen) + too_even(flow, cards, steps))


def packets_in_all(flow: Flow, steps: int, riffles: int) -> int:
    """Return of how many packets the one riffle is that is about as good as those of each packet in all steps.

    Parts of the shares p and q, riffled into each other, are ``1 / (p^2 + q^2)`` packets; an ideal riffle is two.

    >>> from fairdeck.packets import find
    >>> packets_in_all(find("two-way"), 2, 3)
    64
    """
    worth = 0.0  # ideal riffles
    for step in range(steps):
        for move in flow.moves(step):
            upper, lower = (float(sum(each.share for each in some)) for some in (move.upper, move.lower))
            first = 2 * log2(upper + lower) - log2(upper**2 + lower**2) if move.kind == JOINT else 1
            worth += (riffles - 1 + first) * (move.kind != STACKED) / len(flow.moves(step))
    return int(2 ** min(worth, MOST_RIFFLES) + CLOSE)


def uneven(flow: Flow, cards: int, steps: int) -> float:
    """Return about how far from random the number of cards is that come from one packet into another, at the worst.

    A share that is still uneven moves the mean of that number; its law is taken as normal, with the
    variance of the hypergeometric law.
    """
    if len(flow.packets) == 1:
        return 0.0
    size, others = cards / len(flow.packets), 1 - 1 / len(flow.packets)
    moved = size * float(distance(dispersion(flow, steps)))
    spread = sqrt(size * (1 - others) * others * (cards - size) / (cards - 1))
    return erf(moved / (2 * sqrt(2) * spread))


def too_even(flow: Flow, cards: int, steps: int) -> float:
    """Return about how far the numbers of cards from each packet in each are from random, as they vary too little.

    After two exchanges all of them are certain, if packets are riffled well and cut into equal parts. After each
    further exchange of q packets the excess of their variance is ``(q - 1) / (n - q)`` times what it was; all are taken
    as normal, with (q - 1)^2 degrees of freedom.
    """
    many = len(flow.packets)
    exchanges = sum(any(0 < share < 1 for row in step_matrix(flow, step) for share in row) for step in range(steps))
    if many == 1 or exchanges < CERTAIN:
        return float(many > 1)
    if exchanges == CERTAIN:
        size = cards / many
        return 1 - exp(2 * many * lgamma(size + 1) - lgamma(cards + 1) - many**2 * lgamma(size / many + 1))
    half = (many - 1) ** 2 / 2
    return ((many - 1) / (cards - many)) ** (exchanges - CERTAIN) * exp(half * log(half) - half - lgamma(half))


def work_of_a_step(flow: Flow, cards: int) -> int:
    """Return how many multiplications `seen_step_by_step` needs for a step, about."""
    made = made_steps(flow, cards, 1)
    return _work(made, cards // _alike(made, cards), 0)


def _alike(made: list[Made], cards: int) -> int:
    """Return how many packets are alike: all of them if turning the pack by a packet changes no step, else 1."""
    packets = len(made[0]) if made else 1
    size = cards // packets
    for step in made:
        turned = [(move.kind, lower, tuple((place + size) % cards for place in deck)) for move, deck, lower in step]
        plain = [(move.kind, lower, deck) for move, deck, lower in step]
        if {len(deck) for _, _, deck in plain} != {size} or turned != plain[1:] + plain[:1]:
            return 1
    return packets


def _shown_by_all_cards(starts: list[list[float]], alike: int) -> float:
    n = len(starts[0])
    fair = [1 / n] * n
    shift = sqrt((n - 1) * alike * sum(dist(chances, fair) ** 2 for chances in starts))
    return erf(shift / sqrt(8))
