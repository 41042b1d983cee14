"""The lab: is this shuffle fair?

A **source** of decks feeds **statistics**, each of which counts something into a **tally** of
integers; a statistic's exact **law** on fair decks turns the tally into p-values; the **verdict**
weighs them at one stated level. Data flows that way only. Decks here are arrangements, base first
(see `fairdeck.permutation`).

Importing this loads neither NumPy nor SciPy; what needs them does.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from fairdeck.lab.report import Report

__all__ = ["assert_fair"]


def _let_numba_compile() -> None:
    """Give numba a folder for this run where it can keep nothing between runs: it would refuse to compile."""
    usual = (Path(__file__).parent, os.path.expanduser("~"))  # noqa: PTH111 - unlike Path, it never fails
    if "NUMBA_CACHE_DIR" in os.environ or any(os.access(each, os.W_OK) for each in usual):
        return
    import atexit
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix="fairdeck-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = folder  # read when numba is imported, here and in processes started from here


_let_numba_compile()


def assert_fair(
    function: Callable[..., Any],
    *,
    cards: int = 52,
    alpha: float = 1e-9,
    decks: int = 20_000,
    seed: int | None = None,
    start: Literal["sorted", "scrambled", "carried"] = "sorted",
    takes: Literal["deck", "n"] | None = None,
) -> "Report":
    """Assert that a shuffle is fair, as far as `decks` decks can show it.

    Args:
        function: ``f(deck)`` that shuffles a list in place or returns it, ``f(deck, rng)`` with a
            ``random.Random``, or ``f(n)``. It is called here, in this process.
        cards: the cards of a deck, 2 or more.
        alpha: the chance, at most, that a fair shuffle fails the assertion, everything counted.
        decks: how many to count, chosen beforehand; a plain fault is found after a few hundred.
        seed: of the generator that the function is handed, if it takes one; a new one if None.
        start: what each call is given: the sorted deck, one scrambled deck, or the last deck.
        takes: ``deck`` or ``n``, where the signature does not tell.

    Returns:
        The report of what was counted; ``report.verdict.limits`` says what would have been seen.

    Raises:
        AssertionError: the shuffle is not fair; the message says in words what is wrong.
        FairdeckError: a value is out of range, such as a level of 0, or so few decks that they say nothing.

    >>> import random
    >>> assert_fair(random.shuffle, cards=5, decks=1000).verdict.outcome
    'pass'
    """
    from fairdeck.extras import missing

    try:
        from fairdeck.lab import assertion
    except ModuleNotFoundError as error:
        raise missing(f"the lab needs {error.name}", "lab") from None
    __tracebackhide__ = True
    return assertion.assert_fair(function, cards=cards, alpha=alpha, decks=decks, seed=seed, start=start, takes=takes)
