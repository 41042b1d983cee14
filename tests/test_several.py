"""Several sizes at one level: those asked, the level, faults at some of them, parts that die, ciphers, mixed logs."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from itertools import count, permutations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from fairdeck import lab
from fairdeck.cli import main
from fairdeck.errors import FairdeckError
from fairdeck.lab import testing
from fairdeck.lab.inquiry import Inquiry
from fairdeck.lab.judging.report_document import document
from fairdeck.lab.several import Part, Several, Stratum, at_sizes
from fairdeck.lab.sizes import TELLING, sizes_of
from fairdeck.lab.sources.file import table_source
from fairdeck.lab.strata import Together, at_strata, by_list, schemes_of
from fairdeck.permutation import cycles

QUICK = ("parity", "fixed points", "positions")


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let decks alone say when a run ends, not how busy this machine is."""
    monkeypatch.setattr(testing, "ELSEWHERE", 3_600.0)


def is_even(order: Sequence[int]) -> bool:
    return (len(order) - len(cycles(order))) % 2 == 0


def fair(deck: list[int], rng: Random) -> None:
    rng.shuffle(deck)


def even(points: int, rng: Random) -> list[int]:
    """Return a uniformly random even order, which an even-only cipher of many rounds makes."""
    order = rng.sample(range(points), points)
    if not is_even(order):
        order[:2] = order[1::-1]
    return order


def cipher(fewest: int, cards: int, rng: Random) -> list[int]:
    return even(max(fewest, 1 << (cards - 1).bit_length()), rng)


def left_out(cards: int, rng: Random) -> list[int]:
    return [point for point in cipher(8, cards, rng) if point < cards]


def walk(full: Sequence[int], cards: int) -> list[int]:
    walked = []
    for point in full[:cards]:
        while point >= cards:
            point = full[point]
        walked.append(point)
    return walked


def walked(cards: int, rng: Random) -> list[int]:
    return walk(cipher(16, cards, rng), cards)


def wrong_at_64(deck: list[int], rng: Random) -> None:
    start = int(len(deck) == 64)
    deck[start:] = rng.sample(deck[start:], len(deck) - start)


def dies_at_8(deck: list[int], rng: Random) -> list[int]:
    rng.shuffle(deck)
    return deck[:-1] if len(deck) == 8 and rng.random() < 0.01 else deck


def test_sizes_are_read_as_people_write_them() -> None:
    assert sizes_of("2-4, 100,3") == (2, 3, 4, 100)
    assert set(sizes_of("telling,53")) == {*TELLING, 53}
    assert {2, 5, 15, 16, 17, 48, 52, 100, 256, 1_000, 4_097} <= set(TELLING)
    assert sizes_of(range(5, 7)) == (5, 6)
    assert sizes_of("5-5") == (5,)
    assert sizes_of("52") == sizes_of(52) == sizes_of(None) == ()


@pytest.mark.parametrize("cards", ["2-", "9-4", "1-5", "2,x", "2,,3", "2-99999999999", "2-130", [], [1, 2], "52,1e3"])
def test_other_sizes_are_refused_in_one_line(cards: Any) -> None:
    with pytest.raises(
        FairdeckError, match=r"^cards: [^\n]+; (write|name) [^\n]+|runs backwards; write 4-9"
    ) as refused:
        lab.test(fair, cards=cards)
    assert len(str(refused.value)) < 120


def test_the_level_holds_over_all_sizes() -> None:
    """400 fair runs at .05; more than 37 alarms come with chance 1e-4. Each alarm is at one of the sizes."""
    runs, alpha = 400, 0.05
    alarms = 0
    for seed in range(runs):
        report = lab.test(fair, cards="2-5,8", seed=seed, alpha=alpha, decks=48, only=QUICK, lags=0)
        alarms += report.verdict.p_value <= alpha
    assert binom.sf(alarms - 1, runs, alpha) > 1e-4


def test_the_shares_of_parts_add_up_to_the_whole() -> None:
    parts = at_sizes("sattolo", sizes_of("telling"), alpha=1e-6)
    assert sum(part.share for part in parts) == pytest.approx(1)
    assert sum(part.inquiry.alpha for part in parts) == pytest.approx(1e-6)
    inquiry = Inquiry.of("sattolo", cards=5)
    with pytest.raises(ValueError, match="more than 1"):
        Several([Part(inquiry, 0.6), Part(inquiry, 0.6)], lambda asked: asked.opened())


