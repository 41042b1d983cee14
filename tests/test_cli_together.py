"""`fairdeck together`, as people at several terminals use it."""

import json
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from fairdeck import Mat, Task
from fairdeck.cli import main
from fairdeck.cli.trust_steps import hands_text
from fairdeck.permutation import inverse
from fairdeck.trust.beacon import CHAIN, Beacon
from fairdeck.trust.draws import Attempt, Drawn
from fairdeck.trust.messages import (
    announcement_message,
    commitment_message,
    demand_announcement,
    list_message,
    shown_message,
    take_message,
)
from fairdeck.trust.states import Draw
from tests.draws import seed_draw


class Terminal:
    """Somebody who runs the command, hears its messages and types what others send."""

    def __init__(self, *words):
        command = [sys.executable, "-m", "fairdeck", "together", *words]
        self.program = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.heard = []

    def message(self):
        """Wait for the next message that the program sends."""
        for line in self.program.stderr:
            self.heard.append(line)
            if line.startswith("T1-"):
                return line.strip()
        raise AssertionError("".join(self.heard))

    def type(self, *lines):
        for line in lines:
            self.program.stdin.write(line + "\n")
        self.program.stdin.flush()

    def end(self):
        """Return what it printed, what it said and its exit code."""
        said, out = self.program.stderr.read(), self.program.stdout.read()
        return out, "".join(self.heard) + said, self.program.wait(60)


@pytest.fixture
def terminal():
    opened = []

    def start(*words):
        opened.append(Terminal(*words))
        return opened[-1]

    yield start
    for each in opened:
        if each.program.poll() is None:
            each.program.kill()
        for pipe in (each.program.stdin, each.program.stdout, each.program.stderr):
            pipe.close()
        each.program.wait()


def drawn_by(invited, sealed, shown):
    """Return the draw of which these messages came."""
    watcher = Draw(demand_announcement(invited), collects=False)
    for text in (sealed, shown):
        if watcher.agreement.way == "product" and watcher.state == "listed":
            watcher.play()
        take_message(watcher, text)
    return Drawn(watcher.attempt)


def test_three_terminals_draw_one_order(terminal):
    first = terminal("9", "--people", "Ann,Ben,Çem", "--mat", "3x1", "--json", "--reveal", "--note", "Friday")
    invited = first.message()
    others = [
        terminal("--join", invited.lower(), "--as", "Ben", "--json", "--reveal"),
        terminal("--join", "-", "--json", "--reveal"),
    ]
    others[1].type(f"http://deck.test/together.html#{invited.replace('-', '')}", "Dan", "Çem")
    first.type("hello", *(each.message() for each in others))
    sealed = first.message()
    for each in others:
        each.type(sealed)
    secrets = [each.message() for each in others]
    first.type(secrets[0], secrets[0], secrets[1])
    shown = first.message()
    for each in others:
        each.type(shown)
    ends = [each.end() for each in (first, *others)]
    assert [code for _, _, code in ends] == [0, 0, 0]
    drawn = drawn_by(invited, sealed, shown)
    for out, said, _ in ends:
        assert tuple(json.loads(out)["destinations"]) == inverse(drawn.order())
        assert f"    {drawn.code}\n" in said
    assert "'hello' is not a message of a draw" in ends[0][1]
    assert "Secrets are missing from Çem." in ends[0][1]
    assert "'Dan' is not one of the people: Ann, Ben, Çem" in ends[2][1]
    assert "Friday" in ends[2][1]


def test_who_does_not_answer_makes_an_attempt_void_and_the_next_one_names_it(terminal):
    first = terminal("9", "--people", "Ann,Ben", "--mat", "3x1", "--json")
    invited = first.message()
    second = terminal("--join", invited, "--as", "Ben", "--json")
    first.type(second.message())
    second.type(first.message())
    second.message()
    first.type("void")
    again = first.message()
    assert demand_announcement(again).attempt == 2
    assert demand_announcement(invited).changed_in(demand_announcement(again)) == ""
    second.type(again)
    first.type(second.message())
    second.type(first.message())
    first.type(second.message())
    second.type(first.message())
    ends = [first.end(), second.end()]
    assert ends[0][0] == ends[1][0]
    assert "Attempt 1 is void. Missing: Ben." in ends[0][1]
    assert "attempt 2: those before are void" in ends[1][1]


def test_cheats_are_told_by_name(terminal):
    first = terminal("9", "--people", "Ann,Ben,Cem", "--mat", "3x1", "--json")
    agreement = demand_announcement(first.message())
    secrets = [bytes([place]) * 32 for place in range(3)]
    seals = [agreement.commitment(place, secret) for place, secret in enumerate(secrets)]
    first.type(
        commitment_message(agreement, 1, seals[1]),
        commitment_message(agreement, 2, seals[1]),
        commitment_message(agreement, 1, seals[0]),
        commitment_message(agreement, 2, seals[2]),
    )
    watcher = Draw(agreement, collects=False)
    take_message(watcher, first.message())
    sealed, other = watcher.attempt, Attempt(agreement, tuple(seals))
    assert sealed.commitments[1:] == tuple(seals[1:])
    first.type(shown_message(other, 1, secrets[1]), shown_message(sealed, 1, secrets[1]), list_message(sealed))
    first.program.stdin.close()
    _, said, code = first.end()
    assert "Cem has the same commitment as Ben: a copy is refused" in said
    assert "another one of Ben came before, and this one is not taken: ask Ben which is theirs" in said
    assert "this is for another list of commitments, and is not taken: compare the lists" in said
    assert "this device makes that message itself" in said
    assert "the draw was not finished: nothing is kept" in said
    assert code == 2


