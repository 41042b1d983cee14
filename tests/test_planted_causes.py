"""Causes of planted faults: a certain one is never wrong, and what the decks show exactly is said of few decks, too."""

import html
import re
import shutil
import subprocess
import sys
import zlib
from dataclasses import replace
from fractions import Fraction
from functools import cmp_to_key
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from fairdeck import lab
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Block
from fairdeck.lab.causes import SECONDS, Cause, again, seeds
from fairdeck.lab.judging import sentences
from fairdeck.lab.judging.report_document import document
from fairdeck.lab.judging.tally import Battery
from fairdeck.lab.judging.verdict import weigh
from fairdeck.lab.statistics import catalogue
from fairdeck.show.reports import forms
from fairdeck.show.terminal import lines
from fairdeck.shuffles import comparators, find
from fairdeck.shuffles.comparators import CoinTimsort
from tests import planted
from tests.decks import causes_of, sample_of
from tests.planted import PLANTED

COUNTED = 512  # decks until a verdict: those that a report has findings of


def decks_of(name):
    each = next(each for each in PLANTED if each.name == name)
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    return each, np.asarray(each.make(each.cards, each.decks, rng), np.int16)


def causes(name):
    return causes_of(sample_of(decks_of(name)[1], COUNTED))


def test_two_hundred_faults_are_planted():
    assert len(PLANTED) >= 200
    assert len({each.name for each in PLANTED}) == len(PLANTED)


@pytest.mark.cases(8)
@pytest.mark.parametrize("name", [each.name for each in PLANTED])
def test_a_certain_cause_is_never_wrong(name):
    each, decks = decks_of(name)
    found = causes_of(sample_of(decks, COUNTED), SECONDS)
    assert not [cause for cause in found if cause.certain and not re.search(each.right, cause.words)], found
    for cause in found if each.number is not None else ():
        assert not cause.certain or any(low <= each.number <= high for _, low, high in cause.numbers.values()), cause


@pytest.mark.parametrize("name", ["again 0.01", "0.02 of 1000", "32768 seeds"])
def test_few_equal_decks_leave_open_whether_each_deck_is_one_of_few(name):
    found = causes(name)
    assert len(found) == 2
    assert not any(cause.certain for cause in found)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("2 seeds", "all 4,096 decks are one of the same 2, as if seeded with 1 bit"),
        ("20 seeds", "all 4,096 decks are one of the same 20"),
        ("100 seeds", "all 4,096 decks are one of the same 100"),
        ("1000 seeds", "at least 99% of decks come from about 1,000 decks, as if seeded with 10 bits"),
        ("0.5 of 10", "2,045 of 4,096 decks come more than once, 10 different ones; the others look fair"),
        ("3 before", "of decks are equal to the deck 3 before"),
        ("two skips", "are the start deck, unshuffled"),
        ("1 seeds, 52 cards", "every deck is the same"),
        ("mostly one deck", "992 of 1,024 decks are equal to the deck before"),
        ("0 of 40 stays", "the card at place 0 never moves"),
        ("0 of 1001 stays", "the card at place 0 never moves"),
        ("[3, 17, 40] stay", "the cards at places 3, 17 and 40 never move; the others look fair"),
        ("5 comes to 9", "place 9 always holds the same card; the others look fair"),
    ],
)
def test_what_decks_show_exactly_is_certain_and_said_of_few_decks_too(name, words):
    (cause,) = causes(name)
    assert words in cause.words
    assert cause.certain


def test_the_repair_of_a_card_that_never_moves_is_about_that_card():
    (cause,) = causes("[0] stay")
    assert "every card" in cause.repair


def test_a_few_decks_of_few_seeds_are_not_said_to_look_fair():
    (cause,) = causes("2 seeds, 52 cards")
    assert cause.words == "all 60 decks are one of the same 2, as if seeded with 1 bit"
    assert "too few to tell whether they look fair" in cause.seen


def test_the_share_of_decks_from_few_is_within_its_bounds():
    rng = np.random.default_rng(1)
    for share in (0.3, 0.7, 1.0):
        decks = planted.from_few(52, 4_096, rng, share=share, few=500)
        _, times = np.unique(decks, axis=0, return_counts=True)
        found = seeds.few(times)
        assert found.low - 0.02 <= share <= found.high + 0.02
        assert found.high - found.low < 0.3


def test_decks_that_were_not_foretold_are_counted_too():
    """Of the last 1,024 decks, 148 were new, so nothing foretold what follows them."""
    (cause,) = causes("900 from 100 twice")
    assert cause.words == "876 of 1,024 decks are the deck that followed the last time when the deck before came"
    assert "876 of 877 of the last 1,024 decks that could be predicted came as predicted" in cause.seen


