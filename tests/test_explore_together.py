"""The page on which several phones draw one order: its hashes are those of Python; and the page as a table uses it."""

import json
from dataclasses import replace
from hashlib import sha256
from random import Random

import pytest

from fairdeck import Mat, Task, TopCards
from fairdeck.dealing.letters import write_letters
from fairdeck.dealing.messages import (
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
from fairdeck.dealing.share_code import write_code
from fairdeck.dealing.together import Agreement, Drawn, Sealed
from tests.page_scripts import engine_of
from tests.phones import by_camera, pasted, scanned
from tests.player import LANDSCAPE, SMALL
from tests.test_together import AGREED, RICH, SECRETS, field, sealed

HELPERS = """
let draws = [];
const copied = (draw) => unpacked(JSON.parse(JSON.stringify(packed(draw))));
function hash(hex) { return hexOf(sha256(fromHex(hex))); }
function digest(text) {
  const found = readInvitation(text);
  return found ? hexOf(found.digest) : "";
}
function seat(text, me, secret, collects) {
  const place = draws.push(newDraw(readInvitation(text), collects)) - 1;
  join(draws[place], me, fromHex(secret));
  return place;
}
function says(place) { return (messageNow(draws[place]) || { text: "" }).text; }
function hears(place, text) {
  try {
    const next = copied(draws[place]), kind = take(next, text);
    draws[place] = next;
    return kind;
  } catch (error) {
    if (error instanceof DrawError) return error.message;
    throw error;
  }
}
function ends(place) {
  const seed = seedDrawn(draws[place]);
  return seed ? JSON.stringify([hexOf(seed), resultCode(seed), orderOf(draws[place].agreement, seed, 0)]) : "";
}
"""


@pytest.fixture(scope="module")
def engine():
    return engine_of("together", "session", helpers=HELPERS)


def test_the_hash_is_sha256_at_every_length_up_to_two_blocks(engine):
    chance = Random(1)
    for size in [*range(140), 1000, 5000]:
        content = chance.randbytes(size)
        assert engine.get("hash")(content.hex()) == sha256(content).hexdigest()


@pytest.mark.parametrize(
    "agreement",
    [AGREED, RICH, Agreement(Task(52, Mat(4, 1), TopCards(9), dealers=2), ("Ann", "Ben"), bytes(16))],
)
def test_the_page_reads_an_agreement_as_python_writes_it(engine, agreement):
    assert engine.get("digest")(invitation(agreement)) == agreement.digest.hex()


def test_the_page_refuses_what_python_refuses(engine):
    """A changed byte of an agreement is refused by both, or has another hash in both."""
    same = differently = 0
    for place in range(len(RICH.written)):
        altered = bytearray(RICH.written)
        altered[place] ^= 1 << place % 8
        text = write_letters("T1", "A", bytes(altered))
        try:
            expected = read_invitation(text).digest.hex()
        except ValueError:
            expected = ""
        found = engine.get("digest")(text)
        assert found == expected, place
        same += bool(found)
        differently += not found
    assert same > 60
    assert differently > 60


@pytest.mark.parametrize(
    "people",
    [
        ("Ann", "\u3164"),
        ("Ann", "\u2800"),
        ("Ann", "Ann\uffa0"),
        ("Ann", "\ufe0f"),
        ("Ann", "Ann\ufe0f"),
        ("Ann", "\u0301"),
        ("Ann", "\uff21nn"),
        ("Ann", "\U0001d400nn"),
        ("Ann", "Be\u0301"),
        ("Ann", "\u202eBen"),
        ("Ann", "B\u200bn"),
        ("Ann", "A  B"),
        ("Ann", " Ben"),
        ("Ann", "Ben\n"),
        ("stra\u00dfe", "STRASSE"),
        ("\u1e9e", "\u00df"),
        ("\u0130", "i\u0307"),
        ("Ann", "x" * 41),
        ("Ann", "\u0410nn"),
        ("\u0930\u093e\u092e", "\U0001f3b4\ufe0f \u2460"),
    ],
)
def test_the_page_takes_the_names_that_python_takes(engine, people):
    marked = Agreement(AGREED.task, ("Ann", "PLACEHOLDER"), SECRETS[0][:16]).written
    names = [b"".join(map(field, (one.encode() for one in pair))) for pair in (("Ann", "PLACEHOLDER"), people)]
    text = write_letters("T1", "A", marked.replace(*map(field, names)))
    try:
        expected = read_invitation(text).digest.hex()
    except ValueError:
        expected = ""
    assert engine.get("digest")(text) == expected
    assert bool(expected) is (people[1] in ("STRASSE", "\u0410nn", "\U0001f3b4\ufe0f \u2460"))


def test_three_phones_and_python_make_the_same_draw(engine):
    invited = invitation(AGREED)
    first, second, third = (engine.get("seat")(invited, me, SECRETS[me].hex(), me == 0) for me in range(3))
    says, hears = engine.get("says"), engine.get("hears")
    assert says(first) == invited
    whole = sealed()
    for place in (second, third):
        assert says(place) == commitment_message(AGREED, place - first, whole.commitments[place - first])
        assert hears(first, says(place).lower()) == "C"
    assert read_list(AGREED, read_message(says(first))) == whole
    for place in (second, third):
        assert hears(place, f"http://deck.test/together.html#{says(first).replace('-', '')}") == "L"
        assert read_secret(whole, read_message(says(place))) == (place - first, SECRETS[place - first])
        assert hears(first, says(place)) == "R"
    assert says(first) == secrets_message(whole, SECRETS)
    assert read_secrets(whole, read_message(says(first))) == SECRETS
    drawn = Drawn(whole, SECRETS)
    for place in (first, second, third):
        if place != first:
            assert hears(place, says(first)) == "S"
        assert json.loads(engine.get("ends")(place)) == [drawn.seed.hex(), drawn.code, list(drawn.order())]


def test_cheating_is_heard_by_the_page(engine):
    says, hears = engine.get("says"), engine.get("hears")
    first, second = (engine.get("seat")(invitation(AGREED), me, SECRETS[me].hex(), me == 0) for me in range(2))
    honest = sealed()
    other = sealed(AGREED, (SECRETS[0], bytes(32), SECRETS[2]))
    assert hears(second, list_message(other)) == "ownAstray"
    assert hears(first, list_message(honest)) == "ownMessage", "else one person could bring the seals of all others"
    assert hears(first, commitment_message(AGREED, 1, honest.commitments[0])) == "copiedCommitment"
    assert hears(first, says(second)) == "C"
    assert hears(first, commitment_message(AGREED, 1, other.commitments[1])) == "changedCommitment"
    assert hears(first, secret_message(honest, 1, SECRETS[1])) == "listFirst"
    assert hears(first, commitment_message(AGREED, 2, honest.commitments[2])) == "C"
    assert hears(first, secret_message(other, 1, SECRETS[1])) == "otherList"
    forged = write_letters("T1", "R", AGREED.digest[:8] + b"\x01" + bytes(32) + honest.digest)
    assert hears(first, forged) == "falseSecret"
    assert hears(first, "T1-C-0000-0000") == "notMessage"
    assert hears(first, says(second)[:-1]) == "notMessage"
    replayed = Agreement(AGREED.task, AGREED.people, bytes(16), note=AGREED.note)
    assert hears(first, commitment_message(replayed, 1, honest.commitments[1])) == "otherDraw"
    assert hears(first, invitation(replayed)) == "wasInvitation"
    assert engine.get("ends")(first) == ""


@pytest.fixture
def phones(phones_with):
    """Open the page on phones of their own."""
    return phones_with("together")


def begun(page, people="Ann, Ben, Çem", **fields):
    page.fill("#people", people)
    for name, value in fields.items():
        page.fill(f"#{name}", value)
    page.click("#plan button")


def test_three_phones_draw_by_camera_and_by_hand_and_deal(phones):
    first, second, third = phones(), phones(LANDSCAPE), phones(SMALL)
    begun(first)
    for page, name in ((second, "Ben"), (third, "Çem")):
        page.goto(scanned(first))
        page.click(f"#who button:has-text('{name}')")
        assert by_camera(first, scanned(page)) == "A seal came."
    first.reload()
    assert "Still missing: Ben, Çem" in first.text_content("#how"), "sealed; their secrets are missing"
    second.goto(scanned(first))
    assert pasted(third, first.input_value("#sent").lower().replace("-", " ")) == "The list came. Your seal is in it."
    assert by_camera(first, scanned(third)) == "A secret came, and it fits its seal."
    assert pasted(first, second.input_value("#sent")) == "All secrets fit their seals. The order is drawn."
    for page in (second, third):
        page.goto(scanned(first))
    assert len({page.text_content("#word") for page in (first, second, third)}) == 1
    links = {page.get_attribute("#deal", "href") for page in (first, second, third)}
    assert len(links) == 1
    third.click("#deal")
    third.wait_for_selector("text=Deal from the top")
    assert third.url.endswith("/")


def test_a_phone_that_fell_asleep_goes_on_where_it_was(phones):
    """Reloaded at every step, and the page closed in between."""
    first, second = phones(), phones()
    begun(first, "Ann, Ben", size="9", each="3")
    second.goto(scanned(first))
    second.click("#who button:has-text('Ben')")
    for page in (first, second):
        page.reload()
    pasted(first, second.input_value("#sent"))
    context = second.context
    second.close()
    second = context.new_page()
    second.goto(scanned(first))
    first.reload()
    pasted(first, second.input_value("#sent"))
    second.goto(scanned(first))
    assert first.text_content("#word") == second.text_content("#word")
    assert "9 cards, hands:2x3+stock" in second.text_content("#agreed")
    code = first.get_attribute("#deal", "href")
    assert code.startswith("./#f1.9.5x2.hands_2x3-stock.pass.")


def test_the_order_is_the_one_that_python_computes_from_the_messages(phones):
    first, second = phones(), phones()
    begun(first, "Ann, Ben", size="20")
    agreement = read_invitation(scanned(first))
    second.goto(scanned(first))
    second.click("#who button:has-text('Ben')")
    pasted(first, second.input_value("#sent"))
    whole = read_list(agreement, read_message(first.input_value("#sent")))
    second.goto(scanned(first))
    pasted(first, second.input_value("#sent"))
    drawn = Drawn(whole, read_secrets(whole, read_message(scanned(first))))
    assert first.text_content("#word") == drawn.code
    assert first.get_attribute("#deal", "href") == f"./#{write_code(agreement.task, drawn.order())}"


def test_who_does_not_answer_makes_the_draw_void_by_number(phones):
    first, second = phones(), phones()
    begun(first, "Ann, Ben")
    before = read_invitation(scanned(first))
    second.goto(scanned(first))
    second.click("#who button:has-text('Ben')")
    first.click("#void")
    assert first.text_content("#said") == "Attempt 1 is void. Missing: Ben. Everybody begins again."
    again = read_invitation(scanned(first))
    assert before.is_next(again)
    assert "Attempt 2: the one before is void." in first.text_content("#agreed")
    assert pasted(first, second.input_value("#sent")) == "This message belongs to another draw."
    assert by_camera(second, scanned(first)) == ""
    assert second.text_content("#step") == "Who are you?"


def test_void_attempts_are_not_hidden_by_their_numbers(phones):
    first, second = phones(), phones()
    begun(first, "Ann, Ben")
    agreement = read_invitation(scanned(first))
    second.goto(scanned(first))
    second.click("#who button:has-text('Ben')")
    changes = [{"attempt": 3}, {"attempt": 1000}, {"people": ("Ann", "Ben", "Dan")}, {"task": Task(61, Mat(5, 2))}]
    for change in (*changes, {"decks": 2}, {"note": "x"}, {"deadline": "2026-12-01T18:00Z"}):
        refused(second, invitation(replace(again(agreement), **change)), "changes what you agreed on. It is not taken")
    refused(second, invitation(replace(again(agreement), before=bytes(64))), "First leave the one below")
    for _ in range(2):
        pasted(first, second.input_value("#sent"))
        second.goto(scanned(first))
    assert second.is_visible("#word")
    for page in (first, second):
        for other in (again(agreement), replace(again(agreement), people=("Ann", "Ben", "Dan"))):
            assert by_camera(page, invited(other)) == "This calls a finished draw void. Compare the codes, and ask why."
    second.reload()
    assert second.text_content("#word") == first.text_content("#word")


def again(agreement):
    return agreement.again(bytes(16), agreement.digest + bytes(32))


def invited(agreement):
    return f"http://deck.test/together.html#{invitation(agreement)}"


def test_a_tab_that_slept_does_not_change_the_secret(phones):
    """The browser may put a tab to sleep, and then it does not hear what another tab did."""
    first = phones()
    second = phones(script="addEventListener('storage', (event) => event.stopImmediatePropagation(), true)")
    begun(first, "Ann, Ben")
    second.goto(scanned(first))
    other = second.context.new_page()
    other.goto("http://deck.test/together.html")
    second.click("#who button:has-text('Ben')")
    other.click("#who button:has-text('Ben')")
    assert other.input_value("#sent") == second.input_value("#sent") != ""
    other.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    pasted(first, second.input_value("#sent"))
    second.goto(scanned(first))
    assert other.text_content("#step") == "2. Ann scans this"
    other.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    assert other.text_content("#step") == "4. Show this secret now"


@pytest.mark.parametrize(
    "size", [{"width": 320, "height": 640}, pytest.param(LANDSCAPE, marks=pytest.mark.long)], ids=["small", "landscape"]
)
def test_a_whole_draw_by_the_keyboard_can_be_read_by_everybody(phones, size):
    from axe_playwright_python.sync_playwright import Axe

    def readable(page, step):
        assert page.evaluate("document.activeElement.id") == "step"
        assert page.text_content("#step").startswith(step)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert [fault["id"] for fault in Axe().run(page).response["violations"]] == []

    first, second = (phones(size, bypass_csp=True) for _ in range(2))
    first.focus("#people")
    first.keyboard.type("Ann, Bartholomäus von Hohenstein-Abcdefghijk")
    first.keyboard.press("Enter")
    readable(first, "1.")
    second.goto(scanned(first))
    second.focus("#who button >> nth=1")
    second.keyboard.press("Enter")
    readable(second, "2.")
    for page, other, step in (
        (first, second, "3."),
        (second, first, "4."),
        (first, second, "The order"),
        (second, first, "The order"),
    ):
        page.focus("#received")
        page.keyboard.insert_text(other.input_value("#sent"))
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        readable(page, step)
    assert first.text_content("#word") == second.text_content("#word")


def kept(page):
    return page.evaluate("localStorage.getItem('fairdeck-together')")


def refused(page, text, says):
    """Paste a message; demand that it is refused, and changes nothing of what is kept and shown."""
    before, step = kept(page), page.text_content("#step")
    assert says in pasted(page, text)
    assert kept(page) == before
    page.reload()
    assert (kept(page), page.text_content("#step")) == (before, step)


def test_forged_messages_are_refused_and_the_draw_ends_as_if_they_had_not_come(phones):
    first, second = phones(), phones()
    begun(first, "Ann, Ben, Cem")
    agreement = read_invitation(scanned(first))
    second.goto(scanned(first))
    second.click("#who button:has-text('Ben')")
    secret, forged = bytes([7]) * 32, bytes([9]) * 32
    seal = commitment_message(agreement, 2, agreement.commitment(2, secret))
    ben = second.input_value("#sent")
    _, bens = read_commitment(agreement, read_message(ben))
    # Whoever knows the invitation can make such messages: for Cem on the phone of Ben, and for Ben on the phone of Ann.
    refused(second, commitment_message(agreement, 2, forged), "Only the phone that began takes this")
    refused(second, list_message(Sealed(agreement, (forged, bytes(32), bytes([1]) * 32))), "another seal for you")
    pasted(first, ben)
    refused(first, commitment_message(agreement, 1, forged), "Another seal of Ben came before")
    refused(first, commitment_message(agreement, 2, bens), "the same seal as Ben: a copy")
    refused(first, invitation(again(agreement)), "Your phone began this draw")
    pasted(first, seal)
    whole = read_list(agreement, read_message(first.input_value("#sent")))
    refused(
        first, write_letters("T1", "R", agreement.digest[:8] + b"\x02" + forged + whole.digest), "does not fit its seal"
    )
    refused(
        first, secret_message(Sealed(agreement, (forged, *whole.commitments[1:])), 2, secret), "another list of seals"
    )
    pasted(second, list_message(whole))
    other = Sealed(agreement, (forged, *whole.commitments[1:]))
    refused(second, list_message(other), "another list of seals")
    refused(second, secrets_message(whole, (forged,) * 3), "does not fit its seal")
    pasted(first, secret_message(whole, 2, secret))
    pasted(first, second.input_value("#sent"))
    second.goto(scanned(first))
    assert first.text_content("#word") == second.text_content("#word") != ""


def test_a_second_invitation_does_not_push_out_a_draw(phones):
    first, second = phones(), phones()
    begun(first, "Ann, Ben")
    begun(second, "Cem, Dan")
    assert "First leave the one below" in by_camera(first, scanned(second))
    first.reload()
    assert "Ann (you)" in first.text_content("#state")
    first.click("#leave")
    assert first.is_visible("#plan")
    assert by_camera(first, scanned(second)) == ""


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"people": ""}, "Name 2 to 60 people"),
        ({"people": "Ann"}, "Name 2 to 60 people"),
        ({"people": "Ann, ann"}, "same name"),
        ({"people": "Ann, " + "B" * 41}, "1 to 40 letters"),
        ({"size": "0"}, "Cards: write 1 to 10,000"),
        ({"size": "1e3"}, "Cards: write"),
        ({"columns": "27"}, "columns and rows are 1 to 26"),
        ({"each": "40"}, "2 hands must fit into 60 cards"),
        ({"columns": "1", "rows": "1"}, "a mat of at least 2 spaces"),
    ],
)
def test_what_cannot_be_drawn_is_said_and_nothing_begins(phones, fields, says):
    page = phones()
    begun(page, **{"people": "Ann, Ben", **fields})
    assert says in page.text_content("#fault")
    assert page.is_hidden("#draw")


