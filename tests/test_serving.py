"""The server for one person: who gets an answer, who does not, and what is said to either."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from assay.errors import InputError
from assay.serving import HTML, TEXT, Answer, Server


def answers(path: str) -> Answer | None:
    if path == "broken":
        raise InputError("log.jsonl: has changed since it was read")
    return Answer(HTML, f"<p>{path}</p>".encode(), headers={"X-Own": "yes"}) if path in ("", "sheet/a%2Fb") else None


@contextmanager
def running(port: int = 0) -> Iterator[Server]:
    server = Server(answers, port)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()


def asked(server: Server, path: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    answer.content = answer.read()  # type: ignore[attr-defined]
    connection.close()
    return answer


def test_who_has_the_link_is_answered() -> None:
    with running() as server:
        assert server.link == f"http://127.0.0.1:{server.port}/{server.token}/"
        found = asked(server, f"/{server.token}/")
        assert (found.status, found.content, found.getheader("Content-Type")) == (200, b"<p></p>", HTML)
        assert found.getheader("X-Own") == "yes"
        assert asked(server, f"/{server.token}/sheet/a%2Fb?x=1").content == b"<p>sheet/a%2Fb</p>"


def test_headers_keep_the_link_and_the_pages_to_this_browser() -> None:
    with running() as server:
        headers = asked(server, f"/{server.token}/").headers
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] == "no-store"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["X-Frame-Options"] == "DENY"
        assert "Access-Control-Allow-Origin" not in headers
        assert headers["Server"] == "assay"


@pytest.mark.parametrize("path", ["/", "/wrong/", "/favicon.ico", "//", "/%00/"])
def test_nobody_else_is(path) -> None:
    with running() as server:
        found = asked(server, path)
        assert found.status == 403
        assert server.token.encode() not in found.content
        assert b"link" in found.content


def test_a_name_that_somebody_made_lead_here_is_refused() -> None:
    with running() as server:
        for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", "127.0.0.1:1", ""):
            assert asked(server, f"/{server.token}/", Host=host).status == 403
        assert asked(server, f"/{server.token}/", Host=f"localhost:{server.port}").status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_written(method) -> None:
    with running() as server:
        assert asked(server, f"/{server.token}/", method).status == 501


def test_what_is_not_there_and_what_went_wrong() -> None:
    with running() as server:
        assert asked(server, f"/{server.token}/nothing").status == 404
        moved = asked(server, f"/{server.token}")
        assert (moved.status, moved.getheader("Location")) == (308, f"/{server.token}/")
        broken = asked(server, f"/{server.token}/broken")
        assert (broken.status, broken.content) == (500, b'{"problem": "log.jsonl: has changed since it was read"}')
        assert asked(server, f"/{server.token}/", "HEAD").content == b""


def test_two_servers_have_two_tokens_and_one_port_is_one_servers() -> None:
    with running() as one, running() as two:
        assert one.token != two.token
        assert len(one.token) >= 24
        assert asked(one, f"/{two.token}/").status == 403
        with pytest.raises(InputError, match=rf"port {one.port}: cannot be listened on: .*; 0 takes any that is free"):
            Server(answers, one.port)
    with pytest.raises(InputError, match="port 70000: cannot be listened on"):
        Server(answers, 70000)


def test_it_listens_on_the_loopback_alone() -> None:
    with running() as server:
        assert server._http.server_address[0] == "127.0.0.1"


def test_plain_words_are_plain_text() -> None:
    with running() as server:
        assert asked(server, "/").getheader("Content-Type") == TEXT