def test_no_cause_is_certain_that_a_finding_of_the_report_contradicts():
    """The latest decks are fair but for some that are not shuffled; those that failed were shuffled naively."""
    rng = np.random.default_rng(2)
    decks = planted.unshuffled(52, 2_048, rng, share=0.05).astype(np.int16)
    agreeing = sample_of(decks, COUNTED)
    assert [cause.certain for cause in again.looks(agreeing)] == [True]
    naive = planted.any_place(52, COUNTED, rng).astype(np.int16)
    tally = agreeing.battery.tally(Block(naive, naive[:0], 0))
    assert [cause.certain for cause in again.looks(replace(agreeing, tally=tally))] == [False]


def by_draws(cards, size, draw, *, upward):
    """Return decks by swaps of each place, from one end or from the other, with a place so many further on."""
    found = np.tile(np.arange(cards), (size, 1))
    for deck in found:
        for left in range(cards, 1, -1):
            at, other = (cards - left, cards - left + draw(left)) if upward else (left - 1, draw(left))
            deck[[at, other]] = deck[[other, at]]
    return found


@pytest.mark.parametrize("seed", [1, 3])
def test_a_loop_is_not_certain_where_a_law_of_draws_contradicts_it(seed):
    """Remainders of 7 bits leave 78 cards much as swaps with any place do, of which 1 % are skipped."""
    rng = Random(seed)
    found = causes_of(sample_of(by_draws(78, 4_096, lambda left: rng.getrandbits(7) % left, upward=True)), 20)
    assert [cause.words for cause in found if cause.certain] == [
        "as if by Fisher-Yates from the bottom up, with draws like `rand() % n` with 7 bits"
    ]


@pytest.mark.parametrize(("cards", "drawn", "among"), [(52, range(33, 53), "32 to 2"), (30, range(7, 31), "6 to 2")])
def test_draws_that_are_left_out_are_counted(cards, drawn, among):
    rng = Random(4)
    decks = by_draws(cards, 2_048, lambda left: rng.randrange(left) if left in drawn else 0, upward=True)
    (cause,) = causes_of(sample_of(decks), 20)
    assert cause.certain
    assert f"without {cards - len(drawn) - 1} of the draws, among {among}" in cause.words


def test_low_bits_are_told_of_any_generator_that_has_them():
    for name in ("old C, low bits", "69069, low bits"):
        assert any("low bits" in cause.words for cause in causes(name))


# Sorts with a coin


@pytest.mark.parametrize("cards", [*range(1, 12), 31, 52, 63, 64, 65, 100, 127])
def test_timsort_is_that_of_this_python(cards):
    """Digit for digit, given the same coins; larger decks are merged in another order since 3.11."""
    sort = CoinTimsort(python=sys.version_info >= (3, 13))
    for seed in range(40):
        coin = Random(seed)
        theirs = sorted(range(cards), key=cmp_to_key(lambda _a, _b, coin=coin: -1 if coin.getrandbits(1) else 1))
        assert sort(cards, Random(seed)) == theirs


@pytest.mark.parametrize(
    ("name", "most", "of"),
    [("comparator-sort", 12, 64), ("comparator-sort-python", 20, 128), ("comparator-sort-go", 8, 64)],
)
def test_the_law_of_a_sort_does_not_depend_on_the_python_that_computes_it(name, most, of):
    assert max(lab.exact(name, cards=4).orders.values()) == Fraction(most, of)


