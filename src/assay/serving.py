"""A server for one person at one machine: what it gives out is read-only, and only who has the link gets it.

It listens on the loopback alone. The link holds a token that no other page can know; a request that names another host comes
from a page that made its own name lead here, and is refused. A page is built when it is asked for, one at a time.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from assay.errors import AssayError, InputError

HOST = "127.0.0.1"
PATIENCE = 60
"""Seconds that a connection may say nothing."""
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
HTML, JSON, TEXT = "text/html; charset=utf-8", "application/json", "text/plain; charset=utf-8"


class Answer(NamedTuple):
    """What is sent back."""

    kind: str
    content: bytes
    status: int = 200
    headers: Mapping[str, str] = {}


Answers = Callable[[str], Answer | None]
"""(path behind the token, as it was sent): what is there; None where nothing is."""


class Server:
    """Gives out what `answers` finds, to who has the `link`.

    answers   called with one path at a time
    port      where to listen; any free one where it is 0
    """

    def __init__(self, answers: Answers, port: int = 0) -> None:
        self.token = secrets.token_urlsafe(18)
        self._answers = answers
        self._lock = threading.Lock()
        try:
            self._http = _Http((HOST, port), self)
        except (OSError, OverflowError) as problem:
            why = getattr(problem, "strerror", None) or problem
            raise InputError(f"port {port}: cannot be listened on: {why}; 0 takes any that is free") from None
        self.port: int = self._http.server_address[1]

    @property
    def link(self) -> str:
        """What to open in a browser."""
        return f"http://{HOST}:{self.port}/{self.token}/"

    def run(self) -> None:
        """Serve until somebody calls `stop`, or interrupts."""
        try:
            self._http.serve_forever(poll_interval=0.2)
        finally:
            self._http.server_close()

    def close(self) -> None:
        """Let go of the port, where `run` was never called."""
        self._http.server_close()

    def stop(self) -> None:
        """Let `run` return, from another thread."""
        self._http.shutdown()

    def answer(self, host: str, path: str) -> Answer:
        """What a request for a path gets."""
        if host not in (f"{HOST}:{self.port}", f"localhost:{self.port}"):
            return Answer(TEXT, b"This server answers to its own name alone.\n", 403)
        token, slash, rest = path.partition("?")[0].removeprefix("/").partition("/")
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode()):
            return Answer(TEXT, b"Open the whole link that assay printed: it ends in a token.\n", 403)
        if not slash:
            return Answer(TEXT, b"", 308, {"Location": f"/{self.token}/"})
        try:
            with self._lock:
                found = self._answers(rest)
        except Exception as problem:  # noqa: BLE001 - whatever it is, it is said where the page would be
            return Answer(JSON, json.dumps({"problem": _told(problem)}).encode(), 500)
        return found or Answer(TEXT, b"There is nothing here.\n", 404)


def _told(problem: Exception) -> str:
    """What went wrong, in the words of its message; what nobody foresaw has its name, too."""
    if isinstance(problem, AssayError):
        return str(problem)
    return f"this page could not be built: {type(problem).__name__}: {problem}; assay has a fault, please report it"


def check_port(port: int) -> None:
    """Refuse a port that is taken, before any work is done for it."""
    Server(lambda path: None, port).close()


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], owner: Server) -> None:
        self.owner = owner
        super().__init__(address, _Request)

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle of an answer is nobody's fault."""


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = PATIENCE

    def do_GET(self) -> None:
        """Send what is there."""
        assert isinstance(self.server, _Http)
        self._send(self.server.owner.answer(self.headers.get("Host", ""), self.path))

    def do_HEAD(self) -> None:
        """Say what would be sent."""
        self.do_GET()

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in {**HEADERS, **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.content)

    def version_string(self) -> str:
        """Nobody needs to know which Python this is."""
        return "assay"

    def log_message(self, format: str, *args: object) -> None:
        """A terminal is for what a person should know."""
