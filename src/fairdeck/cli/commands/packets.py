"""Say how to shuffle a large pack in packets, and how well it does.

Says what each player does, step by step, and how far the cards spread. Without a scheme, the command lists the known
schemes; with --cards and --players, only the suitable ones. A scheme is a name, or a text file in the notation of the
page on packets. The command refuses a scheme that never disperses. In Python: `fairdeck.packets.scheme("two-way",
104)`.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from textwrap import wrap
from typing import Any

from fairdeck.cards.text import decoded
from fairdeck.cli.arguments import options
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.follow import demand_terminal, walk
from fairdeck.cli.program import as_called
from fairdeck.cli.settings import language_from, language_option, paper_from, paper_option
from fairdeck.cli.streams import tell
from fairdeck.cli.terminal import show
from fairdeck.dealing.instructions import counted
from fairdeck.errors import FairdeckError, naming, system_reason
from fairdeck.numbers import whole
from fairdeck.packets import find, notation, scheme, schemes
from fairdeck.packets.dispersion import distance, fault, limit
from fairdeck.packets.instructions import Procedure
from fairdeck.packets.procedure_document import Distances, document, short_ratios, span
from fairdeck.paper.pdf import demand_printable, pdf
from fairdeck.paper.procedure import sheets
from fairdeck.paper.sizes import Size
from fairdeck.show.page import page
from fairdeck.show.terminal import columns, labelled
from fairdeck.words import Words

WORK = ("cards", "players", "steps", "riffles")
PRINTED = ("paper", "language")
PAGES = ("html",)
COLUMN = 10  # of a sheet

EXAMPLES = {
    "fairdeck packets": "the known schemes",
    "fairdeck packets two-way --cards 104": "one of them, step by step",
    "fairdeck packets two-way --cards 104 --sheets": "a sheet for each player",
}


def arguments(parser: ArgumentParser) -> None:
    options(parser, {"scheme? SCHEME": "a known scheme, or a file with one of yours (default: list them)"})
    work = {
        "--cards N": f"cards in the pack, up to {notation.MOST_CARDS:,} (default: as in the scheme)",
        "--players P": "people who shuffle (default: the fewest that the scheme is for)",
        "--steps K": f"steps, 1 to {notation.MOST_ROUNDS} (default: what the scheme advises)",
        "--riffles J": f"riffles of each packet in a step, 1 to {notation.MOST_RIFFLES} (default: what the scheme "
        "advises)",
    }
    options(parser.add_argument_group("the pack, and the work"), work)
    screen = parser.add_argument_group("how the answer is shown")
    one = {
        "--follow": "step through the instructions in this terminal, one key at a time",
        "--sheets [FILE.pdf]": "only the instructions, a sheet for each player, one after another; with FILE.pdf to "
        "print: in the largest type that fits, with a box to tick for each step (needs the extra paper)",
        "--flow": "only the scheme in the notation, to change and save",
        "--json fairdeck-packets/1 fairdeck-schemes/1": "scheme, cards, steps, each with: dispersion (rows of "
        "fractions as text), ratios, from_even, worst_card and whole_order (null if unknown; then worst_card_unknown "
        "says why), do; exact (after how many steps whole_order is; then an upper bound; 0: estimates), at_least (how "
        "far from random, at least), "
        "limit, and more. Without a scheme: schemes",
    }
    options(screen.add_mutually_exclusive_group(), one)
    shown = {
        **paper_option("with --sheets FILE.pdf: "),
        **language_option("with --sheets FILE.pdf; own titles stay as they are"),
        "--html FILE.html": "also write a web page with pictures, one file that works offline",
    }
    options(screen, shown)


def run(args: Namespace) -> int:
    return _list(args) if args.scheme is None else _show(args)


def _show(args: Namespace) -> int:
    _refuse_what_would_be_ignored(args)
    flow = _flow_from(args.scheme)
    if args.flow:
        print(notation.write_flow(flow), end="")
        return FINE
    procedure = scheme(flow, args.cards, players=args.players, steps=args.steps, riffles=args.riffles)
    if args.follow:
        demand_terminal()
    path = None if args.html is None else writable(args.html)
    printed = _printed_from(args, procedure)
    words_only = (args.follow or args.sheets is not None) and path is None
    distances = Distances() if words_only else Distances.of(procedure)
    if path is not None:
        write(path, page(document(procedure, distances)))
    if args.follow:
        screens = list(_screens(procedure))
        ask = ["Leave this pack?", "", "It is not shuffled yet. Remember the step if you want to resume."]
        unfinished = "The pack was left unfinished: it is not random yet."
        return walk(len(screens), screens.__getitem__, ask=ask, unfinished=unfinished, end=procedure.ending())
    if args.json:
        print(json.dumps(_as_dict(procedure, distances), ensure_ascii=False))
    elif printed:
        _print(procedure, *printed)
    elif args.sheets is not None:
        print(*_sheets(procedure), sep="\n")
    else:
        show(document(procedure, distances), columns())
    return FINE


def _refuse_what_would_be_ignored(args: Namespace) -> None:
    if args.flow:
        for option in (*WORK, *PAGES):
            if getattr(args, option) is not None:
                raise FairdeckError(f"--flow only writes the scheme: leave out --{option}, or --flow")
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
    tell(f"wrote {file}: {counted(len(pages), 'page')}, a sheet for each player")


def _flow_from(name: str) -> notation.Flow:
    if name in schemes():
        return find(name)
    try:
        with Path(name).open("rb") as file:
            text = decoded(file.read(4 * (notation.MOST_TEXT + 1))).replace("\r\n", "\n")
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError) and "/" not in name and "." not in name:
            return find(name)
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeError) else system_reason(error)
        raise FairdeckError(
            f"cannot read {name!r} ({reason}): name a scheme (see: fairdeck packets) or a file"
        ) from None
    with naming(name):
        return notation.read_flow(text)


# --- writing


def _list(args: Namespace) -> int:
    given = [name for name in (*WORK, *PAGES) if getattr(args, name) is not None]
    given += [name for name in ("follow", "flow", "sheets", *PRINTED) if getattr(args, name) not in (None, False)]
    if args.sheets in schemes():
        raise FairdeckError(
            f"--sheets {args.sheets!r} names a scheme, not a file: write: fairdeck packets {args.sheets} --sheets"
        )
    if given and set(given) - {"cards", "players"}:
        raise FairdeckError(f"--{given[-1]} needs a scheme; fairdeck packets lists them")
    cards = None if args.cards is None else whole("cards", args.cards, 1, notation.MOST_CARDS)
    players = None if args.players is None else whole("players", args.players, 1, notation.MOST_PACKETS)
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
        who = f"{span(flow.players, 'player')}, {span(flow.sizes, 'card')}"
        yield_lines = labelled(f"  {flow.name}", f"{flow.title} ({who})", column)
        print(*yield_lines, sep="\n")
    if not shown:
        print("No known scheme suits these numbers. To write your own, see docs/explanation/packets.md.")
    follow = "\nTo follow one: fairdeck packets two-way --cards 104. To follow your own: fairdeck packets my.flow."
    print(as_called(follow))
    return FINE


def _scheme_summary(flow: notation.Flow) -> dict[str, Any]:
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


def _strings(row: Sequence[Fraction]) -> list[str]:
    return [str(share) for share in row]


def _as_dict(procedure: Procedure, distances: Distances) -> dict[str, Any]:
    flow, worst, order = procedure.flow, distances.worst, distances.order
    steps = []
    for at, (spread, sentences) in enumerate(zip(procedure.dispersions(), procedure.all_steps(), strict=True)):
        steps.append(
            {
                "step": at + 1,
                "packets": list(flow.names(at + 1)),
                "dispersion": [_strings(row) for row in spread],
                "ratios": [short_ratios(row) for row in spread],
                "from_even": str(distance(spread)),
                "worst_card": worst[at] if worst else None,
                "whole_order": order[at] if order else None,
                "do": [{"who": each.who, "says": each.says} for each in sentences],
            }
        )
    return {
        "format": "fairdeck-packets/1",
        **_scheme_summary(flow),
        "cards": procedure.cards,
        "players": procedure.players,
        "riffles": procedure.riffles,
        "packets": list(flow.packets),
        "steps": steps,
        "at_least": max(worst[-1], order[-1] * (distances.exact == procedure.steps)) if worst else 0.0,
        "exact": distances.exact,
        "limit": _strings(limit(flow)),
        "opening": procedure.opening(),
        "ending": procedure.ending(),
        "flow": notation.write_flow(flow),
        "worst_card_unknown": distances.unknown,
    }


def _sheets(procedure: Procedure) -> Iterator[str]:
    """Yield for one player after another what to do, from beginning to end."""
    heading = f"{procedure.flow.name}, {counted(procedure.cards, 'card')}, {counted(procedure.steps, 'step')}"
    for number, who in enumerate(procedure.everyone()):
        yield from [""] * (number > 0)
        yield f"{who.upper()}: {heading}" if who else heading
        yield from labelled("  Begin", procedure.opening(), COLUMN)
        for title, sentences in procedure.grouped(who):
            yield f"  {title}"
            for sentence in sentences:
                yield from labelled("", sentence.says, COLUMN)
        yield from labelled("  End", procedure.ending(), COLUMN)


def _screens(procedure: Procedure) -> Iterator[list[str]]:
    yield [procedure.flow.title or procedure.flow.name, "", *wrap(procedure.opening(), 70)]
    for at, sentences in enumerate(procedure.all_steps(), 1):
        for number, each in enumerate(sentences, 1):
            title = f"Step {at} of {procedure.steps}    {number} of {len(sentences)}"
            yield [title, "", *([each.who, ""] if each.who else []), *wrap(each.says, 70)]
    yield ["Done", "", *wrap(procedure.ending(), 70)]
