"""Rounds computed again from their seeds: against other programs, by enumeration, and as people's files have them."""

import hashlib
import json
import random
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from math import comb, perm
from pathlib import Path

import pytest

from fairdeck.cli import main
from fairdeck.errors import FairdeckError
from fairdeck.trust.derivations import bigdeal, floats, known, rfc3797
from fairdeck.trust.rounds import FIELDS, check

SEEDS = {"server": "server seed", "client": "client seed", "nonce": "1"}
PUBLISHED = {  # of lucasholder/fair 0.0.13, its tests; the order of video poker is ours, see below
    "stake-cards": "SJ HT H5 CK H9 HK ST HT DA S3",
    "stake-keno": "30 26 10 37 22 35 25 24 39 4",
    "stake-mines": "18 15 5",
}
KEY = "9319./2.5.8.10.12./9.18.26.34.41.45./"  # RFC 3797, section 6
CHOSEN = "17 7 2 16 25 23 8 24 19 13"
# Big Deal 2.0, built from its source: bigdealx -W wizard -e right -n 3 -f pbn; so the seed is RIPEMD-160 of "right".
SEED = "219A8C5FBA8EA66AE81645DC127B139CF2F7F1BB"
BOARDS = (
    "N:Q952.A642.K63.93 KT6.7.T542.AK542 8743.KQ98.AQ.Q76 AJ.JT53.J987.JT8",
    "N:K863.AK943.5.975 QJ4..KQT873.KJ86 A52.J65.A64.QT43 T97.QT872.J92.A2",
    "N:QT75.A.AQJ9.T976 962.KQJ843.K.853 843.T7652.T76.KJ AKJ.9.85432.AQ42",
)
NODE = """
const {createHmac} = require('crypto');
const [server, client, nonce] = process.argv.slice(1), left = [...Array(52).keys()], dealt = [];
let bytes = [], block = 0;
while (left.length) {
  if (!bytes.length) bytes = [...createHmac('sha256', server).update(`${client}:${nonce}:${block++}`).digest()];
  const float = bytes.splice(0, 4).reduce((sum, byte, at) => sum + byte / 256 ** (at + 1), 0);
  dealt.push(left.splice(Math.floor(float * left.length), 1)[0]);
}
console.log(dealt.join(' '));
"""


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_rounds_are_computed_again(name):
    dealt = PUBLISHED[name].split()
    assert known()[name].dealt(SEEDS, known()[name].cards, len(dealt)) == dealt


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js")
def test_a_deck_is_the_one_that_floats_of_javascript_give():
    draw = random.Random(5)
    for nonce in range(5):
        server, client = draw.randbytes(32).hex(), f"Zoë {nonce}"
        run = subprocess.run(
            ["node", "-e", NODE, server, client, str(nonce)], capture_output=True, text=True, check=True
        )
        each = {"server": server, "client": client, "nonce": str(nonce)}
        assert list(floats.left(each, 52)) == list(map(int, run.stdout.split()))


def test_rfc_3797_chooses_as_its_example_does():
    for sources in (KEY, "9319/2 5 12 8 10/9 18 26 34 41 45"):
        assert [place + 1 for place in islice(rfc3797.chosen({"sources": sources}, 25), 10)] == list(
            map(int, CHOSEN.split())
        )


def test_big_deal_deals_as_the_program_does():
    rows = "".join(f"wizard;{SEED};{number};{deal}\n" for number, deal in enumerate(BOARDS, 1))
    assert not found(f"Owner;Seed;Board;Deal\n{rows}", "bigdeal").first_fault
    assert found(f"Owner;Seed;Board;Deal\n{rows.replace(';3;', ';4;')}", "bigdeal").wrong_cards == ["line 4"]


def test_every_number_of_a_deal_is_another_deal_in_the_order_of_the_list():
    deals = [tuple(bigdeal.dealt(number, 6, 2)) for number in range(comb(6, 2) * comb(4, 2))]
    assert deals == sorted(set(deals))


