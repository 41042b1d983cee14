"""Fairness as an assertion in people's own tests; see `docs/test-your-shuffle.md`."""

import os
from collections.abc import Callable, Iterator
from typing import Any, get_args

from fairdeck.errors import FairdeckError
from fairdeck.lab import entry
from fairdeck.lab.report import Report, odds
from fairdeck.lab.sources import Start, Takes
from fairdeck.lab.sources.function import CalledHere
from fairdeck.lab.tally import Battery
from fairdeck.lab.trial import Trial, run
from fairdeck.lab.verdict import fewest_decks
from fairdeck.shuffles import MOST_CARDS

SHOWN = 5


class Unfair(AssertionError):
    """A shuffle is not fair; `report` holds everything that was counted."""

    def __init__(self, message: str, report: Report) -> None:
        """Say what is wrong; see `fairdeck.lab.report` for what `report` can become."""
        super().__init__(message)
        self.report = report


def assert_fair(
    function: Callable[..., Any],
    *,
    cards: int,
    alpha: float,
    decks: int,
    seed: int | None,
    start: Start,
    takes: Takes | None,
) -> Report:
    """See `fairdeck.lab.assert_fair`, which names the usual values."""
    __tracebackhide__ = True  # what a developer wants to see is the message
    alpha = entry.alpha(alpha)
    if takes not in (None, *get_args(Takes)):
        raise FairdeckError(f"takes: {takes!r} is unknown; a function takes {' or '.join(get_args(Takes))}")
    battery = Battery(entry.whole("cards", cards, 2, MOST_CARDS))
    cards = battery.cards
    decks = entry.whole("decks", decks, fewest_decks(cards))  # fewer say nothing
    seed = int.from_bytes(os.urandom(8), "big") if seed is None else entry.whole("seed", seed, 0)
    trial = Trial(battery, decks, alpha)
    with CalledHere(function, cards, seed=seed, start=start, takes=takes) as source:
        for _ in run(trial, source):
            pass
    report = Report(source.name, battery, trial.verdict(), trial.tally, seed=seed, start=start)
    if report.verdict.outcome != "pass":
        raise Unfair("\n".join(_message(report)), report)
    return report


def _message(report: Report) -> Iterator[str]:
    verdict = report.verdict
    yield report.headline
    for finding in verdict.findings[1 : SHOWN + 1]:
        yield f"  also: {finding.says}"
    if len(verdict.findings) > SHOWN + 1:
        yield f"  and {len(verdict.findings) - SHOWN - 1} more"
    if verdict.p_value:
        yield (
            f"Seen in {verdict.decks:,} decks of {report.battery.cards} cards; p = {verdict.p_value:.2g}. "
            f"A fair shuffle fails this assertion at most {odds(verdict.alpha, 'runs')}."
        )
    yield f"The same random numbers again, if the function takes a generator: seed={report.seed}"
