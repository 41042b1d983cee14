import fcntl
import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import termios
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from importlib.metadata import entry_points
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random

import pytest

import fairdeck
from fairdeck import FairdeckError, RandomIntegers, read_plan, replay, seeded_words, uniform_permutation
from fairdeck.cli.arguments import command_parser, steps_of
from fairdeck.cli.commands import SUMMARIES
from fairdeck.cli.exits import BAD_INPUT, INTERNAL_ERROR, INTERRUPTED
from fairdeck.cli.files import writable, write
from fairdeck.cli.settings import task_from
from fairdeck.dealing.outlook import outlook
from tests.table import Table

SEED = ["--seed", "c0ffee"]
DOCS = Path(__file__).parents[1] / "docs"

FAIRDECK = [sys.executable, "-m", "fairdeck"]


def deal_as_printed(text, cards):
    """Deal a deck by the printed instructions alone."""
    table = Table(cards)

    def gather(line):
        for pile, onto in re.findall(r"(\w+) on (\w+)", line):
            table.put(pile, onto)

    def hand_out(line):
        hands, rest = re.match(r"Hand out the hands: ([^.]*)\.(?: The other cards lie on (\w+)\.)?", line).groups()
        table.take_away([*hands.split(), *filter(None, [rest])])

    def check(line):
        for label, height in re.findall(r"(\w+) +(\d+|-)", line):
            assert table.height(label) == (0 if height == "-" else int(height)), line

    answers = {
        r"PASS": lambda line: table.begin("BOTTOM" in line),
        r"Dealer": lambda line: table.next_dealer(),
        r" +\d+   \w+(  +\w+)*$": lambda line: [table.deal(label) for label in line.split()[1:]],
        r"    \w+ +[\d-]": check,
        "Hand out": lambda line: table.take_away(re.findall(r"\b[A-Z]\w+", line.partition(": ")[2].replace("The", ""))),
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
        *("60 --mat 5x2", "1", "2", "52 --mat 5x1", "442 --mat 7x3", "60 --dealers 3", "30 --classic"),
        *("52 --passes 3", "104 --bottom space --mat 7x1"),
    ],
)
def test_the_printed_instructions_bring_the_deck_into_the_order_drawn(run, words):
    for seed in range(12):
        code, out, _ = run("deal", *words.split(), "--seed", f"{seed:02x}")
        cards = int(words.split()[0])
        order = uniform_permutation(cards, RandomIntegers(seeded_words(bytes([seed]))))
        assert (code, deal_as_printed(out, cards).end()) == (0, order)


@pytest.mark.parametrize("goal", ["hands:4x13", "hands:4x7+stock", "hands:5,4,3+rest"])
@pytest.mark.parametrize("more", [[], ["--dealers", "2"]])
def test_the_printed_instructions_deal_the_hands_drawn(run, goal, more):
    code, out, _ = run("deal", "52", "--goal", goal, *SEED, *more)
    table = deal_as_printed(out, 52)
    deck = table.end()
    order = uniform_permutation(52, RandomIntegers(seeded_words(bytes.fromhex("c0ffee"))))
    assert code == 0
    assert deck == (order[:24] if "stock" in goal else ())
    end = 52
    for hand in table.hands:
        assert sorted(hand) == sorted(order[end - len(hand) : end])
        end -= len(hand)
    assert end == len(deck)


def test_custom_labels_are_used(run):
    out = run("deal", "8", "--mat", "4x1", "--goal", "hands:4x2", "--labels", "North,East,South,West", *SEED)[1]
    assert "Hand out the hands: North East South West." in out


def test_deal_json_is_the_plan_and_reveals_only_when_asked(run):
    code, out, err = run("deal", "60", "--json", *SEED)
    assert code == 0
    assert "note: a deck from a seed" in err
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


