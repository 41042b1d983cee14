"""Draws from a generator of a library whose numbers foretell later ones."""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import count, pairwise, takewhile

from fairdeck.bulk.shapes import Counts
from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.causes import GENERATED, Cause, Sample
from fairdeck.lab.causes.numbers import look_even
from fairdeck.lab.laws.generators import JAVA, Congruential, congruential
from fairdeck.lab.statistics import generator_states
from fairdeck.lab.statistics.draws import DOWNWARD, READINGS, readings_of
from fairdeck.lab.statistics.foretold_draws import COMPARED, STATISTICS, Fit, fit_of, oddest, rows_of
from fairdeck.lab.statistics.generator_states import TRIED, in_time, options_in_time
from fairdeck.lab.view import deck_view

RANK = GENERATED
FEW = True
ENOUGH = 512  # decks of each half
SURE = 1e-9  # a p-value; every shuffle that fails is asked, so chance has many tries
MORE = 128  # decks whose states are looked for, where `TRIED` do not tell: of few cards
FIRST = 4  # decks whose states are looked at
FORETOLD = 20  # decks that are computed at most
IDLE = 4  # numbers that a program draws for nothing between two decks, at most
SMALL = 2**33  # the largest step of seeds that count up
REPAIR = "draw from the operating system's generator, such as `secrets` or `getrandom`, or seed a newer one from it"


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield the generator that makes single decks; or that whose relation holds for the draws of both halves."""
    yield from list(by_states(sample)) or _by_relations(sample)


def by_states(sample: Sample) -> Iterator[Cause]:
    """Yield the generator whose states make the decks, and tell how many decks one state foretells."""
    n, (statistic,) = sample.cards, generator_states.STATISTICS
    if not statistic.fits(n):
        return
    for decks in (TRIED, MORE):
        view = deck_view(Block(sample.decks[:decks], sample.decks[:0]))
        found = list(generator_states.states(view))
        counts = generator_states.counted(found, view.decks)
        reading, number, p_value = generator_states.surest(counts, n)
        if p_value < SURE:
            break
    else:
        return
    generator, options = congruential()[number], options_in_time(n, DOWNWARD[reading])
    more = deck_view(Block(sample.decks[: decks + FORETOLD], sample.decks[:0]))
    drawn = in_time(readings_of(more)[reading], DOWNWARD[reading]).T.tolist()
    of_decks = {each.deck: each.state for each in found if each[::2] == (reading, number)}
    whole, come = dict[int, int](), 0
    for at in sorted(of_decks)[:FIRST]:
        state = generator.completed(of_decks[at], drawn[at], options)
        if list(generator.draws(state, options)) == drawn[at]:
            whole[at] = state
            if come := _foretold(generator, state, drawn[at + 1 :], options):
                break
    if not whole:  # low bits may be those of another generator
        return
    seen = f"{len(of_decks)} of {view.decks} decks are made by one state each"
    if come:
        decks_came = f"next {come} decks were" if come > 1 else "next deck was"
        seen = f"the state was read off one deck, and from it the {decks_came} computed, card for card"
    elif step := _step(generator, whole):
        seen += f"; the seeds count {'up' if step > 0 else 'down'} by {abs(step):,}"
    words, certain = f"the numbers that it draws are those of {generator.used}", come > 0 or len(whole) > 1
    yield Cause(words, f"read as {READINGS[reading]}, {seen}", REPAIR, certain=certain)


def _foretold(generator: Congruential, state: int, decks: Sequence[Sequence[int]], options: Sequence[int]) -> int:
    """Return how many of the next decks, 20 at most, follow from the state at the first draw of a deck."""
    most = 0
    for idle in range(IDLE + 1):
        ends = (generator.later(state, (len(options) + idle) * deck) for deck in count(1))
        pairs = zip(ends, decks[:FORETOLD], strict=False)
        most = max(most, sum(takewhile(bool, (list(generator.draws(end, options)) == drawn for end, drawn in pairs))))
    return most


def _step(generator: Congruential, whole: dict[int, int]) -> int:
    """Return by how much the seeds of successive decks differ; 0 if not all by the same, or by much."""
    half = generator.modulus // 2
    # `srand48` shifts its seed, and Java masks it.
    for mask, scale in ((0, 2**16), (JAVA, 1), (0, 1))[0 if generator.modulus == 2**48 else 2 :]:
        seeds = {deck: generator.later(state, -1) ^ mask for deck, state in whole.items()}
        steps = {(seeds[b] - seeds[a] + half) % generator.modulus - half for a, b in pairwise(seeds) if b == a + 1}
        step, rest = divmod(min(steps, default=0), scale)
        if len(steps) == 1 and len(seeds) > 2 and not rest and abs(step) < SMALL:
            return step
    return 0


def _by_relations(sample: Sample) -> Iterator[Cause]:
    """Yield the generator that fits the draws of the first decks best, if it fits those of the later ones as well."""
    statistic, n = STATISTICS[0], sample.cards
    if not statistic.fits(n):
        return
    counts, later = (_counted(decks) for decks in (sample.first, sample.later))
    at = oddest(counts, n)
    if at is None or not _fits(fit_of(counts, n, at)):
        return
    row, fit = rows_of(n)[at], fit_of(later, n, at)
    # Where single draws do not look fair, a relation of them may be an accident.
    if _fits(fit) and look_even(readings_of(deck_view(Block(sample.decks, sample.decks[:0])))[row.reading][1:]):
        yield Cause(
            f"the numbers that it draws are {row.tried.says}",
            f"read as {READINGS[row.reading]}, {fit.share:.0%} of the draws of later decks fit it; "
            f"{fit.expected:.0%} would by chance",
            REPAIR,
        )


def _counted(decks: Decks) -> Counts:
    """Return the counts of some hundred decks; the statistic looks at the first decks of each block only."""
    parts = (decks[at : at + COMPARED] for at in range(0, min(len(decks), ENOUGH), COMPARED))
    return reduce(STATISTICS[0].merge, (STATISTICS[0].count(deck_view(Block(part, part[:0]))) for part in parts))


def _fits(fit: Fit) -> bool:
    return fit.share > fit.expected and fit.p_value < SURE
