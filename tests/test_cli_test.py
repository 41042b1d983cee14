"""`fairdeck test` as its users type it."""

import json
import os
import random
import re
import subprocess
import sys
from functools import partial
from itertools import islice
from random import Random

import pytest

from fairdeck.cli import main
from fairdeck.cli.laboratory import command_line
from fairdeck.extras import installation
from fairdeck.lab import testing
from fairdeck.lab.causes import search
from fairdeck.shuffles import find

PROMISED = {"shuffle", "cards", "decks", "alpha", "verdict", "p_value", "findings"}


@pytest.fixture
def told(run):
    return partial(run, "test")


def faulty_file(folder, cards, bottom):
    """Return the path of 2,000 decks, of which each fourth has this card at the bottom."""
    decks = [random.Random(seed).sample(cards, len(cards)) for seed in range(2_000)]
    for deck in decks[::4]:
        place = deck.index(bottom)
        deck[place], deck[0] = deck[0], bottom
    (folder / "decks.txt").write_text("".join(",".join(deck) + "\n" for deck in decks))
    return str(folder / "decks.txt")


@pytest.mark.long
def test_a_faulty_shuffle_is_named_unfair_in_the_first_sentence(told):
    code, out, _ = told("naive", "--seed", "1", "--decks", "2000")
    assert code == 1
    assert out.splitlines()[0].startswith("naive is not fair: ")
    assert "FAIL" in out
    assert "again     fairdeck test naive --decks 2000 --seed 1" in out


def test_a_fair_shuffle_passes_and_says_what_would_have_been_seen(told):
    code, out, _ = told("fisher-yates", "--seed", "1", "--decks", "2000", "--cards", "10")
    assert code == 0
    assert out.splitlines()[0] == "fisher-yates shows no fault in 2,000 decks of 10 cards."
    assert "a card that lies at one place in" in out


def test_tests_that_cannot_be_made_ask_for_no_more_decks(told):
    code, out, _ = told("fisher-yates", "--decks", "2000", "--only", "linear bits")  # of what is no stream
    assert code == 2 and out.startswith("Nothing can be said of fisher-yates: none of the tests asked for can be made")


def test_the_verdict_is_told_before_decks_for_the_cause_are_made(capsys, monkeypatch):
    heard = []
    sampled, searched = testing._sample, search.Search
    monkeypatch.setattr(testing, "_sample", lambda *a, **b: heard.append(capsys.readouterr()) or sampled(*a, **b))
    monkeypatch.setattr(search, "Search", lambda _, seconds: heard.append(seconds) or searched(_, seconds))
    assert main(["test", "naive", "--seed", "1", "--cause", "1/4"]) == 1
    assert heard == [("", "naive is not fair: 128 decks show it.\n"), 0.25]
    assert capsys.readouterr().out.startswith("naive is not fair: ")


