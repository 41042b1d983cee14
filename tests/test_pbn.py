"""Boards in Portable Bridge Notation: read, written, refused; and endplay as an oracle."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeck import FairdeckError
from fairdeck.cards.boards import Board, dealer_of, read_boards, vulnerable_on, write_boards
from fairdeck.cards.boards.choosing import chosen
from fairdeck.cards.boards.pbn import MANDATORY, deal_tag
from fairdeck.cards.bridge_hands import sorted_hand
from fairdeck.cards.names import FRENCH

DEAL = "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765"
OTHER = '"W:' + DEAL[2:] + '"'
BOARD = f'[Board "3"]\n[Dealer "S"]\n[Vulnerable "EW"]\n[Deal "{DEAL}"]\n'


def read_pbn(text):
    return chosen(read_boards(text.encode())[0])


def write_pbn(boards):
    return write_boards(list(boards), "PBN").decode()


def random_boards(seed, count):
    chance = random.Random(seed)
    for number in range(1, count + 1):
        deck = list(FRENCH)
        chance.shuffle(deck)
        yield Board(number, tuple(sorted_hand(deck[at : at + 13]) for at in range(0, 52, 13)))


boards = st.builds(
    lambda deck, number, dealer, vulnerable: Board(
        number, tuple(sorted_hand(deck[at : at + 13]) for at in range(0, 52, 13)), dealer, vulnerable
    ),
    st.permutations(FRENCH),
    st.integers(1, 999),
    st.sampled_from("NESW"),
    st.sampled_from(["None", "NS", "EW", "All"]),
)


def test_dealer_and_vulnerability_follow_the_cycle_of_16_boards():
    """Source: Laws of Duplicate Bridge 2017, law 2, as the table there has it."""
    law = {"None": (1, 8, 11, 14), "NS": (2, 5, 12, 15), "EW": (3, 6, 9, 16), "All": (4, 7, 10, 13)}
    assert {name: tuple(n for n in range(1, 17) if vulnerable_on(n) == name) for name in law} == law
    assert "".join(dealer_of(number) for number in range(1, 17)) == "NESW" * 4
    assert all(vulnerable_on(number) == vulnerable_on(number + 16) for number in range(1, 50))


@given(st.lists(boards, min_size=1, max_size=4, unique_by=lambda board: board.number))
def test_boards_written_are_read_back(written):
    assert read_pbn(write_pbn(written)) == written


def test_the_export_format_has_the_mandatory_tags_in_order_and_the_dealers_hand_first():
    (board,) = read_pbn(BOARD)
    lines = write_pbn([board]).split("\r\n")
    assert lines[:2] == ["% PBN 2.1", "% EXPORT"]
    assert tuple(re.match(r"\[(\w+) \"[^\"]*\"\]$", line)[1] for line in lines[2:17]) == MANDATORY
    assert lines[17:] == ["", ""]
    assert deal_tag(board) == "S:765.432.AKQJ.T98 432.AKQJ.T98.765 AKQJ.T98.765.432 T98.765.432.AKQJ"
    assert f'[Deal "{deal_tag(board)}"]' in lines


@pytest.mark.parametrize(
    "text",
    [
        BOARD,
        BOARD.replace("\n", "\r\n"),
        BOARD.replace("\n", "\r"),
        '% PBN 2.1\n% IMPORT\n%x [Deal "none"]\n' + BOARD,
        '{ a comment [Board "9"]\n\n over lines } ' + BOARD,
        BOARD.replace("]\n", '] ; [Board "8"]\n'),
        " ".join(BOARD.split("\n")),
        "\n".join(reversed(BOARD.splitlines())),
        BOARD.replace('[Deal "', '[ Deal\n  "'),
        BOARD + '[Auction "N"]\nPass Pass "[Board \\"7\\"]" Pass\n[Play "W"]\nSA * -\n',
        BOARD + "\n" + BOARD,
        BOARD.replace("AKQJ", "JQKA"),
        BOARD.replace("AKQJ", "akqj"),
        BOARD.replace(DEAL, "E:" + " ".join([*DEAL[2:].split()[1:], DEAL[2:].split()[0]])),
        BOARD.replace(DEAL, "N:AKQJ.T98.765.432 - 765.432.AKQJ.T98 432.AKQJ.T98.765"),
        BOARD.replace('"EW"', '"?"').replace('"S"', '""'),
        BOARD.replace("[Board", "[BOARD").replace("[Deal ", "[deal "),
        BOARD.replace("[", " \t["),
        "\n \n\t\n\n" + BOARD,
        f'[Site "Club \\"A\\" [x]"]\n{BOARD}',
        '[Event "#"]\n[OptimumResultTable "Declarer;Result\\2R"]\nN NT 5\n' + BOARD,
        f'[Event "before"]\n[Site "x"]\n\n{BOARD}',
    ],
)
def test_the_import_format_is_read(text):
    (board,) = read_pbn(text)
    assert (board.number, board.dealer, board.vulnerable) == (3, "S", "EW")
    assert deal_tag(board) == "S:765.432.AKQJ.T98 432.AKQJ.T98.765 AKQJ.T98.765.432 T98.765.432.AKQJ"


def test_values_of_games_before_are_repeated():
    one, two, three = random_boards(1, 3)
    text = "\n\n".join(
        [
            f'[Board "1"]\n[Vulnerable "##All"]\n[Dealer "W"]\n[Deal "{deal_tag(one)}"]',
            f'[Board "2"]\n[Dealer "#"]\n[Deal "{deal_tag(two)}"]',
            f'[Board "3"]\n[Vulnerable "None"]\n[Deal "{deal_tag(three)}"]',
        ]
    )
    read = read_pbn(text)
    assert [(board.dealer, board.vulnerable) for board in read] == [("W", "All"), ("W", "All"), ("S", "None")]


def test_boards_without_empty_lines_or_numbers_are_told_apart():
    three = list(random_boards(2, 3))
    tags = [f'[Deal "{deal_tag(board)}"]' for board in three]
    assert read_pbn("\n".join(tags)) == three
    numbered = [f'[Event "x"]\n[Board "{board.number}"]\n{tag}' for board, tag in zip(three, tags, strict=True)]
    assert read_pbn("\n".join(numbered)) == three


def test_hands_that_are_not_given_are_empty_unless_one():
    (board,) = read_pbn('[Deal "N:AKQJ.T98.765.432 - - -"]')
    assert [len(hand) for hand in board.hands] == [13, 0, 0, 0]


SPELT = {
    "Dealer": {"North": "N", "east": "E", " S ": "S", "WEST": "W", "w": "W"},
    "Vulnerable": {
        "Neither": "None",
        "-": "None",
        "N-S": "NS",
        "E/W": "EW",
        "Both": "All",
        "ALL": "All",
        "Love": "None",
    },
}


@pytest.mark.parametrize(("tag", "value"), [(tag, value) for tag, values in SPELT.items() for value in values])
def test_dealer_and_vulnerability_are_read_however_programs_spell_them(tag, value):
    (board,) = read_pbn(re.sub(rf'{tag} "\w+"', f'{tag} "{value}"', BOARD))
    assert getattr(board, tag.lower()) == SPELT[tag][value]
    assert board.remarks == ()


@pytest.mark.parametrize(("tag", "line"), [("Dealer", 2), ("Vulnerable", 3)])
def test_what_does_not_change_the_deal_stops_none(tag, line):
    (board,) = read_pbn(re.sub(rf'{tag} "\w+"', f'{tag} "7"', BOARD))
    assert board == Board(3, board.hands)
    (remark,) = board.remarks
    assert remark.startswith(f"line {line}, board 3: {tag} '7' is none of N")
    assert remark.endswith(": taken as on the tray of this number")


def test_hands_are_read_with_suit_letters_tens_and_dashes():
    (plain,) = read_pbn('[Deal "N:AKQJT.98.765.432 - ... AQ.-.AKQJT98.KQJT"]'.replace("AQ.-", "-.AQ"))
    (other,) = read_pbn('[Deal "N:SAKQJ10.H98.D765.C432 ... - S-.HAQ.DAKQJ1098.CKQJ10"]')
    assert plain.hands == other.hands
    assert [len(hand) for hand in plain.hands] == [13, 0, 0, 13]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", 'the file has no board; every board has a line such as [Deal "N:AKQ.'),
        ("not PBN at all", "the file has no board"),
        (
            BOARD.replace("AKQJ.T98.765.432", "AKQ.T98.765.432"),
            "line 4, board 3, North: the hand has 12 cards; a hand has",
        ),
        (BOARD.replace("AKQJ.T98.765.432 ", "AKQJ2.T98.765.432 "), "North: the hand has 14 cards"),
        (BOARD.replace("AKQJ.T98.765.432 ", "AKQJ.T98.765.A32 "), "CA is in two hands, North and East; give it to one"),
        (BOARD.replace("AKQJ.T98.765.432 ", "AAQJ.T98.765.432 "), "line 4, board 3, North: SA is there twice"),
        (BOARD.replace("T98.765.432.AKQJ ", "T98.765.432.AKQX "), "East: 'X' in 'T98.765.432.AKQX' is not a card"),
        (BOARD.replace("T98.765.432.AKQJ ", "T98.765.432 "), "East: 'T98.765.432' has 3 suits; write four"),
        (BOARD.replace("T98.765.432.AKQJ ", ""), "the deal has 3 hands; write four, - for one that is not given"),
        (BOARD.replace("N:AKQ", "X:AKQ"), "Deal 'X:AKQJ.T98.765.432 T98.765.432' must begin with N:, E:, S: or W:"),
        (BOARD.replace("N:AKQ", "AKQ"), "must begin with N:"),
        (BOARD.replace('"3"', '"three"'), "line 1: Board: 'three' is not a whole number; write 1 to 9999"),
        (BOARD.replace('"3"', '"0"'), "line 1: Board: 0 is out of range"),
        (BOARD.replace('"EW"', '"#"'), "line 3: Vulnerable repeats the game before (#), which does not have it"),
        (BOARD.replace('"S"]', '"S]'), "line 2: this is not a tag; write it as [Deal"),
        (BOARD + "{ no end", "line 5: a comment begins with { and has no end; end it with }"),
        (f"{BOARD}\n{BOARD}".replace("N:AKQJ", "E:AKQJ", 1), "line 9: board 3 is there twice, with different hands"),
        (
            f"{BOARD}\n{BOARD}".replace('"S"', '"N"', 1),
            "line 9: board 3 is there twice, with different values of Dealer",
        ),
        (f"{BOARD}\n{BOARD}".replace('"EW"', '"NS"', 1), "board 3 is there twice, with different values of Vulnerable"),
        (
            f"{BOARD}[Deal {OTHER}]\n",
            "line 5: the deal in line 5 has no Board of its own, and the deal in line 4 has one; give every deal",
        ),
        (
            f"[Deal {OTHER}]\n\n{BOARD}",
            "line 6: the deal in line 1 has no Board of its own, and the deal in line 6 has",
        ),
        (BOARD.replace('[Dealer "S"]', '  [Dealer "S]'), "line 2: this is not a tag; write it as [Deal"),
    ],
)
def test_what_is_not_pbn_is_refused_with_line_and_board(text, told):
    with pytest.raises(FairdeckError) as refusal:
        read_pbn(text)
    assert told in str(refusal.value)


@pytest.mark.long
def test_endplay_reads_the_same_boards(tmp_path):
    """Endplay weighs 172 MB, so it is no package of ours: pip install endplay==0.5.12 to run this."""
    pytest.importorskip("endplay")
    from endplay.parsers import pbn

    written = list(random_boards(7, 64))
    theirs = pbn.loads(write_pbn(written).replace("\r\n", "\n"))
    assert [board.board_num for board in theirs] == [board.number for board in written]
    for one, other in zip(written, theirs, strict=True):
        assert str(other.deal) == deal_tag(Board(1, one.hands, "N"))
        assert (other.dealer.abbr, other.vul.name.lower()) == (one.dealer, VULNERABLE[one.vulnerable])
    assert read_pbn(pbn.dumps(theirs)) == written


VULNERABLE = {"None": "none", "NS": "ns", "EW": "ew", "All": "both"}
