"""The lab: is this shuffle fair?

    from fairdeck import lab

    lab.test("naive")                       # a known shuffle: see `fairdeck shuffles`
    lab.test("mygame.deck:shuffle")         # a function, in a process of its own
    lab.test(shuffle)                       # a function, in this process
    lab.test(["node", "deal.js", "{cards}"])    # a program that writes decks
    lab.test("decks.csv"), lab.test(array)  # decks that are made already
    lab.test("naive", store="run.db")       # kept in a file; after a crash:
    lab.resume("run.db")                    # goes on where it stood
    lab.monitor("decks.log", "watch.db")    # what is new in a live log, at one level for ever
    lab.assert_fair(shuffle)                # the same as an assertion, for tests
    lab.exact("naive", cards=3)             # the exact law of a small deck
    lab.histogram("naive"), lab.scaling(draw)   # ranks of decks; random integers below a bound

A **source** of decks feeds **statistics**; each of them counts something into a **tally** of integers. The exact
**law** of a statistic on fair decks turns its tally into p-values, and the **verdict** weighs them at one stated
level. Data flows in this direction only. Decks are arrangements, bottom first (see `fairdeck.permutation`).

Importing this package loads neither NumPy nor SciPy; using it does.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from fairdeck import numbers
from fairdeck.doors import checked
from fairdeck.errors import FairdeckError
from fairdeck.randomness import seed_number

if TYPE_CHECKING:
    from fairdeck.lab.enumeration import OrderLaw
    from fairdeck.lab.enumeration.tree import OnPath
    from fairdeck.lab.experiments.bounded_integers import Count, PieceMap
    from fairdeck.lab.experiments.histogram import BlockMap, Draws, Histogram
    from fairdeck.lab.experiments.scaling import Scaling
    from fairdeck.lab.judging.report import Report
    from fairdeck.lab.testing import Program, Unfair, assert_fair, monitor, resume, test

__all__ = [
    "Program",
    "Report",
    "Unfair",
    "assert_fair",
    "exact",
    "histogram",
    "monitor",
    "resume",
    "scaling",
    "test",
]


def __getattr__(name: str) -> Any:
    """Load what needs NumPy and SciPy when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fairdeck.extras import missing

    try:
        from fairdeck.lab import testing
    except ModuleNotFoundError as error:
        raise missing(f"the lab needs {error.name}", "lab") from None
    return getattr(testing, name)


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
    draws: "Draws" = "random",
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
        draws: ``random``, or ``even``: from lists that hold every number equally often.
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
    if not (isinstance(draws, str) and draws in ("random", "even")):
        raise FairdeckError(f"draws: {numbers.shortened(draws)} is not known; choose random or even")
    decks = numbers.whole("decks", decks, 1, ranks.MOST_DECKS)
    with_bins = ranks.usual_bins(cards) if bins is None else bins
    ranks.check(shuffle, cards, with_bins, draws)
    for so_far in ranks.measure(
        shuffle, cards=cards, decks=decks, bins=with_bins, seed=seed_number(seed), draws=draws, map=map
    ):
        if progress is not None:
            progress(so_far)
    return so_far


@checked
def scaling(
    function: str | Callable[[int], Any] | None = None,
    *,
    most: int = 52,
    draws: int = 100_000,
    alpha: float = 1e-6,
    seed: int | None = None,
    timeout: float = 60.0,
    in_parts: bool = False,
    map: "PieceMap" = map,  # noqa: A002 - the seam is called so
    progress: "Callable[[Count], object] | None" = None,
) -> "Scaling":
    """Return whether a function draws each number below a bound equally often.

    Args:
        function: takes a bound k and returns one of 0..k-1: a function, which is called here, or
            ``package.module:function`` or ``path/to/file.py:function``; None is fairdeck's own.
        most: the largest bound, the cards of a deck.
        draws: how many numbers to draw below each bound.
        alpha: the chance, at most, that a fair function fails.
        seed: makes the run of a named function, or of fairdeck's own, repeatable.
        timeout: seconds without a count before a named function is given up.
        in_parts: draw in pieces of a million numbers, each in a new process with a random stream of its own.
        map: draws the pieces, here or on other processes, and returns their counts in order.
        progress: called with the counts of each bound.

    Raises:
        FairdeckError: the function cannot be found or called, or a value is out of range.

    >>> from random import Random
    >>> scaling(Random(1).randrange, most=6, draws=1_000)
    <Scaling of Random.randrange: pass, 1,000 draws below each bound to 6>
    """
    from fairdeck.lab.experiments import bounded_integers as integers
    from fairdeck.lab.experiments import scaling as judging
    from fairdeck.randomness import seeded_words, system_words

    most = numbers.whole("most", most, 2, integers.LARGEST_MOST)
    draws = numbers.whole("draws", draws, 1, integers.MOST_DRAWS)
    timeout, seed = numbers.seconds("timeout", timeout), None if seed is None else seed_number(seed)
    notes: tuple[str, ...] = ()
    if in_parts:
        if not (function is None or isinstance(function, str)):
            raise FairdeckError("in_parts: only a function with a name (package.module:function) works in parts")
        name, seed = function or judging.OURS, seed_number(seed)
        counts = integers.in_parts(function, seed, most, draws, timeout, map)
        notes = ("drawn in parts, each by a new process with a random stream of its own",)
    elif isinstance(function, str):
        name, seed = function, seed_number(seed)
        counts = integers.of_function(function, seed, most, draws, timeout)
    elif function is not None:
        name = getattr(function, "__qualname__", type(function).__qualname__)
        counts = integers.of_draw(function, most, draws)
    elif seed is not None:
        name, counts = judging.OURS, integers.of_random_integers(seeded_words(f"{seed:x}".encode()), most, draws)
    else:
        name, counts = judging.OURS, integers.of_random_integers(system_words(), most, draws)
        notes = ("the words are from the operating system: every run is different",)

    def watched() -> "Iterator[Count]":
        for count in counts:
            if progress is not None:
                progress(count)
            yield count

    return judging.judge(name, watched(), alpha, notes, seed)
