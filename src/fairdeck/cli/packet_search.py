"""`fairdeck packets --search`: the best scheme of a space for some people, cards and minutes."""

import json
from argparse import Namespace, _ActionsContainer
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil
from random import Random
from textwrap import wrap
from typing import Any

from fairdeck.cli.exits import FINE, INTERRUPTED
from fairdeck.cli.laboratory import seed_from
from fairdeck.cli.paces import pace_argument, pace_from
from fairdeck.cli.packet_simulation import packs_from, simulated
from fairdeck.cli.progress import Progress
from fairdeck.dealing.instructions import counted
from fairdeck.errors import FairdeckError
from fairdeck.numbers import decimal_number, whole_number
from fairdeck.packets import schemes
from fairdeck.packets.dispersion import dispersion, distance, fault
from fairdeck.packets.notation import MOST_CARDS, MOST_PACKETS, MOST_RIFFLES, MOST_ROUNDS, write_flow
from fairdeck.packets.positions import worst_card
from fairdeck.packets.search import MOST_SLICES, NOTHING, Candidate, Space, Work, climbed, judged, tried
from fairdeck.recommendations import packet_minutes

OWN = ("packets", "slices", "stacked", "minutes", "seconds", "pace")
USUAL_STEPS, USUAL_RIFFLES, MOST_TIMES, FEWEST_STEPS = "4", "3", 5, 3
FEWEST_SHOWN = 0.0001
USUAL_SECONDS = 60.0  # where not all ways can be tried
COUNTS = ("half", "dup", "packet")  # of those that a simulation counts: how many cards came where


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search found.

    Attributes:
        space: what was searched.
        best: of what was tried.
        done: how many ways were tried.
        of: how many there are to try.
        seed: of the beginnings, if the space was too large to try all of it.
        stopped: Ctrl-C ended the search.
    """

    space: Space
    best: Candidate
    done: int
    of: int
    seed: int
    stopped: bool

    @property
    def proven(self) -> bool:
        """Whether everything was tried, so that nothing is better by the distance that is compared."""
        return self.done == self.of


@dataclass(frozen=True, slots=True)
class Row:
    """A scheme to compare: the one found or a known one, measured in the same way."""

    found: Candidate
    worst: float
    away: float
    counts: dict[str, Any]

    @property
    def order(self) -> float:
        """What the number of rising sequences shows, at least."""
        return float(self.counts["rise"].low)

    @property
    def most_counted(self) -> float:
        """What the numbers of cards in halves and packets show, at least."""
        return max(float(bound.low) for name, bound in self.counts.items() if name in COUNTS)


def search_arguments(parser: _ActionsContainer) -> None:
    """Declare the options of the search."""
    parser.add_argument(
        "--search",
        action="store_true",
        help="search the best scheme for --cards and --players among all that repeat one step of equal slices, "
        "beside the known ones. --steps (4) and --riffles (3) say how much work; --simulate also counts. It prints a "
        "flow with comments. Ctrl-C tells the best so far (exit code 130)",
    )
    parser.add_argument("--packets", metavar="P", help="packets of the pack (default: one a player, at least 2)")
    parser.add_argument("--slices", metavar="N", help=f"slices of each packet, 2 to {MOST_SLICES} (default: 2)")
    parser.add_argument(
        "--stacked",
        action="store_true",
        default=None,
        help="stack the slices of each new packet and riffle it as one, !(a + b), not the slices into each other, a "
        "~ b",
    )
    parser.add_argument(
        "--minutes",
        metavar="M",
        help="time for all steps: tries 1 to 5 riffles a step, each with as many steps as fit",
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        help="end after this time with the best so far, exit code 0 (default: when all is tried; 60 if there are more "
        "than 200,000 ways)",
    )
    pace_argument(parser)


def search(args: Namespace) -> int:
    """Search, print the best that was found, and return the exit code; Ctrl-C ends it with what is known so far."""
    if args.cards is None:
        raise FairdeckError("--search needs the pack: add --cards, such as --cards 162 --players 3")
    cards = whole_number(args.cards, "cards", 1, MOST_CARDS)
    players = whole_number(args.players or "1", "players", 1, MOST_PACKETS)
    packets = whole_number(args.packets or str(max(2, players)), "packets", 2, MOST_PACKETS)
    space = Space(cards, packets, whole_number(args.slices or "2", "slices", 2, MOST_SLICES), bool(args.stacked))
    if players > packets:
        raise FairdeckError(f"{players} players for {packets} packets: each needs one; use --packets {players} or more")
    works = _works(args, cards, packets, players)
    if not works:
        raise FairdeckError(f"{args.minutes} minutes are too few for {FEWEST_STEPS} steps: give more time")
    seconds = None if args.seconds is None else decimal_number(args.seconds, "seconds", 1.0, 1e6)
    packs, seed = packs_from(args, seeded=not space.small), seed_from(args)
    outcome = _searched(space, works, seconds, seed)
    found = outcome.best
    named = replace(found.flow, players=(players, packets), rounds=found.work.steps, riffles=found.work.riffles)
    outcome = replace(outcome, best=replace(found, flow=named))
    shown = [outcome.best, *sorted(_known(args, cards, players), key=lambda each: each.rank)]
    rows = [_row(args, each, cards, seed if packs and not outcome.stopped else None) for each in shown]
    if args.json:
        print(json.dumps(_as_dict(outcome, rows), ensure_ascii=False))
    else:
        print(*_lines(outcome, rows), sep="\n")
    return INTERRUPTED if outcome.stopped and not outcome.proven else FINE


def _searched(space: Space, works: list[Work], seconds: float | None, seed: int) -> Outcome:
    """Try all ways, or climb as long as there is time; Ctrl-C ends it as soon as anything was tried."""
    if space.small:
        ways = space.representatives()
        candidates, of = tried(space, ways, works), len(ways)
    else:
        rng = Random(seed)  # noqa: S311 - it says where to look; no deck depends on it
        candidates, of = climbed(space, works, rng), space.ways
        seconds = seconds or USUAL_SECONDS
    progress, done, stopped = Progress(), 0, False
    best: Candidate | None = None
    try:
        for candidate in candidates:
            best = candidate if best is None or candidate.rank < best.rank else best
            done += 1  # only now: what is not compared is not tried
            if space.small:
                progress.tell(done, of, "schemes", f"best {best.seen:.4f}")
            else:
                far = min(int(progress.seconds), ceil(seconds or 1))
                progress.tell(far, ceil(seconds or 1), "seconds", f"{done:,} tried, best {best.seen:.4f}", guess=False)
            if seconds is not None and progress.seconds > seconds:
                break
    except KeyboardInterrupt:
        stopped = True  # the best so far is told, and that it is not proven
    finally:
        progress.done()
    if best is None:
        raise KeyboardInterrupt
    return Outcome(space, best, done, of, seed, stopped)


def _works(args: Namespace, cards: int, packets: int, players: int) -> list[Work]:
    """Return how much work may be done: what was asked for, or for each number of riffles the most steps in time."""
    pace, rounds = pace_from(args), ceil(packets / min(players, packets))

    def a_step(riffles: int) -> float:
        return packet_minutes(ceil(cards / packets), rounds, 1, riffles, pace)

    if args.minutes is None:
        steps = whole_number(args.steps or USUAL_STEPS, "steps", 1, MOST_ROUNDS)
        riffles = whole_number(args.riffles or USUAL_RIFFLES, "riffles", 1, MOST_RIFFLES)
        return [Work(steps, riffles, a_step(riffles))]
    if args.steps is not None:
        raise FairdeckError(f"--minutes {args.minutes!r} says how many steps: leave out --steps {args.steps}")
    minutes = decimal_number(args.minutes, "minutes", 0.1, 1000)
    asked = args.riffles and whole_number(args.riffles, "riffles", 1, MOST_RIFFLES)
    return [
        Work(steps, riffles, a_step(riffles), at_most=True)
        for riffles in ([asked] if asked else range(1, MOST_TIMES + 1))
        if (steps := min(int(minutes / a_step(riffles)), MOST_ROUNDS)) >= FEWEST_STEPS
    ]


def _known(args: Namespace, cards: int, players: int) -> Iterator[Candidate]:
    """Yield the known schemes for these people and cards, each with the work that suits it best."""
    for flow in schemes().values():
        suits = flow.players[0] <= players <= flow.players[1] and flow.sizes[0] <= cards <= flow.sizes[1]
        if suits and not fault(flow) and (works := _works(args, cards, len(flow.packets), players)):
            yield judged(flow, cards, works)


def _row(args: Namespace, found: Candidate, cards: int, seed: int | None) -> Row:
    """Return a scheme with all that is compared; without a seed it is not simulated."""
    flow, work = found.flow, found.work
    counts = {} if seed is None else simulated(args, flow, cards, work.steps, work.riffles, seed)
    worst = worst_card(flow, cards, work.steps, work.riffles)[-1]
    return Row(found, worst, float(distance(dispersion(flow, work.steps))), counts)


# --- writing


def _shown(far: float) -> str:
    if 0 < far < FEWEST_SHOWN:
        return f"{far:.1e}" if far > NOTHING else f"<{NOTHING:g}"
    return f"{far:.4f}" if far else "0"


def _known_by(found: Candidate) -> str:
    """Say what a distance is."""
    if found.exact:
        return "exactly, for ideal riffles"
    return "estimated by the places of the cards"


def _said(work: Work) -> str:
    minutes = f"{work.steps * work.minutes:.1f} minutes"
    return f"{counted(work.steps, 'step')} of {counted(work.riffles, 'riffle')}, {minutes}"


def _result(outcome: Outcome) -> str:
    if outcome.proven:
        judged = "proven by trying all" if outcome.best.exact else "by that estimate: all were tried"
        return f"the best of all these, {judged}"
    why = "you stopped it" if outcome.stopped else "time was up"
    how = "" if outcome.space.small else f"; it climbed from random beginnings (seed {outcome.seed:x})"
    return f"the best of {outcome.done:,} of {outcome.of:,} tried, no proof: {why}{how}"


def _lines(outcome: Outcome, rows: list[Row]) -> Iterator[str]:
    """Yield the flow, all else as comments: what is saved can be followed as it is."""
    for line in _told(outcome, rows):
        yield f"# {line}"
    yield ""
    yield write_flow(outcome.best.flow)
    for line in _table(rows):
        yield f"# {line}"
    if len(rows) == 1:
        yield "# No known scheme suits these people and cards."
    estimated = "" if outcome.best.exact else "The whole order may be further from random. "
    yield f"# {estimated}Save this output and follow it: fairdeck packets my.flow"


def _told(outcome: Outcome, rows: list[Row]) -> Iterator[str]:
    space, best = outcome.space, outcome.best
    parts, ways = {2: "halves", 3: "thirds", 4: "quarters"}[space.slices], f"{space.ways:,}"
    joined = "make a new packet: stacked, then riffled as one" if space.stacked else "are riffled into each new packet"
    if space.small and space.symmetric:
        ways += f", {outcome.of:,} of them different but for the names of the packets"
    yield from _wrapped(
        "searched",
        f"{space.cards} cards in {space.packets} packets; in each step all packets are cut into {parts}, and "
        f"{space.slices} of these {joined}; the same step again and again",
    )
    yield from _wrapped("ways", ways)
    yield from _wrapped("distance", f"{_shown(best.seen)} after {_said(best.work)}, {_known_by(best)}")
    yield from _wrapped("result", _result(outcome))
    if len(rows) > 1:
        yield from _wrapped("", _won(*rows[:2]))


def _table(rows: list[Row]) -> Iterator[str]:
    counts = "   order  counts" if rows[0].counts else ""
    yield f"{'exact' if rows[0].found.exact else 'places':>9}  worst card  from even{counts}   scheme"
    for row in rows:
        told = f"{_shown(row.order):>8}{_shown(row.most_counted):>8}" if row.counts else ""
        places, worst = _shown(row.found.seen), _shown(row.worst)
        yield f"{places:>9}{worst:>12}{_shown(row.away):>11}{told}   {row.found.flow.name} ({_said(row.found.work)})"
    if counts:
        yield "Order: at least so far from random by rising sequences; counts: by the cards in halves and packets."


def _won(ours: Row, theirs: Row) -> str:
    """Say whether the scheme found is better than the best known one; a simulation may say otherwise."""
    best, known = ours.found, theirs.found
    if abs(best.seen - known.seen) <= NOTHING and best.rank[1] == known.rank[1]:
        return f"by the places as good as {known.flow.name}, the best known scheme"
    if min(best, known, key=lambda each: each.rank) is known:
        return f"by the places worse than a known scheme: {known.flow.name}"
    but = "; but its order is further from random" if ours.counts and ours.order > theirs.order else ""
    return f"by the places better than {known.flow.name}, the best known scheme{but}"


def _wrapped(label: str, text: str) -> list[str]:
    return wrap(text, 100, initial_indent=f"{label:<10}", subsequent_indent=" " * 10)


def _as_dict(outcome: Outcome, rows: list[Row]) -> dict[str, object]:
    space, own = outcome.space, _measured(rows[0])
    return {
        "format": "fairdeck-search/1",
        "cards": space.cards,
        "packets": space.packets,
        "slices": space.slices,
        "stacked": space.stacked,
        "ways": space.ways,
        "tried": outcome.done,
        "proven": outcome.proven,
        "seed": None if space.small else f"{outcome.seed:x}",
        **own,
        "flow": write_flow(outcome.best.flow),
        "known": [{"scheme": row.found.flow.name, **_measured(row)} for row in rows[1:]],
    }


def _measured(row: Row) -> dict[str, object]:
    work = row.found.work
    return {
        "steps": work.steps,
        "riffles": work.riffles,
        "minutes": round(work.steps * work.minutes, 2),
        "seen_in_places": None if row.found.exact else row.found.seen,
        "total_variation": row.found.seen if row.found.exact else None,
        "exact": row.found.exact,
        "worst_card": row.worst,
        "from_even": row.away,
        "at_least": {name: bound.low for name, bound in row.counts.items()} or None,
    }
