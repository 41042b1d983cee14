"""Serve the pages to this machine, or to phones in your network.

A browser on this machine can install the page, which then opens without the server. For other machines, browsers allow
that only over https: see `fairdeck page --site`. Ctrl-C ends the server.

With --host 0.0.0.0 it prints the address for the phones in your network. In a terminal it also prints a code to scan,
dark on light whatever the terminal's colours are; this needs the extra `paper`. With NO_COLOR there is no code.

The server answers 64 connections at once, and 128 more can wait. A connection is for one request, and is closed if
nothing moves for 10 seconds. It is for a network that you trust; for the world, put the files of `fairdeck page --site`
on a web server.
"""

import errno
import os
import re
import socket
import sys
import webbrowser
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePath
from threading import BoundedSemaphore, Lock, Thread
from typing import Any
from urllib.parse import urlsplit

from fairdeck.cli.arguments import options
from fairdeck.cli.config_file import read_voices
from fairdeck.cli.exits import FINE
from fairdeck.cli.program import as_called
from fairdeck.cli.qr import HALVES, dots, terminal_lines
from fairdeck.cli.settings import voices_option
from fairdeck.cli.terminal import takes_colours
from fairdeck.errors import FairdeckError, MissingTool, system_reason
from fairdeck.explore import site
from fairdeck.numbers import whole
from fairdeck.page import LANGUAGES

FIRST_PORT, PORTS_TRIED = 8000, 20
MOST_CONNECTIONS, QUEUE = 64, 128
PATIENCE = 10.0  # seconds that a connection may stand still
EVERYWHERE = "0.0.0.0"  # noqa: S104 - the user asks for it
THIS_MACHINE = re.compile(r"localhost|127\..*|::1?", re.I)
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".css": "text/css; charset=utf-8",
}
HEADERS = {
    "Cache-Control": "no-cache",
    "Vary": "Accept-Language",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}
EXAMPLES = {
    "fairdeck serve --open": "for this machine; open the page in a browser",
    "fairdeck serve --host 0.0.0.0": "for the phones in your network",
}


def arguments(parser: ArgumentParser) -> None:
    declared = {
        "--host ADDRESS": "the address to listen on (default: this machine only); 0.0.0.0 lets the phones in your "
        "network open the page",
        "--port N": f"the port to listen on (default: the first free one from {FIRST_PORT} on)",
        "--open": "open the page in a browser too, if there is one with windows; never in a text browser in the "
        "terminal",
        **voices_option("the voice of the browser's language"),
    }
    options(parser, declared, host="127.0.0.1")


def run(args: Namespace) -> int:
    voices = None if args.voices is None else read_voices(args.voices)
    if not args.host:
        raise FairdeckError("host '' is not an address: use 127.0.0.1, or 0.0.0.0 for the whole network")
    ports = range(FIRST_PORT, FIRST_PORT + PORTS_TRIED)
    if args.port is not None:
        port = whole("port", args.port, 0, 65535)
        ports = range(port, port + 1)
    with _server(args.host, ports, voices) as server:
        place = f"http://{_reachable(args.host)}:{server.server_address[1]}/"
        try:
            print(*_invitation(args.host, place, args.port), "Press Ctrl-C to stop.", sep="\n", flush=True)
            if args.open:
                # A browser may take seconds to start, and asks for the page meanwhile.
                Thread(target=_open, args=(place,), daemon=True).start()
            server.serve_forever()
        except KeyboardInterrupt:
            print("\nStopped.")
    return FINE


