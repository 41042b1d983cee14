"""The scripts of the pages beside Python: both take an input, with the same result, or both refuse it."""

import json
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import islice
from math import isclose
from typing import Any

import quickjs

from fairdeck.dealing import two_deals
from fairdeck.dealing.code_reader import read_code
from fairdeck.dealing.eulerian import descent_law, first_above_law
from fairdeck.dealing.goal import Goal, Hands, TopCards, WholeDeck
from fairdeck.dealing.letters import read_letters, write_letters
from fairdeck.dealing.mat import Mat, is_shown, letters, look
from fairdeck.dealing.messages import read_invitation
from fairdeck.dealing.outlook import outlook
from fairdeck.dealing.plan import read_plan
from fairdeck.dealing.planner import Task, draw
from fairdeck.dealing.share_code import LARGEST_CODED, LONGEST_LABEL, MOST_DEALERS, write_code
from fairdeck.dealing.slips import explanations, way_back
from fairdeck.errors import FairdeckError
from fairdeck.explore import HERE
from fairdeck.page.modules import SCRIPTS, joined
from fairdeck.permutation import rank
from fairdeck.randomness import RandomIntegers, seeded_words, uniform_permutation
from tests.fuzz.choices import Choices, text
from tests.fuzz.readers import LONGEST_TIME, MOST_MEMORY, demand, reader

Asked = Callable[..., Any]
REFUSED = None
HELPERS = """
const GOALS = {
  deck: () => wholeDeck(), top: ({ cards, goal }) => topCards(cards, goal.ordered),
  hands: ({ cards, goal }) => hands(cards, goal.sizes, goal.left),
};
const taskOf = (given) => (
  {
    ...given, leastPasses: given.least_passes, mat: makeMat(given.columns, given.rows),
    goal: GOALS[given.goal.kind](given),
  }
);
function tape(words) {
  let at = 0;
  return () => { if (at === words.length) throw new Error("tape"); return words[at++]; };
}
function asked(name, text) {
  try {
    return JSON.stringify(ASKED[name](...JSON.parse(text)));
  } catch (error) {
    if (error instanceof InternalError) throw error;
    return "null";
  }
}
"""
OF_DEALS = """
const ASKED = {
  code: (text) => {
    const found = readCode(text);
    if (!found) return null;
    return { plan: found.plan, dealer: found.dealer, at: found.at, order: found.order, code: writeCode(found) };
  },
  plan: (task, words) => planFor(taskOf(task), uniformPermutation(task.cards, integersFrom(tape(words)))),
  advice: (task) => ({ ...advise(taskOf(task)), suggestions: suggestionsFor(taskOf(task)) }),
  slips: (list, dealt, heights, columns, hand) => explanations(list, dealt, heights, columns, hand).map((slip) => {
    const way = wayBack(list, dealt, slip);
    const back = slip.card < 0 || slip.kind === "misplaced" ? null : way;
    return [slip.kind, slip.card, slip.card < 0 ? null : slip.space, back];
  }),
  descents: (n) => descentLaw(n),
  above: (n, others) => firstAboveLaw(n, others),
  label: (text) => [SHOWN.test(text), lookOf(text)],
  unassigned: (text) => [...text].map((each) => /\\p{Cn}/u.test(each)),
};
"""
OF_DRAWS = """
const ASKED = {
  letters: (mark, kinds, text) => {
    const found = readLetters(mark, kinds, text);
    return found && [found.kind, hexOf(found.content)];
  },
  invitation: (text) => {
    const found = readInvitation(text);
    return found && hexOf(found.digest);
  },
};
"""
OF_TWO = """
const ASKED = {
  other: (text) => {
    const found = readOther(text);
    if (!found) return null;
    const told = found.seal ? [hexOf(found.seal)] : [found.shown.code, hexOf(found.shown.seal)];
    return [hexOf(found.session), found.person, ...told];
  },
};
"""
OF_SORTING = """
const ASKED = { plan: (text) => readPlan(text).faults.length === 0 };
"""
OF_RANKS = """
const ASKED = {
  rank: (order) => String(rankOf(order)),
  unrank: (rank, n) => unrank(BigInt(rank), n),
};
"""


