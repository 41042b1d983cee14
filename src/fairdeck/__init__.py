"""Fully random decks: dealt by hand, checked by machine.

One call for each command, with plain defaults:

* `deal`: draw a uniformly random order and say how to deal the deck into it (a `Deal`);
* `deal_order`: how to deal a deck from an order that is known into one that is wanted (a `Deal`);
* `check`: what a deck and a mat imply, before anything is drawn (an `Outlook`);
* `mix`: how far a deck is from random after a recipe (a `Mixing`);
* `advise`: every way to shuffle a deck, best first (a `Recommendations`);
* `hands`: how neat your own riffle is, and how many of it a deck needs (a `Measured`).

The parts that they are made of, for programs that need more:

* what is wanted: `Mat` and `PRESETS`; the goals `WHOLE_DECK`, `TopCards` and `Hands`, which `parse_goal` reads; and
  a `Task`, which joins them;
* plans: `draw` and `plan_for` make a `Plan` of `Pass` objects; `read_plan` reads one; `replay`, `outcomes` and
  `reaches` say where the cards end;
* randomness: `random_integers`, or `RandomIntegers` over `system_words` or `seeded_words`; `uniform_permutation`;
* permutations: `permutation_of`, `inverse`, `arrange`, `then`. Position 0 is the bottom of the deck; the module
  `fairdeck.permutation` states the convention.

Everything that a caller can set right is a `FairdeckError`; a plan that cannot be dealt is an `UnsoundPlan`.
The rooms beside these are loaded when they are first used: `fairdeck.packets.scheme` says how to shuffle a large pack
in packets; `fairdeck.shuffles` has the known shuffles; `fairdeck.bulk` and `fairdeck.lab`, which need the extra
``lab``, make many decks at once and test shuffles.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fairdeck.dealing.goal import WHOLE_DECK, Hands, TopCards, WholeDeck, parse_goal
from fairdeck.dealing.mat import PRESETS, Mat
from fairdeck.dealing.outlook import Outlook
from fairdeck.dealing.plan import Pass, Plan, outcomes, reaches, read_plan, replay
from fairdeck.dealing.planner import Task, draw, plan_for
from fairdeck.deals import Deal, check, deal, deal_order
from fairdeck.errors import FairdeckError, UnsoundPlan
from fairdeck.permutation import arrange, inverse, permutation_of, then
from fairdeck.randomness import RandomIntegers, random_integers, seeded_words, system_words, uniform_permutation

if TYPE_CHECKING:
    from fairdeck.lab.experiments.distance import Mixing
    from fairdeck.lab.experiments.your_hands import Measured
    from fairdeck.recommendations import Recommendations

__version__ = "0.1.0"
LATER = ("bulk", "lab", "packets", "shuffles")

if not TYPE_CHECKING:  # so that a type checker still knows which names there are

    def __getattr__(name: str) -> Any:
        if name in LATER:
            return import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "PRESETS",
    "WHOLE_DECK",
    "Deal",
    "FairdeckError",
    "Hands",
    "Mat",
    "Outlook",
    "Pass",
    "Plan",
    "RandomIntegers",
    "Task",
    "TopCards",
    "UnsoundPlan",
    "WholeDeck",
    "advise",
    "arrange",
    "check",
    "deal",
    "deal_order",
    "draw",
    "hands",
    "inverse",
    "mix",
    "outcomes",
    "parse_goal",
    "permutation_of",
    "plan_for",
    "random_integers",
    "reaches",
    "read_plan",
    "replay",
    "seeded_words",
    "system_words",
    "then",
    "uniform_permutation",
]


def mix(recipe: str, cards: int | None = None, **options: Any) -> "Mixing":
    """Return how far a deck is from random after a recipe: exactly where a law is known, else in bounds.

    Args:
        recipe: a shuffle or several, such as ``riffle*7`` or ``overhand*10 + cut``.
        cards: 1 to 1,000; if None 52, or the usual number for the option `like`.
        options: those of `fairdeck.lab.experiments.distance.mix`, among them `like` (cards that count as alike, such
            as ``suits``), `hands` (dealt after riffles), `rounds`, and `decks` and `seed` of a simulation.

    Raises:
        FairdeckError: the recipe cannot be read, or a number is out of range; or a simulation is wanted, and the
            packages of the extra ``lab`` are missing.

    >>> mix("riffle*7", 52)
    Mixing('riffle*7', cards=52, total_variation=0.3341, exact=True)
    """
    from fairdeck.lab.experiments import distance  # takes a while

    return distance.mix(recipe, cards, **options)


def advise(cards: int, **options: Any) -> "Recommendations":
    """Return every way to shuffle a deck, best first.

    Args:
        cards: in the deck, 2 to 1,000.
        options: those of `fairdeck.recommendations.advise`, among them `players`, `mat`, `cards_are` (``sleeved``,
            say), `goal`, `distance` (how far from uniform, as a total variation) and `minutes`.

    Raises:
        FairdeckError: a value is out of range, or nothing can be done.

    >>> advise(52).best.way
    'riffle it 10 times'
    """
    from fairdeck import recommendations  # takes a while

    return recommendations.advise(cards, **options)


def hands(*riffles: str, **options: Any) -> "Measured":
    """Return how neat your riffle is, and how many of it a deck needs.

    Args:
        riffles: five of them or more, each as ``"RRBRBB"`` or lengths of runs, ``"2 1 1 2"``, from the top.
        options: those of `fairdeck.lab.experiments.your_hands.measured`: `cuts` (cards cut off, a few times), `cards`
            (of the deck to shuffle, 10 to 500), `seed` of the simulation, and `tell`.

    Raises:
        FairdeckError: a riffle cannot be read, or a number is out of range; or the packages of the extra ``lab`` are
            missing.

    >>> hands("RRBRBBRBRRBBRBRB", "RBBRRBRBRBBRRBBR", "BRBRRBBRBRBRBRRB", cards=52).fit.fits
    True
    """
    from fairdeck.extras import missing

    try:
        from fairdeck.lab.experiments import your_hands  # takes a while
    except ModuleNotFoundError as error:
        raise missing(f"measuring a riffle needs {error.name}", "lab") from None
    return your_hands.measured(riffles, **options)
