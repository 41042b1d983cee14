"""Files of whole decks in which a deck is not simply a line: tables, JSON lines, the long form, cards in a column."""

import json
import sqlite3
from contextlib import closing
from random import Random

import numpy as np
import pyarrow.ipc
import pyarrow.parquet
import pytest

from fairdeck.cards.logs import Asked, find
from fairdeck.cards.logs.json_lines import Objects
from fairdeck.errors import FairdeckError
from fairdeck.extras import EXTRAS
from fairdeck.lab.blocks import Broken
from fairdeck.lab.sources import names as names_module
from fairdeck.lab.sources import tables
from fairdeck.lab.sources.file import open_file
from fairdeck.lab.sources.names import NameTable, plain_lists
from fairdeck.lab.sources.text import WordReading, line_by_line
from fairdeck.lab.watching.monitor import Monitor

NUMBERS = [[2, 0, 1], [0, 1, 2], [1, 2, 0], [2, 1, 0]]
NAMES = {"AS": 1, "KD": 2, "2C": 0}  # suit by suit, clubs first


@pytest.fixture
def read(tmp_path):
    """Return what a file of this content is read as: its decks, and the note that tells how."""

    def reader(content, cards=None, **asked):
        path = tmp_path / "log"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        with open_file(str(path), cards, asked=Asked(**asked)) as source:
            decks = [deck for block in source.blocks([2, 5, 1000]) for deck in block.decks.tolist()]
            return decks, next((note for note in source.notes if note.startswith("read ")), "")

    return reader


def refusal(read, content, cards=None, **asked):
    with pytest.raises(FairdeckError) as caught:
        read(content, cards, **asked)
    assert not isinstance(caught.value, Broken), "a file that was not read is no fault of a shuffle"
    return str(caught.value)


def rows(decks, line):
    return "".join(line(at, deck) + "\n" for at, deck in enumerate(decks))


def longform(decks, first=0):
    return "deck,place,card\n" + "".join(
        f"{game},{place + first},{card}\n" for game, deck in enumerate(decks) for place, card in enumerate(deck)
    )


