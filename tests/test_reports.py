"""Reports: the pictures show what was counted, nothing is fetched or smuggled in, the intervals are exact."""

import re
from dataclasses import replace
from itertools import pairwise, permutations
from math import comb, log10, sqrt
from xml.etree import ElementTree

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

from fairdeck import lab
from fairdeck.document import Chart, Dot, Dots, LawBars, Matrix, Table
from fairdeck.lab.blocks import Block, Broken
from fairdeck.lab.inquiry import Inquiry
from fairdeck.lab.judging import report_charts
from fairdeck.lab.judging.families import FAMILIES
from fairdeck.lab.judging.report import MOST_FINDINGS, Report
from fairdeck.lab.judging.report_charts import MATRICES, deviations, grouped, groups, position_moments
from fairdeck.lab.judging.report_document import document
from fairdeck.lab.judging.sentences import score
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.judging.trial import Trial, run
from fairdeck.lab.judging.verdict import Finding
from fairdeck.lab.laws.tails import clopper_pearson
from fairdeck.lab.sources.simulated import Simulated
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.statistics.orders import STATISTICS as ORDERS
from fairdeck.lab.statistics.positions import STATISTICS as POSITIONS
from fairdeck.lab.statistics.rank_histogram import bars as bars_of
from fairdeck.lab.statistics.rank_histogram import joined
from fairdeck.lab.statistics.successors import STATISTICS as SUCCESSORS
from fairdeck.lab.view import deck_view
from fairdeck.show.charts import svg
from fairdeck.show.html import VALUES, VALUES_HASH, text
from fairdeck.show.reports import certificate, forms, html, junit
from fairdeck.show.terminal import fitted, lines

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert('x')</script>&\"\x07\x00\ud800\u202e]]>"


def reported(name, cards, decks, *, at_once=False):
    """Put a shuffle on trial; `at_once` counts all decks even if it fails sooner."""
    battery = Battery(cards)
    trial, source = Trial(battery, decks), Simulated(name, cards, seed=1)
    if at_once:
        for block in source.blocks([decks]):
            trial.add(battery.tally(block))
    else:
        for _ in run(trial, source):
            pass
    command = f"fairdeck test {name} --cards {cards} --seed 1"
    return Report(Inquiry.of(name, cards=cards, seed=1), trial.verdict(), trial.tally, seconds=1.25, command=command)


@pytest.fixture(scope="module")
def naive():
    return reported("naive", 52, 3_000, at_once=True)


@pytest.fixture(scope="module")
def naive_5():
    return reported("naive", 5, 4_000, at_once=True)


@pytest.fixture(scope="module")
def fair():
    return reported("fisher-yates", 20, 2_000)


@pytest.fixture(scope="module")
def few():
    return reported("fisher-yates", 52, 64)


@pytest.fixture(scope="module")
def broken():
    trial = Trial(Battery(52), 1_000)
    trial.broke(Broken("deck 1 has card 7 twice", 0))
    return Report(Inquiry(kind="function", what="mine.py:shuffle", cards=52), trial.verdict(), None)


@pytest.fixture(scope="module")
def hostile(naive):
    finding = Finding(1e-9, complaint=f"says {HOSTILE}")
    verdict = replace(naive.verdict, findings=(finding, *naive.verdict.findings))
    return replace(
        naive,
        inquiry=replace(naive.inquiry, what=HOSTILE),
        verdict=verdict,
        notes=(HOSTILE,),
        command=f"fairdeck test {HOSTILE}",
    )


def counts_of(report, name):
    return report.battery.counts_of(name, report.tally)


# The page.


def test_the_page_begins_with_the_headline_and_tells_every_finding(naive):
    page = html.render(naive)
    assert f"<title>{text(naive.headline)}</title>" in page
    assert re.search(r'class="band fail"><h1><svg.*?</svg>Not fair</h1>', page)
    assert page.index("<b>What to do:</b> ") < page.index("<details") < page.index("<dl")
    assert len(naive.verdict.findings) > MOST_FINDINGS
    for finding in naive.verdict.findings:
        assert text(naive.says(finding)) in page
    assert f"{len(naive.verdict.findings) - MOST_FINDINGS} more are in the table" in page


