"""Draw decks for a tournament by files that people exchange.

If one of the people is honest, nobody can choose the orders. The organiser announces what is agreed on (announce).
Everybody sends a commitment to a secret (join). The organiser sends the list of all commitments (seal). Now all show
their secrets (reveal). The organiser ends the draw (finish) and deals (deal). Everybody can check it afterwards, with
`fairdeck verify transcript.json`.

No file is ever replaced by another one, and each step can be repeated. Only you can read secrets, reveals and
transcripts. Exit code 1: the attempt is void (finish --void).
"""

import json
from argparse import ArgumentParser, Namespace
from inspect import cleandoc
from pathlib import Path
from time import time
from typing import Any

from fairdeck.ceremony.beacons import beacon_of, demand_later, parse_beacon
from fairdeck.ceremony.steps import (
    Announcement,
    Secret,
    finish,
    read_announcement,
    read_commitment,
    read_reveal,
    read_sealed,
    read_secret,
    read_void,
    reveal,
    seal,
    shown,
    write_void,
)
from fairdeck.ceremony.times import seconds_of, written
from fairdeck.ceremony.transcript import Transcript, Void
from fairdeck.ceremony.verifying import read_transcript
from fairdeck.cli.card_lists import note_names
from fairdeck.cli.ceremony_files import (
    beacon_value,
    file_name,
    keep,
    kept_commitment,
    kept_reveal,
    kept_secret,
    names_from,
    read_file,
    read_files,
    tell,
)
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.files import writable
from fairdeck.cli.help.formats import json_argument
from fairdeck.cli.outputs import output_arguments, outputs_from
from fairdeck.cli.settings import MAT, classic_argument, goal_argument, labels_argument, mat_from, unless_set
from fairdeck.cli.transcripts import demand_digest
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.together import (
    LONGEST_AGREEMENT,
    MOST_ATTEMPTS,
    MOST_DECKS,
    SECRET,
    SESSION,
    Agreement,
)
from fairdeck.deals import Deal, task_of
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.randomness import random_integers, system_bytes


def now() -> float:
    """Return the time of this device's clock, in seconds since 1970."""
    return time()


EXAMPLES = {
    "fairdeck ceremony announce --cards 52 --people Ann,Ben --decks 36": "36 decks, drawn by two people",
    "fairdeck ceremony join announcement.json --as Ben": "Ben.commitment.json and Ben.secret.json",
    "fairdeck ceremony seal announcement.json Ann.commitment.json Ben.commitment.json": "the list of all commitments",
    "fairdeck ceremony reveal sealed.json Ben.secret.json": "Ben shows the secret: Ben.reveal.json",
    "fairdeck ceremony finish sealed.json Ann.reveal.json Ben.reveal.json": "transcript.json",
    "fairdeck ceremony deal transcript.json --deck 3": "deal one of the decks",
}