def test_the_trace_tells_every_array(run, tmp_path):
    (tmp_path / "plan.json").write_text(run("deal", "20", "--json", "--reveal", "--mat", "3x1", *SEED)[1])
    out = run("verify", str(tmp_path / "plan.json"), "--trace")[1]
    order = uniform_permutation(20, RandomIntegers(seeded_words(bytes.fromhex("c0ffee"))))
    lines = out.splitlines()
    assert lines[1] == "initial       " + " ".join(map(str, range(20)))
    assert lines[2] == "randomised    " + " ".join(map(str, order))
    assert "final         " + " ".join(map(str, order)) in lines
    assert "It holds." in lines
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


@pytest.mark.parametrize(
    "words", ["60 --mat 5x2", "52 --mat 5x1", "150 --mat 5x1", "52 --goal hands:4x7+stock", "52 --goal top:20"]
)
def test_check_says_what_the_advice_is(run, words):
    task = task_from(command_parser("check").parse_args(words.split()))
    code, out, _ = run("check", *words.split(), "--json")
    asked = {"format": "fairdeck-check/1", "cards": task.cards, "mat": str(task.mat), "goal": str(task.goal)}
    assert code == 0
    assert json.loads(out) == asked | {"dealers": 1} | json.loads(json.dumps(asdict(outlook(task))))


def test_check_says_it_in_words(run):
    text = run("check", "150", "--mat", "5x1")[1]
    assert "faster mat    5x2: 2 passes" in text
    text = run("check", "52", "--mat", "5x1")[1]
    assert "37% of all orders take one pass more" in text
    assert "passes        2 (3 in 37% of deals)" in text
    assert "from the bottom of the deck in 32% of deals" in text
    assert "surer mat     7x1: 2 passes" in text
    assert "7 in 1 deal of 282" in run("check", "60")[1]
    assert "only the top 20 will be in random order" in run("check", "52", "--goal", "top:20")[1]
    assert "on any mat" not in run("check", "52", "--goal", "hands:4x13")[1]


def test_a_plan_holds_if_it_reaches_the_order_that_it_reveals(run, tmp_path):
    file = tmp_path / "plan.json"
    written = json.loads(run("deal", "20", "--json", "--reveal", *SEED)[1])
    file.write_text(json.dumps(written))
    code, out, _ = run("verify", str(file))
    assert (code, out.splitlines()[-1]) == (0, "it reaches the order that it reveals")
    order = ",".join(map(str, uniform_permutation(20, RandomIntegers(seeded_words(bytes.fromhex("c0ffee"))))))
    good = {"format": "fairdeck-verification/1", "holds": True, "first_fault": "", "checked": 1, "remarks": []}
    plan = {"cards": 20, "passes": len(written["passes"]), "order": order, "reaches": True}
    assert json.loads(run("verify", str(file), "--json")[1]) == good | plan
    written["destinations"][:2] = written["destinations"][1::-1]
    file.write_text(json.dumps(written))
    code, out, _ = run("verify", str(file))
    assert (code, out.splitlines()[0]) == (1, "It does not hold: the plan does not reach the order that it reveals.")
    del written["destinations"]
    file.write_text(json.dumps(written))
    code, out, _ = run("verify", str(file))
    assert (code, out.splitlines()[-1]) == (0, "the file reveals no order to compare with")
    assert "--registered is for a stored run" in run("verify", str(file), "--registered", "1")[2]


def test_shuffle_shuffles_numbers_arguments_and_lines(run):
    assert sorted(map(int, run("shuffle", "52")[1].split())) == list(range(52))
    assert sorted(run("shuffle", "a", "b", "c")[1].split()) == ["a", "b", "c"]
    assert run("shuffle", "-e", "52")[1] == "52\n"
    assert len(run("shuffle", "52", "-n", "5")[1].split()) == 5
    assert json.loads(run("shuffle", "3", "--json", *SEED)[1]) == {
        "format": "fairdeck-shuffle/1",
        "cards": 3,
        "items": list(uniform_permutation(3, RandomIntegers(seeded_words(bytes.fromhex("c0ffee"))))),
    }
    lines = b"one\ntwo words\n\xff\xfe\n\na\x0cb\x85c\xe2\x80\xa8d\r\nlast without newline"
    shown = subprocess.run([*FAIRDECK, "shuffle"], input=lines, capture_output=True, check=True)
    assert sorted(shown.stdout.removesuffix(b"\n").split(b"\n")) == sorted(lines.split(b"\n"))


