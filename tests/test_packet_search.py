"""The search for the best packet scheme: its space, what may be left out, and the command; and faults shown."""

import json
import re
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice, pairwise, product
from math import comb, erf, sqrt
from random import Random

import pytest

from fairdeck.cli import main
from fairdeck.cli.packet_fault import fault_of
from fairdeck.dealing.pace import ASSUMED
from fairdeck.packets import find
from fairdeck.packets.dispersion import dispersions, distance, fault, step_matrix
from fairdeck.packets.notation import ALONE, read_flow
from fairdeck.packets.positions import seen_in_places, worst_card
from fairdeck.packets.search import NOTHING, Candidate, Space, Work, climbed, tried
from fairdeck.recommendations import packet_minutes
from tests.packet_sampler import law


@pytest.fixture
def run(capsys):
    def call(words):
        assert main(words.split()) == 0
        return capsys.readouterr().out

    return call


@pytest.fixture
def refused(capsys):
    """Return the one line with which the command refuses its input."""

    def call(words):
        code = main(words.split())
        shown = capsys.readouterr()
        assert (code, shown.out, len(shown.err.splitlines())) == (2, "", 1)
        return shown.err

    return call


@pytest.mark.parametrize(("packets", "slices", "ways", "different"), [(2, 2, 6, 5), (3, 2, 90, 20), (2, 3, 20, 20)])
def test_the_space_of_a_search_has_every_way_once(packets, slices, ways, different):
    space = Space(24 * packets, packets, slices)
    every = list(space.all())
    assert len(set(every)) == len(every) == space.ways == ways
    assert all(way.count(packet) == slices for way in every for packet in range(packets))
    assert len(space.representatives()) == different


@pytest.mark.parametrize(("cards", "packets"), [(24, 2), (24, 3), (36, 3)])
def test_ways_that_differ_by_names_spread_the_cards_equally(cards, packets):
    """Of all ways: each is as good as its representative, so that leaving the others out loses nothing."""
    space, work = Space(cards, packets), Work(3, 2)
    judged = dict(zip(space.all(), (each.seen for each in tried(space, space.all(), [work])), strict=True))
    for way in space.representatives():
        for other in space.renamed(way):
            assert judged[other] == pytest.approx(judged[way], abs=1e-12)
    kept = [each.seen for each in tried(space, space.representatives(), [work])]
    assert min(kept) == pytest.approx(min(judged.values()), abs=1e-12)


def test_unequal_packets_are_all_tried():
    """With 26 cards in three packets the names matter a little: leaving ways out would prove nothing."""
    space = Space(26, 3)
    ways = space.representatives()
    assert sorted(ways) == sorted(space.all())
    judged = dict(zip(ways, (each.seen for each in tried(space, ways, [Work(3, 2)])), strict=True))
    spread = [[judged[other] for other in space.renamed(way)] for way in judged]
    assert any(max(each) - min(each) > 1e-6 for each in spread)


def test_the_search_finds_the_crosswise_scheme_and_a_better_one_for_three(run):
    found = json.loads(run("packets --search --cards 104 --players 2 --json"))
    cross = next(each for each in found["known"] if each["scheme"] == "two-way-cross")
    assert found["proven"]
    assert found["tried"] == 5
    assert found["seen_in_places"] == pytest.approx(cross["seen_in_places"])
    assert read_flow(found["flow"]).cards == 104
    assert found["seen_in_places"] <= min(each["seen_in_places"] for each in found["known"]) + 1e-12


def test_the_search_tells_what_it_did_and_the_flow_can_be_followed(run, tmp_path):
    told = run("packets --search --cards 162 --players 3 --steps 3 --riffles 2")
    assert "90, 20 of them different but for the names of the packets" in told
    assert "the best of all these, by that estimate: all were tried" in told
    assert "three-players-full (3 steps of 2 riffles, " in told
    file = tmp_path / "my.flow"
    file.write_text(told, encoding="utf-8")
    followed = json.loads(run(f"packets {file} --json"))
    assert (followed["cards"], followed["players"], followed["riffles"], len(followed["steps"])) == (162, 3, 2, 3)


