"""A server for one person at one machine: only who has the link gets what it gives out.

It listens on the loopback alone. The link holds a token that no other page can know; a request that names another host comes
from a page that made its own name lead here, and is refused. A page is built when it is asked for, one at a time. Looking (GET)
changes nothing. What is sent (POST) is taken only where the server was made to take anything, and from its own pages: a browser says
where a request comes from, and no page of others can say otherwise, nor send JSON without asking first.
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
LARGEST_SENT = 1 << 16
"""Bytes that may be sent at once."""
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


class Reply(NamedTuple):
    """What is sent back."""

    kind: str
    content: bytes
    status: int = 200
    headers: Mapping[str, str] = {}


Answers = Callable[[str], Reply | None]
"""(path behind the token, as it was sent): what is there; None where nothing is."""
Takes = Callable[[str, dict[str, Any]], Reply | None]
"""(path behind the token, the JSON object that was sent): what came of it; None where nothing is taken there."""


class Server:
    """Gives out what `answers` finds, to who has the `link`.

    answers   called with one path at a time
    port      where to listen; any free one where it is 0
    takes     what is done with what a page sends; nothing may be sent where left out
    """

    def __init__(self, answers: Answers, port: int = 0, takes: Takes | None = None) -> None:
        self.token = secrets.token_urlsafe(18)
        self._answers = answers
        self.takes = takes
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

    def answer(self, host: str, path: str) -> Reply:
        """What a request for a path gets."""
        refused = self._refused(host, path)
        if refused is not None:
            return refused
        _, slash, rest = _split(path)
        if not slash:
            return Reply(TEXT, b"", 308, {"Location": f"/{self.token}/"})
        return self._locked(lambda: self._answers(rest))

    def taken(self, headers: Message, path: str, sent: bytes) -> Reply:
        """What somebody who sends something gets."""
        refused = self._refused(headers.get("Host", ""), path) or self._foreign(headers)
        if refused is not None:
            return refused
        if headers.get("Content-Type", "").partition(";")[0].strip().lower() != JSON:
            return _said("JSON is taken, and nothing else.", 415)
        try:
            found = json.loads(sent)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            return _said("What was sent is no JSON object.", 400)
        takes = self.takes
        return self._locked(lambda: takes(_split(path)[2], found) if takes is not None else None)

    def _refused(self, host: str, path: str) -> Reply | None:
        """Who called this server by another name, or has no token."""
        if host not in (f"{HOST}:{self.port}", f"localhost:{self.port}"):
            return _said("This server answers to its own name alone.", 403)
        if not hmac.compare_digest(_split(path)[0].encode("utf-8", "replace"), self.token.encode()):
            return _said("Open the whole link that assay printed: it ends in a token.", 403)
        return None

    def _foreign(self, headers: Message) -> Reply | None:
        """What does not come from a page of this server: every browser says where a POST comes from."""
        own = headers.get("Origin") == f"http://{headers.get('Host', '')}"
        if not own or headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            return _said("This server takes what its own page sends, and nothing else.", 403)
        return None

    def _locked(self, work: Callable[[], Reply | None]) -> Reply:
        try:
            with self._lock:
                found = work()
        except Exception as problem:  # noqa: BLE001 - whatever it is, it is said where the page would be
            return Reply(JSON, json.dumps({"problem": _told(problem)}).encode(), 500)
        return found or _said("There is nothing here.", 404)


def _split(path: str) -> tuple[str, str, str]:
    """The token of a path, whether anything follows, and what."""
    return path.partition("?")[0].removeprefix("/").partition("/")


def _said(words: str, status: int) -> Reply:
    return Reply(TEXT, f"{words}\n".encode(), status)


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
        if "Content-Length" in self.headers or "Transfer-Encoding" in self.headers:
            self.close_connection = True  # what comes with a question is not the next one
        self._send(self.server.owner.answer(self.headers.get("Host", ""), self.path))

    def do_HEAD(self) -> None:
        """Say what would be sent."""
        self.do_GET()

    def do_POST(self) -> None:
        """Take what is sent, where anything is."""
        assert isinstance(self.server, _Http)
        owner = self.server.owner
        self.close_connection = True  # whatever else was sent is not the next request
        size = self.headers.get("Content-Length", "")
        if owner.takes is None:
            self._send(_said("Nothing is taken here.", 501))
        elif "Transfer-Encoding" in self.headers or not (size.isascii() and size.isdecimal() and len(size) < 10):
            self._send(_said("Say how long it is.", 411))
        elif int(size) > LARGEST_SENT:
            self._send(_said("That is more than a page sends.", 413))
        else:
            sent = self.rfile.read(int(size))
            if len(sent) == int(size):  # a browser that was ended in the middle meant nothing by it
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
        """Nobody needs to know which Python this is."""
        return "assay"

    def log_message(self, format: str, *args: object) -> None:
        """A terminal is for what a person should know."""
