import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from fairdeck import Dice, arrange, read_plan, replay, seeded_words, uniform_permutation
from fairdeck.cli import BAD_INPUT, main, names, parser
from tests.table import Table

SEED = ["--seed", "c0ffee"]
DOCS = Path(__file__).parents[1] / "docs"


FAIRDECK = [sys.executable, "-m", "fairdeck"]


@pytest.fixture
def run(capsys):
    def call(*words):
        code = main(list(words))
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


def deal_as_printed(text, cards):
    """Deal a deck by the printed instructions alone."""
    table = Table(cards)

    def gather(line):
        labels = re.findall(r"(?:put|on) (\w+)", line)
        for pile, onto in pairwise(labels):
            table.put(pile, onto)

    def check(line):
        for label, height in re.findall(r"(\w+) +(\d+|-)", line):
            assert table.height(label) == (0 if height == "-" else int(height)), line

    answers = {
        r"PASS": lambda line: table.begin("BOTTOM" in line),
        r"Dealer": lambda line: table.next_dealer(),
        r" +\d+   \w+(  +\w+)*$": lambda line: [table.deal(label) for label in line.split()[1:]],
        r"    \w+ +[\d-]": check,
        r"Take away": lambda line: table.take_away(line.split(": ")[1].strip(".").split()),
        r"Gather: put": gather,
    }
    for line in text.splitlines():
        answer = next((answer for pattern, answer in answers.items() if re.match(pattern, line)), None)
        if answer:
            answer(line)
    return table


@pytest.mark.parametrize(
    "words",
    [
        "60 --mat 5x2",
        "1",
        "2",
        "52 --mat 5x1",
        "442 --mat 7x3",
        "60 --dealers 3",
        "30 --classic",
        "52 --passes 3",
        "104 --bottom space --mat 7x1",
    ],
)
def test_the_printed_instructions_bring_the_deck_into_the_order_drawn(run, words):
    for seed in range(12):
        code, out, _ = run("deal", *words.split(), "--seed", f"{seed:02x}")
        cards = int(words.split()[0])
        assert code == 0
        assert deal_as_printed(out, cards).end() == uniform_permutation(cards, Dice(seeded_words(bytes([seed]))))


@pytest.mark.parametrize("goal", ["hands:4x13", "hands:4x7+stock", "hands:5,4,3+rest"])
@pytest.mark.parametrize("more", [[], ["--dealers", "2"]])
def test_the_printed_instructions_deal_the_hands_drawn(run, goal, more):
    code, out, _ = run("deal", "52", "--goal", goal, *SEED, *more)
    table = deal_as_printed(out, 52)
    deck = table.end()
    order = uniform_permutation(52, Dice(seeded_words(bytes.fromhex("c0ffee"))))
    assert code == 0
    assert deck == (order[:24] if "stock" in goal else ())
    end = 52
    for hand in table.hands:
        assert sorted(hand) == sorted(order[end - len(hand) : end])
        end -= len(hand)
    assert end == len(deck)


def test_custom_labels_are_used(run):
    out = run("deal", "8", "--mat", "4x1", "--goal", "hands:4x2", "--labels", "North,East,South,West", *SEED)[1]
    assert "Take away the finished piles: North East South West." in out


def test_deal_json_is_the_plan_and_reveals_only_when_asked(run):
    code, out, err = run("deal", "60", "--json", *SEED)
    assert code == 0
    assert "note: a seeded deck" in err
    assert "destinations" not in json.loads(out)
    out = run("deal", "60", "--json", "--reveal", *SEED)[1]
    plan, arrangement = read_plan(out)
    assert replay(plan, range(60))[0] == arrangement
    assert "60 31" not in run("deal", "60", *SEED)[1]
    revealed = run("deal", "60", "--reveal", *SEED)[1].splitlines()[-1]
    assert [60 - int(card) for card in reversed(revealed.split())] == list(arrangement)