@cache
def page(folder: str, modules: tuple[str, ...], helpers: str) -> Asked:
    """Return a function that asks the scripts of a page: the name of what is asked, and values; None if they refuse."""
    context = quickjs.Context()
    context.set_memory_limit(MOST_MEMORY)
    context.set_time_limit(LONGEST_TIME)
    folders = (HERE / folder, HERE / "scripts", SCRIPTS) if folder else (SCRIPTS,)
    context.eval(joined(*modules, folders=folders) + helpers + (HELPERS if "taskOf" in helpers else ASKING))
    asked = context.get("asked")
    # As escapes: a lone surrogate, or a letter that is no letter, comes through too.
    return lambda name, *values: json.loads(asked(name, json.dumps(values)))


ASKING = HELPERS[HELPERS.index("function asked") :]


def deals() -> Asked:
    """Return the scripts of the dealing page."""
    return page("", ("code", "advice", "randomness", "slips", "eulerian"), OF_DEALS)


def python(read: Callable[[], Any]) -> Any:
    """Return what Python reads, as JSON holds it; None if it refuses."""
    try:
        return json.loads(json.dumps(read()))
    except FairdeckError:
        return REFUSED


def same(ours: Any, theirs: Any, about: object) -> None:
    """Demand that both sides say the same."""
    demand(ours == theirs, f"{about!r}: Python says {str(ours)[:400]}, the page says {str(theirs)[:400]}")
    if ours is REFUSED:
        raise FairdeckError("refused by both")


