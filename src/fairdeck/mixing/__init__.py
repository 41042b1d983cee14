"""The exact laws of what hands do: how far a deck is from uniform after so many of them.

One file for each idea. Whole numbers and fractions inside; floats where a number leaves, or where
the docstring says so. A `Distance` says whether it is of the law itself, and where it comes from.
"""

from fairdeck.mixing.biased import biased_cutoff, biased_riffles
from fairdeck.mixing.dealing import back_and_forth, blocks, cyclic, dealt, dealt_estimate, first_order
from fairdeck.mixing.distance import Distance
from fairdeck.mixing.faro import FaroOrders, faro_orders
from fairdeck.mixing.random_labels import random_piles
from fairdeck.mixing.repeats import Patterns, kinds_a_shuffle, kinds_separation, pattern_chance, seen_kinds, two_kinds
from fairdeck.mixing.riffles import a_shuffle, eulerian_numbers, gsr_riffles, order_chance, rising_law, seen
from fairdeck.mixing.shelf import one_pass, shelf_cutoff, shelf_shuffles, valley_law, valley_numbers
from fairdeck.mixing.single_card import (
    after,
    even_riffle_chain,
    one_after_another,
    overhand_chain,
    riffle_chain,
    riffled_card,
    side_by_side,
    worst_start,
)
from fairdeck.mixing.split import riffled_piles
from fairdeck.mixing.support import (
    bits_needed,
    cut_choices,
    even_over,
    gather_choices,
    label_choices,
    least_distance,
    motions_needed,
    overhand_choices,
    riffle_choices,
    shelf_choices,
)
from fairdeck.mixing.top_to_random import taken_law, top_to_random_shuffles
from fairdeck.mixing.transpositions import random_transpositions, transposition_bound, transposition_cutoff, untouched

__all__ = [
    "Distance",
    "FaroOrders",
    "Patterns",
    "a_shuffle",
    "after",
    "back_and_forth",
    "biased_cutoff",
    "biased_riffles",
    "bits_needed",
    "blocks",
    "cut_choices",
    "cyclic",
    "dealt",
    "dealt_estimate",
    "eulerian_numbers",
    "even_over",
    "even_riffle_chain",
    "faro_orders",
    "first_order",
    "gather_choices",
    "gsr_riffles",
    "kinds_a_shuffle",
    "kinds_separation",
    "label_choices",
    "least_distance",
    "motions_needed",
    "one_after_another",
    "one_pass",
    "order_chance",
    "overhand_chain",
    "overhand_choices",
    "pattern_chance",
    "random_piles",
    "random_transpositions",
    "riffle_chain",
    "riffle_choices",
    "riffled_card",
    "riffled_piles",
    "rising_law",
    "seen",
    "seen_kinds",
    "shelf_choices",
    "shelf_cutoff",
    "shelf_shuffles",
    "side_by_side",
    "taken_law",
    "top_to_random_shuffles",
    "transposition_bound",
    "transposition_cutoff",
    "two_kinds",
    "untouched",
    "valley_law",
    "valley_numbers",
    "worst_start",
]
