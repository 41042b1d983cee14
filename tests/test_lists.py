"""Lists of cards in the formats that people bring: read as they mean it, or refused with the line and the remedy."""

import os
import re
from itertools import combinations

import pytest

import fairdeck
from fairdeck import FairdeckError, folders
from fairdeck.cards.decks import read_cards
from fairdeck.cards.languages import PACKS, pack, sorted_deck, spellings
from fairdeck.cards.lists import Entry, formats, read_list
from fairdeck.cards.names import FRENCH
from fairdeck.cards.text import decode
from fairdeck.cli.exits import BAD_INPUT
from tests.test_draw_files import KNOWN_BY_NOBODY, finished

ARENA = """About
Name Club

Deck
4 Fox (ABC) 12
2 Reed, Warden of Fen (ABC) 7
3 Dawn // Dusk (X2) 1

Sideboard
2 Wall
"""
ARCHIDEKT = """1x Fox (abc) 12 [Ramp]
1x Reed, the Gate (abc) 7 *F* [Commander{top}] ^Have,#37d67a^
2x Hill (abc) 8 [Tokens]
1x Owl [Cut{noDeck}]
"""
LIVE = "Pokémon: 3\n2 Ember ABC 4\n1 Emberking ex SVP-EN 125\n\nEnergy: 1\n1 Basic Fire SVE 2\n\nTotal Cards: 4\n"
XML = '<?xml version="1.0" encoding="utf-16"?>\n<cockatrice_deck version="1"><deckname>Ä</deckname>\n'
COD = f"""{XML}<zone name="main"><card number="4" name="A &amp; B"/></zone>
<zone name="side"><card number="1" name="Wall"/></zone></cockatrice_deck>"""
DEK = '<Deck><Cards Quantity="4" Name="Fox"/><Cards Quantity="3" Sideboard="true" Name="Wall"/></Deck>'
CSV = 'Count,Name,Edition\n4,"Reed, Warden of Fen",Abc\n2,Marsh,Abc\n'
SWUDB = """{"metadata": {"name": "x"}, "leader": {"id": "ABC_005", "count": 1}, "base": {"id": "ABC_029", "count": 1},
"deck": [{"id": "ABC_033", "count": 3}, {"id": "ABC_040", "count": 2}], "sideboard": [{"id": "ABC_041", "count": 1}]}"""
FABRARY = "Name: x\nHero: Ann, the Fox\n\nArena cards\n1x Club\n\nDeck cards\n2x Bite (red)\n1x Bite (blue)\n3x Owl\n"
FABRARY += "\nMade with love at the FaBrary\nSee the full deck @ https://example.org/decks/x\n"
HEARTHSTONE = "### Foxes\n# Class: Hunter\n#\n# 2x (1) Fox\n# 1x (10) Reed, Warden\n#   1x (2) Wall\n#\n"
HEARTHSTONE += "AAECAf0EBOfOxCoAbCdEfGhIjKlMnOpQ==\n#\n# To use this deck, copy it\n"
# A list: its format, the cards in its deck, those beside it, and the names in the order of the deck.
SAMPLES: dict[str, tuple[str, int, int, str]] = {
    ARENA: ("counts", 9, 2, "Fox|Reed, Warden of Fen|Dawn // Dusk"),
    "Commander\n1 Reed, Warden of Fen\n\nDeck\n2 Fox\n5 Marsh\n": ("counts", 7, 1, "Fox|Marsh"),
    "// burn\n4 Fox\n16 Marsh\nSB: 3 Wall\n": ("counts", 20, 3, "Fox|Marsh"),
    "\ufeff4x Fox\r\n1 Füchsin\r\n": ("counts", 5, 0, "Fox|Füchsin"),
    "1 Fox (ABC) 7 *F*\n1x Owl (ABC) 12 #burn\n58 Marsh\n\nSIDEBOARD:\n1 Wall": ("counts", 60, 1, "Fox|Owl|Marsh"),
    ARCHIDEKT: ("counts", 3, 2, "Fox|Hill"),
    LIVE: ("counts", 4, 0, "Ember|Emberking ex|Basic Fire"),
    "Rats\n\nEvents (2)\n2x Knife (Core Set)\n": ("counts", 2, 0, "Knife (Core Set)"),
    "# name x\n1x Owl *CMDR*\n\nLand (2)\n2 Hill\n\nSorcery (1)\n1 Fog": ("counts", 3, 1, "Hill|Fog"),
    "Pokémon : 1\n2 Ember ABC TG4\n\nÉnergie : 2\n2 Feu ABC 2\n\nTotal de cartes : 4": ("counts", 4, 0, "Ember|Feu"),
    '4 "10 Foxes"\n2 Said "no"\n': ("counts", 6, 0, '10 Foxes|Said "no"'),
    "// Creature (40)\n40 Fox,\n\n// Land (2)\n2 Hill,": ("counts", 42, 0, "Fox|Hill"),
    "4\tFox\n12\tOld\u00a0Marsh": ("counts", 16, 0, "Fox|Old Marsh"),
    COD: ("xml", 4, 1, "A & B"),
    DEK: ("xml", 4, 3, "Fox"),
    "#created by me\n#main\n1001\n1001\n1002\n#extra\n2001\n!side\n3001\n": ("ydk", 3, 2, "1001|1001|1002"),
    '{"id": 1, "slots": {"01006": 1, "b": 2}, "sideSlots": {"c": 1}}': ("slots", 3, 1, "01006|b"),
    SWUDB: ("slots", 5, 3, "ABC_033|ABC_040"),
    FABRARY: ("counts", 6, 1, "Bite (red)|Bite (blue)|Owl"),
    HEARTHSTONE: ("counts", 3, 1, "Fox|Reed, Warden"),
    CSV: ("table", 6, 0, "Reed, Warden of Fen|Marsh"),
    "sep=;\nName;Qty;Sideboarded\nFox;4;No\nWall;2;Yes\n": ("table", 4, 2, "Fox"),
    "pos\tcard\n2\tMarsh\n1\tFox\n": ("table", 2, 0, "Fox|Marsh"),
    "Id,Name\n1,Fox\n2,Marsh\n": ("table", 2, 0, "Fox|Marsh"),
    "1,AC\n2,4H\n3,7S\n4,10D\n": ("table", 4, 0, "CA|H4|S7|DT"),
    "1. Fox\n2. Owl, the Grey\n3) Hill": ("numbered", 3, 0, "Fox|Owl, the Grey|Hill"),
    "4 of Hearts\n7 of Spades\nJoker": ("playing", 3, 0, "4 of Hearts|7 of Spades|Joker"),
    "Pik Ass, Herz König, Karo 10, Kreuz Bube": ("playing", 4, 0, "Pik Ass|Herz König|Karo 10|Kreuz Bube"),
    "A,Hearts\n10,Spades\nKing,Clubs": ("playing", 3, 0, "A Hearts|10 Spades|King Clubs"),
    "as de pique\nAs de cœur\nJoker": ("playing", 3, 0, "SA|HA|Joker"),
    "E-A, Eichel 7\nLaub Sau, g7": ("playing", 4, 0, "Eichel Daus|Eichel 7|Grün Daus|Grün 7"),
    "Rey de oros\n7 de copas\n12c\n7o": ("playing", 4, 0, "Rey de Oros|7 de Copas|Rey de Copas|7 de Oros"),
    "fante di bastoni\n8d": ("playing", 2, 0, "Fante di Bastoni|Fante di Denari"),
    "🂡 🂾\n🃏🂬🃟": ("playing", 5, 0, "SA|HK|Joker black|Knight of spades|Joker white"),
    "KCJS9D10H": ("playing", 4, 0, "CK|SJ|D9|HT"),
    "10♥ AS, Kc\nD2": ("playing", 4, 0, "HT|SA|CK|D2"),
    "3 1\n2,4": ("numbers", 4, 0, "3|1|2|4"),
    '"Reed, Warden of Fen", Marsh, Fox': ("commas", 3, 0, "Reed, Warden of Fen|Marsh|Fox"),
    "Fox\nReed, Warden of Fen\nMarsh\nMarsh": ("names", 4, 0, "Fox|Reed, Warden of Fen|Marsh|Marsh"),
    "4 of Cups\nThe Fool\nTen of Swords": ("names", 3, 0, "4 of Cups|The Fool|Ten of Swords"),
}
REFUSED = {
    "4 Fox\nMarsh\n2 Wall": "line 2: 'Marsh' has no number, and line 1 has one: write 1 before it; take it out, if",
    "4 Winds\nFox": "line 2: 'Fox' has no number",
    "4 Fox\n36 Marsh\n\n15 Wall": "line 3: does this empty line begin a sideboard? With it the deck has 40 cards",
    "40 Fox\n\n20 Hill\n\n15 Wall": "line 4: does this empty line begin a sideboard? With it the deck has 60 cards",
    "0 Fox\n4 Marsh": "line 1: no copy of 'Fox': take the line out",
    "1 Fox\n2 Marsh\n3 Hill": "line 1: are 1 to 3 numbers of copies, or places from the top? Say --as counts or --as",
    "4 Fox, 2 Marsh": "line 1: '4 Fox, 2 Marsh' has two numbers: write one card a line",
    "4 Fox\n99999999 Marsh": "line 2: 99999999 is no number of copies; a deck has at most 1,000,000 cards",
    "99999999 Fox": "line 1: 99999999 is no number of copies",
    "3 Fox\n2 4 Marsh": "line 2: '2 4 Marsh' has two numbers",
    LIVE.replace("4\n", "5\n"): "line 8 says 5 cards, the list has 4: correct one",
    "2 Fox\n\nCards (3)\n2 Marsh": "line 3: 'Cards (3)' has no number",
    "Sideboard\n4 Fox": "the list has no card in its main deck",
    "Count,Name\nfour,Marsh": "line 2: 'four' is not a number of cards",
    "Count,Name\n4": "line 2: '4' has 1 cells, and the header 2",
    "Count,Qty,Name\n4,4,Fox": "line 1: which column is meant, 'Count' and 'Qty'?",
    "pos,card\n1,Marsh\n1,Fox": "line 3: 1: the places are not 1, 2, 3 and so on, each once",
    "4,Fox\n2,Marsh": "line 1: '4,Fox': a table needs a header, such as Count,Name",
    "1,Fox\n2,Marsh": "line 1: '1,Fox': a table needs a header",
    "#main\nFox\n#extra": "line 2: 'Fox' is not a card's number",
    f'{XML}<zone name="main"><card number="4" name="Fox">\n</cockatrice_deck>': "line 4 is not XML: mismatched tag",
    COD.replace('"4"', '"x"'): "line 3: 'x' is not a number of cards",
    COD.replace("side", "hand"): "line 4: zone 'hand' is none of main, side and tokens",
    '<!DOCTYPE d [<!ENTITY a "b">]>\n<cockatrice_deck/>': "declares a DOCTYPE",
    DEK.replace("Cards", "Card", 1): "line 1: 'Card' is no element with cards",
    DEK.replace("<Cards", "Cards", 1): "line 1: 'Cards Quantity=",
    "AS KD\nKD AS": "each of 2 lines has the same 2 cards: fairdeck test --file FILE judges a log; say --as playing",
    "<Sideboard/>": "XML of 'Sideboard' is no deck",
    "<Deck>" + "<a>" * 99: "elements lie 21 deep",
    '{"slots": {"a": -1}}': "slots: 'a' has the count -1",
    '{"slots": {"a": 1, "a": 2}}': "'a' is there twice",
    '{"slots": {"a": 1}': "line 1 is not JSON",
    '{"slots": ' + "[" * 100_000: "too deep",
    '{"slots": {"a": 9999999}}': "slots: 'a' has the count 9999999: write 1 to 1,000,000",
    '["Fox", "Marsh"]': "JSON without",
    SWUDB.replace("3}", '"3"}', 1): "deck: 'ABC_033' has the count '3': write",
    SWUDB.replace('"id": "ABC_040", ', ""): "deck: 'None' is no card: write an id and a count for each",
    "a, b\nc, d": "line 1: each line has a comma, such as 'a, b': say --as names if a line is one card, --as commas",
    '% PBN 2.1\n[Event ""]': "line 1 is of a PBN or LIN file with boards: fairdeck boards FILE",
    "qx|o1|md|3S": "fairdeck boards FILE",
    "1. Fox\n2. 4 Marsh": "line 2: '4 Marsh' begins with a number",
    " \n\n": "the list is empty",
    "SA SK SX S9": "line 1, card 3: 'SX' is not a French card",
    "Fox\nMar\u200bsh": "is no name of a card",
}