def test_a_fault_at_one_size_is_found_there_and_only_there() -> None:
    report = lab.test(wrong_at_64, cards="62-66,100", seed=1, only=QUICK)
    assert report.verdict.outcome == "fail"
    begins = "wrong_at_64 is not fair at 64 cards; at the 5 other sizes no fault was seen, as far as 64 decks show."
    assert report.headline.startswith(begins)
    assert "card at place 0 never moves" in report.headline
    rows = report.fields()["sizes"]
    assert [row["cards"] for row in rows if row["verdict"] == "fail"] == [64]
    assert report.verdict.p_value == report.fields()["p_value"] == min(row["p_value"] for row in rows) <= 1e-6
    assert {(row["decks"], row["verdict"]) for row in rows if row["cards"] != 64} == {(64, "insufficient")}
    assert next(row["decks"] for row in rows if row["cards"] == 64) <= 32


def test_after_a_certain_fault_no_other_size_takes_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count(0, 10_000.0)  # seconds between two looks at it
    monkeypatch.setattr(testing, "monotonic", lambda: next(clock))
    report = lab.test(wrong_at_64, cards="62-66,100,4000", seed=1, only=QUICK)
    rows = {row["cards"]: row for row in report.fields()["sizes"]}
    assert rows[64]["verdict"] == "fail"
    assert rows[4_000]["decks"] == 0
    assert report.headline.startswith("wrong_at_64 is not fair at 64 cards; at 62 cards no fault was seen, as far as")
    assert "show; 63, 65, 66, 100 and 4,000 cards were not asked any more." in report.headline


def test_the_first_size_with_a_fault_is_named_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "sattolo", "--cards", "4,5,9", "--seed", "1", "--only", ",".join(QUICK)]) == 1
    told = capsys.readouterr()
    assert told.err == "fairdeck: not fair at 4 cards, already certain; where else?\n"
    assert told.out.startswith("sattolo is not fair at any of the 3 sizes asked, 4, 5 and 9 cards.")


def test_points_left_out_of_an_even_cipher_show_at_powers_of_two() -> None:
    report = lab.test(left_out, cards="4-9,15-17,24,31-33,52,64", seed=1, only=QUICK, takes="n")
    assert "at 8, 16, 32 and 64 cards, the powers of two from 8 on; at the 11 other sizes" in report.headline
    glance = document(report, everything=False, charts=True).glance
    assert glance is not None
    assert glance.says.startswith("At 8, 16, 32 and 64 cards, the powers of two from 8 on; at the 11 other sizes")
    (cause,) = report.causes
    assert cause.certain
    assert cause.words.startswith("every order of 8, 16, 32 and 64 cards is even")
    assert cause.words.endswith("left out")


def test_a_walked_even_cipher_is_named_with_its_points() -> None:
    report = lab.test(walked, cards="7-9,14-17,31,32,52,60,64", seed=1, only=QUICK, takes="n")
    (cause,) = report.causes
    assert cause.certain
    assert cause.words == "an even-only cipher of 2^k points, 16 or more, walked down to the deck"
    assert "15 cards: 24" in cause.seen
    assert {14, 15, 16, 31, 32, 64} <= {row["cards"] for row in report.fields()["sizes"] if row["verdict"] == "fail"}


@pytest.mark.parametrize("shuffle", [fair, wrong_at_64])
def test_no_cipher_is_named_where_the_parity_is_fair(shuffle: Callable[..., Any]) -> None:
    report = lab.test(shuffle, cards="16,64", seed=3, only=QUICK)
    assert not any("cipher" in cause.words for cause in report.causes)


def test_a_part_that_dies_is_a_fault_at_its_size_and_the_others_go_on() -> None:
    report = lab.test(dies_at_8, cards="7-9", seed=1, only=QUICK)
    assert report.headline.startswith("dies_at_8 is not fair at 8 cards; at the 2 other sizes no fault was seen.")
    assert [row["decks"] for row in report.fields()["sizes"] if row["cards"] != 8] == [1_024, 1_024]


