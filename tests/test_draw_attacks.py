"""Every message at every step of a draw, on the page and in Python: both do the same, and a refusal changes nothing.

Messages are not signed, so anybody can make one. A message that does not fit must leave the draw as it was, to the
byte. Page and Python read one table of states, and are two programs besides.
"""

import json
from copy import copy
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from fairdeck import FairdeckError, Mat, Task, parse_goal
from fairdeck.trust.beacon import Beacon
from fairdeck.trust.draws import Drawn, own_of
from fairdeck.trust.files import Transcript
from fairdeck.trust.messages import (
    all_shown_message,
    announcement_message,
    commitment_message,
    demand_announcement,
    list_message,
    shown_message,
    take_message,
    write_letters,
)
from fairdeck.trust.states import SAYS, TABLE, Draw, Refused
from tests.draws import SECRETS, attempt, listed, product_draw, seed_draw
from tests.page_scripts import engine_of

PEOPLE = ("Ann", "Ben", "Cem")
CLOSED = Task(6, Mat(3, 1), classic=True)
AGREED = {
    "seed": seed_draw(Task(9, Mat(3, 1)), PEOPLE, note="stakes"),
    "product": product_draw((CLOSED, CLOSED, Task(6, Mat(3, 1), parse_goal("hands:2x3", 6), classic=True)), PEOPLE),
}
ORDERS = ((2, 0, 5, 1, 4, 3), (5, 4, 3, 2, 1, 0), (0, 2, 4, 1, 3, 5))
OWNS = {"seed": SECRETS, "product": tuple(own_of(one, [order]) for one, order in zip(SECRETS, ORDERS, strict=True))}
PAGES = {"seed": "together", "product": "two"}
HELPERS = """
let held = null;
function hold(kept) { held = unpacked(JSON.parse(kept)); return held !== null; }
function tried(act) {
  const draw = { ...held, commitments: [...held.commitments], owns: [...held.owns] };
  const before = JSON.stringify(packed(draw));
  try {
    const found = act(draw);
    return JSON.stringify([found[0], packed(found[1])]);
  } catch (error) {
    if (!(error instanceof DrawError)) throw error;
    if (JSON.stringify(packed(draw)) !== before) throw new Error("a refusal changed the draw");
    return JSON.stringify([error.message, null]);
  }
}
function taken(text) {
  const invited = readInvitation(text);
  return tried((draw) => (invited ? ["A", invitedTo(draw, invited)] : [take(draw, text), draw]));
}
function played() { return tried((draw) => { play(draw); return ["played", draw]; }); }
function event(name) { return tried((draw) => { draw.state = after(draw, name); return [name, draw]; }); }
function shown() { return (messageNow(held) || { text: "" }).text; }
function voided() { return hexOf(voidOf(held).before); }
function begun(text, me, own, collects) {
  const draw = newDraw(readInvitation(text), collects);
  join(draw, me, fromHex(own));
  return JSON.stringify(packed(draw));
}
function digest(text) { const found = readInvitation(text); return found ? hexOf(found.digest) : ""; }
function sessionEnd() { return JSON.stringify([codeOf(held), transcriptOf(held)]); }
"""


@pytest.fixture(scope="module", params=["seed", "product"])
def way(request):
    return request.param


@pytest.fixture(scope="module")
def engines():
    return {way: engine_of(page, "session", helpers=HELPERS) for way, page in PAGES.items()}


def packed(draw):
    """Return a draw as the page keeps it."""
    return {
        "agreement": draw.agreement.written.hex(),
        "me": draw.me,
        "collects": draw.collects,
        "own": draw.own.hex(),
        "state": draw.state,
        "commitments": [each.hex() for each in draw.commitments],
        "owns": [each.hex() for each in draw.owns],
        "voids": [],
    }


def copied(draw):
    other = copy(draw)
    other.commitments, other.owns = list(draw.commitments), list(draw.owns)
    return other


# --- the table


def test_every_cell_of_the_table_is_a_state_or_a_refusal_that_is_told(way):
    table, events = TABLE[way], set(TABLE["product"]["over"])
    for cells in table.values():
        assert set(cells) == events
        assert all(cell in table or cell in SAYS for cell in cells.values())
    refusals = {cell for cells in (*table.values(), *TABLE["roles"].values()) for cell in cells.values()} - set(table)
    assert refusals | set(TABLE["always"]) <= set(SAYS)


