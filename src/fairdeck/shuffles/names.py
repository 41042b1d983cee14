"""Reading the names of shuffles: one word, one with parameters, or a recipe of several.

    recipe = part { "+" part }
    part   = ( word [ "(" parameter { "," parameter } ")" ] | "(" recipe ")" ) [ "*" times ]

So ``riffle*7``, ``shelf(20)*2``, ``riffle(cut=0.6)``, ``(riffle*2 + strip)*2 + cut``. Every command
reads names here; an error is one line that points at the column. A word may also be what people say, and how often:
``7 riffles``, ``Riffle 7``, ``Mash shuffle``, ``smoosh``.
"""

import re
from collections.abc import Container, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import cast

from fairdeck.doors import checked
from fairdeck.errors import FairdeckError, nearest
from fairdeck.numbers import decimal_number, whole
from fairdeck.shuffles.known import Family, Known, Parameter, Value
from fairdeck.shuffles.recipes import MOST_TIMES, Step, check_step, composed, steps_of

LONGEST_NAME = 1_000  # characters
DEEPEST = 20  # parentheses within one another
SIGNS = "()*+,="

# What people call a shuffle, and how they say how often.
SYNONYMS = {
    "dovetail": "riffle",
    "gsr": "riffle",
    "table-riffle": "riffle",
    "turning-riffle": "turn",
    "six-deck": "shoe-ladder",
    "eight-deck": "shoe-ladder",
    "shoe": "shoe-ladder",
    "weave": "mash",
    "push-through": "mash",
    "smoosh": "wash",
    "smush": "wash",
    "scramble": "wash",
    "scrambling": "wash",
    "washing": "wash",
    "chemmy": "wash",
    "faro": "faro-out",
    "perfect-shuffle": "faro-out",
    "out-shuffle": "faro-out",
    "in-shuffle": "faro-in",
    "stripping": "strip",
    "running-cuts": "strip",
    "kenchi": "hindu",
    "boxing": "box",
    "piles": "pile",
    "pile-counting": "pile",
    "riffling": "riffle",
    "mashing": "mash",
}
OFTEN = re.compile(r"(?P<before>\d+)(?: times| ?x)? (?P<name>\D.*)|(?P<same>.*?\D) (?:x ?)?(?P<after>\d+)(?: times)?")
NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
ENDINGS = ("", "s", "es", "-shuffle", "-shuffles", "-shuffling")


@cache
def registry() -> dict[str, Known]:
    """Return every known shuffle by its name, in alphabetical order, without the members of families."""
    found = [known for module in _modules() for known in getattr(import_module(module), "KNOWN", ())]
    return {known.name: known for known in sorted(found, key=lambda known: known.name)}


@cache
def families() -> dict[str, Family]:
    """Return every family of shuffles by its name, in alphabetical order."""
    found = [family for module in _modules() for family in getattr(import_module(module), "FAMILIES", ())]
    return {family.name: family for family in sorted(found, key=lambda family: family.name)}


def _modules() -> list[str]:
    package = import_module("fairdeck.shuffles")
    return [f"{package.__name__}.{module.name}" for module in iter_modules(package.__path__)]


@checked
@lru_cache(maxsize=1024)
def find(name: str) -> Known:
    """Return the shuffle called `name`, which may have parameters and may be a recipe.

    Raises:
        FairdeckError: no shuffle has this name, a parameter is wrong, or a step cannot be repeated or
            followed by another; the message names the column.

    >>> find("riffle*7").name
    'riffle*7'
    >>> find("( riffle*2+strip ) * 2 + shelf(20)").name
    '(riffle*2 + strip)*2 + shelf(20)'
    """
    if len(name) > LONGEST_NAME:
        raise FairdeckError(f"the name of a shuffle has up to {LONGEST_NAME:,} characters; this one has {len(name):,}")
    reader = _Reader(name)
    known = reader.recipe()
    if reader.at < len(name):
        raise reader.wrong(reader.at, f"{name[reader.at]!r} is misplaced; join shuffles by +, as in riffle*3 + cut")
    return known


