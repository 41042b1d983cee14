"""A list of recorded voices, as people type it and as the config file has it."""

from fairdeck.errors import FairdeckError, nearest_or_all
from fairdeck.page import LANGUAGES


def read_voices(text: str) -> tuple[str, ...]:
    """Read ``en,de`` or ``none``.

    >>> read_voices("en, de"), read_voices("none")
    (('en', 'de'), ())
    """
    voices = tuple(dict.fromkeys(voice.strip() for voice in text.split(",")))
    if voices == ("none",):
        return ()
    for voice in voices:
        if voice not in LANGUAGES:
            raise FairdeckError(f"voice {voice!r} is not known{nearest_or_all(voice, [*LANGUAGES, 'none'])}")
    return voices
