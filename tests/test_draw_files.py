"""Draws by files: whole draws, every change of a transcript, and what people could try."""

import json
import os
import re
import stat
import subprocess
import sys
import time
import unicodedata
from dataclasses import replace
from functools import reduce
from hashlib import sha256
from itertools import islice, product
from pathlib import Path

import pytest

from fairdeck import FairdeckError, Mat, Task, read_plan
from fairdeck.cli import main, trust_steps
from fairdeck.dealing.goal import parse_goal
from fairdeck.extras import installation
from fairdeck.trust import beacon, files, messages
from fairdeck.trust.agreement import AGREED as TERMS
from fairdeck.trust.agreement import agreement_from
from fairdeck.trust.draws import Attempt, Drawn
from fairdeck.trust.fields import LARGEST, from_plain, plain
from fairdeck.trust.files import Transcript
from fairdeck.trust.verifying import examine, read_transcript
from tests import plain_draw
from tests.draws import SECRETS, attempt, listed, owns_of, product_draw, seed_draw

NOW = beacon.seconds_of("2026-11-01T12:00Z", "now")
DEADLINE = "2026-12-01T18:00Z"
ROUNDS = {
    123: (
        "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
        "fb8f7bc29bf24db51871ec8c79f3a1e4bd0557bc0dfcee9ed1d924e69d1c60dc",
    ),
    12040883: (
        "929906c959032ab363c9f26570d215d66f5c06cb0c44fe508c12bb5839f04ec895bb6868e5b9ff13ab289bdb5266b394",
        "173df1f57805453a8d2015268205d68147de12cafc2f451f7bc6adadca3571b3",
    ),
}  # published by drand
ROUND = 12040883
SIGNATURE = bytes.fromhex(ROUNDS[ROUND][0])
PEOPLE = ("Ann", "Ben", "Çem")
AGREED = seed_draw(Task(5, Mat(2, 1)), PEOPLE, decks=2, names=("A♠", "K", "Q", "J", "10"), note="Pairs — final")
CLOSED = Task(5, Mat(3, 1), classic=True)
KNOWN_BY_NOBODY = product_draw((CLOSED, CLOSED), names=("A♠", "K", "Q", "Q", "10"), note="two deals")
ORDERED = owns_of((2, 0, 4, 1, 3), (1, 4, 0, 3, 2))


def finished(agreement=AGREED, value=b"", voids=()):
    owns = SECRETS[: len(agreement.people)] if agreement.way == "seed" else ORDERED
    return Transcript(Drawn(attempt(agreement, owns), sha256(value).digest() if value else b""), value, voids)


def second_attempt():
    void = attempt(AGREED, shown=(SECRETS[0], b"", SECRETS[2]))
    return finished(AGREED.again(bytes(16), void.named), voids=(void,))


def with_beacon(round_=ROUND, deadline="2024-10-14T16:00Z"):
    return replace(AGREED, deadline=deadline, beacon=beacon.Beacon(beacon.CHAIN, round_))


@pytest.fixture(autouse=True)
def _recursion_as_before():
    """py_ecc lets the process recurse so deep that nested JSON overflows the stack: tests after these would crash."""
    limit = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(limit)


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run the command line in a folder of its own, at a time that the test says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(trust_steps, "now", lambda: call.now)

    def call(*words, code=0):
        assert main(list(words)) == code, capsys.readouterr()
        shown = capsys.readouterr()
        if code == 2:
            assert shown.err.count("\n") == 1, shown.err
        return shown.out if code < 2 else shown.err

    call.now = NOW
    return call


def of(people, kind):
    return [f"{name}.{kind}.json" for name in people]


def joined(run, people=PEOPLE, announcement="announcement.json", folder="."):
    for name in people:
        run("together", "join", announcement, f"--as={name}", "--folder", folder)


def showed(run, people=PEOPLE, announcement="announcement.json"):
    run("together", "list", announcement, *of(people, "commitment"))
    for name in people:
        run("together", "show", "list.json", f"{name}.own.json")


def started(run, *words, people=PEOPLE, upto="show"):
    """Run the steps of a draw up to one, and return the digest of the announcement."""
    words = words or ("--cards", "9", "--mat", "3x1")
    digest = json.loads(run("together", "announce", "--people", ",".join(people), *words, "--json"))["digest"]
    if upto != "announce":
        joined(run, people)
    if upto == "show":
        showed(run, people)
    return digest


@pytest.mark.parametrize("people", [("Ann", "Ben"), PEOPLE, ("Ann", "Ben", "Federation", "Club_West", "Ödön")])
def test_a_whole_draw_by_files(run, people):
    words = ("--names", "sorted", "--goal", "hands:4x13", "--decks", "36", "--deadline", DEADLINE, "--note", "Pairs")
    digest = started(run, *words, people=people)
    out = run("together", "finish", "list.json", *of(people, "shown"), "--json")
    content = Path("transcript.json").read_bytes()
    transcript = read_transcript(content)
    shown, result = transcript.drawn.attempt.shown.hex(), transcript.drawn.code
    step = {"format": "fairdeck-step/1", "step": "finish", "shown": shown, "result": result}
    assert json.loads(out) == step | {"digest": sha256(content).hexdigest()}
    orders = plain_draw.verify(content.decode())
    assert orders == [list(transcript.drawn.order(deck)) for deck in range(36)]
    names = transcript.agreement.names
    assert names[-1] == "SA"
    for deck in (0, 35):
        assert tuple(names[card] for card in reversed(orders[deck])) == transcript.drawn.named(deck)
        plan = run("together", "deal", "transcript.json", "--deck", str(deck + 1), "--json", "--reveal")
        assert read_plan(plan)[1] == tuple(orders[deck])
    assert "It holds." in run("verify", "transcript.json", "--announced", digest.upper())
    found = json.loads(run("verify", "transcript.json", "--announced", digest, "--json"))
    assert (found["holds"], found["first_fault"]) == (True, "")
    assert (found["checked"], found["decks"]) == (9, 36)
    (remark,) = found["remarks"]
    assert remark == "its list was not compared with the digest that was published before the secrets were shown"
    words = ("verify", "transcript.json", "--announced", digest, "--list")
    assert json.loads(run(*words, transcript.drawn.attempt.listed.hex(), "--json"))["remarks"] == []
    assert "the digest of the list is " in run(*words, "0" * 64, code=1)
    other = run("verify", "transcript.json", "--announced", "0" * 64, code=1)
    assert f"It does not hold: the digest of the agreement is {digest}, and 000" in other