def test_two_processes_give_the_digits_of_one(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def shuffle(deck, rng):\n    rng.shuffle(deck)\n")
    one, two = (
        lab.test(f"{tmp_path}/mine.py:shuffle", cards="5,9", decks=1_024, seed=1, only=QUICK, workers=workers)
        for workers in (1, 2)
    )
    assert one.fields()["sizes"] == two.fields()["sizes"]
    assert one.fields()["tests"] == two.fields()["tests"]


def test_ctrl_c_reports_what_was_counted() -> None:
    def stop(several: Several) -> None:
        if several.decks > 200:
            raise KeyboardInterrupt

    report = lab.test(fair, cards="5,9,20", seed=1, only=QUICK, progress=stop, report_on_ctrl_c=True)
    assert report.verdict.outcome == "insufficient"
    assert report.cut_short
    assert 200 < sum(row["decks"] for row in report.fields()["sizes"]) < 600


def test_assert_fair_takes_sizes() -> None:
    assert lab.assert_fair(fair, cards="2-3,8", decks=1_000, seed=1).verdict.outcome == "pass"
    with pytest.raises(lab.Unfair, match="is not fair at 64 cards; at 63 cards no fault was seen, as far"):
        lab.assert_fair(wrong_at_64, cards=[63, 64], seed=1)


def mixed(path: Path, rng: Random, first: int = 0) -> str:
    lines = []
    for _ in range(1_300):
        cards = rng.choice([5, 9, 9, 5, 7])
        start = first if cards == 9 else 0
        lines.append(" ".join(map(str, [*range(start), *rng.sample(range(start, cards), cards - start)])))
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_the_decks_of_each_size_in_a_log_are_a_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = mixed(tmp_path / "log.txt", Random(1))
    assert main(["test", "--file", path, "--cards", "5,9", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["cards"] for row in told["sizes"]] == [5, 9]
    (note,) = [note for note in told["notes"] if "left out" in note]
    assert "7 cards" in note
    assert "9 cards" not in note
    path = mixed(tmp_path / "bad.txt", Random(1), first=1)
    assert main(["test", "--file", path, "--cards", "5,7,9"]) == 1
    shown = capsys.readouterr().out
    assert "is not fair at 9 cards; at the 2 other sizes no fault was seen. At 9 cards: the card at place 0" in shown
    assert "What follows is about the decks of 9 cards." in shown
    assert "left out" not in shown


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        (["fisher-yates", "--cards", "4,5", "--store", "run.db"], "name one number of cards, or leave the store out"),
        (["fisher-yates", "--cards", "4,5", "--certificate", "c.html"], "name one number of cards"),
        (["fisher-yates", "--cards", "4,5", "--go-on", "9"], "leave it out"),
        (["fisher-yates", "--cards", "4,5", "--standard", "gli19"], "leave the standard out"),
        (["--file", "-", "--cards", "4,5"], "save the decks in a file"),
        (["--file", "-", "--by", "player"], "what comes from a pipe can be saved in one"),
        (["fisher-yates", "--by", "player"], "name a file"),
        (["--file", "a=-", "--file", "b=-"], "give decks that can be read twice"),
        (["--file", "a=-"], "name two or more"),
        (["--file", "a=x", "--file", "all decks together=y"], "would be called all decks together in the report"),
        (["fisher-yates", "--deck", "a=x,y"], "name its column: by"),
        (["--file", "a", "--file", "b"], "it is there 2 times; name each: --file NAME=VALUE"),
        (["--file", "a=x", "--file", "a=y"], "name each: --file NAME=VALUE"),
        (["--exec", "false", "--cards", "4,5"], "at 4 cards: false gave no deck"),
    ],
)
def test_what_several_sizes_cannot_do_is_refused(
    words: list[str], remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["test", *words]) == 2
    assert remedy in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


# --- sizes, lists and schemes in one log

BURN = ["Bolt"] * 9 + ["Mountain"] * 7 + ["Guide"] * 4
ELVES = ["Elf"] * 11 + ["Forest"] * 6 + ["Hoof"] * 3
LISTS = {"burn": BURN, "elves": ELVES}


