"""Every message at every step of a draw made together: a refusal changes nothing, on the page and in the terminal.

Messages are not signed, so anybody can make one. A message that does not fit must leave the draw as it was, to the
byte. The steps are written here a third time, as `expected`, from the rules and with nothing but the hashes.
"""

import json
from dataclasses import dataclass, replace
from itertools import product
from random import Random

import pytest

from fairdeck import FairdeckError, Mat, Task
from fairdeck.cli.commands import together as terminal
from fairdeck.dealing.letters import write_letters
from fairdeck.dealing.messages import (
    commitment_message,
    invitation,
    list_message,
    read_message,
    read_secrets,
    secret_message,
    secrets_message,
)
from fairdeck.dealing.together import Agreement, Beacon, Drawn, Sealed
from tests.page_scripts import engine_of

PEOPLE = ("Ann", "Ben", "Cem")
AGREED = Agreement(Task(9, Mat(3, 1)), PEOPLE, bytes(range(16)), note="stakes")
OTHER = replace(AGREED, session=bytes(16))
SECRETS = tuple(bytes([place]) * 32 for place in (1, 2, 3))
FALSE = tuple(bytes([place]) * 32 for place in (7, 8, 9))
TRUE, FORGED = ([AGREED.commitment(person, each) for person, each in enumerate(given)] for given in (SECRETS, FALSE))
NAMED = AGREED.named_void(TRUE, (SECRETS[0], b"", SECRETS[2]))
HELPERS = """
let held = null;
function hold(kept) { held = unpacked(JSON.parse(kept)); }
function taken(text) {
  const draw = { ...held, commitments: [...held.commitments], secrets: [...held.secrets] };
  const before = JSON.stringify(packed(draw));
  try {
    const invited = readInvitation(text);
    if (invited) return JSON.stringify(["A", packed(invitedTo(draw, invited))]);
    const kind = take(draw, text);
    return JSON.stringify([kind, packed(draw)]);
  } catch (error) {
    if (!(error instanceof DrawError)) throw error;
    if (JSON.stringify(packed(draw)) !== before) throw new Error("a refusal changed the draw");
    return JSON.stringify([error.message, null]);
  }
}
function begun(text, me, secret, collects) {
  const draw = newDraw(readInvitation(text), collects);
  if (me >= 0) join(draw, me, fromHex(secret));
  return JSON.stringify(packed(draw));
}
function shown() { return (messageNow(held) || { text: "" }).text; }
function over() { return seedDrawn(held) !== null; }
function voided() { return hexOf(namedVoid(held)); }
"""


@pytest.fixture(scope="module")
def engine():
    return engine_of("together", "session", helpers=HELPERS)


# --- the messages that anybody can make who knows the invitation


def lists():
    """Yield lists of commitments: the true one, forged ones, copies, and people in another order."""
    yield from product(*zip(TRUE, FORGED, strict=True))
    yield (TRUE[0], TRUE[1], TRUE[1])
    yield (TRUE[1], TRUE[1], TRUE[2])
    yield (TRUE[1], TRUE[0], TRUE[2])


def letters(kind, *parts, agreement=AGREED):
    return write_letters("T1", kind, agreement.digest[:8] + b"".join(parts))


def digest_of(chosen):
    """Return the hash of a list that may have copies, which `Sealed` refuses."""
    from fairdeck.dealing.together import _hash

    return _hash("list", AGREED.written, *chosen)


def messages():
    """Return all messages by name."""
    return dict([*of_one_person(), *of_all(), *of_other_draws(), *no_messages(), *invitations()])


def of_one_person():
    for person in range(3):
        for how, each in (("true", TRUE[person]), ("forged", FORGED[person]), ("copied", TRUE[(person + 1) % 3])):
            yield f"C {person} {how}", Sent(letters("C", bytes([person]), each), "C", person, each)
        for secret, chosen in product((SECRETS[person], FALSE[person]), lists()):
            name = f"R {person} {secret[0]} {[TRUE.index(c) if c in TRUE else -1 for c in chosen]}"
            digest = digest_of(chosen)
            yield name, Sent(letters("R", bytes([person]), secret, digest), "R", person, secret, digest)