@pytest.mark.long
def test_a_beacon_takes_part(run):
    pytest.importorskip("py_ecc")
    run.now = beacon.seconds_of("2024-10-13T08:00Z", "now")
    words = ("--cards", "9", "--mat", "3x1", "--deadline", "2024-10-14T16:00Z", "--beacon", f"quicknet:{ROUND}")
    started(run, *words)
    words = ("together", "finish", "list.json", *of(PEOPLE, "shown"))
    shown = run(*words).strip().removeprefix("shown: ")
    Path("round.json").write_text(json.dumps({"round": ROUND - 1, "signature": SIGNATURE.hex()}))
    said = run(*words, "--beacon-value", "round.json", code=2)
    assert "this is round 12040882 of quicknet; the draw needs round 12040883" in said
    assert "is wrong: quicknet did not sign that round" in run(*words, "--beacon-value", ROUNDS[123][0], code=2)
    assert not Path("transcript.json").exists()
    Path("round.json").write_text(json.dumps({"round": ROUND, "signature": SIGNATURE.hex()}))
    first = run(*words, "--beacon-value", "round.json")
    assert run(*words, "--beacon-value", SIGNATURE.hex().upper()) == first
    assert "the beacon, the seed" in run("verify", "transcript.json", "--shown", shown)
    assert "the digest of what was shown is" in run("verify", "transcript.json", "--shown", "0" * 64, code=1)
    transcript = read_transcript(Path("transcript.json").read_bytes())
    assert transcript.drawn.randomness.hex() == ROUNDS[ROUND][1]
    assert plain_draw.verify(transcript.to_json()) == [list(transcript.drawn.order())]


def test_who_does_not_show_a_secret_makes_a_numbered_void_that_the_next_announcement_names(run):
    started(run)
    words = ("together", "finish", "list.json", "Ann.shown.json")
    assert "secrets are missing from Ben, Çem: wait for them" in run(*words, code=2)
    assert run(*words, "--void", "void.json", code=1) == "void: 1\nmissing: Ben, Çem\n"
    assert "is not void: leave out --void" in run(*words, *of(PEOPLE[1:], "shown"), "--void", "v.json", code=2)
    (first,) = files.read_void(Path("void.json").read_bytes())
    again = ("together", "announce", "--people", ",".join(PEOPLE), "--cards=9", "--mat=3x1", "--after", "void.json")
    assert "'announcement.json' is another file already" in run(*again, code=2)
    run(*again, "-o", "second.json")
    said = run("together", "join", "second.json", "--as", "Ann", code=2)
    assert "for another draw, and is never replaced: join in another --folder" in said
    Path("two").mkdir()
    joined(run, announcement="second.json", folder="two")
    os.chdir("two")
    showed(run, announcement="../second.json")
    run("together", "finish", "list.json", "Ben.shown.json", "Çem.shown.json", "--void", "void.json", code=1)
    record = json.loads(Path("void.json").read_text(encoding="utf-8"))
    missing = [[not secret for secret in each["secrets"]] for each in record["voids"]]
    assert missing == [[False, True, True], [True, False, False]]
    assert record["voids"][1]["agreement"]["before"] == first.named.hex()
    run("together", "finish", "list.json", *of(PEOPLE, "shown"))
    found = json.loads(run("verify", "transcript.json", "--json"))
    assert found["attempt"] == 2
    assert "attempt 2, after 1 void: something that happens in a share p of all draws" in found["remarks"][-1]
    plain_draw.verify(Path("transcript.json").read_text(encoding="utf-8"))


# --- what the next attempt may change, and that a record of a void attempt stays as it was


def attempts(following, shown=(SECRETS[0], b"", SECRETS[2]), before=None):
    """Return the transcript of a second attempt, made as whoever wants to cheat would make it: nothing is checked."""
    void = attempt(AGREED, shown=shown)
    agreement = replace(following, attempt=2, before=before or void.named)
    secrets = (*SECRETS, bytes(32))[: len(agreement.people)]
    return Transcript(Drawn(attempt(agreement, secrets)), b"", (void,))


def holds(transcript):
    """Return whether a transcript holds, by fairdeck and by the second verifier; both must agree."""
    found = examine(transcript.to_json().encode())
    try:
        plain = bool(plain_draw.verify(transcript.to_json()))
    except AssertionError:
        plain = False
    assert plain is found.holds, found.first_fault
    assert found.holds or ("\n" not in found.first_fault and "attempt" in found.first_fault)
    return found.holds


