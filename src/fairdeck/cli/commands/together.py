"""Draw an order with others; if one is honest, nobody can choose it.

Everybody's device draws a secret and first sends only a commitment to it (a hash). Then all show their secrets, and the
order comes from all of them. The person who begins names the deck and the people, and sends the messages that the
program shows; the others answer with theirs. Messages are texts such as `T1-C-0000-0ENK-...`: send them by any chat,
read them aloud, or use the page `together` on a phone, which reads and writes the same ones. Case, blanks and hyphens
do not matter.

A message that does not fit is refused and changes nothing. If somebody does not answer, the person who began declares
the draw void, and the next attempt has a number. The dialogue is on standard error, the deal on standard output.
Nothing is kept: if you stop the program, you leave the draw.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from fairdeck.cli.outputs import output_arguments, outputs_from
from fairdeck.cli.settings import MAT, goal_argument, labels_argument, mat_from, unless_set
from fairdeck.dealing.messages import (
    Message,
    commitment_message,
    invitation,
    list_message,
    read_commitment,
    read_invitation,
    read_list,
    read_message,
    read_secret,
    read_secrets,
    secret_message,
    secrets_message,
)
from fairdeck.dealing.together import SECRET, SESSION, Agreement, Drawn, Sealed
from fairdeck.deals import Deal, task_of
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.randomness import random_integers, system_bytes

VOID = "void"
Answer = TypeVar("Answer")


EXAMPLES = {
    "fairdeck together 60 --people Ann,Ben,Cem": "Ann begins",
    "fairdeck together --join - --as Ben": "Ben joins, and is asked for Ann's message",
    "fairdeck together 52 --people Ann,Ben --goal hands:2x26 --follow": "and deal by this terminal",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "cards", metavar="CARDS", nargs="?", help="cards in the deck, 1 to 10,000; leave it out with --join"
    )
    begin = parser.add_argument_group("to begin a draw")
    begin.add_argument(
        "--people",
        metavar="A,B,...",
        help="who draws, 2 to 60 different names, your own first; required, without --join",
    )
    begin.add_argument("--mat", metavar="CxR", help=f"columns x rows of the mat {unless_set(MAT)}")
    labels_argument(begin)
    goal_argument(begin, None)
    begin.add_argument("--dealers", metavar="N", help="people who deal at once, 1 to 4 (default: 1)")
    begin.add_argument(
        "--note", metavar="TEXT", help="what the draw is for, one line of up to 200 letters; everybody sees it"
    )
    join = parser.add_argument_group("to join a draw")
    join.add_argument("--join", metavar="MESSAGE", help="take part: the invitation, T1-A-...; -: ask for it")
    join.add_argument("--as", dest="name", metavar="NAME", help="who you are (default: you are asked)")
    join.add_argument("--deck", metavar="N", help="which deck to deal, if many are drawn (default: 1)")
    output_arguments(parser, booklet=False)


def run(args: Namespace) -> int:
    _demand_one_way(args)
    if args.join is None:
        agreement, me = _begun(args), 0
    else:
        agreement = _joined(args)
        me = _who(args, agreement)
    deck = whole("deck", args.deck or "1", 1, agreement.decks) - 1
    outputs = outputs_from(args, agreement.task)
    drawn = _collect(agreement) if args.join is None else _answer(agreement, me)
    _say(f"\nThe order is drawn. Compare this code aloud; all must have the same:\n\n    {drawn.code}\n")
    _say("If a code differs, do not deal. All devices that took part can work out the order.\n")
    plan, order = drawn.plan(deck), drawn.order(deck)
    return outputs.write([Deal(agreement.task, plan, order, random_integers())])


def _demand_one_way(args: Namespace) -> None:
    begins = ("cards", "people", "mat", "labels", "goal", "dealers", "note")
    if args.join is None:
        if args.cards is None or args.people is None:
            raise FairdeckError("say how many cards and who draws, such as: fairdeck together 60 --people Ann,Ben")
        for name in ("name", "deck"):
            if getattr(args, name) is not None:
                raise FairdeckError(f"--{'as' if name == 'name' else name} works only with --join")
    elif given := [name for name in begins if getattr(args, name) is not None]:
        raise FairdeckError(f"--join takes {given[0]} from the invitation: leave it out")


def _begun(args: Namespace) -> Agreement:
    task = task_of(args.cards, mat_from(args), args.goal or "deck", labels=args.labels, dealers=args.dealers or 1)
    people = tuple(" ".join(name.split()) for name in args.people.split(","))
    return Agreement(task, people, system_bytes(SESSION), note=args.note or "")


def _joined(args: Namespace) -> Agreement:
    text = args.join
    if text == "-":
        text = _line("Paste the invitation: ")
    agreement = read_invitation(text)
    if agreement.beacon:
        raise FairdeckError("this draw uses a public beacon: take part with fairdeck ceremony")
    _say(_agreed(agreement))
    return agreement


def _who(args: Namespace, agreement: Agreement) -> int:
    if args.name is not None:
        return agreement.index(args.name)
    return _asked(f"Who are you? ({', '.join(agreement.people)}) ", agreement.index)


def _agreed(agreement: Agreement) -> str:
    task = agreement.task
    lines = [f"{task.cards} cards on a {task.mat} mat, goal {task.goal}; drawn by {', '.join(agreement.people)}."]
    if agreement.attempt > 1:
        lines.append(f"Attempt {agreement.attempt}: the one before is void.")
    if agreement.decks > 1:
        lines.append(f"{agreement.decks} decks.")
    return "\n".join([*lines, agreement.note] if agreement.note else lines)


@dataclass
class Gathered:
    """What one kind of message has brought so far, by person; a second, different one of a person is refused."""

    people: tuple[str, ...]
    got: dict[int, bytes] = field(default_factory=dict)

    def take(self, person: int, content: bytes) -> None:
        """Keep what a person sent.

        Raises:
            FairdeckError: it differs from what this person sent before.
        """
        if self.got.setdefault(person, content) != content:
            name = self.people[person]
            raise FairdeckError(
                f"another message of {name} came before, and this one is not taken: ask {name} which is theirs; if "
                f"this one is, type {VOID}"
            )

    @property
    def missing(self) -> str:
        """The names of those who have not sent theirs."""
        return ", ".join(name for person, name in enumerate(self.people) if person not in self.got)

    def all(self) -> tuple[bytes, ...]:
        """Return everybody's, in the order of the people; empty for each person who has not sent theirs."""
        return tuple(self.got.get(person, b"") for person in range(len(self.people)))


