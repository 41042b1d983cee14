"""The lab's `map` on a cluster of machines, with Dask distributed.

Items go out and results come back in order, as from `fairdeck.lab.runs.processes.spread`. An item is small: the numbers
of blocks, never decks. Each task is named by its run and its number, so a task that runs twice counts once. Items that
are soon done travel together. A large portion of blocks is cut into chunks for many workers, and the tallies of its
chunks are added up on the workers, as a tree: one tally of each portion comes back.

A worker that dies is Dask's business: its tasks run again elsewhere. A scheduler that dies takes all results with it;
then this process connects again and sends again what it has not received, so the digits stay the same.
"""

import asyncio
import logging
import pickle
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import chain, count
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from fairdeck.errors import FairdeckError
from fairdeck.extras import missing
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.runs import worker
from fairdeck.lab.runs.identity import hash_of_code
from fairdeck.lab.runs.processes import AHEAD, ALONE, spread
from fairdeck.lab.sources.simulated import NumberedBlock

if TYPE_CHECKING:
    from distributed import Client, Future

Item = TypeVar("Item")
Result = TypeVar("Result")
Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
Told = Callable[[str], object]

LOCAL = "local:"
SCHEMES = ("tcp://", "tls://")
MOST_LOCAL = 256
CONNECTING = 5.0  # seconds for a scheduler to answer
WORKERS_COMING = 60.0  # seconds for the first worker
AWAY = 120.0  # seconds for a scheduler that was there, or for a worker after the last one left
LOOK = 5.0  # seconds between looks at how many workers there are
SOON = 0.25  # seconds of work that a task is worth: Dask takes some milliseconds for each
TOGETHER, BYTES_TOGETHER = 256, 2**25  # items of a task, and bytes of its results, at most
CHUNK, LARGEST_CHUNK, CHUNKS = 2**20, 2**22, 32  # decks counted by one worker; about so many chunks of a portion
FAN_IN = 8  # tallies that are added up at a time
ABOUT = "__import__('fairdeck.lab.runs.worker', fromlist=['about']).about()"  # text: nothing need be installed there


@contextmanager
def cluster(where: str, *, alone: float = ALONE, tell: Told = lambda _said: None) -> Iterator[Map]:
    """Give a `map` that works on a cluster, with results in order.

    Blocks of known shuffles are counted in this process for `alone` seconds first, as `spread` does: many a faulty
    shuffle is found out by then. Leaving takes back all that was sent.

    Args:
        where: ``tcp://host:port`` of a Dask scheduler, or ``local:N``: N processes of this machine. Anybody who can
            reach the scheduler can run code on its workers, and in this process too, which loads the results with
            pickle: name only a scheduler that you trust like your own shell.
        alone: seconds.
        tell: is called with what is waited for.

    Raises:
        FairdeckError: nothing answers there, or a worker is not of the same build as this process.
    """
    address = checked(where)
    if address.startswith(LOCAL):
        # No scheduler: Dask's would listen on a port, where every account of the machine could run code as this one.
        with spread(int(address.removeprefix(LOCAL)), alone) as map_:
            yield map_
        return
    if find_spec("distributed") is None:
        raise missing("a cluster needs Dask", "cluster")
    link = _Link(address, tell)
    try:
        link.connect(CONNECTING)
        yield link.mapped(alone)
    finally:
        link.close()


def checked(where: str) -> str:
    """Return the address of a cluster if it can be one.

    >>> checked("local:2")
    'local:2'
    """
    if where.startswith(LOCAL):
        if 1 <= _few_digits(where.removeprefix(LOCAL)) <= MOST_LOCAL:
            return where
    elif where.startswith(SCHEMES):
        host, _, port = where.partition("://")[2].rpartition(":")
        if host and 0 < _few_digits(port) < 2**16:
            return where
    raise FairdeckError(
        f"cluster: {where[:80]!r} is not an address; write tcp://HOST:PORT of a Dask scheduler, or local:N for N "
        "workers"
    )


