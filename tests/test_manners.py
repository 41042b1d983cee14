"""The command line is polite: help, examples, the reference, completion, man pages, formats and misspelt names."""

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
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from fairdeck.cli import commands, main
from fairdeck.cli.arguments import command_parser, parsed, steps_of
from fairdeck.cli.commands import GROUPS, START, SUMMARIES
from fairdeck.cli.help import reference
from fairdeck.cli.help.completion import SHELLS, script, values_of
from fairdeck.cli.help.described import command, described
from fairdeck.cli.help.formats import FORMATS
from fairdeck.cli.help.manual import manual, manuals
from fairdeck.cli.printed import found_browser
from fairdeck.cli.removed import INSTEAD

PLACES = [(name, each) for name in SUMMARIES for each in (command(name), *command(name).steps)]
EXAMPLES = [(line, place.name) for name, place in PLACES for line in place.examples if place.name == name]


@pytest.fixture
def run(capsys):
    def call(*words):
        code = main(list(words))
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


# --- help


def test_each_command_is_in_one_group_and_each_line_fits(run, monkeypatch):
    assert list(GROUPS) == ["Deal", "Print", "Understand", "Test", "Build"]
    assert len(SUMMARIES) == sum(map(len, GROUPS.values()))
    monkeypatch.setenv("COLUMNS", "80")
    shown = run("--help")[1]
    assert max(map(len, shown.splitlines())) <= 80
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
            assert 1 <= len(place.examples) <= 6, name
        assert place.examples, place.name


def words_of(line):
    """Return the words of an example that fairdeck gets."""
    inner = re.search(r"\$\(fairdeck (.*)\)", line)
    return shlex.split(inner[1] if inner else re.split(r" [|<>] ", line)[0].removeprefix("fairdeck "))


@pytest.mark.parametrize("line", [line for line, _ in EXAMPLES])
def test_an_example_can_be_parsed(line):
    parsed(words_of(line))


def test_a_wrong_example_would_be_noticed():
    with pytest.raises(SystemExit):
        parsed(words_of("fairdeck deal 60 --paprika A4"))


# Examples for a terminal, for other people's messages, for ever, or for half a minute.
NOT_RUN = re.compile(r"--follow|together|serve|monitor decks.log --store watch.db$|--measure|^eval|--exec")
SLOW = re.compile(
    r"fairdeck (test|histogram|scaling|monitor|runs|hands|advise|mix|verify|rules|exact mine|page|man -o|packets two)"
)


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
        Path("songs.txt").write_text("".join(f"song {number}\n" for number in range(40)))
        Path("order.txt").write_text("2,0,1")
        Path("plan.json").write_text(
            subprocess.check_output([*FAIRDECK, *["deal", "20", "--json", "--reveal"]], text=True)
        )
        Path("hands.pbn").write_text(
            '[Event "x"]\n[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n'
            '[Deal "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765"]\n'
        )
        decks = [[(card * 5 + turn) % 52 for card in range(52)] for turn in range(200)]
        Path("decks.log").write_text("".join(" ".join(map(str, deck)) + "\n" for deck in decks))
        Path("decks.csv").write_text("".join(",".join(map(str, deck)) + "\n" for deck in decks))
        orders = [
            list(range(1, 61)),
            [*[each for pair in zip(range(1, 31), range(31, 61), strict=True) for each in pair]],
        ]
        Path("orders.txt").write_text("".join(" ".join(map(str, order)) + "\n" for order in orders))
        for person, keep in (("first", "first.txt"), ("second", "second.txt")):
            assert main(["two", person, "52", "--keep", keep, "--session", "today"]) == 0
        Path("first.txt.old").unlink(missing_ok=True)
    finally:
        os.chdir(kept)
    return made


FAIRDECK = [sys.executable, "-m", "fairdeck"]