def written(path: Path, lines: Iterable[Sequence[object]]) -> str:
    path.write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
    return str(path)


def told(words: Sequence[str], capsys: pytest.CaptureFixture[str], code: int) -> Any:
    assert main(["test", *words, "--json", "--seed", "1"]) == code
    return json.loads(capsys.readouterr().out)


def test_the_cards_that_all_decks_have_are_in_a_uniform_order() -> None:
    sources = [(table_source(np.array(list(permutations(range(n))))), 1) for n in (3, 4)]
    with Together("two", sources, 3, ExitStack()) as source:
        (block,) = source.blocks([100])
    assert Counter(map(tuple, block.decks.tolist())) == dict.fromkeys(permutations(range(3)), 1 + 4)


def test_the_level_holds_over_strata_and_all_decks_together() -> None:
    """300 fair runs at .05; more than 29 alarms come with chance 1e-4."""
    runs, alpha, rng = 300, 0.05, np.random.default_rng(1)
    alarms = 0
    for _ in range(runs):
        decks = {f"{n} {k}": rng.permuted(np.tile(np.arange(n), (32, 1)), axis=1) for n, k in ((5, 1), (5, 2), (8, 1))}
        alarms += lab.test(decks, alpha=alpha, only=QUICK, lags=0).verdict.p_value <= alpha
    assert binom.sf(alarms - 1, runs, alpha) > 1e-4


def test_shares_add_up_and_a_tiny_stratum_takes_little() -> None:
    decks = {"a": np.array([[0, 1, 2]] * 990), "b": np.array([[0, 1, 2, 3]] * 10)}
    strata = [Stratum(name, rows, at, decks=len(rows)) for at, (name, rows) in enumerate(decks.items())]
    parts = at_strata(strata, {"cards": None, "seen": None, "deck": None}, alpha=1e-6)
    assert [part.share for part in parts] == pytest.approx([0.495, 0.005, 0.5])
    assert sum(part.inquiry.alpha for part in parts) == pytest.approx(1e-6)
    parts[-1].opened().close()


def test_each_stratum_is_completed_by_a_stream_of_its_own() -> None:
    hands = {name: [["?", 3]] * 8 for name in "ab"}
    strata = [Stratum(name, rows, at) for at, (name, rows) in enumerate(hands.items())]
    parts = at_strata(strata, {"cards": 20, "seen": "top:2", "deck": None}, seed=1)
    one, other, both = ([block.decks.tolist() for block in part.opened().blocks([16])] for part in parts)  # type: ignore[union-attr]
    assert one != other
    assert sorted(both[0]) == sorted(one[0] + other[0])


def test_sizes_in_a_log_are_judged_without_being_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = told(["--file", mixed(tmp_path / "log.txt", Random(1))], capsys, 0)
    assert {row["stratum"]: row["decks"] for row in report["sizes"]} == {"5 cards": 525, "9 cards": 506, "7 cards": 269}
    assert report["together"]["verdict"] == "pass"
    report = told(["--file", mixed(tmp_path / "bad.txt", Random(1), first=1)], capsys, 1)
    assert "is not fair in the decks of 9 cards; in the 2 other sorts no fault" in report["headline"]
    assert [row["verdict"] for row in report["sizes"]] == ["pass", "pass", "fail"]


def test_a_torn_line_is_told_and_a_card_twice_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random(3)
    lines = [rng.sample(range(cards), cards) for cards in [12, 20] * 300]
    games = [[game, place, card] for game, line in enumerate(lines) for place, card in enumerate(line)]
    path = written(tmp_path / "long.csv", [["game", "place", "card"], *games])
    assert [row["decks"] for row in told(["--file", path, "--only", "parity"], capsys, 2)["sizes"]] == [300, 300]
    assert main(["test", "--file", written(tmp_path / "torn.txt", [*lines, lines[1][:9], *lines])]) == 2
    assert ": line 601: deck 301 has 9 cards instead of" in capsys.readouterr().err
    lines[101][0] = lines[101][1]
    report = told(["--file", written(tmp_path / "twice.txt", lines)], capsys, 1)
    assert "line 102" in report["headline"]


