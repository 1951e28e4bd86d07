"""A server of this machine that answers as Hugging Face's hub does, as far as huggingface_hub asks to list and read one data set."""

from __future__ import annotations

import json
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from threading import Thread
from urllib.parse import unquote, urlparse

NAME = "lab/campaign"


class Hub:
    """The data set `lab/campaign`, whose files are put there while it is served."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Asked", (_Asked,), {"hub": self}))
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def put(self, path: str, body: bytes) -> None:
        self.files[path] = body

    def listed(self, folder: str) -> list[dict[str, object]]:
        """What stands in a folder."""
        files = {path: ("file", len(body), sha1(body).hexdigest()) for path, body in self.files.items()}
        parents = {str(parent) for path in self.files for parent in PurePosixPath(path).parents} - {"."}
        folders = {path: ("directory", 0, sha1(path.encode()).hexdigest()) for path in parents}
        return [
            {"type": kind, "path": path, "size": size, "oid": oid}
            for path, (kind, size, oid) in sorted({**files, **folders}.items())
            if str(PurePosixPath(path).parent) == (folder or ".")
        ]


class _Asked(BaseHTTPRequestHandler):
    hub: Hub

    def log_message(self, format: str, *args: object) -> None:
        del format, args

    def do_GET(self) -> None:
        path = unquote(urlparse(self.path).path)
        about, tree, file = (
            f"/api/datasets/{NAME}",
            f"/api/datasets/{NAME}/tree/main",
            f"/datasets/{NAME}/resolve/main/",
        )
        if path in (about, f"{about}/revision/main"):
            return self._answer(200, {"id": NAME, "sha": "0" * 40, "private": False, "tags": [], "siblings": []})
        if path.startswith(tree):
            found = self.hub.listed(path.removeprefix(tree).strip("/"))
            return self._answer(200 if found else 404, found)
        body = self.hub.files.get(path.removeprefix(file)) if path.startswith(file) else None
        if body is None:
            return self._answer(404, {})
        first, _, last = self.headers.get("Range", "bytes=0-").partition("=")[2].partition("-")
        return self._send(206, body[int(first) : int(last) + 1 if last else None])

    do_HEAD = do_GET

    def _answer(self, code: int, found: object) -> None:
        missing = (
            {"X-Error-Code": "EntryNotFound" if f"/{NAME}" in self.path else "RepoNotFound"} if code == 404 else {}
        )
        self._send(code, json.dumps(found).encode(), missing)

    def _send(self, code: int, body: bytes, also: dict[str, str] | None = None) -> None:
        self.send_response(code)
        for name, value in {
            "Content-Length": str(len(body)),
            "Content-Type": "application/json",
            **(also or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