@pytest.mark.long
def test_a_page_tells_what_would_have_been_seen_unless_the_shuffle_failed(fair, naive, few):
    assert (fair.verdict.outcome, few.verdict.outcome) == ("pass", "insufficient")
    for report in (fair, few):  # also too few decks would have shown a large fault
        page = html.render(report)
        assert "would have been found in about 99 of 100 runs" in page
        assert report.verdict.limits
        assert all(f"<li>{text(report.says(limit))}</li>" in page for limit in report.verdict.limits)
        assert "What to do" not in page
    assert "in about 99 of 100 runs" not in html.render(naive)


def test_the_table_holds_every_test_with_both_p_values(naive_5):
    pattern = r'<th scope="row">(.*?)</th><td>(.*?)</td><td>(.*?)</td><td class="number">(.*?)</td>'
    rows = re.findall(pattern, html.render(naive_5))
    evidence = sorted(naive_5.verdict.evidence, key=lambda each: (each.adjusted, each.evidence.p_value))
    assert [row[:2] for row in rows] == [(text(each.name), each.family) for each in evidence]
    for row, each in zip(rows, evidence, strict=True):
        assert row[2] == score(each.evidence.p_value)
        assert float(row[3]) == pytest.approx(each.evidence.p_value, rel=0.06)


def test_the_page_tells_how_to_repeat_the_run(naive):
    page = html.render(naive)
    for told in (naive.command, *naive.environment.values(), "in 1.2 s"):
        assert text(told) in page


def test_the_page_asks_for_nothing_and_runs_nothing(naive, fair, hostile):
    for report in (naive, fair, hostile):
        page = html.render(report)
        policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        assert re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1].startswith(policy)
        assert set(re.findall(r"\w+://[^\"' ]*", page)) <= {"http://www.w3.org/2000/svg"}
        assert re.findall(r"""\b(?:src|href|action)=(?!["']?data:)""", page) == []
        # One script, ours; its hash alone is allowed.
        assert page.count("<script") == page.count(f"<script>{VALUES}</script>") == 1
        assert f"script-src 'sha256-{VALUES_HASH}'" in page
        assert not re.search(r"\bon\w+=|@import|url\((?!data:)|\bfetch\b|XMLHttp|\bimport\b", page)


def test_names_are_text_wherever_they_stand(hostile):
    page = html.render(hostile)
    assert page.count("&lt;script&gt;") >= 5
    assert page.count("<script") == 1
    assert "\x07" not in page
    assert "\\x07\\x00\\ud800\\u202e" in page
    page.encode()  # a lone surrogate would not go into a file
    document = ElementTree.fromstring(junit.render(hostile).encode())
    assert document[0].get("name").startswith("fairdeck: <script>alert('x')</script>&\"\\x07")
    assert any("says <script>" in failure.get("message") for failure in document.iter("failure"))


@pytest.fixture(scope="module")
def known_causes():
    """Reports of shuffles whose cause is known, with and without a repair."""
    return {name: lab.test(name, cards=20, seed=1, go_on=4_000, workers=1) for name in ("naive", "modulo-8")}


def ends(page, selector):
    return max(page.locator(selector).evaluate_all("all => all.map((each) => each.getBoundingClientRect().bottom)"))


