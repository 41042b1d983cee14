"""What is seen of decks: completed decks are exactly uniform, by enumeration, where the conditions hold; and doors."""

import json
import re
from collections import defaultdict
from contextlib import closing
from fractions import Fraction
from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from fairdeck import lab
from fairdeck.cli import main
from fairdeck.errors import FairdeckError
from fairdeck.lab.inquiry import Inquiry, Program
from fairdeck.lab.observations import Kind, Sight, completing
from fairdeck.lab.observations.completing import UNSEEN, Names, completed, keys_of
from fairdeck.lab.observations.kinds import kinds_of
from fairdeck.lab.runs import registration
from fairdeck.lab.runs.store import Store
from fairdeck.lab.sources.file import open_file
from fairdeck.lab.sources.observed import Completion
from fairdeck.lab.watching.monitor import Monitor
from fairdeck.lab.watching.store import Kept, unpacked_decks

LANDS = {0, 1}  # cards 0 and 1 of each deck; a deck is written top first here
ONE, HALF = Fraction(1), Fraction(1, 2)


def until_land(d):
    return next(at for at, card in enumerate(d) if card in LANDS) + 1


def at_places(d, *places):
    """Return a record of the cards at these places, the top card first."""
    return "prefix:1", tuple(d[at] if at in places else UNSEEN for at in range(max(places) + 1))


def fetched(d):
    """Return where somebody finds the highest card below the first two, by looking."""
    return 2 + d[2:].index(max(d[2:]))


def hands(*of):
    return [(ONE, (f"hands:2x{len(of[0])}", tuple(card for hand in of for card in sorted(hand))))]


def until_land_or_coin(d):
    """Yield the records of a game that ends with the first land, or by a coin after each card."""
    last = until_land(d)
    for k in range(1, last + 1):
        yield HALF ** min(k, last - 1), ("prefix:1", d[:k])


