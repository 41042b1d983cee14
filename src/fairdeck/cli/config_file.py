"""The config file: what a person would otherwise type again and again. TOML, a key and a text on each line.

    mat = "3x2"
    paper = "Letter"

The file is ``config.toml`` in the folder of settings, or the one that ``FAIRDECK_CONFIG`` names. What the command line
says counts more. A file with a fault stops the commands that ask for a setting, with one line that names the place and
the remedy; it never stops the commands that show or mend it.
"""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairdeck.cli.files import configured, decoded
from fairdeck.errors import FairdeckError, nearest

VARIABLE = "FAIRDECK_CONFIG"
NAME = "config.toml"
KEPT = ("pace.json", "hands.json", "store.key")  # in the folder of settings
MOST_TEXT = 100_000  # bytes
LINE = re.compile(r"""\s*(?P<quote>["']?)(?P<key>[\w-]+)(?P=quote)\s*=\s*("[^"]*"|'[^']*'|[^#]*?)\s*(?P<note>#.*)?""")
TABLE = re.compile(r"""\s*\[+\s*["']?([\w-]*)""")


@dataclass(frozen=True, slots=True)
class Setting:
    """A key of the file.

    Attributes:
        usual: what counts without it, in words.
        read: returns a value as it is to be written, or raises a FairdeckError.
    """

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


def _voices(text: str) -> str:
    from fairdeck.cli.voice_list import read_voices

    return ",".join(read_voices(text)) or "none"


def _pace(text: str) -> str:
    if not text or "\0" in text:
        raise FairdeckError(
            f"pace {text!r} is not the name of a file: name the file that fairdeck pace --measure writes"
        )
    return text


