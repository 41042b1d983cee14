"""Say how far a deck is from random after a shuffle of hands: exactly where theory allows, else in bounds.

RECIPE is a shuffle or several, such as "riffle*7", "shelf(20)", "overhand*10 + riffle*3 + cut" (see: fairdeck
shuffles). The total variation is the most that a bet on any event gains over a fair deck: 0 is perfect, 1 is
no shuffle at all. Where no law is known, decks are simulated (that needs the lab's packages) and the distance is
bounded from below. With --like only a part of the deck is seen, such as the colours.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

from fairdeck.cli.exits import FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.laboratory import (
    missing_for_lab,
    need_lab,
    seed_argument,
    seed_from,
    workers_argument,
    workers_from,
)
from fairdeck.cli.mixed import Found, Round, fields, lines
from fairdeck.cli.progress import Progress
from fairdeck.errors import FairdeckError
from fairdeck.mixing.likeness import SCENARIOS, Likeness, estimated, likeness, seen_mixing
from fairdeck.mixing.recipes import MOST_SHUFFLES, Mixing, cutoff, mixing
from fairdeck.reading import whole_number
from fairdeck.shuffles import Step, recipe_steps

if TYPE_CHECKING:
    from fairdeck.lab.bounds import Estimate

MOST_CARDS = 1_000
USUAL_CARDS = 52
USUAL_DECKS = 20_000
FEWEST_DECKS, MOST_DECKS = 2_000, 10**9
MOST_ROUNDS = 200
POINTS = 12  # rounds, at most, that are simulated
DECKS_A_POINT = 5_000
USUAL_ROUNDS = 12
USUAL_WORK = 4_000  # cards times rounds that are looked up unasked
QUICK_CARDS = 104  # of larger decks fewer are simulated unasked


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("recipe", metavar="RECIPE", help="what is done to the deck")
    parser.add_argument("--cards", metavar="N", help=f"cards, 1 to {MOST_CARDS:,} (default: 52, or as --like has it)")
    parser.add_argument(
        "--like",
        metavar="ALIKE",
        help=f"cards that count as alike: {', '.join(SCENARIOS)}, or cards of each kind, such as 26,26",
    )
    parser.add_argument(
        "--rounds",
        metavar="K",
        help=f"show 1 to K rounds of the recipe, up to {MOST_ROUNDS} (default: 12 or so, fewer if the deck is large)",
    )
    parser.add_argument(
        "--decks",
        metavar="N",
        help=f"simulate so many for lower bounds; 0: none (default: {USUAL_DECKS:,} or fewer, if no law is known)",
    )
    seed_argument(parser)
    workers_argument(parser)
    parser.add_argument("--html", metavar="FILE", help="one web page with a picture, which works offline")
    parser.add_argument("--json", action="store_true", help="the same as JSON")


@dataclass(frozen=True)
class _Question:
    """What is asked: a recipe, a deck, and how hard to look where theory is silent."""

    recipe: str
    steps: tuple[Step, ...]
    cards: int
    alike: Likeness | None
    seed: int

    @property
    def single(self) -> bool:
        """Whether the recipe is one shuffle so many times; then a round is one of them, else the whole recipe."""
        return len(self.steps) == 1

    def rounds(self, times: int) -> "_Question":
        """Return the same of so many rounds."""
        if self.single:
            once = self.steps[0].known
            return replace(self, recipe=f"{once.name}*{times}", steps=(Step(once, times),))
        return replace(self, recipe=f"({self.recipe})*{times}", steps=self.steps * times)

    def known(self) -> Mixing:
        """Return what theory says."""
        return seen_mixing(self.steps, self.alike) if self.alike else mixing(self.steps, self.cards)

    def sampled(self, known: Mixing) -> tuple[float, float] | None:
        """Return an estimate by the likelihood of patterns, if theory leaves the total variation open."""
        if not self.alike or not known.open:
            return None
        return estimated(self.steps, self.alike, Random(self.seed))  # noqa: S311 - a simulation, seeded to be repeated

    @property
    def falls(self) -> bool:
        """Whether no round takes what is seen further from random; a mere count could come out so."""
        return not (self.alike and self.alike.duplicates)

    def estimate(self, decks: int, together: int, workers: int = 1, progress: Progress | None = None) -> "Estimate":
        """Return lower bounds by simulation, which hold together with those of so many simulations in all."""
        from fairdeck.lab.bounds import estimate, portions
        from fairdeck.lab.repeated import looks
        from fairdeck.lab.spread import spread

        blocks = len(portions(self.cards, decks))
        with spread(workers) as map_:

            def told(of: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
                for done, result in enumerate(map_(of, items), 1):
                    if progress:
                        progress.tell(done, blocks, "blocks of decks")
                    yield result

            seen = looks(self.alike) if self.alike else ()
            return estimate(self.recipe, self.cards, decks, self.seed, told, seen, together)


def run(args: Namespace) -> int:
    """Look up, simulate and write."""
    question = _question(args)
    path = None if args.html is None else writable(args.html)
    progress = Progress()
    try:
        found = _found(args, question, progress)
    finally:
        progress.done()
    if path is not None:
        from fairdeck.cli.mixed_page import page

        write(path, page(found))
    if args.json:
        print(json.dumps(fields(found)))
    else:
        print(*lines(found), sep="\n")
    return FINE


def _question(args: Namespace) -> _Question:
    asked = None if args.cards is None else whole_number(args.cards, "cards", 1, MOST_CARDS)
    steps = recipe_steps(args.recipe)
    if sum(step.times for step in steps) > MOST_SHUFFLES:
        raise FairdeckError(f"{args.recipe}: up to {MOST_SHUFFLES:,} shuffles of a deck are looked up; ask for fewer")
    alike = None if args.like is None else likeness(args.like, asked)
    cards = alike.cards if alike else asked or USUAL_CARDS
    least = max(step.known.least for step in steps)
    if cards < least:
        raise FairdeckError(f"{args.recipe} needs {least} cards or more; the deck has {cards}")
    return _Question(args.recipe, steps, cards, alike, seed_from(args))


def _found(args: Namespace, question: _Question, progress: Progress) -> Found:
    workers = None if args.workers is None else workers_from(args)
    progress.say("looking up the law")
    known = question.known()
    asked = question.steps[0].times if question.single else 1
    rounds = _rounds(args, question, Round(asked, known), progress)
    sampled = question.sampled(known)
    decks = _decks(args, question.cards, needed=known.open and not sampled)
    picked = _picked(rounds) if args.html is not None or args.rounds is not None else ()
    together = len({asked, *picked})
    # A deck of one card, or of cards that are all alike, is random already.
    estimate = None
    if decks and question.cards > 1 and known.at_most:
        workers = (workers or workers_from(args)) if decks > USUAL_DECKS else 1
        estimate = question.estimate(decks, together, workers, progress)
    seen = []
    for each in rounds:
        progress.tell(each.number - 1, len(rounds), "rounds")
        if each.number == asked:
            seen.append(replace(each, sampled=sampled, bound=estimate.best if estimate and picked else None))
        elif each.number in picked:
            seen.append(_looked_at(question, each, min(decks, DECKS_A_POINT), together))
        else:
            seen.append(each)
    rounds = tuple(_bounded(seen, falls=question.falls))
    drawn = sampled or estimate or any(each.sampled or each.bound for each in rounds)
    seed = question.seed if drawn else None
    turning = cutoff(question.steps, question.cards)
    return Found(args.recipe, question.cards, question.alike, known, rounds, sampled, estimate, asked, seed, turning)


def _rounds(args: Namespace, question: _Question, found: Round, progress: Progress) -> tuple[Round, ...]:
    """Return what theory says after 1, 2, ... rounds; unasked, of as many as are soon looked up."""
    if args.rounds is None:
        most = min(MOST_ROUNDS, USUAL_WORK // question.cards)
        usual = max(USUAL_ROUNDS, found.number)
        rounds = next((rounds for rounds in (usual, USUAL_ROUNDS) if rounds <= most), 0) if question.single else 1
    else:
        rounds = whole_number(args.rounds, "rounds", 1, MOST_ROUNDS)
    if not question.single and len(question.steps) * rounds > MOST_SHUFFLES:
        raise FairdeckError(f"rounds: {rounds} of this recipe are more than {MOST_SHUFFLES:,} shuffles; ask for fewer")
    seen: list[Round] = []
    for number in range(1, rounds + 1):
        progress.tell(number - 1, rounds, "rounds")
        try:
            seen.append(found if number == found.number else Round(number, question.rounds(number).known()))
        except FairdeckError:
            if args.rounds is not None:
                raise
            break  # nobody asked for more rounds than the law reaches
    return tuple(seen) or (found,)


def _picked(rounds: Sequence[Round]) -> tuple[int, ...]:
    """Return the rounds that theory leaves open and that are looked at; not all of them, if they are many."""
    every = -(-len(rounds) // POINTS)
    seen = (each for each in rounds if each.number % every == 0 or each.number == 1)
    return tuple(each.number for each in seen if each.known.open and each.known.at_most)


def _looked_at(question: _Question, each: Round, decks: int, together: int) -> Round:
    """Return a round estimated or simulated."""
    asked = question.rounds(each.number)
    sampled = asked.sampled(each.known)
    bound = asked.estimate(decks, together).best if decks and not sampled else None
    return replace(each, sampled=sampled, bound=bound)


def _bounded(rounds: Sequence[Round], *, falls: bool) -> Iterator[Round]:
    """Yield the rounds with the best lower bound of each; that of a later one holds for it too, if distances fall."""
    own = [each.own_least for each in rounds]
    for at, each in enumerate(rounds):
        yield replace(each, least=max(own[at:]) if falls else own[at])


def _decks(args: Namespace, cards: int, *, needed: bool) -> int:
    """Return how many decks to simulate: as asked for, else some if they are needed and the lab's packages are here."""
    if args.decks == "0":
        return 0
    if args.decks is not None:
        need_lab()
        return whole_number(args.decks, "decks", FEWEST_DECKS, MOST_DECKS)
    usual = max(FEWEST_DECKS, min(USUAL_DECKS, USUAL_DECKS * QUICK_CARDS // cards))
    return usual if needed and not missing_for_lab() else 0