@pytest.mark.parametrize(("cards", "values"), [(3, 8), (3, 16), (4, 16), (5, 8)])
@pytest.mark.parametrize("name", ["stake-deck", "stake-cards"])
def test_the_stated_bias_is_exact_for_a_draw_and_a_bound_for_decks(name, cards, values, monkeypatch):
    """All draws of a generator of a few values."""
    monkeypatch.setattr(floats, "VALUES", values)
    way = replace(known()[name], values=values)
    for count in range(1, cards + 1):
        decks = Counter[tuple[int, ...]]()
        for draws in product(range(values), repeat=count):
            monkeypatch.setattr(floats, "words", lambda _, draws=draws: iter(draws))
            decks[tuple(islice(way.deal({}, cards), count))] += 1
        fair = Fraction(1, cards**count if way.again else perm(cards, count))
        total = sum(decks.values())
        exact = sum((max(Fraction(0), Fraction(times, total) - fair) for times in decks.values()), Fraction(0))
        assert exact <= way.bias(cards, count)
        assert exact == way.bias(cards, count) or (exact and count > 1)


# --- files


def written(rounds=6, server="ab" * 32, name="stake-deck", start=1):
    """Return rounds as the cells of a table."""
    way, digest = known()[name], hashlib.sha256(server.encode()).hexdigest()
    nonces = map(str, range(start, start + rounds))
    dealt = ((nonce, way.dealt({"server": server, "client": "Zoë", "nonce": nonce}, way.cards, 10)) for nonce in nonces)
    return [[server, digest, "Zoë", nonce, " ".join(cards)] for nonce, cards in dealt]


def table(rows, mark=",", names=("Server Seed", "Server Seed (hashed)", "Client Seed", "Nonce", "Cards")):
    return "".join(mark.join(f'"{cell}"' if mark in cell else cell for cell in row) + "\n" for row in (names, *rows))


def found(text, name="stake-deck", **asked):
    return check(known()[name], text.splitlines(keepends=True), asked)


PICTURES = str.maketrans({"S": "♠", "H": "♥", "D": "♦", "C": "♣", "T": "10"})
SPELT = {
    "numbers": lambda cards: " ".join(str(floats.CARDS.index(card)) for card in cards.split()),
    "pictures": lambda cards: cards.translate(PICTURES).replace("1010", "10"),
    "rank first": lambda cards: ", ".join(card[::-1].lower() for card in cards.split()),
    "dashes": lambda cards: " - ".join(cards.split()),
    "together": lambda cards: cards.replace(" ", ""),
    "words": lambda cards: json.dumps(cards.split()).replace('"', "'"),
}


@pytest.mark.parametrize("spelt", SPELT)
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_cards_are_read_as_people_write_them(spelt, mark):
    rows = [[*row[:4], SPELT[spelt](row[4])] for row in written()]
    done = found(table(rows, mark))
    assert (done.rounds, done.committed, done.first_fault, done.remarks) == (6, 1, "", [])


def test_what_does_not_fit_is_named_where_it_stands():
    rows = written()
    rows[2][4] = rows[2][4].replace(rows[2][4].split()[5], rows[2][4].split()[0])
    assert found(table(rows)).first_fault.startswith("line 4: card 6 is ")
    rows[0][1] = "0" * 64
    done = found(table(rows))
    assert (done.wrong_hashes, done.wrong_cards) == (["line 2"], ["line 4"])
    assert "SHA-256" in done.first_fault
    assert found(table(written()), "stake-cards").wrong_cards


def test_capitals_are_read_only_as_the_hash_asks():
    rows = [[row[0].upper(), row[1].upper(), *row[2:]] for row in written()]
    assert "small letters" in found(table(rows)).remarks[0]
    assert found(table([[row[0], "", *row[2:]] for row in rows])).wrong_cards == [f"line {at}" for at in range(2, 8)]


def test_an_object_with_other_names_is_read_by_them():
    server, stated, client, nonce, cards = written(1)[0]
    known = {"server": server, "client": client, "nonce": nonce, "cards": cards}
    done = found("\n".join(map(json.dumps, (known, known | {"hash": "0" * 64}))))
    assert (done.wrong_hashes, done.fewest) == (["line 2"], 10)
    with pytest.raises(FairdeckError, match="write the 64 digits of a SHA-256"):
        found(json.dumps(known | {"hash": stated[:8]}))


