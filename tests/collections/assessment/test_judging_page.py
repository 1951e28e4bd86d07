"""What the page is given and what it may send, through a real server."""

from __future__ import annotations

import http.client
import json
import socket
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running_server import running

import assay
from assay.collections.assessment.judging_page import MAX_DOCUMENT_LENGTH, JudgingPage, document, pieces, stem, stems
from assay.formats.auxiliary.topics import Topic
from assay.io.loopback_server import MAX_POST, Server

POOL = {"q1": ["a", "b"], "q2": ["c", "d", "e"]}
TOPICS = {"q1": Topic("salt marshes", "What?", "Only this."), "q2": Topic("noise")}
DOCS = {
    "a": "Salt in the marsh",
    "b": "<script>alert(1)</script><img src=x onerror=alert(2)> noise of salt",
    "c": "x" * (MAX_DOCUMENT_LENGTH + 7),
}


class Client:
    """A browser that says what it is told to say."""

    def __init__(self, server):
        self.server = server

    def ask(self, path, method="GET", body=None, host=None, token=None, length=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        connection.putrequest(method, f"/{token or self.server.token}/{path}", skip_host=True)
        connection.putheader("Host", host or f"127.0.0.1:{self.server.port}")
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body) if length is None else length))
        connection.endheaders(body)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content

    def look(self, path):
        status, content = self.ask(path)
        assert status == 200, content
        return json.loads(content)

    def send(self, path, body, **changed):
        told = {"Origin": f"http://127.0.0.1:{self.server.port}", "Content_Type": "application/json", **changed}
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask(path, "POST", sent, **{name: value for name, value in told.items() if value is not None})


@pytest.fixture
def sitting(tmp_path):
    with assay.judge(POOL, TOPICS, DOCS, judge="ann", judgments=str(tmp_path / "ann.judgments.jsonl")) as made:
        yield made


@pytest.fixture
def client(sitting):
    page = JudgingPage(sitting)
    with running(Server(page.look, 0, page.take)) as server:
        yield Client(server)


def kept(sitting) -> list[str]:
    with open(sitting.file, encoding="utf-8") as file:
        return file.readlines()


def test_a_judgment_is_saved_and_the_next_document_shown(client, sitting) -> None:
    found = client.look("start.json")
    assert (found["place"], found["done"], found["total"], found["grade"], found["last"]) == (0, 0, 5, None, None)
    assert found["topic"] == {
        "id": "q1", "number": 1, "of": 2, "done": 0, "total": 2, "title": "salt marshes", "description": "What?",
        "narrative": "Only this.", "before": None, "after": 2,
    }  # fmt: skip
    assert found["document"]["text"] == ["", "Salt", " in the ", "marsh", ""]
    status, content = client.send("judge.json", {"topic": "q1", "document": "a", "grade": 3})
    found = json.loads(content)
    assert (status, found["place"], found["done"]) == (200, 1, 1)
    assert found["last"] == {"topic": "q1", "document": "a", "grade": 3}
    assert json.loads(kept(sitting)[0])["grade"] == 3
    status, content = client.send("undo.json", {"topic": "q1", "document": "a", "grade": 3})
    assert (status, json.loads(content)["place"], json.loads(content)["done"]) == (200, 0, 0)
    assert len(kept(sitting)) == 2


def test_looking_changes_nothing(client, sitting) -> None:
    for path in ("", "start.json", "at/3.json", "after/4.json"):
        assert client.ask(path)[0] == 200
    for path in ("at/5.json", "at/-1.json", "at/x.json", "at/%D9%A3.json", "judge.json", "undo.json", "../x"):
        assert client.ask(path)[0] == 404
    for path in ("judge.json?topic=q1&document=a&grade=1", "judge.json"):
        assert client.ask(path)[0] == 404
    assert (kept(sitting), sitting.queue.done) == ([], 0)


def test_places_topics_and_what_has_no_text(client) -> None:
    assert client.look("after/0.json")["place"] == 1
    assert client.look("after/4.json")["place"] == 2
    found = client.look("at/4.json")
    assert (found["topic"]["before"], found["topic"]["after"], found["document"]["number"]) == (0, None, 3)
    assert found["document"]["missing"] is True
    assert client.look("at/2.json")["document"]["cut"] == 7
    assert sum(map(len, client.look("at/2.json")["document"]["text"])) == MAX_DOCUMENT_LENGTH


