"""A draw in this terminal, by messages that people send each other. The dialogue is on standard error."""

import sys
from argparse import ArgumentParser, Namespace

from fairdeck.cli.arguments import options
from fairdeck.cli.files import writable
from fairdeck.cli.outputs import Outputs, output_arguments, outputs_from
from fairdeck.cli.streams import tell
from fairdeck.cli.trust_files import keep
from fairdeck.cli.trust_steps import agreed_lines, agreement_from, deal_order, hands_text, terms_arguments
from fairdeck.errors import FairdeckError
from fairdeck.randomness import random_integers, system_bytes
from fairdeck.trust import messages
from fairdeck.trust.agreement import PRODUCT, SESSION, Agreement
from fairdeck.trust.draws import SECRET, Attempt, Drawn, orders_in, own_drawn
from fairdeck.trust.files import Transcript
from fairdeck.trust.states import COMMITTED, LISTED, OVER, Draw

VOID, PLAYED = "void", "played"
BEGINS = ("cards", "people", "mat", "last_mat", "labels", "goal", "dealers", "classic", "note", "transcript")


def draw_arguments(parser: ArgumentParser) -> None:
    """Declare how a draw in the terminal begins, or is joined."""
    options(parser, {"cards? CARDS": "cards in the deck, 1 to 10,000; leave it out with --join"})
    begin = parser.add_argument_group("to begin a draw")
    people = "who draws, 2 to 60 different names, your own first; required, without --join"
    terms_arguments(begin, begin, people, required=False)
    options(begin, {"--transcript FILE.json": "at the end write the transcript, which fairdeck verify checks"})
    join = parser.add_argument_group("to join a draw")
    join.add_argument("--join", metavar="MESSAGE", help="take part: the invitation, T1-A-...; -: ask for it")
    join.add_argument("--as", dest="name", metavar="NAME", help="who you are (default: you are asked)")
    output_arguments(parser, booklet=False)


def draw(args: Namespace) -> int:
    """Draw in this terminal, by messages.

    The dialogue is on standard error, the deal on standard output. Nothing is kept: if you stop the program, you leave
    the draw. If somebody does not answer, the person who began types `void`, and the next attempt has a number.
    """
    _demand_one_way(args)
    if args.join is None:
        agreement, me = agreement_from(args, args.cards), 0
    else:
        agreement = _invited(_line("Paste the invitation: ") if args.join == "-" else args.join)
        me = _asked(agreement) if args.name is None else agreement.index(args.name)
    transcript = None if args.transcript is None else writable(args.transcript)
    product = agreement.way == PRODUCT
    outputs = outputs_from(args, agreement.deals[me if product else 0])
    tell("\n".join(agreed_lines(agreement)))
    ended, voids = _drawn(agreement, me, collects=args.join is None, outputs=outputs)
    drawn = Drawn(ended.attempt)
    if transcript:
        keep(transcript, Transcript(drawn, voids=tuple(voids)).to_json(), secret=True)
    if product:
        tell(f"\nAfter all deals, top first: {hands_text(drawn.hands())}")
        tell(f"Compare this code aloud; all must have the same:\n\n    {drawn.code}\n")
        return 0
    tell(f"\nThe order is drawn. Compare this code aloud; all must have the same:\n\n    {drawn.code}\n")
    tell("If a code differs, do not deal. All devices that took part can work out the order.\n")
    return deal_order(outputs, drawn.agreement.deals[0], drawn.order())


def _demand_one_way(args: Namespace) -> None:
    if args.join is None:
        if args.cards is None or args.people is None:
            raise FairdeckError("say how many cards and who draws, such as: fairdeck together 60 --people Ann,Ben")
        if args.name is not None:
            raise FairdeckError("--as works only with --join")
    elif given := [name for name in BEGINS if getattr(args, name)]:
        raise FairdeckError(f"--join takes {given[0].replace('_', '-')} from the invitation: leave it out")


def _invited(text: str) -> Agreement:
    """Return the agreement of an invitation, if this dialogue can take part in it."""
    agreement = messages.demand_announcement(text)
    if agreement.beacon or agreement.decks > 1:
        raise FairdeckError("this draw has a public beacon or many decks: take part with fairdeck together join")
    return agreement


