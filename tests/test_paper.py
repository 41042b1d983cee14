"""Mats and sheets: measured and read back from what a PDF reader shows, not from what wrote it."""

import ctypes
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from datetime import date
from importlib import resources
from importlib.util import find_spec
from itertools import combinations, groupby, pairwise, permutations
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from pypdfium2 import raw
from reportlab.pdfbase.ttfonts import TTFont

from fairdeck.dealing.goal import parse_goal
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.planner import Task, draw
from fairdeck.dealing.share_code import longest_code, write_code
from fairdeck.errors import FairdeckError
from fairdeck.extras import installation
from fairdeck.paper.fitting import Section, fitted
from fairdeck.paper.lettering import CAPITAL, breadth, wrapped
from fairdeck.paper.marks import COLOURS, Rectangle, Stroke, Text
from fairdeck.paper.mat import GAP, MARGIN, STRIP, TAB, layout, pages_of
from fairdeck.paper.pdf import demand_printable, pdf
from fairdeck.paper.sheet import FIVE, LONG, Sheet, groups
from fairdeck.paper.sizes import CARDS, PAPERS, card_size, paper_size
from fairdeck.paper.svg import svg
from fairdeck.randomness import RandomIntegers, seeded_words
from fairdeck.words import LANGUAGES, Words, texts

A4 = PAPERS["A4"]
FINE = 12  # dots a millimetre, of a rendered page
LABEL = re.compile(r"([A-Z]\d+)(?: ×(\d+))?")
FONTS = {False: TTFont("PlainForTests", "Vera.ttf"), True: TTFont("BoldForTests", "VeraBd.ttf")}


def drawn(cards, mat="5x2", goal="deck", dealers=1, seed=b"paper", **more):
    task = Task(cards=cards, mat=Mat.parse(mat), goal=parse_goal(goal, cards), dealers=dealers, **more)
    return task, *draw(task, RandomIntegers(seeded_words(seed)))


def page_dots(made, number=0, fine=FINE):
    """Return a page as it is shown, a row of dots a line: how dark each is, 0 to 255."""
    page = pypdfium2.PdfDocument(made)[number]
    return 255 - np.asarray(page.render(scale=fine * 25.4 / 72).to_pil().convert("L")).astype(int)


def page_text(made, number=0):
    return pypdfium2.PdfDocument(made)[number].get_textpage().get_text_range()


