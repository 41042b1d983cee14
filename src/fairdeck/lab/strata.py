"""The strata of a log: its decks of several sizes, lists or schemes, told apart before an order of cards is looked at.

Each stratum has a share of the level in proportion to its decks, so a tiny one costs the others nothing. A fault spread
over many strata would be found late, as each must show it alone; so half of the level is for the decks of all of them
**together**: of each deck those cards that all have, by their places in the list. A fair shuffle leaves these in a
uniform order, too.
"""

import os
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import chain, islice, repeat
from math import comb, prod
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from fairdeck import numbers
from fairdeck.bulk.shapes import card_type
from fairdeck.cards.cells import is_deck, is_number, words
from fairdeck.cards.logs import SEEN, Asked
from fairdeck.cards.logs.columns import cell_in
from fairdeck.cards.logs.json_lines import value_at
from fairdeck.cards.text import shown
from fairdeck.errors import FairdeckError, naming
from fairdeck.lab.blocks import Decks, Source
from fairdeck.lab.inquiry import Inquiry, is_file
from fairdeck.lab.judging.report_of_several import ALL
from fairdeck.lab.judging.verdict import DEFAULT_ALPHA
from fairdeck.lab.observations.schemes import read_seen
from fairdeck.lab.several import Part, Stratum, at_sizes
from fairdeck.lab.sizes import sizes_of
from fairdeck.lab.sources.file import lines_of
from fairdeck.lab.sources.pieces import SomeLines, signatures
from fairdeck.lab.usercode.faults import LONGEST_WORD, shortened
from fairdeck.randomness import seed_number

