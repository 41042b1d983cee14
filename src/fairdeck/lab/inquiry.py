"""Which shuffle is tested, on how many decks, and by what: one frozen value.

The call, the command, a store, a report and the monitor read it.

An inquiry decides every digit of a run: which decks are made, what is counted, and how it is judged. What only says how
the work is done (processes, a cluster, a store, progress) is none of it.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from math import prod
from typing import Any, Literal, Self, cast

from fairdeck import numbers
from fairdeck.cards.logs import Asked
from fairdeck.doors import check_fields
from fairdeck.errors import FairdeckError, naming
from fairdeck.lab import standards
from fairdeck.lab.blocks import Source
from fairdeck.lab.judging.tally import DEFAULT_LAGS, LAGS, Battery
from fairdeck.lab.judging.trial import Standing, Trial
from fairdeck.lab.judging.verdict import DEFAULT_ALPHA
from fairdeck.lab.observations import Sight
from fairdeck.lab.observations.kinds import kinds_as_text, kinds_of
from fairdeck.lab.observations.schemes import fitted, read_seen
from fairdeck.lab.sources import TIMEOUT, Start, Takes, checked_start
from fairdeck.lab.sources.file import open_file, order_of, table_source
from fairdeck.lab.sources.function import CalledHere, FunctionSource
from fairdeck.lab.sources.observed import ASK, Completion
from fairdeck.lab.sources.parts import CodeParts, Parts
from fairdeck.lab.sources.pieces import SomeLines
from fairdeck.lab.sources.program import ProgramSource
from fairdeck.lab.sources.simulated import Simulated
from fairdeck.lab.standards import Standard
from fairdeck.lab.usercode.faults import shortened
from fairdeck.lab.usercode.process_groups import joined
from fairdeck.randomness import seed_number
from fairdeck.shuffles import MOST_CARDS
from fairdeck.trust.beacon import published_round

Kind = Literal["known", "function", "program", "file", "called", "given", "monitor"]

USUAL_CARDS = 52
USUAL_DECKS, MOST_DECKS = 2**18, 10**12
ENDLESS = ("known", "function", "program", "called")  # kinds that make as many decks as are asked for
SEEDED = ("known", "function", "called")  # kinds whose decks come from the seed, as far as anybody here can know


@dataclass(frozen=True, slots=True)
class Program:
    """A program that writes decks to its standard output.

    Attributes:
        command: as it is typed; ``{cards}`` stands for the number of cards.
        layout: ``text``, a deck a line, or ``u8``, ``u16``, ``u32``: little-endian integers from 0.
    """

    command: str
    layout: str = "text"

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, kw_only=True)
class Inquiry:
    """Which shuffle is tested, on how many decks, and by which statistics."""

    # ``known`` (a shuffle by name), ``function``, ``program`` or ``file``; ``called``, a function of this process;
    # ``given``, decks in the memory of this process; ``monitor``, a watch of logs
    kind: Kind
    what: str  # the name, function, command or path
    # how a program writes decks; or where in a file they are, as in ``columns c0-c51`` or ``path game.deck``
    layout: str = ""
    cards: int  # the cards of a deck; 0 before decks that exist already show it
    decks: int = MOST_DECKS  # the most decks that are counted
    announced: bool = True  # whether that number was chosen in advance
    seed: int | None = None  # of all random streams; None if whole decks exist already
    alpha: float = DEFAULT_ALPHA  # the largest chance that a fair shuffle fails
    standard: Standard | None = None  # the published standard that chooses the statistics; None for none
    only: tuple[str, ...] = ()  # the statistics that were chosen; empty for all
    lags: int = DEFAULT_LAGS  # decks are compared with those up to so many before them
    start: Start = "sorted"  # what each deck starts from
    takes: Takes | Literal[""] = ""  # what a function takes; empty for what its signature says
    # the sorted deck of a file whose cards are words, or the list of a deck with equal cards; empty if they are numbers
    order: str = ""
    seen: str = ""  # what is seen of each deck, as `Sight` has it; empty for all of it, if the cards differ
    kinds: str = ""  # of cards, as ``land=1-24,ramp=25-30``; empty for the names with several copies
    board: str = ""  # as ``9x9``: rows and columns, if the cards are the cells of a board
    timeout: float = TIMEOUT  # seconds without a deck after which a function or a program has failed
    in_parts: bool = False  # whether the decks of a function or a program are made in parts, each by a new process
    at_least: int = 0  # the decks that the verdict covers even if the shuffle fails earlier
    beacon: str = ""  # a round of the public beacon that was known before, and its signature: ``ROUND:HEX``

    @classmethod
    def of(
        cls,
        what: Any,
        *,
        cards: int | None = None,
        decks: int | None = None,
        seed: Any = None,
        alpha: float | None = None,
        standard: str | Standard | None = None,
        only: str | Iterable[str] = (),
        lags: int | None = None,
        start: str = "sorted",
        takes: Takes | None = None,
        order: str | Iterable[str] | None = None,
        seen: str | None = None,
        deck: Iterable[object] | None = None,
        kinds: str | Mapping[str, object] | None = None,
        board: str | None = None,
        columns: str | None = None,
        path: str | None = None,
        timeout: float = TIMEOUT,
        in_parts: bool = False,
        at_least: int = 0,
        beacon: str | bytes | None = None,
    ) -> Self:
        """Return what is asked by these words, which are those of `fairdeck.lab.test`; what is left out is as usual.

        Raises:
            FairdeckError: a value is out of range, or two do not go together.
        """
        norm = standards.find(standard) if isinstance(standard, str) else standard
        level = numbers.alpha(alpha) if alpha is not None else norm.alpha if norm else DEFAULT_ALPHA
        most = None if decks is None else numbers.whole("decks", decks, 1, MOST_DECKS)
        with naming("beacon"):
            content = beacon.encode() if isinstance(beacon, str) else beacon
            signed = None if content is None else published_round(content)
        number = seed_of_beacon(signed[1]) if signed and seed is None else seed_number(seed)
        kind, name, layout = _named(what)
        endless = kind in ENDLESS
        cells = _rows_and_columns(board) if cards is None and deck is None and (endless or seen) else None
        scheme, size, listed = asked_parts(kind, seen, deck, prod(cells) if cells else cards)
        if listed and order:
            raise FairdeckError("order and deck: both list the cards; leave one out")
        if endless and seen and order:
            raise FairdeckError("order is of the words in a file: say deck, the list whose names are given")
        if columns or path:
            layout = place_in_lines(kind, columns, path)
        names = only.split(",") if isinstance(only, str) else only
        chosen = tuple(sorted(frozenset(filter(None, map(str.strip, names)))))
        if norm and chosen:
            raise FairdeckError(f"the standard {norm.name} names the statistics itself: leave `only` out")
        asked = cls(
            kind=kind,
            what=name,
            layout=layout,
            cards=size or (USUAL_CARDS if endless else 0),
            decks=most or (max(USUAL_DECKS, norm.least if norm else 0) if endless else MOST_DECKS),
            announced=endless or most is not None,
            seed=number,  # of decks that exist already it is dropped, unless they are completed: see `of_source`
            alpha=level,
            standard=norm,
            only=chosen,
            lags=numbers.whole("lags", lags, 0, LAGS) if lags is not None else norm.lags if norm else DEFAULT_LAGS,
            start=checked_start(start),
            takes=takes or "",
            order="\n".join(listed or order or ()) if listed or not isinstance(order, str) else order,
            seen=scheme,
            kinds=kinds_as_text(kinds or ""),
            board=(board or "").replace(" ", "").lower(),
            timeout=numbers.seconds("timeout", timeout),
            in_parts=in_parts,
            at_least=numbers.whole("at_least", at_least, 0, MOST_DECKS),
            beacon=f"{signed[0]}:{signed[1].hex()}" if signed else "",
        )
        asked.check_start()
        if asked.cards:
            _ = asked.sight
        return asked

    def check_start(self) -> None:
        """Raise a FairdeckError if decks of this kind cannot start so, or be made in parts, where that is asked."""
        if self.kind == "program" and self.start == "carried":
            raise FairdeckError(
                "start carried: a program decides itself whether it continues from its last deck; leave start out"
            )
        if self.in_parts and self.kind not in ("function", "program"):
            raise FairdeckError(
                "in parts: only a program, or a function with a name (package.module:function or file.py:function), "
                "makes decks in parts; leave --in-parts out: known shuffles use all cores without it"
            )
        if self.in_parts and self.start == "carried":
            raise FairdeckError(
                "start carried: each deck needs the one before it, so decks cannot be made in parts; leave out "
                "--start carried, or --cluster and --in-parts"
            )
        if self.endless and self.seen and self.start == "carried":
            raise FairdeckError("start carried: what is seen of a deck is no deck to begin with: leave start out")
        if self.kind not in ENDLESS and self.start != "sorted":
            raise FairdeckError(
                f"start {self.start} is for functions and known shuffles; these decks exist already: leave start out"
            )

    # --- what follows from it

    @property
    def name(self) -> str:
        """What is tested, as a report names it."""
        if self.kind == "file" and self.what == "-":
            return "standard input"
        return self.what if self.kind == "known" else shortened(self.what)

    @property
    def beacon_round(self) -> tuple[int, bytes] | None:
        """The round of the public beacon that was known before, and its signature; None if none was named."""
        number, _, signature = self.beacon.partition(":")
        return (int(number), bytes.fromhex(signature)) if number else None

    @property
    def endless(self) -> bool:
        """Whether it makes as many decks as are asked for."""
        return self.kind in ENDLESS

    @property
    def can_be_read_again(self) -> bool:
        """Whether it is a file that stays there; standard input and a pipe are read once."""
        return self.kind == "file" and is_file(self.what)

    @property
    def seeded(self) -> bool:
        """Whether its decks come from the seed; a program may pass over it."""
        return self.kind in SEEDED

    @cached_property
    def battery(self) -> Battery:
        """The statistics that are asked, once the cards are known."""
        if self.standard:
            return self.standard.battery(self.cards, self.lags)
        return Battery(self.cards, self.lags, frozenset(self.only), self.sight)

    @cached_property
    def sight(self) -> Sight | None:
        """What is seen of each deck, once the cards are known; None if that is all of it, and no card is of a kind."""
        deck = order_of(self.order)
        equal = self.endless and len(set(deck)) < len(deck)  # of a file, whole decks with equal cards are ``all``
        if not (self.seen or self.kinds or self.board or equal):
            return None
        if self.standard:
            raise FairdeckError(
                "standard: its tests are of whole decks of cards that all differ, each known, and of nothing else: "
                "leave it out, or leave out seen, deck, kinds and board"
            )
        kinds = kinds_of(self.kinds, deck, self.cards)
        return Sight(self.cards, self.seen or "all", kinds, self._board)

    @property
    def _board(self) -> tuple[int, int] | None:
        cells = _rows_and_columns(self.board)
        if self.board and (not cells or prod(cells) != self.cards):
            raise FairdeckError(
                f"board: {numbers.shortened(self.board)} is not a board of {self.cards:,} cells; write ROWSxCOLUMNS"
            )
        return cells

    def of_source(self, source: Source | Simulated | Parts) -> Self:
        """Return the inquiry about the decks of a source; a standard may want more of them before a verdict."""
        fewest = self.standard.fewest(source.cards) if self.standard else 0
        known = replace(self, cards=source.cards, at_least=max(self.at_least, fewest))
        if not self.endless:
            completion, scheme = getattr(source, "completion", None), getattr(source, "scheme", "")
            order = "\n".join(completion.deck) if completion else ""
            known = replace(known, seen=scheme, order=order) if scheme else replace(known, seen="", seed=None)
        _ = known.sight
        return known

    def trial(self, standing: Standing | None = None) -> Trial:
        """Return the trial of its shuffle: a new one, or one that stood there."""
        fewest = self.standard.fewest(self.cards) if self.standard else None
        return Trial(self.battery, self.decks, self.alpha, fewest=fewest, announced=self.announced, standing=standing)

    # --- where its decks come from

    def opened(
        self, thing: Any = None, session: int = 0, *, stratum: int = 0, lines: SomeLines | None = None
    ) -> Source | Simulated | Parts:
        """Return the source of its decks; raises FairdeckError if there is none of that name, or it gives no deck.

        The `thing` is the function, the array, the table or the `Source` itself, if it is ``called`` or ``given``;
        `session` is how many processes made decks for this inquiry before, which had random streams of their own; so
        has each `stratum` of a file, of which only these `lines` are read.
        """
        seed, takes = _seed_of(self.seed or 0, session), self.takes or None
        if self.kind == "known":  # and nothing else, whatever its name may be the name of
            return self.simulated()
        completion = (
            Completion(self.seen, self.cards, order_of(self.order), seed) if self.seen and self.endless else None
        )
        if self.kind in ("function", "program"):
            is_function = self.kind == "function"
            make: Any = FunctionSource if is_function else ProgramSource
            options: dict[str, Any] = {"start": self.start, "timeout": self.timeout, "completion": completion}
            options |= {"takes": takes} if is_function else {"layout": self.layout}
            if not self.in_parts:
                return cast(Source, make(self.what, self.cards, seed=seed, **options))
            parts = CodeParts.of(make, self.what, self.cards, self.seed or 0, **options)  # whichever session makes one
            parts.source(0).close()  # what is wrong is an error here and not in a worker
            return Parts(parts.numbered() if completion and not completion.deck else parts)
        if self.kind == "called":
            options = {"start": self.start, "takes": takes, "completion": completion}
            return CalledHere(cast("Callable[..., Any]", thing), self.cards, seed=seed, **options)
        if hasattr(thing, "blocks"):
            return cast(Source, thing)
        what: dict[str, Any] = {
            "order": self.order or None,
            "seen": self.seen,
            "seed": _seed_of(self.seed or 0, stratum),
        }
        if self.kind == "file":
            return open_file(self.what, self.cards or None, asked=self.place_in_lines, only=lines, **what)
        return table_source(thing, self.cards or None, **what)

    @property
    def place_in_lines(self) -> Asked:
        """Return the layout of a file whose decks are in these columns, or at this path, not both."""
        return asked_place(self.layout)

    def simulated(self) -> Simulated:
        """Return the source of a known shuffle, whose blocks can be made again; FairdeckError for all others."""
        if self.kind != "known":
            kind = "watched log" if self.kind == "monitor" else self.kind
            raise FairdeckError(
                f"the decks of {self.what}, a {kind}, cannot be made again, so they cannot be verified; name a known "
                "shuffle (see: fairdeck shuffles)"
            )
        # It moves places and never sees the cards: from every fixed start it makes the same decks.
        return Simulated(self.what, self.cards, self.seed or 0, self.start == "carried")


FILE_NAME = re.compile(r"^[^:]*\.[A-Za-z]\w*$")  # such as decks.csv: the name of no known shuffle


def is_file(path: str | os.PathLike[str]) -> bool:
    """Tell whether there is a file of this name."""
    return os.path.isfile(path)  # noqa: PTH113 - a name that is too long is no file, and no error


def asked_place(layout: str) -> Asked:
    """Return where in the lines of a file its decks are, from the layout of an inquiry."""
    option, _, value = layout.partition(" ")
    return Asked(columns=value) if option == "columns" else Asked(path=value) if option == "path" else Asked()


def place_in_lines(kind: str, columns: str | None, path: str | None) -> str:
    """Return the layout of a file whose decks are in these columns, or at this path.

    Raises:
        FairdeckError: both are given, or it is no file.
    """
    if columns and path:
        raise FairdeckError("columns and path: columns are of a table, a path is of JSON lines; leave one out")
    option, value = ("columns", columns) if columns else ("path", path)
    if value and kind not in ("file", "monitor"):
        raise FairdeckError(f"{option} {value[:40]!r} says where the decks of a file are; leave it out")
    return f"{option} {value}" if value else ""


def _named(what: Any) -> tuple[Kind, str, str]:
    """Return of which kind it is, its name, and the layout of a program."""
    if isinstance(what, list | tuple) and what and all(isinstance(word, str) for word in what):
        what = Program(joined(what))
    if isinstance(what, Program):
        return "program", what.command, what.layout
    if callable(what):
        return "called", getattr(what, "__qualname__", type(what).__qualname__), ""
    if isinstance(what, str | os.PathLike):
        text = os.fspath(what)
        if is_file(text) or not isinstance(what, str):  # such as C:\decks.csv, or a pipe
            return "file", text, ""
        if FILE_NAME.search(text):
            raise FairdeckError(f"there is no file {text!r}, and no shuffle is called so; check the path")
        return "function" if ":" in text else "known", text, ""
    if hasattr(what, "blocks"):
        return "given", what.name, ""
    if hasattr(what, "__array__") or isinstance(what, list | tuple):
        return "given", f"the {type(what).__name__}", ""
    raise FairdeckError(
        f"a {type(what).__name__} cannot be tested; give a name, a function, a program, a path, an array or a DataFrame"
    )


def _size(cards: int | None, listed: int, named: int) -> int | None:
    """Return the cards of a deck, by their number, their list, or the scheme of what is seen; None if none says it."""
    told = {"cards": cards, "the list of the deck": listed or None, "seen": named or None}
    sizes = {what: numbers.whole(what, size, 2, MOST_CARDS) for what, size in told.items() if size is not None}
    if len({*sizes.values()}) > 1:
        (one, here), (other, there), *_ = sizes.items()
        raise FairdeckError(f"{one} says {here:,} cards, and {other} {there:,}: leave one out, or correct it")
    return next(iter(sizes.values()), None)


def _rows_and_columns(board: str | None) -> tuple[int, int] | None:
    found = re.fullmatch(r" *([0-9]{1,7}) *[xX] *([0-9]{1,7}) *", board or "")
    return (int(found[1]), int(found[2])) if found else None


def asked_parts(
    kind: str, seen: str | None, deck: Iterable[object] | None, cards: int | None
) -> tuple[str, int | None, list[str]]:
    """Return what is seen of each deck, empty if that is all of it; its cards, if anything says them; and its list.

    Raises:
        FairdeckError: these do not fit each other; or, where no file shows it, something is missing.
    """
    scheme, named = read_seen(seen) if seen else ("", 0)
    listed = [] if deck is None else list(map(str, deck))
    size, equal = _size(cards, len(listed), named), len({*listed}) < len(listed)
    if kind == "monitor" and not scheme and equal:
        scheme = "all"
    if not scheme or kind not in (*ENDLESS, "monitor"):
        return scheme, size, listed
    if kind == "known":
        raise FairdeckError("seen: a known shuffle gives whole decks; name a function, a program or a file instead")
    if scheme in ("top", "set"):
        code = {"program": "program", "monitor": "log"}.get(kind, "function")
        raise FairdeckError(f"seen: {scheme}: say how many cards of each deck the {code} gives, such as {scheme}:7")
    if not size and kind == "monitor":
        raise FairdeckError(f"seen: a log of {scheme} does not show the whole deck; {ASK}")
    return "" if scheme == "all" and not equal else fitted(scheme, size or USUAL_CARDS), size, listed


def seed_of_beacon(signature: bytes) -> int:
    """Return the seed that a round of the beacon gives: the first 16 digits of its randomness."""
    return int.from_bytes(sha256(signature).digest()[:8], "big")


def _seed_of(seed: int, session: int) -> int:
    """Return the seed for the decks that follow a break: the first session has the seed itself."""
    return int.from_bytes(sha256(f"{seed}/session {session}".encode()).digest()[:8], "big") if session else seed
