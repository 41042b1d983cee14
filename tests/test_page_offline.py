"""The page served: the same page, installable, and there when the server is gone."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from fairdeck.cli import main
from fairdeck.explore import PAGES, site
from fairdeck.page import build
from tests.conftest import ARGUMENTS, chromium
from tests.player import LEISURE, SHOWN, play, ready, reload

KEPT = """async () => {
  await navigator.serviceWorker.ready;
  while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20));
}"""


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


@pytest.mark.long
def test_every_file_is_served_as_what_it_is(browser, served):
    place, _ = served
    context = browser.new_context(extra_http_headers={"Accept-Language": "de-AT,en;q=0.5"})
    kinds = {"": "text/html", "index.html": "text/html", "worker.js": "text/javascript", "icon-192.png": "image/png"}
    for name, kind in (kinds | {"manifest.webmanifest": "application/manifest+json"}).items():
        answer = context.request.get(place + name)
        assert answer.status == 200
        assert answer.headers["content-type"].startswith(kind)
        assert answer.body() == site(("de",))[name or "index.html"]
    assert context.request.get(place + "elsewhere").status == 404
    assert context.request.get(place + "../page/__init__.py").status == 404
    context.close()


@pytest.mark.long
def test_served_it_fetches_nothing_but_what_installs_it(browser, served):
    place, _ = served
    context = browser.new_context(locale="en-GB")
    page, said, fetched = context.new_page(), [], []
    page.on("console", lambda message: said.append(message.text))
    context.on("request", lambda request: fetched.append(request.url))
    page.goto(place)
    ready(page)
    page.evaluate(KEPT)
    page.click("#start")
    page.click("#next")
    page.wait_for_timeout(300)
    files = {"", "./", "worker.js", "manifest.webmanifest", "icon-192.png", "icon-512.png"}
    files |= {f"{name}.html" for name in PAGES}
    assert {url for url in fetched if not url.startswith("data:")} <= {place + name for name in files}
    assert said == []
    context.close()


def test_it_opens_and_deals_with_the_server_killed(browser, served):
    place, stop = served
    context = browser.new_context(locale="en-GB")
    context.add_init_script(LEISURE)
    page = context.new_page()
    page.goto(place)
    ready(page)
    page.evaluate(KEPT)
    stop()
    host, port = re.search(r"//([\d.]+):(\d+)", place).groups()
    with pytest.raises(OSError), socket.create_connection((host, int(port)), 1):
        pass
    fresh = context.new_page()
    for address in (place, place + "index.html", place + "?source=home", place + "#how"):
        fresh.goto("about:blank")
        fresh.goto(address)
        ready(fresh)
    assert fresh.is_visible("#how")
    for name in ("icon-192.png", "icon-512.png", "manifest.webmanifest", "sort.html"):
        assert context.new_page().goto(place + name).status == 200
    fresh.goto("about:blank")
    fresh.goto(place)
    ready(fresh)
    fresh.fill("#cards", "20")
    fresh.click("#start")
    fresh.click("#next")
    before = fresh.evaluate(SHOWN)
    reload(fresh)
    assert fresh.evaluate(SHOWN) == before
    fresh.keyboard.press("ArrowLeft")
    assert sorted(play(fresh, 20).end()) == list(range(20))
    context.close()


@pytest.mark.long
def test_it_can_be_installed(browser, served, tmp_path):
    """What Chromium itself says is missing: nothing. That check needs a profile on disk."""
    place, _ = served
    kind, program = browser.browser_type, chromium()
    context = kind.launch_persistent_context(tmp_path / "profile", executable_path=program, args=ARGUMENTS)
    page = context.pages[0]
    page.goto(place)
    ready(page)
    page.evaluate(KEPT)
    session = context.new_cdp_session(page)
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert '"start_url": "./"' in manifest["data"]
    context.close()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        """Say nothing."""


@pytest.mark.long
def test_the_service_worker_answers_only_for_its_own_files(browser, served):
    place, _ = served
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(place)
    ready(page)
    page.evaluate(KEPT)
    assert page.goto(place + "nowhere").status == 404
    assert "Not here" in page.content()
    context.close()


def kept_from(browser, folder, handler):
    """Serve a folder and open its page, until the browser keeps it for offline use."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    place = f"http://127.0.0.1:{server.server_address[1]}/"
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(place)
    ready(page)
    page.evaluate(KEPT)
    return server, place, context, page


@pytest.mark.long
def test_a_new_version_takes_the_place_of_the_old(browser, tmp_path):
    """Served from a folder, as any web server would; then another version is put there."""
    assert main(["page", "--site", str(tmp_path), "--voices", "none"]) == 0
    server, place, context, page = kept_from(browser, tmp_path, QuietHandler)
    index, worker = tmp_path / "index.html", tmp_path / "worker.js"
    index.write_text(index.read_text().replace("<title>fairdeck", "<title>another"))
    worker.write_text(re.sub(r"[0-9a-f]{16}`", "0123456789abcdef`", worker.read_text()))
    # A plain server compares whole seconds, and would say that nothing has changed.
    for file in (index, worker):
        os.utime(file, (later := time.time() + 60, later))
    page.evaluate("""async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      const changed = new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
      await registration.update();
      await changed;
      for (let tries = 0; tries < 100 && (await caches.keys()).length > 1; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }""")
    assert page.evaluate("() => caches.keys()") == [f"fairdeck {place} 0123456789abcdef"]
    server.shutdown()
    server.server_close()
    answer = page.goto(place)
    assert "<title>another" in answer.text()
    context.close()


@pytest.mark.long
@pytest.mark.parametrize("status", [404, 503])
def test_it_opens_where_the_server_answers_with_an_error(browser, tmp_path, status):
    """A proxy whose server is away answers at once, as does a site that has moved."""
    assert main(["page", "--site", str(tmp_path), "--voices", "none"]) == 0
    broken = threading.Event()

    class Handler(QuietHandler):
        def do_GET(self):
            self.send_error(status) if broken.is_set() else super().do_GET()

    server, place, context, page = kept_from(browser, tmp_path, Handler)
    broken.set()
    assert page.goto(place).status == 200
    assert ready(page).is_visible("#start")
    server.shutdown()
    server.server_close()
    context.close()


def test_the_version_changes_with_the_page():
    english, german = site(("en",)), site(("de",))
    version = re.compile(rb"([0-9a-f]{16})`")
    assert version.search(english["worker.js"])[1] != version.search(german["worker.js"])[1]
    assert english["index.html"].decode() != build()
    assert "manifest-src 'self'; worker-src 'self'" in english["index.html"].decode()