def of_all():
    for place, chosen in enumerate(lists()):
        yield f"L {place}", Sent(letters("L", *chosen), "L", content=chosen)
        for owns in (SECRETS, (*SECRETS[:2], FALSE[2]), (SECRETS[1], SECRETS[0], SECRETS[2])):
            name, digest = f"S {place} {[own[0] for own in owns]}", digest_of(chosen)
            yield name, Sent(letters("S", *owns, digest), "S", content=owns, digest=digest)


def of_other_draws():
    other = Sealed(OTHER, tuple(OTHER.commitment(person, each) for person, each in enumerate(SECRETS)))
    texts = [commitment_message(OTHER, person, other.commitments[person]) for person in range(3)]
    texts += [secret_message(other, person, SECRETS[person]) for person in range(3)]
    for text in (*texts, list_message(other), secrets_message(other, SECRETS)):
        yield f"replayed {text}", Sent(text, "otherDraw")


def no_messages():
    odd = [letters("C", b"\x03", TRUE[0]), letters("R", b"\xff", SECRETS[0], digest_of(TRUE))]
    odd += [letters("C", b"\x01", TRUE[1][:-1]), letters("C", b"\x01", TRUE[1], b"\0"), letters("R")]
    odd += [letters("L", *TRUE[:2]), letters("L", *TRUE, TRUE[0]), letters("S", *SECRETS)]
    for place, text in enumerate(odd):
        yield f"odd {place}", Sent(text, "notMessage")
    whole = letters("C", b"\x01", TRUE[1])
    for text in (
        "",
        "hello",
        "T1-C",
        "T1-C-0000-0000",
        "T2-C-0000",
        "T1-X-0000-0ENK-HQMG",
        whole[:-1],
        whole.replace("T1", "T3"),
    ):
        yield f"no message {text}", Sent(text, "noMessage")


def invitations():
    following = AGREED.again(bytes([5]) * 16, NAMED)
    changes = [
        *({}, {"attempt": 3}, {"attempt": 1000}, {"decks": 2}, {"note": "steaks"}, {"deadline": "2026-12-01T18:00Z"}),
        *({"task": Task(9, Mat(1, 3))}, {"task": Task(9, Mat(3, 1), classic=True)}, {"task": Task(8, Mat(3, 1))}),
        *({"people": PEOPLE[:2]}, {"people": (*PEOPLE, "Dan")}, {"people": ("Ann", "Cem", "Ben")}),
        *({"people": ("Ann", "Ben", "\u0421em")}, {"names": tuple("abcdefghi")}, {"before": bytes(64)}),
        *({"before": NAMED[32:] + NAMED[:32]}, {"beacon": Beacon(bytes(32), 5)}, {"session": AGREED.session}),
    ]
    for agreement in (AGREED, OTHER, *(replace(following, **change) for change in changes)):
        text = invitation(agreement)
        yield text, Sent(text, "A", content=agreement)


@dataclass(frozen=True)
class Sent:
    """A message: its text, and what it is."""

    text: str
    kind: str
    person: int = -1
    content: object = None
    digest: bytes = b""


# --- the rules, once more


@dataclass(frozen=True)
class State:
    """What one device knows of the draw."""

    me: int
    collects: bool
    sealed: bool = False
    commitments: tuple[bytes, ...] = (b"",) * 3
    secrets: tuple[bytes, ...] = (b"",) * 3

    @property
    def over(self):
        return self.sealed and all(self.secrets)

    def packed(self):
        secret = SECRETS[self.me].hex() if self.me >= 0 else ""
        return {
            "agreement": AGREED.written.hex(),
            "me": self.me,
            "collects": self.collects,
            "secret": secret,
            "sealed": self.sealed,
            "commitments": [each.hex() for each in self.commitments],
            "secrets": [each.hex() for each in self.secrets],
        }


def begun(me, collects):
    return State(me, collects, commitments=tuple(TRUE[each] if each == me else b"" for each in range(3)))


def put(values, person, value):
    return (*values[:person], value, *values[person + 1 :])


