"""Several questions at one level: one shuffle at many sizes, or the decks of several sizes, lists or schemes in a log.

Each **part** is an `Inquiry` with its share of alpha, announced before any deck is seen; the shares add up to 1 at
most. Each has a trial of its own, at its share of the level; so a fair shuffle fails in any of them with chance alpha
at most, however the parts depend on each other and wherever each of them stops (Bonferroni with weights). The p-value
of the whole is the smallest of the p-values of the parts, each divided by its share.

The parts are counted in turn: a few decks of each, then as many again, and so on; powers of two, where most faults lie,
are a turn ahead. So a plain fault at one of them shows soon. Once one is certain, no other is counted to its end: twice
the decks that showed the fault say at which sizes it lies. The decks of a file are there already, and are all counted.
"""

import os
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, islice, repeat
from math import comb, prod
from pathlib import Path
from typing import Any, Self, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from fairdeck import numbers
from fairdeck.bulk.shapes import card_type
from fairdeck.cards.cells import is_deck, is_number, words
from fairdeck.cards.logs import SEEN, Asked
from fairdeck.cards.logs.columns import cell_in
from fairdeck.cards.logs.json_lines import value_at
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Block, Broken, Decks, Source
from fairdeck.lab.causes.even_ciphers import Odd
from fairdeck.lab.inquiry import MOST_DECKS, Inquiry, is_file
from fairdeck.lab.judging.report_of_several import ALL
from fairdeck.lab.judging.tally import Battery, Tally, block_sizes
from fairdeck.lab.judging.trial import Portion, Trial, portioned
from fairdeck.lab.judging.verdict import DEFAULT_ALPHA, Verdict, fewest_decks
from fairdeck.lab.observations.schemes import read_seen
from fairdeck.lab.sizes import is_power, named, sizes_of, telling_first
from fairdeck.lab.sources.file import TextFile, lines_of
from fairdeck.lab.sources.parts import Parts
from fairdeck.lab.sources.pieces import SomeLines, signatures
from fairdeck.lab.sources.simulated import Simulated
from fairdeck.lab.statistics.cycles import parity
from fairdeck.lab.usercode.faults import LONGEST_WORD, shortened
from fairdeck.lab.view import deck_view
from fairdeck.randomness import seed_number

FIRST_TURN = 64  # decks of each part; in the next turn as many again
LIKEWISE = 2  # times the decks that showed a fault at one size: what the others are asked then
SIZE_DECKS, SIZE_CARDS, FEWEST_OF_SIZE = 1_024, 2**17, 128  # decks at each size: of large decks fewer
NEW_DECKS = 256  # after a failure, for its cause
LARGEST_BLOCK = 512
TOGETHER = 0.5  # the share of the level for the decks of all strata together
IN_TURN = 16  # decks at once of the stratum that has most
SHOWN = 8  # strata that a message names
MOST_STRATA, FEWEST_OF_LIST = 64, 16  # strata of a log; lines of a list that is told from torn lines
MOST_FORMS, MOST_LINES, ODD = 1_024, 2**23, 64  # of a log whose lists are looked for; one line in so many may be odd
SURE, SURE_SIZE = 1_000, 64  # so many different hands for each list there is, or cards in the smallest deck
LENGTHS = (
    "this is right only if how many cards a line has was not chosen by looking at cards: else --seen prefix, in order"
)
SCHEMES = re.compile(r",(?=\s*(?:[a-z]|\d+/))", re.IGNORECASE)
Key: TypeAlias = tuple[str, ...]  # the names of a list, in order; or the size of a deck of numbers
DOUBLINGS = 3  # of the decks between two interim analyses at a size: 40 sizes would take a minute for more

Item: TypeAlias = tuple[int, Battery, Portion | Broken]


