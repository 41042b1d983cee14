"""At a check of `--follow`: asks for the heights of the piles that are there, and says which slip explains them."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TypeVar

from fairdeck.cards import LARGEST_DECK
from fairdeck.dealing.instructions import height_table
from fairdeck.dealing.outlook import outlook
from fairdeck.dealing.plan import Pass
from fairdeck.dealing.slips import Slip, explanations, way_back
from fairdeck.deals import Deal
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole

SHOWN = 3
ENTER, ERASE, LEAVE = ("\r", "\n"), ("\x7f", "\b"), ("\x1b", "\x03", "\x04")
HELP = "enter: done, or as shown    backspace: erase    escape: back to the check"
LONGEST = 4_000  # characters of an answer
Answer = TypeVar("Answer")
Read = Callable[[], str]
Show = Callable[[list[str], str], None]


class _Left(Exception):
    """The person goes back to the check."""


def find_slip(deal: Deal, number: int, read: Read, show: Show) -> None:
    """Ask for what lies on the table after pass `number`, from 0, and show the slips that explain it.

    `read` waits for a key and returns what it sends; `show` shows lines, and a line of keys.
    """
    step, mat = deal.plan.passes[number], deal.plan.mat
    title = f"Pass {number + 1} of {len(deal.plan.passes)}    the piles that are there"
    with suppress(_Left):
        dealer = 0
        if step.packets:
            most = len(step.packets)
            ask = f"Whose piles do not match: dealer 1 to {most} (1)"
            dealer = _asked([title], ask, lambda typed: whole("dealer", typed or "1", 1, most), read, show) - 1
        spaces, before = step.shares()[dealer], sum(step.packets[:dealer])
        shown = [title, "", *(f"    {row}" for row in height_table(deal.plan, spaces))]
        hand = _asked(shown, "Cards left in your hand (0)", lambda typed: _count(typed or "0"), read, show)
        right = Pass(tuple(spaces), ()).counts(mat.spaces)
        least = (max(spaces) // mat.columns + 1) * mat.columns
        ask = f"Heights of {mat.labels[0]} to {mat.labels[least - 1]}, row by row; ? for a pile that is not counted"
        seen = _asked(shown, ask, lambda typed: _heights(typed, right, least), read, show)
        lines = [title, "", *_explained(deal, step, spaces, before, seen, hand)]
        show(lines, "any key: back to the check")
        read()


def _asked(lines: list[str], question: str, parse: Callable[[str], Answer], read: Read, show: Show) -> Answer:
    """Return what `parse` makes of the answer; if it refuses it, the reason is shown, and the answer can be changed."""
    typed = fault = ""
    while True:
        show([*lines, "", f"{question}: {typed}_", fault], HELP)
        key = read()
        if key in LEAVE:
            raise _Left
        if key in ENTER:
            try:
                return parse(typed.strip())
            except FairdeckError as error:
                fault = str(error)
        elif key in ERASE:
            typed = typed[:-1]
        elif len(key) == 1 and key.isprintable():
            typed = (typed + key)[:LONGEST]


def _count(typed: str) -> int | None:
    return None if typed == "?" else whole("cards", typed, 0, LARGEST_DECK)


def _heights(typed: str, right: Sequence[int], least: int) -> list[int | None]:
    """Return the heights of all spaces: those typed, and 0 for the last ones if nothing is typed for them."""
    seen: list[int | None] = [*map(_count, re.split(r"[\s,]+", typed))] if typed else [*right]
    if not least <= len(seen) <= len(right):
        raise FairdeckError(f"{len(seen)} heights: type one for each space, {least} to {len(right)}")
    return seen + [0] * (len(right) - len(seen))


def _explained(
    deal: Deal, step: Pass, spaces: Sequence[int], before: int, seen: Sequence[int | None], hand: int | None
) -> Iterator[str]:
    """Yield the likeliest slips, how to mend each, and what a new deal costs.

    `spaces` is the list of one dealer, who dealt `before` cards after those of other dealers; in `seen` and `hand` is
    None for what is not counted.
    """
    mat, size = deal.plan.mat, len(spaces)
    slips = explanations(spaces, size, seen, mat.columns, hand)
    right = Pass(tuple(spaces), ()).counts(mat.spaces)
    if slips and slips[0].certain:
        yield "Certain, if only one slip was made:"
    elif len(slips) == 1:
        yield "Only a guess, because not all piles are counted:"
    elif slips:
        yield f"Only guesses: {len(slips)} slips explain these heights. The likeliest:"
    elif all(there in (None, count) for there, count in zip([*seen, hand], [*right, 0], strict=True)):
        yield "What you counted is as shown: it shows no slip."
        yield "If your hand was empty before the last card, a label got two cards, and nothing shows which."
    else:
        yield "No single slip explains these heights: count again."
    for place, slip in enumerate(slips[:SHOWN], 1):
        yield ""
        what, *how = _mending(deal, step, spaces, before, slip)
        yield f"{place}. {what}"
        yield from (f"   {line}" for line in how)
    yield ""
    if slips and not slips[0].certain and any(slip.card is not None for slip in slips):
        yield "Mend a guess only if you remember that slip. A wrong guess is not seen later: the heights match again,"
        yield "but not all orders are equally likely."
    cost = outlook(deal.task)
    yield f"Only a new deal is proven fair: about {cost.moves} cards, {cost.minutes} minutes."
    yield "To draw one for the deck as it lies: leave with q, and call fairdeck again."


def _mending(deal: Deal, step: Pass, spaces: Sequence[int], before: int, slip: Slip) -> Iterator[str]:
    """Yield what the slip is, then how to mend it."""
    labels, size, all_cards = deal.plan.mat.labels, len(spaces), len(step.deal)
    way = way_back(spaces, size, slip)
    if slip.card is None or slip.space is None or way is None:
        yield "A card is missing." if slip.kind == "missing" else "There is a card too many."
        cut = ", or the packets were cut wrongly" if step.packets else ""
        yield f"Nothing shows since when{cut}. Only a new deal helps."
        return
    here, own = labels[slip.space], labels[spaces[slip.card]]
    name = f"card {before + slip.card + 1} of {all_cards}"
    yield {
        "misplaced": f"{name.capitalize()} lies on {here} instead of {own}.",
        "skipped": f"No card was dealt for {name}, to {own}.",
        "twice": f"Two cards were dealt for {name}, to {own}.",
    }[slip.kind]
    if way.lift:
        under, above = way.lift
        card = f"the card under the top {under}" if under else "the top card"
        yield f"On {here}, {card}: put it on {own}{f' under the top {above}' if above else ''}."
        return
    # A label dealt twice leaves no card for the last label, and one more for its own.
    twice = slip.kind == "twice"
    last, first = before + size - twice, before + way.next + 1 + (not twice)
    hand = "under" if step.from_bottom else "on top of"
    if first <= last:
        yield f"Press u. At card {last}, and at each card before it down to card {first}, take a card"
        yield f"back off the space shown, and put it {hand} your hand."
    if twice:
        yield f"Then take one more card back off {own}, {hand} your hand."
    if step.turn:
        yield "Each card that you turned: turn it back as you take it back."
    yield f"Press u until card {before + way.next + 1} is shown, and deal on from there."
    if before + size < all_cards:
        yield f"After card {before + size}, pass over the cards of the other dealers."
