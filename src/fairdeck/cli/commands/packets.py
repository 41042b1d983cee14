"""Say how to shuffle a large pack in packets, and how well that spreads the cards.

A scheme is one of those listed without one, or a text file in the notation of docs/packets.md.
"""

import json
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

from fairdeck.cli.exits import FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.follow import demand_terminal, walk
from fairdeck.cli.laboratory import missing_for_lab, seed_argument, seed_from
from fairdeck.cli.progress import Progress
from fairdeck.errors import FairdeckError
from fairdeck.extras import missing
from fairdeck.instructions import counted as many
from fairdeck.mixing.measured import CONFIDENCE
from fairdeck.packets import find, schemes
from fairdeck.packets.dispersion import (
    closed_form,
    cycle_matrix,
    dispersions,
    distance,
    fault,
    limit,
    refuse_without_limit,
    repaired,
)
from fairdeck.packets.drawing import page, short_ratios
from fairdeck.packets.notation import (
    MOST_CARDS,
    MOST_PACKETS,
    MOST_RIFFLES,
    MOST_ROUNDS,
    MOST_TEXT,
    Flow,
    read_flow,
    write_flow,
)
from fairdeck.packets.position import worst_card
from fairdeck.packets.words import Sentence, Table
from fairdeck.reading import decimal_number, whole_number

MOST_DECKS = 10**10
WORK = ("cards", "players", "steps", "riffles")
SIMULATION = ("simulate", "switch", "slip", "seed")
WIDEST, NARROWEST = 110, 50
COLUMN = 10  # of a sheet


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("scheme", nargs="?", metavar="SCHEME|FILE", help="a known scheme, or a file with one of yours")
    parser.add_argument("--cards", metavar="N", help=f"cards in the pack, up to {MOST_CARDS:,} (default: the scheme's)")
    parser.add_argument("--players", metavar="P", help="people who work at it (default: the fewest it is for)")
    parser.add_argument("--steps", metavar="K", help=f"steps, 1 to {MOST_ROUNDS} (default: what the scheme advises)")
    parser.add_argument(
        "--riffles", metavar="J", help=f"riffles of each packet in a step, 1 to {MOST_RIFFLES} (likewise)"
    )
    parser.add_argument("--repair", action="store_true", help="swap two slices if the scheme never disperses")
    parser.add_argument("--simulate", metavar="N", help="also shuffle N packs by it, and say what is left to see")
    parser.add_argument("--switch", metavar="P", help="simulate hands whose packets drop in turn with chance P")
    parser.add_argument("--slip", metavar="CARDS", help="simulate cuts that miss by about so many cards, 0 to 16")
    seed_argument(parser)
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--follow", action="store_true", help="step through the instructions, in this terminal")
    shown.add_argument("--json", action="store_true", help="the same as JSON, fractions as strings")
    shown.add_argument("--sheets", action="store_true", help="only the instructions, a sheet for each player")
    shown.add_argument("--flow", action="store_true", help="only the scheme in the notation, to change and save")
    parser.add_argument("--html", metavar="FILE", help="also write one web page with pictures, which works offline")


def run(args: Namespace) -> int:
    """Compute and write."""
    if args.scheme is None:
        return _list(args)
    _refuse_what_would_be_ignored(args)
    flow = _flow_from(args.scheme)
    changed = ""
    if args.repair:
        flow, changed = repaired(flow)
    if args.flow:
        print(write_flow(flow), end="")
        return FINE
    refuse_without_limit(flow)
    if args.follow:
        demand_terminal()
    table = _table_from(args, flow)
    number, hands = _simulation_from(args, table.riffles)
    seed = seed_from(args)
    path = None if args.html is None else writable(args.html)
    words_only = (args.follow or args.sheets) and path is None
    worst, unknown = ([], "") if words_only else _worst_from(table)
    found = _simulated(table, hands, number, seed) if number else {}
    if path is not None:
        shown = {each.says: (each.low, each.value, each.error) for each in found.values()}
        write(path, page(table, worst, shown, write_flow(flow)))
    if args.follow:
        screens = list(_screens(table))
        ask = ["Leave this pack?", "", "It is not shuffled yet; whoever knows the step can go on from here."]
        unfinished = "The pack was left unfinished: it is not random yet."
        return walk(len(screens), screens.__getitem__, ask=ask, unfinished=unfinished, end=table.ending())
    if args.json:
        told = _as_dict(table, worst, changed, found, number, seed) | {"worst_card_unknown": unknown}
        print(json.dumps(told, ensure_ascii=False))
    elif args.sheets:
        print(*_sheets(table), sep="\n")
    else:
        print(*_lines(table, worst, unknown, changed, found, number, seed), sep="\n")
    return FINE


