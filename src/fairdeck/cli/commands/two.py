"""Deal a deck by two people, so that neither knows the result.

Each person's device draws its own order: `two first` and `two second`. Person 1 deals the deck by the first order, then
person 2 deals it by the second, and neither may watch the other deal. A person who lacks one of the two orders knows
nothing about the result. With `--keep` and `--session`, the order is kept for an audit, and the command prints a
commitment to it, `T2-C-...`, to standard error. Both people exchange these before they deal.

After play, `two audit` reads both orders (files, or the messages `T2-R-...`), and says which card lay where. Exit
code 1: the cards that were found differ.
"""

import json
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from fairdeck.cli.card_lists import card_list, note_names
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.files import decoded, read, writable, write_new
from fairdeck.cli.outputs import output_arguments, outputs_from
from fairdeck.cli.settings import MAT, labels_argument, mat_from, unless_set
from fairdeck.dealing.cards import FRENCH, numbered_deck, read_cards
from fairdeck.dealing.goal import deck_size, parse_goal
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.two_deals import (
    FIRST,
    MARK,
    SALT,
    SECOND,
    SESSION,
    CommittedOrder,
    audited,
    commitment_message,
    in_short,
    order_message,
    read_commitment,
    read_order,
    session_named,
    session_shown,
    task_for,
)
from fairdeck.deals import NUMBERED, SORTED, Deal
from fairdeck.errors import FairdeckError
from fairdeck.permutation import arrange
from fairdeck.randomness import random_integers, system_bytes, uniform_permutation

PERSONS = {"first": FIRST, "second": SECOND}
AUDIT = "audit"
OF_A_DEAL = ("mat", "labels", "goal", "keep")
OF_AN_AUDIT = ("commitments", "start", "played")
LARGEST = 1 << 26  # bytes of a file
SHOWN = 5  # cards that differ
LONGEST_NAME = 255  # letters of a file's name
THERE = "{!r} is there already: keep this order in a new file"
A_MESSAGE = re.compile(rf"(\S+#)?{MARK}[\s-]*[CR]", re.I)  # or a link with one


EXAMPLES = {
    'fairdeck two first 52 --keep first.txt --session "1 December"': "Ann's deal; her order is kept for the audit",
    'fairdeck two second 52 --goal hands:4x13 --keep second.txt --session "1 December"': "Ben's deal makes four hands",
    "fairdeck two audit first.txt second.txt --start sorted": "after play: which card lay where",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "what", choices=[*PERSONS, AUDIT], help="deal first, deal second, or check both deals after play"
    )
    parser.add_argument(
        "values", nargs="*", metavar="CARDS | FIRST SECOND", help="cards in the deck; or both orders: files or messages"
    )
    deal = parser.add_argument_group("the deal")
    deal.add_argument(
        "--keep",
        metavar="FILE",
        help="keep the order in a new file for you only, to show it after play (default: the order is not kept)",
    )
    deal.add_argument(
        "--session",
        metavar="TEXT",
        help="with --keep, and required there: a text that names this deal and no other, the same on both devices; an "
        "audit refuses orders of two sessions, or of another session than this",
    )
    deal.add_argument("--mat", metavar="CxR", help=f"columns x rows of the mat {unless_set(MAT)}")
    labels_argument(deal)
    deal.add_argument(
        "--goal",
        metavar="GOAL",
        help="of the second deal: deck (default), or hands without a stock, such as hands:4x13; the heights of other "
        "piles would tell something",
    )
    audit = parser.add_argument_group("with audit")
    audit.add_argument(
        "--commitments",
        nargs=2,
        metavar="MESSAGE",
        help="the commitments to the first and to the second order, as they were exchanged before the deals",
    )
    audit.add_argument(
        "--start",
        metavar="FILE",
        help=f"the names of the cards as they lay before the first deal, top first; {SORTED} or {NUMBERED} (default: "
        "numbers from the top)",
    )
    audit.add_argument(
        "--played", metavar="FILE", help="the cards as they were found, top first; or the hands, the first hand first"
    )
    screen = parser.add_argument_group("on the screen")
    output_arguments(
        parser,
        booklet=False,
        shown=screen,
        also="; with audit fairdeck-audit/1: cards, goal, session, committed, order (top first), holds (null without "
        "--played), differs",
    )


def run(args: Namespace) -> int:
    _refuse_what_would_be_ignored(args)
    return _audit(args) if args.what == AUDIT else _deal(args)


def _refuse_what_would_be_ignored(args: Namespace) -> None:
    for option in OF_A_DEAL if args.what == AUDIT else OF_AN_AUDIT:
        if getattr(args, option) is not None:
            raise FairdeckError(f"--{option} does not belong to 'two {args.what}': leave it out")
    wanted = 2 if args.what == AUDIT else 1
    if len(args.values) != wanted:
        example = "two audit first.txt second.txt" if wanted == 2 else f"two {args.what} 52 --keep mine.txt"
        raise FairdeckError(f"{len(args.values)} values for 'two {args.what}': write it as in fairdeck {example}")