@pytest.mark.parametrize("name", ["naive", "modulo-8"])
def test_the_first_screen_of_a_phone_holds_verdict_picture_cause_and_repair(browser, tmp_path, known_causes, name):
    report = known_causes[name]
    path = tmp_path / "report.html"
    path.write_text(html.render(report), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(path.as_uri())
    assert report.causes
    parts = [".band h1", ".fact svg", ".glance b", *([".repair"] if report.causes[0].repair else [])]
    assert [part for part in parts if not ends(page, part) < 844] == []
    assert page.locator("details[open]").count() == 0
    assert page.evaluate("document.documentElement.scrollHeight") <= 4_000
    # On paper everything is open.
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0
    page.close()


def test_a_ring_ties_the_sentence_to_the_cell_that_it_is_about(known_causes, fair):
    """The sentence is computed again, from the counts, at the cell that the ring is drawn around."""
    report = known_causes["naive"]
    counts, decks = counts_of(report, "positions"), report.tally.seen[0]
    glance = re.search(r'<figure class="fact">(<svg.*?</svg>)<figcaption>(.*?)<small>', html.render(report))
    ring = ElementTree.fromstring(glance[1]).find(f".//{SVG}circle")
    place, card = int(float(ring.get("cx"))), int(ring.get("cy"))
    share = counts[place, card] / decks
    assert glance[2] == f"Card {card} at place {place} in {share:.1%} of decks. Fair is 5.0%."
    assert abs(counts[place, card] - decks / 20) == np.abs(counts - decks / 20).max()
    assert 'class="ring"' not in html.render(fair)


def test_a_certificate_prints_on_two_sheets_unless_its_annex_is_open(browser, tmp_path, known_causes):
    path = tmp_path / "certificate.html"
    path.write_text(certificate.render(known_causes["naive"]), encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    closed = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
    page.locator("details.annex summary").first.click()
    assert closed <= 2 < len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
    page.close()


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120])
def test_in_a_window_of_any_width_no_word_is_broken_and_no_line_is_longer(naive, fair, few, width):
    for report in (naive, fair, few):
        said = document(report, charts=False)
        shown = list(fitted(said, width, str, colours=False))
        too_long = [line for line in shown if len(line) > width and " " in line.strip()]
        assert too_long == []
        whole = {word.rstrip(";") for line in lines(said) for word in line.split()}
        assert {word.rstrip(";") for line in shown for word in line.split()} <= {*whole, *said_heads(said)}


def said_heads(said):
    return {word for part in said.parts if isinstance(part, Table) for head in part.columns for word in head.split()}


def test_colours_change_nothing_but_colours(naive):
    said = document(naive, charts=False)
    coloured, plain = (list(fitted(said, 60, str, colours=colours)) for colours in (True, False))
    bare = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in coloured]
    assert [line for line in bare if set(line) != {"─"}] == plain
    assert coloured[0].startswith("\x1b[1;31m")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_values_are_told_by_pointer_and_by_keys(browser, naive, tmp_path, scheme):
    path = tmp_path / "report.html"
    path.write_text(html.render(naive), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    wrong = []
    page.on("pageerror", lambda error: wrong.append(error))
    page.on("console", lambda message: wrong.append(message.text))
    page.goto(path.as_uri())
    for at in range(page.locator("summary").count()):
        page.locator("summary").nth(at).click()
    chart, value = page.locator("svg[data-values]").first, page.locator(".value").first
    hint = value.text_content()
    assert "arrow keys" in hint
    counts = counts_of(naive, "positions")

    def told(card, place):
        off = deviations(counts.T, 3_000, position_moments(np.ones(52)))[card, place]
        number = f"{'−' if off < 0 else '+'}{abs(round(float(off), 1)):g}"
        return f"card {card} at place {place}: count {counts[place, card]:,}, {number} standard deviations"

    chart.scroll_into_view_if_needed()
    box, cell = chart.bounding_box(), 292 / 52
    scale = box["width"] / 340
    page.mouse.move(box["x"] + (42 + 20.5 * cell) * scale, box["y"] + (6 + 30.5 * cell) * scale)
    assert value.text_content() == told(30, 20)
    page.mouse.move(1, 1)
    assert value.text_content() == hint
    chart.focus()
    for key, cell_now in {"Home": (0, 0), "ArrowRight": (0, 1), "ArrowDown": (1, 1), "End": (51, 51)}.items():
        page.keyboard.press(key)
        assert value.text_content() == told(*cell_now)
    page.keyboard.press("Escape")
    assert value.text_content() == hint
    for at in range(page.locator("svg[data-values]").count()):
        page.locator("svg[data-values]").nth(at).focus()
        page.keyboard.press("End")
        assert page.locator(".value").nth(at).text_content().strip() not in ("", hint), at
    assert wrong == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.close()


def test_every_form_takes_every_verdict(naive_5, fair, few, broken):
    for report in (naive_5, fair, few, broken):
        for name, form in forms().items():
            assert form.render(report), name
    assert "something that is not a deck" in html.render(broken)


@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        ("naive", "dark"),
        *(
            pytest.param(*each, marks=pytest.mark.long)
            for each in (("naive", "light"), ("fair", "light"), ("few", "dark"))
        ),
    ],
)
@pytest.mark.long
def test_the_pages_have_no_accessibility_fault_and_fit_a_small_phone(browser, tmp_path, request, name, scheme):
    report = request.getfixturevalue(name)
    # The checker takes a while over hundreds of rows that are all alike.
    verdict = replace(report.verdict, evidence=report.verdict.evidence[:12])
    file = tmp_path / f"{name}.html"
    file.write_text(html.render(replace(report, verdict=verdict)), encoding="utf-8")
    # The page's policy is set aside for the checker's own script.
    context = browser.new_context(
        viewport={"width": 320, "height": 640}, color_scheme=scheme, bypass_csp=True, locale="en-GB"
    )
    page = context.new_page()
    asked, told = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: told.append(message.text))
    page.goto(file.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert [url for url in asked if not url.startswith(("data:", "file:"))] == []
    assert told == []
    found = Axe().run(page).response["violations"]
    assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found] == []
    context.close()


