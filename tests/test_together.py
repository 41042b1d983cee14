"""Draws that several people make together: what is hashed, what is refused, and that nobody chooses."""

import random
import time
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from itertools import product
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeck import FairdeckError, Hands, Mat, RandomIntegers, Task, TopCards, seeded_words, uniform_permutation
from fairdeck.dealing import together
from fairdeck.dealing.messages import (
    Message,
    commitment_message,
    invitation,
    list_message,
    read_commitment,
    read_invitation,
    read_list,
    read_message,
    read_secret,
    read_secrets,
    secret_message,
    secrets_message,
)
from fairdeck.dealing.plan import reaches
from fairdeck.dealing.together import Agreement, Beacon, Drawn, Sealed, read_agreement

SESSION = bytes(range(16))
AGREED = Agreement(Task(60, Mat(5, 2)), ("Ann", "Ben", "Çem"), SESSION, note="Friday")
SECRETS = tuple(bytes([person]) * 32 for person in (1, 2, 3))
RICH = Agreement(
    Task(5, Mat(3, 2, ("a", "b", "c", "d", "e", "ü")), Hands((2, 2), stock=1), classic=True),
    ("Ann", "Ben"),
    SESSION,
    decks=36,
    names=("A♠", "K♠", "Q♠", "J♠", "10♠"),
    attempt=2,
    before=bytes(64),
    deadline="2026-12-01T18:00Z",
    beacon=Beacon(bytes(range(32)), 12040883),
    note="Club pairs",
)


def sealed(agreement: Agreement = AGREED, secrets: tuple[bytes, ...] = SECRETS) -> Sealed:
    return Sealed(agreement, tuple(agreement.commitment(person, each) for person, each in enumerate(secrets)))


