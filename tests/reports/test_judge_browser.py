"""Judging in a real browser, by keyboard alone: what is pressed is what stands in the file, and what a document holds is text."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager

import pytest
from running_server import running

import assay
from assay.collections.assessment.judging_page import JudgingPage
from assay.demo.data import organising
from assay.formats.auxiliary.topics import Topic
from assay.io.loopback_server import Server

pytestmark = pytest.mark.slow

HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>\u202e noise </div>'


@contextmanager
def served(sitting):
    page = JudgingPage(sitting)
    with sitting, running(Server(page.look, 0, page.take)) as server:
        yield server


@pytest.fixture
def made(tmp_path):
    """The demo's pool, served; the last document of its first topic is hostile."""
    files = {name: content.encode() for name, content in organising(2001).items()}
    pool = [json.loads(line) for line in files["pool.jsonl"].splitlines()]
    docs = [json.loads(line) for line in files["docs.jsonl"].splitlines()]
    for one in docs:
        if one["id"] == pool[7]["document"]:
            one |= {"title": HOSTILE, "text": HOSTILE, "url": "javascript:alert(1)"}
    sitting = assay.judge(
        files["pool.jsonl"], files["topics.jsonl"], "\n".join(map(json.dumps, docs)).encode(), judge="ann",
        judgments=str(tmp_path / "ann.judgments.jsonl"),
    )  # fmt: skip
    with served(sitting) as server:
        yield sitting, server, pool


