"""Rounds that were dealt from seeds, a table or JSON objects: read, computed again, compared.

Columns are found by their names. A server seed is a text, and is hashed as it is written, even if it is a number.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from itertools import chain, islice, pairwise
from typing import Any

from fairdeck.cards.bridge_hands import read_four
from fairdeck.cards.cells import RULE, cells, is_number, table, words
from fairdeck.cards.languages import playing_cards
from fairdeck.cards.logs import SEEN
from fairdeck.cards.names import undivided
from fairdeck.cards.text import excerpt, shown
from fairdeck.errors import FairdeckError, naming, nearest_or_all
from fairdeck.numbers import whole
from fairdeck.trust.derivations import Derivation

# What a column holds, and how its name is spelt, in small letters without blanks and marks.
FIELDS = {
    "server": ("the server seed", "(un(hash|encrypt)ed|revealed)?(server|secret)(seed)?(un(hash|encrypt)ed|revealed)?"),
    "hash": ("the hash of the server seed", "(?!.*(unhash|client)).*(server|secret|seed).*hash.*|hash.*seed|hash"),
    "client": ("the client seed", "(your|my)?(client|public|player|user)(seed)?"),
    "nonce": ("the nonce", "nonce|betnumber"),
    "owner": ("the owner", "owner"),
    "seed": ("the seed", "seed|hash"),
    "board": ("the board", "board(number|no)?"),
    "sources": ("the sources", "sources?|key(string)?"),
    "pool": ("the pool", "pool(size)?"),
    "cards": ("the cards", "cards|results?|outcome|hand|deck|deal|hits|mines|numbers|selected|chosen"),
}
DEAL = re.compile(r"[NESW]:.+", re.IGNORECASE)  # as in Portable Bridge Notation
BETWEEN = {"-", "–", "|", "/", "+"}  # what stands between cards, and is none
LISTS = {"cards", "pool"}
LONGEST_TEXT = 1_000  # of a seed or sources
MOST_CARDS = 10_000
MOST_NONCE = 10**18
MOST_TOLD = 5  # rows or seeds that a sentence names
SHA256 = re.compile("[0-9a-f]{64}")
LONGEST_SEED = 12  # letters that a sentence shows


@dataclass
class Checked:
    """What was found in rounds."""

    rounds: int = 0  # that were computed again
    hidden: int = 0  # whose server seed is not shown yet
    committed: int = 0  # server seeds that match their hashes
    size: int = 0  # cards of the largest deck
    dealt: int = 0  # the most cards of a round
    fewest: int = MOST_CARDS  # cards of a round
    first_fault: str = ""
    wrong_cards: list[str] = field(default_factory=list)  # where they stand
    wrong_hashes: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def fault(self, places: list[str], where: str, says: str) -> None:
        """Note where something does not fit, and of the first fault what it is."""
        places.append(where)
        self.first_fault = self.first_fault or f"{where}: {says}"


def check(derivation: Derivation, lines: Iterable[str], asked: Mapping[str, str]) -> Checked:
    """Compute all rounds again, and compare the cards and the hashes of the server seeds.

    Args:
        derivation: how the cards follow from the seeds.
        lines: of the file.
        asked: names of columns by the fields in `FIELDS`, where the names do not say it.
    """
    for name in asked:
        if name not in FIELDS:
            raise FairdeckError(f"--columns: {excerpt(name)} is no field{nearest_or_all(name, FIELDS)}")
    done, seeds, names, columns = Checked(), _Seeds(), list[str](), dict[str, str]()
    for where, values in _rows(lines):
        with naming(where):
            if names != list(values):
                hidden = {"server"} if names else set[str]()  # an object may leave out what is not shown yet
                names, columns = list(values), _columns(derivation, list(values), asked, hidden)
            _check_round(derivation, where, {name: values.get(each) for name, each in columns.items()}, done, seeds)
    if not done.rounds:
        raise FairdeckError("no round shows its server seed yet" if done.hidden else "write a round on each line")
    done.remarks += seeds.remarks(done)
    return done


# --- rows and columns


def _rows(lines: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of a table, or the objects on the lines: where each stands, and its values by their names."""
    lines = iter(lines)
    head = list(islice(lines, SEEN))
    found = table(head)
    if not found and not "".join(head).lstrip().startswith("{"):
        raise FairdeckError("it has neither columns nor JSON objects: write the names of the columns in the first line")
    names: list[str] = []
    for at, line in enumerate(chain(head, lines), 1):
        if not line.strip() or RULE.fullmatch(line.strip()):
            continue
        if found and not names:
            names = cells(line, found.mark)
            if twice := Counter(names) - Counter(set(names)):
                raise FairdeckError(f"two columns have the name {excerpt(next(iter(twice)))}: give each another one")
        elif found:
            row = cells(line, found.mark)
            if len(row) != len(names):
                raise FairdeckError(f"line {at} has {len(row)} cells, and the first line {len(names)}: write as many")
            yield f"line {at}", dict(zip(names, row, strict=True))
        else:
            try:
                with naming(f"line {at}"):
                    each = _object(line)
            except FairdeckError:
                raise
            except (ValueError, TypeError, RecursionError):
                raise FairdeckError(f"line {at}: {excerpt(line)} is no JSON object: write one on each line") from None
            inner = {
                f"{name}.{key}": each[name][key] for name in each if isinstance(each[name], dict) for key in each[name]
            }
            yield f"line {at}", {name: part for name, part in (each | inner).items() if not isinstance(part, dict)}


