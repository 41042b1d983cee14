"""The commands `deal` and `check` as one call each, with the same defaults.

>>> import fairdeck
>>> fairdeck.deal(60, mat="5x2", seed="c0ffee")
Deal(60 cards on a 5x2 mat, goal deck: 2 passes)
>>> fairdeck.check(60, mat="5x2").passes
2
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from fairdeck.cards.decks import read_cards, source_of
from fairdeck.cards.languages import sorted_deck
from fairdeck.cards.lists import DeckList
from fairdeck.cards.names import numbered_deck
from fairdeck.dealing.equal_cards import arrangement_between
from fairdeck.dealing.goal import Goal, deck_size, parse_goal
from fairdeck.dealing.instructions import counted, lines
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.outlook import Outlook, outlook, refuse_too_few_passes
from fairdeck.dealing.pace import ASSUMED, Pace
from fairdeck.dealing.plan import LARGEST_DEALERS, Plan
from fairdeck.dealing.planner import LARGEST_PASSES, Bottom, Task, draw, plan_for
from fairdeck.doors import check_fields, checked
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.own_lists import Cards, size_and_kinds
from fairdeck.permutation import Permutation, inverse
from fairdeck.randomness import LARGEST_BOUND, Chooser, random_integers

SORTED, NUMBERED = "sorted", "1-n"


@dataclass(frozen=True, repr=False)
class Deal:
    """One deal: a plan, and the order that it brings the deck into. Anyone who has it knows the deck.

    Attributes:
        task: what was asked for.
        plan: what to do with the deck.
        arrangement: the order, bottom first; see `fairdeck.permutation`.
        given: whether the order was given, and not drawn.
        of_board: whether it is one of the two lists of a board; see `fairdeck.trust.boards`.
    """

    task: Task
    plan: Plan
    arrangement: Permutation
    _integers: Chooser = field(compare=False)
    given: bool = False
    of_board: bool = False

    def __post_init__(self) -> None:
        check_fields(self)

    @classmethod
    def draw(cls, task: Task, integers: Chooser) -> "Deal":
        """Return the deal of `task` in a uniformly random order, drawn with `integers`."""
        return cls(task, *draw(task, integers), integers)

    @classmethod
    def towards(cls, task: Task, start: Sequence[str], order: Sequence[str]) -> "Deal":
        """Return the deal of `task` that brings a deck from `start` into `order`, both names of cards, top first.

        Equal cards have the same name; see `fairdeck.dealing.equal_cards`.
        """
        arrangement = arrangement_between(task, start, order)
        return cls(task, plan_for(task, arrangement), arrangement, random_integers(), given=True)

    def __getstate__(self) -> dict[str, object]:
        """Return what copies and pickles keep: the page's name in place of the source of its random numbers."""
        return vars(self) | {"_page_name": self._page_name, "_integers": None}

    def __repr__(self) -> str:
        passes = counted(len(self.plan.passes), "pass")
        return f"Deal({counted(self.task.cards, 'card')} on a {self.task.mat} mat, goal {self.task.goal}: {passes})"

    def _repr_html_(self) -> str:
        from fairdeck.show.html import preformatted

        return preformatted(self.instructions())

    def instructions(self, rows: int = 4) -> str:
        """Return what to do as text, in blocks of `rows` rows of five labels."""
        return "\n".join(lines(self.plan, rows, given=self.given, of_board=self.of_board))

    def to_json(self, *, reveal: bool = False) -> str:
        """Return the plan as ``fairdeck-plan/1``, or ``/2`` if it turns cards; with `reveal` also the destinations."""
        revealed = {"destinations": inverse(self.arrangement)} if reveal else {}
        return json.dumps(self.plan.as_dict() | revealed, separators=(",", ":"))

    def html(self, voices: Sequence[str] = ("en",), board: Mapping[str, tuple[str, str]] | None = None) -> str:
        """Return the dealing page that plays this deal, as one HTML document; anyone who has it can work out the order.

        Args:
            voices: the languages whose recorded labels are included, some of ``fairdeck.page.LANGUAGES``.
            board: what a page of a board says, as for `fairdeck.page.build_one`.

        Raises:
            FairdeckError: no code can hold such a deal; see `fairdeck.dealing.share_code`.
        """
        from fairdeck.page import build_one

        return build_one(self.code(), self._page_name, voices, given=self.given, board=board)

    def code(self, dealer: int = 0) -> str:
        """Return the code with which the page of a `dealer`, 0 for the first, continues; see `dealing.share_code`."""
        from fairdeck.dealing.share_code import write_code

        return write_code(self.task, self.arrangement, dealer, turn=self.plan.passes[0].turn)

    @cached_property
    def _page_name(self) -> str:
        """A name for the page that says nothing about the order, because it stays on devices after the deal."""
        lots = [self._integers.below(LARGEST_BOUND) for _ in range(3)]
        return sha256(f"{lots} {self.task}".encode()).hexdigest()[:16]


