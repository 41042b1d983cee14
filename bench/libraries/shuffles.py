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
SOME = 5  # cards of a sample


def written(deck: Iterable[int]) -> bytes:
    """Return a deck as it is written."""
    return array("H", deck).tobytes()


def in_place(shuffle: Callable[[Any], Any], new: Callable[[], Any] = lambda: list(range(N))) -> Callable[[], bytes]:
    """Return a function that makes a deck with a shuffle that changes its list."""

    def deck() -> bytes:
        shuffle(cards := new())
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


def numpy_choice() -> Callable[[], bytes]:
    import numpy as np

    rng = np.random.default_rng()
    return lambda: rng.choice(N, SOME, replace=False).astype(np.uint16).tobytes()


def pandas_sample(some: int) -> Callable[[], bytes]:
    import numpy as np
    import pandas as pd

    cards = pd.Series(np.arange(N, dtype=np.uint16))
    return lambda: cards.sample(some).to_numpy().tobytes()


def polars_series() -> Any:
    import polars as pl

    return pl.Series(range(N), dtype=pl.UInt16)


def numba_shuffle() -> Callable[[], bytes]:
    import numba
    import numpy as np

    return in_place(numba.njit(lambda deck: np.random.shuffle(deck)), np.arange(N, dtype=np.uint16).copy)


def dask_bag() -> Callable[[], bytes]:
    import dask
    import dask.bag as db
    from dask.bag.random import sample as draw

    dask.config.set(scheduler="synchronous")
    sample = draw(db.from_sequence(range(N), npartitions=4), SOME)
    return lambda: written(sample.compute())


def torch_permutation() -> Callable[[], bytes]:
    import torch

    torch.seed()
    return lambda: written(torch.randperm(N).tolist())


def tf_shuffle() -> Callable[[], bytes]:
    import tensorflow as tf

    decks = tf.function(lambda: tf.map_fn(tf.random.shuffle, tf.tile(tf.range(N)[None], [MANY, 1])))
    return lambda: decks().numpy().astype("uint16").tobytes()


def tf_data() -> Callable[[], bytes]:
    import tensorflow as tf

    decks = tf.data.Dataset.range(N).shuffle(N).repeat().batch(N).as_numpy_iterator()
    return lambda: next(decks).astype("uint16").tobytes()


def tf_index_shuffle() -> Callable[[], bytes]:
    import numpy as np
    import tensorflow as tf

    draw, cards = np.random.default_rng().integers, tf.range(N)
    many = tf.function(
        lambda seeds: tf.map_fn(lambda seed: tf.random.experimental.index_shuffle(cards, seed, N - 1), seeds)
    )
    return lambda: many(draw(-(2**31), 2**31, (16, 2), dtype=np.int32)).numpy().astype("uint16").tobytes()


def grain_map() -> Callable[[], bytes]:
    import grain

    def deck() -> bytes:
        cards = grain.MapDataset.range(N).shuffle(seed=secrets.randbits(32))
        return written(int(cards[i]) for i in range(N))

    return deck


def sqlite_order() -> Callable[[], bytes]:
    import sqlite3

    sql = sqlite3.connect(":memory:")
    sql.execute("CREATE TABLE cards (card INTEGER)")
    sql.executemany("INSERT INTO cards VALUES (?)", ((card,) for card in range(N)))
    return lambda: written(card for (card,) in sql.execute("SELECT card FROM cards ORDER BY random()"))


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
    "pandas": lambda: pandas_sample(N),
    "polars": lambda: lambda: polars_series().shuffle().to_numpy().tobytes(),
    "scikit-learn": scikit_learn,
    "sympy.core.random.shuffle": sympy_shuffle,
    "sympy.Permutation.random": sympy_permutation,
    "more-itertools": more_itertools,
    "jax": jax_permutation,
    "faker": faker_elements,
    "duckdb": duckdb_order,
    "numba": numba_shuffle,
    "torch": torch_permutation,
    "tf.random.shuffle": tf_shuffle,
    "tf.data": tf_data,
    "tf.index_shuffle": tf_index_shuffle,
    "grain": grain_map,
    "sqlite": sqlite_order,
    "random.sample 5": lambda: lambda: written(random.sample(range(N), SOME)),
    "choice 5": numpy_choice,
    "pandas 5": lambda: pandas_sample(SOME),
    "polars 5": lambda: lambda: polars_series().sample(SOME).to_numpy().tobytes(),
    "dask.bag 5": dask_bag,
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
