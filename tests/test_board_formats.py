"""Boards in the formats of bridge programs: read, written, chosen, filled; and refused with board and remedy."""

import json
import time
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeck import FairdeckError
from fairdeck.cards.boards import Board, formats, read_boards, sniff, write_boards
from fairdeck.cards.boards.choosing import chosen
from fairdeck.cards.bridge_hands import filled, written_hand
from fairdeck.cards.names import FRENCH
from fairdeck.randomness import uniform_permutation
from fairdeck.trust.boards import split_after
from tests.enumerated import law_of
from tests.test_pbn import boards, random_boards

HANDS = ["KT5.AJ8543.KJ.K5", "Q6432.T62.7.T973", "AJ9.Q9.QT963.862", "87.K7.A8542.AQJ4"]
LIN = "qx|o1|md|3SAJ9HQ9DQT963C862,S87HK7DA8542CAQJ4,SKT5HAJ8543DKJCK5|rh||ah|Board 1|sv|o|pg||\n"
DIGITS = "020510141720232425283041490309111213182226344445475101040616192931323538464852"
SIGNS = "".join(
    (
        *("\x06KT5\x03AJ8543\x04KJ\x05K5", "\x06Q6432\x03T62\x047\x05T973"),
        *("\x06AJ9\x03Q9\x04QT963\x05862", "\x0687\x03K7\x04A8542\x05AQJ4"),
    )
)
FILES = {  # the same deal as each format has it
    "PBN": '[Board "1"]\n[Dealer "North"]\n[Deal "N:SK105.HAJ8543.DKJ.CK5 Q6432.1062.7.10973 ... 87.K7.A8542.AQJ4"]\n',
    "LIN": LIN,
    "LIN, without number": "md|3s9jah9qd369tqc268,S78H7KD2458AC4JQA,S5TKH3458JADJKC5K,S2346QH26TD7C379T|\n",
    "DUP": f"{DIGITS}{SIGNS}YN1  0 01 ",
    "DUP, blind": f"{DIGITS}{' ' * 68}YN1  1 1  ",
    "BRI": f"{DIGITS}{' ' * 32}{chr(0) * 18}",
    "DGE": f"{SIGNS}{chr(0) * 60}",
    "DLM": "[Document]\r\nFrom board=1\r\nTo board=1\r\nBoard 01=igcpefeobinabmiknlopdnggdg008\r\n"
    "Board 02=aaaaaabffffffkkkkkklpppppp012\r\n",
    "lines without tags": f"N:{' '.join(HANDS)}\n",
    "lines without tags, in quotes": f'PBN 0 0 4 3 "N:{" ".join(HANDS)}"\n',
    "lines without tags, every seat": f"n {HANDS[0]} e {HANDS[1]} s {HANDS[2]} w {HANDS[3]}\n",
}
WRITTEN = [each.name for each in formats() if each.write]