# The pictures, read back.


def picture_of(page, title):
    """Return the picture under a heading as a tree."""
    svg = re.search(rf"<h3>{re.escape(title)}[^<]*</h3>(<svg.*?</svg>)", page)[1]
    return ElementTree.fromstring(svg)


def read_cells(tree, size):
    """Return the level of each cell, by walking the pens of all colours."""
    levels = np.zeros((size, size), dtype=int)
    for path in tree.find(f"{SVG}g[@class='cells']"):  # the second one is the legend
        found = re.fullmatch(r"(up|down)(\d)", path.get("class", ""))
        if not found:
            continue
        level = int(found[2]) * (1 if found[1] == "up" else -1)
        x = y = 0
        for kind, first, second in re.findall(r"([Mmh])(-?\d+)(?: (-?\d+))?", path.get("d")):
            if kind == "M":
                x, y = int(first), int(second)
            elif kind == "m":
                x, y = x + int(first), y + int(second)
            else:
                assert not levels[y, x : x + int(first)].any(), "no cell is drawn twice"
                levels[y, x : x + int(first)] = level
                x += int(first)
    return levels


def levels_of(off):
    size = np.abs(np.nan_to_num(off))
    return (np.sign(np.nan_to_num(off)) * sum((size >= step).astype(int) for step in (1, 2, 3, 5))).astype(int)


def test_the_position_picture_shows_each_cell_as_it_was_counted(naive):
    counts, n, decks = counts_of(naive, "positions"), 52, naive.verdict.decks
    off = (counts.T - decks / n) / sqrt(decks / n * (1 - 1 / n))  # cards downwards, places to the right
    assert decks == 3_000
    shown = read_cells(picture_of(html.render(naive), "Which card lies where"), n)
    assert np.array_equal(shown, levels_of(off))
    assert {-2, -1, 0, 1, 2, 3} <= set(shown.ravel().tolist())


def test_large_decks_are_shown_in_at_most_sixty_groups():
    report = reported("riffle", 90, 400, at_once=True)
    page = html.render(report)
    assert "Cells join 2 by 2 of 90 by 90" in page
    indicator = groups(90)
    table = indicator.T @ counts_of(report, "positions").T @ indicator
    mean = 400 * 4 / 90
    spread = sqrt(400 * (2 * 88) ** 2 / (90**2 * 89))
    shown = read_cells(picture_of(page, "Which card lies where"), 45)
    assert np.array_equal(shown, levels_of((table - mean) / spread))
    assert picture_of(page, "Which card lies below which") is not None, "the order was found at fault"