BAD = [
    *(f"deal {cards}" for cards in ("0", "-1", "1e3", "12.7", "''", "text", "1000000000000", "1000001", "٣")),
    *(f"check {cards}" for cards in ("0", "-1", "1e3", "12.7", "''", "text", "1000000000000")),
    *(f"deal 60 --mat {mat}" for mat in ("0x5", "200x200", "5", "x", "5x2x1", "-1x2", "1x1")),
    *(f"deal 60 --goal {goal}" for goal in ("hands:4x13", "hands:4x20", "hands:", "top:61", "top:0", "all")),
    *("deal 60 --dealers 0", "deal 60 --dealers 9", "deal 3 --dealers 4", "deal 60 --dealers two"),
    *("deal 60 --passes 0", "deal 60 --passes 99", "deal 150 --mat 5x1 --passes 2", "check 150 --mat 5x1 --passes 2"),
    *("deal 60 --seed xyz", "deal 60 --seed ''", "deal 60 --bottom always", "deal 60 --labels A,B"),
    *(f"deal {'0' * 5000}", "deal 60 --mat=--", "shuffle 5 -n--", "check 60 --goal=--"),
    *("deal", "deal 60 60", "deal 60 --jsn", "deal 60 --json --follow", "deal 60 --follow", "dael 60", "''", "check"),
    *("shuffle 0", "shuffle 1e3", "shuffle 1000000001", "shuffle 5 -n x", "shuffle 5 --seed q"),
    *("packets two-ways", "packets four-halves", "packets two-way --cards 3", "packets two-way --cards x"),
    *("packets two-way --players 3", "packets two-way --steps 0", "packets two-way --riffles 21", "packets /"),
    *("packets /nowhere/my.flow", "packets --steps 3"),
    *("packets two-way --follow", "packets two-way --html /nowhere/x"),
    *("verify /nowhere/plan.json", "verify /", "verify /dev/null", "verify /bin/true", "verify"),
    *("page -o /nowhere/deal.html", "page -o /"),
    *("serve --port x", "serve --port 70000", "serve --host 203.0.113.1 --port 0"),
]


@pytest.mark.parametrize("line", BAD)
def test_bad_input_gets_one_line_and_exit_code_2(refused, line):
    assert "Traceback" not in refused(*("" if word == "''" else word for word in line.split()))


def test_a_truncated_plan_gets_one_line(run, refused, tmp_path):
    file = tmp_path / "plan.json"
    whole = run("deal", "60", "--json")[1]
    for size in (0, 1, 100, len(whole) // 2, len(whole) - 3):
        file.write_text(whole[:size])
        refused("verify", file)


@pytest.mark.long
def test_a_million_cards_are_planned(run):
    code, out, _ = run("deal", "1000000", "--mat", "7x3", "--json", *SEED)
    assert code == 0
    plan, _ = read_plan(out)
    assert len(plan.passes) == 5


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(("words", "code"), [("deal 20000", 0), ("config --json", 1)])
def test_a_reader_that_stops_early_is_no_error_and_keeps_the_exit_code(words, code, unbuffered, tmp_path):
    (tmp_path / "config.toml").write_text("mat = 5")
    line = f"({shlex.join(FAIRDECK)} {words}; echo code $? >&2) | head -c 20"
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered, "FAIRDECK_CONFIG": str(tmp_path / "config.toml")}
    environment |= {"FAIRDECK_CONFIG": os.devnull} if code == 0 else {}
    shown = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True, env=environment)
    assert shown.stderr.splitlines()[-1] == f"code {code}"
    assert len(shown.stderr.splitlines()) == 1 + code
    assert len(shown.stdout) == 20


