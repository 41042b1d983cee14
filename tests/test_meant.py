"""Command lines that cannot be run, each with the one that was meant; and words that fairdeck had before."""

import re
import shlex

import pytest

from fairdeck.cli import main
from fairdeck.cli.exits import BAD_INPUT
from fairdeck.cli.meant import meant

PYTHON = "import random\n\ndef mix(deck):\n    random.shuffle(deck)\n"
FILES = {
    "mine.py": PYTHON,
    "logs/decks.csv": "2,0,1\n0,1,2\n",
    "names.txt": "The Fool\nThe Moon\nDeath\n",
    "hands.pbn": '[Deal "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765"]\n',
    "plan.json": '{"format": "fairdeck-plan/1"}\n',
    "server.log": "started\n",
    "watch.db": "",
    "fy.mjs": "console.log(1)\n",
    "my deck.rb": "puts 1\n",
}
# What is typed after "fairdeck", and what was meant.
SLIPS = {
    # a number
    "60": "deal 60",
    "shuffle 52 --cards 40": None,
    "52 4x2": "deal 52 --mat 4x2",
    "60 hands:4x15": "deal 60 --goal hands:4x15",
    "deal60": "deal 60",
    "deal 1,000": "deal 1000",
    "mat 60": "check 60",
    "boards 4": "boards --random 4",
    "serve 8080": "serve --port 8080",
    "exact naive 4": "exact naive --cards 4",
    "exact 4": "exact naive --cards 4",
    "test 40": "test naive --cards 40",
    "test naive 40": "test naive --cards 40",
    "packets 104": "packets --cards 104",
    "packets two-way 104": "packets two-way --cards 104",
    "advise 60 3": "advise 60 --players 3",
    "rank 3": "rank --of 3",
    "histogram naive 6": "histogram naive --cards 6",
    # a mat
    "deal 60 5x2": "deal 60 --mat 5x2",
    "deal 5x2 60": "deal 60 --mat 5x2",
    "deal 60 5×2": "deal 60 --mat 5x2",
    "advise 162 5x2": "advise 162 --mat 5x2",
    "5x2": "mat 5x2",
    "deal 60 --size 5x2": "deal 60 --mat 5x2",
    "deal 60 --grid=4x3": "deal 60 --mat 4x3",
    "deal 60 --table 4x3 --json": "deal 60 --mat 4x3 --json",
    "mat 5 2": "mat 5x2",
    "deal 60 --mat 4 x 3": "deal 60 --mat 4x3",
    "check 60 --mat 5by2": "check 60 --mat 5x2",
    # a goal, and players
    "deal 52 hands:4x13": "deal 52 --goal hands:4x13",
    "deal 60 top:20": "deal 60 --goal top:20",
    "deal 52 --goal hands:4": "deal 52 --goal hands:4x13",
    "deal 52 --goal 4x13": "deal 52 --goal hands:4x13",
    "deal 52 --players 4": "deal 52 --goal hands:4x13",
    "deal 52 --hands 4": "deal 52 --goal hands:4x13",
    "deal 60 --players 7": "deal 60 --goal hands:7x8+rest",
    "deal --players 4 52": "deal 52 --goal hands:4x13",
    "deal 52 4 players": "deal 52 --goal hands:4x13",
    "deal 52 cards to 4 players": "deal 52 --goal hands:4x13",
    "advise 108 for 5 players": "advise 108 --players 5",
    "deal 60 cards into 4 hands": "deal 60 --goal hands:4x15",
    "deal 60 hands 4": "deal 60 --goal hands:4x15",
    "deal 3 --players 4": None,
    # digits in groups
    "deal 1.000": "deal 1000",
    "test naive --decks 20,000": "test naive --decks 20000",
    "hands 0101": None,
    # an option that is the command's own word
    "deal --cards 60": "deal 60",
    "--cards 60": "deal 60",
    "deal cards=60": "deal 60",
    "deal 60 mat=5x2": "deal 60 --mat=5x2",
    "deal 60 -mat 5x2": "deal 60 --mat 5x2",
    "deal 60 —mat 5x2": "deal 60 --mat 5x2",
    "test --shuffle naive": "test naive",
    "mix --recipe riffle*7": "mix 'riffle*7'",
    # words that say nothing
    "deal 52 cards": "deal 52",
    "deal a deck of 52 cards": "deal 52",
    "fairdeck deal 60": "deal 60",
    # an address
    "serve 0.0.0.0": "serve --host 0.0.0.0",
    "serve 0.0.0.0:8080": "serve --host 0.0.0.0 --port 8080",
    "serve http://localhost:8000": "serve --host localhost --port 8000",
    "serve --address 0.0.0.0": "serve --host 0.0.0.0",
    "server": "serve --open",
    # paper and language
    "mat A3": "mat 5x2 --paper A3",
    # a file to write
    "deal 60 sheets.pdf": "deal 60 --pdf sheets.pdf",
    "deal 60 -o sheets.pdf": "deal 60 --pdf sheets.pdf",
    "deal 60 deal.html": "deal 60 --html deal.html",
    "page deal.html": "page --output deal.html",
    "mat 5x2 mat.pdf": "mat 5x2 --output mat.pdf",
    "test naive report.html": "test naive --html report.html",
    "print 60": "deal 60 --pdf deal.pdf",
    "deal 60 5x2 --pdf sheets.pdf": "deal 60 --mat 5x2 --pdf sheets.pdf",
    "deal --cards 60 --html deal.html": "deal 60 --html deal.html",
    "test naive 52 --html report.html": "test naive --cards 52 --html report.html",
    "test naive 52 report.html": "test naive --cards 52 --html report.html",
    "advise 60 report.html": "advise 60 --html report.html",
    # a recipe
    "riffle*7": "mix 'riffle*7'",
    "riffle*7 60": "mix 'riffle*7' --cards 60",
    "naive*7": "test 'naive*7'",
    "riffle 7": "mix 'riffle*7'",
    "riffle": "mix riffle",
    "mix riffle 7": "mix 'riffle*7'",
    "mix riffle 52": "mix riffle --cards 52",
    "mix riffle 7 52": "mix 'riffle*7' --cards 52",
    "naive": "test naive",
    "naive 20": "test naive --cards 20",
    "riffle 7 times": "mix 'riffle*7'",
    # people
    "together Ann Ben": "together 60 --people Ann,Ben",
    "together 52 Ann, Ben, Cem": "together 52 --people Ann,Ben,Cem",
    "together --people Ann, Ben": "together 60 --people Ann,Ben",
    "together draw Ann Ben": "together draw 60 --people Ann,Ben",
    "together list Ann Ben": None,
    "mix 7 riffle": None,
    "together Ann,Ben": "together 60 --people Ann,Ben",
    # a program, a function, a class, a folder
    "test mine.js": "test --exec 'node mine.js'",
    "test Main.java --cards 40": "test --exec 'java Main.java' --cards 40",
    "test Main.class": "test --exec 'java -cp . Main'",
    "test main.rs": "test --exec ./main",
    "test shuffle.rb": "test --exec 'ruby shuffle.rb'",
    "mine.py": "test mine.py:mix",
    "deal mine.py": "test mine.py:mix",
    "mine.py:mix": "test mine.py:mix",
    "mine.js": "test --exec 'node mine.js'",
    "test other.py": "test other.py:shuffle",
    "test --exec mine.js": "test --exec 'node mine.js'",
    "test --exec mine.py": "test --exec 'python3 mine.py'",
    "exact logs/decks.csv": "test logs/decks.csv",
    "test 'node fy.mjs'": "test --exec 'node fy.mjs'",
    "test naive 52 cards": "test naive --cards 52",
    "test node fy.mjs 52": "test --exec 'node fy.mjs 52'",
    "test --exec node fy.mjs --cards 52": "test --exec 'node fy.mjs' --cards 52",
    "test --exec 'node fy.mjs' --cards 5,5": None,
    "test 'my deck.rb'": "test --exec 'ruby '\"'\"'my deck.rb'\"'\"''",
    # a file that is absent, or that the command which was meant does not take either
    "hands absent.csv": None,
    "test absent.json": None,
    "verify absent.log": None,
    # a file to read
    "shuffle names.txt": "shuffle --file names.txt",
    "hands.pbn": "boards hands.pbn",
    "deal hands.pbn": "boards hands.pbn",
    "plan.json": "verify plan.json",
    "logs/decks.csv": "test logs/decks.csv",
    "runs logs/decks.csv": "test logs/decks.csv",
    "watch.db": "runs watch.db",
    "monitor server.log": "monitor server.log --store watch.db",
    # another name of a command
    "simulate riffle 7": "mix 'riffle*7'",
    "watch server.log": "monitor server.log --store watch.db",
    "settings": "config",
    "tournament": "together announce --people Ann,Ben",
    "list": "shuffles",
    "attest": "test --certificate certificate.html naive",
    "certify mine.py:mix": "test --certificate certificate.html mine.py:mix",
    "deal 60 --names Ann,Ben": None,
    "--cards": None,
    # help
    "help me": None,
    "-v": "--version",
    "test naive --html": None,
    "deal 60 foo": None,
    "test naivv": None,
    "test nosuch": None,
    "deal 60 2": None,
    "test mine:nosuch": None,
    "deal ?": "deal --help",
    "deal 60 help": "deal --help",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("typed", SLIPS)
def test_a_slip_gets_the_command_that_was_meant(typed, folder, capsys):
    code = main(shlex.split(typed))
    out, err = capsys.readouterr()
    assert (code, out) == (BAD_INPUT, "")
    assert len(err.splitlines()) == 1, err
    assert "fairdeck" in err
    told = re.search("; (?:did you mean|for example): fairdeck (.*?)(?: \\(see |$)", err)
    assert (told and told[1].strip()) == SLIPS[typed], err


def test_a_line_that_means_what_it_says_is_not_answered_with_another():
    for line in ("together draw 20 --people Ann,Ben", "deal 60 --pdf deal.pdf", "test 'riffle*7' --html report.html"):
        assert meant(shlex.split(line)) == []


def test_a_file_that_is_not_there_is_said_to_be_absent(folder, capsys):
    assert main(["test", "logs/decs.csv"]) == BAD_INPUT
    assert "there is no file 'logs/decs.csv'" in capsys.readouterr().err
