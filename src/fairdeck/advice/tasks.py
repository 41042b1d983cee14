"""The deals that ways ask for, as tasks of the planner: onto which piles what is dealt, and the words for it."""

from functools import lru_cache
from itertools import groupby
from math import ceil

from fairdeck.advice.request import Request
from fairdeck.dealing.goal import WHOLE_DECK, Goal, Hands
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.mat import LARGEST_SIDE, Mat
from fairdeck.dealing.outlook import outlook
from fairdeck.dealing.pace import ASSUMED, Pace
from fairdeck.dealing.planner import Task, plan_for
from fairdeck.randomness import uniform_permutation
from fairdeck.steps import DECK, Card, Chance, Step, Table, deal, part

TABLES = (Mat(3, 2), Mat(4, 2), Mat(5, 2), Mat(4, 3), Mat(5, 3), Mat(4, 4))  # rows of piles on a bare table
SEATS = 10  # people who sit around one table
IN_REACH = 8  # piles in a row
MOST_PILES = 40  # on a bare table
RARELY = 0.1  # the chance of one more pass that a bare table may leave
MOST_SHEETS = 200  # plans that `fairdeck deal --booklet` prints at once
PLAN = "a phone or a printed plan"
TWO = 2
NEW_ORDER = "It draws a new order each time: never use a plan twice."
NO_TOWERS = " Tiles need no towers: a pile may be a row, in which each new tile goes in front of the last."


def on_bare_table(cards: int, goal: Goal = WHOLE_DECK, *, dealers: int = 1, pace: Pace = ASSUMED) -> Task:
    """Return the deal on a bare table, onto the rows of piles that are quickest.

    >>> str(on_bare_table(60).mat)
    '3x2'
    """
    tables = [mat for mat in TABLES if mat.spaces > len(goal.piles)]
    if not tables:  # so many hands are counted off
        tables = [places(len(goal.piles) + 1)] if len(goal.piles) < MOST_PILES else list(TABLES)
    if cards < TABLES[0].spaces:
        tables = [Mat(cards, 1)]
    tasks = [Task(cards, mat, goal, dealers=dealers) for mat in tables]
    return min(tasks, key=lambda task: _sure_minutes(task, pace))


@lru_cache(maxsize=1024)
def _sure_minutes(task: Task, pace: Pace) -> float:
    found = outlook(task, pace)
    return found.minutes * (1 + (found.chance_of_one_more_pass > RARELY))


def places(number: int) -> Mat:
    """Return a mat with this number of spaces or a few more: players' places, or piles, need no real mat."""
    columns = number if number <= SEATS else max(IN_REACH, ceil(number / LARGEST_SIDE))
    rows = ceil(number / columns)
    return Mat(ceil(number / rows), rows)


def parted(cards: int, piles: int, rest: int = 0) -> Task:
    """Return the deal of all cards but a rest onto piles at random, as even as possible."""
    each, more = divmod(cards - rest, piles)
    goal = Hands((each + 1,) * more + (each,) * (piles - more), rest=rest)
    return Task(cards, places(len(goal.piles)), goal)


def thing(request: Request) -> str:
    """Return what one of the things to shuffle is called: "card", "tile"."""
    return "tile" if request.cards_are == "tiles" else "card"


def times(number: int) -> str:
    """Return how often: "once", "2 times"."""
    return "once" if number == 1 else f"{number} times"


def command(task: Task) -> str:
    """Return the command that deals."""
    goal = "" if task.goal == WHOLE_DECK else f" --goal {task.goal}"
    dealers = "" if task.dealers == 1 else f" --dealers {task.dealers}"
    bottom = "" if task.bottom != "never" else " --bottom never"
    return f"fairdeck deal {task.cards} --mat {task.mat}{goal}{dealers}{bottom}{' --turn' * task.turn}"


def rows_of(mat: Mat) -> str:
    """Return the rows of a mat in words, and where the labels are."""
    if mat.rows == 1:
        return f"one row of {mat.columns}, {mat.labels[0]} at the left"
    return f"{mat.rows} rows of {mat.columns}; A1 is far left, A{mat.columns} far right, row B nearer to the dealer"


def hand(number: int) -> str:
    """Return the place of the hand that is dealt onto this space of the mat."""
    return f"hand {number}"


def planned(table: Table, chance: Chance, task: Task, either_end: bool = False) -> None:
    """Deal the deck card by card, as fairdeck says: each order is drawn with equal chance, and each card's coin.

    `either_end`: whether a pass is dealt from the bottom of the deck where the plan says so.
    """
    deck = list(table.take(DECK))
    order, coins = uniform_permutation(task.cards, chance), [chance.pick(1, 1) for _ in range(task.cards * task.turn)]
    for step in plan_for(task, order, turn=coins).passes:
        piles: dict[int, list[Card]] = {}
        marks = step.turn or (0,) * len(step.deal)
        # Dealer 1's pile of a space lies below those of the others.
        for share, turns in zip(step.shares(), step.shares(marks), strict=True):
            held, deck = deck[: len(share)], deck[len(share) :]
            held = held[:: -1 if step.from_bottom and either_end else 1]
            for (card, turned), space, turn in zip(held, share, turns, strict=True):
                piles.setdefault(space, []).insert(0, (card, turned ^ bool(turn)))
        for space in step.finished():
            table.lay(hand(space), piles.pop(space))
        deck = [card for space in reversed(step.stack) for card in piles[space]]
    table.lay(DECK, deck)


def hands_of(goal: Hands, thing: str) -> str:
    """Return how many hands of how many cards: "4 hands of 13 cards"."""
    alike = [(size, len(list(same))) for size, same in groupby(goal.sizes)]
    return " and ".join(f"{counted(times, 'hand')} of {counted(size, thing)}" for size, times in alike)


