"""Write ``dist/NOTES.md``: what is new, and the SHA-256 of every file of a release, the dealing page among them.

``dist/deal.html`` is the page as ``fairdeck page -o deal.html`` of that release writes it. People compare its SHA-256
with what ``sha256sum deal.html`` prints, and the page's own hash with its last line.
"""

import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from release.commit import ARCHIVE, DIST, NOTES, PAGE, PYZ, ROOT, SBOM, VERSION, WHEEL

OWN_HASH = re.compile(r'\{"version": ?"[^"]*", ?"hash": ?"([0-9a-f]{16})"\}')
TEXT = """# fairdeck {version}

{changes}

## Files

| file | SHA-256 |
|---|---|
{rows}

The dealing page, `{page}`, is what `fairdeck page -o {page}` writes with this version, installed in any way; it names
itself at its end: *fairdeck {version} · page {own}*.

Check the files in a folder: `sha256sum --check SHA256SUMS`. Built again from the commit of this release, every
file is the same: `make notes`.
"""


def own_hash(page: str) -> str:
    """Return the hash that a page shows at its end."""
    found = OWN_HASH.search(page)
    if not found:
        raise LookupError("the page does not say its own hash: see `built` in fairdeck.page.document")
    return found[1]


def changes(version: str = VERSION) -> str:
    """Return what the changelog says of a version; before its release, what it says of the next."""
    sections = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.M)[1:]
    said = {title.split()[0].strip("[]"): text for title, _, text in (each.partition("\n") for each in sections)}
    return (said.get(version) or said["Unreleased"]).strip()


def notes(folder: Path) -> dict[str, str]:
    """Return the notes and the list of hashes, by file name; the files of the release are in the folder."""
    sums = {name: sha256((folder / name).read_bytes()).hexdigest() for name in (PAGE, PYZ, WHEEL, ARCHIVE, SBOM)}
    rows = "\n".join(f"| `{name}` | `{content}` |" for name, content in sums.items())
    own = own_hash((folder / PAGE).read_text(encoding="utf-8"))
    text = TEXT.format(version=VERSION, changes=changes(), rows=rows, page=PAGE, own=own)
    return {NOTES: text, "SHA256SUMS": "".join(f"{content}  {name}\n" for name, content in sums.items())}


if __name__ == "__main__":
    subprocess.run([sys.executable, "-I", DIST / PYZ, "page", "-o", DIST / PAGE], check=True, stderr=subprocess.DEVNULL)
    for name, written in notes(DIST).items():
        (DIST / name).write_text(written, encoding="utf-8", newline="\n")
        print(f"wrote {DIST / name}", file=sys.stderr)
