"""A large deck is riffled in packets, by the published schemes: people exchange parts of their packets."""

from collections.abc import Iterator
from functools import cache
from math import ceil

from fairdeck.dealing.pace import Pace
from fairdeck.errors import FairdeckError
from fairdeck.packets import schemes
from fairdeck.packets.cutting import part
from fairdeck.packets.dispersion import dispersion, distance, fault
from fairdeck.packets.instructions import Procedure
from fairdeck.packets.notation import Flow
from fairdeck.packets.positions import seen_in_places
from fairdeck.recommendations.answer import Recommendation
from fairdeck.recommendations.clumsy_hands import as_these_hands_riffle
from fairdeck.recommendations.procedures import Tried, fewest_minutes
from fairdeck.recommendations.request import Request
from fairdeck.recommendations.way import IN_PACKETS, WayToShuffle
from fairdeck.recommendations.wording import times
from fairdeck.shuffles.measured import SWITCH

FEWEST_CARDS = 8  # of a packet
COMPARED_STEPS, COMPARED_RIFFLES = 4, 2
MASHED = (("Riffle", "Mash"), ("riffle", "mash"), ("mashs ", "mashes "), ("Mashs ", "Mashes "))


def _in_packets(request: Request, pace: Pace) -> Iterator[Recommendation]:
    if not request.room:
        return
    for flow, hands in _flows(request):
        best = fewest_minutes(request, flow, hands, pace)
        if best is None:
            continue
        try:
            procedure = Procedure(flow, request.cards, hands, best.steps, best.riffles)
        except FairdeckError:  # a part would be too thin to riffle
            continue
        yield as_these_hands_riffle(_told(request, procedure, best), request)


def _flows(request: Request) -> Iterator[tuple[Flow, int]]:
    """Yield the flows that suit the deck and the people, and how many people work."""
    # Of flows with equal packets and hands that spread alike, only the one made for those hands; then the better one.
    shown = set()
    for flow in sorted(schemes().values(), key=lambda flow: (-flow.players[0], _seen_when_small(flow))):
        (fewest, most), packets = flow.players, len(flow.packets)
        fits = FEWEST_CARDS <= ceil(request.cards / packets) <= request.handful
        if len(flow.steps) > 1 or request.players < fewest or not fits or fault(flow):
            continue
        at_once = not distance(dispersion(flow, 1))
        if fewest == 1 and not at_once:  # spreads slowly: never among the best
            continue
        hands = min(request.players, most, packets)
        if (packets, hands, at_once) not in shown:
            shown.add((packets, hands, at_once))
            yield flow, hands


@cache
def _seen_when_small(flow: Flow) -> float:
    """Return what the places of the cards show of a small pack after a few steps: a measure to compare flows by."""
    if fault(flow):
        return 1.0
    return seen_in_places(flow, len(flow.packets) * FEWEST_CARDS, COMPARED_STEPS, COMPARED_RIFFLES)[-1]


def _told(request: Request, procedure: Procedure, best: Tried) -> Recommendation:
    flow, hands, packets = procedure.flow, procedure.players, len(procedure.flow.packets)
    work = f"--cards {request.cards} --players {hands} --steps {best.steps} --riffles {best.riffles}"
    remark = f"fairdeck packets {flow.name} {work}"
    if request.sleeved:
        remark += f" --simulate 20000 --switch {SWITCH:g}: no law is known for mashed packets"
    elif best.variation is None:
        remark += ": its quality would take too long to compute"
    riffled = "mashed" if request.sleeved else "riffled"
    sheets = [(who, _in_words(procedure, request.sleeved, who)) for who in procedure.everyone() if who]
    return Recommendation(
        mark=f"{packets} packets",
        way=f"in {packets} packets ({flow.name}): {best.steps} steps, each packet {riffled} {times(best.riffles)} a "
        "step",
        minutes=best.minutes,
        total_variation=best.variation,
        exact=False,
        needs=f"{hands} {'pair' if hands == 1 else 'pairs'} of practised hands",
        remark=remark,
        people=hands,
        do=_in_words(procedure, request.sleeved),
        sheets=tuple(sheets),
    )


def _in_words(procedure: Procedure, sleeved: bool, who: str | None = None) -> tuple[str, ...]:
    """Return what everybody does in a packet procedure, or one player: where they sit, what they do, the end."""
    found = [_seats(procedure, who), _cut_in_short(procedure) if who is None else procedure.opening()]
    says = procedure.flow.says
    if who is None and says and len(procedure.flow.steps) == 1:  # in short; the sheets have the numbers of cards
        title = procedure.step_title(range(1, procedure.steps + 1))
        short = [f"\n{name}: {sentence}" for name, sentence in says]
        told = procedure.players == 1 or not procedure.flow.packets[0].isdigit()  # of players it is said who gives what
        give = "" if told else "give each part to the player who riffles it; "
        found.append(f"{title}; {give}to riffle is always to riffle {times(procedure.riffles)}:{''.join(short)}")
    else:
        for title, sentences in procedure.grouped(who):
            found.append(f"{title}.{''.join(f'{chr(10)}{each.says}' for each in sentences)}")
    found.append(procedure.ending())
    for old, new in MASHED if sleeved else ():
        found = [sentence.replace(old, new) for sentence in found]
    return tuple(filter(None, found))


def _cut_in_short(procedure: Procedure) -> str:
    """Say how to cut the pack into packets; who gets which is clear where everybody has one."""
    packets = part(procedure.flow, range(procedure.cards))
    if procedure.players != len(procedure.flow.hands):
        return procedure.opening()
    player = "player " if all(name.isdigit() for name in packets) else ""
    sizes = ", ".join(f"{player}{name} {len(deck)}" for name, deck in packets.items())
    return f"Cut the pack into a packet for each, from the top (cards): {sizes}."


def _seats(procedure: Procedure, who: str | None) -> str:
    """Say who sits where: in the order of their names, clockwise, so that the next one is at the left."""
    people = procedure.everyone()
    count = len(people)
    if count == 1:
        names = ", ".join(procedure.flow.packets)
        return f"Lay the packets down in a row, from left to right: {names}."
    if count == 2:
        return "Sit opposite each other." if who is None else f"{people[1 - people.index(who)]} sits opposite."
    if who is None:
        return f"Sit around the table clockwise: {', '.join(procedure.flow.hands)}. The next one is always at the left."
    at = people.index(who)
    opposite = f", {people[(at + 2) % count]} opposite" if count == 4 else ""
    return f"{people[(at + 1) % count]} sits at your left, {people[at - 1]} at your right{opposite}."


WAY = WayToShuffle(IN_PACKETS, _in_packets)
