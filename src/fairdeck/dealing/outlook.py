"""What a deck and a mat imply, before an order is drawn.

The passes and spaces of a random order follow from the law of its descents, the Eulerian law: with `d` descents among
`n` cards, the passes need d+1 keys if they keep the order among equal keys, and n-d if they reverse it. The planner
itself chooses for every `d`, so an outlook says exactly what the planner does. Times are estimates from assumed speeds.
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain
from math import ceil, floor, prod, sqrt
from typing import TypeVar

from fairdeck.dealing.eulerian import descent_law, first_above_law
from fairdeck.dealing.mat import PRESETS, Mat
from fairdeck.dealing.pace import ASSUMED, Pace
from fairdeck.dealing.planner import Shape, Task, code_of, radices, spaces_used
from fairdeck.errors import FairdeckError

Value = TypeVar("Value", bound=Hashable)

NEARLY_ALWAYS = 0.99
TALL, TOPPLING = 60, 120
TURN = 1.0  # seconds to turn a card end for end: assumed, nobody measured it

NEGLIGIBLE, ROUNDING = 1e-14, 1e-9
RUN_VARIANCE = 0.873


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A better mat: nearly every order takes at most `passes` and `spaces` on it."""

    mat: str
    passes: int
    spaces: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """What to expect of a task.

    Attributes:
        passes: enough for at least half of all orders.
        spaces: enough for at least 99 % of the orders that take `passes`.
        tallest: an estimate of the height of the tallest pile, in cards.
        moves: how many times a card is dealt.
        minutes: an estimate, to a tenth.
        chance_of_one_more_pass: the probability of more than `passes`.
        chance_from_bottom: the probability that the first pass is dealt from the bottom.
        passes_law: {passes: probability}, from the law of descents; probabilities below 1e-14 are left out, also below.
        spaces_law: {spaces: probability}, over all orders.
        needs: {passes: spaces that are enough for nearly every order}, for 2 and 3 passes; empty if
            nothing is gathered.
        judgement: "good", "slow" or "awkward".
        reasons: sentences that say why.
        suggestions: the smallest mats for as many passes, or fewer.
    """

    passes: int
    spaces: int
    tallest: int
    moves: int
    minutes: float
    chance_of_one_more_pass: float
    chance_from_bottom: float
    passes_law: dict[int, float] = field(repr=False)
    spaces_law: dict[int, float] = field(repr=False)
    needs: dict[int, int] = field(repr=False)
    judgement: str
    reasons: tuple[str, ...] = field(repr=False)
    suggestions: tuple[Suggestion, ...] = field(repr=False)


def outlook(task: Task, pace: Pace = ASSUMED) -> Outlook:
    """Return what to expect of `task` at this `pace`, and which mats are better."""
    law = _shape_law(task)
    passes_law = _passes_law(law)
    passes = _quantile(passes_law, 0.5)
    usual = {shape: chance for shape, chance in law.items() if len(shape.radices) == passes}
    likeliest = max(usual, key=lambda shape: usual[shape])
    tallest = _tallest(task, likeliest)
    more = sum((chance for count, chance in passes_law.items() if count > passes), 0.0)
    judgement, reasons = _judge(task, passes, more, tallest)
    return Outlook(
        passes=passes,
        spaces=_quantile(_spaces_law(task, usual), NEARLY_ALWAYS),
        tallest=tallest,
        moves=task.cards + task.gathered * (passes - 1),
        minutes=_minutes(task, likeliest, pace),
        chance_of_one_more_pass=more,
        chance_from_bottom=sum((chance for shape, chance in law.items() if shape.from_bottom), 0.0),
        passes_law=passes_law,
        spaces_law=_spaces_law(task, law),
        needs={count: _spaces_for(task, count) for count in (2, 3)} if task.gathered else {},
        judgement=judgement,
        reasons=reasons,
        suggestions=_suggestions(task),
    )


def refuse_too_few_passes(task: Task) -> None:
    """Raise a FairdeckError if most orders need more passes than the task has, before an order is drawn."""
    usual = _quantile(_passes_law(_shape_law(task)), 0.5)
    if usual > task.least_passes:
        needed = _spaces_for(task, task.least_passes)
        raise FairdeckError(
            f"passes: {task.least_passes} for {task.cards} cards need {needed} spaces; the mat {task.mat} has "
            f"{task.mat.spaces}: use a larger mat or {usual} passes"
        )


KeyNumbers = tuple[int, int, float]
"""How many keys an order needs if it is kept, how many if it is turned, and the probability of such orders."""


