"""Decks for tests of statistics: fair ones, and views of given ones. A row is a deck, bottom first."""

import numpy as np
from numpy.typing import NDArray

from fairdeck.lab.view import View


def fair(n: int, decks: int, seed: int | np.random.Generator) -> NDArray[np.int16]:
    """Return fair decks; a generator goes on where it is."""
    return np.random.default_rng(seed).permuted(np.tile(np.arange(n, dtype=np.int16), (decks, 1)), axis=1)


def viewed(rows: object, lead: int = 0) -> View:
    """Return the view of some decks; the first `lead` of them came before it in the stream."""
    columns = np.asarray(rows, np.int16).T
    return View(np.ascontiguousarray(columns[:, lead:]), np.ascontiguousarray(columns[:, :lead]))
