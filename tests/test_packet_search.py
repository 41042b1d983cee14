"""The search that found two of the packet schemes: its space, what may be left out, and what it found."""

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import erf, sqrt
from random import Random

import pytest
from bench.packet_search import Space, climbed, seen

from fairdeck.packets import find
from fairdeck.packets.dispersion import fault
from fairdeck.packets.positions import seen_in_places, worst_card


@pytest.mark.parametrize(("packets", "slices", "ways", "different"), [(2, 2, 6, 5), (3, 2, 90, 20), (2, 3, 20, 20)])
def test_the_space_of_a_search_has_every_way_once(packets, slices, ways, different):
    space = Space(24 * packets, packets, slices)
    every = list(space.all())
    assert len(set(every)) == len(every) == space.ways == ways
    assert all(way.count(packet) == slices for way in every for packet in range(packets))
    assert len(space.different()) == different


@pytest.mark.parametrize(("cards", "packets"), [(24, 2), (24, 3), (36, 3)])
def test_ways_that_differ_by_names_spread_the_cards_equally(cards, packets):
    """Of all ways: each is as good as its representative, so that leaving the others out loses nothing."""
    space = Space(cards, packets)
    judged = {way: seen_of(space, way, 3, 2) for way in space.all()}
    for way in space.different():
        for other in space.renamed(way):
            assert judged[other] == pytest.approx(judged[way], abs=1e-12)


def seen_of(space, way, steps, riffles):
    flow = space.flow(way)
    return 1.0 if fault(flow) else seen_in_places(flow, space.cards, steps, riffles)[-1]


def test_unequal_packets_are_all_tried():
    """With 26 cards in three packets the names matter a little: leaving ways out would prove nothing."""
    space = Space(26, 3)
    ways = space.different()
    assert sorted(ways) == sorted(space.all())
    judged = {way: seen_of(space, way, 3, 2) for way in ways}
    spread = [[judged[other] for other in space.renamed(way)] for way in judged]
    assert any(max(each) - min(each) > 1e-6 for each in spread)


@pytest.mark.parametrize("way", Space(26, 3).different()[::9])
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
    columns = list(zip(*again, strict=True))
    both = [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in joint]
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
    for way, expected in judged.items():
        assert seen_of(space, way, 3, 2) == pytest.approx(expected, abs=1e-9)
    assert max(judged.values()) == 1.0 > min(judged.values())


# --- what it found


@pytest.mark.parametrize(
    ("packets", "slices", "stacked", "best", "name"),
    [(2, 2, False, 0.0095, "two-way-cross"), (2, 4, False, 0.0059, "quarters"), (2, 4, True, 0.0043, None)],
)
def test_the_best_scheme_of_a_space_is_found_again(packets, slices, stacked, best, name):
    space = Space(104, packets, slices, stacked)
    judged = {way: seen(space.flow(way), 104) for way in space.different()}
    assert min(judged.values()) == pytest.approx(best, abs=5e-5)
    if name:
        assert min(judged.values()) == pytest.approx(seen(find(name), 104))


def test_the_best_scheme_for_three_packets_is_among_the_ways():
    """Stacked thirds; the whole proof takes two minutes."""
    space = Space(162, 3, 3, stacked=True)
    best = find("stacked-thirds")
    assert best.steps in {space.flow(way).steps for way in space.different()}
    assert seen(best, 162) == pytest.approx(0.0296, abs=5e-5)
    assert seen(find("three-players-full"), 162) == pytest.approx(0.0761, abs=5e-5)


def test_a_climb_finds_the_best_of_a_small_space():
    space = Space(24, 2, 3)
    tried = climbed(space, Random(3), 60)
    best = min(seen(space.flow(way), 24) for way in space.different())
    assert min(tried.values()) == pytest.approx(best)