def test_ctrl_c_in_the_search_for_the_cause_gives_the_report_without_it(told, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    for at in ("causes.search.Search", "testing._sample"):
        monkeypatch.setattr(f"fairdeck.lab.{at}", stopped)
        code, out, err = told("naive", "--seed", "1")
        assert (code, err) == (1, "naive is not fair: 128 decks show it.\n")
        assert "note      stopped by hand, before the cause was found" in out and "What is wrong" in out


def test_without_a_search_no_cause_is_told_and_none_is_called_unknown(told):
    code, out, err = told("naive", "--seed", "1", "--cause", "0")
    assert (code, err) == (1, "")
    assert "cause" not in out.replace("--cause 0 --seed 1", "")


def test_progress_as_json_has_the_failure_at_once_and_the_headline_last(told):
    _, out, err = told("naive", "--seed", "1", "--progress", "json", "--json")
    events = [json.loads(line) for line in err.splitlines()]
    assert {event["format"] for event in events} == {"fairdeck-progress/1"}
    assert [event["verdict"] for event in events if event["verdict"]] == ["fail", "fail"]
    assert events[-2] | {"headline": json.loads(out)["headline"]} == events[-1]
    _, _, err = told("sattolo", "--cards", "4,6", "--seed", "1", "--progress", "json")
    last = json.loads(err.splitlines()[-1])
    assert (last["verdict"], last["not_fair"]) == ("fail", ["at 4 cards", "at 6 cards"])


@pytest.mark.long
def test_a_report_calls_the_cards_as_the_file_does(told, tmp_path):
    file = faulty_file(tmp_path, [rank + suit for suit in "CSHD" for rank in "A23"], "AS")
    code, out, _ = told("--file", file, "--json")
    report = json.loads(out)
    says = "\n".join(each["says"] for each in report["tests"])
    assert code == 1
    assert "card AS lies at place 0" in report["headline"]
    assert re.search(r"compared with the deck before: the card from place \d", says)
    assert re.search(r"of the cards from places \d+ to \d+, ", says)
    assert not re.search(r"\bcards? \d+\b", says)
    assert re.search(r"of the cards \w[CSHD] to \w[CSHD], ", says)


@pytest.mark.long
def test_a_full_disk_loses_no_answer(told):
    code, out, err = told("naive", "--seed", "1", "--decks", "2000", "--junit", "/dev/full")
    assert out.startswith("naive is not fair: ")
    assert code == 2
    assert "/dev/full" in err


@pytest.fixture(scope="module")
def fair_decks(tmp_path_factory):
    rng, file = random.Random(5), tmp_path_factory.mktemp("decks") / "d.txt"
    file.write_text("".join(" ".join(map(str, rng.sample(range(6), 6))) + "\n" for _ in range(1_200)))
    return file


@pytest.mark.long
@pytest.mark.parametrize(
    "comment",
    [
        "it's",
        '"',
        "y" * 256,
        "y" * 70_000,
        "/a" * 3_000,
        "~nobody",
        "\x1b[31mred\x07\x9b",
        "two\nlines\t",
        "\u202e\u2028\u2660",
        "\udcff\udcfe",
    ],
)
def test_no_name_costs_a_report_that_was_counted(comment, fair_decks, tmp_path, told):
    forms = ("html", "junit", "certificate")
    files = [word for form in forms for word in (f"--{form}", str(tmp_path / form))]
    words = ["--exec", f"cat {fair_decks} | cat # {comment}", "--cards", "6", "--decks", "1200", "--seed", "1"]
    code, out, _ = told(*words, *files)
    assert code == 0
    assert "shows no fault in 1,200 decks of 6 cards" in out
    assert all(line.isprintable() for line in out.splitlines())
    for form in forms:
        assert (tmp_path / form).read_bytes()
    code, out, _ = told(*words, "--json")
    assert json.loads(out)["verdict"] == "pass"


@pytest.mark.long
@pytest.mark.parametrize("name", ["it's", "a\nb", "\x1b[31m", "\udcff", "z" * 250])
def test_a_file_of_any_name_is_judged_and_hashed(name, fair_decks, tmp_path, told):
    (tmp_path / name).write_bytes(fair_decks.read_bytes())
    code, out, _ = told("--file", str(tmp_path / name), "--json")
    report = json.loads(out)
    assert (code, report["verdict"]) == (0, "pass")
    assert any(each.startswith("sha256 of ") for each in report["environment"])
    assert report["command"].isprintable()


def test_a_command_that_is_told_can_be_typed_again(tmp_path):
    words = ["plain", "my deck", "it's", "a\x1b[31m\n\\'b", "\u202eé", "\udcff"]
    told_again = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {command_line(words)}"], capture_output=True, check=True
    ).stdout
    assert [os.fsdecode(word) for word in told_again.split(b"\0")[:-1]] == words
    assert command_line(words).isprintable()


@pytest.mark.long
def test_names_of_cards_cannot_give_the_terminal_orders(tmp_path, told):
    file = faulty_file(tmp_path, ["\x1b[31mA", "B\x07", "C\u202e", *"DEFGHIJ"], "\x1b[31mA")
    code, out, _ = told("--file", file, "--all")
    assert code == 1
    assert r"card \x1b[31mA" in out
    assert all(line.isprintable() for line in out.splitlines())


