"""Draws that several people make together: what is hashed, what is refused; that nobody chooses, or nobody knows."""

import random
import time
from collections import Counter, defaultdict
from dataclasses import replace
from hashlib import sha256
from itertools import permutations, product
from math import factorial, log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeck import FairdeckError, Hands, Mat, Task, TopCards, parse_goal, plan_for, replay
from fairdeck.permutation import then
from fairdeck.trust import draws
from fairdeck.trust.agreement import read_agreement, session_named
from fairdeck.trust.beacon import Beacon
from fairdeck.trust.draws import Attempt, Drawn, order_size, orders_in, own_drawn, own_of
from fairdeck.trust.files import Transcript
from fairdeck.trust.messages import (
    all_shown_message,
    announcement_message,
    commitment_message,
    demand_announcement,
    list_message,
    shown_message,
    take_message,
)
from fairdeck.trust.states import Draw, Refused
from tests import plain_draw
from tests.draws import SECRETS, SESSION, attempt, listed, owns_of, product_draw, seed_draw

AGREED = seed_draw(Task(60, Mat(5, 2)), ("Ann", "Ben", "Çem"), note="Friday")
RICH = seed_draw(
    Task(5, Mat(3, 2, ("a", "b", "c", "d", "e", "ü")), Hands((2, 2), stock=1), classic=True),
    ("Ann", "Ben"),
    decks=36,
    names=("A♠", "K♠", "Q♠", "J♠", "10♠"),
    attempt=2,
    before=bytes(64),
    deadline="2026-12-01T18:00Z",
    beacon=Beacon(bytes(range(32)), 12040883),
    note="Club pairs",
)
WHOLE, FOUR = Task(8, Mat(3, 1), classic=True), ("North", "East", "South", "West")
CLOSED = product_draw(
    (WHOLE, Task(8, Mat(4, 1, FOUR), parse_goal("hands:4x2", 8), classic=True)),
    decks=2,
    names=("A", "A", "K", "Q", "J", "10", "9", "8"),
    start="picked-up",
    called=("7 S All", "8 W None"),
)


# --- the bytes

FIRST = seed_draw(Task(5, Mat(2, 1)), ("Ann", "Ben"), decks=2, note="Club pairs")
VOID = attempt(FIRST, SECRETS[:2], (SECRETS[0], b""))
FIVE = Task(5, Mat(3, 1), classic=True)
BOARD = product_draw((WHOLE, CLOSED.deals[1]), called=("7 S All",))
# From a program that was written apart from this one: bytes of the agreement, digest, commitments, list, shown, seed,
# result code, decks, SHA-256 of the transcript, and the beginning and the end of Ben's message R.
VECTORS = [
    (
        FIRST,
        SECRETS[:2],
        (),
        *(191, "86f2cb70", "b5faa208 e5db873c", "99a6be06", "15958f3b", "57c2400a", "3912 DV2Z 07JT", "12340 04213"),
        "8bd3147eb09ce3b79f9b86aec9e0de526da40ca5aa29f7f2ca67ba51d8a91c29",
        *("GVSCPW54", "C759JASG", 124),
    ),
    (
        FIRST.again(bytes(range(16, 32)), VOID.named),
        SECRETS[:2],
        (VOID,),
        *(255, "0678ef34", "6b208b29 a69626cc", "e57f018f", "8d7a0615", "3cc1e909", "ASG7 6FSK D3NM", "41203 32014"),
        "96c2771b35a4721166cb64d2c8e4a8e383cc9853940599b56fdadcfcc6cec29f",
        *("0SWEYD31", "KH84MAB0", 124),
    ),
    (
        product_draw((FIVE, FIVE)),
        owns_of((2, 0, 4, 1, 3), (1, 4, 0, 3, 2)),
        (),
        *(233, "d10bf42b", "d3c2272f f091a11c", "29bd0027", "3fc4053f", "", "Z83T 5GP8 K73T", "03214"),
        "cf86621fd0a04ac7a2dff3204a5156cc0dc73b205a1e58fa12358613b425e622",
        *("T45Z8AV9", "54V17QXY", 125),
    ),
    (
        BOARD,
        owns_of((3, 6, 1, 0, 7, 2, 5, 4), (0, 7, 5, 6, 1, 3, 2, 4)),
        (),
        *(283, "982f33de", "bbf16776 ac7012c5", "58afed82", "3e916cdc", "", "1VJZ 8QV3 11TG", "34256017"),
        "d80f20f9a602c6ba1fc46cafc439ddde8a92ce39cb754f408330baa6e43d8d0b",
        *("K0QK7QJ6", "AE75V9ZR", 127),
    ),
]


