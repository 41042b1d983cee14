"""The steps of `fairdeck together` by files that people exchange: announce, join, list, deal, show, finish."""

import json
from argparse import ArgumentParser, Namespace, _ActionsContainer
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import time

from fairdeck.cli.card_lists import note_names
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.files import writable
from fairdeck.cli.help.formats import json_argument
from fairdeck.cli.outputs import output_arguments, outputs_from
from fairdeck.cli.settings import MAT, classic_argument, goal_argument, labels_argument, mat_from, unless_set
from fairdeck.cli.transcripts import demand_digest
from fairdeck.cli.trust_files import (
    beacon_value,
    file_name,
    keep,
    keep_shown,
    kept_commitment,
    kept_own,
    names_from,
    read_file,
    read_files,
    tell,
)
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.planner import Task, plan_for
from fairdeck.deals import Deal, task_of
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.randomness import random_integers, system_bytes
from fairdeck.trust.agreement import (
    MOST_ATTEMPTS,
    MOST_DECKS,
    PRODUCT,
    SEED,
    SESSION,
    Agreement,
    session_named,
)
from fairdeck.trust.beacon import NAME as BEACON
from fairdeck.trust.beacon import address_of, demand_later, parse_beacon, round_time, seconds_of, written
from fairdeck.trust.draws import SECRET, Attempt, own_drawn
from fairdeck.trust.files import (
    Announcement,
    CommitmentList,
    Own,
    Shown,
    Transcript,
    finished,
    read_announcement,
    read_commitment,
    read_list,
    read_own,
    read_shown,
    read_void,
    write_void,
)
from fairdeck.trust.states import COMMITTED, Draw, Refused
from fairdeck.trust.verifying import read_transcript


def now() -> float:
    """Return the time of this device's clock, in seconds since 1970."""
    return time()


# --- announce


def way_argument(parser: _ActionsContainer) -> None:
    """Declare the way to draw."""
    parser.add_argument(
        "--way",
        choices=(SEED, PRODUCT),
        default=SEED,
        help="seed: nobody chooses the decks, and all devices that take part can work them out (default); product: "
        "nobody knows them, because each person deals by an order of their own, one after the other",
    )


def announce_arguments(parser: ArgumentParser) -> None:
    """Declare what the organiser says of a draw."""
    draw = parser.add_argument_group("the draw")
    draw.add_argument("--people", metavar="A,B,...", required=True, help="who draws, 2 to 60 different names")
    way_argument(draw)
    draw.add_argument(
        "--session",
        metavar="TEXT",
        help="a new text for this draw, typed on two devices that never talk: the same terms and text make the same "
        "announcement (default: random)",
    )
    draw.add_argument(
        "--deadline",
        metavar="TIME",
        help="when commitments must be there, in UTC, such as 2026-12-01T18:00Z; required with --beacon",
    )
    draw.add_argument(
        "--beacon",
        metavar="BEACON",
        help="a public value that takes part: quicknet:ROUND or quicknet@2026-12-01T20:00Z, more than ten minutes "
        "after the deadline; finish, deal and verify then need the extra beacon",
    )
    draw.add_argument(
        "--note",
        metavar="TEXT",
        default="",
        help="what the draw is for, one line of up to 200 letters; everybody sees it",
    )
    draw.add_argument("--after", metavar="FILE.json", help="the record of the void attempts before")
    deal = parser.add_argument_group("the decks")
    deal.add_argument("--cards", metavar="N", help="cards in each deck, 1 to 10,000 (default: as many as --names has)")
    deal.add_argument("--decks", metavar="N", default="1", help=f"how many decks, 1 to {MOST_DECKS:,} (default: 1)")
    deal.add_argument(
        "--names",
        metavar="FILE",
        help="how each deck lies at the start: sorted (52 French cards), or a file that lists the cards, top first; "
        "equal cards have the same name (default: numbers from the top)",
    )
    deal.add_argument("--mat", metavar="CxR", help=f"columns x rows of the mat {unless_set(MAT)}")
    labels_argument(deal)
    deal.add_argument(
        "--last-mat", metavar="CxR", help="with --way product: the mat of the last person (default: --mat)"
    )
    goal_argument(deal, "deck")
    deal.add_argument("--dealers", metavar="N", default="1", help="people who deal a deck at once, 1 to 4 (default: 1)")
    classic_argument(deal)
    _output_argument(parser, "announcement.json")
    _json_argument(parser)


