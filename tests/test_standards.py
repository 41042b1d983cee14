import re
from dataclasses import replace
from html import unescape

import pytest

from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Broken
from fairdeck.lab.inquiry import Inquiry
from fairdeck.lab.judging.report import Report
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.judging.trial import Trial, run
from fairdeck.lab.judging.verdict import Finding, fewest_decks
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.sources.simulated import Simulated
from fairdeck.lab.standards import EVERY, Demand, failed_positions, find, registry
from fairdeck.lab.statistics import catalogue
from fairdeck.show.reports import forms
from fairdeck.show.reports.certificate import BEYOND, outcome, render, rows
from tests.conftest import chromium

NAMES = sorted(registry())
SEED = 20_200_717
DECKS = 20_000


def tried(shuffle, standard=None, cards=52, decks=DECKS, fewest=None, seed=SEED):
    """Return the report of a trial; by default with as many decks as a standard asks for, but no million."""
    battery = standard.battery(cards) if standard else Battery(cards)
    least = fewest if fewest is not None else standard.fewest(cards) if standard else None
    trial = Trial(battery, decks, standard.alpha if standard else 1e-6, fewest=least)
    for _ in run(trial, Simulated(shuffle, cards, seed)):
        pass
    command = f"fairdeck test {shuffle} --seed {seed:x}"
    asked = Inquiry.of(shuffle, cards=cards, seed=seed, standard=standard)
    return Report(asked, trial.verdict(), trial.tally, command=command)


def asking(report, **fields):
    """The report of an inquiry that differs in these fields."""
    return replace(report, inquiry=replace(report.inquiry, **fields))


@pytest.fixture(scope="module")
def fair():
    return tried("fisher-yates", find("gli19"))


@pytest.fixture(scope="module")
def unfair():
    return tried("naive", find("gli19"))


def text_of(page):
    """Return what a reader of a page sees."""
    visible = re.sub(r"<style>.*?</style>", "", page, flags=re.S)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", visible)))


def held(page):
    """Return how many demands are said to hold."""
    return len(re.findall("<td>no fault seen(?:, in part)?</td>", page))


@pytest.mark.parametrize("name", NAMES)
def test_every_statistic_of_a_standard_exists(name):
    known = {statistic.name for statistic in catalogue()}
    assert registry()[name].statistics <= known
    assert registry()[name].statistics


@pytest.mark.long
@pytest.mark.cases(1)
@pytest.mark.parametrize("name", NAMES)
def test_a_standard_passes_a_fair_shuffle_and_every_test_answers_a_demand(name):
    """The seed is fixed; under a fresh one each fails with the standard's alpha, .01 or .05, that is .32 in all.

    The decks that a standard needs are scaled down for the one that asks for a million; no level is.
    """
    standard = registry()[name]
    report = tried("fisher-yates", standard, fewest=DECKS)
    assert report.verdict.outcome == "pass", report.verdict.findings
    found = rows(asking(report, standard=replace(standard, least=0)))
    assert not any(row.demand is BEYOND for row in found)
    assert {row.says for row in found} <= {"no fault seen", "no fault seen, in part", "not answered"}
    for row in found:
        assert row.says.startswith("no fault seen") == row.demand.answerable, row.demand.words
        assert row.says.endswith("in part") == (row.demand.answerable and row.demand.note.startswith("in part"))
    asked = {test for demand in standard.demands for test in (*demand.tests, *demand.relative)} - {*EVERY}
    answered = {name for each in report.verdict.evidence for name in (each.evidence.name, each.evidence.statistic)}
    for test in asked:
        if not test.startswith(("every order", "chain of order")):  # those are for small decks
            assert test in answered


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in NAMES if not registry()[name].sizes])
@pytest.mark.parametrize("cards", [5, 60])
def test_a_standard_passes_a_fair_shuffle_of_another_deck(name, cards):
    """Fails under a fresh seed as often as alpha; 5 cards have all orders and chains, 60 have no poker hands."""
    standard = registry()[name]
    report = tried("fisher-yates", standard, cards, decks=2_000, fewest=2_000, seed=SEED + 1)
    assert report.verdict.outcome == "pass", report.verdict.findings
    assert not any(row.demand is BEYOND for row in rows(report))


