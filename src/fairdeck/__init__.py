"""Fully random decks, dealt by hand, proven by machine.

The core's public names: permutations and their two readings, randomness without bias, and the
way from a goal to a plan that hands can deal. See `fairdeck.permutation` for the convention.
"""

from fairdeck.advice import Advice, advise
from fairdeck.errors import FairdeckError, UnsoundPlan
from fairdeck.goal import WHOLE_DECK, Hands, TopCards, WholeDeck, parse_goal
from fairdeck.mat import PRESETS, Mat
from fairdeck.permutation import arrange, inverse, permutation_of, then
from fairdeck.plan import Pass, Plan, outcomes, reaches, read_plan, replay
from fairdeck.planner import Task, draw, plan_for
from fairdeck.randomness import Dice, seeded_words, system_words, uniform_permutation

__version__ = "0.1.0"

__all__ = [
    "PRESETS",
    "WHOLE_DECK",
    "Advice",
    "Dice",
    "FairdeckError",
    "Hands",
    "Mat",
    "Pass",
    "Plan",
    "Task",
    "TopCards",
    "UnsoundPlan",
    "WholeDeck",
    "advise",
    "arrange",
    "draw",
    "inverse",
    "outcomes",
    "parse_goal",
    "permutation_of",
    "plan_for",
    "reaches",
    "read_plan",
    "replay",
    "seeded_words",
    "system_words",
    "then",
    "uniform_permutation",
]