def announce(args: Namespace) -> int:
    """Write down what is agreed on, and print the digest to publish."""
    names = names_from(args)
    if args.cards is None and not names:
        raise FairdeckError("say how many cards each deck has, such as --cards 52, or name them with --names")
    voids: tuple[Attempt, ...] = () if args.after is None else read_file(args.after, read_void)
    if len(voids) >= MOST_ATTEMPTS:
        raise FairdeckError(f"{len(voids)} void attempts are too many: at most {MOST_ATTEMPTS - 1}")
    people = people_in(args.people)
    agreement = Agreement(
        args.way,
        deals_for(args, args.cards or str(len(names)), len(people)),
        people,
        system_bytes(SESSION) if args.session is None else session_named(args.session),
        whole("decks", args.decks, 1, MOST_DECKS),
        names,
        attempt=len(voids) + 1,
        before=voids[-1].named if voids else b"",
        deadline=args.deadline or "",
        beacon=parse_beacon(args.beacon) if args.beacon else None,
        note=args.note,
    )
    if agreement.deadline and seconds_of(agreement.deadline, "deadline") <= now():
        raise FairdeckError(f"deadline {agreement.deadline} is over: name a later time")
    demand_later(agreement.beacon, agreement.deadline)
    if voids:
        voids[-1].demand_next(agreement)
    keep(writable(args.output), Announcement(agreement, voids).to_json())
    if names:
        note_names("names", names[::-1])
    _tell_agreed(agreement)
    if args.session is None:
        tell("Publish the digest, and send the file to all who draw.")
        return _result(args, digest=agreement.digest.hex())
    tell("The other device must show the same twelve letters.")
    return _result(args, digest=agreement.digest.hex(), compare=agreement.compared)


def people_in(text: str) -> tuple[str, ...]:
    """Return the names that a person typed, with commas between them."""
    return tuple(" ".join(name.split()) for name in text.split(","))


def deals_for(args: Namespace, cards: str, people: int) -> tuple[Task, ...]:
    """Return what is dealt: one deal in the way ``seed``, in the way ``product`` one for each of the `people`."""
    mat, goal, dealers = mat_from(args), args.goal or "deck", args.dealers or "1"
    last_mat, labels = getattr(args, "last_mat", None), args.labels
    classic = args.way == PRODUCT or getattr(args, "classic", False)
    if args.way == SEED:
        if last_mat is not None:
            raise FairdeckError("--last-mat is for --way product, where people deal one after the other: leave it out")
        return (task_of(cards, mat, goal, labels=labels, dealers=dealers, classic=classic),)
    last = task_of(cards, last_mat or mat, goal, labels=None if last_mat else labels, dealers=dealers, classic=classic)
    return (*[task_of(cards, mat, labels=labels, classic=True)] * (people - 1), last)


def _tell_agreed(agreement: Agreement) -> None:
    for line in agreed_lines(agreement):
        tell(line)


def agreed_lines(agreement: Agreement) -> Iterator[str]:
    """Yield what is agreed on, in words."""
    decks, cards = counted(agreement.decks, "deck"), counted(agreement.cards, "card")
    mats = ", then ".join(dict.fromkeys(str(task.mat) for task in agreement.deals))
    yield f"{decks} of {cards} on a {mats} mat, goal {agreement.goal}"
    if agreement.way == PRODUCT:
        yield f"dealt by {', then '.join(agreement.people)}: nobody knows the result"
    else:
        yield f"drawn by {', '.join(agreement.people)}: nobody chooses the result"
    if agreement.deadline:
        yield f"commitments until {agreement.deadline}"
    if agreement.beacon:
        number = agreement.beacon.round
        yield f"beacon: round {number} of {BEACON}, published at {written(round_time(number))}"
    if agreement.attempt > 1:
        yield f"attempt {agreement.attempt}: those before are void"
    if agreement.note:
        yield agreement.note


# --- join


def join_arguments(parser: ArgumentParser) -> None:
    """Declare what a person joins with."""
    parser.add_argument("announcement", metavar="ANNOUNCEMENT", help="the announcement; - reads standard input")
    parser.add_argument(
        "--as", dest="name", metavar="NAME", required=True, help="who you are, as the announcement says"
    )
    parser.add_argument(
        "--announced", metavar="HEX", help="the digest that was published; any other announcement is refused"
    )
    parser.add_argument(
        "--folder",
        metavar="FOLDER",
        default=".",
        help="where NAME.commitment.json and NAME.own.json go (default: here)",
    )
    _json_argument(parser)


