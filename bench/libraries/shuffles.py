"""Decks of Python shuffles, 16 bits for each card, the low byte first: python shuffles.py CARDS NAME."""

import random
import secrets
import sys
from array import array
from collections.abc import Callable, Iterable
from itertools import repeat
from typing import Any

N = int(sys.argv[1])
MANY = 256  # decks made at once, where a library can


def written(deck: Iterable[int]) -> bytes:
    """Return a deck as it is written."""
    return array("H", deck).tobytes()


def in_place(shuffle: Callable[[list[int]], Any]) -> Callable[[], bytes]:
    """Return a function that makes a deck with a shuffle that changes its list."""

    def deck() -> bytes:
        cards = list(range(N))
        shuffle(cards)
        return written(cards)

    return deck


def old_numpy() -> Callable[[], bytes]:
    import numpy as np

    cards = np.arange(N, dtype=np.uint16)
    return lambda: np.random.permutation(cards).tobytes()  # the old interface


def new_numpy() -> Callable[[], bytes]:
    import numpy as np

    rng, cards = np.random.default_rng(), np.arange(N, dtype=np.uint16)
    return lambda: rng.permutation(cards).tobytes()


def numpy_permuted() -> Callable[[], bytes]:
    import numpy as np

    rng, decks = np.random.default_rng(), np.tile(np.arange(N, dtype=np.uint16), (MANY, 1))
    return lambda: rng.permuted(decks, axis=1).tobytes()


def pandas_sample() -> Callable[[], bytes]:
    import numpy as np
    import pandas as pd

    cards = pd.Series(np.arange(N, dtype=np.uint16))
    return lambda: cards.sample(frac=1).to_numpy().tobytes()


def polars_shuffle() -> Callable[[], bytes]:
    import polars as pl

    cards = pl.Series(range(N), dtype=pl.UInt16)
    return lambda: cards.shuffle().to_numpy().tobytes()


def scikit_learn() -> Callable[[], bytes]:
    import numpy as np
    from sklearn.utils import shuffle

    cards = np.arange(N, dtype=np.uint16)
    return lambda: shuffle(cards).tobytes()


def sympy_shuffle() -> Callable[[], bytes]:
    from sympy.core.random import shuffle

    return in_place(shuffle)


def sympy_permutation() -> Callable[[], bytes]:
    from sympy.combinatorics import Permutation

    return lambda: written(Permutation.random(N).array_form)


def more_itertools() -> Callable[[], bytes]:
    from more_itertools import random_permutation

    return lambda: written(random_permutation(range(N)))


def jax_permutation() -> Callable[[], bytes]:
    import jax
    import numpy as np

    keys = iter(jax.random.split(jax.random.key(secrets.randbits(31)), 2**14))
    many = jax.jit(jax.vmap(lambda key: jax.random.permutation(key, N).astype("uint16")))
    return lambda: np.asarray(many(jax.random.split(next(keys), MANY))).tobytes()


def faker_elements() -> Callable[[], bytes]:
    from faker import Faker

    sample, cards = Faker().random_sample, list(range(N))
    return lambda: written(sample(cards, N))


def duckdb_order() -> Callable[[], bytes]:
    import duckdb

    # Many decks in one query: a random number for each card, and the cards of a deck in order of these.
    query = f"SELECT card FROM range({MANY}) AS d(deck), range({N}) AS c(card) ORDER BY deck, random()"
    return lambda: duckdb.sql(query).fetchnumpy()["card"].astype("uint16").tobytes()


SHUFFLES: dict[str, Callable[[], Callable[[], bytes]]] = {
    "random.shuffle": lambda: in_place(random.shuffle),
    "random.sample": lambda: lambda: written(random.sample(range(N), N)),
    "secrets.SystemRandom": lambda: in_place(secrets.SystemRandom().shuffle),
    "sorted by random.random": lambda: lambda: written(sorted(range(N), key=lambda _card: random.random())),
    "numpy.random.permutation": old_numpy,
    "Generator.permutation": new_numpy,
    "Generator.permuted": numpy_permuted,
    "pandas": pandas_sample,
    "polars": polars_shuffle,
    "scikit-learn": scikit_learn,
    "sympy.core.random.shuffle": sympy_shuffle,
    "sympy.Permutation.random": sympy_permutation,
    "more-itertools": more_itertools,
    "jax": jax_permutation,
    "faker": faker_elements,
    "duckdb": duckdb_order,
}


def main() -> None:
    """Write decks until the reader closes the pipe."""
    made = SHUFFLES[sys.argv[2]]()
    try:
        for _ in repeat(None):
            sys.stdout.buffer.write(made())
    except BrokenPipeError:
        sys.stderr.close()  # or the interpreter complains when it flushes


if __name__ == "__main__":
    main()