def lines_at(dark, fine=FINE):
    """Return where a row of dots crosses lines, in millimetres: the middles of its dark runs."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], (dark > 60).astype(int), [0]])))
    return [(start + end) / 2 / fine for start, end in zip(edges[::2], edges[1::2], strict=True)]


# --- mats


@pytest.mark.cases(1)
@pytest.mark.parametrize("card", [*CARDS, "61x112"])
@pytest.mark.parametrize("sleeved", [False, True])
def test_spaces_measure_what_the_cards_do(card, sleeved):
    size, mat = card_size(card, sleeved=sleeved), Mat(3, 1)
    on = layout(mat, size, PAPERS["A3"])
    dots = page_dots(pdf(pages_of(mat, on), "mat"))
    left, top = (on.paper[0] - 3 * size[0] - 2 * GAP) / 2, (on.paper[1] - size[1] - STRIP) / 2 + STRIP
    assert dots.shape == pytest.approx((on.paper[1] * FINE, on.paper[0] * FINE), abs=2)
    # Across, below the label in the middle; and down, beside it, in the second space: the first has the scale bar.
    across = lines_at(dots[round((top + size[1] * 0.85) * FINE)][: round((left + 2 * size[0]) * FINE)])
    down = lines_at(dots[:, round((left + size[0] + GAP + 8) * FINE)][round((top - 1) * FINE) :])
    assert across[1] - across[0] == pytest.approx(size[0], abs=0.2)
    assert across[2] - across[1] == pytest.approx(GAP, abs=0.2)
    assert down[1] - down[0] == pytest.approx(size[1], abs=0.2)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("card", CARDS)
def test_every_space_lies_whole_on_one_sheet_and_sheets_glued_are_the_mat(paper, card):
    size = card_size(card)
    for columns, rows in [(1, 1), (2, 1), (5, 2), (3, 3), (7, 3), (1, 10), (10, 10), (26, 1)]:
        mat = Mat(columns, rows)
        on = layout(mat, size, paper_size(paper))
        made = pages_of(mat, on)
        assert len(made) == len(on)
        assert (sum(on.columns), sum(on.rows)) == (columns, rows)
        found = {}
        for number, page in enumerate(made):
            assert_on_the_sheet(page)
            row, column = divmod(number, len(on.columns))
            assert not found.keys() & spaces_of(page).keys()
            found |= spaces_of(page)
            # Where this sheet is cut off, the tab of the one before begins: half a gap from the spaces of either.
            if column:
                assert min(box.x for box in spaces_of(page).values()) - cut_of(page)[0] == pytest.approx(GAP / 2)
            if column < len(on.columns) - 1:
                right = max(box.x + box.width for box in spaces_of(page).values())
                assert tabs_of(page, upright=True)[0].x - right == pytest.approx(GAP / 2)
            if row < len(on.rows) - 1:
                low = max(box.y + box.height for box in spaces_of(page).values())
                assert tabs_of(page, upright=False)[0].y - low == pytest.approx(GAP / 2)
        assert sorted(found) == sorted(mat.labels)
        assert {(box.width, box.height) for box in found.values()} == {size}


def spaces_of(page):
    """Return the outline of each space by its label, which is written within it."""
    boxes = [mark for mark in page.marks if isinstance(mark, Rectangle) and mark.radius == 3]
    pale = [mark for mark in page.marks if isinstance(mark, Text) and mark.colour == "#d4d4d4"]
    return {words.text: box for words, box in zip(pale, boxes, strict=True)}


def tabs_of(page, upright):
    tabs = [mark for mark in page.marks if isinstance(mark, Rectangle) and mark.fill == "#eeeeee"]
    return [tab for tab in tabs if (tab.width if upright else tab.height) == TAB]


def cut_of(page):
    cuts = [mark.points for mark in page.marks if isinstance(mark, Stroke) and mark.dash]
    upright = next(points for points in cuts if points[0][0] == points[1][0])
    return upright[0]


def assert_on_the_sheet(page, margin=MARGIN - 0.001):
    for mark in page.marks:
        match mark:
            case Rectangle():
                assert margin <= mark.x <= mark.x + mark.width <= page.width - margin
                assert margin <= mark.y <= mark.y + mark.height <= page.height - margin
            case Stroke():
                assert all(margin <= x <= page.width - margin for x, _ in mark.points)
                assert all(margin <= y <= page.height - margin for _, y in mark.points)
            case Text():
                length = FONTS[mark.bold].stringWidth(mark.text, mark.size)
                left = mark.x - {"left": 0, "centre": length / 2, "right": length}[mark.align]
                assert 0 <= left <= left + length <= page.width
                assert 0 <= mark.y - mark.size <= mark.y <= page.height


def test_the_fewest_sheets_are_taken_however_they_lie():
    assert len(layout(Mat(4, 2), card_size("poker"), A4)) == 1
    assert len(layout(Mat(3, 2), card_size("poker"), A4)) == 1
    assert layout(Mat(4, 2), card_size("poker"), A4).paper == (297, 210)
    assert layout(Mat(2, 2), card_size("mini"), A4).paper == (210, 297)
    assert len(layout(Mat(5, 2), card_size("poker"), A4)) == 2
    assert len(layout(Mat(5, 2), card_size("poker"), PAPERS["A3"])) == 1


def test_the_rows_of_a_mat_are_on_the_paper_as_colour_letter_and_pattern():
    mat = Mat(2, 8)
    made = pages_of(mat, layout(mat, (40.0, 30.0), PAPERS["A3"]))[0]
    words = [mark for mark in made.marks if isinstance(mark, Text) and mark.text in mat.labels]
    assert sorted(each.text for each in words) == sorted(2 * mat.labels)
    assert {each.colour for each in words} == {"#000000", "#d4d4d4"}, "a label is in ink, and pale where a card lies"
    assert len({mark.line for mark in made.marks if isinstance(mark, Rectangle) and mark.width > 9}) == 6
    looks = [hatching(f"{row}1", made.marks) for row in "ABCDEFGH"]
    assert looks[0] == looks[7] == set()
    assert len(set(map(frozenset, looks))) == 7


def hatching(label, marks):
    """Return in which directions the strip beside a label is hatched."""
    strip = next(mark for mark in marks if isinstance(mark, Text) and mark.text == label)
    beside = lambda x, y: strip.x < x < strip.x + 39 and abs(y - strip.y) < 6  # noqa: E731
    found = set()
    for mark in marks:
        if isinstance(mark, Stroke) and beside(*mark.points[0]):
            (x, y), (to_x, to_y) = mark.points
            found.add((np.sign(round(to_x - x, 6)), np.sign(round(to_y - y, 6))))
        if isinstance(mark, Rectangle) and mark.radius == 0.5 and beside(mark.x, mark.y):
            found.add("dots")
    return found


def pieces_of(text):
    """Return a text in pieces: what is filled in stands between them."""
    return [piece for piece in re.split(r"\{\w+\}", text) if piece.strip()]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("card", ["poker", "mini", "20x20"])
def test_a_mat_speaks_every_language_and_its_words_stay_on_the_sheet(language, card):
    mat = Mat(15, 7)
    pages = pages_of(mat, layout(mat, card_size(card), A4), language=language)
    for page in pages:
        assert_on_the_sheet(page)
    told = [" ".join(mark.text for mark in page.marks if isinstance(mark, Text)) for page in pages]
    for key in ("measure", "sheetOf"):
        assert all(piece in text for text in told for piece in pieces_of(texts(language)[key]))
    assert [texts(language)["cutOff"] in text for text in told] == [False] + [True] * (len(pages) - 1)
    assert Words(language).say("glue", number=2) in told[0]
    for key in ("matDeal", "matCheck", "matGather", "matRandom"):
        assert [texts(language)[key] in text for text in told] == [False] * (len(pages) - 1) + [True]


def test_the_same_marks_are_in_svg():
    mat = Mat(3, 2)
    on = layout(mat, card_size("bridge"), A4)
    root = ET.fromstring(svg(pages_of(mat, on)[0], "Mat <3x2>"))
    space = {"s": "http://www.w3.org/2000/svg"}
    assert (root.get("width"), root.get("height")) == (f"{on.paper[0]:g}mm", f"{on.paper[1]:g}mm")
    assert root.find("s:title", space).text == "Mat <3x2>"
    boxes = [box for box in root.iter("{http://www.w3.org/2000/svg}rect") if box.get("rx") == "3"]
    assert {(box.get("width"), box.get("height")) for box in boxes} == {("57.15", "88.9")}
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [texts.count(label) for label in mat.labels] == [2] * 6


@pytest.mark.parametrize("bold", [False, True])
def test_the_widths_of_letters_are_the_fonts(bold):
    font = FONTS[bold]
    for code in font.face.charToGlyph:
        if ord(" ") <= code < 0xFFFF:
            assert font.stringWidth(chr(code), 1) <= breadth(chr(code), 1, bold=bold)
    for letter in map(chr, range(ord(" "), 127)):
        assert breadth(letter, 1, bold=bold) == pytest.approx(font.stringWidth(letter, 1), abs=0.001)
    for line in wrapped("Lay five cards, one by one, onto the spaces shown.", 30, 3.4, bold=bold):
        assert breadth(line, 3.4, bold=bold) <= 30


@pytest.mark.parametrize("card", [*CARDS, "30x40", "20x20", "20x200"])
@pytest.mark.parametrize("columns", [1, 7])
def test_every_sheet_of_a_mat_has_a_bar_of_50_mm_and_one_of_2_inches(card, columns):
    mat = Mat(columns, 3)
    for page in pages_of(mat, layout(mat, card_size(card), A4)):
        assert_on_the_sheet(page)
        lengths = {
            round(max(abs(x - to_x), abs(y - to_y)), 3)
            for (x, y), (to_x, to_y) in (mark.points for mark in page.marks if isinstance(mark, Stroke))
        }
        assert {50, 50.8} <= lengths


@pytest.mark.cases(1)
@pytest.mark.parametrize("card", ["poker", "mini"])
def test_the_bars_are_as_long_on_paper_as_they_say(card):
    size, mat = card_size(card), Mat(2, 1)
    on = layout(mat, size, A4)
    dots = page_dots(pdf(pages_of(mat, on), "mat"))
    left, top = (on.paper[0] - 2 * size[0] - GAP) / 2, (on.paper[1] - size[1] - STRIP) / 2 + STRIP
    if card == "mini":  # the bars stand upright in a narrow space
        dots, left, top = dots.T, top, left
    for aside, length in ((-1.2, 50), (1.2, 50.8)):
        ticks = lines_at(dots[round((top + (4.5 if card == "mini" else 10) + aside) * FINE)])
        ticks = [tick for tick in ticks if left + 2 < tick < left + 56]
        assert ticks[-1] - ticks[0] == pytest.approx(length, abs=0.1)
        assert len(ticks) == (6 if length == 50 else 5)


def lightness(colour):
    """Return how light a colour is, 0 to 100: L* of CIE 1976."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    shares = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in (red, green, blue)]
    luminance = float(np.dot(shares, (0.2126, 0.7152, 0.0722)))
    return 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance


def test_rows_differ_in_grey_as_well():
    greys = [lightness(colour) for colour in COLOURS]
    assert all(abs(a - b) > 7 for a, b in combinations(greys, 2))
    assert all(abs(a - b) > 15 for a, b in pairwise([*greys, greys[0]]))
    assert max(greys) < 50  # on white paper: a contrast of 4.5


def test_the_page_about_them_tells_how_many_sheets_it_takes():
    page = (Path(__file__).parents[1] / "docs" / "how-to" / "table.md").read_text(encoding="utf-8")
    rows = re.findall(r"\| (\d+x\d+) \| (\w+)(, sleeved)? \| (\d+) \| (\d+) \| (\d+) \|", page)
    assert len(rows) == 5
    for mat, card, sleeved, *told in rows:
        size = card_size(card, sleeved=bool(sleeved))
        found = [len(layout(Mat.parse(mat), size, PAPERS[paper])) for paper in ("A4", "A3", "Letter")]
        assert found == list(map(int, told))


# --- sheets


def labels_dealt(text, passes):
    """Return the labels that a sheet tells to deal to, pass by pass."""
    found = []
    for number in range(1, passes + 1):
        part = text.split(f"Pass {number} of {passes}", 1)[1]
        told = LABEL.findall(part.split("Check how high")[0])
        found.append([label for label, times in told for _ in range(int(times or 1))])
    return found