# Each reads coins, a deck's on each line, and sorts by them.
COINS = {
    "node": (
        "coins.cjs",
        """const n = +process.argv[2], lines = require("fs").readFileSync(0, "utf8").trim().split("\\n");
for (const coins of lines) {
  let at = 0;
  console.log([...Array(n).keys()].sort(() => (coins[at++] === "1" ? -1 : 1)).join(" "));
}""",
    ),
    "java": (
        "Coins.java",
        """import java.util.*;
class Coins {
  public static void main(String[] words) {
    List<Integer> sorted = java.util.stream.IntStream.range(0, Integer.parseInt(words[0])).boxed().toList();
    for (Scanner in = new Scanner(System.in); in.hasNextLine(); ) {
      Iterator<Integer> coins = in.nextLine().chars().iterator();
      List<Integer> deck = new ArrayList<>(sorted);
      try { deck.sort((a, b) -> coins.next() == '1' ? -1 : 1); } catch (IllegalArgumentException e) { deck.clear(); }
      System.out.println(deck.toString().replaceAll("[^ 0-9]", ""));
    }
  }
}""",
    ),
    "go run": (
        "coins.go",
        """package main
import ("bufio"; "fmt"; "os"; "sort"; "strconv"; "strings")
func main() {
  n, _ := strconv.Atoi(os.Args[1])
  for in := bufio.NewScanner(os.Stdin); in.Scan(); {
    at, deck := -1, make([]int, n)
    for i := range deck { deck[i] = i }
    sort.Slice(deck, func(i, j int) bool { at++; return in.Text()[at] == '1' })
    fmt.Println(strings.Trim(fmt.Sprint(deck), "[]"))
  }
}""",
    ),
}


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("engine", "name"),
    [("node", "comparator-sort"), ("java", "comparator-sort-java"), ("go run", "comparator-sort-go")],
)
def test_a_sort_is_that_of_the_engine(engine, name, tmp_path, monkeypatch):
    """Digit for digit, given the same coins: all of them for 4 and 5 cards, so the laws are equal."""
    if not shutil.which(engine.split()[0]):
        pytest.skip(f"{engine} is not installed")
    file, program = COINS[engine]
    (tmp_path / file).write_text(program)
    if engine == "java":  # from the left, Java asks the other way round: the same law
        plain = comparators._found
        asked = lambda coin, right: coin if right else lambda: not coin()  # noqa: E731
        monkeypatch.setattr(
            comparators, "_found", lambda size, hint, coin, *, right: plain(size, hint, asked(coin, right), right=right)
        )
    source, differ = Random(1), 0
    for cards in (4, 5, 12, 13, 31, 32, 52, 64, 100, 200):
        coins = [f"{number:010b}" for number in range(1024)]
        if cards > 5:
            coins = [f"{source.getrandbits(16 * cards):0{16 * cards}b}" for _ in range(100)]
        words = [*engine.split(), str(tmp_path / file), str(cards)]
        done = subprocess.run(words, input="\n".join(coins), capture_output=True, text=True, check=True)
        for line, thrown in zip(done.stdout.splitlines(), coins, strict=True):
            told = iter(thrown + "01" * 2_000)
            ours = find(name).shuffle(cards, SimpleNamespace(getrandbits=lambda _, told=told: int(next(told))))
            differ += bool(line) and list(map(int, line.split())) != list(ours)  # Java throws: it is tried again
    assert differ <= (3 if engine == "go run" else 0)  # Go 1.19 scatters other cards after a lopsided split


SORT = "for (let d = 0; d < %d; d++) console.log([...Array(%d).keys()].sort(() => Math.random() - 0.5).join(' '))"


@pytest.mark.cases(1)
@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
@pytest.mark.parametrize("cards", [52, 5, 9, 16, 24, 33, 60, 100])
def test_the_sort_of_node_is_named(cards):
    run = subprocess.run(["node", "-e", SORT % (2_048, cards)], capture_output=True, text=True, check=True)
    decks = np.array([line.split() for line in run.stdout.splitlines()], np.int16)
    causes = causes_of(sample_of(decks, COUNTED), 20)  # seconds: a machine may be slow
    assert any("as V8 (JavaScript) sorts" in cause.words for cause in causes)


# Reports


@pytest.fixture(scope="module")
def reports():
    """Reports by name, each with its forms."""
    rng = np.random.default_rng(4)
    made = {
        "pass": lab.test("fisher-yates", cards=5, decks=1_000, seed=1),
        "one test": lab.test("fisher-yates", cards=5, decks=1_000, seed=1, only="fixed points", lags=0),
        "one deck": lab.test(planted.fair(20, 1, rng)),
        "few decks": lab.test(planted.fair(20, 40, rng)),
        "certain": lab.test(planted.stays(20, 400, rng, places=[0])),
        "likely": lab.test(planted.seeds(20, 2_000, rng, few=20_000)),
        "unknown": lab.test(planted.parts(20, 60, rng, count=4)),
        "same": lab.test(np.tile(np.arange(20), (60, 1))),
        "not a deck": lab.test(np.array([[0, 1, 2], [1, 0, 2]] * 8 + [[0, 1, 1]])),
    }
    return {name: (report, texts(report, forms())) for name, report in made.items()}


def texts(report, names):
    """Return these forms of a report as words, those of attributes included."""
    found = {name: html.unescape(forms()[name].render(report)) for name in names}
    return found | {"terminal": "\n".join(lines(document(report, everything=True)))}


WRONG_NUMBERS = (
    r"(?<!to )(?<![\d,.])1 (decks|tests|families|cards|pairs|findings|requirements)\b",
    r"(?<![\d.,])(\d[\d.,]*) to \1(?![\d.,])(?! (and|by))",
)


def test_no_form_of_a_report_has_a_wrong_plural_or_an_interval_of_one_number(reports):
    for name, (_, told) in reports.items():
        for form, text in told.items():
            for wrong in WRONG_NUMBERS:
                found = re.search(wrong, text)
                assert not found, (name, form, text[max(0, found.start() - 40) : found.end()])


