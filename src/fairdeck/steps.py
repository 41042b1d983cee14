"""What hands are told to do, as data: words are made from it, and a machine does it, forwards, on signed cards.

A `Step` has words and acts, made from the same fields. The machine keeps a `Table`: place -> cards, the top one first;
a card is its number, and whether it is turned. Cards are moved, never looked at. Each choice is left to a `Chance`:
`Law` follows all choices, so its chances are exact; `performed` lets a random source choose.

A step is refused if it names a place where no cards were laid, or lays cards where others lie; so are cards that are
lost, or lie at the end where nobody looks for them. Riffles are those of Gilbert, Shannon and Reeds: a binomial cut,
then all interleavings. Mashes and overhand shuffles are the models of `fairdeck.shuffles`, the mash from the top.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import accumulate, islice
from math import comb, lcm, prod
from random import Random

from fairdeck.errors import FairdeckError

Card = tuple[int, bool]
Shape = tuple[tuple[str, int], ...]  # places in the order of their names, and how many cards lie there
Act = Callable[["Table", "Chance"], None]
DECK, CUT_OFF = "deck", "cut off"
TURNED = 128  # is added to the number of a place where a card lies turned; fewer cards are followed


class Impossible(FairdeckError):
    """A step that hands cannot do."""


class Table(dict[str, Sequence[Card]]):
    """The cards that lie at each place, the top one first."""

    def take(self, place: str) -> Sequence[Card]:
        """Take up all cards of a place."""
        if place not in self:
            raise Impossible(f"no cards were laid at {place!r}; they lie at {', '.join(map(repr, sorted(self)))}")
        return self.pop(place)

    def lay(self, place: str, cards: Iterable[Card]) -> None:
        """Lay cards down where none lie."""
        if place in self:
            raise Impossible(f"cards lie at {place!r} already")
        self[place] = tuple(cards)

    def do(self, act: Act, chance: "Chance") -> None:
        """Do one thing; no card may be lost."""
        before = sum(map(len, self.values()))
        act(self, chance)
        if (after := sum(map(len, self.values()))) != before:
            raise Impossible(f"{before} cards became {after}")

    def ended(self, places: Collection[str]) -> "Table":
        """Return the table if all cards lie at these places."""
        if left := [place for place, cards in self.items() if cards and place not in places]:
            raise Impossible(f"cards are left at {', '.join(map(repr, left))}")
        return self


class Chance:
    """Choices that a random source makes."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def pick(self, *weights: int) -> int:
        """Return one of 0, 1, ..., with chances in proportion to the weights."""
        at = self._rng.randrange(sum(weights))
        return next(choice for choice, end in enumerate(accumulate(weights)) if at < end)

    def below(self, bound: int) -> int:
        """Return one of 0..bound-1, as a `fairdeck.randomness.Chooser`."""
        return self.pick(*[1] * bound)


class _EveryChance(Chance):
    """All choices, one path after another."""

    def __init__(self) -> None:
        self._path: list[tuple[int, tuple[int, ...]]] = []
        self._depth = 0

    def pick(self, *weights: int) -> int:
        if self._depth == len(self._path):
            self._path.append((0, weights))
        self._depth += 1
        return self._path[self._depth - 1][0]

    def end(self) -> Fraction:
        """Return the chance of the path that was followed, and begin the next one."""
        self._depth = 0
        return prod([Fraction(weights[at], sum(weights)) for at, weights in self._path], start=Fraction(1))

    def more(self) -> bool:
        """Whether there is another path."""
        while self._path:
            at, weights = self._path.pop()
            if at + 1 < len(weights):
                self._path.append((at + 1, weights))
                return True
        return False


class Step:
    """Something to do."""

    __slots__ = ()

    @property
    def who(self) -> str:
        """The player who does it; empty for nobody in particular."""
        return ""

    @property
    def says(self) -> str:
        """The words for it."""
        raise NotImplementedError

    def acts(self) -> Iterable[Act]:
        """Return what is done with the cards, one act after another."""
        return ()

    def steps(self) -> Sequence["Step"]:
        """Return the steps that it consists of, in the order in which they are done; none if it is a single one."""
        return ()

    def __str__(self) -> str:
        return self.says


@dataclass(frozen=True, slots=True)
class Note(Step):
    """A remark that moves no card."""

    says: str
    who: str = ""


@dataclass(frozen=True, slots=True)
class ByOne(Step):
    """What one of several players does for all."""

    step: Step

    @property
    def says(self) -> str:
        return f"One of you for all. {self.step}"

    def steps(self) -> Sequence[Step]:
        return (self.step,)


def single(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield all single steps, in the order in which they are done."""
    for step in steps:
        inner = step.steps()
        yield from single(inner) if inner else [step]


# --- the machine

Moves = list[tuple[Fraction, Shape, bytes]]  # the chance, what lies where then, and where each card goes


@dataclass(frozen=True, slots=True)
class Law:
    """The exact chance of all that can lie on the table.

    For each shape, `ways` says in how many of `all` ways the cards lie so: for card 0, 1, ... the number of its place,
    counted through the cards of all places, `TURNED` more if it lies turned.
    """

    ways: Mapping[Shape, Mapping[bytes, int]]
    all: int = 1

    @classmethod
    def of(cls, steps: Iterable[Step], cards: int) -> "Law":
        """Return the law after these steps, with a deck of so many cards."""
        law = cls({((DECK, cards),): {bytes(range(cards)): 1}})
        for step in steps:
            law = law.after(step)
        return law

    def after(self, *steps: Step) -> "Law":
        """Return the law after more steps."""
        law = self
        for step in single(steps):
            law = law.moved(partial(_moves, step))
        return law

    def moved(self, moves: Callable[[Shape], Moves]) -> "Law":
        """Return the law after what `moves` says of each shape."""
        found = {shape: moves(shape) for shape in self.ways}
        parts = lcm(*(chance.denominator for each in found.values() for chance, _, _ in each))
        after: dict[Shape, dict[bytes, int]] = {}
        for shape, ways in self.ways.items():
            for chance, to, move in found[shape]:
                there, factor = after.setdefault(to, {}), int(chance * parts)
                count = there.get
                for lie, many in ways.items():
                    new = lie.translate(move)
                    there[new] = count(new, 0) + many * factor
        return Law(after, self.all * parts)

    def variation(self, results: int) -> Fraction:
        """Return the total variation of what lies there from uniform on so many results."""
        over = sum(max(0, many * results - self.all) for ways in self.ways.values() for many in ways.values())
        return Fraction(over, self.all * results)

    def tables(self, places: Collection[str] = (DECK,)) -> Iterator[tuple[Table, Fraction]]:
        """Yield all that can lie there, and its chance; all cards must lie at these places."""
        for shape, ways in self.ways.items():
            for lie, many in ways.items():
                cards = sorted((at % TURNED, card, at >= TURNED) for card, at in enumerate(lie))
                laid = _laid(shape, [(card, turned) for _, card, turned in cards])
                yield laid.ended(places), Fraction(many, self.all)


def performed(steps: Iterable[Step], cards: int, rng: Random, places: Collection[str] = (DECK,)) -> Table:
    """Return what lies there after the steps if `rng` makes all choices; all cards must lie at these places."""
    table, chance = Table({DECK: [(card, False) for card in range(cards)]}), Chance(rng)
    for step in single(steps):
        for act in step.acts():
            table.do(act, chance)
    return table.ended(places)


def _laid(shape: Shape, cards: Iterable[Card]) -> Table:
    left = iter(cards)
    return Table({place: list(islice(left, size)) for place, size in shape})


@lru_cache(maxsize=1024)
def _moves(step: Step, shape: Shape) -> Moves:
    """Return all that a single step can do to what lies there."""
    law = Law({shape: {bytes(range(sum(size for _, size in shape))): 1}})
    for act in step.acts():
        law = law.moved(partial(_followed, act))
    each = [(to, lie, many) for to, ways in law.ways.items() for lie, many in ways.items()]
    return [(Fraction(many, law.all), to, _either_way_up(lie)) for to, lie, many in each]


def _followed(act: Act, shape: Shape) -> Moves:
    """Return all that an act can do to what lies there."""
    cards, chance = sum(size for _, size in shape), _EveryChance()
    found: Moves = []
    while not found or chance.more():
        table = _laid(shape, [(card, False) for card in range(cards)])
        table.do(act, chance)
        lie, after = bytearray(cards), sorted(table.items())
        for at, (card, turned) in enumerate(each for _, held in after for each in held):
            lie[card] = at + TURNED * turned
        found.append((chance.end(), tuple((place, len(held)) for place, held in after), _either_way_up(lie)))
    return found


def _either_way_up(lie: bytes | bytearray) -> bytes:
    """Return where cards go, whether or not they lie turned before: a table for `bytes.translate`."""
    return bytes(lie).ljust(TURNED, b"\0") + bytes(at ^ TURNED for at in lie).ljust(TURNED, b"\0")


# --- what hands do to cards


def cut(place: str, aside: str = CUT_OFF, upper: int = 1, lower: int = 1) -> Act:
    """Lay the upper part aside: each card belongs to it with chance ``upper / (upper + lower)``."""

    def act(table: Table, chance: Chance) -> None:
        cards = table.take(place)
        n = len(cards)
        at = chance.pick(*[comb(n, k) * upper**k * lower ** (n - k) for k in range(n + 1)])
        table.lay(aside, cards[:at])
        table.lay(place, cards[at:])

    return act


def mesh(place: str, other: str = CUT_OFF, clumps: int = 0) -> Act:
    """Push two parts into each other: all interleavings; or, from the top, clumps of so many cards on average."""

    def act(table: Table, chance: Chance) -> None:
        parts = [list(table.take(name))[::-1] for name in (place, other)]  # pop takes the top card
        side, meshed = chance.pick(1, 1) if clumps else 0, []
        while all(parts):
            side = side if clumps else chance.pick(*map(len, parts))
            meshed.append(parts[side].pop())
            side ^= chance.pick(clumps - 1, 1) if clumps else 0
        table.lay(place, meshed + [card for part in parts for card in reversed(part)])

    return act


def riffles(place: str, times: int) -> list[Act]:
    """Riffle the cards of a place."""
    return [cut(place), mesh(place)] * times


def mashes(place: str, times: int) -> list[Act]:
    """Push about a third of the cards of a place into the rest, about four at a time."""
    return [cut(place, CUT_OFF, 1, 2), mesh(place, clumps=4)] * times


def turn(place: str) -> Act:
    """Turn the cards round, end for end: the order stays."""
    return lambda table, _: table.lay(place, [(card, not turned) for card, turned in table.take(place)])


def stack(places: Sequence[str], place: str) -> Act:
    """Stack the cards of these places, the first named on top."""
    return lambda table, _: table.lay(place, [card for name in places for card in table.take(name)])


def parted(place: str, pieces: Callable[[int], Sequence[tuple[str, int]]]) -> Act:
    """Cut into the `pieces` of so many cards: where each is laid, the top one first, and how many cards it has."""

    def act(table: Table, _: Chance) -> None:
        cards = table.take(place)
        left = iter(cards)
        for name, size in pieces(len(cards)):
            table.lay(name, islice(left, size))

    return act


def evenly(places: Sequence[str]) -> Callable[[int], list[tuple[str, int]]]:
    """Return how to cut into as many pieces, whose sizes differ by one card at most."""
    many = len(places)
    return lambda cards: [(name, cards * (at + 1) // many - cards * at // many) for at, name in enumerate(places)]


def dealt(place: str, choose: Callable[[int, Chance], tuple[str, bool, bool]], piles: Iterable[str] = ()) -> Act:
    """Deal from the top: card 0, 1, ... goes onto a pile, or beneath it, and may be turned. `piles` may stay empty."""

    def act(table: Table, chance: Chance) -> None:
        made: dict[str, list[Card]] = {name: [] for name in piles}
        for at, (card, turned) in enumerate(table.take(place)):
            name, beneath, round_ = choose(at, chance)
            pile = made.setdefault(name, [])
            pile.insert(len(pile) if beneath else 0, (card, turned ^ round_))
        for name, cards in made.items():
            table.lay(name, cards)

    return act


def stripped(place: str, packet: int) -> Act:
    """Take packets off the top, of so many cards on average, one onto the other."""

    def act(table: Table, chance: Chance) -> None:
        packets: list[list[Card]] = [[]]
        for card in table.take(place):
            packets += [[]] if packets[0] and chance.pick(packet - 1, 1) else []
            packets[-1].append(card)
        table.lay(place, [card for each in reversed(packets) for card in each])

    return act


def in_any_order(place: str) -> Act:
    """Stir the cards of a place until all orders are equally likely."""

    def act(table: Table, chance: Chance) -> None:
        cards = list(table.take(place))
        table.lay(place, [cards.pop(chance.below(len(cards))) for _ in range(len(cards))])

    return act
