"""What is fixed before the first deck of a stored run: everything that decides what it counts and how it is judged.

Its digest can be published beforehand. Then nobody can choose a seed, a battery or a number of decks after seeing
results, or repeat a run until it pleases, without its showing.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import Any, cast

from fairdeck import __version__, numbers
from fairdeck.bulk import available
from fairdeck.errors import FairdeckError
from fairdeck.lab import standards
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.runs.identity import hash_of_code
from fairdeck.lab.sources.simulated import Simulated
from fairdeck.lab.sources.start import Start, checked_start
from fairdeck.randomness import seed_number

FORMAT = "fairdeck-registration/1"
MOST_DECKS = 10**12
KINDS_OF_RUNS = ("known", "function", "program", "file", "monitor")


@dataclass(frozen=True, kw_only=True)
class Registration:
    """A run, as it is registered.

    Attributes:
        kind: ``known`` (a shuffle by name), ``function``, ``program`` or ``file``; ``monitor``, a watch of logs.
        what: the name, function, command or path.
        layout: how a program writes decks.
        cards: the cards of a deck.
        decks: the most decks that are counted.
        announced: whether that number was chosen in advance.
        seed: of all random streams, as hexadecimal digits; empty if the decks exist already.
        alpha: the largest chance that a fair shuffle fails.
        standard: the published standard; empty for none.
        only: the statistics that were chosen; empty for all.
        lags: decks are compared with those up to so many before them.
        start: what each deck starts from.
        takes: what a function takes; empty for what its signature says.
        order: the sorted deck of a file whose cards are words; empty if they are numbers.
        timeout: seconds without a deck after which a function or a program has failed.
        in_parts: whether the decks of a function or a program are made in parts, each by a new process.
        at_least: the decks that the verdict covers even if the shuffle fails earlier.
        files: the SHA-256 of each file that is tested.
        kernels: whether kernels make and count the decks.
        version: of fairdeck.
        code: a hash of the code that makes, counts and judges.
    """

    kind: str
    what: str
    layout: str = ""
    cards: int
    decks: int
    announced: bool = True
    seed: str = ""
    alpha: float
    standard: str = ""
    only: tuple[str, ...] = ()
    lags: int
    start: str = "sorted"
    takes: str = ""
    order: str = ""
    timeout: float
    in_parts: bool = False
    at_least: int = 0
    files: Mapping[str, str] = field(default_factory=dict)
    kernels: bool = field(default_factory=available)
    version: str = __version__
    code: str = field(default_factory=hash_of_code)

    @property
    def text(self) -> str:
        """The registration as one line of JSON, the same for equal registrations."""
        return json.dumps({"format": FORMAT, **asdict(self)}, sort_keys=True, separators=(",", ":"), allow_nan=False)

    @property
    def digest(self) -> str:
        """What can be announced: the SHA-256 of `text`, as hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @cached_property
    def battery(self) -> Battery:
        """The statistics that it asks."""
        if self.standard:
            return standards.find(self.standard).battery(self.cards, self.lags)
        return Battery(self.cards, self.lags, frozenset(self.only))

    def simulated(self) -> Simulated:
        """Return the source of its decks, whose blocks can be made anywhere, again and again.

        Raises:
            FairdeckError: its decks exist only once.
        """
        if self.kind != "known":
            kind = "watched log" if self.kind == "monitor" else self.kind
            raise FairdeckError(
                f"the decks of {self.what}, a {kind}, cannot be made again, so they cannot be verified; name a known "
                "shuffle (see: fairdeck shuffles)"
            )
        return Simulated(self.what, self.cards, int(self.seed, 16), self.start == "carried")

    def asks_the_same(self, other: "Registration") -> bool:
        """Tell whether another run differs in its seed at most, or in the version of fairdeck."""
        return replace(self, seed="", version="", code="", kernels=True) == replace(
            other, seed="", version="", code="", kernels=True
        )

    def check(self) -> None:
        """Check that a run can have been registered so.

        Raises:
            ValueError: it cannot.
        """
        numbers.whole("decks", self.decks, 1, MOST_DECKS)
        numbers.alpha(self.alpha)
        checked_start(cast(Start, self.start))
        if not all(isinstance(each, str) for each in (*self.only, *self.files.values())):
            raise ValueError("a name that is no text")
        if self.seed and self.seed != f"{seed_number(self.seed):x}":
            raise ValueError(f"seed: {self.seed!r}")
        if self.kind not in KINDS_OF_RUNS:
            raise ValueError(f"kind: {self.kind!r}")
        if self.kind == "known" and not (self.seed and self.announced):
            raise ValueError("a known shuffle without a seed, or without a number of decks that was announced")

    def check_code(self) -> None:
        """Check that this installation counts and judges as the one that registered the run.

        Raises:
            FairdeckError: the code, or whether it has kernels, differs: other decks or other counts could follow.
        """
        if self.code != hash_of_code():
            raise FairdeckError(
                f"the run was begun by other code (fairdeck {self.version}, {self.code[:12]}; this is {__version__}, "
                f"{hash_of_code()[:12]}), which may count differently: continue with that version, or begin a new run"
            )
        self.check_kernels()

    def check_kernels(self) -> None:
        """Check that this installation makes the same decks from a seed.

        Raises:
            FairdeckError: it has kernels and the run had none, or the other way round.
        """
        if self.kernels != available():
            raise FairdeckError(
                f"the run was begun {'with' if self.kernels else 'without'} numba, which makes other decks: "
                f"{'install numba' if self.kernels else 'leave numba out'}, or begin a new run"
            )


JSON_OF: dict[Any, tuple[type, ...]] = {str: (str,), int: (int,), bool: (bool,), float: (float, int)}
KINDS = {each.name: JSON_OF.get(each.type, (list, dict)) for each in fields(Registration)}  # types of values in JSON


def read(text: str) -> Registration:
    """Return the registration that has this text.

    Raises:
        FairdeckError: it is not a registration that this version can read.
    """
    try:
        found: dict[str, Any] = json.loads(text)
        if found.pop("format") != FORMAT:
            raise ValueError("another format")
        if found.keys() != {each.name for each in fields(Registration)}:
            raise ValueError("other fields")
        for name, value in found.items():
            if type(value) not in KINDS[name]:
                raise ValueError(f"{name}: {value!r}")
        read = Registration(**found | {"only": tuple(found["only"])})
        # What has a name twice, or is a number in other words, would have one digest and two texts.
        if read.text != text:
            raise ValueError("written in another way")
        read.check()
        return read
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise FairdeckError(f"this is not the registration of a run ({error}); it may be of a newer fairdeck") from None
