"""A plan in English words, as a terminal prints it: `lines` is the whole plan, the other functions are parts of it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from fairdeck.dealing.goal import Hands, Strata
from fairdeck.dealing.plan import Pass, Plan

GROUP = 5
AGAIN = "if a pile does not match, a card is misplaced: bring the deck back into its start order, and begin again"
AGAIN_BOARD = (
    "if a pile does not match, a card is misplaced: mix all cards face down, put the deck into its start order, and "
    "begin again with list 1"
)
TURN = "↻"
TURN_NOTE = (
    f"Where a label has {TURN}, turn the card end for end, still face down, before you lay it down; if you take a card "
    "back, turn it back. Nothing shows that a turn was forgotten."
)
MISMATCH = "if a pile does not match, a card is misplaced: draw a new order; never deal the same order twice"


def counted(number: int, noun: str) -> str:
    """Return "1 card", "2 cards".

    >>> counted(1, "pass"), counted(2, "pass")
    ('1 pass', '2 passes')
    """
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{number} {noun if number == 1 else plural}"


def used_spaces(plan: Plan) -> list[int]:
    """Return the spaces that any pass of `plan` deals to, in order."""
    return sorted(set().union(*(step.deal for step in plan.passes)))


def finished_note(plan: Plan, step: Pass) -> str:
    """Return what to do with the piles that the pass finishes; empty if it finishes no pile."""
    labels = [plan.mat.labels[space] for space in step.finished()]
    if not labels:
        return ""
    hands = labels[:-1] if plan.goal.rest else labels
    note = f"Hand out the hands: {' '.join(hands)}."
    return f"{note} The other cards lie on {labels[-1]}." if plan.goal.rest else note


def first_note(plan: Plan) -> str:
    """Return what to know before the first pass: where special cards must lie, which cards are turned; or nothing."""
    turning = TURN_NOTE * bool(plan.passes[0].turn)
    if not isinstance(plan.goal, Strata):
        return turning
    cards = "special card" if len(plan.goal.sizes) == 1 else f"{len(plan.goal.sizes)} special cards, in any order,"
    return (
        f"First put the {cards} face down on top of the deck. The dealer can follow such cards: best is a dealer who "
        f"does not play. {turning}"
    ).rstrip()


def last_note(plan: Plan) -> str:
    """Return how to count the hands off the deck at the end; empty if they are handed out, or there are none."""
    if not plan.counted_off or not isinstance(plan.goal, Hands):
        return ""
    runs = [(size, len(list(same))) for size, same in groupby(plan.goal.sizes)]
    hands = ", then ".join(f"{counted(times, 'hand')} of {counted(size, 'card')}" for size, times in runs)
    rest = " The other cards are left over." if plan.goal.rest else ""
    return f"Count the hands off the top of the deck, face down, a whole hand at a time: {hands}.{rest}"


def gathering(plan: Plan, step: Pass) -> str:
    """Return how to gather the piles of a pass that gathers some."""
    labels = plan.mat.labels
    moves = ", then ".join(f"{labels[pile]} on {labels[onto]}" for pile, onto in step.moves())
    return f"Gather: put {moves}." if moves else f"Gather: take up {labels[step.stack[0]]}."


def height_table(plan: Plan, deal: Iterable[int]) -> list[str]:
    """Return the mat with the height of each pile that `deal` makes, a line for each row."""
    counts = Pass(tuple(deal), ()).counts(plan.mat.spaces)
    label_width = max(map(len, plan.mat.labels))
    count_width = len(str(max(counts)))
    cells = [
        f"{label:>{label_width}} {count or '-':>{count_width}}"
        for label, count in zip(plan.mat.labels, counts, strict=True)
    ]
    rows = [slice(start, start + plan.mat.columns) for start in range(0, plan.mat.spaces, plan.mat.columns)]
    return ["   ".join(cells[row]) for row in rows if any(counts[row])]


def lines(plan: Plan, rows: int, *, given: bool = False, of_board: bool = False) -> Iterator[str]:
    """Yield the whole plan as lines of text, in blocks of `rows` rows of five labels.

    `given`: the order is a given one, not drawn. `of_board`: it is one of the two lists of a board.
    """
    mismatch = AGAIN_BOARD if of_board else AGAIN if given else MISMATCH
    labels = plan.mat.labels
    spaces = used_spaces(plan)
    yield (
        f"{counted(plan.cards, 'card')} on a {plan.mat} mat: {counted(len(plan.passes), 'pass')} on "
        f"{counted(len(spaces), 'space')} ({' '.join(labels[space] for space in spaces)})."
    )
    yield "Hold the deck face down. Deal one card at a time onto the space named, row by row;"
    yield "the number before a row counts its first card."
    if not given and (note := first_note(plan)):
        yield note
    for number, step in enumerate(plan.passes, 1):
        yield ""
        yield f"PASS {number} OF {len(plan.passes)}: {pass_note(step)}"
        for dealer, (share, turn) in enumerate(zip(step.shares(), step.shares(step.turn), strict=True), 1):
            if step.packets:
                yield ""
                yield f"Dealer {dealer}, {counted(len(share), 'card')}:"
            yield from _pages(marked(plan, share, turn), rows)
            yield ""
            yield f"Check how high the piles are{'' if step.packets else f' ({mismatch})'}:"
            yield from ("    " + row for row in height_table(plan, share))
        yield from _after(plan, step)
    if note := last_note(plan):
        yield ""
        yield note
    yield ""
    yield f"Done: {ending(plan, given=given)}"


def pass_note(step: Pass) -> str:
    """Return how to hold the deck in this pass."""
    if step.packets:
        sizes = ", ".join(map(str, step.packets))
        return f"dealers 1, 2, ... cut off {sizes} cards, from the top; each deals from the top onto their own mat."
    if step.from_bottom:
        return "deal from the BOTTOM of the deck."
    return "deal from the top of the deck."


def marked(plan: Plan, share: Sequence[int], turn: Sequence[int]) -> list[str]:
    """Return the labels to call: of a share of a pass, with the sign for cards that are turned."""
    turns = turn or [0] * len(share)
    return [plan.mat.labels[space] + TURN * turned for space, turned in zip(share, turns, strict=True)]


def ending(plan: Plan, *, given: bool = False) -> str:
    """Return what is random when the plan is dealt; or, for a `given` order, that the cards lie in it."""
    return _ending(plan, given=given) + " Which cards lie reversed is random too." * bool(plan.passes[0].turn)


def _ending(plan: Plan, *, given: bool) -> str:
    loose = 0 if plan.goal.piles else plan.goal.loose(plan.cards)
    if given:
        return (
            f"the top {plan.cards - loose} cards lie as wanted; leave the others."
            if loose
            else "the cards lie as wanted."
        )
    if isinstance(plan.goal, Strata):
        parts = ", ".join(map(str, plan.goal.sizes))
        return f"one special card lies in each part ({parts} cards, from the top); all such orders are equally likely."
    if not plan.goal.piles:
        return f"the top {plan.cards - loose} cards are random; leave the others." if loose else "the deck is random."
    stock = plan.cards - sum(plan.goal.piles)
    gathered = f", and the stock of {counted(stock, 'card')} is in random order" if stock else ""
    return f"the hands are random (the order within a hand is not){gathered}."


def _pages(labels: Sequence[str], rows: int) -> Iterator[str]:
    number_width = len(str(len(labels)))
    label_width = max(map(len, labels), default=0)
    for start in range(0, len(labels), GROUP):
        if start % (GROUP * rows) == 0:
            yield ""
        group = "  ".join(f"{label:<{label_width}}" for label in labels[start : start + GROUP])
        yield f"    {start + 1:>{number_width}}   {group}".rstrip()


def _after(plan: Plan, step: Pass) -> Iterator[str]:
    if step.packets:
        yield ""
        yield "On every space join the dealers' piles: dealer 1's at the bottom, the last dealer's on top."
    if note := finished_note(plan, step):
        yield ""
        yield note
    if step.stack:
        yield ""
        yield gathering(plan, step)