def cases():
    for line, name in EXAMPLES:
        if not NOT_RUN.search(line) and name not in ("ceremony", "two"):
            slow = bool(SLOW.match(line)) or " --pdf " in line or "--html" in line
            yield pytest.param(line, id=line, marks=[pytest.mark.long] * slow)


MADE_BY = {"run.db": "test naive --decks 9000 --seed 7 --store run.db", "boards-1.json": "boards --random 2"}


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
    assert code == 0 or (code == 1 and re.search("naive|decks.log|run.db|decks.csv|mine.py", line)), err
    assert out or err


def draw_by_the_examples(run):
    """Follow the examples of a ceremony, with the steps of Ann that they leave out."""
    for line in command("ceremony").examples:
        words = words_of(line)
        for other in ("Ben", "Ann") if words[1] in ("join", "reveal") else ("Ben",):
            code, _, err = run(
                *[word.replace("Ben", other) if words[1] in ("join", "reveal") else word for word in words]
            )
            assert code == 0, err


def test_the_examples_of_a_ceremony_and_of_two_deals_work_in_turn(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw_by_the_examples(run)
    assert run("verify", "transcript.json")[0] == 0
    for line in command("two").examples:
        assert run(*words_of(line))[0] == 0


# --- the reference


def test_every_file_of_a_command_can_be_called():
    files = {file.stem for file in Path(commands.__file__).parent.glob("[!_]*.py")}
    assert files == set(SUMMARIES), "a line in GROUPS of cli/commands/__init__.py makes a file a command"


def test_the_reference_is_what_the_commands_say():
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page(), "make reference writes it again"


def test_the_reference_has_every_option_and_format():
    page = reference.page()
    for _, place in PLACES:
        for argument in place.arguments:
            assert all(f"`{option}" in page for option in argument.options if option not in ("-h", "--help"))
    assert all(f"| `{name}` |" in page for name in FORMATS)


def test_another_help_makes_another_reference(monkeypatch):
    monkeypatch.setitem(reference.EXIT_CODES, 99, "something new")
    assert reference.PAGE.read_text(encoding="utf-8") != reference.page()


# --- man pages


def test_there_is_a_man_page_for_each_command_that_names_its_options(run, tmp_path):
    code, _, err = run("man", "-o", str(tmp_path / "man"))
    assert code == 0 and "wrote" in err
    assert {file.name for file in (tmp_path / "man").iterdir()} == set(manuals())
    assert set(manuals()) == {"fairdeck.1", *(f"fairdeck-{name}.1" for name in SUMMARIES)}
    page = run("man", "deal")[1]
    assert page == manual("deal") == (tmp_path / "man" / "fairdeck-deal.1").read_text()
    for argument in command("deal").arguments:
        assert all(option.replace("-", r"\-") in page for option in argument.options)
    assert run("man", "deal", "-o", "x")[0] == 2


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="no mandoc on this machine")
def test_mandoc_finds_no_fault_in_the_man_pages(tmp_path):
    for name, page in manuals().items():
        (tmp_path / name).write_text(page, encoding="utf-8")
    told = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "warning", *sorted(map(str, tmp_path.iterdir()))], capture_output=True, text=True
    ).stdout
    # A page has no date, so that the same commands always make the same page.
    assert not [line for line in told.splitlines() if "missing date" not in line]
    bad = tmp_path / "bad.1"
    bad.write_text(manual() + ".NOSUCH\n")
    assert "NOSUCH" in subprocess.run(["mandoc", "-T", "lint", str(bad)], capture_output=True, text=True).stdout


# --- completion


def test_each_value_has_something_that_completes_it():
    for _, place in PLACES:
        for argument in place.arguments:
            if argument.value:
                assert values_of(argument)
    with pytest.raises(LookupError, match="say in cli/help/completion"):
        values_of(type(command("deal").arguments[0])(("--new",), "NOVELTY", "", (), False, False))