@pytest.mark.parametrize("vector", VECTORS, ids=["seed", "attempt 2", "two deals", "board"])
def test_draws_have_the_bytes_of_the_specification(vector):
    agreement, owns, voids, size, digest, commitments, *more = vector
    in_list, shown, seed, code, decks, whole, begin, end, length = more
    drawn = Drawn(attempt(agreement, owns))
    transcript = Transcript(drawn, voids=voids)
    assert (len(agreement.written), agreement.digest.hex()[:8]) == (size, digest)
    assert " ".join(each.hex()[:8] for each in drawn.attempt.commitments) == commitments
    assert (drawn.attempt.listed.hex()[:8], drawn.attempt.shown.hex()[:8]) == (in_list, shown)
    assert (drawn.seed.hex()[:8], drawn.code) == (seed, code)
    assert " ".join("".join(map(str, drawn.order(deck))) for deck in range(agreement.decks)) == decks
    assert transcript.digest == whole
    message = shown_message(drawn.attempt, 1, owns[1]).removeprefix("T1-R-").replace("-", "")
    assert (message[:8], message[-8:], len(message)) == (begin, end, length)
    assert plain_draw.verify(transcript.to_json()) == [list(drawn.order(deck)) for deck in range(agreement.decks)]


def test_a_void_attempt_has_the_digest_of_the_specification():
    assert VOID.shown.hex()[:8] == "9ad0199d"
    assert VOID.named == FIRST.digest + VOID.shown


TOP = replace(AGREED, deals=(Task(52, Mat(4, 1), TopCards(9), dealers=2),))


@pytest.mark.parametrize("agreement", [AGREED, RICH, CLOSED, TOP])
def test_an_agreement_is_read_from_its_bytes(agreement):
    assert read_agreement(agreement.written) == agreement
    assert demand_announcement(announcement_message(agreement)) == agreement


def test_whatever_differs_in_an_agreement_makes_another_seed():
    changes = [
        {"deals": (Task(61, Mat(5, 2)),)},
        {"deals": (Task(60, Mat(2, 5)),)},
        {"deals": (Task(60, Mat(5, 2, tuple("abcdefghij"))),)},
        {"deals": (Task(60, Mat(5, 2), TopCards(60)),)},
        {"deals": (Task(60, Mat(5, 2), bottom="never"),)},
        {"deals": (Task(60, Mat(5, 2), classic=True),)},
        {"deals": (Task(60, Mat(5, 2), dealers=2),)},
        {"people": ("Ann", "Çem", "Ben")},
        {"session": bytes(16)},
        {"decks": 2},
        {"called": ("deck 1",)},
        {"names": tuple(map(str, range(60)))},
        {"names": ("x",) * 60},
        {"names": tuple(map(str, range(60, 0, -1)))},
        {"attempt": 2, "before": bytes(64)},
        {"attempt": 2, "before": bytes([1]) * 64},
        {"deadline": "2026-12-01T18:00Z"},
        {"note": ""},
    ]
    seeds = {Drawn(attempt(replace(AGREED, **change))).seed for change in changes}
    assert len(seeds | {Drawn(attempt(AGREED)).seed}) == len(changes) + 1


