"""The gate: every deck must be a permutation of what went in.

Real shuffles fail here first: they lose a card, deal one twice, or write beyond the end. No law of
chance applies to such a deck, so it stops the test and is shown instead.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.errors import FairdeckError

MOST_CARDS = 10_000
WINDOW = 12
LONGEST_WORD = 40


def deck_size(cards: int) -> int:
    """Return `cards`, if a deck may have so many.

    Raises:
        FairdeckError: it may not.
    """
    if not 1 <= cards <= MOST_CARDS:
        raise FairdeckError(f"a deck of {cards:,} cards cannot be tested: 1 to {MOST_CARDS:,} can")
    return cards


def first_fault(decks: NDArray[Any]) -> int | None:
    """Return the first row of `decks`, shape ``(B, n)`` of integers, that is no permutation of 0..n-1."""
    count, n = decks.shape
    if not count:
        return None
    good = ((decks >= 0) & (decks < n)).all(axis=1)
    # A card out of range has no mark to set; its row is lost already, so any place will do.
    marks = np.where(good[:, None], decks, 0).astype(np.intp)
    marks += np.arange(0, count * n, n)[:, None]
    seen = np.zeros(count * n, np.bool_)
    seen[marks.ravel()] = True
    good &= seen.reshape(count, n).all(axis=1)
    return None if good.all() else int(good.argmin())


def in_range(deck: Sequence[int]) -> bool:
    """Tell whether all integers of a deck are such as a deck of that size holds; then one that is none lost a card."""
    return all(0 <= card < len(deck) for card in deck)


def complaint(deck: Sequence[int], cards: int, say: Callable[[int], str] = str) -> str:
    """Return what is wrong with a faulty `deck`, and the part of it where that shows, in one line.

    Args:
        deck: its integers, which should be those of 0..cards-1.
        cards: how many there should be.
        say: what the one who wrote the deck calls a card.

    >>> complaint([3, 7, 7, 0, 1, 2, 4, 5, 6], 9)
    'holds card 7 twice and lacks card 8: 3 7 7 0 1 2 4 5 6'
    """
    strange = next((place for place, card in enumerate(deck) if not 0 <= card < cards), None)
    if len(deck) != cards:
        return f"has {counted(len(deck))} instead of {cards:,}: {excerpt(list(map(say, deck)), len(deck) - 1)}"
    if strange is not None:
        what, place = f"holds {say(deck[strange])}, which is none of {say(0)} to {say(cards - 1)}", strange
    else:
        what, place = _repeated(deck, cards, say)
    return f"{what}: {excerpt(list(map(say, deck)), place)}"


def _repeated(deck: Sequence[int], cards: int, say: Callable[[int], str]) -> tuple[str, int]:
    times = Counter(deck)
    twice = next(card for card in deck if times[card] > 1)
    missing = min(set(range(cards)) - set(deck))
    second = deck.index(twice, deck.index(twice) + 1)
    often = "twice" if times[twice] == 2 else f"{times[twice]:,} times"
    return f"holds card {say(twice)} {often} and lacks card {say(missing)}", second


def counted(cards: int) -> str:
    """Return the number with its noun.

    >>> counted(1)
    '1 card'
    """
    return f"{cards:,} card" if cards == 1 else f"{cards:,} cards"


def excerpt(words: Sequence[str], place: int) -> str:
    """Return a window of a deck around `place`, with dots where it goes on.

    >>> excerpt([str(card) for card in range(100)], 50)
    '... 44 45 46 47 48 49 50 51 52 53 54 55 ...'
    """
    first = max(0, min(place - WINDOW // 2, len(words) - WINDOW))
    shown = [shortened(word, LONGEST_WORD) for word in words[first : first + WINDOW]]
    return " ".join(["..."] * (first > 0) + shown + ["..."] * (first + WINDOW < len(words)))


def shortened(text: str, most: int = 80) -> str:
    r"""Return `text` in printable characters, cut to about `most` of them.

    >>> shortened("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    # Escaped before it is cut: a terminal must never obey what a broken program wrote.
    safe = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[: most + 1])
    return safe if len(safe) <= most else f"{safe[: most - 3]}..."
