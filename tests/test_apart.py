"""No command writes a file that it reads, nor one file twice: all commands and all options, from their parsers."""

import io
import os
import re
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from itertools import combinations
from pathlib import Path

import pytest

from fairdeck.cli import main
from fairdeck.cli.apart import A_FILE, A_FOLDER, READ, TARGETS
from fairdeck.cli.arguments import command_parser, steps_of
from fairdeck.cli.commands import SUMMARIES

CONTENT = b"what was there before\n"


def places():
    """Yield each command or step with its parser."""
    for name in SUMMARIES:
        parser = command_parser(name)
        yield from (
            steps_of(parser).items() and ((f"{name} {step}", each) for step, each in steps_of(parser).items())
        ) or ((name, parser),)


def value_of(action):
    return " ".join(action.metavar) if isinstance(action.metavar, tuple) else str(action.metavar or "")


def names_files(action):
    return A_FILE.match(value_of(action)) or value_of(action) in {A_FOLDER, *TARGETS}


def only_reads(action):
    """Tell what is known of an argument, without asking the rule: what is no option, and the few options of `READ`."""
    if not action.option_strings:
        return value_of(action) != A_FOLDER
    return bool(READ.intersection(action.option_strings)) or value_of(action) == "COMMAND"


def pairs():
    """Yield every two arguments of a command that could name one file, of which one is written."""
    for name, parser in places():
        actions = [each for each in parser._actions if names_files(each) and not each.choices]
        several = [(each, each) for each in actions if each.nargs in ("+", 2) and not only_reads(each)]
        for one, other in [*combinations(actions, 2), *several]:
            exclusive = any({one, other} <= set(group._group_actions) for group in parser._mutually_exclusive_groups)
            if not exclusive and not (only_reads(one) and only_reads(other)):
                yield name, parser, one, other


PAIRS = list(pairs())


def command_line(name, parser, values):
    """Return a call in which some arguments have values, and what else must be there has any."""
    words = name.split()
    positional = []
    for action in parser._actions:
        given = values.get(action.dest)
        if action.option_strings:
            if given is not None or action.required:
                more = ["x"] * (action.nargs - 1) if isinstance(action.nargs, int) and action.nargs > 1 else []
                words += [action.option_strings[-1], given or "x", *more]
        elif given is not None or action.nargs not in ("?", "*", 0):
            positional.append(given or (next(iter(action.choices)) if action.choices else "x"))
    return [*words, *positional]


def called(words):
    said = io.StringIO()
    with redirect_stderr(said), redirect_stdout(io.StringIO()):
        code = main(words)
    return code, said.getvalue()


def test_the_walk_meets_every_command_that_writes():
    found = {name for name, *_ in PAIRS}
    assert {"deal", "boards", "test", "runs", "monitor", "histogram", "packets", "together list"} <= found
    assert len(PAIRS) > 100