OTHERS = {
    "deals": [
        *((Task(6, Mat(2, 1)),), (Task(5, Mat(1, 2)),)),
        *((Task(5, Mat(2, 1), classic=True),), (Task(5, Mat(2, 1), dealers=2),)),
    ],
    "decks": [1, 3],
    "called": [("7 S All", "8 W None")],
    "names": [(), ("A♠", "K", "Q", "10", "J"), ("A♠", "K", "Q", "J", "9")],
    "note": ["", "Pairs — semifinal", "Pairs - final"],
    "people": [
        *(("Dan", "Eve"), ("Ann", "Çem", "Ben"), ("Ann", "Ben", "Çem", "Dan"), ("Ann", "Dan", "Çem"), ("Ann", "Ben")),
        *(("Ben", "Çem"), ("Çem", "Ann"), ("Ann", "Ben", "\u04aaem")),
    ],
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_next_attempt_with_other_terms_or_people_does_not_hold(name):
    assert holds(attempts(replace(AGREED, session=bytes(16))))
    for value in OTHERS[name]:
        changed = {name: value} | ({"names": ()} if name == "deals" and value[0].cards != 5 else {})
        assert not holds(attempts(replace(AGREED, session=bytes(16), **changed))), value


def test_a_next_attempt_may_have_other_times_and_leave_out_who_was_missing():
    later = replace(AGREED, session=bytes(16), deadline=DEADLINE)
    assert holds(attempts(later))
    left = attempts(replace(later, people=("Ann", "Çem")))
    assert holds(left)
    assert "left out, because they were missing in a void attempt: Ben" in examine(left.to_json().encode()).remarks
    assert not holds(attempts(replace(later, people=("Ann", "Ben")))), "Çem was not missing"


@pytest.mark.parametrize("number", [2**62, beacon.first_round(beacon.LAST)])
def test_a_round_that_comes_after_every_time_is_refused(number):
    with pytest.raises(FairdeckError, match=f"round of quicknet: {number}"):
        beacon.demand_later(beacon.Beacon(beacon.CHAIN, number), DEADLINE)


def test_a_beacon_that_was_agreed_on_stays():
    pytest.importorskip("py_ecc")
    first = with_beacon()
    void = attempt(first, shown=(SECRETS[0], b"", SECRETS[2]))
    later = replace(first.again(bytes(16), void.named), deadline="2024-10-15T16:00Z")
    void.demand_next(replace(later, beacon=beacon.Beacon(beacon.CHAIN, ROUND + 30_000)))
    for other in (None, beacon.Beacon(bytes(32), ROUND + 30_000)):
        with pytest.raises(FairdeckError, match="must have the beacon of the void attempt"):
            void.demand_next(replace(later, beacon=other))
    without = attempt(AGREED, shown=(b"", SECRETS[1], b""))
    without.demand_next(replace(with_beacon().again(bytes(16), without.named)))


def test_a_record_of_a_void_attempt_cannot_be_rewritten():
    """Every choice of who showed a secret, in the record and in what the next attempt names: only the same holds."""
    records = [attempt(AGREED, shown=shown) for shown in product(*((b"", each) for each in SECRETS)) if not all(shown)]
    assert len(records) == 7
    for one, named in product(records, repeat=2):
        assert holds(attempts(replace(AGREED, session=bytes(16)), one.owns, named.named)) is (one is named)
    other = attempt(AGREED, SECRETS[::-1], (b"",) * 3)
    assert not holds(attempts(replace(AGREED, session=bytes(16)), (b"",) * 3, other.named))


def test_attempts_are_all_there_in_their_order():
    first = attempt(AGREED, shown=(b"", SECRETS[1], SECRETS[2]))
    second = attempt(AGREED.again(bytes(16), first.named), shown=(SECRETS[0], b"", b""))
    third = second.agreement.again(bytes([3]) * 16, second.named)
    for voids in product((first, second), repeat=2):
        assert holds(finished(third, voids=voids)) is (voids == (first, second))
    for voids in ((), (first,), (second,), (first, second, second)):
        assert not holds(finished(third, voids=voids))


def test_an_announcement_that_changes_a_void_attempt_is_refused_at_every_step(run):
    started(run, "--cards", "9", "--mat", "3x1", "--note", "final")
    run("together", "finish", "list.json", "Ann.shown.json", "--void", "void.json", code=1)
    before = sorted(Path().iterdir())
    usual = {"--people": ",".join(PEOPLE), "--cards": "9", "--mat": "3x1", "--note": "final", "--after": "void.json"}
    for option, value, says in (
        ("--people", "Ann,Dan,Eve", "only people who were missing may be left out"),
        ("--people", "Ben,Çem", "only people who were missing may be left out"),
        ("--cards", "12", "attempt 2 has cards '12', and the void attempt before it '9': it must stay"),
        ("--mat", "1x3", "attempt 2 has mat '1x3'"),
    ):
        words = [word for pair in (usual | {option: value}).items() for word in pair]
        assert says in run("together", "announce", *words, "-o", "second.json", code=2)
    assert sorted(Path().iterdir()) == before
    words = [word for pair in (usual | {"--people": "Ann,Çem", "--deadline": DEADLINE}).items() for word in pair]
    run("together", "announce", *words, "-o", "second.json")
    # A record that somebody rewrote is refused by all who read the announcement or the list.
    (void,) = files.read_void(Path("void.json").read_bytes())
    second = files.read_announcement(Path("second.json").read_bytes())
    forged = replace(second, voids=(replace(void, owns=(b"",) * 3),))
    Path("forged.json").write_text(forged.to_json(), encoding="utf-8")
    says = "attempt 2 does not name the void attempt before it, with what was shown there"
    assert says in run("together", "join", "forged.json", "--as", "Ann", "--folder", "two", code=2)
    assert says in run("together", "list", "forged.json", "Ann.commitment.json", "-o", "x.json", code=2)
    assert not Path("two").exists()


def changes(content):
    """Yield the content with one byte changed, for each byte in several ways; and with one byte more or less."""
    for place, byte in enumerate(content):
        for other in {byte ^ 1, byte ^ 32, byte ^ 128, 0x20, 0x30, 0x22, 0x0A, (byte + 1) % 256} - {byte}:
            yield place, content[:place] + bytes([other]) + content[place + 1 :]
        yield place, content[:place] + content[place + 1 :]
        yield place, content[:place] + content[place : place + 1] + content[place:]


@pytest.mark.cases(1)
@pytest.mark.parametrize("transcript", [finished(), second_attempt()], ids=["first attempt", "second attempt"])
def test_every_change_of_a_byte_is_noticed(transcript):
    content = transcript.to_json().encode()
    assert examine(content).holds
    for place, changed in changes(content):
        try:
            found = examine(changed)
        except FairdeckError as error:
            assert "\n" not in str(error)
        else:
            assert not found.holds, (place, changed[place - 20 : place + 20])
            assert found.first_fault


def test_every_change_of_a_byte_is_noticed_with_a_beacon(monkeypatch):
    """Changed signatures are all held for genuine here; so what notices the change is the rest."""
    pytest.importorskip("py_ecc")
    content = finished(with_beacon(), SIGNATURE).to_json().encode()
    assert examine(content).holds
    monkeypatch.setattr(beacon, "_signs", lambda *told: True)
    for place, changed in changes(content):
        try:
            assert not examine(changed).holds, place
        except FairdeckError as error:
            assert "\n" not in str(error)


def test_the_first_thing_that_does_not_fit_is_named():
    good = json.loads(second_attempt().to_json())

    def fault(*path, value):
        altered = json.loads(json.dumps(good))
        place = reduce(lambda found, step: found[step], path[:-1], altered)
        place[path[-1]] = value
        return examine((json.dumps(altered, ensure_ascii=False, indent=2) + "\n").encode()).first_fault

    other = "0" * 64
    assert fault("agreement", "note", value="Teams").startswith("the digest of the agreement is ")
    assert fault("agreement", "decks", value=True) == "decks is not a whole number"
    assert fault("agreement", "deals", 0, "mat", value="02x1").startswith("deals ")
    assert fault("agreement", "deals", 0, "goal", value="top:x").startswith("goal 'top:x'")
    assert fault("agreement", "deadline", value="2026-19-39T29:59Z").startswith("deadline: '2026-19-39T29:59Z' is not")
    twice = fault("agreement", "people", value=["Ann", "Ann", "Çem"])
    assert twice == "person 'Ann' is named twice: give each a name of their own"
    assert "void attempt 1: the digest of the list is" in fault("voids", 0, "commitments", 1, value=other)
    assert "void attempt 1: the digest of what was shown is" in fault("voids", 0, "secrets", 0, value="")
    assert fault("voids", value=[]) == "attempt 2 comes with 0 void attempts before it"
    assert fault("commitments", 1, value=other).startswith("the digest of the list is ")
    assert fault("orders", 1, value="00").startswith("Ben's secret does not fit")
    assert fault("shown", value=other).startswith("the digest of what was shown is ")
    assert fault("secrets", 1, value=other) == "Ben's secret does not fit Ben's commitment"
    assert fault("secrets", 1, value=good["secrets"][0]).startswith("Ben's secret does not fit")
    assert fault("beacon", value="00") == "it has the value of a beacon, and none was agreed on"
    assert fault("seed", value=other).startswith("the seed is ")
    assert fault("result", value="AAAA AAAA AAAA").startswith("the result code is ")
    assert fault("seed", value=7) == "seed is not a text"
    compact = examine(json.dumps(good).encode())
    assert compact.first_fault.startswith("line 1 is not written in the one way")
    assert "line" in examine(second_attempt().to_json().replace("\n", "\r\n").encode()).first_fault


def test_a_deck_is_compared_with_the_cards_as_played(run):
    names = tuple(f"card {place}" for place in range(1, 10))
    hands = seed_draw(Task(9, Mat(3, 1), parse_goal("hands:2x3+stock", 9)), PEOPLE, decks=2, names=names)
    for agreement in (AGREED, hands, replace(hands, names=())):
        transcript = finished(agreement)
        Path("transcript.json").write_text(transcript.to_json(), encoding="utf-8")
        drawn = list(transcript.drawn.named(1))
        words = ("verify", "transcript.json", "--deck", "2", "--played", "played.txt")

        def played(cards):
            Path("played.txt").write_text("\n".join(cards), encoding="utf-8")

        played(drawn)
        assert ", deck 2 as played" in run(*words)
        played(["Place;Card", *(f"{place};{card}" for place, card in enumerate(drawn, 1))])
        assert ", deck 2 as played" in run(*words)
        played([*drawn[:-2], drawn[-1], drawn[-2]])
        assert "deck 2 was not played as drawn: card" in run(*words, code=1)
        played([drawn[1], drawn[0], *drawn[2:]])
        run(*words, code=1 if agreement is AGREED else 0)  # in a hand, the order does not matter
        played([drawn[4], *drawn[1:4], drawn[0], *drawn[5:]])
        assert "deck 2 was not played as drawn" in run(*words, code=1)
        played(drawn[:-1])
        assert "1 card is missing" in run(*words, code=2)
    words = ("verify", "transcript.json", "--played", "played.txt", "--deck")
    assert "deck: 0 is out of range" in run(*words, "0", code=2)
    played(drawn)
    assert "deck 3: the draw has decks 1 to 2" in run(*words, "3", code=2)


def test_a_deck_with_equal_cards_is_compared_by_their_names(run):
    transcript = finished(KNOWN_BY_NOBODY)
    Path("transcript.json").write_text(transcript.to_json(), encoding="utf-8")
    drawn = transcript.drawn.named(0)
    words = ("verify", "transcript.json", "--deck", "1", "--played", "played.txt")
    for between in ("\n", ", "):
        Path("played.txt").write_text(between.join(drawn), encoding="utf-8")
        assert ", deck 1 as played" in run(*words)
    Path("played.txt").write_text("\n".join(drawn[::-1]), encoding="utf-8")
    assert "deck 1 was not played as drawn" in run(*words, code=1)
    Path("played.txt").write_text("\n".join(["Q" if name == "K" else name for name in drawn]), encoding="utf-8")
    assert "Q is there 3 times" in (said := run(*words, code=2))
    assert "and 1 card is missing: K; name every card as often as it is in the deck" in said


def test_what_people_could_try_is_refused_by_name(run):
    started(run, "--cards", "9", "--mat", "3x1", "--deadline", DEADLINE, upto="join")
    files = of(PEOPLE, "commitment")
    words = ("together", "list", "announcement.json")

    def altered(name, new, **fields):
        told = json.loads(Path(name).read_text(encoding="utf-8"))
        Path(new).write_text(json.dumps({**told, **fields}, ensure_ascii=False), encoding="utf-8")
        return told

    assert "commitments are missing from Ben, Çem: all must commit" in run(*words, files[0], code=2)
    said = run(*words, files[0], *files, code=2)
    assert "Ann is there twice, in Ann.commitment.json and in Ann.commitment.json" in said
    ann = altered(files[0], "other.json", commitment="0" * 64)
    assert "Ann is there twice, in Ann.commitment.json and in other.json" in run(*words, *files, "other.json", code=2)
    altered(files[1], "copy.json", commitment=ann["commitment"])
    said = run(*words, files[0], "copy.json", files[2], code=2)
    assert "copy.json: Ben has the same commitment as Ann: a copy is refused" in said
    altered(files[1], "replayed.json", digest="0" * 64)
    assert "replayed.json: this belongs to another draw" in run(*words, "replayed.json", code=2)
    altered(files[1], "late.json", time="2026-12-01T18:01Z")
    said = run(*words, files[0], "late.json", files[2], code=2)
    assert "late.json: Ben committed at 2026-12-01T18:01Z by their own clock, after the deadline" in said
    altered(files[1], "stranger.json", person="Dan")
    assert "'Dan' is not one of the people: Ann, Ben, Çem" in run(*words, "stranger.json", code=2)
    altered(files[1], "odd.json", time="soon")
    assert "time: 'soon' is not a time" in run(*words, "odd.json", code=2)
    said = run(*words, "Ben.own.json", code=2)
    assert "this is a person's own secret, which nobody else may have; name a commitment" in said
    showed(run)
    secrets = [json.loads(Path(name).read_text(encoding="utf-8"))["secret"] for name in of(PEOPLE, "own")]
    finish = ("together", "finish", "list.json")
    altered("Ben.shown.json", "wrong.json", secret=secrets[0])  # swapped roles
    assert "wrong.json: Ben's secret does not fit Ben's commitment" in run(*finish, "wrong.json", code=2)
    altered("Ben.shown.json", "elsewhere.json", list="0" * 64)
    assert "elsewhere.json: this is for another list of commitments" in run(*finish, "elsewhere.json", code=2)
    assert "Ben is there twice" in run(*finish, "Ben.shown.json", "Ben.shown.json", code=2)
    altered("Ben.own.json", "mine.json", secret="0" * 64)
    said = run("together", "show", "list.json", "mine.json", code=2)
    assert "this list has another commitment for Ben, and is not taken: ask for the right list; show nothing" in said
    assert "no beacon was agreed on" in run(*finish, *of(PEOPLE, "shown"), "--beacon-value", "00", code=2)


@pytest.mark.parametrize("name", ["\x1b[2J\nfairdeck: fine", "\u202eBen", "\ud800", "", "x" * 100_000])
def test_hostile_names_in_files_give_one_visible_line(run, name):
    started(run)
    for kind, words in (
        ("commitment", ("list", "announcement.json", "x.json")),
        ("shown", ("finish", "list.json", "x.json")),
        ("own", ("show", "list.json", "x.json", "-o", "y.json")),
    ):
        told = json.loads(Path(f"Ann.{kind}.json").read_text())
        for change in ({}, {"digest" if "digest" in told else "list": "0" * 64}):
            Path("x.json").write_text(json.dumps({**told, **change, "person": name}))
            said = run("together", *words, code=2)
            assert said.rstrip("\n").isprintable()
            assert len(said) < 500


def a_session(run, folder):
    """Make every file of a draw by Ann and Ben in a folder: a record that it is void, and a transcript too."""
    Path(folder).mkdir()
    os.chdir(folder)
    started(run, "--cards", "5", "--mat", "3x1", people=("Ann", "Ben"))
    run("together", "finish", "list.json", "Ann.shown.json", "--void", "void.json", code=1)
    run("together", "finish", "list.json", *of(("Ann", "Ben"), "shown"))
    os.chdir("..")


def test_every_step_takes_its_own_files_only_and_a_refusal_writes_nothing(run):
    """Every file of two sessions, and files of other kinds, in every place of every step."""
    a_session(run, "one")
    a_session(run, "two")
    Path("odd").mkdir()
    for name, content in (("empty", ""), ("list", "[]"), ("plan", '{"format": "fairdeck-plan/1"}'), ("null", "null")):
        Path("odd", name).write_text(content)
    run("boards", "--random", "1", "-o", "odd/half.json")
    files = sorted(str(path) for path in Path().rglob("*") if path.is_file())
    assert len(files) >= 24
    both = {kind: [f"one/{name}.{kind}.json" for name in ("Ann", "Ben")] for kind in ("commitment", "shown")}
    again = ("--people", "Ann,Ben", "--cards", "5", "--mat", "3x1")
    # The words of a step, X for the file, and the files that it takes. All others are of another draw or kind.
    asked = {
        ("join", "X", "--as", "Ann", "--folder", "new"): {"one/announcement.json", "two/announcement.json"},
        ("list", "X", *both["commitment"], "-o", "new/x"): {"one/announcement.json"},
        ("list", "one/announcement.json", "one/Ann.commitment.json", "X", "-o", "new/x"): {"one/Ben.commitment.json"},
        ("show", "X", "one/Ann.own.json", "-o", "new/x"): {"one/list.json"},
        ("show", "one/list.json", "X", "-o", "new/x"): {"one/Ann.own.json", "one/Ben.own.json"},
        ("finish", "X", *both["shown"], "-o", "new/x"): {"one/list.json"},
        ("finish", "one/list.json", "one/Ann.shown.json", "X", "-o", "new/x"): {"one/Ben.shown.json"},
        ("announce", *again, "--after", "X", "-o", "new/x"): {"one/void.json", "two/void.json"},
        ("deal", "X", "--json"): {"one/transcript.json", "two/transcript.json", "odd/half-1.json", "odd/half-2.json"},
    }
    for (step, *words), taken in asked.items():
        for file in files:
            Path("new").mkdir()
            before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
            run("together", step, *[file if word == "X" else word for word in words], code=0 if file in taken else 2)
            if file not in taken:
                assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before
            for path in Path("new").iterdir():
                path.unlink()
            Path("new").rmdir()


def test_no_file_of_a_draw_is_replaced_and_each_step_can_be_repeated(run):
    started(run)
    run("together", "finish", "list.json", *of(PEOPLE, "shown"))
    before = {path: path.read_bytes() for path in Path().iterdir()}
    run.now += 3600
    joined(run)
    showed(run)
    run("together", "finish", "list.json", *of(PEOPLE, "shown"))
    assert {path: path.read_bytes() for path in Path().iterdir()} == before
    for name in ("Ann.own.json", "Ann.shown.json", "transcript.json"):
        assert stat.S_IMODE(Path(name).stat().st_mode) == 0o600
    Path("taken").write_text("mine")
    os.mkfifo("pipe")
    for words in (
        ("list", "announcement.json", *of(PEOPLE, "commitment")),
        ("show", "list.json", "Ann.own.json"),
        ("finish", "list.json", *of(PEOPLE, "shown")),
    ):
        said = run("together", *words, "-o", "taken", code=2)
        assert "'taken' is another file already, and no file of a draw is replaced" in said
        assert "'pipe' is no plain file: name a new one" in run("together", *words, "-o", "pipe", code=2)
    assert Path("taken").read_text() == "mine"


@pytest.mark.parametrize("kept", ["as it was written", "readable by others", "a link"])
def test_a_secret_that_others_may_read_is_warned_of(run, capsys, kept):
    started(run)
    own = Path("Ann.own.json")
    if kept == "a link":
        own.rename("elsewhere").chmod(0o600)
        own.symlink_to("elsewhere")
    elif kept == "readable by others":
        own.chmod(0o640)
    for words in (("join", "announcement.json", "--as", "Ann"), ("show", "list.json", "Ann.own.json")):
        assert main(["together", *words]) == 0
        said = capsys.readouterr().err
        assert ("Ann.own.json is a link, or other accounts can read it" in said) is (kept != "as it was written")


def test_names_that_no_file_can_have_make_files_of_their_own(run):
    people = ("../Ann", "A/B", "A?B", "A_B", ".", "x" * 40, "CON:1", "2-A_B", "-o")
    started(run, people=people, upto="join")
    first, *others = map(str, Path().glob("*.commitment.json"))  # none looks like an option
    assert len(others) == len(people) - 1
    run("together", "list", "announcement.json", first, "-o", "x.json", *others)


def program(*words, **more):
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([sys.executable, "-m", "fairdeck", "together", *words], **streams, text=True, **more)


def test_a_file_that_was_not_published_is_refused(run):
    digest = started(run, upto="announce")
    join = ("together", "join", "announcement.json", "--as", "Ann", "--announced")
    said = run(*join, "0" * 64, code=2)
    assert f"--announced: the digest of this file is {digest}, so it is not what was published" in said
    assert "--announced: 'x' is not a digest" in run(*join, "x", code=2)
    assert [path.name for path in Path().iterdir()] == ["announcement.json"]
    run(*join, digest.upper())
    joined(run)
    told = run("together", "list", "announcement.json", *of(PEOPLE, "commitment"))
    show = ("together", "show", "list.json", "Ann.own.json", "--list")
    assert "so it is not what was published" in run(*show, digest, code=2)
    assert not Path("Ann.shown.json").exists()
    run(*show, told.removeprefix("list: ").strip())


def test_processes_that_join_as_the_same_person_have_one_secret(run):
    started(run, upto="announce")
    programs = [program("join", "announcement.json", "--as", "Ann") for _ in range(4)]
    ends = [(*each.communicate(), each.returncode) for each in programs]
    assert {code for _, _, code in ends} == {0}
    assert len({out for out, _, _ in ends}) == 1
    assert sum("wrote Ann.own.json" in said for _, said, _ in ends) == 1
    names = ["Ann.commitment.json", "Ann.own.json", "announcement.json"]
    assert sorted(path.name for path in Path().iterdir()) == names


def test_a_folder_that_is_not_there_is_named(run):
    started(run, upto="announce")
    words = ("together", "join", "announcement.json", "--as", "Ann", "--folder")
    assert "cannot write 'nowhere/Ann.own.json'" in run(*words, "nowhere", code=2)
    if Path("/proc/self").is_dir():  # where nobody can write, not even the superuser
        assert "cannot write '/proc/Ann.own.json'" in run(*words, "/proc", code=2)
    Path("Ann.own.json").mkdir()
    assert "cannot read 'Ann.own.json' (Is a directory)" in run(*words, ".", code=2)


def no_links(self, target):
    raise PermissionError(1, "Operation not permitted")


def test_a_file_system_without_links_keeps_secrets_too(run, monkeypatch):
    monkeypatch.setattr(Path, "hardlink_to", no_links)
    started(run, upto="join")
    first = Path("Ann.own.json").read_bytes()
    assert stat.S_IMODE(Path("Ann.own.json").stat().st_mode) == 0o600
    joined(run)
    assert Path("Ann.own.json").read_bytes() == first


def test_a_disk_that_fills_leaves_no_piece_of_a_secret(run, monkeypatch):
    """On a file system without links a file is written in its place: all of it, or it goes away again."""

    def full(descriptor):
        if os.fstat(descriptor).st_mode & 0o777 == 0o600 and Path("Ann.own.json").exists():
            raise OSError(28, "No space left on device")

    started(run, upto="announce")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "hardlink_to", no_links)
        patch.setattr(os, "fsync", full)
        words = ("together", "join", "announcement.json", "--as", "Ann")
        assert "cannot write 'Ann.own.json' (No space left on device)" in run(*words, code=2)
    assert [path.name for path in Path().iterdir()] == ["announcement.json"]
    run(*words)


