"""The steps of `fairdeck together` by files that people exchange: announce, join, list, deal, show, finish."""

import json
import re
from argparse import ArgumentParser, Namespace, _ActionsContainer
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import time

from fairdeck.cards.decks import read_cards
from fairdeck.cards.names import FRENCH
from fairdeck.cli import settings
from fairdeck.cli.arguments import options
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.files import writable
from fairdeck.cli.formats import json_argument
from fairdeck.cli.outputs import Outputs, output_arguments, outputs_from
from fairdeck.cli.streams import tell
from fairdeck.cli.trust_files import content_of, file_name, keep, keep_shown, kept, read_file, warn_if_open
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.planner import Task, plan_for
from fairdeck.deals import SORTED, Deal, task_of
from fairdeck.errors import FairdeckError, naming
from fairdeck.numbers import whole
from fairdeck.permutation import Permutation
from fairdeck.randomness import random_integers, system_bytes
from fairdeck.trust import files
from fairdeck.trust.agreement import MOST_DECKS, PRODUCT, SEED, SESSION, Agreement
from fairdeck.trust.beacon import NAME as BEACON
from fairdeck.trust.beacon import address_of, demand_later, parse_beacon, read_round, round_time, seconds_of, written
from fairdeck.trust.draws import SECRET, Attempt, own_drawn
from fairdeck.trust.states import COMMITTED, SAYS, Draw, Refused
from fairdeck.trust.verifying import read_transcript

DIGITS = re.compile("[0-9a-fA-F]+")


def now() -> float:
    """Return the time of this device's clock, in seconds since 1970."""
    return time()


# --- what is agreed on, for files and for the terminal


def terms_arguments(draw: _ActionsContainer, deal: _ActionsContainer, people: str, *, required: bool) -> None:
    """Declare what people agree on; `people`: what the help says of their names."""
    drawn = {
        f"--people{'!' if required else ''} A,B,...": people,
        f"--way {SEED}|{PRODUCT}": "seed: nobody chooses the decks, and all devices that take part can work them out "
        "(default); product: nobody knows them, because each person deals by an order of their own, one after the "
        "other",
        "--note TEXT": "what the draw is for, up to 200 letters; everybody sees it",
    }
    options(draw, drawn, way=SEED)
    dealt = {
        "--mat CxR": f"columns x rows of the mat {settings.unless_set(settings.MAT)}",
        **settings.labels_option(),
        "--last-mat CxR": "with --way product: the mat of the last person (default: --mat)",
        **settings.GOAL_OPTION,
        "--dealers N": "people who deal a deck at once, 1 to 4 (default: 1)",
        **settings.CLASSIC_OPTION,
    }
    options(deal, dealt)


def agreement_from(args: Namespace, cards: str, **more: object) -> Agreement:
    """Return the agreement of a new draw, with more of its fields."""
    people = tuple(" ".join(name.split()) for name in args.people.split(","))
    mat, goal, dealers, labels = settings.mat_from(args), args.goal or "deck", args.dealers or "1", args.labels
    if args.way == SEED:
        if args.last_mat is not None:
            raise FairdeckError("--last-mat is for --way product, where people deal one after the other: leave it out")
        deals: Sequence[Task] = [task_of(cards, mat, goal, labels=labels, dealers=dealers, classic=args.classic)]
    else:
        labels_last = None if args.last_mat else labels
        last = task_of(cards, args.last_mat or mat, goal, labels=labels_last, dealers=dealers, classic=True)
        deals = [*[task_of(cards, mat, labels=labels, classic=True)] * (len(people) - 1), last]
    return Agreement(args.way, tuple(deals), people, system_bytes(SESSION), note=args.note or "", **more)  # type: ignore[arg-type]


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


# --- announce


def announce_arguments(parser: ArgumentParser) -> None:
    """Declare what the organiser says of a draw."""
    draw, deal = parser.add_argument_group("the draw"), parser.add_argument_group("the decks")
    terms_arguments(draw, deal, "who draws, 2 to 60 different names", required=True)
    draw_options = {
        "--deadline TIME": "when commitments must be there, in UTC, such as 2026-12-01T18:00Z; required with --beacon",
        "--beacon BEACON": "a public value that takes part: quicknet:ROUND or quicknet@2026-12-01T20:00Z, more than "
        "ten minutes after the deadline; finish, deal and verify then need the extra beacon",
        "--after FILE.json": "the record of the void attempts before",
    }
    options(draw, draw_options)
    deal_options = {
        "--cards N": "cards in each deck, 1 to 10,000 (default: as many as --names has)",
        "--decks N": f"how many decks, 1 to {MOST_DECKS:,} (default: 1)",
        "--names FILE": "how each deck lies at the start: sorted (52 French cards), or a file that lists the cards, "
        "top first; equal cards have the same name (default: numbers from the top)",
    }
    options(deal, deal_options, decks="1")
    settings.deck_list_arguments(deal)
    _result_arguments(parser, "announcement.json")


