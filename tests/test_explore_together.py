"""The page on which several phones draw one order: its hashes are those of Python; and the page as a table uses it."""

import json
import re
from dataclasses import replace
from hashlib import sha256
from itertools import permutations
from random import Random

import pytest

from fairdeck import Mat, Task
from fairdeck.dealing.share_code import write_code
from fairdeck.trust.draws import Attempt, Drawn
from fairdeck.trust.fields import fields
from fairdeck.trust.messages import (
    announcement_message,
    commitment_message,
    demand_announcement,
    list_message,
    read_letters,
    shown_message,
    take_message,
    write_letters,
)
from fairdeck.trust.states import Draw
from fairdeck.trust.verifying import read_transcript
from tests.draws import seed_draw
from tests.page_scripts import engine_of
from tests.phones import begun, by_camera, joins, pasted, scanned
from tests.player import LANDSCAPE, SMALL
from tests.test_trust import AGREED, RICH, TOP

HELPERS = """
function hash(hex) { return hexOf(sha256(fromHex(hex))); }
function digest(text) {
  const found = readInvitation(text);
  return found ? hexOf(found.digest) : "";
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


def test_the_page_reads_an_agreement_as_python_writes_it(engine):
    for agreement in [AGREED, RICH, TOP]:
        assert engine.get("digest")(announcement_message(agreement)) == agreement.digest.hex()


def test_the_page_takes_the_names_that_python_takes(engine):
    for people in [
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
    ]:
        marked = seed_draw(AGREED.deals[0], ("Ann", "PLACEHOLDER")).written
        names = [fields(*(one.encode() for one in pair)) for pair in (("Ann", "PLACEHOLDER"), people)]
        text = write_letters("A", marked.replace(*map(fields, names)))
        try:
            expected = demand_announcement(text).digest.hex()
        except ValueError:
            expected = ""
        assert engine.get("digest")(text) == expected
        assert bool(expected) is (people[1] in ("STRASSE", "\u0410nn", "\U0001f3b4\ufe0f \u2460"))


@pytest.fixture
def phones(phones_with):
    return phones_with("together")


def test_three_phones_draw_by_camera_and_by_hand_and_deal(phones):
    first, second, third = phones(), phones(LANDSCAPE), phones(SMALL)
    begun(first, "Ann, Ben, Çem")
    for page, name in ((second, "Ben"), (third, "Çem")):
        joins(page, first, name)
        assert by_camera(first, scanned(page)) == "A seal came."
    first.reload()
    assert "Missing: Ben, Çem" in first.text_content("#how"), "sealed; their secrets are missing"
    second.goto(scanned(first))
    assert pasted(third, first.input_value("#sent").lower().replace("-", " ")) == "The list came. Your seal is in it."
    assert by_camera(first, scanned(third)) == "A secret came, and it fits its seal."
    assert pasted(first, second.input_value("#sent")) == "All secrets fit their seals."
    for page in (second, third):
        page.goto(scanned(first))
    assert len({page.text_content("#word") for page in (first, second, third)}) == 1
    links = {page.get_attribute("#deal-it", "href") for page in (first, second, third)}
    assert len(links) == 1
    assert third.is_hidden("#secrets"), "who scans a code sees the draw"
    third.click("#deal-it")
    third.wait_for_selector("text=Deal from the top")
    assert third.url.endswith("/")


@pytest.mark.long
def test_a_phone_that_fell_asleep_goes_on_where_it_was(phones):
    """Reloaded at every step, and the page closed in between."""
    first, second = phones(), phones()
    begun(first, size="9", hands="3")
    joins(second, first)
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
    code = first.get_attribute("#deal-it", "href")
    assert code.startswith("./#f1.9.5x2.hands_2x3-stock.pass.")


def test_the_order_is_the_one_that_python_computes_from_the_messages(phones):
    first, second = phones(), phones()
    begun(first, size="20")
    agreement = demand_announcement(scanned(first))
    joins(second, first)
    pasted(first, second.input_value("#sent"))
    watcher = Draw(agreement, collects=False)
    take_message(watcher, first.input_value("#sent"))
    second.goto(scanned(first))
    pasted(first, second.input_value("#sent"))
    take_message(watcher, scanned(first))
    drawn = Drawn(watcher.attempt)
    assert first.text_content("#word") == drawn.code
    code = write_code(agreement.deals[0], drawn.order())
    assert first.get_attribute("#deal-it", "href").rpartition(".")[0] == f"./#{code.rpartition('.')[0]}", "but the sum"


def test_who_does_not_answer_makes_the_draw_void_by_number(phones):
    first, second = phones(), phones()
    begun(first)
    before = demand_announcement(scanned(first))
    joins(second, first)
    first.click("#void")
    assert first.text_content("#said") == "Attempt 1 is void. Missing: Ben. All begin again."
    again = demand_announcement(scanned(first))
    assert before.changed_in(again) == ""
    assert "Attempt 2: the one before is void." in first.text_content("#agreed")
    assert pasted(first, second.input_value("#sent")).startswith("This belongs to another draw.")
    assert by_camera(second, scanned(first)) == ""
    assert second.text_content("#step") == "Who are you?"


@pytest.mark.long
def test_void_attempts_are_not_hidden_by_their_numbers(phones):
    first, second = phones(), phones()
    begun(first)
    agreement = demand_announcement(scanned(first))
    joins(second, first)
    for change in ({"people": ("Ann", "Ben", "Dan")}, {"deals": (Task(61, Mat(5, 2)),)}, {"decks": 2}, {"note": "x"}):
        text = announcement_message(replace(again(agreement), **change))
        refused(second, text, "changes what you agreed on")
    for number in (3, 1000):
        refused(second, announcement_message(replace(again(agreement), attempt=number)), "not the next attempt")
    refused(second, announcement_message(replace(again(agreement), before=bytes(64))), "To join it, leave this one")
    for _ in range(2):
        pasted(first, second.input_value("#sent"))
        second.goto(scanned(first))
    assert second.is_visible("#word")
    for page in (first, second):
        for other in (again(agreement), replace(again(agreement), people=("Ann", "Ben", "Dan"))):
            assert by_camera(page, invited(other)) == "This calls a finished draw void. Ask why."
    second.reload()
    assert second.text_content("#word") == first.text_content("#word")


def again(agreement):
    return agreement.again(bytes(16), agreement.digest + bytes(32))


def invited(agreement):
    return f"http://deck.test/together.html#{announcement_message(agreement)}"


@pytest.mark.long
def test_a_tab_that_slept_does_not_change_the_secret(phones):
    """The browser may put a tab to sleep, and then it does not hear what another tab did."""
    first = phones()
    second = phones(script="addEventListener('storage', (event) => event.stopImmediatePropagation(), true)")
    begun(first)
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
    agreement = demand_announcement(scanned(first))
    joins(second, first)
    secret, forged = bytes([7]) * 32, bytes([9]) * 32
    seal = commitment_message(agreement, 2, agreement.commitment(2, secret))
    ben = second.input_value("#sent")
    bens = read_letters(ben)[1][9:]
    # Whoever knows the invitation can make such messages: for Cem on the phone of Ben, and for Ben on the phone of Ann.
    refused(second, commitment_message(agreement, 2, forged), "Only the phone that began takes this")
    refused(second, list_message(Attempt(agreement, (forged, bytes(32), bytes([1]) * 32))), "another seal for you")
    pasted(first, ben)
    refused(first, commitment_message(agreement, 1, forged), "Another seal of Ben came before")
    refused(first, commitment_message(agreement, 2, bens), "the same seal as Ben")
    refused(first, announcement_message(again(agreement)), "Your phone makes this message itself")
    pasted(first, seal)
    watcher = Draw(agreement, collects=False)
    take_message(watcher, first.input_value("#sent"))
    whole = watcher.attempt
    refused(first, write_letters("R", agreement.digest[:8] + b"\x02" + forged + whole.listed), "does not fit its seal")
    refused(
        first, shown_message(Attempt(agreement, (forged, *whole.commitments[1:])), 2, secret), "another list of seals"
    )
    pasted(second, list_message(whole))
    other = Attempt(agreement, (forged, *whole.commitments[1:]))
    refused(second, list_message(other), "another list of seals")
    refused(second, write_letters("S", agreement.digest[:8] + forged * 3 + whole.listed), "does not fit its seal")
    pasted(first, shown_message(whole, 2, secret))
    pasted(first, second.input_value("#sent"))
    second.goto(scanned(first))
    assert first.text_content("#word") == second.text_content("#word") != ""


@pytest.mark.long
def test_a_second_invitation_does_not_push_out_a_draw(phones):
    first, second = phones(), phones()
    begun(first)
    begun(second, "Cem, Dan")
    assert "To join it, leave this one" in by_camera(first, scanned(second))
    first.reload()
    assert "Ann (you)" in first.text_content("#state")
    first.click("#leave")
    assert first.is_visible("#plan")
    assert by_camera(first, scanned(second)) == ""


def test_what_cannot_be_drawn_is_said_and_nothing_begins(phones):
    page = phones()
    for typed, says in [
        ({"people": ""}, "Name 2 to 60 people"),
        ({"people": "Ann"}, "Name 2 to 60 people"),
        ({"people": "Ann, ann"}, "the same name"),
        ({"people": "Ann, " + "B" * 41}, "1 to 40 letters"),
        ({"size": "0"}, "Cards: 1 to 10,000."),
        ({"size": "1e3"}, "Cards: 1 to"),
        ({"columns": "27"}, "Mat, columns × rows: 1 to 26."),
        ({"hands": "40"}, "Cards for each hand: 1 to 26."),
        ({"columns": "1", "rows": "1"}, "a mat of at least 2 spaces"),
    ]:
        page.reload()
        begun(page, **typed)
        assert says in page.text_content("#fault")
        assert page.is_hidden("#draw")


def test_texts_that_are_no_messages_are_refused(phones):
    page = phones()
    assert pasted(page, "   ") == "Scan the invitation first."
    assert pasted(page, "hello") == "Scan the invitation first."
    begun(page)
    for text in ("hello", "T1-C", "f1.60.5x2.deck", "T1-C-" + "0" * 5000):
        assert pasted(page, text).startswith("Not a message for this page")
        assert page.input_value("#received") == text, "it can be mended"


@pytest.mark.long
def test_in_a_browser_that_keeps_nothing_it_works_by_pasting(phones):
    page = phones(script="Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } })")
    first = phones()
    begun(first)
    pasted(page, first.input_value("#sent"))
    page.click("#who button:has-text('Ben')")
    assert page.text_content("#said") == "This browser keeps nothing: leave this page open."
    for _ in range(2):
        pasted(first, page.input_value("#sent"))
        pasted(page, first.input_value("#sent"))
    assert page.text_content("#word") == first.text_content("#word") != ""


@pytest.mark.parametrize("name", ["together", "two"])
def test_a_stuck_generator_seals_nothing(phones_with, name):
    page = phones_with(name)(script="crypto.getRandomValues = (array) => array.fill(7)")
    begun(page)
    assert "random generator" in page.text_content("#said")
    assert page.is_hidden("#draw")


@pytest.mark.long
def test_a_browser_that_reads_codes_scans_by_itself(phones):
    stub = """
      navigator.mediaDevices ??= {};
      navigator.mediaDevices.getUserMedia = async () => document.createElement('canvas').captureStream();
      window.BarcodeDetector = class { async detect() { return [{ rawValue: window.seen }]; } };
      HTMLVideoElement.prototype.play = async () => undefined;
    """
    first = phones()
    begun(first)
    page = phones(script=stub + f"window.seen = {json.dumps(scanned(first))};")
    page.click("#scan")
    page.wait_for_selector("text=Who are you?")
    assert page.is_hidden("#camera")


@pytest.mark.long
def test_secrets_come_from_the_browsers_generator_and_leave_no_trace_in_messages_before_the_list(phones):
    first, second = phones(), phones()
    begun(first)
    joins(second, first)
    kept = json.loads(second.evaluate("localStorage.getItem('fairdeck-together')"))
    agreement = demand_announcement(scanned(first))
    secret = bytes.fromhex(kept["own"])
    assert commitment_message(agreement, 1, agreement.commitment(1, secret)) == second.input_value("#sent")
    assert secret.hex() not in read_letters(second.input_value("#sent"))[1].hex()


def test_the_transcript_is_saved_and_holds_also_after_a_void_attempt(phones, tmp_path):
    first, second = phones(), phones()
    begun(first)
    joins(second, first)
    pasted(first, second.input_value("#sent"))
    first.click("#void")
    joins(second, first)
    for _ in range(2):
        pasted(first, second.input_value("#sent"))
        second.goto(scanned(first))
    with first.expect_download() as saved:
        first.click("#save")
    saved.value.save_as(tmp_path / "transcript.json")
    transcript = read_transcript((tmp_path / "transcript.json").read_bytes())
    assert transcript.drawn.code == first.text_content("#word") == second.text_content("#word")
    assert [void.missing for void in transcript.voids] == [("Ben",)]
    assert second.is_hidden("#save"), "a guest does not know what was shown in the void attempt"


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
        assert len({page.get_attribute("#deal-it", "href") for page in table}) == 1
        assert ("Attempt 2" in table[0].text_content("#agreed")) is dies
        for page in table:
            page.context.close()


# --- what the page shows before a draw


def test_one_other_secret_moves_the_whole_deck(phones):
    page = phones()
    stayed = 0
    for _ in range(40):
        page.click("#secrets button >> nth=1")
        said = page.text_content("#moved")
        assert said.startswith("Ben drew again: ")
        stayed += int(re.search(r": (\d+) of 52", said)[1])
    # One of 52 on average, variance 1: the mean of 40 lies within 6 standard deviations but once in 10^8 runs.
    assert abs(stayed / 40 - 1) < 6 / 40**0.5
    page.click("#answers [value=answerTwo]")
    assert page.text_content("#answers [data-right]") == "none, until the last one shows"
    assert page.text_content("#reveal").startswith("None: ")


def test_the_third_number_makes_each_order_once_whatever_the_others_are(phones):
    page = phones()
    page.click("details:has(#numbers) summary")
    orders = sorted("".join(order) for order in permutations("ABC"))
    for _ in range(6):
        for _ in range(6):
            ann, ben = (int(text.split()[-1]) for text in page.locator("#numbers button").all_text_contents())
            sums = [text.split() for text in page.locator("#sums span").all_text_contents()]
            assert [orders[(ann + ben + int(third)) % 6] for _, third, _, _ in sums] == [made for *_, made in sums]
            assert sorted(made for *_, made in sums) == orders
            page.click("#numbers button >> nth=0")
        page.click("#numbers button >> nth=1")