@pytest.mark.parametrize(("now", "says"), [(0, "1970-01-01T00:00Z"), (33_000_000_000, "3015-09-2")])
def test_a_device_whose_clock_is_not_set_does_not_commit(run, now, says):
    started(run, upto="announce")
    run.now = now
    said = run("together", "join", "announcement.json", "--as", "Ann", code=2)
    assert f"the clock of this device says {says}" in said
    assert [path.name for path in Path().iterdir()] == ["announcement.json"]


def test_the_time_zone_of_a_device_does_not_matter(run, monkeypatch):
    times = set()
    for zone in ("UTC", "Pacific/Kiritimati", "America/St_Johns"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        assert beacon.seconds_of(DEADLINE, "") == 1796148000
        times.add(beacon.written(1796148000))
    monkeypatch.undo()
    time.tzset()
    assert times == {DEADLINE}


@pytest.mark.parametrize("shown_as", [(), ("-o", "one.json")])
def test_a_second_list_for_one_secret_is_noticed_before_it_is_shown(run, shown_as):
    started(run, upto="join")
    run("together", "list", "announcement.json", *of(PEOPLE, "commitment"))
    run("together", "show", "list.json", "Ann.own.json", *shown_as)
    first = files.read_list(Path("list.json").read_bytes())
    other = Attempt(first.agreement, (*first.listed.commitments[:2], bytes(32)))
    Path("other.json").write_text(replace(first, listed=other).to_json())
    for more in ((), ("-o", "again.json")):
        said = run("together", "show", "other.json", "Ann.own.json", *more, code=2)
        assert f"'Ann.shown.json' shows this secret for another list, {first.listed.listed.hex()}" in said
    assert not Path("again.json").exists()


def test_a_draw_that_was_played_offers_no_void(run):
    started(run, "--way", "product", "--cards", "9", "--mat", "3x1", upto="join")
    run("together", "list", "announcement.json", *of(PEOPLE, "commitment"))
    run("together", "show", "list.json", "Ann.own.json", "--played")
    said = run("together", "finish", "list.json", "Ann.shown.json", "--played", code=2)
    assert "this draw was played, so it cannot become void" in said
    assert "--void" not in said


def test_late_comers_are_told_by_the_clock(run):
    started(run, "--cards", "9", "--mat", "3x1", "--deadline", DEADLINE, upto="announce")
    run.now = beacon.seconds_of(DEADLINE, "now") + 1
    said = run("together", "join", "announcement.json", "--as", "Ann", code=2)
    assert f"the deadline {DEADLINE} is over: a commitment would not count" in said
    words = ("announce", "--people", "A,B", "--cards", "9", "--deadline", DEADLINE, "-o", "x")
    assert f"deadline {DEADLINE} is over: name a later time" in run("together", *words, code=2)


def test_a_secret_that_comes_after_the_beacon_is_warned_of(run, capsys):
    agreement = with_beacon()
    Path("list.json").write_text(files.CommitmentList(listed(agreement)).to_json(), encoding="utf-8")
    Path("s.json").write_text(files.Own(agreement, 0, SECRETS[0]).to_json(), encoding="utf-8")
    for now, warned in ((beacon.round_time(ROUND) - 1, False), (beacon.round_time(ROUND), True)):
        run.now = now
        assert main(["together", "show", "list.json", "s.json"]) == 0
        assert ("it is too late to show a secret" in capsys.readouterr().err) is warned


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--people A,B", "say how many cards each deck has"),
        ("--people A,B --cards 0", "cards: 0 is out of range"),
        ("--people A --cards 9", "1 people: 2 to 60"),
        ("--people A,a --cards 9", "'a' is named twice"),
        ("--people A,B --cards 51 --names sorted", "52 cards are named; the deck has 51"),
        ("--people A,B --names nowhere.txt", "cannot read 'nowhere.txt'"),
        ("--people A,B --cards 9 --decks 10001", "decks: 10001 is out of range"),
        ("--people A,B --cards 9 --goal hands:4x13", "goal 'hands:4x13' takes 52 cards"),
        ("--people A,B --cards 9 --deadline tomorrow", "deadline: 'tomorrow'"),
        ("--people A,B --cards 9 --deadline 2027-13-01T00:00Z", "deadline: '2027-13-01T00:00Z' is not a time"),
        ("--people A,B --cards 9 --beacon quicknet:5", "a beacon needs a deadline"),
        ("--people A,B --cards 9 --beacon lava:5", "write quicknet:ROUND or quicknet@TIME"),
        ("--people A,B --cards 9 --beacon quicknet", "quicknet@2026-12-01T20:00Z"),
        ("--people A,B --cards 9 --beacon quicknet:0", "round of quicknet: 0 is out of range"),
        ("--people A,B --cards 9 --beacon quicknet@noon", "beacon quicknet: 'noon' is not a time"),
        (f"--people A,B --cards 9 --deadline {DEADLINE} --beacon quicknet:123", "and must come later than"),
        (
            f"--people A,B --cards 9 --deadline {DEADLINE} --beacon quicknet@{DEADLINE}",
            "take round 34448413 or a later",
        ),
        ("--people A,B --cards 9 --after nowhere.json", "cannot read 'nowhere.json'"),
        ("--people A,B --cards 9 --note \x07", "note"),
        ("--people A,B --cards 9 -o -", "name a file"),
        ("--people A,B --cards 9 -o /nowhere/x", "cannot write '/nowhere/x'"),
        ("--people A,B --cards 9 --dekcs 3", "did you mean '--decks'?"),
        ("--people A,B --cards 9 more", "unexpected argument 'more'"),
    ],
)
def test_what_cannot_be_announced_gets_one_line_and_no_file(run, words, says):
    assert says in run("together", "announce", *words.split(" "), code=2)
    assert list(Path().iterdir()) == []


