"""The law of a user's function, enumerated in a process of its own: it may hang, crash, print or exit.

What Python chooses when it starts, such as the order of a set of texts, is the same for all paths of one process. So
a sample of the paths is played again in other processes, which must make the same decks.
"""

import base64
import importlib
import os
import pickle
import sys
from array import array
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from fractions import Fraction
from random import Random
from time import monotonic
from typing import Any

from fairdeck.errors import FairdeckError
from fairdeck.lab.enumeration.generator import EnumeratedRandom
from fairdeck.lab.enumeration.law import OrderLaw
from fairdeck.lab.enumeration.path import CannotEnumerate, OverBudget
from fairdeck.lab.enumeration.tree import OnPath, ShuffleFailed, Tree
from fairdeck.lab.usercode.adapting import Adapter, CannotCall, Function, NotADeck, load, packed, split_name
from fairdeck.lab.usercode.faults import complaint, shortened
from fairdeck.lab.usercode.interception import KINDS
from fairdeck.lab.usercode.purity import OtherGenerators, State, changed, state_of
from fairdeck.permutation import Permutation

HEARTBEAT = 0.2  # seconds
OTHERS = 6  # processes that play the sample again; what is one of two, as hash(text) % 2, is the same in 1 of 64 runs
LOOKS = (3, 4, 8, 32)  # decks before which the state is compared, besides the end: it may come back to what it was
KEEPS = (
    "It keeps something from one deck to the next: {name} has changed. No deck that was made twice depends on that; if "
    "a rarer one does, these figures are not exact."
)
DEPENDS = (
    "the same draws make other decks in another process: the decks depend on what Python chooses when it starts (the "
    "order of a set of texts, hash, id, the number of the process) or on what the module draws or reads when it is "
    "loaded. So no law is exact for every run; sort the set, draw such keys from rng for each deck, or run fairdeck "
    "test several times"
)


def law_of_name(
    name: str, cards: int, takes: str | None, leaves: int, eps: float, timeout: float, progress: OnPath | None
) -> OrderLaw:
    """Return the law of the function called `name`; see `fairdeck.lab.enumeration.order_law`."""
    from fairdeck.lab.usercode import process  # takes a while: subprocess

    try:
        split_name(name)
    except CannotCall as error:
        raise FairdeckError(f"{name!r} {error}") from None
    job = {"name": name, "cards": cards, "takes": takes, "leaves": leaves, "eps": eps}
    told = _last(process.answers(__name__, job, timeout), name, progress)
    again = {**job, "sample": told["sample"], "at_once": told["at_once"]}
    environment = {**os.environ, "PYTHONHASHSEED": "random"}
    with ExitStack() as stack:
        others = [stack.enter_context(closing(process.started(__name__, again, environment))) for _ in range(OTHERS)]
        for each in others:
            if not _last(process.answers_of(each, timeout), name, None, " in another process")["repeats"]:
                raise FairdeckError(f"{name}: {DEPENDS}")
    return _law_in(told, cards)


def _last(
    answers: Generator[dict[str, Any], None, None], name: str, progress: OnPath | None, where: str = ""
) -> dict[str, Any]:
    """Return the last answer of a process that plays the function; a FairdeckError if it refuses or hangs."""
    from fairdeck.lab.usercode import process

    followed = 0
    try:
        with closing(answers):
            for told in answers:
                if "refused" in told:
                    raise (OverBudget if told["budget"] else FairdeckError)(f"{name}{where}: {told['refused']}")
                if "done" not in told:
                    return told
                followed = told["leaves"]
                if progress is not None:
                    progress(followed, lambda share=told["done"]: share)  # type: ignore[misc]
    except process.Silent as silent:
        when = f"after {followed:,} paths" if followed else "on its very first deck"
        raise FairdeckError(
            f"{name} hangs{where}: {silent.args[0]:g} seconds without a deck, {when} (--timeout allows more)"
        ) from None
    except process.Ended as ended:
        raise FairdeckError(
            f"{name}{where} ended the process that ran it after {followed:,} paths: it {ended}"
        ) from None
    raise AssertionError("answers end with an error")


def _law_in(told: dict[str, Any], cards: int) -> OrderLaw:
    orders = {tuple(order): Fraction(chance) for order, chance in told["orders"]}
    return OrderLaw(cards, orders, Fraction(told["unresolved"]), told["leaves"], told["grain"], tuple(told["notes"]))