@pytest.mark.parametrize(
    "way", ["the same name", "a symbolic link", "a hard link", "another spelling", "not there yet"]
)
def test_no_command_takes_one_file_for_two_purposes(way, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    asked = 0
    for name, parser, one, other in PAIRS:
        file, again = Path("file.pdf"), "file.pdf"
        if way != "not there yet":
            file.write_bytes(CONTENT)
        elif {value_of(one), value_of(other)} & TARGETS:
            continue  # what is not there is no file to test, but a name
        if way == "a symbolic link":
            again = "link.pdf"
            Path(again).symlink_to(file)
        elif way == "a hard link":
            again = "hard.pdf"
            os.link(file, again)
        elif way == "another spelling":
            again = "./folder/../file.pdf"
        for values in ({one.dest: str(file), other.dest: again}, {one.dest: again, other.dest: str(file)}):
            code, said = called(command_line(name, parser, values))
            assert code == 2, (name, one.dest, other.dest, said)
            assert "both name" in said and said.count("\n") == 1, (name, values, said)
            assert not file.exists() or file.read_bytes() == CONTENT, (name, values)
        asked += 1
        for left in ("file.pdf", "link.pdf", "hard.pdf"):
            Path(left).unlink(missing_ok=True)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    assert asked > 60


def test_what_is_said_to_be_only_read_is_only_read():
    for name, parser in places():
        for action in parser._actions:
            if READ.intersection(action.option_strings):
                assert not re.match("(also )?(write|keep)|the file to write", action.help), (
                    name,
                    action.option_strings,
                )


DECKS = "".join(" ".join(map(str, order)) + "\n" for order in ([2, 0, 1, 3], [0, 1, 3, 2], [3, 2, 1, 0]) * 40)
FUNCTION = "def shuffle(deck, rng):\n    rng.shuffle(deck)\n"
PROGRAM = "import random\nfor _ in range(9): print(*random.sample(range(4), 4))\n"
CALLS = {
    "status over the log": ("monitor decks.log --store watch.db --once --status decks.log", "decks.log"),
    "metrics over the log": ("monitor decks.log --store watch.db --once --metrics decks.log", "decks.log"),
    "store in the log": ("monitor empty.log --store empty.log --once", "empty.log"),
    "status over a rotated log": ("monitor decks.log --store watch.db --once --status decks.log.1", "decks.log.1"),
    "report over its store": ("runs run.db --html run.db", "run.db"),
    "report over its store's journal": ("runs run.db --run 1 --html run.db-journal", "run.db-journal"),
    "certificate over its store": ("runs run.db --certificate run.db", "run.db"),
    "report over the new store": ("test sattolo --cards 4 --decks 99 --store new.db --html new.db", "new.db"),
    "report over a store that goes on": ("test --resume run.db --html run.db", "run.db"),
    "report over the function": ("test mine.py:shuffle --cards 4 --decks 99 --html mine.py", "mine.py"),
    "report over a module": ("test mine:shuffle --cards 4 --decks 99 --html mine.py", "mine.py"),
    "report over the program": ("test --exec", "program.py"),
    "report over the decks": ("test --file decks.log --junit decks.log", "decks.log"),
    "report over decks named as a shuffle": ("test decks.log --junit decks.log", "decks.log"),
    "what a stored run reads": ("test --resume begun.db --html begun.py", "begun.py"),
    "two reports": ("test sattolo --cards 4 --decks 99 --html new --junit new", "new"),
    "a page over the order": ("deal --order decks.txt --html decks.txt", "decks.txt"),
    "a page over the settings": ("deal 9 --html settings.toml", "settings.toml"),
    "a page over the pace of the settings": ("advise 52 --html my-pace.json", "my-pace.json"),
    "a picture over a scheme": ("packets mine.txt --html mine.txt", "mine.txt"),
}


@pytest.mark.parametrize("call", CALLS)
def test_what_is_read_stays_byte_for_byte(call, inputs, tmp_path):
    words, name = CALLS[call]
    told = [*words.split()]
    if words.endswith("--exec"):
        told += [f"{sys.executable} program.py", "--cards", "4", "--decks", "9", "--html", "program.py"]
    shutil.copytree(inputs, tmp_path, dirs_exist_ok=True)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    done = fairdeck(tmp_path, *told)
    assert done.returncode == 2, done.stdout + done.stderr
    assert name.partition(".")[0] in done.stderr.splitlines()[-1], done.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Make a folder with what the calls read."""
    pytest.importorskip("scipy")
    folder = tmp_path_factory.mktemp("inputs")
    for name, text in {
        "decks.log": DECKS,
        "decks.log.1": DECKS,
        "empty.log": "",
        "mine.py": FUNCTION,
        "begun.py": "import time\n" + FUNCTION + "    time.sleep(.01)\n",
        "program.py": PROGRAM,
        "decks.txt": "A\nB\nC\n",
        "deal-2.ogg": "AS\nKS\n",
        "settings.toml": 'pace = "my-pace.json"\n',
        "my-pace.json": "{}",
        "mine.txt": "scheme\n",
    }.items():
        (folder / name).write_text(text)
    fairdeck(folder, "test", "sattolo", "--cards", "4", "--decks", "99", "--store", "run.db")
    # A run of begun.py that has not ended.
    code = (
        "from fairdeck import lab\n"
        "def stop(trial):\n    if trial.decks: raise KeyboardInterrupt\n"
        "try: lab.test('begun.py:shuffle', cards=4, decks=9000, store='begun.db', progress=stop)\n"
        "except KeyboardInterrupt: pass\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True, env=environment(folder))
    return folder


def environment(folder):
    return {**os.environ, "XDG_CONFIG_HOME": str(folder.parent / "settings"), "PYTHONDONTWRITEBYTECODE": "1"}


def fairdeck(folder, *words, **options):
    return subprocess.run(
        [sys.executable, "-m", "fairdeck", *words],
        cwd=folder,
        capture_output="stdout" not in options,
        text=True,
        env={**environment(folder), "FAIRDECK_CONFIG": "settings.toml"},
        **options,
    )


def test_the_standard_streams_are_files_too(tmp_path):
    log = tmp_path / "decks.txt"
    log.write_text("A\nB\nC\n")
    for stream, how, words in (
        ("stdout", "a", ["--order", "decks.txt"]),
        ("stdin", "r", ["--order", "-", "--html", "decks.txt"]),
        ("stdout", "a", ["9", "--html", "decks.txt"]),
    ):
        with log.open(how) as file:
            done = fairdeck(
                tmp_path, "deal", *words, **{"stdout": subprocess.PIPE, stream: file}, stderr=subprocess.PIPE
            )
        assert done.returncode == 2 and "both name this file" in done.stderr, (words, done)
        assert log.read_text() == "A\nB\nC\n"


def test_devices_and_pipes_may_be_named_twice(tmp_path):
    done = fairdeck(tmp_path, "deal", "9", "--html", "/dev/null", "--pdf", "deal.pdf", stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