def test_an_agreement_that_no_invitation_could_hold_is_refused(run):
    Path("names.txt").write_text("\n".join(f"a card with a long name {place}" for place in range(9000)))
    words = ("together", "announce", "--people", "A,B", "--names", "names.txt", "--mat", "20x20")
    assert "and at most 200,000 fit" in run(*words, code=2)


def test_a_deck_is_dealt_by_the_outputs_of_deal(run):
    Path("transcript.json").write_text(finished().to_json(), encoding="utf-8")
    deal = ("together", "deal", "transcript.json")
    assert "say which one with --deck N" in run(*deal, code=2)
    assert "deck: 3 is out of range; write 1 to 2" in run(*deal, "--deck", "3", code=2)
    assert "no option '--booklet'" in run(*deal, "--deck", "1", "--pdf", "x.pdf", "--booklet", "2", code=2)
    assert "5 cards on a 2x1 mat" in run(*deal, "--deck", "2")
    named = ", ".join(finished().drawn.named(1))
    assert f"\nBy name, top first:\n{named}\n" in run(*deal, "--deck", "2", "--reveal")
    run(*deal, "--deck", "2", "--html", "deal.html", "--voices", "none")
    assert Path("deal.html").stat().st_size > 10_000
    Path("transcript.json").write_text(finished().to_json().replace("Pairs", "Teams"), encoding="utf-8")
    assert "this transcript does not hold: the digest of the agreement" in run(*deal, "--deck", "1", code=2)


