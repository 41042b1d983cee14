"""The exact law of a shuffle of a few cards, by following every path of its draws to the end.

A shuffle is played again and again with a generator whose draws are the branches of a tree. A draw
branches only as far as the shuffle uses it: if the shuffle takes 32 random bits and uses their remainder
by 3, there are three branches with exact weights. ``random()`` is a real number uniform on [0, 1), where
Python's has 53 binary digits. The result is a fraction for each order; it says nothing about larger decks.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fairdeck.errors import FairdeckError
from fairdeck.lab.enumeration.law import OrderLaw
from fairdeck.lab.enumeration.path import CannotEnumerate, OverBudget
from fairdeck.lab.enumeration.tree import EPS, LEAVES, OnPath, ShuffleFailed

__all__ = ["EPS", "LEAVES", "MOST_CARDS", "TIMEOUT", "OrderLaw", "OverBudget", "ShuffleFailed", "order_law"]

MOST_CARDS = 10
TIMEOUT = 10.0


def order_law(
    shuffle: str | Callable[..., Any],
    cards: int,
    *,
    takes: str | None = None,
    leaves: int = LEAVES,
    eps: float = EPS,
    timeout: float = TIMEOUT,
    progress: OnPath | None = None,
) -> OrderLaw:
    """Return the exact law of a shuffle; the arguments, and their errors, are those of `fairdeck.lab.exact`.

    Of errors, `OverBudget` is the FairdeckError that says that there are too many paths.

    >>> order_law("naive", 2).orders
    {(0, 1): Fraction(1, 2), (1, 0): Fraction(1, 2)}
    """
    if not 1 <= cards <= MOST_CARDS:
        raise FairdeckError(f"cards: {cards} cannot be enumerated; write 1 to {MOST_CARDS}")
    name = shuffle if isinstance(shuffle, str) else getattr(shuffle, "__qualname__", repr(shuffle))
    try:
        if isinstance(shuffle, str) and ":" not in shuffle and not shuffle.endswith(".py"):
            # A user's function does without all shuffles.
            from fairdeck.lab.enumeration.known_shuffle import law_of_known

            law = law_of_known(shuffle, cards, leaves=leaves, eps=eps, progress=progress)
        else:
            from fairdeck.lab.enumeration import user_function

            law = (
                user_function.law_of_name(shuffle, cards, takes, leaves, eps, timeout, progress)
                if isinstance(shuffle, str)
                else user_function.law_of_callable(shuffle, cards, takes, leaves, eps, progress)
            )
    except CannotEnumerate as refusal:
        raise FairdeckError(f"{name}: {refusal}") from None
    except (OverBudget, ShuffleFailed) as error:
        raise type(error)(str(error) if ":" in name else f"{name}: {error}") from None
    return replace(law, shuffle=name)