def _columns(derivation: Derivation, names: list[str], asked: Mapping[str, str], hidden: Set[str]) -> dict[str, str]:
    """Return the column of each field that a derivation reads."""
    spelt = {name: re.sub(r"[\W_]", "", name.lower()) for name in names}
    found = {}
    for name in (*derivation.fields, "cards", *["hash"] * ("server" in derivation.fields)):
        called, pattern = FIELDS[name]
        fitting = [each for each in names if re.fullmatch(pattern, spelt[each])]
        fitting = [each for each in names if each == asked[name]] if name in asked else fitting
        if len(fitting) > 1:
            both = " or ".join(map(excerpt, fitting[:2]))
            raise FairdeckError(f"{called} may be in {both}: say which, with --columns {name}={shown(fitting[0])[:40]}")
        if fitting:
            found[name] = fitting[0]
        elif name not in hidden and (name != "hash" or name in asked):
            there = shown(", ".join(names))[:200]
            raise FairdeckError(f"no column of {there} holds {called}: say which, with --columns {name}=NAME")
    return found


def _object(line: str) -> dict[str, Any]:
    """Return an object; a number with a point is a text, as it is written."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if twice := Counter(name for name, _ in pairs) - Counter({name for name, _ in pairs}):
            raise FairdeckError(f"two values have the name {excerpt(next(iter(twice)))}: leave one out")
        return dict(pairs)

    return dict(json.loads(line, object_pairs_hook=once, parse_float=str, parse_constant=str))


def _text(value: Any) -> str:
    """Return a value as a text; a list, such as of sources, with slashes between its parts."""
    if isinstance(value, list):
        return "/".join([str(each).strip("[]") for each in value])
    return "" if value is None else str(value).strip()


def _words(value: Any) -> list[str]:
    """Return the words of a cell or a list; a deal of four hands is one word."""
    if isinstance(value, list):
        return [str(each).strip() for each in value]
    text = _text(value)
    return [text] if DEAL.fullmatch(text) else [word for word in words(text) if word not in BETWEEN]


# --- cards


def _check_round(derivation: Derivation, where: str, values: dict[str, Any], done: Checked, seeds: "_Seeds") -> None:
    each = {name: _text(value) for name, value in values.items() if name not in LISTS}
    for name, text in each.items():
        if len(text) > LONGEST_TEXT or text.encode(errors="replace").decode() != text:
            raise FairdeckError(f"{FIELDS[name][0]} {excerpt(text)}: write up to {LONGEST_TEXT:,} letters")
    if each.get("server") == "":
        done.hidden += 1
        return
    done.rounds += 1
    if "server" in each:
        each["nonce"] = str(whole("nonce", each["nonce"], 0, MOST_NONCE))
        seeds.note(where, each, done)
    pool = _words(values["pool"]) if "pool" in values else []
    if len(pool) == 1:
        pool = list(map(str, range(1, whole("pool", pool[0], 1, MOST_CARDS) + 1)))
    cards, given = tuple(pool) or derivation.cards, _words(values["cards"])
    given = given if pool else list(chain.from_iterable(_cards(word, cards) for word in given))
    if not 0 < len(given) <= MOST_CARDS:
        raise FairdeckError(f"{len(given)} cards: write 1 to {MOST_CARDS:,}, in the order in which they were dealt")
    dealt = derivation.dealt(each, cards, len(given))
    done.size, done.dealt = max(done.size, len(cards)), max(done.dealt, len(dealt))
    done.fewest = min(done.fewest, len(dealt))
    if given == dealt or (not derivation.ordered and sorted(given) == sorted(dealt)):
        return
    at = next((at for at, pair in enumerate(zip(given, dealt, strict=False)) if pair[0] != pair[1]), len(dealt))
    wanted = shown(dealt[at]) if at < len(dealt) else "no more"
    says = f"card {at + 1} is {shown(given[at])[:40]}, and {derivation.name} gives {wanted}"
    if not derivation.ordered:
        other = next(iter(Counter(given) - Counter(dealt)))
        says = f"{shown(other)[:40]} is not among the first {len(dealt):,} of {derivation.name}, or is there less often"
    done.fault(done.wrong_cards, where, says)


@lru_cache(4_096)
def _cards(word: str, cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards of a deck that a word names, by their names or by their numbers from 0 on."""
    if DEAL.fullmatch(word):
        return tuple(chain.from_iterable(read_four(word[2:].split(), "cards", word[0].upper())))
    number = int(word) if is_number(word) else -1
    if str(number) in cards:
        return (str(number),)
    if is_number(cards[0]):
        raise FairdeckError(f"card {excerpt(word)}: write a number, {cards[0]} to {cards[-1]}")
    named = cards[number : number + 1] if number >= 0 else playing_cards(undivided(word))[1]
    if not named:
        raise FairdeckError(f"card {excerpt(word)}: write A♠, 10h or a number, 0 to {len(cards) - 1}")
    return named


