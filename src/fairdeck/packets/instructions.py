"""A flow in words, to follow at the table; the words are those of `fairdeck.words`.

A clause that says what to do begins as it does after a colon: with a small letter, except in German. At the start of a
sentence it gets a capital.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from fairdeck.dealing.instructions import counted
from fairdeck.doors import check_fields
from fairdeck.errors import FairdeckError
from fairdeck.packets.dispersion import Matrix, dispersions
from fairdeck.packets.notation import ALONE, JOINT, MOST_CARDS, Flow, Move, Slice, part, places, sizes
from fairdeck.words import Words

FEWEST = 2  # cards of a slice


@dataclass(frozen=True, slots=True)
class Sentence:
    """What one player does; `who` is empty if one person does everything."""

    who: str
    says: str


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
                if _cards_of(each, in_hand[each.packet]) < FEWEST:
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

    def who(self, packet: str) -> str:
        """Return the player who holds the packet of this name; nobody in particular if one person does everything."""
        return "" if self.players == 1 else self.words.say("player", name=self._player(packet))

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

    def opening(self) -> str:
        """Return how to cut the pack into packets at the start, in words."""
        say, packets = self.words.say, part(self.flow, range(self.cards))
        if len(packets) == 1:
            return say("wholePack", cards=self.words.cards(self.cards))
        heaps = [say("packet", name=name, cards=self.words.cards(len(deck))) for name, deck in packets.items()]
        return " ".join([say("cutPack", packets=say("then").join(heaps)), *self._holders(packets)])

    def _holders(self, packets: Iterable[str]) -> Iterator[str]:
        """Yield which packets each player gets at the start."""
        if self.players == 1:
            return
        holders: dict[str, list[str]] = {}
        for name in packets:
            holders.setdefault(self._player(name), []).append(name)
        key = "beginsWith" if self.players > len(holders) else "has"
        for player, names in holders.items():
            packets = self.words.say("packets", n=len(names), names=", ".join(names))
            yield self.words.say(key, name=player, packets=packets)

    def ending(self) -> str:
        """Return how to stack the packets at the end, in words."""
        first, *others = self.flow.names(self.steps)
        say = self.words.say
        return say("stackAll", first=first, others=", ".join(others)) if others else say("packetIsPack")

    def all_steps(self) -> list[list[Sentence]]:
        """Return what to do in each step: first all cuts, then all riffles."""
        return [self._step(step, in_hand) for step, in_hand in enumerate(self._sizes(self.cards))]

    def _step(self, step: int, in_hand: dict[str, int]) -> list[Sentence]:
        cut = [
            Sentence(self.who(name), says) for name in self.flow.names(step) if (says := self._cut(step, name, in_hand))
        ]
        return cut + [Sentence(self.who(move.packet), self._made(move, in_hand)) for move in self.flow.moves(step)]

    def grouped(self, who: str | None = None) -> list[tuple[str, list[Sentence]]]:
        """Return what all players do, or the player `who`, with titles; equal steps are listed only once."""
        return [(self.step_title(numbers), sentences) for numbers, sentences in self.alike(who)]

    def step_title(self, numbers: Sequence[int]) -> str:
        """Return a title for the steps of these `numbers`: "Step 1", "Steps 1 to 3, each time the same"."""
        say, first, last = self.words.say, numbers[0], numbers[-1]
        if len(numbers) == 1:
            return say("step", number=first)
        row = last - first == len(numbers) - 1 > 1
        told = say("fromTo", first=first, last=last) if row else ", ".join(map(str, numbers))
        return say("steps", numbers=told)

    def alike(self, who: str | None = None) -> list[tuple[list[int], list[Sentence]]]:
        """Return what all players do, or the player `who`, after the numbers of the steps in which they do it."""
        groups: list[tuple[list[int], list[Sentence]]] = []
        for number, everybody in enumerate(self.all_steps(), 1):
            sentences = [each for each in everybody if who in (None, each.who)]
            sentences = sentences or [Sentence(who or "", self.words.say("waitOthers"))]
            same = next((numbers for numbers, done in groups if done == sentences), None)
            if same is None:
                groups.append(([number], sentences))
            else:
                same.append(number)
        return groups

    def _cut(self, step: int, name: str, in_hand: dict[str, int]) -> str:
        slices = sorted(
            (each.start, each.end, move.packet)
            for move in self.flow.moves(step)
            for each in move.slices
            if each.packet == name
        )
        say, size = self.words.say, in_hand[name]
        if len(slices) == 1:
            to = slices[0][2]
            return "" if to == name else self._given("passOn", name, to, name=name, to=to)
        heaps = [_cards_of(Slice(name, start, end), size) for start, end, _ in slices]
        keys = ["partTop", *["partNext"] * (len(heaps) - 2), "partBottom"]
        goes = [self._goes(name, to) for _, _, to in slices]
        parts = [say(key, n=heap, goes=to) for key, heap, to in zip(keys, heaps, goes, strict=True)]
        return say("cutPacket", packet=say("packet", name=name, cards=self.words.cards(size)), parts=", ".join(parts))

    def _goes(self, name: str, to: str) -> str:
        if self._numbered or self.players < len(self.flow.hands):
            return self._given("goesNew", name, to, name=to)
        return self.words.say("stays") if to == name else self.words.say("goesTo", name=to)

    def _given(self, key: str, before: str, after: str, **fields: str) -> str:
        """Return the text of this key, or the one that names the player who gets the cards, if that is another one."""
        if self.who(before) == self.who(after):
            return self.words.say(key, **fields)
        return self.words.say(f"{key}To", player=self._player(after), **fields)

    def _made(self, move: Move, in_hand: dict[str, int]) -> str:
        clause = self._riffle(move, in_hand)
        if self._numbered or self.players < len(self.flow.hands):
            return self.words.say("newPacket", name=move.packet, does=clause)
        return clause[0].upper() + clause[1:]

    def _riffle(self, move: Move, in_hand: dict[str, int]) -> str:
        say, only, times = self.words.say, move.upper[0], self._times(self.riffles)
        if move.kind == JOINT:
            upper, lower = (self._stacked(slices, in_hand) for slices in (move.upper, move.lower))
            more = say("more", times=self._times(self.riffles - 1)) if self.riffles > 1 else ""
            return say("riffleThen" if more else "riffleJoint", upper=upper, lower=lower, more=more)
        if len(move.slices) > 1:
            return say(
                "stackRiffle" if move.kind == ALONE else "stack", cards=self._heaps(move.upper, in_hand), times=times
            )
        heap = say("thePacket", name=only.packet) if only.share == 1 else self._heaps([only], in_hand)
        return say("riffle" if move.kind == ALONE else "leave", cards=heap, times=times)

    def _stacked(self, slices: Sequence[Slice], in_hand: dict[str, int]) -> str:
        heaps = self._heaps(slices, in_hand)
        return self.words.say("stacked", cards=heaps) if len(slices) > 1 else heaps

    def _heaps(self, slices: Sequence[Slice], in_hand: dict[str, int]) -> str:
        say = self.words.say
        return ", ".join(say("cardsFrom", n=_cards_of(each, in_hand[each.packet]), name=each.packet) for each in slices)

    def _times(self, number: int) -> str:
        return self.words.say("times", n=number)


def _cards_of(part: Slice, size: int) -> int:
    return places(part.end, size) - places(part.start, size)
