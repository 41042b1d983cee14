"""`fairdeck` alone in a terminal, as a newcomer meets it; and terminals that are narrow or can do little."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fairdeck.cli.follow import Drawn, fitted
from tests.test_cli import Terminal

SEQUENCES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def plain(text):
    return SEQUENCES.sub("", text).replace("\r\n", "\n")


def said(terminal, what):
    """Return what the terminal shows, once that is there."""
    for _ in range(40):
        if what in plain(terminal.seen):
            break
        terminal.press()
    assert what in plain(terminal.seen)
    return plain(terminal.seen)


def answer(terminal, question, text):
    said(terminal, question)
    terminal.seen = ""
    terminal.press(f"{text}\r")


def test_four_questions_lead_to_a_deal_and_to_the_command_for_next_time():
    terminal = Terminal(TERM="xterm")
    answer(terminal, "How many cards are in the deck? [52]", "sixty")
    assert "'sixty' is not a whole number" in plain(terminal.seen)
    answer(terminal, "How many cards", "4")
    answer(terminal, "How many people deal at the same time? [1]", "2")
    answer(terminal, "What do you deal onto?", "1x1")
    assert "one space cannot bring 4 cards into order" in plain(terminal.seen)
    answer(terminal, "What do you deal onto?", "3x1")
    seen = said(terminal, "Deal card by card here, or from a list?")
    assert "Make room for 3 piles in front of each dealer: one row of 3" in seen
    terminal.press("\r")
    said(terminal, "Hold the deck face down.")
    for _ in range(60):
        if "Done" in terminal.press(" "):
            break
    terminal.press(" ")
    seen = said(terminal, "Next time: fairdeck deal 4 --mat 3x1 --dealers 2 --follow")
    assert terminal.end() == 0


@pytest.mark.parametrize(("key", "code"), [("\x04", 0), ("\x03", 130)])
def test_who_does_not_want_to_answer_leaves_quietly(key, code):
    terminal = Terminal(TERM="xterm")
    said(terminal, "How many cards")
    if key == "\x03":  # a signal, which the terminal of a shell sends
        terminal.process.send_signal(signal.SIGINT)
    else:
        terminal.press(key)
    terminal.process.wait(10)
    terminal.press()
    assert "Traceback" not in terminal.seen
    assert plain(terminal.seen).endswith("[52] \n")
    assert terminal.end() == code


def test_a_mat_of_ones_own_is_the_usual_answer(tmp_path):
    (tmp_path / "config.toml").write_text('mat = "4x2"\n')
    terminal = Terminal(TERM="xterm", FAIRDECK_CONFIG=str(tmp_path / "config.toml"))
    answer(terminal, "How many cards", "20")
    answer(terminal, "How many people", "")
    answer(terminal, "[4x2]", "")
    answer(terminal, "or from a list?", "list")
    said(terminal, "Next time: fairdeck deal 20 --mat 4x2\n")
    assert terminal.end() == 0


# --- terminals that can do little


def test_a_dumb_terminal_gets_no_escape_sequence_and_one_screen_below_the_other():
    terminal = Terminal("deal", "12", "--mat", "3x1", "--follow", TERM="dumb")
    said(terminal, "Hold the deck face down.")
    terminal.press(" ")
    terminal.press(" ")
    seen = said(terminal, "card 2 of 12")
    assert seen.index("Hold the deck") < seen.index("card 1 of 12") < seen.index("card 2 of 12")
    terminal.press("qq")
    said(terminal, "left unfinished")
    assert "\x1b" not in terminal.seen
    assert terminal.end() == 1


@pytest.mark.parametrize("mat", ["5x2", "12x1"])
def test_a_narrow_terminal_shows_every_screen_without_overflow(mat):
    terminal = Terminal("deal", "5", "--mat", mat, "--follow", "--seed", "07", COLUMNS="30", TERM="xterm")
    said(terminal, "face down")
    for _ in range(20):
        screen = terminal.press(" ")
        assert max(map(len, screen.splitlines())) <= 30
        if "check" in screen:
            break
        assert re.search(r"card \d+ of 5\s+\[\w\d\]", screen)
    terminal.press("qq")
    said(terminal, "left unfinished")
    assert terminal.end() == 1


def test_lines_keep_their_words_at_every_width():
    lines = ["Pass 1 of 2    card 7 of 60    dealer 1", "", "      [A1] again      A2   A3", "Is your hand empty?"]
    words = [word for line in lines for word in line.split()]
    longest = max(map(len, words))
    for width in range(1, 60):
        shown = fitted(lines, width)
        assert [word for line in shown for word in line.split()] == words
        assert max(map(len, shown)) <= max(width, longest)
    assert fitted(lines, 60) == lines


def test_a_picture_loses_its_margin_first_and_then_is_left_out():
    rows = [Drawn("      [A1] (A2)  A3 "), Drawn("       B1   .    . ")]
    assert fitted(["x", *rows], 21) == ["x", *rows]
    assert fitted(["x", *rows], 14) == ["x", rows[0][6:], rows[1][6:]]
    assert fitted(["x", *rows], 13) == ["x"]


NUMBERS = {"three": 3, "four": 4, "five": 5}


def test_as_many_questions_are_asked_as_are_announced():
    """On the screen and in the README. The usual answers lead to a list in a terminal that moves no cursor."""
    terminal = Terminal(TERM="dumb")
    announced = re.search(r"(\w+) questions, then you deal", said(terminal, "then you deal"))[1]
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    asked = 0
    while "Next time:" not in terminal.seen:
        shown = said(terminal, "")
        if shown.rstrip(" ").endswith("]"):
            asked += 1
            terminal.seen = ""
            terminal.press("\r")
        else:
            terminal.press()
    assert "PASS 1 OF 2" in plain(terminal.seen) and "\x1b" not in terminal.seen
    assert terminal.end() == 0
    assert NUMBERS[announced.lower()] == asked
    assert NUMBERS[re.search(r"# asks (\w+) questions, and deals", readme)[1]] == asked


def called_as(command, folder, path):
    """Return what fairdeck says without CARDS, called by these words in a folder."""
    environment = {name: value for name, value in os.environ.items() if name != "PATH"} | {"PATH": path}
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    return re.search(r"see (.*) (?:advise|deal) --help", done.stderr)[1]


def test_hints_name_the_program_as_it_was_called():
    """What a hint names must be found by the shell of the person who reads it."""
    place = Path(sys.executable).parent
    if not (place / "fairdeck").exists():
        pytest.skip("fairdeck is not installed as a command")
    relative = f"{place.name}/fairdeck"
    assert called_as([relative, "advise"], place.parent, "/usr/bin:/bin") == relative
    assert called_as([relative, "deal", "5x2", "60"], place.parent, "/usr/bin:/bin") == relative
    assert called_as([place / "fairdeck", "advise"], "/", "/usr/bin:/bin") == str(place / "fairdeck")
    assert called_as(["fairdeck", "advise"], "/", f"{place}:/usr/bin:/bin") == "fairdeck"
    module = [f"{place.name}/{Path(sys.executable).name}", "-m", "fairdeck"]
    assert called_as([*module, "advise"], place.parent, "/usr/bin:/bin") == " ".join(module)
    assert called_as([*module, "advise"], place.parent, f"{place}:/usr/bin:/bin") == "fairdeck"


def test_a_page_is_not_poured_into_a_terminal():
    terminal = Terminal("page", "riffle")
    assert "write a file, with -o riffle.html" in said(terminal, "riffle.html")
    assert len(terminal.seen) < 200
    assert terminal.end() == 2