def test_lists_that_alternate_are_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random(2)
    lines = [rng.sample(deck, len(deck)) for deck in [BURN, ELVES] * 300]
    lines[::2] = [sorted(line[:9]) + line[9:] for line in lines[::2]]
    path = written(tmp_path / "log.txt", lines)
    assert (
        "in the decks of list 1 (Bolt ...); in the decks of list 2 (Elf ...) no"
        in told(["--file", path], capsys, 1)["headline"]
    )
    named = [f"--deck={name}={','.join(deck)}" for name, deck in LISTS.items()]
    report = told(["--file", path, *named], capsys, 1)
    assert [(row["stratum"], row["verdict"]) for row in report["strata"]] == [("burn", "fail"), ("elves", "pass")]


@pytest.mark.parametrize("cards", ["LLLSSSSSSSSS", "abcdef"])
def test_hands_are_not_taken_for_lists(cards: str, tmp_path: Path) -> None:
    rng = Random(4)
    path = written(tmp_path / "hands.txt", [rng.sample(cards, 5) for _ in range(600)])
    assert by_list(path, Inquiry.of("sattolo").place_in_lines, {}) == []


@pytest.mark.parametrize("form", ["csv", "json", "list"])
def test_a_column_names_the_list(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng, lines = Random(5), [["game", "deck", *(f"c{at}" for at in range(5))]] * (form == "csv")
    for game in range(1_000):
        name = rng.choice([*LISTS])
        hand = rng.sample(LISTS[name], 5)
        hand = sorted(hand, reverse=True) if name == "elves" else hand
        keyed = {"deck": LISTS[name] if form == "list" else name, "hand": hand}
        lines.append([str(game), name, *hand] if form == "csv" else [json.dumps(keyed)])
    path = written(tmp_path / "log", lines)
    named = [f"--deck={name}={','.join(deck)}" for name, deck in LISTS.items()] * (form != "list")
    where = ["--path", "hand"] * (form == "list")
    report = told(["--file", path, "--by", "deck", "--seen", "top:5", *named, *where], capsys, 1)
    verdicts = {row["stratum"]: row["verdict"] for row in report["strata"]}
    assert sorted(verdicts.values()) == ["fail", "pass"]
    assert form == "list" or verdicts == {"burn": "pass", "elves": "fail"}
    assert main(["test", "--file", path, "--by", "colour", "--seen", "top:5", *where]) == 2


def test_schemes_are_told_apart_by_a_column_or_the_length_of_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = Random(6)
    sets = [sorted(rng.sample(range(1, 21), size)) for size in [3, 5] * 500]
    path = written(tmp_path / "sets.txt", sets)
    report = told(["--file", path, "--seen", "3/20,5/20"], capsys, 0)
    assert [row["stratum"] for row in report["strata"]] == ["3/20", "5/20"]
    assert any("nobody chose the lengths of lines" in note for note in report["notes"])
    assert main(["test", "--file", path, "--seen", "3/20,4/20"]) == 2
    assert "line 2 has 5 cards: name its scheme, too" in capsys.readouterr().err
    lines = [["set" if len(each) == 3 else "draw", *each] for each in sets]
    words = ["--file", written(tmp_path / "by.csv", lines), "--by", "1", "--seen", "set=3/20", "--seen", "draw=5/20"]
    assert {row["stratum"] for row in told(words, capsys, 0)["strata"]} == {"set", "draw"}
    for words_ in ("set:5,prefix", "set:5,top:5", "set:5,set"):
        with pytest.raises(FairdeckError, match=r"a line does not tell its scheme; name a column that does"):
            schemes_of(words_)


def test_a_fault_spread_over_eight_lists_is_found_in_all_decks_together() -> None:
    rng = np.random.default_rng(7)
    decks = {str(at): rng.permuted(np.tile(np.arange(12), (32, 1)), axis=1) for at in range(8)}
    for rows in decks.values():
        for row in rows[:9]:
            row[np.flatnonzero(row == 0)], row[0] = row[0], 0
    report = lab.test(decks, only=QUICK)
    assert {row["verdict"] for row in report.fields()["strata"]} == {"insufficient"}
    assert "no sort of its decks shows it alone: in all decks together, of each 12 cards" in report.headline
    assert report.verdict.outcome == "fail"
