"""Several sizes at one level: those asked, the level, faults at some of them, parts that die, ciphers, mixed logs."""

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import count, permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from scipy.stats import binom

from fairdeck import lab
from fairdeck.cli import main
from fairdeck.errors import FairdeckError
from fairdeck.lab import testing
from fairdeck.lab.causes.even_ciphers import odd_when_walked
from fairdeck.lab.inquiry import Inquiry
from fairdeck.lab.several import Part, Several, at_sizes
from fairdeck.lab.sizes import TELLING, sizes_of
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


@pytest.mark.parametrize("points", range(2, 8))
def test_the_parity_of_walked_even_orders_is_that_of_the_formula(points: int) -> None:
    whole = [order for order in permutations(range(points)) if is_even(order)]
    for cards in range(2, points + 1):
        odd = sum(not is_even(walk(order, cards)) for order in whole)
        assert odd_when_walked(cards, points) == Fraction(odd, len(whole))


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
    assert main(["test", "--file", path]) == 2
    assert "--cards 5,7,9 judges each size" in capsys.readouterr().err
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
