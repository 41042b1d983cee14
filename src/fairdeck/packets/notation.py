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
``cards 52 to 208``, ``advice 4 steps 3 riffles``, ``source`` and ``says NAME: ...``; ``#`` begins a comment.

`part` and `taken` cut real packs; a deck is bottom first there, as everywhere else. A packet of m cards, cut at the
fraction f from its top, has ``places(f, m)`` cards above the cut: f m rounded to the nearest whole number, halves up.
The pack is cut in the same way. Nothing else is rounded.

After D. Barber, Procedures for shuffling large packs of cards (2019); notation and steps are this project's.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple
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
    """The part of a packet between two fractions from its top; `at` is its line and column in the text."""

    packet: str
    start: Fraction = Fraction(0)
    end: Fraction = Fraction(1)
    at: tuple[int, int] = field(default=(0, 0), compare=False, repr=False)

    @property
    def share(self) -> Fraction:
        """The size of the slice, as a share of the packet."""
        return self.end - self.start

    def __str__(self) -> str:
        whole = self.start == 0 and self.end == 1
        return self.packet if whole else f"{self.packet}[{self.start}:{self.end}]"


@dataclass(frozen=True, slots=True)
class Move:
    """How a step makes one packet.

    Attributes:
        packet: its name.
        kind: `JOINT` (``upper ~ lower``), `ALONE` (``!upper``) or `STACKED`.
        upper: slices, the topmost first.
        lower: the slices that the upper ones are riffled into; empty unless `JOINT`.
    """

    packet: str
    kind: str
    upper: tuple[Slice, ...]
    lower: tuple[Slice, ...] = ()
    at: tuple[int, int] = field(default=(0, 0), compare=False, repr=False)

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
        says: what each player does, in words; pairs of a packet's name and a sentence.
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
    says: tuple[tuple[str, str], ...] = ()

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
            f"{_place(flow.steps[-1][-1].at)}the last step makes packets {', '.join(before)}; "
            f"it must make {', '.join(flow.packets)}, with which the first begins"
        )


def _check_step(number: int, step: Step, before: Sequence[str]) -> None:
    made: set[str] = set()
    parts: dict[str, list[Slice]] = {name: [] for name in before}
    for move in step:
        if move.packet in made:
            raise FairdeckError(f"{_place(move.at)}step {number} makes packet {move.packet} twice")
        made.add(move.packet)
        for part in move.slices:
            if part.packet not in parts:
                known = ", ".join(before)
                raise FairdeckError(
                    f"{_place(part.at)}packet {part.packet} does not exist here; the packets are {known}"
                )
            if not 0 <= part.start < part.end <= 1:
                raise FairdeckError(f"{_place(part.at)}{part} is not a part of a packet: write 0 <= from < to <= 1")
            parts[part.packet].append(part)
    at = step[0].at if step else (0, 0)
    for name, slices in parts.items():
        _check_parts(number, name, slices, at)
    if len(made) > MOST_PACKETS or sum(map(len, parts.values())) > MOST_SLICES:
        raise FairdeckError(f"{_place(at)}step {number} has too many packets: at most {MOST_PACKETS}")


def _check_parts(number: int, name: str, slices: Sequence[Slice], at: tuple[int, int]) -> None:
    """Check that the slices of one packet make up the whole packet, each part once."""
    reached = Fraction(0)
    for part in sorted(slices, key=lambda part: part.start):
        if part.start > reached:
            raise FairdeckError(f"{_place(part.at)}step {number} leaves out {name}[{reached}:{part.start}]")
        if part.start < reached:
            twice = f"{name}[{part.start}:{min(reached, part.end)}]"
            raise FairdeckError(f"{_place(part.at)}step {number} takes {twice} twice")
        reached = part.end
    if reached < 1:
        rest = f"{name}[{reached}:1]" if reached else f"packet {name}"
        raise FairdeckError(f"{_place(at)}step {number} leaves out {rest}: every card must go to a packet")


def _place(at: tuple[int, int]) -> str:
    return f"line {at[0]}, column {at[1]}: " if at[0] else ""


# --- reading

_TOKEN = re.compile(r"[ \t\r]+|#[^\n]*|(?P<word>[\w.-]+)|(?P<sign>[\[\]:/~!+,={}();\n])")
_NUMBER = re.compile(rf"[0-9]{{1,{MOST_DIGITS + 1}}}|[0-9]*\.[0-9]{{1,{MOST_DIGITS}}}", re.ASCII)
_NAME = re.compile(r"[A-Za-z0-9_]{1,12}", re.ASCII)
_WORDS = ("title", "for", "players", "cards", "advice", "source", "says")


