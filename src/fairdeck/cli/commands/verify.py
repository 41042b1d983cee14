"""Verify a plan, a stored run, a transcript, or rounds of a site.

A plan, as `fairdeck deal --json` writes it, is dealt in simulation. It holds if it is sound and, where the file reveals
the order that was drawn, reaches it. The command says how many cards, passes and spaces it has.

A stored run is counted again: all its decks are made from the seed as it was registered, so the run must be of a known
shuffle, and it takes as long as the run took. It holds if counts, analyses, bets, p-value and verdict are the same.

A certificate is compared with itself and, if its store is there, with that. What cannot be checked here is named.

Of a transcript that `fairdeck together finish` wrote, everything is computed again, and the first thing that does not
fit is named; any changed byte is noticed.

Rounds of a site that calls itself provably fair, CSV or JSON, are computed again from their seeds, as `--as` says.

Exit code 0: it holds; 1: it does not, and the first fault is named; 2: it cannot be verified.
"""

import json
from argparse import ArgumentParser, Namespace, _ActionsContainer
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairdeck.cards.text import decoded
from fairdeck.cli import verified_rounds, verified_runs
from fairdeck.cli.arguments import options
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.files import read
from fairdeck.cli.settings import demand_digest, list_content
from fairdeck.cli.streams import one_line
from fairdeck.cli.verified_rounds import verify_rounds
from fairdeck.cli.verified_runs import DATABASE, REMEDY, verify_run
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.plan import Plan, outcomes, reaches, read_plan, replay
from fairdeck.errors import FairdeckError, MissingTool, UnsoundPlan
from fairdeck.numbers import whole
from fairdeck.permutation import inverse
from fairdeck.trust.agreement import MOST_DECKS
from fairdeck.trust.files import kind_of

LARGEST = 64 << 20  # bytes
NOT_REACHED = "the plan does not reach the order that it reveals"
Verified = tuple[dict[str, Any], list[str]]  # the fields of --json, and the lines between verdict and remarks
EXAMPLES = {
    "fairdeck verify plan.json": "a plan that fairdeck deal --json --reveal wrote",
    "fairdeck verify plan.json --trace": "with the place of every card after every pass",
    "fairdeck verify run.db": "all decks are counted again",
    "fairdeck verify certificate.html": "what holds, and what cannot be checked",
    "fairdeck verify transcript.json": "the transcript of a draw",
    "fairdeck verify rounds.csv --as stake-deck": "rounds of a site, from their seeds",
}


def arguments(parser: ArgumentParser) -> None:
    options(parser, {"file FILE": "a plan, a store, a certificate or JSON report of one, a transcript, or rounds"})
    plan = {"--trace": "first the place of every card after every pass, as arrays"}
    options(parser.add_argument_group("for a plan"), plan)
    verified_runs.arguments(parser.add_argument_group("for a stored run"))
    _transcript_arguments(parser.add_argument_group("for a transcript"))
    verified_rounds.arguments(parser.add_argument_group("for rounds of a site"))
    declared = {
        "--json fairdeck-verification/1": "holds, first_fault, checked (how many decks or other things were computed "
        "again), remarks; of a plan also cards, passes, order (bottom first) and reaches (null where no order is "
        "revealed); of a transcript checks, digest, result; of rounds derivation, bias, wrong_cards, "
        "wrong_hashes, hidden",
    }
    options(parser, declared)


def run(args: Namespace) -> int:
    derived = getattr(args, "as")
    content = b"" if derived else _content(args.file)
    kind = ROUNDS if derived else next(kind for kind in KINDS if kind.is_one(content))
    for other in KINDS:
        for name in other.options if other is not kind else ():
            if getattr(args, name):
                option = "run" if name == "number" else name
                raise FairdeckError(f"--{option} is for {other.called}, and {args.file!r} is none: leave it out")
    fields, lines = kind.verify(args, content)
    in_part = fields.pop("in_part", False)
    if args.json:
        print(json.dumps({"format": "fairdeck-verification/1", **fields}))
    else:
        good = "What can be checked here holds." if in_part or not fields["checked"] else "It holds."
        verdict = good if fields["holds"] else f"It does not hold: {fields['first_fault']}."
        print(*map(one_line, [verdict, *lines, *fields["remarks"]]), sep="\n")
    return FINE if fields["holds"] else DOES_NOT_HOLD


def _content(name: str) -> bytes:
    """Return what a file holds; of a store, whose size has no limit, only the beginning."""
    beginning = b""
    if Path(name).is_file():
        with Path(name).open("rb") as file:
            beginning = file.read(len(DATABASE))
    if beginning == DATABASE:
        return beginning
    return bytes(read(name, LARGEST, REMEDY))


# --- plans


