"""The histogram of ranks: the classic figures, and a command that leaves nothing behind."""

import json
import re
from collections import Counter
from functools import partial
from math import factorial, sqrt
from xml.etree import ElementTree

import numpy as np
import pytest

from fairdeck import lab
from fairdeck.errors import FairdeckError
from fairdeck.lab.experiments import histogram
from fairdeck.lab.experiments.histogram import Histogram, check, count, document, measure, pictures
from fairdeck.lab.judging.tally import Battery, block_sizes
from fairdeck.lab.runs.processes import spread
from fairdeck.lab.sources.simulated import NumberedBlock, Simulated
from fairdeck.permutation import rank
from fairdeck.show.charts import svg_file
from fairdeck.show.html import VALUES
from fairdeck.show.page import page as html
from fairdeck.shuffles import registry

SVG = "{http://www.w3.org/2000/svg}"
DECKS = 40_000
FAR = 5.5  # standard deviations; beyond lies 1 in 2e7: all checks here fail correct code once in 1e6 at most


def measured(name, *, cards=20, decks=DECKS, bins=200, seed=1):
    return list(measure(name, cards=cards, decks=decks, bins=bins, seed=seed))[-1]


@pytest.fixture(scope="module")
def classic():
    names = ("naive", "transpositions-n", "transpositions-n-distinct", "fisher-yates")
    return {name: measured(name) for name in names}


@pytest.fixture
def said(run):
    return partial(run, "histogram")


# The figures.


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "share"),
    [
        # A card is left alone by one swap of i, j with chance .9, and else goes anywhere: the first of
        # 20 places, which is the first 10 of 200 bins, keeps its card with 1/20 + .95 * .9^20.
        ("transpositions-n", 1 / 20 + 0.95 * 0.9**20),
        # Of two different places one is the card's with chance 1/10; then it goes to one of 19 others.
        ("transpositions-n-distinct", 1 / 20 + 0.95 * (1 - 1 / 10 * 20 / 19) ** 20),
    ],
)
def test_the_first_card_stays_as_often_as_the_swaps_say(classic, name, share):
    assert round(1e6 * share) in (165_498, 152_714), "lab.md, section 6.14"
    seen = int(classic[name].counts[:10].sum())
    assert abs(seen - DECKS * share) < FAR * sqrt(DECKS * share * (1 - share))


@pytest.mark.long
def test_the_sorted_deck_comes_too_often_after_n_swaps(classic):
    """About 33,700 of a million in the first bin, measured; 5,000 would be fair."""
    share = 0.0337
    assert abs(classic["transpositions-n"].counts[0] - DECKS * share) < FAR * sqrt(DECKS * share)
    assert classic["transpositions-n"].p_value < 1e-300


def test_the_naive_shuffle_is_as_uneven_as_was_measured_and_fisher_yates_is_fair(classic):
    """A sum of about 55,000 for a million decks, in excess of the 199 of a fair shuffle; it grows with the decks."""
    excess = (55_000 - 199) * DECKS / 1e6
    naive = classic["naive"]
    assert abs(naive.chi_square - 199 - excess) < 0.02 * excess + FAR * sqrt(2 * (199 + 2 * excess))
    assert "naive fills its bins unevenly" in naive.says
    fair = classic["fisher-yates"]
    assert abs(fair.chi_square - 199) < FAR * sqrt(2 * 199)
    assert fair.p_value > 1e-6
    assert "fisher-yates shows no fault in this picture" in fair.says


