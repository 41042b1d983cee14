"""Decks for tests of statistics: fair ones, and views of given ones. A row is a deck, bottom first."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import card_type
from fairdeck.lab.blocks import Block
from fairdeck.lab.causes import Cause, Sample
from fairdeck.lab.causes.search import Search
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.view import View


def fair(n: int, decks: int, seed: int | np.random.Generator) -> NDArray[Any]:
    """Return fair decks; a generator goes on where it is."""
    return np.random.default_rng(seed).permuted(np.tile(np.arange(n, dtype=card_type(n)), (decks, 1)), axis=1)


def sample_of(decks: Any, counted: int | None = None) -> Sample:
    """Return decks whose cause is looked for, after a verdict on all or the first of them."""
    decks = np.asarray(decks, np.int16)
    battery = Battery(decks.shape[1])
    return Sample(Block(decks, decks[:0], 0), battery, battery.tally(Block(decks[:counted], decks[:0], 0)))


def viewed(rows: object, lead: int = 0) -> View:
    """Return the view of some decks; the first `lead` of them came before it in the stream."""
    rows = np.asarray(rows)
    columns = rows.astype(card_type(rows.shape[1])).T
    return View(np.ascontiguousarray(columns[:, lead:]), np.ascontiguousarray(columns[:, :lead]))


def causes_of(sample: Sample, seconds: float = 10.0) -> tuple[Cause, ...]:
    """Return the causes of a sample, in a time that is enough on a slow machine."""
    return Search(sample, seconds).causes
