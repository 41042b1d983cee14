"""What is known of a shuffle: its name, its model, its defect; and which parameters a model may be told."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from fairdeck.errors import FairdeckError
from fairdeck.permutation import identity, then

if TYPE_CHECKING:
    from random import Random

Shuffle = Callable[[int, "Random"], Sequence[int]]
Value: TypeAlias = int | float


@runtime_checkable
class Streaming(Protocol):
    """A shuffle with a memory: it makes decks one after another."""

    def stream(self, n: int, rng: "Random") -> Iterator[Sequence[int]]:
        """Yield arrangements of `n` cards for ever."""
        ...


@dataclass(frozen=True, slots=True)
class Known:
    """A shuffle with its name and what is known of it.

    Attributes:
        name: as it is typed, in lower case with hyphens, such as ``modulo-8``, ``shelf(20)`` or ``riffle*7``.
        shuffle: the shuffle itself, ``shuffle(n, rng)``, or an object with ``stream(n, rng)``.
        fair: whether all n! orders are equally likely (and the decks independent).
        says: its defect, or why it is fair, in one plain sentence.
        source: the paper, book or program it is from.
        carried: whether each deck starts from the one before instead of from the sorted deck.
        least: the fewest cards it works with.
        by_hand: whether hands do it, or a machine that moves cards, rather than a program.
        kernel: which kernel of its own makes its decks for the lab: the same law, other decks; none if
            empty. What hands do needs no name here: `fairdeck.lab.kernels.hands` knows the models.
    """

    name: str
    shuffle: Shuffle | Streaming
    fair: bool
    says: str
    source: str
    carried: bool = False
    least: int = 1
    by_hand: bool = False
    kernel: str = ""

    def decks(self, n: int, rng: "Random") -> Iterator[Sequence[int]]:
        """Yield decks of `n` cards, base first, for ever.

        Raises:
            FairdeckError: there are fewer cards than this shuffle works with.
        """
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
    """A number that a model can be told.

    Attributes:
        name: as it is typed.
        says: what it is, with its unit, in a few words.
        kind: `int` or `float`.
        least: the smallest it may be.
        most: the largest it may be.
        default: what it is if it is not told; None if then the model does without.
        needed: whether it must be told.
        named: whether it must be told by its name, as in ``riffle(cut=0.6)``.
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
    """Shuffles of one kind, told apart by numbers.

    Attributes:
        name: as it is typed in front of the numbers.
        takes: the parameters, in the order in which they are told where they are not named.
        make: returns the model; takes each parameter by name, None where there is none.
        says: what all of them do, in one plain sentence.
        source: the paper or book they are from.
        example: one of them.
        by_hand: as for `Known`.
        least: as for `Known`.
    """

    name: str
    takes: tuple[Parameter, ...]
    make: Callable[..., Shuffle]
    says: str
    source: str
    example: str
    by_hand: bool = True
    least: int = 1

    def member(self, told: Mapping[str, Value]) -> Known:
        """Return the one with these parameters, the others as they are by default.

        Raises:
            FairdeckError: one that is needed was not told, or they do not fit together.
        """
        for parameter in self.takes:
            if parameter.needed and parameter.name not in told:
                raise FairdeckError(f"{self.name} must be told its {parameter.name}, such as {self.example}")
        values: dict[str, Any] = {
            parameter.name: told.get(parameter.name, parameter.default) for parameter in self.takes
        }
        return Known(
            self.name + (f"({self._written(told)})" if told else ""),
            self.make(**values),
            fair=False,
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