def test_a_list_with_another_seal_is_refused_before_the_secret_is_shown(terminal):
    first = terminal("9", "--people", "Ann,Ben", "--mat", "3x1")
    agreement = demand_announcement(first.message())
    second = terminal("--join", "-", "--as", "Ben")
    second.type(first.heard[-1].strip())
    second.message()
    second.type(list_message(Attempt(agreement, (bytes(32), bytes([1]) * 32))))
    second.program.stdin.close()
    out, said, code = second.end()
    assert "another commitment for Ben" in said
    assert (out, code) == ("", 2)
    assert "T1-R" not in said


def test_two_terminals_deal_hands_that_nobody_knows(terminal, tmp_path):
    words = ("--people", "Ann,Ben", "--way", "product", "--mat", "3x1", "--goal", "hands:2x3", "--json", "--reveal")
    first = terminal("6", *words, "--transcript", str(tmp_path / "transcript.json"))
    invited = first.message()
    second = terminal("--join", invited, "--as", "Ben", "--json", "--reveal")
    first.type(second.message())
    sealed = first.message()
    second.type(sealed, "played")
    order = second.message()
    assert order.startswith("T1-R"), "after play only"
    first.type(order, "played", "void", order)  # at first it is too early, and later too late for a void
    shown = first.message()
    second.type(shown)
    ends = [first.end(), second.end()]
    drawn = drawn_by(invited, sealed, shown)
    for (out, said, code), orders in zip(ends, drawn._orders, strict=True):
        assert code == 0
        assert tuple(json.loads(out)["destinations"]) == inverse(orders[0])
        assert f"After all deals, top first: {hands_text(drawn.hands())}\n" in said
        assert f"    {drawn.code}\n" in said
    assert "orders are shown after play, and not before" in ends[0][1]
    assert "this calls an attempt void that was played or finished" in ends[0][1]
    assert main(["verify", str(tmp_path / "transcript.json")]) == 0


@pytest.mark.parametrize("beacon", [Beacon(CHAIN, 2**62), Beacon(bytes(32), 5), Beacon(CHAIN, 1)])
def test_a_forged_next_attempt_with_a_beacon_is_refused_and_changes_nothing(terminal, beacon):
    agreed = seed_draw(Task(9, Mat(3, 1)), ("Ann", "Ben"))
    guest = terminal("--join", announcement_message(agreed), "--as", agreed.people[1])
    mine = guest.message()
    void = Attempt(agreed, (b"",) * len(agreed.people), (b"",) * len(agreed.people))
    forged = replace(agreed.again(bytes(16), void.named), beacon=beacon)
    guest.type(announcement_message(forged), mine)
    guest.program.stdin.close()
    _, said, code = guest.end()
    assert code == 2
    assert "take part with" in said and "internal error" not in said
    assert "Attempt 2" not in said and said.count("comes next") == 3, "the draw goes on as it was"


def test_ctrl_c_ends_it_without_a_traceback(terminal):
    first = terminal("9", "--people", "Ann,Ben", "--mat", "3x1")
    first.message()
    first.program.send_signal(signal.SIGINT)
    out, said, code = first.end()
    assert (out, code) == ("", 130)
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", "required: STEP"),
        ("draw", "say how many cards and who draws"),
        ("60 --people Ann,Ben --last-mat 4x1", "--last-mat is for --way product"),
        ("60 --people Ann,Ben --way product --goal top:5", "hands without a stock"),
        ("60", "say how many cards and who draws"),
        ("60 --people Ann", "1 people: 2 to 60"),
        ("60 --people Ann,Ann", "'Ann' is named twice"),
        ("60 --people Ann,", "a name has 1 to 40"),
        ("60 --people Ann,Ben --as Ann", "--as works only with --join"),
        ("60 --people Ann,Ben --dealers 5", "5 dealers are too many for a code"),
        ("60 --people Ann,Ben --goal hands:4x30", "hands:4x30"),
        ("60 --people Ann,Ben --pdf x.pdf --booklet 3", "no option '--booklet'"),
        ("60 --people Ann,Ben --html /nowhere/x.html", "cannot write '/nowhere/x.html'"),
        ("--join T1-A-0000", "a letter of this message is wrong or missing"),
        ("--join f1.60", "'f1.60' is not a message of a draw"),
        ("60 --join T1-A-0000", "--join takes cards from the invitation: leave it out"),
    ],
)
def test_what_cannot_be_drawn_gets_one_line_before_anything_is_sent(words, says, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["together", *words.split()]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert said.count("\n") == 1
    assert "T1-A-0000-04" not in said
    assert list(tmp_path.iterdir()) == []
