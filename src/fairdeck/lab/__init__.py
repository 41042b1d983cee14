"""The lab: is this shuffle fair?

    from fairdeck import lab

    lab.test("naive")                       # a known shuffle: see `fairdeck shuffles`
    lab.test("mygame.deck:shuffle")         # a function, in a process of its own
    lab.test(shuffle)                       # a function, in this process
    lab.test(["node", "deal.js", "{cards}"])    # a program that writes decks
    lab.test("decks.csv"), lab.test(array)  # decks that are made already
    lab.test(hands, seen="top:7", cards=60)  # what was seen of each deck: the rest is drawn at random
    lab.test("naive", store="run.db")       # kept in a file; after a crash:
    lab.resume("run.db")                    # goes on where it stood
    lab.monitor("decks.log", "watch.db")    # what is new in a live log, at one level for ever
    lab.assert_fair(shuffle)                # the same as an assertion, for tests
    lab.exact("naive", cards=3)             # the exact law of a small deck
    lab.histogram("naive")                  # decks counted by their rank

A **source** of decks feeds **statistics**; each of them counts something into a **tally** of integers. The exact
**law** of a statistic on fair decks turns its tally into p-values, and the **verdict** weighs them at one stated
level. Data flows in this direction only. Decks are arrangements, bottom first (see `fairdeck.permutation`).

Importing this package loads neither NumPy nor SciPy; using it does.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from fairdeck import numbers
from fairdeck.doors import checked
from fairdeck.randomness import seed_number

if TYPE_CHECKING:
    from fairdeck.lab.enumeration import OrderLaw
    from fairdeck.lab.enumeration.tree import OnPath
    from fairdeck.lab.experiments.histogram import BlockMap, Histogram
    from fairdeck.lab.judging.report import Report
    from fairdeck.lab.testing import Program, Unfair, assert_fair, resume, test
    from fairdeck.lab.watching.monitor import monitor

__all__ = ["Program", "Report", "Unfair", "assert_fair", "exact", "histogram", "monitor", "resume", "test"]


def __getattr__(name: str) -> Any:
    """Load what needs NumPy and SciPy when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fairdeck.extras import missing

    home = "fairdeck.lab.watching.monitor" if name == "monitor" else "fairdeck.lab.testing"
    try:
        return getattr(import_module(home), name)
    except ModuleNotFoundError as error:
        raise missing(f"the lab needs {error.name}", "lab") from None


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


@checked
def exact(
    shuffle: str | Callable[..., Any],
    *,
    cards: int = 4,
    takes: Literal["deck", "n"] | None = None,
    leaves: int = 5_000_000,
    eps: float = 1e-12,
    timeout: float = 10.0,
    progress: "OnPath | None" = None,
) -> "OrderLaw":
    """Return the exact law of a shuffle of a few cards: the probability of each order, as a fraction.

    Args:
        shuffle: a registered name, or ``package.module:function`` or ``path/to/file.py:function``, which runs
            in a process of its own and whose random numbers are intercepted; or a function ``f(deck, rng)``
            (or ``f(n, rng)``), which is called here and must draw from `rng`.
        cards: the cards of the deck, 1 to 10.
        takes: ``deck`` or ``n``, where the parameters of a function do not tell.
        leaves: how many paths of draws may be followed.
        eps: how much probability may be left unresolved where a shuffle can draw without end.
        timeout: seconds in which a function that is named must come to the end of one more path.
        progress: called after each path with the number of paths, and a function that returns their share.

    Returns:
        The law: ``.orders``, ``.total_variation``, ``.separation`` and more, exact; ``.to_json()``.

    Raises:
        FairdeckError: the shuffle cannot be found, fails, or has too many paths.

    >>> law = exact("naive", cards=3)
    >>> law.total_variation, law.orders[0, 1, 2]
    (Fraction(1, 18), Fraction(4, 27))
    """
    from fairdeck.lab.enumeration import order_law

    return order_law(shuffle, cards, takes=takes, leaves=leaves, eps=eps, timeout=timeout, progress=progress)


@checked
def histogram(
    shuffle: str,
    *,
    cards: int = 20,
    decks: int = 1_000_000,
    bins: int | None = None,
    seed: int | None = None,
    map: "BlockMap" = map,  # noqa: A002 - the seam is called so
    progress: "Callable[[Histogram], object] | None" = None,
) -> "Histogram":
    """Return how many decks of a registered shuffle fall into each of equal bins of all orders.

    Args:
        shuffle: a registered name.
        cards: the cards of a deck.
        decks: how many to count.
        bins: how many bins; None is 200, or one for each order if there are fewer.
        seed: makes the counts repeatable; None takes a new one.
        map: counts blocks, here or on other processes, and returns the parts in order.
        progress: called with the histogram so far after each part.

    Raises:
        FairdeckError: there is no such shuffle, or a value is out of range.

    >>> histogram("naive", cards=5, decks=10_000, seed=1)
    <Histogram of naive: 10,000 decks of 5 cards in 120 bins>
    """
    from fairdeck.lab.experiments import histogram as ranks
    from fairdeck.shuffles import MOST_CARDS

    cards = numbers.whole("cards", cards, 2, MOST_CARDS)
    decks = numbers.whole("decks", decks, 1, ranks.MOST_DECKS)
    with_bins = ranks.usual_bins(cards) if bins is None else bins
    ranks.check(shuffle, cards, with_bins)
    for so_far in ranks.measure(shuffle, cards=cards, decks=decks, bins=with_bins, seed=seed_number(seed), map=map):
        if progress is not None:
            progress(so_far)
    return so_far