def announce(args: Namespace) -> int:
    """Write down what is agreed on, and print the digest to publish."""
    listed = None if args.names in (None, SORTED) else settings.deck_list(args.names, args)
    names = read_cards(listed, "names")[::-1] if listed else () if args.names is None else FRENCH[::-1]
    if args.cards is None and not names:
        raise FairdeckError("say how many cards each deck has, such as --cards 52, or name them with --names")
    voids: tuple[Attempt, ...] = () if args.after is None else read_file(args.after, files.read_void)
    agreement = agreement_from(
        args,
        args.cards or str(len(names)),
        decks=whole("decks", args.decks, 1, MOST_DECKS),
        names=names,
        attempt=len(voids) + 1,
        before=voids[-1].named if voids else b"",
        deadline=args.deadline or "",
        beacon=parse_beacon(args.beacon) if args.beacon else None,
    )
    if agreement.deadline and seconds_of(agreement.deadline, "deadline") <= now():
        raise FairdeckError(f"deadline {agreement.deadline} is over: name a later time")
    demand_later(agreement.beacon, agreement.deadline)
    if voids:
        voids[-1].demand_next(agreement)
    if listed:
        settings.note_list(listed)
    keep(writable(args.output), files.Announcement(agreement, voids).to_json())
    tell("\n".join(agreed_lines(agreement)))
    tell("Publish the digest, and send the file to all who draw.")
    return _result(args, digest=agreement.digest.hex())


# --- join


def join_arguments(parser: ArgumentParser) -> None:
    """Declare what a person joins with."""
    parser.add_argument("announcement", metavar="ANNOUNCEMENT", help="the announcement; - reads standard input")
    parser.add_argument(
        "--as", dest="name", metavar="NAME", required=True, help="who you are, as the announcement says"
    )
    declared = {
        "--announced HEX": "the digest that was published; any other announcement is refused",
        "--folder FOLDER": "where NAME.commitment.json and NAME.own.json go (default: here)",
    }
    options(parser, declared, folder=".")
    _result_arguments(parser)


def join(args: Namespace) -> int:
    """Draw what is yours, and write the commitment to it that you send to the organiser."""
    agreement = read_file(args.announcement, files.read_announcement).agreement
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
    # First what is committed to: whenever this stops, there is no commitment without it, and a second call goes on.
    path = folder / file_name(agreement, name, "own")
    new = files.Own(agreement, person, own_drawn(agreement, person, system_bytes(SECRET), random_integers()))
    told = "nobody else may see it, and without it the draw is void"
    own = kept(path, new, files.read_own, lambda old: (old.agreement, old.person) == (agreement, person), told)
    path = folder / file_name(agreement, name, "commitment")
    sent = files.Commitment(agreement.digest, name, own.commitment, made)
    kept(path, sent, files.read_commitment, lambda old: replace(old, time=made) == sent, "send it to the organiser")
    tell("\n".join(agreed_lines(agreement)))
    tell("Compare the digest with the one that was published.")
    return _result(args, digest=agreement.digest.hex(), person=name, commitment=own.commitment.hex())


# --- list


def list_arguments(parser: ArgumentParser) -> None:
    """Declare what a list is made of."""
    parser.add_argument("announcement", metavar="ANNOUNCEMENT", help="the announcement")
    parser.add_argument("commitments", metavar="COMMITMENT", nargs="+", help="everybody's commitments")
    _result_arguments(parser, "list.json")


def list_commitments(args: Namespace) -> int:
    """Join all commitments to one list, and print its digest."""
    announced = read_file(args.announcement, files.read_announcement)
    agreement = announced.agreement
    draw, came = Draw(agreement, collects=True), dict[str, str]()
    for file in args.commitments:
        sent = read_file(file, files.read_commitment)
        with naming(file):
            if sent.digest != agreement.digest:
                raise Refused("otherDraw")
            person = _first_from(agreement, sent.person, file, came)
            if agreement.deadline and seconds_of(sent.time, "time") > seconds_of(agreement.deadline, "deadline"):
                raise FairdeckError(
                    f"{sent.person} committed at {sent.time} by their own clock, after the deadline "
                    f"{agreement.deadline}: leave out the file, and announce the draw again"
                )
            draw.take_commitment(person, sent.commitment)
    if draw.state == COMMITTED:
        raise FairdeckError(f"commitments are missing from {draw.missing}: all must commit")
    keep(writable(args.output), files.CommitmentList(draw.attempt, announced.voids).to_json())
    tell("Publish the digest of the list, and send the file to all who draw.")
    tell("Now everybody deals, and shows their orders after play." if agreement.way == PRODUCT else "Then all show.")
    if agreement.deadline:
        tell("The times in commitments are what the senders' clocks said. Nothing here can prove when one was made.")
    return _result(args, list=draw.attempt.listed.hex())