def test_the_end_is_said_and_the_last_document_stays(client, sitting) -> None:
    for topic, one in [(topic, one) for topic, of in POOL.items() for one in of]:
        _status, content = client.send("judge.json", {"topic": topic, "document": one, "grade": 0})
    assert (json.loads(content)["complete"], json.loads(content)["place"], json.loads(content)["grade"]) == (True, 4, 0)
    assert client.look("start.json")["complete"] is True
    assert client.look("at/1.json")["complete"] is True


JUDGED = {"topic": "q1", "document": "a", "grade": 1}


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"token": "wrong"}, 403),
        ({"host": "evil.example"}, 403),
        ({"host": "evil.example", "Origin": "http://evil.example"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": None}, 403),
        ({"Origin": "https://127.0.0.1"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Sec_Fetch_Site": "none"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content_Type": None}, 415),
        ({"length": "x"}, 411),
        ({"length": "-1"}, 411),
        ({"length": MAX_POST + 1}, 413),
        ({"Transfer_Encoding": "chunked"}, 411),
    ],
)  # fmt: skip
def test_what_does_not_come_from_the_page_is_refused(client, sitting, changed, status) -> None:
    assert client.send("judge.json", JUDGED, **changed)[0] == status
    assert kept(sitting) == []
    own = {"Sec_Fetch_Site": "same-origin", "Content_Type": "application/json; charset=utf-8"}
    assert client.send("judge.json", JUDGED, **own)[0] == 200
    assert (
        client.send(
            "undo.json", JUDGED, host=f"localhost:{client.server.port}", Origin=f"http://localhost:{client.server.port}"
        )[0]
        == 200
    )


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"1", b'"x"', b"\xff", b"[" * 30_000, b"null"])
def test_what_is_no_json_object(client, sitting, body) -> None:
    assert client.send("judge.json", body)[0] == 400
    assert kept(sitting) == []


@pytest.mark.parametrize(
    "body",
    [
        {}, {**JUDGED, "grade": 4}, {**JUDGED, "grade": -1}, {**JUDGED, "grade": "1"}, {**JUDGED, "grade": True}, {**JUDGED, "grade": 1.0},
        {**JUDGED, "document": "z"}, {**JUDGED, "topic": "q2"}, {**JUDGED, "topic": ["q1"]}, {**JUDGED, "document": None},
    ],
)  # fmt: skip
def test_what_is_no_judgment_of_this_pool(client, sitting, body) -> None:
    status, content = client.send("judge.json", body)
    assert status == 409
    assert json.loads(content)["problem"]
    assert kept(sitting) == []


def test_only_what_the_page_believes_to_be_the_last_is_taken_back(client, sitting) -> None:
    assert client.send("undo.json", JUDGED)[0] == 409
    client.send("judge.json", JUDGED)
    client.send("judge.json", {**JUDGED, "document": "b"})  # in another window
    assert client.send("undo.json", JUDGED)[0] == 409
    assert sitting.queue.done == 2
    client.send("judge.json", {**JUDGED, "grade": 2, "shown": 1})
    assert client.send("undo.json", JUDGED)[0] == 409  # it is 2 that would be taken back
    assert client.send("undo.json", {**JUDGED, "grade": 2})[0] == 200


def test_a_window_that_shows_what_is_no_longer_so_judges_nothing(client, sitting) -> None:
    client.send("judge.json", JUDGED)
    status, content = client.send("judge.json", {**JUDGED, "grade": 3})  # this window shows it unjudged
    assert (status, "another window has judged a;" in json.loads(content)["problem"]) == (409, True)
    assert client.send("judge.json", {**JUDGED, "grade": 3, "shown": 2})[0] == 409
    assert len(kept(sitting)) == 1
    assert client.send("judge.json", {**JUDGED, "grade": 3, "shown": 1})[0] == 200
    assert sitting.queue.grade("q1", "a") == 3


