"""What is wrong with a deck, in one line that is safe to print: shared by all that read decks of others.

Real shuffles lose a card, deal one twice, or write beyond the end. A message shows the part of the
deck with the fault, in printable characters only.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from fairdeck.cards.text import shown

WINDOW = 12  # cards shown
LONGEST_WORD = 40
NOT_INTERCEPTED = (
    "it draws from {name}, which cannot be intercepted; give it a parameter rng, a random.Random, and draw from that"
)


def in_range(deck: Sequence[int]) -> bool:
    """Say whether a deck holds no other integers than 0..n-1; then it can only have lost a card."""
    return all(0 <= card < len(deck) for card in deck)


def complaint(deck: Sequence[int], cards: int, say: Callable[[int], str] = str) -> str:
    """Return what is wrong with a faulty deck of integers, and the part that shows it, in one line; say names a card.

    >>> complaint([3, 7, 7, 0, 1, 2, 4, 5, 6], 9)
    'holds card 7 twice and lacks card 8: 3 7 7 0 1 2 4 5 6'
    """
    strange = next((place for place, card in enumerate(deck) if not 0 <= card < cards), None)
    if len(deck) != cards:
        return f"has {counted(len(deck))} instead of {cards:,}: {excerpt(list(map(say, deck)), len(deck) - 1)}"
    if strange is not None:
        what, place = f"holds {say(deck[strange])}, which is not one of {say(0)} to {say(cards - 1)}", strange
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
    """Return a number of cards in words.

    >>> counted(1)
    '1 card'
    """
    return f"{cards:,} card" if cards == 1 else f"{cards:,} cards"


def part_of(seen: int, cards: int) -> str:
    """Return the remedy for a deck of which so few cards came that they may be a hand or a draw."""
    return f"; if that is what is seen of each deck: --seen top:{seen} or set:{seen}" if 0 < 2 * seen <= cards else ""


def excerpt(words: Sequence[str], place: int) -> str:
    """Return the part of a deck around `place`, with dots where the deck goes on.

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
    # Escape before cutting: a terminal must never obey what a broken program wrote.
    safe = shown(text[: most + 1])
    return safe if len(safe) <= most else f"{safe[: most - 3]}..."