# --- deal


def deal_arguments(parser: ArgumentParser) -> None:
    """Declare what is dealt, and how it is put out."""
    declared = {
        "transcript OWN | TRANSCRIPT": "your own file of the way product; else the transcript",
        "--deck N": "which deck, from 1 (default: the only one)",
    }
    options(parser, declared)
    output_arguments(parser, booklet=False)


def deal(args: Namespace) -> int:
    """Deal one of the decks, as the transcript or your own order says; the outputs are those of fairdeck deal."""
    source = read_file(args.transcript, _own_or_transcript)
    agreement, own = source.agreement, source if isinstance(source, files.Own) else None
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
    order = source.orders[deck] if isinstance(source, files.Own) else source.drawn.order(deck)
    code = deal_order(outputs, task, order)
    if isinstance(source, files.Transcript) and agreement.names and args.reveal and not (args.json or code):
        print("\nBy name, top first:")
        print(*source.drawn.named(deck), sep=", ")
    return code


def deal_order(outputs: Outputs, task: Task, order: Permutation) -> int:
    """Deal an order that was drawn, and return the exit code."""
    return outputs.write([Deal(task, plan_for(task, order), order, random_integers())])


def _own_or_transcript(content: bytes) -> files.Own | files.Transcript:
    return files.read_own(content) if files.kind_of(content) == "own" else read_transcript(content)


# --- show


def show_arguments(parser: ArgumentParser) -> None:
    """Declare what is shown, and for which list."""
    parser.add_argument("listed", metavar="LIST.json", help="the list of all commitments")
    parser.add_argument("own", metavar="OWN", help="your own file")
    options(parser, {"--list HEX": "the digest of the list that was published; any other list is refused"})
    _played_argument(parser)
    _result_arguments(parser, "NAME.shown.json")


def show(args: Namespace) -> int:
    """Show what is yours for the list, if your commitment is in it."""
    listed = read_file(args.listed, files.read_list).listed
    _demand_published("--list", args.list, listed.listed)
    own = read_file(args.own, files.read_own)
    if own.agreement != listed.agreement:
        raise FairdeckError(f"{args.own!r} belongs to another draw than the list: name the file of this draw")
    draw = Draw(own.agreement, own.person, own.own, collects=False)
    draw.take_list(listed.commitments)
    _play(args, draw)
    made = files.Shown(listed.listed, own.name, draw.show())
    beacon = own.agreement.beacon
    if beacon and now() >= (published := round_time(beacon.round)):
        tell(f"warning: the beacon was published at {written(published)}, so it is too late to show a secret")
    if args.own != "-":
        warn_if_open(Path(args.own))
    name = file_name(own.agreement, own.name, "shown")
    keep_shown(writable(args.output or name), made, Path(args.own).with_name(name))
    tell("First compare the digest of the list with the one that was published. Only if they are the same, send the")
    tell("file to the organiser: a person who gets secrets for two different lists could choose the decks.")
    return _result(args, list=listed.listed.hex(), person=own.name)


# --- finish


def finish_arguments(parser: ArgumentParser) -> None:
    """Declare what a draw is finished with."""
    parser.add_argument("listed", metavar="LIST.json", help="the list of all commitments")
    parser.add_argument("shown", metavar="SHOWN", nargs="*", help="what everybody shows")
    _played_argument(parser)
    declared = {
        "--beacon-value FILE": "what the beacon published: a file, or its signature in hexadecimal digits",
        "--void FILE": "somebody does not show what is theirs: declare the attempt void, and write the record of that",
    }
    options(parser, declared)
    _result_arguments(parser, "transcript.json")


