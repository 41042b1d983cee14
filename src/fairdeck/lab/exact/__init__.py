"""The exact law of a shuffle of a few cards: every way it can go, followed to its end and counted.

A shuffle is played again and again from a generator whose draws are the branches of a tree. Draws
branch only as far as the shuffle looks at them, so that 32 random bits, of which it wants the
remainder by 3, are three branches with their exact weights. ``random()`` is a real number uniform on
[0, 1), where Python's has 53 binary digits. What comes out is a fraction for each order; of decks
of more cards it says nothing.
"""

from fairdeck.errors import FairdeckError
from fairdeck.lab.exact.child import law_of_function
from fairdeck.lab.exact.named import is_carried, law_of_known
from fairdeck.lab.exact.tree import EPS, LEAVES, Fault, OrderLaw, Progress
from fairdeck.lab.exact.way import OverBudget, Refused

__all__ = ["EPS", "LEAVES", "MOST_CARDS", "TIMEOUT", "Fault", "OrderLaw", "OverBudget", "is_carried", "order_law"]

MOST_CARDS = 10
TIMEOUT = 10.0


def order_law(
    shuffle: str,
    cards: int,
    *,
    takes: str | None = None,
    leaves: int = LEAVES,
    eps: float = EPS,
    timeout: float = TIMEOUT,
    progress: Progress | None = None,
) -> OrderLaw:
    """Return the exact law of a shuffle.

    Args:
        shuffle: a registered name, ``package.module:function`` or ``path/to/file.py:function``. A
            function runs in a process of its own and is called as ``f(deck)``, ``f(deck, rng)`` or
            ``f(n)``, by its parameters; it changes the list or returns the deck.
        cards: the cards of the deck, 1 to 10.
        takes: ``deck`` or ``n``, where the parameters do not tell.
        leaves: how many ways may be followed.
        eps: how much probability may be left unresolved where a shuffle can draw without end.
        timeout: seconds in which a function must come to the end of one more way.
        progress: is told after each way how many were followed, and what says which share that is.

    Raises:
        FairdeckError: it cannot be found, fails, hangs, or cannot be seen through.
        OverBudget: it can go too many ways.

    >>> order_law("naive", 2).orders
    {(0, 1): Fraction(1, 2), (1, 0): Fraction(1, 2)}
    """
    if not 1 <= cards <= MOST_CARDS:
        raise FairdeckError(f"{cards} cards cannot be enumerated: write 1 to {MOST_CARDS}")
    try:
        if ":" in shuffle:
            return law_of_function(
                shuffle, cards, takes=takes, leaves=leaves, eps=eps, timeout=timeout, progress=progress
            )
        return law_of_known(shuffle, cards, leaves=leaves, eps=eps, progress=progress)
    except Refused as refused:
        raise FairdeckError(f"{shuffle}: {refused}") from None
    except (OverBudget, Fault) as error:
        raise type(error)(str(error) if ":" in shuffle else f"{shuffle}: {error}") from None
