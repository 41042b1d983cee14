"""The server of the dealing page, as a network treats it: half-open, slow, wrong and hostile."""

import errno
import gzip
import http.client
import re
import socket
import threading
import time
from contextlib import ExitStack, contextmanager

import pytest

from fairdeck.cli.commands import serve
from fairdeck.page import site

ASKED = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


@contextmanager
def running(chosen=("en",)):
    server = serve._server("127.0.0.1", range(1), serve._handler(chosen))
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


def test_five_hundred_half_open_connections_hold_64_threads_and_not_for_long(monkeypatch):
    monkeypatch.setattr(serve, "TO_ASK", 0.5)
    before = threading.active_count()
    with running() as server, ExitStack() as stack:
        for number in range(500):
            client = stack.enter_context(socket.socket())
            client.setblocking(False)
            assert client.connect_ex(server.server_address) == errno.EINPROGRESS
            if number % 2:
                time.sleep(0.001)
                try:
                    client.send(b"GET / HTTP/1.1\r\nX:")
                except OSError:
                    continue  # not let in yet
        most, until = 0, time.monotonic() + 2
        while time.monotonic() < until:
            most = max(most, threading.active_count() - before - 1)
            time.sleep(0.01)
        assert 0 < most <= serve.MOST_CONNECTIONS
        stack.close()
        assert asked(server)[0] == 200
    assert serve._Server.request_queue_size == 128


def test_a_drop_at_a_time_does_not_keep_a_connection(monkeypatch):
    monkeypatch.setattr(serve, "TO_ASK", 0.6)
    with running() as server, connected(server) as client:
        began = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() < began + 10:
                client.sendall(b"GET / HTTP/1.1\r\nX: "[:1])
                time.sleep(0.05)
        assert 0.5 < time.monotonic() - began < 5
        assert asked(server)[0] == 200


def test_a_reader_that_does_not_read_is_let_go(monkeypatch):
    monkeypatch.setattr(serve, "TO_ANSWER", 1.0)
    body = b"x" * 50_000_000
    monkeypatch.setattr(serve, "site", lambda voices: {"index.html": body})
    serve._site.cache_clear()
    serve._site(("en",))
    try:
        with running() as server, connected(server) as client:
            client.sendall(ASKED)
            assert client.recv(1) == b"H"
            until = time.monotonic() + 20
            while server._ends:
                assert time.monotonic() < until
                time.sleep(0.05)
            got = 0
            with pytest.raises(OSError):
                while piece := client.recv(1 << 20):
                    got += len(piece)
                raise OSError
            assert got < len(body)
    finally:
        serve._site.cache_clear()


def test_without_descriptors_it_sleeps_and_goes_on_when_there_are_some_again(monkeypatch):
    tries = []

    def refused(server):
        tries.append(time.monotonic())
        raise OSError(errno.EMFILE, "Too many open files")

    accept = serve.ThreadingHTTPServer.get_request
    with running() as server:
        monkeypatch.setattr(serve.ThreadingHTTPServer, "get_request", refused)
        with connected(server) as client:
            client.sendall(ASKED)
            time.sleep(1)
            assert 2 <= len(tries) <= 25
            monkeypatch.setattr(serve.ThreadingHTTPServer, "get_request", accept)
            assert client.recv(12) == b"HTTP/1.1 200"


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
        (b"GET http://host/ HTTP/1.1\r\n\r\n", 200),
        (b"GET HTTP://[::1]:8000/index.html?x HTTP/1.1\r\n\r\n", 200),
        (b"GET http://host HTTP/1.1\r\n\r\n", 200),
        (b"GET http://host?x HTTP/1.1\r\n\r\n", 200),
        (b"GET http://host/else HTTP/1.1\r\n\r\n", 404),
        (b"GET /http://host/ HTTP/1.1\r\n\r\n", 404),
        (b"GET /links.html HTTP/1.1\r\n\r\n", 404),
        (b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 501),
        (b"DELETE /index.html HTTP/1.1\r\n\r\n", 501),
        (b"GET / HTTP/9.9\r\n\r\n", 505),
        (b"GET / FTP/1.1\r\n\r\n", 400),
        (b"GET\r\n\r\n", 400),
        (b"GET /\r\n\r\n", 200),
        (b"\x16\x03\x01\x02 \x00 \x01 \x00\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 101 + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\nX: " + b"y" * 20_000 + b"\r\n\r\n", None),
        (b"GET /" + b"y" * 20_000 + b" HTTP/1.1\r\n\r\n", None),
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
            assert head.count(b"Connection: close") == 1
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


def test_files_are_compressed_once_for_browsers_that_accept_it(monkeypatch):
    packed = []
    monkeypatch.setattr(serve, "compress", lambda body, mtime: packed.append(body) or gzip.compress(body, mtime=mtime))
    serve._site.cache_clear()
    files = site(("en",))
    with running() as server:
        for _ in range(3):
            for name, body in files.items():
                _, plain, whole = asked(server, f"/{name}")
                _, small, less = asked(server, f"/{name}", Accept_Encoding="br, gzip;q=0.8")
                assert whole == body
                assert "Content-Encoding" not in plain.headers
                if small.headers["Content-Encoding"]:
                    assert gzip.decompress(less) == body
                    assert len(less) < len(body)
                    assert plain.headers["ETag"] != small.headers["ETag"]
                assert "Accept-Encoding" in plain.headers["Vary"]
                assert small.headers["Vary"] == plain.headers["Vary"]
                for answer, more in ((plain, {}), (small, {"Accept_Encoding": "gzip"})):
                    again = asked(server, f"/{name}", If_None_Match=f'"x", W/{answer.headers["ETag"]}', **more)
                    assert (again[0], again[2], again[1].headers["ETag"]) == (304, b"", answer.headers["ETag"])
                assert asked(server, f"/{name}", If_None_Match='"x"')[0] == 200
        for never in ("gzip;q=0, identity", "gzip;Q=0", "GZIP; Q=0.000"):
            assert asked(server, Accept_Encoding=never)[1].headers["Content-Encoding"] is None
        assert asked(server, Accept_Encoding="gzip")[1].headers["Content-Encoding"] == "gzip"
    assert len(packed) == len(files)


def test_the_policy_is_the_pages_own():
    with running() as server:
        _, answer, body = asked(server)
        (meta,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', body.decode())
        assert answer.headers["Content-Security-Policy"] == meta
        assert "default-src 'none'" in meta
        # A worker takes its policy from its own answer, and must be able to fetch.
        assert asked(server, "/worker.js")[1].headers["Content-Security-Policy"] is None


def test_sixty_four_phones_at_once_all_get_the_page():
    with running() as server:
        got = []
        phones = [threading.Thread(target=lambda: got.append(asked(server)[2])) for _ in range(100)]
        for phone in phones:
            phone.start()
        for phone in phones:
            phone.join(30)
    assert got == [site(("en",))["index.html"]] * 100
