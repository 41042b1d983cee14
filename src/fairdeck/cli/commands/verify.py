"""Verify a plan, a stored run, a transcript, or rounds of a site.

A plan, as `fairdeck deal --json` writes it, is dealt in simulation. It holds if it is sound and, where the file reveals
the order that was drawn, reaches it. The command says how many cards, passes and spaces it has.

A stored run is counted again: all its decks are made from the seed as it was registered, so the run must be of a known
shuffle, and it takes as long as the run took. It holds if counts, analyses, bets, p-value and verdict are the same.
FILE is the store of the run (run.db), or the report that `fairdeck test --store DB --json` printed.

A certificate is compared with itself and, if its store is there, with that. What cannot be checked here is named.

Of a transcript that `fairdeck together finish` wrote, everything is computed again, and the first thing that does not
fit is named; any changed byte is noticed.

Rounds of a site that calls itself provably fair, CSV or JSON, are computed again from their seeds, as `--as` says.

Exit code 0: it holds; 1: it does not, and the first fault is named; 2: it cannot be verified.
"""

import json
import os
from argparse import ArgumentParser, Namespace, _ActionsContainer
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, nullcontext
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fairdeck.cards.logs.json_lines import LONGEST, lines_of_document
from fairdeck.cards.text import decoded
from fairdeck.cli.arguments import options
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.files import read
from fairdeck.cli.laboratory import MOST_RUNS, counting, need_lab, workers_argument
from fairdeck.cli.settings import demand_digest, list_content
from fairdeck.cli.signals import interruptible
from fairdeck.cli.streams import one_line, standard_input
from fairdeck.cli.terminal import Progress
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.plan import Plan, outcomes, reaches, read_plan, replay
from fairdeck.errors import FairdeckError, MissingTool, UnsoundPlan, naming, nearest_or_all, system_reason
from fairdeck.numbers import shortened, whole
from fairdeck.permutation import inverse
from fairdeck.trust.agreement import MOST_DECKS
from fairdeck.trust.derivations import known
from fairdeck.trust.files import kind_of
from fairdeck.trust.rounds import FIELDS, MOST_TOLD, check

if TYPE_CHECKING:
    from fairdeck.lab.runs.registration import Registration
    from fairdeck.lab.runs.store import Run, Store

LARGEST = 64 << 20  # bytes
SHORT = 4_096  # bytes, to see how a file begins
PAGE = b"<!doctype html"
DATABASE = b"SQLite format 3\0"
REMEDY = (
    "name a plan that fairdeck deal --json wrote, a store, the report that fairdeck test --store DB --json printed, a "
    "certificate, or the transcript that fairdeck together finish wrote; for rounds of a site write --as NAME"
)
NOT_REACHED = "the plan does not reach the order that it reveals"
UNCOMPARED = {"seconds", "command", "notes", "environment", "causes", "labels"}  # nothing in the store can show them
TOLD = {"command": str, "environment": dict[str, str], "notes": list[str], "labels": list[str]}  # printed as stated
EXAMPLES = {
    "fairdeck verify plan.json": "a plan that fairdeck deal --json --reveal wrote",
    "fairdeck verify plan.json --trace": "with the place of every card after every pass",
    "fairdeck verify run.db": "all decks are counted again",
    "fairdeck verify certificate.html": "what holds, and what cannot be checked",
    "fairdeck verify transcript.json": "the transcript of a draw",
    "fairdeck verify rounds.csv --as stake-deck": "rounds of a site, from their seeds",
}


def arguments(parser: ArgumentParser) -> None:
    options(parser, {"file FILE": "a plan, a store, a certificate or report of one, a transcript, or rounds"})
    plan = {"--trace": "first the place of every card after every pass, as arrays"}
    options(parser.add_argument_group("for a plan"), plan)
    _run_arguments(parser.add_argument_group("for a stored run"))
    _transcript_arguments(parser.add_argument_group("for a transcript"))
    rounds = {
        "--as NAME": f"how the cards follow from the seeds: {', '.join(known())}",
        "--columns FIELD=NAME,...": f"which column holds what, if its name does not say it: {', '.join(FIELDS)}",
    }
    options(parser.add_argument_group("for rounds of a site"), rounds)
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
    if args.json:
        print(json.dumps({"format": "fairdeck-verification/1", **fields}))
    else:
        good = "It holds." if fields["checked"] else "What can be checked here holds."
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


