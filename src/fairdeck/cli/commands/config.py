r"""Show your settings, and the file that they stand in.

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
        print(*(f'# {setting.says}\n# {name} = "{setting.usual}"' for name, setting in SETTINGS.items()), sep="\n")
        return FINE
    config_file = config()
    if args.json:
        path = None if config_file.path is None else str(config_file.path)
        settings = {name: _as_fields(config_file, name) for name in SETTINGS}
        print(json.dumps({"format": FORMAT, "file": path, "settings": settings, "faults": config_file.faults}))
    else:
        print(*fitted(list(_lines(config_file)), columns()), sep="\n")
    for fault in config_file.faults:
        print(f"fairdeck: {one_line(fault)}", file=sys.stderr)
    return DOES_NOT_HOLD if config_file.faults else FINE


def _as_fields(config_file: ConfigFile, name: str) -> dict[str, object]:
    entry = config_file.entries.get(name)
    if entry:
        return {"value": entry.value, "from": "file", "line": entry.line}
    return {"value": SETTINGS[name].usual, "from": "usual", "line": None}


def _lines(config_file: ConfigFile) -> Iterator[str]:
    settings = {name: _as_fields(config_file, name) for name in SETTINGS}
    width = max(len(str(setting["value"])) for setting in settings.values())
    for name, setting in settings.items():
        source = "usual" if setting["line"] is None else f"line {setting['line']} of the file"
        yield f"{name:<8}   {setting['value']:<{width}}   {source}"
    yield ""
    if config_file.path is None:
        yield "There is no file: this account has no home folder."
    elif config_file.is_there or config_file.faults:
        yield f"The file: {one_line(str(config_file.path))}"
    else:
        yield as_called(
            f"The file: {one_line(str(config_file.path))}, not there yet; fairdeck config --example prints one"
        )
