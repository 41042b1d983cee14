"""The face-up key: whatever the deck, the printed table brings it into the wanted order, done forwards."""

import random
import re
from itertools import permutations

import pytest

from fairdeck import FairdeckError, Mat
from fairdeck.cards.names import FRENCH
from fairdeck.dealing.face_up import face_up_key, key_lines


def performed(lines, deck):
    """Do what the lines say with a deck that lies face down, top card first; return it likewise."""
    names, passes = {}, []
    for line in lines:
        for name, spaces in re.findall(r"(\S+): ((?:[A-Z]\d+ ?)+)", line):
            names[name] = spaces.split()
        if line.startswith("After pass"):
            passes.append({})
        elif passes and line.startswith("    "):
            passes[-1]["heights"] = {label: int(high) for label, high in re.findall(r"([A-Z]\d+) +(\d+)", line)}
        elif found := re.match(r"Gather: put (.*)\.", line):
            passes[-1]["moves"] = [move.split(" on ") for move in found[1].split(", then ")]
    held = list(deck)  # face up, bottom first: the deck is turned over
    for number, step in enumerate(passes):
        piles = {}
        for name in reversed(held):
            piles.setdefault(names[name][number], []).append(name)
        assert {label: len(pile) for label, pile in piles.items()} == step["heights"]
        for pile, onto in step.get("moves", []):
            piles[onto] += piles.pop(pile)
        (held,) = piles.values()
    return tuple(held)


@pytest.mark.parametrize("mat", [Mat(2, 1), Mat(3, 1), Mat(6, 1)])
def test_every_deck_comes_into_the_wanted_order(mat):
    wanted = ("c", "a", "f", "b", "e", "d")
    lines = list(key_lines(face_up_key(6, mat), wanted, sorted(wanted)))
    assert lines[-1] == "Done: turn the deck face down. c is on top, d at the bottom."
    for deck in permutations(wanted):
        assert performed(lines, deck) == wanted


def test_a_stack_is_restored_in_two_passes_on_eight_spaces(run, tmp_path):
    chance = random.Random(8)
    stack = chance.sample(FRENCH, 52)
    file = tmp_path / "stack.txt"
    file.write_text("\n".join(stack), encoding="utf-8")
    code, out, _ = run("deal", "--order", str(file), "--key", "--mat", "8x1")
    lines = out.split("\n")
    assert (code, lines[0]) == (0, "52 cards on a 8x1 mat: 2 passes on 8 spaces.")
    for _ in range(20):
        assert performed(lines, chance.sample(stack, 52)) == tuple(stack)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--key"], "--key needs the order wanted"),
        (["--key", "--order", "sorted"], "--key needs the order wanted"),
        (["--key", "--order", "FILE", "--follow"], "--follow does not go with --key"),
        (["--key", "--order", "FILE", "--start", "1-n"], "--start does not go with --key"),
        (["--key", "--order", "FILE", "--goal", "top:2"], "one dealer and the whole deck, 4 cards"),
        (["9", "--key", "--order", "FILE"], "one dealer and the whole deck, 4 cards"),
    ],
)
def test_a_key_is_refused_with_what_it_does_not_do(run, tmp_path, options, fault):
    file = tmp_path / "order.txt"
    file.write_text("3 1 4 2", encoding="utf-8")
    code, _, told = run("deal", *(str(file) if each == "FILE" else each for each in options))
    assert code == 2
    assert fault in told


def test_names_must_differ():
    with pytest.raises(FairdeckError, match="'x' is there twice"):
        list(key_lines(face_up_key(2, Mat(2, 1)), "xx", "xx"))