@pytest.mark.long
def test_minutes_buy_steps_and_riffles(run):
    found = json.loads(run("packets --search --cards 104 --players 2 --minutes 3 --json"))
    assert found["tried"] == 5
    assert found["steps"] >= 3
    assert found["minutes"] <= 3
    assert found["minutes"] == pytest.approx(packet_minutes(52, 1, found["steps"], found["riffles"], ASSUMED), abs=0.01)
    fewer = json.loads(run("packets --search --cards 104 --players 2 --minutes 1.5 --json"))
    assert fewer["seen_in_places"] > found["seen_in_places"]


def test_time_that_shows_nothing_is_not_spent(run):
    """After so many steps the places of the cards show rounding errors: these must not choose the scheme."""
    found, more = (
        json.loads(run(f"packets --search --cards 40 --players 2 --minutes {minutes} --json")) for minutes in (8, 16)
    )
    assert found["minutes"] < 8
    assert (more["flow"], more["minutes"]) == (found["flow"], found["minutes"])
    assert found["seen_in_places"] <= NOTHING


@pytest.mark.parametrize("way", Space(26, 3).representatives()[::9])
def test_the_places_never_show_more_after_more_steps(way):
    """So the first step after which they show nothing is the last that is needed; uneven packets too."""
    seen = seen_in_places(Space(26, 3).flow(way), 26, 12, 2)
    assert all(after <= before + 1e-12 for before, after in pairwise(seen))


# --- brute force: every interleaving of every riffle


def cut_and_riffled(size):
    """Return the mean of all ways to label places 0 or 1: those with 0 get the lower cards, in order."""
    moved = [[Fraction(0)] * size for _ in range(size)]
    for labels in product((0, 1), repeat=size):
        for card, place in enumerate(sorted(range(size), key=labels.__getitem__)):
            moved[card][place] += Fraction(1, 2**size)
    return moved


def riffled_halves(size):
    """Return the mean of all interleavings of two halves of a packet."""
    moved = [[Fraction(0)] * size for _ in range(size)]
    every = list(combinations(range(size), size // 2))
    for lower in every:
        places = [*lower, *(place for place in range(size) if place not in lower)]
        for card, place in enumerate(places):
            moved[card][place] += Fraction(1, len(every))
    return moved


def by_brute_force(way, steps):
    """Return where each of 16 cards may lie after steps of two riffles: two packets, halves of four cards.

    way[0] says where the upper half of the first packet goes, which is the top of the pack.
    """
    joint, again = riffled_halves(8), cut_and_riffled(8)
    both = [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*again, strict=True)] for row in joint
    ]
    step = [[Fraction(0)] * 16 for _ in range(16)]
    tops = {0: 12, 1: 8, 2: 4, 3: 0}  # the lowest place of each half, as numbered in a way
    for packet in (0, 1):
        held = [place for half in (0, 1, 2, 3) if way[half] == packet for place in range(tops[half], tops[half] + 4)]
        for card, place in enumerate(held):
            for to in range(8):
                step[place][8 * (1 - packet) + to] += both[card][to]
    now = [[Fraction(place == start) for place in range(16)] for start in range(16)]
    for _ in range(steps):
        now = [[sum(row[k] * step[k][o] for k in range(16)) for o in range(16)] for row in now]
    return now


def test_every_way_of_two_packets_is_judged_as_by_brute_force():
    """And so the best is the best: no two ways are told apart by anything but the cards' places."""
    space, judged = Space(16, 2), {}
    for way in space.all():
        rows = by_brute_force(way, 3)
        worst = max(sum(abs(share - Fraction(1, 16)) for share in row) / 2 for row in rows)
        flow = space.flow(way)
        assert worst_card(flow, 16, 3, 2)[-1] == pytest.approx(float(worst), abs=1e-9), way
        excess = sum((share - Fraction(1, 16)) ** 2 for row in rows for share in row)
        together = erf(sqrt(15 * excess / 8))
        judged[way] = 1.0 if fault(flow) else max(float(worst), together)
    found = min(tried(space, space.representatives(), [Work(3, 2)]), key=lambda each: each.rank)
    assert found.seen == pytest.approx(min(judged.values()), abs=1e-9)
    assert found.flow in [space.flow(way) for way in judged if judged[way] == pytest.approx(found.seen, abs=1e-9)]
    assert max(judged.values()) == 1.0 > found.seen