@pytest.mark.cases(2)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shuffle", ["naive", "riffle*7"])
def test_a_standard_fails_a_bad_shuffle(name, shuffle):
    report = tried(shuffle, registry()[name], decks=40_000, fewest=DECKS)
    assert report.verdict.outcome == "fail"
    assert any(row.says == "does not hold" for row in rows(report))


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", NAMES)
def test_fewer_decks_than_a_standard_asks_for_are_not_enough(name):
    standard = registry()[name]
    decks = min(standard.fewest(52), 1_200) - 1
    report = tried("fisher-yates", standard, decks=decks)
    assert report.verdict.outcome == "insufficient"
    # A trial that was told to be content with less makes no certificate of it.
    lenient = tried("fisher-yates", standard, decks=decks, fewest=1)
    assert lenient.verdict.outcome == "pass"
    assert outcome(lenient) == "insufficient"
    page = render(lenient)
    assert "too few" in text_of(page)
    assert f"{standard.fewest(52):,} or more" in text_of(page)
    assert held(page) == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_standard_says_what_it_is_and_how_its_text_is_known(name):
    standard = registry()[name]
    assert standard.name == name
    assert (standard.alpha, "95" in standard.level) in {(0.05, True), (0.01, False)}
    assert standard.title and standard.authority and standard.remarks
    assert standard.first_hand != ("not seen;" in standard.seen)
    assert standard.fewest(52) >= fewest_decks(52)
    for demand in standard.demands:
        assert demand.answerable or demand.note, demand.words
        assert demand.answerable or demand.note.startswith(("not answered", "not a test"))


def test_the_message_for_a_misspelt_name_says_which_name_is_near():
    assert find(" GLI19 ").name == "gli19"
    with pytest.raises(FairdeckError, match="did you mean 'gli19'"):
        find("gli-19")
    with pytest.raises(FairdeckError, match="choose one of agco, cfr547, gli19"):
        find("quux")


def test_a_standard_refuses_decks_and_lags_that_it_is_not_about():
    with pytest.raises(
        FairdeckError, match="itech is for decks of 52 cards, not 60; use such a deck or another standard"
    ):
        find("itech").battery(60)
    with pytest.raises(FairdeckError, match="compares decks up to 2 apart"):
        find("gli19").battery(52, lags=1)
    assert find("gli19").battery(52, lags=4).lags == 4
    assert find("md-shuffler").battery(52).lags == 0


@pytest.mark.long
def test_the_literal_reading_counts_positions_that_fail_by_themselves(fair):
    """Of 52 fair positions .52 fail at 99 %; 7 or more do so once in 10^6 runs, so once in 500,000 here."""
    lines = list(failed_positions(fair.battery, fair.tally))
    assert len(lines) == 2
    for line in lines:
        failed = int(re.search(r": (\d+) of 52", line)[1])
        assert failed < 7
    # A card that stays at the bottom in every twentieth deck is seen at that position.
    counts = [count.copy() for count in fair.tally.counts]
    at = [(member.statistic.name, member.lag) for member in fair.battery.members].index(("positions", 0))
    counts[at][0, 0] += DECKS // 20
    tally = replace(fair.tally, counts=tuple(counts))
    failed = int(re.search(r": (\d+) of 52", lines[0])[1])
    assert f": {failed + 1} of 52" in next(failed_positions(fair.battery, tally))
    few = replace(fair.tally, seen=(200, 199, 198))
    assert "too few decks" in next(failed_positions(fair.battery, few))


