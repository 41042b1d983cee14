"""Named cards, and decks dealt into orders that are given."""

import json
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairdeck
from fairdeck import FairdeckError, read_plan, replay
from fairdeck.cards.decks import read_cards
from fairdeck.cards.languages import sorted_deck
from fairdeck.cards.names import FRENCH, french_card
from fairdeck.cli.exits import BAD_INPUT
from fairdeck.permutation import arrange
from tests.test_cli import deal_as_printed

TAROT = ("The Fool", "The Moon", "Ten of Swords", "Death")
WRITTEN = {
    "SA": ["SA", "sa", "AS", "A♠", "♠A", "a♤", "♠️A"],
    "HT": ["HT", "TH", "Th", "10♥", "♥10", "h10", "10h", "10♡", "10♥️"],
    "D2": ["D2", "2♦", "♢2"],
    "CK": ["CK", "k♣", "♧K"],
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_french_card_is_read_however_people_write_it(name):
    assert {french_card(word) for word in WRITTEN[name]} == {name}


@pytest.mark.parametrize("word", ["", "A", "S", "AA", "SS", "S1", "S11", "SAS", "1", "100♥", "XA", "joker", "SSA"])
def test_other_words_are_no_french_cards(word):
    assert french_card(word) is None


@given(st.permutations(FRENCH), st.sampled_from([" ", "\n", ", ", "; ", "\r\n", "\t", ",\n"]))
def test_a_deck_is_read_back_however_its_names_are_parted(deck, between):
    assert read_cards(between.join(deck)) == tuple(deck)
    assert read_cards(between.join(deck), deck=FRENCH) == tuple(deck)
    assert sorted_deck(deck) == FRENCH


@pytest.mark.parametrize("between", ["\n", ", ", "\n\n", ",\n", ";"])
def test_names_may_have_blanks(between):
    assert read_cards(between.join(TAROT)) == TAROT
    assert read_cards(between.join(reversed(TAROT)), deck=TAROT) == TAROT[::-1]


@pytest.mark.parametrize("between", ["\n", ", "])
def test_the_name_of_a_joker_may_have_blanks(between):
    deck = ("Joker 1", *FRENCH, "Joker red")
    assert read_cards(between.join(deck).replace("Joker r", "JOKER r")) == deck
    assert sorted_deck(deck) == (*FRENCH, "Joker 1", "Joker red")


def test_an_accent_may_be_a_letter_of_its_own():
    assert read_cards("blue\nCafe\u0301", deck=("Caf\u00e9", "blue")) == ("blue", "Caf\u00e9")
    assert read_cards(["Cafe\u0301"]) == ("Caf\u00e9",)


def test_the_sorted_deck_is_spades_to_clubs_from_the_ace_down_read_from_the_top():
    assert FRENCH[:3] + FRENCH[-2:] == ("SA", "SK", "SQ", "C3", "C2")
    assert sorted_deck(["Joker", "C2", "S7", "SA"]) == ("SA", "S7", "C2", "Joker")


@pytest.mark.parametrize(
    ("text", "deck", "told"),
    [
        ("", None, "cards: the list is empty, no card is named; list the cards, top first"),
        ("SA\nSK\n\nas", FRENCH, "line 4, card 3: SA is there twice, first in line 1, card 1"),
        ("SA, SX\n", FRENCH, "line 1, card 2: 'SX' is not a card of this deck, SA, SK"),
        ("S\u0410, SK, SQ", None, "card 1: 'S\u0410' (with '\u0410', CYRILLIC CAPITAL LETTER A) is not a French card"),
        ("SA SK SX S9", None, "line 1, card 3: 'SX' is not a French card; write SA, A♠, 10♥ or Joker"),
        ("\n".join(FRENCH[1:]), None, "1 card is missing: SA; name every card once"),
        ("\n".join(FRENCH[9:]), FRENCH, "9 cards are missing: SA, SK, SQ, SJ, ST, ...; name"),
        ("1 2 4", None, "missing: 3; name every card once; the 3 cards must be numbered 1 to 3, from the top"),
        ("0 1 2", None, "1 card is missing: 3"),
        ("Fox\n", None, "only one card is named, 'Fox'; list the cards"),
        ("1 2 3 2", None, "card 4: 2 is there twice, first in line 1, card 2, and 1 card is missing: 4; name"),
        (" ".join([*FRENCH[:51], "SA"]), None, "card 52: SA is there twice, first in line 1, card 1, and 1 card is m"),
        (" ".join([*FRENCH, "SA"]), None, "card 53: SA is there twice, first in line 1, card 1; name every card once"),
        (" ".join(FRENCH * 2)[3:], None, "1 card is missing: SA; name every card twice"),
        (" ".join(["SA", *FRENCH * 2]), None, "card 54: SA is there 3 times, first in line 1, card 1; name every"),
        ("a b a a", "aabb", "card 4: a is there 3 times, first in line 1, card 1, and 1 card is missing: b; name"),
        ("a a b b", "aaab", "card 4: b is there twice, first in line 1, card 3, and 1 card is missing: a; name"),
        ("a\n" + "b" * 81, None, "line 2: 'bbb"),
        ("a\nb\x1bc", None, r"'b\x1bc' is no name of a card"),
    ],
)
def test_a_list_that_is_no_deck_is_refused_with_its_place(text, deck, told):
    with pytest.raises(FairdeckError) as refusal:
        read_cards(text, deck=deck)
    assert told in str(refusal.value)


NAMED = {
    "Old Warden, the Gate\nEmber Jolt\nSky Lance\nMarsh": ("Old Warden, the Gate", "Ember Jolt", "Sky Lance", "Marsh"),
    '"Reed, Warden of Fen"\n"Oak, Elder"': ("Reed, Warden of Fen", "Oak, Elder"),
    '"Reed, Warden of Fen", Marsh; Cinder Fox': ("Reed, Warden of Fen", "Marsh", "Cinder Fox"),
    '"4 Winds"\n"Said ""no"" twice"\n "Deck" ,\n': ("4 Winds", 'Said "no" twice', "Deck"),
    "1. Pik Ass\n2. Herz 10\n\n3. Karo Bube": ("Pik Ass", "Herz 10", "Karo Bube"),
    "1) A♣\n2) A♥": ("CA", "HA"),
    "4 of Hearts\n7 of Spades\n10 de copas": ("4 of Hearts", "7 of Spades", "10 de copas"),
    "The Fool\tThe Moon": ("The Fool", "The Moon"),
    "Dawn // Dusk\nCafe\u0301\nFox (2)\n🦊": ("Dawn // Dusk", "Café", "Fox (2)", "🦊"),
    "Old\u00a0Fox\nBlue\u2009Hill": ("Old Fox", "Blue Hill"),
    "SA SK\nSQ, HA\nHK HQ": ("SA", "SK", "SQ", "HA", "HK", "HQ"),
    "3 1\n2,4": ("3", "1", "2", "4"),
    "red green blue": ("red", "green", "blue"),
}


@pytest.mark.parametrize("text", NAMED)
def test_a_line_is_a_card_except_of_playing_cards_and_numbers(text):
    assert read_cards(text) == NAMED[text]
    assert read_cards(text.replace("\n", "\r\n"), deck=NAMED[text][::-1]) == NAMED[text]


OTHERS = {
    "a heading": ("#mine", "!aside", "Deck", "Sideboard:", "SIDEBOARD", "Creatures: 12", "// burn", "-- Lands --"),
    "a comment": ("% PBN 2.1", "*** FLOP", "- Fox", "# shuffled"),
    "markup": ("<zone>", '{"slots": {"1": 2}}', '["Fox", "Marsh"]', "[Board 1]", "a | b", "x = 3", "int main() {"),
    "a count": ("Ember Jolt x4", "Marsh ×12"),
    "a hand of a board": ("N:KT5.AJ8543.KJ.K5", "Q6432.T62.7.T973"),
    "without blanks": ("KCJS9D10H", "🂡🂾🃏"),
    "a line of a log": ("2026-01-01 deck shuffled", "at 12:31:07 dealt"),
    "no end": ('"Reed', "“Reed"),
}


@pytest.mark.parametrize(("kind", "line"), [(kind, line) for kind, lines in OTHERS.items() for line in lines])
def test_what_is_no_name_is_refused_with_its_line(kind, line):
    with pytest.raises(FairdeckError, match=rf"line 2: .*{kind}.*quotation marks is taken as it is"):
        read_cards(f"Fox\n{line}\nMarsh\nHill\nOwl")


def test_the_remedy_for_an_order_without_a_sorted_deck_fits_what_was_given(run, tmp_path):
    (tmp_path / "order.txt").write_text("Fox\nMarsh\n")
    code, _, err = run("deal", "--order", str(tmp_path / "order.txt"), "--start", "sorted")
    assert code == BAD_INPUT
    assert "say with --start FILE how the cards lie now, top first instead of sorted" in err


def test_a_short_deck_has_the_same_ranks_in_every_suit():
    skat = [name for name in FRENCH if name[1] in "AKQJT987"]
    assert read_cards(" ".join(skat)) == tuple(skat)
    with pytest.raises(FairdeckError, match="1 card is missing: D7"):
        read_cards(" ".join(name for name in skat if name != "D7"))


@given(st.text(max_size=200) | st.lists(st.sampled_from([*FRENCH, "1", "2", "x y", ",", "\n", "Joker"])).map(" ".join))
def test_any_text_is_a_deck_or_refused(text):
    try:
        deck = read_cards(text)
    except FairdeckError as error:
        assert str(error).startswith("cards: ")
    else:
        assert read_cards(deck, deck=deck) == deck


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_every_order_of_a_few_cards_is_dealt_from_every_other(size):
    names = TAROT[:size] if size < 5 else "abcde"
    for start in list(permutations(names))[:: 1 if size < 5 else 7]:
        for order in permutations(names):
            deal = fairdeck.deal_order(order, start, mat="2x2")
            assert replay(deal.plan, start[::-1])[0] == order[::-1]
            assert arrange(deal.arrangement, start[::-1]) == order[::-1]


def test_a_deck_is_sorted_as_the_printed_text_says(run, tmp_path):
    start = [FRENCH[(7 * place + 3) % 52] for place in range(52)]
    (tmp_path / "now.txt").write_text("\n".join(start))
    code, out, err = run("deal", "--order", "sorted", "--start", str(tmp_path / "now.txt"))
    assert code == 0
    assert err == "note: the order is given, not drawn: anyone who sees the plan can work it out\n"
    assert tuple(start[::-1][card] for card in deal_as_printed(out, 52).end()[::-1]) == FRENCH
    assert "Done: the cards lie as wanted." in out
    assert "random" not in out


def test_of_the_top_of_a_given_order_no_more_is_said_than_is_true():
    given = fairdeck.deal_order("5 3 1 2 4 6", goal="top:2").instructions()
    assert given.endswith("Done: the top 2 cards lie as wanted; leave the others.")


def test_the_terminal_says_at_the_end_that_the_cards_lie_as_wanted():
    from fairdeck.cli.follow import Steps

    deal = fairdeck.deal_order("2 1 3")
    steps = Steps(deal.plan, deal.given)
    assert steps.screen(len(steps) - 1)[-1] == "The cards lie as wanted."


def test_all_outputs_deal_the_order_given(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "order.txt").write_text("3 1 2 6 5 4 7")
    outputs = ["--json", "--html", "deal.html", "--voices", "none", "--pdf", "deal.pdf", "--reveal"]
    code, out, _ = run("deal", "--order", "order.txt", "--mat", "2x1", *outputs)
    plan, arrangement = read_plan(out)
    assert code == 0
    assert [7 - card for card in reversed(arrangement)] == [3, 1, 2, 6, 5, 4, 7]
    assert replay(plan, range(7))[0] == arrangement
    assert "The order was given, not drawn." in (tmp_path / "deal.html").read_text()
    assert run("deal", "7", "--order", "order.txt", "--start", "1-n", "--json", "--reveal", "--mat", "2x1")[1] == out
    shown = run("deal", "--order", "order.txt", "--reveal")[1]
    assert shown.endswith("The order wanted, top first:\n3 1 2 6 5 4 7\n")


def test_hands_are_taken_from_the_top_of_the_order_given():
    deal = fairdeck.deal_order("3 1 4 2", goal="hands:2x2", mat="2x1")
    _, hands = replay(deal.plan, ("4", "3", "2", "1"))
    assert [set(hand) for hand in hands] == [{"3", "1"}, {"4", "2"}]


def test_every_language_of_the_page_and_the_sheet_has_the_texts_of_given_orders():
    from fairdeck.page import LANGUAGES, texts
    from fairdeck.page.document import PARTS

    english = texts("en", PARTS / "one" / "given")
    for language in LANGUAGES:
        assert texts(language, PARTS / "one" / "given").keys() == english.keys()
    assert english.keys() <= (texts("en") | texts("en", PARTS / "one" / "texts")).keys()


BAD = """
deal --order sorted --start tarot
deal --order sorted
deal --order sorted --start sorted
deal --order /nowhere/x
deal --order -
deal 60 --start sorted
deal 60 --order cards
deal --order cards --seed 07
deal --order cards --start x
deal --order - --start -
deal --order tarot
deal --order latin
deal --order cards --booklet 2 --pdf x.pdf
deal --order cards --start tarot
deal --order tarot --start sorted
deal --order /dev/null
deal --order /
deal --order cards --start 1-n
"""


@pytest.mark.parametrize("line", BAD.strip().splitlines())
def test_a_bad_order_gets_one_line(line, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cards").write_text("\n".join(FRENCH))
    (tmp_path / "tarot").write_text("\n".join(TAROT))
    (tmp_path / "latin").write_bytes(b"SA\nSK\nR\xe9ne\n")
    code, out, err = run(*line.split())
    assert (code, out, len(err.splitlines())) == (BAD_INPUT, "", 1), err


def test_an_order_from_standard_input_names_what_it_lacks(run, monkeypatch):
    from io import BytesIO, TextIOWrapper

    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO("\n".join(FRENCH[:51]).encode())))
    code, out, err = run("deal", "--order", "-", "--json")
    assert (code, out, err) == (
        BAD_INPUT,
        "",
        "fairdeck: standard input: 1 card is missing: C2; name every card once\n",
    )
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO("\ufeff".encode() + " ".join(FRENCH).encode())))
    assert json.loads(run("deal", "--order", "-", "--json")[1])["cards"] == 52


def test_a_sheet_of_a_given_order_says_how_to_begin_again(run, tmp_path):
    import pypdfium2

    (tmp_path / "order.txt").write_text("3 1 2")
    assert run("deal", "--order", str(tmp_path / "order.txt"), "--pdf", str(tmp_path / "deal.pdf"))[0] == 0
    text = pypdfium2.PdfDocument(tmp_path / "deal.pdf")[0].get_textpage().get_text_bounded()
    assert "bring the deck back into its start order, and begin again" in " ".join(text.split())
    assert "make a new one" not in text


def test_any_french_cards_may_be_named_if_two_lists_agree():
    deal = fairdeck.deal_order(["H7", "SA", "CK"], ["SA", "CK", "H7"])
    assert replay(deal.plan, ("H7", "CK", "SA"))[0] == ("CK", "SA", "H7")
    with pytest.raises(FairdeckError, match="order: 1 card is missing: H7"):
        fairdeck.deal_order(["SA", "CK"], ["SA", "CK", "H7"])
    with pytest.raises(FairdeckError, match="start: 6 cards are missing: SK, S7, HA, HK, CA, "):
        fairdeck.deal_order("sorted", ["SA", "CK", "H7"])