NAMED = [[2, 1, 0], [0, 1, 2]]  # of KD AS 2C and of 2C AS KD
PLAIN = {
    "id,who,c0,c1,c2\r\n1,x,2,0,1\r\n2,y,0,1,2\r\n3,y,1,2,0\r\n4,x,2,1,0\r\n": (
        NUMBERS,
        "columns c0 to c2; left out: id, who;",
    ),
    "id;c3;c1;c2\n1;1;2;0\n2;2;0;1\n3;0;1;2\n4;0;2;1\n": (NUMBERS, "columns c1 to c3; left out: id;"),
    "id,a,b,c\n7,2,0,1\n8,0,1,2\n9,1,2,0\n9,2,1,0\n": (NUMBERS, "columns a to c; left out: id;"),
    "player,c1,c2,c3\nann,KD,AS,2C\nann,2C,AS,KD\n": (NAMED, "left out: player;"),
    "0,2,0,1\n1,0,1,2\n5,1,2,0\n6,2,1,0\n": (NUMBERS, "columns 2 to 4; left out: 1;"),
    "deck: 2 0 1\ndeck: 0 1 2\ndeck: 1 2 0\ndeck: 2 1 0": (NUMBERS, "columns 2 to 4; left out: 1;"),
    "7\tKD\tAS\t2C\tok\n8\t2C\tAS\tKD\tslow\n": (NAMED, "columns 2 to 4; left out: 1, 5;"),
    "12:01 KD AS 2C\n12:02 2C AS KD\n": (NAMED, "columns 2 to 4"),
    " id | c0 | c1 | c2 \n----+----+----+----\n  1 | KD | AS | 2C\n  2 | 2C | AS | KD\n(2 rows)\n": (
        NAMED,
        "left out: id;",
    ),
    "| id | c0 | c1 | c2 |\n|---|:--|---|---|\n| 1 | 2 | 0 | 1 |\n| 2 | 0 | 1 | 2 |\n": (NUMBERS[:2], "left out: id;"),
    '{"game": 1, "deck": {"cards": ["KD", "AS", "2C"]}}\n\n{"game": 2, "deck": {"cards": ["2C", "AS", "KD"]}}\n': (
        NAMED,
        "the lists deck.cards;",
    ),
    longform(NUMBERS): (NUMBERS, "its game in deck, its place in place, its name in card; left out: nothing"),
    longform(NUMBERS, 1): (NUMBERS, "in the long form"),
    "deck,place,card\n1,1,KD\n1,0,2C\n1,2,AS\n2,2,2C\n2,0,KD\n2,1,AS": ([[0, 2, 1], [2, 1, 0]], "in the long form"),
    " game | pos | card \n---+---+---\n a|1|2\n a|2|0\n a|3|1\n b|1|0\n b|2|1\n b|3|2\n(6 rows)\n": (
        NUMBERS[:2],
        "in the long form",
    ),
    "KD\nAS\n2C\n\n2C\nAS\nKD\n": (NAMED, "one card on each line"),
    "\n\nKD\nAS\n2C\n \n\n2C\r\nAS\r\nKD": (NAMED, "one card on each line"),
    "KDAS2C\n2CASKD\n": (NAMED, "without anything between them"),
    "♦10♠A♣2\n♣2♠A♦10\n": (NAMED, "without anything between them"),
    "🃎🂡🃑\n🃑🂡🃎\n": ([[2, 1, 0], [0, 1, 2]], "without anything between them"),
    "🂡🂾🃏\n🃏🂡🂾\n": ([[0, 1, 2], [2, 0, 1]], "without anything between them"),
    rows([range(13), range(13)], lambda _, deck: ",".join(f"Fox sees {card:02}" for card in deck)): (
        [[*range(13)]] * 2,  # no cell is a deck
        "",
    ),
    'id;deck\n7;"KD,AS,2C"\n8;"2C,AS,KD"\n': (NAMED, "a deck is in each cell of column deck; left out: id;"),
    " id | deck\n---+---\n 7 | {2,0,1}\n 8 | {0,1,2}\n": (NUMBERS[:2], "in each cell of column deck"),
    "2 0 1\n0 1 2\n".encode("utf-16"): (NUMBERS[:2], ""),
    "2 0 1\r0 1 2\r": (NUMBERS[:2], ""),
    json.dumps([{"id": at, "deck": deck} for at, deck in enumerate(NUMBERS)], indent=1): (NUMBERS, "the lists deck;"),
    "Karo König,Pik Ass,Kreuz 2\nKreuz 2,Pik Ass,Karo König\n": ([NAMED[0], [0, 1, 2]], ""),
    "\ufeff2,0,1\r\n0,1,2\r\n".encode("utf-16-be"): (NUMBERS[:2], ""),
}


@pytest.mark.parametrize("content", PLAIN)
def test_a_file_of_whole_decks_is_read_and_says_how(read, content):
    decks, note = PLAIN[content]
    found, said = read(content)
    assert found == decks
    assert note in said


@pytest.mark.parametrize(
    ("content", "asked", "decks"),
    [
        ("id,a,b,c,d\n5,9,2,0,1\n5,9,0,1,2\n", {"columns": "b-d"}, NUMBERS[:2]),
        ("x-1,x-2,x-3,y\n2,0,1,0\n0,1,2,0\n", {"columns": "x-1-x-3"}, NUMBERS[:2]),
        ("5 9 2 0 1\n5 9 0 1 2\n", {"columns": "3-5"}, NUMBERS[:2]),
        ("c1,d1,c2,d2,c3,d3\n2,9,0,9,1,9\n0,9,1,9,2,9\n", {"columns": "c"}, NUMBERS[:2]),
        ('id,cards\n5,"2;0;1"\n5,"0;1;2"\n', {"columns": "cards"}, NUMBERS[:2]),
        ("id,cards\n5,2 0 1\n5,0 1 2\n", {"columns": "2"}, NUMBERS[:2]),
        ('{"a": [2, 0, 1], "b": [7, 8]}\n{"a": [0, 1, 2], "b": [7, 8]}\n', {"path": "a"}, NUMBERS[:2]),
    ],
)
def test_where_the_decks_are_can_be_said(read, content, asked, decks):
    assert read(content, **asked)[0] == decks