@pytest.fixture
def run(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return run


def bytes_of(text):
    return text.encode("latin-1")


def hands_of(board):
    return [written_hand(hand) if hand else "" for hand in board.hands]


def session_of(count=4, seed=1):
    return list(random_boards(seed, count))


# --- read


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_by_what_it_begins_with(name):
    data = bytes_of(FILES[name])
    (board,), notes = read_boards(data)
    assert sniff(data).name == name.split(",")[0]
    assert hands_of(board) == HANDS
    assert (board.name, board.dealer, board.vulnerable) == ("1", "N", "None")
    unnamed = name.startswith(("BRI", "DGE", "lines", "LIN,"))
    assert any("no numbers" in note for note in notes) is unnamed


def test_a_published_line_of_dlm_has_its_check_and_hands():
    """Source: a forum of Bridge Base Online, July 2013, board 1; its check is from another program."""
    (board,), _ = read_boards(b"Board 01=cgcajjjnakpkchipnjhmbmbpbh022\n")
    assert sorted(card for hand in board.hands for card in hand) == sorted(FRENCH)


def test_lin_has_dealers_vulnerability_and_numbers():
    more = LIN.replace("o1", "o14").replace("md|3", "md|2").replace("sv|o", "sv|e") + "qx|c14|md||sv|e|pg||"
    found, notes = read_boards(bytes_of(LIN + more))
    assert [(board.name, board.dealer, board.vulnerable) for board in found] == [("1", "N", "None"), ("14", "W", "EW")]
    assert notes == ["read as LIN"]
    (named,), _ = read_boards(bytes_of(LIN.replace("qx|o1|", "").replace("Board 1", "Board 7")))
    assert named.name == "7"


def test_dup_takes_the_numbers_that_its_records_name():
    records = f"{DIGITS}{SIGNS}YN13 0 14 "
    assert [board.name for board in read_boards(bytes_of(records * 2))[0]] == ["13", "14"]
    found, (note,) = read_boards(bytes_of(records * 3))
    assert [board.name for board in found] == ["1", "2", "3"]
    assert note == "DUP: the file has no numbers of boards: they are 1 to 3, in its order"


def test_boards_of_team_play_have_names():
    data = bytes_of(f'[Board "2-3"]\n[Deal "N:{" ".join(HANDS)}"]\n')
    (board,), _ = read_boards(data)
    assert (board.name, board.number, board.dealer) == ("2-3", 3, "S")
    assert read_boards(write_boards([board], "PBN"))[0] == [board]


# --- written


@pytest.mark.parametrize("name", WRITTEN)
@given(written=st.lists(boards, min_size=1, max_size=4), first=st.integers(1, 90))
def test_what_a_format_writes_is_read_back(name, written, first):
    if name in ("BRI", "DGE", "lines without tags"):
        first = 1
    if name not in ("PBN", "LIN"):  # they have no dealers
        written = [Board(number, board.hands) for number, board in enumerate(written, first)]
    else:
        written = list({board.number: board for board in written}.values())
    data = write_boards(written, name)
    assert sniff(data).name == name
    assert read_boards(data)[0] == written
    assert write_boards(read_boards(data)[0], name) == data


def test_the_bytes_are_those_of_the_machines():
    (board,), _ = read_boards(bytes_of(LIN))
    for name in ("DUP", "BRI", "DGE"):
        assert write_boards([board], name) == bytes_of(FILES[name])
    lines = write_boards([board], "DLM").decode().split("\r\n")
    assert set(FILES["DLM"].split("\r\n")) <= set(lines)
    assert sum(line.startswith("Board ") for line in lines) == 99


@pytest.mark.parametrize(
    ("name", "board", "told"),
    [
        ("DUP", Board(3, dealer="N"), "cannot hold hands that are not given"),
        ("DLM", Board(3, session_of()[2].hands, "N"), "a dealer and a vulnerability that differ from law 2"),
        ("LIN", Board(3, session_of()[2].hands, name="1-3"), "cannot hold names such as 1-12"),
        ("BRI", session_of()[2], "numbers its boards in turn, from 1 on"),
        ("DLM", Board(100, session_of()[2].hands), "has numbers up to 99"),
        ("lines without tags", session_of()[2], "numbers its boards in turn, from 1 on"),
    ],
)
def test_what_a_format_cannot_hold_is_refused(name, board, told):
    with pytest.raises(FairdeckError, match=told) as refusal:
        write_boards([board], name)
    assert "write PBN" in str(refusal.value)


# --- refused


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (FILES["DUP"].replace("02", "53", 1), "board 1: 53 is not a card; cards are 01 to 52"),
        (FILES["DUP"].replace("02", "05", 1), "board 1, North: ST is there twice"),
        (FILES["DUP"].replace(f"{DIGITS[:26]}{DIGITS[26:52]}", f"{DIGITS[26:52]}{DIGITS[:26]}"), "are different deals"),
        (FILES["DUP"][:-7], "board 1: 149 bytes are left, a board has 156; save the file again"),
        (FILES["BRI"].replace(DIGITS[26:52], DIGITS[:26]), "board 1: SK is in two hands, North and East; give it to"),
        (FILES["DGE"].replace("KT5", "KTX"), "board 1: 'X' is not a sign of DGE"),
        (FILES["DGE"].replace("KT5", "KT") + "\0", "board 1, North: the hand has 12 cards; a hand has 13"),
        (FILES["DLM"].replace("008", "009"), "line 4, board 1: its check is 009, not 008: save the file again"),
        (FILES["DLM"].replace("igc", "agc").replace("008", "000"), "line 4, board 1, North: the hand has 14 cards"),
        (FILES["DLM"].replace("01=ig", "01=i"), "line 4: 'Board 01=icpefeobinabmiknlopdnggdg008' is not a board"),
        (LIN.replace("md|3", "md|7"), "line 1, deal 1: '7' is no dealer; write 1 for South"),
        (LIN.replace("S87HK7DA8542CAQJ4", "SAJ9HQ9DQT963C862"), "line 1, deal 1: SA is in two hands, South and West"),
        (LIN.replace("AJ9H", "A9H"), "line 1, deal 1, South: the hand has 12 cards"),
        (f"N:{' '.join(HANDS[:3])}\n", "line 1: the deal has 3 hands; write four"),
        (f"N:{' '.join(HANDS)}\nnot a deal\n", "line 2: 'not a deal' is not a deal; write N:AKQ"),
        (
            f'[Board "5"]\n[Deal "N:{" ".join(["AAAA.AAAA.AAAA.AAAA"] * 4)}"]',
            "line 2, board 5, North: SA is there twice",
        ),
        ("# tournament\nTN Club\nSN 1:1-24:R#:Round\n", "this is SquareDeal, which holds keys and no deal: save the"),
        ("H N:AK,QJ,AT,932:\n", "this is RBN or RBX: save the boards as PBN"),
        ("", "the file has no board; every board has a line such as"),
        ("[DOCUMENT]\n", "the file has no board"),
        ("1234" * 13, "this is BER, a seat for each card: save the boards as PBN"),
        ("\x10\x80 a", "the file is no text and has no board that is read here"),
    ],
)
def test_what_is_no_deal_is_refused_with_board_and_remedy(text, told):
    with pytest.raises(FairdeckError) as refusal:
        chosen(read_boards(bytes_of(text))[0])
    assert told in str(refusal.value)