@pytest.mark.cases(6)
@pytest.mark.parametrize(
    "line",
    [
        *("deal 60 >&-", "page >&-", "check 60 --json >&-", "shuffle <&-", "verify - <&-", "deal 60 >/dev/full"),
        *("--help >/dev/full", "--version >/dev/full", "mat --help >/dev/full", "help mat >&-"),
        *("deal 60 --html - >/dev/full", "shuffle 99999 >/dev/full"),
    ],
)
@pytest.mark.cases(1)
def test_closed_and_full_streams_get_one_line(line):
    command = f"{sys.executable} -m fairdeck {line}"
    shown = subprocess.run(["sh", "-c", command], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    says = "standard" if "&-" in line else "cannot write to standard output"
    assert (shown.returncode, len(shown.stderr.splitlines())) == (BAD_INPUT, 1)
    assert shown.stderr.startswith(f"fairdeck: {says}")


@pytest.mark.cases(6)
@pytest.mark.parametrize("end", ["2>/dev/full", "2>&-", ">/dev/full 2>/dev/full", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["deal 0", "deal 60 --seed c0ffee", "deal 60 --bogus"])
def test_where_errors_cannot_be_told_the_exit_code_still_tells_them(words, end):
    command = f"{sys.executable} -m fairdeck {words} {end}"
    shown = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    good = words == "deal 60 --seed c0ffee" and end.startswith("2>")
    assert shown.returncode == (0 if good else BAD_INPUT)
    assert shown.stderr == ""
    assert ("Gather" in shown.stdout) == good  # the work is done although its notes are lost


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (ZeroDivisionError("by zero"), INTERNAL_ERROR, "internal error: ZeroDivisionError: by zero; please report it"),
        (RecursionError(), INTERNAL_ERROR, "internal error: RecursionError; please"),
        (AssertionError("two\nlines"), INTERNAL_ERROR, "AssertionError: two\\nlines"),
        (OSError(24, "Too many open files"), BAD_INPUT, "the system refused a resource (Too many open files)"),
        (OSError("no reason"), BAD_INPUT, "the system refused a resource (no reason)"),
        (OSError(36, "Too long", "a" * 300), BAD_INPUT, f"cannot use '{'a' * 99}... (Too long)"),
        (PermissionError(13, "Permission denied", b"/decks"), BAD_INPUT, "cannot use '/decks' (Permission denied)"),
        (BrokenPipeError(32, "Broken pipe"), BAD_INPUT, "Broken pipe"),
        (MemoryError(), BAD_INPUT, "this needs more memory than the machine has"),
        (KeyboardInterrupt(), INTERRUPTED, ""),
        (SystemExit(143), 143, ""),
    ],
)
def test_every_failure_is_one_line_and_never_exit_code_1(run, monkeypatch, error, code, told):
    def fail(args):
        raise error

    monkeypatch.setattr("fairdeck.cli.commands.check.run", fail)
    ended, out, err = run("check", "60")
    assert (ended, out) == (code, "")
    assert told in err
    assert len(err.splitlines()) == bool(told)
    monkeypatch.setenv("FAIRDECK_TRACEBACK", "1")
    assert ("in fail" in run("check", "60")[2]) == isinstance(error, Exception)


def test_ctrl_c_is_quiet_while_the_program_is_loaded():
    code = """
import sys, fairdeck_command
class Pressed:
    def find_spec(self, name, path, target=None):
        if name == "fairdeck.dealing.outlook":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Pressed())
sys.exit(fairdeck_command.main())
"""
    shown = subprocess.run([sys.executable, "-c", code, "deal", "60"], capture_output=True, text=True)
    assert (shown.returncode, shown.stdout, shown.stderr) == (INTERRUPTED, "", "")
    (command,) = entry_points(group="console_scripts", name="fairdeck")
    assert command.value == "fairdeck_command:main"


HOSTILE = [
    *("", "\0", "\n", "\udcff", "0" * 5000, "9" * 5000, "-" + "9" * 5000, "." + "9" * 400, "a" * 5000, "A," * 500),
    *("5x" + "0" * 5000 + "2", "top:" + "0" * 5000, "hands:" + "1," * 999, "(" * 3000, "riffle*" + "0" * 5000),
    *("-", "--", "---", "=", "1/0", "٣", "²", "x", "f.py:f", "/", "loop", "deep.json", "big.json", "--mat", "-h"),
    *("en", "out.pdf", "60", "1"),
]