def task_of(
    cards: int | str,
    mat: Mat | str = "5x2",
    goal: Goal | str = "deck",
    *,
    labels: str | Iterable[str] | None = None,
    dealers: int | str = 1,
    passes: int | str | None = None,
    classic: bool = False,
    bottom: Bottom = "pass",
    turn: bool = False,
) -> Task:
    """Return what is to be planned, from values as people type them; see `deal` for the arguments."""
    size = deck_size(cards)
    task = Task(
        cards=size,
        mat=mat if isinstance(mat, Mat) and labels is None else Mat.parse(str(mat), labels),
        goal=parse_goal(str(goal), size),
        dealers=whole("dealers", dealers, 1, LARGEST_DEALERS),
        least_passes=1 if passes is None else whole("passes", passes, 1, LARGEST_PASSES),
        classic=classic,
        bottom=bottom,
        turn=turn,
    )
    if passes is not None:
        refuse_too_few_passes(task)
    return task


@checked
def deal(
    cards: Cards,
    mat: Mat | str = "5x2",
    goal: Goal | str = "deck",
    *,
    labels: str | Iterable[str] | None = None,
    dealers: int = 1,
    passes: int | None = None,
    classic: bool = False,
    bottom: Bottom = "pass",
    turn: bool = False,
    seed: str | bytes | None = None,
) -> Deal:
    """Return how to deal a deck into a uniformly random order, which is drawn now.

    Args:
        cards: 1 to 1,000,000; or a list: its file, the name by which it was kept, the names of the cards, or a mapping
            from each name to its copies. What a file leaves out, such as a sideboard, is told by a warning.
        mat: columns x rows, such as ``"5x2"``; or a `Mat`.
        goal: ``"deck"``, ``"top:20"``, ``"hands:4x13"``, ``"hands:5,5,4+stock"``, ``"strata:5"``; or a goal as
            `parse_goal` returns it.
        labels: your own labels for the spaces, row by row; a list, or a text with commas.
        dealers: people who deal at once, 1 to 8, each with a mat.
        passes: the fewest passes to plan; more passes need fewer spaces.
        classic: one sort key a card, as other programs do.
        bottom: deal the first pass from the bottom of the deck ``"never"``, to save a ``"pass"``, or also to save
            a ``"space"``.
        turn: draw for each card a fair coin, which says whether it is turned end for end, as for tarot.
        seed: for tests only, because anyone who knows the seed knows the deck: bytes, or hexadecimal digits such as
            ``"c0ffee"``. Without a seed, the order comes from the operating system's cryptographic generator.

    Raises:
        FairdeckError: a value is out of range, or the mat is too small; the message names the value and the remedy.
    """
    cards, _ = size_and_kinds(cards)
    task = task_of(
        cards, mat, goal, labels=labels, dealers=dealers, passes=passes, classic=classic, bottom=bottom, turn=turn
    )
    return Deal.draw(task, random_integers(seed))


