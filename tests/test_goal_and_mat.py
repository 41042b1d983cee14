import pytest

from fairdeck import PRESETS, FairdeckError, Hands, Mat, Plan, Task, TopCards, WholeDeck, parse_goal
from fairdeck.dealing.goal import deck_size
from fairdeck.dealing.mat import is_shown


@pytest.mark.parametrize(
    ("text", "cards", "goal", "written"),
    [
        ("deck", 52, WholeDeck(), "deck"),
        ("top:20", 52, TopCards(20), "top:20"),
        ("top:1", 1, TopCards(1), "top:1"),
        ("hands:1", 1, Hands((1,)), "hands:1"),
        ("hands:1x1", 1, Hands((1,)), "hands:1"),
        ("hands:4x13", 52, Hands((13,) * 4), "hands:4x13"),
        ("hands:5,5,4", 14, Hands((5, 5, 4)), "hands:2x5,4"),
        ("hands:2x5,3", 13, Hands((5, 5, 3)), "hands:2x5,3"),
        ("hands:4x7+stock", 52, Hands((7,) * 4, stock=24), "hands:4x7+stock"),
        ("hands:7+stock", 8, Hands((7,), stock=1), "hands:7+stock"),
        ("hands:7+rest", 8, Hands((7,), rest=1), "hands:7+rest"),
    ],
)
def test_goals_are_read_and_written_as_short_as_can_be(text, cards, goal, written):
    assert parse_goal(text, cards) == parse_goal(written, cards) == goal
    assert str(goal) == written


@pytest.mark.parametrize(
    "text",
    [
        *("", "deck:1", "cards", "top", "top:", "top:0", "top:53", "top:-1", "hands", "hands:", "hands:4x", "hands:x4"),
        *("hands:4x14", "hands:4x7", "hands:4x13+stock", "hands:0x4", "hands:4x0", "hands:4x7+deck", "hands:1000000x1"),
        *("hands:9999999999x1", "hands:5,,4", "hands:1e1x2", "hands:4x7+stock+rest"),
    ],
)
def test_unknown_goals_and_goals_that_do_not_add_up_are_refused(text):
    with pytest.raises(FairdeckError) as refused:
        parse_goal(text, 52)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 160


@pytest.mark.parametrize(
    "text", ["0", "-1", "1e3", "12.7", "", " ", "text", "1000000000000", "1" * 5000, "٣", "+5", "1_000"]
)
def test_deck_sizes_are_whole_numbers_in_digits(text):
    with pytest.raises(FairdeckError, match="cards: "):
        deck_size(text)


def test_a_deck_has_one_card_to_a_million():
    assert (deck_size("1"), deck_size("1000000")) == (1, 1_000_000)
    with pytest.raises(FairdeckError, match="out of range"):
        deck_size("1000001")


@pytest.mark.parametrize(
    ("goal", "piles", "loose"),
    [
        (WholeDeck(), (), 0),
        (TopCards(1), (), 4),
        (TopCards(3), (), 2),
        (TopCards(5), (), 0),
        (Hands((1, 3), stock=1), (1, 3), 0),
        (Hands((1, 3), rest=1), (1, 3, 1), 0),
    ],
)
def test_a_goal_says_which_piles_are_finished_and_which_cards_are_loose(goal, piles, loose):
    goal.check(5)
    assert (goal.piles, goal.loose(5)) == (piles, loose)


@pytest.mark.parametrize(("text", "meant"), [("dek", "'deck'"), ("tops:20", "'top'"), ("hand:4x13", "'hands'")])
def test_a_goal_that_is_misspelt_is_told_what_was_meant(text, meant):
    with pytest.raises(FairdeckError, match=f"goal '{text}' is not known; did you mean {meant}\\?"):
        parse_goal(text, 52)


def test_goals_made_by_hand_must_fit_the_deck_too():
    for goal in (
        lambda: TopCards(0),
        lambda: TopCards(6),
        lambda: Hands((2, 2)),
        lambda: Hands((5,), stock=1),
        lambda: Hands(()),
        lambda: Hands((), stock=5),
        lambda: Hands((6, -1)),
        lambda: Hands((0, 5)),
        lambda: Hands((6,), stock=-1),
    ):
        with pytest.raises(FairdeckError):
            Task(5, Mat(5, 2), goal())


def test_labels_go_row_by_row():
    assert Mat(2, 3).labels == ("A1", "A2", "B1", "B2", "C1", "C2")
    assert Mat(10, 10).labels[-1] == "J10"
    assert Mat.parse("5×2") == Mat.parse("5X2") == Mat(5, 2)


@pytest.mark.parametrize(
    "text", ["0x5", "5x0", "200x200", "27x1", "5", "x", "5x", "5x2x1", "-5x2", "5.0x2", "axb", "", "9" * 99 + "x1"]
)
def test_mats_out_of_range_are_refused(text):
    with pytest.raises(FairdeckError, match="mat"):
        Mat.parse(text)