@pytest.mark.parametrize("name", ["advise", "boards", "check", "deal", "mat", "packets", "page", "verify", "shuffle"])
def test_hostile_words_get_one_line_and_a_known_exit_code(name, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("loop").symlink_to("loop")
    Path("deep.json").write_text("[" * 100_000)
    Path("big.json").write_text('{"format":"fairdeck-plan/1","cards":' + "9" * 6000 + "}")
    chance = Random(name)
    options = [option for action in command_parser(name)._actions for option in action.option_strings]
    for _ in range(150):
        words = [chance.choice(["60", "5x2", *HOSTILE])]
        for option in chance.sample(options, min(len(options), chance.randrange(3))):
            word = chance.choice(HOSTILE)
            words += chance.choice([[option], [option, word], [f"{option}={word}"], [f"{option}{word}"]])
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"{\n")))
        code, _, err = run(name, *words)
        assert code in (0, 1, 2, 69), (words, err)
        told = [line for line in err.splitlines() if not line.startswith("note: ")]
        assert code != BAD_INPUT or len(told) == 1, (words, err)
        assert "Traceback" not in err


@pytest.mark.parametrize("line", ["shuffle", "verify -", "test --file -"])
@pytest.mark.long
def test_standard_input_that_cannot_be_read_is_named(line, tmp_path):
    with (tmp_path / "only written").open("w") as stdin:
        shown = subprocess.run([*FAIRDECK, *line.split()], stdin=stdin, capture_output=True, text=True)
    assert (shown.returncode, shown.stdout, shown.stderr.count("\n")) == (BAD_INPUT, "", 1)
    assert "standard input" in shown.stderr and "Bad file descriptor" in shown.stderr


def test_what_cannot_be_encoded_is_escaped():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [*FAIRDECK, "deal", "4", "--mat", "2x1", "--labels", "Ä,Ö"]
    shown = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert "\\xc4" in shown.stdout


TELLING = ["--pdf deal.pdf", "--html deal.html", "--pdf deal.pdf --qr https://cards.example/deal --booklet 2"]


@pytest.mark.cases(1)
@pytest.mark.parametrize("line", TELLING)
def test_only_the_owner_can_ever_read_files_that_reveal_the_deck(run, tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    modes = []
    chmod, replace = Path.chmod, Path.replace

    def watched(call):
        def seen(path, to):
            modes.append(path.stat().st_mode & 0o777)
            call(path, to)
            modes.append(Path(path if call is chmod else to).stat().st_mode & 0o777)

        return seen

    monkeypatch.setattr(Path, "chmod", watched(chmod))
    monkeypatch.setattr(Path, "replace", watched(replace))
    before = os.umask(0)
    try:
        for _ in range(2):
            assert run("deal", "6", *line.split())[0] == 0
            (file,) = tmp_path.iterdir()
            assert set(modes) == {0o600}
            chmod(file, 0o644)  # an old file was everyone's; the new one must not be
    finally:
        os.umask(before)
    assert run("mat", "2x1")[0] == 0
    assert Path("mat.pdf").stat().st_mode & 0o777 == 0o666 & ~before  # what tells nothing is as the system says


@pytest.mark.parametrize(
    "line", ["deal 6 --html FILE", "deal 6 --pdf FILE", "mat 2x1 -o FILE", "advise 60 --html FILE"]
)
def test_a_link_stays_and_what_it_names_is_written_also_if_it_is_not_there(run, tmp_path, line):
    link, target = tmp_path / "link.pdf", tmp_path / "real.pdf"
    link.symlink_to(target)
    words = [word.replace("FILE", str(link)) for word in line.split()]
    assert run(*words)[0] == 0
    assert link.is_symlink()
    assert target.read_bytes()
    assert sorted(tmp_path.iterdir()) == [link, target]


def test_a_file_that_can_be_named_can_be_written(tmp_path):
    """The longest name there is, a pipe, and names that are none."""
    longest = tmp_path / ("a" * 251 + ".pdf")
    write(writable(str(longest)), b"all")
    assert longest.read_bytes() == b"all"
    os.mkfifo(tmp_path / "pipe")
    write_end = ThreadPoolExecutor().submit(lambda: write(writable(str(tmp_path / "pipe")), b"through"))
    assert (tmp_path / "pipe").read_bytes() == b"through"
    write_end.result(10)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name in ("a" * 256, "loop", "none/file", "longest/file", "nul\0", ""):
        with pytest.raises(FairdeckError, match="name another file"):
            writable(str(tmp_path / name))
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "line", ["verify /dev/zero", "verify - </dev/zero", "shuffle --file /dev/zero", "shuffle </dev/zero"]
)
def test_a_file_without_end_is_refused_before_memory_is_full(line):
    code = (
        "import sys; from pathlib import Path; from fairdeck.cli import main; code = main(sys.argv[1:]);"
        # Not the figure of getrusage: a process begins with that of the one that started it.
        "used = Path('/proc/self/status').read_text().partition('VmHWM:')[2].split()[0];"
        "print(int(used) >> 10, file=sys.stderr); sys.exit(code)"
    )
    words, _, stdin = line.partition(" <")
    with Path(stdin or os.devnull).open() as given:
        command = [sys.executable, "-c", code, *words.split()]
        shown = subprocess.run(command, capture_output=True, text=True, stdin=given, timeout=60)
    told, used = shown.stderr.splitlines()
    assert shown.returncode == BAD_INPUT
    assert re.search("has more than (64|256) MiB: name a", told)
    assert int(used) < 400