def test_the_same_seed_gives_the_same_deal_and_none_gives_another(run):
    assert run("deal", "60", *SEED) == run("deal", "60", *SEED)
    assert run("deal", "60")[1] != run("deal", "60")[1]
    assert run("deal", "9", "--seed", "0xF")[1] == run("deal", "9", "--seed", "0f")[1]


def test_the_trace_tells_every_array(run):
    out = run("deal", "20", "--trace", "--mat", "3x1", *SEED)[1]
    order = uniform_permutation(20, Dice(seeded_words(bytes.fromhex("c0ffee"))))
    lines = out.splitlines()
    assert lines[1] == "initial       " + " ".join(map(str, range(20)))
    assert lines[2] == "randomised    " + " ".join(map(str, order))
    assert lines[-1] == "final         " + " ".join(map(str, order))
    passes = sum(line.startswith("pass ") for line in lines)
    assert passes == sum(line.startswith("  gathered") for line in lines) >= 2


def test_passes_may_turn_out_one_more_and_say_so(run):
    counts = set()
    for seed in range(40):
        code, out, err = run("deal", "52", "--mat", "5x1", "--passes", "2", "--json", "--seed", f"{seed:02x}")
        passes = len(json.loads(out)["passes"])
        assert code == 0
        assert ("this order takes 3 passes" in err) is (passes == 3)
        counts.add(passes)
    assert counts == {2, 3}


def test_check_says_what_the_design_promises(run):
    code, out, _ = run("check", "60", "--mat", "5x2", "--json")
    told = json.loads(out)
    assert code == 0
    promised = "cards passes spaces tallest moves minutes chance_of_one_more_pass judgement suggestions"
    assert set(promised.split()) <= set(told)
    assert all(set(way) == {"mat", "passes", "spaces"} for way in told["suggestions"])
    text = run("check", "150", "--mat", "5x1")[1]
    assert "5x2: 2 passes" in text
    assert "not mixed" not in text
    assert "only the top 20 cards are random" in run("check", "52", "--goal", "top:20")[1]


def test_replay_tells_sound_reached_and_not_reached(run, tmp_path):
    file = tmp_path / "plan.json"
    written = json.loads(run("deal", "20", "--json", "--reveal", *SEED)[1])
    file.write_text(json.dumps(written))
    code, out, _ = run("replay", str(file))
    assert (code, out.splitlines()[-1]) == (0, "it reaches the order it reveals")
    order = ",".join(map(str, arrange(uniform_permutation(20, Dice(seeded_words(bytes.fromhex("c0ffee")))), range(20))))
    assert json.loads(run("replay", str(file), "--json")[1]) == {
        "cards": 20,
        "passes": len(written["passes"]),
        "sound": True,
        "reaches": True,
        "order": order,
    }
    assert "final" in run("replay", str(file), "--trace")[1]
    written["destinations"][:2] = written["destinations"][1::-1]
    file.write_text(json.dumps(written))
    code, out, _ = run("replay", str(file))
    assert (code, out.splitlines()[-1]) == (1, "it does NOT reach the order it reveals")
    del written["destinations"]
    file.write_text(json.dumps(written))
    assert run("replay", str(file))[0] == 0


def test_shuffle_shuffles_numbers_arguments_and_lines(run):
    assert sorted(map(int, run("shuffle", "52")[1].split())) == list(range(52))
    assert sorted(run("shuffle", "a", "b", "c")[1].split()) == ["a", "b", "c"]
    assert run("shuffle", "-e", "52")[1] == "52\n"
    assert len(run("shuffle", "52", "-n", "5")[1].split()) == 5
    assert json.loads(run("shuffle", "3", "--json", *SEED)[1]) == {
        "cards": 3,
        "items": list(uniform_permutation(3, Dice(seeded_words(bytes.fromhex("c0ffee"))))),
    }
    lines = b"one\ntwo words\n\xff\xfe\n\nlast without newline"
    shown = subprocess.run([*FAIRDECK, "shuffle"], input=lines, capture_output=True, check=True)
    assert sorted(shown.stdout.splitlines()) == sorted(lines.splitlines())