@checked
def recipe_steps(name: str) -> tuple[Step, ...]:
    """Return the flat steps of the shuffle called `name`, to look up their laws one by one.

    Raises:
        FairdeckError: as `find`; or the shuffle continues from its last deck, so it is no step.

    >>> [(step.known.name, step.times) for step in recipe_steps("(riffle*2 + a-shuffle(5))*2 + cut")]
    [('riffle', 2), ('a-shuffle(5)', 1), ('riffle', 2), ('a-shuffle(5)', 1), ('cut', 1)]
    """
    known = find(name)
    check_step(known)
    return steps_of(known)


class _Reader:
    """Reads a name from left to right; `at` is the next character."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth = text, 0, 0

    def wrong(self, at: int, message: str) -> FairdeckError:
        """Return an error that points at a character, unless the name is one word."""
        if not any(sign in self.text for sign in SIGNS):
            return FairdeckError(message)
        shown = self.text if len(self.text) <= 80 else f"{self.text[:77]}..."
        return FairdeckError(f"{shown!r}, column {at + 1}: {message}")

    @contextmanager
    def _pointing(self, at: int, more: str = "") -> Iterator[None]:
        """Let an error from elsewhere point at a character."""
        try:
            yield
        except FairdeckError as error:
            raise self.wrong(at, f"{error}{more}") from None

    def recipe(self) -> Known:
        """Read parts joined by plus signs."""
        self._skip()
        start, parts = self.at, [self._part()]
        while self._sign("+"):
            parts.append(self._part())
        for at, known, _ in parts if len(parts) > 1 else ():
            with self._pointing(at):
                check_step(known)
        with self._pointing(start):
            return composed([(known, times) for _, known, times in parts])

    def _part(self) -> tuple[int, Known, int]:
        self._skip()
        start = self.at
        if self._sign("("):
            self.depth += 1
            if self.depth > DEEPEST:
                raise self.wrong(start, f"parentheses go up to {DEEPEST} deep")
            known = self.recipe()
            self.depth -= 1
            self._close(start)
        else:
            known, text = self._one()
            if text != "1":
                return start, *self._repeated(start, start, known, text)
        if not self._sign("*"):
            return start, known, 1
        self._skip()
        at, text = self.at, self._word()
        return start, *self._repeated(start, at, known, text)

    def _repeated(self, start: int, at: int, known: Known, text: str) -> tuple[Known, int]:
        """Return a shuffle and how often it is done, which is written at `at`."""
        with self._pointing(at):
            times = whole("how many times", text, 1, MOST_TIMES)
        with self._pointing(start, f"; it cannot be repeated as {f'{known.name}*{text}'!r}"):
            check_step(known)
        return known, times

    def _one(self) -> tuple[Known, str]:
        """Read a word, and what stands in parentheses behind it; return how often as well, if the word says it."""
        start, word = self.at, self._word()
        often, said = "1", word.lower().split()
        if word not in families() and word not in registry():
            told = understood(word, registry().keys() | families().keys())
            word, often = told or (word, "1")
        known = self._called(start, word)
        family = families().get(known.name)
        unclear = said[-1:] == [often] and "x" not in said  # as in overhand 20; 20 overhand shuffles is clear
        if often != "1" and unclear and family is not None and not all(each.named for each in family.takes):
            raise self.wrong(start, f"that can mean {word}({often}) or {word}*{often}: write one of them")
        return known, often

    def _called(self, start: int, word: str) -> Known:
        family, known = families().get(word), registry().get(word)
        if family is None and known is None:
            if not word and self.text.strip():
                raise self.wrong(start, "the name of a shuffle is missing here; see: fairdeck shuffles")
            raise self.wrong(start, f"no shuffle is called {word!r}{_near(word) or ';'} see: fairdeck shuffles")
        opened, told = self.at, dict[str, Value]()
        if self._sign("("):
            if family is None:
                raise self.wrong(opened, f"{word} takes no parameters; those that do: {', '.join(families())}")
            told = self._parameters(family, opened)
            start = opened
        if known is not None and not told:
            return known
        with self._pointing(start):
            return cast(Family, family).member(told)

    def _parameters(self, family: Family, opened: int) -> dict[str, Value]:
        told: dict[str, Value] = {}
        in_turn = [parameter for parameter in family.takes if not parameter.named]
        self._skip()
        if self._sign(")"):
            return told
        while True:
            self._skip()
            at, text = self.at, self._word()
            if self._sign("="):
                found = next((each for each in family.takes if each.name == text), None)
                if found is None:
                    near = nearest(text, [each.name for each in family.takes]) or ";"
                    raise self.wrong(at, f"{family.name} has no {text!r}{near} it takes {_listed(family)}")
                self._skip()
                at, text = self.at, self._word()
            elif not in_turn:
                raise self.wrong(at, f"{family.name} does not take {text!r} here; write {_listed(family)}")
            else:
                found = in_turn[0]
            if found.name in told:
                raise self.wrong(at, f"the {found.name} of {family.name} is given twice")
            told[found.name] = self._value(family, found, at, text)
            in_turn = [each for each in in_turn if each.name not in told]
            if not self._sign(","):
                break
        self._close(opened)
        return told

    def _value(self, family: Family, parameter: Parameter, at: int, text: str) -> Value:
        what = f"{parameter.name} of {family.name}"
        with self._pointing(at):
            if parameter.kind is int:
                return whole(what, text, int(parameter.least), int(parameter.most))
            return decimal_number(text, what, parameter.least, parameter.most)

    def _close(self, opened: int) -> None:
        if self._sign(")"):
            return
        if self.at == len(self.text):
            raise self.wrong(opened, "this parenthesis is never closed")
        stray = f"{self.text[self.at]!r} at column {self.at + 1}"
        raise self.wrong(opened, f"{stray} comes before this parenthesis is closed")

    def _skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def _sign(self, sign: str) -> bool:
        self._skip()
        found = self.text.startswith(sign, self.at)
        self.at += found
        return found

    def _word(self) -> str:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in SIGNS:
            self.at += 1
        return self.text[start : self.at].strip()


def understood(text: str, known: Container[str]) -> tuple[str, str] | None:
    """Return the known name that somebody means, and how often, in digits; None if it is none.

    >>> understood("Riffle Shuffle", {"riffle"}), understood("7x riffle", {"riffle"}), understood("Smoosh", {"wash"})
    (('riffle', '1'), ('riffle', '7'), ('wash', '1'))
    """
    text = " ".join(str(NUMBERS.index(word) + 1) if word in NUMBERS else word for word in text.lower().split())
    often = OFTEN.fullmatch(text)
    name, times = (text, "1") if often is None else (often["name"] or often["same"], often["before"] or often["after"])
    name = name.replace(" ", "-")
    for ending in ENDINGS:
        if name.endswith(ending):
            bare = name.removesuffix(ending)
            for candidate in (bare, SYNONYMS.get(bare, "")):
                if candidate in known:
                    return candidate, times
    return None


def _listed(family: Family) -> str:
    return ", ".join(f"{each.name}={each.least}..{each.most}" for each in family.takes)


def _near(name: str) -> str:
    from difflib import get_close_matches  # for a slip only

    names = dict.fromkeys([*registry(), *families()])
    meant = {spelt: each for each in names for spelt in (each, f"{each}-shuffle", f"{each}s")}
    said = "-".join(word for word in name.lower().split() if not word.isdigit() and word not in ("x", "times"))
    spelt = get_close_matches(said, [*meant, *SYNONYMS], 3, 0.7)
    close = [meant.get(each, f"{each} ({SYNONYMS.get(each)})") for each in spelt]
    close = close or get_close_matches(said, names, 3)
    return f"; did you mean {', '.join(dict.fromkeys(close))}?" if close else ""