def test_each_secret_and_the_beacon_move_the_seed():
    drawn = {Drawn(attempt(AGREED, each)).seed for each in product(SECRETS, repeat=3)}
    assert len(drawn) == 27
    secrets = SECRETS[:2]
    values = {Drawn(attempt(RICH, secrets), bytes([value]) * 32).seed for value in range(50)}
    assert len(values) == 50


def test_each_deck_of_a_draw_has_a_stream_of_its_own():
    drawn = Drawn(attempt(RICH, SECRETS[:2]), bytes(32))
    assert 20 < len({drawn.order(deck) for deck in range(36)}) <= 36
    with pytest.raises(FairdeckError, match="decks 0 to 35"):
        drawn.order(36)


@pytest.mark.parametrize("agreement", [AGREED, CLOSED])
def test_a_whole_draw_by_messages(agreement):
    owns = drawn_owns(agreement)
    first, *others = [Draw(agreement, me, own, collects=me == 0) for me, own in enumerate(owns)]
    for draw in others:
        assert take_message(first, commitment_message(agreement, draw.me, draw.commitments[draw.me]).lower()) == "C"
    for draw in others:
        link = f"https://x.org/together.html#{list_message(first.attempt).replace('-', '')}"
        assert take_message(draw, link) == "L"
    if agreement.way == "product":
        for draw in (first, *others):
            with pytest.raises(Refused, match="after play"):
                draw.show()
            draw.play()
    for draw in others:
        assert take_message(first, shown_message(draw.attempt, draw.me, draw.show())) == "R"
    spoken = all_shown_message(first.attempt).replace("0", "o").replace("1", "l").replace("-", " ")
    for draw in others:
        assert take_message(draw, spoken) == "S"
        assert Drawn(draw.attempt).code == Drawn(attempt(agreement, owns)).code


class Scripted:
    """A chooser whose draws are those of a seeded generator of Python."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def below(self, bound):
        return self.random.randrange(bound)


def drawn_owns(agreement, seed=1):
    chosen = Scripted(seed)
    return tuple(own_drawn(agreement, me, SECRETS[me], chosen) for me in range(len(agreement.people)))


def test_every_slip_in_a_message_is_noticed():
    whole = attempt(AGREED)
    texts = [commitment_message(AGREED, 1, whole.commitments[1]), shown_message(whole, 2, SECRETS[2])]
    for text in (*texts, announcement_message(AGREED), list_message(whole), all_shown_message(whole)):
        for place, letter in enumerate(text):
            changed = [text[:place] + other + text[place + 1 :] for other in "07GZ" if letter not in ("-", other)]
            for other in (*changed, text[:place]):
                with pytest.raises(FairdeckError):
                    take_message(Draw(AGREED, collects=True), other)


def test_no_message_takes_long():
    """The time grows with the length: a reader that takes its square needs 30 seconds for the first of these."""
    begin = time.perf_counter()
    with pytest.raises(FairdeckError, match="wrong or missing"):
        demand_announcement("T1-A" + "Z" * 399_000)
    names = tuple(f"a card with a long name {place}" for place in range(6000))
    agreement = seed_draw(Task(6000, Mat(8, 5)), ("Ann", "Ben"), names=names)
    assert demand_announcement(announcement_message(agreement)) == agreement
    assert time.perf_counter() - begin < 10


def test_card_names_may_differ_in_ways_that_names_of_people_may_not():
    names = ("1", "①", "x2", "x²", "5")
    assert replace(RICH, names=names).names == names


def test_equal_cards_have_the_same_name_and_others_do_not_look_alike():
    assert replace(RICH, names=("A♠", "A♠", "Q♠", "J♠", "10♠")).names.count("A♠") == 2
    with pytest.raises(FairdeckError, match="look alike"):
        replace(RICH, names=("A♠", "a♠", "Q♠", "J♠", "10♠"))


def test_the_next_attempt_changes_nothing_but_its_number():
    named = attempt(AGREED, shown=(SECRETS[0], b"", b"")).named
    second = AGREED.again(bytes(16), named)
    assert (second.attempt, second.before, second.session) == (2, named, bytes(16))
    assert replace(second, attempt=1, before=b"", session=SESSION) == AGREED
    with pytest.raises(FairdeckError, match="attempt 1001"):
        replace(second, attempt=1000).again(SESSION, named)


def test_what_names_a_void_attempt_names_who_sent_and_who_showed_what():
    """Every choice of what is missing has a name of its own."""
    sent = list(product(*((b"", each) for each in listed(AGREED).commitments)))
    shown = list(product(*((b"", each) for each in SECRETS)))
    fits = [Attempt(AGREED, one, other) for one in sent for other in shown if not missing_commitment(one, other)]
    assert len({each.named for each in fits}) == len(fits) == 27


def missing_commitment(sent, shown):
    return any(own and not commitment for commitment, own in zip(sent, shown, strict=True))


def number_hash(what, *parts):
    """A toy in place of SHA-256: the sum of all secrets is the seed. So all secrets can be gone through."""
    if what == "seed":
        return sum(int.from_bytes(each, "big") for each in parts[1:4]).to_bytes(32, "big")
    return parts[0] if what == "deck" else sha256(repr((what, parts)).encode()).digest()


class DeafDrawn(Drawn):
    """A broken draw: the secret of the last person does not count."""

    @property
    def seed(self):
        return draws.hashed("seed", b"", *self.attempt.owns[:-1], bytes(32), b"")


@pytest.mark.parametrize("cards", [2, 3, 4, 5])
@pytest.mark.parametrize(("draw", "deaf_to"), [(Drawn, None), (DeafDrawn, 2)])
def test_given_all_secrets_but_one_every_order_is_equally_likely(cards, draw, deaf_to, monkeypatch):
    """By exhaustion: whatever the others fixed, the secrets of the honest person lead to each order once.

    A seed is the sum of numbers below cards! here, and its words lead to the order of that rank. What is tested is that
    every secret enters the seed, and that each seed has an order of its own; not SHA-256.
    """
    orders = factorial(cards)
    monkeypatch.setattr(draws, "hashed", number_hash)
    monkeypatch.setattr(
        draws, "seeded_words", lambda seed: iter([(int.from_bytes(seed, "big") % orders * 2**32) // orders + 9])
    )
    agreement = seed_draw(Task(cards, Mat(2, 2)), ("Ann", "Ben", "Cem"))
    for honest, fixed in product(range(3), [(0, 1), (1, 0), (orders - 1, orders + 7), (2**200, 3)]):
        found = Counter()
        for own in range(orders):
            numbers = [*fixed[:honest], own, *fixed[honest:]]
            secrets = tuple(number.to_bytes(32, "big") for number in numbers)
            found[draw(attempt(agreement, secrets)).order()] += 1
        fair = len(found) == orders and set(found.values()) == {1}
        assert fair is (honest != deaf_to), (honest, fixed)


def test_every_byte_of_an_agreement_counts():
    """A changed byte is refused, or is another agreement with another hash."""
    for agreement in (AGREED, RICH, CLOSED):
        for place in range(len(agreement.written)):
            for change in (1, 32, 128):
                altered = bytearray(agreement.written)
                altered[place] ^= change
                try:
                    other = read_agreement(bytes(altered))
                except FairdeckError as error:
                    assert "\n" not in str(error)
                    continue
                assert other != agreement
                assert other.digest != agreement.digest
                assert other.written == bytes(altered)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"people": ("Ann",)}, "1 people: 2 to 60"),
        ({"people": ("Ann", "Ann")}, "'Ann' is named twice"),
        ({"people": ("Ann", "ANN")}, "'ANN' is named twice"),
        ({"people": ("Ann", "Be\u0301a")}, "visible letters"),
        ({"people": ("Ann", "B\u200bn")}, "visible letters"),
        ({"people": ("Ann", "  ")}, "visible letters"),
        ({"people": ("Ann", "\u3164")}, "visible letters"),  # a letter by its category, but blank
        ({"people": ("Ann", "Ann\uffa0")}, "visible letters"),
        ({"people": ("Ann", "\u2800")}, "visible letters"),
        ({"people": ("Ann", "Ann\U0001d159")}, "visible letters"),
        ({"people": ("Ann", "\ufe0f")}, "visible letters"),
        ({"people": ("Ann", "\u202eBen")}, "visible letters"),  # it turns the line round
        ({"people": ("Ann", "\ud800")}, "visible letters"),
        ({"people": ("Ann", "Ann\ufe0f")}, "is named twice"),
        ({"people": ("Ann", "\uff21nn")}, "is named twice"),  # a wide A
        ({"people": ("Ann", "\U0001d400nn")}, "is named twice"),  # a bold A
        ({"people": ("fish", "\ufb01sh")}, "is named twice"),
        ({"note": "\u3164"}, "one line"),
        ({"session": b""}, "16 bytes"),
        ({"decks": 0}, "1 to 10000"),
        ({"names": ("A♠",)}, "1 cards are named; the deck has 60"),
        ({"attempt": 2}, "attempt 2"),
        ({"before": bytes(32)}, "attempt 1"),
        ({"deadline": "tomorrow"}, "'tomorrow'"),
        ({"deadline": "2026-02-30T18:00Z"}, "is not a time"),
        ({"start": "picked-up"}, "one after the other"),
        ({"called": ("a", "b")}, "2 decks are called something"),
        ({"deals": (Task(60, Mat(5, 2)),) * 2}, "there must be one"),
        ({"note": "two\nlines"}, "one line"),
        ({"deals": (Task(60, Mat(5, 2), least_passes=3),)}, "at least 3 passes"),
        ({"deals": (Task(60, Mat(5, 2), parse_goal("strata:3", 60)),)}, "no strata"),
    ],
)
def test_what_cannot_be_agreed_on_is_refused(change, says):
    with pytest.raises(FairdeckError, match=says) as refused:
        replace(AGREED, **change)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"deals": (WHOLE,)}, "there must be 2, one a person"),
        ({"deals": (WHOLE, Task(9, Mat(3, 1), classic=True))}, "all of as many cards"),
        ({"deals": (WHOLE, Task(8, Mat(3, 1)))}, "one sort key a card"),
        ({"deals": (WHOLE, Task(8, Mat(3, 1), classic=True, dealers=2))}, "one dealer"),
        ({"deals": (Task(8, Mat(4, 1), Hands((4, 4)), classic=True), WHOLE)}, "hands come in the last deal"),
        ({"deals": (WHOLE, Task(8, Mat(4, 1), Hands((4, 2), stock=2), classic=True))}, "hands without a stock"),
        ({"deals": (WHOLE, Task(8, Mat(4, 1), TopCards(3), classic=True))}, "hands without a stock"),
        ({"deals": (WHOLE, Task(8, Mat(4, 1), Hands((4, 2), rest=2), classic=True))}, "hands that have all cards"),
        ({"deals": (WHOLE, WHOLE)}, "hands that have all cards"),
        ({"beacon": Beacon(bytes(32), 5), "deadline": "2026-12-01T18:00Z"}, "there is none"),
        ({"decks": 2501, "called": ()}, "at most 20,000 cards in all"),
    ],
)
def test_deals_whose_piles_tell_something_are_refused(change, says):
    with pytest.raises(FairdeckError, match=says) as refused:
        replace(CLOSED, **change)
    assert "\n" not in str(refused.value)


def test_cheating_is_refused_by_name():
    honest = listed(AGREED)
    with pytest.raises(FairdeckError, match="Ben has the same commitment as Ann"):
        Attempt(AGREED, (honest.commitments[0],) * 2 + honest.commitments[2:])
    with pytest.raises(FairdeckError, match="2 commitments for 3 people"):
        Attempt(AGREED, honest.commitments[:2])
    with pytest.raises(FairdeckError, match="Ben's secret does not fit"):
        attempt(AGREED, shown=(SECRETS[0], bytes(32), SECRETS[2]))
    with pytest.raises(FairdeckError, match="Ann's secret does not fit"):  # swapped roles
        attempt(AGREED, shown=(SECRETS[1], SECRETS[0], SECRETS[2]))
    with pytest.raises(FairdeckError, match="2 secrets for 3 people"):
        attempt(AGREED, shown=SECRETS[:2])
    with pytest.raises(FairdeckError, match="secrets are missing from Çem"):
        Drawn(attempt(AGREED, shown=(*SECRETS[:2], b"")))
    with pytest.raises(FairdeckError, match="no beacon, as agreed"):
        Drawn(attempt(AGREED), bytes(32))
    with pytest.raises(FairdeckError, match="32 bytes of the beacon"):
        Drawn(attempt(RICH, SECRETS[:2]))
    with pytest.raises(FairdeckError, match="'Dan' is not one of the people: Ann, Ben, Çem"):
        AGREED.index("Dan")


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400))
def test_no_bytes_make_the_reader_fail_otherwise(written):
    with pytest.raises(FairdeckError) as refused:
        read_agreement(written)
    assert "\n" not in str(refused.value)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=200), st.text("T1CALRS-0123456789ABCXYZ", max_size=200).map("T1-".__add__)))
def test_no_text_makes_the_reader_of_messages_fail_otherwise(text):
    with pytest.raises(FairdeckError) as refused:
        take_message(Draw(AGREED, collects=True), text)
    assert "\n" not in str(refused.value)


# --- orders, and what a deal by one person after the other tells


def test_an_order_is_as_many_bytes_as_its_number_needs():
    assert [order_size(cards) for cards in (1, 2, 3, 5, 6, 52)] == [0, 1, 1, 1, 2, 29]
    closed = product_draw((FIVE, FIVE))
    for order in permutations(range(5)):
        assert orders_in(closed, 0, own_of(SECRETS[0], [order])) == (order,)
    for odd in (SECRETS[0], SECRETS[0] + bytes(2), SECRETS[0] + bytes([120])):
        with pytest.raises(FairdeckError):
            orders_in(closed, 0, odd)
    read = Counter()
    for value in range(factorial(8) // 8):  # of all orders for hands, one a split is read
        try:
            read[orders_in(BOARD, 1, SECRETS[0] + value.to_bytes(2, "big"))] += 1
        except FairdeckError as error:
            assert "the lowest first" in str(error)
    assert set(read.values()) == {1}
    assert all(list(order[at : at + 2]) == sorted(order[at : at + 2]) for (order,) in read for at in (0, 2, 4, 6))


@pytest.mark.parametrize(("people", "cards"), [(2, 4), (3, 3)])
def test_one_honest_order_makes_every_product_equally_likely(people, cards):
    every = list(permutations(range(cards)))
    agreement = product_draw((Task(cards, Mat(3, 1), classic=True),) * people, ("Ann", "Ben", "Cem")[:people])
    for honest, others in product(range(people), product(every, repeat=people - 1)):
        found = Counter()
        for own in every:
            orders = [*others[:honest], own, *others[honest:]]
            found[Drawn(attempt(agreement, owns_of(*orders))).order()] += 1
        assert len(found) == factorial(cards)
        assert set(found.values()) == {1}


def view(plan):
    """What everybody at the table may see: how high the piles are, and how they are gathered."""
    return tuple((step.counts(plan.mat.spaces), step.stack, step.from_bottom) for step in plan.passes)


@pytest.mark.parametrize("cards", [2, 3, 4, 5])
@pytest.mark.parametrize("mat", [Mat(3, 1), Mat(5, 2)])
def test_who_knows_one_order_knows_nothing_of_the_result(cards, mat):
    """All pairs of orders of up to five cards, dealt: a person who knows one of them sees the heights of both deals."""
    task = Task(cards, mat, classic=True)
    plans = {order: plan_for(task, order) for order in permutations(range(cards))}
    known_first, known_second = defaultdict(Counter), defaultdict(Counter)
    for first, one in plans.items():
        after, _ = replay(one, range(cards))
        for second, other in plans.items():
            result, _ = replay(other, after)
            assert result == then(first, second)
            known_first[first, view(one), view(other)][result] += 1
            known_second[second, view(one), view(other)][result] += 1
    for known in (known_first, known_second):
        assert len(known) == factorial(cards), "what is seen adds nothing to the order that is known"
        assert all(set(found.values()) == {1} and len(found) == factorial(cards) for found in known.values())


def test_who_knows_one_order_knows_nothing_of_the_hands():
    """Six cards to two hands of three: a part of the first orders, and all second ones."""
    task, splits = Task(6, Mat(3, 1), Hands((3, 3)), classic=True), defaultdict(Counter)
    seconds = {order: plan_for(task, order) for order in permutations(range(6))}
    firsts = list(permutations(range(6)))[::37]
    for first, plan in product(firsts, seconds.values()):
        splits[first, view(plan)][frozenset(replay(plan, first)[1][0])] += 1
    assert len(splits) == len(firsts)
    assert all(len(found) == 20 and set(found.values()) == {36} for found in splits.values())
    plan = seconds[0, 1, 2, 3, 4, 5]
    given_second = Counter(frozenset(replay(plan, first)[1][0]) for first in permutations(range(6)))
    assert set(given_second.values()) == {36}


def test_the_fewest_keys_would_give_much_away():
    """Why one key a card: with five cards, what everybody sees tells 3.73 of 6.91 bits."""
    seen = Counter(view(plan_for(Task(5, Mat(5, 2)), order)) for order in permutations(range(5)))
    told = sum(count / 120 * log2(120 / count) for count in seen.values())
    assert told == pytest.approx(3.73, abs=0.01)
    classic = Task(5, Mat(5, 2), classic=True)
    assert len({view(plan_for(classic, order)) for order in permutations(range(5))}) == 1


def left(cases):
    """Return the bits of each case's last item that stay unknown, given the others; each case is equally likely."""
    known, count = defaultdict(Counter), 0
    for *seen, unknown in cases:
        known[tuple(seen)][unknown] += 1
        count += 1
    return sum(-each / count * log2(each / sum(law.values())) for law in known.values() for each in law.values())


