"""Windows, as far as a fake of its calls shows: nothing POSIX-only is imported or called, and consoles are served."""

import io
import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

import fairdeck
from fairdeck import folders, lab
from fairdeck.cli import main, streams, terminal
from fairdeck.lab.runs.store import Store
from fairdeck.lab.usercode import process_groups
from fairdeck.lab.watching import live_log, pipe
from tests.as_windows import LACKS, Console, Files, keyboard
from tests.test_cli import Terminal

ROOT = Path(__file__).parents[1]
AS_WINDOWS = [sys.executable, "-m", "tests.as_windows"]
SESSION = """if True:
    import sys
    from importlib import import_module
    from pkgutil import walk_packages
    from tests.as_windows import install
    install()
    import fairdeck
    from fairdeck.cli import main
    for each in walk_packages(fairdeck.__path__, "fairdeck."):
        if not each.name.endswith("__main__"):
            import_module(each.name)
    for line in sys.stdin.read().splitlines():
        words = line.split()
        code = main(words)
        print("code", code, *words, flush=True)
"""
COMMANDS = """\
deal 12 --mat 3x1
deal 12 --json --reveal
deal 12 --html deal.html
deal 12 --pdf deal.pdf
check 12
verify plan.json
mat 3x1 -o mat.svg
page -o page.html
rank 2,0,1
rank --of 3 --cards 3
shuffle 5
shuffles naive
hands
config
config --example
doctor --json
advise 20
mix riffle*7 --cards 52
packets
exact naive --cards 3
exact C:\\shuffles.py:naive --cards 3
test C:\\shuffles.py:naive --cards 4 --decks 4000 --seed 1
together 12 --people Ann
monitor decks.log --store watch.db --once
"""
PLAN = fairdeck.deal(12, seed="01").plan.as_dict()
EXPECTED = {"hands": 2, "exact": 1, "test": 1, "together": 2, "monitor": 1}


@pytest.fixture
def windows(monkeypatch):
    """Let some modules believe that they run on Windows."""

    def believe(*modules):
        for module in modules:
            lacks = LACKS["os"].split()
            seen = {name: getattr(os, name) for name in dir(os) if name not in lacks}
            monkeypatch.setattr(module, "os", SimpleNamespace(**seen), raising=False)
            known = {name: getattr(sys, name) for name in dir(sys)} | {"platform": "win32"}
            monkeypatch.setattr(module, "sys", SimpleNamespace(**known), raising=False)

    return believe


@pytest.mark.long
def test_every_module_can_be_imported_and_the_commands_run(tmp_path):
    (tmp_path / "C:\\shuffles.py").write_text(
        "def naive(deck, rng):\n"
        "    for k in range(len(deck)):\n"
        "        j = rng.randrange(len(deck))\n"
        "        deck[k], deck[j] = deck[j], deck[k]\n"
    )
    (tmp_path / "decks.log").write_text("0 1 2 3\n3 1 0 2\n" * 100)
    (tmp_path / "plan.json").write_text(json.dumps(PLAN))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "APPDATA": str(tmp_path / "AppData")}
    environment.pop("FAIRDECK_CONFIG", None)
    command = [sys.executable, "-c", SESSION]
    shown = subprocess.run(command, input=COMMANDS, capture_output=True, text=True, cwd=tmp_path, env=environment)
    ended = {line for line in shown.stdout.splitlines() if line.startswith("code ")}
    wanted = {f"code {EXPECTED.get(line.split()[0], 0)} {line}" for line in filter(None, COMMANDS.splitlines())}
    assert wanted - ended == set(), shown.stderr
    assert "internal error" not in shown.stderr
    assert str(tmp_path / "AppData" / "fairdeck" / "config.toml") in shown.stdout