def _verify_plan(args: Namespace, content: bytes) -> "Verified":
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
    return Verified(fields, [*lines, *["it reaches the order that it reveals"] * bool(reached)])


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


# --- stored runs, and reports of them


def _run_arguments(parser: _ActionsContainer) -> None:
    parser.add_argument("--run", dest="number", metavar="N", help="which run of the store (default: the only one)")
    declared = {
        "--store DB": "where the store is now, if FILE is a report (default: where the report says, or beside it)",
        "--registered HEX": "the digest that was published before the run, 64 digits",
        "--log FILE": "the file of decks that the run was about",
    }
    options(parser, declared)
    workers_argument(parser)


def _verify_run(args: Namespace, content: bytes) -> "Verified":
    need_lab()
    from fairdeck.lab.runs import registration
    from fairdeck.lab.runs.store import Store
    from fairdeck.lab.runs.verifying import Checked, examined, verify

    number, registered = None if args.number is None else whole("run", args.number, 1, MOST_RUNS), args.registered
    demand_digest("--registered", registered, ": fairdeck runs DB shows all of them")
    stated, fault = _stated(args, content)
    report, page = stated.get("report"), "printed" in stated
    path = _store_of(args, report, page=page) if report else args.file
    if report and not page:
        registered = registered or report["run"]["digest"]
    progress, passed_over = Progress(), list[str]()
    with ExitStack() as opened:
        run = None
        if path and not fault:
            store = opened.enter_context(closing(Store(Path(path))))
            run = store.only(number or (report["run"]["number"] if report else None))
            fault, passed_over = _differs(stated, store, run) if report else ("", [])
        fixed = None if run or fault or report is None else report.get("registration")
        text = json.dumps(fixed, sort_keys=True, separators=(",", ":"))
        known = run.registration if run else registration.read(text) if fixed else None
        if fault or known is None:
            checked = Checked(not fault, fault, 0)
        elif run and (not page or (args.log if run.inquiry.kind == "file" else run.inquiry.kind == "known")):
            with counting(args, progress) as map_, interruptible(map_) as heard:
                checked = verify(
                    run,
                    registered=registered or "",
                    log=args.log or "",
                    map_=heard,
                    progress=lambda trial: progress.tell(trial.decks, run.decks, "decks"),
                )
        else:
            checked = examined(known, registered or "")
            checked = replace(checked, remarks=(*checked.remarks, *_not_here(known, run)))
    progress.done()
    if passed_over:
        remark = f"not compared: what the report says of {', '.join(passed_over)}"
        checked = replace(checked, remarks=(*checked.remarks, remark))
    lines = []
    if known:
        which, ended = (f"run {run.number}: ", f", {run.ended}") if run else ("", "")
        what = f"{known.inquiry.name}, {known.inquiry.cards} cards"
        lines.append(f"{which}{what}{ended}; registered as {known.digest}")
    if page and checked.holds:
        lines.append(
            f"compared: the printed text, the JSON in it{' and all that the store holds of the run' * bool(run)}"
        )
    if checked.checked:
        lines.append(f"counted again: {checked.checked:,} decks, from the first one on")
    return Verified(asdict(checked), lines)


def _not_here(known: "Registration", run: "Run | None") -> Iterator[str]:
    """Yield what a certificate says that only those can check who have its store, its code and its files."""
    copy = "; name your copy of the file with --log FILE" if run and known.inquiry.kind == "file" else ""
    yield f"not counted again: the decks of {known.inquiry.name}{copy}"
    if not run:
        yield "not compared: its store, which is not here; ask for it"
    yield from (f"not checked: that {name} has the SHA-256 {found}" for name, found in known.files.items())


