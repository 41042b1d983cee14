"""Decks that are known in advance: each predicted from those before it, and then looked at.

A rule foretells the next deck, or says nothing. It was chosen before the decks on which it has to hold were seen, and a
fair shuffle fulfils a prediction of a whole deck once in n! decks: one that comes true often is beyond any doubt.
"""

from collections.abc import Callable, Iterator

import numpy as np

from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.causes import KNOWN_IN_ADVANCE, Cause, Sample
from fairdeck.lab.causes.again import moved
from fairdeck.lab.causes.generators import by_states
from fairdeck.lab.causes.likeness import look_fair
from fairdeck.lab.statistics import linear_bits, unknown_generators
from fairdeck.lab.view import relative_view

RANK = KNOWN_IN_ADVANCE
FEW = True
FEWEST = 5  # predictions that came true
OFTEN = 0.95  # of the predictions
FURTHEST = 1_024  # decks back
Predicted = Iterator[tuple[bytes | None, bytes]]
SURE = 1e-12  # a p-value
DRAW = "draw from the operating system's generator, such as `secrets` or `crypto.getRandomValues`"
REPAIR = "look for what is not drawn anew: a generator that starts over, a seed that repeats, decks that are kept"


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield the plainest rule that foretells most later decks."""
    for rule, always, mostly in RULES:
        told, came = score(rule, sample.decks)
        if came >= FEWEST and came >= OFTEN * told and told > len(sample.later) / 2:
            later = f"the last {len(sample.later):,} decks"
            words = always(sample.decks) if came == told else f"{came:,} of {len(sample.later):,} decks {mostly}"
            of = later if told == len(sample.later) else f"{told:,} of {later} that could be predicted"
            yield Cause(words, f"{came:,} of {of} came as predicted from the decks before them", REPAIR)
            return
    yield from _by_numbers(sample)


def _by_numbers(sample: Sample) -> Iterator[Cause]:
    """Yield the generator of exclusive-ors, or the congruential one, that makes the first decks of all counted.

    Decks that do not look fair follow such rules if few of their bits vary; then a plainer cause is looked for.
    """
    (bits,), (relations,) = linear_bits.STATISTICS, unknown_generators.STATISTICS
    fair = look_fair(sample.first)
    for statistic in (bits, relations) if fair else (bits,):  # the search for relations takes long
        counts = sample.battery.counts_of(statistic.name, sample.tally)
        for found in () if counts is None else statistic.judge(counts, sample.cards, sample.tally.decks):
            named = found.test == linear_bits.V8
            if found.p_value < SURE and (named or (fair and not found.roundabout)):
                used = linear_bits.V8 if named else "a generator of exclusive-ors, as xorshift is"
                words = found.means if statistic is relations else f"the numbers that it draws are those of {used}"
                seen = found.words.format(seen=found.seen, expected=found.expected)
                yield from list(by_states(sample)) or [Cause(words, seen, DRAW)]  # some have a name
                return


def score(rule: "Rule", decks: Decks) -> tuple[int, int]:
    """Return how many of the later half of the decks a rule predicts, and how many of these predictions came true."""
    told = came = 0
    for number, (predicted, deck) in enumerate(rule(decks)):
        if number >= len(decks) // 2 and predicted is not None:
            told, came = told + 1, came + (predicted == deck)
    return told, came


def same(decks: Decks) -> Predicted:
    """Predict the deck before."""
    last = None
    for deck in map(bytes, np.ascontiguousarray(decks)):
        yield last, deck
        last = deck


def moved_again(decks: Decks) -> Predicted:
    """Predict that the cards move from place to place as they did from the deck before the last to the last."""
    predicted = last = None
    for deck in decks:
        yield None if predicted is None else predicted.tobytes(), deck.tobytes()
        if last is not None:
            predicted = deck[np.argsort(last)[deck]]
        last = deck


def follower(decks: Decks) -> Predicted:
    """Predict the deck that followed the last time when the deck before came."""
    followed: dict[bytes, bytes] = {}
    last = b""
    for deck in map(bytes, np.ascontiguousarray(decks)):
        yield followed.get(last), deck
        followed[last] = last = deck


def period(decks: Decks) -> int:
    """Return how many decks apart the last deck and its last equal are; 0 if it has none."""
    (at,) = np.nonzero((decks[:-1] == decks[-1]).all(axis=1))
    return len(decks) - 1 - int(at[-1]) if len(at) else 0


def _way(decks: Decks) -> str:
    moves = relative_view(Block(decks[-2:], decks[:0]), 1).columns[:, 0]
    return f" ({moved(moves)})" if moved(moves) != "moved in one way" else ""


def _repeats(decks: Decks) -> str:
    apart = period(decks)
    return f"the decks repeat every {apart:,}" if apart else "each deck decides the next one"


Rule = Callable[[Decks], Predicted]
RULES: tuple[tuple[Rule, Callable[[Decks], str], str], ...] = (  # what is said of all decks, and of most of them
    (same, lambda _: "every deck is the same", "are equal to the deck before"),
    (
        moved_again,
        lambda decks: f"the cards move in the same way from each deck to the next{_way(decks)}: nothing is shuffled",
        "differ from the deck before as that one from the deck before it",
    ),
    (follower, _repeats, "are the deck that followed the last time when the deck before came"),
)