def _refuse_what_would_be_ignored(args: Namespace) -> None:
    """Refuse an option that another one leaves without effect."""
    if args.flow:
        for option in (*WORK, *SIMULATION, "html"):
            if getattr(args, option) is not None:
                raise FairdeckError(f"--flow only writes the scheme: leave out --{option}, or --flow")
    for only in ("follow", "sheets"):
        if getattr(args, only) and args.simulate is not None and args.html is None:
            raise FairdeckError(f"--{only} shows no simulation: leave out --simulate, or add --html FILE")
    if args.scheme in schemes() or args.html is None:
        return
    if os.path.realpath(args.html) == os.path.realpath(args.scheme):
        raise FairdeckError(f"--html {args.html!r} would write over the scheme: name another file")


def _worst_from(table: Table) -> tuple[list[float], str]:
    """Return how far the worst card is from random after each step; or nothing, and why."""
    try:
        return worst_card(table.flow, table.cards, table.steps, table.riffles), ""
    except FairdeckError as error:
        return [], str(error)


def _flow_from(name: str) -> Flow:
    if name in schemes():
        return find(name)
    try:
        with Path(name).open(encoding="utf-8-sig") as file:
            text = file.read(MOST_TEXT + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError) and "/" not in name and "." not in name:
            return find(name)
        reason = getattr(error, "strerror", None) or error
        raise FairdeckError(
            f"cannot read {name!r} ({reason}): name a scheme (see: fairdeck packets) or a file"
        ) from None
    try:
        return read_flow(text)
    except FairdeckError as error:
        raise FairdeckError(f"{name}: {error}") from None


def _table_from(args: Namespace, flow: Flow) -> Table:
    def number(text: str | None, what: str, least: int, most: int, usual: int) -> int:
        return usual if text is None else whole_number(text, what, least, most)

    return Table(
        flow=flow,
        cards=number(args.cards, "cards", 1, MOST_CARDS, flow.cards),
        players=number(args.players, "players", 1, MOST_PACKETS, flow.players[0]),
        steps=number(args.steps, "steps", 1, MOST_ROUNDS, flow.rounds),
        riffles=number(args.riffles, "riffles", 1, MOST_RIFFLES, flow.riffles),
    )


def _simulation_from(args: Namespace, riffles: int) -> tuple[int, Any]:
    """Return how many packs to simulate, and the hands that do it."""
    if args.simulate is None:
        for option in SIMULATION[1:]:
            if getattr(args, option) is not None:
                raise FairdeckError(f"--{option} {getattr(args, option)!r} needs --simulate N")
        return 0, None
    number = whole_number(args.simulate, "packs to simulate", 1000, MOST_DECKS)
    switch = None if args.switch is None else decimal_number(args.switch, "switch", 0.0, 1.0)
    slip = 0.0 if args.slip is None else decimal_number(args.slip, "slip", 0.0, 16.0)
    from importlib.util import find_spec

    if missing_for_lab() or find_spec("numba") is None:
        raise missing("--simulate needs numpy, scipy and numba", "lab")
    from fairdeck.lab.simulate import Hands

    return number, Hands(riffles, switch, slip)


def _simulated(table: Table, hands: Any, number: int, seed: int) -> dict[str, Any]:
    from fairdeck.lab.simulate import bounds, counted

    progress = Progress()
    progress.say("compiling")
    found = {}
    try:
        for done, counts in counted(table.flow, table.cards, table.steps, hands, number, seed):
            progress.tell(done, number, "packs")
            if done == number:
                found = bounds(counts, table.flow)
    finally:
        progress.done()
    return found


# --- writing


