"""`--voices`: the recorded voices in a page."""

from argparse import Namespace, _ActionsContainer

from fairdeck.cli.config_file import chosen
from fairdeck.errors import FairdeckError
from fairdeck.page import LANGUAGES
from fairdeck.parsing import nearest_or_all


def voices_argument(parser: _ActionsContainer, default: str) -> None:
    """Declare --voices."""
    parser.add_argument(
        "--voices",
        metavar="LIST",
        help=f"recorded voices to include, about 65 KB each: {','.join(LANGUAGES)}, or none (default: {default})",
    )


def voices_from(args: Namespace) -> tuple[str, ...]:
    """Return the voices asked for: those named, or those in the config file, or English."""
    return read_voices(chosen(args.voices, "voices", "en"))


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
