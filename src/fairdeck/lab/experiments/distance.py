"""How far a deck is from random after a recipe of shuffles: what theory knows, else a simulation.

`mix` is what `fairdeck.mix` and the command `fairdeck mix` call. NumPy is needed only where decks are simulated.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import permutations
from math import factorial
from random import Random
from typing import TYPE_CHECKING, Any

from fairdeck import numbers
from fairdeck.doors import checked
from fairdeck.errors import FairdeckError
from fairdeck.lab.experiments.mixing import Mixing, Round, Sampled
from fairdeck.permutation import inverse
from fairdeck.randomness import seed_number
from fairdeck.shuffles import Step, find, recipe_steps
from fairdeck.shuffles.distances import Distance, compared
from fairdeck.shuffles.random_to_random import RandomToRandom
from fairdeck.shuffles.recipes import MOST_SHUFFLES, PERFECT, Theory, cutoff, theory, turns_cards
from fairdeck.shuffles.repeated_cards import RepeatedCards, estimated, pattern_theory
from fairdeck.shuffles.top_to_random import TopToRandom
from fairdeck.shuffles.transpositions import FOLLOWED, Transpositions
from fairdeck.shuffles.turning import Faces
from fairdeck.shuffles.walks import AdjacentSwaps, Fixed

if TYPE_CHECKING:
    from fairdeck.lab.experiments.bounds import Estimate
    from fairdeck.lab.judging.trial import Map

MOST_CARDS = 1_000
USUAL_CARDS = 52
USUAL_DECKS = 20_000
FEWEST_DECKS, MOST_DECKS = 2_000, 10**9
MOST_ROUNDS = 200
POINTS = 12  # rounds, at most, that are simulated
DECKS_A_POINT = 5_000
USUAL_ROUNDS = 12
USUAL_WORK = 4_000  # cards times rounds that theory looks up by default
MOST_BY_ORDERS, MOST_STEPS_BY_ORDERS, MOST_PATHS = 5, 24, 20_000  # cards and shuffles whose orders are gone through
MOST_MOVES_BY_ORDERS = 100  # of random walks, one by one, and other shuffles
FEWEST_DISTINCT = 3  # cards up to which the paths of swaps of different places are few
QUICK_CARDS = 104  # larger decks are simulated less by default

Tell = Callable[[int, int, str], None]


def _by_all_orders(steps: Sequence[Step], cards: int, repeated: RepeatedCards | None) -> Distance | None:
    """Return the law of a small deck by going through all draws and all orders; None if there are too many."""
    singly = [_singly(step, cards) for step in steps]
    if not 1 < cards <= MOST_BY_ORDERS or sum(step.times for step in steps) > MOST_STEPS_BY_ORDERS:
        return None
    if sum(step.times for step in singly) > MOST_MOVES_BY_ORDERS:
        return None
    faces = 2 if turns_cards(steps) else 1
    if faces == 2:
        singly = [Step(replace(step.known, shuffle=Faces(step.model)), step.times) for step in singly]
    from fairdeck.lab.enumeration.known_shuffle import law_of_steps
    from fairdeck.lab.enumeration.path import CannotEnumerate
    from fairdeck.lab.enumeration.tree import EPS

    try:
        law = law_of_steps(singly, cards * faces, leaves=MOST_PATHS, eps=EPS)
    except (CannotEnumerate, FairdeckError):  # too many paths, or draws that cannot be counted
        return None
    if law.unresolved:
        return None
    ways = math.lcm(*[chance.denominator for chance in law.orders.values()])
    if faces == 2:
        outcomes = factorial(cards) * 2**cards
        weights = [(int(chance * ways), 1) for chance in law.orders.values()]
        weights += [(0, 1)] * (outcomes - len(weights))  # those that cannot come
        return compared(weights, ways, f"all {outcomes:,} orders with reversals, enumerated")
    found, fair = Counter[object](), Counter[object]()
    for order in permutations(range(cards)):
        seen = repeated.of(inverse(order)) if repeated else order
        fair[seen] += 1
        found[seen] += int(law.orders.get(order, 0) * ways)
    return compared([(found[seen], fair[seen]) for seen in fair], ways, f"all {factorial(cards)} orders, enumerated")


def _singly(step: Step, cards: int) -> Step:
    """Return the moves of a random walk one by one: the paths of all of them together would be far too many."""
    model = step.theory
    if not isinstance(model, RandomToRandom | AdjacentSwaps | Transpositions | TopToRandom):
        return step
    return Step(replace(step.known, shuffle=replace(model, moves=Fixed(1))), step.times * model.moves(cards))


def _by_cycles(steps: Sequence[Step], cards: int, tell: Tell) -> Distance | None:
    """Return the law of random transpositions up to 52 cards; None if there is none, or without the lab's packages."""
    swaps = [step.theory for step in steps if isinstance(step.theory, Transpositions)]
    distinct = {each.distinct for each in swaps}
    if len(swaps) < len(steps) or len(distinct) > 1 or not (find_spec("numpy") and find_spec("scipy")):
        return None
    from fairdeck.lab.laws.cycles import MOST_CARDS, cycles

    moves = sum(each.moves(cards) * step.times for each, step in zip(swaps, steps, strict=True))
    fewest = FEWEST_DISTINCT if distinct == {True} else FOLLOWED
    if not fewest < cards <= MOST_CARDS:
        return None
    return cycles(cards, distinct=distinct.pop()).after(moves, tell)