def test_options_of_runs_and_of_transcripts_are_not_mixed(run):
    Path("transcript.json").write_text(finished().to_json(), encoding="utf-8")
    for option in ("--run", "--store", "--registered", "--workers", "--cluster"):
        assert f"{option} is for a stored run" in run("verify", "transcript.json", option, "1", code=2)
    for option in ("--announced", "--list", "--deck", "--played"):
        assert f"{option} is for the transcript" in run("verify", __file__, option, "1", code=2)
    assert "--deck and --played go together" in run("verify", "transcript.json", "--deck", "1", code=2)
    assert "'abc' is not a digest" in run("verify", "transcript.json", "--announced", "abc", code=2)


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"[]", b"null", b"7", b"\0" * 1000),
        b"\xef\xbb\xbf" + finished().to_json().encode(),
        finished().to_json().encode("utf-16"),
        finished().to_json().encode()[:-3],
        b'{"format": "fairdeck-trust/1"}',
        b'{"format": "fairdeck-trust/1", "agreement": ' + b"[" * 200_000,
        b'{"format": "fairdeck-trust/1", "agreement": ' + b'{"a":' * 200_000,
        b'{"format": "fairdeck-trust/1", "seed": NaN}',
        b'{"format": "fairdeck-trust/1", "seed": 1e999}',
        b'{"format": "fairdeck-trust/1", "seed": -Infinity}',
        b'{"format": "fairdeck-trust/1", "seed": ' + b"9" * 100_000 + b"}",
        b'{"format": "fairdeck-trust/1", "seed": "", "seed": ""}',
        b'{"format": "fairdeck-trust/1", "seed": "\xff"}',
        b'{"format": "fairdeck-trust/1", "\\ud800": 1}',
        b'{"format": "fairdeck-trust/2"}',
        finished().to_json().replace("{", '{"x": 1, ', 1).encode(),
        files.Announcement(AGREED).to_json().encode(),
    ],
    ids=range(22),
)
def test_what_is_no_transcript_gets_one_line(run, content):
    Path("file.json").write_bytes(content)
    for words in (("verify", "file.json"), ("together", "deal", "file.json")):
        said = run(*words, code=2)
        assert said.isprintable() or said[:-1].isprintable()
        assert len(said) < 600
        assert "file.json'" in said