def test_page_and_python_go_through_every_cell_alike(engines, way):
    engine, agreement, owns = engines[way], AGREED[way], OWNS[way]
    for collects, state, event in product((True, False), TABLE[way], TABLE[way]["over"]):
        me = 0 if collects else 1
        draw = Draw(agreement, me, owns[me], collects=collects)
        draw.state = state
        assert engine.get("hold")(json.dumps(packed(draw)))
        try:
            wanted = [event, draw._after(event)]
        except Refused as refused:
            wanted = [refused.refusal, None]
        told, after = json.loads(engine.get("event")(event))
        assert [told, after and after["state"]] == wanted


def test_no_sequence_of_moves_shows_own_bytes_before_the_list_or_an_order_before_play_is_over(way):
    """All sequences of up to seven moves of one device: its cells alone decide."""
    table, events, paths = TABLE[way], [*TABLE[way]["over"]], 0
    for role in TABLE["roles"].values():
        runs = [("committed", ())]
        for _ in range(7):
            tried = [((role.get(e) or table[s][e]), (*path, e)) for s, path in runs for e in events]
            runs = [(state, path) for state, path in tried if state in table]
            paths += len(tried)
            for state, path in runs:
                begins = [at for at, event in enumerate(path) if event == "next"]
                this = path[begins[-1] + 1 if begins else 0 :]
                at = this.index("show") if "show" in this else 0
                assert not at or {"L", "C"} & set(this[:at])
                assert not at or way == "seed" or "played" in this[:at]
                assert state != "over" or {"R", "S"} & set(this)
                assert "played" not in path or "next" not in path[path.index("played") :]
    assert paths > 2_000


# --- the messages that anybody can make who knows the announcement


def letters(agreement, kind, *parts):
    return write_letters(kind, agreement.digest[:8] + b"".join(parts))


def forged_owns(way):
    secrets = [bytes([place]) * 32 for place in (7, 8, 9)]
    return secrets if way == "seed" else [own_of(each, [order]) for each, order in zip(secrets, ORDERS, strict=True)]


def lists(true, forged):
    """Yield lists of commitments: the true one, forged ones, a copy, and people in another order."""
    yield from (true, (*true[:2], forged[2]), (forged[0], true[1], true[2]), (true[0], forged[1], true[2]))
    yield (true[0], true[1], true[1])
    yield (true[1], true[0], true[2])


def digest_of(agreement, chosen):
    """Return the hash of a list that may have copies, which `Attempt` refuses."""
    from fairdeck.trust.fields import hashed

    return hashed("list", agreement.written, *chosen)


def messages(way):
    agreement, owns, false = AGREED[way], OWNS[way], forged_owns(way)
    true, forged = listed(agreement, owns).commitments, listed(agreement, false).commitments
    for person in range(3):
        odd = person == 1  # the one for whom others make messages
        for each in (true[person], forged[person], true[2])[: 3 if odd else 1]:
            yield letters(agreement, "C", bytes([person]), each)
        for own, chosen in product((owns[person], false[person]), lists(true, forged)):
            if odd or (own is owns[person] and chosen == true):
                yield letters(agreement, "R", bytes([person]), own, digest_of(agreement, chosen))
    for chosen in lists(true, forged):
        yield letters(agreement, "L", *chosen)
        for shown in (owns, (*owns[:2], false[2]), (owns[1], owns[0], owns[2])):
            yield letters(agreement, "S", *shown, digest_of(agreement, chosen))
    other = replace(agreement, session=bytes(16))
    whole = attempt(other, owns)
    yield from (commitment_message(other, person, whole.commitments[person]) for person in range(3))
    yield from (shown_message(whole, person, owns[person]) for person in range(3))
    yield from (list_message(whole), all_shown_message(whole))
    one = letters(agreement, "C", b"\x01", true[1])
    yield from (letters(agreement, "C", b"\x03", true[0]), letters(agreement, "C", b"\x01", true[1], b"\0"))
    yield from (letters(agreement, "L", *true[:2]), letters(agreement, "S", *owns), letters(agreement, "R"))
    yield from ("", "hello", "T1-C", "T1-C-0000-0000", "T2-C-0000", "T1-X-0000-0ENK-HQMG", one[:-1], "T1-V-0000")


