"""Serve the pages to this machine, or to phones in your network.

A browser on this machine can install the page, which then opens without the server. For other machines, browsers allow
that only over https: see `fairdeck page --site`. Ctrl-C ends the server.

With --host 0.0.0.0 it prints the address for the phones in your network. In a terminal it also prints a code to scan,
dark on light whatever the terminal's colours are; this needs the extra `paper`. With NO_COLOR there is no code.

The server answers 64 connections at once, and 128 more can wait. Each connection is for one request, which must arrive
within 5 seconds and is answered within 30. Files are compressed (gzip) if the browser accepts that; unchanged files are
not sent again; the page's security policy is sent as a header too.
"""

import errno
import re
import socket
import sys
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from gzip import compress
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedReader, BytesIO
from pathlib import PurePath
from threading import Lock, Thread
from time import monotonic, sleep
from typing import cast
from urllib.parse import urlsplit

from fairdeck.cli.browser import browser
from fairdeck.cli.config_file import read_voices
from fairdeck.cli.exits import FINE
from fairdeck.cli.program import as_called
from fairdeck.cli.qr import HALVES, dots, terminal_lines
from fairdeck.cli.settings import voices_argument
from fairdeck.cli.terminal import takes_colours
from fairdeck.errors import FairdeckError, MissingTool
from fairdeck.explore import site
from fairdeck.numbers import whole
from fairdeck.page import LANGUAGES

FIRST_PORT, PORTS_TRIED = 8000, 20
MOST_CONNECTIONS, QUEUE = 64, 128
TO_ASK, TO_ANSWER = 5.0, 30.0  # seconds: to the end of the request, and from there to the end of the answer
PAUSE = 0.05  # seconds
EVERYWHERE = "0.0.0.0"  # noqa: S104 - the user asks for it
THIS_MACHINE = re.compile(r"localhost|127\..*|::1?", re.I)
LARGEST_HEAD = 1 << 14  # bytes
POLICY = re.compile(rb'http-equiv="Content-Security-Policy" content="([^"]*)"')
NEVER = re.compile(r"\s*q=0(\.0*)?\s*", re.I)
SITE = re.compile(r"\Ahttps?://[^/?#]*", re.I)  # before the path, in a request as a proxy gets it
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}


EXAMPLES = {
    "fairdeck serve --open": "for this machine; open the page in a browser",
    "fairdeck serve --host 0.0.0.0": "for the phones in your network",
}


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="the address to listen on (default: this machine only); 0.0.0.0 lets the phones in your network open the "
        "page",
    )
    parser.add_argument(
        "--port", metavar="N", help=f"the port to listen on (default: the first free one from {FIRST_PORT} on)"
    )
    parser.add_argument(
        "--open",
        action="store_true",
        help="open the page in a browser too, if there is one with windows; never in a text browser in the terminal",
    )
    voices_argument(parser, "the voice of the browser's language")


def run(args: Namespace) -> int:
    """Serve until Ctrl-C."""
    chosen = None if args.voices is None else read_voices(args.voices)
    if not args.host:
        raise FairdeckError("host '' is not an address: use 127.0.0.1, or 0.0.0.0 for the whole network")
    ports = range(FIRST_PORT, FIRST_PORT + PORTS_TRIED)
    if args.port is not None:
        port = whole("port", args.port, 0, 65535)
        ports = range(port, port + 1)
    with _server(args.host, ports, _handler(chosen)) as server:
        place = f"http://{_reachable(args.host)}:{server.server_address[1]}/"
        try:
            print(*_invitation(args.host, place), "Press Ctrl-C to stop.", sep="\n", flush=True)
            if args.open:
                # A browser may take seconds to start, and asks for the page meanwhile.
                Thread(target=_open, args=(place,), daemon=True).start()
            server.serve_forever()
        except KeyboardInterrupt:
            print("\nStopped.")
    return FINE