@dataclass(frozen=True)
class Part:
    """One of several questions.

    Attributes:
        inquiry: what is asked; its `alpha` is that of this part.
        share: that alpha as a share of the whole, above 0 and 1 at most.
        label: of the decks that it is about; empty if it is about a size.
        stratum: these decks; None if the source is about nothing else.
    """

    inquiry: Inquiry
    share: float
    label: str = ""
    stratum: "Stratum | None" = None

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
        """Yield the sizes of its blocks: at a size as few as the interim analyses allow, as each takes time."""
        done = joined = 0
        for size in block_sizes(cards, most):
            done, joined = done + size, joined + size
            if not self.inquiry.endless or done.bit_count() == 1 or joined >= LARGEST_BLOCK or done == most:
                yield joined
                joined = 0


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
    """Decks that are judged apart.

    Attributes:
        label: what they are called.
        what: where they are: a path, records, or a source.
        number: among all strata, from 0.
        lines: those of a file; None for all.
        decks: how many there are; 0 where that is not known.
        deck: the list; empty where nobody says it.
        note: what a reader should know of all of them.
    """

    label: str
    what: Any
    number: int = 0
    lines: SomeLines | None = None
    decks: int = 0
    deck: Sequence[str] = ()
    note: str = ""


class Together(Source):
    """The decks of several strata, in turn: of each the cards that all have, by their places in the list."""

    def __init__(self, name: str, members: Sequence[tuple[Source, int]], cards: int, open_still: ExitStack) -> None:
        super().__init__(name, cards)
        self._members, self._open = members, open_still
        sights = {(source.cards, source.scheme) for source, _ in members}
        scheme = sights.pop()[1] if len(sights) == 1 else ""
        self._scheme = "" if scheme.startswith(("all", "prefix")) else scheme

    @property
    def scheme(self) -> str:
        """What is seen of each deck, if that is the same of all, and not all of it."""
        return self._scheme

    def batches(self) -> Iterator[Decks]:
        """Yield decks of each, in proportion to how many it has."""
        most = max(decks for _, decks in self._members)
        streams = [source.blocks(repeat(-(-IN_TURN * decks // most))) for source, decks in self._members]
        while streams:
            for stream in [*streams]:
                block = next(stream, None)
                if block is None:
                    streams.remove(stream)
                else:
                    decks = block.decks[block.decks < self.cards].reshape(-1, self.cards)
                    yield decks.astype(card_type(self.cards))

    def close(self) -> None:
        """Close the source of each."""
        super().close()
        self._open.close()


def at_strata(
    strata: Sequence[Stratum], each: Mapping[str, Any], *, alpha: float | None = None, **asked: Any
) -> list[Part]:
    """Return a part for each stratum, and one for their decks together.

    Args:
        strata: two or more; their shares are in proportion to their decks, or equal where these are not known.
        each: options of `Inquiry.of`, for all, or by the label of a stratum.
        alpha: the level of the whole.
        asked: other options, for all.

    Raises:
        FairdeckError: an option names another stratum, or the decks of one cannot be read.
    """
    if len(strata) < 2:
        raise FairdeckError("one sort of decks, or none: give it without a name, or name two or more")
    labels = [stratum.label for stratum in strata]
    for option, values in each.items():
        if isinstance(values, Mapping) and (unknown := sorted(set(map(str, values)).difference(labels))):
            named_here = ", ".join(map(shortened, labels[:SHOWN]))
            raise FairdeckError(f"{option}: no decks are called {shortened(unknown[0])}; these are there: {named_here}")
    asked["seed"] = seed_number(asked.get("seed"))
    level, all_decks = numbers.alpha(DEFAULT_ALPHA if alpha is None else alpha), [each.decks for each in strata]
    weights = all_decks if all(all_decks) else [1] * len(strata)
    with ExitStack() as stack:
        parts, members = list[Part](), list[tuple[Source, int]]()
        for stratum, weight in zip(strata, weights, strict=True):
            own: dict[str, Any] = {
                name: value.get(stratum.label) if isinstance(value, Mapping) else value for name, value in each.items()
            }
            own["deck"] = own["deck"] or stratum.deck or None
            share = weight / sum(weights)
            with _about(stratum.label):
                inquiry = Inquiry.of(stratum.what, alpha=level * share, **own, **asked)
                if (
                    inquiry.endless
                    or hasattr(stratum.what, "blocks")
                    or (inquiry.kind == "file" and not inquiry.can_be_read_again)
                ):
                    raise FairdeckError("give decks that can be read twice: a file, an array or lists")
                part = Part(inquiry, share, stratum.label, stratum)
                source = stack.enter_context(closing(part.opened()))
            parts.append(part)
            members.append((cast(Source, source), weight))
        kept = max((source.cards for source, _ in members), key=lambda size: size * _decks_of(members, size))
        members = [(source, weight) for source, weight in members if source.cards >= kept]
        if len(members) < 2:
            return parts
        open_still = stack.pop_all()
    source = Together(parts[0].inquiry.name, members, kept, open_still)
    whole = replace(parts[0].inquiry, alpha=level * TOGETHER, cards=kept, seen="", order="", kinds="", board="")
    rest = 1 - TOGETHER
    halved = [replace(p, share=p.share * rest, inquiry=replace(p.inquiry, alpha=p.inquiry.alpha * rest)) for p in parts]
    return [*halved, Part(whole, TOGETHER, ALL, Stratum(ALL, source))]


def _decks_of(members: Sequence[tuple[Source, int]], size: int) -> int:
    return sum(decks for source, decks in members if source.cards >= size)


def parts_of(
    what: Any,
    *,
    cards: Any = None,
    by: str | None = None,
    seen: Any = None,
    deck: Any = None,
    kept: bool = False,
    **asked: Any,
) -> list[Part]:
    """Return the parts of what is asked of several sizes, lists or schemes; none if it is about one of each.

    Args:
        what: as `fairdeck.lab.test` takes it; or by their labels several of these.
        cards: as there, for all decks, or by the label of a stratum; and so the next two.
        seen: as there.
        deck: as there.
        by: the column of a table, or the name of a value in JSON lines, that tells the stratum of each deck.
        kept: whether the run is kept in a store, which is about one of each.
        asked: the other options of `Inquiry.of`.

    Raises:
        FairdeckError: the decks cannot be told apart as it is asked.
    """
    each = {"cards": cards, "seen": seen, "deck": deck}
    if by and hasattr(what, "columns"):
        if by not in what.columns:
            raise FairdeckError(f"by: there is no column {by!r}; these are there: {', '.join(map(str, what.columns))}")
        what = {str(label): rows.drop(columns=by) for label, rows in what.groupby(by, sort=False)}
    if isinstance(what, Mapping):
        named_things = [Stratum(str(label), thing, at) for at, (label, thing) in enumerate(what.items())]
        return at_strata(named_things, each, **asked)
    path = os.fspath(what) if isinstance(what, str | os.PathLike) and is_file(what) else ""
    place = Asked(asked.get("columns") or "", asked.get("path") or "")
    if by or schemes_of(seen):
        each["seen"] = seen if by else {scheme: scheme for scheme in schemes_of(seen).values()}
        return at_strata(_told_apart(path, place, by, seen, kept=kept), each, **asked)
    if sizes := sizes_of(cards):
        return at_sizes(what, sizes, seen=seen, deck=deck, **asked)
    lists = deck if isinstance(deck, Mapping) else {}
    of_one = cards or (deck and not lists) or any(asked.get(name) for name in ("order", "standard", "kinds", "board"))
    if path and not (kept or of_one or seen not in (None, "all")) and (found := by_list(path, place, lists)):
        each["deck"] = None
        return at_strata(found, each, **asked)
    if unnamed := [name for name, value in each.items() if isinstance(value, Mapping)]:
        raise FairdeckError(f"{unnamed[0]}: nothing tells of which stratum each deck is; name its column: by")
    return []


def _told_apart(path: str, place: Asked, by: str | None, seen: Any, *, kept: bool) -> list[Stratum]:
    """Return the strata of a file that a column names, or how many cards a line has."""
    option, schemes = f"by {shortened(by)}" if by else "seen", schemes_of(seen)
    if kept or not path:
        remedy = "leave the store out" if kept else "name a file: what comes from a pipe can be saved in one"
        raise FairdeckError(f"{option}: decks are told apart by reading a file twice; {remedy}")
    lines, cut = _lines(path, place, plain=not by), None
    head = list(islice(lines, SEEN))
    value: Callable[[str], Any] | None = value_at(head, by) if by else lambda line: schemes.get(len(words(line)), "")
    if value is None:
        value, cut = cell_in(head, by or "")
    labels, of = dict[str, tuple[int, list[str]]](), array("i")
    for at, line in enumerate(chain(head, lines), 1):
        told = value(line) if line.strip() else None
        if told == "" or (told is None and line.strip() and not cut):
            remedy = f"has {len(words(line)):,} cards: name its scheme, too" if not by else "has no value there"
            raise FairdeckError(f"{option}: {shortened(path)}: line {at:,} {remedy}")
        if told is not None:
            deck = list(map(str, told)) if isinstance(told, list) else []
            key = "\n".join(sorted(deck)) or str(told)
            labels.setdefault(key, (len(labels) + 1, deck))
        of.append(0 if told is None else labels[key][0])  # without a value: names of columns
        if len(labels) > MOST_STRATA:
            raise FairdeckError(f"{option}: {shortened(path)} has more than {MOST_STRATA} values; name one with fewer")
    if len(labels) < 2:
        raise FairdeckError(f"{option}: all decks are of {shortened(next(iter(labels), 'none'))}; leave it out")
    names = [f"list {at}" if deck else label for label, (at, deck) in labels.items()]
    lists = [deck for _, deck in labels.values()]
    return _strata(path, names, np.array(of, np.int32), lists, plain=not by, cut=cut, note="" if by else LENGTHS)


def schemes_of(seen: Any) -> dict[int, str]:
    """Return several schemes by how many cards a line of each has; none if it is only one.

    >>> schemes_of("set:5,set:7"), schemes_of("places:0,5,9"), schemes_of("6/49, 5/50")
    ({5: 'set:5', 7: 'set:7'}, {}, {6: '6/49', 5: '5/50'})
    """
    schemes = list(map(str.strip, SCHEMES.split(seen))) if isinstance(seen, str) else []
    found: dict[int, str] = {}
    for scheme in schemes if len(schemes) > 1 else ():
        word, _, told = read_seen(scheme)[0].partition(":")
        size = 0 if word == "prefix" or not told else told.count(",") + 1 if word == "places" else prod(_sizes(told))
        if not size or size in found:
            why = f"has {size} cards in a line, as {found[size]}" if size else "says no one length"
            raise FairdeckError(f"seen: {scheme} {why}: a line does not tell its scheme; name a column that does: by")
        found[size] = scheme
    return found


def _sizes(told: str) -> Iterator[int]:
    return map(int, told.split("x"))


def by_list(path: str, asked: Asked, known: Mapping[str, Iterable[object]]) -> list[Stratum]:
    """Return the strata of a file of whole decks of several sizes or lists; none if it is not sure to be one.

    Lines of the same letters, in any order, have the same cards. A list needs `FEWEST_OF_LIST` lines. Any other line
    goes to the list that has most of its cards, whose reader says what is wrong.
    """
    signs, shown = list[NDArray[np.uint64]](), dict[int, bytes]()
    for text, _ in lines_of(path, asked, plain=True):
        signs.append(signatures(text))
        lines = text.split(b"\n")
        for sign, at in zip(*(each.tolist() for each in np.unique(signs[-1], return_index=True)), strict=True):
            shown.setdefault(sign, lines[at])
        if len(shown) > MOST_FORMS or sum(map(len, signs)) > MOST_LINES:
            return []
    if len(shown) < 2:
        return []
    forms, starts, form_of, often = np.unique(np.concatenate(signs), True, True, True)
    rows = [words(shown[sign].decode("utf-8", "replace")) for sign in forms.tolist()]
    lists, first, cards = Counter[Key](), dict[Key, int](), dict[Key, Counter[str]]()
    keys: list[Key] = [(str(len(row)),) if row and is_deck(row) else tuple(sorted(row)) for row in rows]
    for key, row, start, count in zip(keys, rows, starts.tolist(), often.tolist(), strict=True):
        lists[key] += count
        first[key], cards[key] = min(start, first.get(key, start)), Counter(row)
    sizes = {key: cards[key].total() for key in lists}
    strata = [key for key in lists if key and lists[key] >= FEWEST_OF_LIST]
    strata.sort(key=lambda key: (sizes[key], first[key]))
    if not _are_lists(strata, lists, cards):
        return []
    number: dict[Key, int] = {(): 0} | {key: at for at, key in enumerate(strata, 1)}
    for key in lists.keys() - number.keys():
        alike = [((cards[each] & cards[key]).total(), -abs(sizes[each] - sizes[key])) for each in strata]
        near = max(range(len(strata)), key=alike.__getitem__)
        number[key] = near + 1 if alike[near][0] or first[key] else 0  # or it names columns
    labels, same = list[str](), Counter(sizes[key] for key in strata)
    for at, key in enumerate(strata, 1):
        own = min(cards[key].keys() - {name for other in strata if other != key for name in cards[other]}, default="")
        usual = f"{sizes[key]:,} cards" if same[sizes[key]] == 1 else f"list {at} ({shortened(own, LONGEST_WORD)} ...)"
        labels.append(next((name for name, deck in known.items() if Counter(map(str, deck)) == cards[key]), usual))
    of = np.array([number[key] for key in keys], np.int32)[form_of]
    return _strata(path, labels, of, [list(map(str, known.get(label, ()))) for label in labels], plain=True)


def _are_lists(strata: Sequence[Key], lists: Counter[Key], cards: Mapping[Key, Counter[str]]) -> bool:
    """Say whether lines are surely whole decks of so few lists, and not some cards of larger decks."""
    odd = lists.total() - sum(lists[key] for key in ((), *strata))
    if not 1 < len(strata) <= MOST_STRATA or ODD * odd > lists.total() or min(len(cards[key]) for key in strata) < 2:
        return False
    if all(map(is_number, chain.from_iterable(strata))):
        return all(len(key) == 1 for key in strata)
    equal, size = any(len(cards[key]) < len(key) for key in strata), min(cards[key].total() for key in strata)
    if equal and max(Counter((cards[key].total(), frozenset(cards[key])) for key in lists).values()) > 1:
        return False  # the same names, some more often: lands among the cards of a hand
    names = len(set().union(*(cards[key] for key in strata)))
    # Some cards of one larger deck would be others in nearly every line.
    return size > SURE_SIZE or comb(names + (size - 1) * equal, size) > SURE * len(strata)


def _strata(
    path: str,
    labels: Sequence[str],
    of: NDArray[np.int32],
    lists: Sequence[Sequence[str]],
    *,
    plain: bool,
    cut: Callable[[str], str] | None = None,
    note: str = "",
) -> list[Stratum]:
    """Return the strata of a file: `of` says which one each line is of, from 1."""
    lines = (SomeLines(of, at, plain, cut) for at in range(1, len(labels) + 1))
    return [
        Stratum(label, Path(path), each.number - 1, each, int((of == each.number).sum()), deck, note)
        for label, deck, each in zip(labels, lists, lines, strict=True)
    ]


def _lines(path: str, asked: Asked, *, plain: bool) -> Iterator[str]:
    for text, _ in lines_of(path, asked, plain=plain):
        yield from text.decode("utf-8", "replace").removesuffix("\n").split("\n")


@contextmanager
def _about(label: str) -> Iterator[None]:
    """Say of an error in which decks it is."""
    try:
        yield
    except FairdeckError as error:
        raise FairdeckError(f"in the decks of {shortened(label)}: {error}") from None


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
        return [part.part.label or f"{part.cards} cards" for part in sorted(failed, key=lambda part: part.cards)]

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
        return f"of {', '.join(labels)}"
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
    """Return how many decks a portion has."""
    if portion is None:
        return 0
    return sum(portion.sizes) if hasattr(portion, "sizes") else sum(block.size for block in portion)
