"""What is asked of whom is one value, however it is asked."""

from pathlib import Path

import numpy as np
import pytest

from fairdeck import lab
from fairdeck.cli import main
from fairdeck.errors import FairdeckError
from fairdeck.lab.inquiry import MOST_DECKS, USUAL_DECKS, Inquiry
from fairdeck.lab.runs.store import Store
from fairdeck.lab.sources.simulated import Simulated


def shuffle(deck):
    """Leave the deck as it is."""


@pytest.mark.parametrize(
    ("what", "kind", "name"),
    [
        ("riffle*7", "known", "riffle*7"),
        ("random:shuffle", "function", "random:shuffle"),
        ("mine.py:shuffle", "function", "mine.py:shuffle"),
        (["node", "deal.js"], "program", "node deal.js"),
        (lab.Program("./deal"), "program", "./deal"),
        (__file__, "file", None),
        (Path("nowhere.csv"), "file", "nowhere.csv"),
        (Path("-"), "file", "standard input"),
        (shuffle, "called", "shuffle"),
        (np.zeros((2, 3), int), "given", "the ndarray"),
        ([[0, 1], [1, 0]], "given", "the list"),
    ],
)
def test_a_thing_is_of_one_kind_and_has_a_name(what, kind, name):
    asked = Inquiry.of(what, seed=1)
    assert (asked.kind, asked.name) == (kind, name or asked.name)
    makes_decks = kind not in ("file", "given")
    assert asked.endless == makes_decks
    assert (asked.cards, asked.decks) == ((52, USUAL_DECKS) if makes_decks else (0, MOST_DECKS))
    assert asked.seed == 1  # a file of whole decks drops it: see `Inquiry.of_source`
    assert asked.announced == makes_decks


def test_what_says_only_how_the_work_is_done_is_no_part_of_it():
    fields = set(Inquiry.__dataclass_fields__)
    assert not fields & {"workers", "map", "progress", "store", "go_on", "report_on_ctrl_c", "cause"}


def test_the_command_and_the_call_ask_the_same(tmp_path, capsys):
    words = "test random:shuffle --cards 6 --decks 300 --seed c0ffee --only descents,parity --start scrambled --lags 1"
    main([*words.split(), "--timeout", "5", "--in-parts", "--takes", "deck", "--store", str(tmp_path / "one.db")])
    asked = {"cards": 6, "decks": 300, "seed": "c0ffee", "only": ["parity", "descents"], "start": "scrambled"}
    asked |= {"lags": 1, "timeout": 5, "in_parts": True, "takes": "deck"}
    report = lab.test("random:shuffle", store=tmp_path / "two.db", **asked)
    runs = []
    for name in ("one.db", "two.db"):
        with Store(tmp_path / name) as store:
            runs.append(store.run(1))
    assert runs[0].registration.digest == runs[1].registration.digest
    assert report.inquiry == runs[0].inquiry == Inquiry.of("random:shuffle", **asked)


def test_a_standard_asks_for_its_decks_once_the_cards_are_known():
    asked = Inquiry.of(np.zeros((2, 52), int), standard="gli19", at_least=5)
    assert asked.at_least == 5
    known = asked.of_source(Simulated("naive", 52, 1, False))
    assert known.at_least == asked.standard.fewest(52) == known.trial().fewest


@pytest.mark.parametrize(
    ("what", "options", "told"),
    [
        ("naive", {"in_parts": True}, "in parts: only a program, or a function with a name"),
        ("a:b", {"in_parts": True, "start": "carried"}, "start carried: each deck needs the one before it"),
    ],
)
def test_what_does_not_go_together_is_told_before_anything_is_opened(what, options, told):
    with pytest.raises(FairdeckError, match=told):
        Inquiry.of(what, **options)