def test_position_by_position_the_standard_would_fail_any_fair_shuffle():
    tests = 52 + 52 + 52 * 51 // 2 + 52
    remarks = " ".join(find("sd-per-position").remarks)
    assert f"{tests:,} tests" in remarks
    assert 0.99**tests == pytest.approx(3e-7, rel=0.2)


def test_a_certificate_holds_what_an_auditor_needs(fair):
    page = text_of(forms()["certificate"].render(fair))
    standard = fair.standard
    for words in (
        "20,000 shuffled decks of 52 cards show no fault in the",
        *(standard.title, standard.authority, *standard.remarks, *(demand.words for demand in standard.demands)),
        *(fair.command, f"{SEED:x}", *fair.environment.values()),
        *("once in 100 runs", "primary text not seen".capitalize(), "Holm", "each deck from the sorted one"),
        *("up to 2 decks before", "8 of 12 requirements were tested", "not answered here: source review"),
        *("Made for", "Countersigned", "Place, date and signature", "What this does not say", "fairdeck exact"),
        *("Other runs may have been made before this one", "in about 99 of 100 runs"),
        *(fair.says(limit) for limit in fair.verdict.limits),
        *(weighed.name for weighed in fair.verdict.evidence),
    ):
        assert re.sub(r"\s+", " ", words) in page, words
    assert held(render(fair)) == 8
    assert "left out or chosen" not in page
    outside = text_of(forms()["certificate"].render(asking(fair, seed=None)))
    assert "They do not show whether some of them were left out or chosen" in outside


def test_a_certificate_shows_the_statistic_and_the_degrees_of_each_test(fair):
    annex = render(fair).rpartition("<table")[2]
    lines = re.findall(r'<th scope="row">([^<]*)</th><td>[^<]*</td><td>([^<]*)</td><td class="number">', annex)
    shown = {unescape(name): statistic for name, statistic in lines}
    assert shown.keys() == {each.name for each in fair.verdict.evidence}
    assert re.fullmatch(r"χ²\(2,601\) = [\d,]+", shown["positions: all cards at all places"])
    assert re.fullmatch(r"z = -?[\d.]+", shown["descents: mean"])
    assert re.fullmatch(r"count = \d+", shown["positions: one card at one place"])


@pytest.mark.long
def test_a_certificate_tells_how_many_different_decks_there_must_be(fair):
    """None of 20,000 decks came twice: less than 20,000^2 / 2 / ln(100) = 43.4 million would show one, at 99 %."""
    page = text_of(render(fair))
    assert "Among 20,000 decks no two were equal" in page
    assert "at least 43,000,000 different decks (with 99% confidence)" in page
    assert "about 10^68 orders" in page
    small = text_of(render(tried("fisher-yates", cards=9, decks=20_000)))
    assert "A deck of 9 cards has 362,880 orders" in small
    least = int(re.search(r"at least ([\d,]+) different", small)[1].replace(",", ""))
    assert 0.7 * 362_880 < least <= 362_880
    assert "whole decks were not compared" in text_of(render(tried("fisher-yates", find("sd-per-position"), decks=100)))


def test_a_certificate_of_a_failure_says_so_first_and_what_it_did_not_get_to(unfair):
    page = render(unfair)
    seen = text_of(page)
    assert 'class="seal fail"' in page
    assert f"naive is not fair: {unfair.says(unfair.verdict.findings[0])}" in seen
    assert "does not hold" in seen
    assert "no fault seen by then" in seen
    assert held(page) == 0
    assert "nothing is said of smaller faults" in seen


@pytest.mark.long
def test_a_certificate_without_a_standard_is_of_the_own_battery():
    page = text_of(render(tried("fisher-yates", decks=4_000)))
    assert "no published standard was asked for" in page
    assert "Every card is equally likely at every place" in page
    assert "A deck does not depend on the decks before it" in page
    assert "once in 1 million runs" in page
    assert "authority" not in page


