"""A flow in words, to follow at the table; the words are those of `fairdeck.words`.

A clause that says what to do begins as it does after a colon: with a small letter, except in German. At the start of a
sentence it gets a capital.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from fairdeck.dealing.instructions import counted
from fairdeck.doors import check_fields
from fairdeck.errors import FairdeckError
from fairdeck.packets.dispersion import Matrix, dispersions
from fairdeck.packets.notation import ALONE, JOINT, MOST_CARDS, STACKED, Flow, Move, Slice, part, places, sizes
from fairdeck.steps import DECK, Act, Note, Step, mashes, mesh, parted, riffles, stack
from fairdeck.words import Words

FEWEST = 2  # cards of a slice
TWO = 2
CLUMPS = 4  # cards of a mash, on average
LOWER = "the lower part"


SHARES = {
    "half": ("top", "bottom"),
    "third": ("top", "middle", "bottom"),
    "quarter": ("top", "second", "third", "bottom"),
}
MASHED = (("Riffle", "Mash"), ("riffle", "mash"))


def _held(player: str, packet: str) -> str:
    """Return the place of a packet that a player has; `player` is empty if one person does everything."""
    return f"{player}: packet {packet}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told(Step):
    """A step in the words of `fairdeck.words`."""

    language: str
    by: str = ""  # the player who does it; empty if one person does everything

    @property
    def words(self) -> Words:
        return Words(self.language)

    @property
    def who(self) -> str:
        return self.words.say("player", name=self.by) if self.by else ""


@dataclass(frozen=True, slots=True)
class CutPack(_Told):
    """The pack is cut into packets at the start, and each player takes theirs."""

    packets: tuple[tuple[str, str, int], ...]  # the name of each, the player who gets it, its cards; the top one first
    begins: bool  # whether other players have no packet yet

    @property
    def says(self) -> str:
        words, holders = self.words, dict[str, list[str]]()
        if len(self.packets) == 1:
            return words.say("wholePack", cards=words.cards(self.packets[0][2]))
        heaps = [words.say("packet", name=name, cards=words.cards(cards)) for name, _, cards in self.packets]
        told = [words.say("cutPack", packets=words.say("then").join(heaps))]
        if len(self.packets) > TWO and all(name == player for name, player, _ in self.packets):
            return " ".join([*told, words.say("eachHas")])
        for name, player, _ in self.packets:
            holders.setdefault(player, []).append(name)
        for player, names in holders.items():
            packets = words.say("packets", n=len(names), names=", ".join(names))
            told += [words.say("beginsWith" if self.begins else "has", name=player, packets=packets)] if player else []
        return " ".join(told)

    def acts(self) -> Iterable[Act]:
        return [parted(DECK, lambda _: [(_held(player, name), cards) for name, player, cards in self.packets])]


@dataclass(frozen=True, slots=True)
class StackAll(_Told):
    """The packets are stacked at the end."""

    packets: tuple[tuple[str, str], ...]  # the name of each, and the player who has it; the top one first

    @property
    def says(self) -> str:
        first, *others = [name for name, _ in self.packets]
        say = self.words.say
        return say("stackAll", first=first, others=", ".join(others)) if others else say("packetIsPack")

    def acts(self) -> Iterable[Act]:
        return [stack([_held(player, name) for name, player in self.packets], DECK)]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a packet, and what becomes of it."""

    part: Slice
    new: str  # the packet that it becomes a part of
    number: int  # among the parts of its packet, from the top
    alone: bool  # whether no other part of its packet goes there
    to: str = ""  # the player who gets it; empty if it stays with the one who cuts

    def place(self, player: str) -> str:
        """Return where it lies once `player` has it."""
        stays = self.part.share == 1 and self.new == self.part.packet
        return (
            _held(player, self.new) if stays else f"{player}: part {self.number} of {self.part.packet} for {self.new}"
        )

    def share(self) -> str:
        """Return which part of its packet it is, in English."""
        for name, heights in SHARES.items():
            at = self.part.start * len(heights)
            if self.part.share == Fraction(1, len(heights)) and at.denominator == 1:
                return f"{heights[int(at)]} {name}"
        return "whole" if self.part.share == 1 else f"part from {self.part.start} to {self.part.end} from the top"