@pytest.mark.parametrize("labels", [("N",), ("N", "N"), ("N", ""), ("N", "a\tb"), ("N", " S")])
def test_labels_must_be_one_each_and_distinct(labels):
    with pytest.raises(FairdeckError, match="label"):
        Mat(2, 1, labels)


def test_a_mat_made_by_hand_has_1_to_26_columns_and_rows():
    for columns, rows in ((0, 1), (27, 1), (1, 0), (1, 27)):
        with pytest.raises(FairdeckError, match=f"^mat {columns}x{rows}: columns and rows must be 1 to 26, such as"):
            Mat(columns, rows)
    assert Mat(26, 1).labels[-1] == "A26"
    assert Mat(1, 26).labels[-1] == "Z1"
    assert Mat.parse("1x1").labels == ("A1",)


def test_a_text_without_a_cross_is_no_mat():
    with pytest.raises(FairdeckError, match=r"^mat '52' is not COLUMNSxROWS, such as 5x2$"):
        Mat.parse("52")


def test_labels_are_given_as_a_list_or_as_a_text_with_commas():
    assert Mat.parse("2x1", "north,south").labels == ("north", "south")
    assert Mat.parse("2x1", "north, south").labels == ("north", "south")
    assert Mat.parse("2x1", ["north ", "a,b"]).labels == ("north", "a,b")


@pytest.mark.parametrize("label", ["n", "n" * 20, "n\u0303" * 20, "A 1", "♠"])
def test_a_label_has_1_to_20_letters_whatever_marks_they_carry(label):
    assert Mat(1, 1, (label,)).labels == (label,)


@pytest.mark.parametrize("label", ["n" * 21, " n", "n ", "A  1", "\u2800", "\u3164", "\u0303", "a\u200b"])
def test_a_label_that_is_long_or_not_all_visible_is_refused(label):
    assert is_shown(label) is (label == "n" * 21)
    with pytest.raises(FairdeckError, match="label"):
        Mat(1, 1, (label,))


def test_no_text_at_all_is_not_shown():
    assert not is_shown("")


@pytest.mark.parametrize("twin", ["\u00f1", "n\u0303", "n\u0303\ufe0f"])
def test_labels_that_look_the_same_are_equal(twin):
    with pytest.raises(FairdeckError, match="is on two spaces"):
        Mat(2, 1, ("\u00f1", twin))


def test_grids_come_with_the_fewest_spaces_first_then_with_a_middle_then_wide():
    assert Mat(4, 3).grids() == [
        *((1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (4, 1), (2, 2)),
        *((3, 2), (2, 3), (4, 2), (3, 3), (4, 3)),
    ]
    assert [grid for grid in Mat(6, 6).grids() if grid[0] * grid[1] == 6] == [(3, 2), (6, 1), (2, 3), (1, 6)]


def test_presets_are_the_mats_people_have():
    assert [str(mat) for mat in PRESETS] == ["5x1", "7x1", "5x2", "7x2", "5x3", "7x3"]


def test_blocks_are_compact_and_prefer_a_middle_column():
    def labels(mat, spaces):
        return " ".join(mat.labels[space] for space in mat.block(spaces))

    assert labels(Mat(5, 2), 1) == "A1"
    assert labels(Mat(5, 2), 4) == "A1 A2 A3 A4"
    assert labels(Mat(5, 2), 5) == "A1 A2 A3 A4 A5"
    assert labels(Mat(5, 2), 6) == "A1 A2 A3 B1 B2 B3"
    assert labels(Mat(7, 3), 8) == "A1 A2 A3 B1 B2 B3 C1 C2"
    assert labels(Mat(7, 3), 15) == "A1 A2 A3 A4 A5 B1 B2 B3 B4 B5 C1 C2 C3 C4 C5"
    assert labels(Mat(4, 3), 4) == "A1 A2 A3 B1"
    assert labels(Mat(1, 4), 3) == "A1 B1 C1"
    assert labels(Mat(2, 4), 5) == "A1 A2 B1 B2 C1"
    assert labels(Mat(4, 2), 7) == "A1 A2 A3 A4 B1 B2 B3"
    for columns in range(1, 9):
        for rows in range(1, 5):
            mat = Mat(columns, rows)
            for spaces in range(1, mat.spaces + 1):
                block = mat.block(spaces)
                assert len(set(block)) == spaces
                assert list(block) == sorted(block)
                widths = [sum(space // columns == row for space in block) for row in range(rows)]
                used = [width for width in widths if width]
                assert widths[: len(used)] == used, "no row is skipped"
                assert len(set(used[:-1])) <= 1, "only the last row may be short"
                assert all(space % columns < max(widths) for space in block)


def test_a_plan_for_no_cards_is_refused():
    with pytest.raises(FairdeckError):
        Plan(0, Mat(1, 1), ())
