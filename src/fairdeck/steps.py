"""What hands are told to do, as data: a machine does it, forwards, on signed cards.

A `Step` has words, and the acts that they tell; both are made in one place, from the same numbers. An act is a function
of this room (or `fairdeck.advice.tasks.planned`) and what it is done with, such as ``(cut, "deck", "cut off")``. Acts
change a `Table`: place -> cards, the top one first; a card is its number, and whether it is turned. Cards are moved,
never looked at. Choices are left to a `Chance`: `Law` follows all of them, so its chances are exact; `performed` lets a
random source choose.

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
Act = tuple[Callable[..., None], *tuple[object, ...]]
Shape = tuple[tuple[str, int], ...]  # places in the order of their names, and how many cards lie there
Moves = list[tuple[Fraction, Shape, bytes]]  # the chance, what lies where then, and where each card goes
DECK, CUT_OFF = "deck", "cut off"
TURNED = 128  # is added to the number of a place where a card lies turned; fewer cards are followed


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do: its words, its acts (none for a remark), and who does it (empty for nobody in particular)."""

    says: str
    acts: tuple[Act, ...] = ()
    who: str = ""

    def __str__(self) -> str:
        return self.says


class Table(dict[str, Sequence[Card]]):
    """The cards that lie at each place, the top one first."""

    def take(self, place: str) -> Sequence[Card]:
        """Take up all cards of a place."""
        if place not in self:
            raise FairdeckError(f"no cards were laid at {place!r}; they lie at {', '.join(map(repr, sorted(self)))}")
        return self.pop(place)

    def lay(self, place: str, cards: Iterable[Card]) -> None:
        """Lay cards down where none lie."""
        if place in self:
            raise FairdeckError(f"cards lie at {place!r} already")
        self[place] = tuple(cards)

    def do(self, act: Act, chance: "Chance") -> None:
        """Do one thing; no card may be lost."""
        before = sum(map(len, self.values()))
        act[0](self, chance, *act[1:])
        if (after := sum(map(len, self.values()))) != before:
            raise FairdeckError(f"{before} cards became {after}")

    def ended(self, places: Collection[str]) -> "Table":
        """Return the table if all cards lie at these places."""
        if left := [place for place, cards in self.items() if cards and place not in places]:
            raise FairdeckError(f"cards are left at {', '.join(map(repr, left))}")
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
        """Return the chance of the path that was followed."""
        self._depth = 0
        return prod([Fraction(weights[at], sum(weights)) for at, weights in self._path], start=Fraction(1))

    def more(self) -> bool:
        """Go on to the next path; False if there is none."""
        while self._path:
            at, weights = self._path.pop()
            if at + 1 < len(weights):
                self._path.append((at + 1, weights))
                return True
        return False


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
        return cls({((DECK, cards),): {bytes(range(cards)): 1}}).after(steps)

    def after(self, steps: Iterable[Step]) -> "Law":
        """Return the law after more steps."""
        law = self
        for step in steps:
            law = law.moved(partial(_moves, step.acts))
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
    for step in steps:
        for act in step.acts:
            table.do(act, chance)
    return table.ended(places)


def _laid(shape: Shape, cards: Iterable[Card]) -> Table:
    left = iter(cards)
    return Table({place: list(islice(left, size)) for place, size in shape})


@lru_cache(maxsize=1024)
def _moves(acts: tuple[Act, ...], shape: Shape) -> Moves:
    """Return all that acts can do to what lies there."""
    law = Law({shape: {bytes(range(sum(size for _, size in shape))): 1}})
    for act in acts:
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


def cut(table: Table, chance: Chance, place: str, aside: str, upper: int = 1, lower: int = 1) -> None:
    """Lay the upper part aside: each card belongs to it with chance ``upper / (upper + lower)``."""
    cards = table.take(place)
    n = len(cards)
    at = chance.pick(*[comb(n, k) * upper**k * lower ** (n - k) for k in range(n + 1)])
    table.lay(aside, cards[:at])
    table.lay(place, cards[at:])


def mesh(table: Table, chance: Chance, place: str, other: str, clumps: int = 0) -> None:
    """Push two parts into each other: all interleavings; or, from the top, clumps of so many cards on average."""
    parts = [list(table.take(name))[::-1] for name in (place, other)]  # pop takes the top card
    side, meshed = chance.pick(1, 1) if clumps else 0, []
    while all(parts):
        side = side if clumps else chance.pick(*map(len, parts))
        meshed.append(parts[side].pop())
        side ^= chance.pick(clumps - 1, 1) if clumps else 0
    table.lay(place, meshed + [card for part in parts for card in reversed(part)])


def turn(table: Table, _: Chance, place: str) -> None:
    """Turn the cards round, end for end: the order stays."""
    table.lay(place, [(card, not turned) for card, turned in table.take(place)])


def toss(table: Table, chance: Chance, place: str) -> None:
    """Deal onto one pile; a coin says of each card whether it is turned."""
    table.lay(place, reversed([(card, turned ^ bool(chance.pick(1, 1))) for card, turned in table.take(place)]))


def stack(table: Table, _: Chance, places: Iterable[str], place: str) -> None:
    """Stack the cards of these places, the first named on top."""
    table.lay(place, [card for name in places for card in table.take(name)])


def part(table: Table, _: Chance, place: str, pieces: Iterable[tuple[str, int]]) -> None:
    """Cut into pieces of so many cards, the top one first: where each is laid, and how many cards it has."""
    left = iter(table.take(place))
    for name, size in pieces:
        table.lay(name, islice(left, size))


def deal(table: Table, _: Chance, place: str, piles: Sequence[str]) -> None:
    """Deal the cards one by one onto these piles, again and again; a pile may be named more than once."""
    cards = table.take(place)
    for name in dict.fromkeys(piles):
        table.lay(name, [card for at, card in enumerate(cards) if piles[at % len(piles)] == name][::-1])


def shelve(table: Table, chance: Chance, place: str, shelves: int) -> None:
    """Lay each card onto a random shelf, on top or beneath; stack the shelves."""
    piles: list[list[Card]] = [[] for _ in range(shelves)]
    for card in table.take(place):
        shelf, beneath = divmod(chance.below(2 * shelves), 2)
        piles[shelf].insert(len(piles[shelf]) if beneath else 0, card)
    table.lay(place, [card for pile in piles for card in pile])


def strip(table: Table, chance: Chance, place: str, packet: int) -> None:
    """Take packets off the top, of so many cards on average, one onto the other."""
    packets: list[list[Card]] = [[]]
    for card in table.take(place):
        packets += [[]] if packets[0] and chance.pick(packet - 1, 1) else []
        packets[-1].append(card)
    table.lay(place, [card for each in reversed(packets) for card in each])


def stir(table: Table, chance: Chance, place: str) -> None:
    """Stir the cards until all orders are equally likely."""
    cards = list(table.take(place))
    table.lay(place, [cards.pop(chance.below(len(cards))) for _ in range(len(cards))])


def riffles(place: str, times: int) -> tuple[Act, ...]:
    """Return the acts of riffling the cards of a place."""
    return ((cut, place, CUT_OFF), (mesh, place, CUT_OFF)) * times


def mashes(place: str, times: int) -> tuple[Act, ...]:
    """Return the acts of mashing: about a third is pushed into the rest, about four cards at a time."""
    return ((cut, place, CUT_OFF, 1, 2), (mesh, place, CUT_OFF, 4)) * times