class _Server(ThreadingHTTPServer):
    """A server for IPv4 or IPv6 that limits the number of connections."""

    request_queue_size = QUEUE
    # Elsewhere this lets a server start again at once; on Windows it would let two servers share a port.
    allow_reuse_address = sys.platform != "win32"

    def __init__(self, address: tuple[str, int], voices: tuple[str, ...] | None) -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        self.voices = voices
        self._free = BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__(address, _PageHandler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, once there are fewer than the limit."""
        self._free.acquire()
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer a request."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing about a browser that closed the connection."""


class _PageHandler(BaseHTTPRequestHandler):
    server: _Server
    server_version = "fairdeck"
    sys_version = ""
    default_request_version = "HTTP/1.0"  # of a request that names no version; else errors would have no headers
    timeout = PATIENCE
    error_content_type = "text/plain; charset=utf-8"
    error_message_format = "%(code)d %(message)s. The dealing page is at /\n"

    def do_GET(self) -> None:
        voices = self.server.voices
        if voices is None:
            voices = (_wanted(self.headers.get("Accept-Language", "")),)
        name = self.path.partition("?")[0].lstrip("/") or "index.html"
        with _BUILDING:
            body = _site(voices).get(name)
        if body is None:
            self.send_error(HTTPStatus.NOT_FOUND, "Not here")
            return
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", KINDS[PurePath(name).suffix])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET  # noqa: N815 - the base class's name

    def end_headers(self) -> None:
        """Add the headers of every answer."""
        for header in HEADERS.items():
            self.send_header(*header)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing: a player does not need a list of requests."""


_BUILDING = Lock()  # a browser asks for several files at once: the site is built for the first, and not again


@cache
def _site(voices: tuple[str, ...]) -> dict[str, bytes]:
    return site(voices)


def _wanted(accepted: str) -> str:
    """Return the first language of an Accept-Language header that has a voice; otherwise English.

    >>> _wanted("nl, de-AT;q=0.8, en;q=0.7"), _wanted("")
    ('de', 'en')
    """
    asked = (each.strip()[:2].lower() for each in accepted.split(","))
    return next((language for language in asked if language in LANGUAGES), "en")


def _server(host: str, ports: range, voices: tuple[str, ...] | None) -> _Server:
    for port in ports:
        try:
            return _Server((host, port), voices)
        except (OSError, UnicodeError, TypeError) as error:  # the last two: not a host name
            if getattr(error, "errno", None) != errno.EADDRINUSE:
                where = f"{host!r}, port {port} ({system_reason(error)})"
                raise FairdeckError(f"cannot listen on {where}: use another --host") from None
    taken = f"port {ports[0]} is" if len(ports) == 1 else f"ports {ports[0]} to {ports[-1]} are"
    raise FairdeckError(f"{taken} taken: choose another with --port")


def _reachable(host: str) -> str:
    """Return the address to type in a browser: for 0.0.0.0, the one that other machines see."""
    if host != EVERYWHERE:
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: nothing is sent, the route is looked up
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def _invitation(host: str, place: str, port: str | None) -> list[str]:
    """Return the lines that say where the page is, and what to do on a phone."""
    if not THIS_MACHINE.fullmatch(urlsplit(place).hostname or ""):
        return _code(place) if _draws_codes() else [f"On a phone in the same network, open {place}"]
    if host == EVERYWHERE:
        return [f"The dealing page is at {place}", "This machine is in no network, so phones cannot open the page."]
    return [
        f"The dealing page is at {place}",
        as_called(f"For phones in your network: fairdeck serve --host {EVERYWHERE}{f' --port {port}' if port else ''}"),
    ]


def _code(place: str) -> list[str]:
    try:
        code = terminal_lines(dots(place))
    except MissingTool as error:
        return [f"On a phone in the same network, open {place}", str(error)]
    return [f"On a phone in the same network, scan this or open {place}", "", *code, ""]


def _draws_codes() -> bool:
    """Return whether standard output is a terminal that shows a code dark on light."""
    if not takes_colours():
        return False
    try:
        "".join(HALVES.values()).encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


def _open(place: str) -> None:
    """Open the page in a browser with windows; without one, do nothing."""
    windows = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    with suppress(Exception):  # the address is printed anyway
        browser = webbrowser.get()
        # Python starts these in the foreground: lynx, w3m, links and elinks among them.
        in_terminal = type(browser) is webbrowser.GenericBrowser or not getattr(browser, "background", True)
        if windows and not in_terminal:
            browser.open(place)
