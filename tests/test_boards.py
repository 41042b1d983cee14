"""Boards dealt by two lists: what one list says (nothing), what both deal (the hands), and bad files."""

import json
import random
import re
import time
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path

import pytest

from fairdeck import Hands, Mat, Task, parse_goal, plan_for, random_integers, read_plan, replay
from fairdeck.cards.boards import Board
from fairdeck.cards.bridge_hands import SEATS, sorted_hand
from fairdeck.cards.names import FRENCH
from fairdeck.cli import main
from fairdeck.cli.exits import BAD_INPUT
from fairdeck.dealing.share_code import write_code
from fairdeck.page import PARTS
from fairdeck.page import texts as page_texts
from fairdeck.randomness import uniform_permutation
from fairdeck.trust.boards import (
    Game,
    board_agreement,
    boards_agreed,
    boards_drawn,
    draw_of,
    second_orders,
    split_after,
)
from fairdeck.trust.draws import Drawn, hands_of, own_drawn, split_of
from fairdeck.trust.files import Own, Transcript, read_own
from tests.draws import SECRETS, attempt, seed_draw
from tests.enumerated import law_of
from tests.player import play
from tests.table import Table
from tests.test_cli import deal_as_printed
from tests.test_pbn import random_boards, read_pbn, write_pbn

SIZES = [(3, 3), (2, 2), (3, 2), (1, 1, 1), (2, 1, 1)]
planned = cache(plan_for)
SMALL_MATS = [Mat(2, 1), Mat(3, 2)]