class _Token(NamedTuple):
    text: str  # empty at the end
    at: tuple[int, int]

    def __str__(self) -> str:
        if not self.text:
            return "the text ends"
        if self.text == "\n":
            return "the line ends"
        return f"there is {self.text[:40]!r}"


@checked
def read_flow(text: str) -> Flow:
    """Return the flow that `text` describes.

    Raises:
        FairdeckError: the text is not a flow; the message begins with line and column, and says what was expected.

    >>> flow = read_flow("scheme mine; pack 52 packets 2; step { 1 = 1[0:1/2] ~ 2; 2 = !1[1/2:1] }")
    >>> flow.packets, str(flow.steps[0][1])
    (('1', '2'), '2 = !1[1/2:1]')
    """
    if len(text) > MOST_TEXT:
        raise FairdeckError(f"a flow of {len(text):,} characters is too long: at most {MOST_TEXT:,}")
    return _Reader(text).flow()


class _Reader:
    """A recursive-descent parser that looks one token ahead."""

    def __init__(self, text: str) -> None:
        self.known: dict[str, str] = {}
        self.places: dict[str, tuple[int, int]] = {}
        self.says: list[tuple[str, str]] = []
        self.tokens = self._tokens(text)
        self.next = next(self.tokens)

    def _tokens(self, text: str) -> Iterator[_Token]:
        """Yield tokens; lines of plain words are collected on the way."""
        ended = (0, 0)
        for number, line in enumerate(text.split("\n"), 1):
            word = line.split(maxsplit=1)[0] if line.split() else ""
            if word in _WORDS:
                column = line.index(word) + 1
                self._keep(word, line.strip()[len(word) :].strip(), (number, column))
                continue
            at = 0
            whole = line + "\n"
            while at < len(whole):
                match = _TOKEN.match(whole, at)
                if match is None:
                    raise self._wrong((number, at + 1), "a name, a number or a sign", f"there is {whole[at]!r}")
                if match.lastgroup:
                    yield _Token(match.group(), (number, at + 1))
                at = match.end()
            ended = (number, len(line) + 1)
        while True:
            yield _Token("", ended)

    def _keep(self, word: str, rest: str, at: tuple[int, int]) -> None:
        # A terminal would obey control characters.
        if control := next((each for each in rest if category(each) == "Cc" and each != "\t"), ""):
            raise self._wrong(at, f"{word} and plain text", f"there is {control!r}")
        if word == "says":
            name, colon, sentence = rest.partition(":")
            if not colon:
                raise self._wrong(at, "says NAME: what the player with that packet does", f"there is {rest[:40]!r}")
            self.says.append((name.strip(), sentence.strip()))
            return
        if word in self.known:
            raise FairdeckError(f"{_place(at)}{word} is given twice")
        self.known[word] = rest
        self.places[word] = at

    @staticmethod
    def _wrong(at: tuple[int, int], expected: str, found: object) -> FairdeckError:
        return FairdeckError(f"{_place(at)}expected {expected}; {found}")

    def take(self) -> _Token:
        taken, self.next = self.next, next(self.tokens)
        return taken

    def skip(self, *signs: str) -> None:
        while self.next.text in signs:
            self.take()

    def expect(self, text: str, expected: str) -> _Token:
        if self.next.text != text:
            raise self._wrong(self.next.at, expected, self.next)
        return self.take()

    def name(self, expected: str) -> _Token:
        if not _NAME.fullmatch(self.next.text):
            raise self._wrong(self.next.at, f"{expected} (up to 12 letters, digits and _)", self.next)
        return self.take()

    def flow(self) -> Flow:
        self.skip("\n", ";")
        self.expect("scheme", "scheme NAME")
        if not re.fullmatch(r"[\w-]{1,40}", self.next.text):
            raise self._wrong(self.next.at, "the name of the scheme (up to 40 letters, digits, _ and -)", self.next)
        title = self.take().text
        self.skip("\n", ";")
        self.expect("pack", "pack CARDS packets NAMES")
        cards = self.whole(1, MOST_CARDS, "the cards of the pack")
        self.expect("packets", "packets, and their names or their number")
        packets = self.packets()
        steps = []
        self.skip("\n", ";")
        while self.next.text:
            self.expect("step", "step { ... }")
            self.skip("\n")
            steps.append(self.step())
            self.skip("\n", ";")
        if not steps:
            raise self._wrong(self.next.at, "step { ... }", self.next)
        return Flow(title, cards, packets, tuple(steps), **self.facts())  # type: ignore[arg-type]

    def whole(self, least: int, most: int, what: str) -> int:
        token = self.next
        if not (token.text.isascii() and token.text.isdigit()) or len(token.text) > 9:
            raise self._wrong(token.at, f"{what} ({least} to {most})", token)
        if not least <= int(token.text) <= most:
            raise self._wrong(token.at, f"{what} ({least} to {most})", token)
        return int(self.take().text)

    def packets(self) -> tuple[str, ...]:
        names = [self.name("the name of a packet")]
        while self.next.text not in ("\n", ";", "step", ""):
            names.append(self.name("the name of a packet"))
        if len(names) == 1 and names[0].text.isdigit():
            if not 1 <= int(names[0].text) <= MOST_PACKETS:
                raise self._wrong(names[0].at, f"1 to {MOST_PACKETS} packets", names[0])
            return tuple(map(str, range(1, int(names[0].text) + 1)))
        return tuple(token.text for token in names)

    def step(self) -> Step:
        self.expect("{", "{ to begin the step")
        moves = []
        self.skip("\n", ";")
        while self.next.text != "}":
            moves.append(self.move())
            if self.next.text not in ("\n", ";", "}"):
                raise self._wrong(self.next.at, "a new line, ; or } after a move", self.next)
            self.skip("\n", ";")
        if not moves:
            raise self._wrong(self.next.at, "a move such as 1 = 1[0:1/2] ~ 2[0:1/2]", self.next)
        self.take()
        return tuple(moves)

    def move(self) -> Move:
        made = self.name("the packet that is made, or }")
        self.expect("=", "= after the packet that is made")
        if self.next.text == "!":
            self.take()
            return Move(made.text, ALONE, self.stack(), at=made.at)
        upper = self.stack()
        if self.next.text != "~":
            return Move(made.text, STACKED, upper, at=made.at)
        self.take()
        lower = self.stack()
        if self.next.text == "~":
            raise self._wrong(self.next.at, "only two packets riffled together", self.next)
        return Move(made.text, JOINT, upper, lower, at=made.at)

    def stack(self) -> tuple[Slice, ...]:
        held = self.next.text == "("
        if held:
            self.take()
        slices = [self.slice()]
        while self.next.text in ("+", ","):
            self.take()
            slices.append(self.slice())
        if held:
            self.expect(")", "+ or )")
        return tuple(slices)

    def slice(self) -> Slice:
        name = self.name("a packet or a part of one, such as 2 or 2[0:1/2]")
        if self.next.text != "[":
            return Slice(name.text, at=name.at)
        self.take()
        start = self.fraction()
        self.expect(":", ": between two fractions")
        end = self.fraction()
        self.expect("]", "] after two fractions")
        return Slice(name.text, start, end, at=name.at)

    def fraction(self) -> Fraction:
        above = self.number()
        if self.next.text != "/":
            return above
        self.take()
        at = self.next.at
        below = self.number()
        if not below:
            raise self._wrong(at, "a number above 0 to divide by", "there is 0")
        return above / below

    def number(self) -> Fraction:
        if not _NUMBER.fullmatch(self.next.text):
            raise self._wrong(self.next.at, f"a fraction such as 1/2, of up to {MOST_DIGITS} digits", self.next)
        return Fraction(self.take().text)

    def facts(self) -> dict[str, object]:
        """Return the fields that the lines of plain words give."""
        facts: dict[str, object] = {"says": tuple(self.says)}
        facts |= {"title": self.known.get("title", ""), "source": self.known.get("source", "")}
        facts["purpose"] = self.known.get("for", "")
        if "players" in self.known:
            facts["players"] = self._range("players", MOST_PACKETS)
        if "cards" in self.known:
            facts["sizes"] = self._range("cards", MOST_CARDS)
        if "advice" in self.known:
            match = re.fullmatch(r"([0-9]{1,3}) steps?,? ([0-9]{1,3}) riffles?", self.known["advice"], re.ASCII)
            if not match or not (1 <= int(match[1]) <= MOST_ROUNDS and 1 <= int(match[2]) <= MOST_RIFFLES):
                raise self._wrong(self.places["advice"], "advice 4 steps 3 riffles", f"{self.known['advice'][:40]!r}")
            facts["rounds"], facts["riffles"] = int(match[1]), int(match[2])
        return facts

    def _range(self, word: str, most: int) -> tuple[int, int]:
        match = re.fullmatch(r"([0-9]{1,6})(?: to ([0-9]{1,6}))?", self.known[word], re.ASCII)
        least, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= least <= last <= most:
            raise self._wrong(
                self.places[word], f"{word} 1 to 2, at most {most}", f"there is {self.known[word][:40]!r}"
            )
        return least, last


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
    lines += [f"says {name}: {sentence}" for name, sentence in flow.says]
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
