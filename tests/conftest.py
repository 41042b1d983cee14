import atexit
import gc
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import urlsplit
from zlib import crc32

import pytest
from hypothesis import settings

from fairdeck.cli import main
from fairdeck.explore import explaining, site
from fairdeck.page import build
from tests.player import LEISURE, PHONE, ready, taped

collect_ignore = ["fuzz/__main__.py"]  # it needs Atheris, which `make fuzz` installs

# The same examples on every run and machine, however slow: a failure is a fault, never the weather.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")

# No test reads or changes the settings of the person who runs it.
own = tempfile.mkdtemp(prefix="fairdeck-settings-")
atexit.register(shutil.rmtree, own, ignore_errors=True)
# Hints name `fairdeck`, as in a shell that finds it.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
os.environ |= {"FAIRDECK_CONFIG": os.devnull, "XDG_CONFIG_HOME": own, "APPDATA": own}

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# Root needs no sandbox; the rest keeps a headless browser from looking for its maker's servers.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium():
    """Return where the system's Chromium is, if there is one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


# What is collected stays to the end: the garbage collector would walk through all of it again and again.
gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop():
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Leave all cases of a test marked ``cases(k)`` to `make long`, except k: the first, the last and some between.

    `make long PART=0/3` runs one third of the long tests, chosen by their names.
    """
    grown = {}
    for item in items:
        if mark := item.get_closest_marker("cases"):
            grown.setdefault(item.nodeid.partition("[")[0], (mark.args[0], []))[1].append(item)
    for few, cases in grown.values():
        kept = {round(each * (len(cases) - 1) / max(few - 1, 1)) for each in range(few)}
        for place, item in enumerate(cases):
            if place not in kept:
                item.add_marker(pytest.mark.long)
    part, _, of = os.environ.get("PART", "").partition("/")
    if of:
        others = {
            each
            for each in items
            if each.get_closest_marker("long") and crc32(each.nodeid.encode()) % int(of) != int(part)
        }
        config.hook.pytest_deselected(items=others)
        items[:] = [each for each in items if each not in others]


class NotingHandler(SimpleHTTPRequestHandler):
    """Answers, and notes in its server's `asked` what was asked for."""

    def log_message(self, *_):
        self.server.asked.append(self.path)


@contextmanager
def serving(folder, handler=NotingHandler):
    """Serve a folder at an address of its own, for which no browser has stored anything."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=folder))
    server.asked, server.place = [], f"http://127.0.0.1:{server.server_port}/"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def run(capsys):
    """Run the command line; return its exit code, standard output and standard error."""

    def call(*words):
        code = main(list(map(str, words)))
        return code, *capsys.readouterr()

    return call


@pytest.fixture
def refused(run):
    """Run a command line that is refused in one line, with exit code 2 and no other output; return the line."""

    def call(*words):
        code, out, err = run(*words)
        assert (code, out, len(err.splitlines()), err[:8]) == (2, "", 1, "fairdeck")
        return err

    return call


@pytest.fixture
def served():
    """A running `fairdeck serve`; yields its address and a function that ends it."""
    command = [sys.executable, "-m", "fairdeck", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        place = re.search(r"http://\S+", server.stdout.readline())[0]

        def stop():
            server.send_signal(signal.SIGINT)
            server.wait(10)

        yield place, stop
        server.terminate()


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium, without windows if there is one. Without any the tests are skipped, but never under CI."""
    from playwright.sync_api import sync_playwright

    place = shutil.which("chromium-headless-shell") or chromium()
    if place is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no Chromium on this machine")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=place, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def faults_on_a_small_phone(browser):
    """What keeps somebody from reading a page on 320 pixels: rules of accessibility that it breaks, or its width."""
    from axe_playwright_python.sync_playwright import Axe

    def found(file, scheme="light"):
        # The page's policy is set aside for the checker's own script.
        small = {"width": 320, "height": 640}
        context = browser.new_context(viewport=small, bypass_csp=True, color_scheme=scheme, locale="en-GB")
        page = context.new_page()
        page.goto(file.as_uri())
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        faults = [(fault["id"], len(fault["nodes"])) for fault in Axe().run(page).response["violations"]]
        context.close()
        return faults + ["it is wider than the screen"] * wide

    return found


@pytest.fixture
def espeak():
    """The path of espeak-ng. Without it the tests that speak are skipped, but never under CI."""
    program = shutil.which("espeak-ng")
    if program is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no espeak-ng on this machine")
    return program


@pytest.fixture(scope="session")
def page_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("page") / "deal.html"
    file.write_text(build(), encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def open_page(browser, page_file):
    """Open the page; whatever it complains of, or fetches, fails the test."""
    contexts, complaints, requests, places = [], [], [], {page_file}

    def opened(viewport=PHONE, words=(), fragment="", script="", file=page_file, beside=(), **options):
        context = browser.new_context(viewport=viewport, locale=options.pop("locale", "en-GB"), **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        context.add_init_script(LEISURE)
        if words:
            page.add_init_script(taped(words))
        if script:
            page.add_init_script(script)
        places.update((file, *beside))
        page.goto(file + fragment)
        return ready(page)

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url for url in requests if url.split("#")[0] not in places and not url.startswith(("data:", "blob:"))] == []


@pytest.fixture(scope="session")
def page_of(tmp_path_factory):
    """Write a page that explains into a file of its own, once; return the file."""
    folder = tmp_path_factory.mktemp("explore")

    @cache
    def written(name):
        file = folder / f"{name}.html"
        file.write_text(explaining(name, alone=True), encoding="utf-8")
        return file

    return written


@pytest.fixture
def visit(open_page, page_of, request):
    """Open the page that a module is about, by the last word of the module's name."""
    name = request.module.__name__.rpartition("_")[2]
    return lambda fragment="", **options: open_page(file=page_of(name).as_uri(), fragment=fragment, **options)


@pytest.fixture(scope="session")
def site_files():
    """The files of a site with all pages, without voices."""
    return site(())


@pytest.fixture
def phones_with(browser, site_files):
    """Open a page of a site on phones of their own, by a name that other phones could reach; faults fail the test."""
    contexts, complaints, club = [], [], "http://deck.test"

    def answer(route):
        name = urlsplit(route.request.url).path[1:] or "index.html"
        found = name in site_files
        route.fulfill(body=site_files[name], content_type=guess_type(name)[0]) if found else route.abort()

    def with_page(name):
        def opened(viewport=PHONE, script="", **options):
            context = browser.new_context(viewport=viewport, locale="en-GB", device_scale_factor=2, **options)
            contexts.append(context)
            context.route(f"{club}/**", answer)
            if script:
                context.add_init_script(script)
            page = context.new_page()
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.goto(f"{club}/{name}.html")
            return page

        return opened

    yield with_page
    for context in contexts:
        context.close()
    assert complaints == []
