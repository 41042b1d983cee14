"""Readers of the core: plans, codes, messages, card lists, recipes, flows, boards, ceremonies."""

import json
from contextlib import suppress

from fairdeck.ceremony import steps
from fairdeck.ceremony.beacons import known, parse_beacon
from fairdeck.ceremony.documents import kind_of, read_document
from fairdeck.ceremony.verifying import examine
from fairdeck.dealing import messages, two_deals
from fairdeck.dealing.cards import FRENCH, read_cards
from fairdeck.dealing.code_reader import read_code
from fairdeck.dealing.halves import read_half
from fairdeck.dealing.letters import write_letters
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.pace import Pace
from fairdeck.dealing.pbn import read_pbn, write_pbn
from fairdeck.dealing.plan import read_plan
from fairdeck.dealing.planner import Task
from fairdeck.dealing.share_code import write_code
from fairdeck.dealing.together import Agreement, Drawn, Sealed, read_agreement
from fairdeck.deals import orders_of, task_of
from fairdeck.errors import FairdeckError
from fairdeck.numbers import decimal_number, whole_number
from fairdeck.packets.notation import read_flow, write_flow
from fairdeck.randomness import random_integers
from fairdeck.shuffles import interleavings, mine
from fairdeck.shuffles.names import families, recipe_steps, registry
from fairdeck.shuffles.repeated_cards import SCENARIOS, RepeatedCards
from tests.fuzz.choices import Choices, text
from tests.fuzz.readers import demand, reader

SECRETS = (bytes(32), bytes([1]) * 32)
AGREED = Agreement(Task(9, Mat(3, 1)), ("Ann", "Ben"), bytes(16))
SEALED = Sealed(AGREED, tuple(AGREED.commitment(person, each) for person, each in enumerate(SECRETS)))
PLAN_WORDS = ('"goal":"hands:2x2+rest"', '"from":"bottom"', '"from":"base"', '"packets":[1,1]', '"destinations":[0]')


@reader("plan", is_json=True, words=PLAN_WORDS)
def plan(data: bytes) -> None:
    """Plans, as JSON."""
    found, arrangement = read_plan(text(data))
    again = read_plan(json.dumps(found.as_dict()))
    demand(again == (found, None), "a plan that was written is another one")
    demand(arrangement is None or len(arrangement) == found.cards, "an arrangement of another size")


CODE_WORDS = (
    "classic",
    "never",
    "space",
    ".pass.",
    "1of2",
    "hands_2x2-rest",
    "top_3",
    "%5B%22a%22%5D",
    "f1.",
    "#",
    "-stock",
)


@reader("code", words=CODE_WORDS)
def code(data: bytes) -> None:
    """Codes of deals."""
    found = read_code(text(data))
    written = write_code(found.task, found.arrangement, found.dealer, found.at)
    demand(read_code(written) == found, "a code that was written is another deal")


@reader("message", words=("T1-A-", "T1-C-", "T1-L-", "T1-R-", "T1-S-", "tl-c-", "#"))
def message(data: bytes) -> None:
    """Messages of draws made together: as typed, and with a right checksum."""
    choices = Choices(data)
    kind = choices.pick("?ACLRS")
    written = text(choices.rest()) if kind == "?" else write_letters(messages.MARK, kind, choices.rest())
    refused: list[FairdeckError] = []
    found = messages.read_message(written)
    for read in (
        lambda: messages.read_invitation(written),
        lambda: messages.read_commitment(AGREED, found),
        lambda: messages.read_list(AGREED, found),
        lambda: messages.read_secret(SEALED, found),
        lambda: Drawn(SEALED, messages.read_secrets(SEALED, found)),
    ):
        try:
            read()
        except FairdeckError as error:
            refused.append(error)
    demand(len(refused) >= 4, "a message of one kind was read as several")


@reader("agreement", words=("fairdeck-together/1", "classic", "hands:2x2+rest", "\0\0\0\x08", "2026-12-01T18:00Z"))
def agreement(data: bytes) -> None:
    """Agreements, as bytes."""
    demand(read_agreement(data).written == data, "an agreement that can be written in two ways")


@reader("order-of-two", words=("T2-C-", "T2-R-", "f1.", ".classic."))
def order_of_two(data: bytes) -> None:
    """Orders and commitments of deals by two: as typed, and with a right checksum."""
    choices = Choices(data)
    kind = choices.pick("?CR")
    written = text(choices.rest()) if kind == "?" else write_letters(two_deals.MARK, kind, choices.rest())
    with suppress(FairdeckError):
        two_deals.read_commitment(written)
    half = two_deals.read_order(written)
    demand(two_deals.read_order(two_deals.order_message(half)) == half, "an order that was written is another one")


@reader("cards", words=("SA", "A♠", "10♥", "Joker", "joker 2", "1", "2", "\n", ", ", ";"))
def cards(data: bytes) -> None:
    """Lists of cards."""
    choices = Choices(data)
    deck = choices.pick((None, FRENCH, ("1", "2", "3"), ("a b", "c,d", "e\nf")))
    whole = choices.pick((True, False))
    found = read_cards(text(choices.rest()), "cards", deck, whole=whole)
    demand(len(set(found)) == len(found) > 0, "a card twice")


@reader("orders", words=("sorted", "1-n", "SA", "HK", "A♠", "1", "2", "3", "\x1f"))
def orders(data: bytes) -> None:
    """Decks as they lie, and as they are wanted."""
    order, _, start = text(data).partition("\x1f")
    before, after = orders_of(order, start)
    demand(sorted(before) == sorted(after), "two orders of different cards")


