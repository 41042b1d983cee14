"""Inversions, from the pass that `subsequences` makes."""

from fairdeck.lab.counts.subsequences import of_order
from fairdeck.lab.counts.values import nth

NUMBERS = {"inversions": nth(of_order, 0)}
