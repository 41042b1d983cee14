"""The packet schemes as the page `packets` shows them: what goes where in each step, and how far it spreads.

All of it comes from `fairdeck.packets`, so the page computes no dispersion; fractions are texts such as ``5/16``.
"""

from fairdeck.packets import schemes
from fairdeck.packets.dispersion import dispersions, distance, fault, identity
from fairdeck.packets.notation import Flow, Move, Slice
from fairdeck.words import LANGUAGES, texts


def flows() -> dict[str, dict[str, object]]:
    """Return every scheme by its name, those that never spread last.

    >>> flows()["two-way"]["spread"][1], flows()["four-halves"]["never"]
    ([['1/2', '1/2'], ['1/2', '1/2']], True)
    """
    known = sorted(schemes().values(), key=lambda flow: bool(fault(flow)))
    return {flow.name: _shown(flow) for flow in known}


def titles() -> dict[str, dict[str, str]]:
    """Return the titles of the schemes that have one, in each language, by name."""
    known = {language: texts(language) for language in LANGUAGES}
    return {
        language: {name: found[key] for name in schemes() if (key := f"title {name}") in found}
        for language, found in known.items()
    }


def _shown(flow: Flow) -> dict[str, object]:
    spread = [identity(len(flow.packets)), *dispersions(flow, flow.rounds)]
    return {
        "cards": flow.sizes,
        "players": (flow.players[0], min(flow.players[1], len(flow.hands))),
        "riffles": flow.riffles,
        "never": bool(fault(flow)),
        "hands": flow.hands,
        "names": [flow.names(step) for step in range(flow.rounds + 1)],
        "steps": [[_move(move, flow.names(step)) for move in flow.moves(step)] for step in range(len(flow.steps))],
        "spread": [[[str(share) for share in row] for row in matrix] for matrix in spread],
        "far": [str(distance(matrix)) for matrix in spread],
    }


def _move(move: Move, before: tuple[str, ...]) -> dict[str, object]:
    def parts(slices: tuple[Slice, ...]) -> list[tuple[int, str, str]]:
        return [(before.index(each.packet), str(each.start), str(each.end)) for each in slices]

    return {"kind": move.kind, "upper": parts(move.upper), "lower": parts(move.lower)}