@pytest.fixture
def run(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return run


@pytest.fixture(scope="module")
def session():
    """36 boards, as a PBN file has them."""
    return list(random_boards(36, 36))


def splits(cards, sizes):
    """Yield every way to deal the cards into hands of these sizes."""
    if not sizes:
        yield ()
        return
    for hand in combinations(cards, sizes[0]):
        for others in splits([card for card in cards if card not in hand], sizes[1:]):
            yield (hand, *others)


def two_tasks(sizes, mat):
    """Return what person 1 and person 2 deal."""
    cards = sum(sizes)
    return Task(cards, mat, classic=True), Task(cards, Mat(len(sizes), 1), Hands(tuple(sizes)), classic=True)


@cache
def as_seen(task, order):
    """Return all that a person sees of a list: the plan, and what a code holds."""
    return json.dumps([planned(task, order).as_dict(), order])


def dealt(start, first, second):
    """Return the hands that a deck, bottom first, is dealt into by two plans; or the deck, top first."""
    deck, hands = replay(second, replay(first, start)[0])
    return hands or (deck[::-1],)


def alike(goal, hands):
    """Return the hands with the cards of each in one order; a whole deck as it is."""
    return [tuple(hand) if goal == "deck" else tuple(sorted(hand)) for hand in hands]


def on_the_table(plan):
    """Return what is seen of a deal from afar: the heights of the piles, and how they are gathered."""
    return tuple((step.counts(plan.mat.spaces), step.stack) for step in plan.passes)


# --- one list says nothing: all lists of small decks


@pytest.mark.parametrize("sizes", SIZES)
def test_list_2_alone_is_equally_likely_for_all_hands(sizes):
    cards = sum(sizes)
    _, two = two_tasks(sizes, Mat(3, 1))
    laws = [
        law_of(lambda choices, hands=hands: as_seen(two, split_after(uniform_permutation(cards, choices), hands)))
        for hands in splits(range(cards), sizes)
    ]
    assert all(law == laws[0] for law in laws)
    assert set(laws[0].values()) == {Fraction(1, len(laws))}


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("mat", SMALL_MATS, ids=str)
def test_list_1_is_uniform_and_the_table_shows_the_same_for_all(sizes, mat):
    one, two = two_tasks(sizes, mat)
    law = law_of(lambda choices: as_seen(one, uniform_permutation(one.cards, choices)))
    assert set(law.values()) == {Fraction(1, len(law))}
    for task in (one, two):
        plans = [plan_for(task, split_of(task, order)) for order in permutations(range(task.cards))]
        assert len(set(map(on_the_table, plans))) == 1


@pytest.mark.parametrize("sizes", [(2, 1, 1), (1, 1, 1), (2, 2, 1)])
def test_one_list_and_ones_own_hand_say_nothing_of_the_other_hands(sizes):
    one, two = two_tasks(sizes, Mat(2, 1))
    cards, ways = one.cards, list(splits(range(one.cards), sizes))

    def played(choices):
        hands = ways[choices.below(len(ways))]
        first = uniform_permutation(cards, choices)
        second = split_after(first, hands)
        found = dealt(range(cards), planned(one, first), planned(two, second))
        return as_seen(one, first), as_seen(two, second), found[0], hands

    law = law_of(played)
    for half in (0, 1):
        known = {}  # the hand as it is picked up, in the order of its cards too
        for told, chance in law.items():
            known.setdefault((told[half], told[2]), Counter())[told[3]] += chance
        for others in known.values():
            assert len(others) == len(list(splits(range(cards - sizes[0]), sizes[1:])))
            assert len(set(others.values())) == 1


@pytest.mark.parametrize("sizes", [(2, 2), (3, 1), (1, 1, 1)])
def test_lists_drawn_apart_make_uniform_hands_independent_of_either_list(sizes):
    one, two = two_tasks(sizes, Mat(2, 1))
    cards = one.cards

    def drawn(choices):
        first, second = uniform_permutation(cards, choices), split_of(two, uniform_permutation(two.cards, choices))
        hands = tuple(map(frozenset, dealt(range(cards), planned(one, first), planned(two, second))))
        return as_seen(one, first), as_seen(two, second), hands

    law = law_of(drawn)
    for half in (0, 1):
        seen = {}
        for told, chance in law.items():
            seen[told[half], told[2]] = seen.get((told[half], told[2]), 0) + chance
        assert len(set(seen.values())) == 1
        assert len(seen) == len({told[half] for told in law}) * len(list(splits(range(cards), sizes)))


def test_with_runs_keys_the_heights_would_tell():
    """The alarm: a list 1 with the fewest keys would show on the table what order it makes."""
    task = Task(5, Mat(3, 2))
    assert len(law_of(lambda choices: on_the_table(plan_for(task, uniform_permutation(5, choices))))) > 1


def test_the_lists_of_a_bridge_deck_show_the_same_on_every_table():
    integers = random_integers("b0a2d5")
    one, two = board_agreement([Board(1)], Mat(5, 2), "sorted", bytes(16)).deals
    firsts = [plan_for(one, uniform_permutation(52, integers)) for _ in range(300)]
    assert len(set(map(on_the_table, firsts))) == 1
    assert len({on_the_table(plan_for(two, split_of(two, uniform_permutation(52, integers)))) for _ in range(300)}) == 1
    assert len(firsts[0].passes) == 2


@pytest.mark.parametrize(
    ("deck", "goal"), [("AABB", "hands:2x2"), ("AABC", "hands:2,1+rest"), ("AABB", "deck"), ("AAAB", "deck")]
)
def test_list_2_is_uniform_for_each_deal_of_equal_cards_too(deck, goal):
    game = Game(tuple(deck), parse_goal(goal, 4))
    agreement = board_agreement([Board(1)], Mat(2, 2), "sorted", bytes(16), game)
    one, two = agreement.deals

    def second(choices, board):
        first = uniform_permutation(4, choices)
        (order,) = second_orders(agreement, [board], [first])
        assert alike(goal, dealt(game.names, planned(one, first), planned(two, order))) == alike(goal, board.hands)
        return order

    deals = {hands_of(order, game.goal) for order in permutations(deck)}
    laws = [law_of(lambda choices, hands=hands: second(choices, Board(1, hands))) for hands in deals]
    assert all(law == laws[0] for law in laws)
    assert set(laws[0].values()) == {Fraction(1, {"hands:2x2": 6, "hands:2,1+rest": 12, "deck": 24}[goal])}


def test_a_choice_among_equal_cards_after_list_1_would_tell():
    """The alarm: hands AB and AB of the deck AABB, the first copies that lie lowest after list 1 to one hand."""

    def second(choices):
        first = uniform_permutation(4, choices)
        (a, c), (b, d) = sorted((0, 1), key=first.index), sorted((2, 3), key=first.index)
        return split_after(first, ((a, b), (c, d)))

    assert sorted(law_of(second).values()) == [Fraction(1, 3), Fraction(2, 3)]


# --- both lists deal the hands


def picked_up(hands):
    """Return a deck, bottom first, as players pick it up: each hand sorted; North's on East's, South's, West's."""
    deck = []
    for hand in reversed(hands):
        deck += sorted(hand, key=FRENCH.index, reverse=True)
    return deck


@pytest.mark.parametrize("start", ["sorted", "as-picked-up"])
def test_36_boards_dealt_by_hand_as_the_lists_say_are_those_of_the_file(run, session, start):
    Path("session.pbn").write_text(write_pbn(session), newline="")
    began = time.perf_counter()
    code, out, err = run("boards", "session.pbn", "--start", start)
    assert time.perf_counter() - began < 20  # it takes .1 seconds
    assert (code, out) == (0, "")
    assert "knows the hands" in err
    told = [re.split(r"(?m)^(?=Board \d+ ·)", run("boards", "--lists", f"boards-{n}.json")[1])[1:] for n in (1, 2)]
    assert len(told[0]) == len(told[1]) == 36
    deck = list(reversed(FRENCH))
    for board, one, two in zip(session, *told, strict=True):
        assert ("is dealt from the deck as board" in one) is (start != "sorted" and board.number > 1)
        assert one.startswith(f"Board {board.number} · dealer {board.dealer} · vulnerable: ")
        deck = [deck[card] for card in deal_as_printed(one, 52).end()]
        hands = [[deck[card] for card in hand] for hand in deal_as_printed(two, 52).hands]
        assert [sorted_hand(hand) for hand in hands] == list(board.hands)
        deck = picked_up(hands) if start == "as-picked-up" else list(reversed(FRENCH))
    code, out, _ = run("boards", "--records", "boards-2.json", "boards-1.json")
    assert (code, read_pbn(out)) == (0, session)


def test_two_devices_that_never_talk_draw_the_boards(run):
    shown = set()
    for person, name in (("1", "one.json"), ("2", "two.json")):
        apart = ["--person", person, "--session", "Club 1 December" if person == "1" else "club  1 DECEMBER"]
        code, out, err = run("boards", "--random", "24", *apart, "-o", name)
        assert (code, out) == (0, "")
        shown.add(re.search(r"must show (.{14})\.", err)[1])
        assert f"Person {person}'s lists say nothing about the hands" in err
    assert len(shown) == 1
    code, _, err = run("boards", "--records", "one.json", "two.json", "-o", "session.pbn")
    assert (code, err) == (0, "wrote session.pbn: 24 boards\n")
    read = read_pbn(Path("session.pbn").read_text())
    assert [board.number for board in read] == list(range(1, 25))
    assert len({board.hands for board in read}) == 24
    assert all(sorted(sum(board.hands, ())) == sorted(FRENCH) for board in read)
    assert [(one.dealer, one.vulnerable) for one in read[:4]] == [("N", "None"), ("E", "NS"), ("S", "EW"), ("W", "All")]


def test_the_json_has_two_plans_a_board(run, session):
    Path("session.pbn").write_text(write_pbn(session[:3]))
    told = json.loads(run("boards", "session.pbn", "--json")[1])
    assert not Path("boards-1.json").exists()
    for board, shown in zip(session, told["boards"], strict=False):
        assert sorted(shown) == ["board", "dealer", "lists", "vulnerable"]
        assert (shown["board"], len(shown["lists"])) == (board.number, 2)
        plans = [read_plan(json.dumps(plan))[0] for plan in shown["lists"]]
        assert tuple(map(sorted_hand, dealt(FRENCH[::-1], *plans))) == board.hands


def test_pages_hold_one_persons_deal_each(run, session):
    Path("session.pbn").write_text(write_pbn(session[:2]))
    assert run("boards", "session.pbn", "--html", "pages", "--voices", "none", "-o", "half.json")[0] == 0
    for person in (1, 2):
        half = read_own(Path(f"half-{person}.json").read_bytes())
        folder = Path("pages", f"person-{person}")
        assert sorted(path.name for path in folder.iterdir()) == ["board-01.html", "board-02.html", "index.html"]
        links = (folder / "index.html").read_text()
        assert links.count("<a href=") == 2
        assert ("the ace of spades is on top" in links) is (person == 1)
        names = set()
        for board, order in zip(boards_agreed(half.agreement), half.orders, strict=True):
            page = folder / f"board-{board.number:02}.html"
            assert page.stat().st_mode & 0o777 == 0o600
            assert page.name in links
            held = json.loads(re.search(r'id="one">(.*?)</script>', page.read_text())[1])
            assert held["code"] == write_code(half.agreement.deals[person - 1], order)
            names.add(held["name"])
        assert len(names) == 2
    assert Path("half-1.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.cases(1)
@pytest.mark.parametrize("language", ["en-GB", "de-DE", "es-ES", "fr-FR"])
def test_two_people_with_the_pages_deal_the_board(open_page, run, session, language):
    Path("session.pbn").write_text(write_pbn(session[2:3]))
    assert run("boards", "session.pbn", "--html", "pages", "--voices", "none")[0] == 0
    deck, said = list(reversed(FRENCH)), []
    for person in (1, 2):
        page = open_page(file=Path("pages", f"person-{person}", "board-03.html").resolve().as_uri(), locale=language)
        if language != "en-GB":
            said.append(page.text_content("#note"))
            continue
        table = play(page, 52)
        said.append(page.text_content("#deal"))
        hands = [[deck[card] for card in hand] for hand in table.hands]
        deck = [deck[card] for card in table.end()]
    assert not any("{" in each for each in said)
    if language == "en-GB":
        assert [sorted_hand(hand) for hand in hands] == list(session[2].hands)
        assert all("The order was given, not drawn." in each for each in said)
        assert "The cards lie as wanted" in said[0]


@pytest.mark.parametrize("start", ["sorted", "as-picked-up"])
def test_all_that_guides_person_1_says_how_the_deck_lies(run, session, start):
    import pypdfium2

    Path("session.pbn").write_text(write_pbn(session[:2]))
    files = ["--html", "pages", "--voices", "none", "--pdf", "lists.pdf", "-o", "half.json"]
    assert run("boards", "session.pbn", "--start", start, *files)[0] == 0
    for person in (1, 2):
        printed = run("boards", "--lists", f"half-{person}.json")[1]
        sheets = " ".join(one.get_textpage().get_text_bounded() for one in pypdfium2.PdfDocument(f"lists-{person}.pdf"))
        pages = "".join((Path("pages") / f"person-{person}" / f"board-0{n}.html").read_text() for n in (1, 2))
        for text in (printed, " ".join(sheets.split()), pages):
            assert ("the ace of spades is on top" in text) is (person == 1)
            assert ("as board 1 was picked up" in text) is (person == 1 and start != "sorted")


def test_after_a_slip_everybody_is_told_to_mix_the_cards_and_to_begin_with_list_1(run, session, open_page):
    """A deck that is sorted without being mixed shows its order; and nobody can go back to where list 2 began."""
    import pypdfium2

    Path("session.pbn").write_text(write_pbn(session[:1]))
    assert run("boards", "session.pbn", "--html", "pages", "--voices", "none", "--pdf", "p.pdf", "-o", "h.json")[0] == 0
    for person in (1, 2):
        page = open_page(file=(Path("pages") / f"person-{person}" / "board-01.html").resolve().as_uri())
        texts = [
            run("boards", "--lists", f"h-{person}.json")[1],
            pypdfium2.PdfDocument(f"p-{person}.pdf")[0].get_textpage().get_text_bounded(),
            page_texts("en", PARTS / "one" / "board")["wrongHonest"],
        ]
        for text in (" ".join(each.replace("’", "'").split()) for each in texts):
            assert "mix all cards face down, put the deck into its start order, and begin again with list 1" in text
        assert page.title() == f"fairdeck: Board 1 · dealer N · vulnerable: none · person {person}"
        assert f"Board 1 · dealer N · vulnerable: none · person {person}. Destroy" in page.text_content("#note")
        assert ("the ace of spades is on top" in page.text_content("#note")) is (person == 1)


def test_lists_that_may_have_been_dealt_are_not_overwritten(run, refused):
    assert run("boards", "--random", "2")[0] == 0
    kept = Path("boards-1.json").read_text()
    for words in ("--random 2", "--random 2 --person 1 --session x -o boards-1.json"):
        said = refused("boards", *words.split())
        assert "'boards-1.json' is there already, and may be needed for hand records" in said
    assert Path("boards-1.json").read_text() == kept


def test_random_lists_that_are_not_kept_are_told(run):
    assert "nobody can write the hand records" in run("boards", "--random", "1", "--pdf", "a.pdf")[2]
    assert "nobody can write" not in run("boards", "--random", "1", "--pdf", "b.pdf", "-o", "b.json")[2]


def test_a_file_of_pbn_may_begin_with_a_comment_and_have_any_encoding(run, session):
    text = "{ Mühlheim, Tuesday }\r\n" + write_pbn(session[:2])
    for name, encoding in (("a", "utf-8"), ("b", "latin-1"), ("c", "utf-8-sig"), ("d", "utf-16")):
        Path(f"{name}.pbn").write_bytes(text.encode(encoding))
        assert run("boards", f"{name}.pbn", "-o", f"{name}.json")[0] == 0
        assert read_pbn(run("boards", "--records", f"{name}-1.json", f"{name}-2.json")[1]) == session[:2]


def test_sheets_and_slips_name_their_board(run, session):
    import pypdfium2

    Path("session.pbn").write_text(write_pbn(session[:9]))
    files = ["--pdf", "lists.pdf", "--slips", "slips.pdf", "--language", "de", "--paper", "Letter"]
    assert run("boards", "session.pbn", *files)[0] == 0

    def texts(name):
        return [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(name)]

    for person in (1, 2):
        pages = texts(f"lists-{person}.pdf")
        assert len(pages) == 9
        assert f"Board 4 · Teiler W · Gefahr: alle · Person {person}" in pages[3]
        assert "zufällig" not in "".join(pages)
    slips = texts("slips.pdf")
    assert [page.count("Teiler:") for page in slips] == [8, 1]
    assert "Board 9" in slips[1]
    assert run("boards", "session.pbn", "--start", "as-picked-up", "--slips", "slips.pdf")[0] == 0
    text = " ".join(texts("slips.pdf")[0].split())
    assert text.count("The deck at the start: spades") == 1
    assert "Board 2 is dealt from the deck as board 1 was picked up" in text


# --- other games

SKAT = [suit + rank for suit in "CSHD" for rank in "AKQJT987"]
DOPPELKOPF = [suit + rank for suit in "SHDC" for rank in "AKQJT9" for _ in "12"]
STRANGE = ["`${alert()}", "</script><b>{n}|", "x, y", "x, y", "1"]


@pytest.mark.parametrize(
    ("deck", "goal", "count"),
    [(SKAT, "hands:3x10+rest", 3), (DOPPELKOPF, "hands:4x12", 2), (FRENCH, "deck", 1), (STRANGE, "hands:2x2+rest", 2)],
)
def test_two_people_deal_any_game(run, deck, goal, count):
    chance = random.Random(37)
    deals = [chance.sample(deck, len(deck)) for _ in range(count)]
    for name, orders in (("deck", [deck]), ("deals", deals)):
        Path(f"{name}.txt").write_text("\n".join(f'"{card}"' for order in orders for card in order))
    assert run("boards", "deals.txt", "--deck", "deck.txt", "--goal", goal, "-o", "given")[0] == 0
    for person in "12":
        apart = ["--person", person, "--session", "3 May", "-o", f"drawn-{person}"]
        assert run("boards", "--random", "2", "--deck", "deck.txt", "--goal", goal, *apart)[0] == 0
    for name in ("given", "drawn"):
        one, two = (read_own(Path(f"{name}-{n}").read_bytes()) for n in (1, 2))
        found = boards_drawn(draw_of(one.agreement, (one.own, two.own)))
        for board, first, second in zip(found, one.orders, two.orders, strict=True):
            plans = [planned(task, order) for task, order in zip(one.agreement.deals, (first, second), strict=True)]
            assert alike(goal, dealt(deck[::-1], *plans)) == alike(goal, board.hands)
            assert sorted(card for hand in board.hands for card in hand) == sorted(deck)
        if name == "given":
            wanted = [hands_of(order, one.agreement.deals[1].goal) for order in deals]
            assert [alike(goal, board.hands) for board in found] == [alike(goal, hands) for hands in wanted]
        records = run("boards", "--records", f"{name}-2", f"{name}-1")[1].splitlines()
        assert len(records) == len(found) * (1 + len(found[0].hands))


def test_names_of_cards_are_only_text_on_pages(run, open_page):
    Path("deck.txt").write_text("\n".join(f'"{name}"' for name in STRANGE))
    assert run("boards", "--random", "1", "--deck", "deck.txt", "--html", "pages", "--voices", "none")[0] == 0
    page = open_page(file=Path("pages", "person-1", "deal-01.html").resolve().as_uri())
    assert "from the top: '$(alert()); ‹/script>‹b>(n)/; 2 × x, y; 1." in page.text_content("#note")
    assert "&lt;/script&gt;&lt;b&gt;" in Path("pages", "person-1", "index.html").read_text()


def test_some_lists_of_a_file_are_shown(run):
    assert run("boards", "--random", "5")[0] == 0
    told = json.loads(run("boards", "--lists", "boards-1.json", "--json")[1])["boards"]
    some = run("boards", "--lists", "boards-1.json", "--boards", "2-3,5", "--json")[1]
    assert json.loads(some)["boards"] == [told[1], told[2], told[4]]
    assert run("boards", "--lists", "boards-2.json", "--boards", "4")[1].startswith("Board 4 ·")


# --- bad input


def test_lists_of_two_days_never_join(run):
    """Every pair of files of three sessions: two that were drawn apart, and one that was drawn on one device."""
    days = {"today": "club 8 December", "before": "club 1 December"}
    for day, text in days.items():
        for person in "12":
            apart = ["--random", "2", "--person", person, "--session", text]
            assert run("boards", *apart, "-o", f"{day}-{person}.json")[0] == 0
    assert run("boards", "--random", "2", "-o", "home.json")[0] == 0
    names = [*days, "home"]
    for one, two in product(names, repeat=2):
        code, out, err = run("boards", "--records", f"{one}-1.json", f"{two}-2.json", "-o", f"{one}-{two}.pbn")
        assert code == (0 if one == two else BAD_INPUT), err
        assert Path(f"{one}-{two}.pbn").exists() is (one == two)
        assert out == ""
        assert one == two or "are of different draws: name two that were made together" in err
    assert "is there already" in run("boards", "--records", "home-1.json", "home-2.json", "-o", "home-home.pbn")[2]


def test_own_files_of_other_draws_are_no_lists_of_boards(run, refused):
    run("together", "announce", "--way", "product", "--cards", "52", "--goal", "hands:4x13", "--people", "A,B")
    run("together", "join", "announcement.json", "--as", "A")
    says = "fairdeck: 'A.own.json': these lists are not those of boards that fairdeck boards writes\n"
    assert refused("boards", "--lists", "A.own.json") == says


EVERY_HAND = "KT5.AJ8543.KJ.K5 Q6432.T62.7.T973 AJ9.Q9.QT963.862 87.K7.A8542.AQJ4"


def test_a_lesson_board_is_left_out_by_name_and_the_others_are_dealt(run):
    deals = ["... ... ... ...", "KT5.AJ8543.KJ.K5 - AJ9.Q9.QT963.862 -", EVERY_HAND]
    boards = [f'[Board "{number}"]\n[Dealer "East"]\n[Deal "N:{deal}"]\n' for number, deal in enumerate(deals, 1)]
    Path("lesson.pbn").write_text("\n".join([*boards, '[Board "4"]\n']).replace('"East"', '"2"', 1))
    code, out, err = run("boards", "lesson.pbn", "--json")
    assert code == 0
    (board,) = json.loads(out)["boards"]
    assert (board["board"], board["dealer"]) == (3, "E")
    assert err.splitlines()[:4] == [
        "note: board 1 is left out: the hands of North, East, South, West are not given",
        "note: board 2 is left out: the hands of East, West are not given",
        "note: board 4 is left out: the hands of North, East, South, West are not given",
        "note: board 3: dealer E, vulnerable EW; its tray has dealer S, vulnerable EW",
    ]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("boards --random 1 -o s.pbn", "--output 's.pbn': what is written is JSON, not .pbn: name it s.json"),
        ("boards --records 1 2 -o s.RBN", "boards are written as .bri, .dge, .dlm, .dup, .lin, .pbn, .txt, not .rbn"),
    ],
)
def test_an_ending_that_is_another_format_is_refused(run, refused, line, told):
    for person in "12":
        assert run("boards", "--random", "1", "--person", person, "--session", "1 May", "-o", person)[0] == 0
    assert told in refused(*line.split())