# --- chosen


def two_sessions(events=("Morning", "Evening")):
    """Return a file with the boards 1 to 3 of one session, and 1 to 4 of another."""
    written = []
    for event, found in zip(events, (session_of(3, 1), session_of(4, 2)), strict=True):
        written.append(write_boards(found, "PBN").decode().replace('[Event ""]', f'[Event "{event}"]'))
    return "".join(written).encode()


def test_a_session_is_chosen_by_its_name_or_number():
    found, _ = read_boards(two_sessions())
    for name, wanted in (("1", session_of(3, 1)), ("evening", session_of(4, 2)), (" 2", session_of(4, 2))):
        assert chosen(found, name) == wanted
    assert chosen(found, "2", "2-3, 1") == session_of(4, 2)[:3]
    assert chosen(found, wanted="4") == session_of(4, 2)[3:]  # only one session has it
    told = (
        r"line \d+: board 1 is there twice, .*: --session 1 \('Morning'\), boards 1-3; .*2 \('Evening'\), boards 1-4$"
    )
    with pytest.raises(FairdeckError, match=told):
        chosen(found)
    with pytest.raises(FairdeckError, match="session 'noon': no session is called that"):
        chosen(found, "noon")


def test_numbers_that_begin_again_in_one_event_are_sessions():
    found, _ = read_boards(two_sessions(("Club", "Club")))
    assert chosen(found, "1") == session_of(3, 1)
    assert chosen(found, "2") == session_of(4, 2)
    with pytest.raises(FairdeckError, match="session 'Club': more than one session is called that"):
        chosen(found, "Club")


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("1-9", "--boards 1-9: the file has no board 5-9; it has 1-4"),
        ("7", "the file has no board 7; it has 1-4"),
        ("3-1", "the last number is below the first; write 1-3"),
        ("x", "--boards X: the file has no board X; it has 1-4"),
        ("", "the file has no board"),
        ("1-99999", "boards: 99999 is out of range"),
        ("0", "boards: 0 is out of range"),
    ],
)
def test_boards_that_are_not_there_are_named(wanted, told):
    with pytest.raises(FairdeckError) as refusal:
        chosen(session_of(), wanted=wanted)
    assert told in str(refusal.value)