def _list(args: Namespace) -> int:
    given = [name for name in (*WORK, *SIMULATION, "html") if getattr(args, name) is not None]
    given += [name for name in ("follow", "repair", "flow", "sheets") if getattr(args, name)]
    if given and set(given) - {"cards", "players"}:
        raise FairdeckError(f"--{given[-1]} needs a scheme; fairdeck packets lists them")
    cards = None if args.cards is None else whole_number(args.cards, "cards", 1, MOST_CARDS)
    players = None if args.players is None else whole_number(args.players, "players", 1, MOST_PACKETS)
    shown = [
        flow
        for flow in schemes().values()
        if (cards is None or flow.sizes[0] <= cards <= flow.sizes[1])
        and (players is None or flow.players[0] <= players <= flow.players[1])
    ]
    if args.json:
        print(json.dumps([_known(flow) for flow in shown], ensure_ascii=False))
        return FINE
    column = max(map(len, schemes())) + 4
    for flow in shown:
        who = f"{_span(flow.players, 'player')}, {_span(flow.sizes, 'card')}"
        yield_lines = _wrapped(f"  {flow.name}", f"{flow.title} ({who})", column)
        print(*yield_lines, sep="\n")
    if not shown:
        print("No known scheme suits that; the notation to write your own is in docs/packets.md.")
    print("\nOne of them: fairdeck packets two-way --cards 104. Your own: fairdeck packets my.flow.")
    return FINE


def _known(flow: Flow) -> dict[str, Any]:
    return {
        "scheme": flow.name,
        "title": flow.title,
        "for": flow.purpose,
        "players": list(flow.players),
        "cards": list(flow.sizes),
        "advised": {"steps": flow.rounds, "riffles": flow.riffles},
        "disperses": not fault(flow),
        "source": flow.source,
    }


def _span(ends: tuple[int, int], what: str) -> str:
    return many(ends[0], what) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]} {what}s"


def _strings(row: Sequence[Fraction]) -> list[str]:
    return [str(share) for share in row]


def _as_dict(
    table: Table, worst: Sequence[float], changed: str, found: dict[str, Any], number: int, seed: int
) -> dict[str, Any]:
    flow = table.flow
    formula = closed_form(cycle_matrix(flow))
    steps = []
    for at, (spread, sentences) in enumerate(zip(dispersions(flow, table.steps), table.all_steps(), strict=True)):
        steps.append(
            {
                "step": at + 1,
                "packets": list(flow.names(at + 1)),
                "dispersion": [_strings(row) for row in spread],
                "ratios": [short_ratios(row) for row in spread],
                "from_even": str(distance(spread)),
                "worst_card": worst[at] if worst else None,
                "do": [{"who": each.who, "says": each.says} for each in sentences],
            }
        )
    simulated = {"decks": number, "seed": f"{seed:x}"} if number else None
    if simulated is not None:
        simulated["lower_bounds"] = {name: [each.value, each.error] for name, each in found.items()}
        simulated["at_least"] = {name: each.low for name, each in found.items()}
        simulated["confidence"] = CONFIDENCE
    return {
        **_known(flow),
        "cards": table.cards,
        "players": table.players,
        "riffles": table.riffles,
        "packets": list(flow.packets),
        "says": dict(flow.says),
        "repaired": changed,
        "steps": steps,
        "limit": _strings(limit(flow)),
        "closed_form": str(formula) if formula else None,
        "opening": table.opening(),
        "ending": table.ending(),
        "flow": write_flow(flow),
        "simulated": simulated,
    }


def _lines(
    table: Table, worst: Sequence[float], unknown: str, changed: str, found: dict[str, Any], number: int, seed: int
) -> Iterator[str]:
    yield from _facts(table, changed)
    yield ""
    yield "WHAT TO DO"
    yield from _wrapped("", table.opening(), 2)
    for title, sentences in table.grouped():
        yield title
        column = 2 if table.players == 1 else max(len(each.who) for each in sentences) + 4
        for each in sentences:
            yield from _wrapped(f"  {each.who}" if each.who else "", each.says, column)
    yield from _wrapped("End", table.ending(), 5)
    yield ""
    yield "HOW FAR IT SPREADS THE PACKETS"
    yield from _dispersion(table, worst, unknown)
    if number:
        yield ""
        yield f"SIMULATED: {number:,} packs (seed {seed:x})"
        yield f"  Distance from random, in total variation: at least ({CONFIDENCE:.1%} sure of all), and as counted:"
        for each in found.values():
            yield f"  {each.low:.4f}   {each.value:.4f} +- {each.error:.4f}   {each.says}"


