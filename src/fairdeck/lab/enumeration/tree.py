"""The walk over all paths that a shuffle can take, and the law that they add up to."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import cycle, islice
from math import lcm
from traceback import walk_tb
from typing import TYPE_CHECKING, TypeAlias

from fairdeck.errors import FairdeckError, Terminated
from fairdeck.lab.enumeration.generator import EnumeratedRandom
from fairdeck.lab.enumeration.law import OrderLaw
from fairdeck.lab.enumeration.path import CannotEnumerate, OverBudget, Pruned, Recurrence, TreePath
from fairdeck.lab.usercode.faults import NOT_INTERCEPTED
from fairdeck.permutation import Permutation

if TYPE_CHECKING:
    from fairdeck.lab.enumeration.rejection import LoopDetector

LEAVES = 5_000_000
EPS = 1e-12
LEAST_EPS = 1e-30
REPLAYS = 300  # paths played once more at the end; if there are fewer, each of them several times
FIRST_GUESS = 5_000  # paths before the first guess at how many there are
HOPELESS = 2  # times too many, by that guess
CUT_OFF = 1_000  # paths that one walk may cut off: where attempts multiply, the next walk cuts off far more
STALLED = 1000  # times too slow where paths have no end: some of those are far likelier than others

Play = Callable[[EnumeratedRandom], Permutation]
Played: TypeAlias = tuple[list[int], list[int | tuple[int, ...]], Permutation]  # the choices, their options, the deck
OnPath = Callable[[int, Callable[[], float]], None]
# How a path ends: with an order; None, unresolved; or in the same state as after this number of choices.
End: TypeAlias = Permutation | int | None


class ShuffleFailed(FairdeckError):
    """The shuffle under enumeration failed; the message says how and after which draws."""


@dataclass
class _OpenNodes:
    """The nodes above the current leaf, outermost first: the probability of each, and what its leaves add up to."""

    nodes: list[tuple[Fraction, dict[End, Fraction]]] = field(default_factory=list)

    def add(self, path: TreePath, end: End) -> None:
        self.nodes += [(Fraction(*mass), {}) for mass in path.masses[len(self.nodes) :]]
        mass, found = self.nodes[-1]
        found[end] = found.get(end, Fraction(0)) + mass

    def close(self, depth: int) -> dict[End, Fraction]:
        """Close all nodes after `depth` choices or more, and return the sums of the last one."""
        found: dict[End, Fraction] = {}
        while len(self.nodes) > depth:
            mass, found = self.nodes.pop()
            back = found.pop(len(self.nodes), Fraction(0))
            if back == mass:
                raise ShuffleFailed("it can go on drawing for ever: after some draws it never ends")
            if back:
                found = {end: value * mass / (mass - back) for end, value in found.items()}
            if self.nodes:
                into = self.nodes[-1][1]
                for end, value in found.items():
                    into[end] = into.get(end, Fraction(0)) + value
        return found


class Tree:
    """All paths that a shuffle can take: `play` makes one deck of `cards` cards from a generator.

    It must do the same for the same draws. At most `leaves` paths are followed, and until less than `eps` of all
    probability is unresolved. `progress` is called after each path, with the number of paths so far and a function that
    returns their share of all probability; `outside` returns the name of another generator that was drawn from, or
    None. `sample` keeps some of the paths that were followed, evenly spread.
    """

    def __init__(
        self,
        play: Play,
        cards: int,
        *,
        leaves: int = LEAVES,
        eps: float = EPS,
        progress: OnPath | None = None,
        outside: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.play = play
        self.cards = cards
        self.leaves = leaves
        self.eps = eps
        self.progress = progress
        self.outside = outside
        self.rng = EnumeratedRandom()
        self.at_once = cards  # smaller draws are decided when they are made
        self.sample: list[Played] = []

    def law(self) -> OrderLaw:
        """Follow all paths and return the law; raises OverBudget, ShuffleFailed or CannotEnumerate."""
        try:
            law = self._law_of_any_code()
        except (CannotEnumerate, OverBudget, ShuffleFailed):
            self.demand_no_other()
            raise
        self.demand_no_other()
        return law

    def repeats(self, sample: list[Played]) -> bool:
        """Say whether these paths, which were followed elsewhere, have the same ends here."""
        walk = _Walk(self, 0.0, self.leaves)
        try:
            for played in reversed(sample):  # other decks come before each
                if not walk.repeats(*played):
                    return False
                if self.progress is not None:
                    self.progress(0, lambda: 1.0)
        except (CannotEnumerate, FairdeckError):
            return False
        return True

    def demand_no_other(self) -> None:
        """Raise `CannotEnumerate` if the shuffle drew from something else."""
        name = self.outside()
        if name is not None:
            raise CannotEnumerate(NOT_INTERCEPTED.format(name=name))

    def _law_of_any_code(self) -> OrderLaw:
        try:
            return self._law()
        except ShuffleFailed as fault:
            # C code may insist on plain numbers: try once more with those.
            if not isinstance(fault.__cause__, TypeError):
                raise
            self.at_once = sys.maxsize
            return self._law()

    def _law(self) -> OrderLaw:
        try:
            return _Walk(self, self.eps, self.leaves).finite()
        except Pruned:
            pass
        least = self.eps
        while least >= LEAST_EPS:
            law = _Walk(self, least, self.leaves).endless()
            if law.unresolved <= self.eps:
                return self._finished(law)
            least /= 100
        raise OverBudget(f"it leaves {float(law.unresolved):.0e} of all unresolved: take a larger --eps")

    def _finished(self, law: OrderLaw) -> OrderLaw:
        """Return the law with nothing unresolved, if a few more paths are enough for that and it is asked for."""
        if not law.unresolved or self.eps > EPS:
            return law
        try:
            return _Walk(self, LEAST_EPS**2, min(self.leaves, 100 + 2 * law.leaves)).endless(whole=True)
        except OverBudget:
            return law


class _Walk:
    def __init__(self, tree: Tree, least: float, leaves: int) -> None:
        self.tree = tree
        self.most = leaves
        self.path = TreePath(tree.leaves, tree.at_once)
        self.path.least = least
        self.rng = tree.rng
        self.rng.follow(self.path)
        self._loops: LoopDetector | None = None
        self.leaves = 0
        self._cut_off = 0  # paths that were too unlikely to be followed to their end
        self._done_by_half = 0.0
        self._kept: list[Played] = []
        self._every = 1

    def finite(self) -> OrderLaw:
        """Return the law of a tree with finite paths only; raise `Pruned` at a path too unlikely to be followed."""
        found: dict[int, dict[Permutation, int]] = {}
        masses: set[tuple[int, int]] = set()
        shared: dict[Fraction, Fraction] = {}  # one fraction for all orders that have it: there can be millions
        for end in self._ends():
            assert isinstance(end, tuple)  # noqa: S101 - only endless trees have other ends
            number, all_ = mass = self.path.masses[-1]
            masses.add(mass)
            counts = found.setdefault(all_, {})
            counts[end] = counts.get(end, 0) + number
        orders: dict[Permutation, Fraction] = {}
        for all_, counts in found.items():
            for order, number in counts.items():
                chance = Fraction(number, all_) + orders.get(order, 0)
                orders[order] = shared.setdefault(chance, chance)
        return self._law(orders, Fraction(0), lcm(*[Fraction(*mass).denominator for mass in masses]))

    def endless(self, *, whole: bool = False) -> OrderLaw:
        """Return the law of a tree with endless paths; if it must be `whole`, one path too unlikely is OverBudget."""
        from fairdeck.lab.enumeration.rejection import LoopDetector  # only such trees need it

        self._loops = LoopDetector(self.path, self.rng)
        self.rng.on_draw = self._loops.draw
        nodes = _OpenNodes()
        sums: dict[End, Fraction] = {}
        for end in self._ends():
            self._cut_off += end is None
            if whole and end is None:
                raise OverBudget(self._draws_again())
            nodes.add(self.path, end)
            sums = nodes.close(self._shared_with_next())
        unresolved = sums.pop(None, Fraction(0))
        return self._law({end: value for end, value in sums.items() if isinstance(end, tuple)}, unresolved, None)

    def _law(self, orders: dict[Permutation, Fraction], unresolved: Fraction, grain: int | None) -> OrderLaw:
        assert sum(orders.values()) + unresolved == 1, "the paths do not add up"  # noqa: S101 - worth checking always
        notes = tuple(sorted(self.path.notes))
        return OrderLaw(self.tree.cards, dict(sorted(orders.items())), unresolved, self.leaves, grain, notes)

    def _shared_with_next(self) -> int:
        """Return how many choices the next path shares with this one."""
        path = self.path
        kept = len(path.choices)
        while kept and path.choices[kept - 1] + 1 == path.width(kept - 1):
            kept -= 1
        return kept

    def _ends(self) -> Iterator[End]:
        path, progress = self.path, self.tree.progress
        while True:
            end = self._end()
            self.leaves += 1
            if isinstance(end, tuple):
                self._keep(end)
            yield end
            if progress is not None:
                progress(self.leaves, path.done)
            if not path.advance():
                break
            self._demand_budget()
        self._replay()

    def _keep(self, end: Permutation) -> None:
        """Keep every so many of the paths, to play them again at the end; some of them play again at once."""
        path = self.path
        if self.leaves & (self.leaves - 1) == 0:
            self.tree.demand_no_other()
            made = len(path.choices)
            if path.choices and (self._end() != end or len(path.choices) != made):
                raise path.diverged()
        if self.leaves % self._every == 0:
            self._kept.append((path.choices.copy(), path.options.copy(), end))
        if len(self._kept) > 2 * REPLAYS:
            del self._kept[::2]
            self._every *= 2

    def _replay(self) -> None:
        """Play some paths again: the same draws must give the same deck, also much later."""
        path, self._loops, self.rng.on_draw = self.path, None, None
        some = self.tree.sample = self._kept[:: -(-len(self._kept) // REPLAYS) or 1]
        for played in islice(cycle(some), REPLAYS):
            if not self.repeats(*played):
                raise path.diverged()
            if self.tree.progress is not None:
                self.tree.progress(self.leaves, lambda: 1.0)

    def repeats(self, choices: list[int], options: list[int | tuple[int, ...]], end: Permutation) -> bool:
        """Play a path that was followed before, and say whether it has the same end."""
        self.path.take(choices, options)
        return self._end() == end and len(self.path.choices) == len(choices)

    def _demand_budget(self) -> None:
        if self.leaves >= self.most:
            raise OverBudget(self._too_many())
        if self.leaves % FIRST_GUESS == 0 and self.leaves <= 8 * FIRST_GUESS:
            guess = self.leaves / max(self.path.done(), 1e-300)
            if guess > HOPELESS * self.most:
                raise OverBudget(self._too_many())
        if self._loops:
            self._demand_movement()

    def _demand_movement(self) -> None:
        """Give up where endless attempts multiply: then every path that is left is next to impossible."""
        if self.leaves == FIRST_GUESS:
            self._done_by_half = self.path.done()
        elif self.leaves == 2 * FIRST_GUESS:
            left = 1 - self.path.done()
            moved = self.path.done() - self._done_by_half
            if moved * self.most * STALLED < left * FIRST_GUESS:
                raise OverBudget(self._too_many())
        elif self.leaves > 2 * FIRST_GUESS and self._cut_off > CUT_OFF:
            raise OverBudget(self._draws_again())

    def _too_many(self) -> str:
        done = self.path.done()
        needed = self.leaves / max(done, 1e-300)
        about = f"about {needed:,.0f}" if needed < 1e15 else f"about {needed:.0e}"
        if self._loops:
            return self._draws_again(f", and {self.most:,} (--leaves) will not be enough")
        return (
            f"it has {about} paths, more than {self.most:,} (--leaves): take fewer --cards, or more --leaves and time"
        )

    def _draws_again(self, besides: str = "") -> str:
        return (
            f"it draws too often, or without end: {self.leaves:,} paths leave {1 - self.path.done():.3%} unresolved"
            f"{besides}. A loop that draws again is solved exactly only if each turn draws once and changes nothing "
            "else; take fewer --cards or a larger --eps, or sample it with fairdeck test"
        )

    def _end(self) -> End:
        loops = self._loops
        try:
            return self._played()
        except Recurrence as back:
            return back.depth if loops is not None and loops.is_proven(self._played) else self._end()
        except Pruned:
            if loops is None:
                raise
            return None

    def _played(self) -> Permutation:
        path = self.path
        path.begin()
        if self._loops is not None:
            self._loops.begin()
        error: BaseException | None = None
        try:
            order = self.tree.play(self.rng)
        except (KeyboardInterrupt, Terminated):
            raise
        except BaseException as raised:
            error = raised
        # A shuffle that catches our exception and goes on does not get away with it.
        if path.refusal is not None:
            raise path.refusal
        if isinstance(error, ShuffleFailed):
            raise ShuffleFailed(f"{error}, {path.says()}") from None
        if isinstance(error, FairdeckError):
            raise error
        if error is not None and _is_of_numpy(error):
            raise path.refuse(NOT_INTERCEPTED.format(name="numpy.random"))
        if error is not None:
            raise ShuffleFailed(f"it raised {_named(error)}, {path.says()}") from error
        if path.depth < len(path.choices):
            raise path.diverged()
        return order


def _is_of_numpy(error: BaseException) -> bool:
    """Say whether a generator of NumPy raised an error: one that was hidden in a list asks for numbers of its kind."""
    files = [frame.f_code.co_filename.replace("\\", "/") for frame, _ in walk_tb(error.__traceback__)]
    return any("numpy/random/" in file or file == "mtrand.pyx" for file in files)


def _named(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
