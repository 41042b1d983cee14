"""Show or change what you would otherwise type each time: mat, paper, language, voices, pace.

Without arguments it shows each setting, and where it comes from. An option on the command line counts more than a
setting. The settings are lines in a TOML file that you may also edit; its comments stay. The variable FAIRDECK_CONFIG
names another file.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from fairdeck.cli.arguments import nearest
from fairdeck.cli.config_file import (
    NAME,
    SETTINGS,
    ConfigFile,
    changed,
    config,
    known,
    named_from,
)
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.files import configured_surely, make_folder, writable, write
from fairdeck.cli.follow import fitted
from fairdeck.cli.streams import one_line
from fairdeck.cli.terminal import columns
from fairdeck.errors import FairdeckError

FORMAT = "fairdeck-config/1"
USUAL, FILE = "usual", "file"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help=f"a setting: {known()}")
    parser.add_argument("value", metavar="VALUE", nargs="?", help="its new value; without it the setting is shown")
    parser.add_argument("--unset", metavar="NAME", help="remove a setting from the file")
    parser.add_argument("--json", action="store_true", help="the settings as JSON")


def run(args: Namespace) -> int:
    if args.unset is not None and args.name is not None:
        raise FairdeckError(f"--unset {args.unset} and {args.name} are two wishes: give one of them")
    found = config()
    if args.unset is not None:
        _change(found, args.unset, None)
        found = config()
    elif args.name is not None:
        _demand_known(args.name)
        if args.value is not None:
            _change(found, args.name, SETTINGS[args.name].read(args.value))
            found = config()
    _show(found, [args.name] if args.name is not None else list(SETTINGS), as_json=args.json)
    for fault in found.faults:
        print(f"fairdeck: {one_line(fault)}", file=sys.stderr)
    return DOES_NOT_HOLD if found.faults else FINE


def _demand_known(name: str) -> None:
    if name not in SETTINGS:
        raise FairdeckError(f"there is no setting {name!r}{nearest(name, SETTINGS) or f': choose {known()}'}")


def _change(found: ConfigFile, name: str, value: str | None) -> None:
    """Write a setting into the file, or remove it; all or nothing."""
    path = found.path or configured_surely(NAME)
    if found.text is None and found.faults:
        raise FairdeckError(found.faults[0])
    try:
        text = changed(found.text or "", name, value)
    except ValueError:
        raise FairdeckError(found.faults[0]) from None
    if text is None:
        told = f"remove {name}" if value is None else f"write {name} = {json.dumps(value)}"
        raise FairdeckError(f"{path} is written in a way that this command cannot change: {told} there yourself")
    if text == (found.text or ""):
        if value is None:
            _demand_known(name)
            print(f"{path} does not have {name}: nothing to remove", file=sys.stderr)
        return
    make_folder(path.parent)
    write(writable(str(path)), text)
    print(f"wrote {path}", file=sys.stderr)
    if name == "pace" and value is not None and not named_from(path, value).exists():
        print(f"note: there is no {named_from(path, value)} yet: fairdeck pace --measure writes it", file=sys.stderr)


def _show(found: ConfigFile, names: list[str], *, as_json: bool) -> None:
    if as_json:
        told = {name: _told(found, name) for name in names}
        path = None if found.path is None else str(found.path)
        print(json.dumps({"format": FORMAT, "file": path, "settings": told, "faults": found.faults}))
        return
    for line in fitted(list(_lines(found, names)), columns()):
        print(line)


def _told(found: ConfigFile, name: str) -> dict[str, object]:
    entry = found.entries.get(name)
    if entry:
        return {"value": entry.value, "from": FILE, "line": entry.line}
    return {"value": SETTINGS[name].usual, "from": USUAL, "line": None}


def _lines(found: ConfigFile, names: list[str]) -> Iterator[str]:
    values = {name: str(_told(found, name)["value"]) for name in names}
    width = max(map(len, values.values()))
    for name, value in values.items():
        entry = found.entries.get(name)
        yield f"{name:<8}   {value:<{width}}   {f'line {entry.line} of the file' if entry else 'usual'}"
    if len(names) == 1:
        return
    yield ""
    if found.path is None:
        yield "There is no file: this account has no home folder."
        return
    there = "" if found.text is not None or found.faults else ", not there yet"
    yield f"The file: {one_line(str(found.path))}{there}"
    if not found.entries and not found.faults:
        yield "To change a setting: fairdeck config mat 3x2"