@dataclass(frozen=True, slots=True)
class Split(_Told):
    """A packet is cut, and its parts go where they belong; or it is passed on whole."""

    packet: str
    pieces: tuple[Piece, ...]  # the top one first
    cards: int  # of the packet; 0 to tell the parts as shares, in English
    own: bool  # whether each player has one packet, called like the player

    @property
    def says(self) -> str:
        words, (piece, *more) = self.words, self.pieces
        if not more:
            to = {"player": piece.to} if piece.to else {}
            return words.say("passOnTo" if to else "passOn", name=self.packet, to=piece.new, **to)
        goes = [self._goes(each) for each in self.pieces]
        if not self.cards:
            parts = [f"{each.share()} {to}" for each, to in zip(self.pieces, goes, strict=True)]
            return f"Cut packet {self.packet}: {', '.join(parts)}."
        keys = ["partTop", *["partNext"] * (len(goes) - 2), "partBottom"]
        heaps = [cards_of(each.part, self.cards) for each in self.pieces]
        parts = [words.say(key, n=heap, goes=to) for key, heap, to in zip(keys, heaps, goes, strict=True)]
        packet = words.say("packet", name=self.packet, cards=words.cards(self.cards))
        return words.say("cutPacket", packet=packet, parts=", ".join(parts))

    def _goes(self, piece: Piece) -> str:
        say = self.words.say
        if not self.cards:
            give = f" (give it to player {piece.to})" if piece.to else ""
            return (f"to {piece.to}" if piece.to else "stays") if self.own else f"for new packet {piece.new}{give}"
        if not self.own:
            return say("goesNewTo" if piece.to else "goesNew", name=piece.new, player=piece.to)
        return say("goesTo", name=piece.to) if piece.to else say("stays")

    def acts(self) -> Iterable[Act]:
        def pieces(cards: int) -> list[tuple[str, int]]:
            return [(each.place(each.to or self.by), cards_of(each.part, cards)) for each in self.pieces]

        return [parted(_held(self.by, self.packet), pieces)]


@dataclass(frozen=True, slots=True)
class Made(_Told):
    """A new packet is made of parts: riffled into each other, stacked and riffled, or only stacked."""

    move: Move
    pieces: tuple[Piece, ...]  # the topmost first
    cards: tuple[int, ...]  # of each piece; empty to tell them as shares, in English
    riffles: int
    own: bool  # whether each player has one packet, called like the player
    mashed: bool = False  # instead of riffled; told in English

    @property
    def says(self) -> str:
        clause = self._does()
        for old, new in MASHED if self.mashed else ():
            clause = clause.replace(old, new)
        if self.own:
            return clause[0].upper() + clause[1:]
        return self.words.say("newPacket", name=self.move.packet, does=clause)

    def _does(self) -> str:
        say, kind, upper = self.words.say, self.move.kind, len(self.move.upper)
        times = say("times", n=self.riffles)
        if kind == JOINT:
            parts = {"upper": self._stacked(0, upper), "lower": self._stacked(upper, len(self.pieces))}
            if self.riffles == 1:
                return say("riffleJoint", **parts)
            return say("riffleThen", **parts, more=say("more", times=say("times", n=self.riffles - 1)))
        if len(self.pieces) > 1:
            return say("stackRiffle" if kind == ALONE else "stack", cards=self._heaps(0, upper), times=times)
        whole = self.pieces[0].part.share == 1
        heap = say("thePacket", name=self.pieces[0].part.packet) if whole else self._heaps(0, 1)
        return say("riffle" if kind == ALONE else "leave", cards=heap, times=times)

    def _stacked(self, start: int, end: int) -> str:
        heaps = self._heaps(start, end)
        return self.words.say("stacked", cards=heaps) if end > start + 1 else heaps

    def _heaps(self, start: int, end: int) -> str:
        say, pieces = self.words.say, self.pieces[start:end]
        if not self.cards:
            return ", ".join(f"the {each.share()} of {each.part.packet}" for each in pieces)
        return ", ".join(
            say("cardsFrom" if each.alone else "partFrom", n=cards, name=each.part.packet, at=each.number)
            for each, cards in zip(pieces, self.cards[start:end], strict=True)
        )

    def acts(self) -> Iterable[Act]:
        places, packet = [each.place(self.by) for each in self.pieces], _held(self.by, self.move.packet)
        upper, again = len(self.move.upper), self.riffles * (self.move.kind != STACKED)
        if self.move.kind == JOINT:
            again -= 1
            yield stack(places[upper:], LOWER)
            yield stack(places[:upper], packet)
            yield mesh(packet, LOWER, clumps=CLUMPS if self.mashed else 0)
        else:
            yield stack(places, packet)
        yield from (mashes if self.mashed else riffles)(packet, again)