def rows(entries: tuple[Entry, ...]) -> list[tuple[int, str, str]]:
    return [(entry.copies, entry.name, entry.part) for entry in entries]


def test_every_format_has_a_sample():
    assert {expected[0] for expected in SAMPLES.values()} == set(formats())


def test_more_lines_than_a_deck_has_cards_are_refused_at_once():
    with pytest.raises(FairdeckError, match="1,002,000 lines, and a deck at most 1,000,000"):
        read_list(1_002_000 * "Fox\n")


@pytest.mark.parametrize("text", SAMPLES)
def test_a_list_is_read_as_its_writer_means_it(text):
    found = read_list(text)
    beside = sum(entry.copies for entry in found.aside)
    expected = SAMPLES[text]
    assert (found.format, found.cards, beside) == expected[:3]
    assert [entry.name for entry in found.main] == expected[3].split("|")
    assert found.ordered is (all(entry.copies == 1 for entry in found.main) and found.format not in ("ydk", "counts"))
    assert found.with_aside().cards == len(found.with_aside().names) == found.cards + beside
    assert read_list(text, found.format) == found


def test_no_pack_and_no_32_cards_are_in_words_that_two_languages_read_differently():
    """Symbols of suits aside: who writes them does not write letters for suits as well."""
    letters = {word.lower(): card for card in FRENCH for word in (card, card[::-1], card.replace("T", "10"))}
    clashing = 0
    for one, other in combinations([letters, *map(spellings, PACKS)], 2):
        shared = [word for word in one.keys() & other.keys() if not set(word) & set("♠♥♦♣")]
        if any(one[word] != other[word] for word in shared):
            clashing += 1
            for table in (one, other):
                covered = {table[word] for word in shared}
                assert len(covered) < 32
                assert covered != set(table.values())
    assert clashing > 3


