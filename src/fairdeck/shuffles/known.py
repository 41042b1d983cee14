"""What is known of a shuffle: its name, its model and laws, its defect; and the parameters that a model takes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeAlias, runtime_checkable

from fairdeck.errors import FairdeckError
from fairdeck.permutation import identity, then

if TYPE_CHECKING:
    from fractions import Fraction
    from random import Random

    from fairdeck.shuffles.distances import Distance

#: A shuffle: called with a number of cards and a source of randomness, it returns an arrangement, bottom first.
Shuffle = Callable[[int, "Random"], Sequence[int]]
Value: TypeAlias = int | float


@runtime_checkable
class Streaming(Protocol):
    """A shuffle with a memory: it makes decks one after another."""

    def stream(self, n: int, rng: "Random") -> Iterator[Sequence[int]]:
        """Yield arrangements of `n` cards for ever, drawn from `rng`."""
        ...


class KernelRow(NamedTuple):
    """A shuffle as `fairdeck.bulk.hand_shuffles` does it: which of its moves, with two numbers and three chances."""

    move: str
    first: int = 0
    second: int = 0
    p: "Fraction | float" = 0
    q: "Fraction | float" = 0
    r: "Fraction | float" = 0


class Model:
    """A shuffle that tells what is known of it. A model overrides what theory knows; the rest stays unknown.

    Attributes:
        joins: other models that have a law together with this one, see `law`.
        guess: why the model is a guess at what hands do, in a few words; empty if it was compared with real ones.
    """

    __slots__ = ()
    guess: ClassVar[str] = ""
    joins: ClassVar[tuple[type["Model"], ...]] = ()

    def __call__(self, n: int, rng: "Random") -> Sequence[int]:
        raise NotImplementedError

    @property
    def deterministic(self) -> bool:
        """Whether it always makes the same order."""
        return False

    @classmethod
    def law(cls, in_turn: Sequence[Any], n: int) -> "Distance | None":
        """Return how far from uniform `n` cards are after these models, one after another; None if no law is known.

        Args:
            in_turn: models of this class, 1 to 1,000, and of the classes in `joins`.
            n: cards, 2 to 1,000.
        """
        return None

    def support(self, n: int, times: int = 1) -> int | None:
        """Return how many orders `times` in a row can make of `n` cards, or an upper bound; None if not known."""
        return 1 if self.deterministic else None

    def cutoff(self, n: int) -> float | None:
        """Return about how many in a row bring down the total variation of `n` cards; None if no theorem says."""
        return None

    def guesses(self, n: int, times: int = 1) -> "Fraction | None":
        """Return how many of `n` cards a player who sees each guesses right at best after `times`, if known."""
        return None

    def period(self, n: int) -> int | None:
        """Return how many in a row bring `n` cards back, for a model that always makes the same order; else None."""
        return None

    def kernel_row(self, n: int) -> KernelRow | None:
        """Return how the fast kernel makes decks of `n` cards by this model; None if it cannot."""
        return None


@dataclass(frozen=True, slots=True)
class Known:
    """A shuffle with its name and what is known of it.

    Attributes:
        name: as it is typed, in lower case with hyphens, such as ``modulo-8``, ``shelf(20)`` or ``riffle*7``.
        shuffle: the shuffle itself, ``shuffle(n, rng)``, or an object with ``stream(n, rng)``.
        says: its defect, or why it is fair, in one plain sentence.
        source: the paper, book or program it is from.
        fair: whether all n! orders are equally likely (and the decks independent).
        carried: whether each deck starts from the one before instead of from the sorted deck.
        least: the fewest cards it works with.
        by_hand: whether hands do it, or a machine that moves cards, rather than a program.
        kernel: which kernel of its own makes its decks for the lab: the same law, other decks; empty if it
            has none. A `Model` has a `Model.kernel_row` instead.
    """

    name: str
    shuffle: Shuffle | Streaming
    says: str
    source: str
    fair: bool = False
    carried: bool = False
    least: int = 1
    by_hand: bool = False
    kernel: str = ""

    def decks(self, n: int, rng: "Random") -> Iterator[Sequence[int]]:
        """Yield decks of `n` cards, bottom first, for ever, drawn from `rng`."""
        if n < self.least:
            raise FairdeckError(f"{self.name} needs {self.least} cards or more; the deck has {n}")
        if isinstance(self.shuffle, Streaming):
            yield from self.shuffle.stream(n, rng)
            return
        deck: Sequence[int] = identity(n)
        while True:
            if self.carried:
                deck = then(deck, self.shuffle(n, rng))
                yield deck
            else:
                yield self.shuffle(n, rng)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that a model takes.

    Attributes:
        name: as it is typed.
        says: what it is, with its unit, in a few words.
        kind: `int` or `float`.
        least: the smallest value.
        most: the largest value.
        default: its value if it is not given; None if the model then works without it.
        needed: whether it must be given.
        named: whether it must be given with its name, as in ``riffle(cut=0.6)``.
    """

    name: str
    says: str
    kind: type[int] | type[float]
    least: Value
    most: Value
    default: Value | None = None
    needed: bool = False
    named: bool = False


@dataclass(frozen=True, slots=True)
class Family:
    """Shuffles of one kind that differ in their parameters.

    Attributes:
        name: as it is typed in front of the parameters.
        takes: the parameters, in the order in which they are typed without their names.
        make: returns the model; takes each parameter by name, None for one without a value.
        says: what all of them do, in one plain sentence.
        source: the paper or book they are from.
        example: one of them.
        by_hand: as for `Known`.
        least: as for `Known`.
    """

    name: str
    takes: tuple[Parameter, ...]
    make: Callable[..., Shuffle | Streaming]
    says: str
    source: str
    example: str
    by_hand: bool = True
    least: int = 1

    def member(self, told: Mapping[str, Value]) -> Known:
        """Return the shuffle with the parameters that are `told`; the others have their defaults.

        Raises:
            FairdeckError: a needed parameter is missing, or the parameters do not fit together.
        """
        for parameter in self.takes:
            if parameter.needed and parameter.name not in told:
                raise FairdeckError(f"{self.name} needs its {parameter.name}, as in {self.example}")
        values: dict[str, Any] = {
            parameter.name: told.get(parameter.name, parameter.default) for parameter in self.takes
        }
        return Known(
            self.name + (f"({self._written(told)})" if told else ""),
            self.make(**values),
            says=self.says,
            source=self.source,
            least=self.least,
            by_hand=self.by_hand,
        )

    def _written(self, told: Mapping[str, Value]) -> str:
        words, in_turn = [], True
        for parameter in self.takes:
            in_turn = in_turn and parameter.name in told and not parameter.named
            if parameter.name in told:
                value = told[parameter.name]
                words.append(
                    ("" if in_turn else f"{parameter.name}=") + repr(int(value) if value == int(value) else value)
                )
        return ", ".join(words)
