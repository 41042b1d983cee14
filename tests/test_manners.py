"""The command line is polite: help, examples, the reference, completion, formats and misspelt names."""

import json
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import time
from importlib import import_module
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from release import reference
from release.described import command, described

from fairdeck.cli import commands
from fairdeck.cli.arguments import UsageError, command_parser, parsed, steps_of
from fairdeck.cli.commands import GROUPS, START, SUMMARIES
from fairdeck.cli.commands.completion import fitting

PLACES = [(name, each) for name in SUMMARIES for each in (command(name), *command(name).steps)]
EXAMPLES = [(line, place.name) for name, place in PLACES for line in place.examples if place.name == name]


# --- help


def test_each_command_is_in_one_group_with_the_first_line_of_its_file_and_each_line_fits(run, monkeypatch):
    files = {file.stem for file in Path(commands.__file__).parent.glob("[!_]*.py")}
    assert files == set(SUMMARIES), "a line in GROUPS of cli/commands/__init__.py makes a file a command"
    assert len(SUMMARIES) == sum(map(len, GROUPS.values()))
    monkeypatch.setenv("COLUMNS", "80")
    shown = run("--help")[1]
    assert max(map(len, shown.splitlines())) <= 80
    for name, summary in SUMMARIES.items():
        first = (import_module(f"fairdeck.cli.commands.{name}").__doc__ or "").partition("\n")[0]
        assert summary == first, f"GROUPS of cli/commands/__init__.py has the first line of the docstring of {name}.py"
        assert f"  {name:10}  {summary}" in shown.splitlines()
    at = [shown.index(f"\n{title}:\n") for title in GROUPS]
    assert at == sorted(at) and shown.index(next(iter(START))) < at[0]


@pytest.mark.parametrize("columns", ["40", "80"])
def test_help_fits_a_narrow_terminal_and_has_no_colours(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("NO_COLOR", "1")
    shown = run("--help")[1]
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) <= int(columns)
    typed = re.compile(r"usage: | {2}fairdeck ")  # stays on one line
    for name in SUMMARIES:
        told = run(name, "--help")[1]
        assert "\x1b" not in told
        assert not [
            line
            for line in told.splitlines()
            if len(line) > int(columns) and line.split()[1:] and not typed.match(line)
        ], name