def task_of(choices: Choices) -> tuple[dict[str, Any], Callable[[], Task]]:
    """Return a task as the page holds it, and a function that makes it in Python, or refuses it."""
    cards = choices.pick((1, 2, 3, 4, 5, 7, 12, 20, 52, 60, 104, choices.between(1, 450)))
    columns, rows = choices.between(1, 9), choices.between(1, 4)
    kind = choices.pick(("deck", "top", "hands"))
    goal: dict[str, Any] = {"kind": kind}
    made: Callable[[], Goal] = WholeDeck
    if kind == "top":
        ordered = choices.between(1, cards)
        goal["ordered"], made = ordered, lambda: TopCards(ordered)
    if kind == "hands":
        sizes = tuple(choices.between(1, max(1, cards // 2)) for _ in range(choices.between(1, 6)))
        left, over = choices.pick(("stock", "rest")), cards - sum(sizes)
        goal |= {"sizes": sizes, "left": left}
        made = lambda: Hands(sizes, **({left: over} if over else {}))  # noqa: E731
        if over < 0:  # the page's form asks for no such hands
            goal, made = {"kind": "deck"}, WholeDeck
    rest = {
        "dealers": choices.between(1, min(cards, MOST_DEALERS)),  # the page's form asks for no more
        "least_passes": choices.pick((1, 1, 1, 2, 3, 5)),
        "classic": choices.pick((False, True)),
        "bottom": choices.pick(("never", "pass", "space")),
    }
    told = {"cards": cards, "columns": columns, "rows": rows, "goal": goal, **rest}
    return told, lambda: Task(cards, Mat(columns, rows), made(), **rest)


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
    "\x85",
    "\ufeff",
)


@reader("page-code", words=CODE_WORDS)
def page_code(data: bytes) -> None:
    """Codes of deals, read by the page and by Python."""

    def ours() -> object:
        found = read_code(given)
        written = write_code(found.task, found.arrangement, found.dealer, found.at)
        plan = draw_again(found.task, found.arrangement)
        return {"plan": plan, "dealer": found.dealer, "at": found.at, "order": found.arrangement, "code": written}

    given = text(data)
    same(python(ours), deals()("code", given), given)


def draw_again(task: Task, arrangement: tuple[int, ...]) -> dict[str, Any]:
    """Return the plan of a task, as JSON."""
    from fairdeck.dealing.planner import plan_for

    return plan_for(task, arrangement).as_dict()


@reader("page-made-code")
def page_made_code(data: bytes) -> None:
    """Codes made of random tasks and orders, one letter changed in some, read by the page and by Python."""
    choices = Choices(data)
    _, make = task_of(choices)
    task = make()
    seed, dealer, at = choices.take(4), choices.below(task.dealers), choices.below(300)
    if task.least_passes > 1 or task.cards > LARGEST_CODED or task.dealers > MOST_DEALERS:
        return
    order = uniform_permutation(task.cards, RandomIntegers(seeded_words(seed)))
    code = write_code(task, order, dealer, at)
    while not choices.ended:
        place = choices.below(len(code))
        code = code[:place] + chr(choices.between(32, 126)) + code[place + choices.below(2) :]
    page_code(code.encode())


@reader("page-plan")
def page_plan(data: bytes) -> None:
    """Tasks and tapes of random words, planned by the page and by Python."""
    choices = Choices(data)
    told, make = task_of(choices)
    words = [choices.pick((0, 1, 2**31, 2**32 - 1, choices.below(2**32))) for _ in range(choices.below(20))]
    words += islice(seeded_words(choices.take(2)), choices.below(500))
    ours = python(lambda: draw(make(), RandomIntegers(words))[0].as_dict())
    same(ours, deals()("plan", told, words), (told, words))


@reader("page-advice", in_test=8)
def page_advice(data: bytes) -> None:
    """What a task means, and which mats are better, by the page and by Python."""
    told, make = task_of(Choices(data))

    def ours() -> object:
        found = outlook(make())
        ways = [
            [int(way.mat.split("x")[0]), int(way.mat.split("x")[1]), way.passes, way.spaces]
            for way in found.suggestions
        ]
        return [found.passes, found.spaces, found.tallest, found.minutes, ways, found.chance_of_one_more_pass]

    theirs, found = deals()("advice", told), python(ours)
    if theirs:
        ways = [[way["columns"], way["rows"], way["passes"], way["spaces"]] for way in theirs["suggestions"]]
        chance = theirs["chanceOfOneMorePass"]
        theirs = [theirs["passes"], theirs["spaces"], theirs["tallest"], theirs["minutes"], ways, chance]
        if found and isclose(found[-1], chance, abs_tol=1e-12):
            theirs[-1] = found[-1]
    same(found, theirs, told)


@reader("page-slips")
def page_slips(data: bytes) -> None:
    """Heights of piles, and the slips that explain them, by the page and by Python."""
    choices = Choices(data)
    columns, rows = choices.between(1, 7), choices.between(1, 3)
    size = columns * rows
    spaces = [choices.below(size) for _ in range(choices.between(1, 40))]
    dealt = choices.pick((len(spaces), choices.between(0, len(spaces))))
    heights, hand = [spaces[:dealt].count(space) for space in range(size)], len(spaces) - dealt
    for _ in range(choices.below(4)):
        at = choices.below(size)
        heights[at] = max(0, heights[at] + choices.pick((1, -1, 2)))
    hand = max(0, hand + choices.pick((0, 0, 1, -1)))

    def ours() -> object:
        found = []
        for slip in explanations(spaces, dealt, heights, columns, hand):
            way = way_back(spaces, dealt, slip, size)
            back = None
            if way and not way.lift:
                back = {"take": [space for space, cards in way.take for _ in range(cards)], "next": way.next}
            card = -1 if slip.card is None else slip.card
            if not slip.difference:
                found.append([slip.kind, card, None if card < 0 else slip.space, back])
        return found

    same(python(ours), deals()("slips", spaces, dealt, heights, columns, hand), (spaces, dealt, heights, columns, hand))


@reader("page-eulerian", longest=8, in_test=10)
def page_eulerian(data: bytes) -> None:
    """The laws of descents, by the page and by Python."""
    choices = Choices(data)
    n = choices.between(1, 1_000)
    others = choices.between(0, 40)
    first, law = descent_law(n)
    start, chances = deals()("descents", n)
    near(first == start and len(law) == len(chances), law, chances, n)
    theirs = deals()("above", n, others)
    near(len(theirs) == len(first_above_law(n, others)), first_above_law(n, others), theirs, (n, others))


def near(alike: bool, ours: Any, theirs: Any, about: object) -> None:
    """Demand that two laws are the same, but for rounding."""
    close = alike and all(abs(a - b) < 1e-12 for a, b in zip(ours, theirs, strict=True))
    demand(close, f"{about}: {ours} and {theirs}")


@reader(
    "page-label",
    longest=60,
    words=("\u0301", "\ufe0f", "\u200b", "\u2800", " ", "é", "\U000e0100", "\u034f", "\U0001f3b4"),
)
def page_label(data: bytes) -> None:
    """Labels and names: whether they can be seen, and how they look, by the page and by Python."""
    given = data.decode("utf-8", "replace")
    if [unicodedata.category(each) == "Cn" for each in given] != deals()("unassigned", given):
        return  # one of them knows a newer Unicode: letters that the other does not know yet
    same([is_shown(given), look(given)], deals()("label", given), given)


def draws() -> Asked:
    """Return the scripts of the page `together`."""
    return page("together", ("session",), OF_DRAWS)


@reader("page-message", words=("T1-A-", "T1-C-", "tl-r", "T2-C-", "I", "O", "U", "#", "\x85", "\ufeff", "ß", "ı", "ſ"))
def page_message(data: bytes) -> None:
    """Messages as letters, read by the page and by Python: as typed, and with a right checksum."""
    choices = Choices(data)
    mark, kinds = choices.pick((("T1", "ACLRS"), ("T2", "CR")))
    if choices.pick((True, False)):
        written = text(choices.rest())
    else:
        written = write_letters(mark, choices.pick(kinds), choices.take(choices.below(40)))
        while not choices.ended:
            place = choices.below(len(written))
            written = written[:place] + choices.pick("0OIL1U- abcZ#") + written[place + choices.below(2) :]

    def ours() -> object:
        kind, content = read_letters(mark, kinds, written)
        return [kind, content.hex()]

    same(python(ours), draws()("letters", mark, kinds, written), written)


@reader(
    "page-invitation", words=("fairdeck-together/1", "classic", "hands:2x2+rest", "\0\0\0\x08", "2026-12-01T18:00Z")
)
def page_invitation(data: bytes) -> None:
    """Agreements, read by the page and by Python."""
    written = write_letters("T1", "A", data)
    ours, theirs = python(lambda: read_invitation(written).digest.hex()), draws()("invitation", written)
    if ours and not theirs and beyond_page(written):
        return
    same(ours, theirs, data)


def beyond_page(invitation: str) -> bool:
    """Return whether an agreement is larger than the page takes: docs/reference/draw.md says so."""
    agreed = read_invitation(invitation)
    large = agreed.task.cards > LARGEST_CODED or agreed.task.dealers > MOST_DEALERS
    return large or bool(agreed.beacon and agreed.beacon.round > 2**53)


@reader("page-order-of-two", words=(".classic.", "f1.", "hands_2x2"))
def page_order_of_two(data: bytes) -> None:
    """Orders of deals by two, read by the page and by Python."""
    choices = Choices(data)
    kind = choices.pick("CR")
    written = write_letters("T2", kind, choices.rest())

    def ours() -> object:
        if kind == "C":
            session, person, seal = two_deals.read_commitment(written)
            return [session.hex(), person, seal.hex()]
        half = two_deals.read_order(written)
        return [half.session.hex(), half.person, half.code, half.commitment.hex()]

    same(python(ours), page("two", ("orders",), OF_TWO)("other", written), data)


@reader("page-sorted-plan", is_json=True)
def page_sorted_plan(data: bytes) -> None:
    """Plans, taken or refused by the page that sorts and by Python."""
    given = data.decode("utf-8", "replace")
    theirs = page("sort", ("reading",), OF_SORTING)("plan", given)
    try:
        found, _ = read_plan(given)
    except FairdeckError:
        parsed = as_parsed(given)
        demand(not theirs or not parsed or python(lambda: bool(read_plan(parsed))), f"the page takes {given!r}")
        raise
    short = all(letters(label) <= LONGEST_LABEL for label in found.mat.labels)
    fits = short and 2 <= found.cards <= 200 and len(found.passes) <= 12 and found.mat.spaces > 1
    demand(theirs or not fits or "NaN" in given or "Infinity" in given, f"the page refuses {given!r}")


def as_parsed(given: str) -> str:
    """Return JSON as JSON.parse understands it, which does not tell 2.0 from 2; empty if it is no JSON.

    JSON.parse of this engine takes "2." too, which that of a browser refuses.
    """
    try:
        found = json.loads(given, parse_float=lambda each: int(float(each)) if float(each).is_integer() else each)
    except ValueError:
        return ""
    return json.dumps(found)


@reader("page-rank", longest=60)
def page_rank(data: bytes) -> None:
    """Ranks of orders, by the page and by Python."""
    choices = Choices(data)
    n = choices.between(1, 60)
    order = uniform_permutation(n, RandomIntegers(seeded_words(choices.take(4))))
    asked = page("random", ("ranks",), OF_RANKS)
    found = rank(order)
    same(str(found), asked("rank", order), order)
    same(list(order), asked("unrank", str(found), n), order)
