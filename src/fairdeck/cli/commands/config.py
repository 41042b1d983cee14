r"""Show your settings, and the file that they stand in.

The settings are lines such as `mat = "3x2"` in a TOML file, config.toml in your folder of settings; the variable
`FAIRDECK_CONFIG` names another file. You write it yourself: --example prints one to start with, in which each setting
is explained. An option on the command line overrides a setting.

Your folder of settings also has the pace of your hands (see `fairdeck advise`), the riffle that `fairdeck hands --keep`
kept, the lists of cards that `fairdeck deal --keep` kept, in the folder lists, and `store.key`, by which
`fairdeck test --resume` knows the runs that you began. It is `$XDG_CONFIG_HOME/fairdeck`, or else `~/.config/fairdeck`;
on macOS `~/Library/Application Support/fairdeck`; on Windows `%APPDATA%\fairdeck`.

If a setting is wrong, commands that need one end with exit code 2, and name the file, the setting, its value and the
remedy. This command lists all such faults, with exit code 1.
"""

import json
from argparse import ArgumentParser, Namespace

from fairdeck.cli.config_file import SETTINGS, ConfigFile, config
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.follow import fitted
from fairdeck.cli.formats import json_argument
from fairdeck.cli.program import as_called
from fairdeck.cli.streams import one_line, tell
from fairdeck.cli.terminal import columns
from fairdeck.own_lists import kept_lists

EXAMPLES = {
    "fairdeck config": "the settings, and where each comes from",
    "fairdeck config --example": "a file to edit: each setting, explained",
}
FORMAT = "fairdeck-config/1"


def arguments(parser: ArgumentParser) -> None:
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--example", action="store_true", help="print a config file with all settings, as comments")
    json_argument(shown, FORMAT, fields='file, settings {name: {value, from ("file" or "usual")}}, faults')


def run(args: Namespace) -> int:
    if args.example:
        print(*(f'# {setting.says}\n# {name} = "{setting.usual}"' for name, setting in SETTINGS.items()), sep="\n")
        return FINE
    file = config()
    settings = {
        name: {"value": file.entries.get(name, setting.usual), "from": "file" if name in file.entries else "usual"}
        for name, setting in SETTINGS.items()
    }
    if args.json:
        path = None if file.path is None else str(file.path)
        print(json.dumps({"format": FORMAT, "file": path, "settings": settings, "faults": file.faults}))
    else:
        width = max(len(setting["value"]) for setting in settings.values())
        lines = [f"{name:<8}   {setting['value']:<{width}}   {setting['from']}" for name, setting in settings.items()]
        lists = [f"Lists that you keep: {', '.join(kept_lists())}"] * bool(kept_lists())
        print(*fitted([*lines, "", *lists, _place(file)], columns()), sep="\n")
    for fault in file.faults:
        tell(f"fairdeck: {one_line(fault)}")
    return DOES_NOT_HOLD if file.faults else FINE


def _place(file: ConfigFile) -> str:
    if file.path is None:
        return "There is no file: this account has no home folder."
    missing = "" if file.is_there else as_called(", not there yet; fairdeck config --example prints one")
    return f"The file: {one_line(str(file.path))}{missing}"
