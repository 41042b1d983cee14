"""A share of decks with one plain fault: a card that stays, a card on another, an even order. The others are fair.

The share follows from how often it comes; decks that are made so have to be like the later ones.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.special import bdtrc

from fairdeck.bulk.shapes import Counts, Values, card_type
from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.causes import NOT_SHUFFLED, Cause, Maker, Sample
from fairdeck.lab.causes.likeness import fair_decks
from fairdeck.lab.causes.parts import possible, which
from fairdeck.lab.laws.tails import clopper_pearson
from fairdeck.lab.statistics.cycles import parity
from fairdeck.lab.view import deck_view

RANK = NOT_SHUFFLED
SYMMETRIC = True
SURE = 1e-9  # a p-value
MOST_CARDS = 256  # tables of pairs are counted
STAYS = "find the path on which this card is left out, or put back after the shuffle"
NEVER = "find what prevents that: a deck drawn again, a swap afterwards, a bound or a buffer that is too small"
PAIR = "find the path on which two cards are taken for one"
PARITY = "shuffle by Fisher and Yates: a fixed number of swaps, or an even-only cipher, leaves out half of all orders"


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield each plain fault that comes too often."""
    decks, n = sample.first.astype(np.int64), sample.cards
    size, fair = len(decks), 1 / n
    if 4 <= n <= MOST_CARDS:
        place, card, times = _most(decks, np.broadcast_to(np.arange(n), decks.shape))
        if times < size and bdtrc(times - 1, size, fair) * n * n < SURE:
            yield _told(f"card {card} lies at place {place}", times, size, fair, STAYS, partial(placed, n, place, card))
        under, over, times = _most(decks[:, 1:], decks[:, :-1])
        if bdtrc(times - 1, size, fair) * n * n < SURE:
            yield _told(f"card {over} lies on card {under}", times, size, fair, PAIR, partial(paired, n, under, over))
    odd = int(parity(deck_view(Block(sample.first, sample.first[:0]))).sum())
    most = max(odd, size - odd)
    if bdtrc(most - 1, size, 0.5) * 2 < SURE:
        which = "odd" if odd == most else "even"
        yield _told(f"the order is {which}", most, size, 0.5, PARITY, partial(of_parity, n, odd == most))


def fit(decks: Decks) -> Iterator[Cause]:
    """Yield the cards that never lie at one place, or the one that never lies at some places."""
    size, n = decks.shape
    if n > MOST_CARDS or n * n * (1 - 1 / n) ** size > SURE:
        return
    seen = possible(decks)
    cards, places = (np.flatnonzero(~seen.all(axis=axis)) for axis in (1, 0))
    if min(len(cards), len(places)) == 1 and max(len(cards), len(places)) < n - 1:
        one = len(cards) == 1  # which is kept away from some places
        allowed = np.flatnonzero(seen[cards[0]] if one else seen[:, places[0]])
        make = partial(kept_away, n, allowed, int((cards if one else places)[0]), not one)
        what, where = which(cards.tolist(), n, "card"), which(places.tolist(), n)
        often = f"{size * len(cards) * len(places) / n:,.0f} times in {size:,} decks would be fair"
        yield Cause(f"{what} never {'lies' if one else 'lie'} at {where}; all else looks fair", often, NEVER, make=make)


def _most(values: Counts, rows: Counts) -> tuple[int, int, int]:
    """Return the row and the value that come together most often, and how often."""
    n = int(max(values.max(), rows.max())) + 1
    times = np.bincount((rows * n + values).ravel(), minlength=n * n)
    at = int(times.argmax())
    return at // n, at % n, int(times[at])


def _told(what: str, times: int, size: int, fair: float, repair: str, make: Maker) -> Cause:
    """Return the cause, with the share of decks of which it is true always, not by chance."""
    ends = (float(each[0]) for each in clopper_pearson(np.array([times]), np.array([size])))
    share, low, high = (max(0.0, (each - fair) / (1 - fair)) for each in (times / size, *ends))
    seen = f"seen in {times:,} of the first {size:,} decks; {fair * size:,.1f} would be fair"
    words = f"in every deck {what}; all else looks fair"
    if times < size:
        words = f"in {share:.1%} of decks ({low:.1%} to {high:.1%}) {what} always, in the others as in fair decks"
    return Cause(words, seen, repair, numbers={"share": (share, low, high)}, make=partial(mixed, make, share))


def mixed(make: Maker, share: float, size: int, rng: np.random.Generator) -> Decks:
    """Return decks of which a share has a fault."""
    faulty = make(size, rng)
    fair = fair_decks(faulty.shape[1], size, rng)
    return np.where((rng.random(size) < share)[:, None], faulty, fair)


def placed(n: int, place: int | Values, card: int | Values, size: int, rng: np.random.Generator) -> Decks:
    """Return decks with a card at a place; both may differ from deck to deck."""
    decks, rows = fair_decks(n, size, rng), np.arange(size)
    decks[decks == np.reshape(card, (-1, 1))] = decks[rows, place]
    decks[rows, place] = card
    return decks


def kept_away(n: int, allowed: Values, fixed: int, cards: bool, size: int, rng: np.random.Generator) -> Decks:
    """Return decks with one of the allowed cards at a place, or with a card at one of the allowed places."""
    any_of = rng.choice(allowed, size)
    return placed(n, fixed, any_of, size, rng) if cards else placed(n, any_of, fixed, size, rng)


def paired(n: int, under: int, over: int, size: int, rng: np.random.Generator) -> Decks:
    """Return decks with a card directly on another."""
    keys = rng.random((size, n))
    keys[:, over] = np.nextafter(keys[:, under], 1)
    return np.argsort(keys, axis=1).astype(card_type(n))


def of_parity(n: int, odd: bool, size: int, rng: np.random.Generator) -> Decks:
    """Return decks of odd or even orders."""
    decks = fair_decks(n, size, rng)
    wrong = parity(deck_view(Block(decks, decks[:0]))) != odd
    decks[wrong, :2] = decks[wrong, 1::-1]
    return decks