# The records of a deck, each with its chance; of equal cards only the kind is written.
GOOD = {
    **{f"the first {k} in order": lambda d, k=k: [(ONE, (f"top:{k}", d[:k]))] for k in (1, 2, 3)},
    **{f"the first {k} as a set": lambda d, k=k: [(ONE, (f"set:{k}", tuple(sorted(d[:k]))))] for k in (1, 2, 3)},
    "two hands": lambda d: hands(d[: len(d) // 2], d[len(d) // 2 : len(d) // 2 * 2]),
    "two hands in turn": lambda d: hands(d[0 : len(d) // 2 * 2 : 2], d[1::2]),
    "two places": lambda d: [(ONE, ("places:0,2", (d[-1], d[-3])))],
    "until the first land, in order": lambda d: [(ONE, ("prefix:1", d[: until_land(d)]))],
    "until the first land or a coin": until_land_or_coin,
    "a place that a card shown names": lambda d: [(ONE, at_places(d, 0, 2 if d[0] > 1 else 1))],
    "a card fetched by looking, with its place": lambda d: [(ONE, at_places(d, 0, 1, fetched(d)))],
    "logged by a coin": lambda d: [(HALF, ("top:2", d[:2]))],
}
EQUAL = {
    "whole decks": lambda d: [(ONE, ("all", d[::-1]))],
    "the first two in order": lambda d: [(ONE, ("top:2", d[:2]))],
    "the first two as a set": lambda d: [(ONE, ("set:2", tuple(sorted(d[:2]))))],
    "until the first land": lambda d: [(ONE, ("prefix:1", d[: d.index(0) + 1]))],
}
# What breaks the condition, and the total variation for decks of 3, 4 and 5 cards.
BROKEN = {
    "until the first land, as a set": (
        lambda d: [(ONE, (f"set:{until_land(d)}", tuple(sorted(d[: until_land(d)]))))],
        ("1/6", "2/9", "1/4"),
    ),
    "a card fetched, as the next one": (lambda d: [(ONE, ("prefix:1", (*d[:2], max(d[2:]))))], ("0", "1/2", "2/3")),
    "as many as the last card says, which nobody sees": (
        lambda d: [(ONE, ("prefix:1", d[: 1 + (d[-1] in LANDS)]))],
        ("1/6", "1/9", "3/40"),
    ),
    "only games won": (lambda d: [(ONE, ("top:2", d[:2]))] * (d[2] in LANDS), ("1/3", "1/6", "1/5")),
    "only hands kept": (lambda d: [(ONE, ("top:2", d[:2]))] * bool(LANDS & {*d[:2]}), ("0", "1/6", "3/10")),
}


@cache
def all_orders(n):
    return np.array([*permutations(range(n))], np.uint64)


@cache
def completions(n, scheme, row, numbers):
    """Return how often each deck, top first, completes a record, over all orders of the keys."""
    names, orders = Names(numbers), all_orders(n)
    place_keys = np.repeat(orders, len(orders), axis=0) if names.equal else orders
    card_keys = np.tile(orders, (len(orders), 1)) if names.equal else None
    record = np.full((1, n if scheme.startswith("prefix") else len(row)), UNSEEN, np.int64)
    record[0, : len(row)] = row
    assert not names.too_often(record).any()
    records = np.repeat(record, len(place_keys), axis=0)
    decks = completed(records, Sight(n, scheme), names, place_keys, card_keys)
    decks, counts = np.unique(decks, axis=0, return_counts=True)
    assert len({*counts.tolist()}) == 1, "all decks that agree with the record are equally likely"
    return [tuple(deck[::-1]) for deck in decks.tolist()]


def variation(n, scheme_of, numbers):
    """Return the total variation between completed decks and uniform ones, if the shuffle is fair."""
    law = defaultdict(Fraction)
    for d in permutations(range(n)):
        for chance, (scheme, row) in scheme_of(tuple(numbers[card] for card in d)):
            agree = completions(n, scheme, tuple(row), numbers)
            for deck in agree:
                law[deck] += chance / len(agree)
    total = sum(law.values())
    return sum(abs(law[d] / total - Fraction(1, len(all_orders(n)))) for d in permutations(range(n))) / 2


@pytest.mark.parametrize("n", [3, 4, 5])
def test_completed_decks_of_a_fair_shuffle_are_uniform_and_broken_selections_show(n):
    differ, equal = tuple(range(n)), (0, 0, *[1] * (n - 2))
    for name, scheme_of in GOOD.items():
        assert variation(n, scheme_of, differ) == 0, name
    for name, scheme_of in EQUAL.items():
        assert variation(n, scheme_of, equal) == 0, name
    for name, (scheme_of, known) in BROKEN.items():
        assert variation(n, scheme_of, differ) == Fraction(known[n - 3]), name


def test_the_keys_of_a_deck_are_its_own_and_have_no_ties(monkeypatch):
    whole, parts = keys_of(7, 0, 50, 9, 2), [keys_of(7, 0, 20, 9, 2), keys_of(7, 20, 30, 9, 2)]
    for at in (0, 1):
        assert (whole[at] == np.concatenate([part[at] for part in parts])).all()
    assert (whole[0] != keys_of(8, 0, 50, 9)[0]).any()
    orders = np.argsort(keys_of(1, 0, 24_000, 4)[0], axis=1) @ [64, 16, 4, 1]
    _, counts = np.unique(orders, return_counts=True)
    # 23 degrees of freedom: a new seed would fail once in a million.
    assert len(counts) == 24
    assert ((counts - 1_000) ** 2).sum() / 1_000 < 73.6
    words = completing._words
    monkeypatch.setattr(completing, "_words", lambda *args: words(*args) % np.uint64(6))  # ties in nearly all rows
    few = keys_of(1, 0, 6_000, 3)[0]
    assert all(len({*row}) == 3 for row in few.tolist())
    _, counts = np.unique(np.argsort(few, axis=1) @ [9, 3, 1], return_counts=True)
    assert ((counts - 1_000) ** 2).sum() / 1_000 < 37  # 5 degrees, likewise


# --- doors

TWO_ELKS = {"seen": "top", "order": "Elk\nElk\nFox"}
FIRST = "4 0 2\n1 3 4\n0 1 5\n"
HANDS = "AKQJT98765432... ..AKQJT98765432. ...AKQJT98765432 .AKQJT98765432.."
POKER = "PokerStars Hand #{0}: x\nDealt to me [{1}]\n*** FLOP *** [2c 3c 4c]\n*** TURN *** [2c 3c 4c] [{2}]\n\n"
READ = {  # the file; what is asked; the scheme; cards seen of the first deck from the top, by number; a note
    "numbers": (FIRST, {"seen": "top", "cards": 6}, "top:3", [4, 0, 2], ""),
    "a cut line": (FIRST + "1 x", {"seen": "top", "cards": 6}, "top:3", [4, 0, 2], "ends in the middle of a line"),
    "from 1": (FIRST.replace("0", "6"), {"seen": "top:3", "cards": 6}, "top:3", [3, 5, 1], "numbered from 1"),
    "neither end": ("1 2\n3 2\n", {"seen": "top", "cards": 6}, "top:2", [1, 2], "numbered from 0, as neither 0 nor 6"),
    "a header": ("a b c\n4 0 2\n1 3 4\n", {"seen": "top", "cards": 6}, "top:3", [4, 0, 2], "'a b c', has no cards"),
    "lengths": ("4 0 2\n1\n\n0 ? 1 5\n", {"seen": "prefix", "cards": 6}, "prefix:6", [4, 0, 2], ""),
    "sets": ("".join(f"{k} {k + 1} 9\n" for k in range(8)), {"cards": 10}, "set:3", {0, 1, 9}, "read as sets"),
    "sorted": ("0 1 2\n" * 9, {"seen": "top", "cards": 4}, "top:3", [0, 1, 2], "but the numbers of each line rise"),
    "a lottery": ("date,n1,n2,bonus\na,1,49,3\nb,2,5,4\n", {"seen": "2/49"}, "set:2", {0, 48}, "columns n1 to n2"),
    "columns": ("id,n1,n2,x1,x2\n7,1,3,5,5\n", {"seen": "top", "cards": 3, "columns": "n1-n2"}, "top:2", [0, 2], ""),
    "objects": ('{"hand": [2, 0]}\n' * 2, {"seen": "top", "cards": 3, "path": "hand"}, "top:2", [2, 0], ""),
    "a list": ("Fox,Elk\nElk,Elk\n", TWO_ELKS, "top:2", [2, {0, 1}], ""),
    "spellings": ("A♠ 10h\nkd 2C\n", {"seen": "top", "cards": 52}, "top:2", [13, 35], ""),
    "equal cards": ("L S L\nS L L\n", {}, "all", [{0, 1}, 2, {0, 1}], "each line has the same names"),
    "boards": (f'[Board "1"]\n[Deal "N:{HANDS}"]\n', {}, "hands:4x13", set(range(13, 26)), "boards of bridge in PBN"),
    "deals": (f"N:{HANDS}\n", {}, "hands:4x13", set(range(13, 26)), "boards of bridge in lines"),
    "poker": ("".join(POKER.format(k, "As Kd", "Jc") for k in (1, 2)), {}, "set:2", {13, 51}, "no fair sample"),
    "its board": (
        POKER.format(1, "As Kd", "Jc") * 2,
        {"seen": "prefix"},
        "prefix:7",
        [13, 51, 1, 2, 3, 10],
        "must not depend on unseen",
    ),
    "letters": ("hand\nLSL\nSLS\n", {"seen": "top", "order": "L L S S"}, "top:3", [{0, 1}, {2, 3}, {0, 1}], "no"),
    "a place": ("B\nA\nD\n", {"seen": "top", "order": "A B C D"}, "top:1", [1], ""),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_lines_of_what_was_seen_are_read_and_the_cards_lie_at_their_places(name, tmp_path):
    text, asked, scheme, seen, note = READ[name]
    file = tmp_path / "log"
    file.write_text(text)
    asked = dict(asked)
    place = {key: asked.pop(key) for key in ("columns", "path") if key in asked}
    what = Inquiry.of(file, **place).place_in_lines
    streams = []
    for sizes in ([100], [1] * 100):
        with open_file(str(file), asked=what, seed=5, **asked) as source:
            streams.append(list(source.blocks(sizes)))
    (first, *_), decks = streams[0], np.concatenate([block.decks for block in streams[1]])
    assert (first.decks == decks).all(), "decks do not depend on blocks"
    assert all(sorted(deck) == [*range(source.cards)] for deck in decks.tolist())
    assert source.completion.scheme == scheme
    places = source.cards - 1 - np.arange(len(seen)) if scheme != "all" else np.arange(len(seen))
    there = first.decks[0][places].tolist()
    if isinstance(seen, set):
        assert {*there} == seen
    else:
        wanted = [each if isinstance(each, set) else {each} for each in seen]
        assert all(card in each for card, each in zip(there, wanted, strict=True))
    assert note in " ".join(source.notes)
    with open_file(str(file), asked=what, seed=5, **asked) as source:
        source.skip(1)  # as a run that goes on does
        rest = [block.decks for block in source.blocks([100])]
        assert not rest or (rest[0] == decks[1:]).all()
    if name == "lengths":
        assert first.shown.tolist() == [3, 1, 1]
        assert [block.shown.tolist() for block in streams[1]] == [[3], [1], [1]]


@pytest.mark.parametrize(
    ("text", "asked", "told"),
    [
        (FIRST, {}, "which are hands or draws; say what is seen of each deck: --seen top:3 if"),
        ("1\n1\n", {"seen": "top"}, "do not show the whole deck"),
        (FIRST, {"seen": "top"}, "do not show the whole deck; say how many cards the deck has, --cards N"),
        (FIRST, {"seen": "top:2", "cards": 6}, "line 1: holds 3 cards, and top:2 has 2: where"),
        (FIRST + "1 2\n", {"seen": "set", "cards": 6}, "line 4: holds 2 cards, and set:3 has 3: where the cards"),
        (FIRST + "1 2 1\n", {"seen": "top", "cards": 6}, "line 4: 1 is there 2 times, and once in the deck: 1 2 1"),
        (FIRST + "1 2 6\n", {"seen": "top", "cards": 6}, "line 4: '6' is not one of the cards, the numbers 0 to 5"),
        (FIRST + "1 ? 2\n", {"seen": "set", "cards": 6}, "line 4: a card that was not seen has no place in a set"),
        (FIRST, {"seen": "prefix", "cards": 2}, "line 1: '4' is not one of the cards"),
        (FIRST, {"seen": "hands:2x4", "cards": 6}, "hands:2x4: a deck of 6 cards does not have so many"),
        (FIRST, {"seen": "set", "cards": 3}, "each deck of 3 cards has the same cards in it"),
        (FIRST + "1 2 \x1b\n", {"seen": "top", "cards": 6}, r"line 4: '\x1b' is not one of the cards"),
        (FIRST, {"seen": "places:0,9", "cards": 6}, "a deck of 6 cards has the places 0 to 5, not 9"),
        ("Fox,Elk\nElk,Elk\nFox,Fox\n", TWO_ELKS, "line 3: Fox is there 2 times, and once"),
        ("Ox,Elk\nElk,Ekl\n", {"seen": "top", "order": "Elk Ox Ox"}, "'Ekl' is not a card of this deck; did you mean"),
        ("Fox,Elk\nElk,Fox\nElk,Cub\n", {"seen": "top", "cards": 9}, "nobody says which ones a deck of 9 has"),
        (f"N:{HANDS[:-20]}\n", {}, "line 1"),
        (f'[Deal "N:{HANDS[:16]} - - -"]\n', {}, "East has no hand; leave out boards"),
        (f"N:{HANDS}\n", {"seen": "top:52"}, "boards are --seen hands:4x13, not top:52"),
        ("B\nA\n", {}, "--seen top:1 and --deck FILE"),
        ("Elk,Elk\nFox,Elk\n", {}, "list of the deck, in which names may come often: --deck FILE; where"),
        ("A,A\nB,A\n", {"order": "A A B"}, "line 1: holds 2 cards; the deck has 3; for a part: --seen top:2"),
        ("3 11 22 31\n", {}, "if a line is only a part of a deck, say which: --seen"),
        ("B A\n", {"order": "list.txt"}, "order: 'list.txt' is one card; write all names, or, if it is a file: --deck"),
    ],
)
def test_what_cannot_be_right_is_refused_in_one_line(text, asked, told, tmp_path):
    file = tmp_path / "log"
    file.write_text(text)
    with pytest.raises(FairdeckError) as refusal, open_file(str(file), seed=1, **asked) as source:
        list(source.blocks([100]))
    assert told in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"seen": "seven"}, "seen: 'seven' is not what can be seen of a deck; write top:7"),
        ({"seen": "places:1,1"}, "names a place twice"),
        ({"seen": "top:٣"}, "is not what can be seen of a deck"),
        ({"seen": "top:0"}, "seen: 0 is out of range"),
        ({"seen": "6/49", "cards": 48}, "cards says 48 cards, and seen 49"),
        ({"cards": 6, "kinds": "land"}, "'land' has no name of a kind"),
        ({"cards": 6, "kinds": "land=0-3"}, "'0-3', of the kind 'land': the list has the places 1 to 6"),
        ({"cards": 6, "kinds": "land=1-3,ramp=3"}, "card 3 is of the kinds 'land' and 'ramp'"),
        ({"cards": 6, "kinds": "land=1 - 9"}, "'1 - 9', of the kind 'land': the list has the places 1 to 6"),
        ({"cards": 6, "kinds": f"land=1-{'9' * 60}"}, "of the kind 'land': the list has the places 1 to 6"),
        ({"cards": 6, "kinds": "land=1-3,"}, "the kind 'land' has a comma or '=' with no card after it"),
        ({"cards": 6, "kinds": "land=١"}, "is no card of the list"),
        ({"deck": ["Elk", "Elk"]}, "deck: all 2 cards are called 'Elk'"),
        ({"cards": 6, "standard": "gli19"}, "leave it out, or leave out seen, deck, kinds and board"),
        ({"seen": "", "kinds": "a=1", "standard": "gli19"}, "leave it out, or leave out seen, deck, kinds and board"),
        ({"cards": 6, "kinds": "land=1-6"}, "all 6 cards are of the kind 'land'"),
        ({"deck": ["Elk", "Elk", "Ox"], "kinds": "deer=Elc"}, "'Elc', of the kind 'deer', is no card of the list; did"),
        ({"cards": 6, "board": "2x2"}, "'2x2' is not a board of 6 cells"),
        ({"cards": 6, "board": "٢x3"}, "is not a board of 6 cells"),
    ],
)
def test_what_is_asked_is_checked_before_any_deck(asked, told):
    with pytest.raises(FairdeckError, match=r"^[^\n]*$") as refusal:
        lab.test([[0, 1, 2]], **{"seen": "top", **asked})
    assert told in str(refusal.value)


def test_kinds_are_places_or_names_or_what_comes_several_times():
    deck = ["Elk", "Elk", "Fox", "Cub, the Red", "Elk"]
    assert kinds_of("", deck, 5) == (Kind("Elk", (0, 1, 4)),)
    assert kinds_of("a=Cub, the Red,Fox,b=1-2", deck, 5) == (Kind("a", (2, 3)), Kind("b", (0, 1)))
    asked = Inquiry.of([[0]], seen="top:2", deck=deck, kinds={"a": ["Cub, the Red"], "b": "Fox"})
    assert asked.sight == Sight(5, "top:2", (Kind("a", (3,)), Kind("b", (2,))))
    assert asked.battery.sight == asked.sight


def test_records_in_memory_are_judged_and_say_what_holds():
    chance = np.random.default_rng(38)
    hands = [chance.permutation(6)[: chance.integers(1, 5)].tolist() for _ in range(1_500)]
    hands[3] = [2, None, 4]
    report = lab.test(hands, seen="prefix:2", cards=6, seed=1, only="neighbours")
    assert report.verdict.outcome == "pass"
    assert report.fields()["seen"] == {"scheme": "prefix:2", "cards_seen": None, "completed": True}
    first = [[0] if chance.random() < 0.3 else [int(chance.integers(6))] for _ in range(400)]
    report = lab.test(np.array(first), seen="top", deck=range(6), seed=1, only="cards in the hand")
    assert report.verdict.outcome == "fail"
    assert report.causes == ()
    with pytest.raises(FairdeckError, match="the list: record 2: '9' is not one of the cards"):
        lab.test([[1], [9]], seen="top", cards=6)
    each = np.sort([chance.permutation(6)[:4].reshape(2, 2) for _ in range(90)])  # a set has no order of its own
    asked = {"seen": "hands:2x2", "cards": 6, "seed": 1}
    told = lab.test(each.reshape(90, 4), **asked).verdict.evidence
    assert told == lab.test(each, **asked).verdict.evidence
    assert told == lab.test([[one, {*other}] for one, other in each.tolist()], **asked).verdict.evidence


def test_a_run_says_what_was_completed_and_is_the_same_again(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    chance = np.random.default_rng(5)
    draws = [sorted({*(chance.permutation(9)[:2] + 1), 10}) for _ in range(300)]  # one ball is always there
    (tmp_path / "draws.csv").write_text("".join(",".join(map(str, draw)) + "\n" for draw in draws))
    words = ["test", "--file", "draws.csv", "--cards=10", "--seed=1", "--store=run.db", "--only", "cards in the hand"]
    assert main([*words, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["seen"] == {"scheme": "set:3", "cards_seen": 3, "completed": True}
    assert told["seed"] == "1"
    assert told["notes"][:2] == [
        "Your lines hold 3 of 10 cards; the other 7 were filled in at random (seed 1). The level holds. Faults that "
        "show only in the cards not seen cannot be seen.",
        "This is right only if nothing is left out because of its cards: every game, hand or drawing is in the file.",
    ]
    asked = Inquiry.of(tmp_path / "draws.csv", seen="3/10", seed=1, only="cards in the hand")
    with asked.opened() as source:
        inquiry = asked.of_source(source)
    for copy in ("draws.csv", "elsewhere.csv"):  # the file may lie elsewhere, but must be the same
        (tmp_path / copy).write_text((tmp_path / "draws.csv").read_text())
        assert main(["verify", "run.db", "--log", copy, "--json"]) == 0
        told_again = json.loads(capsys.readouterr().out)
        assert (told_again["holds"], told_again["checked"]) == (True, told["decks"])
    (tmp_path / "elsewhere.csv").write_text("1,2,3\n")
    for words in ([], ["--log", "elsewhere.csv"], ["--log", "nowhere.csv"]):
        assert main(["verify", "run.db", *words]) == 2
        assert re.search("name your copy of|is not the file that was registered", capsys.readouterr().err)
    row = registration.Registration.of(inquiry)
    assert registration.read(row.text) == row
    assert '"seen":"set:3"' in row.text
    again = lab.test(tmp_path / "draws.csv", seen="3/10", seed=1, only="cards in the hand")
    assert again.fields()["tests"] == told["tests"]
    plain = registration.Registration.of(Inquiry.of("naive", cards=6, seed=1))
    assert '"seen"' not in plain.text


# --- every door

ELKS = ["Elk"] * 4 + ["Red Fox"] * 3 + ["Cub", "Owl"]
DOORS = {  # what is seen; the list of the deck, or its numbers; how a line is made of a shuffled deck
    "a lottery": ("6/49", range(1, 50), lambda deck: sorted(deck[:6])),
    "in order": ("top:3", range(9), lambda deck: deck[:3]),
    "games that end": ("prefix:2", range(9), lambda deck: deck[: 1 + deck[0] % 3]),
    "places": ("places:0,5", range(9), lambda deck: [deck[-1], deck[-6]]),
    "hands": ("hands:2x4", ELKS, lambda deck: deck[:8]),
    "whole decks": ("all", ELKS, lambda deck: deck),
}


def answers_of(seen, cards, part, decks=64):
    chance = np.random.default_rng(38)
    rows = [part([cards[at] for at in chance.permutation(len(cards))]) for _ in range(decks)]
    asked = {"deck": cards} if isinstance(cards, list) else {"cards": len(cards)}
    return rows, {"seen": seen, **asked, "seed": 5}


def decks_of(inquiry, thing=None, sizes=(7, 50, 7)):
    with inquiry.opened(thing) as source:
        blocks = list(source.blocks(sizes))
    shown = [None if block.shown is None else block.shown.tolist() for block in blocks]
    return np.concatenate([block.decks for block in blocks]).tolist(), shown, [*source.labels]


@pytest.mark.parametrize("name", DOORS)
def test_every_door_completes_the_same_records_alike(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows, asked = answers_of(*DOORS[name])
    lines = [",".join(map(str, row)) + "\n" for row in rows]
    (tmp_path / "log").write_text("".join(lines))
    program = f"import itertools\nROWS = iter({rows!r})\ndef draw(deck):\n    return next(ROWS)\n"
    (tmp_path / "mine.py").write_text(program)
    here = iter(rows)
    told = decks_of(Inquiry.of(tmp_path / "log", **asked))
    assert told == decks_of(Inquiry.of(lambda deck: next(here), **asked), lambda deck: next(here))
    assert told == decks_of(Inquiry.of("mine.py:draw", **asked))
    assert told == decks_of(Inquiry.of(Program("cat log"), **asked))
    if isinstance(asked.get("cards"), int) and "prefix" not in asked["seen"]:
        (tmp_path / "bytes").write_bytes(bytes(card for row in rows for card in row))
        assert told == decks_of(Inquiry.of(Program("cat bytes", "u8"), **asked))
    if "prefix" in asked["seen"]:
        return
    waiting = []
    for stops in (0, 1):  # all at once; then piece by piece, with a crash after each
        for end in [2, 3, 17, 40, len(lines)] if stops else [len(lines)]:
            (tmp_path / f"{stops}.log").write_text("".join(lines[:end]))
            if stops:
                with closing(Monitor(tmp_path / "1.db", ["1.log"], **asked)) as crashed:
                    crashed.step()
            lab.monitor(f"{stops}.log", f"{stops}.db", **asked)
        with Store(tmp_path / f"{stops}.db") as store:
            run = store.run(1, Kept)
        (log,) = run.more.logs.values()
        whole = run.standing.tally.decks if run.standing.tally else 0
        waiting.append(unpacked_decks(log.waiting, len(told[0][0])).tolist())
        assert waiting[-1] == told[0][whole : len(lines)]
    assert waiting[0] == waiting[1]


CODE = """
import random
def draw(n, rng):
    return rng.sample(range(1, n + 1), 6)
def hand(deck, rng):
    return rng.sample(deck, 3)
def four(deck, rng):
    rng.shuffle(deck)
    return [set(deck[at::4]) for at in range(4)]
def uneven(deck, rng):
    return [deck[:3], deck[3:8]]
def short(deck, rng):
    return deck[:5]
def late(n, rng, calls=[]):
    calls.append(n)
    return rng.sample(range(1, n + 1), 6) if len(calls) < 9 else [1, 2, 3, 4, 5, 5]
def beyond(n, rng):
    return [0, 1, 2, 3, 4, n]
def strange(deck, rng):
    return [*deck[:5], "Elc"]
def nothing(n, rng):
    return None
def unseen(deck, rng):
    return [None, *deck[:5]]
def loose(deck, rng):
    return set(rng.sample(deck, len(deck)))
"""


@pytest.fixture
def code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(CODE)
    return "mine.py"


def test_fair_code_that_gives_a_part_of_a_deck_passes_in_one_process_and_in_parts(code):
    asks = {
        "draw": {"seen": "6/49"},
        "hand": {"seen": "top:3", "deck": ELKS, "kinds": "deer=Elk"},
        "four": {"seen": "hands:4x3", "cards": 12},
    }
    for name, asked in asks.items():
        report = lab.test(f"mine.py:{name}", decks=1_000, seed=1, **asked)
        assert report.verdict.outcome == "pass", name
        several = lab.test(f"mine.py:{name}", decks=1_000, seed=1, in_parts=True, **asked)
        assert several.verdict.outcome == "pass", name
        names = {"draw": [*map(str, range(1, 50))], "hand": ELKS}.get(name, [])
        assert list(several.labels) == list(report.labels) == names
    assert [kind.name for kind in lab.test("mine.py:hand", decks=20, **asks["hand"]).inquiry.sight.kinds] == ["deer"]


@pytest.mark.parametrize(
    ("name", "seen", "told"),
    [
        ("short", "6/49", "deck 1 has 5 cards instead of 6: 0 1 2 3 4"),
        ("short", "prefix", ""),
        ("uneven", "hands:2x4", "deck 1 has hands of 3, 5 cards instead of 4"),
        ("late", "6/49", "deck 9 is impossible: 5 is there 2 times, and once in the deck: 1 2 3 4 5 5"),
        ("beyond", "6/49", "deck 1 is impossible: 49 is not one of the cards, the numbers 0 to 48: 0 1 2 3 4 49"),
        ("strange", "6/49", "deck 1 holds 'Elc', which is not a card: 0 1 2 3 4 Elc"),
        ("nothing", "6/49", "deck 1 is not a deck: the function returned None"),
        ("unseen", "6/49", "deck 1 is impossible: a card that was not seen has no place in a set"),
    ],
)
def test_what_no_deck_can_show_fails_the_code(name, seen, told, code):
    report = lab.test(f"{code}:{name}", seen=seen, seed=1)
    assert report.verdict.outcome == "fail"
    assert report.verdict.at_gate == bool(told)
    assert told in report.headline
    if told:
        assert report.headline.startswith("Not every deck shows cards of the deck.")
        assert not report.conditions


@pytest.mark.parametrize(
    ("lines", "seen", "told", "decks"),
    [
        ("0 1 2 3", "top:3", "deck 1 is impossible: holds 4 cards, and top:3 has 3", None),
        ("hello", "top:3", "if cards have names, name their list: --deck FILE; write nothing but what is seen", None),
        ("0 1 2\\n1 2\\n", "top:3", "deck 2 is impossible: holds 2 cards, and top:3 has 3", 1),
        ("0 1 2\\n1 2 1\\n", "top:3", "deck 2 is impossible: 1 is there 2 times", 1),
        ("1 2 3\\n2 3 ?\\n3 2 9\\n0 1 2\\n", "top:3", "deck 4 is impossible: 0 is not one of the cards", 3),
    ],
)
def test_what_a_program_may_not_write_is_told(lines, seen, told, decks):
    program = lab.Program(f"printf '{lines}'")
    if decks is None:
        with pytest.raises(FairdeckError, match=f"{re.escape(told)}[^\\n]*$"):
            lab.test(program, seen=seen, cards=9)
        return
    report = lab.test(program, seen=seen, cards=9)
    assert (report.verdict.outcome, report.verdict.decks) == ("fail", decks)
    assert told in report.headline


NO_ORDER = "gives a set of Python, which has no order: give a list"


@pytest.mark.parametrize(
    ("what", "asked", "told"),
    [
        ("naive", {"seen": "top:7"}, "a known shuffle gives whole decks"),
        ("mine.py:draw", {"seen": "set"}, "say how many cards of each deck the function gives, such as set:7"),
        ("mine.py:draw", {"seen": "top:7", "start": "carried"}, "is no deck to begin with"),
        ("mine.py:loose", {"seen": "prefix", "cards": 9}, f"loose {NO_ORDER}"),
        ("mine.py:loose", {"cards": 9}, f"loose {NO_ORDER}"),
        (lambda n: {*range(n)}, {"seen": "top:9", "cards": 9}, NO_ORDER),
        ([{1, 2}, {4, 5}], {"seen": "top:2", "cards": 9}, "the list holds sets of Python, which have no order"),
        (
            [[{1}, {2}], [{1, 2}, {3}]],
            {"seen": "hands:2x1", "cards": 9},
            "record 2 has hands of 2, 1 cards instead of 1",
        ),
        ("mine.py:draw", {"seen": "top:60"}, "a deck of 52 cards does not have so many"),
        ("mine.py:draw", {"seen": "top:7", "order": "a b"}, "say deck, the list whose names are given"),
        (lab.Program("x", "u8"), {"seen": "prefix"}, "the format u8 holds numbers, equally many"),
        (lab.Program("x", "u8"), {"seen": "top:1", "deck": ELKS}, "the program must write text"),
    ],
)
def test_what_code_cannot_be_asked_is_refused(what, asked, told, code):
    with pytest.raises(FairdeckError, match=re.escape(told)):
        lab.test(what, **asked)


def test_a_watch_and_the_command_refuse_what_names_nothing(code, capsys):
    (Path("draws.log")).write_text("1 2 3\n4 5 6\n")
    for words, told in {
        "--seen top": "say how many cards of each deck the log gives, such as top:7",
        "--seen top:3": "a log of top:3 does not show the whole deck; say how many cards",
        "--seen prefix --cards 6": "a watch needs equally many cards of each deck",
        "--seen 3/6 --cards 6,7": "give each size a watch of its own",
        "--seen 3/6 --kinds a=1-6": "all 6 cards are of the kind 'a'",
    }.items():
        assert main(["monitor", "draws.log", "--store", "watch.db", "--once", *words.split()]) == 2
        assert told in capsys.readouterr().err
    assert main(["monitor", "draws.log", "--store", "watch.db", "--once", "--seen", "3/6"]) == 0
    assert "Your lines hold 3 of 6 cards" in capsys.readouterr().out
    assert main(["monitor", "draws.log", "--store", "watch.db", "--once", "--seen", "2/6"]) == 2
    assert "seen set:2: the watch in watch.db has set:3" in capsys.readouterr().err
    for option in ("only", "seen", "deck", "kinds", "board"):
        for words in (["test", "mine.py:draw"], ["monitor", "draws.log", "--store", "watch.db", "--once"]):
            assert main([*words, f"--{option}", ""]) == 2
            assert f"--{option} '' names nothing: write a value, or leave" in capsys.readouterr().err


def test_a_list_whose_names_have_commas_is_read_as_it_is_said(tmp_path, capsys):
    names = [f"Artist {number}, Song {number}" for number in range(20)]
    (tracks := tmp_path / "tracks.txt").write_text("\n".join(names))
    (log := tmp_path / "plays.txt").write_text("\n".join(reversed(names)))
    words = ["test", "--file", str(log), "--deck", str(tracks)]
    assert main(words) == 2
    assert "say --as names if a line is one card" in capsys.readouterr().err
    assert main([*words, "--as", "names", "--decks", "1"]) == 1  # turned over
    assert f"--deck {tracks} --as names" in capsys.readouterr().out
    assert main(["test", "naive", "--as", "names"]) == 2
    assert "--as is about the list of the deck" in capsys.readouterr().err


def test_a_first_card_that_was_guessed_too_soon_is_no_fault_of_the_shuffle(monkeypatch):
    monkeypatch.setattr("fairdeck.lab.sources.observed.AT_ONCE", 4)  # far fewer than the cards, as of a million
    completion = Completion("top:2", 6, (), 1)
    assert len(completion.decks(np.array([[1, 2], [3, 4]]))[0]) == 2
    with pytest.raises(FairdeckError, match=r"6 came after the cards are numbered from 0, as neither .*: --deck FILE"):
        completion.decks(np.array([[5, 6]]))


def test_an_assertion_takes_what_is_seen():
    fair = lab.assert_fair(lambda deck, rng: rng.sample(deck, 3), seen="top:3", deck=ELKS, kinds="deer=Elk", decks=1000)
    assert fair.inquiry.cards == len(ELKS)
    lab.assert_fair(lambda n, rng: rng.sample(range(n), 2), seen="set:2", cards=[9, 12], board=None)
    with pytest.raises(lab.Unfair, match="sum of the list places in the hand: 6 on average"):
        lab.assert_fair(lambda deck: deck[:4], seen="set:4", cards=49, board="7x7")
