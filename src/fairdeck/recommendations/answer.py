"""What is told to somebody who asks: each way to shuffle, and all of them ranked."""

import json
from dataclasses import asdict, dataclass, field, replace

from fairdeck.dealing.pace import Pace
from fairdeck.recommendations.request import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """A way to shuffle.

    Attributes:
        way: what to do.
        minutes: about how long it takes.
        total_variation: how far from uniform the deck is then; None if nobody knows.
        exact: whether that is exact (by a law, for riffles as the model has them), or an estimate.
        needs: what it takes.
        remark: what to know beforehand; may be empty.
        enough: whether it meets the distance and the minutes of the request; `ranking` says so.
        gives_a_deck: whether there is a shuffled deck afterwards.
        mark: the way in one to three words, for a picture.
        at_least: a lower bound on the distance, if nobody knows it; 0 if no bound is known either.
        people: how many people it keeps busy.
        do: what to do, one sentence or several a step.
        sheets: for each player who does something else than the others: who, where he or she sits, and what to do.
    """

    way: str
    minutes: float
    total_variation: float | None
    exact: bool
    needs: str
    remark: str
    enough: bool = False
    gives_a_deck: bool = True
    mark: str
    at_least: float = 0.0
    people: int = 1
    do: tuple[str, ...] = field(default=(), repr=False)
    sheets: tuple[tuple[str, tuple[str, ...]], ...] = field(default=(), repr=False)

    def with_step(self, before: str = "", after: str = "") -> "Recommendation":
        """Return the same with something to do before or after all else, on the sheet of each player too."""

        def longer(do: tuple[str, ...], who: str) -> tuple[str, ...]:
            return tuple(f"{who}{step}" if step in (before, after) else step for step in (before, *do, after) if step)

        sheets = tuple((name, longer(do, "One of you for all. ")) for name, do in self.sheets)
        return replace(self, do=longer(self.do, ""), sheets=sheets)


@dataclass(frozen=True, repr=False)
class Recommendations:
    """Every way to shuffle a deck, best first: what meets the request, the quickest first; then the nearest to it.

    Attributes:
        request: what was asked for.
        pace: the pace from which the minutes are computed.
        ranked: the ways, one or more.
        with_room: the quickest deal if there were room for piles; None if there is room, or some way is random enough.
    """

    request: Request
    pace: Pace
    ranked: tuple[Recommendation, ...]
    with_room: Recommendation | None = None

    @property
    def best(self) -> Recommendation:
        """The first."""
        return self.ranked[0]

    def __repr__(self) -> str:
        deck = f"{self.request.cards} {self.request.things}"
        return f"Recommendations({deck}, best of {len(self.ranked)}: {self.best.way!r})"

    def __str__(self) -> str:
        """Return the sentence that `fairdeck advise` begins with."""
        from fairdeck.output.recommendation import headline

        return headline(self)

    def html(self) -> str:
        """Return one HTML page with a picture and a table, which needs nothing else."""
        from fairdeck.output.recommendation import page

        return page(self)

    def _repr_html_(self) -> str:
        from fairdeck.output.html import framed

        return framed(self.html())

    def to_json(self) -> str:
        """Return what `fairdeck advise --json` prints."""
        request = {
            name: getattr(self.request, name) for name in ("cards", "cards_are", "room", "players", "machine", "decks")
        }
        mine = self.request.riffler
        request |= {"goal": str(self.request.goal), "riffle": mine.recipe if mine else None, "pace": asdict(self.pace)}
        return json.dumps({"format": "fairdeck-advice/1", **request} | {"ways": list(map(asdict, self.ranked))})