@pytest.mark.long
def test_too_few_decks_are_no_pass(told):
    code, out, _ = told("fisher-yates", "--seed", "1", "--decks", "100")
    assert code == 2
    assert out.startswith("Too few decks to judge fisher-yates: 100 decks of 52 cards")
    assert "1,000 or more" in out


@pytest.mark.cases(1)
@pytest.mark.parametrize("words", [("fisher-yates", "--cards", "6"), ("naive",), ("fisher-yates", "--decks", "50")])
def test_json_has_the_fields_that_programs_rely_on(words, told):
    _, out, _ = told(*words, "--seed", "7", "--json", *(() if "--decks" in words else ("--decks", "1500")))
    report = json.loads(out)
    assert report.keys() >= PROMISED
    assert report["verdict"] in ("fail", "pass", "insufficient")
    assert 0 <= report["p_value"] <= 1
    assert (report["verdict"] == "fail") == (report["p_value"] <= report["alpha"])
    assert (report["verdict"] == "fail") == bool(report["findings"])
    for finding in report["findings"]:
        assert finding.keys() >= {"statistic", "p_value", "says"}


@pytest.mark.long
def test_the_same_seed_gives_the_same_report_with_any_number_of_workers(told):
    reports = []
    for workers in ("1", "2"):
        _, out, _ = told("round", "--cards", "6", "--decks", "30000", "--seed", "3", "--workers", workers, "--json")
        report = json.loads(out)
        reports.append({key: value for key, value in report.items() if key != "seconds"})
    assert reports[0] == reports[1]


def test_a_report_names_the_command_that_repeats_it(told):
    _, out, _ = told("sattolo", "--cards", "9", "--decks", "500", "--json")
    first = json.loads(out)
    words = first["command"].split()
    assert words[:2] == ["fairdeck", "test"]
    _, out, _ = told(*words[2:], "--json")
    second = json.loads(out)
    assert {**first, "seconds": 0} == {**second, "seconds": 0}


FUNCTIONS = """
import os, random
def fair(deck): random.shuffle(deck)
def by_rng(deck, rng): rng.shuffle(deck)
def by_size(n): return random.sample(range(n), n)
def naive(deck):
    for i in range(len(deck)):
        j = random.randrange(len(deck)); deck[i], deck[j] = deck[j], deck[i]
def nothing(n): return None
def short(deck): return deck[:-1]
def twice(deck): random.shuffle(deck); deck[0] = deck[1]
def boom(deck): raise RuntimeError("no shuffle today")
def late(deck):
    late.calls = getattr(late, "calls", 0) + 1
    if late.calls == 700: raise IndexError("once in a while")
    random.shuffle(deck)
def copied(deck):
    copied.calls = getattr(copied, "calls", 0) + 1
    if copied.calls == 100: getattr(os, "fork", int)()
    random.shuffle(deck)
def hang(deck):
    while True: pass
"""


@pytest.fixture
def functions(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(FUNCTIONS)
    monkeypatch.chdir(tmp_path)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("function", "code", "says"),
    [
        ("fair", 0, "mine:fair shows no fault"),
        ("by_rng", 0, "mine:by_rng shows no fault"),
        ("by_size", 0, "mine:by_size shows no fault"),
        ("naive", 1, "mine:naive is not fair: "),
        ("nothing", 1, "Not every deck is a permutation of the start deck. mine:nothing: deck 1 is not a deck: "),
        ("short", 1, "deck 1 has 9 cards instead of 10"),
        ("twice", 1, "twice"),
        ("copied", 0, "mine:copied shows no fault in 2,000 decks"),
        ("late", 1, "deck 700 is missing: the function raised IndexError: once in a while"),
    ],
)
def test_functions_are_judged_or_shown_up(function, code, says, functions, told):
    got, out, err = told(f"mine:{function}", "--cards", "10", "--decks", "2000", "--seed", "5")
    assert got == code, out + err
    assert says in out
    if function == "late":
        assert "counted   699 decks" in out


