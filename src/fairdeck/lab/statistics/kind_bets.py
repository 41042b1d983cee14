"""Bets on kinds: on the next card of a game that may stop at any card, and on a hand by the hand before it.

The chance of a kind is exact given all that was seen before, so such bets are fair whatever stops a game, although the
cards of a game that lasted long do not follow the law of a hand. One over the wealth is a p-value (Markov's inequality,
Ville's at any time): it is bounded, not exact. Source: Ramdas et al., "Game-theoretic statistics and safe
anytime-valid inference", Stat. Sci. 38 (2023), sections 2 and 4.
"""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import exp, log
from typing import ClassVar

import numpy as np

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.laws.scalar import tilts
from fairdeck.lab.laws.subsets import hypergeometric_law
from fairdeck.lab.laws.tails import PValue
from fairdeck.lab.observations import Kind, Sight
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.statistics.hands import LAGS, many_of, named_hands, number_held
from fairdeck.lab.view import View

WEALTH = "wealth"
ODDS = np.array([0.5, 0.7, 0.8, 0.9, 0.95, 1.05, 1.1, 1.25, 1.5, 2.0])  # times as likely as fair, as a bet has it
MOST_STATES = 10_000


@dataclass(frozen=True)
class KindBets(Statistic):
    """Bets on how many cards of a kind come."""

    cards: tuple[int, ...]  # of the kind
    kind: str

    relative: ClassVar[bool] = False
    bets: ClassVar[bool] = True

    @abstractmethod
    def logs(self, counts: Counts, n: int) -> Floats:
        """Return the log of what each bet has made of one coin."""

    @abstractmethod
    def seen(self, counts: Counts, n: int) -> tuple[str, float, float]:
        """Return what was seen in words, how much of it, and how much would be fair."""

    def log_wealth(self, counts: Counts, n: int, decks: int) -> float | None:  # noqa: ARG002
        """Return the log of what all bets together, evenly laid, have made of one coin."""
        logs = self.logs(counts, n)
        most = float(logs.max())
        return most + log(float(np.exp(logs - most).mean()))

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield one over the wealth."""
        if decks > 1 and (wealth := self.log_wealth(counts, n, decks)) is not None:
            words, seen, fair = self.seen(counts, n)
            p_value = PValue(exp(-max(0.0, wealth)), WEALTH, exp(min(wealth, 700.0)))
            yield self.evidence("bets", p_value, words, seen=seen, expected=fair)


class NextCard(KindBets):
    """Whether each card that is seen, one after the other, is of a kind, given those seen before it in its deck.

    Bets that the kind is likelier or rarer by some odds, and bets that it is likelier after one of its own kind.
    """

    family: ClassVar[str] = "kinds"

    def fits(self, n: int) -> bool:
        """Tell whether there are other cards, and not too many states of a game."""
        return 0 < len(self.cards) < n and n * len(self.cards) <= MOST_STATES

    def count(self, view: View) -> Counts:
        """Return the cards seen, and those of the kind.

        Shape ``(2, 2, n, m + 1)``: all cards, then those of the kind; by whether the card before was of the kind, by
        how many were seen before in the deck, and how many of the kind were among them.
        """
        n, kinds = view.cards, len(self.cards) + 1
        marks = np.zeros(n, np.int64)
        marks[list(self.cards)] = 1
        shown = np.full(view.decks, n) if view.shown is None else view.shown
        held = marks[view.columns[::-1][: int(shown.max(initial=0))]]
        after = np.zeros_like(held)
        after[1:] = held[:-1]
        state = (after * n + np.arange(len(held))[:, None]) * kinds + np.cumsum(held, axis=0) - held
        there = np.arange(len(held))[:, None] < shown
        size = 2 * n * kinds
        seen = np.bincount(state[there], minlength=size)
        return np.stack([seen, np.bincount(state[there & (held > 0)], minlength=size)]).reshape(2, 2, n, kinds)

    def logs(self, counts: Counts, n: int) -> Floats:
        """Return the logs of (1 + x hit)/(1 + x p), multiplied over all cards, of each bet."""
        chances = self._chances(n)
        by_odds = [
            counts[1].sum(axis=(1, 2)) * log(odds) - (counts[0] * np.log1p((odds - 1) * chances)).sum(axis=(1, 2))
            for odds in ODDS
        ]
        made = np.array(by_odds)  # of cards after one of another kind, and after one of the kind
        return np.concatenate([made.sum(axis=1), made[::-1, 0] + made[:, 1]])

    def seen(self, counts: Counts, n: int) -> tuple[str, float, float]:
        """Return the share of the cards that were of the kind."""
        cards = max(1, int(counts[0].sum()))
        words = f"{self.kind} are {{seen:.2%}} of the cards seen; {{expected:.2%}} would be fair"
        return words, float(counts[1].sum() / cards), float((counts[0] * self._chances(n)).sum() / cards)

    def _chances(self, n: int) -> Floats:
        seen, before = np.arange(n)[:, None], np.arange(len(self.cards) + 1)
        chances: Floats = np.clip((len(self.cards) - before) / (n - seen), 0.0, 1.0)
        return chances


@dataclass(frozen=True)
class HandAfterHand(KindBets):
    """How many cards of a kind a hand holds after a hand with so many: bets on more, or on fewer, of them."""

    places: tuple[int, ...]
    hand: str

    family: ClassVar[str] = "serial"

    def fits(self, n: int) -> bool:
        """Tell whether there are other cards, and not too many numbers."""
        return 0 < len(self.cards) < n and 0 < len(self.places) < n and len(self.places) ** 2 <= MOST_STATES

    def count(self, view: View) -> Counts:
        """Return how often each number came after each; shape ``(lags, k + 1, k + 1)``, the earlier hand first."""
        held = number_held(self.places, self.cards, View(np.concatenate([view.lead, view.columns], axis=1), view.lead))
        size, lead = len(self.places) + 1, view.lead.shape[1]
        counts = np.zeros((len(LAGS), size, size), np.int64)
        for lag in LAGS:
            now = held[max(lead, lag) :]
            before = held[max(lead, lag) - lag : len(held) - lag]
            counts[lag - 1] = np.bincount(before * size + now, minlength=size * size).reshape(size, size)
        return counts

    def logs(self, counts: Counts, n: int) -> Floats:
        """Return the logs of exp(theta w X - log E exp(theta w X)), where w is how odd the hand before was."""
        levels, numbers, odd = _levels(n, len(self.cards), len(self.places))
        by_number: Floats = numbers[None, None] * odd[:, :, None] - levels[:, :, None]  # (tilts, before, now)
        logs: Floats = np.einsum("lbx,tbx->lt", counts, by_number).ravel()
        return logs

    def seen(self, counts: Counts, n: int) -> tuple[str, float, float]:
        """Return the mean number after a hand that had more than the mean, at the lag where it is the oddest."""
        law = hypergeometric_law(n, len(self.cards), len(self.places))
        after = counts[:, int(law.mean) + 1 :].sum(axis=1)
        numbers = np.arange(counts.shape[2])
        means = after @ numbers / np.maximum(1, after.sum(axis=1))
        lag = int(np.argmax(np.abs(means - law.mean) * np.sqrt(after.sum(axis=1))))
        before = "the deck before" if not lag else f"the deck {lag + 1} before"
        words = f"{self.hand} holds {{seen:.4g}} {self.kind} on average where that of {before} held more than usual"
        return f"{words}; {{expected:.4g}} would be fair", float(means[lag]), law.mean


@cache
def _levels(n: int, sort: int, drawn: int) -> tuple[Floats, Floats, Floats]:
    """Return log E exp(theta w X) for each theta and each number before; the numbers; and theta w.

    The numbers are 0 to `drawn`; w is the distance of the number before from its mean, in standard deviations.
    """
    law = hypergeometric_law(n, sort, drawn)
    odd = tilts(law.variance)[:, None] * (np.arange(drawn + 1) - law.mean)[None] / law.variance**0.5
    levels = np.array([[law.cumulants(theta)[0] for theta in row] for row in odd.tolist()])
    return levels, np.arange(drawn + 1.0), odd


def seen(sight: Sight) -> Iterator[Statistic]:
    """Yield the bets on each kind: by the hand before, and where games stop card by card."""
    source = "bets of mean 1 on fair decks; Ramdas et al., Stat. Sci. 38 (2023)"
    half = Kind("cards of the first half of the list", tuple(range(sight.cards // 2)))
    for kind in (*sight.kinds, half) if sight.scheme.startswith("prefix") else ():
        sees = "a kind that comes too often, or in streaks, in games of any length"
        yield NextCard(f"next card: {many_of(kind)}", sees, source, kind.cards, many_of(kind))
    for kind in sight.kinds:
        name = many_of(kind)
        sees = "a kind that follows itself from deck to deck, or makes up for the deck before"
        for hand, places in named_hands(sight):
            yield HandAfterHand(f"{name} in {hand} after the hand before", sees, source, kind.cards, name, places, hand)
