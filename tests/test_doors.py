"""What a command does, one call does: `fairdeck.deal`, `fairdeck.check`, `fairdeck.packets.scheme`."""

import json
import subprocess
import sys

import numpy as np
import pytest

import fairdeck
from fairdeck import FairdeckError, Hands, Mat, read_plan, replay
from fairdeck.cli import main

SEED = "c0ffee"


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        ("60", {}),
        ("60 --mat 3x2 --dealers 2", {"mat": Mat(3, 2), "dealers": 2}),
        ("52 --goal hands:4x13", {"goal": "hands:4x13"}),
        ("52 --goal hands:4x13", {"goal": Hands((13,) * 4)}),
        ("60 --mat 2x1 --labels left,right --passes 5", {"mat": "2x1", "labels": ["left", "right"], "passes": 5}),
        ("60 --mat 2x1 --labels left,right --passes 5", {"mat": Mat(2, 1, ("left", "right")), "passes": 5}),
        ("30 --classic --bottom never", {"classic": True, "bottom": "never"}),
    ],
)
def test_a_call_deals_what_the_command_deals(words, arguments, capsys, tmp_path):
    deal = fairdeck.deal(int(words.split()[0]), **arguments, seed=SEED)
    for shown, told in ((["--json", "--reveal"], deal.to_json(reveal=True)), ([], deal.instructions())):
        main(["deal", *words.split(), *shown, "--seed", SEED])
        assert capsys.readouterr().out == told + "\n"
    plan, arrangement = read_plan(deal.to_json(reveal=True))
    assert (plan, arrangement) == (deal.plan, deal.arrangement)
    assert "destinations" not in json.loads(deal.to_json())


def test_the_page_of_a_deal_is_the_one_that_the_command_writes(tmp_path, capsys):
    main(["deal", "52", "--seed", SEED, "--html", str(tmp_path / "deal.html"), "--voices", "none"])
    deal = fairdeck.deal(52, seed=bytes.fromhex(SEED))
    assert deal.html(voices=()) == deal.html(()) == (tmp_path / "deal.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", ["60 --mat 5x2", "52 --goal hands:4x13", "150 --dealers 3 --passes 2"])
def test_a_call_checks_what_the_command_checks(words, capsys):
    cards, *options = words.split()
    arguments = {name.removeprefix("--"): value for name, value in zip(options[::2], options[1::2], strict=True)}
    main(["check", *words.split(), "--json"])
    numbers = {name: int(value) if value.isdigit() else value for name, value in arguments.items()}
    told, found = json.loads(capsys.readouterr().out), fairdeck.check(int(cards), **numbers)
    assert (told["minutes"], told["spaces"], told["judgement"]) == (found.minutes, found.spaces, found.judgement)


def test_a_deal_shows_itself_in_one_line_and_in_a_notebook():
    deal = fairdeck.deal(60, mat="5x2", seed=SEED)
    assert repr(deal) == "Deal(60 cards on a 5x2 mat, goal deck: 2 passes)"
    assert deal._repr_html_() == f"<pre>{deal.instructions()}</pre>"
    assert "<b>" not in fairdeck.deal(9, "2x1", labels="<b>,&")._repr_html_()
    assert len(repr(fairdeck.check(60))) < 300


def test_without_a_seed_every_deal_is_another():
    deals = [fairdeck.deal(52) for _ in range(3)]
    assert len({deal.arrangement for deal in deals}) == 3
    assert all(replay(deal.plan, range(52)) == (deal.arrangement, ()) for deal in deals)


@pytest.mark.parametrize(
    "seed", [7, 7.0, True, "", b"", "seven", "c0ffee!", np.random.default_rng(1), np.random.RandomState(1), [1]]
)
def test_a_seed_that_could_be_mistaken_is_refused(seed):
    with pytest.raises(
        FairdeckError,
        match=r"^seed .* is not hexadecimal: use a text of digits .* such as c0ffee$|^seed must be a text",
    ):
        fairdeck.deal(52, seed=seed)


@pytest.mark.parametrize(
    ("cards", "arguments", "message"),
    [
        (0, {}, "cards: 0 is out of range; write 1 to 1000000"),
        (5.5, {}, "cards must be a whole number, a list of names or its file, not 5.5"),
        (True, {}, "cards must be a whole number, a list of names or its file, not True"),
        (60, {"mat": (5, 2)}, r"mat must be a Mat or a text, not \(5, 2\)"),
        (60, {"goal": "hands"}, "goal 'hands'"),
        (60, {"goal": None}, "goal must be .* or a text, not None"),
        (60, {"dealers": 9}, "dealers: 9 is out of range; write 1 to 8"),
        (60, {"bottom": "always"}, "bottom"),
        (600, {"passes": 1}, "passes: 1 for 600 cards need"),
    ],
)
@pytest.mark.parametrize("door", [fairdeck.deal, fairdeck.check])
def test_a_bad_argument_is_named_with_its_remedy(door, cards, arguments, message):
    with pytest.raises(FairdeckError, match=message):
        door(cards, **arguments)


def test_a_scheme_is_what_the_command_says(capsys):
    procedure = fairdeck.packets.scheme("two-way", 104, steps=3)
    main(["packets", "two-way", "--cards", "104", "--steps", "3", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["opening"], told["ending"]) == (procedure.opening(), procedure.ending())
    assert [[each["says"] for each in step["do"]] for step in told["steps"]] == [
        [each.says for each in step] for step in procedure.all_steps()
    ]
    assert fairdeck.packets.scheme(procedure.flow).steps == procedure.flow.rounds


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("two-wya",), r"no scheme and no file is called 'two-wya'; did you mean 'two-way.*'\?"),
        (("two-way", 5.5), "cards must be a whole number, a text or None, not 5.5"),
        (("two-way", 7), "too few for two-way"),
        (("four-halves",), "four-halves never disperses: .*or use another scheme"),
    ],
)
def test_a_scheme_that_does_not_suit_is_refused(arguments, message):
    with pytest.raises(FairdeckError, match=message):
        fairdeck.packets.scheme(*arguments)


def test_rooms_are_loaded_when_they_are_used():
    code = "import sys, fairdeck; light = 'fairdeck.packets' not in sys.modules; print(light, fairdeck.packets.scheme)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.startswith("True <function scheme")
    with pytest.raises(AttributeError, match="module 'fairdeck' has no attribute 'pakcets'"):
        fairdeck.pakcets  # noqa: B018
