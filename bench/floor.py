"""What a card room's shuffles leave to a player who counts or tracks: simulated.

Writes ``docs/reference/measured/floor.md``. The shuffles are those of `fairdeck.shuffles.shoe` and
`fairdeck.shuffles.continuous`, the game a simple model, which the page states.

    python -m bench.floor
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random
from typing import cast

import numpy as np
from numpy.typing import NDArray

from fairdeck.lab.experiments.bounds import estimate
from fairdeck.lab.experiments.mixing import said
from fairdeck.shuffles import Step, recipe_steps
from fairdeck.shuffles.continuous import ContinuousShuffler
from fairdeck.shuffles.recipes import Recipe
from fairdeck.shuffles.riffle import gsr_riffles

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "measured" / "floor.md"
SEED, DECKS, MAPS, SHOES, ROUNDS = 1, 3_000, 800, 4_000, 100_000
SHOE = ("shoe-restack", "shoe-two-pass", "shoe-ladder")
IDEAL = "riffle*7"
ZONE, UNDEALT = 26, 52  # cards: half a deck; what is not dealt of a shoe
TAGS = (1,) * 20 + (-1,) * 20 + (0,) * 12  # of a deck: tens and aces are high
EDGE, MOST = 0.005, 8  # of one unit of the true count, which also is the edge of the house; units bet at most
LAGS = 6  # rounds that a counter looks back
TEXT = """# The casino floor

`python -m bench.floor` wrote this page. All numbers are simulated (seed 1), by models whose sizes and habits are
guesses; a number after ± is a standard error.

## Shoes of six and eight decks

`shoe-restack`:

1. Put the undealt cards, about a deck, into the discards, all in one place.
2. Break the pack into two stacks of one height.
3. Take half a deck off each stack. Riffle the two together, strip, riffle. Put them on the new pack.
4. Repeat step 3 until both stacks are used. Offer the cut.

`shoe-two-pass`: the same, with steps 2 to 4 done twice before the cut.

`shoe-ladder`:

1. As steps 1 and 2 above.
2. Take a quarter deck off each stack. Riffle the two together, strip, riffle: the new pack begins with them.
3. Take a quarter deck off the new pack and one off the left stack. Riffle them together, strip, riffle. Put them back
   on the new pack. Do the same with the right stack. Repeat until both stacks are used.
4. Break the pack into two stacks again. Riffle a quarter deck of each together, once; put them on the new pack; repeat
   until both are used. Offer the cut.

Another procedure is a recipe, such as `plug(78) + ladder(13) + restack(26, 2) + cut`, for
`fairdeck mix RECIPE --cards 312`. New cards are washed first: `wash(60) + shoe-ladder`.

{shoes}

- **Total variation at least**: the best of several bounds from {decks:,} decks, together 99.9 % sure. The deck may be
  further from random. For ideal riffles the exact value.
- **Ideal riffles**: after so many, the whole pack is at least as near as that bound. No hands hold so many cards.
- **Guesses right**: of the whole pack, by a player who knows the old order and sees each card after the guess.
- **Foretold**: the share of the variance of the count of a half deck after the shuffle that a tracker foretells.
- **Gain**: of that tracker, in units per 100 hands, over {count:,} shoes.

The tracker knows the count (tens and aces +1, twos to sixes −1) of each half deck of the discards, but not of the
undealt cards; sees where they are plugged and where the pack is cut; and uses the best linear prediction for each half
deck that comes. The game: the house is ahead by .5 %, and each unit of the true count is worth .5 %. The tracker bets 8
units if the predicted true count is above 1, else one unit, and plays every half deck. Always one unit
loses .50. A player who knew each half deck exactly would gain {best}.

Slips make a tracker's gain smaller; a player who follows single cards can gain more. Playing decisions, and what is
learned while the shoe is dealt, are left out.

## Continuous shufflers

The model (`continuous`): each discard goes into a random compartment; whole compartments come out in random order; some
cards lie ready. 208 cards, {rounds:,} rounds. How likely is a card just put back to come in each of the next rounds?

{machines}