def _stated(args: Namespace, content: bytes) -> tuple[dict[str, Any], str]:
    """Return what a certificate or a report states, the latter under its name, and what was changed in the former."""
    from fairdeck.lab.judging.report import Record
    from fairdeck.lab.runs import records
    from fairdeck.show.reports.certificate import read as read_page

    if content == DATABASE:
        return {}, ""
    page = content[: len(PAGE)].lower() == PAGE
    kinds = {**TOLD, "run": Record | None if page else Record}
    try:
        stated, fault = read_page(content.decode()) if page else ({"report": json.loads(content)}, "")
        kept = [records.from_json(kind, stated["report"][name]) for name, kind in kinds.items()][-1]
        if type(stated["report"]["causes"]) is not list or (kept and not 1 <= kept.number <= MOST_RUNS):
            raise ValueError("a field of another type")
    except (ValueError, TypeError, KeyError, RecursionError):
        raise FairdeckError(
            f"{args.file!r} is no plan, store, certificate, report of a stored run or transcript: {REMEDY}"
        ) from None
    return stated, fault


def _store_of(args: Namespace, report: dict[str, Any], *, page: bool) -> str:
    """Return the path of the store of a report: where somebody says, where the report says, or beside it.

    Empty if it is a certificate, and its store is not there.
    """
    stated: str = report["run"]["store"] if report["run"] else ""
    store: str = args.store or (stated if Path(stated).is_file() else str(Path(args.file).parent / Path(stated).name))
    if page and not (Path(store).is_file() or args.store):
        return ""
    if not (stated and Path(store).is_file()):
        raise FairdeckError(f"{store!r}, the store of the report, is not a file: write where it is with --store DB")
    return store


def _differs(page: dict[str, Any], store: "Store", run: "Run") -> tuple[str, list[str]]:
    """Return what a report, or a certificate, states otherwise than its store; and what nothing in the store shows."""
    from fairdeck.lab.runs.keeping import report_of
    from fairdeck.lab.runs.registration import hash_of_code
    from fairdeck.show.reports.certificate import printed_hash

    run.registration.check_code()  # another version may say the same in other words
    report = page["report"]
    made = replace(report_of(store, run), labels=tuple(report["labels"]))
    stated, kept = (
        {**each, **{f"run {name}": value for name, value in each["run"].items()}}
        for each in (report, json.loads(made.to_json()))
    )
    passed_over = UNCOMPARED | ({"headline"} if report["causes"] else set())
    for name in [*kept, *stated]:
        if name not in passed_over | {"run", "run store"} and stated.get(name) != kept.get(name):
            return _first_difference(name, stated.get(name), kept.get(name)), []
    if "printed" in page and page["build"] != hash_of_code(whole=True):
        passed_over = passed_over | {"all this in its printed text, as another build of fairdeck printed it"}
    elif "printed" in page and page["printed"] != printed_hash(made, report):
        return "the printed text is not what the store gives", []
    return "", sorted(passed_over)


def _first_difference(name: str, mine: Any, theirs: Any) -> str:
    """Return which value of a report is another one in its store."""
    if isinstance(mine, list) and isinstance(theirs, list):
        mine, theirs = dict(enumerate(mine, 1)), dict(enumerate(theirs, 1))
    if isinstance(mine, dict) and isinstance(theirs, dict):
        key = next(key for key in theirs | mine if mine.get(key, "nothing") != theirs.get(key, "nothing"))
        return _first_difference(f"{name}, {key}:", mine.get(key, "nothing"), theirs.get(key, "nothing"))
    return f"the report states {name} {shortened(mine)}, and the store {shortened(theirs)}"


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


def _verify_transcript(args: Namespace, content: bytes) -> "Verified":
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
    return Verified(fields, [*lines, f"computed again: {', '.join(examined.checks) or 'nothing'}"])


# --- rounds of a site