def _deal(args: Namespace) -> int:
    """Draw an order, say the commitment to it, and put out its deal."""
    person, cards = PERSONS[args.what], deck_size(args.values[0])
    mat = Mat.parse(mat_from(args), args.labels)
    task = task_for(person, cards, mat, parse_goal(args.goal or "deck", cards))
    outputs = outputs_from(args, task)
    session = _session(args)
    kept = None if args.keep is None else writable(args.keep)
    if kept is not None and kept.exists():
        raise FairdeckError(THERE.format(args.keep))
    integers = random_integers()
    drawn = CommittedOrder(person, task, uniform_permutation(cards, integers), system_bytes(SALT), session)
    if kept is None:
        _tell(
            "note: the order is not kept, so nobody can check the deal afterwards; --keep FILE --session TEXT keeps it"
        )
    elif not write_new(kept, order_message(drawn) + "\n", secret=True):
        raise FairdeckError(THERE.format(args.keep))
    else:
        _tell("Send this commitment to the other person before you deal:", "", commitment_message(drawn), "")
        _tell(session_shown(session), f"wrote {kept}: your order; show it to nobody before play is over")
    _tell("Nobody else may see this deal: neither the screen, nor the list, nor your hands.\n")
    return outputs.write([Deal(task, drawn.plan, drawn.arrangement, integers)])


def _session(args: Namespace) -> bytes:
    """Return the session that an order is kept for; zeros if it is not kept, and so never shown."""
    if (args.keep is None) != (args.session is None):
        raise FairdeckError(
            "--keep and --session go together: name the file, and this deal by a new text that both people type, such "
            'as --session "club 1 December, table 2"'
        )
    return bytes(SESSION) if args.session is None else session_named(args.session)


def _tell(*lines: str) -> None:
    print(*lines, sep="\n", file=sys.stderr)


def _audit(args: Namespace) -> int:
    """Multiply both orders, and compare with what was found."""
    first, second = (_order(value) for value in args.values)
    result = audited(first, second)
    if args.session is not None and first.session != session_named(args.session):
        raise FairdeckError(f"--session {args.session!r}: these orders were drawn for another session")
    for text, order in zip(args.commitments or (), (first, second), strict=False):
        _demand_committed(text, order)
    names = _start(args, first.task.cards)
    ends = tuple(reversed(arrange(result, names[::-1])))  # top first, as people read a deck
    sizes = second.task.goal.piles or (first.task.cards,)
    found = _played(args, names, ends, sizes)
    if args.json:
        told = {
            "format": "fairdeck-audit/1",
            "cards": first.task.cards,
            "goal": str(second.task.goal),
            "session": first.session.hex(),
            "committed": bool(args.commitments),
            "order": ends,
        }
        print(json.dumps(told | {"holds": None if found is None else not found, "differs": found}, ensure_ascii=False))
    else:
        print(f"Both orders are of session {in_short(first.session)}.")
        print(*_lines(ends, sizes, bool(args.commitments), found), sep="\n")
    return DOES_NOT_HOLD if found else FINE


def _order(value: str) -> CommittedOrder:
    """Return the order that a message shows, or a file with one."""
    if not A_MESSAGE.match(value) or (len(value) <= LONGEST_NAME and Path(value).is_file()):
        value = decoded(read(value, LARGEST, "name the file of --keep, or paste the message T2-R-..."), "replace")
    return read_order(value)


def _demand_committed(text: str, order: CommittedOrder) -> None:
    session, person, commitment = read_commitment(text)
    name = "first" if order.person == FIRST else "second"
    if person != order.person:
        raise FairdeckError("--commitments: give that of the first person, then that of the second")
    if session != order.session:
        raise FairdeckError(f"the commitment to the {name} order is of another session: name the one of this deal")
    if commitment != order.commitment:
        raise FairdeckError(
            f"the {name} order is not the one that was committed to: another order was dealt, or is shown now"
        )


def _start(args: Namespace, cards: int) -> tuple[str, ...]:
    if args.start is None:
        return numbered_deck(cards)
    if args.start == SORTED:
        names = FRENCH if cards == len(FRENCH) else numbered_deck(cards)
    else:
        names = numbered_deck(cards) if args.start == NUMBERED else read_cards(card_list(args.start, "start"), "start")
        note_names("start", names)
    if len(names) != cards:
        raise FairdeckError(f"--start {args.start!r} names {len(names)} cards; the deals have {cards}")
    return names


def _played(args: Namespace, names: Sequence[str], ends: Sequence[str], sizes: Sequence[int]) -> list[str] | None:
    """Return what differs from the cards that were found; None if nothing was found."""
    if args.played is None:
        return None
    played, at, differs = read_cards(card_list(args.played, "played"), "played", names), 0, []
    for number, size in enumerate(sizes, 1):
        wanted, seen = ends[at : at + size], played[at : at + size]
        at += size
        if len(sizes) > 1:
            differs += [f"{card} is in hand {number}, but should not be" for card in sorted(set(seen) - set(wanted))]
        else:
            places = enumerate(zip(wanted, seen, strict=True), 1)
            differs += [
                f"place {place} from the top: {had}, expected {card}" for place, (card, had) in places if had != card
            ]
    return differs


def _lines(ends: Sequence[str], sizes: Sequence[int], committed: bool, differs: list[str] | None) -> Iterator[str]:
    yield (
        "Both orders fit their commitments."
        if committed
        else "No commitments were compared: --commitments compares them."
    )
    between = ", " if any(" " in name for name in ends) else " "
    at = 0
    for number, size in enumerate(sizes, 1):
        title = f"Hand {number}" if len(sizes) > 1 else "The deck after both deals, top first"
        yield f"{title}: {between.join(ends[at : at + size])}"
        at += size
    if differs:
        yield f"The cards that were found differ in {len(differs)} places; a slip in a deal, or another order:"
        yield from (f"  {each}" for each in differs[:SHOWN])
        if len(differs) > SHOWN:
            yield "  ..."
    elif differs is not None:
        yield "The cards that were found are these."
