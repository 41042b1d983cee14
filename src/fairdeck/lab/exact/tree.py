"""The walk over all ways that a shuffle can go, and the law that they add up to."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from fairdeck.errors import FairdeckError
from fairdeck.lab.exact.generator import Enumerated
from fairdeck.lab.exact.way import Looped, OverBudget, Pruned, Refused, Way
from fairdeck.permutation import Permutation

LEAVES = 5_000_000
EPS = 1e-12
LEAST_EPS = 1e-30
PLAYS_WITHOUT_DRAWS = 20
FIRST_GUESS = 5_000  # ways after which it is guessed how many there are
HOPELESS = 2  # times too many, by that guess
STALLED = 1000  # times too slow where ways have no end: of those, some are far likelier than others

Play = Callable[[Enumerated], Permutation]
Progress = Callable[[int, Callable[[], float]], None]


@dataclass(frozen=True, slots=True)
class OrderLaw:
    """How likely each order of a deck is after a shuffle, exactly.

    Attributes:
        cards: the cards of the deck.
        orders: the probability of each order that can come, base first.
        unresolved: the probability of what was not followed to its end; with it they add up to 1.
        leaves: the ways that were followed.
        grain: a whole number of which every probability is a whole number of parts, or None where
            that is not known. Where all ways are equally likely it is their number.
        notes: what else a reader should know, in sentences.
    """

    cards: int
    orders: dict[Permutation, Fraction]
    unresolved: Fraction = Fraction(0)
    leaves: int = 1
    grain: int | None = None
    notes: tuple[str, ...] = ()


class Fault(FairdeckError):
    """The shuffle under enumeration failed; the message says how and after which draws."""


@dataclass
class _Levels:
    """What the open nodes of the tree have gathered, outermost first: orders, the unresolved, ways that came back.

    Keys are orders, None for what is unresolved, and a number of choices for what came back to there.
    """

    nodes: list[tuple[Fraction, dict[Permutation | int | None, Fraction]]] = field(default_factory=list)

    def add(self, way: Way, key: Permutation | int | None) -> None:
        self.nodes += [(Fraction(*mass), {}) for mass in way.masses[len(self.nodes) :]]
        mass, found = self.nodes[-1]
        found[key] = found.get(key, Fraction(0)) + mass

    def close(self, depth: int) -> dict[Permutation | int | None, Fraction]:
        """Close all nodes after `depth` choices or more, and return what the last one gathered."""
        found: dict[Permutation | int | None, Fraction] = {}
        while len(self.nodes) > depth:
            mass, found = self.nodes.pop()
            back = found.pop(len(self.nodes), Fraction(0))
            if back == mass:
                raise Fault("it can go on drawing for ever: after some draws it never ends")
            if back:
                found = {key: value * mass / (mass - back) for key, value in found.items()}
            if self.nodes:
                into = self.nodes[-1][1]
                for key, value in found.items():
                    into[key] = into.get(key, Fraction(0)) + value
        return found


class Tree:
    """All ways that a shuffle can go.

    Args:
        play: makes one deck from a generator, as a permutation; it must do the same for the same draws.
        cards: the cards of its deck.
        leaves: how many ways may be followed.
        eps: how much probability may be left unresolved where the ways have no end.
        progress: is told after each way how many were followed, and what says which share of the whole that is.
    """

    def __init__(
        self, play: Play, cards: int, *, leaves: int = LEAVES, eps: float = EPS, progress: Progress | None = None
    ) -> None:
        self.play = play
        self.cards = cards
        self.leaves = leaves
        self.eps = eps
        self.progress = progress
        self.rng = Enumerated()
        self.at_once = cards  # smaller draws are decided when they are made

    def law(self) -> OrderLaw:
        """Follow all ways and return the law.

        Raises:
            OverBudget: there are more than `leaves`, or too many to bring the unresolved below `eps`.
            Fault: the shuffle failed.
            FairdeckError: it cannot be seen through.
        """
        try:
            return self._law()
        except Fault as fault:
            # What C code makes of its arguments may call for plain numbers: try once more with those.
            if not isinstance(fault.__cause__, TypeError):
                raise
            self.at_once = sys.maxsize
            return self._law()

    def _law(self) -> OrderLaw:
        try:
            return _Walk(self, self.eps, self.leaves).plain()
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
        """Return the law without anything unresolved, if that takes little more: unlikely ways may end too."""
        if not law.unresolved:
            return law
        try:
            finished = _Walk(self, LEAST_EPS**2, min(self.leaves, 1000 + 8 * law.leaves)).endless()
        except OverBudget:
            return law
        return law if finished.unresolved else finished


class _Walk:
    """One walk over a tree."""

    def __init__(self, tree: Tree, least: float, leaves: int) -> None:
        self.tree = tree
        self.most = leaves
        self.way = Way(tree.leaves, tree.at_once)
        self.way.least = least
        self.rng = tree.rng
        self.rng.follow(self.way)
        self.leaves = 0
        self._done_by_half = 0.0

    def plain(self) -> OrderLaw:
        """Return the law of a tree whose ways all end.

        Raises:
            Pruned: one is too unlikely to be followed.
        """
        found: dict[int, dict[Permutation, int]] = {}
        masses: set[tuple[int, int]] = set()
        shared: dict[Fraction, Fraction] = {}  # one fraction for all orders that have it: there can be millions
        for key in self._keys():
            assert isinstance(key, tuple)  # noqa: S101 - only endless trees have other ends
            masses.add(self.way.masses[-1])
            number, all_ = self.way.masses[-1]
            counts = found.setdefault(all_, {})
            counts[key] = counts.get(key, 0) + number
        orders: dict[Permutation, Fraction] = {}
        for all_, counts in found.items():
            for order, number in counts.items():
                chance = Fraction(number, all_) + orders.get(order, 0)
                orders[order] = shared.setdefault(chance, chance)
        return self._law(orders, Fraction(0), lcm(*[Fraction(*mass).denominator for mass in masses]))

    def endless(self) -> OrderLaw:
        """Return the law of a tree with ways that have no end."""
        from fairdeck.lab.exact.rejection import Watch  # only such trees need it

        watch = self.rng.watch = Watch(self.way)
        watch.rng = self.rng
        levels = _Levels()
        sums: dict[Permutation | int | None, Fraction] = {}
        for key in self._keys():
            levels.add(self.way, key)
            sums = levels.close(self._kept())
        unresolved = sums.pop(None, Fraction(0))
        return self._law({key: value for key, value in sums.items() if isinstance(key, tuple)}, unresolved, None)

    def _law(self, orders: dict[Permutation, Fraction], unresolved: Fraction, grain: int | None) -> OrderLaw:
        assert sum(orders.values()) + unresolved == 1, "the ways do not add up"  # noqa: S101 - a belief worth checking always
        if self.leaves == 1:
            self._doubt(next(iter(orders)))
        return OrderLaw(
            self.tree.cards, dict(sorted(orders.items())), unresolved, self.leaves, grain, tuple(sorted(self.way.notes))
        )

    def _kept(self) -> int:
        """Return how many choices of this way the next one shares with it."""
        way = self.way
        kept = len(way.choices)
        while kept:
            options = way.options[kept - 1]
            if way.choices[kept - 1] + 1 < (options if isinstance(options, int) else len(options)):
                break
            kept -= 1
        return kept

    def _keys(self) -> Iterator[Permutation | int | None]:
        """Follow each way, and yield the order at its end, None, or the number of choices that it came back to."""
        way, progress = self.way, self.tree.progress
        while True:
            key = self._end()
            self.leaves += 1
            again = way.choices and self.leaves & (self.leaves - 1) == 0 and isinstance(key, tuple)
            if again and self._end() != key:
                raise way.stray()
            yield key
            if progress is not None:
                progress(self.leaves, way.done)
            if not way.advance():
                return
            self._budget()

    def _budget(self) -> None:
        most = self.most
        if self.leaves >= most:
            raise OverBudget(self._too_many(most))
        if self.leaves % FIRST_GUESS == 0 and self.leaves <= 8 * FIRST_GUESS:
            guess = self.leaves / max(self.way.done(), 1e-300)
            if guess > HOPELESS * most:
                raise OverBudget(self._too_many(most))
        if self.rng.watch:
            self._see_whether_it_moves(most)

    def _see_whether_it_moves(self, most: int) -> None:
        """Give up where attempts without end multiply: the ways that are followed then are all next to impossible."""
        if self.leaves == FIRST_GUESS:
            self._done_by_half = self.way.done()
        elif self.leaves == 2 * FIRST_GUESS:
            left = 1 - self.way.done()
            moved = self.way.done() - self._done_by_half
            if moved * most * STALLED < left * FIRST_GUESS:
                raise OverBudget(self._too_many(most))

    def _too_many(self, most: int) -> str:
        done = self.way.done()
        needed = self.leaves / max(done, 1e-300)
        about = f"about {needed:,.0f}" if needed < 1e15 else f"about {needed:.0e}"
        if self.rng.watch:
            return (
                f"it draws too often, or without end: {self.leaves:,} ways leave {1 - done:.3%} of all unresolved, and "
                f"{most:,} (--leaves) will not do. A loop that draws again is followed to its end only where it stands "
                "as before, with one draw each time round; take fewer --cards or a larger --eps, or sample it with "
                "fairdeck test"
            )
        return f"it can go {about} ways, more than {most:,} (--leaves): take fewer --cards, or more --leaves and time"

    def _end(self) -> Permutation | int | None:
        """Play once, and say how it ended."""
        try:
            return self._played()
        except Looped as looped:
            watch = self.rng.watch
            return looped.depth if watch is not None and watch.settle(self._played) else self._end()
        except Pruned:
            if self.rng.watch is None:
                raise
            return None

    def _played(self) -> Permutation:
        way = self.way
        way.begin()
        if self.rng.watch is not None:
            self.rng.watch.begin()
        error: BaseException | None = None
        try:
            order = self.tree.play(self.rng)
        except KeyboardInterrupt:
            raise
        except BaseException as raised:
            error = raised
        # Whoever caught what stops a way, and went on, does not get through with it.
        if way.refusal is not None:
            raise way.refusal
        if error is not None:
            if isinstance(error, Fault):
                raise Fault(f"{error}, {way.says()}") from None
            if isinstance(error, FairdeckError):
                raise error
            raise Fault(f"it raised {_named(error)}, {way.says()}") from error
        if way.depth < len(way.choices):
            raise way.stray()
        return order

    def _doubt(self, order: Permutation) -> None:
        """Play a few times more, since nothing that was drawn made a difference."""
        for _ in range(PLAYS_WITHOUT_DRAWS):
            if self._end() != order:
                raise Refused(
                    "it draws nothing that can be seen, and yet gives different decks: its randomness comes from "
                    "elsewhere (numpy, the clock, a generator hidden in an object); let it take a parameter rng, "
                    "a random.Random, and draw from that"
                )


def _named(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
