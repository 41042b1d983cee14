"""Decks that are in memory already: an array of integers, or a table of integers or words."""

import io
from typing import Any

import numpy as np

from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Source
from fairdeck.lab.sources.file import array_file, text_file

WORDS = "OSU"  # the kinds of NumPy's types that hold words


def table_source(decks: Any, cards: int | None = None, *, order: str | None = None) -> Source:
    """Return the decks of an array or a DataFrame; they are read and checked like those of a file.

    They have the shape ``(decks, cards)``; `cards` and `order` are those of `fairdeck.lab.sources.file.open_file`.
    """
    array, name = np.asarray(decks), f"the {type(decks).__name__}"
    if array.ndim != 2 or not array.size:
        raise FairdeckError(f"{name} has the shape {array.shape}; give one of shape (decks, cards)")
    if array.dtype.kind not in WORDS:
        file = io.BytesIO()
        np.save(file, np.ascontiguousarray(array))
        return array_file(name, file, file.getvalue(), iter(()), cards, order)
    lines = "\n".join(",".join(map(str, row)) for row in array)
    return text_file(name, io.BytesIO(), f"{lines}\n".encode(), iter(()), cards, order)
