"""The last commit: its files, without anything that lies beside them, and its time."""

import os
import subprocess
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import fairdeck

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
VERSION = fairdeck.__version__
WHEEL, ARCHIVE = f"fairdeck-{VERSION}-py3-none-any.whl", f"fairdeck-{VERSION}.tar.gz"
PYZ, SBOM, PAGE, NOTES = "fairdeck.pyz", "fairdeck.cdx.json", "deal.html", "NOTES.md"


def project() -> dict[str, Any]:
    """Return the table ``project`` of pyproject.toml."""
    read: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return read


def has_history() -> bool:
    """Return whether this folder is a clone; an unpacked source archive is not."""
    return (ROOT / ".git").exists()


def epoch() -> int:
    """Return the time that all files in an archive get, in seconds since 1970.

    This is ``SOURCE_DATE_EPOCH`` if it is set, else the time of the last commit; in an unpacked source archive it is
    the time of its files, so that a wheel built there is the same again.
    """
    if told := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(told)
    if has_history():
        return int(_git("log", "-1", "--format=%ct"))
    return int((ROOT / "PKG-INFO").stat().st_mtime)


def uncommitted() -> list[str]:
    """Return the files that differ from the last commit, as git lists them."""
    return _git("status", "--porcelain").decode().splitlines() if has_history() else []


@contextmanager
def files() -> Iterator[Path]:
    """Give a folder with the files of the last commit and nothing else; without a history, this folder."""
    if not has_history():
        yield ROOT
        return
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made).resolve() / "fairdeck"
        # Line ends stay as they are in the history, also on Windows.
        packed = _git("-c", "core.autocrlf=false", "-c", "core.eol=lf", "archive", "--format=tar", "HEAD")
        with tarfile.open(fileobj=BytesIO(packed)) as archive:
            if hasattr(tarfile, "data_filter"):
                archive.extraction_filter = tarfile.data_filter
            archive.extractall(folder)
        yield folder


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout
