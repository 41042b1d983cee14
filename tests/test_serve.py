"""The server of the dealing page, as a network treats it: half-open, slow, wrong and hostile."""

import errno
import http.client
import io
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import webbrowser
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import numpy as np
import pytest
import segno
import zxingcpp

from fairdeck.cli import main
from fairdeck.cli.commands import serve
from fairdeck.cli.qr import MARGIN
from fairdeck.explore import site
from fairdeck.extras import installation
from tests.test_setup import ROOT

ASKED = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


@contextmanager
def running(chosen=("en",)):
    server = serve._server("127.0.0.1", range(1), chosen)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def connected(server):
    return socket.create_connection(server.server_address, timeout=30)


def answered(server, request):
    with connected(server) as client:
        client.sendall(request)
        with client.makefile("rb") as answer:
            return answer.read()


def asked(server, path="/", method="GET", **headers):
    client = http.client.HTTPConnection(*server.server_address, timeout=30)
    client.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = client.getresponse()
    return answer.status, answer, answer.read()


@pytest.mark.long
def test_five_hundred_half_open_connections_hold_64_threads_and_not_for_long(monkeypatch):
    monkeypatch.setattr(serve._PageHandler, "timeout", 0.5)
    before = threading.active_count()
    with running() as server, ExitStack() as stack:
        for _ in range(500):
            client = stack.enter_context(socket.socket())
            client.setblocking(False)
            assert client.connect_ex(server.server_address) == errno.EINPROGRESS
        most, until = 0, time.monotonic() + 2
        while time.monotonic() < until:
            most = max(most, threading.active_count() - before - 1)
            time.sleep(0.01)
        assert 0 < most <= serve.MOST_CONNECTIONS
        stack.close()
        assert asked(server)[0] == 200


def test_a_reader_that_does_not_read_is_let_go(monkeypatch):
    monkeypatch.setattr(serve._PageHandler, "timeout", 0.5)
    monkeypatch.setattr(serve, "_site", lambda voices: {"index.html": b"x" * 50_000_000})
    before = threading.active_count()
    with running() as server, connected(server) as client:
        client.sendall(ASKED)
        assert client.recv(1) == b"H"
        until = time.monotonic() + 20
        while threading.active_count() > before + 1:
            assert time.monotonic() < until
            time.sleep(0.05)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.0\r\n\r\n", 200),
        (b"GET /index.html?x=%zz#y HTTP/1.1\r\n\r\n", 200),
        (b"GET /../../../etc/passwd HTTP/1.1\r\n\r\n", 404),
        (b"GET /..%2f..%2fpage.html HTTP/1.1\r\n\r\n", 404),
        (b"GET /%zz%00%ff HTTP/1.1\r\n\r\n", 404),
        (b"GET /\xff\xfe HTTP/1.1\r\n\r\n", 404),
        (b"GET //index.html HTTP/1.1\r\n\r\n", 200),
        (b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 501),
        (b"GET / HTTP/9.9\r\n\r\n", 505),
        (b"GET / FTP/1.1\r\n\r\n", 400),
        (b"GET\r\n\r\n", 400),
        (b"GET /\r\n\r\n", 200),
        (b"\x16\x03\x01\x02 \x00 \x01 \x00\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 101 + b"\r\n", 431),
        (b"\r\n\r\n", None),
    ],
)
def test_every_request_is_answered_once_or_closed(request_, status):
    with running() as server:
        try:
            answer = answered(server, request_)
        except ConnectionResetError:
            answer = b""
        assert (answer.split(b" ")[1:2] or [b""])[0] == (b"" if status is None else str(status).encode())
        if status:
            head, _, body = answer.partition(b"\r\n\r\n")
            assert b"X-Content-Type-Options: nosniff" in head
            assert status == 200 or (b"text/plain" in head and body.count(b"\n") == 1)
        assert asked(server)[0] == 200


