"""Decks dealt by two people: given either order, and all that everybody sees, every result is equally likely."""

from collections import Counter, defaultdict
from dataclasses import replace
from hashlib import sha256
from itertools import permutations, product
from math import factorial, log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeck import FairdeckError, Hands, Mat, Task, plan_for, replay
from fairdeck.dealing.letters import read_letters, write_letters
from fairdeck.dealing.two_deals import (
    CommittedOrder,
    audited,
    commitment_message,
    order_message,
    read_commitment,
    read_order,
    session_named,
    task_for,
)
from fairdeck.permutation import inverse

SALT, SESSION = bytes(range(32)), session_named("club 1 December")


def view(plan):
    """What everybody at the table may see: how high the piles are, and how they are gathered."""
    return tuple((step.counts(plan.mat.spaces), step.stack, step.from_bottom) for step in plan.passes)


@pytest.mark.parametrize("cards", [2, 3, 4, 5])
@pytest.mark.parametrize("mat", [Mat(3, 1), Mat(5, 2)])
def test_who_knows_one_order_knows_nothing_of_the_result(cards, mat):
    """All pairs of orders of up to five cards, dealt: a person who knows one of them sees the heights of both deals."""
    task = task_for(1, cards, mat)
    plans = {order: plan_for(task, order) for order in permutations(range(cards))}
    known_first, known_second = defaultdict(Counter), defaultdict(Counter)
    for first, one in plans.items():
        after, _ = replay(one, range(cards))
        for second, other in plans.items():
            result, _ = replay(other, after)
            known_first[first, view(one), view(other)][result] += 1
            known_second[second, view(one), view(other)][result] += 1
    for known in (known_first, known_second):
        assert len(known) == factorial(cards), "what is seen adds nothing to the order that is known"
        assert all(set(found.values()) == {1} and len(found) == factorial(cards) for found in known.values())


def test_who_knows_one_order_knows_nothing_of_the_hands():
    """Six cards to two hands of three: all first orders, all second ones."""
    mat, goal = Mat(3, 1), Hands((3, 3))
    splits = defaultdict(Counter)
    seconds = {order: plan_for(task_for(2, 6, mat, goal), order) for order in permutations(range(6))}
    firsts = list(permutations(range(6)))[::7]
    for first in firsts:
        for second, plan in seconds.items():
            _, hands = replay(plan, first)
            splits[first, view(plan)][frozenset(hands[0])] += 1
            del second
    assert len(splits) == len(firsts)
    assert all(len(found) == 20 and set(found.values()) == {36} for found in splits.values())
    given_second = Counter()
    plan = seconds[0, 1, 2, 3, 4, 5]
    for first in permutations(range(6)):
        given_second[frozenset(replay(plan, first)[1][0])] += 1
    assert set(given_second.values()) == {36}


def test_the_fewest_keys_would_give_much_away():
    """Why one key a card: with five cards, what everybody sees tells 3.73 of 6.91 bits."""
    seen = Counter(view(plan_for(Task(5, Mat(5, 2)), order)) for order in permutations(range(5)))
    told = sum(count / 120 * log2(120 / count) for count in seen.values())
    assert told == pytest.approx(3.73, abs=0.01)
    assert len({view(plan_for(task_for(1, 5, Mat(5, 2)), order)) for order in permutations(range(5))}) == 1


@pytest.mark.parametrize("goal", ["hands:5,4+stock", "hands:4x2+stock", "top:3"])
def test_goals_whose_heights_tell_something_are_refused(goal):
    from fairdeck import parse_goal

    with pytest.raises(FairdeckError, match="hands without a stock"):
        task_for(2, 12, Mat(5, 2), parse_goal(goal, 12))
    with pytest.raises(FairdeckError, match="the first person deals the whole deck"):
        task_for(1, 12, Mat(5, 2), Hands((6, 6)))
    with pytest.raises(FairdeckError, match="person 3"):
        task_for(3, 12, Mat(5, 2))


def halves():
    first = CommittedOrder(1, task_for(1, 6, Mat(3, 1)), (2, 0, 5, 1, 4, 3), SALT, SESSION)
    return first, CommittedOrder(2, task_for(2, 6, Mat(4, 1), Hands((3, 3))), (1, 5, 0, 3, 2, 4), SALT, SESSION)


def test_an_order_is_sealed_shown_and_audited():
    first, second = halves()
    for half in (first, second):
        assert read_commitment(f"http://x/two.html#{commitment_message(half).lower()}") == (
            SESSION,
            half.person,
            half.commitment,
        )
        assert read_order(order_message(half).replace("-", " ")) == half
        assert half.commitment.hex() not in order_message(half).lower()
    result = audited(first, second)
    after, _ = replay(first.plan, range(6))
    _, hands = replay(second.plan, after)
    assert [set(hand) for hand in hands] == [set(result[3:]), set(result[:3])]
    with pytest.raises(FairdeckError, match="of the first person"):
        audited(second, first)
    small = CommittedOrder(2, task_for(2, 5, Mat(3, 1)), (0, 1, 2, 3, 4), SALT, SESSION)
    with pytest.raises(FairdeckError, match="6 cards and the second 5"):
        audited(first, small)


