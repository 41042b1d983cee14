"""Serve the dealing page on this machine, or with --host 0.0.0.0 to the phones around it.

A browser can install it from here; then it opens with the server gone. Unless told otherwise each
browser gets the recorded voice of the language that it asks for.
"""

import errno
import socket
from argparse import ArgumentParser, Namespace
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePath

from fairdeck.cli.exits import FINE
from fairdeck.cli.voices import read_voices, voices_argument
from fairdeck.errors import FairdeckError
from fairdeck.page import LANGUAGES, site
from fairdeck.reading import whole_number

FIRST_PORT, PORTS_TRIED = 8000, 20
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument(
        "--port", metavar="N", help=f"port to listen on (default: the first free one from {FIRST_PORT})"
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser too")
    voices_argument(parser, "the browser's language")


def run(args: Namespace) -> int:
    """Serve until Ctrl-C."""
    chosen = None if args.voices is None else read_voices(args.voices)
    if not args.host:
        raise FairdeckError("host '' is no address: use 127.0.0.1, or 0.0.0.0 for the whole network")
    ports = range(FIRST_PORT, FIRST_PORT + PORTS_TRIED)
    if args.port is not None:
        port = whole_number(args.port, "port", 0, 65535)
        ports = range(port, port + 1)
    with _server(args.host, ports, _handler(chosen)) as server:
        place = f"http://{_reachable(args.host)}:{server.server_address[1]}/"
        try:
            print(f"The dealing page is at {place}\nPress Ctrl-C to stop.", flush=True)
            if args.open:
                import webbrowser

                webbrowser.open(place)
            server.serve_forever()
        except KeyboardInterrupt:
            print("\nStopped.")
    return FINE


class _Server(ThreadingHTTPServer):
    """Listens on IPv6 where the address is one."""

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a browser that hung up."""


def _server(host: str, ports: range, handler: type[BaseHTTPRequestHandler]) -> ThreadingHTTPServer:
    for port in ports:
        try:
            return _Server((host, port), handler)
        except (OSError, UnicodeError, TypeError) as error:  # the last two: no host name at all
            if getattr(error, "errno", None) != errno.EADDRINUSE:
                reason = getattr(error, "strerror", None) or error
                raise FairdeckError(f"cannot listen on {host!r}, port {port} ({reason}): use another --host") from None
    taken = f"port {ports[0]} is" if len(ports) == 1 else f"ports {ports[0]} to {ports[-1]} are"
    raise FairdeckError(f"{taken} taken: choose another with --port")


def _reachable(host: str) -> str:
    """Return the address to type in: for "every address", the one that other machines see."""
    if host != "0.0.0.0":  # noqa: S104 - compared, not listened on
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: nothing is sent, the route is looked up
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def _wanted(accepted: str) -> str:
    """Return the first language of an Accept-Language header that there is a voice for; English if none.

    >>> _wanted("nl, de-AT;q=0.8, en;q=0.7"), _wanted("")
    ('de', 'en')
    """
    asked = (wish.strip()[:2].lower() for wish in accepted.split(","))
    return next((wish for wish in asked if wish in LANGUAGES), "en")


def _handler(chosen: tuple[str, ...] | None) -> type[BaseHTTPRequestHandler]:
    sites = cache(site)

    class PageHandler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        server_version = "fairdeck"
        sys_version = ""
        # Buffered, head and body leave in one write; two would wait for each other's acknowledgement.
        wbufsize = -1

        def do_GET(self) -> None:
            voices = chosen if chosen is not None else (_wanted(self.headers.get("Accept-Language", "")),)
            name = self.path.partition("?")[0].removeprefix("/") or "index.html"
            found = sites(voices).get(name)
            body = b"Not here. The dealing page is at /\n" if found is None else found
            self.send_response(HTTPStatus.NOT_FOUND if found is None else HTTPStatus.OK)
            self.send_header("Content-Type", KINDS[PurePath(name).suffix] if found else "text/plain; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-cache")
            self.send_header("Vary", "Accept-Language")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("Referrer-Policy", "no-referrer")
            self.send_header("X-Frame-Options", "DENY")
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        do_HEAD = do_GET  # noqa: N815 - the base class's name

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            """Say nothing: a player's terminal needs no list of requests."""

    return PageHandler