def test_a_taken_port_is_told(run):
    with subprocess.Popen([*FAIRDECK, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True) as work:
        port = re.search(r":(\d+)/", work.stdout.readline())[1]
        code, _, err = run("serve", "--port", port)
        work.terminate()
    assert code == BAD_INPUT
    assert f"port {port} is taken" in err


class Terminal:
    """A real terminal with the program in it, and fingers."""

    def __init__(self, *words, program=(), **environment):
        self.seen = ""
        self.ours, theirs = pty.openpty()
        streams = dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
        command, environment = [*(program or FAIRDECK), *words], {**os.environ, **environment}
        self.process = subprocess.Popen(command, **streams, env=environment, start_new_session=True)
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


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("cards", "options"),
    [
        (14, "--mat 3x1"),
        (15, "--mat 3x2 --goal hands:2x3+stock"),
        (12, "--mat 2x1 --dealers 2"),
        (9, "--mat 4x1 --goal hands:2x3+rest"),
    ],
)
def test_following_in_a_terminal_deals_the_deck_drawn(cards, options):
    """Every screen of a whole deal is read as a person would, with some steps undone and redone."""
    terminal = Terminal("deal", str(cards), *options.split(), "--seed", "07", "--follow", NO_COLOR="1")
    table, screen, undone, dealer = Table(cards), terminal.press(), 0, "1"
    while "Done" not in screen:
        if card := re.search(r"card (\d+) of \d+(?:    dealer (\d))?\s+\[([A-Z]\d)\]", screen):
            if int(card[1]) % 5 == 0 and undone < 2:
                undone += 1
                assert f"card {int(card[1]) - 1} of" in terminal.press("u")
                assert terminal.press("\x1b[C").split() == screen.split()
            if card[2] and card[2] != dealer:
                table.next_dealer()
            dealer = card[2]
            table.deal(card[3])
            then = re.search(r" then [A-Z]\d(, [A-Z]\d)?\s", screen)
            last = re.search(r"card (\d+) of \1\b", screen)
            assert bool(then) != bool(last), "the next labels are named by a word, not by their place"
        elif "check" in screen:
            heights = [(label, int(height)) for label, height in re.findall(r"([A-Z]\d) +(\d+)", screen)]
            assert sum(height for _, height in heights) == sum(len(pile) for mat in table.mats for pile in mat.values())
            if "--dealers" in options:
                assert "Join the piles" in screen
            else:
                assert all(table.height(label) == height for label, height in heights)
            if note := re.search(r"Hand out the hands: ([^.]*)\.(?: The other cards lie on (\w+)\.)?", screen):
                table.take_away([*note[1].split(), *filter(None, [note[2]])])
        elif move := re.search(r"Put (\w+) on (\w+)", screen):
            table.put(move[1], move[2])
        else:
            table.begin()
            dealer = "1"
        screen = terminal.press(" ")
    order = uniform_permutation(cards, RandomIntegers(seeded_words(bytes.fromhex("07"))))
    deck = table.end()
    assert deck == order[: len(deck)]
    assert len(deck) == {"stock": 9, "rest": 0}.get(options.partition("+")[2], cards)
    end = cards
    for hand in table.hands:
        assert sorted(hand) == sorted(order[end - len(hand) : end])
        end -= len(hand)
    assert end == len(deck)
    assert undone >= 1
    terminal.press(" ")
    assert terminal.end() == 0
    assert terminal.seen.count("\x1b[?1049h") == terminal.seen.count("\x1b[?1049l") == 1