def test_the_seal_fixes_everything():
    seals = set()
    for order in permutations(range(4)):
        for person in (1, 2):
            for mat in (Mat(2, 1), Mat(2, 2), Mat(2, 1, ("x", "y"))):
                seals |= {
                    CommittedOrder(person, task_for(person, 4, mat), order, *rest).commitment
                    for rest in product((SALT, bytes(32)), (SESSION, bytes(16)))
                }
    assert len(seals) == 24 * 2 * 3 * 2 * 2


def test_every_byte_of_a_seal_is_as_the_specification_says():
    """Written a second time from docs/reference/draw.md, with nothing but SHA-256."""

    def hashed(*parts):
        return sha256(b"".join(len(each).to_bytes(4, "big") + each for each in parts)).digest()

    assert (
        session_named("Club 1\u00a0December ") == SESSION == hashed(b"fairdeck-two/2 session", b"club 1 december")[:16]
    )
    for half in halves():
        parts = (SESSION, bytes([half.person]), SALT, half.code.encode())
        assert half.commitment == hashed(b"fairdeck-two/2 commitment", *parts)


@pytest.mark.parametrize("text", ["", "  ", "\u200b", "club\u202e", "\u3164", "x" * 65, "a" + 5 * "\u0301", "\ud800"])
def test_a_session_has_a_name_that_people_see(text):
    with pytest.raises(FairdeckError, match="visible letters that name this deal") as refused:
        session_named(text)
    assert "\n" not in str(refused.value)


def test_texts_that_are_the_same_but_for_the_way_they_are_typed_name_one_session_and_others_do_not():
    same = ["Zürich 5. Dezember", " zürich  5. DEZEMBER", "zu\u0308rich 5. dezember", "\uff3aürich\u00a05. Dezember"]
    others = [
        "Zurich 5. Dezember",
        "Zürich 5 Dezember",
        "Zürich 6. Dezember",
        "Zürich5. Dezember",
        "Zürіch 5. Dezember",
    ]
    assert len(set(map(session_named, same))) == 1
    assert len({session_named(text) for text in (same[0], *others)}) == 1 + len(others)


def test_what_was_drawn_for_another_session_does_not_fit():
    (first, second), earlier = halves(), session_named("club 24 November")
    old = replace(second, session=earlier)
    assert old.commitment != second.commitment
    with pytest.raises(FairdeckError, match="of different sessions"):
        audited(first, read_order(order_message(old)))
    assert read_commitment(commitment_message(old))[0] == earlier
    # The same letters with another session in them have another commitment, and no salt is known that has this one.
    kind, content = read_letters("T2", "R", order_message(old))
    moved = read_order(write_letters("T2", kind, SESSION + content[16:]))
    assert moved.commitment != old.commitment


def test_what_is_no_half_of_a_deal_is_refused():
    task = task_for(1, 6, Mat(3, 1))
    with pytest.raises(FairdeckError, match="32 bytes"):
        CommittedOrder(1, task, tuple(range(6)), b"", SESSION)
    with pytest.raises(FairdeckError, match="one sort key a card"):
        CommittedOrder(1, Task(6, Mat(3, 1)), tuple(range(6)), SALT, SESSION)
    first, _ = halves()
    with pytest.raises(FairdeckError, match="begins with T2-R"):
        read_order(commitment_message(first))
    with pytest.raises(FairdeckError, match="begins with T2-C"):
        read_commitment(order_message(first))
    text = order_message(first)
    for place, letter in enumerate(text):
        for other in "07Z":
            if letter not in ("-", other):
                with pytest.raises(FairdeckError):
                    read_order(text[:place] + other + text[place + 1 :])


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=100), st.text("T2CR-0123456789ABCXYZ", max_size=100).map("T2-R-".__add__)))
def test_no_text_makes_the_readers_fail_otherwise(text):
    for read in (read_order, read_commitment):
        with pytest.raises(FairdeckError) as refused:
            read(text)
        assert "\n" not in str(refused.value)


def test_the_product_is_right_for_named_cards():
    first = CommittedOrder(1, task_for(1, 4, Mat(2, 1)), (3, 1, 0, 2), SALT, SESSION)
    second = CommittedOrder(2, task_for(2, 4, Mat(2, 1)), (2, 3, 1, 0), SALT, SESSION)
    deck = "ABCD"
    after, _ = replay(first.plan, deck)
    end, _ = replay(second.plan, after)
    assert end == tuple(deck[card] for card in audited(first, second))
    assert inverse(inverse(first.arrangement)) == first.arrangement