def law_of_callable(
    function: Function, cards: int, takes: str | None, leaves: int, eps: float, progress: OnPath | None
) -> OrderLaw:
    """Return the law of a function that is called here, with a generator to draw from."""
    player = _Player(function, cards, takes)
    tree = Tree(player, cards, leaves=leaves, eps=eps, progress=progress)
    others = OtherGenerators()  # after the tree: `Random.random(rng)` would draw from what lies below its generator
    tree.outside = others.drawn_from
    with others.noting_entropy():
        return player.noted(tree.law())


class _Player:
    """Makes one deck of `cards` cards after another with a function, which must take a deck or a number only."""

    def __init__(self, function: Function, cards: int, takes: str | None) -> None:
        try:
            self._adapter = Adapter(function, takes, Random(0))
        except CannotCall as error:
            raise FairdeckError(str(error)) from None
        self._function = function
        self._cards = cards
        self._of_generator = type(getattr(function, "__self__", None)) in KINDS  # such as random.shuffle
        self._played = 0
        self._kept: State = {}
        self._changed: str | None = None

    def __call__(self, rng: EnumeratedRandom) -> Permutation:
        """Make a deck."""
        self._played += 1
        if self._played == 2:  # what is made once, with the first deck, is no change
            self._kept = state_of(self._function)
        elif self._played in LOOKS:
            self._look()
        adapter, cards = self._adapter, self._cards
        adapter.rng = rng
        if self._of_generator:
            adapter.function = getattr(rng, adapter.name)
        try:
            order = tuple(array("i", packed(adapter.shuffled(list(range(cards))), cards)))
        except NotADeck as wrong:
            raise ShuffleFailed(f"its result {wrong}") from None
        if len(set(order)) < cards or not 0 <= min(order) <= max(order) < cards:
            raise ShuffleFailed(f"its result {complaint(order, cards)}")
        return order

    def _look(self) -> None:
        self._changed = self._changed or changed(self._kept, state_of(self._function))

    def noted(self, law: OrderLaw) -> OrderLaw:
        """Return the law, with a note if the function kept something from one deck to the next."""
        if self._played > 1:
            self._look()
        note = KEEPS.format(name=shortened(self._changed or ""))
        return replace(law, notes=(*law.notes, note)) if self._changed is not None else law


def main() -> None:
    """Enumerate the function of a job."""
    from fairdeck.lab.usercode import process

    process.answer(_work)


def _work(job: dict[str, Any], tell: Callable[..., None]) -> None:
    with suppress(Exception):  # before a function imports it: NumPy draws as it loads, and would draw from us
        importlib.import_module("numpy.random")
    tell(leaves=0, done=0.0)
    try:
        before = set(sys.modules)
        player = _Player(load(job["name"]), job["cards"], job["takes"])
        tree = _tree(player, before, job, tell)
        if "sample" in job:
            tree.at_once = job["at_once"]
            sample = pickle.loads(base64.b64decode(job["sample"]))  # noqa: S301 - a process of ours wrote it
            tell(repeats=tree.repeats(sample))
            return
        law = player.noted(tree.law())
    except (FairdeckError, CannotCall, CannotEnumerate) as error:
        tell(refused=str(error), budget=isinstance(error, OverBudget))
    except RecursionError:
        tell(refused="it calls itself without end", budget=False)
    else:
        orders = [[order, str(chance)] for order, chance in law.orders.items()]
        told = {"unresolved": str(law.unresolved), "leaves": law.leaves, "grain": law.grain, "notes": law.notes}
        sample = base64.b64encode(pickle.dumps(tree.sample)).decode()
        tell(orders=orders, sample=sample, at_once=tree.at_once, **told)


def _tree(player: _Player, before: set[str], job: dict[str, Any], tell: Callable[..., None]) -> Tree:
    """Return the tree of the function of a job; the draws of modules that were not loaded `before` are intercepted."""
    from fairdeck.lab.usercode.interception import intercept

    last = monotonic()
    others: OtherGenerators | None = None

    def progress(leaves: int, done: Callable[[], float]) -> None:
        nonlocal last
        if monotonic() - last > HEARTBEAT:
            last = monotonic()
            tell(leaves=leaves, done=done())

    def intercepted(rng: EnumeratedRandom) -> Permutation:
        nonlocal others
        if others is None:  # with the first deck: what a module draws while it loads is not part of a shuffle
            intercept(rng, before)
            others = OtherGenerators()
        return player(rng)

    def outside() -> str | None:
        return others.drawn_from() if others is not None else None

    options = {"leaves": job["leaves"], "eps": job["eps"], "progress": progress, "outside": outside}
    return Tree(intercepted, job["cards"], **options)
