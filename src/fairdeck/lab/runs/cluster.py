"""The lab's `map` on the workers of a Dask scheduler: Dask sends, resends and keeps tasks; a store keeps the run.

An item is small: the numbers of blocks, never decks. Dask gives what a dead worker had to another one, and a result is
the same whoever counted it, so the digits stay the same. A scheduler that dies ends the run: what a store holds goes on
with --resume. Anybody who can talk to a scheduler can run code on its workers, and in this process too, which unpickles
the results: the address must be one that you trust like your own shell. Across a network, ``tls://`` with the
certificates of Dask's own settings keeps others out.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import fairdeck
from fairdeck.errors import FairdeckError
from fairdeck.extras import missing
from fairdeck.lab.blocks import Broken
from fairdeck.lab.runs.processes import AHEAD, in_order
from fairdeck.lab.runs.registration import hash_of_code

if TYPE_CHECKING:
    from distributed import Client

Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]

ADDRESS = re.compile("(tcp|tls)://.+:[0-9]{1,5}")
WAIT = 30  # seconds for the scheduler to answer, and for the first worker
LEAVE = 5  # seconds to take back what was sent
BUILD = "__import__('fairdeck.lab.runs.cluster', fromlist=['build']).build()"  # text: fairdeck may be missing there


@contextmanager
def cluster(address: str, tell: Callable[[str], object] = lambda _said: None) -> Iterator[Map]:
    """Give a `map` that works on the workers of a scheduler, with results in order; leaving takes back what was sent.

    Args:
        address: ``tcp://host:port`` or ``tls://host:port`` of a Dask scheduler that you trust like your own shell.
        tell: is called with what is waited for.

    Raises:
        FairdeckError: nothing answers there within 30 seconds, no worker comes within 30 more, or a worker is not of
            the same build; from the `map`: the connection was lost, or an item killed every worker that took it.
    """
    if find_spec("distributed") is None:
        raise missing("a cluster needs Dask", "cluster")
    client = _client(checked(address), tell)
    try:
        _wait_for_a_worker(client, address, tell)
        _check_builds(client)
        yield partial(_mapped, client, address)
    finally:
        with suppress(Exception):  # the scheduler may be gone
            client.close(timeout=LEAVE)


def checked(address: str) -> str:
    """Return the address of a scheduler if it can be one.

    >>> checked("tcp://10.0.0.7:8786")
    'tcp://10.0.0.7:8786'
    """
    if not ADDRESS.fullmatch(address):
        raise FairdeckError(
            f"cluster: {address[:80]!r} is not an address; write tcp://HOST:PORT of a Dask scheduler, or local:N for N "
            "processes of this machine"
        )
    return address


def build() -> dict[str, str]:
    """Return what must be equal on all machines, so that their digits are: each name with its value."""
    import numba  # noqa: F401 - its kernels make other decks than NumPy does
    import scipy  # noqa: F401

    return {"fairdeck": fairdeck.__version__, "source files": hash_of_code()[:16]}


def _client(address: str, tell: Callable[[str], object]) -> "Client":
    from distributed import Client

    for name in ("distributed", "distributed.client", "tornado.application"):  # lost connections, as tracebacks
        logging.getLogger(name).setLevel(logging.CRITICAL)
    tell(f"connecting to {address}, for {WAIT} seconds at most")
    try:
        # In a thread, because the caller may have an event loop of its own.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _answered(address)).result()
        return Client(address, timeout=WAIT, set_as_default=False)
    except (OSError, ValueError):
        raise FairdeckError(
            f"no scheduler answers at {address}: check the address, start it with: dask scheduler"
        ) from None


async def _answered(address: str) -> None:
    """Raise an OSError if no scheduler is there: a client would wait for ever for something else that says nothing."""
    from distributed.core import connect
    from distributed.security import Security

    options = Security().get_connection_args("client")
    comm = await asyncio.wait_for(connect(address, timeout=WAIT, **options), WAIT)
    await comm.close()


def _wait_for_a_worker(client: "Client", address: str, tell: Callable[[str], object]) -> None:
    if not client.nthreads():
        tell(f"waiting for a worker of {address}, for {WAIT} seconds at most")
    try:
        client.wait_for_workers(1, timeout=WAIT)
    except TimeoutError:
        raise FairdeckError(f"{address} has no workers; start some with: dask worker {address}") from None


def _check_builds(client: "Client") -> None:
    """Check that every worker is of the build of this process."""
    ours = build()
    for worker, theirs in sorted(client.run(eval, BUILD, on_error="return").items()):
        if isinstance(theirs, Exception):
            raise FairdeckError(
                f"the worker {worker} cannot count: {theirs}; install there what is installed here: fairdeck "
                f"{ours['fairdeck']} with its extra cluster"
            )
        for what in ours:
            if theirs[what] != ours[what]:
                raise FairdeckError(
                    f"the worker {worker} has another fairdeck ({what} {theirs[what]}, here {ours[what]}); install the "
                    "same one there, and start the worker again"
                )


def _mapped(client: "Client", address: str, function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    from distributed import KilledWorker

    # Each task brings the hash of our code: a worker that comes later may be of another build.
    task = partial(_counted, hash_of_code(), function)
    results = in_order(client.get_executor(pure=False), AHEAD * sum(client.nthreads().values()), task, iter(items))
    while True:
        # Not around the `yield`: an error of the caller, such as a full disk, is none of Dask's.
        try:
            result = next(results)
        except StopIteration:
            return
        except KilledWorker:
            raise FairdeckError(
                f"several workers of {address} died while they counted the same decks; perhaps their memory ran out: "
                "start fewer workers on a machine"
            ) from None
        except (OSError, CancelledError):
            raise FairdeckError(
                f"the connection to {address} was lost; with a store go on with: fairdeck test --resume DB; without "
                "one run the same command again with the same seed"
            ) from None
        yield result


def _counted(wanted: str, function: Callable[[Any], Any], item: Any) -> Any:
    """Apply a function on a worker, whose name is part of an error that tells what is missing there."""
    try:
        if hash_of_code() != wanted:
            raise FairdeckError("its fairdeck has other source files; install the same one there, and start it again")
        return function(item)
    except FairdeckError as error:
        if isinstance(error, Broken):
            raise
        from distributed import get_worker

        raise FairdeckError(f"{error} (on the worker {get_worker().address})") from None