def _key_law(task: Task) -> list[list[KeyNumbers]]:
    """Return the law of the keys that a random order needs, as series along which kept rises and turned falls.

    Loose cards share one key. They need no key of their own where the first ordered card lies above all of
    them (kept) or below all of them (turned); the two cases are equally likely, at mirrored numbers of descents.
    With one loose card there is no third case: an impossible pair of keys must not be asked for its shape.
    """
    loose, hands = task.goal.loose(task.cards), len(task.goal.piles) * task.counted_off
    ordered = task.cards - sum(task.goal.piles) - loose
    if task.classic or not ordered:
        keys = ordered + (loose > 0) + hands
        return [[(keys, keys, 1.0)]]
    first, law = descent_law(ordered)
    if not loose:
        return [[(d + 1 + hands, ordered - d + hands, chance) for d, chance in enumerate(law, first)]]
    above = first_above_law(ordered, loose)
    series: list[list[KeyNumbers]] = [[], [], []]
    for d, (chance, over, under) in enumerate(zip(law, above, reversed(above), strict=True), first):
        series[0].append((d + 1, ordered - d + 1, over))
        series[1].append((d + 2, ordered - d, under))
        series[2].append((d + 2, ordered - d + 1, chance - over - under))
    return series if loose > 1 else series[:2]


def _shape_law(task: Task) -> dict[Shape, float]:
    """Return the shapes that the planner chooses for a random order, and their probabilities."""
    return _summed(chain.from_iterable(_shapes_along(task, series) for series in _key_law(task)))


def _shapes_along(task: Task, series: list[KeyNumbers]) -> Iterator[tuple[Shape, float]]:
    """Yield the shapes along `series`, each with its probability, by bisection.

    If both ends of a stretch have the same shape, all of it has. So only the few stretches in which the shape changes
    are cut in two.
    """
    up_to = [0.0, *accumulate(chance for _, _, chance in series)]

    def cut(first: int, last: int, at_first: Shape, at_last: Shape) -> Iterator[tuple[Shape, float]]:
        if at_first == at_last:
            yield at_first, up_to[last + 1] - up_to[first]
        elif last == first + 1:
            yield from ((at_first, series[first][2]), (at_last, series[last][2]))
        else:
            middle = (first + last) // 2
            at_middle = task.shape(*series[middle][:2])
            yield from cut(first, middle, at_first, at_middle)
            yield at_middle, -series[middle][2]  # the middle is in both halves
            yield from cut(middle, last, at_middle, at_last)

    return cut(0, len(series) - 1, task.shape(*series[0][:2]), task.shape(*series[-1][:2]))


def _passes_law(law: dict[Shape, float]) -> dict[int, float]:
    return _summed((len(shape.radices), chance) for shape, chance in law.items())


def _spaces_law(task: Task, law: dict[Shape, float]) -> dict[int, float]:
    finished = len(task.finished)
    return _summed((spaces_used(shape.radices, finished), chance) for shape, chance in law.items())


def _summed(chances: Iterable[tuple[Value, float]]) -> dict[Value, float]:
    law: dict[Value, float] = {}
    for value, chance in chances:
        law[value] = law.get(value, 0.0) + chance
    return {value: chance for value, chance in law.items() if chance >= NEGLIGIBLE}


def _quantile(law: dict[int, float], level: float) -> int:
    """Return the least value that is not exceeded with probability `level`."""
    target = level * sum(law.values()) - ROUNDING  # the law may reach one half exactly
    values = sorted(law)
    so_far = accumulate(law[value] for value in values)
    return next(value for value, chance in zip(values, so_far, strict=True) if chance >= target)


def _spaces_for(task: Task, passes: int) -> int:
    """Return the spaces on which nearly every order takes at most `passes`.

    Whether the passes keep the order or turn it makes no difference to the law: an order turned around needs as many
    keys kept as the order itself needs turned, and is equally likely.
    """
    law = _summed(
        (kept if task.never_from_bottom else min(kept, turned), chance)
        for series in _key_law(task)
        for kept, turned, chance in series
    )
    finished = len(task.finished)
    return spaces_used(radices(_quantile(law, NEARLY_ALWAYS), passes, finished), finished)


