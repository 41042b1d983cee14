"""An inquiry that is written down before the first deck of a stored run, with the code and the files that answer it.

Its digest can be published beforehand. Then nobody can choose a seed, a battery or a number of decks after seeing
results, or repeat a run until it pleases, without its showing.

What was tested, and what counted it, stand there as hashes: of the files that a test names, and of the code.
"""

import hashlib
import json
import os
import re
import shutil
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from modulefinder import ModuleFinder
from operator import itemgetter
from pathlib import Path
from typing import Any, get_args, get_type_hints

from fairdeck import __version__, numbers
from fairdeck.bulk import available
from fairdeck.errors import FairdeckError
from fairdeck.lab import standards
from fairdeck.lab.inquiry import MOST_DECKS, Inquiry, Kind, is_file
from fairdeck.lab.runs import records
from fairdeck.lab.usercode.process_groups import parted
from fairdeck.randomness import seed_number

SHOWING = ("cli/", "explore/", "page/", "paper/", "show/")  # rooms that only show what was counted
TELLING = ("document.py", "sentences.py")  # and how files end that only put it into words
STANDARDS = "lab/standards/"  # text files that choose the statistics
FORMAT = "fairdeck-registration/1"
LATER = ("seen", "kinds", "board", "beacon")  # fields that registrations have only if they say something
BEACON = re.compile(r"[1-9][0-9]{0,18}:[0-9a-f]{96}|")
KINDS_OF_RUNS = sorted({*get_args(Kind)} - {"called", "given"})  # what another process finds again by its name


def hashes(kind: str, what: str) -> dict[str, str]:
    """Return the SHA-256 of each file that is named by what is tested, as far as it can be read.

    With a function also those of the modules of its own folder that its import statements name, and theirs.
    """
    if kind == "program":
        words = _words(what)
        return _hashes([*filter(None, map(shutil.which, words[:1])), *words])
    if kind == "function":
        return _hashes(_source_files(what.rpartition(":")[0]))
    return _hashes([what] if kind != "known" else [])


def _hashes(words: Iterable[str]) -> dict[str, str]:
    sha256s = {}
    for word in words:
        with suppress(OSError):  # the file may be executable without being readable
            if os.path.isfile(word):  # noqa: PTH113 - Path raises where a word cannot be a name
                with Path(word).open("rb") as content:
                    sha256s[word] = hashlib.file_digest(content, "sha256").hexdigest()
    return sha256s


def _source_files(place: str) -> set[str]:
    """Return the file of a module and those that it imports of its own folder; of an installed one only its own."""
    top, *inner = place.split(".")
    is_file = place.endswith(".py")
    with suppress(Exception), warnings.catch_warnings():  # what is wrong in the code is told when it is called
        warnings.simplefilter("ignore")
        if not (is_file or Path(top).is_dir() or Path(f"{top}.py").is_file()):
            spec = find_spec(top)  # which runs none of it
            at = Path(spec.origin if spec and spec.origin else "").parent.joinpath(*inner)
            return {f"{at}.py", f"{at}/__init__.py"} if inner else {str(spec.origin) if spec else ""}
        folder = os.path.dirname(place) if is_file else ""  # noqa: PTH120 - Path makes "." of no folder
        finder = ModuleFinder([folder])
        with suppress(Exception):
            (finder.run_script if is_file else finder.import_hook)(place)
        modules: dict[str, Any] = finder.modules
        files = (each.__file__ for name, each in modules.items() if name != "__main__" and each.__file__)
        return {place, *(os.path.join(folder, os.path.relpath(file, folder or ".")) for file in files)}  # noqa: PTH118
    return {place}


def _words(command: str) -> list[str]:
    """Return the words of a command, as far as they can be split; the shell may split it in another way."""
    try:
        return parted(command)
    except ValueError:  # a quote in a comment
        return command.split()


@cache
def hash_of_code(*, whole: bool = False) -> str:
    """Return a hash of the source text of fairdeck, but for what only shows or tells: equal hashes, equal counts.

    `whole`: of everything that is installed with it.
    """
    digest = hashlib.sha256()
    for name, file in sorted(_sources(resources.files("fairdeck")), key=itemgetter(0)):
        asks = name.startswith(STANDARDS) or (name.endswith(".py") and not name.endswith(TELLING))
        if whole or (asks and not name.startswith(SHOWING)):
            digest.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _sources(folder: Traversable, path: str = "") -> Iterator[tuple[str, Traversable]]:
    """Yield the files in a folder and below it, but for compiled ones, each with its path from there."""
    for file in folder.iterdir():
        if file.is_dir() and file.name != "__pycache__":
            yield from _sources(file, f"{path}{file.name}/")
        elif file.is_file():
            yield path + file.name, file