@checked
def mix(
    recipe: str,
    cards: int | None = None,
    *,
    like: str | None = None,
    seen: str | None = None,
    rounds: int | None = None,
    decks: int | None = None,
    seed: int | None = None,
    workers: int | None = None,
    map: "Map | None" = None,  # noqa: A002 - it is used like the builtin
    pictures: bool = False,
    tell: Tell = lambda done, of, what: None,  # noqa: ARG005
) -> Mixing:
    """Return how far a deck is from random after a recipe: exactly where a law is known, else in bounds.

    Args:
        recipe: a shuffle or several, such as ``riffle*7`` or ``overhand*10 + cut``; see `fairdeck.shuffles.find`.
        cards: 1 to 1,000; if None 52, or the usual number for `like`.
        like: which cards count as alike, see `RepeatedCards.parse`; None if all differ.
        seen: how many cards are seen, from the top, such as "top:5"; None if all are.
        rounds: look at 1 to this number of rounds of the recipe; if None at about 12, fewer for a large deck.
        decks: how many to simulate for lower bounds, 2,000 or more; 0 for none; if None only where no law is known.
        seed: of the simulation; a new one if None.
        workers: processes that simulate; if None one, or one for each core for many decks.
        map: counts portions of blocks elsewhere, in place of `workers`; see `fairdeck.lab.judging.trial.run`.
        pictures: simulate the other rounds too where theory leaves them open, as the pictures show them.
        tell: called with how many are done, how many there are, and of what, while it works.

    Raises:
        FairdeckError: the recipe cannot be read, or a number is out of range.
        MissingTool: `decks` are wanted and the lab's packages are missing.

    >>> mix("riffle*7")
    Mixing('riffle*7', cards=52, total_variation=0.3341, exact=True)
    """
    question = _question(recipe, cards, like, seen, seed, tell, map)
    known = question.theory()
    asked = question.steps[0].times if question.single else 1
    shown = _rounds(question, rounds, Round(asked, known))
    estimate = question.estimated(known)
    needed = known.open and not estimate and known.at_most > PERFECT
    decks = _decks(decks, question.cards, needed=needed)
    picked = _picked(shown) if pictures or rounds is not None else ()
    together = len({asked, *picked})
    simulated = None
    # A deck of one card, or of cards that are all alike, is random already.
    if decks and question.cards > 1 and known.at_most:
        simulated = question.simulated(decks, together, workers if decks > USUAL_DECKS else 1)
    found = []
    for each in shown:
        tell(each.number - 1, len(shown), "rounds")
        if each.number == asked:
            found.append(replace(each, estimated=estimate, bound=simulated.best if simulated and picked else None))
        elif each.number in picked:
            found.append(_looked_at(question, each, min(decks, DECKS_A_POINT), together))
        else:
            found.append(each)
    shown = tuple(_bounded(found, falls=question.falls))
    drawn = estimate or simulated or any(each.estimated or each.bound for each in shown)
    seed = question.seed if drawn else None
    turn = cutoff(question.steps, question.cards)
    return Mixing(
        question.recipe, question.cards, question.repeated, known, shown, estimate, simulated, asked, seed, turn
    )


