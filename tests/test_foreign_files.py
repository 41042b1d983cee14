"""Every format that a registry knows, changed as bad copies, spreadsheets and attackers change files: read, or refused.

The formats are found, and one without a sample fails here. A change that is still read must not pass for more than it
is: cards come from their line, and no line is lost. ``ROUNDS`` times as many changes: 1 takes some seconds.
"""

import gzip
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from fairdeck import FairdeckError
from fairdeck.cards import boards, logs
from fairdeck.cards.boards.choosing import chosen
from fairdeck.cards.languages import PACKS, pack
from fairdeck.cards.lists import DeckList, formats, read_list
from fairdeck.cards.names import GLYPHS
from fairdeck.cards.text import decode, tidied
from fairdeck.lab.sources import file as file_module
from fairdeck.lab.sources.file import open_file
from fairdeck.lab.sources.observed import Observed
from tests.fuzz import readers
from tests.test_board_formats import FILES, WRITTEN, bytes_of, session_of
from tests.test_card_logs import PLAIN
from tests.test_lists import SAMPLES, rows

ROUNDS = 1
LISTS = [(name, text.encode()) for text, (name, *_) in SAMPLES.items()]
BOARDS = [
    *((name.partition(",")[0], bytes_of(text)) for name, text in FILES.items()),
    *((name, boards.write_boards(session_of(), name)) for name in WRITTEN),
]
LOGS = [("", text if isinstance(text, bytes) else text.encode()) for text in PLAIN]
POKER = b"PokerStars Hand #1: x\nDealt to me [Qh 7s]\n"
BINARY = ("BRI", "DGE", "DUP")
OF_PACKS = {card for language in PACKS for card in pack(language)} | {*GLYPHS.values()}
PIECES = [b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\n\n", b"\xe2\x80\xa8", b'"', b"'", b"<", b"[", b"{", b"|", b","]
PIECES += [b";", b"\t", b"4 ", b"#", b":", b"-", b"9" * 5_000, b" " * 3_000, b"\\", b"&a;", b"<!--", b"\xc2\x9b"]
ONE = ["[", "{}", '["', '[Deal "', "\n", '"', "\\", "% \n", '[A "\\', "; ", " ", '""', "md|1|", "qx|", "|", "N:", "n "]
ONE += ["01", "\6\3", "Board 1=", "ah|1", "#\n", "A x\n", "4 ", "1. a\n", "a,", "(", "<a>", '{"a":', "9", "1,a\n", "🂡"]
ONE += ["4 Fox [", "x (1)\n", "AS", "AS\n", "1 | 2\n", "0,1\n", "4 A (B) ", "\r", "\0", "é", "Dealt to a [", "{\n"]
BOMBS = {f"{piece!r} again and again": f"{piece * 10_000}".encode() for piece in ONE} | {
    "gzip": gzip.compress(bytes(10_000_000)),
    "gzip, as text": b"4 Fox\n" + gzip.compress(bytes(1_000_000)),
    "deep XML": b"<cockatrice_deck>" + b"<zone>" * 60_000,
    "an entity": b'<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Deck><Cards Quantity="1" Name="&b;"/></Deck>',
    "attributes": b"<Deck " + b" ".join(b"a%d='1'" % at for at in range(20_000)) + b"/>",
    "many copies": b"1000000 Fox\n" * 10_000,
    "a long name": b"4 " + b"x" * 300_000,
    "a deep deck": b'{"slots": ' + b"[" * 60_000 + b"]" * 60_000 + b"}",
}


def read_cards(data: bytes, as_: str | None = None) -> DeckList:
    return read_list(decode(data)[0], as_)


def changed(data: bytes, chance: Random) -> bytes:
    """Return a file with a change of the kind that happens to files."""
    lines, at, begin = data.split(b"\n"), chance.randrange(data.count(b"\n") + 1), chance.randrange(len(data) + 1)
    piece, end = chance.choice(PIECES), begin + chance.choice((0, 0, 1, 1, 5, 40))
    return chance.choice(
        (
            lambda: data[:begin] + bytes([chance.randrange(256)]) + data[begin + 1 :],
            lambda: data[:begin] + data[end:],
            lambda: data[:begin] + piece + data[end:],
            lambda: data[:begin] + data[end : end + 9] + data[begin:],
            lambda: b"\n".join(lines[:at] + lines[at + 1 :]),
            lambda: b"\n".join(lines[: at + 1] + lines[at:]),
            lambda: b"\n".join(chance.sample(lines, len(lines))),
            lambda: b"\n".join([*lines[:at], lines[at] * (1 + 3_000 // (1 + len(lines[at]))), *lines[at + 1 :]]),
            lambda: data.decode("latin-1").encode(chance.choice(("utf-8", "utf-16", "utf-16-le", "utf-32"))),
            lambda: data[:begin] + re.sub(rb"\d+", b"9" * chance.choice((6, 8, 400)), data[begin:], count=1),
            lambda: data + data,
        )
    )()


def tried(read: Callable[[bytes], object], data: bytes) -> bool:
    """Read a file, and return whether it is accepted; fail unless it is refused in one line, in time."""

    def told(content: bytes) -> None:
        try:
            read(content)
        except FairdeckError as error:
            assert str(error).isprintable(), error
            assert len(str(error)) < 500, error
            raise

    try:
        return readers.attempt(told, data)
    except Exception as error:  # whatever it is: the message says how to see it again
        pytest.fail(f"{data[:2_000]!r}: {type(error).__name__}: {error}"[:3_000])


def fuzzed(samples: list[tuple[str, bytes]], read: Callable[[bytes], object], rounds: int) -> None:
    chance = Random(37)
    for _, sample in samples:
        taken = sum(tried(read, changed(changed(sample, chance), chance)) for _ in range(rounds // 4 * ROUNDS))
        taken += sum(tried(read, changed(sample, chance)) for _ in range(rounds * ROUNDS))
        assert taken, sample


def test_every_format_has_a_sample():
    assert {name for name, _ in LISTS} == set(formats())
    assert {name for name, _ in BOARDS} == {each.name for each in boards.formats()}
    found = [logs.find(decode(data)[0].splitlines(), logs.Asked()) for _, data in (*LOGS, ("", POKER))]
    assert {type(each).__module__ for each in found if each} == {each.__name__ for each in logs._formats()}


@cache
def letters(text: str) -> str:
    return re.sub(r"\W", "", text.lower())


def accounted(data: bytes) -> None:
    """Read a list; its cards stand in their lines, each as often as that line says, and no line is lost."""
    text = decode(data)[0]
    found = read_list(text)
    again = read_list(found.as_text(), "counts")
    assert rows(again.main + again.aside) == rows(found.main + found.aside)
    entries, lines = (*found.main, *found.aside), [tidied(line) for line in text.splitlines()]
    copies = Counter[int]()
    for entry in entries:
        copies[entry.line] += entry.copies
    if found.format == "xml":
        assert copies.total() == sum(
            map(int, re.findall(r'(?:number|Quantity)\s*=\s*["\'](\d+)', text.replace("\0", "")))
        ), "copies are lost"
    elif found.format != "slots":
        for entry in entries:
            line = lines[entry.line - 1]
            assert entry.copies == 1 or re.search(rf"(?<!\d)0*{entry.copies}(?!\d)", line), f"{entry} is not there"
            assert entry.name in OF_PACKS or letters(entry.name) in letters(line), f"{entry} is not so"
        for at, line in enumerate(lines, 1):
            lost = at not in copies and re.match(r"(?:SB:\s*)?\d+(?:x\s|\s|[,;.)])\s*\w", line)
            assert not lost or found.format == "ydk", f"line {at} is lost"


def test_a_list_that_was_changed_is_read_as_it_is_or_refused():
    fuzzed(LISTS, accounted, 28)


def dealt(data: bytes) -> None:
    """Read boards; each has different cards, 13 a hand, and every format that can hold them gives them back."""
    found = chosen(boards.read_boards(data)[0])
    for board in found:
        held = [card for hand in board.hands for card in hand]
        assert len(set(held)) == len(held), "a card is there twice"
        assert {len(hand) for hand in board.hands} <= {0, 13}
    readers.boards(data)


def test_boards_that_were_changed_are_read_or_refused():
    fuzzed(BOARDS, dealt, 28)
    chance = Random(5)
    for name, sample in BOARDS:
        if len(right := boards.read_boards(sample)[0]) == 4:  # a change in one place changes at most two boards
            for _ in range(12 * ROUNDS):
                at = chance.randrange(len(sample))
                spoilt = sample[:at] + bytes([chance.randrange(256)]) + sample[at + 1 :]
                with_it = boards.read_boards(spoilt)[0] if tried(dealt, spoilt) else []
                others = {board.hands for board in with_it} - {board.hands for board in right}
                assert len(others) <= 2, (name, spoilt)


@pytest.fixture
def log(tmp_path, monkeypatch):
    """Return a reader of logs."""
    monkeypatch.setattr(file_module, "MOST_COUNTED", 100)
    path = tmp_path / "log"

    def read(data: bytes) -> list[list[int]]:
        path.write_bytes(data)
        with open_file(str(path)) as source:
            found = [deck for block in source.blocks([2, 5, 1_000]) for deck in block.decks.tolist()]
        assert all(sorted(deck) == [*range(source.cards)] for deck in found), "not a deck"
        shown = 1 if isinstance(source, Observed) else source.cards  # of what is seen, the rest is drawn
        assert len(found) * shown <= len(data), "made up"
        return found

    return read


def test_logs_that_were_changed_are_read_or_refused(log):
    fuzzed(LOGS, log, 16)
    chance = Random(7)
    assert any(tried(log, changed(POKER, chance)) for _ in range(40 * ROUNDS))


@pytest.mark.parametrize("change", ["CRLF", "CR", "mark", "UTF-16", "empty lines"])
def test_what_another_program_writes_as_it_likes_changes_nothing(change, log):
    ways: dict[str, Callable[[str], bytes]] = {
        "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
        "CR": lambda text: text.replace("\n", "\r").encode(),
        "mark": lambda text: ("\ufeff" + text).encode(),
        "UTF-16": lambda text: text.encode("utf-16"),
        "empty lines": lambda text: f"{text}\n\n \n".encode(),
    }
    for samples, read in ((LISTS, read_cards), (BOARDS, lambda data: boards.read_boards(data)[0]), (LOGS, log)):
        for name, sample in samples:
            if name not in BINARY and not (samples is LOGS and change == "CR"):
                text = decode(sample)[0].replace("\r\n", "\n").lstrip("\ufeff")
                assert read(ways[change](text)) == read(text.encode()), (name, text)


@pytest.mark.parametrize("bomb", BOMBS)
def test_what_is_made_to_take_long_is_read_or_refused_in_time(bomb, log):
    tried(log, BOMBS[bomb])
    tried(boards.read_boards, BOMBS[bomb])
    for way in (None, *formats()):
        tried(lambda data, way=way: read_cards(data, way), BOMBS[bomb])
