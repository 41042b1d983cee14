"""The law of a user's function, enumerated in a process of its own: it may hang, crash, print or exit."""

import importlib
import sys
from array import array
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from random import Random
from time import monotonic
from typing import Any

from fairdeck.errors import FairdeckError
from fairdeck.lab.enumeration.generator import EnumeratedRandom
from fairdeck.lab.enumeration.law import OrderLaw
from fairdeck.lab.enumeration.path import CannotEnumerate, OverBudget
from fairdeck.lab.enumeration.tree import OnPath, Play, ShuffleFailed, Tree
from fairdeck.lab.usercode.adapting import Adapter, CannotCall, Function, NotADeck, load, packed, split_name
from fairdeck.lab.usercode.faults import complaint
from fairdeck.lab.usercode.forwarding import KINDS
from fairdeck.permutation import Permutation

HEARTBEAT = 0.2  # seconds
DREW_NOTHING = (
    "The function drew nothing, so it gives one order. What Python chooses when it starts (the hashes of texts, the "
    "number of the process) and what the module drew when it was loaded were not varied. Another run may give "
    "another order."
)


def law_of_name(
    name: str, cards: int, takes: str | None, leaves: int, eps: float, timeout: float, progress: OnPath | None
) -> OrderLaw:
    """Return the law of the function called `name`; see `fairdeck.lab.enumeration.order_law`."""
    from fairdeck.lab.usercode import jobs  # takes a while: subprocess

    try:
        split_name(name)
    except CannotCall as error:
        raise FairdeckError(f"{name!r} {error}") from None
    job = {"name": name, "cards": cards, "takes": takes, "leaves": leaves, "eps": eps}
    followed = 0
    try:
        for told in jobs.answers(__name__, job, timeout):
            if "refused" in told:
                raise (OverBudget if told["budget"] else FairdeckError)(f"{name}: {told['refused']}")
            if "orders" in told:
                return _law_in(told, cards)
            followed = told["leaves"]
            if progress is not None:
                progress(followed, lambda share=told["done"]: share)  # type: ignore[misc]
    except jobs.Silent as silent:
        where = f"after {followed:,} paths" if followed else "on its very first deck"
        raise FairdeckError(
            f"{name} hangs: {silent.args[0]:g} seconds without a deck, {where} (--timeout allows more)"
        ) from None
    except jobs.Ended as ended:
        raise FairdeckError(f"{name} ended the process that ran it after {followed:,} paths: it {ended}") from None
    raise AssertionError("answers end with an error")


def _law_in(told: dict[str, Any], cards: int) -> OrderLaw:
    orders = {tuple(order): Fraction(chance) for order, chance in told["orders"]}
    return OrderLaw(cards, orders, Fraction(told["unresolved"]), told["leaves"], told["grain"], tuple(told["notes"]))


def law_of_callable(
    function: Function, cards: int, takes: str | None, leaves: int, eps: float, progress: OnPath | None
) -> OrderLaw:
    """Return the law of a function that is called here, with a generator to draw from."""
    from fairdeck.lab.usercode.others import Others

    tree = Tree(_play(function, cards, takes), cards, leaves=leaves, eps=eps, progress=progress)
    others = Others()  # after the tree: `Random.random(rng)` would draw from what lies below its generator
    tree.outside = others.drawn_from
    with others.noting_entropy():
        return tree.law()


def _play(function: Function, cards: int, takes: str | None) -> Play:
    """Return what makes one deck of `cards` cards with the function.

    Raises:
        FairdeckError: the function cannot be called with a deck or a number, or needs more.
    """
    try:
        adapter = Adapter(function, takes, Random(0))
    except CannotCall as error:
        raise FairdeckError(str(error)) from None
    of_generator = type(getattr(function, "__self__", None)) in KINDS  # such as random.shuffle

    def play(rng: EnumeratedRandom) -> Permutation:
        adapter.rng = rng
        if of_generator:
            adapter.function = getattr(rng, adapter.name)
        try:
            order = tuple(array("i", packed(adapter.shuffled(list(range(cards))), cards)))
        except NotADeck as wrong:
            raise ShuffleFailed(f"its result {wrong}") from None
        if len(set(order)) < cards or not 0 <= min(order) <= max(order) < cards:
            raise ShuffleFailed(f"its result {complaint(order, cards)}")
        return order

    return play


def main() -> None:
    """Enumerate the function of a job."""
    from fairdeck.lab.usercode import jobs

    jobs.answer(_work)


def _work(job: dict[str, Any], tell: Callable[..., None]) -> None:
    with suppress(Exception):  # before a function imports it: NumPy draws as it loads, and would draw from us
        importlib.import_module("numpy.random")
    tell(leaves=0, done=0.0)
    try:
        law = _law(job, tell)
    except (FairdeckError, CannotCall, CannotEnumerate) as error:
        tell(refused=str(error), budget=isinstance(error, OverBudget))
    except RecursionError:
        tell(refused="it calls itself without end", budget=False)
    else:
        orders = [[order, str(chance)] for order, chance in law.orders.items()]
        tell(orders=orders, unresolved=str(law.unresolved), leaves=law.leaves, grain=law.grain, notes=law.notes)


def _law(job: dict[str, Any], tell: Callable[..., None]) -> OrderLaw:
    from fairdeck.lab.usercode.interception import intercept
    from fairdeck.lab.usercode.others import Others

    before, last = set(sys.modules), monotonic()
    others: Others | None = None

    def progress(leaves: int, done: Callable[[], float]) -> None:
        nonlocal last
        if monotonic() - last > HEARTBEAT:
            last = monotonic()
            tell(leaves=leaves, done=done())

    play = _play(load(job["name"]), job["cards"], job["takes"])

    def intercepted(rng: EnumeratedRandom) -> Permutation:
        nonlocal others
        if others is None:  # with the first deck: what a module draws while it loads is not part of a shuffle
            intercept(rng, before)
            others = Others()
        return play(rng)

    def outside() -> str | None:
        return others.drawn_from() if others is not None else None

    options = {"leaves": job["leaves"], "eps": job["eps"], "progress": progress, "outside": outside}
    law = Tree(intercepted, job["cards"], **options).law()
    return replace(law, notes=(*law.notes, DREW_NOTHING)) if law.leaves == 1 < law.cards else law