SETTINGS = {
    "mat": Setting("5x2", _mat),
    "paper": Setting("A4", _paper),
    "language": Setting("en", _language),
    "voices": Setting("en", _voices),
    "pace": Setting("pace.json", _pace),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A value in the file, as it counts, and its line, from 1."""

    value: str
    line: int


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """What a file holds.

    Attributes:
        path: of the file; None if the account has no home folder.
        text: all of it; None if there is no such file, or it cannot be read.
        entries: the settings in it that hold.
        faults: a line for each thing that does not hold, with its remedy.
    """

    path: Path | None
    text: str | None
    entries: dict[str, Entry]
    faults: tuple[str, ...]


def config_path() -> Path | None:
    """Return the path of the file; it need not exist. None if the account has no home folder."""
    told = os.environ.get(VARIABLE)
    return Path(told) if told else configured(NAME)


def setting(name: str) -> str | None:
    """Return the value of a setting in the config file; None if the file does not say it.

    Raises:
        FairdeckError: something in the file does not hold; one line names the place and the remedy.
    """
    found = config()
    if found.faults:
        raise FairdeckError(found.faults[0])
    entry = found.entries.get(name)
    return entry.value if entry else None


def chosen(given: str | None, name: str, usual: str) -> str:
    """Return what the command line gives, or else the setting in the config file, or else what is usual.

    Raises:
        FairdeckError: the file is asked, and something in it does not hold.
    """
    return given if given is not None else setting(name) or usual


def pace_file() -> Path | None:
    """Return the file of the pace that the config file names, if it names one; a relative name is taken from there."""
    named = setting("pace")
    return named_from(config_path(), named) if named else None


def settings_files() -> list[Path]:
    """Return the files that commands read without being asked to: the config file, the pace and the kept riffle."""
    found = [config_path(), *map(configured, KEPT)]
    with suppress(FairdeckError):  # a fault in the settings is told where they are asked for
        found.append(pace_file())
    return [path for path in found if path]


def named_from(config: Path | None, name: str) -> Path:
    """Return the file of this name in the config file."""
    told = Path(os.path.expanduser(name))  # noqa: PTH111 - unlike Path, it never fails
    return config.parent / told if config else told


def config() -> ConfigFile:
    """Read the config file; faults are told and not raised."""
    path = config_path()
    if path is None:
        return ConfigFile(None, None, {}, ())
    try:
        with path.open("rb") as file:
            data = file.read(MOST_TEXT + 1)
    except FileNotFoundError:
        return ConfigFile(path, None, {}, ())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        return ConfigFile(
            path, None, {}, (f"cannot read {str(path)!r} ({reason}): mend that, or name another file with {VARIABLE}",)
        )
    if len(data) > MOST_TEXT:
        return ConfigFile(path, None, {}, (f"{path} has more than {MOST_TEXT:,} bytes: delete what is not a setting",))
    try:
        text = decoded(data)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return ConfigFile(path, None, {}, (f"{path}, line {line}: is not UTF-8 text: save the file as UTF-8",))
    return _parsed(path, text)


def _parsed(path: Path, text: str) -> ConfigFile:
    try:
        values = _toml(text)
    except ValueError as error:
        return ConfigFile(path, text, {}, (_broken(path, text, error),))
    entries: dict[str, Entry] = {}
    faults = []
    lines = _lines_of(text)
    for name, value in values.items():
        line = lines.get(name, 0)
        try:
            entries[name] = Entry(_checked(name, value), line)
        except FairdeckError as error:
            place = f"{path}, line {line}" if line else str(path)
            faults.append(f"{place}: {error}; or remove it: fairdeck config --unset {name}")
    return ConfigFile(path, text, entries, tuple(faults))


def _toml(text: str) -> dict[str, Any]:
    import tomllib  # most people have no config file: they need not wait for it

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("lists or tables are nested too deeply") from None


def _checked(name: str, value: object) -> str:
    """Return a value as it counts, or raise a FairdeckError."""
    if name not in SETTINGS:
        raise FairdeckError(f"there is no setting {name!r}{nearest(name, SETTINGS) or f' (known: {known()})'}")
    if not isinstance(value, str):
        raise FairdeckError(f'{name} is not a text: write it in quotes, such as {name} = "{SETTINGS[name].usual}"')
    return SETTINGS[name].read(value)


def known() -> str:
    """Return the names of all settings, for messages."""
    return ", ".join(SETTINGS)


def _broken(path: Path, text: str, error: ValueError) -> str:
    found = re.search(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", str(error))
    number = int(found[2]) if found and found[2] else max(1, len(text.splitlines()))
    line = text.splitlines()[number - 1].strip() if text.splitlines() else ""
    reason = found[1] if found else str(error)
    return f'{path}, line {number}: {line!r} is not TOML ({reason}): write each setting as in mat = "5x2"'


def _lines_of(text: str) -> dict[str, int]:
    """Return the line of each name before the first table, and of each table, from 1."""
    found: dict[str, int] = {}
    in_table = False
    for number, line in enumerate(text.splitlines(), 1):
        if table := TABLE.match(line):
            in_table = True
            found.setdefault(table[1], number)
        elif not in_table and (match := LINE.fullmatch(line)):
            found.setdefault(match["key"], number)
    return found


def changed(text: str, name: str, value: str | None) -> str | None:
    r"""Return the text of a file with a setting changed, all other lines and the comments as they were.

    Args:
        text: of the file.
        name: of the setting, or another name in the file.
        value: the new value; None removes the name.

    Returns:
        The new text; None if the file is written in a way that this cannot change: a value over several lines, a table.

    >>> print(changed('# mine\nmat = "5x2"  # felt\n', "mat", "3x2"), end="")
    # mine
    mat = "3x2"  # felt
    """
    wanted = {key: each for key, each in _toml(text).items() if key != name}
    lines = text.splitlines(keepends=True)
    end = "\r\n" if "\r\n" in text else "\n"
    at = _lines_of(text).get(name)
    if at is not None:
        match = LINE.fullmatch(lines[at - 1].rstrip("\r\n"))
        note = match["note"] if match else None
        kept = f"  {note}" if note else ""
        lines[at - 1 : at] = [] if value is None else [f"{name} = {_quoted(value)}{kept}{end}"]
    elif value is not None:
        first = next((number for number, line in enumerate(lines) if TABLE.match(line)), len(lines))
        if first and not lines[first - 1].endswith("\n"):
            lines[first - 1] += end
        lines.insert(first, f"{name} = {_quoted(value)}{end}")
    made = "".join(lines)
    if value is not None:
        wanted[name] = value
    try:
        return made if _toml(made) == wanted else None
    except ValueError:
        return None


def _quoted(value: str) -> str:
    r"""Return a text as TOML writes it; paths of Windows stay as people know them.

    >>> print(_quoted("5x2"), _quoted(r"C:\me\pace.json"))
    "5x2" 'C:\me\pace.json'
    """
    if "\\" in value and "'" not in value and value.isprintable():
        return f"'{value}'"
    from json import dumps

    return dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
