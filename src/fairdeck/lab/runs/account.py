"""Whether this account began a stored run: by a tag that only somebody who can read a file of the account can make.

A store may come from anybody, and a run of a function, a program or a file names what runs and what is read. Only the
account that began the run takes these names from the store; everybody else types them again.
"""

import hmac
import os
import sys
from contextlib import suppress
from pathlib import Path

from fairdeck import folders
from fairdeck.lab.runs.registration import Registration

KEY = "store.key"  # in the folder of settings
SIZE = 32  # bytes
OWNER_ONLY = 0o600


def tag_of(registered: Registration) -> bytes:
    """Return the tag of a run that this account begins; empty if the account can keep no key."""
    return _tag(_key() or _new_key(), registered)


def is_ours(registered: Registration, tag: bytes) -> bool:
    """Tell whether this account began a run that has this tag."""
    return bool(tag) and hmac.compare_digest(tag, _tag(_key(), registered))


def _tag(key: bytes, registered: Registration) -> bytes:
    return hmac.digest(key, registered.text.encode(), "sha256") if key else b""


def _path() -> Path | None:
    folder = folders.settings()
    return folder / KEY if folder else None


def _key() -> bytes:
    """Return the key of this account; empty if it has none that nobody else can read."""
    path = _path()
    with suppress(OSError):
        if path is not None:
            with path.open("rb") as file:
                about, key = os.fstat(file.fileno()), file.read(SIZE + 1)
            ours = sys.platform == "win32" or (about.st_uid == os.geteuid() and not about.st_mode & 0o077)
            return key if ours and len(key) == SIZE else b""
    return b""


def _new_key() -> bytes:
    """Make the key, unless a file of that name is there already; return the key."""
    path = _path()
    with suppress(OSError):  # no home folder, or one that cannot be written: then there is no key
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as file:
                file.write(os.urandom(SIZE))
    return _key()
