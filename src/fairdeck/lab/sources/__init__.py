"""Where the lab's decks come from: a function, a program in any language, a file, a known shuffle.

Each becomes a `Source` of blocks of checked decks, bottom first. Use it in a ``with``, which closes its
processes and files:

    with FunctionSource("random:shuffle", 52, seed=1) as source:
        for block in source.blocks([1000, 1000]):
            block.decks

Sources come from `function.FunctionSource`, `program.ProgramSource`, `parts.Parts`, `file.open_file`,
`file.table_source` and `simulated.Simulated`. What they share is here: what each deck starts from, and the gate.

**Start**: the sorted deck, a scrambled one, or the deck that the last shuffle left. A fair shuffle is fair from any
start. A shuffle that depends on the cards, or leaves them near their places, can get different verdicts from sorted and
scrambled starts.

**The gate**: every deck must be a permutation of the cards that went in. No law of chance applies to a deck that is
not, so such a deck stops the test and is shown instead (see `fairdeck.lab.usercode.faults`).
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import card_type
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Broken, Decks, surely_decks, unread
from fairdeck.lab.usercode.faults import complaint, in_range
from fairdeck.permutation import Permutation, inverse
from fairdeck.randomness import RandomIntegers, seeded_words, uniform_permutation
from fairdeck.shuffles import MOST_CARDS

Start = Literal["sorted", "scrambled", "carried"]
Takes = Literal["deck", "n"]
TIMEOUT = 10.0  # seconds without a deck


def checked_start(start: str) -> Start:
    """Return `start` if it is the name of a start."""
    if start not in get_args(Start):
        raise FairdeckError(f"no start is called {start!r}; choose {', '.join(get_args(Start))}")
    return cast(Start, start)


def scrambled(cards: int, seed: int | None) -> Permutation:
    """Return a start deck that looks random and is always the same for a seed; None counts as 0."""
    return uniform_permutation(cards, RandomIntegers(seeded_words(f"fairdeck start deck {seed or 0}".encode())))


def in_places(decks: Decks, start: Permutation) -> Decks:
    """Return `decks` with each card named by its place in the `start` deck.

    >>> in_places(np.array([[5, 3, 4, 2, 1, 0]], np.int16), (5, 4, 3, 2, 1, 0))
    array([[0, 2, 1, 3, 4, 5]], dtype=int16)
    """
    return np.array(inverse(start), card_type(len(start)))[decks]


def deck_size(cards: int, name: str = "") -> int:
    """Return `cards` if a deck can have that many; `name` is that of its file."""
    if not 1 <= cards <= MOST_CARDS:
        raise FairdeckError(
            f"{name}{': ' * bool(name)}a deck of {cards:,} cards cannot be tested; use 1 to {MOST_CARDS:,}"
        )
    return cards


def first_fault(decks: NDArray[Any]) -> int | None:
    """Return the first row of `decks`, shape ``(B, n)`` of integers, that is not a permutation of 0..n-1."""
    count, n = decks.shape
    if not count:
        return None
    good = ((decks >= 0) & (decks < n)).all(axis=1)
    # A card out of range has no mark to set; its row has failed already, so any place will do.
    marks = np.where(good[:, None], decks, 0).astype(np.intp)
    marks += np.arange(0, count * n, n)[:, None]
    seen = np.zeros(count * n, np.bool_)
    seen[marks.ravel()] = True
    good &= seen.reshape(count, n).all(axis=1)
    return None if good.all() else int(good.argmin())


class Gate:
    """Checks the decks of a stream of bytes, and counts them for the messages.

    Attributes:
        name: what writes the decks.
        cards: the cards of a deck.
        remedy: for messages: how decks must be written.
        decks: how many decks came before.
        of_file: whether they stand in a file; see `unread`.
    """

    def __init__(self, name: str, cards: int, *, remedy: str = "", decks: int = 0, of_file: bool = False) -> None:
        self.name, self.cards, self.remedy, self.decks, self.of_file = name, cards, remedy, decks, of_file

    def passed(
        self,
        rows: NDArray[np.int64] | Decks,
        written: Callable[[int], Sequence[int]],
        say: Callable[[int], str],
        place: Callable[[int], str] = lambda _row: "",
    ) -> Iterator[Decks]:
        """Yield the decks, up to the first one that is wrong, which is an error.

        Args:
            rows: shape ``(B, n)``, the cards from 0; of int16 if they were checked already.
            written: returns a row as it was written, also where its numbers are too large for `rows`.
            say: returns the name of a card.
            place: returns where a row was read, such as ``line 7: ``.

        Raises:
            Broken: a deck lost a card.
            FairdeckError: it may not be meant as a deck; see `unread`.
        """
        fault = None if rows.dtype == np.int16 else first_fault(rows)
        good = rows[:fault].astype(card_type(self.cards), copy=False)
        self.decks += len(good)
        if len(good):
            yield good
        if fault is not None:
            deck = written(fault)
            said = self.fault(complaint(deck, self.cards, say), place(fault))
            if in_range(deck) and (not self.of_file or surely_decks(self.decks, self.cards)):
                raise Broken(said, self.decks)
            raise self.unread(said)

    def fault(self, wrong: str, place: str = "") -> str:
        """Return what is wrong with the next deck."""
        return f"{self.name}: {place}deck {self.decks + 1:,} {wrong}"

    def unread(self, said: str) -> FairdeckError:
        """Return the error for something that was read and is not a deck."""
        return unread(said, self.decks, self.remedy, of_file=self.of_file)