def test_huge_files_are_refused_early(run):
    with Path("huge.json").open("wb") as file:
        file.write(b'{"format": "fairdeck-trust/1", "seed": "')
        file.truncate(100 << 20)
    begin = time.perf_counter()
    assert "more than 64 MiB" in run("verify", "huge.json", code=2)
    assert "more than 4 MiB" in run("together", "list", "huge.json", "huge.json", code=2)
    assert time.perf_counter() - begin < 60
    with pytest.raises(FairdeckError, match="too large"):
        examine(b" " * (LARGEST + 1))


@pytest.mark.long
def test_no_file_takes_long_to_refuse():
    agreed = plain(AGREED.as_fields())
    many = [f"{place:x}" for place in range(400_000)]
    hostile = [
        b"[]" * (LARGEST // 2),
        b'"' + b'\\"' * (LARGEST // 2 - 1),
        ('{"format":"fairdeck-trust/1",' + ",".join(f'"{each}":1' for each in many) + ',"5":2}').encode(),
    ]
    begin = time.perf_counter()
    for content in hostile:
        with pytest.raises(FairdeckError):
            examine(content)
    for fields in (
        *({"names": many}, {"labels": many}, {"people": many}),
        {"goal": "hands:" + "1," * 1_000_000 + "1"},
        {"mat": "5" * 3_000_000 + "x2"},
        {"note": "a" * 3_000_000},
    ):
        with pytest.raises(FairdeckError):
            agreement_from(from_plain(TERMS, agreed | fields, "it"))
    assert time.perf_counter() - begin < 60, "about 2 seconds; a quadratic reader takes hours"


def test_a_record_of_void_attempts_is_read():
    voids = second_attempt().voids
    assert files.read_void(files.write_void(voids).encode()) == voids
    with pytest.raises(FairdeckError, match="names no void attempt"):
        files.read_void(files.write_void(()).encode())
    with pytest.raises(FairdeckError, match="nobody is missing"):
        files.read_void(files.write_void([attempt(AGREED)]).encode())
    with pytest.raises(FairdeckError, match="void attempt 2: attempt 1 does not name"):
        files.read_void(files.write_void([*voids, *voids]).encode())


# --- another spelling of the same file


def places(value, path=()):
    """Yield every place in a file, from the outside: objects and lists before what is in them."""
    yield path, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inner:
        yield from places(each, (*path, name))


def put(whole, path, value):
    """Return a copy of a file with another value at a place."""
    if not path:
        return value
    copy = dict(whole) if isinstance(whole, dict) else list(whole)
    copy[path[0]] = put(whole[path[0]], path[1:], value)
    return copy


class Twice(dict):
    """An object that is written with its first field twice."""

    def items(self):
        return [*super().items(), next(iter(super().items()))]


def spellings(value):
    """Yield values that mean the same to a careless reader."""
    if isinstance(value, dict) and len(value) > 1:
        yield dict(reversed(value.items()))
        yield value | {"more": ""}
        yield dict(list(value.items())[1:])
        yield Twice(value)
    elif isinstance(value, str):
        others = {value.upper(), value.lower(), unicodedata.normalize("NFD", value), value + "\u200b", f" {value}"}
        yield from (*(others - {value}), [value], None)
    elif isinstance(value, int):
        yield from (float(value), str(value), value == 1, value * 2.5, None)
    elif isinstance(value, list):
        yield from ({"0": value}, [*value, *value[-1:]] or [""], value[::-1] if value[::-1] != value else None)
    elif value is None:
        yield from ("", {}, [], False, 0)


def text_of(value):
    return json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "surrogatepass") + b"\n"


AGAIN = second_attempt()
DOCUMENTS = {
    "announcement": (files.read_announcement, files.Announcement(AGAIN.agreement, AGAIN.voids)),
    "list": (files.read_list, files.CommitmentList(listed(AGAIN.agreement), AGAIN.voids)),
    "commitment": (files.read_commitment, files.Commitment(b"\xab" * 32, "Çem", b"\xcd" * 32, DEADLINE)),
    "own": (files.read_own, files.Own(KNOWN_BY_NOBODY, 1, ORDERED[1])),
    "shown": (files.read_shown, files.Shown(b"\xab" * 32, "Çem", b"\xcd" * 32)),
    "transcript": (read_transcript, AGAIN),
}


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_file_is_read_and_in_another_spelling_it_is_refused_or_is_the_same(kind):
    """Every place of every file, written as a careless reader would take it: capitals, fields swapped, 1.0 and true."""
    reader, document = DOCUMENTS[kind]
    assert reader(document.to_json().encode()) == document
    whole, tried = json.loads(document.to_json()), 0
    for path, value in places(whole):
        for other in spellings(value):
            content = text_of(put(whole, path, other))
            tried += 1
            try:
                found = reader(content)
            except FairdeckError as error:
                assert "\n" not in str(error)
                continue
            # Only the name of a person and a claimed time may be another text; and no order of fields matters.
            assert kind != "transcript", path
            swapped = isinstance(value, dict) and list(other) == list(value)[::-1] and found == document
            assert swapped or path[-1:] in (("person",), ("time",)), (path, other)
    assert tried > (300 if "voids" in whole else 20)


def test_the_chain_hash_of_quicknet_is_the_hash_of_its_parts():
    assert beacon.CHAIN.hex() == "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"


def test_rounds_have_times():
    assert beacon.round_time(1) == 1692803367
    assert beacon.written(beacon.round_time(ROUND)) == "2024-10-14T17:13Z"
    for number in (1, 2, 3, 1000, ROUND):
        for early in range(3):
            assert beacon.first_round(beacon.round_time(number) - early) == number
        assert beacon.first_round(beacon.round_time(number) + 1) == number + 1
    assert beacon.first_round(0) == 1
    agreed = beacon.parse_beacon("quicknet@2026-12-01T20:00Z")
    assert 0 <= beacon.round_time(agreed.round) - beacon.seconds_of("2026-12-01T20:00Z", "") < 3
    assert agreed == beacon.parse_beacon(f"quicknet:{agreed.round}")


def test_a_round_comes_later_than_the_deadline_and_the_margin():
    least = beacon.first_round(beacon.seconds_of(DEADLINE, "") + beacon.MARGIN + 1)
    beacon.demand_later(beacon.Beacon(beacon.CHAIN, least), DEADLINE)
    with pytest.raises(FairdeckError, match=f"take round {least} or a later one"):
        beacon.demand_later(beacon.Beacon(beacon.CHAIN, least - 1), DEADLINE)
    early = finished(with_beacon(deadline="2024-10-14T17:13Z"), SIGNATURE)
    assert "and must come later than 2024-10-14T17:23Z" in examine(early.to_json().encode()).first_fault
    with pytest.raises(FairdeckError, match="is not known here"):
        beacon.demand_later(beacon.Beacon(bytes(32), 5), DEADLINE)


@pytest.mark.parametrize("round_", ROUNDS)
def test_the_published_values_of_quicknet_are_accepted(round_):
    pytest.importorskip("py_ecc")
    signature, published = ROUNDS[round_]
    assert beacon.randomness(round_, bytes.fromhex(signature)).hex() == published


def point(*, outside):
    """Return a compressed point of the curve, in the subgroup or outside it."""
    from py_ecc.bls.point_compression import compress_G1, decompress_G1
    from py_ecc.optimized_bls12_381 import G1, curve_order, is_inf, multiply

    if not outside:
        return compress_G1(multiply(G1, 12345)).to_bytes(48, "big")
    for x in range(1, 100):
        try:
            found = decompress_G1((1 << 383) + x)
        except ValueError:
            continue
        if not is_inf(multiply(found, curve_order)):
            return compress_G1(found).to_bytes(48, "big")
    raise AssertionError


@pytest.mark.parametrize(
    ("round_", "value", "says"),
    [
        (ROUND + 1, lambda: SIGNATURE, "is wrong: quicknet did not sign that round"),
        (ROUND - 1, lambda: SIGNATURE, "is wrong"),
        (ROUND, lambda: bytes([SIGNATURE[0] ^ 0x20]) + SIGNATURE[1:], "is wrong"),  # the sign of y
        (ROUND, lambda: point(outside=False), "is wrong"),
        (ROUND, lambda: point(outside=True), "is a point outside the subgroup"),
        (ROUND, lambda: SIGNATURE[:-1] + bytes([SIGNATURE[-1] ^ 1]), "is no point of the curve"),
        (ROUND, lambda: b"\xc0" + bytes(47), "is the point at infinity"),
        (ROUND, lambda: bytes([SIGNATURE[0] | 0x40]) + SIGNATURE[1:], "is the point at infinity"),
        (ROUND, lambda: b"\x80" + bytes(47), "is no point of the curve"),
        (ROUND, lambda: b"\x9f" + b"\xff" * 47, "is no point of the curve"),  # x is not below the field's modulus
        (ROUND, lambda: bytes([SIGNATURE[0] & 0x7F]) + SIGNATURE[1:], "is not a compressed point"),
        (ROUND, lambda: SIGNATURE[:-1], "has 47 bytes, and must have 48"),
        (ROUND, lambda: SIGNATURE + b"\0", "has 49 bytes"),
        (ROUND, lambda: b"", "has 0 bytes"),
    ],
)
def test_what_quicknet_did_not_sign_is_refused_by_name(round_, value, says):
    pytest.importorskip("py_ecc")
    with pytest.raises(FairdeckError, match=f"^the signature of round {round_} of quicknet {says}"):
        beacon.randomness(round_, value())


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"{}", b"xyz", b'{"signature": 7}', b'{"signature": "abc"}', b"\xff\xfe", b"[" * 9999, b"{" * 9999],
)
def test_what_is_no_round_is_refused(content):
    with pytest.raises(FairdeckError) as refused:
        beacon.read_round(content, ROUND)
    assert "\n" not in str(refused.value)


