"""`fairdeck two`, as two people and their auditor use it."""

import json
import re
import stat
from itertools import product

import pytest

from fairdeck import arrange, read_plan, replay
from fairdeck.cli import main
from fairdeck.dealing.cards import FRENCH
from fairdeck.dealing.two_deals import read_commitment, read_order, session_named


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(words):
        code = main(["two", *words.split()])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


def dealt(run, second="second 52 --goal hands:4x13 --mat 4x1"):
    """Deal both and return the plans and the seals."""
    plans, seals = [], []
    for words, name in (("first 52", "first"), (second, "second")):
        code, out, err = run(f"{words} --keep {name}.txt --session today --json")
        assert code == 0
        plans.append(read_plan(out)[0])
        seals.append(re.search(r"T2-C-[\w-]+", err)[0])
    return plans, seals


def test_hands_dealt_by_two_are_those_of_the_audit(run, tmp_path):
    (first, second), seals = dealt(run)
    deck, _ = replay(first, FRENCH[::-1])
    _, hands = replay(second, deck)
    (tmp_path / "played.txt").write_text("\n".join(card for hand in hands for card in hand))
    code, out, err = run(
        f"audit first.txt second.txt --commitments {' '.join(seals)} --start sorted --played played.txt"
    )
    assert (code, err) == (0, "")
    assert "Both orders fit their commitments." in out
    assert "The cards that were found are these." in out
    found = [set(re.search(rf"^Hand {n}: (.*)$", out, re.M)[1].split()) for n in range(1, 5)]
    assert found == list(map(set, hands))
    swapped = [card for hand in hands for card in hand]
    swapped[0], swapped[13] = swapped[13], swapped[0]
    (tmp_path / "played.txt").write_text(" ".join(swapped))
    code, out, _ = run("audit first.txt second.txt --start sorted --played played.txt --json")
    told = json.loads(out)
    assert (code, told["holds"], len(told["differs"])) == (1, False, 2)
    assert told["committed"] is False
    assert told["session"] == session_named("TODAY").hex()


def test_a_deck_dealt_by_two_lies_as_the_audit_says(run, tmp_path):
    (first, second), _ = dealt(run, "second 52")
    deck, _ = replay(first, FRENCH[::-1])
    end, _ = replay(second, deck)
    code, out, _ = run("audit first.txt second.txt --start sorted --json")
    assert code == 0
    assert tuple(json.loads(out)["order"]) == end[::-1]
    (tmp_path / "played.txt").write_text("\n".join([*end[:50:-1], *end[:51][::-1]]))
    assert run("audit first.txt second.txt --start sorted --played played.txt")[0] == 0
    lying = list(end[::-1])
    lying[3], lying[7] = lying[7], lying[3]
    (tmp_path / "played.txt").write_text("\n".join(lying))
    code, out, _ = run("audit first.txt second.txt --start sorted --played played.txt")
    assert code == 1
    assert f"place 4 from the top: {lying[3]}, expected {lying[7]}" in out


def test_the_orders_are_kept_for_their_owner_and_can_be_pasted(run, tmp_path):
    dealt(run)
    texts = [(tmp_path / name).read_text() for name in ("first.txt", "second.txt")]
    assert stat.S_IMODE((tmp_path / "first.txt").stat().st_mode) == 0o600
    assert [read_order(text).person for text in texts] == [1, 2]
    code, out, _ = run(f"audit {texts[0].strip()} {texts[1].strip().lower()}")
    assert code == 0
    assert "Hand 4: " in out
    order = read_order(texts[0])
    assert arrange(order.arrangement, range(52)) == order.arrangement


def test_a_file_may_be_called_as_messages_begin_and_a_message_may_be_a_link(run, tmp_path):
    dealt(run)
    first = (tmp_path / "first.txt").rename(tmp_path / "T2-c")
    code, out, _ = run(f"audit {first.name} http://x/two.html#{(tmp_path / 'second.txt').read_text().strip()}")
    assert (code, "Hand 4: " in out) == (0, True)