def _few_digits(text: str) -> int:
    """Return a text of up to nine digits as a number, and 0 for any other text."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else 0


@dataclass(eq=False)
class _Task:
    """Items that were sent together, or one portion that was sent in chunks."""

    name: str
    payloads: list[bytes]  # one for each chunk
    future: "Future[worker.Counted] | None" = field(default=None)


class _Link:
    """The connection to a scheduler, which is made again when it breaks."""

    def __init__(self, address: str, tell: Told) -> None:
        self._address, self._tell = address, tell
        self._client: Client | None = None
        self._looked = self._seen = 0.0  # when the workers were counted, and when there was one
        self._threads = 1
        self._build = hash_of_code()

    @property
    def client(self) -> "Client":
        """The connection."""
        assert self._client is not None  # noqa: S101 - `connect` comes first
        return self._client

    def connect(self, patience: float) -> None:
        """Connect, wait for a worker, and check that all workers are of this build."""
        until = monotonic() + patience
        while not self._opened(max(1.0, min(CONNECTING, until - monotonic()))):
            if monotonic() >= until:
                raise FairdeckError(
                    f"no scheduler answers at {self._address}: check the address, start it with: dask scheduler"
                )
            sleep(0.2)
        until = monotonic() + WORKERS_COMING
        while not self._workers():
            self._tell(f"waiting for a worker of {self._address}")
            if monotonic() >= until:
                raise FairdeckError(f"{self._address} has no workers; start some with: dask worker {self._address}")
            sleep(0.1)
        self.check()

    def close(self) -> None:
        """Take back what was sent, and leave."""
        if self._client is not None:
            with suppress(Exception):  # the scheduler may be gone
                self._client.close(timeout=CONNECTING)
            self._client = None

    def check(self) -> None:
        """Check that every worker is of this build.

        Raises:
            FairdeckError: one is not.
        """
        ours = worker.about()
        for address, found in sorted(self.client.run(eval, ABOUT, on_error="return").items()):
            if isinstance(found, ModuleNotFoundError):
                raise FairdeckError(
                    f"the worker {address} has no module {found.name}; install there what is installed here: "
                    f"fairdeck {ours['fairdeck']} with its extra cluster"
                )
            if isinstance(found, Exception):
                raise FairdeckError(f"the worker {address} cannot count: {type(found).__name__}: {found}")
            for what in ours:
                if found[what] != ours[what]:
                    raise FairdeckError(
                        f"the worker {address} has another fairdeck ({what} {found[what]}, here {ours[what]}); install "
                        "the same one there, and start the worker again"
                    )

    def mapped(self, alone: float) -> Map:
        """Return the `map`."""

        def mapped(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
            coming, until = iter(items), 0.0
            for item in coming:
                until = until or monotonic() + alone
                if not (_is_portion(function, item) and monotonic() < until):
                    coming = chain([item], coming)
                    break
                yield function(item)
            else:
                return
            yield from _Run(self, function).results(coming)

        return mapped

    def send(self, task: _Task, function: bytes) -> None:
        """Send a task; if it went out before, its name is the same and Dask does it once."""
        from distributed.client import FutureCancelledError

        try:
            futures = [
                self.client.submit(worker.count, self._build, function, each, key=f"{task.name}-{at}", pure=False)
                for at, each in enumerate(task.payloads)
            ]
            for level in count():
                if len(futures) == 1:
                    break
                futures = [
                    self.client.submit(
                        worker.add,
                        function,
                        *futures[at : at + FAN_IN],
                        key=f"{task.name}-sum-{level}-{at // FAN_IN}",
                        pure=False,
                    )
                    for at in range(0, len(futures), FAN_IN)
                ]
            task.future = futures[0]
        except (OSError, FutureCancelledError, RuntimeError):
            task.future = None  # the connection broke; `received` makes a new one

    def room(self, sent: int) -> bool:
        """Return whether more tasks should be sent while so many wait."""
        if monotonic() - self._looked > LOOK:
            with suppress(OSError, RuntimeError):
                self._workers()
        return sent < AHEAD * self._threads

    def received(self, task: _Task, again: Callable[[], None]) -> worker.Counted:
        """Wait for a task; where the connection broke, connect, and call `again` to send everything again."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        while True:
            try:
                if task.future is not None and self.client.status == "running":
                    return task.future.result(timeout=LOOK)  # type: ignore[no-any-return]
            except KilledWorker as error:
                raise FairdeckError(
                    f"several workers of {self._address} died while they counted the same decks, the last one "
                    f"{getattr(error.last_worker, 'address', 'unknown')}; perhaps their memory ran out: start fewer "
                    "workers on a machine"
                ) from None
            except TimeoutError:
                if self.client.status == "running":
                    self._see_workers()
                    continue
            except (OSError, FutureCancelledError):
                pass
            except Exception:
                self.check()  # often a worker that came later, and is not of this build
                raise
            self._connect_again()
            again()

    def _connect_again(self) -> None:
        self._tell(f"the connection to {self._address} broke; waiting for it")
        self.close()
        try:
            self.connect(AWAY)
        except FairdeckError as error:
            raise FairdeckError(
                f"{error}; nothing that was reported is lost: run the same command again with the same seed"
            ) from None

    def _see_workers(self) -> None:
        """Raise an error if the last worker left long ago."""
        if not self._workers():
            self._tell(f"all workers of {self._address} left; waiting for one")
            if monotonic() - self._seen > AWAY:
                raise FairdeckError(
                    f"all workers of {self._address} left; start some with: dask worker {self._address}, and run the "
                    "same command again with the same seed"
                )

    def _workers(self) -> dict[str, int]:
        """Return the threads of each worker."""
        self._looked = monotonic()
        found: dict[str, int] = self.client.nthreads()
        if found:
            self._seen = self._looked
        self._threads = max(1, sum(found.values()))
        return found

    def _opened(self, seconds: float) -> bool:
        """Connect, and return whether that worked."""
        from distributed import Client

        # Dask tells of lost connections in tracebacks; this module tells of them in a line.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        try:
            # In a thread, because the caller may have an event loop of its own.
            with ThreadPoolExecutor(1) as thread:
                thread.submit(asyncio.run, _answered(self._address, seconds)).result()
            # Results come through the scheduler, as this process may not reach the workers.
            self._client = Client(self._address, timeout=seconds, set_as_default=False)
        except (OSError, ValueError):
            return False
        return True