def announcements(way):
    agreement, owns = AGREED[way], OWNS[way]
    void = attempt(agreement, owns, (owns[0], b"", owns[2]))
    following, deals = agreement.again(bytes([5]) * 16, void.named), agreement.deals
    changes = [
        *({}, {"attempt": 3}, {"attempt": 1000}, {"decks": 2}, {"note": "steaks"}, {"deadline": "2026-12-01T18:00Z"}),
        *({"people": ("Ann", "Cem", "Ben")}, {"people": ("Ann", "Ben", "\u0421em")}, {"before": bytes(64)}),
        *({"names": tuple("abcdefghi"[: deals[0].cards])}, {"called": ("deck",)}, {"session": agreement.session}),
        {"deals": (replace(deals[0], mat=Mat(1, 3)), *deals[1:])},
    ]
    changes += [{"beacon": Beacon(bytes(32), 5)}] if way == "seed" else []
    yield agreement
    yield replace(agreement, session=bytes(16))
    for change in changes:
        yield replace(following, **change)


def outcome(draw, text):
    """Return what a message does in Python: the kind or the refusal, and the draw after it."""
    after = copied(draw)
    try:
        return take_message(after, text), after
    except Refused as refused:
        told = refused.refusal
    except FairdeckError:
        told = "notMessage"
    assert packed(after) == packed(draw), "a refusal changed the draw"
    return told, draw


def reached(draw, pool):
    """Return every state that messages and the end of play lead to."""
    found, new = {json.dumps(packed(draw)): draw}, [draw]
    while new:
        state = new.pop()
        after = [outcome(state, text)[1] for text in pool]
        with_play = copied(state)
        try:
            with_play.play()
            after.append(with_play)
        except Refused:
            pass
        for each in after:
            if (key := json.dumps(packed(each))) not in found:
                found[key] = each
                new.append(each)
    return list(found.values())


ROLES = {"collects": 0, "answers": 1}


@pytest.mark.cases(1)
@pytest.mark.parametrize("role", ROLES)
def test_every_message_in_every_state_does_the_same_on_the_page_and_in_python(engines, way, role):
    engine, agreement, me = engines[way], AGREED[way], ROLES[role]
    draw, pool = Draw(agreement, me, OWNS[way][me], collects=role == "collects"), list(messages(way))
    begun = engine.get("begun")(announcement_message(agreement), me, OWNS[way][me].hex(), role == "collects")
    assert json.loads(begun) == packed(draw)
    states, heard = reached(draw, pool), set()
    assert {state.state for state in states} == set(TABLE[way])
    for state in states:
        engine.get("hold")(json.dumps(packed(state)))
        sent = engine.get("shown")()
        if state.state == "committed" or (way == "product" and state.state == "listed"):
            assert not sent.startswith(("T1-R", "T1-S")), "nothing of one's own leaves too early"
        for text in pool:
            told, after = outcome(state, text)
            found, page = json.loads(engine.get("taken")(text))
            assert found == told, (state.state, text)
            assert page == (None if after is state and told in SAYS else packed(after)), (state.state, text)
            heard.add(told)
        assert played_alike(engine, state)
    always = {"notMessage", "otherDraw", "listFirst", "otherList", "falseSecret", "copiedCommitment", "isOver"}
    own = {
        "collects": {"changedCommitment", "ownMessage", "C", "R"},
        "answers": {"ownAstray", "notCollecting", "L", "S"},
    }
    assert heard == always | own[role] | ({"tooEarly"} if way == "product" else set())


def played_alike(engine, state):
    after = copied(state)
    try:
        after.play()
        wanted = ["played", packed(after)]
    except Refused as refused:
        wanted = [refused.refusal, None]
    return json.loads(engine.get("played")()) == wanted


@pytest.mark.parametrize("role", ROLES)
def test_a_next_attempt_is_taken_only_if_it_changes_nothing_else(engines, way, role):
    engine, agreement, me = engines[way], AGREED[way], ROLES[role]
    draw, heard = Draw(agreement, me, OWNS[way][me], collects=role == "collects"), set()
    for state in reached(draw, list(messages(way))):
        engine.get("hold")(json.dumps(packed(state)))
        for following in announcements(way):
            text = announcement_message(following)
            told, _ = outcome(state, text)
            found, page = json.loads(engine.get("taken")(text))
            heard.add(told)
            # The page may leave a finished draw, and knows its own announcement again; beacons are not for it.
            if found != told:
                program = following.beacon or (way == "product" and following.decks > 1)
                leaves = told == "otherDraw" and (following == agreement or state.state == "over")
                assert found == ("byProgram" if program else "A" if leaves else told), (state.state, following)
            elif found == "A":
                assert page["agreement"] == following.written.hex()
                assert (page["me"], page["collects"], page["own"]) == (-1, False, "")
    own = {"ownMessage"} if role == "collects" else {"otherTerms", "skipsAttempt", "A"}
    assert heard == {"otherDraw", "notVoid"} | own