def test_an_order_that_is_used_twice_tells_the_second_deck_to_who_saw_the_first():
    """Four cards: once, nothing is known of a deck; after a second use of order 1, person 2 knows all of it."""
    every = list(permutations(range(4)))
    assert left((second, then(first, second)) for first, second in product(every, every)) == pytest.approx(log2(24))
    twice = product(every, repeat=3)
    assert left((s, t, then(o, s), then(o, t)) for o, s, t in twice) == pytest.approx(0)


def test_picked_up_decks_begin_with_the_hands_before():
    drawn = Drawn(attempt(CLOSED, drawn_owns(CLOSED)))
    deck = tuple(range(8))
    for board in range(2):
        first, second = (plan_for(CLOSED.deals[person], drawn._orders[person][board]) for person in (0, 1))
        hands = replay(second, replay(first, deck)[0])[1]
        assert list(map(sorted, hands)) == list(map(sorted, draws.hands_in(CLOSED.deals[1], drawn.cards(board))))
        # North on top; each hand as the start names its cards, the top card first.
        deck = tuple(card for hand in reversed(hands) for card in sorted(hand))


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


def test_a_commitment_fixes_everything():
    """All orders of four cards, as each person, on several mats, in two sessions, with two secrets."""
    seals = set()
    for mat, session in product((Mat(2, 1), Mat(2, 2), Mat(2, 1, ("x", "y"))), (SESSION, bytes(16))):
        agreement = product_draw((Task(4, mat, classic=True),) * 2, session=session)
        for order, secret, person in product(permutations(range(4)), SECRETS[:2], range(2)):
            seals.add(agreement.commitment(person, own_of(secret, [order])))
    assert len(seals) == 24 * 2 * 3 * 2 * 2