def test_the_fake_hears_what_windows_lacks():
    code = "from tests.as_windows import install; install(); exec('import {0}', {{'__name__': 'fairdeck.x'}})"
    for module in ("termios", "fcntl"):
        shown = subprocess.run([sys.executable, "-c", code.format(module)], capture_output=True, text=True, cwd=ROOT)
        assert "Windows has no module" in shown.stderr
    code = "from tests.as_windows import install; install(); exec('import os; os.fork', {'__name__': 'fairdeck.x'})"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert "Windows has no os.fork" in shown.stderr


@pytest.mark.long
def test_the_types_hold_on_windows():
    options = ["--platform", "win32", "--cache-dir", ".mypy_cache/win32", "-p", "fairdeck"]
    command = [sys.executable, "-m", "mypy", *options]
    shown = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert shown.returncode == 0, shown.stdout


# --- the console


class WindowsTerminal(Terminal):
    """A terminal with the program in the fake of Windows; the keys are told before it starts."""

    def __init__(self, keys, *words, console=""):
        program = [*AS_WINDOWS, *words]
        super().__init__(
            program=program, FAKE_KEYS=",".join(keys), FAKE_CONSOLE=console, PYTHONPATH=str(ROOT), TERM="xterm"
        )

    def all(self):
        """Return all that it writes until it ends."""
        while self.process.poll() is None:
            self.press()
        self.press()
        return self.seen


def test_following_reads_the_keys_of_the_console_and_asks_it_to_obey_escape_sequences():
    terminal = WindowsTerminal([" ", "right", "left", "\r", "q", "x", "q", "q"], "deal", "12", "--follow")
    seen = terminal.all()
    screens = seen.split("\x1b[H\x1b[2J")
    assert ["card 1 of" in screens[2], "card 2 of" in screens[3], "card 1 of" in screens[4]] == [True] * 3
    assert "Leave this deal?" in screens[6]
    assert "left unfinished" in seen
    assert seen.count("\x1b[?1049h") == seen.count("\x1b[?1049l") == 1
    assert terminal.end() == 1


def test_a_console_that_obeys_no_escape_sequences_gets_none():
    terminal = WindowsTerminal([" ", " ", "q", "q"], "deal", "12", "--follow", console="old")
    seen = terminal.all()
    assert "card 2 of 12" in seen
    assert "\x1b" not in seen
    assert terminal.end() == 1


@pytest.mark.parametrize(("obeys", "mode", "asked"), [(True, 3, [7]), (True, 7, []), (False, 3, [7])])
def test_the_mode_of_the_console_is_kept_and_escape_sequences_added(windows, monkeypatch, obeys, mode, asked):
    windows(terminal)
    console = Console(obeys)
    console.mode = mode
    handle = SimpleNamespace(get_osfhandle=lambda _number: 1 << 40)
    monkeypatch.setitem(sys.modules, "msvcrt", handle)
    monkeypatch.setattr("ctypes.windll", SimpleNamespace(kernel32=console), raising=False)
    screen = SimpleNamespace(isatty=lambda: True, fileno=lambda: 1)
    monkeypatch.setenv("TERM", "xterm")
    assert terminal.takes_escapes(screen) == obeys
    assert console.asked == asked


# --- code pages


class Page(io.TextIOWrapper):
    """Standard output with a code page."""

    def __init__(self, encoding):
        super().__init__(io.BytesIO(), encoding=encoding, newline="\n")

    def written(self):
        self.flush()
        return self.buffer.getvalue().decode(self.encoding)


@pytest.mark.parametrize("encoding", ["cp437", "cp850", "cp1252", "ascii"])
def test_a_code_page_without_suits_gets_letters_and_other_signs_lose_nothing(monkeypatch, encoding):
    page = Page(encoding)
    monkeypatch.setattr(sys, "stdout", page)
    with streams.prepared():
        print("A♠ 10♥ 2×3 – ✓ 山")
    ending = r"\u2713 \u5c71"
    assert page.written() in (f"AS 10H 2x3 - {ending}\n", f"AS 10H 2×3 - {ending}\n", f"AS 10H 2×3 – {ending}\n")


