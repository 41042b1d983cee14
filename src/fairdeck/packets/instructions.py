"""A flow in words, to follow at the table."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairdeck.dealing.instructions import counted
from fairdeck.errors import FairdeckError
from fairdeck.packets.cutting import part, places, taken
from fairdeck.packets.dispersion import Matrix, dispersions
from fairdeck.packets.notation import ALONE, JOINT, MOST_CARDS, Flow, Move, Slice

FEWEST = 2  # cards of a slice


@dataclass(frozen=True, slots=True)
class Sentence:
    """What one player does; `who` is empty if one person does everything."""

    who: str
    says: str


@dataclass(frozen=True, slots=True)
class Procedure:
    """A flow done with a number of cards by some players, who share the packets in turn."""

    flow: Flow
    cards: int
    players: int
    steps: int
    riffles: int

    def __post_init__(self) -> None:
        least, most = self.flow.players[0], min(self.flow.players[1], len(self.flow.hands))
        if not least <= self.players <= most:
            many = counted(most, "player") if least == most else f"{least} to {most} players"
            raise FairdeckError(f"{self.flow.name} is for {many}, not {self.players}; see: fairdeck packets")
        if thin := self._too_thin(self.cards):
            are = f"{counted(self.cards, 'card')} {'is' if self.cards == 1 else 'are'} too few for {self.flow.name}"
            raise FairdeckError(f"{are}: the part {thin} would have fewer than {FEWEST} cards; {self._remedy()}")

    def _too_thin(self, cards: int) -> Slice | None:
        """Return a slice that would have too few cards in a pack of `cards`, or None."""
        for step, sizes in enumerate(self._sizes(cards)):
            for each in (each for move in self.flow.moves(step) for each in move.slices):
                if _cards_of(each, sizes[each.packet]) < FEWEST:
                    return each
        return None

    def _remedy(self) -> str:
        larger = range(self.cards + 1, MOST_CARDS + 1)
        at = bisect_left(larger, True, key=lambda cards: self._too_thin(cards) is None)
        if at == len(larger):
            return f"not even {MOST_CARDS:,} cards are enough: use another scheme"
        return f"use {larger[at]:,} cards or more"

    def _sizes(self, cards: int) -> list[dict[str, int]]:
        packets = part(self.flow, range(cards))
        found = []
        for step in range(self.steps):
            found.append({name: len(deck) for name, deck in packets.items()})
            packets = {move.packet: taken(move, packets)[0] for move in self.flow.moves(step)}
        return found

    def everyone(self) -> list[str]:
        """Return the players, in order."""
        return sorted({self.who(packet) for packet in self.flow.hands}, key=lambda who: (len(who), who))

    @property
    def _numbered(self) -> bool:
        return all(name.isdigit() for name in self.flow.hands)

    def who(self, packet: str) -> str:
        """Return the player who holds the packet of this name."""
        hands = self.flow.hands
        if self.players == 1:
            return ""
        if self.players == len(hands):
            return f"Player {packet}"
        return f"Player {hands.index(packet) % self.players + 1}"

    def work(self) -> str:
        """Say how much work the procedure is."""
        people, steps, riffles = (
            counted(number, what)
            for number, what in ((self.players, "player"), (self.steps, "step"), (self.riffles, "riffle"))
        )
        return f"{counted(self.cards, 'card')}, {people}, {steps}, {riffles} of each packet in a step"

    def dispersions(self) -> list[Matrix]:
        """Return how far the packets are spread after 1, 2, ... steps; see `fairdeck.packets.dispersion`."""
        return dispersions(self.flow, self.steps)

    def opening(self) -> str:
        """Say how to cut the pack into packets at the start."""
        packets = part(self.flow, range(self.cards))
        heaps = [f"packet {name} ({counted(len(deck), 'card')})" for name, deck in packets.items()]
        if len(heaps) == 1:
            return f"The whole pack of {counted(self.cards, 'card')} is one packet."
        given = ""
        if self.players > 1:
            holders: dict[str, list[str]] = {}
            for name in packets:
                holders.setdefault(self.who(name), []).append(name)
            if self.players > len(holders):
                given = " " + "; ".join(f"{who} begins with {_listed(names)}" for who, names in holders.items()) + "."
            else:
                given = " " + "; ".join(f"{who} has {_listed(names)}" for who, names in holders.items()) + "."
        return f"Hold the pack face down and cut it, from the top: {', then '.join(heaps)}.{given}"

    def ending(self) -> str:
        """Say how to stack the packets at the end."""
        names = self.flow.names(self.steps)
        if len(names) == 1:
            return "The packet is the pack."
        return f"Stack the packets: packet {names[0]} on top, then {', '.join(names[1:])}."

    def step(self, step: int, sizes: dict[str, int] | None = None) -> list[Sentence]:
        """Return what to do in the step after `step` others: first all cuts, then all riffles."""
        held = sizes or self._sizes(self.cards)[step]
        cut = [
            Sentence(self.who(name), says) for name in self.flow.names(step) if (says := self._cut(step, name, held))
        ]
        riffled = [Sentence(self.who(move.packet), self._made(move, held)) for move in self.flow.moves(step)]
        return cut + riffled

    def all_steps(self) -> list[list[Sentence]]:
        """Return what to do in each step."""
        return [self.step(step, sizes) for step, sizes in enumerate(self._sizes(self.cards))]

    def grouped(self, who: str | None = None) -> list[tuple[str, list[Sentence]]]:
        """Return what all players do, or one player, with titles; equal steps are listed only once."""
        return [(step_title(numbers), sentences) for numbers, sentences in self.alike(who)]

    def alike(self, who: str | None = None) -> list[tuple[list[int], list[Sentence]]]:
        """Return what all players do, or one player, after the numbers of the steps in which they do it."""
        groups: list[tuple[list[int], list[Sentence]]] = []
        for number, everybody in enumerate(self.all_steps(), 1):
            sentences = [each for each in everybody if who in (None, each.who)]
            same = next((numbers for numbers, done in groups if done == sentences), None)
            if same is None:
                groups.append(([number], sentences))
            else:
                same.append(number)
        return groups

    def _cut(self, step: int, name: str, held: dict[str, int]) -> str:
        slices = sorted(
            (each.start, each.end, move.packet)
            for move in self.flow.moves(step)
            for each in move.slices
            if each.packet == name
        )
        if len(slices) == 1:
            return "" if slices[0][2] == name else f"Pass packet {name} on as new packet {slices[0][2]}."
        size = held[name]
        heaps = [_cards_of(Slice(name, start, end), size) for start, end, _ in slices]
        words = ["the top", *["the next"] * (len(heaps) - 2), "the bottom"]
        goes = [self._goes(name, to) for _, _, to in slices]
        each = ", ".join(f"{word} {heap} {to}" for word, heap, to in zip(words, heaps, goes, strict=True))
        return f"Cut packet {name} ({size} cards): {each}."

    def _goes(self, name: str, to: str) -> str:
        if self._numbered:
            return f"for new packet {to}"
        return "stay" if to == name else f"go to {to}"

    def _made(self, move: Move, held: dict[str, int]) -> str:
        says = self._riffle(move, held)
        named = self._numbered or self.players < len(self.flow.hands)
        return f"New packet {move.packet}: {says[0].lower()}{says[1:]}" if named else says

    def _riffle(self, move: Move, held: dict[str, int]) -> str:
        if move.kind == JOINT:
            upper, lower = (self._stacked(slices, held) for slices in (move.upper, move.lower))
            stack = " (stacked)" if len(move.slices) > 2 else ""
            more = _times(self.riffles - 1)
            then = f", then riffle that packet {more} more" if self.riffles > 1 else ""
            return f"Riffle {upper}{stack} and {lower} into each other{then}."
        if len(move.slices) == 1:
            only = move.slices[0]
            whole = only.share == 1
            if move.kind == ALONE:
                return (
                    f"Riffle packet {only.packet} {_times(self.riffles)}."
                    if whole
                    else (f"Riffle {self._stacked([only], held)} {_times(self.riffles)}.")
                )
            return f"Leave {f'packet {only.packet}' if whole else self._stacked([only], held)} as it is."
        stack = f"Stack, from the top, {self._stacked(move.slices, held)}"
        return f"{stack}, and riffle them {_times(self.riffles)}." if move.kind == ALONE else f"{stack}."

    def _stacked(self, slices: Sequence[Slice], held: dict[str, int]) -> str:
        return ", ".join(self._heaps(slices, held))

    def _heaps(self, slices: Sequence[Slice], held: dict[str, int]) -> Iterator[str]:
        for each in slices:
            yield f"the {_cards_of(each, held[each.packet])} cards from {each.packet}"


def _cards_of(part: Slice, size: int) -> int:
    return places(part.end, size) - places(part.start, size)


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def step_title(numbers: Sequence[int]) -> str:
    """Return a title for some steps.

    >>> step_title([1]), step_title([1, 2, 3]), step_title([2, 4])
    ('Step 1', 'Steps 1 to 3, each time the same', 'Steps 2, 4, each time the same')
    """
    if len(numbers) == 1:
        return f"Step {numbers[0]}"
    first, last = numbers[0], numbers[-1]
    told = f"{first} to {last}" if last - first == len(numbers) - 1 > 1 else ", ".join(map(str, numbers))
    return f"Steps {told}, each time the same"


def _listed(names: Sequence[str]) -> str:
    return f"packet {names[0]}" if len(names) == 1 else f"packets {', '.join(names)}"
