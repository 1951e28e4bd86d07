"""A web server on the loopback interface, reachable only with a secret token in the URL.

The token keeps other users and pages out; requests with another Host header (DNS rebinding) are refused. Pages are built on demand,
one at a time. GET changes nothing. POST is accepted only if the server has a handler, as JSON and from its own pages: the Origin and
Sec-Fetch-Site headers of a browser cannot be forged by other pages (CSRF).
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from assay.errors import AssayError, InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from email.message import Message

HOST = "127.0.0.1"
MAX_POST = 1 << 16
"""Bytes of the largest request body."""
IDLE_TIMEOUT = 60
"""Seconds without data after which a connection is closed."""
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
HTML, JSON, TEXT = "text/html; charset=utf-8", "application/json", "text/plain; charset=utf-8"


class Reply(NamedTuple):
    """A response."""

    kind: str
    content: bytes
    status: int = 200
    headers: Mapping[str, str] = {}


Answers = Callable[[str], Reply | None]
"""(path after the token, undecoded): the page, or None."""
Takes = Callable[[str, dict[str, Any]], Reply | None]
"""(path after the token, JSON object of the request): the response, or None."""


class Server:
    """Serve the pages of `answers` at `link`.

    answers   returns a page; called with one path at a time
    port      the port to listen on; 0 chooses a free one
    takes     handles POST requests; by default they are refused
    """

    def __init__(self, answers: Answers, port: int = 0, takes: Takes | None = None) -> None:
        self.token: str = secrets.token_urlsafe(18)
        self._answers = answers
        self.takes = takes
        self._lock = threading.Lock()
        try:
            self._http = _Http((HOST, port), self)
        except (OSError, OverflowError) as problem:
            why = getattr(problem, "strerror", None) or problem
            raise InputError(f"port {port}: cannot be listened on: {why}; 0 chooses a free one") from None
        self.port: int = self._http.server_address[1]

    @property
    def link(self) -> str:
        """The URL to open in a browser."""
        return f"http://{HOST}:{self.port}/{self.token}/"

    def run(self) -> None:
        """Serve until `stop` is called or the process is interrupted."""
        try:
            self._http.serve_forever(poll_interval=0.2)
        finally:
            self._http.server_close()

    def close(self) -> None:
        """Release the port if `run` was never called."""
        self._http.server_close()

    def stop(self) -> None:
        """Make `run` return; call this from another thread."""
        self._http.shutdown()

    def answer(self, host: str, path: str) -> Reply:
        """Return the response to a GET request."""
        refusal = self._check_host_and_token(host, path)
        if refusal is not None:
            return refusal
        _, slash, rest = _split(path)
        if not slash:
            return Reply(TEXT, b"", 308, {"Location": f"/{self.token}/"})
        return self._locked(lambda: self._answers(rest))

    def taken(self, headers: Message, path: str, sent: bytes) -> Reply:
        """Return the response to a POST request."""
        refusal = self._check_host_and_token(headers.get("Host", ""), path) or self._check_origin(headers)
        if refusal is not None:
            return refusal
        if headers.get("Content-Type", "").partition(";")[0].strip().lower() != JSON:
            return _text("Expected JSON.", 415)
        try:
            values = json.loads(sent)
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict):
            return _text("Expected a JSON object.", 400)
        takes = self.takes
        return self._locked(lambda: takes(_split(path)[2], values) if takes is not None else None)

    def _check_host_and_token(self, host: str, path: str) -> Reply | None:
        """Refuse a request with another host name or a wrong token."""
        if host not in (f"{HOST}:{self.port}", f"localhost:{self.port}"):
            return _text("Wrong host name.", 403)
        if not hmac.compare_digest(_split(path)[0].encode("utf-8", "replace"), self.token.encode()):
            return _text("Wrong token. Open the whole link that assay printed.", 403)
        return None

    def _check_origin(self, headers: Message) -> Reply | None:
        """Refuse a request that does not come from a page of this server."""
        same_origin = headers.get("Origin") == f"http://{headers.get('Host', '')}"
        if not same_origin or headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            return _text("Only pages of this server may send data.", 403)
        return None

    def _locked(self, work: Callable[[], Reply | None]) -> Reply:
        try:
            with self._lock:
                reply = work()
        except Exception as problem:  # noqa: BLE001 - the page shows the error
            return Reply(JSON, json.dumps({"problem": _error_message(problem)}).encode(), 500)
        return reply or _text("Not found.", 404)


def _split(path: str) -> tuple[str, str, str]:
    """Return the token of a path, the slash after it if there is one, and the rest."""
    return path.partition("?")[0].removeprefix("/").partition("/")


def _text(words: str, status: int) -> Reply:
    return Reply(TEXT, f"{words}\n".encode(), status)


def _error_message(problem: Exception) -> str:
    if isinstance(problem, AssayError):
        return str(problem)
    return f"this page could not be built: {type(problem).__name__}: {problem}; assay has a fault, please report it"


def check_port(port: int) -> None:
    """Refuse a port that is in use, before any work is done."""
    Server(lambda path: None, port).close()


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], owner: Server) -> None:
        self.owner = owner
        super().__init__(address, _Request)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore browsers that close the connection during a response."""


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = IDLE_TIMEOUT

    def do_GET(self) -> None:
        """Send the page."""
        assert isinstance(self.server, _Http)
        if "Content-Length" in self.headers or "Transfer-Encoding" in self.headers:
            self.close_connection = True  # a body is not the next request
        self._send(self.server.owner.answer(self.headers.get("Host", ""), self.path))

    def do_HEAD(self) -> None:
        """Send the headers of the page."""
        self.do_GET()

    def do_POST(self) -> None:
        """Pass a JSON object to the server's handler."""
        assert isinstance(self.server, _Http)
        owner = self.server.owner
        self.close_connection = True  # an unread body is not the next request
        size = self.headers.get("Content-Length", "")
        if owner.takes is None:
            self._send(_text("POST is not supported.", 501))
        elif "Transfer-Encoding" in self.headers or not (size.isascii() and size.isdecimal() and len(size) < 10):
            self._send(_text("Content-Length is missing.", 411))
        elif int(size) > MAX_POST:
            self._send(_text("The request is too large.", 413))
        else:
            sent = self.rfile.read(int(size))
            if len(sent) == int(size):  # otherwise the browser was closed during the request
                self._send(owner.taken(self.headers, self.path, sent))

    def _send(self, answer: Reply) -> None:
        self.send_response(answer.status)
        for name, value in {**HEADERS, **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.content)

    def version_string(self) -> str:
        """Hide the version of Python."""
        return "assay"

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""