def test_parts_of_a_deck_too_large_for_a_matrix_are_shown():
    """Once the picture never matched its test, whose title did not begin as others do."""
    report = reported("riffle", 1_600, 40, at_once=True)
    counts = counts_of(report, "positions by sector")
    mean = 40 * 100 * 100 / 1_600
    spread = sqrt(40 * (100 * 1_500) ** 2 / (1_600**2 * 1_599))
    page = html.render(report)
    shown = read_cells(picture_of(page, "Which part of the deck lies where"), 16)
    assert np.array_equal(shown, levels_of((counts.T - mean) / spread))
    assert "Cells join 100 by 100 of 1600 by 1600" in page


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("statistic", "name"), [(POSITIONS[0], "positions"), (ORDERS[0], "order"), (SUCCESSORS[0], "neighbours")]
)
@pytest.mark.parametrize("most", [7, 4, 3])
@pytest.mark.long
def test_deviations_have_mean_0_and_variance_1_over_all_orders(statistic, name, most):
    n = 7
    indicator, kind = groups(n, most), MATRICES[name]
    moments = kind.moments(indicator.sum(axis=0))
    total, squares = 0.0, 0.0
    decks = np.array(list(permutations(range(n))), dtype=np.int16)
    for deck in decks:
        counts = statistic.count(deck_view(Block(deck[None], deck[None][:0])))
        off = deviations(indicator.T @ kind.table(counts, 1) @ indicator, 1, moments)
        total, squares = total + off, squares + off * off
    varies = ~np.isnan(total)
    assert varies.sum() >= len(varies) ** 2 - len(varies)
    assert total[varies] == pytest.approx(0, abs=1e-8)
    assert squares[varies] / len(decks) == pytest.approx(1)


def test_a_matrix_is_a_small_picture_with_a_title_a_description_and_a_legend():
    off = np.random.default_rng(1).standard_normal((52, 52))
    counts, names = np.zeros((52, 52), dtype=int).tolist(), list(map(str, range(52)))
    picture = Matrix(off.tolist(), counts, names, range(52), ("rows", "columns"), "{row} {column} {seen}")
    drawn = re.sub(r' data-values="[^"]*"', "", svg(Chart("title <", picture, "description &")))
    assert len(drawn) < 9_000
    tree = ElementTree.fromstring(drawn)
    assert tree.get("role") == "img"
    assert [tree.find(f"{SVG}{tag}").text for tag in ("title", "desc")] == ["title <", "description &"]
    texts = [each.text for each in tree.iter(f"{SVG}text")]
    assert {"−5", "−3", "−2", "−1", "1", "2", "3", "5", "too rarely", "too often"} <= set(texts)


def read_bars(path):
    """Return the heights of the tops along a path of steps, each with the x at which it ends."""
    assert path.startswith("M")
    tops, y = [], None
    for kind, number, second in re.findall(r"([MLHV])(-?[\d.]+)(?: (-?[\d.]+))?", path):
        if kind in "ML":
            y = float(second)
        elif kind == "V":
            y = float(number)
        else:
            tops.append((float(number), y))
    return tops


def heights(path, edges):
    """Return the height of each bar between `edges`."""
    tops = read_bars(path)
    return np.array([next(y for x, y in tops if x > (a + b) / 2) for a, b in pairwise(edges)])


def test_bars_are_as_high_as_their_counts():
    rng = np.random.default_rng(2)
    counts, chances = rng.multinomial(20_000, np.full(200, 1 / 200)), np.full(200, 1 / 200)
    tree = ElementTree.fromstring(svg(Chart("t", bars_of(counts, chances, ("first", "last")), "d")))
    paths = {each.get("class"): each.get("d") for each in tree.iter(f"{SVG}path") if each.get("class") != "axis"}
    edges = np.linspace(42, 334, 201)
    base = float(re.match(r"M42 (\d+)", paths["bar"])[1])
    seen = base - heights(paths["bar"].removesuffix("z"), edges)
    unit = (base - heights(paths["fair thin"], edges)[0]) / 100
    assert np.abs(seen / unit - counts).max() < 0.1  # a tenth of a unit on 130, of about 140 decks
    low, high = (base - float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)H", paths["band"])[::-1])
    # Quantiles of the binomial law, B(20000, 1/200), at .5 % and 99.5 %.
    assert round(low / unit), round(high / unit) == (75, 126)


def test_joined_bars_keep_every_deck():
    counts, chances = np.arange(1, 121), np.full(120, 1 / 120)
    bars, shares = joined(counts, chances, bars=50)
    assert len(bars) == 40
    assert bars.sum() == counts.sum()
    assert bars[0] == 1 + 2 + 3
    assert shares == pytest.approx(3 / 120)