class Again(Exception):
    """This attempt is void, and there is a next one."""

    def __init__(self, agreement: Agreement, void: Attempt | None = None) -> None:
        self.agreement, self.void = agreement, void


def _drawn(agreement: Agreement, me: int, *, collects: bool, outputs: Outputs) -> tuple[Draw, list[Attempt]]:
    """Draw, and again while an attempt is void; return the draw, and the void attempts that this device knows."""
    voids: list[Attempt] = []
    while True:
        own = own_drawn(agreement, me, system_bytes(SECRET), random_integers())
        draw = Draw(agreement, me, own, collects=collects)
        try:
            _commit(draw)
            if agreement.way == PRODUCT:
                _play(draw, outputs)
            _show(draw)
        except Again as again:
            agreement = again.agreement
            voids += [again.void] if again.void else []
            tell("\n".join(agreed_lines(agreement)))
        else:
            return draw, voids


def _commit(draw: Draw) -> None:
    agreement, first = draw.agreement, draw.agreement.people[0]
    if draw.collects:
        _send("Send everybody this invitation", messages.announcement_message(agreement))
        while draw.state == COMMITTED:
            _take(draw, f"Commitments are missing from {draw.missing}")
        _send("All have committed. Send everybody this list", messages.list_message(draw.attempt))
        return
    _send(f"Send {first} your commitment", messages.commitment_message(agreement, draw.me, draw.commitments[draw.me]))
    while draw.state == COMMITTED:
        _take(draw, f"The list that {first} sends comes next")


def _play(draw: Draw, outputs: Outputs) -> None:
    """Deal by this person's own order, and wait until play is over."""
    people = draw.agreement.people
    when = "You deal first" if draw.me == 0 else f"You deal after {people[draw.me - 1]}"
    tell(f"{when}, and nobody else may see it: neither the screen, nor the list, nor your hands.\n")
    order = orders_in(draw.agreement, draw.me, draw.own)[0]
    deal_order(outputs, draw.agreement.deals[draw.me], order)
    while draw.state == LISTED:
        _take(draw, f"When play is over, type {PLAYED}; then all show their orders")


def _show(draw: Draw) -> None:
    first = draw.agreement.people[0]
    if draw.collects:
        while draw.state != OVER:
            _take(draw, f"Secrets are missing from {draw.missing}")
        _send("Send everybody all secrets", messages.all_shown_message(draw.attempt))
        return
    message = messages.shown_message(draw.attempt, draw.me, draw.show())
    _send(f"Your commitment is in the list. Send {first} your secret now", message)
    while draw.state != OVER:
        _take(draw, f"All secrets that {first} sends come next")


def _take(draw: Draw, what: str) -> None:
    """Ask for a message, and let the draw take it; say why not."""
    words = f", or type {VOID}" if draw.collects and draw.can_be_void else ""
    line = _line(f"{what}. Paste a message{words}: ")
    try:
        if line == VOID and draw.collects:
            void = draw.void()
            tell(f"\nAttempt {draw.agreement.attempt} is void. Missing: {draw.missing}. Everybody begins again:")
            raise Again(draw.agreement.again(system_bytes(SESSION), void.named), void)
        if line == PLAYED:
            draw.play()
        elif messages.take_message(draw, line) == "A":
            raise Again(_invited(line))
    except FairdeckError as error:
        tell(f"  {error}")


def _asked(agreement: Agreement) -> int:
    """Ask who this is, until it is one of the people, and return the index."""
    while True:
        name = _line(f"Who are you? ({', '.join(agreement.people)}) ")
        try:
            return agreement.index(name)
        except FairdeckError as error:
            tell(f"  {error}")


def _line(question: str) -> str:
    print(question, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline() if sys.stdin else ""
    if not line:
        tell("")
        raise FairdeckError("the draw was not finished: nothing is kept, so everybody begins again")
    return line.strip()


def _send(what: str, message: str) -> None:
    tell(f"\n{what}:\n\n{message}\n")