@dataclass(frozen=True, slots=True)
class Rounds(_Told):
    """The steps of a procedure, or what one player does in them; equal ones are told once."""

    groups: tuple[tuple[str, tuple[int, ...], tuple[Step, ...]], ...]  # a title, the numbers of the steps, what is done

    @property
    def says(self) -> str:
        told = []
        for title, _, do in self.groups:
            told += [f"{title}.", *(str(each) if each.who == self.who else f"{each.who}: {each}" for each in do)]
        return "\n".join(told)

    def steps(self) -> Sequence[Step]:
        every = {number: do for _, numbers, do in self.groups for number in numbers}
        return [step for number in sorted(every) for step in every[number]]


@dataclass(frozen=True, slots=True)
class Procedure:
    """A flow done with a number of cards by some players, who share the packets in turn.

    Attributes:
        flow: what goes where in each step.
        cards: in the pack.
        players: people who work.
        steps: how often the packets are cut, exchanged and riffled.
        riffles: of each packet in a step.
        language: of all sentences, one of `fairdeck.words.LANGUAGES`; refusals are in English.
    """

    flow: Flow
    cards: int
    players: int
    steps: int
    riffles: int
    language: str = "en"

    def __post_init__(self) -> None:
        check_fields(self)
        least, most = self.flow.players[0], min(self.flow.players[1], len(self.flow.hands))
        if not least <= self.players <= most:
            many = counted(most, "player") if least == most else f"{least} to {most} players"
            raise FairdeckError(f"{self.flow.name} is for {many}, not {self.players}; see: fairdeck packets")
        if thin := self._too_thin(self.cards):
            are = f"{counted(self.cards, 'card')} {'is' if self.cards == 1 else 'are'} too few for {self.flow.name}"
            raise FairdeckError(f"{are}: the part {thin} would have fewer than {FEWEST} cards; {self._remedy()}")

    def _too_thin(self, cards: int) -> Slice | None:
        """Return a slice that would have too few cards in a pack of `cards`, or None."""
        for step, in_hand in enumerate(self._sizes(cards)):
            for each in (each for move in self.flow.moves(step) for each in move.slices):
                if cards_of(each, in_hand[each.packet]) < FEWEST:
                    return each
        return None

    def _remedy(self) -> str:
        larger = range(self.cards + 1, MOST_CARDS + 1)
        at = bisect_left(larger, True, key=lambda cards: self._too_thin(cards) is None)
        if at == len(larger):
            return f"not even {MOST_CARDS:,} cards are enough: use another scheme"
        return f"use {larger[at]:,} cards or more"

    def _sizes(self, cards: int) -> list[dict[str, int]]:
        return list(islice(sizes(self.flow, cards), self.steps))

    @property
    def words(self) -> Words:
        """The words in which the procedure is told."""
        return Words(self.language)

    def everyone(self) -> list[str]:
        """Return the players, in order."""
        return sorted({self.who(packet) for packet in self.flow.hands}, key=lambda who: (len(who), who))

    @property
    def _numbered(self) -> bool:
        return all(name.isdigit() for name in self.flow.hands)

    def _player(self, packet: str) -> str:
        """Return the letter or number of the player who holds the packet of this name."""
        hands = self.flow.hands
        return packet if self.players == len(hands) else str(hands.index(packet) % self.players + 1)

    def _by(self, packet: str) -> str:
        """Return the player who holds the packet of this name; empty if one person does everything."""
        return "" if self.players == 1 else self._player(packet)

    def who(self, packet: str) -> str:
        """Return the player who holds the packet of this name; nobody in particular if one person does everything."""
        return self.words.say("player", name=by) if (by := self._by(packet)) else ""

    def title(self) -> str:
        """Return the title of the flow; one that comes from fairdeck is told in the language of the procedure."""
        flow, words, english = self.flow, self.words, Words("en")
        key = f"title {flow.name}"
        return words.say(key) if flow.title and flow.title == english.texts.get(key) else flow.title or flow.name

    def work(self) -> str:
        """Return how much work the procedure is, in words."""
        say, cards = self.words.say, self.words.cards(self.cards)
        people, steps = say("nPlayers", n=self.players), say("nSteps", n=self.steps)
        return say("packetWork", cards=cards, players=people, steps=steps, riffles=say("nRiffles", n=self.riffles))

    def dispersions(self) -> list[Matrix]:
        """Return how far the packets are spread after 1, 2, ... steps; see `fairdeck.packets.dispersion`."""
        return dispersions(self.flow, self.steps)

    def begin(self) -> CutPack:
        """Return how to cut the pack into packets at the start."""
        packets = part(self.flow, range(self.cards))
        cut = tuple((name, self._by(name), len(deck)) for name, deck in packets.items())
        return CutPack(cut, self.players > len({player for _, player, _ in cut}), language=self.language)

    def end(self) -> StackAll:
        """Return how to stack the packets at the end."""
        names = self.flow.names(self.steps)
        return StackAll(tuple((name, self._by(name)) for name in names), language=self.language)

    def opening(self) -> str:
        """Return in words how to cut the pack into packets at the start."""
        return self.begin().says

    def ending(self) -> str:
        """Return in words how to stack the packets at the end."""
        return self.end().says

    def all_steps(self, *, as_shares: bool = False, mashed: bool = False) -> list[list[Step]]:
        """Return what to do in each step: first all cuts, then all riffles.

        Parts are told by their cards, or `as_shares`; the packets are riffled or `mashed`. Both are told in English.
        """
        return [
            list(self._step(step, {} if as_shares else in_hand, mashed))
            for step, in_hand in enumerate(self._sizes(self.cards))
        ]

    def _step(self, step: int, in_hand: dict[str, int], mashed: bool) -> Iterator[Step]:
        pieces = {name: self._pieces(step, name) for name in self.flow.names(step)}
        own = not (self._numbered or self.players < len(self.flow.hands))
        for name, parts in pieces.items():
            if len(parts) > 1 or parts[0].new != name:
                yield Split(name, parts, in_hand.get(name, 0), own, language=self.language, by=self._by(name))
        of = {each.part: each for parts in pieces.values() for each in parts}
        for move in self.flow.moves(step):
            made = tuple(of[each] for each in move.slices)
            cards = tuple(cards_of(each, in_hand[each.packet]) for each in move.slices if in_hand)
            by = self._by(move.packet)
            yield Made(move, made, cards, self.riffles, own, mashed, language=self.language, by=by)

    def _pieces(self, step: int, name: str) -> tuple[Piece, ...]:
        """Return the parts of a packet, the top one first."""
        slices = [(each, move.packet) for move in self.flow.moves(step) for each in move.slices if each.packet == name]
        goes = [new for _, new in slices]
        by = self._by(name)
        return tuple(
            Piece(each, new, number, goes.count(new) == 1, self._by(new) if self._by(new) != by else "")
            for number, (each, new) in enumerate(sorted(slices, key=lambda part: part[0].start), 1)
        )

    def do(self, *, as_shares: bool = False, mashed: bool = False, who: str | None = None) -> tuple[Step, Rounds, Step]:
        """Return all that is done, or what the player `who` does in the steps; see `all_steps`."""
        groups = self.alike(who, as_shares=as_shares, mashed=mashed)
        told = tuple((self.step_title(numbers), tuple(numbers), tuple(do)) for numbers, do in groups)
        by = next((self._by(packet) for packet in self.flow.hands if self.who(packet) == who), "")
        return self.begin(), Rounds(told, language=self.language, by=by), self.end()

    def grouped(self, who: str | None = None) -> list[tuple[str, list[Step]]]:
        """Return what all players do, or the player `who`, with titles; equal steps are listed only once."""
        return [(self.step_title(numbers), steps) for numbers, steps in self.alike(who)]

    def step_title(self, numbers: Sequence[int]) -> str:
        """Return a title for the steps of these `numbers`: "Step 1", "Steps 1 to 3, each time the same"."""
        say, first, last = self.words.say, numbers[0], numbers[-1]
        if len(numbers) == 1:
            return say("step", number=first)
        row = last - first == len(numbers) - 1 > 1
        told = say("fromTo", first=first, last=last) if row else ", ".join(map(str, numbers))
        return say("steps", numbers=told)

    def alike(
        self, who: str | None = None, *, as_shares: bool = False, mashed: bool = False
    ) -> list[tuple[list[int], list[Step]]]:
        """Return what all players do, or the player `who`, after the numbers of the steps in which they do it."""
        groups: list[tuple[list[int], list[Step]]] = []
        for number, everybody in enumerate(self.all_steps(as_shares=as_shares, mashed=mashed), 1):
            steps = [each for each in everybody if who in (None, each.who)]
            steps = steps or [Note(self.words.say("waitOthers"), who or "")]
            same = next((numbers for numbers, done in groups if done == steps), None)
            if same is None:
                groups.append(([number], steps))
            else:
                same.append(number)
        return groups


def cards_of(part: Slice, size: int) -> int:
    """Return how many cards a part of a packet of `size` cards has."""
    return places(part.end, size) - places(part.start, size)