def test_texts_that_are_no_messages_are_refused(phones):
    page = phones()
    assert pasted(page, "   ") == "Paste or type a message first."
    assert pasted(page, "hello") == "Scan the invitation first."
    begun(page, "Ann, Ben")
    for text in ("hello", "T1-C", "f1.60.5x2.deck", "T1-C-" + "0" * 5000):
        assert pasted(page, text).startswith("This is not a message of a draw")
        assert page.input_value("#received") == text, "it can be mended"


def test_in_a_browser_that_keeps_nothing_it_works_by_pasting(phones):
    page = phones(script="Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } })")
    first = phones()
    begun(first, "Ann, Ben")
    pasted(page, first.input_value("#sent"))
    page.click("#who button:has-text('Ben')")
    assert page.text_content("#said") == "This browser keeps nothing: leave this page open, and paste messages here."
    for _ in range(2):
        pasted(first, page.input_value("#sent"))
        pasted(page, first.input_value("#sent"))
    assert page.text_content("#word") == first.text_content("#word") != ""


def test_a_stuck_generator_seals_nothing(phones):
    page = phones(script="crypto.getRandomValues = (array) => array.fill(7)")
    begun(page, "Ann, Ben")
    assert "random generator" in page.text_content("#said")
    assert page.is_hidden("#draw")