NAMES = (*registry(), *families(), "riffle(mine)", "riffle(cut=0.6)", "7 riffles", "shelf(20)*2", "(riffle*2 + cut)*3")


@reader("recipe", words=NAMES)
def recipe(data: bytes) -> None:
    """Recipes of shuffles."""
    hands = mine.Hands("riffle(neatness=0.58)", 4, 52, 13, fits=True)
    found = recipe_steps(mine.written_out(text(data), hands))
    written = " + ".join(step.written for step in found)
    with suppress(FairdeckError):  # a recipe taken apart may have too long a name
        demand(recipe_steps(written) == found, f"{written} is another recipe")


@reader("repeated-cards", words=(*SCENARIOS, "26,26", "4,4,44", ","))
def repeated_cards(data: bytes) -> None:
    """Patterns of repeated cards."""
    choices = Choices(data)
    size = choices.pick((None, 1, 2, 52, 1_000))
    RepeatedCards.parse(text(choices.rest()), size)


@reader("riffle", words=("RRBRB", "2 1 1 1", "٣ ٣", "R", "B", "1 ", "²"))
def riffle(data: bytes) -> None:
    """Riffles, as people write them, and orders before and after one."""
    before, mark, after = text(data).partition("\n")
    with suppress(FairdeckError):
        interleavings.read(before)
    if mark:
        interleavings.between(before.split(), after.split())


FLOW_WORDS = (
    "scheme ",
    "pack 104 packets 1 2",
    "step {",
    "}",
    " ~ ",
    "[0:1/2]",
    " = ",
    "!",
    "players 1 to 2",
    "cards 52 to 208",
)


@reader("flow", words=(*FLOW_WORDS, "advice 4 steps 3 riffles", "says 1: ", "title ", "source ", "for ", "#", "\n"))
def flow(data: bytes) -> None:
    """Packet flows."""
    found = read_flow(text(data))
    demand(read_flow(write_flow(found)) == found, f"a flow that was written is another one: {found}")


PBN_WORDS = (
    '[Board "1"]\n',
    '[Deal "N:- - - -"]',
    '[Dealer "N"]',
    '[Vulnerable "All"]',
    '"#"',
    '"##',
    "{",
    "}",
    "% ",
    ";",
    "\n\n",
)


@reader("boards", words=PBN_WORDS)
def boards(data: bytes) -> None:
    """Boards, in Portable Bridge Notation."""
    found = read_pbn(text(data))
    demand(read_pbn(write_pbn(found)) == found, "boards that were written are others")


@reader("half", is_json=True, words=("as-picked-up", "sorted", "None", "fairdeck-boards/1"), longest=4_000)
def half(data: bytes) -> None:
    """Lists of one person for boards, as JSON."""
    found = read_half(text(data))
    demand(read_half(found.to_json()) == found, "a half that was written is another one")


READ_BY_KIND = {
    "announcement": steps.read_announcement,
    "sealed": steps.read_sealed,
    "commitment": steps.read_commitment,
    "secret": steps.read_secret,
    "reveal": steps.read_reveal,
    "void": steps.read_void,
    "ceremony": examine,
}


@reader("ceremony", is_json=True, words=("fairdeck-ceremony/1", "fairdeck-void/1", "fairdeck-sealed/1"), longest=6_000)
def ceremony(data: bytes) -> None:
    """Files of ceremonies, transcripts too."""
    kind = kind_of(data)
    if kind:
        READ_BY_KIND[kind](data)
    else:
        read_document(data, "ceremony", ())


@reader("beacon", words=("quicknet:", "quicknet@", "2026-12-01T20:00Z", '{"round":1,"signature":"'))
def beacon(data: bytes) -> None:
    """Rounds of beacons, and what a relay publishes."""
    (first, *_) = known().values()
    with suppress(FairdeckError):
        parse_beacon(text(data))
    first.read(data, 1)


TASK_WORDS = ("5x2", "deck", "top:3", "hands:4x13", "hands:2,2+stock", "+rest", "c0ffee", "0x", "٣", "×", "\x1f")


@reader("task", words=TASK_WORDS)
def task(data: bytes) -> None:
    """Mats, goals, labels, seeds and numbers, as they are typed."""
    size, mat, goal, labels, dealers, passes, seed, number, *_ = (*text(data).split("\x1f"), *[""] * 8)
    for read in (
        lambda: random_integers(seed).below(6),
        lambda: whole_number(number, "number", 0, 100),
        lambda: decimal_number(number, "number", 0, 100),
        lambda: Mat.parse(mat),
    ):
        with suppress(FairdeckError):
            read()
    task_of(size, mat or "5x2", goal or "deck", labels=labels or None, dealers=dealers or 1, passes=passes or None)


@reader(
    "settings", is_json=True, words=("fairdeck-pace/1", "fairdeck-riffle/1", "riffle(neatness=0.58)", "NaN", "\ufeff")
)
def settings(data: bytes) -> None:
    """The files that keep your pace and your riffle."""
    with suppress(FairdeckError):
        pace = Pace.from_json(text(data))
        demand(Pace.from_json(pace.to_json()) == pace, "a pace that was written is another one")
    hands = mine.Hands.from_json(text(data))
    demand(mine.Hands.from_json(hands.to_json()) == hands, "a riffle that was written is another one")
