"""What a command line that cannot be run was meant to be.

Its words are sorted by what they *are*: a number, a mat, a goal, an address, a file of some kind, a shuffle. Each kind
has its place in a command. If the command has no such place, another command has. Nothing is run: the answer is a line
to type, and only one that can be parsed is shown.
"""

import json
import os
import re
import shlex
from argparse import Action, ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, suppress
from difflib import get_close_matches
from importlib import import_module
from io import StringIO
from itertools import takewhile
from pathlib import Path

from fairdeck.cli.commands import SUMMARIES
from fairdeck.dealing.cards import read_cards
from fairdeck.errors import FairdeckError
from fairdeck.paper.sizes import PAPERS
from fairdeck.programs import STARTERS, started
from fairdeck.words import LANGUAGES

HEAD = 1 << 16  # bytes of a file that are looked at
ROOT_OPTIONS = ("--version", "--help")
CLOSE = 0.7  # how alike a misspelt command is
SPELT, NEAR = 0.8, 0.6  # how alike a misspelt option is that is taken before, and after, what its value is
COUNT = 20  # a number after the name of a hand shuffle, up to this, says how often
NOISE = re.compile("an?|and|at|by|cards?|deck|for|from|in|into|mat|my|of|onto?|please|the|times|to|with|x")
HELP = ("help", "?", "/?", "-?", "--?", "/h", "/help", "-help", "usage")
# What people call a command.
CALLED = {
    **dict.fromkeys(("start", "open", "gui", "app", "web", "phone", "host", "server", "run"), "serve --open"),
    **dict.fromkeys(("random", "randomize", "randomise", "draw", "permute"), "shuffle"),
    **dict.fromkeys(("recommend", "best", "compare", "suggest", "how"), "advise"),
    **dict.fromkeys(("simulate", "distance"), "mix"),
    **dict.fromkeys(("judge", "analyze", "analyse", "audit", "fair"), "test"),
    **dict.fromkeys(("watch", "follow", "tail", "live"), "monitor"),
    **dict.fromkeys(("list", "ls", "names"), "shuffles"),
    **dict.fromkeys(("settings", "set", "setup", "preferences"), "config"),
    **dict.fromkeys(("plot", "chart", "graph"), "histogram"),
    **dict.fromkeys(("bridge", "duplicate", "pbn"), "boards"),
    **dict.fromkeys(("tournament", "commit"), "together announce"),
    **dict.fromkeys(("print", "sheet"), "deal --pdf deal.pdf"),
    **dict.fromkeys(("probabilities", "enumerate", "law"), "exact"),
    "playmat": "mat",
    "version": "--version",
    **dict.fromkeys(("status", "diagnose"), "doctor"),
    **dict.fromkeys(("html", "site"), "page"),
    **dict.fromkeys(("new", "go", "split", "hands-out"), "deal"),
}
OWN_UPDATE = ("update", "upgrade", "install", "uninstall")
RUNNERS = {"bash", "bun", "deno", "python", *(line.partition(" ")[0] for line in STARTERS.values() if line)}
ENDINGS = {
    **dict.fromkeys(STARTERS, "program"),
    **dict.fromkeys((".pbn", ".lin", ".dup", ".dlm"), "boards"),
    **dict.fromkeys((".db", ".sqlite", ".sqlite3"), "store"),
    **dict.fromkeys((".csv", ".tsv", ".jsonl", ".npy", ".dat"), "decks"),
    ".py": "python",
    ".log": "log",
    ".txt": "list",
    ".json": "json",
    ".pdf": "pdf",
    ".html": "html",
    ".svg": "svg",
}
FILES = frozenset(("program", "boards", "store", "decks", "python", "log", "list", "json", "plan"))
GROUPED = r"[1-9]\d{,2}(?:[,.'’]\d{3})+"  # a number, its digits in groups of three
PLAYED = "players?|hands?|people|persons|partners?"
NAME = re.compile(r"[^\W\d]+,?")
# What is one word, and was typed as several; here NULs part the words.
APART: list[tuple[str, Callable[[re.Match[str]], str]]] = [
    (r"(?<=mat\0)(\d{1,2})\0(?:(?:x|by)\0)?(\d{1,2})(?![^\0])", lambda found: f"{found[1]}x{found[2]}"),
    (rf"(?<=--goal\0)(\d+)\0(?:{PLAYED})(?![^\0])", lambda found: f"hands:{found[1]}"),
    (
        rf"(?<![^\0])(\d+)\0(?:{PLAYED})\0(\d+)(?![^\0])",  # 4 players 52, or 52 hands 4
        lambda found: "{1}\0{0} players".format(*sorted(map(int, found.groups()))),
    ),
    (rf"(?<![^\0])(\d+)\0(?:{PLAYED})(?![^\0])", lambda found: f"{found[1]} players"),
    (rf"(?<=\0)(?:{PLAYED})\0(\d+)(?![^\0])", lambda found: f"{found[1]} players"),
]
# How words of a kind look, in small letters.
LOOKS = {
    "number": rf"{GROUPED}|0|[1-9]\d*",
    "size": r"\d+(x|\*|by)\d+",
    "goal": r"fifths|(top|hands?):.+",
    "address": r"(https?://\S+|localhost|\d+(\.\d+){3})(:\d+)?/?",
    "players": rf"\d+[- ]?({PLAYED})",
    "paper": "|".join(PAPERS).lower(),
    "language": "|".join(LANGUAGES),
    "function": r"[^-:\s][^:\s]*:[a-z_]\w*",
    "people": r"[^\W\d]+(,[^\W\d]+)+",
}
# The places of each kind, the first that a command has and that is free.
SLOTS = {
    "number": ("CARDS", "N | ITEM", "--of", "--random", "--port", "--cards", "--players"),
    "players": ("--players", "--goal"),
    "size": ("CxR", "--mat"),
    "goal": ("--goal",),
    "address": ("--host",),
    "paper": ("--paper",),
    "language": ("--language",),
    "people": ("--people",),
    "boards": ("FILE.pbn",),
    "shuffle": ("SHUFFLE", "RECIPE"),
    "recipe": ("RECIPE", "SHUFFLE"),
    "function": ("SHUFFLE",),
    "program": ("--exec",),
    "decks": ("SHUFFLE", "LOG", "--file"),
    "log": ("LOG", "--file"),
    "list": ("SHUFFLE", "--file", "LOG"),
    "store": ("DB", "FILE", "--store"),
    "plan": ("FILE",),
    "json": ("FILE.pbn", "FILE", "TRANSCRIPT"),
    "pdf": ("--pdf", "--sheets", "--output"),
    "html": ("--html", "--output"),
    "svg": ("--svg", "--output"),
}
# The command that has a place for a kind, where the one that was typed has none.
HOMES = {
    **dict.fromkeys(("number", "goal", "players", "pdf", "game", "list"), "deal"),
    "size": "mat",
    "paper": "mat",
    "address": "serve",
    "people": "together",
    "boards": "boards",
    "shuffle": "test",
    "recipe": "mix",
    "function": "test",
    "python": "test",
    "program": "test",
    "decks": "test",
    "log": "test",
    "store": "runs",
    "plan": "verify",
    "json": "verify",
    "html": "page",
}
WEAK = frozenset(("number", "list", "size", "goal", "paper", "players"))  # no reason for another command than was typed
INSTEAD = frozenset(("--exec", "--file", "--order", "--resume", "--list"))  # of a shuffle, or of cards


