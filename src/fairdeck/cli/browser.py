"""The browser of the person at this machine, if it has windows."""

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import webbrowser


def browser() -> "webbrowser.BaseBrowser | None":
    """Return the preferred browser, or None if it would run in this terminal."""
    windows = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not windows:
        return None
    import webbrowser

    found = webbrowser.get()
    # These are the classes of browsers that Python starts in the foreground: lynx, w3m, links and elinks among them.
    in_terminal = type(found) is webbrowser.GenericBrowser or not getattr(found, "background", True)
    return None if in_terminal else found
