"""User code, enumerated in a process of its own: it may hang, crash, print or exit as it likes.

The parent sends one line of JSON and reads lines of JSON: how far it is, and at last the law or
what is wrong. What the code writes goes nowhere, what it reads is empty.
"""

import importlib
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from queue import Empty, Queue
from time import monotonic
from typing import IO, Any, cast

from fairdeck.errors import FairdeckError
from fairdeck.lab.exact.tree import Fault, OrderLaw, Progress, Tree
from fairdeck.lab.exact.way import OverBudget, Refused

START = "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from fairdeck.lab.exact.child import main; main()"
HEARTBEAT = 0.2  # seconds
STARTING = 30.0  # seconds for the interpreter to start and the modules to load


def law_of_function(
    name: str,
    cards: int,
    *,
    takes: str | None,
    leaves: int,
    eps: float,
    timeout: float,
    progress: Progress | None = None,
) -> OrderLaw:
    """Return the law of the function called `name`, see `fairdeck.lab.exact.sight`.

    Args:
        name: where the function is.
        cards: the cards of its deck.
        takes: ``deck`` or ``n``, or None to tell by its parameters.
        leaves: how many ways may be followed.
        eps: how much probability may be left unresolved.
        timeout: seconds that may pass without an end of one more way.
        progress: is told how far it is, a few times a second.

    Raises:
        FairdeckError: it fails, hangs, cannot be found or cannot be seen through.
    """
    import subprocess
    from threading import Thread

    from fairdeck.lab import groups

    path = json.dumps([place for place in sys.path if place])
    request = json.dumps({"name": name, "cards": cards, "takes": takes, "leaves": leaves, "eps": eps})
    with groups.started(
        [sys.executable, "-P", "-c", START, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        lines: Queue[bytes] = Queue()
        pipe, asking = cast(IO[bytes], process.stdout), cast(IO[bytes], process.stdin)

        def read() -> None:
            line = b"."
            while line:
                line = pipe.readline()
                lines.put(line)

        reader = Thread(target=read, daemon=True)
        try:
            reader.start()
            asking.write(request.encode() + b"\n")
            asking.close()
            return _heard(name, cards, lines, timeout, progress)
        except BrokenPipeError:
            raise FairdeckError(f"{name}: the process that was to run it ended at once") from None
        finally:
            groups.end(process)
            reader.join(1.0)


def _heard(name: str, cards: int, lines: "Queue[bytes]", timeout: float, progress: Progress | None) -> OrderLaw:
    """Listen to the child until it has the law."""
    followed, patience = 0, STARTING
    while True:
        try:
            line = lines.get(timeout=patience)
        except Empty:
            where = f"after {followed:,} ways" if followed else "on its very first deck"
            raise FairdeckError(
                f"{name} hangs: {patience:g} seconds without a deck, {where} (--timeout gives it longer)"
            ) from None
        if not line:
            raise FairdeckError(f"{name} ended the process that ran it after {followed:,} ways (exit, or a crash)")
        said = json.loads(line)
        patience = timeout
        if "refused" in said:
            raise (
                OverBudget(f"{name}: {said['refused']}")
                if said["budget"]
                else FairdeckError(f"{name}: {said['refused']}")
            )
        if "law" in said:
            return _read(said["law"], cards)
        followed = said["leaves"]
        if progress is not None:
            progress(followed, cast(Callable[[], float], lambda share=said["done"]: share))


def _read(law: dict[str, Any], cards: int) -> OrderLaw:
    orders = {tuple(order): Fraction(chance) for order, chance in law["orders"]}
    return OrderLaw(cards, orders, Fraction(law["unresolved"]), law["leaves"], law["grain"], tuple(law["notes"]))


def main() -> None:
    """Do what the parent asks for; the child's whole life."""
    asked = json.loads(sys.stdin.readline())
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    with open(os.devnull, "r+b", buffering=0) as nothing:  # noqa: PTH123 - no path is made
        for stream in (0, 1, 2):
            os.dup2(nothing.fileno(), stream)

    def say(**said: object) -> None:
        out.write(json.dumps(said) + "\n")
        out.flush()

    with suppress(Exception):  # before a function imports it: numpy draws as it loads, and would draw from us
        importlib.import_module("numpy.random")
    say(leaves=0, done=0.0)
    try:
        law = _law(asked, say)
    except (FairdeckError, Refused) as refused:
        say(refused=str(refused), budget=isinstance(refused, OverBudget))
    else:
        say(
            law={
                "orders": [[order, str(chance)] for order, chance in law.orders.items()],
                "unresolved": str(law.unresolved),
                "leaves": law.leaves,
                "grain": law.grain,
                "notes": law.notes,
            }
        )
    os._exit(0)  # threads and exit handlers of the user's are not waited for


def _law(asked: dict[str, Any], say: Callable[..., None]) -> OrderLaw:
    before = set(sys.modules)
    from fairdeck.lab.exact.sight import Sight, caller, load

    last = [monotonic()]

    def progress(leaves: int, done: Callable[[], float]) -> None:
        if monotonic() - last[0] > HEARTBEAT:
            last[0] = monotonic()
            say(leaves=leaves, done=done())

    function = load(asked["name"])
    play = Sight(before).over(caller(function, asked["cards"], asked["takes"]))
    try:
        return Tree(play, asked["cards"], leaves=asked["leaves"], eps=asked["eps"], progress=progress).law()
    except RecursionError:
        raise Fault("it calls itself without end") from None
