"""Whether every link of a built site leads somewhere on disk, and nothing comes from elsewhere.

python docs/site/links.py FOLDER      names each fault; the exit code is 1 if there is one
"""

import re
import sys
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = dict.fromkeys(("img", "script", "iframe", "source", "audio", "video", "embed"), "src")
LOADED_LINKS = ("stylesheet", "icon", "preload", "modulepreload", "manifest", "preconnect", "dns-prefetch")
IN_STYLE = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")


class Page(HTMLParser):
    """What one page names: the places within it, the links to follow, and the files that a browser loads by itself."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file
        self.places: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self._style = False
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note what a tag names."""
        named = {key: value for key, value in attributes if value is not None}
        self.places |= {named[key] for key in ("id", "name") if key in named}
        self._style = tag == "style"
        if tag in LOADS and LOADS[tag] in named:
            self.loaded.append(named[LOADS[tag]])
        if "srcset" in named:
            self.loaded += [each.split()[0] for each in named["srcset"].split(",")]
        if "href" in named:
            ours = tag == "link" and any(kind in named.get("rel", "").split() for kind in LOADED_LINKS)
            (self.loaded if ours else self.links).append(named["href"])
        self.loaded += in_style(named.get("style", ""))

    handle_startendtag = handle_starttag

    def handle_data(self, data: str) -> None:
        """Note what a style sheet within the page loads."""
        if self._style:
            self.loaded += in_style(data)


def in_style(text: str) -> list[str]:
    """Return what a style sheet loads.

    >>> in_style("@import 'a.css'; p { background: url(b.png) }")
    ['a.css', 'b.png']
    """
    return [one or other for one, other in IN_STYLE.findall(text)]


class Site:
    """The built pages in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    @cached_property
    def pages(self) -> dict[Path, Page]:
        """Every page, by its file."""
        return {file: Page(file) for file in sorted(self.folder.rglob("*.html"))}

    def faults(self) -> list[str]:
        """Return a line for each link that leads nowhere, and for each file that would come from elsewhere."""
        named = [(page.file, True, link) for page in self.pages.values() for link in page.loaded]
        named += [(page.file, False, link) for page in self.pages.values() for link in page.links]
        for sheet in sorted(self.folder.rglob("*.css")):
            named += [(sheet, True, link) for link in in_style(sheet.read_text(encoding="utf-8"))]
        return [
            f"{file.relative_to(self.folder)}: {link}: {fault}"
            for file, loads, link in dict.fromkeys(named)
            if (fault := self._fault(file, link, loads=loads))
        ]

    def _fault(self, here: Path, link: str, *, loads: bool) -> str:
        parts = urlsplit(link)
        if parts.scheme in ("data", "blob", "javascript", "about"):
            return ""
        if parts.scheme or parts.netloc:
            return "comes from elsewhere" if loads else ""
        file = (here.parent / unquote(parts.path)).resolve() if parts.path else here
        if file.is_dir():
            file /= "index.html"
        if not file.is_file():
            return "there is no such file"
        if not file.is_relative_to(self.folder):
            return "leads out of the site"
        place = unquote(parts.fragment)
        if place and file.suffix == ".html" and place not in self.pages[file].places:
            return f"{file.name} has no place of this name"
        return ""


def main(folder: str) -> int:
    """Print the faults of a site; return 1 if there is one."""
    site = Site(Path(folder))
    faults = site.faults()
    for fault in faults:
        print(fault, file=sys.stderr)
    links = sum(len(page.links) + len(page.loaded) for page in site.pages.values())
    print(f"{len(site.pages)} pages, {links:,} links: {len(faults) or 'no'} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