@pytest.mark.parametrize("language", PACKS)
def test_a_pack_is_sorted_in_every_language_and_no_spelling_is_that_of_two_cards(language):
    cards, spelt = tuple(pack(language)), spellings(language)
    last = {card: word for word, card in spelt.items()}
    assert sorted_deck(read_cards("\n".join(last[card] for card in reversed(cards)))) == cards
    suits, ranks, forms = (text.split("|") for text in PACKS[language])
    assert len(spelt) == len(" ".join(suits).split()) * len(" ".join(ranks).split()) * len(forms)


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_what_has_no_reading_or_two_is_refused_with_the_line_and_the_remedy(text):
    with pytest.raises(FairdeckError) as refusal:
        read_list(text)
    assert REFUSED[text] in str(refusal.value)


def test_a_format_that_is_named_settles_which_reading_is_meant():
    assert read_list("4xOP01-016\n2 Owl\n6 cards").cards == read_list("7 cards\nMazo\n6 Fox\nBanquillo\n1 Owl").cards
    assert read_list("4 Fox\n36 Marsh\n\n15 Wall", "counts").cards == 55
    assert read_list("1 Fox\n2 Marsh\n3 Hill", "counts").cards == read_list("1,Fox\n5,Marsh", "counts").cards == 6
    assert read_list("1 Fox\n2 Marsh\n3 Hill", "numbered").names == ("Fox", "Marsh", "Hill")
    assert read_list("a, b\nc, d", "commas").names == ("a", "b", "c", "d")
    assert read_list("a, b\nc, d", "names").names == ("a, b", "c, d")
    with pytest.raises(FairdeckError, match="no format of lists is called 'count'; did you mean 'counts'"):
        read_list("4 Fox", "count")


