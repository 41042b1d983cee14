"""`fairdeck advise`: which way to shuffle suits whom."""

import json

import pytest

from fairdeck import Mat
from fairdeck.cli import main
from fairdeck.errors import FairdeckError
from fairdeck.mixing.riffles import riffles
from fairdeck.pace import Pace
from fairdeck.ways import Wish, ways


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def by_start(found, start):
    return next(way for way in found if way.way.startswith(start))


@pytest.mark.parametrize("cards", [2, 3, 20, 52, 60, 104, 162, 312, 1_000])
@pytest.mark.parametrize("players", [1, 2, 3, 4, 8])
def test_best_comes_first_whatever_the_deck(cards, players):
    for mat in (None, Mat(2, 1), Mat(5, 2)):
        found = ways(Wish(cards, players, mat))
        good = [way for way in found if way.enough]
        assert list(found[: len(good)]) == good
        assert [way.minutes for way in good] == sorted(way.minutes for way in good)
        assert all(way.total_variation is not None and way.total_variation <= 0.05 for way in good)
        rest = [2.0 if way.total_variation is None else way.total_variation for way in found[len(good) :]]
        assert rest == sorted(rest)
        assert len({way.way for way in found}) == len(found)
        assert any(way.way.startswith("deal it as told") for way in found) is (mat is not None)


def test_riffles_are_as_many_as_the_exact_law_asks_for():
    for target in (0.4, 0.05, 0.01):
        way = by_start(ways(Wish(52, target=target)), "riffle it ")
        times = int(way.way.split()[2])
        assert float(riffles(52, times).total_variation) <= target < float(riffles(52, times - 1).total_variation)
        assert way.total_variation == float(riffles(52, times).total_variation)
        assert way.exact


def test_what_hands_cannot_hold_is_not_riffled():
    assert not any(way.way.startswith("riffle it") for way in ways(Wish(104)))
    assert any(way.way.startswith("riffle it") for way in ways(Wish(75)))
    sleeved = ways(Wish(75, sleeved=True))
    assert not any(way.way.startswith(("riffle it", "mash it")) for way in sleeved)
    assert not by_start(ways(Wish(52, sleeved=True)), "mash it").exact


def test_more_hands_are_quicker():
    one, four = ways(Wish(104, 1)), ways(Wish(104, 4))
    assert by_start(four, "deal it as told, 2 passes, 4").minutes < by_start(one, "deal it as told, 2 passes").minutes
    packets = [way for way in four if way.way.startswith("in 4 packets")]
    assert packets
    assert packets[0].minutes < by_start(one, "in 2 packets").minutes
    assert not packets[0].exact


def test_a_scheme_that_never_disperses_is_not_advised():
    assert not any("four-halves" in way.way for way in ways(Wish(104, 4)))


def test_time_and_pace_count():
    assert not any(way.enough for way in ways(Wish(60, minutes=0.1)))
    slow = by_start(ways(Wish(60), Pace(card=1.8)), "deal it as told")
    assert slow.minutes > by_start(ways(Wish(60)), "deal it as told").minutes
    assert by_start(ways(Wish(52), Pace(riffle=12.0)), "riffle it").minutes == pytest.approx(
        2 * by_start(ways(Wish(52)), "riffle it").minutes
    )


@pytest.mark.parametrize(
    "wish",
    [
        {"cards": 1},
        {"cards": 1_001},
        {"cards": 52, "players": 9},
        {"cards": 52, "target": 0},
        {"cards": 52, "minutes": 0},
    ],
)
def test_a_wish_that_is_none_is_refused(wish):
    with pytest.raises(FairdeckError, match="write"):
        Wish(**wish)


def told(capsys, *words):
    code = main(["advise", *words])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_the_command_says_the_best_first(capsys):
    code, out, _ = told(capsys, "52")
    assert code == 0
    assert out.startswith(
        "52 cards, one person: riffle it 10 times: about 1.0 minutes, 0.043 from random, by the exact law."
    )
    assert "exactly uniform" in out
    assert "an assumed pace" in out
    _, out, _ = told(capsys, "162", "--players", "3", "--mat", "none", "--distance", "0.000001", "--minutes", "1")
    assert "nothing is both near enough to random and soon enough" in out.splitlines()[0]


def test_json_has_what_is_promised(capsys):
    found = json.loads(told(capsys, "104", "--players", "2", "--json")[1])
    assert found["ways"][0]["enough"] is True
    assert {"way", "minutes", "total_variation", "exact", "needs"} <= set(found["ways"][0])
    assert found["pace"]["card"] == 0.9


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["0"], "cards: 0"),
        (["x"], "cards: 'x'"),
        (["52", "--players", "9"], "players: 9"),
        (["52", "--mat", "0x5"], "0x5"),
        (["52", "--distance", "2"], "distance: 2"),
        (["52", "--minutes", "soon"], "minutes: 'soon'"),
        (["52", "--pace", "/nowhere/pace"], "/nowhere/pace"),
    ],
)
def test_bad_input_is_one_line(capsys, words, says):
    code, out, err = told(capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err
