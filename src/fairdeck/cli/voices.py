"""`--voices`: the recorded voices in a page."""

from argparse import Namespace, _ActionsContainer

from fairdeck.cli.config_file import chosen
from fairdeck.cli.voice_list import read_voices
from fairdeck.page import LANGUAGES


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
