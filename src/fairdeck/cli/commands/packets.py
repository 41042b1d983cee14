"""Say how to shuffle a large pack in packets, and how well it does.

Says what each player does, step by step, and how far the cards spread. Without a scheme, the command lists the known
schemes; with --cards and --players, only the suitable ones. A scheme is a name, or a text file in the notation of the
page on packets. The command refuses a scheme that never disperses. In Python: `fairdeck.packets.scheme("two-way",
104)`.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

from fairdeck.cli.exits import FINE
from fairdeck.cli.files import decoded, writable, write
from fairdeck.cli.follow import demand_terminal, walk
from fairdeck.cli.help.formats import json_argument
from fairdeck.cli.laboratory import seed_from
from fairdeck.cli.packet_simulation import SIMULATION, packs_from, simulated, simulation_arguments
from fairdeck.cli.program import as_called
from fairdeck.cli.settings import PAPER, language_argument, language_from, paper_from, unless_set
from fairdeck.dealing.instructions import counted
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.packets import find, scheme, schemes
from fairdeck.packets.dispersion import (
    closed_form,
    cycle_matrix,
    distance,
    fault,
    limit,
    repaired,
)
from fairdeck.packets.instructions import Procedure
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
from fairdeck.packets.order import known, order_distances
from fairdeck.packets.positions import worst_card
from fairdeck.paper.pdf import demand_printable, pdf
from fairdeck.paper.procedure import sheets
from fairdeck.paper.sizes import PAPERS, Size
from fairdeck.show.packet_flow import page, short_ratios
from fairdeck.shuffles.measured import CONFIDENCE
from fairdeck.words import Words

WORK = ("cards", "players", "steps", "riffles")
PRINTED = ("paper", "language")
PAGES = ("html",)
WIDEST, NARROWEST = 110, 50
COLUMN = 10  # of a sheet


EXAMPLES = {
    "fairdeck packets": "the known schemes",
    "fairdeck packets two-way --cards 104": "one of them, step by step",
    "fairdeck packets two-way --cards 104 --sheets": "a sheet for each player",
    "fairdeck packets four-halves --repair": "a scheme that never disperses, with two slices swapped",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "scheme", nargs="?", metavar="SCHEME", help="a known scheme, or a file with one of yours (default: list them)"
    )
    work = parser.add_argument_group("the pack, and the work")
    work.add_argument(
        "--cards", metavar="N", help=f"cards in the pack, up to {MOST_CARDS:,} (default: as in the scheme)"
    )
    work.add_argument("--players", metavar="P", help="people who shuffle (default: the fewest that the scheme is for)")
    work.add_argument("--steps", metavar="K", help=f"steps, 1 to {MOST_ROUNDS} (default: what the scheme advises)")
    work.add_argument(
        "--riffles",
        metavar="J",
        help=f"riffles of each packet in a step, 1 to {MOST_RIFFLES} (default: what the scheme advises)",
    )
    work.add_argument(
        "--repair", action="store_true", help="swap two slices if the scheme never disperses, and say which"
    )
    screen = parser.add_argument_group("how the answer is shown")
    shown = screen.add_mutually_exclusive_group()
    shown.add_argument(
        "--follow", action="store_true", help="step through the instructions in this terminal, one key at a time"
    )
    shown.add_argument(
        "--sheets",
        nargs="?",
        const="",
        metavar="FILE.pdf",
        help="only the instructions, a sheet for each player, one after another; with FILE.pdf to print: in the "
        "largest type that fits, with a box to tick for each step (needs the extra paper)",
    )
    shown.add_argument("--flow", action="store_true", help="only the scheme in the notation, to change and save")
    json_argument(
        shown,
        *("fairdeck-packets/1", "fairdeck-schemes/1"),
        fields="scheme, cards, steps, each with: dispersion (rows of fractions as text), ratios, from_even, "
        "worst_card (null if unknown; then worst_card_unknown says why), total_variation of the whole order (exact up "
        "to 8 cards, else null), do; distance (total_variation, exact, at_least), limit, closed_form, repaired, "
        "simulated, and more. Without a scheme: schemes",
    )
    screen.add_argument(
        "--paper", metavar="PAPER", help=f"with --sheets FILE.pdf: {', '.join(PAPERS)} {unless_set(PAPER)}"
    )
    language_argument(screen, "with --sheets FILE.pdf; own titles stay as they are")
    screen.add_argument(
        "--html", metavar="FILE.html", help="also write a web page with pictures, one file that works offline"
    )
    simulation_arguments(parser.add_argument_group("a simulation"))


def run(args: Namespace) -> int:
    return _list(args) if args.scheme is None else _show(args)


def _show(args: Namespace) -> int:
    """Say how to shuffle a pack by the scheme that is asked for."""
    _refuse_what_would_be_ignored(args)
    flow = _flow_from(args.scheme)
    changed = ""
    if args.repair:
        flow, changed = repaired(flow)
    if args.flow:
        print(write_flow(flow), end="")
        return FINE
    procedure = scheme(flow, args.cards, players=args.players, steps=args.steps, riffles=args.riffles)
    if args.follow:
        demand_terminal()
    number, seed = packs_from(args), seed_from(args)
    path = None if args.html is None else writable(args.html)
    printed = _printed_from(args, procedure)
    words_only = (args.follow or args.sheets is not None) and path is None
    worst, unknown = ([], "") if words_only else _worst_from(procedure)
    bounds = simulated(args, flow, procedure.cards, procedure.steps, procedure.riffles, seed) if number else {}
    order = [] if words_only else _order_from(procedure)
    measured = Measured(changed, worst, unknown, order, number, seed, bounds)
    if path is not None:
        shown = {each.says: (each.low, each.value, each.error) for each in measured.bounds.values()}
        write(path, page(procedure, measured.worst, shown, write_flow(procedure.flow)))
    if args.follow:
        screens = list(_screens(procedure))
        ask = ["Leave this pack?", "", "It is not shuffled yet. Remember the step if you want to resume."]
        unfinished = "The pack was left unfinished: it is not random yet."
        return walk(len(screens), screens.__getitem__, ask=ask, unfinished=unfinished, end=procedure.ending())
    if args.json:
        print(json.dumps(_as_dict(procedure, measured), ensure_ascii=False))
    elif printed:
        _print(procedure, *printed)
    elif args.sheets is not None:
        print(*_sheets(procedure), sep="\n")
    else:
        print(*_lines(procedure, measured), sep="\n")
    return FINE


def _refuse_what_would_be_ignored(args: Namespace) -> None:
    """Refuse an option that would have no effect beside another one."""
    if args.flow:
        for option in (*WORK, *SIMULATION, *PAGES):
            if getattr(args, option) is not None:
                raise FairdeckError(f"--flow only writes the scheme: leave out --{option}, or --flow")
    for only in ("follow", "sheets"):
        if getattr(args, only) not in (None, False) and args.simulate is not None and not (args.html or args.pdf):
            raise FairdeckError(f"--{only} shows no simulation: leave out --simulate, or add --html FILE")
    for option in PRINTED:
        given = getattr(args, option)
        if given is not None and not args.sheets:
            raise FairdeckError(f"--{option} {given!r} works only with --sheets FILE.pdf: name the file of the sheets")


def _printed_from(args: Namespace, procedure: Procedure) -> tuple[Path, Size, str] | None:
    """Return the file of the printed sheets, their paper and language; or None if no file is named."""
    if not args.sheets:
        return None
    if Path(args.sheets).suffix.lower() != ".pdf":
        raise FairdeckError(f"--sheets {args.sheets!r} does not end in .pdf: name it sheets.pdf, for example")
    paper = paper_from(args)
    demand_printable([procedure.flow.title, procedure.flow.name, *procedure.flow.packets])
    language = language_from(args)
    return writable(args.sheets), paper, language


def _print(procedure: Procedure, file: Path, paper: Size, language: str) -> None:
    pages = sheets(procedure, paper, language=language)
    write(file, pdf(pages, f"{procedure.flow.name}, {Words(language).cards(procedure.cards)}"))
    print(f"wrote {file}: {counted(len(pages), 'page')}, a sheet for each player", file=sys.stderr)


@dataclass(frozen=True, slots=True)
class Measured:
    """What is known of a procedure.

    Attributes:
        repaired: which slices --repair swapped.
        worst: how far the worst card is from random after each step; empty where it was not computed.
        unknown: why it was not computed.
        order: how far the whole order is from random after each step, exactly; empty if the pack is too large for that.
        packs: how many packs were simulated.
        seed: of the simulation.
        bounds: what the simulation showed, by what was counted.
    """

    repaired: str
    worst: list[float]
    unknown: str
    order: list[float]
    packs: int
    seed: int
    bounds: dict[str, Any]


def _worst_from(procedure: Procedure) -> tuple[list[float], str]:
    """Return how far the worst card is from random after each step; or nothing, and why."""
    try:
        return worst_card(procedure.flow, procedure.cards, procedure.steps, procedure.riffles), ""
    except FairdeckError as error:
        return [], str(error)


def _order_from(procedure: Procedure) -> list[float]:
    """Return how far the whole order of a small pack is from random after each step."""
    flow, cards, steps = procedure.flow, procedure.cards, procedure.steps
    return order_distances(flow, cards, steps, procedure.riffles) if known(flow, cards, steps) else []


def _flow_from(name: str) -> Flow:
    if name in schemes():
        return find(name)
    try:
        with Path(name).open("rb") as file:
            text = decoded(file.read(4 * (MOST_TEXT + 1))).replace("\r\n", "\n")
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError) and "/" not in name and "." not in name:
            return find(name)
        reason = getattr(error, "strerror", None) or (
            "it is not UTF-8 text" if isinstance(error, UnicodeError) else error
        )
        raise FairdeckError(
            f"cannot read {name!r} ({reason}): name a scheme (see: fairdeck packets) or a file"
        ) from None
    try:
        return read_flow(text)
    except FairdeckError as error:
        raise FairdeckError(f"{name}: {error}") from None


# --- writing


def _list(args: Namespace) -> int:
    given = [name for name in (*WORK, *SIMULATION, *PAGES) if getattr(args, name) is not None]
    given += [
        name for name in ("follow", "repair", "flow", "sheets", *PRINTED) if getattr(args, name) not in (None, False)
    ]
    if args.sheets in schemes():
        raise FairdeckError(
            f"--sheets {args.sheets!r} names a scheme, not a file: write: fairdeck packets {args.sheets} --sheets"
        )
    if given and set(given) - {"cards", "players"}:
        raise FairdeckError(f"--{given[-1]} needs a scheme; fairdeck packets lists them")
    cards = None if args.cards is None else whole("cards", args.cards, 1, MOST_CARDS)
    players = None if args.players is None else whole("players", args.players, 1, MOST_PACKETS)
    shown = [
        flow
        for flow in schemes().values()
        if (cards is None or flow.sizes[0] <= cards <= flow.sizes[1])
        and (players is None or flow.players[0] <= players <= flow.players[1])
    ]
    if args.json:
        summaries = [_scheme_summary(flow) for flow in shown]
        print(json.dumps({"format": "fairdeck-schemes/1", "schemes": summaries}, ensure_ascii=False))
        return FINE
    column = max(map(len, schemes())) + 4
    for flow in shown:
        who = f"{_span(flow.players, 'player')}, {_span(flow.sizes, 'card')}"
        yield_lines = _wrapped(f"  {flow.name}", f"{flow.title} ({who})", column)
        print(*yield_lines, sep="\n")
    if not shown:
        print("No known scheme suits these numbers. To write your own, see docs/explanation/packets.md.")
    follow = "\nTo follow one: fairdeck packets two-way --cards 104. To follow your own: fairdeck packets my.flow."
    print(as_called(follow))
    return FINE


def _scheme_summary(flow: Flow) -> dict[str, Any]:
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
    return counted(ends[0], what) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]} {what}s"


def _strings(row: Sequence[Fraction]) -> list[str]:
    return [str(share) for share in row]


def _as_dict(procedure: Procedure, measured: Measured) -> dict[str, Any]:
    flow = procedure.flow
    formula = closed_form(cycle_matrix(flow))
    steps = []
    for at, (spread, sentences) in enumerate(zip(procedure.dispersions(), procedure.all_steps(), strict=True)):
        steps.append(
            {
                "step": at + 1,
                "packets": list(flow.names(at + 1)),
                "dispersion": [_strings(row) for row in spread],
                "ratios": [short_ratios(row) for row in spread],
                "from_even": str(distance(spread)),
                "worst_card": measured.worst[at] if measured.worst else None,
                "total_variation": measured.order[at] if measured.order else None,
                "do": [{"who": each.who, "says": each.says} for each in sentences],
            }
        )
    counts = {
        "decks": measured.packs,
        "seed": f"{measured.seed:x}",
        "lower_bounds": {name: [each.value, each.error] for name, each in measured.bounds.items()},
        "at_least": {name: each.low for name, each in measured.bounds.items()},
        "confidence": CONFIDENCE,
    }
    return {
        "format": "fairdeck-packets/1",
        **_scheme_summary(flow),
        "cards": procedure.cards,
        "players": procedure.players,
        "riffles": procedure.riffles,
        "packets": list(flow.packets),
        "says": dict(flow.says),
        "repaired": measured.repaired,
        "steps": steps,
        "distance": {
            "total_variation": measured.order[-1] if measured.order else None,
            "exact": bool(measured.order),
            "at_least": (measured.order or measured.worst or [0.0])[-1],
        },
        "limit": _strings(limit(flow)),
        "closed_form": str(formula) if formula else None,
        "opening": procedure.opening(),
        "ending": procedure.ending(),
        "flow": write_flow(flow),
        "simulated": counts if measured.packs else None,
        "worst_card_unknown": measured.unknown,
    }


def _lines(procedure: Procedure, measured: Measured) -> Iterator[str]:
    yield from _facts(procedure, measured.repaired)
    yield ""
    yield "WHAT TO DO"
    yield from _wrapped("", procedure.opening(), 2)
    if procedure.flow in schemes().values() and procedure.cards >= procedure.flow.sizes[0]:  # what was measured
        yield "  Cut by eye: a cut that misses by 4 cards costs almost nothing, so do not count cards."
    for title, sentences in procedure.grouped():
        yield title
        column = 2 if procedure.players == 1 else max(len(each.who) for each in sentences) + 4
        for each in sentences:
            yield from _wrapped(f"  {each.who}" if each.who else "", each.says, column)
    yield from _wrapped("End", procedure.ending(), 5)
    yield ""
    yield "HOW FAR THE CARDS SPREAD"
    yield from _dispersion(procedure, measured)
    if measured.packs:
        yield ""
        yield f"SIMULATED: {measured.packs:,} packs (seed {measured.seed:x})"
        yield f"  Distance from random (total variation): lower bounds ({CONFIDENCE:.1%} confidence), and counts:"
        for each in measured.bounds.values():
            yield f"  {each.low:.4f}   {each.value:.4f} +- {each.error:.4f}   {each.says}"


def _facts(procedure: Procedure, changed: str) -> Iterator[str]:
    flow = procedure.flow
    yield f"{flow.name}: {flow.title or 'a scheme of your own'}"
    suits = flow.sizes[0] <= procedure.cards <= flow.sizes[1]
    facts = {
        "repaired": changed,
        "for": flow.purpose,
        "source": flow.source,
        "work": procedure.work(),
        "note": "" if suits else f"the scheme suits {_span(flow.sizes, 'card')}",
    }
    for name, fact in [*facts.items(), *flow.says]:
        if fact:
            yield from _wrapped(f"  {name}", fact, 12)


def _dispersion(procedure: Procedure, measured: Measured) -> Iterator[str]:
    flow, worst, order = procedure.flow, measured.worst, measured.order
    yield f"  How the cards of each old packet lie in new packets {':'.join(flow.packets)}, if riffled thoroughly:"
    spreads = procedure.dispersions()
    shown = [[short_ratios(row) for row in spread] for spread in spreads]
    heads = [f"of {name}" for name in flow.packets]
    widths = [max(len(head), *(len(row[at]) for row in shown)) for at, head in enumerate(heads)]
    if sum(widths) > WIDEST:
        heads, shown, widths = ["of the worst"], [[row[0]] for row in shown], [max(len(row[0]) for row in shown)]
    line = "  ".join(f"{head:>{width}}" for head, width in zip(heads, widths, strict=True))
    yield f"  steps  {line}  from even" + "  worst card" * bool(worst) + "  whole order" * bool(order)
    for at, (row, spread) in enumerate(zip(shown, spreads, strict=True)):
        line = "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        far = distance(spread)
        exact = str(far) if len(str(far)) <= 9 else f"{float(far):.2e}"
        card, whole = (f"{each[at]:.4f}" if each else "" for each in (worst, order))
        yield f"  {at + 1:>5}  {line}  {exact:>9}" + f"  {card:>10}" * bool(card) + f"  {whole:>11}" * bool(whole)
    formula = closed_form(cycle_matrix(flow))
    if formula:
        rounds = "k steps, k from 1 up" if len(flow.steps) == 1 else f"k times {len(flow.steps)} steps, k from 1 up"
        yield from _wrapped("  law", f"after {rounds}: {formula}", 12)
    yield from _wrapped("  limit", short_ratios(limit(flow)), 12)
    if measured.unknown:
        yield from _wrapped("  worst card", measured.unknown, 14)
    if order:
        yield "  The distance of the whole order is exact, for ideal riffles."
    elif worst:
        yield "  The whole order is at least as far from random as the worst card, for ideal riffles."


def _sheets(procedure: Procedure) -> Iterator[str]:
    """Yield for one player after another what to do, from beginning to end."""
    heading = f"{procedure.flow.name}, {counted(procedure.cards, 'card')}, {counted(procedure.steps, 'step')}"
    for number, who in enumerate(procedure.everyone()):
        yield from [""] * (number > 0)
        yield f"{who.upper()}: {heading}" if who else heading
        yield from _wrapped("  Begin", procedure.opening(), COLUMN)
        for title, sentences in procedure.grouped(who):
            yield f"  {title}"
            for sentence in sentences:
                yield from _wrapped("", sentence.says, COLUMN)
        yield from _wrapped("  End", procedure.ending(), COLUMN)


def _screens(procedure: Procedure) -> Iterator[list[str]]:
    yield [procedure.flow.title or procedure.flow.name, "", *wrap(procedure.opening(), 70)]
    for at, sentences in enumerate(procedure.all_steps(), 1):
        for number, each in enumerate(sentences, 1):
            title = f"Step {at} of {procedure.steps}    {number} of {len(sentences)}"
            yield [title, "", *([each.who, ""] if each.who else []), *wrap(each.says, 70)]
    yield ["Done", "", *wrap(procedure.ending(), 70)]


def _wrapped(label: str, text: str, column: int) -> Iterator[str]:
    width = min(WIDEST, max(NARROWEST, get_terminal_size().columns))
    first, *rest = wrap(text, width - column, break_on_hyphens=False) or [""]
    yield f"{label:<{column}}{first}"
    yield from (" " * column + line for line in rest)