def test_the_package_for_a_beacon_is_loaded_for_a_beacon_only_and_named_if_missing(run, monkeypatch):
    code = "import sys, fairdeck.cli.commands.together, fairdeck.trust.verifying; print('py_ecc' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
    for name in ("py_ecc", "py_ecc.bls", "py_ecc.bls.hash_to_curve"):
        monkeypatch.setitem(sys.modules, name, None)
    Path("transcript.json").write_text(finished(with_beacon(), SIGNATURE).to_json(), encoding="utf-8")
    for words in (("verify", "transcript.json"), ("together", "deal", "transcript.json", "--deck", "1")):
        said = run(*words, code=69)
        assert f"checking a beacon needs py_ecc: {installation('beacon')}" in said


DOCUMENT = (Path(__file__).parents[1] / "docs" / "reference" / "draw.md").read_text(encoding="utf-8")


def test_the_vector_of_the_specification_is_what_both_verifiers_find():
    (text,) = re.findall(r"```json\n(.*?)```", DOCUMENT, re.S)
    orders, told = plain_draw.verify(text), json.loads(text)
    size = len(plain_draw.agreement_bytes(told["agreement"]))
    assert f"agreement has {size} bytes" in DOCUMENT
    assert f"`{sha256(text.encode()).hexdigest()}`" in DOCUMENT
    transcript = read_transcript(text.encode())
    assert [list(transcript.drawn.order(deck)) for deck in (0, 1)] == orders
    shown = re.findall(r"^    deck \d: (.*)$", DOCUMENT, re.M)
    assert [" ".join(transcript.drawn.named(deck)) for deck in (0, 1)] == shown


def test_the_messages_of_the_specification_are_those_of_the_draw():
    (text,) = re.findall(r"```json\n(.*?)```", DOCUMENT, re.S)
    whole = read_transcript(text.encode()).drawn.attempt
    assert re.findall(r"^    (T1-.*)$", DOCUMENT, re.M) == [
        messages.announcement_message(whole.agreement),
        messages.commitment_message(whole.agreement, 0, whole.commitments[0]),
        messages.list_message(whole),
        messages.shown_message(whole, 0, whole.owns[0]),
        messages.all_shown_message(whole),
    ]


def test_the_fields_of_the_specification_are_those_of_the_files():
    told = {kind: document.to_json() for kind, (_, document) in DOCUMENTS.items()}
    told["void"] = files.write_void(AGAIN.voids)
    for kind, text in told.items():
        (row,) = re.findall(rf"^\| {kind} \| .* \| (.*) \|$", DOCUMENT, re.M)
        assert re.findall("`([a-z]+)`", row) == list(json.loads(text))[2:], kind


def test_the_second_verifier_notices_changes_too():
    text = AGAIN.to_json()
    plain_draw.verify(text)
    for _, changed in islice(changes(text.encode()), 0, None, 10):
        with pytest.raises((AssertionError, ValueError, TypeError, OverflowError, AttributeError, LookupError)):
            plain_draw.verify(changed.decode())