@pytest.fixture
def visit(browser):
    """Open the page, and at the end insist that it asked this server alone and complained of nothing."""
    opened = []

    def open_page(server, **options):
        page = browser.new_page(**{"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **options})
        page.set_default_timeout(15_000)
        heard = {"requests": [], "complaints": []}
        page.on("request", lambda request: heard["requests"].append(request.url))
        page.on("console", lambda message: heard["complaints"].append(message.text))
        page.on("pageerror", lambda problem: heard["complaints"].append(str(problem)))
        page.on("dialog", lambda dialog: heard["complaints"].append(f"dialog {dialog.message}"))
        page.goto(server.link)
        page.wait_for_selector("body[data-place]")
        opened.append((page, heard, server.link))
        return page

    yield open_page
    for page, heard, link in opened:
        assert [url for url in heard["requests"] if not url.startswith((link, "data:"))] == []
        # A browser itself says of every answer that is no success that it failed.
        assert [one for one in heard["complaints"] if not one.startswith("Failed to load resource")] == []
        page.close()


def at(page, place):
    page.wait_for_function(
        "place => document.body.dataset.place === String(place) && !('busy' in document.body.dataset)", arg=place
    )


def press(page, key, place):
    page.keyboard.press(key)
    at(page, place)


def lines(sitting):
    with open(sitting.file, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_a_morning_at_the_keyboard(visit, made):
    """Judge, skip, go back and correct, undo twice, look at the help, and load the page again."""
    sitting, server, pool = made
    page = visit(server)
    at(page, 0)
    assert page.locator("#topic-title").inner_text() == "restoring salt marshes"
    assert "did it work?" in page.locator("#description").inner_text()
    assert page.locator("#narrative").inner_text().startswith("Relevant documents describe")
    assert page.locator("#document-id").inner_text() == pool[0]["document"]
    press(page, "2", 1)
    assert page.locator("#toast").inner_text().startswith(f"Saved: \u2068{pool[0]['document']}\u2069 is 2 relevant")
    assert page.locator("#announce").inner_text().endswith("is 2 relevant. Topic 1, document 2 of 8")
    assert page.locator("#counts").inner_text() == "1 of 24 judged"
    press(page, "s", 2)
    press(page, "0", 3)
    press(page, "ArrowLeft", 2)
    assert page.locator(".grade[aria-pressed=true]").inner_text().split() == ["0", "not", "relevant"]
    assert page.locator("#given").inner_text() == "judged 0 not relevant"
    press(page, "3", 3)
    press(page, "u", 2)
    assert page.locator("#given").inner_text() == "judged 0 not relevant"
    press(page, "Backspace", 2)
    page.wait_for_selector("#given", state="hidden")
    told = [(line["document"], line["grade"], line.get("undo", False)) for line in lines(sitting)]
    first, third = pool[0]["document"], pool[2]["document"]
    assert told == [(first, 2, False), (third, 0, False), (third, 3, False), (third, 0, True), (third, None, True)]
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("1")  # no grade while the keys are explained
    page.keyboard.press("Escape")
    assert not page.locator("#help").is_visible()
    page.keyboard.press("9")  # no grade of this scale
    page.keyboard.press("Control+1")
    assert len(lines(sitting)) == 5
    page.reload()
    page.wait_for_selector("body[data-place]")
    at(page, 1)  # behind the last judgment that counts


def test_topics_marks_and_the_end_of_the_pool(visit, made):
    sitting, server, _pool = made
    page = visit(server)
    at(page, 0)
    press(page, "]", 8)
    assert page.locator("#topic-number").inner_text() == "Topic 2 · 2 of 3"
    page.keyboard.press("n")
    assert page.locator("mark.here").count() == 1
    press(page, "[", 0)
    press(page, "s", 1)
    for place in range(1, 8):
        press(page, "1", (place + 1) % 8)
    assert page.locator("#topic-counts").inner_text() == "7 of 8 of this topic judged"
    press(page, "s", 8)  # skipped at the end of the topic, too
    press(page, "2", 9)
    press(page, "[", 0)
    press(page, "]", 9)  # to what is unjudged of the topic
    press(page, "[", 0)
    press(page, "0", 9)
    for place in range(9, 23):
        press(page, "1", place + 1)
    assert page.locator("#counts").inner_text() == "23 of 24 judged"
    page.keyboard.press("0")
    page.wait_for_selector("#complete:not([hidden])")
    assert page.locator("#complete").inner_text().startswith("All 24 documents are judged and saved in ")
    assert page.locator("#bar").get_attribute("aria-valuenow") == "100"
    assert sitting.queue.start is None
    assert len(lines(sitting)) == 24


def test_a_hostile_document_is_text(visit, made):
    _, server, _ = made
    page = visit(server)
    at(page, 0)
    page.evaluate("() => go('at/7.json')")
    at(page, 7)
    assert page.locator("#text").text_content() == HOSTILE.strip()
    assert page.locator("#document-title").text_content() == HOSTILE.strip()
    assert page.locator("#document img, #document script, #document-title img").count() == 0
    assert page.title() == "0 of 24 · assay judge"
    assert not page.locator("#link").is_visible()


def full(file):
    raise OSError(28, "No space left on device")


def test_saved_is_said_only_of_what_is_saved(visit, made, monkeypatch):
    sitting, server, _ = made
    page = visit(server)
    at(page, 0)
    with monkeypatch.context() as patched:
        patched.setattr("assay.collections.assessment.judgments_file._sync", full)
        page.keyboard.press("2")
        page.wait_for_selector("#alert:not([hidden])")
    assert page.locator("#alert").inner_text().startswith("Not saved: ")
    assert "nothing was saved" in page.locator("#alert").inner_text()
    assert not page.locator("#toast").is_visible()
    assert page.locator("body").get_attribute("data-place") == "0"
    assert lines(sitting) == []
    press(page, "2", 1)
    assert not page.locator("#alert").is_visible()
    assert len(lines(sitting)) == 1


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (400, "light"), (400, "dark")])
def test_axe_finds_nothing_on_any_screen(visit, made, axe, width, scheme):
    _, server, _ = made
    page = visit(server, viewport={"width": width, "height": 800}, color_scheme=scheme)
    at(page, 0)
    press(page, "1", 1)
    page.evaluate(axe)
    for key in ("", "?"):
        if key:
            page.keyboard.press(key)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [(v["id"], v["nodes"][0]["html"][:160]) for v in found["violations"]] == []
    page.keyboard.press("Escape")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for button in page.locator(".grade").all():
        box = button.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= 800


def told(page):
    page.wait_for_selector("#alert:not([hidden])")
    return page.locator("#alert").inner_text()


def test_a_server_that_is_gone_takes_no_key_in_silence(visit, made):
    sitting, server, _ = made
    page = visit(server)
    at(page, 0)
    press(page, "1", 1)
    page.context.set_offline(True)
    for key in ("2", "u"):
        page.keyboard.press(key)
        assert told(page).startswith("Perhaps not saved: assay judge does not answer. Restart it")
        assert not page.locator("#toast").is_visible()
        assert page.locator("body").get_attribute("data-place") == "1"
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('alert').textContent.startsWith('assay judge does not')")
    page.context.set_offline(False)
    assert len(lines(sitting)) == 1
    press(page, "2", 2)
    assert [line["grade"] for line in lines(sitting)] == [1, 2]


def test_a_key_pressed_while_the_one_before_is_being_saved_is_refused_and_said(visit, made, monkeypatch):
    """Who types ahead would judge a document that is not yet to be seen."""
    sitting, server, _ = made
    page = visit(server)
    at(page, 0)
    slow = threading.Event()
    with monkeypatch.context() as patched:
        patched.setattr("assay.collections.assessment.judgments_file._sync", lambda file: slow.wait(20))
        page.keyboard.press("2")
        page.keyboard.press("3")
        page.wait_for_function("() => document.getElementById('toast').textContent.includes('Ignored:')")
        slow.set()
        at(page, 1)
    assert [line["grade"] for line in lines(sitting)] == [2]


def test_two_windows_never_overwrite_each_other_unseen(visit, made):
    sitting, server, pool = made
    one, two = visit(server), visit(server)
    at(one, 0)
    at(two, 0)
    press(one, "2", 1)
    two.keyboard.press("0")
    assert told(two).startswith(f"Not saved: another window has judged {pool[0]['document']}")
    assert two.locator("#given").inner_text() == "judged 2 relevant"
    press(two, "3", 1)
    one.keyboard.press("u")  # it believes that 2 is the last
    assert "this is not the last judgment" in told(one)
    press(one, "u", 0)
    assert [(line["grade"], "undo" in line) for line in lines(sitting)] == [(2, False), (3, False), (2, True)]


@pytest.mark.parametrize("keys", [["1"], ["Tab", "Enter"]])
def test_a_key_held_down_judges_one_document(visit, made, keys):
    sitting, server, _ = made
    page = visit(server)
    at(page, 0)
    if keys[0] == "Tab":
        page.locator(".grade").nth(1).focus()
    for _ in range(5):
        page.keyboard.down(keys[-1])
    page.keyboard.up(keys[-1])
    at(page, 1)
    for modified in ("Control+1", "Alt+2", "Meta+3", "Shift+Digit1", "Control+u"):
        page.keyboard.press(modified)
    page.keyboard.press("Control+r")
    page.wait_for_selector("body[data-place]")
    at(page, 1)
    assert [line["grade"] for line in lines(sitting)] == [1]


def test_a_book_in_every_script_and_a_junk_key(visit, tmp_path, axe):
    """Blocks of lines are together the text; a narrative that must be scrolled can be, by keyboard."""
    book = "\n\n".join(["The salt marsh took years. " * 60, "وثيقة عن المستنقعات", "塩性湿地", "x" * 5000] * 8)
    topics = {"q\u202e": Topic("salt marsh", "", "Relevant if it says so. " * 150)}
    sitting = assay.judge(
        {"q\u202e": ["d\u202e<b>", "e"]}, topics, {"d\u202e<b>": book}, judge="<i>ann", scale="0,1,2,-2",
        judgments=str(tmp_path / "x.jsonl"),
    )  # fmt: skip
    with served(sitting) as server:
        page = visit(server)
        at(page, 0)
        assert page.locator("#text").text_content() == book.strip()
        assert page.locator("#text > div").count() == 8
        assert page.locator("#document-id").text_content() == "d\u202e<b>"
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [(v["id"], v["nodes"][0]["html"][:160]) for v in found["violations"]] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        press(page, "j", 1)
        assert lines(sitting)[0]["grade"] == -2


def test_enter_held_on_undo_takes_back_one_judgment(visit, made):
    sitting, server, _ = made
    page = visit(server)
    at(page, 0)
    press(page, "1", 1)
    press(page, "ArrowLeft", 0)
    press(page, "2", 1)
    press(page, "ArrowLeft", 0)
    page.locator("#undo").focus()
    page.keyboard.down("Enter")
    page.wait_for_function("() => document.getElementById('given').textContent.startsWith('judged 1')")
    at(page, 0)
    page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    press(page, "ArrowRight", 1)
    assert [(line["grade"], "undo" in line) for line in lines(sitting)] == [(1, False), (2, False), (1, True)]