def test_stacked_slices_are_riffled_as_one_and_names_matter(run):
    """All ways are tried: the names decide which slice is stacked above which."""
    space = Space(104, 2, 2, stacked=True)
    assert not space.symmetric
    assert len(space.representatives()) == 6
    found = json.loads(run("packets --search --cards 104 --players 2 --stacked --steps 3 --json"))
    assert (found["stacked"], found["tried"], found["proven"]) == (True, 6, True)
    moves = read_flow(found["flow"]).steps[0]
    assert [(move.kind, len(move.upper), len(move.lower)) for move in moves] == [(ALONE, 2, 0)] * 2
    every = [seen_in_places(space.flow(way), 104, 3, 3)[-1] for way in space.all() if not fault(space.flow(way))]
    assert found["seen_in_places"] == pytest.approx(min(every), abs=1e-12)


def test_the_best_scheme_for_three_is_among_the_first():
    """Stacked thirds; the whole proof takes two minutes, but even ways come first."""
    space = Space(162, 3, 3, stacked=True)
    even = [way for way in space.representatives() if not space.uneven(way)]
    best = space.flow((2, 1, 0, 0, 1, 2, 2, 1, 0))
    assert best.steps in {space.flow(way).steps for way in even}
    assert seen_in_places(best, 162, 4, 3)[-1] == pytest.approx(0.0296, abs=5e-5)
    assert seen_in_places(find("three-players-full"), 162, 4, 3)[-1] == pytest.approx(0.0761, abs=5e-5)


# --- spaces too large to try


@pytest.mark.parametrize(("cards", "packets", "slices"), [(24, 2, 2), (24, 3, 2), (24, 2, 3)])
def test_a_climb_comes_to_every_way_once_and_finds_the_best(cards, packets, slices):
    space, works = Space(cards, packets, slices), [Work(2, 1)]
    every = {space.flow(way).steps: each.seen for way in space.all() for each in tried(space, [way], works)}
    climb = list(climbed(space, works, Random(3)))
    assert len(climb) == space.ways
    assert {each.flow.steps for each in climb} == set(every)
    assert min(each.seen for each in climb) == min(every.values())
    assert [each.flow for each in climbed(space, works, Random(3))] == [each.flow for each in climb]


def test_a_climb_begins_with_even_ways_and_goes_up():
    space = Space(64, 4, 4)
    assert not space.small
    first = list(islice(climbed(space, [Work(2, 1)], Random(1)), 40))
    assert {distance(step_matrix(first[0].flow, 0))} == {0}
    assert min(each.seen for each in first) < first[0].seen


def test_even_ways_come_first():
    space = Space(27 * 4, 3, 3)
    ways = space.representatives()
    assert len(set(ways)) == space.ways == len(ways)
    even = [not distance(step_matrix(space.flow(way), 0)) for way in ways]
    assert even == sorted(even, reverse=True)
    assert sum(even) == 6**3, "each packet sends a third to each"


def test_a_space_too_large_is_climbed_as_long_as_there_is_time(run):
    words = "packets --search --cards 64 --players 4 --slices 4 --steps 2 --riffles 1 --seconds 1 --seed ab"
    found = json.loads(run(f"{words} --json"))
    assert found["proven"] is False
    assert 0 < found["tried"] < found["ways"] == 63_063_000
    assert found["seed"] == "ab"
    told = run(words)
    words = told.replace("#", "").split()
    assert re.search(r"the best of \d+ of 63,063,000 tried, no proof: time was up; it climbed", " ".join(words))
    assert "proven" not in told


class Interrupted:
    """A candidate in whose comparison Ctrl-C comes."""

    @property
    def rank(self):
        raise KeyboardInterrupt


@pytest.mark.parametrize("last", [[], [Interrupted()]])
def test_what_was_not_compared_is_not_proven(last, monkeypatch, capsys):
    """Ctrl-C while the last way is judged, or compared: only the others were tried."""

    def interrupted(*asked):
        yield from [*list(tried(*asked))[:-1], *last]
        raise KeyboardInterrupt

    monkeypatch.setattr("fairdeck.cli.packet_search.tried", interrupted)
    assert main(["packets", "--search", "--cards", "40", "--players", "2", "--json"]) == 130
    found = json.loads(capsys.readouterr().out)
    assert (found["tried"], found["proven"]) == (4, False)