def test_the_page_names_a_void_attempt_as_python_does(engines, way):
    engine, draw = engines[way], Draw(AGREED[way], 0, OWNS[way][0], collects=True)
    for state in reached(draw, list(messages(way))):
        if TABLE[way][state.state]["next"] in TABLE[way]:
            engine.get("hold")(json.dumps(packed(state)))
            assert engine.get("voided")() == state.void().named.hex()
        else:
            with pytest.raises(Refused, match="void"):
                state.void()


def test_the_page_writes_the_transcript_that_python_writes(engines, way):
    engine, agreement, owns = engines[way], AGREED[way], OWNS[way]
    draw = Draw(agreement, 0, owns[0], collects=True)
    draw.commitments, draw.owns, draw.state = list(listed(agreement, owns).commitments), list(owns), "over"
    drawn = Drawn(draw.attempt)
    assert engine.get("hold")(json.dumps(packed(draw)))
    assert json.loads(engine.get("sessionEnd")()) == [drawn.code, Transcript(drawn).to_json()]
    void = attempt(agreement, owns, (owns[0], b"", owns[2]))
    second = agreement.again(bytes(16), void.named)
    again = Draw(second, 0, owns[0], collects=True)
    again.commitments, again.owns, again.state = list(listed(second, owns).commitments), list(owns), "over"
    transcript = Transcript(Drawn(again.attempt), voids=(void,))
    fields = json.loads(transcript.to_json())["voids"]
    assert engine.get("hold")(json.dumps({**packed(again), "voids": fields}))
    assert json.loads(engine.get("sessionEnd")())[1] == transcript.to_json()
    assert engine.get("hold")(json.dumps(packed(again)))
    assert json.loads(engine.get("sessionEnd")())[1] == "", "a guest does not know the void attempts"


def test_forged_messages_between_the_true_ones_do_not_end_a_draw(way):
    """Ann collects, and 12 forged or replayed messages come before each true one, in 40 orders."""
    agreement, owns, chance, pool = AGREED[way], OWNS[way], Random(34), list(messages(way))
    whole = attempt(agreement, owns)
    true = [commitment_message(agreement, person, whole.commitments[person]) for person in (1, 2)]
    true += [shown_message(whole, person, owns[person]) for person in (1, 2)]
    own = shown_message(whole, 0, owns[0])  # nobody else knows this
    hostile = [text for text in pool if not text.startswith("T1-C") and text not in (*true, own)]
    own_c = commitment_message(agreement, 0, whole.commitments[0])
    late = [text for text in pool if text.startswith("T1-C") and text not in (*true, own_c)]
    for _ in range(40):
        draw = Draw(agreement, 0, owns[0], collects=True)
        for place, text in enumerate(true):
            if place == 2 and way == "product":
                draw.play()
            for forged in chance.sample(hostile, 12) + chance.sample(late, 4) * (place >= 2):
                told, after = outcome(draw, forged)
                assert after is draw, told
            take_message(draw, text)
        assert Drawn(draw.attempt).code == Drawn(whole).code


def test_no_text_that_is_too_long_is_read(engines, way):
    engines[way].get("hold")(json.dumps(packed(Draw(AGREED[way], 0, OWNS[way][0], collects=True))))
    assert json.loads(engines[way].get("taken")("T1-C-" + "0" * 3_000_000)) == ["notMessage", None]


def test_page_and_python_read_the_same_agreements(engines, way):
    """A changed byte of an agreement is refused by both, or has another hash in both."""
    agreement, same, differently = AGREED[way], 0, 0
    for place in range(len(agreement.written)):
        altered = bytearray(agreement.written)
        altered[place] ^= 1 << place % 8
        text = write_letters("A", bytes(altered))
        try:
            expected = demand_announcement(text)
        except FairdeckError:
            expected = None
        found = engines[way].get("digest")(text)
        assert found == (expected.digest.hex() if expected and expected.way == way else ""), place
        same += bool(found)
        differently += not found
    assert min(same, differently) > 20
