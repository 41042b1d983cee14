"""A flow in words, to follow at the table; the words are those of `fairdeck.words`.

A clause that says what to do begins as it does after a colon: with a small letter, except in German. At the start of a
sentence it gets a capital.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import factorial

from fairdeck.dealing.instructions import counted
from fairdeck.doors import check_fields
from fairdeck.errors import FairdeckError
from fairdeck.packets.dispersion import Matrix, dispersions
from fairdeck.packets.notation import ALONE, JOINT, MOST_CARDS, STACKED, Flow, Move, Slice, part, places, sizes
from fairdeck.steps import DECK, Act, Law, Step, mashes, mesh, riffles, stack
from fairdeck.steps import part as cut_up
from fairdeck.words import Words

FEWEST = 2  # cards of a slice
MOST_FOLLOWED, MOST_MOVES = 8, 12_000_000  # cards, and moves of whole orders: two seconds
CLUMPS = 4  # cards of a mash, on average
LOWER = "the lower part"
SHARES = {
    "half": ("top", "bottom"),
    "third": ("top", "middle", "bottom"),
    "quarter": ("top", "second", "third", "bottom"),
}


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
        in_shares: whether parts are told as shares of a packet, not in cards; in English.
        mashed: whether packets are mashed, not riffled; told in English.
    """

    flow: Flow
    cards: int
    players: int
    steps: int
    riffles: int
    language: str = "en"
    in_shares: bool = False
    mashed: bool = False

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

    def _held(self, packet: str) -> str:
        """Return the place of a packet that its player holds."""
        return f"{self.who(packet)}: packet {packet}"

    def _laid(self, part: Slice, new: str, giving: bool = True) -> str:
        """Return where a part for a new packet lies once it is cut: with the player who gets it, if it is given."""
        if part.share == 1 and part.packet == new:
            return self._held(new)
        return f"{self.who(new if giving else part.packet)}: {part} for {new}"

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

    def begin(self) -> Step:
        """Return how to cut the pack into packets at the start."""
        packets = {name: len(deck) for name, deck in part(self.flow, range(self.cards)).items()}
        cut: Act = (cut_up, DECK, tuple((self._held(name), cards) for name, cards in packets.items()))
        return Step(self._opening(packets), (cut,))

    def _opening(self, packets: dict[str, int]) -> str:
        say = self.words.say
        if len(packets) == 1:
            return say("wholePack", cards=self.words.cards(self.cards))
        heaps = [say("packet", name=name, cards=self.words.cards(cards)) for name, cards in packets.items()]
        if heaps[2:] and len(set(packets.values())) == 1:
            heaps = [say("equalPackets", names=", ".join(packets), cards=self.words.cards(min(packets.values())))]
        return " ".join([say("cutPack", packets=say("then").join(heaps)), *self._holders(packets)])

    def _holders(self, packets: Iterable[str]) -> Iterator[str]:
        """Yield which packets each player gets at the start."""
        if self.players == 1:
            return
        if self._own and self.players == len(self.flow.packets):
            yield self.words.say("eachHas")
            return
        holders: dict[str, list[str]] = {}
        for name in packets:
            holders.setdefault(self._player(name), []).append(name)
        key = "beginsWith" if self.players > len(holders) else "has"
        for player, names in holders.items():
            packets = self.words.say("packets", n=len(names), names=", ".join(names))
            yield self.words.say(key, name=player, packets=packets)

    def end(self) -> Step:
        """Return how to stack the packets at the end."""
        first, *others = names = self.flow.names(self.steps)
        say = self.words.say
        says = say("stackAll", first=first, others=", ".join(others)) if others else say("packetIsPack")
        return Step(says, ((stack, tuple(map(self._held, names)), DECK),))

    def do(self, who: str | None = None) -> tuple[Step, Step, Step]:
        """Return all that is done, or what the player `who` does: the cut, all steps as one, and the end."""
        told = []
        for title, steps in self.grouped(who):
            told += [f"{title}.", *(f"{each.who}: {each}" if each.who and not who else str(each) for each in steps)]
        done = [act for steps in self.all_steps() for each in steps if who in (None, each.who) for act in each.acts]
        return self.begin(), Step("\n".join(told), tuple(done), who or ""), self.end()

    def opening(self) -> str:
        """Return in words how to cut the pack into packets at the start."""
        return self.begin().says

    def ending(self) -> str:
        """Return in words how to stack the packets at the end."""
        return self.end().says

    def all_steps(self) -> list[list[Step]]:
        """Return what to do in each step: first all cuts, then all riffles."""
        return [list(self._step(step, in_hand)) for step, in_hand in enumerate(self._sizes(self.cards))]

    def _step(self, step: int, in_hand: dict[str, int]) -> Iterator[Step]:
        cut: dict[Slice, tuple[int, int]] = {}  # the cards of each part, and its number if there is another to confuse
        for name in self.flow.names(step):
            yield from self._cut(step, name, in_hand)
            goes = [to for _, to in self._parts(step, name)]
            for number, (each, to) in enumerate(self._parts(step, name), 1):
                cut[each] = _cards_of(each, in_hand[name]), number * (goes.count(to) > 1)
        for move in self.flow.moves(step):
            yield Step(self._made(move, cut), tuple(self._acts(move)), self.who(move.packet))

    def _acts(self, move: Move) -> Iterator[Act]:
        """Yield how a packet is made of its parts."""
        upper, lower = (tuple(self._laid(each, move.packet) for each in parts) for parts in (move.upper, move.lower))
        packet, again = self._held(move.packet), self.riffles * (move.kind != STACKED)
        if move.kind == JOINT:
            again -= 1
            yield from ((stack, lower, LOWER), (stack, upper, packet), (mesh, packet, LOWER, CLUMPS * self.mashed))
        else:
            yield (stack, upper, packet)
        yield from (mashes if self.mashed else riffles)(packet, again)

    def variations(self) -> list[Fraction]:
        """Return the exact total variation of the order after each of the first steps; nothing for 9 cards or more.

        All orders are followed, forwards, step by step, as long as that does not take too long.
        """
        if self.cards > MOST_FOLLOWED:
            return []
        law, found, moves = Law.of([self.begin()], self.cards), [], 0
        for steps, held in zip(self.all_steps(), islice(sizes(self.flow, self.cards), 1, None), strict=False):
            # Numbers of ways grow with the riffles.
            moves += factorial(self.cards) * sum(map(factorial, held.values())) * max(4, self.riffles) // 4
            if moves > MOST_MOVES:
                break
            law = law.after(steps)
            found.append(law.variation(factorial(self.cards)))
        return found

    def grouped(self, who: str | None = None) -> list[tuple[str, list[Step]]]:
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

    def alike(self, who: str | None = None) -> list[tuple[list[int], list[Step]]]:
        """Return what all players do, or the player `who`, after the numbers of the steps in which they do it."""
        groups: list[tuple[list[int], list[Step]]] = []
        for number, everybody in enumerate(self.all_steps(), 1):
            sentences = [each for each in everybody if who in (None, each.who)]
            sentences = sentences or [Step(self.words.say("waitOthers"), who=who or "")]
            said = list(map(str, sentences))
            same = next((numbers for numbers, done in groups if list(map(str, done)) == said), None)
            if same is None:
                groups.append(([number], sentences))
            else:
                same.append(number)
        return groups

    def _cut(self, step: int, name: str, in_hand: dict[str, int]) -> Iterator[Step]:
        """Yield how a packet is cut, or passed on whole; nothing if it stays where it is."""
        parts = self._parts(step, name)
        if [to for _, to in parts] == [name]:
            return
        say, size = self.words.say, in_hand[name]
        heaps = [_cards_of(each, size) for each, _ in parts]
        gives = [self.gives(name, to) for _, to in parts]
        if len(parts) == 1:
            says = self._given("passOn", gives[0], name=name, to=parts[0][1])
        elif self.in_shares:
            told = [f"{_share(each)} {self._goes(give, to)}" for (each, to), give in zip(parts, gives, strict=True)]
            says = f"Cut packet {name}: {', '.join(told)}."
        else:
            keys = ["partTop", *["partNext"] * (len(heaps) - 2), "partBottom"]
            goes = [self._goes(give, to) for (_, to), give in zip(parts, gives, strict=True)]
            told = [say(key, n=heap, goes=to) for key, heap, to in zip(keys, heaps, goes, strict=True)]
            packet = say("packet", name=name, cards=self.words.cards(size))
            says = say("cutPacket", packet=packet, parts=", ".join(told))
        places = [self._laid(each, to, giving=bool(give)) for (each, to), give in zip(parts, gives, strict=True)]
        yield Step(says, ((cut_up, self._held(name), tuple(zip(places, heaps, strict=True))),), self.who(name))

    def _parts(self, step: int, name: str) -> list[tuple[Slice, str]]:
        """Return the parts of a packet, the top one first, and which new packet gets each."""
        moves = self.flow.moves(step)
        parts = [(each, move.packet) for move in moves for each in move.slices if each.packet == name]
        return sorted(parts, key=lambda part: part[0].start)

    def gives(self, before: str, after: str) -> str:
        """Return the player who gets what goes from packet `before` into `after`; empty if it is the same player."""
        return "" if self.who(before) == self.who(after) else self._player(after)

    @property
    def _own(self) -> bool:
        """Whether each player has one packet, called like the player."""
        return not self._numbered and self.players == len(self.flow.hands)

    def _goes(self, give: str, to: str) -> str:
        if not self.in_shares:
            own = self.words.say("goesTo", name=to) if give else self.words.say("stays")
            return own if self._own else self._given("goesNew", give, name=to)
        if self._own:
            return f"to {give}" if give else "stays"
        return f"for new packet {to}{f' (give it to player {give})' * bool(give)}"

    def _given(self, key: str, give: str, **fields: str) -> str:
        """Return the text of this key, or the one that names the player who gets the cards."""
        return self.words.say(f"{key}To", player=give, **fields) if give else self.words.say(key, **fields)

    def _made(self, move: Move, cut: dict[Slice, tuple[int, int]]) -> str:
        clause = self._riffle(move, cut)
        clause = clause.replace("riffle", "mash") if self.mashed else clause
        if not self._own:
            return self.words.say("newPacket", name=move.packet, does=clause)
        return clause[0].upper() + clause[1:]

    def _riffle(self, move: Move, cut: dict[Slice, tuple[int, int]]) -> str:
        say, only, times = self.words.say, move.upper[0], self._times(self.riffles)
        if move.kind == JOINT:
            upper, lower = (self._stacked(slices, cut) for slices in (move.upper, move.lower))
            more = say("more", times=self._times(self.riffles - 1)) if self.riffles > 1 else ""
            return say("riffleThen" if more else "riffleJoint", upper=upper, lower=lower, more=more)
        if len(move.slices) > 1:
            return say(
                "stackRiffle" if move.kind == ALONE else "stack", cards=self._heaps(move.upper, cut), times=times
            )
        heap = say("thePacket", name=only.packet) if only.share == 1 else self._heaps([only], cut)
        return say("riffle" if move.kind == ALONE else "leave", cards=heap, times=times)

    def _stacked(self, slices: Sequence[Slice], cut: dict[Slice, tuple[int, int]]) -> str:
        heaps = self._heaps(slices, cut)
        return self.words.say("stacked", cards=heaps) if len(slices) > 1 else heaps

    def _heaps(self, slices: Sequence[Slice], cut: dict[Slice, tuple[int, int]]) -> str:
        """Name parts by their packets; by their numbers as well where others of the same packet are there, too."""
        if self.in_shares:
            return ", ".join(f"the {_share(each)} of {each.packet}" for each in slices)
        told = []
        for each in slices:
            cards, number = cut[each]
            told.append(self.words.say("partFrom" if number else "cardsFrom", n=cards, name=each.packet, at=number))
        return ", ".join(told)

    def _times(self, number: int) -> str:
        return self.words.say("times", n=number)


def _share(part: Slice) -> str:
    """Return which part of its packet it is, in English."""
    for name, heights in SHARES.items():
        at = part.start * len(heights)
        if part.share == Fraction(1, len(heights)) and at.denominator == 1:
            return f"{heights[int(at)]} {name}"
    return "whole" if part.share == 1 else f"part from {part.start} to {part.end} from the top"


def _cards_of(part: Slice, size: int) -> int:
    return places(part.end, size) - places(part.start, size)
