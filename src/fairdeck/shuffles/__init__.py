"""Shuffles known by name: the fair, the faulty, and what hands do; and how far each leaves a deck from random.

Most files here hold one shuffle, or one family of them, with all that is known of it. A file lists what it offers as
``KNOWN``, and as ``FAMILIES`` where a name takes parameters; `registry` and `families` find the files by themselves.
A shuffle is a function, or a small frozen object with parameters, that takes a deck size and a source of randomness
and returns an arrangement: ``a[i]`` is the card, named by where it started, that now lies at ``i`` (see
`fairdeck.permutation`). It is written for reading and can be enumerated; it takes all its
randomness from the `rng` it is given. A `Model` also tells its exact law, the number of its outcomes, its
cutoff and its row for the fast kernel, where they are known.

A shuffle that keeps something from deck to deck (a clock, a generator of its own) has a method
``stream(n, rng)`` instead, which yields one arrangement after another.

`find` reads names such as ``shelf(20)`` and recipes such as ``(riffle*2 + strip)*2 + cut``;
`recipe_steps` returns the steps of a recipe. The other files hold what several shuffles share: `recipes` (what theory
knows of a recipe), `distances`, `repeated_cards`, `riffled_piles`, `measured`.
"""

from fairdeck.shuffles.known import Family, KernelRow, Known, Model, Parameter, Shuffle, Streaming
from fairdeck.shuffles.names import families, find, recipe_steps, registry
from fairdeck.shuffles.recipes import MOST_TIMES, Recipe, Step, recipe_of, steps_of

#: The most cards that a deck of a shuffle by name may have.
MOST_CARDS = 1_000_000

__all__ = [
    "MOST_CARDS",
    "MOST_TIMES",
    "Family",
    "KernelRow",
    "Known",
    "Model",
    "Parameter",
    "Recipe",
    "Shuffle",
    "Step",
    "Streaming",
    "families",
    "find",
    "recipe_of",
    "recipe_steps",
    "registry",
    "steps_of",
]
