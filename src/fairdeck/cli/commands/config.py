r"""Show or change what you would otherwise type each time.

There are five settings. An option on the command line overrides a setting.

- `mat` is the mat of `deal`, `check`, `advise`, `together`, `two`, `boards` and `ceremony`, and, once set, the
  answer that `fairdeck` alone proposes.
- `paper` is the paper of all that is printed.
- `language` is the language of what is printed.
- `voices` are the recorded voices in pages: de, or en,de, or none.
- `pace` is the file with the pace of your hands. A relative name starts at the folder of the config file.

Without arguments the command lists them, and says where each comes from. They are lines such as `mat = "3x2"` in a TOML
file, config.toml in your folder of settings; the variable `FAIRDECK_CONFIG` names another file. You may edit it: when
the command changes a setting, comments and other lines stay.

Your folder of settings also has your pace, the riffle that `fairdeck hands --keep` kept, and `store.key`, by which
`fairdeck test --resume` knows the runs that you began. It is
`$XDG_CONFIG_HOME/fairdeck`, or else `~/.config/fairdeck`; on macOS `~/Library/Application Support/fairdeck`; on Windows
`%APPDATA%\fairdeck`. Files that earlier versions kept in `~/.config/fairdeck` are used there.

If a line of the file is wrong, commands that need a setting end with exit code 2, and name the file, the line, the
value and the remedy. This command lists all such lines, with exit code 1.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

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
from fairdeck.cli.help.formats import json_argument
from fairdeck.cli.program import as_called
from fairdeck.cli.streams import one_line
from fairdeck.cli.terminal import columns
from fairdeck.errors import FairdeckError
from fairdeck.parsing import nearest

EXAMPLES = {
    "fairdeck config": "the settings, and where each comes from",
    "fairdeck config mat 3x2": "from now on, deals are onto this mat",
    "fairdeck config --unset mat": "no longer",
}
FORMAT = "fairdeck-config/1"
USUAL, FILE = "usual", "file"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="SETTING", nargs="?", help=f"a setting: {known()}")
    parser.add_argument("value", metavar="VALUE", nargs="?", help="its new value; without it the setting is shown")
    parser.add_argument("--unset", metavar="SETTING", help="remove a setting from the file")
    json_argument(
        parser,
        FORMAT,
        fields='file, settings {name: {value, from ("file" or "usual"), line}}, faults',
    )


def run(args: Namespace) -> int:
    if args.unset is not None and args.name is not None:
        raise FairdeckError(f"--unset {args.unset} and {args.name} exclude each other: give one of them")
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
        note = f"note: there is no {named_from(path, value)} yet: fairdeck pace --measure writes it"
        print(as_called(note), file=sys.stderr)


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
        yield as_called("To change a setting: fairdeck config mat 3x2")
