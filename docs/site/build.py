"""Build the documents as a site that works from disk: `make docs`.

python docs/site/build.py FOLDER      writes the site there (build/docs), the man page, and what Sphinx reads beside it
"""

import os
import shutil
import sys
from pathlib import Path

import links
from sphinx.cmd.build import build_main
from staging import Staging

from fairdeck.explore import site

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def main(folder: str) -> int:
    """Build the site in a folder, and check its links; return 0 if all is well."""
    out = Path(folder)
    source, kept = out.with_name(f"{out.name}-source"), out.with_name(f"{out.name}-kept")
    if (out / "objects.inv").exists():  # a site that was built before: nothing of it may stay
        shutil.rmtree(out)
    Staging(ROOT).write(source)
    strictly = ["-q", "-W", "--keep-going", "-a", "-c", str(HERE), "-d", str(kept), str(source)]
    if fault := build_main([*strictly, folder, "-b", "html"]) or build_main([*strictly, str(out / "man"), "-b", "man"]):
        return fault
    (out / "pages").mkdir(exist_ok=True)
    for name, content in site().items():
        (out / "pages" / name).write_bytes(content)
    (out / ".nojekyll").touch()  # else some hosts leave out folders whose names begin with an underscore
    return links.main(folder)


if __name__ == "__main__":
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")  # the same documents make the same site
    sys.exit(main(*sys.argv[1:]))
