"""Fixed points, from the pass over distances that `footrule` makes."""

from fairdeck.lab.counts.footrule import distances
from fairdeck.lab.counts.values import nth

NUMBERS = {"fixed points": nth(distances, 0)}
