"""Draw with others: nobody chooses the order, or nobody knows it.

Everybody's device draws a secret and first sends only a commitment to it (a hash). When all have all commitments, they
show their secrets, and the order comes from all of them: if one person is honest, nobody can choose it. Or (--way
product) each person deals by an order of their own, one after the other, and the orders are shown after play: a person
who lacks one of them knows nothing about the cards.

With a number of cards, the draw is made in this terminal. The person who begins names the deck and the people, and
sends the messages that the program shows; the others answer with theirs. Messages are texts such as `T1-C-0000-...`:
send them by any chat, read them aloud, or use the page `together` on a phone, which reads and writes the same ones.

For a tournament, people exchange files. The organiser announces what is agreed on (announce). Everybody sends a
commitment (join). The organiser sends the list of all commitments (list). In the way `product` everybody deals now
(deal). Then all show what is theirs (show). The organiser ends the draw (finish); in the way `seed` the decks are dealt
now (deal). Everybody can check it afterwards, with `fairdeck verify transcript.json`.

A message or file that does not fit is refused and changes nothing. No file of a draw is ever replaced by another one,
and each step after the announcement can be repeated. Exit code 1: the attempt is void (finish --void).
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from inspect import cleandoc

from fairdeck.cli import trust_steps, trust_terminal

DRAW = "draw"  # the step that a line without a step's name means
STEPS: dict[str, tuple[Callable[[ArgumentParser], None], Callable[[Namespace], int]]] = {
    DRAW: (trust_terminal.draw_arguments, trust_terminal.draw),
    "announce": (trust_steps.announce_arguments, trust_steps.announce),
    "join": (trust_steps.join_arguments, trust_steps.join),
    "list": (trust_steps.list_arguments, trust_steps.list_commitments),
    "deal": (trust_steps.deal_arguments, trust_steps.deal),
    "show": (trust_steps.show_arguments, trust_steps.show),
    "finish": (trust_steps.finish_arguments, trust_steps.finish),
}

EXAMPLES = {
    "fairdeck together 60 --people Ann,Ben,Cem": "Ann begins, in this terminal",
    "fairdeck together --join - --as Ben": "Ben joins, and is asked for Ann's message",
    "fairdeck together draw 52 --people Ann,Ben --way product": "Ann deals, then Ben: nobody knows the result",
    "fairdeck together announce --cards 52 --people Ann,Ben --decks 36": "36 decks, drawn by two people with files",
    "fairdeck together join announcement.json --as Ben": "Ben.commitment.json and Ben.own.json",
    "fairdeck together list announcement.json Ann.commitment.json Ben.commitment.json": "the list of all commitments",
    "fairdeck together show list.json Ben.own.json": "Ben shows the secret: Ben.shown.json",
    "fairdeck together finish list.json Ann.shown.json Ben.shown.json": "transcript.json",
    "fairdeck together deal transcript.json --deck 3": "deal one of the decks",
}


def arguments(parser: ArgumentParser) -> None:
    steps = parser.add_subparsers(
        title="steps (draw, if none is named)", help="each has --help", dest="step", metavar="STEP", required=True
    )
    parser.set_defaults(usual_step=DRAW)
    for name, (declare, act) in STEPS.items():
        about = (act.__doc__ or "").strip()
        made = steps.add_parser(name, help=about.partition("\n")[0], description=cleandoc(about), allow_abbrev=False)
        made.set_defaults(act=act)
        declare(made)


def run(args: Namespace) -> int:
    code: int = args.act(args)
    return code
