r"""The folders of a person's account: one for settings, and one for copies that fairdeck can make again.

- Linux, BSD: ``$XDG_CONFIG_HOME/fairdeck``, else ``~/.config/fairdeck``; and ``$XDG_CACHE_HOME/fairdeck``, else
  ``~/.cache/fairdeck``.
- macOS: the same if these variables are set; else ``~/Library/Application Support/fairdeck``, and
  ``~/Library/Caches/fairdeck``.
- Windows: ``%APPDATA%\fairdeck``, and ``%LOCALAPPDATA%\fairdeck\Cache``.

A variable that holds no absolute path is passed over, as the XDG Base Directory Specification asks for. Nothing here
makes a folder.
"""

import os
import sys
from pathlib import Path

NAME = "fairdeck"


def settings() -> Path | None:
    """Return the folder of the settings; None if the account has no home folder."""
    if sys.platform == "win32":
        return _below("APPDATA", "AppData/Roaming", NAME)
    if sys.platform == "darwin":
        return _below("XDG_CONFIG_HOME", "Library/Application Support", NAME)
    return _below("XDG_CONFIG_HOME", ".config", NAME)


def copies() -> Path | None:
    """Return the folder of what can be made again; None if the account has no home folder."""
    if sys.platform == "win32":
        return _below("LOCALAPPDATA", "AppData/Local", f"{NAME}/Cache")
    if sys.platform == "darwin":
        return _below("XDG_CACHE_HOME", "Library/Caches", NAME)
    return _below("XDG_CACHE_HOME", ".cache", NAME)


def _below(variable: str, usual: str, name: str) -> Path | None:
    """Return the folder `name` in the folder that an environment variable names, or else in `usual` in the home."""
    told = Path(os.environ.get(variable, ""))
    if told.is_absolute():
        return told / name
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - unlike Path.home, it never fails
    return home / usual / name if home.is_absolute() else None
