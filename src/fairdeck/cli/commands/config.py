r"""Show what counts without being typed: your settings, and the file that has them.

The settings are lines such as `mat = "3x2"` in a TOML file, config.toml in your folder of settings; the variable
`FAIRDECK_CONFIG` names another file. You write it yourself: --example prints one to start with, in which each setting
is explained. An option on the command line overrides a setting.

Your folder of settings also has the pace of your hands (see `fairdeck advise`), the riffle that `fairdeck hands --keep`
kept, and `store.key`, by which `fairdeck test --resume` knows the runs that you began. It is
`$XDG_CONFIG_HOME/fairdeck`, or else `~/.config/fairdeck`; on macOS `~/Library/Application Support/fairdeck`; on Windows
`%APPDATA%\fairdeck`. Files that earlier versions kept in `~/.config/fairdeck` are used there.

If a line of the file is wrong, commands that need a setting end with exit code 2, and name the file, the line, the
value and the remedy. This command lists all such lines, with exit code 1.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from fairdeck.cli.config_file import SETTINGS, ConfigFile, config
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.follow import fitted
from fairdeck.cli.help.formats import json_argument
from fairdeck.cli.program import as_called
from fairdeck.cli.streams import one_line
from fairdeck.cli.terminal import columns

EXAMPLES = {
    "fairdeck config": "the settings, and where each comes from",
    "fairdeck config --example": "a file to edit: each setting, explained",
}
FORMAT = "fairdeck-config/1"


def arguments(parser: ArgumentParser) -> None:
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--example", action="store_true", help="print a config file with all settings, as comments")
    json_argument(shown, FORMAT, fields='file, settings {name: {value, from ("file" or "usual"), line}}, faults')


def run(args: Namespace) -> int:
    if args.example:
        print(*(f'# {each.says}\n# {name} = "{each.usual}"' for name, each in SETTINGS.items()), sep="\n")
        return FINE
    found = config()
    if args.json:
        path = None if found.path is None else str(found.path)
        settings = {name: _told(found, name) for name in SETTINGS}
        print(json.dumps({"format": FORMAT, "file": path, "settings": settings, "faults": found.faults}))
    else:
        print(*fitted(list(_lines(found)), columns()), sep="\n")
    for fault in found.faults:
        print(f"fairdeck: {one_line(fault)}", file=sys.stderr)
    return DOES_NOT_HOLD if found.faults else FINE


def _told(found: ConfigFile, name: str) -> dict[str, object]:
    entry = found.entries.get(name)
    if entry:
        return {"value": entry.value, "from": "file", "line": entry.line}
    return {"value": SETTINGS[name].usual, "from": "usual", "line": None}


def _lines(found: ConfigFile) -> Iterator[str]:
    told = {name: _told(found, name) for name in SETTINGS}
    width = max(len(str(each["value"])) for each in told.values())
    for name, each in told.items():
        source = "usual" if each["line"] is None else f"line {each['line']} of the file"
        yield f"{name:<8}   {each['value']:<{width}}   {source}"
    yield ""
    if found.path is None:
        yield "There is no file: this account has no home folder."
    elif found.is_there or found.faults:
        yield f"The file: {one_line(str(found.path))}"
    else:
        yield as_called(f"The file: {one_line(str(found.path))}, not there yet; fairdeck config --example prints one")