def test_what_is_left_out_or_comes_back_is_remarked():
    rows, other = written(), written(3, "cd" * 32)
    mixed = [*rows[:2], *other, rows[3], rows[3], ["", rows[0][1], "Zoë", "7", "SA"]]
    told = " | ".join(found(table(mixed)).remarks)
    for part in (
        "not checked: 1",
        "line 7: server seed",
        "missing nonces: 1, the first is 3",
        "again: 1, the first is 4",
    ):
        assert part in told


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n\n"])
def test_lists_of_json_and_other_names_are_read(start, indent, tmp_path, capsys):
    names = ("a", "b", "clientSeed", "nonce", "result")
    objects = [dict(zip(names, [*row[:4], row[4].split()], strict=True)) for row in written()]
    (tmp_path / "rounds.json").write_text(start + json.dumps(objects, indent=indent), "utf-8")
    (tmp_path / "one.json").write_text(start + json.dumps(objects[0], indent=indent), "utf-8")
    call = ["verify", str(tmp_path / "rounds.json"), "--as", "stake-deck"]
    assert main(call) == 2
    assert "no column of a, b, clientSeed, nonce, result holds the server seed" in capsys.readouterr().err
    assert main([*call, "--columns", "server=a,hash=b", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["checked"], told["committed"], told["derivation"]) == (6, 1, "stake-deck")
    assert main(["verify", str(tmp_path / "one.json"), "--as", "stake-deck", "--columns", "server=a,hash=b"]) == 0


BAD = {
    "": "neither columns nor JSON",
    "a,b\n1,2\n": "no column of a, b holds the server seed",
    "server seed,secret,client seed,nonce,cards\nx,x,y,1,SA\n": "may be in 'server seed' or 'secret'",
    "server seed,client seed,nonce,cards\nx,y,1,SA,\n": "line 2 has 5 cells",
    "server,client,nonce,nonce,cards\nx,y,1,2,SA\n": "two columns have the name 'nonce'",
    "server seed,client seed,nonce,cards\nx,y,1.5,SA\n": "line 2: nonce: '1.5' is not a whole number",
    "server seed,client seed,nonce,cards\nx,y,1,SX\n": "line 2: card 'SX'",
    "server seed,client seed,nonce,cards\nx,y,1,52\n": "line 2: card '52'",
    "server seed,client seed,nonce,cards\nx,y,1,\n": "line 2: 0 cards",
    "server seed,client seed,nonce,cards\n,y,1,SA\n": "no round shows its server seed yet",
    '{"server": 1\n': "no JSON object",
}


@pytest.mark.parametrize("text", BAD)
def test_what_cannot_be_read_is_refused_in_one_line(text):
    with pytest.raises(FairdeckError, match=r"\A[^\n]+\Z") as refused:
        found(text)
    assert BAD[text] in str(refused.value)


def test_a_selection_is_one_of_a_named_or_numbered_pool():
    text = json.dumps({"sources": [9319, [12, 8, 10, 2, 5], "9 18 26 34 41 45"], "pool": 25, "selected": CHOSEN})
    assert not found(text, "rfc3797").first_fault
    names = [f"Ann {place}" for place in range(1, 26)]
    pool = {"key": KEY, "pool": names, "selected": sorted(f"Ann {place}" for place in CHOSEN.split())}
    assert not found(json.dumps(pool), "rfc3797").first_fault
    assert (
        "Ann 1 is not among the first 1 of" in found(json.dumps(pool | {"selected": ["Ann 1"]}), "rfc3797").first_fault
    )


def test_the_figures_of_the_page_are_those_of_the_bounds():
    page = (Path(__file__).parents[1] / "docs/how-to/provably-fair.md").read_text("utf-8")
    for name, size, count in (("stake-deck", 52, 10), ("stake-deck", 52, 52), ("rfc3797", 25, 10)):
        assert f"{float(known()[name].bias(size, count)):.1e}" in page


def test_every_derivation_says_where_it_is_published_and_reads_known_fields():
    for way in known().values():
        assert all((way.source, way.says, way.unseen, set(way.fields) <= set(FIELDS))), way.name
