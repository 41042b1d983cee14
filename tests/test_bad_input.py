"""Bad input of every command gets exit code 2, one line that says what is wrong, and nothing else."""

import shlex

import pytest

from fairdeck.shuffles import registry

BAD = r"""
advise 0 | cards: 0
advise 52 --html /nowhere/x | cannot write
advise x | 'x' is no number, no file, and no list that you keep: name a file
advise 52 --players 101 | players: 101
advise 52 --cards-are wood | the cards are 'wood'; choose one of cards, sleeved, tiles
advise 60 --cards-are tiles --no-room | 60 tiles, one person and no room for piles: nothing can be done
advise 52 --mat 0x5 | 0x5
advise 52 --machine 0 | machine: 0
advise 52 --decks many | decks: 'many'
advise | write the number of cards, a list of them, or the game, such as --game holdem
advise 52 --distance 2 | distance: 2
advise 52 --minutes soon | minutes: 'soon'
advise 52 --html - | '-' is not a file
advise 52 --goal hands:4x14 | goal 'hands:4x14' takes 56 cards
advise 52 --pace /nowhere/pace | /nowhere/pace
exact naive --cards 11 | cards: 11 is out of range; write 1 to 10
exact naive --cards 0 | out of range
exact naive --cards 3.5 | not a whole number
exact naive --leaves 0 | leaves: 0 is out of range
exact naive --leaves 100 | more than 100 (--leaves)
exact naive --eps 2 | eps: '2' is not a number from
exact naive --timeout soon | timeout: 'soon' is not a number from
exact nayve | did you mean naive
exact nowhere.py:f | no file nowhere.py
hands RRRR | 'RRRR' is no interleaving
hands RBG | 'RBG' is no interleaving
hands '3 0 2' | a run has 1 card or more
hands RB | show nothing
hands RBRBRB | riffle 10 or more
hands --orders nowhere.txt | nowhere.txt
hands --corpus nowhere.csv | the columns source and interleaving
advise --game tarot --sleeved | counts reversals
hands | none is kept
histogram nosuch | no shuffle is called 'nosuch'
histogram naive --cards 1 | write 2 to 10000
histogram naive --cards 5 --bins 121 | write 2 to 120
histogram naive --bins 1e3 | not a whole number
histogram naive --decks 0 | out of range
histogram naive --seed xyz | not hexadecimal
histogram naive --workers 0 | out of range
histogram naive --html a.html --svg a.svg | not allowed
histogram naive --html no/such/folder/a.html | cannot write
histogram | required
mix 'riffle*3 + wibble' | column 12
mix riffle*0 | 0 is out of range
mix riffle*2000 | a law takes up to 1,000 shuffles of a deck; ask for fewer
mix a-shuffle(1000000000)*34 | write 1 to 2^1000
mix riffle --workers 0 | workers: 0
mix riffle --seed zz | seed 'zz'
mix riffle --html - | '-' is not a file
mix top-to-random(2000) --rounds 12 | write 0 to 20000
mix riffle --cards 0 | cards: 0
mix riffle --cards 1001 | cards: 1001
mix riffle --rounds 0 | rounds: 0
mix riffle --decks 7 | decks: 7
mix naive-carried | take naive
mix no-pocket-pair --cards 5 | needs 7 cards
mix riffle --html /nowhere/x | cannot write
mix riffle --like wibble | unknown pattern 'wibble'
mix riffle --like 26,26 --cards 50 | 52 cards together, not 50
mix '' | no shuffle is called
rank 2,0 | order: 2 is out of range; write 0 to 1
rank 2,2,0 | 1 is missing
rank 1,,0 | '' is not a whole number
rank ' ' | the order is empty
rank | give an order, such as 2,0,1, or a rank
rank 2,0,1 --of 3 | give an order, such as 2,0,1, or a rank
rank 2,0,1 --cards 3 | --cards 3 works only with --of
rank --of 6 --cards 3 | 6 is out of range; the 3! orders have the ranks 0 to 3!-1
rank --of=-5 | '-5' is not a whole number
rank --of 1e3 | is not a whole number
rank --of 3 --cards 10001 | 10001 is out of range
"""
ONE = "RRBRBBBRRRRBBRBRRBBBBRBRRRBBRBBRRRRBBBBRRBRBRBBBRRBB"  # a riffle of 52 cards
LONG = [
    (["hands", "2 " + "9" * 5_000], "a run has 1 card or more"),
    (["hands", ONE, ONE[:-1]], "riffle 2 has 51 cards and riffle 1 has 52"),
    (["hands", ONE, "--cards", "9"], "9"),
    (["hands", ONE, "--cuts", "52"], "52"),
    (["hands", ONE, "--cuts", "x"], "'x'"),
    (["hands", ONE, "--forget"], "--forget"),
    (["histogram", *list(registry())[:13]], "too many"),
    (["rank", "0," * 10_000 + "0"], "10,001 cards are too many"),
    (["rank", "--of", "9" * 100_000], "is out of range"),
]
ROWS = [(shlex.split(line), says) for line, says in (row.split(" | ") for row in BAD.split("\n") if row)]


@pytest.mark.parametrize(("words", "says"), ROWS + LONG)
def test_bad_input_gets_one_line_and_nothing_is_written(refused, words, says, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    complaint = refused(*words)
    assert says in complaint
    assert len(complaint) < 200 or words[0] != "rank"
    assert list(tmp_path.iterdir()) == []
