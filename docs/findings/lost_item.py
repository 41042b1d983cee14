"""Items that index shuffles lose: python lost_item.py tensorflow|grain ITEMS..."""

import sys


def shuffled(items: int) -> list[int]:
    """Return the new order of items."""
    if sys.argv[1] == "grain":
        import grain

        data = grain.MapDataset.range(items).shuffle(seed=7)
        return [int(data[i]) for i in range(items)]
    import tensorflow as tf

    return tf.random.experimental.index_shuffle(tf.range(items), [5, 9], items - 1).numpy().tolist()


for items in map(int, sys.argv[2:]):
    new = shuffled(items)
    print(f"{items:7} items: lost {set(range(items)) - set(new) or 'none'}, first and last alike: {new[0] == new[-1]}")