@dataclass(frozen=True)
class Registration:
    """A run, as it is registered."""

    inquiry: Inquiry  # which shuffle is tested, and how
    files: Mapping[str, str] = field(default_factory=dict)  # the SHA-256 of each file that is tested
    kernels: bool = field(default_factory=available)  # whether kernels make and count the decks
    version: str = __version__  # of fairdeck
    code: str = field(default_factory=hash_of_code)  # a hash of the code that makes, counts and judges

    def __post_init__(self) -> None:
        if not (self.inquiry.endless or self.inquiry.seen):  # whole decks that exist need no seed
            object.__setattr__(self, "inquiry", replace(self.inquiry, seed=None))

    @classmethod
    def of(cls, inquiry: Inquiry) -> "Registration":
        """Return the registration of a run that begins now; a FairdeckError if what is tested cannot be read again."""
        if inquiry.kind not in KINDS_OF_RUNS:
            what = "function" if inquiry.kind == "called" else inquiry.what.removeprefix("the ")
            raise FairdeckError(
                f"a {what} of this process cannot be found again after it: for a store name a known shuffle, "
                "package.module:function, file.py:function, a program or a file"
            )
        if inquiry.kind == "file" and not is_file(inquiry.what):
            raise FairdeckError(
                f"{inquiry.what} cannot be read twice, so a run of it cannot be stored: use fairdeck monitor"
            )
        return cls(inquiry, hashes(inquiry.kind, inquiry.what))

    @property
    def text(self) -> str:
        """The registration as one line of JSON, the same for equal registrations."""
        row = _row(self.inquiry) | {name: getattr(self, name) for name in OF_REGISTRATION}
        return json.dumps({"format": FORMAT, **row}, sort_keys=True, separators=(",", ":"), allow_nan=False)

    @property
    def digest(self) -> str:
        """What can be announced: the SHA-256 of `text`, as hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def asks_the_same(self, other: "Registration") -> bool:
        """Tell whether another run differs in its seed at most, or in the version of fairdeck."""
        mine, theirs = (replace(each.inquiry, seed=None, beacon="") for each in (self, other))
        return mine == theirs and self.files == other.files

    def check_code(self) -> None:
        """Raise a FairdeckError unless this installation counts and judges as the one that registered the run.

        If the code, or whether it has kernels, differs, other decks or other counts could follow.
        """
        if self.code != hash_of_code():
            raise FairdeckError(
                f"the run was begun by other code (fairdeck {self.version}, {self.code[:12]}; this is {__version__}, "
                f"{hash_of_code()[:12]}), which may count differently: use that version, or begin a new run"
            )
        self.check_kernels()

    def check_kernels(self) -> None:
        """Raise a FairdeckError if this installation has kernels and the run had none, or the other way round."""
        if self.kernels != available():
            raise FairdeckError(
                f"the run was begun {'with' if self.kernels else 'without'} numba, which makes other decks: "
                f"{'install numba' if self.kernels else 'leave numba out'}, or begin a new run"
            )


OF_REGISTRATION = tuple(each.name for each in fields(Registration) if each.name != "inquiry")


def _row(inquiry: Inquiry) -> dict[str, Any]:
    """Return the fields of an inquiry as JSON has them: the seed as hexadecimal digits, the standard by its name."""
    seed = "" if inquiry.seed is None else f"{inquiry.seed:x}"
    row = {each.name: getattr(inquiry, each.name) for each in fields(Inquiry)}
    row = {name: value for name, value in row.items() if value or name not in LATER}
    return row | {"seed": seed, "standard": inquiry.standard.name if inquiry.standard else ""}


def read(text: str) -> Registration:
    """Return the registration that has this text, or raise a FairdeckError."""
    try:
        row: dict[str, Any] = json.loads(text)
        if row.pop("format") != FORMAT:
            raise ValueError("another format")
        kinds = get_type_hints(Inquiry) | get_type_hints(Registration) | {"seed": str, "standard": str}
        del kinds["inquiry"]
        row = records.fields_from_json(kinds, dict.fromkeys(LATER, "") | row)
        besides = {name: row.pop(name) for name in OF_REGISTRATION}
        _check(row)
        row["seed"] = int(row["seed"], 16) if row["seed"] else None
        row["standard"] = standards.find(row["standard"]) if row["standard"] else None
        registered = Registration(Inquiry(**row), **besides)
        # What has a name twice, or is a number in other words, would have one digest and two texts.
        if registered.text != text:
            raise ValueError("written in another way")
        return registered
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise FairdeckError(f"this is not the registration of a run ({error}); it may be of a newer fairdeck") from None


def _check(row: Mapping[str, Any]) -> None:
    """Raise a ValueError if no run can have been registered so."""
    numbers.whole("decks", row["decks"], 1, MOST_DECKS)
    numbers.alpha(row["alpha"])
    if row["seed"] and row["seed"] != f"{seed_number(row['seed']):x}":
        raise ValueError(f"seed: {row['seed']!r}")
    if row["kind"] not in KINDS_OF_RUNS:
        raise ValueError(f"kind: {row['kind']!r}")
    if not BEACON.fullmatch(row["beacon"]):
        raise ValueError(f"beacon: {row['beacon'][:80]!r}")
    if row["kind"] == "known" and not (row["seed"] and row["announced"]):
        raise ValueError("a known shuffle without a seed, or without a number of decks that was announced")