def join(args: Namespace) -> int:
    """Draw what is yours, and write the commitment to it that you send to the organiser."""
    agreement: Agreement = read_file(args.announcement, read_announcement).agreement
    _demand_published("--announced", args.announced, agreement.digest)
    person = agreement.index(args.name)
    if agreement.deadline and now() > seconds_of(agreement.deadline, "deadline"):
        raise FairdeckError(f"the deadline {agreement.deadline} is over: a commitment would not count")
    made = written(now())
    try:
        seconds_of(made, "time")
    except FairdeckError:
        raise FairdeckError(f"the clock of this device says {made}: set the clock, and join again") from None
    name, folder = agreement.people[person], Path(args.folder)
    own = Own(agreement, person, own_drawn(agreement, person, system_bytes(SECRET), random_integers()))
    # First what is committed to: whenever this stops, there is no commitment without it, and a second call goes on.
    own = kept_own(folder / file_name(agreement, name, "own"), own)
    commitment = kept_commitment(folder / file_name(agreement, name, "commitment"), own, made)
    _tell_agreed(agreement)
    tell("Compare the digest with the one that was published.")
    return _result(args, digest=agreement.digest.hex(), person=name, commitment=commitment.commitment.hex())


# --- list


def list_arguments(parser: ArgumentParser) -> None:
    """Declare what a list is made of."""
    parser.add_argument("announcement", metavar="ANNOUNCEMENT", help="the announcement")
    parser.add_argument("commitments", metavar="COMMITMENT", nargs="+", help="everybody's commitments")
    _output_argument(parser, "list.json")
    _json_argument(parser)


def list_commitments(args: Namespace) -> int:
    """Join all commitments to one list, and print its digest."""
    announced: Announcement = read_file(args.announcement, read_announcement)
    agreement = announced.agreement
    draw, came = Draw(agreement, collects=True), dict[str, str]()
    for file, each in read_files(args.commitments, read_commitment):
        with _naming(file):
            if each.digest != agreement.digest:
                raise Refused("otherDraw")
            person = agreement.index(each.person)
            _demand_first(each.person, file, came)
            if agreement.deadline and seconds_of(each.time, "time") > seconds_of(agreement.deadline, "deadline"):
                raise FairdeckError(
                    f"{each.person} committed at {each.time} by their own clock, after the deadline "
                    f"{agreement.deadline}: leave out the file, and announce the draw again"
                )
            draw.take_commitment(person, each.commitment)
    if draw.state == COMMITTED:
        raise FairdeckError(f"commitments are missing from {draw.missing}: all must commit")
    keep(writable(args.output), CommitmentList(draw.attempt, announced.voids).to_json())
    tell("Publish the digest of the list, and send the file to all who draw.")
    tell("Now everybody deals, and shows their orders after play." if agreement.way == PRODUCT else "Then all show.")
    if agreement.deadline:
        tell("The times in commitments are what the senders' clocks said. Nothing here can prove when one was made.")
    return _result(args, list=draw.attempt.listed.hex())


# --- deal


def deal_arguments(parser: ArgumentParser) -> None:
    """Declare what is dealt, and how it is put out."""
    parser.add_argument(
        "transcript", metavar="OWN | TRANSCRIPT", help="your own file of the way product; else the transcript"
    )
    parser.add_argument("--deck", metavar="N", help="which deck, from 1 (default: the only one)")
    output_arguments(parser, booklet=False)


def deal(args: Namespace) -> int:
    """Deal one of the decks, as the transcript or your own order says; the outputs are those of fairdeck deal."""
    source: Own | Transcript = read_file(args.transcript, read_transcript, read_own)
    agreement, own = source.agreement, source if isinstance(source, Own) else None
    if own and agreement.way == SEED:
        raise FairdeckError("in this draw the decks come from all secrets together: deal from the transcript")
    if not own and agreement.way == PRODUCT:
        raise FairdeckError("in this draw everybody deals by their own order: deal from your own file, before play")
    if args.deck is None and agreement.decks > 1:
        raise FairdeckError(f"the draw has {agreement.decks} decks: say which one with --deck N")
    deck = whole("deck", args.deck or "1", 1, agreement.decks) - 1
    task = agreement.deals[own.person if own else 0]
    outputs = outputs_from(args, task)
    if own:
        tell("Nobody else may see this deal: neither the screen, nor the list, nor your hands. Deal it once.")
    order = own.orders[deck] if own else source.drawn.order(deck)  # type: ignore[union-attr]
    code = outputs.write([Deal(task, plan_for(task, order), order, random_integers())])
    if isinstance(source, Transcript) and agreement.names and args.reveal and not (args.json or args.trace or code):
        print("\nBy name, top first:")
        print(*source.drawn.named(deck), sep=", ")
    return code