def test_names_that_are_known_are_cards_whatever_they_look_like():
    assert read_list("2 Fox\n1 Fox", known=("1 Fox", "2 Fox")).names == ("2 Fox", "1 Fox")
    assert read_list("a, b\nc, d", known=("c, d", "a, b")).names == ("a, b", "c, d")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("between", ["\n", "\r\n", "\r"])
def test_every_encoding_of_a_spreadsheet_is_read_and_the_old_one_is_said(encoding, between):
    text, note = decode(between.join(["Name;Qty", "Füchsin;4"]).encode(encoding))
    assert read_list(text).names == ("Füchsin",) * 4
    assert note == ("it is not UTF-8, and was read as Windows-1252" if encoding == "cp1252" else "")


@pytest.mark.parametrize("content", [b"4 Fox\n\xff\0\xfe", b"4 Fox\n\x81", b"\xff\xfe4"])
def test_what_is_no_text_is_refused(content):
    with pytest.raises(FairdeckError, match=r"line [12] is not text: save the list as text, in UTF-8"):
        decode(content)


LIST = "4 Fox\n36 Marsh\n20 Hill\n\nSideboard\n15 Wall\n"
READ = "note: list.txt: 60 cards, 3 names, from a deck list; 15 sideboard cards left out; --side keeps them\n"
DOORS = ("deal", "check", "advise")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.txt").write_text(LIST)
    (tmp_path / "bad.txt").write_text("4 Fox\nMarsh\n")
    (tmp_path / "weird.txt").write_bytes(b"4 Fox\n\x81")
    (tmp_path / "ask.txt").write_text("4 Fox\n36 Marsh\n\n15 Wall\n")
    return tmp_path