def test_what_comes_with_a_question_is_not_the_next_one(client, sitting) -> None:
    server = client.server
    host = f"Host: 127.0.0.1:{server.port}"
    body = json.dumps(JUDGED)
    hidden = (
        f"POST /{server.token}/judge.json HTTP/1.1\r\n{host}\r\nOrigin: http://127.0.0.1:{server.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    )
    for said in (f"Content-Length: {len(hidden)}", "Transfer-Encoding: chunked"):
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
            connection.sendall(f"GET /{server.token}/start.json HTTP/1.1\r\n{host}\r\n{said}\r\n\r\n{hidden}".encode())
            answered = b""
            with suppress(ConnectionError):
                while more := connection.recv(1 << 16):
                    answered += more
        assert answered.count(b"HTTP/1.1 ") == 1
    assert kept(sitting) == []


def test_other_methods_and_addresses_take_nothing(client, sitting) -> None:
    assert client.send("start.json", JUDGED)[0] == 404
    assert client.send("", JUDGED)[0] == 404
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        assert client.ask("judge.json", method)[0] == 501
    assert kept(sitting) == []


def test_a_disk_that_is_full_is_told_to_the_page(client, sitting, monkeypatch) -> None:
    monkeypatch.setattr("assay.collections.assessment.judgments_file.os.write", lambda file, data: 0)
    status, content = client.send("judge.json", JUDGED)
    assert (status, "nothing was saved" in json.loads(content)["problem"]) == (500, True)
    assert sitting.queue.done == 0


def test_a_hostile_document_is_data_and_the_page_runs_its_own_script_alone(client) -> None:
    html, policy = document()
    assert b"alert(1)" not in html
    for part in (
        "default-src 'none'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    ):
        assert part in policy
    assert "unsafe" not in policy
    script = html.decode().partition("<script>")[2]
    for risky in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("):
        assert risky not in script
    assert "".join(client.look("at/1.json")["document"]["text"]) == DOCS["b"]


@pytest.mark.parametrize(
    ("link", "shown"),
    [("https://example.org/a", True), ("javascript:alert(1)", False), ("data:text/html,x", False), (7, False)],
)
def test_only_links_of_the_web_are_links(tmp_path, link, shown) -> None:
    docs = json.dumps({"id": "a", "text": "x", "url": link}).encode()
    with assay.judge({"q": ["a"]}, {"q": "?"}, docs, judge="ann", judgments=str(tmp_path / "x")) as sitting:
        found = json.loads(JudgingPage(sitting).look("at/0.json").content)
        assert found["document"]["link"] == (link if shown else "")


def test_a_next_document_that_cannot_be_read_does_not_make_a_saved_judgment_unsaved(tmp_path) -> None:
    docs = tmp_path / "docs.tsv"
    docs.write_text("a\tone\nb\ttwo\n")
    with assay.judge({"q": ["a", "b"]}, {"q": "?"}, str(docs), judge="ann", judgments=str(tmp_path / "x")) as sitting:
        docs.unlink()
        found = JudgingPage(sitting).take("judge.json", {"topic": "q", "document": "a", "grade": 1})
        shown = json.loads(found.content)["document"]
        assert (found.status, shown["id"], shown["missing"]) == (200, "b", True)
        assert "cannot be read" in shown["problem"]


def test_no_fault_of_the_next_document_makes_a_saved_judgment_unsaved(sitting, monkeypatch) -> None:
    def fails(document):
        raise RecursionError("too deep")

    monkeypatch.setattr(sitting.texts, "get", fails)
    found = JudgingPage(sitting).take("judge.json", JUDGED)
    assert (found.status, len(kept(sitting))) == (200, 1)
    assert json.loads(found.content)["document"]["problem"] == "The text cannot be shown: RecursionError: too deep"


@given(st.text(), st.text())
def test_pieces_are_the_text_and_every_second_is_marked(text, topic) -> None:
    found = pieces(text, stems(topic))
    assert "".join(found) == text
    assert len(found) % 2 == 1
    assert all(found[1::2])
    assert pieces(text, frozenset()) == [text]


@pytest.mark.parametrize(
    ("topic", "word"),
    [
        ("restoring marshes", "RESTORED"), ("restoring marshes", "restoration"), ("marshes", "marsh"), ("policy", "policies"),
        ("stopping", "stopped"), ("café", "Cafe"), ("noise", "noises"), ("Öl", "ÖL"), ("COVID-19", "covid"), ("run", "running"),
    ],
)  # fmt: skip
def test_other_forms_of_a_word_are_marked(topic, word) -> None:
    assert pieces(f"the {word}.", stems(topic)) == ["the ", word, "."]


def test_words_that_say_nothing_and_parts_of_words_are_not() -> None:
    assert pieces("What is the art of martial law?", stems("What is the art of?")) == [
        "What is the ",
        "art",
        " of martial law?",
    ]
    assert stem("gas") != stem("gate")


def test_neighbours_without_a_blank_are_one_mark() -> None:
    assert pieces("中文字", stems("中文")) == ["", "中文", "字"]