async def _answered(address: str, seconds: float) -> None:
    """See that a scheduler is there: a client would wait for ever for something else that says nothing.

    Raises:
        OSError: it is not.
    """
    from distributed.core import connect
    from distributed.security import Security

    options = Security().get_connection_args("client")
    comm = await asyncio.wait_for(connect(address, timeout=seconds, **options), seconds)
    await comm.close()


class _Run:
    """One use of the `map`."""

    def __init__(self, link: _Link, function: Callable[[Any], Any]) -> None:
        self._link, self._function = link, function
        self._packed = pickle.dumps(function, protocol=5)
        self._name = f"fairdeck-{uuid4().hex[:12]}"
        self._waiting: deque[_Task] = deque()
        self._parts = 0  # sent and not received
        self._together = 1
        self._numbers = count()
        self._ended: Exception | None = None  # why no more items come

    def results(self, items: Iterator[Any]) -> Iterator[Any]:
        """Yield the results; an error of the items themselves comes after the results of all items before it."""
        try:
            while True:
                while self._ended is None and self._link.room(self._parts):
                    self._send_next(items)
                if not self._waiting:
                    if self._ended is not None and not isinstance(self._ended, StopIteration):
                        raise self._ended
                    return
                counted = self._link.received(self._waiting[0], self._again)
                self._parts -= len(self._waiting.popleft().payloads)
                self._learn(counted)
                found, error = worker.unpacked(counted)
                yield from found
                if error is not None:
                    raise error
        finally:
            self._waiting.clear()  # the scheduler forgets what nobody waits for

    def _send_next(self, items: Iterator[Any]) -> None:
        """Send the next items as a task."""
        together: list[Any] = []
        try:
            while len(together) < self._together:
                together.append(next(items))
        except Exception as error:  # StopIteration as well; raised in its turn
            self._ended = error
        if not together:
            return
        parts = [together]
        if len(together) == 1 and _is_portion(self._function, together[0]):
            parts = [[chunk] for chunk in _chunks(together[0])]
        name = f"{self._name}-{next(self._numbers)}"
        self._send(_Task(name, [pickle.dumps(part, protocol=5) for part in parts]))

    def _send(self, task: _Task) -> None:
        self._waiting.append(task)
        self._parts += len(task.payloads)
        self._link.send(task, self._packed)

    def _again(self) -> None:
        for task in self._waiting:
            self._link.send(task, self._packed)

    def _learn(self, counted: worker.Counted) -> None:
        """Choose how many items the next tasks hold, by how long these took and how large their results are."""
        if counted.items:
            by_time = SOON * counted.items / max(counted.seconds, 1e-6)
            by_size = BYTES_TOGETHER * counted.items / max(1, len(counted.packed))
            self._together = max(1, min(TOGETHER, 2 * self._together, int(by_time), int(by_size)))


def _is_portion(function: Callable[..., Any], item: Any) -> bool:
    """Return whether a battery counts numbered blocks, whose tallies can be added up anywhere."""
    tallies = (
        isinstance(getattr(function, "__self__", None), Battery) and function.__name__ == Battery.tally_all.__name__
    )
    return tallies and isinstance(item, list) and all(isinstance(block, NumberedBlock) for block in item)


def _chunks(portion: Sequence[NumberedBlock]) -> Iterator[Sequence[NumberedBlock]]:
    """Yield a portion in chunks of some millions of decks; small portions stay as they are."""
    decks = sum(block.size for block in portion)
    most, chunk, size = min(LARGEST_CHUNK, max(CHUNK, decks // CHUNKS)), list[NumberedBlock](), 0
    for block in portion:
        if chunk and size + block.size > most:
            yield chunk
            chunk, size = [], 0
        chunk.append(block)
        size += block.size
    yield chunk