def test_a_number_is_drawn_beside_its_law():
    battery = Battery(12)
    member = next(each for each in battery.members if each.statistic.name == "descents" and not each.lag)
    assert isinstance(member.statistic, Scalar)
    law = member.statistic.law(12)
    counts = np.zeros(len(law.weights), dtype=np.int64)
    counts[3:9] = [10, 40, 200, 150, 80, 20]
    starts, seen, expected = grouped(law, counts)
    assert seen.sum() == 500
    tree = ElementTree.fromstring(svg(Chart("t", LawBars(starts, starts[-1], seen.tolist(), expected.tolist()), "d")))
    paths = {each.get("class"): each.get("d") for each in tree.iter(f"{SVG}path")}
    edges = np.linspace(5, 165, len(starts) + 1)
    base, unit = 92, 84 / max(seen.max(), expected.max())
    assert heights(paths["bar"].removesuffix("z"), edges) == pytest.approx(base - seen * unit, abs=0.06)
    line = np.array([[float(each) for each in spot.split()] for spot in paths["fair"][1:].split("L")])
    assert line[:, 1] == pytest.approx(base - expected * unit, abs=0.06)
    assert expected == pytest.approx([500 * float(law.probabilities[at - law.low]) for at in starts])


def test_the_plot_has_a_dot_for_each_p_value_and_names_the_surest():
    ps = [0.0, 1e-40, 1e-9, *np.linspace(0.004, 0.99, 97).tolist()]
    dots = [Dot(p, "test", name) for p, name in zip(ps, ["1", "2", "3", *[""] * 97], strict=True)]
    band = [(0, 1e-5, 0.05), (99, 0.95, 0.9999)]
    tree = ElementTree.fromstring(svg(Chart("t", Dots(dots, band), "d")))
    paths = {each.get("class"): each.get("d") for each in tree.iter(f"{SVG}path")}
    spots = {
        name: [tuple(map(float, spot)) for spot in re.findall(r"M([\d.]+) ([\d.]+)h0", paths[name])]
        for name in ("dots", "dots named")
    }
    assert (len(spots["dots"]), len(spots["dots named"])) == (97, 3)
    most_y = 15 * 1.02
    assert [y for _, y in spots["dots named"]] == pytest.approx(
        [206 - each / most_y * 180 for each in (15, 15, 9)], abs=0.06
    )
    assert max(x for x, _ in spots["dots named"]) == pytest.approx(42 + 292)
    expected = [42 + -log10((at + 0.5) / 100) / log10(200) * 292 for at in range(100)]
    assert sorted((x for each in spots.values() for x, _ in each), reverse=True) == pytest.approx(expected, abs=0.06)
    assert {"1", "2", "3"} <= {each.text for each in tree.iter(f"{SVG}text") if each.get("class") == "strong"}


def test_the_page_draws_all_orders_of_a_small_deck_and_bins_of_a_large_one(naive, naive_5):
    small = picture_of(html.render(naive_5), "Every order")
    bar = next(each.get("d") for each in small.iter(f"{SVG}path") if each.get("class") == "bar").removesuffix("z")
    counts = counts_of(naive_5, "every order")
    seen = 140 - heights(bar, np.linspace(42, 334, 121))
    assert np.corrcoef(seen, counts)[0, 1] > 0.9999
    large = picture_of(html.render(naive), "All orders, in bins")
    described = large.find(f"{SVG}desc").text
    bars = joined(counts_of(naive, "rank histogram"), np.full(200, 1 / 200))[0]
    assert described.startswith(f"{len(bars)} bars of {bars.min():,} to {bars.max():,} decks")


def test_the_numbers_shown_are_the_most_surprising_ones(naive):
    page = html.render(naive)
    shown = re.findall(r"<h4>(.*?)</h4>", page)
    assert len(shown) == report_charts.MOST_LAWS
    assert sum("lag" in each for each in shown) == report_charts.MOST_RELATIVE_LAWS
    scalars = {member.statistic.name for member in naive.battery.members if isinstance(member.statistic, Scalar)}
    best = min(
        (each for each in naive.verdict.evidence if each.evidence.statistic in scalars),
        key=lambda each: each.evidence.p_value,
    )
    assert shown[0] == best.evidence.statistic


