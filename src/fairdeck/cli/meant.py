"""What a command line that cannot be run was meant to be.

`REWRITTEN` has what newcomers type, each with the line that does it. Nothing is run: the answer is a line to type, and
only one that can be parsed is shown. Misspelt names are not here: where a name is looked up, the nearest one is told.
"""

import re
import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from fairdeck.cli.commands import SUMMARIES
from fairdeck.errors import FairdeckError
from fairdeck.programs import STARTERS, started

TIMES = 20  # a number after the name of a hand shuffle, up to this, says how often
HEAD = 1 << 16  # characters of a program that are looked at

# What others call a command.
CALLED = {
    "serve --open": "start open gui app web phone host server run",
    "shuffle": "random randomize randomise draw permute",
    "advise": "recommend best compare suggest",
    "mix": "simulate distance",
    "test": "judge analyze analyse audit fair",
    "test --certificate certificate.html": "attest certify certificate",
    "monitor": "watch follow tail live",
    "shuffles": "list ls names",
    "config": "settings set setup preferences",
    "histogram": "plot chart graph",
    "boards": "bridge duplicate pbn",
    "together announce --people Ann,Ben": "tournament",
    "mat": "playmat",
    "doctor": "status diagnose",
    "page": "html site",
    "exact": "probabilities enumerate law",
    "--version": "version -v -V",
}


def _hands(cards: str, players: str) -> str:
    size, rest = divmod(int(cards), max(int(players), 1))
    if not size:
        raise FairdeckError(f"{cards} cards are too few for {players} players")
    return f"{cards} --goal hands:{players}x{size}{'+rest' if rest else ''}"


def _function(file: str) -> str:
    """Return a file of Python with the function to test: the first that it defines."""
    with suppress(OSError, ValueError), Path(file).open(encoding="utf-8") as program:
        if first := re.search(r"^def (\w+)\(", program.read(HEAD), re.MULTILINE):
            return f"{file}:{first[1]}"
    return f"{file}:shuffle"


def _recipe(shuffle: str, number: str) -> str:
    return f"'{shuffle}*{number}'" if int(number) <= TIMES else f"{shuffle} --cards {number}"


def _with_command(shuffle: str) -> str:
    """Return a known shuffle behind the command that it is for; any other word as it is."""
    from fairdeck.shuffles.names import find

    with suppress(FairdeckError):
        return f"{'mix' if find(shuffle).by_hand else 'test'} {shuffle}"
    return shuffle