def _verify_plan(args: Namespace, content: bytes) -> Verified:
    """Deal a plan in simulation: is it sound, and does it reach the order that it reveals?"""
    if args.trace and args.json:
        raise FairdeckError("--trace and --json exclude each other: give one of them")
    try:
        plan, arrangement = read_plan(decoded(content))
    except UnicodeDecodeError:
        raise FairdeckError(f"{args.file} is not text: give what fairdeck deal --json wrote") from None
    except UnsoundPlan as error:
        raise FairdeckError(f"{args.file}: {error}; write the plan again with fairdeck deal --json") from None
    if args.trace:
        print(*_story(plan, arrangement), sep="\n")
    reached = None if arrangement is None else reaches(plan, arrangement)
    passes = len(plan.passes)
    fields = {
        "holds": reached is not False,
        "first_fault": NOT_REACHED if reached is False else "",
        "checked": 1,
        "remarks": ["the file reveals no order to compare with"] if reached is None else [],
        "cards": plan.cards,
        "passes": passes,
        "order": ",".join(map(str, replay(plan, range(plan.cards))[0])),
        "reaches": reached,
    }
    size = f"{counted(plan.cards, 'card')} in {counted(passes, 'pass')}"
    lines = [f"dealt in simulation: {size} on a {plan.mat} mat, goal {plan.goal}"]
    return fields, [*lines, *["it reaches the order that it reveals"] * bool(reached)]


def _story(plan: Plan, arrangement: Sequence[int] | None) -> Iterator[str]:
    """Yield a deal as arrays, with the place of every card before, between and after the passes.

    The order to reach comes first if it is known.
    """
    labels = plan.mat.labels
    yield "Cards are named by where they start, 0 at the bottom. Every array is written bottom first."
    yield f"initial       {_array(range(plan.cards))}"
    if arrangement is not None:
        yield f"randomised    {_array(arrangement)}"
        yield f"destinations  {_array(inverse(arrangement))}"
    for number, (step, outcome) in enumerate(zip(plan.passes, outcomes(plan, range(plan.cards)), strict=True), 1):
        yield f"pass {number}, dealt from the {'bottom' if step.from_bottom else 'top'} to"
        yield f"    spaces    {' '.join(labels[space] for space in step.deal)}"
        for label, pile in zip(labels, outcome.piles, strict=True):
            if pile:
                yield f"    {label:<8}  {_array(pile)}"
        for pile in outcome.finished:
            yield f"  finished    {_array(pile)}"
        if step.stack:
            yield f"  gathered    {_array(outcome.deck)}"
            yield f"    bottom up   {' '.join(labels[space] for space in step.stack)}"
            yield f"final         {_array(outcome.deck)}" if number == len(plan.passes) else ""
    if plan.counted_off:
        yield from (f"counted off   {_array(pile)}" for pile in replay(plan, range(plan.cards))[1])


def _array(cards: Sequence[int]) -> str:
    return " ".join(map(str, cards))


# --- transcripts of draws


def _transcript_arguments(parser: _ActionsContainer) -> None:
    declared = {
        "--announced HEX": "the digest that was published before the draw, all 64 digits",
        "--list HEX": "the digest of the list that was published before the secrets were shown",
        "--shown HEX": "the digest of what was shown, as it was published before the beacon spoke",
        "--deck N": "with --played: which deck, from 1",
        "--played FILE": "compare --deck with the cards as they were played: a file that lists them, top first",
    }
    options(parser, declared)


def _verify_transcript(args: Namespace, content: bytes) -> Verified:
    from fairdeck.trust.verifying import NOT_COMPARED, examine

    if (args.deck is None) != (args.played is None):
        raise FairdeckError("--deck and --played go together: name the deck, and the file with its cards as played")
    published = {name: digest for name in NOT_COMPARED if (digest := getattr(args, name)) is not None}
    for name, digest in published.items():
        demand_digest(f"--{name}", digest)
    deck, played = -1, ("", b"")
    if args.deck is not None:
        deck, played = whole("deck", args.deck, 1, MOST_DECKS) - 1, list_content(args.played)
    try:
        examined = examine(content, published, deck, played)
    except FairdeckError as error:
        if deck != -1 or isinstance(error, MissingTool):  # the fault may be in the other file, or in none
            raise
        raise FairdeckError(f"{args.file!r}: {error}") from None
    fields = {
        "holds": examined.holds,
        "first_fault": examined.first_fault,
        "checked": len(examined.checks),
        "checks": examined.checks,
        "remarks": examined.remarks,
    }
    lines = []
    if examined.transcript:
        agreement, drawn = examined.transcript.agreement, examined.transcript.drawn
        digest = agreement.digest.hex()
        fields |= {"digest": digest, "result": drawn.code, "attempt": agreement.attempt, "decks": agreement.decks}
        lines = [
            f"drawn by {', '.join(agreement.people)}; agreed on as {digest}",
            f"result code {drawn.code}, transcript {examined.transcript.digest}",
        ]
    return fields, [*lines, f"computed again: {', '.join(examined.checks) or 'nothing'}"]


# --- the kinds of files


class Kind(NamedTuple):
    """A kind of file: what recognises its content, and what verifies it, with the options that only it has."""

    called: str
    is_one: Callable[[bytes], object]
    options: Sequence[str]
    verify: Callable[[Namespace, bytes], Verified]


ROUNDS = Kind("rounds of a site, which --as names", lambda _: False, ("as", "columns"), verify_rounds)
# A file is of the first kind that recognises it; the last takes what is left, such as the report of a run.
KINDS = (
    Kind("the transcript of a draw", kind_of, ("announced", "list", "shown", "deck", "played"), _verify_transcript),
    Kind("a plan", lambda content: '"fairdeck-plan/' in decoded(content, "replace"), ("trace",), _verify_plan),
    Kind(
        "a stored run",
        lambda _: True,
        ("number", "store", "registered", "log", "workers", "cluster"),
        verify_run,
    ),
    ROUNDS,
)