NO_DECKS = {
    "boards.pbn": ("% PBN 2.1\n% EXPORT\n", "boards.pbn: the file has no board"),
    "prose.txt": (
        "the quick brown fox\nthe quick red fox\njumps\n",
        "begins with 'the quick brown fox' and 'the quick red fox', which are not decks",
    ),
    "late.txt": ("2 0 1\n0 2 1\n" * 700 + "EOF\n", "line 1,401: deck 1,401 is not a deck: 'EOF'"),
}


@pytest.mark.parametrize("name", NO_DECKS)
def test_a_file_that_is_not_all_decks_gets_no_verdict(name, tmp_path, monkeypatch, told):
    monkeypatch.chdir(tmp_path)
    text, says = NO_DECKS[name]
    (tmp_path / name).write_text(text)
    code, out, err = told("--file", name)
    assert (code, out) == (2, "")
    assert says in err.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("mine:boom", "--cards", "10"), "RuntimeError: no shuffle today"),
        (("mine:hang", "--cards", "10", "--timeout", "1"), "no deck for 1 s"),
        (("mine:shufle",), "has no 'shufle'"),
        (("nowhere:shuffle",), "no module is called 'nowhere'"),
        (("naiv",), "did you mean naive"),
        ((), "name one thing to test"),
        (("naive", "--file", "x"), "name one thing to test"),
        (("naive", "--cards", "1"), "cards: 1 is out of range; write 2 to"),
        (("naive", "--cards", "many"), "cards: 'many' is not a whole number"),
        (("naive", "--decks", "0"), "decks: 0 is out of range"),
        (("naive", "--alpha", "2"), "alpha: '2' is not a level"),
        (("naive", "--cause", "long"), "cause: 'long' is not a number; write 0 to 86400"),
        (("naive", "--cause", "-1"), "cause: -1 is out of range; write 0 to 86400"),
        (("naive", "--lags", "33"), "lags: 33 is out of range; write 0 to 32"),
        (("naive", "--only", "horoscope"), "no statistic is called 'horoscope'"),
        (("naive", "--seed", "xyz"), "seed 'xyz' is not hexadecimal"),
        (("naive", "--workers", "0"), "workers: 0 is out of range"),
        (("naive", "--standard", "iso9000"), "no standard is called 'iso9000'"),
        (("naive", "--junit", "/nowhere/report.xml"), "cannot write '/nowhere/report.xml'"),
        (("naive", "--html", ""), "'' is not a file"),
        (("--exec", "no-such-program-here"), "no-such-program-here"),
        (("--file", "no-such-file"), "no-such-file"),
    ],
)
@pytest.mark.cases(5)
def test_bad_input_gets_one_line_and_exit_code_2(words, says, functions, told):
    code, out, err = told(*words)
    # A function that hangs before its first deck never worked: nothing was tested.
    assert code in ((1, 2) if "mine:hang" in words else (2,))
    said = out if code == 1 else err
    assert says in said
    assert "Traceback" not in err
    if code == 2:
        assert out == ""
        assert err.count("\n") == 1


def test_a_program_is_tested_and_a_file_too(tmp_path, told):
    program = tmp_path / "deal.py"
    program.write_text(
        "import random, sys\nn = int(sys.argv[1])\nrng = random.Random(1)\n"
        "for _ in range(3000): print(*rng.sample(range(n), n))\n"
    )
    code, out, _ = told("--exec", f"{sys.executable} {program} {{cards}}", "--cards", "8", "--decks", "2000")
    assert code == 0, out
    decks = tmp_path / "decks.txt"
    decks.write_text(subprocess.run([sys.executable, program, "8"], capture_output=True, text=True, check=True).stdout)
    code, out, _ = told("--file", str(decks))
    assert code == 0, out
    assert "3,000 decks of 8 cards" in out


def test_a_standard_sets_the_level_and_the_tests(told):
    code, out, _ = told("naive", "--standard", "md-shuffler", "--decks", "3000", "--seed", "1", "--json")
    report = json.loads(out)
    assert (code, report["alpha"], report["verdict"]) == (1, 0.05, "fail")
    code, _, err = told("naive", "--standard", "md-shuffler", "--only", "parity")
    assert code == 2
    assert "leave --only out" in err


