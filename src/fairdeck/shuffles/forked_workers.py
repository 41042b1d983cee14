"""Workers that are copies of one process, and so of one generator."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known


@dataclass(frozen=True, slots=True)
class ForkedWorkers:
    """Each of `workers` shuffles a batch of `batch` decks, all with the same random numbers.

    A process that is forked copies NumPy's generator with its state. PyTorch's DataLoader forked its workers so until
    version 1.9. How many workers and how large a batch is the user's choice; four and eight are ours.
    """

    workers: int
    batch: int

    def stream(self, n: int, rng: Random) -> Iterator[Sequence[int]]:
        """Yield arrangements, batch by batch."""
        while True:
            decks = [tuple(rng.sample(range(n), n)) for _ in range(self.batch)]
            for _ in range(self.workers):
                yield from decks


KNOWN = (
    Known(
        "forked-workers",
        ForkedWorkers(workers=4, batch=8),
        says="four forked workers share one random state: each batch of eight decks comes four times",
        source="PyTorch's DataLoader with NumPy before version 1.9: pytorch/pytorch issue 5059, pull request 56488",
    ),
)