A card put back cannot come before the cards that lie ready. The counter knows how many rounds ago each card was seen,
and bets as the tracker does. The fewer cards lie ready, the less a counter gains.
"""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Gain:
    """What a player gains who bets by a prediction."""

    per_hundred: float  # units per 100 hands
    error: float  # standard
    predictable: float  # share of the variance of what comes


def gain(predicted: Floats, came: Floats, decks: float) -> Gain:
    """Return what bets by `predicted` counts gain where counts `came` in this many decks; rows are independent."""
    bets = np.where(predicted / decks > 1, MOST, 1)
    won = (bets * EDGE * (came / decks - 1)).mean(1) * 100
    share = 1 - float(((came - predicted) ** 2).mean() / (came**2).mean())
    return Gain(float(won.mean()), float(won.std() / len(won) ** 0.5), share)


def passes(name: str) -> Recipe:
    """Return a procedure without what everybody at the table sees: where the plug goes and where the pack is cut."""
    return Recipe(tuple([Step(*step) for step in recipe_steps(name) if step.known.name not in ("plug", "cut")]))


def tracked(shuffle: Recipe, cards: int, *, sharp: bool = False) -> Gain:
    """Return what a tracker gains who knows the count of each half deck of the discards, and not of the undealt cards.

    The best linear prediction: the undealt cards share what is missing to a count of 0. If `sharp`, each half deck is
    known after the shuffle, as if the player had seen it.
    """
    rng, zones = Random(SEED), cards // ZONE
    middle = (cards - UNDEALT) // 2 // ZONE
    unseen = slice(middle, middle + UNDEALT // ZONE)  # the plug lies in the middle of the pack
    moved = np.zeros((zones, zones))  # cards on average, from each zone to each zone
    for _ in range(MAPS):
        deck = np.array(shuffle(cards, rng)) // ZONE
        np.add.at(moved, (deck, np.arange(cards) // ZONE), 1 / MAPS)
    numbers = np.random.default_rng(SEED)
    tags = np.tile(np.array(TAGS), cards // 52)
    predicted, came = np.empty((SHOES, zones)), np.empty((SHOES, zones))
    for shoe in range(SHOES):
        numbers.shuffle(tags)
        counts = tags.reshape(zones, ZONE).sum(1).astype(float)
        counts[unseen] = 0
        counts[unseen] = -counts.sum() / (UNDEALT // ZONE)
        came[shoe] = tags[np.array(shuffle(cards, rng))].reshape(zones, ZONE).sum(1)
        predicted[shoe] = came[shoe] if sharp else counts @ moved / ZONE
    return gain(predicted, came, ZONE / 52)


def counted(machine: ContinuousShuffler, cards: int) -> tuple[list[float], Gain]:
    """Return the chance that a discard comes in each of the next rounds, and what a counter of the last rounds gains.

    The counter predicts a round from how long ago each card was seen, by chances from the first half of the rounds.
    """
    tags = np.tile(np.array(TAGS), cards // 52)
    since = np.full(cards, LAGS)  # rounds since each card was dealt, LAGS or more together
    often, seen = np.zeros(LAGS), np.zeros(LAGS)
    predicted, came = [], []
    for number, deck in enumerate(islice(machine.stream(cards, Random(SEED)), ROUNDS)):
        dealt = np.array(deck[-machine.dealt :])
        if number < ROUNDS // 2:
            seen += np.bincount(since - 1, minlength=LAGS)
            often += np.bincount(since[dealt] - 1, minlength=LAGS)
        else:
            predicted.append(float((often / np.maximum(seen, 1))[since - 1] @ tags))
            came.append(float(tags[dealt].sum()))
        since = np.minimum(since + 1, LAGS)
        since[dealt] = 1
    blocks = [np.array(each).reshape(-1, 100) for each in (predicted, came)]  # rounds hang together
    return list(often / seen), gain(blocks[0], blocks[1], machine.dealt / 52)


def as_far_as(least: float, cards: int) -> int:
    """Return the fewest ideal riffles that bring a deck nearer to random than `least`."""
    return next(k for k in range(1, 40) if cast(Fraction, gsr_riffles(cards, k).total_variation) <= least)


def table(head: str, rows: Iterator[Sequence[str]]) -> str:
    """Return a table in Markdown; `head` has its columns, parted by semicolons."""
    columns = head.split("; ")
    lines = [columns, ["---", *["---:"] * (len(columns) - 1)], *rows]
    return "\n".join([f"| {' | '.join(line)} |" for line in lines])


def in_words(found: Gain) -> str:
    """Return a gain with its standard error."""
    return f"{found.per_hundred:+.2f} ± {found.error:.2f}"


def procedures() -> Iterator[list[str]]:
    """Yield a row for each procedure."""
    for cards in (312, 416):
        for name in SHOE:
            seen = estimate(name, cards, DECKS, SEED)
            nearer = as_far_as(seen.best.low, cards)
            found = tracked(passes(name), cards)
            yield [
                f"`{name}`, {cards} cards",
                f"{seen.best.low:.3f}",
                str(nearer),
                f"{seen.guessed:.1f} ({seen.chance:.1f})",
                f"{found.predictable:.0%}",
                in_words(found),
            ]
        found = tracked(Recipe(recipe_steps(IDEAL)), cards)
        far = said(cast(Fraction, gsr_riffles(cards, 7).total_variation))
        yield [f"7 ideal riffles, {cards} cards", far, "7", "", f"{max(0, found.predictable):.0%}", in_words(found)]


def machines() -> Iterator[list[str]]:
    """Yield a row for each continuous shuffler."""
    for compartments, dealt, ready in ((38, 20, 16), (38, 6, 16), (19, 20, 16), (38, 20, 40), (38, 20, 0)):
        chances, found = counted(ContinuousShuffler(compartments, dealt, ready), 208)
        shown = [f"{100 * chance:.1f}" for chance in chances[:4]]
        what = f"{compartments} compartments, {dealt} a round, {ready} ready"
        yield [what, *shown, f"{100 * dealt / 208:.1f}", in_words(found)]


def main() -> None:
    """Simulate and write the page."""
    head = "procedure; total variation at least; ideal riffles; guesses right (fair); foretold; gain"
    shoes = table(head, procedures())
    best = tracked(passes("shoe-ladder"), 312, sharp=True)
    columns = "machine; next round, %; 2nd; 3rd; 4th; if fair; gain of a counter"
    rows, rounds = table(columns, machines()), ROUNDS // 2
    page = TEXT.format(decks=DECKS, shoes=shoes, machines=rows, best=in_words(best), count=SHOES, rounds=rounds)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
