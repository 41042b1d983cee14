"""Build ``dist/fairdeck.pyz`` from the last commit: fairdeck in one file, for any Python from 3.11 on.

The file holds source text only, and stores it without compression. So it is the same whichever version of Python
builds it, on every system: compiled code depends on the version, and compressed bytes depend on the library.
"""

import sys
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile, ZipInfo

from release.build import warn
from release.commit import DIST, PYZ, epoch, files

FIRST_LINE = b"#!/usr/bin/env python3\n"
# It runs in any Python 3, to say which one is needed.
MAIN = """\
import sys

if sys.version_info < (3, 11):
    sys.stderr.write("fairdeck: this is Python {}.{}; fairdeck needs 3.11 or newer\\n".format(*sys.version_info[:2]))
    sys.exit(2)

from fairdeck_command import main

sys.exit(main())
"""
BESIDE = ("LICENSE", "THIRD_PARTY.md")
UNIX, PLAIN_FILE = 3, 0o100644


def contents(folder: Path) -> dict[str, bytes]:
    """Return what the file holds, by name: the package, the module that starts it, and the licences."""
    source = folder / "src"
    found = {"__main__.py": MAIN.encode()}
    found |= {name: (folder / name).read_bytes() for name in BESIDE}
    for file in source.rglob("*"):
        name = file.relative_to(source)
        if file.is_file() and name.parts[0] in ("fairdeck", "fairdeck_command.py") and "__pycache__" not in name.parts:
            found[name.as_posix()] = file.read_bytes()
    return found


def packed(found: dict[str, bytes], seconds: int) -> bytes:
    """Return a zipapp of these files; all of them get this time, in seconds since 1970."""
    when = datetime.fromtimestamp(seconds, UTC).timetuple()[:6]
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name in sorted(found):
            entry = ZipInfo(name, when)
            entry.create_system, entry.external_attr = UNIX, PLAIN_FILE << 16
            archive.writestr(entry, found[name])
    return FIRST_LINE + buffer.getvalue()


def build(into: Path) -> Path:
    """Build the file into a folder, and return it."""
    into.mkdir(parents=True, exist_ok=True)
    with files() as folder:
        (into / PYZ).write_bytes(packed(contents(folder), epoch()))
    (into / PYZ).chmod(0o755)
    return into / PYZ


if __name__ == "__main__":
    print(f"wrote {build(DIST)}", file=sys.stderr)
    warn()