def with_meant(message: str, words: Sequence[str], otherwise: str = "", *, parsed: bool = False) -> str:
    """Return a message with what was meant in place of a guess by letters; if nothing tells it, with `otherwise`.

    Args:
        message: what is wrong.
        words: that were typed.
        otherwise: the rest of the message where nothing tells what was meant.
        parsed: whether the words could be parsed; then only words in another place tell something.
    """
    if words and words[0].lower() in OWN_UPDATE:
        return f"{message}; fairdeck does not change itself: in a clone, type git pull; else install it again with pip"
    absent = "" if "annot read" in message or "No such file" in message else "".join(_absent(words))
    made = meant(words)
    useless = re.match(r"(--[\w-]+) .*: leave it out$", message)
    if not made or (parsed and made[: len(words)] == list(words)) or (useless and useless[1] in made):
        return f"{message}{otherwise}{absent}"
    message = re.sub(r"did you mean [^?]*\? ?", "", message).rstrip("; ")
    told = "for example" if made[: len(words)] == list(words) else "did you mean"
    return f"{message}{absent}; {told}: {shlex.join(['fairdeck', *made])}"


def meant(words: Sequence[str]) -> list[str]:
    """Return the words of the line that was meant; empty if nothing tells it.

    >>> meant(["deal", "60", "5x2"])
    ['deal', '60', '--mat', '5x2']
    """
    with suppress(FairdeckError, OSError, ValueError):
        made = _repaired(words)
        if made and made != list(words) and _parses(made):
            return made
    return []