def whole_text(made):
    document = pypdfium2.PdfDocument(made)
    return "\n".join(page_text(made, number) for number in range(len(document)))


@pytest.mark.cases(3)
@pytest.mark.parametrize(
    ("cards", "mat", "goal"),
    [
        (1, "1x1", "deck"),
        (2, "1x1", "deck"),
        (2, "2x1", "deck"),
        (52, "5x2", "deck"),
        (104, "5x2", "deck"),
        (104, "5x2", "top:20"),
        (52, "5x1", "hands:4x13"),
        (104, "5x2", "hands:4x13+stock"),
        (450, "7x3", "deck"),
        (450, "26x10", "deck"),
        (450, "3x1", "deck"),
        (900, "26x1", "deck"),
        (60, "5x2", "top:20"),
        (120, "4x1", "hands:2x10+rest"),
    ],
)
def test_labels_read_from_a_sheet_are_the_plan_in_order(cards, mat, goal):
    _, plan, _ = drawn(cards, mat, goal)
    pages = Sheet(plan, 0, A4).pages()
    for page in pages:
        assert_on_the_sheet(page)
    text = whole_text(pdf(pages, "sheet"))
    told = [[plan.mat.labels[space] for space in step.deal] for step in plan.passes]
    assert labels_dealt(text, len(plan.passes)) == told
    for step in plan.passes:
        if len(step.stack) > 40:
            assert "the first pile on the second, both on the third" in text
            continue
        for pile, onto in step.moves():
            assert f"{plan.mat.labels[pile]} on {plan.mat.labels[onto]}" in " ".join(text.split())


@pytest.mark.long
@pytest.mark.parametrize("cards", [60, 78, 104, 150])
def test_two_passes_of_a_big_deck_fit_on_one_page(cards):
    for seed in range(20):
        _, plan, _ = drawn(cards, "7x2", seed=bytes([seed]), least_passes=2)
        assert len(Sheet(plan, 0, A4).pages()) == 1
        assert len(Sheet(plan, 0, PAPERS["Letter"]).pages()) == 1


def test_heights_and_boxes_to_tick_are_all_there():
    _, plan, _ = drawn(104)
    (page,) = Sheet(plan, 0, A4).pages()
    ticks = [mark for mark in page.marks if isinstance(mark, Rectangle) and mark.width == mark.height and not mark.fill]
    assert len(ticks) == len(plan.passes) * 21  # a hundred and four in fives
    text = page_text(pdf([page], "sheet"))
    for number, step in enumerate(plan.passes, 1):
        part = text.split(f"Pass {number} of")[1].split("If a pile does not match")[0].split("Check how high")[1]
        numbers = [int(found) for found in re.findall(r"(?<![A-Z\d])\d+", part)]
        heights = [count for count in step.counts(plan.mat.spaces) if count]
        assert sorted(numbers) == sorted([*heights, *range(1, len(step.stack) + 1)])


def test_several_dealers_have_a_sheet_each_of_their_own_part():
    _, plan, _ = drawn(104, dealers=3)
    pages = [Sheet(plan, dealer, A4).pages() for dealer in range(3)]
    texts = [whole_text(pdf(each, "sheet")) for each in pages]
    dealt = [labels_dealt(text, len(plan.passes)) for text in texts]
    for number, step in enumerate(plan.passes):
        joined = [label for each in dealt for label in each[number]]
        assert joined == [plan.mat.labels[space] for space in step.deal]
        assert [len(each[number]) for each in dealt] == list(step.packets)
    assert [text.count("Gather in this order") for text in texts] == [len(plan.passes), 0, 0]
    assert [text.count("Joined, they are") for text in texts] == [len(plan.passes), 0, 0]
    for number, step in enumerate(plan.passes, 1):
        joined = texts[0].split(f"Pass {number} of")[1].split("Joined")[1].split("Gather")[0]
        heights = [count for count in step.counts(plan.mat.spaces) if count]
        assert sorted(map(int, re.findall(r"(?<![A-Z\d])\d+", joined))) == sorted(heights)
    assert all(f"dealer {dealer + 1} of 3" in text for dealer, text in enumerate(texts))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 15)), max_size=12))
def test_groups_are_the_cards_in_order_and_long_runs_are_written_once(runs):
    share = [space for space, times in runs for _ in range(times)]
    found = groups(share)
    assert [space for group in found for space in group.spaces * max(group.times, 1)] == share
    at = 1
    for group in found:
        assert group.first == at
        at += group.times or len(group.spaces)
        assert len(group.spaces) == 1 if group.times >= LONG else 1 <= len(group.spaces) <= FIVE
    longest = max((len(list(same)) for _, same in groupby(share)), default=0)
    assert max((group.times for group in found), default=0) == (longest if longest >= LONG else 0)


def test_a_long_run_is_written_once_and_explained():
    task = Task(60, Mat(1, 1), parse_goal("hands:1x60", 60))
    plan, _ = draw(task, RandomIntegers(seeded_words(b"run")))
    (page,) = Sheet(plan, 0, A4).pages()
    assert [mark.text for mark in page.marks if isinstance(mark, Text)].count("A1 ×60") == 1
    assert "A1 ×60 means 60 cards in a row onto A1." in " ".join(page_text(pdf([page], "sheet")).split())