REFUSED = {
    "c1,d1,c2,d2,c3,d3\n2,2,0,0,1,1\n0,0,1,1,2,2\n": (
        "line 1: the cards may be in the columns c1 to c3 and d1 to d3; say which",
        {},
    ),
    "7 x KD AS 2C\n8 x 2C AS KD\n": ("the cards may be in the columns 2 to 5 or 3 to 5; say which", {}),
    " deck | from \n------+------\n 1 | 2\n 2 | 2\n": (
        "line 1: a table with the columns deck, from; say which columns hold the cards",
        {},
    ),
    '{"a": ["AS", "KD"], "b": ["KD", "AS"]}\n': (
        "line 1: an object needs one list of cards; these are there: a, b; choose one",
        {},
    ),
    '{"a": "AS KD"}\n': ("it holds none", {}),
    "AS KS QS AS\nKS AS QS KS\n": ("line 1: two cards are called 'AS'", {}),
    '{"a": [2, 0, 1]}\n{"b": 1}\n': ("line 2: deck 2 is not a deck", {}),
    '{"a": [2, 0, 1]}\n{"a": [0, 1]}\n{"a": [1, 0, 2]}\n': ("line 2: deck 2 has 2 cards instead of 3", {}),
    "deck,place,card\n1,0,a\n1,0,b\n": ("line 3: place '0' of game 1 is there twice", {}),
    "deck,place,card\n1,0,a\n1,2,b\n2,0,a\n": ("line 2: game 1 has no place 1", {}),
    "deck,place,card\n1,0,a\n1,x,b\n2,0,a\n": ("line 3: place 'x' of game 1 is not a whole number", {}),
    "deck,place,card\n1,0,a\n1,1,b\n2,0,a\n2,1,b\n1,2,c\n": ("line 6: game 1 comes again after another: sort", {}),
    "deck,place,card\n1,0,a\n1,1\n": ("line 3: it has 2 cells, and line 1 has 3", {}),
    "KD\nAS\n2C\n\nKD\nAS\n\nKD\nAS\n2C\n": ("line 5: deck 2 has 2 cards instead of 3", {}),
    "KDAS2C\nASKD2C\nAS KD2C\n": ("line 3: deck 3 holds 'KD2C', which is not a card", {}),
    "7c 10b\n10b 7c\n": ("line 1: '7c' is 7 de Copas in Spanish and 7 di Coppe in Italian; say", {}),
    "x,day,1,2\nx,3,30,4\nx,9,4,70\n": ("holds 2 lines of 2 cards of 3, which are hands", {}),
    "#Game No : 349736402\nx\n": ("a poker log without hands", {}),
    "a,b\n1,0\n0,1\n": ("--columns 'x': its columns are a, b; write FIRST-LAST", {"columns": "x"}),
    "1 0\n0 1\n": ("--columns '2-3': it has 2 columns without names", {"columns": "2-3"}),
    "[1, 0]\n[0, 1]\n": ("--columns '1-2' is for a table", {"columns": "1-2"}),
    "1 0\n0  1\n": ("--path 'a' is for JSON lines", {"path": "a"}),
    '{"b": [1, 0]}\n': ("line 1: no list is at --path a; these are there: b", {"path": "a"}),
    "20 9 38 33\n35 45 47 2\n38 21 37 35\n21 26 22 15\n": (
        "holds 4 lines of 4 cards of 13, which are hands or draws",
        {},
    ),
    "Hand #7\n*** FLOP *** [3h 3c Kd]\n": ("a poker log without hands 'Dealt to NAME [..]'", {}),
    "8S 10C AC 8H\nKC JS 9D QS\nJH 8C 7C AS\nKS 5S 9C 2D\n": ("holds 4 lines of 4 cards of 16, which are hands", {}),
    "date,n1,n2,n3,bonus\n" + 3 * "2026-01-01,3,9,20,1\n2026-01-08,1,2,44,7\n": (
        "holds 6 lines of 3 cards of 6, which are",
        {},
    ),
    "2 0 1\n0 2 1 3\n2 0 1\n": ("or ask for a size: --cards 3; --cards 3,4 judges each size", {}),
    '[Board "1"]\n[Deal "N:KT5.AJ8543.KJ.K5 - - -"]\n': ("board 1: East has no hand; leave out boards that are", {}),
}


@pytest.mark.parametrize("content", REFUSED)
def test_a_file_that_can_be_read_in_two_ways_or_holds_no_whole_decks_is_refused(read, content):
    says, asked = REFUSED[content]
    assert says in refusal(read, content, **asked)