@checked
def deal_order(
    order: str | Iterable[str],
    start: str | Iterable[str] = "",
    mat: Mat | str = "5x2",
    goal: Goal | str = "deck",
    *,
    labels: str | Iterable[str] | None = None,
    dealers: int = 1,
    passes: int | None = None,
    classic: bool = False,
    bottom: Bottom = "pass",
) -> Deal:
    """Return how to deal a deck from an order that is known into one that is wanted. Nothing is drawn.

    `order` has the cards in the order wanted, **top first**, as people read a deck: names, or a text that lists them
    (`fairdeck.cards.decks.read_cards`); or ``"sorted"``. `start` has the cards as they lie now, likewise; or
    ``"sorted"``, or ``"1-n"`` for numbers from the top on. By default French cards are sorted (spades, hearts,
    diamonds, clubs, each from the ace down), and numbers count from the top. Equal cards have the same name; any of
    them goes to any of their places, so that the deal needs few spaces and passes.

    The other arguments (`mat`, `goal`, `labels`, `dealers`, `passes`, `classic`, `bottom`) are those of `deal`; hands
    take their cards from the top of `order`.

    Raises:
        FairdeckError: a card is unknown, missing or there too often, or as for `deal`.

    >>> import fairdeck
    >>> now = ["HK", "SA", "HA", "SK"]
    >>> sorting = fairdeck.deal_order("sorted", now, mat="2x1")
    >>> fairdeck.replay(sorting.plan, now[::-1])[0][::-1]
    ('SA', 'SK', 'HA', 'HK')
    """
    before, after = orders_of(order, start)
    task = task_of(
        len(before), mat, goal, labels=labels, dealers=dealers, passes=passes, classic=classic, bottom=bottom
    )
    return Deal.towards(task, before, after)


def orders_of(
    order: str | Iterable[str] | DeckList, start: str | Iterable[str] | DeckList = ""
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a deck as it lies now and as it is wanted, both top first; see `deal_order`.

    Raises:
        FairdeckError: a card is unknown, missing or there too often; or neither of the two says which cards there are.
    """
    known = start not in ("", SORTED, NUMBERED)
    if order == SORTED and not known:
        raise FairdeckError("the wanted order is sorted: say with start how the cards lie now, top first")
    if known:
        before = read_cards(start, "start", whole=order == SORTED)  # else the other list shows what is missing
        if order != SORTED:
            return before, read_cards(order, "order", before)
        try:
            return before, sorted_deck(before)
        except FairdeckError as error:
            raise FairdeckError(f"{source_of(start, 'start')}: {error}; list the order wanted, top first") from None
    after = read_cards(order, "order")
    if start == NUMBERED:
        numbers = numbered_deck(len(after))
        return numbers, read_cards(after, "order", numbers)
    try:
        before = sorted_deck(after)
        if start != SORTED and len(set(before)) < len(before):
            raise FairdeckError(f"equal cards may lie pack on pack, or sorted, {' '.join(before[:4])} and so on")
        return before, after
    except FairdeckError as error:
        instead = " instead of sorted" if start == SORTED else ""
        raise FairdeckError(
            f"{source_of(order, 'order')}: {error}; say with start how the cards lie now, top first{instead}"
        ) from None


@checked
def check(
    cards: Cards,
    mat: Mat | str = "5x2",
    goal: Goal | str = "deck",
    *,
    dealers: int = 1,
    passes: int | None = None,
    classic: bool = False,
    bottom: Bottom = "pass",
    turn: bool = False,
    pace: Pace = ASSUMED,
) -> Outlook:
    """Return what a deck and a mat imply, before an order is drawn: passes, spaces, heights, minutes, better mats.

    Args:
        cards: 1 to 1,000,000, or a list, as for `deal`.
        mat: columns x rows, such as ``"5x2"``; or a `Mat`.
        goal: as for `deal`.
        dealers: people who deal at once, 1 to 8, each with a mat.
        passes: the fewest passes to plan.
        classic: one sort key a card, as other programs do.
        bottom: as for `deal`.
        turn: as for `deal`.
        pace: how fast the hands are; by default about a second a card.

    Returns:
        What is known beforehand; ``.passes``, ``.spaces``, ``.minutes`` and ``.suggestions`` say the most.

    Raises:
        FairdeckError: as for `deal`.

    >>> import fairdeck
    >>> fairdeck.check({"Fox": 4, "Marsh": 56}, mat="5x2").passes
    2
    """
    size, _ = size_and_kinds(cards)
    task = task_of(size, mat, goal, dealers=dealers, passes=passes, classic=classic, bottom=bottom, turn=turn)
    return outlook(task, pace)