def arguments(parser: ArgumentParser) -> None:
    steps = parser.add_subparsers(
        title="steps, in this order", help="each has --help", dest="step", metavar="STEP", required=True
    )

    def step(function: Any) -> ArgumentParser:
        about = function.__doc__.strip()
        made = steps.add_parser(
            function.__name__.strip("_"), help=about.partition("\n")[0], description=cleandoc(about), allow_abbrev=False
        )
        made.set_defaults(act=function)
        return made

    _announce_arguments(step(_announce))
    made = step(_join)
    made.add_argument("announcement", metavar="ANNOUNCEMENT", help="the announcement; - reads standard input")
    made.add_argument("--as", dest="name", metavar="NAME", required=True, help="who you are, as the announcement says")
    made.add_argument(
        "--announced", metavar="HEX", help="the digest that was published; any other announcement is refused"
    )
    made.add_argument(
        "--folder",
        metavar="FOLDER",
        default=".",
        help="where NAME.commitment.json and NAME.secret.json go (default: here)",
    )
    _json_argument(made)
    made = step(_seal)
    made.add_argument("announcement", metavar="ANNOUNCEMENT", help="the announcement")
    made.add_argument("commitments", metavar="COMMITMENT", nargs="+", help="everybody's commitments")
    _output_argument(made, "sealed.json")
    _json_argument(made)
    made = step(_reveal)
    made.add_argument("sealed", metavar="SEALED", help="the list of all commitments")
    made.add_argument("secret", metavar="SECRET", help="your secret")
    made.add_argument(
        "--list", metavar="HEX", help="the digest of the list that was published; any other list is refused"
    )
    made.add_argument("-o", "--output", metavar="FILE.json", help="the file to write (default: NAME.reveal.json)")
    _json_argument(made)
    made = step(_finish)
    made.add_argument("sealed", metavar="SEALED", help="the list of all commitments")
    made.add_argument("reveals", metavar="REVEAL", nargs="*", help="everybody's secrets")
    made.add_argument(
        "--beacon-value",
        metavar="FILE",
        help="what the beacon published: a file, or its signature in hexadecimal digits",
    )
    made.add_argument(
        "--void",
        metavar="FILE",
        help="somebody does not show a secret: declare the attempt void, and write the record of that",
    )
    _output_argument(made, "transcript.json")
    _json_argument(made)
    made = step(_deal)
    made.add_argument("transcript", metavar="TRANSCRIPT", help="the transcript")
    made.add_argument("--deck", metavar="N", help="which deck, from 1 (default: the only one)")
    output_arguments(made, booklet=False)


def _announce_arguments(made: ArgumentParser) -> None:
    draw = made.add_argument_group("the draw")
    draw.add_argument("--people", metavar="A,B,...", required=True, help="who draws, 2 to 60 different names")
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
    deal = made.add_argument_group("the decks")
    deal.add_argument("--cards", metavar="N", help="cards in each deck, 1 to 10,000 (default: as many as --names has)")
    deal.add_argument("--decks", metavar="N", default="1", help=f"how many decks, 1 to {MOST_DECKS:,} (default: 1)")
    deal.add_argument(
        "--names",
        metavar="FILE",
        help="how each deck lies at the start: sorted (52 French cards), or a file that lists the cards, top first "
        "(default: numbers from the top)",
    )
    deal.add_argument("--mat", metavar="CxR", help=f"columns x rows of the mat {unless_set(MAT)}")
    labels_argument(deal)
    goal_argument(deal, "deck")
    deal.add_argument("--dealers", metavar="N", default="1", help="people who deal a deck at once, 1 to 4 (default: 1)")
    classic_argument(deal)
    _output_argument(made, "announcement.json")
    _json_argument(made)


def _output_argument(made: ArgumentParser, name: str) -> None:
    made.add_argument("-o", "--output", metavar="FILE.json", default=name, help=f"the file to write (default: {name})")


def _json_argument(made: ArgumentParser) -> None:
    json_argument(made, "fairdeck-step/1", fields="step, and the digests, codes and names that the step prints")


def run(args: Namespace) -> int:
    code: int = args.act(args)
    return code


