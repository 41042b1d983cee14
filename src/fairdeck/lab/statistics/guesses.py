"""Guesses: how often a player who has seen all cards dealt so far is right about the next one.

Every strategy that names a card not seen yet has the same law: with m cards left it is right with
the chance 1/m on a fair deck, independently of what happened before. So the law of its hits is exact.
"""

from typing import ClassVar

import numpy as np

from fairdeck.bulk.shapes import Floats, Values, counted
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.statistics.cycles import MOST, stirling_law
from fairdeck.lab.view import View

DOUBT = 1.0  # added to each learned count, so that every unseen card has a score above 0


class Guesses(Scalar):
    """The hits of a strategy that is fixed before the first deck."""

    family: ClassVar[str] = "guess"


class LearnedGuesses(Scalar):
    """The hits of a strategy that learns from the first half of each batch and guesses the second half.

    So the tally depends on how the decks are cut into batches, and its sum is not the number of decks.
    """

    family: ClassVar[str] = "guess"
    relative: ClassVar[bool] = False


def hits_underneath(view: View) -> Values:
    """Return the hits on each deck, dealt from the top, of a player who thinks that packets stay whole.

    The guess is the card that lay under the last card dealt; if that has been dealt already, or does not
    exist, it is the highest card not seen.
    """
    columns, places = view.columns, view.places
    follows = counted(columns[:-1] == columns[1:] - 1)
    # By card: whether the card under it has been dealt before, or does not exist.
    spent = np.ones(columns.shape, dtype=bool)
    np.greater(places[:-1], places[1:], out=spent[1:])
    highest = columns == np.maximum.accumulate(columns, axis=0)  # of those not dealt before it
    at_a_loss = np.take_along_axis(spent, columns[1:].astype(np.intp), axis=0)
    hits: Values = follows + counted(highest[:-1] & at_a_loss) + highest[-1]
    return hits


def hits_longest(view: View) -> Values:
    """Return the hits on each deck, dealt from the top, of a player who thinks of a riffle.

    The cards not seen form stretches of successive numbers; each is the rest of one packet or
    several. A riffle drops from a packet in proportion to its size, so the guess is the top card of the
    longest stretch, of the highest one if several have that length.
    """
    n, decks = view.columns.shape
    here = np.arange(decks)
    # Read backwards, the cards come back, so stretches only grow and merge. It is enough to keep
    # the length of each at both ends. Rows 0 and n + 1 stay empty.
    length = np.zeros((n + 2) * decks, dtype=np.int16)
    longest, guess = np.zeros(decks, dtype=np.int16), np.zeros(decks, dtype=np.int16)
    hits = np.zeros(decks, dtype=np.int64)
    for row in view.columns:
        at = (row.astype(np.int64) + 1) * decks + here
        under, over = length.take(at - decks), length.take(at + decks)
        whole = under + over + np.int16(1)
        np.put(length, at - under.astype(np.int64) * decks, whole)
        np.put(length, at + over.astype(np.int64) * decks, whole)
        head = row + over
        longer = (whole > longest) | ((whole == longest) & (head > guess))
        guess = np.where(longer, head, guess)
        np.maximum(longest, whole, out=longest)
        hits += guess == row
    return hits


def hits_turning(view: View) -> Values:
    """Return the hits on each deck, dealt from the top, of a player who thinks of a machine with shelves.

    The cards of a shelf rise and then fall. So the guess is the next unseen card above the last one while cards rise,
    the next one below it while they fall; the other one if there is none. With one shelf no strategy is better: it is
    right 3n/4 times.
    """
    n, decks = view.columns.shape
    here = np.arange(decks)
    above = np.repeat(np.arange(1, n + 3)[:, None], decks, axis=1)  # unseen neighbours of the cards 1 to n
    below = above - 2
    guess, last, hits = np.ones(decks, np.int64), np.zeros(decks, np.int64), np.zeros(decks, np.int64)
    for row in view.columns[::-1]:
        card = row.astype(np.int64) + 1
        hits += guess == card
        up, down = above[card, here], below[card, here]
        above[down, here], below[up, here] = up, down
        guess = np.where((card > last) & (up <= n) | (down == 0), up, down)
        last = card
    return hits


def learned_hits(view: View) -> Values:
    """Return the hits on each deck of the second half of the view.

    A card's score is how often it lay at this place, times how often it lay under the last card
    dealt, in the first half of the view; the unseen card of the highest score is guessed.
    """
    n, learned = view.cards, view.decks // 2
    known, guessed = view.columns[:, :learned].astype(np.int64), view.columns[:, learned:].astype(np.int64)
    at = np.stack([np.bincount(row, minlength=n) for row in known]) + DOUBT
    under = np.full((n, n), DOUBT)
    for upper, lower in zip(known[1:], known[:-1], strict=True):
        under += np.bincount(upper * n + lower, minlength=n * n).reshape(n, n)
    unseen: Floats = np.ones((guessed.shape[1], n))
    deck = np.arange(len(unseen))
    hits = np.zeros(len(unseen), dtype=np.int64)
    scores = np.broadcast_to(at[-1], unseen.shape)
    for place in range(n - 1, -1, -1):
        card = guessed[place]
        hits += np.argmax(scores, axis=1) == card
        unseen[deck, card] = 0
        scores = np.take(under * at[place - 1], card, axis=0)
        scores *= unseen
    return hits


_SOURCE = "independent 1/m chances, hence Stirling numbers; Diaconis and Graham, Ann. Stat. 9 (1981), on guessing games"

#: Asked where a guesser's gain is told, but not of shuffles under test: it adds nothing there.
TURNING = Guesses(
    name="guesser of the next card that way",
    sees="machines with shelves: cards rise and fall",
    source=f"{_SOURCE}; Diaconis, Fulman and Holmes, Ann. Appl. Probab. 23 (2013), on shelves",
    of=hits_turning,
    law=stirling_law,
    few="the next unseen card in the direction of the last two comes too rarely",
    many="a player who knows how a machine with shelves works can predict the next card too often",
    most=MOST,
)

STATISTICS = (
    Guesses(
        name="guesser of the card underneath",
        sees="packets that stay whole, merges and riffles: what lay under a card comes after it",
        source=_SOURCE,
        of=hits_underneath,
        law=stirling_law,
        few="the card that lay under the last one comes next too rarely",
        many="a player can predict the next card too often: it lay under the card just dealt",
        most=MOST,
    ),
    Guesses(
        name="guesser of the longest packet",
        sees="riffles: the longest packet left gives the next card most often",
        source=f"{_SOURCE}; Bayer and Diaconis, Ann. Appl. Probab. 2 (1992), on riffles",
        of=hits_longest,
        law=stirling_law,
        few="the top of the longest packet left comes next too rarely",
        many="a player who knows how a riffle works can predict the next card too often",
        most=MOST,
    ),
    LearnedGuesses(
        name="guesser who learns",
        sees="anything that a player can learn from which card lies where and on which",
        source=_SOURCE,
        of=learned_hits,
        law=stirling_law,
        few="what was true of earlier decks is too rarely true of later ones",
        many="a player who has watched earlier decks can predict the next card too often",
        most=200,
    ),
)