def test_rounding_errors_choose_nothing():
    quick = Candidate(find("two-way"), Work(5, 1, 0.1), seen=1e-7)
    slow = Candidate(find("two-way"), Work(6, 1, 0.1), seen=1e-14)
    assert quick.rank < slow.rank < replace(quick, seen=2e-6).rank


@pytest.mark.long
def test_whether_the_search_won_is_told(run):
    assert "as good as two-way-cross, the best known scheme" in run("packets --search --cards 104 --players 2")
    assert "worse than a known scheme: three-players-full" in run("packets --search --cards 162 --players 3 --steps 3")
    better = run("packets --search --cards 64 --players 2 --slices 4 --steps 3")
    assert "better than two-way-cross, the best known scheme" in better
    assert "but its order is further from random" not in better


def test_a_search_says_where_its_simulation_disagrees(run, monkeypatch):
    """The thirds for three people: better by the places, worse by the rising sequences."""

    pytest.importorskip("numba")
    bound = pytest.importorskip("fairdeck.lab.experiments.bounds").LowerBound

    def counted(args, flow, *asked):
        return {"rise": bound(0.2, 0.001, 0.2 if flow.name == "searched" else 0.1), "half": bound(0, 1, 0)}

    monkeypatch.setattr("fairdeck.cli.packet_search.simulated", counted)
    told = run("packets --search --cards 64 --players 2 --slices 4 --steps 3 --simulate 2000")
    assert "better than two-way-cross, the best known scheme; but its order is further from random" in told.replace(
        "\n#          ", ""
    )


def test_a_search_can_count_what_its_best_scheme_leaves(run):
    pytest.importorskip("numba")
    words = "packets --search --cards 104 --players 2 --steps 2 --simulate 20000 --seed 7"
    found = json.loads(run(f"{words} --json"))
    assert found["at_least"]["rise"] > 0.2
    assert {each["scheme"]: each["at_least"]["half"] > 0.5 for each in found["known"]}["two-way-premin"]
    assert " order  counts " in run(words)
    plain = json.loads(run("packets --search --cards 104 --players 2 --steps 2 --json"))
    assert plain["at_least"] is None


def test_ctrl_c_ends_a_search_with_the_best_so_far(tmp_path):
    """Thirds of three packets have 1,680 ways: about a minute and a half."""
    command = [sys.executable, "-m", "fairdeck", "packets", "--search", "--cards", "162", "--players", "3"]
    with subprocess.Popen(
        [*command, "--slices", "3"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as search:
        time.sleep(3)
        search.send_signal(signal.SIGINT)
        out, err = search.communicate(timeout=30)
    assert search.returncode == 130
    assert re.search(r"the best of [\d,]+ of 1,680 tried", out)
    assert "proven" not in out
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--search", "add --cards"),
        ("--search --cards 9", "9 cards are too few for 2 packets: use 16 or more"),
        ("--search --cards 7", "7 cards are too few for 2 packets: use 8 or more"),
        ("--search --cards 104 --seconds 0", "seconds: 0 is out of range"),
        ("--search --cards 104 --seed 1", "--seed '1' needs --simulate N"),
        ("two-way --seconds 5", "--seconds '5' works only with --search"),
        ("--search --cards 104 --players 3 --packets 2", "3 players for 2 packets"),
        ("--search --cards 104 --slices 5", "slices: 5 is out of range; write 2 to 4"),
        ("--search --cards 104 --minutes 0.1", "0.1 minutes are too few for 3 steps"),
        ("--search --cards 104 --minutes 5 --steps 3", "leave out --steps 3"),
        ("two-way --search --cards 104", "leave out 'two-way'"),
        ("--search --cards 104 --html x.html", "leave out --html"),
        ("two-way --minutes 5", "--minutes '5' works only with --search"),
        ("two-way --stacked", "--stacked works only with --search"),
        ("--slices 3", "--slices '3' works only with --search"),
    ],
)
def test_a_search_that_cannot_be_is_refused(refused, words, told):
    assert told in refused(f"packets {words}")


# --- a faulty scheme, shown


def test_a_fault_is_shown_with_its_numbers(run):
    told = run("packets four-halves --fault")
    assert "the cards of players A, C and of B, D only swap sides, and never meet" in told
    assert told.count("  1/2") == 6, "the distance from even, after each of six steps"
    assert "1 - 1/C(104, 52)" in told
    assert "--repair" in told
    assert {distance(each) for each in dispersions(find("four-halves"), 12)} == {Fraction(1, 2)}


