"""What earlier versions had, and what to use instead: a line for each command that went, and for each option.

An option of one command only stands behind that command. If a line names a command, it ends with it.
"""

from fairdeck.cli.config_file import SETTINGS
from fairdeck.errors import FairdeckError

PRINT = "write the page with --html report.html, open it in a browser, and print it there"
EDIT = "edit the file that it shows: fairdeck config"

INSTEAD = {
    "replay": "use fairdeck verify plan.json",
    "unrank": "use fairdeck rank --of 3 --cards 3",
    "rules": "its tables stand in docs/reference/rules.md; for your own deck: fairdeck mix riffle*7 --cards 60",
    "scaling": "a shuffle that uses your function can be followed: fairdeck exact mine.py:shuffle --cards 3",
    "ceremony": "draws by files are a way of together, with new names of the steps: fairdeck together --help",
    "two": "two people deal one after the other: fairdeck together 52 --people Ann,Ben --way product",
    "pace": "write your seconds into a file, as is told by: fairdeck advise --help",
    "man": "read about a command: fairdeck help deal",
    "voices": "in a clone, make voices builds the recorded voices of the page",
    "mix --deal": "one card to each player in turn is nearest to fair; of the whole order tells: fairdeck mix riffle*7",
    "packets --search": "the best schemes have names: fairdeck packets",
    "packets --simulate": "packs are simulated by a script of a clone: python -m bench.packet_hands",
    "packets --repair": "change the scheme that is written by: fairdeck packets four-halves --flow",
    "packets --fault": "a scheme that never disperses is refused with its reason: fairdeck packets two-way",
    "test --share": "let each machine keep a store, or count on a cluster: fairdeck test naive --cluster local:2",
    "runs --merge": "count on a cluster: fairdeck test naive --cluster local:2",
    **{f"config {name}": EDIT for name in SETTINGS},
    "config --unset": EDIT,
    **{f"{name} --pdf": PRINT for name in ("advise", "histogram", "mix", "packets", "runs", "test")},
    "--audio": "a page speaks the deal: fairdeck deal 60 --html deal.html",
    "--tempo": "a page speaks the deal, at any tempo: fairdeck deal 60 --html deal.html",
    "--no-click": "a page speaks the deal, with or without clicks: fairdeck deal 60 --html deal.html",
}


def demand_not_removed(word: str, command: str = "") -> None:
    """Say what to use in place of a command, or of an option of a command, that earlier versions had.

    Raises:
        FairdeckError: they had it.
    """
    if instead := INSTEAD.get(f"{command} {word}".strip()) or INSTEAD.get(word):
        whole = f"{command} {word}".strip()
        raise FairdeckError(f"{whole!r} is no longer part of fairdeck; {instead}")
