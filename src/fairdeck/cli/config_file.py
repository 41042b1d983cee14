"""The config file: what a person would otherwise type again and again. TOML, a key and a text on each line.

    mat = "3x2"
    paper = "Letter"

The file is ``config.toml`` in the folder of settings, or the one that ``FAIRDECK_CONFIG`` names. A person writes it;
what the command line says counts more. A file with a fault stops the commands that ask for a setting, with one line
that names the file, the setting and the remedy; it never stops the others.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fairdeck.cards.text import decoded
from fairdeck.cli.files import configured
from fairdeck.errors import FairdeckError, nearest_or_all, system_reason

VARIABLE = "FAIRDECK_CONFIG"
NAME = "config.toml"


@dataclass(frozen=True, slots=True)
class Setting:
    """A key of the file: what it says, what counts without it, and what reads its value, or raises a FairdeckError."""

    says: str
    usual: str
    read: Callable[[str], str]


def _mat(text: str) -> str:
    from fairdeck.dealing.mat import Mat

    return str(Mat.parse(text))


def _paper(text: str) -> str:
    from fairdeck.paper.sizes import PAPERS, paper_size

    size = paper_size(text)
    return next(name for name, each in PAPERS.items() if each == size)


def _language(text: str) -> str:
    from fairdeck.words import Words

    Words(text.lower())
    return text.lower()


def read_voices(text: str) -> tuple[str, ...]:
    """Read a list of recorded voices.

    >>> read_voices("en, de"), read_voices("none")
    (('en', 'de'), ())
    """
    from fairdeck.words import LANGUAGES

    voices = tuple(dict.fromkeys(voice.strip() for voice in text.split(",")))
    if voices == ("none",):
        return ()
    for voice in voices:
        if voice not in LANGUAGES:
            raise FairdeckError(f"voice {voice!r} is not known{nearest_or_all(voice, [*LANGUAGES, 'none'])}")
    return voices


def _pace(text: str) -> str:
    if not text:
        raise FairdeckError("pace '' is not the name of a file: name the file with the seconds of your hands")
    return text


SETTINGS: Mapping[str, Setting] = {
    "mat": Setting("the mat of all that deals, plans or prints a deal; alone, fairdeck proposes it", "5x2", _mat),
    "paper": Setting("the paper of all that is printed", "A4", _paper),
    "language": Setting("the language of what is printed", "en", _language),
    "voices": Setting(
        "the recorded voices in pages: de, or en,de, or none", "en", lambda text: ",".join(read_voices(text)) or "none"
    ),
    "pace": Setting("the file with the pace of your hands, beside this one; see fairdeck advise", "pace.json", _pace),
}


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """What a file holds."""

    path: Path | None  # of the file; None if the account has no home folder
    is_there: bool = False  # whether there is such a file
    entries: dict[str, str] = field(default_factory=dict)  # the settings in it that hold, as they count
    faults: tuple[str, ...] = ()  # a line for each thing that does not hold, with its remedy


def config_path() -> Path | None:
    """Return the path of the file; it need not exist. None if the account has no home folder."""
    told = os.environ.get(VARIABLE)
    return Path(told) if told else configured(NAME)


def setting(name: str) -> str | None:
    """Return the value of a setting in the config file, whose lines must all hold; None if the file does not say it."""
    file = config()
    if file.faults:
        raise FairdeckError(file.faults[0])
    return file.entries.get(name)


def chosen(given: str | None, name: str, usual: str) -> str:
    """Return what the command line gives, or else the setting in the config file (see `setting`), or what is usual."""
    return given if given is not None else setting(name) or usual


def pace_file() -> Path | None:
    """Return the file of the pace that the config file names, if it names one; a relative name is taken from there."""
    named, path = setting("pace"), config_path()
    if not named or path is None:
        return None
    return path.parent / os.path.expanduser(named)  # noqa: PTH111 - unlike Path, it never fails


def config() -> ConfigFile:
    """Read the config file; faults are told and not raised."""
    path = config_path()
    if path is None:
        return ConfigFile(None)
    try:
        text = decoded(path.read_bytes())
        import tomllib  # most people have no config file: they need not wait for it

        values = tomllib.loads(text)
    except FileNotFoundError:
        return ConfigFile(path)
    except (OSError, ValueError, RecursionError) as error:
        remedy = 'write lines of UTF-8 text such as mat = "5x2"'
        if isinstance(error, OSError):
            remedy = f"mend that, or name another file with {VARIABLE}"
        fault = f"cannot read {str(path)!r} ({system_reason(error)}): {remedy}"
        return ConfigFile(path, True, faults=(fault,))
    entries, faults = {}, []
    for name, value in values.items():
        try:
            entries[name] = _checked(name, value)
        except FairdeckError as error:
            faults.append(f"{path}: {error}; or remove that line")
    return ConfigFile(path, True, entries, tuple(faults))


def _checked(name: str, value: object) -> str:
    """Return a value as it counts, or raise a FairdeckError."""
    if name not in SETTINGS:
        raise FairdeckError(f"there is no setting {name!r}{nearest_or_all(name, SETTINGS)}")
    if not isinstance(value, str):
        raise FairdeckError(f'{name} is not a text: write it in quotes, such as {name} = "{SETTINGS[name].usual}"')
    return SETTINGS[name].read(value)