def test_a_browser_that_reads_codes_scans_by_itself(phones):
    stub = """
      navigator.mediaDevices ??= {};
      navigator.mediaDevices.getUserMedia = async () => document.createElement('canvas').captureStream();
      window.BarcodeDetector = class { async detect() { return [{ rawValue: window.seen }]; } };
      HTMLVideoElement.prototype.play = async () => undefined;
    """
    first = phones()
    begun(first, "Ann, Ben")
    page = phones(script=stub + f"window.seen = {json.dumps(scanned(first))};")
    page.click("#scan")
    page.wait_for_selector("text=Who are you?")
    assert page.is_hidden("#camera")


def test_secrets_come_from_the_browsers_generator_and_leave_no_trace_in_messages_before_the_list(phones):
    first, second = phones(), phones()
    begun(first, "Ann, Ben")
    second.goto(scanned(first))
    second.click("#who button:has-text('Ben')")
    kept = json.loads(second.evaluate("localStorage.getItem('fairdeck-together')"))
    agreement = read_invitation(scanned(first))
    secret = bytes.fromhex(kept["secret"])
    assert commitment_message(agreement, 1, agreement.commitment(1, secret)) == second.input_value("#sent")
    assert secret.hex() not in read_message(second.input_value("#sent")).content.hex()


