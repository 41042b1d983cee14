"""Packet flows: procedures for packs too large for one pair of hands.

The pack is parted into packets; each step cuts them, sends the parts to other packets (that
spreads the cards about: **majoring**) and riffles each packet by itself (**minoring**). `notation`
reads and writes flows, ``schemes/`` holds those published, one text file each; `dispersion` says
exactly how far a flow spreads the packets, `position` how far single cards get, `sampler` is the
procedure itself, `words` says it to players, `drawing` draws it. All of it is standard library only.

A flow counts from the top, as people read a deck. `sampler` turns it over; arrangements are base first as
everywhere (see `fairdeck.permutation`).
"""

from functools import cache
from importlib import resources

from fairdeck.errors import FairdeckError
from fairdeck.packets.notation import Flow, read_flow

ENDING = ".flow"


@cache
def schemes() -> dict[str, Flow]:
    """Return every published scheme by its name: the text files in ``schemes/``."""
    files = [file for file in resources.files(__name__).joinpath("schemes").iterdir() if file.name.endswith(ENDING)]
    found = [read_flow(file.read_text(encoding="utf-8")) for file in files]
    return {flow.name: flow for flow in sorted(found, key=lambda flow: (len(flow.hands), flow.players, flow.name))}


def find(name: str) -> Flow:
    """Return the scheme called `name`.

    Raises:
        FairdeckError: none is called so.
    """
    known = schemes().get(name)
    if known is None:
        from difflib import get_close_matches

        close = get_close_matches(name, schemes(), 3)
        near = f" (near: {', '.join(close)})" if close else ""
        raise FairdeckError(f"no scheme and no file is called {name!r}{near}; see: fairdeck packets")
    return known