def test_a_name_is_no_range():
    found = [Board(2, name="1-2"), Board(3, name="1-3")]
    assert chosen(found, wanted="1-3") == found[1:]
    with pytest.raises(FairdeckError, match="the file has a board of this name, and boards 1, 2"):
        chosen([*found, Board(1), Board(2)], wanted="1-2")


# --- hands that are drawn


@pytest.mark.parametrize("given_hands", [((0, 1), (), ()), ((), (), ()), ((), (2, 4), ()), ((0, 5), (1, 2), ())])
def test_every_deal_that_agrees_with_the_given_hands_is_equally_likely(given_hands):
    law = law_of(lambda choices: filled(given_hands, range(6), choices))
    agree = {
        (north, east, tuple(card for card in range(6) if card not in north + east))
        for north in combinations(range(6), 2)
        for east in combinations([card for card in range(6) if card not in north], 2)
    }
    agree = {
        deal for deal in agree if all(not hand or hand == dealt for hand, dealt in zip(given_hands, deal, strict=True))
    }
    assert law == dict.fromkeys(agree, Fraction(1, len(agree)))


def test_cards_that_are_dealt_to_a_random_hand_with_room_would_be_biased():
    """The alarm: a wrong way, each card to one of the hands that have room, is heard by the same enumeration."""

    def wrong(choices):
        hands = [[], [], []]
        for card in range(6):
            room = [hand for hand in hands if len(hand) < 2]
            room[choices.below(len(room))].append(card)
        return tuple(map(tuple, hands))

    assert len(set(law_of(wrong).values())) > 1


# --- copies for a second section


SPLITS = [(hand, tuple(card for card in range(4) if card not in hand)) for hand in combinations(range(4), 2)]


def test_a_person_with_list_1_of_a_draw_and_list_2_of_another_one_of_the_same_board_knows_nothing():
    def seen(hands):
        return law_of(lambda draw: (uniform_permutation(4, draw), split_after(uniform_permutation(4, draw), hands)))

    assert all(seen(hands) == seen(SPLITS[0]) for hands in SPLITS)


def test_two_lists_2_after_one_list_1_tell_how_their_hands_differ():
    def seen(hands, other):
        def lists(first):
            return split_after(first, hands), split_after(first, other)

        return law_of(lambda draw: lists(uniform_permutation(4, draw)))

    assert seen(SPLITS[0], SPLITS[1]) != seen(SPLITS[0], SPLITS[5])
    assert all(seen(hands, hands) == seen(SPLITS[0], SPLITS[0]) for hands in SPLITS)  # a copy tells nothing


# --- the command


def test_a_file_of_thousands_of_boards_is_read_and_some_are_dealt(run):
    many = [Board(number, board.hands) for number, board in enumerate(session_of(50) * 100, 1)]
    Path("many.pbn").write_bytes(write_boards(many, "PBN"))
    began = time.perf_counter()
    code, out, _ = run("boards", "many.pbn", "--boards", "4990-4992,7", "--json")
    assert time.perf_counter() - began < 30  # it takes 2 seconds
    assert code == 0
    assert [board["board"] for board in json.loads(out)["boards"]] == [7, 4990, 4991, 4992]
    code, _, err = run("boards", "many.pbn")
    assert (code, err.count("\n")) == (2, 1)
    assert "many.pbn: these are 5000 boards: deal at most 200 at once, for example --boards 1-200" in err