def test_no_form_says_what_its_verdict_contradicts(reports):
    said = {"fail": ("shows no fault", "No fault found", "No fault seen"), "pass": ("is not fair", "Not fair")}
    said["insufficient"] = (*said["pass"], "shows no fault in", "No fault found")
    for name, (report, told) in reports.items():
        for form, text in told.items():
            for words in said[report.verdict.outcome]:
                assert words not in text, (name, form, words)
            if form in ("html", "json", "junit", "terminal"):
                assert report.headline in text.replace('\\"', '"'), (name, form)


def test_no_form_states_a_cause_that_is_not_certain(reports):
    planted_cause = Cause("the planted cause made them", "nothing was seen", "a planted repair", certain=False)
    for name in ("certain", "unknown"):
        report = replace(reports[name][0])
        for certain in (False, True):
            report.__dict__.pop("headline", None)
            report.__dict__["_search"] = (replace(planted_cause, certain=certain),), False
            assert (planted_cause.words in report.headline) == certain
            for form, text in texts(report, ("html", "junit", "certificate")).items():
                if form in ("html", "terminal"):
                    assert ("What may be the cause" in text) != certain, (name, form)
                    assert ("The cause" in text) == certain, (name, form)
                else:
                    printed = text.partition('"build": ')[
                        0
                    ]  # a certificate's JSON says of each cause whether it is certain
                    assert certain or planted_cause.words not in printed, (name, form)


def test_more_decks_are_asked_for_only_where_there_are_more(reports):
    for name, (report, told) in reports.items():
        assert "--go-on" not in " ".join(told.values()), name
        assert "ask for" not in report.headline, name  # these decks exist already


def test_of_few_decks_numbers_are_said_and_not_shares():
    decks = planted.stays(20, 32, np.random.default_rng(6), places=[3]).astype(np.int16)
    battery = Battery(20, only=frozenset({"positions"}))
    said = [sentences.seen(each) for each in weigh(battery, battery.tally(Block(decks, decks[:0], 0)))]
    assert "card 3 lies at place 3 in 32 of 32 decks; 1.6 would be fair" in said
    assert not [each for each in said if "% of decks" in each]


def test_the_cells_that_are_judged_are_named():
    """In 32 decks nearly every value of a wide law comes once: what is judged are ranges of values."""
    statistic = next(each for each in catalogue() if each.name == "half the footrule")
    for size in (100, 4_000):
        decks = planted.fair(52, size, np.random.default_rng(7)).astype(np.int16)
        battery = Battery(52, lags=0, only=frozenset({"half the footrule"}))
        tally = battery.tally(Block(decks, decks[:0], 0))
        (shape,) = [each for each in statistic.judge(tally.counts[0], 52, size) if each.test == "shape"]
        low, high = map(int, re.search(r"from (\d+) to (\d+) in", shape.words).groups())
        values = np.abs(decks - np.arange(52)).sum(axis=1) // 2
        assert shape.seen == pytest.approx(((values >= low) & (values <= high)).mean())
        assert shape.expected * size >= 10


# Programs and logs given as decks

GIVEN = {
    "decks.js": (
        "const a = [...Array(52).keys()]\na.sort(() => Math.random() - 0.5)\nconsole.log(a)\n",
        "'node decks.js'",
    ),
    "main.rs": ("fn main() {\n  let mut v: Vec<u32> = (0..52).collect();\n}\n", "compile it, then --exec ./main"),
    "deck.rb": ("class Deck\n  def shuffle\n    @cards.shuffle!\n  end\nend\n", "'ruby deck.rb'"),
    "app.log": ("INFO game alpha began\nINFO game beta began\nINFO game gamma began\n", "--exec COMMAND"),
    "prose.txt": ("to be or not\nor not to live\nthat is the question\nso it was told\n", "decks"),
}


@pytest.mark.parametrize("name", GIVEN)
def test_programs_and_logs_are_refused_with_the_command_that_tests_them(name, tmp_path, monkeypatch):
    text, remedy = GIVEN[name]
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(text)
    with pytest.raises(FairdeckError, match=re.escape(remedy)):
        lab.test(name)


def test_compiled_programs_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Main.class").write_bytes(b"\xca\xfe\xba\xbe\0\0\0\x34")
    with pytest.raises(FairdeckError, match=r"a compiled Java class, not decks; .* --exec 'java Main'"):
        lab.test("Main.class")


@pytest.mark.parametrize("text", ["A K Q\nK A Q\nQ K A\nA Q K\n", "A K Q\nK A Q\nQ K"])
def test_decks_of_words_are_read_from_a_file_named_like_a_program(text, tmp_path):
    path = tmp_path / "decks.js"  # the name alone makes no program
    path.write_text(text)
    assert lab.test(path).verdict.decks >= 2
