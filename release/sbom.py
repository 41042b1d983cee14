"""Write ``dist/fairdeck.cdx.json``: what a release holds and what it asks for, in the format CycloneDX 1.6.

fairdeck has no dependencies and bundles none. The packages of its extras are listed as optional, each in the version
that the tests ran with (``requirements/dev.txt``).
"""

import json
import re
import sys
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from release.commit import ARCHIVE, DIST, PYZ, ROOT, SBOM, VERSION, WHEEL, epoch, project

LOCK = ROOT / "requirements" / "dev.txt"
PINNED = re.compile(r"^([\w.-]+)==([\w.+!]+)", re.M)


def normal(name: str) -> str:
    """Return the name of a package as indexes compare it.

    >>> normal("py_ecc[all]>=8")
    'py-ecc'
    """
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", name)[0]).lower()


def pinned() -> dict[str, str]:
    """Return the version of each package in the lock file; of several, the first."""
    found: dict[str, str] = {}
    for name, version in PINNED.findall(LOCK.read_text(encoding="utf-8")):
        found.setdefault(normal(name), version)
    return found


def asked_for() -> dict[str, list[str]]:
    """Return the packages that the extras for users ask for, each with the names of these extras."""
    found: dict[str, list[str]] = {}
    for extra, packages in project()["optional-dependencies"].items():
        for package in packages if extra != "dev" else ():
            found.setdefault(normal(package), []).append(extra)
    return found


def described(folder: Path) -> dict[str, Any]:
    """Return the list as a JSON object; the files of the release are in the folder."""
    about, versions, when = project(), pinned(), datetime.fromtimestamp(epoch(), UTC)
    home = about["urls"]["Homepage"]
    itself = f"pkg:pypi/fairdeck@{VERSION}"
    hashes = {name: sha256((folder / name).read_bytes()).hexdigest() for name in (WHEEL, ARCHIVE, PYZ)}
    packages = {f"pkg:pypi/{name}@{versions[name]}": extras for name, extras in sorted(asked_for().items())}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, home + json.dumps(hashes))}",
        "version": 1,
        "metadata": {
            "timestamp": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": itself,
                "name": "fairdeck",
                "version": VERSION,
                "description": about["description"],
                "licenses": [{"license": {"id": about["license"]}}],
                "purl": itself,
                "externalReferences": [
                    {"type": "website", "url": home},
                    *(
                        {"type": "distribution", "url": name, "hashes": [{"alg": "SHA-256", "content": content}]}
                        for name, content in hashes.items()
                    ),
                ],
            },
        },
        "components": [
            {
                "type": "library",
                "bom-ref": purl,
                "name": purl[len("pkg:pypi/") :].partition("@")[0],
                "version": purl.partition("@")[2],
                "scope": "optional",
                "purl": purl,
                "properties": [{"name": "fairdeck:extra", "value": extra} for extra in extras],
            }
            for purl, extras in packages.items()
        ],
        "dependencies": [{"ref": itself, "dependsOn": list(packages)}, *({"ref": purl} for purl in packages)],
    }


if __name__ == "__main__":
    (DIST / SBOM).write_text(json.dumps(described(DIST), indent=2) + "\n", encoding="utf-8")
    print(f"wrote {DIST / SBOM}", file=sys.stderr)
