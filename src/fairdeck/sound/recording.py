"""Sound files of timelines: mixed and written piece by piece, and put in place only when they are complete.

Each recording as a whole is brought to the loudness `TARGET` of `loudness`, whatever the tempo and the language.
The same timeline and the same versions of the tools make the same bytes. Chapters are written into
ogg files as comments (``CHAPTER001=00:00:00.000`` and ``CHAPTER001NAME``, as in Vorbis) and into mp3 files as
an ID3 tag (id3.org, "ID3v2 Chapter Frame Addendum"). soundfile can write neither, and wav files have no chapters.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from pathlib import Path
from shutil import copyfileobj
from tempfile import NamedTemporaryFile, TemporaryDirectory, TemporaryFile
from typing import IO, TYPE_CHECKING

from fairdeck.errors import FairdeckError
from fairdeck.sound import RATE, SERIAL
from fairdeck.sound.ogg import pages, stamped, with_comments
from fairdeck.sound.timeline import FASTEST_SPEECH, Sound, Timeline, Utterance

if TYPE_CHECKING:
    from fairdeck.sound import Samples

    Sounding = Callable[[Utterance], Samples]

PIECE = 10 * RATE  # samples; one very long write crashes libsndfile
COPIED = 1 << 20  # bytes at once


@dataclass(frozen=True, slots=True)
class Encoding:
    """A kind of sound file: its names in soundfile, and the function that finishes what soundfile wrote."""

    format: str
    subtype: str
    finish: Callable[[IO[bytes], IO[bytes], Timeline], None]
    options: dict[str, object] = field(default_factory=dict)


def write(files: Sequence[tuple[Path, Timeline]], sounding: "Sounding", told: Callable[[float], None]) -> None:
    """Write each timeline into its file: all of them or none. Only the owner can read the files.

    Args:
        files: the file of each timeline; its suffix is in `ENCODINGS`. A link stays, and the file it names is written.
        sounding: returns the samples of an utterance.
        told: is called from time to time with the seconds of sound written so far.
    """
    from fairdeck.sound.loudness import levelled

    place = files[0][0]
    before, raws, made = 0.0, [], []
    try:
        with ExitStack() as leaving:
            for place, timeline in files:
                # A file without a name, because it reveals the deck: if the program is killed, it disappears.
                raw = leaving.enter_context(TemporaryFile(dir=place.resolve().parent))
                pieces = levelled(partial(mixed, timeline, sounding))
                for written in _encoded(raw, ENCODINGS[place.suffix.lower()], pieces):
                    told(before + written)
                before += timeline.seconds
                raws.append(raw)
            for raw, (place, timeline) in zip(raws, files, strict=True):
                real = place.resolve()
                # In the same folder, because a file can be replaced in one step only within a file system.
                with raw, NamedTemporaryFile(dir=real.parent, prefix=".fairdeck-", delete=False) as beside:
                    leaving.callback(Path(beside.name).unlink, missing_ok=True)
                    raw.seek(0)
                    ENCODINGS[place.suffix.lower()].finish(raw, beside, timeline)
                made.append((Path(beside.name), real))
            for new, place in made:
                new.replace(place)
    except OSError as error:
        raise FairdeckError(_refusal(place, error)) from None


def demand_kind(name: str) -> None:
    """Raise a FairdeckError unless `name` names a sound file."""
    if not name:
        raise FairdeckError("the sound file has an empty name: write one, such as deal.ogg")
    if Path(name).name.lower() in ENCODINGS:
        raise FairdeckError(f"{name!r} has nothing before the suffix: name the file, such as deal{Path(name).name}")
    if Path(name).suffix.lower() not in ENCODINGS:
        raise FairdeckError(
            f"{name!r} must end in {', '.join(list(ENCODINGS)[:-1])} or {list(ENCODINGS)[-1]}: rename it"
        )


def demand_place(path: Path) -> None:
    """Raise a FairdeckError unless a sound file can be written at `path`; write nothing."""
    demand_kind(str(path))
    try:
        real = path.resolve()
        if real.is_dir():
            raise IsADirectoryError(None, "Is a directory")
        if real.exists() and not real.is_file():
            raise OSError(None, "Not a regular file")  # a device must never be replaced by a file
        with TemporaryDirectory(prefix=".fairdeck-", dir=real.parent) as folder:
            Path(folder, real.name).touch()  # the name itself can be wrong too
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: a link to itself, before Python 3.13
        raise FairdeckError(_refusal(path, error)) from None


def mixed(timeline: Timeline, sounding: "Sounding") -> "Iterator[Samples]":
    """Yield the samples of a timeline, `PIECE` at a time."""
    import numpy as np

    waiting = deque(timeline.sounds)
    total = ceil(timeline.seconds * RATE)
    late = np.zeros(0)  # the end of sounds that began in the piece before
    for start in range(0, total, PIECE):
        piece = np.zeros(max(PIECE, len(late)))
        piece[: len(late)] = late
        while waiting and round(waiting[0].at * RATE) < start + PIECE:
            sound = waiting.popleft()
            heard, at = fitted(sound, sounding(sound.said)), round(sound.at * RATE) - start
            piece = np.pad(piece, (0, max(0, at + len(heard) - len(piece))))
            piece[at : at + len(heard)] += heard
        yield piece[: min(PIECE, total - start)]
        late = piece[PIECE:]


def fitted(sound: Sound, samples: "Samples") -> "Samples":
    """Return the samples, played faster where they exceed the limit, but at most `FASTEST_SPEECH` times as fast."""
    import numpy as np

    rate = min(FASTEST_SPEECH, len(samples) / (sound.limit * RATE))
    if rate <= 1:
        return samples
    # Linear interpolation is enough: espeak-ng speaks up to 11,025 Hz, less than a quarter of `RATE`.
    made: Samples = np.interp(np.arange(0, len(samples) - 1, rate), np.arange(len(samples)), samples)
    return made


def _encoded(raw: IO[bytes], encoding: Encoding, pieces: "Iterator[Samples]") -> Iterator[float]:
    """Write the pieces, and yield after each how many seconds are written."""
    import soundfile

    options = {"format": encoding.format, "subtype": encoding.subtype, **encoding.options}
    written = 0
    try:
        with soundfile.SoundFile(raw.fileno(), "w", RATE, channels=1, closefd=False, **options) as writer:
            for piece in pieces:
                writer.write(piece)
                written += len(piece)
                yield written / RATE
    except (soundfile.SoundFileError, AssertionError):  # soundfile asserts that all was written
        raise OSError(None, "writing stopped: is the disk full?") from None


def _finish_wav(raw: IO[bytes], made: IO[bytes], _timeline: Timeline) -> None:
    copyfileobj(raw, made, COPIED)


def _finish_ogg(raw: IO[bytes], made: IO[bytes], timeline: Timeline) -> None:
    for number, page in enumerate(pages(raw)):
        made.write(stamped(with_comments(page, _comments(timeline)) if number == 1 else page, SERIAL))


def _comments(timeline: Timeline) -> list[str]:
    comments = []
    for number, (at, title) in enumerate(timeline.chapters, 1):
        minutes, milliseconds = divmod(round(at * 1000), 60_000)
        time = f"{minutes // 60:02}:{minutes % 60:02}:{milliseconds / 1000:06.3f}"
        comments += [f"CHAPTER{number:03}={time}", f"CHAPTER{number:03}NAME={title}"]
    return comments


def _finish_mp3(raw: IO[bytes], made: IO[bytes], timeline: Timeline) -> None:
    made.write(_id3(timeline))
    copyfileobj(raw, made, COPIED)


def _id3(timeline: Timeline) -> bytes:
    """Return an ID3 tag of version 2.4 with the chapters, each up to the beginning of the next."""
    chapters = timeline.chapters
    names = [f"c{number}".encode() + b"\0" for number in range(len(chapters))]
    contents = _frame(b"CTOC", b"toc\0\3" + bytes([len(names)]) + b"".join(names))
    ends = [at for at, _ in chapters[1:]] + [timeline.seconds]
    for name, (at, title), end in zip(names, chapters, ends, strict=True):
        times = b"".join(round(second * 1000).to_bytes(4, "big") for second in (at, end))
        contents += _frame(b"CHAP", name + times + b"\xff" * 8 + _frame(b"TIT2", b"\3" + title.encode() + b"\0"))
    return b"ID3\4\0\0" + _seven_bits(len(contents)) + contents


def _frame(name: bytes, body: bytes) -> bytes:
    return name + _seven_bits(len(body)) + b"\0\0" + body


def _seven_bits(size: int) -> bytes:
    """Return a size as ID3 writes it: four bytes of seven bits each."""
    return bytes(size >> shift & 0x7F for shift in (21, 14, 7, 0))


def _refusal(path: Path, error: Exception) -> str:
    return f"cannot write {str(path)!r} ({getattr(error, 'strerror', None) or error}): name another file"


# The smallest rates with a clear voice, about 18 and 64 kbit/s. Below, an mp3 has no header frame that tells players
# where the sound begins, and all sounds are 23 ms late.
ENCODINGS = {
    ".wav": Encoding("WAV", "PCM_16", _finish_wav),
    ".ogg": Encoding("OGG", "OPUS", _finish_ogg, {"compression_level": 0.94}),
    ".mp3": Encoding("MP3", "MPEG_LAYER_III", _finish_mp3, {"compression_level": 0.87, "bitrate_mode": "CONSTANT"}),
}