def test_a_cut_last_line_is_left_out(tmp_path):
    path = tmp_path / "log"
    contents = {
        "id,c0,c1,c2\n1,2,0,1\n2,0,1": [NUMBERS[0]],
        '{"a": [2, 0, 1]}\n{"a": [0, 1, ': [NUMBERS[0]],
        "KD\nAS\n2C\n\nKD\nA": [NAMED[0]],
        longform(NUMBERS[:2])[:-6]: [NUMBERS[0]],
    }
    for content, decks in contents.items():
        path.write_text(content)
        with open_file(str(path)) as source:
            assert next(source.blocks([9])).decks.tolist() == decks
            assert any("ends in the middle of deck 2" in note for note in source.notes), content


def test_of_a_log_of_two_sizes_one_is_judged_when_it_is_asked(read):
    mixed = "2 0 1\n0 2 1 3\n1 2 0\n3 0 2 1\n1 2 3\n"
    assert read(mixed, 4)[0] == [[0, 2, 1, 3], [3, 0, 2, 1]]
    assert "holds card 1 twice" in refusal(read, mixed.replace("3 0 2 1", "3 0 1 1"), 4)
    assert ": the first deck has" in refusal(read, mixed, 5)
    named = "AS KD 2C\nKD AS\n2C AS KD\nAS AS\n"
    assert "has 2 cards instead of 3" in refusal(read, named, 3), "a line with a card twice is no deck of another size"
    assert read(named.replace("AS AS\n", ""), 3)[0] == [[1, 2, 0], [0, 1, 2]]


def test_what_was_left_out_is_told(tmp_path):
    (tmp_path / "log").write_text("2 0 1\n" + "0 2 1 3\n1 2 0\n" * 3)
    with open_file(str(tmp_path / "log"), 4) as source:
        assert sum(block.size for block in source.blocks([9])) == 3
        assert source.notes == [
            "left out, as only decks of 4 cards are asked: decks of 3 cards (4 decks, the first in line 1)"
        ]


def test_a_layout_gives_as_many_lines_as_it_takes():
    shuffled = Random(1)
    for content in PLAIN:
        lines = (content if isinstance(content, str) else content.decode("utf-16")).splitlines()
        layout = find(lines, Asked())
        if layout is None:
            continue
        at, came = 0, ""
        while at < len(lines):
            step = shuffled.randrange(1, 4)
            came += layout.lines("".join(f"{line}\n" for line in lines[at : at + step]))
            at += step
        assert (came + layout.end()).count("\n") == len(lines)


@pytest.mark.parametrize("count", [3, 52, 700])
def test_names_at_once_are_read_as_line_by_line(count, monkeypatch):
    monkeypatch.setattr(names_module, "WORTH_KERNEL", 0)
    draw = Random(count)
    order = sorted({"".join(draw.choices("AKQ♠é0", k=draw.randrange(1, 5))) for _ in range(9 * count)})[:count]
    reading, index = WordReading(order), {name: at for at, name in enumerate(order)}
    assert reading._table
    for mark in (" ", ",", "; ", '","'):
        decks = [draw.sample(order, count) for _ in range(20)]
        text = "\r\n\n".join(f'"{mark.join(deck)}"' if '"' in mark else mark.join(deck) for deck in decks) + "\n"
        at_once, slowly = reading._table.rows(text.encode(), count), line_by_line(text.encode(), count, index.get)
        assert at_once is not None
        assert np.array_equal(at_once[0], slowly.values)
        assert np.array_equal(at_once[1], slowly.lines)