def test_boards_whose_hands_are_not_given_are_refused(refused):
    Path("open.pbn").write_text('[Board "7"]\n[Deal "N:AKQJ.T98.765.432 - - -"]\n')
    told = "the hands of East, South, West are not given; write them, or draw them with --fill"
    assert refused("boards", "open.pbn") == f"fairdeck: open.pbn: board 7: {told}\n"
    assert not list(Path().glob("boards*"))


BAD = """
boards a.pbn -o a.pbn | boards a.pbn --pdf s.pdf --slips s-1.pdf | boards --lists one.json --pdf a.pdf --slips a.pdf
boards | boards a.pbn --random 3 | boards --random 0 | boards --random 201 | boards --random x
boards /nowhere/a.pbn | boards /dev/null | boards / | boards empty.pbn | boards cards51.pbn | boards many.pbn
boards a.pbn --person 2 | boards a.pbn --person 3 | boards a.pbn --session x
boards a.pbn --start mixed | boards a.pbn --mat 0x0 | boards a.pbn --mat 1x1 | boards a.pbn --labels A,B
boards a.pbn --paper A4 | boards a.pbn --voices en | boards a.pbn --qr http://x.example/ | boards a.pbn --language de
boards a.pbn --pdf x.txt | boards a.pbn --slips x.txt | boards a.pbn -o /nowhere/x | boards a.pbn -o -
boards a.pbn --html a.pbn | boards a.pbn --html /proc/x | boards a.pbn --language xx --pdf x.pdf | boards -o ''
boards --records one.json | boards --records a.pbn a.pbn | boards --records one.json one.json
boards --records one.json two.json --json | boards --records one.json two.json --session x
boards --lists a.pbn | boards --lists one.json -o x | boards --lists one.json --person 1
boards --lists one.json --boards 9 | boards --random 2 --deck 9 --goal hands:2x3+stock | boards a.pbn --goal deck
boards --random 2 --deck 9 --slips s.pdf | boards --random 2 --deck 9 --start sorted | boards --random 2 --deck no.txt
boards a.pbn --as names | boards a.pbn --side
boards --random 2 --person 1 | boards --random 2 --session x | boards --random 2 --person 2 --session \u200b
"""