def _verify_rounds(args: Namespace, _content: bytes) -> "Verified":
    name = getattr(args, "as")
    derivation = known().get(name)
    if derivation is None:
        raise FairdeckError(f"--as {shortened(name)} is no derivation{nearest_or_all(name, known())}")
    asked = dict(part.partition("=")[::2] for part in (args.columns or "").split(",") if part)
    with naming(repr(args.file)), Progress() as progress:
        found = check(derivation, _lines(args.file, progress), asked)
    bias, wrong = float(derivation.bias(found.size, found.dealt)), len(found.wrong_cards)
    fitting = f"{found.rounds - wrong:,} of {found.rounds:,}"
    lines = [f"rounds that fit {derivation.name} ({derivation.says}): {fitting}"]
    for places, called in ((found.wrong_cards, "other cards"), (found.wrong_hashes, "other hashes")):
        more = f" and {len(places) - MOST_TOLD:,} more" if len(places) > MOST_TOLD else ""
        lines += [f"{called}: {', '.join(places[:MOST_TOLD])}{more}"] if places else []
    lines += [f"server seeds that match their hashes: {found.committed:,}"] * bool(found.committed)
    near = f"within {bias:.1e} of fair ones, in total variation" if bias else "fair"
    lines.append(f"if the hashes were random numbers, {counted(found.dealt, 'card')} would be {near}")
    fields = {"holds": not found.first_fault, "checked": found.rounds, "derivation": derivation.name, **asdict(found)}
    remarks = [*found.remarks, f"not shown: {derivation.unseen}"]
    return Verified(fields | {"bias": bias, "remarks": remarks}, lines)


def _lines(name: str, progress: Progress) -> Iterator[str]:
    """Yield the lines of a file of rounds; each object of a JSON list on one."""
    done = at = 0
    try:
        with nullcontext(standard_input()) if name == "-" else Path(name).open("rb") as file:
            size = 0 if name == "-" else os.fstat(file.fileno()).st_size
            head = file.readline(LONGEST).removeprefix(BOM_UTF8)
            while len(head) < SHORT and head.strip() in (b"", b"[", b"{") and (more := file.readline(LONGEST)):
                head += more
            pieces = chain([head], iter(lambda: file.readline(LONGEST), b""))
            is_part = head.lstrip()[:1] == b"{" and head.rstrip()[-1:] != b"}"  # of an object on several lines
            objects = lines_of_document(b"[" * is_part + head)
            for piece in objects(pieces) if objects else pieces:
                done, at = done + len(piece), at + 1
                progress.tell(done, max(size, done), "bytes")
                yield from decoded(piece).splitlines(keepends=True)
    except UnicodeDecodeError:
        raise FairdeckError(f"line {at} is not text in UTF-8: save the table as CSV in UTF-8") from None
    except (OSError, ValueError) as error:
        raise FairdeckError(f"it cannot be read ({system_reason(error)}): name a table of rounds") from None


# --- the kinds of files


class Verified(NamedTuple):
    """What a verification found: the fields of --json, and the lines between the verdict and the remarks."""

    fields: dict[str, Any]
    lines: Sequence[str]


class Kind(NamedTuple):
    """A kind of file: what recognises its content, and what verifies it, with the options that only it has."""

    called: str
    is_one: Callable[[bytes], object]
    options: Sequence[str]
    verify: Callable[[Namespace, bytes], Verified]


ROUNDS = Kind("rounds of a site, which --as names", lambda _: False, ("as", "columns"), _verify_rounds)
# A file is of the first kind that recognises it; the last takes what is left, such as the report of a run.
KINDS = (
    Kind("the transcript of a draw", kind_of, ("announced", "list", "shown", "deck", "played"), _verify_transcript),
    Kind("a plan", lambda content: '"fairdeck-plan/' in decoded(content, "replace"), ("trace",), _verify_plan),
    Kind("a stored run", lambda _: True, ("number", "store", "registered", "log", "workers", "cluster"), _verify_run),
    ROUNDS,
)