def test_every_draw_is_another_one_with_another_seal(run):
    seals = {
        re.search(r"T2-C-[\w-]+", run(f"first 3 --mat 2x1 --keep {turn}.txt --session {turn}")[2])[0]
        for turn in range(20)
    }
    assert len(seals) == 20
    assert {read_commitment(seal)[1] for seal in seals} == {1}
    assert "T2-" not in run("first 3 --mat 2x1")[2], "an order that is not kept is never shown: nothing to commit to"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("first", "0 values for 'two first'"),
        ("audit first.txt", "1 values for 'two audit'"),
        ("first 0", "cards: 0 is out of range"),
        ("first 52 --goal hands:4x13", "the first person deals the whole deck"),
        ("second 52 --goal hands:4x5+stock", "hands without a stock"),
        ("second 52 --goal top:5", "hands without a stock"),
        ("first 52 --commitments a b", "--commitments does not belong to 'two first'"),
        ("audit first.txt second.txt --keep x", "--keep does not belong to 'two audit'"),
        ("first 52 --keep first.txt --session 1", "'first.txt' is there already"),
        ("first 52 --keep x.txt", "--keep and --session go together"),
        ("first 52 --session 1", "--keep and --session go together"),
        ("first 52 --session \u200b --keep x.txt", "visible letters that name this deal"),
        ("audit first.txt second.txt --session yesterday", "'yesterday': these orders were drawn for another session"),
        ("first 52 --session 1 --keep x.html --html x.html", "--keep and --html both name 'x.html'"),
        ("audit second.txt first.txt", "the order of the first person, then that of the second"),
        ("audit first.txt nowhere.txt", "cannot read 'nowhere.txt'"),
        ("audit first.txt cards.txt", "is not a message of a draw: it begins with T2-"),
        ("audit first.txt second.txt --start cards.txt", "names 3 cards; the deals have 52"),
        ("audit first.txt second.txt --played cards.txt", "played"),
        ("audit first.txt second.txt --commitments T2-C-0 T2-C-0", "a letter of this message is wrong"),
    ],
)
def test_what_cannot_be_dealt_or_audited_gets_one_line(run, tmp_path, words, says):
    dealt(run)
    (tmp_path / "cards.txt").write_text("1 2 3")
    kept = (tmp_path / "first.txt").read_text()
    code, out, err = run(words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err
    assert (tmp_path / "first.txt").read_text() == kept


def test_what_two_people_drew_yesterday_does_not_fit_today(run):
    """Every mixture of the orders and commitments of three sessions: only those of one session fit."""
    seals = {}
    for day in ("today", "yesterday", "new-year"):
        for person in ("first", "second"):
            words = f"{person} 5 --mat 3x1 --keep {day}-{person}.txt --session {day}"
            seals[day, person] = re.search(r"T2-C-[\w-]+", run(words)[2])[0]
    days = sorted({day for day, _ in seals})
    for one, two, three, four in product(days, repeat=4):
        given = f"{seals[three, 'first']} {seals[four, 'second']}"
        code, out, err = run(f"audit {one}-first.txt {two}-second.txt --commitments {given}")
        assert (code, "Both orders fit" in out, bool(err)) == (
            (0, True, False) if one == two == three == four else (2, False, True)
        )
        assert "session" in out + err


def test_an_order_that_was_not_sealed_is_told(run):
    _, seals = dealt(run)
    other = re.search(r"T2-C-[\w-]+", run("second 52 --keep other.txt --session today")[2])[0]
    code, _, err = run(f"audit first.txt other.txt --commitments {seals[0]} {seals[1]}")
    assert code == 2
    assert "the second order is not the one that was committed to" in err
    code, _, err = run(f"audit first.txt other.txt --commitments {other} {seals[0]}")
    assert code == 2
    assert "that of the first person, then that of the second" in err