def test_a_letter_that_a_code_page_has_is_left_alone(monkeypatch):
    page = Page("cp1252")
    monkeypatch.setattr(sys, "stdout", page)
    with streams.prepared():
        print("Bär × Bar")
    assert page.written() == "Bär × Bar\n"


# --- files that PowerShell 5 writes with ">": UTF-16 with a mark, lines end with CR LF


@pytest.mark.parametrize(
    ("text", "words", "says"),
    [
        (json.dumps(PLAN), ["verify", "FILE"], "12 cards in"),
        (
            "2 of spades\nace of hearts\n",
            ["deal", "--order", "FILE", "--start", "FILE", "--mat", "3x1"],
            "2 cards on a",
        ),
        ("0 1 2 3 4 5 6 7 8 9\n0 5 1 6 2 7 3 8 4 9\n", ["hands", "--orders", "FILE"], "As far as 1 riffle tells"),
        ("scheme mine\ntitle Mine\npack 60 packets 1\nstep { 1 = !1 }\n", ["packets", "FILE", "--flow"], "title Mine"),
        ('mat = "3x1"\n', ["config"], "3x1"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_file_that_powershell_wrote_is_read(tmp_path, monkeypatch, capsys, text, words, says, encoding):
    file = tmp_path / "file"
    file.write_bytes(text.replace("\n", "\r\n").encode(encoding))
    monkeypatch.setenv("FAIRDECK_CONFIG", str(file if words[0] == "config" else tmp_path / "none"))
    assert main([str(file) if word == "FILE" else word for word in words]) == 0
    assert says in capsys.readouterr().out


def test_lines_of_two_bytes_a_letter_are_not_shuffled(tmp_path, capsys):
    (tmp_path / "file").write_bytes("a\nb\n".encode("utf-16"))
    assert main(["shuffle", "--file", str(tmp_path / "file")]) == 2
    assert "is UTF-16 text, and lines are shuffled as bytes: save it as UTF-8" in capsys.readouterr().err


# --- paths with a drive


def test_a_path_with_a_drive_names_no_function(capsys):
    assert main(["test", r"C:\my games\deck.py"]) == 2
    assert r"'C:\\my games\\deck.py' names no function; write package.module:function or" in capsys.readouterr().err


@pytest.mark.parametrize("as_path", [str, Path])
def test_decks_in_a_file_with_a_drive_are_a_file(tmp_path, monkeypatch, as_path):
    monkeypatch.chdir(tmp_path)
    Path(r"C:\decks.txt").write_text("0 1 2\n1 0 2\n" * 300)
    assert lab.test(as_path(r"C:\decks.txt"), store="run.db", only="descents").shuffle == r"C:\decks.txt"
    with closing(Store(Path("run.db"))) as store:
        assert store.only(1).inquiry.kind == "file"


# --- what POSIX has and Windows has not


def test_the_reader_that_leaves_is_known_by_the_error_of_windows(windows, monkeypatch):
    windows(streams)
    with os.fdopen(os.eventfd(0), "w") as refusing:  # which takes eight bytes only, and calls others invalid
        monkeypatch.setattr(streams.sys, "stdout", refusing)
        monkeypatch.setattr(streams.sys, "__stdout__", refusing)
        with streams.prepared():
            print("deal", flush=True)


def test_standard_input_is_read_in_a_thread(windows, monkeypatch):
    windows(pipe)
    ours, theirs = os.pipe()
    with os.fdopen(ours, "rb") as reads, os.fdopen(theirs, "wb", buffering=0) as writes:
        monkeypatch.setattr(pipe.sys, "stdin", SimpleNamespace(buffer=reads))
        log = pipe.Pipe()
        assert not log.ready(0.01)
        writes.write(b"0 1 2\n2 0")
        assert log.ready(5)
        assert list(log.pieces()) == [(b"0 1 2\n", True)]
        writes.write(b" 1\n")
        assert log.ready(5)
        assert list(log.pieces()) == [(b"2 0 1\n", False)]
        writes.close()
        assert log.ready(5)
        assert list(log.pieces()) == []
        assert log.ended
        assert log.ready(0)


def test_a_log_is_read_at_a_place_without_pread(windows, tmp_path):
    windows(live_log)
    (tmp_path / "log").write_bytes(b"0123456789")
    with (tmp_path / "log").open("rb", buffering=0) as file:
        assert live_log._read_at(file.fileno(), 3, 4) == b"456"
        assert live_log._read_at(file.fileno(), 9, 8) == b"89"
        assert live_log._read_at(file.fileno(), 3, 0) == b"012"


def test_a_log_is_opened_so_that_its_writer_can_rename_it(windows, monkeypatch, tmp_path):
    windows(live_log)
    for name in ("O_BINARY", "O_NOINHERIT"):
        monkeypatch.setattr(live_log.os, name, 0, raising=False)
    files = Files()
    for name, call in files.seen().items():
        monkeypatch.setattr(f"ctypes.{name}", call, raising=False)
    monkeypatch.setitem(sys.modules, "msvcrt", keyboard([]))
    (tmp_path / "log").write_bytes(b"0 1 2\n")
    log = live_log.LiveLog(str(tmp_path / "log"))
    assert list(log.pieces()) == [(b"0 1 2\n", True)]
    log.close()
    reads, shares, _, exists, usual, _ = files.asked[-1][1:]
    assert (reads, shares, exists, usual) == (
        0x8000_0000,
        7,
        3,
        0x80,
    )  # GENERIC_READ, and shared to read, write, delete
    with pytest.raises(FileNotFoundError):
        live_log.opened(tmp_path / "gone")


def test_a_program_ends_with_all_that_it_started(windows, monkeypatch):
    windows(process_groups)
    told = []
    monkeypatch.setattr(process_groups.subprocess, "run", lambda words, **_: told.append(words))
    process = process_groups.started([sys.executable, "-c", "import time; time.sleep(100)"])
    assert process_groups.end(process) != 0
    assert told == [["taskkill", "/F", "/T", "/PID", str(process.pid)]]


def test_the_words_of_a_command_keep_their_backslashes(windows):
    windows(process_groups)
    words = ["C:\\my games\\deal.exe", "{cards}", "a b"]
    line = process_groups.joined(words)
    assert line == '"C:\\my games\\deal.exe" {cards} "a b"'
    assert process_groups.parted(line) == words


@pytest.mark.parametrize(
    ("platform", "environment", "settings", "copies"),
    [
        ("linux", {}, "/home/ann/.config/fairdeck", "/home/ann/.cache/fairdeck"),
        ("linux", {"XDG_CONFIG_HOME": "/x", "XDG_CACHE_HOME": "/y"}, "/x/fairdeck", "/y/fairdeck"),
        ("freebsd14", {"XDG_CONFIG_HOME": "x"}, "/home/ann/.config/fairdeck", "/home/ann/.cache/fairdeck"),
        ("darwin", {}, "/home/ann/Library/Application Support/fairdeck", "/home/ann/Library/Caches/fairdeck"),
        ("darwin", {"XDG_CONFIG_HOME": "/x"}, "/x/fairdeck", "/home/ann/Library/Caches/fairdeck"),
        ("win32", {"APPDATA": "/r", "LOCALAPPDATA": "/l"}, "/r/fairdeck", "/l/fairdeck/Cache"),
        ("win32", {}, "/home/ann/AppData/Roaming/fairdeck", "/home/ann/AppData/Local/fairdeck/Cache"),
        ("linux", {"HOME": "nowhere"}, None, None),
    ],
)
def test_each_system_has_its_folders(monkeypatch, platform, environment, settings, copies):
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"HOME": "/home/ann"} | environment).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(folders, "sys", SimpleNamespace(platform=platform))
    assert [folders.settings(), folders.copies()] == [each and Path(each) for each in (settings, copies)]