# --- show


def show_arguments(parser: ArgumentParser) -> None:
    """Declare what is shown, and for which list."""
    parser.add_argument("listed", metavar="LIST.json", help="the list of all commitments")
    parser.add_argument("own", metavar="OWN", help="your own file")
    parser.add_argument(
        "--list", metavar="HEX", help="the digest of the list that was published; any other list is refused"
    )
    _played_argument(parser)
    parser.add_argument("-o", "--output", metavar="FILE.json", help="the file to write (default: NAME.shown.json)")
    _json_argument(parser)


def show(args: Namespace) -> int:
    """Show what is yours for the list, if your commitment is in it."""
    listed: Attempt = read_file(args.listed, read_list).listed
    _demand_published("--list", args.list, listed.listed)
    own: Own = read_file(args.own, read_own)
    if own.agreement != listed.agreement:
        raise FairdeckError(f"{args.own!r} belongs to another draw than the list: name the file of this draw")
    draw = Draw(own.agreement, own.person, own.own, collects=False)
    draw.take_list(listed.commitments)
    with _saying_played():
        if args.played:
            draw.play()
        made = Shown(listed.listed, own.name, draw.show())
    beacon = own.agreement.beacon
    if beacon and now() >= (published := round_time(beacon.round)):
        tell(f"warning: the beacon was published at {written(published)}, so it is too late to show a secret")
    name = file_name(own.agreement, own.name, "shown")
    keep_shown(writable(args.output or name), made, Path(args.own).with_name(name))
    tell("First compare the digest of the list with the one that was published. Only if they are the same, send the")
    tell("file to the organiser: a person who gets secrets for two different lists could choose the decks.")
    return _result(args, list=listed.listed.hex(), person=own.name)


# --- finish


def finish_arguments(parser: ArgumentParser) -> None:
    """Declare what a draw is finished with."""
    parser.add_argument(
        "listed", metavar="LIST.json", help="the list of all commitments; or the announcement, if none is"
    )
    parser.add_argument("shown", metavar="SHOWN", nargs="*", help="what everybody shows; without a list own files")
    _played_argument(parser)
    parser.add_argument(
        "--beacon-value",
        metavar="FILE",
        help="what the beacon published: a file, or its signature in hexadecimal digits",
    )
    parser.add_argument(
        "--void",
        metavar="FILE",
        help="somebody does not show what is theirs: declare the attempt void, and write the record of that",
    )
    _output_argument(parser, "transcript.json")
    _json_argument(parser)


def finish(args: Namespace) -> int:
    """Compute the decks from all that was shown, write the transcript, and print the code to compare.

    If somebody does not show what is theirs, --void declares the attempt void, in a record that the next announcement
    must name with --after. Then the exit code is 1. With a beacon, first finish without its value, and publish the
    digest of what was shown.
    """
    announced: CommitmentList | Announcement = read_file(args.listed, read_list, read_announcement)
    agreement = announced.agreement
    draw = _collected(args, announced)
    if draw.missing:
        if args.void is None:
            else_void = f"or declare attempt {agreement.attempt} void with --void void.json"
            played = "this draw was played, so it cannot become void"
            raise FairdeckError(
                f"secrets are missing from {draw.missing}: wait for them{', ' if draw.can_be_void else '; '}"
                f"{else_void if draw.can_be_void else played}"
            )
        void = draw.void()
        keep(writable(args.void), write_void([*announced.voids, void]))
        tell(f"Attempt {agreement.attempt} is void. Publish the record.")
        tell(f"Announce the next attempt with --after {args.void}.")
        return _result(args, code=DOES_NOT_HOLD, void=agreement.attempt, missing=list(void.missing))
    if args.void is not None:
        raise FairdeckError("all have shown what is theirs, so this attempt is not void: leave out --void")
    if agreement.beacon is None and args.beacon_value is not None:
        raise FairdeckError("no beacon was agreed on: leave out --beacon-value")
    shown, value = draw.attempt.shown.hex(), b""
    if agreement.beacon:
        if args.beacon_value is None:
            tell("All have shown. Publish this digest before the beacon speaks: nobody can learn a deck from it.")
            tell(f"Then save {address_of(agreement.beacon)} and finish again with --beacon-value FILE.")
            return _result(args, shown=shown)
        value = beacon_value(agreement.beacon, args.beacon_value)
    transcript = finished(draw.attempt, value, announced.voids)
    keep(writable(args.output), transcript.to_json(), secret=True)
    if agreement.way == SEED:
        tell("A person who has this file knows all decks: before play it must not leave this device.")
        tell("Publish its digest now, and the file after play. All who saw every secret can work out the decks, too.")
    result: dict[str, object] = {"shown": shown, "result": transcript.drawn.code, "digest": transcript.digest}
    if agreement.way == PRODUCT:
        decks = [transcript.drawn.hands(deck) for deck in range(agreement.decks)]
        told = {f"deck {number}": told_hands(hands) for number, hands in enumerate(decks, 1)}
        result |= {"decks": decks} if args.json else told
    return _result(args, FINE, **result)