def test_the_head_is_the_same_without_the_body():
    with running() as server:
        _, whole, body = asked(server)
        status, head, nothing = asked(server, method="HEAD")
    assert (status, nothing) == (200, b"")
    assert {**whole.headers, "Date": ""} == {**head.headers, "Date": ""}
    assert int(head.headers["Content-Length"]) == len(body)


def test_many_first_requests_at_once_build_the_site_once(monkeypatch):
    built = []
    monkeypatch.setattr(serve, "site", lambda voices: built.append(voices) or time.sleep(0.2) or site(voices))
    serve._site.cache_clear()
    with running() as server, ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: asked(server)[0], range(20)))
    assert (answers, built) == ([200] * 20, [("en",)])


def test_sixty_four_phones_at_once_all_get_the_page():
    with running() as server:
        got = []
        phones = [threading.Thread(target=lambda: got.append(asked(server)[2])) for _ in range(100)]
        for phone in phones:
            phone.start()
        for phone in phones:
            phone.join(30)
    assert got == [site(("en",))["index.html"]] * 100


# What it prints

ADDRESS = "192.0.2.7"


class Terminal(io.TextIOWrapper):
    """Standard output that says it is a terminal."""

    def __init__(self, encoding="utf-8"):
        super().__init__(io.BytesIO(), encoding=encoding, newline="\n")

    def isatty(self):
        return True

    def shown(self):
        self.flush()
        return self.buffer.getvalue().decode(self.encoding)


@pytest.fixture
def printed(monkeypatch):
    """Run the command until it would wait for requests; return what it printed on a terminal."""

    def stop(*_):
        raise KeyboardInterrupt

    def run(*words, address=ADDRESS, terminal=None, **environment):
        for name in ("NO_COLOR", "TERM", "DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(serve.ThreadingHTTPServer, "serve_forever", stop)
        real = serve._reachable
        monkeypatch.setattr(serve, "_reachable", lambda host: address if host == "0.0.0.0" else real(host))
        out = terminal or Terminal()
        monkeypatch.setattr(sys, "stdout", out)
        assert main(["serve", "--port", "0", *words]) == 0
        monkeypatch.setattr(serve, "_reachable", real)
        return out.shown()

    return run


def rows_of(lines):
    """The dots that the lines of a terminal show, each true where it is dark."""
    rows = []
    for line in lines:
        start, text, end = re.fullmatch(r"(\x1b\[38;5;16;48;5;231m)([ ▀▄█]*)(\x1b\[0m)", line).groups()
        assert start and end
        rows += [[half in "▀█" for half in text], [half in "▄█" for half in text]]
    return rows


def scanned(rows):
    picture = np.where(np.kron(np.array(rows), np.ones((8, 8))) > 0, 0, 255).astype(np.uint8)
    return [found.text for found in zxingcpp.read_barcodes(picture)]


def test_on_a_terminal_the_address_for_phones_is_a_code_to_scan(printed):
    shown = printed("--host", "0.0.0.0")
    first, blank, *code, other, stop, _, stopped = shown.splitlines()
    place = re.search(r"http://192\.0\.2\.7:\d+/$", first)[0]
    assert first == f"On a phone in the same network, scan this or open {place}"
    assert (blank, other, stop, stopped) == ("", "", "Press Ctrl-C to stop.", "Stopped.")
    rows = rows_of(code)
    matrix = [[bool(dot) for dot in row] for row in segno.make_qr(place, error="m", boost_error=False).matrix]
    size = len(matrix)
    assert [row[MARGIN:-MARGIN] for row in rows[MARGIN:][:size]] == matrix
    assert sum(map(sum, rows)) == sum(map(sum, matrix)), "the margin is light"
    assert {len(row) for row in rows} == {size + 2 * MARGIN}
    assert size + 2 * MARGIN <= len(rows) <= size + 2 * MARGIN + 1
    assert scanned(rows) == [place]
    assert max(len(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in shown.splitlines()) <= 80


@pytest.mark.parametrize("lacks", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"terminal": "ascii"}, {}], ids=str)
def test_where_no_code_can_be_shown_there_is_the_address_alone(lacks, printed, monkeypatch):
    """Without colours, without the signs that make its dots, or in a file."""
    monkeypatch.setattr(Terminal, "isatty", lambda terminal: bool(lacks))
    environment = {name: value for name, value in lacks.items() if name != "terminal"}
    shown = printed("--host", "0.0.0.0", terminal=Terminal(lacks.get("terminal", "utf-8")), **environment)
    assert "\x1b" not in shown
    assert re.match(r"On a phone in the same network, open http://192\.0\.2\.7:\d+/\n", shown)


