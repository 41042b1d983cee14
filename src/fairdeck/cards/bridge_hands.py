"""Hands of bridge as people write them: 13 different cards, or a hand that is not given.

A hand is a tuple of French cards, spades first, from high to low; it is empty if it is not given. Four hands are those
of North, East, South and West, in this order.
"""

import re
from collections.abc import Iterable, Sequence

from fairdeck.cards.names import FRENCH, PLACES, RANKS, SUITS
from fairdeck.errors import FairdeckError
from fairdeck.randomness import Chooser, uniform_permutation

SEATS = {"N": "North", "E": "East", "S": "South", "W": "West"}
HAND = 13
LETTERED = re.compile(f"([{SUITS}])([^{SUITS}]*)")
DOTTED = ("", ".", ".", ".")  # what PBN writes before each suit

Hand = tuple[str, ...]
NO_HANDS: tuple[Hand, ...] = ((),) * len(SEATS)


def sorted_hand(cards: Iterable[str]) -> Hand:
    """Return a hand in the order in which it is written: spades first, from high to low."""
    return tuple(sorted(cards, key=PLACES.__getitem__))


def read_hand(text: str, where: str) -> Hand:
    """Return a hand: ranks of four suits, dots between (``AKQ.J98..T765432``), or after letters (``SAKQHJ98DC...``).

    ``10`` is the ten, ``-`` a void. ``-``, ``...`` or nothing is a hand that is not given.

    Args:
        text: the hand.
        where: what an error begins with.

    Raises:
        FairdeckError: these are not 13 different cards.
    """
    if text.strip("-.") == "":
        return ()
    suits = dict(zip(SUITS, _ranks_of_suits(text.upper().replace("10", "T"), text, where), strict=True))
    for rank in "".join(suits.values()):
        if rank not in RANKS:
            raise FairdeckError(f"{where}: {rank!r} in {text[:40]!r} is not a card; the ranks are {RANKS}")
    cards = [suit + rank for suit, ranks in suits.items() for rank in ranks]
    for card in cards:
        if cards.count(card) > 1:
            raise FairdeckError(f"{where}: {card} is there twice; every card is in one hand, once")
    demand_13(cards, where)
    return sorted_hand(cards)


def demand_13(cards: Sequence[str], where: str) -> None:
    """Raise a FairdeckError unless a hand has 13 cards."""
    if len(cards) != HAND:
        raise FairdeckError(f"{where}: the hand has {len(cards)} cards; a hand has {HAND}")


def read_four(texts: Sequence[str], where: str, first: str = "N") -> tuple[Hand, ...]:
    """Return the hands of North, East, South and West, read from four texts; see `read_hand` and `four_hands`."""
    if len(texts) != len(SEATS):
        raise FairdeckError(f"{where}: the deal has {len(texts)} hands; write four, - for one that is not given")
    at = "".join(SEATS).index(first)
    seats = [*SEATS.values()][at:] + [*SEATS.values()][:at]
    hands = [read_hand(text, f"{where}, {seat}") for seat, text in zip(seats, texts, strict=True)]
    return four_hands(hands, where, first)


def four_hands(hands: Sequence[Hand], where: str, first: str = "N") -> tuple[Hand, ...]:
    """Return the hands of North, East, South and West; one that is not given is completed if the other three are there.

    Args:
        hands: clockwise from the seat `first`.
        where: what an error begins with.
        first: N, E, S or W.

    Raises:
        FairdeckError: a card is in two hands.
    """
    at = "".join(SEATS).index(first)
    turned = [*hands[-at:], *hands[:-at]] if at else list(hands)
    holder: dict[str, str] = {}
    for seat, hand in zip(SEATS.values(), turned, strict=True):
        for card in hand:
            if card in holder:
                raise FairdeckError(f"{where}: {card} is in two hands, {holder[card]} and {seat}; give it to one")
            holder[card] = seat
    if sum(map(bool, turned)) == len(SEATS) - 1:
        left = set(FRENCH).difference(holder)
        turned = [hand or sorted_hand(left) for hand in turned]
    return tuple(turned)


def filled(hands: Sequence[Hand], pack: Sequence[str], integers: Chooser) -> tuple[Hand, ...]:
    """Return the hands with those that are not given drawn: every deal that agrees with the given ones equally likely.

    The cards that no hand holds are put into a uniformly random order and dealt out, equally many to each such hand.

    Args:
        hands: the given ones, and an empty tuple for each that is not.
        pack: all cards; as many are left as the hands to draw hold together.
        integers: where the draws come from.
    """
    held = {card for hand in hands for card in hand}
    left = [card for card in pack if card not in held]
    order, missing = uniform_permutation(len(left), integers), sum(not hand for hand in hands)
    cards, size = iter(left[place] for place in order), len(left) // max(1, missing)
    return tuple(hand or tuple(sorted((next(cards) for _ in range(size)), key=pack.index)) for hand in hands)


def written_hand(hand: Hand, marks: Sequence[str] = DOTTED) -> str:
    """Return the ranks of a hand, the marks before the suits.

    >>> written_hand(("SA", "SK", "C2"))
    'AK...2'
    """
    suits = ("".join(card[1] for card in hand if card[0] == suit) for suit in SUITS)
    return "".join(mark + ranks for mark, ranks in zip(marks, suits, strict=True))


def _ranks_of_suits(text: str, typed: str, where: str) -> list[str]:
    """Return the ranks of spades, hearts, diamonds and clubs."""
    if text[0] in SUITS:
        found: dict[str, str] = {}
        for suit, ranks in LETTERED.findall(text):
            if suit in found:
                raise FairdeckError(
                    f"{where}: {typed[:40]!r} has {suit} twice; write four suits, as in SAKQHJ98DT76C5432"
                )
            found[suit] = ranks.strip(".-")
        return [found.get(suit, "") for suit in SUITS]
    suits = text.split(".")
    if len(suits) != len(SUITS):
        raise FairdeckError(f"{where}: {typed[:40]!r} has {len(suits)} suits; write four, as in AKQ.J98.T76.5432")
    return ["" if ranks == "-" else ranks for ranks in suits]