class _Server(ThreadingHTTPServer):
    """A server for IPv4 or IPv6 that limits the number of connections, and their time."""

    request_queue_size = QUEUE
    # Elsewhere this lets a server start again at once; on Windows it would let two servers share a port.
    allow_reuse_address = sys.platform != "win32"

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        self._ends: dict[socket.socket, float] = {}
        super().__init__(address, handler)

    def get_request(self) -> tuple[socket.socket, object]:
        """Take the next connection from the queue, once there are fewer than the limit."""
        while len(self._ends) >= MOST_CONNECTIONS:
            self.service_actions()
            sleep(PAUSE)
        try:
            connection, address = super().get_request()
        except OSError:
            sleep(PAUSE)  # no descriptors left: trying again at once would fail again
            raise
        self.give(connection, TO_ASK)
        return connection, address

    def give(self, connection: socket.socket, seconds: float) -> None:
        """Let a connection last `seconds` from now."""
        self._ends[connection] = monotonic() + seconds

    def service_actions(self) -> None:
        """Close the connections whose time is over; their threads notice that."""
        now = monotonic()
        for connection, end in self._ends.copy().items():
            if end < now:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def shutdown_request(self, request: socket.socket) -> None:  # type: ignore[override] # HTTP has streams only
        """Close a connection."""
        self._ends.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing about a browser that closed the connection."""


def _server(host: str, ports: range, handler: type[BaseHTTPRequestHandler]) -> ThreadingHTTPServer:
    for port in ports:
        try:
            return _Server((host, port), handler)
        except (OSError, UnicodeError, TypeError) as error:  # the last two: not a host name
            if getattr(error, "errno", None) != errno.EADDRINUSE:
                reason = getattr(error, "strerror", None) or error
                raise FairdeckError(f"cannot listen on {host!r}, port {port} ({reason}): use another --host") from None
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


def _invitation(host: str, place: str) -> list[str]:
    """Return the lines that say where the page is, and what to do on a phone."""
    if not THIS_MACHINE.fullmatch(urlsplit(place).hostname or ""):
        return _code(place) if _draws_codes() else [f"On a phone in the same network, open {place}"]
    if host == EVERYWHERE:
        return [f"The dealing page is at {place}", "This machine is in no network, so phones cannot open the page."]
    return [
        f"The dealing page is at {place}",
        as_called(f"For phones in your network: fairdeck serve --host {EVERYWHERE}"),
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
    with suppress(Exception):  # the address is printed anyway
        found = browser()
        if found:
            found.open(place)


def _wanted(accepted: str) -> str:
    """Return the first language of an Accept-Language header that has a voice; otherwise English.

    >>> _wanted("nl, de-AT;q=0.8, en;q=0.7"), _wanted("")
    ('de', 'en')
    """
    asked = (each.strip()[:2].lower() for each in accepted.split(","))
    return next((language for language in asked if language in LANGUAGES), "en")


def _takes_gzip(accepted: str) -> bool:
    """Return whether an Accept-Encoding header allows gzip.

    >>> _takes_gzip("br, gzip;q=0.5"), _takes_gzip("gzip; q=0.0, br"), _takes_gzip("GZIP;Q=0"), _takes_gzip("")
    (True, False, False, False)
    """
    weights = {
        name.strip().lower(): weight for name, _, weight in (each.partition(";") for each in accepted.split(","))
    }
    return "gzip" in weights and not NEVER.fullmatch(weights["gzip"])


@dataclass(frozen=True, slots=True)
class Answer:
    """A body to send, and its headers."""

    body: bytes
    headers: dict[str, str]


def _answers(name: str, body: bytes) -> tuple[Answer, Answer]:
    """Return the two answers for a file: as it is, and compressed if that is smaller."""
    policy = POLICY.search(body) if name.endswith(".html") else None
    told = {"Content-Type": KINDS[PurePath(name).suffix]}
    if policy:
        told["Content-Security-Policy"] = policy[1].decode()
    tag = sha256(body).hexdigest()[:16]
    plain = Answer(body, told | {"ETag": f'"{tag}"'})
    packed = Answer(compress(body, mtime=0), told | {"ETag": f'"{tag}-gzip"', "Content-Encoding": "gzip"})
    return plain, min(plain, packed, key=lambda answer: len(answer.body))


_BUILDING = Lock()  # a browser asks for several files at once: the site is built for the first, and not again


@cache
def _site(voices: tuple[str, ...]) -> dict[str, tuple[Answer, Answer]]:
    return {name: _answers(name, body) for name, body in site(voices).items()}


def _handler(chosen: tuple[str, ...] | None) -> type[BaseHTTPRequestHandler]:
    class PageHandler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        server_version = "fairdeck"
        sys_version = ""
        default_request_version = (
            "HTTP/1.1"  # of a request that names no version; otherwise errors would have no headers
        )
        error_content_type = "text/plain; charset=utf-8"
        error_message_format = "%(code)d %(message)s. The dealing page is at /\n"
        # With a buffer, head and body are sent in one write; of two, the second would wait for an acknowledgement.
        wbufsize = -1

        def setup(self) -> None:
            """Read the head of the connection's only request, up to the largest size."""
            super().setup()
            head, line = b"", b"\n"
            while len(head) < LARGEST_HEAD and (line := self.rfile.readline(LARGEST_HEAD)).strip():
                head += line
            # A head without its end is not a request. Nor is a larger one: its unread rest would interrupt the answer.
            whole = line and len(head) < LARGEST_HEAD
            self.rfile = BufferedReader(BytesIO(head if whole else b""))

        def do_GET(self) -> None:
            cast(_Server, self.server).give(self.connection, TO_ANSWER)
            voices = chosen if chosen is not None else (_wanted(self.headers.get("Accept-Language", "")),)
            name = SITE.sub("", self.path, 1).partition("?")[0].removeprefix("/") or "index.html"
            with _BUILDING:
                found = _site(voices).get(name)
            if not found:
                self.send_error(HTTPStatus.NOT_FOUND, "Not here")
                return
            answer = found[_takes_gzip(self.headers.get("Accept-Encoding", ""))]
            known = self.headers.get("If-None-Match", "")
            changed = answer.headers["ETag"] not in known.replace("W/", "").split(", ")
            self.send_response(HTTPStatus.OK if changed else HTTPStatus.NOT_MODIFIED)
            for each in answer.headers.items():
                self.send_header(*each)
            self.send_header("Content-Length", str(len(answer.body)))
            self.send_header("Connection", "close")
            self.end_headers()
            if self.command == "GET" and changed:
                self.wfile.write(answer.body)

        do_HEAD = do_GET  # noqa: N815 - the base class's name

        def end_headers(self) -> None:
            """Add the headers of every answer."""
            self.send_header("Cache-Control", "no-cache")
            self.send_header("Vary", "Accept-Encoding, Accept-Language")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("Referrer-Policy", "no-referrer")
            self.send_header("X-Frame-Options", "DENY")
            super().end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            """Say nothing: a player does not need a list of requests."""

    return PageHandler