def _absent(words: Sequence[str]) -> Iterator[str]:
    """Yield what is said of the words that look like files to read."""
    for before, word in zip(["", *words], words, strict=False):
        if before.startswith("-") or word.startswith("-") or word.lower() in (*HELP, *SUMMARIES):
            continue
        if os.path.isdir(word):  # noqa: PTH112 - a word that is too long for a name is no folder, and no error
            yield f"; {word!r} is a folder"
        elif (file := word.partition(":")[0]) and _ending(file) in FILES and not os.path.exists(file):  # noqa: PTH110
            yield f"; there is no file {file!r} here"


def _parses(words: Sequence[str]) -> bool:
    from fairdeck.cli.arguments import parsed

    with redirect_stderr(StringIO()), suppress(SystemExit):
        if words[-1] in ("--help", "--version"):
            return True
        parsed(words)
        return True
    return False


def _repaired(words: Sequence[str]) -> list[str] | None:
    """Return the words of the command that was meant; None if nothing tells it."""
    joined = "\0".join(_tidied(word) for word in words if word.lower() != "fairdeck")
    for apart, together in APART:
        joined = re.sub(apart, together, joined)
    found = _command(joined.split("\0"))
    for _ in range(3):  # each time with another command: the one before had no place for a word
        if found is None:
            return None
        if found[0].startswith("-"):
            return [found[0]]
        made = _Line(*found, typed=found[0] == words[0]).filled()
        if not isinstance(made, str):
            return made
        found = made, found[1]
    return None


def _tidied(word: str) -> str:
    """Return a word with dashes and signs as they are typed here: an editor makes a dash of two hyphens."""
    word = re.sub(r"^[—–]+", "--", word.replace("×", "x"))
    if re.fullmatch(r"-[a-z]{3,}(=.*)?", word):
        return f"-{word}"
    return f"--{word}" if re.fullmatch(r"[a-z][a-z-]+=.+", word) else word