def test_json_lines_at_once_are_read_as_one_by_one(monkeypatch):
    monkeypatch.setattr(names_module, "WORTH_KERNEL", 0)
    draw, slow, count = Random(1), [], 4_000
    odd = ['"deck":[1,2]', '"game":{', '"deck"', '""', '\\"', "true", "NaN", "01", "-0", "1e5", "9" * 19, "A B"]
    odd += list("\"\\[]{},:01-.e+'/♠é \t\r\0\x1f\x7f\u00a0\u2003\u3000\u0085\u1680\u2028")
    for path in (["deck"], ["game", "deck"], ["é"]):
        layout, lines = Objects(tuple(path)), list[str]()

        def slowly(text, layout=layout):
            slow.append(text)
            return layout.lines(text.decode()).encode()

        for _ in range(count):
            value = draw.choice([[3, 0, 12], ["AS", "10♥", "é"], [7, "Ä"]])
            for key in reversed(path):
                value = {
                    "a": draw.choice([[], 1.5, None, -3e-2, "x, y", {"deck": 5}, [[True, {}], 2]]),
                    key: value,
                    "b": {},
                }
            line = json.dumps(
                value, ensure_ascii=draw.random() < 0.1, separators=draw.choice([(",", ":"), (" , ", ": ")])
            )
            line = line.replace('"b"', draw.choice(['"b"', '"b"', '"game"', '"deck"']))
            for _ in range(draw.choice([0, 0, 1, 1, 2])):
                start = draw.randrange(len(line))
                line = line[:start] + draw.choice([*odd, line[start:], ""]) + line[start + draw.randrange(3) :]
            lines.append(line)
        text = "".join(f"{line}\n" for line in lines).encode()
        assert plain_lists(text, path, slowly) == layout.lines(text.decode()).encode()
    assert 0.6 < b"".join(slow).count(b"\n") / (3 * count) < 0.8  # the others were simple


def test_names_that_are_not_surely_these_are_left_to_the_slow_way(monkeypatch):
    monkeypatch.setattr(names_module, "WORTH_KERNEL", 0)
    table = NameTable.of(["AS", "a long name of 16".replace(" ", "")])
    assert table is not None
    for line in ("AS AT", "AS", "AS AS AS", "AS as", "AS\0 AS", "AS alongnameof16andmore", "AS A"):
        assert table.rows(f"AS AS\n{line}\n".encode(), 2) is None
    for names in (["A B", "C"], ["O'N", "P"], ["seventeen-letters", "b"], ["", "a"]):
        assert NameTable.of(names) is None


@pytest.mark.parametrize("form", ["columns", "json", "unparted", "column", "long"])
def test_a_watch_reads_the_same_lines_and_goes_on(form, tmp_path):
    draw = Random(5)
    decks = [draw.sample(["AS", "KD", "2C", "3H"], 4) for _ in range(40)]
    lines = {
        "columns": ["id,who,c0,c1,c2,c3", *(f"{at},x,{','.join(deck)}" for at, deck in enumerate(decks))],
        "json": [json.dumps({"game": at, "deck": deck}) for at, deck in enumerate(decks)],
        "unparted": ["".join(deck) for deck in decks],
        "column": [card for deck in decks for card in (*deck, "")],
        "long": longform(decks).splitlines(),
    }[form]
    log, store = tmp_path / "log", tmp_path / "watch.db"
    seen = []
    for until in (7, 30, len(lines)):
        log.write_text("".join(f"{line}\n" for line in lines[:until]))
        watch = Monitor(store, [str(log)])
        while watch.step():
            pass
        status = watch.status()
        watch.commit()
        watch.close()
        seen.append(status.decks)
        assert status.logs[0].read_as.startswith("read ")
        assert status.logs[0].bad == 0
    header = len(lines) - len(decks)
    # The last game may go on; an empty line ends a deck.
    assert seen == {"column": [1, 6, 40], "long": [1, 7, 39]}.get(form, [7 - header, 30 - header, 40])


def test_a_watch_that_was_told_where_the_decks_are_keeps_it(tmp_path):
    log, store = tmp_path / "log", tmp_path / "watch.db"
    for until in (20, 40):
        log.write_text("".join(f"{at} x {at % 2} {1 - at % 2} y\n" for at in range(until)))
        watch = Monitor(store, [str(log)], columns="3-4" if until == 20 else None)
        while watch.step():
            pass
        assert watch.status().decks == until
        watch.commit()
        watch.close()
    with pytest.raises(FairdeckError, match=r"columns 2-3: the watch in .* has 3-4, .*leave --columns out"):
        Monitor(store, [str(log)], columns="2-3")


def test_a_watch_counts_a_game_that_lacks_a_place_and_reads_the_last_one_when_the_log_begins_again(tmp_path):
    log = tmp_path / "log"
    log.write_text(longform(NUMBERS).replace("1,2,2\n", "1,5,2\n"))
    watch = Monitor(tmp_path / "a.db", [str(log)])
    while watch.step():
        pass
    status = watch.status()
    assert (status.decks, status.logs[0].bad) == (2, 1)
    assert "line 5 is not a deck: '[\"line 5: game 1 has no place 2; each game" in status.logs[0].latest_bad
    log.rename(tmp_path / "log.1")
    log.write_text(longform(NUMBERS[:2]))
    while watch.step():
        pass
    assert watch.status().decks == 4
    watch.close()