def test_records_are_written_as_the_ending_says(run):
    assert run("boards", "--random", "12", "--first", "13", "-o", "lists")[0] == 0
    code, text, _ = run("boards", "--records", "lists-1", "lists-2")
    assert code == 0
    for ending in ("pbn", "LIN", "dup", "dlm"):
        assert run("boards", "--records", "lists-1", "lists-2", "-o", f"s.{ending}")[0] == 0
        found, _ = read_boards(Path(f"s.{ending}").read_bytes())
        assert write_boards(found, "PBN").decode() == text.replace("\n", "\r\n").replace("\r\r", "\r")
        assert [board.number for board in found] == list(range(13, 25))
    for ending, kind in (("bri", "BRI"), ("txt", "deal-a-line")):
        code, _, err = run("boards", "--records", "lists-1", "lists-2", "-o", f"s.{ending}")
        assert (code, err) == (2, f"fairdeck: a {kind} file numbers its boards in turn, from 1 on; write PBN\n")
    _, out, _ = run("boards", "--records", "lists-1", "lists-2", "--boards", "14,15")
    assert [board.number for board in read_boards(out.encode())[0]] == [14, 15]


def test_hands_that_are_not_given_are_drawn_anew_each_time(run):
    Path("lesson.pbn").write_text(f'[Board "1-2"]\n[Deal "N:{HANDS[0]} ... {HANDS[2]} -"]\n')
    drawn = set()
    for name in ("a", "b"):
        code, _, err = run("boards", "lesson.pbn", "--fill", "-o", name)
        assert code == 0
        assert "note: board 1-2: the hands of East, West are drawn\n" in err
        (board,), _ = read_boards(run("boards", "--records", f"{name}-1", f"{name}-2")[1].encode())
        assert board.name == "1-2"
        assert hands_of(board)[::2] == HANDS[::2]
        assert sorted(card for hand in board.hands for card in hand) == sorted(FRENCH)
        drawn.add(board.hands)
    assert len(drawn) == 2  # alike in 1 of 10,400,600


def test_a_session_of_a_file_and_a_name_on_the_pages(run):
    Path("two.pbn").write_bytes(two_sessions().replace(b'[Board "', b'[Board "a-'))
    words = ["--boards", "A-2", "--session", "evening", "--html", "pages", "--voices", "none", "--slips", "s.pdf"]
    assert run("boards", "two.pbn", *words)[0] == 0
    assert Path("pages", "person-1", "board-A-2.html").is_file()
    assert "Board A-2 · dealer E" in Path("pages", "person-1", "index.html").read_text()
    _, out, _ = run("boards", "two.pbn", "--session", "2", "--json")
    assert [board["board"] for board in json.loads(out)["boards"]] == ["A-1", "A-2", "A-3", "A-4"]


def test_many_notes_are_one_line(run):
    found = [Board(board.number, board.hands, "E", "All") for board in session_of(5)]
    Path("tray.pbn").write_bytes(write_boards(found, "PBN"))
    told = "note: boards 1-5 have another dealer or vulnerability than their trays\n"
    assert told in run("boards", "tray.pbn", "--json")[2]


@pytest.mark.parametrize(
    "line",
    [
        *("two.pbn", "two.pbn --session 3", "two.pbn --session 1 --boards 4", "two.pbn --first 2 --session 1"),
        *("--random 3 --boards 1", "--random 3 --fill", "--random 3 --first 0", "--random 3 --first 9998"),
        *("sqd.txt", "cut.dup"),
    ],
)
def test_bad_choices_get_one_line(run, line):
    Path("two.pbn").write_bytes(two_sessions())
    Path("sqd.txt").write_text("TN Club\n")
    Path("cut.dup").write_bytes(bytes_of(FILES["DUP"])[:100])
    before = sorted(Path().iterdir())
    code, out, err = run("boards", *line.split())
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert sorted(Path().iterdir()) == before