ASKED = [
    ("de", ["deal"]),
    ("-", ["-h", "--help", "--version"]),
    ("help pa", ["pace", "packets", "page"]),
    ("deal --pa", ["--paper", "--passes"]),
    ("deal 60 --paper ", ["A3", "A4", "Letter", "Tabloid"]),
    ("deal 60 --bottom s", ["space"]),
    ("ceremony ", ["announce", "deal", "finish", "join", "reveal", "seal"]),
    ("ceremony deal x --langua", ["--language"]),
    ("two ", ["audit", "first", "second"]),
    ("mix riffle-", ["riffle-clumpy", "riffle-neat"]),
    ("packets two-way-c", ["two-way-cross"]),
    ("deal --order now", ["now.txt"]),
    ("replay pl", ["plan.json"]),
    ("page rif", ["riffle"]),
    ("deal 60 --dealers ", []),
    ("config ma", ["mat"]),
    ("config --unset pap", ["paper"]),
]


def test_bash_completes(folder):
    ask = 'ask() { COMP_WORDS=(fairdeck "$@"); COMP_CWORD=$#; COMPREPLY=(); _fairdeck; echo "${COMPREPLY[*]}"; }'
    lines = [script("bash"), ask]
    for line, _ in ASKED:
        words = line.split(" ")
        lines.append("ask " + " ".join(map(shlex.quote, words)))
    done = subprocess.run(["bash", "--norc"], input="\n".join(lines), capture_output=True, text=True, cwd=folder)
    assert done.stderr == ""
    found = [sorted(set(line.split())) for line in done.stdout.splitlines()]
    assert found == [sorted(words) for _, words in ASKED]


@pytest.mark.long
@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish on this machine")
def test_fish_completes(folder):
    lines = [script("fish")] + [f"echo (complete -C 'fairdeck {line}' | string split -f1 \\t)" for line, _ in ASKED]
    environment = {**os.environ, "HOME": str(folder), "TERM": "dumb"}
    done = subprocess.run(
        ["fish", "--no-config"], input="\n".join(lines), capture_output=True, text=True, cwd=folder, env=environment
    )
    assert done.stderr == ""
    for (line, wanted), found in zip(ASKED, done.stdout.splitlines(), strict=True):
        if line != "-":  # fish gives the long names only
            assert sorted(found.split()) == sorted(wanted), line


@pytest.mark.long
@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh on this machine")
def test_zsh_completes(folder):
    (folder / "_fairdeck").write_text(script("zsh"))
    ours, theirs = pty.openpty()
    environment = {**os.environ, "HOME": str(folder), "ZDOTDIR": str(folder), "TERM": "vt100", "PS1": "> "}
    shell = subprocess.Popen(
        ["zsh", "-f", "-i"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env=environment,
        close_fds=True,
    )

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
            ("ceremony j", "join"),
            ("deal --order no", "now.txt"),
            ("two f", "first"),
            ("mix naiv", "naive"),
        ):
            typed(f"echo fairdeck {line}"[5:] + "\t", wanted.removeprefix(line.split()[-1]))
            typed("\x15", "")
    finally:
        shell.kill()
        shell.wait(10)


def test_every_shell_has_a_script_without_a_fault(run):
    for shell in SHELLS:
        assert run("completion", shell)[1] == script(shell)
        if shutil.which(shell):
            done = subprocess.run([shell, "-n"], input=script(shell), capture_output=True, text=True)
            assert (done.returncode, done.stderr) == (0, ""), shell