def counted_off(goal: Hands, cards: int, thing: str) -> Step:
    """Return how hands are counted off the top of the deck."""
    others = "are the stock" if goal.stock else "are left over" if goal.rest else ""
    left = f"; the other {thing}s {others}" if others else ""
    pieces = (*((hand(at), size) for at, size in enumerate(goal.sizes)), (DECK, cards - sum(goal.sizes)))
    says = f"Count {hands_of(goal, thing)} off the top of the deck, a whole hand at a time{left}."
    return Step(says, ((part, DECK, pieces),))


def dealt_in_turn(goal: Hands, cards: int) -> Step:
    """Return how hands are dealt from the top of a shuffled deck."""
    turns = range(max(goal.sizes))
    in_turn = tuple(hand(who) for at in turns for who, size in enumerate(goal.sizes) if size > at)
    pieces = (("the cards to deal", len(in_turn)), (DECK, cards - len(in_turn)))
    says = "Then deal the hands, one card to each player in turn: not a whole hand at a time."
    return Step(says, ((part, DECK, pieces), (deal, "the cards to deal", in_turn)))


def how_to_deal(request: Request, task: Task, passes: int) -> tuple[Step, ...]:
    """Return how to deal."""
    tiles = request.cards_are == "tiles"
    place = f"{_place(request, task)}{NO_TOWERS if tiles else ''}"
    cut = ""
    if task.dealers > 1:
        cut = f"Cut the deck into {task.dealers} packets, as the plan says; dealer 1 takes the top packet. "
        if tiles:
            cut = f"Share the tiles among {task.dealers} dealers, as many for each as the plan says. "
    every = "tile, in any order," if tiles else "card from the top"
    either_end = bool(not tiles and not task.never_from_bottom and task.gathered)
    if either_end:
        every += ", or from the bottom if the plan says so,"
    says = f"{cut}Face down, deal every {every} onto the space that the plan names. "
    if task.turn:
        says += "Where it has ↻, turn the card end for end, still face down, before you lay it down. "
    says += _end(request, task, passes)
    return (Step(place), Step(_plan(request, task)), Step(says, ((planned, task, either_end),)))


def _deals_hands(task: Task) -> bool:
    return isinstance(task.goal, Hands) and not task.gathered


def seated(request: Request, task: Task) -> bool:
    """Whether each hand has a player's place at the table, so that the hands need no room of their own."""
    hands = _hands(task)
    return request.decks == 1 and 1 < hands <= SEATS and request.players in (1, hands)


def _hands(task: Task) -> int:
    return len(task.goal.sizes) if isinstance(task.goal, Hands) else 0


def for_hands(request: Request, task: Task) -> str:
    """Return what it takes to deal hands, beside the cards."""
    if seated(request, task):
        return f"{PLAN}; no mat: the players' places are enough"
    return f"{PLAN}; no mat: room for {counted(len(task.goal.piles), 'pile')} is enough"


def _place(request: Request, task: Task) -> str:
    """Say where the piles go."""
    mat, hands = task.mat, _hands(task)
    each = "" if task.dealers == 1 else ", for each dealer"
    if not _deals_hands(task):
        if request.mat is None:
            return f"Leave room for {mat.spaces} piles on the table{each}: {rows_of(mat)}."
        return f"Lay the mat down{each}: {rows_of(mat)}."
    if not seated(request, task):
        return f"Leave room for a pile for each hand: {rows_of(mat)}."
    rest = f" {mat.labels[hands]} is for the {thing(request)}s left over." if task.goal.rest else ""
    if hands == TWO:
        return f"Each player's place is a space: {mat.labels[0]} is the other player's, {mat.labels[1]} yours.{rest}"
    return (
        f"Each player's place is a space: {mat.labels[0]} is the place at the dealer's left, {mat.labels[1]} the "
        f"next one clockwise, and so on; {mat.labels[hands - 1]} is the last.{rest}"
    )


def _plan(request: Request, task: Task) -> str:
    """Say how to get the plan: step by step, or on paper where several people or decks need one."""
    if request.decks > 1:
        booklet = f" --booklet {request.decks}" if request.decks <= MOST_SHEETS else ""
        paper = "a sheet for each deck" if booklet else "a sheet for one deck, and again for each"
        return f"Print {command(task)} --pdf plans.pdf{booklet}: {paper}. Never use a sheet twice."
    if task.dealers > 1:
        return (
            f"Print {command(task)} --pdf plan.pdf: a sheet for each dealer. Or write --html deal.html instead, and "
            f"open that page on each dealer's phone. {NEW_ORDER}"
        )
    return f"Start {command(task)} --follow, or a printed plan. {NEW_ORDER}"


def _end(request: Request, task: Task, passes: int) -> str:
    """Say what becomes of the piles."""
    if _deals_hands(task):
        return f"The piles are the hands: {'put each into its pocket' if request.decks > 1 else 'all take up theirs'}."
    below = ", dealer 1's pile of a space below those of the others" if task.dealers > 1 else ""
    total = f"{counted(passes, 'pass')} in all"
    handed = isinstance(task.goal, Hands) and not task.counted_off
    hands = "The first pass deals the hands: hand them out. " if handed else ""
    if request.cards_are == "tiles":
        order = f"the row that the plan puts on top comes first, each row from its front{below}"
        again = f" Then deal them again in that order: {total}." if passes > 1 else ""
        return f"{hands}That gives the {'other ' if hands else ''}tiles an order: {order}.{again}"
    again = "" if passes == 1 else f" Then deal and gather again: {total}."
    return f"{hands}Gather the piles in the order that the plan names{below}.{again}"
