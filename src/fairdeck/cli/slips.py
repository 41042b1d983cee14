"""At a check of `--follow`: asks for the heights of the piles that are there, and says which slip explains them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from fairdeck.dealing.goal import LARGEST_DECK
from fairdeck.dealing.instructions import heights
from fairdeck.dealing.outlook import outlook
from fairdeck.dealing.plan import Pass
from fairdeck.dealing.slips import Slip, explanations, way_back
from fairdeck.deals import Deal
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole

SHOWN = 3
ENTER, ERASE, LEAVE = ("\r", "\n"), ("\x7f", "\b"), ("\x1b", "\x03", "\x04")
HELP = "enter: as shown    ?: not counted    backspace: undo    escape: back to the check"
LONGEST = 20  # characters of an answer

Read = Callable[[], str]
Show = Callable[[list[str], str], None]


class _Left(Exception):
    """The person goes back to the check."""


def find_slip(deal: Deal, number: int, read: Read, show: Show) -> None:
    """Ask for what lies on the table after pass `number`, from 0, and show the slips that explain it.

    Args:
        deal: the deal; it stays as it is.
        number: the pass.
        read: waits for a key and returns what it sends.
        show: shows lines and a line of keys.
    """
    step = deal.plan.passes[number]
    title = f"Pass {number + 1} of {len(deal.plan.passes)}    the piles that are there"
    with suppress(_Left):
        dealer = 0
        if step.packets:
            ask = f"whose piles do not match: dealer 1 to {len(step.packets)}"
            (chosen,) = _answers([(ask, 1, 1, len(step.packets))], [title, ""], read, show)
            dealer = (chosen or 1) - 1
        spaces, before = step.shares()[dealer], sum(step.packets[:dealer])
        shown = [f"    {row}" for row in heights(deal.plan, spaces)]
        seen, hand = _counted(deal, spaces, [title, "", *shown], read, show)
        lines = [title, "", *found(deal, step, spaces, before, seen, hand)]
        show(lines, "any key: back to the check")
        while not read():  # after a stop
            show(lines, "any key: back to the check")


def found(
    deal: Deal, step: Pass, spaces: Sequence[int], before: int, seen: Sequence[int | None], hand: int | None
) -> Iterator[str]:
    """Yield the likeliest slips, how to mend each, and what a new deal costs.

    Args:
        deal: the deal.
        step: the pass that was dealt.
        spaces: the list of one dealer, who dealt `before` cards after the cards of other dealers.
        before: as above.
        seen: the height of the pile on each space; None if it is not counted.
        hand: the cards left in the hand; None if they are not counted.
    """
    mat, size = deal.plan.mat, len(spaces)
    slips = explanations(spaces, size, seen, mat.columns, hand)
    right = Pass(tuple(spaces), ()).counts(mat.spaces)
    exact = bool(slips) and not slips[0].difference
    if exact and slips[0].certain:
        yield "Certain, if only one slip was made:"
    elif exact and len(slips) == 1:
        yield "Only a guess, because not all piles are counted:"
    elif exact:
        yield f"Only guesses: {len(slips)} slips explain these heights. The likeliest:"
    elif all(there in (None, count) for there, count in zip([*seen, hand], [*right, 0], strict=True)):
        yield "What you counted is as shown: it shows no slip."
        yield "If your hand was empty before the last card, a label got two cards, and nothing shows which."
    else:
        yield "No single slip explains these heights: count again." + (" The nearest:" if slips else "")
    for place, slip in enumerate(slips[:SHOWN], 1):
        yield ""
        what, *how = _told(deal, step, spaces, before, slip)
        yield f"{place}. {what}"
        yield from (f"   {line}" for line in how)
    yield ""
    if exact and not slips[0].certain and any(slip.card is not None for slip in slips):
        yield "Mend a guess only if you remember that slip. A wrong guess is not seen later: the heights match again,"
        yield "but not all orders are equally likely."
    cost = outlook(deal.task)
    yield f"Only a new deal is proven fair: about {cost.moves} cards, {cost.minutes} minutes."
    yield "To draw one for the deck as it lies: leave with q, and call fairdeck again."


def _told(deal: Deal, step: Pass, spaces: Sequence[int], before: int, slip: Slip) -> Iterator[str]:
    """Yield what the slip is, then how to mend it."""
    labels, size, all_cards = deal.plan.mat.labels, len(spaces), len(step.deal)
    way = way_back(spaces, size, slip, deal.plan.mat.spaces)
    if slip.card is None or slip.space is None:
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
    if way is None:
        return
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
    yield f"Press u until card {before + way.next + 1} is shown, and deal on from there."
    if before + size < all_cards:
        yield f"After card {before + size}, pass over the cards of the other dealers."


def _counted(
    deal: Deal, spaces: Sequence[int], lines: list[str], read: Read, show: Show
) -> tuple[list[int | None], int | None]:
    """Return the heights that a person types for all spaces, and the cards left in the hand."""
    mat = deal.plan.mat
    right = Pass(tuple(spaces), ()).counts(mat.spaces)
    rows = {space // mat.columns for space in spaces}
    shown = [space for space in range(mat.spaces) if space // mat.columns in rows]
    others = [space for space in range(mat.spaces) if space // mat.columns not in rows]
    asked = [("cards left in your hand", 0, 0, LARGEST_DECK)]
    asked += [(f"cards on {mat.labels[space]}", right[space], 0, LARGEST_DECK) for space in shown]
    asked += [("cards on all other spaces together", 0, 0, LARGEST_DECK)] if others else []
    hand, *typed = _answers(asked, lines, read, show)
    seen: dict[int, int | None] = dict(zip(shown, typed, strict=False))
    if others and typed[-1] == 0:
        seen |= dict.fromkeys(others, 0)
    elif others and typed[-1]:
        each = [(f"cards on {mat.labels[space]}", 0, 0, LARGEST_DECK) for space in others]
        seen |= dict(zip(others, _answers(each, lines, read, show), strict=True))
    return [seen.get(space) for space in range(mat.spaces)], hand


def _answers(asked: Sequence[tuple[str, int, int, int]], lines: list[str], read: Read, show: Show) -> list[int | None]:
    """Return a number, or None if it is not counted, for each (what, number as shown, least, most)."""
    answers: list[int | None] = []
    typed = said = ""
    while len(answers) < len(asked):
        what, usual, least, most = asked[len(answers)]
        show([*lines, "", f"{what[:1].upper()}{what[1:]} ({usual}): {typed}_", said], HELP)
        key = read()
        if key in LEAVE:
            raise _Left
        if key in ENTER:
            said = ""
            try:
                answers.append(_number(typed.strip() or str(usual), what, least, most))
            except FairdeckError as error:
                said = str(error)
            typed = ""
        elif key in ERASE:
            if not typed and answers:
                answers.pop()
            typed = typed[:-1]
        elif len(key) == 1 and key.isprintable():
            typed = (typed + key)[:LONGEST]
    return answers


def _number(typed: str, what: str, least: int, most: int) -> int | None:
    return None if typed == "?" and not least else whole(what, typed, least, most)
