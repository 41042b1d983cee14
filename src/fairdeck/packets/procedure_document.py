"""What is known of a packet procedure, as a document: what to do, how far the cards spread, and pictures of both."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial

from fairdeck import document as doc
from fairdeck.dealing.instructions import counted
from fairdeck.errors import FairdeckError
from fairdeck.packets import schemes
from fairdeck.packets.dispersion import Matrix, dispersions, distance, even, identity, limit, ratios
from fairdeck.packets.instructions import Procedure
from fairdeck.packets.notation import ALONE, JOINT, STACKED, Flow, write_flow
from fairdeck.packets.positions import both_step_by_step, estimated

ROWS = 12  # steps in the picture of the spread
WIDEST = 100  # letters of the shares in a table; of wider ones the first old packet, which is the worst, is shown
LONGEST_RATIO, LONGEST_FRACTION = 24, 9  # letters
DONE = {JOINT: "riffled together", ALONE: "stacked, riffled", STACKED: "stacked"}


@dataclass(frozen=True, slots=True)
class Distances:
    """How far from random a pack is after each step, in total variation, for ideal riffles."""

    worst: Sequence[float] = ()  # the place of the worst card; empty if `unknown` says why that was not computed
    order: Sequence[float] = ()  # the whole order
    exact: int = 0  # after how many steps that is exact; then an upper bound. If after none, an estimate
    unknown: str = ""

    @classmethod
    def of(cls, procedure: Procedure) -> "Distances":
        """Compute them, exactly where all orders can be followed."""
        work = procedure.flow, procedure.cards, procedure.steps, procedure.riffles
        try:
            both = list(both_step_by_step(*work))
        except FairdeckError as error:
            return cls(unknown=str(error))
        worst = [worst for worst, _ in both]
        if exact := procedure.variations():
            # More steps never take an order further from random.
            later = [exact[-1]] * (procedure.steps - len(exact))
            return cls(worst, list(map(float, [*exact, *later])), exact=len(exact))
        flow, cards, _, riffles = work
        order = [estimated(flow, cards, at, riffles, max(seen)) for at, seen in enumerate(both, 1)]
        return cls(worst, order)


def document(procedure: Procedure, distances: Distances) -> doc.Document:
    """Return what the procedure is, what to do, and how far it spreads the cards."""
    flow = procedure.flow
    return doc.Document(
        f"{flow.name}: {flow.title or 'a scheme of your own'}",
        [
            *_about(procedure),
            doc.Heading("Where the cards go"),
            *_pictures(flow),
            *_to_do(procedure),
            *_spreading(procedure, distances),
            doc.Heading("The scheme itself"),
            doc.Code(write_flow(flow)),
        ],
    )


def _about(procedure: Procedure) -> Iterator[doc.Element]:
    flow = procedure.flow
    suits = flow.sizes[0] <= procedure.cards <= flow.sizes[1]
    facts = {
        "for": flow.purpose,
        "source": flow.source,
        "work": procedure.work(),
        "note": "" if suits else f"the scheme suits {span(flow.sizes, 'card')}",
    }
    yield from (doc.Sentence(fact, name) for name, fact in facts.items() if fact)


def _to_do(procedure: Procedure) -> Iterator[doc.Element]:
    yield doc.Heading("What to do")
    yield doc.Sentence(procedure.opening())
    if procedure.flow in schemes().values() and procedure.cards >= procedure.flow.sizes[0]:  # what was measured
        yield doc.Sentence("Cut by eye: a cut that misses by 4 cards costs almost nothing, so do not count cards.")
    steps = [
        "\n".join([title, *(f"{each.who}: {each.says}" if each.who else each.says for each in sentences)])
        for title, sentences in procedure.grouped()
    ]
    yield doc.Steps(steps, titled=True)
    yield doc.Sentence(procedure.ending())


def _spreading(procedure: Procedure, distances: Distances) -> Iterator[doc.Element]:
    flow = procedure.flow
    yield doc.Heading(
        f"How the cards of each old packet lie in new packets {':'.join(flow.packets)}, if riffled thoroughly"
    )
    yield _spread(procedure)
    spreads = procedure.dispersions()
    shares = [[short_ratios(row) for row in spread] for spread in spreads]
    heads = [f"of {name}" for name in flow.packets]
    if max(sum(map(len, row)) for row in shares) > WIDEST:
        heads, shares = ["of the worst"], [row[:1] for row in shares]
    columns = {"steps": True} | dict.fromkeys([*heads, "from even"], True)
    worst, whole = distances.worst, f"whole order, {'exactly' if distances.exact else 'estimate'}"
    columns |= {"worst card": True, whole: True} if worst else {}
    rows = []
    for at, (row, spread) in enumerate(zip(shares, spreads, strict=True)):
        far = distance(spread)
        exact = str(far) if len(str(far)) <= LONGEST_FRACTION else f"{float(far):.2e}"
        most = "at most " if 0 < distances.exact <= at else ""
        order = [f"{worst[at]:.4f}", f"{most}{distances.order[at]:.4f}"] if worst else []
        rows.append((str(at + 1), *row, exact, *order))
    yield doc.Table(columns, rows)
    yield doc.Note(
        "The ratios say how the cards of an old packet are shared among the new packets. From even: the share of them "
        "that lies in a wrong packet. Worst card: how far its place is from random, for ideal riffles."
    )
    yield doc.Sentence(short_ratios(limit(flow)), "limit")
    if distances.unknown:
        yield doc.Sentence(distances.unknown, "worst card")
    elif distances.exact:
        after = "" if distances.exact == procedure.steps else f" after {counted(distances.exact, 'step')}"
        more = ", and more steps take none further" if after else ""
        yield doc.Sentence(
            f"The whole order is {distances.order[-1]:.4f} from random{after}, exactly, for ideal riffles: all "
            f"{factorial(procedure.cards):,} orders were followed{more}."
        )
    else:
        yield doc.Sentence(
            f"The whole order is {distances.order[-1]:.2g} from random by an estimate, for ideal riffles: all "
            f"orders of {counted(procedure.cards, 'card')} take too long to follow. It is at least as far as the "
            f"worst card: {worst[-1]:.4f}."
        )


def _pictures(flow: Flow) -> Iterator[doc.Chart]:
    """Yield a picture of each step: the packets before, where each part goes, the packets after."""
    for step, moves in enumerate(map(flow.moves, range(len(flow.steps)))):
        sizes = _sizes(flow, step)
        which = "Each step" if len(flow.steps) == 1 else f"Step {step + 1} of {len(flow.steps)}, again and again"
        after = []
        for move in moves:
            whole = sum((sizes[part.packet] * part.share for part in move.slices), Fraction(0))
            parts = [
                doc.PacketPart(
                    part.packet, float(part.start), float(part.end), float(sizes[part.packet] * part.share / whole)
                )
                for part in move.slices
            ]
            done = DONE[move.kind] if len(parts) > 1 else {ALONE: "riffled"}.get(move.kind, "as it is")
            after.append(doc.NewPacket(move.packet, done, float(whole), parts))
        yield doc.Chart(
            f"Step {step + 1} of {flow.name}",
            doc.PacketStep({name: float(size) for name, size in sizes.items()}, after),
            "; ".join(map(str, moves)),
            f"{which}. Each bar is a packet, its top at the left; above before, below after. The name in a part says "
            "which packet it came from.",
        )


def _sizes(flow: Flow, step: int) -> dict[str, Fraction]:
    """Return how large each packet is before a step, as a share of the pack."""
    spread: Matrix = dispersions(flow, step)[-1] if step else identity(len(flow.packets))
    return dict(zip(flow.names(step), even(spread), strict=True))


def _spread(procedure: Procedure) -> doc.Chart:
    """Return the shares of the old packets in each packet, step by step."""
    packets = len(procedure.flow.packets)
    shown = [identity(packets), *dispersions(procedure.flow, procedure.steps)][: ROWS + 1]
    steps = [[[float(share) / packets for share in packet] for packet in zip(*spread, strict=True)] for spread in shown]
    return doc.Chart(
        f"The shares of the old packets in each packet, after 0 to {len(shown) - 1} steps",
        doc.Spread(steps),
        "The table below has the numbers.",
        "After each step: shares of the old packets in each packet, if every packet is riffled thoroughly.",
    )


def short_ratios(row: Sequence[Fraction]) -> str:
    """Return a row in least whole numbers, or in percent where those are long."""
    exact = ratios(tuple(row))
    return exact if len(exact) <= LONGEST_RATIO else " : ".join(f"{float(share):.4%}" for share in row)


def span(ends: tuple[int, int], what: str) -> str:
    """Return from how many to how many.

    >>> span((2, 4), "player"), span((3, 3), "card")
    ('2 to 4 players', '3 cards')
    """
    return counted(ends[0], what) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]} {what}s"