# JUnit.


def parsed(report):
    root = ElementTree.fromstring(junit.render(report).encode())
    assert [each.tag for each in root] == ["testsuite"]
    suite = root[0]
    cases = suite.findall("testcase")
    for element in (root, suite):
        assert int(element.get("tests")) == len(cases)
        for count, kind in {"failures": "failure", "errors": "error", "skipped": "skipped"}.items():
            assert int(element.get(count)) == sum(case.find(kind) is not None for case in cases)
        float(element.get("time"))
    assert all(case.get("name") and case.get("classname") and float(case.get("time")) >= 0 for case in cases)
    return suite, {case.get("name"): case for case in cases}


def test_junit_has_a_case_for_each_family_and_one_for_the_verdict(naive):
    suite, cases = parsed(naive)
    asked = {member.family for member in naive.battery.members}
    assert list(cases) == [*(family for family in FAMILIES if family in asked), "verdict"]
    assert cases["verdict"].find("failure").get("message") == naive.headline
    faulty = {finding.family for finding in naive.verdict.findings}
    assert {name for name, case in cases.items() if case.find("failure") is not None} == {*faulty, "verdict"}
    assert any(case.find("failure") is None for case in cases.values())
    position = next(each for each in naive.verdict.findings if each.family == "position")
    assert cases["position"].find("failure").get("message") == naive.says(position)
    assert suite.get("time") == "1.250"


def test_junit_of_a_pass_is_green(fair):
    suite, _ = parsed(fair)
    assert (suite.get("failures"), suite.get("errors")) == ("0", "0")


def test_too_few_decks_are_an_error_so_that_no_build_goes_green(few):
    suite, cases = parsed(few)
    assert (suite.get("failures"), suite.get("errors")) == ("0", "1")
    assert cases["verdict"].find("error").get("message") == few.headline
    spoke = {each.family for each in few.verdict.evidence}
    skipped = {name for name, case in cases.items() if case.find("skipped") is not None}
    assert skipped == set(cases) - spoke - {"verdict"}


def test_a_broken_source_fails_the_verdict_and_skips_the_families(broken):
    suite, cases = parsed(broken)
    assert (suite.get("failures"), suite.get("errors")) == ("1", "0")
    assert "card 7 twice" in cases["verdict"].find("failure").get("message")
    assert int(suite.get("skipped")) == len(cases) - 1


# Intervals.


def test_intervals_at_the_ends_are_the_closed_forms():
    low, high = clopper_pearson(np.array([0, 25]), np.array([25, 25]))
    assert low.tolist() == pytest.approx([0, 0.005 ** (1 / 25)])
    assert high.tolist() == pytest.approx([1 - 0.005 ** (1 / 25), 1])


def test_an_interval_ends_where_the_tail_is_half_of_what_is_left():
    """The definition, at 3 of 10: each bound leaves exactly .5 % beyond what was seen."""
    (low,), (high,) = clopper_pearson(np.array([3]), np.array([10]))
    at_least = sum(comb(10, k) * low**k * (1 - low) ** (10 - k) for k in range(3, 11))
    at_most = sum(comb(10, k) * high**k * (1 - high) ** (10 - k) for k in range(4))
    assert (at_least, at_most) == pytest.approx((0.005, 0.005), rel=1e-9)


@pytest.mark.parametrize("level", [0.99, 0.9])
@pytest.mark.parametrize("trials", [1, 7, 40])
def test_intervals_cover_every_chance_at_the_level(trials, level):
    """By enumeration of all samples, for a grid of chances; and they are not so wide as to cover always."""
    counts = np.arange(trials + 1)
    low, high = clopper_pearson(counts, np.full(trials + 1, trials), level)
    covered = []
    for chance in np.linspace(0, 1, 401):
        weights = [comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)]
        covered.append(sum(w for w, a, b in zip(weights, low, high, strict=True) if a <= chance <= b))
    assert min(covered) >= level - 1e-12
    assert min(covered) < 1 - (1 - level) / 4