BAD = [
    *(f"deal {cards}" for cards in ("0", "-1", "1e3", "12.7", "''", "text", "1000000000000", "1000001", "٣")),
    *(f"check {cards}" for cards in ("0", "-1", "1e3", "12.7", "''", "text", "1000000000000")),
    *(f"deal 60 --mat {mat}" for mat in ("0x5", "200x200", "5", "x", "5x2x1", "-1x2", "1x1")),
    *(
        f"deal 60 --goal {goal}"
        for goal in ("hands:4x13", "hands:4x20", "hands:", "top:61", "top:0", "all", "hands:11x2+stock")
    ),
    *("deal 60 --dealers 0", "deal 60 --dealers 9", "deal 3 --dealers 4", "deal 60 --dealers two"),
    *("deal 60 --passes 0", "deal 60 --passes 99", "deal 150 --mat 5x1 --passes 2", "check 150 --mat 5x1 --passes 2"),
    *("deal 60 --seed xyz", "deal 60 --seed ''", "deal 60 --rows 0", "deal 60 --bottom always", "deal 60 --labels A,B"),
    *("deal", "deal 60 60", "deal 60 --jsn", "deal 60 --json --trace", "deal 60 --follow", "dael 60", "''", "check"),
    *("shuffle 0", "shuffle 1e3", "shuffle 1000001", "shuffle 5 -n x", "shuffle 5 --seed q"),
    *("replay /nowhere/plan.json", "replay /", "replay /dev/null", "replay /bin/true", "replay"),
    *(
        "page -o /nowhere/deal.html",
        "page -o /",
        "serve --port x",
        "serve --port 70000",
        "serve --host 203.0.113.1 --port 0",
    ),
]


@pytest.mark.parametrize("line", BAD)
def test_bad_input_gets_one_line_and_exit_code_2(run, line):
    code, out, err = run(*("" if word == "''" else word for word in line.split()))
    assert code == BAD_INPUT
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("fairdeck")
    assert "Traceback" not in err


def test_a_truncated_plan_gets_one_line(run, tmp_path):
    file = tmp_path / "plan.json"
    whole = run("deal", "60", "--json")[1]
    for size in (0, 1, 100, len(whole) // 2, len(whole) - 3):
        file.write_text(whole[:size])
        code, out, err = run("replay", str(file))
        assert (code, out, len(err.splitlines())) == (BAD_INPUT, "", 1)


def test_a_million_cards_are_planned_and_no_more(run):
    code, out, _ = run("deal", "1000000", "--mat", "7x3", "--json", *SEED)
    assert code == 0
    plan, _ = read_plan(out)
    assert len(plan.passes) == 5
    assert "out of range" in run("deal", "1000001")[2]


def test_a_reader_that_stops_early_is_no_error():
    line = f"{sys.executable} -m fairdeck deal 100000 | head -1"
    shown = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True)
    assert shown.stderr == ""
    assert shown.stdout.startswith("100000 cards")


