"""Firefox and WebKit, as the system has them, with pages that take the calls that tests make to Playwright's pages.

Playwright drives only browsers that it builds itself. The system's WebKit speaks WebDriver over HTTP; Firefox without
another program speaks Marionette: the same commands, as JSON over a socket.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from base64 import b64decode
from contextlib import suppress
from http.client import HTTPConnection

# The last stands for a loudspeaker, without which Firefox makes no sound to play.
PREFERENCES = {"marionette.port": 0, "intl.accept_languages": "en-GB, en", "media.cubeb.force_mock_context": True}
# A window of MiniBrowser can be no narrower than its tool bar, even if that is hidden.
NARROW = "* { min-width: 0; padding: 0; margin: 0; border-width: 0; }"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
SEEN = "(name) => [...document.querySelectorAll(name)].filter((each) => each.getClientRects().length).length"
KEYS = {"ArrowLeft": "\ue012", "PageDown": "\ue00f", "Enter": "\ue007"}
# Where WebKit expects each command; {id} is one of its values.
PLACES = {
    "NewSession": ("POST", ""),
    "DeleteSession": ("DELETE", ""),
    "Navigate": ("POST", "/url"),
    "ExecuteScript": ("POST", "/execute/sync"),
    "ElementClick": ("POST", "/element/{id}/click"),
    "ElementClear": ("POST", "/element/{id}/clear"),
    "ElementSendKeys": ("POST", "/element/{id}/value"),
    "GetWindowHandles": ("GET", "/window/handles"),
    "SwitchToWindow": ("POST", "/window"),
    "CloseWindow": ("DELETE", "/window"),
    "SetWindowRect": ("POST", "/window/rect"),
    "TakeScreenshot": ("GET", "/screenshot"),
}


def eventually(found, what, seconds=20):
    """Return what `found` returns, once that is true."""
    end = time.monotonic() + seconds
    while not (answer := found()):
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.02)
    return answer


class Firefox:
    PROGRAMS = (("firefox-esr", "firefox"),)
    PRIVATE = False

    def __init__(self, folder):
        self.folder = folder
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (folder / "user.js").write_text("\n".join(lines))
        command = [program(*self.PROGRAMS), "--headless", "--marionette", "--no-remote", "--profile", folder]
        home = os.environ | {"HOME": str(folder)}
        self.process = subprocess.Popen(command, env=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = folder / "MarionetteActivePort"
        eventually(lambda: port.exists() and port.read_text(), "Firefox", 60)
        self.socket = socket.create_connection(("127.0.0.1", int(port.read_text())))
        self.answers, self.number = self.socket.makefile("rb"), 0
        self.receive()
        self.call("NewSession", capabilities={})

    def receive(self):
        length = b"".join(iter(lambda: self.answers.read(1), b":"))
        return json.loads(self.answers.read(int(length)))

    def call(self, command, **values):
        self.number += 1
        # Firefox sets scripts apart from the page's own objects, unless they run in no sandbox of their own.
        sandbox = {"sandbox": None} if command == "ExecuteScript" else {}
        message = json.dumps([0, self.number, f"WebDriver:{command}", values | sandbox]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, answer = self.receive()
        if error:
            raise RuntimeError(f"{error['error']}: {error['message']}")
        return answer["value"] if isinstance(answer, dict) and "value" in answer else answer

    def close(self):
        self.answers.close()
        self.socket.close()
        end(self.process)


class WebKit:
    PROGRAMS = (("WebKitWebDriver",), ("Xvfb",))
    PRIVATE = True  # as every window that is driven

    def __init__(self, folder):
        self.folder, (self.screen, display) = folder, start_screen()
        styles = folder / "gtk-3.0"
        styles.mkdir()
        (styles / "gtk.css").write_text(NARROW)
        own = {"DISPLAY": display, "GDK_BACKEND": "x11", "LC_ALL": "en_GB.UTF-8"}
        own |= {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = ["WebKitWebDriver", f"--port={self.port}"]
        self.process = subprocess.Popen(command, env=os.environ | own, stderr=subprocess.DEVNULL)
        eventually(self.listens, "WebKit")
        options = {"args": ["--automation", "--javascript-can-open-windows-automatically=true"]}
        self.session = ""
        made = self.call("NewSession", capabilities={"alwaysMatch": {"webkitgtk:browserOptions": options}})
        self.session = f"/{made['sessionId']}"

    def listens(self):
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
            return True

    def call(self, command, **values):
        method, place = PLACES[command]
        link = HTTPConnection("127.0.0.1", self.port, timeout=60)
        body = json.dumps(values) if method == "POST" else None
        link.request(method, f"/session{self.session}{place.format_map(values)}", body)
        answer = json.load(link.getresponse())["value"]
        link.close()
        if isinstance(answer, dict) and "error" in answer:
            raise RuntimeError(f"{answer['error']}: {answer['message']}")
        return answer

    def close(self):
        self.call("DeleteSession")
        end(self.process)
        end(self.screen)


def program(names):
    """Return where the first of these programs is, if there is one."""
    return next(filter(None, map(shutil.which, names)), None)


def start_screen():
    """Start a screen that nobody sees; return its process and its name."""
    reads, writes = os.pipe()
    command = ["Xvfb", "-displayfd", str(writes), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[writes], stderr=subprocess.DEVNULL)
    os.close(writes)
    with os.fdopen(reads) as told:
        return process, f":{told.readline().strip()}"


def end(process):
    process.terminate()
    process.wait(20)


class Page:
    """A window without tool bars, of any size; its methods are some of those of Playwright's `Page`."""

    def __init__(self, browser, viewport):
        self.call, first = browser.call, browser.call("GetWindowHandles")[0]
        self.call("SwitchToWindow", handle=first)
        self.evaluate("({ width, height }) => void open('', '', `popup=1,width=${width},height=${height}`)", viewport)
        opened = eventually(lambda: {*self.call("GetWindowHandles")} - {first}, "a window")
        self.call("SwitchToWindow", handle=opened.pop())
        self.set_viewport_size(viewport)

    def close(self):
        self.call("CloseWindow")

    def set_viewport_size(self, viewport):
        wide, high = self.evaluate("[outerWidth - innerWidth, outerHeight - innerHeight]")
        self.call("SetWindowRect", width=viewport["width"] + wide, height=viewport["height"] + high)
        self.wait_for_function("({ width, height }) => innerWidth === width && innerHeight === height", arg=viewport)

    def goto(self, address):
        self.call("Navigate", url=address)

    def reload(self):
        # Firefox's own command to refresh passes over what a page has kept for offline use.
        self.evaluate("() => { window.old = true; setTimeout(() => location.reload()); }")
        self.wait_for_function("() => !window.old && document.readyState === 'complete'")

    def evaluate(self, expression, argument=None):
        script = f"const $ = (id) => document.getElementById(id), found = ({expression});"
        script += "return typeof found === 'function' ? found(arguments[0]) : found;"
        return self.call("ExecuteScript", script=script, args=[argument])

    def wait_for_function(self, expression, *, arg=None):
        return eventually(lambda: self.evaluate(expression, arg), expression)

    def wait_for_selector(self, selector, *, state="visible"):
        counted = "(name) => document.querySelectorAll(name).length" if state == "attached" else SEEN
        eventually(lambda: bool(self.evaluate(counted, selector)) is (state != "hidden"), f"{selector} {state}")

    def is_visible(self, selector):
        return bool(self.evaluate(SEEN, selector))

    def text_content(self, selector):
        return self.evaluate("(name) => document.querySelector(name).textContent", selector)

    def input_value(self, selector):
        return self.evaluate("(name) => document.querySelector(name).value", selector)

    def locator(self, selector):
        return Locator(self, selector)

    def element(self, selector):
        self.wait_for_selector(selector)
        # A bar at the edge of the screen may lie on what WebDriver by itself scrolls no further than into view.
        self.evaluate("(name) => document.querySelector(name).scrollIntoView({ block: 'center' })", selector)
        return self.evaluate("(name) => document.querySelector(name)", selector)[ELEMENT]

    def click(self, selector):
        self.call("ElementClick", id=self.element(selector))

    def press(self, selector, key):
        self.call("ElementSendKeys", id=self.element(selector), text=KEYS.get(key, key))

    def fill(self, selector, text):
        self.call("ElementClear", id=self.element(selector))
        self.press(selector, text)

    def set_checked(self, selector, checked):
        if self.evaluate("(name) => document.querySelector(name).checked", selector) is not checked:
            self.click(selector)

    def screenshot(self, path):
        path.write_bytes(b64decode(self.call("TakeScreenshot", full=False)))


class Locator:
    def __init__(self, page, selector):
        self.page, self.selector = page, selector

    def count(self):
        return self.page.evaluate("(name) => document.querySelectorAll(name).length", self.selector)

    def click(self):
        self.page.click(self.selector)

    def check(self):
        self.page.set_checked(self.selector, True)