@pytest.mark.parametrize("door", DOORS)
def test_the_number_of_cards_is_in_the_list(door, run, folder):
    code, out, err = run(door, "list.txt", "--json")
    assert (code, '"cards":60' in out.replace(" ", ""), READ in err) == (0, True, True), err
    code, out, err = run(door, "list.txt", "--side", "--json")
    assert (code, '"cards":75' in out.replace(" ", ""), "75 cards, 4 names, from a deck list\n" in err) == (
        0,
        True,
        True,
    )
    assert '"cards":55' in run(door, "ask.txt", "--as", "counts", "--json")[1].replace(" ", "")


@pytest.mark.parametrize(
    ("words", "told"),
    {
        "list.txt --as ydk": "list.txt: line 1: '4 Fox' is not a card's number",
        "60 --side": "--side is for lists of cards, and '60' is none",
        "60 --as counts": "--as is for lists of cards, and '60' is none",
    }.items(),
)
@pytest.mark.parametrize("door", DOORS)
def test_every_door_refuses_a_list_in_the_same_words(door, words, told, run, folder):
    code, out, err = run(door, *words.split())
    assert (code, out) == (BAD_INPUT, "")
    assert told in err


def test_a_list_that_cannot_be_read_gets_the_same_line_from_every_door(run, folder):
    (folder / "transcript.json").write_text(finished(KNOWN_BY_NOBODY).to_json(), encoding="utf-8")
    doors = [
        *(*DOORS, "deal --order", "deal --order list.txt --start", "deal --key --order"),
        *("together announce --people Ann,Ben --names", "verify transcript.json --deck 1 --played"),
    ]
    for bad in ("bad.txt", "ask.txt", "none.txt", "weird.txt"):
        told = {run(*door.split(), bad) for door in doors}
        assert len(told) == 1, told
        assert re.match(rf"fairdeck: (?:{bad}: line [1-9]|cannot read '{bad}')", told.pop()[2])