def _tallest(task: Task, shape: Shape) -> int:
    """Return an estimate of the height of the tallest pile.

    A pile holds the cards of some keys; the number of cards with one key has mean cards/keys and a variance of
    about 0.873 (Knuth, TAOCP 3, section 5.1.3, long runs). The tallest of all piles is estimated as the largest of
    as many normal values, by Blom's formula, with Tukey's approximation of the quantile.
    """
    if task.counted_off:
        return _tallest_with_hands(task, shape)
    loose = task.goal.loose(task.cards)
    highest = float(max(task.finished, default=0))
    keys = max(1.0, (task.gathered - loose) / 2)
    level = (sum(shape.radices) - 0.375) / (sum(shape.radices) + 0.25)
    for radix in filter(None, shape.radices):
        mean = (task.gathered - loose) / radix
        normal = 4.91 * (level**0.14 - (1 - level) ** 0.14)
        spread = 0.0 if task.classic else sqrt(RUN_VARIANCE * keys / radix)
        highest = max(highest, loose + mean + normal * spread)
    return min(task.cards, ceil(highest))


def _tallest_with_hands(task: Task, shape: Shape) -> int:
    """Return the height of the tallest pile if hands are counted off: exact without a stock, else an estimate."""
    stock, capacity = task.cards - sum(task.goal.piles), prod(shape.radices)
    keys = stock if task.classic else min((stock + 1) // 2, capacity - len(task.goal.piles))
    sizes = [stock / max(1, keys)] * keys + list(reversed(task.goal.piles))
    heights: dict[tuple[int, int], float] = {}
    for key, size in enumerate(sizes):
        code = code_of(key, len(sizes), capacity)
        for number, radix in enumerate(shape.radices):
            code, space = divmod(code, radix)
            heights[number, space] = heights.get((number, space), 0.0) + size
    return ceil(max(heights.values()) - ROUNDING)


def _minutes(task: Task, shape: Shape, pace: Pace) -> float:
    finished = len(task.finished)
    seconds = 0.0
    for number, radix in enumerate(shape.radices):
        first = number == 0
        spaces = radix + finished if first else radix
        cards = task.cards if first else task.gathered
        card = pace.of_a_card(spaces) + (TURN / 2 if first and task.turn else 0.0)
        seconds += ceil(cards / task.dealers) * card + radix * task.dealers * pace.pile + pace.step
    return floor(seconds / 6 + 0.5) / 10  # halves are rounded up, as on the page


def _judge(task: Task, passes: int, more: float, tallest: int) -> tuple[str, tuple[str, ...]]:
    reasons = []
    loose = task.goal.loose(task.cards)
    topples = tallest - loose  # the loose cards are equally many on every mat, and may lie in two piles
    if passes > 2:
        reasons.append(f"{passes} passes take long: a mat with more spaces needs fewer")
    if more >= 1 - NEARLY_ALWAYS:
        reasons.append(f"{more:.0%} of all orders take one pass more")
    if topples > TALL:
        reasons.append(f"piles of {topples} cards {'fall over' if topples > TOPPLING else 'are hard to square'}")
    if loose:
        reasons.append(f"only the top {task.cards - loose} will be in random order: do not use the others")
    if passes > 3 or topples > TOPPLING:
        return "awkward", tuple(reasons)
    return ("slow" if passes > 2 or topples > TALL else "good"), tuple(reasons)


def _suggestions(task: Task) -> tuple[Suggestion, ...]:
    """Return the smallest mat for each useful number of passes that nearly every order keeps there."""
    grids = {mat.columns * mat.rows: mat for mat in reversed(PRESETS)}
    for columns, rows in reversed(task.mat.grids()):
        grids[columns * rows] = Mat(columns, rows)
    own = _need_of_nearly_all(task)
    best: dict[int, Suggestion] = {}
    for spaces in sorted(grids):
        try:
            smaller = replace(task, mat=grids[spaces])
        except FairdeckError:  # too small for this goal
            continue
        if smaller.counted_off > task.counted_off:  # hands that lie on the mat are not counted off a smaller one
            continue
        other = _need_of_nearly_all(smaller)
        if other.passes < own.passes or (other.passes == own.passes and spaces < task.mat.spaces):
            best.setdefault(other.passes, other)
    return tuple(best[passes] for passes in sorted(best))


def _need_of_nearly_all(task: Task) -> Suggestion:
    """Return the passes and spaces that are enough for nearly every order on the task's own mat."""
    law = _shape_law(task)
    passes = _quantile(_passes_law(law), NEARLY_ALWAYS)
    within = {shape: chance for shape, chance in law.items() if len(shape.radices) <= passes}
    return Suggestion(str(task.mat), passes, _quantile(_spaces_law(task, within), NEARLY_ALWAYS))