@dataclass(frozen=True)
class _Question:
    recipe: str
    steps: tuple[Step, ...]
    cards: int
    repeated: RepeatedCards | None
    seed: int
    tell: Tell
    map: "Map | None" = None

    @property
    def single(self) -> bool:
        """Whether the recipe is one shuffle, repeated; then a round is one of them, else the whole recipe."""
        return len(self.steps) == 1

    @property
    def falls(self) -> bool:
        """Whether no round takes what is seen further from random; for a mere count that may happen."""
        return not self.repeated or self.repeated.falls

    def rounds(self, times: int) -> "_Question":
        """Return the same for this many rounds."""
        if self.single:
            once = self.steps[0].known
            return replace(self, recipe=f"{once.name}*{times}", steps=(Step(once, times),))
        return replace(self, recipe=f"({self.recipe})*{times}", steps=self.steps * times)

    def theory(self) -> Theory:
        """Return what theory knows."""
        law = None if self.repeated else _by_cycles(self.steps, self.cards, self.tell)
        if law is None:
            known = pattern_theory(self.steps, self.repeated) if self.repeated else theory(self.steps, self.cards)
            if known.exact and known.exact.total_variation is not None:
                return known
            law = _by_all_orders(self.steps, self.cards, self.repeated)
        return known if law is None else Theory(law, least := law.total_variation or 0, least, "")

    def estimated(self, known: Theory) -> Sampled | None:
        """Return an estimate by the likelihood of patterns, if theory leaves the total variation open."""
        return estimated(self.steps, self.repeated, Random(self.seed)) if self.repeated and known.open else None

    def simulated(self, decks: int, together: int, workers: int | None = 1) -> "Estimate":
        """Return lower bounds by simulation; with those of `together` simulations in all they hold at once."""
        from fairdeck.extras import missing

        try:
            from fairdeck.bulk.shapes import cores
            from fairdeck.lab.experiments.bounds import estimate, portions
            from fairdeck.lab.experiments.repeated_cards import statistics_of
            from fairdeck.lab.runs.processes import spread
        except ModuleNotFoundError as error:
            raise missing(f"a simulation needs {error.name}", "lab") from None
        blocks = len(portions(self.cards, decks))
        here = spread(cores() if workers is None else workers) if self.map is None else nullcontext(self.map)
        with here as map_:

            def told(of: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
                for done, result in enumerate(map_(of, items), 1):
                    self.tell(done, blocks, "blocks of decks")
                    yield result

            seen = statistics_of(self.repeated) if self.repeated else ()
            return estimate(self.recipe, self.cards, decks, self.seed, told, seen, together)


def _question(
    recipe: str,
    cards: int | None,
    like: str | None,
    seen: str | None,
    seed: int | None,
    tell: Tell,
    map_: "Map | None",
) -> _Question:
    if cards is not None:
        cards = numbers.whole("cards", cards, 1, MOST_CARDS)
    steps = recipe_steps(recipe)
    if sum(step.times for step in steps) > MOST_SHUFFLES:
        raise FairdeckError(f"{recipe}: a law takes up to {MOST_SHUFFLES:,} shuffles of a deck; ask for fewer")
    if not (like is None and seen is None) and turns_cards(steps):
        option = "--like" if like is not None else "--seen"
        raise FairdeckError(
            f"{option} counts the order alone, and {recipe} turns cards too: leave out {option}, or the turn"
        )
    repeated = None if like is None and seen is None else RepeatedCards.parse(like, cards, seen)
    cards = repeated.cards if repeated else cards or USUAL_CARDS
    least = max(step.known.least for step in steps)
    if cards < least:
        raise FairdeckError(f"{recipe} needs {least} cards or more; the deck has {cards}")
    seed = seed_number(seed)
    return _Question(find(recipe).name, steps, cards, repeated, seed, tell, map_)


def _rounds(question: _Question, wanted: int | None, found: Round) -> tuple[Round, ...]:
    """Return what theory knows after 1, 2, ... rounds: those wanted, or as many as are quickly looked up."""
    if wanted is None:
        most = min(MOST_ROUNDS, USUAL_WORK // question.cards)
        usual = max(USUAL_ROUNDS, found.number)
        rounds = next((rounds for rounds in (usual, USUAL_ROUNDS) if rounds <= most), 0) if question.single else 1
    else:
        rounds = numbers.whole("rounds", wanted, 1, MOST_ROUNDS)
    if not question.single and len(question.steps) * rounds > MOST_SHUFFLES:
        raise FairdeckError(f"rounds: {rounds} of this recipe are more than {MOST_SHUFFLES:,} shuffles; ask for fewer")
    seen: list[Round] = []
    for number in range(1, rounds + 1):
        question.tell(number - 1, rounds, "rounds")
        try:
            seen.append(found if number == found.number else Round(number, question.rounds(number).theory()))
        except FairdeckError:
            if wanted is not None:
                raise
            break  # nobody asked for more rounds than the law reaches
    return tuple(seen) or (found,)


def _picked(rounds: Sequence[Round]) -> tuple[int, ...]:
    """Return the numbers of the rounds to simulate: those that theory leaves open, some of them if there are many."""
    every = -(-len(rounds) // POINTS)
    seen = (each for each in rounds if each.number % every == 0 or each.number == 1)
    return tuple(each.number for each in seen if each.theory.open and each.theory.at_most)


def _looked_at(question: _Question, each: Round, decks: int, together: int) -> Round:
    asked = question.rounds(each.number)
    estimate = asked.estimated(each.theory)
    bound = asked.simulated(decks, together).best if decks and not estimate else None
    return replace(each, estimated=estimate, bound=bound)


def _bounded(rounds: Sequence[Round], *, falls: bool) -> Iterator[Round]:
    """Yield the rounds with the best lower bound of each; if distances fall, the bound of a later one holds too."""
    own = [each.own_bound for each in rounds]
    for at, each in enumerate(rounds):
        yield replace(each, at_least=max(own[at:]) if falls else own[at])


def _decks(decks: int | None, cards: int, *, needed: bool) -> int:
    """Return how many decks to simulate: by default some, if they are needed and the lab's packages are installed."""
    if decks is not None:
        return numbers.whole("decks", decks, FEWEST_DECKS, MOST_DECKS) if decks else 0
    usual = max(FEWEST_DECKS, min(USUAL_DECKS, USUAL_DECKS * QUICK_CARDS // cards))
    return usual if needed and find_spec("numpy") and find_spec("scipy") else 0