def _announce(args: Namespace) -> int:
    """Write down what is agreed on, and print the digest to publish."""
    names = names_from(args)
    if args.cards is None and not names:
        raise FairdeckError("say how many cards each deck has, such as --cards 52, or name them with --names")
    task = task_of(
        args.cards or str(len(names)),
        mat_from(args),
        args.goal,
        labels=args.labels,
        dealers=args.dealers,
        classic=args.classic,
    )
    voids = () if args.after is None else read_file(args.after, read_void)
    if len(voids) >= MOST_ATTEMPTS:
        raise FairdeckError(f"{len(voids)} void attempts are too many: at most {MOST_ATTEMPTS - 1}")
    agreement = Agreement(
        task,
        tuple(" ".join(name.split()) for name in args.people.split(",")),
        system_bytes(SESSION),
        whole("decks", args.decks, 1, MOST_DECKS),
        names,
        len(voids) + 1,
        voids[-1].named if voids else b"",
        args.deadline or "",
        parse_beacon(args.beacon) if args.beacon else None,
        args.note,
    )
    if len(agreement.written) > LONGEST_AGREEMENT:
        raise FairdeckError(
            f"the agreement has {len(agreement.written):,} bytes, and at most {LONGEST_AGREEMENT:,} fit"
        )
    if agreement.deadline and seconds_of(agreement.deadline, "deadline") <= now():
        raise FairdeckError(f"deadline {agreement.deadline} is over: name a later time")
    demand_later(agreement)
    if voids:
        voids[-1].demand_next(agreement)
    keep(_path(args), Announcement(agreement, voids).to_json())
    if names:
        note_names("names", names[::-1])
    _tell_agreed(agreement)
    tell("Publish the digest, and send the file to all who draw.")
    return _shown(args, digest=agreement.digest.hex())


def _join(args: Namespace) -> int:
    """Draw your secret, and write the commitment that you send to the organiser."""
    agreement = read_file(args.announcement, read_announcement).agreement
    _demand_published("--announced", args.announced, agreement.digest)
    name = agreement.people[agreement.index(args.name)]
    if agreement.deadline and now() > seconds_of(agreement.deadline, "deadline"):
        raise FairdeckError(f"the deadline {agreement.deadline} is over: a commitment would not count")
    time = written(now())
    try:
        seconds_of(time, "time")
    except FairdeckError:
        raise FairdeckError(f"the clock of this device says {time}: set the clock, and join again") from None
    folder = Path(args.folder)
    secret = Secret(agreement.digest, name, system_bytes(SECRET))
    # First the secret: whenever this stops, there is no commitment without its secret, and a second call goes on.
    secret = kept_secret(folder / file_name(agreement, name, "secret"), secret)
    commitment = kept_commitment(folder / file_name(agreement, name, "commitment"), agreement, secret, time)
    _tell_agreed(agreement)
    tell("Compare the digest with the one that was published.")
    return _shown(args, digest=agreement.digest.hex(), person=name, commitment=commitment.commitment.hex())


def _seal(args: Namespace) -> int:
    """Join all commitments to one list, and print its digest."""
    announcement = read_file(args.announcement, read_announcement)
    sealed = seal(announcement, read_files(args.commitments, read_commitment))
    keep(_path(args), sealed.to_json())
    tell("Publish the digest of the list, and send the file to all who draw; then all show their secrets.")
    if announcement.agreement.deadline:
        tell("The times in commitments are what the senders' clocks said. Nothing here can prove when one was made.")
    return _shown(args, list=sealed.sealed.digest.hex())


def _reveal(args: Namespace) -> int:
    """Show your secret for the list, if your commitment is in it."""
    sealed = read_file(args.sealed, read_sealed).sealed
    _demand_published("--list", args.list, sealed.digest)
    made = reveal(sealed, read_file(args.secret, read_secret))
    agreement = sealed.agreement
    if agreement.beacon and now() >= (published := beacon_of(agreement.beacon).time(agreement.beacon.round)):
        tell(f"warning: the beacon was published at {written(published)}, so it is too late to show a secret")
    name = file_name(agreement, made.person, "reveal")
    kept_reveal(writable(args.output or name), made, Path(args.secret).with_name(name))
    tell(
        "First compare the digest of the list with the one that was published. Only if they are the same, send the file"
    )
    tell("to the organiser: a person who gets secrets for two different lists could choose the decks.")
    return _shown(args, list=sealed.digest.hex(), person=made.person)