def told_hands(hands: Sequence[Sequence[str]]) -> str:
    """Return the hands that a deck was dealt into as text; a whole deck top first."""
    between = ", " if any(" " in name for hand in hands for name in hand) else " "
    return " | ".join(map(between.join, hands))


def _collected(args: Namespace, announced: CommitmentList | Announcement) -> Draw:
    """Return the draw with all that was shown."""
    draw, came = Draw(announced.agreement, collects=True), dict[str, str]()
    if isinstance(announced, CommitmentList):
        shown = [(file, each.person, each.own, each.listed) for file, each in read_files(args.shown, read_shown)]
        for person, commitment in enumerate(announced.listed.commitments):
            draw.take_commitment(person, commitment)
    else:
        owns = read_files(args.shown, read_own)
        for file, own in owns:
            with _naming(file):
                if own.agreement != announced.agreement:
                    raise Refused("otherDraw")
                _demand_first(own.name, file, came)
                draw.take_commitment(own.person, own.commitment)
        if draw.state == COMMITTED:
            raise FairdeckError(f"own files are missing from {draw.missing}: without a list, finish needs them all")
        shown, came = [(file, own.name, own.own, draw.attempt.listed) for file, own in owns], {}
    with _saying_played():
        if args.played:
            draw.play()
        for file, name, own_bytes, listed in shown:
            with _naming(file):
                person = draw.agreement.index(name)
                _demand_first(name, file, came)
                draw.take_own(person, own_bytes, listed)
    return draw


# --- what several steps need


def _output_argument(parser: ArgumentParser, name: str) -> None:
    parser.add_argument(
        "-o", "--output", metavar="FILE.json", default=name, help=f"the file to write (default: {name})"
    )


def _json_argument(parser: ArgumentParser) -> None:
    json_argument(parser, "fairdeck-step/1", fields="step, and the digests, codes and names that the step prints")


def _played_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--played", action="store_true", help="with --way product: play is over, and the cards may be known"
    )


def _demand_published(option: str, published: str | None, digest: bytes) -> None:
    demand_digest(option, published)
    if published is not None and published.lower() != digest.hex():
        raise FairdeckError(f"{option}: the digest of this file is {digest.hex()}, so it is not what was published")


def _demand_first(person: str, file: str, came: dict[str, str]) -> None:
    if person in came:
        raise FairdeckError(
            f"{person} is there twice, in {came[person]} and in {file}: leave out one; if they differ, ask {person}"
        )
    came[person] = file


@contextmanager
def _naming(file: str) -> Iterator[None]:
    """Name a file in the errors of what is done with it."""
    try:
        yield
    except FairdeckError as error:
        if isinstance(error, Refused) and error.refusal == "tooEarly":
            raise
        raise FairdeckError(f"{file}: {error}") from None


@contextmanager
def _saying_played() -> Iterator[None]:
    """Say which option says that play is over."""
    try:
        yield
    except Refused as error:
        raise FairdeckError(f"{error} with --played" if error.refusal == "tooEarly" else str(error)) from None


def _result(args: Namespace, code: int = FINE, **result: object) -> int:
    """Print a result, and return the exit code."""
    if args.json:
        print(json.dumps({"format": "fairdeck-step/1", "step": args.step, **result}, ensure_ascii=False))
    else:
        for name, value in result.items():
            print(f"{name}: {', '.join(value) if isinstance(value, list) else value}")
    return code