def test_a_fault_of_your_own_flow_is_shown(run, tmp_path):
    file = tmp_path / "apart.flow"
    lines = "scheme apart\npack 20 packets 1 2\nstep {\n 1 = !1\n 2 = !2\n}\n"
    file.write_text(lines, encoding="utf-8")
    told = run(f"packets {file} --fault")
    assert "never spread over all packets" in told
    assert f"{1 - 1 / comb(20, 10):.6f}" in told
    found = json.loads(run(f"packets {file} --fault --json"))
    assert found["sides"] == [["1"], ["2"]]
    assert found["from_even"] == ["1/2"] * 6
    assert found["total_variation_at_least"] == pytest.approx(1 - 1 / comb(20, 10))


def test_a_repair_is_named_only_where_two_slices_can_be_swapped(run, tmp_path):
    file = tmp_path / "apart.flow"
    file.write_text("scheme x; pack 20 packets 2; step { 1 = !1; 2 = !2 }", encoding="utf-8")
    told = run(f"packets {file} --fault")
    assert "--repair" not in told
    assert "cut its packets in another way" in told


def test_the_command_that_repairs_is_quoted(run, capsys, tmp_path):
    file = tmp_path / "my halves.flow"
    file.write_text(run("packets four-halves --flow"), encoding="utf-8")
    assert main(["packets", str(file), "--fault"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert main(shlex.split(last.partition("fairdeck ")[2])) == 0


def test_packets_that_run_empty_are_told_with_a_true_bound(run, tmp_path):
    """Cards of packet 1 come to packet 2, so the sides do meet: the bound follows from the cards that are left."""
    file = tmp_path / "leak.flow"
    file.write_text("scheme leak; pack 12 packets 2; step { 1 = !1[0:1/2]; 2 = !(1[1/2:1] + 2) }", encoding="utf-8")
    flow = read_flow(file.read_text(encoding="utf-8"))
    found = fault_of(flow, 12)
    assert found.why == "cards go from packet 1 to 2, and none back"
    assert (found.draining, found.left) == (["1"], [6, 3, 2, 1, 1, 1, 1])
    for row, left in enumerate(found.left[1:]):
        # Of 12 cards, 6 began in packet 1; all that are left there are among these: counted over all ways.
        ways = list(combinations(range(12), left))
        fair = Fraction(sum(max(way) < 6 for way in ways), len(ways))
        assert found.at_least(row) == pytest.approx(float(1 - fair))
    told = run(f"packets {file} --fault")
    assert "knows it after any number of steps" not in told
    assert "0.500000" in told


@pytest.mark.parametrize(
    "text",
    [
        "scheme x; pack 6 packets 2; step { 1 = !1; 2 = !2 }",
        "scheme x; pack 6 packets 2; step { 1 = !2; 2 = !1 }",
        "scheme x; pack 6 packets 3; step { 1 = 1[0:1/2] ~ 2; 2 = 1[1/2:1]; 3 = !3 }",
        "scheme x; pack 6 packets 2; step { 1 = 1[0:1/2]; 2 = 1[1/2:1] ~ 2 }",
    ],
)
def test_what_a_fault_says_at_least_holds_in_the_exact_law(text):
    """The total variation of all orders of six cards is never below what is told of it."""
    flow = read_flow(text)
    found = fault_of(flow, 6)
    for row, step in enumerate(list(found.steps)[:3]):
        exact = law(flow, 6, step, 1)
        away = sum(max(chance - Fraction(1, 720), 0) for chance in exact.values())
        assert 0 < found.at_least(row) <= float(away) + 1e-12


def test_a_sound_scheme_has_no_fault_to_show(refused):
    assert "two-way has no fault" in refused("packets two-way --fault")
    assert "--fault needs a scheme" in refused("packets --fault")


@pytest.mark.parametrize(
    "option",
    ["--steps 3", "--riffles 2", "--players 4", "--simulate 1000", "--seed 1", "--follow", "--flow", "--repair"],
)
def test_a_fault_is_shown_without_options_that_would_be_ignored(refused, option):
    said = refused(f"packets four-halves --fault {option}")
    assert f"--fault only shows what is wrong with a scheme: leave out {option.split()[0]}" in said
