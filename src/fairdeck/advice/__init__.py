"""The ways to shuffle a deck, ranked: each with its minutes, its quality, and what it needs.

A way is listed only if hands can do it: people riffle cards or shuffle them overhand, mash sleeved cards or shuffle
them overhand, and deal or wash tiles. Without room for piles, the cards stay in the hands. A table is a mat: without
one, piles lie in rows on the bare table. Tarot cards may lie reversed: `ways` says what turns each of them with
chance 1/2, and when.

Four sorts of quality are distinguished: *exactly uniform* (a deck dealt as fairdeck says), an *exact law* of hands that
riffle as the model says, an *estimate*, where only simulation and rules of thumb exist, and *nobody knows*: mashing has
no law, so mashed cards are never called near enough. Minutes are computed from a `Pace`.

* `advise` is what `fairdeck.advise` and the command `fairdeck advise` call; `recommended` answers a `Request`;
* `request` is what somebody has and wants, and a `Recommendation` what a way is for it;
* `ways` has one file for each way, finds the files by itself, and turns tarot cards;
* `ranking` fits each way to the whole request, judges it and puts the best first;
* `answer` is the whole answer, and its words;
* `tasks` are the deals that ways ask for, and their words.
"""

from fairdeck.advice.answer import Recommendations
from fairdeck.advice.ranking import advise, recommended
from fairdeck.advice.request import (
    HANDFULS,
    MOST_CARDS,
    MOST_DECKS,
    MOST_PLAYERS,
    MOST_SHELVES,
    Recommendation,
    Request,
)
from fairdeck.advice.tasks import on_bare_table, rows_of

__all__ = [
    "HANDFULS",
    "MOST_CARDS",
    "MOST_DECKS",
    "MOST_PLAYERS",
    "MOST_SHELVES",
    "Recommendation",
    "Recommendations",
    "Request",
    "advise",
    "on_bare_table",
    "recommended",
    "rows_of",
]
