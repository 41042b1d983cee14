"""Readers of the lab: files of decks, numbers in bytes, lines of a live log, registrations and tallies."""

from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from fairdeck.cli.voice_list import read_voices
from fairdeck.errors import FairdeckError
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.runs import registration, tallies
from fairdeck.lab.runs.cluster import checked
from fairdeck.lab.sources.binary import BinaryDecoder
from fairdeck.lab.sources.file import open_file, order_of
from fairdeck.lab.sources.program import understood
from fairdeck.lab.sources.simulated import NumberedBlock
from fairdeck.lab.sources.text import NumberReading, WordReading
from fairdeck.lab.watching.deck_lines import DeckLines
from fairdeck.lab.watching.live_log import LiveLog
from tests.fuzz.choices import Choices, text
from tests.fuzz.readers import demand, reader

WORKED_IN = Path("/dev/shm")
MUCH = 1 << 17  # bytes: from here on other code reads


@cache
def folder() -> Path:
    """Return a folder that this process may use, in memory if possible."""
    return Path(mkdtemp(prefix="fairdeck-fuzz-", dir=WORKED_IN if WORKED_IN.is_dir() else None))


DECK_WORDS = (
    "\ufeff",
    "[[",
    "]]",
    "],[",
    '"',
    "0 1 2 3\n",
    "AS KS AD KD\n",
    "\t",
    "\xa0",
    "\0",
    "1.0",
    "\x93NUMPY\x01\0",
    "'descr': '<i8'",
)


@reader("decks", words=DECK_WORDS)
def decks(data: bytes) -> None:
    """Files of decks: text, CSV, JSON, npy."""
    choices = Choices(data)
    cards, order = choices.pick((None, None, 4, 52)), choices.pick((None, None, None, "AS KS AD KD"))
    content = b"" if choices.pick((False, False, False, True)) else choices.rest()
    if not content:  # as many lines as a large file has
        head, _, body = choices.rest().partition(b"\n")
        content = head + b"\n" + body * (MUCH // max(1, len(body)))
    path = folder() / "decks"
    path.write_bytes(content)
    with closing(open_file(str(path), cards, order=order)) as source:
        for block in source.blocks([100, 1_000, 100_000]):
            demand(block.decks.shape[1] == source.cards, block.decks.shape)


@reader("numbers", words=("\0\x01\x02", "\xff\xff"))
def numbers(data: bytes) -> None:
    """Decks as bytes, from a program."""
    choices = Choices(data)
    decoder = BinaryDecoder(
        "it", choices.between(1, 9), choices.pick(("u1", "<u2", "<u4", "<i8")), first=choices.pick((0, 1, None))
    )
    while not choices.ended:
        for batch in decoder.decode(choices.take(choices.between(1, 64))):
            demand(batch.shape[1] == decoder.cards, batch.shape)


@reader("log-lines", words=("0 1 2 3\n", "3,2,1,0\n", "AS KS AD KD\n", "\ufeff", "\0", "no\n"))
def log_lines(data: bytes) -> None:
    """Lines of a live log."""
    choices = Choices(data)
    reading = choices.pick((NumberReading(), NumberReading(first=1), WordReading(order_of("AS KS AD KD"))))
    lines = DeckLines("log", 4, reading, "write decks", header=choices.pick((b"", b"deck\n")))
    begins, seen = True, 0
    while not choices.ended:
        piece = choices.take(choices.between(1, 200)) + b"\n"
        seen += sum(len(found) for found in lines.read(piece, begins))
        begins = choices.pick((False, False, False, True))
    demand(seen == lines.decks, "decks that were not counted")


class Written:
    """A live log, what was written into it, and what was read of it."""

    def __init__(self) -> None:
        self.path, self.old = folder() / "live.log", folder() / "live.log.1"
        for each in folder().glob("live.log*"):
            each.unlink()
        self.log = LiveLog(str(self.path))
        self.told = self.heard = b""

    def write(self, choices: Choices) -> None:
        """Add some bytes."""
        written = choices.take(choices.below(40))
        self.told += written
        with self.path.open("ab") as file:
            file.write(written)

    def read(self, _choices: Choices) -> None:
        """Read what is new."""
        self.heard += b"".join(piece for piece, _ in self.log.pieces())

    def read_on(self, _choices: Choices) -> None:
        """Close it, and read on as another process would."""
        self.log.close()
        self.log = LiveLog(str(self.path), **self.log.state())

    def rename(self, _choices: Choices) -> None:
        """Rotate it."""
        if self.path.exists():
            self.path.replace(self.old)

    def copy(self, _choices: Choices) -> None:
        """Rotate it by a copy."""
        if self.path.exists():
            self.old.write_bytes(self.path.read_bytes())
            self.path.write_bytes(b"")

    def replace(self, choices: Choices) -> None:
        """Write something else."""
        self.path.write_bytes(choices.take(choices.below(40)))

    def remove(self, _choices: Choices) -> None:
        """Take it away."""
        self.path.unlink(missing_ok=True)


PLAIN = (Written.write, Written.read, Written.read_on)
DONE = (Written.write, Written.read, Written.rename, Written.copy, Written.replace, Written.read_on, Written.remove)


@reader("live-log", words=("\0\x05line\n", "\x02", "\x03", "\x04", "\x05", "\x06"))
def live_log(data: bytes) -> None:
    """Live logs that are written, rotated, truncated, copied and read."""
    choices, live, plain = Choices(data), Written(), True
    for _ in range(30):
        if choices.ended:
            break
        act = choices.pick(DONE)
        act(live, choices)
        plain &= act in PLAIN
    live.read(choices)
    live.log.close()
    whole = live.told[: live.told.rfind(b"\n") + 1]
    demand(not plain or live.heard == whole, f"{live.told!r} was read as {live.heard!r}")


@reader("registration", is_json=True, words=("fairdeck-run/1", "known", "fisher-yates", "sorted", "scrambled", "1e-06"))
def registered(data: bytes) -> None:
    """Registrations of runs."""
    found = registration.read(text(data))
    demand(found.text == text(data), "a registration with two texts")
    demand(len(found.battery.members) > 0, "a run that asks nothing")


@reader("address", words=("local:", "tcp://", "tls://", "en,de", "none", "'", "\\", "|", "9" * 5_000))
def address(data: bytes) -> None:
    """Addresses of clusters, commands of programs, lists of voices."""
    given = text(data)
    for read in (checked, understood):
        with suppress(FairdeckError):
            read(given)
    read_voices(given)


@cache
def tallied() -> tuple[Battery, bytes]:
    """Return a battery, and a tally as it is stored."""
    battery = Battery(5, 1, frozenset(("descents", "repeats")))
    block = NumberedBlock("fisher-yates", 5, 1, 0, 200)
    return battery, tallies.packed(battery, battery.tally_all([block]))


@reader("tally", words=('"decks":', '"seen":', '"members":', "[-1]", "[1000000,1000000]", "NaN"))
def tally(data: bytes) -> None:
    """Tallies, as they are stored: packed, and before they are packed."""
    import zlib

    choices = Choices(data)
    battery, _ = tallied()
    found = tallies.unpacked(battery, choices.rest() if choices.pick((False, True)) else zlib.compress(choices.rest()))
    again = tallies.unpacked(battery, tallies.packed(battery, found))
    demand(tallies.digest(battery, again) == tallies.digest(battery, found), "a tally that was stored is another one")
