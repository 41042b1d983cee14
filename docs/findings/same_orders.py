"""Orders that come again if a multiple of 256 is added to the words of TensorFlow's seed."""

import tensorflow as tf


def order(items: int, seed: list[int]) -> list[int]:
    """Return the new order of items."""
    return tf.random.experimental.index_shuffle(tf.range(items), seed, items - 1).numpy().tolist()


for items in (52, 65536, 65538):
    same = sum(order(items, [a, 2 * a]) == order(items, [a + 256, 2 * a + 256 * a]) for a in range(100))
    print(f"{items:5} items, another seed with the same low bytes: {same} of 100 orders alike")