@pytest.mark.long
def test_every_family_of_tests_has_its_words_in_a_certificate():
    report = tried("fisher-yates", decks=4_000)
    assert len({each.family for each in report.verdict.evidence}) == len(rows(report)) >= 7
    small = tried("fisher-yates", cards=5, decks=4_000)
    assert "Every whole order" in text_of(render(small))


def test_a_certificate_escapes_what_it_is_handed(fair):
    nasty = "<script>alert(1)</script>&\"'\x00\x1b"
    page = render(
        replace(
            asking(
                fair,
                what=nasty,
                start=nasty,
                standard=replace(
                    fair.standard, title=nasty, authority=nasty, seen=nasty, level=nasty, remarks=(nasty,)
                ),
            ),
            notes=(nasty,),
            command=nasty,
            environment={nasty: nasty},
            verdict=replace(
                fair.verdict,
                outcome="fail",
                findings=(Finding(1e-9, complaint=nasty),),
                limits=(Limit("x", "x", 1.0, None, nasty.replace("{", "{{")),),
            ),
        )
    )
    assert "<script" not in page
    assert not re.search(r"[\x00-\x08\x0b-\x1f]", page)
    assert "&lt;script&gt;" in page


def test_a_line_that_is_not_a_deck_is_certified_as_not_fair():
    battery = find("gli19").battery(52)
    trial = Trial(battery, 100, 0.01)
    trial.broke(Broken("mine: deck 1 holds card 7 twice", 0))
    report = Report(Inquiry.of("mine", standard="gli19"), trial.verdict(), trial.tally)
    assert "mine is not fair: mine: deck 1 holds card 7 twice." in text_of(render(report))
    assert held(render(report)) == 0


def test_a_demand_tells_its_tests_apart_by_name_and_by_lag():
    demand = Demand("x", ("positions", "order: one pair"), relative=("neighbours",))
    assert demand.statistics == {"positions", "order", "neighbours"}
    assert demand.asks("positions", "positions: by suit", 0)
    assert demand.asks("order", "order: one pair", 0)
    assert not demand.asks("order", "order: cards high or low", 0)
    assert not demand.asks("positions", "positions: by suit", 1)
    assert demand.asks("neighbours", "neighbours: one pair", 2)
    assert Demand("y", relative=EVERY).asks("anything", "anything: mean", 1)
    assert not Demand("y", relative=EVERY).asks("anything", "anything: mean", 0)


def test_a_test_that_no_demand_asked_for_is_shown_as_such(fair):
    narrow = asking(fair, standard=replace(fair.standard, demands=(Demand("x", ("positions",)),)))
    vars(narrow.inquiry)["battery"] = fair.battery  # more was counted than it demands
    assert rows(narrow)[-1].demand is BEYOND
    assert "Not required" in text_of(render(narrow))


@pytest.mark.long
@pytest.mark.skipif(chromium() is None, reason="no Chromium on this machine")
def test_a_certificate_is_readable_by_all_and_prints_on_a4(browser, fair, unfair, tmp_path):
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import Locator

    for report in (fair, unfair):
        file = tmp_path / "certificate.html"
        file.write_text(render(report), encoding="utf-8")
        complaints, requests = [], []
        context = browser.new_context(viewport={"width": 360, "height": 700}, java_script_enabled=True)
        page = context.new_page()
        page.on("console", lambda message, kept=complaints: kept.append(message.text))
        page.on("request", lambda request, kept=requests: kept.append(request.url))
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        results = page.locator("table").first.locator("tr > :nth-child(2)")
        assert results.first.inner_text() == "Result"
        assert max(cell["x"] + cell["width"] for cell in map(Locator.bounding_box, results.all())) <= 360
        assert page.evaluate("getComputedStyle(document.querySelector('.blanks')).display") == "grid"
        assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
        context.close()
        assert (complaints, requests) == ([], [file.as_uri()])
        context = browser.new_context(bypass_csp=True)  # for the checker's own script only
        page = context.new_page()
        page.goto(file.as_uri())
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        context.close()