def expected(state, sent):
    """Return what a message does: the name of the refusal, and the state after it."""
    if sent.kind == "A":
        return invited(state, sent.content)
    if sent.kind == "noMessage":
        return "notMessage", state
    if state.collects is (sent.text[3] in "LS"):
        return "ownMessage" if state.collects else "notCollecting", state
    if sent.kind in ("otherDraw", "notMessage"):
        return sent.kind, state
    return {"C": committed, "L": listed, "R": shown, "S": shown}[sent.kind](state, sent)


def invited(state, agreement):
    if agreement.beacon:
        return "hasBeacon", state
    if agreement == AGREED:
        return "A", state
    calls = agreement.before[:32] == AGREED.digest
    if state.over:
        return ("notVoid", state) if calls else ("A", None)
    if not calls:
        return "stillDrawing", state
    if state.collects:
        return "ownMessage", state
    return ("A", None) if agreement == AGREED.again(agreement.session, agreement.before) else ("otherTerms", state)


def committed(state, sent):
    before = state.commitments[sent.person]
    if before and before != sent.content:
        return "changedCommitment", state
    if sent.content in put(state.commitments, sent.person, b""):
        return "copiedCommitment", state
    commitments = put(state.commitments, sent.person, sent.content)
    return "C", replace(state, commitments=commitments, sealed=all(commitments))


def listed(state, sent):
    if state.me < 0:
        return "whoFirst", state
    if sent.content[state.me] != TRUE[state.me]:
        return "ownAstray", state
    if state.sealed and sent.content != state.commitments:
        return "otherList", state
    if len(set(sent.content)) < 3:
        return "copiedCommitment", state
    return "L", replace(state, commitments=sent.content, sealed=True)


def shown(state, sent):
    if not state.sealed:
        return "listFirst", state
    if sent.digest != digest_of(state.commitments):
        return "otherList", state
    owns = {sent.person: sent.content} if sent.kind == "R" else dict(enumerate(sent.content))
    if any(AGREED.commitment(person, own) != state.commitments[person] for person, own in owns.items()):
        return "falseSecret", state
    secrets = tuple(owns.get(person, own) for person, own in enumerate(state.secrets))
    if state.collects and all(own or person == state.me for person, own in enumerate(secrets)):
        secrets = put(secrets, state.me, SECRETS[state.me])
    return sent.kind, replace(state, secrets=secrets)


def reached(start, pool):
    """Return every state that messages of the pool lead to."""
    states, new = {start}, [start]
    while new:
        state = new.pop()
        for sent in pool.values():
            after = expected(state, sent)[1]
            if after and after not in states:
                states.add(after)
                new.append(after)
    return states


POOL = messages()
ROLES = {"answers": begun(1, False), "collects": begun(0, True), "has not said who": begun(-1, False)}


@pytest.mark.cases(1)
@pytest.mark.parametrize("role", ROLES)
def test_every_message_in_every_state_does_on_the_page_what_the_rules_say(engine, role):
    start = ROLES[role]
    assert (
        json.loads(engine.get("begun")(invitation(AGREED), start.me, SECRETS[max(start.me, 0)].hex(), start.collects))
        == start.packed()
    )
    states, heard = reached(start, POOL), set()
    assert len(states) >= (2 if start.me < 0 else 5) - (start.me < 0)
    for state in states:
        engine.get("hold")(json.dumps(state.packed()))
        assert engine.get("over")() is state.over
        if not state.sealed or (not state.collects and state.me < 0):
            assert "T1-R" not in engine.get("shown")(), "no secret leaves before a list with one's commitment"
        for name, sent in POOL.items():
            told, after = expected(state, sent)
            found, packed = json.loads(engine.get("taken")(sent.text))
            assert found == told, (role, state, name)
            heard.add(told)
            if after is None:
                assert packed["agreement"] == sent.content.written.hex()
                assert (packed["me"], packed["collects"], packed["secret"]) == (-1, False, "")
            elif packed is not None:
                assert packed == after.packed(), (role, state, name)
            else:
                assert after == state
    wanted = {"notMessage", "otherDraw", "hasBeacon", "stillDrawing", "A"}
    wanted |= {
        "collects": {
            "changedCommitment",
            "copiedCommitment",
            "listFirst",
            "otherList",
            "falseSecret",
            "notVoid",
            "ownMessage",
            "C",
            "R",
        },
        "answers": {
            "ownAstray",
            "copiedCommitment",
            "otherList",
            "falseSecret",
            "notVoid",
            "otherTerms",
            "notCollecting",
            "listFirst",
            "L",
            "S",
        },
        "has not said who": {"whoFirst", "notCollecting", "listFirst", "otherTerms"},
    }[role]
    assert heard == wanted