def test_the_type_is_the_largest_that_fits():
    # One head of 10 mm and two sections of 50 mm at scale 1, on 297 - 2 x 12 mm.
    def made(scale):
        return [Section(50 * scale, (Text(0, 0, "", scale),))] * 2

    def head(scale, number, pages):
        return Section(10 * scale, ())

    (page,) = fitted(made, head, A4)
    assert page.marks[0].size == pytest.approx(273 / 110, rel=0.005)
    assert page.marks[0].size <= 273 / 110
    assert len(fitted(lambda scale: made(scale) * 4, head, A4)) == 1
    # The smallest type needs two pages; so it is the largest with which five sections fit on each.
    pages = fitted(lambda scale: made(scale) * 5, head, A4)
    assert [len(page.marks) for page in pages] == [5, 5]
    assert pages[0].marks[0].size == pytest.approx(273 / 260, rel=0.005)


@pytest.mark.cases(3)
@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize(
    ("cards", "mat", "goal", "dealers", "capital"),
    [
        (52, "5x2", "deck", 1, 4.2),
        (52, "5x2", "hands:4x13", 1, 6.2),
        (60, "5x2", "deck", 1, 4.2),
        (60, "5x2", "top:20", 1, 5.5),
        (104, "5x2", "deck", 1, 3.7),
        (104, "5x2", "deck", 2, 3.5),
        (104, "5x2", "deck", 3, 3.8),
        (162, "7x2", "deck", 1, 3.0),
        (162, "7x2", "deck", 4, 3.6),
        (312, "7x3", "deck", 1, 2.4),
    ],
)
def test_a_sheet_fills_its_page(paper, cards, mat, goal, dealers, capital):
    _, plan, _ = drawn(cards, mat, goal, dealers)
    for dealer in range(dealers):
        (page,) = Sheet(plan, dealer, PAPERS[paper]).pages()
        assert_on_the_sheet(page)
        dark = page_dots(pdf([page], "sheet"), fine=4).max(axis=1) > 60
        last = np.flatnonzero(dark)[-1] / 4
        assert last > PAPERS[paper][1] - 12 - 0.06 * PAPERS[paper][1]
        sizes = [mark.size for mark in page.marks if isinstance(mark, Text) and mark.text in plan.mat.labels]
        assert CAPITAL * max(sizes) > capital  # millimetres


@pytest.mark.long
def test_the_page_about_them_tells_how_large_the_type_is():
    page = (Path(__file__).parents[1] / "docs" / "how-to" / "table.md").read_text(encoding="utf-8")
    rows = re.findall(r"\| (\d+) \| (\d+x\d+) \| ([\w:]+) \| (\d) \| ([\d.]+) mm \|", page)
    assert len(rows) == 7
    for cards, mat, goal, dealers, told in rows:
        _, plan, _ = drawn(int(cards), mat, goal, int(dealers))
        (page,) = Sheet(plan, 0, A4).pages()
        sizes = [mark.size for mark in page.marks if isinstance(mark, Text) and mark.text in plan.mat.labels]
        assert CAPITAL * max(sizes) == pytest.approx(float(told), abs=0.25)