def test_ctrl_c_is_quiet():
    work = subprocess.Popen(
        [*FAIRDECK, "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert "http://127.0.0.1:" in work.stdout.readline()
    work.send_signal(signal.SIGINT)
    out, err = work.communicate(timeout=10)
    assert (work.returncode, err) == (0, "")
    assert "Stopped." in out


def test_a_taken_port_is_told(run):
    with subprocess.Popen([*FAIRDECK, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True) as work:
        port = re.search(r":(\d+)/", work.stdout.readline())[1]
        code, _, err = run("serve", "--port", port)
        work.terminate()
    assert code == BAD_INPUT
    assert f"port {port} is taken" in err


class Terminal:
    """A real terminal with the program in it, and fingers."""

    def __init__(self, *words, **environment):
        self.process, self.seen = None, ""
        ours, theirs = pty.openpty()
        self.ours = ours
        self.process = subprocess.Popen(
            [*FAIRDECK, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, **environment},
            start_new_session=True,
        )
        os.close(theirs)

    def press(self, keys=""):
        """Type `keys` and return the screen that answers them."""
        if keys:
            os.write(self.ours, keys.encode())
        shown, until = "", time.monotonic() + 10
        while time.monotonic() < until:
            if not select.select([self.ours], [], [], 0.15 if shown else 1)[0]:
                if shown:
                    break
                continue
            try:
                piece = os.read(self.ours, 65536).decode()
            except OSError:
                break
            if not piece:
                break
            shown += piece
        self.seen += shown
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.rpartition("\x1b[H\x1b[2J")[2])

    def end(self):
        code = self.process.wait(timeout=10)
        os.close(self.ours)
        return code


def test_following_in_a_terminal_deals_the_deck_drawn():
    """Every screen of a whole deal is read as a person would, with some steps undone and redone."""
    cards, seed = 14, "07"
    terminal = Terminal("deal", str(cards), "--mat", "3x1", "--seed", seed, "--follow", NO_COLOR="1")
    table, screen, undone = Table(cards), terminal.press(), 0
    while "Done" not in screen:
        if card := re.search(r"card (\d+) of 14\s+(\w+)", screen):
            if int(card[1]) % 5 == 0 and undone < 2:
                undone += 1
                assert f"card {int(card[1]) - 1} of 14" in terminal.press("u")
                assert terminal.press("\x1b[C").split() == screen.split()
            table.deal(card[2])
        elif "check" in screen:
            for label, height in re.findall(r"(A\d) +(\d+)", screen):
                assert table.height(label) == int(height)
        elif move := re.search(r"Put (\w+) on (\w+)", screen):
            table.put(move[1], move[2])
        else:
            table.begin()
        screen = terminal.press(" ")
    assert table.end() == uniform_permutation(cards, Dice(seeded_words(bytes.fromhex(seed))))
    assert undone == 2
    terminal.press(" ")
    assert terminal.end() == 0
    assert terminal.seen.count("\x1b[?1049h") == terminal.seen.count("\x1b[?1049l") == 1


@pytest.mark.parametrize("leave", ["q", "\x03", "\x1b"])
def test_leaving_asks_once_and_restores_the_terminal(leave):
    terminal = Terminal("deal", "14", "--follow")
    terminal.press()
    terminal.press("   ")
    assert "Leave this deal?" in terminal.press(leave)
    assert "card 3 of 14" in terminal.press("x")
    terminal.press(leave)
    terminal.press(leave)
    assert "left unfinished" in terminal.seen
    assert terminal.seen.rstrip().endswith("anew.")
    assert "\x1b[?1049l" in terminal.seen
    assert terminal.end() == 1


def test_every_command_and_option_is_in_the_manual():
    manual = (DOCS / "cli.md").read_text(encoding="utf-8")
    commands = parser(names())._subparsers._group_actions[0].choices
    assert set(commands) == {"check", "deal", "page", "replay", "serve", "shuffle"}
    shared = manual.partition("\n## ")[0]
    for name, command in commands.items():
        assert command.description
        section = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", manual, re.S | re.M)
        assert section, name
        takes_a_task = any(action.dest == "cards" for action in command._actions)
        told = section[1] + (shared if takes_a_task else "")
        for action in command._actions:
            assert action.help, action
            for option in set(action.option_strings) - {"-h", "--help"}:
                assert f"`{option}" in told, (name, option)


def test_help_and_version_answer(run):
    assert run("--help")[0] == 0
    assert "fairdeck deal 60" in run("--help")[1]
    assert run("--version")[1].startswith("fairdeck 0.")
    for name in names():
        assert run(name, "--help")[0] == 0
