"""The documents as a site: every link leads somewhere, and nothing comes from elsewhere."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs" / "site"))

from links import Site  # noqa: E402 - a folder of documents, not a package
from staging import PACKAGES, Staging, package_file  # noqa: E402


def faults(folder, **pages):
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return Site(folder).faults()


def test_links_that_lead_somewhere_are_no_faults(tmp_path):
    (tmp_path / "a.png").touch()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "index.html").write_text('<a href="../one.html#there">', encoding="utf-8")
    text = '<p id="there"><a href="#there"><a href="two.html#%C3%BC"><a href="sub/"><img src="a.png"><a href="https://x.org">'
    assert faults(tmp_path, one=text, two='<a name="ü" href="data:,x">') == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('<a href="none.html">', "one.html: none.html: there is no such file"),
        ('<a href="two.html#none">', "one.html: two.html#none: two.html has no place of this name"),
        ('<a href="#none">', "one.html: #none: one.html has no place of this name"),
        ('<a href="../links.py">', "one.html: ../links.py: leads out of the site"),
        ('<img src="none.png">', "one.html: none.png: there is no such file"),
        ('<img src="https://x.org/a.png">', "one.html: https://x.org/a.png: comes from elsewhere"),
        ('<img srcset="//x.org/a.png 2x">', "one.html: //x.org/a.png: comes from elsewhere"),
        ('<script src="https://x.org/a.js">', "one.html: https://x.org/a.js: comes from elsewhere"),
        ('<link rel="stylesheet" href="https://x.org/a.css">', "one.html: https://x.org/a.css: comes from elsewhere"),
        ("<style>@import 'https://x.org/a.css';</style>", "one.html: https://x.org/a.css: comes from elsewhere"),
        ('<p style="background: url(none.png)">', "one.html: none.png: there is no such file"),
    ],
)
def test_each_fault_of_a_link_is_named(text, fault, tmp_path):
    (tmp_path / "links.py").touch()
    (tmp_path / "site").mkdir()
    assert faults(tmp_path / "site", one=text, two="") == [fault]


def test_a_font_from_elsewhere_is_named(tmp_path):
    (tmp_path / "look.css").write_text("@font-face { src: url('https://x.org/a.woff2') }", encoding="utf-8")
    assert faults(tmp_path) == ["look.css: https://x.org/a.woff2: comes from elsewhere"]


@pytest.fixture(scope="module")
def staged():
    return {name: text.decode() for name, text in Staging(ROOT).files.items() if name.endswith(".md")}


def test_every_document_is_in_the_site_and_every_index_is_its_contents(staged):
    documents = {file.relative_to(ROOT / "docs").as_posix() for file in (ROOT / "docs").rglob("*.md")}
    assert documents <= staged.keys()
    for part in ("tutorials", "how-to", "reference", "explanation", "findings"):
        listed = staged[f"{part}/index.md"].partition("```{toctree}")[2].split()
        own = {file.name for file in (ROOT / "docs" / part).glob("*.md")}
        assert own - {"index.md"} <= set(listed)
    assert len(staged["decisions/README.md"].partition("```{toctree}")[2].split()) >= 15


def test_a_document_links_to_pages_to_the_reference_and_to_files(staged):
    assert "](page:fair.html)" in staged["explanation/explore.md"]
    assert "](page:index.html)" in staged["index.md"]
    assert "](fairdeck.lab.md)" in staged["reference/api/index.md"]
    assert "](../files/examples/README.md)" in staged["explanation/lab.md"]
    assert "](../contributing.md)" in staged["tutorials/your-own-statistic.md"]
    assert all((ROOT / package_file(package)).is_file() for package in PACKAGES)


def test_a_link_to_a_file_that_does_not_exist_is_named(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("```\n[x](none.md)\n```\n[x](none.md#y)\n", encoding="utf-8")
    with pytest.raises(FileNotFoundError, match=r"docs/a\.md links to none\.md#y: there is no docs/none\.md"):
        Staging(tmp_path)


@pytest.mark.long
def test_the_site_is_built_strictly_and_its_search_works_from_disk(tmp_path, browser):
    out = tmp_path / "docs"
    built = subprocess.run([sys.executable, ROOT / "docs/site/build.py", out], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    assert "no faults" in built.stdout
    asked = []
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{(out / 'index.html').as_uri()}")
        page.fill("input[name=q]", "riffle")
        page.press("input[name=q]", "Enter")
        page.wait_for_selector("#search-results li a")
        assert page.locator("#search-results li a").count() >= 5
    assert asked and all(url.startswith(("file:", "data:")) for url in asked)