DEAL = r"^((?:deal|check|advise)\b.*?) "
PROGRAM = rf"\S+(?:{'|'.join(re.escape(ending) for ending in STARTERS if ending != '.py')})"
UNNAMED = r"(?<! --pdf)(?<! --html)"  # before a file: no option names it
STEPS = "announce|join|list|deal|show|finish"  # of together, by files
PLAYERS = r"(?: (?:players|hands|people|persons))"
RUNNER = r"(?:node|python3?|ruby|java|perl|php)"
# One after the other, each once: what a line may hold, and what stands in its place. END ends a word.
END = r"(?!\S)"
REWRITTEN: list[tuple[str, str | Callable[[re.Match[str]], str]]] = [
    (r"^fairdeck ", ""),
    (r" (\d+) (?:x|by) (\d+)" + END, r" \1x\2"),
    (r"^([a-z]+)[-=:]?(?=\d+( |$))", r"\1 "),
    (r"^([a-z]+)\b.* (?:help|'\?'|-help)$", r"\1 --help"),
    # a line without a command, or a file that another command takes
    (r"^(?:--cards[ =])?(?=\d+( |$))", "deal "),
    (r"^(?=\d+x\d+$)", "mat "),
    (r"^(?:(?:deal|test|check|verify) )?(?=\S+\.(?:pbn|lin|dup|dlm|bri|dge)$)", "boards "),
    (r"^(?:deal )?(?=\S+\.json$)", "verify "),
    (r"^(?:test )?(?=\S+\.(?:db|sqlite3?)$)", "runs "),
    (r"^(?:(?:exact|runs) )?(?=\S+\.csv$)", "test "),
    (rf"^(?:deal )?(?=(?:\S+\.py(?::\w+)?|{PROGRAM})$)", "test "),
    (r"^([a-z][a-z-]+)(?=( \d+)?( times)?$)", lambda word: _with_command(word[1])),
    (r"^(test --certificate \S+)$", r"\1 naive"),
    (r"^(?='([a-z][a-z-]*)\*\d+'( |$))", lambda word: _with_command(word[1]).removesuffix(word[1])),
    # a number or an address that is an option of this command
    (r"^mat (\d+)$", r"check \1"),
    (r"^mat (\d+) (\d+)$", r"mat \1x\2"),
    (r"^boards (\d+)$", r"boards --random \1"),
    (r"^rank (\d+)$", r"rank --of \1"),
    (r"^serve (\d+)$", r"serve --port \1"),
    (r"^serve (?:--address )?(?:https?://)?([\w.]+)/?$", r"serve --host \1"),
    (r"^serve (?:--address )?(?:https?://)?([\w.]+):(\d+)/?$", r"serve --host \1 --port \2"),
    (r"^monitor (\S+)$", r"monitor \1 --store watch.db"),
    (r"^(\w+) --(?:shuffle|recipe)[ =]", r"\1 "),
    (r"^mix ([a-z][\w-]*) (\d+)(?: times)?" + END, lambda mix: f"mix {_recipe(mix[1], mix[2])}"),
    (r"^(test|exact|histogram) (\d+)$", r"\1 naive --cards \2"),
    (r"^((?:test|exact|histogram|packets|mix)(?: [^\s-]\S*)?) (\d+)(?: cards)?(?= -| \S+\.html$|$)", r"\1 --cards \2"),
    # a deal: its cards, its mat, the hands, the file
    (DEAL + r"--cards[ =](?=\d)", r"\1 "),
    (DEAL + r"(?:a deck of )?(\d+) cards" + END, r"\1 \2"),
    (r"--(?:size|grid|table|playmat)[ =](?=\d+x)", "--mat "),
    (DEAL + r"(?<!--mat )(?<!--goal )(?=\d+x\d+( |$))", r"\1 --mat "),
    (r"^(deal|check) (--mat \S+) (\d+)$", r"\1 \3 \2"),
    (r"--mat (\d+)" + END, r"--mat \1x1"),
    (r"--goal (?=\d+x\d+)", "--goal hands:"),
    (DEAL + r"(?<!--goal )(?=(?:hands|top):)", r"\1 --goal "),
    (rf"^advise (\d+) (?:for )?(\d+){PLAYERS}?$", r"advise \1 --players \2"),
    (rf"^(deal|check) (\d+) (?:to |for |into )?(\d+){PLAYERS}$", r"\1 \2 --players \3"),
    (
        r"^(deal|check) (\d+) (?:--players|--hands|--goal|hands)[ =](?:hands:)?(\d+)$",
        lambda deal: f"{deal[1]} {_hands(deal[2], deal[3])}",
    ),
    (r"^(deal|check) --(?:players|hands) (\d+) (\d+)$", lambda deal: f"{deal[1]} {_hands(deal[3], deal[2])}"),
    (r"^print (\d+)$", r"deal \1 --pdf deal.pdf"),
    (rf"^(deal .*?){UNNAMED} (?:-o )?(?=\S+\.(pdf|html)$)", r"\1 --\2 "),
    (r"^(page|mat \S+) (?=\S+\.(?:pdf|svg|html)$)", r"\1 --output "),
    (rf"^((?:test|exact|histogram|packets|mix|advise) .*?){UNNAMED} (?=\S+\.html$)", r"\1 --html "),
    (r"^mat (A3|A4)$", r"mat 5x2 --paper \1"),
    (r"^mat (\S+) (?=(?:A3|A4|Letter|Tabloid)$)", r"mat \1 --paper "),
    # what is tested: a function, a program; and who draws together
    (r"^(test|exact) (\S+\.py)" + END, lambda test: f"{test[1]} {_function(test[2])}"),
    (rf"^test (?='{RUNNER} [^']+')", "test --exec "),
    (
        rf"^test (?:--exec )?('(?!{RUNNER} )[^']+\.\w+'|{PROGRAM}|\S+\.py)" + END,
        lambda test: f"test --exec {shlex.quote(started(*shlex.split(test[1])))}",
    ),
    (rf"^test (?:--exec )?({RUNNER}(?: [^\s-]\S*)+)", r"test --exec '\1'"),
    (r"^shuffle (\S+\.\w+)$", r"shuffle --file \1"),
    (
        rf"^together (draw )?(?!{STEPS})(?:(\d+) )?(?:--people )?([^\W\d]+)((?:(?:, |,| )[^\W\d]+)+)$",
        lambda draw: f"together {draw[1] or ''}{draw[2] or 60} --people {draw[3]}{re.sub('[, ]+', ',', draw[4])}",
    ),
]


def with_meant(message: str, words: Sequence[str], otherwise: str = "") -> str:
    """Return a message with the line that was meant by the words typed; if nothing tells it, with `otherwise`."""
    made = meant(words)
    if not made:
        return f"{message}{otherwise}"
    message = re.sub(r"; did you mean [^?]*\?", "", message)
    return f"{message}; did you mean: {shlex.join(['fairdeck', *made])}"


def meant(words: Sequence[str]) -> list[str]:
    """Return the words of the line that was meant; empty if nothing tells it.

    >>> meant(["deal", "60", "5x2"])
    ['deal', '60', '--mat', '5x2']
    """
    if not words:
        return []
    first = words[0].lower() if words[0].lower() in SUMMARIES else shlex.quote(words[0])
    command = next((command for command, names in CALLED.items() if first in names.split()), first)
    line = " ".join([command, *(shlex.quote(_tidied(word)) for word in words[1:])])
    with suppress(FairdeckError, ValueError):
        for pattern, instead in REWRITTEN:
            line = re.sub(pattern, instead, line, count=1)
        made = shlex.split(line)
        if made != list(words) and _parses(made):
            return made
    return []


def _tidied(word: str) -> str:
    """Return a word as it is typed here: an editor makes a dash of two hyphens, and digits stand in groups."""
    word = re.sub(r"^(?:[—–]+|-)(?=[a-z]{3})", "--", word)
    word = re.sub(r"^(\d+)(?:[X×*]|by)(?=\d+$)", r"\1x", word)
    word = re.sub(r"^([a-z]+)=(?=\d)", r"--\1=", word)
    return re.sub(r"^(\d{1,3})[,.'’](?=\d{3}$)", r"\1", word)


def _parses(words: Sequence[str]) -> bool:
    from fairdeck.cli.arguments import parsed

    if {"-h", "--help", "--version"}.isdisjoint(words):
        parsed(words)
    return True