@pytest.mark.parametrize("line", [each.strip() for line in BAD.strip().split("\n") for each in line.split("|")])
def test_bad_input_gets_one_line_and_writes_nothing(refused, line, session):
    Path("a.pbn").write_text(write_pbn(session[:2]))
    Path("many.pbn").write_text(write_pbn(random_boards(1, 201)))
    Path("empty.pbn").touch()
    Path("cards51.pbn").write_text(write_pbn(session[:2]).replace('"N:', '"N:2', 1))
    agreement = board_agreement(tuple(map(Board, (1, 2, 3))), Mat(5, 2), "sorted", bytes(16))
    for person, name in enumerate(("one", "two")):
        own = Own(agreement, person, own_drawn(agreement, person, bytes(32), random_integers("01")))
        Path(f"{name}.json").write_text(own.to_json())
    before = sorted(Path().iterdir())
    refused(*("" if word == "''" else word for word in line.split()))
    assert sorted(Path().iterdir()) == before


def test_a_table_deals_what_two_plans_say_by_their_labels(run, session):
    """The same once more by the plans' labels alone, on a table that knows nothing of plans."""
    Path("one.pbn").write_text(write_pbn(session[:1]))
    (board,) = json.loads(run("boards", "one.pbn", "--json")[1])["boards"]
    table = Table(52)
    table.deck = list(reversed(FRENCH))
    for plan in (read_plan(json.dumps(plan))[0] for plan in board["lists"]):
        for step in plan.passes:
            table.begin(step.from_bottom)
            for space in step.deal:
                table.deal(plan.mat.labels[space])
            for pile, onto in step.moves():
                table.put(plan.mat.labels[pile], plan.mat.labels[onto])
    hands = dict(zip(SEATS.values(), session[0].hands, strict=True))
    assert {name: sorted_hand(pile) for name, pile in table.join().items()} == hands