def test_without_segno_one_line_says_how_to_get_the_code(printed, monkeypatch):
    monkeypatch.setitem(sys.modules, "segno", None)
    first, second, *_ = printed("--host", "0.0.0.0").splitlines()
    assert first.startswith("On a phone in the same network, open http://192.0.2.7:")
    assert second == f"a code to scan needs segno: {installation('paper')}"


def test_a_machine_in_no_network_says_so(printed):
    shown = printed("--host", "0.0.0.0", address="127.0.0.1")
    assert "This machine is in no network, so phones cannot open the page." in shown
    assert "\x1b" not in shown


def test_for_this_machine_only_it_says_how_phones_get_in(printed):
    first, second, *_ = printed().splitlines()
    assert re.fullmatch(r"The dealing page is at http://127\.0\.0\.1:\d+/", first)
    assert second == "For phones in your network: fairdeck serve --host 0.0.0.0 --port 0"


# --open


@pytest.fixture
def browsers(monkeypatch):
    """Let `webbrowser` prefer one browser; return what is opened in it."""
    opened = []

    def prefer(browser):
        monkeypatch.setattr(type(browser), "open", lambda self, url, *_: opened.append(url))
        monkeypatch.setattr(webbrowser, "get", lambda: browser)
        return opened

    return prefer


LINUX = pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="a browser with windows is always there")

GRAPHICAL = [webbrowser.BackgroundBrowser("xdg-open"), webbrowser.Mozilla("firefox"), webbrowser.Chrome("chromium")]
TEXT = [webbrowser.GenericBrowser("lynx"), webbrowser.Elinks("elinks")]


@LINUX
@pytest.mark.parametrize("screen", ["DISPLAY", "WAYLAND_DISPLAY", ""])
@pytest.mark.parametrize("browser", [*GRAPHICAL, *TEXT])
def test_only_a_browser_with_windows_opens_the_page(screen, browser, browsers, monkeypatch):
    opened = browsers(browser)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if screen:
        monkeypatch.setenv(screen, ":0")
    serve._open("http://127.0.0.1:1/")
    assert opened == ["http://127.0.0.1:1/"] * (bool(screen) and browser in GRAPHICAL)


def test_a_browser_that_is_missing_is_no_error(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(webbrowser, "get", lambda: 1 / 0)
    serve._open("http://127.0.0.1:1/")


@LINUX
def test_with_open_ctrl_c_still_stops_and_the_browser_gets_the_address(tmp_path):
    written = tmp_path / "opened"
    fakes = {
        "xdg-open": f'printf %s "$1" > "{written}.part" && mv "{written}.part" "{written}"',
        "xdg-settings": "exit 1",
    }
    for name, line in fakes.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / name).chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if name != "BROWSER"}
    environment |= {"DISPLAY": ":0", "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    with subprocess.Popen(
        [sys.executable, "-m", "fairdeck", "serve", "--open", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as work:
        try:
            place = re.search(r"http://\S+", work.stdout.readline())[0]
            until = time.monotonic() + 30
            while not written.exists():
                assert time.monotonic() < until
                time.sleep(0.05)
            work.send_signal(signal.SIGINT)
            out, err = work.communicate(timeout=20)
        finally:
            work.kill()
    assert (work.returncode, err) == (0, "")
    assert out.endswith("Stopped.\n")
    assert written.read_text() == place


def test_make_run_opens_the_browser():
    shown = subprocess.run(
        ["make", "--dry-run", "--always-make", "--no-print-directory", "run"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown.rstrip().splitlines()[-1].endswith("/fairdeck serve --open")