def test_help_keeps_paragraphs_lists_and_examples(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    told = run("shuffles", "--help")[1]
    assert "\n- a word: riffle, pile-7, naive;\n" in told
    assert "\n  fairdeck shuffles riffle\n      one in full" in told
    assert "`" not in told


def test_a_command_with_many_options_shows_them_in_groups():
    for _, place in PLACES:
        if len(place.arguments) > 15:
            assert len(place.groups) >= 3, place.name
        assert max(map(len, place.groups.values())) <= 14, place.name


# --- examples


def test_each_command_has_examples():
    for name, place in PLACES:
        if place.name == name:
            steps = sum(other.name.startswith(f"{name} ") for _, other in PLACES)
            assert 1 <= len(place.examples) <= max(6, steps + 2), name
        assert place.examples, place.name


def words_of(line):
    """Return the words of an example that fairdeck gets."""
    inner = re.search(r"\$\(fairdeck (.*)\)", line)
    return shlex.split(inner[1] if inner else re.split(r" [|<>] ", line)[0].removeprefix("fairdeck "))


@pytest.mark.parametrize("line", [line for line, _ in EXAMPLES])
def test_an_example_can_be_parsed(line):
    parsed(words_of(line))


def test_a_wrong_example_would_be_noticed():
    with pytest.raises(UsageError):
        parsed(words_of("fairdeck deal 60 --paprika A4"))


# Examples for a terminal, for other people's messages, for ever, or for half a minute.
NOT_RUN = re.compile(r"--follow|together|serve|monitor decks.log --store watch.db$|^eval|--exec")
SLOW = re.compile(r"fairdeck (test|histogram|monitor|runs|hands|advise|mix|verify|exact mine|page|packets two)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that the examples name."""
    made = tmp_path_factory.mktemp("examples")
    kept = Path.cwd()
    os.chdir(made)
    try:
        Path("mine.py").write_text("from random import shuffle\n\n\ndef below(k, rng):\n    return rng.randrange(k)\n")
        cards = [f"{rank}{suit}" for suit in "SHDC" for rank in "A23456789TJQK"]
        Path("now.txt").write_text(" ".join(reversed(cards)))
        shutil.copy(Path(__file__).parents[1] / "examples/rounds.csv", "rounds.csv")
        Path("list.txt").write_text("4 Fox\n56 Hill\n")
        Path("songs.txt").write_text("".join(f"song {number}\n" for number in range(40)))
        Path("order.txt").write_text("2,0,1")
        Path("plan.json").write_text(
            subprocess.check_output([*FAIRDECK, *["deal", "20", "--json", "--reveal"]], text=True)
        )
        Path("hands.pbn").write_text(
            '[Event "x"]\n[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n'
            '[Deal "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765"]\n'
            '\n[Board "2"]\n[Deal "N:AKQJ.T98.765.432 - - -"]\n'
        )
        decks = [[(card * 5 + turn) % 52 for card in range(52)] for turn in range(200)]
        Path("decks.log").write_text("".join(" ".join(map(str, deck)) + "\n" for deck in decks))
        Path("decks.csv").write_text("".join(",".join(map(str, deck)) + "\n" for deck in decks))
        Path("draws.csv").write_text("3,5,8,13,21,34\n" * 200)
        orders = [list(range(1, 61)), [each for pair in zip(range(1, 31), range(31, 61), strict=True) for each in pair]]
        Path("orders.txt").write_text("".join(" ".join(map(str, order)) + "\n" for order in orders))
    finally:
        os.chdir(kept)
    return made


FAIRDECK = [sys.executable, "-m", "fairdeck"]


def cases():
    for line, name in EXAMPLES:
        if not NOT_RUN.search(line) and name != "together":
            slow = bool(SLOW.match(line)) or " --pdf " in line or "--html" in line
            yield pytest.param(line, id=line, marks=[pytest.mark.long] * slow)


MADE_BY = {
    "run.db": "test naive --decks 9000 --seed 7 --store run.db",
    "certificate.html": "test naive --decks 9000 --seed 7 --certificate certificate.html",
    "boards-1.json": "boards --random 2",
}


@pytest.mark.parametrize("line", list(cases()))
def test_an_example_works(line, folder, run, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    words = words_of(line.replace("~", str(folder)))
    for needed, made in MADE_BY.items():
        if needed in words and not Path(needed).exists():
            run(*made.split())
    if "transcript.json" in words:
        draw_by_the_examples(run)
    if "<" in line:
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(Path(line.split("< ")[1]).read_bytes())))
    code, out, err = run(*words)
    assert code == 0 or (code == 1 and re.search("naive|decks.log|run.db|decks.csv|draws.csv|mine.py", line)), err
    assert out or err


def draw_by_the_examples(run):
    """Follow the examples of a draw by files, with the steps of Ann that they leave out."""
    for line in import_module("fairdeck.cli.commands.together").EXAMPLES:
        if words_of(line)[1] in ("announce", "join", "list", "show", "finish", "deal"):
            follow_with_ann(run, words_of(line))


def follow_with_ann(run, words):
    for other in ("Ben", "Ann") if words[1] in ("join", "show") else ("Ben",):
        code, _, err = run(*[word.replace("Ben", other) if words[1] in ("join", "show") else word for word in words])
        assert code == 0, err


def test_the_examples_of_a_draw_by_files_work_in_turn(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw_by_the_examples(run)
    assert run("verify", "transcript.json")[0] == 0


# --- the reference


def test_the_reference_is_what_the_commands_say():
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page(), "make reference writes it again"


def test_the_reference_has_every_option_and_format():
    page = reference.page()
    for _, place in PLACES:
        for argument in place.arguments:
            assert all(f"`{option}" in page for option in argument.options if option not in ("-h", "--help"))
    assert all(f"`{name}`" in page for name in (*QUICK.values(), *SLOWER.values()))


# --- completion

ASKED = [
    ("de", ["deal"]),
    ("-", ["-h", "--help", "--version"]),
    ("help pa", ["packets", "page"]),
    ("deal --pa", ["--paper", "--passes"]),
    ("deal 60 --paper ", ["A3", "A4", "Letter", "Tabloid"]),
    ("deal 60 --bottom s", ["space"]),
    ("together ", ["announce", "deal", "draw", "finish", "join", "list", "show"]),
    ("together deal x --langua", ["--language"]),
    ("exact naive --", ["--" + name for name in ("help", "cards", "takes", "leaves", "eps", "timeout", "all", "json")]),
    ("mix riffle-", ["riffle-clumpy", "riffle-neat"]),
    ("packets two-way-c", ["two-way-cross"]),
    ("deal --order now", ["now.txt"]),
    ("verify pl", ["plan.json"]),
    ("page rif", ["riffle"]),
    ("deal 60 --dealers ", []),
    ("boards --html in", ["inner/"]),
    ("deal --order inner/n", ["inner/now.txt"]),
    ("rank 2,0,1 ", []),
    ("nothing ", []),
]


def words_printed(shell, line, run):
    code, out, _ = run("completion", shell, *(f"={word}" for word in line.split(" ")))
    assert code == 0
    return sorted(out.splitlines())


def test_what_fits_is_printed_for_the_shells(run, folder, monkeypatch):
    monkeypatch.chdir(folder)
    Path("inner").mkdir(exist_ok=True)
    Path("inner/now.txt").touch()
    for line, wanted in ASKED:
        assert words_printed("bash", line, run) == sorted(wanted), line


def test_every_command_and_every_option_is_completed(run):
    assert fitting([""]) == [*SUMMARIES, "help"]
    for name, place in PLACES:
        options = {option for argument in place.arguments for option in argument.options}
        assert set(fitting([*place.name.split(), "-"])) == options, name


@pytest.fixture
def shell_in(folder, tmp_path):
    """Run lines in a shell that finds fairdeck by its name."""
    (tmp_path / "fairdeck").write_text(f'#!/bin/sh\nexec {sys.executable} -m fairdeck "$@"\n')
    (tmp_path / "fairdeck").chmod(0o755)
    (folder / "inner").mkdir(exist_ok=True)
    (folder / "inner" / "now.txt").touch()
    (folder / "my order.txt").touch()
    path = f"{tmp_path}:{os.environ['PATH']}"
    return {"cwd": folder, "env": {**os.environ, "PATH": path, "HOME": str(tmp_path), "TERM": "dumb"}}


FEW = [
    ("de", ["deal"]),
    ("deal --pa", ["--paper", "--passes"]),
    ("together jo", ["join"]),
    ("deal --order inner/n", ["inner/now.txt"]),
    ("deal --order my", ["my order.txt"]),
    ("deal 60 --dealers ", []),
]


def test_bash_completes(shell_in, run):
    lines = [run("completion", "bash")[1]]
    for line, _ in FEW:
        words = " ".join(map(shlex.quote, ["fairdeck", *line.split(" ")]))
        lines.append(f"COMP_WORDS=({words}); COMP_CWORD={len(line.split(' '))}; _fairdeck fairdeck")
        lines.append('echo "${#COMPREPLY[@]}"; printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "--norc"], input="\n".join(lines), capture_output=True, text=True, **shell_in)
    assert done.stderr == ""
    expected = [text for _, wanted in FEW for text in [str(len(wanted)), *(wanted or [""])]]
    assert sorted(done.stdout.splitlines()) == sorted(expected)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish on this machine")
def test_fish_completes(shell_in, run):
    lines = [run("completion", "fish")[1]] + [f"complete -C 'fairdeck {line}'; echo ." for line, _ in FEW]
    done = subprocess.run(["fish", "--no-config"], input="\n".join(lines), capture_output=True, text=True, **shell_in)
    assert done.stderr == ""
    assert done.stdout.replace("\\", "") == "".join(
        "".join(f"{word}\n" for word in wanted) + ".\n" for _, wanted in FEW
    )


@pytest.mark.long
@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh on this machine")
def test_zsh_completes(shell_in, folder, run):
    (folder / "_fairdeck").write_text(run("completion", "zsh")[1])
    ours, theirs = pty.openpty()
    environment = shell_in["env"] | {"ZDOTDIR": str(folder), "TERM": "vt100", "PS1": "> "}
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
    shell = subprocess.Popen(["zsh", "-f", "-i"], **streams, cwd=folder, env=environment, close_fds=True)

    def typed(text, wanted):
        os.write(ours, text.encode())
        shown, end = "", time.monotonic() + 30
        while wanted not in shown and time.monotonic() < end:
            if select.select([ours], [], [], 0.1)[0]:
                shown += os.read(ours, 4096).decode(errors="replace")
        assert wanted in shown, shown

    try:
        typed("autoload -Uz compinit && compinit -u -D && source ./_fairdeck && echo rea''dy\n", "ready")
        for line, wanted in (
            ("together j", "join"),
            ("deal --order no", "now.txt"),
            ("deal --order inner/n", "inner/now.txt"),
            ("mix naiv", "naive"),
        ):
            typed(f"fairdeck {line}\t", wanted.removeprefix(line.split()[-1]))
            typed("\x15", "")
    finally:
        shell.kill()
        shell.wait(10)


# --- misspelt names


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("dael 60", "deal"),
        ("help dael", "deal"),
        ("together anounce", "announce"),
        ("deal 60 --matt 5x2", "--mat"),
        ("together join x --ass Ann", "--as"),
        ("deal 60 --bottom spaec", "space"),
        ("test naive --start carred", "carried"),
        ("check 60 --hlep", "--help"),
        ("deal --passs=3", "--passes"),
        ("--verson", "--version"),
        ("completion bsh", "bash"),
        ("page riffel", "riffle"),
        ("boards --random 1 --start as-pickd-up", "as-picked-up"),
        ("exact fisher-yate", "fisher-yates"),
        ("test naiv", "naive"),
        ("shuffles overhnd", "overhand"),
        ("mix rifle*7", "riffle"),
        ("mix riffle(ct=0.6)", "cut"),
        ("mix riffle --like suitss", "suits"),
        ("histogram naiv", "naive"),
        ("packets tow-way", "two-way"),
        ("test naive --standard gil19", "gli19"),
        ("test naive --only desents", "descents"),
        ("mat 5x2 --language eng", "en"),
        ("mat 5x2 --paper Leter", "Letter"),
        ("mat 5x2 --card pokr", "poker"),
        ("deal 52 --html x.html --voices frr", "fr"),
        ("deal 52 --goal hnds:4x13", "hands"),
        ("advise 52 --cards-are slevved", "sleeved"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_nearest(run, line, meant, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*line.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert re.search(rf"did you mean '?{re.escape(meant)}|did you mean: fairdeck .*{re.escape(meant)}\b", err), err
    assert list(tmp_path.iterdir()) == []


# --- formats

QUICK = {
    "deal 5": "fairdeck-plan/1",
    "check 60": "fairdeck-check/1",
    "advise 20": "fairdeck-advice/1",
    "shuffle 5": "fairdeck-shuffle/1",
    "verify plan.json": "fairdeck-verification/1",
    "together announce --cards 5 --people A,B -o format.json": "fairdeck-step/1",
    "boards --random 1": "fairdeck-board-lists/1",
    "packets": "fairdeck-schemes/1",
    "packets two-way": "fairdeck-packets/1",
    "shuffles naive": "fairdeck-shuffles/1",
    "rank 2,0,1": "fairdeck-rank/1",
    "exact naive --cards 3": "fairdeck-law/1",
    "test --list": "fairdeck-statistics/1",
    "mix riffle*7": "fairdeck-mix/1",
    "config": "fairdeck-config/1",
    "doctor": "fairdeck-doctor/1",
}
SLOWER = {
    "shuffle 500000": "fairdeck-shuffle/1",
    "histogram naive --decks 1000": "fairdeck-histogram/1",
    "test naive --decks 9000 --seed 7 --store run.db": "fairdeck-report/1",
    "runs run.db": "fairdeck-runs/1",
    "runs run.db --run 1": "fairdeck-report/1",
    "verify run.db": "fairdeck-verification/1",
    "hands RRBRBBBRRRRBBRBRRBBBBRBRRBRB --keep": "fairdeck-hands/1",
    "hands": "fairdeck-riffle/1",
    "hands --corpus": "fairdeck-riffles/1",
}


def formats_of(lines, run):
    """Return the format that each line shows with --json."""
    found = {}
    for line in lines:
        shown = json.loads(run(*line.split(), "--json")[1])
        assert isinstance(shown, dict) and next(iter(shown)) == "format", line
        found[line] = shown["format"]
    return found


def test_every_json_names_its_format(folder, run, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    assert formats_of(QUICK, run) == QUICK


@pytest.mark.long
def test_every_json_of_the_lab_names_its_format(folder, run, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert formats_of(SLOWER, run) == SLOWER


def test_no_json_and_no_format_is_left_out():
    asked = {line.split()[0] for line in (*QUICK, *SLOWER)} | {"together"}  # it needs two people, and prints a plan
    parsers = {name: command_parser(name) for name in SUMMARIES}
    printing = {
        name
        for name, parser in parsers.items()
        if any("--json" in each._option_string_actions for each in (parser, *steps_of(parser).values()))
    }
    assert asked == printing, "each command with --json has a command line in QUICK or SLOWER above"
    told = " ".join(each.says for _, place in PLACES for each in place.arguments if "--json" in each.options)
    assert {*QUICK.values(), *SLOWER.values()} == {*re.findall(r"fairdeck-[a-z-]+/\d+", told)}, "as --json's help says"


def test_all_is_described_once():
    assert [each.name for each in described()] == list(SUMMARIES)
