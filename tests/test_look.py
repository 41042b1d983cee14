"""One look: the tokens and their contrast, one style for all, and what every page keeps at every size."""

import re
from io import BytesIO

import pytest
from PIL import Image, ImageChops
from release.font import LETTERS

from fairdeck.explore import HERE, PAGES
from fairdeck.page.document import LANGUAGES, PARTS, texts
from fairdeck.show.look import STYLES, letters, mark, style, tokens
from tests.test_every_page import TOO_WIDE, contrast, look, luminance  # noqa: F401

SHEETS = sorted({*STYLES.glob("*.css"), *PARTS.rglob("*.css"), *HERE.rglob("*.css")})
SCRIPTS = [*PARTS.rglob("*.js"), *HERE.rglob("*.js"), STYLES / "values.js"]
# Sizes and colours that a style sets for its parts, or a script for one element.
OWN = {name for file in (*SHEETS, *SCRIPTS) for name in re.findall(r"--([\w-]+)[\":]", file.read_text("utf-8"))}
OWN |= {"cards", "dealt", "present", "between"}  # screen.js sets these by their names
TOKEN_SHEETS = {"tokens.css", "dark.css"}
MOST_LETTERS = 160
TOKEN = re.compile(r"--([\w-]+): (#[0-9a-f]{3,6});")
# Text on its ground, 4.5:1; what is drawn, 3:1.
READ = 4.5
SEEN = 3
PAIRS = [
    *((word, ground, READ) for word in ("ink", "soft", "red", "link") for ground in ("ground", "sheet")),
    *((word, "table", READ) for word in ("on-table", "on-table-soft")),
    *((word, ground, READ) for word in ("paper-ink", "paper-soft", "mark") for ground in ("paper",)),
    ("on-act", "act", READ),
    *((word, "table-low", READ) for word in ("on-table", "on-table-soft")),
    *(("line", ground, SEEN) for ground in ("ground", "sheet")),
    *(("table-line", ground, SEEN) for ground in ("table", "table-low")),
    *((each, "table", SEEN) for each in ("now", "paper", *(f"row{row}" for row in range(6)))),
    *((f"row{row}", "table-low", READ) for row in range(6)),
    ("paper-ink", "now", READ),
]
SIZES = [(320, 568), (390, 844), (844, 390), (568, 320), (820, 1180), (1280, 800), (2560, 1440)]


def colours(scheme):
    """Return the tokens that are colours, as red, green and blue, in the light or in the dark."""
    found = dict(TOKEN.findall(style("tokens")))
    if scheme == "dark":
        found |= dict(TOKEN.findall(style("dark")))
    return {name: rgb(colour) for name, colour in found.items()}


def rgb(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    return tuple(int(digits[at : at + 2], 16) for at in (0, 2, 4))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("one", "ground", "least"), PAIRS)
def test_tokens_stand_out_from_what_they_lie_on(scheme, one, ground, least):
    """WCAG 1.4.3 and 1.4.11."""
    known = colours(scheme)
    assert contrast(luminance(*known[one]), luminance(*known[ground])) >= least


def test_the_dark_has_no_token_of_its_own():
    light, dark = ({name for name, _ in TOKEN.findall(style(sheet))} for sheet in ("tokens", "dark"))
    assert dark
    assert dark < light


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: f"{sheet.parent.name}/{sheet.name}")
def test_a_style_sheet_has_a_rule_a_line_and_takes_its_colours_from_the_tokens(sheet):
    known = set(re.findall(r"--([\w-]+):", style("tokens")))
    for line in sheet.read_text(encoding="utf-8").splitlines():
        assert len(line) <= MOST_LETTERS, line
        assert line.count("{") <= 1 or line.startswith(" ") or "@" in line, line
        if sheet.name not in TOKEN_SHEETS:
            assert not re.search(r"#(?:[0-9a-f]{3}){1,2}\b(?![^;]*\{)", line), line
    if sheet.name not in TOKEN_SHEETS:
        used = set(re.findall(r"var\(--([\w-]+)\)", sheet.read_text(encoding="utf-8")))
        assert used <= known | OWN, used - known - OWN


def test_the_letters_are_small_and_hold_what_four_languages_write():
    assert len(letters()) <= 12 * 1024
    assert letters()[:4] == b"wOF2"
    folders = [PARTS / "texts", HERE / "texts", *(HERE / name / "texts" for name in PAGES)]
    written = {letter for folder in folders for language in LANGUAGES for letter in titles(texts(language, folder))}
    narrow = "\u202f"  # a space, from any font
    assert written - {narrow} <= set(LETTERS), written - set(LETTERS)


def titles(words):
    """Return the letters of the titles in some texts, which are set in them."""
    return "".join(words.get(key, "") for key in ("title", "start", "shuffled", "ask"))


def test_the_mark_is_the_smallest_order_in_which_no_neighbours_stay_a_block():
    """Four pips in the order 2 4 1 3: read from the left, how high each lies."""
    pips = re.findall(r"M([\d.]+) ([\d.]+)l", mark())
    across = [float(x) for x, _ in pips]
    down = [float(y) for _, y in pips]
    assert across == sorted(across)
    assert [sorted(down).index(y) + 1 for y in down] == [2, 4, 1, 3]


def test_pages_and_reports_hold_the_letters_or_name_the_file_beside_them():
    assert "data:font/woff2" in tokens()
    assert "data:" not in tokens(beside=True)
    assert "url(index.woff2)" in tokens(beside=True)


@pytest.mark.parametrize(
    ("language", "scheme"),
    [
        ("en-GB", "light"),
        *(
            pytest.param(language, scheme, marks=pytest.mark.long)
            for language in ("en-GB", "de", "es", "fr")
            for scheme in ("light", "dark")
            if (language, scheme) != ("en-GB", "light")
        ),
    ],
)
@pytest.mark.parametrize("name", ["index", *PAGES])
def test_no_page_runs_out_of_its_window_at_any_size(look, name, language, scheme):  # noqa: F811
    page = look(name, locale=language, color_scheme=scheme, reduced_motion="reduce")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(60)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, height)
    assert page.evaluate(TOO_WIDE) == []


@pytest.mark.parametrize("name", ["index", *PAGES])
def test_a_page_that_nobody_touches_stands_still(look, name):  # noqa: F811
    page = look(name, viewport={"width": 390, "height": 844})
    page.wait_for_timeout(1500)
    before = Image.open(BytesIO(page.screenshot())).convert("RGB")
    page.wait_for_timeout(1500)
    after = Image.open(BytesIO(page.screenshot())).convert("RGB")
    assert ImageChops.difference(before, after).getbbox() is None