class Void(Exception):
    """Somebody does not answer: the next attempt begins."""


def _collect(agreement: Agreement) -> Drawn:
    """Draw as the one who began: send the invitation, the list and all secrets, and gather the answers."""
    while True:
        committed, shown = Gathered(agreement.people), Gathered(agreement.people)
        try:
            return _attempt(agreement, committed, shown)
        except Void as void:
            _say(f"\nAttempt {agreement.attempt} is void. Missing: {void}. Everybody begins again:")
            before = agreement.named_void(committed.all(), shown.all())
            agreement = agreement.again(system_bytes(SESSION), before)


def _attempt(agreement: Agreement, committed: Gathered, shown: Gathered) -> Drawn:
    secret = system_bytes(SECRET)
    _say(_agreed(agreement))
    _send("Send everybody this invitation", invitation(agreement))
    committed.take(0, agreement.commitment(0, secret))
    while committed.missing:
        asked = f"Commitments are missing from {committed.missing}"
        _ask(asked, lambda message: _committed_by(agreement, message, committed), committed)
    sealed = Sealed(agreement, committed.all())
    _send("All have committed. Send everybody this list", list_message(sealed))
    shown.take(0, secret)
    while shown.missing:
        _ask(f"Secrets are missing from {shown.missing}", lambda message: _shown_by(sealed, message, shown), shown)
    _send("Send everybody all secrets", secrets_message(sealed, shown.all()))
    return Drawn(sealed, shown.all())