def test_every_deck_is_in_the_bin_of_its_rank():
    block = NumberedBlock("naive", 5, 3, 0, 2_000)
    ranks = Counter(rank(deck) for deck in block.decks.tolist())
    assert count(120, block).tolist() == [ranks[at] for at in range(120)]
    seven = count(7, block)
    assert seven.tolist() == [sum(n for at, n in ranks.items() if at * 7 // 120 == each) for each in range(7)]


def test_chances_of_uneven_bins_are_exact():
    found = Histogram("x", 5, np.full(7, 1_000))
    orders = Counter(at * 7 // factorial(5) for at in range(factorial(5)))
    assert found.chances.tolist() == pytest.approx([orders[each] / 120 for each in range(7)])
    fair = 7_000 * found.chances
    assert found.chi_square == pytest.approx(float(np.sum((1_000 - fair) ** 2 / fair)))


def test_the_decks_are_those_of_the_battery():
    battery = Battery(20, lags=0, only=frozenset({"rank histogram"}))
    tally = battery.total(battery.tally(each) for each in Simulated("round", 20, seed=5).blocks(block_sizes(20, 5_000)))
    assert measured("round", decks=5_000, seed=5).counts.tolist() == tally.counts[0].tolist()


def test_the_figures_depend_on_the_seed_and_not_on_the_workers():
    one = measured("naive", decks=3_000)
    with spread(2) as map_:
        *_, two = measure("naive", cards=20, decks=3_000, bins=200, seed=1, map=map_)
    assert one.counts.tolist() == two.counts.tolist()
    assert measured("naive", decks=3_000, seed=2).counts.tolist() != one.counts.tolist()


def test_the_last_histogram_holds_all_decks_and_each_one_before_fewer():
    seen = [each.decks for each in measure("riffle", cards=9, decks=10_000, bins=10, seed=1)]
    assert seen == sorted(set(seen))
    assert seen[-1] == 10_000


def test_few_decks_get_no_p_value():
    found = measured("naive", decks=900)
    assert found.p_value is None
    assert "too few decks" in found.says
    assert measured("naive", decks=1_000).p_value is not None


def test_no_registered_shuffle_is_refused():
    for name, known in registry().items():
        check(name, max(9, known.least), 20)


# The pictures.


def tops(path):
    """Return the height at the middle of each of 200 bars."""
    base = float(re.match(r"M42 (\d+)L", path)[1])
    steps, y = [], base
    for kind, value, second in re.findall(r"([LHV])(-?[\d.]+)(?: (-?[\d.]+))?", path):
        if kind == "H":
            steps.append((float(value), y))
        else:
            y = float(second or value)
    middles = 42 + 292 * (np.arange(200) + 0.5) / 200
    return np.array([base - next(y for x, y in steps if x > middle) for middle in middles])


def test_the_pictures_show_the_counts_side_by_side_on_one_scale(classic):
    found = [classic["naive"], classic["transpositions-n"], classic["fisher-yates"]]
    tree = ElementTree.fromstring(svg_file(pictures(found)))
    shown = tree.findall(f"{SVG}svg")
    assert [(each.get("x"), each.get("y")) for each in shown] == [("0", "24"), ("340", "24"), ("0", "210")]
    assert [each.text for each in tree.findall(f"{SVG}text")] == [each.name for each in found]
    unit = 130 / max(int(each.counts.max()) for each in found)
    for each, picture in zip(found, shown, strict=True):
        bar = next(path.get("d") for path in picture.iter(f"{SVG}path") if path.get("class") == "bar")
        assert tops(bar) == pytest.approx(each.counts * unit, abs=0.11)
    assert "http" not in re.sub(r'xmlns="[^"]*"', "", svg_file(pictures(found)))


def test_the_page_holds_pictures_figures_and_the_command(classic):
    found = [classic["naive"], classic["fisher-yates"]]
    page = html(document(found, "fairdeck histogram <naive>"))
    assert "fairdeck histogram &lt;naive&gt;" in page
    assert page.count('role="img"') == 2
    for each in found:
        assert f">{int(each.counts.min()):,}<" in page
        assert f">{each.chi_square:,.1f}<" in page
    assert re.findall(r"\w+://[^\"' ]*", page) == ["http://www.w3.org/2000/svg"] * page.count("xmlns=") + [
        "http://www.w3.org/2000/svg"
    ] * (page.count("www.w3.org") - page.count("xmlns="))
    assert page.count("<script") == page.count(f"<script>{VALUES}</script>") == 1


@pytest.mark.long
def test_the_page_has_no_accessibility_fault(faults_on_a_small_phone, tmp_path, classic):
    file = tmp_path / "histogram.html"
    file.write_text(html(document(list(classic.values()), "fairdeck histogram naive")), encoding="utf-8")
    assert faults_on_a_small_phone(file) == []


# The command.


def test_a_beginner_reads_a_plain_sentence_first(said, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    code, out, err = said("naive", "fisher-yates", "--decks", "8000", "--bins", "40", "--seed", "c0ffee")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("A fair shuffle makes every order of the cards equally likely")
    assert lines[3].startswith("naive fills its bins unevenly: ")
    assert lines[4].startswith("fisher-yates shows no fault in this picture: ")
    words = "fairdeck histogram naive fisher-yates --cards 20 --decks 8000 --bins 40 --seed c0ffee"
    assert lines[-1] == f"again     {words}"
    rows = [re.match(r"(\d+)-(\d+) +([\d,]+) [#| ]*?([\d,]+) ", line) for line in lines[7:27]]
    assert [int(row[1]) for row in rows] == list(range(0, 40, 2))
    for column in (3, 4):
        assert sum(int(row[column].replace(",", "")) for row in rows) == 8_000
    assert max(map(len, lines[6:27])) <= 100


def test_json_says_what_was_counted_and_again_the_same(said):
    words = ("naive", "round*2", "--cards", "6", "--decks", "3000", "--seed", "7", "--json")
    code, out, _ = said(*words)
    found = json.loads(out)
    assert code == 0
    assert (found["cards"], found["decks"], found["bins"], found["seed"]) == (6, 3000, 200, "7")
    assert [each["shuffle"] for each in found["shuffles"]] == ["naive", "round*2"]
    assert [sum(each["counts"]) for each in found["shuffles"]] == [3_000, 3_000]
    assert sum(found["chances"]) == pytest.approx(1)
    assert said(*words)[1] == out


def test_small_decks_have_a_bin_for_every_order(said):
    assert json.loads(said("naive", "--cards", "3", "--decks", "500", "--json")[1])["bins"] == 6


@pytest.mark.parametrize("form", ["html", "svg"])
def test_the_picture_is_written_to_a_file(said, form, tmp_path):
    file = tmp_path / f"picture.{form}"
    code, out, _ = said("naive", "--decks", "2000", f"--{form}", str(file), "--seed", "1")
    assert code == 0
    assert out.startswith("A fair shuffle")
    written = file.read_text(encoding="utf-8")
    assert written.startswith("<!DOCTYPE html>" if form == "html" else "<svg ")
    assert ">naive<" in written


def test_one_call_does_what_the_command_does(said):
    told = []
    found = lab.histogram("naive", cards=5, decks=3_000, seed=12, progress=told.append)
    assert found.to_json() == said("naive", "--cards", "5", "--decks", "3000", "--seed", "c", "--json")[1].strip()
    assert told[-1] is found
    assert repr(found) == "<Histogram of naive: 3,000 decks of 5 cards in 120 bins>"
    assert found._repr_html_() == svg_file(pictures([found]))
    with pytest.raises(FairdeckError, match="no shuffle is called 'nosuch'"):
        lab.histogram("nosuch")


def test_ctrl_c_leaves_nothing_behind(said, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        yield measured("naive", decks=100)
        raise KeyboardInterrupt

    monkeypatch.setattr(histogram, "measure", interrupted)
    fresh, old = tmp_path / "fresh.html", tmp_path / "old.html"
    old.write_text("what was there", encoding="utf-8")
    for file in (fresh, old):
        code, out, err = said("naive", "--html", str(file))
        assert (code, out, err) == (130, "", "")
    assert not fresh.exists()
    assert old.read_text(encoding="utf-8") == "what was there"
