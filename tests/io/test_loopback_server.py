"""The server for one person: who gets an answer, who does not, and what is said to either."""

from __future__ import annotations

import http.client
import json
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from running_server import running

from assay.errors import InputError
from assay.io.loopback_server import HTML, TEXT, Reply, Server


def answers(path: str) -> Reply | None:
    if path == "broken":
        raise InputError("log.jsonl: has changed since it was read")
    return Reply(HTML, f"<p>{path}</p>".encode(), headers={"X-Own": "yes"}) if path in ("", "sheet/a%2Fb") else None


def asked(server: Server, path: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    answer.content = answer.read()  # type: ignore[attr-defined]
    connection.close()
    return answer


def test_who_has_the_link_is_answered() -> None:
    with running(Server(answers)) as server:
        assert server.link == f"http://127.0.0.1:{server.port}/{server.token}/"
        found = asked(server, f"/{server.token}/")
        assert (found.status, found.content, found.getheader("Content-Type")) == (200, b"<p></p>", HTML)
        assert found.getheader("X-Own") == "yes"
        assert asked(server, f"/{server.token}/sheet/a%2Fb?x=1").content == b"<p>sheet/a%2Fb</p>"


def test_headers_keep_the_link_and_the_pages_to_this_browser() -> None:
    with running(Server(answers)) as server:
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
    with running(Server(answers)) as server:
        found = asked(server, path)
        assert found.status == 403
        assert server.token.encode() not in found.content
        assert b"link" in found.content


def test_a_name_that_somebody_made_lead_here_is_refused() -> None:
    with running(Server(answers)) as server:
        for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", "127.0.0.1:1", ""):
            assert asked(server, f"/{server.token}/", Host=host).status == 403
        assert asked(server, f"/{server.token}/", Host=f"localhost:{server.port}").status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_written(method) -> None:
    with running(Server(answers)) as server:
        assert asked(server, f"/{server.token}/", method).status == 501


def test_what_is_not_there_and_what_went_wrong() -> None:
    with running(Server(answers)) as server:
        assert asked(server, f"/{server.token}/nothing").status == 404
        moved = asked(server, f"/{server.token}")
        assert (moved.status, moved.getheader("Location")) == (308, f"/{server.token}/")
        broken = asked(server, f"/{server.token}/broken")
        assert (broken.status, broken.content) == (500, b'{"problem": "log.jsonl: has changed since it was read"}')
        assert asked(server, f"/{server.token}/", "HEAD").content == b""


def test_two_servers_have_two_tokens_and_one_port_is_one_servers() -> None:
    with running(Server(answers)) as one, running(Server(answers)) as two:
        assert one.token != two.token
        assert len(one.token) >= 24
        assert asked(one, f"/{two.token}/").status == 403
        with pytest.raises(InputError, match=rf"port {one.port}: cannot be listened on: .*; 0 chooses a free one"):
            Server(answers, one.port)
    with pytest.raises(InputError, match="port 70000: cannot be listened on"):
        Server(answers, 70000)


def test_it_listens_on_the_loopback_alone() -> None:
    with running(Server(answers)) as server:
        assert server._http.server_address[0] == "127.0.0.1"


def test_plain_words_are_plain_text() -> None:
    with running(Server(answers)) as server:
        assert asked(server, "/").getheader("Content-Type") == TEXT


@pytest.mark.parametrize(
    "problem", [ZeroDivisionError("division by zero"), RecursionError(), MemoryError(), KeyError("x")]
)
def test_what_nobody_foresaw_is_told_to_the_browser_and_not_to_the_terminal(problem, capfd) -> None:
    """Red before: the connection was closed without a word, as if the server had been stopped."""

    def broken(path: str) -> Reply | None:
        raise problem

    with running(Server(broken)) as server:
        for _ in range(2):
            found = asked(server, f"/{server.token}/sheet/x")
            assert found.status == 500
            said = json.loads(found.content)["problem"]
            assert said.startswith(f"this page could not be built: {type(problem).__name__}")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "sent",
    [
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n",
        b"GET /TOKEN/ HTTP/9.9\r\n\r\n",
        b"GET /TOKEN/ HTTP/1.1\r\n\r\n",
        b"GET /TOKEN/\r\n\r\n",
        b"GET http://evil.example/TOKEN/ HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: close\r\n\r\n",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n",
        b"GET /TOKEN/ HTTP/1.1\r\n" + b"X: y\r\n" * 200 + b"\r\n",
        b"GET /TOKEN/../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: close\r\n\r\n",
        b"GET /TOKEN/sheet/..%2f..%2fetc%2fpasswd HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: close\r\n\r\n",
    ],
)
def test_what_is_no_request_of_a_browser_gets_nothing_and_stops_nothing(sent, capfd) -> None:
    with running(Server(answers)) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
            own = sent.replace(b"TOKEN", server.token.encode()).replace(b"PORT", str(server.port).encode())
            connection.sendall(own)
            connection.shutdown(socket.SHUT_WR)
            with suppress(ConnectionResetError):
                assert b"<p>" not in b"".join(iter(lambda: connection.recv(1 << 16), b"")).split(b"\r\n\r\n", 1)[-1][:3]
        assert asked(server, f"/{server.token}/").status == 200
    assert capfd.readouterr() == ("", "")


def test_a_request_of_the_last_century_is_answered_once() -> None:
    with (
        running(Server(answers)) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection,
    ):
        connection.sendall(f"GET /{server.token}/ HTTP/1.0\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        assert b"".join(iter(lambda: connection.recv(1 << 16), b"")).endswith(b"\r\n\r\n<p></p>")


def test_a_client_that_says_nothing_keeps_nobody_waiting() -> None:
    with running(Server(answers)) as server:
        silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(30)]
        for one in silent[:15]:
            one.sendall(f"GET /{server.token}/ HTT".encode())
        assert asked(server, f"/{server.token}/").status == 200
        for one in silent:
            one.close()


def test_one_page_is_built_at_a_time_and_everyone_gets_his_own() -> None:
    building, most = [0], [0]

    def counted(path: str) -> Reply | None:
        building[0] += 1
        most[0] = max(most[0], building[0])
        found = Reply(TEXT, path.encode() * 50_000)
        building[0] -= 1
        return found

    with running(Server(counted)) as server, ThreadPoolExecutor(24) as pool:
        found = [*pool.map(lambda i: asked(server, f"/{server.token}/{i}").content, range(96))]
    assert found == [str(i).encode() * 50_000 for i in range(96)]
    assert most == [1]
