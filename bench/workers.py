"""Where long measurements are made: on the cores of this machine, or with ``--cluster ADDRESS`` on a cluster.

The workers of a cluster need this folder: start them in the clone, with ``PYTHONPATH=.``.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from fairdeck.bulk.shapes import cores
from fairdeck.lab.runs.cluster import Map, cluster
from fairdeck.lab.runs.processes import spread

OPTION = "--cluster"
_chosen: list[str] = []


def choose(words: list[str]) -> list[str]:
    """Remember the cluster that the words of a command name, if they name one; return the other words."""
    _chosen.clear()
    if OPTION not in words:
        return words
    at = words.index(OPTION)
    _chosen.extend(words[at + 1 : at + 2])
    return words[:at] + words[at + 2 :]


@contextmanager
def workers() -> Iterator[Map]:
    """Give the `map` of the workers that were chosen."""
    with cluster(_chosen[0]) if _chosen else spread(cores()) as map_:
        yield map_