def _finish(args: Namespace) -> int:
    """Compute the decks from all secrets, write the transcript, and print the code to compare.

    If somebody does not show a secret, --void declares the attempt void, in a record that the next announcement must
    name with --after. Then the exit code is 1.
    """
    sealed = read_file(args.sealed, read_sealed)
    secrets = shown(sealed.sealed, read_files(args.reveals, read_reveal))
    agreement = sealed.sealed.agreement
    missing = [name for name, secret in zip(agreement.people, secrets, strict=True) if not secret]
    if missing and args.void is None:
        raise FairdeckError(
            f"secrets are missing from {', '.join(missing)}: wait for them, or declare attempt {agreement.attempt} "
            "void with --void void.json"
        )
    if missing:
        keep(writable(args.void), write_void([*sealed.voids, Void(sealed.sealed, secrets)]))
        tell(f"Attempt {agreement.attempt} is void. Publish the record.")
        tell(f"Announce the next attempt with --after {args.void}.")
        return _shown(args, code=DOES_NOT_HOLD, void=agreement.attempt, missing=missing)
    if args.void is not None:
        raise FairdeckError("all have shown their secrets, so this attempt is not void: leave out --void")
    if agreement.beacon is None and args.beacon_value is not None:
        raise FairdeckError("no beacon was agreed on: leave out --beacon-value")
    value = b""
    if agreement.beacon:
        value = beacon_value(beacon_of(agreement.beacon), agreement.beacon, args.beacon_value)
    transcript = finish(sealed, secrets, value)
    keep(_path(args), transcript.to_json(), secret=True)
    tell("A person who has this file knows all orders: before play it must not leave this device.")
    tell("Publish its digest now, and the file after play. All who saw every secret can work out the orders, too.")
    return _shown(args, result=transcript.drawn.code, digest=transcript.digest)


def _deal(args: Namespace) -> int:
    """Deal one of the decks drawn; the outputs are those of fairdeck deal."""
    transcript = read_file(args.transcript, read_transcript)
    agreement = transcript.agreement
    if args.deck is None and agreement.decks > 1:
        raise FairdeckError(f"the draw has {agreement.decks} decks: say which one with --deck N")
    deck = whole("deck", args.deck or "1", 1, agreement.decks) - 1
    outputs = outputs_from(args, agreement.task)
    code = outputs.write([deal_of(transcript, deck)])
    if code == FINE and args.reveal and agreement.names and not (args.json or args.trace):
        print("\nBy name, top first:")
        print(*transcript.named_order(deck), sep=", ")
    return code


def deal_of(transcript: Transcript, deck: int) -> Deal:
    """Return the deal of one of the decks, from 0."""
    drawn = transcript.drawn
    return Deal(transcript.agreement.task, drawn.plan(deck), drawn.order(deck), random_integers())


def _demand_published(option: str, published: str | None, digest: bytes) -> None:
    demand_digest(option, published)
    if published is not None and published.lower() != digest.hex():
        raise FairdeckError(f"{option}: the digest of this file is {digest.hex()}, so it is not what was published")


def _path(args: Namespace) -> Path:
    return writable(args.output)


def _tell_agreed(agreement: Agreement) -> None:
    task, people = agreement.task, ", ".join(agreement.people)
    tell(f"{counted(agreement.decks, 'deck')} of {counted(task.cards, 'card')} on a {task.mat} mat, goal {task.goal}")
    tell(f"drawn by {people}" + (f"; commitments until {agreement.deadline}" if agreement.deadline else ""))
    if agreement.beacon:
        beacon, number = beacon_of(agreement.beacon), agreement.beacon.round
        tell(f"beacon: round {number} of {beacon.name}, published at {written(beacon.time(number))}")
    if agreement.attempt > 1:
        tell(f"attempt {agreement.attempt}: those before are void")
    if agreement.note:
        tell(agreement.note)


def _shown(args: Namespace, code: int = FINE, **result: object) -> int:
    """Print a result, and return the exit code."""
    if args.json:
        print(json.dumps({"format": "fairdeck-step/1", "step": args.step, **result}, ensure_ascii=False))
    else:
        for name, value in result.items():
            print(f"{name}: {', '.join(value) if isinstance(value, list) else value}")
    return code