NAMES = ["Ann", "Ben", "Çem"]


def disturb(table, chance):
    """Reload some of the phones, and close and open others again."""
    for place, page in enumerate(table):
        what = chance.choice(["nothing", "nothing", "reload", "close"])
        if what == "reload":
            page.reload()
        elif what == "close":
            context, address = page.context, page.url
            page.close()
            table[place] = context.new_page()
            table[place].goto(address)


def everybody(table, chance, act):
    """Let the second and the third phone scan what the first one shows, act, and be scanned by it."""
    for place in (1, 2):
        table[place].goto(scanned(table[0]))
        act(place)
        disturb(table, chance)
        by_camera(table[0], scanned(table[place]))
    disturb(table, chance)


@pytest.mark.long
def test_a_club_night_with_reloads_and_a_dead_phone(phones):
    """Twelve draws by three phones that are reloaded, closed and opened again; in some of them one phone dies."""
    chance = Random(21)
    for night in range(12):
        table, dies = [phones() for _ in NAMES], night % 4 == 3

        def sit(place, table=table):
            table[place].click(f"#who button:has-text('{NAMES[place]}')")

        begun(table[0], ", ".join(NAMES), size=str(chance.randint(5, 60)))
        everybody(table, chance, sit)
        if dies:
            table[2].context.close()
            table[2] = phones()
            table[0].click("#void")
            everybody(table, chance, sit)
        everybody(table, chance, lambda place: None)
        for place in (1, 2):
            table[place].goto(scanned(table[0]))
        disturb(table, chance)
        assert len({page.text_content("#word") for page in table}) == 1
        assert len({page.get_attribute("#deal", "href") for page in table}) == 1
        assert ("Attempt 2" in table[0].text_content("#agreed")) is dies
        for page in table:
            page.context.close()
