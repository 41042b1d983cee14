"""Packet procedures, for packs that are too large for one pair of hands.

    >>> import fairdeck.packets
    >>> fairdeck.packets.scheme("two-way", 104).opening()
    'Hold the pack face down and cut it, from the top: packet 1 (52 cards), then packet 2 (52 cards).'

The pack is cut into packets. Each step cuts the packets, sends the parts to other packets (**majoring**, which
spreads the cards) and riffles each packet by itself (**minoring**). A **flow** says what goes where in each step; a
**scheme** is a flow with a name.

* `scheme` finds or takes a flow, and returns a `Procedure`: the flow done with a number of cards by some people;
* `schemes` returns all flows of ``schemes/``, one text file each; `find` returns one by its name;
* `notation` reads and writes flows, and says which cards a move takes; `instructions` says to players what to do;
* `dispersion` says exactly how far a flow spreads the packets, `positions` how far it spreads single cards.

A flow counts from the top, as people read a deck. `notation.part` turns it over: arrangements are bottom first as
everywhere (see `fairdeck.permutation`).
"""

from functools import cache
from importlib import resources

from fairdeck.doors import checked
from fairdeck.errors import FairdeckError, nearest
from fairdeck.numbers import shortened, whole
from fairdeck.packets.dispersion import refuse_without_limit
from fairdeck.packets.instructions import Procedure
from fairdeck.packets.notation import MOST_CARDS, MOST_PACKETS, MOST_RIFFLES, MOST_ROUNDS, Flow, read_flow

__all__ = ["Flow", "Procedure", "find", "read_flow", "scheme", "schemes"]

ENDING = ".flow"


@cache
def schemes() -> dict[str, Flow]:
    """Return every published scheme by its name: the text files in ``schemes/``."""
    files = [file for file in resources.files(__name__).joinpath("schemes").iterdir() if file.name.endswith(ENDING)]
    found = [read_flow(file.read_text(encoding="utf-8")) for file in files]
    return {flow.name: flow for flow in sorted(found, key=lambda flow: (len(flow.hands), flow.players, flow.name))}


@checked
def find(name: str) -> Flow:
    """Return the scheme called `name`."""
    known = schemes().get(name)
    if known is None:
        near = nearest(name, schemes()) or ";"
        raise FairdeckError(f"no scheme and no file is called {shortened(name)}{near} see: fairdeck packets")
    return known


@checked
def scheme(
    flow: Flow | str,
    cards: int | str | None = None,
    *,
    players: int | str | None = None,
    steps: int | str | None = None,
    riffles: int | str | None = None,
) -> Procedure:
    """Return how to shuffle a pack by a scheme: what everybody does, step by step.

    Args:
        flow: the name of a scheme, or a flow of your own; see `read_flow`.
        cards: in the pack; without it, what the scheme is written for.
        players: people who work; without it, the fewest it is for.
        steps: 1 to 60; without it, what the scheme advises.
        riffles: riffles of each packet in a step, 1 to 20; without it, what the scheme advises.

    Raises:
        FairdeckError: there is no such scheme, it never spreads the cards evenly, or a number does not suit it.
    """
    known = flow if isinstance(flow, Flow) else find(str(flow))
    refuse_without_limit(known)

    def number(given: int | str | None, what: str, most: int, usual: int) -> int:
        return usual if given is None else whole(what, given, 1, most)

    return Procedure(
        flow=known,
        cards=number(cards, "cards", MOST_CARDS, known.cards),
        players=number(players, "players", MOST_PACKETS, known.players[0]),
        steps=number(steps, "steps", MOST_ROUNDS, known.rounds),
        riffles=number(riffles, "riffles", MOST_RIFFLES, known.riffles),
    )