def _command(words: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return the command, and its words."""
    if not words:
        return None
    first, rest = words[0].lower(), list(words[1:])
    if first in HELP or first == "help":
        named = [word for word in rest if word in SUMMARIES]
        return (named[0], ["--help"]) if named else None
    if first in SUMMARIES:
        return first, rest
    if first in CALLED:
        command, *more = CALLED[first].split()
        return command, [*more, *rest]
    joined = re.fullmatch(r"([a-z]+)[-_=:]?(\d+)", first)
    if joined and joined[1] in SUMMARIES:
        return joined[1], [joined[2], *rest]
    kinds = [_kind(word) for word in words]
    if first in ("-v", "-V") or get_close_matches(first, ROOT_OPTIONS, 1, CLOSE):
        return None if first in ROOT_OPTIONS else ("--version", [])
    if not kinds[0] and not first.startswith("-") and (near := get_close_matches(first, SUMMARIES, 1, CLOSE)):
        return near[0], rest
    home = next((HOMES[kind] for kind in kinds if kind in HOMES), None)
    if home:
        return "deal" if home == "mat" and "number" in kinds else home, list(words)
    return None


def _kind(word: str) -> str:
    """Return what a word is; empty for what nothing tells."""
    low = word.lower()
    kind = next((kind for kind, pattern in LOOKS.items() if re.fullmatch(pattern, low)), "")
    if kind or word.startswith("-"):
        return kind
    if os.path.isdir(word):  # noqa: PTH112
        return "folder"
    return _ending(word) or _shuffle(low) or ("game" if _game(low) else "")


def _ending(word: str) -> str:
    kind = ENDINGS.get(Path(word).suffix.lower(), "")
    if kind == "json" and '"fairdeck-plan/' in _head(word):
        return "plan"
    if kind == "decks":  # each line of a deck has the same words; a table has others
        last = [sorted(re.findall(r"\w+", line)) for line in _head(word).splitlines()[:3][-2:]]
        return "list" if last[:1] != last[1:] and last[1:] else kind
    return kind


def _head(name: str) -> str:
    with suppress(OSError, ValueError), Path(name).open("rb") as file:
        return file.read(HEAD).decode("utf-8", "replace")
    return ""


def _shuffle(name: str) -> str:
    """Return "recipe" for what hands do, "shuffle" for other known shuffles, and nothing for other words."""
    from fairdeck.shuffles.names import find

    try:
        return "recipe" if find(name).by_hand else "shuffle"
    except FairdeckError:
        return ""


def _game(name: str) -> int:
    """Return the number of cards of a known game; 0 for other words."""
    decks = json.loads((Path(__file__).parents[1] / "page" / "decks.json").read_text())
    return next((cards for game, cards in decks["games"] if len(name) > 2 and game.lower().startswith(name)), 0)


def _in_folder(folder: str) -> str:
    """Return the first thing in a folder that can be tested: a function, decks, or a program."""
    files = sorted(path for path in Path(folder).iterdir() if path.is_file())
    kinds = ("python", "decks", "program", "list")
    return next((path.as_posix() for kind in kinds for path in files if _ending(path.name) == kind), "")


class _Line:
    """A command and its words, which are put into their places."""

    def __init__(self, command: str, words: Sequence[str], *, typed: bool) -> None:
        """`typed`: whether the command is the one that was typed."""
        from fairdeck.cli.arguments import command_parser, steps_of

        self.command, self.words, self.typed, self.prefix = command, list(words), typed, [command]
        self.parser: ArgumentParser = command_parser(command)
        if steps := steps_of(self.parser):
            usual = self.parser.get_default("usual_step")
            step = words[0] if words and words[0] in steps else usual or next(iter(steps))
            self.parser, self.words = steps[step], [word for word in words if word != step]
            self.prefix += [step] * (step in words[:1] or step != usual)
        self.known = self.parser._option_string_actions
        placed = [action for action in self.parser._actions if not action.option_strings]
        self.positional = {str(action.metavar or action.dest): action for action in placed}
        self.places: dict[str, list[str]] = {name: [] for name in self.positional}
        self.options: list[str] = []

    def filled(self) -> list[str] | str:
        """Return the words in their places; or the command that has a place for them."""
        loose, unknown = self._parted()
        if any(word.lower() in HELP for word in loose):
            return [*self.prefix, "--help"]
        kinds = list(self._kinds(loose))
        if loose and not (kinds or unknown or self.options):
            raise FairdeckError("the words say nothing")
        for word, kind in kinds:
            if (other := self._place(word, kind)) is not None:
                return other
        for name, value in unknown:
            self._take_unknown(name, value)
        self._complete()
        return [*self.prefix, *(word for held in self.places.values() for word in held), *self.options]

    def _parted(self) -> tuple[list[str], list[tuple[str, str | None]]]:
        """Return the loose words, and the options that are not known; take over those that are."""
        loose, unknown, waiting = list[str](), list[tuple[str, str | None]](), list(self.words)
        while waiting:
            word = waiting.pop(0)
            name, _, value = word.partition("=")
            action = self.known.get(name)
            if not word.startswith("-") or word == "-":
                loose.append(word)
                continue
            if action is None and name.lower() in HELP:
                loose.append("help")
                continue
            flag = action is not None and action.nargs == 0
            if not value and not flag and waiting and not waiting[0].startswith("-"):
                value = waiting.pop(0)
                while waiting and (value.endswith(",") or name == "--exec") and not waiting[0].startswith("-"):
                    value += " " * (name == "--exec") + waiting.pop(0)
            if action is None:
                unknown.append((name, value or None))
            elif flag or value:
                self.options += [name] if flag else [name, self._value(value, name)]
            else:
                raise FairdeckError(f"{name} has no value")
        return loose, unknown

    def _kinds(self, loose: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield the loose words with their kinds, without words that say nothing."""
        waiting = list(loose)
        while waiting:
            word = waiting.pop(0)
            following, kind = waiting[0] if waiting else "", _kind(word)
            if kind == "recipe" and following.isdecimal() and int(following) <= COUNT and "*" not in word:
                word = f"{word}*{waiting.pop(0)}"
            elif kind == "number" and int(_plain(word)) <= COUNT and _kind(following) == "recipe":
                word, kind = f"{waiting.pop(0)}*{word}", "recipe"
            elif word in RUNNERS and _ending(following) in ("program", "python"):
                word, waiting, kind = shlex.join([word, *waiting]), [], "program"
            elif NAME.fullmatch(word) and not kind and "--people" in self.known:
                while waiting and NAME.fullmatch(waiting[0]):
                    word, kind = f"{word.rstrip(',')},{waiting.pop(0)}", "people"
            word, kind = _within(word, kind)
            if kind or not (NOISE.fullmatch(word.lower()) or re.fullmatch(PLAYED, word.lower())):
                yield word, kind

    def _place(self, word: str, kind: str, *, joins: bool = True) -> str | None:
        """Put a word into its place; return another command if only that one has a place.

        `joins`: whether it may be one more item of a list.
        """
        if self.command == "mat" and kind == "number":
            return "check"
        if kind == "list" and "CARDS" in self.places:
            word, kind = str(len(read_cards(_head(word), whole=False))), "number"
        if self._put(word, kind, joins):
            return None
        for name, action in self.positional.items():
            if self._is_free(name, joins) and _accepts(name, action, word, kind):
                self.places[name].append(word)
                return None
        home = HOMES.get(kind, self.command)
        if kind in FILES - {"program", "python"} and not Path(word).exists():
            raise FairdeckError(f"there is no file {word!r}")
        if home != self.command and not any(self.places.values()) and not (self.typed and kind in WEAK):
            return home
        raise FairdeckError(f"{word!r} has no place")

    def _put(self, word: str, kind: str, joins: bool) -> bool:
        """Put a word into the first place of its kind that is free; say whether there is one."""
        for slot in SLOTS.get(kind, ()):
            if slot == "SHUFFLE" and kind in ("decks", "log", "list") and self.command != "test":
                continue
            if slot in self.places and self._is_free(slot, joins):
                self.places[slot].append(word)
                return True
            if slot == "RECIPE" and slot in self.places and kind == "recipe":
                self.places[slot][0] += f" + {word}"
                return True
            if slot in self.known and slot not in self.options:
                self._add(slot, word, kind)
                return True
        return False

    def _is_free(self, name: str, joins: bool) -> bool:
        return not self.places[name] or (joins and self.positional[name].nargs in ("+", "*", "A..."))

    def _add(self, slot: str, word: str, kind: str) -> None:
        """Add an option with the word as its value."""
        if kind == "address":
            host, _, port = re.sub("^https?://", "", word).rstrip("/").partition(":")
            self.options += [slot, host] + (["--port", port] if port else [])
            return
        if kind == "paper":
            word = next(paper for paper in PAPERS if paper.lower() == word.lower())
        if kind == "players" and slot == "--goal":
            word = self._hands(int(word))
        self.options += [slot, self._value(word, slot)]
        if slot in ("--paper", "--language") and "--pdf" in self.known and "--pdf" not in self.options:
            self.options += ["--pdf", "deal.pdf"]

    def _value(self, value: str, option: str) -> str:
        """Return the value of an option as fairdeck writes it."""
        if option == "--exec" and (Path(value).exists() or " " not in value):
            runs = os.access(value, os.X_OK) or _ending(value) not in ("program", "python")
            return value if runs else started(value)
        if re.fullmatch(LOOKS["size"], value.lower()):
            return "hands:" * (option == "--goal") + re.sub(r"\*|by", "x", value.lower())
        if re.fullmatch(GROUPED, value):
            return _plain(value)
        if option == "--mat" and value.isdecimal():
            return f"{value}x1"
        hands = re.fullmatch(r"hands?:(\d+)", value)
        return self._hands(int(hands[1])) if hands else value

    def _hands(self, players: int) -> str:
        others = (word for word in self.words if word != str(players))
        cards = next((int(word) for word in (*self.places.get("CARDS", ()), *others) if word.isdecimal()), 52)
        each, left = divmod(cards, max(players, 1))
        if not each:
            raise FairdeckError(f"{cards} cards are too few for {players} players")
        return f"hands:{players}x{each}" + ("+rest" if left else "")

    def _take_unknown(self, name: str, value: str | None) -> None:
        """Put the value of an option that is not known into its place, or name the option that was meant."""
        near = get_close_matches(name.lower(), self.known, 1, SPELT)
        kind = _kind(value) if value else ""
        if kind == "number" and re.fullmatch(PLAYED, name.lstrip("-").lower()):
            kind = "players"
        if value and not near and kind in SLOTS:
            self._place(value, kind, joins=kind != "number")  # the number of an option is no further item of a list
            return
        near = near or get_close_matches(name.lower(), self.known, 1, NEAR)
        if near and near[0] not in self.options:
            takes = self.known[near[0]].nargs != 0
            self.options += [near[0], *([self._value(value, near[0])] if value and takes else [])]

    def _complete(self) -> None:
        """Add what the command must have, as its first example has it."""
        examples = import_module(f"fairdeck.cli.commands.{self.command}").EXAMPLES
        own = (line for line in examples if f"{line} ".startswith(f"fairdeck {' '.join(self.prefix)} "))
        example = shlex.split(next(own, next(iter(examples))))[1 + len(self.prefix) :]
        usual = takewhile(lambda word: not word.startswith("-"), example)
        for (name, action), word in zip(self.positional.items(), usual, strict=False):
            needed = (action.required or name in ("SHUFFLE", "CARDS")) and INSTEAD.isdisjoint(self.options)
            if needed and not self.places[name]:
                self.places[name].append(word)
        for action in self.parser._actions:
            option = action.option_strings[0] if action.option_strings else ""
            needed = action.required or (option == "--people" and "--join" not in self.options)
            if needed and option in example and not set(action.option_strings) & set(self.options):
                self.options += example[example.index(option) :][:2]


def _accepts(name: str, action: Action, word: str, kind: str) -> bool:
    """Say whether a place takes words of any kind."""
    if action.choices is not None:
        return word in action.choices
    return name in ("N | ITEM", "RIFFLE", "ORDER", "RULE", "SCHEME", "NAME", "COMMAND") and kind not in FILES


def _within(word: str, kind: str) -> tuple[str, str]:
    """Return the word that a command takes for this one, and its kind: what a folder or a file of Python holds."""
    if kind == "folder":
        word = _in_folder(word) or word
        kind = _ending(word)
    if kind == "python":
        named = re.search(r"^def (\w+)\(", _head(word), re.MULTILINE)
        return f"{word}:{named[1] if named else 'shuffle'}", "function"
    if kind == "players":
        return re.sub(r"\D", "", word), kind
    if kind == "game":
        return str(_game(word.lower())), "number"
    return (_plain(word) if kind == "number" else word), kind


def _plain(number: str) -> str:
    """Return a number without what parts its groups of three digits."""
    return re.sub(r"[,.'’]", "", number)