def _facts(table: Table, changed: str) -> Iterator[str]:
    flow = table.flow
    yield f"{flow.name}: {flow.title or 'a scheme of your own'}"
    people, steps, riffles = many(table.players, "player"), many(table.steps, "step"), many(table.riffles, "riffle")
    suits = flow.sizes[0] <= table.cards <= flow.sizes[1]
    facts = {
        "repaired": changed,
        "for": flow.purpose,
        "source": flow.source,
        "work": f"{many(table.cards, 'card')}, {people}, {steps}, {riffles} of each packet in a step",
        "note": "" if suits else f"it suits {_span(flow.sizes, 'card')}",
    }
    for name, fact in [*facts.items(), *flow.says]:
        if fact:
            yield from _wrapped(f"  {name}", fact, 12)


def _dispersion(table: Table, worst: Sequence[float], unknown: str) -> Iterator[str]:
    flow = table.flow
    yield f"  How the cards of each old packet lie in new packets {':'.join(flow.packets)}, if riffled thoroughly:"
    spreads = dispersions(flow, table.steps)
    shown = [[short_ratios(row) for row in spread] for spread in spreads]
    heads = [f"of {name}" for name in flow.packets]
    widths = [max(len(head), *(len(row[at]) for row in shown)) for at, head in enumerate(heads)]
    if sum(widths) > WIDEST:
        heads, shown, widths = ["of the worst"], [[row[0]] for row in shown], [max(len(row[0]) for row in shown)]
    line = "  ".join(f"{head:>{width}}" for head, width in zip(heads, widths, strict=True))
    yield f"  steps  {line}  from even" + ("  worst card" if worst else "")
    for at, (row, spread) in enumerate(zip(shown, spreads, strict=True)):
        line = "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        far = distance(spread)
        exact = str(far) if len(str(far)) <= 9 else f"{float(far):.2e}"
        yield f"  {at + 1:>5}  {line}  {exact:>9}" + (f"  {worst[at]:>10.4f}" if worst else "")
    formula = closed_form(cycle_matrix(flow))
    if formula:
        rounds = "k steps, k from 1 up" if len(flow.steps) == 1 else f"k times {len(flow.steps)} steps, k from 1 up"
        yield from _wrapped("  law", f"after {rounds}: {formula}", 12)
    yield from _wrapped("  limit", short_ratios(limit(flow)), 12)
    if unknown:
        yield from _wrapped("  worst card", unknown, 14)
    floors = "the packets" if unknown else "the packets or the worst card"
    yield f"  Floors only: the whole order is never nearer to random than {floors}."


def _sheets(table: Table) -> Iterator[str]:
    """Yield for each player what to do from beginning to end, one after another."""
    heading = f"{table.flow.name}, {many(table.cards, 'card')}, {many(table.steps, 'step')}"
    for number, who in enumerate(table.everyone()):
        yield from [""] * (number > 0)
        yield f"{who.upper()}: {heading}" if who else heading
        yield from _wrapped("  Begin", table.opening(), COLUMN)
        for title, sentences in table.grouped(who):
            yield f"  {title}"
            for sentence in sentences or [Sentence(who, "Wait: this is for others.")]:
                yield from _wrapped("", sentence.says, COLUMN)
        yield from _wrapped("  End", table.ending(), COLUMN)


def _screens(table: Table) -> Iterator[list[str]]:
    yield [table.flow.title or table.flow.name, "", *wrap(table.opening(), 70)]
    for at, sentences in enumerate(table.all_steps(), 1):
        for number, each in enumerate(sentences, 1):
            title = f"Step {at} of {table.steps}    {number} of {len(sentences)}"
            yield [title, "", *([each.who, ""] if each.who else []), *wrap(each.says, 70)]
    yield ["Done", "", *wrap(table.ending(), 70)]


def _wrapped(label: str, text: str, column: int) -> Iterator[str]:
    width = min(WIDEST, max(NARROWEST, get_terminal_size().columns))
    first, *rest = wrap(text, width - column, break_on_hyphens=False) or [""]
    yield f"{label:<{column}}{first}"
    yield from (" " * column + line for line in rest)