def field(content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + content


def test_every_byte_is_as_the_specification_says():
    """Written a second time from docs/reference/draw.md, with nothing but SHA-256."""
    eight = [value.to_bytes(8, "big") for value in (60, 1, 1, 1)]
    fields = [
        b"fairdeck-together/1",
        eight[0],
        b"",
        b"5x2",
        b"",
        b"deck",
        b"pass",
        eight[1],
        eight[2],
        SESSION,
        eight[3],
    ]
    fields += [b"", b"".join(map(field, (b"Ann", b"Ben", "Çem".encode()))), b"", b"", b"Friday"]
    context = b"".join(map(field, fields))

    def hashed(what: bytes, *parts: bytes) -> bytes:
        return sha256(b"".join(map(field, (b"fairdeck-together/1 " + what, *parts)))).digest()

    commitments = [hashed(b"commitment", context, n.to_bytes(8, "big"), SECRETS[n]) for n in range(3)]
    seed = hashed(b"seed", context, *commitments, *SECRETS, b"")
    drawn = Drawn(sealed(), SECRETS)
    assert AGREED.written == context
    assert AGREED.digest == hashed(b"agreement", context)
    assert drawn.sealed.commitments == tuple(commitments)
    assert drawn.sealed.digest == hashed(b"list", context, *commitments)
    assert drawn.seed == seed
    stream = seeded_words(hashed(b"deck", seed, bytes(8)))
    assert drawn.order() == uniform_permutation(60, RandomIntegers(stream))
    bits = int.from_bytes(hashed(b"result", seed), "big") >> 196
    letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    value = 0
    for letter in drawn.code.replace(" ", ""):
        value = 32 * value + letters.index(letter)
    assert value == bits
    assert drawn.code == "9CDZ 653Q SS33"


@pytest.mark.parametrize("agreement", [AGREED, RICH, replace(AGREED, task=Task(52, Mat(4, 1), TopCards(9), dealers=2))])
def test_an_agreement_is_read_from_its_bytes(agreement):
    assert read_agreement(agreement.written) == agreement
    assert read_invitation(invitation(agreement)) == agreement


def test_whatever_differs_in_an_agreement_makes_another_seed():
    changes = [
        {"task": Task(61, Mat(5, 2))},
        {"task": Task(60, Mat(2, 5))},
        {"task": Task(60, Mat(5, 2, tuple("abcdefghij")))},
        {"task": Task(60, Mat(5, 2), TopCards(60))},
        {"task": Task(60, Mat(5, 2), bottom="never")},
        {"task": Task(60, Mat(5, 2), classic=True)},
        {"task": Task(60, Mat(5, 2), dealers=2)},
        {"people": ("Ann", "Çem", "Ben")},
        {"session": bytes(16)},
        {"decks": 2},
        {"names": tuple(map(str, range(60)))},
        {"names": tuple(map(str, range(60, 0, -1)))},
        {"attempt": 2, "before": bytes(64)},
        {"attempt": 2, "before": bytes([1]) * 64},
        {"deadline": "2026-12-01T18:00Z"},
        {"note": ""},
    ]
    seeds = {Drawn(sealed(replace(AGREED, **change)), SECRETS).seed for change in changes}
    assert len(seeds | {Drawn(sealed(), SECRETS).seed}) == len(changes) + 1


def test_each_secret_and_the_beacon_move_the_seed():
    drawn = {Drawn(sealed(AGREED, each), each).seed for each in product(SECRETS, repeat=3)}
    assert len(drawn) == 27
    secrets = SECRETS[:2]
    values = {Drawn(sealed(RICH, secrets), secrets, bytes([value]) * 32).seed for value in range(50)}
    assert len(values) == 50


def test_each_deck_of_a_draw_has_a_stream_of_its_own():
    drawn = Drawn(sealed(RICH, SECRETS[:2]), SECRETS[:2], bytes(32))
    assert 20 < len({drawn.order(deck) for deck in range(36)}) <= 36
    for deck in range(36):
        assert reaches(drawn.plan(deck), drawn.order(deck))
    with pytest.raises(FairdeckError, match="decks 0 to 35"):
        drawn.order(36)


@pytest.mark.parametrize("honest", [0, 1])
def test_one_honest_secret_is_enough(honest):
    """Whatever the other has fixed, all orders of 4 cards come equally often: chi-square with 23 degrees of freedom."""
    agreement = Agreement(Task(4, Mat(2, 1)), ("Ann", "Ben"), SESSION)
    counts: Counter[tuple[int, ...]] = Counter()
    for value in range(4800):
        secrets = [b"\xff" * 32, b"\xff" * 32]
        secrets[honest] = sha256(value.to_bytes(8, "big")).digest()
        counts[Drawn(sealed(agreement, tuple(secrets)), tuple(secrets)).order()] += 1
    assert len(counts) == 24
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 62.0, "exceeded once in 50,000 fair draws"


def test_a_whole_draw_by_messages():
    drawn = sealed()
    for person in range(3):
        text = commitment_message(AGREED, person, drawn.commitments[person])
        assert read_commitment(AGREED, read_message(text)) == (person, drawn.commitments[person])
        shown = secret_message(drawn, person, SECRETS[person])
        assert read_secret(drawn, read_message(f"https://x.org/together.html#{shown.lower()}")) == (
            person,
            SECRETS[person],
        )
    assert read_list(AGREED, read_message(list_message(drawn))) == drawn
    spoken = secrets_message(drawn, SECRETS).replace("0", "o").replace("1", "l").replace("-", " ")
    assert read_secrets(drawn, read_message(spoken)) == SECRETS


def test_every_slip_in_a_message_is_noticed():
    whole = sealed()
    texts = [commitment_message(AGREED, 1, whole.commitments[1]), secret_message(whole, 2, SECRETS[2])]
    for text in (*texts, invitation(AGREED), list_message(whole), secrets_message(whole, SECRETS)):
        for place, letter in enumerate(text):
            for other in "07GZ":
                if letter not in ("-", other):
                    with pytest.raises(FairdeckError):
                        read_message(text[:place] + other + text[place + 1 :])
            with pytest.raises(FairdeckError):
                read_message(text[:place])


def test_no_message_takes_long():
    """The time grows with the length: a reader that takes its square needs 30 seconds for the first of these."""
    begin = time.perf_counter()
    with pytest.raises(FairdeckError, match="wrong or missing"):
        read_message("T1-A" + "Z" * 399_000)
    names = tuple(f"a card with a long name {place}" for place in range(6000))
    agreement = Agreement(Task(6000, Mat(8, 5)), ("Ann", "Ben"), SESSION, names=names)
    assert read_invitation(invitation(agreement)) == agreement
    assert time.perf_counter() - begin < 10


def test_card_names_may_differ_in_ways_that_names_of_people_may_not():
    names = ("1", "①", "x2", "x²", "5")
    assert replace(RICH, names=names).names == names


def test_the_next_attempt_changes_nothing_but_its_number():
    named = AGREED.named_void(sealed().commitments, (SECRETS[0], b"", b""))
    second = AGREED.again(bytes(16), named)
    assert (second.attempt, second.before, second.session) == (2, named, bytes(16))
    assert named[:32] == AGREED.digest
    assert replace(second, attempt=1, before=b"", session=SESSION) == AGREED
    assert second.again(SESSION, named).attempt == 3
    last = replace(second, attempt=1000)
    with pytest.raises(FairdeckError, match="attempt 1001"):
        last.again(SESSION, named)
    assert AGREED.is_next(second)
    assert AGREED.is_next(replace(second, session=SESSION, before=AGREED.digest + bytes(32)))
    assert not last.is_next(last)


def test_what_names_a_void_attempt_names_who_sent_and_who_showed_what():
    """Every choice of what is missing has a name of its own, and no secret can stand in another person's place."""
    commitments = sealed().commitments
    sent = list(product(*((b"", each) for each in commitments)))
    shown = list(product(*((b"", each) for each in SECRETS)))
    shown += [(SECRETS[1], b"", b""), (b"", SECRETS[0], b""), (SECRETS[0] + SECRETS[1], b"", b"")]
    assert len({AGREED.named_void(one, other) for one in sent for other in shown}) == len(sent) * len(shown)


def number_hash(what, *parts):
    """A toy in place of SHA-256: the sum of all secrets is the seed. So all secrets can be gone through."""
    if what == "seed":
        return sum(int.from_bytes(each, "big") for each in parts[-4:-1]).to_bytes(32, "big")
    return parts[0] if what == "deck" else sha256(repr((what, parts)).encode()).digest()


class DeafDrawn(Drawn):
    """A broken draw: the secret of the last person does not count."""

    @property
    def seed(self):
        return together._hash("seed", *self.secrets[:-1], bytes(32), b"")


@pytest.mark.parametrize("cards", [2, 3, 4, 5])
@pytest.mark.parametrize(("draw", "deaf_to"), [(Drawn, None), (DeafDrawn, 2)])
def test_given_all_secrets_but_one_every_order_is_equally_likely(cards, draw, deaf_to, monkeypatch):
    """By exhaustion: whatever the others fixed, the secrets of the honest person lead to each order once.

    A seed is the sum of numbers below cards! here, and its words lead to the order of that rank. What is tested is that
    every secret enters the seed, and that each seed has an order of its own; not SHA-256.
    """
    orders = factorial(cards)
    monkeypatch.setattr(together, "_hash", number_hash)
    monkeypatch.setattr(
        together, "seeded_words", lambda seed: iter([(int.from_bytes(seed, "big") % orders * 2**32) // orders + 9])
    )
    agreement = Agreement(Task(cards, Mat(2, 2)), ("Ann", "Ben", "Cem"), SESSION)
    for honest, fixed in product(range(3), [(0, 1), (1, 0), (orders - 1, orders + 7), (2**200, 3)]):
        found = Counter()
        for own in range(orders):
            numbers = [*fixed[:honest], own, *fixed[honest:]]
            secrets = tuple(number.to_bytes(32, "big") for number in numbers)
            found[draw(sealed(agreement, secrets), secrets).order()] += 1
        fair = len(found) == orders and set(found.values()) == {1}
        assert fair is (honest != deaf_to), (honest, fixed)


def test_every_byte_of_an_agreement_counts():
    """A changed byte is refused, or is another agreement with another hash."""
    for agreement in (AGREED, RICH):
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
        ({"note": "two\nlines"}, "one line"),
        ({"task": Task(60, Mat(5, 2), least_passes=3)}, "at least 3 passes"),
    ],
)
def test_what_cannot_be_agreed_on_is_refused(change, says):
    with pytest.raises(FairdeckError, match=says) as refused:
        replace(AGREED, **change)
    assert "\n" not in str(refused.value)


def test_cheating_is_refused_by_name():
    honest = sealed()
    with pytest.raises(FairdeckError, match="Ben has the same commitment as Ann"):
        Sealed(AGREED, (honest.commitments[0],) * 2 + honest.commitments[2:])
    with pytest.raises(FairdeckError, match="2 commitments for 3 people"):
        Sealed(AGREED, honest.commitments[:2])
    with pytest.raises(FairdeckError, match="Ben's secret does not fit"):
        Drawn(honest, (SECRETS[0], bytes(32), SECRETS[2]))
    with pytest.raises(FairdeckError, match="Ann's secret does not fit"):  # swapped roles
        Drawn(honest, (SECRETS[1], SECRETS[0], SECRETS[2]))
    with pytest.raises(FairdeckError, match="2 secrets for 3 people"):
        Drawn(honest, SECRETS[:2])
    with pytest.raises(FairdeckError, match="no beacon, as agreed"):
        Drawn(honest, SECRETS, bytes(32))
    with pytest.raises(FairdeckError, match="32 bytes of the beacon"):
        Drawn(sealed(RICH, SECRETS[:2]), SECRETS[:2])
    other = sealed(AGREED, (SECRETS[0], SECRETS[1], bytes(32)))
    with pytest.raises(FairdeckError, match="Ben shows this secret for another list"):
        read_secret(honest, read_message(secret_message(other, 1, SECRETS[1])))
    with pytest.raises(FairdeckError, match="another list"):
        read_secrets(honest, read_message(secrets_message(other, SECRETS)))
    replayed = replace(AGREED, session=bytes(16))
    with pytest.raises(FairdeckError, match="another draw"):
        read_commitment(AGREED, read_message(commitment_message(replayed, 1, honest.commitments[1])))
    with pytest.raises(FairdeckError, match="'Dan' is not one of the people: Ann, Ben, Çem"):
        AGREED.index("Dan")


def test_another_person_cannot_use_a_commitment():
    """The index is hashed, so a copied commitment cannot be opened by the one who copied it."""
    assert len({AGREED.commitment(person, SECRETS[0]) for person in range(3)}) == 3


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
        read_message(text)
    assert "\n" not in str(refused.value)


def test_damaged_messages_of_a_draw_never_fail_otherwise():
    chance, honest = random.Random(4), sealed()
    contents = [read_message(text).content for text in (list_message(honest), secret_message(honest, 1, SECRETS[1]))]
    readers = [lambda m: read_commitment(AGREED, m), lambda m: read_list(AGREED, m), lambda m: read_secret(honest, m)]
    for _ in range(300):
        content = contents[chance.randrange(2)]
        for kind, read in zip("CLR", readers, strict=True):
            with pytest.raises(FairdeckError):
                read(Message(kind, content[: chance.randrange(41)]))
