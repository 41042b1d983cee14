r"""The notation for packet flows, read and written; and how a flow cuts a pack.

A flow says where every part of every packet goes in each step:

    scheme two-way
    pack 104 packets 1 2
    step {
        1 = 1[0:1/2] ~ 2[0:1/2]
        2 = 1[1/2:1] ~ 2[1/2:1]
    }

``SRC[lo:hi]`` is the part of packet SRC between two fractions **from its top**, as people read a
deck; the whole packet is ``SRC``. ``a + b`` (or ``a, b``) stacks, the left one on top. ``a ~ b``
riffles a and b into each other. ``!a`` riffles a by itself. Otherwise the parts are only
put together. After the last step the first follows again. The packets lie in the pack in the order of their
declaration, the first on top. Optional lines before the first step are ``title``, ``for``, ``players 1 to 2``,
``cards 52 to 208``, ``advice 4 steps 3 riffles``, and ``source``; ``#`` begins a comment.

`part` and `taken` cut real packs; a deck is bottom first there, as everywhere else. A packet of m cards, cut at the
fraction f from its top, has ``places(f, m)`` cards above the cut: f m rounded to the nearest whole number, halves up.
The pack is cut in the same way. Nothing else is rounded.

The idea is that of D. Barber, Procedures for shuffling large packs of cards (2019), which nobody here has seen;
notation and steps are this project's.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, repeat
from unicodedata import category

from fairdeck.doors import check_fields, checked
from fairdeck.errors import FairdeckError

Deck = tuple[int, ...]

MOST_CARDS = 10_000
MOST_PACKETS = 26
MOST_STEPS = 26
MOST_SLICES = 26 * 26
MOST_TEXT = 100_000  # characters
MOST_DIGITS = 4
MOST_RIFFLES = 20
MOST_ROUNDS = 60

JOINT, ALONE, STACKED = "~", "!", ""


@dataclass(frozen=True, slots=True)
class Slice:
    """The part of a packet between two fractions from its top; `line` is where it stands in the text."""

    packet: str
    start: Fraction = Fraction(0)
    end: Fraction = Fraction(1)
    line: int = field(default=0, compare=False, repr=False)

    @property
    def share(self) -> Fraction:
        """The size of the slice, as a share of the packet."""
        return self.end - self.start

    def __str__(self) -> str:
        whole = self.start == 0 and self.end == 1
        return self.packet if whole else f"{self.packet}[{self.start}:{self.end}]"


@dataclass(frozen=True, slots=True)
class Move:
    """How a step makes one packet."""

    packet: str  # its name
    kind: str  # `JOINT` (``upper ~ lower``), `ALONE` (``!upper``) or `STACKED`
    upper: tuple[Slice, ...]  # slices, the topmost first
    lower: tuple[Slice, ...] = ()  # the slices that the upper ones are riffled into; empty unless `JOINT`
    line: int = field(default=0, compare=False, repr=False)

    @property
    def slices(self) -> tuple[Slice, ...]:
        """All slices as they lie before the riffle, the topmost first."""
        return self.upper + self.lower

    def __str__(self) -> str:
        upper, lower = (" + ".join(map(str, part)) for part in (self.upper, self.lower))
        if self.kind == JOINT:
            return f"{self.packet} = {upper} ~ {lower}"
        if self.kind == ALONE:
            return f"{self.packet} = !({upper})" if len(self.upper) > 1 else f"{self.packet} = !{upper}"
        return f"{self.packet} = {upper}"


Step = tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Flow:
    """A flow: its packets, its steps, and facts about it.

    Attributes:
        name: what people type.
        cards: the size of the pack; other sizes are cut as evenly as possible.
        packets: the names of the packets before the first step, the topmost first.
        steps: the steps, which repeat.
        title: one line for lists.
        purpose: which people or packs the flow is for.
        players: the smallest and largest number of people.
        sizes: the smallest and largest suitable pack.
        rounds: the advised number of steps.
        riffles: the advised riffles of each packet in a step.
        source: where the flow was published.
    """

    name: str
    cards: int
    packets: tuple[str, ...]
    steps: tuple[Step, ...]
    title: str = ""
    purpose: str = ""
    players: tuple[int, int] = (1, MOST_PACKETS)
    sizes: tuple[int, int] = (1, MOST_CARDS)
    rounds: int = 4
    riffles: int = 3
    source: str = ""

    def __post_init__(self) -> None:
        check_fields(self)
        check(self)

    def names(self, step: int) -> tuple[str, ...]:
        """Return the names of the packets after `step` steps, the top one first."""
        if step % len(self.steps) == 0:
            return self.packets
        made = tuple(move.packet for move in self.steps[step % len(self.steps) - 1])
        return self.packets if set(made) == set(self.packets) else made

    def moves(self, step: int) -> Step:
        """Return the moves of the step after `step` others, in the order of the packets that they make."""
        by_name = {move.packet: move for move in self.steps[step % len(self.steps)]}
        return tuple(by_name[name] for name in self.names(step + 1))

    @property
    def hands(self) -> tuple[str, ...]:
        """All names of packets, in order of appearance."""
        made = [move.packet for step in self.steps for move in step]
        return tuple(dict.fromkeys([*self.packets, *made]))


def check(flow: Flow) -> None:
    """Check that a flow is possible with real cards: each part of each packet goes to one place.

    Raises:
        FairdeckError: a slice is missing, taken twice or out of range, a packet is unknown, made
            twice or lost; the message says where, if the flow was read from a text.
    """
    if not flow.packets or not flow.steps:
        raise FairdeckError(f"scheme {flow.name}: a flow needs packets and steps")
    if len(flow.packets) > MOST_PACKETS or len(flow.steps) > MOST_STEPS:
        raise FairdeckError(f"scheme {flow.name}: at most {MOST_PACKETS} packets and {MOST_STEPS} steps")
    if len(set(flow.packets)) < len(flow.packets):
        raise FairdeckError(f"scheme {flow.name}: two packets have the same name in {' '.join(flow.packets)}")
    before = flow.packets
    for number, step in enumerate(flow.steps, 1):
        _check_step(number, step, before)
        before = tuple(move.packet for move in step)
    if set(before) != set(flow.packets):
        raise FairdeckError(
            f"{_place(flow.steps[-1][-1].line)}the last step makes packets {', '.join(before)}; "
            f"it must make {', '.join(flow.packets)}, with which the first begins"
        )


def _check_step(number: int, step: Step, before: Sequence[str]) -> None:
    made: set[str] = set()
    parts: dict[str, list[Slice]] = {name: [] for name in before}
    for move in step:
        if move.packet in made:
            raise FairdeckError(f"{_place(move.line)}step {number} makes packet {move.packet} twice")
        made.add(move.packet)
        for part in move.slices:
            if part.packet not in parts:
                known = ", ".join(before)
                raise FairdeckError(
                    f"{_place(part.line)}packet {part.packet} does not exist here; the packets are {known}"
                )
            if not 0 <= part.start < part.end <= 1:
                raise FairdeckError(f"{_place(part.line)}{part} is not a part of a packet: write 0 <= from < to <= 1")
            parts[part.packet].append(part)
    line = step[0].line if step else 0
    for name, slices in parts.items():
        _check_parts(number, name, slices, line)
    if len(made) > MOST_PACKETS or sum(map(len, parts.values())) > MOST_SLICES:
        raise FairdeckError(f"{_place(line)}step {number} has too many packets: at most {MOST_PACKETS}")


def _check_parts(number: int, name: str, slices: Sequence[Slice], line: int) -> None:
    """Check that the slices of one packet make up the whole packet, each part once."""
    reached = Fraction(0)
    for part in sorted(slices, key=lambda part: part.start):
        if part.start > reached:
            raise FairdeckError(f"{_place(part.line)}step {number} leaves out {name}[{reached}:{part.start}]")
        if part.start < reached:
            twice = f"{name}[{part.start}:{min(reached, part.end)}]"
            raise FairdeckError(f"{_place(part.line)}step {number} takes {twice} twice")
        reached = part.end
    if reached < 1:
        rest = f"{name}[{reached}:1]" if reached else f"packet {name}"
        raise FairdeckError(f"{_place(line)}step {number} leaves out {rest}: every card must go to a packet")


def _place(line: int) -> str:
    return f"line {line}: " if line else ""


# --- reading

_NAME = "[A-Za-z0-9_]{1,12}"
_NUMBER = rf"(?:[0-9]*\.[0-9]{{1,{MOST_DIGITS}}}|[0-9]{{1,{MOST_DIGITS + 1}}})"
_FRACTION = rf"\s*({_NUMBER})\s*(?:/\s*({_NUMBER})\s*)?"
_SLICE = rf"({_NAME})\s*(?:\[{_FRACTION}:{_FRACTION}\])?"
_FACTS = ("title", "for", "players", "cards", "advice", "source")
_STEP, _MOVE = "step { ... }", "a move such as 1 = 1[0:1/2] ~ 2[0:1/2]"

Statement = tuple[int, str]
"""The line on which a statement begins, and the statement; it is empty after the last one."""


@checked
def read_flow(text: str) -> Flow:
    """Return the flow that `text` describes.

    Raises:
        FairdeckError: the text is not a flow; the message begins with the line, and says what was expected.

    >>> flow = read_flow("scheme mine; pack 52 packets 2; step { 1 = 1[0:1/2] ~ 2; 2 = !1[1/2:1] }")
    >>> flow.packets, str(flow.steps[0][1])
    (('1', '2'), '2 = !1[1/2:1]')
    """
    if len(text) > MOST_TEXT:
        raise FairdeckError(f"a flow of {len(text):,} characters is too long: at most {MOST_TEXT:,}")
    facts, statements = _parted(text)
    todo = chain(statements, repeat((text.count("\n") + 1, "")))
    name = _matched(next(todo), r"scheme\s+([\w-]{1,40})", "scheme NAME (up to 40 letters, digits, _ and -)")[1]
    line, words = next(todo)
    pack = _matched((line, words), rf"pack\s+(\S+)\s+packets((?:\s+{_NAME})+)", "pack CARDS packets NAMES")
    (cards,) = _numbers((line, pack[1]), "([0-9]{1,9})", (MOST_CARDS,), f"the cards of the pack (1 to {MOST_CARDS})")
    packets = tuple(pack[2].split())
    if len(packets) == 1 and packets[0].isdigit():
        (many,) = _numbers((line, packets[0]), "([0-9]{1,9})", (MOST_PACKETS,), f"1 to {MOST_PACKETS} packets")
        packets = tuple(map(str, range(1, many + 1)))
    steps: list[Step] = []
    statement = next(todo)
    while statement[1] or not steps:
        _matched(statement, "step", _STEP)
        _matched(next(todo), r"\{", _STEP)
        moves: list[Move] = []
        while (statement := next(todo))[1] != "}" or not moves:
            moves.append(_move(statement))
        steps.append(tuple(moves))
        statement = next(todo)
    return Flow(name, cards, packets, tuple(steps), **_fields(facts))  # type: ignore[arg-type]


def _parted(text: str) -> tuple[list[Statement], list[Statement]]:
    """Return the lines of plain words, and the other statements."""
    facts, statements = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if line.split(maxsplit=1)[:1] and line.split(maxsplit=1)[0] in _FACTS:
            facts.append((number, line.strip()))
            continue
        parts = re.split(r"([{}])|;", line.partition("#")[0])
        statements += [(number, part.strip()) for part in parts if part and part.strip()]
    return facts, statements


def _matched(statement: Statement, pattern: str, expected: str) -> re.Match[str]:
    match = re.fullmatch(pattern, statement[1])
    if match is None:
        raise _wrong(statement, expected)
    return match


def _wrong(statement: Statement, expected: str) -> FairdeckError:
    line, words = statement
    there = f"there is {words[:40]!r}" if words else "the text ends"
    return FairdeckError(f"{_place(line)}expected {expected}; {there}")


def _numbers(statement: Statement, pattern: str, most: Sequence[int], expected: str) -> list[int]:
    """Return the whole numbers in a statement, each from 1 to its `most`."""
    numbers = [int(number) for number in _matched(statement, pattern, expected).groups() if number]
    if not all(1 <= number <= limit for number, limit in zip(numbers, most, strict=False)):
        raise _wrong(statement, expected)
    return numbers


def _move(statement: Statement) -> Move:
    line, _ = statement
    packet, alone, taken = _matched(statement, rf"({_NAME})\s*=\s*(!?)([^=!]+)", _MOVE).groups()
    upper, *lower = taken.split("~")
    if len(lower) > (not alone):
        raise _wrong(statement, "only two packets riffled together")
    kind = ALONE if alone else JOINT if lower else STACKED
    return Move(packet, kind, _stack(line, upper), _stack(line, lower[0]) if lower else (), line)


def _stack(line: int, text: str) -> tuple[Slice, ...]:
    parts = re.sub(r"^\((.*)\)$", r"\1", text.strip())
    return tuple([_slice((line, part.strip())) for part in re.split("[+,]", parts)])


def _slice(statement: Statement) -> Slice:
    packet, *cuts = _matched(statement, _SLICE, "a packet or a part of one, such as 2 or 2[0:1/2]").groups()
    if not cuts[0]:
        return Slice(packet, line=statement[0])
    above, below = cuts[::2], [Fraction(each or 1) for each in cuts[1::2]]
    if not all(below):
        raise _wrong(statement, "a number above 0 to divide by")
    start, end = (Fraction(one) / other for one, other in zip(above, below, strict=True))
    return Slice(packet, start, end, statement[0])


def _fields(facts: Sequence[Statement]) -> dict[str, object]:
    """Return the fields of a flow that the lines of plain words give."""
    fields: dict[str, object] = {}
    given: set[str] = set()
    for line, text in facts:
        word, words = (*text.split(maxsplit=1), "")[:2]
        fact = (line, words)
        if any(category(letter) == "Cc" and letter != "\t" for letter in words):  # a terminal would obey it
            raise _wrong(fact, f"{word} and plain text")
        if word in given:
            raise FairdeckError(f"{_place(line)}{word} is given twice")
        given.add(word)
        if word in ("players", "cards"):
            field, most = ("players", MOST_PACKETS) if word == "players" else ("sizes", MOST_CARDS)
            expected = f"{word} 1 to 2, at most {most}"
            numbers = _numbers(fact, "([0-9]{1,6})(?: to ([0-9]{1,6}))?", (most, most), expected)
            if numbers[0] > numbers[-1]:
                raise _wrong(fact, expected)
            fields[field] = numbers[0], numbers[-1]
        elif word == "advice":
            pattern, most_of_each = "([0-9]{1,3}) steps?,? ([0-9]{1,3}) riffles?", (MOST_ROUNDS, MOST_RIFFLES)
            fields["rounds"], fields["riffles"] = _numbers(fact, pattern, most_of_each, "advice 4 steps 3 riffles")
        else:
            fields["purpose" if word == "for" else word] = words
    return fields


def write_flow(flow: Flow) -> str:
    """Return `flow` in the notation; `read_flow` reads it back.

    >>> print(write_flow(read_flow("scheme a; pack 9 packets 1 2; step { 1 = !2; 2 = 1 }")), end="")
    scheme a
    pack 9 packets 1 2
    step {
        1 = !2
        2 = 1
    }
    """
    lines = [f"scheme {flow.name}"]
    lines += [f"{word} {text}" for word, text in _plain(flow).items() if text]
    lines.append(f"pack {flow.cards} packets {' '.join(flow.packets)}")
    for step in flow.steps:
        lines += ["step {", *(f"    {move}" for move in step), "}"]
    return "\n".join(lines) + "\n"


def _plain(flow: Flow) -> dict[str, str]:
    default = Flow.__dataclass_fields__
    facts = {"title": flow.title, "for": flow.purpose, "players": "", "cards": "", "advice": "", "source": flow.source}
    if flow.players != default["players"].default:
        facts["players"] = _span(flow.players)
    if flow.sizes != default["sizes"].default:
        facts["cards"] = _span(flow.sizes)
    if (flow.rounds, flow.riffles) != (default["rounds"].default, default["riffles"].default):
        facts["advice"] = f"{flow.rounds} steps {flow.riffles} riffles"
    return facts


def _span(ends: tuple[int, int]) -> str:
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


# --- cutting


def places(share: Fraction, cards: int) -> int:
    """Return how many of `cards` a share is, halves rounded up.

    >>> [places(Fraction(1, 2), cards) for cards in (26, 27)]
    [13, 14]
    """
    return (2 * share.numerator * cards + share.denominator) // (2 * share.denominator)


def part(flow: Flow, deck: Sequence[int]) -> dict[str, Deck]:
    """Return the packets into which the flow cuts the pack, each bottom first; the first was on top."""
    many, n = len(flow.packets), len(deck)
    cuts = [places(Fraction(at, many), n) for at in range(many + 1)]
    return {name: tuple(deck[n - cuts[at + 1] : n - cuts[at]]) for at, name in enumerate(flow.packets)}


def taken(move: Move, packets: dict[str, Deck]) -> tuple[Deck, int]:
    """Return the stacked slices of a move, bottom first, and how many of the cards are the lower part."""

    def stacked(slices: Sequence[Slice]) -> Iterator[int]:
        for each in reversed(slices):
            packet, size = packets[each.packet], len(packets[each.packet])
            yield from packet[size - places(each.end, size) : size - places(each.start, size)]

    lower = tuple(stacked(move.lower))
    return lower + tuple(stacked(move.upper)), len(lower)


def sizes(flow: Flow, cards: int) -> Iterator[dict[str, int]]:
    """Yield without end how many cards each packet has: at the start, after one step, after two, ..."""
    packets, step = part(flow, range(cards)), 0
    while True:
        yield {name: len(deck) for name, deck in packets.items()}
        packets, step = {move.packet: taken(move, packets)[0] for move in flow.moves(step)}, step + 1