def finish(args: Namespace) -> int:
    """Compute the decks from all that was shown, write the transcript, and print the code to compare.

    If somebody does not show what is theirs, --void declares the attempt void, in a record that the next announcement
    must name with --after. Then the exit code is 1. With a beacon, first finish without its value, and publish the
    digest of what was shown.
    """
    listed = read_file(args.listed, files.read_list)
    agreement, draw = listed.agreement, _collected(args, listed)
    if draw.missing:
        return _void(args, listed, draw)
    if args.void is not None:
        raise FairdeckError("all have shown what is theirs, so this attempt is not void: leave out --void")
    if agreement.beacon is None and args.beacon_value is not None:
        raise FairdeckError("no beacon was agreed on: leave out --beacon-value")
    shown, value = draw.attempt.shown.hex(), b""
    if beacon := agreement.beacon:
        if args.beacon_value is None:
            tell("All have shown. Publish this digest before the beacon speaks: nobody can learn a deck from it.")
            tell(f"Then save {address_of(beacon)} and finish again with --beacon-value FILE.")
            return _result(args, shown=shown)
        typed = DIGITS.fullmatch(args.beacon_value) and not Path(args.beacon_value).is_file()
        value = read_round(args.beacon_value.encode() if typed else content_of(args.beacon_value), beacon.round)
    transcript = files.finished(draw.attempt, value, listed.voids)
    keep(writable(args.output), transcript.to_json(), secret=True)
    if agreement.way == SEED:
        tell("A person who has this file knows all decks: before play it must not leave this device.")
        tell("Publish its digest now, and the file after play. All who saw every secret can work out the decks, too.")
    result: dict[str, object] = {"shown": shown, "result": transcript.drawn.code, "digest": transcript.digest}
    if agreement.way == PRODUCT:
        decks = [transcript.drawn.hands(deck) for deck in range(agreement.decks)]
        in_words = {f"deck {number}": hands_text(hands) for number, hands in enumerate(decks, 1)}
        result |= {"decks": decks} if args.json else in_words
    return _result(args, FINE, **result)


def hands_text(hands: Sequence[Sequence[str]]) -> str:
    """Return the hands that a deck was dealt into as text; a whole deck top first."""
    between = ", " if any(" " in name for hand in hands for name in hand) else " "
    return " | ".join(map(between.join, hands))


def _collected(args: Namespace, listed: files.CommitmentList) -> Draw:
    draw, came = Draw(listed.agreement, collects=True), dict[str, str]()
    for person, commitment in enumerate(listed.listed.commitments):
        draw.take_commitment(person, commitment)
    every = [(file, read_file(file, files.read_shown)) for file in args.shown]
    if every or args.played:
        _play(args, draw)
    for file, shown in every:
        with naming(file):
            draw.take_own(_first_from(draw.agreement, shown.person, file, came), shown.own, shown.listed)
    return draw


def _void(args: Namespace, listed: files.CommitmentList, draw: Draw) -> int:
    """Declare an attempt void in which somebody showed nothing."""
    number = listed.agreement.attempt
    if args.void is None:
        remedy = f", or declare attempt {number} void with --void void.json"
        told = remedy if draw.can_be_void else "; this draw was played, so it cannot become void"
        raise FairdeckError(f"secrets are missing from {draw.missing}: wait for them{told}")
    void = draw.void()
    keep(writable(args.void), files.write_void([*listed.voids, void]))
    tell(f"Attempt {number} is void. Publish the record.")
    tell(f"Announce the next attempt with --after {args.void}.")
    return _result(args, code=DOES_NOT_HOLD, void=number, missing=list(void.missing))


# --- what several steps need


def _result_arguments(parser: ArgumentParser, file: str = "") -> None:
    """Declare the file that a step writes, if it is called `file`, and --json."""
    if file:
        default = None if "NAME" in file else file
        shown = f"the file to write (default: {file})"
        parser.add_argument("-o", "--output", metavar="FILE.json", default=default, help=shown)
    json_argument(parser, "fairdeck-step/1", fields="step, and the digests, codes and names that the step prints")


def _played_argument(parser: ArgumentParser) -> None:
    options(parser, {"--played": "with --way product: play is over, and the cards may be known"})


def _play(args: Namespace, draw: Draw) -> None:
    """Let play be over, if that is said; in the way ``product`` it must be before anything is shown."""
    if args.played:
        draw.play()
    elif draw.agreement.way == PRODUCT:
        raise FairdeckError(f"{SAYS['tooEarly']} with --played")


def _demand_published(option: str, published: str | None, digest: bytes) -> None:
    settings.demand_digest(option, published)
    if published is not None and published.lower() != digest.hex():
        raise FairdeckError(f"{option}: the digest of this file is {digest.hex()}, so it is not what was published")


def _first_from(agreement: Agreement, person: str, file: str, came: dict[str, str]) -> int:
    """Return the index of a person from whom no file came before; `came` has the files that did."""
    if person in came:
        raise FairdeckError(
            f"{person} is there twice, in {came[person]} and in {file}: leave out one; if they differ, ask {person}"
        )
    came[person] = file
    return agreement.index(person)


def _result(args: Namespace, code: int = FINE, **result: object) -> int:
    if args.json:
        print(json.dumps({"format": "fairdeck-step/1", "step": args.step, **result}, ensure_ascii=False))
    else:
        for name, value in result.items():
            print(f"{name}: {', '.join(value) if isinstance(value, list) else value}")
    return code