@pytest.mark.cases(1)
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
    assert terminal.seen.rstrip().endswith("again.")
    assert "\x1b[?1049l" in terminal.seen
    assert terminal.end() == 1


@pytest.mark.long
def test_a_slip_is_found_at_the_check_and_the_mended_table_deals_the_deck_drawn():
    """The third card goes to the wrong pile; the heights typed name it, and the way told mends it."""
    terminal = Terminal("deal", "12", "--mat", "3x2", "--bottom", "space", "--seed", "09", "--follow", NO_COLOR="1")
    plan = fairdeck.deal(12, mat="3x2", bottom="space", seed="09").plan
    (step,), labels = plan.passes, plan.mat.labels
    table, screen = Table(12), terminal.press()
    table.begin(from_bottom="BOTTOM" in screen)
    for _ in range(12):
        card = re.search(r"card (\d+) of 12\s+from the BOTTOM\s+\[([A-Z]\d)\]", terminal.press(" "))
        table.deal("B1" if card[1] == "2" else card[2])
    check = terminal.press(" ")
    assert "press d" in check and "d: differs" in check
    typed = " ".join(str(table.height(label)) for label in labels)
    screen = terminal.press(f"d\r{typed}\r")
    assert "Certain, if only one slip was made" in screen
    assert "about 12 cards, " in screen
    lift = re.search(r"On (\w+), the card under the top (\d+): put it on (\w+)\.", screen)
    table.mats[-1].setdefault(lift[3], []).append(table.mats[-1][lift[1]].pop(-1 - int(lift[2])))
    assert terminal.press("x") == check
    assert "What you counted is as shown: it shows no slip." in terminal.press("d\r\r")
    assert terminal.press("x") == check
    for _ in step.moves():
        table.put(*re.search(r"Put (\w+) on (\w+)", terminal.press(" ")).groups())
    assert "Done" in terminal.press(" ")
    assert table.end() == uniform_permutation(12, RandomIntegers(seeded_words(bytes.fromhex("09"))))
    terminal.press(" ")
    assert terminal.end() == 0


@pytest.mark.long
def test_nonsense_typed_as_a_height_is_told_in_one_line_and_can_be_changed():
    terminal = Terminal("deal", "14", "--mat", "3x1", "--seed", "07", "--follow", NO_COLOR="1")
    opening = terminal.press()
    assert "differs" not in opening
    assert terminal.press("d") == opening
    check = terminal.press(" " * 15)
    assert "Cards left in your hand (0): _" in terminal.press("d")
    assert "'q u' is not a whole number" in terminal.press("q u\r")
    assert "Cards left in your hand (0): q_" in terminal.press("\x7f\x7f")
    assert "-1 is out of range; write 0 to 1000000" in terminal.press("\x7f-1\r")
    assert "Heights of A1 to A3, row by row" in terminal.press("\x7f\x7f\r")
    assert "2 heights: type one for each space, 3 to 3" in terminal.press("7 7\r")
    assert "is not a whole number" in terminal.press(" \xe4\r")
    for leave in ("\x03", "\x1b", "\x04"):
        assert terminal.press(leave) == check
        terminal.press("d")
    terminal.press("\x03")
    assert "Leave this deal?" in terminal.press("\x03")
    terminal.press("q")
    assert terminal.end() == 1
    assert terminal.seen.count("\x1b[?1049h") == terminal.seen.count("\x1b[?1049l") == 1


