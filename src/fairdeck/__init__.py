"""Fully random decks: dealt by hand, checked by machine.

One call for each command, with plain defaults:

* `deal`: draw a uniformly random order and say how to deal the deck into it (a `Deal`);
* `deal_order`: how to deal a deck from an order that is known into one that is wanted (a `Deal`);
* `check`: what a deck and a mat imply, before anything is drawn (an `Outlook`);
* `mix`: how far a deck is from random after a recipe (a `Mixing`);
* `advise`: every way to shuffle a deck, best first (a `Recommendations`);
* `hands`: how neat your own riffle is, and how many of it a deck needs (a `Measured`).

The parts that they are made of, for programs that need more:

* what is wanted: `Mat` and `PRESETS`; the goals `WHOLE_DECK`, `TopCards`, `Hands` and `Strata`, which `parse_goal`
  reads; and a `Task`, which joins them;
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

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairdeck import bulk as bulk
    from fairdeck import lab as lab
    from fairdeck import packets as packets
    from fairdeck import shuffles as shuffles
    from fairdeck.advice import advise
    from fairdeck.dealing.goal import WHOLE_DECK, Hands, Strata, TopCards, WholeDeck, parse_goal
    from fairdeck.dealing.mat import PRESETS, Mat
    from fairdeck.dealing.outlook import Outlook
    from fairdeck.dealing.plan import Pass, Plan, outcomes, reaches, read_plan, replay
    from fairdeck.dealing.planner import Task, draw, plan_for
    from fairdeck.deals import Deal, check, deal, deal_order
    from fairdeck.errors import FairdeckError, UnsoundPlan
    from fairdeck.lab.experiments.distance import mix
    from fairdeck.lab.experiments.your_hands import Measured
    from fairdeck.permutation import arrange, inverse, permutation_of, then
    from fairdeck.randomness import RandomIntegers, random_integers, seeded_words, system_words, uniform_permutation
    from fairdeck.shuffles.interleavings import Interleaving

__version__ = "0.1.0"
ROOMS = ("bulk", "lab", "packets", "permutation", "shuffles")
# What has the public names, from the ground up: each is loaded when a name is first asked for.
PLACES = (
    *("errors", "permutation", "randomness", "dealing.mat", "dealing.goal", "dealing.plan", "dealing.planner"),
    *("dealing.outlook", "deals", "advice", "lab.experiments.distance"),
)

if not TYPE_CHECKING:  # so that a type checker still knows which names there are

    def __getattr__(name: str) -> Any:
        """Load what takes a while when it is first used."""
        if name in ROOMS:
            return import_module(f"{__name__}.{name}")
        if name in __all__:
            for place in PLACES:
                if hasattr(module := import_module(f"{__name__}.{place}"), name):
                    globals()[name] = getattr(module, name)
                    return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *ROOMS})


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
    "Strata",
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


def hands(
    *riffles: "str | Interleaving",
    cuts: Sequence[int] = (),
    cards: int | None = None,
    seed: int = 1,
    tell: Callable[[str], object] = lambda _what: None,
) -> "Measured":
    """Return how neat your riffle is, and how many of it a deck needs; it takes some seconds.

    Args:
        riffles: five of them or more, each as ``"RRBRBB"`` or lengths of runs, ``"2 1 1 2"``, from the top.
        cuts: how many cards were cut off, a few times.
        cards: of the deck to shuffle, 10 to 500; by default as many as were riffled.
        seed: of the simulation.
        tell: is called with what is being simulated, in words.

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
    return your_hands.measured(riffles, cuts=cuts, cards=cards, seed=seed, tell=tell)