def test_a_watch_of_two_sizes_takes_one_if_it_is_asked(tmp_path):
    log = tmp_path / "log"
    log.write_text("2 0 1\n0 2 1 3\n1 2 0\n3 0 2 1\n" * 20)
    watch = Monitor(tmp_path / "a.db", [str(log)])
    with pytest.raises(FairdeckError, match="or say --cards 3 to leave the others out"):
        watch.step()
    watch.close()
    watch = Monitor(tmp_path / "b.db", [str(log)], cards=4)
    while watch.step():
        pass
    status = watch.status()
    watch.close()
    assert (status.decks, status.logs[0].bad) == (40, 40)
    assert "line 1 is a deck of 3 cards, left out, as only decks of 4 cards are asked" in status.logs[0].latest_bad


def test_a_table_that_no_library_reads_is_refused(read, monkeypatch):
    assert "is an SQLite file that cannot be read (file is not a database" in refusal(read, b"SQLite format 3\0" * 99)
    monkeypatch.setattr(tables, "find_spec", lambda _name: True)
    monkeypatch.setattr(tables, "_arrow", lambda *_: 1 // 0)
    assert "is a Parquet file that cannot be read (integer division" in refusal(read, b"PAR1 and more")
    monkeypatch.setattr(tables, "find_spec", lambda _name: None)
    said = refusal(read, b"ARROW1 and more")
    assert "is an Arrow file, which needs pyarrow: " in said
    assert EXTRAS["tables"][0] in said


@pytest.mark.parametrize("kind", ["SQLite", "Parquet", "Arrow"])
@pytest.mark.parametrize("form", ["columns", "lists", "text"])
def test_a_table_of_a_file_is_read_as_its_lines(kind, form, tmp_path, read):
    names = ["id", "c0", "c1", "c2"] if form == "columns" else ["id", "deck"]
    deck_of = {"lists": json.dumps if kind == "SQLite" else list, "text": lambda deck: ",".join(map(str, deck))}
    table = [[at, *deck] if form == "columns" else [at, deck_of[form](deck)] for at, deck in enumerate(NUMBERS)]
    made = tmp_path / "made"
    if kind == "SQLite":
        with closing(sqlite3.connect(made)) as file, file:
            for name in ("games", "players"):
                file.execute(f"create table {name} ({', '.join(names)})")
            file.executemany(f"insert into games values ({', '.join('?' * len(names))})", table)
        assert "an SQLite file: its tables are games, players: name one with" in refusal(read, made.read_bytes())
    else:
        rows = pyarrow.table(dict(zip(names, map(list, zip(*table, strict=True)), strict=True)))
        if kind == "Parquet":
            pyarrow.parquet.write_table(rows, made, row_group_size=3)
        else:
            with pyarrow.ipc.new_file(made, rows.schema) as file:
                file.write_table(rows, max_chunksize=3)
    decks, note = read(made.read_bytes(), path="games" if kind == "SQLite" else "")
    assert decks == NUMBERS
    assert {"columns": "columns c0 to c2", "lists": "the lists deck", "text": "each cell of column deck"}[form] in note


@pytest.mark.parametrize("form", ["lines", "table", "JSON", "column"])
def test_all_decks_of_a_file_of_many_pieces_are_read(form, tmp_path):
    deck = [rank + suit for suit in "CSHD" for rank in "A23456789TJQK"]
    line = {
        "lines": " ".join(deck),
        "table": "7,ann," + ",".join(deck),
        "JSON": json.dumps({"id": 7, "deck": deck}),
        "column": "\n".join([*deck, ""]),
    }[form]
    head = "id,who," + ",".join(f"c{at}" for at in range(52)) + "\n" if form == "table" else ""
    (tmp_path / "log").write_text(head + f"{line}\n" * 4_000)
    with open_file(str(tmp_path / "log")) as source:
        assert sum(block.size for block in source.blocks([1_000] * 9)) == 4_000