@pytest.mark.parametrize("role", ["collects", "answers"])
def test_every_message_in_every_state_does_the_same_in_the_terminal(role):
    """The terminal asks for one message after the other: what it takes, and what it knows afterwards, is the same."""
    for state in reached(ROLES[role], POOL):
        if state.over:
            continue  # the program has ended
        for name, sent in POOL.items():
            _, after = expected(state, sent)
            assert in_terminal(state, sent) == (after if sent.kind != "A" or after is None else state), (state, name)


def in_terminal(state, sent):
    """Return the state after the terminal has read a message; None if it leaves for another draw."""
    committed, shown = terminal.Gathered(PEOPLE), terminal.Gathered(PEOPLE)
    committed.got = {person: each for person, each in enumerate(state.commitments) if each}
    shown.got = {person: each for person, each in enumerate(state.secrets) if each}
    try:
        if not state.collects and not state.sealed:
            sealed = terminal._list_with(AGREED, sent.text, state.me, TRUE[state.me])
            return replace(state, sealed=True, commitments=sealed.commitments)
        if not state.collects:
            sealed = Sealed(AGREED, state.commitments)
            drawn = Drawn(sealed, read_secrets(sealed, terminal._heard(AGREED, sent.text)))
            return replace(state, secrets=drawn.secrets)
        if not state.sealed:
            terminal._committed_by(AGREED, read_message(sent.text), committed)
        else:
            terminal._shown_by(Sealed(AGREED, state.commitments), read_message(sent.text), shown)
    except terminal.Again as again:
        assert again.agreement == sent.content
        return None
    except FairdeckError as error:
        assert "\n" not in str(error)
        assert (committed.all(), shown.all()) == (state.commitments, state.secrets)
        return state
    secrets = shown.all()
    if state.sealed and all(own or person == state.me for person, own in enumerate(secrets)):
        secrets = put(secrets, state.me, SECRETS[state.me])
    return replace(state, commitments=committed.all(), secrets=secrets, sealed=not committed.missing)


def test_the_page_names_a_void_attempt_as_python_does(engine):
    for state in reached(ROLES["collects"], POOL):
        shown = put(state.secrets, 0, SECRETS[0] if state.sealed else b"")
        engine.get("hold")(json.dumps(state.packed()))
        assert engine.get("voided")() == AGREED.named_void(state.commitments, shown).hex()


def test_forged_messages_between_the_true_ones_do_not_end_a_draw(engine):
    """Ann collects, and 12 forged or replayed messages come before each true one, in 60 orders."""
    chance, true = Random(34), ["C 1 true", "C 2 true", "R 1 2 [0, 1, 2]", "R 2 3 [0, 1, 2]"]
    own = {"R 0 1 [0, 1, 2]", *true}  # nobody else knows these secrets
    hostile = [sent for name, sent in POOL.items() if sent.kind != "C" and name not in own]
    hold, take = engine.get("hold"), engine.get("taken")
    for _ in range(60):
        hold(json.dumps(ROLES["collects"].packed()))
        for place, name in enumerate(true):
            second = [POOL["C 1 forged"], POOL["C 2 copied"], POOL["C 0 forged"]] if place >= 2 else []
            for sent in chance.sample(hostile, 12) + second:
                assert json.loads(take(sent.text))[1] is None or sent.kind == "A"
            told, packed = json.loads(take(POOL[name].text))
            assert told == name[0]
            hold(json.dumps(packed))
        assert engine.get("over")()


def test_no_text_that_is_too_long_is_read_by_the_page(engine):
    engine.get("hold")(json.dumps(ROLES["collects"].packed()))
    assert json.loads(engine.get("taken")("T1-C-" + "0" * 3_000_000)) == ["notMessage", None]