# --- misspelt names


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("dael 60", "deal"),
        ("help dael", "deal"),
        ("ceremony anounce", "announce"),
        ("deal 60 --matt 5x2", "--mat"),
        ("ceremony join x --ass Ann", "--as"),
        ("deal 60 --bottom spaec", "space"),
        ("two frist 52", "first"),
        ("completion bsh", "bash"),
        ("man dael", "deal"),
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
        ("rules magik", "magic"),
        ("mat 5x2 --language eng", "en"),
        ("mat 5x2 --paper Leter", "Letter"),
        ("mat 5x2 --card pokr", "poker"),
        ("deal 52 --html x.html --voices frr", "fr"),
        ("deal 52 --goal hnds:4x13", "hands"),
        ("advise 52 --cards-are slevved", "sleeved"),
        ("ceremony announce --cards 5 --people A,B --deadline 2026-12-01T18:00Z --beacon quiknet:9", "quicknet"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_nearest(run, line, meant, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*line.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert re.search(rf"did you mean '?{re.escape(meant)}|did you mean: fairdeck .*{re.escape(meant)}\b", err), err
    assert list(tmp_path.iterdir()) == []


def test_a_number_without_a_command_is_taken_for_a_deck(run):
    assert run("60") == (
        *(2, ""),
        "fairdeck: there is no command '60'; did you mean: fairdeck deal 60 (see fairdeck --help)\n",
    )


# --- formats

QUICK = {
    "deal 5": "fairdeck-plan/1",
    "check 60": "fairdeck-check/1",
    "advise 20": "fairdeck-advice/1",
    "shuffle 5": "fairdeck-shuffle/1",
    "replay plan.json": "fairdeck-replay/1",
    "two first 5": "fairdeck-plan/1",
    "two audit first.txt second.txt": "fairdeck-audit/1",
    "ceremony announce --cards 5 --people A,B -o format.json": "fairdeck-step/1",
    "boards --random 1": "fairdeck-board-lists/1",
    "packets": "fairdeck-schemes/1",
    "packets two-way": "fairdeck-packets/1",
    "rules magic": "fairdeck-rules/1",
    "shuffles naive": "fairdeck-shuffles/1",
    "rank 2,0,1": "fairdeck-rank/1",
    "unrank 3 --cards 3": "fairdeck-rank/1",
    "pace": "fairdeck-pace/1",
    "exact naive --cards 3": "fairdeck-law/1",
    "test --list": "fairdeck-statistics/1",
    "mix riffle*7": "fairdeck-mix/1",
    "config": "fairdeck-config/1",
    "doctor": "fairdeck-doctor/1",
}
SLOWER = {
    "shuffle 500000": "fairdeck-shuffle/1",
    "histogram naive --decks 1000": "fairdeck-histogram/1",
    "scaling --most 4 --draws 1000 --seed 7": "fairdeck-scaling/1",
    "test naive --decks 9000 --seed 7 --store run.db": "fairdeck-report/1",
    "runs run.db": "fairdeck-runs/1",
    "runs run.db --run 1": "fairdeck-report/1",
    "verify run.db --sample 0": "fairdeck-verification/1",
    "hands RRBRBBBRRRRBBRBRRBBBBRBRRBRB --keep": "fairdeck-hands/1",
    "hands": "fairdeck-riffle/1",
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
    assert asked == {
        name
        for name, parser in parsers.items()
        if any("--json" in each._option_string_actions for each in (parser, *steps_of(parser).values()))
    }
    assert {*QUICK.values(), *SLOWER.values()} == set(FORMATS)


def test_all_is_described_once():
    assert [each.name for each in described()] == list(SUMMARIES)


# --- reports as PDF


def test_where_there_is_a_page_there_is_a_pdf():
    pages = {name for name, place in PLACES if any("--html" in each.options for each in place.arguments)}
    for name in pages:
        with_page = [place for known, place in PLACES if known == name]
        for place in with_page:
            options = {option for each in place.arguments for option in each.options}
            assert ("--html" in options) == ("--pdf" in options), place.name
    assert len(pages) >= 10


FAKE = """#!/bin/sh
for word; do case $word in --print-to-pdf=*) file=${word#*=} ;; file:*) page=${word#file://} ;; esac; done
%s
"""


@pytest.fixture
def browser_that(tmp_path, monkeypatch):
    def does(what):
        file = tmp_path / "chromium"
        file.write_text(FAKE % what)
        file.chmod(0o755)
        monkeypatch.setattr("fairdeck.cli.printed.found_browser", lambda: str(file))

    return does


def test_a_browser_prints_the_page(run, tmp_path, browser_that):
    browser_that('{ echo "%PDF-1.4"; cat "$page"; } > "$file"')
    assert run("mix", "riffle*7", "--pdf", str(tmp_path / "mix.pdf"))[0] == 0
    assert "<h1>" in (tmp_path / "mix.pdf").read_text()


def test_a_page_is_printed_on_the_paper_of_the_settings(run, tmp_path, browser_that, monkeypatch):
    browser_that('{ echo "%PDF-1.4"; cat "$page"; } > "$file"')
    words = ("mix", "riffle*7", "--pdf", str(tmp_path / "mix.pdf"))
    assert run(*words)[0] == 0 and "@page{size:210.0mm 297.0mm}" in (tmp_path / "mix.pdf").read_text()
    (tmp_path / "config.toml").write_text('paper = "Letter"\n')
    monkeypatch.setenv("FAIRDECK_CONFIG", str(tmp_path / "config.toml"))
    assert run(*words)[0] == 0 and "@page{size:215.9mm 279.4mm}" in (tmp_path / "mix.pdf").read_text()


@pytest.mark.parametrize(
    ("what", "told"), [("exit 3", "exit code 3"), ("true", "did not print"), ('echo no > "$file"', "did not print")]
)
def test_a_browser_that_prints_nothing_is_told(run, tmp_path, browser_that, what, told):
    browser_that(what)
    code, _, err = run("mix", "riffle*7", "--pdf", str(tmp_path / "mix.pdf"))
    assert (code, err.count("\n")) == (2, 1) and told in err and "--html FILE" in err
    assert not (tmp_path / "mix.pdf").exists()


def test_without_a_browser_the_remedy_is_said(run, tmp_path, monkeypatch):
    monkeypatch.setattr("fairdeck.cli.printed.found_browser", lambda: None)
    code, out, err = run("mix", "riffle*7", "--pdf", str(tmp_path / "mix.pdf"))
    assert (code, out) == (69, "") and "install one, or use --html FILE" in err
    assert run("mix", "riffle*7", "--pdf", "mix.txt")[0] == 2


@pytest.mark.parametrize(
    "line",
    [
        "mix riffle*7",
        *(
            pytest.param(line, marks=pytest.mark.long)
            for line in ("advise 162 --players 3", "packets two-way", "histogram naive --decks 5000")
        ),
        pytest.param("test naive --decks 9000 --seed 7", marks=pytest.mark.long),
    ],
)
def test_a_real_browser_prints_a_report(line, run, tmp_path):
    if found_browser() is None:
        pytest.skip("no browser that prints")
    file = tmp_path / "report.pdf"
    code, _, err = run(*line.split(), "--pdf", str(file))
    assert code in (0, 1), err
    pdf = pytest.importorskip("pypdfium2").PdfDocument(str(file))
    words = " ".join(page.get_textpage().get_text_bounded() for page in pdf)
    assert len(pdf) <= 12 and "fairdeck" in words
    for page in pdf:
        assert page.get_textpage().get_text_bounded().strip(), "an empty page"


# --- what earlier versions had


@pytest.mark.parametrize("removed", INSTEAD)
def test_what_went_is_answered_with_what_to_use_instead(run, removed):
    words = removed.split()
    line = words if len(words) > 1 or not removed.startswith("-") else ["deal", "60", removed]
    code, out, err = run(*line)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "is no longer part of fairdeck; " in err


@pytest.mark.parametrize("instead", INSTEAD.values())
def test_what_to_use_instead_can_be_parsed(instead):
    for line in re.findall(r"fairdeck (?:[\w.*:-]+ ?)+", instead):
        parsed(words_of(line))
