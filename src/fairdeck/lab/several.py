"""Several questions at one level: one shuffle at many sizes, or the decks of several strata of a log.

Each **part** is an `Inquiry` with its share of alpha, announced before any deck is seen; the shares add up to 1 at
most. Each has a trial of its own, at its share of the level; so a fair shuffle fails in any of them with chance alpha
at most, however the parts depend on each other and wherever each of them stops (Bonferroni with weights). The p-value
of the whole is the smallest of the p-values of the parts, each divided by its share.

The parts are counted in turn: a few decks of each, then as many again, and so on; powers of two, where most faults lie,
are a turn ahead. So a plain fault at one of them shows soon. Once one is certain, no other is counted to its end: twice
the decks that showed the fault say at which sizes it lies. The decks of a file are there already, and are all counted.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, Self, TypeAlias

from fairdeck import numbers
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Block, Broken, Source
from fairdeck.lab.causes.even_ciphers import Odd
from fairdeck.lab.inquiry import MOST_DECKS, Inquiry
from fairdeck.lab.judging.report_of_several import ALL
from fairdeck.lab.judging.tally import Battery, Tally, block_sizes, fewer_blocks
from fairdeck.lab.judging.trial import Portion, Trial, portioned
from fairdeck.lab.judging.verdict import DEFAULT_ALPHA, Verdict, fewest_decks
from fairdeck.lab.sizes import is_power, named, telling_first
from fairdeck.lab.sources.file import TextFile
from fairdeck.lab.sources.parts import Parts
from fairdeck.lab.sources.pieces import SomeLines
from fairdeck.lab.sources.simulated import Simulated
from fairdeck.lab.statistics.cycles import parity
from fairdeck.lab.view import deck_view
from fairdeck.randomness import seed_number

FIRST_TURN = 64  # decks of each part; in the next turn as many again
LIKEWISE = 2  # times the decks that showed a fault at one size: what the others are asked then
SIZE_DECKS, SIZE_CARDS, FEWEST_OF_SIZE = 1_024, 2**17, 128  # decks at each size: of large decks fewer
NEW_DECKS = 256  # after a failure, for its cause
DOUBLINGS = 3  # of the decks between two interim analyses at a size: 40 sizes would take a minute for more

Item: TypeAlias = tuple[int, Battery, Portion | Broken]


@dataclass(frozen=True)
class Part:
    """One of several questions."""

    inquiry: Inquiry  # what is asked; its `alpha` is that of this part
    share: float  # that alpha as a share of the whole, above 0 and 1 at most
    label: str = ""  # of the decks that it is about; empty if it is about a size
    stratum: "Stratum | None" = None  # these decks; None if the source is about nothing else

    def opened(self, thing: Any = None) -> Source | Simulated | Parts:
        """Return the source of its decks; see `Inquiry.opened`."""
        of = self.stratum
        return self.inquiry.opened(of.what, stratum=of.number, lines=of.lines) if of else self.inquiry.opened(thing)

    def trial(self, asked: Inquiry) -> Trial:
        """Return the trial of what is asked; a pass at one of several sizes takes fewer decks."""
        if not asked.endless:
            fewest = FEWEST_OF_SIZE
            return Trial(asked.battery, asked.decks, asked.alpha, fewest=fewest, announced=asked.announced)
        fewest = min(fewest_decks(asked.cards), decks_at(asked.cards))
        return Trial(asked.battery, asked.decks, asked.alpha, fewest=fewest, doublings=DOUBLINGS)

    def blocks(self, cards: int, most: int) -> Iterator[int]:
        """Return the sizes of its blocks: at a size as few as the interim analyses allow."""
        return fewer_blocks(cards, most, most) if self.inquiry.endless else block_sizes(cards, most)


def decks_at(cards: int) -> int:
    """Return how many decks are counted at each of many sizes, if nobody says it.

    >>> decks_at(52), decks_at(256), decks_at(4_096)
    (1024, 512, 128)
    """
    return max(FEWEST_OF_SIZE, min(SIZE_DECKS, SIZE_CARDS // cards))


def at_sizes(
    what: Any,
    sizes: Sequence[int],
    *,
    decks: int | None = None,
    seed: Any = None,
    alpha: float | None = None,
    standard: Any = None,
    **options: Any,
) -> list[Part]:
    """Return a part for each of the sizes, with equal shares of `alpha`; the options are those of `Inquiry.of`.

    Raises:
        FairdeckError: these decks cannot be asked at several sizes.
    """
    if standard:
        raise FairdeckError(
            "a standard is about decks of one size: name one number of cards, or leave the standard out"
        )
    share, seed = 1 / len(sizes), seed_number(seed)
    options |= {"seed": seed, "alpha": numbers.alpha(DEFAULT_ALPHA if alpha is None else alpha) * share}
    first = Inquiry.of(what, cards=sizes[0], decks=decks, **options)
    if first.kind == "given":
        raise FairdeckError("an array has decks of one size: name one number of cards, or none")
    if first.kind == "file" and not first.can_be_read_again:
        raise FairdeckError(
            f"{first.name} can be read only once, and several sizes take a reading each: save the decks in a file"
        )
    asked = (Inquiry.of(what, cards=cards, decks=decks, **options) for cards in telling_first(sizes))
    fewer = decks is None and first.endless
    return [Part(replace(each, decks=decks_at(each.cards)) if fewer else each, share) for each in asked]


@dataclass(frozen=True)
class Stratum:
    """Decks that are judged apart."""

    label: str  # what they are called
    what: Any  # where they are: a path, records, or a source
    number: int = 0  # among all strata, from 0
    lines: SomeLines | None = None  # those of a file; None for all
    decks: int = 0  # how many there are; 0 where that is not known
    deck: Sequence[str] = ()  # the list; empty where nobody says it
    note: str = ""  # what a reader should know of all of them


class Running:
    """A part whose decks are being counted; its source, often a process, is opened when its turn comes."""

    def __init__(self, part: Part, open_part: Callable[[Part], Source | Simulated | Parts]) -> None:
        self.part, self._open_part = part, open_part
        self.sent = 0  # decks on their way to be counted, or counted
        self.ended = False
        self._portions: Iterator[Portion] | None = None

    @cached_property
    def source(self) -> Source | Simulated | Parts:
        """Its decks."""
        return self._open_part(self.part)

    @property
    def opened(self) -> bool:
        """Whether its source is open."""
        return "source" in vars(self)

    @property
    def inquiry(self) -> Inquiry:
        """The question, with the cards once they are known."""
        return self.part.inquiry.of_source(self.source) if self.opened else self.part.inquiry

    @cached_property
    def trial(self) -> Trial:
        """What is known of it; the laws of its statistics, which take time, are computed when its turn comes."""
        return self.part.trial(self.part.inquiry.of_source(self.source))

    @property
    def begun(self) -> bool:
        """Whether its turn has come."""
        return "trial" in vars(self)

    @property
    def cards(self) -> int:
        """The cards of its decks."""
        return self.part.inquiry.cards if self.part.inquiry.endless else self.source.cards

    @property
    def over(self) -> bool:
        """Whether it has failed, or no deck is left."""
        return self.ended or (self.begun and (self.trial.failed or self.trial.decks >= self.trial.most))

    @property
    def p_value(self) -> float:
        """Its p-value, corrected for all parts."""
        if not self.begun:
            return 1.0
        return min(1.0, self.trial.p_value / self.part.share)

    def verdict(self) -> Verdict:
        """Return what is known; of a part that was stopped without an analysis, as those of many take a minute."""
        if self.over:
            return self.trial.verdict()
        decks, p_value = (self.trial.decks, self.trial.p_value) if self.begun else (0, 1.0)
        inquiry, known = self.inquiry, min(1.0, p_value)
        return Verdict("insufficient", known, inquiry.alpha, decks, (), (), (), inquiry.decks, 0)

    def odd(self) -> Odd | None:
        """Return how many orders are odd; None if they were not counted."""
        if not self.begun:
            return None
        battery, tally, cards = self.trial.battery, self.trial.tally, self.cards
        if self.inquiry.seen:
            return None  # the rest of each deck is drawn at random
        if self.trial.failed:
            with suppress(Broken):
                block = self.source.latest(NEW_DECKS, 0) if isinstance(self.source, Simulated) else self._new()
                return Odd(cards, int(parity(deck_view(block)).sum()), block.size)
        counts = battery.counts_of("parity", tally)
        return None if counts is None or tally is None or self.trial.failed else Odd(cards, int(counts[1]), tally.decks)

    def _new(self) -> Block:
        """Return decks that no trial has seen; Broken if none comes."""
        if isinstance(self.source, Source):
            for block in self.source.blocks([NEW_DECKS]):
                return block
        raise Broken("no more decks", 0)

    def next_portion(self) -> Portion | Broken | None:
        """Return the next decks, what is wrong with the source, or None after the last deck."""
        try:
            self._portions = self._portions or portioned(self.source, self.trial, self.part.blocks)
            portion = next(self._portions, None)
        except Broken as broken:
            self.ended = True
            return broken
        except FairdeckError as error:
            of = self.part.stratum
            raise FairdeckError(str(error) if of and of.lines else f"{_which([self])}: {error}") from None
        self.ended = portion is None
        self.sent += _size(portion)
        return portion

    def take(self, counted: "Tally | Broken") -> None:
        """Add what was counted."""
        if isinstance(counted, Broken):
            if counted.counted is not None:
                self.trial.add(counted.counted)
            self.trial.broke(counted)
            self.ended = True
        elif not self.trial.failed:
            self.trial.add(counted)


class Several:
    """The trials of several parts, as one."""

    def __init__(self, parts: Sequence[Part], open_part: Callable[[Part], Source | Simulated | Parts]) -> None:
        """Open the source of the first part, and every file; a ValueError if the shares add up to more than 1."""
        if sum(part.share for part in parts) > 1 + 1e-9:
            raise ValueError("the shares of the parts add up to more than 1")
        with ExitStack() as self._open:
            self.parts = [
                Running(part, lambda asked: self._open.enter_context(closing(open_part(asked)))) for part in parts
            ]
            for part in self.parts:
                if part is self.parts[0] or not part.part.inquiry.endless:
                    _ = part.source
            self._open = self._open.pop_all()
        sizes = [part.cards for part in self.parts if not part.part.stratum]
        for part in self.parts:
            if sizes and part.opened and isinstance(part.source, TextFile):
                part.source.besides = sizes

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._open.close()

    @property
    def alpha(self) -> float:
        """The level of the whole."""
        part = self.parts[0].part
        return float(f"{part.inquiry.alpha / part.share:.12g}")

    @property
    def decks(self) -> int:
        """The decks counted so far, of all parts."""
        return sum(part.trial.decks for part in self.parts if part.begun and part.part.label != ALL)

    @property
    def most(self) -> int:
        """How many decks there will be at most, of all parts."""
        parts = (part for part in self.parts if part.part.label != ALL)
        return sum(part.trial.decks if part.over else part.inquiry.decks for part in parts)

    @property
    def faulty(self) -> list[str]:
        """The sizes, or strata, that have failed so far."""
        failed = [part for part in self.parts if part.begun and part.trial.failed]
        return [_which([part]) for part in sorted(failed, key=lambda part: part.cards)]

    @property
    def p_value(self) -> float:
        """The p-value of the whole."""
        return min(part.p_value for part in self.parts)

    def notes(self) -> list[str]:
        """Return what a reader should know of the sources, each note once, with the sizes that it is about."""
        about: dict[str, list[Running]] = {}
        parts = [part for part in self.parts if part.part.label != ALL and part.opened]
        first = parts[0].part.stratum
        for part in parts:
            for note in part.source.notes:  # an example of names in brackets is another in each stratum
                about.setdefault(note.partition(" (")[0] if first else note, []).append(part)
        of_all = [first.note] if first and first.note else []
        return of_all + [note if len(at) == len(parts) else f"{note} ({_which(at)})" for note, at in about.items()]

    def odd(self) -> list[Odd]:
        """Return how many orders are odd at each size; after a failure in new decks, as those before were chosen."""
        return [each for part in self.parts if (each := part.odd())]

    def run(self, map_: Callable[..., Iterable[Any]]) -> Iterator[Running]:
        """Count until every part has failed or has its decks; yield each part after each of its portions."""
        for at, counted in map_(_counted, self._in_turn()):
            part = self.parts[at]
            if part.trial.decks < self._enough:  # not what was on its way when a fault became certain
                part.take(counted)
            yield part

    @property
    def _enough(self) -> int:
        """How many decks of a part are enough by now."""
        failed = (part for part in self.parts if part.begun and part.trial.failed and part.inquiry.endless)
        shown = min((part.trial.decks for part in failed), default=MOST_DECKS)
        return max(FIRST_TURN, LIKEWISE * shown)

    def _in_turn(self) -> Iterator[Item]:
        turn = FIRST_TURN
        while left := [(at, part) for at, part in enumerate(self.parts) if not part.over and part.sent < self._enough]:
            for at, part in left:
                ahead = turn * (1 + is_power(part.cards))
                while part.sent < min(ahead, self._enough) and not part.over:
                    if (portion := part.next_portion()) is not None:
                        yield at, part.trial.battery, portion
            turn *= 2


def _which(parts: Sequence[Running]) -> str:
    """Return the sizes, or strata, of parts in words."""
    if labels := list(filter(None, (part.part.label for part in parts))):
        return f"in {ALL}" if labels == [ALL] else f"in the decks of {', '.join(labels)}"
    return f"at {named(sorted(part.cards for part in parts))} cards"


def _counted(item: Item) -> tuple[int, Tally | Broken]:
    """Return what a battery counts of a portion, here or in another process; or what is wrong with the source."""
    at, battery, portion = item
    if isinstance(portion, Broken):
        return at, portion
    try:
        return at, _made(battery).tally_all(portion)
    except Broken as broken:
        return at, broken


@cache
def _made(battery: Battery) -> Battery:
    """Return an equal battery whose members are known already: one that has travelled would make them again."""
    return battery


def _size(portion: Any) -> int:
    if portion is None:
        return 0
    return sum(portion.sizes) if hasattr(portion, "sizes") else sum(block.size for block in portion)