@pytest.mark.parametrize(
    ("cards", "goal", "told"),
    [
        (52, "deck", "The whole deck in random order"),
        (52, "top:1", "Only the top card, at random"),
        (52, "top:20", "Only the top 20 cards in random order"),
        (52, "top:52", "The whole deck in random order"),
        (52, "hands:4x13", "4 hands of 13 cards"),
        (8, "hands:1,7", "1 hand of 1 card and 1 hand of 7 cards"),
        (52, "hands:5,5,4+stock", "2 hands of 5 cards and 1 hand of 4 cards, and a stock of 38 cards"),
        (52, "hands:3x2,4,5+rest", "3 hands of 2 cards, 1 hand of 4 cards and 1 hand of 5 cards; 37 cards left over"),
    ],
)
def test_the_title_says_the_goal_in_words(cards, goal, told):
    _, plan, _ = drawn(cards, "7x2", goal)
    text = " ".join(page_text(pdf(Sheet(plan, 0, A4).pages(), "sheet")).split())
    assert text.startswith(f"{told} {cards} cards on a 7x2 mat · page 1 of 1 ")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Shuffle 2 of 5 · 104 cards on a 5x2 mat · dealer 2 of 3 · 2026-03-09 · page 1 of 1"),
        ("de", "Mischung 2 von 5 · 104 Karten auf einer Matte 5x2 · Geber 2 von 3 · 9.3.2026 · Seite 1 von 1"),
        ("es", "Mezcla 2 de 5 · 104 cartas en un tapete de 5x2 · repartidor 2 de 3 · 9/3/2026 · página 1 de 1"),
        ("fr", "Mélange 2 sur 5 · 104 cartes sur un tapis de 5x2 · donneur 2 sur 3 · 09/03/2026 · page 1 sur 1"),
    ],
)
def test_a_sheet_says_which_it_is_in_every_language(language, told):
    _, plan, _ = drawn(104, dealers=3)
    pages = Sheet(plan, 1, A4, language=language, shuffle=(2, 5), day=date(2026, 3, 9)).pages()
    for page in pages:
        assert_on_the_sheet(page)
    assert told in page_text(pdf(pages, "sheet"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_sentences_with_the_same_fields(language):
    english, other = texts("en"), texts(language)
    assert list(other) == list(english)
    for key, text in english.items():
        assert other[key].count("|") == text.count("|"), key
        for one, another in zip(text.split("|"), other[key].split("|"), strict=True):
            names = re.compile(r"\{(\w+)")
            if names.findall(one) and "n" in names.findall(text):
                assert set(names.findall(another)) == set(names.findall(one)), key
            assert set(names.findall(another)) - {"n"} == set(names.findall(one)) - {"n"}, key
    folder = resources.files("fairdeck.words") / "texts"
    assert sorted(file.name for file in folder.iterdir()) == sorted(f"{each}.json" for each in LANGUAGES)
    demand_printable(other.values())  # the font of a PDF has all letters


@pytest.mark.cases(3)
@pytest.mark.parametrize("dots", [21, 57, 89, 133])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("cards", [9, 104, 450])
def test_no_text_lies_on_a_code_or_on_its_quiet_zone(dots, language, cards):
    _, plan, _ = drawn(cards, "7x3", dealers=2)
    page = Sheet(plan, 0, A4, language=language, day=date(2026, 12, 24), dots=[[True] * dots] * dots).pages()[0]
    code = [mark for mark in page.marks if isinstance(mark, Rectangle) and mark.fill == "#000000"]
    dot = code[0].height
    assert len(code) == dots
    assert dot >= 0.35
    left, top = code[0].x - 4 * dot, code[0].y - 4 * dot
    right, low = code[-1].x + code[-1].width + 4 * dot, code[-1].y + 5 * dot
    for mark in (mark for mark in page.marks if isinstance(mark, Text)):
        length = FONTS[mark.bold].stringWidth(mark.text, mark.size)
        start = mark.x - {"left": 0, "centre": length / 2, "right": length}[mark.align]
        beside = start + length <= left + 0.01 or start >= right - 0.01
        assert beside or mark.y <= top or mark.y - mark.size * CAPITAL >= low - 1.01  # the caption is higher


def test_all_fonts_are_embedded():
    _, plan, _ = drawn(52)
    mat = Mat(2, 1, ("Šárka", "Œuvre"))
    for pages in (Sheet(plan, 0, A4).pages(), pages_of(mat, layout(mat, card_size("poker"), A4))):
        made, fonts = pdf(pages, "on paper"), {}
        for each in pypdfium2.PdfDocument(made)[0].get_objects([raw.FPDF_PAGEOBJ_TEXT]):
            font = raw.FPDFTextObj_GetFont(each.raw)
            name = ctypes.create_string_buffer(99)
            raw.FPDFFont_GetBaseFontName(font, name, 99)
            fonts[name.value] = raw.FPDFFont_GetIsEmbedded(font)
        assert len(fonts) >= 1
        assert set(fonts.values()) == {1}
        assert b"Helvetica" not in made
    assert "Šárka" in page_text(made)


# --- the commands


PAGE = "http://192.168.1.7:8000/"


@pytest.fixture
def fixed_day(monkeypatch):
    """A day on which sheets are printed; `today` is not."""
    monkeypatch.setattr("fairdeck.cli.sheets.today", lambda: date(2026, 3, 9))


def test_a_sheet_has_the_day_on_which_it_is_printed(tmp_path, monkeypatch, run):
    for day in (date(2026, 3, 9), date(2027, 1, 1)):
        monkeypatch.setattr("fairdeck.cli.sheets.today", lambda day=day: day)
        run("deal", 9, "--pdf", tmp_path / "deal.pdf")
        assert f"· {day} ·" in page_text((tmp_path / "deal.pdf").read_bytes())


def test_sheets_speak_the_language_asked_for(tmp_path, run):
    file = tmp_path / "deal.pdf"
    assert run("deal", 9, "--pdf", file, "--language", "DE")[0] == 0
    assert "Das ganze Deck" in page_text(file.read_bytes())


@pytest.mark.long
@pytest.mark.parametrize(("cards", "level"), [(52, "M"), (450, "L")])
def test_a_code_is_safer_where_there_is_room(cards, level, tmp_path, run):
    file = tmp_path / "deal.pdf"
    assert run("deal", cards, "--mat", "7x3", "--pdf", file, "--qr", PAGE)[0] == 0
    (found,) = zxingcpp.read_barcodes((255 - page_dots(file.read_bytes(), fine=8)).astype(np.uint8))
    assert found.ec_level == level


def test_a_deal_is_printed_and_the_code_on_it_continues_it(fixed_day, tmp_path, run):
    file = tmp_path / "deal.pdf"
    words = ("deal", 104, "--dealers", 2, "--seed", "abba", "--pdf", file, "--qr", PAGE)
    code, out, err = run(*words)
    assert (code, out) == (0, "")
    assert "destroy" in err
    made = file.read_bytes()
    task, plan, arrangement = drawn(104, dealers=2, seed=bytes.fromhex("abba"))
    for dealer in range(2):
        dots = (255 - page_dots(made, dealer, fine=8)).astype(np.uint8)
        (found,) = zxingcpp.read_barcodes(dots)
        assert found.text == f"{PAGE}#{write_code(task, arrangement, dealer)}"
        assert "Anyone who scans it" in " ".join(page_text(made, dealer).split())
    assert labels_dealt(page_text(made), len(plan.passes))[0] == [
        plan.mat.labels[space] for space in plan.passes[0].deal[: plan.passes[0].packets[0]]
    ]
    again = tmp_path / "again.pdf"
    run(*words[:7], again, "--qr", PAGE)
    assert again.read_bytes() == made


@pytest.mark.parametrize(
    "address", ["", "#", "#there", "http://", "https:///deal", "http://[::1", "http://a:b/", "deal.html"]
)
def test_no_code_is_printed_that_a_phone_would_search_the_web_for(address, tmp_path, refused):
    words = ("deal", 60, "--pdf", tmp_path / "deal.pdf", "--qr", *[address] * (address != ""))
    assert "--qr http://192.168.1.7:8000/" in refused(*words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:8000", "0.0.0.0:8000", "LocalHost:80"])
def test_no_code_is_printed_for_a_page_that_phones_cannot_open(host, tmp_path, refused):
    assert "serve --host 0.0.0.0" in refused("deal", 60, "--pdf", tmp_path / "deal.pdf", "--qr", f"http://{host}/")


@pytest.mark.cases(1)
@pytest.mark.parametrize("page", ["https://example.org/deal.html", "http://[fe80::7]:8000", "http://pc.local/?a=b"])
def test_a_code_is_a_link_whose_deal_never_reaches_the_server(page, tmp_path, run):
    file = tmp_path / "deal.pdf"
    assert run("deal", 60, "--seed", "1", "--pdf", file, "--qr", f"{page}#old")[0] == 0
    (found,) = zxingcpp.read_barcodes((255 - page_dots(file.read_bytes(), fine=8)).astype(np.uint8))
    task, _, arrangement = drawn(60, seed=bytes.fromhex("01"))
    assert found.text == f"{page}#" + write_code(task, arrangement, 0)


@pytest.mark.long
def test_a_booklet_has_as_many_shuffles_none_like_another(tmp_path, run):
    file = tmp_path / "book.pdf"
    assert run("deal", 60, "--pdf", file, "--booklet", 4, "--paper", "Letter")[0] == 0
    made = file.read_bytes()
    texts = [page_text(made, number) for number in range(len(pypdfium2.PdfDocument(made)))]
    assert [f"Shuffle {number} of 4" in text for number, text in enumerate(texts, 1)] == [True] * 4
    dealt = [tuple(labels_dealt(text, int(re.search(r"Pass 1 of (\d)", text)[1]))[0]) for text in texts]
    assert len(set(dealt)) == 4
    assert page_dots(made).shape == pytest.approx((279.4 * FINE, 215.9 * FINE), abs=2)


def test_mats_are_written_as_the_suffix_says(tmp_path, run):
    assert run("mat", "5x2", "--paper", "a3", "-o", tmp_path / "mat.pdf")[0] == 0
    text = page_text((tmp_path / "mat.pdf").read_bytes())
    assert [text.count(label) for label in Mat(5, 2).labels] == [2] * 10
    code, _, err = run("mat", "5x2", "-o", tmp_path / "mat.svg")
    assert code == 0
    assert "glue" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mat-1.svg", "mat-2.svg", "mat.pdf"]
    assert run("mat", "2x2", "--labels", "♠,♥,♦,♣", "-o", tmp_path / "suits.svg")[0] == 0
    assert "♦" in (tmp_path / "suits.svg").read_text(encoding="utf-8")
    assert run("mat", "1x1", "--language", "FR", "-o", tmp_path / "mat.svg")[0] == 0
    assert "<title>Tapis 1x1</title>" in (tmp_path / "mat.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["mat", "5x2", "-o", "mat.png"], "'mat.png'"),
        (["mat", "5x2", "-o", "/nowhere/at/all.pdf"], "'/nowhere/at/all.pdf'"),
        (["mat", "5x2", "--paper", "A9"], "'A9'"),
        (["mat", "5x2", "--card", "whist"], "'whist'"),
        (["mat", "5x2", "--card", "63x"], "63x"),
        (["mat", "5x2", "--card", "10x90"], "10"),
        (["mat", "2x1", "--card", "200x200"], "200 x 200"),
        (["mat", "99x2"], "99"),
        (["mat", "5x2", "--language", "xx"], "'xx'"),
        (["mat", "2x1", "--labels", "♠,♥"], "♠"),
        (["deal", "52", "--pdf", "deal.txt"], "'deal.txt'"),
        (["deal", "52", "--pdf", "/nowhere/deal.pdf"], "/nowhere/deal.pdf"),
        (["deal", "52", "--qr"], "--pdf"),
        (["deal", "52", "--booklet", "3"], "--pdf"),
        (["deal", "52", "--paper", "A3"], "--pdf"),
        (["deal", "52", "--pdf", "d.pdf", "--booklet", "0"], "booklet"),
        (["deal", "52", "--pdf", "d.pdf", "--paper", "B5"], "'B5'"),
        (["deal", "20000", "--mat", "26x26", "--pdf", "d.pdf"], "20000"),
        (["deal", "9000", "--mat", "26x26", "--pdf", "d.pdf", "--qr", PAGE], "--qr"),
        (["deal", "52", "--pdf", "d.pdf", "--qr", "javascript:alert(1)"], "javascript"),
        (["deal", "52", "--pdf", "d.pdf", "--qr", "https://" + "x" * 300], "https"),
        (["deal", "52", "--pdf", ""], "''"),
        (["deal", "52", "--pdf", "d.pdf", "--language", "xx"], "'xx'"),
        (["deal", "52", "--language", "de"], "--pdf FILE"),
        (["deal", "52", "--pdf", "d.pdf", "--html", "./d.pdf"], "--html"),
        (["deal", "52", "--mat", "2x1", "--labels", "♠,♥", "--pdf", "d.pdf"], "♠"),
    ],
)
def test_a_deal_that_cannot_be_printed_gets_one_line(words, told, tmp_path, monkeypatch, refused):
    monkeypatch.chdir(tmp_path)
    assert told in refused(*words)
    assert [path for path in tmp_path.iterdir() if path.stat().st_size == 0] == []


@pytest.mark.parametrize(
    ("package", "module", "words"), [("reportlab", "reportlab.pdfgen.canvas", []), ("segno", "segno", ["--qr", PAGE])]
)
def test_a_missing_package_is_named_with_what_installs_it(package, module, words, tmp_path, monkeypatch, run):
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr("fairdeck.paper.pdf.find_spec", lambda name: None if name == package else find_spec(name))
    code, _, err = run("deal", "52", "--pdf", tmp_path / "d.pdf", *words)
    assert code == 69
    assert package in err and installation("paper") in err
    assert not (tmp_path / "d.pdf").exists()


@pytest.mark.long
def test_whether_a_code_fits_does_not_depend_on_the_order(tmp_path, run):
    task = Task(5, Mat(5, 2))
    lengths = {len(write_code(task, order)) for order in permutations(range(5))}
    assert len(lengths) > 1  # the sum at the end is as long as it happens to be
    assert max(lengths) == longest_code(task)
    for length in range(170, 182):
        address = "https://example.org/".ljust(length, "x")
        codes = {run("deal", 5, "--pdf", tmp_path / "d.pdf", "--qr", address, "--seed", seed)[0] for seed in "012"}
        assert codes == {0}
    codes = {run("deal", 1200, "--mat=26x2", "--pdf", tmp_path / "d.pdf", "--qr", PAGE, "--seed", s)[0] for s in "01"}
    assert codes == {2}


@pytest.mark.long
def test_a_deal_that_takes_several_pages_says_on_each_whose_it_is():
    _, plan, _ = drawn(1_000, "7x3", dealers=2)
    made = pdf(Sheet(plan, 1, A4, shuffle=(3, 4)).pages(), "sheet")
    texts = [page_text(made, number) for number in range(len(pypdfium2.PdfDocument(made)))]
    assert len(texts) > 1
    for number, text in enumerate(texts, 1):
        which, first, *_ = text.replace("The whole deck in random order\r\n", "").splitlines()
        assert f"Shuffle 3 of 4 · 1000 cards on a 7x3 mat · dealer 2 of 2 · page {number} of {len(texts)}" in which
        assert number == 1 or re.match(r"Pass \d of \d(, continued|: )", first)


@pytest.mark.long
def test_what_cannot_be_written_whole_leaves_the_old_file(tmp_path):
    file = tmp_path / "deal.pdf"
    file.write_text("old")
    limited = f"ulimit -f 4; exec {sys.executable} -m fairdeck deal 500 --pdf {file}"
    done = subprocess.run(["sh", "-c", limited], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert str(file) in done.stderr
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["deal.pdf"]


def test_notes_do_not_go_into_the_page_when_standard_error_is_closed(tmp_path):
    page = tmp_path / "deal.html"
    line = f"{sys.executable} -m fairdeck deal 5 --html - --voices none 2>&- > {page}"
    subprocess.run(["sh", "-c", line], check=True)
    assert page.read_text(encoding="utf-8").rstrip().endswith(">")


def test_a_size_is_read_with_either_sign_and_refused_when_it_is_not_a_size():
    assert card_size("70×120") == (70, 120)
    with pytest.raises(FairdeckError, match="20 to 200"):
        card_size("5x5")