def test_reports_are_written_where_they_are_asked_for(tmp_path, told):
    files = {name: tmp_path / f"report.{name}" for name in ("html", "junit", "certificate")}
    words = [word for name, file in files.items() for word in (f"--{name}", str(file))]
    told("fisher-yates", "--cards", "5", "--decks", "2000", "--seed", "2", *words)
    for file in files.values():
        assert file.stat().st_size > 300, file
    assert "<html" in files["html"].read_text()
    assert "testsuite" in files["junit"].read_text()


def test_the_list_names_every_statistic_and_standard(capsys):
    from fairdeck.lab.standards import registry
    from fairdeck.lab.statistics import catalogue

    assert main(["test", "--list"]) == 0
    out = capsys.readouterr().out
    assert all(statistic.name in out and statistic.sees in out for statistic in catalogue())
    assert all(name in out for name in registry())


def test_too_few_decks_that_are_odd_are_said_to_be(capsys, tmp_path):
    """Three decks, five riffles each: p = 2.4e-06 by rising sequences, .0019 of all tests, and "none of them odd"."""
    file = tmp_path / "decks.txt"
    decks = islice(find("riffle*5").decks(52, Random(3)), 3)
    file.write_text("\n".join(" ".join(map(str, deck)) for deck in decks) + "\n")
    page = tmp_path / "report.html"
    # Only decks that are announced are looked at before there are sixteen.
    announced = ("test", "--file", str(file), "--decks", "3")
    assert main([*announced, "--html", str(page)]) == 2
    first = capsys.readouterr().out.splitlines()[0]
    odd = re.search(
        r"3 decks of 52 cards, although they are as odd as this (once in \d+) fair shuffles; a verdict needs 1,000",
        first,
    )
    assert f"The decks so far are odd: a fair shuffle looks like this {odd[1]} fair shuffles." in page.read_text()
    file.write_text(
        "\n".join(" ".join(map(str, deck)) for deck in islice(find("fisher-yates").decks(52, Random(1)), 3))
    )
    assert main([*announced]) == 2
    assert "3 decks of 52 cards, nothing odd in them; a verdict needs" in capsys.readouterr().out


def test_decks_that_no_test_looked_at_are_not_said_to_show_nothing(capsys, tmp_path):
    file, page = tmp_path / "decks.txt", tmp_path / "report.html"
    decks = islice(find("riffle*5").decks(52, Random(3)), 3)
    file.write_text("\n".join(" ".join(map(str, deck)) for deck in decks))
    assert main(["test", "--file", str(file), "--html", str(page)]) == 2
    assert "3 decks of 52 cards, too few for the tests; a verdict needs 1,000 or more." in capsys.readouterr().out
    assert "The decks are too few for the tests" in page.read_text()


def test_help_needs_none_of_the_labs_packages():
    code = (
        "import sys; from fairdeck.cli import main; main(['test', '--help']); "
        "print([m for m in ('numpy', 'scipy') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip().endswith("[]")
    assert "--certificate" in shown.stdout


def test_without_its_packages_the_lab_says_what_to_install():
    code = (
        "import sys, importlib.util\n"
        "real = importlib.util.find_spec\n"
        "gone = ('numpy', 'scipy')\n"
        "importlib.util.find_spec = lambda name, package=None: None if name in gone else real(name, package)\n"
        "from fairdeck.cli import main\n"
        "sys.exit(main(['test', 'naive']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 69
    assert done.stderr == f"fairdeck: the lab needs numpy and scipy: {installation('lab')}\n"


@pytest.mark.long
@pytest.mark.parametrize("words", [(), ("--all",), ("--json",)])
def test_the_verdict_stands_when_nobody_reads_the_report(words, tmp_path):
    written = tmp_path / "report.html"
    command = [sys.executable, "-m", "fairdeck", "test", "naive", "--decks", "2000", "--seed", "1", *words]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*command, "--html", str(written)], stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "naive is not fair: 128 decks show it.\n")
    assert "naive is not fair" in written.read_text()
