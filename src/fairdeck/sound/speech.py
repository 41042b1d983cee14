"""One voice for a whole deal: the page's recorded labels where they exist, espeak-ng for all else."""

import json
import re
from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING

from fairdeck.errors import FairdeckError
from fairdeck.page.document import PARTS
from fairdeck.sound import MS, NUMBERS, RATE, brief, demand_voice, sentence
from fairdeck.sound.timeline import Click, Label, Utterance

if TYPE_CHECKING:
    from fairdeck.sound import Samples

# As the page splits them: a letter and a number, or a number.
PARTED = re.compile(r"([A-Z])([0-9]+)|([0-9]+)")
UNHEARD = str.maketrans("", "", " .,")  # in a number
PITCH, PITCH_AGAIN = 1100, 1760  # hertz, as on the page
LOUDEST, SOFTEST = 0.15, 0.0006  # half of the page's: a louder click over the voice would be clipped
FADING, OVER = 0.04, 0.05  # seconds: from loudest to softest, and to the end


class Speaker:
    """A voice that remembers what it has said.

    Raises:
        MissingTool: espeak-ng, numpy or soundfile is not installed, or espeak-ng does not speak.
    """

    def __init__(self, language: str) -> None:
        demand_voice(language)
        self._language = language
        self._clips = recorded(language)
        self._said: dict[Utterance, Samples] = {}

    def samples(self, said: Utterance) -> "Samples":
        """Return the sound of an utterance: `RATE` samples a second, each from -1 to 1."""
        if said not in self._said:
            self._said[said] = self._sounding(said)
        return self._said[said]

    def length(self, said: Utterance) -> float:
        """Return how many seconds the utterance takes."""
        return len(self.samples(said)) / RATE

    def demand_distinct(self, labels: Sequence[str]) -> None:
        """Raise a FairdeckError if a label sounds exactly like another one, or like a number.

        Spoken numbers are counts: the count-in, the cards dealt, the heights of piles.
        """
        for label in labels:
            if label.translate(UNHEARD).isnumeric():
                raise FairdeckError(
                    f"label {label!r} is a number, and spoken numbers are counts: begin with a letter, such as A1"
                )
        if all(map(self._recorded, labels)):
            return  # each is a letter and a number, so they differ
        # All labels are compared as espeak-ng speaks them: a1 has no recorded clip, but sounds like A1.
        taken = {self._fingerprint(number): number for number in NUMBERS}
        for label in labels:
            other = taken.setdefault(self._fingerprint(label), label)
            if other != label:
                kind = "the number" if other in NUMBERS else "label"
                raise FairdeckError(f"label {label!r} sounds the same as {kind} {other!r}: rename it")

    def _fingerprint(self, label: str) -> bytes:
        heard = brief(self._language, label) if self._recorded(label) else self.samples(Label(label))
        return sha256(heard.tobytes()).digest()

    def _recorded(self, label: str) -> list[str]:
        """Return the recorded words that make up the label; empty if espeak-ng must speak it."""
        parts = PARTED.fullmatch(label)
        words = [word for word in parts.groups() if word] if parts else []
        return words if all(word in self._clips for word in words) else []

    def _sounding(self, said: Utterance) -> "Samples":
        if isinstance(said, Click):
            return click(PITCH_AGAIN if said.again else PITCH)
        if not isinstance(said, Label):
            return sentence(self._language, said.text)
        words = self._recorded(said.text)
        if not words:
            return brief(self._language, said.text)
        import numpy as np

        return np.concatenate([self._clips[word] for word in words])


def recorded(language: str) -> dict[str, "Samples"]:
    """Return the clips of the page's voice in a language, by their words."""
    import soundfile

    track, _ = soundfile.read(BytesIO((PARTS / "voices" / f"{language}.ogg").read_bytes()))
    table: dict[str, tuple[int, int]] = json.loads((PARTS / "voices" / f"{language}.json").read_text("utf-8"))
    return {word: track[start * MS : end * MS] for word, (start, end) in table.items()}


def click(pitch: int) -> "Samples":
    """Return the page's click: a tone that fades away."""
    import numpy as np

    seconds = np.arange(round(OVER * RATE)) / RATE
    loudness = LOUDEST * (SOFTEST / LOUDEST) ** np.minimum(seconds / FADING, 1)
    made: Samples = loudness * np.sin(2 * np.pi * pitch * seconds)
    return made