# --- server seeds and nonces


class _Seeds:
    """The server seeds of all rounds: what their hashes say, and the nonces that each pair of seeds had."""

    def __init__(self) -> None:
        self.read: dict[tuple[str, str], str] = {}  # the seed that is used, by seed and hash as they stand there
        self.nonces: dict[tuple[str, str], list[int]] = {}
        self.last = self.back = ""
        self.bare = self.lowered = False

    def note(self, where: str, each: dict[str, str], done: Checked) -> None:
        """Note the seeds of a round, and give it the server seed as its hash has it."""
        key = each["server"], each.get("hash", "").lower()
        if key not in self.read:
            self.read[key] = self._read(where, *key, done)
        elif key[0] != self.last:
            self.back = self.back or f"{where}: server seed {_short(key[0])} comes back after another one"
        self.last, each["server"] = key[0], self.read[key]
        self.nonces.setdefault((each["server"], each["client"]), []).append(int(each["nonce"]))

    def _read(self, where: str, seed: str, stated: str, done: Checked) -> str:
        made = {sha256(way.encode()).hexdigest(): way for way in (seed.lower(), seed)}  # Excel and people use capitals
        used = made.get(stated, seed)
        self.bare |= not stated
        self.lowered |= used != seed
        if stated and not SHA256.fullmatch(stated):
            raise FairdeckError(f"hash {excerpt(stated)}: write the 64 digits of a SHA-256, or nothing")
        done.committed += stated in made
        if stated and stated not in made:
            says = f"the server seed has the SHA-256 {_short(list(made)[-1])}, and {_short(stated)} stands there"
            done.fault(done.wrong_hashes, where, says)
        return used

    def remarks(self, done: Checked) -> Iterator[str]:
        """Yield what a reader should know, and what is no fault by itself."""
        if done.hidden:
            yield f"rounds without a server seed yet, which were not checked: {done.hidden:,}"
        if self.bare:
            yield "some server seeds have no hash (--columns hash=NAME): nothing here binds the site to them"
        if self.lowered:
            yield "server seeds were read in small letters, as their hashes have them"
        if self.back:
            yield f"{self.back}: who has seen it can foretell its rounds"
        told = list(filter(None, (_gaps(*pair, sorted(nonces)) for pair, nonces in self.nonces.items())))
        yield from told[:MOST_TOLD]
        if len(told) > MOST_TOLD:
            yield f"so it is with {len(told) - MOST_TOLD:,} more pairs of seeds"


def _gaps(server: str, client: str, nonces: list[int]) -> str:
    """Return which nonces of a pair of seeds are missing or come again; empty if they follow one another."""
    pairs, different = list(pairwise(nonces)), len(set(nonces))
    again = next((one for one, other in pairs if one == other), None)
    gap = next((one + 1 for one, other in pairs if other > one + 1), None)
    missing = nonces[-1] - nonces[0] + 1 - different
    says = [] if gap is None else [f"missing nonces: {missing:,}, the first is {gap}"]
    says += [] if again is None else [f"nonces that come again: {len(nonces) - different:,}, the first is {again}"]
    return f"seeds {_short(server)} and {_short(client)}: {'; '.join(says)}" if says else ""


def _short(seed: str) -> str:
    return shown(seed if len(seed) <= LONGEST_SEED else f"{seed[:LONGEST_SEED]}...")
