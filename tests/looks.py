"""Show what a change did to the looks: `python -m tests.looks BASE`, BASE a commit; `make looks BASE=main~1`.

Every page of the site is taken as it was at the commit and as it is now, on three devices in light and dark. Pages
whose pixels differ are laid side by side, the differing pixels in red, in build/looks/index.html; the share of pixels
that differ is printed. Nothing fails: a person looks.
"""

import io
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

from PIL import Image, ImageChops
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parent.parent
BUILT = ROOT / "build/looks"
DEVICES = {"phone": (390, 844), "lying": (844, 390), "desktop": (1280, 800)}
SCHEMES = ("light", "dark")
SETTLED_MS = 1500
WRITE_SITE = (
    "import sys, pathlib; from fairdeck.explore import site\n"
    "for name, data in site([]).items(): pathlib.Path(sys.argv[1], name).write_bytes(data)"
)
# The same order and the same counts on every visit.
SEEDED = """(() => {
  let state = 2026;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
  crypto.getRandomValues = (array) => { for (let i = 0; i < array.length; i++) array[i] = next(); return array; };
  Math.random = () => next() / 2 ** 32;
})()"""


def site_of(source: Path, folder: Path) -> Path:
    """Write the site of a source tree, and return its folder."""
    folder.mkdir(parents=True)
    command = [sys.executable, "-c", WRITE_SITE, str(folder)]
    subprocess.run(command, check=True, env={"PYTHONPATH": str(source), "PATH": ""})
    return folder


def source_at(commit: str, folder: Path) -> Path:
    """Unpack the source tree of a commit, and return its folder."""
    packed = subprocess.run(["git", "archive", commit, "src"], capture_output=True, cwd=ROOT, check=False)
    if packed.returncode:
        raise SystemExit(f"{commit}: no such commit here; write BASE=main~1, or another that git log names")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"


def pictures(browser: Browser, site: Path) -> Iterator[tuple[str, Image.Image]]:
    """Yield every page of a site on every device in each scheme, by what it is called."""
    for file in sorted(site.glob("*.html")):
        for device, (width, height) in DEVICES.items():
            for scheme in SCHEMES:
                page = browser.new_page(
                    viewport={"width": width, "height": height},
                    color_scheme=scheme,
                    locale="en",
                    reduced_motion="reduce",
                )
                page.add_init_script(SEEDED)
                page.goto(file.as_uri())
                page.wait_for_timeout(SETTLED_MS)
                yield f"{file.stem}, {device}, {scheme}", Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                page.close()


def differing(before: Image.Image, after: Image.Image) -> tuple[float, Image.Image]:
    """Return the share of the pixels that differ, and a picture of them: red on a pale copy of the later one.

    >>> white, spot = Image.new("RGB", (2, 2), "white"), Image.new("RGB", (2, 2), "white")
    >>> spot.putpixel((0, 0), (0, 0, 0))
    >>> differing(white, spot)[0]
    0.25
    """
    apart = ImageChops.difference(before, after.resize(before.size)).convert("L").point(lambda value: 255 * (value > 0))
    pale = Image.blend(after.resize(before.size), Image.new("RGB", before.size, "white"), 0.75)
    pale.paste((255, 0, 0), mask=apart)
    return apart.histogram()[255] / (before.width * before.height), pale


def main(commit: str) -> int:
    """Write the page, and print what differs."""
    shutil.rmtree(BUILT, ignore_errors=True)
    old = site_of(source_at(commit, BUILT / "base"), BUILT / "before")
    new = site_of(ROOT / "src", BUILT / "after")
    rows = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        before = dict(pictures(browser, old))
        for name, after in pictures(browser, new):
            share, marked = differing(before.get(name, Image.new("RGB", after.size)), after)
            if share:
                shown = {"before": before.get(name), "after": after, "difference": marked}
                files = []
                for what, picture in shown.items():
                    if picture:
                        file = f"{name.replace(', ', '-')}-{what}.png"
                        picture.save(BUILT / file)
                        files.append(f'<img src="{file}" alt="{what}">')
                rows.append((share, f"<h2>{escape(name)}: {share:.1%}</h2><p>{''.join(files)}</p>"))
                print(f"{share:7.2%}  {name}{'' if name in before else ' (new)'}")
        browser.close()
    style = "<style>img { max-width: 32%; vertical-align: top; margin-right: 1% }</style>"
    body = "".join(row for _, row in sorted(rows, reverse=True)) or "<p>No pixel differs.</p>"
    (BUILT / "index.html").write_text(f"<!doctype html><title>Looks since {escape(commit)}</title>{style}{body}")
    print(f"{len(rows)} of {len(before)} differ: {BUILT / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