def _committed_by(agreement: Agreement, message: Message, committed: Gathered) -> None:
    person, commitment = read_commitment(agreement, message)
    for other, theirs in committed.got.items():
        if other != person and theirs == commitment:
            raise FairdeckError(
                f"{agreement.people[person]} sent the same commitment as {agreement.people[other]}: a copy, not taken"
            )
    committed.take(person, commitment)


def _shown_by(sealed: Sealed, message: Message, shown: Gathered) -> None:
    shown.take(*read_secret(sealed, message))


class Again(Exception):
    """The draw is void, and this is the invitation to the next attempt."""

    def __init__(self, agreement: Agreement) -> None:
        self.agreement = agreement


def _answer(agreement: Agreement, me: int) -> Drawn:
    """Draw as one who was invited, and again if an attempt is void."""
    while True:
        try:
            return _commit_and_show(agreement, me)
        except Again as again:
            agreement = again.agreement
            _say(_agreed(agreement))


def _commit_and_show(agreement: Agreement, me: int) -> Drawn:
    """Commit to a secret, see the commitment in the list, and show the secret."""
    secret, first = system_bytes(SECRET), agreement.people[0]
    commitment = agreement.commitment(me, secret)
    _send(f"Send {first} your commitment", commitment_message(agreement, me, commitment))
    sealed = _asked(f"Paste the list that {first} sends: ", lambda text: _list_with(agreement, text, me, commitment))
    _send(f"Your commitment is in the list. Send {first} your secret now", secret_message(sealed, me, secret))
    return _asked(
        f"Paste all secrets that {first} sends: ",
        lambda text: Drawn(sealed, read_secrets(sealed, _heard(agreement, text))),
    )


def _heard(agreement: Agreement, text: str) -> Message:
    """Read a message; an invitation to the next attempt ends this one.

    Raises:
        Again: it is such an invitation.
        FairdeckError: it is no message, or an invitation that changes what was agreed on.
    """
    message = read_message(text)
    if message.kind == "A":
        invited = read_invitation(text)
        if agreement.is_next(invited):
            raise Again(invited)
        if invited.before[: len(agreement.digest)] == agreement.digest:
            raise FairdeckError(
                f"this invitation changes more than the number of the attempt, which must be {agreement.attempt + 1}: "
                "leave this draw (Ctrl-C), and join again if you agree"
            )
    return message


def _list_with(agreement: Agreement, text: str, me: int, commitment: bytes) -> Sealed:
    sealed = read_list(agreement, _heard(agreement, text))
    if sealed.commitments[me] != commitment:
        raise FairdeckError(
            "this list has another commitment for you, and is not taken: ask for the right list, or for the next "
            "attempt"
        )
    return sealed


def _ask(what: str, take: Callable[[Message], None], gathered: Gathered) -> None:
    line = _line(f"{what}. Paste a message, or type {VOID}: ")
    if line == VOID:
        raise Void(gathered.missing)
    try:
        take(read_message(line))
    except FairdeckError as error:
        _say(f"  {error}")


def _asked(question: str, read: Callable[[str], Answer]) -> Answer:
    while True:
        try:
            return read(_line(question))
        except FairdeckError as error:
            if isinstance(error, Ended):
                raise
            _say(f"  {error}")


class Ended(FairdeckError):
    """Nobody types any more."""


def _line(question: str) -> str:
    print(question, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline() if sys.stdin else ""
    if not line:
        _say("")
        raise Ended("the draw was not finished: nothing is kept, so everybody begins again")
    return line.strip()


def _send(what: str, message: str) -> None:
    _say(f"\n{what}:\n\n{message}\n")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
