"""The page served: the same page, installable, and there when the server is gone."""

import os
import re
import socket
import threading
import time

import pytest

from fairdeck.cli import main
from fairdeck.explore import PAGES, site
from fairdeck.page import build
from tests.conftest import ARGUMENTS, NotingHandler, chromium, serving
from tests.player import LEISURE, SHOWN, choose_cards, play, ready, reload

KEPT = """async () => {
  await navigator.serviceWorker.ready;
  while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20));
}"""


def at(place, browser, script=""):
    """Open the page of a server in a browser of its own."""
    context = browser.new_context(locale="en-GB")
    context.add_init_script(script)
    page = context.new_page()
    page.goto(place)
    return context, ready(page)


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
    files = {"", "./", "worker.js", "manifest.webmanifest", "icon-192.png", "icon-512.png", "index.woff2", "look.css"}
    files |= {f"{name}.html" for name in PAGES}
    assert {url.split("?")[0] for url in fetched if not url.startswith("data:")} <= {place + name for name in files}
    assert said == []
    context.close()


def test_it_opens_and_deals_with_the_server_killed(browser, served):
    place, stop = served
    context, page = at(place, browser, LEISURE)
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
    choose_cards(fresh, "20")
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


def test_installing_is_offered_quietly_where_the_browser_can(browser, served):
    place, _ = served
    context, page = at(place, browser)
    assert page.is_hidden("#install") and page.is_hidden("#install-by-hand")
    page.evaluate("""() => {
      const offer = new Event("beforeinstallprompt", { cancelable: true });
      offer.prompt = () => { window.prompted = true; };
      window.kept = dispatchEvent(offer);
    }""")
    assert page.evaluate("() => kept") is False, "the browser's own banner does not open"
    page.click("#install")
    assert page.evaluate("() => prompted")
    context.close()


@pytest.mark.long
def test_the_service_worker_answers_only_for_its_own_files(browser, served):
    place, _ = served
    context, page = at(place, browser)
    page.evaluate(KEPT)
    assert page.goto(place + "nowhere").status == 404
    assert "Not here" in page.content()
    context.close()


@pytest.fixture
def kept_from(browser):
    """Open the page of a server, until the browser keeps it for offline use."""
    contexts = []

    def opened(server):
        context, page = at(server.place, browser)
        contexts.append(context)
        page.evaluate(KEPT)
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def folder(tmp_path):
    assert main(["page", "--site", str(tmp_path), "--voices", "none"]) == 0
    return tmp_path


@pytest.mark.long
def test_a_new_version_takes_the_place_of_the_old(kept_from, folder):
    """Served from a folder, as any web server would; then another version is put there."""
    with serving(folder) as server:
        page = kept_from(server)
        index, worker = folder / "index.html", folder / "worker.js"
        index.write_text(index.read_text().replace("<title>fairdeck", "<title>another"))
        worker.write_text(re.sub(r"[0-9a-f]{16}`", "0123456789abcdef`", worker.read_text()))
        # A plain server compares whole seconds, and would say that nothing has changed.
        for file in (index, worker):
            os.utime(file, (later := time.time() + 60, later))
        page.evaluate("""async () => {
          const registration = await navigator.serviceWorker.getRegistration(), worker = navigator.serviceWorker;
          const changed = new Promise((resolve) => worker.addEventListener("controllerchange", resolve));
          await registration.update();
          await changed;
          for (let tries = 0; tries < 100 && (await caches.keys()).length > 1; tries++) {
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        }""")
        assert page.evaluate("() => caches.keys()") == [f"fairdeck {server.place} 0123456789abcdef"]
    assert "<title>another" in page.goto(server.place).text()


@pytest.mark.long
@pytest.mark.parametrize("status", [404, 503])
def test_it_opens_where_the_server_answers_with_an_error(kept_from, folder, status):
    """A proxy whose server is away answers at once, as does a site that has moved."""
    broken = threading.Event()

    class Handler(NotingHandler):
        def do_GET(self):  # noqa: N802
            self.send_error(status) if broken.is_set() else super().do_GET()

    with serving(folder, Handler) as server:
        page = kept_from(server)
        broken.set()
        assert page.goto(server.place).status == 200
        assert ready(page).is_visible("#start")


def test_the_version_changes_with_the_page():
    english, german = site(("en",)), site(("de",))
    version = re.compile(rb"([0-9a-f]{16})`")
    assert version.search(english["worker.js"])[1] != version.search(german["worker.js"])[1]
    assert english["index.html"].decode() != build()
    assert "manifest-src 'self'; worker-src 'self'" in english["index.html"].decode()