# --- boards that several people drew


def decks_drawn(cards=52, goal="hands:4x13", decks=36, names=()):
    """Return the transcript of a draw by two people."""
    task = Task(cards, Mat(5, 2), parse_goal(goal, cards))
    return Transcript(Drawn(attempt(seed_draw(task, ("Ann", "Ben"), decks=decks, names=names), SECRETS[:2])))


@pytest.mark.parametrize("names", [(), FRENCH[::-1], FRENCH])
def test_a_draw_makes_boards_and_two_people_deal_them(tmp_path, capsys, names):
    drawn = decks_drawn(names=names)
    (tmp_path / "drawn.json").write_text(drawn.to_json())
    assert main(["boards", str(tmp_path / "drawn.json"), "-o", str(tmp_path / "lists"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["board"] for each in told["boards"]] == list(range(1, 37))
    for deck, board in enumerate(told["boards"]):
        plans = [read_plan(json.dumps(each))[0] for each in board["lists"]]
        hands = dealt(FRENCH[::-1], *plans)
        order = [(names or FRENCH[::-1])[card] for card in reversed(drawn.drawn.order(deck))]
        assert list(map(set, hands)) == [set(order[at : at + 13]) for at in range(0, 52, 13)]


def test_the_transcript_of_two_lists_makes_the_boards_that_they_are_called(run, session):
    Path("some.pbn").write_text(write_pbn(session[4:7]))
    assert run("boards", "some.pbn", "--start", "as-picked-up")[0] == 0
    one, two = (read_own(Path(f"boards-{n}.json").read_bytes()) for n in (1, 2))
    assert boards_drawn(draw_of(one.agreement, (one.own, two.own))) == session[4:7]
    Path("transcript.json").write_text(Transcript(draw_of(one.agreement, (one.own, two.own))).to_json())
    assert [each["board"] for each in json.loads(run("boards", "transcript.json", "--json")[1])["boards"]] == [5, 6, 7]


def test_draws_of_other_decks_are_dealt_or_refused(tmp_path, capsys):
    whole = decks_drawn(decks=1).to_json()
    for cards, goal, names in ((60, "deck", ()), (52, "hands:2x26", FRENCH), (52, "hands:4x13", tuple("ab" * 26))):
        drawn = decks_drawn(cards, goal, 2, names)
        (tmp_path / "drawn.json").write_text(drawn.to_json())
        assert main(["boards", str(tmp_path / "drawn.json"), "--json"]) == 0
        deck = names or tuple(map(str, range(cards, 0, -1)))
        for at, deal in enumerate(json.loads(capsys.readouterr().out)["boards"]):
            hands = dealt(deck, *(read_plan(json.dumps(plan))[0] for plan in deal["lists"]))
            assert sorted(deal) == ["board", "lists"]
            assert alike(goal, hands) == alike(goal, drawn.drawn.hands(at))
    for text, says in (
        (decks_drawn(60, "hands:2x20+stock").to_json(), "the last deal is the whole deck, or hands without a stock"),
        (whole.replace("Ann", "Ana"), "does not hold"),
        ("{}", "{"),
    ):
        (tmp_path / "drawn.json").write_text(text)
        assert main(["boards", str(tmp_path / "drawn.json"), "-o", str(tmp_path / "lists")]) == 2
        said = capsys.readouterr().err
        assert says in said or text == "{}"
        assert said.count("\n") == 1
    assert not list(tmp_path.glob("lists*"))