def test_python_calls_take_lists(folder):
    (folder / "plain.txt").write_text("4 Fox\n36 Marsh\n20 Hill\n")
    copies = {"Fox": 4, "Marsh": 36, "Hill": 20}
    for cards in ("plain.txt", folder / "plain.txt", copies, [*copies] * 20, read_list("4 Fox\n\n56 Hill")):
        assert fairdeck.deal(cards).task.cards == fairdeck.advise(cards).request.cards == 60
        assert fairdeck.check(cards) == fairdeck.check(60)
    with pytest.warns(UserWarning, match="^list.txt: 60 cards, 3 names, from a deck list; 15 sideboard") as warned:
        fairdeck.check("list.txt")
    assert warned[0].filename == __file__


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("bad.txt", "bad.txt: line 2: 'Marsh' has no number"),
        ("none", "cannot read 'none' (No such file or directory): name a file"),
        ([7], "cards must be a whole number, a list of names or its file, not 7"),
        ({"Fox": 0}, "cards: copies of 'Fox': 0 is out of range"),
    ],
)
@pytest.mark.parametrize("door", [fairdeck.deal, fairdeck.check, fairdeck.advise])
def test_python_calls_refuse_what_is_no_list(door, cards, told, folder):
    with pytest.raises(FairdeckError, match=f"^{re.escape(told)}"):
        door(cards)


def test_a_list_is_kept_by_a_name_and_its_file_may_go(run, folder, monkeypatch):
    monkeypatch.setattr(folders, "settings", lambda: folder / "own")
    kept = folder / "own" / "lists" / "friday.txt"
    assert f"kept as friday, in {kept}: delete that file" in run("check", "list.txt", "--keep", "friday")[2]
    assert "kept as friday in the place of the one before" in run("check", "list.txt", "--keep", "friday")[2]
    (folder / "list.txt").unlink()
    assert '"cards":60' in run("deal", "friday", "--json")[1]
    assert '"cards": 75' in run("advise", "friday", "--side", "--json")[1]
    assert '"cards":60' in run("deal", "--order", "friday", "--start", "friday", "--json")[1]
    assert rows(read_list(kept.read_text()).aside) == [(15, "Wall", "sideboard")]
    assert "Lists that you keep: friday" in run("config")[1]
    assert "no list that you keep; did you mean 'friday'?" in run("deal", "firday")[2]
    os.mkfifo(kept.with_stem("pipe"))
    kept.with_stem("folder").mkdir()
    for name in ("60", "4x", "COM1", "bad.txt", "a/b", "Sorted", "own", "", "pipe", "folder"):
        code, out, err = run("check", "ask.txt", "--as", "counts", "--keep", name)
        assert (code, out, len(err.splitlines()), "--keep" in err) == (BAD_INPUT, "", 1, True)
    (folder / "friday").write_text("Fox\nMarsh\n")
    assert "is a file here, and a list that you keep: write ./friday" in run("deal", "friday")[2]
    with pytest.raises(FairdeckError, match=r"^'friday' is a file here"):
        fairdeck.deal("friday")
    assert '"cards":2' in run("deal", "./friday", "--json")[1]


def test_an_order_and_names_are_read_from_any_format(run, folder):
    (folder / "order.csv").write_bytes("pos;card\r\n2;Füchsin\r\n1;Fox\r\n".encode("cp1252"))
    (folder / "now.txt").write_text("1. Füchsin\n2. Fox\n", encoding="utf-16")
    code, _, err = run("deal", "--order", "order.csv", "--start", "now.txt", "--json")
    assert code == 0
    assert "order.csv: 2 cards, from a table, 'Fox' to 'Füchsin'; it is not UTF-8, and was read as Windows-1252" in err
    announce = ("together", "announce", "--people", "Ann,Ben", "--names")
    code, _, err = run(*announce, "list.txt")
    assert (code, "list.txt: 60 cards, 3 names, from a deck list; 15 sideboard cards left out" in err) == (0, True)


def test_a_list_is_not_written_over(run, folder):
    code, _, err = run("deal", "list.txt", "--pdf", "list.txt")
    assert (code, "both name 'list.txt'" in err, (folder / "list.txt").read_text()) == (BAD_INPUT, True, LIST)


def test_cards_in_other_words_are_sorted_as_french_cards(run, folder):
    ranks, suits = {"Q": "Dame", "J": "Bube", "T": "10"}, {"S": "Pik", "H": "Herz", "D": "Karo", "C": "Kreuz"}
    german = [f"{suits[suit]} {ranks.get(rank, rank)}" for suit, rank in FRENCH]
    (folder / "order.txt").write_text("\n".join(reversed(german)))
    assert run("deal", "--order", "order.txt", "--json")[0] == 0