@pytest.mark.long
def test_of_several_dealers_the_one_whose_piles_do_not_match_is_asked_for():
    terminal = Terminal("deal", "12", "--mat", "3x2", "--dealers", "2", "--seed", "07", "--follow", NO_COLOR="1")
    terminal.press()
    assert "Whose piles do not match: dealer 1 to 2 (1): _" in terminal.press(" " * 13 + "d")
    assert "write 1 to 2" in terminal.press("3\r")
    second = fairdeck.deal(12, mat="3x2", dealers=2, seed="07").plan.passes[0].shares()[1]
    asked = terminal.press("\x7f2\r")
    assert "Cards left in your hand (0)" in asked
    assert f"A1 {second.count(0)}" in asked
    terminal.press("\x03")
    terminal.press("qq")
    assert terminal.end() == 1


@pytest.fixture
def terminal():
    """A terminal of which both ends stay open: ours, and the one that programs have."""
    ours, theirs = pty.openpty()
    yield ours, theirs
    os.close(ours)
    os.close(theirs)


def in_terminal(theirs, *command):
    """Start a command with this terminal as its own, as a shell is started."""
    own = lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # noqa: E731
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
    return subprocess.Popen(command, **streams, start_new_session=True, preexec_fn=own)


def read_until(ours, what, seconds=20):
    """Return what is written to the terminal, until `what` is there."""
    seen, until = "", time.monotonic() + seconds
    while what not in seen and time.monotonic() < until:
        if select.select([ours], [], [], 0.2)[0]:
            seen += os.read(ours, 65536).decode()
    assert what in seen, seen
    return seen


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT"])
def test_ended_by_a_signal_it_gives_the_terminal_back(terminal, name):
    ours, theirs = terminal
    before = termios.tcgetattr(theirs)
    running = in_terminal(theirs, *FAIRDECK, "deal", "14", "--follow")
    read_until(ours, "Hold the deck")
    assert termios.tcgetattr(theirs) != before
    running.send_signal(signal.Signals[name])
    assert running.wait(10) == 128 + signal.Signals[name]
    assert termios.tcgetattr(theirs) == before
    read_until(ours, "\x1b[?1049l")


def test_every_command_and_argument_has_help():
    for name in SUMMARIES:
        command = command_parser(name)
        for parser in (command, *steps_of(command).values()):
            assert parser.description and parser.examples, parser.prog
            for action in parser._actions:
                assert action.help, f"{parser.prog}: the argument {action.dest} has no help"


def test_help_and_version_answer(run):
    assert run("--help")[0] == 0
    assert "fairdeck deal 60" in run("--help")[1]
    assert run("--version")[1].startswith("fairdeck 0.")
    for name in SUMMARIES:
        assert run(name, "--help")[0] == 0
        assert run("help", name) == run(name, "--help")
    assert run("help") == run("--help") == run("-h")
    assert run("help", "together", "join") == run("together", "join", "--help")


def test_no_command_is_help_and_no_success(run):
    assert run() == (BAD_INPUT, "", run("--help")[1])


def test_a_word_too_many_is_named_and_choices_where_none_is_near(run):
    assert "fairdeck mat: unexpected argument 'x': leave it out (see fairdeck mat --help)" in run("mat", "5x2", "x")[2]
    assert "choose one of never, pass, space" in run("deal", "60", "--bottom", "x")[2]


def test_help_and_version_import_no_command():
    code = """if True:
        import sys
        from fairdeck.cli import main
        for word in sys.argv[1:]:
            main([word])
        print(*[name for name in sys.modules if name.startswith("fairdeck.cli.commands.")], sep=",", file=sys.stderr)"""
    words = ["--version", "--help", "help", "--verson"]
    shown = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    assert shown.stderr.splitlines()[1:] == [""]