TOGETHER = 0.5  # the share of the level for the decks of all strata together
IN_TURN = 16  # decks at once of the stratum that has most
SHOWN = 8  # strata that a message names
MOST_STRATA, FEWEST_OF_LIST = 64, 16  # strata of a log; lines of a list that is told from torn lines
MOST_FORMS, MOST_LINES, ODD = 1_024, 2**23, 64  # of a log whose lists are looked for; one line in so many may be odd
SURE, SURE_SIZE = 1_000, 64  # so many different hands for each list there is, or cards in the smallest deck
LENGTHS = "right only if nobody chose the lengths of lines by looking at cards; else --seen prefix, with cards in order"
SCHEMES = re.compile(r",(?=\s*(?:[a-z]|\d+/))", re.IGNORECASE)
Key: TypeAlias = tuple[str, ...]  # the names of a list, in order; or the size of a deck of numbers


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
        raise FairdeckError("with one sort of decks, leave its name out; else name two or more")
    labels = [stratum.label for stratum in strata]
    printed = [*map(shown, labels), ALL]
    if twice := next((label for label in printed if printed.count(label) > 1), ""):
        raise FairdeckError(f"two sorts of decks would be called {shortened(twice)} in the report; rename one")
    for option, values in each.items():
        if isinstance(values, Mapping) and (unknown := sorted(set(map(str, values)).difference(labels))):
            named_here = ", ".join(map(shortened, labels[:SHOWN]))
            raise FairdeckError(f"{option}: no decks are called {shortened(unknown[0])}; these are there: {named_here}")
    asked["seed"] = seed_number(asked.get("seed"))
    level = numbers.alpha(DEFAULT_ALPHA if alpha is None else alpha)
    decks = [stratum.decks for stratum in strata]
    weights = decks if all(decks) else [1] * len(strata)
    with ExitStack() as stack:
        parts, members = list[Part](), list[tuple[Source, int]]()
        for stratum, weight in zip(strata, weights, strict=True):
            own: dict[str, Any] = {
                name: value.get(stratum.label) if isinstance(value, Mapping) else value for name, value in each.items()
            }
            own["deck"] = stratum.deck or None if own["deck"] is None else own["deck"]
            share = weight / sum(weights)
            with naming(f"in the decks of {shortened(stratum.label)}"):
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
        sizes = [source.cards for source, _ in members]
        kept = max(sizes, key=lambda size: size * sum(decks for source, decks in members if source.cards >= size))
        members = [(source, weight) for source, weight in members if source.cards >= kept]
        if len(members) < 2:
            return parts
        open_still = stack.pop_all()
    source = Together(parts[0].inquiry.name, members, kept, open_still)
    whole = replace(parts[0].inquiry, alpha=level * TOGETHER, cards=kept, seen="", order="", kinds="", board="")
    rest = 1 - TOGETHER
    halved = [replace(p, share=p.share * rest, inquiry=replace(p.inquiry, alpha=p.inquiry.alpha * rest)) for p in parts]
    return [*halved, Part(whole, TOGETHER, ALL, Stratum(ALL, source))]


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
    told = [cards, None if lists else deck, *map(asked.get, ("order", "standard", "kinds", "board"))]
    of_one = any(value is not None for value in told)
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
    texts = (text.decode("utf-8", "replace").removesuffix("\n") for text, _ in lines_of(path, place, plain=not by))
    lines, cut = chain.from_iterable(text.split("\n") for text in texts), None
    head = list(islice(lines, SEEN))
    value: Callable[[str], Any] | None = value_at(head, by) if by else lambda line: schemes.get(len(words(line)), "")
    if value is None:
        value, cut = cell_in(head, by or "")
    labels, of = dict[Key, tuple[int, list[str]]](), array("i")
    for at, line in enumerate(chain(head, lines), 1):
        told = value(line) if line.strip() else None
        if told == "" or (told is None and line.strip() and not cut):
            remedy = f"has {len(words(line)):,} cards: name its scheme, too" if not by else "has no value there"
            raise FairdeckError(f"{option}: {shortened(path)}: line {at:,} {remedy}")
        if told is not None:
            deck = list(map(str, told)) if isinstance(told, list) else []
            key = ("", *sorted(deck)) if deck else (str(told),)
            labels.setdefault(key, (len(labels) + 1, deck))
        of.append(0 if told is None else labels[key][0])  # without a value: names of columns
        if len(labels) > MOST_STRATA:
            raise FairdeckError(f"{option}: {shortened(path)} has more than {MOST_STRATA} values; name one with fewer")
    if len(labels) < 2:
        only = " ".join(next(iter(labels), ("none",))).strip()
        raise FairdeckError(f"{option}: all decks are of {shortened(only)}; leave it out")
    names = [f"list {at}" if deck else label for (label, *_), (at, deck) in labels.items()]
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
        size = (
            0
            if word == "prefix" or not told
            else told.count(",") + 1
            if word == "places"
            else prod(map(int, told.split("x")))
        )
        if not size or size in found:
            why = f"has {size} cards in a line, as {found[size]}" if size else "says no one length"
            raise FairdeckError(f"seen: {scheme} {why}: a line does not tell its scheme; name a column that does: by")
        found[size] = scheme
    return found


def by_list(path: str, asked: Asked, known: Mapping[str, Iterable[object]]) -> list[Stratum]:
    """Return the strata of a file of whole decks of several sizes or lists; none if it is not sure to be one.

    Lines of the same letters, in any order, have the same cards. A list needs `FEWEST_OF_LIST` lines. Any other line
    goes to the list that has most of its cards, whose reader says what is wrong.
    """
    signs, lines_of_sign = list[NDArray[np.uint64]](), dict[int, bytes]()
    for text, _ in lines_of(path, asked, plain=True):
        signs.append(signatures(text))
        lines = text.split(b"\n")
        for sign, at in zip(*(each.tolist() for each in np.unique(signs[-1], return_index=True)), strict=True):
            lines_of_sign.setdefault(sign, lines[at])
        if len(lines_of_sign) > MOST_FORMS or sum(map(len, signs)) > MOST_LINES:
            return []
    if len(lines_of_sign) < 2:
        return []
    forms, starts, form_of, often = np.unique(np.concatenate(signs), True, True, True)
    rows = [words(lines_of_sign[sign].decode("utf-8", "replace")) for sign in forms.tolist()]
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
